"""Tables of networks, suites, runs and submissions, and of the content of a store."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from dlbricks.report.console import table
from dlbricks.settings import SplitSettings
from dlbricks.units import counted, format_bytes, format_ns

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.construct.compose import Inspection
    from dlbricks.store.bundle import PublishedSystem
    from dlbricks.store.types import (
        Finding,
        NameKey,
        RegisteredSuite,
        StoredResult,
        SubmissionEvent,
        SubmissionReceipt,
        SubmissionSummary,
        SystemConfiguration,
        SystemSummary,
    )
    from dlbricks.suite.manifest import NetworkReport, Suite

# Most rows in text; --json has all.
_PLACES_SHOWN, _SHOWN, _FAILED_SHOWN, _OPERATORS_SHOWN = 3, 15, 10, 12
# Most rows of a table of layers: for more, rich takes minutes to lay out the table.
_LAYERS_SHOWN = 5000
_EMPTY = "the store is empty: 'dlbricks submit RESULT.json' adds a result"


def inspection_report(inspections: "Sequence[Inspection]", *, layers: bool = False) -> list[RenderableType]:
    """Show networks in a table; details follow for a single network, or for all with ``layers``."""
    columns = ("network", ">in file", ">folded", ">layers", ">views", ">sequences", ">unique sequences", ">GFLOP")
    listing = table(*columns, ">parameters", ">activations", ">skipped layers")
    items: list[RenderableType] = [listing]
    for network in inspections:
        counts = (network.source_layers, network.folded, network.layers, network.views, network.sequences)
        sizes = (format_bytes(network.parameter_bytes), format_bytes(network.activation_bytes))
        skipped = sum(count for _, count in network.skipped)
        unique = (network.unique_sequences, None if network.flops is None else f"{network.flops / 1e9:.3f}")
        listing.add_row(network.network, *counts, *unique, *sizes, skipped)
        if len(inspections) == 1 or layers:
            items += _details(network, layers=layers)
    for network in inspections:
        if network.invalid:
            items.append(f"warning: {network.network} is not a valid ONNX network (onnx.checker): {network.invalid}")
    for network in inspections:
        items += [f"{network.network}: {line}" for line in network.assumed]
        if uncounted := [facts for facts in network.layer_facts if facts.flops is None]:
            first = f"{uncounted[0].operator} '{uncounted[0].name}'"
            items.append(f"{network.network}: GFLOP is not shown, since the operations of {first} are unknown")
        for reason, count in network.skipped:
            items.append(f"{network.network}: {counted(count, 'layer')} cannot be part of a benchmark: {reason}")
    return items


def _details(network: "Inspection", *, layers: bool) -> list[RenderableType]:
    operators = ", ".join(f"{name} {count}" for name, count in network.operators[:_OPERATORS_SHOWN])
    more = len(network.operators) - _OPERATORS_SHOWN
    items: list[RenderableType] = [
        f"{network.network}: target {network.target}, H {network.granularity}, splitter {network.splitter}",
        f"  inputs     {', '.join(network.inputs)}",
        f"  outputs    {', '.join(network.outputs)}",
        f"  operators  {operators}{f' and {more} more kinds' if more > 0 else ''}",
    ]
    if not layers:
        return items
    columns = ("layer", "operator", ">sequence", "outputs", ">MFLOP", ">all Mop", ">weights", ">read", ">written")
    listing = table(*columns, "skipped")
    for facts in network.layer_facts[:_LAYERS_SHOWN]:
        flops, operations = (
            None if count is None else f"{count / 1e6:.2f}" for count in (facts.flops, facts.operations)
        )
        sizes = (None if size is None else format_bytes(size) for size in (facts.read_bytes, facts.written_bytes))
        head = (facts.name, facts.operator, facts.sequence, " ".join(facts.outputs), flops)
        listing.add_row(*head, operations, format_bytes(facts.weight_bytes), *sizes, facts.skip)
    total = len(network.layer_facts)
    hidden = [f"the first {_LAYERS_SHOWN:,} of {total:,} layers; --json lists all"] if total > _LAYERS_SHOWN else []
    return [*items, listing, *hidden]


def generated_report(
    suite: "Suite", reports: "Sequence[NetworkReport]", place: "Path", expectation: str
) -> list[RenderableType]:
    """Show a new suite: its networks, its sequences, and its runtime with the expected errors (``expectation``)."""
    paired = any(report.pairs for report in reports)
    columns = ("network", ">in file", ">folded", ">layers", ">sequences", ">unique sequences")
    listing = table(*columns, ">pairs", ">skipped layers")
    items: list[RenderableType] = [f"target {suite.target.name} of {expectation}", listing]
    for report in reports:
        if not report.unsupported:
            counts = (report.source_layers, report.folded, report.layers, report.sequences, report.unique_sequences)
            skipped = sum(count for _, count in report.skipped)
            listing.add_row(report.network, *counts, report.pairs or None, skipped)
        items += [f"{report.network}: {counted(count, 'layer')} left out: {reason}" for reason, count in report.skipped]
    sequences = [benchmark for benchmark in suite.benchmarks if benchmark.role == "sequence"]
    unsure = sum(benchmark.reference is None for benchmark in sequences)
    items.append(
        f"{place}: {counted(len(sequences), 'unique sequence')}{' and pairs' if paired else ''} "
        f"for target {suite.target.name} at H {suite.granularity}, "
        f"digest {suite.digest[:12]}; the first run creates weights of "
        f"{format_bytes(sum(blob.nbytes for blob in suite.weights))}"
    )
    if others := sum(benchmark.block > 0 for benchmark in suite.benchmarks):
        items.append(f"{counted(others, 'benchmark')} only for processors with blocks of one size, which run their own")
    if unsure:
        items.append(f"{counted(unsure, 'sequence')} without a reference output to compare with")
    return items


def findings_report(findings: "Sequence[Finding]") -> list[RenderableType]:
    """Show each violated rule with its findings, explanation and fix, and the number of findings."""
    items: list[RenderableType] = []
    for rule in dict.fromkeys(finding.rule for finding in findings):
        broken = [finding for finding in findings if finding.rule == rule]
        first, rest = broken[0], len(broken) - _PLACES_SHOWN
        items.append(f"{first.severity} {rule} {first.title}")
        items += [f"  {each.where}{': ' if each.where else ''}{each.message}" for each in broken[:_PLACES_SHOWN]]
        items += [f"  and {rest} more (--json lists them)"] if rest > 0 else []
        items += [f"  why: {first.explanation}", f"  fix: {first.fix}"]
    return [*items, _counts(findings)]


def _counts(findings: "Sequence[Finding]") -> str:
    counts = Counter(finding.severity for finding in findings)
    return f"{counted(counts['error'], 'error')}, {counted(counts['warning'], 'warning')}, {counts['info']} info"


def receipt_report(receipt: "SubmissionReceipt", place: str) -> list[RenderableType]:
    """Describe in one line what a submission has stored."""
    state = "stored" if receipt.new else "was stored already"
    if receipt.says:
        what = "next key of the name" if receipt.says == "key" else f"{receipt.digest[:12]} {receipt.says}"
        return [f"statement of {receipt.key} {state} in {place}: {what}"]
    if receipt.withdrawn is not None:
        state += f" and was withdrawn on {date(receipt.withdrawn.recorded_unix_ns)} ({receipt.withdrawn.reason})"
    state += " as provisional" if receipt.provisional else ""
    state += f", signed by {receipt.key}" if receipt.key else ""
    checked = f"; check: {_counts(receipt.findings)} ('dlbricks check FILE' shows them)" if receipt.findings else ""
    line = f"{receipt.digest[:12]} {state} in {place}: {counted(receipt.results, 'sequence')} with a latency{checked}"
    return [line, receipt.standing.text] if receipt.standing else [line]


def systems_report(systems: "Sequence[SystemSummary]", shipped: "Sequence[PublishedSystem]") -> list[RenderableType]:
    """List the systems with results in a store, by runtime, provider and threads, and those that ship."""
    columns = ("system", "runtime", "provider", ">threads", "trust", "measured", ">sequences", ">runs", ">complete")
    listing = table(*columns, ">smoke", "newest")
    for system in systems:
        of, trust = system.configuration, " to ".join(dict.fromkeys((system.least_trust, system.most_trust)))
        trust += f", {system.provisional} provisional" if system.provisional else ""
        splits = [
            (how, SplitSettings(dims=dict(how.dims), values=dict(how.values), batch=how.batch))
            for how in system.settings
        ]
        measured = ", ".join(" ".join((f"-H {how.granularity} {how.target}", *split.extents)) for how, split in splits)
        counts = (system.sequences, system.submissions, system.complete, system.smoke)
        head = (of.system, of.runtime, of.provider, of.threads, trust, measured)
        listing.add_row(*head, *counts, date(system.last_unix_ns))
    more = (f"shipped with dlbricks: {name_of(each.configuration)}, {each.processor}" for each in shipped)
    return [listing if systems else _EMPTY, "", *more]


def suites_report(suites: "Sequence[RegisteredSuite]") -> list[RenderableType]:
    """List the suites that are registered in a store."""
    listing = table("suite", "digest", ">runs")
    for suite in suites:
        listing.add_row(suite.name, suite.digest[:12], suite.submissions)
    return [listing if suites else "the store has no suites: 'dlbricks suites --add SUITE' registers one"]


def runs_report(runs: "Sequence[SubmissionSummary]") -> list[RenderableType]:
    """List the runs of a store, with a reason for each run that is not used."""
    columns = ("digest", "system", "provider", ">threads", "suite", ">sequences", "run", "started", "trust", "key")
    listing = table(*columns, "remark", keys=2)
    for run in runs:
        of, state = run.configuration, "complete" if run.complete else "smoke" if run.smoke else "stopped"
        remark = f"embargo until {date(run.embargo_unix_ns)}" if run.embargo_unix_ns else ""
        head = (run.digest[:12], of.system, of.provider, of.threads, run.suite, run.results, state)
        remark = event_text(run.withdrawn) if run.withdrawn else remark
        listing.add_row(*head, date(run.started_unix_ns), run.trust, run.key, remark)
    return [listing] if runs else [_EMPTY]


def event_text(event: "SubmissionEvent") -> str:
    """Describe an event of a submission by its kind, date and author."""
    line = f"{event.kind} on {date(event.recorded_unix_ns)} by {'its owner' if event.statement else 'the collector'}"
    return f"{line}: {event.reason}" + (f" (until {date(event.until_unix_ns)})" if event.until_unix_ns else "")


def keys_report(system: str, keys: "Sequence[NameKey]") -> list[RenderableType]:
    """List the present and former keys that own the name of a system."""
    listing = table("key", "since", "why")
    for key in keys:
        listing.add_row(key.key, date(key.since_unix_ns), key_text(key))
    return [listing if keys else f"the name {system} has no key: the first signed result claims it"]


def key_text(key: "NameKey") -> str:
    """State why the name of a system belongs to a key."""
    if not key.reason:
        return "signed the first result"
    return f"by {'its owner' if key.statement else 'the collector'}: {key.reason}"


def stored_results_report(results: "Sequence[StoredResult]") -> list[RenderableType]:
    """List single measurements of a store."""
    columns = ("sequence", "fingerprint", "system", "runtime", "provider", ">threads", ">latency", ">95 % interval")
    listing = table(*columns, "verdict", "trust", "run", keys=2)
    for result in results:
        of, measurement, label = result.configuration, result.measurement, result.label
        head = (label.name, label.fingerprint[:12], of.system, of.runtime, of.provider, of.threads)
        latency = (format_ns(measurement.latency_ns), ns_range(measurement.low_ns, measurement.high_ns))
        listing.add_row(*head, *latency, measurement.verdict, result.trust, date(result.started_unix_ns))
    origins = [(f"{each.configuration.system} {date(each.started_unix_ns)}", each.standing) for each in results]
    beside = dict.fromkeys(f"{origin}: {standing.text}" for origin, standing in origins if standing)
    return [listing, *beside] if results else ["no stored result matches"]


def name_of(configuration: "SystemConfiguration") -> str:
    """Format a system with its runtime in one line, as ``system (runtime, provider, threads)``."""
    threads = counted(configuration.threads, "thread")
    return f"{configuration.system} ({configuration.runtime}, {configuration.provider}, {threads})"


def date(unix_ns: int) -> str:
    """Format a time in ns since 1970 as date and minute in UTC."""
    return dt.datetime.fromtimestamp(unix_ns // 10**9, tz=dt.UTC).strftime("%Y-%m-%d %H:%M")


def ns_range(low_ns: float, high_ns: float) -> str:
    """Format the interval of a latency; both ends have units. One that begins at 0 says nothing."""
    return f"{format_ns(low_ns)} to {format_ns(high_ns)}" if low_ns > 0 else "no interval"


def run_report(document: Mapping[str, Any]) -> list[RenderableType]:
    """Show the slowest benchmarks of a run, how many have each verdict, and the failures."""
    from dlbricks.harness.run.files import is_reference
    from dlbricks.harness.stats import latency_of

    names = {entry["fingerprint"]: entry["name"] for entry in document["suite"]["manifest"]["benchmarks"]}
    entries = [entry for entry in document["benchmarks"] if not is_reference(entry)]
    measured = [(entry, latency_of(entry)) for entry in entries if entry["status"] == "ok" and entry["visits"]]
    measured.sort(key=lambda pair: -pair[1].latency_ns)
    listing = table("benchmark", "fingerprint", ">latency", ">95 % interval", ">calls", "verdict", keys=2)
    for entry, latency in measured[:_SHOWN]:
        fingerprint, verdict = entry["fingerprint"], f"{entry['verdict']['kind']}: {entry['verdict']['text']}"
        figures = (format_ns(latency.latency_ns), ns_range(latency.low_ns, latency.high_ns), latency.samples)
        listing.add_row(names[fingerprint], fingerprint[:12], *figures, verdict)
    items: list[RenderableType] = [listing] if measured else []
    items += [f"{counted(len(measured) - _SHOWN, 'faster benchmark')} not shown"] if len(measured) > _SHOWN else []
    failed = [entry for entry in entries if entry["status"] == "failed"]
    for entry in failed[:_FAILED_SHOWN]:
        items.append(f"failed: {names[entry['fingerprint']]} {entry['fingerprint'][:12]}: {entry['reason']}")
    items += [f"{counted(len(failed) - _FAILED_SHOWN, 'more benchmark')} failed"] if len(failed) > _FAILED_SHOWN else []
    return [_run_summary(document, entries), *items]


def _run_summary(document: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> str:
    kinds = Counter(entry["verdict"]["kind"] if entry["status"] != "not run" else "not run" for entry in entries)
    traced = Counter(entry["trace"]["levels"] for entry in entries if "layers" in entry.get("trace", {}))
    timing = document["timing"]
    end = "complete" if document["complete"] else "not complete: continue it with --resume"
    if document["complete"] and any(entry["status"] == "failed" for entry in entries):
        end = "not complete: some benchmarks failed"
    others = len(document["suite"]["manifest"]["benchmarks"]) - len(document["benchmarks"])
    runtime = document["runtime"]
    where = f"{document['system']['name']}, {runtime['provider']}, {counted(runtime['threads'], 'thread')}"
    return (
        f"{where}: {', '.join(f'{count} {kind}' for kind, count in kinds.most_common())} in "
        f"{format_ns(timing['wall_ns'])}, {timing['timed_ns'] / max(1, timing['wall_ns']):.0%} of it in timed calls"
        f"{''.join(f'; {count} traced ({levels})' for levels, count in sorted(traced.items()))}"
        f"{f'; {others} left out, for processors with blocks of another size' if others else ''}; {end}"
    )
