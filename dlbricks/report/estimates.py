"""Tables of estimates, coverage, plans and comparisons of systems."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType

from dlbricks.construct.comparison import Comparison, Faster
from dlbricks.construct.intervals import LEVEL
from dlbricks.construct.types import Estimate, ExpectedError, QueueShares
from dlbricks.report.console import table
from dlbricks.report.results import date, name_of, ns_range
from dlbricks.units import counted, format_bytes, format_ns

if TYPE_CHECKING:
    from dlbricks.construct.coverage import Coverage, Plan

_INTERVAL = f">{LEVEL * 100:.0f} % interval"
# Most missing sequences in text: a network without any result has hundreds, and ``coverage`` lists them all.
_MISSING_SHOWN = 3
# Names of configuration properties by the second word of their texts in ``Estimate.mismatch``.
_PROPERTY = {"instruction": "instruction set"}
# Most sequences of a network or comparison in text.
_ROWS_SHOWN = 15


def estimates_report(estimates: Sequence[Estimate]) -> list[RenderableType]:
    """Show the estimated latency of each network, and the sequences that take longest."""
    first = estimates[0]
    columns = ("network", ">estimate", _INTERVAL, ">layers", ">coverage", ">interpolated", ">assumed", ">missing")
    listing = table(*columns, ">peak memory")
    for estimate in estimates:
        total, interval = _latency(estimate)
        memory = " to ".join(dict.fromkeys(map(format_bytes, estimate.peak_memory_bytes or ()))) or None
        parts = (estimate.interpolated_layers, estimate.assumed_layers)
        shares = [f"{layers / estimate.layers:.1%}" if layers else None for layers in parts]
        head = (estimate.network, total, interval, estimate.layers, f"{estimate.coverage:.1%}")
        listing.add_row(*head, *shares, len(estimate.missing) or None, memory)
    rules = ", ".join(dict.fromkeys(estimate.rule for estimate in estimates))
    facts = (*_measured(estimates), f"composed {rules}")
    overhead = f"call overhead {format_ns(first.call_overhead_ns)}"
    origins = [estimate.origin for estimate in estimates if estimate.origin]
    beside = dict.fromkeys(each.text for origin in origins for each in origin.standings if each.others)
    of = {text: [each.network for each in estimates if _expected(each) == text] for text in map(_expected, estimates)}
    expected = "; ".join(of if len(of) == 1 else (f"{', '.join(names)}: {text}" for text, names in of.items()))
    first_lines = [f"on {name_of(first.configuration)}, {expected}", ", ".join((*facts, overhead))]
    items: list[RenderableType] = [*first_lines, *beside, listing]
    for estimate in estimates:
        items += _estimate_rows(estimate)
    return items


def ranking_report(estimates: Sequence[Estimate]) -> list[RenderableType]:
    """Show the estimates of a network, with a row for each system, in the order of ``estimates``."""
    best = estimates[0]
    columns = ("system", "processor", "runtime", "provider", ">threads", ">latency", _INTERVAL, ">own parts")
    listing = table(*columns, ">similar parts", ">peak memory", ">calls per second", "other than here", keys=1)
    for each in estimates:
        own, similar = each.configuration, each.similar if each.total_ns else None
        # shares of the known part would be taken for shares of the network
        shares = (None, None) if similar is None or each.missing else (max(0.0, 1 - similar), similar or None)
        memory = " to ".join(dict.fromkeys(map(format_bytes, each.peak_memory_bytes or ()))) or None
        rate = f"{1e9 / each.total_ns:.3g}" if each.total_ns and not each.missing else None
        unlike = ", ".join(_PROPERTY.get(text.split()[1], text.split()[0]) for text in each.mismatch)
        head = (own.system, each.processor, own.runtime, own.provider, own.threads, *_latency(each))
        listing.add_row(*head, *(None if share is None else f"{share:.0%}" for share in shares), memory, rate, unlike)
    fastest = f"{best.network}: fastest on {name_of(best.configuration)}, {_expected(best)}"
    items: list[RenderableType] = [fastest, listing]
    if any(each.mismatch for each in estimates):
        items.append("other than here: differs from the runtime or processor for which the network was split here")
    if partly := [each for each in estimates if each.missing]:
        names = ", ".join(dict.fromkeys(each.configuration.system for each in partly))
        items.append(f"unknown or at least: sequences are missing on {names}; 'dlbricks plan' writes a suite of them")
    if smoke := [each for each in estimates if each.origin and each.origin.smoke]:
        names = ", ".join(dict.fromkeys(name_of(each.configuration) for each in smoke))
        items.append(f"from smoke tests, which may be several times too high: {names}")
    if shipped := [each for each in estimates if each.published]:
        names = ", ".join(dict.fromkeys(each.configuration.system for each in shipped))
        items.append(f"shipped with dlbricks: {names}, {', '.join(_measured(shipped))} by its authors")
    system = best.configuration
    options = f"--system {system.system} --runtime '{system.runtime}' --threads {system.threads}"
    options += " --interpolate" * bool(best.similar) + " --allow-mismatch" * bool(best.mismatch)
    return [*items, f"{options} shows where the time goes"]


def _expected(estimate: Estimate) -> str:
    # State the errors of validated estimates like this one.
    if not estimate.total_ns:
        return "expected error unknown: no sequence was measured"
    validated = estimate.expected and estimate.expected.networks
    larger = f"; larger for the {estimate.similar:.0%} from similar parts" if validated and estimate.similar else ""
    return expected_text(estimate.expected) + larger


def expected_text(expected: ExpectedError | None) -> str:
    """State the errors of validated estimates that are similar, and the properties in which this estimate differs."""
    if expected is None:
        return "expected error unknown"
    if expected.median is None or expected.p90 is None:
        return f"expected error unknown: not validated for {', '.join(expected.lacking)} (docs/accuracy.md)"
    errors = f"{expected.median:.1%} median, {expected.p90:.1%} at the 90th percentile"
    text = f"expected error {errors} ({counted(expected.networks, 'network')}, docs/accuracy.md)"
    return text + (f", not validated for {', '.join(expected.lacking)}" if expected.lacking else "")


def faster_report(against: Sequence[Faster], systems: Sequence[Sequence[Estimate]]) -> list[RenderableType]:
    """Show the estimates of several systems side by side; return nothing for a single system."""
    if not against:
        return []
    listing = table("network", "system", ">estimate", _INTERVAL, ">first is faster by", ">probability", keys=2)
    by_system = {(other.network, repr(other.second)): other for other in against}
    for place, system in enumerate(systems):
        for estimate in system:
            other = by_system.get((estimate.network, repr(estimate.configuration))) if place else None
            speedup = f"{other.speedup:.3g} times" if other and other.speedup else ""
            surely = f"{other.probability:.0%}" if other and other.probability is not None else ""
            listing.add_row(estimate.network, name_of(estimate.configuration), *_latency(estimate), speedup, surely)
    note = "probability that the first system is faster, if the errors of the estimates are independent"
    return [listing, *([note] if any(each.probability is not None for each in against) else [])]


def _latency(estimate: Estimate) -> tuple[str, str]:
    # Format the latency and its interval, or why there is none.
    if estimate.bounds_only:
        return "unknown", ns_range(estimate.low_ns, estimate.high_ns)
    if not estimate.total_ns:
        return "unknown", ""
    total = format_ns(estimate.total_ns)
    if estimate.missing:
        return f"at least {total}", "none: lower bound"
    if estimate.assumed_layers:
        return total, "none: assumed sizes"
    smoke = not estimate.low_ns and estimate.origin and estimate.origin.smoke
    return total, "none: smoke test" if smoke else ns_range(estimate.low_ns, estimate.high_ns)


def _measured(estimates: Sequence[Estimate]) -> list[str]:
    # Return the dates of the runs that estimates are based on, and the trust in their results.
    origins = [estimate.origin for estimate in estimates if estimate.origin]
    days = {date(when)[:10] for origin in origins for when in (origin.oldest_unix_ns, origin.newest_unix_ns)}
    trust = ", ".join(dict.fromkeys(origin.trust for origin in origins))
    return ["measured " + " to ".join(dict.fromkeys((min(days), max(days)))), trust] if days else []


def _estimate_rows(estimate: Estimate) -> list[RenderableType]:
    if estimate.bounds_only:
        return [f"{estimate.network}: {estimate.evidence}"]
    columns = ("type", "sequence", ">count", ">each", ">total", ">share", "tier", "verdict")
    listing = table(*columns, title=f"{estimate.network}, by sequence", keys=2)
    for row in estimate.rows[:_ROWS_SHOWN]:
        times = (format_ns(row.each_ns), format_ns(row.total_ns), f"{row.share:.1%}")
        tier = f"{row.tier}, mismatch" if row.mismatch else row.tier
        # ``missing_report`` states once for all of them why sequences are missing
        figures = ("", "", "", tier) if row.tier == "missing" else (*times, tier, row.verdict)
        listing.add_row(row.name, row.fingerprint[:12], row.count, *figures)
    items: list[RenderableType] = [listing]
    if rest := estimate.rows[_ROWS_SHOWN:]:
        share = sum(row.share for row in rest)
        of_total = f" with {share:.1%} of the total" if estimate.total_ns else ""
        items.append(f"{counted(len(rest), 'more sequence')}{of_total} not shown (--json has all)")
    if estimate.queue or any(row.total_ns for row in estimate.rows):
        items.append(queue_line(estimate.queue, estimate.total_ns) if estimate.queue else states_line(estimate))
    items += figure_lines(estimate)
    pairs = estimate.pairs_measured + estimate.pairs_missing
    if pairs:
        adds = f"{estimate.correction_ns / estimate.total_ns if estimate.total_ns else 0.0:+.1%}"
        measured = f"{estimate.pairs_measured} of {pairs} measured together"
        items.append(f"pairs: {measured}; this changes the total by {adds}, the other pairs are plain sums")
    parts, total_ns = estimate.parts, estimate.total_ns
    if not total_ns:
        return items
    if estimate.missing or estimate.assumed_layers:
        assumed = "part of the total is for assumed sizes, iterations or branches"
        return [*items, f"no interval: {'sequences are missing' if estimate.missing else assumed}"]
    if not estimate.low_ns:
        advice = ", or leave out --interpolate" if parts.interpolation_ns else ""
        return [*items, f"no interval: the errors exceed the estimate; run the suite longer{advice}"]
    interpolation = f"interpolation ±{parts.interpolation_ns / total_ns:.1%}, " if parts.interpolation_ns else ""
    low, high = parts.sampling_low_ns / total_ns, parts.sampling_high_ns / total_ns
    items.append(
        f"uncertainty: measurement -{low:.1%} +{high:.1%}, {interpolation}drift ±{parts.drift:.1%}, "
        f"composition -{parts.composition_low:.1%} +{parts.composition_high:.1%} ({estimate.evidence})"
    )
    return items


def figure_lines(estimate: Estimate) -> list[str]:
    """Describe both latencies on an asynchronous provider with their intervals, a line for each; empty on the CPU."""
    figures = {"device (kernels and gaps, as in a CUDA graph)": estimate.device, "eager": estimate.eager}
    return [
        f"{name}: {format_ns(each.total_ns)}, {ns_range(each.low_ns, each.high_ns)}: {each.evidence}"
        for name, each in figures.items()
        if each
    ]


def queue_line(queue: QueueShares, total_ns: int) -> str:
    """State in a line how long host and device take in an estimated latency, and which of them takes longer."""
    longer = "launching" if queue.host_ns > queue.device_ns else "computing"
    return (
        f"host and device in parallel: launching kernels takes {format_ns(queue.host_ns)}, computing "
        f"{format_ns(queue.device_ns)} ({format_ns(queue.fetching_ns)} of it to read constants from memory); "
        f"{longer} is {max(queue.host_ns, queue.device_ns) / max(1, total_ns):.0%} of the estimate"
    )


def states_line(estimate: Estimate) -> str:
    """State the shares of computing, reading weights, writing outputs and reading inputs in an estimated latency."""
    parts = estimate.states
    return (
        f"of the total: {parts.llc_warm:.1%} compute, {parts.weights_cold:.1%} weights from memory, "
        f"{parts.outputs:.1%} writing outputs, {parts.inputs:.1%} reading inputs (miss curve {estimate.curve})"
    )


def missing_report(estimate: Estimate) -> list[str]:
    """List the layer sequences of a network that have no measurement, one line for each reason."""
    by_reason: dict[str, list[str]] = {}
    for row in estimate.rows:
        if row.tier == "missing":
            by_reason.setdefault(row.verdict, []).append(f"{row.name} {row.fingerprint[:12]}")
    lines = []
    for reason, names in by_reason.items():
        more = f" and {rest} more" if (rest := len(names) - _MISSING_SHOWN) > 0 else ""
        what = f"{estimate.network} on {name_of(estimate.configuration)}"
        lines.append(f"{what} lacks {', '.join(names[:_MISSING_SHOWN])}{more}: {reason}".removesuffix(": "))
    return lines


def coverage_report(coverage: "Coverage") -> list[RenderableType]:
    """Show the measured share of each network's layers, and the missing layer sequences."""
    columns = ("network", ">layers", ">covered", ">coverage", ">sequences", ">measured")
    networks = table(*columns, ">only briefly", ">only single calls")
    for row in coverage.networks:
        layers, sequences = (row.layers, row.covered_layers), (row.sequences, row.covered_sequences)
        some = (row.smoke_sequences or None, row.calls_only_sequences or None)
        networks.add_row(row.network, *layers, f"{row.coverage:.1%}", *sequences, *some)
    missing = table("type", "missing sequence", ">uses", ">layers", "networks", "no benchmark because")
    for gap in coverage.missing:
        missing.add_row(gap.name, gap.fingerprint[:12], gap.uses, gap.layers, ", ".join(gap.networks), gap.skip)
    return [f"on {name_of(coverage.configuration)}", networks, *([missing] if coverage.missing else [])]


