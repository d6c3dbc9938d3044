"""From the trace of one rank to several: gradients summed in buckets (``data-parallel``), or sent to servers (``p3``).

Daydream (USENIX ATC 2020, section 5.3), PyTorch's DistributedDataParallel (VLDB 2020, section 4.2), and P3 (Jayarajan
et al., MLSys 2019), which inserts pushes and pulls on a channel that takes what is of the best priority. And to more
or fewer ranks than a trace has (``world-size``).
"""

import math
from dataclasses import dataclass

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, removed, scaled, with_durations
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, Phase, TaskKind, with_attributes, with_columns
from dlbricks.whatif.launching import NewKernel, with_kernels
from dlbricks.whatif.select import by_lane, by_step, on_device, processes, select
from dlbricks.whatif.simulate import Policy, replay
from dlbricks.whatif.transform import Parameter, Transform, Values, counting, read_value
from dlbricks.whatif.transforms.links import (
    BANDWIDTH,
    EFFICIENCY,
    LATENCY,
    NOT_ALL_RANKS,
    channel,
    collective_rows,
    is_transfer,
    link_of,
    member_counts,
    operation,
    poor_link,
    ring_halves,
)
from dlbricks.whatif.transforms.training import parameter_count, update_rows
from dlbricks.whatif.work import KernelClass, classes

PUSH, PULL = "push of gradients", "pull of parameters"
_PRIORITY = "priority"
PARAMETERS = Parameter(
    "parameters", "text", "how many the model has, where the trace does not tell the sizes of gradients", "trace"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradients:
    """Gradients of one step of one rank, in the order in which they are made."""

    rows: Longs
    """Device tasks."""
    sizes_bytes: Floats


def gradients(graph: DependencyGraph, values: Values) -> tuple[Gradients, ...]:
    """Give the gradients of each step: as the trace tells, or so many parameters spread over the backward products.

    Raises:
        InputError: neither is known; see ``training.parameter_count``.
    """
    sizes = graph.attributes.get("gradient_bytes")
    if sizes is not None and values["parameters"] == "trace":
        return tuple(
            Gradients(rows=step, sizes_bytes=sizes[step]) for step in by_step(graph, np.flatnonzero(sizes > 0))
        )
    count = parameter_count(graph, values)
    made = by_step(graph, _backward_products(graph))
    return tuple(Gradients(rows=step, sizes_bytes=np.full(len(step), 4 * count / len(step))) for step in made)


def _backward_products(graph: DependencyGraph) -> Longs:
    return select(graph, phases=(Phase.BACKWARD,), where=lambda one: classes(one) == KernelClass.MATRIX)


def in_buckets(sizes_bytes: Floats, first_bytes: float, size_bytes: float) -> tuple[slice, ...]:
    """Split a row of tensors: a bucket is full with the tensor that fills it, the first one sooner than the others."""
    made, begin, held, limit = [], 0, 0.0, first_bytes
    for place, size in enumerate(sizes_bytes.tolist()):
        held += size
        if held >= limit:
            made.append(slice(begin, place + 1))
            begin, held, limit = place + 1, 0.0, size_bytes
    if begin < len(sizes_bytes):
        made.append(slice(begin, len(sizes_bytes)))
    return tuple(made)


def consumers(graph: DependencyGraph, last: int) -> list[int]:
    """Give what first needs gradients, given the last: on each lane the first update, or else the next forward task."""
    process = processes(graph)
    rows = on_device(graph)
    later = rows[(process[rows] == process[last]) & (rows > last)]
    for phase in (Phase.UPDATE, Phase.FORWARD):
        found = [int(lane[0]) for lane in by_lane(graph, later[graph.phase[later] == phase])]
        if found:
            return found
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
                    beside=int(rows[-1]),
                    lane=channel(graph, int(step.rows[0]), "collectives"),
                    kind=TaskKind.COLLECTIVE,
                    after=[int(lane[-1]) for lane in by_lane(graph, rows)],
                    ahead_of=waiting,
                    edge_kind=EdgeKind.GRADIENT,
                    attributes={"bytes": size, "group_size": members},
                )
            )
    return _slowed(graph, with_kernels(graph, kernels).graph, values)


def _slowed(before: DependencyGraph, after: DependencyGraph, values: Values) -> DependencyGraph:
    """Let backward kernels take longer by what hidden sums cost nevertheless, and by what ranks wait for the latest."""
    step_ns, with_sums_ns = (replay(one).makespan_ns for one in (before, after))
    rows = collective_rows(after)
    sums_ns = int(after.duration_ns[rows].sum()) / len(np.unique(processes(after)[rows]))
    hidden_ns = max(0.0, sums_ns - (with_sums_ns - step_ns))
    backward = select(after, kinds=(TaskKind.KERNEL,), phases=(Phase.BACKWARD,))
    more = (values["beside"] * hidden_ns + values["late"] * step_ns) / after.duration_ns[backward].sum()
    return scaled(after, backward, 1 + more)


