"""The command line of a suite: ``python run.py -o result.json``. Standard library only until a run begins."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import BENCHMARK_FAILED, INTERRUPTED, HarnessError, require_packages
from ..options import RUN_OPTIONS, add_options, in_words, run_options

_SHOWN = 8
"""Benchmarks in the table of the slowest."""


def main(argv: Sequence[str], suite_folder: Path) -> int:
    """Run the suite in a folder; give the exit code.

    0 fine, 2 bad input, 3 something is not installed, 4 a benchmark failed (the result is written all the same),
    130 interrupted.
    """
    try:
        return _run(_parser().parse_args(argv), suite_folder)
    except HarnessError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing was measured yet\n")
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run.py",
        description="Measure every benchmark of this suite and write one result file.",
        epilog="Exit codes: 0 fine, 2 bad input, 3 something is not installed, 4 a benchmark failed (the result is "
        "written), 130 interrupted (add --resume to go on).",
        allow_abbrev=False,
    )
    parser.add_argument("-o", "--out", type=Path, default=Path("result.json"), help="result file [result.json]")
    add_options(parser, RUN_OPTIONS)
    parser.add_argument("--json", action="store_true", help="Print the summary as JSON.")
    parser.add_argument("--quiet", action="store_true", help="No progress.")
    return parser


def _run(arguments: argparse.Namespace, suite_folder: Path) -> int:
    require_packages()
    from .progress import PlainText, silent
    from .runner import run_suite

    show = silent if arguments.quiet else PlainText()
    try:
        options = run_options(vars(arguments))
        document = run_suite(suite_folder, arguments.out, options, show, weights=arguments.weights)
    finally:
        if isinstance(show, PlainText):
            show.close()
    summary = summary_of(document)
    text = json.dumps(summary, indent=2) if arguments.json else _text(summary, arguments.out)
    sys.stdout.write(text + "\n")
    untraced = summary.get("traces", {}).get("failed", [])
    for what, failures in (("failed", summary["failed"]), ("not traced", untraced)):
        for entry in failures:
            sys.stderr.write(f"{what}: {entry['name']} {entry['fingerprint'][:12]}: {entry['reason']}\n")
    if not (summary["measured"] or summary["failed"]):
        sys.stderr.write(f"{nothing_measured(document)}\n")
    return BENCHMARK_FAILED if summary["failed"] or untraced or not summary["measured"] else 0


def nothing_measured(document: Mapping[str, Any]) -> str:
    """Say why a result document holds no latency although nothing failed."""
    if budget_ns := document["options"]["budget_ns"]:
        return (
            f"nothing was measured: loading took all of --budget {in_words(budget_ns)}; give more, or --only with "
            "fewer benchmarks"
        )
    return "nothing was measured: the suite holds no sequence"


def summary_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """Sum up a result document for people and scripts."""
    names = {entry["fingerprint"]: entry["name"] for entry in document["suite"]["manifest"]["benchmarks"]}
    entries = document["benchmarks"]

    def named(entry: Mapping[str, Any], **others: Any) -> dict[str, Any]:
        return {"name": names[entry["fingerprint"]], "fingerprint": entry["fingerprint"], **others}

    traced = [entry for entry in entries if "trace" in entry]
    traces = {
        "levels": traced[-1]["trace"]["levels"] if traced else "",
        "taken": sum("failed" not in entry["trace"] for entry in traced),
        "failed": [named(one, reason=one["trace"]["failed"]) for one in traced if "failed" in one["trace"]],
    }
    return {
        "suite": document["suite"]["name"],
        "system": document["system"]["name"],
        "provider": document["runtime"]["provider"],
        "threads": document["runtime"]["threads"],
        "complete": document["complete"],
        "benchmarks": len(entries),
        "verdicts": dict(Counter(entry["verdict"]["kind"] for entry in entries if entry["status"] == "ok")),
        "measured": sum(entry["role"] == "sequence" and bool(entry["visits"]) for entry in entries),
        "not_run": sum(entry["status"] == "not run" for entry in entries),
        "failed": [named(entry, reason=entry["reason"]) for entry in entries if entry["status"] == "failed"],
        "disturbed": sum(entry["disturbed"] for entry in entries),
        **({"traces": traces} if traced else {}),
        "overheads_ns": next((_states_ns(one) for one in entries if one["role"] == "overhead" and one["visits"]), {}),
        "slowest": [named(entry, states_ns=_states_ns(entry)) for entry in _slowest(entries)],
        "wall_s": round(document["timing"]["wall_ns"] / 1e9, 3),
        "timed_share": round(document["timing"]["timed_ns"] / max(1, document["timing"]["wall_ns"]), 3),
    }


def _states_ns(entry: Mapping[str, Any]) -> dict[str, int]:
    from ..stats import summaries

    return {state: one.latency_ns for state, one in summaries(entry).items()}


def _slowest(entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    from ..stats import latency_of

    measured = [entry for entry in entries if entry["role"] == "sequence" and entry["visits"]]
    return sorted(measured, key=lambda entry: -latency_of(entry).latency_ns)[:_SHOWN]


def _table(summary: Mapping[str, Any]) -> list[str]:
    """Show latencies by state of the caches, a line for the empty graph and each of the slowest."""
    from ..cache_state import STATE_WORDS

    rows = [{"name": "call of an empty graph", "fingerprint": "", "states_ns": summary["overheads_ns"]}]
    rows = [row for row in [*rows, *summary["slowest"]] if row["states_ns"]]
    states = [state for state in STATE_WORDS if any(state in row["states_ns"] for row in rows)]
    lines = [f"{'':<36}" + "".join(f"{state:>12}" for state in states)] if rows else []
    for row in rows:
        levels = [in_words(row["states_ns"][state]) if state in row["states_ns"] else "" for state in states]
        name = f"{row['name'][:22]} {row['fingerprint'][:12]}".strip()
        lines.append(f"{name:<36}" + "".join(f"{level:>12}" for level in levels))
    return lines


def _text(summary: Mapping[str, Any], out: Path) -> str:
    counts = [f"{count} {kind}" for kind, count in summary["verdicts"].items()]
    if summary["failed"]:
        counts.append(f"{len(summary['failed'])} failed")
    if summary["not_run"]:
        counts.append(f"{summary['not_run']} not run")
    if summary["disturbed"]:
        counts.append(f"{summary['disturbed']} disturbed samples thrown away")
    if "traces" in summary:
        counts.append(f"{summary['traces']['taken']} traced ({summary['traces']['levels']})")
    return "\n".join(_table(summary)) + (
        f"\n{summary['suite']} on {summary['system']}, {summary['provider']}, {summary['threads']} thread(s): "
        f"{', '.join(counts) or 'nothing measured'} in {summary['wall_s']:.1f} s; written to {out}"
    )
