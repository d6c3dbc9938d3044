"""The command ``doctor``: diagnosis of a machine, with advice. ``gather`` collects facts; ``diagnose`` is pure."""

import importlib.util
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import packages_distributions, version
from typing import Any

import click

from dlbricks.cli.options import json_flag, table_options
from dlbricks.cli.output import present
from dlbricks.errors import CheckError, install_hint
from dlbricks.harness.options import SESSION_OPTIONS, RunOptions

GOOD, WARNING, NOTE = "good", "warning", "note"

MIN_DISK_BYTES = 2 * 2**30
"""Free disk space that the weights of a large suite may need."""
MIN_MEMORY_BYTES = 2 * 2**30
COARSE_TIMER_NS = 1000
BUSY_SHARE = 0.2
"""Load per usable processor above which there is a warning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineCondition:
    """A finding on one aspect of the machine."""

    subject: str
    level: str
    """``good``, ``note``, or ``warning`` if it disturbs measurements."""
    found: str
    advice: str = ""
    """Advice; empty if nothing needs to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The facts that a diagnosis is based on."""

    facts: dict[str, Any]
    """From ``harness.machine.facts``."""
    runtime: str
    """Build information of onnxruntime, or the reason why it cannot be used."""
    providers: tuple[str, ...]
    """Execution providers; empty if the runtime cannot be used."""
    ceilings: tuple[int, int]
    """Highest opset and IR version that the runtime accepts."""
    packages: Mapping[str, str]
    """Installed packages of onnxruntime with their versions; several overwrite each other's files."""
    free_disk_bytes: int
    """Of the folder for temporary files."""
    extras: dict[str, bool]
    """Whether optional packages are installed."""
    missing: dict[str, str | None]
    """For each feature of tracing the reason why it cannot be used here; None if it can."""


def gather() -> Machine:
    """Collect the facts of this machine; failures of a check become findings."""
    from dlbricks.harness.machine.cpu_counters import why_not_hardware
    from dlbricks.harness.machine.facts import system_facts
    from dlbricks.harness.trace.permission import package_version, why_not
    from dlbricks.profile.gpu_counters import why_not_counters

    runtime, providers, ceilings = _runtime()
    return Machine(
        facts=system_facts(),
        runtime=runtime,
        providers=providers,
        ceilings=ceilings,
        packages={name: version(name) for name in sorted({*packages_distributions().get("onnxruntime", ())})},
        free_disk_bytes=shutil.disk_usage(tempfile.gettempdir()).free,
        extras={
            "cupti": package_version() is not None,
            "openvino": importlib.util.find_spec("openvino") is not None,
        },
        missing={
            "kernel tracing": _reason(why_not),
            "GPU counters": _reason(why_not_counters),
            "CPU counters": _reason(why_not_hardware),
        },
    )


def _runtime() -> tuple[str, tuple[str, ...], tuple[int, int]]:
    """Return build information, providers and ceilings of onnxruntime; if it fails, only the reason."""
    from dlbricks.harness.errors import HarnessError, require_packages

    try:
        require_packages()
        import onnxruntime

        from dlbricks.model.lowering.kernels import runtime_ceilings

        build = f"onnxruntime {onnxruntime.__version__}: {onnxruntime.get_build_info()}"
        return build, tuple(onnxruntime.get_available_providers()), runtime_ceilings()
    except HarnessError as error:
        return str(error), (), (0, 0)
    except Exception as error:  # noqa: BLE001  (an incomplete package may raise anything)
        return f"onnxruntime cannot be used ({_line(error)}): reinstall it", (), (0, 0)


