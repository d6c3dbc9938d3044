"""Counts hardware events of a call: cycles and cache misses of a processor, DRAM bytes and occupancy of a GPU.

Counters are read in separate calls, so reading does not affect latencies. Those of a GPU are sampled over time while
the network is called in a loop; the sum of all samples is divided by the number of calls. So work of other users of the
GPU is counted, too.
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
from dlbricks.harness.trace.cupti import cause, cupti_errors, cupti_status, explain, primary_context, run_apart
from dlbricks.trace.build import with_attribute
from dlbricks.trace.types import Level, Trace, Value

# Time limit for the calls that count events of a processor, and the number of these calls.
MOST_NS = 1_000_000_000
FEWEST_CALLS, MOST_CALLS = 3, 10
OCCUPANCY = "occupancy"
# Active warps as a percentage of a multiprocessor's maximum, over the cycles in which it is active.
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"
# Cycles in which a multiprocessor has an active warp; samples of ``WARPS`` are weighted by them.
ACTIVE = "sm__cycles_active.sum"
# Alternative metrics for each quantity of a call; the first alternative that a chip has is sampled. Sampling has no
# metrics for FLOPs (seen on an H200). XSP replays kernels instead, which takes more than a hundred times as long.
METRICS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "dram_read_bytes": (("dram__bytes_read.sum",), ("dram__bytes_op_read.sum",)),
    "dram_write_bytes": (("dram__bytes_write.sum",), ("dram__bytes_op_write.sum",)),
    OCCUPANCY: ((WARPS, ACTIVE),),
}
# The first release of cupti-python that can sample.
SAMPLES_FROM = "13.3"
# Least time for which each pass loops the call, so that its first and last sample weigh little.
LEAST_NS = 50_000_000
LEAST_CALLS = 5
MOST_SAMPLES = 5_000
LEAST_INTERVAL_NS = 20_000
BUFFER_BYTES = 512 << 20
# Words of a note between quantities and the reason.
NOT_COUNTED = "not counted: "
REMAINS = "kernel times, and bytes computed from shapes, are available without counters"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCounts:
    """Hardware events of a call."""

    attributes: Mapping[str, Value] = field(default_factory=dict)
    """Counts by name of the trace attribute; empty if nothing could be counted."""
    notes: tuple[str, ...] = ()
    """Sentences on what could not be counted, and why."""


def counts_of(call: Callable[[], object], *, device: str, device_id: int, threads: int, call_ns: int) -> CallCounts:
    """Count the hardware events of a call; if that is impossible, the result has a note.

    Args:
        call: makes one call of a warm network and waits for the device.
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
    """Return a processor's counts as attributes of a trace."""
    attributes: dict[str, Value] = {"cycles": counts.cycles, "instructions": counts.instructions}
    if counts.cache_misses is None:
        return CallCounts(attributes=attributes, notes=("this processor does not count last-level cache misses",))
    return CallCounts(attributes={**attributes, "cache_misses": counts.cache_misses})


def with_counts(trace: Trace, counts: CallCounts) -> Trace:
    """Return the trace with the counts as attributes of each call."""
    rows = trace.rows(Level.MODEL)
    for name, value in counts.attributes.items():
        trace = with_attribute(trace, name, rows, [value] * len(rows))
    return trace


def plan_passes(
    has_metric: Callable[[str], bool], passes_of: Callable[[Sequence[str]], int]
) -> tuple[Mapping[str, tuple[str, ...]], tuple[tuple[str, ...], ...]]:
    """Return which metrics each quantity needs, and which metrics each pass samples.

    Args:
        passes_of: returns the number of passes that some metrics need together.
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
    """Samples of metrics from one pass, in which the network was called in a loop."""

    metrics: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    """One row per sample, with one value per metric."""
    calls: int
    """Number of calls during the pass."""

    def value(self, metrics: Sequence[str]) -> float:
        """Return one metric's sum per call, or the mean of a first metric weighted by a second; NaN without samples."""
        columns = [[row[self.metrics.index(metric)] for row in self.rows] for metric in metrics]
        if len(columns) == 1:
            return math.fsum(columns[0]) / self.calls if self.rows else math.nan
        pairs = [(share, weight) for share, weight in zip(*columns, strict=True) if weight > 0]  # idle shares are NaN
        total = math.fsum(weight for _, weight in pairs)
        return math.fsum(share * weight for share, weight in pairs) / total / 100 if total else math.nan


def counts_per_call(chosen: Mapping[str, tuple[str, ...]], taken: Sequence[SampledPass]) -> CallCounts:
    """Return the hardware events per call, and a note for quantities that have no metrics or samples."""
    attributes: dict[str, Value] = {}
    lacking: dict[str, list[str]] = {}
    for quantity in METRICS:
        metrics = chosen.get(quantity)
        sampled = next((each for each in taken if metrics and set(metrics) <= set(each.metrics)), None)
        value = math.nan if sampled is None or metrics is None else sampled.value(metrics)
        if math.isfinite(value):
            attributes[quantity] = value if quantity == OCCUPANCY else round(value)
        else:
            reason = "this GPU cannot sample it in one pass" if metrics is None else "no sample was taken"
            lacking.setdefault(reason, []).append(quantity)
    notes = (f"{', '.join(quantities)} {NOT_COUNTED}{reason}" for reason, quantities in lacking.items())
    return CallCounts(attributes=attributes, notes=tuple(notes))


