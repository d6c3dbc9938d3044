"""Separate times of host and device for a device with a launch queue, and constants of that queue, from calls alone.

Model of a call: R (overhead of the call) + h (host: enqueueing the kernels) + L (launch lag) + d (device: running them)
+ s (synchronisation); an empty graph takes R + s. h is the duration of a call that does not wait for the device. For d
a network and one of several copies are called in turns: the difference divided by the additional copies has no call
overhead. If the host is slower than the device, d is only bounded: traced kernels tell it (``traced_times``). This
module does not depend on a provider: it times ``QueuedCalls``.
"""

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import onnxruntime

from ..stats import median_interval

# Number of copies in the longer network.
COPIES = 9
FEWEST_ROUNDS, MOST_ROUNDS = 5, 31
# Approximate time of all rounds together.
ROUNDS_NS = 150_000_000
# Multiple of it after which no more rounds without a neighbour on the core are waited for.
_PATIENCE = 4
# Launches, and time, after which the queue counts as unlimited.
DEPTH_LAUNCHES, DEPTH_NS = 4096, 1_000_000_000
# The queue is full when enqueueing takes this many times its median, this often in a row.
_FULL_RATIO, _FULL_TIMES = 4, 4
# The device is the slower one if a copy adds more than this share to the time of enqueueing it.
_SLOWER_SHARE = 0.03
# A wait has to exceed that for an idle device by this share to show the device's time.
_HIDDEN_SHARE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedCalls:
    """Ways to call one network."""

    enqueue: Callable[[], object]
    """Enqueues the kernels and returns."""
    wait: Callable[[], object]
    """Returns when the device has finished."""
    call: Callable[[], object]
    """Enqueues and waits."""
    holds: object = None
    """Owner of the network's buffers, which must live as long as this."""


class TimeInterval(NamedTuple):
    """A time with its 95 % interval, ns."""

    middle: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Slopes:
    """Times per copy of a network: the slopes of durations over the number of copies."""

    host: TimeInterval
    """Time that a copy adds to enqueueing."""
    total: TimeInterval
    """Time that a copy adds to a call."""
    copies: int
    alone: TimeInterval
    """Duration of a call of one copy minus that of enqueueing it."""


def calls_of(inference: Any, binding: Any, holds: object) -> QueuedCalls:
    """Return the ways to call an onnxruntime session that is bound to buffers of ``holds``."""
    options = onnxruntime.RunOptions()
    options.add_run_config_entry("disable_synchronize_execution_providers", "1")
    # asked for in each call; without it the question ends in an exception, which takes tens of microseconds
    options.add_run_config_entry("gpu_graph_id", "-1")
    run = inference.run_with_iobinding
    return QueuedCalls(
        enqueue=lambda: run(binding, options), wait=binding.synchronize_outputs, call=lambda: run(binding), holds=holds
    )


Clock = Callable[[], int]
_Made = TypeVar("_Made")


def in_rounds(measure: Callable[[int], _Made], clock: Clock, is_slow: Callable[[], bool]) -> list[_Made]:
    """Measure again and again; return at least ``FEWEST_ROUNDS`` in which the core was not shared, or all."""
    # A neighbour on the host's core makes launches take up to half as long again, for milliseconds to seconds.
    rounds, calm, begin, slow = list[_Made](), list[_Made](), clock(), is_slow()
    while True:
        spent_ns = clock() - begin
        late = len(calm) >= FEWEST_ROUNDS or spent_ns > _PATIENCE * ROUNDS_NS
        if len(calm) >= MOST_ROUNDS or (len(rounds) >= FEWEST_ROUNDS and spent_ns > ROUNDS_NS and late):
            return calm if len(calm) >= FEWEST_ROUNDS else rounds
        rounds.append(measure(len(rounds)))
        before, slow = slow, is_slow()
        if not (before or slow):
            calm.append(rounds[-1])


