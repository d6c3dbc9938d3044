"""Measures the launch queue of a device through onnxruntime: constants of the machine, and times of each benchmark.

It also runs on the CPU, which has no queue: host time and total time are then equal.
"""

import itertools
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from ..call_timer import Rewriter, bound_graph, slowness
from ..errors import HarnessError
from ..machine.gpu import l2_bytes
from ..model_file import copies, copy_name
from ..network import Bound, Prepared
from ..runtimes.onnxruntime import provider_name
from ..session import Session, SessionSettings, device_number, open_session
from .activities import Activity
from .queue_times import (
    COPIES,
    Chain,
    QueuedCalls,
    calls_of,
    queue_constants,
    queue_times,
    slopes,
)

# Bytes read and written by each kernel of the long chain: tens of microseconds on the fastest device.
LONG_BYTES = 64 << 20
ABS = Path(__file__).parent.parent / "graphs" / "abs.onnx"
# Multiple of the L2 cache that is read and written to clear it.
_CLEARED = 4
# Pairs of a call with a warm and one with a cleared cache.
_COLD_ROUNDS = 9
# Enqueueing takes at least this share of a call if nodes on the CPU wait for the device.
_WAITING_SHARE = 0.9
# Of ``COPIES`` kernels each.
_CHAIN_CALLS = 5
# Activities that keep the device busy.
_BUSY = frozenset({"kernel", "memcpy", "memset"})


