"""Results whose times were taken from a stored one: scatter tells, since no two runs are disturbed alike.

Of 849 pairs of honest runs of one network on two machines the scatter of all visits together correlates by 0.41 at
most, and no more than a fifth of the benchmarks by 0.8; a copy that was scaled, each benchmark by another factor or
not, correlates by 1.
"""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dlbricks.harness.stats import counted
from dlbricks.store.document import Document

ALIKE = 0.8
"""Correlation from which on scatter was copied."""
NEAREST = 20
"""Stored results that a new one is compared with in full: those whose intervals are most like its own."""

_LEAST_VISITS, _LEAST_GROUPS = 8, 3
_COPIED_SHARE = 0.4
"""Share of the benchmarks by which part of a result was copied, of ten or more."""
_SAME_WIDTH = 0.03
_BOUND = 5.0
"""Median absolute deviations beyond which a visit counts as so far away, that none decides alone."""

Groups = Mapping[tuple[str, str], Sequence[float]]
"""Time of each visit, ns, in their order, by fingerprint and state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTimes:
    """The times of a stored result."""

    digest: str
    system: str
    started_unix_ns: int
    times: Groups


def times_of(document: Document) -> dict[tuple[str, str], list[float]]:
    """Give the median call of every visit."""
    found: dict[tuple[str, str], list[float]] = {}
    for row in document["benchmarks"]:
        for visit in row["visits"]:
            place = (row["fingerprint"], visit["state"])
            found.setdefault(place, []).append(statistics.median(counted(visit["samples_ns"])))
    return found


def stored_times(document: Document, digest: str) -> StoredTimes:
    """Read what is compared of a stored document."""
    return StoredTimes(
        digest=digest,
        system=document["system"]["name"],
        started_unix_ns=document["started_unix_ns"],
        times=times_of(document),
    )


def is_continued(new: StoredTimes, old: StoredTimes) -> bool:
    """Whether one is the same run as the other, before or after it was resumed: all common visits are the same."""
    if (new.system, new.started_unix_ns) != (old.system, old.started_unix_ns):
        return False
    return all(all(a == b for a, b in zip(new.times[at], old.times.get(at, ()), strict=False)) for at in new.times)


def likeness(new: Groups, old: Groups) -> tuple[float, float]:
    """Give the correlation of the scatter of all common visits, and the share of benchmarks that correlate each.

    Both are 0 where there is too little to tell.
    """
    pairs = [(_scatter(new[at], old[at]), _scatter(old[at], new[at])) for at in new if at in old]
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    if len(known) < _LEAST_GROUPS:
        return 0.0, 0.0
    together = _correlation(np.concatenate([one for one, _ in known]), np.concatenate([other for _, other in known]))
    share = sum(_correlation(one, other) > ALIKE for one, other in known) / len(known)
    return together, share if len(known) >= 10 else 0.0


def is_copy(new: Groups, old: Groups) -> bool:
    """Whether the times of one, or of a good part of it, were made from those of the other."""
    together, share = likeness(new, old)
    return together > ALIKE or share > _COPIED_SHARE


def _scatter(times: Sequence[float], beside: Sequence[float]) -> NDArray[np.float64] | None:
    """Give how far each of the visits that both have lies from the median, in bounded median absolute deviations."""
    count = min(len(times), len(beside))
    logarithms = np.log(np.maximum(np.asarray(times[:count], np.float64), 1.0))
    off = logarithms - np.median(logarithms) if count >= _LEAST_VISITS else logarithms[:0]
    spread = float(np.median(np.abs(off))) if off.size else 0.0
    return np.clip(off / spread, -_BOUND, _BOUND) if spread else None


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    one, other = one - one.mean(), other - other.mean()
    scale = math.sqrt(float(one @ one) * float(other @ other))
    return float(one @ other) / scale if scale else 0.0


def nearest(new: Mapping[str, float], stored: Iterable[tuple[str, str, float]]) -> list[str]:
    """Choose the stored results that may be the origin of a new one.

    Args:
        new: width of the interval over the latency, by fingerprint: no factor changes it.
        stored: the same of each stored result, as digest, fingerprint and width.

    Returns:
        Digests, the most alike first, ``NEAREST`` at most.
    """
    same: dict[str, int] = {}
    for digest, fingerprint, width in stored:
        own = new.get(fingerprint, 0.0)
        same[digest] = same.get(digest, 0) + (abs(own - width) <= _SAME_WIDTH * max(own, width))
    return sorted(same, key=lambda digest: (-same[digest], digest))[:NEAREST]
