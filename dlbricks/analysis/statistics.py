"""Medians with intervals and sums of many groups at once, with numpy: a sort, and a few steps over all values."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dlbricks.harness.stats import median_interval_weights
from dlbricks.trace.types import Longs

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries:
    """Median, 95 % interval and number of values of each group."""

    median: Floats
    """NaN where a group has no values."""
    low: Floats
    """NaN where a group has fewer than two values, which say nothing of their spread."""
    high: Floats
    count: Longs


def summaries(group: Longs, values: Floats | Longs, groups: int) -> Summaries:
    """Summarise values by group; the interval is that of ``harness.stats``, not below 0.

    Args:
        group: of each value, 0 to ``groups`` - 1.
        values: as many; NaN are left out.
        groups: how many there are.
    """
    ordered, first, count = _ordered(group, values, groups)
    median = _middles(ordered, first, count)
    low, high = np.full(groups, np.nan), np.full(groups, np.nan)
    for number in np.unique(count[count > 1]).tolist():
        rank, factor = median_interval_weights(number)
        at = np.flatnonzero(count == number)
        half = factor * (ordered[first[at] + number - rank] - ordered[first[at] + rank - 1])
        low[at], high[at] = np.maximum(median[at] - half, 0), median[at] + half
    return Summaries(median=median, low=low, high=high, count=count)


def medians(group: Longs, values: Floats | Longs, groups: int) -> Floats:
    """Give the medians of ``summaries`` alone, however many values a group has."""
    return _middles(*_ordered(group, values, groups))


def _ordered(group: Longs, values: Floats | Longs, groups: int) -> tuple[Floats, Longs, Longs]:
    """Sort values by group; give them, where each group begins, and how many it has."""
    given = np.asarray(values, np.float64)
    kept = ~np.isnan(given)
    group, given = group[kept], given[kept]
    count = np.bincount(group, minlength=groups).astype(np.int64)
    first = np.cumsum(count) - count
    return given[np.lexsort((given, group))], first, count


def _middles(ordered: Floats, first: Longs, count: Longs) -> Floats:
    median = np.full(len(count), np.nan)
    some = count > 0
    begin, number = first[some], count[some]
    median[some] = (ordered[begin + (number - 1) // 2] + ordered[begin + number // 2]) / 2
    return median


def summary(values: Floats | Longs) -> Summaries:
    """Summarise values that are one group."""
    return summaries(np.zeros(len(values), np.int64), values, 1)


def occurrences(*keys: Longs) -> Longs:
    """Number equal rows of keys from 0 in the order in which they come."""
    order, new = _sorted_runs(keys)
    place = np.arange(len(order))
    made = np.empty(len(order), np.int64)
    made[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return made


def numbered(*keys: Longs) -> tuple[Longs, Longs]:
    """Give equal rows of keys one number, and for each number the first row that has it, in order of the keys."""
    order, new = _sorted_runs(keys)
    made = np.empty(len(order), np.int64)
    made[order] = np.cumsum(new) - 1
    return made, order[new]


def _sorted_runs(keys: Sequence[Longs]) -> tuple[Longs, np.ndarray[Any, np.dtype[np.bool_]]]:
    """Give the rows sorted by keys, and which of them differ from the one before."""
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), bool)
    new[1:] = np.any([np.diff(key[order]) != 0 for key in keys], axis=0)
    return order, new


def sums(group: Longs, values: Floats | Longs, groups: int) -> Floats:
    """Add up by group; NaN where one of the values of a group is, and where it has none."""
    made = np.bincount(group, weights=np.asarray(values, np.float64), minlength=groups).astype(np.float64)
    made[np.bincount(group, minlength=groups) == 0] = np.nan
    return made


def grouped(names: Sequence[str]) -> tuple[list[str], Longs]:
    """Give every different name once, as they come, and the number of each."""
    known: dict[str, int] = {}
    numbers = np.array([known.setdefault(name, len(known)) for name in names], np.int64)
    return list(known), numbers


def ranked(figures: Floats | Longs, names: Sequence[str]) -> Longs:
    """Order groups from the largest figure to the smallest, equal ones by name; NaN come last."""
    place = {name: at for at, name in enumerate(sorted(names))}
    return np.lexsort((np.array([place[name] for name in names], np.int64), -np.nan_to_num(figures, nan=-1.0)))


def trimmed_mean(values: Sequence[float]) -> float:
    """Average what is left when a fifth of the values is cut off at each side.

    As XSP has it (``rai-project/evaluation``): of fewer than three values the mean, of three the median.

    Args:
        values: one or more.
    """
    if len(values) == 3:
        return float(statistics.median(values))
    cut = len(values) // 5
    ordered = np.sort(np.asarray(values, np.float64))
    return float(ordered[cut : len(ordered) - cut].mean())
