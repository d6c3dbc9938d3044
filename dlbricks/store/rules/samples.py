"""Defines the rules on samples (DB4xx), anchors (DB7xx) and cache states (DB9xx).

Anchors are fixed networks; their times show whether the machine changed during the run.
"""

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterator

from dlbricks.harness.cache_state import (
    EMPTY_ROLES,
    HOT_LOOP,
    LLC_WARM,
    OUTPUTS_COLD,
    WEIGHTS_COLD,
    CacheDistances,
    is_cold,
    is_of_benchmark,
)
from dlbricks.harness.stats import DRIFT_VISITS, counted, judge, relative_trend, samples_by_state, undisturbed
from dlbricks.harness.stats import context as verdict_context
from dlbricks.store.rules import Occurrence, SubmissionView, change, error, number, warning
from dlbricks.store.summary import caches_of
from dlbricks.units import format_bytes, format_ns

# Number of samples that are never all equal, nor all multiples of more than _TICKS timer steps.
_MANY = 10
# The common divisor of samples that were not rounded is the timer's step, or by chance a small multiple of it.
_TICKS = 10
# Calls that take this many timer steps scatter by more than one step.
_LONG_TICKS = 1000
# Tolerated share of visits that were disturbed by preemption or by another process on the core.
_DISTURBED = 0.2
# Tolerated share of benchmarks that are not stable.
_UNSTABLE = 0.25


@error("DB401: a call takes no time", "Run on a machine with a working monotonic clock.")
def _zero(view: SubmissionView) -> Iterator[Occurrence]:
    """Every call takes time, so a duration of 0 shows that the timer does not work."""
    for entry in view.measured:
        for where, visit in entry.visits:
            if min(visit["samples_ns"]) == 0:
                place = f"{where}.samples_ns[{visit['samples_ns'].index(0)}]"
                yield place, f"{entry.name}: a call has a duration of 0"


@error("DB403: all samples are equal")
def _constant(view: SubmissionView) -> Iterator[Occurrence]:
    """If calls take 1000 timer steps or more, 10 equal samples do not occur by chance."""
    least_ns = _LONG_TICKS * (view.facts["facts_before"].get("timer_ns") or 1)
    for entry in view.measured:
        for state, visits in samples_by_state(entry.row).items():
            samples = [sample for visit in visits for sample in visit]
            if len(samples) >= _MANY and least_ns <= min(samples) == max(samples):
                yield entry.where, f"{entry.name}: all {len(samples)} samples in state {state} are {samples[0]} ns"


@error("DB405: samples were rounded")
def _rounded(view: SubmissionView) -> Iterator[Occurrence]:
    """All samples are multiples of a unit that is much larger than the timer's step, so they were rounded."""
    samples = [sample for entry in view.measured for sample in entry.samples]
    step, timer_ns = math.gcd(*samples), view.facts["facts_before"].get("timer_ns") or 1
    if len(samples) >= _MANY and step > _TICKS * timer_ns:
        yield "benchmarks", f"samples are multiples of {format_ns(step)}, but the timer's step is {format_ns(timer_ns)}"


@error("DB406: visits overlap")
def _overlap(view: SubmissionView) -> Iterator[Occurrence]:
    """The harness times one benchmark at a time. Visits that overlap disturbed each other, or were not measured."""
    visits = sorted(
        (visit["start_ns"], sum(visit["samples_ns"]), where) for entry in view.entries for where, visit in entry.visits
    )
    for (start, took, where), (following, _, other) in itertools.pairwise(visits):
        if start + took > following:
            yield (
                where,
                f"it takes {format_ns(took)}, but {other} starts {format_ns(following - start)} after its start",
            )


@error("DB407: visits are not in the order of time")
def _order(view: SubmissionView) -> Iterator[Occurrence]:
    """The harness writes visits in the order in which it makes them; the computation of drift uses this order."""
    for entry in view.entries:
        starts = [visit["start_ns"] for visit in entry.row["visits"]]
        if starts != sorted(starts):
            yield f"{entry.where}.visits", f"the visits of {entry.name} are not in the order of time"


