"""Tracing the GPU with CUPTI: every kernel, copy and memset, and the calls on the host that started them.

Needs cupti-python and a driver; ``why_not`` says what is missing. Records are copied as CUPTI hands them over and made
activities of when the tracer stops. One tracer at a time, in the process that runs the network; nothing but tracing in
it: calls traced are not calls timed.
"""

import ctypes
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import MISSING, HarnessError
from .activities import Activity, Fields, Kind, activity_from, copied
from .permission import cupti_errors, explained, why_not

__all__ = ["Activity", "ActivityClock", "ActivityTracer", "why_not"]

NEEDED = (Kind.CONCURRENT_KERNEL, Kind.MEMCPY, Kind.MEMSET, Kind.RUNTIME, Kind.DRIVER)
"""Without one of these a trace is no use."""
BUFFER_BYTES = 8 << 20
_FORCED = 1
"""Flag of a flush that also hands over buffers that are not full."""
_SYSTEM_THREADS = 1
"""Threads have the operating system's number: ``CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityClock:
    """How CUPTI's clock stands to the others of this machine."""

    perf_counter_offset_ns: int
    """To be added to a time of an activity to get one of ``time.perf_counter_ns``."""
    unix_offset_ns: int
    """To be added to a time of an activity to get ns since 1970."""
    uncertainty_ns: int
    """Of both, either way."""
    drift_ns: int = 0
    """By how much the offset to ``perf_counter_ns`` changed from start to stop."""


@dataclass(slots=True)
class ActivityTracer:
    """Takes activities from ``start`` to ``stop``; may be started again after that."""

    environment: bool = False
    """Clocks, temperature, power and fans of the device, too, where the driver tells them."""
    notes: tuple[str, ...] = ()
    """After ``stop``: what was not recorded, and why."""
    clock: ActivityClock | None = None
    """After ``start``; complete after ``stop``."""
    dropped: int = 0
    """After ``stop``: records that CUPTI had no room for."""
    _rows: list[tuple[int, Fields]] = field(default_factory=list)
    _enabled: list[Kind] = field(default_factory=list)
    _subscriber: int | None = None
    _looked: bool = False
    """Whether kernels can be traced here; asked once."""

    def start(self) -> None:
        """Begin to record.

        Raises:
            HarnessError: kernels cannot be traced here; the message is that of ``why_not``, the exit code ``MISSING``.
        """
        if not self._looked:
            reason = why_not()
            if reason is not None:
                raise HarnessError(reason, MISSING)
            self._looked = True
        from cupti import cupti

        self._rows, self._enabled, self.notes, self.dropped = [], [], (), 0
        try:
            self._subscriber = cupti.subscribe(_ignored, None)
            cupti.set_thread_id_type(cupti.ActivityThreadIdType(_SYSTEM_THREADS))
            cupti.activity_register_callbacks(_room, self._take)
            for kind in NEEDED:
                self._enable(cupti, kind)
        except cupti_errors() as error:
            self._end(cupti)
            raise HarnessError(explained(error), MISSING) from error
        self._enable_wished(cupti)
        self.clock = read_clock(cupti.get_timestamp)

    def stop(self) -> tuple[Activity, ...]:
        """End recording and give what happened since ``start``, in the order of starts.

        Call it when the device is idle: what still runs is not recorded, which ``notes`` say.

        Raises:
            HarnessError: CUPTI failed.
        """
        from cupti import cupti

        if self._subscriber is None or self.clock is None:
            raise HarnessError("the tracer was not started", MISSING)
        try:
            cupti.activity_flush_all(_FORCED)
            after = read_clock(cupti.get_timestamp)
            self.dropped = _dropped(cupti)
        except cupti_errors() as error:
            raise HarnessError(explained(error), MISSING) from error
        finally:
            self._end(cupti)
        self.clock = replace(self.clock, drift_ns=after.perf_counter_offset_ns - self.clock.perf_counter_offset_ns)
        activities, notes = activities_of(self._rows)
        if self.dropped:
            notes = (*notes, f"CUPTI dropped {self.dropped} records: there was no room for them")
        self.notes = (*self.notes, *notes)
        self._rows = []
        return activities

    def _take(self, records: Iterable[Any]) -> None:
        """Copy records while they are valid; called by CUPTI, from any thread."""
        taken = (copied(record) for record in records)
        self._rows.extend(row for row in taken if row is not None)

    def _enable(self, cupti: Any, kind: Kind) -> None:
        cupti.activity_enable(cupti.ActivityKind(int(kind)))
        self._enabled.append(kind)

    def _enable_wished(self, cupti: Any) -> None:
        """Enable what a trace can do without; what the driver refuses is noted."""
        wished = [Kind.MEMCPY2, Kind.SYNCHRONIZATION, Kind.OVERHEAD]
        wished += [Kind.ENVIRONMENT] if self.environment else []
        for kind in wished:
            try:
                self._enable(cupti, kind)
            except cupti_errors() as error:
                self.notes = (*self.notes, f"no records of kind {kind.name} ({explained(error)})")

    def _end(self, cupti: Any) -> None:
        """Leave CUPTI as it was; it is not finalised, which would race with other threads."""
        for kind in self._enabled:
            cupti.activity_disable(cupti.ActivityKind(int(kind)))
        self._enabled = []
        if self._subscriber is not None:
            cupti.unsubscribe(self._subscriber)
        self._subscriber = None


