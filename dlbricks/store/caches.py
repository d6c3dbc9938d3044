"""What the calls of a run say of the machine: its miss curve, what others bring into its caches, what bytes cost. Pure.

Measured by the benchmark of role ``curve``, nearly all of whose time goes into reading one constant: it is called after
different amounts of other memory were read, and after different times in which nothing was touched.
"""

import itertools
import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from dlbricks.harness.cache_state import NEAR, NEAR_CACHES
from dlbricks.harness.run.verdict import context
from dlbricks.harness.stats import Summary, summary_of
from dlbricks.store.types import Caches

_TELLING = (0.05, 0.9)
"""Shares of what memory costs between which a wait tells how fast others fill the cache."""
_LEAST_RISE = 0.02
"""Share by which a call has to take longer from memory than from the caches, for a curve to be told from noise."""
_THIRDS = 3


def levels(document: Mapping[str, Any]) -> dict[int, Summary]:
    """Summarise the calls of the curve benchmark by reuse distance in bytes, ascending; empty if there are none.

    Args:
        document: a result document.
    """
    visits = _visits(document)
    return _summarised((one for one in visits if one["distance_bytes"] and not one.get("wait_ns")), "distance_bytes")


def caches_of(document: Mapping[str, Any], call_overhead_ns: int = 0) -> Caches:
    """Say how the caches of a machine behave.

    The latencies by distance are made to rise (isotonic regression, weighted by the number of calls); their share of
    the way from the first to the last is the miss curve. From the nearest distances the constant is read from the last
    level of cache, from the farthest from memory, which says what a byte costs from either. Nothing is known without
    two distances and a rise between them that is more than noise.

    Args:
        document: a result document.
        call_overhead_ns: of a call in state ``near``.
    """
    found = levels(document)
    if len(found) < 2:
        return Caches()
    from scipy.optimize import isotonic_regression

    weights = [one.samples for one in found.values()]
    risen = [float(one) for one in isotonic_regression([one.latency_ns for one in found.values()], weights=weights).x]
    low, span = risen[0], risen[-1] - risen[0]
    if span <= _LEAST_RISE * low:
        return Caches()
    curve = tuple((distance, (latency - low) / span) for distance, latency in zip(found, risen, strict=True))
    nbytes, near = _curve_bytes(document), _near_distances(document)
    return Caches(
        curve=curve,
        brought_in=_brought_in(document, curve, low, span),
        second_level_bytes=max(near) // NEAR_CACHES if near and nbytes else 0,
        second_level_byte_ns=max(0.0, low - call_overhead_ns) / nbytes if near and nbytes else 0.0,
        memory_byte_ns=span / nbytes if nbytes else 0.0,
    )


def _brought_in(
    document: Mapping[str, Any], curve: Sequence[tuple[int, float]], low: float, span: float
) -> tuple[tuple[int, int], ...]:
    """Give waits in ns, and as many bytes as others bring into the last level of cache meanwhile; both rise.

    A call that comes some time after the one before, nothing touched in between, pays as much as one after reading so
    many bytes. Waits after which hardly anything is gone do not count; of those after which nearly all is gone the
    shortest does, as the least that was brought in.
    """
    waited = [visit for visit in _visits(document) if visit.get("wait_ns")]
    own_bytes = max((visit["distance_bytes"] for visit in waited), default=0)
    found: list[tuple[int, int]] = []
    for wait_ns, summary in _summarised(waited, "wait_ns").items():
        share = (summary.latency_ns - low) / span
        nbytes = max(0, round(_distance_at(curve, min(share, _TELLING[1]))) - own_bytes)
        if share >= _TELLING[0] and (not found or nbytes > found[-1][1]):
            found.append((wait_ns, nbytes))
        if share >= _TELLING[1]:
            break
    return tuple(found)


def _distance_at(curve: Sequence[tuple[int, float]], share: float) -> float:
    """Give the distance at which a miss curve reaches a share, linear between points; the last one if it never does."""
    for (near, low), (far, high) in pairwise(curve):
        if low <= share < high:
            return near + (far - near) * (share - low) / (high - low)
    return curve[-1][0]


def _visits(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """List the visits of the curve benchmark."""
    rows = (entry for entry in document["benchmarks"] if entry["role"] == "curve" and entry["status"] == "ok")
    return [visit for entry in rows for visit in entry["visits"]]


def _summarised(visits: Iterable[Mapping[str, Any]], key: str) -> dict[int, Summary]:
    """Summarise visits by what they have of ``key``, ascending."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    for visit in visits:
        found.setdefault(visit[key], []).append(visit)
    return {value: summary_of(found[value]) for value in sorted(found)}


def _curve_bytes(document: Mapping[str, Any]) -> int:
    """Give the size of the constant of the curve benchmark; 0 without one."""
    return sum(row["weight_bytes"] for row in document["suite"]["manifest"]["benchmarks"] if row["role"] == "curve")


def _near_distances(document: Mapping[str, Any]) -> list[int]:
    """Give how much memory was read before each call in state near."""
    visits = (visit for entry in document["benchmarks"] for visit in entry["visits"])
    return [visit["distance_bytes"] for visit in visits if visit["state"] == NEAR]


def anchor_drift(document: Mapping[str, Any]) -> float:
    """Give half the range of the anchors' medians over the first, middle and last third of a run, relative.

    Noise within a third does not count; a run with fewer visits to anchors than thirds tells nothing and gives 0.

    Args:
        document: a result document.
    """
    found = context(document).anchor_levels
    if len(found) < _THIRDS:
        return 0.0
    ends = [len(found) * third // _THIRDS for third in range(_THIRDS + 1)]
    medians = [statistics.median(found[begin:end]) for begin, end in itertools.pairwise(ends)]
    return (max(medians) - min(medians)) / 2
