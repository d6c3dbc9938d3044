"""Kernels are slower while a collective runs beside them on their device (``contention``)."""

import numpy as np

from dlbricks.trace.intervals import merged_intervals
from dlbricks.trace.types import Longs
from dlbricks.whatif.edit import with_durations
from dlbricks.whatif.graph import DependencyGraph, TaskKind
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.transforms.links import collective_rows

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
