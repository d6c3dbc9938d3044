"""What the numbers in CUPTI's records mean, in the words that PyTorch's profiler uses, so that names match across both.

Source: ``cupti_activity.h`` of CUDA 13 and Kineto's ``CuptiActivity``.
"""

import re
from collections.abc import Mapping
from functools import cache

DIRECTIONS: Mapping[int, tuple[str, str]] = {
    1: ("HtoD", "host to device"),
    2: ("DtoH", "device to host"),
    3: ("HtoA", "host to array"),
    4: ("AtoH", "array to host"),
    5: ("AtoA", "array to array"),
    6: ("AtoD", "array to device"),
    7: ("DtoA", "device to array"),
    8: ("DtoD", "device to device"),
    9: ("HtoH", "host to host"),
    10: ("PtoP", "device to another device"),
}
"""Short and long, by ``CUpti_ActivityMemcpyKind``."""
MEMORIES: Mapping[int, str] = {
    1: "Pageable",
    2: "Pinned",
    3: "Device",
    4: "Array",
    5: "Managed",
    6: "Device Static",
    7: "Managed Static",
}
"""By ``CUpti_ActivityMemoryKind``."""
WAITS: Mapping[int, str] = {
    1: "Event Synchronize",
    2: "Stream Wait Event",
    3: "Stream Synchronize",
    4: "Context Synchronize",
}
"""By ``CUpti_ActivitySynchronizationType``."""
OVERHEADS: Mapping[int, str] = {
    1: "Driver Compiler",
    1 << 16: "Buffer Flush",
    2 << 16: "Instrumentation",
    3 << 16: "Resource",
    4 << 16: "Runtime Triggered Module Loading",
    5 << 16: "Lazy Function Loading",
    6 << 16: "Command Buffer Full",
    7 << 16: "Activity Buffer Request",
    8 << 16: "UVM Activity Init",
}
"""By ``CUpti_ActivityOverheadKind``."""
STATES: Mapping[int, str] = {1: "speed", 2: "temperature", 3: "power", 4: "cooling"}
"""By ``CUpti_ActivityEnvironmentKind``."""


def runtime_call(number: int) -> str:
    """Name a call of the CUDA runtime, its version left out, as in ``cudaLaunchKernel``."""
    return _named(_calls("RuntimeApiTraceCbid"), number, "runtime call")


def driver_call(number: int) -> str:
    """Name a call of the CUDA driver, as in ``cuMemcpyHtoDAsync_v2``."""
    return _named(_calls("DriverApiTraceCbid"), number, "driver call")


def _named(names: Mapping[int, str], number: int, otherwise: str) -> str:
    return re.sub(r"(_ptsz|_ptds)?(_v\d{4,})?$", "", names[number]) if number in names else f"{otherwise} {number}"


@cache
def _calls(enumeration: str) -> Mapping[int, str]:
    """Give the names of calls that this release of cupti-python knows; none where it is not installed."""
    try:
        from cupti import cupti
    except ImportError:
        return {}
    return {int(member): member.name for member in getattr(cupti, enumeration, ())}
