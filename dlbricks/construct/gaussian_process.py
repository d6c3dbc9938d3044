"""Gaussian process regression with a rational quadratic kernel and a weak linear trend. Pure.

The formulas are the standard ones (Rasmussen, Williams, "Gaussian Processes for Machine Learning", 2006, chapters 2 and
5). Amplitude and noise are chosen from a few candidates by the leave-one-out likelihood, which has a closed form (5.10
to 5.12 there).
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]

_OFFSET = 1.0
"""Standard deviation of the level."""
_TREND = 0.03
"""Standard deviation of the slope of each coordinate."""
_LENGTH = 2.0
"""Length scale of the kernel, in each coordinate."""
_AMPLITUDES = (0.25, 0.5, 1.0)
"""Candidates for the standard deviation of the kernel."""
_NUGGETS = (0.03, 0.08, 0.2)
"""Candidates for the standard deviation of the noise."""
_CHOOSING_POINTS = 400
"""Maximum number of points for choosing among the candidates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GaussianProcess:
    """A fitted process."""

    points: Floats
    """Coordinates, one point per row."""
    amplitude: float
    nugget: float
    inverse: Floats
    """Of the covariance matrix of the points."""
    weights: Floats
    """``inverse`` times the values; one row per point, one column per value."""

    def predict(self, place: Floats) -> tuple[Floats, float]:
        """Return the values at a point and their common standard deviation."""
        center = self.points.mean(axis=0)
        own = _covariance(place[None], place[None], center, self.amplitude)[0, 0]
        to_points = _covariance(place[None], self.points, center, self.amplitude)[0]
        variance = max(0.0, float(own - to_points @ self.inverse @ to_points)) + self.nugget**2
        return to_points @ self.weights, math.sqrt(variance)

    def scores(self) -> Floats:
        """Return each point's leave-one-out residuals in standard deviations."""
        deviations, spreads = _left_out(self.inverse, self.weights)
        return np.abs(deviations) / spreads[:, None]


def fit_process(points: Floats, values: Floats, noise: Floats) -> GaussianProcess:
    """Fit a process.

    Args:
        points: coordinates, one point per row; at least one.
        values: of each point, one row per point; columns share their covariance.
        noise: standard deviation of the values of each point, in addition to the nugget.
    """
    few = np.arange(len(points))[:: -(-len(points) // _CHOOSING_POINTS)]
    candidates = [(amplitude, nugget) for amplitude in _AMPLITUDES for nugget in _NUGGETS]
    made = {candidate: _process(points[few], values[few], noise[few], candidate) for candidate in candidates}
    best = max(candidates, key=lambda candidate: _likelihood(made[candidate]))
    return made[best] if len(few) == len(points) else _process(points, values, noise, best)


def _process(points: Floats, values: Floats, noise: Floats, candidate: tuple[float, float]) -> GaussianProcess:
    amplitude, nugget = candidate
    covariance = _covariance(points, points, points.mean(axis=0), amplitude) + np.diag(noise**2 + nugget**2)
    inverse = np.linalg.inv(covariance)
    return GaussianProcess(points=points, amplitude=amplitude, nugget=nugget, inverse=inverse, weights=inverse @ values)


def _covariance(left: Floats, right: Floats, center: Floats, amplitude: float) -> Floats:
    """Return the sum of level, trend and a rational quadratic kernel with exponent 1."""
    one, other = left - center, right - center
    products = one @ other.T
    squares = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None] - 2 * products
    kernel: Floats = amplitude**2 / (1 + np.maximum(0.0, squares) / (2 * _LENGTH**2))
    trend: Floats = _OFFSET**2 + _TREND**2 * products
    return trend + kernel


def _left_out(inverse: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return each point's leave-one-out residuals and their standard deviation."""
    precision = np.diag(inverse)
    return weights / precision[:, None], 1 / np.sqrt(precision)


def _likelihood(process: GaussianProcess) -> float:
    deviations, spreads = _left_out(process.inverse, process.weights)
    return float(-(np.mean((deviations / spreads[:, None]) ** 2, axis=1) / 2 + np.log(spreads)).sum())
