"""Reads facts about a machine, its load and its GPUs, and allocates small free blocks of memory during a run.

Unknown facts are None. Host names, serial numbers, addresses and user names are not read. Facts about NVIDIA GPUs come
from ``nvidia-smi``; clock, free memory and energy come from NVML, and the attributes from the CUDA driver.
"""

import contextlib
import ctypes
import math
import mmap
import os
import platform
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .cpu import command, cpu_facts, instruction_set, read, read_int, why_not_hardware
from .dtypes import Numbers
from .errors import MISSING, HarnessError

# Value of the fact ``cpu_counters`` if cycles and instructions can be counted; otherwise the fact is the reason.
PERMITTED = "permitted"


def system_facts(device: int | None = None) -> dict[str, Any]:
    """Return facts about the machine, its state and the energy counter of a device, as a JSON object without NaN."""
    return {
        "cpu": cpu_facts(),
        "memory": _memory(),
        "numa_nodes": len(list(Path("/sys/devices/system/node").glob("node[0-9]*"))) or None,
        "load": _load(),
        "container": _container(),
        "cpu_limit": _cpu_limit(),
        "temperature_c": _temperature(),
        "os": {
            "system": platform.system(),
            "release": platform.release(),
            "distribution": _distribution(),
            "libc": " ".join(platform.libc_ver()).strip() or None,
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
        "gpus": gpu_facts(),
        "energy": EnergyCounter(device).source,
        "cpu_counters": why_not_hardware() or PERMITTED,
        "timer_ns": timer_step_ns(),
        "unix_ns": time.time_ns(),
        "monotonic_ns": time.perf_counter_ns(),
    }


def system_name(facts: dict[str, Any]) -> str:
    """Derive a short system name from the facts, as in ``amd-epyc-7763-64c`` or ``intel-xeon-f6-m207-8c-nvidia-h200``.

    Virtual machines hide a processor's number, but not its family (``f``) and model (``m``).
    """
    cpu = facts["cpu"]
    model = re.sub(
        r"\((R|TM|C)\)|@.*|\b(CPU|Processor|\d+-Core)\b", " ", cpu["model"] or platform.machine(), flags=re.IGNORECASE
    )
    if cpu["family"] and not re.search(r"\d", model):
        model += f" f{cpu['family']} m{cpu['model_number']}"
    cores = cpu["cores"] or cpu["threads"]
    parts = [model, f"{cores}c" if cores else "", facts["gpus"][0]["name"] if facts["gpus"] else ""]
    return re.sub(r"[^a-z0-9]+", "-", " ".join(parts).lower()).strip("-") or "system"


def available_bytes() -> int | None:
    """Return the bytes of memory that can be used without swapping, within the container's limit; None if unknown."""
    memory = _memory()
    limits = [value for value in (memory["available_bytes"], memory["limit_bytes"]) if value is not None]
    return min(limits) if limits else None


def timer_step_ns() -> int:
    """Measure the smallest step of the timer that measures latencies, ns."""
    clock = time.perf_counter_ns
    steps = []
    for _ in range(200):
        start = clock()
        while (end := clock()) == start:
            pass
        steps.append(end - start)
    return max(1, min(steps))


def _memory() -> dict[str, Any]:
    entries = dict(re.findall(r"^(\w+):\s+(\d+) kB", read("/proc/meminfo") or "", flags=re.MULTILINE))
    kib = {key: int(value) * 1024 for key, value in entries.items()}
    total = kib.get("MemTotal")
    if total is None and platform.system() == "Darwin":
        text = command("sysctl", "-n", "hw.memsize")
        total = int(text) if text else None
    huge = re.search(r"\[(\w+)\]", read("/sys/kernel/mm/transparent_hugepage/enabled") or "")
    return {
        "total_bytes": total,
        "available_bytes": kib.get("MemAvailable", total),
        "swap_used_bytes": kib["SwapTotal"] - kib["SwapFree"] if "SwapTotal" in kib else None,
        "limit_bytes": _memory_limit(),
        "huge_pages": huge[1] if huge else None,
    }


def _memory_limit() -> int | None:
    # Return the bytes that are left of the limit of a control group (version 2)
    most = read_int("/sys/fs/cgroup/memory.max")
    return None if most is None else max(0, most - (read_int("/sys/fs/cgroup/memory.current") or 0))


def _cpu_limit() -> float | None:
    quota, _, period = (read("/sys/fs/cgroup/cpu.max") or "").partition(" ")
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() else None


def _load() -> dict[str, Any]:
    runnable = (read("/proc/loadavg") or "").split()[3:4]
    ticks = re.match(r"cpu +([\d ]+)", read("/proc/stat") or "")
    per_second = os.sysconf("SC_CLK_TCK")
    seconds = [int(tick) / per_second for tick in ticks[1].split()] if ticks else []
    pressure = re.search(r"some avg10=([\d.]+)", read("/proc/pressure/cpu") or "")
    return {
        "average": list(os.getloadavg()),
        "runnable": int(runnable[0].partition("/")[0]) if runnable else None,
        "pressure_percent": float(pressure[1]) if pressure else None,
        "busy_s": round(sum(seconds[:3]), 2) if seconds else None,
        "own_s": round(sum(os.times()[:4]), 2),  # of this process and of workers that have ended
        "idle_s": seconds[3] if len(seconds) > 3 else None,
        "steal_s": seconds[7] if len(seconds) > 7 else None,
    }


def _container() -> str | None:
    if Path("/.dockerenv").exists():
        return "docker"
    if Path("/run/.containerenv").exists():
        return "podman"
    groups = read("/proc/1/cgroup") or ""
    return next((name for name in ("kubepods", "docker", "lxc", "containerd") if name in groups), None)


def _distribution() -> str | None:
    if platform.system() == "Darwin":
        return f"macOS {platform.mac_ver()[0]}"
    match = re.search(r'^PRETTY_NAME="?([^"\n]+)', read("/etc/os-release") or "", flags=re.MULTILINE)
    return match[1] if match else None


def _temperature() -> float | None:
    readings = [read_int(path) for path in Path("/sys/class/thermal").glob("thermal_zone*/temp")]
    temperatures = [value for value in readings if value is not None]
    return max(temperatures) / 1000 if temperatures else None


# Free blocks below this size are held by default. A decoder's step that reads 84 MB took 10.2 ms if the memory was in
# single pages, 8.1 ms in blocks of 16 KiB, and 7.6 ms in blocks of 64 KiB, 256 KiB and 2 MiB.
WHOLE_BLOCK_BYTES = 64 << 10
# Largest share of the available memory to hold.
MOST_SHARE = 0.5
# Most bytes to hold: allocating 1 GB takes half a second, divided by the number of threads.
MOST_BYTES = 8 << 30
_PAGE = 4096
# Pages that are touched between two looks at the clock: 4 MiB, some milliseconds.
_TOUCHED = 1024


def scattered_bytes(buddyinfo: str, zoneinfo: str = "", whole_bytes: int = WHOLE_BLOCK_BYTES) -> int:
    """Return the bytes of free memory in blocks smaller than ``whole_bytes``.

    Args:
        buddyinfo: text of ``/proc/buddyinfo``, which has the number of free blocks of 1, 2, 4, ... pages by zone.
        zoneinfo: text of ``/proc/zoneinfo``, which has the number of free pages of each processor; these count, too.
        whole_bytes: least size of the blocks that do not count.

    >>> scattered_bytes("Node 0, zone   Normal  3 1 0 0 7", "       count:    2")
    28672
    """
    total = _PAGE * sum(map(int, re.findall(r"^ +count: +(\d+)$", zoneinfo, flags=re.MULTILINE)))
    for counts in re.findall(r"^Node +\d+, +zone +\w+ +([\d ]+)$", buddyinfo, flags=re.MULTILINE):
        sizes = ((_PAGE << order, int(count)) for order, count in enumerate(counts.split()))
        total += sum(size * count for size, count in sizes if size < whole_bytes)
    return total


@contextlib.contextmanager
def small_blocks_held(
    whole_bytes: int = WHOLE_BLOCK_BYTES, needed_bytes: int = 0, within_ns: float = math.inf
) -> Iterator[int]:
    """Hold free blocks smaller than ``whole_bytes``, so that benchmarks get larger ones; yield how many bytes are held.

    At least ``needed_bytes`` of memory stay available. Allocation ends after ``within_ns``.
    """
    end_ns = time.perf_counter_ns() + within_ns
    available = available_bytes() or 0
    spared = max(0, min(MOST_BYTES, round(MOST_SHARE * available), available - needed_bytes))
    wanted = min(spared, scattered_bytes(read("/proc/buddyinfo") or "", read("/proc/zoneinfo") or "", whole_bytes))
    nbytes = wanted // _PAGE * _PAGE
    held, taken = _taken(nbytes, end_ns) if nbytes else (None, 0)
    try:
        yield taken
    finally:
        if held is not None:
            held.close()


def _taken(nbytes: int, end_ns: float) -> tuple[mmap.mmap | None, int]:
    # Allocate memory page by page until `end_ns`; return it and the bytes taken, or None and 0 if that fails
    try:
        memory = mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.madvise(mmap.MADV_NOHUGEPAGE)  # huge pages would take the large blocks, which should stay free
    except OSError:
        return None, 0
    processors = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [-1]
    parts = np.array_split(np.frombuffer(memory, np.uint8)[::_PAGE], len(processors))
    with ThreadPoolExecutor(len(processors)) as pool:
        return memory, _PAGE * sum(pool.map(_touch, processors, parts, [end_ns] * len(parts)))


def _touch(processor: int, pages: Numbers, end_ns: float) -> int:
    # Write one byte to each page until `end_ns`, which allocates it: first from the list of `processor`, unless that is
    # negative; return the number of pages
    with contextlib.suppress(OSError):
        if processor >= 0:
            os.sched_setaffinity(0, {processor})  # of this thread
    for first in range(0, len(pages), _TOUCHED):
        if time.perf_counter_ns() >= end_ns:
            return first
        pages[first : first + _TOUCHED] = 1
    return len(pages)


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
# Value of the fact ``mig`` of a GPU that is divided into slices.
_SLICED = "Enabled"
# Names that newer drivers have for some fields.
_OTHER_NAMES = {"clocks_throttle_reasons.active": "clocks_event_reasons.active"}
# Names of the CUDA driver's library on Linux and Windows.
CUDA_DRIVER = ("libcuda.so.1", "nvcuda.dll")
# ``NVML_CLOCK_SM``.
_SM_CLOCK = 1
# ``CU_DEVICE_ATTRIBUTE_...``.
_L2_CACHE_SIZE, _CAPABILITY_MAJOR, _CAPABILITY_MINOR = 38, 75, 76


def gpu_facts() -> list[dict[str, Any]]:
    """Return facts about each NVIDIA GPU from ``nvidia-smi``, without serial numbers; empty without ``nvidia-smi``."""
    # The query fails if the driver does not know one field; each field is then queried alone.
    columns = _query(*_FIELDS)
    if columns is None and _query("index") is None:
        return []
    if columns is None:
        answers = {field: _query(field) or _query(_OTHER_NAMES.get(field, field)) for field in _FIELDS}
        count = max((len(values[0]) for values in answers.values() if values), default=0)
        columns = [values[0] if values and len(values[0]) == count else [""] * count for values in answers.values()]
    named = dict(zip(_FIELDS.values(), columns, strict=True))
    gpus = [{key: _value(values[index]) for key, values in named.items()} for index in range(len(columns[0]))]
    for index, used in (_slices() if any(gpu["mig"] == _SLICED for gpu in gpus) else {}).items():
        gpus[index]["name"] = f"{gpus[index]['name']} {used}"
    return gpus


def _slices() -> dict[int, str]:
    # Map each GPU that is divided (MIG) to the slice that CUDA uses, as in ``MIG 1g.18gb``: the chosen or first one
    chosen, used = os.environ.get("CUDA_VISIBLE_DEVICES") or "", dict[int, str]()
    for index, text in enumerate(re.split(r"^GPU \d+:", command("nvidia-smi", "-L") or "", flags=re.MULTILINE)[1:]):
        listed = re.findall(r"^ +(MIG \S+) +Device +\d+: \(UUID: (MIG-[^)]+)\)", text, flags=re.MULTILINE)
        if named := [name for name, uuid in listed if uuid in chosen] or [name for name, _ in listed]:
            used[index] = named[0]
    return used


def listed(gpus: object) -> list[Mapping[str, Any]]:
    """Return the facts of each GPU that ``gpu_facts`` lists, or a file, whatever that states."""
    return [gpu for gpu in gpus if isinstance(gpu, Mapping)] if isinstance(gpus, list) else []


def sliced(gpus: object) -> tuple[str, ...]:
    """Return the distinct slices (MIG) of GPUs that ``gpu_facts`` lists, as in ``1g.18gb``, or ``unknown``."""
    names = (str(gpu.get("name")).partition(" MIG ")[2] for gpu in listed(gpus) if gpu.get("mig") == _SLICED)
    return tuple(dict.fromkeys(name or "unknown" for name in names))


def device_words(gpus: object) -> tuple[str, ...]:
    """Return the distinct compute capabilities, as in ``sm_90``, of GPUs that ``gpu_facts`` lists."""
    capabilities = (str(gpu.get("compute_capability") or "").replace(".", "") for gpu in listed(gpus))
    return tuple(dict.fromkeys(f"sm_{gpu}" for gpu in capabilities if gpu.isdecimal() and len(gpu) < 5))


def _query(*fields: str) -> list[list[str]] | None:
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
    """Reads a GPU's clock and free memory from NVML, which takes some microseconds."""

    def __init__(self, device: int) -> None:
        """Find the GPU in NVML by its number in CUDA, which depends on ``CUDA_VISIBLE_DEVICES``."""
        self._library, self._handle = load_library("libnvidia-ml.so.1", "nvml.dll"), ctypes.c_void_p()
        named = (os.environ.get("CUDA_VISIBLE_DEVICES") or "").split(",")
        which = named[device].strip() if device < len(named) and named[device].strip() else str(device)
        by, key = ("Index_v2", ctypes.c_uint(int(which))) if which.isdigit() else ("UUID", which.encode())
        started = self._call("nvmlInit_v2")
        if not (started and self._call(f"nvmlDeviceGetHandleBy{by}", key, ctypes.byref(self._handle))):
            self._library = None

    def _call(self, name: str, *arguments: Any) -> bool:
        # Call a function of NVML; return False if it is missing or fails
        function = getattr(self._library, name, None)
        return function is not None and function(*arguments) == 0

    def clock_mhz(self) -> int | None:
        """Return the current clock of the multiprocessors, MHz; None if it is unknown."""
        clock = ctypes.c_uint()
        succeeded = self._call("nvmlDeviceGetClockInfo", self._handle, _SM_CLOCK, ctypes.byref(clock))
        return clock.value if succeeded else None

    def free_bytes(self) -> int | None:
        """Return the bytes of GPU memory that no process uses; None if they are unknown."""
        memory = _Memory()
        return int(memory.free) if self._call("nvmlDeviceGetMemoryInfo", self._handle, ctypes.byref(memory)) else None

    def energy_uj(self) -> int | None:
        """Return the energy that the GPU used since its driver was loaded, uJ; None if it is unknown."""
        mj = ctypes.c_ulonglong()
        succeeded = self._call("nvmlDeviceGetTotalEnergyConsumption", self._handle, ctypes.byref(mj))
        return mj.value * 1000 if succeeded else None


class EnergyCounter:
    """Reads the energy that all packages of the processor (RAPL) or a GPU (NVML) used."""

    def __init__(self, device: int | None = None, root: Path = Path("/sys/class/powercap")) -> None:
        """Find the counter of a GPU, by its number in CUDA, or of the processor; ``source`` says what, or why not."""
        zones = [zone for zone in sorted(root.glob("intel-rapl:*")) if (read(zone / "name") or "")[:7] == "package"]
        # Ten updates: those of RAPL come every 1 ms (Intel SDM, volume 3, "RAPL Interfaces"), those of NVML every 10 to
        # 100 ms (Yang, Adamek and Armour, arXiv:2312.02741)
        self.source, self._least_ns = "RAPL package, with all else that runs on it", 10_000_000
        # a counter starts again after its limit
        self._spans = [(read_int(zone / "max_energy_range_uj") or 2**64) + 1 for zone in zones]
        self._reads: list[Callable[[], int | None]] = [partial(read_int, zone / "energy_uj") for zone in zones]
        reason = f"only root may read RAPL in {root}" if zones else f"{root} has no RAPL package"
        if device is not None:
            self.source, self._least_ns, reason = "NVML, the whole GPU", 10**9, "NVML reports no energy of this GPU"
            self._spans, self._reads = [2**64], [GpuMonitor(device).energy_uj]
        if not self._reads or not all(self.now()):
            self.source, self._reads = f"absent: {reason}", []

    def now(self) -> list[int]:
        """Return the time, ns, and the counters, uJ; 0 for a counter that cannot be read."""
        return [time.perf_counter_ns(), *(read() or 0 for read in self._reads)]

    def power_mw(self, before: Sequence[int]) -> int | None:
        """Return the mean power since an earlier ``now``, mW; None if it is unknown or fewer than ten updates ago."""
        (begin_ns, *first), (end_ns, *last) = before, self.now()
        if not first or not all((*first, *last)) or end_ns - begin_ns < self._least_ns:
            return None
        used_uj = sum((late - early) % span for early, late, span in zip(first, last, self._spans, strict=True))
        return round(used_uj * 1e6 / (end_ns - begin_ns))


def l2_bytes(device: int) -> int | None:
    """Return the size of a GPU's L2 cache, bytes; None if unknown. This initialises the CUDA driver in this process."""
    return _attribute(device, _L2_CACHE_SIZE) or None


def compute_capability(device: int) -> str | None:
    """Return a GPU's compute capability, as in ``sm_90``, or None. This initialises the CUDA driver in this process."""
    major, minor = _attribute(device, _CAPABILITY_MAJOR), _attribute(device, _CAPABILITY_MINOR)
    return None if major is None or minor is None else f"sm_{major}{minor}"


def code_of(device: int | None) -> list[str]:
    """Return the compute capability of a GPU; without ``device``, return the instruction set of the CPU.

    Raises ``HarnessError`` if the CUDA driver does not report the compute capability.
    """
    if device is None:
        return instruction_set()
    capability = compute_capability(device)
    if capability is None:
        raise HarnessError(f"GPU {device} does not respond: run `dlbricks doctor` to find the cause", MISSING)
    return [capability]


def _attribute(device: int, attribute: int) -> int | None:
    library = load_library(*CUDA_DRIVER)
    place, value = ctypes.c_int(), ctypes.c_int()
    try:
        failed = library.cuInit(0) or library.cuDeviceGet(ctypes.byref(place), device)
        failed = failed or library.cuDeviceGetAttribute(ctypes.byref(value), attribute, place)
    except AttributeError:  # the library is missing, or is a stub
        return None
    return None if failed else value.value


def load_library(*names: str) -> Any:
    """Load the first of several shared libraries that exists; return None if none exists."""
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None
