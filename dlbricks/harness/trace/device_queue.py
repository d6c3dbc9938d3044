"""Measures the times of host and device in a call, and the device's launch queue.

A call takes R (call overhead) + h (the host enqueues kernels) + L (launch lag) + d (the device runs the kernels) + s
(synchronisation); an empty graph takes R + s. h is the duration of a call that does not wait for the device. To
measure d, calls of a network alternate with calls of several copies of it: their difference, divided by the number of
additional copies, has no call overhead. If the host is slower than the device, this is an upper bound of d, and traced
kernels give d (``traced_times``). On the CPU, which has no queue, host time and total time are equal.
"""

import itertools
import math
import statistics
import time
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
from ..model_file import copies, copy_name
from ..network import Bound, Prepared
from ..session import Session, SessionSettings, backend, open_session
from ..stats import median_interval
from .activities import Activity

# Number of copies in the longer network.
COPIES = 9
FEWEST_ROUNDS, MOST_ROUNDS = 5, 31
# Time of all rounds together, approximately.
ROUNDS_NS = 150_000_000
# Multiple of that time after which measuring ends, even if a neighbour shared the core in too many rounds.
_PATIENCE = 4
# Number of launches, and time, after which the queue counts as unlimited.
DEPTH_LAUNCHES, DEPTH_NS = 4096, 1_000_000_000
# The queue is full if enqueueing takes this many times its median (first number), this many times in a row (second).
_FULL_RATIO, _FULL_TIMES = 4, 4
# The device is slower than the host if a copy of a network takes longer than its enqueueing by more than this share.
_SLOWER_SHARE = 0.03
# Only a wait that exceeds the wait for an idle device by this share shows the time of the device.
_HIDDEN_SHARE = 0.1
# Bytes that each kernel of the long chain reads and writes, which takes tens of microseconds on the fastest device.
LONG_BYTES = 64 << 20
ABS = Path(__file__).parent.parent / "graphs" / "abs.onnx"
# Multiple of the L2 cache's size that is read and written to clear the cache.
_CLEARED = 4
# Number of pairs of a call with a warm cache and a call with a cleared cache.
_COLD_ROUNDS = 9
# If enqueueing takes at least this share of a call, nodes on the CPU wait for the device.
_WAITING_SHARE = 0.9
# Number of traced calls, of ``COPIES`` kernels each.
_CHAIN_CALLS = 5
# Kinds of activities that keep the device busy.
_BUSY = frozenset({"kernel", "memcpy", "memset"})


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
class Slopes:
    """Times that each further copy of a network adds to a call."""

    host: TimeInterval
    """Time to enqueue a further copy."""
    total: TimeInterval
    """Time that a further copy adds to a call."""
    alone: TimeInterval
    """Duration of a call of one copy, minus its enqueueing."""


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


def slopes(
    single: QueuedCalls,
    several: QueuedCalls,
    clock: Clock = time.perf_counter_ns,
    is_slow: Callable[[], bool] = bool,
) -> Slopes:
    """Measure the ``Slopes`` by alternating calls of ``single`` and of ``several``, which has ``COPIES`` copies."""

    def measure(number: int) -> tuple[float, ...]:
        host, total = {}, {}
        for calls in (single, several) if number % 2 else (several, single):
            host[id(calls)], total[id(calls)] = timed_twice(calls, clock)
        return (
            (host[id(several)] - host[id(single)]) / (COPIES - 1),
            (total[id(several)] - total[id(single)]) / (COPIES - 1),
            total[id(single)] - host[id(single)],
        )

    intervals = [_interval(values) for values in zip(*in_rounds(measure, clock, is_slow), strict=True)]
    return Slopes(host=intervals[0], total=intervals[1], alone=intervals[2])


def queue_times(
    measured: Slopes,
    *,
    kernels: int,
    waits: bool,
    machine: Mapping[str, int],
    cold_ns: float | None = None,
) -> dict[str, Any]:
    """Return the times of host and device of a benchmark: the entry ``queue`` in the result file.

    Args:
        measured: times that further copies add.
        kernels: number of kernels of one copy.
        waits: whether enqueueing waits for the device, since nodes on the CPU read its results.
        machine: what ``queue_constants`` returned.
        cold_ns: additional time of a call with a cleared cache; None if unknown.
    """
    host = measured.host
    if waits:
        host = TimeInterval(0.0, 0.0, 0.0)
        device = TimeInterval(*(max(0.0, value - machine["launch_lag_ns"]) for value in measured.total))
        return _entry(host, device, kernels, waits=True, cold_ns=None if cold_ns is None else device.middle + cold_ns)
    lag, least = machine["launch_lag_ns"], (1 + _HIDDEN_SHARE) * machine["synchronise_ns"]
    # the wait lasts from the launch of the last kernel to its end; synchronisation hides a shorter wait
    is_hidden = measured.alone.middle <= least
    ending = (lag + max(lag, least)) / 2 if is_hidden else measured.alone.middle
    device, half = measured.total, measured.total.half_width
    excess = measured.alone.middle + (COPIES - 1) * (measured.total.middle - host.middle)
    if is_hidden and excess > least:
        # a call of several copies shows the device's time nevertheless: the copies follow the first launch and the lag
        middle = (excess + COPIES * host.middle - lag - host.middle / max(1, kernels)) / COPIES
        device = TimeInterval(middle, min(device.low, middle - half), max(device.high, middle + half))
    if is_hidden:
        # the slope lacks the part that synchronisation hides
        device = device._replace(high=device.high + max(0.0, least - lag) / COPIES)
    if device.middle <= (1 + _SLOWER_SHARE) * host.middle:
        # the device waits for the host, so it takes at most as long, apart from the part that synchronisation hides;
        # as a guess, each kernel takes as long as the last one
        high = max(device.high, host.high) + max(0.0, least - lag) / (COPIES - 1)
        device = TimeInterval(min(max(0.0, max(1, kernels) * (ending - lag)), high), 0.0, high)
    cold_ns = None if cold_ns is None else device.middle + cold_ns
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


