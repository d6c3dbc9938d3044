"""All transforms of training steps."""

from dlbricks.whatif.training.amp import AMP
from dlbricks.whatif.training.loader import DATA_LOADER
from dlbricks.whatif.training.optimiser import FUSED_ADAM, FUSED_OPTIMIZER
from dlbricks.whatif.transform import Transform

TRAINING: tuple[Transform, ...] = (AMP, FUSED_OPTIMIZER, FUSED_ADAM, DATA_LOADER)
"""In the order in which they are listed."""
