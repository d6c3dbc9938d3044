"""The table of operators: each row holds the facts about one or more operators.

All packages read facts about operators here. A new operator needs a row and a test.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import onnx

from dlbricks.errors import InputError
from dlbricks.extensions import extensions
from dlbricks.model.bodies import captured, domain_of
from dlbricks.model.schemas import canonical_attributes, signature_interval
from dlbricks.model.types import Layer
from dlbricks.operators import counts as count
from dlbricks.operators import value_rules as rule
from dlbricks.operators.counts import DEQUANTISE, DYNAMIC_QUANTISE, QUANTISE, results_bytes
from dlbricks.operators.row import ALL, Cost, Count, LayerView, Moves, OperandRole, Operator, Shaping, nothing
from dlbricks.operators.value_rules import LAST, POSITIVE, TOTAL, Shaper, constantly, fixed, within

RUNTIME = "com.microsoft"
BLOCKED = "com.microsoft.nchwc"
_BOTH = ("", RUNTIME)
_MOVED = Cost()

_W, _B, _P, _S, _WS, _Z, _Q = (
    OperandRole.WEIGHT,
    OperandRole.BIAS,
    OperandRole.POSITIVE,
    OperandRole.SCALE,
    OperandRole.WEIGHT_SCALE,
    OperandRole.ZERO_POINT,
    OperandRole.QUANTISED,
)
_FIRST = frozenset({0})


def _each(number: int) -> Cost:
    # Count ``number`` operations for each value of the first output.
    return Cost(others=lambda view: number * view.output_elements, per_value=number)


def _round_trip(number: int) -> Cost:
    # Count a conversion to floats, ``number`` operations, and the conversion back.
    return _each(DEQUANTISE + QUANTISE + number)


def _reduced(each: int, end: int = 0) -> Cost:
    # Count operations for each value read, and ``end`` operations for each value written.
    return Cost(others=count.values(each, end))


def _extent(numbers: Shaper | None, *, scales: bool = False, identifies: bool = False) -> Shaping:
    # An operand that decides extents or axes, which may be disclosed.
    return Shaping(numbers=numbers, scales=scales, identifies=identifies or scales)


def _decides(*numbers: float, arbitrary: bool = False, identifies: bool = True) -> Shaping:
    # An operand that decides run time or size by a value that may be trained.
    return Shaping(numbers=constantly(*numbers), discloses=False, identifies=identifies, arbitrary=arbitrary)


def _cell(gates: int, more: int, *defaults: str) -> Count:
    # Recurrent cells: sums of both products and bias for each gate, activations, then the arithmetic of the state.
    # `more` are operations per state besides; of an LSTM and a GRU the first default is that of several gates.
    def others(view: LayerView) -> int:
        names = view.attribute("activations", None)
        used = [str(name) for name in names] if isinstance(names, list) and names else list(defaults)
        functions = [per_value(name) for name in used[: len(defaults)]]
        own = max(1, gates - 1) * functions[0] + sum(functions[1:]) + more
        peepholes = 6 * view.has(7) if gates == 4 else 0
        recurrence = view.shape(2)
        states = count.recurrent_steps(view) * math.prod(recurrence[:1]) * math.prod(recurrence[-1:])
        dynamic = DYNAMIC_QUANTISE * view.elements(0) if view.layer.op_type.startswith("Dynamic") else 0
        return dynamic + (gates * (1 + view.has(3)) + own + peepholes) * states

    return others


_MULTIPLIED: Mapping[str, Any] = {"magnitude": rule.multiplied, "scaled_by": (1, 0)}
_CONVOLUTION: Mapping[str, Any] = {**_MULTIPLIED, "kind": "convolution", "sizes": count.convolution_sizes}
_PRODUCT: Mapping[str, Any] = {**_CONVOLUTION, "kind": "product", "sizes": count.product_sizes}
_PER_POSITION: Mapping[str, Any] = {"magnitude": rule.bounded, "shows": "hidden size"}
_NORMALISATION: Mapping[str, Any] = {"roles": {1: _P, 2: _B}, "magnitude": rule.bounded}
_KERNEL: Mapping[str, Any] = {"roles": {1: _W, 2: _B}, "fan_in": count.convolution_fan_in}
_Q_UNARY = {0: _Q, 1: _S, 2: _Z, 3: _S, 4: _Z}
_Q_BINARY = {0: _Q, 1: _S, 2: _Z, 3: _Q, 4: _S, 5: _Z, 6: _S, 7: _Z}
_Q_KERNEL = {0: _Q, 1: _S, 2: _Z, 3: _Q, 4: _WS, 5: _Z, 6: _S, 7: _Z, 8: _B}
_ROUND_TRIP = DEQUANTISE + QUANTISE
_IN_8_BITS: Mapping[str, Any] = {"magnitude": rule.about(6.0), "moves": Moves.QUANTISES}
_VIEW: Mapping[str, Any] = {"cost": _MOVED, "moves": Moves.RESHAPES, "is_view": True}
_RECTIFIER: Mapping[str, Any] = {"overwrites": 0, "activates": True, "rectifies": True}


def _rows(names: str, cost: Cost | None = None, **facts: Any) -> Iterator[Operator]:
    # Yield the rows of operators that share all facts.
    for name in names.split():
        yield Operator(name=name, cost=cost, **facts)


def _runtimes(names: str, cost: Cost | None = None, **facts: Any) -> Iterator[Operator]:
    # Yield the rows of operators of onnxruntime.
    return _rows(names, cost, domains=(RUNTIME,), **facts)


_GATHERED: Mapping[str, Any] = {"cost": _MOVED, "sizes": count.gathered_sizes, "looked_up": {0: results_bytes}}
_SUMMED: Mapping[str, Any] = {"roles": {0: _B, 1: _B}, "magnitude": rule.summed_operands}
_BY_VALUE: Mapping[str, Any] = {"cost": _each(1), "kind": "arithmetic", "sizes": count.arithmetic_sizes}
_AFFINE = {0: _Q, 1: _Q, 2: _Z, 3: _Z}
_INTEGERS: Mapping[str, Any] = {"kind": "integer product", "sizes": count.product_sizes, "integer_products": True}
# products, 6 per score, 1 for a mask, bias and rotation of operands
_PACKED_SCORES = Cost(count.packed_attention_products, count.packed_attention_others(3, 5))
# 1 per value and operand but the first
_SEVERAL = Cost(others=count.variadic)
# 1 per update that is reduced
_UPDATES = Cost(others=lambda view: view.elements(2) if view.text("reduction") not in {"", "none"} else 0)
_AXES = {1: _extent(rule.reduced_axes)}
# sum, division
_MEAN = _reduced(1, 1)
_LARGEST: Mapping[str, Any] = {
    "cost": Cost(others=count.window),
    "kind": "largest of a window",
    "sizes": count.window_sizes,
}
# per value given one product per tap, and their sum
_INTERPOLATED = Cost(others=count.interpolation)
# 4 per value, 4 per row (Zhang, Sennrich, arXiv:1910.07467)
_RMS = Cost(others=lambda view: 4 * view.elements(0) + 4 * count.rows(view))
_GROUPED = Cost(others=count.group_normalisation)
# 1 per value for each operand added, then the normalisation
_SKIP = Cost(others=count.skip_normalisation)
# product, 1 per value for each of bias and sum, activation
_FUSED_CONVOLUTION = Cost(count.convolution_products(), count.added(2, 3))
# product, alpha, activation
_FUSED_PRODUCT = Cost(count.transposable_products, count.scaled)
# x cos + y sin (Su et al., arXiv:2104.09864)
_ROTATION = _each(3)
_LSTM_CELL = _cell(4, 4, "Sigmoid", "Tanh", "Tanh")
_CELL: Mapping[str, Any] = {
    "sizes": count.recurrent_sizes,
    "read_again": lambda view: (view.shape(0)[view.number("layout")] - 1) * view.spec(2).nbytes,
    "fan_in": lambda _node, _position, shape: shape[-1],
    "roles": {1: _W, 2: _W, 3: _B, 7: _B},
    "integers": {4: lambda view: rule.exactly(view.shape(0)[view.number("layout")])},
    "lengths": frozenset({4}),
    "magnitude": rule.bounded,
}
_MIXTURE: Mapping[str, Any] = {"sizes": count.of_experts_sizes, "experts": True}


_ROWS = (
    # Functions of one value.
    *_rows("Abs Asinh BitwiseNot Ceil Cosh Floor IsInf IsNaN Neg Not Round Sinh Tan", _each(1)),
    *_rows("Atan Cos Sign Sin", _each(1), magnitude=rule.bounded),
    *_rows("Erf", _each(1), magnitude=rule.bounded, shows="feed-forward"),
    *_rows("Acos Asin Atanh", _each(1), floats={0: (-0.9, 0.9)}),
    *_rows("Acosh", _each(1), floats={0: (1.0, 2.0)}),
    *_rows("Exp", _each(1), magnitude=lambda _, operands: min(2.0 ** max(0.0, operands[0]), 8.0)),
    *_rows("Log", _each(1), roles={0: _P}, floats={0: POSITIVE}, magnitude=rule.about(3.0)),
    *_rows(
        "Sqrt",
        _each(1),
        roles={0: _P},
        floats={0: POSITIVE},
        keeps_positive=True,
        magnitude=lambda _, operands: operands[0] / 2,
    ),
    *_rows("Reciprocal", _each(1), roles={0: _P}, floats={0: POSITIVE}, magnitude=lambda _, operands: -operands[0]),
    *_rows("Relu", _each(1), **_RECTIFIER),
    *_rows("ThresholdedRelu", _each(1), overwrites=0),
    *_rows("Tanh", _each(1), overwrites=0, magnitude=rule.bounded, activates=True),
    # max(0, x) + min(0, a(exp(x/a) - 1))
    *_rows("Celu", _each(7), overwrites=0),
    # min(max(x, low), high)
    *_rows(
        "Clip",
        _each(2),
        floats={1: (-1.0, -0.5), 2: (0.5, 1.0)},
        shaping={1: _decides(-0.5, arbitrary=True), 2: _decides(0.5, arbitrary=True)},
        passes_on=_FIRST,
        **_RECTIFIER,
    ),
    # comparison, a(exp(x) - 1)
    *_rows("Elu", _each(4), overwrites=0, activates=True),
    # 5 per value, 9 when approximate: x/2 (1 + erf(x/sqrt 2))
    *_rows("Gelu", Cost(others=count.gelu, per_value=count.GELU), activates=True, shows="feed-forward"),
    # 9 per value: x/2 (1 + tanh(a(x + bxxx))), 1 for a bias
    *_runtimes("FastGelu", Cost(others=count.gelu, per_value=count.FAST_GELU), roles={1: _B}, shows="feed-forward"),
    # 6 per value: + b, then Gelu
    *_runtimes("BiasGelu", Cost(others=count.gelu), roles={1: _B}, shows="feed-forward"),
    *_runtimes("BiasSplitGelu", roles={1: _B}),
    # comparison, ax
    *_rows("LeakyRelu", _each(2), **_RECTIFIER),
    # x HardSigmoid(x); x tanh(log(1 + exp x))
    *_rows("HardSwish Mish", _each(5), activates=True),
    # comparison, ax
    *_rows("PRelu", _each(2), sizes=count.arithmetic_sizes, roles={1: _P}, activates=True),
    # x sigmoid(ax)
    *_rows("QuickGelu", _each(6), shows="feed-forward"),
    # comparison, c(a exp(x) - a)
    *_rows("Selu", _each(5), overwrites=0, activates=True),
    # two comparisons, x + b
    *_rows("Shrink", _each(3)),
    # min(max(ax + b, 0), 1); 1 / (1 + exp(-x))
    *_rows("HardSigmoid Sigmoid", _each(4), overwrites=0, magnitude=rule.bounded, activates=True),
    # log(1 + exp x)
    *_rows("Softplus", _each(3), overwrites=0, activates=True),
    # x / (1 + abs x)
    *_rows("Softsign", _each(3), overwrites=0, magnitude=rule.bounded),
    # x sigmoid(ax)
    *_rows("Swish", _each(count.SWISH), activates=True),
    # Functions of several operands, value by value.
    *_rows("And BitwiseAnd BitwiseOr BitwiseXor Equal Greater GreaterOrEqual Less LessOrEqual Or Xor", _each(1)),
    *_rows("Add", **_BY_VALUE, **_SUMMED, keeps_positive=True, commutes=True),
    *_rows("Sub", **_BY_VALUE, **_SUMMED, commutes=False),
    *_rows("Mul", **_BY_VALUE, roles={0: _P, 1: _P}, keeps_positive=True, commutes=True, **_MULTIPLIED),
    *_rows(
        "Div",
        _each(1),
        sizes=count.arithmetic_sizes,
        roles={0: _P, 1: _P},
        integers={1: fixed(1, 8)},
        floats={1: POSITIVE},
        magnitude=lambda _, operands: operands[0] - operands[1],
        commutes=False,
    ),
    *_rows("Mod", _each(1), roles={1: _P}, integers={1: fixed(1, 8)}, floats={1: POSITIVE}),
    *_rows(
        "Pow",
        _each(1),
        sizes=count.arithmetic_sizes,
        roles={0: _P},
        floats={0: POSITIVE, 1: (2.25, 2.75)},
        shaping={1: _decides(2, arbitrary=True)},
        magnitude=rule.power,
        commutes=False,
    ),
    *_rows("BitShift", _each(1), integers={1: fixed(0, 8)}),
    *_rows("Max Min", _SEVERAL, sizes=count.arithmetic_sizes, passes_on=ALL),
    *_rows("Sum", _SEVERAL, roles=dict.fromkeys(range(8), _B), keeps_positive=True, magnitude=rule.summed_operands),
    # 1 per value and operand
    *_rows("Mean", Cost(others=count.variadic), keeps_positive=True),
    # + bias, + skip
    *_runtimes("BiasAdd", _each(2), roles={1: _B}),
    # What computes nothing: views, conversions, selections.
    *_rows("BitCast Constant", _MOVED),
    *_rows("DepthToSpace SpaceToDepth", _MOVED, passes_on=_FIRST),
    *_rows("Identity Flatten", **_VIEW),
    *_rows("Reshape", **_VIEW, shaping={1: _extent(rule.result_shape)}, extents=1),
    *_rows("Squeeze", **_VIEW, shaping={1: _extent(lambda view, _: rule.removed_axes(view.shape(0), view.output))}),
    *_rows("Unsqueeze", **_VIEW, shaping={1: _extent(lambda view, _: rule.removed_axes(view.output, view.shape(0)))}),
    *_rows(
        "Dropout",
        _MOVED,
        floats={1: (0.0, 1.0)},
        shaping={1: _decides(0.5, arbitrary=True), 2: _decides(0, identifies=False)},
        passes_on=_FIRST,
        # at inference
        is_view=True,
    ),
    *_rows("Cast", _MOVED, moves=Moves.CONVERTS, overwrites=0),
    *_rows("CastLike", _MOVED, moves=Moves.CONVERTS, unread=frozenset({1})),
    *_rows("Transpose", _MOVED, kind="transposition", sizes=count.transposition_sizes, moves=Moves.PERMUTES),
    *_rows(
        "Expand",
        _MOVED,
        shaping={1: _extent(lambda view, position: view.output[-view.elements(position) :])},
        extents=1,
        moves=Moves.REPEATS,
    ),
    *_rows(
        "Tile",
        _MOVED,
        shaping={
            1: _extent(
                lambda view, _: [new // max(1, old) for old, new in zip(view.shape(0), view.output, strict=True)]
            ),
            2: _extent(None),
        },
        moves=Moves.REPEATS,
    ),
    *_rows("Concat", _MOVED, passes_on=ALL),
    *_rows(
        "Slice",
        _MOVED,
        looked_up={0: results_bytes},
        shaping={
            1: _extent(constantly(0)),
            2: _extent(rule.ends),
            3: _extent(rule.chosen_axes),
            4: _extent(constantly(1)),
        },
        moves=Moves.CUTS,
    ),
    *_rows("Split", _MOVED, shaping={1: _extent(rule.parts)}, moves=Moves.SELECTS),
    # no shape of the network shows the sizes of a sequence's parts
    *_rows("SplitToSequence", shaping={1: Shaping(numbers=None, discloses=False)}),
    *_rows("SequenceAt SequenceErase", shaping={1: _extent(None)}),
    *_rows(
        "Gather",
        **_GATHERED,
        integers={1: rule.along_axis()},
        moves=Moves.SELECTS,
        magnitude=rule.as_first,
        shows="row width",
    ),
    *_rows("GatherElements", **_GATHERED, integers={1: rule.along_axis()}, passes_on=_FIRST),
    *_rows("GatherND", **_GATHERED, integers={1: rule.gathered_tuples}, passes_on=_FIRST),
    # - z, times s
    *_runtimes(
        "GatherBlockQuantized",
        _each(DEQUANTISE),
        looked_up={
            position: count.rows_bytes(position, lambda view: view.elements(1), "gather_axis") for position in (0, 2, 3)
        },
        roles={0: _Q, 2: _S, 3: _Q},
        integers={1: rule.along_axis("gather_axis")},
        packed=True,
    ),
    *_rows("ArrayFeatureExtractor", domains=("ai.onnx.ml",), integers={1: within(0, -1)}),
    *_rows("CenterCropPad", _MOVED, looked_up={0: results_bytes}, shaping={1: _extent(rule.sizes)}),
    *_rows(
        "Compress",
        _MOVED,
        looked_up={0: results_bytes},
        selects={1: lambda view: view.output[view.number("axis")]},
        depends_on_data=True,
    ),
    *_rows("Trilu", _MOVED, looked_up={0: results_bytes}, shaping={1: _extent(constantly(0))}, passes_on=_FIRST),
    *_rows("Pad", _MOVED, shaping={1: _extent(rule.padding), 3: _extent(rule.chosen_axes)}, passes_on=_FIRST),
    *_rows("Where", _MOVED, passes_on=frozenset({1, 2}), magnitude=lambda _, operands: max(operands[1:])),
    *_rows("ConstantOfShape", _MOVED, shaping={0: _extent(rule.result_shape)}),
    *_rows("EyeLike Shape Size", _MOVED, unread=_FIRST),
    *_rows("NonZero", _MOVED, selects={0: lambda view: view.output[-1]}, depends_on_data=True),
    *_rows("Unique DynamicTimeWarping BifurcationDetector", domains=_BOTH, depends_on_data=True),
    *_rows(
        "MaxUnpool",
        _MOVED,
        integers={1: lambda view: (0, math.prod(view.output))},
        shaping={2: _extent(rule.result_shape)},
    ),
    *_rows(
        "OneHot",
        _MOVED,
        integers={0: lambda view: (0, view.extent(view.output, -1))},
        shaping={1: _extent(rule.along_result)},
    ),
    *_rows(
        "Range",
        _MOVED,
        shaping={
            0: _extent(constantly(0), identifies=True),
            1: _extent(rule.result_shape, identifies=True),
            2: _extent(constantly(1), identifies=True),
        },
    ),
    *_rows("ReverseSequence", _MOVED, integers={1: rule.reversed_length}),
    *_rows("Scatter", _MOVED, integers={1: rule.along_axis()}),
    *_rows(
        "ScatterElements",
        _UPDATES,
        integers={1: rule.along_axis()},
        passes_on=frozenset({0, 2}),
        caches={0: 0},
        overwrites=0,
    ),
    *_rows("ScatterND", _UPDATES, integers={1: rule.gathered_tuples}, passes_on=frozenset({0, 2}), caches={0: 0}),
    *_rows(
        "TensorScatter",
        _MOVED,
        caches={0: 0},
        integers={2: lambda view: (0, view.extent(view.shape(0), -2) - view.extent(view.shape(1), -2) + 1)},
    ),
    *_rows("ReorderInput ReorderOutput", _MOVED, domains=(BLOCKED,)),
    # Operators that compute sums, normalisations, windows and interpolations.
    *_rows("ReduceMean", _MEAN, shaping=_AXES, keeps_positive=True, shows="pooled channels"),
    *_rows("ReduceSum", _reduced(1), shaping=_AXES, keeps_positive=True, magnitude=rule.summed(1, 1)),
    *_rows("ReduceL1", _reduced(2), shaping=_AXES, magnitude=rule.summed(1, 1)),
    *_rows("ReduceSumSquare", _reduced(2), shaping=_AXES, magnitude=rule.summed(2, 1)),
    # square, sum, root
    *_rows("ReduceL2", _reduced(2, 1), shaping=_AXES, magnitude=rule.summed(2, 2)),
    # sum, log
    *_rows("ReduceLogSum", _reduced(1, 1), shaping=_AXES, floats={0: POSITIVE}),
    # exp, sum, log
    *_rows("ReduceLogSumExp", _reduced(2, 1), shaping=_AXES),
    *_rows("ReduceMax ReduceMin", _reduced(1), shaping=_AXES, passes_on=_FIRST),
    *_rows("ReduceProd", _reduced(1), shaping=_AXES),
    *_rows("ArgMax ArgMin CumProd GlobalMaxPool Hardmax", _reduced(1)),
    *_rows("CumSum", _reduced(1), integers={0: fixed(0, 2)}, shaping={1: _extent(constantly(0))}),
    *_rows("TopK", _reduced(1), shaping={1: _extent(rule.along_result)}),
    *_rows("GlobalAveragePool", _MEAN, keeps_positive=True, shows="pooled channels"),
    # power, sum, root
    *_rows("GlobalLpPool", _reduced(2, 1)),
    # window per value given
    *_rows("MaxPool", **_LARGEST, is_windowed=True, keeps_positive=True),
    # window per value given
    *_runtimes("NhwcMaxPool", **_LARGEST),
    # window per value given, 1 for the division
    *_rows(
        "AveragePool",
        Cost(others=lambda view: count.window(view, 1)),
        kind="mean of a window",
        sizes=count.window_sizes,
        is_windowed=True,
        keeps_positive=True,
    ),
    # two windows per value given, 1 for the root
    *_rows("LpPool", Cost(others=lambda view: 2 * count.window(view)), is_windowed=True),
    *_rows(
        "Resize",
        _INTERPOLATED,
        looked_up={0: count.nearest_bytes},
        shaping={
            1: Shaping(
                # a region of interest, which Resize crops to: all of the image
                numbers=lambda view, position: [edge for edge in (0.0, 1.0) for _ in rule.sizes(view, position)],
                discloses=False,
                identifies=True,
            ),
            2: _extent(rule.scales, scales=True),
            3: _extent(rule.sizes),
        },
        extents=3,
    ),
    *_rows(
        "Upsample", _INTERPOLATED, looked_up={0: count.nearest_bytes}, shaping={1: _extent(rule.scales, scales=True)}
    ),
    *_rows("GridSample", _INTERPOLATED),
    # maximum, x - m, exp, sum, division
    *_rows(
        "Softmax",
        _each(count.SOFTMAX),
        overwrites=0,
        magnitude=lambda view, _: -math.log2(max(1, view.output[-1])) / 2,
        shows="heads",
    ),
    # maximum, x - m, exp, sum, x - log
    *_rows("LogSoftmax", _each(5), overwrites=0),
    # + b, then Softmax
    *_runtimes("BiasSoftmax", _each(6)),
    *_rows("LpNormalization", _reduced(3), magnitude=rule.bounded),
    *_rows("MeanVarianceNormalization", _reduced(6), magnitude=rule.bounded),
    # 6 per value, 1 for a bias, 5 per row (Ba, Kiros, Hinton, arXiv:1607.06450)
    *_rows(
        "LayerNormalization",
        Cost(others=lambda view: (6 + view.has(2)) * view.elements(0) + 5 * count.rows(view)),
        roles={1: _P, 2: _B},
        **_PER_POSITION,
    ),
    *_rows("RMSNormalization", _RMS, roles={1: _P}, **_PER_POSITION),
    *_rows("SimplifiedLayerNormalization", _RMS, domains=_BOTH, roles={1: _P}, **_PER_POSITION),
    *_runtimes("SkipLayerNormalization", _SKIP, roles={2: _P, 3: _B, 4: _B}, **_PER_POSITION),
    *_runtimes("SkipSimplifiedLayerNormalization", _SKIP, roles={2: _P, 3: _B}, **_PER_POSITION),
    # sum of embeddings, LayerNormalization
    *_runtimes(
        "EmbedLayerNormalization",
        Cost(others=lambda view: (8 + view.has(1)) * view.output_elements + 5 * math.prod(view.output[:-1])),
        looked_up={
            2: count.rows_bytes(2, lambda view: view.elements(0)),
            3: count.rows_bytes(3, lambda view: view.elements(8) or math.prod(view.shape(0)[-1:])),
            4: count.rows_bytes(4, lambda view: view.elements(1)),
        },
        roles={5: _P, 6: _B},
        integers={0: within(2, 0), 1: within(4, 0), 7: fixed(0, 2), 8: within(3, 0)},
        magnitude=rule.bounded,
    ),
    # 7 per value, 5 per channel
    *_rows(
        "InstanceNormalization",
        Cost(others=lambda view: 7 * view.elements(0) + 5 * math.prod(view.shape(0)[:2])),
        **_NORMALISATION,
    ),
    # 7 per value, 5 per group, skip and activation
    *_rows("GroupNormalization", _GROUPED, **_NORMALISATION),
    *_runtimes("GroupNorm", _GROUPED, **_NORMALISATION),
    *_runtimes("SkipGroupNorm", _GROUPED, roles={1: _P, 2: _B, 4: _B}, magnitude=rule.bounded),
    # 2 per value: ax + b, 5 per channel for a and b
    *_rows(
        "BatchNormalization",
        Cost(others=lambda view: 2 * view.elements(0) + 5 * view.elements(1)),
        roles={1: _P, 2: _B, 3: _B, 4: _P},
        floats={1: POSITIVE, 4: POSITIVE},
        magnitude=lambda _, operands: operands[0] + operands[1] - operands[4] / 2,
        scaled_by=(1,),
    ),
    # 5 per value, 1 per value and channel of the window
    *_rows("LRN", Cost(others=lambda view: (5 + view.number("size", 1)) * view.elements(0))),
    # Convolutions, matrix products, recurrent cells, attention, experts.
    # product, 1 per value for each of bias and sum, activation
    *_rows(
        "Conv",
        Cost(count.convolution_products(), count.added(2, 3)),
        domains=("", BLOCKED),
        **_CONVOLUTION,
        weight=1,
        is_windowed=True,
        shows="channels",
        **_KERNEL,
        # The fourth operand is the sum that the runtime's own convolutions add to.
        overwrites=3,
    ),
    *_runtimes("FusedConv NhwcFusedConv", _FUSED_CONVOLUTION, **_CONVOLUTION, **_KERNEL, overwrites=3),
    *_runtimes("NhwcConv", _FUSED_CONVOLUTION, **_CONVOLUTION),
    # product, 1 per value for each of bias and sum, activation
    *_rows(
        "ConvTranspose",
        Cost(lambda view: 2 * view.elements(0) * math.prod(view.shape(1)[1:]), count.added(2)),
        weight=1,
        is_windowed=True,
        roles={1: _W, 2: _B},
        fan_in=count.transposed_convolution_fan_in,
        **_MULTIPLIED,
    ),
    # product, 1 per value for each of bias and sum, activation
    *_rows(
        "DeformConv",
        Cost(count.convolution_products(), count.added(3)),
        roles={1: _W, 2: _B, 3: _B},
        fan_in=count.convolution_fan_in,
        **_MULTIPLIED,
    ),
    # product
    *_rows(
        "ConvInteger",
        Cost(count.convolution_products()),
        kind="integer convolution",
        sizes=count.convolution_sizes,
        weight=1,
        is_windowed=True,
        integer_products=True,
        roles=_AFFINE,
    ),
    # product, 1 per value for a bias, 5 to quantise
    *_rows(
        "QLinearConv",
        Cost(count.convolution_products(3), count.added(8, more=QUANTISE)),
        domains=_BOTH,
        kind="quantised convolution",
        sizes=lambda view: count.convolution_sizes(view, weight=3),
        integer_products=True,
        weight=3,
        is_windowed=True,
        roles=_Q_KERNEL,
        fan_in=count.convolution_fan_in,
    ),
    # product
    *_rows("MatMul", Cost(count.matrix_products), **_PRODUCT, roles={0: _W, 1: _W}),
    # product, alpha, beta, C
    *_rows("Gemm", Cost(count.transposable_products, count.scaled), **_PRODUCT, roles={0: _W, 1: _W, 2: _B}),
    # product, alpha, beta, C, activation
    *_runtimes("FusedGemm", Cost(count.transposable_products, count.scaled), **_PRODUCT, roles={0: _W, 1: _W, 2: _B}),
    *_runtimes("FusedMatMul FusedMatMulActivation", _FUSED_PRODUCT, **_PRODUCT, roles={0: _W, 1: _W}),
    *_runtimes("TransposeMatMul", _FUSED_PRODUCT, **_PRODUCT),
    # product
    *_rows("MatMulInteger", Cost(count.matrix_products), **_INTEGERS, roles=_AFFINE),
    *_runtimes("MatMulInteger16", roles={0: _Q, 1: _Q}),
    # product, scale, bias
    *_runtimes(
        "MatMulIntegerToFloat",
        Cost(count.matrix_products, count.added(6, more=1)),
        **_INTEGERS,
        roles={0: _Q, 1: _Q, 2: _S, 3: _WS, 4: _Z, 5: _Z, 6: _B},
    ),
    # 7 per value of A, product, scale, bias
    *_runtimes(
        "DynamicQuantizeMatMul",
        Cost(
            count.matrix_products,
            lambda view: DYNAMIC_QUANTISE * view.elements(0) + (1 + view.has(4)) * view.output_elements,
        ),
        kind="quantising product",
        sizes=count.product_sizes,
        integer_products=True,
        roles={1: _Q, 2: _WS, 3: _Z, 4: _B},
    ),
    # product, 1 per value for a bias, 5 to quantise
    *_rows(
        "QLinearMatMul",
        Cost(count.matrix_products, count.added(more=QUANTISE)),
        integer_products=True,
        roles={0: _Q, 1: _S, 2: _Z, 3: _Q, 4: _WS, 5: _Z, 6: _S, 7: _Z},
    ),
    # product, 1 per value for C, 5 to quantise
    *_runtimes(
        "QGemm",
        Cost(count.transposable_products, count.added(6, more=QUANTISE)),
        integer_products=True,
        roles={0: _Q, 1: _S, 2: _Z, 3: _Q, 4: _WS, 5: _Z, 6: _B, 7: _S, 8: _Z},
    ),
    # 2 per weight, product, bias
    *_runtimes(
        "MatMulNBits",
        Cost(
            lambda view: 2 * view.output_elements * view.number("K"),
            lambda view: 2 * view.number("K") * view.number("N") + view.has(5) * view.output_elements,
        ),
        roles={1: _Q, 2: _WS, 3: _Q, 5: _B},
        fan_in=lambda node, _position, _shape: count.integer_of(node, "K", 1),
        packed=True,
        magnitude=rule.as_first,
        scaled_by=(2,),
    ),
    # product
    *_rows(
        "Einsum", Cost(count.einsum_products), roles={0: _W, 1: _W, 2: _W}, fan_in=count.einsum_fan_in, **_MULTIPLIED
    ),
    # products, 1 or 2 per gate, activations, 4 per state (Hochreiter, Schmidhuber, Neural Computation 9(8), 1997)
    *_rows("LSTM", Cost(count.recurrent_products, _LSTM_CELL), **_CELL),
    # products, 1 or 2 per gate, activations, 5 per state (Cho et al., arXiv:1406.1078)
    *_rows("GRU", Cost(count.recurrent_products, _cell(3, 5, "Sigmoid", "Tanh")), **_CELL),
    # products, 1 or 2 per state, activation
    *_rows("RNN", Cost(count.recurrent_products, _cell(1, 0, "Tanh")), **_CELL),
    # 7 per value of X, then LSTM
    *_runtimes(
        "DynamicQuantizeLSTM",
        Cost(count.recurrent_products, _LSTM_CELL),
        integer_products=True,
        roles={1: _Q, 2: _Q, 3: _B, 7: _B, 8: _WS, 9: _Z, 10: _WS, 11: _Z},
        magnitude=rule.bounded,
    ),
    # products, 6 per score, 1 for a mask, bias and rotation of operands
    *_rows(
        "Attention",
        Cost(count.attention_products, count.attention_others(3)),
        integers={6: lambda view: rule.exactly(view.shape(1)[-2])},
        caches={4: 1, 5: 2},
        magnitude=rule.as_first,
        scaled_by=(1,),
    ),
    *_runtimes(
        "Attention",
        _PACKED_SCORES,
        roles={1: _W, 2: _B},
        integers={3: rule.mask_or_length(3, 0)},
        caches={4: 1},
        magnitude=rule.as_first,
        scaled_by=(1,),
    ),
    # products, 6 per score, 1 for a mask, bias and rotation of operands
    *_runtimes(
        "MultiHeadAttention",
        Cost(count.attention_products, count.attention_others(4, 5)),
        roles={3: _B},
        integers={4: rule.mask_or_length(4, 1)},
        caches={6: 1, 7: 2},
    ),
    # products, 6 per score, 1 for a mask, bias and rotation of operands
    *_runtimes(
        "GroupQueryAttention",
        Cost(count.attention_products, count.attention_others(10)),
        looked_up={
            position: count.rows_bytes(position, lambda view: math.prod(view.shape(0)[:2])) for position in (7, 8)
        },
        integers={LAST: rule.tokens(before=1), TOTAL: rule.tokens()},
        lengths=frozenset({LAST, TOTAL}),
        caches={3: 1, 4: 2},
        grows_in_place=True,
    ),
    *_runtimes("DecoderMaskedMultiHeadAttention", roles={10: _B}, caches={5: 1, 6: 2}),
    # products, bias, 6 per score, 1 for a mask
    *_runtimes(
        "QAttention",
        Cost(count.packed_attention_products, count.packed_attention_others(5)),
        integer_products=True,
        roles={0: _Q, 1: _Q, 2: _B, 3: _S, 4: _WS, 6: _Z, 7: _Z},
    ),
    *_rows(
        "RotaryEmbedding", _ROTATION, looked_up={position: count.rotated_positions(position) for position in (1, 2)}
    ),
    *_runtimes(
        "RotaryEmbedding",
        _ROTATION,
        looked_up={position: count.rows_bytes(position, count.rotated_tokens) for position in (2, 3)},
        integers={1: within(2, 0)},
    ),
    # 2 per weight of a chosen expert and token
    *_runtimes("MoE", Cost(count.experts_products(2, 4, 6)), **_MIXTURE),
    # 2 per weight of a chosen expert and token
    *_runtimes("QMoE", Cost(count.experts_products(2, 5, 8)), **_MIXTURE),
    # Conversion to and from quantised values, and functions of these.
    # - z, times s
    *_rows(
        "DequantizeLinear",
        _each(DEQUANTISE),
        domains=_BOTH,
        roles={0: _Q, 1: _S, 2: _Z},
        moves=Moves.DEQUANTISES,
        magnitude=lambda _, operands: operands[1] + 6,
    ),
    # x/s, round, + z, two comparisons
    *_rows("QuantizeLinear", _each(QUANTISE), domains=_BOTH, roles={1: _S, 2: _Z}, **_IN_8_BITS),
    # 7 per value: range, then QuantizeLinear
    *_rows("DynamicQuantizeLinear", Cost(others=count.values(DYNAMIC_QUANTISE, 0)), moves=Moves.QUANTISES),
    # to floats, LeakyRelu, and back
    *_runtimes("QLinearLeakyRelu", _round_trip(2), roles=_Q_UNARY),
    # to floats, Sigmoid, and back
    *_runtimes("QLinearSigmoid", _round_trip(4), roles=_Q_UNARY),
    # to floats, Softmax, and back
    *_runtimes("QLinearSoftmax", _round_trip(5), roles=_Q_UNARY),
    # to floats, mean, and back
    *_runtimes("QLinearGlobalAveragePool QLinearReduceMean", Cost(others=count.values(3, 6)), roles=_Q_UNARY),
    # to floats, AveragePool, and back
    *_runtimes(
        "QLinearAveragePool",
        Cost(others=lambda view: DEQUANTISE * view.elements(0) + count.window(view, 1 + QUANTISE)),
        roles=_Q_UNARY,
    ),
    # both to floats, +, and back
    *_runtimes("QLinearAdd", _round_trip(DEQUANTISE + 1), roles=_Q_BINARY),
    # both to floats, times, and back
    *_runtimes("QLinearMul", _round_trip(DEQUANTISE + 1), roles=_Q_BINARY),
    # 7 per value: to floats and back
    *_runtimes(
        "QLinearConcat",
        Cost(others=count.values(0, _ROUND_TRIP)),
        # From the third operand on, each tensor is followed by its scale and its zero point.
        roles={0: _S, 1: _Z} | {position: (_Q, _S, _Z)[(position - 2) % 3] for position in range(2, 302)},
    ),
    # Signals, images, detection, losses, random numbers, control flow: without a number of operations.
    *_rows("AffineGrid", shaping={1: _extent(lambda view, _: (view.output[0], 1, *view.output[1:-1]))}),
    *_rows("BlackmanWindow HammingWindow HannWindow", shaping={0: _extent(rule.result_shape)}),
    *_rows("Col2Im", shaping={1: _extent(lambda view, _: view.output[2:]), 2: _extent(None)}),
    *_rows("DFT", shaping={1: _extent(rule.transform_length), 2: _extent(None)}),
    *_rows("STFT", shaping={1: _extent(rule.frame_step), 3: _extent(lambda view, _: [rule.frame_length(view)])}),
    *_rows(
        "MelWeightMatrix",
        shaping={
            0: _extent(lambda view, _: [view.output[1]], identifies=True),
            1: _extent(lambda view, _: [2 * (view.output[0] - 1)], identifies=True),
            2: _decides(16000),
            3: _decides(0),
            4: _decides(8000),
        },
    ),
    *_rows(
        "NonMaxSuppression",
        floats={0: (0.0, 1.0), 1: (0.0, 1.0)},
        shaping={2: _extent(constantly(8)), 3: _decides(0.5), 4: _decides(0.0)},
        depends_on_data=True,
    ),
    *_rows("RoiAlign", integers={2: within(0, 0)}),
    *_rows("NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", integers={1: within(0, 1)}),
    *_rows("Bernoulli", floats={0: (0.0, 1.0)}, is_random=True),
    *_rows("RandomNormal RandomUniform RandomNormalLike RandomUniformLike Multinomial", is_random=True),
    *_rows("If", shaping={0: _decides(1, identifies=False)}, has_bodies=True),
    *_rows("Loop", shaping={0: _extent(rule.trips), 1: _decides(1, identifies=False)}, has_bodies=True),
    *_rows("Scan SequenceMap", has_bodies=True),
    *_runtimes("ExpandDims Pad", shaping={1: _extent(None)}),
    *_runtimes("ConvTransposeWithDynamicPads", shaping={2: _extent(None)}),
    *_runtimes("CropAndResize", shaping={3: _extent(None)}),
    # the longest sequence; beams and sequences of each input
    *_runtimes("GreedySearch Sampling", shaping={1: _extent(None)}, has_bodies=True),
    *_runtimes("BeamSearch WhisperBeamSearch", shaping={at: _extent(None) for at in (1, 3, 4)}, has_bodies=True),
)


def _table() -> dict[tuple[str, str], Operator]:
    # Return the rows, those of installed distributions as well, by domain and name.
    table: dict[tuple[str, str], Operator] = {}
    for row in (*_ROWS, *extensions("dlbricks.operators", Operator)):
        for domain in row.domains:
            if (domain, row.name) in table:
                raise InputError(f"operator {row.name} has two rows in domain '{domain}': remove one of them")
            table[domain, row.name] = row
    return table


# Facts about operators by domain and name.
OPERATORS: Mapping[tuple[str, str], Operator] = _table()
_BY_NAME = {row.name: row for _, row in sorted(OPERATORS.items(), reverse=True)}
_UNKNOWN = Operator(name="")


def operator(domain: str, name: str) -> Operator:
    """Return the row with the facts about an operator's operands; an empty row if the operator is unknown."""
    return OPERATORS.get((domain, name), _UNKNOWN)


