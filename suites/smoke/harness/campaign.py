"""The measuring itself: loads benchmarks into workers and visits them in turn, one at a time over the whole machine."""

import random
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .crew import IDLE, Crew, Worker, WorkerDiedError
from .errors import HarnessError
from .progress import Progress
from .schedule import RunOptions, Track, calls_of_visit, is_done, remaining_ns, visit_cost_ns
from .sketch import compare_all

SWEEP_VISITS = 64
"""Visits after which anchors and the empty graph have their turn."""
FIRST_SWEEPS = 8
"""So many rounds have one in any case, so that short runs know their anchors, too."""
SWEEP_NS = 3_000_000_000
"""Time after which they have it in any case."""
SAVE_NS = 10_000_000_000
"""Time after which what was measured is saved."""
_SAVE_SHARE = 20
_REPORT_NS = 500_000_000
_RESERVE_NS = 200_000_000
_RESERVE_EACH_NS = 500_000
_RESERVE_SHARE = 0.01
_IDLE_DEATHS = 3
_BUDGET_SPENT = "the budget was spent"


@dataclass(slots=True, kw_only=True)
class _Group:
    """Benchmarks that share a worker."""

    tracks: list[Track]
    worker: Worker | None = None
    todo: deque[Track] = field(default_factory=deque)
    loading: Track | None = None
    idle_deaths: int = 0


def _unfinished(group: _Group) -> deque[Track]:
    """Take note that the group's worker holds nothing, and give what it has to load."""
    for track in group.tracks:
        track.loaded = False
    return deque(track for track in group.tracks if not track.done)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The time of the run: goes on where an interrupted run stopped."""

    begin_ns: int
    """Of the process's timer, when this run began."""
    before_ns: int = 0
    """Wall time of the runs before."""

    def now(self) -> int:
        """Give the time since the run began, ns."""
        return time.perf_counter_ns() - self.begin_ns + self.before_ns


