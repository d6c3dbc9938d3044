"""Transforms of collectives: link bandwidth, gradient buckets, BlueConnect, gradient compression."""

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
    all_reduces,
    collective_rows,
    invalid_link,
    is_transfer,
    link_of,
    member_counts,
    operation,
    payload_bytes,
    unknown_all_reduces,
)

_UNKNOWN = "unknown"


def _present(values: Values) -> float | None:
    """Return the bandwidth of the traced run; None if not given."""
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
        return f"the size or the group of {number} is not in it: give now=RATE, the bandwidth of the traced run"
    return invalid_link(values)


NETWORK = Transform(
    name="bandwidth",
    title="Other bandwidth of the links between ranks.",
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
            "bandwidth of the traced run, as in 10Gbps: scales times instead of computing them from sizes",
            _UNKNOWN,
        ),
    ),
    requires=_no_network,
    ensures=counting(0, "tasks are gone"),
)
"""Only pure transfer times may be scaled. A collective recorded on one rank is mostly waiting (one all-to-all takes 10
us on the last rank to arrive, 7.6 ms on the first), so such traces are refused. With all ranks, or modelled
collectives, times follow from sizes: latency and bytes over the links of a ring. If sizes are unknown and the present
bandwidth is given, the time beyond the latency is scaled."""
_SERVES = re.compile(
    r"(cuda|hip|cu)(Event(Record|Query|Create)|StreamWaitEvent|StreamIsCapturing)|INVALID", re.IGNORECASE
)
"""Calls around the launch of a collective that synchronise its stream with that of the gradients."""
_BY_SIZE = "size"


def _bucketed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    launch = launches(graph)
    serves = of_name(graph, _SERVES.match) & (graph.kind == TaskKind.CPU)
    serves[np.concatenate([graph.edge_from, graph.edge_to, graph.wait_task])] = False
    lanes = [np.flatnonzero(graph.lane == lane) for lane in range(len(graph.lanes))]
    of_lanes = [rows for step in by_step(graph, all_reduces(graph)) for rows in by_lane(graph, step)]
    merges = []
    for bucket in (rows[one] for rows in of_lanes for one in _split(graph, rows, values)):
        if len(bucket) > 1:
            calls = [call for call in launch[bucket[:-1]].tolist() if call != NONE]
            tied = [one for call in calls for one in _around(lanes[graph.lane[call]], call, serves)]
            merges.append(_merge(graph, bucket, tied))
    made = merged(graph, merges)[0]
    if is_transfer(graph, all_reduces(graph)).all():
        return made
    return with_columns(made, "all-reduces were recorded on one rank: their times include waiting for other ranks")


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
        # the start-up cost of each is at most the shortest duration
        durations_ns=[int(durations.sum()) - (len(rows) - 1) * int(durations.min())],
        with_calls=with_calls,
        attributes={key: float(value) for key, value in known.items() if not np.isnan(value)},
    )


def _around(lane: Longs, call: int, serves: Mask) -> list[int]:
    """Return the calls adjacent to a launch on its lane that only serve its collective."""
    place = int(np.searchsorted(lane, call))
    found = []
    for step in (-1, 1):
        at = place + step
        while 0 <= at < len(lane) and serves[lane[at]]:
            found.append(int(lane[at]))
            at += step
    return found


def _no_buckets(graph: DependencyGraph, values: Values) -> str:
    rows = all_reduces(graph)
    if len(rows) < 2:
        return "it has no all-reduces to merge"
    buckets = values["buckets"]
    if buckets != _BY_SIZE:
        whole = buckets.isdigit() and int(buckets) > 0
        return "" if whole else f"buckets '{buckets}' is not a number: write how many in a step, or {_BY_SIZE}"
    if np.isnan(payload_bytes(graph, rows)).any():
        return "the sizes of its all-reduces are unknown: give buckets=NUMBER, how many in a step"
    return "" if values["size"] else "the bucket size is 0"


def _bucketed_wrong(before: DependencyGraph, after: DependencyGraph, _values: Values) -> str:
    if len(all_reduces(after)) > len(all_reduces(before)):
        return "there are more all-reduces than before"
    was, now = (payload_bytes(one, all_reduces(one)).sum() for one in (before, after))
    return "" if np.isnan(was) or abs(now - was) <= 1e-6 * was else "bytes are gone"


BUCKETS = Transform(
    name="bucket",
    title="Gradient buckets: one all-reduce for several gradients.",
    source="PyTorch Distributed (VLDB 2020, section 3.2.1); durations as in Daydream's fusion, minus start-up costs",
    apply=_bucketed,
    parameters=(
        Parameter("size", "size", "of a bucket", "25MiB"),
        Parameter("buckets", "text", "number per step, if sizes are unknown", _BY_SIZE),
    ),
    requires=_no_buckets,
    ensures=_bucketed_wrong,
)
"""Consecutive all-reduces of a step are merged into one, after the last of their gradients. Its time is their sum minus
start-up costs: all but one of them save at most the shortest duration. Removed launches take along the calls that
synchronised their streams. Tasks that waited for one of the all-reduces wait for the merged one, if they come after the
last of them. Copies into and out of buckets keep their times."""
_STAGES = ("reduce-scatter between nodes", "all-gather between nodes", "all-gather inside nodes")
"""After the first stage, the reduce-scatter inside nodes, which replaces the all-reduce."""


