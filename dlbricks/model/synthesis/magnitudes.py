"""How large the values of a network become with made-up weights, and which weights have to be smaller.

Weights are scaled by fan-in, so that a product gives values as large as it was given. That is enough where a network
normalises. Where it does not (a residual stream whose normalisation was replaced by a scale and a shift grows by some
bits with every block), values or their products leave the range of floats. So the root mean square of every tensor is
estimated layer by layer, in powers of two, and a layer whose result would exceed ``LIMIT`` gets smaller weights, such
that its result is about 1. A second pass, with inputs larger by ``_TAIL``, looks whether rows that are larger than the
others stay finite, too: blocks that square what is not normalised double their distance. Networks that stay below the
limit keep the weights that their roles give.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from dlbricks.harness.dtypes import BY_NAME, decode, from_bytes
from dlbricks.model.costs.flops import LayerView, layer_flops
from dlbricks.model.synthesis.roles import when_known
from dlbricks.model.types import Generator, Layer, Model

LIMITS = (24.0, 12.0, 6.0, 3.0, 0.0, -8.0, -16.0)
"""Powers of two; the next one is tried where some values would overflow all the same: below 1, blocks add little."""
_LARGEST = {"float16": 13.0}
_OTHERS_LARGEST = 110.0
_TAIL = 2.0
"""Some rows are larger than the root mean square by so many powers of two, and squares of squares of them far more."""
_HALF_LIMIT = 5.0
_LEAST, _INFINITE = -60.0, 60.0
"""Constants outside are zeros, epsilons, and what stands for infinity in a mask: they count as 1."""

_PRODUCT_NAMES = (
    "Conv ConvTranspose DeformConv Einsum FusedConv FusedGemm FusedMatMul FusedMatMulActivation Gemm MatMul NhwcConv"
    " NhwcFusedConv TransposeMatMul"
)
_PRODUCTS = frozenset(_PRODUCT_NAMES.split())
_BOUNDED_NAMES = (
    "Atan Cos DynamicQuantizeLSTM EmbedLayerNormalization Erf GRU GroupNorm GroupNormalization HardSigmoid"
    " InstanceNormalization LSTM LayerNormalization LpNormalization MeanVarianceNormalization RMSNormalization RNN"
    " Sigmoid Sign SimplifiedLayerNormalization Sin SkipGroupNorm SkipLayerNormalization"
    " SkipSimplifiedLayerNormalization Softsign Tanh"
)
_BOUNDED = frozenset(_BOUNDED_NAMES.split())
"""Results are about 1 whatever goes in."""
_MOVING = frozenset({"Cast", "DequantizeLinear", "Flatten", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"})


def damping(model: Model, layers: Sequence[int], drawn: Mapping[str, Generator]) -> dict[str, int]:
    """Say which constants have to be smaller than their roles give, so that all values stay finite.

    Args:
        model: Where the layers come from.
        layers: indices into the layers of the model, in topological order.
        drawn: Generators of the constants whose values are made up.

    Returns:
        By constant, the power of two by which it has to be divided; empty where nothing grows beyond the limit.
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
    """One pass over the layers, with the magnitude of every tensor as far as it came; what is unknown is ``about``."""

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
            if not self.model.layers[index].skip:  # shapes of what cannot run need not be known
                self.visit(self.model.layers[index])

    def visit(self, layer: Layer) -> None:
        """Estimate the results of a layer, its weights made smaller if they have to be."""
        operands = [self._of(name) for name in layer.inputs]
        rule = _RULES.get(layer.op_type, _product if layer.op_type in _PRODUCTS else _as_given)
        bounded = not _BOUNDED.isdisjoint((layer.op_type, LayerView(self.model, layer).text("activation")))
        known = None if bounded else when_known(partial(rule, self.model, layer, operands))
        size = self.about if known is None else known
        dtype = self.model.spec(next(filter(None, layer.outputs))).dtype
        limit = min(self.limit, _HALF_LIMIT) if dtype == "float16" and self.limit < math.inf else self.limit
        if size > limit:
            size -= self._damp(layer, math.ceil(size - min(limit, 0.0)))
        self.overflows |= size > _LARGEST.get(dtype, _OTHERS_LARGEST)
        if layer.op_type in _MOVING and layer.inputs and (source := self._adjustable(layer)):
            self._source[layer.outputs[0]] = source
        self._known.update(dict.fromkeys(filter(None, layer.outputs), size))

    def _damp(self, layer: Layer, excess: int) -> int:
        """Make a weight of a layer smaller; give by how much its results become smaller."""
        factor = layer.op_type in _PRODUCTS or layer.op_type in _SCALES
        source = self._adjustable(layer) if factor else ""
        if not source:
            return 0
        self.damped[source] = self.damped.get(source, 0) + excess
        return excess

    def _adjustable(self, layer: Layer) -> str:
        """Return the made-up float constant that scales the results of a layer; empty if there is none."""
        if layer.op_type == "DequantizeLinear":
            return layer.inputs[1] if {layer.inputs[0], layer.inputs[1]} <= self.drawn.keys() else ""
        scales = layer.op_type in _SCALES
        for position in _SCALES.get(layer.op_type, (1, 0)):
            name = layer.inputs[position] if position < len(layer.inputs) else ""
            name = self._source.get(name, name)
            made_up = name in self.drawn and BY_NAME[self.model.spec(name).dtype].kind == "float"
            if made_up and not (scales and name in self._shared):
                return name
        return ""

    def _of(self, name: str) -> float:
        """Return the magnitude of an operand; 0 (values about 1) of what is omitted or unknown."""
        if name in self._known:
            return self._known[name]
        size = self._constant(name) if name in self.model.constants else self.about
        return size - self.damped.get(name, 0)

    def _constant(self, name: str) -> float:
        generator, constant = self.drawn.get(name), self.model.constants[name]
        if generator is not None and generator.kind == "uniform":
            low, high = generator.low, generator.high
            return math.log2(math.sqrt((low * low + low * high + high * high) / 3) or 1.0)
        if BY_NAME[constant.spec.dtype].kind != "float" or constant.values is None or not constant.spec.elements:
            return 0.0
        elements = constant.spec.elements
        numbers = decode(from_bytes(constant.values, constant.spec.dtype, (elements,)), constant.spec.dtype, elements)
        largest = max(abs(float(number)) for number in numbers)
        size = math.log2(largest) if 0 < largest < math.inf else 0.0
        return size if _LEAST < size < _INFINITE else 0.0


