"""One layer with what its formulas ask for at hand: operands by position, attributes as plain values."""

import json
import math
from dataclasses import dataclass

from dlbricks.fingerprint import Json
from dlbricks.model.nouns import Layer, Model, TensorSpec


@dataclass(frozen=True, slots=True)
class LayerView:
    """A layer of a model, with its operands looked up by position."""

    model: Model
    layer: Layer

    def spec(self, position: int) -> TensorSpec | None:
        """Give the specification of an input; None when it is omitted."""
        inputs = self.layer.inputs
        name = inputs[position] if position < len(inputs) else ""
        return self.model.spec(name) if name else None

    def shape(self, position: int) -> tuple[int, ...]:
        """Give the shape of an input; empty when it is omitted."""
        spec = self.spec(position)
        return spec.shape if spec is not None else ()

    def elements(self, position: int) -> int:
        """Give the number of values of an input; 0 when it is omitted."""
        spec = self.spec(position)
        return spec.elements if spec is not None else 0

    def has(self, position: int) -> bool:
        """Say whether an input is given."""
        return self.spec(position) is not None

    def made(self, position: int) -> TensorSpec | None:
        """Give the specification of an output; None when it is omitted."""
        outputs = self.layer.outputs
        name = outputs[position] if position < len(outputs) else ""
        return self.model.spec(name) if name else None

    @property
    def output(self) -> tuple[int, ...]:
        """Shape of the first output that is not omitted."""
        name = next(filter(None, self.layer.outputs))
        return self.model.spec(name).shape

    @property
    def output_elements(self) -> int:
        """Number of values of the first output that is not omitted."""
        return math.prod(self.output)

    def attribute(self, name: str, default: Json) -> Json:
        """Give an attribute's value, ``default`` where it is not set."""
        text = dict(self.layer.attributes).get(name)
        value: Json = default if text is None else json.loads(text)
        return value

    def number(self, name: str, default: int = 0) -> int:
        """Give an attribute that is a whole number; ``default`` where it is not set or something else."""
        value = self.attribute(name, default)
        return value if isinstance(value, int) else default

    def numbers(self, name: str) -> list[int]:
        """Give an attribute of several whole numbers; empty where it is not set or something else."""
        value = self.attribute(name, [])
        return [one for one in value if isinstance(one, int)] if isinstance(value, list) else []

    def text(self, name: str) -> str:
        """Give an attribute that is a text; empty where it is not set or something else."""
        value = self.attribute(name, "")
        return value if isinstance(value, str) else ""
