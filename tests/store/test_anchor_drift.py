from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.store.caches import anchor_drift


def run_of(levels: Sequence[float]) -> dict[str, Any]:
    """Make as much of a result as drift looks at: one anchor, visited once per level."""
    visits = [{"start_ns": at, "samples_ns": [round(level * 1000)]} for at, level in enumerate(levels)]
    return {
        "benchmarks": [{"role": "anchor", "status": "ok", "visits": visits}],
        "system": {"facts_before": {"timer_ns": 1}},
        "options": {"target_relative": 0.02},
    }


def test_a_steady_machine_does_not_drift() -> None:
    """Noise that comes and goes within each third of a run is no drift."""
    assert anchor_drift(run_of([100, 104, 96] * 9)) == 0.0


def test_a_machine_that_slows_down_drifts() -> None:
    """From 95 over 100 to 105: half the range is 5 % of the usual."""
    assert anchor_drift(run_of([95] * 5 + [100] * 5 + [105] * 5)) == pytest.approx(0.05)


def test_too_little_tells_nothing() -> None:
    """With fewer than three visits to anchors nothing is known."""
    assert anchor_drift(run_of([100, 200])) == anchor_drift(run_of([])) == 0.0


@given(st.lists(st.integers(10, 1000), min_size=3, max_size=40))
def test_drift_does_not_depend_on_the_direction(levels: list[int]) -> None:
    """Slowing down and speeding up are the same drift when a run is read backwards, if thirds are of one size."""
    levels = levels[: len(levels) // 3 * 3]
    assert anchor_drift(run_of(levels)) == pytest.approx(anchor_drift(run_of(levels[::-1])))
