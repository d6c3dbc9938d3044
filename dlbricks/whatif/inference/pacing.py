"""How far a host runs ahead of its device once its launches have changed.

A trace of a few steps may end before the host has filled the queue of launches, and steps would then seem to take as
long as launching them. Over a long run the host waits for its device, however deep the queue is: that is the time asked
for.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from dlbricks.trace.types import NONE
from dlbricks.whatif.edit import NewEdge, NewTask, inserted
from dlbricks.whatif.graph import EDGE_TYPES, with_columns
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.stepping import processes, step_numbers
from dlbricks.whatif.waits import launches

END = "end of step"
_HOST = (TaskKind.CPU, TaskKind.DATA, TaskKind.SYNCHRONISATION)


def paced(graph: DependencyGraph) -> DependencyGraph:
    """Let the host wait, at the end of every step, for what the step before did on the device.

    So the device works on one step while the next one is launched, and the ends of steps are where the host is then.
    """
    steps, process, launched = step_numbers(graph), processes(graph), launches(graph)
    on_host = np.isin(graph.kind, _HOST)
    numbers = np.unique(process).tolist()
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    for number in numbers:
        hosts = np.flatnonzero((process == number) & on_host)
        devices = np.flatnonzero((process == number) & (launched != NONE))
        firsts = {int(steps[row]): row for row in hosts[::-1].tolist()}
        ends = {int(steps[row]): row for row in hosts.tolist()}
        done = {int(steps[row]): row for row in devices.tolist()}
        for before, step in pairwise(sorted(firsts)):
            if before not in done:
                continue
            edges.append(NewEdge(kind=EdgeKind.WAIT, first=done[before], second=len(graph) + len(tasks)))
            lane = graph.lanes[graph.lane[firsts[step]]]
            at = _ends(graph)[step - 1] if len(numbers) == 1 and len(graph.steps) >= step > 0 else float("nan")
            tasks.append(
                NewTask(
                    kind=TaskKind.SYNCHRONISATION,
                    name=END,
                    lane=lane,
                    duration_ns=0,
                    after=ends[step],
                    attributes={"measured_start_ns": at, "measured_end_ns": at},
                )
            )
    return inserted(graph, tasks, edges)[0]


def _ends(graph: DependencyGraph) -> list[float]:
    return [float(end) for _, end in sorted(graph.steps)]


def without_queues(graph: DependencyGraph, gone: "np.ndarray[Any, np.dtype[np.bool_]]") -> DependencyGraph:
    """Drop what full queues made launches wait for (``whatif.queues``) where an end of that is to be removed."""
    launching = np.zeros(len(graph), bool)
    launching[graph.edge_from[graph.edge_kind == EdgeKind.LAUNCH]] = True
    queue = (graph.edge_kind == EdgeKind.WAIT) & launching[graph.edge_to]
    stays = ~(queue & (gone[graph.edge_from] | gone[graph.edge_to]))
    return with_columns(graph, **{key: getattr(graph, key)[stays] for key in EDGE_TYPES})
