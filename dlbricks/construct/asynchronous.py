"""From times of host and device of sequences to the latency of a network on an asynchronous execution provider. Pure.

Where things lie decides device time as well: a loop of one sequence finds its constants in the device's second-level
cache, a network reads them from device memory unless all that it touches fits. So each step takes its device time of
one state or the other, by the reuse distances of its constants (``construct.memory_layout``).

The interval of sampling is drawn, with a fixed seed: every draw moves the times of each sequence within their
intervals and runs the queue. Summed along the critical path it would be too narrow where host and device take about the
same, since the larger of two that err is larger on average; with all times at one end at once it would be too wide by
the square root of the number of sequences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.construct.intervals import noise_factor
from dlbricks.construct.queue import Floats, Launch, Parts, call_ends, evenly, lateness, launches
from dlbricks.construct.types import Composition, CompositionStep
from dlbricks.errors import InputError
from dlbricks.store.types import Measurement, QueueConstants, QueueTimes, SystemResults

PROVIDERS = frozenset({"cuda", "tensorrt", "nvtensorrtrtx", "rocm", "migraphx", "dml", "webgpu"})
"""Execution providers that enqueue work for a device and return."""
DRAWS = 400
_SEED = 0
_QUANTILES = (0.025, 0.975)
_SIGMAS = 1.96
"""Standard deviations that half an interval of 95 % is wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedCall:
    """What a call of a network takes on two resources."""

    steps_ns: Sequence[int]
    """By how much each step puts off the end of the call; they add up to it, ``call_ns`` of the machine apart."""
    total_ns: int
    below_ns: int
    """How far sampling reaches below the total (95 %)."""
    above_ns: int
    host_ns: int
    """Sum over the steps: what it would take if the device took no time."""
    device_ns: int
    """Sum over the steps: what it would take if the host took no time."""
    fetching_ns: int
    """Of ``device_ns``: what reading constants from device memory adds to reading them from its cache."""


def is_asynchronous(results: SystemResults) -> bool:
    """Whether host and device work side by side there."""
    return results.queue is not None or results.configuration.provider in PROVIDERS


def has_queue(composition: Composition, results: SystemResults) -> bool:
    """Whether the results hold times of host and device of all sequences that were measured."""
    measured = (results.measurements.get(step.fingerprint) for step in composition.steps if not step.free)
    return results.queue is not None and all(one.queue is not None for one in measured if one)


def machine_of(results: SystemResults) -> QueueConstants:
    """Give the constants of the machine.

    Raises:
        InputError: its results hold none.
    """
    if results.queue is None:
        provider = results.configuration.provider
        raise InputError(
            f"the results of {results.configuration.system} have no times of host and device, without which nothing "
            f"can be replayed on {provider}: run the suite again with the harness of now"
        )
    return results.queue


def network_launches(
    composition: Composition, results: SystemResults, parts: Mapping[str, Parts], *, draws: int = 0
) -> list[Launch]:
    """Give all launches of a network in order; views and steps without a result give none.

    Args:
        composition: of the network.
        results: of an asynchronous provider.
        parts: by fingerprint, how a trace says that times of a sequence are shared out.
        draws: from the intervals; each time has the figure as measured first, then one of each draw.
    """
    machine = machine_of(results)
    drawn = _Draws(draws)
    made: list[Launch] = []
    for index, step in enumerate(composition.steps):
        known = None if step.free else results.measurements.get(step.fingerprint)
        if known is None or known.queue is None:
            continue
        times = known.queue
        host, device = drawn.of(known)
        more = _fetching_ns(step, results, machine)
        traced = parts.get(step.fingerprint, ())
        late_ns: Floats = np.zeros(1)
        if times.alone_ns is not None and times.kernels > 1 and not any(part.device for part in traced):
            late_ns = lateness(times.alone_ns + more, host, device + more, times.kernels, machine)
        made += launches(
            index,
            host,
            device + more,
            _shares(times, traced),
            waits=times.synchronises,
            gap_ns=machine.kernel_gap_ns,
            late_ns=late_ns,
        )
    return made


