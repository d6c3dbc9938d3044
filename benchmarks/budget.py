"""How good estimates are by the minutes that measuring the suite took: writes ``docs/data/accuracy-budget.csv``.

``python benchmarks/budget.py SUITE RUNS SECONDS...`` runs one suite of all networks under one budget after another and
sets its estimates beside the end-to-end latencies that ``dlbricks validate --keep RUNS`` measured on the same machine.

Budgets that all benchmarks fit in begin alike, as what is left of a longer one goes into further rounds: so of those of
a minute and more only the longest is run, and what it had by then stands for the shorter ones. With ``--keep DIR`` the
results stay there, and are set beside the latencies anew without measuring.
"""

import argparse
import json
import statistics
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from archives import write_csv
from kept_runs import read_runs

from dlbricks.construct.estimate import estimate
from dlbricks.construct.interpolate import fit
from dlbricks.construct.types import Rule
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.runner import run_suite
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.validate.types import ArchivedRun

SECOND_NS = 1_000_000_000
ALIKE_S = 60.0
"""Budgets from this one on begin alike."""


def figures(runs: list[ArchivedRun], results: SystemResults) -> dict[str, float]:
    """Compare the estimates of one run of the suite with the wholes."""
    ratios, inside, missing = [], [], []
    interpolator = fit(results)
    for run in runs:
        whole = measurements(dict(run.document), roles=("whole",)).measurements[run.facts.whole]
        made = estimate(run.facts.composition, results, Rule.parse("sequential"), interpolator=interpolator)
        ratios.append(made.total_ns / whole.latency_ns)
        inside.append(made.low_ns <= whole.latency_ns <= made.high_ns)
        missing.append(1 - made.coverage)
    errors = np.abs(np.array(ratios) - 1)
    return {
        "networks": len(runs),
        "median": float(np.median(errors)),
        "p90": float(np.percentile(errors, 90)),
        "worst": float(errors.max()),
        "bias": float(np.log(ratios).mean()),
        "inside": statistics.fmean(inside),
        "missing_layers": statistics.fmean(missing),
    }


def measured(suite: Path, seconds: float, keep: Path) -> dict[str, Any]:
    """Run the suite under one budget, 0: none, unless its result is kept already."""
    path = keep / f"budget-{seconds:.0f}.json"
    if not path.exists():
        return run_suite(suite, path, RunOptions(budget_ns=round(seconds * SECOND_NS) if seconds else None))
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document


def cut(document: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Give what a run had measured after so many seconds."""
    end_ns = round(seconds * SECOND_NS)
    if document["timing"]["wall_ns"] <= end_ns:
        return document
    entries = [
        {**entry, "visits": [visit for visit in entry["visits"] if visit["start_ns"] < end_ns]}
        for entry in document["benchmarks"]
    ]
    return {**document, "benchmarks": entries, "timing": {**document["timing"], "wall_ns": end_ns}}


def figures_of_budget(document: dict[str, Any], runs: list[ArchivedRun], seconds: float) -> dict[str, float]:
    """Put the figures of one budget together."""
    entries = [entry for entry in document["benchmarks"] if entry["role"] == "sequence"]
    return {
        "budget_s": seconds,
        "wall_s": document["timing"]["wall_ns"] / SECOND_NS,
        "sequences": sum(bool(entry["visits"]) for entry in entries),
        "of": len(entries),
        **figures(runs, measurements(document)),
    }


def main() -> None:
    """Run, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("seconds", type=float, nargs="+", help="0: no budget")
    parser.add_argument("--keep", type=Path, help="for this suite's results; what is there is not measured again")
    options = parser.parse_args()
    runs = [*read_runs(options.runs).values()]
    alike = sorted({seconds for seconds in options.seconds if seconds >= ALIKE_S})
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        keep = options.keep or Path(scratch)
        keep.mkdir(parents=True, exist_ok=True)
        for seconds in sorted({*options.seconds} - {*alike}):
            rows.append(figures_of_budget(measured(options.suite, seconds, keep), runs, seconds))
            print(json.dumps(rows[-1]), flush=True)
        longest = measured(options.suite, alike[-1], keep) if alike else {}
    for seconds in alike:
        rows.append(figures_of_budget(cut(longest, seconds), runs, seconds))
        print(json.dumps(rows[-1]), flush=True)
    write_csv("accuracy-budget", [rounded_row(row) for row in sorted(rows, key=lambda row: row["wall_s"])])


def rounded_row(row: Mapping[str, float]) -> dict[str, object]:
    """Give a row of the data file."""
    shares = {key: round(row[key], 4) for key in ("median", "p90", "worst", "bias", "inside")}
    known = {key: row[key] for key in ("budget_s", "sequences", "of")}
    return {**known, "wall_s": round(row["wall_s"], 1), **shares}


if __name__ == "__main__":
    main()
