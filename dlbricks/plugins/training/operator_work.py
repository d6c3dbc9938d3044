"""Operations and bytes of PyTorch's operators, from shapes and types of operands.

A multiply-add counts as two operations; other operators count one for each element. Bytes are compulsory: each operand
is read once, the result written once. Operands have the order of ATen's ``native_functions``. If there is a further
tensor after the last argument of a function, it is ``out``, which is written, not read.
"""

import functools
import itertools
import json
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from dlbricks.harness.dtypes import BY_NAME

Shape: TypeAlias = tuple[int, ...]

# Extents are read from a file: beyond 62 bits their products would overflow the columns of a trace.
_MOST_ELEMENTS = 1 << 62

# Number of arguments of functions that may be called with ``out`` behind them.
_ARITIES: Sequence[tuple[int, str]] = (
    (1, r"neg|abs|exp|log|log2|log10|log1p|sqrt|rsqrt|reciprocal|sigmoid|silu|tanh|erf|sin|cos|sign|ceil|floor"),
    (2, r"mul|pow|eq|ne|lt|le|gt|ge|clamp_(min|max)|maximum|minimum|remainder|fmod|gelu|leaky_relu"),
    (3, r"add|sub|clamp|lerp|where|hardtanh|mse_loss|threshold"),
    (4, r"addcmul|addcdiv"),
)  # fmt: skip


class Work(NamedTuple):
    """Operations and bytes of one call."""

    flops: float
    read: float
    """Bytes read."""
    written: float
    """Bytes written."""
    product: bool = False
    """Whether the operator multiplies matrices."""


class Operands(NamedTuple):
    """Operands of one call."""

    shapes: tuple[Shape, ...]
    """Shape of each operand; () for an operand that is not a tensor."""
    result: Shape
    """Shape of the result of a convolution; for the gradient of a weight, shape of the weight. () if unknown."""
    widths: tuple[int, ...] = ()
    """Bytes per element of each operand; 1 for an operand beyond the end."""
    name: str = ""
    """Name of the operator without namespace; in-place operators end in an underscore."""

    def width(self, place: int) -> int:
        """Return the bytes per element of an operand."""
        return self.widths[place] if place < len(self.widths) else 1

    def nbytes(self, place: int) -> int:
        """Return the bytes of an operand."""
        return size_of(self.shapes[place]) * self.width(place)

    @property
    def inputs(self) -> tuple[int, ...]:
        """Indices of all operands except ``out``."""
        count = _arity(self.name.rstrip("_"))
        return tuple(range(len(self.shapes) if count is None else min(count, len(self.shapes))))


def size_of(shape: Shape) -> int:
    """Return the number of elements of a tensor; 0 for ()."""
    return math.prod(shape) if shape else 0


@functools.lru_cache(maxsize=1 << 8)
def _arity(name: str) -> int | None:
    return next((count for count, pattern in _ARITIES if re.fullmatch(pattern, name)), None)


@functools.lru_cache(maxsize=1 << 14)
def shapes_of(text: str) -> tuple[Shape, ...]:
    """Parse the shapes of operands, as in ``[[64,3,7,7],[],[[8,4],[8,2]]]``; lists are flattened."""
    return tuple(shape for shape, _ in _operands(text))


