"""Parallel branches: layers that do not need each other run at the same time, on threads or on streams.

Which layers need each other, the order of a trace does not say: edges from layer to layer do, which composed networks
have. Lists are scheduled as runtimes do: whoever is free takes of the layers that are ready the one that has been so
for the longest (Graham 1966).
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import NewEdge, inserted, lasting
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind, launches
from dlbricks.whatif.select import step_numbers
from dlbricks.whatif.simulate import Policy
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.work import no_work, work


def _fed(graph: DependencyGraph) -> Longs:
    return np.flatnonzero(graph.edge_kind == EdgeKind.DATA)


def _calls_apart(graph: DependencyGraph, rows: Longs) -> list[NewEdge]:
    """Let what begins a call wait for all that ends the one before, and for what passed between the two."""
    steps, fed = step_numbers(graph)[rows], _fed(graph)
    waits, feeds = set(graph.edge_to[fed].tolist()), set(graph.edge_from[fed].tolist())
    made = []
    for before, step in pairwise(np.unique(steps).tolist()):
        ends = [row for row in rows[steps == before].tolist() if row not in feeds]
        begins = [row for row in rows[steps == step].tolist() if row not in waits]
        lag = int(graph.gap_ns[rows[steps == before][-1]])
        made += [NewEdge(kind=EdgeKind.THREAD, first=end, second=begin, lag_ns=lag) for end in ends for begin in begins]
    return made


def _on_executor(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Let layers pay what handing them to another thread takes; what a runtime did between two stays in its lane."""
    rows = work(graph)
    made = lasting(graph, rows, graph.duration_ns[rows] * float(values["slowdown"]) + float(values["handing"]))
    return inserted(made, (), _calls_apart(graph, rows)).graph


def _pool(graph: DependencyGraph, servers: int) -> Policy:
    lanes = tuple(int(lane) for lane in np.unique(graph.lane[work(graph)]))
    return Policy(free_lanes=lanes, servers=dict.fromkeys(lanes, servers))


def _no_branches(graph: DependencyGraph) -> str:
    reason = no_work(graph)
    if reason or len(_fed(graph)):
        return reason
    return "it does not say which layers feed which: compose the network instead of tracing it"


PARALLEL = Transform(
    name="parallel-executor",
    title="Threads of a runtime take layers that are ready, instead of one thread all of them.",
    evidence="modelled",
    source="Graham 1966; onnxruntime's execution mode ORT_PARALLEL",
    apply=_on_executor,
    parameters=(
        Parameter("threads", "count", "layers at the same time"),
        Parameter("handing", "time", "what handing a layer over takes", "0us"),
        Parameter("slowdown", "factor", "how many times as long layers take beside others", "1"),
    ),
    requires=lambda graph, _: (
        "its work runs on a device: ask for streams" if (graph.kind == TaskKind.KERNEL).any() else _no_branches(graph)
    ),
    policy=lambda graph, values: _pool(graph, int(float(values["threads"]))),
)


def _on_streams(graph: DependencyGraph, _: Values) -> DependencyGraph:
    """Let kernels wait for the kernels of the layers that feed theirs, instead of for their stream."""
    launched = launches(graph)
    kernels = [row for row in work(graph).tolist() if launched[row] != NONE]
    of_host: dict[int, list[int]] = defaultdict(list)
    for row in kernels:
        of_host[int(launched[row])].append(row)
    pairs = [pair for rows in of_host.values() for pair in pairwise(rows)]
    sources: dict[int, list[int]] = defaultdict(list)
    for edge in _fed(graph).tolist():
        sources[int(graph.edge_to[edge])].append(int(graph.edge_from[edge]))
    ends: dict[int, list[int]] = {}
    for host in np.flatnonzero(graph.kind == TaskKind.CPU).tolist():
        before = [end for source in sources[host] for end in ends.get(source, ())]
        ends[host] = of_host[host][-1:] or before
        pairs += [(end, row) for end in before for row in of_host[host][:1]]
    edges = [NewEdge(kind=EdgeKind.STREAM, first=first, second=second) for first, second in pairs]
    last = _ends_waited_for(graph, kernels, {first for first, _ in pairs})
    return inserted(graph, (), [*edges, *last]).graph


def _ends_waited_for(graph: DependencyGraph, kernels: Sequence[int], feeding: set[int]) -> list[NewEdge]:
    """Let a call that waits for a stream wait for all branches, not only for what was launched last."""
    launched = launches(graph)
    made = []
    for row in kernels:
        waiting = graph.wait_task[(graph.wait_lane == graph.lane[row]) & (graph.wait_task > launched[row])]
        if row not in feeding and len(waiting):
            made.append(NewEdge(kind=EdgeKind.WAIT, first=row, second=int(waiting.min())))
    return made


STREAMS = Transform(
    name="streams",
    title="Branches run on streams of their own.",
    evidence="modelled",
    source="Graham 1966; kernels are taken to fill no more than their part of the device, which is a bound",
    apply=_on_streams,
    parameters=(Parameter("streams", "count", "kernels at the same time"),),
    requires=lambda graph, _: _no_branches(graph) if (graph.kind == TaskKind.KERNEL).any() else "it has no kernels",
    policy=lambda graph, values: _pool(graph, int(float(values["streams"]))),
)
