"""Integer operands that are not free: indices, lengths, divisors, labels, masks, each with the values it may take.

Bounds are half-open, ``low <= value < high``.
"""

import math
from collections.abc import Callable, Mapping

from dlbricks.model.nouns import Layer, Model
from dlbricks.model.roles import Use

Bounds = tuple[int, int]
_Shapes = Callable[[int], tuple[int, ...]]


def shapes_of(model: Model, layer: Layer) -> _Shapes:
    """Give the shape of an operand by position; outputs count from -1 downwards."""

    def shape(position: int) -> tuple[int, ...]:
        name = layer.inputs[position] if position >= 0 else layer.outputs[-1 - position]
        return model.spec(name).shape

    return shape


def _axis(use: Use, shape: tuple[int, ...], default: int = 0, name: str = "axis") -> int:
    return shape[use.integer(name, default) % len(shape)]


def _gather_nd(use: Use, shape: _Shapes) -> Bounds:
    first = use.integer("batch_dims", 0)
    return 0, min(shape(0)[first : first + shape(1)[-1]], default=1)


def _one_hot(use: Use, shape: _Shapes) -> Bounds:
    return 0, _axis(use, shape(-1), -1)


def _full_length(axis: int, position: int = 0) -> Callable[[Use, _Shapes], Bounds]:
    """Lengths of sequences: all as long as the axis."""
    return lambda _use, shape: (shape(position)[axis], shape(position)[axis] + 1)


def _recurrent_length(use: Use, shape: _Shapes) -> Bounds:
    return _full_length(use.integer("layout", 0))(use, shape)


def _reversed_length(use: Use, shape: _Shapes) -> Bounds:
    length = _axis(use, shape(0), 0, "time_axis")
    return max(1, length // 2), length + 1


def _within(position: int, axis: int) -> Callable[[Use, _Shapes], Bounds]:
    return lambda _use, shape: (0, shape(position)[axis])


def _along_axis(use: Use, shape: _Shapes) -> Bounds:
    return 0, _axis(use, shape(0))


def _mask_or_length(position: int, axis: int) -> Callable[[Use, _Shapes], Bounds]:
    """A mask of rank 2 or more holds 0 and 1, one of rank 1 the lengths."""

    def rule(use: Use, shape: _Shapes) -> Bounds:
        if len(shape(use.position)) > 1:
            return 0, 2
        return _full_length(axis, position)(use, shape)

    return rule


def _key_length(_use: Use, shape: _Shapes) -> Bounds:
    """``nonpad_kv_seqlen`` of Attention: no key is padding."""
    length = shape(1)[-2]
    return length, length + 1


def _cached_length(_use: Use, shape: _Shapes) -> Bounds:
    """``seqlens_k`` of GroupQueryAttention: index of the last key, past and present."""
    total = shape(-2)[2] if len(shape(-2)) == 4 else shape(0)[1]
    return total - 1, total


def _total_length(use: Use, shape: _Shapes) -> Bounds:
    last, total = _cached_length(use, shape)
    return last + 1, total + 1


INDEX_RULES: dict[tuple[str, str], Mapping[int, Callable[[Use, _Shapes], Bounds]]] = {
    ("", "Attention"): {6: _key_length},
    ("", "BitShift"): {1: lambda _use, _shape: (0, 8)},
    ("", "CumSum"): {0: lambda _use, _shape: (0, 2)},
    ("", "Div"): {1: lambda _use, _shape: (1, 8)},
    ("", "GRU"): {4: _recurrent_length},
    ("", "Gather"): {1: _along_axis},
    ("", "GatherElements"): {1: _along_axis},
    ("", "GatherND"): {1: _gather_nd},
    ("", "LSTM"): {4: _recurrent_length},
    ("", "MaxUnpool"): {1: lambda _use, shape: (0, math.prod(shape(-1)))},
    ("", "Mod"): {1: lambda _use, _shape: (1, 8)},
    ("", "NegativeLogLikelihoodLoss"): {1: _within(0, 1)},
    ("", "OneHot"): {0: _one_hot},
    ("", "RNN"): {4: _recurrent_length},
    ("", "ReverseSequence"): {1: _reversed_length},
    ("", "RoiAlign"): {2: _within(0, 0)},
    ("", "Scatter"): {1: _along_axis},
    ("", "ScatterElements"): {1: _along_axis},
    ("", "ScatterND"): {1: _gather_nd},
    ("", "SoftmaxCrossEntropyLoss"): {1: _within(0, 1)},
    ("", "TensorScatter"): {
        2: lambda use, shape: (0, _axis(use, shape(0), -2) - _axis(use, shape(1), -2) + 1),
    },
    ("ai.onnx.ml", "ArrayFeatureExtractor"): {1: _within(0, -1)},
    ("com.microsoft", "Attention"): {3: _mask_or_length(0, 1)},
    ("com.microsoft", "EmbedLayerNormalization"): {
        0: _within(2, 0),
        1: _within(4, 0),
        7: lambda _use, _shape: (0, 2),
        8: _within(3, 0),
    },
    ("com.microsoft", "GatherBlockQuantized"): {1: _along_axis},
    ("com.microsoft", "GroupQueryAttention"): {5: _cached_length, 6: _total_length},
    ("com.microsoft", "MultiHeadAttention"): {4: _mask_or_length(1, 1)},
    ("com.microsoft", "RotaryEmbedding"): {1: _within(2, 0)},
}
"""Integer operands that are not free: indices, lengths, divisors, labels; and masks whose sums count positions."""
