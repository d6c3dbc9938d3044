"""Fewer bits of floats: by autocast (``amp``), of a whole network (``fp16``, ``bf16``), of products alone (``fp8``)."""

import re
from dataclasses import replace

import numpy as np

from dlbricks.profile.roofs import gpu_peaks
from dlbricks.trace.types import Longs
from dlbricks.units import counted, parse_factor, shortened
from dlbricks.whatif.edit import scaled, with_durations
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind, with_columns
from dlbricks.whatif.launching import least_kernel_ns, with_kernels
from dlbricks.whatif.reached import fused_attention_ns, half_gain, half_gains
from dlbricks.whatif.select import of_name
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.casts import BY_DEVICE, casts, flowing, promoted, with_scaler
from dlbricks.whatif.work import FOUR_BITS, PRODUCTS, KernelClass, Precision, classes, moved_bytes, precisions, shares

_LETTERS = 60
"""Of a kernel's name in a refusal."""
_FLOAT32_KERNELS = re.compile(
    r"layer_?norm|group_?norm|rms_?norm|gammabeta|softmax|nll|loss|::norm|cumsum", re.IGNORECASE
)
"""Run in single precision under autocast, whatever they are given."""
_TENSOR_FLOAT_FACTOR = 2.0
"""Of TF32 kernels: tensor cores multiply halves twice as quickly, and half the bytes move."""
_MOST_HALF = 0.5
"""So much of the time of matrix kernels in half precision means that the graph is so already."""
_BY_BYTES = (KernelClass.NORMALISATION, KernelClass.ELEMENTWISE, KernelClass.REDUCTION, KernelClass.MOVEMENT)
_NO_FLOATS = (KernelClass.EMBEDDING, KernelClass.COLLECTIVE, KernelClass.OTHER)
"""Read whole numbers, or nobody knows what they do."""
_CONVOLVES = re.compile(r"cudnn|conv|winograd|[dw]grad|fprop|implicit_?gemm|miopen|fft", re.IGNORECASE)
_UNKNOWN_DEVICE = 3.0
"""Daydream's factor."""


def _quicker(graph: DependencyGraph, values: Values) -> Floats:
    """Give how many times as quick each task's product gets: as asked, else by device, kind and size (``reached``)."""
    if values["matrix"] != BY_DEVICE:
        return np.full(len(graph), parse_factor(values["matrix"]))
    if half_gain(graph.device) is None:
        return np.full(len(graph), _UNKNOWN_DEVICE)
    convolves, flops = of_name(graph, _CONVOLVES.search), graph.figures("flops")
    made = half_gains(graph.device, flops, moved_bytes(graph), graph.duration_ns, convolves)
    fused = fused_attention_ns(graph.device, np.where(classes(graph) == KernelClass.ATTENTION, flops, np.nan))
    known = ~np.isnan(fused) & (fused > 0)
    made[known] = np.maximum(made[known], graph.duration_ns[known] / fused[known])
    return made


def _kernels(graph: DependencyGraph, *wanted: KernelClass) -> Longs:
    """Give all kernels, or those of some classes."""
    rows = np.flatnonzero(graph.kind == TaskKind.KERNEL)
    return rows[np.isin(classes(graph)[rows], wanted)] if wanted else rows


def _half_already(graph: DependencyGraph, products: Longs) -> str:
    """Say why products cannot become half precision; empty where they can."""
    half = products[precisions(graph)[products] == Precision.HALF]
    time, of_half = (int(graph.duration_ns[rows].sum()) for rows in (products, half))
    if of_half <= _MOST_HALF * time:
        return ""
    shown = shortened(graph.named(int(half[0])), _LETTERS)
    return f"{100 * of_half / time:.0f} % of its matrix time is in half precision already, as in {shown}"


def _mixed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    least = least_kernel_ns(graph)
    named = of_name(graph, _FLOAT32_KERNELS.search) & (graph.phase != Phase.UPDATE)
    single = np.intersect1d(np.flatnonzero(named), _kernels(graph, KernelClass.NORMALISATION, KernelClass.REDUCTION))
    passed = np.setdiff1d(np.flatnonzero(flowing(graph, named)), single)
    quicker = with_durations(graph, *_mixed_times_ns(graph, values, least, (single, passed)))
    cast = with_kernels(quicker, casts(quicker, values, (single, passed), least)).graph
    made = with_scaler(cast, values, least) if values["dtype"] == "float16" else cast
    unknown = len(_kernels(graph, KernelClass.OTHER))
    note = f"amp leaves {counted(unknown, 'kernel')} as they were: what they do is not known"
    return with_columns(made, note) if unknown else made


