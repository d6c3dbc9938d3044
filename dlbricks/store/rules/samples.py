"""Rules on samples (DB4xx) and on anchors (DB7xx): plausible times, consistent figures, and an unchanged machine."""

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterator

from dlbricks.harness.run.schedule import TRUSTED_VISITS, allowed_relative
from dlbricks.harness.stats import DRIFT_VISITS, counted, judge, samples_by_state, trend, undisturbed
from dlbricks.harness.stats import context as verdict_context
from dlbricks.store.rules.rule import Occurrence, SubmissionView, change, error, number, warning
from dlbricks.units import format_ns

_DISTURBED = 0.2
"""Tolerated share of samples that were disturbed by preemption or by another process on the core."""

_MANY = 10
"""Number of samples that are never all equal."""

_SMOOTH = 1e-4
"""Relative range of ``_MANY`` samples that no machine reaches."""

# samples that were not rounded have the timer's step as their common divisor, or by chance a small multiple of it
_TICKS = 10
"""Number of timer steps that is never a common divisor of ``_MANY`` samples."""

_UNSTEADY = 0.25
"""Tolerated share of benchmarks that are not stable."""


@error(
    "DB401: calls take time",
    why="A duration of zero is of a timer that does not work, or was edited.",
    fix="Run on a machine with a working monotonic clock.",
)
def _zero(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        for index, visit in enumerate(entry.row["visits"]):
            if min(visit["samples_ns"]) == 0:
                place = f"{entry.where}.visits[{index}].samples_ns[{visit['samples_ns'].index(0)}]"
                yield place, f"a call of {entry.name} has a duration of 0"


@warning(
    "DB402: enough samples",
    why="Intervals of few samples are not reliable; sequences with a large share of a network's time need more.",
    fix="Give the run a larger budget.",
)
def _few(context: SubmissionView) -> Iterator[Occurrence]:
    target = context.document["options"]["target_relative"]
    for entry in () if context.is_smoke else context.measured:
        share = entry.row["importance"]
        wanted = 1 if allowed_relative(share, target) >= 1 else max(2, round(TRUSTED_VISITS * math.sqrt(share)))
        if entry.summary.samples < wanted:
            said = f"the latency of {entry.name} is of {entry.summary.samples} samples"
            yield entry.where, f"{said}, its share of networks requires {wanted}"


@error(
    "DB403: samples are not constant",
    why=f"{_MANY} calls never take exactly the same time.",
    fix="Send the result as the harness wrote it, or run on a machine with a finer clock.",
)
def _constant(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        for state, visits in samples_by_state(entry.row).items():
            samples = [sample for visit in visits for sample in visit]
            if len(samples) >= _MANY and min(samples) == max(samples):
                said = f"all {len(samples)} samples of {entry.name} in state {state} are {samples[0]} ns"
                yield entry.where, said
                break


@warning(
    "DB404: samples are not too smooth",
    why=f"Measured times scatter; a range below {_SMOOTH:.2%} of the median looks made up.",
    fix="Explain how it was measured; locked clocks are no explanation.",
)
def _smooth(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        for visits in samples_by_state(entry.row).values():
            samples = [sample for visit in visits for sample in visit]
            spread = max(samples) - min(samples)
            if len(samples) >= _MANY and 0 < spread < _SMOOTH * samples[0]:
                said = f"{len(samples)} samples of {entry.name} lie within {format_ns(spread)} of one another"
                yield entry.where, f"{said}, at {format_ns(samples[0])}"
                break


@error(
    "DB405: samples as fine as the timer",
    why="Samples are multiples of the timer's step; if all are multiples of a much larger one, they were rounded.",
)
def _rounded(context: SubmissionView) -> Iterator[Occurrence]:
    samples = [sample for entry in context.measured for sample in entry.samples]
    step, timer_ns = math.gcd(*samples), context.document["system"]["facts_before"].get("timer_ns") or 1
    if len(samples) >= _MANY and step > _TICKS * timer_ns:
        said = (
            f"all {len(samples)} samples are multiples of {format_ns(step)}, the timer steps by {format_ns(timer_ns)}"
        )
        yield "benchmarks", said


@error(
    "DB406: visits do not overlap",
    why="Benchmarks are timed one at a time; simultaneous ones disturb each other, or were not measured.",
)
def _overlap(context: SubmissionView) -> Iterator[Occurrence]:
    visits = sorted(
        (visit["start_ns"], sum(visit["samples_ns"]), f"{entry.where}.visits[{index}]")
        for entry in context.entries
        for index, visit in enumerate(entry.row["visits"])
    )
    for (start, took, where), (following, _, other) in itertools.pairwise(visits):
        if start + took > following:
            yield where, f"it takes {format_ns(took)}, yet {other} begins {format_ns(following - start)} after it"


@error("DB407: visits in the order of time", why="Drift is computed from the order of the visits.")
def _order(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.entries:
        starts = [visit["start_ns"] for visit in entry.row["visits"]]
        if starts != sorted(starts):
            yield f"{entry.where}.visits", f"the visits of {entry.name} are not in the order of time"


@error(
    "DB408: parts within the benchmark's time",
    why="Load, warm-up and samples of a benchmark cannot take longer than the benchmark.",
)
def _benchmark_wall(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        parts = entry.row["load_ns"] + sum(entry.row["warmup_ns"]) + sum(entry.samples)
        if parts > entry.row["wall_ns"]:
            said = f"load, warm-up and samples of {entry.name} make {format_ns(parts)}"
            yield f"{entry.where}.wall_ns", f"{said}, the stated total is {format_ns(entry.row['wall_ns'])}"


@error("DB409: visits within the run", why="No visit ends after the run.")
def _run_wall(context: SubmissionView) -> Iterator[Occurrence]:
    wall = context.document["timing"]["wall_ns"]
    ends = [visit["start_ns"] + sum(visit["samples_ns"]) for entry in context.entries for visit in entry.row["visits"]]
    if ends and max(ends) > wall:
        yield (
            "timing.wall_ns",
            f"the stated duration of the run is {format_ns(wall)}, its last visit ends at {format_ns(max(ends))}",
        )


_CLOCKS = 0.9
"""Minimum ratio of the elapsed time on the system clock to the duration of the run; honest runs have 0.99."""

# time synchronisation may set the clock during a run
_CLOCK_STEP_NS = 5 * 10**9
"""Tolerated adjustment of the system clock during the run."""

_CPU = 1.25
"""Maximum number of processors that a run uses in addition to its threads, for reading memory and waiting."""


@error(
    "DB415: two clocks agree",
    why="The system clock advances by the duration of a run, and a process cannot use more processor time than its "
    "threads have. Scaled or invented times contradict these.",
)
def _clocks(context: SubmissionView) -> Iterator[Occurrence]:
    before, after = (context.document["system"][name] for name in ("facts_before", "facts_after"))
    wall_ns, passed_ns = context.document["timing"]["wall_ns"], change(before, after, "unix_ns")
    if passed_ns is not None and passed_ns < _CLOCKS * wall_ns - _CLOCK_STEP_NS:
        said = f"the stated duration of the run is {format_ns(wall_ns)}"
        yield "system.facts_after.unix_ns", f"{said}, the system clock advanced by {format_ns(round(passed_ns))}"
    own_s, threads = change(before, after, "load.own_s"), context.document["runtime"]["threads"]
    if own_s is not None and own_s * 1e9 > (threads + _CPU) * wall_ns + _CLOCK_STEP_NS:
        said = f"the process used {own_s:.0f} s of {threads} threads"
        yield "system.facts_after.load.own_s", f"{said} in a run with a stated duration of {format_ns(wall_ns)}"


_STARTED_NS = 60 * 10**9
"""Maximum time between the start of a run and the reading of the facts."""


@error(
    "DB416: started when its facts say",
    why="The facts of the machine have the time at which they were read, which is at the start of the run.",
)
def _started(context: SubmissionView) -> Iterator[Occurrence]:
    started_ns, read_ns = (
        context.document["started_unix_ns"],
        number(context.document["system"]["facts_before"], "unix_ns"),
    )
    if read_ns is not None and abs(started_ns - read_ns) > _STARTED_NS:
        yield "started_unix_ns", f"it is {format_ns(abs(round(started_ns - read_ns)))} off the clock in the facts"


@error(
    "DB410: totals add up",
    why="The timed total is the sum of the samples; otherwise samples were changed or removed.",
)
def _totals(context: SubmissionView) -> Iterator[Occurrence]:
    stated = context.document["timing"]["timed_ns"]
    total = sum(sum(visit["samples_ns"]) for entry in context.entries for visit in entry.row["visits"])
    if stated != total:
        yield "timing.timed_ns", f"it says {stated} ns, the samples add up to {total} ns"


@error(
    "DB411: verdicts follow from the samples",
    why="The verdict is recomputed from the samples; a different one is of other samples.",
)
def _verdicts(context: SubmissionView) -> Iterator[Occurrence]:
    around = verdict_context(context.document)
    for entry in context.measured:
        stated = entry.row["verdict"]["kind"]
        found = judge(entry.row, around)["kind"]
        if stated != found:
            yield f"{entry.where}.verdict.kind", f"the verdict of {entry.name} is {stated}, its samples give {found}"


@warning(
    "DB412: most benchmarks are stable",
    why="If many benchmarks are not stable, the machine was busy or throttled, or the budget too small.",
    fix="Stop other processes, fix the clock, or give the run a larger budget.",
)
def _unsteady(context: SubmissionView) -> Iterator[Occurrence]:
    kinds = Counter(entry.row["verdict"]["kind"] for entry in context.measured)
    others = len(context.measured) - kinds.pop("stable", 0)
    if others > _UNSTEADY * len(context.measured) and not context.is_smoke:
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        yield "benchmarks", f"{others} of {len(context.measured)} benchmarks are not stable: {listed}"


@warning(
    "DB414: few samples disturbed",
    why=f"Calls that were disturbed by another process are not used if there are others; with more than "
    f"{_DISTURBED:.0%} of them disturbed, the others are of a busy machine, too.",
    fix="Stop other processes, and run again.",
)
def _disturbed(context: SubmissionView) -> Iterator[Occurrence]:
    kept = sum(len(entry.samples) for entry in context.measured)
    thrown = sum(entry.row["disturbed"] for entry in context.measured)
    marked = sum(
        len(visit["samples_ns"])
        for entry in context.measured
        for visit in entry.row["visits"]
        if visit.get("disturbed")
    )
    if thrown + marked > _DISTURBED * (kept + thrown):
        yield "benchmarks", f"{thrown + marked} of {kept + thrown} samples were disturbed"


@warning(
    "DB413: more than a smoke test",
    why="A smoke test shows that all benchmarks run, with very few calls of each. DB402 and DB412 do not apply.",
    fix="Run without --smoke to get latencies.",
)
def _smoke(context: SubmissionView) -> Iterator[Occurrence]:
    if context.is_smoke:
        yield "options.smoke", "the run was a smoke test"


_REFUSED = 0.25
"""Relative drift of the anchors above which a result is refused; smaller drift widens the intervals of estimates."""

_DOUBTED = 0.03
"""Relative drift of the anchors above which there is a warning."""

_UNQUIET = 0.20
"""Tolerated interquartile range of the anchor visits, relative to the median."""

_FIXED = ("anchor", "overhead")


@error(
    "DB701: anchors and overhead measured",
    why="Anchors show whether the machine changed during the run, and the call overhead is subtracted from every "
    "latency; without them the other figures cannot be used.",
    fix="Run them, too: they are part of every run, also with --only.",
)
def _present(context: SubmissionView) -> Iterator[Occurrence]:
    measured = {entry.row["fingerprint"] for entry in context.measured}
    for fingerprint, benchmark in context.listed.items():
        if benchmark["role"] in _FIXED and fingerprint not in measured:
            said = f"{benchmark['role']} benchmark {benchmark['name']} {fingerprint[:12]} has no latency"
            yield "benchmarks", said


@error(
    "DB702: anchors first and last",
    why="Anchors have to be measured before and after all other benchmarks to show drift between them.",
    fix="Let the run finish, or resume it.",
)
def _around(context: SubmissionView) -> Iterator[Occurrence]:
    visits = sorted(
        (visit["start_ns"], entry.row["role"], f"{entry.where}.visits[{index}]")
        for entry in context.measured
        for index, visit in enumerate(entry.row["visits"])
    )
    if not visits or not context.of_role("anchor"):
        return
    for word, (_, role, where) in (("first", visits[0]), ("last", visits[-1])):
        if role not in _FIXED:
            yield where, f"the {word} visit of the run is not of an anchor"


def _drift(context: SubmissionView) -> float:
    """Return the significant relative change of the anchors from the first to the last round; 0.0 if there is none.

    Anchors of one round are not independent, so the trend is that of the medians of rounds.
    """
    tracks = []
    for entry in context.of_role("anchor"):
        visits = [
            (visit["start_ns"], statistics.median(counted(visit["samples_ns"])))
            for visit in undisturbed(entry.row["visits"])
        ]
        usual = max(statistics.median(level for _, level in visits), 1)
        tracks.append([(start_ns, level / usual) for start_ns, level in visits])
    points = []
    for made in itertools.zip_longest(*tracks):
        present = [one for one in made if one is not None]
        points.append((present[0][0], statistics.median(level for _, level in present)))
    return trend(sorted(points)) if len(points) >= DRIFT_VISITS else 0.0


@error(
    "DB703: anchors do not drift",
    why=f"A trend of the anchors of more than {_REFUSED:.0%} means that the machine changed during the run: by heat, "
    "another process, or its clock. In a smoke test it is only a warning (DB704).",
    fix="Let the machine warm up or cool down, fix its clock, and run again.",
)
def _drifted(context: SubmissionView) -> Iterator[Occurrence]:
    drift = _drift(context)
    if abs(drift) > _REFUSED and not context.is_smoke:
        yield "benchmarks", f"the anchors became {_slower(drift)} over the run"


@warning(
    "DB704: anchors hardly drift",
    why=f"A trend of the anchors of more than {_DOUBTED:.0%} is larger than the uncertainty of the latencies.",
    fix="Let the machine warm up or cool down, fix its clock, and run again.",
)
def _drifting(context: SubmissionView) -> Iterator[Occurrence]:
    drift = _drift(context)
    if abs(drift) > _DOUBTED and (abs(drift) <= _REFUSED or context.is_smoke):
        yield "benchmarks", f"the anchors became {_slower(drift)} over the run"


@warning(
    "DB705: anchors are quiet",
    why="Anchors that vary without a trend show interference by other processes or a varying clock.",
    fix="Run on a quiet machine with a fixed clock.",
)
def _unquiet(context: SubmissionView) -> Iterator[Occurrence]:
    levels = verdict_context(context.document).anchor_levels
    if len(levels) < DRIFT_VISITS:
        return
    low, _, high = statistics.quantiles(levels, n=4)
    if high - low > _UNQUIET:
        yield (
            "benchmarks",
            f"the quartiles of the anchor visits are {low:.2f} and {high:.2f} times their median",
        )


def _slower(drift: float) -> str:
    return f"{abs(drift):.1%} {'slower' if drift > 0 else 'faster'}"
