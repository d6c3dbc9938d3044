"""Conversion of a trace to a dependency graph whose replay reproduces the trace."""

import functools
import json
import math
import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace import kinds
from dlbricks.trace.intervals import ancestors, nearest
from dlbricks.trace.types import NONE, Lane, Level, Longs, Role, Trace
from dlbricks.trace.work_classes import element_bytes
from dlbricks.units import counted, format_ns
from dlbricks.whatif.edit import with_tasks
from dlbricks.whatif.explain import step_spans
from dlbricks.whatif.graph import (
    ON_DEVICE,
    DependencyGraph,
    EdgeKind,
    Floats,
    Mask,
    Phase,
    TaskKind,
    graph_of,
    launches,
    with_attributes,
    with_columns,
)
from dlbricks.whatif.select import by_lane, of_name
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.devices import (
    ByTime,
    DeviceTasks,
    device_tasks,
    issue_times,
    spans_named,
    spans_of_kind,
    start_causes,
    waves_of,
)
from dlbricks.whatif.sources.hosts import (
    HostTasks,
    gaps,
    hand_overs,
    hidden_waits,
    host_tasks,
    starts_of_threads,
    with_slow_launches,
)

# A stream accepts about a thousand queued launches. Training without synchronisation fills the queue; then launches
# block, and the host runs at the pace of the device. In the graph such a launch waits for the task that freed a queue
# entry; otherwise a faster device would have no effect. Threads that only poll the device are left out.
#
# Daydream labels tasks by instrumenting frameworks (USENIX ATC 2020, section 4.2). Here layers and training phases
# follow from operators, ranges, and the sequence numbers that forward and backward operators share. Frameworks
# accumulate the gradient of each parameter in a separate operator, whose operand has the parameter's shape.

_WHOLE_DEVICE = re.compile(r"(cuda|hip|musa)DeviceSynchronize|(cu|hip)Ctx\w*Synchronize", re.IGNORECASE)
# Tolerance between host and device clocks for the end of a wait.
_CLOCKS_NS = 50_000
_COPY_CALL = re.compile(r"(cuda|hip|cu)Memcpy", re.IGNORECASE)
# A copy call that takes longer than this and returns when its copy has ended is blocking. So is a call that copies
# pageable memory and lasts for most of its copy: it returns up to 0.1 ms before the copy ends (in traces of a V100).
_BLOCKING_NS = 20_000
_FIGURES = (
    "flops", "read_bytes", "written_bytes", "parameter_bytes", "bytes", "elements", "group_size", "collective_sequence",
)  # fmt: skip
# Task kinds by kind of a device span; all other spans are kernels.
TASK_KINDS = {kinds.COPY: TaskKind.COPY, kinds.MEMSET: TaskKind.COPY, kinds.COLLECTIVE: TaskKind.COLLECTIVE}
# A task whose launch was not recorded keeps its recorded start if it starts later than this after the previous task of
# its stream, and not right after a task of another stream.
_PAUSE_NS = 50_000
# Number of pending launches at which the queue counts as full: it has 1024 entries, some of which have other uses.
_FULL = 1000
# A launch into a full queue waited for an entry if it took this many times as long as the median of other launches.
_BLOCKED = 2
_WATCHES = re.compile(r"(cuda|hip|cu)(Event|Stream)Query", re.IGNORECASE)
# Names of operators and ranges of a backward pass, and of a parameter update.
_BACKWARD = re.compile(r"autograd::engine|backward|AccumulateGrad|reducer|Bwd", re.IGNORECASE)
_UPDATE = re.compile(
    r"Optimizer\.(step|zero_grad)|\boptimi[sz]er\b|^adam|^sgd|_foreach_|clip_grad|GradScaler", re.IGNORECASE
)
_ACCUMULATES = re.compile(r"(torch::autograd::)?AccumulateGrad")


def graph_of_trace(trace: Trace, name: str = "trace") -> DependencyGraph:
    """Return a dependency graph of tasks whose replay reproduces a trace (its spans need parents).

    Raises:
        InputError: the trace has no tasks.
    """
    host, device = host_tasks(trace), device_tasks(trace)
    calls = (trace.level == Level.LIBRARY).any()
    if not len(device) and not calls and any(lane.device for lane in trace.lanes):
        raise InputError(
            f"{name} has time ranges on a device, but no kernels and no calls that launch them: record it with "
            "torch.profiler on CUDA, ROCm or XPU, not with the profiler of JAX or Ascend"
        )
    if not len(host) and not len(device):
        raise InputError(f"{name} has neither calls nor layers nor kernels: record a trace with these")
    assembly = _Assembly(trace, name, host, device)
    graph = _without_watchers(_with_queues(assembly.graph()))
    return _with_gradients(_cut(graph, assembly.starts.cut_ns), trace)


