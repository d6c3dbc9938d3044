"""Sharded data parallelism: optimizer states, gradients and parameters (``fsdp``); and ``contention``."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dlbricks.trace.intervals import merged_intervals
from dlbricks.trace.types import Longs
from dlbricks.whatif.collectives import collective_rows
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.graph import ON_DEVICE, DependencyGraph, EdgeKind, Phase, TaskKind
from dlbricks.whatif.launching import NewKernel, least_kernel_ns, with_kernels
from dlbricks.whatif.select import by_lane, devices, of_name, processes
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.training.data_parallel import PARAMETERS, Gradients, consumers, gradients, in_buckets, no_workers
from dlbricks.whatif.training.links import BANDWIDTH, EFFICIENCY, LATENCY, communication_lane, link_of
from dlbricks.whatif.training.one_device import update_rows
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.work import kernels_of

GATHER, SCATTER = "all-gather of parameters", "reduce-scatter of gradients"


def _sharded(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Add collectives, and divide parameter updates by the number of ranks."""
    steps, process = gradients(graph, values), processes(graph)
    ranks = [int(process[step.rows[0]]) for step in steps]
    kernels: list[NewKernel] = []
    for place, (step, rank) in enumerate(zip(steps, ranks, strict=True)):
        same = [other for other, one in enumerate(ranks) if one == rank]
        at = same.index(place)
        begin = int(steps[same[at - 1]].rows[-1]) if at else -1
        end = int(steps[same[at + 1]].rows[0]) if at + 1 < len(same) else len(graph)
        mine = np.flatnonzero(process[begin + 1 : end] == rank) + begin + 1
        kernels += _of_step(graph, values, step, mine)
    updates, least = update_rows(graph), least_kernel_ns(graph)
    times = graph.duration_ns[updates]
    shared = np.maximum(np.rint(times / values["workers"]).astype(np.int64), np.minimum(times, least))
    return with_kernels(with_durations(graph, updates, shared), kernels).graph


def collective(graph: DependencyGraph, values: Values, name: str, size: float, **where: Any) -> NewKernel:
    """Return a collective of a rank, on its communication stream."""
    link, members = link_of(values), values["workers"]
    return NewKernel(
        name=name,
        duration_ns=link.all_reduce_ns(size, members) if name.startswith("all-reduce") else link.half_ns(size, members),
        lane=communication_lane(graph, where["next_to"], "collectives"),
        kind=TaskKind.COLLECTIVE,
        edge_kind=EdgeKind.GRADIENT,
        attributes={"bytes": size, "group_size": members},
        **where,
    )


def _scattered(graph: DependencyGraph, values: Values, step: Gradients, units: Sequence[slice]) -> list[NewKernel]:
    """Return a reduction of each unit of gradients after its last gradient, before the tasks that need them."""
    waiting = consumers(graph, int(step.rows[-1]))
    kernels = []
    for unit in units:
        own, size = step.rows[unit], float(step.sizes_bytes[unit].sum())
        after = [int(lane[-1]) for lane in by_lane(graph, own)]
        kernels.append(collective(graph, values, SCATTER, size, next_to=int(own[-1]), after=after, ahead_of=waiting))
    return kernels


def _of_step(graph: DependencyGraph, values: Values, step: Gradients, rows: Longs) -> list[NewKernel]:
    """Return gathers of each unit before its forward and backward kernels, and reductions of its gradients.

    Args:
        graph: of a training.
        values: parameters of the transform.
        step: the gradients of one step of one rank.
        rows: tasks of the rank between the gradients of the adjacent steps.
    """
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
    return [*kernels, *_scattered(graph, values, step, units)]


def _all_reduced(before: DependencyGraph, after: DependencyGraph, values: Values) -> str:
    """Return an error if not all gradients are reduced."""
    sizes = sum(float(step.sizes_bytes.sum()) for step in gradients(before, values))
    sent = float(after.figures("bytes")[of_name(after, SCATTER.__eq__)].sum())
    return "" if abs(sent / sizes - 1) <= 1e-6 else "not all gradients are summed"


def _cannot_share(graph: DependencyGraph, values: Values) -> str:
    return no_workers(graph, values) if values["size"] else "the unit size is 0"