class DeviceQueue:
    """Measures queue constants and times; memory is allocated when it is first needed."""

    def __init__(
        self,
        settings: SessionSettings,
        machine: Mapping[str, int] = MappingProxyType({"launch_lag_ns": 0, "synchronise_ns": 0}),
        *,
        cache_bytes: int | None = None,
        long_bytes: int = LONG_BYTES,
    ) -> None:
        """Prepare; ``machine`` holds the constants of the queue once they are measured."""
        self._long_bytes = long_bytes
        self._settings, self._machine = settings, machine
        self._is_slow = slowness(settings)
        device = device_number(settings)
        if cache_bytes is None and device is not None:
            cache_bytes = l2_bytes(device)
        self._cache_bytes = cache_bytes or 0
        self._clearing: Bound | None = None

    def constants(self, gap_ns: int = 0) -> dict[str, int]:
        """Measure the constants of the queue (``queue_times.queue_constants``)."""
        buffer = {"x": np.ones(1, np.float32)}
        idle = bound_graph("identity", self._settings, buffer, (1,), overwrites="x")
        idle.visit(2)
        return queue_constants(
            _calls(idle),
            self.chain(),
            cache_bytes=self._cache_bytes,
            gap_ns=gap_ns,
            is_slow=self._is_slow,
        )

    def kernel(self, nbytes: int) -> tuple[dict[str, Any], Prepared]:
        """Open a network of one kernel that reads and writes ``nbytes``, and call it twice."""
        tensor = {"dtype": "float32", "shape": (nbytes // 4,)}
        benchmark = {"inputs": [{"name": "x", **tensor}], "outputs": [{"name": "y", **tensor}]}
        session = open_session(ABS, Path(), replace(self._settings, config=()))
        bound = Bound(session, benchmark, {"x": np.ones(nbytes // 4, np.float32)})
        bound.visit(2)
        prepared = Prepared(session=session, bound=bound, load_ns=0)
        return {**benchmark, "optimization": self._settings.optimization, "layers": 1}, prepared

    def chain(self) -> Chain:
        """Open a network of one long kernel, and one of ``COPIES`` copies."""
        benchmark, prepared = self.kernel(self._long_bytes)
        several = _several(prepared.bound, ABS.read_bytes(), benchmark, Path(), self._settings)
        if several is None:
            raise HarnessError("graphs/abs.onnx of the harness is damaged")
        return Chain(_calls(prepared.bound), several, COPIES, 1)

    def times(self, prepared: Prepared, network: bytes, benchmark: Mapping[str, Any], weights: Path) -> dict[str, Any]:
        """Measure the times of host and device of a benchmark that was called before.

        Returns the entry ``queue`` of a result (``queue_times.queue_times``); empty if the network cannot be copied.
        """
        settings = self._settings.with_optimization(benchmark["optimization"])
        several = _several(prepared.bound, network, benchmark, weights, settings, prepared.session)
        if several is None:
            return {}
        measured = slopes(_calls(prepared.bound), several, COPIES, is_slow=self._is_slow)
        del several  # frees its memory
        placement = dict(prepared.session.placement)
        kernels = placement.get(provider_name(settings.provider), 0 if placement else int(benchmark["layers"]))
        on_processor = sum(placement.values()) > kernels
        waits = on_processor and measured.host.middle >= _WAITING_SHARE * measured.total.middle
        cold_ns = self.cold_ns(prepared.bound) if self._cache_bytes else None
        return queue_times(measured, kernels=kernels, waits=waits, machine=self._machine, cold_ns=cold_ns)

    def cold_ns(self, bound: Bound) -> float:
        """Return the additional time of a call after the cache was cleared, ns."""
        warm, cold = (statistics.median(took) for took in self.warm_and_cold(bound))
        return cold - warm

    def warm_and_cold(self, bound: Bound) -> tuple[list[int], list[int]]:
        """Time alternating calls with warm and with cleared cache; inputs and outputs are rewritten before each."""
        if self._clearing is None:
            values = {"x": np.ones(_CLEARED * self._cache_bytes // 8, np.float32)}  # read, and as much written
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
        """Trace chains of kernels; return the median time between the end of one and the start of the next, ns."""
        chain = self.chain()
        tracer.start()
        try:
            for _ in range(_CHAIN_CALLS):
                chain.several.call()
        finally:
            activities = tracer.stop()
        return kernel_gap_ns(activities, COPIES)


def kernel_gap_ns(activities: Sequence[Activity], kernels: int) -> int:
    """Return the median gap between the ``kernels`` of a call, ns; 0 if calls have another number of kernels."""
    busy = [activity for activity in activities if activity.kind in _BUSY]
    if not busy or len(busy) % kernels:
        return 0
    chains = [busy[at : at + kernels] for at in range(0, len(busy), kernels)]
    pairs = [pair for chain in chains for pair in itertools.pairwise(chain)]
    return max(0, round(statistics.median(after.start_ns - before.end_ns for before, after in pairs))) if pairs else 0


def busy_times(activities: Sequence[Activity], calls: int) -> tuple[list[float], int]:
    """Return the time that the device was busy in each call, ns, and the number of kernels, copies and memsets of one.

    If their number differs between calls, each call gets the mean time.
    """
    busy = [activity.duration_ns for activity in activities if activity.kind in _BUSY]
    count = round(len(busy) / calls)
    if count * calls != len(busy):
        return [sum(busy) / calls] * calls, count
    return [float(sum(busy[at : at + count])) for at in range(0, len(busy), count or 1)], count


def _calls(bound: Bound) -> QueuedCalls:
    return calls_of(bound.inference, bound.binding, bound)


def _several(
    bound: Bound,
    network: bytes,
    benchmark: Mapping[str, Any],
    weights: Path,
    settings: SessionSettings,
    session: Session | None = None,
) -> QueuedCalls | None:
    """Open a network of ``COPIES`` copies and call it twice; return None if the network cannot be copied."""
    longer = copies(network, COPIES)
    if longer is None:
        return None
    opened = open_session(longer, weights, settings, constants=session.constants if session else ())
    return _called(opened, _binding(opened, bound, benchmark, COPIES), bound)


def _binding(opened: Session, bound: Bound, benchmark: Mapping[str, Any], count: int) -> Any:
    """Bind the inputs and outputs of ``count`` copies to the buffers of the network."""
    binding = opened.inference.io_binding()
    for number in range(count):
        bound.bind_as(binding, benchmark, partial(copy_name, number=number))
    return binding


def _called(opened: Session, binding: Any, holds: object) -> QueuedCalls:
    """Call a bound session twice; return the ways to call it."""
    calls = calls_of(opened.inference, binding, holds)
    calls.call()
    calls.call()
    return calls
