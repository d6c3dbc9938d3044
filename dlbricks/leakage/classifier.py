"""Tells pieces of real networks from others by what they look like: logistic regression on shapes and operators.

Written here, since a Newton step of numpy is all there is to it (Hastie et al., The Elements of Statistical Learning,
section 4.4.1); scikit-learn, at 40 MB, was looked at.
"""

import functools
import math
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dlbricks.leakage.anatomy import Piece

_BUCKETS = 48
_STEPS = 25
_RIDGE = 1.0
_DIVISORS = (2, 3, 8, 12, 16, 32, 64)


@functools.lru_cache(maxsize=1 << 16)
def described(piece: Piece) -> NDArray[np.float64]:
    """Describe a piece by numbers: operators in buckets, sizes, by what extents can be divided, how they compare."""
    made = np.zeros(_BUCKETS)
    for pair in zip(("", *piece.operators), (*piece.operators, ""), strict=True):
        made[zlib.crc32("/".join(pair).encode()) % _BUCKETS] = 1.0
    shapes = [shape for _, shape in (*piece.inputs, *piece.outputs)]
    extents = [extent for shape in shapes for extent in shape if extent > 1] or [1]
    channels = [shape[1 if len(shape) == 4 else -1] for shape in shapes if len(shape) > 1] or [1]
    first, last = max(1, channels[0]), max(1, channels[-1])
    numbers = [
        *(sum(extent % divisor == 0 for extent in channels) / len(channels) for divisor in _DIVISORS),
        float(all(extent & (extent - 1) == 0 for extent in channels)),
        *(math.log2(value) / 8 for value in (max(extents), min(extents), first, last)),
        math.log2(last / first) / 4,
        abs(math.log2(last / first)) / 4,
        math.log2(1 + piece.weight_bytes) / 16,
        math.log2(piece.seconds * 1e6) / 8,
        len(piece.inputs) / 2,
        len(piece.operators) / 4,
        max(map(len, shapes), default=0) / 4,
    ]
    return np.concatenate([made, numbers, [1.0]])


def trained(real: Sequence[Piece], others: Sequence[Piece]) -> NDArray[np.float64]:
    """Fit weights so that real pieces score high; both kinds count alike, however many there are."""
    given = np.stack([described(piece) for piece in (*real, *others)])
    labels = np.concatenate([np.ones(len(real)), np.zeros(len(others))])
    counts = np.where(labels > 0, 0.5 / len(real), 0.5 / len(others)) * len(labels)
    weights = np.zeros(given.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(given @ weights, -30, 30)))
        slope = given.T @ (counts * (labels - chance)) - _RIDGE * weights
        bend = (given * (counts * chance * (1 - chance))[:, None]).T @ given + _RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def scores(weights: NDArray[np.float64], pieces: Sequence[Piece]) -> NDArray[np.float64]:
    """Score pieces; the higher, the more like real ones."""
    return np.asarray([float(described(piece) @ weights) for piece in pieces], np.float64)


def area_under_curve(real: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    """Give the chance that a real piece scores above another one; equal scores count half (Mann and Whitney, 1947)."""
    above = np.sign(real[:, None] - others[None, :])
    return float(np.mean(above) / 2 + 0.5)
