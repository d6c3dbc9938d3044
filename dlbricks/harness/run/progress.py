"""The progress messages and the clock of a run."""

import sys
import time
from dataclasses import dataclass
from typing import TextIO


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One progress message."""

    phase: str
    """``loading``, ``measuring``, ``refining`` (spends the rest of the budget), ``done`` or, last, ``tracing``."""
    done: int
    """Number of benchmarks that are done or failed; in phase ``tracing``, number of traced benchmarks."""
    total: int
    loaded: int
    """Number of benchmarks loaded so far."""
    visits: int
    """Number of visits so far."""
    failed: int
    eta_ns: int | None
    """Estimated remaining time, ns; None if it is unknown."""

    @property
    def is_last(self) -> bool:
        """Whether this is the last message of its phase."""
        return self.phase == "done" or (self.phase == "tracing" and self.done == self.total)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The clock of a run; a resumed run continues the time of the interrupted one."""

    begin_ns: int
    """``time.perf_counter_ns`` at the start of this run."""
    before_ns: int = 0
    """Wall time of earlier, interrupted parts of the run, ns."""

    def now(self) -> int:
        """Return the time since the start of the run, ns."""
        return time.perf_counter_ns() - self.begin_ns + self.before_ns


def silent(*_: object) -> None:
    """Do nothing: the default for ``report``, ``tell`` and ``progress``."""


class PlainText:
    """Prints progress messages, at most one every ten seconds."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        """Write to ``stream``."""
        self._stream, self._last_s = stream, 0.0

    def __call__(self, progress: Progress) -> None:
        """Print a message, unless the last one was printed recently."""
        now = time.monotonic()
        if progress.is_last or now - self._last_s >= 10.0:
            self._last_s = now
            self._stream.write(f"{describe(progress)}\n")
            self._stream.flush()


def describe(progress: Progress) -> str:
    """Format a progress message, as in ``measuring: 12 of 40, 96 visits, 1 failed, 25 s left``."""
    done = f"{progress.loaded} loaded" if progress.phase == "loading" else f"{progress.done} of {progress.total}"
    done += " benchmarks as precise as wanted" * (progress.phase == "done" and progress.done < progress.total)
    parts = [done] if progress.phase == "tracing" else [done, f"{progress.visits} visit{'s' * (progress.visits != 1)}"]
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if progress.eta_ns is not None and progress.phase != "done":
        parts.append(f"{time_left(progress.eta_ns)} left")
    return f"{progress.phase}: {', '.join(parts)}"


def time_left(duration_ns: int) -> str:
    """Format a duration in seconds, minutes or hours, as in ``2 m 05 s``."""
    seconds = max(0, round(duration_ns / 1e9))
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} m {seconds:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} m"
