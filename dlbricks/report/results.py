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
    SplitSettings,
    StoredResult,
    SubmissionEvent,
    SubmissionReceipt,
    SubmissionSummary,
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
    found = Counter(finding.severity for finding in findings)
    return f"{counted(found['error'], 'error')}, {counted(found['warning'], 'warning')}, {found['info']} info"


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
    made = rows_table(
        systems,
        {
            "system": lambda one: one.configuration.system,
            "runtime": lambda one: one.configuration.runtime,
            "provider": lambda one: one.configuration.provider,
            ">threads": lambda one: str(one.configuration.threads),
            "trust": lambda one: (
                " to ".join(dict.fromkeys((one.least_trust, one.most_trust)))
                + (f", {one.provisional} provisional" if one.provisional else "")
            ),
            "measured": lambda one: ", ".join(
                f"-H {how.granularity} {how.target}{extents(how)}" for how in one.settings
            ),
            ">sequences": lambda one: str(one.sequences),
            ">runs": lambda one: str(one.submissions),
            ">complete": lambda one: str(one.complete),
            ">smoke": lambda one: str(one.smoke),
            "newest": lambda one: date(one.last_unix_ns),
        },
    )
    return [made] if systems else [_EMPTY]


def suites_report(suites: Sequence[RegisteredSuite], waiting: Sequence[WaitingResult]) -> list[RenderableType]:
    """List the suites of a store, and the results that wait for an unknown suite."""
    made = table("suite", "digest", ">runs")
    for one in suites:
        made.add_row(one.name, one.digest[:12], str(one.submissions))
    apart = table("waits for suite", "digest", "system", "result", "received")
    for each in waiting:
        cells = (each.suite, each.suite_digest[:12], each.system, each.digest[:12], date(each.received_unix_ns))
        apart.add_row(*cells)
    return [made if suites else "no suite is known: dlbricks suites --add SUITE", *([apart] if waiting else [])]


def extents(how: SplitSettings) -> str:
    """Format the extents of a suite as options; empty if unknown."""
    batch = f" --batch {how.batch}" if how.batch else ""
    return "".join(f" --dim {name}={value}" for name, value in how.dims) + batch


def runs_report(runs: Sequence[SubmissionSummary]) -> list[RenderableType]:
    """List the runs of a store, and the reason if one is not used."""
    made = rows_table(
        runs,
        {
            "digest": lambda one: one.digest[:12],
            "system": lambda one: one.configuration.system,
            "provider": lambda one: one.configuration.provider,
            ">threads": lambda one: str(one.configuration.threads),
            "suite": lambda one: one.suite,
            ">sequences": lambda one: str(one.results),
            "run": lambda one: "complete" if one.complete else "smoke" if one.smoke else "stopped",
            "started": lambda one: date(one.started_unix_ns),
            "trust": lambda one: one.trust,
            "key": lambda one: one.key,
            "remark": _remark,
        },
        keys=2,
    )
    return [made] if runs else [_EMPTY]


def _remark(one: SubmissionSummary) -> str:
    """Return the reason if a run is not used, else an empty string."""
    if one.withdrawn:
        return event_text(one.withdrawn)
    return f"embargo until {date(one.embargo_unix_ns)}" if one.embargo_unix_ns else ""


def event_text(one: SubmissionEvent) -> str:
    """Describe an event of a submission: kind, date and author."""
    line = f"{one.kind} on {date(one.recorded_unix_ns)} by {'its owner' if one.statement else 'the collector'}"
    return f"{line}: {one.reason}" + (f" (until {date(one.until_unix_ns)})" if one.until_unix_ns else "")


def keys_report(system: str, keys: Sequence[NameKey]) -> list[RenderableType]:
    """List the keys that own or owned a name."""
    if not keys:
        return [f"the name {system} has no key: the first signed result claims it"]
    return [
        rows_table(keys, {"key": lambda one: one.key, "since": lambda one: date(one.since_unix_ns), "why": key_text})
    ]


def key_text(one: NameKey) -> str:
    """Describe why a name belongs to a key."""
    if not one.reason:
        return "signed the first result"
    return f"{'its owner' if one.statement else 'the collector'} said: {one.reason}"


def stored_results_report(results: Sequence[StoredResult]) -> list[RenderableType]:
    """List single results."""
    made = rows_table(
        results,
        {
            "sequence": lambda one: one.label.name,
            "fingerprint": lambda one: one.label.fingerprint[:12],
            "system": lambda one: one.configuration.system,
            "runtime": lambda one: one.configuration.runtime,
            "provider": lambda one: one.configuration.provider,
            ">threads": lambda one: str(one.configuration.threads),
            ">latency": lambda one: format_ns(one.measurement.latency_ns),
            ">95 % interval": lambda one: (
                f"{format_ns(one.measurement.low_ns)} to {format_ns(one.measurement.high_ns)}"
            ),
            "verdict": lambda one: one.measurement.verdict,
            "trust": lambda one: one.trust,
            "run": lambda one: date(one.started_unix_ns),
        },
        keys=2,
    )
    return [made] if results else ["no stored result matches"]


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
    from dlbricks.harness.run.suite_file import is_reference
    from dlbricks.harness.stats import latency_of

    names = {entry["fingerprint"]: entry["name"] for entry in document["suite"]["manifest"]["benchmarks"]}
    entries = [entry for entry in document["benchmarks"] if not is_reference(entry)]
    measured = [(entry, latency_of(entry)) for entry in entries if entry["status"] == "ok" and entry["visits"]]
    measured.sort(key=lambda pair: -pair[1].latency_ns)
    made = table("benchmark", "fingerprint", ">latency", ">95 % interval", ">calls", "verdict", keys=2)
    for entry, summary in measured[:_SHOWN]:
        made.add_row(
            names[entry["fingerprint"]],
            entry["fingerprint"][:12],
            format_ns(summary.latency_ns),
            f"{format_ns(summary.low_ns)} to {format_ns(summary.high_ns)}",
            str(summary.samples),
            f"{entry['verdict']['kind']}: {entry['verdict']['text']}",
        )
    items: list[RenderableType] = [made] if measured else []
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
