"""Traces the benchmarks of a run, one at a time, after all latencies were measured; also shortens traces."""

import statistics
import tempfile
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ..cpu import count_events, why_not_hardware
from ..errors import HarnessError
from ..network import Prepared, prepare
from ..options import TRACE_LEVELS, TRACED_ROLES, RunOptions
from ..run.progress import Progress
from ..run.schedule import BenchmarkState
from ..run.worker_pool import Worker, WorkerPool
from ..session import SessionSettings
from .activities import Activity
from .cupti import ActivityTracer
from .layer_profile import HOST, RESOLUTION_NS, ExecutedNode, ProfiledCall, load_profile

# Value for "no row" in columns of row numbers.
NONE = -1
_LAUNCHES = ("runtime", "driver")
_EXECUTIONS = ("kernel", "memcpy", "memset")

# An end may be this much too early, since start and duration are each truncated to whole microseconds.
_CUT_NS = 2 * RESOLUTION_NS

# Identifies a row in all calls: name and occurrence, or key of the parent and name.
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The calls during which CUPTI recorded GPU activities."""

    calls: Sequence[ProfiledCall]
    activities: Sequence[Activity]
    shift_ns: int
    """Offset that converts times of activities to times of the profile, ns."""


@dataclass(slots=True)
class _Row:
    # a layer or a kernel: its place among the rows, the values that all calls share, and samples by column of times
    place: int
    fixed: dict[str, Any]
    times: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))


def short_form(
    calls: Sequence[ProfiledCall], recorded: Recorded | None = None, notes: Iterable[str] = ()
) -> dict[str, Any]:
    """Return a benchmark's trace for the result file: columns of the median times of each layer and kernel.

    ``calls`` have only layers; ``recorded`` has further calls, with layers and kernels.
    """
    rows: dict[Key, _Row] = {}
    for call in calls:
        _add_call(rows, call)
    counts = [max(1, round(len(row.times["duration_ns"]) / len(calls))) for row in rows.values()]
    all_notes = [*notes]
    form: dict[str, Any] = {
        "levels": TRACE_LEVELS[0] if recorded is None else TRACE_LEVELS[1],
        "calls": len(calls),
        "call_ns": _median([call.duration_ns for call in calls]),
        "layers": {**_columns(rows, _LAYER_FIELDS, ("offset_ns", "duration_ns")), "count": counts},
    }
    if recorded is not None:
        kernels, unplaced = _kernels(recorded, {key: row.place for key, row in rows.items()})
        form["kernels"] = _columns(kernels, _KERNEL_FIELDS, ("launch_ns", "offset_ns", "duration_ns"))
        if unplaced:
            all_notes.append(f"executions on the device outside the traced calls are left out: {unplaced}")
    return {**form, "notes": all_notes} if all_notes else form


_LAYER_FIELDS = ("name", "operator", "provider", "lane", "parent")
_KERNEL_FIELDS = ("name", "kind", "lane", "layer")


def _columns(rows: Mapping[Key, _Row], fixed: Sequence[str], times: Sequence[str]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [row.fixed[name] for row in rows.values()] for name in fixed}
    return {**columns, **{name: [_median(row.times[name]) for row in rows.values()] for name in times}}


def _keys(call: ProfiledCall) -> list[Key]:
    # Return the key of each node; it distinguishes several executions of a node outside of bodies only
    seen: dict[str, int] = defaultdict(int)
    keys: list[Key] = []
    for node in call.nodes:
        if node.parent is None:
            keys.append((node.name, seen[node.name]))
            seen[node.name] += 1
        else:
            keys.append((keys[node.parent], node.name))
    return keys


def _add_call(rows: dict[Key, _Row], call: ProfiledCall) -> None:
    keys, lanes, first = _keys(call), {call.thread: HOST}, set[Key]()
    for key, node in zip(keys, call.nodes, strict=True):
        lane = lanes.setdefault(node.thread, f"{HOST} {len(lanes)}")
        if key not in rows:
            parent = NONE if node.parent is None else rows[keys[node.parent]].place
            fixed = dict(zip(_LAYER_FIELDS, (node.name, node.operator, node.provider, lane, parent), strict=True))
            rows[key] = _Row(len(rows), fixed)
        rows[key].times["duration_ns"].append(node.duration_ns)
        if key not in first:
            first.add(key)
            rows[key].times["offset_ns"].append(node.start_ns - call.start_ns)


def _kernels(recorded: Recorded, places: Mapping[Key, int]) -> tuple[dict[Key, _Row], int]:
    # Return a row for each execution on the device, and the number of executions that started outside the calls
    calls, shift_ns = recorded.calls, recorded.shift_ns
    launched: dict[int, int] = {}
    for activity in recorded.activities:
        if activity.kind in _LAUNCHES and activity.correlation is not None:
            start_ns = activity.start_ns + shift_ns
            launched[activity.correlation] = min(start_ns, launched.get(activity.correlation, start_ns))
    begins = [call.start_ns for call in calls]
    layers = [
        [
            (node, places.get(key, NONE))
            for key, node in zip(_keys(call), call.nodes, strict=True)
            if node.parent is None
        ]
        for call in calls
    ]
    rows: dict[Key, _Row] = {}
    seen: dict[tuple[int, int, str], int] = defaultdict(int)
    unplaced = 0
    executed = [activity for activity in recorded.activities if activity.kind in _EXECUTIONS]
    for activity in sorted(executed, key=lambda activity: activity.start_ns):
        launch_ns = launched.get(activity.correlation if activity.correlation is not None else NONE)
        at = NONE if launch_ns is None else bisect_right(begins, launch_ns) - 1
        if launch_ns is None or at < 0 or launch_ns >= calls[at].end_ns + _CUT_NS:
            unplaced += 1
            continue
        layer = _layer_at(layers[at], launch_ns)
        key = (layer, activity.name, seen[at, layer, activity.name])
        seen[at, layer, activity.name] += 1
        if key not in rows:
            lane = f"gpu {activity.device or 0} stream {activity.stream or 0}"
            fixed = dict(zip(_KERNEL_FIELDS, (activity.name, activity.kind, lane, layer), strict=True))
            rows[key] = _Row(len(rows), fixed)
        times = rows[key].times
        times["launch_ns"].append(launch_ns - begins[at])
        times["offset_ns"].append(activity.start_ns + shift_ns - begins[at])
        times["duration_ns"].append(activity.duration_ns)
    return rows, unplaced


def _layer_at(layers: Sequence[tuple[ExecutedNode, int]], time_ns: int) -> int:
    # Return the row of the layer that ran at a time; `NONE` between layers
    at = bisect_right(layers, time_ns, key=lambda layer: layer[0].start_ns) - 1
    return NONE if at < 0 or time_ns >= layers[at][0].end_ns + _CUT_NS else layers[at][1]


def _median(values: Sequence[int]) -> int:
    return round(statistics.median(values))


# Least interval between two saves.
SAVE_NS = 10_000_000_000
# Assumed duration of the first trace.
_FIRST_NS = 50_000_000
# Share of a run's budget for tracing, and assumed time to start a worker.
_BUDGET_SHARE, _START_NS = 0.2, 700_000_000
_RESERVE_SHARE, _RESERVE_NS = 0.01, 200_000_000


class TraceRound:
    """Traces the measured benchmarks of a run, and updates their states (``tracks``)."""

    def __init__(
        self,
        pool: WorkerPool,
        options: RunOptions,
        now: Callable[[], int],
        *,
        report: Callable[[Progress], None],
        save: Callable[[], None],
    ) -> None:
        """Store the arguments."""
        self._pool, self._options, self._now = pool, options, now
        self._report, self._save = report, save
        self._worker: Worker | None = None

    def run(self, tracks: Sequence[BenchmarkState], deadline_ns: float) -> None:
        """Trace benchmarks by falling importance, until all are traced or ``deadline_ns`` is reached."""
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
                done, left_ns = index + 1, (self._now() - begin_ns) / (index + 1) * (len(wanted) - index - 1)
                failed = sum("failed" in other.trace for other in wanted)
                counts = {"done": done, "total": len(wanted), "loaded": done, "visits": 0, "failed": failed}
                self._report(Progress(phase="tracing", **counts, eta_ns=round(left_ns)))
                if self._now() - saved_ns > SAVE_NS:
                    self._save()
                    saved_ns = self._now()

    def _trace(self, track: BenchmarkState, scratch: str) -> dict[str, Any]:
        # Trace one benchmark; an error fails this benchmark only, and the next one gets a new worker if needed
        benchmark = {key: value for key, value in track.benchmark.items() if key != "reference"}
        request = {"op": "trace", "benchmark": benchmark, "levels": self._options.trace, "scratch": scratch}
        start_ns = self._now()
        self._worker, reply = self._pool.answer(self._worker, request, self._options.timeout_ns)
        taken = {"failed": reply["error"]} if "error" in reply else reply["trace"]
        return {**taken, "wall_ns": self._now() - start_ns}


def measuring_budget_ns(budget_ns: int) -> int:
    """Return how much of a run's budget measuring may use: at least half of it, ns."""
    return max(budget_ns // 2, round(budget_ns * (1 - _BUDGET_SHARE)) - _START_NS)


def is_to_trace(track: BenchmarkState, levels: str) -> bool:
    """Return whether a measured benchmark still needs a trace."""
    measured = track.status == "ok" and bool(track.visits)
    return measured and track.role in TRACED_ROLES and not track.trace.get("levels", "").startswith(levels)


# Limits on the number of traced calls of a benchmark, which together last about ``CALLS_NS``.
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
    """Call a benchmark with the runtime's profiler and return its trace for the result file (``short_form``).

    ``scratch`` is a file or folder for the runtime's profile. Raises as ``prepare``, and ``HarnessError`` if kernels
    cannot be traced, or no call was recorded.
    """
    tracer = ActivityTracer() if levels == TRACE_LEVELS[1] else None
    prepared = prepare(benchmark, suite_folder, weights, settings, seed, profile=scratch / "profile")
    inference, bound = prepared.session.inference, prepared.bound
    warm_up = bound.warm_up()
    count = max(FEWEST_CALLS, min(MOST_CALLS, CALLS_NS // max(1, warm_up[-1])))
    bound.visit(count)
    activities = tracer.record(partial(bound.visit, count)) if tracer else ()
    begun_unix_ns = int(inference.get_profiling_start_time_ns())
    path = Path(inference.end_profiling())
    profile = load_profile(path)
    path.unlink()
    calls = profile.calls[len(warm_up) :]
    if not calls:
        raise HarnessError(f"the runtime's profile holds no calls: {'; '.join(profile.notes) or 'it is empty'}")
    counts, notes = _counted(prepared, settings, count)
    if tracer is None or tracer.clock is None:
        return {**short_form(calls, notes=(*profile.notes, *notes)), **counts}
    shift_ns = tracer.clock.unix_offset_ns - begun_unix_ns
    recorded = Recorded(calls=calls[count:], activities=activities, shift_ns=shift_ns)
    return short_form(calls[:count], recorded, (*profile.notes, *tracer.notes))


def _counted(prepared: Prepared, settings: SessionSettings, count: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    # Return the entry `counts` of a trace, and notes; both are empty if counters are unavailable (the facts say why)
    if prepared.session.device != "cpu" or why_not_hardware(settings.threads) is not None:
        return {}, ()
    try:
        return {"counts": count_events(prepared.bound.call, count).to_plain()}, ()
    except HarnessError as error:
        return {}, (str(error),)
