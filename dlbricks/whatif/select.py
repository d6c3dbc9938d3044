"""Choosing tasks of a dependency graph: by layer, phase, kind, name, lane; by process and step; by what stands beside.

Frameworks mark steps in a trace; where none is marked, phases tell them apart (``step_numbers``).
"""

import fnmatch
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.intervals import split_by
from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.graph import ON_DEVICE, ON_HOST, DependencyGraph, Floats, Mask, Phase, TaskKind, launches

RELU = r"relu|threshold|clamp"
"""In names of kernels or layers."""
_TOGETHER = 0.5
"""Steps that begin within this share of the shortest one after another are the same step on several ranks."""


def select(
    graph: DependencyGraph,
    *,
    kinds: Sequence[TaskKind] = (),
    phases: Sequence[Phase] = (),
    layer: str | None = None,
    name: str | None = None,
    lane: str | None = None,
    where: Callable[[DependencyGraph], Mask] | None = None,
) -> Longs:
    """Give the tasks that fit all that is asked for, in the order of the table.

    Args:
        graph: of tasks.
        kinds: any of them; empty for all.
        phases: any of them; empty for all.
        layer: glob over names of layers, case counts, as in ``layer4.*``.
        name: regular expression found anywhere in the task's name, case does not count.
        lane: glob over ``process/device/name`` of the lane, as in ``*/gpu 0/stream 7``.
        where: gives a truth value for every task.

    Raises:
        InputError: ``name`` is no regular expression.
    """
    chosen = np.ones(len(graph), bool)
    if kinds:
        chosen &= np.isin(graph.kind, kinds)
    if phases:
        chosen &= np.isin(graph.phase, phases)
    if layer is not None:
        chosen &= of_layer(graph, lambda text: fnmatch.fnmatchcase(text, layer))
    if name is not None:
        try:
            chosen &= of_name(graph, re.compile(name, re.IGNORECASE).search)
        except re.error as error:
            raise InputError(f"'{name}' is no regular expression: {error}") from error
    if lane is not None:
        paths = (f"{one.process}/{one.device}/{one.name}" for one in graph.lanes)
        chosen &= np.isin(graph.lane, [number for number, path in enumerate(paths) if fnmatch.fnmatchcase(path, lane)])
    if where is not None:
        chosen &= where(graph)
    return np.flatnonzero(chosen)


def of_name(graph: DependencyGraph, fits: Callable[[str], Any]) -> Mask:
    """Tell which tasks have a name that fits."""
    return np.isin(graph.task_name, [number for number, text in enumerate(graph.names) if fits(text)])


def of_layer(graph: DependencyGraph, fits: Callable[[str], Any]) -> Mask:
    """Tell which tasks belong to a layer whose name fits."""
    return np.isin(graph.layer, [number for number, text in enumerate(graph.layers) if fits(text)])


def of_operator(graph: DependencyGraph, fits: Callable[[str], Any]) -> Mask:
    """Tell which tasks have an operator that fits."""
    return np.isin(graph.operator, [number for number, text in enumerate(graph.operators) if fits(text)])


def on_device(graph: DependencyGraph) -> Longs:
    """Give all tasks that run on a device."""
    return select(graph, kinds=ON_DEVICE)


def kernels_named(graph: DependencyGraph, pattern: str, phase: Phase) -> Longs:
    """Give the kernels of a phase of which the name or the layer's name has a pattern, case aside."""
    found = re.compile(pattern, re.IGNORECASE).search
    both = of_name(graph, found) | of_layer(graph, found)
    return select(graph, kinds=(TaskKind.KERNEL,), phases=(phase,), where=lambda _: both)


def by_lane(graph: DependencyGraph, rows: Longs) -> tuple[Longs, ...]:
    """Split tasks by lane, in the order of the lanes; lanes that have none are left out."""
    return split_by(graph.lane[rows], rows)


def by_step(graph: DependencyGraph, rows: Longs) -> tuple[Longs, ...]:
    """Split tasks by process and step, in the order of the table; groups that have none are left out."""
    steps = step_numbers(graph)[rows]
    return split_by(processes(graph)[rows] * (int(steps.max(initial=0)) + 1) + steps, rows)


