"""Facts about NVIDIA GPUs from ``nvidia-smi``; clock and free memory from NVML; attributes from the CUDA driver.

Unknown facts are None.
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
# Names of fields in newer drivers.
_OTHER_NAMES = {"clocks_throttle_reasons.active": "clocks_event_reasons.active"}
# Names of the CUDA driver's library on Linux and Windows.
CUDA_DRIVER = ("libcuda.so.1", "nvcuda.dll")
# ``NVML_CLOCK_SM``.
_SM_CLOCK = 1
# ``CU_DEVICE_ATTRIBUTE_...``.
_L2_CACHE_SIZE, _CAPABILITY_MAJOR, _CAPABILITY_MINOR = 38, 75, 76


def gpu_facts() -> list[dict[str, Any]]:
    """Return facts about each NVIDIA GPU from ``nvidia-smi``, without serial numbers; empty without the tool."""
    # A field that the driver does not know fails the whole query; then each field is queried alone.
    columns = _query(*_FIELDS)
    if columns is None and _query("index") is None:
        return []
    if columns is None:
        answers = {field: _query(field) or _query(_OTHER_NAMES.get(field, field)) for field in _FIELDS}
        count = max((len(values[0]) for values in answers.values() if values), default=0)
        columns = [values[0] if values and len(values[0]) == count else [""] * count for values in answers.values()]
    named = dict(zip(_FIELDS.values(), columns, strict=True))
    return [{key: _value(values[index]) for key, values in named.items()} for index in range(len(columns[0]))]


def device_words(gpus: object) -> tuple[str, ...]:
    """Return the distinct compute capabilities, as in ``sm_90``, from the ``gpus`` of a machine's facts."""
    listed = [gpu for gpu in gpus if isinstance(gpu, Mapping)] if isinstance(gpus, list) else []
    capabilities = (str(gpu.get("compute_capability") or "").replace(".", "") for gpu in listed)
    return tuple(dict.fromkeys(f"sm_{gpu}" for gpu in capabilities if gpu.isdecimal() and len(gpu) < 5))


def _query(*fields: str) -> list[list[str]] | None:
    """Return the values of each field, one for each GPU; None if the tool is missing or fails."""
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
    """Reads a GPU's clock and free memory from NVML, in some microseconds; None if they are unknown."""

    def __init__(self, device: int) -> None:
        """Find the GPU by CUDA's device number, which ``CUDA_VISIBLE_DEVICES`` maps to NVML's."""
        self._library, self._handle = load_library("libnvidia-ml.so.1", "nvml.dll"), ctypes.c_void_p()
        named = (os.environ.get("CUDA_VISIBLE_DEVICES") or "").split(",")
        which = named[device].strip() if device < len(named) and named[device].strip() else str(device)
        by, key = ("Index_v2", ctypes.c_uint(int(which))) if which.isdigit() else ("UUID", which.encode())
        started = self._call("nvmlInit_v2")
        if not (started and self._call(f"nvmlDeviceGetHandleBy{by}", key, ctypes.byref(self._handle))):
            self._library = None

    def _call(self, name: str, *arguments: Any) -> bool:
        """Call a function of the library; return False if it is missing or fails."""
        function = getattr(self._library, name, None)
        return function is not None and function(*arguments) == 0

    def clock_mhz(self) -> int | None:
        """Return the current clock of the multiprocessors."""
        clock = ctypes.c_uint()
        succeeded = self._call("nvmlDeviceGetClockInfo", self._handle, _SM_CLOCK, ctypes.byref(clock))
        return clock.value if succeeded else None

    def free_bytes(self) -> int | None:
        """Return the free memory of the GPU, with all processes taken into account."""
        memory = _Memory()
        return int(memory.free) if self._call("nvmlDeviceGetMemoryInfo", self._handle, ctypes.byref(memory)) else None


def l2_bytes(device: int) -> int | None:
    """Return the size of a GPU's L2 cache; initialises the CUDA driver in this process."""
    return _attribute(device, _L2_CACHE_SIZE) or None


def compute_capability(device: int) -> str | None:
    """Return a GPU's compute capability, as in ``sm_90``; initialises the CUDA driver in this process."""
    major, minor = _attribute(device, _CAPABILITY_MAJOR), _attribute(device, _CAPABILITY_MINOR)
    return None if major is None or minor is None else f"sm_{major}{minor}"


def code_of(device: int | None) -> list[str]:
    """Return the instruction set that kernels are built for: that of the CPU, or the compute capability of a GPU.

    Raises:
        HarnessError: the GPU does not answer.
    """
    if device is None:
        return instruction_set()
    capability = compute_capability(device)
    if capability is None:
        raise HarnessError(f"GPU {device} does not answer: see dlbricks doctor", MISSING)
    return [capability]


def _attribute(device: int, attribute: int) -> int | None:
    """Return a ``CUdevice_attribute`` of a device from the CUDA driver."""
    library = load_library(*CUDA_DRIVER)
    place, value = ctypes.c_int(), ctypes.c_int()
    try:
        failed = library.cuInit(0) or library.cuDeviceGet(ctypes.byref(place), device)
        failed = failed or library.cuDeviceGetAttribute(ctypes.byref(value), attribute, place)
    except AttributeError:  # no library, or a stub of one
        return None
    return None if failed else value.value


def load_library(*names: str) -> Any:
    """Load the first shared library that is found; return None without one."""
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None
