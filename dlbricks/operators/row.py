"""Types of the table of operators: what is known of one operator."""

import enum
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import onnx

from dlbricks.model.types import Layer, Model, TensorSpec
from dlbricks.typed_json import Json


@dataclass(frozen=True, slots=True)
class LayerView:
    """A layer with access to its operands by position."""

    model: Model
    layer: Layer

    def spec(self, position: int) -> TensorSpec | None:
        """Return the specification of an input; None when it is omitted."""
        inputs = self.layer.inputs
        name = inputs[position] if position < len(inputs) else ""
        return self.model.spec(name) if name else None

    def shape(self, position: int) -> tuple[int, ...]:
        """Return the shape of an input; empty when it is omitted."""
        spec = self.spec(position)
        return spec.shape if spec is not None else ()

    def elements(self, position: int) -> int:
        """Return the number of values of an input; 0 when it is omitted."""
        spec = self.spec(position)
        return spec.elements if spec is not None else 0

    def has(self, position: int) -> bool:
        """Return whether an input is not omitted."""
        return self.spec(position) is not None

    def is_constant(self, position: int) -> bool:
        """Return whether an input is a constant."""
        inputs = self.layer.inputs
        return position < len(inputs) and inputs[position] in self.model.constants

    def result(self, position: int) -> TensorSpec | None:
        """Return the specification of an output; None when it is omitted."""
        outputs = self.layer.outputs
        name = outputs[position] if position < len(outputs) else ""
        return self.model.spec(name) if name else None

    @property
    def first_result(self) -> TensorSpec:
        """The first output that is not omitted."""
        return self.model.spec(next(filter(None, self.layer.outputs)))

    @property
    def output(self) -> tuple[int, ...]:
        """Shape of the first output that is not omitted."""
        return self.first_result.shape

    @property
    def output_elements(self) -> int:
        """Number of values of the first output that is not omitted."""
        return math.prod(self.output)

    @property
    def dtype(self) -> str:
        """Element type of the first operand, or of the first output without one."""
        reads = self.layer.reads
        return self.model.spec(reads[0] if reads else self.layer.outputs[0]).dtype

    def attribute(self, name: str, default: Json) -> Json:
        """Return an attribute's value, ``default`` if it is not set."""
        text = dict(self.layer.attributes).get(name)
        value: Json = default if text is None else json.loads(text)
        return value

    def number(self, name: str, default: int = 0) -> int:
        """Return an integer attribute; ``default`` if it is not set or of another type."""
        value = self.attribute(name, default)
        return value if isinstance(value, int) else default

    def numbers(self, name: str) -> list[int]:
        """Return an attribute with one or several integers; empty if it is not set or of another type."""
        value = self.attribute(name, [])
        return [number for number in (value if isinstance(value, list) else [value]) if isinstance(number, int)]

    def text(self, name: str) -> str:
        """Return a text attribute; empty if it is not set or of another type."""
        value = self.attribute(name, "")
        return value if isinstance(value, str) else ""

    def extent(self, shape: tuple[int, ...], default: int = 0, name: str = "axis") -> int:
        """Return the extent of a shape along the axis that an attribute names."""
        return shape[self.number(name, default) % len(shape)]


_T = TypeVar("_T")


def if_it_fits(formula: Callable[[], _T]) -> _T | None:
    """Apply a formula to shapes; None if these have other ranks than it needs.

    Shape inference does not check the ranks of a runtime's own operators, so a file may contain any, and some shapes
    are known by a run only.
    """
    try:
        return formula()
    except (IndexError, ValueError, ZeroDivisionError):
        return None


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
    QUANTISES = enum.auto()


Count = Callable[[LayerView], int]
FanIn = Callable[[onnx.NodeProto, int, tuple[int, ...]], int]
# Half-open, ``low <= value < high``.
Bounds = tuple[int, int]
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


# All operands.
ALL = frozenset(range(64))


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
    fan_in: FanIn | None = None
    """How many products are summed into one output, given the node and the position and shape of a weight; by default
    the rows of a matrix."""
    integers: Mapping[int, Callable[[LayerView], Bounds]] = field(default_factory=dict)
    """Bounds of integer operands: indices, lengths, divisors, labels; and masks whose sums count positions."""
    floats: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Bounds of float operands."""
    shaping: Mapping[int, Shaping] = field(default_factory=dict)
    selects: Mapping[int, Count] = field(default_factory=dict)
    """Conditions, and how many of their elements are not zero where the result has its shape."""
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
    """Operands that are caches, or become them by what is written into them, and the outputs that continue them."""
    grows_in_place: bool = False
    """Whether a cache and the output that continues it may share a buffer: new keys and values are written to their
    place in it, the same ones in each call with equal inputs; otherwise the past is copied."""
    is_random: bool = False
    depends_on_data: bool = False
    """Whether the shape of the result depends on values."""
    is_view: bool = False
    """Whether the operator only renames memory inside a network."""
    activates: bool = False
    """Whether runtimes compute it as part of the product whose result it reads."""
    rectifies: bool = False
    """Whether they do so also in quantised calls."""
    commutes: bool | None = None
    """Of arithmetic of two operands: whether these can be exchanged."""
    has_bodies: bool = False
    """Whether the operator runs networks that its attributes hold."""
    like: Mapping[int, int] = field(default_factory=dict)
    """Outputs with the type and shape of an operand, where onnxruntime's symbolic inference (1.32) has no rule."""

    @property
    def passed_on(self) -> frozenset[int]:
        """Operands whose values are those of the results."""
        return self.passes_on or (_FIRST if self.moves & ~_QUANTISED else frozenset())

    @property
    def quantises(self) -> bool:
        """Whether the operator converts to or from quantised values."""
        return bool(self.moves & _QUANTISED)

    @property
    def convolves(self) -> bool:
        """Whether the operator is a convolution of floats."""
        return self.weight is not None and not self.integer_products


_FIRST, _QUANTISED = frozenset({0}), Moves.DEQUANTISES | Moves.QUANTISES
