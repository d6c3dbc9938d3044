"""All transforms of training steps."""

from dlbricks.whatif.training.amp import AMP
from dlbricks.whatif.training.bandwidth import NETWORK
from dlbricks.whatif.training.batch_norm import RECONSTRUCT_BN
from dlbricks.whatif.training.blueconnect import BLUECONNECT
from dlbricks.whatif.training.buckets import BUCKETS
from dlbricks.whatif.training.compression import COMPRESSION
from dlbricks.whatif.training.data_parallel import DATA_PARALLEL
from dlbricks.whatif.training.loader import DATA_LOADER
from dlbricks.whatif.training.memory import GIST, VDNN
from dlbricks.whatif.training.optimiser import FUSED_ADAM, FUSED_OPTIMIZER
from dlbricks.whatif.training.p3 import P3
from dlbricks.whatif.training.substitution import METAFLOW
from dlbricks.whatif.transform import Transform

TRAINING: tuple[Transform, ...] = (
    AMP,
    FUSED_OPTIMIZER,
    FUSED_ADAM,
    RECONSTRUCT_BN,
    METAFLOW,
    DATA_LOADER,
    DATA_PARALLEL,
    NETWORK,
    BUCKETS,
    BLUECONNECT,
    P3,
    COMPRESSION,
    VDNN,
    GIST,
)
"""In the order in which they are listed."""
