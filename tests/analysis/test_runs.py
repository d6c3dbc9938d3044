import statistics
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.calls import overheads
from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.executions import at_batch
from dlbricks.analysis.table import Table
from dlbricks.statistics import trimmed_mean
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import LevelRun, Profile, TraceClock
from tests.analysis.made_up import L, cells, foreign, made_up, trace_of


def table(name: str, profile: Profile) -> Table:
    """Make one table."""
    return chosen([name])[0].compute(profile)


def two_batches() -> Profile:
    """Make a profile of batches 1 and 2: convolutions grow with the batch, the rest does not."""
    one = made_up([L(name="c", ns=100), L(name="r", type="Relu", ns=50)], samples=(200,) * 3, levels="ML")
    two = made_up([L(name="c", ns=200), L(name="r", type="Relu", ns=50)], batch=2, samples=(300,) * 3, levels="ML")
    return replace(one, runs=(*one.runs, *two.runs))


def test_a_profile_of_one_batch_has_only_that() -> None:
    """Analyses of the whole profile are of its smallest batch, else of the one that is chosen."""
    made = two_batches()
    assert cells(table("A2", made), "latency_ns") == (100, 50)
    assert cells(table("A2", at_batch(made, 2)), "latency_ns") == (200, 50)


def test_the_overhead_of_levels_is_of_timed_calls() -> None:
    """Each run has a row against the one above it; a trace of somebody else has none."""
    shown = table("overhead", made_up([L(name="a")]))
    assert cells(shown, "levels") == ("M", "ML", "MLK")
    assert cells(shown, "over") == (None, "M", "ML")
    assert cells(shown, "added_ns") == (None, 0, 0)
    alone = made_up([L(name="a")])
    assert "several levels" in table("overhead", replace(alone, runs=alone.runs[:1])).unavailable
    assert table("overhead", foreign(trace_of([L(name="a")]))).unavailable


EMPTY = TraceBuilder(clock=TraceClock(name="none")).built()
samples = st.lists(st.integers(1, 10**12), min_size=1, max_size=20)


def profile(**runs: list[int]) -> Profile:
    """Make a profile of samples by level."""
    made = tuple(LevelRun(batch=1, levels=levels, samples_ns=tuple(one), trace=EMPTY) for levels, one in runs.items())
    return Profile(network="n", system={}, runtime={}, runs=made)


@pytest.mark.parametrize(
    ("values", "mean"),
    [([4], 4), ([4, 8], 6), ([1, 2, 90], 2), ([1, 2, 3, 90], 24), ([0, 2, 3, 4, 90], 3), ([*range(10)], 4.5)],
)
def test_trimmed_means_are_those_of_xsp(values: list[float], mean: float) -> None:
    """Fewer than three values: the mean; three: the median; else a fifth is cut off at each side."""
    assert trimmed_mean(values) == mean


@given(samples)
def test_trimmed_means_ignore_order(values: list[int]) -> None:
    """A trimmed mean lies within the values, in whatever order they come."""
    assert min(values) <= trimmed_mean(values) <= max(values)
    assert trimmed_mean(values) == trimmed_mean(sorted(values))


@given(samples, st.integers(0, 10**9))
def test_a_constant_that_a_level_adds_is_found(values: list[int], added: int) -> None:
    """However calls vary from round to round, what every call of a level takes more is what the level adds."""
    first, second = overheads(profile(M=values, ML=[value + added for value in values]))
    assert first.over == ""
    assert first.added is None
    assert second.over == "M"
    assert second.added is not None
    assert second.added.median_ns == added
    assert second.added.trimmed_mean_ns == pytest.approx(added)
    if len(values) > 1:
        assert (second.added.low_ns, second.added.high_ns) == (added, added)
    assert second.relative == pytest.approx(added / statistics.median(values))


@given(samples, samples)
def test_runs_of_different_length_are_compared_too(short: list[int], long: list[int]) -> None:
    """Without a sample of every round the difference is that of the medians, within its interval."""
    second = overheads(profile(M=short, ML=[*long, *long, *short]))[1]
    assert second.added is not None
    assert second.added.low_ns <= second.added.median_ns <= second.added.high_ns


def test_a_level_left_out_is_skipped() -> None:
    """What kernels add is told over the next level that was run; runs without samples are none."""
    made = overheads(profile(M=[10, 10], MLK=[30, 30]))
    assert [(one.levels, one.over) for one in made] == [("M", ""), ("MLK", "M")]
    assert overheads(profile(ML=[])) == ()
