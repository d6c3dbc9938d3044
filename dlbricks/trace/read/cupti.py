"""Traces from what CUPTI recorded, their merging with the layers of the same run, and the occupancy of kernels.

Theoretical occupancy needs no counters: how many blocks fit on a multiprocessor at once is the least that its warps,
blocks, registers and shared memory allow; their warps over the most that it holds are the occupancy. Tables and
rounding: NVIDIA's CUDA occupancy calculator, "Technical specifications per compute capability" of the CUDA programming
guide, and ``cuda_occupancy.h`` of CUDA 13, with which the numbers were compared.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.harness.trace.activities import Activity
from dlbricks.harness.trace.cupti import ActivityClock
from dlbricks.trace import kinds
from dlbricks.trace.ancestry import ancestors
from dlbricks.trace.build import TraceBuilder, joined_traces, with_columns
from dlbricks.trace.correlate import correlated
from dlbricks.trace.environment import REASONS, in_unit, readings, span_name, warnings, why
from dlbricks.trace.read.kineto_fields import collective
from dlbricks.trace.types import NONE, Lane, Level, Longs, Role, Trace, TraceClock, Value

WARP = 32
_REGISTERS = 65536
_REGISTER_STEP = 256
"""Registers are given to a warp in steps of this many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiprocessor:
    """What limits how much runs on one at a time."""

    warps: int
    blocks: int
    shared_bytes: int
    """Most that its blocks have together."""
    reserved_bytes: int
    """Of shared memory, that the system takes for each block."""
    shared_step: int
    """Shared memory is given to a block in steps of this many bytes."""
    parts: int
    """Warps are spread over them; each has its own registers."""


def _old(warps: int, blocks: int, shared_kib: int, parts: int = 4) -> Multiprocessor:
    return Multiprocessor(
        warps=warps, blocks=blocks, shared_bytes=shared_kib << 10, reserved_bytes=0, shared_step=256, parts=parts
    )


def _new(warps: int, blocks: int, shared_kib: int) -> Multiprocessor:
    """From compute capability 8.0 on."""
    return Multiprocessor(
        warps=warps, blocks=blocks, shared_bytes=shared_kib << 10, reserved_bytes=1024, shared_step=128, parts=4
    )


LIMITS: Mapping[tuple[int, int], Multiprocessor] = {
    (5, 0): _old(64, 32, 64),
    (5, 2): _old(64, 32, 96),
    (5, 3): _old(64, 32, 64),
    (6, 0): _old(64, 32, 64, parts=2),
    (6, 1): _old(64, 32, 96),
    (6, 2): _old(64, 32, 64),
    (7, 0): _old(64, 32, 96),
    (7, 2): _old(64, 32, 96),
    (7, 5): _old(32, 16, 64),
    (8, 0): _new(64, 32, 164),
    (8, 6): _new(48, 16, 100),
    (8, 7): _new(48, 16, 164),
    (8, 9): _new(48, 24, 100),
    (9, 0): _new(64, 32, 228),
    (10, 0): _new(64, 32, 228),
    (10, 3): _new(64, 32, 228),
    (11, 0): _new(48, 24, 228),
    (12, 0): _new(48, 24, 100),
    (12, 1): _new(48, 24, 100),
}
"""By compute capability."""


def theoretical_occupancy(
    threads: int, registers: int, shared_bytes: int, capability: tuple[int, int], *, carveout_bytes: int | None = None
) -> float | None:
    """Give the share of a multiprocessor's warps that a kernel can have in flight.

    Args:
        threads: of a block.
        registers: of a thread.
        shared_bytes: of a block, static and dynamic.
        capability: compute capability of the device, as in ``(9, 0)``.
        carveout_bytes: shared memory that the driver set aside on a multiprocessor for this kernel; the most that
            there can be where it is not known.

    Returns:
        From 0 (a block does not fit) to 1; None for a capability that is not in ``LIMITS``.
    """
    limits = LIMITS.get(capability)
    if limits is None or threads < 1:
        return None
    warps = -(-threads // WARP)
    fitting = [limits.blocks, limits.warps // warps]
    if registers:
        per_warp = _up(registers * WARP, _REGISTER_STEP)
        fits = per_warp * _up(warps, limits.parts) <= _REGISTERS
        fitting.append(_REGISTERS // limits.parts // per_warp * limits.parts // warps if fits else 0)
    shared = _up(shared_bytes + limits.reserved_bytes, limits.shared_step)
    if shared:
        fitting.append((limits.shared_bytes if carveout_bytes is None else carveout_bytes) // shared)
    return min(fitting) * warps / limits.warps


def _up(value: int, step: int) -> int:
    return -(-value // step) * step


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
