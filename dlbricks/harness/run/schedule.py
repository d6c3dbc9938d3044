"""Schedules a run: steps and order of visits, the condition on which a benchmark is done, and the remaining time.

Latencies of a network's layers add up, and their errors are independent. The sum reaches the relative half width
``target`` if each layer reaches ``target / sqrt(w)``, where w is the layer's share of the network. So a sequence of
importance w is done at that width, which is at most 100 %.
"""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..cache_state import (
    CURVE_BYTES,
    CURVE_CALLS,
    CURVE_WAITS_NS,
    EMPTY_ROLES,
    ENDURING_CALL_NS,
    FRESH_DISTANCES,
    HOT_LOOP,
    LLC_WARM,
    LONG_CALL_NS,
    OUTPUTS_COLD,
    READ_AFTER_WRITE,
    READ_IN_TURN,
    WEIGHTS_COLD,
    WRITTEN_IN_TURN,
    CacheDistances,
    Step,
    curve_distances,
    main_state,
)
from ..dtypes import byte_size
from ..options import RunOptions
from ..stats import calls_interval, median_interval, visit_median
from .files import is_reference


@dataclass(slots=True, kw_only=True)
class BenchmarkState:
    """The state of one benchmark during a run; measuring updates it."""

    benchmark: Mapping[str, Any]
    """Entry of ``suite.json``."""
    cold: bool = False
    """Whether the benchmark is timed by single calls in states ``llc_warm`` and ``weights_cold`` (``is_cold``)."""
    status: str = "not run"
    reason: str = ""
    load_ns: int = 0
    warmup_ns: list[int] = field(default_factory=list)
    visits: list[dict[str, Any]] = field(default_factory=list)
    output_digests: list[dict[str, Any]] = field(default_factory=list)
    placement: dict[str, int] = field(default_factory=dict)
    trace: dict[str, Any] = field(default_factory=dict)
    """Short form of the trace (``harness.trace.tracing``) or the reason of a failure; empty before tracing."""
    queue: dict[str, Any] = field(default_factory=dict)
    """Times of host and device (``harness.trace.device_queue``); empty on the CPU."""
    wall_ns: int = 0
    timed_ns: int = 0
    spent_ns: int = 0
    """Wall time of all visits, preparation of the caches included, ns."""
    disturbed: int = 0
    """Number of samples discarded because the thread was preempted or its core was shared."""
    disturbed_in_row: int = 0
    """Number of successive disturbed visits."""
    last_visit_ns: float = 0.0
    """Wall time of the last visit, preparation of the caches included, ns; 0.0 before the first visit."""
    medians: dict[str, list[float]] = field(default_factory=dict)
    """Medians of the undisturbed visits, ns, by cache state."""
    disturbed_medians: dict[str, list[float]] = field(default_factory=dict)
    """Medians of the disturbed visits that are not repeated, ns, by cache state."""
    loaded: bool = False
    """Whether a worker has loaded the benchmark."""
    done: bool = False
    """Whether the benchmark needs no further visit (``is_done``)."""

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the benchmark."""
        return str(self.benchmark["fingerprint"])

    @property
    def role(self) -> str:
        """Role of the benchmark, as in ``sequence`` or ``anchor``."""
        return str(self.benchmark["role"])

    @property
    def importance(self) -> float:
        """The benchmark's share of a network, above 0 and at most 1."""
        return float(self.benchmark["importance"])

    @property
    def touched_bytes(self) -> int:
        """Bytes of constants, inputs and outputs, which a call touches."""
        return int(self.benchmark["weight_bytes"] + self.benchmark["activation_bytes"])

    @property
    def on_device(self) -> bool:
        """Whether estimates take the sequence's times of host and device, so that few calls are timed."""
        return self.role == "sequence" and bool(self.queue)

    @property
    def is_reference(self) -> bool:
        """Whether the benchmark calibrates the run: an anchor, an empty graph or a curve."""
        return is_reference(self.benchmark)

    @property
    def call_ns(self) -> float:
        """Estimated duration of a call, ns."""
        medians = self.main_medians or next(iter([*self.medians.values(), *self.disturbed_medians.values()]), [])
        if medians:
            return max(1.0, medians[-1])
        return float(max(1, self.warmup_ns[-1])) if self.warmup_ns else 1e6

    @property
    def main_medians(self) -> list[float]:
        """Medians of the visits that determine the latency, ns."""
        state = main_state(self.role, self.states)
        return self.medians.get(state) or self.disturbed_medians.get(state, [])

    @property
    def states(self) -> tuple[str, ...]:
        """Cache states with a visit that counts."""
        return tuple({**self.medians, **self.disturbed_medians})

    @property
    def rounds(self) -> int:
        """Number of visits that count; if ``cold``, only those in state ``weights_cold``."""
        if self.cold and self.role == "curve":
            return sum(visit.get("wait_ns") == CURVE_WAITS_NS[-1] for visit in self.visits)
        every = [*self.medians.items(), *self.disturbed_medians.items()]
        return sum(len(medians) for state, medians in every if not self.cold or state == WEIGHTS_COLD)

    def fail(self, reason: str) -> None:
        """Mark the benchmark as failed; its samples stay."""
        self.status, self.reason, self.done = "failed", reason, True

    def add_visit(
        self, start_ns: int, step: Step, samples_ns: list[int], *, again: bool = False, **more: int | None
    ) -> None:
        """Add the samples of one step of a visit, and other fields; ``again`` means that the visit will be repeated."""
        visit = {"start_ns": start_ns, "state": step.state, "distance_bytes": step.distance_bytes}
        others = {key: value for key, value in {"wait_ns": step.wait_ns, **more}.items() if value}
        self._add({**visit, **others, "samples_ns": samples_ns}, again=again)
        self.status = "ok"

    def _add(self, visit: dict[str, Any], *, again: bool) -> None:
        self.visits.append(visit)
        if not again:
            medians = self.disturbed_medians if visit.get("disturbed") else self.medians
            medians.setdefault(visit["state"], []).append(visit_median(visit))
        self.timed_ns += sum(visit["samples_ns"])

    def entry(self) -> dict[str, Any]:
        """Return the benchmark's entry in a result document, without a verdict."""
        own = {name: getattr(self, name) for name in ("fingerprint", "role", "importance", *_KEPT, *_OPTIONAL)}
        return {name: value for name, value in own.items() if value or name not in _OPTIONAL}

    def restore(self, entry: Mapping[str, Any]) -> None:
        """Restore the state from the benchmark's entry in an unfinished run."""
        for name in _KEPT:
            setattr(self, name, entry[name])
        for name in _OPTIONAL:
            setattr(self, name, entry.get(name, {}))
        self.visits = []
        for visit in entry["visits"]:
            self._add(dict(visit), again=False)
        self.spent_ns = max(self.timed_ns, self.wall_ns - self.load_ns - sum(self.warmup_ns))


