"""Bands: what is learned from validations, and the table in the package, which is what its writer makes."""

import math
from importlib import resources

import numpy as np
import pytest
from bands import CompositionError, learn, leave_one_out, networks_needed, table_text, weighted_quantile
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.intervals import BANDS, LEVEL, Band, interval, table
from dlbricks.construct.types import CompositionTraits, IntervalParts


def test_the_table_is_read_as_it_is_written() -> None:
    """The file of the package is what ``table_text`` makes of its content."""
    text = resources.files("dlbricks.construct").joinpath(BANDS).read_text(encoding="utf-8")
    assert table_text(table()) == text


EASY = CompositionTraits()
SHARES = st.floats(0, 1)
VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)
TRAITS = st.builds(CompositionTraits, fetching=SHARES, small=SHARES, interpolated=SHARES)


def error(log_ratio: float, traits: CompositionTraits = EASY, own: float = 0.0) -> CompositionError:
    return CompositionError(log_ratio=log_ratio, traits=traits, own_low=own, own_high=own)


def networks(errors: list[CompositionError]) -> dict[str, list[CompositionError]]:
    """Assign each error to a network of its own."""
    return {f"n{index}": [one] for index, one in enumerate(errors)}


@given(st.lists(st.floats(-1, 1), min_size=networks_needed(), max_size=40), st.integers(2, 5))
def test_networks_are_the_sample(ratios: list[float], often: int) -> None:
    """Repeated measurements of networks with the same errors do not change the band."""
    once = {f"n{index}": [error(ratio)] for index, ratio in enumerate(ratios)}
    assert learn({name: same * often for name, same in once.items()}) == learn(once)
    first = next(iter(once))
    assert learn(once | {first: once[first] * often}) == learn(once)


@given(st.lists(st.tuples(st.floats(-1, 1), TRAITS, st.floats(0, 0.5)), min_size=networks_needed(), max_size=60))
def test_intervals_hold_what_the_band_promises(drawn: list[tuple[float, CompositionTraits, float]]) -> None:
    """Of the networks in the sample at most the nominal share is outside, half of it on either side."""
    errors = [error(ratio, traits, own) for ratio, traits, own in drawn]
    band = learn(networks(errors))
    either = (1 - LEVEL) / 2 * len(errors)
    beyond = [_beyond(band, one) for one in errors]
    assert beyond.count(1) <= either
    assert beyond.count(-1) <= either


def _beyond(band: Band, one: CompositionError) -> int:
    """Return the side on which a network lies outside of its interval; 0 inside."""
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
    """An error within its own parts leaves nothing to explain; others keep their sign and at most their size."""
    left = error(ratio, EASY, own).unexplained
    assert abs(left) <= abs(ratio) + 1e-12
    assert left == 0 or math.copysign(1, left) == math.copysign(1, ratio)
    if abs(math.expm1(ratio)) <= own:
        assert left == 0
    if own == 0:
        assert left == pytest.approx(ratio, abs=1e-12)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=networks_needed() - 1))
def test_few_networks_promise_less(ratios: list[float]) -> None:
    """Where quantiles do not exist the band exceeds all errors, the more the fewer networks there are."""
    band = learn(networks([error(ratio) for ratio in ratios]))
    assert band.low == band.high >= max(map(abs, ratios)) * networks_needed() / (len(ratios) + 0.5)


def test_harder_networks_get_wider_bands() -> None:
    """Fetching and small calls each widen the band."""
    band = learn(networks([error(0.01 * sign) for sign in (-1, 1) for _ in range(20)]))
    easy = sum(band.around(EASY))
    for name in ("fetching", "small"):
        assert (
            sum(band.around(CompositionTraits(**{"fetching": 0.0, "small": 0.0, "interpolated": 0.0} | {name: 0.5})))
            > easy
        )


def test_networks_left_out_are_covered_as_promised() -> None:
    """With exchangeable errors the coverage is nominal within chance, whatever their own parts."""
    ratios = np.random.default_rng(1).normal(0.01, 0.02, 300)
    bare = leave_one_out(networks([error(ratio) for ratio in ratios]))
    shared = leave_one_out(networks([error(ratio, EASY, 0.02) for ratio in ratios]))
    for one in (bare, shared):
        assert abs(one.coverage - LEVEL) < 0.03
        assert one.width == pytest.approx(2 * 1.645 * 0.02, rel=0.15)
    wide = leave_one_out(networks([error(ratio, EASY, 0.1) for ratio in ratios]))
    assert wide.coverage > bare.coverage
    assert wide.width > bare.width


def test_a_bias_makes_a_band_lopsided() -> None:
    """A bias shifts the band; the estimate is not corrected."""
    band = learn(networks([error(math.log(1.1) + 0.001 * index) for index in range(-20, 21)]))
    assert band.low == 0
    assert band.high > math.log(1.1)


@given(VALUES, st.data())
def test_a_weighted_quantile_of_equal_weights_is_an_order_statistic(values: list[float], data: st.DataObject) -> None:
    """The value of rank k is the first at which k weights are reached; beyond all weights it is the largest."""
    rank = data.draw(st.integers(1, len(values)))
    weighted = [(value, 0.1) for value in values]
    assert weighted_quantile(weighted, 0.1 * rank) == sorted(values)[rank - 1]
    assert weighted_quantile(weighted, 0.1 * len(values) + 1) == max(values)


@given(VALUES, st.integers(1, 5))
def test_a_weight_counts_as_so_many_equal_values(values: list[float], weight: int) -> None:
    """Weights are repetitions."""
    repeated = [(value, 1.0) for value in values for _ in range(weight)]
    for wanted in (1.0, len(values) * weight / 2, float(len(values) * weight)):
        assert weighted_quantile([(value, float(weight)) for value in values], wanted) == weighted_quantile(
            repeated, wanted
        )