@dataclass(slots=True)
class _Waiting:
    """The host calls that wait for a device; keys are indices of host tasks."""

    lanes: dict[int, list[int]]
    """Device lanes for which the call waits."""
    until_ns: dict[int, int]
    """End of the awaited task, for calls during which this task ends."""
    copies: dict[int, int]
    """Device task of the copy for which the call waits."""
    events: dict[int, int]
    """Device task after which the awaited event was recorded."""
    unknown: int = 0
    """Number of waiting calls for which no awaited task is known."""


class _Assembly:
    """Assembly of a graph from host and device tasks, sorted by start; a blocking copy becomes a launch and a wait."""

    def __init__(self, trace: Trace, name: str, host: HostTasks, device: DeviceTasks) -> None:
        self._trace, self._name, self._host, self._device = trace, name, host, device
        self.starts = start_causes(trace, device)
        self._host = host = self._with_slow_launches()
        turns = hand_overs(trace, host)
        _, firsts = np.unique(host.lane, return_index=True)
        firsts = firsts[~np.isin(firsts, turns[:, 1])]
        started = starts_of_threads(trace, host, firsts)
        self._hand_overs = np.concatenate([turns, started])
        # first tasks of threads that nothing started
        self._alone = np.setdiff1d(firsts, started[:, 1])
        self._launches = self._launching_tasks()
        launched = np.flatnonzero(device.launch != NONE)
        self._launched = ByTime(device.lane[launched], trace.start_ns[device.launch[launched]], launched)
        # tasks launched before the trace, by end
        before = np.flatnonzero((device.launch == NONE) & (issue_times(trace, device) < device.start_ns))
        self._before = ByTime(device.lane[before], device.end_ns[before], before)
        self._waiting = self._waits()
        self._gaps = gaps(host, turns[:, 1])
        self._hidden = hidden_waits(trace, host, device, self._gaps, self._last_launched)
        self._gaps[self._hidden[:, 0]] = 0
        self._origin = int(min(values.min() for values in (host.start_ns, device.start_ns) if len(values)))

    def _with_slow_launches(self) -> HostTasks:
        # Split launching calls that did something else before they launched; blocking copies are split elsewhere.
        launch, trace, starts = self._launching_tasks(), self._trace, self.starts
        copies = spans_named(trace, _COPY_CALL.match)[self._host.span[launch]] if len(self._host) else launch != NONE
        ready = trace.start_ns[self._device.launch] + starts.launch_lag_ns - starts.latency_ns
        return with_slow_launches(self._host, np.where(copies, NONE, launch), ready)

    def _launching_tasks(self) -> Longs:
        # Return the host task that launches each device task, or `NONE`.
        task_of_row = np.full(len(self._trace) + 1, NONE, np.int64)
        task_of_row[self._host.span] = np.arange(len(self._host))
        task_rows = nearest(self._trace.parent, task_of_row[:-1] != NONE)
        launch = self._device.launch
        return task_of_row[np.where(launch == NONE, NONE, task_rows[launch])] if len(self._trace) else launch

    def _waits(self) -> _Waiting:
        trace, host = self._trace, self._host
        waits = _Waiting(lanes={}, until_ns={}, copies={}, events={})
        streams, records = self._streams_waited_for()
        for index in np.flatnonzero(spans_of_kind(trace, kinds.SYNCHRONISATION)[host.span]).tolist():
            self._wait_of_call(waits, index, streams, records)
        long = spans_named(trace, _COPY_CALL.match)[host.span] & (host.end_ns - host.start_ns > _BLOCKING_NS)
        launched = np.flatnonzero((self._launches != NONE) & (self._device.end_ns >= self._device.start_ns))
        calls, ends = self._launches[launched], self._device.end_ns[launched]
        starts = self._device.start_ns[launched]
        lasted, overlap = host.end_ns[calls] - host.start_ns[calls], host.end_ns[calls] - starts
        pageable = spans_named(trace, lambda name: "Pageable" in name)[self._device.span[launched]]
        staged = pageable & (2 * overlap > ends - starts)
        near = (ends <= host.end_ns[calls] + _CLOCKS_NS) & (2 * overlap > lasted)
        within = (ends <= host.end_ns[calls]) | near | staged
        blocking = np.flatnonzero(long[calls] & within)
        for call, copy in zip(calls[blocking].tolist(), launched[blocking].tolist(), strict=True):
            if call not in waits.copies:
                waits.copies[call] = copy
                waits.until_ns[call] = min(int(self._device.end_ns[copy]), int(host.end_ns[call]))
        return waits

    def _streams_waited_for(self) -> tuple[Floats, dict[int, int]]:
        # Return the number of each span's stream, or of the stream that it waits for; and by call the time at which the
        # awaited event was recorded.
        trace = self._trace
        streams = trace.column("stream", np.arange(len(trace)))
        rows = np.flatnonzero(spans_of_kind(trace, kinds.SYNCHRONISATION) & (trace.role == Role.EXECUTION))
        rows = rows[trace.parent[rows] != NONE]
        calls, waited = trace.parent[rows], trace.column("wait_stream", rows)
        streams[calls] = np.where(np.isnan(waited), streams[rows], waited)
        began = dict(zip(trace.correlation.tolist(), trace.start_ns.tolist(), strict=True))
        recorded = zip(calls.tolist(), trace.column("wait_correlation", rows).tolist(), strict=True)
        return streams, {call: began[number] for call, number in recorded if number in began}

    def _wait_of_call(self, found_waits: _Waiting, index: int, streams: Floats, records: dict[int, int]) -> None:
        # Find the tasks that a synchronising call waits for; `streams` and `records` are from `_streams_waited_for`.
        trace, host, device = self._trace, self._host, self._device
        row = int(host.span[index])
        start, end = int(host.start_ns[index]), int(host.end_ns[index])
        process = trace.lanes[trace.lane[row]].process
        last = self._last_launched(process, records.get(row, start))
        for lane in map(int, self._before.keys):
            task = self._before.last(lane, end + _CLOCKS_NS)
            if lane not in last and self._lane(lane).process == process and device.end_ns[task] > start:
                last[lane] = task
        if not _WHOLE_DEVICE.match(trace.names[trace.name[row]]):
            same = {lane: task for lane, task in last.items() if streams[device.span[task]] == streams[row]}
            inside = {lane: task for lane, task in last.items() if start < device.end_ns[task] <= end}
            latest = max(inside, key=lambda lane: int(device.end_ns[inside[lane]]), default=None)
            # guessed only where the trace does not state the stream
            guess = {} if latest is None or not np.isnan(streams[row]) else {latest: inside[latest]}
            last = same or guess
        if not last:
            found_waits.unknown += 1
            return
        if row in records:
            found_waits.events[index] = max(last.values(), key=lambda task: int(device.end_ns[task]))
        else:
            found_waits.lanes[index] = sorted(last)
        until = max(int(device.end_ns[task]) for task in last.values())
        if start < until <= end + _CLOCKS_NS:
            found_waits.until_ns[index] = min(until, end)

    def _last_launched(self, process: str, time: int) -> dict[int, int]:
        # Return, by device lane of a process, the last task that was launched before a time.
        lanes = (int(lane) for lane in self._launched.keys)
        last = {lane: self._launched.last(lane, time) for lane in lanes if self._lane(lane).process == process}
        return {lane: task for lane, task in last.items() if task != NONE}

    def _lane(self, number: int) -> Lane:
        # Return a lane by its number; a branch of a stream has a name of its own.
        count = len(self._trace.lanes)
        if number < count:
            return self._trace.lanes[number]
        stream = self._trace.lanes[self._device.branches[number - count]]
        return Lane(process=stream.process, name=f"{stream.name} branch {number - count + 1}", device=stream.device)

    def graph(self) -> DependencyGraph:
        trace, host, device, starts = self._trace, self._host, self._device, self.starts
        split = np.array(sorted(self._waiting.copies), np.int64)
        hosts, seconds = len(host), len(split)
        until = np.array([self._waiting.until_ns.get(index, NONE) for index in range(hosts)], np.int64)
        waits_only = (until != NONE) & ~np.isin(np.arange(hosts), split)
        duration = host.end_ns - np.where(waits_only, until, host.start_ns)
        duration[split] = np.minimum(starts.latency_ns, host.end_ns[split] - host.start_ns[split])
        gap = self._gaps
        copies = np.array([self._waiting.copies[index] for index in split.tolist()], np.int64)
        late = np.maximum(0, device.end_ns[copies] - host.end_ns[split])
        second_gap, gap[split] = np.maximum(0, gap[split] - late), 0
        place = np.concatenate([np.where(waits_only, until, host.start_ns), until[split], device.start_ns])
        order = np.lexsort((np.repeat([0, 1, 2], [hosts, seconds, len(device)]), place))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        of_host, of_second, of_device = np.split(rank, [hosts, hosts + seconds])
        first_ends = host.end_ns.copy()
        first_ends[split] = host.start_ns[split] + duration[split]

        def sorted_(of_hosts: Any, of_seconds: Any, of_devices: Any) -> Any:
            return np.concatenate([of_hosts, of_seconds, of_devices])[order]

        spans = sorted_(host.span, host.span[split], device.span)
        begins = sorted_(host.start_ns, until[split], device.start_ns)
        ends = sorted_(first_ends, host.end_ns[split], device.end_ns)
        lanes, lane = np.unique(sorted_(host.lane, host.lane[split], device.lane), return_inverse=True)
        waiting = np.full(seconds, TaskKind.SYNCHRONISATION)
        host_kinds = np.where(host.loads, TaskKind.DATA, TaskKind.CPU)
        host_kinds[waits_only] = host_kinds[list(self._waiting.lanes)] = TaskKind.SYNCHRONISATION
        host_kinds[list(self._waiting.events)] = TaskKind.SYNCHRONISATION
        by_kind = np.array([int(TASK_KINDS.get(kind, TaskKind.KERNEL)) for kind in trace.kinds] or [0])
        labels = _labels_of(trace)
        columns: dict[str, Any] = {
            "kind": sorted_(host_kinds, waiting, by_kind[trace.kind[device.span]]),
            "lane": lane,
            "task_name": trace.name[spans],
            "layer": labels.layer[spans],
            "operator": labels.operator[spans],
            "phase": labels.phase[spans],
            "duration_ns": sorted_(duration, host.end_ns[split] - until[split], device.end_ns - device.start_ns),
            "gap_ns": sorted_(gap, second_gap, starts.gap_ns),
            "release_ns": sorted_(*self._releases(seconds)),
            "span": spans,
        }
        attributes = {"measured_start_ns": begins - self._origin, "measured_end_ns": ends - self._origin}
        attributes |= {key: trace.column(key, spans) for key in _FIGURES if key in trace.attributes}
        attributes |= _groups(trace, spans)
        waves = sorted_(np.full(hosts, np.nan), np.full(seconds, np.nan), waves_of(trace, device.span))
        attributes |= {} if np.isnan(waves).all() else {"waves": waves}
        last_of_host = of_host.copy()
        last_of_host[split] = of_second
        second_of = dict(zip(split.tolist(), of_second.tolist(), strict=True))
        numbers = {lane: number for number, lane in enumerate(lanes.tolist())}
        columns |= self._edges(of_host, last_of_host, of_device) | self._late_waits(second_of, of_host, numbers)
        steps = self._steps()
        return graph_of(
            self._name,
            columns,
            lanes=tuple(self._lane(number) for number in lanes.tolist()),
            names=trace.names,
            layers=labels.layers,
            operators=labels.operators,
            attributes=attributes,
            steps=tuple((start, end) for start, end, _ in steps),
            step_names=tuple(name for _, _, name in steps),
            device=trace.device,
            notes=(*trace.notes, *self._notes()),
        )

    def _releases(self, seconds: int) -> tuple[Longs, Longs, Longs]:
        # Return earliest starts: of threads that nothing started, and of tasks without a recorded launch after a pause.
        # A task that starts right after a task of another stream waits for that task instead.
        host, device = self._host, self._device
        begins = np.zeros(len(host), np.int64)
        begins[self._alone] = host.start_ns[self._alone] - self._origin
        ready = device.previous != NONE
        ready &= device.start_ns - device.end_ns[device.previous] <= _PAUSE_NS
        ready[self.starts.waits[:, 1]] = True
        orphans = np.where((self._launches == NONE) & ~ready, device.start_ns - self._origin, 0)
        return begins, np.zeros(seconds, np.int64), orphans

    def _edges(self, of_host: Longs, last_of_host: Longs, of_device: Longs) -> dict[str, Any]:
        host, starts = self._host, self.starts
        launched = np.flatnonzero(self._launches != NONE)
        waited, waiting = starts.waits.T
        calls = self._launches[launched]
        # lags count from the start of the host task, which may begin before the launching call in it, or late in it
        inside = self._trace.start_ns[self._device.launch[launched]] - host.start_ns[calls]
        launch_lags = np.maximum(0, starts.launch_lag_ns[launched] + inside)
        firsts, seconds = self._hand_overs.T
        turn_lags = np.maximum(0, host.start_ns[seconds] - host.end_ns[firsts])
        _, after, kernels = self._hidden.T
        hidden_lags = np.maximum(0, host.start_ns[after] - self._device.end_ns[kernels])
        calls_of_events, events = np.array(sorted(self._waiting.events.items()), np.int64).reshape(-1, 2).T
        parts = (
            (of_host[calls], of_device[launched], EdgeKind.LAUNCH, launch_lags),
            (of_device[waited], of_device[waiting], EdgeKind.STREAM, starts.wait_lag_ns),
            (last_of_host[firsts], of_host[seconds], EdgeKind.THREAD, turn_lags),
            (of_device[kernels], of_host[after], EdgeKind.WAIT, hidden_lags),
            (of_device[events], of_host[calls_of_events], EdgeKind.WAIT, np.zeros(len(events), np.int64)),
        )
        return {
            "edge_from": np.concatenate([part[0] for part in parts]),
            "edge_to": np.concatenate([part[1] for part in parts]),
            "edge_kind": np.concatenate([np.full(len(part[0]), part[2]) for part in parts]),
            "edge_lag_ns": np.concatenate([part[3] for part in parts]),
        }

    def _late_waits(self, second_of: dict[int, int], of_host: Longs, numbers: dict[int, int]) -> dict[str, list[int]]:
        pairs = [(int(of_host[index]), lane) for index, lanes in self._waiting.lanes.items() for lane in lanes]
        pairs += [(second_of[index], int(self._device.lane[copy])) for index, copy in self._waiting.copies.items()]
        return {"wait_task": [task for task, _ in pairs], "wait_lane": [numbers[lane] for _, lane in pairs]}

    def _steps(self) -> list[tuple[int, int, str]]:
        rows = self._trace.rows(Level.APPLICATION, kinds.STEP)
        rows = rows if len(rows) else self._trace.rows(Level.MODEL)
        spans = (self._trace.span(row) for row in rows.tolist())
        return sorted((span.start_ns - self._origin, span.end_ns - self._origin, span.name) for span in spans)

    def _notes(self) -> list[str]:
        orphans = int(np.count_nonzero(self._launches == NONE))
        unseen_launches = (
            np.count_nonzero(self._trace.role[self._host.span] == Role.LAUNCH) if not len(self._device) else 0
        )
        unseen = "the launched work was not recorded, so only times of the host are known"
        counts = (
            (int(unseen_launches), "launching call", unseen),
            (orphans, "device task", "launched before or outside the trace; after a pause the recorded start is kept"),
            (self.starts.unexplained, "device task", "started late for unknown reasons; the delay is kept as a gap"),
            (self._waiting.unknown, "synchronising call", "what is waited for is unknown, so nothing is"),
            (len(self._hidden), "hidden wait", "a gap between host calls that ends soon after a kernel waits for it"),
        )
        return [f"{counted(count, noun)}: {what}" for count, noun, what in counts if count]


