"""Operations and bytes of PyTorch's operators from the shapes of their operands, as Kineto records them.

Products and convolutions count a multiply-add as two; everything else counts one operation for each element that it
goes over. Bytes are the least that has to move: each operand read once, the result written once. What an operator does
is shared out among its kernels by their times: to those that multiply where it is a product; kernels that only
rearrange for them are taken to read and write the first operand. Operands are those of ATen's ``native_functions``.
"""

import functools
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from dlbricks.trace.build import with_values
from dlbricks.trace.intervals import ancestors, nearest
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace

Shape: TypeAlias = tuple[int, ...]
Figures: TypeAlias = tuple[float, float, float]
"""Operations, bytes read, bytes written."""


class Work(NamedTuple):
    """What one call of an operator does."""

    flops: float
    read: float
    """Elements."""
    written: float
    product: bool = False
    """Whether it multiplies matrices."""


class Operands(NamedTuple):
    """One call of an operator."""

    shapes: tuple[Shape, ...]
    """Of its operands; () for what is no tensor."""
    result: Shape
    """Of a convolution, as the operator behind it shows it; of the gradient of a weight its shape; () if not known."""


def _size(shape: Shape) -> int:
    return math.prod(shape) if shape else 0


def _product(batch: int, rows: int, inner: int, columns: int) -> Work:
    flops = 2.0 * batch * rows * inner * columns
    return Work(flops, batch * (rows * inner + inner * columns), batch * rows * columns, product=True)