def processes(graph: DependencyGraph) -> Longs:
    """Give for each task the number of its process, in the order in which they are met."""
    number = {name: index for index, name in enumerate(dict.fromkeys(lane.process for lane in graph.lanes))}
    made: Longs = np.array([number[lane.process] for lane in graph.lanes] or [0], np.int64)[graph.lane]
    return made


def step_numbers(graph: DependencyGraph) -> Longs:
    """Give for each task the number of its step, from 0 for what lies before the first.

    A device task belongs to the step of its launch, a task without a measured time to that of the task before it.
    Where no step was marked, one begins with the first forward task after a backward pass and the updates, if any.
    """
    times, launch = _times(graph), launches(graph)
    times = np.where(launch != NONE, times[launch], times)
    made: Longs = np.searchsorted(_begins(graph, times), times, side="right").astype(np.int64)
    return made


def _times(graph: DependencyGraph) -> Floats:
    """Give when each task was measured to start, or the one before it in the table where it was not."""
    starts = graph.figures("measured_start_ns")
    count = len(graph)
    if np.isnan(starts).all():
        return np.arange(count, dtype=np.float64)
    known = np.where(np.isnan(starts), NONE, np.arange(count))
    before = np.maximum.accumulate(known)
    return np.where(before == NONE, starts[known[known != NONE][0]], starts[before])


def _begins(graph: DependencyGraph, times: Floats) -> Floats:
    """Give when each step begins, ascending."""
    if graph.steps and "measured_start_ns" in graph.attributes:
        starts = np.unique([start for start, _ in graph.steps]).astype(np.float64)
        near = _TOGETHER * min(end - start for start, end in graph.steps)
        apart: Floats = starts[np.concatenate([[True], np.diff(starts) > near])]
        return apart
    rows = np.flatnonzero(graph.phase != Phase.NONE)
    host = rows[np.isin(graph.kind[rows], ON_HOST)]
    if np.isin(graph.phase[host], (Phase.BACKWARD, Phase.UPDATE)).any():
        rows = host
    rows = rows[np.argsort(times[rows], kind="stable")]
    found: list[float] = []
    backward, before = False, int(Phase.NONE)
    last = Phase.UPDATE if (graph.phase == Phase.UPDATE).any() else Phase.BACKWARD
    for row, phase in zip(rows.tolist(), graph.phase[rows].tolist(), strict=True):
        if phase == Phase.FORWARD and before == last and backward:
            found.append(float(times[row]))
            backward = False
        backward |= phase == Phase.BACKWARD
        before = phase
    return np.array(found, np.float64)


def before_on_lane(graph: DependencyGraph) -> Longs:
    """Give for each task the one before it on its lane; ``NONE`` where there is none."""
    found = np.full(len(graph), NONE, np.int64)
    for rows in by_lane(graph, np.arange(len(graph))):
        found[rows[1:]] = rows[:-1]
    return found


def one_of_each_layer(graph: DependencyGraph, rows: Longs) -> Longs:
    """Leave out kernels that help the one before them: next on the lane, of the same layer, but of another name."""
    previous = before_on_lane(graph)[rows]
    helps = np.isin(previous, rows) & (graph.layer[previous] == graph.layer[rows]) & (graph.layer[rows] != NONE)
    kept: Longs = rows[~(helps & (graph.task_name[previous] != graph.task_name[rows]))]
    return kept


def passes(graph: DependencyGraph, forward: Longs, backward: Longs) -> tuple[tuple[Longs, Longs], ...]:
    """Split forward and backward kernels by step, and leave out steps that have not got both."""
    steps = by_step(graph, np.union1d(forward, backward))
    split = ((rows[np.isin(rows, forward)], rows[np.isin(rows, backward)]) for rows in steps)
    return tuple((first, second) for first, second in split if len(first) and len(second))


def mirrored(forward: Longs, backward: Longs) -> Longs:
    """Give for each forward kernel the backward one of the same layer: by place, as one pass runs the other way round.

    Args:
        forward: kernels of one step, in their order.
        backward: of the same layers, in their order, at least one; the first of several is given.
    """
    count = len(forward)
    places = np.ceil((count - 1 - np.arange(count)) * len(backward) / count).astype(np.int64)
    found: Longs = backward[np.minimum(places, len(backward) - 1)]
    return found