# Fields in the entry of a result document, in the order of the entry.
_KEPT = ("status", "reason", "load_ns", "warmup_ns", "visits", "disturbed", "output_digests", "wall_ns")
_OPTIONAL = ("placement", "trace", "queue")
# Number of visits to a benchmark that is so slow that fewer visits exceed ``max_time_ns``.
SLOW_VISITS = 3
# Number of visits to a benchmark of role ``sequence`` whose calls take ``ENDURING_CALL_NS`` or more.
ENDURING_VISITS = 2
# Number of visits from which on the interval of a whole network is trusted: the 95 % interval then covers 94 %, after
# three visits 87 % (simulated). Less important benchmarks need fewer visits.
TRUSTED_VISITS = 5
# Assumed time to prepare a visit, before it is measured.
PREPARE_NS = 400_000
# Most calls in a visit.
MOST_CALLS = 200
# Least calls in a visit to an end-to-end network or a reference network; the first does not count.
END_TO_END_CALLS = 3
# A visit to an end-to-end network lasts this many times as long as other visits: the second and third call of a short
# network still take up to 5 % longer than later calls.
END_TO_END_VISITS = 4
# Each round spends this many times as long on an end-to-end network as on all others together.
END_TO_END_SHARE = 2
# Most calls in a visit to a part of a published recipe (``validate``): enough for a hot loop, and few to store.
BASELINE_CALLS = 20
# Calls back to back in a visit to a benchmark of role ``sequence``: about the first ten become quicker from call to
# call. They come before calls in state ``llc_warm``: some last-level caches (Zen 3) keep a constant only after it was
# read several times, and 2 MiB of constants that were read once take twice as long to read again as after 16 times.
# Calls of ``LONG_CALL_NS`` or more are not made back to back, since they hardly depend on the second-level cache.
HOT_LOOP_CALLS = 32
# Calls in state ``llc_warm`` in a visit, unless they are long: one of ten short calls takes a third longer than others.
LLC_WARM_CALLS = 3
# Least size of a sequence's outputs for which state ``outputs_cold`` is measured.
LEAST_OUTPUT_BYTES = 1 << 16
# Most calls back to back in a visit of a smoke run; the first call does not count (``stats.counted``).
_SMOKE_CALLS = 3
# Most disturbed visits in a row that are repeated; the second number is for unimportant benchmarks and long calls.
_RETRIES, _FEW_RETRIES = 8, 2
# Calls of at least this duration have few retries, since they outlast bursts of interference.
_LONG_NS = 20_000_000


