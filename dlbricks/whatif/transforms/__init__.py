"""Registry of the transforms: those of the modules of this package, of extensions, and of users' files."""

import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.extensions import extensions, module_of
from dlbricks.whatif.transform import EVIDENCE, Transform


def all_transforms(files: Sequence[Path] = ()) -> dict[str, Transform]:
    """Return transforms by name: built-in ones and those of extensions in order of group and name, then users' own.

    Raises:
        InputError: see ``transforms_of`` and ``extensions.load``; or two transforms have the same name.
    """
    modules = (import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    own = {value.name: value for module in modules for value in vars(module).values() if isinstance(value, Transform)}
    by_name = _added(own, "an extension", extensions("dlbricks.transforms", Transform))
    by_name = dict(sorted(by_name.items(), key=lambda item: (item[1].group, item[0])))
    for path in files:
        by_name = _added(by_name, str(path), transforms_of(path))
    return by_name


def _added(by_name: Mapping[str, Transform], origin: str, transforms: Sequence[Transform]) -> dict[str, Transform]:
    both = dict(by_name)
    for transform in transforms:
        if transform.name in both:
            raise InputError(f"{origin}: there is a transform '{transform.name}' already, give it another name")
        both[transform.name] = transform
    return both


def transforms_of(path: Path) -> tuple[Transform, ...]:
    """Run a user's Python file and return its ``TRANSFORMS``.

    Raises:
        InputError: the file does not exist, fails, or its TRANSFORMS is not a tuple of transforms.
    """
    transforms = getattr(module_of(path, "transforms"), "TRANSFORMS", None)
    if (
        not isinstance(transforms, tuple | list)
        or not transforms
        or not all(isinstance(transform, Transform) for transform in transforms)
    ):
        raise InputError(f"{path} needs TRANSFORMS = (...), a tuple of dlbricks.whatif.transform.Transform")
    for transform in transforms:
        if transform.evidence not in EVIDENCE:
            raise InputError(
                f"{path}: invalid evidence '{transform.evidence}' of {transform.name}: give {', '.join(EVIDENCE)}"
            )
    return tuple(replace(transform, file=str(path)) for transform in transforms)
