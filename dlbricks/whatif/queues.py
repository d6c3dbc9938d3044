"""Launch queues that are full: a call that launches then waits until the device has finished something.

A stream takes about a thousand launches in advance. Training that never waits for its device fills it up, and from then
on the host runs at the pace of the device, inside of its launches. Without these edges a quicker device would change
nothing, as the waiting would count as work of the host. Also left out here: threads that only watch the device.
"""

import re

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.units import counted
from dlbricks.whatif.edit import taken
from dlbricks.whatif.graph import with_attributes, with_columns
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, Floats
from dlbricks.whatif.waits import launches

_FULL = 1000
"""So many tasks launched and not finished: the queue is full (1024 entries, some of them taken by others)."""
_WATCHES = re.compile(r"(cuda|hip|cu)(Event|Stream)Query", re.IGNORECASE)


def with_queues(graph: DependencyGraph) -> DependencyGraph:
    """Let launches onto a stream whose queue was full wait for the task that made room for them.

    What such a call takes is then counted from there. Each launch onto that stream gets its edge, whether it had to
    wait in the trace or not.

    Args:
        graph: as measured, not edited.
    """
    launch = launches(graph)
    starts, ends = (graph.attributes[key] for key in ("measured_start_ns", "measured_end_ns"))
    durations, begins = np.array(graph.duration_ns), np.array(starts)
    sources, targets = [], []
    for lane in np.unique(graph.lane[launch != NONE]):
        tasks = np.flatnonzero((graph.lane == lane) & (launch != NONE))
        calls = launch[tasks]
        if (np.diff(starts[calls]) <= 0).any():
            continue  # several tasks of one call, or calls of several threads: their order in the queue is not known
        depth = int((np.arange(1, len(tasks) + 1) - np.searchsorted(ends[tasks], ends[calls], side="right")).max())
        if depth < _FULL:
            continue
        made_room, waiting = tasks[:-depth], calls[depth:]
        sources.append(made_room)
        targets.append(waiting)
        late = ends[made_room] > starts[waiting]
        durations[waiting[late]] = (ends[waiting] - ends[made_room])[late]
        begins[waiting[late]] = ends[made_room][late]
    if not sources:
        return graph
    return _linked(graph, np.concatenate(sources), np.concatenate(targets), durations, begins)


def _linked(
    graph: DependencyGraph, sources: Longs, targets: Longs, durations: Longs, begins: Floats
) -> DependencyGraph:
    linked = with_columns(
        graph,
        duration_ns=durations,
        edge_from=np.concatenate([graph.edge_from, sources]),
        edge_to=np.concatenate([graph.edge_to, targets]),
        edge_kind=np.concatenate([graph.edge_kind, np.full(len(sources), EdgeKind.WAIT)]),
        edge_lag_ns=np.concatenate([graph.edge_lag_ns, np.zeros(len(sources), np.int64)]),
    )
    return taken(with_attributes(linked, measured_start_ns=begins), np.argsort(begins, kind="stable"))


def without_watchers(graph: DependencyGraph) -> DependencyGraph:
    """Leave out threads that do nothing but ask, again and again, whether the device has finished something.

    They launch nothing and nothing waits for them; their pace is their own.
    """
    fitting = [number for number, name in enumerate(graph.names) if _WATCHES.match(name)]
    watches = np.ones(len(graph.lanes), bool)
    watches[graph.lane[~np.isin(graph.task_name, fitting)]] = False
    touched = np.concatenate([graph.edge_from, graph.edge_to, graph.wait_task])
    watches[graph.lane[touched]] = False
    watches[[number for number, lane in enumerate(graph.lanes) if lane.device]] = False
    gone = watches[graph.lane]
    if not gone.any() or gone.all():
        return graph
    note = f"{counted(len(np.unique(graph.lane[gone])), 'thread')} only asked whether events had passed: left out"
    return taken(with_columns(graph, note), np.flatnonzero(~gone))