def _groups(trace: Trace, rows: Longs) -> dict[str, Floats]:
    # Return the number of each collective's process group, by name and ranks; NaN if neither was recorded.
    texts = list(zip(*(trace.string_column(name, rows) for name in ("group", "ranks")), strict=True))
    numbers = {text: number for number, text in enumerate(dict.fromkeys(text for text in texts if any(text)))}
    if not numbers:
        return {}
    return {"group": np.array([numbers.get(text, np.nan) for text in texts], np.float64)}


def _cut(graph: DependencyGraph, cut_ns: int) -> DependencyGraph:
    # Remove the time for which a device was busy with work from before the trace.
    if not cut_ns:
        return graph
    schedule = replay(graph)
    text = f"work launched before the trace kept a device busy for {format_ns(cut_ns)}: this time is left out"
    steps = tuple((start, end) for start, end in step_spans(graph, schedule).tolist())
    moved = with_attributes(graph, measured_start_ns=schedule.start_ns, measured_end_ns=schedule.end_ns)
    return replace(with_columns(moved, text), steps=steps)


def _with_queues(graph: DependencyGraph) -> DependencyGraph:
    # Make launches onto a stream with a full queue wait for the task that freed an entry.
    # The duration of such a call counts from the end of that task. Every launch onto the stream gets an edge, even if
    # it did not wait in the trace.
    launch = launches(graph)
    starts, ends = (graph.attributes[key] for key in ("measured_start_ns", "measured_end_ns"))
    durations, begins = np.array(graph.duration_ns), np.array(starts)
    sources, targets = list[Longs](), list[Longs]()
    for rows in by_lane(graph, np.flatnonzero(np.isin(graph.kind, ON_DEVICE))):
        # tasks before the first recorded launch were launched before it; if later ones lack launches, all are left out
        known_launch = launch[rows] != NONE
        gaps_in_record = known_launch.any() and not known_launch[known_launch.argmax() :].all()
        tasks = rows[known_launch] if gaps_in_record else rows
        places = np.flatnonzero(launch[tasks] != NONE)
        calls = launch[tasks[places]]
        if not len(calls) or (np.diff(starts[calls]) <= 0).any():
            continue  # calls that launch several tasks, or calls of several threads: the order of the queue is unknown
        pending = places + 1 - np.searchsorted(ends[tasks], ends[calls], side="right")
        if pending.max() < _FULL:
            continue
        # events take entries, too, so a blocked call waited for the last task that ended before the call returned
        lasted = ends[calls] - starts[calls]
        usual = np.median(lasted[pending < _FULL]) if (pending < _FULL).any() else lasted.min()
        blocked = (pending >= _FULL) & (lasted > _BLOCKED * usual)
        blocked &= ends[tasks[places - pending]] > starts[calls]
        depth = np.where(blocked, pending, pending.max())
        full = places >= depth
        made_room, waiting = tasks[(places - depth)[full]], calls[full]
        sources.append(made_room)
        targets.append(waiting)
        late = ends[made_room] > starts[waiting]
        durations[waiting[late]] = (ends[waiting] - ends[made_room])[late]
        begins[waiting[late]] = ends[made_room][late]
    if not sources:
        return graph
    count = sum(len(source) for source in sources)
    linked = with_columns(
        graph,
        duration_ns=durations,
        edge_from=np.concatenate([graph.edge_from, *sources]),
        edge_to=np.concatenate([graph.edge_to, *targets]),
        edge_kind=np.concatenate([graph.edge_kind, np.full(count, EdgeKind.WAIT)]),
        edge_lag_ns=np.concatenate([graph.edge_lag_ns, np.zeros(count, np.int64)]),
    )
    return with_tasks(with_attributes(linked, measured_start_ns=begins), np.argsort(begins, kind="stable"))


