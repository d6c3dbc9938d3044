"""Operations of one call of a layer, one rule per operator. Pure.

One operation is one arithmetic or logical step of the formula in the operator's specification: an addition, a
multiplication, a division, a comparison, or one call of a function such as exp, erf, tanh, pow or sqrt. Negation counts
one; moving, converting and selecting values count none. Other tools weight functions by instructions (onnx-tool takes
32 for an exponential), which are those of one processor.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from dlbricks.model.costs.flops import LayerView, attended_keys, attention_products, experts_product, layer_flops

_ONNX = "ONNX Operators.md"
_CONTRIB = "onnxruntime ContribOperators.md"
_NCHWC = "onnxruntime nchwc_schema_defs.cc"
_LAYER_NORM = "Ba, Kiros, Hinton, arXiv:1607.06450"
_RMS_NORM = "Zhang, Sennrich, arXiv:1910.07467"
_LSTM = "Hochreiter, Schmidhuber, Neural Computation 9(8), 1997; ONNX Operators.md"
_GRU = "Cho et al., arXiv:1406.1078; ONNX Operators.md"
_ATTENTION = "Vaswani et al., arXiv:1706.03762"
_ROTARY = "Su et al., arXiv:2104.09864"

WHOLE_NUMBERS = frozenset(
    (
        *("MatMulInteger", "ConvInteger", "MatMulIntegerToFloat", "DynamicQuantizeMatMul"),
        *("DynamicQuantizeLSTM", "QAttention", "QLinearConv", "QLinearMatMul", "QGemm"),
    )
)
"""Operators whose products are of 8-bit integers, whatever element type they output."""

_Counter = Callable[[LayerView], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRule:
    """How the operations of an operator are counted."""

    formula: str
    """In words, for people."""
    count: _Counter
    source: str
    """Specification or paper of the formula."""


_ONE_EACH = (
    "Abs Acos Acosh Asin Asinh Atan Atanh BitwiseNot Ceil Cos Cosh Erf Exp Floor IsInf IsNaN Log Neg Not Reciprocal"
    " Relu Round Sign Sin Sinh Sqrt Tan Tanh ThresholdedRelu"
)
_FUNCTIONS: Mapping[str, tuple[int, str]] = {
    **dict.fromkeys(_ONE_EACH.split(), (1, "")),
    "Celu": (7, "max(0, x) + min(0, a(exp(x/a) - 1))"),
    "Clip": (2, "min(max(x, low), high)"),
    "Elu": (4, "comparison, a(exp(x) - 1)"),
    "Gelu": (5, "x/2 (1 + erf(x/sqrt 2))"),
    "FastGelu": (9, "x/2 (1 + tanh(a(x + bxxx)))"),
    "HardSigmoid": (4, "min(max(ax + b, 0), 1)"),
    "HardSwish": (5, "x HardSigmoid(x)"),
    "LeakyRelu": (2, "comparison, ax"),
    "Mish": (5, "x tanh(log(1 + exp x))"),
    "PRelu": (2, "comparison, ax"),
    "QuickGelu": (6, "x sigmoid(ax)"),
    "Selu": (5, "comparison, c(a exp(x) - a)"),
    "Shrink": (3, "two comparisons, x + b"),
    "Sigmoid": (4, "1 / (1 + exp(-x))"),
    "Softplus": (3, "log(1 + exp x)"),
    "Softsign": (3, "x / (1 + abs x)"),
    "Swish": (6, "x sigmoid(ax)"),
}
"""Functions of one value: operations and formula; used for activations of fused operators as well."""

_BINARY = (
    "Add And BitShift BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less LessOrEqual Mod Mul Or Pow"
    " Sub Xor"
)
_MOVES = (
    "BitCast Cast CastLike CenterCropPad Compress Concat ConstantOfShape Constant DepthToSpace Dropout Expand EyeLike"
    " Flatten Gather GatherElements GatherND Identity MaxUnpool NonZero OneHot Pad Range Reshape ReverseSequence"
    " Scatter Shape Size Slice SpaceToDepth Split Squeeze TensorScatter Tile Transpose Trilu Unsqueeze Where"
)
_QUANTISE, _DEQUANTISE, _DYNAMIC_QUANTISE, _SOFTMAX = 5, 2, 7, 5
"""Per value: x/s, round, + z, two comparisons; - z, times s; range, then as the first; m, x - m, exp, sum, division."""


def _values(read: int, made: int) -> _Counter:
    """Count operations for each value of the first operand, and for each of the first output."""
    return lambda view: read * view.elements(0) + made * view.output_elements


def _each(number: int, formula: str = "", *, source: str = _ONNX) -> OperationRule:
    """Count ``number`` operations for each value of the first output."""
    words = f"{number} per value: {formula}" if formula else f"{number} per value"
    return OperationRule(formula=words, count=lambda view: number * view.output_elements, source=source)


def _reduced(each: int, end: int = 0, formula: str = "") -> OperationRule:
    """Count operations for each value read, and ``end`` operations for each value written."""
    words = f"{each} per value read, {end} per value given: {formula}" if end else f"{each} per value read"
    return OperationRule(formula=words, count=_values(each, end), source=_ONNX)


def _function(name: str) -> int:
    return _FUNCTIONS.get(name, (1, ""))[0]


def _gelu(view: LayerView) -> int:
    kind = view.layer.op_type
    fast = kind == "FastGelu" or view.text("approximate") == "tanh"
    biased = kind != "Gelu" and view.has(1)
    return (_function("FastGelu" if fast else "Gelu") + biased) * view.output_elements


def _variadic(view: LayerView) -> int:
    return max(0, len(view.layer.inputs) - 1 + (view.layer.op_type == "Mean")) * view.output_elements


def _layer_normalisation(view: LayerView, *, rms: bool = False) -> int:
    """A row spans the axes from ``axis`` on."""
    shape, axis = view.shape(0), view.number("axis", -1)
    rows = math.prod(shape[: axis if axis >= 0 else len(shape) + axis])
    return 4 * view.elements(0) + 4 * rows if rms else (6 + view.has(2)) * view.elements(0) + 5 * rows


def _skip_normalisation(view: LayerView) -> int:
    """Add skip connection and bias, then normalise; inputs: x, skip, gamma, beta, bias, without beta for RMS."""
    plain = view.layer.op_type == "SkipLayerNormalization"
    added = 1 + view.has(4 if plain else 3)
    each, row = (6 + view.has(3), 5) if plain else (4, 4)
    return (added + each) * view.elements(0) + row * math.prod(view.shape(0)[:-1])


def _embedding_normalisation(view: LayerView) -> int:
    """Add two or three embeddings, then normalise; ids come first, then the tables, gamma and beta."""
    return (8 + view.has(1)) * view.output_elements + 5 * math.prod(view.output[:-1])


def _group_normalisation(view: LayerView) -> int:
    """Includes the activation (SiLU) and the skip connection of onnxruntime's versions."""
    groups = view.number("num_groups") or view.number("groups", 1)
    more = _function("Swish") - 1 if view.number("activation") else 0
    added = 1 + view.has(4) if view.layer.op_type == "SkipGroupNorm" else 0
    return (7 + more + added) * view.elements(0) + 5 * math.prod(view.shape(0)[:1]) * groups


