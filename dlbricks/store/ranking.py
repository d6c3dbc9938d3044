"""Ranks submissions of one configuration: the first one that holds a sequence answers for it."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row, case

from dlbricks.store.tables import submissions

PROVISIONAL, CONFIRMED = "provisional", "confirmed"
"""Events of a submission that its sender does not stand for yet, and then does."""
_MARK = f"{PROVISIONAL} "
SELF_REPORTED, CONSISTENT, CHALLENGED, AUDITED = _BELIEVED = ("self-reported", "consistent", "challenged", "audited")
TIERS = tuple(name for tier in _BELIEVED for name in (_MARK + tier, tier))
"""How far a submission is believed, least first: nothing else is known of it; it is signed by the owner of its name and
no rule warns of it; it held a challenge; somebody else measured on the machine. Each of them after ``provisional`` and
itself, as in ``provisional consistent``."""

TIER = case({name: rank for rank, name in enumerate(TIERS)}, value=submissions.c.trust, else_=0)
"""The place of a submission's tier in ``TIERS``."""

RANK = (TIER.desc(), submissions.c.complete.desc(), submissions.c.started_unix_ns.desc(), submissions.c.digest)
"""Better believed before others, complete before partial, newer before older; the digest only makes the order total."""

_SMALL = 2
"""A submission with so many times fewer sequences than another of its configuration is a small one."""


def tier_of(trust: str) -> str:
    """Give how far a submission is believed, be it provisional or not."""
    return trust.removeprefix(_MARK)


def is_provisional(trust: str) -> bool:
    """Whether the sender of a submission does not stand for it yet."""
    return trust.startswith(_MARK)


def after(trust: str, kind: str) -> str:
    """Give how far a submission is believed once an event of some kind was added to it."""
    if kind == CONFIRMED:
        return tier_of(trust)
    if kind == PROVISIONAL:
        return _MARK + tier_of(trust)
    return trust.replace(tier_of(trust), kind) if kind in _BELIEVED else trust


def least(found: Iterable[str]) -> str:
    """Give the least believed of several, as provisional if any of them is."""
    tiers = list(found)
    tier = min(map(tier_of, tiers), key=TIERS.index, default=SELF_REPORTED)
    return after(tier, PROVISIONAL) if any(map(is_provisional, tiers)) else tier


def best_first(rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Sort the submissions of a configuration (``select_ranked``), the best one first.

    One with less than half as many sequences as the largest goes after all others of its tier: it does not stand for
    the machine, however complete its suite is.
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
