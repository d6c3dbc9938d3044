"""Models the work of tasks: their class, the parts of their time, and the fraction of its peaks that a GPU attains.

A time has an arithmetic, a memory and a fixed part. A GPU has peaks for single precision, tensor cores and memory.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.profile.open import DECODE
from dlbricks.trace.gpus import gpu_peaks, usual_name
from dlbricks.trace.intervals import split_by
from dlbricks.trace.types import NONE, Bytes, Longs
from dlbricks.trace.work_classes import KernelClass, Precision, class_of, class_of_operator, precision_of
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, TaskKind
from dlbricks.whatif.select import in_phases, other_runtime, tokens_of, unrecorded_launches

# Kernels are classified by name, host layers by operator type (``trace.work_classes``); ``unknown_kernels`` lists the
# kernels that cannot be classified.
#
# Times are split with the roofline model (Williams, Waterman, Patterson, CACM 52(4), 2009, doi
# 10.1145/1498765.1498785), using the sum of arithmetic and memory time instead of the maximum, because the two overlap
# only in part. Peak rates are taken from the graph itself. Only the ratio of the parts comes from the model; their sum
# is the measured time.

# Only tasks longer than this many times the shortest task show a rate, since the fixed part dominates shorter ones.
_LONG = 4
_ARITHMETIC_PERCENTILE = 99
_MEMORY_PERCENTILE = 90
# Bytes per weight by precision. ``SINGLE`` has 2: servers use half precision, which kernel names seldom tell.
_WEIGHT_BYTES = {Precision.SINGLE: 2, Precision.TENSOR_FLOAT: 4, Precision.HALF: 2, Precision.EIGHT: 1}
# Peak half precision FLOPs per byte of bandwidth, for unknown devices. Data sheets: V100 139, A100 153, T4 203, MI300X
# 247, H100 295.
_USUAL_BALANCE = 150.0
# Classes that count as compute-bound if FLOPs and bytes are unknown; all others count as memory-bound.
PRODUCTS = (KernelClass.MATRIX, KernelClass.ATTENTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownKernel:
    """Kernels of the same name, whose class of work (such as matrix product) dlbricks cannot tell from the name."""

    name: str
    count: int
    time_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The highest arithmetic and memory rates that long tasks of a run reach, and the duration of the shortest task."""

    flops_per_ns: float
    """FLOPs per ns; infinite if no long task has known FLOPs."""
    bytes_per_ns: float
    """Bytes read and written per ns; infinite if no long task has known bytes."""
    fixed_ns: float
    """Duration of the shortest task, ns, which counts as the fixed part of every task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """How the times of some tasks divide into arithmetic, memory and a fixed part, as shares that add up to 1."""

    rows: Longs
    """Task numbers."""
    own_ns: Longs
    """Durations of the tasks, ns."""
    arithmetic: Floats
    memory: Floats
    fixed: Floats

    def times_ns(self, arithmetic: Floats, memory: Floats) -> Floats:
        """Return the tasks' times, ns, with the arithmetic and memory parts multiplied by factors, one per task."""
        return self.own_ns * (self.arithmetic * arithmetic + self.memory * memory + self.fixed)


def classes(graph: DependencyGraph) -> Bytes:
    """Return the class of work of every task. The name of a kernel decides; most other tasks are ``OTHER``."""
    by_name = np.array([int(class_of(name)) for name in graph.names] or [0], np.int8)
    kinds = by_name[graph.task_name]
    kinds[graph.kind != TaskKind.KERNEL] = KernelClass.OTHER
    kinds[graph.kind == TaskKind.COLLECTIVE] = KernelClass.COLLECTIVE
    return kinds


def precisions(graph: DependencyGraph) -> Bytes:
    """Return the number format in which every kernel of a graph computes; ``SINGLE`` for other tasks."""
    by_name = np.array([int(precision_of(name)) for name in graph.names] or [0], np.int8)
    return np.where(graph.kind == TaskKind.KERNEL, by_name[graph.task_name], np.int8(Precision.SINGLE))


