"""What autocast adds to a network: conversions of weights, gradients and activations, and a scaler of the loss."""

import re

import numpy as np

from dlbricks.profile.roofs import gpu_peaks
from dlbricks.trace.types import NONE, Lane, Longs
from dlbricks.units import parse_rate
from dlbricks.whatif.edit import NewTask, inserted
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind, launches
from dlbricks.whatif.launching import NewKernel, with_kernels
from dlbricks.whatif.reached import reached_on
from dlbricks.whatif.select import (
    by_lane,
    by_step,
    mirrored,
    of_name,
    one_of_each_layer,
    processes,
    select,
    step_numbers,
)
from dlbricks.whatif.transform import Values
from dlbricks.whatif.work import PRODUCTS, KernelClass, Precision, classes, precisions

BY_DEVICE = "auto"
_USUAL_RATE = 600e9
"""Bytes per second of memory of devices of which nothing is stated."""
_CAST_SHARE = 0.75
"""Bytes of a cast (read 4, write 2) by those of a kernel that reads and writes 4 for each value."""
_PASS_BYTES = 6
"""Read and written for each parameter or gradient that is cast."""
_UNSCALE_BYTES = 8
"""Read and written for each gradient that is unscaled."""
_NORMS = re.compile(r"layer_?norm|group_?norm|rms_?norm|rsqrt", re.IGNORECASE)
_LISTED = re.compile(
    r"(\b|_)(exp|expm1|pow|rsqrt|reciprocal|log|log1p|log2|log10|softplus|prod|sum)_(kernel|tensor|functor)",
    re.IGNORECASE,
)
"""Elementwise kernels and sums that autocast runs in single precision, beside softmax, norms and losses."""


def memory_rate(graph: DependencyGraph, values: Values) -> float:
    """Give the bytes per second that casts move: as asked, else what such kernels reach on the device."""
    if values["memory"] != BY_DEVICE:
        return parse_rate(values["memory"])
    stated = gpu_peaks(graph.device).bytes_per_s
    return _USUAL_RATE if stated is None else stated * reached_on(graph.device).memory


def casts(graph: DependencyGraph, values: Values, single: tuple[Longs, Longs], least: int) -> list[NewKernel]:
    """Give all casts.

    Weights are cast once in a step, and autocast then keeps them; their gradients are cast back. What kernels in single
    precision give is cast for each product that reads it, and in the backward pass the other way round.

    Args:
        graph: with its new times.
        values: of the transform.
        single: kernels that stay in single precision: those that are cast behind, and those that pass it on.
        least: what a kernel takes at least, ns.
    """
    return [*_weight_casts(graph, memory_rate(graph, values), least), *_activation_casts(graph, *single, least)]


def _weight_casts(graph: DependencyGraph, rate: float, least: int) -> list[NewKernel]:
    products = np.flatnonzero((graph.kind == TaskKind.KERNEL) & (classes(graph) == KernelClass.MATRIX))
    products = products[precisions(graph)[products] != Precision.HALF]
    forward = one_of_each_layer(graph, products[_forward(graph)[products]])
    backward = products[graph.phase[products] == Phase.BACKWARD]
    held, sizes, steps = np.nan_to_num(graph.figures("parameter_bytes")), gradient_bytes(graph), _step_keys(graph)
    made = []
    for rows in by_step(graph, forward):
        known = rows[held[rows] > 0]
        weights = held[known] if len(known) else np.full(len(rows), sizes[rows[0]] / len(rows))
        weighted = known if len(known) else rows
        times = [max(least, round(_PASS_BYTES / 4 * nbytes / rate * 1e9)) for nbytes in weights.tolist()]
        back = backward[steps[backward] == steps[rows[0]]]
        made += [
            NewKernel(name="cast of weights", duration_ns=time, beside=row, before=True)
            for row, time in zip(weighted.tolist(), times, strict=True)
        ]
        if len(back):
            made += [
                NewKernel(name="cast of gradients", duration_ns=time, beside=row)
                for row, time in zip(mirrored(weighted, back).tolist(), times, strict=True)
            ]
    return made


def _forward(graph: DependencyGraph) -> Mask:
    """Tell what belongs to the forward pass; without a backward pass all that belongs to no phase does."""
    trained = bool((graph.phase == Phase.BACKWARD).any())
    made: Mask = (graph.phase == Phase.FORWARD) | ((graph.phase == Phase.NONE) & (not trained))
    return made


