"""Simulation of a dependency graph: it schedules the tasks by replay, or with a scheduling policy."""

import heapq
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.build import frozen
from dlbricks.trace.types import NONE, Ints, Longs
from dlbricks.whatif.graph import LANE, DependencyGraph, EdgeKind, Floats, Schedule

# Replay keeps the order of each lane. It is Daydream's algorithm (USENIX ATC 2020, section 4.4), but launch lags count
# from the start of the call, and a wait is for the work that was launched before it.
#
# If a transform changes when tasks become ready, a runtime might no longer choose the recorded order. With a policy, a
# lane starts the ready task with the best priority (list scheduling, Graham 1966; Daydream's schedule function).
# Results are deterministic: of equal priorities, the task with the smaller number starts first.

# Most tasks of a cycle that a message names.
_SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A scheduling policy: which threads and streams (lanes) may reorder their tasks, and by which priority."""

    free_lanes: tuple[int, ...] = ()
    """Numbers of lanes that may reorder their tasks; all other lanes keep the order of the table."""
    priority: Floats | None = None
    """Priority per task, the smallest first; None starts tasks in the order in which they become ready."""


class Edges:
    """All dependencies between a graph's tasks, including those that its waits imply, sorted by the second task."""

    def __init__(self, graph: DependencyGraph) -> None:
        """Add edges for the waits of the graph, and sort all edges by their second task."""
        waited, waiting = _bound_waits(graph)
        targets = np.concatenate([graph.edge_to, waiting])
        by_target = np.argsort(targets, kind="stable")
        self._graph = graph
        self.targets: Ints = targets[by_target]
        self.sources: Ints = np.concatenate([graph.edge_from, waited])[by_target]
        self.kinds = np.concatenate([graph.edge_kind, np.full(len(waited), EdgeKind.WAIT, np.int8)])[by_target]
        self.lags: Longs = np.concatenate([graph.edge_lag_ns, np.zeros(len(waited), np.int64)])[by_target]
        self.launches = self.kinds == EdgeKind.LAUNCH
        self.begins: Longs = np.searchsorted(self.targets, np.arange(len(graph) + 1))
        """Position of each task's first edge, followed by the number of edges."""

    def order(self) -> Sequence[int]:
        """Return the numbers of all tasks in a topological order that keeps the order on each thread and stream.

        The result is the table's order if topological, else that of Kahn's algorithm with the smallest number first.

        Raises:
            InputError: the dependencies have a cycle.
        """
        graph, count = self._graph, len(self._graph)
        if bool((self.sources < self.targets).all()):
            return range(count)
        by_lane = np.argsort(graph.lane, kind="stable")
        same = graph.lane[by_lane[1:]] == graph.lane[by_lane[:-1]]
        sources = np.concatenate([self.sources, by_lane[:-1][same].astype(np.int32)])
        targets = np.concatenate([self.targets, by_lane[1:][same].astype(np.int32)])
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
            cycle = _cycle(waiting, zip(sources.tolist(), targets.tolist(), strict=True))
            shown = " -> ".join(f"{task} ({graph.named(task)})" for task in cycle[:_SHOWN])
            more = f" and {len(cycle) - _SHOWN} more" if len(cycle) > _SHOWN else ""
            raise InputError(f"{graph.name}: the dependencies have a cycle: {shown}{more}")
        return order


def _bound_waits(graph: DependencyGraph) -> tuple[Ints, Ints]:
    # Return the first and the second tasks of the edges that the waits of a graph imply.
    # A wait is for the last task on the lane, in lane order, of those launched before it in table order. A task without
    # a launch counts as launched at its own position, one with several launches at the position of the last.
    launched = np.full(len(graph), NONE, np.int64)
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    np.maximum.at(launched, graph.edge_to[edges], graph.edge_from[edges])
    launched = np.where(launched == NONE, np.arange(len(graph)), launched)
    first, second = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    for lane in np.unique(graph.wait_lane):
        tasks = np.flatnonzero(graph.lane == lane)
        waiting = graph.wait_task[graph.wait_lane == lane]
        if not len(tasks):
            continue
        # a lane runs in its own order, so the last task launched before a call is a running maximum
        by_launch = np.argsort(launched[tasks], kind="stable")
        furthest = np.maximum.accumulate(by_launch)
        at = np.searchsorted(launched[tasks][by_launch], waiting, side="left") - 1
        first.append(tasks[furthest[at[at >= 0]]].astype(np.int32))
        second.append(waiting[at >= 0])
    return np.concatenate(first), np.concatenate(second)


