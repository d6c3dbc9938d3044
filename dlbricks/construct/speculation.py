"""Speculative decoding: a small decoder drafts some tokens, a large one verifies them in one call. Pure.

A drafted token is accepted with some probability, and those after the first that is not are thrown away; the verifying
call gives one token more. So a round of ``k`` drafted tokens makes ``1 + a + ... + a**k`` tokens in the mean (Leviathan
et al. 2023, where the tokens are taken to be accepted independently of each other), and takes ``k`` steps of the small
decoder and one call of the large one with ``k + 1`` new tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dlbricks.construct.generation import CallTime, Generation, TokenStep, summed, together

_HALVINGS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round behind so many tokens."""

    past: int
    drafting: CallTime
    """One step of the small decoder."""
    verifying: CallTime
    """The call of the large one with all drafted tokens and the last one before them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speculation:
    """How a decoder answers with the help of a smaller one; choosing tokens is in none of its times."""

    draft: str
    """Network that drafts."""
    ahead: int
    """Tokens that it drafts in a round."""
    accepted: float
    """Probability that a drafted token is accepted, as asked."""
    tokens_per_round: float
    """Expected."""
    rounds: tuple[Round, ...]
    steps: tuple[TokenStep, ...]
    """Time per further token, expected, at the same lengths as without speculation."""
    whole: CallTime
    """The prompt, read by both, and all further tokens."""
    speedup: float
    """Of the whole: how many times as fast as without."""
    worth_from: float | None
    """Probability of acceptance from which the first token after the prompt comes sooner; None where none is enough."""
    plain: Generation
    """The same without speculation."""


def tokens_per_round(ahead: int, accepted: float) -> float:
    """Give the tokens that a round makes in the mean.

    >>> tokens_per_round(4, 0.5)
    1.9375
    """
    return float(sum(accepted**index for index in range(ahead + 1)))


def worth_from(ahead: int, cost: float) -> float | None:
    """Give the least probability of acceptance at which a round makes as many tokens as it costs steps.

    Args:
        ahead: tokens that are drafted in a round.
        cost: of a round, in steps without speculation.
    """
    if cost > ahead + 1:
        return None
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if tokens_per_round(ahead, middle) < cost else (low, middle)
    return high if cost > 1 else 0.0


def speculated(
    plain: Generation, draft: str, prompt: CallTime, rounds: Sequence[Round], *, ahead: int, accepted: float
) -> Speculation:
    """Put rounds at some lengths together to an answer.

    Args:
        plain: the answer without speculation, of at least one further token.
        draft: name of the network that drafts.
        prompt: reading the prompt by the network that drafts.
        rounds: at the lengths of the steps of ``plain``.
        ahead: tokens that are drafted in a round.
        accepted: probability that one is accepted.
    """
    made = tokens_per_round(ahead, accepted)
    costs = [_cost(one, ahead) for one in rounds]
    each = [TokenStep(past=one.past, time=_over(cost, made)) for one, cost in zip(rounds, costs, strict=True)]
    whole = summed(together([plain.first_token, prompt]), each)
    return Speculation(
        draft=draft,
        ahead=ahead,
        accepted=accepted,
        tokens_per_round=made,
        rounds=tuple(rounds),
        steps=tuple(each),
        whole=whole,
        speedup=plain.whole.middle_ns / whole.middle_ns,
        worth_from=worth_from(ahead, costs[0].middle_ns / plain.steps[0].time.middle_ns),
        plain=plain,
    )


def _cost(one: Round, ahead: int) -> CallTime:
    """Give what a round takes."""
    return together([*[one.drafting] * ahead, one.verifying])


def _over(time: CallTime, tokens: float) -> CallTime:
    low, middle, high = (round(one / tokens) for one in (time.low_ns, time.middle_ns, time.high_ns))
    return CallTime(low_ns=low, middle_ns=middle, high_ns=high)
