"""Replaying a dependency graph in the order in which each lane ran: one pass over the tasks, linear in their number.

A lane keeps its measured order, so that shortening a task never lengthens the whole (with a free order it may: Graham's
anomaly). Daydream's algorithm (USENIX ATC 2020, section 4.4) with launches counted from the start of the call, and
waits bound to what was launched before them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Ints, Longs
from dlbricks.whatif.nouns import LANE, DependencyGraph, EdgeKind, Schedule
from dlbricks.whatif.waits import bound_waits

_SHOWN = 4


def replay(graph: DependencyGraph) -> Schedule:
    """Say when every task runs if each lane keeps the order of the table.

    Raises:
        InputError: a duration, gap or lag is negative, or tasks wait for each other in a circle.
    """
    check(graph)
    edges = Edges(graph)
    order = edges.order(graph)
    starts, ends = [0] * len(graph), [0] * len(graph)
    causes, kinds = [NONE] * len(graph), [NONE] * len(graph)
    begins, sources = edges.begins.tolist(), edges.sources.tolist()
    lags, edge_kinds, is_launch = edges.lags.tolist(), edges.kinds.tolist(), edges.launches.tolist()
    durations, gaps, releases = graph.duration_ns.tolist(), graph.gap_ns.tolist(), graph.release_ns.tolist()
    lanes = graph.lane.tolist()
    free, last = [0] * len(graph.lanes), [NONE] * len(graph.lanes)
    for task in order:
        lane = lanes[task]
        start, cause, kind = releases[task], NONE, NONE
        if last[lane] != NONE and free[lane] >= start:
            start, cause, kind = free[lane], last[lane], LANE
        for edge in range(begins[task], begins[task + 1]):
            source = sources[edge]
            ready = (starts[source] if is_launch[edge] else ends[source]) + lags[edge]
            if ready > start:
                start, cause, kind = ready, source, edge_kinds[edge]
        end = start + durations[task]
        starts[task], ends[task], causes[task], kinds[task] = start, end, cause, kind
        free[lane], last[lane] = end + gaps[task], task
    return schedule_of(starts, ends, causes, kinds)


def check(graph: DependencyGraph) -> None:
    """Refuse a graph that no run can have.

    Raises:
        InputError: a time is negative, or an edge, a wait or a task points to what does not exist.
    """
    for column, noun in (("duration_ns", "duration"), ("gap_ns", "gap"), ("release_ns", "release")):
        values = getattr(graph, column)
        if len(values) and values.min() < 0:
            worst = int(values.argmin())
            name = graph.names[graph.task_name[worst]]
            raise InputError(f"{graph.name}: task {worst} ({name}) has a negative {noun} of {values[worst]} ns")
    if len(graph.edge_lag_ns) and graph.edge_lag_ns.min() < 0:
        worst = int(graph.edge_lag_ns.argmin())
        pair = f"{graph.edge_from[worst]} to {graph.edge_to[worst]}"
        raise InputError(f"{graph.name}: the edge from task {pair} has a negative lag")
    for column in ("edge_from", "edge_to", "wait_task"):
        values = getattr(graph, column)
        if len(values) and not (values.min() >= 0 and values.max() < len(graph)):
            raise InputError(f"{graph.name}: {column} names a task that does not exist")
    for column in ("lane", "wait_lane"):
        values = getattr(graph, column)
        if len(values) and not (values.min() >= 0 and values.max() < len(graph.lanes)):
            raise InputError(f"{graph.name}: {column} names a lane that does not exist")


class Edges:
    """All edges of a graph, late waits included, sorted by the task that waits."""

    def __init__(self, graph: DependencyGraph) -> None:
        """Bind the waits and sort.

        Args:
            graph: whose edges they are.
        """
        waited, waiting = bound_waits(graph)
        targets = np.concatenate([graph.edge_to, waiting])
        by_target = np.argsort(targets, kind="stable")
        kinds = np.concatenate([graph.edge_kind, np.full(len(waited), EdgeKind.WAIT, np.int8)])
        self.targets: Ints = targets[by_target]
        self.sources: Ints = np.concatenate([graph.edge_from, waited])[by_target]
        self.kinds = kinds[by_target]
        self.lags: Longs = np.concatenate([graph.edge_lag_ns, np.zeros(len(waited), np.int64)])[by_target]
        self.launches = self.kinds == EdgeKind.LAUNCH
        self.begins: Longs = np.searchsorted(self.targets, np.arange(len(graph) + 1))
        """Of the edges of each task; one more at the end."""

    def order(self, graph: DependencyGraph) -> Sequence[int]:
        """Give an order of all tasks in which each comes after those that it waits for, lanes included.

        Raises:
            InputError: there is none.
        """
        if bool((self.sources < self.targets).all()):
            return range(len(graph))
        return _sorted(graph, self)


def _sorted(graph: DependencyGraph, edges: Edges) -> list[int]:
    """Sort tasks as Kahn does, those of smaller number first where there is a choice of lanes."""
    count = len(graph)
    by_lane = np.argsort(graph.lane, kind="stable")
    same = graph.lane[by_lane[1:]] == graph.lane[by_lane[:-1]]
    sources = np.concatenate([edges.sources, by_lane[:-1][same].astype(np.int32)])
    targets = np.concatenate([edges.targets, by_lane[1:][same].astype(np.int32)])
    waiting = np.bincount(targets, minlength=count).tolist()
    by_source = np.argsort(sources, kind="stable")
    begins = np.searchsorted(sources[by_source], np.arange(count + 1)).tolist()
    following = targets[by_source].tolist()
    ready = [task for task in range(count - 1, -1, -1) if not waiting[task]]
    order: list[int] = []
    while ready:
        task = ready.pop()
        order.append(task)
        for target in reversed(following[begins[task] : begins[task + 1]]):
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    if len(order) < count:
        circle = _circle(waiting, zip(sources.tolist(), targets.tolist(), strict=True))
        shown = " -> ".join(f"{task} ({graph.names[graph.task_name[task]]})" for task in circle[:_SHOWN])
        more = f" and {len(circle) - _SHOWN} more" if len(circle) > _SHOWN else ""
        raise InputError(f"{graph.name}: tasks wait for each other in a circle: {shown}{more}")
    return order


def _circle(waiting: Sequence[int], pairs: "zip[tuple[int, int]]") -> list[int]:
    """Find a circle among tasks that still wait."""
    before = {target: source for source, target in pairs if waiting[source] and waiting[target]}
    task = next(iter(before))
    seen: dict[int, None] = {}
    while task not in seen:
        seen[task] = None
        task = before[task]
    met = list(seen)
    return met[met.index(task) :][::-1]


def schedule_of(starts: Sequence[int], ends: Sequence[int], causes: Sequence[int], kinds: Sequence[int]) -> Schedule:
    """Make a schedule of lists, one entry for each task."""
    return Schedule(
        start_ns=_frozen(starts, np.int64),
        end_ns=_frozen(ends, np.int64),
        cause=_frozen(causes, np.int64),
        cause_kind=_frozen(kinds, np.int8),
    )


def _frozen(values: Sequence[int], dtype: Any) -> Any:
    made = np.array(values, dtype)
    made.setflags(write=False)
    return made
