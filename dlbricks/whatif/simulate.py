"""Schedules the tasks of a dependency graph by replay or with a scheduling policy.

Replay keeps the order of each lane. It is Daydream's algorithm (USENIX ATC 2020, section 4.4), with launch lags counted
from the start of the call and waits bound to what was launched before them.

If a transform changes when tasks become ready, the recorded order may no longer be what a runtime would choose. A
policy then lets a lane, or a pool of lanes, start the ready task of the best priority (list scheduling, Graham 1966;
Daydream's schedule function). Results are deterministic: ties go to the task with the smaller number.
"""

import heapq
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.build import frozen
from dlbricks.trace.types import NONE, Ints, Longs
from dlbricks.whatif.graph import LANE, DependencyGraph, EdgeKind, Floats, Schedule

# Number of tasks of a cycle in a message.
_SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Scheduling policy of lanes."""

    free_lanes: tuple[int, ...] = ()
    """Lanes that may reorder their tasks; all others keep the table order."""
    priority: Floats | None = None
    """Priority per task, smaller first; None for first ready, first served."""
    servers: Mapping[int, int] = field(default_factory=dict)
    """Number of tasks a free lane runs at once (threads of a pool, streams); 1 by default."""


class Edges:
    """All edges of a graph, waits included, sorted by their second task."""

    def __init__(self, graph: DependencyGraph) -> None:
        """Bind waits to tasks and sort."""
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
        """Of the edges of each task; one more at the end."""

    def order(self) -> Sequence[int]:
        """Return all tasks in a topological order that respects lane order.

        The table order if it is topological, else that of Kahn's algorithm with smaller task numbers first.

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
    """Return first and second tasks of the edges that waits imply in the present graph.

    A wait is for the last task on the lane, in lane order, of those launched before it in table order. A task without
    a launch counts as launched at its own position, one with several launches at the position of the last.
    """
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
    """Return a cycle among tasks that still wait."""
    before = {target: source for source, target in pairs if waiting[source] and waiting[target]}
    task = next(iter(before))
    seen: dict[int, None] = {}
    while task not in seen:
        seen[task] = None
        task = before[task]
    met = list(seen)
    return met[met.index(task) :][::-1]


def check(graph: DependencyGraph) -> None:
    """Check that times are not negative and that indices are valid.

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
            raise InputError(f"{graph.name}: {column} names a {noun} that does not exist")


def run(graph: DependencyGraph, policy: Policy | None) -> Schedule:
    """Schedule a graph: replay without a policy, list scheduling with one."""
    return replay(graph) if policy is None else schedule(graph, policy)


def replay(graph: DependencyGraph) -> Schedule:
    """Schedule all tasks in the order of their lanes.

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


def schedule(graph: DependencyGraph, policy: Policy) -> Schedule:
    """Schedule all tasks under a policy.

    Raises:
        InputError: see ``replay``; or a lane does not exist, or has less than one server.
    """
    check(graph)
    for lane in (*policy.free_lanes, *policy.servers):
        if not 0 <= lane < len(graph.lanes):
            raise InputError(f"{graph.name}: there is no lane {lane} to reschedule, it has {len(graph.lanes)}")
    if any(count < 1 for count in policy.servers.values()):
        raise InputError(f"{graph.name}: a lane needs at least one server")
    return _EventReplay(graph, policy).schedule()


class _EventReplay:
    """Event-driven list scheduling. Events: the end of a gap (a server is free), or a task becomes ready."""

    def __init__(self, graph: DependencyGraph, policy: Policy) -> None:
        edges = Edges(graph)
        edges.order()  # refuses cycles
        count, lanes = len(graph), range(len(graph.lanes))
        self._graph = graph
        self._lanes = graph.lane.tolist()
        self._priority = [0.0] * count if policy.priority is None else policy.priority.tolist()
        self._is_free = [lane in policy.free_lanes for lane in lanes]
        self._servers = [policy.servers.get(lane, 1) for lane in lanes]
        self._missing = np.bincount(edges.targets, minlength=count).tolist()
        by_source = np.argsort(edges.sources, kind="stable")
        self._begins = np.searchsorted(edges.sources[by_source], np.arange(count + 1)).tolist()
        self._targets = edges.targets[by_source].tolist()
        self._lags = edges.lags[by_source].tolist()
        self._kinds = edges.kinds[by_source].tolist()
        self._ready_ns = graph.release_ns.tolist()
        self._cause, self._cause_kind = [NONE] * count, [NONE] * count
        self._starts, self._ends = [NONE] * count, [0] * count
        self._waiting: list[list[tuple[float, int, int]]] = [[] for _ in lanes]
        """Per free lane: ready tasks with their priority."""
        self._ready: list[set[int]] = [set() for _ in lanes]
        """Per ordered lane: ready tasks."""
        self._queue: list[list[int]] = [[] for _ in lanes]
        """Per ordered lane: remaining tasks in reverse order."""
        for task, lane in reversed(list(enumerate(self._lanes))):
            if not self._is_free[lane]:
                self._queue[lane].append(task)
        self._last = [NONE] * len(graph.lanes)
        self._events: list[tuple[int, int, int]] = []
        """Time, task that becomes ready or ``NONE``, lane on which a server becomes free."""

    def schedule(self) -> Schedule:
        """Process events until none is left."""
        for task, missing in enumerate(self._missing):
            if not missing:
                heapq.heappush(self._events, (self._ready_ns[task], task, self._lanes[task]))
        while self._events:
            now = self._events[0][0]
            touched = set()
            while self._events and self._events[0][0] == now:
                _, task, lane = heapq.heappop(self._events)
                touched.add(lane)
                if task == NONE:
                    self._servers[lane] += 1
                elif self._is_free[lane]:
                    heapq.heappush(self._waiting[lane], (self._priority[task], self._ready_ns[task], task))
                else:
                    self._ready[lane].add(task)
            for lane in sorted(touched):
                self._fill(lane, now)
        return _schedule_of(self._starts, self._ends, self._cause, self._cause_kind)

    def _fill(self, lane: int, now: int) -> None:
        """Start tasks on a lane while it has free servers and ready tasks."""
        while self._servers[lane] and (task := self._next(lane)) != NONE:
            self._servers[lane] -= 1
            if now > self._ready_ns[task]:
                self._cause[task], self._cause_kind[task] = self._last[lane], LANE
            self._last[lane] = task
            end = now + int(self._graph.duration_ns[task])
            self._starts[task], self._ends[task] = now, end
            heapq.heappush(self._events, (end + int(self._graph.gap_ns[task]), NONE, lane))
            for edge in range(self._begins[task], self._begins[task + 1]):
                self._satisfy(task, edge, now if self._kinds[edge] == EdgeKind.LAUNCH else end)

    def _satisfy(self, task: int, edge: int, since_ns: int) -> None:
        target, ready = self._targets[edge], since_ns + self._lags[edge]
        if ready > self._ready_ns[target]:
            self._ready_ns[target] = ready
            self._cause[target], self._cause_kind[target] = task, self._kinds[edge]
        self._missing[target] -= 1
        if not self._missing[target]:
            heapq.heappush(self._events, (self._ready_ns[target], target, self._lanes[target]))

    def _next(self, lane: int) -> int:
        """Take the next task to start on a lane; ``NONE`` if there is none."""
        if self._is_free[lane]:
            return heapq.heappop(self._waiting[lane])[2] if self._waiting[lane] else NONE
        queue, ready = self._queue[lane], self._ready[lane]
        if not queue or queue[-1] not in ready:
            return NONE
        ready.remove(queue[-1])
        return queue.pop()
