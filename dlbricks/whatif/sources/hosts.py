"""The host side of a measured graph: which calls are tasks, what passes between them, and who hands over to whom.

A task is an outermost call of runtime or driver, the loading of data, or, where a trace has none of them, an outermost
layer. What lies between two tasks of a thread is the gap of the first. Where two threads never work at once, one waits
for the other: then the gap is no time of its own, and an edge with the measured lag takes its place. That is stricter
than a threshold on gaps (Lumos, MLSys 2025, section 3.2), which breaks where threads only happen to be idle.
"""

import re
from dataclasses import dataclass

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.intervals import covered_ns, merged_intervals
from dlbricks.trace.types import Level, Longs, Role, Trace
from dlbricks.whatif.graph import Mask

_LOADING = re.compile(r"dataloader.*(__next__|iter)|## load_batch|## wait_for_batch", re.IGNORECASE)
_OVERLAP = 0.02
"""Threads of which no more than this share of the lesser one's work lies beside the other's take turns."""
_TURNS = 3
"""So many hand-overs at least, to tell taking turns from chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTasks:
    """Host tasks, sorted by start."""

    span: Longs
    """Row of the trace."""
    lane: Longs
    """Of the trace."""
    start_ns: Longs
    end_ns: Longs
    loads: Mask
    """Whether a task is the loading of data."""

    def __len__(self) -> int:
        """Give their number."""
        return len(self.span)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOvers:
    """Where a thread waits for another."""

    first: Longs
    """Index of a host task."""
    second: Longs
    """Index of the task, on another lane, that begins after it."""


def host_tasks(trace: Trace) -> HostTasks:
    """Find the tasks of all host lanes.

    Calls inside calls belong to the outer one; calls inside the loading of data belong to that, unless they launch.
    """
    on_host = np.array([not lane.device for lane in trace.lanes], bool)[trace.lane]
    python = np.array([kind == kinds.PYTHON for kind in trace.kinds] or [False], bool)[trace.kind]
    rows = np.flatnonzero(on_host & (trace.level == Level.LIBRARY) & ~python)
    loading = np.array([bool(_LOADING.search(name)) for name in trace.names] or [False], bool)[trace.name]
    loads = np.flatnonzero(on_host & loading & (trace.level <= Level.LAYER))
    if not len(rows):
        rows = np.flatnonzero(on_host & (trace.level == Level.LAYER))
        loads = loads[:0]
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


def _outermost(trace: Trace, rows: Longs) -> Longs:
    """Leave out what lies inside another of the rows on the same lane."""
    kept = []
    for lane in np.unique(trace.lane[rows]):
        same = rows[trace.lane[rows] == lane]
        same = same[np.lexsort((-trace.end_ns[same], trace.start_ns[same]))]
        before = np.concatenate([[np.iinfo(np.int64).min], np.maximum.accumulate(trace.end_ns[same])[:-1]])
        inside = (trace.end_ns[same] <= before) & (trace.start_ns[same] < before)
        kept.append(same[~inside])
    return np.sort(np.concatenate(kept)) if kept else rows


def _around_launches(trace: Trace, rows: Longs) -> Mask:
    """Tell which spans have launches inside: these cannot be one task."""
    launches = np.flatnonzero(trace.role == Role.LAUNCH)
    found = np.zeros(len(rows), bool)
    for lane in np.unique(trace.lane[rows]):
        starts = np.sort(trace.start_ns[launches[trace.lane[launches] == lane]])
        here = np.flatnonzero(trace.lane[rows] == lane)
        first, last = (np.searchsorted(starts, times[rows[here]]) for times in (trace.start_ns, trace.end_ns))
        found[here] = last > first
    return found


def hand_overs(trace: Trace, tasks: HostTasks) -> HandOvers:
    """Find the threads that take turns, and where they do."""
    work = _work(trace)
    lanes = [lane for lane in np.unique(tasks.lane).tolist() if lane in work]
    groups: list[list[int]] = []
    for lane in sorted(lanes, key=lambda lane: -_total(work[lane])):
        group = next((group for group in groups if all(_take_turns(work[lane], work[other]) for other in group)), None)
        if group is None:
            groups.append([lane])
        else:
            group.append(lane)
    first, second = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for group in groups:
        mine = np.flatnonzero(np.isin(tasks.lane, group))
        changes = np.flatnonzero(np.diff(tasks.lane[mine]))
        before, after = mine[changes], mine[changes + 1]
        apart = tasks.start_ns[after] >= tasks.end_ns[before]
        first.append(before[apart])
        second.append(after[apart])
    return HandOvers(first=np.concatenate(first), second=np.concatenate(second))


def _work(trace: Trace) -> dict[int, tuple[Longs, Longs]]:
    """Give the time in which each host lane does something: all its layers and calls, merged."""
    busy = (trace.level == Level.LAYER) | (trace.level == Level.LIBRARY)
    found = {}
    for number, lane in enumerate(trace.lanes):
        rows = np.flatnonzero(busy & (trace.lane == number))
        if len(rows) and not lane.device:
            found[number] = merged_intervals(trace.start_ns[rows], trace.end_ns[rows])
    return found


def _total(intervals: tuple[Longs, Longs]) -> int:
    return int((intervals[1] - intervals[0]).sum())


def _take_turns(one: tuple[Longs, Longs], other: tuple[Longs, Longs]) -> bool:
    """Tell whether two threads alternate: hardly ever busy at the same time, with more changes than chance."""
    less, more = sorted((one, other), key=_total)
    marks = np.concatenate([less[0], more[0]])
    whose = np.repeat([0, 1], [len(less[0]), len(more[0])])[np.argsort(marks)]
    rare = int(covered_ns(*less, *more).sum()) <= _OVERLAP * _total(less)
    return rare and int(np.count_nonzero(np.diff(whose))) >= _TURNS


def gaps(tasks: HostTasks, turns: HandOvers) -> Longs:
    """Give what passes after each task before the next of its lane, ns; 0 where the next one waits for another lane."""
    made = np.zeros(len(tasks), np.int64)
    waits = np.zeros(len(tasks), bool)
    waits[turns.second] = True
    for lane in np.unique(tasks.lane):
        rows = np.flatnonzero(tasks.lane == lane)
        between = np.maximum(0, tasks.start_ns[rows][1:] - tasks.end_ns[rows][:-1])
        made[rows[:-1]] = np.where(waits[rows[1:]], 0, between)
    return made
