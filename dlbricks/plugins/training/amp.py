"""The transform for automatic mixed precision: matrix products in half precision, parameters in single."""

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dlbricks.plugins.training.one_device import matching_backward
from dlbricks.trace.types import NONE, Lane, Longs
from dlbricks.trace.work_classes import KernelClass, Precision, class_of_operator
from dlbricks.units import counted
from dlbricks.whatif.edit import (
    NewKernel,
    NewTask,
    inserted,
    least_kernel_ns,
    with_durations,
    with_kernels,
)
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind, launches, with_columns
from dlbricks.whatif.select import (
    by_lane,
    by_step,
    of_layer,
    of_name,
    one_of_each_layer,
    select,
    step_keys,
)
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.number_formats import (
    NO_PRODUCTS,
    half_already,
    no_bfloat16,
    own_norm_factors,
    product_gains,
    quickened_ns,
    saved_bytes_ns,
    saving_bytes_only,
    with_half_kernels_only,
)
from dlbricks.whatif.work import PRODUCTS, classes, kernels_of, memory_rate, precisions

# By class of work, where Daydream uses factors 3 and 2:
#
# - Matrix products and attention get faster by the ratio of attained rates in half and single precision
#   (``whatif.work``), 1 on devices without half precision, at most 2 from TF32. If bytes are known, not below the
#   time to move half of them at the highest rate in the graph.
# - Fused attention takes the time of FlashAttention, which needs half precision. PyTorch's attention of several
#   kernels, as with grouped queries in single precision, becomes one kernel.
# - Elementwise kernels, batch normalisation, reductions and copies take half the time; if their bytes and the device
#   are known, only the time that the memory needs for the bytes halves. Layer normalisation, softmax, losses, powers,
#   exponentials and sums stay in single precision, and so do the kernels after them up to the next product, with a cast
#   per product that reads them, and casts of what they read in half precision; the same share of backward kernels
#   stays. So do additions in networks with layer normalisation, because one operand is in single precision. All kernels
#   of an operator that multiplies are in half precision.
# - Convolutions with few operations per byte, such as depthwise ones, save bytes only.
# - With bfloat16, batch normalisation in the plain layout takes the time of PyTorch's own kernels, which is longer.
# - Conversions of layout are gone from networks in the channels-last layout, and so is what single precision products
#   of cuBLAS leave to kernels of their own.
# - No kernel gets faster than the fastest kernels of the graph.
# - Parameter updates, gradients and collectives are unchanged. With float16, gradients are unscaled before the update,
#   and the host waits for the check that they are finite.
# - Weights are cast once per step and their gradients back, each with a launch, if their sizes are known. Casts take
#   what their bytes need, and twice that to single precision. Gradients of casts are casts the other way.
#
# Not modelled: launches of layout conversions, less memory use. Unclassified kernels keep their times.

# Kept in single precision by autocast.
_FLOAT32_KERNELS = re.compile(
    r"layer_?norm|group_?norm|rms_?norm|gammabeta|softmax|nll|loss|::norm|cumsum", re.IGNORECASE
)
# Operators kept in single precision as a whole.
_FLOAT32_LAYERS = re.compile(r"(?<!batch_)(layer_?norm|group_?norm)|softmax|cross_entropy|nll_?loss", re.IGNORECASE)
# Elementwise kernels and sums that autocast runs in single precision, besides softmax, norms and losses.
_LISTED = re.compile(
    r"(\b|_)(exp|expm1|pow|rsqrt|reciprocal|log|log1p|log2|log10|softplus|prod|sum)_(kernel|tensor|functor)",
    re.IGNORECASE,
)
_NORMS = re.compile(r"layer_?norm|group_?norm|rms_?norm|rsqrt", re.IGNORECASE)
_ADDS = re.compile(r"CUDAFunctor_add|AddFunctor|add_kernel")
# Layers that add up the gradients of parts of what a product wrote.
_PARTS_BACK = re.compile(r"(Select|Slice|Split|Unbind|Chunk)\w*Backward")
_BY_BYTES = (KernelClass.NORMALISATION, KernelClass.ELEMENTWISE, KernelClass.REDUCTION, KernelClass.MOVEMENT)
# Speed-up of memory-bound kernels: half the bytes.
_BYTES_FACTOR = 2.0
# Bytes of a cast (read 4, write 2) relative to a kernel that reads and writes 4 bytes per value.
_CAST_SHARE = 0.75
# Bytes read and written to cast a value, relative to its size in single precision.
_CAST_BYTES = 1.5
# Time of a cast to single precision relative to one from it, for which PyTorch has vectorised kernels
# (``bfloat16_copy_kernel_cuda``): 15 and 191 us on an H200, where those took 7 and 89 us.
_BACK_TO_SINGLE = 2.0
# Relative difference up to which two products read as many bytes.
_SAME = 0.01
# Bytes read and written to unscale one gradient.
_UNSCALE_BYTES = 8
_ACTIVATIONS = "cast of activations"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Roles:
    """Kernels of a graph by their precision under autocast, as masks over the graph's tasks."""

    forward: Mask
    """Forward kernels; in a graph without a backward pass, also kernels without a phase."""
    products: Mask
    """Matrix products and attention kernels."""
    inside: Mask
    """Kernels of layers that multiply matrices."""
    listed: Mask
    """Kernels that autocast runs in single precision."""
    sums: Mask
    """Additions that stay in single precision, since an operand is a normalised activation."""
    single: Mask
    """Forward kernels in single precision: ``listed``, ``sums``, and kernels from there to the next product."""


