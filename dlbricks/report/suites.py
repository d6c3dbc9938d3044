"""Tables of generated suites."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import RenderableType

from dlbricks.report.console import rows_table
from dlbricks.suite.manifest import NetworkReport, Suite
from dlbricks.units import counted, format_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSuite:
    """Summary of a written suite."""

    suite: str
    """Folder or archive."""
    name: str
    digest: str
    granularity: str
    benchmarks: int
    pairs: bool
    """Whether pairs of adjacent sequences are measured, too."""
    networks: tuple[NetworkReport, ...]


def generated(suite: Suite, reports: Sequence[NetworkReport], place: Path, *, pairs: bool) -> GeneratedSuite:
    """Summarise a written suite."""
    return GeneratedSuite(
        suite=str(place),
        name=suite.name,
        digest=suite.digest,
        granularity=suite.granularity,
        benchmarks=len(suite.benchmarks),
        pairs=pairs,
        networks=tuple(reports),
    )


def generated_report(suite: Suite, reports: Sequence[NetworkReport], place: Path) -> list[RenderableType]:
    """Show the networks and the contents of a written suite."""
    paired = any(report.pairs for report in reports)
    columns: dict[str, Callable[[NetworkReport], str]] = {
        "network": lambda report: report.network,
        ">in file": lambda report: str(report.source_layers),
        ">folded": lambda report: str(report.folded),
        ">layers": lambda report: str(report.layers),
        ">sequences": lambda report: str(report.sequences),
        ">unique sequences": lambda report: str(report.unique_sequences),
        **({">pairs": lambda report: str(report.pairs)} if paired else {}),
        ">skipped layers": lambda report: str(sum(count for _, count in report.skipped)),
    }
    networks = rows_table([report for report in reports if not report.unsupported], columns)
    sequences = [benchmark for benchmark in suite.benchmarks if benchmark.role == "sequence"]
    unsure = sum(benchmark.reference is None for benchmark in sequences)
    items: list[RenderableType] = [networks]
    items += [
        f"{report.network}: {counted(count, 'layer')} left out: {reason}"
        for report in reports
        for reason, count in report.skipped
    ]
    items.append(
        f"{place}: {counted(len(sequences), 'unique sequence')}{' and pairs' if paired else ''} "
        f"for target {suite.target.name} at H {suite.granularity}, "
        f"weights of {format_bytes(sum(blob.nbytes for blob in suite.weights))} are created on the first run, "
        f"digest {suite.digest[:12]}"
    )
    if unsure:
        items.append(f"without a reference output to compare with: {counted(unsure, 'sequence')}")
    return items
