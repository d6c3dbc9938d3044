"""Tables of runs, submissions and the contents of a store."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import RenderableType

from dlbricks.report.console import rows_table, table
from dlbricks.store.types import (
    Finding,
    NameKey,
    RegisteredSuite,
    StoredResult,
    SubmissionEvent,
    SubmissionReceipt,
    SubmissionSummary,
    SuiteSettings,
    SystemConfiguration,
    SystemSummary,
    WaitingResult,
)
from dlbricks.units import counted, format_ns

_PLACES_SHOWN = 3
_EMPTY = "the store is empty: dlbricks submit RESULT.json fills it"


def findings_report(findings: Sequence[Finding]) -> list[RenderableType]:
    """Show the findings of each violated rule with explanation and fix, and their counts."""
    items: list[RenderableType] = []
    for rule in dict.fromkeys(finding.rule for finding in findings):
        broken = [finding for finding in findings if finding.rule == rule]
        first = broken[0]
        items.append(f"{first.severity} {rule} {first.title}")
        items += [_place(finding) for finding in broken[:_PLACES_SHOWN]]
        if len(broken) > _PLACES_SHOWN:
            items.append(f"  and {len(broken) - _PLACES_SHOWN} more (--json lists them)")
        items += [f"  why: {first.explanation}", f"  fix: {first.fix}"]
    return [*items, _counts(findings)]


def _counts(findings: Sequence[Finding]) -> str:
    """Count findings by severity."""
    counts = Counter(finding.severity for finding in findings)
    return f"{counted(counts['error'], 'error')}, {counted(counts['warning'], 'warning')}, {counts['info']} info"


def _place(finding: Finding) -> str:
    return f"  {finding.where}: {finding.message}" if finding.where else f"  {finding.message}"


def receipt_report(receipt: SubmissionReceipt, place: str) -> list[RenderableType]:
    """Describe the result of a submission."""
    if receipt.waits_for:
        state = "is kept apart" if receipt.new else "was kept apart already"
        way = "'dlbricks suites --add SUITE', or submit it with --suite SUITE"
        return [f"{receipt.digest[:12]} {state} in {place}: suite {receipt.waits_for} is unknown; {way}"]
    if receipt.says:
        state = "is" if receipt.new else "was there already: it is"
        what = "a next key for the name" if receipt.says == "key" else f"{receipt.digest[:12]} {receipt.says}"
        return [f"what {receipt.key} signed {state} in {place}: {what}"]
    state = "stored" if receipt.new else "was there already"
    if receipt.withdrawn is not None:
        state += f" and was withdrawn on {date(receipt.withdrawn.recorded_unix_ns)} ({receipt.withdrawn.reason})"
    state += " as provisional" if receipt.provisional else ""
    state += f", signed by {receipt.key}" if receipt.key else ""
    checked = f"; check: {_counts(receipt.findings)}" if receipt.findings else ""
    return [f"{receipt.digest[:12]} {state} in {place}: {counted(receipt.results, 'sequence')} with a latency{checked}"]


def systems_report(systems: Sequence[SystemSummary]) -> list[RenderableType]:
    """List the configurations of a store."""
    listing = rows_table(
        systems,
        {
            "system": lambda system: system.configuration.system,
            "runtime": lambda system: system.configuration.runtime,
            "provider": lambda system: system.configuration.provider,
            ">threads": lambda system: str(system.configuration.threads),
            "trust": lambda system: (
                " to ".join(dict.fromkeys((system.least_trust, system.most_trust)))
                + (f", {system.provisional} provisional" if system.provisional else "")
            ),
            "measured": lambda system: ", ".join(
                f"-H {how.granularity} {how.target}{extents(how)}" for how in system.settings
            ),
            ">sequences": lambda system: str(system.sequences),
            ">runs": lambda system: str(system.submissions),
            ">complete": lambda system: str(system.complete),
            ">smoke": lambda system: str(system.smoke),
            "newest": lambda system: date(system.last_unix_ns),
        },
    )
    return [listing] if systems else [_EMPTY]


def suites_report(suites: Sequence[RegisteredSuite], waiting: Sequence[WaitingResult]) -> list[RenderableType]:
    """List the suites of a store, and the results that wait for an unknown suite."""
    listing = table("suite", "digest", ">runs")
    for suite in suites:
        listing.add_row(suite.name, suite.digest[:12], str(suite.submissions))
    apart = table("waits for suite", "digest", "system", "result", "received")
    for each in waiting:
        cells = (each.suite, each.suite_digest[:12], each.system, each.digest[:12], date(each.received_unix_ns))
        apart.add_row(*cells)
    return [listing if suites else "no suite is known: dlbricks suites --add SUITE", *([apart] if waiting else [])]


def extents(how: SuiteSettings) -> str:
    """Format the extents of a suite as options; empty if unknown."""
    batch = f" --batch {how.batch}" if how.batch else ""
    return "".join(f" --dim {name}={value}" for name, value in how.dims) + batch


def runs_report(runs: Sequence[SubmissionSummary]) -> list[RenderableType]:
    """List the runs of a store, and the reason if one is not used."""
    listing = rows_table(
        runs,
        {
            "digest": lambda run: run.digest[:12],
            "system": lambda run: run.configuration.system,
            "provider": lambda run: run.configuration.provider,
            ">threads": lambda run: str(run.configuration.threads),
            "suite": lambda run: run.suite,
            ">sequences": lambda run: str(run.results),
            "run": lambda run: "complete" if run.complete else "smoke" if run.smoke else "stopped",
            "started": lambda run: date(run.started_unix_ns),
            "trust": lambda run: run.trust,
            "key": lambda run: run.key,
            "remark": _remark,
        },
        keys=2,
    )
    return [listing] if runs else [_EMPTY]


def _remark(run: SubmissionSummary) -> str:
    """Return the reason if a run is not used, else an empty string."""
    if run.withdrawn:
        return event_text(run.withdrawn)
    return f"embargo until {date(run.embargo_unix_ns)}" if run.embargo_unix_ns else ""


def event_text(event: SubmissionEvent) -> str:
    """Describe an event of a submission: kind, date and author."""
    line = f"{event.kind} on {date(event.recorded_unix_ns)} by {'its owner' if event.statement else 'the collector'}"
    return f"{line}: {event.reason}" + (f" (until {date(event.until_unix_ns)})" if event.until_unix_ns else "")


def keys_report(system: str, keys: Sequence[NameKey]) -> list[RenderableType]:
    """List the keys that own or owned a name."""
    if not keys:
        return [f"the name {system} has no key: the first signed result claims it"]
    return [
        rows_table(keys, {"key": lambda key: key.key, "since": lambda key: date(key.since_unix_ns), "why": key_text})
    ]


def key_text(key: NameKey) -> str:
    """Describe why a name belongs to a key."""
    if not key.reason:
        return "signed the first result"
    return f"{'its owner' if key.statement else 'the collector'} said: {key.reason}"


def stored_results_report(results: Sequence[StoredResult]) -> list[RenderableType]:
    """List single results."""
    listing = rows_table(
        results,
        {
            "sequence": lambda result: result.label.name,
            "fingerprint": lambda result: result.label.fingerprint[:12],
            "system": lambda result: result.configuration.system,
            "runtime": lambda result: result.configuration.runtime,
            "provider": lambda result: result.configuration.provider,
            ">threads": lambda result: str(result.configuration.threads),
            ">latency": lambda result: format_ns(result.measurement.latency_ns),
            ">95 % interval": lambda result: (
                f"{format_ns(result.measurement.low_ns)} to {format_ns(result.measurement.high_ns)}"
            ),
            "verdict": lambda result: result.measurement.verdict,
            "trust": lambda result: result.trust,
            "run": lambda result: date(result.started_unix_ns),
        },
        keys=2,
    )
    return [listing] if results else ["no stored result matches"]


def name_of(configuration: SystemConfiguration) -> str:
    """Format a configuration in one line."""
    threads = "1 thread" if configuration.threads == 1 else f"{configuration.threads} threads"
    return f"{configuration.system} ({configuration.runtime}, {configuration.provider}, {threads})"


def date(unix_ns: int) -> str:
    """Format a time as UTC date and minute."""
    return dt.datetime.fromtimestamp(unix_ns // 10**9, tz=dt.UTC).strftime("%Y-%m-%d %H:%M")


_SHOWN = 15
_FAILED_SHOWN = 10


def run_report(document: Mapping[str, Any]) -> list[RenderableType]:
    """Show the slowest benchmarks, the counts of verdicts, and the failures."""
    from dlbricks.harness.run.files import is_reference
    from dlbricks.harness.stats import latency_of

    names = {entry["fingerprint"]: entry["name"] for entry in document["suite"]["manifest"]["benchmarks"]}
    entries = [entry for entry in document["benchmarks"] if not is_reference(entry)]
    measured = [(entry, latency_of(entry)) for entry in entries if entry["status"] == "ok" and entry["visits"]]
    measured.sort(key=lambda pair: -pair[1].latency_ns)
    listing = table("benchmark", "fingerprint", ">latency", ">95 % interval", ">calls", "verdict", keys=2)
    for entry, summary in measured[:_SHOWN]:
        listing.add_row(
            names[entry["fingerprint"]],
            entry["fingerprint"][:12],
            format_ns(summary.latency_ns),
            f"{format_ns(summary.low_ns)} to {format_ns(summary.high_ns)}",
            str(summary.samples),
            f"{entry['verdict']['kind']}: {entry['verdict']['text']}",
        )
    items: list[RenderableType] = [listing] if measured else []
    if len(measured) > _SHOWN:
        items.append(f"and {len(measured) - _SHOWN} faster ones")
    failed = [entry for entry in entries if entry["status"] == "failed"]
    items += [
        f"failed: {names[entry['fingerprint']]} {entry['fingerprint'][:12]}: {entry['reason']}"
        for entry in failed[:_FAILED_SHOWN]
    ]
    if len(failed) > _FAILED_SHOWN:
        items.append(f"and {len(failed) - _FAILED_SHOWN} more failed")
    return [*items, _ending(document, entries)]


def _ending(document: Mapping[str, Any], entries: list[Mapping[str, Any]]) -> str:
    kinds = Counter(
        entry["verdict"]["kind"] if entry["status"] != "not run" else "not run" for entry in entries
    ).most_common()
    traced = Counter(entry["trace"]["levels"] for entry in entries if "layers" in entry.get("trace", {}))
    traces = "".join(f"; {count} traced ({levels})" for levels, count in sorted(traced.items()))
    timing = document["timing"]
    share = timing["timed_ns"] / max(1, timing["wall_ns"])
    end = "complete" if document["complete"] else "not complete: --resume continues"
    if document["complete"] and any(entry["status"] == "failed" for entry in entries):
        end = "not complete: some benchmarks failed"
    return (
        f"{', '.join(f'{count} {kind}' for kind, count in kinds)} in {format_ns(timing['wall_ns'])}, "
        f"{share:.0%} of it timed{traces}; {end}"
    )
