"""Extends the trace of one rank to several: data parallelism, and gradient buckets (``bucket``).

Daydream (USENIX ATC 2020, section 5.3) and PyTorch's DistributedDataParallel (VLDB 2020, section 4.2).
"""

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.trace.work_classes import KernelClass
from dlbricks.whatif.collectives import (
    all_reduces,
    collective_rows,
    is_transfer,
    member_counts,
    payload_bytes,
)
from dlbricks.whatif.edit import scaled
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, Mask, Phase, TaskKind, launches, with_columns
from dlbricks.whatif.launching import Merge, NewKernel, merged, with_kernels
from dlbricks.whatif.select import by_lane, by_step, of_name, on_device, processes, select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.training.links import BANDWIDTH, EFFICIENCY, LATENCY, communication_lane, invalid_link, link_of
from dlbricks.whatif.training.one_device import parameter_count
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.work import classes

PARAMETERS = Parameter("parameters", "text", "parameter count of the model, if gradient sizes are not traced", "trace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradients:
    """Gradients of one step of one rank, in the order of the backward pass."""

    rows: Longs
    """Device tasks that complete them."""
    sizes_bytes: Floats


def gradients(graph: DependencyGraph, values: Values) -> tuple[Gradients, ...]:
    """Return the gradients of each step: as traced, or the given parameter count spread over backward products.

    Raises:
        InputError: the parameter count is unknown; see ``training.parameter_count``.
    """
    sizes = graph.attributes.get("gradient_bytes")
    if sizes is not None and values["parameters"] == "trace":
        return tuple(
            Gradients(rows=step, sizes_bytes=sizes[step]) for step in by_step(graph, np.flatnonzero(sizes > 0))
        )
    count = parameter_count(graph, values)
    steps = by_step(graph, _backward_products(graph))
    return tuple(Gradients(rows=step, sizes_bytes=np.full(len(step), 4 * count / len(step))) for step in steps)


def _backward_products(graph: DependencyGraph) -> Longs:
    return select(graph, phases=(Phase.BACKWARD,), where=lambda edited: classes(edited) == KernelClass.MATRIX)


def in_buckets(sizes_bytes: Floats, first_bytes: float, size_bytes: float) -> tuple[slice, ...]:
    """Split tensors into buckets, each closed by the tensor that fills it; the first has a limit of its own."""
    buckets, begin, held, limit = [], 0, 0.0, first_bytes
    for place, size in enumerate(sizes_bytes.tolist()):
        held += size
        if held >= limit:
            buckets.append(slice(begin, place + 1))
            begin, held, limit = place + 1, 0.0, size_bytes
    if begin < len(sizes_bytes):
        buckets.append(slice(begin, len(sizes_bytes)))
    return tuple(buckets)


def consumers(graph: DependencyGraph, last: int) -> list[int]:
    """Return, per lane, the first device task after the last gradient that needs it: an update, else a forward task."""
    process = processes(graph)
    rows = on_device(graph)
    later = rows[(process[rows] == process[last]) & (rows > last)]
    for phase in (Phase.UPDATE, Phase.FORWARD):
        firsts = [int(lane[0]) for lane in by_lane(graph, later[graph.phase[later] == phase])]
        if firsts:
            return firsts
    return []


def _in_parallel(graph: DependencyGraph, values: Values) -> DependencyGraph:
    link, members = link_of(values), values["workers"]
    kernels: list[NewKernel] = []
    for step in gradients(graph, values):
        waiting = consumers(graph, int(step.rows[-1]))
        for bucket in in_buckets(step.sizes_bytes, values["first"], values["size"]):
            rows, size = step.rows[bucket], float(step.sizes_bytes[bucket].sum())
            kernels.append(
                NewKernel(
                    name="all-reduce of gradients",
                    duration_ns=link.all_reduce_ns(size, members),
                    next_to=int(rows[-1]),
                    lane=communication_lane(graph, int(step.rows[0]), "collectives"),
                    kind=TaskKind.COLLECTIVE,
                    after=[int(lane[-1]) for lane in by_lane(graph, rows)],
                    ahead_of=waiting,
                    edge_kind=EdgeKind.GRADIENT,
                    attributes={"bytes": size, "group_size": members},
                )
            )
    return _slowed(graph, with_kernels(graph, kernels).graph, values)


def _slowed(before: DependencyGraph, after: DependencyGraph, values: Values) -> DependencyGraph:
    """Slow backward kernels by the cost of overlapped all-reduces and by the wait for late ranks."""
    step_ns, with_sums_ns = (replay(graph).makespan_ns for graph in (before, after))
    rows = collective_rows(after)
    sums_ns = int(after.duration_ns[rows].sum()) / len(np.unique(processes(after)[rows]))
    hidden_ns = max(0.0, sums_ns - (with_sums_ns - step_ns))
    backward = select(after, kinds=(TaskKind.KERNEL,), phases=(Phase.BACKWARD,))
    more = (values["beside"] * hidden_ns + values["late"] * step_ns) / after.duration_ns[backward].sum()
    return scaled(after, backward, 1 + more)


def no_gradients(graph: DependencyGraph, values: Values) -> str:
    """Return why the gradients of a trace cannot be exchanged, or an empty string."""
    if len(collective_rows(graph)):
        return "it has collectives already"
    if not (graph.phase == Phase.BACKWARD).any():
        return "it has no backward pass, so no gradients"
    if values["parameters"] == "trace" and "gradient_bytes" not in graph.attributes:
        return "sizes of gradients are unknown: record it with record_shapes=True, or give parameters=NUMBER"
    if not gradients(graph, values):
        return "no kernel of its backward pass makes gradients"
    return invalid_link(values)


def no_workers(graph: DependencyGraph, values: Values) -> str:
    """Return why a trace cannot be extended to several workers, or an empty string."""
    return "give at least two workers" if values["workers"] < 2 else no_gradients(graph, values)


def bytes_sent(before: DependencyGraph, after: DependencyGraph, values: Values) -> float:
    """Return the bytes sent divided by the bytes of all gradients."""
    sizes = sum(float(step.sizes_bytes.sum()) for step in gradients(before, values))
    return float(after.attributes["bytes"][collective_rows(after)].sum()) / sizes


DATA_PARALLEL = Transform(
    name="data-parallel",
    title="Data parallelism: workers train on batches of their own and sum gradients.",
    evidence="published",
    source="Daydream (USENIX ATC 2020, section 5.3); buckets as in PyTorch Distributed (VLDB 2020)",
    apply=_in_parallel,
    parameters=(
        Parameter("workers", "count", "ranks, each with the batch of the trace"),
        BANDWIDTH,
        Parameter("size", "size", "of a bucket", "25MiB"),
        Parameter("first", "size", "of the first bucket of a step", "1MiB"),
        LATENCY,
        EFFICIENCY,
        PARAMETERS,
        Parameter("beside", "share", "share of overlapped all-reduce time that still slows backward kernels", "40%"),
        Parameter("late", "share", "share of a step spent waiting for late ranks", "6%"),
    ),
    requires=no_workers,
    ensures=lambda *arguments: "" if abs(bytes_sent(*arguments) - 1) <= 1e-6 else "not all gradients are summed",
)
"""Daydream inserts an all-reduce per bucket after the last backward kernel that contributes to it and before the
update, with a time of bytes times the factor of the algorithm, divided by the bandwidth. It reports errors mostly
within 10 %, with exceptions.

Here gradients have the order and sizes of the trace. Buckets close with the tensor that fills them, as in PyTorch (for
ResNet-50 the same five as in DistributedDataParallel). All-reduces use a ring with latency (``links``) on a stream of
their own, and the host launches each. Daydream found them 34 % slower than theory while kernels run concurrently, hence
the efficiency. Backward kernels are slowed by a share of the overlapped all-reduce time and by the wait for late ranks.
Both shares were fitted to DLPerf's runs of ResNet-50 and a GPT (30 runs, 8 to 32 V100) and validated on its 75 runs of
BERT, whose median error drops from 13.7 to 5.2 % (docs/whatif-evidence.md). Not modelled: data loaders that share a
host, copies into buckets."""
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
            serving = [one for call in calls for one in _around(lanes[graph.lane[call]], call, serves)]
            merges.append(_merge(graph, bucket, serving))
    bucketed = merged(graph, merges)[0]
    if is_transfer(graph, all_reduces(graph)).all():
        return bucketed
    return with_columns(bucketed, "all-reduces were recorded on one rank: their times include waiting for other ranks")


def _split(graph: DependencyGraph, rows: Longs, values: Values) -> tuple[slice, ...]:
    if values["buckets"] == _BY_SIZE:
        size = values["size"]
        return in_buckets(payload_bytes(graph, rows), size, size)
    count = min(int(values["buckets"]), len(rows))
    bounds = np.linspace(0, len(rows), count + 1).astype(int).tolist()
    return tuple(slice(first, last) for first, last in pairwise(bounds))


def _merge(graph: DependencyGraph, rows: Longs, with_calls: list[int]) -> Merge:
    durations = graph.duration_ns[rows]
    figures = {"bytes": payload_bytes(graph, rows).sum(), "group_size": member_counts(graph, rows)[-1]}
    return Merge(
        rows=rows,
        name=graph.named(rows[-1]),
        # the start-up cost of each is at most the shortest duration
        durations_ns=[int(durations.sum()) - (len(rows) - 1) * int(durations.min())],
        with_calls=with_calls,
        attributes={key: float(value) for key, value in figures.items() if not np.isnan(value)},
    )


def _around(lane: Longs, call: int, serves: Mask) -> list[int]:
    """Return the calls adjacent to a launch on its lane that only serve its collective."""
    place = int(np.searchsorted(lane, call))
    calls = []
    for step in (-1, 1):
        at = place + step
        while 0 <= at < len(lane) and serves[lane[at]]:
            calls.append(int(lane[at]))
            at += step
    return calls


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
    was, now = (payload_bytes(graph, all_reduces(graph)).sum() for graph in (before, after))
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