def timed(act: Callable[[], object], clock: Clock) -> int:
    """Call a function; return its duration, ns."""
    start = clock()
    act()
    return clock() - start


def timed_twice(calls: QueuedCalls, clock: Clock) -> tuple[int, int]:
    """Time enqueueing and a call of a network, each behind a call of its own, as another's may slow it, ns."""
    calls.call()
    host = timed(calls.enqueue, clock)
    calls.wait()
    return host, timed(calls.call, clock)


def slopes(
    single: QueuedCalls,
    several: QueuedCalls,
    copies: int,
    clock: Clock = time.perf_counter_ns,
    is_slow: Callable[[], bool] = bool,
) -> Slopes:
    """Measure times per copy from alternating calls of a network and of ``copies`` copies; both were called before."""

    def measure(number: int) -> tuple[float, ...]:
        host, total = {}, {}
        for calls in (single, several) if number % 2 else (several, single):
            host[id(calls)], total[id(calls)] = timed_twice(calls, clock)
        return (
            (host[id(several)] - host[id(single)]) / (copies - 1),
            (total[id(several)] - total[id(single)]) / (copies - 1),
            total[id(single)] - host[id(single)],
        )

    intervals = [_interval(values) for values in zip(*in_rounds(measure, clock, is_slow), strict=True)]
    return Slopes(host=intervals[0], total=intervals[1], copies=copies, alone=intervals[2])


def queue_times(
    measured: Slopes,
    *,
    kernels: int,
    waits: bool,
    machine: Mapping[str, int],
    cold_ns: float | None = None,
) -> dict[str, Any]:
    """Return the entry ``queue`` of a benchmark's result.

    Args:
        measured: slopes of the benchmark.
        kernels: launches of a copy, if known.
        waits: whether nodes on the CPU read results of the device, so that enqueueing waits for it.
        machine: result of ``queue_constants``.
        cold_ns: additional time of a call with a cleared cache; None if unknown.
    """
    host = measured.host
    if waits:
        host = TimeInterval(0.0, 0.0, 0.0)
        device = TimeInterval(*(max(0.0, value - machine["launch_lag_ns"]) for value in measured.total))
        return _entry(host, device, kernels, waits=True, cold_ns=None if cold_ns is None else device.middle + cold_ns)
    lag, least = machine["launch_lag_ns"], (1 + _HIDDEN_SHARE) * machine["synchronise_ns"]
    # from the launch of the last kernel to its end; the time of synchronisation hides a shorter one
    ending = measured.alone.middle if measured.alone.middle > least else (lag + max(lag, least)) / 2
    device = measured.total
    if device.middle <= (1 + _SLOWER_SHARE) * host.middle:
        # the device waits for the host: it takes at most as long, and as a guess what the last kernel takes for each
        high = max(device.high, host.high)
        device = TimeInterval(min(max(0.0, max(1, kernels) * (ending - lag)), high), 0.0, high)
    cold_ns = None if cold_ns is None else device.middle + cold_ns
    alone_ns = max(0, round(host.middle + ending))
    return {**_entry(host, device, kernels, waits=False, cold_ns=cold_ns), "alone_ns": alone_ns}


def _entry(
    host: TimeInterval, device: TimeInterval, kernels: int, *, waits: bool, cold_ns: float | None
) -> dict[str, Any]:
    """Return times as non-negative integers, each within its interval."""
    entry: dict[str, Any] = {}
    for name, interval in (("host", host), ("device", device)):
        middle = max(0, round(interval.middle))
        entry[f"{name}_ns"] = middle
        entry[f"{name}_low_ns"] = min(middle, max(0, math.floor(interval.low)))
        entry[f"{name}_high_ns"] = max(middle, math.ceil(interval.high))
    entry |= {"kernels": kernels, "synchronises": waits}
    return entry if cold_ns is None else {**entry, "device_cold_ns": max(entry["device_ns"], round(cold_ns))}


