"""What is done to a network before it becomes a graph: imports completed, functions inlined within limits."""

import functools
from pathlib import Path

import onnx
import onnx.inliner
import onnx.shape_inference
import onnx.version_converter
from google.protobuf.message import DecodeError, EncodeError

from dlbricks import limits
from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model.bodies import all_nodes
from dlbricks.model.lowering.kernels import runtime_ceilings
from dlbricks.model.order import topological
from dlbricks.model.schemas import STANDARD_DOMAINS, newest_version

# Domain, name and overload of a function.
_Key = tuple[str, str, str]


def complete_imports(model: onnx.ModelProto) -> None:
    """Add imports of the operator sets that calls use and the file lacks; a file without imports has version 1.

    Those of onnx get their newest version, as onnxruntime reads such files; others, of which no version is known, 1.
    The domain ``ai.onnx`` gets its other name, the empty one: onnx's inference does not know that they are the same.
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
    """Inline every model-local function, converted to the model's opset if necessary.

    Raises:
        InputError: recursive functions, or a function whose opset cannot be converted to the model's.
    """
    if not model.functions:
        return model
    _check_calls(model, path)
    # before inlining, which drops them
    _state_defaults(model)
    try:
        inlined: onnx.ModelProto = onnx.inliner.inline_local_functions(model, convert_version=True)
    except (
        onnx.checker.ValidationError,
        onnx.shape_inference.InferenceError,
        onnx.version_converter.ConvertError,
        RuntimeError,
        ValueError,
        DecodeError,
        EncodeError,
    ) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"{path}: its functions cannot be inlined: {reason}") from error
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
    """Write the defaults of functions' attributes into the calls that leave them out: onnx's inliner has none."""
    defaults = {_key(function): function.attribute_proto for function in model.functions if function.attribute_proto}
    if not defaults:
        return
    for nodes in (model.graph.node, *(function.node for function in model.functions)):
        for node in all_nodes(nodes):
            stated = {attribute.name for attribute in node.attribute}
            node.attribute.extend(entry for entry in defaults.get(_called(node), ()) if entry.name not in stated)


def _check_calls(model: onnx.ModelProto, path: Path) -> None:
    """Check that functions are not recursive and do not expand beyond ``limits.CALLS``.

    Raises:
        UnsupportedModelError: they are, or do.
    """
    calls = {_key(function): [_called(node) for node in all_nodes(function.node)] for function in model.functions}
    keys = [*calls]
    numbers = {key: number for number, key in enumerate(keys)}
    callers: list[set[int]] = [set() for _ in keys]
    for number, key in enumerate(keys):
        for called in calls[key]:
            if called in numbers:
                callers[numbers[called]].add(number)
    order = topological(callers, [(number, 0) for number in range(len(keys))])
    if len(order) < len(keys):
        domain, name, _ = keys[min(set(range(len(keys))).difference(order))]
        raise UnsupportedModelError(f"{path}: function {domain}.{name} calls itself and cannot be inlined")
    counts: dict[_Key, int] = {}
    for number in order:  # itself too: bodies may be empty
        counts[keys[number]] = 1 + sum(counts.get(called, 1) for called in calls[keys[number]])
    total = sum(counts.get(_called(node), 1) for node in all_nodes(model.graph.node))
    if total > limits.CALLS:
        raise UnsupportedModelError(
            f"{path}: its functions expand to {total:,} operator calls; the limit is {limits.CALLS:,}"
        )
