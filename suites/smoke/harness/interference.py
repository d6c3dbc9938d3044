"""How fast the core is right now: who shares it with another guest's thread is told nothing, but is slower.

On a machine of others, the two hardware threads of a core may belong to two guests. While the other one works,
everything takes 1.2 to 2 times as long, in bursts of some to some hundred ms; no steal time, no context switch and no
frequency shows it. A few reads of what lies in the first level of cache do, whatever was measured between them. Of the
cores of other threads the time of work does of which each thread has its share (``pool.ThreadedProduct``).
"""

import time
from collections.abc import Callable

import numpy as np

from .stats import INTERFERENCE_RATIO

_WINDOW = 50_000
"""Measurements after which the best one may be another, in a large suite about 45 s: clocks change in the long run."""
_FIRST = 200
"""Measurements by which the best one is known well enough to begin."""
_TIMES = 5


class InterferenceDetector:
    """Tells whether the core is shared."""

    def __init__(self, work: Callable[[], None] | None = None) -> None:
        """Find out how long some work takes at best; a few milliseconds.

        Args:
            work: by default reads in the first level of cache.
        """
        self._work = work or _reads()
        self._best_ns = self._next_best_ns = self._read()
        self._count = 0
        for _ in range(_FIRST):
            self.is_slow()

    def is_slow(self) -> bool:
        """Measure once, some microseconds; say whether it took ``INTERFERENCE_RATIO`` times the least or longer."""
        taken_ns = self._read()
        self._count += 1
        self._best_ns = min(self._best_ns, taken_ns)
        self._next_best_ns = min(self._next_best_ns, taken_ns)
        if self._count == _WINDOW:
            self._best_ns, self._next_best_ns, self._count = self._next_best_ns, taken_ns, 0
        return taken_ns >= INTERFERENCE_RATIO * self._best_ns

    def _read(self) -> int:
        """Give the least time of doing it several times, the first of which bring data and code back."""
        work, clock = self._work, time.perf_counter_ns
        times = []
        for _ in range(_TIMES):
            begin = clock()
            work()
            times.append(clock() - begin)
        return min(times)


def _reads() -> Callable[[], None]:
    """Give what reads 2 KiB twice."""
    read, words = np.bitwise_or.reduce, np.ones(256, np.int64)

    def work() -> None:
        read(words)
        read(words)

    return work
