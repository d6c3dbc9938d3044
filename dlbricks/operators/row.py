"""The types of the table of operators: the facts about one operator."""

import enum
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import onnx

from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import Layer, Model, TensorSpec
from dlbricks.typed_json import Json


@dataclass(frozen=True, slots=True)
class LayerView:
    """A layer with access to its operands, results and attributes, for formulas in the table of operators."""

    model: Model
    layer: Layer

    def spec(self, position: int) -> TensorSpec | None:
        """Return name, dtype and shape of the input at a position; None if it is omitted."""
        inputs = self.layer.inputs
        name = inputs[position] if position < len(inputs) else ""
        return self.model.spec(name) if name else None

    def shape(self, position: int) -> tuple[int, ...]:
        """Return the shape of the input at a position; empty if it is omitted."""
        spec = self.spec(position)
        return spec.shape if spec is not None else ()

    def elements(self, position: int) -> int:
        """Return the number of values of the input at a position; 0 if it is omitted."""
        spec = self.spec(position)
        return spec.elements if spec is not None else 0

    def has(self, position: int) -> bool:
        """Return whether the input at a position is present."""
        return self.spec(position) is not None

    def is_constant(self, position: int) -> bool:
        """Return whether the input at a position is a constant."""
        inputs = self.layer.inputs
        return position < len(inputs) and inputs[position] in self.model.constants

    def integers(self, position: int) -> list[int]:
        """Return the values of a constant input as integers, one if all are equal; empty if they are unknown."""
        numbers = numbers_of(self.model.constants[self.layer.inputs[position]]) if self.is_constant(position) else None
        return [] if numbers is None else [int(number) for number in numbers]

    def result(self, position: int) -> TensorSpec | None:
        """Return name, dtype and shape of the output at a position; None if it is omitted."""
        outputs = self.layer.outputs
        name = outputs[position] if position < len(outputs) else ""
        return self.model.spec(name) if name else None

    @property
    def first_result(self) -> TensorSpec:
        """Name, dtype and shape of the first output that is present."""
        return self.model.spec(next(filter(None, self.layer.outputs)))

    @property
    def output(self) -> tuple[int, ...]:
        """Shape of the first output that is present."""
        return self.first_result.shape

    @property
    def output_elements(self) -> int:
        """Number of values of the first output that is present."""
        return math.prod(self.output)

    @property
    def dtype(self) -> str:
        """Element type of the first operand; without operands, of the first output."""
        reads = self.layer.reads
        return self.model.spec(reads[0] if reads else self.layer.outputs[0]).dtype

    def attribute(self, name: str, default: Json) -> Json:
        """Return the value of the layer's attribute ``name``; ``default`` if it is not set."""
        text = dict(self.layer.attributes).get(name)
        value: Json = default if text is None else json.loads(text)
        return value

    def number(self, name: str, default: int = 0) -> int:
        """Return the integer attribute ``name`` of the layer; ``default`` if it is not set or of another type."""
        value = self.attribute(name, default)
        return value if isinstance(value, int) else default

    def numbers(self, name: str) -> list[int]:
        """Return the integers of the layer's attribute ``name``; empty if it is not set or of another type."""
        value = self.attribute(name, [])
        return [number for number in (value if isinstance(value, list) else [value]) if isinstance(number, int)]

    def text(self, name: str) -> str:
        """Return the text of the layer's attribute ``name``; empty if it is not set or of another type."""
        value = self.attribute(name, "")
        return value if isinstance(value, str) else ""

    def extent(self, shape: tuple[int, ...], default: int = 0, name: str = "axis") -> int:
        """Return the entry of ``shape`` at the axis that attribute ``name`` states, by default at ``default``."""
        return shape[self.number(name, default) % len(shape)]


_T = TypeVar("_T")


def if_it_fits(formula: Callable[[], _T]) -> _T | None:
    """Call a formula on shapes and return its result; None if it fails because shapes are unknown or of another rank.

    A file may contain any rank for a runtime's own operators, since shape inference does not check it. Some shapes are
    also unknown until a run.
    """
    try:
        return formula()
    except (IndexError, ValueError, ZeroDivisionError):
        return None


class OperandRole(enum.Enum):
    """The meaning of an operand's values for its operator."""

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
    """What an operator without arithmetic does to the values of its first operand."""

    NOTHING = 0
    RESHAPES = enum.auto()
    """The results have the same bytes in the same order, so the operator only renames memory."""
    CONVERTS = enum.auto()
    """The results have another element type."""
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
    """Return 0: the number of operations of an operator that only moves values."""
    return 0


# Other tools count the instructions of a function (onnx-tool takes 32 for an exponential), but these are the
# instructions of one processor.
@dataclass(frozen=True, slots=True)
class Cost:
    """Formulas for an operator's number of operations, by its specification (ONNX, onnxruntime's ContribOperators.md).

    One operation is one arithmetic or logical step of the formula in the operator's specification: an addition, a
    multiplication, a division, a comparison, or one call of a function such as exp, erf, tanh, pow or sqrt. Negation
    counts one; moving, converting and selecting values count none.
    """

    products: Count = nothing
    """Counts the multiplications and additions of matrix products, convolutions, recurrent cells, attention."""
    others: Count = nothing
    """Counts all operations besides ``products``, except those of a fused activation."""
    per_value: int = 1
    """Number of operations per value if another operator has this operator as a fused activation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaping:
    """Facts about an operand whose value decides the shape of the result or the run time of a layer."""

    numbers: Callable[[LayerView, int], Numbers | None] | None
    """Takes a layer and the operand's position; returns the values that shapes imply, None if shapes imply none."""
    discloses: bool = True
    """Whether an integer operand decides extents or axes of the result, so that reports may show its value."""
    scales: bool = False
    """Whether a float operand, too, decides extents or axes of the result."""
    identifies: bool = False
    """Whether layers differ for a benchmark if a float operand's value differs (always for integers, booleans)."""
    arbitrary: bool = False
    """Whether a float operand may have any value, because the size of the result does not depend on it."""