def unknown_kernels(graph: DependencyGraph) -> tuple[UnknownKernel, ...]:
    """Return the kernels of a graph whose class of work their names do not tell, longest first."""
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & (classes(graph) == KernelClass.OTHER))
    unknown = [
        UnknownKernel(name=graph.named(same[0]), count=len(same), time_ns=int(graph.duration_ns[same].sum()))
        for same in split_by(graph.task_name[rows], rows)
    ]
    return tuple(sorted(unknown, key=lambda kernel: (-kernel.time_ns, kernel.name)))


def compute_tasks(graph: DependencyGraph) -> Longs:
    """Return the numbers of the tasks that compute the network: kernels or, without a device, layers on the host."""
    kernels = kernels_of(graph)
    if len(kernels) or len(unrecorded_launches(graph)):
        return kernels
    return np.flatnonzero((graph.kind == TaskKind.CPU) & (graph.operator != NONE))


def kernels_of(graph: DependencyGraph, *wanted: KernelClass) -> Longs:
    """Return the numbers of a graph's kernels, all or those of some classes of work."""
    rows = np.flatnonzero(graph.kind == TaskKind.KERNEL)
    return rows[np.isin(classes(graph)[rows], wanted)] if wanted else rows


def no_compute_tasks(graph: DependencyGraph) -> str:
    """Return why a dependency graph has no kernels or layers to change; an empty string if it has some."""
    if len(compute_tasks(graph)):
        return ""
    if len(unrecorded_launches(graph)):
        return "the work of its launches on a device was not recorded"
    return "it has neither kernels nor layers whose operators are known"


def not_onnxruntime(graph: DependencyGraph) -> str:
    """Return why a change that is modelled only for onnxruntime does not apply to a graph; empty if it does."""
    other = other_runtime(graph)
    return f"it models kernels of onnxruntime only, but the layers ran with {other}" if other else ""


def task_classes(graph: DependencyGraph) -> Bytes:
    """Return the class of work of every task; the name of a kernel, or the operator of a layer on the host, decides."""
    kinds = classes(graph)
    by_operator = np.array([int(class_of_operator(name)) for name in graph.operators] or [0], np.int8)
    layers = np.flatnonzero((graph.kind == TaskKind.CPU) & (graph.operator != NONE))
    kinds[layers] = by_operator[graph.operator[layers]]
    return kinds


def moved_bytes(graph: DependencyGraph) -> Floats:
    """Return the bytes that every task reads and writes, added up; NaN if unknown."""
    return graph.figures("read_bytes") + graph.figures("written_bytes")


def rates(graph: DependencyGraph, rows: Longs) -> Rates:
    """Return the highest FLOP and byte rates that the tasks ``rows`` reach: percentiles over long tasks."""
    times = graph.duration_ns[rows].astype(np.float64)
    some = times[times > 0]
    fixed = float(some.min()) if len(some) else 0.0
    long = times > _LONG * fixed

    def best(amounts: Floats, percentile: float) -> float:
        shown = long & (np.nan_to_num(amounts) > 0)
        return float(np.percentile(amounts[shown] / times[shown], percentile)) if shown.any() else float("inf")

    return Rates(
        flops_per_ns=best(graph.figures("flops")[rows], _ARITHMETIC_PERCENTILE),
        bytes_per_ns=best(moved_bytes(graph)[rows], _MEMORY_PERCENTILE),
        fixed_ns=fixed,
    )


def weight_shares(graph: DependencyGraph) -> Floats:
    """Return the share of weights in the bytes that matrix products of an inference server move; NaN for other tasks.

    The number of weights follows from FLOPs (two per weight and token). Without FLOPs or bytes, the share is 1.
    """
    weights = graph.figures("flops") / (2 * tokens_of(graph))
    sizes = np.array([_WEIGHT_BYTES[precision_of(name)] for name in graph.names] or [2], np.float64)[graph.task_name]
    part = np.clip(weights * sizes / np.maximum(moved_bytes(graph), 1.0), 0.0, 1.0)
    of_weights = (task_classes(graph) == KernelClass.MATRIX) & ~np.isnan(tokens_of(graph))
    return np.where(of_weights, np.nan_to_num(part, nan=1.0), np.nan)


