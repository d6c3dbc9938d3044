"""Counts hardware events of calls: cycles and misses of a processor, DRAM bytes and occupancy of a GPU.

Counters are read in separate calls after the timed ones and averaged, so they do not affect latencies. A GPU's
performance monitors are sampled over time, not per kernel: the benchmark is looped while samples are taken, and their
sum is divided by the calls. Kernels run unchanged (no replay, which slows XSP down more than hundredfold), but other
users of the GPU are counted as well. Needs cupti-python, a driver, and permission to read counters. Operations are not
counted: sampling has no metrics of them (seen on an H200).
"""

import contextlib
import ctypes
import importlib.metadata
import itertools
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dlbricks.harness.cpu import HardwareCounts, count_events, read, why_not_hardware
from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.harness.trace.cupti import cause, cupti_errors, cupti_status, explain, run_apart
from dlbricks.trace.build import with_attribute
from dlbricks.trace.types import Level, Trace, Value

# Time limit of the calls for processor counters.
MOST_NS = 1_000_000_000
FEWEST_CALLS, MOST_CALLS = 3, 10
OCCUPANCY = "occupancy"
# Active warps, per cent of the maximum of a multiprocessor, over its active cycles.
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"
# Cycles in which a multiprocessor has an active warp: the weight of ``WARPS``.
ACTIVE = "sm__cycles_active.sum"
# Metrics by quantity of a call; the first that a chip has are sampled. Occupancy is a share from 0 to 1.
METRICS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "dram_read_bytes": (("dram__bytes_read.sum",), ("dram__bytes_op_read.sum",)),
    "dram_write_bytes": (("dram__bytes_write.sum",), ("dram__bytes_op_write.sum",)),
    OCCUPANCY: ((WARPS, ACTIVE),),
}
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
class CallCounts:
    """Counters of a call, as attributes of its span."""

    attributes: Mapping[str, Value] = field(default_factory=dict)
    """By the names of ``trace.kinds``; empty if nothing could be counted."""
    notes: tuple[str, ...] = ()
    """What could not be counted, and why."""