def queue_constants(
    empty: QueuedCalls,
    single: QueuedCalls,
    several: QueuedCalls,
    *,
    cache_bytes: int = 0,
    gap_ns: int = 0,
    clock: Clock = time.perf_counter_ns,
    is_slow: Callable[[], bool] = bool,
) -> dict[str, int]:
    """Measure a device's launch lag, synchronisation, kernel gap and queue depth: the entry ``queue`` of a result.

    ``empty`` calls a graph without kernels. ``single`` calls one kernel, which runs several times as long as the host
    takes to enqueue it; ``several`` calls ``COPIES`` such kernels. ``gap_ns`` is the time between kernels in a trace;
    without a trace, kernels' times include gaps. ``cache_bytes`` is the size of the device's L2 cache; 0 if unknown.
    """
    measured = in_rounds(lambda _: (*timed_twice(empty, clock), timed_twice(single, clock)[1]), clock, is_slow)
    kernel = slopes(single, several, clock, is_slow)
    enqueue, call, once = (_interval(values) for values in zip(*measured, strict=True))
    # a call of one copy takes R, its launch, L, and the device's time, whose first kernel has no gap before it
    lag = once.middle - enqueue.middle - kernel.host.middle - kernel.total.middle + gap_ns
    half = math.hypot(once.half_width, kernel.host.half_width, kernel.total.half_width, call.half_width)
    return {
        "call_ns": max(0, round(enqueue.middle)),
        "launch_lag_ns": max(0, round(lag)),
        "synchronise_ns": max(0, round(call.middle - enqueue.middle)),
        "kernel_gap_ns": gap_ns,
        "queue_depth": queue_depth(several, kernel, clock),
        "cache_bytes": cache_bytes,
        "half_width_ns": round(half),
    }


