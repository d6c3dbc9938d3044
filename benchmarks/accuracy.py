"""Recompute ``docs/accuracy.md`` from kept runs; measures nothing (``make accuracy``).

``suites/results/<system>/<target>-<threads>t/`` holds what ``dlbricks validate --keep`` left there; further words after
the threads tell other settings apart. Every folder gives a section with its tables and a picture in ``docs/``; what is
to be read out of them stands in ``accuracy_notes.md`` beside this file and goes in between.
What intervals know of composing is learned by ``bands.py``.
"""

import argparse
import itertools
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from dlbricks.report.plots import save_validation_plot
from dlbricks.report.validation import context_text, left_out_line
from dlbricks.units import format_bytes, format_ns
from dlbricks.validate.archive import kept_paths, read_kept
from dlbricks.validate.recompute import LEFT_OUT, Again, LeftOut, left_out, recompute, summarise_left_out
from dlbricks.validate.types import (
    REFERENCE_RELATIVE,
    ErrorFigures,
    ModelValidation,
    SequenceError,
    TypeBias,
    Validation,
    ValidationSummary,
)

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "suites" / "results"
HEAD = """# Accuracy

Estimates set beside measurements by `dlbricks validate suites/networks --keep DIR`: every network end to end and by
parts, in one interleaved run, outputs of the whole checked to be finite; with `--baseline paper` by the published
recipe, too. `docs/metrics.md` says what each figure means. Made by `make accuracy` from the runs in `suites/results`,
which hold every sample; nothing is measured for it.
"""
BUDGET = """## Error against the time of measuring

One run of the suite of all networks (lowered, H = 1) for each budget, its estimates beside the end-to-end latencies of
another run; sequences that a budget leaves out are interpolated. Budgets of a minute and more begin alike: they are one
run, and what it had measured by then. Measured by `benchmarks/budget.py`.
"""
GRANULARITY = """## Error, time and reuse against H

Each network in one interleaved run, end to end and by parts at every H, so that all rows are beside the same latencies.
"Took" counts what networks share once, and what several rows need in each; "as predicted" is what `dlbricks
granularity` expects of these networks (terms fitted to them). `-H auto` takes the cheapest row whose mean error is
within one standard error of the least, rows in which nothing is composed aside. Measured by
`benchmarks/granularity.py`.
"""
BATCHES = """## Batch and sequence length as parameters

Each network end to end and by parts at every value; what lies between the ends is estimated by the runs at the ends
alone, those of all networks together, as a suite measured at both ends would hold them. "From its own parts" is the
error of composing what was measured at that very value; "guessed" the share of the time that was interpolated. Measured
by `benchmarks/batches.py`.
"""
WORST_MODELS = 8
WORST_SEQUENCES = 3
TYPES = 24


def machine(facts: dict[str, Any]) -> str:
    """Name the machine in one line."""
    cpu = facts["cpu"]
    caches = [f"L{one['level']} {format_bytes(one['size_bytes'])}" for one in cpu["caches"] if one["level"] > 1]
    memory, system = format_bytes(facts["memory"]["total_bytes"]), facts["os"]["distribution"]
    virtual = ", virtual" if cpu["hypervisor"] else ""
    return f"{cpu['model']}{virtual}, {cpu['cores']} cores, {', '.join(caches)}, {memory} of memory, {system}"


def section(validation: Validation, name: str, picture: str) -> list[str]:
    """Write the tables of one validation; its name is that of its folder."""
    settings, summary = validation.settings, validation.summary
    return [
        f"## `{name}`: target {settings.target}, H = {settings.granularity}, {settings.threads} thread(s)",
        "",
        f"{settings.runtime}, provider {settings.provider}, splitter {settings.splitter}, composed {settings.rule}.",
        "",
        *_errors(validation),
        "",
        _intervals(summary),
        "",
        _cost(summary),
        "",
        f"![estimated / measured]({picture})",
        "",
        *_networks(validation),
        *_types(summary.types),
        *_worst(validation.models),
        *(f"{failed.model} failed: {failed.reason}\n" for failed in validation.failed),
    ]


