"""Computes how far honest runs with the same processor, runtime and number of threads differ.

The figures come from pairs of runs of one configuration (``ResultStore.spread``). If the store has fewer than
``LEAST_PAIRS`` pairs, they come from published archives instead (``benchmarks/spread.py``).
"""

import functools
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from dlbricks.store.records import LEAST_COMMON
from dlbricks.store.types import SystemConfiguration

# Probabilities of the quantiles in a ``Spread``.
LEVELS = (0.01, 0.5, 0.9, 0.95, 0.99)
# Minimum number of pairs of runs for using the store instead of the archives.
LEAST_PAIRS = 10
# Sequences whose ratio has a logarithm above this, without sign, count in ``beyond``.
FAR = 0.15
# Runs differ by this much however narrow their intervals are; with it, scores have the same spread at all widths.
FLOOR = 0.02
# The share of sequences that exceed a score falls with its third power. In eight sets of 342 to 5,592 differences the
# 99.9 % quantile is 2.7 to 7.6 times the 95 % quantile, in the median 3.4; this power gives 3.7, a normal distribution
# 1.7.
TAIL = 3
# File of the package with the figures of the archives.
DEFAULTS = "spread_defaults.json"

# What runs must have in common: provider, runtime without its version, threads, instruction set.
Kind: TypeAlias = tuple[str, str, int, tuple[str, ...]]
# Drift of a run; and latency in ns and relative half-width of its interval for each sequence.
Run: TypeAlias = tuple[float, Mapping[Any, tuple[int, float]]]


class Difference(NamedTuple):
    """Difference of two runs by sequence: logarithms of latency ratios, and scores (logarithms / ``stated``)."""

    logs: Any
    scores: Any


@dataclass(frozen=True, slots=True)
class Spread:
    """Differences between honest runs: absolute logarithms of latency ratios, as quantiles ``LEVELS``."""

    pairs: int
    """Number of pairs of runs."""
    source: str
    """``store``, or ``archives`` in the package if the store has too few pairs."""
    medians: tuple[float, ...]
    """Quantiles of the median difference between two runs, over pairs of runs."""
    beyond: tuple[float, ...]
    """Quantiles of the share of layer sequences that differ by more than ``FAR``, over pairs of runs."""
    sequences: tuple[float, ...]
    """Quantiles of the difference between two latencies of a layer sequence, over sequences and pairs of runs."""
    excess: float
    """Factor that makes the intervals of sequences contain 95 % of their differences."""

    def factor(self, number: int) -> float:
        """Return the factor that widens intervals to contain ``number`` differences in 95 % of pairs of runs."""
        # Bonferroni's correction
        return float(self.excess * max(1, number) ** (1 / TAIL))

    def chance(self, scores: Any) -> Any:
        """Return for each score (see ``Difference``) the probability that two runs of the same code differ by more."""
        return np.minimum(1, 0.05 * (self.excess / np.maximum(scores, 1e-9)) ** TAIL)


def stated(half_width: Any, drift: float) -> Any:
    """Return the 95 % half-width of the logarithm of a latency ratio, from combined half-widths and drifts."""
    return np.sqrt(half_width**2 + drift**2 + FLOOR**2)


def differences(runs: Iterable[Run]) -> list[Difference]:
    """Return the differences of all pairs of runs with three or more common sequences."""
    compared = []
    for (drift, first), (later_drift, second) in itertools.combinations(runs, 2):
        both = [(*row, *second[name]) for name, row in first.items() if name in second]
        if len(both) >= LEAST_COMMON:
            before, half, after, later_half = np.array(both, np.float64).T
            logs = np.log(np.maximum(1, after) / np.maximum(1, before))
            scores = np.abs(logs) / stated(np.hypot(half, later_half), math.hypot(drift, later_drift))
            compared.append(Difference(logs, scores))
    return compared


def learned(pairs: Sequence[Difference], source: str) -> Spread:
    """Return the spread of one or more pairs of runs."""
    medians, beyond = zip(*((np.median(pair.logs), np.mean(np.abs(pair.logs) > FAR)) for pair in pairs), strict=True)
    logs, scores = (np.concatenate(each) for each in zip(*pairs, strict=True))
    of_pairs, of_far, of_all = (
        tuple(np.quantile(np.abs(each), LEVELS).round(5).tolist()) for each in (medians, beyond, logs)
    )
    return Spread(len(pairs), source, of_pairs, of_far, of_all, round(float(np.quantile(scores, 0.95)), 5))


def kind_of(configuration: SystemConfiguration) -> Kind:
    """Return provider, runtime, threads and instruction set, which are equal for comparable runs."""
    runtime = configuration.runtime.partition(" ")[0]
    return configuration.provider, runtime, configuration.threads, configuration.instruction_set


@functools.cache
def _defaults() -> Mapping[Kind | None, Spread]:
    text = resources.files("dlbricks.store").joinpath(DEFAULTS).read_bytes()
    return dict(msgspec.json.decode(text, type=tuple[tuple[Kind | None, Spread], ...]))


def default_spread(configuration: SystemConfiguration | None = None) -> Spread:
    """Return the spread of a configuration, or of all configurations (None), in the package's archives."""
    return _defaults().get(kind_of(configuration) if configuration else None) or _defaults()[None]
