"""Share of data sheets that kernels reach on each device: single precision, tensor cores, memory.

A T4 or an L4 lowers its clock long before it computes what its data sheet says; a V100 does not. Single precision and
memory were measured by the authors of NeuSight (sitar-lab/NeuSight, ASPLOS 2025, MIT licence). Single precision:
medians over products of transformers that took more than 100 us; ``benchmarks/whatif_devices.py`` leaves out the
network that it judges. Memory: medians over elementwise kernels of more than 1 ms, in sweeps over shapes, apart from
these networks; on an H100 and on MI100 to MI250, for which there are none, over such operators of the networks.
Tensor cores: large products of bfloat16, 720 of 989 Tflop/s on an H100 and 620 of 1,307 on an MI300X (SemiAnalysis,
MI300X vs H100 vs H200 Benchmark Part 1, December 2024), nine tenths of the best product found on an A100, B200 or
MI250X, as the H100 reaches of its own (stas00/ml-engineering, "Maximum Achievable Matmul FLOPS"); on a T4 5.2 times
what it reaches in single precision.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reached:
    """Shares of what is stated of one kind of chip."""

    pattern: str
    """Regular expression for the name of a device."""
    single: float
    memory: float
    tensor: float = 0.70
    """Where nobody measured it no more than ``single``."""


_USUAL = Reached("", single=0.70, memory=0.77)
"""Of devices that nobody measured: middle of those that were."""
_REACHED: Sequence[Reached] = (
    Reached(r"\bP4\b", single=0.58, memory=0.75),
    Reached(r"\bP100\b", single=0.77, memory=0.74),
    Reached(r"\bT4\b", single=0.53, memory=0.74, tensor=0.34),
    Reached(r"\bV100\b", single=0.90, memory=0.91),
    Reached(r"\bA100\b", single=0.88, memory=0.88, tensor=0.78),
    Reached(r"\bG?H[128]00\b", single=0.73, memory=0.85, tensor=0.73),
    Reached(r"\bB200\b", single=0.70, memory=0.77, tensor=0.70),
    Reached(r"\bL4\b", single=0.41, memory=0.78, tensor=0.41),
    Reached(r"\bMI(100|2[15]0)", single=0.67, memory=0.77, tensor=0.69),
    Reached(r"\bMI3", single=0.67, memory=0.77, tensor=0.47),
)
"""The first whose pattern is found counts."""


def reached_on(device: str) -> Reached:
    """Give what kernels reach on a device, by its name."""
    return next((one for one in _REACHED if re.search(one.pattern, device, re.IGNORECASE)), _USUAL)
