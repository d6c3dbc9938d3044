"""Detects interference: a noisy neighbour on the same core, by timing a calibration loop.

On a rented machine, the two hardware threads of a core may belong to two guests. While the other one works, everything
takes 1.2 to 2 times as long, in bursts of some to some hundred ms; no steal time, no context switch and no frequency
shows it. A few reads in the first level of cache, timed before and after a call, do.
"""

import time
from collections.abc import Callable

import numpy as np

from .stats import INTERFERENCE_RATIO

_WINDOW = 50_000
"""Measurements after which the best one is forgotten, about 45 s in a large suite: clocks change in the long run."""
_FIRST = 200
"""Measurements by which the best one is known well enough to begin."""
_TIMES = 5


class InterferenceDetector:
    """Compares the duration of some work with the least seen so far."""

    def __init__(self, work: Callable[[], None] | None = None) -> None:
        """Find out how long the work takes at best; a few milliseconds.

        Args:
            work: by default reads in the first level of cache.
        """
        self._work = work or _reads()
        self._best_ns = self._next_best_ns = self._time()
        self._count = 0
        for _ in range(_FIRST):
            self.is_slow()

    def is_slow(self) -> bool:
        """Measure once, some microseconds; say whether it took ``INTERFERENCE_RATIO`` times the least or longer."""
        taken_ns = self._time()
        self._count += 1
        self._best_ns = min(self._best_ns, taken_ns)
        self._next_best_ns = min(self._next_best_ns, taken_ns)
        if self._count == _WINDOW:
            self._best_ns, self._next_best_ns, self._count = self._next_best_ns, taken_ns, 0
        return taken_ns >= INTERFERENCE_RATIO * self._best_ns

    def _time(self) -> int:
        """Give the least duration of several; the first ones bring data and code back."""
        work, clock = self._work, time.perf_counter_ns
        times = []
        for _ in range(_TIMES):
            begin = clock()
            work()
            times.append(clock() - begin)
        return min(times)


def _reads() -> Callable[[], None]:
    """Give a function that reads 2 KiB twice."""
    read, words = np.bitwise_or.reduce, np.ones(256, np.int64)

    def work() -> None:
        read(words)
        read(words)

    return work
