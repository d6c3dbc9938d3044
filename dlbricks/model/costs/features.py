"""Kinds of layers, and the sizes that decide the cost of each kind. Pure.

A kind is a computation and its element type; operators with the same kernel are one kind. Its sizes are numbers >= 1,
compared by their logarithms, the same ones in the same order for all layers of a kind.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from dlbricks.model.costs.flops import LayerView, experts_share, layer_flops
from dlbricks.model.types import Layer, Model, SequenceFeatures


def features(
    model: Model, layers: Sequence[Layer], *, inputs: Sequence[str], outputs: Sequence[str], constants: Sequence[str]
) -> SequenceFeatures:
    """Return the predictors of the cost of layers run as one sequence; ``layers`` in canonical order."""
    weights, read, written = (sum(model.spec(name).nbytes for name in names) for names in (constants, inputs, outputs))
    fetched = {
        name: max(fetched_bytes(model, layer, name) for layer in layers if name in layer.reads) for name in constants
    }
    found = [kind_and_sizes(model, layer) for layer in layers if not layer.is_view] or [("views", ())]
    return SequenceFeatures(
        operators=tuple(layer.op_type for layer in layers),
        flops=sum(layer_flops(model, layer) for layer in layers),
        work=sum(work(model, layer) for layer in layers),
        fetched_bytes=sum(fetched.values()),
        weight_bytes=weights,
        input_bytes=read,
        output_bytes=written,
        kinds=tuple(kind for kind, _ in found),
        shape=tuple(figure for _, figures in found for figure in figures),
    )


NO = 1
YES = 8
"""Distance to ``NO`` at which layers do not count as neighbours."""
_ALIGNED = 1024
"""Maximum of the power of two that divides a stride: such strides map to the same cache sets."""
_LOOKUPS = ("Gather", "GatherElements", "GatherND")
"""Operators that read no more bytes of their first operand than they output."""


class _Operands(LayerView):
    """A layer with what its sizes depend on."""

    __slots__ = ()

    def constant(self, position: int) -> int:
        """Flag an input that is a constant."""
        inputs = self.layer.inputs
        return _flag(position < len(inputs) and inputs[position] in self.model.constants)

    @property
    def dtype(self) -> str:
        """Element type of the first operand, or of the first output without one."""
        reads = self.layer.reads
        return self.model.spec(reads[0] if reads else self.layer.outputs[0]).dtype


def _flag(value: bool) -> int:
    return YES if value else NO


def _at_least_1(*figures: int) -> tuple[int, ...]:
    return tuple(max(1, figure) for figure in figures)


def fetched_bytes(model: Model, layer: Layer, constant: str) -> int:
    """Return the bytes that a layer reads of a constant; of a lookup table at most those of the result.

    Of experts that a router chooses among those of the share that tokens reach (``flops.experts_share``).
    """
    held = round(model.spec(constant).nbytes * experts_share(LayerView(model, layer)))
    if layer.op_type in _LOOKUPS and layer.inputs[0] == constant:
        return min(held, model.spec(layer.outputs[0]).nbytes)
    return held


def work(model: Model, layer: Layer) -> int:
    """Count the operations of a layer, without those of a convolution on its padding, which kernels skip."""
    flops = layer_flops(model, layer)
    if _KINDS.get(layer.op_type, ("", _generic))[0] != "convolution":
        return flops
    at = _Operands(model, layer)
    kernel, shape, out = at.shape(1)[2:], at.shape(0)[2:], at.output[2:]
    ones = [1] * len(kernel)
    strides, dilations = at.numbers("strides") or ones, at.numbers("dilations") or ones
    pads = at.numbers("pads") or [0] * len(kernel)
    for window, extent, places, stride, gap, pad in zip(kernel, shape, out, strides, dilations, pads, strict=False):
        inside = sum(0 <= place * stride + tap * gap - pad < extent for place in range(places) for tap in range(window))
        flops = flops * max(1, inside) // max(1, places * window)
    return flops


def _convolution(at: _Operands, weight: int = 1) -> tuple[int, ...]:
    """Output positions and width, channels per group in and out, groups, window, strides, fused operators."""
    kernel, out = at.shape(weight), at.output
    group = max(1, *at.numbers("group"), 1)
    channels_in, channels_out = math.prod(kernel[1:2]), -(-math.prod(kernel[:1]) // group)
    return _at_least_1(
        math.prod(out) // max(1, math.prod(kernel[:1])),
        math.prod(out[-1:]),
        channels_in,
        channels_out,
        group,
        math.prod(kernel[2:]),
        math.prod(kernel[2:3]),
        math.prod(at.numbers("strides") or [1]),
        max(at.numbers("dilations") or [1]),
        math.prod(at.shape(0)[2:]),
        _flag(group > 1 and channels_in == 1),
        _flag(math.prod(kernel[2:]) == 1),
        _flag(at.spec(3) is not None and weight == 1),
        _flag(bool(at.text("activation"))),
    )


def _is_product(at: _Operands) -> bool:
    """Return whether a convolution in planar layout is a matrix product: window and stride are 1."""
    return math.prod(at.shape(1)[2:]) == 1 and math.prod(at.numbers("strides") or [1]) == 1


def _as_product(at: _Operands) -> tuple[int, ...]:
    """A convolution as products of weights and positions per image and group: the sizes of ``_product``."""
    kernel, out = at.shape(1), at.output
    group = max(1, *at.numbers("group"), 1)
    return _at_least_1(
        group * math.prod(out[:1]),
        -(-math.prod(kernel[:1]) // group),
        math.prod(kernel[1:2]),
        math.prod(out[2:]),
        NO,
        NO,
        NO,
        _flag(at.spec(2) is not None or at.spec(3) is not None),
        _flag(bool(at.text("activation"))),
    )


def _product(at: _Operands) -> tuple[int, ...]:
    """Products, rows, depth and columns; flags for transposed, constant, added and activated operands."""
    left, right, out = at.shape(0), at.shape(1), at.output
    turned_left = any(at.numbers("transA"))
    turned_right = any(at.numbers("transB"))
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
        at.constant(1),
        _flag(at.spec(2) is not None),
        _flag(bool(at.text("activation"))),
    )


def _window(at: _Operands) -> tuple[int, ...]:
    """Output values, window, strides, input values, output width."""
    window = math.prod(at.numbers("kernel_shape") or [1])
    steps = math.prod(at.numbers("strides") or [1])
    return _at_least_1(math.prod(at.output), window, steps, math.prod(at.shape(0)), math.prod(at.output[-1:]))


def _transposition(at: _Operands) -> tuple[int, ...]:
    """Values, contiguous values, extents and alignment of the innermost permuted axes, whether one axis moves."""
    shape = at.shape(0)
    order = at.numbers("perm") or list(reversed(range(len(shape))))
    kept = 0
    while kept < len(order) and order[-1 - kept] == len(order) - 1 - kept:
        kept += 1
    rest = len(order) - kept
    read, written = (shape[rest - 1], shape[order[rest - 1]]) if rest else (1, 1)
    stride = math.prod(shape[order[rest - 1] + 1 :]) if rest else 1
    return _at_least_1(
        math.prod(shape),
        math.prod(shape[rest:]),
        read,
        written,
        stride,
        min(stride & -stride, _ALIGNED),
        _flag(_moves_one(order)),
    )


def _moves_one(order: Sequence[int]) -> bool:
    """Return whether a permutation moves one axis only."""
    return any([one for one in order if one != axis] == sorted(set(order) - {axis}) for axis in order)


def _arithmetic(at: _Operands) -> tuple[int, ...]:
    """Output values, values of each operand, last axis of each."""
    left, right = at.shape(0), at.shape(1)
    few, many = sorted((math.prod(left), math.prod(right)))
    last = sorted((math.prod(left[-1:]), math.prod(right[-1:])))
    return _at_least_1(math.prod(at.output), many, few, *last)


def _recurrent(at: _Operands) -> tuple[int, ...]:
    """Steps, batch, inputs, hidden size, directions."""
    steps, batch, inputs = (*at.shape(0), 1, 1, 1)[:3]
    return _at_least_1(steps, batch, inputs, math.prod(at.shape(2)[-1:]), math.prod(at.shape(1)[:1]))


def _generic(at: _Operands) -> tuple[int, ...]:
    """Values read and written, bytes of constants, last axes, inner extents, numbers of operands and results."""
    model, layer = at.model, at.layer
    read = [model.spec(name).elements for name in layer.reads if name not in model.constants]
    held = [fetched_bytes(model, layer, name) for name in layer.reads if name in model.constants]
    made = [model.spec(name).elements for name in layer.outputs if name]
    axis = min([-1, *(one if one < 0 else one - len(at.shape(0)) for one in at.numbers("axis") + at.numbers("axes"))])
    return _at_least_1(
        sum(read),
        sum(made),
        sum(held),
        math.prod(at.shape(0)[-1:]),
        math.prod(at.output[-1:]),
        math.prod(at.output[2:]),
        math.prod(at.shape(0)[axis:]),
        len(read),
        len(made),
    )


_Describe = Callable[[_Operands], tuple[int, ...]]

_KINDS: Mapping[str, tuple[str, _Describe]] = {
    **dict.fromkeys(("Conv", "FusedConv", "NhwcConv", "NhwcFusedConv"), ("convolution", _convolution)),
    "ConvInteger": ("integer convolution", _convolution),
    "QLinearConv": ("quantised convolution", lambda at: _convolution(at, weight=3)),
    **dict.fromkeys(
        ("MatMul", "FusedMatMul", "TransposeMatMul", "Gemm", "FusedGemm", "FusedMatMulActivation"),
        ("product", _product),
    ),
    **dict.fromkeys(("MatMulInteger", "MatMulIntegerToFloat"), ("integer product", _product)),
    "DynamicQuantizeMatMul": ("quantising product", _product),
    **dict.fromkeys(("MaxPool", "NhwcMaxPool"), ("largest of a window", _window)),
    "AveragePool": ("mean of a window", _window),
    "Transpose": ("transposition", _transposition),
    **dict.fromkeys(("Add", "Sub", "Mul"), ("arithmetic", _arithmetic)),
    **{name: (name, _arithmetic) for name in ("Div", "Pow", "Max", "Min", "PRelu")},
    **{name: (name, _recurrent) for name in ("LSTM", "GRU", "RNN")},
}
"""By operator, whatever the domain: the kind, and the function that returns its sizes."""


def kind_and_sizes(model: Model, layer: Layer) -> tuple[str, tuple[int, ...]]:
    """Return kind and sizes of a layer; memory layouts and sampling modes are kinds of their own."""
    at = _Operands(model, layer)
    kind, describe = _KINDS.get(layer.op_type, (layer.op_type, _generic))
    if (
        kind == "convolution"
        and model.target != "portable"
        and layer.domain != "com.microsoft.nchwc"
        and _is_product(at)
    ):
        kind, describe = _KINDS["MatMul"][0], _as_product
    marks = (
        at.text("mode"),
        "last" if any(at.numbers("channels_last")) else "",
        "blocked" if layer.domain == "com.microsoft.nchwc" else "",
        at.dtype,
    )
    return " ".join((kind, *filter(None, marks))), describe(at)