@error("DB408: the parts take longer than the benchmark")
def _benchmark_wall(view: SubmissionView) -> Iterator[Occurrence]:
    """Load, warm-up and samples are parts of a benchmark's total time, so their sum cannot exceed it."""
    for entry in view.measured:
        parts, wall = entry.row["load_ns"] + sum(entry.row["warmup_ns"]) + sum(entry.samples), entry.row["wall_ns"]
        if parts > wall:
            text = f"load, warm-up and samples take {format_ns(parts)}, but the total is {format_ns(wall)}"
            yield f"{entry.where}.wall_ns", f"{entry.name}: {text}"


@error("DB409: a visit ends after the run")
def _run_wall(view: SubmissionView) -> Iterator[Occurrence]:
    """The duration of the run includes all visits, so none can end later."""
    wall = view.document["timing"]["wall_ns"]
    ends = (visit["start_ns"] + sum(visit["samples_ns"]) for entry in view.entries for visit in entry.row["visits"])
    last = max(ends, default=0)
    if last > wall:
        yield "timing.wall_ns", f"the run took {format_ns(wall)}, but its last visit ends at {format_ns(last)}"


@error("DB410: the timed total is not the sum of the samples")
def _totals(view: SubmissionView) -> Iterator[Occurrence]:
    """The harness writes every sample and their sum, so a different sum was edited."""
    stated = view.document["timing"]["timed_ns"]
    total = sum(sum(visit["samples_ns"]) for entry in view.entries for visit in entry.row["visits"])
    if stated != total:
        yield "timing.timed_ns", f"the result states {stated} ns, but the samples add up to {total} ns"


@error("DB411: a verdict contradicts the samples")
def _verdicts(view: SubmissionView) -> Iterator[Occurrence]:
    """The check computes verdicts from the samples, so a different verdict does not come from these samples."""
    around = verdict_context(view.document)
    for entry in view.measured:
        stated, actual = entry.row["verdict"]["kind"], judge(entry.row, around)["kind"]
        if stated != actual:
            yield f"{entry.where}.verdict.kind", f"{entry.name}: {stated} is stated, but the samples are {actual}"


@warning("DB412: many benchmarks are not stable", "Stop other processes, fix the processor's clock, or run longer.")
def _unstable(view: SubmissionView) -> Iterator[Occurrence]:
    """If many benchmarks are not stable, the machine was busy or throttled, or the run was too short."""
    kinds = Counter(entry.row["verdict"]["kind"] for entry in view.measured)
    others = len(view.measured) - kinds.pop("stable", 0)
    if others > _UNSTABLE * len(view.measured) and not view.is_smoke:
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        yield "benchmarks", f"{others} of {len(view.measured)} benchmarks are not stable: {listed}"


@warning("DB413: the result is a smoke test", "Run without --smoke to get latencies.")
def _smoke(view: SubmissionView) -> Iterator[Occurrence]:
    """A smoke test calls each benchmark a few times to show that it runs. DB412 does not check smoke tests."""
    if view.is_smoke:
        yield "options.smoke", "the run was a smoke test"


@warning("DB414: many visits were disturbed", "Stop other processes, and run again.")
def _disturbed(view: SubmissionView) -> Iterator[Occurrence]:
    """If other processes disturb more than 20% of the visits, the remaining visits are unreliable, too."""
    if view.disturbed_share > _DISTURBED:
        yield "benchmarks", f"another process used the core during {view.disturbed_share:.0%} of the visits"


# The facts are read after the suite was unpacked, so the run is longer than the time between them: 1.001 to 1.023 times
# in honest runs.
_CLOCK_RATIO, _UNPACKING_NS = 1.1, 60 * 10**9
# Time synchronisation may set the clock by this much during a run.
_CLOCK_STEP_NS = 5 * 10**9


@error("DB415: two clocks disagree")
def _clocks(view: SubmissionView) -> Iterator[Occurrence]:
    """The machine's clock advances by the duration of the run, and no processor is used for longer than that."""
    before, after = view.facts.values()
    wall_ns, processors = view.document["timing"]["wall_ns"], number(before, "cpu.threads")
    own_s, text = change(before, after, "load.own_s"), f"the stated duration of the run is {format_ns(wall_ns)}"
    if own_s is not None and processors and own_s * 1e9 > processors * wall_ns + _CLOCK_STEP_NS:
        yield "system.facts_after.load.own_s", f"{text}, but it used {own_s:.0f} s on {processors:.0f} processors"
    passed_ns = change(before, after, "monotonic_ns")
    if passed_ns is not None and not passed_ns <= wall_ns <= _CLOCK_RATIO * passed_ns + _UNPACKING_NS:
        yield "system.facts_after.monotonic_ns", f"{text}, but the machine's clock advanced by {passed_ns / 1e9:.1f} s"


