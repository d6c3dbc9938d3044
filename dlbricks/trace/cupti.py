"""Converts CUPTI's activities to traces, and merges them with the layers of the same calls.

CUPTI records during calls of level ``MLK`` only. Each recording measures the offset of its clock.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dlbricks.harness.trace.activities import Activity, demangled
from dlbricks.harness.trace.cupti import ActivityClock
from dlbricks.process_pool import read_apart
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder, joined_traces, with_columns, with_values
from dlbricks.trace.correlate import correlated
from dlbricks.trace.gpus import theoretical_occupancy
from dlbricks.trace.intervals import ancestors, split_by
from dlbricks.trace.kinds import is_collective
from dlbricks.trace.types import NONE, Lane, Level, Longs, Role, Trace, TraceClock, Value
from dlbricks.trace.work_classes import Figures, KernelClass, class_of_operator, shared_work

CLOCK = "cupti"
_LIBRARY = {"runtime": kinds.RUNTIME, "driver": kinds.DRIVER}
# Attributes of layers that their kernels share.
WORK = ("flops", "read_bytes", "written_bytes")
_DEVICE = {"kernel": kinds.KERNEL, "memcpy": kinds.COPY, "memset": kinds.MEMSET, "graph": kinds.GRAPH}


def trace_of(
    activities: Iterable[Activity],
    clock: ActivityClock | None,
    *,
    process: int | str,
    capability: tuple[int, int] | None = None,
    notes: Sequence[str] = (),
) -> Trace:
    """Convert activities of a process to a trace whose spans have no parents.

    Calls that started work on a device have the role LAUNCH. Without ``clock`` the trace cannot be merged with others.
    Without ``capability`` (the compute capability of the device), kernels have no theoretical occupancy.
    """
    listed = tuple(activities)
    builder = TraceBuilder(
        clock=TraceClock(name=CLOCK, unix_offset_ns=None if clock is None else clock.unix_offset_ns), notes=list(notes)
    )
    started = {activity.correlation for activity in listed if activity.kind in _DEVICE} - {None}
    calls = (activity for activity in listed if activity.kind in _LIBRARY and activity.correlation is not None)
    threads: dict[int | None, int | None] = {activity.correlation: activity.thread for activity in calls}
    for activity in listed:
        level, kind, role = Level.LIBRARY, _LIBRARY.get(activity.kind, kinds.SYNCHRONISATION), Role.PLAIN
        lane = _thread(process, activity.thread)
        attributes: dict[str, Any] = {} if activity.stream is None else {"stream": activity.stream}
        attributes |= activity.attributes
        if activity.kind in _LIBRARY:
            role = Role.LAUNCH if activity.correlation in started else Role.PLAIN
        elif activity.kind in _DEVICE:
            collective = activity.kind == "kernel" and is_collective(activity.name)
            level, kind, role = Level.KERNEL, kinds.COLLECTIVE if collective else _DEVICE[activity.kind], Role.EXECUTION
            name = "stream unknown" if activity.stream is None else f"stream {activity.stream}"
            device = "gpu" if activity.device is None else f"gpu {activity.device}"
            lane = Lane(process=str(process), name=name, device=device)
            attributes |= _occupancy(activity, capability)
        elif activity.kind == "synchronisation":
            # The waiting thread is the thread of the call with the same correlation number.
            waits = activity.correlation in threads
            lane = _thread(process, threads[activity.correlation]) if waits else Lane(process=str(process), name=kind)
        else:
            continue
        builder.add(level, kind, activity.name, lane, activity.start_ns, activity.end_ns,
                    role=role, correlation=activity.correlation, **attributes)  # fmt: skip
    return builder.built()


def merged_with_layers(layers: Trace, activities: Trace) -> Trace:
    """Merge two traces of one process, and find the parents of all spans.

    The parent of a launch is the layer in its thread that contains it; if none does, the nearest layer within twice the
    resolution of the clocks. The parent of an execution is its launch. Raises ``InputError`` if the offset between the
    two clocks is unknown.
    """
    merged = correlated(joined_traces(layers, activities))
    slack_ns = 2 * max(layers.clock.resolution_ns, activities.clock.resolution_ns)
    return with_kernel_work(_adopted(merged, slack_ns))


def with_kernel_work(trace: Trace) -> Trace:
    """Share FLOPs and bytes of layers, computed from shapes, among their kernels; those of a kernel stay."""
    kernels = trace.rows(Level.KERNEL, kinds.KERNEL, role=Role.EXECUTION)
    layers = ancestors(trace, Level.LAYER, outermost=True)[kernels]
    works = np.stack([trace.column(name, layers) for name in WORK])
    countable = (layers != NONE) & ~np.isnan(works).any(axis=0) & np.isnan(trace.column(WORK[0], kernels))
    if not countable.any():
        return trace
    constants, inputs = (trace.values(name) for name in ("parameter_bytes", "activation_bytes"))
    types, times = trace.values("type"), np.maximum(trace.duration_ns, 1).tolist()
    figures: dict[int, Figures] = {}
    weights: dict[int, int] = {}
    for group in split_by(layers[countable], np.flatnonzero(countable)):
        layer, rows = int(layers[group[0]]), kernels[group].tolist()
        product = class_of_operator(str(types.get(layer, ""))) in (KernelClass.MATRIX, KernelClass.ATTENTION)
        named = [(trace.names[trace.name[row]], times[row]) for row in rows]
        moved = float(inputs.get(layer, 0)) if product else None
        figures |= zip(rows, shared_work(tuple(works[:, group[0]].tolist()), named, moved), strict=True)
        if layer in constants:
            weights[max(rows, key=figures.__getitem__)] = constants[layer]
    for place, name in enumerate(WORK):  # rounded, since the values of an attribute have one type
        trace = with_values(trace, name, {row: round(work[place]) for row, work in figures.items()})
    return with_values(trace, "parameter_bytes", weights)


def readable_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names in a file with those of kernels as in C++ code; raises ``InputError`` for a malicious name."""
    mangled = tuple(name for name in names if name.startswith("_Z"))
    if not mangled:
        return tuple(names)
    plain = dict(zip(mangled, read_apart(_all_demangled, mangled, "a mangled name"), strict=True))
    return tuple(plain.get(name, name) for name in names)


