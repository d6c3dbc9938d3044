"""Measures the times of host and device in a call, and the device's launch queue.

A call takes R (call overhead) + h (the host enqueues kernels) + L (launch lag) + d (the device runs the kernels) + s
(synchronisation); an empty graph takes R + s. h is how much longer enqueueing takes than that of an empty graph. d is
the time of the kernels that CUPTI records, with a gap for each (``traced_times``). Without CUPTI, durations of calls
bound d: kernels of several launches overlap with the host by an unknown time. On the CPU, which has no queue, host time
and total time are equal.
"""

import itertools
import math
import statistics
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..call_timer import Rewriter, bound_graph, slowness
from ..errors import HarnessError
from ..machine import l2_bytes
from ..network import SLOW_CALL_NS, Bound, Prepared
from ..session import Session, SessionSettings, backend, open_session
from ..stats import median_interval
from . import cupti
from .activities import Activity

# Number of calls that a chain enqueues before it waits.
CHAIN = 9
FEWEST_ROUNDS, MOST_ROUNDS = 5, 31
# Time of all rounds together, approximately.
ROUNDS_NS = 20_000_000
# Multiple of that time after which measuring ends, even if a neighbour shared the core in too many rounds.
_PATIENCE = 4
# Number of launches, and time, after which the queue counts as unlimited.
DEPTH_LAUNCHES, DEPTH_NS = 4096, 1_000_000_000
# The queue is full if enqueueing takes this many times its median (first number), this many times in a row (second).
_FULL_RATIO, _FULL_TIMES = 2, 4
# Only a wait that exceeds the wait for an idle device by this share shows the time of the device.
_HIDDEN_SHARE = 0.1
# Bytes that each kernel of a chain reads and writes, which takes tens of microseconds on the fastest device.
LONG_BYTES = 64 << 20
# The same of a kernel that takes about as long as the shortest ones of networks.
_SHORT_BYTES = 1 << 14
ABS = Path(__file__).parent.parent / "graphs" / "abs.onnx"
# Multiple of the L2 cache's size that is read and written to clear the cache.
_CLEARED = 4
# Number of pairs of a call with a warm cache and a call with a cleared cache.
_COLD_ROUNDS = 9
# If enqueueing takes at least this share of a call, nodes on the CPU wait for the device.
_WAITING_SHARE = 0.9
# Number of traced calls of a network or a chain, and of slow ones. A further call before them does not count.
TRACED_CALLS, FEWEST_TRACED = 5, 3
# Kinds of activities that keep the device busy, and of those that start them.
_BUSY, _LAUNCHES = frozenset({"kernel", "memcpy", "memset"}), frozenset({"runtime", "driver"})


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedCalls:
    """Ways to call a network with bound inputs and outputs."""

    enqueue: Callable[[], object]
    """Enqueues the kernels and returns."""
    wait: Callable[[], object]
    """Waits until the device has finished."""
    call: Callable[[], object]
    """Enqueues the kernels and waits for the device."""
    holds: object = None
    """Owner of the network's buffers, stored here so that they stay allocated."""


class TimeInterval(NamedTuple):
    """A time and its 95 % interval, ns."""

    middle: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval, ns."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTimes:
    """Times of a network's calls."""

    host: TimeInterval
    """How much longer enqueueing takes than that of an empty graph: h."""
    ending: TimeInterval
    """Duration of a call minus its enqueueing."""


def calls_of(session: Session, binding: Any, holds: object) -> QueuedCalls:
    """Return the ways to call a session that has ``queued``; ``holds`` owns the buffers of ``binding``."""
    if session.queued is None:
        raise HarnessError("calls of this runtime wait for the device: set Session.queued in the runtime's module")
    enqueue, wait = session.queued(binding)
    return QueuedCalls(
        enqueue=enqueue, wait=wait, call=partial(session.inference.run_with_iobinding, binding), holds=holds
    )


Clock = Callable[[], int]
_Made = TypeVar("_Made")


def in_rounds(measure: Callable[[int], _Made], clock: Clock, is_slow: Callable[[], bool]) -> list[_Made]:
    """Call ``measure`` with the number of each round; return the values of undisturbed rounds; all if these are few."""
    # A neighbour on the host's core makes launches take up to 1.5 times as long, for milliseconds to seconds.
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
    """Call a function and return its duration, ns."""
    start = clock()
    act()
    return clock() - start