def _matrices(first: int) -> Callable[[Operands], Work | None]:
    """Give the rule of products of two (batches of) matrices, the first of which is at some place."""

    def rule(call: Operands) -> Work | None:
        one, other = call.shapes[first], call.shapes[first + 1]
        if not one or not other or len(one) < len(other) == 1:
            return None
        if len(one) == 1 or len(other) == 1:
            return _product(1, _size(one) // one[-1] or 1, one[-1], _size(other) // one[-1] or 1)
        if one[-1] != other[-2]:
            return None
        batch = max(_size(one[:-2]) or 1, _size(other[:-2]) or 1)
        return _product(batch, one[-2], one[-1], other[-1])

    return rule


def _linear(call: Operands) -> Work | None:
    one, weight = call.shapes[0], call.shapes[1]
    if not one or len(weight) != 2 or one[-1] != weight[1]:
        return None
    return _product(1, _size(one[:-1]) or 1, weight[1], weight[0])


def _convolution(image: Shape, weight: Shape, result: Shape, times: int = 1) -> Work | None:
    """Each value of the result is a product of as many weights as a filter has."""
    if len(image) < 3 or len(weight) != len(image) or len(result) != len(image) or result[1] != weight[0]:
        return None
    flops = 2.0 * _size(result) * _size(weight[1:]) * times
    return Work(flops, times * (_size(image) + _size(weight)), times * _size(result), product=True)


def _backward_of_convolution(call: Operands) -> Work | None:
    """Both gradients; operands are the gradient of the result, image and weight (cuDNN's of 2021: image first)."""
    one, other, weight = call.shapes[:3]
    if not weight:
        return None
    result, image = (one, other) if len(one) > 1 and one[1] == weight[0] else (other, one)
    return _convolution(image, weight, result, times=2)


def _gradient_of_image(call: Operands) -> Work | None:
    """The second operand is the gradient of the result, the third the weight."""
    result, weight = call.shapes[1], call.shapes[2]
    flops = 2.0 * _size(result) * _size(weight[1:])
    return Work(flops, _size(result) + _size(weight), _size(result), product=True) if flops else None


def _gradient_of_weight(call: Operands) -> Work | None:
    """The second operand is the gradient of the result, the third the image; ``result`` is the shape of the weight."""
    result, image = call.shapes[1], call.shapes[2]
    flops = 2.0 * _size(result) * _size(call.result[1:])
    return Work(flops, _size(result) + _size(image), _size(call.result), product=True) if flops else None


def _attention(order: str, first: int, times: float) -> Callable[[Operands], Work | None]:
    """Give the rule of fused attention; ``order`` names the dimensions: batch, heads, length, width."""

    def rule(call: Operands) -> Work | None:
        queries, keys, values = call.shapes[first : first + 3]
        if any(len(shape) != 4 for shape in (queries, keys, values)):
            return None
        query, key, value = (dict(zip(order, shape, strict=True)) for shape in (queries, keys, values))
        pairs = query["b"] * query["h"] * query["l"] * key["l"]
        flops = times * 2.0 * pairs * (query["w"] + value["w"])
        moved = _size(queries) + _size(keys) + _size(values)
        return Work(flops, moved * times, _size(queries) * times, product=True)

    return rule


def _by_sizes(count: Callable[[list[int]], tuple[float, float, float]]) -> Callable[[Operands], Work | None]:
    """Give the rule of operators whose operations and elements follow from the sizes of their operands."""

    def rule(call: Operands) -> Work | None:
        made = Work(*count([_size(shape) for shape in call.shapes] or [0]))
        return made if made.flops or made.written else None

    return rule


_passing = _by_sizes(lambda sizes: (max(sizes), sum(sizes), max(sizes)))
"""Read every operand once, write one value for each of the broadcast shape."""
_over_first = _by_sizes(lambda sizes: (sizes[0], sum(sizes), sizes[0]))
"""Read and write the first operand, read the others."""
_reducing = _by_sizes(lambda sizes: (sizes[0], sizes[0], 0))
"""Read the first operand; what is written is small."""
_filling = _by_sizes(lambda sizes: (0, 0, sizes[0]))
_copying = _by_sizes(lambda sizes: (0, max(sizes), max(sizes)))
_joining = _by_sizes(lambda sizes: (0, sum(sizes), sum(sizes)))


def _looking_up(call: Operands) -> Work | None:
    """Read one row of a table for each number."""
    table, numbers = call.shapes[0], max((_size(shape) for shape in call.shapes[1:]), default=0)
    rows = numbers * (_size(table[1:]) or 1)
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
        _passing,
    ),
)  # fmt: skip
"""By the whole name of an operator, without its name space and the mark of one in place; the first that fits counts."""
_CONVOLVES = re.compile(r"(?!.*backward)(conv[123]d|\w*convolution(_overrideable|_relu|_add_relu)?|\w*_conv\w*)")
_OF_WEIGHTS = frozenset({"cudnn_convolution_backward_weight", "miopen_convolution_backward_weight"})
_NAME_SPACE = re.compile(r".*::")
_HELPS = re.compile(
    r"nchw|nhwc|transpose|im2d?2?col|im2col|col2im|offsets|copy|cat|cast|scalepacked|subtensor|splitkreduce|elementwise"
    r"|reduce_kernel|memset|fill|pad|convert|triton_(poi|red|per)",
    re.IGNORECASE,
)
"""Kernels that rearrange for a product instead of multiplying."""
_SMALL = re.compile(r"offsets", re.IGNORECASE)
"""Of these, those that touch no operand."""
_PASSING_KERNEL = re.compile(r"triton_(poi|red|per)|elementwise|norm|softmax|act_and_mul|rotary", re.IGNORECASE)
"""Kernels that go over their operands once, whatever the operator is that launches them."""
_BYTES: Mapping[str, int] = {
    "float64": 8, "int64": 8, "complex64": 8, "float16": 2, "bfloat16": 2, "int16": 2, "int8": 1, "uint8": 1, "bool": 1,
    "float8e4m3fn": 1, "float8e5m2": 1,
}  # fmt: skip
"""Of an element; 4 for all others."""
_MOST_BYTES_PER_NS = 20_000
"""No device moves more; a kernel of which more is computed goes over a part of its operands only."""
_LOOK_AHEAD = 60
"""So many operators behind a convolution may show its result."""


@functools.lru_cache(maxsize=1 << 12)
def rule_of(name: str) -> Callable[[Operands], Work | None] | None:
    """Give the rule of an operator; None where there is none."""
    space, _, plain = name.rpartition("::")
    if space and not space.startswith(("aten", "aiter", "sgl_kernel", "_C", "torch")):
        return None
    return next((rule for pattern, rule in _RULES if re.fullmatch(pattern, plain.rstrip("_"))), None)


