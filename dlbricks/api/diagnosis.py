"""Diagnosis: what a machine can measure, and what disturbs measurements on it, with advice."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import packages_distributions, version
from types import FunctionType
from typing import Any

from dlbricks.errors import install_hint
from dlbricks.extensions import extensions
from dlbricks.harness.options import RunOptions
from dlbricks.trace.types import Roofs
from dlbricks.units import counted, format_bytes, plain

# Least free disk space and memory: the weights of a large suite may need this much.
MIN_DISK_BYTES = MIN_MEMORY_BYTES = 2 * 2**30
# Least resolution of the timer: with a coarser one calls of a few microseconds cannot be timed.
COARSE_TIMER_NS = 1000
# Load per usable processor above which there is a warning.
BUSY_SHARE = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineCondition:
    """One finding on a machine: what the machine can measure, or what disturbs measurements."""

    subject: str
    level: str
    """``good``, ``note``, or ``warning`` if it disturbs measurements."""
    state: str
    advice: str = ""
    """What the user should do; empty if there is nothing to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """Facts about a machine that decide what it can measure, and findings with advice."""

    facts: dict[str, Any]
    """Facts from ``harness.machine``."""
    runtime: str
    """Build information of onnxruntime, or the reason why it cannot be used."""
    providers: tuple[str, ...]
    """Execution providers; empty if the runtime cannot be used."""
    ceilings: tuple[int, int]
    """Highest opset and IR version that the runtime accepts."""
    packages: Mapping[str, str]
    """Installed packages of onnxruntime and their versions. If there are several, they overwrite each other's files."""
    free_disk_bytes: int
    checks: tuple[MachineCondition, ...]
    """Findings of checks that installed plug-ins add."""
    missing: dict[str, str | None]
    """For each feature of tracing, the reason why it cannot be used here; None if it can be used."""
    roofs: Roofs | None
    """Peak FLOP/s and bytes per second; None if they were not measured."""

    @property
    def conditions(self) -> tuple[MachineCondition, ...]:
        """All findings on the machine; every warning has advice."""
        parts = (_software(self), _processor(self.facts["cpu"]), _load(self.facts), _space(self), _accelerators(self))
        return (*(condition for part in parts for condition in part), *_tracing(self.missing))


def diagnose(roofs: RunOptions | None = None) -> Diagnosis:
    """Return what this machine can measure and what disturbs its measurements; a check that fails becomes a finding.

    If ``roofs`` (session options) is not None, peak rates are measured; raises ``HarnessError`` if they cannot be.
    """
    from dlbricks.harness.cpu import why_not_hardware
    from dlbricks.harness.machine import system_facts
    from dlbricks.harness.trace.cupti import why_not
    from dlbricks.profile.counters import why_not_counters

    runtime, providers, ceilings = _runtime()
    features = {"kernel tracing": why_not, "GPU counters": why_not_counters, "CPU counters": why_not_hardware}
    measured = None
    if roofs is not None:
        from dlbricks.harness.session import session_settings
        from dlbricks.profile.experiment import roofs_isolated

        measured = roofs_isolated(session_settings(roofs))
    return Diagnosis(
        facts=system_facts(),
        runtime=runtime,
        providers=providers,
        ceilings=ceilings,
        packages={name: version(name) for name in sorted({*packages_distributions().get("onnxruntime", ())})},
        free_disk_bytes=shutil.disk_usage(tempfile.gettempdir()).free,
        checks=tuple(condition for check in extensions("dlbricks.checks", FunctionType) for condition in check()),
        missing={name: _reason(ask) for name, ask in features.items()},
        roofs=measured,
    )


def _runtime() -> tuple[str, tuple[str, ...], tuple[int, int]]:
    # Return build information, providers and ceilings; if onnxruntime fails, only the reason.
    from dlbricks.harness.errors import HarnessError
    from dlbricks.harness.session import SessionSettings, check_settings

    try:
        check_settings(SessionSettings())
        from dlbricks.harness.runtimes.onnxruntime import installed
        from dlbricks.model.lowering.kernels import runtime_ceilings

        return *installed(), runtime_ceilings()
    except Exception as error:  # noqa: BLE001  (an incomplete package may raise anything)
        reason = f"onnxruntime cannot be used ({plain(f'{type(error).__name__}: {error}')}): reinstall it"
        return str(error) if isinstance(error, HarnessError) else reason, (), (0, 0)


def _reason(ask: Callable[[], str | None]) -> str | None:
    # A check that fails is a reason not to use the feature, too.
    try:
        return ask()
    except Exception as error:  # noqa: BLE001  (libraries of drivers may raise anything)
        reason = plain(f"{type(error).__name__}: {error}")
        return f"the check failed ({reason}): reinstall the package, or do without it"


def note(subject: str, state: str, advice: str = "") -> MachineCondition:
    """Return a finding of level ``note``, about something that does not disturb measurements."""
    return MachineCondition(subject=subject, level="note", state=state, advice=advice)


def judged(subject: str, state: str, advice: str = "") -> MachineCondition:
    """Return a finding of level ``warning`` if there is advice, otherwise of level ``good``."""
    return MachineCondition(subject=subject, level="warning" if advice else "good", state=state, advice=advice)