def _roles(graph: DependencyGraph) -> _Roles:
    kernels, by_class = graph.kind == TaskKind.KERNEL, classes(graph)
    backward = graph.phase == Phase.BACKWARD
    forward = (graph.phase == Phase.FORWARD) | ((graph.phase == Phase.NONE) & (not backward.any()))
    products = np.isin(by_class, PRODUCTS)
    inside = of_layer(graph, lambda name: class_of_operator(name) in PRODUCTS)
    listed = of_name(graph, _FLOAT32_KERNELS.search) | of_layer(graph, _FLOAT32_LAYERS.search)
    listed &= kernels & (graph.phase != Phase.UPDATE) & ~inside
    sums = np.zeros(len(graph), bool)
    if (kernels & of_name(graph, _NORMS.search)).any():
        of_parts = backward & of_layer(graph, _PARTS_BACK.search)
        sums = kernels & of_name(graph, _ADDS.search) & ~inside & ~of_parts
    # named kernels, those on autocast's list, and embeddings write single precision, which others pass on
    writes = listed | sums | of_name(graph, _LISTED.search) | (by_class == KernelClass.EMBEDDING)
    product = products | inside
    single = np.zeros(len(graph), bool)
    for rows in by_lane(graph, np.flatnonzero(kernels & forward)):
        deciding = np.where(product[rows] | writes[rows], np.arange(len(rows)), NONE)
        last = np.maximum.accumulate(deciding)
        single[rows] = ~product[rows] & ((last == NONE) | (writes & ~product)[rows[last]])
    return _Roles(forward=forward, products=products, inside=inside, listed=listed, sums=sums, single=single)


def _mixed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    graph = with_half_kernels_only(graph)
    roles = _roles(graph)
    quicker = _with_mixed_times(graph, roles, values["dtype"])
    casts = [*_weight_casts(quicker, roles), *_activation_casts(quicker, roles, least_kernel_ns(graph))]
    mixed = with_kernels(quicker, casts).graph
    if values["dtype"] == "float16":
        mixed = _with_scaler(mixed, least_kernel_ns(graph))
    unknown = len(kernels_of(graph, KernelClass.OTHER))
    notes = [f"amp does not change {counted(unknown, 'kernel')} of unknown class"] if unknown else []
    return with_columns(mixed, *notes)


def _with_mixed_times(graph: DependencyGraph, roles: _Roles, dtype: str) -> DependencyGraph:
    """Return the graph with new durations of kernels."""
    listed = roles.listed & ~roles.products
    by_bytes, few = np.isin(classes(graph), _BY_BYTES), saving_bytes_only(graph)
    factors = np.where(roles.products, product_gains(graph), 1.0)
    factors[by_bytes] = _BYTES_FACTOR
    factors[by_bytes & (graph.phase == Phase.BACKWARD)] = _backward_factor(graph, roles, by_bytes & ~listed)
    factors[listed | roles.single | roles.sums] = 1
    factors[few] = _BYTES_FACTOR
    factors[(precisions(graph) == Precision.HALF) | (graph.phase == Phase.UPDATE)] = 1
    rows = np.flatnonzero((graph.kind == TaskKind.KERNEL) & (factors != 1))
    times = graph.duration_ns.astype(np.float64)
    times[rows] = quickened_ns(graph, rows, factors[rows])
    saving = rows[(by_bytes | few)[rows]]
    times[saving] = np.maximum(times, saved_bytes_ns(graph, factors))[saving]
    if dtype == "bfloat16":
        norm = own_norm_factors(graph)
        times = np.where(np.isnan(norm), times, graph.duration_ns * norm)
    return with_durations(graph, np.arange(len(graph)), times)


