"""Times of host and device, each by itself, where a device takes kernels from a queue; and constants of that queue.

A call of an empty graph takes R + s, one of a kernel R + h + L + d + s at least: what the host spends on enqueueing (h)
is the time of a call that does not wait for the device, what the device does (d) shows in calls of many copies. One
network of one copy and one of several are called in turns; the difference, divided, has no call in it. Where the host
is the slower one, copies show what the device does only behind kernels that keep it busy until all is enqueued.
Nothing here knows of a provider: what is timed is a ``QueuedCalls``.
"""

import itertools
import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import onnxruntime

from ..stats import median_interval

COPIES = 9
"""Of the longer of two networks; the shorter is one."""
BEHIND_COPIES = 5
"""The same, of networks that long kernels lead."""
FEWEST_ROUNDS, MOST_ROUNDS = 5, 31
ROUNDS_NS = 150_000_000
"""How long rounds take together, about."""
DEPTH_LAUNCHES, DEPTH_NS = 4096, 1_000_000_000
"""Launches, and time, after which a queue counts as never full."""
_FULL_RATIO, _FULL_TIMES = 4, 4
"""How many times as long as before enqueueing takes when the queue is full, and how often in a row it has to."""
_SLOWER_SHARE = 0.03
"""By how much a copy has to add more to calls than to enqueueing, for the device to be the slower one."""
_HIDDEN_SHARE = 0.1
"""By how much longer than for an idle device a call of several copies has to wait for the device to be seen."""
_SURE_SHARE, _AHEAD_SHARE, _MOST_LEADING = 0.02, 1.2, 128
"""Width of an interval that needs no kernels in front; how far ahead these have to be; the most of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedCalls:
    """Ways to call one network."""

    enqueue: Callable[[], object]
    """Returns when the host has done its part."""
    wait: Callable[[], object]
    """Returns when the device has done what was enqueued."""
    call: Callable[[], object]
    """Both, as one call."""
    holds: object = None
    """What has to live as long: the buffers that the network reads and writes."""


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
    """What one more copy of a network adds."""

    host: TimeInterval
    """To enqueueing."""
    total: TimeInterval
    """To a call that waits."""
    excess: TimeInterval
    """By how much a call of all copies takes longer than enqueueing them: at least what any wait takes."""
    copies: int
    alone: TimeInterval
    """The same of one copy."""


def calls_of(inference: Any, binding: Any, holds: object) -> QueuedCalls:
    """Give the ways to call a session of onnxruntime whose inputs and outputs are bound to buffers of ``holds``."""
    options = onnxruntime.RunOptions()
    options.add_run_config_entry("disable_synchronize_execution_providers", "1")
    run = inference.run_with_iobinding
    return QueuedCalls(
        enqueue=lambda: run(binding, options), wait=binding.synchronize_outputs, call=lambda: run(binding), holds=holds
    )


Clock = Callable[[], int]


def timed(act: Callable[[], object], clock: Clock) -> int:
    """Give the duration of an act, ns."""
    start = clock()
    act()
    return clock() - start


def slopes(one: QueuedCalls, several: QueuedCalls, copies: int, clock: Clock = time.perf_counter_ns) -> Slopes:
    """Measure what one more copy adds, from calls of one and of several in turns.

    Args:
        one: of the network itself, called before.
        several: of a network of ``copies`` copies of it, called before.
        copies: two or more.
        clock: reads the time, ns.
    """
    hosts, totals, excesses, alone, begin = list[float](), list[float](), list[float](), list[float](), clock()
    for number in itertools.count():
        if number >= MOST_ROUNDS or (number >= FEWEST_ROUNDS and clock() - begin > ROUNDS_NS):
            break
        host, total = {}, {}
        for calls in (one, several) if number % 2 else (several, one):
            host[id(calls)] = timed(calls.enqueue, clock)
            calls.wait()
            total[id(calls)] = timed(calls.call, clock)
        hosts.append((host[id(several)] - host[id(one)]) / (copies - 1))
        totals.append((total[id(several)] - total[id(one)]) / (copies - 1))
        excesses.append(total[id(several)] - host[id(several)])
        alone.append(total[id(one)] - host[id(one)])
    found = [_interval(values) for values in (hosts, totals, excesses, alone)]
    return Slopes(host=found[0], total=found[1], excess=found[2], copies=copies, alone=found[3])


def queue_times(
    found: Slopes,
    *,
    kernels: int,
    waits: bool,
    machine: Mapping[str, int],
    cold_ns: float | None = None,
    behind: Slopes | None = None,
) -> dict[str, Any]:
    """Give the entry ``queue`` of a benchmark, from calls alone.

    Args:
        found: of the benchmark.
        kernels: launches of a copy, as far as is known.
        waits: whether nodes on the processor read what the device made, so that enqueueing waits for it.
        machine: what ``queue_constants`` gave.
        cold_ns: by how much a call takes longer with constants from the device's memory; None if it is not known.
        behind: of the benchmark behind ``leading_kernels``. Passed over where the device ran out of work all the same,
            or outside what calls without them tell, as where a runtime runs nodes in an order of its own.
    """
    host = found.host
    if waits:
        host = TimeInterval(0.0, 0.0, 0.0)
        device = TimeInterval(*(max(0.0, value - machine["launch_lag_ns"]) for value in found.total))
        return entry(host, device, kernels, waits=True, cold_ns=None if cold_ns is None else device.middle + cold_ns)
    alone = _alone(found, kernels, machine)
    device = _device(found, kernels, machine, alone)
    if behind is not None and behind.excess.middle >= _least(machine) + machine["launch_lag_ns"] + host.middle:
        off = behind.total.half_width
        device = behind.total if device.low - off <= behind.total.middle <= device.high + off else device
    cold_ns = None if cold_ns is None else device.middle + cold_ns
    return {**entry(host, device, kernels, waits=False, cold_ns=cold_ns), "alone_ns": max(0, round(alone.middle))}


def leading_kernels(times: Mapping[str, Any], machine: Mapping[str, int], long: Slopes) -> int:
    """Say how many long kernels keep the device busy until the host has enqueued copies of a benchmark behind them.

    Args:
        times: of the benchmark, from ``queue_times``.
        machine: what ``queue_constants`` gave.
        long: of one such kernel.

    Returns:
        0 where the device's time is known well enough without them, or none would do.
    """
    wide, ahead_ns = times["device_high_ns"] - times["device_low_ns"], long.total.middle - long.host.middle
    if times["synchronises"] or ahead_ns <= 0 or wide <= _SURE_SHARE * max(times["host_ns"], times["device_ns"]):
        return 0
    needed_ns = (BEHIND_COPIES + 1) * times["host_ns"] + machine["launch_lag_ns"] + _least(machine)
    count = 1 + math.ceil(_AHEAD_SHARE * needed_ns / ahead_ns)
    return count if count <= _MOST_LEADING else 0


def _alone(found: Slopes, kernels: int, machine: Mapping[str, int]) -> TimeInterval:
    """Give how long after its enqueueing began a copy has ended on an idle device, or between what that lies.

    The host's time and what a call takes beyond it, unless that may be no more than what any wait takes; then at least
    the lag after the last launch. Calls of several copies narrow it where the device is the slower one.
    """
    host, lag, least = found.host.middle, machine["launch_lag_ns"], _least(machine)
    if found.alone.middle > least:
        half, middle = math.hypot(found.host.half_width, found.alone.half_width), host + found.alone.middle
        return TimeInterval(middle, middle - half, middle + half)
    low, high = host + lag, host + max(lag, least)
    # the first kernel starts after a launch, and all others, as long as in each further copy, follow it
    ends = found.excess.middle + found.copies * host
    slower = lag + host / max(1, kernels) + (ends - lag - host / max(1, kernels)) / found.copies
    middle = slower if found.excess.middle > least else (low + high) / 2
    return TimeInterval(min(max(low, middle), high), low, high)


def _device(found: Slopes, kernels: int, machine: Mapping[str, int], alone: TimeInterval) -> TimeInterval:
    """Give the device's time of a copy, or between what it lies where the device waits for the host.

    A copy that ends X after it began on an idle device, host h and device d, adds the larger of h and d for each
    further copy. Where that is more than h it is d. Else X tells: kernels end no sooner than d after the first launch
    and the lag, no later than d after the last. Of one kernel that is the same.
    """
    host, lag, further = found.host.middle, machine["launch_lag_ns"], found.copies - 1
    first = host / max(1, kernels)
    half = math.hypot(found.excess.half_width / further, found.alone.half_width, found.host.half_width)
    most = max(0.0, alone.high - lag - first)
    if found.excess.middle > _least(machine):
        low, middle, high = (
            (found.excess.middle + found.copies * host - one) / further for one in (alone.high, alone.middle, alone.low)
        )
        if middle > (1 + _SLOWER_SHARE) * host:
            return TimeInterval(middle, min(low, middle - half), max(high, middle + half))
        most = min(most, high)
    else:
        most = min(most, (_least(machine) + further * host - lag) / further)
    least = max(0.0, alone.low - lag - host)
    even = max(1, kernels) * (alone.middle - lag - host)
    return TimeInterval(min(max(least, even), max(least, most)), least - half, max(least, most) + half)


def _least(machine: Mapping[str, int]) -> float:
    """Give how long a call has to wait for the device to be seen."""
    return (1 + _HIDDEN_SHARE) * machine["synchronise_ns"]


def entry(
    host: TimeInterval, device: TimeInterval, kernels: int, *, waits: bool, cold_ns: float | None
) -> dict[str, Any]:
    """Write times down: whole numbers from 0 up, each within its interval."""
    made: dict[str, Any] = {}
    for name, one in (("host", host), ("device", device)):
        middle = max(0, round(one.middle))
        made[f"{name}_ns"] = middle
        made[f"{name}_low_ns"] = min(middle, max(0, math.floor(one.low)))
        made[f"{name}_high_ns"] = max(middle, math.ceil(one.high))
    made |= {"kernels": kernels, "synchronises": waits}
    return made if cold_ns is None else {**made, "device_cold_ns": max(made["device_ns"], round(cold_ns))}


class Chain(NamedTuple):
    """A network and several copies of it."""

    one: QueuedCalls
    several: QueuedCalls
    copies: int
    kernels: int
    """Launches of a copy."""


def queue_constants(
    empty: QueuedCalls, long: Chain, *, cache_bytes: int = 0, gap_ns: int = 0, clock: Clock = time.perf_counter_ns
) -> dict[str, int]:
    """Measure how host and device work together; give the entry ``queue`` of a result.

    Args:
        empty: of a graph without kernels.
        long: of kernels that take the device several times as long as enqueueing takes the host.
        cache_bytes: size of the device's second-level cache; 0 for unknown.
        gap_ns: between kernels, where a trace has shown it; else it is part of each kernel's time.
        clock: reads the time, ns.
    """
    host, total, alone = list[float](), list[float](), list[float]()
    for _ in range(MOST_ROUNDS):
        host.append(timed(empty.enqueue, clock))
        empty.wait()
        total.append(timed(empty.call, clock))
        alone.append(timed(long.one.call, clock))
    found = slopes(long.one, long.several, long.copies, clock)
    enqueue, call, single = _interval(host), _interval(total), _interval(alone)
    wait = max(0.0, call.middle - enqueue.middle)
    # a call of one: R, its first launch of several, L, then the device, whose first kernel has no gap before it
    lag = single.middle - enqueue.middle - found.host.middle / max(1, long.kernels) - found.total.middle + gap_ns
    half = math.hypot(single.half_width, found.host.half_width / max(1, long.kernels), found.total.half_width)
    return {
        "call_ns": max(0, round(enqueue.middle)),
        "launch_lag_ns": max(0, round(lag)),
        "synchronise_ns": round(wait),
        "kernel_gap_ns": gap_ns,
        "queue_depth": queue_depth(long, found, clock),
        "cache_bytes": cache_bytes,
        "half_width_ns": round(math.hypot(half, call.half_width)),
    }


def queue_depth(long: Chain, found: Slopes, clock: Clock = time.perf_counter_ns) -> int:
    """Enqueue until the host has to wait; give the launches that were then enqueued and had not ended, 0 for never."""
    launches, usual, full = long.copies * long.kernels, list[int](), list[float]()
    device_ns = max(1.0, found.total.middle * long.copies)
    begin = clock()
    for number in range(1, DEPTH_LAUNCHES // max(1, launches) + 1):
        took = timed(long.several.enqueue, clock)
        # a full queue takes what the device works off, again and again; anything else is something else
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
    """Give times in which the device's are those of recorded kernels, where slopes can only bound them.

    Args:
        queue: entry of the benchmark, from slopes.
        busy_ns: sum of kernels, copies and fills of each recorded call.
        kernels: of a call.
        gap_ns: between two of them.
    """
    if queue["synchronises"] or not busy_ns or not kernels:
        return dict(queue)
    found = _interval([one + kernels * gap_ns for one in busy_ns])
    host = TimeInterval(queue["host_ns"], queue["host_low_ns"], queue["host_high_ns"])
    cold = queue.get("device_cold_ns")
    cold_ns = None if cold is None else found.middle + cold - queue["device_ns"]
    alone = {"alone_ns": queue["alone_ns"]} if "alone_ns" in queue else {}
    return {**entry(host, found, kernels, waits=False, cold_ns=cold_ns), **alone}


def _interval(values: Sequence[float]) -> TimeInterval:
    return TimeInterval(*median_interval(values))
