"""Operations of convolutions, matrix products, recurrent cells and attention, from shapes alone.

A multiply-add counts as two; all other operators count 0. Formulas: ONNX operators, onnxruntime's ``com.microsoft``.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass

from dlbricks.fingerprint import Json
from dlbricks.model.types import Layer, Model, TensorSpec
from dlbricks.model.windows import held_tokens


@dataclass(frozen=True, slots=True)
class LayerView:
    """A layer with access to its operands by position."""

    model: Model
    layer: Layer

    def spec(self, position: int) -> TensorSpec | None:
        """Return the specification of an input; None when it is omitted."""
        inputs = self.layer.inputs
        name = inputs[position] if position < len(inputs) else ""
        return self.model.spec(name) if name else None

    def shape(self, position: int) -> tuple[int, ...]:
        """Return the shape of an input; empty when it is omitted."""
        spec = self.spec(position)
        return spec.shape if spec is not None else ()

    def elements(self, position: int) -> int:
        """Return the number of values of an input; 0 when it is omitted."""
        spec = self.spec(position)
        return spec.elements if spec is not None else 0

    def has(self, position: int) -> bool:
        """Return whether an input is given."""
        return self.spec(position) is not None

    def made(self, position: int) -> TensorSpec | None:
        """Return the specification of an output; None when it is omitted."""
        outputs = self.layer.outputs
        name = outputs[position] if position < len(outputs) else ""
        return self.model.spec(name) if name else None

    @property
    def output(self) -> tuple[int, ...]:
        """Shape of the first output that is not omitted."""
        name = next(filter(None, self.layer.outputs))
        return self.model.spec(name).shape

    @property
    def output_elements(self) -> int:
        """Number of values of the first output that is not omitted."""
        return math.prod(self.output)

    def attribute(self, name: str, default: Json) -> Json:
        """Return an attribute's value, ``default`` if it is not set."""
        text = dict(self.layer.attributes).get(name)
        value: Json = default if text is None else json.loads(text)
        return value

    def number(self, name: str, default: int = 0) -> int:
        """Return an integer attribute; ``default`` if it is not set or of another type."""
        value = self.attribute(name, default)
        return value if isinstance(value, int) else default

    def numbers(self, name: str) -> list[int]:
        """Return an attribute with one or several integers; empty if it is not set or of another type."""
        value = self.attribute(name, [])
        return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, int)]

    def text(self, name: str) -> str:
        """Return a text attribute; empty if it is not set or of another type."""
        value = self.attribute(name, "")
        return value if isinstance(value, str) else ""


def _convolution(view: LayerView, weight: int = 1) -> int:
    return 2 * view.output_elements * math.prod(view.shape(weight)[1:])


def _transposed_convolution(view: LayerView) -> int:
    return 2 * math.prod(view.shape(0)) * math.prod(view.shape(1)[1:])


def _product(view: LayerView) -> int:
    shape = view.shape(0)
    return 2 * view.output_elements * (shape[-1] if shape else 1)


def _fused_product(view: LayerView) -> int:
    shape = view.shape(0)
    inner = shape[-2] if view.attribute("transA", 0) and len(shape) > 1 else shape[-1]
    return 2 * view.output_elements * inner


def _recurrent(view: LayerView) -> int:
    """Count steps times batch times both weight matrices (input and recurrence, all gates and directions)."""
    steps_and_batch = math.prod(view.shape(0)[:2])
    return 2 * steps_and_batch * (math.prod(view.shape(1)) + math.prod(view.shape(2)))


def _einsum(view: LayerView) -> int:
    """Return the product of the extents of all labels; with an ellipsis, twice the output."""
    equation = str(view.attribute("equation", "")).replace(" ", "")
    terms = equation.split("->")[0].split(",")
    if "." in equation or len(terms) < 2:
        return 2 * view.output_elements if len(terms) > 1 else 0
    extents: dict[str, int] = {}
    for position, term in enumerate(terms):
        extents.update(zip(term, view.shape(position), strict=False))
    return 2 * math.prod(extents.values())