def _window(view: LayerView, more: int = 0) -> int:
    return (math.prod(view.numbers("kernel_shape") or [1]) + more) * view.output_elements


def _interpolation(view: LayerView) -> int:
    """One product per tap (values from which one value is interpolated), and their sum; none for nearest neighbours."""
    taps = {"linear": 2, "bilinear": 2, "trilinear": 2, "cubic": 4, "bicubic": 4}.get(view.text("mode"), 1)
    given = view.shape(0)
    changed = sum(old != new for old, new in zip(given, view.output, strict=False))
    taps **= len(given) - 2 if view.layer.op_type == "GridSample" else changed
    return (2 * taps - 1 if taps > 1 else 0) * view.output_elements


def _product(view: LayerView) -> int:
    return layer_flops(view.model, view.layer)


def _after(*operands: int, more: int = 0) -> _Counter:
    """A product, then per value: one for each of some operands that is present, the activation, and ``more``."""

    def count(view: LayerView) -> int:
        activation = view.text("activation")
        each = sum(map(view.has, operands)) + (_function(activation) if activation else 0) + more
        return _product(view) + each * view.output_elements

    return count


def _scaled_product(view: LayerView) -> int:
    """Gemm and FusedMatMul: alpha other than 1, beta and C if present, the activation."""
    alpha, beta = (view.attribute(name, 1.0) not in (1, 1.0, (1.0).hex()) for name in ("alpha", "beta"))
    return _after(more=alpha + (1 + beta if view.has(2) else 0))(view)


