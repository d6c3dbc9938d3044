"""Several runs of one suite become one result, in which an unusual load counts for little."""

import dataclasses
from pathlib import Path
from typing import Any
from unittest.mock import Mock

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import WEIGHTS_COLD
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.progress import Progress, silent
from dlbricks.harness.stats import latency_of
from dlbricks.plugins.llm.validation import LOADS, VISITS, merged, middle_queue, run_after_reload
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import anchors
from dlbricks.validate.measure import run_benchmarks


def run_of(times_ns: dict[str, list[int]], wall_ns: int = 1000) -> dict[str, Any]:
    """Make a result with one call each visit; a benchmark without times has failed."""
    return {
        "timing": {"wall_ns": wall_ns, "timed_ns": sum(map(sum, times_ns.values()))},
        "benchmarks": [
            {
                "fingerprint": name,
                "role": "sequence",
                "status": "ok" if times else "failed",
                "reason": "" if times else "no memory",
                "visits": [
                    {"state": WEIGHTS_COLD, "start_ns": at, "samples_ns": [time], "distance_bytes": 0}
                    for at, time in enumerate(times)
                ],
            }
            for name, times in times_ns.items()
        ],
    }


@given(st.integers(1, 10**6), st.integers(2, 40), st.integers(0, LOADS - 1))
def test_an_unusual_load_counts_for_little(usual_ns: int, visits: int, unusual: int) -> None:
    """A benchmark that takes half as long again in one of three loads is at most a twelfth slower than usual."""
    loaded = [run_of({"a": [usual_ns] * visits, "b": [7]}) for _ in range(LOADS)]
    loaded[unusual] = run_of({"a": [usual_ns * 3 // 2] * visits, "b": [7]})
    found = {one["fingerprint"]: one for one in merged(loaded)["benchmarks"]}
    assert len(found["a"]["visits"]) == LOADS * visits
    assert latency_of(found["a"]).latency_ns <= (1 + 0.25 / LOADS) * usual_ns + 1
    assert latency_of(found["b"]).latency_ns == 7


def test_visits_follow_each_other_and_times_add_up() -> None:
    """As in one run; what failed in a run and not in another has been measured."""
    made = merged(
        [run_of({"a": [5], "b": []}, 100), run_of({"a": [6], "b": [8]}, 200), run_of({"a": [], "b": [9]}, 300)]
    )
    assert made["timing"] == {"wall_ns": 600, "timed_ns": 28}
    starts = {one["fingerprint"]: [visit["start_ns"] for visit in one["visits"]] for one in made["benchmarks"]}
    assert starts == {"a": [0, 100], "b": [100, 300]}
    assert [one["status"] for one in made["benchmarks"]] == ["ok", "ok"]


def test_benchmarks_are_loaded_anew_each_time(tmp_path: Path, monkeypatch: Any) -> None:
    """In another order, less exactly each; with a budget or as a smoke test once."""
    asked = list[RunOptions]()
    run = run_benchmarks

    def counting(*given_: Any, **named: Any) -> dict[str, Any]:
        asked.append(given_[2])
        return run(given_[0], given_[1], dataclasses.replace(given_[2], smoke=True), *given_[3:], **named)

    monkeypatch.setattr("dlbricks.plugins.llm.validation.run_benchmarks", counting)
    split = SplitSettings(target="portable")
    options = RunOptions(seed=4, target_relative=0.01)
    told = list[Progress]()
    loop = Mock(between=int)
    made = run_after_reload(split, anchors(), options, told.append, weights=tmp_path, loop=loop)
    assert loop.again.call_count == LOADS - 1
    assert [one.seed for one in asked] == [4, 5, 6]
    assert {(round(one.target_relative, 4), one.cold_min_visits) for one in asked} == {(0.0173, VISITS)}
    assert len(made["benchmarks"]) == len(anchors())
    assert [one.phase for one in told if one.phase == "done"] == ["done"]
    assert told[-1].phase == "done"
    assert {one.done <= one.total for one in told} == {True}
    asked.clear()
    for one in (dataclasses.replace(options, smoke=True), dataclasses.replace(options, budget_ns=10**9)):
        run_after_reload(split, anchors(), one, silent, weights=tmp_path, loop=loop)
    assert [one.target_relative for one in asked] == [0.01, 0.01]
    assert loop.again.call_count == LOADS - 1


def test_times_of_host_and_device_are_those_of_the_middle_run() -> None:
    """Within all their intervals; a run in which the host did not wait, other than in most, does not count."""
    first = {"host_ns": 10, "host_low_ns": 9, "host_high_ns": 12, "kernels": 1, "synchronises": False, "alone_ns": 20}
    others = [
        {**first, "host_ns": 15, "host_low_ns": 14, "host_high_ns": 16},
        {**first, "host_ns": 11, "host_low_ns": 10, "host_high_ns": 13, "alone_ns": 22},
    ]
    wanted = {**first, "host_ns": 11, "host_low_ns": 9, "host_high_ns": 16}
    assert middle_queue([first, *others]) == wanted
    waiting = {**first, "host_ns": 0, "host_low_ns": 0, "host_high_ns": 0, "synchronises": True}
    assert middle_queue([first, *others, waiting]) == wanted
    documents = [
        {
            "timing": {"wall_ns": 1},
            "benchmarks": [{"fingerprint": "a", "status": "ok", "visits": [], "queue": queue}],
        }
        for queue in (first, *others)
    ]
    assert merged(documents)["benchmarks"][0]["queue"] == wanted