def queue_depth(several: QueuedCalls, kernel: Slopes, clock: Clock = time.perf_counter_ns) -> int:
    """Return how many kernel launches the device's queue holds before the host has to wait; 0 if it never waits."""
    usual, full = list[int](), list[float]()
    device_ns = max(1.0, kernel.total.middle * COPIES)
    begin = clock()
    for number in range(1, DEPTH_LAUNCHES // COPIES + 1):
        took = timed(several.enqueue, clock)
        # if the queue is full, enqueueing repeatedly takes as long as the device; other delays are disturbances
        slow = len(usual) > 2 and took > _FULL_RATIO * statistics.median(usual) and 0.5 < took / device_ns < 2
        full = [*full, (number - (clock() - begin) / device_ns) * COPIES] if slow else []
        if not slow:
            usual.append(took)
        if len(full) == _FULL_TIMES or clock() - begin > DEPTH_NS:
            break
    several.wait()
    depth = statistics.median(full) if len(full) == _FULL_TIMES else 0
    return round(depth) if depth > COPIES else 0


def traced_times(queue: Mapping[str, Any], busy_ns: Sequence[float], kernels: int, gap_ns: int) -> dict[str, Any]:
    """Replace the device times in ``queue`` by those of traced kernels; ``busy_ns`` has the busy time of each call."""
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


class DeviceQueue:
    """Measures how a device queues kernels, and the times of host and device; it allocates memory on first use."""

    def __init__(
        self,
        settings: SessionSettings,
        machine: Mapping[str, int] = MappingProxyType({"launch_lag_ns": 0, "synchronise_ns": 0}),
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

    def constants(self, gap_ns: int = 0) -> dict[str, int]:
        """Measure launch lag, synchronisation, gap and depth of the device's queue (``queue_constants``)."""
        idle = bound_graph("identity", self._settings, {"x": np.ones(1, np.float32)}, (1,), overwrites="x")
        idle.visit(2)
        more: dict[str, Any] = {"cache_bytes": self._cache_bytes, "gap_ns": gap_ns, "is_slow": self._is_slow}
        return queue_constants(_calls(idle), *self.chain(), **more)

    def kernel(self, nbytes: int) -> tuple[dict[str, Any], Prepared]:
        """Open a network of one kernel that reads and writes ``nbytes``, and call it twice."""
        tensor = {"dtype": "float32", "shape": (nbytes // 4,)}
        benchmark = {"inputs": [{"name": "x", **tensor}], "outputs": [{"name": "y", **tensor}]}
        session = open_session(ABS, Path(), replace(self._settings, config=()))
        bound = Bound(session, benchmark, {"x": np.ones(nbytes // 4, np.float32)})
        bound.visit(2)
        prepared = Prepared(session=session, bound=bound, load_ns=0)
        return {**benchmark, "optimization": self._settings.optimization, "layers": 1}, prepared

    def chain(self) -> tuple[QueuedCalls, QueuedCalls]:
        """Open a network of one long kernel, and a network of ``COPIES`` copies of it."""
        benchmark, prepared = self.kernel(self._long_bytes)
        several = _several(prepared, ABS.read_bytes(), benchmark, Path(), self._settings)
        if several is None:
            raise HarnessError("graphs/abs.onnx of the harness is damaged: restore the folder")
        return _calls(prepared.bound), several

    def times(self, prepared: Prepared, network: bytes, benchmark: Mapping[str, Any], weights: Path) -> dict[str, Any]:
        """Measure how long host and device take in a call of a benchmark that was called before.

        Returns the entry ``queue`` of a result (``queue_times``); empty if the network cannot be copied.
        """
        settings = replace(self._settings, optimization=benchmark["optimization"])
        several = _several(prepared, network, benchmark, weights, settings)
        if several is None:
            return {}
        measured = slopes(_calls(prepared.bound), several, is_slow=self._is_slow)
        del several  # frees its memory
        placement = dict(prepared.session.placement)
        provider = backend(settings).facts(settings)["providers"][0]
        kernels = placement.get(provider, 0 if placement else int(benchmark["layers"]))
        on_processor = sum(placement.values()) > kernels
        waits = on_processor and measured.host.middle >= _WAITING_SHARE * measured.total.middle
        cold_ns = None
        if self._cache_bytes:
            warm, cold = self.warm_and_cold(prepared.bound)
            cold_ns = float(statistics.median(cold) - statistics.median(warm))
        return queue_times(measured, kernels=kernels, waits=waits, machine=self._machine, cold_ns=cold_ns)

    def warm_and_cold(self, bound: Bound) -> tuple[list[int], list[int]]:
        """Return durations of calls with a warm and with a cleared cache, ns; buffers are rewritten before each."""
        if self._clearing is None:
            values = {"x": np.ones(_CLEARED * self._cache_bytes // 8, np.float32)}  # reads this much and writes as much
            self._clearing = bound_graph("abs", self._settings, values, values["x"].shape)
        toucher = Rewriter(self._settings)
        took: dict[bool, list[int]] = {True: [], False: []}
        for number in range(2 * _COLD_ROUNDS):
            cold = bool(number % 2)
            if cold:
                self._clearing.call()
            for buffer in bound.places():
                toucher.rewrite_at(*buffer)
            took[cold].append(bound.call())
        return took[False], took[True]

    def gap_ns(self, tracer: Any) -> int:
        """Trace chains of kernels; return the median gap between the end of a kernel and the start of the next, ns."""
        _, several = self.chain()
        return kernel_gap_ns(tracer.record(lambda: [several.call() for _ in range(_CHAIN_CALLS)]), COPIES)


def kernel_gap_ns(activities: Sequence[Activity], kernels: int) -> int:
    """Return the median gap between kernels of a call, ns; 0 unless each call has ``kernels`` kernels."""
    busy = [activity for activity in activities if activity.kind in _BUSY]
    if not busy or len(busy) % kernels:
        return 0
    chains = [busy[at : at + kernels] for at in range(0, len(busy), kernels)]
    pairs = [pair for chain in chains for pair in itertools.pairwise(chain)]
    return max(0, round(statistics.median(after.start_ns - before.end_ns for before, after in pairs))) if pairs else 0


def busy_times(activities: Sequence[Activity], calls: int) -> tuple[list[float], int]:
    """Return the busy time of the device in each call, ns, and the number of kernels, copies and memsets per call.

    If the number differs between calls, each call gets the mean time.
    """
    busy = [activity.duration_ns for activity in activities if activity.kind in _BUSY]
    count = round(len(busy) / calls)
    if count * calls != len(busy):
        return [sum(busy) / calls] * calls, count
    return [float(sum(busy[at : at + count])) for at in range(0, len(busy), count or 1)], count


def _calls(bound: Bound) -> QueuedCalls:
    return calls_of(bound.session, bound.binding, bound)


def _several(
    prepared: Prepared, network: bytes, benchmark: Mapping[str, Any], weights: Path, settings: SessionSettings
) -> QueuedCalls | None:
    # Open `COPIES` copies of a network, bound to its buffers, and call them twice; None if it cannot be copied
    longer = copies(network, COPIES)
    if longer is None:
        return None
    opened = open_session(longer, weights, settings, constants=prepared.session.constants)
    binding = opened.inference.io_binding()
    for number in range(COPIES):
        prepared.bound.bind_as(binding, benchmark, partial(copy_name, number=number))
    calls = calls_of(opened, binding, prepared.bound)
    calls.call()
    calls.call()
    return calls
