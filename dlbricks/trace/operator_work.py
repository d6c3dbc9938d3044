"""Operations and elements of PyTorch's operators from the shapes of their operands, one rule for each family.

Matrix products and convolutions count a multiply-add as two operations; other operators count one operation for each
element that they process. Elements are the least data movement: each operand is read once, the result written once.
The order of operands is that of ATen's ``native_functions``.
"""

import functools
import json
import math
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

Shape: TypeAlias = tuple[int, ...]


class Work(NamedTuple):
    """The work of one call of an operator."""

    flops: float
    read: float
    """Elements read."""
    written: float
    """Elements written."""
    product: bool = False
    """Whether it multiplies matrices."""


class Operands(NamedTuple):
    """The operands of one call of an operator."""

    shapes: tuple[Shape, ...]
    """Shapes of the operands; () for an operand that is not a tensor."""
    result: Shape
    """Shape of a convolution's result, or of the weight for a gradient of weights; () if unknown."""


def size_of(shape: Shape) -> int:
    """Return the number of elements of a tensor; 0 for ()."""
    return math.prod(shape) if shape else 0


def _product(batch: int, rows: int, inner: int, columns: int) -> Work:
    flops = 2.0 * batch * rows * inner * columns
    return Work(flops, batch * (rows * inner + inner * columns), batch * rows * columns, product=True)


