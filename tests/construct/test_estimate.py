import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.estimate import estimate
from dlbricks.construct.intervals import BANDS, composition_band, interval, sampling_half_width
from dlbricks.construct.nouns import IntervalParts
from dlbricks.construct.rules import Rule
from tests.construct.made_up import composition, results

SEQUENTIAL = Rule(kind="sequential")


def test_call_overhead_is_taken_out_of_each_step_and_put_once_on_the_whole() -> None:
    """The total is the sum of the latencies less n call overheads, plus one."""
    made = estimate(composition(["a", "b", "a"]), results({"a": 100, "b": 50}, overhead_ns=10), SEQUENTIAL)
    assert made.total_ns == 90 + 40 + 90 + 10
    assert made.coverage == 1.0
    assert made.missing == ()


def test_a_step_is_never_shorter_than_nothing() -> None:
    """A latency below the call overhead counts as 0, not as a gift to the others."""
    assert estimate(composition(["a", "b"]), results({"a": 4, "b": 50}, overhead_ns=10), SEQUENTIAL).total_ns == 50


def test_views_cost_nothing() -> None:
    """A step of views is free, counts as covered, and is never missing."""
    made = estimate(composition(["a", "v"], free=[1]), results({"a": 100}), SEQUENTIAL)
    assert (made.total_ns, made.coverage, made.missing) == (100, 1.0, ())
    assert [row.tier for row in made.rows] == ["measured", "free"]


def test_missing_sequences_are_listed_once_and_in_order() -> None:
    """What has no result is named by its fingerprint; the coverage counts its layers."""
    made = estimate(composition(["z", "a", "z", "m"]), results({"a": 100}), SEQUENTIAL)
    assert made.missing == ("z", "m")
    assert (made.covered_layers, made.layers) == (1, 4)
    assert [row.tier for row in made.rows] == ["measured", "missing", "missing"]


def test_rows_fall_and_add_up() -> None:
    """Rows come by falling total; their totals make the sequential sum, their shares 1."""
    made = estimate(composition(["a", "b", "a", "c"]), results({"a": 100, "b": 300, "c": 7}), SEQUENTIAL)
    assert [row.fingerprint for row in made.rows] == ["b", "a", "c"]
    assert sum(row.total_ns for row in made.rows) == made.total_ns
    assert sum(row.share for row in made.rows) == pytest.approx(1.0)
    assert [row.count for row in made.rows] == [1, 2, 1]


def test_parallel_branches_overlap() -> None:
    """Under ``parallel`` the longer branch decides the total; the shares stay those of the sum."""
    diamond = composition(["a", "b", "c"], [(), (0,), (0,)])
    made = estimate(diamond, results({"a": 10, "b": 30, "c": 20}), Rule(kind="parallel"))
    assert made.total_ns == 40
    assert [row.share for row in made.rows] == pytest.approx([0.5, 1 / 3, 1 / 6])


def test_equal_steps_err_together() -> None:
    """Four uses of one sequence are four times as uncertain; four different sequences only twice."""
    same = estimate(composition(["a"] * 4), results({"a": 1000}, spread_ns=100), SEQUENTIAL)
    names = ["a", "b", "c", "d"]
    different = estimate(composition(names), results(dict.fromkeys(names, 1000), spread_ns=100), SEQUENTIAL)
    assert same.parts.sampling_low_ns == same.parts.sampling_high_ns == 400
    assert different.parts.sampling_high_ns == 200


def test_only_the_deciding_chain_is_uncertain() -> None:
    """Under ``parallel`` the interval rests on the critical path alone."""
    fork = composition(["a", "b"], [(), ()])
    made = estimate(fork, results({"a": 1000, "b": 10}, spread_ns=9), Rule(kind="parallel"))
    assert made.parts.sampling_high_ns == 9


def test_an_empty_network_takes_one_call() -> None:
    """No steps: the call overhead is all there is, and coverage is whole."""
    made = estimate(composition([]), results({}, overhead_ns=7), SEQUENTIAL)
    assert (made.total_ns, made.coverage) == (7, 1.0)


@given(
    st.integers(0, 10**12),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.floats(0, 0.5),
    st.floats(0, 0.9),
    st.floats(0, 0.9),
)
def test_interval_holds_the_total_and_each_part(
    total_ns: int, sampling_low: int, sampling_high: int, drift: float, low: float, high: float
) -> None:
    """0 <= low <= total <= high, and no side is narrower than its widest part."""
    parts = IntervalParts(
        sampling_low_ns=sampling_low,
        sampling_high_ns=sampling_high,
        drift=drift,
        composition_low=low,
        composition_high=high,
    )
    lower, upper = interval(total_ns, parts)
    assert 0 <= lower <= total_ns <= upper
    assert upper - total_ns >= max(sampling_high, drift * total_ns, high * total_ns) - 1
    assert lower == 0 or total_ns - lower >= max(sampling_low, drift * total_ns, low * total_ns) - 1


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 10**6)), max_size=20))
def test_sampling_lies_between_quadrature_and_sum(terms: list[tuple[int, int]]) -> None:
    """Together, half-widths are at most their sum and at least the widest of them."""
    made = sampling_half_width(terms)
    widths = [count * width for count, width in terms]
    assert max(widths, default=0) - 1 <= made <= sum(widths) + 1


@pytest.mark.parametrize("target", ["portable", "onnxruntime-cpu"])
@pytest.mark.parametrize("granularity", ["1", "8", "inf"])
def test_every_target_and_granularity_has_a_band(target: str, granularity: str) -> None:
    """The band is of the target asked for, and holds the estimate itself."""
    band = composition_band(target, granularity)
    assert band.target == target
    assert -1 < band.low <= 0 <= band.high


def test_an_unknown_target_gets_the_widest_band() -> None:
    """Nothing is known of it, so nothing narrower than what was seen elsewhere is promised."""
    assert composition_band("elsewhere", "1") == max(BANDS, key=lambda band: band.high - band.low)
