"""From the trace of one rank to several that share optimizer states, gradients and parameters (``zero``, ``fsdp``).

And what the collectives that this adds cost kernels which run beside them (``contention``).
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from dlbricks.trace.intervals import merged_intervals
from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.graph import ON_DEVICE, DependencyGraph, EdgeKind, Phase, TaskKind
from dlbricks.whatif.launching import NewKernel, least_kernel_ns, with_kernels
from dlbricks.whatif.select import by_lane, of_name, processes
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.data_parallel import PARAMETERS, Gradients, consumers, gradients, in_buckets, no_workers
from dlbricks.whatif.transforms.links import BANDWIDTH, EFFICIENCY, LATENCY, channel, collective_rows, link_of
from dlbricks.whatif.transforms.training import update_rows

GATHER, SCATTER, SUM = "all-gather of parameters", "reduce-scatter of gradients", "all-reduce of gradients"
_OfStep: TypeAlias = Callable[[DependencyGraph, Values, Gradients, Longs], list[NewKernel]]
"""Gives the collectives of one step of one rank, of which the rows between the gradients of other steps are given."""


def _shared(graph: DependencyGraph, values: Values, of_step: _OfStep) -> DependencyGraph:
    """Add collectives, and leave each rank its share of the update."""
    steps, process = gradients(graph, values), processes(graph)
    ranks = [int(process[step.rows[0]]) for step in steps]
    kernels: list[NewKernel] = []
    for place, (step, rank) in enumerate(zip(steps, ranks, strict=True)):
        same = [other for other, one in enumerate(ranks) if one == rank]
        at = same.index(place)
        begin = int(steps[same[at - 1]].rows[-1]) if at else -1
        end = int(steps[same[at + 1]].rows[0]) if at + 1 < len(same) else len(graph)
        mine = np.flatnonzero(process[begin + 1 : end] == rank) + begin + 1
        kernels += of_step(graph, values, step, mine)
    updates, least = update_rows(graph), least_kernel_ns(graph)
    times = graph.duration_ns[updates]
    shared = np.maximum(np.rint(times / values["workers"]).astype(np.int64), np.minimum(times, least))
    return with_kernels(with_durations(graph, updates, shared), kernels).graph


def collective(graph: DependencyGraph, values: Values, name: str, size: float, **where: Any) -> NewKernel:
    """Give one collective of a rank, on a stream that it has for all of them."""
    link, members = link_of(values), values["workers"]
    return NewKernel(
        name=name,
        duration_ns=link.all_reduce_ns(size, members) if name.startswith("all-reduce") else link.half_ns(size, members),
        lane=channel(graph, where["beside"], "collectives"),
        kind=TaskKind.COLLECTIVE,
        edge_kind=EdgeKind.GRADIENT,
        attributes={"bytes": size, "group_size": members},
        **where,
    )


def _reduced(
    graph: DependencyGraph, values: Values, step: Gradients, units: Sequence[slice], name: str
) -> list[NewKernel]:
    """Reduce the gradients of each unit behind the last one of it, ahead of what needs them."""
    waiting = consumers(graph, int(step.rows[-1]))
    made = []
    for unit in units:
        own, size = step.rows[unit], float(step.sizes_bytes[unit].sum())
        after = [int(one[-1]) for one in by_lane(graph, own)]
        made.append(collective(graph, values, name, size, beside=int(own[-1]), after=after, ahead_of=waiting))
    return made


def _of_fsdp(graph: DependencyGraph, values: Values, step: Gradients, rows: Longs) -> list[NewKernel]:
    """Gather each unit ahead of its forward and again ahead of its backward kernels; then scatter its gradients."""
    units = in_buckets(step.sizes_bytes, values["size"], values["size"])
    sizes = [values["share"] * float(step.sizes_bytes[unit].sum()) for unit in units]
    device = rows[np.isin(graph.kind[rows], ON_DEVICE) & (rows <= step.rows[-1])]
    forward = device[(graph.phase[device] == Phase.FORWARD) & (device < step.rows[0])]

    def gathered(size: float, beside: int, after: Sequence[int], needs: int) -> NewKernel:
        return collective(graph, values, GATHER, size, beside=beside, after=after, ahead_of=[needs], before=True)

    kernels = []
    updated = update_rows(graph)
    updated = updated[np.isin(updated, rows) & (updated < forward[0])][-1:].tolist() if len(forward) else []
    for place in range(len(units) if len(forward) else 0):
        begins, before = (at * len(forward) // len(units) for at in (place, place - 1))
        after = [int(forward[before - 1])] if before > 0 else updated  # two units at a time are in memory
        needs = int(forward[begins])
        kernels.append(gathered(sizes[-1 - place], needs, after, needs))
    backward = np.union1d(device[graph.phase[device] == Phase.BACKWARD], step.rows)
    firsts = [int(backward[np.searchsorted(backward, step.rows[unit.start - 1], "right")]) for unit in units[1:]]
    firsts = [int(backward[0]), *firsts]
    lasts = [int(step.rows[unit.stop - 1]) for unit in units]
    for place in range(1, len(units)):
        after = [lasts[place - 2]] if place > 1 else forward[-1:].tolist()
        kernels.append(gathered(sizes[place], firsts[place - 1], after, firsts[place]))
    return [*kernels, *_reduced(graph, values, step, units, SCATTER)]


def _of_zero(graph: DependencyGraph, values: Values, step: Gradients, rows: Longs) -> list[NewKernel]:
    """Reduce gradients while the backward pass runs, and gather what each rank has updated ahead of the next one."""
    units = in_buckets(step.sizes_bytes, values["size"], values["size"])
    reduced = _reduced(graph, values, step, units, SUM if values["stage"] == 1 else SCATTER)
    updates = update_rows(graph)
    updates = updates[np.isin(updates, rows) & (updates > step.rows[-1])]
    if not len(updates):
        return reduced
    after, last = [int(lane[-1]) for lane in by_lane(graph, updates)], int(updates[-1])
    device = rows[np.isin(graph.kind[rows], ON_DEVICE) & (rows > last) & (graph.phase[rows] == Phase.FORWARD)]
    ahead_of = [int(lane[0]) for lane in by_lane(graph, device)]
    where: dict[str, Any] = {"beside": last, "after": after, "ahead_of": ahead_of}
    sizes = [values["share"] * float(step.sizes_bytes[unit].sum()) for unit in units]
    return [*reduced, *(collective(graph, values, GATHER, size, **where) for size in sizes)]


def _all_reduced(before: DependencyGraph, after: DependencyGraph, values: Values) -> str:
    """Say where not all gradients are reduced."""
    sizes = sum(float(step.sizes_bytes.sum()) for step in gradients(before, values))
    sent = float(after.figures("bytes")[of_name(after, (SCATTER, SUM).__contains__)].sum())
    return "" if abs(sent / sizes - 1) <= 1e-6 else "not all gradients are summed"


def _cannot_share(graph: DependencyGraph, values: Values) -> str:
    reason = no_workers(graph, values) if values["size"] else "units of 0 bytes hold nothing"
    if not reason and values.get("stage", 3) > 3 - ("stage" in values):
        reason = "stage is 1 or 2: the third is fsdp"
    if not reason and "stage" in values and not len(update_rows(graph)):
        reason = "no kernel of it updates parameters, which is what workers would share"
    return reason


_PARAMETERS = (
    Parameter("workers", "count", "ranks, each with the batch of the trace"),
    BANDWIDTH,
    Parameter("size", "size", "of the gradients of a unit, whose parameters are gathered together", "100MB"),
    Parameter("share", "share", "of a gradient's bytes that its parameter has when it is gathered", "100%"),
    LATENCY,
    EFFICIENCY,
    PARAMETERS,
)
FSDP = Transform(
    name="fsdp",
    title="Several workers hold a part of parameters, gradients and states each (FSDP, ZeRO-3).",
    evidence="modelled",
    source="ZeRO (SC 2020); PyTorch FSDP (VLDB 2023)",
    apply=lambda graph, values: _shared(graph, values, _of_fsdp),
    parameters=_PARAMETERS,
    requires=_cannot_share,
    ensures=_all_reduced,
)
"""Units are made of gradients in the order in which the backward pass makes them. Parameters of each are gathered ahead
of its forward kernels, while the unit before computes and behind the end of the one before that; then again for the
backward pass, launched ahead of the unit before, but for the last unit, which is still there. Gradients of a unit are
reduced and scattered behind its last one. All run on one stream, a ring with latency (``links``). Each worker updates
its share: kernels take so many times less, but no less than a kernel takes. Forward kernels belong to units by their
place. Not modelled: other ranks being late, copies into flat buffers, kernels slowed down by transfers beside them, a
batch that less memory allows.
"""
ZERO = Transform(
    name="zero",
    title="Several workers update a part of the parameters each (ZeRO-1), and reduce only its gradients (ZeRO-2).",
    evidence="modelled",
    source="ZeRO (SC 2020); DeepSpeed (stage 2), PyTorch's ZeroRedundancyOptimizer (stage 1)",
    apply=lambda graph, values: _shared(graph, values, _of_zero),
    parameters=(*_PARAMETERS, Parameter("stage", "count", "1 shares optimizer states, 2 gradients, too", "2")),
    requires=_cannot_share,
    ensures=_all_reduced,
)
"""Units of gradients are reduced behind their last one, while the backward pass goes on: stage 1 by an all-reduce, as
ZeroRedundancyOptimizer leaves them to data parallelism, stage 2 by a reduce-scatter. Each worker updates its share, as
with ``fsdp``; then parameters are gathered, unit by unit, and the next forward pass waits for all of them. Not
modelled: what is not with ``fsdp``, and gradients that several steps accumulate.
"""


_ROUNDS = 8
"""Slower kernels move collectives, which slow other kernels: so many replays at most."""


def _modelled(graph: DependencyGraph) -> Longs:
    """Give collectives that were inserted: what ran beside recorded ones was slowed down when it was recorded."""
    rows = collective_rows(graph)
    return rows[np.isnan(graph.figures("measured_start_ns")[rows])]


def _slowed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    kernels, collectives = np.flatnonzero(graph.kind == TaskKind.KERNEL), _modelled(graph)
    devices = list(dict.fromkeys((lane.process, lane.device) for lane in graph.lanes))
    device = np.array([devices.index((lane.process, lane.device)) for lane in graph.lanes])[graph.lane]
    own, lost, made = graph.duration_ns[kernels], 1 - 1 / values["slowdown"], graph
    for _ in range(_ROUNDS):
        plan, times = replay(made), np.array(own)
        for number in np.unique(device[collectives]).tolist():
            beside = collectives[device[collectives] == number]
            here = np.flatnonzero(device[kernels] == number)
            starts, ends = merged_intervals(plan.start_ns[beside], plan.end_ns[beside])
            clock = np.unique([0, *starts.tolist(), *ends.tolist(), plan.end_ns.max() + 2 * own[here].max(initial=0)])
            # work that a kernel would have done by each of these times had it begun with the first
            done = clock - lost * np.interp(clock, np.ravel([starts, ends], "F"), _covered(starts, ends))
            begins = plan.start_ns[kernels[here]]
            finished = np.interp(np.interp(begins, clock, done) + own[here], done, clock)
            times[here] = np.clip(np.rint(finished - begins), own[here], np.ceil(own[here] * values["slowdown"]))
        if (times == made.duration_ns[kernels]).all():
            break
        made = with_durations(made, kernels, times)
    return made


def _covered(starts: Longs, ends: Longs) -> Longs:
    """Give how much of the intervals lies before each of their starts and ends, ascending."""
    until = np.cumsum(ends - starts)
    made: Longs = np.ravel([until - (ends - starts), until], "F")
    return made


def _nothing_beside(graph: DependencyGraph, values: Values) -> str:
    if not len(_modelled(graph)):
        return (
            "none of its collectives is modelled, and recorded ones slow kernels down already: ask it behind fsdp, zero"
        )
    return "" if values["slowdown"] >= 1 else "kernels are not quicker beside a collective: give 1 or more"


def _no_more(before: DependencyGraph, after: DependencyGraph, values: Values) -> str:
    kernels = before.kind == TaskKind.KERNEL
    if (before.duration_ns != after.duration_ns)[~kernels].any():
        return "what is no kernel has another time"
    quicker = (after.duration_ns < before.duration_ns).any()
    slower = (after.duration_ns > np.ceil(before.duration_ns * values["slowdown"])).any()
    return "a kernel is quicker, or slower than beside collectives all the time" if quicker or slower else ""


CONTENTION = Transform(
    name="contention",
    title="Kernels are slower while a modelled collective runs beside them.",
    evidence="modelled",
    source="Proteus (TPDS 2024): a factor where computing and communication overlap",
    apply=_slowed,
    parameters=(Parameter("slowdown", "factor", "times as long kernels take beside a collective"),),
    requires=_nothing_beside,
    ensures=_no_more,
)
"""A kernel works at 1 / slowdown of its rate for as long as a collective runs on its device. There is no default, since
public traces agree on none. Kernels that run beside a collective in some steps and alone in others take, in the mean of
time, 1.24 times as long on two of five traces (DDP on 2 A100, DLRM on 8); on two others the same comparison gives 0.73
and 0.60, which is unevenness of steps and no contention. Kernels above 50 us alone are slower by 1.04 to 1.10.
Collectives keep their times: ``efficiency`` is theirs.
"""
