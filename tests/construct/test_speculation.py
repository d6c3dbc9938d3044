"""Speculative decoding: expected tokens of a round against drawn rounds, and from when it is faster."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.speculation import tokens_per_round, worth_from


@pytest.mark.parametrize(("ahead", "accepted"), [(1, 0.3), (4, 0.7), (8, 0.95), (3, 0.0), (3, 1.0)])
def test_a_round_makes_as_many_tokens_as_drawn_ones_do(ahead: int, accepted: float) -> None:
    """Tokens up to the first rejected one, and one more."""
    draw, rounds, made = np.random.default_rng(0), 20_000, 0
    for _ in range(rounds):
        taken = 0
        while taken < ahead and draw.random() < accepted:
            taken += 1
        made += taken + 1
    assert made / rounds == pytest.approx(tokens_per_round(ahead, accepted), rel=0.02)


@given(st.integers(1, 16), st.floats(0.1, 20))
def test_worth_it_begins_where_a_round_costs_what_it_makes(ahead: int, cost: float) -> None:
    """None if no acceptance is enough, 0 if a round costs less than a step."""
    found = worth_from(ahead, cost)
    if cost > ahead + 1:
        assert found is None
    else:
        assert found is not None
        assert tokens_per_round(ahead, found) == pytest.approx(max(1.0, cost), abs=1e-6)
