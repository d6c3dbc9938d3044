"""From the stored traces of sequences to the dependency graph of a network that nobody ran as a whole: stitching.

Each step of a composition brings what its benchmark's trace showed: layers on the host, and what they launched on
which stream how much later. Steps follow each other on the host in their order, as a runtime executes them, while what
they launched goes on; at the end the host waits for all streams. Alone, a step takes what was stored for it: its parts
are scaled so that the replay of the step is its latency. On a processor without kernels the whole is then their sum;
where a device is slower or quicker than the host that feeds it, it is what the two make together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dlbricks.construct.estimate import estimate
from dlbricks.construct.rules import CriticalPath, Rule
from dlbricks.construct.types import Composition, CompositionStep, Estimate
from dlbricks.errors import InputError
from dlbricks.store.types import SystemResults
from dlbricks.trace.ancestry import ancestors
from dlbricks.trace.types import NONE, Lane, Level, Role, Trace
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.explain import explain
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.traces import TASK_KINDS

_PROCESS = "model"
_HOST = Lane(process=_PROCESS, name="host")
_WAIT = "wait for all streams"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Launched:
    """What a layer of a step launches."""

    layer: int
    """Which layer of the step."""
    name: str
    kind: TaskKind
    lane: Lane
    lag_ns: float
    """From the start of the layer on the host to the earliest start."""
    duration_ns: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _StepTrace:
    """The trace of one step, ready to be put into a graph; its replay alone takes ``alone_ns``."""

    layers: tuple[tuple[str, float], ...]
    """Name (its operator, where that is known) and time on the host, ns, in order of execution."""
    operators: tuple[str | None, ...]
    """Of each layer; None where it is not known."""
    launched: tuple[_Launched, ...]
    alone_ns: float


def graph_of_model(
    composition: Composition, results: SystemResults, traces: Mapping[str, Trace]
) -> tuple[DependencyGraph, Estimate]:
    """Stitch the graph of a network, each sequence taking the time that it takes at its place.

    Args:
        composition: of the network.
        results: of one configuration.
        traces: of sequences by fingerprint; a sequence without one is a single task of the host.

    Returns:
        The graph, and the estimate that rule ``simulate`` makes of it, with its interval.

    Raises:
        InputError: sequences have no result.
    """
    made: list[DependencyGraph] = []
    simulated = simulation(composition, traces)

    def replayed(times_ns: Sequence[int]) -> CriticalPath:
        made.append(stitched(composition, times_ns, traces))
        return simulated(times_ns)

    composed = estimate(composition, results, Rule.parse("simulate"), replay=replayed)
    if composed.missing:
        missing = f"{len(composed.missing)} of its sequences were not measured there"
        raise InputError(f"{composition.model}: {missing}: 'dlbricks plan' makes the suite that closes the gap")
    return made[0], composed


def simulation(composition: Composition, traces: Mapping[str, Trace]) -> Callable[[Sequence[int]], CriticalPath]:
    """Give the composition rule ``simulate`` for one model: from the times of its steps to the time of the whole."""

    def simulated(times_ns: Sequence[int]) -> CriticalPath:
        graph = stitched(composition, times_ns, traces)
        schedule = replay(graph)
        owner = {name: index for index, step in enumerate(composition.steps) for name in step.layers[:1]}
        path = explain(graph, schedule).path
        names = (graph.layers[graph.layer[task]] for task in path if graph.layer[task] != NONE)
        return CriticalPath(
            makespan_ns=schedule.makespan_ns, chain=tuple(sorted({owner[name] for name in names if name in owner}))
        )

    return simulated


def stitched(composition: Composition, times_ns: Sequence[int], traces: Mapping[str, Trace]) -> DependencyGraph:
    """Join the traces of the steps of a model.

    Args:
        composition: of the model.
        times_ns: of each step at its place, call overhead taken out; free and missing steps take none.
        traces: of sequences by fingerprint; a step without one is a single task of the host.
    """
    builder = GraphBuilder(name=composition.model)
    parts: dict[str, _StepTrace] = {}
    last: list[int] = []
    for step, time_ns in zip(composition.steps, times_ns, strict=True):
        if step.fingerprint not in parts:
            known = step.features.operators if step.features else ()
            trace = None if step.free else traces.get(step.fingerprint)
            parts[step.fingerprint] = _step_trace(step.name, trace, known[0] if known else None)
        part = parts[step.fingerprint]
        before = [last[index] for index in step.depends_on]
        layer = step.layers[0] if step.layers else step.name
        last.append(_add(builder, part, time_ns / part.alone_ns, layer, before, _figures(step)))
    _finish(builder, [parts[step.fingerprint] for step in composition.steps])
    untraced = sum(not step.free and step.fingerprint not in traces for step in composition.steps)
    if untraced and traces:
        builder.notes.append(f"{untraced} of {len(composition.steps)} steps have no stored trace: each is one task")
    return builder.built()


def _step_trace(name: str, trace: Trace | None, operator: str | None = None) -> _StepTrace:
    """Take apart the trace of one call of a sequence; without one it is a single layer of the host."""
    if trace is None or not len(trace.rows(Level.LAYER)):
        return _StepTrace(layers=((name, 1.0),), operators=(operator,), launched=(), alone_ns=1.0)
    outer = ancestors(trace, Level.LAYER, outermost=True)
    rows = np.unique(outer[outer != NONE])
    rows = rows[np.argsort(trace.start_ns[rows], kind="stable")]
    place = {row: index for index, row in enumerate(rows.tolist())}
    executed = trace.rows(Level.KERNEL, role=Role.EXECUTION)
    executed = executed[np.argsort(trace.start_ns[executed], kind="stable")]
    begun = trace.start_ns[trace.parent[executed]]
    quickest = max(0, int((trace.start_ns[executed] - begun).min(initial=np.iinfo(np.int64).max)))
    launched = []
    for row, start in zip(executed.tolist(), begun.tolist(), strict=True):
        layer = place.get(int(outer[row]), 0)
        lane = trace.lanes[trace.lane[row]]
        launched.append(
            _Launched(
                layer=layer,
                name=trace.names[trace.name[row]],
                kind=TASK_KINDS.get(trace.kinds[trace.kind[row]], TaskKind.KERNEL),
                lane=Lane(process=_PROCESS, name=lane.name, device=lane.device),
                lag_ns=max(0, start - int(trace.start_ns[rows[layer]])) + quickest,
                duration_ns=float(trace.end_ns[row] - trace.start_ns[row]),
            )
        )
    operators = tuple(text or None for text in trace.texts("type", rows))
    names = (kind or trace.names[trace.name[row]] for kind, row in zip(operators, rows.tolist(), strict=True))
    layers = tuple(zip(names, np.maximum(1, trace.duration_ns[rows]).astype(float).tolist(), strict=True))
    made = _StepTrace(layers=layers, operators=operators, launched=tuple(launched), alone_ns=1.0)
    builder = GraphBuilder(name=name)
    _add(builder, made, 1.0, name, (), {})
    _finish(builder, [made])
    return replace(made, alone_ns=float(max(1, replay(builder.built()).makespan_ns)))


def _figures(step: CompositionStep) -> dict[str, float]:
    """Give arithmetic and bytes of a step; nothing of views, and of what no benchmark can be made of."""
    known = step.features
    if known is None:
        return {}
    return {
        "flops": known.flops,
        "read_bytes": known.input_bytes + known.weight_bytes,
        "written_bytes": known.output_bytes,
        "parameter_bytes": known.weight_bytes,
    }


def _add(
    builder: GraphBuilder,
    part: _StepTrace,
    scale: float,
    layer: str,
    before: Sequence[int],
    figures: Mapping[str, float],
) -> int:
    """Add a step and give its last host task.

    Times are rounded so that those of the host add up; figures are shared out by them.
    """
    hosts: list[int] = []
    passed, total = 0.0, sum(time_ns for _, time_ns in part.layers)
    for (name, time_ns), operator in zip(part.layers, part.operators, strict=True):
        duration = round((passed + time_ns) * scale) - round(passed * scale)
        passed += time_ns
        own: dict[str, Any] = {key: figure * time_ns / total for key, figure in figures.items()}
        hosts.append(builder.task(TaskKind.CPU, name, _HOST, duration, layer=layer, operator=operator, **own))
        for earlier in hosts[-2:-1] if len(hosts) > 1 else before:
            builder.edge(EdgeKind.DATA, earlier, hosts[-1])
    for one in part.launched:
        task = builder.task(one.kind, one.name, one.lane, round(one.duration_ns * scale), layer=layer)
        builder.edge(EdgeKind.LAUNCH, hosts[one.layer], task, round(one.lag_ns * scale))
    return hosts[-1]


def _finish(builder: GraphBuilder, parts: Sequence[_StepTrace]) -> None:
    """Let the host wait for every stream that was used."""
    lanes = dict.fromkeys(one.lane for part in parts for one in part.launched)
    if lanes:
        wait = builder.task(TaskKind.SYNCHRONISATION, _WAIT, _HOST, 0)
        for lane in lanes:
            builder.wait(wait, lane)
