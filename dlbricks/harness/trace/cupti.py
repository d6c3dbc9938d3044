"""Traces the GPU with CUPTI: kernels, copies and memsets, and the host calls that launched them.

Needs cupti-python and a driver; ``permission.why_not`` says what is missing. Records are copied when CUPTI delivers
them and converted to activities when the tracer stops. Only one tracer can run in a process, the one that calls the
network. The callback for records is registered once per process, since CUPTI may lose records if it is registered again
after kinds were disabled.
"""

import ctypes
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import MISSING, HarnessError
from .activities import Activity, Fields, Kind, activity_from, copied
from .permission import cupti_errors, cupti_status, explain, reason

NEEDED = (Kind.CONCURRENT_KERNEL, Kind.MEMCPY, Kind.MEMSET, Kind.RUNTIME, Kind.DRIVER)
"""Kinds of records that a trace cannot do without."""
BUFFER_BYTES = 8 << 20
# ``CUPTI_ACTIVITY_FLAG_FLUSH_FORCED``: also delivers buffers that are not full.
_FORCED = 1
# ``CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM``: thread ids of the operating system.
_SYSTEM_THREADS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityClock:
    """Offsets of CUPTI's clock to other clocks of this machine."""

    perf_counter_offset_ns: int
    """Added to the time of an activity it gives a time of ``time.perf_counter_ns``."""
    unix_offset_ns: int
    """Added to the time of an activity it gives ns since 1970."""
    uncertainty_ns: int
    """Uncertainty of both offsets, plus or minus."""
    drift_ns: int = 0
    """Change of the offset to ``perf_counter_ns`` from start to stop."""


@dataclass(slots=True)
class _Receiver:
    """Receives records from CUPTI, from any thread, also while no tracer runs."""

    registered: bool = False
    rows: list[tuple[int, Fields]] | None = None
    """Records of the running tracer; None while there is none."""
    late: int = 0
    """Number of records that came while there was none."""
    unreadable: dict[str, int] = field(default_factory=dict)
    """Number of records that could not be copied, by error."""

    def register(self, cupti: Any) -> None:
        """Register the callbacks with CUPTI, once per process."""
        if not self.registered:
            cupti.activity_register_callbacks(_buffer_size, self.take)
            self.registered = True

    def take(self, records: Iterable[Any]) -> None:
        """Copy records while they are valid; no exception may reach CUPTI."""
        for record in records:
            if self.rows is None:
                self.late += 1
                continue
            try:
                row = copied(record)
            except Exception as error:  # noqa: BLE001  (it would get lost in a thread of CUPTI)
                self.unreadable[type(error).__name__] = self.unreadable.get(type(error).__name__, 0) + 1
                continue
            if row is not None:
                self.rows.append(row)

    def end(self) -> tuple[list[tuple[int, Fields]], tuple[str, ...]]:
        """Stop recording; return the records, and notes on those that could not be used."""
        rows = self.rows or []
        notes = [f"{count} records cannot be read: {error}" for error, count in self.unreadable.items()]
        if self.late:
            notes.append(f"{self.late} records of an earlier trace came after it had ended: they are missing there")
        self.rows, self.late, self.unreadable = None, 0, {}
        return rows, tuple(notes)


_RECEIVER = _Receiver()