class Chain(NamedTuple):
    """Calls of a network and of several copies of it."""

    single: QueuedCalls
    several: QueuedCalls
    copies: int
    kernels: int
    """Number of launches of a copy."""


def queue_constants(
    empty: QueuedCalls,
    long: Chain,
    *,
    cache_bytes: int = 0,
    gap_ns: int = 0,
    clock: Clock = time.perf_counter_ns,
    is_slow: Callable[[], bool] = bool,
) -> dict[str, int]:
    """Measure the constants of the queue; return the entry ``queue`` of a result.

    Args:
        empty: calls of a graph without kernels.
        long: calls of kernels that run several times as long as the host takes to enqueue them.
        cache_bytes: size of the device's L2 cache; 0 for unknown.
        gap_ns: time between kernels if a trace showed it; else it is part of each kernel's time.
        clock: reads the time, ns.
        is_slow: as for ``slopes``.
    """
    measured = in_rounds(lambda _: (*timed_twice(empty, clock), timed_twice(long.single, clock)[1]), clock, is_slow)
    per_copy = slopes(long.single, long.several, long.copies, clock, is_slow)
    enqueue, call, single = (_interval(values) for values in zip(*measured, strict=True))
    wait = max(0.0, call.middle - enqueue.middle)
    # a call of one copy: R, its first launch, L, then the device, whose first kernel has no gap before it
    lag = single.middle - enqueue.middle - per_copy.host.middle / max(1, long.kernels) - per_copy.total.middle + gap_ns
    half = math.hypot(single.half_width, per_copy.host.half_width / max(1, long.kernels), per_copy.total.half_width)
    return {
        "call_ns": max(0, round(enqueue.middle)),
        "launch_lag_ns": max(0, round(lag)),
        "synchronise_ns": round(wait),
        "kernel_gap_ns": gap_ns,
        "queue_depth": queue_depth(long, per_copy, clock),
        "cache_bytes": cache_bytes,
        "half_width_ns": round(math.hypot(half, call.half_width)),
    }


def queue_depth(long: Chain, measured: Slopes, clock: Clock = time.perf_counter_ns) -> int:
    """Enqueue until the host has to wait; return the number of launches in the queue then, 0 if it never filled."""
    launches, usual, full = long.copies * long.kernels, list[int](), list[float]()
    device_ns = max(1.0, measured.total.middle * long.copies)
    begin = clock()
    for number in range(1, DEPTH_LAUNCHES // max(1, launches) + 1):
        took = timed(long.several.enqueue, clock)
        # into a full queue enqueueing takes as long as the device does, repeatedly; other delays are disturbances
        slow = len(usual) > 2 and took > _FULL_RATIO * statistics.median(usual) and 0.5 < took / device_ns < 2
        full = [*full, number * launches - (clock() - begin) / device_ns * launches] if slow else []
        if not slow:
            usual.append(took)
        if len(full) == _FULL_TIMES or clock() - begin > DEPTH_NS:
            break
    long.several.wait()
    depth = statistics.median(full) if len(full) == _FULL_TIMES else 0
    return round(depth) if depth > launches else 0


def traced_times(queue: Mapping[str, Any], busy_ns: Sequence[float], kernels: int, gap_ns: int) -> dict[str, Any]:
    """Return the entry ``queue`` with the device's time from traced kernels, by call, instead of from slopes."""
    if queue["synchronises"] or not busy_ns or not kernels:
        return dict(queue)
    device = _interval([busy + kernels * gap_ns for busy in busy_ns])
    host = TimeInterval(queue["host_ns"], queue["host_low_ns"], queue["host_high_ns"])
    cold = queue.get("device_cold_ns")
    cold_ns = None if cold is None else device.middle + cold - queue["device_ns"]
    alone = {"alone_ns": queue["alone_ns"]} if "alone_ns" in queue else {}
    return {**_entry(host, device, kernels, waits=False, cold_ns=cold_ns), **alone}


def _interval(values: Sequence[float]) -> TimeInterval:
    return TimeInterval(*median_interval(values))
