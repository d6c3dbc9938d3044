"""Kernels that automatic mixed precision adds: casts of weights, gradients and activations, and loss scaling."""

import math
import re
from typing import NamedTuple

import numpy as np

from dlbricks.profile.gpus import gpu_peaks
from dlbricks.trace.types import NONE, Lane, Longs
from dlbricks.trace.work_classes import KernelClass, Precision, class_of_operator
from dlbricks.units import parse_rate
from dlbricks.whatif.edit import NewTask, inserted
from dlbricks.whatif.efficiency_by_gpu import BY_DEVICE, attained_on
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask, Phase, TaskKind, launches
from dlbricks.whatif.launching import NewKernel, shortest_kernel_ns, with_kernels
from dlbricks.whatif.select import (
    by_lane,
    by_step,
    matching_backward,
    of_layer,
    of_name,
    one_of_each_layer,
    processes,
    select,
    step_numbers,
)
from dlbricks.whatif.transform import Values
from dlbricks.whatif.work import PRODUCTS, classes, kernels_of, precisions

# Memory bandwidth of unknown devices, bytes per second.
_USUAL_RATE = 600e9
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
_NORMS = re.compile(r"layer_?norm|group_?norm|rms_?norm|rsqrt", re.IGNORECASE)
_ADDS = re.compile(r"CUDAFunctor_add|AddFunctor|add_kernel")
# Layers that add up the gradients of parts of what a product wrote.
_PARTS_BACK = re.compile(r"(Select|Slice|Split|Unbind|Chunk)\w*Backward")
_ACTIVATIONS = "cast of activations"
# Elementwise kernels and sums that autocast runs in single precision, besides softmax, norms and losses.
_LISTED = re.compile(
    r"(\b|_)(exp|expm1|pow|rsqrt|reciprocal|log|log1p|log2|log10|softplus|prod|sum)_(kernel|tensor|functor)",
    re.IGNORECASE,
)


def memory_rate(graph: DependencyGraph, values: Values) -> float:
    """Return the memory bandwidth for casts, bytes per second: as given, else as attained on the device."""
    if values["memory"] != BY_DEVICE:
        return parse_rate(values["memory"])
    stated = gpu_peaks(graph.device).bytes_per_s
    return _USUAL_RATE if stated is None else stated * attained_on(graph.device).memory


def casts(graph: DependencyGraph, values: Values, named: Mask, in_single: Mask, least: int) -> list[NewKernel]:
    """Return all casts as new kernels.

    Weights are cast once per step and cached by autocast; their gradients are cast back. Products cast what they read
    in single precision, each for itself, and kernels of autocast's list what they read in half precision. The gradient
    of a cast is a cast the other way; sums of both precisions cast the gradient of their operand in half precision.

    Args:
        graph: with new durations.
        values: parameters of the transform.
        named: kernels that autocast runs in single precision.
        in_single: forward kernels in single precision.
        least: duration of a minimal kernel, ns.
    """
    rate = memory_rate(graph, values)
    return [*_weight_casts(graph, rate), *_activation_casts(graph, named, in_single, rate, least)]


def _weight_casts(graph: DependencyGraph, rate: float) -> list[NewKernel]:
    products = kernels_of(graph, KernelClass.MATRIX)
    products = products[precisions(graph)[products] != Precision.HALF]
    forward = one_of_each_layer(graph, products[_forward(graph)[products]])
    backward = products[graph.phase[products] == Phase.BACKWARD]
    held, sizes, steps = np.nan_to_num(graph.figures("parameter_bytes")), gradient_bytes(graph), _step_keys(graph)
    shortest = shortest_kernel_ns(graph)
    weight_casts = []
    for rows in by_step(graph, forward):
        sized = rows[held[rows] > 0]
        weights = held[sized] if len(sized) else np.full(len(rows), sizes[rows[0]] / len(rows))
        weighted = sized if len(sized) else rows
        times = [shortest + round(_CAST_BYTES * nbytes / rate * 1e9) for nbytes in weights.tolist()]
        back_times = [round(_BACK_TO_SINGLE * time) for time in times]
        back = backward[steps[backward] == steps[rows[0]]]
        weight_casts += [
            NewKernel(name="cast of weights", duration_ns=time, next_to=row, before=True)
            for row, time in zip(weighted.tolist(), times, strict=True)
        ]
        if len(back):
            weight_casts += [
                NewKernel(name="cast of gradients", duration_ns=time, next_to=row)
                for row, time in zip(matching_backward(weighted, back).tolist(), back_times, strict=True)
            ]
    return weight_casts


def _forward(graph: DependencyGraph) -> Mask:
    """Return a mask of the forward pass; without a backward pass, tasks without a phase count, too."""
    trained = bool((graph.phase == Phase.BACKWARD).any())
    mask: Mask = (graph.phase == Phase.FORWARD) | ((graph.phase == Phase.NONE) & (not trained))
    return mask


def _step_keys(graph: DependencyGraph) -> Longs:
    """Return a number of process and step for each task."""
    steps = step_numbers(graph)
    step_keys: Longs = processes(graph) * (int(steps.max(initial=0)) + 1) + steps
    return step_keys


def gradient_bytes(graph: DependencyGraph) -> Floats:
    """Return, for each task, the bytes of all gradients of its step; 0 if unknown."""
    keys = _step_keys(graph)
    sums: Floats = np.bincount(keys, np.nan_to_num(graph.figures("gradient_bytes"))).astype(np.float64)[keys]
    return sums


class _Cast(NamedTuple):
    row: int
    """Forward kernel that needs it."""
    forward_ns: int
    """0 if it has only a gradient to cast."""
    backward_ns: int
    """0 without a gradient."""


