"""From a trace to a dependency graph whose replay is the trace again."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace import kinds
from dlbricks.trace.types import NONE, Lane, Level, Longs, Trace
from dlbricks.units import counted
from dlbricks.whatif.devices import DeviceTasks, Starts, device_tasks, explained
from dlbricks.whatif.events import event_waits
from dlbricks.whatif.gradients import with_gradients
from dlbricks.whatif.graph import graph_of
from dlbricks.whatif.hosts import HandOvers, HostTasks, gaps, hand_overs, host_tasks
from dlbricks.whatif.labels import labels_of
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.queues import with_queues, without_watchers

_WHOLE_DEVICE = re.compile(r"(cuda|hip)DeviceSynchronize|(cu|hip)Ctx\w*Synchronize", re.IGNORECASE)
_COPY_CALL = re.compile(r"(cuda|hip|cu)Memcpy", re.IGNORECASE)
_BLOCKING_NS = 20_000
"""A copy call longer than this that returns after its copy has ended waits for it."""
_FIGURES = ("flops", "read_bytes", "written_bytes", "parameter_bytes", "bytes", "elements", "group_size")
_KINDS = {kinds.COPY: TaskKind.COPY, kinds.MEMSET: TaskKind.COPY, kinds.COLLECTIVE: TaskKind.COLLECTIVE}


def graph_of_trace(trace: Trace, name: str = "trace") -> DependencyGraph:
    """Turn a trace with parents into a dependency graph.

    Args:
        trace: as readers give it.
        name: of the graph.

    Raises:
        InputError: the trace has no span that could be a task.
    """
    host, device = host_tasks(trace), device_tasks(trace)
    if not len(host) and not len(device):
        raise InputError(f"{name} has neither calls nor layers nor kernels: there is nothing to replay")
    made = without_watchers(with_queues(_Assembly(trace, name, host, device).graph()))
    return with_gradients(made, trace)


@dataclass(slots=True)
class _Waiting:
    """Host calls that wait for a device."""

    lanes: dict[int, list[int]]
    """By index of the host task: device lanes it waits for."""
    until_ns: dict[int, int]
    """By index of the host task: end of what it waited for, where that was in the call."""
    copies: dict[int, int]
    """By index of the host task: the copy, by index of the device task, that a blocking call made."""
    unknown: int = 0
    """Calls of which it is not known what they wait for, or that waited for nothing."""


class _Assembly:
    """Puts the parts together."""

    def __init__(self, trace: Trace, name: str, host: HostTasks, device: DeviceTasks) -> None:
        self._trace, self._name, self._host, self._device = trace, name, host, device
        self._turns: HandOvers = hand_overs(trace, host)
        self._starts: Starts = explained(trace, device, event_waits(trace, device))
        self._task_of_row = {row: index for index, row in enumerate(host.span.tolist())}
        self._launches = self._launching_tasks()
        self._waiting = self._waits()
        first = [values.min() for values in (host.start_ns, device.start_ns) if len(values)]
        self._origin = int(min(first))

    def _launching_tasks(self) -> Longs:
        """Give the host task that launches each device task, going out to the one that was kept."""
        made = np.full(len(self._device), NONE, np.int64)
        for index, row in enumerate(self._device.launch.tolist()):
            at = row
            while at != NONE and at not in self._task_of_row:
                at = int(self._trace.parent[at])
            made[index] = self._task_of_row.get(at, NONE)
        return made

    def _waits(self) -> _Waiting:
        trace, host = self._trace, self._host
        found = _Waiting(lanes={}, until_ns={}, copies={})
        sync = np.array([kind == kinds.SYNCHRONISATION for kind in trace.kinds] or [False], bool)[trace.kind[host.span]]
        for index in np.flatnonzero(sync).tolist():
            self._wait_of_call(found, index)
        copies = np.array([bool(_COPY_CALL.match(name)) for name in trace.names] or [False], bool)[
            trace.name[host.span]
        ]
        long = copies & (host.end_ns - host.start_ns > _BLOCKING_NS)
        launched = np.flatnonzero((self._launches != NONE) & (self._device.end_ns >= self._device.start_ns))
        calls, ends = self._launches[launched], self._device.end_ns[launched]
        blocking = np.flatnonzero(long[calls] & (ends <= host.end_ns[calls]))
        for call, copy, end in zip(
            calls[blocking].tolist(), launched[blocking].tolist(), ends[blocking].tolist(), strict=True
        ):
            if call not in found.copies:
                found.copies[call] = copy
                found.until_ns[call] = end
        return found

    def _wait_of_call(self, found: _Waiting, index: int) -> None:
        """Find out what a synchronising call waits for."""
        trace, host = self._trace, self._host
        row = int(host.span[index])
        start, end = int(host.start_ns[index]), int(host.end_ns[index])
        last = self._last_launched(trace.lanes[trace.lane[row]].process, start)
        if not _WHOLE_DEVICE.match(trace.names[trace.name[row]]):
            stream = float(trace.column("stream", np.array([row]))[0])
            same = {lane: task for lane, task in last.items() if self._stream_of(task) == stream}
            inside = {lane: task for lane, task in last.items() if start < self._device.end_ns[task] <= end}
            latest = max(inside, key=lambda lane: int(self._device.end_ns[inside[lane]]), default=None)
            last = same or ({} if latest is None else {latest: inside[latest]})
        if not last:
            found.unknown += 1
            return
        found.lanes[index] = sorted(last)
        until = max(int(self._device.end_ns[task]) for task in last.values())
        if start < until <= end:
            found.until_ns[index] = until

    def _stream_of(self, task: int) -> float:
        return float(self._trace.column("stream", self._device.span[[task]])[0])

    def _last_launched(self, process: str, time: int) -> dict[int, int]:
        """Give by device lane the last task launched before some time, of the lanes of a process."""
        if not hasattr(self, "_launch_times"):
            self._launch_times = self._times_by_lane()
        found = {}
        for lane, (times, tasks) in self._launch_times.items():
            at = int(np.searchsorted(times, time)) - 1
            if at >= 0 and self._lane(lane).process == process:
                found[lane] = int(tasks[at])
        return found

    def _times_by_lane(self) -> dict[int, tuple[Longs, Longs]]:
        made = {}
        for lane in np.unique(self._device.lane).tolist():
            tasks = np.flatnonzero((self._device.lane == lane) & (self._device.launch != NONE))
            times = self._trace.start_ns[self._device.launch[tasks]]
            order = np.argsort(times, kind="stable")
            made[lane] = (times[order], tasks[np.maximum.accumulate(order)] if len(order) else tasks)
        return made

    def _lane(self, number: int) -> Lane:
        """Give a lane, branches of streams by a name of their own."""
        count = len(self._trace.lanes)
        if number < count:
            return self._trace.lanes[number]
        stream = self._trace.lanes[self._device.branches[number - count]]
        return Lane(process=stream.process, name=f"{stream.name} branch {number - count + 1}", device=stream.device)

    def graph(self) -> DependencyGraph:
        """Give the graph: tasks by start, hosts before devices, a blocking copy as a launch and a wait."""
        host, device, starts = self._host, self._device, self._starts
        split = np.array(sorted(self._waiting.copies), np.int64)
        hosts, seconds, devices = len(host), len(split), len(device)
        until = np.array([self._waiting.until_ns.get(index, NONE) for index in range(hosts)], np.int64)
        waits_only = (until != NONE) & ~np.isin(np.arange(hosts), split)
        duration = host.end_ns - np.where(waits_only, until, host.start_ns)
        duration[split] = np.minimum(starts.latency_ns, host.end_ns[split] - host.start_ns[split])
        gap = gaps(host, self._turns)
        second_gap, gap[split] = gap[split].copy(), 0
        place = np.concatenate([np.where(waits_only, until, host.start_ns), until[split], device.start_ns])
        order = np.lexsort((np.repeat([0, 1, 2], [hosts, seconds, devices]), place))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        of_host, of_second, of_device = rank[:hosts], rank[hosts : hosts + seconds], rank[hosts + seconds :]
        last_of_host = of_host.copy()
        last_of_host[split] = of_second
        spans = np.concatenate([host.span, host.span[split], device.span])
        labels = labels_of(self._trace)
        lanes, lane = np.unique(np.concatenate([host.lane, host.lane[split], device.lane]), return_inverse=True)
        begins = np.concatenate([host.start_ns, until[split], device.start_ns])
        columns: dict[str, Any] = {
            "kind": np.concatenate(
                [self._host_kinds(waits_only), np.full(seconds, TaskKind.SYNCHRONISATION), self._device_kinds()]
            ),
            "lane": lane,
            "task_name": self._trace.name[spans],
            "layer": labels.layer[spans],
            "operator": labels.operator[spans],
            "phase": labels.phase[spans],
            "duration_ns": np.concatenate(
                [duration, host.end_ns[split] - until[split], device.end_ns - device.start_ns]
            ),
            "gap_ns": np.concatenate([gap, second_gap, starts.gap_ns]),
            "release_ns": self._releases(seconds),
            "span": spans,
        }
        made = {key: np.asarray(values)[order] for key, values in columns.items()}
        first_ends = host.end_ns.copy()
        first_ends[split] = host.start_ns[split] + duration[split]
        ends = np.concatenate([first_ends, host.end_ns[split], device.end_ns])
        figures = {"measured_start_ns": begins - self._origin, "measured_end_ns": ends - self._origin}
        attributes = {key: values[order].astype(np.float64) for key, values in figures.items()}
        for key in _FIGURES:
            if key in self._trace.attributes:
                attributes[key] = self._trace.column(key, spans)[order]
        edges = self._edges(of_host, last_of_host, of_device)
        numbers = {lane: number for number, lane in enumerate(lanes.tolist())}
        waits = self._late_waits(dict(zip(split.tolist(), of_second.tolist(), strict=True)), of_host, numbers)
        return graph_of(
            self._name,
            lanes=tuple(self._lane(number) for number in lanes.tolist()),
            names=self._trace.names,
            layers=labels.layers,
            operators=labels.operators,
            columns={**made, **edges, **waits},
            attributes=attributes,
            steps=self._steps(),
            notes=(*self._trace.notes, *self._notes()),
        )

    def _host_kinds(self, waits: Any) -> Any:
        made = np.where(self._host.loads, TaskKind.DATA, TaskKind.CPU)
        made[waits] = TaskKind.SYNCHRONISATION
        made[list(self._waiting.lanes)] = TaskKind.SYNCHRONISATION
        return made

    def _device_kinds(self) -> Any:
        by_kind = np.array([int(_KINDS.get(kind, TaskKind.KERNEL)) for kind in self._trace.kinds] or [0])
        return by_kind[self._trace.kind[self._device.span]]

    def _releases(self, seconds: int) -> Longs:
        """Give earliest starts: of the first task of a lane and of what was launched before the trace."""
        host, device = self._host, self._device
        made = np.zeros(len(host) + seconds + len(device), np.int64)
        _, first = np.unique(host.lane, return_index=True)
        told = np.isin(first, self._turns.second)
        made[first[~told]] = host.start_ns[first[~told]] - self._origin
        orphans = np.flatnonzero(self._launches == NONE)
        made[len(host) + seconds + orphans] = device.start_ns[orphans] - self._origin
        return made

    def _edges(self, of_host: Longs, last_of_host: Longs, of_device: Longs) -> dict[str, Any]:
        launched = np.flatnonzero(self._launches != NONE)
        waiting = np.flatnonzero(self._starts.waits_for != NONE)
        turns, host = self._turns, self._host
        parts = (
            (of_host[self._launches[launched]], of_device[launched], EdgeKind.LAUNCH, self._lags(launched)),
            (
                of_device[self._starts.waits_for[waiting]],
                of_device[waiting],
                EdgeKind.STREAM,
                self._starts.wait_lag_ns[waiting],
            ),
            (
                last_of_host[turns.first],
                of_host[turns.second],
                EdgeKind.THREAD,
                np.maximum(0, host.start_ns[turns.second] - host.end_ns[turns.first]),
            ),
        )
        return {
            "edge_from": np.concatenate([part[0] for part in parts]),
            "edge_to": np.concatenate([part[1] for part in parts]),
            "edge_kind": np.concatenate([np.full(len(part[0]), part[2]) for part in parts]),
            "edge_lag_ns": np.concatenate([part[3] for part in parts]),
        }

    def _lags(self, launched: Longs) -> Longs:
        """Give lags from the start of the host task, which may begin before the launching call in it."""
        inside = self._trace.start_ns[self._device.launch[launched]] - self._host.start_ns[self._launches[launched]]
        lags: Longs = self._starts.launch_lag_ns[launched] + np.maximum(0, inside)
        return lags

    def _late_waits(self, seconds: dict[int, int], of_host: Longs, numbers: dict[int, int]) -> dict[str, list[int]]:
        tasks, lanes = [], []
        for index, waited in self._waiting.lanes.items():
            tasks += [int(of_host[index])] * len(waited)
            lanes += [numbers[lane] for lane in waited]
        for index, copy in self._waiting.copies.items():
            tasks.append(seconds[index])
            lanes.append(numbers[int(self._device.lane[copy])])
        return {"wait_task": tasks, "wait_lane": lanes}

    def _steps(self) -> tuple[tuple[int, int], ...]:
        rows = self._trace.rows(Level.APPLICATION, kinds.STEP)
        rows = rows if len(rows) else self._trace.rows(Level.MODEL)
        spans = zip(self._trace.start_ns[rows].tolist(), self._trace.end_ns[rows].tolist(), strict=True)
        return tuple(sorted((start - self._origin, end - self._origin) for start, end in spans))

    def _notes(self) -> list[str]:
        orphans = int(np.count_nonzero(self._launches == NONE))
        told = (
            (orphans, "device task", "was launched outside of the trace: it starts when it did"),
            (self._starts.unexplained, "device task", "started later than anything known explains: its lane waits"),
            (self._waiting.unknown, "synchronising call", "waits for nothing that is known"),
        )
        return [f"{counted(count, noun)}: {what}" for count, noun, what in told if count]