def why_not_counters(device: int = 0) -> str | None:
    """Return why the counters of a GPU cannot be read, and how to permit it; None if they can be read.

    The check starts the CUDA driver and a collector, first in another process, which may crash, then in this process.
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
            reason = f"cupti-python {here.cupti} cannot sample: pip install 'cupti-python>={SAMPLES_FROM}'"
        except cupti_errors() as error:
            reason = explain(error)
    return None if reason is None else f"GPU counters cannot be read: {reason}; {REMAINS}"


def _crash(device: int) -> str | None:
    # Return how sampling crashes a process that starts it, for example by a segmentation fault; None if it does not.
    done, fault = run_apart(__name__, str(device))
    return None if done is not None else f"sampling {fault}: install the release of cupti-python that suits the driver"


@contextlib.contextmanager
def _collector(device: int) -> Iterator[Any]:
    # Enable a collector, and disable it afterwards unless enabling failed.
    # A collector starts and ends the profiler of the process, so each pass has a new one and only one exists at a time.
    from cupti import pm_sampling

    with primary_context(device):
        collector = pm_sampling.Collector(device)
        collector.enable()
        try:
            yield collector
        finally:
            collector.disable()


def permission_line(params: str | None) -> str:
    """Return how to permit reading GPU counters; ``params`` are the parameters of NVIDIA's kernel module."""
    if params is not None and "RmProfilingAdminOnly: 0" in params:
        return "the driver permits all users to read them, the container or virtual machine does not: ask its owner"
    return (
        "only administrators may read them: run as root, in a container with --cap-add=SYS_ADMIN, or write 'options "
        "nvidia NVreg_RestrictProfilingToAdminUsers=0' to /etc/modprobe.d/nvidia.conf and restart"
    )


def load_nvperf() -> None:
    """Load the two libraries that sampling needs, from the folder of libcupti.

    Raises:
        OSError: one of the libraries does not load.
    """
    try:
        files = importlib.metadata.files("nvidia-cuda-cupti") or []
    except importlib.metadata.PackageNotFoundError:
        return  # the CUPTI of a CUDA toolkit finds the libraries by itself
    for file in files:
        if file.name in {"libnvperf_host.so", "libnvperf_target.so"}:
            ctypes.CDLL(str(file.locate()), mode=ctypes.RTLD_GLOBAL)


def count(call: Callable[[], object], device: int = 0, least_ns: int = LEAST_NS) -> CallCounts:
    """Count the hardware events of a GPU in a call; a pass repeats the call for ``least_ns`` or more.

    Raises:
        HarnessError: counters cannot be read, or the passes took too many samples.
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
        raise HarnessError("GPU counters took too many samples: profile without other work on the GPU") from error
    except cupti_errors() as error:
        raise HarnessError(f"GPU counters cannot be read: {explain(error)}", MISSING) from error
    return counts_per_call(chosen, taken)


def _plan(device: int) -> tuple[Mapping[str, tuple[str, ...]], tuple[tuple[str, ...], ...]]:
    from cupti import cupti, profiler_host

    # cupti-python 13.4 renamed this type
    chip = (getattr(cupti, "DeviceGetChipNameParams", None) or cupti.Device_GetChipName_Params)()
    chip.struct_size = cupti.DEVICE_GET_CHIP_NAME_PARAMS_STRUCT_SIZE
    chip.device_index = device
    cupti.device_get_chip_name(chip.ptr)

    # A host keeps the metrics of earlier queries and adds them to later ones, so each query gets a new host.
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
    # Loop a call while sampling. Sampling ends a little later than the loop, so that the last sample is complete.
    with _collector(device) as collector:
        _configure(collector, metrics, interval_ns)
        collector.start()
        for _ in range(calls):
            call()
        time.sleep(3 * interval_ns / 1e9)
        collector.stop()
        return _decoded(collector, calls)


def _decoded(collector: Any, calls: int) -> SampledPass:
    # Read the samples of a collector. The data object must be released before the collector, so it stays local.
    data = collector.decode(max_samples=2 * MOST_SAMPLES)
    if data.num_completed_samples >= 2 * MOST_SAMPLES:
        raise MemoryError
    rows = tuple(tuple(float(value) for value in sample.metric_values) for sample in data)
    return SampledPass(metrics=tuple(data.metrics), rows=rows, calls=calls)


def _configure(collector: Any, metrics: Sequence[str], interval_ns: int) -> None:
    # Set metrics and sampling interval: by time, or by clock cycles on GPUs that cannot sample by time (Turing, A100).
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
