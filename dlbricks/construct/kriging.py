"""Regression by Gaussian processes: what lies near is alike, what lies far follows the trend, and how sure that is.

The standard formulas (Rasmussen, Williams, "Gaussian Processes for Machine Learning", 2006, chapters 2 and 5), with a
rational quadratic kernel, which knows near and far neighbours at once, and a weak linear trend. How much values vary
and how much of that is noise is chosen among few candidates by the likelihood of every point given all others, which
has a closed form (5.10 to 5.12 there). Pure; numpy only.
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
