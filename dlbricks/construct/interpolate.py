"""Predicts latencies of sequences that were not measured from those of sequences of the same kinds. Pure.

A latency is the time at the rates of the system multiplied by a factor. The rates follow the roofline model (Williams,
Waterman, Patterson, CACM 52(4), 2009, doi 10.1145/1498765.1498785), with sums in place of maxima, as computing and
fetching overlap only in part. The logarithm of the factor varies slowly with the sizes of a layer. It is predicted by
Gaussian process regression (``gaussian_process``) over the logarithms of all sizes, for each tuple of kinds
(``operators.costs``) separately.

Intervals are conformal: each measured sequence is predicted from all others, and the standard deviations of the
regression are scaled until they hold 95 % of the residuals; kinds with few sequences are pooled. Errors of one network
are correlated (``intervals.correlated_sum``).

Nothing is predicted for arithmetic of kinds that were not measured, for sizes far outside of the measured ones, or if
the interval would be too wide. Sequences without arithmetic (copies, element-wise maps) and without neighbours get the
median of all sequences without arithmetic, with an interval as wide as these scatter.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dlbricks.construct.cache_model import Latencies, net_latencies
from dlbricks.construct.gaussian_process import Floats, GaussianProcess, fit_process
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.types import QueueTimes, SystemResults

OUTSIDE = 16.0
"""Largest ratio of a size to the largest measured one of its kinds."""
BELOW = 256.0
"""Largest ratio of the smallest measured size to a size: errors of small sequences matter little."""
WIDEST = 10.0
"""Largest factor that the 95 % interval of a sequence with arithmetic may span."""
LEVEL = 0.95
_LEAST_STRETCH = 1.96
"""Minimum half-width of an interval in standard deviations: new sequences may lie outside of the measured sizes."""
_OWN_SCORES = 20
"""Number of sequences from which on kinds have an interval of their own."""
_SOFT_NS = 500.0
"""Added to latencies before taking the logarithm, so that differences of a few ns count little."""
_LONG_NS = 2000.0
"""Shorter calls do not count in rates."""
_LARGE_BYTES = 2**18
"""Fewer bytes do not count in the rate of memory."""
_FEW = 4
_ARITHMETIC_PERCENTILE = 99
_CACHE_PERCENTILE = 95
_JITTER_NS = 200.0
"""Absolute error of any latency."""
_STATE = 1
"""Index of the cache state whose residuals decide intervals: constants from memory."""
_MOST_POINTS = 2000
"""Maximum number of sequences of the same kinds, chosen evenly over their sizes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRates:
    """Rates of a system, per ns; infinite if the results do not show them."""

    operations: float
    """Arithmetic operations."""
    cached: float
    """Bytes from and to the caches."""
    constants: float
    """Bytes of constants from memory."""

    def latencies(self, features: SequenceFeatures) -> Latencies:
        """Return the latencies of a sequence at these rates."""
        touched = features.fetched_bytes + features.input_bytes + features.output_bytes
        near = features.work / self.operations + touched / self.cached
        return Latencies(near_ns=near, constants_ns=near + features.fetched_bytes / self.constants)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """Predicted latencies of a sequence."""

    net: Latencies
    relative: float
    """Half-width of their 95 % interval, relative to them."""
    queue: QueueTimes | None = None
    """Times on host and device; None on a provider that computes on the host, or if they cannot be predicted."""


class LatencyPredictor(Protocol):
    """Predicts latencies of sequences."""

    def predict(self, features: SequenceFeatures) -> Prediction | None:
        """Predict the latencies of a sequence; None if that is not possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A measured sequence."""

    features: SequenceFeatures
    net: Latencies
    relative: float
    """Standard deviation of its latency, relative to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """Measured sequences of the same kinds."""

    process: GaussianProcess
    level: Floats
    """Subtracted from the values before the regression."""
    lowest: Floats
    highest: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class _DataMovement:
    """Measured sequences without arithmetic, all kinds together."""

    level: Floats
    """Median of the log factors, by cache state."""
    half: float
    """Half-width of the interval of the log factor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpolator:
    """Predicts latencies on one system."""

    roofs: SystemRates
    kinds: dict[tuple[str, ...], _Kind]
    """Not to be changed."""
    stretch: dict[tuple[str, ...], float]
    """Half-width of an interval in standard deviations, by kinds; not to be changed."""
    movement: _DataMovement | None
    """Sequences without arithmetic; None if none was measured."""

    def predict(self, features: SequenceFeatures) -> Prediction | None:
        """Predict the latencies of a sequence; None if its kinds were not measured or its sizes are out of range."""
        if not features.shape:
            return None
        values, half = self._log_factors(features)
        if half > math.log(WIDEST):
            if features.work or self.movement is None:
                return None
            values, half = self.movement.level, self.movement.half
        scale = _logarithms(self.roofs.latencies(features))
        near, constants = np.maximum(0.0, np.exp(values + scale) - _SOFT_NS)
        return Prediction(
            net=Latencies(near_ns=float(near), constants_ns=float(constants)),
            relative=math.expm1(half),
        )

    def _log_factors(self, features: SequenceFeatures) -> tuple[Floats, float]:
        """Return log factors by cache state and the half-width of their interval, infinite if nothing is known."""
        kind, place = self.kinds.get(features.kinds), _place(features)
        if kind is None:
            return np.zeros(2), math.inf
        if (place < kind.lowest - math.log(BELOW)).any() or (place > kind.highest + math.log(OUTSIDE) + 1e-9).any():
            return np.zeros(2), math.inf
        values, spread = kind.process.predict(place)
        return values + kind.level, self.stretch[features.kinds] * spread


