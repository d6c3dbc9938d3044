"""From the trace of one rank to several that share parameters, gradients and optimizer states (``fsdp``)."""

from collections.abc import Sequence

import numpy as np

from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.graph import ON_DEVICE, DependencyGraph, EdgeKind, Phase, TaskKind
from dlbricks.whatif.launching import NewKernel, least_kernel_ns, with_kernels
from dlbricks.whatif.select import by_lane, of_name, processes
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.data_parallel import PARAMETERS, Gradients, consumers, gradients, in_buckets, no_workers
from dlbricks.whatif.transforms.links import BANDWIDTH, EFFICIENCY, LATENCY, channel, link_of
from dlbricks.whatif.transforms.training import update_rows

GATHER, SCATTER = "all-gather of parameters", "reduce-scatter of gradients"


def _sharded(graph: DependencyGraph, values: Values) -> DependencyGraph:
    kernels: list[NewKernel] = []
    ends: dict[int, int] = {}
    process = processes(graph)
    for step in gradients(graph, values):
        rank = int(process[step.rows[0]])
        mine = process == rank
        kernels += _of_step(graph, values, step, np.flatnonzero(mine & (np.arange(len(graph)) > ends.get(rank, -1))))
        ends[rank] = int(step.rows[-1])
    updates, least = update_rows(graph), least_kernel_ns(graph)
    times = graph.duration_ns[updates]
    shared = np.maximum(np.rint(times / values["workers"]).astype(np.int64), np.minimum(times, least))
    return with_kernels(with_durations(graph, updates, shared), kernels).graph


def _of_step(graph: DependencyGraph, values: Values, step: Gradients, rows: Longs) -> list[NewKernel]:
    """Give the collectives of one step of one rank, of which the rows since its last gradient before are given."""
    link, members = link_of(values), values["workers"]
    lane = channel(graph, int(step.rows[0]), "collectives")
    units = in_buckets(step.sizes_bytes, values["size"], values["size"])
    sizes = [float(step.sizes_bytes[unit].sum()) for unit in units]
    device = rows[np.isin(graph.kind[rows], ON_DEVICE) & (rows <= step.rows[-1])]
    forward = device[(graph.phase[device] == Phase.FORWARD) & (device < step.rows[0])]

    def made(name: str, size: float, beside: int, after: Sequence[int], ahead_of: Sequence[int]) -> NewKernel:
        return NewKernel(
            name=name, duration_ns=link.half_ns(size, members), beside=beside, before=name == GATHER, lane=lane,
            kind=TaskKind.COLLECTIVE, after=after, ahead_of=ahead_of, edge_kind=EdgeKind.GRADIENT,
            attributes={"bytes": size, "group_size": members},
        )  # fmt: skip

    kernels = []
    updated = update_rows(graph)
    updated = updated[np.isin(updated, rows) & (updated < forward[0])][-1:].tolist() if len(forward) else []
    for place in range(len(units) if len(forward) else 0):
        begins, before = (at * len(forward) // len(units) for at in (place, place - 1))
        after = [int(forward[before - 1])] if before > 0 else updated  # two units at a time are in memory
        needs = int(forward[begins])
        kernels.append(made(GATHER, values["share"] * sizes[-1 - place], needs, after, [needs]))
    backward = np.union1d(device[graph.phase[device] == Phase.BACKWARD], step.rows)
    firsts = [int(backward[np.searchsorted(backward, step.rows[unit.start - 1], "right")]) for unit in units[1:]]
    firsts = [int(backward[0]), *firsts]
    lasts = [int(step.rows[unit.stop - 1]) for unit in units]
    for place in range(1, len(units)):
        after = [lasts[place - 2]] if place > 1 else forward[-1:].tolist()
        kernels.append(made(GATHER, values["share"] * sizes[place], firsts[place - 1], after, [firsts[place]]))
    waiting = consumers(graph, int(step.rows[-1]))
    for unit, size in zip(units, sizes, strict=True):
        own = step.rows[unit]
        kernels.append(made(SCATTER, size, int(own[-1]), [int(one[-1]) for one in by_lane(graph, own)], waiting))
    return kernels


def _scattered(before: DependencyGraph, after: DependencyGraph, values: Values) -> str:
    """Say where not all gradients are reduced."""
    sizes = sum(float(step.sizes_bytes.sum()) for step in gradients(before, values))
    sent = float(after.figures("bytes")[of_name(after, SCATTER.__eq__)].sum())
    return "" if abs(sent / sizes - 1) <= 1e-6 else "not all gradients are summed"


FSDP = Transform(
    name="fsdp",
    title="Several workers hold a part of parameters, gradients and states each (FSDP, ZeRO-3).",
    evidence="modelled",
    source="ZeRO (SC 2020); PyTorch FSDP (VLDB 2023)",
    apply=_sharded,
    parameters=(
        Parameter("workers", "count", "ranks, each with the batch of the trace"),
        BANDWIDTH,
        Parameter("size", "size", "of the gradients of a unit, whose parameters are gathered together", "100MB"),
        Parameter("share", "share", "of a gradient's bytes that its parameter has when it is gathered", "100%"),
        LATENCY,
        EFFICIENCY,
        PARAMETERS,
    ),
    requires=lambda graph, values: no_workers(graph, values) if values["size"] else "units of 0 bytes hold nothing",
    ensures=_scattered,
)
"""Units are made of gradients in the order in which the backward pass makes them. Parameters of each are gathered ahead
of its forward kernels, while the unit before computes and behind the end of the one before that; then again for the
backward pass, launched ahead of the unit before, but for the last unit, which is still there. Gradients of a unit are
reduced and scattered behind its last one. All run on one stream, a ring with latency (``links``). Each worker updates
its share: kernels take so many times less, but no less than a kernel takes. Forward kernels belong to units by their
place. Not modelled: other ranks being late, copies into flat buffers, kernels slowed down by transfers beside them, a
batch that less memory allows.
"""
