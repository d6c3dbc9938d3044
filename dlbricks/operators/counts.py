"""Counts the operations of a call, and the bytes that it reads of a lookup table, from shapes only.

Functions ``*_products`` count the multiplications and additions of matrix products, convolutions and the like. The
formulas follow the specifications of ONNX and of onnxruntime's ``com.microsoft``.
"""

import math
from collections.abc import Callable

import onnx

from dlbricks.operators.row import Count, LayerView
from dlbricks.operators.value_rules import LAST, held_tokens

# Operations per value: x/s, round, + z, two comparisons; - z, times s; range (2), then x/s...; m, x - m, exp, sum, /.
QUANTISE, DEQUANTISE, DYNAMIC_QUANTISE, SOFTMAX = 5, 2, 7, 5
# Per value: x/2 (1 + tanh(a(x + bxxx))); x/2 (1 + erf(x/sqrt 2)); x sigmoid(ax).
FAST_GELU, GELU, SWISH = 9, 5, 6


def values(read: int, written: int) -> Count:
    """Return a function that counts ``read`` operations per value of operand 0 and ``written`` per output value."""
    return lambda view: read * view.elements(0) + written * view.output_elements


def convolution_products(weight: int = 1) -> Count:
    """Return a function that counts the FLOPs of a convolution; the weight is operand ``weight``."""
    return lambda view: 2 * view.output_elements * math.prod(view.shape(weight)[1:])


def matrix_products(view: LayerView) -> int:
    """Return the FLOPs of a MatMul or of its quantised versions."""
    shape = view.shape(0)
    return 2 * view.output_elements * (shape[-1] if shape else 1)


def transposable_products(view: LayerView) -> int:
    """Return the FLOPs of the matrix product in a Gemm or a fused version of it."""
    shape = view.shape(0)
    inner = shape[-2] if view.attribute("transA", 0) and len(shape) > 1 else shape[-1]
    return 2 * view.output_elements * inner


def recurrent_steps(view: LayerView) -> int:
    """Return the number of time steps that a recurrent layer computes in a batch; unknown lengths count in full."""
    steps, batch = view.shape(0)[view.number("layout")], view.shape(0)[1 - view.number("layout")]
    lengths = view.integers(4) or [steps]
    return sum(min(steps, length) for length in lengths) * batch // len(lengths)


def recurrent_products(view: LayerView) -> int:
    """Return the FLOPs of a recurrent layer's matrix products."""
    return 2 * recurrent_steps(view) * (math.prod(view.shape(1)) + math.prod(view.shape(2)))


def einsum_products(view: LayerView) -> int:
    """Return the FLOPs of an Einsum: twice the product of the extents of all its labels."""
    terms = str(view.attribute("equation", "")).replace(" ", "").split("->")[0].split(",")
    if len(terms) < 2:
        return 0
    extents: dict[str | int, int] = {}
    for position, term in enumerate(terms):
        shape, (before, dots, after) = view.shape(position), term.partition("...")
        rest = range(len(before), len(shape) - len(after)) if dots else range(0)
        labels = (*before, *(rest.stop - place for place in rest), *after)
        # an extent of 1 is broadcast to the label's other extent
        for label, extent in zip(labels, shape, strict=True):
            extents[label] = extent if extents.get(label, 1) == 1 else extents[label]
    return 2 * math.prod(extents.values())


def _attended_keys(view: LayerView) -> float:
    # Return the keys that a query of an attention is multiplied with, new and of a cache; the mean over sequences.
    held = held_tokens(view.model, view.layer)
    if held is not None:
        last = view.integers(LAST)
        return sum(min(held, index + 1) for index in last) / len(last) if last else held
    query, key, present = view.shape(0), view.shape(1), view.result(1)
    if present is not None and len(present.shape) >= 4:
        return present.shape[-2]
    return key[-2] if len(key) in (3, 4) else query[2] if len(query) == 4 else query[1]


def attention_products(view: LayerView) -> int:
    """Return the FLOPs of the two matrix products in an attention; q, k and v are three operands or one.

    The shape of an operand is (batch, length, hidden) or (batch, heads, length, size).
    """
    queries = view.shape(0) if view.has(1) else view.output
    return round(2 * _attended_keys(view) * (math.prod(queries) + math.prod(view.output)))


