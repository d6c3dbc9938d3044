"""Classifier that distinguishes sequences of real networks from others by operators, sizes and divisors of sizes.

Gradient boosting (Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29(5),
2001) with Newton steps and oblivious trees as in CatBoost (Prokhorenkova et al., NeurIPS 2018): all nodes of a level
split on the same feature, so a tree is a table. scikit-learn has boosted trees, too, but is a dependency of 40 MB.
"""

import functools
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dlbricks.leakage.features import Piece

Floats: TypeAlias = NDArray[np.float64]
_BUCKETS = 48
_DIVISORS = (2, 3, 8, 12, 16, 32, 64)
_TENSORS = 4
_RANK = 4
_TREES = 80
_DEPTH = 4
_RATE = 0.1
_BINS = 32
_RIDGE = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tree:
    """An oblivious tree: feature and threshold of each level, and the values of the leaves."""

    figures: tuple[int, ...]
    thresholds: tuple[float, ...]
    values: Floats

    def added(self, given: Floats) -> Floats:
        leaf = np.zeros(len(given), np.int64)
        for figure, threshold in zip(self.figures, self.thresholds, strict=True):
            leaf = 2 * leaf + (given[:, figure] > threshold)
        return np.asarray(self.values[leaf], np.float64)


Classifier: TypeAlias = tuple[_Tree, ...]


@functools.lru_cache(maxsize=1 << 16)
def feature_vector(piece: Piece) -> Floats:
    """Return a piece's features: hashed pairs of operators, sizes, divisibility and ratios of sizes."""
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
        max(extents),
        min(extents),
        last / first,
        abs(math.log2(last / first)),
        piece.weight_bytes,
        piece.weight_bytes & -piece.weight_bytes,
        piece.seconds,
        len(piece.inputs),
        len(piece.operators),
        max(map(len, shapes), default=0),
    ]
    for shape in (*shapes[:_TENSORS], *((),) * (_TENSORS - len(shapes))):
        for extent in (*shape[-_RANK:], *(0,) * (_RANK - len(shape))):
            numbers += [extent, extent & -extent, extent.bit_count()]
    return np.concatenate([made, numbers])


def train(real: Sequence[Piece], others: Sequence[Piece]) -> Classifier:
    """Fit trees that give real pieces high scores; both classes have equal total weight."""
    given = np.stack([feature_vector(piece) for piece in (*real, *others)])
    labels = np.concatenate([np.ones(len(real)), np.zeros(len(others))])
    counts = np.where(labels > 0, 0.5 / len(real), 0.5 / len(others)) * len(labels)
    limits = [np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1])) for column in given.T]
    binned = np.stack([np.searchsorted(limit, column) for limit, column in zip(limits, given.T, strict=True)], axis=1)
    score = np.zeros(len(given))
    trees = list[_Tree]()
    for _ in range(_TREES):
        chance = 1 / (1 + np.exp(-score))
        tree = _grow(binned, limits, counts * (labels - chance), counts * chance * (1 - chance))
        trees.append(tree)
        score = score + tree.added(given)
    return tuple(trees)


def _grow(binned: NDArray[np.int64], limits: Sequence[Floats], gradient: Floats, hessian: Floats) -> _Tree:
    """Grow a tree level by level; each level takes the feature and threshold with the largest gain over all nodes."""
    leaf = np.zeros(len(binned), np.int64)
    columns = binned.shape[1]
    chosen, thresholds = list[int](), list[float]()
    for level in range(_DEPTH):
        nodes = 1 << level
        at = ((leaf[:, None] * columns + np.arange(columns)) * _BINS + binned).ravel()
        low_gradient, low_hessian = (
            np.bincount(at, np.repeat(weights, columns), nodes * columns * _BINS)
            .reshape(nodes, columns, _BINS)
            .cumsum(axis=2)
            for weights in (gradient, hessian)
        )
        high_gradient, high_hessian = low_gradient[:, :, -1:] - low_gradient, low_hessian[:, :, -1:] - low_hessian
        gain = (low_gradient**2 / (low_hessian + _RIDGE) + high_gradient**2 / (high_hessian + _RIDGE)).sum(axis=0)
        for column, limit in enumerate(limits):
            gain[column, len(limit) :] = -1.0
        figure, place = divmod(int(gain.argmax()), _BINS)
        chosen.append(figure)
        thresholds.append(float(limits[figure][place]))
        leaf = 2 * leaf + (binned[:, figure] > place)
    sums = [np.bincount(leaf, weights, 1 << _DEPTH) for weights in (gradient, hessian)]
    return _Tree(figures=tuple(chosen), thresholds=tuple(thresholds), values=_RATE * sums[0] / (sums[1] + _RIDGE))


def scores(classifier: Classifier, pieces: Sequence[Piece]) -> Floats:
    """Return the log odds that each piece is of a real network."""
    given = np.stack([feature_vector(piece) for piece in pieces])
    return np.asarray(sum(tree.added(given) for tree in classifier), np.float64)


def area_under_curve(real: Floats, others: Floats) -> float:
    """Return the ROC AUC: the probability that a real piece scores higher than another; ties count half."""
    above = np.sign(real[:, None] - others[None, :])
    return float(np.mean(above) / 2 + 0.5)
