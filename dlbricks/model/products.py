"""Operations of layers that are products: what ``flops`` counts, and what is done before and after them.

Bias, activation, sum, quantisation and softmax are counted as in ``arithmetic``, a multiply-add as two. Pure.
"""

import math
from collections.abc import Callable, Mapping

from dlbricks.model.arithmetic import CONTRIB, FUNCTIONS, ONNX, QUANTISE, Count
from dlbricks.model.flops import layer_flops
from dlbricks.model.view import LayerView

_SOFTMAX = 5
_DYNAMIC_QUANTISE = 7
_NCHWC = "onnxruntime nchwc_schema_defs.cc"
_LSTM = "Hochreiter, Schmidhuber, Neural Computation 9(8), 1997; ONNX Operators.md"
_GRU = "Cho et al., arXiv:1406.1078; ONNX Operators.md"
_ATTENTION = "Vaswani et al., arXiv:1706.03762"
WHOLE_NUMBERS = frozenset(
    (
        *("MatMulInteger", "ConvInteger", "MatMulIntegerToFloat", "DynamicQuantizeMatMul"),
        *("DynamicQuantizeLSTM", "QAttention", "QLinearConv", "QLinearMatMul", "QGemm"),
    )
)
"""Operators whose products are of integers of 8 bits, whatever element type they give."""
_DEFAULT_ACTIVATIONS = {"LSTM": ("Sigmoid", "Tanh", "Tanh"), "GRU": ("Sigmoid", "Tanh"), "RNN": ("Tanh",)}


def _product(view: LayerView) -> int:
    return layer_flops(view.model, view.layer)


def _activation(view: LayerView) -> int:
    """Operations per value of the activation fused to a layer; one where the function is not known."""
    name = view.text("activation")
    return FUNCTIONS.get(name, (1, ""))[0] if name else 0


def _after(*operands: int, more: int = 0) -> Callable[[LayerView], int]:
    """A product, then per value: one for each of some operands that is there, the activation, and ``more``."""

    def count(view: LayerView) -> int:
        each = sum(view.has(position) for position in operands) + _activation(view) + more
        return _product(view) + each * view.output_elements

    return count


def _scaled_product(view: LayerView) -> int:
    """Gemm and FusedMatMul: alpha where it is not 1, beta and C where there is one, the activation."""
    scaled = [view.attribute(name, 1.0) not in (1, 1.0, (1.0).hex()) for name in ("alpha", "beta")]
    alpha, beta = scaled
    added = 1 + beta if view.has(2) else 0
    return _product(view) + (alpha + added + _activation(view)) * view.output_elements


def _dynamic_product(view: LayerView) -> int:
    """The first operand is quantised; each value given is scaled, and a bias added."""
    return _product(view) + _DYNAMIC_QUANTISE * view.elements(0) + (1 + view.has(4)) * view.output_elements


def _blocked_product(view: LayerView) -> int:
    """Weights are turned to floats: two for each."""
    return _product(view) + 2 * view.number("K") * view.number("N") + view.has(5) * view.output_elements


def _steps(view: LayerView) -> int:
    """Values of the hidden state over all steps, batch and directions."""
    recurrence = view.shape(2)
    return math.prod(view.shape(0)[:2]) * math.prod(recurrence[:1]) * math.prod(recurrence[-1:])


def _cell(view: LayerView) -> int:
    """Recurrent cells: products, sums of both and bias for each gate, activations, then the state's own arithmetic."""
    kind = next(name for name in _DEFAULT_ACTIVATIONS if name in view.layer.op_type)
    names = view.attribute("activations", None)
    used = [str(name) for name in names] if isinstance(names, list) and names else list(_DEFAULT_ACTIVATIONS[kind])
    costs = [FUNCTIONS.get(name, (1, ""))[0] for name in used[: len(_DEFAULT_ACTIVATIONS[kind])]]
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[kind]
    if kind == "LSTM":
        own = 3 * costs[0] + costs[1] + costs[2] + 4 + (6 if view.has(7) else 0)
    elif kind == "GRU":
        own = 2 * costs[0] + costs[1] + 5
    else:
        own = costs[0]
    dynamic = _DYNAMIC_QUANTISE * view.elements(0) if view.layer.op_type.startswith("Dynamic") else 0
    return _product(view) + dynamic + (gates * (1 + view.has(3)) + own) * _steps(view)


def _scores(view: LayerView, heads: int, batch: int, queries: int, keys: int) -> int:
    """Softmax, scale and mask of attention: per score; a mask counts where one is given."""
    masks = _MASKS.get((view.layer.domain, view.layer.op_type), ())
    return batch * heads * queries * keys * (_SOFTMAX + 1 + any(map(view.has, masks)))


