"""Calls onnx's inference of shapes within limits, and keeps operators from it that would end the process.

onnx 1.23 follows a null pointer where the first operand of these operators has no type, for example behind an operator
of ``ai.onnx.ml`` whose results it does not know. Calls of them are left out until the type is found.
"""

from pathlib import Path

import onnx
from google.protobuf.message import DecodeError, EncodeError
from onnx import shape_inference

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.model import bounds
from dlbricks.model.bodies import body_nodes

_NEED_A_TYPE = frozenset({"DictVectorizer", "LabelEncoder", "RegexFullMatch", "TreeEnsemble"})
_ROUNDS = 8
"""Most of such operators behind one another; the shapes behind more are left to a run."""


def infer_shapes(model: onnx.ModelProto, path: Path, *, propagate: bool) -> onnx.ModelProto:
    """Infer the shapes of a network's tensors as far as onnx can.

    Args:
        model: the network, without functions.
        path: the file it was read from, for messages.
        propagate: compute values of small integers, too, that decide shapes.

    Raises:
        InputError: onnx rejects the network.
    """
    withheld = {position for position, node in enumerate(model.graph.node) if _needs_a_type(node)}
    if not withheld:
        return _infer(model, path, propagate=propagate)
    whole = [*model.graph.node]
    for _ in range(_ROUNDS):
        part = onnx.ModelProto()
        part.CopyFrom(model)
        del part.graph.node[:]
        part.graph.node.extend(node for position, node in enumerate(whole) if position not in withheld)
        inferred = _infer(part, path, propagate=propagate)
        typed = _typed(inferred.graph)
        found = {one for one in withheld if whole[one].op_type in _NEED_A_TYPE and whole[one].input[0] in typed}
        if not found:
            break
        withheld -= found
    return inferred


def _needs_a_type(node: onnx.NodeProto) -> bool:
    """Return whether a call, or one in its bodies, must not be seen without the type of its first operand."""
    return any(one.op_type in _NEED_A_TYPE and one.input for one in (node, *body_nodes(node)))


def _typed(graph: onnx.GraphProto) -> set[str]:
    """Return the tensors of known type."""
    entries = (*graph.input, *graph.value_info, *graph.output)
    stated = {entry.name for entry in entries if entry.type.WhichOneof("value")}
    return stated | {tensor.name for tensor in graph.initializer}


def _infer(model: onnx.ModelProto, path: Path, *, propagate: bool) -> onnx.ModelProto:
    room = limits.INFERENCE_BYTES + limits.INFERENCE_PER_BYTE * model.ByteSize()
    try:
        with bounds.memory_limit(room, f"{path}: onnx's inference of shapes"):
            return shape_inference.infer_shapes(model, data_prop=propagate)
    except (
        shape_inference.InferenceError,
        onnx.checker.ValidationError,
        RuntimeError,
        ValueError,
        DecodeError,
        EncodeError,
    ) as error:
        reason = " ".join(str(error).split())[:300]
        raise InputError(f"{path}: onnx cannot infer its shapes: {reason}") from error