@dataclass(slots=True)
class ActivityTracer:
    """Records activities from ``start`` to ``stop``; can be started again."""

    environment: bool = False
    """Whether to record clocks, temperature, power and fans of the device, if the driver reports them."""
    notes: tuple[str, ...] = ()
    """After ``stop``: what was not recorded, and why."""
    clock: ActivityClock | None = None
    """Set by ``start``; ``stop`` adds the drift."""
    dropped: int = 0
    """After ``stop``: number of records that CUPTI had no room for."""
    lost: int = 0
    """After ``stop``: number of dropped records and of those that could not be used."""
    _enabled: list[Kind] = field(default_factory=list)
    _subscriber: int | None = None
    _checked: bool = False
    """Whether ``cupti_status`` was checked."""
    _begin: int = 0
    """Start by CUPTI's clock; records that ended before are of an earlier trace."""

    def start(self) -> None:
        """Start recording.

        Raises:
            HarnessError: kernels cannot be traced here; the message is that of ``why_not``, the exit code ``MISSING``.
        """
        if not self._checked:
            refused = reason(cupti_status())
            if refused is not None:
                raise HarnessError(refused, MISSING)
            self._checked = True
        if _RECEIVER.rows is not None:
            raise HarnessError("another trace is being taken in this process: end it first")
        from cupti import cupti

        self._enabled, self.notes, self.dropped, self.lost, self.clock = [], (), 0, 0, None
        try:
            self._subscriber = cupti.subscribe(_ignored, None)
            _RECEIVER.register(cupti)
            self._begin = int(cupti.get_timestamp())
            _RECEIVER.rows = []
            for kind in NEEDED:
                self._enable(cupti, kind)
            self.clock = read_clock(cupti.get_timestamp)
        except cupti_errors() as error:
            self._end(cupti)
            raise HarnessError(f"kernels cannot be traced: {explain(error)}", MISSING) from error
        self._enable_wished(cupti)

    def stop(self) -> tuple[Activity, ...]:
        """Stop recording; return the activities since ``start``, in the order of their starts.

        To be called when the device is idle: work that still runs is not recorded, which ``notes`` mention.

        Raises:
            HarnessError: CUPTI failed.
        """
        from cupti import cupti

        if self._subscriber is None or self.clock is None:
            raise HarnessError("the tracer was not started", MISSING)
        rows: list[tuple[int, Fields]] = []
        try:
            cupti.activity_flush_all(_FORCED)
            after = read_clock(cupti.get_timestamp)
            self.dropped = _dropped(cupti)
        except cupti_errors() as error:
            raise HarnessError(f"the trace is lost: {explain(error)}", MISSING) from error
        finally:
            rows = self._end(cupti)
        self.clock = replace(self.clock, drift_ns=after.perf_counter_offset_ns - self.clock.perf_counter_offset_ns)
        own = [row for row in rows if not 0 < int(row[1].get("end") or 0) < self._begin]
        if len(own) < len(rows):
            self._note(f"{len(rows) - len(own)} records of an earlier trace were left out")
        activities, notes = activities_of(own)
        self._note(*notes)
        self.lost = self.dropped + len(own) - len(activities)
        if self.dropped:
            self._note(f"CUPTI dropped {self.dropped} records: there was no room for them")
        return activities

    def _note(self, *notes: str) -> None:
        self.notes = (*self.notes, *notes)

    def _enable(self, cupti: Any, kind: Kind) -> None:
        cupti.activity_enable(cupti.ActivityKind(int(kind)))
        self._enabled.append(kind)

    def _enable_wished(self, cupti: Any) -> None:
        """Enable optional kinds of records; those that the driver refuses become notes."""
        try:
            cupti.set_thread_id_type(cupti.ActivityThreadIdType(_SYSTEM_THREADS))
        except cupti_errors() as error:
            self._note(f"threads do not have the system's numbers ({explain(error)})")
        wished = [Kind.MEMCPY2, Kind.SYNCHRONIZATION, Kind.OVERHEAD]
        wished += [Kind.ENVIRONMENT] if self.environment else []
        for kind in wished:
            try:
                self._enable(cupti, kind)
            except cupti_errors() as error:
                self._note(f"no records of kind {kind.name} ({explain(error)})")

    def _end(self, cupti: Any) -> list[tuple[int, Fields]]:
        """Disable the enabled kinds, unsubscribe, and return the records; errors become notes.

        CUPTI is not finalised, which would race with other threads.
        """
        for kind in self._enabled:
            try:
                cupti.activity_disable(cupti.ActivityKind(int(kind)))
            except cupti_errors() as error:
                self._note(f"records of kind {kind.name} go on ({explain(error)})")
        self._enabled = []
        if self._subscriber is not None:
            subscriber, self._subscriber = self._subscriber, None
            try:
                cupti.unsubscribe(subscriber)
            except cupti_errors() as error:
                self._note(f"CUPTI stays taken ({explain(error)})")
        rows, notes = _RECEIVER.end()
        self._note(*notes)
        return rows


def activities_of(rows: Iterable[tuple[int, Fields]]) -> tuple[tuple[Activity, ...], tuple[str, ...]]:
    """Convert copied records to activities, in the order of their starts.

    Returns:
        The activities, and notes on records that could not be used: without times, or incomplete.
    """
    activities: list[Activity] = []
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
        activities.append(activity)
    notes = [
        f"{count} records of kind {what}: this release of CUPTI is not known" for what, count in unreadable.items()
    ]
    notes += [
        f"{count} activities of kind {what} have no times: they had not ended when tracing did, or the device gave none"
        for what, count in untimed.items()
    ]
    return tuple(sorted(activities, key=lambda activity: (activity.start_ns, -activity.end_ns))), tuple(notes)


def read_clock(timestamp: Callable[[], int], tries: int = 32) -> ActivityClock:
    """Measure the offsets of a clock: it is read between two readings of the others; the closest pair counts.

    Args:
        timestamp: reads the clock, ns.
        tries: number of readings.
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


def _buffer_size() -> tuple[int, int]:
    """Return the size of a buffer of records, and 0: no limit on their number."""
    return BUFFER_BYTES, 0


def _ignored(*_: Any) -> None:
    """Ignore callbacks: the subscription only serves to detect that another profiler uses CUPTI."""
