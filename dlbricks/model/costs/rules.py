"""Operations of layers that are no products: element-wise functions, normalisations, reductions, windows, quantisation.

One operation is one arithmetic or logical step of the formula in the operator's specification: an addition, a
multiplication, a division, a comparison, or one call of a function such as exp, erf, tanh, pow or sqrt. Negation counts
as one, moving, converting and choosing a value as none. Other tools weigh functions by instructions (onnx-tool takes 32
for an exponential); the weights are those of one processor, so none are used here. Pure.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from dlbricks.model.costs.flops import LayerView, layer_flops

ONNX = "ONNX Operators.md"
CONTRIB = "onnxruntime ContribOperators.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How the operations of an operator are counted."""

    formula: str
    """In words, for people."""
    count: Callable[[LayerView], int]
    source: str
    """Specification or paper that the formula is from."""


def per_value(number: int, formula: str, *, source: str = ONNX) -> Count:
    """Count so many operations for each value of the first output."""
    words = f"{number} per value: {formula}" if formula else f"{number} per value"
    return Count(formula=words, count=lambda view: number * view.output_elements, source=source)


def moved(source: str = ONNX) -> Count:
    """Count nothing: values are moved, converted or chosen."""
    return Count(formula="none: moves values", count=lambda _: 0, source=source)


def _all(names: str, count: Count) -> dict[str, Count]:
    return dict.fromkeys(names.split(), count)


_ONE_EACH = (
    "Abs Acos Acosh Asin Asinh Atan Atanh BitwiseNot Ceil Cos Cosh Erf Exp Floor IsInf IsNaN Log Neg Not Reciprocal"
    " Relu Round Sign Sin Sinh Sqrt Tan Tanh ThresholdedRelu"
)

