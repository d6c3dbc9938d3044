"""Which span lies inside which, from their intervals alone: one sorted sweep per lane, n log n.

XSP (IPDPS 2020, section III-A) asks for a parent exactly one level above that strictly contains its child, on any
thread. Here a lane is a call stack: a parent is the innermost span around its child, equal stamps count as inside, and
levels may be left out. No library was found that nests intervals (``ncls`` and ``intervaltree`` find all overlaps).
"""

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.kinds import PYTHON
from dlbricks.trace.nouns import NONE, Level, Longs, Role, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Nesting:
    """What the intervals of a trace say."""

    parent: Longs
    """Row of the innermost span around each row on its lane; ``NONE`` without one, and for executions."""
    overlapping: Longs
    """Rows that begin inside another span of their lane and end after it, by more than the clock's resolution."""


def nested(trace: Trace) -> Nesting:
    """Find the innermost span around each span of the host.

    * Operators, calls, steps, ranges and Python frames contain whatever lies within them; calls of libraries and
      counters contain only their own level and deeper ones. Executions take no part.
    * A span that ends after its parent by no more than the clock's resolution is inside: recorders cut off digits.
    * Of equal intervals the shallower level is the parent, within a level the earlier row.
    * A zero-length span contains nothing, and at the edge of a span of its own level or a deeper one it is a neighbour.
    * Where spans of a lane overlap without being inside, the one that began last is the parent.
    """
    ends = np.maximum(trace.end_ns, trace.start_ns)
    rows = np.flatnonzero(trace.role != Role.EXECUTION)
    rows = rows[np.lexsort((trace.level[rows], -ends[rows], trace.start_ns[rows], trace.lane[rows]))]
    level = trace.level[rows].astype(np.int64)
    python = [number for number, kind in enumerate(trace.kinds) if kind == PYTHON]
    frame = (level <= Level.LAYER) | np.isin(trace.kind[rows], python)
    sweep = _Sweep(
        lane=trace.lane[rows], start=trace.start_ns[rows], end=ends[rows], level=level,
        tolerance=trace.clock.resolution_ns,
    )  # fmt: skip
    place, overlapping = sweep.innermost(np.arange(len(rows)), frame)
    for deep in range(Level.LIBRARY, Level.HARDWARE + 1):
        kind_of = ~frame & (level == deep)
        if kind_of.any():
            chosen = np.flatnonzero(~frame & (level >= deep))
            found, more = sweep.innermost(chosen, kind_of)
            place = np.maximum(place, found)
            overlapping = np.concatenate((overlapping, more))
    parent = np.full(len(trace), NONE, np.int64)
    parent[rows] = np.where(place == NONE, NONE, rows[place]) if len(rows) else NONE
    return Nesting(parent=parent, overlapping=np.unique(rows[overlapping]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sweep:
    """Spans in the order in which a stack would see them: by lane, start, longest first, shallowest first."""

    lane: np.ndarray[tuple[int], np.dtype[np.int32]]
    start: Longs
    end: Longs
    level: Longs
    tolerance: int

    def innermost(self, chosen: Longs, candidate: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[Longs, Longs]:
        """Give the place of the innermost candidate around each chosen place, and places that overlap one partly."""
        found = np.full(len(self.start), NONE, np.int64)
        cuts = np.flatnonzero(np.diff(self.lane[chosen])) + 1
        answers: list[int] = []
        overlapping: list[int] = []
        for part in np.split(chosen, cuts):
            self._lane(part, candidate[part].tolist(), answers, overlapping)
        found[chosen] = answers
        return found, np.array(overlapping, np.int64)

    def _in_a_row(self, places: Longs) -> bool:
        """Tell whether spans are of one level and none begins before all those before it have ended."""
        level = self.level[places]
        ended = np.maximum.accumulate(self.end[places])[:-1]
        return bool((level == level[:1]).all() and (self.start[places][1:] >= ended).all())

    def _lane(self, places: Longs, candidate: list[bool], answers: list[int], overlapping: list[int]) -> None:
        """Sweep one lane; ``limits`` are the ends on the stack with their sign turned, so that they ascend."""
        if self._in_a_row(places):
            answers += [NONE] * len(places)
            return
        stack: list[int] = []
        limits: list[int] = []
        tolerance, starts, levels = self.tolerance, self.start[places].tolist(), self.level[places].tolist()
        names = places.tolist()
        for at, (start, end, pushed) in enumerate(zip(starts, self.end[places].tolist(), candidate, strict=True)):
            depth = bisect_right(limits, tolerance - end)
            if end == start:
                while depth:
                    top, limit = stack[depth - 1], -limits[depth - 1]
                    if limit >= end and (levels[top] < levels[at] or starts[top] < start < limit):
                        break
                    depth -= 1
                answers.append(names[stack[depth - 1]] if depth else NONE)
                continue
            while depth and -limits[depth - 1] < end and -limits[depth - 1] <= start:
                depth -= 1
            answers.append(names[stack[depth - 1]] if depth else NONE)
            if pushed:
                if depth < len(stack):
                    if -limits[depth] > start:
                        overlapping.append(names[at])
                    del stack[depth:], limits[depth:]
                stack.append(at)
                limits.append(max(-end, limits[-1]) if limits else -end)
