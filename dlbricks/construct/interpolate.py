"""Predicts latencies of unmeasured sequences from measured sequences with the same kinds of layers.

A prediction is a roofline time (Williams, Waterman, Patterson, CACM 52(4), 2009, doi 10.1145/1498765.1498785) times a
factor. Times of computing and fetching are added, since they overlap only in part. Gaussian process regression predicts
the logarithm of the factor from the logarithms of layer sizes, separately for each combination of kinds of layers.
"""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dlbricks import statistics
from dlbricks.construct.cache_model import Latencies, net_latencies
from dlbricks.construct.intervals import LEVEL
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.types import QueueTimes, SystemResults

Floats = npt.NDArray[np.floating]

# Maximum ratio of a size to the largest measured size of its kinds.
OUTSIDE = 16.0
# Maximum ratio of the smallest measured size to a size: larger, since errors of small sequences matter little.
BELOW = 256.0
# Maximum factor on either side in the interval of a sequence with arithmetic.
WIDEST = 7.0
# Minimum half-width of an interval in standard deviations: new sequences may lie outside the measured sizes.
_LEAST_STRETCH = NormalDist().inv_cdf((1 + LEVEL) / 2)
# Minimum number of sequences for kinds to have their own width of intervals.
_OWN_SCORES = 20
# Added to latencies before taking the logarithm, so that differences of a few ns count little.
_SOFT_NS = 500.0
# Rates ignore shorter calls, and the memory rate ignores fewer bytes: overheads dominate such calls.
_LONG_NS, _LARGE_BYTES = 2000.0, 2**18
# Minimum number of sequences for a rate of memory.
_FEW = 4
_ARITHMETIC_PERCENTILE, _CACHE_PERCENTILE = 99, 95
# Absolute error that every latency has at least.
_JITTER_NS = 200.0
# Index of the cache state whose residuals decide intervals: constants from memory.
_STATE = 1
# Maximum number of sequences of the same kinds, chosen evenly over their sizes.
_MOST_POINTS = 2000
# Standard deviations of the level, and of the slope of each coordinate.
_OFFSET, _TREND = 1.0, 0.03
# Length scale of the kernel, in each coordinate.
_LENGTH = 2.0
# Candidates for the standard deviations of the kernel and of the noise.
_AMPLITUDES, _NUGGETS = (0.25, 0.5, 1.0), (0.03, 0.08, 0.2)
# Maximum number of points for choosing among the candidates: the time of fitting grows with their cube.
_CHOOSING_POINTS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRates:
    """Arithmetic rate and bandwidths of a system; infinite if unknown."""

    operations: float
    """Arithmetic operations per ns."""
    cached: float
    """Bytes per ns from and to caches."""
    constants: float
    """Bytes of constants per ns from memory."""

    def latencies(self, features: SequenceFeatures) -> Latencies:
        """Return the latencies of a layer sequence at these rates, ns."""
        touched = features.fetched_bytes + features.input_bytes + features.output_bytes
        near = features.work / self.operations + touched / self.cached
        return Latencies(llc_warm_ns=near, weights_cold_ns=near + features.fetched_bytes / self.constants)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """Predicted latencies of a layer sequence."""

    net: Latencies
    relative: float
    """Half-width of the interval with coverage ``intervals.LEVEL`` as a share of the latencies."""
    queue: QueueTimes | None = None
    """Times on host and device; None if they are not predicted."""