def _staged(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows, inside = all_reduces(graph), values["inside"]
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
    reason = unknown_all_reduces(graph)
    if reason:
        return reason
    members, inside = member_counts(graph, all_reduces(graph)), values["inside"]
    odd = members[(members % inside != 0) | (members <= inside)]
    if len(odd):
        return f"{odd[0]:.0f} ranks do not make two nodes or more of {inside:.0f} each"
    return invalid_link(values)


def _first_come(graph: DependencyGraph, _values: Values) -> Policy:
    """Channels are first come, first served among stages of consecutive all-reduces."""
    lanes = np.unique(graph.lane[select(graph, kinds=(TaskKind.COLLECTIVE,), name="|".join(_STAGES))])
    return Policy(free_lanes=tuple(int(lane) for lane in lanes))


BLUECONNECT = Transform(
    name="blueconnect",
    title="Hierarchical all-reduces: stages inside and between nodes, on separate channels.",
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
        "" if len(after) == len(before) + len(_STAGES) * len(all_reduces(before)) else "a stage is missing"
    ),
    policy=_first_come,
)
"""Each all-reduce becomes four stages: reduce-scatter inside each node, then of each part between nodes, then the two
all-gathers in reverse. Links between nodes carry one part in ``inside`` of the bytes. The stages of one all-reduce are
sequential; those of several overlap on different channels, first come, first served."""
COMPRESS, RESTORE = "compression of gradients", "restoring of gradients"
_PASSES = 8
"""Reads or writes per gradient during compression: momentum 3, residual 3, threshold and mask 2."""
_WITH_INDEX = 2
"""Bytes sent per byte of a gradient, because its index is sent, too."""


def _compressed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    rows, memory, least = all_reduces(graph), values["memory"], least_kernel_ns(graph)
    sizes, members = payload_bytes(graph, rows), member_counts(graph, rows)
    link, sent = link_of(values), _WITH_INDEX * values["share"] * sizes
    kernels, times = [], []
    for row, size, part, count in zip(rows.tolist(), sizes.tolist(), sent.tolist(), members.tolist(), strict=True):
        times.append(link.half_ns(part * count, count))
        compress_ns, restore_ns = (
            max(least, round(1e9 * nbytes / memory)) for nbytes in (_PASSES * size, size + part * count)
        )
        source, targets = _source(graph, row), _targets(graph, row)
        kernels.append(NewKernel(name=COMPRESS, duration_ns=compress_ns, next_to=source, ahead_of=(row,)))
        if targets:
            kernels.append(
                NewKernel(
                    name=RESTORE,
                    duration_ns=restore_ns,
                    next_to=targets[0],
                    before=True,
                    after=(row,),
                    ahead_of=targets,
                )
            )
    return with_kernels(with_durations(graph, rows, times), kernels).graph


def _source(graph: DependencyGraph, row: int) -> int:
    """Return the last device task that an all-reduce waits for, or ``NONE``."""
    sources = graph.edge_from[(graph.edge_to == row) & (graph.edge_kind != EdgeKind.LAUNCH)]
    return int(np.intersect1d(sources, on_device(graph)).max(initial=NONE))


def _targets(graph: DependencyGraph, row: int) -> list[int]:
    """Return the device tasks that wait for an all-reduce."""
    targets = graph.edge_to[graph.edge_from == row]
    return sorted(int(target) for target in targets[np.isin(targets, on_device(graph))])


def _no_compression(graph: DependencyGraph, values: Values) -> str:
    reason = unknown_all_reduces(graph)
    if not reason and any(_source(graph, row) == NONE for row in all_reduces(graph).tolist()):
        reason = "the kernel that makes the gradients of an all-reduce is unknown"
    return reason or (invalid_link(values) if values["share"] else "the share sent is 0")


COMPRESSION = Transform(
    name="deep-gradient-compression",
    title="Deep gradient compression: only the largest gradients are sent.",
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
    ensures=lambda before, after, _: (
        "" if len(all_reduces(after)) == len(all_reduces(before)) else "all-reduces are gone"
    ),
)
"""Daydream inserts kernels that compress and decompress, and scales communication by the ratio. Here sparse gradients
are exchanged by an all-gather of values and indices, since they cannot be summed on the way. Its time grows with the
number of ranks, so with many ranks and a large share it is slower than the all-reduce. Compression reads and writes
each gradient 8 times, decompression writes it once. Accuracy is out of scope."""
