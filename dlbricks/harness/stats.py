"""Computes latencies and their confidence intervals from samples, and verdicts on measurements.

The 95 % interval of a median is that of Price and Bonett, "Estimating the variance of the sample median", J. Statist.
Comput. Simul. 68 (2001): distribution-free, from two order statistics around the median, for two values or more.
``median_cihs`` of scipy needs six values, and a suite should not depend on scipy.
"""

import bisect
import functools
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .cache_state import HOT_LOOP

# Least slowdown of work on a core that another virtual machine shares. Samples above this many times the lower quartile
# are clipped to that limit (winsorised).
INTERFERENCE_RATIO = 1.25
_NORMAL = statistics.NormalDist()
_Z95 = _NORMAL.inv_cdf(0.975)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A latency and its 95 % interval, ns."""

    latency_ns: int
    """Median of the visits' medians, or winsorised mean of single calls (``summarise``)."""
    low_ns: int
    """Lower end of the interval, at least 0."""
    high_ns: int
    samples: int
    """Number of timed calls, including those that the statistics leave out."""

    @property
    def relative(self) -> float:
        """Relative half width: half the width of the interval divided by the latency."""
        return (self.high_ns - self.low_ns) / 2 / max(self.latency_ns, 1)


def counted(visit: Sequence[int]) -> Sequence[int]:
    """Return the samples of a visit that count: all but the first, unless it is the only one."""
    return visit[1:] if len(visit) > 1 else visit


def visit_median(visit: Mapping[str, Any]) -> float:
    """Return the median of the samples of a visit that count."""
    return statistics.median(counted(visit["samples_ns"]))


@functools.lru_cache(maxsize=4096)
def median_interval_weights(count: int) -> tuple[int, float]:
    """Return rank c (from 1) and factor f for the 95 % interval of the median of ``count`` >= 2 values.

    The interval is the median +- f * (value of rank count - c + 1 minus value of rank c).
    """
    rank = max(1, round((count + 1) / 2 - math.sqrt(count)))
    outside = _below(count, rank)
    return rank, _Z95 / (2 * _NORMAL.inv_cdf(1 - outside))


def _below(count: int, rank: int) -> float:
    # Return the probability of fewer than `rank` heads in `count` coin tosses; approximated above `_EXACT` tosses
    if count > _EXACT:
        return _NORMAL.cdf((2 * rank - 1 - count) / math.sqrt(count))
    term = total = 1
    for heads in range(1, rank):
        term = term * (count - heads + 1) // heads
        total += term
    probability: float = total / 2**count
    return probability


# Most coin tosses with an exact sum, whose time grows with their square; above, the approximation errs by below 1e-5.
_EXACT = 10_000


def median_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median of one or more values and the ends of its 95 % interval.

    The spread of a single value is unknown; its interval is 0 to twice the value.
    """
    ordered = sorted(values)
    middle = statistics.median(ordered)
    if len(ordered) == 1:
        return middle, 0.0, 2.0 * middle
    rank, factor = median_interval_weights(len(ordered))
    half = factor * (ordered[-rank] - ordered[rank - 1])
    return middle, middle - half, middle + half


def bounded(values: Sequence[float]) -> list[float]:
    """Return the values, limited to ``INTERFERENCE_RATIO`` times their lower quartile."""
    most = INTERFERENCE_RATIO * lower_quartile(values)
    return [min(value, most) for value in values]


def bounded_mean(values: Sequence[float]) -> float:
    """Return the mean of the ``bounded`` values (winsorised mean)."""
    return statistics.fmean(bounded(values))


def calls_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the ``bounded_mean`` of two or more durations, with the 95 % interval of their bounded median."""
    _, low, high = median_interval(bounded(values))
    latency = bounded_mean(values)
    return latency, min(low, latency), max(high, latency)


