"""The transform ``fsdp``: data parallelism with sharded optimizer states, gradients and parameters."""

from collections.abc import Sequence

import numpy as np

from dlbricks.plugins.training.collectives import BANDWIDTH, EFFICIENCY, LATENCY, collective
from dlbricks.plugins.training.data_parallel import (
    PARAMETERS,
    Gradients,
    gradients,
    in_buckets,
    no_workers,
    reductions,
    sending,
)
from dlbricks.plugins.training.one_device import update_rows
from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import NewKernel, least_kernel_ns, with_durations, with_kernels
from dlbricks.whatif.graph import ON_DEVICE, DependencyGraph, Phase
from dlbricks.whatif.select import processes
from dlbricks.whatif.transform import Parameter, Transform, Values

GATHER, SCATTER = "all-gather of parameters", "reduce-scatter of gradients"


def _sharded(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Add collectives, and divide parameter updates by the number of ranks."""
    steps, process = gradients(graph, values), processes(graph)
    ranks = [int(process[step.rows[0]]) for step in steps]
    kernels: list[NewKernel] = []
    for place, (step, rank) in enumerate(zip(steps, ranks, strict=True)):
        same = [place_of_rank for place_of_rank, other_rank in enumerate(ranks) if other_rank == rank]
        at = same.index(place)
        begin = int(steps[same[at - 1]].rows[-1]) if at else -1
        end = int(steps[same[at + 1]].rows[0]) if at + 1 < len(same) else len(graph)
        mine = np.flatnonzero(process[begin + 1 : end] == rank) + begin + 1
        kernels += _of_step(graph, values, step, mine)
    updates, least = update_rows(graph), least_kernel_ns(graph)
    times = graph.duration_ns[updates]
    shared = np.maximum(np.rint(times / values["workers"]).astype(np.int64), np.minimum(times, least))
    return with_kernels(with_durations(graph, updates, shared), kernels).graph


def _of_step(graph: DependencyGraph, values: Values, step: Gradients, rows: Longs) -> list[NewKernel]:
    # Return the collectives of a step: gathers before the kernels of each unit, and reductions of gradients. ``rows``
    # are the rank's tasks after the gradients of the step before, up to the gradients of the next step.
    units = in_buckets(step.sizes_bytes, values["size"], values["size"])
    sizes = [values["share"] * float(step.sizes_bytes[unit].sum()) for unit in units]
    device = rows[np.isin(graph.kind[rows], ON_DEVICE) & (rows <= step.rows[-1])]
    forward = device[(graph.phase[device] == Phase.FORWARD) & (device < step.rows[0])]

    def gathered(size: float, next_to: int, after: Sequence[int], needs: int) -> NewKernel:
        return collective(graph, values, GATHER, size, next_to=next_to, after=after, ahead_of=[needs], before=True)

    kernels = []
    updated = update_rows(graph)
    updated = updated[np.isin(updated, rows) & (updated < forward[0])][-1:].tolist() if len(forward) else []
    for place in range(len(units) if len(forward) else 0):
        begins, before = (at * len(forward) // len(units) for at in (place, place - 1))
        after = [int(forward[before - 1])] if before > 0 else updated  # two units are in memory at a time
        needs = int(forward[begins])
        kernels.append(gathered(sizes[-1 - place], needs, after, needs))
    backward = np.union1d(device[graph.phase[device] == Phase.BACKWARD], step.rows)
    firsts = [int(backward[np.searchsorted(backward, step.rows[unit.start - 1], "right")]) for unit in units[1:]]
    firsts = [int(backward[0]), *firsts]
    lasts = [int(step.rows[unit.stop - 1]) for unit in units]
    for place in range(1, len(units)):
        after = [lasts[place - 2]] if place > 1 else forward[-1:].tolist()
        kernels.append(gathered(sizes[place], firsts[place - 1], after, firsts[place]))
    return [*kernels, *reductions(graph, values, SCATTER, step, units)]


# Units consist of consecutive gradients in the order of the backward pass. Parameters of a unit are gathered before its
# forward kernels, while the previous unit computes and after the one before that has finished; and again for the
# backward pass, except the last unit, which is still in memory. Gradients of a unit are reduce-scattered after its last
# one. All collectives run on one stream, on a ring with latency (``links``). Update times are divided by the number of
# workers, down to a minimal kernel. Forward kernels are assigned to units by position. Not modelled: late ranks, copies
# into flat buffers, kernels slowed by concurrent transfers, larger batches that fit into memory.
FSDP = Transform(
    name="fsdp",
    synonyms=("zero",),
    title="Fully sharded data parallelism (FSDP, ZeRO-3): parameters, gradients and states are sharded.",
    source="ZeRO (SC 2020); PyTorch FSDP (VLDB 2023)",
    apply=_sharded,
    parameters=(
        Parameter("workers", "count", "ranks, each with the batch of the trace"),
        BANDWIDTH,
        Parameter("size", "size", "bytes of gradients per unit of parameters gathered together", "100MB"),
        Parameter("share", "share", "size of a gathered parameter relative to its gradient", "100%"),
        LATENCY,
        EFFICIENCY,
        PARAMETERS,
    ),
    requires=lambda graph, values: no_workers(graph, values) if values["size"] else "the unit size is 0",
    ensures=sending(1, SCATTER),
)
