"""Constants of texts that are written as whole numbers: a Cast of them, which may decide a shape, is a constant."""

import re
from collections.abc import Iterator, Sequence

import numpy as np
import onnx

from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.model.tensors import from_array
from dlbricks.model.types import Constant

_DOMAINS = frozenset({"", "ai.onnx"})
_NUMBER = re.compile(rb"[+-]?[0-9]{1,19}")
_WHOLE = frozenset({"int32", "int64"})


class Texts:
    """The texts of a network's constants."""

    def __init__(self, graph: onnx.GraphProto) -> None:
        """Collect them; bodies are not looked into."""
        self._known = {name: (shape, texts) for name, shape, texts in _texts(graph)}

    def as_numbers(self, node: onnx.NodeProto) -> Constant | None:
        """Return the result of a Cast of constant texts to whole numbers; None of any other call."""
        if node.op_type != "Cast" or node.domain not in _DOMAINS or len(node.input) != 1 or len(node.output) != 1:
            return None
        shape, texts = self._known.get(node.input[0], ((), None))
        to = next((BY_ONNX.get(attribute.i) for attribute in node.attribute if attribute.name == "to"), None)
        if texts is None or to is None or to.name not in _WHOLE or not all(map(_NUMBER.fullmatch, texts)):
            return None
        numbers = [int(text) for text in texts]
        limits = np.iinfo(to.name)
        if not all(limits.min <= number <= limits.max for number in numbers):
            return None
        return from_array(node.output[0], to.name, np.array(numbers, to.storage).reshape(shape))


def _texts(graph: onnx.GraphProto) -> Iterator[tuple[str, tuple[int, ...], Sequence[bytes]]]:
    """Yield name, shape and texts of constants whose texts fill their shape."""
    for tensor in graph.initializer:
        if _is_whole(tensor):
            yield tensor.name, tuple(tensor.dims), tensor.string_data
    for node in graph.node:
        if node.op_type == "Constant" and node.domain in _DOMAINS and len(node.output) == 1:
            for attribute in node.attribute:
                if attribute.name == "value" and _is_whole(attribute.t):
                    yield node.output[0], tuple(attribute.t.dims), attribute.t.string_data
                elif attribute.name == "value_string":
                    yield node.output[0], (), [attribute.s]
                elif attribute.name == "value_strings":
                    yield node.output[0], (len(attribute.strings),), attribute.strings


def _is_whole(tensor: onnx.TensorProto) -> bool:
    if tensor.data_type != onnx.TensorProto.STRING or min(tensor.dims, default=0) < 0:
        return False
    return len(tensor.string_data) == int(np.prod(tensor.dims, dtype=object))
