"""The splitter ``chain``: paths on which each unit feeds no unit but the next one.

Why this is sound: a unit whose outputs are read by one other unit only may be joined with it (see ``units``, rule 1),
whatever else that reader reads. So masks, rotary tables, residual branches enter at any place. Chains are made by such
joins alone, so they depend on each other without circles and are convex. Cutting a chain into runs keeps that: a circle
of runs would be a circle of chains, unless it stayed inside one chain, whose runs feed forwards only.
"""

from dlbricks.sequences.graphs import topological
from dlbricks.sequences.nouns import Granularity
from dlbricks.sequences.units import Units


def chain(units: Units, granularity: Granularity) -> list[list[int]]:
    """Follow paths without forks as far as they go and cut each into runs of H units, from its start.

    Where several paths meet, the longest goes on, of equally long ones the one whose last unit comes last.
    """
    count = len(units.members)
    length = [1] * count
    before = [-1] * count
    for unit in range(count):
        joinable = [
            other
            for other in units.predecessors[unit]
            if units.successors[other] == (unit,) and _joins(units, other) and _joins(units, unit)
        ]
        if joinable:
            before[unit] = max(joinable, key=lambda other: (length[other], other))
            length[unit] = length[before[unit]] + 1
    runs: list[list[int]] = []
    run_of = [-1] * count
    for unit in range(count):
        run = run_of[before[unit]] if before[unit] >= 0 else -1
        if run < 0 or len(runs[run]) == granularity.limit:
            run = len(runs)
            runs.append([])
        runs[run].append(unit)
        run_of[unit] = run
    return _ordered(units, runs, run_of)


def _joins(units: Units, unit: int) -> bool:
    return units.members[unit].skip is None and units.members[unit].weight > 0


def _ordered(units: Units, runs: list[list[int]], run_of: list[int]) -> list[list[int]]:
    feeds: list[set[int]] = [set() for _ in runs]
    for unit, run in enumerate(run_of):
        feeds[run].update(run_of[after] for after in units.successors[unit])
        feeds[run].discard(run)
    return [runs[run] for run in topological(feeds, [(0, part[0]) for part in runs])]