def _errors(validation: Validation) -> list[str]:
    summary = validation.summary
    rows = [
        "| | networks | median abs. error | mean | 90th percentile | worst | bias | benchmarks took |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        _error_row("this estimate", summary, summary.models, summary.suite_seconds),
    ]
    if 0 < summary.good_references < summary.models:
        good = summary.good_reference_errors
        rows.append(_error_row("references good enough", good, summary.good_references, None))
    if summary.baseline is not None:
        published = summary.baseline
        rows.append(_error_row("published recipe", published, published.models, published.suite_seconds))
    return rows


def _error_row(name: str, one: ErrorFigures, models: int, seconds: float | None) -> str:
    took = "" if seconds is None else f"{seconds:.0f} s"
    return (
        f"| {name} | {models} | {one.median_abs_error:.1%} | {one.mean_abs_error:.1%} | {one.p90_abs_error:.1%} "
        f"| {one.max_abs_error:.1%} | {one.bias:+.1%} | {took} |"
    )


def _intervals(summary: ValidationSummary) -> str:
    learned = ""
    if summary.left_one_out_coverage is not None and summary.left_one_out_width is not None:
        share, width = summary.left_one_out_coverage, summary.left_one_out_width
        learned = f"; {share:.0%} inside one learned from the other networks, of median width {width:.1%}"
    return (
        f"Intervals: {summary.interval_coverage:.0%} of the networks were measured inside theirs, of median width "
        f"{summary.interval_width:.1%}{learned}. The measured latencies themselves are "
        f"good to {REFERENCE_RELATIVE:.1%} for {summary.good_references} of {summary.models} networks (median "
        f"{summary.reference_relative:.2%}, worst {summary.worst_reference_relative:.2%})."
    )


def _cost(summary: ValidationSummary) -> str:
    return (
        f"{summary.layers} layers, of those {summary.unique_layers} unique. Measuring the parts took "
        f"{summary.suite_seconds:.0f} s (whole wall time; what networks share counted once), the wholes to the "
        f"interval that sampling gives the estimates {summary.end_to_end_seconds:.0f} s: {summary.speedup:.2f} times; "
        f"the wholes as far as they were measured {summary.reference_seconds:.0f} s."
    )


def _networks(validation: Validation) -> list[str]:
    published = bool(validation.settings.baseline)
    columns = ["network", "measured", "±", "estimated", "90 % interval", "ratio", "layers", "unique"]
    columns += ["published"] if published else []
    rows = [_row(columns), _row(["---"] * len(columns))]
    for one in sorted(validation.models, key=lambda one: -abs(one.ratio - 1)):
        cells = [
            one.model,
            format_ns(one.measured_ns),
            f"{one.measured_relative:.2%}",
            format_ns(one.estimated_ns),
            f"{format_ns(one.low_ns)} to {format_ns(one.high_ns)}",
            f"{one.ratio:.3f}",
            str(one.layers),
            str(one.unique_layers),
        ]
        cells += [f"{one.baseline.ratio:.3f}" if one.baseline else ""] if published else []
        rows.append(_row(cells))
    return [*rows, ""]


def left_out_section(again: Again) -> list[str]:
    """Write what is estimated of networks, and of families of networks, from the runs of the others."""
    alone, together = (left_out(again, by) for by in LEFT_OUT)
    columns = ["network", "family", "left out alone", "guessed", "with its family", "guessed"]
    rows = [_row(columns), _row(["---"] * len(columns))]
    rows += [
        _row([one.model, both.group, *_left_out_cells(one), *_left_out_cells(both)])
        for one, both in zip(alone, together, strict=True)
    ]
    return [
        f"A network left out: {left_out_line(summarise_left_out(alone))}.",
        "",
        f"A family left out: {left_out_line(summarise_left_out(together))}.",
        "",
        *rows,
        "",
    ]


