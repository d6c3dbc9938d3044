"""Kernels in other number formats: half precision (``fp16``, ``bf16``), and ``fp8``.

A kernel gets shorter by what a format changes: the arithmetic of products by what the device attains in the format
(``efficiency_by_gpu``), memory time by the size of a value. What a kernel takes besides stays.
"""

from dataclasses import replace

import numpy as np

from dlbricks.profile.gpus import gpu_peaks
from dlbricks.trace.types import Longs
from dlbricks.trace.work_classes import FOUR_BITS, KernelClass, Precision
from dlbricks.units import shortened
from dlbricks.whatif.edit import NewKernel, least_kernel_ns, with_durations, with_kernels
from dlbricks.whatif.efficiency_by_gpu import attained_on, memory_rate
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind
from dlbricks.whatif.half_precision_kernels import (
    own_norm_factors,
    product_gains,
    saving_bytes_only,
    with_half_kernels_only,
)
from dlbricks.whatif.select import of_name, one_of_each_layer
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.work import PRODUCTS, classes, kernels_of, moved_bytes, precisions, shares

# Characters of a kernel name in a message.
_LETTERS = 60
# Share of matrix time in a format above which the graph counts as converted already.
_MOST = 0.5
# Classes with integer data or unknown work.
_NO_FLOATS = (KernelClass.EMBEDDING, KernelClass.COLLECTIVE, KernelClass.OTHER)
NO_PRODUCTS = "it has no kernel that multiplies matrices"


def half_already(graph: DependencyGraph, products: Longs) -> str:
    """Return why products cannot be converted to half precision, or an empty string."""
    half = products[precisions(graph)[products] == Precision.HALF]
    time, of_half = (int(graph.duration_ns[rows].sum()) for rows in (products, half))
    if of_half <= _MOST * time:
        return ""
    example = shortened(graph.named(int(half[0])), _LETTERS)
    return f"{100 * of_half / time:.0f} % of its matrix time is in half precision already, as in {example}"


def no_bfloat16(graph: DependencyGraph) -> str:
    """Return why a graph cannot be converted to bfloat16, or an empty string."""
    stated = gpu_peaks(graph.device).flops_per_s
    return f"{graph.device} does not support bfloat16: use float16" if stated and "bfloat16" not in stated else ""


def quickened_ns(graph: DependencyGraph, rows: Longs, gains: Floats) -> Floats:
    """Return the times of kernels that get faster by ``gains``, ns.

    None is shorter than half of its bytes at the highest rate in the graph, or than a minimal kernel.
    """
    own = graph.duration_ns[rows]
    times: Floats = np.minimum(
        np.maximum(np.maximum(own / gains, _half_bytes_ns(graph)[rows]), least_kernel_ns(graph)), own
    )
    return times


def _half_bytes_ns(graph: DependencyGraph) -> Floats:
    """Return the time to move half the bytes of each kernel, ns; 0 if its bytes are unknown."""
    moved = moved_bytes(graph)
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & ~np.isnan(moved) & (graph.duration_ns > 0))
    best = float((moved[rows] / graph.duration_ns[rows]).max(initial=0))
    return np.nan_to_num(moved / 2 / best) if best else np.zeros(len(graph))


def saved_bytes_ns(graph: DependencyGraph, factors: Floats | float) -> Floats:
    """Return the time of each kernel with its bytes divided by ``factors``, at the attained bandwidth; 0 if unknown.

    What a kernel takes longer than its bytes need is not due to them, and stays.
    """
    moved_ns = moved_bytes(graph) / memory_rate(graph.device) * 1e9
    saved = (1 - 1 / factors) * np.minimum(moved_ns, graph.duration_ns)
    sized = ~np.isnan(moved_ns) & (gpu_peaks(graph.device).bytes_per_s is not None)
    return np.where(sized, graph.duration_ns - np.nan_to_num(saved), 0.0)


