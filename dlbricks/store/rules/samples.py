"""Rules on samples (DB4xx): they look like measured times, and give the figures that are stated of them."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator

from dlbricks.harness.run import verdict
from dlbricks.harness.run.schedule import TRUSTED_VISITS, allowed_relative
from dlbricks.harness.stats import samples_by_state
from dlbricks.store.rules.rule import Occurrence, SubmissionView, change, error, number, warning
from dlbricks.units import format_ns

_DISTURBED = 0.2
"""Share of the samples of a run during which the processor may have been taken away or its core shared."""

_MANY = 10
"""So many samples of one call are never all the same, nor as good as the same."""

_SMOOTH = 1e-4
"""Range of many samples as a share of their median that no clock and no machine reaches."""

_TICKS = 10
"""So many steps of the timer are never a common divisor of many samples."""

_UNSTEADY = 0.25
"""Share of benchmarks that may be other than stable before it is worth a word."""


@error(
    "DB401: calls take time",
    why="No call takes no time; a zero comes from a timer that does not tick, or from an editor.",
    fix="Run on a machine with a working monotonic clock.",
)
def _zero(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        for index, visit in enumerate(entry.row["visits"]):
            if min(visit["samples_ns"]) == 0:
                place = f"{entry.where}.visits[{index}].samples_ns[{visit['samples_ns'].index(0)}]"
                yield place, f"a call of {entry.name} took no time"


@warning(
    "DB402: enough samples",
    why="The fewer the samples, the less an interval tells; a sequence that is much of some network has to "
    "have more than one that hardly counts anywhere.",
    fix="Give the run a larger budget.",
)
def _few(context: SubmissionView) -> Iterator[Occurrence]:
    target = context.document["options"]["target_relative"]
    for entry in () if context.is_smoke else context.measured:
        share = entry.row["importance"]
        wanted = 1 if allowed_relative(share, target) >= 1 else max(2, round(TRUSTED_VISITS * math.sqrt(share)))
        if entry.summary.samples < wanted:
            said = f"the latency of {entry.name} is of {entry.summary.samples} samples"
            yield entry.where, f"{said}, its share of networks asks for {wanted}"


@error(
    "DB403: samples are not constant",
    why=f"{_MANY} calls never take the same number of nanoseconds each.",
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
    fix="Say how it was measured; locked clocks alone do not do this.",
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
    why="A timer leaves its own step in the samples, not one many times as coarse: these were rounded.",
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
    why="Benchmarks are timed one at a time; two at once disturb each other, or were never measured.",
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


@error("DB407: visits in the order of time", why="Drift shows in the order of the visits.")
def _order(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.entries:
        starts = [visit["start_ns"] for visit in entry.row["visits"]]
        if starts != sorted(starts):
            yield f"{entry.where}.visits", f"the visits of {entry.name} are not in the order of time"


@error(
    "DB408: parts within the benchmark's time",
    why="Load, warm-up and samples of a benchmark cannot last longer than the whole of it.",
)
def _benchmark_wall(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        parts = entry.row["load_ns"] + sum(entry.row["warmup_ns"]) + sum(entry.samples)
        if parts > entry.row["wall_ns"]:
            said = f"load, warm-up and samples of {entry.name} make {format_ns(parts)}"
            yield f"{entry.where}.wall_ns", f"{said}, the whole is said to be {format_ns(entry.row['wall_ns'])}"


@error("DB409: visits within the run", why="No visit ends after the run.")
def _run_wall(context: SubmissionView) -> Iterator[Occurrence]:
    wall = context.document["timing"]["wall_ns"]
    ends = [visit["start_ns"] + sum(visit["samples_ns"]) for entry in context.entries for visit in entry.row["visits"]]
    if ends and max(ends) > wall:
        yield (
            "timing.wall_ns",
            f"the run is said to last {format_ns(wall)}, its last visit ends at {format_ns(max(ends))}",
        )


_CLOCKS = 0.9
"""Share of the time of the run that has to have passed on the clock of the day, too; honest ones have 99 %."""

_CLOCK_STEP_NS = 5 * 10**9
"""By so much the clock of the day may have been set meanwhile."""

_CPU = 1.25
"""Processors beyond its threads that a run keeps busy at most: by what reads memory and waits beside them."""


@error(
    "DB415: two clocks agree",
    why="While a run lasts, the clock of the day goes on as long; and a process cannot use more of the processor's "
    "time than its threads had. Times that were scaled or made up agree with neither.",
)
def _clocks(context: SubmissionView) -> Iterator[Occurrence]:
    before, after = (context.document["system"][name] for name in ("facts_before", "facts_after"))
    wall_ns, passed_ns = context.document["timing"]["wall_ns"], change(before, after, "unix_ns")
    if passed_ns is not None and passed_ns < _CLOCKS * wall_ns - _CLOCK_STEP_NS:
        said = f"the run is said to last {format_ns(wall_ns)}"
        yield "system.facts_after.unix_ns", f"{said}, the clock of the day went on by {format_ns(round(passed_ns))}"
    own_s, threads = change(before, after, "load.own_s"), context.document["runtime"]["threads"]
    if own_s is not None and own_s * 1e9 > (threads + _CPU) * wall_ns + _CLOCK_STEP_NS:
        said = f"the process used {own_s:.0f} s of {threads} threads"
        yield "system.facts_after.load.own_s", f"{said} in a run that is said to last {format_ns(wall_ns)}"


_STARTED_NS = 60 * 10**9
"""The facts of the machine are read as soon as a run starts."""


@error(
    "DB416: started when its facts say",
    why="The facts of the machine carry the time at which they were read, which is when the run started.",
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
    why="The timed total is the sum of the samples; if it is not, samples were changed or taken away.",
)
def _totals(context: SubmissionView) -> Iterator[Occurrence]:
    stated = context.document["timing"]["timed_ns"]
    total = sum(sum(visit["samples_ns"]) for entry in context.entries for visit in entry.row["visits"])
    if stated != total:
        yield "timing.timed_ns", f"it says {stated} ns, the samples add up to {total} ns"


@error(
    "DB411: verdicts follow from the samples",
    why="The verdict is recomputed from the samples; another one was judged by other samples.",
)
def _verdicts(context: SubmissionView) -> Iterator[Occurrence]:
    around = verdict.context(context.document)
    for entry in context.measured:
        stated = entry.row["verdict"]["kind"]
        found = verdict.judge(entry.row, around)["kind"]
        if stated != found:
            yield f"{entry.where}.verdict.kind", f"{entry.name} is said to be {stated}, its samples are {found}"


@warning(
    "DB412: most benchmarks are stable",
    why="When many verdicts are other than stable the machine was busy, hot, or given too little time.",
    fix="Quiet the machine, fix its clock, or give the run a larger budget.",
)
def _unsteady(context: SubmissionView) -> Iterator[Occurrence]:
    kinds = Counter(entry.row["verdict"]["kind"] for entry in context.measured)
    others = len(context.measured) - kinds.pop("stable", 0)
    if others > _UNSTEADY * len(context.measured) and not context.is_smoke:
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        yield "benchmarks", f"{others} of {len(context.measured)} benchmarks are not stable: {listed}"


@warning(
    "DB414: few samples disturbed",
    why=f"A call during which the processor, or its core, went to something else too does not count where "
    f"there are others; with more than {_DISTURBED:.0%} of them disturbed, what is left met a busy machine.",
    fix="Stop what runs beside it, and run again.",
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
    why="A smoke test shows that everything runs; its latencies rest on very few calls, which is said "
    "here once and not by DB402 and DB412.",
    fix="Run without --smoke before quoting a figure.",
)
def _smoke(context: SubmissionView) -> Iterator[Occurrence]:
    if context.is_smoke:
        yield "options.smoke", "the run was a smoke test"