def attention_others(*masks: int) -> Count:
    """Return a function that counts an attention's operations besides matrix products; operands ``masks`` are masks."""

    def count(view: LayerView) -> int:
        query = view.shape(0)
        spatial = len(query) == 4
        batch, queries = query[0], query[2] if spatial else query[1]
        heads = query[1] if spatial else view.number("num_heads") or view.number("q_num_heads", 1)
        operands = sum(map(view.elements, (0, 1, 2)))
        bias = operands if view.layer.op_type == "MultiHeadAttention" and view.has(3) else 0
        rotated = 3 * (view.elements(0) + view.elements(1)) if view.number("do_rotary") else 0
        return bias + rotated + _scores(view, heads, round(batch * queries * _attended_keys(view)), masks)

    return count


def packed_attention_products(view: LayerView) -> int:
    """Return the FLOPs of the projection and of the attention in ``com.microsoft`` Attention and QAttention."""
    batch, length, _ = view.shape(0)
    return 2 * batch * length * math.prod(view.shape(1)) + 4 * _packed_keys(view) * view.output_elements


def packed_attention_others(*masks: int) -> Count:
    """Return a function that counts as ``attention_others``, plus the additions of the projection's bias."""

    def count(view: LayerView) -> int:
        batch, length, _ = view.shape(0)
        bias = batch * length * view.shape(1)[-1] * view.has(2)
        return bias + _scores(view, view.number("num_heads", 1), batch * length * _packed_keys(view), masks)

    return count


def _packed_keys(view: LayerView) -> int:
    # Return the keys of a packed attention: those of this call and of a cache.
    past = next((view.shape(position)[-2] for position in (4, 8) if len(view.shape(position)) == 5), 0)
    return view.shape(0)[1] + past


def _scores(view: LayerView, heads: int, scores: int, masks: tuple[int, ...]) -> int:
    # Count softmax, scale and mask of the scores of each head.
    return heads * scores * (SOFTMAX + 1 + any(map(view.has, masks)))


def experts_share(view: LayerView) -> float:
    """Return the expected share of ``E`` experts that ``n`` tokens reach with ``k`` each: ``1 - (1 - k / E) ** n``."""
    stacked = view.shape(2)
    if not stacked or not stacked[0]:
        return 1.0
    chosen = min(1.0, view.number("k", 1) / stacked[0])
    return 1.0 - (1.0 - chosen) ** math.prod(view.shape(0)[:-1])


def experts_products(*stacked: int) -> Count:
    """Return a function that counts the FLOPs of a mixture of experts; the operands ``stacked`` are the weights."""

    def count(view: LayerView) -> int:
        packed = 8 // view.number("expert_weight_bits", 4) if view.layer.op_type.startswith("Q") else 1
        weights = sum(math.prod(view.shape(position)[1:]) for position in stacked)
        absent = sum(not view.has(position) for position in stacked)
        return 2 * math.prod(view.shape(0)[:-1]) * view.number("k", 1) * (weights - absent) * packed

    return count


def gelu(view: LayerView) -> int:
    """Return the number of operations of a Gelu, FastGelu or BiasGelu, a bias included."""
    kind = view.layer.op_type
    fast = kind == "FastGelu" or view.text("approximate") == "tanh"
    biased = kind != "Gelu" and view.has(1)
    return ((FAST_GELU if fast else GELU) + biased) * view.output_elements


def variadic(view: LayerView) -> int:
    """Return the number of operations of Sum, Max, Min or Mean: for each output value, one per further operand."""
    return max(0, len(view.layer.inputs) - 1 + (view.layer.op_type == "Mean")) * view.output_elements


def rows(view: LayerView) -> int:
    """Return the number of rows of a normalisation; a row spans the axes from attribute ``axis`` on."""
    shape, axis = view.shape(0), view.number("axis", -1)
    return math.prod(shape[: axis if axis >= 0 else len(shape) + axis])


def skip_normalisation(view: LayerView) -> int:
    """Return the number of operations of a SkipLayerNormalization or its RMS version, including both additions."""
    plain = view.layer.op_type == "SkipLayerNormalization"
    added = 1 + view.has(4 if plain else 3)
    each, row = (6 + view.has(3), 5) if plain else (4, 4)
    return (added + each) * view.elements(0) + row * math.prod(view.shape(0)[:-1])


