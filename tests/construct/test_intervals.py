import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.intervals import (
    LEVEL,
    WIDENING,
    Band,
    ChosenBand,
    CompositionError,
    Evidence,
    choose_band,
    interval,
    learn,
    leave_one_out,
    networks_needed,
    quadrature,
    table,
)
from dlbricks.construct.types import CompositionTraits, IntervalParts
from dlbricks.store.types import SystemConfiguration
from tests.construct.made_up import composition

EASY = CompositionTraits(fetching=0.0, small=0.0, interpolated=0.0)
SHARES = st.floats(0, 1)
TRAITS = st.builds(CompositionTraits, fetching=SHARES, small=SHARES, interpolated=SHARES)


def error(log_ratio: float, traits: CompositionTraits = EASY, own: float = 0.0) -> CompositionError:
    return CompositionError(log_ratio=log_ratio, traits=traits, own_low=own, own_high=own)


def networks(errors: list[CompositionError]) -> dict[str, list[CompositionError]]:
    """Assign each error to a network of its own."""
    return {f"n{index}": [one] for index, one in enumerate(errors)}


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
    """Combined half-widths are at most their sum and at least the widest of them."""
    widths = [count * width for count, width in terms]
    assert max(widths, default=0) - 1 <= quadrature(widths) <= sum(widths) + 1


KNOWN = next(row for row in table() if row.interleaved and row.threads == 1 and row.target == "onnxruntime-cpu")


def chosen(
    row: Evidence,
    *,
    isa: str | None = None,
    threads: int = 0,
    rule: str = "",
    runtime: str = "",
    provider: str = "",
    beside: bool = True,
) -> ChosenBand:
    """Choose the band for the setting of a row, with some properties changed."""
    configuration = SystemConfiguration(
        system="anywhere",
        runtime=f"{runtime or row.runtime} 1.2.3",
        provider=provider or row.provider,
        threads=threads or row.threads,
        instruction_set=tuple((isa if isa is not None else row.instruction_set).split()),
    )
    return choose_band(composition(["a"], target=row.target), configuration, rule or row.rule, interleaved=beside)


def width(band: Band) -> float:
    return band.low + band.high


def test_what_was_seen_has_its_own_band() -> None:
    """The name of the system does not matter; its kind, splitting and threads do."""
    made = chosen(KNOWN)
    assert made.band == KNOWN.band
    assert made.reason.startswith(f"width from {KNOWN.networks} networks in {KNOWN.runs} run")


@pytest.mark.parametrize(
    ("unseen", "words", "things"),
    [
        ({"isa": "aarch64 sve"}, "this kind of system", 1),
        ({"threads": 64}, "64 threads", 1),
        ({"runtime": "somert"}, "runtime somert", 1),
        ({"rule": "simulate"}, "onnxruntime-cpu, H = 1, simulate", 1),
        ({"provider": "cuda"}, "provider cuda, this kind of system", 2),
    ],
)
def test_what_was_never_seen_is_said_and_wider(unseen: dict[str, str], words: str, things: int) -> None:
    """Another system, provider, thread count or rule gets a wider band."""
    made = chosen(KNOWN, **unseen)  # type: ignore[arg-type]
    assert made.reason.startswith(f"no evidence for {words}; width from ")
    assert width(made.band) in [pytest.approx(WIDENING**things * width(row.band)) for row in table()]
    assert made.reason.endswith(f", times {WIDENING**things:g}")


def test_results_of_another_hour_promise_less() -> None:
    """Results interleaved with the network have a narrower band than those of another time."""
    beside, apart = chosen(KNOWN).band, chosen(KNOWN, beside=False).band
    assert width(apart) > width(beside)


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
