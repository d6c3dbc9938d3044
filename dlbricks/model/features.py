"""What decides the cost of layers, as figures: kinds of layers and the sizes that belong to each kind.

A layer's kind says what is computed and on which element type; operators that run the same kernel are one kind: a
convolution is one whatever is fused to it, and so is a product of matrices. Its figures are numbers of at least 1 that
count by their logarithms, as many and in the same order for all layers of one kind. A yes-or-no is ``NO`` or ``YES``.
Names and values of weights enter nothing, and neither do clocks. Pure.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dlbricks.model.flops import layer_flops
from dlbricks.model.nouns import Layer, Model, SequenceFeatures, TensorSpec

NO = 1
YES = 8
"""Far enough from ``NO`` that what differs in it is no neighbour of what is the same in all else."""


def features(
    model: Model, layers: Sequence[Layer], *, inputs: Sequence[str], outputs: Sequence[str], constants: Sequence[str]
) -> SequenceFeatures:
    """Say of layers that are run as one what their cost depends on.

    Args:
        model: whose layers they are.
        layers: in canonical order, so that equal sequences have equal features.
        inputs: tensors that they read and that others make.
        outputs: tensors that they make and that others read.
        constants: constants that they read.
    """
    weights, read, written = (sum(model.spec(name).nbytes for name in names) for names in (constants, inputs, outputs))
    described = [_described(model, layer) for layer in layers if not layer.is_view] or [("views", ())]
    return SequenceFeatures(
        operators=tuple(layer.op_type for layer in layers),
        flops=sum(layer_flops(model, layer) for layer in layers),
        weight_bytes=weights,
        input_bytes=read,
        output_bytes=written,
        kinds=tuple(kind for kind, _ in described),
        shape=tuple(figure for _, figures in described for figure in figures),
    )


@dataclass(frozen=True, slots=True)
class _Operands:
    """A layer with its operands looked up by position."""

    model: Model
    layer: Layer

    def spec(self, position: int) -> TensorSpec | None:
        """Give an input's specification; None when omitted."""
        inputs = self.layer.inputs
        name = inputs[position] if position < len(inputs) else ""
        return self.model.spec(name) if name else None

    def shape(self, position: int) -> tuple[int, ...]:
        """Give the shape of an input; empty when omitted."""
        spec = self.spec(position)
        return spec.shape if spec else ()

    def constant(self, position: int) -> int:
        """Say whether an input is a constant."""
        inputs = self.layer.inputs
        return _flag(position < len(inputs) and inputs[position] in self.model.constants)

    @property
    def output(self) -> tuple[int, ...]:
        """Shape of the first output."""
        return self.model.spec(self.layer.outputs[0]).shape

    @property
    def dtype(self) -> str:
        """Element type of the first operand, or of the first output without one."""
        reads = self.layer.reads
        return self.model.spec(reads[0] if reads else self.layer.outputs[0]).dtype

    def attribute(self, name: str) -> list[int]:
        """Give an attribute of one or several whole numbers; empty where it is not set or something else."""
        text = dict(self.layer.attributes).get(name)
        value = json.loads(text) if text is not None else []
        listed = value if isinstance(value, list) else [value]
        return [one for one in listed if isinstance(one, int)]

    def has(self, name: str) -> int:
        """Say whether an attribute is set to a text that is not empty, as ``activation`` is."""
        return _flag(dict(self.layer.attributes).get(name, '""') != '""')


def _flag(value: bool) -> int:
    return YES if value else NO


def _at_least_1(*figures: int) -> tuple[int, ...]:
    return tuple(max(1, figure) for figure in figures)


