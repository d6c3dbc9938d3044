"""Colours of layer types: one type has one colour in all charts of a report, seen in light and dark."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

PALETTE = (
    "#4e79a7",
    "#f28e2b",
    "#59a14f",
    "#e15759",
    "#b07aa1",
    "#edc948",
    "#76b7b2",
    "#9c755f",
    "#ff9da7",
)
"""Tableau 10 without its grey."""
OTHER = "other types"
OTHER_COLOUR = "#9aa5b1"


def colours_of(shares: Iterable[Mapping[str, float]]) -> dict[str, str]:
    """Give the types that take most time a colour each, the same over all networks of a report.

    Args:
        shares: for each network, how much of its time each type takes.
    """
    total: dict[str, float] = defaultdict(float)
    for one in shares:
        for type_, share in one.items():
            total[type_] += share
    ranked = sorted(total, key=lambda type_: (-total[type_], type_))
    return dict(zip(ranked, PALETTE, strict=False))
