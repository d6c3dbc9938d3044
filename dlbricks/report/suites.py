"""What was generated, in words and tables."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import RenderableType

from dlbricks.report.console import table
from dlbricks.suite.nouns import ModelReport, Suite
from dlbricks.units import format_bytes


def generated_report(suite: Suite, reports: Sequence[ModelReport], place: Path) -> list[RenderableType]:
    """Say what became of each network, and what the suite holds."""
    paired = any(one.pairs for one in reports)
    columns = ("network", ">in file", ">folded", ">layers", ">sequences", ">unique", *([">pairs"] if paired else []))
    made = table(*columns, ">skipped layers")
    for one in reports:
        if not one.unsupported:
            made.add_row(
                one.model,
                str(one.source_layers),
                str(one.folded),
                str(one.layers),
                str(one.sequences),
                str(one.unique),
                *([str(one.pairs)] if paired else []),
                str(sum(count for _, count in one.skipped)),
            )
    sequences = [benchmark for benchmark in suite.benchmarks if benchmark.role == "sequence"]
    unsure = sum(benchmark.reference is None for benchmark in sequences)
    items: list[RenderableType] = [made]
    items += [f"{one.model}: {count} layers: {reason}" for one in reports for reason, count in one.skipped]
    items += [f"{one.model} is not in the suite: {one.unsupported}" for one in reports if one.unsupported]
    items.append(
        f"{place}: {len(sequences)} unique sequences{' and pairs' if paired else ''} "
        f"for target {suite.target.name} at H {suite.granularity}, "
        f"weights of {format_bytes(sum(blob.nbytes for blob in suite.weights))} appear on first run, "
        f"digest {suite.digest[:12]}"
    )
    if unsure:
        items.append(f"{unsure} sequences have no reference output: their answers are not compared")
    return items