def group_normalisation(view: LayerView) -> int:
    """Return the number of operations of a group normalisation, including a fused SiLU and a skip connection."""
    groups = view.number("num_groups") or view.number("groups", 1)
    more = SWISH - 1 if view.number("activation") else 0
    added = 1 + view.has(4) if view.layer.op_type == "SkipGroupNorm" else 0
    return (7 + more + added) * view.elements(0) + 5 * math.prod(view.shape(0)[:1]) * groups


def window(view: LayerView, more: int = 0) -> int:
    """Return the number of operations of a pooling: for each output value, the size of the window plus ``more``."""
    return (math.prod(view.numbers("kernel_shape") or [1]) + more) * view.output_elements


def interpolation(view: LayerView) -> int:
    """Return the number of operations of a Resize or the like; 0 for mode nearest."""
    taps = {"linear": 2, "bilinear": 2, "trilinear": 2, "cubic": 4, "bicubic": 4}.get(view.text("mode"), 1)
    before = view.shape(0)
    changed = sum(old != new for old, new in zip(before, view.output, strict=False))
    taps **= len(before) - 2 if view.layer.op_type == "GridSample" else changed
    return (2 * taps - 1 if taps > 1 else 0) * view.output_elements


def added(*operands: int, more: int = 0) -> Count:
    """Return a function that counts, for each output value, ``more`` plus the number of ``operands`` present."""
    return lambda view: (sum(map(view.has, operands)) + more) * view.output_elements


def scaled(view: LayerView) -> int:
    """Return the number of operations of a Gemm or FusedMatMul, without those of the matrix product."""
    alpha, beta = (view.attribute(name, 1.0) not in (1, 1.0, (1.0).hex()) for name in ("alpha", "beta"))
    return (alpha + (1 + beta if view.has(2) else 0)) * view.output_elements


def results_bytes(view: LayerView) -> int:
    """Return the bytes of a layer's first output."""
    return view.first_result.nbytes


def nearest_bytes(view: LayerView) -> int:
    """Return the most bytes that a Resize or the like reads: those of operand 0, or of the result in mode nearest."""
    spec = view.spec(0)
    return results_bytes(view) if view.text("mode") == "nearest" or spec is None else spec.nbytes