class Campaign:
    """One run over the benchmarks of a suite. Changes the tracks that it is given."""

    def __init__(
        self,
        crew: Crew,
        options: RunOptions,
        clock: Clock,
        *,
        tracks: Sequence[Track],
        report: Callable[[Progress], None],
        save: Callable[[], None],
    ) -> None:
        """Keep what the run works with; nothing is started.

        Args:
            crew: starts workers.
            options: of the run.
            clock: of the run.
            tracks: everything that is to be measured, anchors and the empty graph included.
            report: told how far the run is.
            save: keeps what was measured so far.
        """
        self._crew, self._options, self._clock = crew, options, clock
        self._references = [track for track in tracks if track.is_reference]
        self._tracks = [track for track in tracks if not track.is_reference]
        self._report, self._save = report, save
        self._groups: dict[str, _Group] = {}
        self._deadline_ns: float = float("inf")
        self._visits = self._since_sweep = 0
        self._last_sweep_ns = self._last_report_ns = 0
        self._last_save_ns, self._save_cost_ns = clock.now(), 0
        self._sweep_cost_ns = 0
        self._load_cost_ns, self._loads = 0.0, 0
        self._owed_ns = self._owed_usual_ns = 0.0
        self._rounds = self._sweeps = 0
        for track in self._tracks:
            track.done = is_done(track, options)

    def run(self, batches: Sequence[Sequence[Sequence[Mapping[str, Any]]]], jobs: int) -> None:
        """Measure batch after batch until everything is done or the budget is spent.

        Args:
            batches: groups of benchmarks that are alive together (``plan.batches``).
            jobs: workers that load at the same time.
        """
        by_fingerprint = {track.fingerprint: track for track in self._tracks}
        budget_ns = self._options.budget_ns
        end_ns = float("inf")
        if budget_ns:
            reserve_ns = _RESERVE_SHARE * budget_ns + _RESERVE_NS + _RESERVE_EACH_NS * len(self._tracks)
            end_ns = self._clock.before_ns + budget_ns - reserve_ns
        self._deadline_ns = end_ns
        first = [_Group(tracks=list(self._references))]
        left = sum(len(group) for batch in batches for group in batch)
        for batch in batches:
            groups = [_Group(tracks=[by_fingerprint[one["fingerprint"]] for one in group]) for group in batch]
            count = sum(len(group.tracks) for group in groups)
            now = self._clock.now()
            final = end_ns - self._sweep_cost_ns
            self._deadline_ns = now + max(0.0, final - now) * count / left
            left -= count
            self._load([*first, *groups], jobs)
            first = []
            self._sweep()
            self._measure([track for group in groups for track in group.tracks])
            for group in groups:
                if group.worker is not None and group.worker.alive:
                    self._crew.dismiss(group.worker)
        self._deadline_ns = float("inf")
        self._sweep()
        self._tell("done", force=True)

    def _measure(self, tracks: list[Track]) -> None:
        """Visit every benchmark of a batch once a round, in random order, until all are done or time is up."""
        live = [track for track in tracks if track.loaded and not track.done]
        while live:
            self._rounds += 1
            visited = False
            random.Random(f"{self._options.seed}/{self._rounds}/{self._clock.before_ns}").shuffle(live)  # noqa: S311
            live.sort(key=lambda track: bool(track.visits))
            if self._sweeps < FIRST_SWEEPS and self._since_sweep:
                self._sweep()
            for track in live:
                if not track.loaded or track.done:
                    continue
                self._sweep_if_due()
                if self._clock.now() + visit_cost_ns(track, self._options) <= self._deadline_ns:
                    self._visit(track)
                    visited = True
                    self._between_visits()
            live = [track for track in live if track.loaded and not track.done]
            if not visited:
                break
        for track in tracks:
            if track.status == "not run":
                track.reason = _BUDGET_SPENT

    def _sweep_if_due(self) -> None:
        if self._since_sweep >= SWEEP_VISITS or self._clock.now() - self._last_sweep_ns > SWEEP_NS:
            self._sweep()

    def _sweep(self) -> None:
        """Visit the anchors and the empty graph."""
        self._sweeps += 1
        start_ns = self._clock.now()
        for track in self._references:
            if track.loaded and not track.done:
                self._visit(track)
        self._since_sweep = 0
        self._last_sweep_ns = self._clock.now()
        self._sweep_cost_ns = self._last_sweep_ns - start_ns

    def _visit(self, track: Track) -> None:
        """Measure one benchmark once more; what goes wrong is its own failure."""
        group = self._groups[track.fingerprint]
        if group.worker is None:
            return
        calls = calls_of_visit(track, self._options)
        if not (track.visits or track.is_reference):
            self._owed_ns -= calls * track.call_ns
        request = {"op": "visit", "fingerprint": track.fingerprint, "calls": calls}
        start_ns = self._clock.now()
        try:
            reply = self._crew.ask(group.worker, request, self._options.timeout_ns)
        except WorkerDiedError as died:
            self._restart(group, track, str(died))
            return
        finally:
            track.wall_ns += self._clock.now() - start_ns
        self._visits += 1
        self._since_sweep += 1
        if "error" in reply:
            track.fail(reply["error"])
        else:
            track.add_visit(start_ns, reply["samples_ns"])
            track.done = not track.is_reference and is_done(track, self._options)

    def _restart(self, group: _Group, track: Track, reason: str) -> None:
        """Start a group again after its worker died during a visit; the benchmark that was visited is left out."""
        if reason != IDLE:
            track.fail(f"{reason} while running")
        else:
            group.idle_deaths += 1
            if group.idle_deaths > _IDLE_DEATHS:
                for one in group.tracks:
                    one.fail(f"its worker process was ended from outside {group.idle_deaths} times")
        self._load([group], 1)

    def _load(self, groups: Sequence[_Group], jobs: int) -> None:
        """Load the benchmarks of groups, ``jobs`` groups at a time."""
        waiting = deque(groups)
        for group in groups:
            group.worker = None
            group.todo = _unfinished(group)
            self._groups.update({track.fingerprint: group for track in group.tracks})
        active: dict[Worker, _Group] = {}
        while True:
            while waiting and len(active) < jobs:
                group = waiting.popleft()
                if group.todo:
                    group.worker = self._crew.hire()
                    active[group.worker] = group
            if not active:
                return
            worker, reply = self._crew.next_reply()
            group = active.pop(worker)
            if isinstance(reply, WorkerDiedError):
                self._bury(group, str(reply))
                waiting.appendleft(group)
            else:
                self._loaded(group, reply)
                if self._send_load(group):
                    active[worker] = group
            self._tell("loading")

    def _send_load(self, group: _Group) -> bool:
        """Ask for the next benchmark of a group; False when there is none, or no time for it."""
        if group.worker is None or not group.todo:
            return False
        track = group.todo[0]
        if not track.is_reference and not self._has_time_to_load():
            group.todo.clear()
            return False
        group.loading = group.todo.popleft()
        request = {"op": "load", "benchmark": track.benchmark}
        group.worker.send(request, self._options.timeout_ns)
        return True

    def _has_time_to_load(self) -> bool:
        """Whether another benchmark can be loaded and visited beside those that still wait for their first visit."""
        if self._deadline_ns == float("inf"):
            return True
        loads = max(1, self._loads)
        usual = self._owed_usual_ns / loads
        return self._clock.now() + self._owed_ns + usual + self._load_cost_ns / loads < self._deadline_ns

    def _loaded(self, group: _Group, reply: Mapping[str, Any]) -> None:
        """Take in the answer to a request to load, or to the first request of a worker."""
        track, group.loading = group.loading, None
        if track is None:
            if "error" in reply:
                raise HarnessError(reply["error"])
            return
        if "error" in reply:
            track.fail(reply["error"])
            return
        track.load_ns, track.warmup_ns = reply["load_ns"], reply["warmup_ns"]
        track.sketches, track.placement = reply["sketches"], reply["placement"]
        track.wall_ns += reply["wall_ns"]
        track.loaded = True
        self._load_cost_ns += reply["wall_ns"]
        self._loads += 1
        if not track.is_reference:
            cost_ns = visit_cost_ns(track, self._options)
            self._owed_usual_ns += cost_ns
            self._owed_ns += 0.0 if track.visits else cost_ns
        wrong = compare_all(track.sketches, track.benchmark["reference"], track.benchmark["operators"])
        if wrong is not None:
            track.fail(f"wrong answer: {wrong}")

    def _bury(self, group: _Group, reason: str) -> None:
        """Give up the benchmark whose loading killed the worker; the rest of the group is loaded again."""
        track, group.loading, group.worker = group.loading, None, None
        if track is None:
            raise HarnessError(f"a worker process could not start: {reason}")
        track.fail(f"{reason} while loading")
        group.todo = _unfinished(group)

    def _between_visits(self) -> None:
        """Tell how far the run is, and save now and then; never while something is timed."""
        self._tell("measuring")
        now = self._clock.now()
        if now - self._last_save_ns > max(SAVE_NS, _SAVE_SHARE * self._save_cost_ns):
            self._save()
            self._last_save_ns = self._clock.now()
            self._save_cost_ns = self._last_save_ns - now

    def _tell(self, phase: str, *, force: bool = False) -> None:
        now = self._clock.now()
        if not force and now - self._last_report_ns < _REPORT_NS:
            return
        self._last_report_ns = now
        eta_ns = remaining_ns(self._tracks, self._options, self._load_cost_ns / max(1, self._loads))
        if self._options.budget_ns:
            eta_ns = min(eta_ns, max(0.0, self._clock.before_ns + self._options.budget_ns - now))
        progress = Progress(
            phase=phase,
            done=sum(track.done for track in self._tracks),
            total=len(self._tracks),
            loaded=sum(bool(track.warmup_ns) for track in self._tracks),
            visits=self._visits,
            failed=sum(track.status == "failed" for track in self._tracks),
            eta_ns=round(eta_ns) if phase == "measuring" or self._options.budget_ns else None,
        )
        self._report(progress)
