"""Sources of dependency graphs: files of traces or profiles (``graph_of_files``) and composed networks (``networks``).

The traces of several ranks become one graph, with a rendezvous at each of their collectives.
"""

import re
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from dlbricks.errors import InputError
from dlbricks.harness.call_timer import no_collection
from dlbricks.harness.machine import listed
from dlbricks.profile.open import UNLIKE, read_any
from dlbricks.trace.build import joined_traces
from dlbricks.trace.types import LEVELS, NONE, Lane, Level, LevelRun, Profile
from dlbricks.units import counted, format_ns
from dlbricks.whatif.edit import NewEdge, NewTask, edge_like, inserted, task_like
from dlbricks.whatif.explain import recorded_step_times
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind, with_columns
from dlbricks.whatif.select import of_operator
from dlbricks.whatif.sources.hosts import scaled_to
from dlbricks.whatif.sources.traces import graph_of_trace

# Most of a recorded collective is waiting: on eight ranks, ends agree within microseconds while starts differ by
# milliseconds. With the traces of all ranks, a collective becomes an arrival per rank, a rendezvous, and a transfer
# from the last arrival to the end (as in dPRO, MLSys 2022, and Maya, EuroSys 2026).

ARRIVAL = "arrival"
RENDEZVOUS = "rendezvous"
_ONE_TO_ONE = re.compile(r"i?(send|recv)")


def graph_of_files(paths: Sequence[Path], batch: int | None = None) -> DependencyGraph:
    """Return one dependency graph: of a trace, of a profile, or of the traces of all ranks of a run together.

    Args:
        paths: one file that ``profile.open.read_any`` reads, or one file per rank, with comparable clocks.
        batch: batch size of the run to use in a profile; None for the smallest.

    Raises:
        InputError: a file cannot be read, or has no such run or no tasks; or two files belong to one rank, or have
            clocks that cannot be compared.
    """
    if not paths:
        raise InputError("a file is missing: name a trace, a profile or a network")
    with no_collection():  # garbage collection takes a quarter of the time
        profiles = [read_any(path, checked=False) for path in paths]
        profile = profiles[0]
        if len(profiles) == 1:
            return graph_of_profile(profile, str(paths[0]), batch)
        runs = [_run_of(profile, str(path), batch) for profile, path in zip(profiles, paths, strict=True)]
        seen: dict[str, Path] = {}
        for path, rank in zip(paths, runs, strict=True):
            for process in sorted({lane.process for lane in rank.trace.lanes}):
                if process in seen:
                    both = f"{seen[process]} and {path} belong to one process ({process})"
                    raise InputError(f"{both}: name one file per rank, or use each file alone")
                seen[process] = path
        name = f"{len(paths)} ranks of {profile.network}"
        return with_rendezvous(graph_of_trace(joined_traces(*(rank.trace for rank in runs)), name))


def graph_of_profile(profile: Profile, place: str, batch: int | None = None) -> DependencyGraph:
    """Return the dependency graph of a profile; ``place`` names the file in messages. See ``graph_of_files``."""
    level_run = _run_of(profile, place, batch)
    # keep notes on how steps were found, and on groups of unlike calls
    notes = [note for note in profile.notes if note.startswith(("no steps ", UNLIKE))]
    trace, gpus = level_run.trace, profile.system.get("gpus")
    if gpus and not trace.device and len(trace.rows(Level.KERNEL)):
        trace = replace(trace, device=next((str(gpu["name"]) for gpu in listed(gpus) if gpu.get("name")), ""))
        notes += [] if trace.device else [f"{place} does not name the GPU: what depends on its kind is left out"]
    threads = None if trace.device else profile.runtime.get("threads")
    graph = replace(graph_of_trace(trace, profile.network), runtime=profile.runtime.get("name", ""))
    graph = replace(graph, threads=threads if isinstance(threads, int) else None, batch=level_run.batch or None)
    return _without_overhead(with_columns(graph, *notes), profile, level_run)


def _run_of(profile: Profile, path: str, batch: int | None) -> LevelRun:
    # Return the run of a profile to replay: by default the deepest one.
    if batch is not None and batch not in profile.batches:
        there = ", ".join(str(batch) for batch in profile.batches if batch) or "unknown"
        raise InputError(f"{path} has no run with batch size {batch}: its batch sizes are {there}")
    for wanted in reversed(LEVELS[1:]):  # runs at level M have no tasks
        level_run = profile.run(wanted, batch)
        if level_run is not None:
            return level_run
    if not profile.system and len(profile.runs) == 1:
        return profile.runs[0]
    raise InputError(f"{path} has no run with layers or kernels: record one with 'dlbricks profile --levels M,ML'")


