"""Which networks belong together, by what they are made of and not by their names. Pure."""

from collections.abc import Sequence

from dlbricks.construct.validation_nouns import ModelValidation

SHARED = 0.1
"""Share of a network's time, in sequences that another one has too, from which on the two are of one family."""


def families(models: Sequence[ModelValidation]) -> dict[str, str]:
    """Give every network the name of its family: of its first member.

    Two networks are of one family if sequences that both have make up ``SHARED`` of the time of either, or if a chain
    of such networks joins them.
    """
    family = {one.model: one.model for one in models}
    for index, one in enumerate(models):
        for other in models[:index]:
            if _shared(one, other) >= SHARED:
                old, new = sorted((family[one.model], family[other.model]), reverse=True)
                family = {model: new if name == old else name for model, name in family.items()}
    return family


def _shared(one: ModelValidation, other: ModelValidation) -> float:
    """Give the greater of the two shares of time that lies in sequences of both."""
    both = {part.fingerprint for part in one.parts} & {part.fingerprint for part in other.parts}
    return max(sum(part.share for part in each.parts if part.fingerprint in both) for each in (one, other))