class LatencyPredictor(Protocol):
    """Predicts latencies of layer sequences."""

    def predict(self, features: SequenceFeatures) -> Prediction | None:
        """Return the predicted latencies of a layer sequence; None if they cannot be predicted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Measured:
    # A measured sequence.
    features: SequenceFeatures
    net: Latencies
    # Standard deviation of its latency, relative to it.
    relative: float


# Gaussian process regression is the standard one (Rasmussen, Williams, "Gaussian Processes for Machine Learning", 2006,
# chapters 2 and 5) with a rational quadratic kernel and a weak linear trend. Amplitude and noise are chosen from a few
# candidates by the leave-one-out likelihood, which has a closed form (5.10 to 5.12 there).
@dataclass(frozen=True, slots=True, kw_only=True)
class GaussianProcess:
    """Gaussian process regression of the latencies of one kind of layer sequence."""

    points: Floats
    """Fitted points, one per row."""
    amplitude: float
    nugget: float
    inverse: Floats
    """Inverse of the covariance matrix of the points."""
    weights: Floats
    """``inverse`` times the fitted values, one point per row."""

    def predict(self, place: Floats) -> tuple[Floats, float]:
        """Return the predicted values at a point, and their standard deviation."""
        center = self.points.mean(axis=0)
        own = _covariance(place[None], place[None], center, self.amplitude)[0, 0]
        to_points = _covariance(place[None], self.points, center, self.amplitude)[0]
        variance = max(0.0, float(own - to_points @ self.inverse @ to_points)) + self.nugget**2
        return to_points @ self.weights, math.sqrt(variance)

    def left_out(self) -> tuple[Floats, Floats]:
        """Return the leave-one-out residual of each point, in standard deviations, and its standard deviation."""
        precision = np.diag(self.inverse)[:, None]
        deviations = 1 / np.sqrt(precision)
        return self.weights / precision / deviations, deviations


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    # Measured sequences of the same kinds.
    process: GaussianProcess
    # Subtracted from the values before the regression.
    level: Floats
    lowest: Floats
    highest: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class _DataMovement:
    # Measured sequences without arithmetic, all kinds together.
    # Median of the log factors, by cache state.
    level: Floats
    # Half-width of the interval of the log factor.
    half: float


@dataclass(frozen=True, kw_only=True)
class Interpolator:
    """Predicts latencies from the measurements of one system; fits a Gaussian process when it is first needed."""

    roofs: SystemRates
    measured: "dict[tuple[str, ...], list[_Measured]]"
    """Measured sequences by kinds of layers; do not modify."""
    movement: _DataMovement | None
    """Summary of the sequences without arithmetic; None if no such sequence was measured."""
    fitted: dict[tuple[str, ...], _Kind] = field(default_factory=dict)
    """Fitted processes by kinds of layers."""

    def predict(self, features: SequenceFeatures) -> Prediction | None:
        """Return the predicted latencies of a layer sequence; None if it differs too much from measured sequences."""
        if not features.shape or features.flops is None:
            return None
        values, half = self._log_factors(features)
        # Nothing is predicted for arithmetic of kinds that were not measured, for sizes far outside of the measured
        # ones, or if the interval would be too wide. Sequences without arithmetic (copies, element-wise maps) and
        # without neighbours get the median of all sequences without arithmetic, with an interval as wide as these
        # scatter.
        # arithmetic with so wide an interval is refused; copies fall back to all copies of the system
        if half > math.log(WIDEST):
            if features.work or self.movement is None:
                return None
            values, half = self.movement.level, self.movement.half
        scale = _logarithms(self.roofs.latencies(features))
        near, constants = np.maximum(0.0, np.exp(values + scale) - _SOFT_NS)
        return Prediction(
            net=Latencies(llc_warm_ns=float(near), weights_cold_ns=float(constants)),
            relative=math.expm1(half),
        )

    def _log_factors(self, features: SequenceFeatures) -> tuple[Floats, float]:
        # Return log factors by cache state and the half-width of their interval, infinite if nothing is known.
        if features.kinds not in self.measured:
            return np.zeros(2), math.inf
        kind, place = self._kind(features.kinds), _place(features)
        if (place < kind.lowest - math.log(BELOW)).any() or (place > kind.highest + math.log(OUTSIDE) + 1e-9).any():
            return np.zeros(2), math.inf
        values, spread = kind.process.predict(place)
        return values + kind.level, self._stretch(features.kinds) * spread

    def _kind(self, kinds: tuple[str, ...]) -> _Kind:
        if kinds not in self.fitted:
            self.fitted[kinds] = _kind(self.roofs, self.measured[kinds])
        return self.fitted[kinds]

    # Return the number of standard deviations that contains ``LEVEL`` of the leave-one-out residuals.
    # Intervals are conformal: each measured sequence is predicted from all others, and the standard deviations of the
    # regression are scaled until they contain ``LEVEL`` of the residuals; kinds with few sequences are pooled. Errors
    # of one network are correlated (``intervals.correlated_sum``).
    def _stretch(self, kinds: tuple[str, ...]) -> float:
        scores = self._scores(kinds)
        if len(scores) < _OWN_SCORES:
            return self._pooled_stretch
        return max(_LEAST_STRETCH, statistics.conformal_quantile(scores, LEVEL))

    @functools.cached_property
    def _pooled_stretch(self) -> float:
        several = [score for kinds, of in self.measured.items() if len(of) > 1 for score in self._scores(kinds)]
        return max(_LEAST_STRETCH, statistics.conformal_quantile(several or [_LEAST_STRETCH], LEVEL))

    def _scores(self, kinds: tuple[str, ...]) -> list[float]:
        scores: list[float] = np.abs(self._kind(kinds).process.left_out()[0][:, _STATE]).tolist()
        return scores


def fit(results: SystemResults) -> Interpolator | None:
    """Return a predictor fitted to a system's measurements; None if no measured sequence has features."""
    measured = [
        _Measured(
            features=features,
            net=net_latencies(row, results),
            # the half-width of the 95 % interval is 1.96 standard deviations
            relative=(row.high_ns - row.low_ns) / max(1, row.high_ns + row.low_ns) / 1.96,
        )
        for fingerprint, row in sorted(results.measurements.items())
        if (features := results.features.get(fingerprint)) is not None and features.shape and features.flops is not None
    ]
    if not measured:
        return None
    roofs = measured_roofs([row.features for row in measured], [row.net for row in measured])
    groups: dict[tuple[str, ...], list[_Measured]] = {}
    for row in measured:
        groups.setdefault(row.features.kinds, []).append(row)
    return Interpolator(roofs=roofs, measured=groups, movement=_data_movement(roofs, measured))


