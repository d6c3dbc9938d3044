"""Detects copies of stored results by the distribution of each benchmark's times."""

# A visit is one of the times at which a run measures a benchmark. The quantiles of a copy's visits are those of its
# source times a factor, in any order of the visits. Among 2,403 pairs of honest runs with at least ten common
# benchmarks, quantiles differ by at least 0.27 of their standard deviation. Copies in another order, without a tenth of
# the visits, or with noise of 0.5 %, differ by at most 0.17. If a copy lacks more visits, the remaining ones recur in
# its source: all of them in copies without up to 70 % of the visits, at most 0.35 of them in those 941 of 3,301 honest
# pairs for which the share is known (``benchmarks/rules.py``).

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dlbricks.harness.stats import counted
from dlbricks.store.document import Document
from dlbricks.store.submission import is_one_run
from dlbricks.store.types import CopiedResult

# Times are taken as copied if quantiles differ by less than 0.2 of their standard deviation, or if 0.75 of them recur.
ALIKE, RECURRING = 0.2, 0.75
# Maximum number of stored results that a new one is compared with: those with the most similar intervals.
NEAREST = 20

_LEVELS = np.arange(1, 20) / 20
# With fewer visits per benchmark quantiles mean little; with fewer benchmarks honest runs are alike by chance.
_LEAST_VISITS, _LEAST_GROUPS = 8, 10
# Number of first visits of a benchmark that are searched for in the other result.
_DRAWN, _SPAN_NS = 32, 100

# Times of the visits in ns, by fingerprint and cache state.
Groups = Mapping[tuple[str, str], Sequence[float]]


def times_of(document: Document) -> dict[tuple[str, str], list[float]]:
    """Return the median of each visit in a result, ns, by fingerprint and cache state."""
    times: dict[tuple[str, str], list[float]] = {}
    for row in document["benchmarks"]:
        for visit in row["visits"]:
            place = (row["fingerprint"], visit["state"])
            times.setdefault(place, []).append(statistics.median(counted(visit["samples_ns"])))
    return times


def copied_from(new: Document, stored: Iterable[tuple[str, Document]]) -> tuple[CopiedResult, ...]:
    """Return the stored results (pairs of digest and result) from which a new result was copied."""
    times, copies = times_of(new), []
    for digest, former in stored:
        theirs = times_of(former)
        alike = unlikeness(times, theirs) < ALIKE or recurrence(times, theirs) >= RECURRING
        if alike and not is_one_run(new, former):
            copies.append(CopiedResult(digest=digest, system=former["system"]["name"]))
    return tuple(copies)


def unlikeness(new: Groups, old: Groups) -> float:
    """Return the difference of two results: median difference of quantiles, in standard deviations.

    For each benchmark, 19 quantiles of the logarithms of times are compared after their mean was subtracted, so a
    common factor has no effect. The difference is infinite if fewer than ten benchmarks have eight visits in both.
    """
    ratios = []
    for first, second in (tuple(np.quantile(np.log(each), _LEVELS) for each in pair) for pair in _common(new, old)):
        spread = min(first.std(), second.std())
        ratios += [float((first - second).std() / spread)] if spread else []
    return statistics.median(ratios) if len(ratios) >= _LEAST_GROUPS else math.inf


def recurrence(new: Groups, old: Groups) -> float:
    """Return the median share of times that recur in the other result, up to a common factor.

    Some times recur by chance, so a benchmark counts only if its interquartile range is 100 ns or more per visit.
    """
    shares = []
    for first, second in _common(new, old):
        spans = [np.subtract(*np.quantile(each, (0.75, 0.25))) for each in (first, second)]
        if min(spans) >= _SPAN_NS * max(len(first), len(second)):
            drawn = first[:_DRAWN]
            factors = np.sort(np.log(drawn[:, None] / second).ravel())
            # scaled times were rounded to 1 ns
            upto = np.searchsorted(factors, factors + 1.5 / min(first.min(), second.min()), side="right")
            shares.append(float((upto - np.arange(len(factors))).max() / min(len(drawn), len(second))))
    return statistics.median(shares) if len(shares) >= _LEAST_GROUPS else 0.0


def _common(new: Groups, old: Groups) -> Iterator[tuple[Any, Any]]:
    both = ((np.maximum(new[at], 1.0), np.maximum(old[at], 1.0)) for at in new if at in old)
    return ((own, stored) for own, stored in both if min(len(own), len(stored)) >= _LEAST_VISITS)


def nearest(new: Mapping[str, float], stored: Iterable[tuple[str, str, float]]) -> list[str]:
    """Return the digests of at most ``NEAREST`` stored results, the most similar results first.

    Results are compared by relative widths of intervals, which do not change if times are scaled. ``new`` has widths by
    fingerprint; ``stored`` has digest of the result, fingerprint and width of each stored measurement.
    """
    apart: defaultdict[str, list[float]] = defaultdict(list)
    for digest, fingerprint, width in stored:
        if new.get(fingerprint) and width:
            apart[digest].append(abs(math.log(new[fingerprint] / width)))
    return sorted(apart, key=lambda digest: (statistics.median(apart[digest]), digest))[:NEAREST]
