"""Tables of networks."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType

from dlbricks.report.console import rows_table
from dlbricks.units import counted, format_bytes

if TYPE_CHECKING:
    from dlbricks.construct.inspection import Inspection

_OPERATORS_SHOWN = 12
_LAYERS_SHOWN = 5000


def inspection_report(inspections: "Sequence[Inspection]", *, layers: bool = False) -> list[RenderableType]:
    """Show networks in one table; details for a single one, or for all with ``layers``."""
    items: list[RenderableType] = [_overview(inspections)]
    if len(inspections) == 1 or layers:
        for one in inspections:
            items += _details(one, layers=layers)
    items += [
        f"warning: {one.network} is not a valid ONNX network (onnx.checker): {one.invalid}"
        for one in inspections
        if one.invalid
    ]
    items += [
        f"{one.network}: {counted(count, 'layer')} cannot be part of a benchmark: {reason}"
        for one in inspections
        for reason, count in one.skipped
    ]
    return items


def _overview(inspections: "Sequence[Inspection]") -> RenderableType:
    return rows_table(
        inspections,
        {
            "network": lambda one: one.network,
            ">in file": lambda one: str(one.source_layers),
            ">folded": lambda one: str(one.folded),
            ">layers": lambda one: str(one.layers),
            ">views": lambda one: str(one.views),
            ">sequences": lambda one: str(one.sequences),
            ">unique sequences": lambda one: str(one.unique_sequences),
            ">GFLOP": lambda one: f"{one.flops / 1e9:.3f}",
            ">parameters": lambda one: format_bytes(one.parameter_bytes),
            ">activations": lambda one: format_bytes(one.activation_bytes),
            ">skipped layers": lambda one: str(sum(count for _, count in one.skipped)),
        },
    )


def _details(one: "Inspection", *, layers: bool) -> list[RenderableType]:
    shown = ", ".join(f"{name} {count}" for name, count in one.operators[:_OPERATORS_SHOWN])
    more = len(one.operators) - _OPERATORS_SHOWN
    items: list[RenderableType] = [
        f"{one.network}: target {one.target}, H {one.granularity}, splitter {one.splitter}",
        f"  inputs     {', '.join(one.inputs)}",
        f"  outputs    {', '.join(one.outputs)}",
        f"  operators  {shown}{f' and {more} more kinds' if more > 0 else ''}",
    ]
    if not layers:
        return items
    made = rows_table(
        one.layer_facts[:_LAYERS_SHOWN],
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
    total = len(one.layer_facts)
    hidden = [f"the first {_LAYERS_SHOWN:,} of {total:,} layers; --json lists all"] if total > _LAYERS_SHOWN else []
    return [*items, made, *hidden]


def _known(value: int | None, shown: Callable[[float], str]) -> str:
    return "" if value is None else shown(value)
