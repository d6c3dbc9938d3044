"""How good estimates are by the minutes that measuring the suite took: writes ``docs/accuracy-budget.*``.

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
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

from dlbricks.construct.estimate import estimate
from dlbricks.construct.interpolate import fit
from dlbricks.construct.rules import Rule
from dlbricks.files import write_text
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.runner import run_suite
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.validate.archive import KeptRun, kept_paths, read_kept

ROOT = Path(__file__).parents[1]
SECOND_NS = 1_000_000_000
ALIKE_S = 60.0
"""Budgets from this one on begin alike."""


def figures(runs: list[KeptRun], results: SystemResults) -> dict[str, float]:
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


def figures_of_budget(document: dict[str, Any], runs: list[KeptRun], seconds: float) -> dict[str, float]:
    """Put the figures of one budget together."""
    entries = [entry for entry in document["benchmarks"] if entry["role"] == "sequence"]
    return {
        "budget_s": seconds,
        "wall_s": document["timing"]["wall_ns"] / SECOND_NS,
        "sequences": sum(bool(entry["visits"]) for entry in entries),
        "of": len(entries),
        **figures(runs, measurements(document)),
    }


def table(rows: list[dict[str, float]]) -> str:
    """Write the rows as Markdown."""
    lines = [
        "| budget | took | sequences measured | median | 90th percentile | worst | bias | inside their interval |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in sorted(rows, key=lambda row: row["wall_s"]):
        budget = f"{row['budget_s']:.0f} s" if row["budget_s"] else "none"
        lines.append(
            f"| {budget} | {row['wall_s']:.1f} s | {row['sequences']} of {row['of']} | {row['median']:.1%} "
            f"| {row['p90']:.1%} | {row['worst']:.1%} | {row['bias']:+.1%} | {row['inside']:.0%} |"
        )
    return "\n".join(lines) + "\n"


def draw(rows: list[dict[str, float]], path: Path) -> None:
    """Draw error against time; a run without a budget ends where noise has it end, and is left out."""
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    rows = sorted((row for row in rows if row["budget_s"]), key=lambda row: row["wall_s"])
    minutes = [row["wall_s"] / 60 for row in rows]
    for key, label in (("median", "median"), ("p90", "90th percentile"), ("worst", "worst")):
        axes.plot(minutes, [100 * row[key] for row in rows], marker="o", label=label)
    axes.set(xscale="log", yscale="log", xlabel="minutes of measuring the suite", ylabel="abs. error of networks, %")
    axes.xaxis.set_major_locator(FixedLocator([row["budget_s"] / 60 for row in rows]))
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g}"))
        axis.set_minor_formatter(NullFormatter())
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120)


def main() -> None:
    """Run, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("seconds", type=float, nargs="+", help="0: no budget")
    parser.add_argument("--keep", type=Path, help="for this suite's results; what is there is not measured again")
    options = parser.parse_args()
    runs = [read_kept(path) for path in kept_paths(options.runs)]
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
    write_text(ROOT / "docs" / "accuracy-budget.md", table(rows))
    draw(rows, ROOT / "docs" / "accuracy-budget.png")


if __name__ == "__main__":
    main()
