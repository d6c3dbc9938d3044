"""What honest runs differ by: learned from some, judged on others; few sequences of the same code seem to differ."""

import dataclasses
import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spread import run_of

from dlbricks.construct.comparison import compare
from dlbricks.store.database import ResultStore
from dlbricks.store.records import HOUR_NS, relative_half_width
from dlbricks.store.spread import LEAST_PAIRS, LEVELS, Difference, Spread, default_spread, differences, learned
from dlbricks.store.types import SystemResults
from tests.store.stored import configuration, honest_runs, results_of_run, submission


@pytest.fixture(scope="module")
def honest() -> dict[tuple[str, str, int], list[SystemResults]]:
    """Return honest runs by suite, runtime and threads, by start."""
    return {kind: [*map(results_of_run, runs)] for kind, runs in honest_runs().items() if len(runs) > 3}


def _share(pairs: Sequence[Difference], spread: Spread) -> float:
    """Return the share of sequences that are said to differ."""
    return float(np.concatenate([pair.scores > spread.factor(len(pair.scores)) for pair in pairs]).mean())


def test_few_sequences_of_the_same_code_seem_to_differ(honest: dict[tuple[str, str, int], list[SystemResults]]) -> None:
    """At most 5 % of the intervals of ``compare`` exclude 1, for each kind; sampling alone excludes 21 to 52 %."""
    assert len(honest) == 8
    for kind, runs in honest.items():
        outside, alone = [], []
        for one, two in itertools.combinations(runs, 2):
            made = compare(one, two, {})
            assert made.spread is not None
            assert made.spread.source == "archives"
            for row in made.rows:
                both = [relative_half_width(side.measurements[row.fingerprint]) for side in (one, two)]
                outside.append(not row.low <= 1 <= row.high)
                alone.append(abs(math.log(row.ratio)) > math.hypot(*both))
        assert np.mean(outside) < 0.05, kind
        assert np.mean(alone) > 0.2, kind


def test_what_some_runs_teach_holds_for_others(honest: dict[tuple[str, str, int], list[SystemResults]]) -> None:
    """Every second run teaches, the others judge: at most 6 % are outside, 1 % of all together."""
    shares = {}
    for kind, runs in honest.items():
        halves = [differences(map(run_of, runs[start::2])) for start in (0, 1)]
        for at in (0, 1):
            shares[kind, at] = _share(halves[at], learned(halves[1 - at], "store"))
    assert max(shares.values()) < 0.06
    assert np.mean(list(shares.values())) < 0.01


def test_a_real_difference_is_still_found(honest: dict[tuple[str, str, int], list[SystemResults]]) -> None:
    """Of sequences that take half as long again 80 % are found among 60, on one thread with busy neighbours."""
    (runs,) = (runs for (suite, _, threads), runs in honest.items() if suite.startswith("ebf9fb") and threads == 1)
    pairs = differences(map(run_of, runs))
    factor = default_spread(runs[0].configuration).factor(60)
    widths = [np.abs(pair.logs) / np.maximum(pair.scores, 1e-9) for pair in pairs]
    found = [pair.logs + math.log(1.5) > factor * width for pair, width in zip(pairs, widths, strict=True)]
    assert np.mean(found) > 0.8


def test_a_store_teaches_what_its_runs_differ_by() -> None:
    """From ten pairs of a kind on; other threads, other runtimes and smoke tests teach nothing."""
    other = dataclasses.replace(configuration("b"), runtime="openvino 2026.4.1")
    with ResultStore.open("sqlite://", create=True) as store:
        for number in range(5):
            latency = round(100_000 * (1.1 if number % 2 else 1))
            for of, threads, smoke in (("a", 1, False), ("a", 2, True)):
                started = number * HOUR_NS + threads
                made = configuration(of, threads=threads)
                store.add(submission(range(9), started=started, latency_ns=latency, of=made, smoke=smoke))
            if number < 4:
                store.add(submission(range(9), started=number, latency_ns=latency, of=other))
        own = store.spread(configuration("nobody"))
        assert (own.source, own.pairs) == ("store", LEAST_PAIRS)
        assert own.medians[-1] == own.sequences[-1] == pytest.approx(math.log(1.1), abs=1e-4)
        assert own.beyond == (0,) * len(LEVELS)
        for few in (configuration("a", threads=2), other):
            assert store.spread(few) == default_spread(few)
    assert default_spread(other).source == "archives"
    assert default_spread(configuration(provider="cuda")) == default_spread()


def test_the_archives_know_kinds() -> None:
    """An exact kind has figures of its own, of which none is narrower than that of all."""
    run = next(iter(honest_runs().values()))[0]
    own = default_spread(results_of_run(run).configuration)
    assert own != default_spread()
    assert own.pairs < default_spread().pairs
    assert own.excess >= default_spread().excess
    assert all(tuple(sorted(each)) == each for each in (own.medians, own.beyond, own.sequences))


@given(st.floats(0.5, 20), st.integers(1, 100_000))
def test_a_factor_leaves_each_its_share_of_the_errors(excess: float, number: int) -> None:
    """What lies just outside of the intervals of ``number`` sequences happens with 5 % by that number."""
    spread = dataclasses.replace(default_spread(), excess=excess)
    assert spread.factor(1) == pytest.approx(excess)
    assert float(spread.chance(np.array([spread.factor(number)]))[0]) == pytest.approx(0.05 / number)


_ROWS = st.dictionaries(st.integers(0, 9), st.tuples(st.integers(1, 10**9), st.floats(0, 2)), min_size=3)


@given(_ROWS, st.floats(0, 1), st.floats(1.1, 5))
def test_differences_are_those_of_the_ratio(rows: dict[int, tuple[int, float]], drift: float, factor: float) -> None:
    """A run that takes longer throughout differs by that in each sequence, either way; a run from itself by nothing."""
    slower = {name: (round(10**3 * latency * factor), half) for name, (latency, half) in rows.items()}
    rows = {name: (10**3 * latency, half) for name, (latency, half) in rows.items()}
    [made] = differences([(drift, rows), (drift, slower)])
    [back] = differences([(drift, slower), (drift, rows)])
    assert made.logs == pytest.approx(np.full(len(rows), math.log(factor)), abs=1e-3)
    assert made.logs == pytest.approx(-back.logs)
    assert made.scores == pytest.approx(back.scores)
    [same] = differences([(drift, rows), (drift, rows)])
    assert learned([same], "store").excess == 0
    assert differences([(drift, dict(list(rows.items())[:2])), (drift, rows)]) == []
