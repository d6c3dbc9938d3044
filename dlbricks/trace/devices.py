"""Device states that a profiler samples (clocks, temperature, power, throttling), and theoretical occupancy of kernels.

The bits of throttle reasons are ``CUpti_EnvironmentClocksThrottleReason`` of ``cupti_activity.h``. Theoretical
occupancy: the number of blocks on a multiprocessor is limited by its warps, blocks, registers and shared memory; their
warps divided by the multiprocessor's maximum are the occupancy. Sources of tables and rounding: NVIDIA's CUDA occupancy
calculator, "Technical specifications per compute capability" of the CUDA programming guide, and ``cuda_occupancy.h`` of
CUDA 13, with which the results were compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.types import Lane, Level, Longs, Trace

Flags: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

REASONS = "throttle_reasons"
"""The quantity whose values are bits."""
QUANTITIES: Mapping[str, tuple[str, str, int]] = {
    "sm_clock_mhz": ("SM clock", "MHz", 1),
    "memory_clock_mhz": ("memory clock", "MHz", 1),
    REASONS: ("throttle reasons", "bits", 1),
    "temperature_c": ("temperature", "C", 1),
    "power_mw": ("power", "W", 1000),
    "power_limit_mw": ("power limit", "W", 1000),
    "fan_percent": ("fan", "%", 1),
}
"""Sampled quantities by name in the harness's records: name, unit, and divisor from the record's unit to this one."""
_IDLE, _SETTING, _UNSUPPORTED = 1, 2, 1 << 30
LOWERED: Mapping[int, str] = {4: "power cap", 8: "hardware slowdown by heat or power", 1 << 31: "unknown reason"}
"""Bits of throttle reasons for clocks below the requested ones."""
_WORDS = {_IDLE: "idle", _SETTING: "limited by a setting", **LOWERED, _UNSUPPORTED: "not reported"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSamples:
    """Samples of one quantity of one device."""

    lane: Lane
    quantity: str
    """As in ``SM clock``."""
    unit: str
    times_ns: Longs
    """Times on the clock of the trace, ascending."""
    values: tuple[float, ...]

    @property
    def are_reasons(self) -> bool:
        """Whether the values are bits of throttle reasons."""
        return self.quantity == QUANTITIES[REASONS][0]


def span_name(quantity: str) -> str:
    """Return the name of the spans of a quantity, as in ``SM clock (MHz)``."""
    name, unit, _ = QUANTITIES.get(quantity, (quantity, "", 1))
    return f"{name} ({unit})" if unit else name


def in_unit(quantity: str, value: float) -> float:
    """Convert the value of a record to the unit of its quantity."""
    return value / QUANTITIES.get(quantity, ("", "", 1))[2]


def name_and_unit(span: str) -> tuple[str, str]:
    """Split the name of a span into quantity and unit, as in ``SM clock`` and ``MHz``; the unit may be empty."""
    name, bracket, unit = span.rpartition(" (")
    return (name, unit.removesuffix(")")) if bracket else (span, "")


def throttle_text(bits: int) -> str:
    """Return the meaning of the bits of ``throttle_reasons``, as in ``power cap, idle``; ``none`` for 0."""
    words = [word for bit, word in _WORDS.items() if bits & bit]
    return ", ".join(words) or ("none" if not bits else f"reason {bits}")


def sampled(trace: Trace) -> Flags:
    """Return which spans are samples: of kind ``environment`` and with a value."""
    flags = np.zeros(len(trace), bool)
    attribute = trace.attributes.get("value")
    if attribute is not None:
        flags[attribute.rows] = True
    flags[flags] = np.isin(np.flatnonzero(flags), trace.rows(Level.HARDWARE, kinds.ENVIRONMENT))
    return flags


def device_samples(trace: Trace) -> tuple[DeviceSamples, ...]:
    """Return the samples of every quantity of every device, in the order of their first samples."""
    rows = np.flatnonzero(sampled(trace))
    rows = rows[np.argsort(trace.start_ns[rows], kind="stable")]
    values = trace.column("value", rows)
    places_of: dict[tuple[int, int], list[int]] = {}
    for place, key in enumerate(zip(trace.lane[rows].tolist(), trace.name[rows].tolist(), strict=True)):
        places_of.setdefault(key, []).append(place)
    samples = []
    for (number, name), places in places_of.items():
        quantity, unit = name_and_unit(trace.names[name])
        lane, times, listed = trace.lanes[number], trace.start_ns[rows[places]], tuple(values[places].tolist())
        samples.append(DeviceSamples(lane=lane, quantity=quantity, unit=unit, times_ns=times, values=listed))
    return tuple(samples)


def throttling_notes(samples: Sequence[DeviceSamples]) -> tuple[str, ...]:
    """Return notes on devices whose clocks were lowered, with the reasons; empty if there are none."""
    notes = []
    for series in samples:
        if not series.are_reasons:
            continue
        bits = [int(value) for value in series.values]
        lowered = [value for value in bits if value & sum(LOWERED)]
        limited = [value for value in bits if value & _SETTING]
        if lowered:
            words = throttle_text(int(np.bitwise_or.reduce(lowered)) & sum(LOWERED))
            notes.append(
                f"{series.lane.device} lowered its clocks in {len(lowered)} of {len(bits)} samples ({words}): its "
                "times are longer than those of a device at its full clock; cool it, or lock a clock that it can hold"
            )
        if limited:
            notes.append(
                f"clocks of {series.lane.device} were limited by a setting in {len(limited)} of {len(bits)} samples"
            )
    return tuple(notes)


WARP = 32
_REGISTERS = 65536
# Allocation granularity of a warp's registers.
_REGISTER_STEP = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiprocessor:
    """Limits of a multiprocessor."""

    warps: int
    blocks: int
    shared_bytes: int
    """Shared memory of all blocks together."""
    reserved_bytes: int
    """Shared memory that the system reserves for each block."""
    shared_step: int
    """Allocation granularity of shared memory, bytes."""
    parts: int
    """Number of partitions over which warps are distributed; each has its own registers."""


# Warps, blocks, KiB of shared memory, and the compute capabilities with these limits.
_MULTIPROCESSORS = (
    (64, 32, 64, ((5, 0), (5, 3), (6, 0), (6, 2))),
    (64, 32, 96, ((5, 2), (6, 1), (7, 0), (7, 2))),
    (32, 16, 64, ((7, 5),)),
    (64, 32, 164, ((8, 0),)),
    (48, 16, 100, ((8, 6),)),
    (48, 16, 164, ((8, 7),)),
    (48, 24, 100, ((8, 9), (12, 0), (12, 1))),
    (64, 32, 228, ((9, 0), (10, 0), (10, 3))),
    (48, 24, 228, ((11, 0),)),
)
LIMITS: Mapping[tuple[int, int], Multiprocessor] = {
    capability: Multiprocessor(
        warps=warps,
        blocks=blocks,
        shared_bytes=shared_kib << 10,
        reserved_bytes=1024 if capability >= (8, 0) else 0,
        shared_step=128 if capability >= (8, 0) else 256,
        parts=2 if capability == (6, 0) else 4,
    )
    for warps, blocks, shared_kib, capabilities in _MULTIPROCESSORS
    for capability in capabilities
}
"""Limits by compute capability."""


def theoretical_occupancy(
    threads: int, registers: int, shared_bytes: int, capability: tuple[int, int], *, carveout_bytes: int | None = None
) -> float | None:
    """Return the theoretical occupancy: the share of a multiprocessor's warps that a kernel can use.

    Args:
        threads: of a block.
        registers: of a thread.
        shared_bytes: static and dynamic shared memory of a block.
        capability: compute capability of the device, as in ``(9, 0)``.
        carveout_bytes: shared memory that the driver set aside for this kernel on a multiprocessor, else the maximum.

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
