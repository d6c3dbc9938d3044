"""Other networks and algorithms for collectives: ``bandwidth``, ``bucket``, ``blueconnect``, gradient compression."""

import re
from itertools import pairwise

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Lane, Longs
from dlbricks.units import counted
from dlbricks.whatif.edit import NewEdge, NewTask, edge_like, inserted, with_durations
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Mask, TaskKind, launches, with_columns, with_edges
from dlbricks.whatif.launching import Merge, NewKernel, least_kernel_ns, merged, with_kernels
from dlbricks.whatif.select import by_lane, by_step, of_name, on_device, select
from dlbricks.whatif.simulate import Policy
from dlbricks.whatif.transform import Parameter, Transform, Values, counting, read_value
from dlbricks.whatif.transforms.data_parallel import in_buckets
from dlbricks.whatif.transforms.links import (
    BANDWIDTH,
    EFFICIENCY,
    LATENCY,
    NOT_ALL_RANKS,
    Link,
    collective_rows,
    is_transfer,
    link_of,
    member_counts,
    operation,
    payload_bytes,
    poor_link,
    sums,
    unknown_sums,
)

_UNKNOWN = "unknown"


def _present(values: Values) -> float | None:
    """Give the bandwidth that was measured with; None where it was not said."""
    return None if values["now"] == _UNKNOWN else float(read_value(BANDWIDTH, values["now"]))


