"""Parallel branches: layers that do not need each other run at the same time, on threads or on streams.

Which layers need each other, the order of a trace does not say: edges from layer to layer do, which composed networks
have, and which ``wired`` gives a trace whose network is known. Lists are scheduled as runtimes do: whoever is free
takes of the layers that are ready the one that has been so for the longest (Graham 1966).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import NewEdge, inserted, lasting
from dlbricks.whatif.inference.operators import no_work, work
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.scheduling import Policy
from dlbricks.whatif.stepping import step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.waits import launches


def wired(graph: DependencyGraph, feeds: Mapping[str, Sequence[str]]) -> DependencyGraph:
    """Add edges from layer to layer within each call, where tasks of the host are layers.

    Args:
        graph: of a trace.
        feeds: for each layer those that it reads from; layers without a task are left out.
    """
    steps = step_numbers(graph)
    layers = np.flatnonzero((graph.kind == TaskKind.CPU) & (graph.layer != NONE))
    of_layer: dict[tuple[int, str], list[int]] = defaultdict(list)
    for row in layers.tolist():
        of_layer[int(steps[row]), graph.layers[graph.layer[row]]].append(row)
    edges = [
        NewEdge(kind=EdgeKind.DATA, first=of_layer[step, source][-1], second=rows[0])
        for (step, name), rows in list(of_layer.items())
        for source in feeds.get(name, ())
        if (step, source) in of_layer
    ]
    return inserted(graph, (), edges)[0]


def _fed(graph: DependencyGraph) -> Longs:
    return np.flatnonzero(graph.edge_kind == EdgeKind.DATA)


def _calls_apart(graph: DependencyGraph, rows: Longs) -> list[NewEdge]:
    """Let what begins a call wait for all that ends the one before, and for what passed between the two."""
    steps = step_numbers(graph)[rows]
    fed = _fed(graph)
    waits, feeds = set(graph.edge_to[fed].tolist()), set(graph.edge_from[fed].tolist())
    made = []
    for before, step in pairwise(np.unique(steps).tolist()):
        ends = [row for row in rows[steps == before].tolist() if row not in feeds]
        begins = [row for row in rows[steps == step].tolist() if row not in waits]
        lag = int(graph.gap_ns[rows[steps == before][-1]])
        made += [NewEdge(kind=EdgeKind.THREAD, first=end, second=begin, lag_ns=lag) for end in ends for begin in begins]
    return made


def _executor(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Let layers pay what handing them to another thread takes; what a runtime did between two stays in its lane."""
    rows = work(graph)
    slowed = graph.duration_ns[rows] * float(values["slowdown"]) + float(values["handing"])
    made = lasting(graph, rows, np.rint(slowed).astype(np.int64))
    return inserted(made, (), _calls_apart(graph, rows))[0]


def _pool(graph: DependencyGraph, servers: int) -> Policy:
    lanes = tuple(int(lane) for lane in np.unique(graph.lane[work(graph)]))
    return Policy(free_lanes=lanes, servers=dict.fromkeys(lanes, servers))


def _no_branches(graph: DependencyGraph, _: Values) -> str:
    reason = no_work(graph)
    if reason or len(_fed(graph)):
        return reason
    return "it does not say which layers feed which: compose the network instead of tracing it"


def _no_threads(graph: DependencyGraph, values: Values) -> str:
    if (graph.kind == TaskKind.KERNEL).any():
        return "its work runs on a device: ask for streams"
    return _no_branches(graph, values)


PARALLEL = Transform(
    name="parallel-executor",
    title="Threads of a runtime take layers that are ready, instead of one thread all of them.",
    evidence="modelled",
    source="Graham 1966; onnxruntime's execution mode ORT_PARALLEL",
    apply=_executor,
    parameters=(
        Parameter(name="threads", kind="count", meaning="layers at the same time"),
        Parameter(name="handing", kind="time", meaning="what handing a layer over takes", default="0us"),
        Parameter(
            name="slowdown", kind="factor", meaning="how many times as long layers take beside others", default="1"
        ),
    ),
    requires=_no_threads,
    policy=lambda graph, values: _pool(graph, int(float(values["threads"]))),
)


def _streams(graph: DependencyGraph, _: Values) -> DependencyGraph:
    """Let kernels wait for the kernels of the layers that feed theirs, instead of for their stream."""
    launched = launches(graph)
    kernels = [row for row in work(graph).tolist() if launched[row] != NONE]
    of_host: dict[int, list[int]] = defaultdict(list)
    for row in kernels:
        of_host[int(launched[row])].append(row)
    edges = [
        NewEdge(kind=EdgeKind.STREAM, first=before, second=row)
        for rows in of_host.values()
        for before, row in pairwise(rows)
    ]
    sources: dict[int, list[int]] = defaultdict(list)
    for edge in _fed(graph).tolist():
        sources[int(graph.edge_to[edge])].append(int(graph.edge_from[edge]))
    ends: dict[int, list[int]] = {}
    for host in np.flatnonzero(graph.kind == TaskKind.CPU).tolist():
        before = [end for source in sources[host] for end in ends.get(source, ())]
        ends[host] = of_host[host][-1:] or before
        edges += [NewEdge(kind=EdgeKind.STREAM, first=end, second=row) for end in before for row in of_host[host][:1]]
    return inserted(graph, (), [*edges, *_ends_waited_for(graph, kernels, {edge.first for edge in edges})])[0]


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
    apply=_streams,
    parameters=(Parameter(name="streams", kind="count", meaning="kernels at the same time"),),
    requires=lambda graph, values: (
        _no_branches(graph, values) if (graph.kind == TaskKind.KERNEL).any() else "it has no kernels"
    ),
    policy=lambda graph, values: _pool(graph, int(float(values["streams"]))),
)