@functools.lru_cache(maxsize=1 << 14)
def shapes_of(text: str) -> tuple[Shape, ...]:
    """Read the shapes of operands, as in ``[[64,3,7,7],[],[[8,4],[8,2]]]``; lists of tensors give each of theirs."""
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
    """Give what a call of an operator does, in elements; None where that is not known.

    Args:
        name: as in ``aten::addmm``.
        shapes: of its operands.
        result: of a convolution.
    """
    rule = rule_of(name)
    if rule is None or not shapes:
        return None
    try:
        return rule(Operands(shapes, result))
    except (IndexError, ZeroDivisionError):
        return None  # fewer operands than the operator has, or an empty one


def with_work(trace: Trace) -> Trace:
    """Add operations and bytes to the kernels of a trace that records shapes, and to the layers that they belong to.

    A trace without kernels gets those of its layers. What is there already stays.
    """
    recorded = trace.attributes.get("input_shapes")
    if recorded is None or "flops" in trace.attributes:
        return trace
    source_work = _Recorded(trace, dict(zip(recorded.rows.tolist(), recorded.values, strict=True)))
    ruled = np.array([rule_of(name) is not None for name in trace.names], bool)
    has = np.zeros(len(trace), bool)
    has[recorded.rows] = True
    operators = (trace.level == Level.LAYER) & has
    nearest_ruled = nearest(trace.parent, operators & ruled[trace.name])
    kernels = trace.rows(Level.KERNEL, "kernel", role=Role.EXECUTION)
    outer = ancestors(trace, Level.LAYER, outermost=True)
    if not len(kernels):
        own = np.flatnonzero(operators & ruled[trace.name] & (outer == np.arange(len(trace))))
        return _with_figures(trace, {row: source_work.figures(row, one) for row, one in source_work.works(own).items()})
    sources = nearest_ruled[kernels]
    works = source_work.works(np.unique(sources[sources != NONE]))
    made: dict[int, Figures] = {}
    for source, mine in _groups(sources, kernels):
        if source in works:
            made.update(source_work.shared(source, works[source], mine))
    owner = nearest(trace.parent, operators)
    made.update(source_work.passed(owner, [row for row in kernels.tolist() if row not in made]))
    made = {row: one for row, one in made.items() if one[1] + one[2] <= _MOST_BYTES_PER_NS * _length(trace, row)}
    types = {row: source_work.types[source] for row, source in zip(kernels.tolist(), sources.tolist(), strict=True)
             if source in source_work.types and row in made}  # fmt: skip
    return _with_figures(with_values(trace, "dtype", types), made | _of_layers(outer, made))


def _groups(sources: Longs, kernels: Longs) -> list[tuple[int, list[int]]]:
    order = np.argsort(sources, kind="stable")
    values, begins = np.unique(sources[order], return_index=True)
    parts = np.split(kernels[order], begins[1:])
    return [(row, part.tolist()) for row, part in zip(values.tolist(), parts, strict=True) if row != NONE]