def _all_demangled(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(demangled, names))


def _adopted(trace: Trace, slack_ns: int) -> Trace:
    # Assign each call outside of all layers to the nearest layer of its thread, if that lies within ``slack_ns``.
    outside = (ancestors(trace, Level.LAYER) == NONE) & (trace.level == Level.LIBRARY)
    above = np.where(trace.parent == NONE, NONE, trace.level[trace.parent])
    orphans = np.flatnonzero(outside & (above != Level.LIBRARY))
    parent = trace.parent.copy()
    for lane in np.unique(trace.lane[orphans]).tolist():
        layers = np.flatnonzero((trace.level == Level.LAYER) & (trace.lane == lane))
        rows = orphans[trace.lane[orphans] == lane]
        if len(layers):
            layer = _nearest(trace, rows, layers, slack_ns)
            parent[rows] = np.where(layer == NONE, parent[rows], layer)
    moved = int((parent != trace.parent).sum())
    if not moved:
        return trace
    note = f"{moved:,} calls began up to {slack_ns} ns outside of every layer: each counts for the nearest layer"
    return with_columns(trace, note, parent=parent)


def _nearest(trace: Trace, rows: Longs, layers: Longs, slack_ns: int) -> Longs:
    # Return for each row the nearer of the layers before and after it, or ``NONE`` beyond ``slack_ns``.
    by_end = layers[np.argsort(trace.end_ns[layers], kind="stable")]
    by_start = layers[np.argsort(trace.start_ns[layers], kind="stable")]
    start = trace.start_ns[rows]
    before = np.searchsorted(trace.end_ns[by_end], start, side="right") - 1
    after = np.searchsorted(trace.start_ns[by_start], start, side="left")
    far = np.iinfo(np.int64).max
    last, first = by_end[np.maximum(before, 0)], by_start[np.minimum(after, len(by_start) - 1)]
    behind = np.where(before >= 0, start - trace.end_ns[last], far)
    ahead = np.where(after < len(by_start), trace.start_ns[first] - start, far)
    nearer = np.where(behind <= ahead, last, first)
    return np.where(np.minimum(behind, ahead) <= slack_ns, nearer, NONE)


def _thread(process: int | str, thread: int | None) -> Lane:
    return Lane(process=str(process), name="thread unknown" if thread is None else f"thread {thread}")


def _occupancy(activity: Activity, capability: tuple[int, int] | None) -> dict[str, Value]:
    block = str(activity.attributes.get("block", ""))
    if activity.kind != "kernel" or capability is None or block.count(",") != 2:
        return {}
    threads = int(np.prod([int(axis) for axis in block.split(",")]))
    carveout = activity.attributes.get("shared_executed_bytes")
    occupancy = theoretical_occupancy(
        threads,
        int(activity.attributes.get("registers", 0)),
        int(activity.attributes.get("shared_bytes", 0)),
        capability,
        carveout_bytes=None if carveout is None else int(carveout),
    )
    return {} if occupancy is None else {"theoretical_occupancy": occupancy}


_HOST = frozenset({"runtime", "driver", "synchronisation"})
# Offset between the correlation numbers of two recordings, since CUPTI may restart them. No call has so many.
_NUMBERS_OF_A_CALL = 1 << 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """CUPTI's recording of a timed call and of the warm-up call before it."""

    activities: tuple[Activity, ...]
    clock: ActivityClock
    begin_ns: int
    """Start of the timed call; this field and ``end_ns`` are times of ``time.perf_counter_ns``."""
    end_ns: int
    notes: tuple[str, ...] = ()


def gathered(recordings: Sequence[Recording]) -> tuple[tuple[Activity, ...], ActivityClock]:
    """Collect the activities of several timed calls, on the clock of the first recording.

    The result has CUDA calls that start during a timed call, the work that they launch on devices, and other device
    work that starts during a timed call. Correlation numbers become unique.
    """
    clock = recordings[0].clock
    activities: list[Activity] = []
    for place, recording in enumerate(recordings):
        shift_ns, first = recording.clock.unix_offset_ns - clock.unix_offset_ns, place * _NUMBERS_OF_A_CALL
        activities += [
            replace(
                activity,
                start_ns=activity.start_ns + shift_ns,
                end_ns=activity.end_ns + shift_ns,
                correlation=None if activity.correlation is None else activity.correlation + first,
            )
            for activity in _of_call(recording)
        ]
    return tuple(activities), clock


def _of_call(recording: Recording) -> list[Activity]:
    begin, end = (time - recording.clock.perf_counter_offset_ns for time in (recording.begin_ns, recording.end_ns))
    slack = recording.clock.uncertainty_ns + abs(recording.clock.drift_ns)

    def within(activity: Activity) -> bool:
        return begin - slack <= activity.start_ns <= end + slack

    host = [each for each in recording.activities if each.kind in _HOST and each.correlation is not None]
    every, calls = {each.correlation for each in host}, {each.correlation for each in host if within(each)}
    return [
        each
        for each in recording.activities
        if (each.correlation in calls if each.correlation in every and each.kind not in _HOST else within(each))
    ]
