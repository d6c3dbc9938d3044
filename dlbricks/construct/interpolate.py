"""Guessing the latencies of a sequence that nobody measured from those of sequences of the same kinds. Pure.

A latency is what the sequence would take at the rates of the system times how far it stays below them. The rates are
those of the roofline model (Williams, Waterman, Patterson, CACM 52(4), 2009, doi 10.1145/1498765.1498785), with sums in
the place of maxima, as what a kernel computes and what it fetches overlaps in part only. How far a sequence stays below
them changes slowly with the sizes of a layer, so it is carried over from measured neighbours by Gaussian process
regression of its logarithm over the logarithms of all figures (``Process``), for each tuple of kinds by itself
(``model.costs.features``).

The interval comes from the measured sequences: each is guessed from all others, and the standard deviations that the
regression names are stretched until they hold 95 % of what was seen (conformal prediction; for kinds with few sequences
together). Guesses of one network err together, as its layers resemble each other: ``intervals.together``.

Nothing is guessed of arithmetic of kinds that were not measured, or of sizes far outside of the measured ones, or where
the interval would say next to nothing. What only moves or maps data and has no neighbours is guessed from all else that
does, with an interval as wide as these differ from each other: such layers are many, and small.

``Process`` has the standard formulas (Rasmussen, Williams, "Gaussian Processes for Machine Learning", 2006, chapters 2
and 5), with a rational quadratic kernel, which knows near and far neighbours at once, and a weak linear trend. How much
values vary and how much of that is noise is chosen among few candidates by the likelihood of every point given all
others, which has a closed form (5.10 to 5.12 there).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dlbricks.construct.cache_model import Latencies, net_latencies
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.types import SystemResults

Floats = npt.NDArray[np.floating]

_OFFSET = 1.0
"""Standard deviation of the level."""
_TREND = 0.03
"""Standard deviation of the slope of each coordinate."""
_LENGTH = 2.0
"""Distance within which values are alike, in each coordinate."""
_AMPLITUDES = (0.25, 0.5, 1.0)
"""Candidates for the standard deviation of what is neither level nor trend."""
_NUGGETS = (0.03, 0.08, 0.2)
"""Candidates for the standard deviation of what points at one place differ in."""
_CHOOSING_POINTS = 400
"""With more points the candidates are judged on so many of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """Points with what is needed to predict others."""

    points: Floats
    """Places, one a row."""
    amplitude: float
    nugget: float
    inverse: Floats
    """Of the covariance of the points."""
    weights: Floats
    """``inverse`` times the values; a row a point, a column a value."""

    def predict(self, place: Floats) -> tuple[Floats, float]:
        """Give the values at a place and their standard deviation, which is the same for all of them."""
        center = self.points.mean(axis=0)
        own = _covariance(place[None], place[None], center, self.amplitude)[0, 0]
        to_points = _covariance(place[None], self.points, center, self.amplitude)[0]
        variance = max(0.0, float(own - to_points @ self.inverse @ to_points)) + self.nugget**2
        return to_points @ self.weights, math.sqrt(variance)

    def scores(self) -> Floats:
        """Give for each point how far it is from what all others say of it, in standard deviations of that."""
        deviations, spreads = _left_out(self.inverse, self.weights)
        return np.abs(deviations) / spreads[:, None]


