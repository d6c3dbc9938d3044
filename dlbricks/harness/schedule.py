"""What is known of each benchmark during a run, when it has been measured enough, and how long the rest will take."""

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .stats import counted, median_interval
from .suitefile import is_reference

SLOW_VISITS = 3
"""Visits of a benchmark so slow that they take ``max_time_ns``."""
MOST_CALLS = 200
"""Most calls in a visit."""
WHOLE_CALLS = 3
"""Least calls in a visit to a whole network, which its user calls again and again: all but the first, which finds the
caches as some other benchmark left them, are what its latency is made of."""
BASELINE_CALLS = 20
"""Most calls in a visit to a part of a published recipe: enough for a hot loop, and few to keep."""
_SMOKE_CALLS = 3
_EXPECTED_VISITS = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a suite is run; everything that is asked for, nothing that is found out."""

    provider: str = "cpu"
    provider_options: tuple[tuple[str, str], ...] = ()
    threads: int = 1
    session_options: tuple[tuple[str, str], ...] = ()
    seed: int = 0
    """Of the order of the visits; the values of inputs and weights have the suite's own."""
    name: str | None = None
    """Name of the system; None: made from its facts."""
    budget_ns: int | None = None
    """Wall time of the whole run, loading included; None: until every benchmark is done."""
    smoke: bool = False
    """One short visit each: shows that everything runs, measures nothing well."""
    only: tuple[str, ...] = ()
    """Names (globs), beginnings of fingerprints or operators; empty for all."""
    resume: bool = False
    timeout_ns: int = 60_000_000_000
    """Longest that a benchmark may take to load, or for one visit."""
    target_relative: float = 0.02
    """Half width of the 95 % interval, as a share of the latency, that is narrow enough."""
    max_time_ns: int = 300_000_000
    """Timed calls of one benchmark after which it is left alone, narrow or not."""
    whole_target_relative: float | None = None
    """``target_relative`` of whole networks; None: as of everything else."""
    whole_max_time_ns: int | None = None
    """``max_time_ns`` of whole networks; None: as of everything else."""
    min_visits: int = 5
    """Visits before an interval is believed: stopping at the first narrow one, it covers 94 % from five on, 87 % from
    three on (simulated)."""
    visit_ns: int = 5_000_000
    """How long a visit should last."""
    memory_limit_bytes: int | None = None
    """Private memory that a worker may have; None for no limit."""

    def record(self) -> dict[str, Any]:
        """Give what a result document keeps of the options; the runtime's are kept with the runtime."""
        return {
            "seed": self.seed,
            "budget_ns": self.budget_ns,
            "smoke": self.smoke,
            "only": list(self.only),
            "timeout_ns": self.timeout_ns,
            "target_relative": self.target_relative,
            "max_time_ns": self.max_time_ns,
            "whole_target_relative": self.whole_target_relative,
            "whole_max_time_ns": self.whole_max_time_ns,
            "min_visits": self.min_visits,
            "visit_ns": self.visit_ns,
            "memory_limit_bytes": self.memory_limit_bytes,
        }