@warning("DB417: the system clock was set", "Set the clock before a run.")
def _clock_was_set(view: SubmissionView) -> Iterator[Occurrence]:
    """Setting the clock during a run makes the run's date uncertain. Runs resumed by an old harness look the same."""
    before, after = view.facts.values()
    wall_ns, passed_ns = view.document["timing"]["wall_ns"], change(before, after, "unix_ns")
    wall_ns += view.document.get("paused_ns", 0)
    if passed_ns is not None and abs(wall_ns - passed_ns) > (_CLOCK_RATIO - 1) * wall_ns + _CLOCK_STEP_NS:
        text = f"the run took {format_ns(wall_ns)}, but the system clock advanced by {passed_ns / 1e9:.0f} s"
        yield "system.facts_after.unix_ns", text


# Maximum time between the start of a run and the reading of the facts.
_STARTED_NS = 60 * 10**9


@error("DB416: the start contradicts the facts of the machine")
def _started(view: SubmissionView) -> Iterator[Occurrence]:
    """The harness reads the facts of the machine, and the time, at the start of the run, so both times must agree."""
    started_ns, read_ns = view.document["started_unix_ns"], number(view.facts["facts_before"], "unix_ns")
    apart_ns = 0 if read_ns is None else abs(round(started_ns - read_ns))
    if apart_ns > _STARTED_NS:
        yield "started_unix_ns", f"the start differs from the time in the facts by {format_ns(apart_ns)}"


# Above this, drift exceeds the usual intervals of latencies; it widens the intervals of estimates.
_LEAST_DRIFT = 0.03
_FIXED_ROLES = ("anchor", "overhead")


@error("DB701: an anchor or the overhead is missing", "Run the suite with its own harness, which always runs them.")
def _present(view: SubmissionView) -> Iterator[Occurrence]:
    """Without all anchors, changes of the machine may not show; without the overhead, estimates cannot subtract it."""
    measured = {entry.row["fingerprint"] for entry in view.measured}
    for fingerprint, benchmark in view.listed.items():
        if benchmark["role"] in _FIXED_ROLES and fingerprint not in measured:
            yield "benchmarks", f"{benchmark['role']} {benchmark['name']} {fingerprint[:12]} has no latency"


@error("DB702: the first or last visit is not of an anchor", "Let the run finish, or resume it.")
def _around(view: SubmissionView) -> Iterator[Occurrence]:
    """Anchors show drift over the whole run only if they are measured before and after all other benchmarks."""
    visits = sorted(
        (visit["start_ns"], entry.row["role"], where) for entry in view.measured for where, visit in entry.visits
    )
    for word, (_, role, where) in (("first", visits[0]), ("last", visits[-1])) if view.of_role("anchor") else ():
        if role not in _FIXED_ROLES:
            yield where, f"the {word} visit of the run is to a benchmark of role {role}"


# Return the relative change of the anchors from the first to the last round; 0.0 if it is not significant. The anchors
# of one round are not independent, so the trend is computed from the median of each round.
def _drift(view: SubmissionView) -> float:
    anchors = []
    for entry in view.of_role("anchor"):
        visits = undisturbed(entry.row["visits"])
        calls = [(visit["start_ns"], statistics.median(counted(visit["samples_ns"]))) for visit in visits]
        usual = max(statistics.median(level for _, level in calls), 1)
        anchors.append([(start_ns, level / usual) for start_ns, level in calls])
    points = []
    for of_round in itertools.zip_longest(*anchors):
        present = [point for point in of_round if point is not None]
        points.append((present[0][0], statistics.median(level for _, level in present)))
    return relative_trend(sorted(points)) if len(points) >= DRIFT_VISITS else 0.0


