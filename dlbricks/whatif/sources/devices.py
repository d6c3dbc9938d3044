"""The device side of a measured graph: streams, launches, waits for events, and what each start is explained by.

A device task starts when it was launched, when its stream was free and when what its stream waits for was done; each
measured start is explained by the one of these that came last. A launch begins to count at the start of the call.

Labels say which layer and which phase of a step each span belongs to, and which device task completes a gradient.
Daydream labelled tasks by instrumenting frameworks (USENIX ATC 2020, section 4.2); operators, ranges and the numbers
that forward and backward operators share say the same without. Frameworks accumulate each parameter's gradient in an
operator of its own, whose operand has the parameter's shape.
"""

import json
import math
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.trace.intervals import ancestors, nearest, split_by
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace
from dlbricks.whatif.graph import DependencyGraph, Mask, Phase, launches, with_attributes
from dlbricks.whatif.sources.branches import branched
from dlbricks.whatif.work import element_bytes

_QUICK = 0.05
"""Quantile of the latencies of launches onto idle streams that is taken for that of a launch in a queue."""
_USUAL_LATENCY_NS = 5_000
"""Where a trace has no launch onto an idle stream."""
_NEAR_NS = 50_000
"""A start that nothing known explains, this soon behind the end of a task of another stream, waits for that."""
_LONG_NS = 200_000
"""No launch takes so long to begin: onto an idle stream something else was waited for."""
_BEFORE_NS = 1_000_000
"""A device that idles for so long though something was launched has work from before the trace, which is not in it."""
_MOST_NEAR = 100
"""Tasks that ended last among which one is looked for."""
_SLACK_NS = 1_000
"""By how much clocks of host and device may differ."""
_WAIT = re.compile(r"(cuda|hip|cu)StreamWaitEvent", re.IGNORECASE)
_RECORD = re.compile(r"(cuda|hip|cu)EventRecord", re.IGNORECASE)
_NEVER = np.iinfo(np.int64).min // 2


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
    cut_ns: int
    """How long devices worked on what was launched before the trace; the tasks behind that start as if they had not."""
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
    streams = trace.lane[rows].astype(np.int64)
    lane, branches = branched(streams, trace.start_ns[rows], trace.end_ns[rows], len(trace.lanes))
    previous = np.full(len(rows), NONE, np.int64)
    for same in split_by(lane, np.arange(len(rows))):
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


def explained(trace: Trace, tasks: DeviceTasks) -> Starts:
    """Say what the start of each task of a trace waited for."""
    event_waits = _event_waits(trace, tasks)
    launched = np.where(tasks.launch == NONE, _NEVER, trace.start_ns[tasks.launch])
    free = np.where(tasks.previous == NONE, _NEVER, tasks.end_ns[tasks.previous])
    waited = np.where(event_waits == NONE, _NEVER, tasks.end_ns[event_waits])
    idle = (tasks.launch != NONE) & (np.maximum(free, waited) <= launched)
    lags = tasks.start_ns - launched
    some = lags[idle & (lags >= 0) & (lags < _LONG_NS)]
    latency = int(np.quantile(some, _QUICK)) if len(some) else _USUAL_LATENCY_NS
    known = np.maximum(np.maximum(launched + latency, free), waited)
    waits_for = np.array(event_waits)
    unlike = ~idle | (lags > _LONG_NS)
    late = np.flatnonzero(unlike & (tasks.start_ns > known + latency) & (event_waits == NONE))
    waits_for[late] = _ended_just_before(tasks, late, launched)
    before = _behind_older_work(trace, tasks)
    waits_for[before] = NONE
    bound_by_wait = (waits_for != NONE) & (tasks.end_ns[waits_for] >= np.maximum(free, launched))
    wait_lag = np.where(bound_by_wait, np.maximum(0, tasks.start_ns - tasks.end_ns[waits_for]), 0)
    by_launch = idle & ~bound_by_wait
    launch_lag = np.where(by_launch & ~before, np.maximum(0, lags), np.minimum(np.maximum(0, lags), latency))
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
        cut_ns=int((lags - latency)[before].max(initial=0)),
        unexplained=int(np.count_nonzero(between > _NEAR_NS)),
    )


