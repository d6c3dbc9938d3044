"""Transforms of the host's launches and copies: CUDA graphs (``cuda-graphs``), pinned memory (``pinned-memory``)."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np

from dlbricks.trace.gpus import usual_name
from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import (
    IS_GRAPH,
    NewEdge,
    NewTask,
    inserted,
    mask,
    removed,
    with_durations,
    without_queue_waits,
)
from dlbricks.whatif.graph import (
    ON_HOST,
    DependencyGraph,
    EdgeKind,
    TaskKind,
    launches,
    with_columns,
    with_edges,
    with_texts,
)
from dlbricks.whatif.select import by_lane, of_name, processes, step_numbers
from dlbricks.whatif.transform import Transform, Values, counting

# CUDA graphs: one call launches what many calls launched. Kernels keep their order and streams. A graph ends where the
# host needs a result or provides data: at a call that waits for the device, a copy between host and device, or the end
# of a step. Only one of the captured calls remains; the host time between them is removed (on an H100 a small network
# took 0.29 instead of 1.10 ms). Kernels that waited for their launches then follow each other at the pace at which a
# device dispatches the kernels of a graph; a memset adds a delay before and after it. A trace of a few steps may end
# before a faster host has filled the launch queue, so its steps would seem too short. ``with_step_waits`` gives the
# step time of a long run, in which the host waits for the device.
#
# Pinned memory: a driver copies pageable memory in small pieces through pinned memory, which takes several times as
# long. The call returns only when the copy is done, after all work that was launched before it. From pinned memory a
# copy runs at the rate of the link, and a call that need not wait (PyTorch's ``non_blocking``) returns at once.

_WITH_HOST = re.compile(r"HtoD|DtoH|host to device|device to host", re.IGNORECASE)
_MEMSET = re.compile(r"^memset", re.IGNORECASE)
# Least number of launches in a graph.
_LEAST = 2
# Time from the launch of a graph to its start: the shortest in a public trace (DLRM on A100).
_GRAPH_LAUNCH_NS = 14_000
# Time between two kernels of a graph, and the sum of the times before and after a memset in it (measured on an H200).
_GRAPH_GAP_NS, _MEMSET_GAPS_NS = 420, 5_900


def captured(graph: DependencyGraph) -> list[Longs]:
    """Return the host calls that each possible CUDA graph would replace, from the first captured launch to the last."""
    launched, steps, process = launches(graph), step_numbers(graph), processes(graph)
    launching = mask(graph, launched[launched != NONE])
    copies = mask(graph, launched[(launched != NONE) & of_name(graph, _WITH_HOST.search)])
    ends = of_name(graph, IS_GRAPH.search) | (graph.kind != TaskKind.CPU) | copies
    parts: list[Longs] = []
    on_host = np.isin(graph.kind, ON_HOST)
    for number in np.unique(process[on_host]).tolist():
        rows = np.flatnonzero(on_host & (process == number))
        # a graph holds calls of one step, between two calls at which a graph ends
        borders = np.flatnonzero(ends[rows] | (np.diff(steps[rows], prepend=steps[rows[0]]) != 0))
        for part in np.split(rows, borders):
            calls = part[~ends[part]]
            of_launches = np.flatnonzero(launching[calls])
            if len(of_launches) >= _LEAST:
                parts.append(calls[of_launches[0] : of_launches[-1] + 1])
    return sorted(parts, key=lambda calls: int(calls[0]))


def _graphed(graph: DependencyGraph, _: Values) -> DependencyGraph:
    parts, launched = captured(graph), launches(graph)
    starts, ends = graph.figures("measured_start_ns"), graph.figures("measured_end_ns")
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    gaps = np.array(graph.gap_ns)
    memsets = of_name(graph, _MEMSET.search) & (graph.kind == TaskKind.COPY)
    taken = np.zeros(len(graph), bool)
    for calls in parts:
        device = np.flatnonzero(np.isin(launched, calls))
        taken[device] = True
        launch = NewEdge(kind=EdgeKind.LAUNCH, first=len(graph) + len(tasks), second=NONE, lag_ns=_GRAPH_LAUNCH_NS)
        first, same_lane = calls[0], calls[graph.lane[calls] == graph.lane[calls[0]]]
        edges += [replace(launch, second=row) for row in device.tolist()]
        timed = same_lane[~np.isnan(starts[same_lane] + ends[same_lane])]  # inserted calls have no measured times
        timed = timed if len(timed) else calls[:1]
        measured = {"measured_start_ns": float(starts[timed].min()), "measured_end_ns": float(ends[timed].max())}
        tasks.append(
            NewTask(
                kind=TaskKind.CPU, name="cudaGraphLaunch", lane=graph.lanes[graph.lane[first]], attributes=measured,
                duration_ns=_GRAPH_LAUNCH_NS, gap_ns=int(graph.gap_ns[same_lane[-1]]), after=int(first) - 1,
            )
        )  # fmt: skip
        for rows in by_lane(graph, device):
            inner, following = rows[:-1], rows[1:]
            between = np.where(memsets[inner], _MEMSET_GAPS_NS - _GRAPH_GAP_NS, _GRAPH_GAP_NS)
            gaps[inner] = np.where(starts[following] - ends[inner] < between, gaps[inner], between)
    calls = np.concatenate(parts)
    unqueued = without_queue_waits(with_columns(graph, gap_ns=gaps), calls)
    unlaunched = with_edges(unqueued, ~(taken[unqueued.edge_to] & (unqueued.edge_kind == EdgeKind.LAUNCH)))
    grown = inserted(unlaunched, tasks, edges)
    return with_step_waits(removed(grown.graph, grown.places[calls]))


def _nothing_to_capture(graph: DependencyGraph, _: Values) -> str:
    if not (graph.kind == TaskKind.KERNEL).any():
        return "it has no kernels"
    if captured(graph):
        return ""
    return "a wait, a copy from or to the host, or the end of a step lies between any two launches"


def _as_many_kernels(before: DependencyGraph, after: DependencyGraph, _: Values) -> str:
    was, now = (np.count_nonzero(graph.kind == TaskKind.KERNEL) for graph in (before, after))
    return "" if was == now else "the number of kernels has changed"


CUDA_GRAPHS = Transform(
    name="cuda-graphs",
    synonyms=("cuda-graph", "cudagraphs", "graphs"),
    title="CUDA graphs: one call launches many kernels.",
    source="CUDA graphs as PyTorch captures them; shortest launches in a public trace (DLRM on A100), gaps on an H200",
    apply=_graphed,
    requires=_nothing_to_capture,
    ensures=_as_many_kernels,
)


def with_step_waits(graph: DependencyGraph) -> DependencyGraph:
    """Return a dependency graph whose host waits at each step's end for the device work of the previous step.

    So the device executes a step while the host launches the next, as in a long run.
    """
    steps, process, launched = step_numbers(graph), processes(graph), launches(graph)
    on_host, numbers = np.isin(graph.kind, ON_HOST), np.unique(process).tolist()
    measured_ends = sorted(graph.steps) if len(numbers) == 1 else []
    if measured_ends:  # what the host does after the last step belongs to no step
        on_host &= ~(graph.figures("measured_start_ns") >= measured_ends[-1][1])
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


# Rate of copies from pinned memory, bytes per second, by device: data sheets state PCIe 5.0 or 3.0 with 16 lanes. The
# first pattern that matches counts.
_LINKS = (
    (re.compile(r"\bG?H[12]00\b|\bH800\b|\bB[12]00\b|\bRTX 50|\bMI3"), 55e9),
    (re.compile(r"\bP4\b|\bP100\b|\bT4\b|\bV100\b|\bRTX 20"), 12e9),
)
# Rate for devices with PCIe 4.0, and for unknown devices.
_USUAL_LINK = 25e9
_STREAM = re.compile(r"(cuda|hip)StreamSynchronize", re.IGNORECASE)


def _is_pageable(name: str) -> bool:
    # Return whether a copy of this name reads pageable memory of the host.
    return "pageable" in name.lower().partition("htod")[2]


def _copies(graph: DependencyGraph) -> Longs:
    return np.flatnonzero((graph.kind == TaskKind.COPY) & of_name(graph, _is_pageable))


def _waits(graph: DependencyGraph, copies: Longs) -> Longs:
    # Return the host's waits for copies: the second part of the copying calls, and waits for the stream right after.
    launched = launches(graph)[copies]
    calls = set(launched[launched != NONE].tolist())
    ends = of_name(graph, _STREAM.match)
    waiting = []
    for rows in by_lane(graph, np.flatnonzero(np.isin(graph.kind, ON_HOST))):
        behind = NONE
        for row in rows.tolist():
            waits = behind != NONE and graph.kind[row] == TaskKind.SYNCHRONISATION
            if waits and (graph.task_name[row] == graph.task_name[behind] or ends[row]):
                waiting.append(row)
            else:
                behind = row if row in calls else NONE
    return np.array(waiting, np.int64)


def _pinned(graph: DependencyGraph, _: Values) -> DependencyGraph:
    copies = _copies(graph)
    name = usual_name(graph.device)
    rate = next((rate for pattern, rate in _LINKS if pattern.search(name)), _USUAL_LINK)
    # copies that are faster than that, or of unknown size, keep their times
    times = np.fmin(graph.duration_ns[copies], 1e9 * graph.figures("bytes")[copies] / rate)
    waits = _waits(graph, copies)
    stays = ~np.isin(graph.wait_task, waits)
    pinned = with_columns(
        with_durations(with_durations(graph, copies, times), waits, 0),
        wait_task=graph.wait_task[stays],
        wait_lane=graph.wait_lane[stays],
    )
    names = {row: graph.named(row).replace("Pageable", "Pinned") for row in copies.tolist()}
    return with_texts(pinned, "names", "task_name", names)


PINNED = Transform(
    name="pinned-memory",
    synonyms=("pin-memory", "pinning"),
    title="Pinned memory: copies to the device run at the rate of the link, and the host does not wait for them.",
    source="CUDA C++ Best Practices Guide, pinned memory; PCIe 3.0, 4.0 and 5.0 x16 attain some 12, 25 and 55 GB/s",
    apply=_pinned,
    requires=lambda graph, _: "" if len(_copies(graph)) else "none of its copies to a device reads pageable memory",
    ensures=counting(0, "the number of tasks has changed"),
)
