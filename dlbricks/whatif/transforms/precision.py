"""Lower floating-point precision: mixed (``amp``), whole network (``fp16``, ``bf16``), or products only (``fp8``)."""

import re
from dataclasses import replace

import numpy as np

from dlbricks.profile.gpus import gpu_peaks
from dlbricks.trace.types import Longs
from dlbricks.units import counted, shortened
from dlbricks.whatif.attained import BY_DEVICE
from dlbricks.whatif.edit import removed, scaled, with_durations
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind, with_columns
from dlbricks.whatif.halves import channels_last, conversions, own_norm_factors, product_gains, saving_bytes_only
from dlbricks.whatif.launching import least_kernel_ns, with_kernels
from dlbricks.whatif.select import of_name
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.casts import (
    casts,
    in_single_precision,
    memory_rate,
    single_precision_sums,
    with_scaler,
)
from dlbricks.whatif.work import (
    FOUR_BITS,
    PRODUCTS,
    KernelClass,
    Precision,
    classes,
    kernels_of,
    moved_bytes,
    precisions,
    shares,
)

_LETTERS = 60
"""Characters of a kernel name in a message."""
_FLOAT32_KERNELS = re.compile(
    r"layer_?norm|group_?norm|rms_?norm|gammabeta|softmax|nll|loss|::norm|cumsum", re.IGNORECASE
)
"""Kept in single precision by autocast."""
_TENSOR_FLOAT_FACTOR = 2.0
"""Speed-up of TF32 kernels: twice the rate of tensor cores, half the bytes."""
_MOST_HALF = 0.5
"""Share of matrix time in half precision above which the graph counts as half precision already."""
_BY_BYTES = (KernelClass.NORMALISATION, KernelClass.ELEMENTWISE, KernelClass.REDUCTION, KernelClass.MOVEMENT)
_NO_FLOATS = (KernelClass.EMBEDDING, KernelClass.COLLECTIVE, KernelClass.OTHER)
"""Classes with integer data or unknown work."""


def _half_already(graph: DependencyGraph, products: Longs) -> str:
    """Return why products cannot be converted to half precision, or an empty string."""
    half = products[precisions(graph)[products] == Precision.HALF]
    time, of_half = (int(graph.duration_ns[rows].sum()) for rows in (products, half))
    if of_half <= _MOST_HALF * time:
        return ""
    shown = shortened(graph.named(int(half[0])), _LETTERS)
    return f"{100 * of_half / time:.0f} % of its matrix time is in half precision already, as in {shown}"


def _without_conversions(graph: DependencyGraph) -> DependencyGraph:
    """Remove the conversions of layout that tensor cores do not need, which are those of channels-last networks."""
    return removed(graph, np.flatnonzero(conversions(graph))) if channels_last(graph) else graph


def _mixed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    graph = _without_conversions(graph)
    least = least_kernel_ns(graph)
    named = of_name(graph, _FLOAT32_KERNELS.search) & (graph.phase != Phase.UPDATE)
    single = np.intersect1d(np.flatnonzero(named), kernels_of(graph, KernelClass.NORMALISATION, KernelClass.REDUCTION))
    passed = np.setdiff1d(np.flatnonzero(in_single_precision(graph, named)), single)
    quicker = with_durations(graph, *_mixed_times_ns(graph, values, least, (single, passed)))
    cast = with_kernels(quicker, casts(quicker, values, (single, passed), least)).graph
    made = with_scaler(cast, values, least) if values["dtype"] == "float16" else cast
    unknown = len(kernels_of(graph, KernelClass.OTHER))
    note = f"amp does not change {counted(unknown, 'kernel')} of unknown class"
    return with_columns(made, note) if unknown else made


