"""Ancestors of spans: lines of parents are followed by doubling, for all spans at once."""

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