def _without_watchers(graph: DependencyGraph) -> DependencyGraph:
    # Leave out threads that only poll the device: they launch nothing, and no task waits for them.
    watches = np.array([not lane.device for lane in graph.lanes], bool)
    watches[graph.lane[~of_name(graph, _WATCHES.match)]] = False
    _, firsts = np.unique(graph.lane, return_index=True)
    begun = (graph.edge_kind == EdgeKind.THREAD) & np.isin(graph.edge_to, firsts)
    watches[graph.lane[np.concatenate([graph.edge_from, graph.edge_to[~begun], graph.wait_task])]] = False
    gone = watches[graph.lane]
    if not gone.any() or gone.all():
        return graph
    note = f"{counted(len(np.unique(graph.lane[gone])), 'thread')} only polled events: left out"
    return with_tasks(with_columns(graph, note), np.flatnonzero(~gone))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Labels:
    """The layer, the operator and the training phase of every span."""

    layers: tuple[str, ...]
    layer: Longs
    """Index into ``layers``, or ``NONE``."""
    phase: Longs
    operators: tuple[str, ...]
    operator: Longs
    """Operator of the layer, or operation of a collective: index into ``operators``, or ``NONE``."""


def _labels_of(trace: Trace) -> _Labels:
    # Return the labels of every span; device spans inherit the labels of their launches.
    outer = ancestors(trace, Level.LAYER, outermost=True)
    around = ancestors(trace, Level.APPLICATION)
    source = np.where(outer == NONE, 0, outer)
    layers, layer = np.unique(trace.name[source], return_inverse=True)
    operators, operator, operation = _operators(trace)
    phase = np.full(len(trace), int(Phase.FORWARD), np.int64)
    phase[(outer == NONE) & (around == NONE)] = int(Phase.NONE)
    phase[_inside(trace, _BACKWARD) | _on_backward_lanes(trace)] = int(Phase.BACKWARD)
    phase[_inside(trace, _UPDATE)] = int(Phase.UPDATE)
    return _Labels(
        layers=tuple(trace.names[number] for number in layers.tolist()),
        layer=np.where(outer == NONE, NONE, layer),
        phase=phase,
        operators=operators,
        operator=np.where(operation != NONE, operation, np.where(outer == NONE, NONE, operator[source])),
    )


