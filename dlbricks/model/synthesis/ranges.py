"""Ranges of values that the readers of a tensor accept: indices within their axis, divisors other than zero, and so on.

The tensor is followed through operators that only move values. Bounds are half-open, ``low <= value < high``.
"""

import functools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.read.tensors import numbers_of
from dlbricks.model.synthesis.roles import OperandRole, Use, when_known
from dlbricks.model.types import Layer, Model
from dlbricks.model.windows import ATTENTION, LAST, TOTAL, total_tokens

Bounds = tuple[int, int]
_Shapes = Callable[[int], tuple[int, ...]]

_MOVING_NAMES = (
    "Cast CastLike Clip DepthToSpace Dropout Expand Flatten Gather GatherElements GatherND Identity Pad ReduceMax"
    " ReduceMin Reshape Slice SpaceToDepth Split Squeeze Tile Transpose Trilu Unsqueeze"
)
_MOVING: dict[str, frozenset[int] | None] = {
    **dict.fromkeys(_MOVING_NAMES.split(), frozenset({0})),
    **dict.fromkeys(("ScatterElements", "ScatterND"), frozenset({0, 2})),
    **dict.fromkeys(("Concat", "Max", "Min")),
    "Where": frozenset({1, 2}),
}
"""Operators whose results are values of these operands (None: of any)."""

_POSITIVE_NAMES = "Add AveragePool GlobalAveragePool MaxPool Mean Mul ReduceMean ReduceSum Sqrt Sum"
_KEEPS_POSITIVE = frozenset(("", name) for name in _POSITIVE_NAMES.split())
"""Operators whose results are positive if all operands are."""

_POSITIVE = (0.5, 1.5)
_FLOAT_BOUNDS: dict[str, Mapping[int, tuple[float, float]]] = {
    "Acos": {0: (-0.9, 0.9)},
    "Acosh": {0: (1.0, 2.0)},
    "Asin": {0: (-0.9, 0.9)},
    "Atanh": {0: (-0.9, 0.9)},
    "Bernoulli": {0: (0.0, 1.0)},
    "Clip": {1: (-1.0, -0.5), 2: (0.5, 1.0)},
    "Dropout": {1: (0.0, 1.0)},
    "NonMaxSuppression": {0: (0.0, 1.0), 1: (0.0, 1.0)},
    "Pow": {1: (2.25, 2.75)},
}
"""Bounds of float operands, except those that must be positive."""
_POSITIVE_OPERANDS: dict[str, frozenset[int]] = {
    **dict.fromkeys(("Log", "Pow", "Reciprocal", "ReduceLogSum", "Sqrt"), frozenset({0})),
    **dict.fromkeys(("Div", "Mod"), frozenset({1})),
    "BatchNormalization": frozenset({1, 4}),
}