def timed_twice(calls: QueuedCalls, clock: Clock) -> tuple[int, int]:
    """Return how long enqueueing takes and how long a whole call takes, ns."""
    calls.call()
    host = timed(calls.enqueue, clock)
    calls.wait()
    return host, timed(calls.call, clock)


def call_times(
    calls: QueuedCalls,
    empty: QueuedCalls,
    clock: Clock = time.perf_counter_ns,
    is_slow: Callable[[], bool] = bool,
) -> CallTimes:
    """Measure a network in turns with an ``empty`` graph, whose enqueueing takes R."""

    def measure(_: int) -> tuple[int, int]:
        host, total = timed_twice(calls, clock)
        return host - timed_twice(empty, clock)[0], total - host

    host, ending = (_interval(values) for values in zip(*in_rounds(measure, clock, is_slow), strict=True))
    return CallTimes(host=host, ending=ending)


def queue_times(
    measured: CallTimes,
    *,
    kernels: int,
    waits: bool,
    machine: Mapping[str, int],
    cold_ns: float | None = None,
) -> dict[str, Any]:
    """Return the times of host and device by durations of calls: the entry ``queue`` in the result file.

    ``waits`` means that enqueueing waits for the device, since nodes on the CPU read its results. ``machine`` comes
    from ``queue_constants``; ``cold_ns`` is the additional time of a call with a cleared cache, None if unknown.
    """
    host, lag = measured.host, machine["launch_lag_ns"]
    half = math.hypot(host.half_width, measured.ending.half_width, machine.get("half_width_ns", 0))
    if waits:
        device = TimeInterval(host.middle - lag, host.low - lag, host.high - lag)
        cold_ns = None if cold_ns is None else device.middle + cold_ns
        return _entry(TimeInterval(0.0, 0.0, 0.0), device, kernels, waits=True, cold_ns=cold_ns)
    # the wait lasts from the launch of the last kernel to its end; synchronisation hides a shorter wait
    least = (1 + _HIDDEN_SHARE) * machine["synchronise_ns"]
    hidden = measured.ending.middle <= least
    longest = max(lag, least) if hidden else measured.ending.middle
    # the device works during the wait only, or also during all launches but the first, which may be short
    low = 0.0 if hidden else max(0.0, longest - lag)
    high = max(low, longest - lag + (host.middle if kernels > 1 else 0.0))
    device = TimeInterval((low + high) / 2, low - half, high + half) if kernels else TimeInterval(0.0, 0.0, 0.0)
    cold_ns = None if cold_ns is None else device.middle + cold_ns
    ending = (lag + longest) / 2 if hidden else longest
    alone_ns = max(0, round(host.middle + ending))
    return {**_entry(host, device, kernels, waits=False, cold_ns=cold_ns), "alone_ns": alone_ns}


def _entry(
    host: TimeInterval, device: TimeInterval, kernels: int, *, waits: bool, cold_ns: float | None
) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    for name, interval in (("host", host), ("device", device)):
        middle = max(0, round(interval.middle))
        entry[f"{name}_ns"] = middle
        entry[f"{name}_low_ns"] = min(middle, max(0, math.floor(interval.low)))
        entry[f"{name}_high_ns"] = max(middle, math.ceil(interval.high))
    entry |= {"kernels": kernels, "synchronises": waits}
    return entry if cold_ns is None else {**entry, "device_cold_ns": max(entry["device_ns"], round(cold_ns))}


def chain(calls: QueuedCalls, length: int = CHAIN) -> QueuedCalls:
    """Return ways to enqueue ``length`` calls of a network, and to wait for all of them."""

    def enqueue() -> object:
        return [calls.enqueue() for _ in range(length)]

    return QueuedCalls(enqueue=enqueue, wait=calls.wait, call=lambda: (enqueue(), calls.wait()))


