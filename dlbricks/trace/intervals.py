"""Unions of intervals: how long something was busy, however much of it ran at the same time.

Intervals are closed at their start and open at their end, in ns of one clock. An interval that ends before or when it
starts covers nothing. XSP adds up kernel times instead (IPDPS 2020, section III-D3), which counts overlap twice.

Ancestors of spans are found here, too: lines of parents are followed by doubling, for all spans at once.
"""

from typing import Any, TypeAlias

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Level, Longs, Trace


def merged_intervals(starts: Longs, ends: Longs) -> tuple[Longs, Longs]:
    """Give the union as intervals that neither overlap nor touch, ascending: their starts and their ends."""
    _, merged_starts, merged_ends = _merged(np.zeros(len(starts), np.int64), starts, ends)
    return merged_starts, merged_ends


def union_ns(starts: Longs, ends: Longs) -> int:
    """Give the time that the union covers."""
    merged_starts, merged_ends = merged_intervals(starts, ends)
    return int((merged_ends - merged_starts).sum())


def union_by(groups: Longs, starts: Longs, ends: Longs, count: int) -> Longs:
    """Give for each group the time that the union of its intervals covers.

    Args:
        groups: of each interval, from 0 up; intervals with a negative group are left out.
        starts: of each interval.
        ends: of each interval.
        count: of groups; the length of the answer.
    """
    kept = groups >= 0
    owners, merged_starts, merged_ends = _merged(groups[kept], starts[kept], ends[kept])
    made = np.zeros(count, np.int64)
    np.add.at(made, owners, merged_ends - merged_starts)
    return made


def uncovered(start_ns: int, end_ns: int, starts: Longs, ends: Longs) -> tuple[Longs, Longs]:
    """Give the parts of one stretch of time that no interval covers, ascending: their starts and their ends."""
    merged_starts, merged_ends = merged_intervals(np.clip(starts, start_ns, end_ns), np.clip(ends, start_ns, end_ns))
    gap_starts = np.concatenate(([start_ns], merged_ends)).astype(np.int64)
    gap_ends = np.concatenate((merged_starts, [end_ns])).astype(np.int64)
    open_ones = gap_ends > gap_starts
    return gap_starts[open_ones], gap_ends[open_ones]


def covered_ns(window_starts: Longs, window_ends: Longs, starts: Longs, ends: Longs) -> Longs:
    """Give for each window the time within it that the union of all intervals covers; windows may overlap."""
    merged_starts, merged_ends = merged_intervals(starts, ends)
    before = np.concatenate(([0], np.cumsum(merged_ends - merged_starts))).astype(np.int64)
    if not len(merged_starts):
        return np.zeros(len(window_starts), np.int64)

    def until(times: Longs) -> Longs:
        place = np.searchsorted(merged_starts, times, side="right") - 1
        inside = np.clip(times - merged_starts[place], 0, (merged_ends - merged_starts)[place])
        made: Longs = np.where(place < 0, 0, before[np.maximum(place, 0)] + inside)
        return made

    made: Longs = np.maximum(until(window_ends) - until(window_starts), 0)
    return made


def split_by(keys: np.ndarray[Any, Any], rows: Longs) -> tuple[Longs, ...]:
    """Split rows by a key of each, in the order of the keys; rows of one key keep their order."""
    order = np.argsort(keys, kind="stable")
    return tuple(np.split(rows[order], np.flatnonzero(np.diff(keys[order])) + 1)) if len(rows) else ()


def _merged(groups: Longs, starts: Longs, ends: Longs) -> tuple[Longs, Longs, Longs]:
    """Merge within each group; the running maximum goes over ranks of ends, so that no sum can overflow."""
    kept = np.flatnonzero(ends > starts)
    order = kept[np.lexsort((starts[kept], groups[kept]))]
    groups, starts, ends = groups[order], starts[order], ends[order]
    if not len(order):
        return groups, starts, ends
    values, ranks = np.unique(ends, return_inverse=True)
    number = np.concatenate(([0], np.cumsum(groups[1:] != groups[:-1])))
    latest = np.maximum.accumulate(number * len(values) + ranks)
    reached = values[latest % len(values)]
    first = np.ones(len(order), bool)
    first[1:] = (number[1:] != number[:-1]) | (starts[1:] > reached[:-1])
    begins = np.flatnonzero(first)
    finishes = np.concatenate((begins[1:], [len(order)])) - 1
    return groups[begins], starts[begins], reached[finishes]


Flags: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

_MOST_DOUBLINGS = 64
_CIRCLE = "the parents of this trace go round in a circle: it was not written by dlbricks, or was changed since"


def ancestors(trace: Trace, level: Level, *, outermost: bool = False) -> Longs:
    """Give for each span the row of its ancestor at a level, ``NONE`` where it has none; a span counts as its own.

    Args:
        trace: with parents.
        level: of the ancestors.
        outermost: the one furthest up instead of the nearest; operators may contain operators.

    Raises:
        InputError: parents go round in a circle.
    """
    here = trace.level == level
    near = nearest(trace.parent, here)
    if not outermost:
        return near
    above = np.where(here & (trace.parent != NONE), near[trace.parent], NONE)
    top = _resting(np.where(here & (above != NONE), above, np.where(here, np.arange(len(trace)), NONE)))
    return np.where(near == NONE, NONE, top[near])


def nearest(parent: Longs, here: Flags) -> Longs:
    """Give for each row the nearest row up its line of parents, itself included, that is flagged; ``NONE`` without one.

    Raises:
        InputError: parents go round in a circle.
    """
    rows = np.arange(len(parent))
    if (parent == rows).any():
        raise InputError(_CIRCLE)
    return _resting(np.where(here, rows, parent))


def circular(parent: Longs) -> Longs:
    """Give the rows from which parents lead round in a circle and to no root."""
    step = np.append(parent, NONE)
    for _ in range(_MOST_DOUBLINGS):
        going = np.flatnonzero(step != NONE)
        if not len(going):
            break
        step[going] = step[step[going]]
    return np.flatnonzero(step != NONE)


def descends(parent: Longs, rows: Longs, owners: Longs) -> Flags:
    """Tell for each row (``NONE`` allowed) whether its owner is the row itself or one of its ancestors.

    Raises:
        InputError: parents go round in a circle.
    """
    if len(circular(parent)):
        raise InputError(_CIRCLE)
    step, depth = np.append(parent, NONE), np.append(np.ones(len(parent), np.int64), 0)
    while (step != NONE).any():
        depth += depth[step]
        step = step[step]
    further, at, step = depth[rows] - depth[owners], rows, np.append(parent, NONE)
    for bit in range(int(further.max(initial=0)).bit_length()):
        at = np.where((further > 0) & (further >> bit & 1 == 1), step[at], at)
        step = step[step]
    found: Flags = (at == owners) & (rows != NONE)
    return found


def _resting(steps: Longs) -> Longs:
    """Follow steps to where they rest (a row that steps to itself, or ``NONE``), doubling them each time."""
    step = np.append(steps, NONE)
    for _ in range(_MOST_DOUBLINGS):
        further = step[step]
        if np.array_equal(further, step):
            break
        step = further
    found: Longs = step[:-1]
    if (np.append(steps, NONE)[found] != found).any():
        raise InputError(_CIRCLE)
    return found
