"""The splitter ``paper``: Algorithms 1 and 2 of DLBricks (ICPE 2020, doi 10.1145/3358960.3379143), for comparison.

A window of H units moves over the topological order. If its units can be run alone it becomes a sequence and the next
window begins after it; if not, its first unit becomes a sequence by itself and the window, keeping its width, slides
by one. A window can be run alone if every unit after its first takes all its non-constant inputs from within, and at
least one; so joins with what lies outside come first in a sequence or stand alone.

Corrected slips of the published pseudo-code: ``vs`` is ``verts``; the outer loop runs while ``begin < len``; a slice
holds H units, not H + 1; the window is clamped at the end of the network instead of passing it; a unit that cannot be
run alone either is a sequence that says so (``skip``) instead of an endless recursion.

Sequences are intervals of a topological order, hence convex and free of circles, and connected because each unit after
the first reads from within.
"""

from collections import deque

from dlbricks.sequences.nouns import Granularity
from dlbricks.sequences.units import Units


def paper(units: Units, granularity: Granularity) -> list[list[int]]:
    """Split by a sliding window; linear in the number of units for every H, since the window moves forwards only."""
    count = len(units.members)
    width = granularity.limit or count
    earliest = [_earliest(units, unit) for unit in range(count)]
    lowest: deque[int] = deque()
    parts = []
    begin = reached = 0
    while begin < count:
        end = min(begin + width, count)
        for unit in range(max(reached, begin + 1), end):
            while lowest and earliest[lowest[-1]] >= earliest[unit]:
                lowest.pop()
            lowest.append(unit)
        reached = max(reached, end)
        while lowest and lowest[0] <= begin:
            lowest.popleft()
        alone = _alone(units, begin) or (lowest and earliest[lowest[0]] < begin)
        stop = begin + 1 if alone else end
        parts.append(list(range(begin, stop)))
        begin = stop
    return parts


def _alone(units: Units, unit: int) -> bool:
    return units.members[unit].skip is not None or units.members[unit].weight == 0


def _earliest(units: Units, unit: int) -> int:
    """First unit that a unit reads from; -1 if it cannot stand behind another one in a window."""
    member = units.members[unit]
    if member.from_input or _alone(units, unit) or not units.predecessors[unit]:
        return -1
    return units.predecessors[unit][0]