def fitted(points: Floats, values: Floats, noise: Floats) -> Process:
    """Fit a process.

    Args:
        points: places, one a row; at least one.
        values: of each place, one a row; several values share their covariance.
        noise: standard deviation of the values of each place, beside the nugget.
    """
    few = np.arange(len(points))[:: -(-len(points) // _CHOOSING_POINTS)]
    candidates = [(amplitude, nugget) for amplitude in _AMPLITUDES for nugget in _NUGGETS]
    made = {candidate: _process(points[few], values[few], noise[few], candidate) for candidate in candidates}
    best = max(candidates, key=lambda candidate: _likelihood(made[candidate]))
    return made[best] if len(few) == len(points) else _process(points, values, noise, best)


def _process(points: Floats, values: Floats, noise: Floats, candidate: tuple[float, float]) -> Process:
    amplitude, nugget = candidate
    covariance = _covariance(points, points, points.mean(axis=0), amplitude) + np.diag(noise**2 + nugget**2)
    inverse = np.linalg.inv(covariance)
    return Process(points=points, amplitude=amplitude, nugget=nugget, inverse=inverse, weights=inverse @ values)


def _covariance(left: Floats, right: Floats, center: Floats, amplitude: float) -> Floats:
    """Level, trend and a rational quadratic kernel with exponent 1."""
    one, other = left - center, right - center
    products = one @ other.T
    squares = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None] - 2 * products
    alike: Floats = amplitude**2 / (1 + np.maximum(0.0, squares) / (2 * _LENGTH**2))
    trend: Floats = _OFFSET**2 + _TREND**2 * products
    return trend + alike


def _left_out(inverse: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Give for each point its distance from what the others predict, and the standard deviation of that."""
    precision = np.diag(inverse)
    return weights / precision[:, None], 1 / np.sqrt(precision)


def _likelihood(process: Process) -> float:
    deviations, spreads = _left_out(process.inverse, process.weights)
    return float(-(np.mean((deviations / spreads[:, None]) ** 2, axis=1) / 2 + np.log(spreads)).sum())


OUTSIDE = 16.0
"""By what factor a figure may be larger than all measured ones of its kinds."""
BELOW = 256.0
"""By what factor it may be smaller: what is small errs by little."""
WIDEST = 10.0
"""What the 95 % interval of arithmetic may reach to as a factor at most."""
LEVEL = 0.95
_LEAST_STRETCH = 1.96
"""Standard deviations that an interval has at least: what is new may lie outside of what was measured."""
_OWN_SCORES = 20
"""From so many sequences on kinds have an interval of their own."""
_SOFT_NS = 500.0
"""Added to latencies before the logarithm: differences of fewer ns count less and less."""
_LONG_NS = 2000.0
"""Shorter calls say nothing of rates."""
_LARGE_BYTES = 2**18
"""Fewer bytes say nothing of what fetching them costs."""
_FEW = 4
_ARITHMETIC_PERCENTILE = 99
_CACHE_PERCENTILE = 95
_JITTER_NS = 200.0
"""What any latency may be off."""
_STATE = 1
"""Position of the state whose errors decide intervals: constants from memory."""
_MOST_POINTS = 2000
"""Of more sequences of the same kinds so many are used, spread evenly over their sizes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRates:
    """Rates of one system, per ns; infinite where its results do not show them."""

    operations: float
    """Arithmetic."""
    cached: float
    """Bytes from and to the caches."""
    constants: float
    """Bytes of constants from memory."""

    def latencies(self, features: SequenceFeatures) -> Latencies:
        """Give what a sequence would take at these rates."""
        touched = features.fetched_bytes + features.input_bytes + features.output_bytes
        near = features.work / self.operations + touched / self.cached
        return Latencies(near_ns=near, constants_ns=near + features.fetched_bytes / self.constants)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """Latencies of a sequence that nobody measured."""

    net: Latencies
    relative: float
    """Half-width of their 95 % interval, as a share of them."""


class Guesses(Protocol):
    """Whoever guesses latencies of sequences."""

    def predict(self, features: SequenceFeatures) -> Prediction | None:
        """Guess the latencies of a sequence; None where that is out of reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A measured sequence."""

    features: SequenceFeatures
    net: Latencies
    relative: float
    """Standard deviation of its latency, as a share of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """What the measured sequences of the same kinds say."""

    process: Process
    level: Floats
    """Taken off the values before the regression."""
    lowest: Floats
    highest: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class _Idle:
    """What the measured sequences without arithmetic have in common."""

    level: Floats
    """Median of their logarithms over the roofs, by state."""
    half: float
    """How far most of them are from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpolator:
    """Guesses for one system."""

    roofs: SystemRates
    kinds: dict[tuple[str, ...], _Kind]
    """Not to be changed."""
    stretch: dict[tuple[str, ...], float]
    """Half-width of an interval in standard deviations, by kinds; not to be changed."""
    idle: _Idle | None
    """What sequences without arithmetic have in common; None without any."""

    def predict(self, features: SequenceFeatures) -> Prediction | None:
        """Guess the latencies of a sequence; None where its kinds or its sizes are out of reach."""
        if not features.shape:
            return None
        values, half = self._beside(features)
        if half > math.log(WIDEST):
            if features.work or self.idle is None:
                return None
            values, half = self.idle.level, self.idle.half
        scale = _logarithms(self.roofs.latencies(features))
        near, constants = np.maximum(0.0, np.exp(values + scale) - _SOFT_NS)
        return Prediction(
            net=Latencies(near_ns=float(near), constants_ns=float(constants)),
            relative=math.expm1(half),
        )

    def _beside(self, features: SequenceFeatures) -> tuple[Floats, float]:
        """Give logarithms over the roofs and the half-width of their interval, infinite where there is no neighbour."""
        kind, place = self.kinds.get(features.kinds), _place(features)
        if kind is None:
            return np.zeros(2), math.inf
        if (place < kind.lowest - math.log(BELOW)).any() or (place > kind.highest + math.log(OUTSIDE) + 1e-9).any():
            return np.zeros(2), math.inf
        values, spread = kind.process.predict(place)
        return values + kind.level, self.stretch[features.kinds] * spread


def fit(results: SystemResults) -> Interpolator | None:
    """Learn from what a system measured; None without any sequence of which the features are known."""
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
    return Interpolator(roofs=roofs, kinds=kinds, stretch=_stretches(kinds), idle=_idle(roofs, known))


def _relative(low_ns: int, high_ns: int) -> float:
    """Give the standard deviation of a latency from its 95 % interval, as a share of it."""
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
        process=fitted(points, values - level, np.array(noise)),
        level=level,
        lowest=points.min(axis=0),
        highest=points.max(axis=0),
    )


def _idle(roofs: SystemRates, known: Sequence[_Known]) -> _Idle | None:
    logarithms = [
        _logarithms(one.net) - _logarithms(roofs.latencies(one.features)) for one in known if not one.features.work
    ]
    if not logarithms:
        return None
    level = np.median(logarithms, axis=0)
    return _Idle(level=level, half=_quantile(np.abs(np.array(logarithms) - level)[:, _STATE]))


def _stretches(kinds: dict[tuple[str, ...], _Kind]) -> dict[tuple[str, ...], float]:
    """Give for each kind how many standard deviations hold ``LEVEL`` of its left-out sequences."""
    scores = {name: kind.process.scores()[:, _STATE] for name, kind in kinds.items()}
    pooled = _quantile(np.concatenate([own for own in scores.values() if len(own) > 1] or [np.array([_LEAST_STRETCH])]))
    return {
        name: max(_LEAST_STRETCH, _quantile(own) if len(own) >= _OWN_SCORES else pooled) for name, own in scores.items()
    }


def _quantile(scores: Floats) -> float:
    """Give the score of rank ceil((n + 1) * ``LEVEL``) among n, the highest where there is no such rank."""
    rank = min(len(scores), math.ceil((len(scores) + 1) * LEVEL))
    return float(np.sort(scores)[rank - 1])


def measured_roofs(features: Sequence[SequenceFeatures], measured: Sequence[Latencies]) -> SystemRates:
    """Find the rates in results: nearly the best for what lies in the caches, the usual ones for memory.

    Args:
        features: of sequences.
        measured: latencies of the same ones, call overhead taken out.
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