def queue_constants(
    empty: QueuedCalls,
    single: QueuedCalls,
    *,
    cache_bytes: int = 0,
    clock: Clock = time.perf_counter_ns,
    is_slow: Callable[[], bool] = bool,
) -> dict[str, int]:
    """Measure a device's launch lag, synchronisation and queue depth: the entry ``queue`` of a result.

    ``empty`` calls a graph without kernels. ``single`` calls one kernel, which runs several times as long as the host
    takes to enqueue it. The lag includes the kernel gap, which only a trace shows (``traced_constants``).
    ``cache_bytes`` is the size of the device's L2 cache; 0 if unknown.
    """
    several = chain(single)

    def measure(_: int) -> tuple[float, ...]:
        enqueue, call = timed_twice(empty, clock)
        host, once = timed_twice(single, clock)
        device = (timed_twice(several, clock)[1] - once) / (CHAIN - 1)
        # a call takes R, its launch, L, and the device's time
        return enqueue, call - enqueue, once - host - device, device

    call, wait, lag, device = (_interval(values) for values in zip(*in_rounds(measure, clock, is_slow), strict=True))
    return {
        "call_ns": max(0, round(call.middle)),
        "launch_lag_ns": max(0, round(lag.middle)),
        "synchronise_ns": max(0, round(wait.middle)),
        "kernel_gap_ns": 0,
        "queue_depth": queue_depth(several, device.middle, clock),
        "cache_bytes": cache_bytes,
        "half_width_ns": round(math.hypot(call.half_width, wait.half_width, lag.half_width)),
    }