def _step_keys(graph: DependencyGraph) -> Longs:
    """Give for each task a number of its process and step."""
    steps = step_numbers(graph)
    made: Longs = processes(graph) * (int(steps.max(initial=0)) + 1) + steps
    return made


def gradient_bytes(graph: DependencyGraph) -> Floats:
    """Give for each task the bytes of all gradients of its step; 0 where they are not known."""
    keys = _step_keys(graph)
    made: Floats = np.bincount(keys, np.nan_to_num(graph.figures("gradient_bytes"))).astype(np.float64)[keys]
    return made


def _activation_casts(graph: DependencyGraph, single: Longs, passed: Longs, least: int) -> list[NewKernel]:
    rows = single[(_forward(graph) | (graph.phase == Phase.BACKWARD))[single]].tolist()
    readers = _readers(graph)
    counts = [(row, max(1, int(readers[row]))) for row in rows] + [(row, int(readers[row])) for row in passed.tolist()]
    made = []
    for row, count in counts:
        time = max(least, round(_CAST_SHARE * int(graph.duration_ns[row])))
        made += [NewKernel(name="cast of activations", duration_ns=time, beside=row)] * count
    return made


def _readers(graph: DependencyGraph) -> Longs:
    """Count for each kernel the products right behind it on its lane: as many read what it gives, each by a cast."""
    kernels = np.flatnonzero(graph.kind == TaskKind.KERNEL)
    product = np.isin(classes(graph), PRODUCTS)
    counted = np.zeros(len(graph), bool)
    counted[one_of_each_layer(graph, kernels[product[kernels]])] = True
    made = np.zeros(len(graph), np.int64)
    for rows in by_lane(graph, kernels):
        behind = 0
        for row in rows[::-1].tolist():
            made[row] = behind
            behind = behind + int(counted[row]) if product[row] else 0
    return made


def promoted(graph: DependencyGraph) -> Mask:
    """Tell which sums stay in single precision: beside normalised activations, as one operand of them is single."""
    kernels = graph.kind == TaskKind.KERNEL
    if not (kernels & of_name(graph, _NORMS.search)).any():
        return np.zeros(len(graph), bool)
    made: Mask = kernels & of_name(graph, re.compile(r"CUDAFunctor_add|AddFunctor|add_kernel").search)
    return made


def flowing(graph: DependencyGraph, named: Mask) -> Mask:
    """Tell which kernels of the forward pass compute in single precision: those named, and all behind them.

    Autocast gives halves to products and gets halves of them; what is named, what it lists, and lookups give single
    precision, which other kernels pass on until the next product.
    """
    made = np.zeros(len(graph), bool)
    kernels = np.flatnonzero((graph.kind == TaskKind.KERNEL) & _forward(graph))
    product = np.isin(classes(graph), PRODUCTS)
    single = named | promoted(graph) | of_name(graph, _LISTED.search) | (classes(graph) == KernelClass.EMBEDDING)
    single &= ~product
    for rows in by_lane(graph, kernels):
        # of the products and single kernels up to each kernel the last one counts
        told = np.where(product[rows] | single[rows], np.arange(len(rows)), NONE)
        last = np.maximum.accumulate(told)
        made[rows] = ~product[rows] & ((last == NONE) | single[rows[last]])
    return made


def with_scaler(graph: DependencyGraph, values: Values, least: int) -> DependencyGraph:
    """Unscale gradients before the update, and wait on the host to learn whether they are finite."""
    launch, rate = launches(graph), memory_rate(graph, values)
    made, firsts, sizes = [], [], gradient_bytes(graph)
    kernels = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.BACKWARD, Phase.UPDATE))
    for rows in by_step(graph, kernels):
        last = rows[graph.phase[rows] == Phase.BACKWARD]
        behind = rows[(graph.phase[rows] == Phase.UPDATE) & (rows > (last[-1] if len(last) else len(graph)))]
        if not len(last) or not len(behind):
            continue
        first = int(behind[0])
        time = max(least, round(_UNSCALE_BYTES / 4 * sizes[rows[0]] / rate * 1e9))
        made.append(NewKernel(name="unscaling of gradients", duration_ns=time, beside=first, before=True))
        if launch[first] != NONE:
            firsts.append(first)
    grown, _, places = with_kernels(graph, made)
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
