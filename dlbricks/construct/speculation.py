"""Predicts how a decoder answers a prompt by speculative decoding. Pure.

A small decoder drafts ``k`` tokens and a large one verifies them in one call with ``k + 1`` new tokens. Tokens after
the first rejected one are discarded; the verifying call adds one token. With acceptance probability ``a``, independent
for each token, a round makes ``1 + a + ... + a**k`` tokens on average (Leviathan et al. 2023).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dlbricks.construct.generation import CallTime, Generation, TokenStep, added, summed, weighted


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round of speculative decoding."""

    past: int
    """Tokens in the cache before it."""
    drafting: CallTime
    """One step of the small decoder."""
    verifying: CallTime
    """Call of the large decoder with all drafted tokens and the last one before them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speculation:
    """How a decoder answers with speculative decoding; choosing tokens is in none of its times."""

    draft: str
    """The network that drafts."""
    ahead: int
    """Drafted tokens per round."""
    accepted: float
    """Given probability that a drafted token is accepted."""
    tokens_per_round: float
    """Expected value."""
    rounds: tuple[Round, ...]
    steps: tuple[TokenStep, ...]
    """Expected time per further token, at the same lengths as without speculation."""
    whole: CallTime
    """The prompt, read by both networks, and all further tokens."""
    speedup: float
    """Of the whole answer, relative to ``plain``."""
    worth_from: float | None
    """Acceptance probability from which on speculation is faster; None if it never is."""
    plain: Generation
    """The answer without speculation."""


def tokens_per_round(ahead: int, accepted: float) -> float:
    """Return the expected number of tokens of a round.

    >>> tokens_per_round(4, 0.5)
    1.9375
    """
    return float(sum(accepted**index for index in range(ahead + 1)))


def worth_from(ahead: int, cost: float) -> float | None:
    """Return the least acceptance probability at which a round makes as many tokens as it costs steps, if there is one.

    Args:
        ahead: drafted tokens per round.
        cost: of a round, in steps without speculation.
    """
    if cost > ahead + 1:
        return None
    if cost <= 1:
        return 0.0
    from scipy.optimize import brentq

    return float(brentq(lambda accepted: tokens_per_round(ahead, accepted) - cost, 0.0, 1.0))


def speculated(
    plain: Generation, draft: str, prompt: CallTime, rounds: Sequence[Round], *, ahead: int, accepted: float
) -> Speculation:
    """Combine rounds at some lengths into an answer.

    Args:
        plain: the answer without speculation, with at least one step.
        draft: name of the drafting network.
        prompt: time of the drafting network to read the prompt.
        rounds: at the lengths of the steps of ``plain``.
        ahead: drafted tokens per round.
        accepted: probability that a drafted token is accepted.
    """
    made = tokens_per_round(ahead, accepted)
    each = [
        TokenStep(past=one.past, time=weighted([(ahead / made, one.drafting), (1 / made, one.verifying)]))
        for one in rounds
    ]
    whole = summed(added([plain.first_token, prompt]), each)
    return Speculation(
        draft=draft,
        ahead=ahead,
        accepted=accepted,
        tokens_per_round=made,
        rounds=tuple(rounds),
        steps=tuple(each),
        whole=whole,
        speedup=plain.whole.middle_ns / whole.middle_ns,
        worth_from=worth_from(ahead, made * each[0].time.middle_ns / plain.steps[0].time.middle_ns),
        plain=plain,
    )
