"""Tables of estimates, coverage and plans, and of what a decoder takes for a prompt."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table

from dlbricks.construct.comparison import Faster
from dlbricks.construct.intervals import LEVEL
from dlbricks.construct.types import Estimate, EstimateRow, QueueShares
from dlbricks.report.console import table
from dlbricks.report.results import date, name_of
from dlbricks.units import counted, format_bytes, format_ns

if TYPE_CHECKING:
    from dlbricks.construct.coverage import Coverage, Plan
    from dlbricks.construct.generation import CallTime, Generation, Speculation, TokenStep

_MISSING_SHOWN = 20
_CALLS_ONLY = ", {} of them measured without times of host and device"


def estimates_report(estimates: Sequence[Estimate], *, rows: int) -> list[RenderableType]:
    """Show totals beside each other and the ``rows`` heaviest sequences of each (0: all)."""
    first = estimates[0]
    interval = f">{LEVEL * 100:.0f} % interval"
    guessed, lacking = any(one.interpolated_layers for one in estimates), any(one.missing for one in estimates)
    more = [name for name, shown in ((">interpolated", guessed), (">missing", lacking)) if shown]
    made = table("network", ">estimate", interval, ">layers", ">coverage", *more)
    for one in estimates:
        cells = [one.network, "unknown", "", str(one.layers), f"{one.coverage:.1%}"]
        if one.bounds_only:
            cells[2] = f"{format_ns(one.low_ns)} to {format_ns(one.high_ns)}"
        elif one.total_ns:
            cells[1] = ("at least " if one.missing else "") + format_ns(one.total_ns)
            cells[2] = _interval(one)
        cells += [f"{one.interpolated_layers / max(1, one.layers):.1%}"] if guessed else []
        made.add_row(*cells, *([str(len(one.missing))] if lacking else []))
    facts = (name_of(first.configuration), *_measured(estimates), f"composed {first.rule}")
    overhead = f"call overhead {format_ns(first.call_overhead_ns)}"
    items: list[RenderableType] = [f"on {', '.join((*facts, overhead))}", made]
    for one in estimates:
        items += _estimate_rows(one, rows)
    return items


def faster_report(against: Sequence[Faster], systems: Sequence[Sequence[Estimate]]) -> list[RenderableType]:
    """Show systems side by side; nothing for one alone."""
    if not against:
        return []
    columns = (
        "network",
        "system",
        ">estimate",
        f">{LEVEL * 100:.0f} % interval",
        ">first is faster by",
        ">probability",
    )
    made = table(*columns, keys=2)
    beside = {(one.network, repr(one.second)): one for one in against}
    for column, found in enumerate(systems):
        for one in found:
            cells = [one.network, name_of(one.configuration), format_ns(one.total_ns), _interval(one)]
            other = beside.get((one.network, repr(one.configuration))) if column else None
            speedup = f"{other.speedup:.3g} times" if other and other.speedup else ""
            surely = f"{other.probability:.0%}" if other and other.probability is not None else ""
            made.add_row(*cells, speedup, surely)
    return [made, "probability: that the first system is faster, errors of the estimates being independent"]


def _interval(one: Estimate) -> str:
    if not one.low_ns and one.origin and one.origin.smoke:
        return "none: smoke test"
    return f"{format_ns(one.low_ns)} to {format_ns(one.high_ns)}"


def _measured(estimates: Sequence[Estimate]) -> list[str]:
    """Say when the runs were made that estimates rest on, and how far they are believed."""
    origins = [one.origin for one in estimates if one.origin]
    days = {date(when)[:10] for one in origins for when in (one.oldest_unix_ns, one.newest_unix_ns)}
    trust = ", ".join(dict.fromkeys(one.trust for one in origins))
    return ["measured " + " to ".join(dict.fromkeys((min(days), max(days)))), trust] if days else []


def _estimate_rows(one: Estimate, limit: int) -> list[RenderableType]:
    if one.bounds_only:
        return [f"{one.network}: {one.evidence}"]
    columns = ("type", "sequence", ">count", ">each", ">total", ">share", "tier", "verdict")
    made = table(*columns, title=f"{one.network}, by sequence", keys=2)
    shown = one.rows[:limit] if limit else one.rows
    for row in shown:
        made.add_row(*_cells(row))
    rest = one.rows[len(shown) :]
    items: list[RenderableType] = [made]
    if rest:
        share = sum(row.share for row in rest)
        items.append(f"and {counted(len(rest), 'more sequence')} with {share:.1%} of the total (--rows 0 shows all)")
    items.append(queue_line(one.queue, one.total_ns) if one.queue else states_line(one))
    if one.pairs_measured or one.pairs_missing:
        items.append(
            f"pairs: {one.pairs_measured} of {one.pairs_measured + one.pairs_missing} measured together, which adds "
            f"{one.correction_ns / one.total_ns if one.total_ns else 0.0:+.1%}; the others count as plain sums"
        )
    items.append(
        f"interval: sampling {_signed(one.parts.sampling_low_ns, one.parts.sampling_high_ns, one.total_ns)}, "
        + (f"interpolation ±{one.parts.interpolation_ns / one.total_ns:.1%}, " if one.parts.interpolation_ns else "")
        + f"drift ±{one.parts.drift:.1%}, composing -{one.parts.composition_low:.1%} "
        f"+{one.parts.composition_high:.1%} ({one.evidence})"
    )
    return items


def queue_line(queue: QueueShares, total_ns: int) -> str:
    """Say in a line which of host and device decides an estimate."""
    bound = "launching" if queue.host_ns > queue.device_ns else "the device"
    return (
        f"host and device side by side: launching takes {format_ns(queue.host_ns)}, the device "
        f"{format_ns(queue.device_ns)}, of which reading constants from its memory {format_ns(queue.fetching_ns)}; "
        f"{max(queue.host_ns, queue.device_ns) / max(1, total_ns):.0%} of the estimate is {bound}"
    )


def states_line(one: Estimate) -> str:
    """Say in a line which part of an estimate is what, by where things lie when they are used."""
    parts = one.states
    return (
        f"by place: {parts.near:.1%} with everything in the caches, to fetch constants {parts.constants:.1%}, "
        f"outputs {parts.outputs:.1%}, inputs {parts.inputs:.1%} (miss curve {one.curve})"
    )


def _cells(row: EstimateRow) -> tuple[str, ...]:
    known = row.tier != "missing"
    return (
        row.name,
        row.fingerprint[:12],
        str(row.count),
        format_ns(row.each_ns) if known else "",
        format_ns(row.total_ns) if known else "",
        f"{row.share:.1%}" if known else "",
        f"{row.tier}, mismatch" if row.mismatch else row.tier,
        row.verdict,
    )


def _signed(low_ns: int, high_ns: int, total_ns: int) -> str:
    return f"-{low_ns / total_ns:.1%} +{high_ns / total_ns:.1%}" if total_ns else "none"


def missing_report(estimate: Estimate) -> list[str]:
    """List the sequences of a model that have no result, and why if none is possible."""
    rows = {row.fingerprint: row for row in estimate.rows}
    shown = [rows[fingerprint] for fingerprint in estimate.missing[:_MISSING_SHOWN]]
    lines = [
        f"{estimate.network} lacks {row.fingerprint[:12]} {row.name}, {counted(row.count, 'use')}"
        + (f": {row.verdict}" if row.verdict else "")
        for row in shown
    ]
    rest = len(estimate.missing) - len(shown)
    return [*lines, f"{estimate.network} lacks {rest} more"] if rest else lines


def coverage_report(coverage: "Coverage") -> list[RenderableType]:
    """Show what a system has measured of each model, and what it lacks over all."""
    smoke = any(one.smoke_sequences for one in coverage.networks)
    calls = any(one.calls_only_sequences for one in coverage.networks)
    columns = ("network", ">layers", ">covered", ">coverage", ">sequences", ">measured")
    made = table(*columns, *([">only by smoke tests"] if smoke else []), *([">only single calls"] if calls else []))
    for one in coverage.networks:
        made.add_row(
            one.network,
            str(one.layers),
            str(one.covered_layers),
            f"{one.coverage:.1%}",
            str(one.sequences),
            str(one.covered_sequences),
            *([str(one.smoke_sequences)] if smoke else []),
            *([str(one.calls_only_sequences)] if calls else []),
        )
    items: list[RenderableType] = [f"on {name_of(coverage.configuration)}", made]
    if coverage.missing:
        lacking = table("type", "missing sequence", ">uses", ">layers", "networks", "no benchmark because")
        for missing in coverage.missing:
            lacking.add_row(
                missing.name,
                missing.fingerprint[:12],
                str(missing.uses),
                str(missing.layers),
                ", ".join(missing.networks),
                missing.skip or "",
            )
        items.append(lacking)
    return items


def plan_report(plan: "Plan", place: str | None, commands: Sequence[str]) -> list[RenderableType]:
    """Say what the planned suite holds, with which commands it closes the gap, and what no suite can."""
    items: list[RenderableType] = [f"on {name_of(plan.coverage.configuration)}"]
    items += [
        f"{one.network}: {one.coverage:.1%} covered, missing: "
        + counted(one.sequences - one.covered_sequences, "sequence")
        + (_CALLS_ONLY.format(one.calls_only_sequences) if one.calls_only_sequences else "")
        + (f", {one.smoke_sequences} measured by smoke tests only" if one.smoke_sequences else "")
        for one in plan.coverage.networks
    ]
    if plan.fingerprints:
        items.append(f"{place}: {len(plan.fingerprints)} sequences to be measured, in about {format_ns(plan.cost_ns)}:")
        items += [f"  {command}" for command in commands]
    else:
        items.append("nothing to be measured: no suite was written")
    items += [f"{one.name} {one.fingerprint[:12]} cannot be measured: {one.skip}" for one in plan.impossible]
    return items


def _times(first: "CallTime", steps: "Sequence[TokenStep]", whole: "CallTime") -> Table:
    shown = table("", ">tokens before", ">time", f">{LEVEL * 100:.0f} % interval")
    rows = [("first token", "", first), *(("next token", str(one.past), one.time) for one in steps)]
    for name, past, time in (*rows, ("in all", "", whole)):
        shown.add_row(name, past, format_ns(time.middle_ns), f"{format_ns(time.low_ns)} to {format_ns(time.high_ns)}")
    return shown


def generation_report(made: "Generation") -> list[RenderableType]:
    """Show how a decoder answers a prompt: the first token, steps by what is past, and all of it."""
    shown = _times(made.first_token, made.steps, made.whole)
    inputs = "" if made.batch == 1 else f", {made.batch} at once"
    inputs += "" if made.chunk == made.prompt else f", read {made.chunk} tokens at a time"
    asked = f"a prompt of {counted(made.prompt, 'token')}, {counted(made.generate, 'token')} generated{inputs}"
    memory = f"weights of {format_bytes(made.weight_bytes)}, a cache of {format_bytes(made.cache_bytes)} at the end"
    return [
        f"{made.network} on {name_of(made.configuration)}: {asked}",
        shown,
        f"{made.tokens_per_s:.3g} tokens per second in all; {memory}",
        choices_line(made),
        f"up to {made.guessed:.0%} of a call's layers were guessed from measured lengths",
    ]


def choices_line(made: "Generation") -> str:
    """Say what choosing a token adds to each call, which is in none of the times."""
    if not made.choices:
        return "sampling and what else runs between the calls is not in it"
    each = (
        f"{one.how} {format_ns(one.time.middle_ns)} ({format_ns(one.time.low_ns)} to {format_ns(one.time.high_ns)})"
        for one in made.choices
    )
    return f"not in it, after each call: choosing a token, {', or '.join(each)}; what else the loop does"


def sweep_report(made: "Sequence[Generation]") -> list[RenderableType]:
    """Show how a decoder answers several prompts, a row each: the first token, the first and the last of the others."""
    shown = table(">prompt", ">made", ">first token", ">next token", ">last token", ">in all", ">interval", ">tokens/s")
    for one in made:
        first, *_, last = one.steps or (None, None)
        shown.add_row(
            str(one.prompt),
            str(one.generate),
            format_ns(one.first_token.middle_ns),
            format_ns(first.time.middle_ns) if first else "",
            format_ns(last.time.middle_ns) if last else "",
            format_ns(one.whole.middle_ns),
            f"{format_ns(one.whole.low_ns)} to {format_ns(one.whole.high_ns)}",
            f"{one.tokens_per_s:.3g}",
        )
    head = made[0]
    asked = f"{counted(head.batch, 'input')} at once, interval of {LEVEL:.0%} in all"
    guessed = max(one.guessed for one in made)
    return [
        f"{head.network} on {name_of(head.configuration)}: {asked}",
        shown,
        f"up to {guessed:.0%} of a call's layers were guessed from measured lengths",
        choices_line(head),
    ]


def speculation_report(made: "Speculation") -> list[RenderableType]:
    """Show how a decoder answers a prompt with tokens that another one drafts, beside what it takes alone."""
    plain = made.plain
    shown = table(">tokens before", ">drafting each", ">verifying", ">next token", ">alone")
    for one, step, alone in zip(made.rounds, made.steps, plain.steps, strict=True):
        times = (one.drafting, one.verifying, step.time, alone.time)
        shown.add_row(str(one.past), *(format_ns(time.middle_ns) for time in times))
    worth = f"from {made.worth_from:.0%} accepted on" if made.worth_from is not None else "whatever is accepted, not"
    calls = f"{counted(made.ahead, 'token')} drafted by {made.draft} and verified in a call of {made.ahead + 1}"
    asked = f"a prompt of {counted(plain.prompt, 'token')}, {counted(plain.generate, 'token')} generated"
    progress = f"{made.tokens_per_round:.3g} tokens in a round where {made.accepted:.0%} are accepted"
    whole = f"{format_ns(made.whole.middle_ns)} ({format_ns(made.whole.low_ns)} to {format_ns(made.whole.high_ns)})"
    alone_ns = format_ns(plain.whole.middle_ns)
    return [
        f"{plain.network} on {name_of(plain.configuration)}: {asked}, {calls}",
        shown,
        f"{progress}; in all {whole}, alone {alone_ns}: {made.speedup:.2f} times as fast; worth it {worth}",
        choices_line(plain),
    ]