FSDP = Transform(
    name="fsdp",
    title="Fully sharded data parallelism (FSDP, ZeRO-3): parameters, gradients and states are sharded.",
    evidence="modelled",
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
    requires=_cannot_share,
    ensures=_all_reduced,
)
"""Units consist of consecutive gradients in the order of the backward pass. Parameters of a unit are gathered before
its forward kernels, while the previous unit computes and after the one before that has finished; and again for the
backward pass, except the last unit, which is still in memory. Gradients of a unit are reduce-scattered after its last
one. All collectives run on one stream, on a ring with latency (``links``). Update times are divided by the number of
workers, down to a minimal kernel. Forward kernels are assigned to units by position. Not modelled: late ranks, copies
into flat buffers, kernels slowed by concurrent transfers, larger batches that fit into memory."""


_ROUNDS = 8
"""Most iterations: slower kernels move collectives, which slow down other kernels."""


def _modelled(graph: DependencyGraph) -> Longs:
    """Return inserted collectives; the record already has the effect of recorded ones on kernels."""
    rows = collective_rows(graph)
    return rows[np.isnan(graph.figures("measured_start_ns")[rows])]


def _slowed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    kernels, collectives = kernels_of(graph), _modelled(graph)
    device = devices(graph)
    own, lost, slowed = graph.duration_ns[kernels], 1 - 1 / values["slowdown"], graph
    for _ in range(_ROUNDS):
        plan, times = replay(slowed), np.array(own)
        for number in np.unique(device[collectives]).tolist():
            mine = collectives[device[collectives] == number]
            here = np.flatnonzero(device[kernels] == number)
            starts, ends = merged_intervals(plan.start_ns[mine], plan.end_ns[mine])
            clock = np.unique([0, *starts.tolist(), *ends.tolist(), plan.end_ns.max() + 2 * own[here].max(initial=0)])
            # progress of a kernel by each of these times, if started at the first
            done = clock - lost * np.interp(clock, np.ravel([starts, ends], "F"), _covered(starts, ends))
            begins = plan.start_ns[kernels[here]]
            finished = np.interp(np.interp(begins, clock, done) + own[here], done, clock)
            times[here] = np.clip(np.rint(finished - begins), own[here], np.ceil(own[here] * values["slowdown"]))
        if (times == slowed.duration_ns[kernels]).all():
            break
        slowed = with_durations(slowed, kernels, times)
    return slowed


def _covered(starts: Longs, ends: Longs) -> Longs:
    """Return the covered time before each start and end of disjoint intervals, ascending."""
    until = np.cumsum(ends - starts)
    covered: Longs = np.ravel([until - (ends - starts), until], "F")
    return covered


def _nothing_beside(graph: DependencyGraph, values: Values) -> str:
    if not len(_modelled(graph)):
        return (
            "it has no modelled collectives, and recorded ones slow kernels in the trace already: apply it after fsdp"
        )
    return "" if values["slowdown"] >= 1 else "the slowdown is below 1"


def _no_more(before: DependencyGraph, after: DependencyGraph, values: Values) -> str:
    kernels = before.kind == TaskKind.KERNEL
    if (before.duration_ns != after.duration_ns)[~kernels].any():
        return "a task that is not a kernel changed its time"
    quicker = (after.duration_ns < before.duration_ns).any()
    slower = (after.duration_ns > np.ceil(before.duration_ns * values["slowdown"])).any()
    return "a kernel is faster, or slower than by the full slowdown" if quicker or slower else ""


CONTENTION = Transform(
    name="contention",
    title="Contention: kernels are slower while a modelled collective runs.",
    evidence="modelled",
    source="Proteus (TPDS 2024): a factor for overlapping computation and communication",
    apply=_slowed,
    parameters=(Parameter("slowdown", "factor", "slowdown of kernels during a collective"),),
    requires=_nothing_beside,
    ensures=_no_more,
)
"""A kernel progresses at 1 / slowdown of its rate while a collective runs on its device. There is no default, since
public traces disagree: kernels that overlap a collective in some steps and alone in others take 1.24 times as long
(time-weighted mean) in two of five traces (DDP on 2 A100, DLRM on 8); in two others the ratio is 0.73 and 0.60, caused
by uneven steps. Kernels above 50 us are slower by 1.04 to 1.10. Collectives keep their times, which ``efficiency``
covers."""