def _cycle(waiting: Sequence[int], pairs: Iterable[tuple[int, int]]) -> list[int]:
    # Return the tasks of a cycle among those that still wait, in order.
    before = {target: source for source, target in pairs if waiting[source] and waiting[target]}
    task = next(iter(before))
    seen: dict[int, None] = {}
    while task not in seen:
        seen[task] = None
        task = before[task]
    met = list(seen)
    return met[met.index(task) :][::-1]


def check(graph: DependencyGraph) -> None:
    """Check that a dependency graph has no negative times and no invalid indices.

    Raises:
        InputError: a time is negative or an index is out of range.
    """
    for noun in ("duration", "gap", "release"):
        values = getattr(graph, f"{noun}_ns")
        if len(values) and values.min() < 0:
            worst = int(values.argmin())
            name = graph.named(worst)
            raise InputError(f"{graph.name}: task {worst} ({name}) has a negative {noun} of {values[worst]} ns")
    if len(graph.edge_lag_ns) and graph.edge_lag_ns.min() < 0:
        worst = int(graph.edge_lag_ns.argmin())
        pair = f"{graph.edge_from[worst]} to {graph.edge_to[worst]}"
        raise InputError(f"{graph.name}: the edge from task {pair} has a negative lag")
    for column in ("edge_from", "edge_to", "wait_task", "lane", "wait_lane"):
        values = getattr(graph, column)
        noun, count = ("lane", len(graph.lanes)) if column.endswith("lane") else ("task", len(graph))
        if len(values) and not (values.min() >= 0 and values.max() < count):
            raise InputError(f"{graph.name}: the column {column} refers to a {noun} that does not exist")


def run(graph: DependencyGraph, policy: Policy | None) -> Schedule:
    """Compute start and end of every task of a dependency graph: in recorded order or, with a policy, by priority."""
    return replay(graph) if policy is None else schedule(graph, policy)


def replay(graph: DependencyGraph) -> Schedule:
    """Compute start and end of every task of a dependency graph, in the recorded order on each thread and stream.

    Raises:
        InputError: a duration, gap or lag is negative, or the dependencies have a cycle.
    """
    check(graph)
    edges = Edges(graph)
    starts, ends, causes = (array("q", [NONE]) * len(graph) for _ in range(3))
    kinds = array("b", [NONE]) * len(graph)
    sources, lags = edges.sources.tolist(), edges.lags.tolist()
    edge_kinds, is_launch = edges.kinds.tolist(), edges.launches.tolist()
    columns: tuple[Any, ...] = (
        graph.lane,
        graph.release_ns,
        graph.duration_ns,
        graph.gap_ns,
        edges.begins[:-1],
        edges.begins[1:],
    )
    order = edges.order()
    if not isinstance(order, range):
        columns = tuple(column[np.array(order, np.int64)] for column in columns)
    free, last = [0] * len(graph.lanes), [NONE] * len(graph.lanes)
    rows = (column.tolist() for column in columns)
    for task, lane, start, duration, gap, edge, behind in zip(order, *rows, strict=True):
        cause, kind = last[lane], LANE
        if cause != NONE and free[lane] >= start:
            start = free[lane]  # noqa: PLW2901 - a million times: names cost
        else:
            cause = kind = NONE
        while edge < behind:
            source = sources[edge]
            ready = (starts[source] if is_launch[edge] else ends[source]) + lags[edge]
            if ready > start:
                start, cause, kind = ready, source, edge_kinds[edge]  # noqa: PLW2901
            edge += 1  # noqa: PLW2901
        starts[task], causes[task], kinds[task] = start, cause, kind
        ends[task] = end = start + duration
        free[lane], last[lane] = end + gap, task
    return _schedule_of(starts, ends, causes, kinds)


