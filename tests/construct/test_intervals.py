import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.intervals import (
    NETWORK,
    WIDENING,
    Band,
    ChosenBand,
    Evidence,
    choose_band,
    interval,
    table,
)
from dlbricks.construct.types import IntervalParts
from dlbricks.settings import SplitSettings
from dlbricks.statistics import quadrature
from dlbricks.store.types import SystemConfiguration


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
    granularity: str = "1",
    beside: bool = True,
    brief: bool = False,
) -> ChosenBand:
    """Choose the band for the setting of a row, with some properties changed."""
    configuration = SystemConfiguration(
        system="anywhere",
        runtime=f"{runtime or row.runtime} 1.2.3",
        provider=provider or row.provider,
        threads=threads or row.threads,
        instruction_set=tuple((isa if isa is not None else row.instruction_set).split()),
    )
    split = SplitSettings(target=row.target, granularity=granularity)
    return choose_band(split, configuration, rule or row.rule, interleaved=beside, without_curve=brief)


def width(band: Band) -> float:
    return band.low + band.high


def test_what_was_seen_has_its_own_band() -> None:
    """The name of the system does not matter; its kind, splitting and threads do."""
    made = chosen(KNOWN)
    assert made.band == KNOWN.band
    assert made.reason.startswith(f"validated on {KNOWN.networks} networks")


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
    assert made.reason.startswith(f"not validated for {words}: ")
    assert width(made.band) in [pytest.approx(WIDENING**things * width(row.band)) for row in table()]
    assert f": {WIDENING**things:g} times the width validated on " in made.reason


def test_results_of_another_hour_promise_less() -> None:
    """Results interleaved with the network have a narrower band than those of another time."""
    beside, apart = chosen(KNOWN).band, chosen(KNOWN, beside=False).band
    assert width(apart) > width(beside)


def test_runs_without_a_miss_curve_promise_nothing() -> None:
    """One estimate without it was 34 % above that of a full run: the interval doubles, and no error is expected."""
    brief, usual = chosen(KNOWN, brief=True), chosen(KNOWN)
    assert width(brief.band) == pytest.approx(WIDENING * width(usual.band))
    assert brief.expected.median is None
    assert brief.expected.lacking == ("runs too short to measure the caches",)
    assert usual.expected.median is not None


def test_results_of_another_hour_take_the_band_of_their_threads() -> None:
    """It widens as that of another hour with other threads would, and its errors are those of the documents."""
    row = next(row for row in table() if row.of == NETWORK and row.threads == 2 and row.runtime == "onnxruntime")
    made = chosen(row, beside=False)
    assert (made.expected.networks, made.expected.lacking) == (row.networks, ("results of another hour",))


def test_expected_errors_are_of_the_same_splitting() -> None:
    """A suite is told the errors of its own way of splitting, though results of another hour have other evidence."""
    row = next(row for row in table() if (row.target, row.runtime) == ("portable", "onnxruntime"))
    configuration = SystemConfiguration(
        system="",
        runtime="onnxruntime 1.2.3",
        provider=row.provider,
        threads=row.threads,
        instruction_set=tuple(row.instruction_set.split()),
    )
    settings = SplitSettings(target=row.target, granularity=row.granularity)
    expected = choose_band(settings, configuration, row.rule).expected
    assert (expected.median, expected.networks, expected.lacking) == (
        row.median,
        row.networks,
        ("results of another hour",),
    )


@pytest.mark.parametrize("row", [row for row in table() if row.of == NETWORK and not row.references])
def test_another_kind_or_splitting_differs_more_than_another_hour(row: Evidence) -> None:
    """What was validated is not said to lack, and its errors count."""
    expected = chosen(row, granularity=row.granularity, beside=False).expected
    assert expected.lacking in {(), ("results of another hour",), ("2 threads",)}
    assert expected.median is not None


def test_another_way_of_splitting_has_no_expected_error() -> None:
    """The errors of the next best would be read as those of this one; other properties that lack keep theirs."""
    unseen, cores = chosen(KNOWN, rule="simulate").expected, chosen(KNOWN, threads=64).expected
    assert (unseen.median, unseen.p90, unseen.networks) == (None, None, 0)
    assert cores.median is not None
    assert cores.networks
