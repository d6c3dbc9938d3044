"""The command line of a suite: ``python run.py -o result.json``; it imports only the standard library until a run."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from ..errors import BENCHMARK_FAILED, required
from ..options import RUN_OPTIONS, Parser, add_options, each_number, exit_code_of, in_words, run_options

SUMMARY_FORMAT = "dlbricks-run"
SUMMARY_SCHEMA_VERSION = 1

# Number of benchmarks in the table of the slowest ones.
_SHOWN = 8


def main(argv: Sequence[str], suite_folder: Path) -> int:
    """Run the suite in a folder; return the exit code.

    Exit codes: 0 success, 2 bad input, 3 a package or driver is missing, 4 a benchmark failed (the result is written),
    130 interrupted.
    """
    return exit_code_of(lambda: _run(_parser().parse_args(argv), suite_folder))


def _parser() -> Parser:
    parser = Parser(
        prog="run.py",
        description="Measure every benchmark of this suite and write one result file.",
        epilog="Exit codes: 0 success, 2 bad input, 3 a package or driver is missing, 4 a benchmark failed (the result "
        "is written), 130 interrupted (add --resume to continue).",
        allow_abbrev=False,
    )
    parser.add_argument("-o", "--out", type=Path, default=Path("result.json"), help="Result file. [result.json]")
    add_options(parser, RUN_OPTIONS)
    parser.add_argument("--json", action="store_true", help="Print the summary as JSON.")
    parser.add_argument("--quiet", action="store_true", help="Print no progress.")
    return parser


def _run(arguments: argparse.Namespace, suite_folder: Path) -> int:
    required("numpy")
    from .progress import PlainText, silent
    from .runner import refuse_results, run_suite

    show = silent if arguments.quiet else PlainText()
    runs = each_number(run_options(vars(arguments)), arguments.thread_counts, arguments.out)
    refuse_results(runs)
    weights, tell = arguments.weights, lambda line: sys.stderr.write(f"{line}\n")
    documents = [run_suite(suite_folder, out, options, show, weights=weights, tell=tell) for options, out in runs]
    summaries = [summary_of(document, out) for document, (_, out) in zip(documents, runs, strict=True)]
    text = json.dumps(printed(summaries), indent=2) if arguments.json else "\n".join(map(_text, summaries))
    sys.stdout.write(text + "\n")
    return max([_exit_code(document, summary) for document, summary in zip(documents, summaries, strict=True)])


def _exit_code(document: Mapping[str, Any], summary: "RunSummary") -> int:
    # Print the failures of a run, and return its exit code.
    untraced = summary["traces"]["failed"] if summary["traces"] else []
    for what, failures in (("failed", summary["failed"]), ("not traced", untraced)):
        for entry in failures:
            sys.stderr.write(f"{what}: {entry['name']} {entry['fingerprint'][:12]}: {entry['reason']}\n")
    if not (summary["measured"] or summary["failed"]):
        sys.stderr.write(f"{nothing_measured(document)}\n")
    return BENCHMARK_FAILED if summary["failed"] or untraced or not summary["measured"] else 0


def printed(summaries: "Sequence[RunSummary]") -> "RunSummary | RunSummaries":
    """Return the JSON document of one run, or of the runs with several numbers of threads."""
    if len(summaries) == 1:
        return summaries[0]
    return {"format": f"{SUMMARY_FORMAT}s", "schema_version": SUMMARY_SCHEMA_VERSION, "runs": list(summaries)}


def nothing_measured(document: Mapping[str, Any]) -> str:
    """Return why a result without failed benchmarks holds no latency."""
    if budget_ns := document["options"]["budget_ns"]:
        return (
            f"nothing was measured: loading took the whole --budget {in_words(budget_ns)}; raise it, or choose "
            "fewer benchmarks with --only"
        )
    return "nothing was measured: the suite contains no sequences"


class BenchmarkFailure(TypedDict):
    """A benchmark that failed, or could not be traced."""

    name: str
    fingerprint: str
    reason: str


class BenchmarkTimes(TypedDict):
    """Latencies of a benchmark by cache state."""

    name: str
    fingerprint: str
    states_ns: dict[str, int]


class TraceCounts(TypedDict):
    """Number of traces, and the benchmarks that could not be traced."""

    levels: str
    taken: int
    failed: list[BenchmarkFailure]


class RunSummary(TypedDict):
    """The summary of a run. Numbers leave out benchmarks that only calibrate it; the result file has all details."""

    format: str
    schema_version: int
    result: str
    """Path of the result file."""
    suite: str
    system: str
    provider: str
    threads: int
    complete: bool
    """Whether every benchmark was measured or failed."""
    benchmarks: int
    verdicts: dict[str, int]
    """Number of measured benchmarks by verdict: ``stable``, ``noisy``, ``drifting`` or ``too short``."""
    measured: int
    """Number of sequences with a latency."""
    not_run: int
    left_out: int
    """Benchmarks that only processors with blocks of another size need."""
    failed: list[BenchmarkFailure]
    disturbed: int
    """Number of disturbed calls that were discarded and made again."""
    traces: TraceCounts | None
    """None if no traces were requested."""
    overheads_ns: dict[str, int]
    """Duration of the call of an empty graph, ns, by cache state."""
    slowest: list[BenchmarkTimes]
    wall_ns: int
    timed_share: float
    """Share of ``wall_ns`` that was spent in timed calls."""


class RunSummaries(TypedDict):
    """The summaries of the runs with several numbers of threads (``--threads 1,all``)."""

    format: str
    schema_version: int
    runs: list[RunSummary]


def summary_of(document: Mapping[str, Any], out: Path) -> RunSummary:
    """Summarise a result document; ``out`` is its file."""
    from .files import is_reference

    names = {entry["fingerprint"]: entry["name"] for entry in document["suite"]["manifest"]["benchmarks"]}
    every = document["benchmarks"]
    entries = [entry for entry in every if not is_reference(entry)]

    def named(entry: Mapping[str, Any], **others: Any) -> Any:
        return {"name": names[entry["fingerprint"]], "fingerprint": entry["fingerprint"], **others}

    traced = [entry for entry in every if "trace" in entry]
    traces: TraceCounts = {
        "levels": traced[-1]["trace"]["levels"] if traced else "",
        "taken": sum("failed" not in entry["trace"] for entry in traced),
        "failed": [named(entry, reason=entry["trace"]["failed"]) for entry in traced if "failed" in entry["trace"]],
    }
    return {
        "format": SUMMARY_FORMAT,
        "schema_version": SUMMARY_SCHEMA_VERSION,
        "result": str(out),
        "suite": document["suite"]["name"],
        "system": document["system"]["name"],
        "provider": document["runtime"]["provider"],
        "threads": document["runtime"]["threads"],
        "complete": document["complete"],
        "benchmarks": len(entries),
        "verdicts": dict(Counter(entry["verdict"]["kind"] for entry in entries if entry["status"] == "ok")),
        "measured": sum(entry["role"] == "sequence" and bool(entry["visits"]) for entry in entries),
        "not_run": sum(entry["status"] == "not run" for entry in entries),
        "left_out": len(names) - len(every),
        "failed": [named(entry, reason=entry["reason"]) for entry in every if entry["status"] == "failed"],
        "disturbed": sum(entry["disturbed"] for entry in every),
        "traces": traces if traced else None,
        "overheads_ns": next(
            (_states_ns(entry) for entry in every if entry["role"] == "overhead" and entry["visits"]), {}
        ),
        "slowest": [named(entry, states_ns=_states_ns(entry)) for entry in _slowest(entries)],
        "wall_ns": document["timing"]["wall_ns"],
        "timed_share": round(document["timing"]["timed_ns"] / max(1, document["timing"]["wall_ns"]), 3),
    }


def _states_ns(entry: Mapping[str, Any]) -> dict[str, int]:
    from ..stats import summaries

    return {state: summary.latency_ns for state, summary in summaries(entry).items()}


def _slowest(entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    from ..stats import latency_of

    measured = [entry for entry in entries if entry["role"] == "sequence" and entry["visits"]]
    return sorted(measured, key=lambda entry: -latency_of(entry).latency_ns)[:_SHOWN]


def _text(summary: RunSummary) -> str:
    counts = [f"{count} {kind}" for kind, count in summary["verdicts"].items()]
    others = {
        "failed": len(summary["failed"]),
        "not run": summary["not_run"],
        "left out, for processors with blocks of another size": summary["left_out"],
        f"disturbed sample{'s' * (summary['disturbed'] != 1)} discarded": summary["disturbed"],
    }
    counts += [f"{count} {what}" for what, count in others.items() if count]
    if summary["traces"]:
        counts.append(f"{summary['traces']['taken']} traced ({summary['traces']['levels']})")
    threads = f"{summary['threads']} thread{'s' * (summary['threads'] != 1)}"
    return (
        f"{summary['suite']} on {summary['system']}, {summary['provider']}, {threads}: "
        f"{', '.join(counts) or 'nothing measured'} in {summary['wall_ns'] / 1e9:.1f} s; written to {summary['result']}"
    )
