import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.intervals import (
    LEVEL,
    CompositionBand,
    CompositionError,
    composition_band,
    interval,
    learn,
    learned,
    leave_one_out,
    quadrature,
    rank_needed,
    read_runs,
    runs_text,
)
from dlbricks.construct.types import CompositionTraits, IntervalParts

EASY = CompositionTraits(fetching=0.0, small=0.0, interpolated=0.0)
SHARES = st.floats(0, 1)
TRAITS = st.builds(CompositionTraits, fetching=SHARES, small=SHARES, interpolated=SHARES)


def error(log_ratio: float, traits: CompositionTraits = EASY, own: float = 0.0) -> CompositionError:
    return CompositionError(log_ratio=log_ratio, traits=traits, own_low=own, own_high=own)


@given(
    st.integers(0, 10**12),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.floats(0, 0.5),
    st.floats(0, 0.9),
    st.floats(0, 0.9),
)
def test_interval_holds_the_total_and_each_part(
    total_ns: int, sampling_low: int, sampling_high: int, guessed: int, drift: float, low: float, high: float
) -> None:
    """0 <= low <= total <= high, and no side is narrower than its widest part."""
    parts = IntervalParts(
        sampling_low_ns=sampling_low,
        sampling_high_ns=sampling_high,
        interpolation_ns=guessed,
        drift=drift,
        composition_low=low,
        composition_high=high,
    )
    lower, upper = interval(total_ns, parts)
    assert 0 <= lower <= total_ns <= upper
    assert upper - total_ns >= max(sampling_high, guessed, drift * total_ns, high * total_ns) - 1
    assert lower == 0 or total_ns - lower >= max(sampling_low, guessed, drift * total_ns, low * total_ns) - 1


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 10**6)), max_size=20))
def test_quadrature_lies_between_the_widest_and_the_sum(terms: list[tuple[int, int]]) -> None:
    """Together, half-widths are at most their sum and at least the widest of them."""
    widths = [count * width for count, width in terms]
    assert max(widths, default=0) - 1 <= quadrature(widths) <= sum(widths) + 1


@pytest.mark.parametrize("target", ["portable", "onnxruntime-cpu"])
@pytest.mark.parametrize("granularity", ["1", "8", "inf"])
@pytest.mark.parametrize("rule", ["sequential", "pairs", "lanes:2"])
def test_every_way_of_composing_has_a_band(target: str, granularity: str, rule: str) -> None:
    """The band is one of the target asked for, and holds the estimate itself."""
    band = composition_band(target, granularity, rule, interleaved=True)
    assert band in [known for run, known in learned() if run.target == target]
    below, above = band.around(EASY)
    assert 0 <= below < 1
    assert above >= 0


@pytest.mark.parametrize("interleaved", [False, True])
def test_an_unknown_target_gets_the_widest_band(interleaved: bool) -> None:
    """Nothing is known of it, so nothing narrower than what was seen elsewhere is promised."""
    widest = max((band for _, band in learned()), key=lambda band: band.low + band.high)
    assert composition_band("elsewhere", "1", "sequential", interleaved=interleaved) == widest


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("granularity", ["1", "8"])
def test_several_threads_promise_no_more_than_was_seen_of_them(granularity: str, interleaved: bool) -> None:
    """Their own band where there is one; else none narrower than it."""
    own = composition_band("onnxruntime-cpu", "1", "sequential", threads=2, interleaved=True)
    assert own in [band for run, band in learned() if run.several]
    band = composition_band("onnxruntime-cpu", granularity, "sequential", threads=4, interleaved=interleaved)
    assert band.low + band.high >= own.low + own.high


def test_a_run_at_another_hour_promises_less() -> None:
    """What was measured beside the whole agrees with it better than what was measured at another time."""
    beside = composition_band("onnxruntime-cpu", "1", "sequential", interleaved=True)
    apart = composition_band("onnxruntime-cpu", "1", "sequential")
    assert apart.low > beside.low
    assert apart.high > beside.high