def plan_report(plan: "Plan", place: str | None, commands: Sequence[str]) -> list[RenderableType]:
    """Show the suite of the missing measurements, the commands to run, and what cannot be measured."""
    items: list[RenderableType] = [f"on {name_of(plan.coverage.configuration)}"]
    for network in plan.coverage.networks:
        line = f"{network.network}: {network.coverage:.1%} covered, missing: "
        line += counted(network.sequences - network.covered_sequences, "sequence")
        if network.calls_only_sequences:
            line += f", {network.calls_only_sequences} of them measured, but without times of host and device"
        if network.smoke_sequences:
            line += f", {network.smoke_sequences} measured too briefly (smoke test or short --budget)"
            line += ": plan again after the missing ones" if plan.fingerprints else ""
        items.append(line)
    if plan.fingerprints:
        wanted = counted(len(plan.fingerprints), "sequence")
        items.append(f"{place}: {wanted} to measure in about {format_ns(plan.cost_ns)}:")
    else:
        again = "; a suite that measures all again:" if commands else ""
        items.append(f"no suite was written: no sequence that can be measured is missing{again}")
    items += [f"  {command}" for command in commands]
    items += [f"{row.name} {row.fingerprint[:12]} cannot be measured: {row.skip}" for row in plan.impossible]
    return items


