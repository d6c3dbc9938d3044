"""From files to a dependency graph: traces, profiles, and several ranks of one run, whose collectives meet.

What one rank records of a collective is mostly waiting: in one step on eight ranks ends agree within microseconds while
starts differ by milliseconds. With all ranks at hand a collective is an arrival on each of them, a rendezvous, and a
transfer that lasts from the last arrival to its end (as dPRO, MLSys 2022, and Maya, EuroSys 2026, model it).
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dlbricks.errors import InputError
from dlbricks.harness.call_timer import no_collection
from dlbricks.profile.open import read_any
from dlbricks.profile.types import LEVELS, LevelRun, Profile
from dlbricks.trace.build import joined_traces
from dlbricks.trace.types import NONE, Lane, Trace
from dlbricks.units import counted
from dlbricks.whatif.edit import NewEdge, NewTask, edge_like, inserted, task_like
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind, with_attributes, with_columns
from dlbricks.whatif.select import of_operator
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.chakra import SUFFIX, graph_of_chakra
from dlbricks.whatif.sources.traces import graph_of_trace

ARRIVAL = "arrival"
RENDEZVOUS = "rendezvous"
_ONE_TO_ONE = re.compile(r"i?(send|recv)")
_NO_CLOCK = "ranks begin together, and collectives transfer as long as the quickest member recorded"
_REPLAYED = LEVELS[1:]
"""Runs that hold tasks: calls alone say nothing of what they are made of."""


def graph_of_files(paths: Sequence[Path], batch: int | None = None, levels: str | None = None) -> DependencyGraph:
    """Read one trace or profile, or those of all ranks of one run, whose collectives then wait for each other.

    Args:
        paths: see ``profile.open.read_any``; several are one for each rank, on clocks that can be compared. Or Chakra
            execution traces (``.et``), which need no clock.
        batch: of a profile with several; None for the smallest.
        levels: ``ML`` or ``MLK``, of a profile with both; None for the deeper one.

    Raises:
        InputError: no file is named, one cannot be read, has no such run or holds nothing that could be replayed; two
            are of one rank, or have clocks that cannot be compared.
    """
    if not paths:
        raise InputError("there is nothing to ask about: name a trace, a profile or a network")
    chakra = [path for path in paths if path.suffix == SUFFIX]
    if chakra:
        if len(chakra) < len(paths):
            raise InputError(f"{chakra[0]} is a Chakra trace, which has no clock: give all ranks as such, or none")
        return with_quickest_transfers(graph_of_chakra(paths))
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
    members, alone = _collectives(graph)
    starts, ends = graph.attributes["measured_start_ns"], graph.attributes["measured_end_ns"]
    arrivals = [(int(starts[one].max()), one) for one in members]
    found = [(last, one) for last, one in arrivals if ends[one].min() >= last]
    alone += sum(len(one) for one in members) - sum(len(one) for _, one in found)
    if not found:
        return graph
    durations = np.array(graph.duration_ns)
    for last, one in found:
        durations[one] = ends[one] - last
    notes = [f"no partner on another rank fits {counted(alone, 'collective')}"] if alone else []
    tied = sorted(found, key=lambda pair: pair[0])
    return _meeting(with_columns(graph, *notes, duration_ns=durations), [one for _, one in tied])


def with_quickest_transfers(graph: DependencyGraph) -> DependencyGraph:
    """Let the members of each collective of ranks without a common clock meet, and transfer as the quickest did."""
    members, alone = _collectives(graph)
    if not members:
        return graph
    durations = np.array(graph.duration_ns)
    for one in members:
        durations[one] = durations[one].min()
    notes = [_NO_CLOCK, *([f"no partner on another rank fits {counted(alone, 'collective')}"] if alone else [])]
    made = _meeting(with_columns(graph, *notes, duration_ns=durations), members)
    plan = replay(made)
    starts, ends = plan.start_ns.astype(np.float64), plan.end_ns.astype(np.float64)
    tied = made.edge_kind == EdgeKind.RENDEZVOUS
    arrived = {
        (hub, int(made.lane[one])): starts[one]
        for one, hub in zip(made.edge_from[tied].tolist(), made.edge_to[tied].tolist(), strict=True)
    }
    for hub, one in zip(made.edge_from[tied].tolist(), made.edge_to[tied].tolist(), strict=True):
        if made.kind[one] == TaskKind.COLLECTIVE:
            starts[one] = arrived[hub, int(made.lane[one])]
    inserted_ = np.isnan(made.figures("measured_start_ns"))
    starts[inserted_], ends[inserted_] = np.nan, np.nan
    return with_attributes(made, measured_start_ns=starts, measured_end_ns=ends)


def _meeting(graph: DependencyGraph, found: Sequence[Sequence[int]]) -> DependencyGraph:
    """Put an arrival ahead of each member of each collective, and one rendezvous that all of them wait for."""
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    into: dict[int, list[int]] = defaultdict(list)
    for edge, target in enumerate(graph.edge_to.tolist()):
        into[target].append(edge)
    for members in found:
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
    return inserted(graph, tasks, edges).graph


def _collectives(graph: DependencyGraph) -> tuple[list[list[int]], int]:
    """Find which tasks of different ranks are the same collective.

    By group, operation and sequence number where these were recorded, else the n-th of its kernel's name on each. What
    one rank sends to another is no collective: which of the others takes it is not told.

    Returns:
        The members of each, one of each rank, by their first start; and how many tasks have no partner.
    """
    starts = graph.attributes["measured_start_ns"]
    rows = np.flatnonzero((graph.kind == TaskKind.COLLECTIVE) & ~np.isnan(starts))
    sent = of_operator(graph, _ONE_TO_ONE.fullmatch)
    columns = (np.nan_to_num(graph.figures(key), nan=NONE).astype(np.int64) for key in ("group", "collective_sequence"))
    group, sequence = (column.tolist() for column in columns)
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    seen: dict[tuple[str, tuple[int, ...]], int] = defaultdict(int)
    for row in sorted(rows[~sent[rows]].tolist(), key=starts.__getitem__):
        process, named = graph.lanes[graph.lane[row]].process, group[row] != NONE
        key = (group[row], int((graph.operator if named else graph.task_name)[row]), sequence[row])
        groups[(*key, seen[process, key])].append(row)
        seen[process, key] += 1
    found = [members for members in groups.values() if len(members) > 1]
    return found, len(rows) - sum(len(members) for members in found)