def _packed_attention(view: LayerView) -> int:
    """Count ``com.microsoft.Attention``: one product for q, k and v, then both products of attention."""
    batch, length, _ = view.shape(0)
    projection = 2 * batch * length * math.prod(view.shape(1))
    return projection + 4 * length * view.output_elements


def attended_keys(view: LayerView) -> int:
    """Return the keys that each query of an attention is multiplied with: new ones and those of a cache."""
    held = held_tokens(view.model, view.layer)
    if held is not None:
        return held
    query, key, present = view.shape(0), view.shape(1), view.made(1)
    if present is not None and len(present.shape) >= 4:
        return present.shape[-2]
    return key[-2] if len(key) in (3, 4) else query[2] if len(query) == 4 else query[1]


def attention_products(view: LayerView) -> int:
    """Count both products on q, k, v, in operands of their own or packed into one.

    They are (batch, length, hidden) or (batch, heads, length, size).
    """
    asked = view.shape(0) if view.has(1) else view.output
    return 2 * attended_keys(view) * (math.prod(asked) + math.prod(view.output))


_EXPERTS = {"MoE": (2, 4, 6), "QMoE": (2, 5, 8)}
"""Operators whose router chooses among experts: positions of the products' weights, stacked by expert."""


def experts_share(view: LayerView) -> float:
    """Return the expected share of experts that at least one token reaches, if the router prefers none; 1 without one.

    A token reaches ``k`` of ``E``, so ``n`` tokens reach a share of ``1 - (1 - k / E) ** n``.
    """
    stacked = view.shape(2)
    if view.layer.op_type not in _EXPERTS or not stacked or not stacked[0]:
        return 1.0
    chosen = min(1.0, view.number("k", 1) / stacked[0])
    return 1.0 - (1.0 - chosen) ** math.prod(view.shape(0)[:-1])


def experts_product(view: LayerView) -> int:
    """Count what tokens take of the products of the experts chosen for them; packed weights as those they stand for."""
    packed = 8 // view.number("expert_weight_bits", 4) if view.layer.op_type == "QMoE" else 1
    weights = sum(math.prod(view.shape(position)[1:]) for position in _EXPERTS[view.layer.op_type])
    absent = sum(not view.has(position) for position in _EXPERTS[view.layer.op_type])
    tokens = math.prod(view.shape(0)[:-1])
    return 2 * tokens * view.number("k", 1) * (weights - absent) * packed


_NAMES: tuple[tuple[str, Callable[[LayerView], int]], ...] = (
    ("Conv FusedConv NhwcConv NhwcFusedConv ConvInteger DeformConv", _convolution),
    ("QLinearConv", lambda view: _convolution(view, weight=3)),
    ("ConvTranspose", _transposed_convolution),
    ("MatMul MatMulInteger MatMulIntegerToFloat DynamicQuantizeMatMul QLinearMatMul", _product),
    ("Gemm FusedGemm QGemm FusedMatMul FusedMatMulActivation TransposeMatMul", _fused_product),
    ("MatMulNBits", lambda view: 2 * view.output_elements * view.number("K")),
    ("LSTM GRU RNN DynamicQuantizeLSTM", _recurrent),
    ("Einsum", _einsum),
    ("Attention", lambda view: _packed_attention(view) if view.attribute("num_heads", 0) else attention_products(view)),
    ("MultiHeadAttention GroupQueryAttention", attention_products),
    ("MoE QMoE", experts_product),
)
_COUNTERS = {name: counter for names, counter in _NAMES for name in names.split()}
"""By operator type, whatever the domain: fused and blocked versions count as the operator."""


def layer_flops(model: Model, layer: Layer) -> int:
    """Count the operations of one layer, a multiply-add as two; 0 for layers other than products."""
    counter = _COUNTERS.get(layer.op_type)
    return apply_formula(counter, LayerView(model, layer)) or 0 if counter is not None else 0


def apply_formula(counter: Callable[[LayerView], int], view: LayerView) -> int | None:
    """Apply a formula to a layer; None if its shapes have other ranks than the formula needs.

    Shape inference does not check the ranks of a runtime's own operators, so a file may contain any.
    """
    try:
        return counter(view)
    except (IndexError, ValueError, ZeroDivisionError):
        return None
