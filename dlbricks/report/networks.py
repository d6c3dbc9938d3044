"""Tables of networks."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType

from dlbricks.report.console import rows_table
from dlbricks.units import counted, format_bytes

if TYPE_CHECKING:
    from dlbricks.construct.compose import Inspection

_OPERATORS_SHOWN = 12
_LAYERS_SHOWN = 5000


def inspection_report(inspections: "Sequence[Inspection]", *, layers: bool = False) -> list[RenderableType]:
    """Show networks in one table; details for a single one, or for all with ``layers``."""
    items: list[RenderableType] = [_overview(inspections)]
    if len(inspections) == 1 or layers:
        for network in inspections:
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


def _overview(inspections: "Sequence[Inspection]") -> RenderableType:
    return rows_table(
        inspections,
        {
            "network": lambda network: network.network,
            ">in file": lambda network: str(network.source_layers),
            ">folded": lambda network: str(network.folded),
            ">layers": lambda network: str(network.layers),
            ">views": lambda network: str(network.views),
            ">sequences": lambda network: str(network.sequences),
            ">unique sequences": lambda network: str(network.unique_sequences),
            ">GFLOP": lambda network: f"{network.flops / 1e9:.3f}",
            ">parameters": lambda network: format_bytes(network.parameter_bytes),
            ">activations": lambda network: format_bytes(network.activation_bytes),
            ">skipped layers": lambda network: str(sum(count for _, count in network.skipped)),
        },
    )


def _details(network: "Inspection", *, layers: bool) -> list[RenderableType]:
    shown = ", ".join(f"{name} {count}" for name, count in network.operators[:_OPERATORS_SHOWN])
    more = len(network.operators) - _OPERATORS_SHOWN
    items: list[RenderableType] = [
        f"{network.network}: target {network.target}, H {network.granularity}, splitter {network.splitter}",
        f"  inputs     {', '.join(network.inputs)}",
        f"  outputs    {', '.join(network.outputs)}",
        f"  operators  {shown}{f' and {more} more kinds' if more > 0 else ''}",
    ]
    if not layers:
        return items
    layer_table = rows_table(
        network.layer_facts[:_LAYERS_SHOWN],
        {
            "layer": lambda facts: facts.name,
            "operator": lambda facts: facts.operator,
            ">sequence": lambda facts: str(facts.sequence),
            "outputs": lambda facts: " ".join(facts.outputs),
            ">MFLOP": lambda facts: f"{facts.flops / 1e6:.2f}",
            ">all Mop": lambda facts: _known(facts.operations, lambda number: f"{number / 1e6:.2f}"),
            ">weights": lambda facts: format_bytes(facts.weight_bytes),
            ">read": lambda facts: _known(facts.read_bytes, format_bytes),
            ">written": lambda facts: _known(facts.written_bytes, format_bytes),
            "skipped": lambda facts: facts.skip or "",
        },
    )
    total = len(network.layer_facts)
    hidden = [f"the first {_LAYERS_SHOWN:,} of {total:,} layers; --json lists all"] if total > _LAYERS_SHOWN else []
    return [*items, layer_table, *hidden]


def _known(value: int | None, shown: Callable[[float], str]) -> str:
    return "" if value is None else shown(value)