def _backward_factor(graph: DependencyGraph, roles: _Roles, by_bytes: Mask) -> float:
    """Return the speed-up of backward kernels that move data."""
    forward = by_bytes & (graph.phase == Phase.FORWARD)
    took = int(graph.duration_ns[forward].sum())
    single_share = int(graph.duration_ns[forward & roles.single].sum()) / took if took else 0.0
    return float(1 / (single_share + (1 - single_share) / _BYTES_FACTOR))


def _gradient_bytes(graph: DependencyGraph) -> Floats:
    """Return the bytes of all gradients in each task's step; 0 if unknown."""
    keys = step_keys(graph)
    return np.bincount(keys, np.nan_to_num(graph.figures("gradient_bytes"))).astype(np.float64)[keys]


def _shortest_kernel_ns(graph: DependencyGraph) -> int:
    # what starting and ending a kernel takes: the duration of the shortest
    times = graph.duration_ns[(graph.kind == TaskKind.KERNEL) & (graph.duration_ns > 0)]
    return int(times.min(initial=least_kernel_ns(graph)))


def _weight_casts(graph: DependencyGraph, roles: _Roles) -> list[NewKernel]:
    """Return the kernels that cast weights (once per step) and the gradients of weights."""
    products = kernels_of(graph, KernelClass.MATRIX)
    products = products[precisions(graph)[products] != Precision.HALF]
    forward = one_of_each_layer(graph, products[roles.forward[products]])
    backward = products[graph.phase[products] == Phase.BACKWARD]
    held, sizes, steps = np.nan_to_num(graph.figures("parameter_bytes")), _gradient_bytes(graph), step_keys(graph)
    shortest, rate = _shortest_kernel_ns(graph), memory_rate(graph.device)
    casts = []
    for rows in by_step(graph, forward):
        sized = rows[held[rows] > 0]
        weighted = sized if len(sized) else rows
        weights = held[sized] if len(sized) else np.full(len(rows), sizes[rows[0]] / len(rows))
        times = [shortest + round(_CAST_BYTES * nbytes / rate * 1e9) for nbytes in weights.tolist()]
        casts += [
            NewKernel(name="cast of weights", duration_ns=time, next_to=row, before=True)
            for row, time in zip(weighted.tolist(), times, strict=True)
        ]
        back = backward[steps[backward] == steps[rows[0]]]
        if len(back):
            casts += [
                NewKernel(name="cast of gradients", duration_ns=round(_BACK_TO_SINGLE * time), next_to=row)
                for row, time in zip(matching_backward(weighted, back).tolist(), times, strict=True)
            ]
    return casts


class _Cast(NamedTuple):
    row: int
    """Forward kernel that reads the cast value."""
    forward_ns: int
    """Time to cast the value, ns; 0 if it is not cast."""
    backward_ns: int
    """Time to cast the gradient, ns; 0 if there is none."""


def _activation_casts(graph: DependencyGraph, roles: _Roles, least: int) -> list[NewKernel]:
    """Return the kernels that cast activations and their gradients; ``least`` is the shortest time of a kernel, ns."""
    kernels = []
    for step in by_step(graph, kernels_of(graph)):
        casts = _casts_ahead(graph, step[roles.forward[step]], roles, least)
        kernels += [
            NewKernel(name=_ACTIVATIONS, duration_ns=cast.forward_ns, next_to=cast.row, before=True)
            for cast in casts
            if cast.forward_ns
        ]
        back = step[(graph.phase[step] == Phase.BACKWARD) & roles.products[step]]
        if len(back) and casts:
            matches = matching_backward(np.array([cast.row for cast in casts]), back).tolist()
            kernels += [
                NewKernel(name=_ACTIVATIONS, duration_ns=cast.backward_ns, next_to=row)
                for cast, row in zip(casts, matches, strict=True)
                if cast.backward_ns
            ]
    return kernels


