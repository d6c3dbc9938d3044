"""Operands of PyTorch's operators as Kineto records them, and the work of one call of an operator."""

import functools
import json
import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from dlbricks.harness.dtypes import BY_NAME

Shape: TypeAlias = tuple[int, ...]

_MOST = 1 << 62
"""Elements that no tensor has."""

_ARITIES: Sequence[tuple[int, str]] = (
    (1, r"neg|abs|exp|log|log2|log10|log1p|sqrt|rsqrt|reciprocal|sigmoid|silu|tanh|erf|sin|cos|sign|ceil|floor"),
    (2, r"mul|pow|eq|ne|lt|le|gt|ge|clamp_(min|max)|maximum|minimum|remainder|fmod|gelu|leaky_relu"),
    (3, r"add|sub|clamp|lerp|where|hardtanh|mse_loss|threshold"),
    (4, r"addcmul|addcdiv"),
)  # fmt: skip
"""Number of arguments of functions that may be called with ``out`` behind them."""


class Work(NamedTuple):
    """The work of one call of an operator."""

    flops: float
    read: float
    """Bytes read."""
    written: float
    """Bytes written."""
    product: bool = False
    """Whether it multiplies matrices."""


class Operands(NamedTuple):
    """The operands of one call of an operator."""

    shapes: tuple[Shape, ...]
    """Shapes of the operands; () for an operand that is not a tensor."""
    result: Shape
    """Shape of a convolution's result, or of the weight for a gradient of weights; () if unknown."""
    widths: tuple[int, ...] = ()
    """Bytes of an element of each operand; 1 for all if empty."""
    name: str = ""
    """Name of the operator without namespace; in-place ones end in an underscore."""

    def width(self, place: int) -> int:
        """Return the bytes of an element of an operand."""
        return self.widths[place] if place < len(self.widths) else 1

    def nbytes(self, place: int) -> int:
        """Return the bytes of an operand."""
        return size_of(self.shapes[place]) * self.width(place)

    @property
    def inputs(self) -> tuple[int, ...]:
        """Return the places of the operands without ``out``."""
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
    """Parse the shapes of operands, as in ``[[64,3,7,7],[],[[8,4],[8,2]]]``; lists of tensors are flattened."""
    return tuple(shape for shape, _ in _operands(text))


@functools.lru_cache(maxsize=1 << 14)
def widths_of(text: str, types: str, default: int) -> tuple[int, ...]:
    """Return the bytes of an element of each operand that ``shapes_of`` returns.

    Args:
        text: shapes.
        types: names of element types separated by commas, empty for what has none, as in ``float32,int64,,``.
        default: bytes of operands whose type is unknown, such as lists of tensors.
    """
    known = [BY_NAME[one].bits // 8 if one in BY_NAME else default for one in types.split(",")]
    return tuple(known[place] if place < len(known) else default for _, place in _operands(text))


@functools.lru_cache(maxsize=1 << 14)
def _operands(text: str) -> tuple[tuple[Shape, int], ...]:
    """Parse shapes; the numbers are places among the arguments."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    made: list[tuple[Shape, int]] = []
    for place, one in enumerate(found if isinstance(found, list) else ()):
        inner = isinstance(one, list) and one and isinstance(one[0], list)
        made += [(tuple(shape) if _is_shape(shape) else (), place) for shape in (one if inner else [one])]
    return tuple(made)


def _is_shape(found: Any) -> bool:
    """Return whether a value of JSON can be the shape of a tensor in memory."""
    whole = isinstance(found, list) and all(isinstance(size, int) and 0 <= size < _MOST for size in found)
    return whole and math.prod(found) < _MOST