def queued_call(composition: Composition, results: SystemResults, parts: Mapping[str, Parts]) -> QueuedCall:
    """Run the queue of a network; see ``network_launches``."""
    machine = machine_of(results)
    made = network_launches(composition, results, parts, draws=DRAWS)
    steps_ns = [0] * len(composition.steps)
    before = machine.call_ns
    end = np.full(1, float(machine.call_ns + machine.synchronise_ns))
    for one, end in zip(made, call_ends(made, machine), strict=True):
        steps_ns[one.step] += round(float(end[0])) - before
        before = round(float(end[0]))
    once = _normal(len(end) - 1, np.random.default_rng(_SEED)) * machine.half_width_ns / _SIGMAS
    low, high = np.quantile((end + np.append(0.0, once))[1:], _QUANTILES) if len(end) > 1 else (end[0], end[0])
    gaps = sum(machine.kernel_gap_ns for one in made if one.device_ns is not None and not one.waits)
    device = sum(float(one.device_ns[0]) for one in made if one.device_ns is not None)
    return QueuedCall(
        steps_ns=steps_ns,
        total_ns=round(float(end[0])),
        below_ns=max(0, round(float(end[0] - low))),
        above_ns=max(0, round(float(high - end[0]))),
        host_ns=round(sum(float(one.host_ns[0]) for one in made)),
        device_ns=round(device + gaps),
        fetching_ns=round(sum(_fetching_ns(step, results, machine) for step in composition.steps)),
    )


def bounds_ns(composition: Composition, results: SystemResults) -> tuple[int, int]:
    """Give between what a network lies of whose sequences only the latencies of single calls are known.

    Calls one after another take no less than the whole. It takes no less than the longest of its calls, nor than half
    of their sum with call overhead taken out: a call takes no more than the times of host and device together and the
    overhead, and the whole no less than the larger of the two sums.
    """
    measured = [results.measurements.get(step.fingerprint) for step in composition.steps if not step.free]
    calls = [one.latency_ns for one in measured if one]
    net = sum(max(0, call - results.call_overhead_ns) for call in calls)
    return max([net // 2, *calls]), max(results.call_overhead_ns, sum(calls))


class _Draws:
    """Times of host and device of sequences: as measured, and as often drawn from their intervals.

    Uses of the same sequence err together. Draws come in pairs of opposite sign, so that their mean is what was
    measured.
    """

    def __init__(self, count: int) -> None:
        """Give so many draws, an even number."""
        self._count = count
        self._random = np.random.default_rng(_SEED + 1)
        self._known: dict[str, tuple[Floats, Floats]] = {}

    def of(self, measured: Measurement) -> tuple[Floats, Floats]:
        """Give the times on host and device of a sequence that has them."""
        times = measured.queue
        if times is None:
            raise ValueError("it has no times of host and device")
        if measured.fingerprint not in self._known:
            wider = noise_factor(measured.verdict)
            self._known[measured.fingerprint] = (
                self._drawn(times.host_ns, times.host_low_ns, times.host_high_ns, wider),
                self._drawn(times.device_ns, times.device_low_ns, times.device_high_ns, wider),
            )
        return self._known[measured.fingerprint]

    def _drawn(self, middle: int, low: int, high: int, wider: float) -> Floats:
        normal = _normal(self._count, self._random)
        reach = np.where(normal < 0, middle - low, high - middle) * wider / _SIGMAS
        made: Floats = np.maximum(0.0, middle + np.append(0.0, normal * reach))
        return made


def _normal(count: int, random: np.random.Generator) -> Floats:
    half = random.standard_normal(count // 2)
    made: Floats = np.concatenate([half, -half])
    return made


def _shares(times: QueueTimes, traced: Parts) -> Parts:
    """Give how the times of a sequence are shared out: as it was traced, evenly where no trace shows its launches."""
    if times.device_ns and not any(part.device for part in traced):
        return evenly(times.kernels or 1)
    return traced or evenly(0)


def _fetching_ns(step: CompositionStep, results: SystemResults, machine: QueueConstants) -> float:
    """Give what reading its constants from device memory adds to the device time of a step.

    All of it where the size of the cache is not known, or nobody knows how far back its constants lie.
    """
    known = None if step.free else results.measurements.get(step.fingerprint)
    times = known.queue if known else None
    if times is None or times.device_cold_ns is None or (step.features and not step.features.weight_bytes):
        return 0.0
    total = sum(nbytes for nbytes, _, _ in step.constants)
    far = sum(nbytes for nbytes, distance, _ in step.constants if distance >= machine.cache_bytes)
    return max(0, times.device_cold_ns - times.device_ns) * (far / total if total else 1.0)
