"""DB4xx: do the samples look like times that were measured, and do they give what is said of them."""

import itertools
import math
from collections import Counter
from collections.abc import Iterator

from dlbricks.harness import verdict
from dlbricks.harness.schedule import BELIEVED_VISITS, allowed
from dlbricks.harness.stats import samples_by_state
from dlbricks.store.rules.rule import Context, Occurrence, Rule
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


def _zero(context: Context) -> Iterator[Occurrence]:
    for entry in context.measured:
        for index, visit in enumerate(entry.row["visits"]):
            if min(visit["samples_ns"]) == 0:
                place = f"{entry.where}.visits[{index}].samples_ns[{visit['samples_ns'].index(0)}]"
                yield place, f"a call of {entry.name} took no time"


def _few(context: Context) -> Iterator[Occurrence]:
    target = context.document["options"]["target_relative"]
    for entry in () if context.is_smoke else context.measured:
        share = entry.row["importance"]
        wanted = 1 if allowed(share, target) >= 1 else max(2, round(BELIEVED_VISITS * math.sqrt(share)))
        if entry.summary.samples < wanted:
            said = f"the latency of {entry.name} is of {entry.summary.samples} samples"
            yield entry.where, f"{said}, its share of networks asks for {wanted}"


def _constant(context: Context) -> Iterator[Occurrence]:
    for entry in context.measured:
        if len(entry.samples) >= _MANY and min(entry.samples) == max(entry.samples):
            yield entry.where, f"all {len(entry.samples)} samples of {entry.name} are {entry.samples[0]} ns"


def _smooth(context: Context) -> Iterator[Occurrence]:
    for entry in context.measured:
        for visits in samples_by_state(entry.row).values():
            samples = [sample for visit in visits for sample in visit]
            spread = max(samples) - min(samples)
            if len(samples) >= _MANY and 0 < spread < _SMOOTH * samples[0]:
                said = f"{len(samples)} samples of {entry.name} lie within {format_ns(spread)} of one another"
                yield entry.where, f"{said}, at {format_ns(samples[0])}"
                break


def _rounded(context: Context) -> Iterator[Occurrence]:
    samples = [sample for entry in context.measured for sample in entry.samples]
    step, timer_ns = math.gcd(*samples), context.document["system"]["facts_before"].get("timer_ns") or 1
    if len(samples) >= _MANY and step > _TICKS * timer_ns:
        said = (
            f"all {len(samples)} samples are multiples of {format_ns(step)}, the timer steps by {format_ns(timer_ns)}"
        )
        yield "benchmarks", said


def _overlap(context: Context) -> Iterator[Occurrence]:
    visits = sorted(
        (visit["start_ns"], sum(visit["samples_ns"]), f"{entry.where}.visits[{index}]")
        for entry in context.entries
        for index, visit in enumerate(entry.row["visits"])
    )
    for (start, took, where), (following, _, other) in itertools.pairwise(visits):
        if start + took > following:
            yield where, f"it takes {format_ns(took)}, yet {other} begins {format_ns(following - start)} after it"


def _order(context: Context) -> Iterator[Occurrence]:
    for entry in context.entries:
        starts = [visit["start_ns"] for visit in entry.row["visits"]]
        if starts != sorted(starts):
            yield f"{entry.where}.visits", f"the visits of {entry.name} are not in the order of time"


def _benchmark_wall(context: Context) -> Iterator[Occurrence]:
    for entry in context.measured:
        parts = entry.row["load_ns"] + sum(entry.row["warmup_ns"]) + sum(entry.samples)
        if parts > entry.row["wall_ns"]:
            said = f"load, warm-up and samples of {entry.name} make {format_ns(parts)}"
            yield f"{entry.where}.wall_ns", f"{said}, the whole is said to be {format_ns(entry.row['wall_ns'])}"


def _run_wall(context: Context) -> Iterator[Occurrence]:
    wall = context.document["timing"]["wall_ns"]
    ends = [visit["start_ns"] + sum(visit["samples_ns"]) for entry in context.entries for visit in entry.row["visits"]]
    if ends and max(ends) > wall:
        yield (
            "timing.wall_ns",
            f"the run is said to last {format_ns(wall)}, its last visit ends at {format_ns(max(ends))}",
        )


def _totals(context: Context) -> Iterator[Occurrence]:
    stated = context.document["timing"]["timed_ns"]
    total = sum(sum(visit["samples_ns"]) for entry in context.entries for visit in entry.row["visits"])
    if stated != total:
        yield "timing.timed_ns", f"it says {stated} ns, the samples add up to {total} ns"


