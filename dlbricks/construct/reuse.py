"""Computes the reuse distance of everything that a layer touches. Pure.

The reuse distance (stack distance) of memory is the number of different bytes touched since its last use: a fully
associative LRU cache holds it if and only if the distance is smaller than the cache. Source: Mattson, Gecsei, Slutz,
Traiger, "Evaluation techniques for storage hierarchies", IBM Systems Journal 9 (1970).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dlbricks.construct.memory_layout import Access, Call, Cells, Layout


def reuse_distances(made: Layout) -> tuple[Call, ...]:
    """Replay the layers of a network in order and return the reuse distances of the second inference.

    The first inference only fills the state, so what is touched once per inference has the footprint as its distance. A
    layer touches its memory evenly over its call: on average half of what the earlier user touched comes after the
    tensor, and half of what the later user touches comes before; bytes are counted once. Time grows with layers and
    pages, and with the logarithm of layers.

    Returns:
        The calls with reuse distance and age of each access.
    """
    replay = _Replay(
        np.array(made.sizes, np.float64), [[access.cells for access in call.accesses] for call in made.calls]
    )
    found = []
    for call in made.calls:
        replay.advance()
        found.append(
            Call(
                constants=tuple(map(replay.looked_up, call.constants)),
                inputs=tuple(map(replay.looked_up, call.inputs)),
                outputs=tuple(map(replay.looked_up, call.outputs)),
            )
        )
    return tuple(found)


class _Replay:
    """The second of two equal rounds of calls; ``advance`` moves to the state just before the next call.

    Bytes are integers below 2^53, so sums do not depend on the order of addition.
    """

    def __init__(self, sizes: NDArray[np.float64], calls: Sequence[Sequence[Cells]]) -> None:
        self._sizes = sizes
        self._calls = [_indices(cells) for cells in calls]
        self._last = np.zeros(len(sizes), np.int64)
        """Time of the last use of each cell."""
        for time, cells in enumerate(self._calls):
            self._last[cells] = time
        self._left = _FenwickTree(np.bincount(self._last, weights=sizes, minlength=2 * len(calls) + 1).tolist())
        """Bytes by the time of their last use."""
        self._call = -1
        self._times: NDArray[np.int64] = np.zeros(0, np.int64)
        """Distinct times of last use of the call's cells, ascending."""
        self._bytes: NDArray[Any] = np.zeros(0)
        """Bytes of the call by these times."""
        self._since: NDArray[np.float64] = np.zeros(0)
        """Reuse distance by these times."""

    def advance(self) -> None:
        if self._call >= 0:
            self._touch(self._call)
        self._call += 1
        own = self._calls[self._call]
        self._times, at = np.unique(self._last[own], return_inverse=True)
        self._bytes = np.bincount(at, weights=self._sizes[own], minlength=len(self._times))
        until = np.array([self._left.until(time) for time in self._times.tolist()])
        left = until - np.array([self._left.until(time - 1) for time in self._times.tolist()])
        self._since = self._left.total - until + (left + self._bytes.cumsum()) / 2

    def looked_up(self, access: Access) -> Access:
        """Return an access of the call with its reuse distance and age."""
        if access.overwrites:
            return access
        return replace(access, distance_bytes=self.distance(access.cells), age=self.age(access.cells))

    def distance(self, cells: Cells) -> int:
        """Return the mean reuse distance of some cells of the call."""
        begin, end = cells
        since = self._since[np.searchsorted(self._times, self._last[begin:end])]
        if end - begin == 1:
            return round(float(since[0]))
        sizes = self._sizes[begin:end]
        return round(float(since @ sizes / sizes.sum()))

    def age(self, cells: Cells) -> int:
        """Return the mean number of calls since some cells were touched."""
        begin, end = cells
        mean = float(self._last[begin:end] @ self._sizes[begin:end] / self._sizes[begin:end].sum())
        return self._call + len(self._calls) - round(mean)

    def _touch(self, call: int) -> None:
        now = call + len(self._calls)
        for time, nbytes in zip(self._times.tolist(), self._bytes.tolist(), strict=True):
            self._left.add(time, -nbytes)
        self._left.add(now, float(self._bytes.sum()))
        self._last[self._calls[call]] = now


class _FenwickTree:
    """Prefix sums with updates, both in logarithmic time (Fenwick 1994)."""

    def __init__(self, values: Sequence[float]) -> None:
        self.total = sum(values)
        self._tree = [0.0, *values]
        for place in range(1, len(self._tree)):
            above = place + (place & -place)
            if above < len(self._tree):
                self._tree[above] += self._tree[place]

    def add(self, index: int, value: float) -> None:
        self.total += value
        place = index + 1
        while place < len(self._tree):
            self._tree[place] += value
            place += place & -place

    def until(self, index: int) -> float:
        """Return the sum up to an index, inclusive; 0 for -1."""
        found, place = 0.0, index + 1
        while place:
            found += self._tree[place]
            place &= place - 1
        return found


def _indices(cells: Sequence[Cells]) -> NDArray[np.int64]:
    """List the cells of some ranges, each once."""
    stretches = [np.arange(begin, end) for begin, end in dict.fromkeys(cells)]
    return np.concatenate(stretches) if stretches else np.zeros(0, np.int64)
