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
    guessed, lacking = (
        any(estimate.interpolated_layers for estimate in estimates),
        any(estimate.missing for estimate in estimates),
    )
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
    for column, system in enumerate(systems):
        for one in system:
            cells = [one.network, name_of(one.configuration), format_ns(one.total_ns), _interval(one)]
            other = by_system.get((one.network, repr(one.configuration))) if column else None
            speedup = f"{other.speedup:.3g} times" if other and other.speedup else ""
            surely = f"{other.probability:.0%}" if other and other.probability is not None else ""
            made.add_row(*cells, speedup, surely)
    return [made, "probability: that the first system is faster, assuming independent errors of the estimates"]


def _interval(estimate: Estimate) -> str:
    if not estimate.low_ns and estimate.origin and estimate.origin.smoke:
        return "none: smoke test"
    return f"{format_ns(estimate.low_ns)} to {format_ns(estimate.high_ns)}"


def _measured(estimates: Sequence[Estimate]) -> list[str]:
    """Return the date range of the runs behind estimates, and their trust."""
    origins = [estimate.origin for estimate in estimates if estimate.origin]
    days = {date(when)[:10] for origin in origins for when in (origin.oldest_unix_ns, origin.newest_unix_ns)}
    trust = ", ".join(dict.fromkeys(origin.trust for origin in origins))
    return ["measured " + " to ".join(dict.fromkeys((min(days), max(days)))), trust] if days else []


def _estimate_rows(estimate: Estimate, limit: int) -> list[RenderableType]:
    if estimate.bounds_only:
        return [f"{estimate.network}: {estimate.evidence}"]
    shown = estimate.rows[:limit] if limit else estimate.rows
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
    items: list[RenderableType] = [rows_table(shown, columns, title=f"{estimate.network}, by sequence", keys=2)]
    rest = estimate.rows[len(shown) :]
    if rest:
        share = sum(row.share for row in rest)
        items.append(f"and {counted(len(rest), 'more sequence')} with {share:.1%} of the total (--rows 0 shows all)")
    if estimate.queue or any(row.total_ns for row in estimate.rows):
        items.append(queue_line(estimate.queue, estimate.total_ns) if estimate.queue else states_line(estimate))
    if estimate.pairs_measured or estimate.pairs_missing:
        pairs = estimate.pairs_measured + estimate.pairs_missing
        items.append(
            f"pairs: {estimate.pairs_measured} of {pairs} measured together, "
            f"which adds {estimate.correction_ns / estimate.total_ns if estimate.total_ns else 0.0:+.1%}; "
            "the others are plain sums"
        )
    parts, total_ns = estimate.parts, estimate.total_ns
    interpolation = f"interpolation ±{parts.interpolation_ns / total_ns:.1%}, " if parts.interpolation_ns else ""
    items.append(
        f"interval: sampling {_signed(parts.sampling_low_ns, parts.sampling_high_ns, total_ns)}, {interpolation}"
        f"drift ±{parts.drift:.1%}, composing -{parts.composition_low:.1%} +{parts.composition_high:.1%} "
        f"({estimate.evidence})"
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


def states_line(estimate: Estimate) -> str:
    """Describe the shares of an estimate by cache state."""
    parts = estimate.states
    return (
        f"by place: {parts.near:.1%} with everything in the caches, to fetch constants {parts.constants:.1%}, "
        f"outputs {parts.outputs:.1%}, inputs {parts.inputs:.1%} (miss curve {estimate.curve})"
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
        "network": lambda row: row.network,
        ">layers": lambda row: str(row.layers),
        ">covered": lambda row: str(row.covered_layers),
        ">coverage": lambda row: f"{row.coverage:.1%}",
        ">sequences": lambda row: str(row.sequences),
        ">measured": lambda row: str(row.covered_sequences),
    }
    if any(network.smoke_sequences for network in coverage.networks):
        columns[">only by smoke tests"] = lambda row: str(row.smoke_sequences)
    if any(network.calls_only_sequences for network in coverage.networks):
        columns[">only single calls"] = lambda row: str(row.calls_only_sequences)
    items: list[RenderableType] = [f"on {name_of(coverage.configuration)}", rows_table(coverage.networks, columns)]
    if coverage.missing:
        lacking = rows_table(
            coverage.missing,
            {
                "type": lambda row: row.name,
                "missing sequence": lambda row: row.fingerprint[:12],
                ">uses": lambda row: str(row.uses),
                ">layers": lambda row: str(row.layers),
                "networks": lambda row: ", ".join(row.networks),
                "no benchmark because": lambda row: row.skip or "",
            },
        )
        items.append(lacking)
    return items


def plan_report(plan: "Plan", place: str | None, commands: Sequence[str]) -> list[RenderableType]:
    """Show the suite that closes the gap, the commands to run, and the sequences that cannot be measured."""
    items: list[RenderableType] = [f"on {name_of(plan.coverage.configuration)}"]
    items += [
        f"{network.network}: {network.coverage:.1%} covered, missing: "
        + counted(network.sequences - network.covered_sequences, "sequence")
        + (_CALLS_ONLY.format(network.calls_only_sequences) if network.calls_only_sequences else "")
        + (f", {network.smoke_sequences} measured by smoke tests only" if network.smoke_sequences else "")
        for network in plan.coverage.networks
    ]
    if plan.fingerprints:
        items.append(f"{place}: {len(plan.fingerprints)} sequences to be measured, in about {format_ns(plan.cost_ns)}:")
        items += [f"  {command}" for command in commands]
    else:
        items.append("nothing to be measured: no suite was written")
    items += [f"{one.name} {one.fingerprint[:12]} cannot be measured: {one.skip}" for one in plan.impossible]
    return items