def queue_depth(several: QueuedCalls, kernel_ns: float, clock: Clock = time.perf_counter_ns) -> int:
    """Return how many kernel launches the device's queue holds before the host has to wait; 0 if it never waits.

    ``several`` is a chain of kernels that take ``kernel_ns`` each.
    """
    usual, full = list[int](), list[float]()
    device_ns = max(1.0, kernel_ns * CHAIN)
    begin = clock()
    for number in range(1, DEPTH_LAUNCHES // CHAIN + 1):
        took = timed(several.enqueue, clock)
        # if the queue is full, enqueueing repeatedly takes as long as the device; other delays are disturbances
        slow = len(usual) > 2 and took > _FULL_RATIO * statistics.median(usual) and 0.5 < took / device_ns < 2
        full = [*full, (number - (clock() - begin) / device_ns) * CHAIN] if slow else []
        if not slow:
            usual.append(took)
        if len(full) == _FULL_TIMES or clock() - begin > DEPTH_NS:
            break
    several.wait()
    depth = statistics.median(full) if len(full) == _FULL_TIMES else 0
    return round(depth) if depth > CHAIN else 0


def traced_times(
    queue: Mapping[str, Any], warm: Sequence[Sequence[Activity]], cold: Sequence[Sequence[Activity]], gap_ns: int
) -> dict[str, Any]:
    """Return the entry ``queue`` with device times by the recorded kernels of each call, warm and cold.

    Times stay as they are if the host waits within a call, or no kernel was recorded.
    """
    if queue["synchronises"] or not any(warm):
        return {**queue, "traced": 0}
    kernels = statistics.median_low([len(call) for call in warm])
    busy, busy_cold = ([sum(work.duration_ns + gap_ns for work in call) for call in calls] for calls in (warm, cold))
    host = TimeInterval(queue["host_ns"], queue["host_low_ns"], queue["host_high_ns"])
    cold_ns = statistics.median(busy_cold) if busy_cold else None
    entry = _entry(host, _interval(busy), kernels, waits=False, cold_ns=cold_ns)
    return {**queue, **entry, "traced": len(warm)}


def traced_constants(activities: Sequence[Activity], calls: Sequence[Sequence[Activity]]) -> dict[str, int]:
    """Return the kernel gap and the launch lag by the recorded kernels of chains; ``activities`` has their launches.

    The first half of each chain keeps the device busy while the host enqueues the second half, which shows the gap.
    Raises ``HarnessError`` if no kernel could start before the end of the kernel in front of it.
    """
    # a call of the runtime holds one of the driver with the same correlation
    returned = {launch.correlation: launch.end_ns for launch in reversed(activities) if launch.kind in _LAUNCHES}
    lags = [
        call[0].start_ns - returned[call[0].correlation] for call in calls if call and call[0].correlation in returned
    ]
    # a kernel may start before its launch returns
    lag = {"launch_lag_ns": max(0, round(statistics.median(lags)))} if lags else {}
    pairs = [pair for call in calls for pair in itertools.pairwise(call[len(call) // 2 :])]
    ready = {number: end_ns + lag.get("launch_lag_ns", 0) for number, end_ns in returned.items()}
    behind = (pair for pair in pairs if ready.get(pair[1].correlation, math.inf) <= pair[0].end_ns)
    gaps = [after.start_ns - before.end_ns for before, after in behind]
    if not gaps:
        why = "the host launches kernels more slowly than the device runs them" if pairs else "CUPTI records no kernels"
        raise HarnessError(f"the gap between kernels cannot be measured: {why}")
    return {"kernel_gap_ns": max(0, round(statistics.median(gaps))), **lag}


def work_of_calls(activities: Sequence[Activity], windows: Sequence[tuple[int, int]]) -> list[list[Activity]]:
    """Return the kernels, copies and fills that were launched in each time window; windows ascend."""
    calling = (each for each in reversed(activities) if each.kind in _LAUNCHES and each.correlation is not None)
    launched = {each.correlation: each.start_ns for each in calling}
    begins, calls = [begin for begin, _ in windows], [list[Activity]() for _ in windows]
    for activity in activities:
        if activity.kind in _BUSY:
            at = launched.get(activity.correlation, activity.start_ns)
            place = bisect_right(begins, at) - 1
            if place >= 0 and at <= windows[place][1]:
                calls[place].append(activity)
    return calls


def _interval(values: Sequence[float]) -> TimeInterval:
    return TimeInterval(*median_interval(values))


class DeviceQueue:
    """Measures how a device queues kernels, and the times of host and device; it allocates memory on first use."""

    def __init__(
        self,
        settings: SessionSettings,
        machine: Mapping[str, int] = MappingProxyType({"launch_lag_ns": 0, "synchronise_ns": 0, "kernel_gap_ns": 0}),
        *,
        cache_bytes: int | None = None,
        long_bytes: int = LONG_BYTES,
    ) -> None:
        """Store the settings, and the measured ``queue_constants`` (``machine``) if they are available."""
        self._long_bytes = long_bytes
        self._settings, self._machine = settings, machine
        self._is_slow = slowness(settings)
        device = backend(settings).device_number(settings)
        if cache_bytes is None and device is not None:
            cache_bytes = l2_bytes(device)
        self._cache_bytes = cache_bytes or 0
        self._clearing: Bound | None = None
        self._toucher: Rewriter
        self._idle: Bound | None = None

    @property
    def _empty(self) -> QueuedCalls:
        if self._idle is None:
            self._idle = bound_graph("identity", self._settings, {"x": np.ones(1, np.float32)}, (1,), overwrites="x")
            self._idle.visit(2)
        return _calls(self._idle)

    def constants(self) -> dict[str, Any]:
        """Return ``queue_constants``, which are measured unless they were passed, and why kernels cannot be traced."""
        if "call_ns" not in self._machine:
            more: dict[str, Any] = {"cache_bytes": self._cache_bytes, "is_slow": self._is_slow}
            self._machine = queue_constants(self._empty, _calls(self.kernel(self._long_bytes)), **more)
        # another process checks that: calls of this one would take longer afterwards
        untraced = cupti.why_not()
        return {**self._machine, **({"untraced": untraced} if untraced else {})}

    def kernel(self, nbytes: int, session: Session | None = None) -> Bound:
        """Open a network of one kernel that reads and writes ``nbytes``, and call it twice.

        With the ``session`` of another such network, both share a stream of the device.
        """
        tensor = {"dtype": "float32", "shape": (nbytes // 4,)}
        benchmark = {"inputs": [{"name": "x", **tensor}], "outputs": [{"name": "y", **tensor}]}
        session = session or open_session(ABS, Path(), replace(self._settings, config=()))
        bound = Bound(session, benchmark, {"x": np.ones(nbytes // 4, np.float32)})
        bound.visit(2)
        return bound

    def times(self, prepared: Prepared, benchmark: Mapping[str, Any], *, captured: bool = False) -> dict[str, Any]:
        """Measure how long host and device take in a call of a benchmark that was called before.

        A ``captured`` network is launched at once, as one CUDA graph. Returns the entry ``queue`` of a result
        (``queue_times``).
        """
        measured = call_times(_calls(prepared.bound), self._empty, is_slow=self._is_slow)
        placement = dict(prepared.session.placement)
        provider = backend(self._settings).facts(self._settings)["providers"][0]
        kernels = placement.get(provider, 0 if placement else int(benchmark["layers"]))
        total_ns = measured.host.middle + measured.ending.middle
        if captured:  # replaying waits for the device, so enqueueing lasts as long as the call
            measured = CallTimes(host=TimeInterval(0.0, 0.0, 0.0), ending=measured.host)
        on_processor = sum(placement.values()) > kernels
        waits = on_processor and not captured and measured.host.middle >= _WAITING_SHARE * total_ns
        cold_ns = None
        if self._is_cold(benchmark):
            warm, cold = self.warm_and_cold(prepared.bound, prepared.bound.call, _COLD_ROUNDS)
            cold_ns = float(statistics.median(cold) - statistics.median(warm))
        return queue_times(measured, kernels=kernels, waits=waits, machine=self._machine, cold_ns=cold_ns)

    def _is_cold(self, benchmark: Mapping[str, Any]) -> bool:
        # Return whether a network takes longer with a cleared cache; whole networks clear it themselves
        return bool(self._cache_bytes and benchmark["weight_bytes"] and benchmark["role"] == "sequence")

    def warm_and_cold(self, bound: Bound, call: Callable[[], _Made], rounds: int) -> tuple[list[_Made], list[_Made]]:
        """Return what ``call`` returns with a warm and with a cleared cache; buffers are rewritten before each call."""
        if self._clearing is None:
            values = {"x": np.ones(_CLEARED * self._cache_bytes // 8, np.float32)}  # reads this much and writes as much
            self._clearing = bound_graph("abs", self._settings, values, values["x"].shape)
            self._toucher = Rewriter(self._settings)
        results = list[_Made](), list[_Made]()
        for number in range(2 * rounds):
            cold = bool(number % 2)
            if cold:
                self._clearing.call()
            for buffer in bound.places():
                self._toucher.rewrite_at(*buffer)
            results[cold].append(call())
        return results

    def traced(
        self, bound: Bound, benchmark: Mapping[str, Any], queue: Mapping[str, Any], tracer: Any
    ) -> dict[str, Any]:
        """Trace calls of a benchmark; return its entry ``queue`` with device times by kernels (``traced_times``)."""

        def window() -> tuple[int, int]:
            begin = time.perf_counter_ns()
            bound.call()
            return begin, time.perf_counter_ns()

        first_ns, windows = bound.call(), [list[tuple[int, int]](), list[tuple[int, int]]()]

        def act() -> None:
            rounds = 1 + (TRACED_CALLS if first_ns < SLOW_CALL_NS else FEWEST_TRACED)
            both = self.warm_and_cold(bound, window, rounds) if self._is_cold(benchmark) else None
            windows[:] = both or ([window() for _ in range(rounds)], [])

        _, (warm, cold) = _recorded(tracer, act, windows)
        return traced_times(queue, warm[1:], cold[1:], self._machine["kernel_gap_ns"])

    def traced_constants(self, tracer: Any) -> dict[str, int]:
        """Trace chains of kernels; return and store the kernel gap and the launch lag (``traced_constants``)."""
        bound = self.kernel(self._long_bytes)
        long, short = (chain(_calls(each)) for each in (bound, self.kernel(_SHORT_BYTES, bound.session)))
        windows = [list[tuple[int, int]]()]

        def act() -> None:
            for _ in range(1 + TRACED_CALLS):
                begin = time.perf_counter_ns()
                long.enqueue()
                short.call()
                windows[0].append((begin, time.perf_counter_ns()))

        activities, (chains,) = _recorded(tracer, act, windows)
        constants = traced_constants(activities, chains[1:])
        self._machine = {**self._machine, **constants}
        return constants


def _recorded(
    tracer: Any, act: Callable[[], None], windows: Sequence[Sequence[tuple[int, int]]]
) -> tuple[Sequence[Activity], list[list[list[Activity]]]]:
    # Record what `act` does, which fills the lists `windows`; return all activities, and the work of each window
    activities = tracer.record(act)
    if tracer.lost or tracer.clock is None:  # sums of kernels would be too small
        raise HarnessError(f"kernels are missing in the trace: {'; '.join(tracer.notes)}")
    offset = tracer.clock.perf_counter_offset_ns
    shifted = ([(begin - offset, end - offset) for begin, end in those] for those in windows)
    return activities, [work_of_calls(activities, those) for those in shifted]


def _calls(bound: Bound) -> QueuedCalls:
    return calls_of(bound.session, bound.binding, bound)