def counts_of(call: Callable[[], object], *, device: str, device_id: int, threads: int, call_ns: int) -> CallCounts:
    """Count hardware events of a call, if the machine permits it.

    Args:
        call: makes one call, warmed up, and waits for the device.
        device: ``cpu`` or ``cuda``.
    """
    try:
        if device != "cpu":
            return count(call, device_id)
        reason = why_not_hardware(threads)
        if reason is not None:
            return CallCounts(notes=(reason,))
        calls = max(FEWEST_CALLS, min(MOST_CALLS, MOST_NS // max(1, call_ns)))
        return of_processor(count_events(call, calls))
    except HarnessError as error:
        return CallCounts(notes=(str(error),))


def of_processor(counts: HardwareCounts) -> CallCounts:
    """Return the attributes of processor counters."""
    attributes: dict[str, Value] = {"cycles": counts.cycles, "instructions": counts.instructions}
    if counts.cache_misses is None:
        return CallCounts(attributes=attributes, notes=("this processor does not count misses of its last cache",))
    return CallCounts(attributes={**attributes, "cache_misses": counts.cache_misses})


def with_counts(trace: Trace, counts: CallCounts) -> Trace:
    """Add counters to the calls of a trace."""
    rows = trace.rows(Level.MODEL)
    for name, value in counts.attributes.items():
        trace = with_attribute(trace, name, rows, [value] * len(rows))
    return trace


def plan_passes(
    has_metric: Callable[[str], bool], passes_of: Callable[[Sequence[str]], int]
) -> tuple[Mapping[str, tuple[str, ...]], tuple[tuple[str, ...], ...]]:
    """Choose metrics of all quantities, and passes: a single one if all metrics fit into it, else one a quantity.

    Args:
        has_metric: whether a chip has a metric.
        passes_of: number of passes that metrics need together.
    """
    chosen: dict[str, tuple[str, ...]] = {}
    for quantity, alternatives in METRICS.items():
        fitting = (metrics for metrics in alternatives if all(map(has_metric, metrics)) and passes_of(metrics) == 1)
        if metrics := next(fitting, None):
            chosen[quantity] = metrics
    together = tuple(itertools.chain.from_iterable(chosen.values()))
    return chosen, (together,) if chosen and passes_of(together) == 1 else tuple(chosen.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledPass:
    """Samples of one pass."""

    metrics: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    """A row per sample, a value per metric; values of sums add up over samples."""
    calls: int
    """Calls of the benchmark meanwhile."""

    def value(self, metrics: Sequence[str]) -> float:
        """Return a sum per call, or the mean of the first metric weighted by the second; NaN without samples."""
        columns = [[row[self.metrics.index(metric)] for row in self.rows] for metric in metrics]
        if len(columns) == 1:
            return math.fsum(columns[0]) / self.calls if self.rows else math.nan
        pairs = [(share, weight) for share, weight in zip(*columns, strict=True) if weight > 0]  # idle shares are NaN
        total = math.fsum(weight for _, weight in pairs)
        return math.fsum(share * weight for share, weight in pairs) / total / 100 if total else math.nan


def counts_per_call(chosen: Mapping[str, tuple[str, ...]], taken: Sequence[SampledPass]) -> CallCounts:
    """Return the quantities of a call; notes list those that a chip does not have, or that have no samples."""
    attributes: dict[str, Value] = {}
    notes = []
    for quantity in METRICS:
        metrics = chosen.get(quantity)
        sampled = next((each for each in taken if metrics and set(metrics) <= set(each.metrics)), None)
        value = math.nan if sampled is None or metrics is None else sampled.value(metrics)
        if math.isfinite(value):
            attributes[quantity] = value if quantity == OCCUPANCY else round(value)
        else:
            lacking = "this GPU cannot sample it in one pass" if metrics is None else "it has no samples"
            notes.append(f"{quantity} was not counted: {lacking}")
    return CallCounts(attributes=attributes, notes=tuple(notes))


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
    """Return how to permit reading counters; ``params`` of the kernel module are None if they cannot be read."""
    if params is not None and "RmProfilingAdminOnly: 0" in params:
        return "the driver permits them to all users, so the container or virtual machine forbids them: ask its owner"
    return (
        "only administrators may read them: run as root, in a container with --cap-add=SYS_ADMIN, or write 'options "
        "nvidia NVreg_RestrictProfilingToAdminUsers=0' to /etc/modprobe.d/nvidia.conf and restart"
    )


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


def count(call: Callable[[], object], device: int = 0, least_ns: int = LEAST_NS) -> CallCounts:
    """Count what a call does on a device; the call waits for it, and is repeated for ``least_ns`` in each pass.

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
            chosen, passes = _plan(device)
        taken = tuple(_sampled(device, metrics, call, calls, interval_ns) for metrics in passes)
    except MemoryError as error:
        raise HarnessError("too many samples: loop the benchmark for less time") from error
    except cupti_errors() as error:
        raise HarnessError(f"GPU counters cannot be read: {explain(error)}", MISSING) from error
    return counts_per_call(chosen, taken)


def _plan(device: int) -> tuple[Mapping[str, tuple[str, ...]], tuple[tuple[str, ...], ...]]:
    from cupti import cupti, profiler_host

    # renamed in 13.4
    chip = (getattr(cupti, "DeviceGetChipNameParams", None) or cupti.Device_GetChipName_Params)()
    chip.struct_size = cupti.DEVICE_GET_CHIP_NAME_PARAMS_STRUCT_SIZE
    chip.device_index = device
    cupti.device_get_chip_name(chip.ptr)

    # A host adds the metrics of each question to those of the former ones, so that each question has one of its own.
    @contextlib.contextmanager
    def fresh_host() -> Iterator[Any]:
        host = profiler_host.ProfilerHost(chip.p_chip_name, cupti.ProfilerType.PM_SAMPLING)
        host.initialize()
        try:
            yield host
        finally:
            host.deinitialize()

    def passes_of(metrics: Sequence[str]) -> int:
        with fresh_host() as host:
            return int(profiler_host.get_num_of_passes(host.create_config_image(metrics=list(metrics))))

    with fresh_host() as host:
        metrics = set(host.get_base_metrics(cupti.MetricType.COUNTER))
    return plan_passes(lambda metric: metric.partition(".")[0] in metrics, passes_of)


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


if __name__ == "__main__":
    load_nvperf()
    with _collector(int(sys.argv[1])):
        pass
