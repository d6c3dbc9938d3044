"""The miss curve of a machine: how much of what memory costs a call pays, by how long ago it last touched its memory.

Measured by the benchmark of role ``curve``, nearly all of whose time goes into reading one constant: it is called after
different amounts of other memory were touched. Pure.
"""

import statistics
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from dlbricks.harness.cache_state import NEAR, NEAR_CACHES
from dlbricks.harness.stats import Summary, summarise, undisturbed
from dlbricks.store.nouns import SecondLevel

_TELLING = (0.05, 0.9)
"""Shares of what memory costs between which a wait tells how fast others fill the cache."""


def levels(document: Mapping[str, Any]) -> dict[int, Summary]:
    """Summarise the calls of the curve benchmark by reuse distance in bytes, ascending; empty if there are none.

    Args:
        document: a result document.
    """
    return _summarised(_after_reading(document), "distance_bytes")


def miss_curve(document: Mapping[str, Any]) -> tuple[tuple[int, float], ...]:
    """Give reuse distances in bytes and what a call pays there: 0 as in state near, 1 as after the largest.

    Between the two the medians are made to rise (isotonic regression, weighted by the number of visits) and kept within
    0 and 1. Empty where nothing is known: no curve benchmark, a single distance, or no difference between the ends.

    Args:
        document: a result document.
    """
    found = levels(document)
    low, span = _ends(document, found)
    if span <= 0:
        return ()
    from scipy.optimize import isotonic_regression

    raw = [(summary.latency_ns - low) / span for summary in found.values()]
    risen = isotonic_regression(raw, weights=[summary.samples for summary in found.values()]).x
    return tuple((distance, min(1.0, max(0.0, float(share)))) for distance, share in zip(found, risen, strict=True))


def brought_in(document: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """Give what others bring into the last level of cache in some time, as a benchmark that waits finds out.

    A call that comes some time after the one before, nothing touched in between, pays as much as one after touching so
    many bytes. Waits after which hardly anything is gone say little and do not count; of those after which nearly all
    is gone the shortest does, as the least that was brought in.

    Args:
        document: a result document.

    Returns:
        Times in ns and bytes, both rising; empty where no wait tells.
    """
    curve = miss_curve(document)
    low, span = _ends(document, levels(document))
    waited = _after_waiting(document)
    own_bytes = max((visit["distance_bytes"] for visit in waited), default=0)
    found: list[tuple[int, int]] = []
    for wait_ns, summary in _summarised(waited, "wait_ns").items() if curve else ():
        share = (summary.latency_ns - low) / span
        nbytes = max(0, round(_distance_at(curve, min(share, _TELLING[1]))) - own_bytes)
        if share >= _TELLING[0] and (not found or nbytes > found[-1][1]):
            found.append((wait_ns, nbytes))
        if share >= _TELLING[1]:
            break
    return tuple(found)


def second_level(document: Mapping[str, Any], call_overhead_ns: int) -> SecondLevel:
    """Say how large the second level of cache is, and what a byte costs from the level behind it.

    The curve benchmark, called as in state near, reads its constant from there.

    Args:
        document: a result document.
        call_overhead_ns: in state near.
    """
    near = _near_distances(document)
    low, span = _ends(document, levels(document))
    nbytes = _curve_bytes(document)
    if not near or not nbytes or span <= 0:
        return SecondLevel()
    return SecondLevel(nbytes=max(near) // NEAR_CACHES, byte_ns=max(0, low - call_overhead_ns) / nbytes)


def streamed_byte_ns(document: Mapping[str, Any]) -> float:
    """Say what a byte of the curve benchmark's constant costs from memory, beyond what it does from the caches, ns.

    0.0 where nothing is known.
    """
    nbytes = _curve_bytes(document)
    _, span = _ends(document, levels(document))
    return max(0.0, span / nbytes) if nbytes else 0.0


def _distance_at(curve: Sequence[tuple[int, float]], share: float) -> float:
    """Give the distance at which a miss curve reaches a share, linear between points; the last one if it never does."""
    for (near, low), (far, high) in pairwise(curve):
        if low <= share < high:
            return near + (far - near) * (share - low) / (high - low)
    return curve[-1][0]


def _ends(document: Mapping[str, Any], found: Mapping[int, Summary]) -> tuple[int, int]:
    """Give the latency where nothing and how much more it is where everything comes from memory.

    Nothing does after no more other memory than before a call in state near; all such calls count together.
    """
    if len(found) < 2:
        return 0, 0
    nearest = max([min(found), *_near_distances(document)])
    low = _lower_median([one for one in _after_reading(document) if one["distance_bytes"] <= nearest]).latency_ns
    return low, found[max(found)].latency_ns - low


def _after_reading(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """List the visits of the curve benchmark before which other memory was read."""
    return [visit for visit in _visits(document) if visit["distance_bytes"] and not visit.get("wait_ns")]


def _after_waiting(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """List those before which time passed."""
    return [visit for visit in _visits(document) if visit.get("wait_ns")]


def _visits(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [
        visit
        for entry in document["benchmarks"]
        if entry["role"] == "curve" and entry["status"] == "ok"
        for visit in entry["visits"]
    ]


def _summarised(visits: Sequence[Mapping[str, Any]], key: str) -> dict[int, Summary]:
    """Summarise visits by what they have of ``key``, ascending."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    for visit in visits:
        found.setdefault(visit[key], []).append(visit)
    return {value: _lower_median(found[value]) for value in sorted(found)}


def _lower_median(visits: Sequence[Mapping[str, Any]]) -> Summary:
    """Summarise visits by their lower median: of a few calls, one by which a level is wrong bends the curve."""
    return summarise([visit["samples_ns"] for visit in undisturbed(visits)], statistics.median_low)


def _curve_bytes(document: Mapping[str, Any]) -> int:
    """Give the size of the constant of the curve benchmark; 0 without one."""
    return sum(row["weight_bytes"] for row in document["suite"]["manifest"]["benchmarks"] if row["role"] == "curve")


def _near_distances(document: Mapping[str, Any]) -> list[int]:
    """Give how much memory was read before each call in state near."""
    return [
        visit["distance_bytes"]
        for entry in document["benchmarks"]
        for visit in entry["visits"]
        if visit["state"] == NEAR
    ]
