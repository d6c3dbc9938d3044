"""Finds the values that all readers of a tensor accept, such as indices within an axis or nonzero divisors.

A tensor is traced through operators that only move values. Bounds are half-open, ``low <= value < high``.
"""

import functools
import math
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

import numpy as np

from dlbricks.harness.dtypes import BY_NAME, as_bytes, encode
from dlbricks.model.order import depth_first
from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import Model
from dlbricks.operators.row import Bounds, LayerView, Moves, Numbers, OperandRole, Operator, if_it_fits
from dlbricks.operators.table import operator
from dlbricks.operators.uses import Use
from dlbricks.operators.value_rules import POSITIVE, Shaper, trips


def integer_bounds(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> Bounds | None:
    """Return the bounds of values that all readers of an integer tensor accept; None if they accept any value."""
    bounds_of: dict[str, Bounds | None] = {}

    def reached(tensor: str) -> Iterator[str]:
        # tensors with the values of a tensor, unchanged or by arithmetic
        return (output for use in uses.get(tensor, ()) for output in (*_moved_to(use), *_computed(use)))

    for tensor in depth_first([name], reached):
        bounds_of[tensor] = _intersection(
            [bounds for use in uses.get(tensor, ()) for bounds in _demands(model, use, bounds_of)]
        )
    return bounds_of[name]


def _computed(use: Use) -> tuple[str, ...]:
    # Return the result, if the reader is arithmetic with two operands.
    arithmetic = use.node is None and use.operator in _ARITHMETIC
    return use.layer.outputs[:1] if arithmetic else ()


_ARITHMETIC = frozenset({("", "Add"), ("", "Sub"), ("", "Mul"), ("", "Div"), ("", "ReduceSum")})


def _demands(model: Model, use: Use, bounds_of: Mapping[str, Bounds | None]) -> Iterator[Bounds]:
    # Yield the bounds of one reader, given those of its results.
    rule = use.row.integers.get(use.position)
    if rule is not None and use.node is None:
        bounds = if_it_fits(lambda: rule(LayerView(model, use.layer)))
        if bounds is not None:
            yield _widest(bounds)
    for output in _moved_to(use):
        after = bounds_of[output]
        if after is not None:
            yield after
    for output in _computed(use):
        after = bounds_of[output]
        if after is not None:
            before = _before_sum if use.operator[1] == "ReduceSum" else _before_arithmetic
            yield _widest(before(model, use, after))


def _intersection(demands: Sequence[Bounds]) -> Bounds | None:
    if not demands:
        return None
    high = min(bounds[1] for bounds in demands)
    return max((bounds[0] for bounds in demands if bounds[0] < high), default=high - 1), high


def _moved_to(use: Use) -> tuple[str, ...]:
    # Return the outputs of the reader that have values of the operand.
    if use.node is None and use.operator[0] == "" and use.position in use.row.passed_on:
        return tuple(filter(None, use.layer.outputs))
    return ()


def _widest(bounds: Bounds) -> Bounds:
    # Extend bounds to at least one value.
    return bounds[0], max(bounds[1], bounds[0] + 1)


def _before_sum(model: Model, use: Use, after: Bounds) -> Bounds:
    # Return bounds of equal elements with a sum within ``after``: a mask that encodes a length.
    elements, results = (model.spec(name).elements for name in (use.layer.inputs[0], use.layer.outputs[0]))
    count = max(1, elements // max(1, results))
    return (-(-after[0] // count), (after[1] - 1) // count + 1) if use.position == 0 else (0, 1)


def _before_arithmetic(model: Model, use: Use, after: Bounds) -> Bounds:
    # Return bounds of an operand for which the result of the arithmetic is within ``after``.
    op_type = use.operator[1]
    low, high = after
    other = constant_range(model, use.layer.inputs[1 - use.position])
    if other is None:
        half = {"Add": (high + 1) // 2, "Mul": math.isqrt(max(high - 1, 0)) + 1}.get(op_type, high)
        return 0, max(half, 1)
    smallest, largest = other
    if op_type == "Add":
        return low - smallest, high - largest
    if op_type == "Sub":
        return (low + largest, high + smallest) if use.position == 0 else (largest - high + 1, smallest - low + 1)
    if smallest <= 0:
        return 0, 1
    if op_type == "Mul":
        return -(-low // smallest), (high - 1) // largest + 1
    return (low * largest, high * smallest) if use.position == 0 else (1, 8)


def constant_range(model: Model, name: str) -> tuple[int, int] | None:
    """Return the least and the largest value of an integer constant; None if unknown."""
    constant = model.constants.get(name)
    if constant is None or BY_NAME[constant.spec.dtype].kind != "int" or constant.spec.elements == 0:
        return None
    numbers = numbers_of(constant)
    return None if numbers is None else (int(np.min(numbers)), int(np.max(numbers)))


def float_bounds(uses: Mapping[str, Sequence[Use]], name: str) -> tuple[float, float] | None:
    """Return the bounds of values that all readers of a float tensor accept; None if they accept any value."""
    demanded: list[tuple[float, float]] = []
    waiting = [(name, False)]
    seen = set(waiting)
    while waiting:
        tensor, computed = waiting.pop()
        for use in uses.get(tensor, ()):
            bounds = (1 / 64, 1 / 32) if use.role is OperandRole.SCALE else use.row.floats.get(use.position)
            if bounds is not None and (bounds[0] > 0 or not computed):
                demanded.append(POSITIVE if computed else bounds)
            later = [(output, computed) for output in _moved_to(use)]
            later += [(output, True) for output in _kept_positive(use)]
            waiting += (step for step in later if step not in seen)
            seen.update(later)
    if not demanded:
        return None
    low, high = max(bounds[0] for bounds in demanded), min(bounds[1] for bounds in demanded)
    return (low, high) if low < high else demanded[0]


def reaching_logarithms(uses: Mapping[str, Sequence[Use]]) -> frozenset[str]:
    """Return the tensors that reach a logarithm, directly or through operators that keep values positive."""
    waiting = [
        name
        for name, readers in uses.items()
        if any(use.node is None and use.operator == ("", "Log") for use in readers)
    ]
    if not waiting:
        return frozenset()
    sources: defaultdict[str, list[str]] = defaultdict(list)
    for name, readers in uses.items():
        for use in readers:
            if len(set(use.layer.inputs)) > 1 or use.operator != ("", "Mul"):
                for output in (*_moved_to(use), *_kept_positive(use)):
                    sources[output].append(name)
    return frozenset(depth_first(waiting, lambda name: sources.get(name, ())))


def _kept_positive(use: Use) -> tuple[str, ...]:
    # Return the result, if it is positive when all operands are.
    return use.layer.outputs[:1] if use.node is None and use.row.keeps_positive else ()


# behind these a value that decides shapes is still the same numbers in the same order
_REARRANGING = Moves.RESHAPES | Moves.CONVERTS
# longer conditions are drawn with a density: their values would fill suite.json
_SELECTED_ELEMENTS = 512


def literal_value(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> bytes | None:
    """Return the value that an input must have (little-endian bytes); None if it may be random.

    Such an input decides shapes, or is a condition or a set of boxes. Of equal elements, the result has only one.
    """
    spec = model.spec(name)
    for rule in (_shaping_numbers, _condition, _boxes):
        for use in uses.get(name, ()):
            numbers = rule(model, uses, use)
            if numbers is not None and len(numbers) in {1, spec.elements}:
                return as_bytes(encode(np.array(numbers), spec.dtype))
    return None


def shaping_tensors(calls: Iterable[tuple[str, str, Sequence[str]]], constants: Container[str]) -> frozenset[str]:
    """Return the tensors, without ``constants``, whose values decide shapes.

    A call is the domain, operator and operands of a layer.
    """
    return frozenset(
        name
        for domain, op_type, operands in calls
        if not domain
        for position, name in enumerate(operands)
        if name and name not in constants and _rule(operator("", op_type), position) is not None
    )


def _rule(row: Operator, position: int) -> Shaper | None:
    shaping = row.shaping.get(position)
    return None if shaping is None else shaping.numbers


def _shaping_numbers(model: Model, uses: Mapping[str, Sequence[Use]], use: Use) -> Numbers | None:
    # Return numbers that suit a use; views and casts are followed to the first use behind them.
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


def _condition(model: Model, _uses: Mapping[str, Sequence[Use]], use: Use) -> Numbers | None:
    # Return ones, spread evenly among zeros, as many as the reader selects.
    count = selected_count(model, use)
    elements = 0 if count is None else model.spec(use.layer.inputs[use.position]).elements
    if count is None or not 0 < elements <= _SELECTED_ELEMENTS:
        return None
    numbers: list[int] = np.diff(np.arange(elements + 1) * min(count, elements) // elements).tolist()
    return numbers


def selected_count(model: Model, use: Use) -> int | None:
    """Return how many elements of a condition are nonzero, as the shape of the result implies; None if unknown."""
    rule = use.row.selects.get(use.position) if use.node is None else None
    return None if rule is None else if_it_fits(functools.partial(rule, LayerView(model, use.layer)))


def _boxes(model: Model, _uses: Mapping[str, Sequence[Use]], use: Use) -> Numbers | None:
    # Return boxes of half the width and height of the images for RoiAlign.
    # random boxes may have no extent, and runtimes differ in their results for such boxes
    if use.node is not None or use.operator != ("", "RoiAlign") or use.position != 1:
        return None
    attribute = use.attribute("spatial_scale")
    scale = (attribute.f if attribute else 1.0) or 1.0
    height, width = (extent / scale for extent in model.spec(use.layer.inputs[0]).shape[2:])
    box = [width / 4, height / 4, 3 * width / 4, 3 * height / 4]
    return box * (model.spec(use.layer.inputs[1]).elements // 4)


def _is_limit(model: Model, use: Use) -> bool:
    # Return whether an operand of a Loop is one whole number that its iterations keep, as ``while i < n`` has.
    body = use.attribute("body") if use.operator == ("", "Loop") and use.position > 1 else None
    if body is None:
        return False
    spec = model.spec(use.layer.inputs[use.position])
    inner, result = body.g.input[use.position].name, body.g.output[use.position - 1].name
    copies = {node.output[0]: node.input[0] for node in body.g.node if node.op_type == "Identity"}
    return spec.dtype in {"int32", "int64"} and spec.elements == 1 and copies.get(result, result) == inner