def _dynamic_product(view: LayerView) -> int:
    """Quantise the first operand; scale each result, and add a bias."""
    return _product(view) + _DYNAMIC_QUANTISE * view.elements(0) + (1 + view.has(4)) * view.output_elements


def _blocked_product(view: LayerView) -> int:
    """Dequantise the weights with two operations each."""
    return _product(view) + 2 * view.number("K") * view.number("N") + view.has(5) * view.output_elements


_ACTIVATIONS = {"LSTM": ("Sigmoid", "Tanh", "Tanh"), "GRU": ("Sigmoid", "Tanh"), "RNN": ("Tanh",)}


def _cell(view: LayerView) -> int:
    """Recurrent cells: products, sums of both and bias for each gate, activations, then the arithmetic of the state."""
    kind = next(name for name in _ACTIVATIONS if name in view.layer.op_type)
    names = view.attribute("activations", None)
    used = [str(name) for name in names] if isinstance(names, list) and names else list(_ACTIVATIONS[kind])
    costs = [_function(name) for name in used[: len(_ACTIVATIONS[kind])]]
    gates, own = {
        "LSTM": (4, 3 * costs[0] + sum(costs[1:]) + 4 + 6 * view.has(7)),
        "GRU": (3, 2 * costs[0] + sum(costs[1:]) + 5),
        "RNN": (1, costs[0]),
    }[kind]
    recurrence = view.shape(2)
    states = math.prod(view.shape(0)[:2]) * math.prod(recurrence[:1]) * math.prod(recurrence[-1:])
    dynamic = _DYNAMIC_QUANTISE * view.elements(0) if view.layer.op_type.startswith("Dynamic") else 0
    return _product(view) + dynamic + (gates * (1 + view.has(3)) + own) * states


_MASKS: Mapping[tuple[str, str], tuple[int, ...]] = {
    ("", "Attention"): (3,),
    ("com.microsoft", "Attention"): (3, 5),
    ("com.microsoft", "MultiHeadAttention"): (4, 5),
    ("com.microsoft", "GroupQueryAttention"): (10,),
    ("com.microsoft", "QAttention"): (5,),
}


def _scores(view: LayerView, heads: int, batch: int, queries: int, keys: int) -> int:
    """Softmax, scale and mask per score; a mask counts if present."""
    masks = _MASKS.get((view.layer.domain, view.layer.op_type), ())
    return batch * heads * queries * keys * (_SOFTMAX + 1 + any(map(view.has, masks)))


def _packed_attention(view: LayerView) -> int:
    """``com.microsoft`` Attention and QAttention: projection of q, k and v with bias, then attention."""
    batch, length, _ = view.shape(0)
    weights = view.shape(1)
    past = next((view.shape(at)[-2] for at in (4, 8) if len(view.shape(at)) == 5), 0)
    keys = length + past
    products = 2 * batch * length * math.prod(weights) + 4 * keys * view.output_elements
    bias = batch * length * weights[-1] * view.has(2)
    return products + bias + _scores(view, view.number("num_heads", 1), batch, length, keys)


def _attention(view: LayerView) -> int:
    """Attention on q, k and v, which may be packed into one operand; keys of earlier calls count."""
    if view.layer.op_type == "Attention" and view.layer.domain == "com.microsoft":
        return _packed_attention(view)
    query = view.shape(0)
    spatial = len(query) == 4
    batch, queries = query[0], query[2] if spatial else query[1]
    heads = query[1] if spatial else view.number("num_heads") or view.number("q_num_heads", 1)
    keys, products = attended_keys(view), attention_products(view)
    given = sum(map(view.elements, (0, 1, 2)))
    bias = given if view.layer.op_type == "MultiHeadAttention" and view.has(3) else 0
    rotated = 3 * (view.elements(0) + view.elements(1)) if view.number("do_rotary") else 0
    return products + bias + rotated + _scores(view, heads, batch, queries, keys)