def _left_out_cells(one: LeftOut) -> list[str]:
    """Give error and guessed share; an error outside of its interval is marked."""
    if one.missing:
        return ["refused", ""]
    return [f"{one.error:+.1%}{'' if one.covered else ' (outside)'}", f"{one.interpolated:.0%}"]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _types(types: Sequence[TypeBias]) -> list[str]:
    if not types:
        return []
    rows = [
        "By type, beside the runtime's own profile of the wholes (in brackets: what the runtime adds and no part has):",
        "",
        "| type | uses | estimated | in situ | bias | mean share of the error |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    rows += [
        f"| {row.type} | {row.count} | {format_ns(row.estimated_ns)} | {format_ns(row.in_situ_ns)} "
        f"| {f'{row.bias:+.1%}' if row.estimated_ns else ''} | {row.contribution:+.2%} |"
        for row in types[:TYPES]
    ]
    return [*rows, ""]


def _worst(models: Sequence[ModelValidation]) -> list[str]:
    furthest = sorted((one for one in models if one.worst), key=lambda one: -abs(one.ratio - 1))[:WORST_MODELS]
    if not furthest:
        return []
    rows = [
        "Sequences that parts and wholes disagree on most, in the networks that are furthest off:",
        "",
        "| network | sequence | uses | estimated | in situ | error of the network | context |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    rows += [_worst_row(one, found) for one in furthest for found in one.worst[:WORST_SEQUENCES]]
    return [*rows, ""]


def _worst_row(one: ModelValidation, found: SequenceError) -> str:
    return (
        f"| {one.model} | {found.name} `{found.fingerprint[:12]}` | {found.count} | {format_ns(found.estimated_ns)} "
        f"| {format_ns(found.in_situ_ns)} | {found.contribution:+.2%} | {context_text(found)} |"
    )


def run_section(folder: Path, docs: Path) -> str:
    """Write the section of one folder of kept runs, and its picture into ``docs``."""
    again = Again(kept=kept_paths(folder))
    validation = recompute(again)
    picture = f"accuracy-{folder.parent.name}-{folder.name}.png"
    save_validation_plot(validation, docs / picture)
    lines = section(validation, folder.name, picture)
    return "\n".join([*lines, *(left_out_section(again) if len(validation.models) > 1 else ())])


def measured_section(docs: Path, name: str, said: str, shown: str) -> list[str]:
    """Show what another script measured last, if it has.

    Args:
        docs: folder of its table and its picture.
        name: of the table, without suffix, and of the picture.
        said: heading and words before it.
        shown: what the picture shows.
    """
    table = docs / f"{name}.md"
    return [said, table.read_text(encoding="utf-8"), f"![{shown}]({name}.png)\n"] if table.exists() else []


def systems(results: Path) -> list[Path]:
    """Give the folders of systems: those with folders of runs; other results are files right there."""
    return sorted(path for path in results.iterdir() if path.is_dir() and any(one.is_dir() for one in path.iterdir()))


def main() -> None:
    """Write the page and its pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--docs", type=Path, default=ROOT / "docs")
    options = parser.parse_args()
    parts = [HEAD, (ROOT / "benchmarks" / "accuracy_notes.md").read_text(encoding="utf-8")]
    parts += measured_section(options.docs, "accuracy-budget", BUDGET, "error against minutes")
    parts += measured_section(options.docs, "accuracy-granularity", GRANULARITY, "error against seconds at each H")
    parts += measured_section(options.docs, "accuracy-batches", BATCHES, "estimated / measured between the ends")
    for system in systems(options.results):
        folders = sorted(path for path in system.iterdir() if path.is_dir())
        facts = read_kept(kept_paths(folders[0])[0]).document["system"]["facts_before"]
        parts.append(f"Machine `{system.name}`: {machine(facts)}.\n")
        with ProcessPoolExecutor() as pool:
            parts += pool.map(run_section, folders, itertools.repeat(options.docs))
    (options.docs / "accuracy.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