def arithmetic_shares(graph: DependencyGraph) -> Floats:
    """Return for each task the share of arithmetic in a matrix product's time; NaN if the step's tokens are unknown.

    If an inference server's step has few tokens, arithmetic waits for weights (Pope et al., MLSys 2023). A weight in
    half precision has two bytes, and takes two operations per token. Unknown devices count as 150 FLOPs per byte.
    """
    tokens, stated = tokens_of(graph), gpu_peaks(graph.device)
    peak, memory = stated.flops_per_s.get("float16"), stated.bytes_per_s
    balance = peak / memory if peak and memory else _USUAL_BALANCE
    return tokens / (tokens + balance)


def _by_class(graph: DependencyGraph) -> Floats:
    # Return the arithmetic share in the time that is not fixed, for tasks with unknown FLOPs or bytes, by class.
    kinds = task_classes(graph)
    by_class = np.isin(kinds, PRODUCTS).astype(np.float64)
    products = ~np.isnan(weight_shares(graph))
    by_class[products] = arithmetic_shares(graph)[products]
    by_class[in_phases(graph, DECODE) & (kinds == KernelClass.ATTENTION)] = 0.0
    return by_class


def shares(graph: DependencyGraph, rows: Longs) -> Shares:
    """Split the times of the tasks ``rows`` into arithmetic, memory and fixed parts.

    The fixed part is the shortest duration. If FLOPs and bytes are known, a roofline splits the rest. If not, the time
    of matrix products counts as arithmetic, all other time as memory. In steps of inference servers, the split of
    products follows from the number of tokens, and attention in decode steps counts as memory.
    """
    best = rates(graph, rows)
    times = np.maximum(graph.duration_ns[rows].astype(np.float64), 1.0)
    fixed = np.minimum(1.0, best.fixed_ns / times)
    arithmetic = graph.figures("flops")[rows] / best.flops_per_ns
    memory = moved_bytes(graph)[rows] / best.bytes_per_ns
    sized = np.nan_to_num(arithmetic + memory) > 0
    part = np.where(sized, arithmetic / np.where(sized, arithmetic + memory, 1.0), _by_class(graph)[rows])
    return Shares(
        rows=rows,
        own_ns=graph.duration_ns[rows],
        arithmetic=(1 - fixed) * part,
        memory=(1 - fixed) * (1 - part),
        fixed=fixed,
    )


# Many GPUs lower their clock under load and never reach their data sheet (T4, L4); others do (V100). Single precision
# and memory: measurements of NeuSight (sitar-lab/NeuSight, ASPLOS 2025, MIT licence). Single precision is the median
# over matrix products of transformers longer than 100 us (``benchmarks/whatif.py operators`` excludes the network under
# test); memory the median over elementwise kernels longer than 1 ms in sweeps over shapes, on H100 and MI100 to MI250
# over elementwise operators of the networks.
#
# Tensor cores: on V100 and T4 the longest half-precision products of DeepBench (baidu-research/DeepBench, Apache-2.0,
# results/train); on H100 and MI300X large bfloat16 products, 720 of 989 and 620 of 1,307 Tflop/s (SemiAnalysis, MI300X
# vs H100 vs H200 Benchmark Part 1, December 2024); on A100, B200 and MI250X nine tenths of the best product found, the
# ratio seen on H100 (stas00/ml-engineering, "Maximum Achievable Matmul FLOPS"). RTX 20 and 30: products of 8,000 by
# 8,000 on RTX 2080 Ti and 3090 Ti, 11.4 and 21 Tflop/s in single, 44.9 and 66 in half precision (bewantbe/busy-gemm-
# benchmark@c206738, which states no licence).
#
# The gain from half precision depends on the size of a product (``half_gains``). Its two constants were fitted to the
# 160 products of DeepBench on V100 and are optimal on T4, too. Convolutions in the plain layout gain 0.4 times as much
# beyond 1, whatever their size.


