"""The device side of a measured graph: streams, launches, waits for events, and what each start is explained by.

A device task starts when it was launched, when its stream was free and when what its stream waits for was done; each
measured start is explained by the one of these that came last. A launch begins to count at the start of the call.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.trace.types import NONE, Level, Longs, Role, Trace

_QUICK = 0.05
"""Quantile of the latencies of launches onto idle streams that is taken for that of a launch in a queue."""
_USUAL_LATENCY_NS = 5_000
"""Where a trace has no launch onto an idle stream."""
_NEAR_NS = 50_000
"""A start that nothing known explains, this soon behind the end of a task of another stream, waits for that."""
_BESIDE_NS = 1_000
"""Tasks of one stream that overlap by more than this run beside each other: branches of a graph."""

Flags = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTasks:
    """Device tasks, sorted by start."""

    span: Longs
    """Row of the trace."""
    lane: Longs
    """Of the trace; branches beside others on a stream are on numbers of their own, from ``len(trace.lanes)`` on."""
    start_ns: Longs
    end_ns: Longs
    launch: Longs
    """Row of the launching call in the trace; ``NONE`` where it was not recorded."""
    previous: Longs
    """Index of the task before it on its lane; ``NONE`` for the first."""
    branches: tuple[int, ...] = ()
    """Lane of the trace that each additional lane is a branch of."""

    def __len__(self) -> int:
        """Give their number."""
        return len(self.span)


@dataclass(frozen=True, slots=True, kw_only=True)
class Starts:
    """What the start of each device task is explained by."""

    latency_ns: int
    """Of a launch when the stream is idle; a quick one."""
    launch_lag_ns: Longs
    """From the start of the launching call to the earliest start of the task."""
    gap_ns: Longs
    """Behind each task, before the next on its lane may start."""
    waits_for: Longs
    """Index of a task of another lane; ``NONE`` where it waits for none."""
    wait_lag_ns: Longs
    """From the end of that task."""
    unexplained: int
    """Starts later than anything known: the time is kept as a gap of the lane."""


def device_tasks(trace: Trace) -> DeviceTasks:
    """Find the tasks of all streams and what launched them."""
    rows = np.flatnonzero((trace.level == Level.KERNEL) & (trace.role == Role.EXECUTION))
    graphs = np.array([kind == "graph" for kind in trace.kinds] or [False], bool)[trace.kind[rows]]
    rows = rows[~graphs]
    rows = rows[np.lexsort((trace.end_ns[rows], trace.start_ns[rows]))]
    parent = trace.parent[rows]
    is_call = (parent != NONE) & (trace.level[parent] == Level.LIBRARY)
    lane, branches = _branched(trace, rows)
    previous = np.full(len(rows), NONE, np.int64)
    for number in np.unique(lane):
        same = np.flatnonzero(lane == number)
        previous[same[1:]] = same[:-1]
    return DeviceTasks(
        span=rows,
        lane=lane,
        start_ns=trace.start_ns[rows],
        end_ns=trace.end_ns[rows],
        launch=np.where(is_call, parent, NONE),
        previous=previous,
        branches=branches,
    )


def _branched(trace: Trace, rows: Longs) -> tuple[Longs, tuple[int, ...]]:
    """Move what overlaps on a stream to branches of it, so that every lane is a row of tasks."""
    lanes = trace.lane[rows].astype(np.int64)
    starts, ends = trace.start_ns[rows].tolist(), trace.end_ns[rows].tolist()
    if all(_in_a_row(trace, rows[lanes == stream]) for stream in np.unique(lanes)):
        return lanes, ()
    made = lanes.tolist()
    free: dict[int, list[tuple[int, int]]] = {}
    branches: list[int] = []
    for index, stream in enumerate(lanes.tolist()):
        known = free.setdefault(stream, [(stream, -(2**62))])
        place = next((place for place, (_, end) in enumerate(known) if starts[index] >= end - _BESIDE_NS), None)
        if place is None:
            known.append((len(trace.lanes) + len(branches), 0))
            branches.append(stream)
            place = len(known) - 1
        made[index] = known[place][0]
        known[place] = (known[place][0], max(known[place][1], ends[index]))
    return np.array(made, np.int64), tuple(branches)


def _in_a_row(trace: Trace, rows: Longs) -> bool:
    """Tell whether of tasks of one stream, sorted by start, none begins long before those before it have ended."""
    return bool((trace.start_ns[rows][1:] >= np.maximum.accumulate(trace.end_ns[rows])[:-1] - _BESIDE_NS).all())


def explained(trace: Trace, tasks: DeviceTasks, event_waits: Longs) -> Starts:
    """Say what each start waited for.

    Args:
        trace: of which the tasks are.
        tasks: of all streams.
        event_waits: for each task the one that its stream was told to wait for, by index; ``NONE`` where none is known.
    """
    launched = np.where(tasks.launch == NONE, np.iinfo(np.int64).min // 2, trace.start_ns[tasks.launch])
    free = np.where(tasks.previous == NONE, np.iinfo(np.int64).min // 2, tasks.end_ns[tasks.previous])
    waited = np.where(event_waits == NONE, np.iinfo(np.int64).min // 2, tasks.end_ns[event_waits])
    idle = (tasks.launch != NONE) & (np.maximum(free, waited) <= launched)
    lags = tasks.start_ns - launched
    some = lags[idle & (lags >= 0)]
    latency = int(np.quantile(some, _QUICK)) if len(some) else _USUAL_LATENCY_NS
    known = np.maximum(np.maximum(launched + latency, free), waited)
    waits_for = np.array(event_waits)
    late = np.flatnonzero(~idle & (tasks.start_ns > known + latency) & (event_waits == NONE))
    found = _ended_just_before(tasks, late)
    waits_for[late] = found
    wait_lag = np.where(waits_for == NONE, 0, np.maximum(0, tasks.start_ns - tasks.end_ns[waits_for]))
    bound_by_wait = (waits_for != NONE) & (tasks.end_ns[waits_for] >= np.maximum(free, launched))
    wait_lag = np.where(bound_by_wait, wait_lag, 0)
    by_launch = idle & ~bound_by_wait
    launch_lag = np.where(by_launch, np.maximum(0, lags), np.minimum(np.maximum(0, lags), latency))
    gap = np.zeros(len(tasks), np.int64)
    queued = np.flatnonzero((tasks.previous != NONE) & ~by_launch & ~bound_by_wait)
    between = np.maximum(0, tasks.start_ns[queued] - free[queued])
    gap[tasks.previous[queued]] = between
    return Starts(
        latency_ns=latency,
        launch_lag_ns=launch_lag,
        gap_ns=gap,
        waits_for=waits_for,
        wait_lag_ns=wait_lag,
        unexplained=int(np.count_nonzero(between > _NEAR_NS)),
    )


def _ended_just_before(tasks: DeviceTasks, late: Longs) -> Longs:
    """Give for each of some tasks the one of another lane that ended last before it, if that was soon before."""
    by_end = np.argsort(tasks.end_ns, kind="stable")
    ends = tasks.end_ns[by_end]
    found = np.full(len(late), NONE, np.int64)
    for place, task in enumerate(late.tolist()):
        at = int(np.searchsorted(ends, tasks.start_ns[task], side="right")) - 1
        while at >= 0 and ends[at] >= tasks.start_ns[task] - _NEAR_NS:
            other = int(by_end[at])
            if tasks.lane[other] != tasks.lane[task] and other != task and tasks.start_ns[other] < tasks.start_ns[task]:
                found[place] = other
                break
            at -= 1
    return found