def _mixed_times_ns(
    graph: DependencyGraph, values: Values, least: int, single: tuple[Longs, Longs]
) -> tuple[Longs, Floats]:
    """Return the kernels that get faster, and their new times."""
    by_class, precision = classes(graph), precisions(graph)
    factors = np.ones(len(graph))
    products = np.isin(by_class, PRODUCTS)
    factors[products] = product_gains(graph, values["matrix"])[products]
    tensor_float = products & (precision == Precision.TENSOR_FLOAT)
    factors[tensor_float] = np.minimum(factors[tensor_float], _TENSOR_FLOAT_FACTOR)
    by_bytes = np.isin(by_class, _BY_BYTES)
    few = saving_bytes_only(graph)
    factors[by_bytes] = values["bytes"]
    back = by_bytes & (graph.phase == Phase.BACKWARD)
    factors[back] = _backward_factor(graph, values, by_bytes, single)
    factors[np.concatenate(single)] = factors[single_precision_sums(graph)] = 1
    factors[few] = values["bytes"]
    factors[(precision == Precision.HALF) | (graph.phase == Phase.UPDATE)] = 1
    by_bytes |= few
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & (factors != 1))
    before = graph.duration_ns[rows]
    after = np.maximum(before / factors[rows], _half_bytes_ns(graph)[rows])
    after = np.where(by_bytes[rows], np.maximum(after, _saved_bytes_ns(graph, values, factors)[rows]), after)
    # not faster than a minimal kernel, and not slower than before
    times = graph.duration_ns.astype(np.float64)
    times[rows] = np.minimum(np.maximum(after, least), before)
    replaced = own_norm_factors(graph) if values["dtype"] == "bfloat16" else np.full(len(graph), np.nan)
    own = np.flatnonzero(~np.isnan(replaced))
    times[own] = graph.duration_ns[own] * replaced[own]
    rows = np.union1d(rows, own)
    return rows, times[rows]


def _backward_factor(graph: DependencyGraph, values: Values, by_bytes: Mask, single: tuple[Longs, Longs]) -> float:
    """Return the speed-up of other backward kernels: the same share is in single precision as in the forward pass."""
    named, passed = single
    rows = np.setdiff1d(np.flatnonzero(by_bytes & (graph.phase == Phase.FORWARD)), named)
    took = int(graph.duration_ns[rows].sum())
    kept = int(graph.duration_ns[np.intersect1d(rows, passed)].sum()) / took if took else 0.0
    return float(1 / (kept + (1 - kept) / values["bytes"]))


def _half_bytes_ns(graph: DependencyGraph) -> Floats:
    """Return the time to move half the bytes of each kernel, ns; 0 if its bytes are unknown."""
    moved = graph.figures("read_bytes") + graph.figures("written_bytes")
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & ~np.isnan(moved) & (graph.duration_ns > 0))
    best = float((moved[rows] / graph.duration_ns[rows]).max(initial=0))
    return np.nan_to_num(moved / 2 / best) if best else np.zeros(len(graph))


def _saved_bytes_ns(graph: DependencyGraph, values: Values, factors: Floats) -> Floats:
    """Return the time of each kernel without the bytes that it saves, at the attained bandwidth, ns; 0 if unknown.

    What a kernel takes longer than its bytes need is not due to them, and stays.
    """
    moved_ns = moved_bytes(graph) / memory_rate(graph, values) * 1e9
    saved = (1 - 1 / factors) * np.minimum(moved_ns, graph.duration_ns)
    known = ~np.isnan(moved_ns) & (gpu_peaks(graph.device).bytes_per_s is not None)
    return np.where(known, graph.duration_ns - np.nan_to_num(saved), 0.0)


def _cannot_mix(graph: DependencyGraph, values: Values) -> str:
    products = kernels_of(graph, KernelClass.MATRIX)
    if not len(products):
        return "it has no kernel that multiplies matrices"
    reason = _half_already(graph, products)
    if not reason and values["dtype"] not in {"float16", "bfloat16"}:
        reason = f"'{values['dtype']}' is not a half precision type: write float16 or bfloat16"
    if not reason and values["dtype"] == "bfloat16" and _no_bfloat16(graph):
        reason = f"{graph.device} does not support bfloat16: use float16"
    return reason