def _operators(trace: Trace) -> tuple[tuple[str, ...], Longs, Longs]:
    # Return the distinct operators, and for each span the numbers of its operator and of its collective operation,
    # `NONE` if unknown.
    numbers: dict[str, int] = {}
    columns = []
    for name in ("type", "collective"):
        column = np.full(len(trace), NONE, np.int64)
        attribute = trace.attributes.get(name)
        if attribute is not None:
            column[attribute.rows] = [numbers.setdefault(str(value), len(numbers)) for value in attribute.values]
        columns.append(column)
    return tuple(numbers), columns[0], columns[1]


def _inside(trace: Trace, pattern: re.Pattern[str]) -> Mask:
    # Return a mask of the spans whose name matches a pattern, and of the spans inside them.
    return nearest(trace.parent, spans_named(trace, pattern.search) & (trace.level <= Level.LAYER)) != NONE


def _on_backward_lanes(trace: Trace) -> Mask:
    # Return a mask of the spans on threads that run the backward pass of other threads, and of what these launched.
    if "forward_thread" not in trace.attributes:
        return np.zeros(len(trace), bool)
    rows = trace.attributes["forward_thread"].rows
    forward_threads = np.array([str(value) for value in trace.attributes["forward_thread"].values])
    backward = []
    for lane in np.unique(trace.lane[rows]).tolist():
        threads, own = forward_threads[trace.lane[rows] == lane], trace.lanes[lane].name
        if np.mean([value not in own and value not in {"0", ""} for value in threads.tolist()]) > 0.5:
            backward.append(lane)
    on_lane = np.isin(trace.lane, backward)
    launched = (trace.role == Role.EXECUTION) & (trace.parent != NONE)
    return on_lane | (launched & on_lane[np.where(launched, trace.parent, 0)])


