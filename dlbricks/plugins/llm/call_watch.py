"""Tells whether a call of a loop waited for a processor, or shared its core with another guest, as benchmarks do.

``on_one_core`` keeps on one core what is compared: the cores of a shared machine differ by what their neighbours do.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from dlbricks.harness.interference import InterferenceDetector

# Minimum share of processor time in a call, and tolerance for reading the clocks: otherwise the call has waited.
_BUSY, _SLACK_NS = 0.98, 20_000
_TASKS, _STAT = Path("/proc/self/task"), Path("/proc/thread-self/stat")
# Index of the processor among the fields behind the name (``proc_pid_stat(5)``).
_PROCESSOR = 36


class CallWatch:
    """Watches calls, one after another.

    With one thread a call that waited has less processor time than it took. With several the threads that did not wait
    make up for one that did: the time counts that any of them was ready to run and had no processor, where the kernel
    counts it (Linux). Calls that wait for a device have not waited for a processor.
    """

    def __init__(self, threads: int, is_slow: Callable[[], bool] | None = None, *, computes: bool = True) -> None:
        """Watch nothing yet.

        Args:
            threads: of a call.
            computes: whether the processor computes all the time; not where a device does.
            is_slow: tells whether cores are shared now, or lie apart; by default reads from the first level of cache of
                the calling thread's core do.
        """
        self._several, self._is_slow, self._slow = threads > 1, is_slow or InterferenceDetector().is_slow, False
        self._computes = computes
        self._worked_ns, self._queued_ns = 0, 0
        self.spent_ns = 0
        """Time of watching."""

    def begin(self) -> None:
        """Look before a call."""
        begin = time.perf_counter_ns()
        self._queued_ns = queued_ns() if self._several else 0
        self._look()
        self.spent_ns += time.perf_counter_ns() - begin
        self._worked_ns = time.process_time_ns()

    def end(self, took_ns: int) -> bool:
        """Return whether the call waited for more than 2 % of its time, or its core was shared before or after it.

        Args:
            took_ns: time of the call.
        """
        worked_ns = time.process_time_ns() - self._worked_ns
        begin = time.perf_counter_ns()
        queued = queued_ns() - self._queued_ns if self._several else 0
        shared = self._look()
        self.spent_ns += time.perf_counter_ns() - begin
        return shared or (self._computes and has_waited(took_ns, worked_ns, queued))

    def _look(self) -> bool:
        """Return whether the core is shared now, or was at the last look."""
        before, self._slow = self._slow, self._is_slow()
        return before or self._slow


def has_waited(took_ns: int, worked_ns: int, queued_ns: int) -> bool:
    """Return whether a call waited for a processor.

    Args:
        took_ns: time of the call.
        worked_ns: processor time of all threads.
        queued_ns: time that threads were ready to run without a processor, all together.

    >>> has_waited(1_000_000, 1_900_000, 90_000)
    True
    """
    most_ns = (1 - _BUSY) * took_ns + _SLACK_NS
    return took_ns - worked_ns > most_ns or queued_ns > most_ns


def queued_ns() -> int:
    """Return how long threads of this process were ready to run without a processor, ns; 0 if that is not counted."""
    total = 0
    for task in _TASKS.iterdir() if _TASKS.is_dir() else ():
        with contextlib.suppress(OSError, IndexError, ValueError):  # a thread has ended
            total += int((task / "schedstat").read_bytes().split()[1])
    return total


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """Keep the calling thread, and processes that it starts, on the core where it runs.

    Without effect on systems without this file (other than Linux). A loop alone took 27.2 and 29.2 ms a step on
    one core, 27.0 and 27.3 on the other (``docs/decoders-tried.md``).
    """
    if not _STAT.exists():
        yield
        return
    usual = os.sched_getaffinity(0)
    fields = _STAT.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    os.sched_setaffinity(0, {int(fields[_PROCESSOR])})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)
