"""What each level of tracing adds to the latency of a call: leveled experiments, XSP (IPDPS 2020) section III-C.

The overhead of a level is the latency of the run that records it less that of the run whose deepest level is the one
above; so it is never inside a published latency. Calls of all levels alternate in rounds, and the difference is taken
round by round: what slows the machine for a while slows both sides. Pure.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.harness.stats import median_interval
from dlbricks.profile.nouns import LEVELS, LevelRun, Profile

_TRIM = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A time from many samples, ns."""

    median_ns: float
    low_ns: float
    """Of the 95 % interval of the median."""
    high_ns: float
    trimmed_mean_ns: float
    """As XSP has it (``trimmed_mean``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelOverhead:
    """Calls at one level, and what that level adds to the one above it."""

    batch: int
    levels: str
    calls: int
    latency: Figure
    """Of a call."""
    over: str
    """The next run with fewer levels; empty for the first."""
    added: Figure | None
    """To a call of that run; None for the first."""
    relative: float | None
    """Median of what was added as a share of the median latency of that run; None for the first."""
    relative_low: float | None
    relative_high: float | None


def trimmed_mean(values: Sequence[float]) -> float:
    """Average what is left when a fifth of the values is cut off at each side.

    As XSP has it (``rai-project/evaluation``): of fewer than three values the mean, of three the median.

    Args:
        values: one or more.
    """
    if len(values) == 3:
        return float(statistics.median(values))
    cut = int(_TRIM * len(values))
    ordered = np.sort(np.asarray(values, np.float64))
    return float(ordered[cut : len(ordered) - cut].mean())


def figure_of(values: Sequence[float]) -> Figure:
    """Summarise samples.

    Args:
        values: ns, one or more.
    """
    middle, low, high = median_interval(values)
    return Figure(median_ns=middle, low_ns=low, high_ns=high, trimmed_mean_ns=trimmed_mean(values))


def overheads(profile: Profile) -> tuple[LevelOverhead, ...]:
    """Say what each level adds, batch by batch, in the order of levels.

    Args:
        profile: runs without samples, as those of a trace that somebody else recorded, are left out.
    """
    made = []
    for batch in profile.batches:
        runs = [run for levels in LEVELS if (run := profile.run(levels, batch)) is not None and run.samples_ns]
        made += [_overhead(run, before) for run, before in zip(runs, [None, *runs], strict=False)]
    return tuple(made)


def _overhead(run: LevelRun, before: LevelRun | None) -> LevelOverhead:
    latency = figure_of(run.samples_ns)
    added = None if before is None else _difference(run.samples_ns, before.samples_ns)
    base = 0.0 if before is None else statistics.median(before.samples_ns)
    shares = (added.median_ns / base, added.low_ns / base, added.high_ns / base) if added and base else (None,) * 3
    return LevelOverhead(
        batch=run.batch,
        levels=run.levels,
        calls=len(run.samples_ns),
        latency=latency,
        over="" if before is None else before.levels,
        added=added,
        relative=shares[0],
        relative_low=shares[1],
        relative_high=shares[2],
    )


def _difference(longer: Sequence[int], shorter: Sequence[int]) -> Figure:
    """Give what one run takes more than another; round by round where both have a sample of every round.

    Else the interval is that of a difference of medians of independent samples (Price and Bonett, "Distribution-free
    confidence intervals for difference and ratio of medians", J. Statist. Comput. Simul. 72 (2002)).
    """
    if len(longer) == len(shorter):
        return figure_of([long - short for long, short in zip(longer, shorter, strict=True)])
    long, short = figure_of(longer), figure_of(shorter)
    half = math.hypot(long.high_ns - long.low_ns, short.high_ns - short.low_ns) / 2
    middle = long.median_ns - short.median_ns
    return Figure(
        median_ns=middle,
        low_ns=middle - half,
        high_ns=middle + half,
        trimmed_mean_ns=long.trimmed_mean_ns - short.trimmed_mean_ns,
    )
