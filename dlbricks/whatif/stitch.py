"""Stitching: from the stored traces of sequences to the dependency graph of a network that nobody ran whole.

Each step of a composition brings what its benchmark's trace showed: layers on the host, and what they launched on
which stream how much later. Steps follow each other on the host in their order, as a runtime executes them, while what
they launched goes on; at the end the host waits for all streams. Alone, a step takes what was stored for it: its parts
are scaled so that the replay of the step is its latency. On a processor without kernels the whole is then their sum;
where a device is slower or quicker than the host that feeds it, it is what the two make together.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dlbricks.construct.nouns import Composition, CompositionStep
from dlbricks.construct.rules import Schedule as Composed
from dlbricks.trace import kinds
from dlbricks.trace.ancestry import ancestors
from dlbricks.trace.types import NONE, Lane, Level, Role, Trace
from dlbricks.whatif.explain import explain
from dlbricks.whatif.graph import GraphBuilder
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.simulate import replay

_PROCESS = "model"
HOST = Lane(process=_PROCESS, name="host")
WAIT = "wait for all streams"
_KINDS = {kinds.COPY: TaskKind.COPY, kinds.MEMSET: TaskKind.COPY, kinds.COLLECTIVE: TaskKind.COLLECTIVE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Launched:
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
class Part:
    """One step, ready to be put into a graph; its replay alone takes ``alone_ns``."""

    layers: tuple[tuple[str, float], ...]
    """Name (its operator, where that is known) and time on the host, ns, in order of execution."""
    operators: tuple[str | None, ...]
    """Of each layer; None where it is not known."""
    launched: tuple[Launched, ...]
    alone_ns: float


def part_of(name: str, trace: Trace | None, operator: str | None = None) -> Part:
    """Take apart the trace of a sequence; without one it is a single layer of the host.

    Args:
        name: of the sequence.
        trace: of one call, as ``trace.shortform`` gives it.
        operator: of that single layer.
    """
    if trace is None or not len(trace.rows(Level.LAYER)):
        return Part(layers=((name, 1.0),), operators=(operator,), launched=(), alone_ns=1.0)
    outer = ancestors(trace, Level.LAYER, outermost=True)
    rows = np.unique(outer[outer != NONE])
    rows = rows[np.argsort(trace.start_ns[rows], kind="stable")]
    place = {row: index for index, row in enumerate(rows.tolist())}
    executed = trace.rows(Level.KERNEL, role=Role.EXECUTION)
    executed = executed[np.argsort(trace.start_ns[executed], kind="stable")]
    begun = [int(trace.start_ns[trace.parent[row]]) for row in executed.tolist()]
    quickest = min((int(trace.start_ns[row]) - start for row, start in zip(executed, begun, strict=True)), default=0)
    launched = []
    for row, start in zip(executed.tolist(), begun, strict=True):
        layer = place.get(int(outer[row]), 0)
        lane = trace.lanes[trace.lane[row]]
        launched.append(
            Launched(
                layer=layer,
                name=trace.names[trace.name[row]],
                kind=_KINDS.get(trace.kinds[trace.kind[row]], TaskKind.KERNEL),
                lane=Lane(process=_PROCESS, name=lane.name, device=lane.device),
                lag_ns=max(0, start - int(trace.start_ns[rows[layer]])) + max(0, quickest),
                duration_ns=float(trace.end_ns[row] - trace.start_ns[row]),
            )
        )
    operators = tuple(text or None for text in trace.texts("type", rows))
    names = (kind or trace.names[trace.name[row]] for kind, row in zip(operators, rows.tolist(), strict=True))
    layers = tuple(zip(names, np.maximum(1, trace.duration_ns[rows]).astype(float).tolist(), strict=True))
    made = Part(layers=layers, operators=operators, launched=tuple(launched), alone_ns=1.0)
    builder = GraphBuilder(name=name)
    _add(builder, made, 1.0, name, (), {})
    _finish(builder, [made])
    return replace(made, alone_ns=float(max(1, replay(builder.built()).makespan_ns)))


def stitched(composition: Composition, times_ns: Sequence[int], traces: Mapping[str, Trace]) -> DependencyGraph:
    """Join the traces of the steps of a model.

    Args:
        composition: of the model.
        times_ns: of each step at its place, call overhead taken out; free and missing steps take none.
        traces: of sequences by fingerprint; a step without one is a single task of the host.
    """
    builder = GraphBuilder(name=composition.model)
    parts: dict[str, Part] = {}
    last: list[int] = []
    used = []
    for step, time_ns in zip(composition.steps, times_ns, strict=True):
        if step.fingerprint not in parts:
            trace = None if step.free else traces.get(step.fingerprint)
            parts[step.fingerprint] = part_of(step.name, trace, _operator(step))
        part = parts[step.fingerprint]
        before = [last[index] for index in step.depends_on]
        layer = step.layers[0] if step.layers else step.name
        last.append(_add(builder, part, time_ns / part.alone_ns, layer, before, _figures(step)))
        used.append(part)
    _finish(builder, used)
    untraced = sum(not step.free and step.fingerprint not in traces for step in composition.steps)
    if untraced and traces:
        builder.notes.append(f"{untraced} of {len(composition.steps)} steps have no stored trace: each is one task")
    return builder.built()


def _operator(step: CompositionStep) -> str | None:
    """Give what a step computes, by the first of its operators; None for views and for what no benchmark is made of."""
    return step.features.operators[0] if step.features and step.features.operators else None


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
    part: Part,
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
        hosts.append(builder.task(TaskKind.CPU, name, HOST, duration, layer=layer, operator=operator))
        builder.know(hosts[-1], {key: figure * time_ns / total for key, figure in figures.items()})
        for earlier in hosts[-2:-1] if len(hosts) > 1 else before:
            builder.edge(EdgeKind.DATA, earlier, hosts[-1])
    for one in part.launched:
        task = builder.task(one.kind, one.name, one.lane, round(one.duration_ns * scale), layer=layer)
        builder.edge(EdgeKind.LAUNCH, hosts[one.layer], task, round(one.lag_ns * scale))
    return hosts[-1]


def _finish(builder: GraphBuilder, parts: Sequence[Part]) -> None:
    """Let the host wait for every stream that was used."""
    lanes = dict.fromkeys(one.lane for part in parts for one in part.launched)
    if lanes:
        wait = builder.task(TaskKind.SYNCHRONISATION, WAIT, HOST, 0)
        for lane in lanes:
            builder.wait(wait, lane)


def simulation(composition: Composition, traces: Mapping[str, Trace]) -> Callable[[Sequence[int]], Composed]:
    """Give the composition rule ``simulate`` for one model: from the times of its steps to the time of the whole.

    Args:
        composition: of the model.
        traces: of sequences by fingerprint.
    """

    def simulated(times_ns: Sequence[int]) -> Composed:
        graph = stitched(composition, times_ns, traces)
        schedule = replay(graph)
        owner = {name: index for index, step in enumerate(composition.steps) for name in step.layers[:1]}
        path = explain(graph, schedule).path
        names = (graph.layers[graph.layer[task]] for task in path if graph.layer[task] != NONE)
        chain = dict.fromkeys(owner[name] for name in names if name in owner)
        return Composed(makespan_ns=schedule.makespan_ns, chain=tuple(sorted(chain)))

    return simulated
