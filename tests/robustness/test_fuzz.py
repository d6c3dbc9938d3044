"""Files that were changed at random are read or refused in one line; ``make fuzz`` tries more of them."""

import pytest

from dlbricks.cli.app import COMMANDS
from tests.robustness.emitted import known, shape
from tests.robustness.fuzz import (
    ANSWER,
    CALLS,
    CHALLENGE,
    DECODER,
    NETWORK,
    PROFILE,
    RETRACED,
    REWIRED,
    STORE,
    SUBMISSION,
    SUITE,
    TRACE,
    VERBS,
    Case,
    attempt,
    case,
    kept,
)
from tests.robustness.sound import challenge

SEEDS = {
    NETWORK: 22, REWIRED: 12, SUBMISSION: 20, TRACE: 12,
    RETRACED: 18, SUITE: 7, STORE: 6, DECODER: 6, PROFILE: 4, CHALLENGE: 5,
    ANSWER: 6,
}  # fmt: skip
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


def test_every_public_entry_is_tried() -> None:
    """Each call of the driver is of some kind of file, and those named here are among them."""
    assert {verb for verbs in VERBS.values() for verb in verbs} == set(CALLS)
    public = {"inspect", "generate", "check", "submit", "estimate", "analyse", "whatif", "run"}
    assert public <= set(CALLS) & set(COMMANDS)


def test_a_sound_answer_to_a_challenge_holds() -> None:
    """What is changed is accepted as it is, so that changes reach what comes after the first checks."""
    assert attempt(Case(verb="answered", data=(challenge() / "answer.json").read_bytes())).kind == "ok"


def test_code_of_other_shape_is_seen() -> None:
    """A text that ends its string is no longer what a template makes; one inside of it is."""
    plain = b'"""Doc."""\nX = {"a": [1, -2, "text"], "b": None}\nprint(X)\n'
    assert shape(plain) == shape(plain.replace(b"text", b"{{ 7 * 7 }}"))
    assert shape(plain) != shape(plain.replace(b'"text"', b'"" + str(exit())'))
    assert shape(b'"""Doc.""" """') == ""
    assert "" not in known()


def test_a_case_is_drawn_from_its_seed_alone() -> None:
    """Two draws of a seed are equal, of two seeds mostly not."""
    assert case(NETWORK, 3) == case(NETWORK, 3)
    assert len({case(NETWORK, seed).data for seed in range(20)}) > 15
    assert isinstance(case(TRACE, 1), Case)
