"""Transforms of training on one and several GPUs. The core of ``whatif`` knows only ``TRANSFORMS``."""

from dataclasses import replace

from dlbricks.whatif.training import data_parallel, one_device, paper, recompute, sharded, tensor_parallel
from dlbricks.whatif.transform import Transform

PAPER: tuple[Transform, ...] = tuple(
    replace(transform, group="paper")
    for transform in (
        paper.RECONSTRUCT_BN,
        paper.METAFLOW,
        paper.BANDWIDTH_OF_LINKS,
        paper.BLUECONNECT,
        paper.P3,
        paper.COMPRESSION,
        paper.VDNN,
        paper.GIST,
    )
)
TRANSFORMS: tuple[Transform, ...] = (
    one_device.FUSED_OPTIMIZER,
    one_device.FUSED_ADAM,
    one_device.DATA_LOADER,
    data_parallel.DATA_PARALLEL,
    data_parallel.BUCKETS,
    sharded.FSDP,
    tensor_parallel.TENSOR,
    sharded.CONTENTION,
    recompute.RECOMPUTE,
    *PAPER,
)
"""In listing order."""
