"""How far an estimate may be off: sampling, drift and the error of composing, and the table of what composing costs.

Pure. The parts are independent of each other and add in quadrature, side by side.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from dlbricks.construct.nouns import IntervalParts


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionBand:
    """Within which band around the estimate 95 % of networks were measured, sampling and drift apart."""

    target: str
    granularity: str
    """As ``Granularity`` writes it; ``""`` holds for every granularity that has no row of its own."""
    low: float
    """Relative to the estimate, <= 0: how much lower networks were measured."""
    high: float
    """Relative to the estimate, >= 0."""
    evidence: str
    """Where the figures come from."""


BANDS = (
    CompositionBand(
        target="portable",
        granularity="",
        low=-0.14,
        high=0.24,
        evidence="a validation of 50 networks at H = 1 on 2 virtual cores: 48 lie within; other H have no figures yet",
    ),
    CompositionBand(
        target="onnxruntime-cpu",
        granularity="",
        low=-0.04,
        high=0.19,
        evidence="a validation of 50 networks at H = 1 on 2 virtual cores: 49 lie within; other H have no figures yet",
    ),
)
"""Rows with a granularity of their own come before the row for all others of the same target."""


def composition_band(target: str, granularity: str) -> CompositionBand:
    """Give the row for a target and a granularity; for an unknown target the widest row there is."""
    for band in BANDS:
        if band.target == target and band.granularity in (granularity, ""):
            return band
    return max(BANDS, key=lambda band: band.high - band.low)


def sampling_half_width(terms: Iterable[tuple[int, float]]) -> int:
    """Add up the half-widths of sequences, each used ``count`` times, in ns.

    Steps that are the same sequence rest on one measurement and err together (their half-widths add); different
    sequences err independently (theirs add in quadrature).
    """
    return round(math.sqrt(math.fsum((count * half_width_ns) ** 2 for count, half_width_ns in terms)))


def interval(total_ns: int, parts: IntervalParts) -> tuple[int, int]:
    """Give the ends of the 95 % interval around ``total_ns``, the lower one not below 0."""
    drift = parts.drift * total_ns
    below = math.hypot(parts.sampling_low_ns, drift, parts.composition_low * total_ns)
    above = math.hypot(parts.sampling_high_ns, drift, parts.composition_high * total_ns)
    return max(0, round(total_ns - below)), round(total_ns + above)
