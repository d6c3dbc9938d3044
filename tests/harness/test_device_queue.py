"""Copies of a network in one, and the queue measured through onnxruntime: on the processor, with any network."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.network import Prepared, copy_name, prepare
from dlbricks.harness.session import SessionSettings, open_session
from dlbricks.harness.trace.activities import Activity
from dlbricks.harness.trace.copies import copies
from dlbricks.harness.trace.device_queue import DeviceQueue, busy_times, kernel_gap_ns
from dlbricks.harness.values import ensure_weights
from tests.harness.small_suite import endless, unary
from tests.suite.suite_samples import ROOT

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
    settings = SETTINGS.with_optimization(benchmark["optimization"])
    session = open_session(several, weights, settings, constants=prepared.session.constants).inference
    wanted = prepared.bound.outputs()
    names = {one["name"]: one for one in benchmark["outputs"]}
    assert {one.name for one in session.get_outputs()} == {copy_name(name, k) for name in names for k in range(3)}
    if not benchmark["overwrites"]:
        kept = [values.copy() for values in wanted]
        for values in wanted:
            values[...] = 0
        binding = prepared.bound.binding_of_copies(session, benchmark, 3)
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
    times = DeviceQueue(SETTINGS, cache_bytes=1 << 20).times(prepared, network, benchmark, weights)
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
