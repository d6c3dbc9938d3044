"""Half precision of the whole network (``fp16``, ``bf16``)."""

from dataclasses import replace

import numpy as np

from dlbricks.profile.gpus import gpu_peaks
from dlbricks.trace.types import Longs
from dlbricks.trace.work_classes import KernelClass, Precision
from dlbricks.units import shortened
from dlbricks.whatif.edit import scaled, with_durations
from dlbricks.whatif.efficiency_by_gpu import BY_DEVICE
from dlbricks.whatif.graph import DependencyGraph, Floats, Phase, TaskKind
from dlbricks.whatif.half_precision_kernels import (
    own_norm_factors,
    product_gains,
    saving_bytes_only,
    with_half_kernels_only,
)
from dlbricks.whatif.launching import least_kernel_ns
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.casts import memory_rate
from dlbricks.whatif.work import PRODUCTS, classes, kernels_of, moved_bytes, precisions, shares

TENSOR_FLOAT_FACTOR = 2.0
"""Speed-up of TF32 kernels: twice the rate of tensor cores, half the bytes."""
# Characters of a kernel name in a message.
_LETTERS = 60
# Share of matrix time in half precision above which the graph counts as half precision already.
_MOST_HALF = 0.5
# Classes with integer data or unknown work.
_NO_FLOATS = (KernelClass.EMBEDDING, KernelClass.COLLECTIVE, KernelClass.OTHER)


def half_already(graph: DependencyGraph, products: Longs) -> str:
    """Return why products cannot be converted to half precision, or an empty string."""
    half = products[precisions(graph)[products] == Precision.HALF]
    time, of_half = (int(graph.duration_ns[rows].sum()) for rows in (products, half))
    if of_half <= _MOST_HALF * time:
        return ""
    shown = shortened(graph.named(int(half[0])), _LETTERS)
    return f"{100 * of_half / time:.0f} % of its matrix time is in half precision already, as in {shown}"


def no_bfloat16(graph: DependencyGraph) -> str:
    """Return why a graph cannot be converted to bfloat16, or an empty string."""
    stated = gpu_peaks(graph.device).flops_per_s
    return f"{graph.device} does not support bfloat16: use fp16" if stated and "bfloat16" not in stated else ""


def quickened_ns(graph: DependencyGraph, rows: Longs, gains: Floats) -> Floats:
    """Return the times of kernels that get faster by ``gains``, ns.

    None is shorter than half of its bytes at the highest rate in the graph, or than a minimal kernel.
    """
    own = graph.duration_ns[rows]
    times: Floats = np.minimum(
        np.maximum(np.maximum(own / gains, _half_bytes_ns(graph)[rows]), least_kernel_ns(graph)), own
    )
    return times


def saved_bytes_ns(graph: DependencyGraph, values: Values, factors: Floats) -> Floats:
    """Return the time of each kernel without the bytes that it saves, at the attained bandwidth, ns; 0 if unknown.

    What a kernel takes longer than its bytes need is not due to them, and stays.
    """
    moved_ns = moved_bytes(graph) / memory_rate(graph, values) * 1e9
    saved = (1 - 1 / factors) * np.minimum(moved_ns, graph.duration_ns)
    sized = ~np.isnan(moved_ns) & (gpu_peaks(graph.device).bytes_per_s is not None)
    return np.where(sized, graph.duration_ns - np.nan_to_num(saved), 0.0)


def _half_bytes_ns(graph: DependencyGraph) -> Floats:
    """Return the time to move half the bytes of each kernel, ns; 0 if its bytes are unknown."""
    moved = graph.figures("read_bytes") + graph.figures("written_bytes")
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & ~np.isnan(moved) & (graph.duration_ns > 0))
    best = float((moved[rows] / graph.duration_ns[rows]).max(initial=0))
    return np.nan_to_num(moved / 2 / best) if best else np.zeros(len(graph))


def _halved(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Divide products by ``matrix`` and all memory time by ``bytes``; fixed parts and host are kept.

    Of products without known sizes, only the arithmetic gets faster by ``matrix``. Copies are halved if ``copies`` is
    ``half``. Kernels in half precision, embeddings and unclassified kernels keep their times.
    """
    graph = with_half_kernels_only(graph)
    rows = kernels_of(graph)
    precision = precisions(graph)[rows]
    matrix = 1 / product_gains(graph, values["matrix"])[rows]
    tensor_float = precision == Precision.TENSOR_FLOAT
    matrix[tensor_float] = np.maximum(matrix[tensor_float], 1 / TENSOR_FLOAT_FACTOR)
    memory = np.full(len(rows), 1 / values["bytes"])
    stays = np.isin(classes(graph)[rows], _NO_FLOATS) | (precision == Precision.HALF)
    matrix[stays] = memory[stays] = 1.0
    times = shares(graph, rows).times_ns(matrix, memory)
    few = saving_bytes_only(graph)[rows]
    sized = (
        (classes(graph)[rows] == KernelClass.MATRIX)
        & ~few
        & ~stays
        & ~np.isnan((graph.figures("flops") + moved_bytes(graph))[rows])
    )
    times = np.where(sized, quickened_ns(graph, rows, 1 / matrix), times)
    passing = (~np.isin(classes(graph)[rows], PRODUCTS) | few) & ~stays
    saved = saved_bytes_ns(graph, {"memory": BY_DEVICE}, np.full(len(graph), values["bytes"]))[rows]
    times = np.where(passing, np.maximum(times, saved), times)
    norm = own_norm_factors(graph)[rows]
    times = np.where(np.isnan(norm), times, graph.duration_ns[rows] * norm)
    halved = with_durations(graph, rows, times)
    return scaled(halved, np.flatnonzero(graph.kind == TaskKind.COPY), 0.5) if values["copies"] == "half" else halved


def _cannot_halve(graph: DependencyGraph, values: Values) -> str:
    if not len(kernels_of(graph)):
        return "it has no device kernels: processors convert half precision to single, without a gain"
    if (graph.phase == Phase.BACKWARD).any():
        return "it has a backward pass: use amp for training"
    if values["copies"] not in ("half", "same"):
        return f"'{values['copies']}' is unknown: write half or same for copies"
    return half_already(graph, kernels_of(graph, *PRODUCTS))


def _longer(before: DependencyGraph, after: DependencyGraph) -> str:
    return "" if (after.duration_ns <= before.duration_ns).all() else "a task takes longer than before"


PRODUCT_GAIN = Parameter(
    "matrix", "text", "speed-up of matrix products, at most 2 from TF32; auto: as attained on the device", BY_DEVICE
)

FP16 = Transform(
    name="fp16",
    title="The whole network in half precision.",
    source="Daydream (USENIX ATC 2020, section 5.1): products by what the device attains, all else by its bytes",
    apply=_halved,
    parameters=(
        PRODUCT_GAIN,
        Parameter("bytes", "factor", "speed-up of memory-bound work", "2x"),
        Parameter("copies", "text", "half or same: time of copies from and to the host", "same"),
    ),
    requires=_cannot_halve,
    ensures=lambda before, after, _: _longer(with_half_kernels_only(before), after),
)

BF16 = replace(
    FP16,
    name="bf16",
    title="The whole network in bfloat16.",
    requires=lambda graph, values: no_bfloat16(graph) or _cannot_halve(graph, values),
)
