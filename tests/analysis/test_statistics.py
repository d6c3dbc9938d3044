"""Figures of many groups at once, against one group after the other."""

import math
import statistics

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.table import medians, numbered, occurrences, summaries, summary, sums
from dlbricks.harness.stats import median_interval

GROUPS = 4
pairs = st.lists(st.tuples(st.integers(0, GROUPS - 1), st.integers(0, 1000) | st.just(math.nan)), max_size=40)
keys = st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 2)), max_size=20)


def columns(drawn: list[tuple[int, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Return groups and values as arrays."""
    return np.array([one for one, _ in drawn], np.int64), np.array([value for _, value in drawn], np.float64)


@given(pairs)
def test_each_group_is_summarised_as_if_it_were_alone(drawn: list[tuple[int, float]]) -> None:
    """Median and interval are those of harness.stats; NaN count as nothing; no values give no figures.

    The interval of up to five values covers them, and does not reach 0 unless one does.
    """
    found = summaries(*columns(drawn), GROUPS)
    for group in range(GROUPS):
        values = [value for one, value in drawn if one == group and not math.isnan(value)]
        assert found.count[group] == len(values)
        if not values:
            assert math.isnan(found.median[group])
            continue
        middle, low, high = median_interval(values)
        assert found.median[group] == middle
        if len(values) == 1:
            assert math.isnan(found.low[group])
        elif len(values) <= 5:
            assert found.low[group] <= min(values) <= max(values) <= found.high[group]
            assert found.low[group] > 0 or not min(values)
        else:
            assert math.isclose(found.low[group], max(low, 0), abs_tol=1e-9)
            assert math.isclose(found.high[group], high)
    np.testing.assert_array_equal(medians(*columns(drawn), GROUPS), found.median)


def test_values_of_one_group() -> None:
    """A single group is summarised without naming it."""
    assert summary(np.array([3, 1, 2])).median.tolist() == [2]


@given(pairs)
def test_sums_say_when_they_do_not_know(drawn: list[tuple[int, float]]) -> None:
    """One unknown value makes the sum of its group unknown; a group without values has none."""
    found = sums(*columns(drawn), GROUPS)
    for group in range(GROUPS):
        values = [value for one, value in drawn if one == group]
        expected = sum(values) if values else math.nan
        assert found[group] == expected or (math.isnan(found[group]) and math.isnan(expected))


@given(keys)
def test_occurrences_count_equal_rows_as_they_come(drawn: list[tuple[int, int]]) -> None:
    """The n-th time that a row of keys comes it is number n."""
    made = np.array(drawn, np.int64).reshape(-1, 2)
    expected = [drawn[:at].count(one) for at, one in enumerate(drawn)]
    assert occurrences(made[:, 0], made[:, 1]).tolist() == expected


@given(keys)
def test_equal_rows_get_one_number(drawn: list[tuple[int, int]]) -> None:
    """Numbers are equal where rows are, without gaps, and name the first row that has them."""
    made = np.array(drawn, np.int64).reshape(-1, 2)
    number, first = numbered(made[:, 0], made[:, 1])
    different = sorted(set(drawn))
    assert [different[one] for one in number.tolist()] == drawn
    assert first.tolist() == [drawn.index(one) for one in different]


def test_a_large_group_has_its_median_at_once() -> None:
    """Where only medians are asked for, no interval is computed, which takes long for many values."""
    values = np.arange(100_001)
    assert medians(np.zeros(len(values), np.int64), values, 1)[0] == statistics.median(values.tolist())
