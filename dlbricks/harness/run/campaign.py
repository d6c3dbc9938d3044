"""Measures a suite: loads benchmarks into workers, and visits the benchmarks one at a time in random order.

A visit is some timed calls of a benchmark, made one after the other; a benchmark gets several visits.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from ..cache_state import OUTPUTS_COLD, READ_IN_TURN, WEIGHTS_COLD, CacheDistances, CallOverhead, ReuseDistances, Step
from ..options import RunOptions
from .loading import Loader
from .progress import Clock, Progress
from .schedule import (
    BenchmarkState,
    first_visits_first,
    interleaved,
    is_done,
    most_beneficial,
    remaining_ns,
    retry_limit,
    steps_of_visit,
    stricter,
    visit_cost_ns,
)
from .worker_pool import IDLE, WorkerDiedError, WorkerPool

# Interval between sweeps, in which all references (anchors, empty graphs, curve) are visited.
SWEEP_NS = 500_000_000
# Largest share of the run's time for sweeps; above it the interval is longer.
SWEEP_SHARE = 0.15
# Assumed duration of the first visit to the benchmark of role ``curve``, which clears the caches many times.
_CURVE_NS = 1_000_000_000
# Largest share of a budget for the miss curve, from its third visit on: its visits are mostly preparation.
CURVE_SHARE = 0.04
# Number of first rounds that have a sweep at any cost, so that short runs measure their anchors, too.
FIRST_SWEEPS = 8
# Least interval between two saves of the unfinished run.
SAVE_NS = 10_000_000_000
# Saving takes at most this part (a twentieth) of the run's time, however large the result is.
_SAVE_SHARE = 20
_REPORT_NS = 1_000_000_000
# Part of a budget that is reserved for assembling and writing the result.
_RESERVE_NS = 200_000_000
_RESERVE_EACH_NS = 500_000
_RESERVE_SHARE = 0.01
# Time to trace the kernels of a benchmark, and its largest share of a budget.
_TRACING_NS, _MOST_TRACING = 20_000_000, 0.2
# Most of it for entries: a short budget measures few of many benchmarks, and entries without times are short.
_MOST_RESERVED = 0.05
# Number of traces in a row that may fail; no more are tried after them.
_MOST_FAILURES = 3
# Number of times that an idle worker may be killed from outside; more would follow, so the benchmarks fail.
_IDLE_DEATHS = 3
# The calls of a visit may take this many times as long as earlier calls, even if that is more than ``timeout_ns``.
_PATIENCE = 4
_BUDGET_SPENT = "the budget was spent"
# Relative half width of a network's interval below which the run ends before its budget.
_LEAST_TARGET = 1e-4
# Number of visits after which the run ends before its budget; the result then has some 100 MB.
MOST_VISITS = 100_000


class Campaign:
    """Measures the benchmarks of a suite and updates ``tracks``, their states."""

    def __init__(  # noqa: PLR0913 - collaborators and callbacks, by name
        self,
        pool: WorkerPool,
        options: RunOptions,
        clock: Clock,
        *,
        distances: CacheDistances,
        tracks: Sequence[BenchmarkState],
        queue: dict[str, Any],
        report: Callable[[Progress], None],
        save: Callable[[], None],
        between: Callable[[], int],
    ) -> None:
        """Store the arguments; ``between`` is called between visits and returns how many bytes it touched.

        ``queue`` holds the constants of a device (empty on the CPU), which ``run`` updates by traced kernels.
        """
        self._queue = queue
        self._pool, self._asked, self._clock, self._distances = pool, options, clock, distances
        self._options = options
        # anchors come first and empty graphs last: both show disturbances of the visits in between
        order = ("anchor", "curve", "nodes", "overhead")
        self._references = [track for role in order for track in tracks if track.role == role]
        self._tracks = [track for track in tracks if not track.is_reference]
        self._report, self._save, self._between = report, save, between
        # a network and its parts are all measured once, since it could not be compared with some of its parts
        self._compared = any(track.role == "whole" for track in tracks)
        self._overhead = next((track for track in self._references if track.role == "overhead"), None)
        self._touched_bytes = {track.fingerprint: track.touched_bytes for track in tracks}
        self._reuse = ReuseDistances(distances.far_bytes)
        self._call_overhead = CallOverhead(self._reuse, distances.far_bytes)
        self._loader = Loader(pool, options, self._reuse, clock.now)
        self._batch: list[BenchmarkState] = []
        self._idle_deaths = 0
        self._deadline_ns: float = float("inf")
        self._limit_ns = clock.before_ns + (options.budget_ns or math.inf)
        self._end_ns: float = float("inf")
        self._visits = self._since_sweep = 0
        self._last_sweep_ns = self._last_report_ns = 0
        self._last_save_ns, self._save_cost_ns = clock.now(), 0
        self._sweep_cost_ns = 0
        self._rounds = self._sweeps = 0
        for track in self._tracks:
            track.done = is_done(track, options)

    def run(self, batches: Sequence[Sequence[Mapping[str, Any]]]) -> None:
        """Measure all batches (``loading.batches``), until everything is done or the budget is spent."""
        by_fingerprint = {track.fingerprint: track for track in self._tracks}
        budget_ns = self._options.budget_ns
        if budget_ns:
            each_ns = min(_RESERVE_EACH_NS * len(self._tracks), _MOST_RESERVED * budget_ns)
            most_ns = _MOST_TRACING * budget_ns if self._queue and "untraced" not in self._queue else 0
            tracing_ns = min(_TRACING_NS * (10 + sum("traced" not in track.queue for track in self._tracks)), most_ns)
            reserve_ns = _RESERVE_SHARE * budget_ns + _RESERVE_NS + each_ns + tracing_ns
            self._end_ns = self._limit_ns - reserve_ns
        left = sum(map(len, batches))
        for batch in batches:
            tracks = [by_fingerprint[benchmark["fingerprint"]] for benchmark in batch]
            if self._compared or not self._batch or self._clock.now() < self._end_ns:
                self._measure_device()
                now, final = self._clock.now(), self._end_ns - self._sweep_cost_ns
                self._deadline_ns = now + max(0.0, final - now) * len(tracks) / max(1, left)
                left -= len(tracks)
                self._batch = [*self._references, *tracks]
                self._load()
                if self._clock.now() < self._end_ns:
                    self._sweep()
            self._measure(tracks)
        self._deadline_ns = float("inf")
        if self._visits:
            self._sweep()
        self._measure_device()
        self._loader.end()
        for track in self._references:
            if track.loaded and track.status == "not run":
                track.reason = _BUDGET_SPENT
        self._report_progress("done", force=True)

    def _measure(self, tracks: list[BenchmarkState]) -> None:
        # Sequences that are compared with an end-to-end network are visited as long as that network is, so that both
        # are measured in the same conditions of the machine.
        self._options = self._asked
        while live := _tracks_of_round(tracks) or self._tracks_to_refine(tracks):
            self._rounds += 1
            visits = 0
            first = self._compared and not all(track.visits for track in live)
            left_ns = float("inf") if first else self._deadline_ns - self._clock.now()
            live = most_beneficial(live, self._options, left_ns)
            random.Random(f"{self._options.seed}/{self._rounds}/{self._clock.before_ns}").shuffle(live)  # noqa: S311
            live.sort(key=lambda track: self._loader.code.rank(track.fingerprint))
            live.sort(key=first_visits_first)
            compared = {track.fingerprint for track in live if track.done}
            if self._sweeps < FIRST_SWEEPS and self._since_sweep:
                self._sweep()
            for track in interleaved(live, self._options):
                if track.done and track.fingerprint not in compared and track.role != "whole":
                    continue
                if self._clock.now() - self._last_sweep_ns > max(SWEEP_NS, self._sweep_cost_ns / SWEEP_SHARE):
                    self._sweep()
                late = visit_cost_ns(track, self._options) > self._deadline_ns - self._clock.now()
                late = late and not (self._compared and not track.visits)
                if track.loaded and track.status != "failed" and not late:
                    self._visit(track)
                    visits += 1
                    self._between_visits()
            if not visits:
                break
        for track in tracks:
            if track.status == "not run":
                track.reason = _BUDGET_SPENT

    def _tracks_to_refine(self, tracks: list[BenchmarkState]) -> list[BenchmarkState]:
        # Once all benchmarks are done: tighten the target and return the benchmarks to visit in the remaining budget
        compared = any(track.role == "whole" for track in tracks)
        if self._deadline_ns == float("inf") or compared or self._visits > MOST_VISITS:
            return []
        while self._options.target_relative > _LEAST_TARGET:
            self._options = stricter(self._options)
            for track in tracks:
                track.done = is_done(track, self._options)
            if live := _tracks_of_round(tracks):
                return live
        return []

    def _measure_device(self) -> None:
        # Call whole networks as CUDA graphs, and take times of the device from the kernels of a few calls. Kernels come
        # last, since later calls of a process that has used CUPTI take longer.
        tracks = [track for track in self._batch if track.status == "ok" and track.queue and self._queue]
        for track in tracks:
            if track.role == "whole" and "graph_ns" not in track.queue:
                self._add_times(track, "graph", {"graph_ns": None}, "no CUDA graph")
        tracks, failures = [track for track in tracks if "traced" not in track.queue], 0
        if tracks and "untraced" not in self._queue and not self._queue.get("kernel_gap_ns"):
            reply = self._asked_of({"op": "kernels"})
            self._queue |= {"untraced": reply["error"]} if "error" in reply else reply["queue"]
        for track in tracks:
            if "untraced" not in self._queue:
                error = self._add_times(track, "kernels", {"traced": 0}, "device times by durations of calls")
                failures = failures + 1 if error else 0
                self._queue |= {"untraced": error} if failures == _MOST_FAILURES else {}

    def _add_times(self, track: BenchmarkState, operation: str, none: Mapping[str, Any], without: str) -> str:
        # Add times to the entry `queue` of a benchmark; or `none` and the reason, so that they are not asked for again.
        # Return the error.
        if self._clock.now() >= self._limit_ns:
            return ""
        benchmark = {key: value for key, value in track.benchmark.items() if key != "reference"}
        reply = self._asked_of({"op": operation, "benchmark": benchmark, "queue": track.queue})
        track.queue = {**track.queue, **reply.get("queue", none)}
        if error := str(reply.get("error", "")):
            track.reason = "; ".join(filter(None, (track.reason, f"{without}: {error}")))
        return error

    def _asked_of(self, request: Mapping[str, Any]) -> dict[str, Any]:
        # Return a worker's reply to a request, which holds all that a new worker needs. A failure ends the worker: the
        # context of the device may be unusable.
        self._loader.worker, reply = self._pool.answer(self._loader.worker, request, self._options.timeout_ns)
        if "error" in reply:
            self._loader.end()
        return reply

    def _sweep(self) -> None:
        self._sweeps += 1
        start_ns = self._clock.now()
        for track in self._references:
            # a run that is too short for the curve leaves it out, which rule DB906 reports;
            # a smoke run measures the curve once
            limit_ns = 0 if self._options.smoke and track.rounds else SWEEP_SHARE * (self._end_ns - start_ns)
            affordable = track.role != "curve" or (
                (track.last_visit_ns or _CURVE_NS) <= limit_ns
                and (self._end_ns == float("inf") or track.rounds < 2 or track.spent_ns <= CURVE_SHARE * start_ns)
            )
            if track.loaded and not track.done and affordable:
                self._visit(track)
        self._since_sweep = 0
        self._last_sweep_ns = self._clock.now()
        self._sweep_cost_ns = self._last_sweep_ns - start_ns

    def _visit(self, track: BenchmarkState) -> None:
        worker = self._loader.worker
        if worker is None:
            return
        steps = self._planned(track)
        request: dict[str, Any] = {"op": "visit", "fingerprint": track.fingerprint, "power": track.role == "whole"}
        request |= {"steps": [asdict(step) for step in steps], "same_code": self._loader.code.other(track.fingerprint)}
        # calls may take as long as they did before
        limit_ns = max(self._options.timeout_ns, round(_PATIENCE * len(steps) * track.call_ns))
        start_ns = self._clock.now()
        try:
            reply = self._pool.ask(worker, request, limit_ns)
        except WorkerDiedError as died:
            self._after_death(track, str(died), self._clock.now() - start_ns)
            return
        spent_ns = self._clock.now() - start_ns
        self._visits += 1
        self._since_sweep += 1
        if "error" in reply:
            _add_cost(track, spent_ns)
            track.fail(reply["error"])
            return
        _add_cost(track, spent_ns - self._record(track, steps, reply["taken"], start_ns))
        track.done = not track.is_reference and is_done(track, self._options)

    def _planned(self, track: BenchmarkState) -> list[Step]:
        # Return the steps of the next visit to a benchmark, and record the memory that it will touch
        since = self._reuse.since(track.fingerprint, self._distances.far_bytes) if track.cold else 0
        steps = steps_of_visit(track, self._options, self._distances, since)
        clear = sum(step.clear_bytes for step in steps if step.state in (WEIGHTS_COLD, READ_IN_TURN))
        if track.cold and not track.is_reference:
            empty = self._call_overhead.choose(clear, self._clock.now())
            steps = [step if step.state == OUTPUTS_COLD else replace(step, empty=empty) for step in steps]
        self._reuse.clear(clear)
        if track.cold and (other := self._loader.code.other(track.fingerprint)) is not None:
            self._reuse.touch(other, self._touched_bytes[other])
        self._reuse.touch(track.fingerprint, track.touched_bytes)
        return steps

    def _record(
        self, track: BenchmarkState, steps: Sequence[Step], reply: Sequence[Mapping[str, Any]], start_ns: int
    ) -> int:
        # Record a visit, which is repeated later if it was disturbed; return the time of empty graphs, ns. Timed calls
        # of empty graphs become visits of the benchmark of role ``overhead``.
        retry, overhead, overhead_ns = track.disturbed_in_row < retry_limit(track, self._options), self._overhead, 0
        for step, taken in zip(steps, reply, strict=True):
            begin_ns, disturbed = start_ns + taken["before_ns"], taken["disturbed"]
            track.disturbed += taken["thrown"]
            more = {"disturbed": disturbed, "clock_mhz": taken.get("clock_mhz"), "power_mw": taken.get("power_mw")}
            track.add_visit(begin_ns, step, taken["samples_ns"], again=disturbed and retry, **more)
            if overhead is not None and (empty_ns := taken["empty_ns"]) is not None:
                overhead.add_visit(begin_ns - empty_ns, step, [empty_ns], disturbed=disturbed)
                overhead.wall_ns += empty_ns
                overhead_ns += empty_ns
            start_ns += taken["spent_ns"]
        again = retry and any(taken["disturbed"] for taken in reply)
        track.disturbed_in_row = track.disturbed_in_row + 1 if again else 0
        return overhead_ns

    def _after_death(self, track: BenchmarkState, reason: str, spent_ns: int) -> None:
        # After a worker died during a visit, load its batch again without the benchmark that was visited
        if reason == IDLE:
            self._idle_deaths += 1
            if self._idle_deaths > _IDLE_DEATHS:
                for other in (each for each in self._batch if not each.done):
                    other.fail(f"its idle worker was killed {self._idle_deaths} times")
        else:
            _add_cost(track, spent_ns)
            track.fail(f"{reason} while running")
        self._load()

    def _load(self) -> None:
        self._call_overhead.begin()
        deadline_ns = float("inf") if self._compared else self._deadline_ns
        self._loader.load(self._batch, deadline_ns, lambda: self._report_progress("loading"))

    def _between_visits(self) -> None:
        # Call `between`, report the progress, and save from time to time; called only while nothing is timed
        self._reuse.clear(self._between())
        self._report_progress("measuring" if self._options is self._asked else "refining")
        now = self._clock.now()
        if now - self._last_save_ns > max(SAVE_NS, _SAVE_SHARE * self._save_cost_ns):
            self._save()
            self._last_save_ns = self._clock.now()
            self._save_cost_ns = self._last_save_ns - now

    def _report_progress(self, phase: str, *, force: bool = False) -> None:
        now = self._clock.now()
        if not force and now - self._last_report_ns < _REPORT_NS:
            return
        self._last_report_ns = now
        eta_ns = 0.0
        if phase == "measuring" or self._options.budget_ns:
            eta_ns = remaining_ns(self._tracks, self._options, self._loader.usual_ns)
        if self._options.budget_ns:
            left_ns = max(0.0, self._clock.before_ns + self._options.budget_ns - now)
            eta_ns = left_ns if phase == "refining" else min(eta_ns, left_ns)
        # refining tightens the target, after everything that could be loaded was done
        refined = self._options is not self._asked
        self._report(
            Progress(
                phase=phase,
                done=sum(track.done or (refined and bool(track.visits)) for track in self._tracks),
                total=len(self._tracks),
                loaded=sum(bool(track.warmup_ns) for track in self._tracks),
                visits=self._visits,
                failed=sum(track.status == "failed" for track in self._tracks),
                eta_ns=round(eta_ns) if phase == "measuring" or self._options.budget_ns else None,
            )
        )


def _add_cost(track: BenchmarkState, last_visit_ns: float) -> None:
    # Add the wall time of a visit to a track, unless it is a sequence that is done and visited for comparison only
    track.last_visit_ns = last_visit_ns
    if not track.done or track.role == "whole":
        track.wall_ns += round(last_visit_ns)
        track.spent_ns += round(last_visit_ns)


def _tracks_of_round(tracks: Sequence[BenchmarkState]) -> list[BenchmarkState]:
    # Return the benchmarks of a round: unfinished ones and end-to-end networks; all if one of the latter is unfinished
    live = [track for track in tracks if track.loaded and not track.done]
    if not live:
        return []
    compared = any(track.role == "whole" for track in live)
    done = [track for track in tracks if track.loaded and track.done and track.status == "ok" and not track.on_device]
    return live + [track for track in done if compared or track.role == "whole"]
