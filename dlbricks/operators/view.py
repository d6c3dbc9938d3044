"""A layer with access to its operands, results and attributes: what the formulas of operators are given."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from dlbricks.fingerprint import Json
from dlbricks.model.types import Layer, Model, TensorSpec


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
