"""Waits of streams for each other: which device task a stream was told to wait for before it went on."""

import re
from bisect import bisect_left

import numpy as np

from dlbricks.trace.types import NONE, Level, Longs, Trace
from dlbricks.whatif.devices import DeviceTasks

_WAIT = re.compile(r"(cuda|hip|cu)StreamWaitEvent", re.IGNORECASE)
_RECORD = re.compile(r"(cuda|hip|cu)EventRecord", re.IGNORECASE)
_SLACK_NS = 1_000
"""By how much clocks of host and device may differ."""


def event_waits(trace: Trace, tasks: DeviceTasks) -> Longs:
    """Give for each device task the one that its stream was told to wait for; ``NONE`` where it was told none.

    Where a trace names events and streams they decide: the last record of the event, and the last task launched onto
    its stream before that. Where it does not, a wait concerns what the same thread launches next, and the task of
    another stream that ended last of those launched before the wait.

    Args:
        trace: with calls of the runtime.
        tasks: of all its streams.
    """
    found = np.full(len(tasks), NONE, np.int64)
    waits = _calls(trace, _WAIT)
    if not len(waits) or not len(tasks):
        return found
    launched = _Launched(trace, tasks)
    records = _calls(trace, _RECORD)
    events, streams = trace.column("event", records), trace.column("stream", records)
    last_record: dict[float, list[tuple[int, float]]] = {}
    for row, event, stream in zip(records.tolist(), events.tolist(), streams.tolist(), strict=True):
        if event == event:  # noqa: PLR0124 - not a number where it is unknown
            last_record.setdefault(event, []).append((int(trace.start_ns[row]), stream))
    for row, event in zip(waits.tolist(), trace.column("event", waits).tolist(), strict=True):
        time = int(trace.start_ns[row])
        target = launched.next_of_thread(int(trace.lane[row]), time)
        if target == NONE:
            continue
        known = last_record.get(event, [])
        at = bisect_left(known, (time, float("-inf"))) - 1
        source = (
            launched.last_of_stream(known[at][1], known[at][0]) if at >= 0 else launched.last_elsewhere(target, time)
        )
        if source not in {NONE, target} and tasks.lane[source] != tasks.lane[target]:
            before = found[target]
            if before == NONE or tasks.end_ns[source] > tasks.end_ns[before]:
                found[target] = source
    return found


def _calls(trace: Trace, pattern: re.Pattern[str]) -> Longs:
    fitting = [number for number, name in enumerate(trace.names) if pattern.match(name)]
    rows = np.flatnonzero((trace.level == Level.LIBRARY) & np.isin(trace.name, fitting))
    return rows[np.argsort(trace.start_ns[rows], kind="stable")]


class _Launched:
    """Device tasks by when, by whom and onto what they were launched."""

    def __init__(self, trace: Trace, tasks: DeviceTasks) -> None:
        self._tasks = tasks
        known = np.flatnonzero(tasks.launch != NONE)
        order = known[np.argsort(trace.start_ns[tasks.launch[known]], kind="stable")]
        times = trace.start_ns[tasks.launch[order]].tolist()
        threads = trace.lane[tasks.launch[order]].tolist()
        streams = trace.column("stream", tasks.span[order]).tolist()
        self._by_thread: dict[int, tuple[list[int], list[int]]] = {}
        self._by_stream: dict[float, tuple[list[int], list[int]]] = {}
        self._by_lane: dict[int, tuple[list[int], list[int]]] = {}
        lanes = tasks.lane[order].tolist()
        for task, time, thread, stream, lane in zip(order.tolist(), times, threads, streams, lanes, strict=True):
            for table, key in ((self._by_thread, thread), (self._by_stream, stream), (self._by_lane, lane)):
                listed = table.setdefault(key, ([], []))
                listed[0].append(time)
                listed[1].append(task)

    def next_of_thread(self, thread: int, time: int) -> int:
        """Give the task that a thread launches next."""
        times, tasks = self._by_thread.get(thread, ([], []))
        at = bisect_left(times, time)
        return tasks[at] if at < len(tasks) else NONE

    def last_of_stream(self, stream: float, time: int) -> int:
        """Give the last task launched onto a stream before some time."""
        times, tasks = self._by_stream.get(stream, ([], []))
        at = bisect_left(times, time) - 1
        return tasks[at] if at >= 0 else NONE

    def last_elsewhere(self, target: int, time: int) -> int:
        """Give of the last tasks launched onto other lanes before some time the one that ended last before a task."""
        best = NONE
        for lane, (times, tasks) in self._by_lane.items():
            at = bisect_left(times, time) - 1
            if lane == self._tasks.lane[target] or at < 0:
                continue
            end = self._tasks.end_ns[tasks[at]]
            in_time = end <= self._tasks.start_ns[target] + _SLACK_NS
            if in_time and (best == NONE or end > self._tasks.end_ns[best]):
                best = tasks[at]
        return best
