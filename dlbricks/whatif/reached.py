"""Share of data sheets that kernels reach on each device: single precision, tensor cores, memory.

A T4 or an L4 lowers its clock long before it computes what its data sheet says; a V100 does not. Single precision and
memory were measured by the authors of NeuSight (sitar-lab/NeuSight, ASPLOS 2025, MIT licence). Single precision:
medians over products of transformers that took more than 100 us; ``benchmarks/whatif_devices.py`` leaves out the
network that it judges. Memory: medians over elementwise kernels of more than 1 ms, in sweeps over shapes, apart from
these networks; on an H100 and on MI100 to MI250, for which there are none, over such operators of the networks.
Tensor cores: the longest products of halves on a V100 and a T4 (baidu-research/DeepBench, Apache-2.0, results/train),
large products of bfloat16, 720 of 989 Tflop/s on an H100 and 620 of 1,307 on an MI300X (SemiAnalysis, MI300X vs H100 vs
H200 Benchmark Part 1, December 2024), nine tenths of the best product found on an A100, B200 or MI250X, as the H100
reaches of its own (stas00/ml-engineering, "Maximum Achievable Matmul FLOPS"). RTX 20 and 30: products of 8,000 by 8,000
on an RTX 2080 Ti and 3090 Ti, 11.4 and 21 Tflop/s, in halves 44.9 and 66 (bewantbe/busy-gemm-benchmark@c206738, which
states no licence).

What products gain by halves (``half_gains``) depends on their size: the two constants that suit DeepBench's 160
products on a V100 best suit those on a T4 best, too; convolutions gain two fifths as much beyond 1, whatever their
size.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.profile.roofs import gpu_peaks
from dlbricks.trace.types import Longs
from dlbricks.whatif.graph import Floats, Mask


@dataclass(frozen=True, slots=True)
class Reached:
    """Shares of what is stated of one kind of chip."""

    pattern: str
    """Regular expression for the name of a device."""
    single: float
    memory: float
    tensor: float = 0.70
    """Where nobody measured it no more than ``single``."""


_HALF_INTENSITY = 10.0
"""Operations per byte at which a product gains half of what it can."""
_HALF_WORK, _HALF_TIME_OF_NEWER = 1e9, 0.4e-6
"""Operations; so, too. On devices with TF32 as many as they could do in such a time, s: 0.4e9 on an H100
(matmul_interpolator_data.h of OpenXLA)."""
_OF_FUSED_ATTENTION = 0.5
"""Share of the stated rate of halves that FlashAttention-2 reaches: the least of its paper (2023), on an A100."""
_OF_CONVOLUTIONS = 0.4

_USUAL = Reached("", single=0.70, memory=0.77)
"""Of devices that nobody measured: middle of those that were."""
_REACHED: Sequence[Reached] = (
    Reached(r"\bP4\b", single=0.58, memory=0.75),
    Reached(r"\bP100\b", single=0.77, memory=0.74),
    Reached(r"\bT4\b", single=0.53, memory=0.74, tensor=0.59),
    Reached(r"\bV100\b", single=0.90, memory=0.91, tensor=0.79),
    Reached(r"\bRTX 20", single=0.85, memory=0.77, tensor=0.83),
    Reached(r"\bRTX 30", single=0.52, memory=0.77, tensor=0.82),
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


def half_gain(device: str) -> float | None:
    """Give how many times as quick products are in half precision as in single; None where nothing is stated.

    1 on a device that multiplies no halves: they become single precision for it.
    """
    stated, reached = gpu_peaks(device).flops_per_s, reached_on(device)
    if "float32" not in stated:
        return None
    return max(1.0, reached.tensor * stated.get("float16", 0.0) / (reached.single * stated["float32"]))


def half_gains(device: str, flops: Floats, moved: Floats, times_ns: Longs, convolves: Mask) -> Floats:
    """Give how many times as quick each of some products is in half precision as in single.

    Args:
        device: of which peaks are stated.
        flops: of each; NaN where not known, which is then what the device reaches in its time.
        moved: bytes in single precision; NaN where not known: then they are no limit.
        times_ns: in single precision.
        convolves: whether each is a convolution.
    """
    most, stated = half_gain(device) or 1.0, gpu_peaks(device).flops_per_s
    rate = stated.get("float32", 0.0) * reached_on(device).single
    work = np.where(np.isnan(flops), times_ns * rate / 1e9, flops)
    intensity = np.where(moved > 0, work / np.where(moved > 0, moved, 1.0), np.inf)
    beside = 1.0 / (1.0 + _HALF_INTENSITY / np.maximum(intensity, 1e-9))
    half_work = _HALF_TIME_OF_NEWER * stated.get("float16", 0.0) if "tf32" in stated else _HALF_WORK
    of_size = beside * work / (work + half_work)
    made: Floats = 1.0 + (most - 1.0) * np.where(convolves, _OF_CONVOLUTIONS, of_size)
    return made


def fused_attention_ns(device: str, flops: Floats) -> Floats:
    """Give what fused attention takes in half precision; NaN where operations, or the rate of a device, are not known.

    In single precision other kernels do so: FlashAttention has halves only, and needs a device of those with TF32.
    """
    stated = gpu_peaks(device).flops_per_s
    rate = _OF_FUSED_ATTENTION * stated.get("float16", math.nan) if "tf32" in stated else math.nan
    made: Floats = 1e9 * flops / rate
    return made