@dataclass(frozen=True, slots=True)
class AttainedShares:
    """The fractions of its data-sheet peaks that a GPU model attains: single precision, memory and tensor cores."""

    pattern: str
    """Regular expression for the product name of the GPU, in normalised spelling."""
    single: float
    memory: float
    tensor: float = 0.70
    """Fraction for tensor cores; at most ``single`` for models on which tensor cores were not measured."""


# Memory bandwidth of unknown devices, bytes per second.
_USUAL_RATE = 600e9
# FLOPs per byte at which a product reaches half of its possible gain.
_HALF_INTENSITY = 10.0
# FLOPs at which a product reaches half of its possible gain; on devices with TF32 the FLOPs at peak rate in this
# time, s: 0.4e9 on an H100 (matmul_interpolator_data.h of OpenXLA).
_HALF_WORK, _HALF_TIME_OF_NEWER = 1e9, 0.4e-6
# Attained share of the half precision peak of FlashAttention-2: the least in its paper (2023), on an A100; on an H100
# by the paper of FlashAttention-3 (2024).
_OF_FUSED_ATTENTION, _OF_FUSED_ATTENTION_ON_HOPPER = 0.5, 0.35
# Attained share of the single precision peak of PyTorch's memory-efficient attention, with the padding of its tiles,
# on an H200: ViT-B/16 0.48 forward and 0.52 backward, a Llama forward 0.40.
_OF_SINGLE_ATTENTION = 0.45
# What a half precision product takes besides its work on a Hopper GPU, ns: those of a decoder and an image
# transformer take 3.9 to 150 us for 0.8 to 100 GFLOP on an H200.
_BESIDE_PRODUCTS_NS = 2800.0
# In the plain layout, with conversions for tensor cores.
_OF_CONVOLUTIONS = 0.4
# Of the gain of large products: 120 Tflop/s in half precision from 51, of GPT-2's last product (50,257 words) on an
# H200.
_OF_UNEVEN = 0.16

# Default for unmeasured devices: about the median of the measured ones.
_USUAL = AttainedShares("", single=0.70, memory=0.77)
# The first pattern found counts.
_BY_DEVICE: Sequence[AttainedShares] = (
    AttainedShares(r"\bP4\b", single=0.58, memory=0.75),
    AttainedShares(r"\bP100\b", single=0.77, memory=0.74),
    AttainedShares(r"\bT4\b", single=0.53, memory=0.74, tensor=0.59),
    AttainedShares(r"\bV100\b", single=0.90, memory=0.91, tensor=0.79),
    AttainedShares(r"\bRTX 20", single=0.85, memory=0.77, tensor=0.83),
    AttainedShares(r"\bRTX 30", single=0.52, memory=0.77, tensor=0.82),
    AttainedShares(r"\bA100\b", single=0.88, memory=0.88, tensor=0.78),
    AttainedShares(r"\bG?H[128]00\b", single=0.73, memory=0.85, tensor=0.73),
    AttainedShares(r"\bB200\b", single=0.70, memory=0.77, tensor=0.70),
    AttainedShares(r"\bL4\b", single=0.41, memory=0.78, tensor=0.41),
    AttainedShares(r"\bMI(100|2[15]0)", single=0.67, memory=0.77, tensor=0.69),
    AttainedShares(r"\bMI3", single=0.67, memory=0.77, tensor=0.47),
)


def attained_on(device: str) -> AttainedShares:
    """Return which fractions of its data-sheet peaks a GPU attains, by its name; typical ones if it is unknown."""
    return next((shares for shares in _BY_DEVICE if re.search(shares.pattern, usual_name(device))), _USUAL)


def memory_rate(device: str) -> float:
    """Return the memory bandwidth that a GPU attains in practice, bytes per second; 600 GB/s if it is unknown."""
    stated = gpu_peaks(device).bytes_per_s
    return _USUAL_RATE if stated is None else stated * attained_on(device).memory


