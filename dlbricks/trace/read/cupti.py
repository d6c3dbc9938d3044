"""Traces from what CUPTI recorded, call by call, and their merging with the layers of the same calls.

CUPTI records only while a timed call of level ``MLK`` is prepared and made, so that calls of other levels run without
it. It reads its clock anew each time; the first one counts, and the others are moved to it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dlbricks.harness.trace.activities import Activity
from dlbricks.harness.trace.cupti import ActivityClock
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder, joined_traces, with_columns
from dlbricks.trace.correlate import correlated
from dlbricks.trace.devices import REASONS, in_unit, readings, span_name, theoretical_occupancy, warnings, why
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.read.kineto_fields import collective
from dlbricks.trace.types import NONE, Lane, Level, Longs, Role, Trace, TraceClock, Value

CLOCK = "cupti"
_LIBRARY = {"runtime": kinds.RUNTIME, "driver": kinds.DRIVER}
_DEVICE = {"kernel": kinds.KERNEL, "memcpy": kinds.COPY, "memset": kinds.MEMSET, "graph": kinds.GRAPH}


def trace_of(
    activities: Iterable[Activity],
    clock: ActivityClock | None,
    *,
    process: int | str,
    capability: tuple[int, int] | None = None,
    notes: Sequence[str] = (),
) -> Trace:
    """Make a trace of activities; calls that started something on a device are launches, parents are left to others.

    Args:
        activities: of one process, as ``harness.trace.activities`` gives them.
        clock: of the tracer; without it the trace cannot be merged with others.
        process: number of the process.
        capability: compute capability of the device, for the theoretical occupancy of kernels; None leaves it out.
        notes: of the tracer.
    """
    listed = tuple(activities)
    builder = TraceBuilder(
        clock=TraceClock(name=CLOCK, unix_offset_ns=None if clock is None else clock.unix_offset_ns), notes=list(notes)
    )
    started = {one.correlation for one in listed if one.kind in _DEVICE} - {None}
    threads = {one.correlation: one.thread for one in listed if one.kind in _LIBRARY and one.correlation is not None}
    for one in listed:
        if one.kind in _LIBRARY:
            role = Role.LAUNCH if one.correlation in started else Role.PLAIN
            _add(builder, one, Level.LIBRARY, _LIBRARY[one.kind], _thread(process, one.thread), role)
        elif one.kind in _DEVICE:
            kind = kinds.COLLECTIVE if one.kind == "kernel" and collective(one.name) else _DEVICE[one.kind]
            more = _occupancy(one, capability)
            _add(builder, one, Level.KERNEL, kind, _stream(process, one), Role.EXECUTION, **more)
        elif one.kind == "synchronisation":
            lane = _waiting(process, one, threads)
            _add(builder, one, Level.LIBRARY, kinds.SYNCHRONISATION, lane, Role.PLAIN)
        elif one.kind == "overhead":
            lane = _thread(process, one.thread) if one.thread is not None else Lane(process=str(process), name="CUPTI")
            _add(builder, one, Level.HARDWARE, kinds.OVERHEAD, lane, Role.PLAIN)
        elif one.kind == "environment":
            _add_environment(builder, one)
    trace = builder.built()
    return with_columns(trace, *warnings(readings(trace)))


def merged_with_layers(layers: Trace, activities: Trace) -> Trace:
    """Put the layers of a run and its activities on one clock, and give all of them parents.

    A launch belongs to the layer around it on the thread that called; where the recorders' resolution put it a little
    beyond its layer, to the one that is nearest. Executions follow their launches.

    Args:
        layers: of one process, as ``trace.read.onnxruntime`` gives them.
        activities: of the same process, as ``trace_of`` gives them.

    Raises:
        InputError: one of the clocks is not known, so the two cannot be put together.
    """
    merged = correlated(joined_traces(layers, activities))
    slack_ns = 2 * max(layers.clock.resolution_ns, activities.clock.resolution_ns)
    return _adopted(merged, slack_ns)


def _adopted(trace: Trace, slack_ns: int) -> Trace:
    """Give calls outside of all layers the layer of their thread that is nearest, if it is within some slack."""
    outside = (ancestors(trace, Level.LAYER) == NONE) & (trace.level == Level.LIBRARY)
    above = np.where(trace.parent == NONE, NONE, trace.level[trace.parent])
    orphans = np.flatnonzero(outside & (above != Level.LIBRARY))
    parent = trace.parent.copy()
    for lane in np.unique(trace.lane[orphans]).tolist():
        layers = np.flatnonzero((trace.level == Level.LAYER) & (trace.lane == lane))
        rows = orphans[trace.lane[orphans] == lane]
        if len(layers):
            found = _nearest(trace, rows, layers, slack_ns)
            parent[rows] = np.where(found == NONE, parent[rows], found)
    moved = int((parent != trace.parent).sum())
    if not moved:
        return trace
    note = f"{moved:,} calls began at most {slack_ns} ns beyond the recorded times of a layer and were given to it"
    return with_columns(trace, note, parent=parent)


def _nearest(trace: Trace, rows: Longs, layers: Longs, slack_ns: int) -> Longs:
    """Give for each row the layer that ended last before it or begins first after it, the nearer one within slack."""
    by_end = layers[np.argsort(trace.end_ns[layers], kind="stable")]
    by_start = layers[np.argsort(trace.start_ns[layers], kind="stable")]
    start = trace.start_ns[rows]
    before = np.searchsorted(trace.end_ns[by_end], start, side="right") - 1
    after = np.searchsorted(trace.start_ns[by_start], start, side="left")
    far = np.iinfo(np.int64).max
    last, first = by_end[np.maximum(before, 0)], by_start[np.minimum(after, len(by_start) - 1)]
    behind = np.where(before >= 0, start - trace.end_ns[last], far)
    ahead = np.where(after < len(by_start), trace.start_ns[first] - start, far)
    found = np.where(behind <= ahead, last, first)
    return np.where(np.minimum(behind, ahead) <= slack_ns, found, NONE)


def _add(builder: TraceBuilder, one: Activity, level: Level, kind: str, lane: Lane, role: Role, **more: Value) -> None:
    attributes: dict[str, Any] = {} if one.stream is None else {"stream": one.stream}
    attributes.update(one.attributes)
    attributes.update(more)
    builder.add(
        level,
        kind,
        one.name,
        lane,
        one.start_ns,
        one.end_ns,
        role=role,
        correlation=one.correlation,
        **attributes,
    )


def _add_environment(builder: TraceBuilder, one: Activity) -> None:
    """Add a span without length for each quantity; they are of the device and of no process, so nothing is around."""
    lane = Lane(process="", name="environment", device=_gpu(one))
    for key, value in one.attributes.items():
        said: dict[str, Any] = {"throttle": why(int(value))} if key == REASONS else {}
        builder.add(
            Level.HARDWARE,
            kinds.ENVIRONMENT,
            span_name(key),
            lane,
            one.start_ns,
            one.end_ns,
            value=in_unit(key, float(value)),
            **said,
        )


def _thread(process: int | str, thread: int | None) -> Lane:
    return Lane(process=str(process), name="thread unknown" if thread is None else f"thread {thread}")


def _stream(process: int | str, one: Activity) -> Lane:
    name = "stream unknown" if one.stream is None else f"stream {one.stream}"
    return Lane(process=str(process), name=name, device=_gpu(one))


def _gpu(one: Activity) -> str:
    return "gpu" if one.device is None else f"gpu {one.device}"


def _waiting(process: int | str, one: Activity, threads: Mapping[int, int | None]) -> Lane:
    """Give the thread whose call waited, as the call with the same correlation number tells it."""
    if one.correlation is not None and one.correlation in threads:
        return _thread(process, threads[one.correlation])
    return Lane(process=str(process), name="synchronisation")


def _occupancy(one: Activity, capability: tuple[int, int] | None) -> dict[str, Value]:
    block = str(one.attributes.get("block", ""))
    if one.kind != "kernel" or capability is None or block.count(",") != 2:
        return {}
    threads = int(np.prod([int(axis) for axis in block.split(",")]))
    carveout = one.attributes.get("shared_executed_bytes")
    found = theoretical_occupancy(
        threads,
        int(one.attributes.get("registers", 0)),
        int(one.attributes.get("shared_bytes", 0)),
        capability,
        carveout_bytes=None if carveout is None else int(carveout),
    )
    return {} if found is None else {"theoretical_occupancy": found}


_HOST = frozenset({"runtime", "driver", "synchronisation"})


_STATE = "environment"


_NO_STATES = "no clocks, power or temperature: the driver reported none while calls were recorded"


_NUMBERS_OF_A_CALL = 1 << 40
"""More correlation numbers than one call uses; CUPTI may begin anew with each recording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What CUPTI recorded while one timed call was prepared and made."""

    activities: tuple[Activity, ...]
    clock: ActivityClock
    begin_ns: int
    """Of the timed call, by ``time.perf_counter_ns``."""
    end_ns: int
    notes: tuple[str, ...] = ()


def with_kernels(
    layers: Trace,
    recordings: Sequence[Recording],
    *,
    process: int,
    capability: tuple[int, int] | None,
    environment: bool = False,
) -> Trace:
    """Give the trace of timed calls with their launches and kernels.

    Args:
        layers: of these calls, as the runtime's profile tells them.
        recordings: one for each call, at least one.
        process: number of the process.
        capability: compute capability of the device, for the theoretical occupancy of kernels; None leaves it out.
        environment: whether clocks, power and temperature were to be recorded; a note says if none were.
    """
    notes = dict.fromkeys(note for one in recordings for note in one.notes)
    if environment and not any(each.kind == _STATE for one in recordings for each in one.activities):
        notes[_NO_STATES] = None
    activities, clock = gathered(recordings)
    return merged_with_layers(
        layers, trace_of(activities, clock, process=process, capability=capability, notes=tuple(notes))
    )


def gathered(recordings: Sequence[Recording]) -> tuple[tuple[Activity, ...], ActivityClock]:
    """Give the activities of timed calls on the clock of the first recording; correlation numbers are unique.

    A host call belongs to a timed call if it began within it; what it started on the device belongs to it, however
    late it ran. What nobody is known to have started belongs to the call in which it began. States of the device are
    sampled seldom: all are kept, those taken before the timed call, too.

    Args:
        recordings: one or more.
    """
    clock = recordings[0].clock
    made: list[Activity] = []
    for place, one in enumerate(recordings):
        shift_ns = one.clock.unix_offset_ns - clock.unix_offset_ns
        made += [_moved(activity, shift_ns, place) for activity in _of_call(one)]
    return tuple(made), clock


def _of_call(one: Recording) -> list[Activity]:
    begin, end = (time - one.clock.perf_counter_offset_ns for time in (one.begin_ns, one.end_ns))
    slack = one.clock.uncertainty_ns + abs(one.clock.drift_ns)

    def within(activity: Activity) -> bool:
        return begin - slack <= activity.start_ns <= end + slack

    calls = {each.correlation for each in one.activities if each.kind in _HOST and within(each)} - {None}
    every = {each.correlation for each in one.activities if each.kind in _HOST} - {None}
    return [
        each
        for each in one.activities
        if each.kind == _STATE
        or (each.correlation in calls if each.correlation in every and each.kind not in _HOST else within(each))
    ]


def _moved(activity: Activity, shift_ns: int, place: int) -> Activity:
    number = activity.correlation
    return replace(
        activity,
        start_ns=activity.start_ns + shift_ns,
        end_ns=activity.end_ns + shift_ns,
        correlation=None if number is None else number + place * _NUMBERS_OF_A_CALL,
    )