@warning("DB704: the anchors drift", "Let the machine reach a stable temperature, fix its clock rate, and run again.")
def _drifts(view: SubmissionView) -> Iterator[Occurrence]:
    """A trend of more than 3% in the anchors' times exceeds the usual uncertainty of latencies."""
    drift = _drift(view)
    if abs(drift) > _LEAST_DRIFT:
        change_of_time = "longer" if drift > 0 else "shorter"
        yield "benchmarks", f"calls of the anchors became {abs(drift):.1%} {change_of_time} over the run"


# Minimum number of calls of a sequence in a visit in state hot_loop: the first call does not count.
_FEWEST_IN_HOT_LOOP = 2


@error("DB901: a state does not fit the benchmark", "Run the suite with its own harness, and send its result file.")
def _other_state(view: SubmissionView) -> Iterator[Occurrence]:
    """On a CPU, the harness times single calls of sequences, as in a network; consecutive calls are additional."""
    distances, provider = view.distances, view.runtime["provider"]
    for entry in view.entries:
        role, cold = entry.row["role"], is_cold(entry.row["role"], distances)
        states = {visit["state"] for visit in entry.row["visits"]}
        if states and cold and role not in EMPTY_ROLES and not states & {LLC_WARM, WEIGHTS_COLD}:
            yield entry.where, f"a benchmark of role {role} was timed only by consecutive calls"
        for where, visit in entry.visits:
            state, calls = visit["state"], len(visit["samples_ns"])
            if state == HOT_LOOP and role == "sequence" and cold and calls < _FEWEST_IN_HOT_LOOP:
                yield f"{where}.samples_ns", f"a visit in state {state} has {calls} call, but needs several"
            if role != "curve" and not is_of_benchmark(state):
                yield f"{where}.state", f"state {state} applies to the benchmark of role curve only"
            if state != HOT_LOOP and not cold:
                yield f"{where}.state", f"state {state} does not apply to a benchmark of role {role} on {provider}"


@error("DB902: several calls share a state of one call")
def _several(view: SubmissionView) -> Iterator[Occurrence]:
    """In a state of a single call, a second call would find the caches as the first one left them."""
    for entry in view.entries:
        for where, visit in entry.visits:
            if visit["state"] != HOT_LOOP and is_of_benchmark(visit["state"]) and len(visit["samples_ns"]) > 1:
                calls = len(visit["samples_ns"])
                yield f"{where}.samples_ns", f"a visit in state {visit['state']} has {calls} calls, but must have 1"


@error("DB903: a reuse distance does not fit the state")
def _distance(view: SubmissionView) -> Iterator[Occurrence]:
    """Data leave a cache only after the program has touched more other data than the cache can hold."""
    distances = view.distances
    for entry in view.entries:
        for where, visit in entry.visits:
            state, distance = visit["state"], visit["distance_bytes"]
            least, most = (0, None) if visit.get("wait_ns") else _range(entry.row["role"], state, distances)
            if not least <= distance <= (distance if most is None else most):
                wanted = f"at least {format_bytes(least)}" if distance < least else f"at most {format_bytes(most or 0)}"
                yield f"{where}.distance_bytes", f"{format_bytes(distance)} in state {state}: expected {wanted}"


# Return the minimum and maximum reuse distance of a state in bytes; None means no limit.
def _range(role: str, state: str, distances: CacheDistances) -> tuple[int, int | None]:
    if state == HOT_LOOP:
        return 0, 0
    if role == "curve":
        return 1, None
    near, far = distances.llc_warm_bytes, distances.far_bytes
    return (near, max(near, far)) if state in (LLC_WARM, OUTPUTS_COLD) else (far, None)


@warning("DB906: the miss curve is missing", "Run longer, or fix the reason why the benchmark of role curve failed.")
def _no_curve(view: SubmissionView) -> Iterator[Occurrence]:
    """Estimates need the cost of cache misses by reuse distance. Without it, they use curves of other machines."""
    listed = any(benchmark["role"] == "curve" for benchmark in view.listed.values())
    if listed and is_cold("curve", view.distances) and not view.is_smoke and not caches_of(view.document).curve:
        yield "benchmarks", "the samples of the benchmark of role curve do not give a miss curve"
