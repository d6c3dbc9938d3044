"""Collectives over several ranks: none transfers before the last has arrived.

What one rank records of a collective is mostly waiting: in one step on eight ranks ends agree within microseconds while
starts differ by milliseconds. With all ranks at hand a collective is an arrival on each of them, a rendezvous, and a
transfer that lasts from the last arrival to its end (as dPRO, MLSys 2022, and Maya, EuroSys 2026, model it).
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.types import Lane, Longs
from dlbricks.units import counted
from dlbricks.whatif.edit import NewEdge, NewTask, inserted
from dlbricks.whatif.graph import with_columns
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, TaskKind

ARRIVAL = "arrival"
RENDEZVOUS = "rendezvous"


@dataclass(frozen=True, slots=True, kw_only=True)
class Collective:
    """One collective with its members, one of each rank."""

    members: tuple[int, ...]
    """Tasks, by process."""
    last_arrival_ns: int


def collectives(graph: DependencyGraph) -> tuple[tuple[Collective, ...], int]:
    """Find which tasks of different ranks are the same collective: the n-th of its name on each.

    Returns:
        The collectives, by last arrival, and how many tasks have no partner that fits.
    """
    starts, ends = graph.attributes["measured_start_ns"], graph.attributes["measured_end_ns"]
    rows = np.flatnonzero((graph.kind == TaskKind.COLLECTIVE) & ~np.isnan(starts))
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    seen: dict[tuple[str, int], int] = defaultdict(int)
    for row in rows[np.argsort(starts[rows], kind="stable")].tolist():
        key = (graph.lanes[graph.lane[row]].process, int(graph.task_name[row]))
        groups[(key[1], seen[key])].append(row)
        seen[key] += 1
    found, alone = [], 0
    for members in groups.values():
        last = int(starts[members].max())
        if len(members) < 2 or int(ends[members].min()) < last:
            alone += len(members)
        else:
            found.append(Collective(members=tuple(members), last_arrival_ns=last))
    return tuple(sorted(found, key=lambda one: one.last_arrival_ns)), alone


def with_rendezvous(graph: DependencyGraph) -> DependencyGraph:
    """Let the members of each collective wait for each other; nothing changes where only one rank was traced.

    Args:
        graph: of several ranks on one clock (``trace.build``).
    """
    found, alone = collectives(graph)
    if not found:
        return graph
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    into: dict[int, list[int]] = defaultdict(list)
    for edge, target in enumerate(graph.edge_to.tolist()):
        into[target].append(edge)
    for one in found:
        hub = len(graph) + len(tasks) + len(one.members)
        for member in one.members:
            arrival = len(graph) + len(tasks)
            lane = graph.lanes[graph.lane[member]]
            tasks.append(NewTask(kind=TaskKind.CPU, name=ARRIVAL, lane=lane, duration_ns=0, after=member - 1))
            edges += [_copy(graph, edge, arrival) for edge in into[member]]
            edges.append(NewEdge(kind=EdgeKind.RENDEZVOUS, first=arrival, second=hub))
            edges.append(NewEdge(kind=EdgeKind.RENDEZVOUS, first=hub, second=member))
        stream = graph.lanes[graph.lane[one.members[0]]].name
        lane = Lane(process="all ranks", name=f"{RENDEZVOUS} of {stream}")
        behind = max(one.members) - 1
        tasks.append(NewTask(kind=TaskKind.CPU, name=RENDEZVOUS, lane=lane, duration_ns=0, after=behind))
    members = np.array([member for one in found for member in one.members])
    arrivals = np.array([one.last_arrival_ns for one in found for _ in one.members])
    durations = np.array(graph.duration_ns)
    durations[members] = graph.attributes["measured_end_ns"][members].astype(np.int64) - arrivals
    notes = [f"{counted(alone, 'collective')} has no partner on another rank that fits"] if alone else []
    linked, _ = inserted(with_columns(graph, *notes, duration_ns=durations), tasks, edges)
    return linked


def _copy(graph: DependencyGraph, edge: int, target: int) -> NewEdge:
    return NewEdge(
        kind=EdgeKind(int(graph.edge_kind[edge])),
        first=int(graph.edge_from[edge]),
        second=target,
        lag_ns=int(graph.edge_lag_ns[edge]),
    )


def ranks(graph: DependencyGraph) -> Longs:
    """Give for each task the number of its process among those with devices, -1 for others."""
    processes = sorted({lane.process for lane in graph.lanes if lane.device})
    number = {process: index for index, process in enumerate(processes)}
    by_lane = np.array([number.get(lane.process, -1) for lane in graph.lanes], np.int64)
    made: Longs = by_lane[graph.lane]
    return made