def _with_gradients(graph: DependencyGraph, trace: Trace) -> DependencyGraph:
    # Add the bytes of each gradient to the task that completes it, if operators in the trace accumulate gradients.
    # Only traces recorded with ``record_shapes=True`` have the shapes.
    shapes = trace.attributes.get("input_shapes")
    if shapes is None:
        return graph
    type_of = trace.values("dtype")
    sizes = np.full(len(graph), np.nan)
    launch = launches(graph)
    rows = np.flatnonzero((launch != NONE) & (graph.span[launch] != NONE))
    calls = graph.span[launch[rows]]
    launched = ByTime(trace.lane[calls], trace.start_ns[calls], rows)
    accumulates = (spans_named(trace, _ACCUMULATES.fullmatch) & (trace.level == Level.LAYER))[shapes.rows]
    for place in np.flatnonzero(accumulates).tolist():
        row = int(shapes.rows[place])
        task = launched.last(int(trace.lane[row]), int(trace.end_ns[row]) + 1)
        shape = _first_shape(str(shapes.values[place]))
        if task != NONE and shape is not None:
            size = math.prod(shape) * element_bytes(str(type_of.get(row, "")))
            sizes[task] = size if math.isnan(sizes[task]) else size + sizes[task]
    return graph if np.isnan(sizes).all() else with_attributes(graph, gradient_bytes=sizes)


@functools.lru_cache(maxsize=1 << 12)
def _first_shape(text: str) -> list[int] | None:
    # Return the shape of the first operand from a text such as `[[64,3,7,7]]`; None without one.
    try:
        shapes = json.loads(text)
    except json.JSONDecodeError:
        return None
    first = shapes[0] if isinstance(shapes, list) and shapes else None
    whole = isinstance(first, list) and bool(first) and all(isinstance(size, int) for size in first)
    return first if whole else None