def _mixed_times_ns(
    graph: DependencyGraph, values: Values, least: int, single: tuple[Longs, Longs]
) -> tuple[Longs, Floats]:
    """Give the kernels that get quicker, and what they then take."""
    by_class, precision = classes(graph), precisions(graph)
    factors = np.ones(len(graph))
    products = np.isin(by_class, PRODUCTS)
    factors[products] = _quicker(graph, values)[products]
    tensor_float = products & (precision == Precision.TENSOR_FLOAT)
    factors[tensor_float] = np.minimum(factors[tensor_float], _TENSOR_FLOAT_FACTOR)
    by_bytes = np.isin(by_class, _BY_BYTES)
    factors[by_bytes] = values["bytes"]
    back = by_bytes & (graph.phase == Phase.BACKWARD)
    factors[back] = _backward_factor(graph, values, by_bytes, single)
    factors[np.concatenate(single)] = factors[promoted(graph)] = 1
    factors[(precision == Precision.HALF) | (graph.phase == Phase.UPDATE)] = 1
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & (factors != 1))
    before = graph.duration_ns[rows]
    after = np.maximum(before / factors[rows], _memory_bound_ns(graph)[rows])
    # a kernel does not get quicker than the quickest, nor slower than it was
    return rows, np.minimum(np.maximum(after, least), before)


def _backward_factor(graph: DependencyGraph, values: Values, by_bytes: Mask, single: tuple[Longs, Longs]) -> float:
    """Give how many times as quick other passes go back: as much of them is in single precision as of those ahead."""
    named, passed = single
    rows = np.setdiff1d(np.flatnonzero(by_bytes & (graph.phase == Phase.FORWARD)), named)
    took = int(graph.duration_ns[rows].sum())
    kept = int(graph.duration_ns[np.intersect1d(rows, passed)].sum()) / took if took else 0.0
    return float(1 / (kept + (1 - kept) / values["bytes"]))


def _memory_bound_ns(graph: DependencyGraph) -> Floats:
    """Give what it takes to move half the bytes of each kernel, where bytes are known; 0 elsewhere."""
    moved = graph.figures("read_bytes") + graph.figures("written_bytes")
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & ~np.isnan(moved) & (graph.duration_ns > 0))
    best = float((moved[rows] / graph.duration_ns[rows]).max(initial=0))
    return np.nan_to_num(moved / 2 / best) if best else np.zeros(len(graph))


def _cannot_mix(graph: DependencyGraph, values: Values) -> str:
    products = _kernels(graph, KernelClass.MATRIX)
    if not len(products):
        return "it has no kernel that multiplies matrices"
    reason = _half_already(graph, products)
    if not reason and values["dtype"] not in {"float16", "bfloat16"}:
        reason = f"'{values['dtype']}' is no half precision: write float16 or bfloat16"
    if not reason and values["dtype"] == "bfloat16" and _no_bfloat16(graph):
        reason = f"{graph.device} multiplies no bfloat16: ask for float16"
    return reason


