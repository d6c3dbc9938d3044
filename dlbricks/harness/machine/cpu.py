"""Facts about the CPU from /proc and /sys, or from ``sysctl`` on macOS; unknown facts are None."""

import os
import platform
import re
import subprocess
from pathlib import Path
from typing import Any

_CPUS = Path("/sys/devices/system/cpu")
# Vector extensions by which runtimes choose kernels, as Linux names them; ``v`` is that of RISC-V.
_EXTENSIONS = [
    *("avx", "avx2", "fma", "f16c", "avx_vnni", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vnni"),
    *("avx512_bf16", "avx512_fp16", "amx_tile", "amx_int8", "amx_bf16"),
    *("asimd", "asimdhp", "asimddp", "i8mm", "bf16", "sve", "sve2", "svei8mm", "svebf16", "sme", "sme2", "v"),
]
_APPLE = {
    "FEAT_FP16": "asimdhp",
    "FEAT_DotProd": "asimddp",
    "FEAT_I8MM": "i8mm",
    "FEAT_BF16": "bf16",
    "FEAT_SME": "sme",
}
_INTEL_MAC = {
    "AVX1.0": "avx",
    "AVX2": "avx2",
    "FMA": "fma",
    "F16C": "f16c",
    "AVX512F": "avx512f",
    "AVX512BW": "avx512bw",
}


def read(path: Path | str) -> str | None:
    """Return the stripped text of a small file; None if it cannot be read or is empty."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def read_int(path: Path | str) -> int | None:
    """Return the integer in a small file; None if there is none."""
    text = read(path)
    return int(text) if text is not None and re.fullmatch(r"-?\d+", text) else None


def command(*arguments: str) -> str | None:
    """Return the output of a command; None if it is missing, fails, hangs or prints nothing."""
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 and done.stdout.strip() else None


def _cpuinfo() -> dict[str, str]:
    """Return the keys of /proc/cpuinfo, each with its first value."""
    info: dict[str, str] = {}
    for line in (read("/proc/cpuinfo") or "").splitlines():
        key, _, value = line.partition(":")
        info.setdefault(key.strip(), value.strip())
    return info


def instruction_set() -> list[str]:
    """Return the architecture and the vector extensions by which runtimes choose kernels.

    As in ``["x86_64", "avx2", "fma", "avx512f", "avx512_vnni"]``; the architecture alone if extensions are unknown.
    """
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    info = _cpuinfo()
    flags = set((info.get("flags") or info.get("Features") or "").split())
    if platform.system() == "Darwin":
        flags = _mac_flags()
    if machine.startswith("riscv"):
        flags = {"v"} if "v" in info.get("isa", "").split("_")[0][4:] else set()
    return [machine, *(name for name in _EXTENSIONS if name in flags)]


def _mac_flags() -> set[str]:
    names = set((command("sysctl", "-n", "machdep.cpu.features", "machdep.cpu.leaf7_features") or "").split())
    flags = {name for apple, name in _INTEL_MAC.items() if apple in names}
    for line in (command("sysctl", "hw.optional.arm") or "").splitlines():
        key, _, value = line.partition(": ")
        if value == "1" and key.rpartition(".")[2] in _APPLE:
            flags.add(_APPLE[key.rpartition(".")[2]])
    return flags | {"asimd"} if platform.machine() == "arm64" else flags


def _model(info: dict[str, str]) -> str | None:
    if platform.system() == "Darwin":
        return command("sysctl", "-n", "machdep.cpu.brand_string")
    if platform.system() == "Windows":
        return os.environ.get("PROCESSOR_IDENTIFIER")
    return info.get("model name") or info.get("Model") or info.get("cpu model") or info.get("CPU part")


def _topology() -> tuple[int | None, int | None]:
    """Return the number of sockets and of physical cores."""
    sockets, cores = set(), set()
    for folder in _CPUS.glob("cpu[0-9]*/topology"):
        package, core = read(folder / "physical_package_id"), read(folder / "core_id")
        sockets.add(package)
        cores.add((package, read(folder / "die_id"), core))
    return (len(sockets) or None, len(cores) or None)


def _caches() -> list[dict[str, Any]]:
    """Return the caches of the first logical processor."""
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
    """Return the number of processors in a list as in ``0-3,8``."""
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
