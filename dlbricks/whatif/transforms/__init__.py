"""Registry of the transforms; ``all_transforms`` adds those of extensions and those from users' files."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.extensions import extensions, module_of
from dlbricks.whatif.transform import EVIDENCE, Transform
from dlbricks.whatif.transforms import (
    attention,
    eight_bits,
    fuse,
    host,
    int8,
    layout,
    mixed,
    pinned,
    precision,
    scaling,
    serving,
    structure,
)

TRANSFORMS: tuple[Transform, ...] = (
    mixed.AMP, pinned.PINNED, fuse.FUSE, precision.FP16, precision.BF16, eight_bits.FP8, int8.INT8, serving.INT4,
    host.CUDA_GRAPHS, scaling.BATCH, attention.ATTENTION, layout.LAYOUT, scaling.THREADS, scaling.DEVICE,
    structure.SCALE, structure.SET_TIME,
)  # fmt: skip
"""In listing order, before those of extensions."""


def all_transforms(files: Sequence[Path] = ()) -> dict[str, Transform]:
    """Return transforms by name: built-in ones, those of extensions, and those from users' files.

    Raises:
        InputError: see ``transforms_of`` and ``extensions.load``; or two transforms have the same name.
    """
    by_name = {transform.name: transform for transform in TRANSFORMS}
    # a heading in lists stands over transforms that follow each other
    offers = sorted(extensions("dlbricks.transforms", Transform), key=lambda transform: transform.group)
    further = [("an extension", transform) for transform in offers]
    further += [(str(path), transform) for path in files for transform in transforms_of(path)]
    for origin, transform in further:
        if transform.name in by_name:
            raise InputError(f"{origin}: there is a transform '{transform.name}' already, give it another name")
        by_name[transform.name] = transform
    return by_name


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
                f"{path}: evidence '{transform.evidence}' of {transform.name} is none of {', '.join(EVIDENCE)}"
            )
    return tuple(replace(transform, file=str(path)) for transform in transforms)