def _schedule_of(starts: Sequence[int], ends: Sequence[int], causes: Sequence[int], kinds: Sequence[int]) -> Schedule:
    return Schedule(
        start_ns=frozen(starts, np.int64),
        end_ns=frozen(ends, np.int64),
        cause=frozen(causes, np.int64),
        cause_kind=frozen(kinds, np.int8),
    )


def schedule(graph: DependencyGraph, policy: Policy) -> Schedule:  # noqa: C901, PLR0912 - one loop over events
    """Compute start and end of every task of a dependency graph by list scheduling under a policy.

    Raises:
        InputError: ``replay`` would refuse the graph, or the policy names a lane that does not exist.
    """
    check(graph)
    for lane in policy.free_lanes:
        if not 0 <= lane < len(graph.lanes):
            raise InputError(f"{graph.name} has no lane {lane} to reschedule: lanes are 0 to {len(graph.lanes) - 1}")
    edges = Edges(graph)
    edges.order()  # raises an error for cycles
    count, is_free = len(graph), [lane in policy.free_lanes for lane in range(len(graph.lanes))]
    lanes, durations, gaps = graph.lane.tolist(), graph.duration_ns.tolist(), graph.gap_ns.tolist()
    priority = [0.0] * count if policy.priority is None else policy.priority.tolist()
    places = [0] * len(is_free)
    for task, lane in enumerate(lanes):
        if not is_free[lane]:  # its place in the order of the lane
            priority[task] = places[lane]
            places[lane] += 1
    missing = np.bincount(edges.targets, minlength=count).tolist()
    by_source = np.argsort(edges.sources, kind="stable")
    begins = np.searchsorted(edges.sources[by_source], np.arange(count + 1)).tolist()
    targets, lags, kinds = (column[by_source].tolist() for column in (edges.targets, edges.lags, edges.kinds))
    ready_ns, cause, cause_kind = graph.release_ns.tolist(), [NONE] * count, [NONE] * count
    starts, ends = [NONE] * count, [0] * count
    started, last = [0] * len(is_free), [NONE] * len(is_free)
    is_busy = [False] * len(is_free)
    waiting: list[list[tuple[float, int, int]]] = [[] for _ in is_free]
    # time, task that becomes ready or NONE, lane
    events = [(ready_ns[task], task, lanes[task]) for task in range(count) if not missing[task]]
    heapq.heapify(events)
    while events:
        now, touched = events[0][0], set()
        while events and events[0][0] == now:
            _, task, lane = heapq.heappop(events)
            touched.add(lane)
            if task == NONE:
                is_busy[lane] = False
            else:
                heapq.heappush(waiting[lane], (priority[task], ready_ns[task], task))
        for lane in sorted(touched):
            queue = waiting[lane]
            if is_busy[lane] or not queue or not (is_free[lane] or queue[0][0] == started[lane]):
                continue
            task = heapq.heappop(queue)[2]
            if now > ready_ns[task]:
                cause[task], cause_kind[task] = last[lane], LANE
            starts[task], ends[task] = now, now + durations[task]
            is_busy[lane], last[lane] = True, task
            started[lane] += 1
            heapq.heappush(events, (ends[task] + gaps[task], NONE, lane))
            for edge in range(begins[task], begins[task + 1]):
                target = targets[edge]
                ready = (now if kinds[edge] == EdgeKind.LAUNCH else ends[task]) + lags[edge]
                if ready > ready_ns[target]:
                    ready_ns[target], cause[target], cause_kind[target] = ready, task, kinds[edge]
                missing[target] -= 1
                if not missing[target]:
                    heapq.heappush(events, (ready_ns[target], target, lanes[target]))
    return _schedule_of(starts, ends, cause, cause_kind)
