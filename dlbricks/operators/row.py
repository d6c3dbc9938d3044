"""The types of the table of operators."""

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
    """A layer with access to its operands, results and attributes, for formulas of the table."""

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
        """Return the values of a constant input as integers; a single integer if all are equal, empty if unknown."""
        numbers = numbers_of(self.model.constants[self.layer.inputs[position]]) if self.is_constant(position) else None
        return [] if numbers is None else [int(number) for number in numbers]

    def result(self, position: int) -> TensorSpec | None:
        """Return name, dtype and shape of the output at a position; None if it is omitted."""
        outputs = self.layer.outputs
        name = outputs[position] if position < len(outputs) else ""
        return self.model.spec(name) if name else None

    @property
    def first_result(self) -> TensorSpec:
        """The first output that is present."""
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
        """Return the extent of ``shape`` at the axis in attribute ``name``; ``default`` is the default axis."""
        return shape[self.number(name, default) % len(shape)]


_T = TypeVar("_T")


def if_it_fits(formula: Callable[[], _T]) -> _T | None:
    """Call a formula and return its result; None if a shape is unknown, or its rank does not fit the formula."""
    try:
        return formula()
    except (IndexError, ValueError, ZeroDivisionError):
        return None


class OperandRole(enum.Enum):
    """Meaning of an operand's values."""

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
    """What an operator that only moves or converts values does to its operand 0."""

    NOTHING = 0
    RESHAPES = enum.auto()
    """The results have the bytes of the operand in the same order."""
    CONVERTS = enum.auto()
    """The results have another element type than the operand."""
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
    """Return 0, for operators that only move values."""
    return 0


# Other tools count the instructions of a function (onnx-tool takes 32 for an exponential), but these are the
# instructions of one processor.
@dataclass(frozen=True, slots=True)
class Cost:
    """Formulas for the number of operations, by the specification (ONNX, onnxruntime's ContribOperators.md).

    An operation is an addition, a multiplication, a division, a comparison, a negation, or a call of a function such as
    exp or sqrt. Moving, converting and selecting values do not count.
    """

    products: Count = nothing
    """Counts multiplications and additions in matrix products, convolutions, recurrent cells and attention."""
    others: Count = nothing
    """Counts all other operations, except those of a fused activation."""
    per_value: int = 1
    """Number of operations per value if the operator is fused into another one as its activation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaping:
    """An operand whose value decides the shape of the result or the run time."""

    numbers: Callable[[LayerView, int], Numbers | None] | None
    """Takes a layer and the operand's position. Returns the operand's value if shapes imply it, otherwise None."""
    discloses: bool = True
    """Whether an integer operand decides extents or axes of the result. Its value may then be disclosed."""
    scales: bool = False
    """Whether a float operand decides extents or axes of the result."""
    identifies: bool = False
    """Whether the value of a float operand is part of the fingerprint. Integers and booleans always are."""
    arbitrary: bool = False
    """Whether a float operand may have any value: the size of the result does not depend on it."""


# Positions of all operands.
ALL = frozenset(range(64))


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """Facts about one operator: costs, roles and bounds of operands, effects on values."""

    name: str
    domains: tuple[str, ...] = ("",)
    """Domains in which the facts about operands are true; ``""`` is ``ai.onnx``."""
    cost: Cost | None = None
    """Formulas for the number of operations; None if unknown. Costs, kinds and bytes are the same in all domains."""
    kind: str = ""
    """Name of the computation, which operators with the same kernel share. If empty, it is the operator's name."""
    sizes: Callable[[LayerView], tuple[int, ...]] | None = None
    """Returns the sizes that decide the time, in the same order for all operators of one kind."""
    integer_products: bool = False
    """Whether the operator multiplies 8-bit integers, even if its output has another element type."""
    weight: int | None = None
    """Position of the input whose spatial extents are those of the window; None without a window."""
    is_windowed: bool = False
    """Whether ONNX states defaults of strides, dilations and pads only in prose."""
    looked_up: Mapping[int, Count] = field(default_factory=dict)
    """For operands that a call reads in part, such as tables: function for the bytes that it reads, by position."""
    unread: frozenset[int] = frozenset()
    """Positions of operands whose values are not read, only their shape or type."""
    read_again: Count = nothing
    """Counts the bytes that a call reads more than once."""
    experts: bool = False
    """Whether constants hold the weights of several experts, from which a router chooses."""
    roles: Mapping[int, OperandRole] = field(default_factory=dict)
    fan_in: FanIn | None = None
    """Takes a node, the position of a weight and its shape; returns the fan-in. None for that of a matrix product."""
    integers: Mapping[int, Callable[[LayerView], Bounds]] = field(default_factory=dict)
    """Functions for the accepted values of integer operands, by position."""
    floats: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """Accepted values of float operands, by position."""
    lengths: frozenset[int] = frozenset()
    """Positions of operands that state the number of steps or tokens to compute."""
    shaping: Mapping[int, Shaping] = field(default_factory=dict)
    selects: Mapping[int, Count] = field(default_factory=dict)
    """Functions that count the nonzero elements of a condition, by its position."""
    extents: int | None = None
    """Position of the operand that holds the extents of the result."""
    packed: bool = False
    """Whether a byte of quantised data holds several values, unless attribute ``bits`` is 8."""
    moves: Moves = Moves.NOTHING
    passes_on: frozenset[int] = frozenset()
    """Positions of operands whose values appear in the results. If empty, operand 0 of an operator that ``moves``."""
    keeps_positive: bool = False
    """Whether results are positive if all operands are."""
    magnitude: Callable[[LayerView, Sequence[float]], float | None] | None = None
    """Takes log2 of the operands' magnitudes, returns that of the results. None stands for the largest operand."""
    scaled_by: tuple[int, ...] = ()
    """Positions of operands that multiply the result."""
    overwrites: int | None = None
    """Position of the operand that a CPU kernel may overwrite with its output."""
    caches: Mapping[int, int] = field(default_factory=dict)
    """Maps the position of a key-value cache to the position of the output that returns it."""
    grows_in_place: bool = False
    """Whether a key-value cache and its output may share a buffer, into which kernels write new keys and values.
    Otherwise they copy the cache."""
    is_random: bool = False
    depends_on_data: bool = False
    """Whether the values of operands decide the shape of the result."""
    is_view: bool = False
    """Whether the operator moves no data inside a network, since its output uses the memory of its input."""
    activates: bool = False
    """Whether runtimes fuse the operator, an activation, into the product or convolution before it."""
    rectifies: bool = False
    """Whether runtimes also fuse the activation into quantised calls."""
    shows: str = ""
    """Size of a network that the shape of the result shows, as in ``hidden size``; empty if it shows no such size."""
    commutes: bool | None = None
    """Whether the two operands of an arithmetic operator may be exchanged; None for other operators."""
    has_bodies: bool = False
    """Whether the operator has bodies, as Loop has."""

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
