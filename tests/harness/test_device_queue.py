"""Copies of a network in one, and the queue measured through onnxruntime: on the processor, with any network."""

import json
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.call_timer import bound_graph
from dlbricks.harness.model_file import copies, copy_name
from dlbricks.harness.network import Prepared, prepare
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.schedule import BenchmarkState
from dlbricks.harness.session import SessionSettings, open_session
from dlbricks.harness.trace import device_queue, tracing
from dlbricks.harness.trace.activities import Activity
from dlbricks.harness.trace.device_queue import (
    DeviceQueue,
    QueuedCalls,
    Slopes,
    TimeInterval,
    busy_times,
    calls_of,
    kernel_gap_ns,
    queue_times,
)
from dlbricks.harness.values import ensure_weights
from tests.harness.fake_cupti import FakeCupti, fake_cupti, kernel
from tests.harness.small_suite import endless, unary
from tests.suite.suite_samples import ROOT

__all__ = ["fake_cupti"]
CUDA, CPU = "CUDAExecutionProvider", "CPUExecutionProvider"
GAP_NS = 7
SMOKE = ROOT / "suites" / "smoke"
SUITE = json.loads((SMOKE / "suite.json").read_text(encoding="utf-8"))
SEQUENCES = [one for one in SUITE["benchmarks"] if one["role"] == "sequence"]
SETTINGS = SessionSettings()


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


@pytest.mark.parametrize("benchmark", SEQUENCES, ids=lambda one: one["name"])
def test_every_copy_gives_the_answer_of_the_network(benchmark: dict[str, Any], weights: Path) -> None:
    """A network of three copies is a valid network, with three times the nodes; each copy answers as the original."""
    prepared, network = loaded(benchmark, weights)
    several = copies(network, 3)
    if several is None:
        assert any(
            attribute.HasField("g")
            for node in onnx.load_from_string(network).graph.node
            for attribute in node.attribute
        )
        return
    before, after = onnx.load_from_string(network), onnx.load_from_string(several)
    assert len(after.graph.node) == 3 * len(before.graph.node)
    assert len(after.graph.initializer) == len(before.graph.initializer)
    settings = replace(SETTINGS, optimization=benchmark["optimization"])
    session = open_session(several, weights, settings, constants=prepared.session.constants).inference
    wanted = prepared.bound.outputs()
    names = {one["name"]: one for one in benchmark["outputs"]}
    assert {one.name for one in session.get_outputs()} == {copy_name(name, k) for name in names for k in range(3)}
    if not benchmark["overwrites"]:
        kept = [values.copy() for values in wanted]
        for values in wanted:
            values[...] = 0
        binding = session.io_binding()
        for number in range(3):
            prepared.bound.bind_as(binding, benchmark, partial(copy_name, number=number))
        session.run_with_iobinding(binding)
        for values, before_values in zip(prepared.bound.outputs(), kept, strict=True):
            np.testing.assert_array_equal(values, before_values)


def test_what_holds_graphs_is_not_copied() -> None:
    """Graphs within nodes may read any tensor: such a network is left alone."""
    assert copies(endless(), 2) is None
    assert copies(unary("Relu", (4,)), 1) is not None


def test_copies_are_not_merged(weights: Path) -> None:
    """The runtime computes every copy: a call of nine takes several times as long as a call of one."""
    benchmark = max(SEQUENCES, key=lambda one: one["flops"] if "Loop" not in one["operators"] else 0)
    prepared, network = loaded(benchmark, weights)
    times = DeviceQueue(SETTINGS, cache_bytes=1 << 20, long_bytes=1 << 16).times(prepared, network, benchmark, weights)
    alone = min(prepared.bound.visit(20))
    assert times["device_high_ns"] > alone / 3
    assert times["host_high_ns"] > alone / 3  # on the processor enqueueing is computing
    assert times["kernels"] == benchmark["layers"]
    assert times["synchronises"] is False
    assert times["device_cold_ns"] >= times["device_ns"]
    assert times["host_low_ns"] <= times["host_ns"] <= times["host_high_ns"]


def test_constants_can_be_measured_anywhere() -> None:
    """On the processor there is no queue: it is never full, and waiting for it takes next to nothing."""
    found = DeviceQueue(SETTINGS, cache_bytes=123, long_bytes=1 << 16).constants()
    assert set(found) == {
        *("call_ns", "launch_lag_ns", "synchronise_ns", "kernel_gap_ns", "queue_depth", "cache_bytes"),
        "half_width_ns",
    }
    assert found["cache_bytes"] == 123
    assert found["call_ns"] > 0
    assert found["queue_depth"] == 0
    assert all(value >= 0 for value in found.values())


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
    assert [set(took) for took in queue.warm_and_cold(bound)] == [{400}, {700}]
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
    host, total, none = (TimeInterval(one, one, one) for one in (host_ns, 1000.0, 0.0))
    calls = QueuedCalls(enqueue=int, wait=int, call=int)
    found = Slopes(host=host, total=total, alone=none)
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: [CUDA, CPU])
    monkeypatch.setattr(device_queue, "slopes", lambda *_, **__: found)
    monkeypatch.setattr(device_queue, "_several", lambda *_: object())
    monkeypatch.setattr(device_queue, "_calls", lambda _: None)
    monkeypatch.setattr(DeviceQueue, "chain", lambda _: (calls, calls))
    queue = DeviceQueue(SessionSettings(provider="cuda"), cache_bytes=0)
    session = SimpleNamespace(placement=tuple(placement.items()))
    prepared: Any = SimpleNamespace(bound=None, session=session)
    made = queue.times(prepared, b"", {"optimization": "all", "layers": 3}, Path())
    assert made["synchronises"] is expected
    assert made["kernels"] == placement.get(CUDA, 0)
    assert made["host_ns"] == (0 if expected else host_ns)