def _verdicts(context: Context) -> Iterator[Occurrence]:
    around = verdict.context(context.document)
    for entry in context.measured:
        stated = entry.row["verdict"]["kind"]
        found = verdict.judge(entry.row, around)["kind"]
        if stated != found:
            yield f"{entry.where}.verdict.kind", f"{entry.name} is said to be {stated}, its samples are {found}"


def _unsteady(context: Context) -> Iterator[Occurrence]:
    kinds = Counter(entry.row["verdict"]["kind"] for entry in context.measured)
    others = len(context.measured) - kinds.pop("stable", 0)
    if others > _UNSTEADY * len(context.measured) and not context.is_smoke:
        listed = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        yield "benchmarks", f"{others} of {len(context.measured)} benchmarks are not stable: {listed}"


def _disturbed(context: Context) -> Iterator[Occurrence]:
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


def _smoke(context: Context) -> Iterator[Occurrence]:
    if context.is_smoke:
        yield "options.smoke", "the run was a smoke test"


RULES = (
    Rule(
        id="DB401",
        severity="error",
        title="calls take time",
        explanation="No call takes no time; a zero comes from a timer that does not tick, or from an editor.",
        fix="Run on a machine with a working monotonic clock.",
        find=_zero,
    ),
    Rule(
        id="DB402",
        severity="warning",
        title="enough samples",
        explanation="The fewer the samples, the less an interval tells; a sequence that is much of some network has to "
        "have more than one that hardly counts anywhere.",
        fix="Give the run a larger budget.",
        find=_few,
    ),
    Rule(
        id="DB403",
        severity="error",
        title="samples are not constant",
        explanation=f"{_MANY} calls never take the same number of nanoseconds each.",
        fix="Send the result as the harness wrote it, or run on a machine with a finer clock.",
        find=_constant,
    ),
    Rule(
        id="DB404",
        severity="warning",
        title="samples are not too smooth",
        explanation=f"Measured times scatter; a range below {_SMOOTH:.2%} of the median looks made up.",
        fix="Say how it was measured; locked clocks alone do not do this.",
        find=_smooth,
    ),
    Rule(
        id="DB405",
        severity="error",
        title="samples as fine as the timer",
        explanation="A timer leaves its own step in the samples, not one many times as coarse: these were rounded.",
        fix="Send the result as the harness wrote it.",
        find=_rounded,
    ),
    Rule(
        id="DB406",
        severity="error",
        title="visits do not overlap",
        explanation="Benchmarks are timed one at a time; two at once disturb each other, or were never measured.",
        fix="Send the result as the harness wrote it.",
        find=_overlap,
    ),
    Rule(
        id="DB407",
        severity="error",
        title="visits in the order of time",
        explanation="Drift is told by the order of the visits.",
        fix="Send the result as the harness wrote it.",
        find=_order,
    ),
    Rule(
        id="DB408",
        severity="error",
        title="parts within the benchmark's time",
        explanation="Load, warm-up and samples of a benchmark cannot last longer than the whole of it.",
        fix="Send the result as the harness wrote it.",
        find=_benchmark_wall,
    ),
    Rule(
        id="DB409",
        severity="error",
        title="visits within the run",
        explanation="No visit ends after the run.",
        fix="Send the result as the harness wrote it.",
        find=_run_wall,
    ),
    Rule(
        id="DB410",
        severity="error",
        title="totals add up",
        explanation="The timed total is the sum of the samples; if it is not, samples were changed or taken away.",
        fix="Send the result as the harness wrote it.",
        find=_totals,
    ),
    Rule(
        id="DB411",
        severity="error",
        title="verdicts follow from the samples",
        explanation="The verdict is recomputed from the samples; another one was judged by other samples.",
        fix="Send the result as the harness wrote it.",
        find=_verdicts,
    ),
    Rule(
        id="DB412",
        severity="warning",
        title="most benchmarks are stable",
        explanation="When many verdicts are other than stable the machine was busy, hot, or given too little time.",
        fix="Quiet the machine, fix its clock, or give the run a larger budget.",
        find=_unsteady,
    ),
    Rule(
        id="DB413",
        severity="warning",
        title="more than a smoke test",
        explanation="A smoke test shows that everything runs; its latencies rest on very few calls, which is said "
        "here once and not by DB402 and DB412.",
        fix="Run without --smoke before quoting a figure.",
        find=_smoke,
    ),
    Rule(
        id="DB414",
        severity="warning",
        title="few samples disturbed",
        explanation=f"A call during which the processor, or its core, went to something else too does not count where "
        f"there are others; with more than {_DISTURBED:.0%} of them disturbed, what is left met a busy machine.",
        fix="Stop what runs beside it, and run again.",
        find=_disturbed,
    ),
)
"""Rules of this group."""
