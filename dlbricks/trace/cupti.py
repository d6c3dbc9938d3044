"""Traces from what CUPTI recorded, and their merging with the layers of the same run. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dlbricks.harness.trace.cupti import Activity, ActivityClock
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder, with_columns
from dlbricks.trace.categories import collective
from dlbricks.trace.correlate import ancestors, correlated, joined_traces
from dlbricks.trace.environment import REASONS, in_unit, readings, span_name, warnings, why
from dlbricks.trace.nouns import NONE, Clock, Lane, Level, Longs, Role, Trace, Value
from dlbricks.trace.occupancy import theoretical_occupancy

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
        activities: of one process, as ``harness.activity`` gives them.
        clock: of the tracer; without it the trace cannot be merged with others.
        process: number of the process.
        capability: compute capability of the device, for the theoretical occupancy of kernels; None leaves it out.
        notes: of the tracer.
    """
    listed = tuple(activities)
    builder = TraceBuilder(
        clock=Clock(name=CLOCK, unix_offset_ns=None if clock is None else clock.unix_offset_ns), notes=list(notes)
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
        layers: of one process, as ``trace.onnxruntime`` gives them.
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
