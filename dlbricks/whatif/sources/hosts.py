"""Host side of a graph from a trace: tasks, gaps between them, hand-overs between threads, and unrecorded waits."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.intervals import covered_ns, merged_intervals, split_by
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace
from dlbricks.whatif.explain import recorded_step_times, step_anchors, step_spans
from dlbricks.whatif.graph import ON_HOST, DependencyGraph, EdgeKind, Mask, with_attributes, with_columns
from dlbricks.whatif.select import by_lane
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.devices import DeviceTasks, on_host, spans_named, spans_of_kind

# A task is an outermost runtime or driver call, data loading, or, in traces without launches, an outermost layer. The
# time between two tasks of a thread is the gap of the first task. If two threads are never busy at once, one waits for
# the other, and an edge with the measured lag replaces the gap. This is stricter than a threshold on gaps (Lumos, MLSys
# 2025, section 3.2), which fails for threads that are idle by chance.

_LOADER, _LOADING = "dataloader", ("## load_batch", "## wait_for_batch")
# What follows ``_LOADER`` in names of data loading.
_NEXT_BATCH = ("__next__", "iter")
# Two threads alternate if at most this share of the work of the less busy one overlaps that of the other.
_OVERLAP = 0.02
# Least number of hand-overs between two threads, to exclude chance.
_TURNS = 3
# A call that launches later than this after its start did something else before.
_SLOW_NS = 100_000
# Number of the busiest threads that are compared in pairs, which bounds the time.
_THREADS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTasks:
    """The host tasks of a trace, sorted by start."""

    span: Longs
    """Row of each task in the trace."""
    lane: Longs
    """Number of each task's thread (lane) in the trace."""
    start_ns: Longs
    end_ns: Longs
    loads: Mask
    """True for tasks that load data."""

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.span)


def host_tasks(trace: Trace) -> HostTasks:
    """Return the tasks of all host threads in a trace: outermost calls and layers, and data loading.

    Nested calls are part of the outer call. Calls and layers inside data loading are part of the loading task, unless
    they launch work on a device.
    """
    here = on_host(trace)
    rows = np.flatnonzero(here & (trace.level == Level.LIBRARY) & ~spans_of_kind(trace, kinds.PYTHON))
    layers = np.flatnonzero(here & (trace.level == Level.LAYER))
    loads = np.flatnonzero(here & spans_named(trace, _loads) & (trace.level <= Level.LAYER))
    if not (trace.role[rows] == Role.LAUNCH).any():
        rows = np.union1d(layers, rows)
    loads = _outermost(trace, loads)
    loads = loads[~_around_launches(trace, loads)]
    rows = _outermost(trace, np.union1d(rows, loads))
    rows = rows[np.lexsort((trace.end_ns[rows], trace.start_ns[rows]))]
    return HostTasks(
        span=rows,
        lane=trace.lane[rows].astype(np.int64),
        start_ns=trace.start_ns[rows],
        end_ns=trace.end_ns[rows],
        loads=np.isin(rows, loads),
    )


def with_slow_launches(tasks: HostTasks, launch: Longs, ready_ns: Longs) -> HostTasks:
    """Split host calls that did other work for a long time before they launched, for example loaded a module.

    Args:
        launch: number of the host task that launches each device task, or ``NONE``.
        ready_ns: earliest time at which each device task can have been launched.

    Returns:
        The host tasks, in which the part of a split call before its launch is a task of its own.
    """
    launched = launch != NONE
    issued = np.array(tasks.end_ns)
    np.minimum.at(issued, launch[launched], ready_ns[launched])
    slow = np.unique(launch[launched])
    slow = slow[issued[slow] - tasks.start_ns[slow] > _SLOW_NS]
    starts = tasks.start_ns.copy()
    starts[slow] = issued[slow]
    starts = np.concatenate([starts, tasks.start_ns[slow]])
    ends = np.concatenate([tasks.end_ns, issued[slow]])
    order = np.lexsort((ends, starts))
    of = np.concatenate([np.arange(len(tasks)), slow])[order]
    return HostTasks(
        span=tasks.span[of], lane=tasks.lane[of], start_ns=starts[order], end_ns=ends[order], loads=tasks.loads[of]
    )


