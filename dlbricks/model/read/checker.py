"""Runs ``onnx.checker`` on a file without reading its weights, and reports its findings."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError, EncodeError
from onnx import shape_inference

from dlbricks.errors import DlbricksError, InputError, UnsupportedModelError
from dlbricks.harness.errors import HarnessError
from dlbricks.model.graph import domain_of, is_external, tensors_within
from dlbricks.model.lowering.runtime import has_schema
from dlbricks.model.read.skim import skim
from dlbricks.units import plain

_LONGEST = 300
_RUNTIME = "com.microsoft"


_TOO_LARGE = ("array is too big", "Maximum allowed dimension", "too large to convert", "int too big")
"""Words of numpy and Python where a size is beyond what can be counted."""


@contextlib.contextmanager
def blamed(path: Path) -> Iterator[None]:
    """Read a network within the block: what goes wrong is said to be the file's where ``onnx.checker`` says so, too.

    Raises:
        InputError: the file is no valid ONNX.
        UnsupportedModelError: it holds a size beyond what can be counted.
    """
    try:
        yield
    except (DlbricksError, HarnessError, MemoryError, RecursionError):
        raise
    except Exception as error:
        if isinstance(error, OverflowError) or any(words in str(error) for words in _TOO_LARGE):
            raise UnsupportedModelError(f"{path} holds a size that is too large: {plain(str(error))}") from error
        said = complaint(path)
        if said:
            raise InputError(f"{path} is no valid network: {said}") from error
        raise


def complaint(path: Path) -> str:
    """Say why a network is invalid; empty if it is valid, or if that cannot be known without weights inside of bodies.

    Weights are inputs here, which are checked alike but for their values.

    Raises:
        InputError: the file is missing, unreadable, empty, truncated, or not ONNX.
    """
    model = skim(path)
    graph = model.graph
    known = {entry.name for entry in graph.input}
    weights = {tensor.name: tensor for tensor in graph.initializer if is_external(tensor)}
    for node in graph.node:
        if node.op_type == "Constant" and node.output and any(map(is_external, tensors_within(node))):
            weights[node.output[0]] = next(iter(tensors_within(node)))
    constants = [tensor for tensor in graph.initializer if tensor.name not in weights]
    nodes = [node for node in graph.node if node.op_type != "Constant" or weights.keys().isdisjoint(node.output)]
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(constants)
    graph.node.extend(nodes)
    _move_runtime_operators(model)
    for name in weights.keys() - known:
        graph.input.append(onnx.helper.make_tensor_value_info(name, weights[name].data_type, weights[name].dims))
    if any(map(is_external, tensors_within(graph))):
        return ""
    try:
        onnx.checker.check_model(model, full_check=True)
    except (
        onnx.checker.ValidationError,
        shape_inference.InferenceError,
        RuntimeError,
        ValueError,
        DecodeError,
        EncodeError,
    ) as error:
        return plain(" ".join(str(error).split()))[:_LONGEST]
    return ""


def _move_runtime_operators(model: onnx.ModelProto) -> None:
    """Write operators that the runtime adds to the default domain as its own, which the checker lets pass."""
    version = next((entry.version for entry in model.opset_import if not domain_of(entry)), 1)
    moved = [
        node
        for node in model.graph.node
        if not domain_of(node)
        and not onnx.defs.has(node.op_type, max_inclusive_version=version)
        and has_schema("", node.op_type, version)
    ]
    for node in moved:
        node.domain = _RUNTIME
    if moved and all(entry.domain != _RUNTIME for entry in model.opset_import):
        model.opset_import.append(onnx.helper.make_opsetid(_RUNTIME, 1))
