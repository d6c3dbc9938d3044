"""Binding late waits: for which task of a lane a host call waits, given all that was launched before it."""

import numpy as np

from dlbricks.trace.types import NONE, Ints, Longs
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind


def launches(graph: DependencyGraph) -> Longs:
    """Give the task that launches each task, ``NONE`` where there is none; the last one where there are several."""
    found = np.full(len(graph), NONE, np.int64)
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    found[graph.edge_to[edges]] = graph.edge_from[edges]
    return found


def bound_waits(graph: DependencyGraph) -> tuple[Ints, Ints]:
    """Give the edges that late waits are in the graph as it is now.

    What is last of all that was launched before the wait, by the order of the table, is what it waits for. A task
    without a launch counts as launched where it stands, one with several (edges that took over a start look like
    launches) by the last in the table.

    Returns:
        The tasks waited for, and those that wait.
    """
    launched = np.full(len(graph), NONE, np.int64)
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    np.maximum.at(launched, graph.edge_to[edges], graph.edge_from[edges])
    launched = np.where(launched == NONE, np.arange(len(graph)), launched)
    first: list[Ints] = []
    second: list[Ints] = []
    for lane in np.unique(graph.wait_lane):
        tasks = np.flatnonzero(graph.lane == lane)
        waiting = graph.wait_task[graph.wait_lane == lane]
        if not len(tasks):
            continue
        # a lane runs in its own order, so the last task launched before a call is the last of a growing front
        fronts = np.sort(launched[tasks], kind="stable")
        furthest = np.maximum.accumulate(np.argsort(launched[tasks], kind="stable"))
        at = np.searchsorted(fronts, waiting, side="left") - 1
        some = at >= 0
        first.append(tasks[furthest[at[some]]].astype(np.int32))
        second.append(waiting[some])
    empty = np.empty(0, np.int32)
    return np.concatenate(first or [empty]), np.concatenate(second or [empty])
