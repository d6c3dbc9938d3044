"""Transforms of inference: what a runtime or a machine could do differently to the same network."""

from dlbricks.whatif.inference.batch import BATCH
from dlbricks.whatif.inference.cudagraphs import CUDA_GRAPHS
from dlbricks.whatif.inference.cut import EARLY_EXIT, REMOVE_LAYER
from dlbricks.whatif.inference.device import DEVICE
from dlbricks.whatif.inference.fp16 import FP16
from dlbricks.whatif.inference.fuse import FUSE, UNFUSE
from dlbricks.whatif.inference.int8 import INT8
from dlbricks.whatif.inference.layout import LAYOUT
from dlbricks.whatif.inference.parallel import PARALLEL, STREAMS
from dlbricks.whatif.inference.swap import ATTENTION, KERNEL_SWAP
from dlbricks.whatif.inference.threads import THREADS
from dlbricks.whatif.transform import Transform

INFERENCE: tuple[Transform, ...] = (
    FUSE,
    UNFUSE,
    FP16,
    INT8,
    CUDA_GRAPHS,
    BATCH,
    STREAMS,
    PARALLEL,
    KERNEL_SWAP,
    ATTENTION,
    LAYOUT,
    THREADS,
    DEVICE,
    REMOVE_LAYER,
    EARLY_EXIT,
)
"""All of them, as they are listed."""
