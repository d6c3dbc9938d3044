"""Composes times of sequences on an asynchronous execution provider: a host enqueues work for a device.

A launch is the call that enqueues one kernel. The device executes kernels in order, each at least one launch lag after
its launch. A kernel shorter than its launch costs the time of the launch, and a longer kernel hides the launch::

    t_host   = max(t_host, end of the launch that makes room in the queue) + host time of a launch
    t_device = max(t_device + gap, t_host + lag + extra lag) + device time of a launch
    t_host   = max(t_host + synchronise, t_device)    if the host waits for the device, and at the end
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dlbricks.construct.types import Composition, CompositionStep, QueueShares
from dlbricks.errors import InputError
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.records import noise_factor
from dlbricks.store.types import Measurement, QueueConstants, QueueTimes, SystemResults
from dlbricks.trace import kinds
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.types import NONE, Level, Role, Trace

Floats = NDArray[np.float64]

# Execution providers that enqueue work for a device and return.
PROVIDERS = frozenset({"cuda", "tensorrt", "nvtensorrtrtx", "rocm", "migraphx", "dml", "webgpu"})
DRAWS = 400
# Seed of the random draws: fixed, so that equal inputs give equal intervals.
_SEED = 0
_QUANTILES = (0.025, 0.975)
# Half-width of a 95 % interval in standard deviations.
_SIGMAS = 1.96


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchShare:
    """Shares of one kernel launch in the times of a layer sequence."""

    host: float
    """Share of the time on the host, 0 to 1."""
    device: float | None
    """Share of the time on the device, 0 to 1; None for work of the host without a kernel."""


# The launches of one sequence in order; the shares of the host add up to 1, and so do those of the device.
LaunchShares = Sequence[LaunchShare]


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """Work of the host, and the kernel launch that ends it."""

    step: int
    """Index of the layer sequence that it belongs to."""
    host_ns: Floats
    device_ns: Floats | None
    """Time of the kernel, ns; None without a kernel."""
    late_ns: Floats = field(default_factory=lambda: np.zeros(1))
    """Time from the launch to the start of the kernel beyond the usual lag, ns; may be negative."""
    waits: bool = False
    """Whether the host waits for the device after the launch."""


def equal_launches(kernels: int) -> LaunchShares:
    """Return equal shares for the kernel launches of a layer sequence without a trace."""
    count = max(1, kernels)
    return [LaunchShare(host=1 / count, device=1 / count if kernels else None)] * count


def extra_lag(alone_ns: float, host_ns: Floats, device_ns: Floats, kernels: int, machine: QueueConstants) -> Floats:
    """Return how much longer than usual the launch lag is if a sequence of equal kernels takes ``alone_ns``, ns."""
    # The effect of a sequence on a queue that is never full has three parameters, whatever its number of kernels: it
    # keeps the host busy for h, delays the end of a busy device by d, and ends X after its start on an idle device.
    # This is a matrix of the max-plus algebra (Baccelli et al., Synchronization and Linearity, 1992), and composing is
    # a product of such matrices. Equal kernels have the same h and d but another X; every path through host and device
    # has one launch lag, so the difference in X is added to it. Here X, h and d are ``alone_ns``, ``host_ns`` and
    # ``device_ns``.
    equal = np.maximum(host_ns / kernels + device_ns, host_ns + device_ns / kernels) - machine.kernel_gap_ns
    ends = np.clip(
        alone_ns - machine.launch_lag_ns,
        np.maximum(host_ns, device_ns - machine.kernel_gap_ns),
        host_ns + device_ns - machine.kernel_gap_ns,
    )
    lag: Floats = ends - equal
    return lag


def launches(
    step: int, host_ns: Floats, device_ns: Floats, parts: LaunchShares, *, waits: bool, gap_ns: float, late_ns: Floats
) -> Iterator[Launch]:
    """Yield the kernel launches of one layer sequence; its ``device_ns`` includes ``gap_ns`` per kernel.

    A sequence that ``waits`` for the device is one launch.
    """
    if waits:
        yield Launch(step=step, host_ns=host_ns, device_ns=device_ns, waits=True)
        return
    busy = np.maximum(0.0, device_ns - gap_ns * sum(part.device is not None for part in parts))
    for part in parts:
        device = None if part.device is None else part.device * busy
        yield Launch(step=step, host_ns=part.host * host_ns, device_ns=device, late_ns=late_ns)


def call_ends(queue: Iterable[Launch], machine: QueueConstants) -> Iterator[Floats]:
    """Simulate host and device; yield for each kernel launch the end of a call without later launches, ns."""
    # This is a recursion of maxima and sums, so times may be arrays: the first element holds the measured times, the
    # others hold draws from their intervals. What-if graphs replay the same launches (``whatif.sources``).
    host: Floats = np.full(1, float(machine.call_ns))
    # subtracted, so that the first kernel has no gap
    device = host - machine.kernel_gap_ns
    waiting = deque[Floats](maxlen=machine.queue_depth or None)
    for launch in queue:
        if machine.queue_depth and len(waiting) == machine.queue_depth and launch.device_ns is not None:
            host = np.maximum(host, waiting[0])
        host = host + launch.host_ns
        if launch.device_ns is not None:
            ready = host + machine.launch_lag_ns + launch.late_ns
            device = np.maximum(device + machine.kernel_gap_ns, ready) + launch.device_ns
            waiting.append(device)
        if launch.waits:
            host = np.maximum(host + machine.synchronise_ns, device)
        yield np.maximum(host + machine.synchronise_ns, device)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedCall:
    """Simulated time of one network call."""

    steps_ns: Sequence[int]
    """How much each layer sequence delays the end of the call, ns; the call takes ``call_ns`` plus all delays."""
    total_ns: int
    below_ns: int
    """Lower half-width of the 95 % interval from sampling, ns."""
    above_ns: int
    """Upper half-width of the 95 % interval from sampling, ns."""
    shares: QueueShares
    device_ns: tuple[float, float, float]
    """Sum of kernels and the gaps between them, and its lower and upper half-width from sampling, ns."""
    untraced: float
    """Share of that sum that durations of calls bound, since kernels were not traced."""


def is_asynchronous(results: SystemResults) -> bool:
    """Return whether the execution provider of results is asynchronous: host and device work in parallel."""
    return results.queue is not None or results.configuration.provider in PROVIDERS


def has_queue(composition: Composition, results: SystemResults) -> bool:
    """Return whether all measured sequences of a network have times of host and device."""
    measured = (_measured(step, results) for step in composition.steps)
    return results.queue is not None and all(row.queue is not None for row in measured if row)


def _measured(step: CompositionStep, results: SystemResults) -> Measurement | None:
    return None if step.free else results.measurements.get(step.fingerprint)


def required_queue(results: SystemResults) -> QueueConstants:
    """Return the constants of host and device; raises ``InputError`` if they were not measured."""
    if results.queue is None:
        provider = results.configuration.provider
        raise InputError(
            f"the results of {results.configuration.system} have no times of host and device, which estimates on "
            f"{provider} require: run the suite again with the current harness"
        )
    return results.queue


def network_launches(
    composition: Composition, results: SystemResults, parts: Mapping[str, LaunchShares], *, draws: int = 0
) -> list[Launch]:
    """Return the kernel launches of a network call in order, without unmeasured layer sequences.

    ``parts`` has shares of launches by fingerprint. Each time is an array: the measured time, and ``draws`` (even)
    random times from its interval.
    """
    machine = required_queue(results)
    random = np.random.default_rng(_SEED + 1)
    drawn: dict[str, tuple[Floats, Floats]] = {}
    queue: list[Launch] = []
    for index, step in enumerate(composition.steps):
        measured = _measured(step, results)
        if measured is None or measured.queue is None:
            continue
        times = measured.queue
        # all uses of a sequence share one measurement, so they have the same error
        if step.fingerprint not in drawn:
            drawn[step.fingerprint] = _drawn(times, noise_factor(measured.verdict), draws, random)
        host, device = drawn[step.fingerprint]
        host = host * results.calibration.host
        more = _fetching_ns(step, results, machine)
        traced = parts.get(step.fingerprint, ())
        shows_kernels = any(part.device for part in traced)
        late_ns: Floats = np.zeros(1)
        if times.alone_ns is not None and times.kernels > 1 and not shows_kernels:
            late_ns = extra_lag(times.alone_ns + more, host, device + more, times.kernels, machine)
        equal = equal_launches((times.kernels or 1) if times.device_ns else 0)
        queue += launches(
            index,
            host,
            device + more,
            traced if shows_kernels or (traced and not times.device_ns) else equal,
            waits=times.synchronises,
            gap_ns=machine.kernel_gap_ns,
            late_ns=late_ns,
        )
    return queue


def queued_call(composition: Composition, results: SystemResults, parts: Mapping[str, LaunchShares]) -> QueuedCall:
    """Return the simulated time of one network call; arguments as in ``network_launches``."""
    machine = required_queue(results)
    # The sampling interval is a Monte Carlo estimate with a fixed seed: each draw moves the times of each sequence
    # within their intervals and runs the queue. A sum along the critical path would be too narrow where host and device
    # take about the same time, since the expected maximum of two random times exceeds the maximum of their means; all
    # times at one end of their intervals at once would be too wide by the square root of the number of sequences.
    queue = network_launches(composition, results, parts, draws=DRAWS)
    steps_ns = [0] * len(composition.steps)
    before = machine.call_ns
    end = np.full(1 + DRAWS, float(machine.call_ns + machine.synchronise_ns))
    for launch, end in zip(queue, call_ends(queue, machine), strict=True):
        steps_ns[launch.step] += round(float(end[0])) - before
        before = round(float(end[0]))
    # the error of the constants counts once per call, not once per step
    once = _normal(len(end) - 1, np.random.default_rng(_SEED)) * machine.half_width_ns / _SIGMAS
    low, high = np.quantile((end + np.append(0.0, once))[1:], _QUANTILES)
    device: Floats = np.zeros(len(end))
    for launch in queue:
        if launch.device_ns is not None:
            device = device + launch.device_ns + (0 if launch.waits else machine.kernel_gap_ns)
    figure = np.maximum(0.0, device - machine.kernel_gap_ns)
    least, most = np.quantile(figure[1:], _QUANTILES)
    # durations of calls are off in the same direction for all sequences, so these errors add up
    rows = (_measured(step, results) for step in composition.steps)
    untraced = [row.queue for row in rows if row and row.queue and not row.queue.traced]
    below = max(float(figure[0] - least), sum(times.device_ns - times.device_low_ns for times in untraced))
    above = max(float(most - figure[0]), sum(times.device_high_ns - times.device_ns for times in untraced))
    return QueuedCall(
        steps_ns=steps_ns,
        total_ns=round(float(end[0])),
        below_ns=max(0, round(float(end[0] - low))),
        above_ns=max(0, round(float(high - end[0]))),
        shares=QueueShares(
            host_ns=round(sum(float(launch.host_ns[0]) for launch in queue)),
            device_ns=round(float(device[0])),
            fetching_ns=round(sum(_fetching_ns(step, results, machine) for step in composition.steps)),
        ),
        device_ns=(float(figure[0]), below, above),
        untraced=sum(times.device_ns for times in untraced) / max(1.0, float(device[0])),
    )


def bounds_ns(composition: Composition, results: SystemResults) -> tuple[int, int]:
    """Return a lower and an upper bound of a network's latency, ns, from latencies of its sequences."""
    # The sum of the calls is an upper bound. Lower bounds are the longest call, and half of the sum without call
    # overhead: a call takes at most the times of host and device together and the overhead, and the network at least
    # the larger of the two sums.
    calls = [row.latency_ns for step in composition.steps if (row := _measured(step, results))]
    net = sum(max(0, call - results.call_overhead_ns) for call in calls)
    return max([net // 2, *calls]), max(results.call_overhead_ns, sum(calls))


def _drawn(times: QueueTimes, wider: float, count: int, random: np.random.Generator) -> tuple[Floats, Floats]:
    # Return times on host and device: the measured value, then ``count`` draws from its interval times ``wider``.
    #
    # Draws come in antithetic pairs, so that their mean is the measured value.
    def draw(middle: int, low: int, high: int) -> Floats:
        normal = _normal(count, random)
        reach = np.where(normal < 0, middle - low, high - middle) * wider / _SIGMAS
        times_ns: Floats = np.maximum(0.0, middle + np.append(0.0, normal * reach))
        return times_ns

    return (
        draw(times.host_ns, times.host_low_ns, times.host_high_ns),
        draw(times.device_ns, times.device_low_ns, times.device_high_ns),
    )


def _normal(count: int, random: np.random.Generator) -> Floats:
    half = random.standard_normal(count // 2)
    pairs: Floats = np.concatenate([half, -half])
    return pairs


def _fetching_ns(step: CompositionStep, results: SystemResults, machine: QueueConstants) -> float:
    # Return the device time in ns that reading constants from device memory adds to a step; the maximum if the size of
    # the cache or the reuse distances are unknown.
    #
    # Cache contents change device time as well: a loop of one sequence finds its constants in the device's second-level
    # cache; a network reads them from device memory unless everything that it touches fits. Each step takes the device
    # time of one state or the other by the reuse distances of its constants (``construct.memory_layout``).
    measured = _measured(step, results)
    times = measured.queue if measured else None
    if times is None or times.device_cold_ns is None or (step.features and not step.features.weight_bytes):
        return 0.0
    total = sum(nbytes for nbytes, _, _ in step.constants)
    far = sum(nbytes for nbytes, distance, _ in step.constants if distance >= machine.cache_bytes)
    return max(0, times.device_cold_ns - times.device_ns) * (far / total if total else 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedLaunch:
    """A kernel launch in the trace of a layer sequence."""

    share: LaunchShare
    layer: str
    """Operator of the layer, or its name if the operator is unknown."""
    operator: str | None
    kernel: str = ""
    """Name of the kernel."""
    kind: str = kinds.KERNEL
    features: SequenceFeatures | None = None
    """Costs of the layer; None in a trace, where the costs of the sequence are divided by time."""


def shares(traces: Mapping[str, Trace]) -> dict[str, list[LaunchShare]]:
    """Return the shares of all kernel launches in each traced layer sequence, by fingerprint."""
    parts = {fingerprint: traced_launches(trace) for fingerprint, trace in traces.items()}
    return {fingerprint: [part.share for part in some] for fingerprint, some in parts.items() if some}


def traced_launches(trace: Trace) -> list[TracedLaunch]:
    """Return the kernel launches in a trace of one call; empty without layers."""
    # the host time of a layer is divided evenly among its launches
    if not len(trace.rows(Level.LAYER)):
        return []
    outer = ancestors(trace, Level.LAYER, outermost=True)
    rows = np.unique(outer[outer != NONE])
    rows = rows[np.argsort(trace.start_ns[rows], kind="stable")]
    executed = trace.rows(Level.KERNEL, role=Role.EXECUTION)
    executed = executed[np.argsort(trace.start_ns[executed], kind="stable")]
    busy_ns = float(np.maximum(1, trace.end_ns[executed] - trace.start_ns[executed]).sum())
    hosts = np.maximum(1, trace.duration_ns[rows]).astype(float)
    hosts /= hosts.sum()
    of_row: dict[int, list[int]] = {row: [] for row in rows.tolist()}
    for row in executed.tolist():
        of_row[int(outer[row]) if int(outer[row]) in of_row else int(rows[0])].append(row)
    parts = []
    for (row, kernels), host, operator in zip(
        of_row.items(), hosts.tolist(), trace.string_column("type", rows), strict=True
    ):
        names: dict[str, Any] = {"layer": operator or trace.names[trace.name[row]], "operator": operator or None}
        if not kernels:
            parts.append(TracedLaunch(share=LaunchShare(host=host, device=None), **names))
        for kernel in kernels:
            device = max(1, int(trace.end_ns[kernel] - trace.start_ns[kernel])) / busy_ns
            share = LaunchShare(host=host / len(kernels), device=device)
            kind = trace.kinds[trace.kind[kernel]]
            parts.append(TracedLaunch(share=share, kernel=trace.names[trace.name[kernel]], kind=kind, **names))
    return parts
