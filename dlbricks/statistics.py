"""Statistical functions; ``harness.stats`` has those for a single benchmark."""

import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np


def conformal_quantile(scores: Collection[float], level: float) -> float:
    """Return the score of rank ceil((n + 1) * level); with probability ``level``, a new score is not above it."""
    rank = min(len(scores), math.ceil((len(scores) + 1) * level))
    return float(np.sort(np.asarray(scores))[rank - 1])


def trimmed_mean(values: Sequence[float]) -> float:
    """Return the mean without the lowest and the highest fifth of the values, as in XSP; 0.0 without values."""
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    # XSP takes the median of three values, although a fifth of three is less than one value
    cut = 1 if len(ordered) == 3 else len(ordered) // 5
    return float(ordered[cut : len(ordered) - cut].mean()) if len(ordered) else 0.0


def median_or_zero(values: Sequence[float]) -> float:
    """Return the median; 0.0 without values."""
    return float(np.median(values)) if len(values) else 0.0


def quadrature(half_widths: Iterable[float]) -> float:
    """Return the root of the sum of squares: the half-width of a sum of independent errors."""
    return math.sqrt(math.fsum(half_width * half_width for half_width in half_widths))


def correlated_sum(half_widths: Iterable[float], correlation: float) -> float:
    """Return the half-width of a sum of errors; ``correlation`` is the correlation of every two errors."""
    listed = list(half_widths)
    alone = math.fsum(half_width * half_width for half_width in listed)
    return math.sqrt((1 - correlation) * alone + correlation * math.fsum(listed) ** 2)