_MASKS: Mapping[tuple[str, str], tuple[int, ...]] = {
    ("", "Attention"): (3,),
    ("com.microsoft", "Attention"): (3, 5),
    ("com.microsoft", "MultiHeadAttention"): (4, 5),
    ("com.microsoft", "GroupQueryAttention"): (10,),
    ("com.microsoft", "QAttention"): (5,),
}


def _packed_attention(view: LayerView) -> int:
    """``com.microsoft`` Attention and QAttention: projection of q, k and v with bias, then attention."""
    batch, length, _ = view.shape(0)
    heads = view.number("num_heads", 1)
    weights, hidden = view.shape(1), view.output_elements
    past = next((view.shape(at)[-2] for at in (4, 8) if len(view.shape(at)) == 5), 0)
    keys = length + past
    products = 2 * batch * length * math.prod(weights) + 4 * keys * hidden
    bias = batch * length * weights[-1] * view.has(2)
    return products + bias + _scores(view, heads, batch, length, keys)


def _attention(view: LayerView) -> int:
    """Attention on q, k and v, which may be packed into one operand; keys kept from earlier calls count."""
    if view.layer.op_type == "Attention" and view.layer.domain == "com.microsoft":
        return _packed_attention(view)
    query, output = view.shape(0), view.output
    spatial = len(query) == 4
    batch, queries = query[0], query[2] if spatial else query[1]
    heads = query[1] if spatial else view.number("num_heads") or view.number("q_num_heads", 1)
    present = view.made(1)
    keys = view.shape(1)[-2] if len(view.shape(1)) in (3, 4) else queries
    if present is not None and len(present.shape) >= 4:
        keys = present.shape[-2]
    asked = query if view.has(1) else output
    products = 2 * keys * (math.prod(asked) + math.prod(output))
    given = sum(map(view.elements, (0, 1, 2)))
    bias = given if view.layer.op_type == "MultiHeadAttention" and view.has(3) else 0
    rotated = 3 * (view.elements(0) + view.elements(1)) if view.number("do_rotary") else 0
    return products + bias + rotated + _scores(view, heads, batch, queries, keys)


def _table() -> dict[str, Count]:
    sums = "product, 1 per value for each of bias and sum, activation"
    quantised = "product, 1 per value for a bias, 5 to quantise"
    rows: tuple[tuple[str, str, Callable[[LayerView], int], str], ...] = (
        ("Conv", sums, _after(2, 3), f"{ONNX}; {_NCHWC}"),
        ("FusedConv NhwcConv NhwcFusedConv", sums, _after(2, 3), CONTRIB),
        ("ConvTranspose", sums, _after(2), ONNX),
        ("DeformConv", sums, _after(3), ONNX),
        ("ConvInteger MatMulInteger MatMul Einsum", "product", _product, ONNX),
        ("QLinearConv", quantised, _after(8, more=QUANTISE), ONNX),
        ("QLinearMatMul", quantised, _after(more=QUANTISE), ONNX),
        ("QGemm", "product, 1 per value for C, 5 to quantise", _after(6, more=QUANTISE), CONTRIB),
        ("MatMulIntegerToFloat", "product, scale, bias", _after(6, more=1), CONTRIB),
        ("DynamicQuantizeMatMul", "7 per value of A, product, scale, bias", _dynamic_product, CONTRIB),
        ("MatMulNBits", "2 per weight, product, bias", _blocked_product, CONTRIB),
        ("Gemm", "product, alpha, beta, C", _scaled_product, ONNX),
        ("FusedGemm", "product, alpha, beta, C, activation", _scaled_product, CONTRIB),
        ("FusedMatMul TransposeMatMul FusedMatMulActivation", "product, alpha, activation", _scaled_product, CONTRIB),
        ("LSTM", "products, 1 or 2 per gate, activations, 4 per state", _cell, _LSTM),
        ("DynamicQuantizeLSTM", "7 per value of X, then LSTM", _cell, CONTRIB),
        ("GRU", "products, 1 or 2 per gate, activations, 5 per state", _cell, _GRU),
        ("RNN", "products, 1 or 2 per state, activation", _cell, ONNX),
        ("Attention", "products, 6 per score, 1 for a mask, bias and rotation of operands", _attention, _ATTENTION),
        (
            "MultiHeadAttention GroupQueryAttention",
            "products, 6 per score, 1 for a mask, bias and rotation of operands",
            _attention,
            _ATTENTION,
        ),
        ("QAttention", "products, bias, 6 per score, 1 for a mask", _packed_attention, _ATTENTION),
    )
    return {
        name: Count(formula=formula, count=count, source=source)
        for names, formula, count, source in rows
        for name in names.split()
    }


PRODUCTS: Mapping[str, Count] = _table()
"""By operator, whatever the domain."""
