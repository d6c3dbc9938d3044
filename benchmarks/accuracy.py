"""Turn what ``dlbricks validate --json`` wrote into ``docs/accuracy.md``, with every network and the machine named.

``python benchmarks/accuracy.py portable.json lowered.json`` takes one file per table, in the order given; what is to be
read out of them stands in ``accuracy_notes.md`` beside this file and goes in between. The pictures
are those of ``validate --save-plot docs/accuracy-TARGET.png``.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from dlbricks.harness.facts import system_facts
from dlbricks.units import format_bytes, format_ns

ROOT = Path(__file__).parents[1]
HEAD = """# Accuracy

Estimates set beside measurements by `dlbricks validate suites/networks`: every network end to end and by parts, in one
interleaved run, warm-up discarded, outputs of the whole checked to be finite. `docs/metrics.md` says what each figure
means. Rebuilt by `python benchmarks/accuracy.py` from the files that `validate --json` writes.

Machine: {machine}.
"""


def machine(facts: dict[str, Any]) -> str:
    """Name the machine in one line."""
    cpu = facts["cpu"]
    caches = [f"L{one['level']} {format_bytes(one['size_bytes'])}" for one in cpu["caches"] if one["level"] > 1]
    memory, system = format_bytes(facts["memory"]["total_bytes"]), facts["os"]["distribution"]
    virtual = ", virtual" if cpu["hypervisor"] else ""
    return f"{cpu['model']}{virtual}, {cpu['cores']} cores, {', '.join(caches)}, {memory} of memory, {system}"


def section(document: dict[str, Any]) -> str:
    """Write the tables of one validation."""
    settings, summary = document["settings"], document["summary"]
    rows = sorted(document["models"], key=lambda row: -abs(row["ratio"] - 1))
    lines = [
        f"## Target {settings['target']}, H = {settings['granularity']}",
        "",
        (
            f"{settings['runtime']}, provider {settings['provider']}, {settings['threads']} thread(s), splitter "
            f"{settings['splitter']}, composed {settings['rule']}."
        ),
        "",
        "| networks | median abs. error | 90th percentile | worst | geomean ratio | in interval | layers | unique |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        (
            f"| {summary['models']} | {summary['median_abs_error']:.1%} | {summary['p90_abs_error']:.1%} "
            f"| {summary['max_abs_error']:.1%} | {summary['geomean_ratio']:.3f} | {summary['interval_coverage']:.0%} "
            f"| {summary['layers']} | {summary['unique_layers']} |"
        ),
        "",
        (
            f"Parts took {summary['suite_seconds']:.0f} s to measure (whole wall time; what networks share "
            f"counted once), wholes {summary['end_to_end_seconds']:.0f} s: {summary['speedup']:.2f} times."
        ),
        "",
        f"![estimated against measured](accuracy-{settings['target']}.png)",
        "",
        "| network | measured | estimated | 95 % interval | ratio | layers | unique |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(
            f"| {row['model']} | {format_ns(row['measured_ns'])} | {format_ns(row['estimated_ns'])} "
            f"| {format_ns(row['low_ns'])} to {format_ns(row['high_ns'])} | {row['ratio']:.3f} | {row['layers']} "
            f"| {row['unique_layers']} |"
            for row in rows
        ),
        "",
        *(f"{failed['model']} failed: {failed['reason']}\n" for failed in document["failed"]),
    ]
    return "\n".join(lines)


def main() -> None:
    """Write the page from the files named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("validations", nargs="+", type=Path)
    options = parser.parse_args()
    parts = [HEAD.format(machine=machine(system_facts()))]
    parts.append((ROOT / "benchmarks" / "accuracy_notes.md").read_text(encoding="utf-8"))
    parts += [section(json.loads(path.read_text(encoding="utf-8"))) for path in options.validations]
    (ROOT / "docs" / "accuracy.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
