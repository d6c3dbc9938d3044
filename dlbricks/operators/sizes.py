"""Kinds of layers, and the sizes that decide the cost of each kind. Pure.

A kind is a computation and its element type; operators with the same kernel are one kind. Its sizes are numbers >= 1,
compared by their logarithms, the same ones in the same order for all layers of a kind.
"""

import math
from collections.abc import Callable, Sequence

from dlbricks.operators.counts import experts_share
from dlbricks.operators.view import LayerView

NO = 1
YES = 8
"""Distance to ``NO`` at which layers do not count as neighbours."""
_ALIGNED = 1024
"""Maximum of the power of two that divides a stride: such strides map to the same cache sets."""


def _flag(value: bool) -> int:
    return YES if value else NO


def _at_least_1(*figures: int) -> tuple[int, ...]:
    return tuple(max(1, figure) for figure in figures)


def convolution(view: LayerView, weight: int = 1) -> tuple[int, ...]:
    """Output positions and width, channels per group in and out, groups, window, strides, fused operators."""
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
    """Return whether a convolution in planar layout is a matrix product: window and stride are 1."""
    return math.prod(view.shape(1)[2:]) == 1 and math.prod(view.numbers("strides") or [1]) == 1


def as_product(view: LayerView) -> tuple[int, ...]:
    """A convolution as products of weights and positions per image and group: the sizes of ``product``."""
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


def product(view: LayerView) -> tuple[int, ...]:
    """Products, rows, depth and columns; flags for transposed, constant, added and activated operands."""
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


def window(view: LayerView) -> tuple[int, ...]:
    """Output values, window, strides, input values, output width."""
    window = math.prod(view.numbers("kernel_shape") or [1])
    steps = math.prod(view.numbers("strides") or [1])
    return _at_least_1(math.prod(view.output), window, steps, math.prod(view.shape(0)), math.prod(view.output[-1:]))


def transposition(view: LayerView) -> tuple[int, ...]:
    """Values, contiguous values, extents and alignment of the innermost permuted axes, whether one axis moves."""
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
        _flag(_moves_one(order)),
    )


def _moves_one(order: Sequence[int]) -> bool:
    """Return whether a permutation moves one axis only."""
    return any([other for other in order if other != axis] == sorted(set(order) - {axis}) for axis in order)


def arithmetic(view: LayerView) -> tuple[int, ...]:
    """Output values, values of each operand, last axis of each."""
    left, right = view.shape(0), view.shape(1)
    few, many = sorted((math.prod(left), math.prod(right)))
    last = sorted((math.prod(left[-1:]), math.prod(right[-1:])))
    return _at_least_1(math.prod(view.output), many, few, *last)


def recurrent(view: LayerView) -> tuple[int, ...]:
    """Steps, batch, inputs, hidden size, directions."""
    steps, batch, inputs = (*view.shape(0), 1, 1, 1)[:3]
    return _at_least_1(steps, batch, inputs, math.prod(view.shape(2)[-1:]), math.prod(view.shape(1)[:1]))


def generic(view: LayerView) -> tuple[int, ...]:
    """Values read and written, bytes of constants, last axes, inner extents, numbers of operands and results."""
    return _generic(view, _all)


def of_experts(view: LayerView) -> tuple[int, ...]:
    """As ``generic``, with the bytes of the experts that tokens reach."""
    return _generic(view, lambda view, name: round(_all(view, name) * experts_share(view)))


def gathered(view: LayerView) -> tuple[int, ...]:
    """As ``generic``, with no more bytes of the first operand than of the result."""
    return _generic(
        view,
        lambda view, name: min(
            _all(view, name), view.first_result.nbytes if name == view.layer.inputs[0] else _all(view, name)
        ),
    )


def _all(view: LayerView, name: str) -> int:
    return view.model.spec(name).nbytes


def _generic(view: LayerView, constant_bytes: Callable[[LayerView, str], int]) -> tuple[int, ...]:
    # Constants count as they did when other lookups than gathered ones counted whole: results in stores have these
    # sizes, and equal kinds are compared by them. What a call reads of a constant is in ``fetched_bytes``.
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
