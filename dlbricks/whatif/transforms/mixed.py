"""Automatic mixed precision (``amp``): matrix products in half precision, parameters in single."""

import re

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.trace.work_classes import KernelClass, Precision
from dlbricks.units import counted
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.efficiency_by_gpu import BY_DEVICE
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind, with_columns
from dlbricks.whatif.half_precision_kernels import (
    own_norm_factors,
    product_gains,
    saving_bytes_only,
    with_half_kernels_only,
)
from dlbricks.whatif.launching import least_kernel_ns, with_kernels
from dlbricks.whatif.select import of_layer, of_name
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.casts import casts, in_products, in_single_precision, single_precision_sums, with_scaler
from dlbricks.whatif.transforms.precision import (
    PRODUCT_GAIN,
    TENSOR_FLOAT_FACTOR,
    half_already,
    no_bfloat16,
    quickened_ns,
    saved_bytes_ns,
)
from dlbricks.whatif.work import PRODUCTS, classes, kernels_of, precisions

# Kept in single precision by autocast.
_FLOAT32_KERNELS = re.compile(
    r"layer_?norm|group_?norm|rms_?norm|gammabeta|softmax|nll|loss|::norm|cumsum", re.IGNORECASE
)
# Operators kept in single precision as a whole.
_FLOAT32_LAYERS = re.compile(r"(?<!batch_)(layer_?norm|group_?norm)|softmax|cross_entropy|nll_?loss", re.IGNORECASE)
_BY_BYTES = (KernelClass.NORMALISATION, KernelClass.ELEMENTWISE, KernelClass.REDUCTION, KernelClass.MOVEMENT)


def _mixed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    graph = with_half_kernels_only(graph)
    least = least_kernel_ns(graph)
    named = of_name(graph, _FLOAT32_KERNELS.search) | of_layer(graph, _FLOAT32_LAYERS.search)
    named &= (graph.kind == TaskKind.KERNEL) & (graph.phase != Phase.UPDATE) & ~in_products(graph)
    single = np.flatnonzero(named & ~np.isin(classes(graph), PRODUCTS))
    in_single = in_single_precision(graph, named)
    passed = np.setdiff1d(np.flatnonzero(in_single), single)
    quicker = with_durations(graph, *_mixed_times_ns(graph, values, (single, passed)))
    cast = with_kernels(quicker, casts(quicker, values, named, in_single, least)).graph
    scaled = with_scaler(cast, values, least) if values["dtype"] == "float16" else cast
    unknown = len(kernels_of(graph, KernelClass.OTHER))
    note = f"amp does not change {counted(unknown, 'kernel')} of unknown class"
    return with_columns(scaled, note) if unknown else scaled


def _mixed_times_ns(graph: DependencyGraph, values: Values, single: tuple[Longs, Longs]) -> tuple[Longs, Floats]:
    """Return the kernels that get faster, and their new times."""
    by_class, precision = classes(graph), precisions(graph)
    factors = np.ones(len(graph))
    products = np.isin(by_class, PRODUCTS)
    factors[products] = product_gains(graph, values["matrix"])[products]
    tensor_float = products & (precision == Precision.TENSOR_FLOAT)
    factors[tensor_float] = np.minimum(factors[tensor_float], TENSOR_FLOAT_FACTOR)
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
    after = quickened_ns(graph, rows, factors[rows])
    saving = by_bytes[rows]
    after[saving] = np.maximum(after, saved_bytes_ns(graph, values, factors)[rows])[saving]
    times = graph.duration_ns.astype(np.float64)
    times[rows] = after
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
    single_share = int(graph.duration_ns[np.intersect1d(rows, passed)].sum()) / took if took else 0.0
    return float(1 / (single_share + (1 - single_share) / values["bytes"]))


def _cannot_mix(graph: DependencyGraph, values: Values) -> str:
    products = kernels_of(graph, KernelClass.MATRIX)
    if not len(products):
        return "it has no kernel that multiplies matrices"
    reason = half_already(graph, products)
    if not reason and values["dtype"] not in {"float16", "bfloat16"}:
        reason = f"'{values['dtype']}' is not a half precision type: write float16 or bfloat16"
    if not reason and values["dtype"] == "bfloat16" and no_bfloat16(graph):
        reason = f"{graph.device} does not support bfloat16: use float16"
    return reason


def _mixed_wrong(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    """Check that parameter updates keep their time and no kernel but batch normalisation gets slower."""
    before = with_half_kernels_only(before)
    was = kernels_of(before)
    named = np.isin(after.names, before.names)[after.task_name]
    remaining = np.flatnonzero(named & (after.kind == TaskKind.KERNEL))
    if len(remaining) != len(was):
        return "kernels are gone"
    change = after.duration_ns[remaining] - before.duration_ns[was]
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
        PRODUCT_GAIN,
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
  (``efficiency_by_gpu``), 1 on devices without half precision, at most 2 from TF32. If bytes are known, not below the
  time to move half of them at the highest rate in the graph.
- Fused attention takes the time of FlashAttention, which needs half precision. PyTorch's attention of several kernels,
  as with grouped queries in single precision, becomes one kernel.
- Elementwise kernels, batch normalisation, reductions and copies get faster by ``bytes``; if their bytes and the device
  are known, only the time that the memory needs for the bytes does. Layer normalisation, softmax,
  losses, powers, exponentials and sums stay in single precision, and so do the kernels after them up to the next
  product, with a cast per product that reads them, and casts of what they read in half precision; the same share of
  backward kernels stays. So do additions in networks with layer normalisation, because one operand is in single
  precision. All kernels of an operator that multiplies are in half precision.
- Convolutions with few operations per byte, such as depthwise ones, save bytes only.
- With bfloat16, batch normalisation in the plain layout takes the time of PyTorch's own kernels, which is longer.
- Conversions of layout are gone from networks in the channels-last layout, and so is what single precision products of
  cuBLAS leave to kernels of their own.
- No kernel gets faster than the fastest kernels of the graph.
- Parameter updates, gradients and collectives are unchanged. With float16, gradients are unscaled before the update,
  and the host waits for the check that they are finite.
- Weights are cast once per step and their gradients back, each with a launch, if their sizes are known. Casts take what
  their bytes need, and twice that to single precision. Gradients of casts are casts the other way.

Not modelled: launches of layout conversions, less memory use. Unclassified kernels keep their times.
"""
