"""Registry of the transforms that this package's modules, installed extensions and users' files define."""

import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.extensions import extensions, module_of
from dlbricks.whatif.transform import Transform


def all_transforms(files: Sequence[Path] = ()) -> dict[str, Transform]:
    """Return all what-if transforms by name, sorted by group and name; those of users' Python files come last.

    Raises:
        InputError: two transforms have the same name, or a file or extension cannot be used.
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
            raise InputError(f"{origin}: a transform '{transform.name}' exists already: choose another name")
        both[transform.name] = transform
    return both


def transforms_of(path: Path) -> tuple[Transform, ...]:
    """Run a user's Python file and return the transforms in its variable ``TRANSFORMS``.

    Raises:
        InputError: the file does not exist or fails, or ``TRANSFORMS`` is not a tuple of valid transforms.
    """
    transforms = getattr(module_of(path, "transforms"), "TRANSFORMS", None)
    if (
        not isinstance(transforms, tuple | list)
        or not transforms
        or not all(isinstance(transform, Transform) for transform in transforms)
    ):
        raise InputError(f"{path} must set TRANSFORMS = (...), a tuple of dlbricks.whatif.transform.Transform")
    return tuple(replace(transform, file=str(path)) for transform in transforms)
