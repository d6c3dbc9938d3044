"""CUDA graphs: what a host launched call by call, one call launches; kernels keep their order and their streams.

A graph ends where the host needs a result or brings data: at a call that waits for the device, at a copy between host
and device, at the end of a step. Of the calls of a graph one is left, and with the others goes all that the host did
between them, which is what graphs are for: on an H100 a small network took 0.29 instead of 1.10 ms.
"""

import re
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import NONE
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, removed, without_launches
from dlbricks.whatif.graph import with_columns
from dlbricks.whatif.inference.pacing import paced, without_queues
from dlbricks.whatif.inference.shares import figures
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.stepping import processes, step_numbers
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.waits import launches

LAUNCH = "cudaGraphLaunch"
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


def captured(graph: DependencyGraph) -> tuple[Captured, ...]:
    """Find what can be captured, in order."""
    launched, steps, process = launches(graph), step_numbers(graph), processes(graph)
    of_call: dict[int, list[int]] = {}
    for row in np.flatnonzero(launched != NONE).tolist():
        of_call.setdefault(int(launched[row]), []).append(row)
    graphs = np.array([bool(_IS_GRAPH.search(name)) for name in graph.names] or [False])[graph.task_name]
    copies = np.array([bool(_WITH_HOST.search(name)) for name in graph.names] or [False])[graph.task_name]
    found: list[Captured] = []
    open_: dict[int, tuple[int, list[int], list[int]]] = {}
    """By process: its step, calls, and how many of them there were up to each launch."""

    def close(key: int) -> None:
        _, calls, ends = open_.pop(key, (0, [], []))
        if len(ends) >= _LEAST:
            device = sorted(row for call in calls for row in of_call.get(call, ()))
            found.append(Captured(calls=tuple(calls[: ends[-1]]), device=tuple(device)))

    hosts = np.flatnonzero(np.isin(graph.kind, (TaskKind.CPU, TaskKind.SYNCHRONISATION, TaskKind.DATA)))
    for row in hosts.tolist():
        key, rows = int(process[row]), of_call.get(row, [])
        breaks = graph.kind[row] != TaskKind.CPU or graphs[row] or bool(copies[rows].any() if rows else False)
        if breaks or (key in open_ and open_[key][0] != steps[row]):
            close(key)
        if breaks or (not rows and key not in open_):
            continue
        _, calls, ends = open_.setdefault(key, (int(steps[row]), [], []))
        calls.append(row)
        if rows:
            ends.append(len(calls))
    for key in list(open_):
        close(key)
    return tuple(sorted(found, key=lambda one: one.calls[0]))


def _cuda_graphs(graph: DependencyGraph, values: Values) -> DependencyGraph:
    parts = captured(graph)
    launch, between = round(float(values["launch"])), round(float(values["gap"]))
    starts, ends = figures(graph, "measured_start_ns"), figures(graph, "measured_end_ns")
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    gaps = np.array(graph.gap_ns)
    for part in parts:
        first = part.calls[0]
        last = next(call for call in reversed(part.calls) if graph.lane[call] == graph.lane[first])
        edges += [
            NewEdge(kind=EdgeKind.LAUNCH, first=len(graph) + len(tasks), second=row, lag_ns=launch)
            for row in part.device
        ]
        tasks.append(
            NewTask(
                kind=TaskKind.CPU,
                name=LAUNCH,
                lane=graph.lanes[graph.lane[first]],
                duration_ns=launch,
                gap_ns=int(graph.gap_ns[last]),
                after=first - 1,
                attributes={"measured_start_ns": float(starts[first]), "measured_end_ns": float(ends[last])},
            )
        )
        rows = np.array(part.device)
        final = {int(rows[graph.lane[rows] == lane][-1]) for lane in np.unique(graph.lane[rows])}
        inner = np.array([row for row in part.device if row not in final], np.int64)
        gaps[inner] = np.minimum(gaps[inner], between) if str(values["keep"]) == "measured" else between
    taken = np.array([row for part in parts for row in part.device], np.int64)
    calls = np.array([call for part in parts for call in part.calls], np.int64)
    unqueued = without_queues(with_columns(graph, gap_ns=gaps), np.isin(np.arange(len(graph)), calls))
    bare = without_launches(unqueued, taken)
    grown, rows = inserted(bare, tasks, edges)
    places = np.setdiff1d(np.arange(len(grown)), rows)
    return paced(removed(grown, places[calls]))


def _nothing_to_capture(graph: DependencyGraph, values: Values) -> str:
    if not (graph.kind == TaskKind.KERNEL).any():
        return "it has no kernels"
    if str(values["keep"]) not in ("measured", "none"):
        return f"'{values['keep']}' says nothing of gaps: write measured or none"
    if captured(graph):
        return ""
    return "nowhere do two launches follow each other without a wait, a copy with the host or the end of a step"


CUDA_GRAPHS = Transform(
    name="cuda-graphs",
    title="One call launches what many calls did.",
    evidence="modelled",
    source="CUDA's graphs as PyTorch captures them; the quickest launches of graphs in a public trace (DLRM on A100)",
    apply=_cuda_graphs,
    parameters=(
        Parameter(name="launch", kind="time", meaning="what launching a graph takes, until it begins", default="14us"),
        Parameter(name="gap", kind="time", meaning="time between two kernels of a graph", default="1500ns"),
        Parameter(
            name="keep",
            kind="text",
            meaning="measured: gaps that are shorter stay; none: every gap is as given",
            default="measured",
        ),
    ),
    requires=_nothing_to_capture,
    ensures=lambda before, after, _: (
        ""
        if (before.kind == TaskKind.KERNEL).sum() == (after.kind == TaskKind.KERNEL).sum()
        else "kernels came or went"
    ),
)
