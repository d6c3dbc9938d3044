"""What networks are made of, what suites were generated of them, and at which granularity, for a terminal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import RenderableType

from dlbricks.construct.granularity import GranularityRow, GranularityTable
from dlbricks.construct.inspection import Inspection
from dlbricks.report.console import table
from dlbricks.suite.manifest import NetworkReport, Suite
from dlbricks.units import counted, format_bytes, format_ns

_OPERATORS_SHOWN = 12


def inspection_report(inspections: Sequence[Inspection], *, layers: bool = False) -> list[RenderableType]:
    """Show networks beside each other; a single one, or any with ``layers``, in full."""
    items: list[RenderableType] = [_overview(inspections)]
    if len(inspections) == 1 or layers:
        for one in inspections:
            items += _details(one, layers=layers)
    items += [
        f"warning: {one.network} is no valid ONNX network, says onnx.checker: {one.invalid}"
        for one in inspections
        if one.invalid
    ]
    items += [
        f"{one.network}: {counted(count, 'layer')} cannot be part of a benchmark: {reason}"
        for one in inspections
        for reason, count in one.skipped
    ]
    return items


def _overview(inspections: Sequence[Inspection]) -> RenderableType:
    made = table(
        "network", ">in file", ">folded", ">layers", ">views", ">sequences", ">unique sequences", ">GFLOP",
        ">parameters", ">activations", ">skipped layers",
    )  # fmt: skip
    for one in inspections:
        made.add_row(
            one.network,
            str(one.source_layers),
            str(one.folded),
            str(one.layers),
            str(one.views),
            str(one.sequences),
            str(one.unique_sequences),
            f"{one.flops / 1e9:.3f}",
            format_bytes(one.parameter_bytes),
            format_bytes(one.activation_bytes),
            str(sum(count for _, count in one.skipped)),
        )
    return made


def _details(one: Inspection, *, layers: bool) -> list[RenderableType]:
    shown = ", ".join(f"{name} {count}" for name, count in one.operators[:_OPERATORS_SHOWN])
    more = len(one.operators) - _OPERATORS_SHOWN
    items: list[RenderableType] = [
        f"{one.network}: target {one.target}, H {one.granularity}, splitter {one.splitter}",
        f"  inputs     {', '.join(one.inputs)}",
        f"  outputs    {', '.join(one.outputs)}",
        f"  operators  {shown}{f' and {more} more kinds' if more > 0 else ''}",
    ]
    if layers:
        figures = (">MFLOP", ">all Mop", ">weights", ">read", ">written")
        made = table("layer", "operator", ">sequence", "outputs", *figures, "skipped")
        for facts in one.layer_facts:
            made.add_row(
                facts.name,
                facts.operator,
                str(facts.sequence),
                " ".join(facts.outputs),
                f"{facts.flops / 1e6:.2f}",
                _known(facts.operations, lambda number: f"{number / 1e6:.2f}"),
                format_bytes(facts.weight_bytes),
                _known(facts.read_bytes, format_bytes),
                _known(facts.written_bytes, format_bytes),
                facts.skip or "",
            )
        items.append(made)
    return items


def _known(value: int | None, shown: Callable[[float], str]) -> str:
    return "" if value is None else shown(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSuite:
    """A suite that was written, and what became of each network."""

    suite: str
    """Folder or archive."""
    name: str
    digest: str
    granularity: str
    benchmarks: int
    pairs: bool
    """Whether unions of adjacent sequences are measured, too."""
    networks: tuple[NetworkReport, ...]


def generated(suite: Suite, reports: Sequence[NetworkReport], place: Path, *, pairs: bool) -> GeneratedSuite:
    """Sum up a suite that was written."""
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
    """Say what became of each network, and what the suite holds."""
    paired = any(one.pairs for one in reports)
    columns = (
        "network",
        ">in file",
        ">folded",
        ">layers",
        ">sequences",
        ">unique sequences",
        *([">pairs"] if paired else []),
    )
    made = table(*columns, ">skipped layers")
    for one in reports:
        if not one.unsupported:
            made.add_row(
                one.network,
                str(one.source_layers),
                str(one.folded),
                str(one.layers),
                str(one.sequences),
                str(one.unique_sequences),
                *([str(one.pairs)] if paired else []),
                str(sum(count for _, count in one.skipped)),
            )
    sequences = [benchmark for benchmark in suite.benchmarks if benchmark.role == "sequence"]
    unsure = sum(benchmark.reference is None for benchmark in sequences)
    items: list[RenderableType] = [made]
    items += [
        f"{one.network}: {counted(count, 'layer')} left out: {reason}"
        for one in reports
        for reason, count in one.skipped
    ]
    items += [f"{one.network}: no cover has {', '.join(one.uncovered)}" for one in reports if one.uncovered]
    items.append(
        f"{place}: {counted(len(sequences), 'unique sequence')}{' and pairs' if paired else ''} "
        f"for target {suite.target.name} at H {suite.granularity}, "
        f"weights of {format_bytes(sum(blob.nbytes for blob in suite.weights))} appear on first run, "
        f"digest {suite.digest[:12]}"
    )
    if unsure:
        items.append(f"without a reference output, so that answers are not compared: {counted(unsure, 'sequence')}")
    return items


def granularity_report(made: GranularityTable) -> list[RenderableType]:
    """Show a row for each granularity and say which one is chosen, and by what."""
    shown = table(
        "H", "composed", ">benchmarks", ">uses", ">reuse", ">measuring", ">expected error", ">worst", "", keys=2
    )
    for row in made.rows:
        shown.add_row(
            row.granularity,
            row.rule if row.composed else "",
            str(row.benchmarks),
            str(row.uses),
            f"{row.reuse:.2f}",
            f"{row.cost_ns / 1e9:.1f} s",
            f"{row.error:.1%} ± {row.standard_error:.1%}",
            f"{row.worst_error:.1%}",
            "chosen" if row == made.chosen else "" if row.composed else "networks in one piece",
        )
    return [
        f"{counted(made.network_count, 'network')}, target {made.target}",
        shown,
        chosen_line(made),
        f"errors and minutes as of {made.evidence}",
    ]


def chosen_line(made: GranularityTable) -> str:
    """Say which granularity is chosen, what to expect of it, and what estimates have to be asked with."""
    row = made.chosen
    return (
        f"-H auto is {_options(row)}: {counted(row.benchmarks, 'benchmark')} in about {format_ns(row.cost_ns)}, "
        f"expected error {row.error:.1%}; estimate with -H {row.granularity} --rule {row.rule}"
    )


def _options(row: GranularityRow) -> str:
    return f"-H {row.granularity}{' --pairs' if row.rule == 'pairs' else ''}"
