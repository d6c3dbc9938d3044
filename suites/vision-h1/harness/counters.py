"""Counting what a benchmark does on a GPU: bytes of DRAM, operations by type, occupancy, from performance monitors.

The monitors are sampled on a grid of time, not per kernel: the benchmark is looped while samples are taken, all samples
are added up, and the sum is divided by the calls. Kernels run as they always do (no replay, XSP's more than hundredfold
slow-down), but what else uses the GPU is counted, too. Needs cupti-python, a driver, and the right to read counters.
"""

import ctypes
import importlib.metadata
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .cpu import read
from .errors import MISSING, HarnessError
from .gpumetrics import ACTIVE, OCCUPANCY, WARPS, Alternative, Plan, planned
from .permission import cause, cupti_errors, explained, look

LEAST_NS = 50_000_000
"""Time that the benchmark is looped for in each pass, at least; the first and the last sample weigh little in it."""
LEAST_CALLS = 5
MOST_SAMPLES = 5_000
LEAST_INTERVAL_NS = 20_000
BUFFER_BYTES = 512 << 20
REMAINS = "times of kernels and bytes computed from shapes do not need them"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """Samples of one pass."""

    metrics: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    """A row for each sample, a value for each metric; values of sums add up over samples."""
    calls: int
    """Of the benchmark while they were taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What one call of a benchmark does on the device, on the average."""

    per_call: Mapping[str, float]
    """By the names of ``gpumetrics.QUANTITIES``."""
    calls: int
    """Over all passes."""
    samples: int
    passes: int
    missing: Mapping[str, str]
    """Quantities that could not be had, with the reason."""


def why_not_counters(device: int = 0) -> str | None:
    """Say in a line why counters of a GPU cannot be read here and how to permit it; None if they can.

    Starts the CUDA driver in this process, as ``permission.why_not`` does.
    """
    found = cause(look())
    if found is not None:
        return f"GPU counters cannot be read: {found}; {REMAINS}"
    from cupti import pm_sampling

    load_nvperf()
    collector = pm_sampling.Collector(device)
    try:
        collector.enable()
        collector.disable()
    except PermissionError:
        return f"GPU counters cannot be read: {permission_line(read('/proc/driver/nvidia/params'))}; {REMAINS}"
    except cupti_errors() as error:
        return f"GPU counters cannot be read: {explained(error)}; {REMAINS}"
    return None


def permission_line(params: str | None) -> str:
    """Say how to permit counters.

    Args:
        params: of the kernel module, text of ``/proc/driver/nvidia/params``; None where it cannot be read.
    """
    how = (
        "run as root, in a container with --cap-add=SYS_ADMIN, or write 'options nvidia "
        "NVreg_RestrictProfilingToAdminUsers=0' to /etc/modprobe.d/nvidia.conf and restart"
    )
    if params is not None and "RmProfilingAdminOnly: 0" in params:
        return (
            "the driver permits them to everybody, so the container or the virtual machine forbids them: ask its owner"
        )
    return f"only administrators may read them: {how}"


def load_nvperf() -> None:
    """Load the two libraries that sampling needs, which lie beside libcupti where the system does not look for them."""
    for file in importlib.metadata.files("nvidia-cuda-cupti") or ():
        if file.name in {"libnvperf_host.so", "libnvperf_target.so"}:
            ctypes.CDLL(str(file.locate()), mode=ctypes.RTLD_GLOBAL)


def count(call: Callable[[], object], device: int = 0, least_ns: int = LEAST_NS) -> Counted:
    """Count what a call does on a device.

    Args:
        call: runs the benchmark once and returns when the device has done it; warmed up.
        device: number of the GPU, as CUDA counts them.
        least_ns: for how long the call is repeated in each pass.

    Raises:
        HarnessError: counters cannot be read here, or the samples were too many.
    """
    reason = why_not_counters(device)
    if reason is not None:
        raise HarnessError(reason, MISSING)
    from cupti import pm_sampling

    start = time.perf_counter_ns()
    call()
    call_ns = max(1, time.perf_counter_ns() - start)
    calls = max(LEAST_CALLS, math.ceil(least_ns / call_ns))
    interval_ns = max(LEAST_INTERVAL_NS, math.ceil(2 * calls * call_ns / MOST_SAMPLES))
    collector = pm_sampling.Collector(device)
    try:
        collector.enable()
        plan = _plan(device)
        taken = tuple(_sampled(collector, metrics, call, calls, interval_ns) for metrics in plan.passes)
    except MemoryError as error:
        raise HarnessError("the GPU counted more samples than fit: loop the benchmark for less time") from error
    except cupti_errors() as error:
        raise HarnessError(f"GPU counters cannot be read: {explained(error)}", MISSING) from error
    finally:
        collector.disable()
    return summed(plan, taken)


