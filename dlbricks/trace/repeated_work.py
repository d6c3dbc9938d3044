"""Work of kernels that repeat others: of what was launched before the trace began, or below operators without shapes.

What was launched before the trace is the end of a step. Where its kernels follow each other as others do later, name by
name, and take as long in all, each does the work of its counterpart.

Any other kernel of the same name, grid and block that takes as long does the same work, if all such kernels agree. With
a kernel of known work left out, this is wrong for 0 to 3 % of kernel time on public traces of long kernels, but for up
to half of that of kernels of some microseconds, whose times do not tell their sizes; these are left alone.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from dlbricks.trace.intervals import split_by
from dlbricks.trace.types import NONE, Longs, Trace

_LEAST_NS = 10_000
"""Shorter kernels are left alone."""
_AS_LONG = 0.1
"""Largest difference of the durations, relative to the kernel's."""
_ALIKE = 0.1
"""Largest difference of the work of all candidates, relative to the most."""
_IN_A_ROW = 20
"""Shorter sequences of kernels may be the same by chance."""
_COMPARED = 100_000_000
"""Most names compared on a lane, which bounds the time for traces whose kernels are all alike."""
_Key: TypeAlias = tuple[int, str]


def repeated_kernels(trace: Trace, kernels: Longs, known: Mapping[int, tuple[float, float, float]]) -> dict[int, int]:
    """Return, for each kernel without work that repeats others, one of these.

    Args:
        trace: with the kernels.
        kernels: their rows.
        known: operations, bytes read and written by row.
    """
    if not known or len(known) == len(kernels):
        return {}
    counterparts = _counterparts(trace, kernels, known)
    durations = (trace.end_ns[kernels] - trace.start_ns[kernels]).tolist()
    names = trace.name[kernels].tolist()
    launches = ["x".join(pair) for pair in zip(*(trace.texts(key, kernels) for key in ("grid", "block")), strict=True)]
    groups: dict[_Key, list[tuple[int, int]]] = defaultdict(list)
    wanted: list[tuple[int, int, _Key]] = []
    for row, duration, name, launch in zip(kernels.tolist(), durations, names, launches, strict=True):
        if row in known:
            groups[name, launch].append((duration, row))
            groups[name, ""].append((duration, row))
        elif duration >= _LEAST_NS and row not in counterparts:
            wanted.append((row, duration, (name, "" if launch == "x" else launch)))
    sorted_groups = {key: _Group(groups[key], known) for key in {key for _, _, key in wanted} if key in groups}
    found = {row: sorted_groups[key].alike(duration) for row, duration, key in wanted if key in sorted_groups}
    return counterparts | {row: other for row, other in found.items() if other is not None}


def _counterparts(trace: Trace, kernels: Longs, known: Mapping[int, tuple[float, float, float]]) -> dict[int, int]:
    """Return the counterparts of the kernels at the beginning of each lane that no call of the trace launched."""
    made: dict[int, int] = {}
    kernels = kernels[np.argsort(trace.start_ns[kernels], kind="stable")]
    for rows in split_by(trace.lane[kernels], kernels):
        launched = trace.parent[rows] != NONE
        count = int(launched.argmax()) if launched.any() else 0
        if count < _IN_A_ROW:
            continue
        names, first = trace.name[rows], rows[:count]
        begins = np.arange(count, len(rows) - count + 1)
        begins = begins[(names[begins] == names[0]) & (names[begins + count - 1] == names[count - 1])]
        for begin in begins[: _COMPARED // count].tolist():
            other = rows[begin : begin + count]
            if (names[begin : begin + count] == names[:count]).all() and _as_long(trace, first, other):
                pairs = zip(first.tolist(), other.tolist(), strict=True)
                made |= {row: same for row, same in pairs if row not in known and same in known}
                break
    return made


def _as_long(trace: Trace, rows: Longs, others: Longs) -> bool:
    one, other = (int((trace.end_ns[some] - trace.start_ns[some]).sum()) for some in (rows, others))
    return abs(one - other) <= _AS_LONG * max(one, other)


class _Group:
    """Kernels of one name and launch with known work, by duration."""

    def __init__(self, members: list[tuple[int, int]], known: Mapping[int, tuple[float, float, float]]) -> None:
        members = sorted(members)
        self._rows = [row for _, row in members]
        self._durations = np.array([duration for duration, _ in members], np.int64)
        self._work = np.array([max(known[row][0], known[row][1] + known[row][2]) for row in self._rows])

    def alike(self, duration: int) -> int | None:
        """Return the kernel in the middle of those that take as long; None without any, or if their work differs."""
        low = int(np.searchsorted(self._durations, duration * (1 - _AS_LONG), side="left"))
        high = int(np.searchsorted(self._durations, duration * (1 + _AS_LONG), side="right"))
        work = self._work[low:high]
        if low == high or np.ptp(work) > _ALIKE * work.max():
            return None
        return self._rows[(low + high) // 2]
