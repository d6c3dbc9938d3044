"""Statistics: a median of medians and an interval that covers as often as it says."""

import random
import statistics

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.cache_state import LLC_WARM, WEIGHTS_COLD
from dlbricks.harness.stats import (
    bounded_mean,
    calls_interval,
    latency_of,
    lower_quartile,
    median_interval,
    median_interval_weights,
    samples_by_state,
    summaries,
    summarise,
)


def test_the_first_sample_of_a_visit_is_left_out() -> None:
    """Unless it is the only one; all of them are counted."""
    made = summarise([[900, 10, 12], [800, 11, 11], [13]])
    assert (made.latency_ns, made.samples) == (11, 7)


def test_the_weights_are_those_of_price_and_bonett() -> None:
    """Ranks and factors for some counts, computed by hand from the binomial distribution."""
    assert median_interval_weights(2)[0] == 1
    assert median_interval_weights(2)[1] == pytest.approx(1.96 / (2 * 0.6745), rel=1e-3)
    assert median_interval_weights(5)[1] == pytest.approx(1.96 / (2 * 1.8627), rel=1e-3)
    assert median_interval_weights(9)[0] == 2
    assert median_interval_weights(9)[1] == pytest.approx(1.96 / (2 * 2.0635), rel=1e-3)


@pytest.mark.parametrize("count", [3, 5, 8, 12, 30])
def test_the_interval_covers_as_often_as_it_says(count: int) -> None:
    """The true median lies in it in 90 to 99.5 % of 2,000 draws from a skewed distribution; 85 % with three values."""
    rng = random.Random(count)  # noqa: S311
    inside = 0
    for _ in range(2000):
        _, low, high = median_interval([100 + rng.expovariate(1) for _ in range(count)])
        inside += low <= 100.693 <= high
    assert (0.85 if count == 3 else 0.90) <= inside / 2000 <= 0.995


@given(st.lists(st.lists(st.integers(1, 10**9), min_size=1, max_size=9), min_size=1, max_size=9))
def test_the_latency_lies_in_its_interval(visits: list[list[int]]) -> None:
    """low <= latency <= high, none of them negative; samples are counted."""
    made = summarise(visits)
    assert 0 <= made.low_ns <= made.latency_ns <= made.high_ns
    assert made.samples == sum(map(len, visits))


@given(st.lists(st.integers(1000, 10**6), min_size=2, max_size=20), st.integers(2, 9))
def test_a_clock_that_runs_faster_scales_everything(values: list[int], factor: int) -> None:
    """Median and interval are equivariant."""
    for one, other in zip(median_interval(values), median_interval([factor * v for v in values]), strict=True):
        assert other == pytest.approx(factor * one)


def test_one_bad_visit_of_many_does_not_move_the_latency() -> None:
    """From nine visits on, the interval does not see a single disturbed one either."""
    visits = [[100, 100 + index] for index in range(9)]
    calm, hit = summarise(visits), summarise([*visits[:8], [100, 5000]])
    assert abs(hit.latency_ns - calm.latency_ns) <= 1
    assert hit.high_ns < 120


def test_a_lone_sample_promises_nothing() -> None:
    """Its interval reaches from zero to twice the value."""
    made = summarise([[500]])
    assert (made.low_ns, made.latency_ns, made.high_ns) == (0, 500, 1000)
    assert statistics.median([made.relative]) == 1.0


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=40))
def test_means_and_quartiles_stay_within_the_values(values: list[int]) -> None:
    """The mean lies between the least and half as much again as the quartile, one of the values below the median."""
    quartile = lower_quartile(values)
    assert quartile in values
    assert quartile <= statistics.median(values)
    assert min(values) <= bounded_mean(values) <= min(1.25 * quartile, statistics.fmean(values)) * (1 + 1e-12)


def test_bounded_means_by_hand() -> None:
    """What is near the quartile counts as it is, what is far above it as a quarter more."""
    assert bounded_mean([5]) == 5
    assert bounded_mean([10, 11, 12]) == 11
    assert bounded_mean([10, 10, 10, 10_000]) == 10.625


@pytest.mark.parametrize("role", ["sequence", "overhead", "nodes", "curve"])
def test_of_single_calls_bounded_means_count(role: str) -> None:
    """In every state and role, so that what is taken off another can be."""
    values = [100, 110, 180, 900]
    visits = [
        {"state": state, "distance_bytes": 1, "samples_ns": [value]}
        for state in ("llc_warm", "weights_cold")
        for value in values
    ]
    found = summaries({"role": role, "visits": visits})
    assert {state: one.latency_ns for state, one in found.items()} == {"llc_warm": 115, "weights_cold": 115}
    assert all(one.low_ns <= one.latency_ns <= one.high_ns for one in found.values())


def test_disturbed_visits_count_where_there_are_no_others() -> None:
    """State by state, and for the latency."""
    levels = ((LLC_WARM, 10, False), (LLC_WARM, 30, True), (WEIGHTS_COLD, 20, True), (WEIGHTS_COLD, 40, True))
    visits = [
        {"state": state, "samples_ns": [level], **({"disturbed": True} if disturbed else {})}
        for state, level, disturbed in levels
    ]
    entry = {"role": "sequence", "visits": visits}
    assert samples_by_state(entry) == {LLC_WARM: [[10]], WEIGHTS_COLD: [[20], [40]]}
    assert latency_of(entry).latency_ns == 22  # 20 and, of 40, one and a quarter times as much, rounded
    visits[2].pop("disturbed")
    visits[3]["samples_ns"] = [2]
    assert latency_of(entry).latency_ns == 20


def test_a_single_undisturbed_visit_is_known_as_well_as_all_are() -> None:
    """Relative to the latency; alone it would be known from nothing to twice as long."""
    alone = {"state": WEIGHTS_COLD, "samples_ns": [100]}
    others = [{"state": WEIGHTS_COLD, "samples_ns": [level], "disturbed": True} for level in (200, 210, 220)]
    every = summarise([[100], [200], [210], [220]])
    made = latency_of({"role": "sequence", "visits": [*others, alone]})
    assert made.latency_ns == 100
    assert made.low_ns == pytest.approx(100 * every.low_ns / every.latency_ns, abs=1)
    assert made.high_ns == pytest.approx(100 * every.high_ns / every.latency_ns, abs=1)
    assert latency_of({"role": "sequence", "visits": [alone]}).high_ns == 200


def test_a_call_far_too_late_makes_the_interval_no_wider_than_one_half_late() -> None:
    """The interval is of what counts, and no more of such a call does."""
    late, later = (summarise([[10], [11], [12], [10], [late]]) for late in (15, 1500))
    assert late == later


@given(st.lists(st.integers(1, 10**9), min_size=2, max_size=40))
def test_intervals_of_calls_hold_what_counts(values: list[int]) -> None:
    """And reach no further up than that of the median of the values as they are, or the latency."""
    latency, low, high = calls_interval(values)
    assert latency == bounded_mean(values)
    assert low <= latency <= high
    assert high <= max(latency, median_interval(values)[2]) * (1 + 1e-12)


@pytest.mark.parametrize("count", [2, 3, 50, 999, 10_000, 10_001, 1_000_000])
def test_intervals_of_many_values_take_no_time(count: int) -> None:
    """A profile may have as many calls: ranks hold 95 % by the binomial distribution, summed or approximated."""
    rank, factor = median_interval_weights(count)
    outside = scipy.stats.binom.cdf(rank - 1, count, 0.5)
    assert factor == pytest.approx(1.96 / (2 * -statistics.NormalDist().inv_cdf(outside)), rel=1e-3)
