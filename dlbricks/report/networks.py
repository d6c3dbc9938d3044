"""Tables of what networks are made of."""

from collections.abc import Callable, Sequence

from rich.console import RenderableType

from dlbricks.construct.nouns import Inspection
from dlbricks.report.console import table
from dlbricks.units import format_bytes

_OPERATORS_SHOWN = 12


def inspection_report(inspections: Sequence[Inspection], *, layers: bool = False) -> list[RenderableType]:
    """Show networks beside each other; a single one, or any with ``layers``, in full."""
    items: list[RenderableType] = [_overview(inspections)]
    if len(inspections) == 1 or layers:
        for one in inspections:
            items += _details(one, layers=layers)
    items += [
        f"{one.model}: {count} layers cannot be part of a benchmark: {reason}"
        for one in inspections
        for reason, count in one.skipped
    ]
    return items


def _overview(inspections: Sequence[Inspection]) -> RenderableType:
    made = table(
        "network", ">in file", ">folded", ">layers", ">views", ">sequences", ">unique", ">GFLOP", ">parameters",
        ">activations", ">skipped",
    )  # fmt: skip
    for one in inspections:
        made.add_row(
            one.model,
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
        f"{one.model}: target {one.target}, H {one.granularity}, splitter {one.splitter}",
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