def _behind_older_work(trace: Trace, tasks: DeviceTasks) -> Mask:
    """Tell which tasks, the first of their streams, began long after their launch while no recorded one ran."""
    made = np.zeros(len(tasks), bool)
    first = np.flatnonzero((tasks.previous == NONE) & (tasks.launch != NONE))
    devices = {key: number for number, key in enumerate((lane.process, lane.device) for lane in trace.lanes)}
    device = np.array([devices[lane.process, lane.device] for lane in trace.lanes])[trace.lane[tasks.span]]
    busy_until = np.full(len(tasks), _NEVER, np.int64)
    for same in split_by(device, np.arange(len(tasks))):
        busy_until[same[1:]] = np.maximum.accumulate(tasks.end_ns[same])[:-1]
    free = np.maximum(trace.end_ns[tasks.launch[first]], busy_until[first])
    made[first] = tasks.start_ns[first] - free > _BEFORE_NS
    return made


def _ended_just_before(tasks: DeviceTasks, late: Longs, launched: Longs) -> Longs:
    """Give for each of some tasks the one of another lane that ended last before it, if that was soon before.

    A stream is told what to wait for before the task that waits is launched: what was launched later is none of it.
    """
    by_end = np.argsort(tasks.end_ns, kind="stable")
    ends = tasks.end_ns[by_end]
    found = np.full(len(late), NONE, np.int64)
    highs = np.searchsorted(ends, tasks.start_ns[late], side="right")
    lows = np.maximum(np.searchsorted(ends, tasks.start_ns[late] - _NEAR_NS), highs - _MOST_NEAR)
    for place, (task, low, high) in enumerate(zip(late.tolist(), lows.tolist(), highs.tolist(), strict=True)):
        near = by_end[low:high][::-1]
        fits = (tasks.lane[near] != tasks.lane[task]) & (tasks.start_ns[near] < tasks.start_ns[task])
        if tasks.launch[task] != NONE:
            fits &= launched[near] < launched[task]
        if fits.any():
            found[place] = near[fits.argmax()]
    return found


def _event_waits(trace: Trace, tasks: DeviceTasks) -> Longs:
    """Give for each device task the one that its stream was told to wait for; ``NONE`` where it was told none.

    Where a trace names events and streams they decide: the last record of the event, and the last task launched onto
    its stream before that. Where it does not, a wait concerns what the same thread launches next, and the task of
    another stream that ended last of those launched before the wait.
    """
    found = np.full(len(tasks), NONE, np.int64)
    waits = _calls(trace, _WAIT)
    if not len(waits) or not len(tasks):
        return found
    known = np.flatnonzero(tasks.launch != NONE)
    times, threads = trace.start_ns[tasks.launch[known]], trace.lane[tasks.launch[known]]
    by_thread, by_lane = ByTime(threads, times, known), ByTime(tasks.lane[known], times, known)
    by_stream = ByTime(trace.column("stream", tasks.span[known]), times, known)
    records = _calls(trace, _RECORD)
    by_event = ByTime(trace.column("event", records), trace.start_ns[records], records)
    for row, event in zip(waits.tolist(), trace.column("event", waits).tolist(), strict=True):
        time = int(trace.start_ns[row])
        target, record = by_thread.next(int(trace.lane[row]), time), by_event.last(event, time)
        if target == NONE:
            continue
        if record != NONE:
            stream = float(trace.column("stream", np.array([record]))[0])
            source = by_stream.last(stream, int(trace.start_ns[record]))
        else:
            source = _last_elsewhere(tasks, by_lane, target, time)
        if source not in {NONE, target} and tasks.lane[source] != tasks.lane[target]:
            before = found[target]
            if before == NONE or tasks.end_ns[source] > tasks.end_ns[before]:
                found[target] = source
    return found