def _halved(graph: DependencyGraph, _: Values) -> DependencyGraph:
    """Shorten products by what the device attains, and memory time to half; fixed parts and host are kept."""
    # Kernels in half precision, embeddings and unclassified kernels keep their times.
    graph = with_half_kernels_only(graph)
    rows = kernels_of(graph)
    kinds, few = classes(graph)[rows], saving_bytes_only(graph)[rows]
    stays = np.isin(kinds, _NO_FLOATS) | (precisions(graph)[rows] == Precision.HALF)
    gains = np.where(stays, 1.0, product_gains(graph)[rows])
    times = shares(graph, rows).times_ns(1 / gains, np.where(stays, 1.0, 0.5))
    sized = ~np.isnan((graph.figures("flops") + moved_bytes(graph))[rows])
    products = (kinds == KernelClass.MATRIX) & sized & ~few & ~stays
    times = np.where(products, quickened_ns(graph, rows, gains), times)
    by_bytes = (~np.isin(kinds, PRODUCTS) | few) & ~stays
    times = np.where(by_bytes, np.maximum(times, saved_bytes_ns(graph, 2.0)[rows]), times)
    norm = own_norm_factors(graph)[rows]
    return with_durations(graph, rows, np.where(np.isnan(norm), times, graph.duration_ns[rows] * norm))


def _cannot_halve(graph: DependencyGraph, _: Values) -> str:
    if not len(kernels_of(graph)):
        return "it has no device kernels: processors convert half precision to single, without a gain"
    if (graph.phase == Phase.BACKWARD).any():
        return "it has a backward pass: use amp for training"
    return half_already(graph, kernels_of(graph, *PRODUCTS))


def _longer(before: DependencyGraph, after: DependencyGraph, _: Values) -> str:
    """Check that no task takes longer than before."""
    shorter = after.duration_ns <= with_half_kernels_only(before).duration_ns
    return "" if shorter.all() else "a task takes longer than before"


FP16 = Transform(
    name="fp16",
    title="The whole network in half precision.",
    source="Daydream (USENIX ATC 2020, section 5.1): products by what the device attains, all else by its bytes",
    apply=_halved,
    requires=_cannot_halve,
    ensures=_longer,
)
BF16 = replace(
    FP16,
    name="bf16",
    title="The whole network in bfloat16.",
    requires=lambda graph, values: no_bfloat16(graph) or _cannot_halve(graph, values),
)

# No product of PyTorch reads half precision and multiplies in eight bits, so a kernel of its own before each linear
# layer writes the inputs in eight bits (``torch._scaled_mm`` in plain PyTorch, ``scaled_fp8_quant`` in vLLM).
# torch.compile, TensorRT, and Transformer Engine behind a normalisation fuse it into the kernel that writes the values.
_NAME = "quantisation of activations"
_SEPARATE, _FUSED = "separate", "fused"
# Bytes that take as long to write as one value in eight bits: PyTorch converts by integer arithmetic, and stores
# single bytes. Measured on an H200: 0.98 ns for 1,000 values of half precision, and a minimal kernel.
_WRITTEN = 2
# Speed-up of the arithmetic of products over half precision.
_EIGHT_BITS_FACTOR = 1.6


