"""Recompute the figures of ``docs/accuracy.md`` from archived runs; measures nothing (``make accuracy``).

``suites/results/<system>/<target>-<threads>t.parquet`` holds what ``dlbricks validate --keep`` left, packed by
``archives.py``; further words after the threads tell runs apart. Written are ``docs/data/accuracy-runs.csv`` with a row
for each run, ``docs/data/accuracy.csv`` with a row for each network of each run, and the tables between
markers in ``docs/accuracy.md``. What follows from leaving networks out takes long and is computed with
``--left-out ARCHIVE...``.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, combinations
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from archives import DATA, RESULTS, archives_of, markdown, put_table, read_csv, suites_of, systems, write_csv
from kept_runs import read_results, read_runs
from recompute import LEFT_OUT, leave_out_runs, recompute

from dlbricks.construct.comparison import probability
from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Rule
from dlbricks.store.summary import measurements
from dlbricks.validate.compare import error_figures
from dlbricks.validate.types import ArchivedRun, ErrorFigures, NetworkValidation, Validation

Cells = Mapping[str, Any]
ERROR_COLUMNS = ("run", "networks", "references good to 0.7 %", "median", "90th percentile", "worst", "bias")
TABLES = {
    "onnxruntime-cpu": (("onnxruntime-cpu", "1"),),
    "other targets": (("onnxruntime-cpu", "2"), ("portable", "1"), ("openvino", "1"), ("openvino", "2")),
}
"""Targets and threads of each table of runs."""
APART = 0.05
"""How far latencies of two runtimes lie apart, from which on the faster one has to be named."""
SURE = 0.9
"""Probability from which on an answer counts as sure."""


def figures(errors: ErrorFigures) -> dict[str, float]:
    """Give the figures of errors to four digits after the point, as shares."""
    return {
        "median": round(errors.median_abs_error, 4),
        "p90": round(errors.p90_abs_error, 4),
        "worst": round(errors.max_abs_error, 4),
        "bias": round(errors.bias, 4),
    }


def published_ratio(run: ArchivedRun, measured_ns: int) -> float | None:
    """Give estimated / measured by DLBricks' published method, a plain sum; None where a run did not measure it."""
    parts = measurements(dict(run.document), roles=("baseline",)).measurements
    steps = run.facts.baseline
    known = [parts[step.fingerprint].latency_ns for step in steps if step.fingerprint in parts]
    return sum(known) / max(1, measured_ns) if steps else None


def run_row(name: str, made: Validation, published: Sequence[float] = ()) -> dict[str, object]:
    """Give the figures of one run, and those of the published method in it."""
    settings, summary = made.settings, made.summary
    theirs = figures(error_figures(published)) if published else {}
    return {
        "run": name,
        "target": settings.target,
        "granularity": settings.granularity,
        "rule": settings.rule,
        "threads": settings.threads,
        "runtime": settings.runtime,
        "networks": summary.network_count,
        "good_references": summary.good_references,
        **figures(summary),
        "inside": round(summary.interval_coverage, 4),
        "width": round(summary.interval_width, 4),
        "suite_s": round(summary.suite_ns / 1e9, 1),
        "end_to_end_s": round(summary.end_to_end_ns / 1e9, 1),
        **{f"published_{key}": value for key, value in theirs.items()},
    }


def network_row(name: str, one: NetworkValidation, published: float | None = None) -> dict[str, object]:
    """Give the figures of one network in one run."""
    return {
        "run": name,
        "network": one.network,
        "measured_ns": one.measured_ns,
        "measured_relative": round(one.measured_relative, 5),
        "estimated_ns": one.estimated_ns,
        "low_ns": one.low_ns,
        "high_ns": one.high_ns,
        "ratio": round(one.ratio, 4),
        "layers": one.layers,
        "unique_layers": one.unique_layers,
        "published_ratio": "" if published is None else round(published, 4),
    }


def of_archive(path: Path) -> tuple[dict[str, object], list[dict[str, object]]]:
    """Compute the rows of an archive: of the run, and of its networks."""
    name = f"{path.parent.name}/{path.stem}"
    runs = read_runs(path)
    made = recompute(runs)
    published = [published_ratio(runs[one.network], one.measured_ns) for one in made.networks]
    rows = [network_row(name, one, ratio) for one, ratio in zip(made.networks, published, strict=True)]
    return run_row(name, made, [ratio for ratio in published if ratio is not None]), rows