def activities_of(rows: Iterable[tuple[int, Fields]]) -> tuple[tuple[Activity, ...], tuple[str, ...]]:
    """Make activities of copied records, in the order of starts.

    Returns:
        The activities, and notes on those that could not be used: without times, or not complete.
    """
    made: list[Activity] = []
    unreadable: dict[str, int] = {}
    untimed: dict[str, int] = {}
    for kind, fields in rows:
        try:
            activity = activity_from(kind, fields)
        except KeyError as error:
            what = f"{Kind(kind).name} without field {error.args[0]}"
            unreadable[what] = unreadable.get(what, 0) + 1
            continue
        if not (activity.start_ns and activity.end_ns):
            untimed[activity.kind] = untimed.get(activity.kind, 0) + 1
            continue
        made.append(activity)
    notes = [
        f"{count} records of kind {what}: this release of CUPTI is not known" for what, count in unreadable.items()
    ]
    notes += [
        f"{count} activities of kind {what} have no times: they had not ended when tracing did, or the device gave none"
        for what, count in untimed.items()
    ]
    return tuple(sorted(made, key=lambda one: (one.start_ns, -one.end_ns))), tuple(notes)


def read_clock(timestamp: Callable[[], int], tries: int = 32) -> ActivityClock:
    """Compare a clock with those of this machine: read between two readings of them, the closest of some tries.

    Args:
        timestamp: reads the clock in ns.
        tries: how often.
    """
    best: tuple[int, int, int] | None = None
    for _ in range(tries):
        before, unix_before = time.perf_counter_ns(), time.time_ns()
        middle = timestamp()
        unix_after, after = time.time_ns(), time.perf_counter_ns()
        if best is None or after - before < best[0]:
            best = (after - before, (before + after) // 2 - middle, (unix_before + unix_after) // 2 - middle)
    if best is None:
        raise ValueError("a clock has to be read once at least")
    width, perf_counter_offset, unix_offset = best
    return ActivityClock(
        perf_counter_offset_ns=perf_counter_offset, unix_offset_ns=unix_offset, uncertainty_ns=(width + 1) // 2
    )


def _dropped(cupti: Any) -> int:
    count = ctypes.c_size_t(0)
    cupti.activity_get_num_dropped_records(0, 0, ctypes.addressof(count))
    return int(count.value)


def _room() -> tuple[int, int]:
    """Say how large a buffer of records is to be, and that as many go into it as have room."""
    return BUFFER_BYTES, 0


def _ignored(*_: Any) -> None:
    """Take no callbacks: subscribing alone tells others that CUPTI is taken, and us if it is."""