_ROUND_TRIP = _DEQUANTISE + _QUANTISE
_SUMS = "product, 1 per value for each of bias and sum, activation"
_QUANTISED = "product, 1 per value for a bias, 5 to quantise"
_SCALED = "product, alpha, activation"
_ROWS: tuple[tuple[str, str, _Counter, str], ...] = (
    ("Gelu", "5 per value, 9 when approximate: x/2 (1 + erf(x/sqrt 2))", _gelu, _ONNX),
    ("FastGelu", "9 per value: x/2 (1 + tanh(a(x + bxxx))), 1 for a bias", _gelu, _CONTRIB),
    ("BiasGelu", "6 per value: + b, then Gelu", _gelu, _CONTRIB),
    ("Sum Max Min", "1 per value and operand but the first", _variadic, _ONNX),
    ("Mean", "1 per value and operand", _variadic, _ONNX),
    (
        "ScatterND ScatterElements",
        "1 per update that is reduced",
        lambda view: view.elements(2) if view.text("reduction") not in {"", "none"} else 0,
        _ONNX,
    ),
    ("LayerNormalization", "6 per value, 1 for a bias, 5 per row", _layer_normalisation, _LAYER_NORM),
    (
        "RMSNormalization SimplifiedLayerNormalization",
        "4 per value, 4 per row",
        lambda view: _layer_normalisation(view, rms=True),
        _RMS_NORM,
    ),
    (
        "SkipLayerNormalization SkipSimplifiedLayerNormalization",
        "1 per value for each operand added, then the normalisation",
        _skip_normalisation,
        _CONTRIB,
    ),
    ("EmbedLayerNormalization", "sum of embeddings, LayerNormalization", _embedding_normalisation, _CONTRIB),
    (
        "InstanceNormalization",
        "7 per value, 5 per channel",
        lambda view: 7 * view.elements(0) + 5 * math.prod(view.shape(0)[:2]),
        _ONNX,
    ),
    ("GroupNormalization", "7 per value, 5 per group, skip and activation", _group_normalisation, _ONNX),
    ("GroupNorm SkipGroupNorm", "7 per value, 5 per group, skip and activation", _group_normalisation, _CONTRIB),
    (
        "BatchNormalization",
        "2 per value: ax + b, 5 per channel for a and b",
        lambda view: 2 * view.elements(0) + 5 * view.elements(1),
        _ONNX,
    ),
    (
        "LRN",
        "5 per value, 1 per value and channel of the window",
        lambda view: (5 + view.number("size", 1)) * view.elements(0),
        _ONNX,
    ),
    ("MaxPool NhwcMaxPool", "window per value given", _window, _ONNX),
    ("AveragePool", "window per value given, 1 for the division", lambda view: _window(view, 1), _ONNX),
    ("LpPool", "two windows per value given, 1 for the root", lambda view: 2 * _window(view), _ONNX),
    (
        "QLinearAveragePool",
        "to floats, AveragePool, and back",
        lambda view: _DEQUANTISE * view.elements(0) + _window(view, 1 + _QUANTISE),
        _CONTRIB,
    ),
    ("QLinearGlobalAveragePool QLinearReduceMean", "to floats, mean, and back", _values(3, 6), _CONTRIB),
    ("QLinearConcat", "7 per value: to floats and back", _values(0, _ROUND_TRIP), _CONTRIB),
    ("Resize Upsample GridSample", "per value given one product per tap, and their sum", _interpolation, _ONNX),
    ("DynamicQuantizeLinear", "7 per value: range, then QuantizeLinear", _values(_DYNAMIC_QUANTISE, 0), _ONNX),
    ("Conv", _SUMS, _after(2, 3), f"{_ONNX}; {_NCHWC}"),
    ("FusedConv NhwcConv NhwcFusedConv", _SUMS, _after(2, 3), _CONTRIB),
    ("ConvTranspose", _SUMS, _after(2), _ONNX),
    ("DeformConv", _SUMS, _after(3), _ONNX),
    ("ConvInteger MatMulInteger MatMul Einsum", "product", _product, _ONNX),
    ("QLinearConv", _QUANTISED, _after(8, more=_QUANTISE), _ONNX),
    ("QLinearMatMul", _QUANTISED, _after(more=_QUANTISE), _ONNX),
    ("QGemm", "product, 1 per value for C, 5 to quantise", _after(6, more=_QUANTISE), _CONTRIB),
    ("MatMulIntegerToFloat", "product, scale, bias", _after(6, more=1), _CONTRIB),
    ("DynamicQuantizeMatMul", "7 per value of A, product, scale, bias", _dynamic_product, _CONTRIB),
    ("MatMulNBits", "2 per weight, product, bias", _blocked_product, _CONTRIB),
    ("MoE QMoE", "2 per weight of a chosen expert and token", experts_product, _CONTRIB),
    ("Gemm", "product, alpha, beta, C", _scaled_product, _ONNX),
    ("FusedGemm", "product, alpha, beta, C, activation", _scaled_product, _CONTRIB),
    ("FusedMatMul TransposeMatMul FusedMatMulActivation", _SCALED, _scaled_product, _CONTRIB),
    ("LSTM", "products, 1 or 2 per gate, activations, 4 per state", _cell, _LSTM),
    ("DynamicQuantizeLSTM", "7 per value of X, then LSTM", _cell, _CONTRIB),
    ("GRU", "products, 1 or 2 per gate, activations, 5 per state", _cell, _GRU),
    ("RNN", "products, 1 or 2 per state, activation", _cell, _ONNX),
    (
        "Attention MultiHeadAttention GroupQueryAttention",
        "products, 6 per score, 1 for a mask, bias and rotation of operands",
        _attention,
        _ATTENTION,
    ),
    ("QAttention", "products, bias, 6 per score, 1 for a mask", _packed_attention, _ATTENTION),
)


