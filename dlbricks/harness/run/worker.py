"""The worker process, which loads, times and traces benchmarks on request.

It runs as ``python -m harness.run.worker``, reads a JSON request per line from standard input, writes a JSON reply per
line to standard output, and ends when standard input is closed.
"""

import json
import os
import signal
import statistics
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..cache_state import Step
from ..call_timer import CallTimer
from ..errors import HarnessError
from ..machine import EnergyCounter, GpuMonitor
from ..network import Bound, Prepared, prepare
from ..session import GRAPHS, SessionSettings, backend, runtime_errors, uses_graphs, with_graphs

# Roles whose times of host and device are measured.
_QUEUED_ROLES = frozenset({"sequence", "overhead", "nodes", "whole", "network"})
# Number of calls of a whole network as a CUDA graph, and of a slow one, and how long they may take together.
_CAPTURED_CALLS, _FEWEST_CAPTURED, _CAPTURED_NS = 30, 3, 3_000_000_000


def _device(settings: SessionSettings, machine: Mapping[str, int] | None) -> tuple[GpuMonitor | None, Any]:
    # Return the monitor and the `DeviceQueue` of an accelerator; None for both on the CPU. The queue is None as well
    # without ``harness/trace/``, which may be removed from a suite.
    device = backend(settings).device_number(settings)
    if device is None:
        return None, None
    monitor = GpuMonitor(device)
    try:
        from ..trace.device_queue import DeviceQueue
    except ImportError:
        return monitor, None
    # networks of the harness itself change their buffers between calls, which a CUDA graph does not allow
    plain = with_graphs(settings, on=False)
    return monitor, DeviceQueue(plain, machine) if machine else DeviceQueue(plain)


# Texts in errors of runtimes, which raise errors of their own instead of MemoryError.
_NO_MEMORY = ("bad_alloc", "Failed to allocate memory")


