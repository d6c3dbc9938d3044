"""Changes of a system's latencies over versions of its runtime. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dlbricks.construct.comparison import NINETY, Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionPoint:
    """A version of a runtime relative to the first one of its history."""

    runtime: str
    ratio: float
    low: float
    high: float
    changed: bool
    """Whether a new level starts at it."""


def history(compared: Sequence[Comparison]) -> tuple[VersionPoint, ...]:
    """Find the versions at which the level changed.

    Args:
        compared: the first version compared with itself and with each later one, in order.
    """
    logs = [math.log(one.ratio) for one in compared]
    sigmas = [max(one.parts.together, 1e-3) / NINETY for one in compared]
    begins = change_points(logs, sigmas)
    return tuple(
        VersionPoint(
            runtime=one.second.configuration.runtime,
            ratio=one.ratio,
            low=one.low if place else 1.0,
            high=one.high if place else 1.0,
            changed=place in begins,
        )
        for place, one in enumerate(compared)
    )


def change_points(values: Sequence[float], sigmas: Sequence[float]) -> tuple[int, ...]:
    """Cut a series into segments of constant level; return where each but the first begins.

    Minimises the sum of squared deviations from segment means, in standard deviations, plus a penalty per change,
    exactly by optimal partitioning (Jackson et al., "An algorithm for optimal partitioning of data on an interval",
    2005). The penalty is that of the Bayesian information criterion for a level and a place, 2 ln n, and at least that
    of a deviation by 2.58 standard deviations (1 % by chance).

    Args:
        values: one or more.
        sigmas: standard deviation of each, above 0.
    """
    count = len(values)
    penalty = max(2 * math.log(max(2, count)), 2.58**2)
    best, cuts = [-penalty], [0]
    for end in range(1, count + 1):
        costs = [best[begin] + penalty + _deviation(values[begin:end], sigmas[begin:end]) for begin in range(end)]
        cuts.append(min(range(end), key=costs.__getitem__))
        best.append(costs[cuts[-1]])
    begins, end = [], count
    while end:
        end = cuts[end]
        begins.append(end)
    return tuple(sorted(begins)[1:])


def _deviation(values: Sequence[float], sigmas: Sequence[float]) -> float:
    weights = [1 / sigma**2 for sigma in sigmas]
    mean = math.fsum(weight * value for weight, value in zip(weights, values, strict=True)) / math.fsum(weights)
    return math.fsum(weight * (value - mean) ** 2 for weight, value in zip(weights, values, strict=True))
