"""What layers cost, written onto their spans: operations and bytes from shapes, live bytes from the graph. Pure."""

from collections.abc import Collection, Mapping

import numpy as np

from dlbricks.model.costs.layers import LayerCosts, layer_costs
from dlbricks.model.costs.rules import WHOLE_NUMBERS
from dlbricks.model.costs.traffic import live_bytes
from dlbricks.model.types import Model
from dlbricks.trace.build import with_attribute, with_columns
from dlbricks.trace.nouns import NONE, Level, Longs, Trace

_FIGURES = ("flops", "read_bytes", "written_bytes", "parameter_bytes")
_WHOLE = "int8"
"""Element type of products of integers of 8 bits, as roofs name it."""


def annotated(trace: Trace, executed: Model) -> Trace:
    """Give every layer its operations, bytes read and written, bytes of constants and of live tensors.

    Layers that multiply integers of 8 bits and give floats have the element type of their products, whose roof counts.

    Layers inside bodies are left as they are: the layer around them has the costs of all its turns.

    Args:
        trace: its spans of level LAYER are named as the layers of ``executed``.
        executed: the graph that was executed (``model.lowering``).

    Returns:
        The trace, with a note on operators that have no rule.
    """
    rows = outer_layers(trace)
    names = [trace.names[index] for index in trace.name[rows].tolist()]
    wanted = set(names)
    by_name = {layer.name: layer for layer in executed.layers if layer.name in wanted}
    costs = {name: found for name, layer in by_name.items() if (found := layer_costs(executed, layer)) is not None}
    lacking = sorted({layer.op_type for name, layer in by_name.items() if name not in costs})
    whole = {name for name, layer in by_name.items() if layer.op_type in WHOLE_NUMBERS}
    made = _with_dtype(_written(trace, rows, names, costs), rows, names, whole)
    made = _with_live_bytes(made, executed, rows, names)
    if not lacking:
        return made
    return with_columns(made, f"no operations and bytes are known of layers of type {', '.join(lacking)}")


def outer_layers(trace: Trace) -> Longs:
    """Give the rows of layers that lie in no other layer."""
    rows = trace.rows(Level.LAYER)
    parents = trace.parent[rows]
    outer: Longs = rows[(parents == NONE) | (trace.level[parents] != Level.LAYER)]
    return outer


def _written(trace: Trace, rows: Longs, names: list[str], costs: Mapping[str, LayerCosts]) -> Trace:
    known = np.array([name in costs for name in names], bool)
    found = [costs[name] for name in names if name in costs]
    for figure in _FIGURES if found else ():
        values = {int(row): int(getattr(cost, figure)) for row, cost in zip(rows[known], found, strict=True)}
        before = trace.attributes.get(figure)
        if before is not None:
            values = {int(row): int(value) for row, value in zip(before.rows, before.values, strict=True)} | values
        trace = with_attribute(trace, figure, list(values), list(values.values()))
    return trace


def _with_dtype(trace: Trace, rows: Longs, names: list[str], whole: Collection[str]) -> Trace:
    """Say of layers that multiply integers that they do; the runtime's profile tells what they give."""
    chosen = [int(row) for row, name in zip(rows, names, strict=True) if name in whole]
    if not chosen:
        return trace
    before = trace.attributes.get("dtype")
    told = {} if before is None else dict(zip(before.rows.tolist(), before.values, strict=True))
    told |= dict.fromkeys(chosen, _WHOLE)
    return with_attribute(trace, "dtype", list(told), list(told.values()))


def _with_live_bytes(trace: Trace, executed: Model, rows: Longs, names: list[str]) -> Trace:
    live = live_bytes(executed, list(dict.fromkeys(names)))
    known = [(int(row), live[name]) for row, name in zip(rows, names, strict=True) if name in live]
    if not known:
        return trace
    return with_attribute(trace, "live_bytes", [row for row, _ in known], [nbytes for _, nbytes in known])
