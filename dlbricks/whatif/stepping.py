"""Which step of a training run each task of a graph belongs to, tasks that were inserted included."""

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.nouns import DependencyGraph, Floats, Phase, TaskKind
from dlbricks.whatif.waits import launches

_HOST = (TaskKind.CPU, TaskKind.DATA, TaskKind.SYNCHRONISATION)
_TOGETHER = 0.5
"""Steps that begin within this share of the shortest one after another are the same step on several ranks."""


def step_numbers(graph: DependencyGraph) -> Longs:
    """Give for each task the number of its step, from 0 for what lies before the first.

    A device task belongs to the step of its launch, a task without a measured time to that of the task before it.
    Where no step was marked, one begins with the first forward task after a backward pass and the updates, if any.
    """
    times = _times(graph)
    launch = launches(graph)
    times = np.where(launch != NONE, times[launch], times)
    made: Longs = np.searchsorted(_begins(graph, times), times, side="right").astype(np.int64)
    return made


def _times(graph: DependencyGraph) -> Floats:
    """Give when each task was measured to start, or the one before it in the table where it was not."""
    starts = graph.attributes.get("measured_start_ns")
    count = len(graph)
    if starts is None or np.isnan(starts).all():
        return np.arange(count, dtype=np.float64)
    known = np.where(np.isnan(starts), NONE, np.arange(count))
    before = np.maximum.accumulate(known)
    first = float(starts[known[known != NONE][0]])
    return np.where(before == NONE, first, starts[before])


def _begins(graph: DependencyGraph, times: Floats) -> Floats:
    """Give when each step begins, ascending."""
    if graph.steps and "measured_start_ns" in graph.attributes:
        starts = np.unique([start for start, _ in graph.steps]).astype(np.float64)
        near = _TOGETHER * min(end - start for start, end in graph.steps)
        apart: Floats = starts[np.concatenate([[True], np.diff(starts) > near])]
        return apart
    rows = np.flatnonzero(graph.phase != Phase.NONE)
    told = rows[np.isin(graph.kind[rows], _HOST)]
    if np.isin(graph.phase[told], (Phase.BACKWARD, Phase.UPDATE)).any():
        rows = told
    rows = rows[np.argsort(times[rows], kind="stable")]
    found: list[float] = []
    backward, before = False, int(Phase.NONE)
    ends = Phase.UPDATE if (graph.phase == Phase.UPDATE).any() else Phase.BACKWARD
    for row, phase in zip(rows.tolist(), graph.phase[rows].tolist(), strict=True):
        if phase == Phase.FORWARD and before == ends and backward:
            found.append(float(times[row]))
            backward = False
        backward |= phase == Phase.BACKWARD
        before = phase
    return np.array(found, np.float64)


def processes(graph: DependencyGraph) -> Longs:
    """Give for each task the number of its process, in the order in which they are met."""
    number = {name: index for index, name in enumerate(dict.fromkeys(lane.process for lane in graph.lanes))}
    made: Longs = np.array([number[lane.process] for lane in graph.lanes] or [0], np.int64)[graph.lane]
    return made


def by_step(graph: DependencyGraph, rows: Longs) -> tuple[Longs, ...]:
    """Split tasks by process and step, in the order of the table; groups that have none are left out."""
    steps, process = step_numbers(graph)[rows], processes(graph)[rows]
    keys = process * (int(steps.max(initial=0)) + 1) + steps
    order = np.argsort(keys, kind="stable")
    groups = np.split(rows[order], np.flatnonzero(np.diff(keys[order])) + 1)
    return tuple(groups) if len(rows) else ()
