"""Dependency graph of a network composed from the measured times of its sequences.

Each step of a composition takes the stored time of its sequence; a stored trace splits that time among layers and
launches. Steps follow each other on the host, as a runtime executes them. On a host provider the total is the sum. On
an asynchronous provider, tasks are the launches of ``construct.asynchronous``, with the machine's constants as lags,
gaps and waits: the replay equals the estimate up to rounding to nanoseconds.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np

from dlbricks.construct.asynchronous import (
    Launch,
    LaunchShare,
    equal_launches,
    is_asynchronous,
    launches,
    network_launches,
    required_queue,
)
from dlbricks.construct.estimate import estimate, step_times
from dlbricks.construct.rules import Rule
from dlbricks.construct.types import Composition, CompositionStep, Estimate
from dlbricks.errors import InputError
from dlbricks.model.types import VIEW_OPERATORS
from dlbricks.store.types import QueueConstants, SystemResults
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.types import NONE, Lane, Level, Role, Trace
from dlbricks.units import counted
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.sources.traces import TASK_KINDS

_PROCESS = "model"
# Operators that a step is not named after if it has others.
_MOVES = VIEW_OPERATORS | {"DequantizeLinear", "QuantizeLinear", "Transpose"}
_HOST = Lane(process=_PROCESS, name="host")
_CALL = "begin of the call"
_SYNCHRONISE = "synchronise"
_WAIT = "wait for the device"
_DEVICE = Lane(process=_PROCESS, name="queue", device="gpu 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class _NamedPart:
    """Part of a step with its names."""

    part: LaunchShare
    layer: str
    """Name on the host: the operator, if known."""
    operator: str | None
    kernel: str = ""
    """Name on the device."""
    kind: TaskKind = TaskKind.KERNEL


def graph_of_model(
    composition: Composition, results: SystemResults, traces: Mapping[str, Trace]
) -> tuple[DependencyGraph, Estimate]:
    """Build the graph of a network from measured sequences.

    Args:
        composition: the network as a list of sequences.
        results: measured results of one configuration.
        traces: by fingerprint of the sequence; a sequence without one is a single layer.

    Returns:
        The graph, and the estimate by rule ``simulate`` with its interval.

    Raises:
        InputError: a sequence has no result, or no host and device times on an asynchronous provider.
    """
    composed = estimate(composition, results, Rule.parse("simulate"), traced=shares(traces))
    if composed.missing:
        missing = f"{counted(len(composed.missing), 'sequence')} of it without a result there"
        impossible = [row.verdict for row in composed.rows if row.tier == "missing" and row.verdict]
        advice = impossible[0] if impossible else "'dlbricks plan' makes the suite that closes the gap"
        raise InputError(f"{composition.model}: {missing}: {advice}")
    if composed.bounds_only:
        raise InputError(f"{composition.model}: {composed.evidence}")
    if is_asynchronous(results):
        graph = graph_of_queue(composition, results, traces)
    else:
        graph = graph_of_steps(composition, step_times(composition, results), traces)
    return replace(graph, runtime=results.configuration.runtime.partition(" ")[0]), composed


def shares(traces: Mapping[str, Trace]) -> dict[str, list[LaunchShare]]:
    """Return, by fingerprint, how the time of a traced sequence splits among its launches."""
    taken = {name: _of_trace(trace) for name, trace in traces.items()}
    return {name: [part.part for part in parts] for name, parts in taken.items() if parts}


def graph_of_steps(composition: Composition, times_ns: Sequence[int], traces: Mapping[str, Trace]) -> DependencyGraph:
    """Join the steps of a network on a host provider.

    Args:
        composition: the network.
        times_ns: time per step without call overhead; 0 for free and missing steps.
        traces: by fingerprint of the sequence; a step without one is a single task.
    """
    named = _parts(composition, traces)
    nothing = np.zeros(1)
    launched = [
        launch
        for index, (parts, time_ns) in enumerate(zip(named, times_ns, strict=True))
        for launch in launches(
            index,
            np.full(1, float(time_ns)),
            nothing,
            [LaunchShare(host=each.part.host, device=None) for each in parts],
            waits=False,
            gap_ns=0.0,
            late_ns=nothing,
        )
    ]
    return _graph(composition, launched, named, traces)


def graph_of_queue(composition: Composition, results: SystemResults, traces: Mapping[str, Trace]) -> DependencyGraph:
    """Build the graph of a network on an asynchronous provider, call overhead included."""
    launched = network_launches(composition, results, shares(traces))
    return _graph(composition, launched, _parts(composition, traces), traces, required_queue(results))


def _parts(composition: Composition, traces: Mapping[str, Trace]) -> list[list[_NamedPart]]:
    """Split the trace of every step into parts; a step without a trace is a single layer."""
    parts_of = {name: _of_trace(trace) for name, trace in traces.items()}
    return [parts_of.get(step.fingerprint) or [_untraced(step)] for step in composition.steps]


def _untraced(step: CompositionStep) -> _NamedPart:
    operators = step.features.operators if step.features else ()
    operator = next(
        (operator_name for operator_name in operators if operator_name not in _MOVES),
        operators[0] if operators else None,
    )
    return _NamedPart(part=equal_launches(1)[0], layer=step.name, operator=operator, kernel=step.name)


def _of_trace(trace: Trace) -> list[_NamedPart]:
    """Split the trace of one call into layers and their launches; empty for a trace without layers.

    A layer's host time is divided evenly among its launches.
    """
    if not len(trace.rows(Level.LAYER)):
        return []
    outer = ancestors(trace, Level.LAYER, outermost=True)
    rows = np.unique(outer[outer != NONE])
    rows = rows[np.argsort(trace.start_ns[rows], kind="stable")]
    executed = trace.rows(Level.KERNEL, role=Role.EXECUTION)
    executed = executed[np.argsort(trace.start_ns[executed], kind="stable")]
    busy_ns = float(np.maximum(1, trace.end_ns[executed] - trace.start_ns[executed]).sum())
    hosts = np.maximum(1, trace.duration_ns[rows]).astype(float)
    hosts /= hosts.sum()
    of_row: dict[int, list[int]] = {row: [] for row in rows.tolist()}
    for row in executed.tolist():
        of_row[int(outer[row]) if int(outer[row]) in of_row else int(rows[0])].append(row)
    named_parts = []
    for (row, kernels), host, operator in zip(of_row.items(), hosts.tolist(), trace.texts("type", rows), strict=True):
        layer = operator or trace.names[trace.name[row]]
        for kernel in kernels or (None,):
            device = None if kernel is None else max(1, int(trace.end_ns[kernel] - trace.start_ns[kernel])) / busy_ns
            named_parts.append(
                _NamedPart(
                    part=LaunchShare(host=host / max(1, len(kernels)), device=device),
                    layer=layer,
                    operator=operator or None,
                    kernel="" if kernel is None else trace.names[trace.name[kernel]],
                    kind=TASK_KINDS.get("" if kernel is None else trace.kinds[trace.kind[kernel]], TaskKind.KERNEL),
                )
            )
    return named_parts


def _graph(
    composition: Composition,
    launched: Iterable[Launch],
    named: Sequence[Sequence[_NamedPart]],
    traces: Mapping[str, Trace],
    machine: QueueConstants | None = None,
) -> DependencyGraph:
    """Convert launches to tasks.

    Args:
        composition: the network.
        launched: launches in step order.
        named: parts of each step; if their number differs from that of its launches, launches are named after the step.
        traces: by fingerprint of the sequence.
        machine: constants of an asynchronous provider; None without launches.
    """
    assembly = _Assembly(GraphBuilder(name=composition.model), machine)
    by_step = {index: list(of_step) for index, of_step in groupby(launched, lambda launch: launch.step)}
    last: list[int | None] = []
    for index, step in enumerate(composition.steps):
        before = [task for earlier in step.depends_on if (task := last[earlier]) is not None]
        of_step = by_step.get(index, [])
        names = named[index] if len(named[index]) == len(of_step) else [_untraced(step)] * len(of_step)
        last.append(assembly.add(step, of_step, names, before))
    assembly.finish()
    untraced = sum(not step.free and step.fingerprint not in traces for step in composition.steps)
    if untraced and traces:
        counts = f"{untraced} of {len(composition.steps)} steps have no stored trace"
        assembly.builder.notes.append(f"{counts}: each is one task")
    return assembly.builder.built()


class _Assembly:
    """Converts launches to tasks, edges and waits."""

    def __init__(self, builder: GraphBuilder, machine: QueueConstants | None) -> None:
        """Start a call."""
        self.builder = builder
        self._machine = machine
        self._passed = 0.0
        self._queue = deque[int](maxlen=machine.queue_depth or None if machine else 0)
        if machine:
            builder.task(TaskKind.CPU, _CALL, _HOST, machine.call_ns)

    def add(
        self, step: CompositionStep, launched: Sequence[Launch], names: Sequence[_NamedPart], before: Sequence[int]
    ) -> int | None:
        """Add the launches of a step and return its last host task; None without launches."""
        layer = step.layers[0] if step.layers else step.name
        busy = [launch.device_ns if launch.device_ns is not None else np.zeros(1) for launch in launched]
        weights = [
            float(times[0])
            for times in (busy if any(times.any() for times in busy) else [times.host_ns for times in launched])
        ]
        host: int | None = None
        for launch, name, weight in zip(launched, names, weights, strict=True):
            figures = _figures(step, weight / sum(weights) if sum(weights) else 1 / len(weights))
            on_host = figures if launch.device_ns is None else {}
            earlier = before if host is None else (host,)
            host = self._host(name.layer, float(launch.host_ns[0]), layer=layer, operator=name.operator, **on_host)
            for task in earlier:
                self.builder.edge(EdgeKind.DATA, task, host)
            if launch.device_ns is not None and self._machine:
                duration = round(float(launch.device_ns[0]))
                same: dict[str, Any] = {"layer": layer, "operator": name.operator, **figures}
                kernel = self.builder.task(
                    name.kind, name.kernel, _DEVICE, duration, gap_ns=self._machine.kernel_gap_ns, **same
                )
                lag_ns = round(float(launch.host_ns[0] + launch.late_ns[0])) + self._machine.launch_lag_ns
                self.builder.edge(EdgeKind.LAUNCH, host, kernel, lag_ns)
                if self._machine.queue_depth and len(self._queue) == self._machine.queue_depth:
                    self.builder.edge(EdgeKind.WAIT, self._queue[0], host)
                self._queue.append(kernel)
            if launch.waits:
                self._synchronise(layer)
        return host

    def finish(self) -> None:
        """End the call: the host waits for the device."""
        if self._machine:
            self._synchronise(None)

    def _host(self, name: str, duration_ns: float, **others: Any) -> int:
        """Add a host task; durations are rounded so that their sum is kept."""
        duration = round(self._passed + duration_ns) - round(self._passed)
        self._passed += duration_ns
        return self.builder.task(TaskKind.CPU, name, _HOST, duration, **others)

    def _synchronise(self, layer: str | None) -> None:
        """Make the host wait for the device; the call takes time even if the device is idle."""
        least = self._machine.synchronise_ns if self._machine else 0
        self.builder.task(TaskKind.CPU, _SYNCHRONISE, _HOST, least, layer=layer)
        self.builder.wait(self.builder.task(TaskKind.SYNCHRONISATION, _WAIT, _HOST, 0, layer=layer), _DEVICE)


def _figures(step: CompositionStep, share: float) -> dict[str, float]:
    """Return a share of the FLOPs and bytes of a step; empty for views and steps without a benchmark."""
    features = step.features
    if features is None:
        return {}
    return {
        "flops": features.flops * share,
        "read_bytes": (features.input_bytes + features.weight_bytes) * share,
        "written_bytes": features.output_bytes * share,
        "parameter_bytes": features.weight_bytes * share,
    }
