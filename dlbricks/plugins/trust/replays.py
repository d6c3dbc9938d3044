"""Detection of results whose times were copied from a stored one, by the distribution of each benchmark's times."""

# A copy has the quantiles of its source up to a factor, whatever the order of its visits and if some are left out. Over
# 2,403 pairs of honest runs with ten or more benchmarks in common quantiles differ by 0.27 of their spread or more;
# copies in another order, without a tenth of the visits or with noise of 0.5 % by 0.17 or less;
# see ``benchmarks/rules.py``.

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.harness.stats import counted
from dlbricks.store.document import Document
from dlbricks.store.types import CopiedResult

# Difference of quantiles, relative to their spread, below which times count as copied.
ALIKE = 0.2
# Maximum number of stored results that a new one is compared with: those with the most similar intervals.
NEAREST = 20

_LEVELS = np.arange(1, 20) / 20
# Fewer visits of a benchmark have no distribution, and fewer benchmarks are alike by chance.
_LEAST_VISITS, _LEAST_GROUPS = 8, 10

# Times of the visits in ns, by fingerprint and cache state.
Groups = Mapping[tuple[str, str], Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTimes:
    """The times of a stored result."""

    digest: str
    system: str
    started_unix_ns: int
    times: Groups


def times_of(document: Document) -> dict[tuple[str, str], list[float]]:
    """Return the median call time in ns of every visit, by fingerprint and cache state."""
    times: dict[tuple[str, str], list[float]] = {}
    for row in document["benchmarks"]:
        for visit in row["visits"]:
            place = (row["fingerprint"], visit["state"])
            times.setdefault(place, []).append(statistics.median(counted(visit["samples_ns"])))
    return times


def stored_times(document: Document, digest: str) -> StoredTimes:
    """Return the times of a stored document."""
    return StoredTimes(
        digest=digest,
        system=document["system"]["name"],
        started_unix_ns=document["started_unix_ns"],
        times=times_of(document),
    )


def copied_from(new: StoredTimes, stored: Iterable[StoredTimes]) -> tuple[CopiedResult, ...]:
    """Return the stored results that a new one was copied from."""
    return tuple(
        CopiedResult(digest=former.digest, system=former.system)
        for former in stored
        if not is_continued(new, former) and unlikeness(new.times, former.times) < ALIKE
    )


def is_continued(new: StoredTimes, old: StoredTimes) -> bool:
    """Return whether both results are from one run, before and after it was resumed: all common visits are equal."""
    if (new.system, new.started_unix_ns) != (old.system, old.started_unix_ns):
        return False
    return all(all(a == b for a, b in zip(new.times[at], old.times.get(at, ()), strict=False)) for at in new.times)


def unlikeness(new: Groups, old: Groups) -> float:
    """Return the median over benchmarks of how far their quantiles differ, relative to the lesser spread of the two.

    Both are standard deviations of 19 quantiles of logarithms, so a factor on all times of a benchmark changes neither.
    Infinite if fewer than ten benchmarks have eight visits in both.
    """
    ratios = []
    for own, stored in ((new[at], old[at]) for at in new if at in old):
        if min(len(own), len(stored)) >= _LEAST_VISITS:
            first, second = (np.quantile(np.log(np.maximum(times, 1.0)), _LEVELS) for times in (own, stored))
            spread = min(first.std(), second.std())
            ratios += [float((first - second).std() / spread)] if spread else []
    return statistics.median(ratios) if len(ratios) >= _LEAST_GROUPS else math.inf


def nearest(new: Mapping[str, float], stored: Iterable[tuple[str, str, float]]) -> list[str]:
    """Return digests of the at most ``NEAREST`` stored results that were most likely copied, most similar first.

    ``new`` are relative widths of intervals by fingerprint, which scaling does not change; ``stored`` are of each
    measurement its result's digest, its fingerprint and its width.
    """
    apart: defaultdict[str, list[float]] = defaultdict(list)
    for digest, fingerprint, width in stored:
        if new.get(fingerprint) and width:
            apart[digest].append(abs(math.log(new[fingerprint] / width)))
    return sorted(apart, key=lambda digest: (statistics.median(apart[digest]), digest))[:NEAREST]