class _Sessions:
    def __init__(self, request: Mapping[str, Any], settings: SessionSettings) -> None:
        self.folder = Path(request["folder"])
        self.weights = Path(request["weights"])
        self.settings = settings
        self.seed = int(request["seed"])
        self.bound: dict[str, Bound] = {}
        backend(self.settings).prepare(self.settings)
        self.monitor, self.queue = _device(self.settings, request.get("queue"))
        plain = with_graphs(self.settings, on=False)
        self.timer = CallTimer(plain, self.monitor.clock_mhz) if self.monitor else CallTimer(plain)
        self.energy = EnergyCounter(backend(self.settings).device_number(self.settings))
        self.tracer: Any = None

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        # Process one request.
        if request["op"] == "load":
            return self._load(request["benchmark"], queued=request.get("queued", False))
        if request["op"] == "trace":
            return {"trace": self._trace(request)}
        if request["op"] == "queue":
            return {"queue": self.queue.constants() if self.queue is not None else {}}
        if request["op"] == "graph":
            return {"queue": {"graph_ns": self._graph_ns(request["benchmark"])}}
        if request["op"] == "kernels":
            return {"queue": self._kernels(request)}
        steps = [Step(**step) for step in request["steps"]]
        return {"taken": [self._take(request, step, request["same_code"]) for step in steps]}

    def _take(self, request: Mapping[str, Any], step: Step, other: str | None) -> dict[str, Any]:
        start = time.perf_counter_ns()
        if request.get("power"):
            self._keep_clock()  # else that would be energy of the visit
        before = self.energy.now() if request.get("power") else None
        taken = self.timer.take(self.bound[request["fingerprint"]], step, self.bound[other] if other else None)
        spent = time.perf_counter_ns() - start
        return {
            "samples_ns": taken.samples_ns,
            "disturbed": taken.disturbed,
            "thrown": taken.thrown,
            "empty_ns": taken.empty_ns,
            "clock_mhz": statistics.median_low(taken.clocks_mhz) if taken.clocks_mhz else None,
            "power_mw": self.energy.power_mw(before) if before else None,
            "before_ns": spent - sum(taken.samples_ns),
            "spent_ns": spent,
        }

    def _load(self, benchmark: Mapping[str, Any], *, queued: bool) -> dict[str, Any]:
        # `queued` means that times of host and device were measured before
        start = time.perf_counter_ns()
        prepared = prepare(benchmark, self.folder, self.weights, self.settings, self.seed)
        warmup_ns = prepared.bound.visit(1)
        digests = prepared.bound.output_digests()  # before the next call, which may read what this one wrote
        warmup_ns += prepared.bound.warm_up_again(warmup_ns[0], layers=benchmark["layers"])
        self.bound[benchmark["fingerprint"]] = prepared.bound
        measured = self.queue is not None and benchmark["role"] in _QUEUED_ROLES and not queued
        queue = self._queue_times(prepared, benchmark) if measured else {}
        return {
            "load_ns": prepared.load_ns,
            "warmup_ns": warmup_ns,
            "output_digests": digests,
            "placement": dict(prepared.session.placement),
            **queue,
            "wall_ns": time.perf_counter_ns() - start,
        }

    def _kernels(self, request: Mapping[str, Any]) -> dict[str, Any]:
        # Trace kernels of a benchmark, or of a chain that shows the device's constants. Later calls of this process
        # take longer than before, so that nothing is timed afterwards.
        from ..trace.cupti import ActivityTracer

        self.tracer = self.tracer or ActivityTracer()
        self._keep_clock()
        if "benchmark" not in request:
            return dict(self.queue.traced_constants(self.tracer))
        benchmark = request["benchmark"]
        if benchmark["fingerprint"] not in self.bound:  # this worker replaces another
            self._load(benchmark, queued=True)
        return dict(self.queue.traced(self.bound[benchmark["fingerprint"]], benchmark, request["queue"], self.tracer))

    def _keep_clock(self) -> None:
        if self.timer.keeper is not None:
            self.timer.keeper.keep()
            self.timer.keeper.was_busy()

    def _graph_ns(self, benchmark: Mapping[str, Any]) -> int | None:
        # Time a whole network that is launched as one CUDA graph; None if sessions have no other way, or not this one
        settings = with_graphs(self.settings, on=True)
        if uses_graphs(self.settings) or GRAPHS not in backend(settings).facts(self.settings)["provider_options"]:
            return None
        bound = prepare(benchmark, self.folder, self.weights, settings, self.seed).bound
        bound.warm_up()
        self._keep_clock()
        calls = max(_FEWEST_CAPTURED, min(_CAPTURED_CALLS, _CAPTURED_NS // max(1, bound.call())))
        return round(statistics.median(bound.visit(calls)))

    def _queue_times(self, prepared: Prepared, benchmark: Mapping[str, Any]) -> dict[str, Any]:
        # Measure times of host and device; a failure is reported, and the latency is measured all the same
        captured = uses_graphs(self.settings)
        try:
            return {"queue": self.queue.times(prepared, benchmark, captured=captured)}
        except runtime_errors(self.settings) as error:
            return {"queue_failed": f"cannot measure times of host and device: {self.reason(error)}"}

    def _trace(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from ..trace.tracing import take_trace

        levels, scratch = request["levels"], Path(request["scratch"])
        return take_trace(
            request["benchmark"], self.folder, self.weights, self.settings, self.seed, levels, scratch=scratch
        )

    def is_broken(self) -> bool:
        """Return whether no later call of this process on the device can succeed, as after some errors of CUDA."""
        try:
            if self.timer.keeper is not None:
                self.timer.keeper.bound.call()
        except runtime_errors(self.settings):
            return True
        return False

    def reason(self, error: Exception) -> str:
        # Return the message of an error in one line, without the paths of the folders.
        text = " ".join(str(error).split()) or type(error).__name__
        for path in (self.folder, self.weights):
            text = text.replace(f"{path}{os.sep}", "").replace(str(path), ".")
        if is_out_of_memory(error):
            text = f"out of memory: {text}"
        return text if len(text) <= 400 else text[:397] + "..."


def first_request(settings: SessionSettings, folder: Path, weights: Path, seed: int) -> dict[str, Any]:
    """Return the first request to a worker: session settings, folders and seed."""
    return {
        "settings": asdict(settings),
        "folder": str(folder.absolute()),
        "weights": str(weights.absolute()),
        "seed": seed,
    }


def settings_of(fields: Mapping[str, Any]) -> SessionSettings:
    """Return the session settings in a request."""
    pairs = {key: tuple(map(tuple, fields[key])) for key in ("provider_options", "config", "options")}
    return SessionSettings(**{**fields, **pairs})


def is_out_of_memory(error: Exception) -> bool:
    """Return whether an error means that memory was exhausted."""
    return isinstance(error, MemoryError) or any(words in str(error) for words in _NO_MEMORY)


def main() -> None:
    """Process requests from standard input until it is closed; write replies to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sessions: _Sessions | None = None
    errors: tuple[type[Exception], ...] = (HarnessError,)
    for line in sys.stdin:
        request = json.loads(line)
        reply: dict[str, Any]
        try:
            if sessions is None:
                settings = settings_of(request["settings"])
                errors = runtime_errors(settings)
                sessions = _Sessions(request, settings)
                reply = {}
            else:
                reply = sessions.answer(request)
        except errors as error:
            reply = {"error": sessions.reason(error) if sessions else str(error)}
            if sessions is None and isinstance(error, HarnessError):
                reply["exit_code"] = error.exit_code
            if sessions is not None and sessions.is_broken():  # others need a new process, as after a crash
                sys.stderr.write(f"{reply['error']}\n")
                sys.stderr.flush()
                os._exit(1)
        answers.write(json.dumps(reply, allow_nan=False) + "\n")
        answers.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
