"""``run``."""

import json
import time
from pathlib import Path

import click

from dlbricks.cli.options import json_flag, table_options
from dlbricks.errors import BenchmarkError
from dlbricks.harness.options import RUN_OPTIONS, RunOptions
from dlbricks.units import counted


@click.command(short_help="Measure a suite on this machine.")
@click.argument("suite", metavar="SUITE")
@click.option("-o", "--out", required=True, metavar="RESULT.json", help="The result; with --resume, one to go on with.")
@table_options(RUN_OPTIONS)
@json_flag
def run(*, suite: str, out: str, asked: RunOptions, weights: Path | None, as_json: bool) -> None:
    """Measure a suite on this machine; Ctrl-C leaves a result that --resume goes on with.

    With --trace, a few more calls of each are made after that, under the runtime's profiler; no latency is of these.
    Exit code 4 when a benchmark fails or cannot be traced: the others are measured all the same.
    """
    from dlbricks.harness.run.cli import nothing_measured, summary_of
    from dlbricks.harness.run.runner import run_suite
    from dlbricks.report.console import measuring, show
    from dlbricks.report.results import run_report
    from dlbricks.suite.reading import opened, read_suite

    begin_ns = time.perf_counter_ns()
    with opened(Path(suite)) as folder, measuring() as told:
        read_suite(folder)
        document = run_suite(folder, Path(out), asked, told, weights=weights, begin_ns=begin_ns)
    summary = summary_of(document, Path(out))
    if as_json:
        click.echo(json.dumps(summary, indent=2))
    else:
        show(*run_report(document), f"{out} holds the result")
    of_all = f"of {counted(len(document['benchmarks']), 'benchmark')}"
    failed = sum(entry["status"] == "failed" for entry in document["benchmarks"])
    if failed:
        raise BenchmarkError(f"{failed} {of_all} failed; {out} says why")
    untraced = sum("failed" in entry.get("trace", {}) for entry in document["benchmarks"])
    if untraced:
        raise BenchmarkError(f"{untraced} {of_all} not traced; {out} says why")
    if not summary["measured"]:
        raise BenchmarkError(nothing_measured(document))
