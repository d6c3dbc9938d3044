"""BlueConnect: an all-reduce as a chain of reduce-scatters and all-gathers that fits the topology of the network.

Cho et al., MLSys 2019; modelled by Daydream (USENIX ATC 2020, section 5.3) as tasks on channels of their own.
"""

import numpy as np

from dlbricks.trace.types import Lane, Longs
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, lasting
from dlbricks.whatif.graph import EDGE_TYPES, with_columns
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.scheduling import Policy
from dlbricks.whatif.select import select
from dlbricks.whatif.training.buckets import sums
from dlbricks.whatif.training.links import (
    BANDWIDTH,
    EFFICIENCY,
    LATENCY,
    Link,
    is_transfer,
    link_of,
    member_counts,
    payload_bytes,
    poor_link,
)
from dlbricks.whatif.transform import Parameter, Transform, Values

_STAGES = ("reduce-scatter between nodes", "all-gather between nodes", "all-gather inside nodes")
"""Behind the first, the reduce-scatter inside nodes, which takes the place of the all-reduce."""


def _apply(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = sums(graph)
    inside = float(values["inside"])
    inner = Link(
        bytes_per_s=float(values["inside_bandwidth"]) * float(values["efficiency"]), latency_ns=float(values["latency"])
    )
    outer = link_of(values)
    sizes, members = payload_bytes(graph, rows), member_counts(graph, rows)
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    firsts = []
    last_stage: dict[int, int] = {}
    for row, size, count in zip(rows.tolist(), sizes.tolist(), members.tolist(), strict=True):
        between_ns = outer.half_ns(size / inside, count / inside)
        inside_ns = inner.half_ns(size, inside)
        firsts.append(inside_ns)
        lane = graph.lanes[graph.lane[row]]
        between = _between(lane)
        before = row
        for name, place, time in zip(
            _STAGES, (between, between, lane), (between_ns, between_ns, inside_ns), strict=True
        ):
            tasks.append(NewTask(kind=TaskKind.COLLECTIVE, name=name, lane=place, duration_ns=time, after=row))
            edges.append(NewEdge(kind=EdgeKind.GRADIENT, first=before, second=len(graph) + len(tasks) - 1))
            before = len(graph) + len(tasks) - 1
        last_stage[row] = before
    return inserted(*_handed_on(lasting(graph, rows, np.array(firsts, np.int64)), rows, last_stage, tasks, edges))[0]


def _between(lane: Lane) -> Lane:
    return Lane(process=lane.process, name=f"{lane.name} between nodes", device=lane.device)


def _handed_on(
    graph: DependencyGraph, rows: Longs, last_stage: dict[int, int], tasks: list[NewTask], edges: list[NewEdge]
) -> tuple[DependencyGraph, list[NewTask], list[NewEdge]]:
    """Let what waited for an all-reduce wait for the last stage of its chain."""
    moved = np.isin(graph.edge_from, rows)
    later = [
        NewEdge(
            kind=EdgeKind(int(graph.edge_kind[edge])),
            first=last_stage[int(graph.edge_from[edge])],
            second=int(graph.edge_to[edge]),
            lag_ns=int(graph.edge_lag_ns[edge]),
        )
        for edge in np.flatnonzero(moved).tolist()
    ]
    return with_columns(graph, **{key: getattr(graph, key)[~moved] for key in EDGE_TYPES}), tasks, [*edges, *later]


def _why_not(graph: DependencyGraph, values: Values) -> str:
    rows = sums(graph)
    if not len(rows):
        return "it has no all-reduces: ask data-parallel first"
    if not is_transfer(graph, rows).all():
        return "its all-reduces were recorded on one rank, where most of their time may be waiting for the others"
    members, inside = member_counts(graph, rows), float(values["inside"])
    if np.isnan(members).any() or np.isnan(payload_bytes(graph, rows)).any():
        return "it does not tell the sizes and the groups of all its all-reduces"
    odd = members[(members % inside != 0) | (members <= inside)]
    if len(odd):
        return f"{odd[0]:.0f} ranks do not make two nodes or more of {inside:.0f} each"
    return poor_link(values)


def _policy(graph: DependencyGraph, _values: Values) -> Policy:
    """Channels take what is ready first: the last stages of one all-reduce or the first of the next."""
    lanes = np.unique(graph.lane[select(graph, kinds=(TaskKind.COLLECTIVE,), name="|".join(_STAGES))])
    return Policy(free_lanes=tuple(int(lane) for lane in lanes))


BLUECONNECT = Transform(
    name="blueconnect",
    title="All-reduces in stages, inside nodes and between them, on channels of their own.",
    evidence="modelled",
    source="BlueConnect (MLSys 2019); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_apply,
    parameters=(
        Parameter(name="inside", kind="count", meaning="ranks in each node"),
        Parameter(name="inside_bandwidth", kind="rate", meaning="of the links inside a node"),
        BANDWIDTH,
        LATENCY,
        EFFICIENCY,
    ),
    requires=_why_not,
    ensures=lambda before, after, _values: (
        "" if len(after) == len(before) + len(_STAGES) * len(sums(before)) else "a stage is missing"
    ),
    policy=_policy,
)
"""Each all-reduce becomes four stages: reduce-scatter inside each node, then of each part between nodes, and
all-gathers the same way back. Links between nodes carry one part in ``inside`` of the bytes. Stages of one all-reduce
follow each other; those of several run beside each other on different channels, each of which takes what is ready
first.
"""
