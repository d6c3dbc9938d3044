"""How far honest runs of one processor, runtime and number of threads differ, learned from the runs of a store.

Runs of one configuration are one machine, measured again: the program did not change between them. With fewer than
``LEAST_PAIRS`` pairs of a kind the figures are the package's, from its published archives (``benchmarks/spread.py``).
"""

import functools
import itertools
import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np
from sqlalchemy import select

from dlbricks.store.queries import CONFIGURATION, IN_USE
from dlbricks.store.records import LEAST_COMMON, configuration_of, refusing_damage, relative_half_width
from dlbricks.store.tables import Database, configurations, results, submissions
from dlbricks.store.types import SystemConfiguration, SystemResults

# Shares of pairs, or of sequences, for which a spread has quantiles.
LEVELS = (0.01, 0.5, 0.9, 0.95, 0.99)
# Pairs of runs from which the store is used instead of the archives.
LEAST_PAIRS = 10
# Newest runs of a configuration that are paired, so that no system outweighs the others of its kind.
_RUNS = 6
# Sequences that differ by more (a logarithm) count in ``beyond``.
FAR = 0.15
# Runs differ by this much however narrow their intervals are: with it, scores are alike at all widths.
FLOOR = 0.02
# The share of sequences that exceed a score falls with its third power: in eight sets of 342 to 5,592 differences the
# 99.9 % quantile is 2.7 to 7.6 times that of 95 %, in the middle 3.4; this makes 3.7, a normal distribution 1.7.
TAIL = 3
# Table of the package.
DEFAULTS = "spread_defaults.json"

# Provider, runtime without its version, threads, processor.
Kind: TypeAlias = tuple[str, str, int, tuple[str, ...]]
# Drift of a run; latency in ns and relative half-width of each sequence.
Run: TypeAlias = tuple[float, Mapping[Any, tuple[int, float]]]


class Difference(NamedTuple):
    """Logarithms of the ratios of a second run to a first one, by sequence; scores are in half-widths (``stated``)."""

    logs: Any
    scores: Any


@dataclass(frozen=True, slots=True)
class Spread:
    """What honest runs of a kind differ by; tuples are quantiles at ``LEVELS`` of logarithms without their sign."""

    pairs: int
    """Pairs of runs that it rests on."""
    source: str
    """``store``, or ``archives`` of the package where the store has too few pairs."""
    medians: tuple[float, ...]
    """Over pairs: of the median over sequences."""
    beyond: tuple[float, ...]
    """Over pairs: of the share of sequences that differ by more than ``FAR``."""
    sequences: tuple[float, ...]
    """Over the sequences of all pairs."""
    excess: float
    """Factor on stated half-widths that holds 95 % of single sequences."""

    def factor(self, number: int) -> float:
        """Return the factor on stated half-widths that holds all of ``number`` sequences with 95 % (Bonferroni)."""
        return float(self.excess * max(1, number) ** (1 / TAIL))

    def chance(self, scores: Any) -> Any:
        """Return how likely two runs of the same code differ by more than each of some scores."""
        return np.minimum(1, 0.05 * (self.excess / np.maximum(scores, 1e-9)) ** TAIL)


def stated(half_width: Any, drift: float) -> Any:
    """Return the half-width (95 %) that two runs state of a logarithm of a ratio, from sampling and their drift."""
    return np.sqrt(half_width**2 + drift**2 + FLOOR**2)


def run_of(run: SystemResults) -> Run:
    """Return of a run what ``differences`` compares."""
    return run.drift, {name: (row.latency_ns, relative_half_width(row)) for name, row in run.measurements.items()}


def differences(runs: Iterable[Run]) -> list[Difference]:
    """Compare each two runs by the sequences that both have, where these are three or more."""
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
    """Return the spread of one or more differences between honest runs of one kind."""
    medians, beyond = zip(*((np.median(pair.logs), np.mean(np.abs(pair.logs) > FAR)) for pair in pairs), strict=True)
    logs, scores = (np.concatenate(each) for each in zip(*pairs, strict=True))
    of_pairs, of_far, of_all = (
        tuple(np.quantile(np.abs(each), LEVELS).round(5).tolist()) for each in (medians, beyond, logs)
    )
    return Spread(len(pairs), source, of_pairs, of_far, of_all, round(float(np.quantile(scores, 0.95)), 5))


def kind_of(configuration: SystemConfiguration) -> Kind:
    """Return what a configuration has to share with others for their runs to teach its spread."""
    runtime = configuration.runtime.partition(" ")[0]
    return configuration.provider, runtime, configuration.threads, configuration.instruction_set


@functools.cache
def _defaults() -> Mapping[Kind | None, Spread]:
    text = resources.files("dlbricks.store").joinpath(DEFAULTS).read_bytes()
    return dict(msgspec.json.decode(text, type=tuple[tuple[Kind | None, Spread], ...]))


def default_spread(configuration: SystemConfiguration | None = None) -> Spread:
    """Return the spread of the package's archives for a kind; that of all of them for none, or one without any."""
    return _defaults().get(kind_of(configuration) if configuration else None) or _defaults()[None]


def spread_of(database: Database, configuration: SystemConfiguration) -> Spread:
    """Return the spread of a configuration's kind in a store; ``default_spread`` where it has too few pairs."""
    figures = (results.c.sequence, results.c.latency_ns, results.c.low_ns, results.c.high_ns, results.c.verdict)
    query = (
        select(submissions.c.id, submissions.c.drift, submissions.c.started_unix_ns, *figures, *CONFIGURATION)
        .join(results, results.c.submission == submissions.c.id)
        .join(configurations, configurations.c.id == submissions.c.configuration)
        .where(IN_USE, ~submissions.c.smoke, configurations.c.threads == configuration.threads)
    )
    systems: dict[SystemConfiguration, dict[tuple[int, int, float], dict[Hashable, tuple[int, float]]]]
    systems = defaultdict(lambda: defaultdict(dict))
    with refusing_damage(database.place):
        for row in database.rows(query):
            run = (-row.started_unix_ns, row.id, row.drift)
            systems[configuration_of(row)][run][row.sequence] = (row.latency_ns, relative_half_width(row))
    alike = (runs for of, runs in systems.items() if kind_of(of) == kind_of(configuration))
    newest = ([(key[-1], times) for key, times in sorted(runs.items())[:_RUNS]] for runs in alike)
    pairs = [pair for runs in newest for pair in differences(runs)]
    return learned(pairs, "store") if len(pairs) >= LEAST_PAIRS else default_spread(configuration)
