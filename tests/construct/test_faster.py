"""Which system is faster: surer the further estimates lie apart and the narrower their intervals are."""

import dataclasses
import math
from statistics import NormalDist

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.estimate import estimate
from dlbricks.construct.faster import compared, faster
from dlbricks.construct.rules import Rule
from dlbricks.construct.types import Estimate
from tests.construct.made_up import composition, results

MADE = estimate(composition(["a"]), results({"a": 100}), Rule(kind="sequential"))
TOTALS = st.integers(1_000, 10**9)
WIDTHS = st.floats(0.001, 1.0)


def of(total_ns: int, width: float) -> Estimate:
    """Give an estimate whose interval is so wide to both sides, as a logarithm."""
    low, high = (round(total_ns * math.exp(sign * width)) for sign in (-1, 1))
    return dataclasses.replace(MADE, total_ns=total_ns, low_ns=max(1, low), high_ns=high, missing=())


@given(TOTALS, TOTALS, WIDTHS, WIDTHS)
def test_the_other_way_round_is_the_rest(one_ns: int, other_ns: int, mine: float, theirs: float) -> None:
    """Both probabilities add up to 1, speedups are each other's inverse, and the quicker one is the likelier."""
    first, second = faster(of(one_ns, mine), of(other_ns, theirs)), faster(of(other_ns, theirs), of(one_ns, mine))
    assert first.probability is not None
    assert second.probability is not None
    assert first.speedup is not None
    assert second.speedup is not None
    assert math.isclose(first.probability + second.probability, 1, abs_tol=1e-9)
    assert math.isclose(first.speedup * second.speedup, 1, rel_tol=1e-9)
    assert (first.probability >= 0.5) == (one_ns <= other_ns)


def test_the_gap_is_measured_in_intervals() -> None:
    """Intervals of 10 % either way that just touch leave 1 in 100: 90 % of each, in quadrature."""
    made = faster(of(10**6, 0.1), of(round(10**6 * math.exp(0.2)), 0.1))
    deviations = 0.2 / math.hypot(0.1, 0.1) * NormalDist().inv_cdf(0.95)
    assert made.probability is not None
    assert math.isclose(made.probability, NormalDist().cdf(deviations), abs_tol=1e-3)


def test_what_is_not_known_gives_no_probability() -> None:
    """A bound, or an estimate without an interval, says nothing of who is faster."""
    whole = of(10**6, 0.1)
    bound = dataclasses.replace(whole, missing=("f",))
    unsure = dataclasses.replace(whole, low_ns=0)
    assert (faster(whole, bound).speedup, faster(whole, bound).probability) == (None, None)
    assert faster(whole, unsure).speedup == 1
    assert faster(whole, unsure).probability is None


def test_each_further_system_meets_the_first() -> None:
    """Three systems and two networks give four comparisons."""
    systems = [[of(total, 0.1), of(2 * total, 0.1)] for total in (1_000, 2_000, 4_000)]
    assert [round(one.speedup or 0, 6) for one in compared(systems)] == [2, 2, 4, 4]
