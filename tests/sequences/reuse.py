"""Which sequences occur, and how often, over many splits."""

from collections.abc import Iterable
from dataclasses import dataclass

from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.types import CanonicalSequence, LayerSequence, Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """A sequence where it was met first, and how often it was met."""

    model: Model
    sequence: LayerSequence
    canonical: CanonicalSequence
    count: int


def unique(splits: Iterable[Split]) -> dict[str, Occurrence]:
    """Find the different sequences, those that cannot be measured among them.

    Returns:
        By fingerprint, in order of first occurrence.
    """
    found: dict[str, Occurrence] = {}
    for split in splits:
        for sequence in split.sequences:
            canonical = canonicalise(split.model, sequence)
            known = found.get(canonical.fingerprint)
            found[canonical.fingerprint] = Occurrence(
                model=known.model if known else split.model,
                sequence=known.sequence if known else sequence,
                canonical=known.canonical if known else canonical,
                count=known.count + 1 if known else 1,
            )
    return found
