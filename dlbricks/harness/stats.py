"""From samples to a latency and its interval.

The interval is that of Price and Bonett, "Estimating the variance of the sample median", J. Statist. Comput. Simul. 68
(2001): distribution-free, from two order statistics around the median, and usable from two values on. ``scipy`` was
looked at: its ``mstats.median_cihs`` needs six values for 95 %, and a suite cannot ask for scipy.
"""

import functools
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

INTERFERENCE_RATIO = 1.25
"""How many times as long as at best work takes at least while another guest uses the core. Calls that take longer than
so many times the lower quartile were disturbed in their midst, and count as so much."""
_NORMAL = statistics.NormalDist()
_Z95 = _NORMAL.inv_cdf(0.975)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A latency with its 95 % interval, ns."""

    latency_ns: int
    """Median over visits of the visit medians, the first sample of a visit with several left out; of visits of one call
    what ``summarise`` was asked for, usually their bounded mean."""
    low_ns: int
    """Not below 0."""
    high_ns: int
    samples: int
    """Timed calls, those left out included."""

    @property
    def relative(self) -> float:
        """Half the width of the interval as a share of the latency."""
        return (self.high_ns - self.low_ns) / 2 / max(self.latency_ns, 1)


def counted(visit: Sequence[int]) -> Sequence[int]:
    """Give the samples of a visit that enter statistics: all but the first, which finds caches cold; or the only."""
    return visit[1:] if len(visit) > 1 else visit


@functools.lru_cache(maxsize=4096)
def median_interval_weights(count: int) -> tuple[int, float]:
    """Give, for ``count`` >= 2 values, the rank c (from 1) and the factor f of the interval of their median.

    The 95 % interval is the median +- f times (value of rank count - c + 1 minus value of rank c).
    """
    rank = max(1, round((count + 1) / 2 - math.sqrt(count)))
    outside = sum(math.comb(count, below) for below in range(rank)) / 2**count
    return rank, _Z95 / (2 * _NORMAL.inv_cdf(1 - outside))


def median_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Give the median and the ends of its 95 % interval.

    A single value says nothing of its spread: its interval reaches from 0 to twice the value.

    Args:
        values: one or more.
    """
    ordered = sorted(values)
    middle = statistics.median(ordered)
    if len(ordered) == 1:
        return middle, 0.0, 2.0 * middle
    rank, factor = median_interval_weights(len(ordered))
    half = factor * (ordered[-rank] - ordered[rank - 1])
    return middle, middle - half, middle + half


def bounded(values: Sequence[float]) -> list[float]:
    """Give the values, none above ``INTERFERENCE_RATIO`` times their lower quartile (winsorised from above)."""
    most = INTERFERENCE_RATIO * lower_quartile(values)
    return [min(value, most) for value in values]


def bounded_mean(values: Sequence[float]) -> float:
    """Give the mean of the bounded values."""
    return statistics.fmean(bounded(values))


def calls_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Give the bounded mean of single calls, and an interval as wide as that of the median of the bounded values.

    Args:
        values: durations, two or more.
    """
    _, low, high = median_interval(bounded(values))
    latency = bounded_mean(values)
    return latency, min(low, latency), max(high, latency)


def lower_quartile(values: Sequence[float]) -> float:
    """Give the value below which a quarter of the others lies, without interpolation."""
    return sorted(values)[(len(values) - 1) // 4]


def summarise(visits: Sequence[Sequence[int]]) -> Summary:
    """Summarise the visits of one benchmark.

    With a single visit the interval is that of its samples, which knows nothing of what changes from visit to visit.

    Of visits of single calls the mean counts, since means add up: a network's call is as often a little late as its
    parts' calls are, which their medians do not see, and the call overhead is taken off every one of them. Of
    what disturbs one call for long no more counts than would of a busy core.

    Args:
        visits: durations in ns of the calls of each visit, in order; at least one visit with at least one call.
    """
    medians = [statistics.median(counted(visit)) for visit in visits]
    if len(medians) > 1 and all(len(visit) == 1 for visit in visits):
        latency, low, high = calls_interval(medians)
    else:
        latency, low, high = median_interval(medians if len(medians) > 1 else counted(visits[0]))
    return Summary(
        latency_ns=round(latency),
        low_ns=max(0, math.floor(low)),
        high_ns=math.ceil(high),
        samples=sum(len(visit) for visit in visits),
    )


def undisturbed(visits: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Give the visits that count: those during which nothing else was on the core; all if there are no such ones."""
    return [visit for visit in visits if not visit.get("disturbed")] or list(visits)


def samples_by_state(entry: Mapping[str, Any]) -> dict[str, list[list[int]]]:
    """Give the samples of each visit of an entry of ``benchmarks`` that counts, by state.

    Of the benchmark of role ``curve`` only those at its largest distance.
    """
    return {state: [visit["samples_ns"] for visit in undisturbed(visits)] for state, visits in _by_state(entry).items()}


def summary_of(visits: Sequence[Mapping[str, Any]]) -> Summary:
    """Summarise the visits of one state: those that count (``undisturbed``).

    Where a single one counts and others do not, its interval is that of all of them, relative to their
    latency: what disturbs makes calls differ more, not less.

    Args:
        visits: of one state, at least one.
    """
    chosen = undisturbed(visits)
    made = summarise([visit["samples_ns"] for visit in chosen])
    if len(chosen) > 1 or len(visits) == 1:
        return made
    every = summarise([visit["samples_ns"] for visit in visits])
    scale = made.latency_ns / max(every.latency_ns, 1)
    return replace(made, low_ns=math.floor(scale * every.low_ns), high_ns=math.ceil(scale * every.high_ns))


def summaries(entry: Mapping[str, Any]) -> dict[str, Summary]:
    """Summarise each state in which an entry was measured."""
    return {state: summary_of(visits) for state, visits in _by_state(entry).items()}


def main_visits(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Give the visits that the latency of an entry is of and that count (``undisturbed``)."""
    return undisturbed(_main_visits(entry))


def latency_of(entry: Mapping[str, Any]) -> Summary:
    """Summarise what the latency of an entry with visits is of.

    That is state ``constants`` where there are visits of it, else repeated calls, and where neither was measured all.
    """
    return summary_of(_main_visits(entry))


def _main_visits(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    from .cache_state import main_state  # not needed where one benchmark is timed alone

    state = main_state(entry["role"], [visit["state"] for visit in entry["visits"]])
    chosen = [visit for visit in entry["visits"] if visit["state"] == state] or list(entry["visits"])
    return _farthest(chosen) if entry["role"] == "curve" and chosen else chosen


def _by_state(entry: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    visits = entry["visits"]
    found: dict[str, list[Mapping[str, Any]]] = {}
    for visit in _farthest(visits) if entry["role"] == "curve" and visits else visits:
        found.setdefault(visit["state"], []).append(visit)
    return found


def _farthest(visits: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Give those at the largest distance, which is the distance of others' states."""
    largest = max(visit["distance_bytes"] for visit in visits)
    return [visit for visit in visits if visit["distance_bytes"] == largest]
