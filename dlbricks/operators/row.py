"""Types of the table of operators: what is known of one operator."""

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dlbricks.operators.view import LayerView


class OperandRole(enum.Enum):
    """Meaning of the values of an operand for its operator."""

    WEIGHT = "summed over many products: scaled by fan-in"
    BIAS = "added: small"
    POSITIVE = "factor, divisor, variance: near 1"
    SCALE = "quantisation step of activations: positive"
    WEIGHT_SCALE = "quantisation step of weights: positive, scaled by fan-in"
    BIAS_SCALE = "quantisation step of a bias: the product of those of the activations and the weights"
    ZERO_POINT = "quantisation zero point"
    QUANTISED = "quantised data: weights of 7 bits, unsigned activations of all 8"
    ANY = "data: -1 to 1"


class Moves(enum.Flag):
    """How an operator that computes nothing passes on the values of its first operand."""

    NOTHING = 0
    RESHAPES = enum.auto()
    """Same bytes in the same order: the operator is a view."""
    CONVERTS = enum.auto()
    """To another element type."""
    PERMUTES = enum.auto()
    CUTS = enum.auto()
    SELECTS = enum.auto()
    REPEATS = enum.auto()
    DEQUANTISES = enum.auto()


Count = Callable[[LayerView], int]
Bounds = tuple[int, int]
"""Half-open, ``low <= value < high``."""
Numbers = Sequence[float | int]


def nothing(_: LayerView) -> int:
    """Count no operations."""
    return 0


@dataclass(frozen=True, slots=True)
class Cost:
    """Operations of one call, by the operator's specification (ONNX Operators.md, onnxruntime ContribOperators.md).

    One operation is one arithmetic or logical step of the formula in the operator's specification: an addition, a
    multiplication, a division, a comparison, or one call of a function such as exp, erf, tanh, pow or sqrt. Negation
    counts one; moving, converting and selecting values count none. Other tools weight functions by instructions
    (onnx-tool takes 32 for an exponential), which are those of one processor.
    """

    products: Count = nothing
    """Multiplications and additions of matrix products, convolutions, recurrent cells and attention: two for each pair.
    """
    others: Count = nothing
    """All other operations, without those of a fused activation."""
    per_value: int = 1
    """Operations of one value, where the operator is an activation of another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaping:
    """An operand whose value decides the shape or the run time of a layer."""

    numbers: Callable[[LayerView, int], Numbers | None] | None
    """Numbers that fit the shapes around the layer, given the position of the operand; None if none are derived."""
    discloses: bool = True
    """Whether integers here decide extents or axes of the result, so that they may be disclosed."""
    scales: bool = False
    """Whether floats here do so as well."""
    identifies: bool = False
    """Whether floats here identify the layer (integers and booleans always do)."""
    arbitrary: bool = False
    """Whether such a float may have any value, since the size of the result does not depend on it."""


ALL = frozenset(range(64))
"""All operands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """What is known of an operator."""

    name: str
    domains: tuple[str, ...] = ("",)
    """Those in which the facts on operands hold; ``""`` is ``ai.onnx``."""
    cost: Cost | None = None
    """None where the number of operations is unknown; the same in all domains, as are kind and bytes: fused and blocked
    versions count as the operator."""
    kind: str = ""
    """Operators with the same kernel are one kind of computation; by default the name."""
    sizes: Callable[[LayerView], tuple[int, ...]] | None = None
    """Numbers that decide the cost, the same ones in the same order for all operators of a kind."""
    integer_products: bool = False
    """Whether products are of 8-bit integers, whatever element type is output."""
    weight: int | None = None
    """Position of the weight whose extents are those of the sliding window."""
    is_windowed: bool = False
    """Whether strides, dilations and pads have defaults that the standard states in words."""
    looked_up: Mapping[int, Count] = field(default_factory=dict)
    """Operands of which a call reads a part, and the bytes of it at most: rows of tables, their scales and zero points,
    and what is selected."""
    unread: frozenset[int] = frozenset()
    """Operands of which only shape or type are used."""
    experts: bool = False
    """Whether a router chooses some of the experts that the constants are stacked by."""
    roles: Mapping[int, OperandRole] = field(default_factory=dict)
    integers: Mapping[int, Callable[[LayerView], Bounds]] = field(default_factory=dict)
    """Bounds of integer operands: indices, lengths, divisors, labels; and masks whose sums count positions."""
    floats: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Bounds of float operands."""
    shaping: Mapping[int, Shaping] = field(default_factory=dict)
    extents: int | None = None
    """Position of an operand with the extents of the result."""
    packed: bool = False
    """Whether quantised bytes hold several values, unless ``bits=8``."""
    moves: Moves = Moves.NOTHING
    passes_on: frozenset[int] = frozenset()
    """Operands whose values are those of the results, where that is not the first one of an operator that ``moves``."""
    keeps_positive: bool = False
    """Whether results are positive if all operands are."""
    magnitude: Callable[[LayerView, Sequence[float]], float | None] | None = None
    """Power of two of the results, given those of the operands; by default the largest."""
    scaled_by: tuple[int, ...] = ()
    """Operands with one of which the results scale."""
    overwrites: int | None = None
    """Operand over which a CPU kernel may write its output."""
    caches: Mapping[int, int] = field(default_factory=dict)
    """Operands that are caches of attention, and the outputs that continue them."""
    grows_in_place: bool = False
    """Whether a cache and the output that continues it may share a buffer: new keys and values are written to their
    place in it, the same ones in each call with equal inputs; otherwise the past is copied."""
    is_random: bool = False
    depends_on_data: bool = False
    """Whether the shape of the result depends on values."""

    @property
    def passed_on(self) -> frozenset[int]:
        """Operands whose values are those of the results."""
        return self.passes_on or (_FIRST if self.moves & ~Moves.DEQUANTISES else frozenset())


_FIRST = frozenset({0})