# Positions of all operands.
ALL = frozenset(range(64))


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """All facts about one operator that dlbricks uses: costs, roles and bounds of operands, effects on values."""

    name: str
    domains: tuple[str, ...] = ("",)
    """Operator domains in which the facts about operands hold; ``""`` is ``ai.onnx``."""
    cost: Cost | None = None
    """Formulas for the number of operations; None if unknown. Cost, kind and bytes hold for all domains: fused
    and blocked versions count as the operator itself."""
    kind: str = ""
    """Name of the computation, which operators with the same kernel share; by default the operator's name."""
    sizes: Callable[[LayerView], tuple[int, ...]] | None = None
    """Returns the sizes that decide the cost, in an order that all operators of one kind share."""
    integer_products: bool = False
    """Whether the operator multiplies 8-bit integers, even if its output has another element type."""
    weight: int | None = None
    """Position of the input whose spatial extents are the size of the window; None without such an input."""
    is_windowed: bool = False
    """Whether strides, dilations and pads have defaults that ONNX states in prose instead of in the schema."""
    looked_up: Mapping[int, Count] = field(default_factory=dict)
    """Maps operands of which a call reads only a part (rows of tables, their scales and zero points, selected values)
    to a function that returns how many bytes a call reads at most."""
    unread: frozenset[int] = frozenset()
    """Positions of operands of which only shape or type matters; a call does not read their values."""
    experts: bool = False
    """Whether constants hold the weights of several experts, some of which a router chooses for each token."""
    roles: Mapping[int, OperandRole] = field(default_factory=dict)
    fan_in: FanIn | None = None
    """Takes a node and a weight's position and shape; returns how many products are summed into one output. The default
    is the number of rows of a matrix."""
    integers: Mapping[int, Callable[[LayerView], Bounds]] = field(default_factory=dict)
    """Functions for the accepted values of integer operands (indices, lengths, divisors, masks), by position."""
    floats: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Accepted values of float operands, by position."""
    lengths: frozenset[int] = frozenset()
    """Positions of operands that state how many steps or tokens of the other operands are computed."""
    shaping: Mapping[int, Shaping] = field(default_factory=dict)
    selects: Mapping[int, Count] = field(default_factory=dict)
    """For each operand that is a condition, the function that counts its nonzero elements."""
    extents: int | None = None
    """Position of the operand that holds the extents of the result."""
    packed: bool = False
    """Whether a byte of quantised data holds several values, unless attribute ``bits`` is 8."""
    moves: Moves = Moves.NOTHING
    passes_on: frozenset[int] = frozenset()
    """Operands whose values appear in the results; if empty, the first operand of an operator that ``moves`` values."""
    keeps_positive: bool = False
    """Whether results are positive if all operands are."""
    magnitude: Callable[[LayerView, Sequence[float]], float | None] | None = None
    """Returns log2 of the results' magnitude from log2 of the operands' magnitudes; by default, the largest one."""
    scaled_by: tuple[int, ...] = ()
    """Positions of operands by which the result is multiplied."""
    overwrites: int | None = None
    """Position of the operand that a CPU kernel may overwrite with its output."""
    caches: Mapping[int, int] = field(default_factory=dict)
    """Maps positions of operands that are key-value caches to positions of the outputs that return the caches."""
    grows_in_place: bool = False
    """Whether a key-value cache and its output may share a buffer. Kernels then write new keys and values into
    the buffer, at the same place in each call with equal inputs. Otherwise they copy the past."""
    is_random: bool = False
    depends_on_data: bool = False
    """Whether the values of operands decide the shape of the result."""
    is_view: bool = False
    """Whether the operator only renames memory in a network and moves no data."""
    activates: bool = False
    """Whether runtimes fuse the operator, as an activation, into the product or convolution before it."""
    rectifies: bool = False
    """Whether runtimes fuse the operator into quantised calls, too."""
    is_gelu: bool = False
    """Whether the operator is a Gelu, or the error function that a Gelu consists of."""
    per_position: bool = False
    """Whether the operator normalises along the last axis, separately for each position (as LayerNormalization)."""
    commutes: bool | None = None
    """Whether the two operands of an arithmetic operator can be exchanged; None for operators of another kind."""
    has_bodies: bool = False
    """Whether the operator runs networks that its attributes hold."""
    like: Mapping[int, int] = field(default_factory=dict)
    """Maps an output to the operand of equal type and shape, only where onnxruntime 1.32 cannot infer the shape."""

    @property
    def passed_on(self) -> frozenset[int]:
        """Positions of the operands whose values appear in the results."""
        return self.passes_on or (_FIRST if self.moves & ~_QUANTISED else frozenset())

    @property
    def quantises(self) -> bool:
        """Whether the operator converts to or from quantised values."""
        return bool(self.moves & _QUANTISED)

    @property
    def convolves(self) -> bool:
        """Whether the operator is a convolution of floating-point values."""
        return self.weight is not None and not self.integer_products


_FIRST, _QUANTISED = frozenset({0}), Moves.DEQUANTISES | Moves.QUANTISES