def lower_quartile(values: Sequence[float]) -> float:
    """Return the lower quartile, without interpolation."""
    return sorted(values)[(len(values) - 1) // 4]


def summarise(visits: Sequence[Sequence[int]]) -> Summary:
    """Summarise the visits of one benchmark; times are in ns.

    The latency is the median of the visits' medians. For visits with one call it is their winsorised mean, since means
    of parts add up. The interval of a single visit lacks the variation between visits.
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
    """Return the visits that are not marked as disturbed; all if every visit is."""
    return [visit for visit in visits if not visit.get("disturbed")] or list(visits)


def samples_by_state(entry: Mapping[str, Any]) -> dict[str, list[list[int]]]:
    """Return the samples of the undisturbed visits in a benchmark's entry of a result, by cache state.

    For a benchmark of role ``curve``, only visits at the largest distance count.
    """
    return {state: [visit["samples_ns"] for visit in undisturbed(visits)] for state, visits in _by_state(entry).items()}


def summary_of(visits: Sequence[Mapping[str, Any]]) -> Summary:
    """Summarise the undisturbed visits of one cache state.

    If only one visit is undisturbed, its relative interval is that of all visits.
    """
    chosen = undisturbed(visits)
    summary = summarise([visit["samples_ns"] for visit in chosen])
    if len(chosen) > 1 or len(visits) == 1:
        return summary
    of_all = summarise([visit["samples_ns"] for visit in visits])
    scale = summary.latency_ns / max(of_all.latency_ns, 1)
    return replace(summary, low_ns=math.floor(scale * of_all.low_ns), high_ns=math.ceil(scale * of_all.high_ns))


def summaries(entry: Mapping[str, Any]) -> dict[str, Summary]:
    """Return the summary of each cache state in a benchmark's entry of a result."""
    return {state: summary_of(visits) for state, visits in _by_state(entry).items()}


def main_visits(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the undisturbed visits that determine a benchmark's latency, from its entry of a result."""
    return undisturbed(_main_visits(entry))


def latency_of(entry: Mapping[str, Any]) -> Summary:
    """Return the latency in a benchmark's entry of a result, which must have visits.

    It is that of state ``weights_cold``; if not measured, that of ``hot_loop``; else that of all visits.
    """
    return summary_of(_main_visits(entry))


def _main_visits(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    from .cache_state import main_state  # a benchmark that is timed alone does not need it

    state = main_state(entry["role"], [visit["state"] for visit in entry["visits"]])
    chosen = [visit for visit in entry["visits"] if visit["state"] == state] or list(entry["visits"])
    return _farthest(chosen) if entry["role"] == "curve" and chosen else chosen


def _by_state(entry: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    visits = entry["visits"]
    states: dict[str, list[Mapping[str, Any]]] = {}
    for visit in visits:
        states.setdefault(visit["state"], []).append(visit)
    return {state: _farthest(of) for state, of in states.items()} if entry["role"] == "curve" else states


def _farthest(visits: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    largest = max(visit["distance_bytes"] for visit in visits)
    return [visit for visit in visits if visit["distance_bytes"] == largest]


# Kinds of verdicts.
KINDS = ("stable", "noisy", "drifting", "too short", "failed")

# A benchmark whose call is shorter than this many steps of the timer is too short.
TIMER_STEPS = 20
# A benchmark whose call is shorter than this many calls of an empty graph is too short.
OVERHEADS = 3
# A latency that changes over the run by at least this share drifts.
DRIFT_SHARE = 0.03
# Least number of visits from which a trend is computed.
DRIFT_VISITS = 6
# Normal quantile of a two-sided test at 1 %.
_DRIFT_Z = 2.576
# A benchmark with at most this relative half width is stable, even if the target of the run is narrower.
STABLE_SHARE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Facts about a run on which verdicts depend."""

    overheads_ns: Mapping[str, int]
    """Latency of an empty graph, ns, by cache state; empty if it was not measured."""
    timer_ns: int
    """Smallest step of the timer, ns."""
    target_relative: float
    """Relative half width that the run aimed for."""
    anchor_times_ns: tuple[int, ...]
    """Start of each visit to an anchor, ns, ascending."""
    anchor_levels: tuple[float, ...]
    """Median of each visit to an anchor, divided by the median of that anchor over the run."""


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
        overheads_ns=overheads,
        timer_ns=int(document["system"]["facts_before"].get("timer_ns") or 1),
        target_relative=float(document["options"]["target_relative"]),
        anchor_times_ns=tuple(time for time, _ in levels),
        anchor_levels=tuple(level for _, level in levels),
    )


def judge(entry: Mapping[str, Any], run: Context) -> dict[str, str]:
    """Return the verdict on a benchmark's entry of a result: its ``kind`` and, as ``text``, the reason."""
    if entry["status"] == "failed":
        return {"kind": "failed", "text": entry["reason"]}
    if traced := _by_kernels(entry, run):
        return traced
    rows = main_visits(entry)
    summary = latency_of(entry)
    for kind, text in (
        ("too short", _too_short(entry, rows[0]["state"], summary, run)),
        ("drifting", _drifting(entry, rows, summary, run)),
    ):
        if text:
            return {"kind": kind, "text": text}
    visits = _visits_of_interval(entry)
    text = f"+-{summary.relative:.1%} from {visits}" if summary.relative < 1 else f"{visits}: spread unknown"
    return _by_width(text, summary.relative, _limit(entry, run))


def _visits_of_interval(entry: Mapping[str, Any]) -> str:
    # Say on which visits the interval of `latency_of` rests: on all if only one is undisturbed
    every, rows = _main_visits(entry), main_visits(entry)
    if len(every) == 1:
        calls = len(every[0]["samples_ns"])
        return f"1 visit of {calls} call{'s' * (calls != 1)}"
    return f"{len(every)} visits, all but one disturbed" if len(rows) == 1 else f"{len(rows)} visits"


def _by_width(text: str, relative: float, limit: float) -> dict[str, str]:
    # Return the verdict on an interval that `text` states, by its relative half width and the allowed one
    if relative > limit:
        return {"kind": "noisy", "text": f"{text}, {'run longer' if relative >= 1 else f'wider than {limit:.1%}'}"}
    allowed = f", and its share of a network allows {limit:.1%}" if limit > STABLE_SHARE else ""
    return {"kind": "stable", "text": text + allowed}


def _by_kernels(entry: Mapping[str, Any], run: Context) -> dict[str, str]:
    # Return the verdict on a sequence whose kernels were traced: its times of the device count; else nothing
    queue = entry.get("queue", {})
    if entry["role"] not in {"sequence", "overhead", "nodes"} or not queue.get("traced"):
        return {}
    relative = (queue["device_high_ns"] - queue["device_low_ns"]) / 2 / max(queue["device_ns"], 1)
    text = f"kernels +-{relative:.1%} in {queue['traced']} traced call{'s' * (queue['traced'] != 1)}"
    return _by_width(text, relative, _limit(entry, run))


def _limit(entry: Mapping[str, Any], run: Context) -> float:
    # Return the relative half width that the benchmark's importance allows (`schedule.allowed_relative`)
    return min(1.0, max(STABLE_SHARE, run.target_relative) / math.sqrt(entry.get("importance", 1.0)))


def _too_short(entry: Mapping[str, Any], state: str, summary: Summary, run: Context) -> str:
    latency, overhead = summary.latency_ns, run.overheads_ns.get(state, run.overheads_ns.get(HOT_LOOP, 0))
    if latency < TIMER_STEPS * run.timer_ns:
        return f"shorter than {TIMER_STEPS} steps of the timer ({latency} ns < {TIMER_STEPS * run.timer_ns} ns)"
    if entry["role"] != "overhead" and latency < OVERHEADS * overhead:
        limit = OVERHEADS * overhead / 1000
        return f"shorter than {OVERHEADS} times the call overhead ({latency / 1000:.1f} us < {limit:.1f} us)"
    return ""


def _drifting(entry: Mapping[str, Any], visits: Sequence[Mapping[str, Any]], summary: Summary, run: Context) -> str:
    # Test for a trend of the visits' medians, each divided by the level of the anchors at the time of the visit
    if len(visits) < DRIFT_VISITS:
        return ""
    points = [(visit["start_ns"], visit_median(visit) / _level(visit["start_ns"], run, entry)) for visit in visits]
    if abs(trend(points) / max(summary.latency_ns, 1)) < DRIFT_SHARE:
        return ""
    share = relative_trend(points)
    return f"{share:+.1%} from the first to the last of {len(points)} visits, relative to the anchors"


def _level(time_ns: int, run: Context, entry: Mapping[str, Any]) -> float:
    # Return the median level of the six nearest visits to anchors; 1.0 for an anchor itself
    if not run.anchor_times_ns or entry["role"] == "anchor":
        return 1.0
    place = bisect.bisect(run.anchor_times_ns, time_ns)
    return statistics.median(run.anchor_levels[max(0, place - 3) : place + 3])


def trend(points: Sequence[tuple[float, float]]) -> float:
    """Return the change of y over the span of x; 0.0 without a significant trend.

    The slope is the median slope (Sen 1968); the test is that of Mann and Kendall (1945, 1975) at 1 %. Needs three or
    more points with ascending x.
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


def relative_trend(points: Sequence[tuple[float, float]]) -> float:
    """Return the trend of positive y as a relative change, above -1."""
    return math.expm1(min(700.0, trend([(x, math.log(max(y, 1e-9))) for x, y in points])))