def comparison_line(comparison: Comparison) -> str:
    """Format a comparison of two systems in one line."""
    what = comparison.network or f"median of {counted(len(comparison.rows), 'sequence')}"
    return f"{what}: {comparison.ratio:.3f} times as long (at 90 %: {_ratio_range(comparison.low, comparison.high)})"


def _ratio_range(low: float, high: float) -> str:
    # one that a single visit makes as wide as this says nothing
    return f"{low:.3f} to {high:.3f}" if high < 100 * low else "no interval"


def comparison_report(comparison: Comparison) -> list[RenderableType]:
    """Show the latency ratio of two systems with its interval, and the layer sequences that differ most."""
    items: list[RenderableType] = []
    for letter, side in (("A", comparison.first), ("B", comparison.second)):
        measured = f"measured {date(side.newest_unix_ns)}, {side.trust}, {format_ns(side.total_ns)} in sum"
        items.append(f"{letter}: {name_of(side.configuration)}, {measured}")
    verdict = "B is slower" if comparison.low > 1 else "B is faster"
    if comparison.low <= 1 <= comparison.high:
        verdict = "no significant difference"
    parts = comparison.parts
    interval = f"interval: sampling ±{parts.sampling:.1%}, drift ±{parts.drift:.1%}"
    interval += f", variation between hours or machines ±{parts.hours:.0%}" if parts.hours else ""
    interval += f", composition ±{parts.composing:.0%}" if parts.composing else ""
    listing = table("type", "sequence", ">uses", ">A", ">B", ">B by A", ">95 % interval", ">explains", keys=2)
    basis = f"with 95 % probability all sequences ({len(comparison.rows):,}) are inside their intervals"
    if (spread := comparison.spread) is not None:
        source = "this store" if spread.source == "store" else "the package, since this store has too few"
        basis += f"; they include differences between runs of one machine ({counted(spread.pairs, 'pair')} of {source})"
    for row in comparison.rows[:_ROWS_SHOWN]:
        times, ratio = (format_ns(row.first_ns), format_ns(row.second_ns)), f"{row.ratio:.3f}"
        figures = (*times, ratio, _ratio_range(row.low, row.high), f"{row.explains:+z.1%}")
        listing.add_row(row.name, row.fingerprint[:12], row.count, *figures)
    items += [f"B by A, {comparison_line(comparison)}; {verdict}", interval, basis, listing]
    if rest := comparison.rows[_ROWS_SHOWN:]:
        more = f"{counted(len(rest), 'more sequence')} not shown (--json has all)"
        items.append(f"{more}, explaining {sum(row.explains for row in rest):+z.1%}")
    return items