_moved = partial(OperationRule, formula="none: moves values", count=lambda _: 0)


RULES: Mapping[str, OperationRule] = {
    **{name: _each(number, formula) for name, (number, formula) in _FUNCTIONS.items()},
    **dict.fromkeys(_BINARY.split(), _each(1)),
    **dict.fromkeys(_MOVES.split(), _moved(source=_ONNX)),
    **dict.fromkeys(("ReorderInput", "ReorderOutput"), _moved(source=_NCHWC)),
    "Softmax": _each(5, "maximum, x - m, exp, sum, division"),
    "LogSoftmax": _each(5, "maximum, x - m, exp, sum, x - log"),
    "BiasSoftmax": _each(6, "+ b, then Softmax", source=_CONTRIB),
    "RotaryEmbedding": _each(3, "x cos + y sin", source=_ROTARY),
    "QuickGelu": _each(6, "x sigmoid(ax)", source=_CONTRIB),
    "BiasAdd": _each(2, "+ bias, + skip", source=_CONTRIB),
    "LpNormalization": _reduced(3),
    "MeanVarianceNormalization": _reduced(6),
    **dict.fromkeys(("ReduceMean", "GlobalAveragePool"), _reduced(1, 1, "sum, division")),
    **dict.fromkeys(("ReduceL1", "ReduceSumSquare"), _reduced(2)),
    "ReduceL2": _reduced(2, 1, "square, sum, root"),
    "ReduceLogSum": _reduced(1, 1, "sum, log"),
    "ReduceLogSumExp": _reduced(2, 1, "exp, sum, log"),
    "GlobalLpPool": _reduced(2, 1, "power, sum, root"),
    **dict.fromkeys(
        ("ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ArgMax", "ArgMin", "CumSum", "CumProd"), _reduced(1)
    ),
    **dict.fromkeys(("TopK", "Hardmax", "GlobalMaxPool"), _reduced(1)),
    "DequantizeLinear": _each(_DEQUANTISE, "- z, times s"),
    "QuantizeLinear": _each(_QUANTISE, "x/s, round, + z, two comparisons"),
    "QLinearAdd": _each(_ROUND_TRIP + _DEQUANTISE + 1, "both to floats, +, and back", source=_CONTRIB),
    "QLinearMul": _each(_ROUND_TRIP + _DEQUANTISE + 1, "both to floats, times, and back", source=_CONTRIB),
    "QLinearLeakyRelu": _each(_ROUND_TRIP + 2, "to floats, LeakyRelu, and back", source=_CONTRIB),
    "QLinearSigmoid": _each(_ROUND_TRIP + 4, "to floats, Sigmoid, and back", source=_CONTRIB),
    "QLinearSoftmax": _each(_ROUND_TRIP + 5, "to floats, Softmax, and back", source=_CONTRIB),
    **{
        name: OperationRule(formula=formula, count=count, source=source)
        for names, formula, count, source in _ROWS
        for name in names.split()
    },
}
"""By operator, whatever the domain: fused and blocked versions count as the operator."""