class _Recorded:
    """What a trace records of its operators."""

    def __init__(self, trace: Trace, texts: Mapping[int, Any]) -> None:
        self._trace, self._texts = trace, texts
        types = trace.attributes.get("dtype")
        self.types: dict[int, str] = {}
        if types is not None:
            self.types = {row: str(kind) for row, kind in zip(types.rows.tolist(), types.values, strict=True)}
        plain = [_NAME_SPACE.sub("", name) for name in trace.names]
        self._convolves = np.array([bool(_CONVOLVES.fullmatch(name)) for name in plain] or [False], bool)
        self._of_weights = np.array([name in _OF_WEIGHTS for name in plain] or [False], bool)

    def shapes(self, row: int) -> tuple[Shape, ...]:
        """Give the shapes of an operator's operands."""
        return shapes_of(str(self._texts.get(row, "[]")))

    def works(self, rows: Longs) -> dict[int, Work]:
        """Give the work of some operators, where it is known."""
        name = self._trace.name
        results = self._results(rows[self._convolves[name[rows]]])
        for row in rows[self._of_weights[name[rows]]].tolist():
            around = self.shapes(int(self._trace.parent[row]))
            results[row] = around[2] if len(around) > 2 else ()
        found = {
            row: work_of(self._trace.names[name[row]], self.shapes(row), results.get(row, ())) for row in rows.tolist()
        }
        return {row: one for row, one in found.items() if one is not None}

    def _results(self, rows: Longs) -> dict[int, Shape]:
        """Give the shapes of what convolutions make: the first operand behind each that fits the filters."""
        trace = self._trace
        made: dict[int, Shape] = {}
        for lane in np.unique(trace.lane[rows]).tolist():
            layers = np.flatnonzero((trace.level == Level.LAYER) & (trace.lane == lane))
            layers = layers[np.argsort(trace.start_ns[layers], kind="stable")]
            starts = trace.start_ns[layers]
            for row in rows[trace.lane[rows] == lane].tolist():
                operands = self.shapes(row)
                if len(operands) < 2 or len(operands[0]) != len(operands[1]) or len(operands[0]) < 3:
                    continue
                at = int(np.searchsorted(starts, trace.end_ns[row]))
                wanted = (operands[0][0], operands[1][0])
                firsts = ((self.shapes(other) or ((),))[0] for other in layers[at : at + _LOOK_AHEAD].tolist())
                fitting = (one for one in firsts if len(one) == len(operands[0]) and one[:2] == wanted)
                made[row] = next(fitting, ())
        return made

    def figures(self, row: int, work: Work) -> Figures:
        """Give the work of an operator, elements as bytes."""
        size = self._element(row)
        return work.flops, work.read * size, work.written * size

    def _element(self, row: int) -> int:
        return _BYTES.get(self.types.get(row, ""), 4)

    def shared(self, source: int, work: Work, kernels: list[int]) -> dict[int, Figures]:
        """Share the work of an operator among its kernels, by their times."""
        trace = self._trace
        flops, read, written = self.figures(source, work)
        names = {row: trace.names[trace.name[row]] for row in kernels}
        helping = [row for row in kernels if work.product and _HELPS.search(names[row])]
        doing = [row for row in kernels if row not in helping] or kernels
        times = [_length(trace, row) for row in doing]
        total = sum(times)
        made = {
            row: (flops * time / total, read * time / total, written * time / total)
            for row, time in zip(doing, times, strict=True)
        }
        moved = float(_size(self.shapes(source)[0]) * self._element(source))
        for row in helping:
            rearranged = 0.0 if _SMALL.search(names[row]) else moved
            made.setdefault(row, (0.0, rearranged, rearranged))
        return made

    def passed(self, owner: Longs, kernels: Sequence[int]) -> dict[int, Figures]:
        """Give the work of kernels that go over the operands of an operator without a rule."""
        made: dict[int, Figures] = {}
        for row in kernels:
            source = int(owner[row])
            if source != NONE and _PASSING_KERNEL.search(self._trace.names[self._trace.name[row]]):
                work = _passing(Operands(self.shapes(source), ()))
                if work is not None:
                    made[row] = self.figures(source, work)
        return made


def _length(trace: Trace, row: int) -> int:
    return max(1, int(trace.end_ns[row] - trace.start_ns[row]))


def _of_layers(outer: Longs, made: Mapping[int, Figures]) -> dict[int, Figures]:
    """Sum up by outermost layer."""
    sums: dict[int, list[float]] = {}
    for row, figures in made.items():
        layer = int(outer[row])
        if layer != NONE:
            total = sums.setdefault(layer, [0.0, 0.0, 0.0])
            for place, value in enumerate(figures):
                total[place] += value
    return {layer: (one[0], one[1], one[2]) for layer, one in sums.items()}


def _with_figures(trace: Trace, figures: Mapping[int, Figures]) -> Trace:
    for place, name in enumerate(("flops", "read_bytes", "written_bytes")):
        known = {row: one[place] for row, one in figures.items() if not math.isnan(one[place])}
        trace = with_values(trace, name, known)
    return trace