def _without_overhead(graph: DependencyGraph, profile: Profile, run: LevelRun) -> DependencyGraph:
    # Scale times of the host until calls on a device take as long as those that were timed without recording, which
    # lengthens times of the host and not those of kernels. A note states the overhead.
    alone = profile.run(LEVELS[0], run.batch)
    if alone is None or alone is run or not run.samples_ns or not alone.samples_ns or not all(alone.samples_ns):
        return graph
    plain, recorded = (round(float(np.median(level_run.samples_ns))) for level_run in (alone, run))
    longer = f"recording changed the time of calls by {recorded / plain - 1:+.1%}"
    if recorded <= plain or not graph.steps or not (graph.edge_kind == EdgeKind.LAUNCH).any():
        return with_columns(graph, f"{longer}: gains apply to calls with recording")
    scaled, factor = scaled_to(graph, plain)
    # where the device is the limit, calls stay longer or shorter
    reached = f"calls take {format_ns(float(np.median(recorded_step_times(scaled))))}"
    how = f"times of the host are scaled by {factor:.2f}, so that {reached} ({format_ns(plain)} without recording)"
    return with_columns(scaled, f"{longer}: {how}")


def with_rendezvous(graph: DependencyGraph) -> DependencyGraph:
    """Return the graph of several ranks with edges by which all members of a collective wait for each other."""
    meetings, alone = collectives(graph)
    if alone and len({lane.process for lane in graph.lanes if lane.device}) < 2:
        return graph
    notes = [f"{counted(alone, 'collective')} without a match on another rank: recorded times stay"] if alone else []
    if not meetings:
        return with_columns(graph, *notes, "the traces share no collectives: they may be of different runs")
    durations = np.array(graph.duration_ns)
    starts, ends = graph.attributes["measured_start_ns"], graph.attributes["measured_end_ns"]
    for members in meetings:
        durations[members] = ends[members] - starts[members].max()
    return _meeting(with_columns(graph, *notes, duration_ns=durations), meetings)


def _meeting(graph: DependencyGraph, groups: Sequence[Sequence[int]]) -> DependencyGraph:
    # Insert an arrival before each member of each collective, and a rendezvous for which all members wait.
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    into: dict[int, list[int]] = defaultdict(list)
    for edge, target in enumerate(graph.edge_to.tolist()):
        into[target].append(edge)
    for members in groups:
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


def collectives(graph: DependencyGraph) -> tuple[list[list[int]], int]:
    """Match the tasks of different ranks that belong to the same collective (such as one all-reduce).

    Group, operation and sequence number (if recorded) identify a collective; without a group, the kernel name does. All
    members begin before any member ends. Sends and receives are excluded, since their partner is unknown.

    Returns:
        The members of each collective, one per rank, sorted by their last start; and the number of unmatched tasks.
    """
    starts, ends = graph.attributes["measured_start_ns"], graph.attributes["measured_end_ns"]
    rows = np.flatnonzero((graph.kind == TaskKind.COLLECTIVE) & ~np.isnan(starts))
    sent = of_operator(graph, _ONE_TO_ONE.fullmatch)
    columns = (np.nan_to_num(graph.figures(key), nan=NONE).astype(np.int64) for key in ("group", "collective_sequence"))
    group, sequence = (column.tolist() for column in columns)
    alike: dict[tuple[int, ...], dict[str, deque[int]]] = defaultdict(lambda: defaultdict(deque))
    for row in sorted(rows[~sent[rows]].tolist(), key=starts.__getitem__):
        name = int((graph.operator if group[row] != NONE else graph.task_name)[row])
        alike[group[row], name, sequence[row]][graph.lanes[graph.lane[row]].process].append(row)
    shared = []
    for queues in alike.values():
        while any(queues.values()):
            # a rank may have recorded collectives that ended before those of another rank began
            first_end = min(ends[queue[0]] for queue in queues.values() if queue)
            members = [queue.popleft() for queue in queues.values() if queue and starts[queue[0]] <= first_end]
            shared += [members] if len(members) > 1 else []
    shared.sort(key=lambda members: starts[members].max())
    return shared, len(rows) - sum(len(members) for members in shared)