def _reason(ask: Callable[[], str | None]) -> str | None:
    """Return the reason why something is not possible; a failure of the check is a reason, too."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001  (libraries of drivers may raise anything)
        return f"the check failed ({_line(error)}): reinstall the package, or do without it"


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def diagnose(machine: Machine) -> tuple[MachineCondition, ...]:
    """Return the findings on a machine; every warning has advice."""
    return (
        *_software(machine),
        *_processor(machine.facts["cpu"]),
        *_load(machine.facts),
        *_space(machine),
        *_accelerators(machine),
        *_tracing(machine.missing),
    )


def _software(machine: Machine) -> Iterator[MachineCondition]:
    system = machine.facts["os"]
    yield MachineCondition(
        subject="python",
        level=GOOD,
        found=f"{system['python']}, numpy {system['numpy']}, onnx {version('onnx')}, {system['distribution']}",
    )
    yield from _packages(machine)
    if machine.providers:
        yield MachineCondition(subject="runtime", level=GOOD, found=machine.runtime)
        yield MachineCondition(subject="providers", level=GOOD, found=", ".join(machine.providers))
        opset, ir_version = machine.ceilings
        yield MachineCondition(subject="reads up to", level=GOOD, found=f"opset {opset}, IR version {ir_version}")
    else:
        found, _, advice = machine.runtime.rpartition(": ")
        yield MachineCondition(subject="runtime", level=WARNING, found=found, advice=advice)
    if machine.extras["openvino"]:
        yield MachineCondition(subject="OpenVINO", level=GOOD, found=f"{version('openvino')}: --runtime openvino works")
    else:
        yield MachineCondition(
            subject="OpenVINO",
            level=NOTE,
            found="not installed: --runtime openvino does not work",
            advice=install_hint("openvino"),
        )


def _packages(machine: Machine) -> Iterator[MachineCondition]:
    """Warn of packages that overwrite each other: all builds of onnxruntime are the module ``onnxruntime``."""
    if len(machine.packages) < 2:
        return
    both = " and ".join(f"{name} {number}" for name, number in machine.packages.items())
    yield MachineCondition(
        subject="packages",
        level=WARNING,
        found=f"{both} are one module: the one installed last is used, and removing one breaks the other",
        advice=f"pip uninstall {' '.join(machine.packages)}, then install one of them",
    )


def _processor(cpu: dict[str, Any]) -> Iterator[MachineCondition]:
    extensions = " ".join(cpu["instruction_set"])
    yield MachineCondition(
        subject="processor",
        level=GOOD,
        found=f"{cpu['model']}, {cpu['cores']} cores, {cpu['threads']} threads ({cpu['usable']} usable); {extensions}",
    )
    governor = cpu["governor"]
    if governor is None:
        yield MachineCondition(
            subject="governor",
            level=NOTE,
            found="unknown: the system does not report it, as usual in virtual machines and containers",
            advice="if you control the host, set it to performance there",
        )
    elif governor == "performance":
        yield MachineCondition(subject="governor", level=GOOD, found="performance")
    else:
        yield MachineCondition(
            subject="governor",
            level=WARNING,
            found=f"{governor}: the clock follows the load, and short benchmarks run slower than a whole network",
            advice="sudo cpupower frequency-set -g performance",
        )
    yield _turbo(cpu["turbo"])
    if cpu["smt"]:
        yield MachineCondition(
            subject="SMT",
            level=NOTE,
            found="on: two threads share a core",
            advice="give --threads no more than there are cores, and keep the machine idle otherwise",
        )


def _turbo(turbo: bool | None) -> MachineCondition:
    if turbo is None:
        return MachineCondition(subject="turbo", level=NOTE, found="unknown: the system does not report it")
    if not turbo:
        return MachineCondition(subject="turbo", level=GOOD, found="off: the clock is steady")
    return MachineCondition(
        subject="turbo",
        level=NOTE,
        found="on: latencies depend on temperature and on other load",
        advice="leave it on to measure what users see; turn it off to compare versions of software",
    )


def _load(facts: dict[str, Any]) -> Iterator[MachineCondition]:
    from dlbricks.units import counted

    average = facts["load"]["average"]
    usable = facts["cpu"]["usable"]
    if average is not None:
        busy = average[0] / usable
        places = counted(usable, "processor")
        yield MachineCondition(
            subject="load",
            level=WARNING if busy > BUSY_SHARE else GOOD,
            found=f"{average[0]:.2f} processes waiting or running on {places} over the last minute",
            advice="stop other processes, or wait until they end" if busy > BUSY_SHARE else "",
        )
    if facts["cpu"]["hypervisor"]:
        yield MachineCondition(
            subject="virtual",
            level=NOTE,
            found="a virtual machine: other guests can interfere, and clock rates are not reported",
            advice="interleaved comparisons (validate) are more reliable than single runs; repeat runs at another time",
        )
    if facts["container"]:
        yield MachineCondition(subject="container", level=NOTE, found=str(facts["container"]))
    limit = facts["cpu_limit"]
    if limit is not None and limit < usable:
        yield MachineCondition(
            subject="cpu limit",
            level=WARNING,
            found=f"the control group allows {limit:g} of {usable} processors and throttles the process beyond",
            advice=f"give --threads at most {max(1, int(limit))}, or lift the limit",
        )
    step = facts["timer_ns"]
    yield MachineCondition(
        subject="timer",
        level=WARNING if step > COARSE_TIMER_NS else GOOD,
        found=f"smallest step {step} ns",
        advice="calls of a few microseconds cannot be timed: use a larger -H" if step > COARSE_TIMER_NS else "",
    )


def _space(machine: Machine) -> Iterator[MachineCondition]:
    from dlbricks.units import format_bytes

    low = machine.free_disk_bytes < MIN_DISK_BYTES
    yield MachineCondition(
        subject="disk",
        level=WARNING if low else GOOD,
        found=f"{format_bytes(machine.free_disk_bytes)} free for temporary files",
        advice="weights of large networks need up to 1 GiB: free some, or point TMPDIR elsewhere" if low else "",
    )
    memory = machine.facts["memory"]
    known = [memory[key] for key in ("available_bytes", "limit_bytes") if memory[key] is not None]
    if known:
        scarce = min(known) < MIN_MEMORY_BYTES
        yield MachineCondition(
            subject="memory",
            level=WARNING if scarce else GOOD,
            found=f"{format_bytes(min(known))} available",
            advice="large networks run in small batches; end other programs" if scarce else "",
        )
    if memory["swap_used_bytes"]:
        yield MachineCondition(
            subject="swap",
            level=NOTE,
            found=f"{format_bytes(memory['swap_used_bytes'])} swapped out",
            advice="if benchmarks are swapped in while they run, their first visits are slow",
        )


def _accelerators(machine: Machine) -> Iterator[MachineCondition]:
    gpus = machine.facts["gpus"]
    if not gpus:
        yield MachineCondition(subject="GPU", level=NOTE, found="none: nvidia-smi is missing or lists no GPU")
        return
    for gpu in gpus:
        yield MachineCondition(subject="GPU", level=GOOD, found=f"{gpu['name']}, driver {gpu['driver']}")
    cuda = "CUDAExecutionProvider" in machine.providers
    yield MachineCondition(
        subject="CUDA provider",
        level=GOOD if cuda else WARNING,
        found="in this build of onnxruntime" if cuda else "not in this build of onnxruntime",
        advice="" if cuda else f"pip uninstall onnxruntime, then {install_hint('cuda')}",
    )
    cupti = machine.extras["cupti"]
    yield MachineCondition(
        subject="CUPTI",
        level=GOOD if cupti else NOTE,
        found="cupti-python is installed" if cupti else "cupti-python is not installed: kernels cannot be traced",
        advice="" if cupti else install_hint("cuda"),
    )


_PERMITTED = {
    "kernel tracing": "permitted: every kernel, copy and call of the GPU's driver",
    "GPU counters": "permitted: bytes of DRAM, operations by type, occupancy",
    "CPU counters": "permitted: cycles, instructions and cache misses of a session with one thread",
}


def _tracing(missing: dict[str, str | None]) -> Iterator[MachineCondition]:
    """Report which features of tracing can be used; calls and layers can always be traced."""
    for subject, reason in missing.items():
        if reason is None:
            yield MachineCondition(subject=subject, level=GOOD, found=_PERMITTED[subject])
        else:
            found, _, advice = reason.rpartition(": ")
            yield MachineCondition(subject=subject, level=NOTE, found=found or advice, advice=advice if found else "")


_MARKS = {"good": "ok", "note": "-", "warning": "!"}


@click.command(short_help="Check what this machine can measure and what disturbs.")
@click.option("--strict", is_flag=True, help="Exit code 1 if anything disturbs measurements.")
@click.option("--roofs", "with_roofs", is_flag=True, help="Measure its peak arithmetic and memory bandwidth.")
@table_options(SESSION_OPTIONS)
@json_flag
def doctor(strict: bool, with_roofs: bool, asked: RunOptions, as_json: bool) -> None:
    """Check what this machine can measure and what disturbs measurements, with advice.

    --roofs measures the peaks through the runtime, in some seconds; the session options apply to these measurements.
    """
    from dlbricks.report.console import table
    from dlbricks.report.profiles import roofs_report

    machine = gather()
    findings = diagnose(machine)
    roofs = None
    if with_roofs:
        from dlbricks.harness.session import session_settings
        from dlbricks.profile.isolated import roofs_isolated

        roofs = roofs_isolated(session_settings(asked))
    made = table("", "subject", "found", "advice")
    for finding in findings:
        made.add_row(_MARKS[finding.level], finding.subject, finding.found, finding.advice)
    document = {"findings": findings, "facts": machine.facts, "roofs": roofs}
    present("doctor", document, lambda: [made, *(roofs_report(roofs) if roofs else ())], as_json=as_json)
    disturbing = [finding.subject for finding in findings if finding.level == WARNING]
    if strict and disturbing:
        raise CheckError(f"measurements are disturbed: {', '.join(disturbing)}")