def _no_gradients(graph: DependencyGraph, values: Values) -> str:
    if len(collective_rows(graph)):
        return "it has collectives already: it is of several ranks"
    if not (graph.phase == Phase.BACKWARD).any():
        return "it has no backward pass, so there are no gradients to sum"
    if values["parameters"] == "trace" and "gradient_bytes" not in graph.attributes:
        return "sizes of gradients are not in it: record it with record_shapes=True, or give parameters=NUMBER"
    if not gradients(graph, values):
        return "no kernel of its backward pass makes gradients"
    return poor_link(values)


def no_workers(graph: DependencyGraph, values: Values) -> str:
    """Say why several workers cannot be made of the trace of one; empty where they can."""
    return "one worker has nobody to sum with" if values["workers"] < 2 else _no_gradients(graph, values)


def _sent(before: DependencyGraph, after: DependencyGraph, values: Values) -> float:
    """Give how many times the bytes of all gradients are sent."""
    sizes = sum(float(step.sizes_bytes.sum()) for step in gradients(before, values))
    return float(after.attributes["bytes"][collective_rows(after)].sum()) / sizes


DATA_PARALLEL = Transform(
    name="data-parallel",
    title="Several workers train on batches of their own and sum their gradients.",
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
        Parameter("beside", "share", "of hidden sums that costs time nevertheless", "40%"),
        Parameter("late", "share", "of a step that ranks wait for the latest of them", "6%"),
    ),
    requires=no_workers,
    ensures=lambda *one: "" if abs(_sent(*one) - 1) <= 1e-6 else "not all gradients are summed",
)
"""Daydream: for each bucket an all-reduce behind the last backward kernel that contributes, before the update. It takes
the bytes times the factor of the algorithm by the bandwidth. Reported mostly within 10 %, with exceptions.

Here gradients come in the order in which the trace makes them, with their sizes; buckets close with the tensor that
fills them, as PyTorch's do (for ResNet-50 the five that DistributedDataParallel makes); a ring with latency
(``links``); a stream of its own; and each all-reduce is launched by the host. Daydream found calls 34 % slower than
that theory while they run beside kernels, hence the efficiency. Backward kernels are slower by a share of the sums that
they hide, and by what ranks wait for each other: both shares were fitted on DLPerf's runs of ResNet-50 and a GPT (30, 8
to 32 V100), and judged on its 75 of BERT, whose median error they lower from 13.7 to 5.2 % (docs/whatif.md). Not
modelled: loaders that share a host, copies into the buckets.
"""