def test_recorded_kernels_reach_the_device_times(
    fake_cupti: FakeCupti, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sums of two kernels a call, with the gap behind each, replace the device's time in the result's entry."""
    monkeypatch.setattr(tracing, "CALLS_NS", 0)
    lengths, begin = [(500, 300), (520, 300), (540, 300)], 10**12
    starts = range(begin, begin + 10**6, 2000)
    records = [
        kernel(at + 900 * second, at + 900 * second + length)
        for at, both in zip(starts, lengths, strict=False)
        for second, length in enumerate(both)
    ]
    fake_cupti.waiting = records
    taken = traced(weights)
    assert taken.trace["levels"] == "MLK"
    assert "failed" not in taken.trace
    assert "busy" not in taken.trace
    written = taken.entry()["queue"]
    assert (written["device_ns"], written["kernels"], written["host_ns"]) == (820 + 2 * GAP_NS, 2, 4000)
    assert written["device_low_ns"] <= 800 + 2 * GAP_NS
    assert written["device_high_ns"] >= 840 + 2 * GAP_NS


def test_a_sum_that_lacks_kernels_does_not_count(
    fake_cupti: FakeCupti, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where CUPTI dropped records, or some have no end, the device's time stays that of calls."""
    monkeypatch.setattr(tracing, "CALLS_NS", 0)
    begin = 10**12
    whole = [kernel(at, at + 800) for at in range(begin, begin + 6000, 2000)]
    for more, dropped, device_ns in (([], 0, 800 + GAP_NS), ([], 3, 4000), ([kernel(begin + 7000, 0)], 0, 4000)):
        fake_cupti.waiting, fake_cupti.dropped = [*whole, *more], dropped
        assert traced(weights).entry()["queue"]["device_ns"] == device_ns


def traced(weights: Path) -> BenchmarkState:
    """Trace a benchmark of the smoke suite in this process, with kernels; give what a run keeps of it."""

    def ask(_: object, request: dict[str, Any], __: int) -> dict[str, Any]:
        folder = Path(request["scratch"])
        levels, benchmark = request["levels"], request["benchmark"]
        return {"trace": tracing.take_trace(benchmark, SMOKE, weights, SETTINGS, 0, levels, scratch=folder)}

    worker = SimpleNamespace(alive=True, end=lambda: None)
    pool: Any = SimpleNamespace(ask=ask, start=lambda: worker)
    queue = {"kernel_gap_ns": GAP_NS}
    options = RunOptions(trace="MLK")
    clock = time.perf_counter_ns
    rounds = tracing.TraceRound(pool, options, clock, queue=queue, report=lambda _: None, save=lambda: None)
    machine = {"launch_lag_ns": 0, "synchronise_ns": 0}
    point = TimeInterval(4000.0, 4000.0, 4000.0)
    found = Slopes(host=point, total=point, alone=point)
    track = BenchmarkState(benchmark=SEQUENCES[0], status="ok", visits=[{"samples_ns": [1]}])
    track.queue = queue_times(found, kernels=1, waits=False, machine=machine)
    rounds.run([track], float("inf"))
    return track


def activity(start: int, end: int, kind: str = "kernel") -> Activity:
    """Give an activity of the device."""
    return Activity(kind=kind, name="one", start_ns=start, end_ns=end)


@given(
    calls=st.integers(1, 5),
    lengths=st.lists(st.integers(1, 100_000), min_size=1, max_size=9),
    gap=st.integers(0, 5_000),
    between=st.integers(0, 10**6),
)
def test_busy_time_and_gaps_come_from_kernels(calls: int, lengths: list[int], gap: int, between: int) -> None:
    """Times of a call are the sum of its kernels; a gap lies between two of a call, not between calls."""
    made, now = [activity(0, 10**9, "runtime")], 0
    for _ in range(calls):
        for length in lengths:
            made.append(activity(now, now + length))
            now += length + gap
        now += between
    assert busy_times(made, calls) == ([float(sum(lengths))] * calls, len(lengths))
    assert kernel_gap_ns(made, len(lengths)) == (gap if len(lengths) > 1 else 0)
    if calls > 1:
        assert (
            busy_times(made[:-1], calls)[0] == [(sum(lengths) * calls - lengths[-1]) / calls] * calls
            or len(lengths) == 1
        )
        assert kernel_gap_ns(made[:-1], len(lengths)) == 0 or len(lengths) == 1


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