def _calls(trace: Trace, pattern: re.Pattern[str]) -> Longs:
    fitting = [number for number, name in enumerate(trace.names) if pattern.match(name)]
    rows = np.flatnonzero((trace.level == Level.LIBRARY) & np.isin(trace.name, fitting))
    return rows[np.argsort(trace.start_ns[rows], kind="stable")]


def _last_elsewhere(tasks: DeviceTasks, by_lane: "ByTime", target: int, time: int) -> int:
    """Give of the last tasks launched onto other lanes before some time the one that ended last before a task."""
    lasts = [by_lane.last(lane, time) for lane in by_lane.keys if lane != tasks.lane[target]]
    in_time = [task for task in lasts if task != NONE and tasks.end_ns[task] <= tasks.start_ns[target] + _SLACK_NS]
    return max(in_time, key=lambda task: int(tasks.end_ns[task]), default=NONE)


class ByTime:
    """Items by a key and a time: which came last before a time, which comes next."""

    def __init__(self, keys: Any, times: Any, items: Any) -> None:
        """Sort items, one entry for each in every column, by time."""
        self._rows: dict[float, tuple[list[int], list[int]]] = {}
        order = np.argsort(times, kind="stable")
        for key, time, item in zip(*(column[order].tolist() for column in (keys, times, items)), strict=True):
            row = self._rows.setdefault(key, ([], []))
            row[0].append(time)
            row[1].append(item)

    @property
    def keys(self) -> tuple[float, ...]:
        """Every key once."""
        return tuple(self._rows)

    def last(self, key: float, time: int) -> int:
        """Give the last item of a key before a time; ``NONE`` where there is none."""
        times, items = self._rows.get(key, ([], []))
        at = bisect_left(times, time) - 1
        return items[at] if at >= 0 else NONE

    def next(self, key: float, time: int) -> int:
        """Give the first item of a key from a time on; ``NONE`` where there is none."""
        times, items = self._rows.get(key, ([], []))
        at = bisect_left(times, time)
        return items[at] if at < len(items) else NONE