def _place(features: SequenceFeatures) -> Floats:
    amounts = (features.work, features.fetched_bytes, features.input_bytes, features.output_bytes)
    return np.array([math.log(figure) for figure in (*features.shape, *(1 + amount for amount in amounts))])


def _logarithms(latencies: Latencies) -> Floats:
    return np.array([math.log(latency + _SOFT_NS) for latency in (latencies.llc_warm_ns, latencies.weights_cold_ns)])


def _kind(roofs: SystemRates, group: Sequence[_Measured]) -> _Kind:
    if len(group) > _MOST_POINTS:
        ordered = sorted(group, key=lambda row: (row.features.work, row.features.shape))
        group = [ordered[round(at)] for at in np.linspace(0, len(group) - 1, _MOST_POINTS)]
    points = np.array([_place(row.features) for row in group])
    values = np.array([_log_factor(roofs, row) for row in group])
    noise = [math.hypot(row.relative, _JITTER_NS / (row.net.llc_warm_ns + _SOFT_NS)) for row in group]
    level = np.median(values, axis=0)
    return _Kind(
        process=fit_process(points, values - level, np.array(noise)),
        level=level,
        lowest=points.min(axis=0),
        highest=points.max(axis=0),
    )


def _log_factor(roofs: SystemRates, row: _Measured) -> Floats:
    return _logarithms(row.net) - _logarithms(roofs.latencies(row.features))


def _data_movement(roofs: SystemRates, measured: Sequence[_Measured]) -> _DataMovement | None:
    factors = [_log_factor(roofs, row) for row in measured if not row.features.work]
    if not factors:
        return None
    level = np.median(factors, axis=0)
    half = statistics.conformal_quantile(np.abs(np.array(factors) - level)[:, _STATE].tolist(), LEVEL)
    return _DataMovement(level=level, half=half)


def measured_roofs(features: Sequence[SequenceFeatures], measured: Sequence[Latencies]) -> SystemRates:
    """Return the rates that layer sequences reached: a high percentile, for memory the median."""
    work, weights, touched = np.array(
        [(row.work, row.fetched_bytes, row.fetched_bytes + row.input_bytes + row.output_bytes) for row in features],
        dtype=float,
    ).T
    near, constants = np.array([(net.llc_warm_ns, net.weights_cold_ns) for net in measured], dtype=float).T
    long, large = near > _LONG_NS, weights > _LARGE_BYTES
    fetching = float("inf")
    if np.count_nonzero(large) >= _FEW:
        fetching = float(np.median(weights[large] / np.maximum((constants - near)[large], 1.0)))
    return SystemRates(
        operations=_best(work[long], near[long], _ARITHMETIC_PERCENTILE),
        cached=_best(touched[long], near[long], _CACHE_PERCENTILE),
        constants=fetching,
    )


def _best(amounts: Floats, times_ns: Floats, percentile: float) -> float:
    some = amounts > 0
    return float(np.percentile(amounts[some] / times_ns[some], percentile)) if some.any() else float("inf")


def fit_process(points: Floats, values: Floats, noise: Floats) -> GaussianProcess:
    """Fit a Gaussian process to points and values; ``noise`` has the standard deviation of each value."""
    few = np.arange(len(points))[:: -(-len(points) // _CHOOSING_POINTS)]
    candidates = [(amplitude, nugget) for amplitude in _AMPLITUDES for nugget in _NUGGETS]
    fitted = {candidate: _process(points[few], values[few], noise[few], candidate) for candidate in candidates}
    best = max(candidates, key=lambda candidate: _likelihood(fitted[candidate]))
    return fitted[best] if len(few) == len(points) else _process(points, values, noise, best)


def _process(points: Floats, values: Floats, noise: Floats, candidate: tuple[float, float]) -> GaussianProcess:
    amplitude, nugget = candidate
    covariance = _covariance(points, points, points.mean(axis=0), amplitude) + np.diag(noise**2 + nugget**2)
    inverse = np.linalg.inv(covariance)
    return GaussianProcess(points=points, amplitude=amplitude, nugget=nugget, inverse=inverse, weights=inverse @ values)


def _covariance(left: Floats, right: Floats, center: Floats, amplitude: float) -> Floats:
    # Return the sum of level, trend and a rational quadratic kernel with exponent 1.
    left, right = left - center, right - center
    products = left @ right.T
    squares = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1)[None] - 2 * products
    kernel: Floats = amplitude**2 / (1 + np.maximum(0.0, squares) / (2 * _LENGTH**2))
    trend: Floats = _OFFSET**2 + _TREND**2 * products
    return trend + kernel


def _likelihood(process: GaussianProcess) -> float:
    residuals, deviations = process.left_out()
    return float(-(np.mean(residuals**2, axis=1) / 2 + np.log(deviations[:, 0])).sum())