def _loads(name: str) -> bool:
    # Return whether a span of this name loads data, in time proportional to the length of the name.
    lower = name.lower()
    behind = lower.partition(_LOADER)[2]
    return any(part in behind for part in _NEXT_BATCH) or any(part in lower for part in _LOADING)


def _outermost(trace: Trace, rows: Longs) -> Longs:
    # Return the rows without spans that lie inside another of the rows on their lane.
    outermost = []
    for on_lane in split_by(trace.lane[rows], rows):
        same = on_lane[np.lexsort((-trace.end_ns[on_lane], trace.start_ns[on_lane]))]
        before = np.concatenate([[np.iinfo(np.int64).min], np.maximum.accumulate(trace.end_ns[same])[:-1]])
        inside = (trace.end_ns[same] <= before) & (trace.start_ns[same] < before)
        outermost.append(same[~inside])
    return np.sort(np.concatenate(outermost)) if outermost else rows


def _around_launches(trace: Trace, rows: Longs) -> Mask:
    # Return a mask of the spans that contain launches; such a span cannot be a single task.
    launches = np.flatnonzero(trace.role == Role.LAUNCH)
    begun = {
        int(trace.lane[on_lane[0]]): np.sort(trace.start_ns[on_lane])
        for on_lane in split_by(trace.lane[launches], launches)
    }
    around_launches = np.zeros(len(rows), bool)
    for here in split_by(trace.lane[rows], np.arange(len(rows))):
        starts = begun.get(int(trace.lane[rows[here[0]]]), launches[:0])
        first, last = (np.searchsorted(starts, times[rows[here]]) for times in (trace.start_ns, trace.end_ns))
        around_launches[here] = last > first
    return around_launches


def hand_overs(trace: Trace, tasks: HostTasks) -> Longs:
    """Return pairs of tasks by which two alternating threads wait for each other, shape (n, 2); the second waits."""
    work = {lane: when for lane, when in _work(trace, tasks).items() if 2 * len(when[0]) >= _TURNS}
    groups: list[list[int]] = []
    lanes = set(tasks.lane.tolist()) & work.keys()
    for lane in sorted(lanes, key=lambda lane: (-_total(work[lane]), lane))[:_THREADS]:
        group = next((group for group in groups if all(_alternate(work[lane], work[other]) for other in group)), None)
        if group is None:
            groups.append([lane])
        else:
            group.append(lane)
    pairs = [np.empty((0, 2), np.int64)]
    for group in (group for group in groups if len(group) > 1):
        mine = np.flatnonzero(np.isin(tasks.lane, group))
        changes = np.flatnonzero(np.diff(tasks.lane[mine]))
        before, after = mine[changes], mine[changes + 1]
        apart = tasks.start_ns[after] >= tasks.end_ns[before]
        pairs.append(np.stack([before, after], axis=1)[apart])
    return np.concatenate(pairs)


def starts_of_threads(trace: Trace, tasks: HostTasks, firsts: Longs) -> Longs:
    """Return pairs of a task that started a thread and the started thread's first task, shape (n, 2).

    A thread is started by the last task of its process that ended before the thread's first task began.

    Args:
        firsts: first tasks of threads; the result omits a task before which no task of its process ended.
    """
    process = np.unique([lane.process for lane in trace.lanes], return_inverse=True)[1][tasks.lane]
    by_end = np.argsort(tasks.end_ns, kind="stable")
    pairs = []
    for first in firsts.tolist():
        ended = by_end[: np.searchsorted(tasks.end_ns[by_end], tasks.start_ns[first], side="right")]
        ended = ended[(process[ended] == process[first]) & (tasks.lane[ended] != tasks.lane[first])]
        pairs += [(int(ended[-1]), first)] if len(ended) else []
    return np.array(pairs, np.int64).reshape(-1, 2)


