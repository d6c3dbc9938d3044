"""Conversion of a network, composed from the measured times of its sequences, to a dependency graph."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from typing import Any

import numpy as np

from dlbricks.construct.asynchronous import (
    Launch,
    LaunchShare,
    TracedLaunch,
    is_asynchronous,
    network_launches,
    required_queue,
    shares,
    traced_launches,
)
from dlbricks.construct.coverage import best_rule
from dlbricks.construct.estimate import estimate, step_times
from dlbricks.construct.types import Composition, CompositionStep, Estimate, Rule
from dlbricks.errors import InputError
from dlbricks.model.types import SequenceFeatures
from dlbricks.operators.row import Moves
from dlbricks.operators.table import kernel
from dlbricks.store.types import QueueConstants, SystemResults
from dlbricks.trace.types import Lane, Trace
from dlbricks.units import counted
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind, with_attributes
from dlbricks.whatif.sources.traces import TASK_KINDS

# Each step of a composition takes the stored time of its sequence; a stored trace divides that time among layers and
# launches. Without a trace, the modelled work of layers divides it, so that transforms find each of them. Steps follow
# each other on the host, as a runtime executes them. On a host provider the total is the sum. On an asynchronous
# provider, tasks are the launches of ``construct.asynchronous``, and the machine's constants become lags, gaps and
# waits. The replay equals the estimate up to rounding to nanoseconds.

_PROCESS = "model"
_HOST = Lane(process=_PROCESS, name="host")
_DEVICE = Lane(process=_PROCESS, name="queue", device="gpu 0")
# A step is not named after operators of these kinds if it has other operators.
_MOVES = Moves.RESHAPES | Moves.PERMUTES | Moves.DEQUANTISES | Moves.QUANTISES


def graph_of_model(
    composition: Composition,
    results: SystemResults,
    traces: Mapping[str, Trace],
    without_reuse: Composition | None = None,
) -> tuple[DependencyGraph, Estimate]:
    """Return a network as a dependency graph made of its measured layer sequences, and its estimated latency.

    Args:
        traces: traces by fingerprint; the time of a sequence without a trace is divided by modelled work.
        without_reuse: the network's steps if no tensor reuses the buffer of a dead tensor; None if unknown.

    Returns:
        The graph, and the estimated latency by the default rule, or by ``simulate`` with traces of a device's queue.

    Raises:
        InputError: a sequence has no result, or an asynchronous provider has no host and device times for it.
    """
    rule = best_rule(composition, results)
    if rule != Rule.PAIRS:
        composition = replace(composition, pairs=())
        # a sum of times has the error band of the sequential rule
        rule = Rule.SIMULATE if traces and is_asynchronous(results) else rule
        without_reuse = without_reuse and replace(without_reuse, pairs=())
    composed = estimate(composition, results, rule, traced=shares(traces))
    if composed.missing:
        missing = f"{counted(len(composed.missing), 'sequence')} without a result of this configuration"
        impossible = [row.verdict for row in composed.rows if row.tier == "missing" and row.verdict]
        advice = impossible[0] if impossible else "run 'dlbricks plan', which makes the suite of what is missing"
        raise InputError(f"{composition.model}: {missing}: {advice}")
    if composed.bounds_only:
        raise InputError(f"{composition.model}: {composed.evidence}")
    call_ns = composed.call_overhead_ns
    if is_asynchronous(results):
        launched = network_launches(composition, results, shares(traces))
        graph = _graph(composition, launched, traces, call_ns, required_queue(results))
    else:
        graph = graph_of_steps(composition, step_times(composition, results), traces, call_ns)
        if without_reuse is not None:
            other = graph_of_steps(composition, step_times(without_reuse, results), traces, call_ns)
            graph = with_attributes(graph, without_memory_reuse_ns=other.duration_ns)
    runtime, threads = results.configuration.runtime.partition(" ")[0], results.configuration.threads
    return replace(graph, runtime=runtime, threads=threads), composed


def graph_of_steps(
    composition: Composition, times_ns: Sequence[int], traces: Mapping[str, Trace], call_ns: int = 0
) -> DependencyGraph:
    """Return a dependency graph of a network's layer sequences on a processor, from the time of each.

    Args:
        times_ns: time of each layer sequence in the network without call overhead; 0 for free and missing ones.
        traces: traces by fingerprint of the sequence; one without a trace becomes a task for each of its ``parts``.
        call_ns: the call overhead.
    """
    launched = [
        Launch(step=index, host_ns=np.full(1, part.share.host * time_ns), device_ns=None)
        for index, (parts, time_ns) in enumerate(zip(_parts(composition, traces), times_ns, strict=True))
        for part in parts
    ]
    return _graph(composition, launched, traces, call_ns)


def _parts(composition: Composition, traces: Mapping[str, Trace]) -> list[list[TracedLaunch]]:
    # Return the parts of every step: those of its trace or, without a trace, its layers.
    parts = {fingerprint: traced_launches(trace) for fingerprint, trace in traces.items()}
    return [parts.get(step.fingerprint) or _untraced(step.parts or (step,)) for step in composition.steps]


def _untraced(parts: Sequence[CompositionStep]) -> list[TracedLaunch]:
    # Return a launch for each part, with a share of the time in proportion to its modelled work.
    total, launched = sum(part.work for part in parts), list[TracedLaunch]()
    for part in parts:
        operators = part.features.operators if part.features else ()
        computing = (name for name in operators if not kernel("", name).moves & _MOVES)
        operator = next(chain(computing, operators), None)
        share = LaunchShare(host=part.work / total if total else 1.0, device=None)
        own = part.features if len(parts) > 1 else None
        launched.append(TracedLaunch(share=share, layer=part.name, operator=operator, kernel=part.name, features=own))
    return launched


def _graph(
    composition: Composition,
    launched: Iterable[Launch],
    traces: Mapping[str, Trace],
    call_ns: int,
    machine: QueueConstants | None = None,
) -> DependencyGraph:
    # ``launched`` are in the order of steps; they get the step's name if their number is not that of its parts. Without
    # ``machine``, the provider is that of a host.
    queue = _Queue(GraphBuilder(name=composition.model), machine)
    if call_ns:
        queue.builder.task(TaskKind.CPU, "call overhead", _HOST, call_ns)
    by_step = {index: list(of_step) for index, of_step in groupby(launched, lambda launch: launch.step)}
    last: list[int | None] = []
    for index, (step, parts) in enumerate(zip(composition.steps, _parts(composition, traces), strict=True)):
        before = [task for earlier in step.depends_on if (task := last[earlier]) is not None]
        of_step = by_step.get(index, [])
        names = parts if len(parts) == len(of_step) else _untraced((step,)) * len(of_step)
        last.append(queue.add(step, of_step, names, before))
    if machine:
        queue.synchronise(None)
    untraced = [step for step in composition.steps if not (step.free or step.fingerprint in traces)]
    divided = any(step.parts for step in untraced)
    if untraced and (traces or divided):
        assumed = "times of their layers are assumed, by modelled work ('run --trace ML' measures them)"
        how = assumed if divided else "each is one task"
        steps = f"{len(untraced)} of {counted(len(composition.steps), 'step')}"
        queue.builder.notes.append(f"{steps} without a stored trace: {how}")
    return queue.builder.built()


class _Queue:
    """Converter of launches to tasks, edges and waits."""

    def __init__(self, builder: GraphBuilder, machine: QueueConstants | None) -> None:
        """Start a call of the network."""
        self.builder = builder
        self._machine = machine
        self._passed = 0.0
        self._queue = deque[int](maxlen=machine.queue_depth or None if machine else 0)

    def add(
        self, step: CompositionStep, launched: Sequence[Launch], names: Sequence[TracedLaunch], before: Sequence[int]
    ) -> int | None:
        # Add the launches of a step and return its last host task; None without launches.
        layer = step.layers[0] if step.layers else step.name
        busy = [launch.device_ns if launch.device_ns is not None else np.zeros(1) for launch in launched]
        times = busy if any(each.any() for each in busy) else [launch.host_ns for launch in launched]
        weights = [float(each[0]) for each in times]
        host: int | None = None
        for launch, part, weight in zip(launched, names, weights, strict=True):
            work: dict[str, Any] = {"layer": layer, "operator": part.operator}
            share = weight / sum(weights) if sum(weights) else 1 / len(weights)
            figures = _figures(part.features or step.features, 1.0 if part.features else share)
            earlier = before if host is None else (host,)
            host = self._host(
                part.layer, float(launch.host_ns[0]), work | ({} if launch.device_ns is not None else figures)
            )
            for task in earlier:
                self.builder.edge(EdgeKind.DATA, task, host)
            if launch.device_ns is not None and self._machine:
                self._launch(launch, part, host, work | figures, self._machine)
            if launch.waits:
                self.synchronise(layer)
        return host

    def _launch(
        self, launch: Launch, part: TracedLaunch, host: int, work: Mapping[str, Any], machine: QueueConstants
    ) -> None:
        # Add a device task; if the queue is full, its launch waits for a free entry.
        device_ns = 0 if launch.device_ns is None else round(float(launch.device_ns[0]))
        kind = TASK_KINDS.get(part.kind, TaskKind.KERNEL)
        kernel = self.builder.task(kind, part.kernel, _DEVICE, device_ns, gap_ns=machine.kernel_gap_ns, **work)
        lag_ns = round(float(launch.host_ns[0] + launch.late_ns[0])) + machine.launch_lag_ns
        self.builder.edge(EdgeKind.LAUNCH, host, kernel, lag_ns)
        if machine.queue_depth and len(self._queue) == machine.queue_depth:
            self.builder.edge(EdgeKind.WAIT, self._queue[0], host)
        self._queue.append(kernel)

    def _host(self, name: str, duration_ns: float, work: Mapping[str, Any]) -> int:
        # Add a host task; durations are rounded so that their sum stays right.
        duration = round(self._passed + duration_ns) - round(self._passed)
        self._passed += duration_ns
        return self.builder.task(TaskKind.CPU, name, _HOST, duration, **work)

    def synchronise(self, layer: str | None) -> None:
        # Make the host wait for the device; the call takes time even if the device is idle.
        least = self._machine.synchronise_ns if self._machine else 0
        self.builder.task(TaskKind.CPU, "synchronise", _HOST, least, layer=layer)
        wait = self.builder.task(TaskKind.SYNCHRONISATION, "wait for the device", _HOST, 0, layer=layer)
        self.builder.wait(wait, _DEVICE)


def _figures(features: SequenceFeatures | None, share: float) -> dict[str, float]:
    # Return a share of the FLOPs and bytes of a step; empty for views and for steps without a benchmark.
    if features is None:
        return {}
    return {
        **({} if features.flops is None else {"flops": features.flops * share}),
        "read_bytes": (features.input_bytes + features.weight_bytes) * share,
        "written_bytes": features.output_bytes * share,
        "parameter_bytes": features.weight_bytes * share,
    }
