"""Recompute the figures of ``docs/accuracy.md`` from archived runs; measures nothing (``make accuracy``).

``suites/results/<system>/<target>-<threads>t.parquet`` holds what ``dlbricks validate --keep`` left, packed by
``archives.py``; further words after the threads tell runs apart. Written are ``docs/data/accuracy-runs.csv`` with a row
for each run, ``docs/data/accuracy.csv`` with a row for each network of each run, the tables between markers in
``docs/accuracy.md``, and its plots. What follows from leaving networks out takes long and is computed with
``--left-out ARCHIVE...``.
"""

import argparse
import math
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, combinations
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from archives import DATA, PAGE, RESULTS, archives_of, markdown, put_table, read_csv, suites_of, systems, write_csv
from kept_runs import read_results, read_runs
from recompute import LEFT_OUT, leave_out_runs, recompute

from dlbricks.construct.comparison import probability
from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Rule
from dlbricks.store.summary import measurements
from dlbricks.validate.compare import error_figures
from dlbricks.validate.types import ArchivedRun, ErrorFigures, NetworkValidation, Validation

Cells = Mapping[str, Any]
MACHINES = {
    "amd-epyc-2c": "Zen 4",
    "amd-epyc-zen5-2c": "Zen 5",
    "intel-xeon-2c": "Xeon with AMX",
    "intel-emerald-2c": "Emerald Rapids",
}
COLUMNS = (
    *("target", "machine", ">threads", "held out", ">networks", ">median", ">90th percentile"),
    *(">within 5 %", ">within 10 %", ">inside", ">width"),
)
HELD_OUT = {
    "amd-epyc-2c/onnxruntime-cpu-1t-others": "errors",
    "amd-epyc-2c/onnxruntime-cpu-1t-held-out": "intervals",
    "amd-epyc-2c/onnxruntime-cpu-1t-new-held-out": "intervals",
    "amd-epyc-2c/onnxruntime-cpu-1t-packages": "nothing; networks of packages",
    "amd-epyc-2c/openvino-1t-held-out": "intervals",
    "amd-epyc-2c/openvino-1t-packages": "nothing; networks of packages",
    "amd-epyc-zen5-2c/onnxruntime-cpu-1t": "errors",
    "intel-emerald-2c/onnxruntime-cpu-2t": "errors",
    "intel-xeon-2c/onnxruntime-cpu-1t-later": "errors",
}
"""What no constant was chosen by (errors), and no band learned from (intervals); of all other runs nothing is."""
ORDER = (
    "nothing",
    "nothing; networks of packages",
    "intervals",
    "errors",
    "the hour",
    "the network",
)
"""What is held out, in the order of the table; the family of a network comes last."""
COLOURS = dict(zip(MACHINES, ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1"), strict=True))
PLOT_ERROR = 0.25
"""Errors beyond are drawn at the edge of a plot."""
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
            mine: list[dict[str, object]] = []
            for network, one in archived.items():
                whole = measurements(one.document, roles=("whole",)).measurements[one.facts.whole]
                made = estimate(one.facts.composition, results, Rule.parse("sequential"))
                if not made.missing:
                    inside = made.low_ns <= whole.latency_ns <= made.high_ns
                    width = round((made.high_ns - made.low_ns) / made.total_ns, 4)
                    ratio = round(made.total_ns / whole.latency_ns, 4)
                    where = {"run": f"{system.name}/{run}", "suite": name, "network": network}
                    mine.append({**where, "ratio": ratio, "inside": inside, "width": width})
            if 2 * len(mine) > len(archived):  # of other networks a suite has single sequences
                rows += mine
    return rows


def percent(share: float) -> str:
    """Write a share as per cent."""
    return f"{share:.1%}"


def shown_target(run: Cells) -> str:
    """Name how networks of a run were split, and by what they were run if the target does not say it."""
    if run["target"] != "portable":
        return str(run["target"])
    return f"portable, H = {run['granularity']}, {run['rule']}, {run['runtime'].split()[0]}"


def judged_networks(folder: Path) -> dict[tuple[str, str, str, str], list[tuple[str, float, bool, float]]]:
    """Collect networks by target, machine, threads and what is held out: name, ratio, inside, width of the interval."""
    runs = {str(row["run"]): row for row in read_csv("accuracy-runs", folder)}
    groups: dict[tuple[str, str, str, str], list[tuple[str, float, bool, float]]] = {}

    def add(row: Cells, held_out: str, inside: bool, width: float) -> None:
        run = runs[row["run"]]
        key = (shown_target(run), MACHINES[row["run"].partition("/")[0]], str(run["threads"]), held_out)
        groups.setdefault(key, []).append((row["network"], float(row["ratio"]), inside, width))

    for row in read_csv("accuracy", folder):
        low, high, made, measured = (float(row[f"{key}_ns"]) for key in ("low", "high", "estimated", "measured"))
        add(row, HELD_OUT.get(row["run"], "nothing"), low <= measured <= high, (high - low) / made)
    for row in read_csv("accuracy-suites", folder):
        add(row, "the hour", row["inside"] == "True", float(row["width"]))
    for row in read_csv("accuracy-left-out", folder):
        if row["ratio"]:
            whose = "the network" if row["left_out"] == "network" else "its family"
            add(row, whose, row["inside"] == "True", float(row["width"]))
    return groups


def accuracy_table(folder: Path) -> str:
    """Write how far estimates are off: all networks of all runs of a kind together."""
    made = []
    groups = judged_networks(folder)
    for key in sorted(groups, key=lambda key: (*key[:3], *(key[3] != held_out for held_out in ORDER))):
        rows = groups[key]
        off = np.array([abs(ratio - 1) for _, ratio, _, _ in rows])
        errors = error_figures([ratio for _, ratio, _, _ in rows])
        networks = len({name for name, *_ in rows})
        count = f"{networks}" if networks == len(rows) else f"{networks} ({len(rows)} times)"
        shares = [np.mean(off <= 0.05), np.mean(off <= 0.1), np.mean([inside for _, _, inside, _ in rows])]
        whole = [f"{share:.0%}" for share in (*shares, median(width for *_, width in rows))]
        made.append([*key, count, percent(errors.median_abs_error), percent(errors.p90_abs_error), *whole])
    return markdown(COLUMNS, made)


def plot(target: str, folder: Path) -> str:
    """Draw the error of each network by its latency, coloured by machine, as SVG."""
    runs = {str(row["run"]): row for row in read_csv("accuracy-runs", folder)}
    rows = [row for row in read_csv("accuracy", folder) if runs[row["run"]]["target"] == target]
    left, top, right, bottom = 60, 30, 700, 290

    def across(latency_ns: float) -> float:
        return round(left + (right - left) * (math.log10(latency_ns) - 4) / 5, 1)

    def down(error: float) -> float:
        share = (PLOT_ERROR - max(-PLOT_ERROR, min(PLOT_ERROR, error))) / (2 * PLOT_ERROR)
        return round(top + (bottom - top) * share, 1)

    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 330" font-family="sans-serif" font-size="12">',
        '<rect width="720" height="330" fill="#ffffff"/>',
        f'<text x="{left}" y="18">Target {target}: error of estimates by measured latency of the network</text>',
    ]
    for error in (-0.25, -0.1, -0.05, 0, 0.05, 0.1, 0.25):
        colour = "#52606d" if error == 0 else "#d5dbe1"
        lines.append(f'<path d="M{left} {down(error)}H{right}" stroke="{colour}"/>')
        lines.append(
            f'<text x="{left - 6}" y="{down(error) + 4}" text-anchor="end">{f"{error:+.0%}" if error else 0}</text>'
        )
    for power, text in enumerate(("10 us", "0.1 ms", "1 ms", "10 ms", "0.1 s", "1 s")):
        lines.append(f'<text x="{across(10 ** (power + 4))}" y="{bottom + 18}" text-anchor="middle">{text}</text>')
    for number, (system, colour) in enumerate(COLOURS.items()):
        mine = [row for row in rows if row["run"].partition("/")[0] == system]
        lines += [
            f'<circle cx="{across(float(row["measured_ns"]))}" cy="{down(float(row["ratio"]) - 1)}" r="3" '
            f'fill="{colour}" fill-opacity="0.6"/>'
            for row in mine
        ]
        if mine:
            place = left + 150 * number
            lines.append(f'<circle cx="{place + 4}" cy="322" r="4" fill="{colour}"/>')
            lines.append(f'<text x="{place + 14}" y="326">{MACHINES[system]}</text>')
    return "\n".join([*lines, "</svg>", ""])


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
    sources |= {f"other parts, {by} left out": [row for row in left if row["left_out"] == by] for by in LEFT_OUT}
    threads = {row["run"]: row["threads"] for row in runs}
    found: dict[tuple[str, str, str], list[tuple[float, bool, float]]] = {}
    for pair in rivals(runs):
        split = "portable" if "portable" in pair[0] else "of the runtime"
        for source, rows in sources.items():
            of = [{row["network"]: row for row in rows if row["run"] == run and row["estimated_ns"]} for run in pair]
            judgements = [judged(of[0][name], of[1][name]) for name in of[0] if name in of[1]]
            found.setdefault((split, str(threads[pair[0]]), source), []).extend(
                row for row in judgements if row[0] >= APART
            )
    made = []
    for key, judgements in found.items():
        right = [named for _, named, _ in judgements]
        sure = [named for _, named, likely in judgements if likely >= SURE]
        if right:
            made.append([*key, f"{sum(right)} of {len(right)}", f"{sum(sure)} of {len(sure)}"])
    columns = ("target", ">threads", "estimated from", f">right, where {APART:.0%} or more apart")
    return markdown((*columns, f">of these surer than {SURE:.0%}"), made)


def judged(one: Cells, other: Cells) -> tuple[float, bool, float]:
    """Say how far two latencies of a network lie apart, if the faster is named, and how surely that is said."""
    measured = [float(row["measured_ns"]) for row in (one, other)]
    spans = [[float(row[key]) for key in ("estimated_ns", "low_ns", "high_ns")] for row in (one, other)]
    likely = probability(*spans) or 0.0
    return max(measured) / min(measured) - 1, (likely > 0.5) == (measured[0] < measured[1]), max(likely, 1 - likely)


def tables(folder: Path) -> dict[str, str]:
    """Write the tables of the page from the data files."""
    runs, left = read_csv("accuracy-runs", folder), read_csv("accuracy-left-out", folder)
    return {
        "accuracy": accuracy_table(folder),
        "faster": faster_table(runs, read_csv("accuracy", folder), left),
    }


def plots(folder: Path) -> dict[str, str]:
    """Draw a plot for each target, by the name of its file."""
    targets = dict.fromkeys(row["target"] for row in read_csv("accuracy-runs", folder))
    return {f"accuracy-{target}.svg": plot(target, folder) for target in targets}


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
    for name, drawing in plots(DATA).items():
        (PAGE.parent / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