@given(st.lists(st.tuples(st.floats(-1, 1), TRAITS, st.floats(0, 0.5)), min_size=rank_needed(), max_size=60))
def test_intervals_hold_what_the_band_promises(drawn: list[tuple[float, CompositionTraits, float]]) -> None:
    """Of the networks that it was learned from, at most the rest lies outside, half of it on either side."""
    errors = [error(ratio, traits, own) for ratio, traits, own in drawn]
    band = learn(errors)
    either = (1 - LEVEL) / 2 * len(errors)
    beyond = [_beyond(band, one) for one in errors]
    assert beyond.count(1) <= either
    assert beyond.count(-1) <= either


def _beyond(band: CompositionBand, one: CompositionError) -> int:
    """On which side of its whole interval, band and own parts, a network was measured; 0 inside."""
    below, above = band.around(one.traits)
    low, high = interval(
        10**9,
        IntervalParts(
            sampling_low_ns=0,
            sampling_high_ns=0,
            interpolation_ns=0,
            drift=one.own_low,
            composition_low=below,
            composition_high=above,
        ),
    )
    measured = 1e9 * math.exp(one.log_ratio)
    return int(measured > high + 2) - int(measured < low - 2)


@given(st.floats(-1, 1), st.floats(0, 0.5))
def test_a_band_leaves_to_sampling_what_is_its_own(ratio: float, own: float) -> None:
    """Nothing is left of an error within its own parts; of others the side stays, and no more than the error."""
    left = error(ratio, EASY, own).unexplained
    assert abs(left) <= abs(ratio) + 1e-12
    assert left == 0 or math.copysign(1, left) == math.copysign(1, ratio)
    if abs(math.expm1(ratio)) <= own:
        assert left == 0
    if own == 0:
        assert left == pytest.approx(ratio, abs=1e-12)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=rank_needed() - 1))
def test_few_networks_promise_less(ratios: list[float]) -> None:
    """Where quantiles cannot be had the band goes beyond everything that was seen, the farther the fewer there are."""
    band = learn([error(ratio) for ratio in ratios])
    assert band.low == band.high >= max(map(abs, ratios)) * rank_needed() / (len(ratios) + 0.5)


def test_harder_networks_get_wider_bands() -> None:
    """What a network fetches and the small calls it is made of each add to its band."""
    band = learn([error(0.01 * sign) for sign in (-1, 1) for _ in range(20)])
    easy = sum(band.around(EASY))
    for name in ("fetching", "small"):
        assert (
            sum(band.around(CompositionTraits(**{"fetching": 0.0, "small": 0.0, "interpolated": 0.0} | {name: 0.5})))
            > easy
        )


def test_networks_left_out_are_covered_as_promised() -> None:
    """Errors that are alike: the share inside is the level, give or take chance, whatever is their own part in it."""
    ratios = np.random.default_rng(1).normal(0.01, 0.02, 300)
    bare = leave_one_out([error(ratio) for ratio in ratios])
    shared = leave_one_out([error(ratio, EASY, 0.02) for ratio in ratios])
    for one in (bare, shared):
        assert abs(one.coverage - LEVEL) < 0.03
        assert one.width == pytest.approx(2 * 1.645 * 0.02, rel=0.15)
    wide = leave_one_out([error(ratio, EASY, 0.1) for ratio in ratios])
    assert wide.coverage > bare.coverage
    assert wide.width > bare.width


def test_a_bias_makes_a_band_lopsided() -> None:
    """An estimate is not corrected; the band lies where the networks were."""
    band = learn([error(math.log(1.1) + 0.001 * index) for index in range(-20, 21)])
    assert band.low == 0
    assert band.high > math.log(1.1)


def test_validations_are_read_as_they_are_written() -> None:
    """The file of the package is what ``runs_text`` makes of its content."""
    runs = tuple(run for run, _ in learned())
    assert read_runs(runs_text(runs)) == runs
