"""Statistics of the package. Pure; ``harness.stats`` has those of single benchmarks, which travel with suites."""

import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np


def conformal_quantile(scores: Collection[float], level: float) -> float:
    """Return the score of rank ceil((n + 1) * ``level``) among n, or the largest: holds a new one with ``level``."""
    rank = min(len(scores), math.ceil((len(scores) + 1) * level))
    return float(np.sort(np.asarray(scores))[rank - 1])


def trimmed_mean(values: Sequence[float]) -> float:
    """Return the mean without the lowest and highest fifth of the values (XSP, ``rai-project/evaluation``), or 0."""
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    # XSP takes the median of three values, whose fifth is none
    cut = 1 if len(ordered) == 3 else len(ordered) // 5
    return float(ordered[cut : len(ordered) - cut].mean()) if len(ordered) else 0.0


def median_or_zero(values: Sequence[float]) -> float:
    """Return the median; 0 without values."""
    return float(np.median(values)) if len(values) else 0.0


def quadrature(half_widths: Iterable[float]) -> float:
    """Add half-widths of independent errors."""
    return math.sqrt(math.fsum(half_width * half_width for half_width in half_widths))


def correlated_sum(half_widths: Iterable[float], correlation: float) -> float:
    """Add half-widths of errors of equal correlation, 0 (quadrature) to 1 (sum)."""
    listed = list(half_widths)
    alone = math.fsum(half_width * half_width for half_width in listed)
    return math.sqrt((1 - correlation) * alone + correlation * math.fsum(listed) ** 2)