FUNCTIONS: Mapping[str, tuple[int, str]] = {
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
"""Functions of one value: operations and formula; activations of fused operators are looked up here, too."""

_BINARY = (
    "Add And BitShift BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less LessOrEqual Mod Mul Or Pow"
    " Sub Xor"
)
_MOVES = (
    "BitCast Cast CastLike CenterCropPad Compress Concat ConstantOfShape Constant DepthToSpace Dropout Expand EyeLike"
    " Flatten Gather GatherElements GatherND Identity MaxUnpool NonZero OneHot Pad Range Reshape ReverseSequence"
    " Scatter Shape Size Slice SpaceToDepth Split Squeeze TensorScatter Tile Transpose Trilu Unsqueeze Where"
)


def _gelu(view: LayerView) -> int:
    name = "FastGelu" if view.text("approximate") == "tanh" else "Gelu"
    return FUNCTIONS[name][0] * view.output_elements


def _with_bias(name: str) -> Callable[[LayerView], int]:
    return lambda view: (FUNCTIONS[name][0] + view.has(1)) * view.output_elements


def _variadic(view: LayerView) -> int:
    return max(0, len(view.layer.inputs) - 1 + (view.layer.op_type == "Mean")) * view.output_elements


def _scattered(view: LayerView) -> int:
    return view.elements(2) if view.text("reduction") not in {"", "none"} else 0


def _rows(view: LayerView) -> int:
    """Number of stretches that a normalisation over the axes from ``axis`` on takes together."""
    shape = view.shape(0)
    axis = view.number("axis", -1)
    return math.prod(shape[: axis if axis >= 0 else len(shape) + axis])


def _layer_normalisation(view: LayerView, bias: int = 2) -> int:
    return (6 + view.has(bias)) * view.elements(0) + 5 * _rows(view)


def _rms_normalisation(view: LayerView) -> int:
    return 4 * view.elements(0) + 4 * _rows(view)


def _skip_normalisation(view: LayerView) -> int:
    """Skip connection and bias are added, then normalised; inputs: x, skip, gamma, beta, bias, without beta for RMS."""
    plain = view.layer.op_type == "SkipLayerNormalization"
    added = 1 + view.has(4 if plain else 3)
    each, row = (6 + view.has(3), 5) if plain else (4, 4)
    return (added + each) * view.elements(0) + row * math.prod(view.shape(0)[:-1])


def _embedding_normalisation(view: LayerView) -> int:
    """Sum of two or three embeddings, then normalised; ids come first, then the tables, gamma and beta."""
    added = 2 if view.has(1) else 1
    return (added + 7) * view.output_elements + 5 * math.prod(view.output[:-1])


def _instance_normalisation(view: LayerView) -> int:
    return 7 * view.elements(0) + 5 * math.prod(view.shape(0)[:2])


def _group_normalisation(view: LayerView) -> int:
    """Also with the activation (SiLU) and the skip connection of onnxruntime's versions."""
    groups = view.number("num_groups") or view.number("groups", 1)
    more = FUNCTIONS["Swish"][0] - 1 if view.number("activation") else 0
    skip = view.layer.op_type == "SkipGroupNorm"
    added = (1 + view.has(4)) if skip else 0
    return (7 + more + added) * view.elements(0) + 5 * math.prod(view.shape(0)[:1]) * groups


def _batch_normalisation(view: LayerView) -> int:
    return 2 * view.elements(0) + 5 * view.elements(1)


def _local_response(view: LayerView) -> int:
    return (5 + view.number("size", 1)) * view.elements(0)


def reduction(each: int, end: int, formula: str) -> Count:
    """Count operations for each value read, and at the end for each value given."""
    return Count(
        formula=f"{each} per value read, {end} per value given: {formula}" if end else f"{each} per value read",
        count=lambda view: each * view.elements(0) + end * view.output_elements,
        source=ONNX,
    )


def _window(more: int) -> Callable[[LayerView], int]:
    def count(view: LayerView) -> int:
        return (math.prod(view.numbers("kernel_shape") or [1]) + more) * view.output_elements

    return count


def _taps(view: LayerView) -> int:
    """Values that one interpolated value is made of; 1 for the nearest."""
    taps = {"linear": 2, "bilinear": 2, "trilinear": 2, "cubic": 4, "bicubic": 4}.get(view.text("mode"), 1)
    given = view.shape(0)
    if view.layer.op_type == "GridSample":
        return int(taps ** (len(given) - 2))
    return int(taps ** sum(old != new for old, new in zip(given, view.output, strict=False)))


def _interpolation(view: LayerView) -> int:
    return (2 * _taps(view) - 1 if _taps(view) > 1 else 0) * view.output_elements


def _softmax(view: LayerView) -> int:
    more = view.layer.op_type == "BiasSoftmax"
    return (5 + more) * view.output_elements


def _dynamic_quantisation(view: LayerView) -> int:
    return 7 * view.elements(0)


QUANTISE = 5
"""x/s, round, + z, and two comparisons."""
DEQUANTISE = 2
"""- z, times s."""


def _q_unary(number: int, formula: str) -> Count:
    return per_value(DEQUANTISE + number + QUANTISE, f"to floats, {formula}, and back", source=CONTRIB)


def _q_concatenation(view: LayerView) -> int:
    return (DEQUANTISE + QUANTISE) * view.output_elements


def _q_window(view: LayerView) -> int:
    return DEQUANTISE * view.elements(0) + _window(1 + QUANTISE)(view)


def _q_pool(view: LayerView) -> int:
    return (DEQUANTISE + 1) * view.elements(0) + (1 + QUANTISE) * view.output_elements


def _counts(names: Iterable[tuple[str, str, Callable[[LayerView], int], str]]) -> dict[str, Count]:
    return {name: Count(formula=formula, count=count, source=source) for name, formula, count, source in names}


_LAYER_NORM = "Ba, Kiros, Hinton, arXiv:1607.06450"
_RMS_NORM = "Zhang, Sennrich, arXiv:1910.07467"

ELEMENTWISE: Mapping[str, Count] = {
    **{name: per_value(number, formula) for name, (number, formula) in FUNCTIONS.items()},
    **_all(_BINARY, per_value(1, "")),
    **_all(_MOVES, moved()),
    **_all("ReorderInput ReorderOutput", moved("onnxruntime nchwc_schema_defs.cc")),
    "Softmax": Count(formula="5 per value: maximum, x - m, exp, sum, division", count=_softmax, source=ONNX),
    "LogSoftmax": Count(formula="5 per value: maximum, x - m, exp, sum, x - log", count=_softmax, source=ONNX),
    "BiasSoftmax": Count(formula="6 per value: + b, then Softmax", count=_softmax, source=CONTRIB),
    "RotaryEmbedding": per_value(3, "x cos + y sin", source="Su et al., arXiv:2104.09864"),
    "BiasAdd": per_value(2, "+ bias, + skip", source=CONTRIB),
    "LpNormalization": reduction(3, 0, "square, sum, division"),
    "MeanVarianceNormalization": reduction(6, 0, "mean, deviation, square, sum, division, mean"),
    "ReduceMean": reduction(1, 1, "sum, division"),
    "ReduceL1": reduction(2, 0, "abs, sum"),
    "ReduceL2": reduction(2, 1, "square, sum, root"),
    "ReduceSumSquare": reduction(2, 0, "square, sum"),
    "ReduceLogSum": reduction(1, 1, "sum, log"),
    "ReduceLogSumExp": reduction(2, 1, "exp, sum, log"),
    **_all("ReduceSum ReduceMax ReduceMin ReduceProd ArgMax ArgMin CumSum CumProd", reduction(1, 0, "")),
    **_all("TopK Hardmax", reduction(1, 0, "")),
    "GlobalAveragePool": reduction(1, 1, "sum, division"),
    "GlobalMaxPool": reduction(1, 0, ""),
    "GlobalLpPool": reduction(2, 1, "power, sum, root"),
    "DequantizeLinear": per_value(DEQUANTISE, "- z, times s"),
    "QuantizeLinear": per_value(QUANTISE, "x/s, round, + z, two comparisons"),
    "QLinearAdd": per_value(2 * DEQUANTISE + 1 + QUANTISE, "both to floats, +, and back", source=CONTRIB),
    "QLinearMul": per_value(2 * DEQUANTISE + 1 + QUANTISE, "both to floats, times, and back", source=CONTRIB),
    "QLinearLeakyRelu": _q_unary(2, "LeakyRelu"),
    "QLinearSigmoid": _q_unary(4, "Sigmoid"),
    "QLinearSoftmax": _q_unary(5, "Softmax"),
    **_counts(
        (
            ("Gelu", "5 per value, 9 when approximate: x/2 (1 + erf(x/sqrt 2))", _gelu, ONNX),
            ("FastGelu", "9 per value: x/2 (1 + tanh(a(x + bxxx))), 1 for a bias", _with_bias("FastGelu"), CONTRIB),
            ("BiasGelu", "6 per value: + b, then Gelu", _with_bias("Gelu"), CONTRIB),
            ("QuickGelu", "6 per value: x sigmoid(ax)", lambda view: 6 * view.output_elements, CONTRIB),
            *((name, "1 per value and operand but the first", _variadic, ONNX) for name in ("Sum", "Max", "Min")),
            ("Mean", "1 per value and operand", _variadic, ONNX),
            *((name, "1 per update that is reduced", _scattered, ONNX) for name in ("ScatterND", "ScatterElements")),
            ("LayerNormalization", "6 per value, 1 for a bias, 5 per row", _layer_normalisation, _LAYER_NORM),
            *(
                (name, "4 per value, 4 per row", _rms_normalisation, _RMS_NORM)
                for name in ("RMSNormalization", "SimplifiedLayerNormalization")
            ),
            *(
                (name, "1 per value for each operand added, then the normalisation", _skip_normalisation, CONTRIB)
                for name in ("SkipLayerNormalization", "SkipSimplifiedLayerNormalization")
            ),
            ("EmbedLayerNormalization", "sum of embeddings, LayerNormalization", _embedding_normalisation, CONTRIB),
            ("InstanceNormalization", "7 per value, 5 per channel", _instance_normalisation, ONNX),
            *(
                (name, "7 per value, 5 per group, skip and activation", _group_normalisation, source)
                for name, source in (("GroupNormalization", ONNX), ("GroupNorm", CONTRIB), ("SkipGroupNorm", CONTRIB))
            ),
            ("BatchNormalization", "2 per value: ax + b, 5 per channel for a and b", _batch_normalisation, ONNX),
            ("LRN", "5 per value, 1 per value and channel of the window", _local_response, ONNX),
            *((name, "window per value given", _window(0), ONNX) for name in ("MaxPool", "NhwcMaxPool")),
            ("AveragePool", "window per value given, 1 for the division", _window(1), ONNX),
            ("LpPool", "two windows per value given, 1 for the root", lambda view: 2 * _window(0)(view), ONNX),
            ("QLinearAveragePool", "to floats, AveragePool, and back", _q_window, CONTRIB),
            *(
                (name, "to floats, mean, and back", _q_pool, CONTRIB)
                for name in ("QLinearGlobalAveragePool", "QLinearReduceMean")
            ),
            ("QLinearConcat", "7 per value: to floats and back", _q_concatenation, CONTRIB),
            *(
                (name, "per value given one product per tap, and their sum", _interpolation, ONNX)
                for name in ("Resize", "Upsample", "GridSample")
            ),
            ("DynamicQuantizeLinear", "7 per value: range, then QuantizeLinear", _dynamic_quantisation, ONNX),
        )
    ),
}
"""By operator, whatever the domain; products, convolutions, recurrent cells and attention are in ``products``."""


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