def _convolution(at: _Operands, weight: int = 1) -> tuple[int, ...]:
    """Batch and places of the output, its width, channels of a group in and out, groups, window, strides, layout."""
    shape, kernel, out = at.shape(0), at.shape(weight), at.output
    spatial = max(0, len(kernel) - 2)
    group = max(1, *at.attribute("group"), 1)
    window = math.prod(kernel[2:])
    steps = math.prod(at.attribute("strides") or [1])
    apart = math.prod(at.attribute("dilations") or [1])
    channels_in = math.prod(kernel[1:2])
    channels_out = -(-math.prod(kernel[:1]) // group)
    depthwise = group > 1 and channels_in == 1
    return _at_least_1(
        math.prod(out) // max(1, math.prod(kernel[:1])),
        math.prod(out[-1:]),
        channels_in,
        channels_out,
        group,
        window,
        math.prod(kernel[2:3]),
        steps,
        apart,
        math.prod(shape[-spatial:]) if spatial else 1,
        _flag(depthwise),
        _flag(window == 1),
        _flag(at.layer.domain == "com.microsoft.nchwc"),
        _flag(at.spec(3) is not None and weight == 1),
        at.has("activation"),
    )


def _product(at: _Operands) -> tuple[int, ...]:
    """Products, rows, depth and columns of each; whether an operand is transposed, constant, added or activated."""
    left, right, out = at.shape(0), at.shape(1), at.output
    turned_left = any(at.attribute("transA"))
    turned_right = any(at.attribute("transB"))
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
        at.has("activation"),
    )


def _window(at: _Operands) -> tuple[int, ...]:
    """Places of the output, window, strides, layout."""
    window = math.prod(at.attribute("kernel_shape") or [1])
    steps = math.prod(at.attribute("strides") or [1])
    return _at_least_1(
        math.prod(at.output), window, steps, math.prod(at.shape(0)), _flag(at.layer.domain == "com.microsoft.nchwc")
    )


def _transposition(at: _Operands) -> tuple[int, ...]:
    """Values, those that stay beside each other, extents of the last axis before and after."""
    shape = at.shape(0)
    order = at.attribute("perm") or list(range(len(shape)))[::-1]
    kept = 0
    while kept < len(order) and order[-1 - kept] == len(order) - 1 - kept:
        kept += 1
    inner = math.prod(shape[len(shape) - kept :])
    return _at_least_1(math.prod(shape), inner, math.prod(shape[-1:]), math.prod(at.output[-1:]))


def _arithmetic(at: _Operands) -> tuple[int, ...]:
    """Values, those of each operand, the last axis of each, whether one is a constant."""
    left, right = at.shape(0), at.shape(1)
    few, many = sorted((math.prod(left), math.prod(right)))
    last = sorted((math.prod(left[-1:]), math.prod(right[-1:])))
    return _at_least_1(math.prod(at.output), many, few, *last)


def _recurrent(at: _Operands) -> tuple[int, ...]:
    """Steps, batch, inputs, hidden size, directions."""
    steps, batch, inputs = (*at.shape(0), 1, 1, 1)[:3]
    return _at_least_1(steps, batch, inputs, math.prod(at.shape(2)[-1:]), math.prod(at.shape(1)[:1]))


def _anything(at: _Operands) -> tuple[int, ...]:
    """Values read and made, constants, last axes, axes."""
    model, layer = at.model, at.layer
    read = [model.spec(name).elements for name in layer.reads if name not in model.constants]
    held = [model.spec(name).elements for name in layer.reads if name in model.constants]
    made = [model.spec(name).elements for name in layer.outputs if name]
    return _at_least_1(
        sum(read),
        sum(made),
        sum(held),
        math.prod(at.shape(0)[-1:]),
        math.prod(at.output[-1:]),
        len(read),
        len(made),
    )


_Describe = Callable[[_Operands], tuple[int, ...]]

_KINDS: Mapping[str, tuple[str, _Describe]] = {
    **dict.fromkeys(("Conv", "FusedConv", "NhwcConv", "NhwcFusedConv", "ConvInteger"), ("convolution", _convolution)),
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
"""By operator, whatever the domain: name of the kind, and the function that gives its figures."""


def _described(model: Model, layer: Layer) -> tuple[str, tuple[int, ...]]:
    at = _Operands(model, layer)
    kind, describe = _KINDS.get(layer.op_type, (layer.op_type, _anything))
    return f"{kind} {at.dtype}", describe(at)
