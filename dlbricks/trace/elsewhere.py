"""Parents on other lanes: work that a call hands to further threads of its process.

XSP looks for parents on all threads at once (IPDPS 2020, section III-A), which guesses wherever two of them are busy.
Here another lane counts only where a span's own lane has nothing, and only where no second one could be it as well.
"""

from dataclasses import dataclass

import numpy as np

from dlbricks.trace.ancestry import ancestors
from dlbricks.trace.nouns import NONE, Level, Longs, Role, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """What was found on other lanes."""

    parent: Longs
    adopted: int
    """Spans that got a parent."""
    ambiguous: int
    """Spans that several lanes could have called, at some level."""


def on_other_lanes(trace: Trace) -> Elsewhere:
    """Give host spans without a parent the span around them on another lane of their process.

    Taken is the deepest level above the span's own at which exactly one lane has a span around it, and of that lane the
    outermost span of the level.
    """
    parent = trace.parent.copy()
    wanted = np.flatnonzero((parent == NONE) & (trace.role != Role.EXECUTION) & (trace.level <= Level.LIBRARY))
    wanted = wanted[trace.level[wanted] > Level.APPLICATION]
    ambiguous = np.zeros(len(wanted), bool)
    found = np.full(len(wanted), NONE, np.int64)
    for level in (Level.LAYER, Level.MODEL, Level.APPLICATION):
        asking = np.flatnonzero((found == NONE) & (trace.level[wanted] > level))
        if not len(asking):
            continue
        owner, count = _around(trace, level, wanted[asking])
        found[asking] = np.where(count == 1, owner, NONE)
        ambiguous[asking] |= count > 1
    parent[wanted] = found
    return Elsewhere(parent=parent, adopted=int((found != NONE).sum()), ambiguous=int(ambiguous.sum()))


def _around(trace: Trace, level: Level, rows: Longs) -> tuple[Longs, Longs]:
    """Give for each row a span of a level around it on another lane of its process, and how many lanes have one."""
    top = np.flatnonzero((trace.level == level) & (trace.role != Role.EXECUTION) & (trace.end_ns > trace.start_ns))
    top = top[ancestors(trace, level, outermost=True)[top] == top]
    processes = {lane.process: number for number, lane in enumerate(trace.lanes)}
    process = np.array([processes[lane.process] for lane in trace.lanes], np.int64)
    owner, count = np.full(len(rows), NONE, np.int64), np.zeros(len(rows), np.int64)
    for lane in np.unique(trace.lane[top]).tolist():
        spans = top[trace.lane[top] == lane]
        spans = spans[np.argsort(trace.start_ns[spans], kind="stable")]
        asking = np.flatnonzero((trace.lane[rows] != lane) & (process[trace.lane[rows]] == process[lane]))
        place = np.searchsorted(trace.start_ns[spans], trace.start_ns[rows[asking]], side="right") - 1
        ends = np.where(place < 0, np.iinfo(np.int64).min, trace.end_ns[spans[place]])
        inside = asking[ends >= trace.end_ns[rows[asking]]]
        owner[inside] = spans[place[ends >= trace.end_ns[rows[asking]]]]
        count[inside] += 1
    return owner, count
