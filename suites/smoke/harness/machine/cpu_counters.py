"""What a call costs the processor: cycles, instructions and cache misses, where the kernel lets them be counted.

Counted is the calling thread in user space, by Linux's perf events through py-perf-event. A session with one thread
does all its work there; onnxruntime's other threads are not seen.
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
"""What is counted, with the names that py-perf-event has for it."""
_NEEDED = ("cycles", "instructions")
_PARANOID = "/proc/sys/kernel/perf_event_paranoid"


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareCounts:
    """Of one call: the median over some calls."""

    calls: int
    cycles: int
    instructions: int
    cache_misses: int | None
    """Of the last level; None where the processor does not count them."""

    def to_plain(self) -> dict[str, int]:
        """Give what a result keeps; what was not counted is left out."""
        found = {name: getattr(self, name) for name in ("calls", *EVENTS)}
        return {name: count for name, count in found.items() if count is not None}


def why_not_hardware(threads: int = 1) -> str | None:
    """Say in a line why the processor's counters cannot be read here and how to permit it; None if they can.

    Args:
        threads: that the session uses.
    """
    if threads != 1:
        return f"CPU counters see the calling thread alone, and the session has {threads}: give it one thread"
    return reason(_failure())


def counted(call: Callable[[], object], calls: int = 10) -> HardwareCounts:
    """Count what a call costs.

    Args:
        call: does the work on the thread that calls it; warmed up.
        calls: how often it is repeated.

    Raises:
        HarnessError: counters cannot be read here, or they are shared with other programs.
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
        found = measure.read()
        if found.time_running_ns < found.time_enabled_ns:
            raise HarnessError("CPU counters are shared with another program now: end it (perf, another profiler)")
        rows.append(list(found.measurements))
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
    """``system``: not Linux; ``package``: not installed; ``error``: the kernel refused."""
    number: int = 0
    """Of the kernel's error."""
    paranoid: int | None = None
    """What ``/proc/sys/kernel/perf_event_paranoid`` holds."""
    virtual: bool = False


def reason(failure: Failure | None) -> str | None:
    """Say in a line why counters cannot be read and what to do; None without a failure."""
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
        return f"CPU counters are not there, {where}: turn on the vPMU of the virtual machine, or use the host itself"
    name = errno.errorcode.get(failure.number, str(failure.number))
    return f"CPU counters cannot be read, the kernel answers {name} to perf_event_open: use another kernel or container"


_ABSENT = {
    "system": "CPU counters are read on Linux alone; times do not need them",
    "package": "CPU counters need py-perf-event: pip install py-perf-event",
}


def _failure() -> Failure | None:
    """Try the events that are needed."""
    if platform.system() != "Linux":
        return Failure(what="system")
    try:
        import py_perf_event  # noqa: F401 - whether it is there
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
    """Give the number of the error that the kernel answers when an event is opened; None if it can be counted."""
    from py_perf_event import Hardware, Measure

    try:
        measure: Any = Measure([getattr(Hardware, EVENTS[name])])
        measure.enable()
        measure.disable()
    except OSError as error:
        told = re.search(r"os error (\d+)", str(error))
        return error.errno or (int(told[1]) if told else 0)
    return None
