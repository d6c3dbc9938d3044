"""Estimates the magnitudes of values in a network with synthetic weights, and which weights have to be smaller.

Weights are scaled by fan-in, so a product keeps the magnitude of its input. Without normalisation (for example a
residual stream with a scale and a shift instead, which grows with every block) values or their products leave the range
of floats. So the root mean square of every tensor is estimated layer by layer, in powers of two. A layer whose result
would exceed the limit gets smaller weights, so that its result is about 1. A second pass, with inputs larger by
``_TAIL``, checks that rows above the mean stay finite as well: blocks that square values without normalisation double
their distance. Networks below the limit keep the weights of their roles.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import Generator, Layer, Model
from dlbricks.operators.costs import layer_flops
from dlbricks.operators.row import Moves, Operator, nothing
from dlbricks.operators.table import kernel
from dlbricks.operators.value_rules import bounded, multiplied
from dlbricks.operators.view import LayerView, if_it_fits

LIMITS = (24.0, 12.0, 6.0, 3.0, 0.0, -8.0, -16.0)
"""Powers of two, tried in order until no value overflows; below 1, blocks add little."""
_LARGEST = {"float16": 13.0}
_OTHERS_LARGEST = 110.0
_TAIL = 2.0
"""Powers of two by which some rows exceed the root mean square; repeated squares exceed it far more."""
_HALF_LIMIT = 5.0
_LEAST, _INFINITE = -60.0, 60.0
"""Constants outside are zeros, epsilons and infinities of masks: they count as 1."""

_MOVING = Moves.RESHAPES | Moves.PERMUTES | Moves.CONVERTS | Moves.DEQUANTISES


def damping(model: Model, layers: Sequence[int], drawn: Mapping[str, Generator]) -> dict[str, int]:
    """Return which constants have to be smaller than their roles require, so that all values stay finite.

    Args:
        model: source of the layers.
        layers: indices into the layers of the model, in topological order.
        drawn: generators of the constants with synthetic values.

    Returns:
        By constant, the power of two to divide it by; empty if nothing exceeds the limit.
    """
    counts = Counter(name for index in layers for name in model.layers[index].inputs)
    shared = frozenset(name for name in drawn if counts[name] > 1)
    found: dict[str, int] = {}
    for limit in LIMITS:
        usual = _Estimate(model, drawn, limit, shared)
        usual.visit_all(layers)
        found = usual.damped
        large = _Estimate(model, drawn, math.inf, shared, found, _TAIL)
        if not usual.overflows:
            large.visit_all(layers)
        if not (usual.overflows or large.overflows):
            break
    return found


class _Estimate:
    """One pass over the layers with the magnitude of every tensor so far; unknown ones are ``about``."""

    def __init__(
        self,
        model: Model,
        drawn: Mapping[str, Generator],
        limit: float,
        shared: frozenset[str],
        damped: Mapping[str, int] | None = None,
        about: float = 0.0,
    ) -> None:
        self.model = model
        self.drawn = drawn
        self.limit = limit
        self.damped = dict(damped or {})
        self.about = about
        self.overflows = False
        self._shared = shared
        self._known: dict[str, float] = {}
        self._source: dict[str, str] = {}

    def visit_all(self, layers: Sequence[int]) -> None:
        """Estimate the results of some layers, in topological order."""
        for index in layers:
            if not self.model.layers[index].skip:  # its shapes may be unknown
                self.visit(self.model.layers[index])

    def visit(self, layer: Layer) -> None:
        """Estimate the results of a layer, and make its weights smaller if necessary."""
        operands = [self._of(name) for name in layer.inputs]
        known = if_it_fits(partial(_magnitude, LayerView(self.model, layer), operands))
        size = self.about if known is None else known
        dtype = self.model.spec(next(filter(None, layer.outputs))).dtype
        limit = min(self.limit, _HALF_LIMIT) if dtype == "float16" and self.limit < math.inf else self.limit
        if size > limit:
            size -= self._damp(layer, math.ceil(size - min(limit, 0.0)))
        self.overflows |= size > _LARGEST.get(dtype, _OTHERS_LARGEST)
        if _row(layer).moves & _MOVING and layer.inputs and (source := self._adjustable(layer)):
            self._source[layer.outputs[0]] = source
        self._known.update(dict.fromkeys(filter(None, layer.outputs), size))

    def _damp(self, layer: Layer, excess: int) -> int:
        """Make a weight of a layer smaller; return by how much its results become smaller."""
        source = self._adjustable(layer) if _row(layer).scaled_by else ""
        if not source:
            return 0
        self.damped[source] = self.damped.get(source, 0) + excess
        return excess

    def _adjustable(self, layer: Layer) -> str:
        """Return the synthetic float constant that scales the results of a layer; empty if there is none."""
        if _row(layer).moves & Moves.DEQUANTISES:
            return layer.inputs[1] if {layer.inputs[0], layer.inputs[1]} <= self.drawn.keys() else ""
        row = _row(layer)
        scales = bool(row.scaled_by) and not _is_sum(row)
        for position in row.scaled_by or (1, 0):
            name = layer.inputs[position] if position < len(layer.inputs) else ""
            name = self._source.get(name, name)
            made_up = name in self.drawn and BY_NAME[self.model.spec(name).dtype].kind == "float"
            if made_up and not (scales and name in self._shared):
                return name
        return ""

    def _of(self, name: str) -> float:
        """Return the magnitude of an operand; 0 (values about 1) if it is omitted or unknown."""
        if name in self._known:
            return self._known[name]
        size = self._constant(name) if name in self.model.constants else self.about
        return size - self.damped.get(name, 0)

    def _constant(self, name: str) -> float:
        generator, constant = self.drawn.get(name), self.model.constants[name]
        if generator is not None and generator.kind == "uniform":
            low, high = generator.low, generator.high
            return math.log2(math.sqrt((low * low + low * high + high * high) / 3) or 1.0)
        numbers = None if constant.values is None else numbers_of(constant)
        if BY_NAME[constant.spec.dtype].kind != "float" or numbers is None or not numbers.size:
            return 0.0
        largest = float(np.abs(numbers).max())
        size = math.log2(largest) if 0 < largest < math.inf else 0.0
        return size if _LEAST < size < _INFINITE else 0.0


def _row(layer: Layer) -> Operator:
    return kernel(layer.domain, layer.op_type)


def _is_sum(row: Operator) -> bool:
    """Return whether results are sums of products of two operands."""
    return row.magnitude is multiplied and row.cost is not None and row.cost.products is not nothing


def _magnitude(view: LayerView, operands: Sequence[float]) -> float | None:
    """Estimate the results of a layer; None if they are about 1 for any operands."""
    row = _row(view.layer)
    if kernel("", view.text("activation")).magnitude is bounded:
        return None
    size = row.magnitude(view, operands) if row.magnitude is not None else max(operands, default=0.0)
    return size + _summed(view) if size is not None and _is_sum(row) else size


def _summed(view: LayerView) -> float:
    """Return the power of two by which a sum of products with random signs grows: with the root of their number."""
    written = view.model.spec(view.layer.outputs[0]).elements
    return math.log2(max(1, layer_flops(view.model, view.layer) // max(1, 2 * written))) / 2
