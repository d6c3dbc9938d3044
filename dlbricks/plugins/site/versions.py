"""Changes of a system's latencies over versions of its runtime. Pure."""

import math
from collections.abc import Sequence

import numpy as np

from dlbricks.construct.comparison import NINETY, Comparison

# Errors of a comparison below this would make every digit a new level.
_LEAST_SIGMA = 1e-3


def history(compared: Sequence[Comparison]) -> list[dict[str, object]]:
    """Return ratio and interval of each version relative to the first, and whether a new level starts at it.

    Args:
        compared: the first version compared with itself and with each later one, in order.
    """
    logs = [math.log(comparison.ratio) for comparison in compared]
    sigmas = [max(comparison.parts.together, _LEAST_SIGMA) / NINETY for comparison in compared]
    begins = change_points(logs, sigmas)
    return [
        {
            "runtime": comparison.second.configuration.runtime,
            "ratio": comparison.ratio,
            "low": comparison.low if place else 1.0,
            "high": comparison.high if place else 1.0,
            "changed": place in begins,
        }
        for place, comparison in enumerate(compared)
    ]


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
    series, weights = np.array(values), 1 / np.array(sigmas) ** 2

    def deviation(begin: int, end: int) -> float:
        level = np.average(series[begin:end], weights=weights[begin:end])
        return float(weights[begin:end] @ (series[begin:end] - level) ** 2)

    penalty = max(2 * math.log(max(2, len(values))), 2.58**2)
    best, cuts = [-penalty], [0]
    for end in range(1, len(values) + 1):
        costs = [best[begin] + penalty + deviation(begin, end) for begin in range(end)]
        cuts.append(min(range(end), key=costs.__getitem__))
        best.append(costs[cuts[-1]])
    begins, end = [], len(values)
    while end:
        end = cuts[end]
        begins.append(end)
    return tuple(sorted(begins)[1:])