def _activation_casts(graph: DependencyGraph, named: Mask, in_single: Mask, rate: float, least: int) -> list[NewKernel]:
    activation_casts = []
    products = np.isin(classes(graph), PRODUCTS)
    for step in by_step(graph, kernels_of(graph)):
        casts_ahead = _casts_ahead(graph, step[_forward(graph)[step]], (named, in_single), rate, least)
        activation_casts += [
            NewKernel(name=_ACTIVATIONS, duration_ns=cast.forward_ns, next_to=cast.row, before=True)
            for cast in casts_ahead
            if cast.forward_ns
        ]
        back = step[(graph.phase[step] == Phase.BACKWARD) & products[step]]
        if len(back) and casts_ahead:
            matches = matching_backward(np.array([cast.row for cast in casts_ahead]), back).tolist()
            activation_casts += [
                NewKernel(name=_ACTIVATIONS, duration_ns=cast.backward_ns, next_to=row)
                for cast, row in zip(casts_ahead, matches, strict=True)
                if cast.backward_ns
            ]
    return activation_casts


def _casts_ahead(graph: DependencyGraph, rows: Longs, masks: tuple[Mask, Mask], rate: float, least: int) -> list[_Cast]:
    """Return the casts of the forward pass of one step, in the order of its kernels."""
    named, in_single = masks
    listed = named | (of_name(graph, _LISTED.search) & (classes(graph) == KernelClass.ELEMENTWISE))
    read, written, held = (graph.figures(key) for key in ("read_bytes", "written_bytes", "parameter_bytes"))
    shortest = shortest_kernel_ns(graph)
    kinds, within, sums = classes(graph), in_products(graph), single_precision_sums(graph)
    counted = np.isin(np.arange(len(graph)), one_of_each_layer(graph, kernels_of(graph, *PRODUCTS)))

    def takes(nbytes: float, writer: int) -> int:
        if nbytes > 0:
            return shortest + round(_CAST_BYTES * nbytes / rate * 1e9)
        return least if writer == NONE else max(least, round(_CAST_SHARE * float(graph.duration_ns[writer])))

    casts_ahead: list[_Cast] = []
    for lane in by_lane(graph, rows):
        # the network's inputs are in single precision, and have no gradients
        writer, inputs = NONE, math.nan
        read_single = single = lane[0] == rows[0]
        for row in lane.tolist():
            if counted[row]:
                # products behind each other read the same values; others read what products or attention wrote
                own = float(read[row] - np.nan_to_num(held[row]))
                read_single &= math.isnan(own) or math.isnan(inputs) or abs(own - inputs) <= _SAME * inputs
                if read_single:
                    nbytes = own if held[row] > 0 or writer == NONE else float(written[writer])
                    time = takes(nbytes, writer)
                    casts_ahead.append(_Cast(row, time, 0 if writer == NONE else round(_BACK_TO_SINGLE * time)))
                    inputs = own
                read_single, single = read_single and kinds[row] != KernelClass.ATTENTION, False
            elif kinds[row] not in PRODUCTS and not within[row]:
                if not single and listed[row]:
                    time = takes(float(read[row]), row)
                    casts_ahead.append(_Cast(row, round(_BACK_TO_SINGLE * time), time))
                elif not single and sums[row]:
                    casts_ahead.append(_Cast(row, 0, takes(float(written[row]), row)))
                writer, read_single, single, inputs = row, bool(in_single[row]), bool(in_single[row]), math.nan
    return casts_ahead


def single_precision_sums(graph: DependencyGraph) -> Mask:
    """Return a mask of the additions that stay in single precision because one operand is a normalised activation."""
    kernels = graph.kind == TaskKind.KERNEL
    if not (kernels & of_name(graph, _NORMS.search)).any():
        return np.zeros(len(graph), bool)
    of_parts = (graph.phase == Phase.BACKWARD) & of_layer(graph, _PARTS_BACK.search)
    mask: Mask = kernels & of_name(graph, _ADDS.search) & ~in_products(graph) & ~of_parts
    return mask


def in_products(graph: DependencyGraph) -> Mask:
    """Return a mask of the tasks of operators that multiply, by layer: their operands are cast before all else."""
    mask: Mask = of_layer(graph, lambda name: class_of_operator(name) in PRODUCTS)
    return mask


def in_single_precision(graph: DependencyGraph, named: Mask) -> Mask:
    """Return a mask of the forward kernels in single precision: the named ones and those after them.

    Products read and write half precision. Named kernels, those on autocast's list, and embeddings write single
    precision, which other kernels pass on until the next product.
    """
    mask = np.zeros(len(graph), bool)
    kernels = np.flatnonzero((graph.kind == TaskKind.KERNEL) & _forward(graph))
    product = np.isin(classes(graph), PRODUCTS) | in_products(graph)
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
        mask[rows] = ~product[rows] & ((last == NONE) | single[rows[last]])
    return mask


def with_scaler(graph: DependencyGraph, values: Values, least: int) -> DependencyGraph:
    """Insert the unscaling of gradients before the update, and a host wait for the check that they are finite."""
    launch, rate = launches(graph), memory_rate(graph, values)
    unscaling, firsts, sizes = [], [], gradient_bytes(graph)
    kernels = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.BACKWARD, Phase.UPDATE))
    for rows in by_step(graph, kernels):
        last = rows[graph.phase[rows] == Phase.BACKWARD]
        behind = rows[(graph.phase[rows] == Phase.UPDATE) & (rows > (last[-1] if len(last) else len(graph)))]
        if not len(last) or not len(behind):
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
