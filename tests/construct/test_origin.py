"""The runs behind an estimate; results of smoke tests and old runs are marked."""

import dataclasses

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table

from dlbricks.construct.estimate import STALE_DAYS, estimate, remarks, with_origin
from dlbricks.construct.types import Estimate, Rule
from dlbricks.report.estimates import estimates_report
from dlbricks.store.types import MeasurementOrigin, SystemResults
from tests.construct.made_up import composition, results

DAY = 86_400 * 10**9
NOW = 20_000 * DAY


def of_runs(made: SystemResults, runs: dict[str, tuple[int, bool]]) -> SystemResults:
    """Give each measurement a run of its own, with an age in days, smoke test or not."""
    measured = {
        name: msgspec.structs.replace(
            one,
            origin=MeasurementOrigin(
                submission=name, started_unix_ns=NOW - runs[name][0] * DAY, smoke=runs[name][1]
            ),
        )
        for name, one in made.measurements.items()
    }  # fmt: skip
    return dataclasses.replace(made, measurements=measured)


def estimated(runs: dict[str, tuple[int, bool]], *, spread_ns: int = 1) -> Estimate:
    """Estimate a network of the sequences a and b, 300 and 100 ns, from two runs."""
    known = of_runs(results({"a": 300, "b": 100}, spread_ns=spread_ns), runs)
    return with_origin(estimate(composition(["a", "b"]), known, Rule.SEQUENTIAL), known, NOW)


def test_results_of_no_store_say_nothing() -> None:
    """Without a run the estimate is unchanged."""
    known = results({"a": 300})
    made = estimate(composition(["a"]), known, Rule.SEQUENTIAL)
    assert with_origin(made, known, NOW) == made
    assert remarks(made) == ()


def test_the_share_of_smoke_tests_is_told() -> None:
    """Results of smoke tests are marked in the row, in the sum, and in a sentence."""
    made = estimated({"a": (1, True), "b": (2, False)})
    assert made.origin is not None
    assert (made.origin.runs, made.origin.days) == (2, 2)
    assert made.origin.smoke == pytest.approx(0.75)
    assert {row.fingerprint: row.tier for row in made.rows} == {"a": "smoke test", "b": "measured"}
    assert "75% of the total comes from smoke tests" in remarks(made)[0]
    assert remarks(estimated({"a": (1, False), "b": (2, False)})) == ()


def test_a_smoke_test_without_a_time_is_told_as_one() -> None:
    """A call that took no longer than an empty graph's counts as 0 ns: the sum is of a smoke test all the same."""
    known = of_runs(results({"a": 90, "b": 90}, overhead_ns=100, spread_ns=500), {"a": (1, True), "b": (1, False)})
    made = with_origin(estimate(composition(["a", "b", "b", "b"]), known, Rule.SEQUENTIAL), known, NOW)
    assert made.origin is not None
    assert made.origin.smoke == pytest.approx(0.25)
    assert "several times too high, or too low where a time is 0 ns: run" in remarks(made)[0]
    assert _cells(made)[2] == "none: smoke test"
    assert "by place" not in str(estimates_report([made]))


def test_an_interval_that_begins_at_nothing_is_not_shown_of_a_smoke_test() -> None:
    """A table shows no interval from which nothing follows."""
    wide = estimated({"a": (1, True), "b": (1, True)}, spread_ns=500)
    assert wide.low_ns == 0
    assert _cells(wide)[2] == "none: smoke test"
    assert " to " in _cells(estimated({"a": (1, True), "b": (1, True)}))[2]


def _cells(made: Estimate) -> list[str]:
    table = next(item for item in estimates_report([made]) if isinstance(item, Table))
    return [str(next(iter(column.cells))) for column in table.columns]


@given(st.integers(0, 2000))
def test_stale_results_widen_the_interval_and_say_so(days: int) -> None:
    """Up to ``STALE_DAYS`` an estimate is unchanged; beyond, both sides of its interval are wider."""
    fresh, aged = estimated({"a": (0, False), "b": (0, False)}), estimated({"a": (0, False), "b": (days, False)})
    assert aged.total_ns == fresh.total_ns
    if days <= STALE_DAYS:
        assert (aged.low_ns, aged.high_ns, remarks(aged)) == (fresh.low_ns, fresh.high_ns, ())
    else:
        assert aged.low_ns < fresh.low_ns
        assert aged.high_ns > fresh.high_ns
        assert f"{days} days" in remarks(aged)[0]
        assert f"{days} days" in aged.evidence