def _software(machine: Diagnosis) -> Iterator[MachineCondition]:
    system = machine.facts["os"]
    numpy, onnx = system["numpy"], version("onnx")
    yield judged("python", f"{system['python']}, numpy {numpy}, onnx {onnx}, {system['distribution']}")
    if len(machine.packages) > 1:  # every build installs the module ``onnxruntime``
        both = " and ".join(f"{name} {number}" for name, number in machine.packages.items())
        yield judged(
            "packages",
            f"{both} install the same module: the one installed last is used, and removing one breaks the other",
            f"pip uninstall {' '.join(machine.packages)}, then install one of them",
        )
    if machine.providers:
        opset, ir_version = machine.ceilings
        yield judged("runtime", machine.runtime)
        yield judged("providers", ", ".join(machine.providers))
        yield judged("reads up to", f"opset {opset}, IR version {ir_version}")
    else:
        reason, _, advice = machine.runtime.rpartition(": ")
        yield judged("runtime", reason, advice)
    yield from machine.checks


def _processor(cpu: dict[str, Any]) -> Iterator[MachineCondition]:
    counts = f"{counted(cpu['cores'], 'core')}, {counted(cpu['threads'], 'thread')} ({cpu['usable']} usable)"
    yield judged("processor", f"{cpu['model']}, {counts}; {' '.join(cpu['instruction_set'])}")
    governor = cpu["governor"]
    if governor is None:
        state = "unknown: the system does not report it, as usual in virtual machines and containers"
        yield note("governor", state, "if you administer the host, set its governor to performance")
    else:
        slow = f"{governor}: the clock rate follows the load, so short benchmarks run slower than a whole network"
        steady = governor == "performance"
        yield judged("governor", *((governor, "") if steady else (slow, "sudo cpupower frequency-set -g performance")))
    if cpu["turbo"]:
        advice = "leave turbo on to measure what users get; turn it off to compare software versions"
        yield note("turbo", "on: clock rate and latencies depend on temperature and other programs", advice)
    elif cpu["turbo"] is None:
        yield note("turbo", "unknown: the system does not report it")
    else:
        yield judged("turbo", "off: the clock rate is constant")
    if cpu["smt"]:
        advice = "set --threads to at most the number of cores, and run nothing else"
        yield note("SMT", "on (hyper-threading): two hardware threads share a core", advice)


def _load(facts: dict[str, Any]) -> Iterator[MachineCondition]:
    average, limit, usable = facts["load"]["average"], facts["cpu_limit"], facts["cpu"]["usable"]
    # the average of the last minute shows whether another program runs now
    if average is not None:
        running = f"{average[0]:.2f} processes waiting or running on {counted(usable, 'processor')}"
        advice = "stop other processes, or wait until they end" if average[0] / usable > BUSY_SHARE else ""
        yield judged("load", f"{running} over the last minute", advice)
    if facts["cpu"]["hypervisor"]:
        state = "a virtual machine: other guests may slow it down, and it does not report clock rates"
        advice = "prefer interleaved measurements ('validate') to single runs, and repeat runs at another time"
        yield note("virtual", state, advice)
    if facts["container"]:
        yield note("container", str(facts["container"]))
    if limit is not None and limit < usable:
        state = f"the control group allows {limit:g} of {usable} processors and throttles processes that use more"
        yield judged("cpu limit", state, f"set --threads to at most {max(1, int(limit))}, or lift the limit")
    step = facts["timer_ns"]
    advice = "calls of a few microseconds cannot be timed: use larger sequences (-H)" if step > COARSE_TIMER_NS else ""
    yield judged("timer", f"resolution {step} ns", advice)


def _space(machine: Diagnosis) -> Iterator[MachineCondition]:
    low = machine.free_disk_bytes < MIN_DISK_BYTES
    advice = "weights of large networks need up to 1 GiB: free some space, or set TMPDIR to another disk" if low else ""
    yield judged("disk", f"{format_bytes(machine.free_disk_bytes)} free for temporary files", advice)
    memory = machine.facts["memory"]
    # in a container the limit may be below the available memory of the machine
    free = [memory[key] for key in ("available_bytes", "limit_bytes") if memory[key] is not None]
    if free:
        advice = "large networks may not fit: end other programs" if min(free) < MIN_MEMORY_BYTES else ""
        yield judged("memory", f"{format_bytes(min(free))} available", advice)
    if memory["swap_used_bytes"]:
        advice = "the first calls of a benchmark are slow if its memory was swapped out: free memory before a run"
        yield note("swap", f"{format_bytes(memory['swap_used_bytes'])} swapped out", advice)


def _accelerators(machine: Diagnosis) -> Iterator[MachineCondition]:
    gpus = machine.facts["gpus"]
    if not gpus:
        yield note("GPU", "none: nvidia-smi is not installed or lists no GPU")
        return
    for gpu in gpus:
        yield judged("GPU", f"{gpu['name']}, driver {gpu['driver']}")
    usable = "CUDAExecutionProvider" in machine.providers
    advice = "" if usable else f"pip uninstall onnxruntime, then {install_hint('cuda')}"
    yield judged("CUDA provider", f"{'' if usable else 'not '}in this build of onnxruntime", advice)


_PERMITTED = {
    "kernel tracing": "permitted: kernels and copies of the GPU, and the host's launches and waits",
    "GPU counters": "permitted: bytes of DRAM and occupancy of calls; operations are computed from shapes instead",
    "CPU counters": "permitted: cycles, instructions and cache misses of a session with one thread",
}


def _tracing(missing: dict[str, str | None]) -> Iterator[MachineCondition]:
    # Calls and layers can always be traced.
    for subject, reason in missing.items():
        if reason is None:
            yield judged(subject, _PERMITTED[subject])
        else:
            state, _, advice = reason.rpartition(": ")
            yield note(subject, state or advice, advice if state else "")