def _rewired(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows = collective_rows(graph)
    rows = rows[is_transfer(graph, rows)]
    link, now = link_of(values), _present(values)
    if now is not None:
        sent = np.maximum(0.0, graph.duration_ns[rows] - link.latency_ns)
        return with_durations(graph, rows, graph.duration_ns[rows] - sent + sent * now / values["bandwidth"])
    sizes, members = payload_bytes(graph, rows).tolist(), member_counts(graph, rows).tolist()
    each = zip(rows.tolist(), sizes, members, strict=True)
    times = [link.collective_ns(operation(graph, row), size, count) for row, size, count in each]
    return with_durations(graph, rows, times)


def _no_network(graph: DependencyGraph, values: Values) -> str:
    rows = collective_rows(graph)
    if not len(rows):
        return "it has no collectives: ask data-parallel first, or give the traces of all ranks"
    known = rows[is_transfer(graph, rows)]
    if not len(known):
        return f"its collectives {NOT_ALL_RANKS}: give the traces of all ranks"
    try:
        now = _present(values)
    except InputError as error:
        return f"now: {error}"
    unknown = np.isnan(payload_bytes(graph, known) + member_counts(graph, known))
    if now is None and unknown.any():
        number = counted(int(unknown.sum()), "collective")
        return f"the size or the group of {number} is not in it: give now=RATE, the bandwidth that it was measured with"
    return poor_link(values)


NETWORK = Transform(
    name="bandwidth",
    title="A network of another bandwidth.",
    evidence="published",
    source="Daydream (USENIX ATC 2020, section 5.3); alpha-beta model of collectives",
    apply=_rewired,
    parameters=(
        BANDWIDTH,
        LATENCY,
        EFFICIENCY,
        Parameter(
            "now",
            "text",
            "bandwidth that was measured with, as in 10Gbps: scales instead of computing from sizes",
            _UNKNOWN,
        ),
    ),
    requires=_no_network,
    ensures=counting(0, "tasks are gone"),
)
"""Daydream scales communication. Only what is known to be transfer may be scaled: of a collective that one rank
recorded most is waiting for partners (one all-to-all takes 10 us on the last rank that comes, 7.6 ms on the first), so
such a trace is refused. With all ranks at hand, or with modelled collectives, sizes give the time: latency and bytes
over the links of a ring. Where sizes are unknown and the present bandwidth is given, all but the latency scales with
it.
"""
_SERVES = re.compile(
    r"(cuda|hip|cu)(Event(Record|Query|Create)|StreamWaitEvent|StreamIsCapturing)|INVALID", re.IGNORECASE
)
"""Calls around the launch of a collective that tie its stream to that of the gradients."""
_BY_SIZE = "size"


def _bucketed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    launch = launches(graph)
    serves = of_name(graph, _SERVES.match) & (graph.kind == TaskKind.CPU)
    serves[np.concatenate([graph.edge_from, graph.edge_to, graph.wait_task])] = False
    lanes = [np.flatnonzero(graph.lane == lane) for lane in range(len(graph.lanes))]
    of_lanes = [rows for step in by_step(graph, sums(graph)) for rows in by_lane(graph, step)]
    merges = []
    for bucket in (rows[one] for rows in of_lanes for one in _split(graph, rows, values)):
        if len(bucket) > 1:
            calls = [call for call in launch[bucket[:-1]].tolist() if call != NONE]
            tied = [one for call in calls for one in _around(lanes[graph.lane[call]], call, serves)]
            merges.append(_merge(graph, bucket, tied))
    made = merged(graph, merges)[0]
    if is_transfer(graph, sums(graph)).all():
        return made
    return with_columns(made, "all-reduces were recorded on one rank: what of their time is waiting stays in their sum")


def _split(graph: DependencyGraph, rows: Longs, values: Values) -> tuple[slice, ...]:
    if values["buckets"] == _BY_SIZE:
        size = values["size"]
        return in_buckets(payload_bytes(graph, rows), size, size)
    count = min(int(values["buckets"]), len(rows))
    bounds = np.linspace(0, len(rows), count + 1).astype(int).tolist()
    return tuple(slice(first, last) for first, last in pairwise(bounds))


def _merge(graph: DependencyGraph, rows: Longs, with_calls: list[int]) -> Merge:
    durations = graph.duration_ns[rows]
    known = {"bytes": payload_bytes(graph, rows).sum(), "group_size": member_counts(graph, rows)[-1]}
    return Merge(
        rows=rows,
        name=graph.named(rows[-1]),
        # each of them paid for its start once, which is at most what the quickest one took
        durations_ns=[int(durations.sum()) - (len(rows) - 1) * int(durations.min())],
        with_calls=with_calls,
        attributes={key: float(value) for key, value in known.items() if not np.isnan(value)},
    )


def _around(lane: Longs, call: int, serves: Mask) -> list[int]:
    """Give the calls right before and right behind a launch on its lane that serve nothing but its collective."""
    place = int(np.searchsorted(lane, call))
    found = []
    for step in (-1, 1):
        at = place + step
        while 0 <= at < len(lane) and serves[lane[at]]:
            found.append(int(lane[at]))
            at += step
    return found


def _no_buckets(graph: DependencyGraph, values: Values) -> str:
    rows = sums(graph)
    if len(rows) < 2:
        return "it has no all-reduces to put together"
    buckets = values["buckets"]
    if buckets != _BY_SIZE:
        whole = buckets.isdigit() and int(buckets) > 0
        return "" if whole else f"buckets '{buckets}' is no number: write how many in a step, or {_BY_SIZE}"
    if np.isnan(payload_bytes(graph, rows)).any():
        return "it does not tell the sizes of its all-reduces: give buckets=NUMBER, how many in a step"
    return "" if values["size"] else "buckets of 0 bytes hold nothing"


def _bucketed_wrong(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    if len(sums(after)) > len(sums(before)):
        return "there are more all-reduces than before"
    was, now = (payload_bytes(one, sums(one)).sum() for one in (before, after))
    return "" if np.isnan(was) or abs(now - was) <= 1e-6 * was else "bytes are gone"


BUCKETS = Transform(
    name="bucket",
    title="Gradients are summed in buckets instead of one by one.",
    source="PyTorch Distributed (VLDB 2020, section 3.2.1); durations as Daydream's fusion, less what a start takes",
    apply=_bucketed,
    parameters=(
        Parameter("size", "size", "of a bucket", "25MiB"),
        Parameter("buckets", "text", "how many in a step, where sizes are not known", _BY_SIZE),
    ),
    requires=_no_buckets,
    ensures=_bucketed_wrong,
)
"""Neighbouring all-reduces of a step become one, behind the last of their gradients. It takes their sum less what all
but one of them paid for starting, at most the shortest of them. The launches that go take the calls with them that tied
their stream to the gradients'. What waited for one of them waits for the whole, from where the last of them stood on.
Copies into and out of buckets stay as they were measured for each gradient.
"""
_STAGES = ("reduce-scatter between nodes", "all-gather between nodes", "all-gather inside nodes")
"""Behind the first, the reduce-scatter inside nodes, which takes the place of the all-reduce."""


def _staged(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows, inside = sums(graph), values["inside"]
    rate = values["inside_bandwidth"] * values["efficiency"]
    inner, outer = Link(bytes_per_s=rate, latency_ns=values["latency"]), link_of(values)
    sizes, members = payload_bytes(graph, rows), member_counts(graph, rows)
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    firsts = []
    last_stage: dict[int, int] = {}
    for row, size, count in zip(rows.tolist(), sizes.tolist(), members.tolist(), strict=True):
        between_ns, inside_ns = outer.half_ns(size / inside, count / inside), inner.half_ns(size, inside)
        firsts.append(inside_ns)
        lane = graph.lanes[graph.lane[row]]
        between = Lane(process=lane.process, name=f"{lane.name} between nodes", device=lane.device)
        stages = zip(_STAGES, (between, between, lane), (between_ns, between_ns, inside_ns), strict=True)
        last_stage[row] = row
        for name, place, time in stages:
            number = len(graph) + len(tasks)
            edges.append(NewEdge(kind=EdgeKind.GRADIENT, first=last_stage[row], second=number))
            tasks.append(NewTask(kind=TaskKind.COLLECTIVE, name=name, lane=place, duration_ns=time, after=row))
            last_stage[row] = number
    moved = np.isin(graph.edge_from, rows)
    edges += [
        edge_like(graph, edge, first=last_stage[int(graph.edge_from[edge])]) for edge in np.flatnonzero(moved).tolist()
    ]
    return inserted(with_edges(with_durations(graph, rows, firsts), ~moved), tasks, edges).graph


def _no_stages(graph: DependencyGraph, values: Values) -> str:
    reason = unknown_sums(graph)
    if reason:
        return reason
    members, inside = member_counts(graph, sums(graph)), values["inside"]
    odd = members[(members % inside != 0) | (members <= inside)]
    if len(odd):
        return f"{odd[0]:.0f} ranks do not make two nodes or more of {inside:.0f} each"
    return poor_link(values)


def _first_come(graph: DependencyGraph, _values: Values) -> Policy:
    """Channels take what is ready first: the last stages of one all-reduce or the first of the next."""
    lanes = np.unique(graph.lane[select(graph, kinds=(TaskKind.COLLECTIVE,), name="|".join(_STAGES))])
    return Policy(free_lanes=tuple(int(lane) for lane in lanes))


BLUECONNECT = Transform(
    name="blueconnect",
    title="All-reduces in stages, inside nodes and between them, on channels of their own.",
    source="BlueConnect (MLSys 2019); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_staged,
    parameters=(
        Parameter("inside", "count", "ranks in each node"),
        Parameter("inside_bandwidth", "rate", "of the links inside a node"),
        BANDWIDTH,
        LATENCY,
        EFFICIENCY,
    ),
    requires=_no_stages,
    ensures=lambda before, after, _values: (
        "" if len(after) == len(before) + len(_STAGES) * len(sums(before)) else "a stage is missing"
    ),
    policy=_first_come,
)
"""Each all-reduce becomes four stages: reduce-scatter inside each node, then of each part between nodes, and
all-gathers the same way back. Links between nodes carry one part in ``inside`` of the bytes. Stages of one all-reduce
follow each other; those of several run beside each other on different channels, each of which takes what is ready
first.
"""
COMPRESS, RESTORE = "compression of gradients", "restoring of gradients"
_PASSES = 8
"""Times that compression reads or writes each gradient: momentum (3), what is kept (3), threshold and mask (2)."""
_WITH_INDEX = 2
"""Bytes sent for each byte of a gradient: its place goes with it."""


def _compressed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows, memory, least = sums(graph), values["memory"], least_kernel_ns(graph)
    sizes, members = payload_bytes(graph, rows), member_counts(graph, rows)
    link, sent = link_of(values), _WITH_INDEX * values["share"] * sizes
    kernels, times = [], []
    for row, size, part, count in zip(rows.tolist(), sizes.tolist(), sent.tolist(), members.tolist(), strict=True):
        times.append(link.half_ns(part * count, count))
        compress_ns, restore_ns = (
            max(least, round(1e9 * nbytes / memory)) for nbytes in (_PASSES * size, size + part * count)
        )
        source, targets = _source(graph, row), _targets(graph, row)
        kernels.append(NewKernel(name=COMPRESS, duration_ns=compress_ns, beside=source, ahead_of=(row,)))
        if targets:
            kernels.append(
                NewKernel(
                    name=RESTORE, duration_ns=restore_ns, beside=targets[0], before=True, after=(row,), ahead_of=targets
                )
            )
    return with_kernels(with_durations(graph, rows, times), kernels).graph


def _source(graph: DependencyGraph, row: int) -> int:
    """Give the last device task that an all-reduce waits for; ``NONE`` where there is none."""
    sources = graph.edge_from[(graph.edge_to == row) & (graph.edge_kind != EdgeKind.LAUNCH)]
    return int(np.intersect1d(sources, on_device(graph)).max(initial=NONE))


def _targets(graph: DependencyGraph, row: int) -> list[int]:
    """Give the device tasks that wait for an all-reduce."""
    targets = graph.edge_to[graph.edge_from == row]
    return sorted(int(target) for target in targets[np.isin(targets, on_device(graph))])


def _no_compression(graph: DependencyGraph, values: Values) -> str:
    reason = unknown_sums(graph)
    if not reason and any(_source(graph, row) == NONE for row in sums(graph).tolist()):
        reason = "it does not tell which kernel makes the gradients of an all-reduce"
    return reason or (poor_link(values) if values["share"] else "a share of 0 sends nothing")


COMPRESSION = Transform(
    name="deep-gradient-compression",
    title="Only the largest gradients are sent.",
    source="Deep gradient compression (ICLR 2018); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_compressed,
    parameters=(
        Parameter("share", "share", "of the gradients that is sent", "0.1%"),
        BANDWIDTH,
        LATENCY,
        EFFICIENCY,
        Parameter("memory", "rate", "bandwidth of the device's memory", "600GB/s"),
    ),
    requires=_no_compression,
    ensures=lambda before, after, _values: "" if len(sums(after)) == len(sums(before)) else "all-reduces are gone",
)
"""Daydream inserts kernels that compress and restore, and shrinks communication by the ratio. Here what is sparse
cannot be summed on the way, so each rank's part, values and places, goes to all others (an all-gather). That grows with
the number of ranks where an all-reduce does not: with many ranks and a large share it is slower. Compression reads and
writes each gradient 8 times, restoring writes it once. Accuracy is out of scope.
"""
