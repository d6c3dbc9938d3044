"""Reads facts about the CPU, and counts hardware events of a call by Linux perf events.

Facts come from /proc and /sys, or from ``sysctl`` on macOS; unknown facts are None. Counters need the package
py-perf-event. They count the calling thread only, in user space.
"""

import errno
import os
import platform
import re
import statistics
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import MISSING, HarnessError

_CPUS = Path("/sys/devices/system/cpu")
# Vector extensions by which runtimes choose kernels, as Linux names them; ``v`` is the one of RISC-V.
_EXTENSIONS = [
    *("avx", "avx2", "fma", "f16c", "avx_vnni", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vnni"),
    *("avx512_bf16", "avx512_fp16", "amx_tile", "amx_int8", "amx_bf16"),
    *("asimd", "asimdhp", "asimddp", "i8mm", "bf16", "sve", "sve2", "svei8mm", "svebf16", "sme", "sme2", "v"),
]
# For each number of channels in a block (``block_of``) what such processors have; a suite is split for each.
BLOCKS: Mapping[int, tuple[str, ...]] = {8: ("x86_64", "avx2", "fma"), 16: ("x86_64", "avx2", "fma", "avx512f")}


def read(path: Path | str) -> str | None:
    """Return the stripped text of a small file; None if it cannot be read or is empty."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def read_int(path: Path | str) -> int | None:
    """Return the integer in a small file; None if the file holds no integer."""
    text = read(path)
    return int(text) if text is not None and re.fullmatch(r"-?\d+", text) else None


def command(*arguments: str) -> str | None:
    """Run a command and return its output; None if it is missing, fails, hangs or prints nothing."""
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 and done.stdout.strip() else None


def _cpuinfo() -> dict[str, str]:
    info: dict[str, str] = {}
    for line in (read("/proc/cpuinfo") or "").splitlines():
        key, _, value = line.partition(":")
        info.setdefault(key.strip(), value.strip())
    return info


def instruction_set() -> list[str]:
    """Return the architecture of the CPU, and the vector extensions by which runtimes choose kernels.

    An example is ``["x86_64", "avx2", "fma", "avx512f"]``; the list has one item if extensions are unknown.
    """
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    info = _cpuinfo()
    flags = set((info.get("flags") or info.get("Features") or "").split())
    if machine.startswith("riscv"):
        flags = {"v"} if "v" in info.get("isa", "").split("_")[0][4:] else set()
    return [machine, *(name for name in _EXTENSIONS if name in flags)]


def block_of(code: Sequence[str]) -> int | None:
    """Return how many channels of an image onnxruntime keeps together on a processor with this instruction set.

    Nothing else of an instruction set decides the graph that onnxruntime executes. None if the number is unknown.
    """
    if not code or code[0] != "x86_64":
        return None
    return 16 if "avx512f" in code else 8


def lowers_alike(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether onnxruntime executes the same graph on processors with these two instruction sets."""
    return [*first] == [*second] or None is not block_of(first) == block_of(second)


def suits(target: Mapping[str, Any], code: Sequence[str]) -> bool:
    """Return whether a suite of ``onnxruntime-cpu`` has the graphs of a processor with instruction set ``code``."""
    return block_of(code) in target["blocks"] if target.get("blocks") else lowers_alike(target["instruction_set"], code)


def benchmarks_for(suite: Mapping[str, Any], code: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the benchmarks of a suite's document that are for a processor with instruction set ``code``."""
    # where blocks had another size when the suite was generated, tensors have their values in another order
    own, generator = block_of(code), block_of(suite["target"]["instruction_set"])
    for row in suite["benchmarks"]:
        if (row.get("block") or own) == own:
            blocked = own != generator and "blocked" in " ".join(row.get("kinds", ())).split()
            yield {**row, "reference": None} if blocked else row


def _model(info: dict[str, str]) -> str | None:
    if platform.system() == "Darwin":
        return command("sysctl", "-n", "machdep.cpu.brand_string")
    return info.get("model name") or info.get("Model") or info.get("cpu model") or info.get("CPU part")


def _topology() -> tuple[int | None, int | None]:
    sockets, cores = set(), set()
    for folder in _CPUS.glob("cpu[0-9]*/topology"):
        package, core = read(folder / "physical_package_id"), read(folder / "core_id")
        sockets.add(package)
        cores.add((package, read(folder / "die_id"), core))
    return (len(sockets) or None, len(cores) or None)


def _caches() -> list[dict[str, Any]]:
    caches = []
    for folder in sorted(_CPUS.glob("cpu0/cache/index[0-9]*")):
        size = re.fullmatch(r"(\d+)([KMG]?)", read(folder / "size") or "")
        shared = read(folder / "shared_cpu_list")
        if size is not None:
            caches.append(
                {
                    "level": read_int(folder / "level"),
                    "type": (read(folder / "type") or "").lower(),
                    "size_bytes": int(size[1]) * {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[size[2]],
                    "shared_by": _count_list(shared) if shared else None,
                }
            )
    return caches


def _count_list(text: str) -> int:
    # Return the number of processors in a list as in `0-3,8`
    ends = [part.partition("-") for part in text.split(",")]
    return sum(int(last or first) - int(first) + 1 for first, _, last in ends)


def _turbo() -> bool | None:
    no_turbo = read_int(_CPUS / "intel_pstate/no_turbo")
    if no_turbo is not None:
        return no_turbo == 0
    boost = read_int(_CPUS / "cpufreq/boost")
    return None if boost is None else boost == 1


def usable_processors() -> int:
    """Return the number of logical processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_facts() -> dict[str, Any]:
    """Return facts about the CPU, without serial numbers or anything else that identifies one machine."""
    info, frequency = _cpuinfo(), _CPUS / "cpu0/cpufreq"
    sockets, cores = _topology()
    smt = read_int(_CPUS / "smt/active")
    megahertz = info.get("cpu MHz")
    khz = read_int(frequency / "scaling_cur_freq")
    return {
        "model": _model(info),
        "vendor": info.get("vendor_id"),
        "family": info.get("cpu family"),
        "model_number": info.get("model"),
        "stepping": info.get("stepping"),
        "microcode": info.get("microcode"),
        "instruction_set": instruction_set(),
        "sockets": sockets,
        "cores": cores,
        "threads": os.cpu_count(),
        "usable": usable_processors(),
        "smt": None if smt is None else smt == 1,
        "hypervisor": "hypervisor" in info["flags"].split() if "flags" in info else None,
        "caches": _caches(),
        "governor": read(frequency / "scaling_governor"),
        "frequency_driver": read(frequency / "scaling_driver"),
        "turbo": _turbo(),
        "frequency_khz": khz or (round(float(megahertz) * 1000) if megahertz else None),
        "frequency_min_khz": read_int(frequency / "scaling_min_freq"),
        "frequency_max_khz": read_int(frequency / "scaling_max_freq"),
    }


# Counted events, with their names in py-perf-event.
EVENTS: Mapping[str, str] = {"cycles": "CPU_CYCLES", "instructions": "INSTRUCTIONS", "cache_misses": "CACHE_MISSES"}
# Events without which counting fails; cache misses are optional, since some processors do not count them.
_NEEDED = ("cycles", "instructions")
_PARANOID = "/proc/sys/kernel/perf_event_paranoid"


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareCounts:
    """Hardware events of one call."""

    calls: int
    """Number of calls; every other field is a median over these calls."""
    cycles: int
    instructions: int
    cache_misses: int | None
    """Misses of the last-level cache; None if the processor does not count them."""

    def to_plain(self) -> dict[str, int]:
        """Return the counts for a result file; unknown counts are left out."""
        counts = {name: getattr(self, name) for name in ("calls", *EVENTS)}
        return {name: count for name, count in counts.items() if count is not None}


def why_not_hardware(threads: int = 1) -> str | None:
    """Return why hardware counters cannot be read, and how to permit it, in one line; None if they can be read."""
    if threads != 1:
        return f"CPU counters count one thread, and the session has {threads}: use --threads 1"
    if platform.system() != "Linux":
        return "CPU counters can be read on Linux only; latencies do not need them"
    try:
        import py_perf_event  # noqa: F401 - to see whether it is installed
    except ImportError:
        return "CPU counters need py-perf-event: pip install py-perf-event"
    number = next((number for name in _NEEDED if (number := _error_of(name)) is not None), None)
    if number is None:
        return None
    return kernel_reason(number, read_int(_PARANOID), virtual=" hypervisor" in (read("/proc/cpuinfo") or ""))


def count_events(call: Callable[[], object], calls: int = 10) -> HardwareCounts:
    """Call a function ``calls`` times; return the median numbers of hardware events on this thread.

    The function must be warm. Raises ``HarnessError`` if counters are missing or in use.
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
            raise HarnessError("another program uses the CPU counters (perf, another profiler): end it")
        rows.append(list(reading.measurements))
    medians = {name: round(statistics.median(row[index] for row in rows)) for index, name in enumerate(names)}
    cache_misses = medians.pop("cache_misses", None)
    return HardwareCounts(calls=calls, cache_misses=cache_misses, **medians)


def kernel_reason(number: int, paranoid: int | None = None, *, virtual: bool = False) -> str:
    """Explain an error number (``errno``) of the system call ``perf_event_open``, and say what to do."""
    if number in {errno.EACCES, errno.EPERM}:
        if paranoid is not None and paranoid > 2:
            return f"the kernel forbids CPU counters: sudo sysctl kernel.perf_event_paranoid=2 (now {paranoid})"
        return "CPU counters are forbidden in this container: run it with --cap-add=PERFMON or another seccomp profile"
    if number in {errno.ENOENT, errno.ENODEV, errno.EOPNOTSUPP}:
        where = "this virtual machine" if virtual else "this processor or kernel"
        return f"{where} has no CPU counters: enable the vPMU of the virtual machine, or use another machine"
    name = errno.errorcode.get(number, str(number))
    return f"CPU counters cannot be read (perf_event_open fails with {name}): use another kernel or container"


def _error_of(name: str) -> int | None:
    # Open an event; return the kernel's error number, or None if the event can be counted
    from py_perf_event import Hardware, Measure

    try:
        measure: Any = Measure([getattr(Hardware, EVENTS[name])])
        measure.enable()
        measure.disable()
    except OSError as error:
        match = re.search(r"os error (\d+)", str(error))
        return error.errno or (int(match[1]) if match else 0)
    return None
