"""Traces a GPU with CUPTI: kernels, copies and memsets, and the host calls that launched them.

Tracing needs cupti-python and a driver; ``why_not`` returns what is missing. A process can run one tracer at a time.
The callback for records is registered once per process, since CUPTI may lose records if it is registered again.
"""

import contextlib
import ctypes
import importlib.metadata
import importlib.util
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import MISSING, HarnessError
from ..machine import CUDA_DRIVER, load_library
from ..run.worker_pool import module_process
from .activities import LIBRARIES, Activity, Fields, Kind, activity_from, copied, unrecorded

REMAINS = "calls and layers can be traced without CUPTI"
# A driver whose start takes longer hangs.
_STARTS_WITHIN_S = 30
# Names in the module ``cupti.cupti`` that tracing uses; all releases from 13.0 on have them.
NAMES = (
    *("ActivityKind", "ActivityThreadIdType", "Result", "activity_disable", "activity_enable", "activity_flush_all"),
    *("activity_get_num_dropped_records", "activity_register_callbacks", "cuptiError", "get_timestamp"),
    *("set_thread_id_type", "subscribe", "unsubscribe"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CuptiStatus:
    """Facts that decide whether kernels can be traced."""

    cupti: str | None
    """Version of cupti-python; None if it is not installed."""
    driver: int | None
    """Newest CUDA version of the driver, as in 13000 for 13.0; None without a driver."""
    broken: str = ""
    """Reason why the installed cupti-python cannot be used; empty if it can be used."""
    fault: str = ""
    """Fault of the installed driver; empty without one."""
    start: int = 0
    """Result of ``cuInit``: 0 or an error number."""
    subscription: str = ""
    """CUPTI's error for a subscription; empty if it succeeded."""


def why_not() -> str | None:
    """Return why kernels cannot be traced here, and what to do, in one line; None if they can be traced."""
    return reason(cupti_status(apart=True))


def cupti_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that calls of CUPTI may raise."""
    from cupti import cupti

    return (RuntimeError, ValueError, OSError, ImportError, AttributeError, TypeError, cupti.cuptiError)


def explain(error: Exception) -> str:
    """Return what an error of CUPTI means and what to do, in one line."""
    return _sentence(_status(error))


def cupti_status(*, apart: bool = False) -> CuptiStatus:
    """Check package, driver and device by a short subscription to CUPTI.

    With ``apart``, another process initialises the driver, which may crash or hang.
    """
    version, driver = package_version(), driver_version()
    if driver is None:
        fault = "is installed and does not report its version" if load_library(*CUDA_DRIVER) is not None else ""
        return CuptiStatus(cupti=version, driver=None, fault=fault)
    if version is None:
        return CuptiStatus(cupti=None, driver=driver)
    if broken := _broken():
        return CuptiStatus(cupti=version, driver=driver, broken=broken)
    return CuptiStatus(cupti=version, driver=driver, **(_check_apart() if apart else _check_start()))


def _check_start() -> dict[str, Any]:
    # Initialise the driver and subscribe to CUPTI; return fields of `CuptiStatus`
    from cupti import cupti

    try:
        if started := int(load_library(*CUDA_DRIVER).cuInit(0)):
            return {"start": started}
    except AttributeError:
        return {"fault": "is installed and has no cuInit"}
    try:
        cupti.unsubscribe(cupti.subscribe(lambda *_: None, None))
        cupti.get_timestamp()
    except cupti_errors() as error:
        return {"subscription": _status(error)}
    return {}


def _check_apart() -> dict[str, Any]:
    done, fault = run_apart(f"{__package__}.cupti")
    if done is None:
        return {"fault": fault}
    try:
        start: dict[str, Any] = json.loads(done.stdout.rpartition("\n")[0].rpartition("\n")[2])
    except ValueError:
        return {"fault": f"does not start: {done.stderr.strip().rpartition(chr(10))[2]}"}
    return start


def run_apart(module: str, *arguments: str) -> tuple[subprocess.CompletedProcess[str] | None, str]:
    """Run a module in another process; return the completed process and "", or None and why it crashed or hung."""
    process = module_process(module, *arguments)
    try:
        done = subprocess.run(**process, capture_output=True, text=True, timeout=_STARTS_WITHIN_S, check=False)
    except subprocess.TimeoutExpired:
        return None, f"did not start within {_STARTS_WITHIN_S} s"
    if done.returncode < 0:
        return None, f"crashes the process that starts it ({signal.Signals(-done.returncode).name})"
    return done, ""


def package_version() -> str | None:
    """Return the version of cupti-python, ``unknown`` if it has no version; None if it is not installed."""
    try:
        return importlib.metadata.version("cupti-python") if importlib.util.find_spec("cupti") else None
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return "unknown"


@contextlib.contextmanager
def primary_context(device: int) -> Iterator[None]:
    """Hold the primary CUDA context of a device, without which CUPTI knows no device; may raise ``RuntimeError``."""
    driver, handle, context = load_library(*CUDA_DRIVER), ctypes.c_int(), ctypes.c_void_p()
    for name, arguments in (
        ("cuInit", (0,)),
        ("cuDeviceGet", (ctypes.byref(handle), device)),
        ("cuDevicePrimaryCtxRetain", (ctypes.byref(context), handle)),
        ("cuCtxPushCurrent_v2", (context,)),
    ):
        if error := int(getattr(driver, name)(*arguments)):
            raise RuntimeError(f"{name} fails with error {error}")
    try:
        yield
    finally:
        driver.cuCtxPopCurrent_v2(ctypes.byref(context))
        driver.cuDevicePrimaryCtxRelease_v2(handle)


def _broken() -> str:
    # Return why the installed cupti-python cannot be used; empty if it can be used
    try:
        from cupti import cupti
    except Exception as error:  # noqa: BLE001  (libraries of other versions fail to load in many ways)
        return f"it does not load ({type(error).__name__}: {' '.join(str(error).split())})"
    missing = [name for name in NAMES if not hasattr(cupti, name)]
    return f"it lacks {', '.join(missing)}" if missing else ""


def driver_version() -> int | None:
    """Return the newest CUDA version of the driver, as in 13000 for 13.0; None without a driver."""
    version = ctypes.c_int(0)
    try:
        return version.value if load_library(*CUDA_DRIVER).cuDriverGetVersion(ctypes.byref(version)) == 0 else None
    except AttributeError:  # the library is missing, or another library has its name
        return None


def _status(error: Exception) -> str:
    # Return the name of a CUPTI error, or type and message of another error
    from cupti import cupti

    if not isinstance(error, cupti.cuptiError):
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    number = int(getattr(error, "status", 0))
    return next((member.name for member in cupti.Result if int(member) == number), f"error {number}")


# Explanations by result of ``cuInit``.
_STARTS = {
    34: "only a stub of the CUDA driver is installed: install the NVIDIA driver",
    100: "the CUDA driver finds no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES, and the GPU option of a container",
    803: "the CUDA driver's library and kernel module have different versions: restart the machine",
}

_UPDATE = "CUPTI does not support this driver: update the NVIDIA driver"
# Explanations by the name of CUPTI's error.
_STATUSES = {
    "ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED": (
        "another profiler or debugger uses CUPTI in this process (Nsight, cuda-gdb, PyTorch's profiler): "
        "end it, or run without it"
    ),
    "ERROR_NOT_INITIALIZED": _UPDATE,
    "ERROR_NOT_COMPATIBLE": _UPDATE,
    "ERROR_INSUFFICIENT_PRIVILEGES": (
        "only administrators may read GPU counters: run as root, in a container with --cap-add=SYS_ADMIN, or set "
        "the option NVreg_RestrictProfilingToAdminUsers=0 of the kernel module nvidia and restart"
    ),
    "ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED": "CUPTI does not support this virtual GPU: use the GPU directly",
    "ERROR_MIG_DEVICE_NOT_SUPPORTED": "CUPTI does not support this slice of a GPU (MIG): use a whole GPU",
    "ERROR_HARDWARE_BUSY": "another process uses the counters of the GPU (ncu, DCGM, another profiler): end it",
    "ERROR_UNKNOWN": "the CUDA driver fails: check nvidia-smi and the kernel's log",
}


def reason(here: CuptiStatus) -> str | None:
    """Return why kernels cannot be traced, and what to do, in one line; None if they can be traced."""
    why = cause(here)
    return None if why is None else f"kernels cannot be traced: {why}; {REMAINS}"


def cause(here: CuptiStatus) -> str | None:
    """Return why CUPTI cannot be used, and what to do, in one line; None if it can be used."""
    if here.fault or here.start:
        fault = here.fault or f"does not start (error {here.start})"
        other = f"the CUDA driver {fault}: check nvidia-smi and the kernel's log, or reinstall the driver"
        return _STARTS.get(here.start, other)
    if here.driver is None:
        return "the CUDA driver (libcuda.so.1) is missing: install it on a machine with an NVIDIA GPU"
    if here.cupti is None:
        return f"cupti-python is not installed: pip install 'cupti-python=={here.driver // 1000}.*'"
    if here.broken:
        fitting = f"pip install --force-reinstall 'cupti-python=={here.driver // 1000}.*'"
        return f"cupti-python {here.cupti} cannot be used, {here.broken}: {fitting}"
    major = here.cupti.partition(".")[0]
    if major.isdigit() and here.driver // 1000 < int(major):
        return (
            f"the driver is too old: it has CUDA {here.driver // 1000}.{here.driver % 1000 // 10}, and cupti-python "
            f"{here.cupti} needs {major}.0: update the driver, or pip install 'cupti-python=={here.driver // 1000}.*'"
        )
    return _sentence(here.subscription) if here.subscription else None


def _sentence(status: str) -> str:
    return _STATUSES.get(status, f"CUPTI fails with {status}")


# Kinds of records that every trace needs.
NEEDED = (Kind.CONCURRENT_KERNEL, Kind.MEMCPY, Kind.MEMSET, Kind.RUNTIME, Kind.DRIVER)
BUFFER_BYTES = 8 << 20
# ``CUPTI_ACTIVITY_FLAG_FLUSH_FORCED``, which also delivers buffers that are not full.
_FORCED = 1
# ``CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM``, for thread ids of the operating system.
_SYSTEM_THREADS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityClock:
    """The offsets of CUPTI's clock to other clocks of this machine."""

    perf_counter_offset_ns: int
    """Added to the time of an activity to get that of ``time.perf_counter_ns``."""
    unix_offset_ns: int
    """Added to the time of an activity to get ns since 1970."""
    uncertainty_ns: int
    """Uncertainty of both offsets, plus or minus."""
    drift_ns: int = 0
    """Change of ``perf_counter_offset_ns`` from ``start`` to ``stop``."""


@dataclass(slots=True)
class _Receiver:
    # Receives records from CUPTI, in any thread, and also while no tracer runs

    registered: bool = False
    # Records of the running tracer; None while no tracer runs.
    rows: list[tuple[int, Fields]] | None = None
    # Number of records that came while no tracer ran.
    late: int = 0
    # Number of records that could not be copied, by error.
    unreadable: Counter[str] = field(default_factory=Counter)

    def take(self, records: Iterable[Any]) -> None:
        # Copy records, since they are valid only now. No exception may reach CUPTI.
        for record in records:
            if self.rows is None:
                self.late += 1
                continue
            try:
                row = copied(record)
            except Exception as error:  # noqa: BLE001  (it would get lost in a thread of CUPTI)
                self.unreadable[type(error).__name__] += 1
                continue
            if row is not None:
                self.rows.append(row)

    def end(self) -> tuple[list[tuple[int, Fields]], tuple[str, ...]]:
        # Stop recording; return the records, and notes on unusable records.
        rows = self.rows or []
        notes = [f"unreadable records ({error}) are left out: {count}" for error, count in self.unreadable.items()]
        if self.late:
            notes.append(f"records of an earlier trace arrived after its end, and are missing in it: {self.late}")
        self.rows, self.late, self.unreadable = None, 0, Counter()
        return rows, tuple(notes)


_RECEIVER = _Receiver()


@dataclass(slots=True)
class ActivityTracer:
    """Records the activities between ``start`` and ``stop``; it can be started again."""

    notes: tuple[str, ...] = ()
    """After ``stop``: which activities were not recorded, and why."""
    clock: ActivityClock | None = None
    """Clock offsets, which ``start`` measures; ``stop`` adds their drift."""
    dropped: int = 0
    """After ``stop``: number of records that CUPTI dropped."""
    lost: int = 0
    """After ``stop``: number of dropped and unusable records."""
    _enabled: list[Kind] = field(default_factory=list)
    _subscriber: int | None = None
    # Whether `cupti_status` was called.
    _checked: bool = False
    # Start by CUPTI's clock; activities that ended earlier belong to an earlier trace.
    _begin: int = 0

    def start(self) -> None:
        """Start recording; raises ``HarnessError`` (``MISSING``) if kernels cannot be traced here."""
        if not self._checked:
            refused = reason(cupti_status())
            if refused is not None:
                raise HarnessError(refused, MISSING)
            self._checked = True
        if _RECEIVER.rows is not None:
            raise HarnessError("another trace runs in this process: end it first")
        from cupti import cupti

        self._enabled, self.notes, self.dropped, self.lost, self.clock = [], (), 0, 0, None
        try:
            # this callback ignores its calls: the subscription only detects another profiler
            self._subscriber = cupti.subscribe(lambda *_: None, None)
            if not _RECEIVER.registered:
                cupti.activity_register_callbacks(lambda: (BUFFER_BYTES, 0), _RECEIVER.take)
                _RECEIVER.registered = True
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

        Call ``stop`` when the device is idle: work that still runs is not recorded, and a note says so. Raises
        ``HarnessError`` if CUPTI fails.
        """
        from cupti import cupti

        if self._subscriber is None or self.clock is None:
            raise HarnessError("the tracer was not started", MISSING)
        rows: list[tuple[int, Fields]] = []
        try:
            cupti.activity_flush_all(_FORCED)
            after = read_clock(cupti.get_timestamp)
            count = ctypes.c_size_t(0)
            cupti.activity_get_num_dropped_records(0, 0, ctypes.addressof(count))
            self.dropped = count.value
        except cupti_errors() as error:
            raise HarnessError(f"the trace is lost: {explain(error)}", MISSING) from error
        finally:
            rows = self._end(cupti)
        self.clock = replace(self.clock, drift_ns=after.perf_counter_offset_ns - self.clock.perf_counter_offset_ns)
        own = [row for row in rows if not 0 < int(row[1].get("end") or 0) < self._begin]
        if len(own) < len(rows):
            self._note(f"records of an earlier trace are left out: {len(rows) - len(own)}")
        activities, notes = activities_of(own)
        self._note(*notes)
        self.lost = self.dropped + len(own) - len(activities)
        if self.dropped:
            self._note(f"CUPTI dropped records ({self.dropped}), since its buffers were full: trace fewer calls")
        return activities

    def record(self, act: Callable[[], object]) -> tuple[Activity, ...]:
        """Call a function that waits for the device; return its activities. Raises as ``start`` and ``stop`` do."""
        self.start()
        try:
            act()
        finally:
            activities = self.stop()
        return activities

    def _note(self, *notes: str) -> None:
        self.notes = (*self.notes, *notes)

    def _enable(self, cupti: Any, kind: Kind) -> None:
        cupti.activity_enable(cupti.ActivityKind(int(kind)))
        self._enabled.append(kind)

    def _enable_wished(self, cupti: Any) -> None:
        # Enable optional kinds of records; a kind that the driver refuses becomes a note
        try:
            cupti.set_thread_id_type(cupti.ActivityThreadIdType(_SYSTEM_THREADS))
        except cupti_errors() as error:
            self._note(f"threads have CUPTI's numbers instead of the system's ({explain(error)})")
        for library in LIBRARIES.values():  # records that this release delivers nevertheless are not copied
            for number in unrecorded(library):
                with contextlib.suppress(*cupti_errors()):
                    getattr(cupti, f"activity_enable_{library}_api")(number, 0)
        for kind in (Kind.MEMCPY2, Kind.SYNCHRONIZATION):
            try:
                self._enable(cupti, kind)
            except cupti_errors() as error:
                self._note(f"no records of kind {kind.name} ({explain(error)})")

    def _end(self, cupti: Any) -> list[tuple[int, Fields]]:
        # Disable the enabled kinds, unsubscribe, and return the records; errors become notes. CUPTI is not finalised,
        # since that would race with other threads.
        for kind in self._enabled:
            try:
                cupti.activity_disable(cupti.ActivityKind(int(kind)))
            except cupti_errors() as error:
                self._note(f"CUPTI still records kind {kind.name} ({explain(error)})")
        self._enabled = []
        if self._subscriber is not None:
            subscriber, self._subscriber = self._subscriber, None
            try:
                cupti.unsubscribe(subscriber)
            except cupti_errors() as error:
                self._note(f"CUPTI was not released ({explain(error)})")
        rows, notes = _RECEIVER.end()
        self._note(*notes)
        return rows


def activities_of(rows: Iterable[tuple[int, Fields]]) -> tuple[tuple[Activity, ...], tuple[str, ...]]:
    """Convert CUPTI records (kind, fields) to activities, sorted by start; also return notes on unusable records."""
    activities: list[Activity] = []
    unreadable: Counter[str] = Counter()
    untimed: Counter[str] = Counter()
    for kind, fields in rows:
        try:
            activity = activity_from(kind, fields)
        except KeyError as error:
            unreadable[f"{Kind(kind).name} without field {error.args[0]}"] += 1
            continue
        if activity.start_ns and activity.end_ns:
            activities.append(activity)
        else:
            untimed[activity.kind] += 1
    remedy = "left out: install a release of cupti-python that dlbricks supports"
    notes = [f"records of kind {what} ({count}) were {remedy}" for what, count in unreadable.items()]
    notes += [
        f"activities of kind {what} ({count}) have no times: they ended after tracing, or the device reported none"
        for what, count in untimed.items()
    ]
    return tuple(sorted(activities, key=lambda activity: (activity.start_ns, -activity.end_ns))), tuple(notes)


def read_clock(timestamp: Callable[[], int], tries: int = 32) -> ActivityClock:
    """Measure the offsets from CUPTI's clock to Python's ``tries`` times; return the most exact measurement."""
    readings = []
    for _ in range(tries):
        before, unix_before = time.perf_counter_ns(), time.time_ns()
        middle = timestamp()
        unix_after, after = time.time_ns(), time.perf_counter_ns()
        readings.append((after - before, (before + after) // 2 - middle, (unix_before + unix_after) // 2 - middle))
    width, perf_counter_offset, unix_offset = min(readings, key=lambda reading: reading[0])
    return ActivityClock(
        perf_counter_offset_ns=perf_counter_offset, unix_offset_ns=unix_offset, uncertainty_ns=(width + 1) // 2
    )


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_check_start()) + "\n")
