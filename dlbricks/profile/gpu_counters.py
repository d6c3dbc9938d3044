"""Counts bytes of DRAM, operations by type and occupancy of a benchmark on a GPU, with performance monitors.

The monitors are sampled over time, not per kernel: the benchmark is looped while samples are taken, and their sum is
divided by the calls. Kernels run unchanged (no replay, which slows XSP down more than hundredfold), but other users of
the GPU are counted as well. Needs cupti-python, a driver, and permission to read counters.
"""

import contextlib
import ctypes
import importlib.metadata
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dlbricks.harness.cpu import read
from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.harness.trace.cupti import cause, cupti_errors, cupti_status, explain, run_apart

# A metric and the weight of its sum.
Term = tuple[str, float]
# Metrics whose weighted sum is a quantity.
Alternative = tuple[Term, ...]

OCCUPANCY = "occupancy"
# Active warps, per cent of the maximum of a multiprocessor, over its active cycles.
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"
# Cycles in which a multiprocessor has an active warp: the weight of ``WARPS``.
ACTIVE = "sm__cycles_active.sum"


def _each(*metrics: str) -> Alternative:
    return tuple((f"{metric}.sum", 1.0) for metric in metrics)


def _instructions(letter: str, width: float, suffix: str = "") -> Alternative:
    name = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"
    return tuple(
        (name.format(f"{letter}{operation}{suffix}"), width * operations)
        for operation, operations in (("add", 1.0), ("mul", 1.0), ("fma", 2.0))
    )


_TENSOR = "sm__ops_path_tensor_src_"
_HOPPER = "sm__ops_path_tensor_op_"

