"""Values of operands that decide shapes, derived from the shapes around their reader.

For operands that are neither constant nor observed (start 0 and step 1 for Slice, all padding at the end for Pad).
"""

import functools
from collections.abc import Container, Iterable, Mapping, Sequence

import numpy as np

from dlbricks.harness.dtypes import as_bytes, encode
from dlbricks.model.graph import Node
from dlbricks.model.types import Layer, Model
from dlbricks.operators.row import Moves, Numbers, Operator
from dlbricks.operators.table import operator
from dlbricks.operators.uses import Use
from dlbricks.operators.value_rules import Shaper, trips
from dlbricks.operators.view import LayerView, if_it_fits

_REARRANGING = Moves.RESHAPES | Moves.CONVERTS


def shaping_value(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> bytes | None:
    """Return a value of a tensor that decides shapes, little-endian, one element or all; None for other tensors."""
    spec = model.spec(name)
    for use in uses.get(name, ()):
        numbers = _numbers(model, uses, use)
        if numbers is not None and len(numbers) in {1, spec.elements}:
            return as_bytes(encode(np.array(numbers), spec.dtype))
    return None


def shaping_tensors(calls: Iterable[Layer | Node], constants: Container[str]) -> frozenset[str]:
    """Return the computed tensors and inputs whose values decide the shapes of others."""
    return frozenset(
        name
        for call in calls
        if not call.domain
        for position, name in enumerate(call.inputs)
        if name and name not in constants and _rule(operator("", call.op_type), position) is not None
    )


def _rule(row: Operator, position: int) -> Shaper | None:
    shaping = row.shaping.get(position)
    return None if shaping is None else shaping.numbers


def _numbers(model: Model, uses: Mapping[str, Sequence[Use]], use: Use) -> Numbers | None:
    """Return numbers that suit a use; views and casts are followed to the first use behind them."""
    while use.node is None and use.operator[0] == "":
        row = use.row
        rule = trips if _is_limit(model, use) else _rule(row, use.position)
        if rule is not None:
            return if_it_fits(functools.partial(rule, LayerView(model, use.layer), use.position))
        later = uses.get(use.layer.outputs[0], ())
        if not row.moves & _REARRANGING or use.position or not later:
            return None
        use = later[0]
    return None


def selecting_value(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> bytes | None:
    """Return ones, spread evenly among zeros, for the condition of NonZero or Compress; None for other tensors."""
    spec = model.spec(name)
    for use in uses.get(name, ()):
        count = selected_count(model, use)
        if count is not None and spec.elements:
            edges = np.arange(spec.elements + 1) * min(count, spec.elements) // spec.elements
            return as_bytes(encode(np.diff(edges), spec.dtype))
    return None


def selected_count(model: Model, use: Use) -> int | None:
    """Return the number of nonzero elements that the shape of the result implies; None if it does not."""
    if use.node is not None or use.operator not in {("", "NonZero"), ("", "Compress")}:
        return None
    made = model.spec(use.layer.outputs[0])
    if use.operator[1] == "NonZero":
        return if_it_fits(lambda: made.shape[-1])
    axis = use.attribute("axis")
    return None if use.position == 0 else if_it_fits(lambda: made.shape[axis.i if axis else 0])


def boxes_value(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> bytes | None:
    """Return boxes of half the width and height of the images for RoiAlign; None for other tensors.

    Of boxes without an extent, as numbers at random are, runtimes make different things.
    """
    spec = model.spec(name)
    for use in uses.get(name, ()):
        if use.node is None and use.operator == ("", "RoiAlign") and use.position == 1:
            found = use.attribute("spatial_scale")
            scale = (found.f if found else 1.0) or 1.0
            height, width = (extent / scale for extent in model.spec(use.layer.inputs[0]).shape[2:])
            box = [width / 4, height / 4, 3 * width / 4, 3 * height / 4]
            return as_bytes(encode(np.array(box * (spec.elements // 4)), spec.dtype))
    return None


def _is_limit(model: Model, use: Use) -> bool:
    """Return whether an operand of a Loop is one whole number that its turns leave as it is, as ``while i < n`` has."""
    body = use.attribute("body") if use.operator == ("", "Loop") and use.position > 1 else None
    if body is None:
        return False
    spec = model.spec(use.layer.inputs[use.position])
    inner, result = body.g.input[use.position].name, body.g.output[use.position - 1].name
    copies = {node.output[0]: node.input[0] for node in body.g.node if node.op_type == "Identity"}
    return spec.dtype in {"int32", "int64"} and spec.elements == 1 and copies.get(result, result) == inner
