"""Tables of estimates, coverage and plans."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType

from dlbricks.construct.comparison import Faster
from dlbricks.construct.intervals import LEVEL
from dlbricks.construct.types import Estimate, EstimateRow, QueueShares
from dlbricks.report.console import rows_table, table
from dlbricks.report.results import date, name_of
from dlbricks.units import counted, format_ns

if TYPE_CHECKING:
    from dlbricks.construct.coverage import Coverage, NetworkCoverage, Plan

_MISSING_SHOWN = 20
_CALLS_ONLY = ", {} of them measured without times of host and device"


def estimates_report(estimates: Sequence[Estimate], *, rows: int) -> list[RenderableType]:
    """Show the totals of networks, and the ``rows`` longest sequences of each (0: all)."""
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
    """Show systems side by side; empty for a single system."""
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
    by_system = {(one.network, repr(one.second)): one for one in against}
    for column, found in enumerate(systems):
        for one in found:
            cells = [one.network, name_of(one.configuration), format_ns(one.total_ns), _interval(one)]
            other = by_system.get((one.network, repr(one.configuration))) if column else None
            speedup = f"{other.speedup:.3g} times" if other and other.speedup else ""
            surely = f"{other.probability:.0%}" if other and other.probability is not None else ""
            made.add_row(*cells, speedup, surely)
    return [made, "probability: that the first system is faster, assuming independent errors of the estimates"]


def _interval(one: Estimate) -> str:
    if not one.low_ns and one.origin and one.origin.smoke:
        return "none: smoke test"
    return f"{format_ns(one.low_ns)} to {format_ns(one.high_ns)}"


def _measured(estimates: Sequence[Estimate]) -> list[str]:
    """Return the date range of the runs behind estimates, and their trust."""
    origins = [one.origin for one in estimates if one.origin]
    days = {date(when)[:10] for one in origins for when in (one.oldest_unix_ns, one.newest_unix_ns)}
    trust = ", ".join(dict.fromkeys(one.trust for one in origins))
    return ["measured " + " to ".join(dict.fromkeys((min(days), max(days)))), trust] if days else []


def _estimate_rows(one: Estimate, limit: int) -> list[RenderableType]:
    if one.bounds_only:
        return [f"{one.network}: {one.evidence}"]
    shown = one.rows[:limit] if limit else one.rows
    columns: Mapping[str, Callable[[EstimateRow], str]] = {
        "type": lambda row: row.name,
        "sequence": lambda row: row.fingerprint[:12],
        ">count": lambda row: str(row.count),
        ">each": lambda row: format_ns(row.each_ns) if row.tier != "missing" else "",
        ">total": lambda row: format_ns(row.total_ns) if row.tier != "missing" else "",
        ">share": lambda row: f"{row.share:.1%}" if row.tier != "missing" else "",
        "tier": lambda row: f"{row.tier}, mismatch" if row.mismatch else row.tier,
        "verdict": lambda row: row.verdict,
    }
    items: list[RenderableType] = [rows_table(shown, columns, title=f"{one.network}, by sequence", keys=2)]
    rest = one.rows[len(shown) :]
    if rest:
        share = sum(row.share for row in rest)
        items.append(f"and {counted(len(rest), 'more sequence')} with {share:.1%} of the total (--rows 0 shows all)")
    if one.queue or any(row.total_ns for row in one.rows):
        items.append(queue_line(one.queue, one.total_ns) if one.queue else states_line(one))
    if one.pairs_measured or one.pairs_missing:
        items.append(
            f"pairs: {one.pairs_measured} of {one.pairs_measured + one.pairs_missing} measured together, which adds "
            f"{one.correction_ns / one.total_ns if one.total_ns else 0.0:+.1%}; the others are plain sums"
        )
    items.append(
        f"interval: sampling {_signed(one.parts.sampling_low_ns, one.parts.sampling_high_ns, one.total_ns)}, "
        + (f"interpolation ±{one.parts.interpolation_ns / one.total_ns:.1%}, " if one.parts.interpolation_ns else "")
        + f"drift ±{one.parts.drift:.1%}, composing -{one.parts.composition_low:.1%} "
        f"+{one.parts.composition_high:.1%} ({one.evidence})"
    )
    return items


def queue_line(queue: QueueShares, total_ns: int) -> str:
    """Describe the shares of host and device of an estimate."""
    bound = "launching" if queue.host_ns > queue.device_ns else "the device"
    return (
        f"host and device side by side: launching takes {format_ns(queue.host_ns)}, the device "
        f"{format_ns(queue.device_ns)}, of which reading constants from its memory {format_ns(queue.fetching_ns)}; "
        f"{max(queue.host_ns, queue.device_ns) / max(1, total_ns):.0%} of the estimate is {bound}"
    )


def states_line(one: Estimate) -> str:
    """Describe the shares of an estimate by cache state."""
    parts = one.states
    return (
        f"by place: {parts.near:.1%} with everything in the caches, to fetch constants {parts.constants:.1%}, "
        f"outputs {parts.outputs:.1%}, inputs {parts.inputs:.1%} (miss curve {one.curve})"
    )


def _signed(low_ns: int, high_ns: int, total_ns: int) -> str:
    return f"-{low_ns / total_ns:.1%} +{high_ns / total_ns:.1%}" if total_ns else "none"


def missing_report(estimate: Estimate) -> list[str]:
    """List the sequences of a network without a result, with the reason."""
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
    """Show the coverage of each network on a system, and the sequences missing over all."""
    columns: dict[str, Callable[[NetworkCoverage], str]] = {
        "network": lambda one: one.network,
        ">layers": lambda one: str(one.layers),
        ">covered": lambda one: str(one.covered_layers),
        ">coverage": lambda one: f"{one.coverage:.1%}",
        ">sequences": lambda one: str(one.sequences),
        ">measured": lambda one: str(one.covered_sequences),
    }
    if any(one.smoke_sequences for one in coverage.networks):
        columns[">only by smoke tests"] = lambda one: str(one.smoke_sequences)
    if any(one.calls_only_sequences for one in coverage.networks):
        columns[">only single calls"] = lambda one: str(one.calls_only_sequences)
    items: list[RenderableType] = [f"on {name_of(coverage.configuration)}", rows_table(coverage.networks, columns)]
    if coverage.missing:
        lacking = rows_table(
            coverage.missing,
            {
                "type": lambda one: one.name,
                "missing sequence": lambda one: one.fingerprint[:12],
                ">uses": lambda one: str(one.uses),
                ">layers": lambda one: str(one.layers),
                "networks": lambda one: ", ".join(one.networks),
                "no benchmark because": lambda one: one.skip or "",
            },
        )
        items.append(lacking)
    return items


def plan_report(plan: "Plan", place: str | None, commands: Sequence[str]) -> list[RenderableType]:
    """Show the suite that closes the gap, the commands to run, and the sequences that cannot be measured."""
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