def _matrices(first: int) -> Callable[[Operands], Work | None]:
    """Return the rule of products of two (batches of) matrices; ``first`` is the index of the first operand."""

    def rule(call: Operands) -> Work | None:
        one, other = call.shapes[first], call.shapes[first + 1]
        if not one or not other or len(one) < len(other) == 1:
            return None
        if len(one) == 1 or len(other) == 1:
            return _product(1, size_of(one) // one[-1] or 1, one[-1], size_of(other) // one[-1] or 1)
        if one[-1] != other[-2]:
            return None
        batch = max(size_of(one[:-2]) or 1, size_of(other[:-2]) or 1)
        return _product(batch, one[-2], one[-1], other[-1])

    return rule


def _linear(call: Operands) -> Work | None:
    one, weight = call.shapes[0], call.shapes[1]
    if not one or len(weight) != 2 or one[-1] != weight[1]:
        return None
    return _product(1, size_of(one[:-1]) or 1, weight[1], weight[0])


def _convolution(image: Shape, weight: Shape, result: Shape, times: int = 1) -> Work | None:
    """Return the work of a convolution: each value of the result is a dot product with one filter."""
    if len(image) < 3 or len(weight) != len(image) or len(result) != len(image) or result[1] != weight[0]:
        return None
    flops = 2.0 * size_of(result) * size_of(weight[1:]) * times
    return Work(flops, times * (size_of(image) + size_of(weight)), times * size_of(result), product=True)


def _backward_of_convolution(call: Operands) -> Work | None:
    """Return the work of both gradients; operands: result's gradient, image, weight (cuDNN of 2021: image first)."""
    one, other, weight = call.shapes[:3]
    if not weight:
        return None
    result, image = (one, other) if len(one) > 1 and one[1] == weight[0] else (other, one)
    return _convolution(image, weight, result, times=2)


def _gradient_of_image(call: Operands) -> Work | None:
    """Return the work of the gradient of the image; operands 1 and 2 are the gradient of the result and the weight."""
    result, weight = call.shapes[1], call.shapes[2]
    flops = 2.0 * size_of(result) * size_of(weight[1:])
    return Work(flops, size_of(result) + size_of(weight), size_of(result), product=True) if flops else None


def _gradient_of_weight(call: Operands) -> Work | None:
    """Return the work of the gradient of the weight (``result``); operands 1 and 2: gradient of the result, image."""
    result, image = call.shapes[1], call.shapes[2]
    flops = 2.0 * size_of(result) * size_of(call.result[1:])
    return Work(flops, size_of(result) + size_of(image), size_of(call.result), product=True) if flops else None


def _attention(order: str, first: int, times: float) -> Callable[[Operands], Work | None]:
    """Return the rule of fused attention.

    Args:
        order: letters of the dimensions: batch, heads, length, width.
        first: index of the operand with the queries; keys and values follow.
        times: factor of the work relative to the forward pass.
    """

    def rule(call: Operands) -> Work | None:
        queries, keys, values = call.shapes[first : first + 3]
        if any(len(shape) != 4 for shape in (queries, keys, values)):
            return None
        query, key, value = (dict(zip(order, shape, strict=True)) for shape in (queries, keys, values))
        pairs = query["b"] * query["h"] * query["l"] * key["l"]
        flops = times * 2.0 * pairs * (query["w"] + value["w"])
        moved = size_of(queries) + size_of(keys) + size_of(values)
        return Work(flops, moved * times, size_of(queries) * times, product=True)

    return rule


def _by_sizes(count: Callable[[list[int]], tuple[float, float, float]]) -> Callable[[Operands], Work | None]:
    """Return the rule of operators whose operations, elements read and written follow from the operands' sizes."""

    def rule(call: Operands) -> Work | None:
        made = Work(*count([size_of(shape) for shape in call.shapes] or [0]))
        return made if made.flops or made.written else None

    return rule


passing_work = _by_sizes(lambda sizes: (max(sizes), sum(sizes), max(sizes)))
"""Element-wise operators with broadcasting: read every operand once, write one value for each of the largest."""
_over_first = _by_sizes(lambda sizes: (sizes[0], sum(sizes), sizes[0]))
"""Read all operands, write as much as the first."""
_reducing = _by_sizes(lambda sizes: (sizes[0], sizes[0], 0))
"""Read the first operand, write little."""
_filling = _by_sizes(lambda sizes: (0, 0, sizes[0]))
_copying = _by_sizes(lambda sizes: (0, max(sizes), max(sizes)))
_joining = _by_sizes(lambda sizes: (0, sum(sizes), sum(sizes)))


def _lists(written: Callable[[int], int]) -> Callable[[Operands], Work | None]:
    """Return the rule of operators on several lists of tensors; ``written`` gives the number of lists written."""

    def rule(call: Operands) -> Work | None:
        shapes = [shape for shape in call.shapes if shape]
        counts = (count for count in range(1, len(shapes) + 1) if shapes == shapes[:count] * (len(shapes) // count))
        count = next(counts, 0)
        if not count:
            return None
        once, lists = sum(size_of(shape) for shape in shapes[:count]), len(shapes) // count
        return Work(once, once * lists, once * written(lists))

    return rule


def _looking_up(call: Operands) -> Work | None:
    """Return the work of a table lookup: one row for each index."""
    table, numbers = call.shapes[0], max((size_of(shape) for shape in call.shapes[1:]), default=0)
    rows = numbers * (size_of(table[1:]) or 1)
    return Work(0, rows, rows) if table and numbers else None


_RULES: Sequence[tuple[str, Callable[[Operands], Work | None]]] = (
    (r"mm|bmm|_int_mm|_scaled_mm|matmul|mv|dot|gemm_a16w16", _matrices(0)),
    (r"addmm|baddbmm|addmv|addbmm|_addmm_activation", _matrices(1)),
    (r"linear", _linear),
    (
        (
            r"(cudnn_|miopen_|mkldnn_|mps_|_)?convolution(_overrideable)?|conv[123]d|(miopen_depthwise|thnn|_slow)_?conv\w*"
            r"|_conv_depthwise2d|conv_depthwise3d|cudnn_convolution_(relu|add_relu)"
        ),
        lambda call: _convolution(call.shapes[0], call.shapes[1], call.result),
    ),
    (r"(cudnn_|miopen_|mkldnn_)?convolution_backward(_overrideable)?", _backward_of_convolution),
    (r"(cudnn|miopen)_convolution_backward_input", _gradient_of_image),
    (r"(cudnn|miopen)_convolution_backward_weight", _gradient_of_weight),
    (r"(_scaled_dot_product_(flash|efficient|cudnn|fused)|scaled_dot_product)_attention", _attention("bhlw", 0, 1)),
    (r"_flash_attention_forward|_efficient_attention_forward", _attention("blhw", 0, 1)),
    (r"_scaled_dot_product_\w+_attention_backward", _attention("bhlw", 1, 2.5)),
    (r"_flash_attention_backward|_efficient_attention_backward", _attention("blhw", 1, 2.5)),
    (r"embedding|index_select", _looking_up),
    (r"_foreach_(norm|max)", _lists(lambda _: 0)),
    (r"_foreach_\w+|_amp_foreach_\w+", _lists(lambda _: 1)),
    (r"_fused_(adamw?|sgd|adagrad)", _lists(lambda lists: max(1, lists - 1))),
    (r"sum|mean|amax|amin|max|min|norm|linalg_vector_norm|argmax|argmin|any|all|prod|var_mean|var|std", _reducing),
    (r"(max|avg|adaptive_avg|adaptive_max|_adaptive_avg)_pool[123]d(_with_indices)?", _reducing),
    (r"fill|zero|zeros|ones|full|arange|normal|uniform|bernoulli|random", _filling),
    (
        r"copy|_to_copy|to|clone|contiguous|roll|flip|repeat|index|gather|masked_select|im2col|constant_pad_nd",
        _copying,
    ),
    (r"cat|stack|_cat", _joining),
    (r"\w*norm\w*|\w*softmax\w*|cumsum|sort|topk|\w*_forward|\w*_backward\w*", _over_first),
    (
        (
            r"add|sub|rsub|mul|div|pow|neg|abs|exp|log\w*|sqrt|rsqrt|reciprocal|relu6?|clamp(_min|_max)?|gelu|silu|sigmoid"
            r"|tanh|erf|sin|cos|eq|ne|lt|le|gt|ge|where|masked_fill|threshold|hardtanh|hardswish|hardsigmoid|leaky_relu|elu|mish"
            r"|native_dropout|dropout|bitwise_\w+|logical_\w+|floor\w*|ceil|round|remainder|fmod|maximum|minimum|lerp"
            r"|addcmul|addcdiv|sign|square|mse_loss|isnan|isinf|nan_to_num|tril|triu|_fused_dropout|silu_and_mul"
        ),
        passing_work,
    ),
)  # fmt: skip
"""Rules by regular expression of the name without namespace and trailing underscore; the first match counts."""


@functools.lru_cache(maxsize=1 << 12)
def rule_of(name: str) -> Callable[[Operands], Work | None] | None:
    """Return the rule of an operator; None without one."""
    space, _, plain = name.rpartition("::")
    if space and not space.startswith(("aten", "aiter", "sgl_kernel", "_C", "torch")):
        return None
    return next((rule for pattern, rule in _RULES if re.fullmatch(pattern, plain.rstrip("_"))), None)


@functools.lru_cache(maxsize=1 << 14)
def shapes_of(text: str) -> tuple[Shape, ...]:
    """Parse the shapes of operands, as in ``[[64,3,7,7],[],[[8,4],[8,2]]]``; lists of tensors are flattened."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        return ()
    made: list[Shape] = []
    for one in found if isinstance(found, list) else ():
        inner = isinstance(one, list) and one and isinstance(one[0], list)
        for shape in one if inner else [one]:
            whole = isinstance(shape, list) and all(isinstance(size, int) for size in shape)
            made.append(tuple(shape) if whole else ())
    return tuple(made)


@functools.lru_cache(maxsize=1 << 14)
def work_of(name: str, shapes: tuple[Shape, ...], result: Shape = ()) -> Work | None:
    """Return the work of a call of an operator; None if it is unknown.

    Args:
        name: as in ``aten::addmm``.
        shapes: of the operands.
        result: see ``Operands.result``.
    """
    rule = rule_of(name)
    if rule is None or not shapes:
        return None
    try:
        return rule(Operands(shapes, result))
    except (IndexError, ZeroDivisionError):
        return None  # operands are missing or empty
