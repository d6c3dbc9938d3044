"""Runs onnx's checker on a network without its weights, and inlines functions up to a limit of calls."""

import contextlib
import functools
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import onnx
import onnx.inliner
import onnx.version_converter
from google.protobuf.message import DecodeError, EncodeError
from onnx import shape_inference

from dlbricks import limits
from dlbricks.errors import DlbricksError, InputError, UnsupportedModelError
from dlbricks.harness.errors import HarnessError
from dlbricks.model.bodies import all_nodes, captured, domain_of, is_external, tensors_within
from dlbricks.model.lowering.kernels import has_schema, runtime_ceilings
from dlbricks.model.order import by_dependency
from dlbricks.model.read.skim import skim
from dlbricks.model.schemas import STANDARD_DOMAINS, newest_version
from dlbricks.units import plain

# characters that are kept of onnx's messages, which quote whole graphs
_LONGEST = 300
_RUNTIME = "com.microsoft"
# what onnx's C++ code raises for networks that it rejects
_REJECTIONS = (
    *(onnx.checker.ValidationError, shape_inference.InferenceError, DecodeError, EncodeError),
    *(RuntimeError, ValueError),
)


# Parts of messages of numpy and Python for sizes that overflow.
_TOO_LARGE = ("array is too big", "Maximum allowed dimension", "too large to convert", "int too big")


@contextlib.contextmanager
def naming_file_in_errors(path: Path) -> Iterator[None]:
    """Turn an unexpected error inside the block into an InputError if ``onnx.checker`` rejects the file.

    Raises:
        InputError: the file is not a valid network.
        UnsupportedModelError: a size in the file overflows.
    """
    try:
        yield
    # the messages of these errors state the cause already
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
    """Return the error that ``onnx.checker`` finds in a file; empty if it finds none, or if bodies hold weights.

    The checked copy has inputs in place of weights. With ``any_order``, nodes need not be in topological order, as for
    onnxruntime. Raises as ``skim``.
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
    # the builder of onnxruntime-genai declares wrong types for constants, whose values have the right ones
    constant_names = {name for node in graph.node if node.op_type == "Constant" for name in node.output}
    typed = [entry for entry in graph.value_info if entry.name not in constant_names]
    del graph.value_info[:]
    graph.value_info.extend(typed)
    _move_runtime_operators(model)
    for name in weights.keys() - inputs:
        graph.input.append(onnx.helper.make_tensor_value_info(name, weights[name].data_type, weights[name].dims))
    # weights inside bodies cannot become inputs
    if any(map(is_external, tensors_within(graph))):
        return ""
    reasons = []
    # a full check stops at its first error, such as a missing name, and hides shapes that do not fit
    for check in (onnx.checker.check_model, partial(shape_inference.infer_shapes, check_type=True, strict_mode=True)):
        try:
            check(model)
        except _REJECTIONS as error:
            reasons.append(plain(" ".join(str(error).split()))[:_LONGEST])
    return "; ".join(reasons)


def _sorted(nodes: list[Any]) -> list[Any]:
    # Return the nodes in topological order; unchanged if the graph has a cycle.
    makers = {name: index for index, node in enumerate(nodes) for name in node.output if name}
    order = by_dependency([(*node.input, *captured(node)) for node in nodes], makers)
    return nodes if len(order) < len(nodes) else [nodes[index] for index in order]


def _move_runtime_operators(model: onnx.ModelProto) -> None:
    # Move operators that onnxruntime adds to the default domain to its own domain, which the checker accepts.
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


# Domain, name and overload of a function.
_Key = tuple[str, str, str]


def complete_imports(model: onnx.ModelProto) -> None:
    """Add the missing imports of operator sets that a network's nodes use, in place.

    An operator set of onnx gets its newest version, any other operator set version 1. A network without imports does
    not change. The domain ``ai.onnx`` becomes ``""``.
    """
    calls = [*all_nodes(model.graph.node)]
    within = [call for function in model.functions for call in all_nodes(function.node)]
    imports = [*model.opset_import, *(entry for function in model.functions for entry in function.opset_import)]
    for named in (*calls, *within, *imports, *model.functions):
        if named.domain == "ai.onnx":
            named.domain = ""
    if not model.opset_import:
        return
    imported = {entry.domain for entry in (*model.opset_import, *model.functions)}
    for domain in sorted({call.domain for call in calls} - imported):
        model.opset_import.add(domain=domain, version=_newest(domain))


@functools.cache
def _newest(domain: str) -> int:
    if not domain:
        return runtime_ceilings()[0]
    return newest_version(domain) if domain in STANDARD_DOMAINS else 1


def inline_functions(model: onnx.ModelProto, path: Path) -> onnx.ModelProto:
    """Return the network with the nodes of model-local functions in place of their calls.

    Raises:
        InputError: a function's opset cannot be converted.
        UnsupportedModelError: a function calls itself, or functions expand to more calls than the limit.
    """
    if not model.functions:
        return model
    _check_calls(model, path)
    # before inlining, which drops them
    _state_defaults(model)
    try:
        inlined: onnx.ModelProto = onnx.inliner.inline_local_functions(model, convert_version=True)
    except (*_REJECTIONS, onnx.version_converter.ConvertError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"{path}: onnx cannot inline its functions: {reason}") from error
    if inlined.functions:
        left = inlined.functions[0]
        raise InputError(
            f"{path}: function {left.domain}.{left.name} imports another opset than the model and cannot be"
            " converted: export the model with one opset"
        )
    return inlined


def _key(function: onnx.FunctionProto) -> _Key:
    return function.domain, function.name, function.overload


def _called(node: onnx.NodeProto) -> _Key:
    return node.domain, node.op_type, node.overload


def _state_defaults(model: onnx.ModelProto) -> None:
    # Write the defaults of functions' attributes into calls that omit these: onnx's inliner ignores defaults.
    defaults = {_key(function): function.attribute_proto for function in model.functions if function.attribute_proto}
    if not defaults:
        return
    for nodes in (model.graph.node, *(function.node for function in model.functions)):
        for node in all_nodes(nodes):
            stated = {attribute.name for attribute in node.attribute}
            node.attribute.extend(entry for entry in defaults.get(_called(node), ()) if entry.name not in stated)


def _check_calls(model: onnx.ModelProto, path: Path) -> None:
    """Check that functions are not recursive and expand to at most ``limits.CALLS``."""
    calls = {_key(function): [_called(node) for node in all_nodes(function.node)] for function in model.functions}
    keys = [*calls]
    order = by_dependency([*calls.values()], {key: number for number, key in enumerate(keys)})
    if len(order) < len(keys):
        domain, name, _ = keys[min(set(range(len(keys))).difference(order))]
        raise UnsupportedModelError(f"{path}: function {domain}.{name} calls itself and cannot be inlined")
    counts: dict[_Key, int] = {}
    for number in order:  # 1 for the call itself: a function may be empty
        counts[keys[number]] = 1 + sum(counts.get(called, 1) for called in calls[keys[number]])
    total = sum(counts.get(_called(node), 1) for node in all_nodes(model.graph.node))
    if total > limits.CALLS:
        raise UnsupportedModelError(
            f"{path}: its functions expand to {total:,} operator calls; the limit is {limits.CALLS:,}"
        )
