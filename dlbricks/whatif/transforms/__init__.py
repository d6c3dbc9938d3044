"""Every transform there is, by family; ``known`` adds those of users' files."""

import importlib.util
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.whatif.transform import EVIDENCE, Transform
from dlbricks.whatif.transforms.all_reduce import BLUECONNECT, BUCKETS, COMPRESSION, NETWORK
from dlbricks.whatif.transforms.data_parallel import DATA_PARALLEL, P3, WORLD_SIZE
from dlbricks.whatif.transforms.fuse import ATTENTION, FUSE, UNFUSE
from dlbricks.whatif.transforms.host import CUDA_GRAPHS, PARALLEL, STREAMS
from dlbricks.whatif.transforms.int8 import INT8
from dlbricks.whatif.transforms.layout import LAYOUT
from dlbricks.whatif.transforms.model_parallel import PIPELINE, TENSOR
from dlbricks.whatif.transforms.precision import AMP, BF16, FP8, FP16
from dlbricks.whatif.transforms.scaling import BATCH, DEVICE, THREADS
from dlbricks.whatif.transforms.serving import INT4, SPECULATIVE
from dlbricks.whatif.transforms.sharded import CONTENTION, FSDP, ZERO
from dlbricks.whatif.transforms.structure import EARLY_EXIT, KERNEL_SWAP, METAFLOW, REMOVE_LAYER, SCALE, SET_TIME
from dlbricks.whatif.transforms.training import (
    DATA_LOADER,
    FUSED_ADAM,
    FUSED_OPTIMIZER,
    GIST,
    RECOMPUTE,
    RECONSTRUCT_BN,
    VDNN,
)

_TRAINING = (
    AMP, FUSED_OPTIMIZER, FUSED_ADAM, RECONSTRUCT_BN, METAFLOW, DATA_LOADER, DATA_PARALLEL, ZERO, FSDP, TENSOR,
    PIPELINE, NETWORK, WORLD_SIZE, CONTENTION, BUCKETS, BLUECONNECT, P3, COMPRESSION, VDNN, GIST, RECOMPUTE,
)  # fmt: skip
_INFERENCE = (
    FUSE, UNFUSE, FP16, BF16, FP8, INT8, INT4, SPECULATIVE, CUDA_GRAPHS, BATCH, STREAMS, PARALLEL, KERNEL_SWAP,
    ATTENTION, LAYOUT, THREADS, DEVICE, REMOVE_LAYER, EARLY_EXIT,
)  # fmt: skip
TRANSFORMS: tuple[Transform, ...] = (*_TRAINING, *_INFERENCE, SCALE, SET_TIME)
"""In the order in which they are listed."""


def known(files: Sequence[Path] = ()) -> dict[str, Transform]:
    """Give transforms by name, those of users' files last.

    Raises:
        InputError: see ``transforms_of``; or two of one name.
    """
    found = {transform.name: transform for transform in TRANSFORMS}
    for path in files:
        for transform in transforms_of(path):
            if transform.name in found:
                raise InputError(f"{path}: there is a transform '{transform.name}' already, give it another name")
            found[transform.name] = transform
    return found


def transforms_of(path: Path) -> tuple[Transform, ...]:
    """Run a user's Python file and take its ``TRANSFORMS``.

    Raises:
        InputError: there is no such file, it fails, or what it calls TRANSFORMS is no tuple of transforms.
    """
    if not path.is_file():
        raise InputError(f"cannot read transforms from {path}: there is no such file")
    spec = importlib.util.spec_from_file_location(f"dlbricks_user_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError(f"cannot read transforms from {path}: its name has to end in .py")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise InputError(f"{path} fails: {type(error).__name__}: {error}") from error
    found = getattr(module, "TRANSFORMS", None)
    if not isinstance(found, tuple | list) or not found or not all(isinstance(one, Transform) for one in found):
        raise InputError(f"{path} needs TRANSFORMS = (...), a tuple of dlbricks.whatif.transform.Transform")
    for one in found:
        if one.evidence not in EVIDENCE:
            raise InputError(f"{path}: evidence '{one.evidence}' of {one.name} is none of {', '.join(EVIDENCE)}")
    return tuple(replace(one, file=str(path)) for one in found)
