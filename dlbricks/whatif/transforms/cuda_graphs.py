"""CUDA graphs: what a host launched call by call, one call launches; kernels keep their order and their streams.

A graph ends where the host needs a result or brings data: at a call that waits for the device, at a copy between host
and device, at the end of a step. Of the calls of a graph one is left, and with the others goes all that the host did
between them, which is what graphs are for: on an H100 a small network took 0.29 instead of 1.10 ms.

Also how far a host runs ahead of its device once its launches have changed: a trace of a few steps may end before the
host has filled the queue of launches, and steps would then seem to take as long as launching them. Over a long run the
host waits for its device, however deep the queue is: that is the time asked for.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dlbricks.trace.types import NONE
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, mask, removed
from dlbricks.whatif.graph import ON_HOST, DependencyGraph, EdgeKind, Mask, TaskKind, launches, with_columns, with_edges
from dlbricks.whatif.select import by_lane, of_name, processes, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values

_IS_GRAPH = re.compile(r"GraphLaunch", re.IGNORECASE)
_WITH_HOST = re.compile(r"HtoD|DtoH|host to device|device to host", re.IGNORECASE)
_LEAST = 2
"""Fewer launches are no graph."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What one graph launches in the place of some calls."""

    calls: tuple[int, ...]
    """Host tasks from the first launch to the last, ascending: all go."""
    device: tuple[int, ...]
    """Device tasks that they launched, ascending."""


@dataclass(slots=True)
class _Open:
    """Calls of one process that may become a graph."""

    step: int
    calls: list[int]
    ends: list[int]
    """How many calls there were up to each launch."""


def captured(graph: DependencyGraph) -> tuple[Captured, ...]:
    """Find what can be captured, in order."""
    launched, steps, process = launches(graph), step_numbers(graph), processes(graph)
    of_call: dict[int, list[int]] = {}
    for row in np.flatnonzero(launched != NONE).tolist():
        of_call.setdefault(int(launched[row]), []).append(row)
    copies = of_name(graph, _WITH_HOST.search)
    breaks = of_name(graph, _IS_GRAPH.search) | (graph.kind != TaskKind.CPU)
    found: list[Captured] = []
    open_: dict[int, _Open] = {}

    def close(key: int) -> None:
        one = open_.pop(key, None)
        if one is not None and len(one.ends) >= _LEAST:
            device = sorted(row for call in one.calls for row in of_call.get(call, ()))
            found.append(Captured(calls=tuple(one.calls[: one.ends[-1]]), device=tuple(device)))

    for row in np.flatnonzero(np.isin(graph.kind, ON_HOST)).tolist():
        key, rows = int(process[row]), of_call.get(row, [])
        ends = breaks[row] or bool(copies[rows].any())
        if ends or (key in open_ and open_[key].step != steps[row]):
            close(key)
        if ends or (not rows and key not in open_):
            continue
        one = open_.setdefault(key, _Open(step=int(steps[row]), calls=[], ends=[]))
        one.calls.append(row)
        if rows:
            one.ends.append(len(one.calls))
    for key in list(open_):
        close(key)
    return tuple(sorted(found, key=lambda one: one.calls[0]))


def _graphed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    parts = captured(graph)
    launch, between = round(float(values["launch"])), round(float(values["gap"]))
    starts, ends = graph.figures("measured_start_ns"), graph.figures("measured_end_ns")
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    gaps = np.array(graph.gap_ns)
    for part in parts:
        first = part.calls[0]
        last = next(call for call in reversed(part.calls) if graph.lane[call] == graph.lane[first])
        call = len(graph) + len(tasks)
        edges += [NewEdge(kind=EdgeKind.LAUNCH, first=call, second=row, lag_ns=launch) for row in part.device]
        measured = {"measured_start_ns": float(starts[first]), "measured_end_ns": float(ends[last])}
        tasks.append(
            NewTask(
                kind=TaskKind.CPU, name="cudaGraphLaunch", lane=graph.lanes[graph.lane[first]], duration_ns=launch,
                gap_ns=int(graph.gap_ns[last]), after=first - 1, attributes=measured,
            )
        )  # fmt: skip
        for rows in by_lane(graph, np.array(part.device)):
            inner = rows[:-1]
            gaps[inner] = np.minimum(gaps[inner], between) if values["keep"] == "measured" else between
    taken = mask(graph, [row for part in parts for row in part.device])
    calls = np.array([call for part in parts for call in part.calls], np.int64)
    unqueued = without_queues(with_columns(graph, gap_ns=gaps), mask(graph, calls))
    bare = with_edges(unqueued, ~(taken[unqueued.edge_to] & (unqueued.edge_kind == EdgeKind.LAUNCH)))
    grown = inserted(bare, tasks, edges)
    return paced(removed(grown.graph, grown.places[calls]))