def fit(results: SystemResults) -> Interpolator | None:
    """Fit to the measurements of a system; None if no sequence has features."""
    known = [
        _Known(features=features, net=net_latencies(one, results), relative=_relative(one.low_ns, one.high_ns))
        for fingerprint, one in sorted(results.measurements.items())
        if (features := results.features.get(fingerprint)) is not None and features.shape
    ]
    if not known:
        return None
    roofs = measured_roofs([one.features for one in known], [one.net for one in known])
    groups: dict[tuple[str, ...], list[_Known]] = {}
    for one in known:
        groups.setdefault(one.features.kinds, []).append(one)
    kinds = {name: _kind(roofs, group) for name, group in groups.items()}
    return Interpolator(roofs=roofs, kinds=kinds, stretch=_stretches(kinds), movement=_data_movement(roofs, known))


def _relative(low_ns: int, high_ns: int) -> float:
    """Return the standard deviation of a latency from its 95 % interval, relative to it."""
    return (high_ns - low_ns) / max(1, high_ns + low_ns) / 1.96


def _place(features: SequenceFeatures) -> Floats:
    amounts = (features.work, features.fetched_bytes, features.input_bytes, features.output_bytes)
    return np.array([math.log(figure) for figure in (*features.shape, *(1 + amount for amount in amounts))])


def _logarithms(latencies: Latencies) -> Floats:
    return np.array([math.log(latency + _SOFT_NS) for latency in (latencies.near_ns, latencies.constants_ns)])


def _kind(roofs: SystemRates, group: Sequence[_Known]) -> _Kind:
    if len(group) > _MOST_POINTS:
        ordered = sorted(group, key=lambda one: (one.features.work, one.features.shape))
        group = [ordered[round(at)] for at in np.linspace(0, len(group) - 1, _MOST_POINTS)]
    points = np.array([_place(one.features) for one in group])
    values = np.array([_logarithms(one.net) - _logarithms(roofs.latencies(one.features)) for one in group])
    noise = [math.hypot(one.relative, _JITTER_NS / (one.net.near_ns + _SOFT_NS)) for one in group]
    level = np.median(values, axis=0)
    return _Kind(
        process=fit_process(points, values - level, np.array(noise)),
        level=level,
        lowest=points.min(axis=0),
        highest=points.max(axis=0),
    )


def _data_movement(roofs: SystemRates, known: Sequence[_Known]) -> _DataMovement | None:
    logarithms = [
        _logarithms(one.net) - _logarithms(roofs.latencies(one.features)) for one in known if not one.features.work
    ]
    if not logarithms:
        return None
    level = np.median(logarithms, axis=0)
    return _DataMovement(level=level, half=_quantile(np.abs(np.array(logarithms) - level)[:, _STATE]))


def _stretches(kinds: dict[tuple[str, ...], _Kind]) -> dict[tuple[str, ...], float]:
    """Return by kinds the number of standard deviations that holds ``LEVEL`` of the leave-one-out residuals."""
    scores = {name: kind.process.scores()[:, _STATE] for name, kind in kinds.items()}
    pooled = _quantile(np.concatenate([own for own in scores.values() if len(own) > 1] or [np.array([_LEAST_STRETCH])]))
    return {
        name: max(_LEAST_STRETCH, _quantile(own) if len(own) >= _OWN_SCORES else pooled) for name, own in scores.items()
    }


def _quantile(scores: Floats) -> float:
    """Return the score of rank ceil((n + 1) * ``LEVEL``) among n, or the largest one."""
    rank = min(len(scores), math.ceil((len(scores) + 1) * LEVEL))
    return float(np.sort(scores)[rank - 1])


def measured_roofs(features: Sequence[SequenceFeatures], measured: Sequence[Latencies]) -> SystemRates:
    """Estimate the rates from measurements: a high percentile for arithmetic and caches, the median for memory.

    Args:
        features: of sequences.
        measured: their latencies without call overhead.
    """
    work, weights, touched = np.array(
        [(one.work, one.fetched_bytes, one.fetched_bytes + one.input_bytes + one.output_bytes) for one in features],
        dtype=float,
    ).T
    near, constants = np.array([(one.near_ns, one.constants_ns) for one in measured], dtype=float).T
    long = near > _LONG_NS
    return SystemRates(
        operations=_best(work[long], near[long], _ARITHMETIC_PERCENTILE),
        cached=_best(touched[long], near[long], _CACHE_PERCENTILE),
        constants=_usual(weights, constants - near),
    )


def _best(amounts: Floats, times_ns: Floats, percentile: float) -> float:
    some = amounts > 0
    return float(np.percentile(amounts[some] / times_ns[some], percentile)) if some.any() else float("inf")


def _usual(amounts: Floats, times_ns: Floats) -> float:
    large = amounts > _LARGE_BYTES
    if np.count_nonzero(large) < _FEW:
        return float("inf")
    return float(np.median(amounts[large] / np.maximum(times_ns[large], 1.0)))
