"""How far back in memory lies what a layer uses: reuse distances over one inference. Pure.

The reuse distance (stack distance) of memory is how many bytes of different memory were touched since it was touched
last: a fully associative cache that forgets what was used longest ago holds it if and only if the distance is smaller
than the cache. Source: Mattson, Gecsei, Slutz, Traiger, "Evaluation techniques for storage hierarchies", IBM Systems
Journal 9 (1970).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dlbricks.construct.memory_layout import Access, Cells, Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """One tensor that a layer touches."""

    tensor: str
    """Whose memory it is: for a view, what it is a view of."""
    nbytes: int
    """That are read or written."""
    distance_bytes: int
    """Mean over its memory; 0 for a result that is written over an operand of the same layer."""
    age: int
    """How many layers before this one its memory was touched last, mean over its memory; as many as the network has
    where that was the same layer of the inference before, 0 where ``distance_bytes`` is 0 for being overwritten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerDistances:
    """What one layer touches; nothing for a view."""

    constants: tuple[Reuse, ...] = ()
    inputs: tuple[Reuse, ...] = ()
    outputs: tuple[Reuse, ...] = ()


def reuse_distances(made: Layout) -> tuple[LayerDistances, ...]:
    """Run the layers of a network in their order over and over, and look at the memory as one inference finds it.

    The first inference only leaves its traces; the second is the one that is looked at, so what is touched once per
    inference is as far away as everything that an inference touches.

    A layer touches all of its memory evenly over its call. So of what the earlier user of a tensor touched, itself
    included, one half comes after it, and of what the later user touches one half comes before; bytes that were
    counted already are not counted again. Time grows with layers squared (some nanoseconds each) and with pages.

    Returns:
        For each layer, its constants, inputs and outputs of at least one byte, each tensor once.
    """
    replay = _Replay(np.array(made.sizes, np.float64), [[one.cells for one in call.accesses] for call in made.calls])
    found = []
    for call in made.calls:
        replay.advance()
        found.append(
            LayerDistances(
                constants=tuple(_reuse(one, replay) for one in call.constants),
                inputs=tuple(_reuse(one, replay) for one in call.inputs),
                outputs=tuple(_reuse(one, replay) for one in call.outputs),
            )
        )
    return tuple(found)


def _reuse(access: Access, replay: "_Replay") -> Reuse:
    distance, age = (0, 0) if access.overwrites else (replay.distance(access.cells), replay.age(access.cells))
    return Reuse(tensor=access.tensor, nbytes=access.nbytes, distance_bytes=distance, age=age)


class _Replay:
    """The second of two equal rounds of calls; ``advance`` goes to the next call, before anything of it is touched."""

    def __init__(self, sizes: NDArray[np.float64], calls: Sequence[Sequence[Cells]]) -> None:
        self._sizes = sizes
        self._calls = [_indices(cells) for cells in calls]
        self._last = np.zeros(len(sizes), np.int64)
        """When each cell was touched last."""
        for time, cells in enumerate(self._calls):
            self._last[cells] = time
        self._left = np.bincount(self._last, weights=sizes, minlength=2 * len(calls) + 1)
        """Bytes that were touched last at each point in time."""
        self._call = -1
        self._since = np.zeros(0)
        """Distance of what was touched last at each of the last points in time, as many as there are calls."""

    def advance(self) -> None:
        if self._call >= 0:
            self._touch(self._call)
        self._call += 1
        count, own = len(self._calls), self._calls[self._call]
        left = self._left[self._call : self._call + count]
        behind = left[::-1].cumsum()[::-1] - left
        new = np.bincount(self._last[own] - self._call, weights=self._sizes[own], minlength=count).cumsum()
        self._since = behind + (left + new) / 2

    def distance(self, cells: Cells) -> int:
        """Give the mean distance over some cells."""
        begin, end = cells
        since = self._since[self._last[begin:end] - self._call]
        if end - begin == 1:
            return round(float(since[0]))
        sizes = self._sizes[begin:end]
        return round(float(since @ sizes / sizes.sum()))

    def age(self, cells: Cells) -> int:
        """Give the mean number of calls since some cells were touched."""
        begin, end = cells
        mean = float(self._last[begin:end] @ self._sizes[begin:end] / self._sizes[begin:end].sum())
        return self._call + len(self._calls) - round(mean)

    def _touch(self, call: int) -> None:
        now, cells = call + len(self._calls), self._calls[call]
        sizes = self._sizes[cells]
        self._left -= np.bincount(self._last[cells], weights=sizes, minlength=len(self._left))
        self._left[now] += sizes.sum()
        self._last[cells] = now


def _indices(cells: Sequence[Cells]) -> NDArray[np.int64]:
    """List the cells of some stretches, each once."""
    stretches = [np.arange(begin, end) for begin, end in dict.fromkeys(cells)]
    return np.concatenate(stretches) if stretches else np.zeros(0, np.int64)
