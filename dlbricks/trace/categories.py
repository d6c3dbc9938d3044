"""What the categories, names and numbers in traces of PyTorch's profiler mean, in the spellings of all years.

Sources: Kineto's ``ActivityType`` (names since 2022), the traces of PyTorch 1.8 to 2.13 (names of 2021), and the device
plug-ins of other makers. Matched without regard to case.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from dlbricks.trace import kinds
from dlbricks.trace.nouns import Level, Role


class Meaning(NamedTuple):
    """What spans of a category are."""

    level: Level
    kind: str
    role: Role = Role.PLAIN
    place: str = "thread"
    """Kind of lane: ``thread``, ``stream``, ``waits`` or ``ranges`` of a stream, ``profiler``."""


_OPERATOR = Meaning(Level.LAYER, kinds.OPERATOR)
RANGE = Meaning(Level.APPLICATION, kinds.RANGE)
STEP = Meaning(Level.APPLICATION, kinds.STEP)
_DEVICE_RANGE = Meaning(Level.APPLICATION, kinds.RANGE, Role.EXECUTION, "ranges")
_RUNTIME = Meaning(Level.LIBRARY, kinds.RUNTIME)
_DRIVER = Meaning(Level.LIBRARY, kinds.DRIVER)
_WAIT = Meaning(Level.LIBRARY, kinds.SYNCHRONISATION, Role.EXECUTION, "waits")
_KERNEL = Meaning(Level.KERNEL, kinds.KERNEL, Role.EXECUTION, "stream")
_COPY = Meaning(Level.KERNEL, kinds.COPY, Role.EXECUTION, "stream")
_MEMSET = Meaning(Level.KERNEL, kinds.MEMSET, Role.EXECUTION, "stream")
COLLECTIVE = Meaning(Level.KERNEL, kinds.COLLECTIVE, Role.EXECUTION, "stream")
WAITING_CALL = Meaning(Level.LIBRARY, kinds.SYNCHRONISATION)

CATEGORIES: Mapping[str, Meaning] = {
    **dict.fromkeys(("cpu_op", "operator", "hpu_op"), _OPERATOR),
    "user_annotation": RANGE,
    **dict.fromkeys(("gpu_user_annotation", "mlu_user_annotation", "gcu_user_annotation"), _DEVICE_RANGE),
    **dict.fromkeys(("cuda_runtime", "runtime", "hip_runtime", "xpu_runtime", "mtia_runtime", "mlu_runtime"), _RUNTIME),
    **dict.fromkeys(("glow_runtime", "gcu_runtime", "privateuse1_runtime"), _RUNTIME),
    **dict.fromkeys(("cuda_driver", "driver", "xpu_driver", "gcu_driver", "privateuse1_driver"), _DRIVER),
    **dict.fromkeys(("kernel", "mtia_ccp_events"), _KERNEL),
    **dict.fromkeys(("gpu_memcpy", "memcpy", "mlu_memcpy", "gcu_memcpy"), _COPY),
    **dict.fromkeys(("gpu_memset", "memset", "mlu_memset", "gcu_memset"), _MEMSET),
    **dict.fromkeys(("cuda_sync", "xpu_sync", "gcu_sync"), _WAIT),
    "python_function": Meaning(Level.LIBRARY, kinds.PYTHON),
    "overhead": Meaning(Level.HARDWARE, kinds.OVERHEAD, place="profiler"),
}
"""By category in lower case."""
LEFT_OUT = frozenset({"trace"})
"""Spans that say how long was recorded, not what happened."""
EVENT_RECORDS = frozenset({"cuda_event"})
"""Records that add to a call of the runtime which event it recorded on which stream."""
FORWARD_BACKWARD = frozenset({"fwdbwd", "forward_backward"})
"""Arrows from an operator to the one that computes its gradient."""

_STEP = re.compile(r"ProfilerStep\b")
_LOADER = re.compile(r"enumerate\(DataLoader\)")
_COLLECTIVE = re.compile(r"(nccl|rccl|msccl|mscclpp)", re.IGNORECASE)
_WAITING = re.compile(r"(cuda|cu|hip)(Device|Stream|Event|Ctx|Context)Synchronize", re.IGNORECASE)
_LAUNCHING = re.compile(r"(cuda|cu|hip)(Ext|Module|HccModule|ExtModule|Graph)?(Launch(?!HostFunc)|Memcpy|Memset)")


def special(name: str, meaning: Meaning | None) -> Meaning | None:
    """Give the meaning of a span whose name says more than its category does; else that of its category.

    Args:
        name: of the span.
        meaning: of its category; None where that is unknown.
    """
    if meaning is None or meaning.level <= Level.LAYER:
        on_host = meaning is None or meaning.place == "thread"
        if on_host and _STEP.match(name):
            return STEP
        return RANGE if on_host and _LOADER.match(name) else meaning
    if meaning is _KERNEL and collective(name):
        return COLLECTIVE
    return WAITING_CALL if meaning in {_RUNTIME, _DRIVER} and _WAITING.match(name) else meaning


def collective(name: str) -> bool:
    """Tell whether a kernel is one of a communication library, by its name."""
    return _COLLECTIVE.match(name) is not None


def launches(name: str) -> bool:
    """Tell whether a call of the runtime or driver hands work to a device, by its name."""
    return _LAUNCHING.match(name) is not None


_DIRECTIONS: Mapping[str, str] = {
    "HtoD": "host to device", "DtoH": "device to host", "DtoD": "device to device", "HtoH": "host to host",
    "HtoA": "host to array", "AtoH": "array to host", "AtoA": "array to array", "AtoD": "array to device",
    "DtoA": "device to array", "PtoP": "device to another device", "HostToDevice": "host to device",
    "DeviceToHost": "device to host", "DeviceToDevice": "device to device", "PeerToPeer": "device to another device",
}  # fmt: skip
_DIRECTION = re.compile("|".join(_DIRECTIONS))


def direction(name: str) -> str | None:
    """Give from where to where a copy goes, by its name; None where that does not say."""
    found = _DIRECTION.search(name)
    return _DIRECTIONS[found.group()] if found else None


DTYPES: Mapping[str, tuple[str, int]] = {
    "float": ("float32", 4), "double": ("float64", 8), "half": ("float16", 2), "c10::half": ("float16", 2),
    "bfloat16": ("bfloat16", 2), "c10::bfloat16": ("bfloat16", 2), "int": ("int32", 4), "long": ("int64", 8),
    "long int": ("int64", 8), "short": ("int16", 2), "char": ("int8", 1), "signed char": ("int8", 1),
    "byte": ("uint8", 1), "unsigned char": ("uint8", 1), "bool": ("bool", 1),
    "float8_e4m3fn": ("float8e4m3fn", 1), "float8_e5m2": ("float8e5m2", 1),
    "c10::float8_e4m3fn": ("float8e4m3fn", 1), "c10::float8_e5m2": ("float8e5m2", 1),
    "complexfloat": ("complex64", 8), "c10::complex<float>": ("complex64", 8),
}  # fmt: skip
"""Element types in the spellings of the framework, in lower case: name as elsewhere here, and bytes."""
