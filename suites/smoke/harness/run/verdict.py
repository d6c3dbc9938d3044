"""The verdict on each benchmark: stable, noisy, drifting, too short or failed, with its figures.

A verdict is a function of the result document alone, so that whoever receives it can check it.
"""

import bisect
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..cache_state import REPEATED
from ..stats import Summary, counted, latency_of, main_visits, summaries, undisturbed

KINDS = ("stable", "noisy", "drifting", "too short", "failed")
"""All verdicts."""

TIMER_STEPS = 20
"""A call shorter than so many steps of the timer is too short."""
OVERHEADS = 3
"""A call shorter than so many calls of an empty graph is too short."""
DRIFT_SHARE = 0.03
"""Change over the run, as a share of the latency, from which on a trend is called drift."""
DRIFT_VISITS = 6
"""Fewer visits show no trend."""
_DRIFT_Z = 2.576
STABLE_SHARE = 0.02
"""Half width of the interval, as a share of the latency, up to which a benchmark is stable whatever the run asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a verdict needs to know of the rest of the run."""

    overhead_ns: int
    """Latency of repeated calls of an empty graph; 0 when it was not measured."""
    overheads_ns: Mapping[str, int] = field(default_factory=dict)
    """The same by state."""
    timer_ns: int
    """Smallest step of the timer."""
    target_relative: float
    """Relative half width at which the run was content."""
    anchor_times_ns: tuple[int, ...]
    """Start of each anchor visit, ascending."""
    anchor_levels: tuple[float, ...]
    """How much slower than usual the anchors were then; 1.0 is their median over the run."""


def context(document: Mapping[str, Any]) -> Context:
    """Gather the context of a result document; anchors and overhead are found by ``role``."""
    overheads, levels = dict[str, int](), []
    for entry in document["benchmarks"]:
        if entry["status"] != "ok" or not entry["visits"]:
            continue
        if entry["role"] == "overhead":
            overheads = {state: summary.latency_ns for state, summary in summaries(entry).items()}
        elif entry["role"] == "anchor":
            visits = undisturbed(entry["visits"])
            medians = [statistics.median(counted(visit["samples_ns"])) for visit in visits]
            usual = max(statistics.median(medians), 1)
            levels += [(visit["start_ns"], level / usual) for visit, level in zip(visits, medians, strict=True)]
    levels.sort()
    return Context(
        overhead_ns=overheads.get(REPEATED, 0),
        overheads_ns=overheads,
        timer_ns=int(document["system"]["facts_before"].get("timer_ns") or 1),
        target_relative=float(document["options"]["target_relative"]),
        anchor_times_ns=tuple(time for time, _ in levels),
        anchor_levels=tuple(level for _, level in levels),
    )


def judge(entry: Mapping[str, Any], around: Context) -> dict[str, str]:
    """Give the verdict on one entry of ``benchmarks`` as ``kind`` and ``text``."""
    if entry["status"] == "failed":
        return {"kind": "failed", "text": entry["reason"]}
    rows = main_visits(entry)
    summary = latency_of(entry)
    for kind, text in (
        ("too short", _too_short(entry, rows[0]["state"], summary, around)),
        ("drifting", _drifting(entry, rows, summary, around)),
        ("noisy", _noisy(entry, summary, around)),
    ):
        if text:
            return {"kind": kind, "text": text}
    return {"kind": "stable", "text": f"+-{summary.relative:.1%} from {len(rows)} visits"}


def _too_short(entry: Mapping[str, Any], state: str, summary: Summary, around: Context) -> str:
    latency, overhead = summary.latency_ns, around.overheads_ns.get(state, around.overhead_ns)
    if latency < TIMER_STEPS * around.timer_ns:
        return f"{latency} ns is less than {TIMER_STEPS} steps of the timer ({around.timer_ns} ns)"
    if entry["role"] != "overhead" and latency < OVERHEADS * overhead:
        return f"{latency} ns is less than {OVERHEADS} calls of an empty graph ({overhead} ns)"
    return ""


def _noisy(entry: Mapping[str, Any], summary: Summary, around: Context) -> str:
    """Compare with what its share of a network allows (``schedule.allowed``)."""
    limit = min(1.0, max(STABLE_SHARE, around.target_relative) / math.sqrt(entry.get("importance", 1.0)))
    if summary.relative <= limit:
        return ""
    return f"+-{summary.relative:.1%} from {summary.samples} calls, wider than {limit:.1%}"


def _drifting(entry: Mapping[str, Any], visits: Sequence[Mapping[str, Any]], summary: Summary, around: Context) -> str:
    """Mann-Kendall test for a trend (Mann 1945, Kendall 1975) of the size of the median slope (Sen 1968)."""
    if len(visits) < DRIFT_VISITS:
        return ""
    points = [
        (visit["start_ns"], statistics.median(counted(visit["samples_ns"])) / _level(visit["start_ns"], around, entry))
        for visit in visits
    ]
    change = trend(points)
    share = change / max(summary.latency_ns, 1)
    if abs(share) < DRIFT_SHARE:
        return ""
    return f"{share:+.1%} from the first to the last of {len(points)} visits, beyond what the anchors did"


def _level(time_ns: int, around: Context, entry: Mapping[str, Any]) -> float:
    """Give the median level of the anchor visits nearest in time; an anchor is not measured against itself."""
    if not around.anchor_times_ns or entry["role"] == "anchor":
        return 1.0
    place = bisect.bisect(around.anchor_times_ns, time_ns)
    return statistics.median(around.anchor_levels[max(0, place - 3) : place + 3])


def trend(points: Sequence[tuple[float, float]]) -> float:
    """Give the change of y over the span of x by the median slope, 0.0 when the trend is not significant (1 %).

    Args:
        points: x ascending and distinct, at least three; more than 40 are thinned out.
    """
    points = points[:: -(-len(points) // 40)]
    count = len(points)
    pairs = [(points[i], points[j]) for i in range(count) for j in range(i + 1, count)]
    score = sum((later[1] > earlier[1]) - (later[1] < earlier[1]) for earlier, later in pairs)
    deviation = math.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    if abs(score) <= 1 or (abs(score) - 1) / deviation < _DRIFT_Z:
        return 0.0
    slopes = [(later[1] - earlier[1]) / (later[0] - earlier[0]) for earlier, later in pairs if later[0] > earlier[0]]
    return statistics.median(slopes) * (points[-1][0] - points[0][0]) if slopes else 0.0
