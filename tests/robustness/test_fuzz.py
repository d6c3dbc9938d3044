"""Files that were changed at random are read or refused in one line; ``make fuzz`` tries more of them."""

import pytest

from tests.robustness.fuzz import NETWORK, SUBMISSION, SUITE, TRACE, Case, attempt, case, kept

SEEDS = {NETWORK: 120, SUBMISSION: 30, TRACE: 30, SUITE: 12}
"""How many of each kind every run of the tests tries, from seed 0 on."""


@pytest.mark.parametrize("kind", SEEDS)
def test_changed_files_are_read_or_refused(kind: str) -> None:
    """No traceback, no signal, no hang and no more memory than is allowed, whatever was changed."""
    tried = {seed: attempt(case(kind, seed)) for seed in range(SEEDS[kind])}
    assert {seed: (one.kind, one.reason) for seed, one in tried.items() if not one.fine} == {}
    assert {"refused"} <= {one.kind for one in tried.values()}


@pytest.mark.parametrize("name", kept())
def test_what_went_wrong_once_does_not_again(name: str) -> None:
    """Each find of ``make fuzz`` is read or refused now."""
    outcome = attempt(kept()[name])
    assert outcome.fine, outcome.said


def test_a_case_is_drawn_from_its_seed_alone() -> None:
    """Two draws of a seed are equal, of two seeds mostly not."""
    assert case(NETWORK, 3) == case(NETWORK, 3)
    assert len({case(NETWORK, seed).data for seed in range(20)}) > 15
    assert isinstance(case(TRACE, 1), Case)
