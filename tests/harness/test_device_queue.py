"""Kernels of calls, and the queue measured through onnxruntime: on the processor, with any network."""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.call_timer import bound_graph
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.network import Bound, Prepared, prepare
from dlbricks.harness.session import SessionSettings
from dlbricks.harness.trace import device_queue
from dlbricks.harness.trace.activities import Activity
from dlbricks.harness.trace.cupti import ActivityClock
from dlbricks.harness.trace.device_queue import CallTimes, DeviceQueue, TimeInterval, calls_of, work_of_calls
from dlbricks.harness.values import ensure_weights
from tests.suite.suite_samples import ROOT

CUDA, CPU = "CUDAExecutionProvider", "CPUExecutionProvider"
GAP_NS = 7
SMOKE = ROOT / "suites" / "smoke"
SUITE = json.loads((SMOKE / "suite.json").read_text(encoding="utf-8"))
SEQUENCES = [one for one in SUITE["benchmarks"] if one["role"] == "sequence"]
SETTINGS = SessionSettings()
MACHINE = {"launch_lag_ns": 0, "synchronise_ns": 0, "kernel_gap_ns": GAP_NS}


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the weights of the smoke suite."""
    folder = tmp_path_factory.mktemp("weights")
    ensure_weights(folder, SUITE["weights"], int(SUITE["seed"]))
    return folder


def loaded(benchmark: dict[str, Any], weights: Path) -> tuple[Prepared, bytes]:
    """Open a benchmark of the smoke suite and call it."""
    prepared = prepare(benchmark, SMOKE, weights, SETTINGS, int(SUITE["seed"]))
    prepared.bound.visit(2)
    return prepared, (SMOKE / benchmark["network"]).read_bytes()


def test_calls_tell_host_and_device_apart_on_the_processor(weights: Path) -> None:
    """Enqueueing is computing there: the host takes as long as a call, and the device hardly anything."""
    benchmark = max(SEQUENCES, key=lambda one: one["flops"] if "Loop" not in one["operators"] else 0)
    prepared, _ = loaded(benchmark, weights)
    queue = DeviceQueue(SETTINGS, cache_bytes=1 << 20, long_bytes=1 << 16)
    queue.constants()
    times = queue.times(prepared, benchmark)
    alone = min(prepared.bound.visit(20))
    assert times["host_high_ns"] > alone / 3
    assert times["kernels"] == benchmark["layers"]
    assert times["synchronises"] is False
    assert "traced" not in times
    assert ("device_cold_ns" in times) == bool(benchmark["weight_bytes"])
    assert times["host_low_ns"] <= times["host_ns"] <= times["host_high_ns"]
    captured = queue.times(prepared, benchmark, captured=True)
    assert captured["host_high_ns"] == 0
    assert captured["device_high_ns"] > alone / 3


def test_constants_can_be_measured_anywhere() -> None:
    """On the processor there is no queue: it is never full, and waiting for it takes next to nothing."""
    found = DeviceQueue(SETTINGS, cache_bytes=123, long_bytes=1 << 16).constants()
    assert set(found) == {
        *("call_ns", "launch_lag_ns", "synchronise_ns", "kernel_gap_ns", "queue_depth", "cache_bytes"),
        *("half_width_ns", "untraced"),
    }
    assert found["cache_bytes"] == 123
    assert found["call_ns"] > 0
    assert found["queue_depth"] == 0
    assert found.pop("untraced").startswith("kernels cannot be traced: ")
    assert all(value >= 0 for value in found.values())
    earlier = {**found, "call_ns": 17}
    assert DeviceQueue(SETTINGS, earlier).constants().items() >= earlier.items()


def test_a_cold_call_comes_after_the_flush_and_the_touch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache is cleared, then inputs and outputs are touched, then the call is timed; warm ones are not cleared."""
    acts: list[str] = []

    class Toucher:
        def __init__(self, _: SessionSettings) -> None:
            """Open nothing."""

        def rewrite_at(self, device: str, _: int, place: int, __: int) -> None:
            acts.append(f"touch {device} {place}")

    def call() -> int:
        acts.append("call")
        return 700 if "clear" in acts[-4:] else 400

    monkeypatch.setattr(device_queue, "Rewriter", Toucher)
    queue = DeviceQueue(SETTINGS, cache_bytes=1 << 20)
    cleared = SimpleNamespace(call=lambda: acts.append("clear"))
    monkeypatch.setattr(device_queue, "bound_graph", lambda *_, **__: cleared)
    bound: Any = SimpleNamespace(places=lambda: [("cuda", 0, 8, 64), ("cpu", 0, 16, 8)], call=call)
    assert [set(took) for took in queue.warm_and_cold(bound, call, 5)] == [{400}, {700}]
    warm = ["touch cuda 8", "touch cpu 16", "call"]
    assert acts == [*warm, "clear", *warm] * (len(acts) // 7)
    assert acts.count("clear") >= 5


@pytest.mark.parametrize(
    ("placement", "host_ns", "expected"),
    [
        ({CUDA: 2, CPU: 1}, 950.0, True),
        ({CUDA: 2, CPU: 1}, 800.0, False),
        ({CUDA: 3}, 950.0, False),
        ({CPU: 3}, 950.0, True),
    ],
)
def test_waiting_for_the_device_is_told(
    placement: dict[str, int], host_ns: float, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nodes on the processor, and enqueueing that takes about as long as the call, mean that the host waits."""
    host, ending = (TimeInterval(one, one, one) for one in (host_ns, 1000.0 - host_ns))
    found = CallTimes(host=host, ending=ending)
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: [CUDA, CPU])
    monkeypatch.setattr(device_queue, "call_times", lambda *_, **__: found)
    monkeypatch.setattr(device_queue, "_calls", lambda _: None)
    monkeypatch.setattr(DeviceQueue, "_empty", None)
    queue = DeviceQueue(SessionSettings(provider="cuda"), cache_bytes=0)
    session = SimpleNamespace(placement=tuple(placement.items()))
    prepared: Any = SimpleNamespace(bound=None, session=session)
    made = queue.times(prepared, {"layers": 3, "role": "sequence", "weight_bytes": 0})
    assert made["synchronises"] is expected
    assert made["kernels"] == placement.get(CUDA, 0)
    assert made["host_ns"] == (0 if expected else host_ns)


class Recorder:
    """A CUPTI that tells of so many kernels in each call, which take 800 ns and 40 ns more from call to call."""

    lost, notes = 0, ("CUPTI dropped records (3)",)
    clock = ActivityClock(perf_counter_offset_ns=5 * 10**9, unix_offset_ns=0, uncertainty_ns=0)

    def __init__(self, monkeypatch: pytest.MonkeyPatch, kernels: int = 2) -> None:
        """Watch all calls of networks."""
        self.kernels, self.found, self.call = kernels, list[Activity](), Bound.call

        def call(bound: Bound) -> int:
            return self.recorded(bound)

        monkeypatch.setattr(Bound, "call", call)

    def recorded(self, bound: Bound) -> int:
        """Call, and make the kernels of the call."""
        begin = time.perf_counter_ns() - self.clock.perf_counter_offset_ns
        took = self.call(bound)
        length = 800 + 40 * (len(self.found) // self.kernels)
        for number in range(self.kernels):
            launched = begin + number
            self.found.append(replace(activity(launched, launched + 1, "runtime"), correlation=len(self.found)))
            # by its own clock the kernel runs after the call
            done = replace(activity(begin + 10**8, begin + 10**8 + length), correlation=len(self.found) - 1)
            self.found.append(done)
        return took

    def record(self, act: Callable[[], object]) -> tuple[Activity, ...]:
        """Do it and tell."""
        self.found = []
        act()
        return tuple(self.found)


def test_recorded_kernels_reach_the_device_times(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of two kernels a call, with the gap behind each, replace the device's time; the first call is left out."""
    (benchmark,) = (one for one in SEQUENCES if one["name"] == "Softmax_MatMul")
    prepared, _ = loaded(benchmark, weights)
    queue = DeviceQueue(SETTINGS, MACHINE, cache_bytes=1 << 20)
    before = queue.times(prepared, benchmark)
    recorder = Recorder(monkeypatch)
    written = queue.traced(prepared.bound, benchmark, before, recorder)
    assert (written["kernels"], written["traced"], written["host_ns"]) == (2, 5, before["host_ns"])
    # calls 1 to 5 of 0 to 5, with two records for each kernel
    busy = [2 * (800 + 40 * 2 * number + GAP_NS) for number in range(1, 6)]
    assert written["device_ns"] == busy[2]
    assert written["device_low_ns"] <= busy[1] < busy[3] <= written["device_high_ns"]
    recorder.lost = 3
    with pytest.raises(HarnessError, match="kernels are missing in the trace: CUPTI dropped records"):
        queue.traced(prepared.bound, benchmark, before, recorder)


def test_cold_kernels_are_those_behind_a_cleared_cache(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What clears the cache and rewrites buffers is recorded, too, and is no part of either time."""
    benchmark = next(one for one in SEQUENCES if one["weight_bytes"] and one["name"] == "MatMul_Add")
    prepared, _ = loaded(benchmark, weights)
    queue = DeviceQueue(SETTINGS, MACHINE, cache_bytes=1 << 20)
    before = queue.times(prepared, benchmark)
    assert queue._clearing is not None
    written = queue.traced(prepared.bound, benchmark, before, Recorder(monkeypatch, 1))
    # each third call is the one that clears: numbers 0, 2, 3, 5, 6 ...
    assert (written["kernels"], written["traced"]) == (1, 5)
    assert written["device_cold_ns"] - written["device_ns"] == 2 * 2 * 40


def activity(start: int, end: int, kind: str = "kernel") -> Activity:
    """Give an activity of the device."""
    return Activity(kind=kind, name="one", start_ns=start, end_ns=end)


@given(
    lengths=st.lists(st.lists(st.integers(1, 100_000), max_size=9), min_size=1, max_size=5),
    gap=st.integers(0, 5_000),
    between=st.integers(10, 10**6),
)
def test_work_belongs_to_the_call_that_launched_it(lengths: list[list[int]], gap: int, between: int) -> None:
    """Wherever the device runs it; without a record of the launch it counts by its own start."""
    made, windows, now = list[Activity](), list[tuple[int, int]](), 0
    for number, call in enumerate(lengths):
        begin = now
        for length in call:
            if number % 2:
                made.append(replace(activity(begin, begin + 1, "runtime"), correlation=len(made)))
                made.append(replace(activity(10**12, 10**12 + length), correlation=len(made) - 1))
            else:
                made.append(activity(now, now + length))
            now += length + gap
        windows.append((begin, now))
        now += between
    stray = activity(now, now + 5)
    found = work_of_calls([*made, stray], windows)
    assert [[one.duration_ns for one in call] for call in found] == lengths


def test_a_call_that_does_not_wait_ends_in_no_exception_inside() -> None:
    """onnxruntime reads an option of each such call; if it is not set, that is an exception, and takes 40 us."""
    bound = bound_graph("abs", SETTINGS, {"x": np.ones(4, np.float32)}, (4,))
    calls, raised = calls_of(bound.session, bound.binding, bound), list[str]()

    def notice(frame: FrameType, event: str, _: object) -> Any:
        if event == "exception":
            raised.append(frame.f_code.co_name)
        return notice

    sys.settrace(notice)
    try:
        calls.enqueue()
    finally:
        sys.settrace(None)
    assert raised == []
