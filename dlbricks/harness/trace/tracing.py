"""Traces the benchmarks of a run, one at a time, after all latencies were measured, and shortens their traces."""

import statistics
import tempfile
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..cpu import count_events, why_not_hardware
from ..errors import HarnessError
from ..network import Bound, Prepared, prepare
from ..options import TRACE_LEVELS, TRACED_ROLES, RunOptions
from ..run.progress import Progress
from ..run.schedule import BenchmarkState
from ..run.worker_pool import IDLE, Worker, WorkerDiedError, WorkerPool
from ..session import SessionSettings
from .activities import Activity
from .cupti import ActivityTracer
from .device_queue import busy_times, traced_times
from .layer_profile import RESOLUTION_NS, ExecutedNode, ProfiledCall, load_profile

# In columns of row numbers: none.
NONE = -1
# Lane of the calling thread; other threads are ``host 1``, ``host 2`` and so on.
HOST = "host"
_LAUNCHES = ("runtime", "driver")
_EXECUTIONS = ("kernel", "memcpy", "memset")

# How much too early an end may be: start and duration are truncated to whole microseconds.
_CUT_NS = 2 * RESOLUTION_NS

# Identity of a row in all calls: name and occurrence, or the parent's key and the name.
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """Calls that were recorded by CUPTI."""

    calls: Sequence[ProfiledCall]
    activities: Sequence[Activity]
    shift_ns: int
    """Offset from times of activities to times of the profile."""


@dataclass(slots=True)
class _Layer:
    """Samples of one row of layers, over all calls."""

    place: int
    node: ExecutedNode
    parent: int
    lane: str
    offsets_ns: list[int] = field(default_factory=list)
    durations_ns: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Kernel:
    """Samples of one row of kernels, over all calls."""

    activity: Activity
    layer: int
    launches_ns: list[int] = field(default_factory=list)
    offsets_ns: list[int] = field(default_factory=list)
    durations_ns: list[int] = field(default_factory=list)