def half_gain(device: str) -> float | None:
    """Return the speed-up of large matrix products by half precision on a GPU; None if unknown, 1 if unsupported."""
    stated, attained = gpu_peaks(device).flops_per_s, attained_on(device)
    if "float32" not in stated:
        return None
    return max(1.0, attained.tensor * stated.get("float16", 0.0) / (attained.single * stated["float32"]))


def half_gains(
    device: str, flops: Floats, moved: Floats, times_ns: Longs, convolves: Mask, uneven: Mask | None = None
) -> Floats:
    """Return the speed-up of each matrix product or convolution by half precision on a GPU.

    Args:
        flops: FLOPs of each product; if NaN, estimated from its time.
        moved: bytes that each product moves in single precision; if NaN, memory does not limit the product.
        convolves: mask of the convolutions in the plain layout.
        uneven: mask of the products with an odd number of inputs or outputs.
    """
    most, stated = half_gain(device) or 1.0, gpu_peaks(device).flops_per_s
    rate = stated.get("float32", 0.0) * attained_on(device).single
    work = np.where(np.isnan(flops), times_ns * rate / 1e9, flops)
    intensity = np.where(moved > 0, work / np.where(moved > 0, moved, 1.0), np.inf)
    by_intensity = 1.0 / (1.0 + _HALF_INTENSITY / np.maximum(intensity, 1e-9))
    half_work = _HALF_TIME_OF_NEWER * stated.get("float16", 0.0) if "tf32" in stated else _HALF_WORK
    by_size = by_intensity * work / (work + half_work)
    gains: Floats = 1.0 + (most - 1.0) * np.where(convolves, _OF_CONVOLUTIONS, by_size)
    return gains if uneven is None else np.where(uneven, np.maximum(1.0, _OF_UNEVEN * gains), gains)


def least_products_ns(device: str, flops: Floats, moved: Floats) -> Floats:
    """Return the least time of each matrix product in half precision, ns; NaN if unknown, or for GPUs without FP8."""
    stated, attained = gpu_peaks(device), attained_on(device)
    if "float8" not in stated.flops_per_s or stated.bytes_per_s is None:
        return np.full(len(flops), np.nan)
    arithmetic = flops / (attained.tensor * stated.flops_per_s["float16"])
    return _BESIDE_PRODUCTS_NS + 1e9 * np.maximum(arithmetic, moved / (attained.memory * stated.bytes_per_s))


def fused_attention_ns(device: str, flops: Floats, moved: Floats | None = None) -> Floats:
    """Return the time of each fused attention in half precision on a GPU, ns; NaN if FLOPs or peak are unknown.

    The kernels are those of FlashAttention, which need a device with TF32.

    Args:
        moved: bytes that the kernel moves in half precision, NaN if unknown. If None, the time follows from FLOPs
            alone, at the same fraction of the peak on every device.
    """
    # FlashAttention works in blocks of 64 to 128 positions. Sequences of usual length have few blocks, so loads overlap
    # little with arithmetic.
    stated, attained = gpu_peaks(device), attained_on(device)
    newer = "float8" in stated.flops_per_s and moved is not None
    share = _OF_FUSED_ATTENTION_ON_HOPPER if newer else _OF_FUSED_ATTENTION
    peak = stated.flops_per_s.get("float16", math.nan) if "tf32" in stated.flops_per_s else math.nan
    loading = np.nan_to_num(0.0 if moved is None else moved) / (attained.memory * (stated.bytes_per_s or math.inf))
    return 1e9 * (flops / (share * peak) + loading)


def fused_single_attention_ns(device: str, flops: Floats) -> Floats:
    """Return the time of each fused attention in single precision on a GPU, ns; NaN if FLOPs or peak are unknown."""
    return 1e9 * flops / (_OF_SINGLE_ATTENTION * gpu_peaks(device).flops_per_s.get("float32", math.nan))
