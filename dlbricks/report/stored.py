"""Tables of what a store and its rules say."""

import datetime as dt
from collections.abc import Sequence

from rich.console import RenderableType

from dlbricks.report.console import table
from dlbricks.store.nouns import Finding, StoredResult, SubmissionReceipt, SystemConfiguration, SystemSummary
from dlbricks.units import counted, format_ns

_PLACES_SHOWN = 3


def findings_report(findings: Sequence[Finding]) -> list[RenderableType]:
    """Show what each broken rule found and where, why it matters and what to do; and count the findings."""
    items: list[RenderableType] = []
    for rule in dict.fromkeys(finding.rule for finding in findings):
        broken = [finding for finding in findings if finding.rule == rule]
        first = broken[0]
        items.append(f"{first.severity} {rule} {first.title}")
        items += [_place(finding) for finding in broken[:_PLACES_SHOWN]]
        if len(broken) > _PLACES_SHOWN:
            items.append(f"  and {len(broken) - _PLACES_SHOWN} more (--json lists them)")
        items += [f"  why: {first.explanation}", f"  fix: {first.fix}"]
    counts = [
        counted(sum(finding.severity == severity for finding in findings), name)
        for severity, name in (("error", "error"), ("warning", "warning"), ("info", "remark"))
    ]
    return [*items, ", ".join(counts)]


def _place(finding: Finding) -> str:
    return f"  {finding.where}: {finding.message}" if finding.where else f"  {finding.message}"


def receipt_report(receipt: SubmissionReceipt, place: str) -> list[RenderableType]:
    """Say what became of a submission."""
    told = "stored" if receipt.new else "was there already"
    remarks = f", {counted(len(receipt.findings), 'remark')} of the check" if receipt.findings else ""
    return [f"{receipt.digest[:12]} {told} in {place}: {receipt.results} sequences with a latency{remarks}"]


def systems_report(systems: Sequence[SystemSummary]) -> list[RenderableType]:
    """List the configurations of a store."""
    made = table("system", "runtime", "provider", ">threads", ">sequences", ">submissions", "newest run")
    for one in systems:
        configuration = one.configuration
        made.add_row(
            configuration.system,
            configuration.runtime,
            configuration.provider,
            str(configuration.threads),
            str(one.sequences),
            str(one.submissions),
            date(one.last_unix_ns),
        )
    return [made] if systems else ["the store is empty: dlbricks submit RESULT.json fills it"]


def stored_results_report(results: Sequence[StoredResult]) -> list[RenderableType]:
    """List single results."""
    made = table(
        "sequence",
        "fingerprint",
        "system",
        "runtime",
        "provider",
        ">threads",
        ">latency",
        ">95 % interval",
        "verdict",
        "run",
        keys=2,
    )
    for one in results:
        configuration = one.configuration
        made.add_row(
            one.label.name,
            one.label.fingerprint[:12],
            configuration.system,
            configuration.runtime,
            configuration.provider,
            str(configuration.threads),
            format_ns(one.measurement.latency_ns),
            f"{format_ns(one.measurement.low_ns)} to {format_ns(one.measurement.high_ns)}",
            one.measurement.verdict,
            date(one.started_unix_ns),
        )
    return [made] if results else ["nothing stored answers to this"]


def name_of(configuration: SystemConfiguration) -> str:
    """Write a configuration in one line."""
    threads = "1 thread" if configuration.threads == 1 else f"{configuration.threads} threads"
    return f"{configuration.system} ({configuration.runtime}, {configuration.provider}, {threads})"


def date(unix_ns: int) -> str:
    """Write a moment as UTC date and minute."""
    return dt.datetime.fromtimestamp(unix_ns // 10**9, tz=dt.UTC).strftime("%Y-%m-%d %H:%M")