@dataclass(slots=True, kw_only=True)
class Track:
    """One benchmark during a run; changes as the run goes on."""

    benchmark: Mapping[str, Any]
    status: str = "not run"
    reason: str = ""
    load_ns: int = 0
    warmup_ns: list[int] = field(default_factory=list)
    visits: list[dict[str, Any]] = field(default_factory=list)
    sketches: list[dict[str, Any]] = field(default_factory=list)
    placement: dict[str, int] = field(default_factory=dict)
    wall_ns: int = 0
    timed_ns: int = 0
    medians: list[float] = field(default_factory=list)
    loaded: bool = False
    """Whether a worker holds it now."""
    done: bool = False
    """Whether it needs no further visit (``is_done``)."""

    @property
    def fingerprint(self) -> str:
        """Of the benchmark."""
        return str(self.benchmark["fingerprint"])

    @property
    def is_reference(self) -> bool:
        """Whether it is an anchor or the empty graph."""
        return is_reference(self.benchmark)

    @property
    def call_ns(self) -> float:
        """What a call takes, as far as is known."""
        if self.medians:
            return max(1.0, self.medians[-1])
        return float(max(1, self.warmup_ns[-1])) if self.warmup_ns else 1e6

    def fail(self, reason: str) -> None:
        """Give the benchmark up; what was measured of it is kept."""
        self.status, self.reason, self.done = "failed", reason, True

    def add_visit(self, start_ns: int, samples_ns: list[int]) -> None:
        """Keep the samples of a visit."""
        self.visits.append({"start_ns": start_ns, "samples_ns": samples_ns})
        self.medians.append(statistics.median(counted(samples_ns)))
        self.timed_ns += sum(samples_ns)
        self.status = "ok"

    def entry(self) -> dict[str, Any]:
        """Give the entry of a result document, its verdict left out."""
        made = {
            "fingerprint": self.fingerprint,
            "role": self.benchmark["role"],
            "status": self.status,
            "reason": self.reason,
            "load_ns": self.load_ns,
            "warmup_ns": self.warmup_ns,
            "visits": self.visits,
            "sketches": self.sketches,
            "wall_ns": self.wall_ns,
        }
        return {**made, "placement": self.placement} if self.placement else made

    def restore(self, entry: Mapping[str, Any]) -> None:
        """Take over what an interrupted run has measured."""
        for visit in entry["visits"]:
            self.add_visit(visit["start_ns"], visit["samples_ns"])
        self.status, self.reason = entry["status"], entry["reason"]
        self.load_ns, self.warmup_ns = entry["load_ns"], entry["warmup_ns"]
        self.sketches, self.wall_ns = entry["sketches"], entry["wall_ns"]
        self.placement = entry.get("placement", {})


def calls_of_visit(track: Track, options: RunOptions) -> int:
    """Choose the calls of the next visit, so that it lasts about ``visit_ns``."""
    least = WHOLE_CALLS if track.benchmark["role"] == "whole" else 1
    most = BASELINE_CALLS if track.benchmark["role"] == "baseline" else MOST_CALLS
    calls = max(least, min(most, round(options.visit_ns / track.call_ns)))
    return min(calls, _SMOKE_CALLS) if options.smoke else calls


def visit_cost_ns(track: Track, options: RunOptions) -> float:
    """Estimate how long the next visit will last."""
    return calls_of_visit(track, options) * track.call_ns


def is_done(track: Track, options: RunOptions) -> bool:
    """Whether a benchmark needs no further visit: narrow enough, or enough time spent on it, or failed."""
    if track.status == "failed":
        return True
    if options.smoke:
        return bool(track.visits)
    target_relative, max_time_ns = limits(track, options)
    if track.timed_ns >= max_time_ns and len(track.visits) >= min(SLOW_VISITS, options.min_visits):
        return True
    if len(track.visits) < options.min_visits:
        return False
    middle, low, high = median_interval(track.medians)
    return (high - low) / 2 <= target_relative * middle


def limits(track: Track, options: RunOptions) -> tuple[float, int]:
    """Give the relative half width that is narrow enough, and the time after which a benchmark is left alone, ns."""
    if track.benchmark["role"] != "whole":
        return options.target_relative, options.max_time_ns
    target, most = options.whole_target_relative, options.whole_max_time_ns
    return target or options.target_relative, most or options.max_time_ns


def remaining_ns(tracks: Iterable[Track], options: RunOptions, load_ns: float) -> float:
    """Estimate what is left to do.

    Args:
        tracks: all benchmarks of the run, anchors left out.
        options: of the run.
        load_ns: mean time to load one.
    """
    done: list[Track] = []
    left: list[Track] = []
    for track in tracks:
        (done if track.done else left).append(track)
    finished = [len(track.visits) for track in done if track.visits]
    expected = 1.0 if options.smoke else statistics.fmean(finished) if finished else _EXPECTED_VISITS
    known = [visit_cost_ns(track, options) for track in (*done, *left) if track.warmup_ns]
    usual = statistics.fmean(known) if known else float(options.visit_ns)
    total = 0.0
    for track in left:
        cost = visit_cost_ns(track, options) if track.warmup_ns else usual + load_ns
        visits = max(1.0, expected - len(track.visits))
        total += max(cost, min(visits * cost, limits(track, options)[1] - track.timed_ns))
    return total