def allowed_relative(importance: float, target_relative: float) -> float:
    """Return the relative half width of an interval at which a benchmark needs no further visit; at most 1.

    >>> allowed_relative(1 / 16, 0.02)
    0.08
    """
    return min(1.0, target_relative / math.sqrt(importance))


def stricter(options: RunOptions) -> RunOptions:
    """Return options that need twice as many visits: the target is divided by the square root of 2.

    >>> stricter(RunOptions()).max_time_ns // RunOptions().max_time_ns
    2
    """
    return replace(options, target_relative=options.target_relative / math.sqrt(2), max_time_ns=2 * options.max_time_ns)


def limits(track: BenchmarkState, options: RunOptions) -> tuple[float, int]:
    """Return at which relative half width a benchmark is done, and the longest time to measure it, ns."""
    target, most = options.target_relative, options.max_time_ns
    if track.role == "whole":
        target, most = options.end_to_end_target_relative or target, options.end_to_end_max_time_ns or most
    return allowed_relative(track.importance, target), most


def steps_of_visit(
    track: BenchmarkState, options: RunOptions, distances: CacheDistances, since_bytes: int
) -> list[Step]:
    """Return the steps of the next visit; ``since_bytes`` is the reuse distance of the benchmark."""
    repeated = Step(state=HOT_LOOP, calls=calls_of_visit(track, options))
    if not track.cold or track.role == "overhead":  # ``CallOverhead`` times empty graphs in other states
        return [repeated]
    if track.role == "curve":
        # what a byte costs from memory and from the last-level cache, and when it has left the latter
        far_bytes, near_bytes = distances.far_bytes, distances.llc_warm_bytes
        far = Step(state=WEIGHTS_COLD, clear_bytes=far_bytes, distance_bytes=far_bytes)
        near = replace(far, state=LLC_WARM, clear_bytes=near_bytes, distance_bytes=near_bytes)
        again = replace(repeated, calls=HOT_LOOP_CALLS)
        return [far, again, *[near] * LLC_WARM_CALLS, *_curve_steps(distances)]
    clear = max(0, distances.far_bytes - since_bytes)
    far = Step(state=WEIGHTS_COLD, clear_bytes=clear, distance_bytes=since_bytes + clear)
    near = Step(state=LLC_WARM, clear_bytes=distances.llc_warm_bytes, distance_bytes=distances.llc_warm_bytes)
    if track.role in EMPTY_ROLES:
        return [far, *[near] * (1 if options.smoke else LLC_WARM_CALLS), repeated]
    if track.call_ns >= ENDURING_CALL_NS and LLC_WARM in track.states:
        return [far]
    cached = [near, replace(near, state=OUTPUTS_COLD)] if _writes_much(track.benchmark, distances) else [near]
    if options.smoke or track.call_ns >= LONG_CALL_NS:
        return [far, *cached]
    again = replace(repeated, calls=max(2, min(repeated.calls, HOT_LOOP_CALLS)))
    return [far, again, *cached * LLC_WARM_CALLS]