def short_form(
    calls: Sequence[ProfiledCall], recorded: Recorded | None = None, notes: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the short form of the traced calls of one benchmark, with texts in its columns.

    In ``calls`` only layers were recorded, in those of ``recorded`` kernels as well.
    """
    rows: dict[Key, _Layer] = {}
    for call in calls:
        _add_call(rows, call)
    all_notes = [*notes]
    form: dict[str, Any] = {
        "levels": TRACE_LEVELS[0] if recorded is None else TRACE_LEVELS[1],
        "calls": len(calls),
        "call_ns": _median([call.duration_ns for call in calls]),
        "layers": _layer_columns(rows, len(calls)),
    }
    if recorded is not None:
        places = {key: row.place for key, row in rows.items()}
        kernels, unplaced = _kernels(recorded, places)
        form["kernels"] = _kernel_columns(kernels)
        if unplaced:
            all_notes.append(f"{unplaced} execution(s) on the device were started in no traced call and were left out")
    return {**form, "notes": all_notes} if all_notes else form


def _keys(call: ProfiledCall) -> list[Key]:
    """Return the key of each node: its occurrences are distinguished outside of bodies, not inside."""
    seen: dict[str, int] = defaultdict(int)
    keys: list[Key] = []
    for node in call.nodes:
        if node.parent is None:
            keys.append((node.name, seen[node.name]))
            seen[node.name] += 1
        else:
            keys.append((keys[node.parent], node.name))
    return keys


def _add_call(rows: dict[Key, _Layer], call: ProfiledCall) -> None:
    keys = _keys(call)
    lanes: dict[int, str] = {call.thread: HOST}
    first: set[Key] = set()
    for key, node in zip(keys, call.nodes, strict=True):
        lane = lanes.setdefault(node.thread, f"{HOST} {len(lanes)}")
        if key not in rows:
            parent = NONE if node.parent is None else rows[keys[node.parent]].place
            rows[key] = _Layer(place=len(rows), node=node, parent=parent, lane=lane)
        rows[key].durations_ns.append(node.duration_ns)
        if key not in first:
            first.add(key)
            rows[key].offsets_ns.append(node.start_ns - call.start_ns)


def _layer_columns(rows: Mapping[Key, _Layer], calls: int) -> dict[str, list[Any]]:
    layers = list(rows.values())
    return {
        "name": [row.node.name for row in layers],
        "operator": [row.node.operator for row in layers],
        "provider": [row.node.provider.removesuffix("ExecutionProvider").lower() for row in layers],
        "lane": [row.lane for row in layers],
        "parent": [row.parent for row in layers],
        "offset_ns": [_median(row.offsets_ns) for row in layers],
        "duration_ns": [_median(row.durations_ns) for row in layers],
        "count": [max(1, round(len(row.durations_ns) / calls)) for row in layers],
    }


def _kernels(recorded: Recorded, places: Mapping[Key, int]) -> tuple[list[_Kernel], int]:
    """Return a row for each execution on the device, and the number of executions launched outside the calls."""
    launches: dict[int, Activity] = {}
    for activity in recorded.activities:
        if activity.kind in _LAUNCHES and activity.correlation is not None:
            earlier = launches.get(activity.correlation)
            if earlier is None or activity.start_ns < earlier.start_ns:
                launches[activity.correlation] = activity
    finders = [_Finder(call, places) for call in recorded.calls]
    begins = [finder.call.start_ns for finder in finders]
    rows: dict[Key, _Kernel] = {}
    unplaced = 0
    executed = [activity for activity in recorded.activities if activity.kind in _EXECUTIONS]
    for activity in sorted(executed, key=lambda activity: activity.start_ns):
        launch = launches.get(activity.correlation if activity.correlation is not None else NONE)
        place = NONE if launch is None else bisect_right(begins, launch.start_ns + recorded.shift_ns) - 1
        if launch is None or place < 0 or not finders[place].holds(launch.start_ns + recorded.shift_ns):
            unplaced += 1
            continue
        finders[place].add(rows, activity, launch.start_ns + recorded.shift_ns, recorded.shift_ns)
    return list(rows.values()), unplaced


class _Finder:
    """Assigns executions to the layers of one call."""

    def __init__(self, call: ProfiledCall, places: Mapping[Key, int]) -> None:
        self.call = call
        keyed = zip(_keys(call), call.nodes, strict=True)
        self._layers = [(node, places.get(key, NONE)) for key, node in keyed if node.parent is None]
        self._begins = [node.start_ns for node, _ in self._layers]
        self._seen: dict[tuple[int, str], int] = defaultdict(int)

    def holds(self, time_ns: int) -> bool:
        """Whether the call was running at a time."""
        return self.call.start_ns <= time_ns < self.call.end_ns + _CUT_NS

    def layer(self, time_ns: int) -> int:
        """Return the row of the layer that was running at a time, ``NONE`` between layers."""
        at = bisect_right(self._begins, time_ns) - 1
        if at < 0 or time_ns >= self._layers[at][0].end_ns + _CUT_NS:
            return NONE
        return self._layers[at][1]

    def add(self, rows: dict[Key, _Kernel], activity: Activity, launch_ns: int, shift_ns: int) -> None:
        """Add an execution that was launched in this call."""
        layer = self.layer(launch_ns)
        key = (layer, activity.name, self._seen[layer, activity.name])
        self._seen[layer, activity.name] += 1
        row = rows.setdefault(key, _Kernel(activity=activity, layer=layer))
        row.launches_ns.append(launch_ns - self.call.start_ns)
        row.offsets_ns.append(activity.start_ns + shift_ns - self.call.start_ns)
        row.durations_ns.append(activity.duration_ns)


def _kernel_columns(rows: Sequence[_Kernel]) -> dict[str, list[Any]]:
    return {
        "name": [row.activity.name for row in rows],
        "kind": [row.activity.kind for row in rows],
        "lane": [f"gpu {row.activity.device or 0} stream {row.activity.stream or 0}" for row in rows],
        "layer": [row.layer for row in rows],
        "launch_ns": [_median(row.launches_ns) for row in rows],
        "offset_ns": [_median(row.offsets_ns) for row in rows],
        "duration_ns": [_median(row.durations_ns) for row in rows],
    }


def _median(values: Sequence[int]) -> int:
    return round(statistics.median(values))


# Least interval between saves.
SAVE_NS = 10_000_000_000
# Assumed time of the first trace.
_FIRST_NS = 50_000_000
# Share of a run's budget for tracing, and time for starting a worker.
_BUDGET_SHARE, _START_NS = 0.2, 700_000_000
_RESERVE_SHARE, _RESERVE_NS = 0.01, 200_000_000


class TraceRound:
    """Traces the measured benchmarks of a run; updates the given tracks."""

    def __init__(
        self,
        pool: WorkerPool,
        options: RunOptions,
        now: Callable[[], int],
        *,
        queue: dict[str, int],
        report: Callable[[Progress], None],
        save: Callable[[], None],
    ) -> None:
        """Prepare tracing; the constants of the device's ``queue`` are updated if kernels are traced."""
        self._queue = queue
        self._pool, self._options, self._now = pool, options, now
        self._report, self._save = report, save
        self._worker: Worker | None = None

    def run(self, tracks: Sequence[BenchmarkState], deadline_ns: float) -> None:
        """Trace one benchmark after the other, the most important first, until all are traced or the time is up."""
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
                track.trace = {"levels": self._options.trace, **self._trace(track, scratch)}
                longest_ns = max(longest_ns, self._now() - start_ns)
                left_ns = (self._now() - begin_ns) / (index + 1) * (len(wanted) - index - 1)
                self._report_progress(index + 1, wanted, left_ns)
                if self._now() - saved_ns > SAVE_NS:
                    self._save()
                    saved_ns = self._now()
            if self._worker is not None and self._worker.alive:
                self._pool.stop(self._worker)

    def _trace(self, track: BenchmarkState, scratch: str) -> dict[str, Any]:
        """Trace one benchmark; an error is its failure, and the next gets a new worker if needed."""
        benchmark = {key: value for key, value in track.benchmark.items() if key != "reference"}
        request = {"op": "trace", "benchmark": benchmark, "levels": self._options.trace, "scratch": scratch}
        start_ns = self._now()
        try:
            reply = self._pool.ask(self._live_worker(), request, self._options.timeout_ns)
        except WorkerDiedError as died:
            self._worker = None
            ended = "its idle worker was killed" if str(died) == IDLE else f"{died} while tracing"
            reply = {"error": ended}
        taken = {"failed": reply["error"]} if "error" in reply else reply["trace"]
        if busy := taken.pop("busy", None):
            gap_ns = self._queue.get("kernel_gap_ns", 0)
            track.queue = traced_times(track.queue, busy["busy_ns"], busy["kernels"], gap_ns) if track.queue else {}
        return {**taken, "wall_ns": self._now() - start_ns}

    def _live_worker(self) -> Worker:
        """Return the worker; start one if there is none or it has died."""
        self._pool.reap()
        if self._worker is not None and self._worker.alive:
            return self._worker
        self._worker = self._pool.start_and_wait()
        if self._queue and self._options.trace == TRACE_LEVELS[1] and not self._queue["kernel_gap_ns"]:
            reply = self._pool.ask(self._worker, {"op": "queue", "traced": True}, self._options.timeout_ns)
            self._queue.update(reply.get("queue", {}))
        return self._worker

    def _report_progress(self, done: int, tracks: Sequence[BenchmarkState], left_ns: float) -> None:
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
    """Return the part of a run's budget for measuring, at least half."""
    return max(budget_ns // 2, round(budget_ns * (1 - _BUDGET_SHARE)) - _START_NS)


def is_to_trace(track: BenchmarkState, levels: str) -> bool:
    """Whether a benchmark of a traced role was measured and not yet traced with these levels or deeper ones."""
    measured = track.status == "ok" and bool(track.visits)
    return measured and track.role in TRACED_ROLES and not track.trace.get("levels", "").startswith(levels)


# Limits of the number of traced calls, which last about ``CALLS_NS`` together.
FEWEST_CALLS, MOST_CALLS = 3, 20
CALLS_NS = 20_000_000


def take_trace(
    benchmark: Mapping[str, Any],
    suite_folder: Path,
    weights: Path,
    settings: SessionSettings,
    seed: int,
    levels: str,
    *,
    scratch: Path,
) -> dict[str, Any]:
    """Trace a benchmark of a suite in this process; return the short form of its trace, with texts in its columns.

    Args are those of ``prepare``; the runtime's profile is written to ``scratch`` and removed after reading.

    Raises:
        HarnessError: see ``prepare``; or kernels cannot be traced here, or no call was recorded.
        Exception: whatever onnxruntime raises.
    """
    tracer = ActivityTracer() if levels == TRACE_LEVELS[1] else None
    prepared = prepare(benchmark, suite_folder, weights, settings, seed, profile=scratch / "profile")
    inference, bound = prepared.session.inference, prepared.bound
    warm_up = bound.warm_up()
    count = max(FEWEST_CALLS, min(MOST_CALLS, CALLS_NS // max(1, warm_up[-1])))
    bound.visit(count)
    activities = _recorded(tracer, bound, count) if tracer else ()
    begun_unix_ns = int(inference.get_profiling_start_time_ns())
    path = Path(inference.end_profiling())
    profile = load_profile(path)
    path.unlink()
    calls = profile.calls[len(warm_up) :]
    if not calls:
        raise HarnessError(f"the runtime's profile holds no call: {'; '.join(profile.notes) or 'it is empty'}")
    counts, notes = _counted(prepared, settings, count)
    if tracer is None or tracer.clock is None:
        return {**short_form(calls, notes=(*profile.notes, *notes)), **counts}
    shift_ns = tracer.clock.unix_offset_ns - begun_unix_ns
    recorded = Recorded(calls=calls[count:], activities=activities, shift_ns=shift_ns)
    form = short_form(calls[:count], recorded, (*profile.notes, *tracer.notes))
    if tracer.lost:  # their sum would be too small: keep the device times that follow from calls
        return form
    busy_ns, kernels = busy_times(activities, count)
    return {**form, "busy": {"busy_ns": busy_ns, "kernels": kernels}}


def _counted(prepared: Prepared, settings: SessionSettings, count: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the entry ``counts`` of a trace, and notes; nothing if counters are unavailable, as the facts mention."""
    if prepared.session.device != "cpu" or why_not_hardware(settings.threads) is not None:
        return {}, ()
    try:
        return {"counts": count_events(prepared.bound.call, count).to_plain()}, ()
    except HarnessError as error:
        return {}, (str(error),)


def _recorded(tracer: ActivityTracer, bound: Bound, count: int) -> tuple[Activity, ...]:
    """Make further calls with CUPTI recording."""
    tracer.start()
    try:
        bound.visit(count)
    finally:
        activities = tracer.stop()
    return activities