def rows_bytes(position: int, rows: Count, axis: str = "") -> Count:
    """Return a function for the bytes that a lookup reads of operand ``position``: ``rows`` slices along ``axis``."""

    def count(view: LayerView) -> int:
        spec = view.spec(position)
        if spec is None:
            return 0
        extent = view.extent(spec.shape, 0, axis)
        return -(-spec.nbytes * min(rows(view), extent) // max(1, extent))

    return count


def rotated_tokens(view: LayerView) -> int:
    """Return the number of tokens for which a RotaryEmbedding reads rows of its tables."""
    shape = view.shape(0)
    return max(view.elements(1), shape[2] if len(shape) == 4 else shape[1])


def rotated_positions(position: int) -> Count:
    """Return a function for the bytes that RotaryEmbedding reads of a table: all rows, or one per position id."""

    def count(view: LayerView) -> int:
        spec = view.spec(position)
        return rows_bytes(position, lambda view: view.elements(3))(view) if spec is None or view.has(3) else spec.nbytes

    return count


NO = 1
# Value of a flag that is set: its distance to ``NO`` is so large that the layers do not count as neighbours.
YES = 8
# Maximum of the power of two that divides a stride: larger ones map to the same cache sets as this one.
_ALIGNED = 1024


def _flag(value: bool) -> int:
    return YES if value else NO


def _at_least_1(*figures: int) -> tuple[int, ...]:
    return tuple(max(1, figure) for figure in figures)


def convolution_sizes(view: LayerView, weight: int = 1) -> tuple[int, ...]:
    """Return sizes of a convolution: output positions, width, channels per group, groups, window, strides, fusions."""
    kernel, out = view.shape(weight), view.output
    group = max(1, *view.numbers("group"), 1)
    channels_in, channels_out = math.prod(kernel[1:2]), -(-math.prod(kernel[:1]) // group)
    return _at_least_1(
        math.prod(out) // max(1, math.prod(kernel[:1])),
        math.prod(out[-1:]),
        channels_in,
        channels_out,
        group,
        math.prod(kernel[2:]),
        math.prod(kernel[2:3]),
        math.prod(view.numbers("strides") or [1]),
        max(view.numbers("dilations") or [1]),
        math.prod(view.shape(0)[2:]),
        _flag(group > 1 and channels_in == 1),
        _flag(math.prod(kernel[2:]) == 1),
        _flag(view.spec(3) is not None and weight == 1),
        _flag(bool(view.text("activation"))),
    )


def is_product(view: LayerView) -> bool:
    """Return whether a convolution is a matrix product: planar layout, window and stride of 1."""
    return math.prod(view.shape(1)[2:]) == 1 and math.prod(view.numbers("strides") or [1]) == 1


def as_product(view: LayerView) -> tuple[int, ...]:
    """Return the sizes of the matrix product that equals a convolution, as ``product_sizes`` does."""
    kernel, out = view.shape(1), view.output
    group = max(1, *view.numbers("group"), 1)
    return _at_least_1(
        group * math.prod(out[:1]),
        -(-math.prod(kernel[:1]) // group),
        math.prod(kernel[1:2]),
        math.prod(out[2:]),
        NO,
        NO,
        NO,
        _flag(view.spec(2) is not None or view.spec(3) is not None),
        _flag(bool(view.text("activation"))),
    )


def product_sizes(view: LayerView) -> tuple[int, ...]:
    """Return sizes of a matrix product: batch, rows, depth, columns; and flags for transposition, constant, fusions."""
    left, right, out = view.shape(0), view.shape(1), view.output
    turned_left = any(view.numbers("transA"))
    turned_right = any(view.numbers("transB"))
    depth = left[-2] if turned_left and len(left) > 1 else math.prod(left[-1:])
    columns = math.prod(out[-1:])
    stacked = math.prod(right[:-2])
    return _at_least_1(
        stacked,
        math.prod(out) // max(1, columns * max(1, stacked)),
        depth,
        columns,
        _flag(turned_left),
        _flag(turned_right),
        _flag(view.is_constant(1)),
        _flag(view.spec(2) is not None),
        _flag(bool(view.text("activation"))),
    )


def window_sizes(view: LayerView) -> tuple[int, ...]:
    """Return sizes of a pooling: output values, window elements, product of strides, input values, output width."""
    window = math.prod(view.numbers("kernel_shape") or [1])
    steps = math.prod(view.numbers("strides") or [1])
    return _at_least_1(math.prod(view.output), window, steps, math.prod(view.shape(0)), math.prod(view.output[-1:]))


def transposition_sizes(view: LayerView) -> tuple[int, ...]:
    """Return sizes of a Transpose: values, contiguous values, extents, stride, alignment; whether one axis moves."""
    shape = view.shape(0)
    order = view.numbers("perm") or list(reversed(range(len(shape))))
    rest = len(order)
    while rest and order[rest - 1] == rest - 1:
        rest -= 1
    read, written = (shape[rest - 1], shape[order[rest - 1]]) if rest else (1, 1)
    stride = math.prod(shape[order[rest - 1] + 1 :]) if rest else 1
    return _at_least_1(
        math.prod(shape),
        math.prod(shape[rest:]),
        read,
        written,
        stride,
        min(stride & -stride, _ALIGNED),
        # whether one axis moves
        _flag(any([other for other in order if other != axis] == sorted(set(order) - {axis}) for axis in order)),
    )


def arithmetic_sizes(view: LayerView) -> tuple[int, ...]:
    """Return sizes of an Add or the like: values of output and of both operands, extents of the operands' last axes."""
    left, right = view.shape(0), view.shape(1)
    few, many = sorted((math.prod(left), math.prod(right)))
    last = sorted((math.prod(left[-1:]), math.prod(right[-1:])))
    return _at_least_1(math.prod(view.output), many, few, *last)


def recurrent_sizes(view: LayerView) -> tuple[int, ...]:
    """Return sizes of a recurrent layer: time steps, batch, input size, hidden size, directions."""
    steps, batch, inputs = (*view.shape(0), 1, 1, 1)[:3]
    if view.is_constant(4):
        steps = -(-recurrent_steps(view) // max(1, batch))
    return _at_least_1(steps, batch, inputs, math.prod(view.shape(2)[-1:]), math.prod(view.shape(1)[:1]))


def generic_sizes(view: LayerView) -> tuple[int, ...]:
    """Return sizes of any layer: values read and written, constant bytes, last and inner extents, operands, results."""
    return _generic(view, _all)


def of_experts_sizes(view: LayerView) -> tuple[int, ...]:
    """Return ``generic_sizes`` of a mixture of experts; only experts that tokens reach count."""
    return _generic(view, lambda view, name: round(_all(view, name) * experts_share(view)))


def gathered_sizes(view: LayerView) -> tuple[int, ...]:
    """Return ``generic_sizes`` of a Gather or the like; operand 0 counts at most as many bytes as the result."""
    return _generic(
        view,
        lambda view, name: min(
            _all(view, name), view.first_result.nbytes if name == view.layer.inputs[0] else _all(view, name)
        ),
    )


def _all(view: LayerView, name: str) -> int:
    return view.model.spec(name).nbytes


def _generic(view: LayerView, constant_bytes: Callable[[LayerView, str], int]) -> tuple[int, ...]:
    # Stored results have these sizes, and equal kinds are compared by them. So constants count as in earlier releases:
    # whole, except for Gather. ``fetched_bytes`` has the bytes that a call reads of a constant.
    model, layer, shape = view.model, view.layer, view.shape(0)
    read = [model.spec(name).elements for name in layer.reads if name not in model.constants]
    constant = [constant_bytes(view, name) for name in layer.reads if name in model.constants]
    written = [model.spec(name).elements for name in layer.outputs if name]
    axes = (axis if axis < 0 else axis - len(shape) for axis in view.numbers("axis") + view.numbers("axes"))
    return _at_least_1(
        sum(read),
        sum(written),
        sum(constant),
        math.prod(shape[-1:]),
        math.prod(view.output[-1:]),
        math.prod(view.output[2:]),
        math.prod(shape[min([-1, *axes]) :]),
        len(read),
        len(written),
    )


def attribute_of(node: onnx.NodeProto, name: str) -> onnx.AttributeProto | None:
    """Return the attribute ``name`` of a node; None if it is not set."""
    return next((attribute for attribute in node.attribute if attribute.name == name), None)


def integer_of(node: onnx.NodeProto, name: str, default: int) -> int:
    """Return the integer attribute ``name`` of a node; ``default`` if it is not set."""
    attribute = attribute_of(node, name)
    return default if attribute is None else attribute.i


def product_fan_in(node: onnx.NodeProto, position: int, shape: tuple[int, ...]) -> int:
    """Return the fan-in of a matrix product: the number of terms per output value; ``shape`` is that of the weight."""
    left = position == 0
    transposed = bool(integer_of(node, "transA" if left else "transB", 0))
    return shape[0] if len(shape) == 1 else shape[-1] if left != transposed else shape[-2]


def convolution_fan_in(_node: onnx.NodeProto, _position: int, shape: tuple[int, ...]) -> int:
    """Return the fan-in of a convolution; ``shape`` is that of the weight."""
    return math.prod(shape[1:])


def transposed_convolution_fan_in(node: onnx.NodeProto, _position: int, shape: tuple[int, ...]) -> int:
    """Return the fan-in of a ConvTranspose, which depends on its strides; ``shape`` is that of the weight."""
    strides = attribute_of(node, "strides")
    overlap = math.prod(shape[2:]) // math.prod(strides.ints if strides else [1])
    return shape[0] // max(1, integer_of(node, "group", 1)) * max(1, overlap)


def einsum_fan_in(node: onnx.NodeProto, position: int, shape: tuple[int, ...]) -> int:
    """Return the fan-in of an Einsum: the product of the extents over which the equation sums."""
    equation = attribute_of(node, "equation")
    terms, _, result = (equation.s.decode().replace(" ", "") if equation else "").partition("->")
    labels = terms.split(",")[position]
    return math.prod(extent for label, extent in zip(labels, shape, strict=False) if label not in result)