def _writes_much(benchmark: Mapping[str, Any], distances: CacheDistances) -> bool:
    # Return whether state ``outputs_cold`` is measured: small outputs cost little, and very large ones leave the caches
    # in every state.
    sizes = (byte_size(output["dtype"], math.prod(output["shape"])) for output in benchmark["outputs"])
    return LEAST_OUTPUT_BYTES <= sum(sizes) <= distances.far_bytes // 4


def _curve_steps(distances: CacheDistances) -> list[Step]:
    sizes = curve_distances(distances)
    waits = [Step(state=READ_IN_TURN, distance_bytes=sizes[0], wait_ns=wait_ns) for wait_ns in CURVE_WAITS_NS]
    # the first of several calls does not count (``stats.counted``)
    reads = [
        Step(
            state=READ_IN_TURN,
            calls=1 + min(CURVE_CALLS, size // CURVE_BYTES),
            clear_bytes=size,
            distance_bytes=size,
        )
        for size in sizes
    ]
    written = [replace(step, state=WRITTEN_IN_TURN) for step in reads]
    fresh = [Step(state=READ_AFTER_WRITE, calls=1 + CURVE_CALLS, distance_bytes=size) for size in FRESH_DISTANCES]
    return [*waits, *reads, *written, *fresh]


def calls_of_visit(track: BenchmarkState, options: RunOptions) -> int:
    """Return the number of calls with which a visit takes about ``visit_ns``."""
    end_to_end = track.role in {"whole", "network"}
    least = END_TO_END_CALLS if end_to_end else 1
    most = BASELINE_CALLS if track.role == "baseline" else MOST_CALLS
    call_ns = (track.medians.get(HOT_LOOP) or track.disturbed_medians.get(HOT_LOOP) or [track.call_ns])[-1]
    visit_ns = options.visit_ns * (END_TO_END_VISITS if end_to_end else 1)
    calls = max(least, min(most, round(visit_ns / max(1.0, call_ns))))
    return min(calls, _SMOKE_CALLS) if options.smoke else calls


def visit_cost_ns(track: BenchmarkState, options: RunOptions) -> float:
    """Estimate the duration of the next visit, ns."""
    if track.cold:
        return track.last_visit_ns or PREPARE_NS + 2 * track.call_ns
    return calls_of_visit(track, options) * track.call_ns


def least_visits(track: BenchmarkState, options: RunOptions) -> int:
    """Return the least number of visits of a benchmark."""
    # One visit if the share is too small to matter, else two to ``TRUSTED_VISITS`` by importance.
    trusted = max(options.cold_min_visits, round(TRUSTED_VISITS * track.importance**0.5))
    wanted = 1 if limits(track, options)[0] >= 1 else trusted
    if track.role == "whole":
        return max(options.end_to_end_min_visits or options.min_visits, wanted)
    return wanted if track.cold else max(options.min_visits, wanted)


def retry_limit(track: BenchmarkState, options: RunOptions) -> int:
    """Return the largest number of successive disturbed visits that are repeated."""
    # 0 for references (they are visited seldom), in a smoke run, for the first visit within a budget (it may be the
    # only one), and for calls that outlast disturbances. Few for unimportant benchmarks and for long calls, which are
    # almost always disturbed.
    hurried = options.budget_ns is not None and not track.visits
    if track.is_reference or options.smoke or hurried or track.on_device or track.call_ns >= ENDURING_CALL_NS:
        return 0
    few = limits(track, options)[0] >= 1 or track.call_ns >= _LONG_NS
    return _FEW_RETRIES if few else _RETRIES


def is_done(track: BenchmarkState, options: RunOptions) -> bool:
    """Return whether a benchmark needs no further visit: its interval is narrow, its time is spent, or it failed."""
    if track.status == "failed":
        return True
    if options.smoke:
        return track.rounds > 0
    if track.on_device:
        return track.rounds >= options.min_visits
    if track.cold and not track.is_reference and LLC_WARM not in track.states:
        return False
    least = least_visits(track, options)
    several = ENDURING_VISITS if track.call_ns >= ENDURING_CALL_NS else 1 + SLOW_VISITS
    slow = min(least, several if track.cold else min(SLOW_VISITS, options.min_visits))
    narrow, most_ns = limits(track, options)
    if track.spent_ns >= most_ns and track.rounds >= slow:
        return True
    return track.rounds >= least and _relative(track) <= narrow


def _relative(track: BenchmarkState) -> float:
    medians = track.main_medians
    if not medians:
        return 1.0
    single = track.cold and len(medians) > 1
    middle, low, high = calls_interval(medians) if single else median_interval(medians)
    return (high - max(0.0, low)) / 2 / max(middle, 1.0)


def benefit(track: BenchmarkState, options: RunOptions) -> float:
    """Return the benefit of the next visit per ns of its cost (Neyman allocation)."""
    # The benefit is the expected reduction of the variance that the benchmark adds to the sum of its network.
    if not track.rounds:
        return math.inf
    return (track.importance * min(1.0, _relative(track))) ** 2 / (track.rounds + 1) / visit_cost_ns(track, options)


def most_beneficial(tracks: list[BenchmarkState], options: RunOptions, time_ns: float) -> list[BenchmarkState]:
    """Return the benchmarks to visit in a round, by falling benefit; together they take at most ``time_ns``."""
    total = 0.0
    chosen = []
    for track in sorted(tracks, key=lambda track: (-benefit(track, options), -track.importance)):
        total += visit_cost_ns(track, options)
        if total > time_ns:
            break
        chosen.append(track)
    return chosen


def first_visits_first(track: BenchmarkState) -> tuple[bool, float]:
    """Return a sort key: benchmarks without a visit come first, by falling importance."""
    # A budget that ends within the round then leaves out the least important benchmarks. Other visits keep their order.
    return (True, 0.0) if track.visits else (False, -track.importance)


def interleaved(tracks: Sequence[BenchmarkState], options: RunOptions) -> list[BenchmarkState]:
    """Return the order of the visits of a round: random, with end-to-end networks spread evenly."""
    # An end-to-end network is compared with the sum of its sequences and therefore has to be measured in the same
    # conditions of the machine. A round spends ``END_TO_END_SHARE`` times as long on it as on all other benchmarks.
    visits = [track for track in tracks if track.role != "whole"]
    others, others_ns = len(visits), sum(visit_cost_ns(track, options) for track in visits)
    share = 0 if options.smoke else END_TO_END_SHARE
    for network in (track for track in tracks if track.role == "whole"):
        # a budget may end in the first round, which therefore visits each benchmark once
        first = options.budget_ns is not None and not network.visits
        times = 1 if first else max(1, round(share * others_ns / visit_cost_ns(network, options)))
        for time in reversed(range(times)):
            visits.insert(round((time + 0.5) * others / times), network)
    return visits


def remaining_ns(tracks: Iterable[BenchmarkState], options: RunOptions, load_ns: float) -> float:
    """Estimate how long a run still takes at least, ns; ``load_ns`` is the time to load one benchmark."""
    live = [track for track in tracks if not track.done]
    costs = [visit_cost_ns(track, options) for track in live if track.warmup_ns]
    usual = statistics.fmean(costs) if costs else float(PREPARE_NS)
    total = 0.0
    for track in live:
        visits = 1 if options.smoke else max(1, least_visits(track, options) - track.rounds)
        total += visits * (visit_cost_ns(track, options) if track.warmup_ns else usual)
        total += 0.0 if track.warmup_ns else load_ns
    return total
