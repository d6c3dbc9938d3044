"""How long steps take in a schedule: the boundaries of the trace, moved with the host tasks around them."""

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.nouns import DependencyGraph, Floats, Schedule, TaskKind

_HOST = (TaskKind.CPU, TaskKind.DATA, TaskKind.SYNCHRONISATION)


def step_times(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Give the duration of every step of the trace in a schedule, ns.

    Args:
        graph: with ``steps`` and measured times; tasks that were inserted count for nothing here.
        schedule: of that graph.
    """
    spans = step_spans(graph, schedule)
    made: Longs = spans[:, 1] - spans[:, 0]
    return made


def step_spans(graph: DependencyGraph, schedule: Schedule) -> Longs:
    """Give first and one past the last ns of every step of the trace in a schedule, a row for each.

    A boundary stays as far from the host task before it as it was measured: behind its end, or, if it lies within the
    task, behind its start.

    Args:
        graph: see ``step_times``.
        schedule: of that graph.
    """
    starts, ends = graph.attributes["measured_start_ns"], graph.attributes["measured_end_ns"]
    rows = np.flatnonzero(np.isin(graph.kind, _HOST) & ~np.isnan(starts))
    rows = rows[np.argsort(starts[rows], kind="stable")]
    edges = np.array(graph.steps, np.float64).reshape(-1, 2)
    moved = np.array([_moved(boundary, rows, starts, ends, schedule) for boundary in edges.ravel()]).reshape(-1, 2)
    made: Longs = np.rint(moved).astype(np.int64)
    return made


def _moved(
    boundary: float,
    rows: Longs,
    starts: Floats,
    ends: Floats,
    schedule: Schedule,
) -> float:
    at = int(np.searchsorted(starts[rows], boundary, side="right")) - 1
    if at < 0:
        return boundary
    task = rows[at]
    if boundary >= ends[task]:
        return float(schedule.end_ns[task] + boundary - ends[task])
    return float(schedule.start_ns[task] + boundary - starts[task])
