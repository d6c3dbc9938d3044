"""Ancestors of spans, and which span of one run is which of another."""

from typing import Any, TypeAlias

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Level, Longs, Trace

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
    at = rows.copy()
    found: Flags = (rows == owners) & (rows != NONE)
    going = np.flatnonzero((at != NONE) & ~found)
    while len(going):
        at[going] = parent[at[going]]
        found[going] = at[going] == owners[going]
        going = going[(at[going] != NONE) & ~found[going]]
    return found


def matched(a: Trace, b: Trace) -> tuple[Longs, Longs]:
    """Match spans of two runs: same level and name, n-th such occurrence under parents that match.

    Calls of libraries and executions are counted within their layer, so that a kernel is the n-th of its name in its
    layer whatever launched it. XSP pools launches of one name and loses those that the first run lacks (seen in its
    code); here they stay apart, and what has no partner is left out of the answer.

    Args:
        a: with parents.
        b: with parents.

    Returns:
        Rows of ``a``, ascending, and the row of ``b`` that each matches.

    Raises:
        InputError: parents go round in a circle.
    """
    names = {name: number for number, name in enumerate(dict.fromkeys((*a.names, *b.names)))}
    owners, labels, starts = [], [], []
    for trace, shift in ((a, 0), (b, len(a))):
        owner = _owner(trace)
        owners.append(np.where(owner == NONE, NONE, owner + shift))
        known = np.array([names[name] for name in trace.names], np.int64)
        labels.append((known[trace.name] if len(trace) else trace.start_ns) * len(Level) + trace.level)
        starts.append(trace.start_ns)
    owner, label, start = (np.concatenate(parts) for parts in (owners, labels, starts))
    side = np.repeat(np.array([0, 1]), (len(a), len(b)))
    depth = _depths(owner)
    path = np.full(len(owner), NONE, np.int64)
    taken = 0
    by_depth = np.argsort(depth, kind="stable")
    for rows in np.split(by_depth, np.cumsum(np.bincount(depth))[:-1]) if len(depth) else ():
        above = np.where(owner[rows] == NONE, NONE, path[owner[rows]])
        taken = _name_paths(rows, (above, label[rows]), side[rows], start[rows], path, taken)
    _, first, second = np.intersect1d(path[: len(a)], path[len(a) :], assume_unique=True, return_indices=True)
    order = np.argsort(first)
    return first[order], second[order]


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


def _owner(trace: Trace) -> Longs:
    """Give under which span each is counted: its nearest ancestor that is a layer, a call or above."""
    near = nearest(trace.parent, trace.level <= Level.LAYER)
    owner: Longs = np.where(trace.parent == NONE, NONE, near[trace.parent])
    return owner


def _depths(owner: Longs) -> Longs:
    """Give the number of owners above each span."""
    depth: Longs = (owner != NONE).astype(np.int64)
    step = np.append(owner, NONE)
    for _ in range(_MOST_DOUBLINGS):
        going = np.flatnonzero(step[:-1] != NONE)
        if not len(going):
            return depth
        depth[going] += depth[step[going]]
        step[going] = step[step[going]]
    raise InputError(_CIRCLE)


def _name_paths(rows: Longs, keys: tuple[Longs, Longs], side: Longs, start: Longs, path: Longs, taken: int) -> int:
    """Number the paths of one depth from ``taken`` up; equal paths of both sides get one number."""
    order = np.lexsort((rows, start, side, keys[1], keys[0]))
    begins = _changes(keys[0][order], keys[1][order], side[order])
    occurrence = np.arange(len(rows)) - np.repeat(begins, np.diff(np.append(begins, len(rows))))
    again = np.lexsort((occurrence, keys[1][order], keys[0][order]))
    begins = _changes(keys[0][order][again], keys[1][order][again], occurrence[again])
    path[rows[order][again]] = taken + np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(rows))))
    return taken + len(begins)


def _changes(*columns: Longs) -> Longs:
    """Give where sorted rows differ from the one before."""
    new = np.ones(len(columns[0]), bool)
    new[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return np.flatnonzero(new)
