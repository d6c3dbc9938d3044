"""Kernels that automatic mixed precision adds: casts of weights, gradients and activations, and loss scaling."""

import re

import numpy as np

from dlbricks.profile.gpus import gpu_peaks
from dlbricks.trace.types import NONE, Lane, Longs
from dlbricks.units import parse_rate
from dlbricks.whatif.attained import BY_DEVICE, attained_on
from dlbricks.whatif.edit import NewTask, inserted
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind, launches
from dlbricks.whatif.launching import NewKernel, with_kernels
from dlbricks.whatif.select import (
    by_lane,
    by_step,
    matching_backward,
    of_name,
    one_of_each_layer,
    processes,
    select,
    step_numbers,
)
from dlbricks.whatif.transform import Values
from dlbricks.whatif.work import PRODUCTS, KernelClass, Precision, classes, kernels_of, precisions

_USUAL_RATE = 600e9
"""Memory bandwidth of unknown devices, bytes per second."""
_CAST_SHARE = 0.75
"""Bytes of a cast (read 4, write 2) relative to a kernel that reads and writes 4 bytes per value."""
_PASS_BYTES = 6
"""Bytes read and written to cast one parameter or gradient."""
_UNSCALE_BYTES = 8
"""Bytes read and written to unscale one gradient."""
_NORMS = re.compile(r"layer_?norm|group_?norm|rms_?norm|rsqrt", re.IGNORECASE)
_LISTED = re.compile(
    r"(\b|_)(exp|expm1|pow|rsqrt|reciprocal|log|log1p|log2|log10|softplus|prod|sum)_(kernel|tensor|functor)",
    re.IGNORECASE,
)
"""Elementwise kernels and sums that autocast runs in single precision, besides softmax, norms and losses."""


def memory_rate(graph: DependencyGraph, values: Values) -> float:
    """Return the memory bandwidth for casts, bytes per second: as given, else as attained on the device."""
    if values["memory"] != BY_DEVICE:
        return parse_rate(values["memory"])
    stated = gpu_peaks(graph.device).bytes_per_s
    return _USUAL_RATE if stated is None else stated * attained_on(graph.device).memory


def casts(graph: DependencyGraph, values: Values, single: tuple[Longs, Longs], least: int) -> list[NewKernel]:
    """Return all casts as new kernels.

    Weights are cast once per step and cached by autocast; their gradients are cast back. Outputs of single precision
    kernels are cast for each matrix product that reads them, and likewise in the backward pass.

    Args:
        graph: with new durations.
        values: parameters of the transform.
        single: kernels in single precision: those followed by a cast, and those that pass single precision on.
        least: duration of a minimal kernel, ns.
    """
    return [*_weight_casts(graph, memory_rate(graph, values), least), *_activation_casts(graph, *single, least)]


def _weight_casts(graph: DependencyGraph, rate: float, least: int) -> list[NewKernel]:
    products = kernels_of(graph, KernelClass.MATRIX)
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
            NewKernel(name="cast of weights", duration_ns=time, next_to=row, before=True)
            for row, time in zip(weighted.tolist(), times, strict=True)
        ]
        if len(back):
            made += [
                NewKernel(name="cast of gradients", duration_ns=time, next_to=row)
                for row, time in zip(matching_backward(weighted, back).tolist(), times, strict=True)
            ]
    return made


def _forward(graph: DependencyGraph) -> Mask:
    """Return a mask of the forward pass; without a backward pass, tasks without a phase count, too."""
    trained = bool((graph.phase == Phase.BACKWARD).any())
    made: Mask = (graph.phase == Phase.FORWARD) | ((graph.phase == Phase.NONE) & (not trained))
    return made


def _step_keys(graph: DependencyGraph) -> Longs:
    """Return a number of process and step for each task."""
    steps = step_numbers(graph)
    made: Longs = processes(graph) * (int(steps.max(initial=0)) + 1) + steps
    return made


def gradient_bytes(graph: DependencyGraph) -> Floats:
    """Return, for each task, the bytes of all gradients of its step; 0 if unknown."""
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
        made += [NewKernel(name="cast of activations", duration_ns=time, next_to=row)] * count
    return made


def _readers(graph: DependencyGraph) -> Longs:
    """Return, for each kernel, the number of matrix products directly after it on its lane; each needs a cast."""
    kernels = kernels_of(graph)
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


def single_precision_sums(graph: DependencyGraph) -> Mask:
    """Return a mask of the additions that stay in single precision because one operand is a normalised activation."""
    kernels = graph.kind == TaskKind.KERNEL
    if not (kernels & of_name(graph, _NORMS.search)).any():
        return np.zeros(len(graph), bool)
    made: Mask = kernels & of_name(graph, re.compile(r"CUDAFunctor_add|AddFunctor|add_kernel").search)
    return made


def in_single_precision(graph: DependencyGraph, named: Mask) -> Mask:
    """Return a mask of the forward kernels in single precision: the named ones and those after them.

    Products read and write half precision. Named kernels, those on autocast's list, and embeddings write single
    precision, which other kernels pass on until the next product.
    """
    made = np.zeros(len(graph), bool)
    kernels = np.flatnonzero((graph.kind == TaskKind.KERNEL) & _forward(graph))
    product = np.isin(classes(graph), PRODUCTS)
    single = (
        named
        | single_precision_sums(graph)
        | of_name(graph, _LISTED.search)
        | (classes(graph) == KernelClass.EMBEDDING)
    )
    single &= ~product
    for rows in by_lane(graph, kernels):
        # the last product or single precision kernel up to each kernel counts
        deciding = np.where(product[rows] | single[rows], np.arange(len(rows)), NONE)
        last = np.maximum.accumulate(deciding)
        made[rows] = ~product[rows] & ((last == NONE) | single[rows[last]])
    return made


def with_scaler(graph: DependencyGraph, values: Values, least: int) -> DependencyGraph:
    """Insert the unscaling of gradients before the update, and a host wait for the check that they are finite."""
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
        made.append(NewKernel(name="unscaling of gradients", duration_ns=time, next_to=first, before=True))
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
