"""Runs ``onnx.checker`` on a file without its weights."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
from google.protobuf.message import DecodeError, EncodeError
from onnx import shape_inference

from dlbricks.errors import DlbricksError, InputError, UnsupportedModelError
from dlbricks.harness.errors import HarnessError
from dlbricks.model.bodies import captured, domain_of, is_external, tensors_within
from dlbricks.model.lowering.kernels import has_schema
from dlbricks.model.order import topological
from dlbricks.model.read.skim import skim
from dlbricks.units import plain

# characters of onnx's messages, which quote whole graphs
_LONGEST = 300
_RUNTIME = "com.microsoft"


# Parts of messages of numpy and Python for sizes that overflow.
_TOO_LARGE = ("array is too big", "Maximum allowed dimension", "too large to convert", "int too big")


@contextlib.contextmanager
def naming_file_in_errors(path: Path) -> Iterator[None]:
    """Read a network inside the block: unexpected errors are reported as invalid input if ``onnx.checker`` agrees.

    Raises:
        InputError: the file is not a valid ONNX.
        UnsupportedModelError: it has a size that overflows.
    """
    try:
        yield
    # these name their cause already
    except (DlbricksError, HarnessError, MemoryError, RecursionError):
        raise
    except Exception as error:
        if isinstance(error, OverflowError) or any(words in str(error) for words in _TOO_LARGE):
            raise UnsupportedModelError(f"{path} has a size that is too large: {plain(str(error))}") from error
        reason = complaint(path, any_order=True)
        if reason:
            raise InputError(f"{path} is not a valid network: {reason}") from error
        raise


def complaint(path: Path, *, any_order: bool = False) -> str:
    """Return the checker's error; empty if the network is valid, or if weights inside bodies prevent the check.

    Weights are replaced by inputs, which are checked in the same way except for their values.

    Args:
        path: the ONNX file.
        any_order: accept nodes that are not sorted; networks of such are read, and onnxruntime runs them.

    Raises:
        InputError: the file is missing, unreadable, empty, truncated, or not ONNX.
    """
    model = skim(path)
    graph = model.graph
    inputs = {entry.name for entry in graph.input}
    weights = {tensor.name: tensor for tensor in graph.initializer if is_external(tensor)}
    for node in graph.node:
        if node.op_type == "Constant" and node.output and any(map(is_external, tensors_within(node))):
            weights[node.output[0]] = next(iter(tensors_within(node)))
    constants = [tensor for tensor in graph.initializer if tensor.name not in weights]
    nodes = [node for node in graph.node if node.op_type != "Constant" or weights.keys().isdisjoint(node.output)]
    if any_order:
        nodes = _sorted(nodes)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(constants)
    graph.node.extend(nodes)
    _forget_types_of_constants(graph)
    _move_runtime_operators(model)
    for name in weights.keys() - inputs:
        graph.input.append(onnx.helper.make_tensor_value_info(name, weights[name].data_type, weights[name].dims))
    # weights inside bodies cannot become inputs
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


def _sorted(nodes: list[Any]) -> list[Any]:
    """Return the nodes in topological order; as they are if there is none."""
    makers = {name: index for index, node in enumerate(nodes) for name in node.output if name}
    feeds: list[set[int]] = [set() for _ in nodes]
    for index, node in enumerate(nodes):
        for name in (*node.input, *captured(node)):
            if name in makers:
                feeds[makers[name]].add(index)
    order = topological(feeds, [(index, 0) for index in range(len(nodes))])
    return nodes if len(order) < len(nodes) else [nodes[index] for index in order]


def _forget_types_of_constants(graph: onnx.GraphProto) -> None:
    """Remove types of constants that nodes make: their values have them, and onnxruntime-genai's builder errs."""
    constants = {name for node in graph.node if node.op_type == "Constant" for name in node.output}
    others = [entry for entry in graph.value_info if entry.name not in constants]
    del graph.value_info[:]
    graph.value_info.extend(others)


def _move_runtime_operators(model: onnx.ModelProto) -> None:
    """Move operators that the runtime adds to the default domain to its own domain, which the checker accepts."""
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
