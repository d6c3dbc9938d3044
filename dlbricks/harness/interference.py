"""What disturbs a timed call: garbage collection, which is disabled, and a noisy neighbour, which is detected.

On a rented machine the two hardware threads of a core may belong to two guests. While the other guest works,
everything takes 1.2 to 2 times as long, in bursts of a few to a few hundred ms. Steal time, context switches and clock
frequency do not show it; the duration of reads from the L1 cache, timed before and after a call, does.
"""

import contextlib
import gc
import time
from collections.abc import Callable, Iterator

import numpy as np

from .stats import INTERFERENCE_RATIO


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """Disable garbage collection."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


# Measurements after which the minimum is reset, about 45 s in a large suite: clocks change in the long run.
_WINDOW = 50_000
# Measurements made at the start to find the minimum.
_FIRST = 200
# The first runs warm data and code; the least time of all is one without an interruption.
_TIMES = 5


class InterferenceDetector:
    """Compares the duration of a calibration loop with its minimum so far."""

    def __init__(self, work: Callable[[], None] | None = None) -> None:
        """Measure the minimum duration of the calibration loop, by default reads from the L1 cache; takes some ms."""
        self._work = work or _reads()
        self._best_ns = self._next_best_ns = self._time()
        self._count = 0
        for _ in range(_FIRST):
            self.is_slow()

    def is_slow(self) -> bool:
        """Time the loop (a few microseconds); return whether it took ``INTERFERENCE_RATIO`` times the minimum."""
        taken_ns = self._time()
        self._count += 1
        self._best_ns = min(self._best_ns, taken_ns)
        self._next_best_ns = min(self._next_best_ns, taken_ns)
        if self._count == _WINDOW:
            self._best_ns, self._next_best_ns, self._count = self._next_best_ns, taken_ns, 0
        return taken_ns >= INTERFERENCE_RATIO * self._best_ns

    def _time(self) -> int:
        """Return the minimum of several runs, ns; the first ones warm data and code."""
        work, clock = self._work, time.perf_counter_ns
        times = []
        for _ in range(_TIMES):
            begin = clock()
            work()
            times.append(clock() - begin)
        return min(times)


def _reads() -> Callable[[], None]:
    """Return a function that reads 2 KiB twice."""
    read, words = np.bitwise_or.reduce, np.ones(256, np.int64)

    def work() -> None:
        read(words)
        read(words)

    return work
