"""Replaying a dependency graph when lanes may choose: list scheduling with priorities and with several servers.

Where a transform changes what is ready when, the measured order is no longer what a runtime would do. Then each lane,
or each pool of lanes, takes of the tasks that are ready the one of the best priority (Graham 1966; Daydream's schedule
function, USENIX ATC 2020, section 4.4). Deterministic: ties go to the task that stands first.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE
from dlbricks.whatif.nouns import LANE, DependencyGraph, EdgeKind, Floats, Schedule
from dlbricks.whatif.simulate import Edges, check, schedule_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How lanes choose."""

    free_lanes: tuple[int, ...] = ()
    """Lanes that may change their order; all others keep it."""
    priority: Floats | None = None
    """Of each task, smaller first; None: who is ready first goes first."""
    servers: Mapping[int, int] = field(default_factory=dict)
    """How many tasks a free lane runs at the same time, 1 unless said otherwise: threads of a pool, streams."""


def schedule(graph: DependencyGraph, policy: Policy) -> Schedule:
    """Say when every task runs under a policy.

    Raises:
        InputError: see ``simulate.replay``; or a lane that does not exist, or fewer servers than one.
    """
    check(graph)
    for lane in (*policy.free_lanes, *policy.servers):
        if not 0 <= lane < len(graph.lanes):
            raise InputError(f"{graph.name}: there is no lane {lane} to reschedule, it has {len(graph.lanes)}")
    if any(count < 1 for count in policy.servers.values()):
        raise InputError(f"{graph.name}: a lane needs at least one server")
    return _Run(graph, policy).schedule()


class _Run:
    """One event-driven replay. Events are ends of gaps (a server is free) and tasks that become ready."""

    def __init__(self, graph: DependencyGraph, policy: Policy) -> None:
        edges = Edges(graph)
        edges.order(graph)  # refuses circles
        count = len(graph)
        self._graph = graph
        self._priority = [0.0] * count if policy.priority is None else policy.priority.tolist()
        free = set(policy.free_lanes)
        self._is_free = [lane in free for lane in range(len(graph.lanes))]
        self._servers = [policy.servers.get(lane, 1) for lane in range(len(graph.lanes))]
        self._missing = np.bincount(edges.targets, minlength=count).tolist()
        by_source = np.argsort(edges.sources, kind="stable")
        self._begins = np.searchsorted(edges.sources[by_source], np.arange(count + 1)).tolist()
        self._targets = edges.targets[by_source].tolist()
        self._lags = edges.lags[by_source].tolist()
        self._kinds = edges.kinds[by_source].tolist()
        self._ready_ns = graph.release_ns.tolist()
        self._cause, self._cause_kind = [NONE] * count, [NONE] * count
        self._starts, self._ends = [NONE] * count, [0] * count
        self._waiting: list[list[tuple[float, int, int]]] = [[] for _ in graph.lanes]
        """By lane that chooses: ready tasks with their priority."""
        self._ready: list[set[int]] = [set() for _ in graph.lanes]
        """By lane that keeps its order: ready tasks."""
        self._queue: list[list[int]] = [[] for _ in graph.lanes]
        """By lane that keeps its order: its tasks, the first one last."""
        for task, lane in reversed(list(enumerate(graph.lane.tolist()))):
            if not self._is_free[lane]:
                self._queue[lane].append(task)
        self._last = [NONE] * len(graph.lanes)
        self._events: list[tuple[int, int, int]] = []
        """Time, task that is ready then or ``NONE``, lane of which a server is free then."""

    def schedule(self) -> Schedule:
        """Run until nothing is left."""
        lanes = self._graph.lane.tolist()
        for task, missing in enumerate(self._missing):
            if not missing:
                heapq.heappush(self._events, (self._ready_ns[task], task, lanes[task]))
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
                self._fill(lane, now, lanes)
        return schedule_of(self._starts, self._ends, self._cause, self._cause_kind)

    def _fill(self, lane: int, now: int, lanes: Sequence[int]) -> None:
        """Start tasks on a lane while it has servers and tasks that may start."""
        while self._servers[lane] and (task := self._next(lane)) != NONE:
            self._servers[lane] -= 1
            if now > self._ready_ns[task]:
                self._cause[task], self._cause_kind[task] = self._last[lane], LANE
            self._last[lane] = task
            end = now + int(self._graph.duration_ns[task])
            self._starts[task], self._ends[task] = now, end
            heapq.heappush(self._events, (end + int(self._graph.gap_ns[task]), NONE, lane))
            for edge in range(self._begins[task], self._begins[task + 1]):
                self._satisfy(task, edge, now if self._kinds[edge] == EdgeKind.LAUNCH else end, lanes)

    def _satisfy(self, task: int, edge: int, since_ns: int, lanes: Sequence[int]) -> None:
        target, ready = self._targets[edge], since_ns + self._lags[edge]
        if ready > self._ready_ns[target]:
            self._ready_ns[target] = ready
            self._cause[target], self._cause_kind[target] = task, self._kinds[edge]
        self._missing[target] -= 1
        if not self._missing[target]:
            heapq.heappush(self._events, (self._ready_ns[target], target, lanes[target]))

    def _next(self, lane: int) -> int:
        """Take the task that a lane is to start now; ``NONE`` when none may."""
        if self._is_free[lane]:
            return heapq.heappop(self._waiting[lane])[2] if self._waiting[lane] else NONE
        queue, ready = self._queue[lane], self._ready[lane]
        if not queue or queue[-1] not in ready:
            return NONE
        ready.remove(queue[-1])
        return queue.pop()