def _mixed_wrong(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    """Check that parameter updates keep their time and no kernel but batch normalisation gets slower."""
    before = _without_conversions(before)
    was = kernels_of(before)
    known = np.isin(after.names, before.names)[after.task_name]
    kept = np.flatnonzero(known & (after.kind == TaskKind.KERNEL))
    if len(kept) != len(was):
        return "kernels are gone"
    change = after.duration_ns[kept] - before.duration_ns[was]
    if change[before.phase[was] == Phase.UPDATE].any():
        return "the update of the parameters has changed"
    longer = (change > 0) & np.isnan(own_norm_factors(before)[was])
    return "a kernel takes longer than before" if longer.any() else ""


AMP = Transform(
    name="amp",
    title="Automatic mixed precision: half precision for matrix products, single for parameters.",
    source="Daydream (USENIX ATC 2020, section 5.1), with the kernel classes of PyTorch's autocast",
    apply=_mixed,
    parameters=(
        Parameter(
            "matrix",
            "text",
            "speed-up of matrix products, at most 2 from TF32; auto: as attained on the device",
            BY_DEVICE,
        ),
        Parameter("bytes", "factor", "speed-up of memory-bound kernels", "2x"),
        Parameter(
            "memory", "text", "memory bandwidth for casts, as in 600GB/s; auto: as attained on the device", BY_DEVICE
        ),
        Parameter("dtype", "text", "float16 (with loss scaling) or bfloat16", "float16"),
    ),
    requires=_cannot_mix,
    ensures=_mixed_wrong,
)
"""By class of work, where Daydream uses factors 3 and 2:

- Matrix products and attention get faster by ``matrix``: the ratio of attained rates in half and single precision
  (``attained``), 1 on devices without half precision, at most 2 from TF32. If bytes are known, not below the time to
  move half of them at the highest rate in the graph.
- Fused attention takes the time of FlashAttention, which needs half precision, if that is less.
- Elementwise kernels, batch normalisation, reductions and copies get faster by ``bytes``; if their bytes and the device
  are known, only the time that the memory needs for the bytes does. Layer normalisation, softmax,
  losses, powers, exponentials and sums stay in single precision, and so do the kernels after them up to the next
  product, with a cast per product that reads them; the same share of backward kernels stays. So do additions in
  networks with layer normalisation, because one operand is in single precision.
- Convolutions with few operations per byte, such as depthwise ones, save bytes only.
- With bfloat16, batch normalisation in the plain layout takes the time of PyTorch's own kernels, which is longer.
- Conversions of layout are gone from networks in the channels-last layout.
- No kernel gets faster than the fastest kernels of the graph.
- Parameter updates, gradients and collectives are unchanged. With float16, gradients are unscaled before the update,
  and the host waits for the check that they are finite.
- Weights are cast once per step and their gradients back, each with a launch, if their sizes are known.

Not modelled: launches of layout conversions, less memory use. Unclassified kernels keep their times.
"""


def _halved(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Divide the arithmetic of products by ``matrix`` and all memory time by ``bytes``; fixed parts and host are kept.

    Copies are halved if ``copies`` is ``half``. Kernels in half precision, embeddings and unclassified kernels keep
    their times.
    """
    graph = _without_conversions(graph)
    rows = kernels_of(graph)
    precision = precisions(graph)[rows]
    matrix = 1 / product_gains(graph, values["matrix"])[rows]
    tensor_float = precision == Precision.TENSOR_FLOAT
    matrix[tensor_float] = np.maximum(matrix[tensor_float], 1 / _TENSOR_FLOAT_FACTOR)
    memory = np.full(len(rows), 1 / values["bytes"])
    stays = np.isin(classes(graph)[rows], _NO_FLOATS) | (precision == Precision.HALF)
    matrix[stays] = memory[stays] = 1.0
    times = shares(graph, rows).times_ns(matrix, memory)
    passing = (~np.isin(classes(graph), PRODUCTS) | saving_bytes_only(graph))[rows] & ~stays
    saved = _saved_bytes_ns(graph, {"memory": BY_DEVICE}, np.full(len(graph), values["bytes"]))[rows]
    times = np.where(passing, np.maximum(times, saved), times)
    norm = own_norm_factors(graph)[rows]
    times = np.where(np.isnan(norm), times, graph.duration_ns[rows] * norm)
    made = with_durations(graph, rows, times)
    return scaled(made, np.flatnonzero(graph.kind == TaskKind.COPY), 0.5) if values["copies"] == "half" else made


def _cannot_halve(graph: DependencyGraph, values: Values) -> str:
    if not len(kernels_of(graph)):
        return "it has no device kernels: processors convert half precision to single, without a gain"
    if (graph.phase == Phase.BACKWARD).any():
        return "it has a backward pass: use amp for training"
    if values["copies"] not in ("half", "same"):
        return f"'{values['copies']}' is unknown: write half or same for copies"
    return _half_already(graph, kernels_of(graph, *PRODUCTS))


def _longer(before: DependencyGraph, after: DependencyGraph) -> str:
    return "" if (after.duration_ns <= before.duration_ns).all() else "a task takes longer than before"


FP16 = Transform(
    name="fp16",
    title="The whole network in half precision.",
    source="factors 3 and 2 of Daydream (USENIX ATC 2020, section 5.1), applied to arithmetic and memory parts",
    apply=_halved,
    parameters=(
        Parameter(
            "matrix",
            "text",
            "speed-up of the arithmetic of products, at most 2 from TF32; auto: as attained on the device",
            BY_DEVICE,
        ),
        Parameter("bytes", "factor", "speed-up of memory-bound work", "2x"),
        Parameter("copies", "text", "half or same: time of copies from and to the host", "same"),
    ),
    requires=_cannot_halve,
    ensures=lambda before, after, _: _longer(_without_conversions(before), after),
)

BF16 = replace(
    FP16,
    name="bf16",
    title="The whole network in bfloat16.",
    requires=lambda graph, values: _no_bfloat16(graph) or _cannot_halve(graph, values),
)


def _no_bfloat16(graph: DependencyGraph) -> str:
    stated = gpu_peaks(graph.device).flops_per_s
    return f"{graph.device} does not support bfloat16: use fp16" if stated and "bfloat16" not in stated else ""


def _in_eight_bits(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Speed up matrix products only: arithmetic by ``matrix`` beyond half precision, memory by the size of the type."""
    rows = kernels_of(graph)
    precision = precisions(graph)[rows]
    half = precision == Precision.HALF
    arithmetic = 1 / (values["matrix"] * np.where(half, 1.0, product_gains(graph, BY_DEVICE)[rows]))
    memory = np.where(half, 0.5, 0.25)
    stays = (precision == Precision.EIGHT) | (classes(graph)[rows] != KernelClass.MATRIX)
    stays |= of_name(graph, FOUR_BITS.search)[rows]
    arithmetic[stays] = memory[stays] = 1.0
    return with_durations(graph, rows, shares(graph, rows).times_ns(arithmetic, memory))


def _cannot_eight(graph: DependencyGraph, _values: Values) -> str:
    products = kernels_of(graph, KernelClass.MATRIX)
    if not len(products):
        return "it has no kernel that multiplies matrices"
    stated = gpu_peaks(graph.device).flops_per_s
    if stated and "float8" not in stated:
        return f"{graph.device} does not support 8-bit floating point"
    eight = (precisions(graph) == Precision.EIGHT) | of_name(graph, FOUR_BITS.search)
    done = int(graph.duration_ns[products[eight[products]]].sum())
    return (
        "its products have 8-bit or smaller operands already"
        if 2 * done > int(graph.duration_ns[products].sum())
        else ""
    )


FP8 = Transform(
    name="fp8",
    title="8-bit floating point for matrix products only.",
    source="roofline of each product (CACM 52(4), 2009); twice the rate of half precision by data sheet",
    apply=_in_eight_bits,
    parameters=(Parameter("matrix", "factor", "speed-up of arithmetic over half precision", "1.6x"),),
    requires=_cannot_eight,
    ensures=lambda before, after, _: _longer(before, after),
)
"""Quantisation is assumed to be fused into the kernels that write the inputs; attention is unchanged."""