def left_out_rows(path: Path) -> list[dict[str, object]]:
    """Estimate every network of an archive from the runs of the others; a row for each network and what is left out."""
    name, runs = f"{path.parent.name}/{path.stem}", read_runs(path)
    return [
        {
            "run": name,
            "left_out": by,
            "network": one.network,
            "group": one.group,
            "measured_ns": one.measured_ns,
            **{key: "" if one.missing else getattr(one, key) for key in ("estimated_ns", "low_ns", "high_ns")},
            "ratio": "" if one.missing else round(one.error + 1, 4),
            "inside": "" if one.missing else one.covered,
            "width": "" if one.missing else round((one.high_ns - one.low_ns) / max(1, one.estimated_ns), 4),
            "interpolated": round(one.interpolated, 4),
            "refused": bool(one.missing),
        }
        for by in LEFT_OUT
        for one in leave_out_runs(runs, by)
    ]


def left_out_again(found: Iterable[list[dict[str, object]]]) -> list[dict[str, object]]:
    """Put rows of some archives in the place of those that the data file has of them, and keep its others."""
    new = [*chain.from_iterable(found)]
    again = {row["run"] for row in new}
    blank: dict[str, object] = dict.fromkeys(new[0], "")
    kept = [{**blank, **row} for row in read_csv("accuracy-left-out") if row["run"] not in again]
    return [*kept, *new]


def suite_rows(system: Path) -> list[dict[str, object]]:
    """Set estimates from each result of a suite beside the wholes of each run of one thread, of other hours."""
    rows = []
    runs = {path.stem: read_runs(path) for path in archives_of(system) if path.stem.startswith("onnxruntime-cpu-1t")}
    for name, document in read_results(suites_of(system)).items():
        results = measurements(document)
        for run, archived in runs.items():
            ratios, inside = [], []
            for one in archived.values():
                whole = measurements(one.document, roles=("whole",)).measurements[one.facts.whole]
                made = estimate(one.facts.composition, results, Rule.parse("sequential"))
                if not made.missing:
                    ratios.append(made.total_ns / whole.latency_ns)
                    inside.append(made.low_ns <= whole.latency_ns <= made.high_ns)
            if 2 * len(ratios) > len(archived):  # of other networks a suite has single sequences
                row = {"suite": name, "run": run, "networks": len(ratios), **figures(error_figures(ratios))}
                rows.append({**row, "inside": round(float(np.mean(inside)), 4)})
    return rows


def percent(text: str | float, sign: str = "") -> str:
    """Write a share of a CSV file as per cent."""
    return f"{float(text):{sign}.1%}" if text != "" else ""


def runs_table(rows: Sequence[Cells], kinds: Sequence[tuple[str, str]]) -> str:
    """Write the table of the runs of some targets and threads."""
    mine = [row for kind in kinds for row in rows if (row["target"], str(row["threads"])) == kind]
    columns = [*ERROR_COLUMNS, "inside", "width", "times cheaper"]
    made = []
    for row in mine:
        cheaper = float(row["end_to_end_s"]) / max(float(row["suite_s"]), 1e-9)
        errors = [percent(row["median"]), percent(row["p90"]), percent(row["worst"]), percent(row["bias"], "+")]
        known = [percent(row["inside"]), percent(row["width"]), f"{cheaper:.1f}"]
        made.append([f"`{row['run']}`", row["networks"], row["good_references"], *errors, *known])
        if row["published_median"]:
            figures_of = [percent(row[f"published_{key}"]) for key in ("median", "p90", "worst")]
            bias = percent(row["published_bias"], "+")
            made.append(["published recipe in the same run", row["networks"], "", *figures_of, bias, "", "", ""])
    return markdown(columns, made)


def suites_table(rows: Sequence[Cells]) -> str:
    """Write the table of estimates from suites that were measured at other hours, all runs of one thread together."""
    made = []
    for name in dict.fromkeys(row["suite"] for row in rows):
        mine = [row for row in rows if row["suite"] == name]
        spread = []
        for key in ("median", "p90", "worst", "bias", "inside"):
            ends = [function(float(row[key]) for row in mine) for function in (min, max)]
            spread.append(" to ".join(percent(end, "+" if key == "bias" else "") for end in ends))
        made.append([f"`{name}`", len(mine), *spread])
    return markdown(["result", "runs", "median", "90th percentile", "worst", "bias", "inside"], made)


