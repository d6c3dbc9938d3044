"""What a run of a suite gave, as a table."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rich.console import RenderableType

from dlbricks.harness.stats import latency_of
from dlbricks.harness.suitefile import is_reference
from dlbricks.report.console import table
from dlbricks.units import format_ns

_SHOWN = 15
_FAILED_SHOWN = 10


def run_report(document: Mapping[str, Any]) -> list[RenderableType]:
    """Show the slowest benchmarks, count the verdicts, and name what failed."""
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
        items.append(f"and {len(measured) - _SHOWN} quicker ones")
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
    end = "complete" if document["complete"] else "not complete: --resume goes on"
    return (
        f"{', '.join(f'{count} {kind}' for kind, count in kinds)} in {format_ns(timing['wall_ns'])}, "
        f"{share:.0%} of it timed{traces}; {end}"
    )