def _plan(device: int) -> Plan:
    """Choose metrics that the chip of a device has."""
    from cupti import cupti, profiler_host

    asked = cupti.DeviceGetChipNameParams()
    asked.struct_size = cupti.DEVICE_GET_CHIP_NAME_PARAMS_STRUCT_SIZE
    asked.device_index = device
    cupti.device_get_chip_name(asked.ptr)
    host = profiler_host.ProfilerHost(asked.p_chip_name, cupti.ProfilerType.PM_SAMPLING)
    host.initialize()
    try:
        metrics = set(host.get_base_metrics(cupti.MetricType.COUNTER))
        return planned(
            lambda metric: metric.partition(".")[0] in metrics,
            lambda together: int(profiler_host.get_num_of_passes(host.create_config_image(metrics=list(together)))),
        )
    finally:
        host.deinitialize()


def _sampled(
    collector: Any, metrics: Sequence[str], call: Callable[[], object], calls: int, interval_ns: int
) -> Sampled:
    """Loop a call while samples are taken, and a little longer so that the last one is whole."""
    _configure(collector, metrics, interval_ns)
    collector.start()
    for _ in range(calls):
        call()
    time.sleep(3 * interval_ns / 1e9)
    collector.stop()
    data = collector.decode(max_samples=2 * MOST_SAMPLES)
    if data.num_completed_samples >= 2 * MOST_SAMPLES:
        raise MemoryError
    rows = tuple(tuple(float(value) for value in sample.metric_values) for sample in data)
    return Sampled(metrics=tuple(data.metrics), rows=rows, calls=calls)


def _configure(collector: Any, metrics: Sequence[str], interval_ns: int) -> None:
    """Set what is sampled and how often: by time, or by cycles where the GPU knows no other way (Turing, A100)."""
    from cupti import cupti

    mode = cupti.PmSamplingTriggerMode
    given = {"metrics": list(metrics), "hardware_buffer_size": BUFFER_BYTES, "sampling_interval": interval_ns}
    try:
        collector.configure(**given, trigger_mode=mode.GPU_TIME_INTERVAL)
    except ValueError:
        collector.configure(**given, trigger_mode=mode.GPU_SYSCLK_INTERVAL)


def summed(plan: Plan, taken: Sequence[Sampled]) -> Counted:
    """Add samples up and divide by the calls.

    A quantity is missing where the chip does not have it, or where a pass gave no samples or no numbers.
    """
    sums: dict[str, float] = {}
    for one in taken:
        for index, metric in enumerate(one.metrics):
            sums[metric] = math.fsum(row[index] for row in one.rows) / one.calls if one.rows else math.nan
    missing = dict.fromkeys(plan.missing, "this GPU cannot sample it in one pass")
    per_call: dict[str, float] = {}
    for quantity, alternative in plan.alternatives.items():
        value = _occupancy(taken) if quantity == OCCUPANCY else _weighted(alternative, sums)
        if math.isfinite(value):
            per_call[quantity] = value
        else:
            missing[quantity] = "there are no samples of it: loop the benchmark for longer"
    return Counted(
        per_call=per_call,
        calls=sum(one.calls for one in taken),
        samples=sum(len(one.rows) for one in taken),
        passes=len(taken),
        missing=missing,
    )


def _weighted(alternative: Alternative, sums: Mapping[str, float]) -> float:
    return math.fsum(weight * sums.get(metric, math.nan) for metric, weight in alternative)


def _occupancy(taken: Sequence[Sampled]) -> float:
    """Average the warps in flight over the active cycles; 0 to 1, NaN where no cycle was active."""
    one = next((one for one in taken if WARPS in one.metrics and ACTIVE in one.metrics), None)
    if one is None:
        return math.nan
    warps, active = one.metrics.index(WARPS), one.metrics.index(ACTIVE)
    pairs = [(row[warps], row[active]) for row in one.rows if row[active] > 0]
    cycles = math.fsum(weight for _, weight in pairs)
    return math.fsum(value * weight for value, weight in pairs) / cycles / 100 if cycles else math.nan