def _in_eight_bits(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = _converted(graph)
    quicker = with_durations(graph, rows, _eight_bits_ns(graph, rows))
    return with_kernels(quicker, _casts(graph, rows)).graph if values["quantise"] == _SEPARATE else quicker


def _is_smaller(graph: DependencyGraph, rows: Longs) -> Mask:
    """Return a mask of the products with operands of eight or four bits."""
    smaller: Mask = (precisions(graph)[rows] == Precision.EIGHT) | of_name(graph, FOUR_BITS.search)[rows]
    return smaller


def _converted(graph: DependencyGraph) -> Longs:
    """Return the products to convert: those by weights, or all where no weights are known."""
    rows: Longs = kernels_of(graph, KernelClass.MATRIX)
    rows = rows[~_is_smaller(graph, rows)]
    held = graph.figures("parameter_bytes")[rows] > 0
    return rows[held] if held.any() else rows


def _eight_bits_ns(graph: DependencyGraph, rows: Longs) -> Floats:
    """Return the times of products in eight bits, ns."""
    # If operations, bytes and the peaks of the device are known, a product loses the difference between what it needs
    # in half precision and in eight bits. Otherwise its arithmetic gets faster, and its memory time by the size of the
    # type.
    half = precisions(graph)[rows] == Precision.HALF
    gains = np.where(half, 1.0, product_gains(graph)[rows])
    every = kernels_of(graph)
    arithmetic, memory = np.ones(len(graph)), np.ones(len(graph))
    arithmetic[rows], memory[rows] = 1 / (_EIGHT_BITS_FACTOR * gains), np.where(half, 0.5, 0.25)
    split = shares(graph, every).times_ns(arithmetic[every], memory[every])[np.searchsorted(every, rows)]
    stated = gpu_peaks(graph.device)
    peak = stated.flops_per_s.get("float16")
    if peak is None or stated.bytes_per_s is None:
        return split
    own = np.where(half, graph.duration_ns[rows], quickened_ns(graph, rows, gains))
    read, written = (graph.figures(key)[rows] * np.where(half, 1.0, 0.5) for key in ("read_bytes", "written_bytes"))
    needed = graph.figures("flops")[rows] / (peak * attained_on(graph.device).tensor) * 1e9
    bytes_per_ns = memory_rate(graph.device) / 1e9
    before = np.maximum(needed, (read + written) / bytes_per_ns)
    needs = np.maximum(needed / _EIGHT_BITS_FACTOR, (read / 2 + written) / bytes_per_ns)
    by_roof = own - np.minimum(before, own) * (1 - needs / before)
    times: Floats = np.where(np.isnan(by_roof), split, by_roof)
    return times


def _casts(graph: DependencyGraph, rows: Longs) -> list[NewKernel]:
    """Return the kernels that convert the inputs of layers; minimal ones where sizes are unknown."""
    width = np.where(precisions(graph) == Precision.HALF, 2, 4)
    nbytes = np.nan_to_num(graph.figures("read_bytes") - graph.figures("parameter_bytes"))
    times = nbytes * (1 + _WRITTEN / width) / (memory_rate(graph.device) / 1e9)
    least = least_kernel_ns(graph)
    return [
        NewKernel(name=_NAME, duration_ns=least + round(times[row]), next_to=row, before=True)
        for row in one_of_each_layer(graph, rows).tolist()
    ]


def _cannot_eight(graph: DependencyGraph, values: Values) -> str:
    if values["quantise"] not in {_SEPARATE, _FUSED}:
        return f"unknown value '{values['quantise']}' of quantise: give {_SEPARATE} or {_FUSED}"
    products = kernels_of(graph, KernelClass.MATRIX)
    if not len(products):
        return NO_PRODUCTS
    if (graph.phase == Phase.BACKWARD).any():
        return "it has a backward pass: use amp for training"
    stated = gpu_peaks(graph.device).flops_per_s
    if stated and "float8" not in stated:
        return f"{graph.device} does not support 8-bit floating point"
    times = graph.duration_ns[products]
    done = int(times[_is_smaller(graph, products)].sum()) > _MOST * int(times.sum())
    return "its products have 8-bit or smaller operands already" if done else ""


def _slower(before: DependencyGraph, after: DependencyGraph, _: Values) -> str:
    """Check that no kernel takes longer than before."""
    was, now = (
        graph.duration_ns[(graph.kind == TaskKind.KERNEL) & ~of_name(graph, _NAME.__eq__)] for graph in (before, after)
    )
    return "a kernel takes longer than before" if (now > was).any() else ""


FP8 = Transform(
    name="fp8",
    title="8-bit floating point for products by weights.",
    source="roofline of each product (CACM 52(4), 2009); conversion of inputs as in PyTorch without a compiler",
    apply=_in_eight_bits,
    parameters=(
        Parameter(
            "quantise", "text", "separate: kernels of their own convert inputs; fused: those that write them", _SEPARATE
        ),
    ),
    requires=_cannot_eight,
    ensures=_slower,
)
