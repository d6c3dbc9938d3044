"""Hardware counters of a call: cycles, instructions and cache misses, by Linux perf events through py-perf-event.

Only the calling thread in user space is counted. A session with one thread does all its work there; other threads of
onnxruntime are not counted.
"""

import errno
import platform
import re
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import MISSING, HarnessError
from .cpu import read

EVENTS: Mapping[str, str] = {"cycles": "CPU_CYCLES", "instructions": "INSTRUCTIONS", "cache_misses": "CACHE_MISSES"}
"""Counted events, with their names in py-perf-event."""
# Cache misses are counted where the processor can.
_NEEDED = ("cycles", "instructions")
_PARANOID = "/proc/sys/kernel/perf_event_paranoid"


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareCounts:
    """Counts of one call: the median over some calls."""

    calls: int
    """Number of calls."""
    cycles: int
    instructions: int
    cache_misses: int | None
    """Misses of the last-level cache; None if the processor does not count them."""

    def to_plain(self) -> dict[str, int]:
        """Return the counts for a result, without those that are unknown."""
        counts = {name: getattr(self, name) for name in ("calls", *EVENTS)}
        return {name: count for name, count in counts.items() if count is not None}


def why_not_hardware(threads: int = 1) -> str | None:
    """Return why hardware counters cannot be read here and how to permit it, in a line; None if they can.

    Args:
        threads: of the session.
    """
    if threads != 1:
        return f"CPU counters see the calling thread alone, and the session has {threads}: give it one thread"
    return reason(_failure())


def count_events(call: Callable[[], object], calls: int = 10) -> HardwareCounts:
    """Count the hardware events of a call.

    Args:
        call: function that does the work on the calling thread; it has been called before.
        calls: number of counted calls.

    Raises:
        HarnessError: counters cannot be read here, or are shared with another program.
    """
    failure = why_not_hardware()
    if failure is not None:
        raise HarnessError(failure, MISSING)
    from py_perf_event import Hardware, Measure

    names = [name for name in EVENTS if name in _NEEDED or _error_of(name) is None]
    rows: list[list[int]] = []
    for _ in range(calls):
        measure = Measure([getattr(Hardware, EVENTS[name]) for name in names])
        measure.enable()
        call()
        measure.disable()
        reading = measure.read()
        if reading.time_running_ns < reading.time_enabled_ns:
            raise HarnessError("CPU counters are shared with another program now: end it (perf, another profiler)")
        rows.append(list(reading.measurements))
    medians = {name: round(statistics.median(row[index] for row in rows)) for index, name in enumerate(names)}
    return HardwareCounts(
        calls=calls,
        cycles=medians["cycles"],
        instructions=medians["instructions"],
        cache_misses=medians.get("cache_misses"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why an event could not be counted."""

    what: str
    """``system``: not Linux; ``package``: py-perf-event is not installed; ``error``: the kernel refused."""
    number: int = 0
    """Error number of the kernel."""
    paranoid: int | None = None
    """Content of ``/proc/sys/kernel/perf_event_paranoid``."""
    virtual: bool = False
    """Whether this is a virtual machine."""


def reason(failure: Failure | None) -> str | None:
    """Return why counters cannot be read and what to do, in a line; None without a failure."""
    if failure is None:
        return None
    if failure.what != "error":
        return _ABSENT[failure.what]
    if failure.number in {errno.EACCES, errno.EPERM}:
        if failure.paranoid is not None and failure.paranoid > 2:
            return f"the kernel forbids CPU counters: sudo sysctl kernel.perf_event_paranoid=2 (now {failure.paranoid})"
        return "CPU counters are forbidden here: run the container with --cap-add=PERFMON or another seccomp profile"
    if failure.number in {errno.ENOENT, errno.ENODEV, errno.EOPNOTSUPP}:
        where = "the virtual machine has none" if failure.virtual else "the processor or its kernel has none"
        return f"CPU counters are missing, {where}: turn on the vPMU of the virtual machine, or use the host itself"
    name = errno.errorcode.get(failure.number, str(failure.number))
    return f"CPU counters cannot be read, the kernel answers {name} to perf_event_open: use another kernel or container"


_ABSENT = {
    "system": "CPU counters can be read on Linux only; times do not need them",
    "package": "CPU counters need py-perf-event: pip install py-perf-event",
}


def _failure() -> Failure | None:
    """Try to count the events that are needed; return why it fails, or None."""
    if platform.system() != "Linux":
        return Failure(what="system")
    try:
        import py_perf_event  # noqa: F401 - to see whether it is installed
    except ImportError:
        return Failure(what="package")
    for name in _NEEDED:
        number = _error_of(name)
        if number is not None:
            text = read(_PARANOID)
            return Failure(
                what="error",
                number=number,
                paranoid=int(text) if text and text.lstrip("-").isdigit() else None,
                virtual=" hypervisor" in (read("/proc/cpuinfo") or ""),
            )
    return None


def _error_of(name: str) -> int | None:
    """Return the kernel's error number when an event is opened; None if it can be counted."""
    from py_perf_event import Hardware, Measure

    try:
        measure: Any = Measure([getattr(Hardware, EVENTS[name])])
        measure.enable()
        measure.disable()
    except OSError as error:
        match = re.search(r"os error (\d+)", str(error))
        return error.errno or (int(match[1]) if match else 0)
    return None
