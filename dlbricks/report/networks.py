"""Tables of networks and of the suites that are generated from them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType

from dlbricks.report.console import table
from dlbricks.units import counted, format_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from dlbricks.construct.compose import Inspection
    from dlbricks.suite.manifest import NetworkReport, Suite

_OPERATORS_SHOWN = 12
# Beyond, rich takes minutes to lay out the table.
_LAYERS_SHOWN = 5000


def inspection_report(inspections: "Sequence[Inspection]", *, layers: bool = False) -> list[RenderableType]:
    """Show networks in one table; details for a single one, or for all with ``layers``."""
    columns = ("network", ">in file", ">folded", ">layers", ">views", ">sequences", ">unique sequences", ">GFLOP")
    listing = table(*columns, ">parameters", ">activations", ">skipped layers")
    items: list[RenderableType] = [listing]
    for network in inspections:
        counts = (network.source_layers, network.folded, network.layers, network.views, network.sequences)
        sizes = (format_bytes(network.parameter_bytes), format_bytes(network.activation_bytes))
        skipped = sum(count for _, count in network.skipped)
        unique = (network.unique_sequences, f"{network.flops / 1e9:.3f}")
        listing.add_row(network.network, *counts, *unique, *sizes, skipped)
        if len(inspections) == 1 or layers:
            items += _details(network, layers=layers)
    items += [
        f"warning: {network.network} is not a valid ONNX network (onnx.checker): {network.invalid}"
        for network in inspections
        if network.invalid
    ]
    items += [
        f"{network.network}: {counted(count, 'layer')} cannot be part of a benchmark: {reason}"
        for network in inspections
        for reason, count in network.skipped
    ]
    return items


def _details(network: "Inspection", *, layers: bool) -> list[RenderableType]:
    operators = ", ".join(f"{name} {count}" for name, count in network.operators[:_OPERATORS_SHOWN])
    more = len(network.operators) - _OPERATORS_SHOWN
    items: list[RenderableType] = [
        f"{network.network}: target {network.target}, H {network.granularity}, splitter {network.splitter}",
        f"  inputs     {', '.join(network.inputs)}",
        f"  outputs    {', '.join(network.outputs)}",
        f"  operators  {operators}{f' and {more} more kinds' if more > 0 else ''}",
    ]
    if not layers:
        return items
    columns = ("layer", "operator", ">sequence", "outputs", ">MFLOP", ">all Mop", ">weights", ">read", ">written")
    listing = table(*columns, "skipped")
    for facts in network.layer_facts[:_LAYERS_SHOWN]:
        operations = None if facts.operations is None else f"{facts.operations / 1e6:.2f}"
        sizes = (None if size is None else format_bytes(size) for size in (facts.read_bytes, facts.written_bytes))
        head = (facts.name, facts.operator, facts.sequence, " ".join(facts.outputs), f"{facts.flops / 1e6:.2f}")
        listing.add_row(*head, operations, format_bytes(facts.weight_bytes), *sizes, facts.skip)
    total = len(network.layer_facts)
    hidden = [f"the first {_LAYERS_SHOWN:,} of {total:,} layers; --json lists all"] if total > _LAYERS_SHOWN else []
    return [*items, listing, *hidden]


def generated_report(suite: "Suite", reports: "Sequence[NetworkReport]", place: "Path") -> list[RenderableType]:
    """Show the networks and the contents of a written suite."""
    paired = any(report.pairs for report in reports)
    columns = ("network", ">in file", ">folded", ">layers", ">sequences", ">unique sequences")
    listing = table(*columns, *([">pairs"] if paired else []), ">skipped layers")
    items: list[RenderableType] = [listing]
    for report in reports:
        if not report.unsupported:
            counts = (report.source_layers, report.folded, report.layers, report.sequences, report.unique_sequences)
            skipped = sum(count for _, count in report.skipped)
            listing.add_row(report.network, *counts, *([report.pairs] if paired else []), skipped)
        items += [f"{report.network}: {counted(count, 'layer')} left out: {reason}" for reason, count in report.skipped]
    sequences = [benchmark for benchmark in suite.benchmarks if benchmark.role == "sequence"]
    unsure = sum(benchmark.reference is None for benchmark in sequences)
    items.append(
        f"{place}: {counted(len(sequences), 'unique sequence')}{' and pairs' if paired else ''} "
        f"for target {suite.target.name} at H {suite.granularity}, "
        f"weights of {format_bytes(sum(blob.nbytes for blob in suite.weights))} are created on the first run, "
        f"digest {suite.digest[:12]}"
    )
    if unsure:
        items.append(f"without a reference output to compare with: {counted(unsure, 'sequence')}")
    return items
