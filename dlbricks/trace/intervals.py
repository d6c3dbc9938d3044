"""Computes unions of time intervals, and ancestors of spans.

An interval includes its start and excludes its end, both in ns. It is empty if it ends at or before its start. A union
counts time in which intervals overlap once; a sum, as in XSP (IPDPS 2020, section III-D3), counts it several times.
"""

from typing import Any, TypeAlias

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Level, Longs, Trace


def merged_intervals(starts: Longs, ends: Longs) -> tuple[Longs, Longs]:
    """Return starts and ends of the union of intervals: disjoint, ascending, ns."""
    _, merged_starts, merged_ends = _merged(np.zeros(len(starts), np.int64), starts, ends)
    return merged_starts, merged_ends


def union_ns(starts: Longs, ends: Longs) -> int:
    """Return the length of the union of intervals, ns."""
    merged_starts, merged_ends = merged_intervals(starts, ends)
    return int((merged_ends - merged_starts).sum())


def union_by(groups: Longs, starts: Longs, ends: Longs, count: int) -> Longs:
    """Return the length of the union of each group's intervals, ns.

    Groups have the numbers 0 to ``count`` - 1; intervals of negative groups are ignored.
    """
    grouped = groups >= 0
    owners, merged_starts, merged_ends = _merged(groups[grouped], starts[grouped], ends[grouped])
    lengths = np.zeros(count, np.int64)
    np.add.at(lengths, owners, merged_ends - merged_starts)
    return lengths


def uncovered(start_ns: int, end_ns: int, starts: Longs, ends: Longs) -> tuple[Longs, Longs]:
    """Return starts and ends of the parts from ``start_ns`` to ``end_ns`` that no interval covers, ascending, ns."""
    merged_starts, merged_ends = merged_intervals(np.clip(starts, start_ns, end_ns), np.clip(ends, start_ns, end_ns))
    gap_starts = np.concatenate(([start_ns], merged_ends)).astype(np.int64)
    gap_ends = np.concatenate((merged_starts, [end_ns])).astype(np.int64)
    is_open = gap_ends > gap_starts
    return gap_starts[is_open], gap_ends[is_open]


def covered_ns(window_starts: Longs, window_ends: Longs, starts: Longs, ends: Longs) -> Longs:
    """Return the time of each window that the union of all intervals covers, ns; windows may overlap."""
    merged_starts, merged_ends = merged_intervals(starts, ends)
    before = np.concatenate(([0], np.cumsum(merged_ends - merged_starts))).astype(np.int64)
    if not len(merged_starts):
        return np.zeros(len(window_starts), np.int64)

    def until(times: Longs) -> Longs:
        place = np.searchsorted(merged_starts, times, side="right") - 1
        inside = np.clip(times - merged_starts[place], 0, (merged_ends - merged_starts)[place])
        return np.where(place < 0, 0, before[np.maximum(place, 0)] + inside)

    return np.maximum(until(window_ends) - until(window_starts), 0)


def split_by(keys: np.ndarray[Any, Any], rows: Longs) -> tuple[Longs, ...]:
    """Split rows into one group per key, sorted by key; rows of equal keys keep their order."""
    order = np.argsort(keys, kind="stable")
    return tuple(np.split(rows[order], np.flatnonzero(np.diff(keys[order])) + 1)) if len(rows) else ()


def _merged(groups: Longs, starts: Longs, ends: Longs) -> tuple[Longs, Longs, Longs]:
    # Merge the intervals of each group. The running maximum is taken over ranks of ends: sums of times could overflow.
    filled = np.flatnonzero(ends > starts)
    order = filled[np.lexsort((starts[filled], groups[filled]))]
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

# Pointer doubling follows 2**64 parents, more than a trace can have spans; only a cycle is longer.
_MOST_DOUBLINGS = 64
_CYCLE = "the parents of this trace's spans form a cycle: the file is damaged or was edited, so record the trace again"


def ancestors(trace: Trace, level: Level, *, outermost: bool = False) -> Longs:
    """Return the row of each span's nearest ancestor at a level, or ``NONE``; a span at this level is its own ancestor.

    With ``outermost``, return the outermost ancestor instead. Raises ``InputError`` if the parents form a cycle.
    """
    here = trace.level == level
    near = nearest(trace.parent, here)
    if not outermost:
        return near
    above = np.where(here & (trace.parent != NONE), near[trace.parent], NONE)
    top = _fixed_points(np.where(here & (above != NONE), above, np.where(here, np.arange(len(trace)), NONE)))
    return np.where(near == NONE, NONE, top[near])


def nearest(parent: Longs, here: Flags) -> Longs:
    """Return the nearest ancestor of each row among the rows in ``here``, or ``NONE``; a row is its own ancestor.

    Raises ``InputError`` if the parents form a cycle.
    """
    rows = np.arange(len(parent))
    if (parent == rows).any():
        raise InputError(_CYCLE)
    return _fixed_points(np.where(here, rows, parent))


def cyclic_rows(parent: Longs) -> Longs:
    """Return the rows whose chain of parents ends in a cycle."""
    step = np.append(parent, NONE)
    for _ in range(_MOST_DOUBLINGS):
        going = np.flatnonzero(step != NONE)
        if not len(going):
            break
        step[going] = step[step[going]]
    return np.flatnonzero(step != NONE)


def descends(parent: Longs, rows: Longs, owners: Longs) -> Flags:
    """Return for each row whether its owner is the row itself or one of its ancestors.

    Raises ``InputError`` if the parents form a cycle.
    """
    if len(cyclic_rows(parent)):
        raise InputError(_CYCLE)
    step, depth = np.append(parent, NONE), np.append(np.ones(len(parent), np.int64), 0)
    while (step != NONE).any():
        depth += depth[step]
        step = step[step]
    further, at, step = depth[rows] - depth[owners], rows, np.append(parent, NONE)
    for bit in range(int(further.max(initial=0)).bit_length()):
        at = np.where((further > 0) & (further >> bit & 1 == 1), step[at], at)
        step = step[step]
    return (at == owners) & (rows != NONE)


def _fixed_points(steps: Longs) -> Longs:
    # Follow steps to their fixed points (a row that steps to itself, or ``NONE``) by pointer doubling.
    step = np.append(steps, NONE)
    for _ in range(_MOST_DOUBLINGS):
        further = step[step]
        if np.array_equal(further, step):
            break
        step = further
    ends: Longs = step[:-1]
    if (np.append(steps, NONE)[ends] != ends).any():
        raise InputError(_CYCLE)
    return ends
