"""What the calls of a run say of a machine: its caches, its drift, what a call costs."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_runs import read_runs
from rules import LEFT_OUT
from scipy.optimize import isotonic_regression

from dlbricks.harness.cache_state import LLC_WARM, READ_AFTER_WRITE, READ_IN_TURN, WEIGHTS_COLD, WRITTEN_IN_TURN
from dlbricks.store.rules import arrange
from dlbricks.store.submission import RULES
from dlbricks.store.summary import _without_node, anchor_drift, ascending, caches_of, levels, measurements
from dlbricks.store.types import CallOverheads
from tests.store.made_up_run import CURVE, document

DATA = Path(__file__).parents[1] / "data"


def run_of(calls: Mapping[int, list[int]]) -> dict[str, Any]:
    """Make as much of a result as the curve looks at: calls of its benchmark by reuse distance."""
    visits = [
        {"start_ns": 0, "state": "weights_cold", "distance_bytes": distance, "samples_ns": [sample]}
        for distance, samples in calls.items()
        for sample in samples
    ]
    return {
        "benchmarks": [{"role": "curve", "status": "ok", "visits": visits}],
        "suite": {"manifest": {"benchmarks": []}},
    }


def miss_curve(run: Mapping[str, Any]) -> tuple[tuple[int, float], ...]:
    """Return the curve of a run as it was measured; constants count as farther back, since they were used twice."""
    return caches_of(run).written


def brought_in(run: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """Give what others bring in during a run."""
    return caches_of(run).brought_in


_CALLS = st.dictionaries(
    st.integers(1, 2**30), st.lists(st.integers(1, 10**6), min_size=1, max_size=5), min_size=2, max_size=12
)


@given(_CALLS)
def test_a_curve_never_falls_and_stays_between_0_and_1(calls: dict[int, list[int]]) -> None:
    """Whatever was measured, shares rise with the distance from 0 to 1, one for each distance, or nothing is known."""
    found = miss_curve(run_of(calls))
    shares = [share for _, share in found]
    assert [distance for distance, _ in found] in ([], sorted(calls))
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)


@given(_CALLS, st.integers(2, 9))
def test_a_curve_knows_no_unit(calls: dict[int, list[int]], factor: int) -> None:
    """A machine that takes a whole number of times as long everywhere has the same curve."""
    first = {distance: samples[:1] for distance, samples in calls.items()}
    slower = {distance: [sample * factor for sample in samples] for distance, samples in first.items()}
    before, after = miss_curve(run_of(first)), miss_curve(run_of(slower))
    assert [distance for distance, _ in before] == [distance for distance, _ in after]
    assert [share for _, share in before] == pytest.approx([share for _, share in after])


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 1000)), min_size=1, max_size=30))
def test_levelling_is_isotonic_regression(weighted: list[tuple[int, int]]) -> None:
    """What scipy makes of values and their weights, but for rounding."""
    values, weights = zip(*weighted, strict=True)
    assert ascending(weighted) == pytest.approx(list(isotonic_regression(values, weights=weights).x))


def test_slow_calls_are_bounded() -> None:
    """A single slow call at a distance moves little; calls in the order of time or not, the curve is the same."""
    calls = {1: [10, 10, 10], 2: [15, 900, 15], 4: [20, 20, 20]}
    assert dict(miss_curve(run_of(calls)))[2] < 0.65
    assert miss_curve(run_of(calls)) == miss_curve(run_of(dict(reversed(calls.items()))))


def test_a_dent_is_levelled() -> None:
    """Where latencies fall, the curve is flat at their mean."""
    assert miss_curve(run_of({1: [0], 2: [60], 4: [40], 8: [100]})) == ((1, 0.0), (2, 0.5), (4, 0.5), (8, 1.0))


@pytest.mark.parametrize("calls", [{}, {5: [10, 11]}, {1: [10], 2: [10]}, {1: [20], 2: [10]}])
def test_too_little_is_no_curve(calls: dict[int, list[int]]) -> None:
    """Without two distances, or without a rise between the first and the last, nothing is known."""
    assert miss_curve(run_of(calls)) == ()


def test_the_curve_of_a_run_is_that_of_its_machine() -> None:
    """What a machine does by distance is found again, within its noise."""
    made = document()
    assert list(levels(made)) == list(CURVE)
    assert dict(miss_curve(made)) == pytest.approx(CURVE, abs=0.02)


def test_buffers_used_in_turn_give_curves_of_their_own() -> None:
    """Shares come from the buffers, costs of a byte from the benchmark itself, which reads 100 bytes."""

    def visits(state: str, latencies: Mapping[int, int]) -> list[dict[str, Any]]:
        return [
            {"state": state, "distance_bytes": distance, "samples_ns": [900, latency, latency]}
            for distance, latency in latencies.items()
        ]

    run = run_of({})
    run["suite"]["manifest"]["benchmarks"] = [{"role": "curve", "weight_bytes": 100}]
    run["benchmarks"][0]["visits"] = [
        {"state": WEIGHTS_COLD, "distance_bytes": 2**28, "samples_ns": [500]},
        {"state": LLC_WARM, "distance_bytes": 2**22, "samples_ns": [300]},
        {"state": READ_IN_TURN, "distance_bytes": 2, "wait_ns": 5, "samples_ns": [15]},
        *visits(READ_IN_TURN, {2: 10, 4: 15, 8: 20}),
        *visits(WRITTEN_IN_TURN, {2: 10, 4: 30, 8: 50}),
        *visits(READ_AFTER_WRITE, {3: 20, 5: 24}),
    ]
    found = caches_of(run)
    assert found.curve == ((2, 0.0), (4, 0.5), (8, 1.0))
    assert found.written == ((2, 0.0), (4, 0.5), (8, 1.0))
    assert found.fresh == ((3, 0.0), (5, 1.0))
    assert found.brought_in == ((5, 2),)
    assert (found.memory_byte_ns, found.second_level_byte_ns) == (2.0, 3.0)
    del run["benchmarks"][0]["visits"][1]
    found = caches_of(run)
    assert (found.curve[-1], found.memory_byte_ns) == ((8, 1.0), 0.0), "one state alone gives no cost of a byte"


def waits(calls: Mapping[int, int], distances: Mapping[int, int]) -> dict[str, Any]:
    """Make a run whose curve benchmark was called after waits, too."""
    made = run_of({distance: [took] for distance, took in distances.items()})
    made["benchmarks"][0]["visits"] += [
        {"start_ns": 0, "state": "weights_cold", "distance_bytes": 0, "wait_ns": wait, "samples_ns": [took]}
        for wait, took in calls.items()
    ]
    return made


def test_waiting_is_as_good_as_reading() -> None:
    """A call after a wait pays as much as one after so many bytes; hardly anything and nearly all tell nothing more."""
    distances = {1: 100, 100: 100, 200: 200, 400: 300}
    assert brought_in(waits({10: 150, 20: 250}, distances)) == ((10, 150), (20, 300))
    assert brought_in(waits({10: 101, 20: 150}, distances)) == ((20, 150),)
    assert brought_in(waits({10: 295, 20: 300}, distances)) == ((10, 360),)
    assert brought_in(waits({10: 101}, distances)) == ()


def test_what_all_threads_touch_before_a_call_was_not_brought_in_by_others() -> None:
    """Where threads are shared they touch some memory before every call, also after waits."""
    made = waits({10: 150, 20: 250}, {100: 100, 200: 200, 400: 300})
    for visit in made["benchmarks"][0]["visits"]:
        if visit.get("wait_ns"):
            visit["distance_bytes"] = 100
    assert list(levels(made)) == [100, 200, 400]
    assert brought_in(made) == ((10, 50), (20, 200))


@given(_CALLS, st.dictionaries(st.integers(1, 10**9), st.integers(1, 10**6), max_size=6))
def test_what_others_bring_in_rises_with_time(calls: dict[int, list[int]], after: dict[int, int]) -> None:
    """Whatever was measured, more time has brought in more bytes."""
    found = brought_in(waits(after, {distance: samples[0] for distance, samples in calls.items()}))
    assert [wait for wait, _ in found] == sorted({wait for wait, _ in found})
    assert [nbytes for _, nbytes in found] == sorted({nbytes for _, nbytes in found})


def test_what_a_byte_costs_from_the_last_level_and_from_memory() -> None:
    """Of a constant of 1,000 bytes: 300 ns from the last level, call taken off, 700 more from memory."""
    made = run_of({2**20: [390], 2**21: [410], 2**22: [400], 2**27: [1100]})
    made["benchmarks"].append(
        {"role": "sequence", "status": "ok", "visits": [{"state": "llc_warm", "distance_bytes": 2**22}]}
    )
    made["suite"] = {"manifest": {"benchmarks": [{"role": "curve", "weight_bytes": 1000}]}}
    found = caches_of(made, 90)
    assert (found.second_level_bytes, found.second_level_byte_ns, found.memory_byte_ns) == (2**20, 0.3, 0.71)
    made["suite"]["manifest"]["benchmarks"] = []
    found = caches_of(made, 90)
    assert (found.second_level_bytes, found.second_level_byte_ns, found.memory_byte_ns) == (0, 0.0, 0.0)


def anchored(levels: Sequence[float]) -> dict[str, Any]:
    """Make as much of a result as drift looks at: one anchor, visited once per level."""
    visits = [{"start_ns": at, "samples_ns": [round(level * 1000)]} for at, level in enumerate(levels)]
    return {
        "benchmarks": [{"role": "anchor", "status": "ok", "visits": visits}],
        "system": {"facts_before": {"timer_ns": 1}},
        "options": {"target_relative": 0.02},
    }


def test_a_steady_machine_does_not_drift() -> None:
    """Noise that comes and goes within each third of a run is no drift."""
    assert anchor_drift(anchored([100, 104, 96] * 9)) == 0.0


def test_a_machine_that_slows_down_drifts() -> None:
    """From 95 over 100 to 105: half the range is 5 % of the usual."""
    assert anchor_drift(anchored([95] * 5 + [100] * 5 + [105] * 5)) == pytest.approx(0.05)


def test_too_little_tells_nothing() -> None:
    """With fewer than three visits to anchors nothing is known."""
    assert anchor_drift(anchored([100, 200])) == anchor_drift(anchored([])) == 0.0


@given(st.lists(st.integers(10, 1000), min_size=3, max_size=40))
def test_drift_does_not_depend_on_the_direction(levels: list[int]) -> None:
    """Slowing down and speeding up are the same drift when a run is read backwards, if thirds are of one size."""
    levels = levels[: len(levels) // 3 * 3]
    assert anchor_drift(anchored(levels)) == pytest.approx(anchor_drift(anchored(levels[::-1])))


STATES = ("llc_warm_ns", "weights_cold_ns", "hot_loop_ns")
_TIMES = st.fixed_dictionaries({state: st.integers(1, 10**6) for state in STATES})


def said(nodes: int, provider: str = "cpu") -> dict[str, Any]:
    """Make as much of a result as is looked at."""
    listed = [{"role": "overhead", "layers": 1}, {"role": "nodes", "layers": nodes}]
    return {"suite": {"manifest": {"benchmarks": listed}}, "runtime": {"provider": provider}}


@given(_TIMES, st.integers(0, 1000), st.integers(2, 100))
def test_calls_and_nodes_are_told_apart(calls: dict[str, int], node_ns: int, nodes: int) -> None:
    """A machine whose calls cost so much and whose nodes cost so much is found to be that machine, in every state."""
    one = CallOverheads(**{state: took + node_ns for state, took in calls.items()})
    many = CallOverheads(**{state: took + nodes * node_ns for state, took in calls.items()})
    assert _without_node(one, many, said(nodes)) == CallOverheads(**calls)


@given(_TIMES, _TIMES)
def test_nothing_is_taken_out_twice(calls: dict[str, int], chain: dict[str, int]) -> None:
    """Whatever was measured, what is left of a call is no more than it took, and never below 0."""
    one = CallOverheads(**calls)
    left = _without_node(one, CallOverheads(**chain), said(65))
    assert all(0 <= getattr(left, state) <= getattr(one, state) for state in STATES)


def test_without_a_chain_the_call_is_what_it_was() -> None:
    """Results of suites that carry none, and of accelerators, where nodes run beside each other."""
    one, many = CallOverheads(hot_loop_ns=10), CallOverheads(hot_loop_ns=100)
    assert _without_node(one, CallOverheads(), said(65)) == one
    assert _without_node(one, many, said(65, provider="cuda")) == one


_KEPT = Path(__file__).parents[2] / "suites" / "results"
_RUNS = {
    "intel-xeon-2c/onnxruntime-cpu-1t-later": ("tv_alexnet", "misc_lstm_lm", "timm_levit_128"),
    "amd-epyc-2c/onnxruntime-cpu-1t-night": ("hf_gpt2", "misc_lstm_lm", "tv_shufflenet_v2_x1_0"),
    "amd-epyc-2c/onnxruntime-cpu-2t": ("int8_tv_resnet18", "tv_mobilenet_v3_large"),
}


@pytest.mark.parametrize("file", _RUNS)
def test_no_honest_run_is_refused(file: str) -> None:
    """Runs of two machines, one and two threads, quiet and busy hours break none; ``benchmarks/rules.py`` asks all."""
    rules = [rule for rule in RULES if rule.severity == "error" and rule.id not in LEFT_OUT]
    for run in read_runs(_KEPT / f"{file}.parquet", _RUNS[file]).values():
        document = run.document
        view = arrange(document, suite=None, known_suites=None, now_unix_ns=document["started_unix_ns"])
        assert [(rule.id, *found) for rule in rules for found in rule.find(view)] == []


@pytest.mark.parametrize("smoke", [True, False])
def test_a_call_cut_off_in_a_smoke_test_takes_not_all_of_the_layers_time(smoke: bool) -> None:
    """Of one call of an empty graph that was preempted for 60 us, at most what the quickest sequence takes counts."""
    run = json.loads((DATA / "submission_smoke.json").read_text(encoding="utf-8"))
    run["options"]["smoke"] = smoke
    for one in run["benchmarks"]:
        if one["role"] == "overhead":
            one["visits"] = [visit for visit in one["visits"] if visit["state"] != "llc_warm"]
            one["visits"] += [
                {"start_ns": 0, "state": "llc_warm", "distance_bytes": 1 << 22, "samples_ns": [60_000_000]}
            ]
    found = measurements(run)
    quickest = min(one.llc_warm_ns for one in found.measurements.values())
    assert found.overheads.llc_warm_ns == (min(quickest, found.overheads.weights_cold_ns) if smoke else 60_000_000)
    assert found.overheads.hot_loop_ns <= found.overheads.llc_warm_ns
