"""From files to a dependency graph: traces, profiles, and several ranks of one run, whose collectives meet.

What one rank records of a collective is mostly waiting: in one step on eight ranks ends agree within microseconds while
starts differ by milliseconds. With all ranks at hand a collective is an arrival on each of them, a rendezvous, and a
transfer that lasts from the last arrival to its end (as dPRO, MLSys 2022, and Maya, EuroSys 2026, model it).
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dlbricks.errors import InputError
from dlbricks.harness.call_timer import no_collection
from dlbricks.profile.open import read_any
from dlbricks.profile.types import LEVELS, LevelRun, Profile
from dlbricks.trace.build import joined_traces
from dlbricks.trace.types import Lane, Trace
from dlbricks.units import counted
from dlbricks.whatif.edit import NewEdge, NewTask, edge_like, inserted, task_like
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind, with_columns
from dlbricks.whatif.sources.chakra import SUFFIX, graph_of_chakra
from dlbricks.whatif.sources.traces import graph_of_trace

ARRIVAL = "arrival"
RENDEZVOUS = "rendezvous"
_REPLAYED = LEVELS[1:]
"""Runs that hold tasks: calls alone say nothing of what they are made of."""


def graph_of_files(paths: Sequence[Path], batch: int | None = None, levels: str | None = None) -> DependencyGraph:
    """Read one trace or profile, or those of all ranks of one run, whose collectives then wait for each other.

    Args:
        paths: see ``profile.open.read_any``; several are one for each rank, on clocks that can be compared. Or one
            Chakra execution trace (``.et``).
        batch: of a profile with several; None for the smallest.
        levels: ``ML`` or ``MLK``, of a profile with both; None for the deeper one.

    Raises:
        InputError: no file is named, one cannot be read, has no such run or holds nothing that could be replayed; two
            are of one rank, or have clocks that cannot be compared.
    """
    if not paths:
        raise InputError("there is nothing to ask about: name a trace, a profile or a network")
    if any(path.suffix == SUFFIX for path in paths):
        if len(paths) > 1:
            raise InputError("Chakra traces have no clock that ranks share: give one rank alone")
        return graph_of_chakra(paths[0])
    with no_collection():  # walking all events again and again takes a quarter of the time
        profiles = [read_any(path, checked=False) for path in paths]
        runs = [_run_of(profile, path, batch, levels) for profile, path in zip(profiles, paths, strict=True)]
        if len(profiles) == 1:
            graph = graph_of_trace(runs[0].trace, profiles[0].network)
            return _with_overhead(with_columns(graph, *_on_steps(profiles[0])), profiles[0], runs[0])
        _check_ranks(paths, [run.trace for run in runs])
        name = f"{len(paths)} ranks of {profiles[0].network}"
        return with_rendezvous(graph_of_trace(joined_traces(*(run.trace for run in runs)), name))


def _on_steps(profile: Profile) -> list[str]:
    """Give what a profile says of how its steps were found."""
    return [note for note in profile.notes if note.startswith(("no steps are marked", "nothing marks steps"))]


def _run_of(profile: Profile, path: Path, batch: int | None, levels: str | None) -> LevelRun:
    """Choose the run of a profile that is replayed: the deepest one, unless another is named."""
    if levels is not None and levels not in _REPLAYED:
        raise InputError(f"levels '{levels}' cannot be replayed: give {' or '.join(_REPLAYED)}")
    if batch is not None and batch not in profile.batches:
        there = ", ".join(str(one) for one in profile.batches if one) or "none that is known"
        raise InputError(f"{path} has no runs of batch {batch}; there are: {there}")
    for wanted in (levels,) if levels else reversed(_REPLAYED):
        found = profile.run(wanted, batch)
        if found is not None:
            return found
    if levels is None and not profile.system and len(profile.runs) == 1:
        return profile.runs[0]
    missing = f"levels {levels}" if levels else "layers or kernels"
    raise InputError(f"{path} has no run with {missing}: record one with 'dlbricks profile --levels M,ML'")


def _with_overhead(graph: DependencyGraph, profile: Profile, run: LevelRun) -> DependencyGraph:
    """Note by how much recording made calls longer, where calls were timed without it, too."""
    alone = profile.run(LEVELS[0], run.batch)
    if alone is None or not alone.samples_ns or not run.samples_ns:
        return graph
    plain, recorded = (sorted(one.samples_ns)[len(one.samples_ns) // 2] for one in (alone, run))
    if not plain:
        return graph
    longer = f"recording made calls {recorded / plain - 1:+.1%} longer than those timed without it"
    return with_columns(graph, f"{longer}: gains are those of the recorded calls")


def _check_ranks(paths: Sequence[Path], traces: Sequence[Trace]) -> None:
    seen: dict[str, Path] = {}
    for path, trace in zip(paths, traces, strict=True):
        here = {lane.process for lane in trace.lanes}
        twice = sorted(here & seen.keys())
        if twice:
            raise InputError(
                f"{seen[twice[0]]} and {path} are of one process ({twice[0]}): give one file for each rank, or ask "
                "about each alone"
            )
        seen.update(dict.fromkeys(here, path))


def with_rendezvous(graph: DependencyGraph) -> DependencyGraph:
    """Let the members of each collective wait for each other, of ranks on one clock; one rank stays as it is."""
    found, alone = _collectives(graph)
    if not found:
        return graph
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    into: dict[int, list[int]] = defaultdict(list)
    for edge, target in enumerate(graph.edge_to.tolist()):
        into[target].append(edge)
    durations = np.array(graph.duration_ns)
    ends = graph.attributes["measured_end_ns"].astype(np.int64)
    for last_arrival_ns, members in found:
        durations[members] = ends[members] - last_arrival_ns
        nothing = {"kind": TaskKind.CPU, "duration_ns": 0, "layer": None, "phase": Phase.NONE}
        hub = len(graph) + len(tasks) + len(members)
        for member in members:
            arrival = len(graph) + len(tasks)
            tasks.append(task_like(graph, member, name=ARRIVAL, after=member - 1, **nothing))
            edges += [edge_like(graph, edge, second=arrival) for edge in into[member]]
            edges.append(NewEdge(kind=EdgeKind.RENDEZVOUS, first=arrival, second=hub))
            edges.append(NewEdge(kind=EdgeKind.RENDEZVOUS, first=hub, second=member))
        stream, last = graph.lanes[graph.lane[members[0]]].name, max(members)
        lane = Lane(process="all ranks", name=f"{RENDEZVOUS} of {stream}")
        tasks.append(task_like(graph, last, name=RENDEZVOUS, lane=lane, after=last - 1, **nothing))
    notes = [f"{counted(alone, 'collective')} has no partner on another rank that fits"] if alone else []
    return inserted(with_columns(graph, *notes, duration_ns=durations), tasks, edges).graph


def _collectives(graph: DependencyGraph) -> tuple[list[tuple[int, list[int]]], int]:
    """Find which tasks of different ranks are the same collective: the n-th of its name on each.

    Returns:
        For each the last arrival, ns, and its members, one of each rank; and how many tasks have no partner that fits.
    """
    starts, ends = graph.attributes["measured_start_ns"], graph.attributes["measured_end_ns"]
    rows = np.flatnonzero((graph.kind == TaskKind.COLLECTIVE) & ~np.isnan(starts))
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    seen: dict[tuple[str, int], int] = defaultdict(int)
    for row in rows[np.argsort(starts[rows], kind="stable")].tolist():
        process, name = graph.lanes[graph.lane[row]].process, int(graph.task_name[row])
        groups[(name, seen[process, name])].append(row)
        seen[process, name] += 1
    arrivals = [(int(starts[members].max()), members) for members in groups.values()]
    found = [(last, members) for last, members in arrivals if len(members) > 1 and ends[members].min() >= last]
    alone = len(rows) - sum(len(members) for _, members in found)
    return sorted(found, key=lambda one: one[0]), alone
