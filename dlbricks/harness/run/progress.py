"""Progress of a run, reported between visits, never while something is timed; and its time."""

import sys
import time
from dataclasses import dataclass
from typing import TextIO


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One message of a run."""

    phase: str
    """``loading``, ``measuring``, ``refining`` (all are measured enough, and the budget has time left), ``done``, and
    after that ``tracing``, where it is wanted."""
    done: int
    """Benchmarks that are measured enough or failed; those that were traced."""
    total: int
    loaded: int
    """Benchmarks that have been loaded so far."""
    visits: int
    """Visits so far, anchors included."""
    failed: int
    eta_ns: int | None
    """Time left, estimated; None when nothing can be said."""

    @property
    def is_last(self) -> bool:
        """Whether this is the last message of its phase."""
        return self.phase == "done" or (self.phase == "tracing" and self.done == self.total)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The time of the run; continues that of an interrupted one."""

    begin_ns: int
    """Of the process's timer, when this run began."""
    before_ns: int = 0
    """Wall time of the runs before."""

    def now(self) -> int:
        """Give the time since the run began, ns."""
        return time.perf_counter_ns() - self.begin_ns + self.before_ns


def silent(_: Progress) -> None:
    """Say nothing."""


class PlainText:
    """Progress as text: one line that is rewritten on a terminal, a line now and then elsewhere."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        """Write to ``stream``."""
        self._stream = stream
        self._terminal = stream.isatty()
        self._last_s = 0.0
        self._open = False

    def __call__(self, progress: Progress) -> None:
        """Show one message, if the last one is old enough."""
        now = time.monotonic()
        last = progress.is_last
        if not last and now - self._last_s < (0.2 if self._terminal else 10.0):
            return
        self._last_s = now
        text = describe(progress)
        if self._terminal:
            self._stream.write(f"\r\x1b[K{text}" + ("\n" if last else ""))
            self._open = not last
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Leave the line that was being rewritten."""
        if self._open:
            self._stream.write("\n")
            self._stream.flush()
            self._open = False


def describe(progress: Progress) -> str:
    """Put a message into words, as in ``measuring: 12 of 40 done, 96 visits, 1 failed, 25 s left``."""
    done = f"{progress.loaded} loaded" if progress.phase == "loading" else f"{progress.done} of {progress.total} done"
    parts = [done] if progress.phase == "tracing" else [done, f"{progress.visits} visits"]
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if progress.eta_ns is not None and progress.phase != "done":
        parts.append(f"{time_left(progress.eta_ns)} left")
    return f"{progress.phase}: {', '.join(parts)}"


def time_left(duration_ns: int) -> str:
    """Show a duration in seconds, minutes or hours, as in ``2 m 05 s``."""
    seconds = max(0, round(duration_ns / 1e9))
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} m {seconds:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} m"