def row_of(layer: Layer) -> Operator:
    """Return the row with the facts about the operands of a layer."""
    return operator(layer.domain, layer.op_type)


def kernel(domain: str, name: str) -> Operator:
    """Return the row with an operator's cost, also for its fused and blocked versions in other domains."""
    return OPERATORS.get((domain, name)) or _BY_NAME.get(name, _UNKNOWN)


def layer_of(name: str, proto: onnx.NodeProto, opsets: Mapping[str, int]) -> Layer:
    """Return an ONNX node as a layer; ``opsets`` has the version of each domain."""
    domain = domain_of(proto)
    version = opsets.get(domain, 1)
    return Layer(
        name=name,
        op_type=proto.op_type,
        domain=domain,
        since_version=signature_interval(domain, proto.op_type, version)[0],
        attributes=canonical_attributes(proto, opsets),
        inputs=tuple(proto.input),
        outputs=tuple(proto.output),
        captured=captured(proto),
        node=proto.SerializeToString(deterministic=True),
        opset=version,
        is_view=operator(domain, proto.op_type).is_view,
    )


def reads_all_weights(name: str) -> bool:
    """Return whether a call reads all elements of its constants, as a MatMul does and a Gather does not."""
    row = kernel("", name)
    return row.cost is not None and row.cost.products is not nothing and not (row.experts or row.looked_up)


def per_value(activation: str) -> int:
    """Return the operations per value of a fused activation such as ``Relu``."""
    cost = kernel("", activation).cost
    return cost.per_value if cost is not None else 1
