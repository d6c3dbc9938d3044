"""The splitters: ``block`` cuts where the fewest bytes cross, ``paper`` uses the algorithm of the DLBricks paper.

Each splitter returns a partition of the units into convex, connected parts without cyclic dependencies.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dlbricks.model.order import connected, depth_first
from dlbricks.model.types import Layer, Model
from dlbricks.sequences.types import Granularity
from dlbricks.sequences.units import Units

# Fixed cost of a sequence in bytes: a call takes about 5 us, and memory delivers about 64 KiB in this time.
START_BYTES = 1 << 16

# Additional cost per unit, in bytes, of a sequence that occurs only once: it is measured for a single use.
FRESH_BYTES = 1 << 17

# multiplier of a rolling hash: odd, so that it loses no bits modulo 2^64; the golden ratio spreads them
_BASE = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def block(units: Units, granularity: Granularity) -> list[list[int]]:
    """Split units in depth-first order into windows of at most ``granularity`` units, at the least total cost.

    Without a limit, cuts are only around units that cannot be benchmarked. Takes time O(units * granularity).
    """
    # A window costs the bytes of the tensors that cross its boundary, and ``START_BYTES`` for every unit that reads
    # nothing produced inside.
    # The parts are the connected components of the windows: windows of a topological order are convex and depend on
    # earlier windows only. Costs are local, so that equal blocks of a network are cut alike. In a second pass a window
    # that the first pass used ``n`` times is cheaper by ``FRESH_BYTES`` per unit for each of the ``n - 1`` repetitions,
    # which need not be measured.
    limit = granularity.limit
    if limit is None or limit >= len(units.members):
        return _uncut(units)
    order = branch_by_branch(units)
    if limit == 1:
        return [[unit] for unit in order]
    costs = WindowCosts(units, order, limit)
    windows = costs.cheapest({})
    # only a first pass shows which windows repeat
    windows = costs.cheapest(costs.savings(windows))
    return [piece for start, end in windows for piece in connected(sorted(order[start:end]), units.successors)]


def _uncut(units: Units) -> list[list[int]]:
    # Group connected units by the maximum number of skipped units on a path from the inputs.
    #
    # An edge leads to the same or a greater number, from a skipped unit to a greater one, so dependencies are acyclic.
    depth = [0] * len(units.members)
    classes: dict[tuple[int, bool], list[int]] = {}
    for unit, member in enumerate(units.members):
        for before in units.predecessors[unit]:
            depth[unit] = max(depth[unit], depth[before] + (units.members[before].skip is not None))
        classes.setdefault((depth[unit], member.skip is not None), []).append(unit)
    return [piece for _, members in sorted(classes.items()) for piece in connected(members, units.successors)]


def branch_by_branch(units: Units) -> list[int]:
    """Return the indices of units depth first from the outputs, so that each branch is contiguous."""
    ends = {flow.producer for flow in units.flows if flow.leaves}
    ends.update(unit for unit, after in enumerate(units.successors) if not after)
    return depth_first(sorted(ends), units.predecessors.__getitem__)


# First and last start position of the windows concerned, and the bytes that extending them by one unit adds.
_Change: TypeAlias = tuple[int, int, int]


class WindowCosts:
    """Costs, in bytes, of cutting out windows: ranges of at most ``limit`` consecutive units."""

    def __init__(self, units: Units, order: Sequence[int], limit: int) -> None:
        """Compute for each window how much its cost changes with one more unit."""
        self._units = units
        self._order = order
        self._limit = limit
        self._place = [0] * len(order)
        for place, unit in enumerate(order):
            self._place[unit] = place
        self._before = [sorted(self._place[other] for other in units.predecessors[unit]) for unit in order]
        self._changes = self._all_changes()
        self._alone = [_alone(units, unit) for unit in order]

    def _all_changes(self) -> list[list[_Change]]:
        # Return for each position how the costs of windows change when they are extended to it.
        changes: list[list[_Change]] = [[] for _ in self._order]
        for flow in self._units.flows:
            place = self._place[flow.producer]
            changes[place].append((0, place, flow.nbytes))
            last = place
            for reader in sorted(self._place[unit] for unit in flow.consumers):
                changes[reader].append((last + 1, reader, flow.nbytes))
                last = reader
            if not flow.leaves:
                changes[last].append((0, place, -flow.nbytes))
        for place, before in enumerate(self._before):
            changes[place].append((before[-1] + 1 if before else 0, place, START_BYTES))
        return changes

    def cheapest(self, savings: dict[int, NDArray[np.float64]]) -> list[tuple[int, int]]:
        """Return start and end of windows that cover all units at the least total cost; in a tie, the longest windows.

        ``savings`` holds the bytes that a window saves, by length and position of its last unit.
        """
        count = len(self._order)
        window = np.zeros(count)
        best = np.zeros(count + 1)
        start_of = [0] * (count + 1)
        begin = 0
        for place, changes in enumerate(self._changes):
            if self._alone[place] or (place and self._alone[place - 1]):
                begin = place
            low = max(begin, place + 1 - self._limit)
            for first, last, cost in changes:
                window[max(low, first) : last + 1] += cost
            costs = best[low : place + 1] + window[low : place + 1]
            for length, saved in savings.items():
                if length <= len(costs):
                    costs[-length] -= saved[place]
            # argmin takes the first of equal costs, which is the longest window
            chosen = int(np.argmin(costs))
            best[place + 1] = costs[chosen]
            start_of[place + 1] = low + chosen
        windows = []
        end = count
        while end:
            windows.append((start_of[end], end))
            end = start_of[end]
        return windows[::-1]

    def savings(self, windows: Sequence[tuple[int, int]]) -> dict[int, NDArray[np.float64]]:
        """Return the bytes that each window saves, by length of the window and position of its last unit.

        A window saves bytes if its layers equal those of at least two of ``windows``.
        """
        digests = self._prefix_digests()

        def digest(length: int) -> NDArray[np.uint64]:
            return digests[length:] - digests[:-length] * np.uint64(pow(_BASE, length, 1 << 64))

        by_length: dict[int, list[int]] = {}
        for start, end in windows:
            by_length.setdefault(end - start, []).append(start)
        saved: dict[int, NDArray[np.float64]] = {}
        for length, starts in sorted(by_length.items()):
            every = digest(length)
            uses = Counter(every[starts].tolist())
            worth = {key: FRESH_BYTES * length * (1 - 1 / times) for key, times in uses.items() if times > 1}
            if worth:
                saved[length] = np.zeros(len(self._order))
                saved[length][length - 1 :] = [worth.get(key, 0.0) for key in every.tolist()]
        return saved

    def _prefix_digests(self) -> NDArray[np.uint64]:
        # Return polynomial rolling hashes of all prefixes of the order; a collision only makes a cut less good.
        value = 0
        prefixes = [0]
        for place, label in enumerate(self._labels()):
            near = [place - before for before in self._before[place] if place - before <= self._limit]
            text = repr((label, near)).encode()
            value = (value * _BASE + int.from_bytes(blake2b(text, digest_size=8).digest(), "little")) & _MASK
            prefixes.append(value)
        return np.array(prefixes, dtype=np.uint64)

    def _labels(self) -> Iterator[int]:
        # Yield a number for each unit that equal units share, by first occurrence.
        model = self._units.model
        numbers: dict[object, int] = {}
        for unit in self._order:
            content = tuple(_content(model, model.layers[index]) for index in self._units.members[unit].layers)
            yield numbers.setdefault(content, len(numbers))


def _content(model: Model, layer: Layer) -> object:
    # Return what equal layers have in common; values of constants are left out, since they rarely differ.
    operands = ((model.spec(name), name in model.constants) for name in layer.inputs if name)
    return (
        layer.domain,
        layer.op_type,
        layer.attributes,
        tuple((spec.dtype, spec.shape, constant) for spec, constant in operands),
        tuple(model.tensors[name].shape for name in layer.outputs if name),
    )


def paper(units: Units, granularity: Granularity) -> list[list[int]]:
    """Split a network by the sliding window of DLBricks (Algorithms 1, 2; doi 10.1145/3358960.3379143)."""
    # A window of H units that can be run alone becomes a part; otherwise its first unit does, and the window moves by
    # one. A window can be run alone if every unit after its first has inputs, all of them produced inside the window.
    # Corrected errors of the pseudo-code: the loop runs while ``begin < len``; a slice holds H units; the window is
    # clamped at the end; a unit that cannot be run is a part with a skip reason. The time is linear in the units.
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
    # Return whether a unit is a part of its own: it cannot be benchmarked, or consists of views only.
    return units.members[unit].skip is not None or units.members[unit].weight == 0


def _earliest(units: Units, unit: int) -> int:
    # Return the first unit that a unit reads from; -1 if it cannot follow another one in a window.
    member = units.members[unit]
    if member.from_input or _alone(units, unit) or not units.predecessors[unit]:
        return -1
    return units.predecessors[unit][0]