BACKWARD = re.compile(r"autograd::engine|backward|AccumulateGrad|reducer|Bwd", re.IGNORECASE)
UPDATE = re.compile(
    r"Optimizer\.(step|zero_grad)|\boptimi[sz]er\b|^adam|^sgd|_foreach_|clip_grad|GradScaler", re.IGNORECASE
)
"""What operators of a backward pass and of an update are called, or the ranges around them."""
_ACCUMULATES = re.compile(r"(torch::autograd::)?AccumulateGrad")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Layer and phase of every span."""

    layers: tuple[str, ...]
    layer: Longs
    """Into ``layers``; ``NONE`` where there is none."""
    phase: Longs
    operators: tuple[str, ...]
    operator: Longs
    """Of the layer, or the operation of a collective, into ``operators``; ``NONE`` where it is not known."""


def labels_of(trace: Trace) -> Labels:
    """Label every span; what runs on a device by its launch."""
    outer = ancestors(trace, Level.LAYER, outermost=True)
    around = ancestors(trace, Level.APPLICATION)
    source = np.where(outer == NONE, 0, outer)
    layers, layer = np.unique(trace.name[source], return_inverse=True)
    operators, operator, operation = _operators(trace)
    phase = np.full(len(trace), int(Phase.FORWARD), np.int64)
    phase[(outer == NONE) & (around == NONE)] = int(Phase.NONE)
    phase[_inside(trace, BACKWARD) | _on_backward_lanes(trace)] = int(Phase.BACKWARD)
    phase[_inside(trace, UPDATE)] = int(Phase.UPDATE)
    return Labels(
        layers=tuple(trace.names[number] for number in layers.tolist()),
        layer=np.where(outer == NONE, NONE, layer),
        phase=phase,
        operators=operators,
        operator=np.where(operation != NONE, operation, np.where(outer == NONE, NONE, operator[source])),
    )


def _operators(trace: Trace) -> tuple[tuple[str, ...], Longs, Longs]:
    """Give every type of operator once, and of each span its type and its collective operation; ``NONE`` if unknown."""
    numbers: dict[str, int] = {}
    found = []
    for name in ("type", "collective"):
        made = np.full(len(trace), NONE, np.int64)
        attribute = trace.attributes.get(name)
        if attribute is not None:
            made[attribute.rows] = [numbers.setdefault(str(value), len(numbers)) for value in attribute.values]
        found.append(made)
    return tuple(numbers), found[0], found[1]


def _inside(trace: Trace, pattern: re.Pattern[str]) -> Mask:
    """Tell which spans have a name with a pattern, or are inside of one that has."""
    fitting = [number for number, name in enumerate(trace.names) if pattern.search(name)]
    made: Mask = nearest(trace.parent, np.isin(trace.name, fitting) & (trace.level <= Level.LAYER)) != NONE
    return made


def _on_backward_lanes(trace: Trace) -> Mask:
    """Tell which spans are on, or launched from, a thread whose operators belong to forward operators of another."""
    if "forward_thread" not in trace.attributes:
        return np.zeros(len(trace), bool)
    rows = trace.attributes["forward_thread"].rows
    given = np.array([str(value) for value in trace.attributes["forward_thread"].values])
    backward = []
    for lane in np.unique(trace.lane[rows]).tolist():
        threads, own = given[trace.lane[rows] == lane], trace.lanes[lane].name
        if np.mean([value not in own and value not in {"0", ""} for value in threads.tolist()]) > 0.5:
            backward.append(lane)
    on_lane = np.isin(trace.lane, backward)
    launched = (trace.role == Role.EXECUTION) & (trace.parent != NONE)
    made: Mask = on_lane | (launched & on_lane[np.where(launched, trace.parent, 0)])
    return made


def with_gradients(graph: DependencyGraph, trace: Trace) -> DependencyGraph:
    """Write down bytes of gradients where they are complete, if the trace has operators that accumulate them.

    Args:
        graph: made of the trace and not edited since.
        trace: with ``input_shapes``, as recorded with ``record_shapes=True``.
    """
    fitting = [number for number, name in enumerate(trace.names) if _ACCUMULATES.fullmatch(name)]
    shapes = trace.attributes.get("input_shapes")
    if shapes is None or not fitting:
        return graph
    types = trace.attributes.get("dtype")
    type_of = {} if types is None else dict(zip(types.rows.tolist(), types.values, strict=True))
    found = np.full(len(graph), np.nan)
    launch = launches(graph)
    rows = np.flatnonzero((launch != NONE) & (graph.span[launch] != NONE))
    calls = graph.span[launch[rows]]
    launched = ByTime(trace.lane[calls], trace.start_ns[calls], rows)
    accumulates = np.isin(trace.name[shapes.rows], fitting) & (trace.level[shapes.rows] == Level.LAYER)
    for place in np.flatnonzero(accumulates).tolist():
        row = int(shapes.rows[place])
        task = launched.last(int(trace.lane[row]), int(trace.end_ns[row]) + 1)
        shape = _first_shape(str(shapes.values[place]))
        if task != NONE and shape is not None:
            size = math.prod(shape) * element_bytes(str(type_of.get(row, "")))
            found[task] = size + np.nan_to_num(found[task])
    return graph if np.isnan(found).all() else with_attributes(graph, gradient_bytes=found)


def _first_shape(text: str) -> list[int] | None:
    """Read the shape of the first operand, as in ``[[64,3,7,7]]``; None where there is none."""
    try:
        shapes = json.loads(text)
    except json.JSONDecodeError:
        return None
    first = shapes[0] if isinstance(shapes, list) and shapes else None
    whole = isinstance(first, list) and bool(first) and all(isinstance(size, int) for size in first)
    return first if whole else None