def left_out_table(rows: Sequence[Cells]) -> str:
    """Write the table of networks, and of families of networks, that were left out."""
    made = []
    for run, by in dict.fromkeys((row["run"], row["left_out"]) for row in rows):
        mine = [row for row in rows if (row["run"], row["left_out"]) == (run, by)]
        known = [row for row in mine if row["ratio"]]
        errors = error_figures([float(row["ratio"]) for row in known])
        cells = [errors.median_abs_error, errors.p90_abs_error, errors.max_abs_error]
        inside = sum(row["inside"] == "True" for row in known) / max(1, len(known))
        middles = [median(float(row[key]) for row in known) for key in ("width", "interpolated")]
        shown = [*map(percent, cells), percent(errors.bias, "+"), percent(inside), *map(percent, middles)]
        made.append([f"`{run}`", by, len(known), len(mine) - len(known), *shown])
    columns = ["run", "left out", "estimated", "refused", *ERROR_COLUMNS[3:], "inside", "width", "guessed"]
    return markdown(columns, made)


def rivals(runs: Sequence[Cells]) -> list[tuple[str, str]]:
    """Give pairs of runs of one system with as many threads, by two runtimes: of one target, or of each one's own."""

    def split_alike(one: Cells, other: Cells) -> bool:
        own = all(row["target"].startswith(row["runtime"].split()[0]) for row in (one, other))
        return own or one["target"] == other["target"]

    return [
        (one["run"], other["run"])
        for one, other in combinations(runs, 2)
        if one["run"].partition("/")[0] == other["run"].partition("/")[0]
        and one["threads"] == other["threads"]
        and one["runtime"].split()[0] != other["runtime"].split()[0]
        and split_alike(one, other)
    ]


def faster_table(runs: Sequence[Cells], networks: Sequence[Cells], left: Sequence[Cells]) -> str:
    """Write how often the faster of two runtimes is named: by the parts of a network, and by those of others."""
    sources = {"own parts": networks}
    sources |= {f"{by} left out": [row for row in left if row["left_out"] == by] for by in LEFT_OUT}
    made = []
    for one, other in rivals(runs):
        for said, rows in sources.items():
            of = [
                {row["network"]: row for row in rows if row["run"] == run and row["estimated_ns"]}
                for run in (one, other)
            ]
            judgements = [judged(of[0][name], of[1][name]) for name in of[0] if name in of[1]]
            apart = [row for row in judgements if row[0] >= APART]
            if apart:
                named, sure = [right for _, right, _ in apart], [right for _, right, likely in apart if likely >= SURE]
                meant = f"{np.mean([likely for _, _, likely in apart]):.0%}"
                counts = [f"{sum(of_them)} of {len(of_them)}" for of_them in (named, sure)]
                made.append([f"`{one}` or `{other.partition('/')[2]}`", said, len(judgements), *counts, meant])
    columns = ["runs", "estimated from", "networks", f"named, where {APART:.0%} or more apart"]
    return markdown([*columns, f"of these surer than {SURE:.0%}", "said on average"], made)


def judged(one: Cells, other: Cells) -> tuple[float, bool, float]:
    """Say how far two latencies of a network lie apart, if the faster is named, and how surely that is said."""
    measured = [float(row["measured_ns"]) for row in (one, other)]
    spans = [[float(row[key]) for key in ("estimated_ns", "low_ns", "high_ns")] for row in (one, other)]
    likely = probability(*spans) or 0.0
    return max(measured) / min(measured) - 1, (likely > 0.5) == (measured[0] < measured[1]), max(likely, 1 - likely)


def tables(folder: Path) -> dict[str, str]:
    """Write the tables of the page from the data files."""
    runs = read_csv("accuracy-runs", folder)
    made = {name: runs_table(runs, of) for name, of in TABLES.items()}
    made["suites at other hours"] = suites_table(read_csv("accuracy-suites", folder))
    left = read_csv("accuracy-left-out", folder)
    made["left out"] = left_out_table(left)
    made["faster"] = faster_table(runs, read_csv("accuracy", folder), left)
    return made


def main() -> None:
    """Write the data files and the tables of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--left-out", nargs="*", type=Path, help="anew, of these archives, what leaving out gives")
    options = parser.parse_args()
    found = systems(options.results)
    archives = [path for system in found for path in archives_of(system)]
    with ProcessPoolExecutor() as pool:
        if options.left_out is not None:
            write_csv("accuracy-left-out", left_out_again(pool.map(left_out_rows, options.left_out)))
        else:
            made = list(pool.map(of_archive, archives))
            apart = pool.map(suite_rows, [system for system in found if suites_of(system).exists()])
            blank = {key: "" for run, _ in made for key in run}
            write_csv("accuracy-runs", [blank | run for run, _ in made])
            write_csv("accuracy", [*chain.from_iterable(networks for _, networks in made)])
            write_csv("accuracy-suites", [*chain.from_iterable(apart)])
    for name, table in tables(DATA).items():
        put_table(name, table)


if __name__ == "__main__":
    main()
