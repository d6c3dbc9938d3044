"""Device side of a graph from a trace: streams, launches, waits for events, and the cause of each task's start."""

import heapq
import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dlbricks.errors import InputError
from dlbricks.limits import TRACE_BRANCHES
from dlbricks.trace import kinds
from dlbricks.trace.gpus import LIMITS, WARP, theoretical_occupancy, usual_name
from dlbricks.trace.intervals import split_by
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace
from dlbricks.whatif.graph import Floats, Mask

# A device task starts when it has been launched, its stream is free, and the tasks for which its stream waits have
# ended. The last of these is the cause of a measured start. Launch lags count from the start of the launching call.
# Concurrent tasks of one stream, such as the branches of a CUDA graph, are put on separate lanes.
#
# The waves of a kernel are how often its blocks fill the device. The last wave takes as long as a full one, so the time
# of a kernel grows in steps with the number of its blocks.

# Tasks of one stream that overlap by more than this are concurrent, if graphs are launched onto it.
_OVERLAP_NS = 1_000
# The same for other streams, on which a kernel may start before the last blocks of the kernel before it are done
# (programmatic dependent launch). The parts of cuDNN's weight gradients on Hopper overlap so, by 2 us.
_TAIL_NS = 10_000
# The latency of a queued launch is this quantile of the launch latencies on idle streams.
_QUICK = 0.05
# The latency for traces without a launch onto an idle stream.
_USUAL_LATENCY_NS = 5_000
# An unexplained start this soon after the end of a task on another stream counts as waiting for it.
_NEAR_NS = 50_000
# A longer latency on an idle stream is a wait for something else.
_LONG_NS = 200_000
# If a device seems idle for this long after a stream's first launch, it was busy with work from before the trace.
_BEFORE_NS = 1_000_000
# Number of recently ended tasks that are considered as the cause of a start.
_MOST_NEAR = 100
# Tolerance between host and device clocks.
_SLACK_NS = 1_000
_WAIT = re.compile(r"(cuda|hip|cu)StreamWaitEvent", re.IGNORECASE)
_RECORD = re.compile(r"(cuda|hip|cu)EventRecord", re.IGNORECASE)
_NEVER = np.iinfo(np.int64).min // 2
_WHOLE = re.compile(r"\d{1,9}(,\d{1,9}){0,2}")
# Name, multiprocessors by data sheet, and compute capability of devices; the first pattern found counts.
_DEVICES = (
    (r"\bP100\b", 56, (6, 0)),
    (r"\bV100\b", 80, (7, 0)),
    (r"\bT4\b", 40, (7, 5)),
    (r"\bA100\b", 108, (8, 0)),
    (r"\bA10\b", 72, (8, 6)),
    (r"\bL4\b", 58, (8, 9)),
    (r"\bH100 (80GB )?PCIE\b", 114, (9, 0)),
    (r"\bH[12]00\b", 132, (9, 0)),
    (r"\bB200\b", 148, (10, 0)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTasks:
    """The device tasks of a trace, sorted by start."""

    span: Longs
    """Row of each task in the trace."""
    lane: Longs
    """Number of each task's stream (lane) in the trace; concurrent branches have numbers from ``len(trace.lanes)``."""
    start_ns: Longs
    """Start of each task, or the end of the previous task on its stream if that end is later."""
    end_ns: Longs
    launch: Longs
    """Row of each task's launching call in the trace; ``NONE`` if the call was not recorded."""
    previous: Longs
    """Index of the previous task on each task's stream; ``NONE`` for the first task."""
    branches: tuple[int, ...] = ()
    """Number of the stream to which each branch belongs."""

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.span)


@dataclass(frozen=True, slots=True, kw_only=True)
class Starts:
    """Why each task on a device started when it did, as lags, gaps and waits."""

    latency_ns: int
    """Launch latency onto an idle stream, ns: a low quantile of the measured latencies."""
    launch_lag_ns: Longs
    """Time from the start of each task's launching call to the earliest start of the task, ns."""
    gap_ns: Longs
    """Idle time after each task before the next task on its stream may start, ns."""
    waits: Longs
    """Pairs of tasks on different streams; the second waits for the first; shape (n, 2)."""
    wait_lag_ns: Longs
    """Time from the end of the first task of each of ``waits`` to the start of the second, ns."""
    cut_ns: int
    """Time for which devices were busy with unrecorded work from before the trace, ns."""
    unexplained: int
    """Number of starts without a known cause; their delays become gaps."""


def spans_named(trace: Trace, fits: Callable[[str], Any]) -> Mask:
    """Return a boolean array over the spans of a trace: whether ``fits`` holds for the span's name."""
    return np.isin(trace.name, [number for number, name in enumerate(trace.names) if fits(name)])


def spans_of_kind(trace: Trace, kind: str) -> Mask:
    """Return a boolean array over the spans of a trace: whether the span is of a kind (``trace.kinds``)."""
    return np.isin(trace.kind, [number for number, name in enumerate(trace.kinds) if name == kind])


def on_host(trace: Trace) -> Mask:
    """Return a boolean array over the spans of a trace: whether the span is on a thread of the host."""
    return np.isin(trace.lane, [number for number, lane in enumerate(trace.lanes) if not lane.device])


def device_tasks(trace: Trace) -> DeviceTasks:
    """Return the kernels and copies of a trace, with the calls that launched each."""
    executed = (trace.level == Level.KERNEL) & (trace.role == Role.EXECUTION)
    rows = np.flatnonzero(executed & ~spans_of_kind(trace, kinds.GRAPH))
    rows = rows[np.lexsort((trace.end_ns[rows], trace.start_ns[rows]))]
    parent = trace.parent[rows]
    is_call = (parent != NONE) & (trace.level[parent] == Level.LIBRARY)
    streams = trace.lane[rows].astype(np.int64)
    shared = is_call & (np.bincount(np.where(is_call, parent, 0), minlength=1)[np.where(is_call, parent, 0)] > 1)
    of_graphs = np.isin(streams, streams[shared])
    starts, ends = np.array(trace.start_ns[rows]), trace.end_ns[rows]
    lane, branches = with_branches(
        streams, starts, ends, len(trace.lanes), overlap_ns=np.where(of_graphs, _OVERLAP_NS, _TAIL_NS)
    )
    previous = np.full(len(rows), NONE, np.int64)
    for same in split_by(lane, np.arange(len(rows))):
        previous[same[1:]] = same[:-1]
        free = np.maximum.accumulate(ends[same])[:-1]
        tail = (starts[same[1:]] < free - _OVERLAP_NS) & (ends[same[1:]] > free)
        starts[same[1:][tail]] = free[tail]
    return DeviceTasks(
        span=rows,
        lane=lane,
        start_ns=starts,
        end_ns=trace.end_ns[rows],
        launch=np.where(is_call, parent, NONE),
        previous=previous,
        branches=branches,
    )


def with_branches(
    streams: Longs, starts: Longs, ends: Longs, lanes: int, *, overlap_ns: Longs
) -> tuple[Longs, tuple[int, ...]]:
    """Move each device task that starts while its stream is busy to a branch, which is another lane of the stream.

    Args:
        streams: number of each task's stream.
        starts: start of each task, ascending.
        lanes: number of streams and threads; it is also the number of the first branch.
        overlap_ns: permitted overlap of each task with the previous task, ns, for which no branch is needed.

    Returns:
        For each task the number of its stream or branch, and for each branch the number of its stream.

    Raises:
        InputError: there are more branches than ``limits.TRACE_BRANCHES``.
    """
    rows = split_by(streams, np.arange(len(streams)))
    if all((starts[same][1:] >= np.maximum.accumulate(ends[same])[:-1] - overlap_ns[same][1:]).all() for same in rows):
        return streams, ()
    lane = streams.tolist()
    branches: list[int] = []
    lanes_of = {stream: [stream] for stream in lane}
    idle: dict[int, list[tuple[int, int]]] = {stream: [(0, _NEVER)] for stream in lanes_of}
    busy: dict[int, list[tuple[int, int]]] = {stream: [] for stream in lanes_of}
    latest = (starts + overlap_ns).tolist()
    for task, (stream, start, end) in enumerate(zip(streams.tolist(), latest, ends.tolist(), strict=True)):
        while busy[stream] and busy[stream][0][0] <= start:
            ended, place = heapq.heappop(busy[stream])
            heapq.heappush(idle[stream], (place, ended))
        if not idle[stream]:
            idle[stream].append((len(lanes_of[stream]), _NEVER))
            lanes_of[stream].append(lanes + len(branches))
            branches.append(stream)
        place, ended = heapq.heappop(idle[stream])
        heapq.heappush(busy[stream], (max(ended, end), place))
        lane[task] = lanes_of[stream][place]
    if len(branches) > TRACE_BRANCHES:
        raise InputError(f"{len(branches):,} concurrent branches of streams, more than the limit of {TRACE_BRANCHES:,}")
    return np.array(lane, np.int64), tuple(branches)


def issue_times(trace: Trace, tasks: DeviceTasks) -> Longs:
    """Return when each device task of a trace was launched, ns.

    A task without a recorded launch counts as launched at its own start. If it runs before the first task of its lane
    with a recorded launch, it counts as launched before the trace: its time is less than all other times.
    """
    issued = np.where(tasks.launch == NONE, tasks.start_ns, trace.start_ns[tasks.launch])
    for same in split_by(tasks.lane, np.arange(len(tasks))):
        launched = tasks.launch[same] != NONE
        issued[same[: launched.argmax() if launched.any() else len(same)]] = _NEVER
    return issued


def start_causes(trace: Trace, tasks: DeviceTasks) -> Starts:
    """Return why each device task of a trace started when it did, as lags, gaps and waits."""
    waits = _event_waits(trace, tasks)
    launched = np.where(tasks.launch == NONE, _NEVER, trace.start_ns[tasks.launch])
    free = np.where(tasks.previous == NONE, _NEVER, tasks.end_ns[tasks.previous])
    waited = np.full(len(tasks), _NEVER, np.int64)
    np.maximum.at(waited, waits[:, 1], tasks.end_ns[waits[:, 0]])
    idle = (tasks.launch != NONE) & (np.maximum(free, waited) <= launched)
    lags = tasks.start_ns - launched
    some = lags[idle & (lags >= 0) & (lags < _LONG_NS)]
    latency = int(np.quantile(some, _QUICK)) if len(some) else _USUAL_LATENCY_NS
    explained = np.maximum(np.maximum(launched + latency, free), waited)
    unlike = ~idle | (lags > _LONG_NS)
    late = np.flatnonzero(unlike & (tasks.start_ns > explained + latency) & (waited == _NEVER))
    ended = _ended_just_before(tasks, late, launched)
    # a task that starts on an idle stream long after its launch waited for the blocks of a task that ends at its start
    alone = (ended == NONE) & idle[late]
    ended[alone] = _ended_just_before(tasks, late[alone], launched, tail_ns=_TAIL_NS)
    waits = np.concatenate([waits, np.stack([ended, late], axis=1)[ended != NONE]])
    before = _behind_older_work(trace, tasks)
    cut = _common_cut(trace, tasks, np.where(before, lags - latency, 0))
    waits = waits[~before[waits[:, 1]]]
    waited = np.full(len(tasks), _NEVER, np.int64)
    np.maximum.at(waited, waits[:, 1], tasks.end_ns[waits[:, 0]])
    bound_by_wait = (waited != _NEVER) & (waited >= np.maximum(free, launched))
    wait_lag = np.where(bound_by_wait, np.maximum(0, tasks.start_ns - waited), 0)[waits[:, 1]]
    by_launch = idle & ~bound_by_wait
    launch_lag = np.where(by_launch & ~before, np.maximum(0, lags), np.minimum(np.maximum(0, lags), latency))
    launch_lag[before] = np.maximum(launch_lag, lags - cut)[before]
    gap = np.zeros(len(tasks), np.int64)
    delayed = np.flatnonzero((tasks.previous != NONE) & ~by_launch & ~bound_by_wait)
    between = np.maximum(0, tasks.start_ns[delayed] - free[delayed])
    gap[tasks.previous[delayed]] = between
    return Starts(
        latency_ns=latency,
        launch_lag_ns=launch_lag,
        gap_ns=gap,
        waits=waits,
        wait_lag_ns=wait_lag,
        cut_ns=cut,
        unexplained=int(np.count_nonzero(between > _NEAR_NS)),
    )


def _behind_older_work(trace: Trace, tasks: DeviceTasks) -> Mask:
    # Return a mask of the first tasks of streams that started long after their launch although the device was idle.
    mask = np.zeros(len(tasks), bool)
    first = np.flatnonzero((tasks.previous == NONE) & (tasks.launch != NONE))
    devices = {key: number for number, key in enumerate((lane.process, lane.device) for lane in trace.lanes)}
    device = np.array([devices[lane.process, lane.device] for lane in trace.lanes])[trace.lane[tasks.span]]
    busy_until = np.full(len(tasks), _NEVER, np.int64)
    for same in split_by(device, np.arange(len(tasks))):
        busy_until[same[1:]] = np.maximum.accumulate(tasks.end_ns[same])[:-1]
    free = np.maximum(trace.end_ns[tasks.launch[first]], busy_until[first])
    mask[first] = tasks.start_ns[first] - free > _BEFORE_NS
    return mask


def _common_cut(trace: Trace, tasks: DeviceTasks, behind_ns: Longs) -> int:
    # Return the time of work from before the trace that can be cut from all processes alike, ns: if ranks were cut by
    # different times, their collectives would no longer match.
    process = np.unique([lane.process for lane in trace.lanes], return_inverse=True)[1][trace.lane[tasks.span]]
    return min((int(behind_ns[same].max()) for same in split_by(process, np.arange(len(tasks)))), default=0)


def _ended_just_before(tasks: DeviceTasks, late: Longs, launched: Longs, tail_ns: int = 0) -> Longs:
    # Return for each late task the task of another lane that ended last, shortly before the late task's start; or NONE.
    # It may also end up to `tail_ns` after that start, but not after the late task ends. Only tasks that were launched
    # earlier qualify, because a stream's wait is issued before the waiting task is launched.
    by_end = np.argsort(tasks.end_ns, kind="stable")
    ends = tasks.end_ns[by_end]
    ended = np.full(len(late), NONE, np.int64)
    highs = np.searchsorted(ends, np.minimum(tasks.start_ns[late] + tail_ns, tasks.end_ns[late]), side="right")
    lows = np.maximum(np.searchsorted(ends, tasks.start_ns[late] - _NEAR_NS), highs - _MOST_NEAR)
    for place, (task, low, high) in enumerate(zip(late.tolist(), lows.tolist(), highs.tolist(), strict=True)):
        near = by_end[low:high][::-1]
        fits = (tasks.lane[near] != tasks.lane[task]) & (tasks.start_ns[near] < tasks.start_ns[task])
        if tasks.launch[task] != NONE:
            fits &= launched[near] < launched[task]
        if fits.any():
            ended[place] = near[fits.argmax()]
    return ended


class _Wait(NamedTuple):
    # A wait of a stream for an event

    at_ns: int
    """Start of the waiting call, or of the wait on the device if its call was not recorded."""
    lane: int
    """Lane of the waiting stream."""
    record_ns: int
    recorded: int
    """Lane of the stream on which the event was recorded."""
    row: int


def _event_waits(trace: Trace, tasks: DeviceTasks) -> Longs:
    # Return pairs of device tasks, of which the second waits for the first because of a recorded event.
    # If the trace names the streams and the event, the first is the last task launched onto the event's stream before
    # the event was recorded, and the second is the next task launched onto the waiting stream. An event also covers the
    # waits that were issued to its stream after that last task.
    # Otherwise, the task that the same thread launches next waits. Of the tasks of other streams launched before the
    # wait, it waits for the one that ended last.
    issued, streams = issue_times(trace, tasks), trace.lane[tasks.span]
    by_stream, pairs = ByTime(streams, issued, np.arange(len(tasks))), list[tuple[int, int]]()
    held: dict[int, tuple[list[int], list[dict[int, int]]]] = defaultdict(lambda: ([], []))

    def pending(lane: int, time: int) -> dict[int, int]:
        # Return, by stream, the tasks for which the next task of a lane has to wait at a time.
        times, sources = held[lane]
        at = bisect_left(times, time) - 1
        waits = at >= 0 and by_stream.next(lane, times[at]) == by_stream.next(lane, time)
        return sources[at] if waits else {}

    stated = _stated_waits(trace, tasks)
    for wait in stated:
        recorded = dict(pending(wait.recorded, wait.record_ns))
        if (last := by_stream.last(wait.recorded, wait.record_ns)) != NONE:
            recorded[wait.recorded] = last
        sources = dict(pending(wait.lane, wait.at_ns))
        for lane, task in recorded.items():
            sources[lane] = max(task, sources.get(lane, NONE))
        held[wait.lane][0].append(wait.at_ns)
        held[wait.lane][1].append(sources)
        target = by_stream.next(wait.lane, wait.at_ns)
        pairs += [(source, target) for source in sources.values()]
    calls = np.setdiff1d(_calls(trace, _WAIT), [wait.row for wait in stated])
    launched = np.flatnonzero(tasks.launch != NONE)
    times, threads = issued[launched], trace.lane[tasks.launch[launched]]
    by_thread, by_lane = ByTime(threads, times, launched), ByTime(tasks.lane[launched], times, launched)
    for row in calls.tolist():
        time = int(trace.start_ns[row])
        target = by_thread.next(int(trace.lane[row]), time)
        pairs.append((NONE if target == NONE else _last_elsewhere(tasks, by_lane, target, time), target))
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    fits = (first != NONE) & (second != NONE) & (tasks.lane[first] != tasks.lane[second])
    # a task that started before the awaited task had ended did not wait for it: records are missing
    fits &= tasks.end_ns[first] <= tasks.start_ns[second] + _SLACK_NS
    return np.unique(np.stack([first, second], axis=1)[fits], axis=0)


def _stated_waits(trace: Trace, tasks: DeviceTasks) -> list[_Wait]:
    # Return the waits whose event and streams were recorded (`cuda_sync` of Kineto), in order.
    lanes: dict[tuple[str, str, float], int] = {}
    numbers = trace.column("stream", tasks.span).tolist()
    for lane, number in dict.fromkeys(zip(trace.lane[tasks.span].tolist(), numbers, strict=True)):
        lanes.setdefault((trace.lanes[lane].process, trace.lanes[lane].device, number), lane)
    records, waits = _calls(trace, _RECORD), list[_Wait]()
    began = dict(zip(trace.correlation[records].tolist(), trace.start_ns[records].tolist(), strict=True))
    rows = np.flatnonzero(spans_of_kind(trace, kinds.SYNCHRONISATION) & (trace.role == Role.EXECUTION))
    columns = (trace.column(name, rows).tolist() for name in ("stream", "wait_stream", "wait_correlation"))
    for row, *streams, correlation in zip(rows.tolist(), *columns, strict=True):
        if not any(map(math.isnan, streams)):
            place, call = trace.lanes[trace.lane[row]], int(trace.parent[row])
            # a stream without tasks gets a negative number, so that no other stream is taken for it
            lane, recorded = (
                lanes.setdefault((place.process, place.device, number), NONE - 1 - len(lanes)) for number in streams
            )
            at = int(trace.start_ns[row if call == NONE else call])
            # an event from before the trace covers what was launched before it
            since = at if math.isnan(correlation) else began.get(correlation, _NEVER + 1)
            waits.append(_Wait(at, lane, since, recorded, call))
    return sorted(waits)


def _calls(trace: Trace, pattern: re.Pattern[str]) -> Longs:
    rows = np.flatnonzero((trace.level == Level.LIBRARY) & spans_named(trace, pattern.match))
    return rows[np.argsort(trace.start_ns[rows], kind="stable")]


def _last_elsewhere(tasks: DeviceTasks, by_lane: "ByTime", target: int, time: int) -> int:
    # Return, of the last tasks launched onto other lanes before a time, the one that ended last before a task
    lasts = [by_lane.last(lane, time) for lane in by_lane.keys if lane != tasks.lane[target]]
    in_time = [task for task in lasts if task != NONE and tasks.end_ns[task] <= tasks.start_ns[target] + _SLACK_NS]
    return max(in_time, key=lambda task: int(tasks.end_ns[task]), default=NONE)


class ByTime:
    """Index of items by key and time, to find the last item before a time and the first item from a time on."""

    def __init__(self, keys: Any, times: Any, items: Any) -> None:
        """Sort the items of each key by time; the arguments are columns of equal length."""
        order = np.argsort(times, kind="stable")
        parts = sorted(split_by(keys[order], np.arange(len(order))), key=lambda part: int(part[0]))
        self._rows: dict[float, tuple[list[int], list[int]]] = {
            keys[rows[0]].item(): (times[rows].tolist(), items[rows].tolist())
            for rows in (order[part] for part in parts)
        }

    @property
    def keys(self) -> tuple[float, ...]:
        """Return the distinct keys."""
        return tuple(self._rows)

    def last(self, key: float, time: int) -> int:
        """Return the number of the last item of a key before a time, or ``NONE``."""
        times, items = self._rows.get(key, ([], []))
        at = bisect_left(times, time) - 1
        return items[at] if at >= 0 else NONE

    def next(self, key: float, time: int) -> int:
        """Return the number of the first item of a key at or after a time, or ``NONE``."""
        times, items = self._rows.get(key, ([], []))
        at = bisect_left(times, time)
        return items[at] if at < len(items) else NONE


def waves_of(trace: Trace, rows: Longs) -> Floats:
    """Return for each kernel its thread blocks divided by the blocks that fill the device (waves); NaN if unknown."""
    name = usual_name(trace.device)
    device = next(((count, kind) for pattern, count, kind in _DEVICES if re.search(pattern, name)), None)
    waves = np.full(len(rows), np.nan)
    if device is None or not {"grid", "block", "registers"} <= trace.attributes.keys():
        return waves
    registers, shared = (
        trace.column(key, rows, 0.0).astype(np.int64).tolist() for key in ("registers", "shared_bytes")
    )
    grids, blocks = (trace.string_column(key, rows) for key in ("grid", "block"))
    waves_of_shape: dict[tuple[str, str, int, int], float] = {}
    for place, shape in enumerate(zip(grids, blocks, registers, shared, strict=True)):
        if _WHOLE.fullmatch(shape[0]) and _WHOLE.fullmatch(shape[1]):
            if shape not in waves_of_shape:
                grid, block = (math.prod(map(int, extents.split(","))) for extents in shape[:2])
                waves_of_shape[shape] = _waves(grid, block, shape[2:], device)
            waves[place] = waves_of_shape[shape]
    return waves


def _waves(blocks: int, threads: int, uses: tuple[int, int], device: tuple[int, tuple[int, int]]) -> float:
    # Return the waves of a kernel; NaN if no block fits. ``uses`` are registers per thread and shared bytes per block;
    # ``device`` is the number of multiprocessors and the compute capability.
    count, capability = device
    share = theoretical_occupancy(threads, *uses, capability)
    if not share:
        return math.nan
    return blocks / (count * round(share * LIMITS[capability].warps / -(-threads // WARP)))