def integer_bounds(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> Bounds | None:
    """Intersect the bounds of an integer tensor over all readers; None without bounds; the smallest upper one wins."""
    known: dict[str, Bounds | None] = {}
    for tensor in _reached(uses, name):
        known[tensor] = _intersection([bounds for use in uses.get(tensor, ()) for bounds in _asked(model, use, known)])
    return known[name]


def _reached(uses: Mapping[str, Sequence[Use]], name: str) -> Iterator[str]:
    """Yield the tensors that a tensor's values reach, unchanged or by arithmetic, in reverse order."""
    done: set[str] = set()
    stack = [name]
    while stack:
        tensor = stack[-1]
        waiting = [
            output
            for use in uses.get(tensor, ())
            for output in (*_moved_to(use), *_computed(use))
            if output not in done
        ]
        if waiting:
            stack += waiting
        else:
            stack.pop()
            if tensor not in done:
                done.add(tensor)
                yield tensor


def _computed(use: Use) -> tuple[str, ...]:
    """Return the result, if the reader is arithmetic with two operands."""
    arithmetic = use.node is None and use.operator in _ARITHMETIC
    return use.layer.outputs[:1] if arithmetic else ()


_ARITHMETIC = frozenset({("", "Add"), ("", "Sub"), ("", "Mul"), ("", "Div"), ("", "ReduceSum")})


def _asked(model: Model, use: Use, known: Mapping[str, Bounds | None]) -> Iterator[Bounds]:
    """Yield the bounds of one reader, given those of its results."""
    rule = INDEX_RULES.get(use.operator, {}).get(use.position)
    if use.node is None and use.operator == ATTENTION and use.position in (LAST, TOTAL):
        total = when_known(functools.partial(total_tokens, model, use.layer))
        if total is not None:
            yield (total - 1, total) if use.position == LAST else (total, total + 1)
    elif rule is not None and use.node is None:
        bounds = when_known(functools.partial(rule, use, shapes_of(model, use.layer)))
        if bounds is not None:
            yield _widest(bounds)
    for output in _moved_to(use):
        after = known[output]
        if after is not None:
            yield after
    for output in _computed(use):
        after = known[output]
        if after is not None:
            before = _before_sum if use.operator[1] == "ReduceSum" else _before_arithmetic
            yield _widest(before(model, use, after))


def _intersection(found: Sequence[Bounds]) -> Bounds | None:
    if not found:
        return None
    high = min(bounds[1] for bounds in found)
    return max((bounds[0] for bounds in found if bounds[0] < high), default=high - 1), high


def _moved_to(use: Use) -> tuple[str, ...]:
    """Return the outputs of the reader that have values of the operand."""
    moving = _MOVING.get(use.operator[1], frozenset())
    if use.node is None and use.operator[0] == "" and (moving is None or use.position in moving):
        return tuple(filter(None, use.layer.outputs))
    return ()


def _widest(bounds: Bounds) -> Bounds:
    """Extend bounds to at least one value."""
    return bounds[0], max(bounds[1], bounds[0] + 1)


def _before_sum(model: Model, use: Use, after: Bounds) -> Bounds:
    """Return bounds of equal elements with a sum within ``after``: a mask that encodes a length."""
    given, made = (model.spec(one).elements for one in (use.layer.inputs[0], use.layer.outputs[0]))
    count = max(1, given // max(1, made))
    return (-(-after[0] // count), (after[1] - 1) // count + 1) if use.position == 0 else (0, 1)


def _before_arithmetic(model: Model, use: Use, after: Bounds) -> Bounds:
    """Return bounds of an operand for which the result of the arithmetic is within ``after``."""
    op_type = use.operator[1]
    low, high = after
    other = constant_range(model, use.layer.inputs[1 - use.position])
    if other is None:
        half = {"Add": (high + 1) // 2, "Mul": math.isqrt(max(high - 1, 0)) + 1}.get(op_type, high)
        return 0, max(half, 1)
    smallest, largest = other
    if op_type == "Add":
        return low - smallest, high - largest
    if op_type == "Sub":
        return (low + largest, high + smallest) if use.position == 0 else (largest - high + 1, smallest - low + 1)
    if smallest <= 0:
        return 0, 1
    if op_type == "Mul":
        return -(-low // smallest), (high - 1) // largest + 1
    return (low * largest, high * smallest) if use.position == 0 else (1, 8)


def constant_range(model: Model, name: str) -> tuple[int, int] | None:
    """Return the smallest and largest value of an integer constant (kept or filled); None for all others."""
    constant = model.constants.get(name)
    if constant is None or BY_NAME[constant.spec.dtype].kind != "int" or constant.spec.elements == 0:
        return None
    numbers = numbers_of(constant)
    return None if numbers is None else (int(np.min(numbers)), int(np.max(numbers)))


def float_bounds(uses: Mapping[str, Sequence[Use]], name: str) -> tuple[float, float] | None:
    """Intersect the bounds of a float tensor over all readers, also behind operators that keep numbers positive."""
    found: list[tuple[float, float]] = []
    waiting = [(name, False)]
    seen = set(waiting)
    while waiting:
        tensor, computed = waiting.pop()
        for use in uses.get(tensor, ()):
            asked = _float_asked(use)
            if asked is not None and (asked[0] > 0 or not computed):
                found.append(_POSITIVE if computed else asked)
            later = [(output, computed) for output in _moved_to(use)]
            later += [(output, True) for output in _kept_positive(use)]
            waiting += (step for step in later if step not in seen)
            seen.update(later)
    if not found:
        return None
    low, high = max(bounds[0] for bounds in found), min(bounds[1] for bounds in found)
    return (low, high) if low < high else found[0]


def reaching_logarithms(uses: Mapping[str, Sequence[Use]]) -> frozenset[str]:
    """Return tensors of which logarithms are taken, also behind operators that keep numbers positive; no squares."""
    waiting = [name for name, found in uses.items() if any(_is_logarithm(use) for use in found)]
    if not waiting:
        return frozenset()
    sources: defaultdict[str, list[str]] = defaultdict(list)
    for name, found in uses.items():
        for use in found:
            if len(set(use.layer.inputs)) > 1 or use.operator != ("", "Mul"):
                for output in (*_moved_to(use), *_kept_positive(use)):
                    sources[output].append(name)
    reached = set(waiting)
    while waiting:
        earlier = [name for name in sources[waiting.pop()] if name not in reached]
        reached.update(earlier)
        waiting += earlier
    return frozenset(reached)


def _is_logarithm(use: Use) -> bool:
    return use.node is None and use.operator == ("", "Log")


def _kept_positive(use: Use) -> tuple[str, ...]:
    """Return the result, if it is positive when all operands are."""
    keeps = use.node is None and use.operator in _KEEPS_POSITIVE
    return use.layer.outputs[:1] if keeps else ()


def _float_asked(use: Use) -> tuple[float, float] | None:
    """Return the bounds of one reader of a float."""
    domain, op_type = use.operator
    if use.role is OperandRole.SCALE:
        return 1 / 64, 1 / 32
    if domain:
        return None
    if use.position in _POSITIVE_OPERANDS.get(op_type, ()):
        return _POSITIVE
    return _FLOAT_BOUNDS.get(op_type, {}).get(use.position)


def shapes_of(model: Model, layer: Layer) -> _Shapes:
    """Return a function from the position of an operand to its shape; outputs count from -1 downwards."""

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
    """Return bounds of sequence lengths: all equal the extent of the axis."""
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


def _mask_or_length(position: int) -> Callable[[Use, _Shapes], Bounds]:
    """A mask of rank 2 or more holds 0 and 1; one of rank 1 holds lengths."""

    def rule(use: Use, shape: _Shapes) -> Bounds:
        if len(shape(use.position)) > 1:
            return 0, 2
        return _full_length(1, position)(use, shape)

    return rule


def _key_length(_use: Use, shape: _Shapes) -> Bounds:
    """``nonpad_kv_seqlen`` of Attention: no key is padding."""
    length = shape(1)[-2]
    return length, length + 1


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
    ("com.microsoft", "Attention"): {3: _mask_or_length(0)},
    ("com.microsoft", "EmbedLayerNormalization"): {
        0: _within(2, 0),
        1: _within(4, 0),
        7: lambda _use, _shape: (0, 2),
        8: _within(3, 0),
    },
    ("com.microsoft", "GatherBlockQuantized"): {1: _along_axis},
    ("com.microsoft", "MultiHeadAttention"): {4: _mask_or_length(1)},
    ("com.microsoft", "RotaryEmbedding"): {1: _within(2, 0)},
}
"""Bounds of integer operands: indices, lengths, divisors, labels; and masks whose sums count positions."""
