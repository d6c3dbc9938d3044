"""Tracing the benchmarks of a run, one at a time, after everything was measured: nothing here touches a latency."""

import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from .crew import IDLE, Crew, Worker, WorkerDiedError
from .errors import HarnessError
from .progress import Progress
from .schedule import RunOptions
from .track import Track

TRACED_ROLES = ("sequence", "whole", "overhead")
SAVE_NS = 10_000_000_000
"""Time after which what was traced is saved."""
_FIRST_NS = 50_000_000
_BUDGET_SHARE, _START_NS = 0.2, 700_000_000
"""Of a run's budget, what is kept for tracing, and for the start of a worker that does it."""
_RESERVE_SHARE, _RESERVE_NS = 0.01, 200_000_000


class TraceRound:
    """Traces what a run has measured; changes the tracks that it is given."""

    def __init__(
        self,
        crew: Crew,
        options: RunOptions,
        now: Callable[[], int],
        *,
        report: Callable[[Progress], None],
        save: Callable[[], None],
    ) -> None:
        """Keep what it works with; nothing is started.

        Args:
            crew: starts workers.
            options: of the run.
            now: time of the run, ns.
            report: told how far it is.
            save: keeps what was traced so far.
        """
        self._crew, self._options, self._now = crew, options, now
        self._report, self._save = report, save
        self._worker: Worker | None = None

    def run(self, tracks: Sequence[Track], deadline_ns: float) -> None:
        """Trace one benchmark after the other, the most important first, until all are traced or the time is up.

        Args:
            tracks: of the run; what failed, what is traced already and what has no role of interest is left alone.
            deadline_ns: time of the run at which the result has to be written; infinite for none.
        """
        end_ns = deadline_ns - _RESERVE_NS - _RESERVE_SHARE * (self._options.budget_ns or 0)
        wanted = [track for track in tracks if is_to_trace(track, self._options.trace)]
        wanted.sort(key=lambda track: (not track.is_reference, -track.importance))
        begin_ns = saved_ns = self._now()
        longest_ns = _FIRST_NS
        with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
            for index, track in enumerate(wanted):
                start_ns = self._now()
                if start_ns + longest_ns > end_ns:
                    break
                track.trace = {"levels": self._options.trace, **self._taken(track, scratch)}
                longest_ns = max(longest_ns, self._now() - start_ns)
                left_ns = (self._now() - begin_ns) / (index + 1) * (len(wanted) - index - 1)
                self._tell(index + 1, wanted, left_ns)
                if self._now() - saved_ns > SAVE_NS:
                    self._save()
                    saved_ns = self._now()
            if self._worker is not None and self._worker.alive:
                self._crew.dismiss(self._worker)

    def _taken(self, track: Track, scratch: str) -> dict[str, Any]:
        """Trace one benchmark; what goes wrong is its own failure, and the next gets a new worker if need be."""
        benchmark = {key: value for key, value in track.benchmark.items() if key != "reference"}
        request = {"op": "trace", "benchmark": benchmark, "levels": self._options.trace, "scratch": scratch}
        start_ns = self._now()
        try:
            reply = self._crew.ask(self._hired(), request, self._options.timeout_ns)
        except WorkerDiedError as died:
            self._worker = None
            ended = "its worker process was ended from outside" if str(died) == IDLE else f"{died} while tracing"
            reply = {"error": ended}
        taken = {"failed": reply["error"]} if "error" in reply else reply["trace"]
        return {**taken, "wall_ns": self._now() - start_ns}

    def _hired(self) -> Worker:
        """Give the worker, a new one if there is none, or if it was ended from outside meanwhile."""
        self._crew.reap()
        if self._worker is not None and self._worker.alive:
            return self._worker
        self._worker = self._crew.hire()
        _, reply = self._crew.next_reply()
        if isinstance(reply, WorkerDiedError):
            raise HarnessError(f"a worker process could not start: {reply}")
        if "error" in reply:
            raise HarnessError(reply["error"])
        return self._worker

    def _tell(self, done: int, tracks: Sequence[Track], left_ns: float) -> None:
        failed = sum("failed" in track.trace for track in tracks)
        self._report(
            Progress(
                phase="tracing",
                done=done,
                total=len(tracks),
                loaded=done,
                visits=0,
                failed=failed,
                eta_ns=round(left_ns),
            )
        )


def measuring_budget_ns(budget_ns: int) -> int:
    """Give the part of a run's budget that the measuring before may take, half of it at least."""
    return max(budget_ns // 2, round(budget_ns * (1 - _BUDGET_SHARE)) - _START_NS)


def is_to_trace(track: Track, levels: str) -> bool:
    """Whether a benchmark was measured, and not yet traced with these levels or deeper ones."""
    measured = track.status == "ok" and bool(track.visits)
    return measured and track.role in TRACED_ROLES and not track.trace.get("levels", "").startswith(levels)