def _work(trace: Trace, tasks: HostTasks) -> dict[int, tuple[Longs, Longs]]:
    # Return the busy intervals of each host lane: its layers, calls and loads of data, merged.
    rows = np.flatnonzero(on_host(trace) & np.isin(trace.level, (Level.LAYER, Level.LIBRARY)))
    rows = np.union1d(rows, tasks.span[tasks.loads])
    return {
        int(trace.lane[on_lane[0]]): merged_intervals(trace.start_ns[on_lane], trace.end_ns[on_lane])
        for on_lane in split_by(trace.lane[rows], rows)
    }


def _total(intervals: tuple[Longs, Longs]) -> int:
    return int((intervals[1] - intervals[0]).sum())


def _alternate(first: tuple[Longs, Longs], second: tuple[Longs, Longs]) -> bool:
    # Return whether two threads alternate: they hardly overlap, and change more often than by chance.
    less, more = sorted((first, second), key=_total)
    marks = np.concatenate([less[0], more[0]])
    whose = np.repeat([0, 1], [len(less[0]), len(more[0])])[np.argsort(marks)]
    often = int(np.count_nonzero(np.diff(whose))) >= _TURNS
    return often and int(covered_ns(*less, *more).sum()) <= _OVERLAP * _total(less)


def gaps(tasks: HostTasks, waiting: Longs) -> Longs:
    """Return the gap after each host task on its thread, ns; 0 before tasks ``waiting`` for another lane."""
    gaps_ns = np.zeros(len(tasks), np.int64)
    for rows in split_by(tasks.lane, np.arange(len(tasks))):
        between = np.maximum(0, tasks.start_ns[rows][1:] - tasks.end_ns[rows][:-1])
        gaps_ns[rows[:-1]] = np.where(np.isin(rows[1:], waiting), 0, between)
    return gaps_ns


# A gap counts as a hidden wait if it ends at most this long after a kernel. A host may wait by polling memory that a
# kernel writes, as expert parallelism does to learn token counts (DeepEP's ``notify_dispatch``); no call shows this.
_SOON_NS = 60_000
# Tolerance for gaps that end before the kernel: it writes what the host reads before it ends (22 to 64 us before, in
# DeepSeek's public trace of training), and host and device clocks differ.
_EARLY_NS = 100_000
# Shorter gaps end after a kernel by chance too often.
_LONG_NS = 200_000
# Largest probability of the observed coincidences under independence.
_CHANCE = 1e-3
# Of the gaps in which a kernel of some name ends last, at least this share must end soon after it.
_MOST = 0.8


def hidden_waits(
    trace: Trace,
    host: HostTasks,
    device: DeviceTasks,
    gaps_ns: Longs,
    last_launched: Callable[[str, int], Mapping[int, int]],
) -> Longs:
    """Return gaps between host calls that are unrecorded waits for a kernel, as (call before, call after, kernel).

    The kernel is the task that ended last in the gap, among the last tasks launched onto each stream. Gaps count as
    waits for kernels of one name if nearly all of them end soon after such a kernel, more than by chance. (By chance, 1
    of 166 kernels ends in the last 60 us of a gap of 10 ms.) ``last_launched`` takes a process and a time. It returns
    for each device lane the last task that the process launched onto the lane before that time.
    """
    by_name: dict[int, list[tuple[int, int, int, bool, float]]] = defaultdict(list)
    for rows in split_by(host.lane, np.arange(len(host))):
        process = trace.lanes[int(host.lane[rows[0]])].process
        long = np.flatnonzero(gaps_ns[rows[:-1]] > _LONG_NS)
        for before, after in zip(rows[long].tolist(), rows[long + 1].tolist(), strict=True):
            since, until = int(host.end_ns[before]), int(host.start_ns[after])
            ended = [
                (int(device.end_ns[task]), task)
                for task in last_launched(process, since + 1).values()
                if since < device.end_ns[task] <= until + _EARLY_NS and device.start_ns[task] < until
            ]
            if ended:
                end, task = max(ended, key=lambda pair: pair[0])
                chance = min(1.0, (_SOON_NS + _EARLY_NS) / (until - since))
                name = int(trace.name[device.span[task]])
                by_name[name].append((before, after, task, end >= until - _SOON_NS, chance))
    waits = []
    for candidates in by_name.values():
        hits = [gap for gap in candidates if gap[3]]
        if len(hits) >= _MOST * len(candidates) and np.prod([gap[4] for gap in hits]) <= _CHANCE:
            waits += [gap[:3] for gap in hits]
    return np.array(sorted(waits), np.int64).reshape(-1, 3)


