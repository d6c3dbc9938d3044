"""What the installed runtime can execute on the CPU: operators, versions and element types."""

import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import onnx
import onnxruntime as ort
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema, get_all_opkernel_def

from dlbricks.model.draft import Node
from dlbricks.model.nouns import TensorSpec
from dlbricks.model.schemas import signature_interval

_PROVIDER = "CPUExecutionProvider"
_TYPE_NAMES = {"float32": "float", "float64": "double"}
_NEWEST = 1 << 30
_INSERTED_CASTS = {"float16": "float32"}
"""Where a kernel lacks a type the runtime casts to one that it has."""


def has_schema(domain: str, op_type: str, version: int) -> bool:
    """Whether an operator is known: to onnx in that version of its set, or to the runtime in a domain of its own."""
    if onnx.defs.has(op_type, max_inclusive_version=version, domain=domain):
        return not onnx.defs.get_schema(op_type, max_inclusive_version=version, domain=domain).deprecated
    return (domain, op_type) in _runtime_schemas() or (domain, op_type) in _kernels()


def kernel_reason(node: Node, types: Mapping[str, TensorSpec], version: int) -> str | None:
    """Say why the runtime cannot execute a layer on the CPU; None if it can.

    Args:
        node: The call; its operator has a schema.
        types: Specifications of its tensors; those that are missing are not checked.
        version: Version of its operator set that the network imports.
    """
    name = f"{node.domain}.{node.op_type}" if node.domain else node.op_type
    if _is_function(node, version):
        return None
    oldest, newest = signature_interval(node.domain, node.op_type, version)
    kernels = [
        kernel
        for kernel in _kernels().get((node.domain, node.op_type), ())
        if kernel.version_range[0] <= (newest or _NEWEST) and kernel.version_range[1] >= oldest
    ]
    if not kernels:
        return f"{name}-{version} has no CPU kernel in onnxruntime {ort.__version__}"
    used = list(_used_types(node, types, version))
    for cast in ({}, _INSERTED_CASTS):
        for kernel in kernels:
            allowed = kernel.type_constraints
            if all(
                constraint not in allowed or _tensor(dtype, cast) in allowed[constraint] for constraint, dtype in used
            ):
                return None
    dtypes = ", ".join(sorted({dtype for _, dtype in used}))
    return f"{name}-{version} has no CPU kernel for {dtypes} in onnxruntime {ort.__version__}"


def _takes(kernel: Any, used: Sequence[tuple[str, str]], cast: Mapping[str, str]) -> bool:
    allowed = kernel.type_constraints
    return all(name not in allowed or _tensor(dtype, cast) in allowed[name] for name, dtype in used)


def _tensor(dtype: str, cast: Mapping[str, str]) -> str:
    dtype = cast.get(dtype, dtype)
    return f"tensor({_TYPE_NAMES.get(dtype, dtype)})"


def _used_types(node: Node, types: Mapping[str, TensorSpec], version: int) -> Iterator[tuple[str, str]]:
    """Give the type constraint and the element type of every tensor of known type."""
    inputs, outputs = _parameters(node.domain, node.op_type, version)
    for names, parameters in ((node.inputs, inputs), (node.outputs, outputs)):
        for position, tensor in enumerate(names):
            spec = types.get(tensor)
            if spec is not None and spec.dtype and parameters:
                yield parameters[min(position, len(parameters) - 1)], spec.dtype


@functools.cache
def _parameters(domain: str, op_type: str, version: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the names of the type constraints of an operator's inputs and outputs."""
    if onnx.defs.has(op_type, max_inclusive_version=version, domain=domain):
        schema = onnx.defs.get_schema(op_type, max_inclusive_version=version, domain=domain)
        return tuple(value.type_str for value in schema.inputs), tuple(value.type_str for value in schema.outputs)
    known: Any = _runtime_schemas().get((domain, op_type))
    if known is None:
        return (), ()
    return tuple(value.typeStr for value in known.inputs), tuple(value.typeStr for value in known.outputs)


@functools.cache
def _is_function_schema(domain: str, op_type: str, version: int) -> bool:
    if not onnx.defs.has(op_type, max_inclusive_version=version, domain=domain):
        return False
    schema: Any = onnx.defs.get_schema(op_type, max_inclusive_version=version, domain=domain)
    return bool(schema.has_function or schema.has_context_dependent_function)


def _is_function(node: Node, version: int) -> bool:
    """Whether the standard defines an operator by others, so that the runtime needs no kernel for it."""
    return _is_function_schema(node.domain, node.op_type, version)


@functools.cache
def _kernels() -> Mapping[tuple[str, str], Sequence[Any]]:
    found: defaultdict[tuple[str, str], list[Any]] = defaultdict(list)
    for kernel in get_all_opkernel_def():
        if kernel.provider == _PROVIDER:
            found[kernel.domain, kernel.op_name].append(kernel)
    return dict(found)


@functools.cache
def _runtime_schemas() -> Mapping[tuple[str, str], Any]:
    return {
        (schema.domain, schema.name): schema
        for schema in get_all_operator_schema()
        if schema.domain not in {"", "ai.onnx.ml"}
    }