def _sliced(graph: DependencyGraph, values: Values) -> DependencyGraph:
    link = link_of(values)
    steps = gradients(graph, values)
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []

    def after(first: int, *seconds: int) -> None:
        edges.extend(NewEdge(kind=EdgeKind.GRADIENT, first=first, second=second) for second in seconds)

    for number, step in enumerate(steps):
        following = steps[number + 1].rows[0] if number + 1 < len(steps) else len(graph)
        forward = _next_forward(graph, int(step.rows[-1]), int(following))
        up, down = (channel(graph, int(step.rows[0]), name) for name in (PUSH, PULL))
        for place, (row, size) in enumerate(zip(step.rows.tolist(), step.sizes_bytes.tolist(), strict=True)):
            rank = len(step.rows) - 1 - place
            needs = [int(forward[rank * len(forward) // len(step.rows)])] if len(forward) else []
            slices = max(1, math.ceil(size / values["size"]))
            time = link.transfer_ns(size / slices)
            figures = {"bytes": size / slices, "group_size": 2.0, _PRIORITY: float(rank)}
            for _ in range(slices):
                push = len(graph) + len(tasks)
                tasks += [
                    NewTask(
                        kind=TaskKind.COLLECTIVE, name=name, lane=lane, duration_ns=time, after=row, attributes=figures
                    )
                    for name, lane in ((PUSH, up), (PULL, down))
                ]
                after(row, push)
                after(push, push + 1)
                after(push + 1, *needs)
    grown = inserted(graph, tasks, edges).graph
    served = removed(grown, update_rows(grown))
    return with_columns(served, "parameter servers update the parameters: the update of the trace is left out")


def _next_forward(graph: DependencyGraph, behind: int, before: int) -> Longs:
    """Give the forward kernels of a rank between the last gradient of a step and the first of the next."""
    rows = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.FORWARD,))
    same: Longs = rows[(rows > behind) & (rows < before) & (processes(graph)[rows] == processes(graph)[behind])]
    return same


def _needed_first(graph: DependencyGraph, _values: Values) -> Policy:
    lanes = tuple(number for number, lane in enumerate(graph.lanes) if lane.name in (PUSH, PULL))
    return Policy(free_lanes=lanes, priority=np.nan_to_num(graph.attributes[_PRIORITY]))


P3 = Transform(
    name="p3",
    title="Gradients go to parameter servers in slices, those first that are needed first.",
    evidence="published",
    source="P3 (MLSys 2019); Daydream (USENIX ATC 2020, section 5.3)",
    apply=_sliced,
    parameters=(BANDWIDTH, Parameter("size", "size", "of a slice", "200kB"), LATENCY, PARAMETERS),
    requires=lambda graph, values: _no_gradients(graph, values) if values["size"] else "slices of 0 bytes hold nothing",
    ensures=lambda *one: "" if abs(_sent(*one) - 2) <= 2e-6 else "not all gradients are sent and fetched",
    policy=_needed_first,
)
"""Daydream: each gradient in slices; of each slice a push and then a pull of its bytes by the bandwidth; the channel
takes the slice of the layer that the next forward pass needs first, and that layer waits for its own pull only. Errors
of at most 16.2 %; at high bandwidth it is too optimistic, as servers take time, too.

Slices are of 50,000 parameters, as in P3. Servers update, so the update leaves the worker. Gradients are matched with
forward kernels by their place: the last gradient belongs to the first of the forward pass. Pushes and pulls use the
two directions of the link.
"""


_AS_TRACED = "trace"
RANKS = Parameter("ranks", "count", "of the largest group afterwards")


def _members(graph: DependencyGraph, values: Values) -> Floats:
    """Give the ranks of each collective, NaN where neither the trace nor the question tells."""
    recorded = member_counts(graph, collective_rows(graph))
    said = float("nan") if values["now"] == _AS_TRACED else float(read_value(RANKS, values["now"]))
    made: Floats = np.where(np.isnan(recorded), said, recorded)
    return made


def _rows(graph: DependencyGraph, values: Values) -> tuple[Longs, float]:
    """Give the collectives of the largest group, and how many ranks it has."""
    members = _members(graph, values)
    return collective_rows(graph)[members == members.max()], float(members.max())


def _resized(graph: DependencyGraph, values: Values) -> DependencyGraph:
    (rows, now), later = _rows(graph, values), values["ranks"]
    halves = np.array([ring_halves(operation(graph, row)) for row in rows.tolist()], np.float64)
    times = graph.duration_ns[rows]
    rounds_ns = np.minimum(times, halves * (now - 1) * values["latency"])
    bytes_ratio = ((later - 1) / later) / ((now - 1) / now)
    made = (times - rounds_ns) * bytes_ratio + rounds_ns * (later - 1) / (now - 1)
    sizes = np.array(graph.figures("group_size"))
    sizes[rows] = later
    resized = with_durations(graph, rows, np.where(halves > 0, made, times))
    return with_attributes(resized, group_size=sizes)


def _no_group(graph: DependencyGraph, values: Values) -> str:
    rows = collective_rows(graph)
    if not len(rows):
        return "it has no collectives: ask data-parallel first, or give the traces of all ranks"
    if not is_transfer(graph, rows).all():
        return f"its collectives {NOT_ALL_RANKS}: give the traces of all ranks"
    try:
        members = _members(graph, values)
    except InputError as error:
        return f"now: {error}"
    if np.isnan(members).any():
        return "it does not tell the groups of all its collectives: give now=RANKS"
    if members.max() < 2:
        return "its groups have one rank each"
    return "" if values["ranks"] >= 2 else "one rank has nobody to exchange with"


WORLD_SIZE = Transform(
    name="world-size",
    title="More or fewer ranks, each with the batch of the trace; the largest group of collectives changes.",
    evidence="modelled",
    source="Thakur, Rabenseifner and Gropp (IJHPCA 19, 2005): rings",
    apply=_resized,
    parameters=(
        RANKS,
        Parameter("now", "text", "ranks of groups of which the trace does not tell it", _AS_TRACED),
        LATENCY,
    ),
    requires=_no_group,
    ensures=counting(0, "tasks are gone"),
)
"""On a ring each of n ranks sends (n - 1) / n of the bytes, in n - 1 rounds; an all-reduce does so twice. What was
transferred is scaled by that, rounds of the given latency apart. Broadcasts, reductions to one rank and sends stay as
they are. Not modelled: links of another kind beyond a node, and further ranks that come late.
"""
