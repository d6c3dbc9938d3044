"""From the trace of one rank to several: gradients summed in buckets (``data-parallel``), or sent to servers (``p3``).

Daydream (USENIX ATC 2020, section 5.3), PyTorch's DistributedDataParallel (VLDB 2020, section 4.2), and P3 (Jayarajan
et al., MLSys 2019), which inserts pushes and pulls on a channel that takes what is of the best priority.
"""

import math
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, removed
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, Phase, TaskKind, with_columns
from dlbricks.whatif.launching import NewKernel, with_kernels
from dlbricks.whatif.select import by_lane, by_step, on_device, processes, select
from dlbricks.whatif.simulate import Policy
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.links import (
    BANDWIDTH,
    EFFICIENCY,
    LATENCY,
    channel,
    collective_rows,
    link_of,
    poor_link,
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
    return with_kernels(graph, kernels).graph


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
    ),
    requires=no_workers,
    ensures=lambda *one: "" if abs(_sent(*one) - 1) <= 1e-6 else "not all gradients are summed",
)
"""Daydream: for each bucket an all-reduce behind the last backward kernel that contributes, before the update. It takes
the bytes times the factor of the algorithm by the bandwidth. Reported mostly within 10 %, with exceptions.

Here gradients come in the order in which the trace makes them, with their sizes; buckets close with the tensor that
fills them, as PyTorch's do (for ResNet-50 the five that DistributedDataParallel makes); a ring with latency
(``links``); a stream of its own; and each all-reduce is launched by the host. Daydream found calls 34 % slower than
that theory while they run beside kernels, hence the efficiency. Not modelled: other ranks being late, copies into the
buckets, kernels slowed down by transfers beside them.
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
