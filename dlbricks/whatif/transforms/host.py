"""CUDA graphs: one call launches what many calls launched.

Kernels keep their order and streams. A graph ends where the
host needs a result or provides data: at a call that waits for the device, a copy between host and device, or the end of
a step. Only one of the captured calls remains; the host time between them is removed (on an H100 a small network took
0.29 instead of 1.10 ms). Kernels that waited for their launches then follow each other as the device dispatches those
of a graph, and a memset among them takes its time on both sides.

A trace of a few steps may end before a faster host has filled the launch queue, and its step time would be too short.
``with_step_waits`` gives the time of a long run, in which the host waits for the device.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import NONE
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, mask, removed
from dlbricks.whatif.graph import ON_HOST, DependencyGraph, EdgeKind, Mask, TaskKind, launches, with_columns, with_edges
from dlbricks.whatif.launching import IS_GRAPH
from dlbricks.whatif.select import by_lane, of_name, processes, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values

_WITH_HOST = re.compile(r"HtoD|DtoH|host to device|device to host", re.IGNORECASE)
_MEMSET = re.compile(r"^memset", re.IGNORECASE)
# Least number of launches in a graph.
_LEAST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """Calls that one graph launch replaces."""

    calls: tuple[int, ...]
    """Host tasks from the first launch to the last, ascending; all are removed."""
    device: tuple[int, ...]
    """Device tasks they launched, ascending."""


@dataclass(slots=True)
class _Open:
    """Calls of one process that may become a graph."""

    step: int
    calls: list[int]
    ends: list[int]
    """Number of calls up to each launch."""


def captured(graph: DependencyGraph) -> tuple[Captured, ...]:
    """Return the captured graphs, in order."""
    launched, steps, process = launches(graph), step_numbers(graph), processes(graph)
    of_call: dict[int, list[int]] = {}
    for row in np.flatnonzero(launched != NONE).tolist():
        of_call.setdefault(int(launched[row]), []).append(row)
    copies = of_name(graph, _WITH_HOST.search)
    breaks = of_name(graph, IS_GRAPH.search) | (graph.kind != TaskKind.CPU)
    graphs_found: list[Captured] = []
    open_: dict[int, _Open] = {}

    def close(key: int) -> None:
        part = open_.pop(key, None)
        if part is not None and len(part.ends) >= _LEAST:
            device = sorted(row for call in part.calls for row in of_call.get(call, ()))
            graphs_found.append(Captured(calls=tuple(part.calls[: part.ends[-1]]), device=tuple(device)))

    for row in np.flatnonzero(np.isin(graph.kind, ON_HOST)).tolist():
        key, rows = int(process[row]), of_call.get(row, [])
        ends = breaks[row] or bool(copies[rows].any())
        if ends or (key in open_ and open_[key].step != steps[row]):
            close(key)
        if ends or (not rows and key not in open_):
            continue
        part = open_.setdefault(key, _Open(step=int(steps[row]), calls=[], ends=[]))
        part.calls.append(row)
        if rows:
            part.ends.append(len(part.calls))
    for key in list(open_):
        close(key)
    return tuple(sorted(graphs_found, key=lambda part: part.calls[0]))


def _graphed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    parts = captured(graph)
    launch = round(values["launch"])
    starts, ends = graph.figures("measured_start_ns"), graph.figures("measured_end_ns")
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    gaps = np.array(graph.gap_ns)
    memsets = of_name(graph, _MEMSET.search) & (graph.kind == TaskKind.COPY)
    for part in parts:
        first = part.calls[0]
        last = next(call for call in reversed(part.calls) if graph.lane[call] == graph.lane[first])
        call = len(graph) + len(tasks)
        edges += [NewEdge(kind=EdgeKind.LAUNCH, first=call, second=row, lag_ns=launch) for row in part.device]
        timed = np.array([call for call in part.calls if not np.isnan(starts[call] + ends[call])] or [first], np.int64)
        timed = timed[graph.lane[timed] == graph.lane[first]]  # inserted calls have no measured times
        measured = {"measured_start_ns": float(starts[timed].min()), "measured_end_ns": float(ends[timed].max())}
        tasks.append(
            NewTask(
                kind=TaskKind.CPU, name="cudaGraphLaunch", lane=graph.lanes[graph.lane[first]], duration_ns=launch,
                gap_ns=int(graph.gap_ns[last]), after=first - 1, attributes=measured,
            )
        )  # fmt: skip
        for rows in by_lane(graph, np.array(part.device)):
            inner, following = rows[:-1], rows[1:]
            between = np.where(memsets[inner], round(values["memset"] - values["gap"]), round(values["gap"]))
            shorter = starts[following] - ends[inner] < between
            gaps[inner] = np.where(shorter & (values["keep"] == "measured"), gaps[inner], between)
    taken = mask(graph, [row for part in parts for row in part.device])
    calls = np.array([call for part in parts for call in part.calls], np.int64)
    unqueued = without_queue_waits(with_columns(graph, gap_ns=gaps), mask(graph, calls))
    bare = with_edges(unqueued, ~(taken[unqueued.edge_to] & (unqueued.edge_kind == EdgeKind.LAUNCH)))
    grown = inserted(bare, tasks, edges)
    return with_step_waits(removed(grown.graph, grown.places[calls]))


def _nothing_to_capture(graph: DependencyGraph, values: Values) -> str:
    if not (graph.kind == TaskKind.KERNEL).any():
        return "it has no kernels"
    if values["keep"] not in ("measured", "none"):
        return f"unknown keep '{values['keep']}': write measured or none"
    if captured(graph):
        return ""
    return "no two launches follow each other without a wait, a copy from or to the host, or the end of a step"


CUDA_GRAPHS = Transform(
    name="cuda-graphs",
    title="CUDA graphs: one call launches many kernels.",
    source="CUDA graphs as captured by PyTorch; shortest launches of a public trace (DLRM on A100), gaps of an H200",
    apply=_graphed,
    parameters=(
        Parameter("launch", "time", "time from the launch of a graph to its start", "14us"),
        Parameter("gap", "time", "time between two kernels of a graph (measured on an H200)", "420ns"),
        Parameter("memset", "time", "gaps before and after a memset of a graph, together (H200)", "5900ns"),
        Parameter("keep", "text", "measured: shorter gaps are kept; none: all gaps are as given", "measured"),
    ),
    requires=_nothing_to_capture,
    ensures=lambda before, after, _: (
        ""
        if (before.kind == TaskKind.KERNEL).sum() == (after.kind == TaskKind.KERNEL).sum()
        else "kernels came or went"
    ),
)


def with_step_waits(graph: DependencyGraph) -> DependencyGraph:
    """Make the host wait, at the end of every step, for the device work of an earlier one.

    That is the previous step, so that the device executes one step while the host launches the next, and steps end
    where the host is at that time. A host that was recorded further ahead stays as many steps ahead: otherwise work
    from before the record would count as part of a step.
    """
    steps, process, launched = step_numbers(graph), processes(graph), launches(graph)
    on_host, numbers = np.isin(graph.kind, ON_HOST), np.unique(process).tolist()
    measured_ends = sorted(graph.steps) if len(numbers) == 1 else []
    if measured_ends:  # what the host does behind the last step belongs to none
        on_host &= ~(graph.figures("measured_start_ns") >= measured_ends[-1][1])
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    for number in numbers:
        hosts = np.flatnonzero((process == number) & on_host).tolist()
        devices = np.flatnonzero((process == number) & (launched != NONE)).tolist()
        firsts = {int(steps[row]): row for row in reversed(hosts)}
        ends, done = ({int(steps[row]): row for row in rows} for rows in (hosts, devices))
        ahead, numbered = _steps_ahead(graph, ends, done), sorted(firsts)
        for before, step in zip(numbered, numbered[ahead:], strict=False):
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


def _steps_ahead(graph: DependencyGraph, ends: Mapping[int, int], done: Mapping[int, int]) -> int:
    """Return how many steps the host was recorded ahead of the device at the end of a step, at least 1.

    Args:
        graph: with measured times.
        ends: last host task of each step.
        done: last device task of each step.
    """
    until = graph.figures("measured_end_ns")
    steps = sorted(step for step in done if step)
    worked = np.maximum.accumulate([until[done[step]] for step in steps] or [0.0])
    ahead = 1
    for step, row in ends.items():
        before = bisect_left(steps, step)
        ahead = max(ahead, 1 + before - int(np.searchsorted(worked[:before], until[row], side="right")))
    return ahead


def without_queue_waits(graph: DependencyGraph, gone: Mask) -> DependencyGraph:
    """Remove the waits of full launch queues (``sources.traces``) that involve tasks to be removed."""
    launching = mask(graph, graph.edge_from[graph.edge_kind == EdgeKind.LAUNCH])
    queue = (graph.edge_kind == EdgeKind.WAIT) & launching[graph.edge_to]
    return with_edges(graph, ~(queue & (gone[graph.edge_from] | gone[graph.edge_to])))