@functools.lru_cache(maxsize=1 << 14)
def widths_of(text: str, types: str, default: int) -> tuple[int, ...]:
    """Return the bytes per element of each operand of ``shapes_of``; ``default`` if the type is unknown.

    ``types`` are separated by commas, with an empty text for an operand without a type, as in ``float32,int64,,``.
    """
    widths = [BY_NAME[name].bits // 8 if name in BY_NAME else default for name in types.split(",")]
    return tuple(widths[place] if place < len(widths) else default for _, place in _operands(text))


@functools.lru_cache(maxsize=1 << 14)
def _operands(text: str) -> tuple[tuple[Shape, int], ...]:
    """Return the shape of each operand, with its position among the arguments."""
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    operands: list[tuple[Shape, int]] = []
    for place, argument in enumerate(arguments if isinstance(arguments, list) else ()):
        is_list = isinstance(argument, list) and argument and isinstance(argument[0], list)
        shapes = argument if is_list else [argument]
        operands += [(tuple(shape) if _is_shape(shape) else (), place) for shape in shapes]
    return tuple(operands)


def _is_shape(value: Any) -> bool:
    """Return whether a value from JSON can be a shape."""
    extents = isinstance(value, list) and all(isinstance(size, int) and 0 <= size < _MOST_ELEMENTS for size in value)
    return extents and math.prod(value) < _MOST_ELEMENTS


def _product(batch: int, rows: int, inner: int, columns: int, widths: tuple[int, int, int]) -> Work:
    """Return the work of matrix products; ``widths`` are the bytes per element of operands and result."""
    left, other, result = widths
    flops = 2.0 * batch * rows * inner * columns
    read = batch * (rows * inner * left + inner * columns * other)
    return Work(flops, read, batch * rows * columns * result, product=True)


def _matrices(first: int) -> Callable[[Operands], Work | None]:
    """Return a rule for products of two matrices or batches; ``first`` is the position of the first operand."""

    def rule(call: Operands) -> Work | None:
        left, other = call.shapes[first], call.shapes[first + 1]
        if not left or not other or len(left) < len(other) == 1:
            return None
        widths = call.width(first), call.width(first + 1), _width_of_product(call, first)
        if len(left) == 1 or len(other) == 1:
            return _product(1, size_of(left) // left[-1] or 1, left[-1], size_of(other) // left[-1] or 1, widths)
        pairs = list(itertools.zip_longest(left[-3::-1], other[-3::-1], fillvalue=1))
        if left[-1] != other[-2] or any(1 not in pair and pair[0] != pair[1] for pair in pairs):
            return None
        batch = math.prod(size if fellow == 1 else fellow for size, fellow in pairs)  # dimensions are broadcast
        read = float(call.nbytes(first) + call.nbytes(first + 1))
        return _product(batch, left[-2], left[-1], other[-1], widths)._replace(read=read)

    return rule


def _width_of_product(call: Operands, first: int) -> int:
    """Return the bytes per element of a product: 4 for int8, double for float8, otherwise those of the operands."""
    if call.name == "_scaled_mm":
        return 2 * call.width(first)
    return 4 if call.name == "_int_mm" and call.widths else call.width(first)


def _linear(call: Operands) -> Work | None:
    image, weight = call.shapes[0], call.shapes[1]
    if not image or len(weight) != 2 or image[-1] != weight[1]:
        return None
    return _product(1, size_of(image[:-1]) or 1, weight[1], weight[0], (call.width(0), call.width(1), call.width(0)))


def _convolution(image: Shape, weight: Shape, result: Shape, width: int, times: int = 1) -> Work | None:
    """Return the work of a convolution: a dot product for each value of the result."""
    if len(image) < 3 or len(weight) != len(image) or len(result) != len(image) or result[1] != weight[0]:
        return None
    flops = 2.0 * size_of(result) * size_of(weight[1:]) * times
    read = times * (size_of(image) + size_of(weight)) * width
    return Work(flops, read, times * size_of(result) * width, product=True)


def _backward_of_convolution(call: Operands) -> Work | None:
    """Return the work of a convolution's gradients; operand 2 is the weight, after the result's gradient and image."""
    first, other, weight = call.shapes[:3]
    if not weight:
        return None
    result, image = (first, other) if len(first) > 1 and first[1] == weight[0] else (other, first)
    return _convolution(image, weight, result, call.width(2), times=2)


def _gradient(*, of_weight: bool) -> Callable[[Operands], Work | None]:
    # Return a rule for one of the two gradients of a convolution. Operand 1 is the gradient of the result. Operand 2 is
    # the image (with ``of_weight``) or the weight.
    def rule(call: Operands) -> Work | None:
        result, other, width = call.shapes[1], call.shapes[2], call.width(1)
        weight, written = (call.result, call.result) if of_weight else (other, result)
        flops = 2.0 * size_of(result) * size_of(weight[1:])
        read = (size_of(result) + size_of(other)) * width
        return Work(flops, read, size_of(written) * width, product=True) if flops else None

    return rule


def _attention(order: str, first: int, times: float) -> Callable[[Operands], Work | None]:
    # Return a rule for fused attention; ``times`` is the multiple of a forward pass's operations. Operand ``first`` has
    # the queries; keys and values follow. ``order`` names axes: batch, heads, length, width.
    def rule(call: Operands) -> Work | None:
        queries, keys, values = call.shapes[first : first + 3]
        if any(len(shape) != 4 for shape in (queries, keys, values)):
            return None
        query, key, value = (dict(zip(order, shape, strict=True)) for shape in (queries, keys, values))
        pairs = query["b"] * query["h"] * query["l"] * key["l"]
        flops = times * 2.0 * pairs * (query["w"] + value["w"])
        moved = sum(call.nbytes(place) for place in range(first, first + 3))
        return Work(flops, moved * times, call.nbytes(first) * times, product=True)

    return rule


def elementwise_work(call: Operands) -> Work | None:
    """Return the work of an element-wise operator: one result for each element of the largest operand.

    Comparisons write elements of one byte. Other operators write elements as wide as those of the widest operand.
    """
    sizes = [size_of(call.shapes[place]) for place in call.inputs]
    count = max(sizes, default=0)
    width = max((call.width(place) for place in call.inputs if call.shapes[place]), default=1)
    if call.name.endswith("_"):
        width = call.width(0)
    elif call.widths and _COMPARES.fullmatch(call.name):
        width = 1
    return Work(count, sum(call.nbytes(place) for place in call.inputs), count * width) if count else None


def _streaming(read: slice, written: slice, *, counts: bool = True) -> Callable[[Operands], Work | None]:
    # Return a rule for operators that read the operands ``read``, and write as many bytes as those in ``written``. The
    # rule returns None if one of the two has no bytes. With ``counts``, each element of operand 0 is an operation.
    def rule(call: Operands) -> Work | None:
        nbytes = [call.nbytes(place) for place in range(len(call.shapes))]
        read_bytes, written_bytes = (sum(nbytes[side]) for side in (read, written))
        if not (read_bytes or read == _NONE) or not (written_bytes or written == _NONE):
            return None
        return Work(size_of(call.shapes[0]) if counts else 0, read_bytes, written_bytes)

    return rule


_NONE, _FIRST, _OTHERS, _ALL = slice(0), slice(1), slice(1, None), slice(None)
_over_first = _streaming(_ALL, _FIRST)
_into_first = _streaming(_OTHERS, _FIRST)
_reducing = _streaming(_FIRST, _NONE)


def _copying(call: Operands) -> Work | None:
    """Return the work of a copy; ``copy_`` writes operand 0 and reads operand 1, which may be smaller."""
    sizes = [size_of(shape) for shape in call.shapes]
    place = max(range(len(sizes)), key=sizes.__getitem__)
    if call.name == "copy_" and len(sizes) > 1 and sizes[1]:
        return Work(0, call.nbytes(1), call.nbytes(0) or call.nbytes(1))
    return Work(0, call.nbytes(place), call.nbytes(place)) if sizes[place] else None


def _rotating(call: Operands) -> Work | None:
    """Return the work of in-place rotary embeddings. Operands are positions, queries, keys, head size and table."""
    turned, table = call.nbytes(1) + call.nbytes(2), call.shapes[4]
    angles = size_of(call.shapes[0]) * (table[-1] if table else 0) * call.width(4)
    count = size_of(call.shapes[1]) + size_of(call.shapes[2])
    return Work(count, turned + call.nbytes(0) + min(angles, call.nbytes(4)), turned) if turned else None


def _caching(call: Operands) -> Work | None:
    """Return the work of storing keys and values. Operands are keys, values, their two caches and slots."""
    count = size_of(call.shapes[0]) + size_of(call.shapes[1])
    return Work(0, call.nbytes(0) + call.nbytes(1) + call.nbytes(4), count * call.width(2)) if count else None


def _normalising(call: Operands) -> Work | None:
    """Return the work of RMS normalisation. Operand 0 is the input in ATen, and the result in inference servers."""
    if len(call.shapes) > 1 and call.shapes[1] == call.shapes[0]:
        return _into_first(call)
    return _over_first(call)


def _adding_and_normalising(call: Operands) -> Work | None:
    """Return the work of a sum and its normalisation, which read two operands and write two results."""
    count, each = size_of(call.shapes[0]), call.nbytes(0)
    weight = min((call.nbytes(place) for place, shape in enumerate(call.shapes) if shape), default=0)
    return Work(2 * count, 2 * each + weight, 2 * each) if count else None


def _lists(written: Callable[[int], int]) -> Callable[[Operands], Work | None]:
    """Return a rule for operators on lists of tensors; ``written`` maps the number of lists to that of written ones."""

    def rule(call: Operands) -> Work | None:
        shapes = [shape for shape in call.shapes if shape]
        counts = (count for count in range(1, len(shapes) + 1) if shapes == shapes[:count] * (len(shapes) // count))
        count = next(counts, 0)
        if not count:
            return None
        once, lists = sum(size_of(shape) for shape in shapes[:count]), len(shapes) // count
        width = next(call.width(place) for place, shape in enumerate(call.shapes) if shape)
        return Work(once, once * lists * width, once * written(lists) * width)

    return rule


def _looking_up(call: Operands) -> Work | None:
    """Return the work of a lookup, which reads a row per index; ``gather`` reads a value per index."""
    table, others = call.shapes[0], range(1, len(call.shapes))
    indices = max(others, key=lambda place: size_of(call.shapes[place]), default=0)
    if not table or not indices or not call.shapes[indices]:
        return None
    count = size_of(call.shapes[indices])
    length = 1 if call.name == "gather" else size_of(table[1:]) or 1
    rows = count * length * call.width(0)
    return Work(0, rows + count * call.width(indices), rows)


# Rules by regular expression of the name without namespace and trailing underscore; the first match counts.
_RULES: Sequence[tuple[str, Callable[[Operands], Work | None]]] = (
    (r"mm|bmm|_int_mm|_scaled_mm|matmul|mv|dot|gemm_a16w16", _matrices(0)),
    (r"addmm|baddbmm|addmv|addbmm|_addmm_activation", _matrices(1)),
    (r"linear", _linear),
    (
        (
            r"(cudnn_|miopen_|mkldnn_|mps_|_)?convolution(_overrideable)?|conv[123]d|(miopen_depthwise|thnn|_slow)_?conv\w*"
            r"|_conv_depthwise2d|conv_depthwise3d|cudnn_convolution_(relu|add_relu)"
        ),
        lambda call: _convolution(call.shapes[0], call.shapes[1], call.result, call.width(0)),
    ),
    (r"(cudnn_|miopen_|mkldnn_)?convolution_backward(_overrideable)?", _backward_of_convolution),
    (r"(cudnn|miopen)_convolution_backward_input", _gradient(of_weight=False)),
    (r"(cudnn|miopen)_convolution_backward_weight", _gradient(of_weight=True)),
    (r"(_scaled_dot_product_(flash|efficient|cudnn|fused)|scaled_dot_product)_attention", _attention("bhlw", 0, 1)),
    (r"_flash_attention_forward|_efficient_attention_forward", _attention("blhw", 0, 1)),
    (r"_scaled_dot_product_\w+_attention_backward", _attention("bhlw", 1, 2.5)),
    (r"_flash_attention_backward|_efficient_attention_backward", _attention("blhw", 1, 2.5)),
    (r"embedding|index_select|gather", _looking_up),
    (r"rms_?norm", _normalising),
    (r"(fused_)?add_rms_?norm", _adding_and_normalising),
    (r"rotary_embedding", _rotating),
    (r"reshape_and_cache(_flash)?|store_cache", _caching),
    (r"(static|dynamic)(_per_token)?_scaled_(fp8|int8)_quant|silu_and_mul|gelu(_tanh)?_and_mul", _into_first),
    (r"_foreach_(norm|max)", _lists(lambda _: 0)),
    (r"_foreach_\w+|_amp_foreach_\w+", _lists(lambda _: 1)),
    (r"_fused_(adamw?|sgd|adagrad)", _lists(lambda lists: max(1, lists - 1))),
    (r"sum|mean|amax|amin|max|min|norm|linalg_vector_norm|argmax|argmin|any|all|prod|var_mean|var|std", _reducing),
    (r"(max|avg|adaptive_avg|adaptive_max|_adaptive_avg)_pool[123]d(_with_indices)?", _reducing),
    (r"fill|zero|zeros|ones|full|arange|normal|uniform|bernoulli|random", _streaming(_NONE, _FIRST, counts=False)),
    (
        r"copy|_to_copy|to|clone|contiguous|roll|flip|repeat|index|masked_select|im2col|constant_pad_nd",
        _copying,
    ),
    (r"cat|stack|_cat", _streaming(_ALL, _ALL, counts=False)),
    (r"\w*norm\w*|\w*softmax\w*|cumsum|sort|topk|\w*_forward|\w*_backward\w*", _over_first),
    (
        (
            r"add|sub|rsub|mul|div|pow|neg|abs|exp|log\w*|sqrt|rsqrt|reciprocal|relu6?|clamp(_min|_max)?|gelu|silu|sigmoid"
            r"|tanh|erf|sin|cos|eq|ne|lt|le|gt|ge|where|masked_fill|threshold|hardtanh|hardswish|hardsigmoid|leaky_relu|elu|mish"
            r"|native_dropout|dropout|bitwise_\w+|logical_\w+|floor\w*|ceil|round|remainder|fmod|maximum|minimum|lerp"
            r"|addcmul|addcdiv|sign|square|mse_loss|isnan|isinf|nan_to_num|tril|triu|_fused_dropout"
        ),
        elementwise_work,
    ),
)  # fmt: skip
_COMPARES = re.compile(r"eq|ne|lt|le|gt|ge|logical_\w+|isnan|isinf")


@functools.lru_cache(maxsize=1 << 12)
def rule_of(name: str) -> Callable[[Operands], Work | None] | None:
    """Return the rule for an operator; None if there is none."""
    space, _, plain = name.rpartition("::")
    if space and not space.startswith(("aten", "aiter", "sgl_kernel", "_C", "torch")):
        return None
    return next((rule for pattern, rule in _RULES if re.fullmatch(pattern, plain.rstrip("_"))), None)


@functools.lru_cache(maxsize=1 << 14)
def work_of(name: str, shapes: tuple[Shape, ...], result: Shape = (), widths: tuple[int, ...] = ()) -> Work | None:
    """Return the work of a call of an operator such as ``aten::addmm``; None if unknown.

    Other parameters are fields of ``Operands``. Without ``widths``, sizes are in elements instead of bytes.
    """
    rule = rule_of(name)
    if rule is None or not shapes:
        return None
    try:
        return rule(Operands(shapes, result, widths, name.rpartition("::")[2]))
    except (IndexError, ZeroDivisionError):
        return None  # operands are missing or empty
