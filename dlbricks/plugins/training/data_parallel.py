"""The transform for data parallelism.

Sources: Daydream (USENIX ATC 2020, section 5.3) and PyTorch's DistributedDataParallel (VLDB 2020, section 4.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.plugins.training.collectives import (
    BANDWIDTH,
    EFFICIENCY,
    LATENCY,
    collective,
    collective_rows,
)
from dlbricks.plugins.training.one_device import parameter_count
from dlbricks.trace.types import Longs
from dlbricks.trace.work_classes import KernelClass
from dlbricks.whatif.edit import NewKernel, scaled, with_kernels
from dlbricks.whatif.graph import DependencyGraph, Floats, Phase, TaskKind
from dlbricks.whatif.select import by_lane, by_step, of_name, on_device, processes, select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import Parameter, Promise, Transform, Values
from dlbricks.whatif.work import classes

PARAMETERS = Parameter("parameters", "text", "parameter count of the model, if gradient sizes are not traced", "trace")
_SUMS = "all-reduce of gradients"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradients:
    """Gradients of one step of one rank, in the order of the backward pass."""

    rows: Longs
    """Task that completes each gradient."""
    sizes_bytes: Floats


def gradients(graph: DependencyGraph, values: Values) -> tuple[Gradients, ...]:
    """Return the gradients of each step; matrix products have equal shares of the parameters if sizes are unknown.

    Raises ``InputError`` if the number of parameters is unknown (``one_device.parameter_count``).
    """
    sizes = graph.attributes.get("gradient_bytes")
    if sizes is not None and values["parameters"] == "trace":
        return tuple(
            Gradients(rows=step, sizes_bytes=sizes[step]) for step in by_step(graph, np.flatnonzero(sizes > 0))
        )
    count = parameter_count(graph, values)
    products = select(graph, phases=(Phase.BACKWARD,), where=lambda edited: classes(edited) == KernelClass.MATRIX)
    steps = by_step(graph, products)
    return tuple(Gradients(rows=step, sizes_bytes=np.full(len(step), 4 * count / len(step))) for step in steps)


def in_buckets(sizes_bytes: Floats, first_bytes: float, size_bytes: float) -> tuple[slice, ...]:
    """Split tensors into consecutive buckets of at least ``size_bytes``, the first of at least ``first_bytes``."""
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
    """Return the first task of each stream that needs all gradients: an update, or without updates a forward kernel."""
    process = processes(graph)
    rows = on_device(graph)
    later = rows[(process[rows] == process[last]) & (rows > last)]
    for phase in (Phase.UPDATE, Phase.FORWARD):
        firsts = [int(lane[0]) for lane in by_lane(graph, later[graph.phase[later] == phase])]
        if firsts:
            return firsts
    return []


def reductions(
    graph: DependencyGraph, values: Values, name: str, step: Gradients, buckets: Sequence[slice]
) -> list[NewKernel]:
    """Create a collective per bucket, between the last gradient of the bucket and the tasks that need all gradients."""
    waiting = consumers(graph, int(step.rows[-1]))
    kernels = []
    for bucket in buckets:
        rows, size = step.rows[bucket], float(step.sizes_bytes[bucket].sum())
        after = [int(lane[-1]) for lane in by_lane(graph, rows)]
        kernels.append(collective(graph, values, name, size, next_to=int(rows[-1]), after=after, ahead_of=waiting))
    return kernels


def _in_parallel(graph: DependencyGraph, values: Values) -> DependencyGraph:
    kernels: list[NewKernel] = []
    for step in gradients(graph, values):
        buckets = in_buckets(step.sizes_bytes, values["first"], values["size"])
        kernels += reductions(graph, values, _SUMS, step, buckets)
    return _slowed(graph, with_kernels(graph, kernels).graph, values)


def _slowed(before: DependencyGraph, after: DependencyGraph, values: Values) -> DependencyGraph:
    """Lengthen backward kernels by the effect of concurrent all-reduces and by the wait for late ranks."""
    step_ns, with_sums_ns = (replay(graph).makespan_ns for graph in (before, after))
    rows = collective_rows(after)
    sums_ns = int(after.duration_ns[rows].sum()) / len(np.unique(processes(after)[rows]))
    hidden_ns = max(0.0, sums_ns - (with_sums_ns - step_ns))
    backward = select(after, kinds=(TaskKind.KERNEL,), phases=(Phase.BACKWARD,))
    more = (values["beside"] * hidden_ns + values["late"] * step_ns) / after.duration_ns[backward].sum()
    return scaled(after, backward, 1 + more)


def no_gradients(graph: DependencyGraph, values: Values) -> str:
    """Return the reason why ranks cannot exchange gradients; empty if they can. Raises the error of ``gradients``."""
    if len(collective_rows(graph)):
        return "it has collectives already"
    if not (graph.phase == Phase.BACKWARD).any():
        return "it has no backward pass, so no gradients"
    return "" if gradients(graph, values) else "no kernel of its backward pass computes gradients of parameters"


def no_workers(graph: DependencyGraph, values: Values) -> str:
    """Return the reason why a trace cannot have several workers; empty if it can."""
    return "give at least two workers" if values["workers"] < 2 else no_gradients(graph, values)


def sending(times: int, *names: str) -> Promise:
    """Return a check that the collectives ``names`` send all gradients ``times`` times."""

    def broken(before: DependencyGraph, after: DependencyGraph, values: Values) -> str:
        sizes = sum(float(step.sizes_bytes.sum()) for step in gradients(before, values))
        sent = float(after.figures("bytes")[of_name(after, names.__contains__)].sum())
        return "" if abs(sent / sizes - times) <= times * 1e-6 else "the collectives do not send all gradients"

    return broken


# Daydream inserts an all-reduce per bucket after the last backward kernel that contributes to it and before the update,
# with a time of bytes times the factor of the algorithm, divided by the bandwidth. It reports errors mostly within 10
# %, with exceptions.
#
# Here gradients have the order and sizes of the trace. Buckets close with the tensor that fills them, as in PyTorch
# (for ResNet-50 the same five as in DistributedDataParallel). All-reduces use a ring with latency (``links``) on a
# stream of their own, and the host launches each. Daydream found them 34 % slower than theory while kernels run
# concurrently, hence the efficiency. Backward kernels are slowed by a share of the overlapped all-reduce time and by
# the wait for late ranks. Both shares were fitted to DLPerf's runs of ResNet-50 and a GPT (30 runs, 8 to 32 V100) and
# validated on its 75 runs of BERT, whose median error drops from 13.7 to 5.2 % (docs/evidence.md). Not modelled:
# data loaders that share a host, copies into buckets.
DATA_PARALLEL = Transform(
    name="data-parallel",
    synonyms=("ddp", "dp"),
    title="Data parallelism: workers train on batches of their own and sum gradients.",
    source="Daydream (USENIX ATC 2020, section 5.3); buckets as in PyTorch Distributed (VLDB 2020)",
    apply=_in_parallel,
    parameters=(
        Parameter("workers", "count", "ranks, each with the batch of the trace"),
        BANDWIDTH,
        Parameter("size", "size", "size of a bucket", "25MiB"),
        Parameter("first", "size", "size of the first bucket of a step", "1MiB"),
        LATENCY,
        EFFICIENCY,
        PARAMETERS,
        Parameter("beside", "share", "share of concurrent all-reduce time added to backward kernels", "40%"),
        Parameter("late", "share", "share of a step spent waiting for late ranks", "6%"),
    ),
    requires=no_workers,
    ensures=sending(1, _SUMS),
)
