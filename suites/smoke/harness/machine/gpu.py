"""NVIDIA GPUs: what ``nvidia-smi`` says of them, and clocks and free memory from NVML, which comes with the driver.

Best effort: what is unknown is None.
"""

import ctypes
import os
import re
from collections.abc import Mapping
from typing import Any

from ..errors import MISSING, HarnessError
from .cpu import command, instruction_set

_FIELDS = {
    "name": "name",
    "driver_version": "driver",
    "vbios_version": "vbios",
    "compute_cap": "compute_capability",
    "memory.total": "memory_total_mib",
    "memory.free": "memory_free_mib",
    "pstate": "performance_state",
    "clocks.sm": "sm_clock_mhz",
    "clocks.max.sm": "sm_clock_max_mhz",
    "clocks.mem": "memory_clock_mhz",
    "power.limit": "power_limit_w",
    "power.draw": "power_draw_w",
    "temperature.gpu": "temperature_c",
    "utilization.gpu": "utilization_percent",
    "persistence_mode": "persistence",
    "ecc.mode.current": "ecc",
    "mig.mode.current": "mig",
    "clocks_throttle_reasons.active": "throttle_reasons",
}
_OTHER_NAMES = {"clocks_throttle_reasons.active": "clocks_event_reasons.active"}
"""Of fields that newer drivers know by another name only."""
_SM_CLOCK = 1
"""``NVML_CLOCK_SM``."""
_L2_CACHE_SIZE, _CAPABILITY_MAJOR, _CAPABILITY_MINOR = 38, 75, 76
"""``CU_DEVICE_ATTRIBUTE_...``."""


def gpu_facts() -> list[dict[str, Any]]:
    """Describe the NVIDIA GPUs as ``nvidia-smi`` does, serial numbers left out; empty without the tool.

    A field that the driver does not know fails the whole query: then each is asked for alone, and that one is None.
    A tool that hangs is asked twice.
    """
    columns = _query(*_FIELDS)
    if columns is None and _query("index") is None:
        return []
    if columns is None:
        asked = {field: _query(field) or _query(_OTHER_NAMES.get(field, field)) for field in _FIELDS}
        count = max((len(values[0]) for values in asked.values() if values), default=0)
        columns = [values[0] if values and len(values[0]) == count else [""] * count for values in asked.values()]
    named = dict(zip(_FIELDS.values(), columns, strict=True))
    return [{key: _value(values[index]) for key, values in named.items()} for index in range(len(columns[0]))]


def device_words(gpus: object) -> tuple[str, ...]:
    """Give the compute capabilities of GPUs, as in ``sm_90``, each once, from the facts of a machine."""
    listed = [one for one in gpus if isinstance(one, Mapping)] if isinstance(gpus, list) else []
    known = (str(one.get("compute_capability") or "").replace(".", "") for one in listed)
    return tuple(dict.fromkeys(f"sm_{one}" for one in known if one.isdecimal() and len(one) < 5))


def _query(*fields: str) -> list[list[str]] | None:
    """Give the values of each field, one for each GPU; None where the tool is missing or refuses."""
    text = command("nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits")
    rows = [[value.strip() for value in line.split(",")] for line in (text or "").splitlines()]
    whole = [row for row in rows if len(row) == len(fields)]
    return [list(column) for column in zip(*whole, strict=True)] or None


def _value(text: str) -> int | float | str | None:
    if text in {"", "N/A", "[N/A]", "[Not Supported]", "[Unknown Error]", "[GPU requires reset]"}:
        return None
    if re.fullmatch(r"\d+", text):
        return int(text)
    return float(text) if re.fullmatch(r"\d+\.\d+", text) else text


class _Memory(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_ulonglong) for name in ("total", "free", "used"))


class GpuMonitor:
    """Reads a GPU's clock and free memory, some microseconds each; None where there is no driver or it does not say."""

    def __init__(self, device: int) -> None:
        """Find the GPU.

        Args:
            device: its number as CUDA counts, which is NVML's among those that ``CUDA_VISIBLE_DEVICES`` names.
        """
        self._library, self._handle = _load("libnvidia-ml.so.1", "nvml.dll"), ctypes.c_void_p()
        named = (os.environ.get("CUDA_VISIBLE_DEVICES") or "").split(",")
        which = named[device].strip() if device < len(named) and named[device].strip() else str(device)
        if which.isdigit():
            found = self._ask("nvmlInit_v2") and self._ask(
                "nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(int(which)), ctypes.byref(self._handle)
            )
        else:
            found = self._ask("nvmlInit_v2") and self._ask(
                "nvmlDeviceGetHandleByUUID", which.encode(), ctypes.byref(self._handle)
            )
        if not found:
            self._library = None

    def _ask(self, name: str, *arguments: Any) -> bool:
        """Call a function of the library; False where it is missing or fails."""
        function = getattr(self._library, name, None)
        return function is not None and function(*arguments) == 0

    def clock_mhz(self) -> int | None:
        """Give the clock of the multiprocessors now."""
        clock = ctypes.c_uint()
        known = self._ask("nvmlDeviceGetClockInfo", self._handle, _SM_CLOCK, ctypes.byref(clock))
        return clock.value if known else None

    def free_bytes(self) -> int | None:
        """Give the memory that is free, whoever uses the rest."""
        memory = _Memory()
        return int(memory.free) if self._ask("nvmlDeviceGetMemoryInfo", self._handle, ctypes.byref(memory)) else None


def l2_bytes(device: int) -> int | None:
    """Give the size of a GPU's second-level cache; starts the CUDA driver in this process."""
    return _attribute(device, _L2_CACHE_SIZE) or None


def compute_capability(device: int) -> str | None:
    """Give the kind of a GPU's instruction set, as in ``sm_90``; starts the CUDA driver in this process."""
    major, minor = _attribute(device, _CAPABILITY_MAJOR), _attribute(device, _CAPABILITY_MINOR)
    return None if major is None or minor is None else f"sm_{major}{minor}"


def code_of(device: int | None) -> list[str]:
    """Say for what kernels are built: the processor's extensions, or the compute capability of a GPU.

    Raises:
        HarnessError: no such GPU answers.
    """
    if device is None:
        return instruction_set()
    found = compute_capability(device)
    if found is None:
        raise HarnessError(f"GPU {device} does not answer: see dlbricks doctor", MISSING)
    return [found]


def _attribute(device: int, attribute: int) -> int | None:
    """Ask the CUDA driver about a device."""
    library = _load("libcuda.so.1", "nvcuda.dll")
    place, value = ctypes.c_int(), ctypes.c_int()
    try:
        failed = library.cuInit(0) or library.cuDeviceGet(ctypes.byref(place), device)
        failed = failed or library.cuDeviceGetAttribute(ctypes.byref(value), attribute, place)
    except AttributeError:  # no library, or a stub of one
        return None
    return None if failed else value.value


def _load(*names: str) -> Any:
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None