def _nothing_to_capture(graph: DependencyGraph, values: Values) -> str:
    if not (graph.kind == TaskKind.KERNEL).any():
        return "it has no kernels"
    if values["keep"] not in ("measured", "none"):
        return f"'{values['keep']}' says nothing of gaps: write measured or none"
    if captured(graph):
        return ""
    return "nowhere do two launches follow each other without a wait, a copy with the host or the end of a step"


CUDA_GRAPHS = Transform(
    name="cuda-graphs",
    title="One call launches what many calls did.",
    evidence="modelled",
    source="CUDA's graphs as PyTorch captures them; the quickest launches of graphs in a public trace (DLRM on A100)",
    apply=_graphed,
    parameters=(
        Parameter("launch", "time", "what launching a graph takes, until it begins", "14us"),
        Parameter("gap", "time", "time between two kernels of a graph", "1500ns"),
        Parameter("keep", "text", "measured: gaps that are shorter stay; none: every gap is as given", "measured"),
    ),
    requires=_nothing_to_capture,
    ensures=lambda before, after, _: (
        ""
        if (before.kind == TaskKind.KERNEL).sum() == (after.kind == TaskKind.KERNEL).sum()
        else "kernels came or went"
    ),
)


def paced(graph: DependencyGraph) -> DependencyGraph:
    """Let the host wait, at the end of every step, for what the step before did on the device.

    So the device works on one step while the next one is launched, and the ends of steps are where the host is then.
    """
    steps, process, launched = step_numbers(graph), processes(graph), launches(graph)
    on_host, numbers = np.isin(graph.kind, ON_HOST), np.unique(process).tolist()
    measured_ends = sorted(graph.steps) if len(numbers) == 1 else []
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    for number in numbers:
        hosts = np.flatnonzero((process == number) & on_host).tolist()
        devices = np.flatnonzero((process == number) & (launched != NONE)).tolist()
        firsts = {int(steps[row]): row for row in reversed(hosts)}
        ends, done = ({int(steps[row]): row for row in rows} for rows in (hosts, devices))
        for before, step in pairwise(sorted(firsts)):
            if before not in done:
                continue
            edges.append(NewEdge(kind=EdgeKind.WAIT, first=done[before], second=len(graph) + len(tasks)))
            at = float(measured_ends[step - 1][1]) if len(measured_ends) >= step > 0 else float("nan")
            lane = graph.lanes[graph.lane[firsts[step]]]
            tasks.append(
                NewTask(
                    kind=TaskKind.SYNCHRONISATION, name="end of step", lane=lane, duration_ns=0, after=ends[step],
                    attributes={"measured_start_ns": at, "measured_end_ns": at},
                )
            )  # fmt: skip
    return inserted(graph, tasks, edges).graph


def without_queues(graph: DependencyGraph, gone: Mask) -> DependencyGraph:
    """Drop what full queues made launches wait for (``sources.traces``) where an end of that is to be removed."""
    launching = mask(graph, graph.edge_from[graph.edge_kind == EdgeKind.LAUNCH])
    queue = (graph.edge_kind == EdgeKind.WAIT) & launching[graph.edge_to]
    return with_edges(graph, ~(queue & (gone[graph.edge_from] | gone[graph.edge_to])))
