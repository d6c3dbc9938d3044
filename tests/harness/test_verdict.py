"""Verdicts: each kind for what it is there for, with its figures, from the document alone."""

import random
from typing import Any

import pytest

from dlbricks.harness.stats import Context, context, judge, latency_of, trend

QUIET = Context(
    overheads_ns={"hot_loop": 1000}, timer_ns=40, target_relative=0.02, anchor_times_ns=(), anchor_levels=()
)


def entry(
    levels: list[float], *, role: str = "sequence", calls: int = 5, seed: int = 0, state: str = "hot_loop", **more: Any
) -> dict[str, Any]:
    """Give an entry whose visits have these levels in ns, with a scatter of 0.2 %."""
    rng = random.Random(seed)  # noqa: S311
    visits = [
        {
            "start_ns": 10**7 * index,
            "state": state,
            "distance_bytes": 0,
            "samples_ns": [round(level * rng.uniform(0.998, 1.002)) for _ in range(calls)],
        }
        for index, level in enumerate(levels)
    ]
    return {"status": "ok", "reason": "", "role": role, "visits": visits, **more}


@pytest.mark.parametrize(
    ("levels", "kind", "text"),
    [
        ([1e6] * 6, "stable", "from 6 visits"),
        ([1e6, 1.2e6, 1e6, 1.3e6, 0.9e6], "noisy", "wider than 2.0%"),
        ([1e6, 9e6], "noisy", "2 visits: spread unknown, run longer"),
        ([1e6 * (1 + 0.01 * index) for index in range(12)], "drifting", "from the first to the last of 12 visits"),
        ([600.0] * 6, "too short", "shorter than 20 steps of the timer (600 ns <"),
        ([2500.0] * 6, "too short", "shorter than 3 times the call overhead (2.5 us <"),
        ([2e5], "stable", "from 1 visit of 5 calls"),
    ],
)
def test_each_verdict_has_its_case(levels: list[float], kind: str, text: str) -> None:
    """Kind and figures."""
    made = judge(entry(levels), QUIET)
    assert made["kind"] == kind
    assert text in made["text"]


def test_failures_keep_their_reason() -> None:
    """Whatever was measured before."""
    made = judge(entry([1e6], status="failed", reason="killed by signal 11"), QUIET)
    assert made == {"kind": "failed", "text": "killed by signal 11"}


def test_the_empty_graph_is_as_short_as_it_is() -> None:
    """It is not compared with itself."""
    assert judge(entry([1000.0] * 6, role="overhead", calls=200), QUIET)["kind"] == "stable"


def document(levels: list[float]) -> dict[str, Any]:
    """Give a document whose anchor has these levels."""
    failed = {"status": "failed", "reason": "x", "role": "anchor", "visits": []}
    return {
        "benchmarks": [entry([1500.0] * 3, role="overhead", calls=50), entry(levels, role="anchor"), failed],
        "system": {"facts_before": {"timer_ns": 25}},
        "options": {"target_relative": 0.05},
    }


def test_drift_that_the_anchors_share_is_the_machine() -> None:
    """A benchmark that slows down just as the anchors do is not called drifting; alone it is."""
    levels = [1e6 * (1 + 0.01 * index) for index in range(12)]
    around = context(document(levels))
    assert (around.overheads_ns["hot_loop"] // 10, around.timer_ns, around.target_relative) == (150, 25, 0.05)
    assert judge(entry(levels, seed=1), around)["kind"] != "drifting"
    assert judge(entry(levels, seed=1), context(document([1e6] * 12)))["kind"] == "drifting"


def test_a_trend_needs_to_be_significant() -> None:
    """Scatter has none; a line has its rise; a single jump among many visits has none."""
    rng = random.Random(1)  # noqa: S311
    assert trend([(x, rng.gauss(0, 1)) for x in range(20)]) == 0
    assert trend([(x, 2.0 * x) for x in range(100)]) == pytest.approx(2 * 99, rel=0.05)
    assert trend([(x, 50.0 * (x == 7)) for x in range(20)]) == 0


def test_what_matters_little_may_be_wide() -> None:
    """The same scatter is noisy in what is all of a network, and stable in what is a hundredth of it."""
    levels = [1e6, 1.1e6, 1e6, 1.1e6, 0.95e6]
    assert judge(entry(levels, importance=1.0), QUIET)["kind"] == "noisy"
    wide = judge(entry(levels, importance=2.0**-7), QUIET)
    assert wide["kind"] == "stable"
    assert wide["text"].endswith("% from 5 visits, and its share of a network allows 22.6%")


def test_the_spread_of_a_single_call_is_unknown() -> None:
    """It is not stated as 100 %; where the call matters, it is no stable measurement."""
    single = entry([1e6], calls=1, importance=1e-5)
    text = "1 visit of 1 call: spread unknown, and its share of a network allows 100.0%"
    assert judge(single, QUIET) == {"kind": "stable", "text": text}
    assert judge({**single, "importance": 0.5}, QUIET)["kind"] == "noisy"


@pytest.mark.parametrize(("importance", "kind"), [(1e-5, "stable"), (0.5, "noisy")])
def test_an_interval_rests_on_disturbed_visits_if_a_single_one_is_not(importance: float, kind: str) -> None:
    """The verdict says so: the spread is that of all visits, and neither unknown nor of a call."""
    seen = entry([1e6, 1.1e6, 1.2e6], calls=1, importance=importance)
    for visit in seen["visits"][1:]:
        visit["disturbed"] = True
    made, latency = judge(seen, QUIET), latency_of(seen)
    assert latency.low_ns > 0
    assert made["kind"] == kind
    assert made["text"].startswith(f"+-{latency.relative:.1%} from 3 visits, all but one disturbed, ")


def test_the_latency_is_that_of_constants_in_memory() -> None:
    """Other states neither enter the verdict nor make a trend; the empty graph is compared in the same state."""
    cold, near = entry([1e6] * 5, state="weights_cold"), entry([5e5] * 5, state="llc_warm")
    both = {**cold, "visits": [*cold["visits"], *near["visits"]]}
    assert judge(both, QUIET) == judge(cold, QUIET)
    slow_calls = Context(
        overheads_ns={"weights_cold": 400_000, "llc_warm": 1000},
        timer_ns=40,
        target_relative=0.02,
        anchor_times_ns=(),
        anchor_levels=(),
    )
    assert judge(both, slow_calls)["kind"] == "too short"
    assert judge(near, slow_calls)["kind"] == "stable"


@pytest.mark.parametrize(
    ("half_ns", "importance", "kind", "text"),
    [
        (20, 1.0, "stable", "kernels +-1.0% in 5 traced calls"),
        (90, 1.0, "noisy", "kernels +-4.5% in 5 traced calls, wider than 2.0%"),
        (90, 0.01, "stable", "kernels +-4.5% in 5 traced calls, and its share of a network allows 20.0%"),
    ],
)
def test_traced_kernels_decide_on_a_device(half_ns: int, importance: float, kind: str, text: str) -> None:
    """However short its calls, or whoever disturbed them."""
    times = {"device_ns": 2_000, "device_low_ns": 2_000 - half_ns, "device_high_ns": 2_000 + half_ns, "traced": 5}
    short = entry([600.0, 900.0], importance=importance, queue=times)
    assert judge(short, QUIET) == {"kind": kind, "text": text}
    assert judge({**short, "queue": {**times, "traced": 0}}, QUIET)["kind"] == "too short"
    assert judge({**short, "role": "whole"}, QUIET)["kind"] == "too short"