_SCALES: Mapping[str, tuple[int, ...]] = {
    "Mul": (1, 0),
    "BatchNormalization": (1,),
    "MatMulNBits": (2,),
    "Attention": (1,),
}
"""Operators other than products whose results are as large as one of these operands."""

_Rule = Callable[[Model, Layer, Sequence[float]], float]


def _as_given(_: Model, __: Layer, operands: Sequence[float]) -> float:
    return max(operands, default=0.0)


def _product(model: Model, layer: Layer, operands: Sequence[float]) -> float:
    """Sums of many products of random signs grow as the root of their number."""
    made = model.spec(layer.outputs[0]).elements
    summed = layer_flops(model, layer) // max(1, 2 * made)
    return operands[0] + operands[1] + math.log2(max(1, summed)) / 2


def _sum(_: Model, __: Layer, operands: Sequence[float]) -> float:
    return max(operands) + math.log2(sum(4.0 ** (size - max(operands)) for size in operands)) / 2


def _power(model: Model, layer: Layer, operands: Sequence[float]) -> float:
    constant = model.constants.get(layer.inputs[1])
    exponent = 2.0
    if constant is not None and constant.values is not None and constant.spec.elements:
        dtype, elements = constant.spec.dtype, constant.spec.elements
        exponent = float(decode(from_bytes(constant.values, dtype, (elements,)), dtype, elements)[0])
    return operands[0] * exponent


def _summed(power: int, root: int) -> _Rule:
    """Sums of so many values as one result is made of, of a power of them, and the root of that."""

    def rule(model: Model, layer: Layer, operands: Sequence[float]) -> float:
        given, made = model.spec(layer.inputs[0]).elements, model.spec(layer.outputs[0]).elements
        return (power * operands[0] + math.log2(max(1, given / max(1, made)))) / root

    return rule


def _shares(model: Model, layer: Layer, _: Sequence[float]) -> float:
    """Shares of 1: as many as the last axis has."""
    return -math.log2(max(1, model.spec(layer.outputs[0]).shape[-1])) / 2


_RULES: Mapping[str, _Rule] = {
    **dict.fromkeys(("Add", "Sub", "Sum"), _sum),
    "Mul": lambda _, __, operands: operands[0] + operands[1],
    "Div": lambda _, __, operands: operands[0] - operands[1],
    "Pow": _power,
    "Sqrt": lambda _, __, operands: operands[0] / 2,
    "Reciprocal": lambda _, __, operands: -operands[0],
    "Log": lambda _, __, ___: 3.0,
    "Exp": lambda _, __, operands: min(2.0 ** max(0.0, operands[0]), 8.0),
    "Where": lambda _, __, operands: max(operands[1:]),
    "Gather": lambda _, __, operands: operands[0],
    "BatchNormalization": lambda _, __, operands: operands[0] + operands[1] - operands[4] / 2,
    "Attention": lambda _, __, operands: operands[0],
    "MatMulNBits": lambda _, __, operands: operands[0],
    "DequantizeLinear": lambda _, __, operands: operands[1] + 6,
    "QuantizeLinear": lambda _, __, ___: 6.0,
    "ReduceSum": _summed(1, 1),
    "ReduceSumSquare": _summed(2, 1),
    "ReduceL2": _summed(2, 2),
    "ReduceL1": _summed(1, 1),
    "Softmax": _shares,
}
