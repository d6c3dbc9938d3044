"""The verdict on each benchmark: stable, noisy, drifting, too short or failed, with a reason.

A verdict is a function of the result document alone, so that every recipient can check it.
"""

import bisect
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..cache_state import REPEATED
from ..stats import Summary, latency_of, main_visits, summaries, undisturbed, visit_median

KINDS = ("stable", "noisy", "drifting", "too short", "failed")
"""All verdicts."""

TIMER_STEPS = 20
"""A call shorter than this many steps of the timer is too short."""
OVERHEADS = 3
"""A call shorter than this many calls of an empty graph is too short."""
DRIFT_SHARE = 0.03
"""A trend of at least this change over the run, as a share of the latency, is drift."""
DRIFT_VISITS = 6
"""Least number of visits for a trend."""
# Two-sided test at 1 %.
_DRIFT_Z = 2.576
STABLE_SHARE = 0.02
"""A benchmark with at most this relative half width is stable whatever target the run had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a verdict depends on beside the benchmark's own entry."""

    overhead_ns: int
    """Latency of repeated calls of an empty graph; 0 if it was not measured."""
    overheads_ns: Mapping[str, int] = field(default_factory=dict)
    """Latency of an empty graph by cache state."""
    timer_ns: int
    """Smallest step of the timer."""
    target_relative: float
    """Target relative half width of the run."""
    anchor_times_ns: tuple[int, ...]
    """Start of each anchor visit, ascending."""
    anchor_levels: tuple[float, ...]
    """Median of each anchor visit, divided by the anchor's median over the run."""


def context(document: Mapping[str, Any]) -> Context:
    """Collect the context of verdicts from a result document."""
    overheads, levels = dict[str, int](), []
    for entry in document["benchmarks"]:
        if entry["status"] != "ok" or not entry["visits"]:
            continue
        if entry["role"] == "overhead":
            overheads = {state: summary.latency_ns for state, summary in summaries(entry).items()}
        elif entry["role"] == "anchor":
            visits = undisturbed(entry["visits"])
            medians = [visit_median(visit) for visit in visits]
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


def judge(entry: Mapping[str, Any], run: Context) -> dict[str, str]:
    """Return the verdict on one entry of ``benchmarks`` as ``kind`` and ``text``."""
    if entry["status"] == "failed":
        return {"kind": "failed", "text": entry["reason"]}
    rows = main_visits(entry)
    summary = latency_of(entry)
    for kind, text in (
        ("too short", _too_short(entry, rows[0]["state"], summary, run)),
        ("drifting", _drifting(entry, rows, summary, run)),
        ("noisy", _noisy(entry, summary, run)),
    ):
        if text:
            return {"kind": kind, "text": text}
    return {"kind": "stable", "text": f"+-{summary.relative:.1%} from {len(rows)} visits"}


def _too_short(entry: Mapping[str, Any], state: str, summary: Summary, run: Context) -> str:
    latency, overhead = summary.latency_ns, run.overheads_ns.get(state, run.overhead_ns)
    if latency < TIMER_STEPS * run.timer_ns:
        return f"{latency} ns is less than {TIMER_STEPS} steps of the timer ({run.timer_ns} ns)"
    if entry["role"] != "overhead" and latency < OVERHEADS * overhead:
        return f"{latency} ns is less than {OVERHEADS} calls of an empty graph ({overhead} ns)"
    return ""


def _noisy(entry: Mapping[str, Any], summary: Summary, run: Context) -> str:
    """Compare the half width with the one allowed by the importance (``schedule.allowed_relative``)."""
    limit = min(1.0, max(STABLE_SHARE, run.target_relative) / math.sqrt(entry.get("importance", 1.0)))
    if summary.relative <= limit:
        return ""
    return f"+-{summary.relative:.1%} from {summary.samples} calls, wider than {limit:.1%}"


def _drifting(entry: Mapping[str, Any], visits: Sequence[Mapping[str, Any]], summary: Summary, run: Context) -> str:
    """Test for a trend of the visits' medians, each divided by the level of the anchors at that time."""
    if len(visits) < DRIFT_VISITS:
        return ""
    points = [(visit["start_ns"], visit_median(visit) / _level(visit["start_ns"], run, entry)) for visit in visits]
    change = trend(points)
    share = change / max(summary.latency_ns, 1)
    if abs(share) < DRIFT_SHARE:
        return ""
    return f"{share:+.1%} from the first to the last of {len(points)} visits, beyond what the anchors did"


def _level(time_ns: int, run: Context, entry: Mapping[str, Any]) -> float:
    """Return the median level of the nearest six anchor visits; 1.0 for an anchor itself."""
    if not run.anchor_times_ns or entry["role"] == "anchor":
        return 1.0
    place = bisect.bisect(run.anchor_times_ns, time_ns)
    return statistics.median(run.anchor_levels[max(0, place - 3) : place + 3])


def trend(points: Sequence[tuple[float, float]]) -> float:
    """Return the change of y over the span of x by the median slope (Sen 1968), 0.0 if there is no significant trend.

    Significance is that of the Mann-Kendall test (Mann 1945, Kendall 1975) at 1 %.

    Args:
        points: pairs of x, ascending and distinct, and y; at least three. About 40 of more points are used.
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
