"""Which of several submissions of one configuration goes first."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, case

from dlbricks.store.tables import submissions

SELF_REPORTED, CONSISTENT, CHALLENGED, AUDITED = TIERS = ("self-reported", "consistent", "challenged", "audited")
"""How far a submission is believed, least first: nothing else is known of it; it is signed by the owner of its name and
no rule warns of it; it held a challenge; somebody else measured on the machine."""

TIER = case({name: rank for rank, name in enumerate(TIERS)}, value=submissions.c.trust, else_=0)
"""The place of a submission's tier in ``TIERS``."""

RANK = (TIER.desc(), submissions.c.complete.desc(), submissions.c.started_unix_ns.desc(), submissions.c.digest)
"""Better believed before others, complete before partial, newer before older; the digest only makes the order total."""

_SMALL = 2
"""A submission with so many times fewer sequences than another of its configuration is a small one."""


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