# Largest relative difference between the time of a call and that to which times of the host are scaled, and the most
# factors that are tried: times are nearly linear in the factor.
_SCALED_WITHIN, _TRIES = 0.001, 8


def scaled_to(graph: DependencyGraph, time_ns: float) -> tuple[DependencyGraph, float]:
    """Scale times of the host until the median step takes ``time_ns``; return the graph and the factor."""
    low, high = 0.0, 1.0
    shortest, longest = (_median_step(scaled_host(graph, factor)) for factor in (low, high))
    if not shortest < time_ns < longest:  # the device is the limit: what recording costs the host cannot be told
        factor = min(1.0, time_ns / longest)
        return scaled_host(graph, factor), factor
    for _ in range(_TRIES):
        factor = low + (high - low) * (time_ns - shortest) / (longest - shortest)
        now = _median_step(scaled := scaled_host(graph, factor))
        if abs(now - time_ns) <= _SCALED_WITHIN * time_ns:
            break
        if now < time_ns:
            low, shortest = factor, now
        else:
            high, longest = factor, now
    return scaled, factor


def _median_step(graph: DependencyGraph) -> float:
    return float(np.median(recorded_step_times(graph)))


def scaled_host(graph: DependencyGraph, factor: float) -> DependencyGraph:
    """Return a recorded graph whose host takes ``factor`` times as long within steps, which follow each other.

    The recorded times of the new graph are those of its replay.
    """
    starts, ends = (graph.attributes[f"measured_{of}_ns"].astype(np.int64) for of in ("start", "end"))
    steps, rows = np.array(graph.steps, np.int64), np.flatnonzero(np.isin(graph.kind, ON_HOST))
    durations, gaps, lags = (np.array(column) for column in (graph.duration_ns, graph.gap_ns, graph.edge_lag_ns))

    def within(since: Longs, until: Longs) -> Longs:
        return np.rint(factor * covered_ns(since, np.maximum(since, until), *steps.T)).astype(np.int64)

    durations[rows] = np.rint(factor * durations[rows])
    for lane in by_lane(graph, rows):
        gaps[lane[:-1]] = np.minimum(gaps[lane[:-1]], within(ends[lane[:-1]], starts[lane[1:]]))
    turns = np.flatnonzero(graph.edge_kind == EdgeKind.THREAD)
    lags[turns] = np.minimum(lags[turns], within(ends[graph.edge_from[turns]], starts[graph.edge_to[turns]]))
    first = np.full(len(graph), starts[rows].min())
    releases = np.minimum(graph.release_ns, first + within(first, graph.release_ns))
    shorter = with_columns(graph, duration_ns=durations, gap_ns=gaps, edge_lag_ns=lags, release_ns=releases)
    # a boundary keeps the scaled part of its distance to the task before it or, in front of all tasks, behind it
    schedule, anchors = replay(shorter), step_anchors(graph).ravel()
    bounds, since = steps.ravel(), np.where(anchors == NONE, first[0], ends[anchors])
    spans = step_spans(shorter, schedule).ravel() - np.maximum(0, bounds - since) + within(since, bounds)
    spans = np.where(anchors == NONE, since - within(bounds, since), spans)
    moved = with_attributes(shorter, measured_start_ns=schedule.start_ns, measured_end_ns=schedule.end_ns)
    return replace(moved, steps=tuple((start, end) for start, end in spans.reshape(-1, 2).tolist()))