def _casts_ahead(graph: DependencyGraph, rows: Longs, roles: _Roles, least: int) -> list[_Cast]:
    """Return the casts in the forward pass of one step, in the order of the kernels that read the cast values."""
    # Products cast what they read in single precision, each for itself, and kernels of autocast's list what they read
    # in half precision. Sums of both precisions cast the gradient of their operand in half precision.
    kinds, products = classes(graph), roles.products
    listed = roles.listed | (of_name(graph, _LISTED.search) & (kinds == KernelClass.ELEMENTWISE))
    read, written, held = (graph.figures(key) for key in ("read_bytes", "written_bytes", "parameter_bytes"))
    shortest, rate = _shortest_kernel_ns(graph), memory_rate(graph.device)
    main = np.isin(np.arange(len(graph)), one_of_each_layer(graph, kernels_of(graph, *PRODUCTS)))

    def takes(nbytes: float, writer: int) -> int:
        if nbytes > 0:
            return shortest + round(_CAST_BYTES * nbytes / rate * 1e9)
        return least if writer == NONE else max(least, round(_CAST_SHARE * float(graph.duration_ns[writer])))

    casts: list[_Cast] = []
    for lane in by_lane(graph, rows):
        # the network's inputs are in single precision, and have no gradients
        writer, inputs = NONE, math.nan
        read_single = single = lane[0] == rows[0]
        for row in lane.tolist():
            if main[row]:
                # products behind each other read the same values; others read what products or attention wrote
                own = float(read[row] - np.nan_to_num(held[row]))
                read_single &= math.isnan(own) or math.isnan(inputs) or abs(own - inputs) <= _SAME * inputs
                if read_single:
                    nbytes = own if held[row] > 0 or writer == NONE else float(written[writer])
                    time = takes(nbytes, writer)
                    casts.append(_Cast(row, time, 0 if writer == NONE else round(_BACK_TO_SINGLE * time)))
                    inputs = own
                read_single, single = read_single and kinds[row] != KernelClass.ATTENTION, False
            elif not products[row] and not roles.inside[row]:
                if not single and listed[row]:
                    time = takes(float(read[row]), row)
                    casts.append(_Cast(row, round(_BACK_TO_SINGLE * time), time))
                elif not single and roles.sums[row]:
                    casts.append(_Cast(row, 0, takes(float(written[row]), row)))
                read_single = single = bool(roles.single[row])
                writer, inputs = row, math.nan
    return casts


def _with_scaler(graph: DependencyGraph, least: int) -> DependencyGraph:
    """Insert a kernel that unscales gradients before the update, and a host wait for finite gradients."""
    launch, rate = launches(graph), memory_rate(graph.device)
    unscaling, firsts, sizes = [], [], _gradient_bytes(graph)
    kernels = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.BACKWARD, Phase.UPDATE))
    for rows in by_step(graph, kernels):
        last = rows[graph.phase[rows] == Phase.BACKWARD][-1:]
        behind = rows[(graph.phase[rows] == Phase.UPDATE) & (rows > last)] if len(last) else last
        if not len(behind):
            continue
        first = int(behind[0])
        time = max(least, round(_UNSCALE_BYTES / 4 * sizes[rows[0]] / rate * 1e9))
        unscaling.append(NewKernel(name="unscaling of gradients", duration_ns=time, next_to=first, before=True))
        if launch[first] != NONE:
            firsts.append(first)
    grown, _, places = with_kernels(graph, unscaling)
    tasks: list[NewTask] = []
    waits: list[tuple[int, Lane]] = []
    for first in firsts:
        call = int(places[launch[first]])
        waits.append((len(grown) + len(tasks), graph.lanes[graph.lane[first]]))
        tasks.append(
            NewTask(
                kind=TaskKind.SYNCHRONISATION, name="wait for finite gradients", duration_ns=0, after=call - 1,
                lane=grown.lanes[grown.lane[call]], phase=Phase.UPDATE,
            )
        )  # fmt: skip
    return inserted(grown, tasks, (), waits).graph


def _cannot_mix(graph: DependencyGraph, values: Values) -> str:
    products = kernels_of(graph, KernelClass.MATRIX)
    if values["dtype"] not in {"float16", "bfloat16"}:
        return f"invalid dtype '{values['dtype']}': expected float16 or bfloat16"
    if not len(products):
        return NO_PRODUCTS
    return half_already(graph, products) or (no_bfloat16(graph) if values["dtype"] == "bfloat16" else "")


def _mixed_wrong(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    """Return an error if the update has changed, or if kernels other than batch normalisation take longer."""
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
    return "a kernel other than batch normalisation takes longer than before" if longer.any() else ""


AMP = Transform(
    name="amp",
    synonyms=("mixed-precision", "autocast"),
    title="Automatic mixed precision: half precision for matrix products, single for parameters.",
    source="Daydream (USENIX ATC 2020, section 5.1), with the kernel classes of PyTorch's autocast",
    apply=_mixed,
    parameters=(Parameter("dtype", "text", "float16 (with loss scaling) or bfloat16", "float16"),),
    requires=_cannot_mix,
    ensures=_mixed_wrong,
)
