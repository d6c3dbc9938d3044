"""Detection of results whose times were copied from a stored one, by the correlation of their scatter.

The scatter of independent runs does not correlate: over 849 pairs of honest runs of one network on two machines the
correlation over all visits is at most 0.41, and at most a fifth of the benchmarks have more than 0.8. A scaled copy has
1, also if each benchmark is scaled by another factor.
"""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dlbricks.harness.stats import counted
from dlbricks.store.document import Document
from dlbricks.store.types import CopiedResult

# Correlation above which scatter counts as copied.
ALIKE = 0.8
# Maximum number of stored results that a new one is compared with: those with the most similar intervals.
NEAREST = 20

_LEAST_VISITS, _LEAST_GROUPS = 8, 3
# Share of correlating benchmarks (of ten or more) above which a part of a result counts as copied.
_COPIED_SHARE = 0.4
_SAME_WIDTH = 0.03
# Bound for the deviation of a visit, in median absolute deviations, so that no outlier decides alone.
_BOUND = 5.0

# Times of the visits in ns and in order, by fingerprint and cache state.
Groups = Mapping[tuple[str, str], Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTimes:
    """The times of a stored result."""

    digest: str
    system: str
    started_unix_ns: int
    times: Groups


def times_of(document: Document) -> dict[tuple[str, str], list[float]]:
    """Return the median call of every visit."""
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
        if not is_continued(new, former) and is_copy(new.times, former.times)
    )


def is_continued(new: StoredTimes, old: StoredTimes) -> bool:
    """Return whether both are the same run, before and after it was resumed: all common visits are equal."""
    if (new.system, new.started_unix_ns) != (old.system, old.started_unix_ns):
        return False
    return all(all(a == b for a, b in zip(new.times[at], old.times.get(at, ()), strict=False)) for at in new.times)


def likeness(new: Groups, old: Groups) -> tuple[float, float]:
    """Return the correlation of the scatter over all common visits, and the share of benchmarks above ``ALIKE``.

    Both are 0 if there are too few common visits or benchmarks.
    """
    pairs = [(_scatter(new[at], old[at]), _scatter(old[at], new[at])) for at in new if at in old]
    scatters = [(own, stored) for own, stored in pairs if own is not None and stored is not None]
    if len(scatters) < _LEAST_GROUPS:
        return 0.0, 0.0
    together = _correlation(*(np.concatenate(side) for side in zip(*scatters, strict=True)))
    share = sum(_correlation(*pair) > ALIKE for pair in scatters) / len(scatters)
    return together, share if len(scatters) >= 10 else 0.0


def is_copy(new: Groups, old: Groups) -> bool:
    """Return whether the times of a result, or of a large part of it, were copied from another one."""
    together, share = likeness(new, old)
    return together > ALIKE or share > _COPIED_SHARE


def _scatter(times: Sequence[float], beside: Sequence[float]) -> NDArray[np.float64] | None:
    """Return the deviations of the common visits from their median, in bounded median absolute deviations."""
    count = min(len(times), len(beside))
    logarithms = np.log(np.maximum(np.asarray(times[:count], np.float64), 1.0))
    off = logarithms - np.median(logarithms) if count >= _LEAST_VISITS else logarithms[:0]
    spread = float(np.median(np.abs(off))) if off.size else 0.0
    return np.clip(off / spread, -_BOUND, _BOUND) if spread else None


def _correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    first, second = first - first.mean(), second - second.mean()
    scale = math.sqrt(float(first @ first) * float(second @ second))
    return float(first @ second) / scale if scale else 0.0


def nearest(new: Mapping[str, float], stored: Iterable[tuple[str, str, float]]) -> list[str]:
    """Choose the stored results that a new one may have been copied from.

    Args:
        new: relative interval width by fingerprint, which scaling does not change.
        stored: digest, fingerprint and relative width of each stored measurement.

    Returns:
        Digests of at most ``NEAREST`` results, the most similar first.
    """
    same: dict[str, int] = {}
    for digest, fingerprint, width in stored:
        own = new.get(fingerprint, 0.0)
        same[digest] = same.get(digest, 0) + (abs(own - width) <= _SAME_WIDTH * max(own, width))
    return sorted(same, key=lambda digest: (-same[digest], digest))[:NEAREST]
