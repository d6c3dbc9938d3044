"""Figures of back-tests: errors are relative to the truth, gains to the time before; without a truth there are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.whatif.backtest.cases import BackTest, summaries

times = st.floats(1, 1e12)


def one(before: float, predicted: float, truth: float | None, transform: str = "faster:2") -> BackTest:
    """A back-test of a case."""
    return BackTest(transform=transform, case="net", before_ns=before, predicted_ns=predicted, truth_ns=truth)


@given(times, times, times)
def test_errors_of_time_and_gain_agree(before: float, predicted: float, truth: float) -> None:
    """The error of the gain is that of the time, measured in times before, the other way round."""
    made = one(before, predicted, truth)
    rounding = 1e-12 * max(predicted, truth, before)
    assert made.error == pytest.approx((predicted - truth) / truth, rel=1e-6, abs=rounding / truth)
    assert made.gain_error == pytest.approx((truth - predicted) / before, rel=1e-6, abs=rounding / before)


@pytest.mark.parametrize(
    ("predicted", "truth", "wrong"), [(90, 110, True), (90, 80, False), (110, 80, True), (99, 104, False)]
)
def test_a_sign_is_wrong_where_it_counts(predicted: float, truth: float, wrong: bool) -> None:
    """A gain within 5 % of the time before may be predicted to be a loss."""
    assert one(100, predicted, truth).sign_is_wrong is wrong


def test_without_a_truth_there_is_no_error() -> None:
    """The prediction is shown all the same, and nothing sums it up."""
    made = one(100, 80, None)
    assert (made.error, made.gain, made.gain_error, made.sign_is_wrong) == (None, None, None, False)
    assert made.predicted_gain == pytest.approx(0.2)
    assert summaries([made]) == ()


def test_few_cases_are_summed_up_by_their_worst() -> None:
    """Of ten and more the 90th percentile counts; parameters do not tell transforms apart."""
    few = [one(100, 100 + error, 100, f"faster:{error}") for error in (1, 2, 30)]
    (made,) = summaries(few)
    assert (made.transform, made.cases) == ("faster", 3)
    assert made.percentile_error == pytest.approx(0.3)
    (many,) = summaries([one(100, 100 + error, 100) for error in range(11)])
    assert many.percentile_error == pytest.approx(0.09)
    assert many.median_error == pytest.approx(0.05)
    assert many.median_gain_error == pytest.approx(0.05)


def test_transforms_are_summed_up_apart_or_together() -> None:
    """In the order in which they are met."""
    tests = [one(100, 90, 80, "b"), one(100, 90, 80, "a:1"), one(100, 90, 80, "b:2")]
    assert [(made.transform, made.cases) for made in summaries(tests)] == [("b", 2), ("a", 1)]
    assert [(made.transform, made.cases) for made in summaries(tests, together="all")] == [("all", 3)]
