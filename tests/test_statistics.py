"""Quantiles, trimmed means and sums of errors."""

import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.statistics import (
    conformal_quantile,
    correlated_sum,
    median_or_zero,
    quadrature,
    trimmed_mean,
)

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)
WIDTHS = st.lists(st.floats(0, 1e6), max_size=40)


@given(VALUES, st.floats(0.01, 0.99))
def test_a_conformal_quantile_holds_a_new_score_as_often_as_the_level_says(values: list[float], level: float) -> None:
    """At least the share ``level`` of n + 1 ranks, or the largest score where there are too few."""
    quantile = conformal_quantile(values, level)
    assert quantile in values
    below = sum(value <= quantile for value in values)
    assert below >= level * (len(values) + 1) - 1e-9 or quantile == max(values)


@given(VALUES)
def test_a_trimmed_mean_lies_among_the_values(values: list[float]) -> None:
    """It is the mean of fewer than five values, and outliers do not move it of more."""
    assert min(values) - 1e-6 <= trimmed_mean(values) <= max(values) + 1e-6
    if len(values) in {1, 2, 4}:
        assert trimmed_mean(values) == pytest.approx(fmean(values), rel=1e-9, abs=1e-6)
    assert trimmed_mean([0.0, 1.0, 2.0, 3.0, 1e9]) == 2.0


def test_nothing_has_zero_as_median_and_trimmed_mean() -> None:
    """Sums over no networks are 0."""
    assert median_or_zero([]) == trimmed_mean([]) == 0.0
    assert median_or_zero([3.0, 1.0, 2.0]) == 2.0


@given(WIDTHS)
def test_errors_add_between_quadrature_and_sum(widths: list[float]) -> None:
    """Independent errors add in quadrature, equal ones as they are, all others between."""
    assert correlated_sum(widths, 0.0) == pytest.approx(quadrature(widths))
    assert correlated_sum(widths, 1.0) == pytest.approx(math.fsum(widths))
    between = correlated_sum((width for width in widths), 0.05)
    assert quadrature(widths) <= between * (1 + 1e-9)
    assert between <= math.fsum(widths) * (1 + 1e-9)