def _mixed_wrong(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    """Updates of parameters take what they took, and no kernel takes longer."""
    was = _kernels(before)
    known = np.isin(after.names, before.names)[after.task_name]
    kept = np.flatnonzero(known & (after.kind == TaskKind.KERNEL))
    if len(kept) != len(was):
        return "kernels are gone"
    change = after.duration_ns[kept] - before.duration_ns[was]
    if change[before.phase[was] == Phase.UPDATE].any():
        return "the update of the parameters has changed"
    return "a kernel takes longer than before" if (change > 0).any() else ""


AMP = Transform(
    name="amp",
    title="Automatic mixed precision: half precision for products of matrices, single for parameters.",
    source="Daydream (USENIX ATC 2020, section 5.1), per class of kernels as PyTorch's autocast treats them",
    apply=_mixed,
    parameters=(
        Parameter(
            "matrix",
            "text",
            "how many times quicker products of matrices are, TF32 ones at most 2; auto: as they are on the device",
            BY_DEVICE,
        ),
        Parameter("bytes", "factor", "how many times quicker memory-bound kernels are", "2x"),
        Parameter(
            "memory", "text", "bandwidth of memory, for casts, as in 600GB/s; auto: what the device reaches", BY_DEVICE
        ),
        Parameter("dtype", "text", "float16, which scales the loss, or bfloat16", "float16"),
    ),
    requires=_cannot_mix,
    ensures=_mixed_wrong,
)
"""Class by class (``work``), where Daydream has 3 and 2 for all:

- Products of matrices and attention by ``matrix``: the ratio of what they reach in half and in single precision
  (``reached``), 1 on devices that multiply no halves; TF32 ones by 2 at most, as they are on tensor cores already;
  those of which bytes are known not below the time to move half of them at the best rate seen in the graph.
- Fused attention takes what FlashAttention would, which is there for halves only, where that is less.
- Elementwise kernels, batch normalisation, reductions, copies by ``bytes``. Layer normalisation, softmax, losses,
  powers, exponentials and sums stay in single precision under autocast, and so does what follows them up to the next
  product, with a cast for each product that reads it; of what goes back as much stays single. So do sums where there is
  layer normalisation: one of their operands is single.
- Nothing gets quicker than the quickest kernels of the graph: small ones are not limited by bytes.
- The update and optimisers stay. With float16 gradients are unscaled before it, and the host waits to learn whether
  they are finite. Gradients and so collectives stay in single precision.
- Weights are cast once in a step and their gradients back, each with a launch; sizes are those of the weights or of all
  gradients where these are known.

Not modelled: layouts that tensor cores want and that convolutions convert to; less memory used. Kernels that no pattern
knows keep their time.
"""


def _halved(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Divide the arithmetic of products by ``matrix`` and all memory by ``bytes``; what is fixed stays, and the host.

    Copies between host and device halve where ``copies`` says so. Kernels that compute in halves already, lookups and
    unknown kernels keep their times.
    """
    rows = _kernels(graph)
    precision = precisions(graph)[rows]
    matrix = 1 / _quicker(graph, values)[rows]
    tensor_float = precision == Precision.TENSOR_FLOAT
    matrix[tensor_float] = np.maximum(matrix[tensor_float], 1 / _TENSOR_FLOAT_FACTOR)
    memory = np.full(len(rows), 1 / values["bytes"])
    stays = np.isin(classes(graph)[rows], _NO_FLOATS) | (precision == Precision.HALF)
    matrix[stays] = memory[stays] = 1.0
    made = with_durations(graph, rows, shares(graph, rows).times_ns(matrix, memory))
    return scaled(made, np.flatnonzero(graph.kind == TaskKind.COPY), 0.5) if values["copies"] == "half" else made


def _cannot_halve(graph: DependencyGraph, values: Values) -> str:
    if not len(_kernels(graph)):
        return "it has no kernels: processors convert halves to single precision, which gains nothing"
    if (graph.phase == Phase.BACKWARD).any():
        return "it has a backward pass, so it is training: ask amp"
    if values["copies"] not in ("half", "same"):
        return f"'{values['copies']}' says nothing of copies: write half or same"
    return _half_already(graph, _kernels(graph, *PRODUCTS))


FP16 = Transform(
    name="fp16",
    title="The whole network in half precision.",
    source="Daydream's 3 and 2 (USENIX ATC 2020, section 5.1) for the parts of kernels that are arithmetic and memory",
    apply=_halved,
    parameters=(
        Parameter(
            "matrix",
            "text",
            "how many times as quick the arithmetic of products is, TF32 ones at most 2; auto: as on the device",
            BY_DEVICE,
        ),
        Parameter("bytes", "factor", "how many times as quick memory is", "2x"),
        Parameter("copies", "text", "half or same: what copies from and to the host take", "same"),
    ),
    requires=_cannot_halve,
    ensures=lambda before, after, _: (
        "" if (after.duration_ns <= before.duration_ns).all() else "a task takes longer than before"
    ),
)

BF16 = replace(
    FP16,
    name="bf16",
    title="The whole network in bfloat16.",
    requires=lambda graph, values: _no_bfloat16(graph) or _cannot_halve(graph, values),
)


def _no_bfloat16(graph: DependencyGraph) -> str:
    stated = gpu_peaks(graph.device).flops_per_s
    return f"{graph.device} multiplies no bfloat16: ask fp16" if stated and "bfloat16" not in stated else ""


def _in_eight_bits(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Quicken products only: their arithmetic by ``matrix`` of half precision, their bytes by two; the rest stays."""
    rows = _kernels(graph)
    precision = precisions(graph)[rows]
    half = precision == Precision.HALF
    arithmetic = 1 / (values["matrix"] * np.where(half, 1.0, _quicker(graph, {"matrix": BY_DEVICE})[rows]))
    memory = np.where(half, 0.5, 0.25)
    stays = (precision == Precision.EIGHT) | (classes(graph)[rows] != KernelClass.MATRIX)
    stays |= of_name(graph, FOUR_BITS.search)[rows]
    arithmetic[stays] = memory[stays] = 1.0
    return with_durations(graph, rows, shares(graph, rows).times_ns(arithmetic, memory))


def _cannot_eight(graph: DependencyGraph, _values: Values) -> str:
    products = _kernels(graph, KernelClass.MATRIX)
    if not len(products):
        return "it has no kernel that multiplies matrices"
    stated = gpu_peaks(graph.device).flops_per_s
    if stated and "float8" not in stated:
        return f"{graph.device} multiplies no floats of eight bits"
    eight = (precisions(graph) == Precision.EIGHT) | of_name(graph, FOUR_BITS.search)
    done = int(graph.duration_ns[products[eight[products]]].sum())
    return (
        "its products are in eight bits or fewer already" if 2 * done > int(graph.duration_ns[products].sum()) else ""
    )


FP8 = Transform(
    name="fp8",
    title="Products of matrices on floats of eight bits, all else as it is.",
    source="roofline of each product (CACM 52(4), 2009); data sheets state twice the rate of half precision",
    apply=_in_eight_bits,
    parameters=(Parameter("matrix", "factor", "how many times as quick as in half precision arithmetic is", "1.6x"),),
    requires=_cannot_eight,
    ensures=FP16.ensures,
)
"""Kernels that quantise are taken to be fused into what makes their input; attention stays as it is."""