# By name, what is counted of each call; occupancy is a share from 0 to 1, all else are sums.
QUANTITIES: Mapping[str, tuple[Alternative, ...]] = {
    "dram_read_bytes": (_each("dram__bytes_read"), _each("dram__bytes_op_read")),
    "dram_write_bytes": (_each("dram__bytes_write"), _each("dram__bytes_op_write")),
    OCCUPANCY: (((WARPS, 1.0), (ACTIVE, 0.0)),),
    # data centre chips since Blackwell have instructions on pairs of float32, too
    "flops_float32": ((*_instructions("f", 1.0), *_instructions("f", 2.0, "2")), _instructions("f", 1.0)),
    "flops_float16": (_instructions("h", 2.0),),
    "flops_tensor_float16": (
        _each(f"{_HOPPER}hgmma_src_fp16", f"{_HOPPER}hmma_src_fp16_dst_fp16", f"{_HOPPER}hmma_src_fp16_dst_fp32"),
        _each(f"{_TENSOR}fp16_dst_fp16", f"{_TENSOR}fp16_dst_fp32"),
        _each(f"{_TENSOR}fp16_dst_fp16_realtime", f"{_TENSOR}fp16_dst_fp32_realtime"),
        _each(f"{_TENSOR}fp16_dst_fp16_realtime", f"{_TENSOR}fp16_dst_fp32"),
        _each(f"{_TENSOR}fp16_dst_fp16", f"{_TENSOR}fp16_bf16_tf32_dst_fp32"),
    ),
    "flops_tensor_bfloat16": (_each(f"{_TENSOR}bf16_dst_fp32"),),
    "flops_tensor_tf32": (_each(f"{_TENSOR}tf32_dst_fp32"), _each(f"{_TENSOR}tf32_dst_fp32_realtime")),
    "flops_tensor_float8": (
        _each(f"{_TENSOR}fp8"),
        _each(f"{_TENSOR}fp8_dst_fp16", f"{_TENSOR}fp8_dst_fp32"),
        _each(f"{_TENSOR}fp8_dst_fp16_realtime", f"{_TENSOR}fp8_dst_fp32_realtime"),
    ),
    "ops_tensor_int8": (
        _each(f"{_TENSOR}int8"),
        _each(f"{_TENSOR}int8_realtime"),
        _each(f"{_TENSOR}int8_sparsity_off", f"{_TENSOR}int8_sparsity_on"),
        _each(
            f"{_HOPPER}igmma_src_int8",
            f"{_HOPPER}imma_src_int8_sparsity_off",
            f"{_HOPPER}imma_src_int8_sparsity_on",
        ),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingPlan:
    """Metrics to sample."""

    alternatives: Mapping[str, Alternative]
    """The chosen metrics of each quantity."""
    passes: tuple[tuple[str, ...], ...]
    """Metrics that are sampled together; the benchmark is repeated for each pass."""
    missing: tuple[str, ...]
    """Quantities that this chip cannot sample."""


def plan_passes(has_metric: Callable[[str], bool], passes_of: Callable[[Sequence[str]], int]) -> SamplingPlan:
    """Choose metrics for all quantities and assign them to passes by first fit.

    Args:
        has_metric: whether a chip has a metric.
        passes_of: number of passes that metrics need together.
    """
    alternatives: dict[str, Alternative] = {}
    bundles: list[tuple[str, ...]] = []
    for quantity in QUANTITIES:
        chosen = next(
            (
                alternative
                for alternative in QUANTITIES[quantity]
                if all(has_metric(metric) for metric, _ in alternative)
                and all(passes_of(bundle) == 1 for bundle in _bundles(quantity, alternative))
            ),
            None,
        )
        if chosen is not None:
            alternatives[quantity] = chosen
            bundles += _bundles(quantity, chosen)
    return SamplingPlan(
        alternatives=alternatives,
        passes=_filled(list(dict.fromkeys(bundles)), passes_of),
        missing=tuple(quantity for quantity in QUANTITIES if quantity not in alternatives),
    )


def _bundles(quantity: str, alternative: Alternative) -> list[tuple[str, ...]]:
    # Return the sets of metrics that have to share a pass: the two of occupancy; otherwise single metrics.
    metrics = [metric for metric, _ in alternative]
    return [tuple(metrics)] if quantity == OCCUPANCY else [(metric,) for metric in metrics]


def _filled(
    bundles: Iterable[tuple[str, ...]], passes_of: Callable[[Sequence[str]], int]
) -> tuple[tuple[str, ...], ...]:
    filled: list[tuple[str, ...]] = []
    for bundle in bundles:
        for index, group in enumerate(filled):
            if passes_of((*group, *bundle)) == 1:
                filled[index] = (*group, *bundle)
                break
        else:
            filled.append(bundle)
    return tuple(filled)


# The first release of cupti-python with sampling.
SAMPLES_FROM = "13.3"
# Minimum time of looping the benchmark in each pass, so that the first and last sample weigh little.
LEAST_NS = 50_000_000
LEAST_CALLS = 5
MOST_SAMPLES = 5_000
LEAST_INTERVAL_NS = 20_000
BUFFER_BYTES = 512 << 20
REMAINS = "kernel times and bytes computed from shapes do not need them"


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledPass:
    """Samples of one pass."""

    metrics: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    """A row per sample, a value per metric; values of sums add up over samples."""
    calls: int
    """Calls of the benchmark meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuCounts:
    """Mean counts of one call of a benchmark on the device."""

    per_call: Mapping[str, float]
    """By the names of ``QUANTITIES``."""
    calls: int
    """Over all passes."""
    samples: int
    passes: int
    missing: Mapping[str, str]
    """Quantities that are not available, and why."""


def why_not_counters(device: int = 0) -> str | None:
    """Return why counters of a GPU cannot be read here and how to permit it; None if they can.

    Starts the CUDA driver, and then a collector, in this process, after that has not ended another one.
    """
    here = cupti_status(apart=True)
    reason = cause(here) or cause(cupti_status()) or _crash(device)
    if reason is None:
        try:
            load_nvperf()
            with _collector(device):
                pass
        except PermissionError:
            reason = permission_line(read("/proc/driver/nvidia/params"))
        except ImportError:
            reason = f"cupti-python {here.cupti} has no sampling: pip install 'cupti-python>={SAMPLES_FROM}'"
        except cupti_errors() as error:
            reason = explain(error)
    return None if reason is None else f"GPU counters cannot be read: {reason}; {REMAINS}"


def _crash(device: int) -> str | None:
    # Return how sampling ends a process that starts it, as by a segmentation fault; None if it does not.
    done, fault = run_apart(__name__, str(device))
    return None if done is not None else f"sampling {fault}: install the release of cupti-python that suits the driver"


@contextlib.contextmanager
def _collector(device: int) -> Iterator[Any]:
    # Enable a collector and disable it afterwards; one that failed to be enabled is not disabled.
    # A collector starts and ends the profiler of the process, so there is one at a time, and a new one for each pass.
    from cupti import pm_sampling

    collector = pm_sampling.Collector(device)
    collector.enable()
    try:
        yield collector
    finally:
        collector.disable()


def permission_line(params: str | None) -> str:
    """Return how to permit reading counters.

    Args:
        params: of the kernel module, content of ``/proc/driver/nvidia/params``; None if it cannot be read.
    """
    how = (
        "run as root, in a container with --cap-add=SYS_ADMIN, or write 'options nvidia "
        "NVreg_RestrictProfilingToAdminUsers=0' to /etc/modprobe.d/nvidia.conf and restart"
    )
    if params is not None and "RmProfilingAdminOnly: 0" in params:
        return "the driver permits them to all users, so the container or virtual machine forbids them: ask its owner"
    return f"only administrators may read them: {how}"


def load_nvperf() -> None:
    """Load the two libraries that sampling needs from the folder of libcupti, which the system does not search.

    Raises:
        OSError: one of them does not load.
    """
    try:
        files = importlib.metadata.files("nvidia-cuda-cupti") or []
    except importlib.metadata.PackageNotFoundError:
        return  # CUPTI of a toolkit finds them by itself
    for file in files:
        if file.name in {"libnvperf_host.so", "libnvperf_target.so"}:
            ctypes.CDLL(str(file.locate()), mode=ctypes.RTLD_GLOBAL)


def count(call: Callable[[], object], device: int = 0, least_ns: int = LEAST_NS) -> GpuCounts:
    """Count what a call does on a device.

    Args:
        call: runs the benchmark once and waits for the device; warmed up.
        device: number of the GPU in CUDA.
        least_ns: minimum time of repeating the call in each pass.

    Raises:
        HarnessError: counters cannot be read, or there were too many samples.
    """
    reason = why_not_counters(device)
    if reason is not None:
        raise HarnessError(reason, MISSING)
    start = time.perf_counter_ns()
    call()
    call_ns = max(1, time.perf_counter_ns() - start)
    calls = max(LEAST_CALLS, math.ceil(least_ns / call_ns))
    interval_ns = max(LEAST_INTERVAL_NS, math.ceil(2 * calls * call_ns / MOST_SAMPLES))
    try:
        with _collector(device):
            plan = _plan(device)
        taken = tuple(_sampled(device, metrics, call, calls, interval_ns) for metrics in plan.passes)
    except MemoryError as error:
        raise HarnessError("too many samples: loop the benchmark for less time") from error
    except cupti_errors() as error:
        raise HarnessError(f"GPU counters cannot be read: {explain(error)}", MISSING) from error
    return counts_per_call(plan, taken)


def _plan(device: int) -> SamplingPlan:
    from cupti import cupti, profiler_host

    # renamed in 13.4
    chip = (getattr(cupti, "DeviceGetChipNameParams", None) or cupti.Device_GetChipName_Params)()
    chip.struct_size = cupti.DEVICE_GET_CHIP_NAME_PARAMS_STRUCT_SIZE
    chip.device_index = device
    cupti.device_get_chip_name(chip.ptr)
    host = profiler_host.ProfilerHost(chip.p_chip_name, cupti.ProfilerType.PM_SAMPLING)
    host.initialize()
    try:
        metrics = set(host.get_base_metrics(cupti.MetricType.COUNTER))
        return plan_passes(
            lambda metric: metric.partition(".")[0] in metrics,
            lambda joined: int(profiler_host.get_num_of_passes(host.create_config_image(metrics=list(joined)))),
        )
    finally:
        host.deinitialize()


def _sampled(
    device: int, metrics: Sequence[str], call: Callable[[], object], calls: int, interval_ns: int
) -> SampledPass:
    # Loop a call while sampling, and sample a little longer so that the last sample is complete.
    with _collector(device) as collector:
        _configure(collector, metrics, interval_ns)
        collector.start()
        for _ in range(calls):
            call()
        time.sleep(3 * interval_ns / 1e9)
        collector.stop()
        return _decoded(collector, calls)


def _decoded(collector: Any, calls: int) -> SampledPass:
    # Read the samples of a collector; the data object is released here, before the collector.
    data = collector.decode(max_samples=2 * MOST_SAMPLES)
    if data.num_completed_samples >= 2 * MOST_SAMPLES:
        raise MemoryError
    rows = tuple(tuple(float(value) for value in sample.metric_values) for sample in data)
    return SampledPass(metrics=tuple(data.metrics), rows=rows, calls=calls)


def _configure(collector: Any, metrics: Sequence[str], interval_ns: int) -> None:
    # Set metrics and sampling interval: by time, or by cycles on GPUs without that mode (Turing, A100).
    from cupti import pm_sampling

    mode: Any = vars(pm_sampling).get("TriggerMode")  # its name in ``cupti.cupti`` differs between releases
    if mode is None:
        message = "this release of cupti-python has no pm_sampling.TriggerMode"
        raise AttributeError(message)
    settings = {"metrics": list(metrics), "hardware_buffer_size": BUFFER_BYTES, "sampling_interval": interval_ns}
    try:
        collector.configure(**settings, trigger_mode=mode.GPU_TIME_INTERVAL)
    except ValueError:
        collector.configure(**settings, trigger_mode=mode.GPU_SYSCLK_INTERVAL)


def counts_per_call(plan: SamplingPlan, taken: Sequence[SampledPass]) -> GpuCounts:
    """Add up samples and divide by the calls.

    A quantity is missing if the chip does not have it, or if a pass gave no samples or no numbers.
    """
    sums: dict[str, float] = {}
    for sampled in taken:
        for index, metric in enumerate(sampled.metrics):
            sums[metric] = math.fsum(row[index] for row in sampled.rows) / sampled.calls if sampled.rows else math.nan
    missing = dict.fromkeys(plan.missing, "this GPU cannot sample it in one pass")
    per_call: dict[str, float] = {}
    for quantity, alternative in plan.alternatives.items():
        terms = (weight * sums.get(metric, math.nan) for metric, weight in alternative)
        value = _occupancy(taken) if quantity == OCCUPANCY else math.fsum(terms)
        if math.isfinite(value):
            per_call[quantity] = value
        else:
            missing[quantity] = "it has no samples: loop the benchmark for longer"
    return GpuCounts(
        per_call=per_call,
        calls=sum(sampled.calls for sampled in taken),
        samples=sum(len(sampled.rows) for sampled in taken),
        passes=len(taken),
        missing=missing,
    )


def _occupancy(taken: Sequence[SampledPass]) -> float:
    # Average the active warps over the active cycles; 0 to 1, NaN without active cycles.
    sampled = next((sampled for sampled in taken if WARPS in sampled.metrics and ACTIVE in sampled.metrics), None)
    if sampled is None:
        return math.nan
    warps, active = sampled.metrics.index(WARPS), sampled.metrics.index(ACTIVE)
    pairs = [(row[warps], row[active]) for row in sampled.rows if row[active] > 0]
    cycles = math.fsum(weight for _, weight in pairs)
    return math.fsum(value * weight for value, weight in pairs) / cycles / 100 if cycles else math.nan


if __name__ == "__main__":
    load_nvperf()
    with _collector(int(sys.argv[1])):
        pass
