"""Tiers of trust, and ranking of the submissions of a configuration."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row, case

from dlbricks.store.tables import submissions

PROVISIONAL, CONFIRMED = "provisional", "confirmed"
"""Kinds of events: the sender submitted provisionally, and confirmed later."""
_MARK = f"{PROVISIONAL} "
SELF_REPORTED, CONSISTENT, CHALLENGED, AUDITED = _BELIEVED = ("self-reported", "consistent", "challenged", "audited")
TIERS = tuple(name for tier in _BELIEVED for name in (_MARK + tier, tier))
"""Tiers of trust, lowest first: self-reported; consistent, which is signed by the owner of its name without warnings;
challenged, which passed a challenge; audited, which somebody else measured again on the machine. Each of them also
exists as provisional, below the tier itself, as in ``provisional consistent``."""

TIER = case({name: rank for rank, name in enumerate(TIERS)}, value=submissions.c.trust, else_=0)
"""Index of a submission's tier in ``TIERS``, as an SQL expression."""

RANK = (TIER.desc(), submissions.c.complete.desc(), submissions.c.started_unix_ns.desc(), submissions.c.digest)
"""Order by tier, complete before partial, newer before older; the digest makes the order total."""

_SMALL = 2
"""A submission is small if another one of its configuration has more than this factor times as many sequences."""


def tier_of(trust: str) -> str:
    """Return the tier of trust without the mark of provisional ones."""
    return trust.removeprefix(_MARK)


def checked_tier(trust: str) -> str:
    """Return a tier of trust that was read; raises a ValueError for another text."""
    if trust not in TIERS:
        raise ValueError(f"'{trust}' is not a tier of trust")
    return trust


def is_provisional(trust: str) -> bool:
    """Return whether a tier is of provisional submissions."""
    return trust.startswith(_MARK)


def trust_after(trust: str, kind: str) -> str:
    """Return the tier of a submission after an event of some kind."""
    if kind == CONFIRMED:
        return tier_of(trust)
    if kind == PROVISIONAL:
        return _MARK + tier_of(trust)
    return trust.replace(tier_of(trust), kind) if kind in _BELIEVED else trust


def least_trusted(found: Iterable[str]) -> str:
    """Return the lowest of several tiers, as provisional if any of them is."""
    tiers = list(found)
    tier = min(map(tier_of, tiers), key=TIERS.index, default=SELF_REPORTED)
    return trust_after(tier, PROVISIONAL) if any(map(is_provisional, tiers)) else tier


def best_first(rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Sort the submissions of a configuration (from ``select_ranked``), the best one first.

    One with less than half as many sequences as the largest comes after the others of its tier, even if it is complete.
    """
    most = max((row.results for row in rows), default=0)

    def key(row: Row[Any]) -> tuple[object, ...]:
        small = _SMALL * row.results < most
        return (
            -TIERS.index(row.trust) if row.trust in TIERS else 0,
            small,
            not row.complete,
            -row.started_unix_ns,
            row.digest,
        )

    return sorted(rows, key=key)
