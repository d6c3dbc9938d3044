"""Finds the operators, versions and kernels of the installed onnxruntime."""

import functools
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import onnx
import onnx.helper
import onnxruntime as ort
from onnxruntime.capi.onnxruntime_pybind11_state import (
    Fail,
    InvalidArgument,
    InvalidGraph,
    get_all_operator_schema,
    get_all_opkernel_def,
)
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as NoKernel

from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.bodies import captured, domain_of
from dlbricks.model.lowering.runtime import PROVIDERS, RUNTIME_FAILURES, plain_message, plain_session
from dlbricks.model.schemas import (
    BASE_IR_VERSION,
    PREFERRED_VERSIONS,
    STANDARD_DOMAINS,
    lone_version,
    newest_version,
    runtime_schemas,
    signature_interval,
)
from dlbricks.model.tensors import IR_VERSION, value_info
from dlbricks.model.types import TensorSpec, type_text


@functools.cache
def runtime_ceilings() -> tuple[int, int]:
    """Return the highest opset (domain ``ai.onnx``) and the highest IR version that onnxruntime accepts.

    Raises:
        UnsupportedModelError: the runtime accepts none, since it is broken or far too old.
    """
    newest = onnx.defs.onnx_opset_version()
    opset = _highest_accepted((version, BASE_IR_VERSION - 2) for version in range(newest, 7, -1))
    ir_version = _highest_accepted((8, version) for version in range(onnx.IR_VERSION, 7, -1))
    return opset[0], ir_version[1]


def _highest_accepted(versions: Iterable[tuple[int, int]]) -> tuple[int, int]:
    value = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in ("x", "y")]
    node = onnx.helper.make_node("Abs", ["x"], ["y"])
    graph = onnx.helper.make_graph([node], "probe", value[:1], value[1:])
    for opset, ir_version in versions:
        imports = [onnx.helper.make_opsetid("", opset)]
        probe = onnx.helper.make_model(graph, opset_imports=imports, ir_version=ir_version)
        try:
            plain_session(probe.SerializeToString())
        except (Fail, InvalidArgument, InvalidGraph):
            continue
        return opset, ir_version
    raise UnsupportedModelError("the installed onnxruntime does not accept any operator set: install a newer version")


# Casts that the runtime inserts where a kernel lacks a type.
_INSERTED_CASTS = {"float16": "float32"}


@functools.cache
def has_schema(domain: str, op_type: str, version: int) -> bool:
    """Return whether onnx or onnxruntime defines an operator in a version of its operator set."""
    if domain in STANDARD_DOMAINS and version > newest_version(domain):
        return False
    if onnx.defs.has(op_type, max_inclusive_version=version, domain=domain):
        return not onnx.defs.get_schema(op_type, max_inclusive_version=version, domain=domain).deprecated
    if domain in STANDARD_DOMAINS:
        has_kernel = all_kernels() is None or (domain, op_type) in _kernels()
        return has_kernel and _since(domain, op_type, version) is not None
    return (domain, op_type) in runtime_schemas() or (domain, op_type) in _kernels()


@functools.cache
def unknown_reason(domain: str, op_type: str, version: int) -> str:
    """Return why neither onnx nor onnxruntime defines this version of an operator; empty if one of them does."""
    if has_schema(domain, op_type, version):
        return ""
    if domain not in STANDARD_DOMAINS:
        return "is an operator of a custom domain"
    newest = newest_version(domain)
    if version > newest:
        return f"needs version {version} of {domain}; the installed onnx supports {newest}: install a newer onnx"
    return f"is not an operator of {f'version {version} of {domain}' if domain else f'opset {version}'}"


# A term of an Einsum equation, and the whole equation: terms, and the term of the result.
_TERM = rb"[A-Za-z]*(\.\.\.)?[A-Za-z]*"
_EQUATION = re.compile(rb"%b(,%b)*(->%b)?" % (_TERM, _TERM, _TERM))


def operand_reason(node: onnx.NodeProto, domain: str, version: int) -> str:
    """Return what is wrong with a node's operands, as in "has no output"; empty if nothing is, or without a schema."""
    expected = _operands(node.op_type, domain, version)
    if expected is None:
        return ""
    operands, most = expected
    inputs = list(node.input)
    for position, (name, option, needed) in enumerate(operands):
        if needed and (position >= len(inputs) or (option == "Single" and not inputs[position])):
            return f"lacks its operand '{name}'"
    if node.op_type == "Einsum":
        equation = next((entry.s for entry in node.attribute if entry.name == "equation"), b"")
        if not _EQUATION.fullmatch(equation.replace(b" ", b"")):  # onnx may not return
            return f"has an invalid equation {equation.decode(errors='replace')!r}: terms have letters and one '...'"
    if len(inputs) > most:
        return f"has {len(inputs)} operands, at most {most} are allowed"
    return "" if any(node.output) else "has no output"


@functools.cache
def _operands(op_type: str, domain: str, version: int) -> tuple[tuple[tuple[str, str, bool], ...], int] | None:
    """Return the operands (name, option, required) and the largest number of inputs; None without a schema."""
    schema = _schema(domain, op_type, version)
    if schema is None:
        return None
    options = [(operand.name, operand.option.name) for operand in schema.inputs]
    return tuple(
        (name, option, option == "Single" or (option == "Variadic" and schema.min_input > position))
        for position, (name, option) in enumerate(options)
    ), schema.max_input


def kernel_reason(node: onnx.NodeProto, types: Mapping[str, TensorSpec], version: int) -> str | None:
    """Return why the installed onnxruntime cannot execute a node on the CPU; None if it can.

    ``version`` is that of the node's operator set; tensors missing from ``types`` are not checked.
    """
    # recurrent layers: the kernel checks the layout when it is created; the registry does not state it
    if node.attribute and any(entry.name == "layout" and entry.i for entry in node.attribute):
        return f"{node.op_type} with layout 1 has no CPU kernel in onnxruntime {ort.__version__}"
    inputs = tuple([types[tensor].dtype if tensor in types else "" for tensor in node.input])
    outputs = tuple([types[tensor].dtype if tensor in types else "" for tensor in node.output])
    reason, tried = _registered(domain_of(node), node.op_type, version, inputs, outputs)
    return _trial_reason(node, types, tried) if tried else reason


@functools.cache
def _registered(
    domain: str, op_type: str, version: int, inputs: tuple[str, ...], outputs: tuple[str, ...]
) -> tuple[str | None, int]:
    """Look up a CPU kernel of an operator in the runtime's registries.

    Returns:
        The reason why a kernel is missing, or None; and the operator set version with which a session must try the
            operator, or 0 if no trial is needed.
    """
    name = f"{domain}.{op_type}" if domain else op_type
    emitted = lone_version(domain, op_type, version, inputs, outputs)
    if not domain and emitted > (most := runtime_ceilings()[0]):
        reason = f"{name} needs opset {emitted}; onnxruntime {ort.__version__} accepts {most} at most"
        return f"{reason}: install a newer one", 0
    since = _since(domain, op_type, emitted)
    if since is None:
        return f"{name} is not known to onnxruntime {ort.__version__} as opset {emitted} defines it", 0
    if all_kernels() is None:
        return None, emitted
    kernels = [
        kernel
        for kernel in _kernels().get((domain, op_type), ())
        if kernel.version_range[0] <= since <= kernel.version_range[1]
    ]
    used = _used_types(_schema(domain, op_type, emitted), inputs, outputs)
    for cast, kernel in itertools.product(({}, _INSERTED_CASTS), kernels):
        allowed = kernel.type_constraints
        if all(name not in allowed or type_text(cast.get(dtype, dtype)) in allowed[name] for name, dtype in used):
            return None, 0
    if _is_function(domain, op_type, emitted):
        return None, emitted
    dtypes = ", ".join(sorted({dtype for _, dtype in used}))
    types = f"for {dtypes} " if kernels else ""
    return f"{name}-{since} has no CPU kernel {types}in onnxruntime {ort.__version__}", 0


def _since(domain: str, op_type: str, emitted: int) -> int | None:
    """Return the runtime's version of an operator for opset ``emitted``; None if its signature differs from onnx's."""
    if domain not in STANDARD_DOMAINS:
        return 1
    versions = [version for version in _runtime_versions().get((domain, op_type), ()) if version <= emitted]
    if not versions or max(versions) < signature_interval(domain, op_type, emitted)[0]:
        return None
    return max(versions)


def _used_types(schema: Any, inputs: Sequence[str], outputs: Sequence[str]) -> list[tuple[str, str]]:
    """Return the type constraint and the element type of each tensor whose type is known; empty without a schema."""
    types: list[tuple[str, str]] = []
    for dtypes, part in ((inputs, schema.inputs), (outputs, schema.outputs)) if schema is not None else ():
        names = [each.type_str if hasattr(each, "type_str") else each.typeStr for each in part]
        types += [(names[min(at, len(names) - 1)], dtype) for at, dtype in enumerate(dtypes) if dtype and names]
    return types


def _trial_reason(node: onnx.NodeProto, types: Mapping[str, TensorSpec], version: int) -> str | None:
    """Open a session with an operator; return why the runtime cannot execute it, None if it can."""
    model = onnx.ModelProto(ir_version=IR_VERSION)
    domain = domain_of(node)
    model.opset_import.add(domain=domain, version=version)
    if domain:
        model.opset_import.add(domain="", version=PREFERRED_VERSIONS[""])
    model.graph.name = "expansion"
    model.graph.node.append(node)
    for name in dict.fromkeys((*filter(None, node.input), *captured(node))):
        if name not in types or types[name].dtype not in BY_NAME:
            return None
        model.graph.input.append(value_info(types[name]))
    for name in filter(None, node.output):
        model.graph.output.add(name=name)
    try:
        plain_session(model.SerializeToString())
    except RUNTIME_FAILURES as error:
        if not _is_function(domain, node.op_type, version):  # its trial may also fail because constants are inputs here
            name = f"{domain}.{node.op_type}" if domain else node.op_type
            return f"{name} has no CPU kernel in onnxruntime {ort.__version__}" if isinstance(error, NoKernel) else None
        return f"{node.op_type} cannot be expanded by onnxruntime {ort.__version__}: {plain_message(str(error))}"
    return None


def _schema(domain: str, op_type: str, version: int) -> Any:
    """Return the schema of an operator in onnx, else in the runtime; None if neither has it."""
    if onnx.defs.has(op_type, max_inclusive_version=version, domain=domain):
        return onnx.defs.get_schema(op_type, max_inclusive_version=version, domain=domain)
    return runtime_schemas().get((domain, op_type))


def _is_function(domain: str, op_type: str, version: int) -> bool:
    """Return whether onnx defines an operator by other operators."""
    if not onnx.defs.has(op_type, max_inclusive_version=version, domain=domain):
        return False
    schema: Any = onnx.defs.get_schema(op_type, max_inclusive_version=version, domain=domain)
    return bool(schema.has_function or schema.has_context_dependent_function)


@functools.cache
def all_kernels() -> Sequence[Any] | None:
    """Return the definitions of all kernels in the installed onnxruntime; None if they cannot be listed.

    Listing loads every provider library (CUDA, TensorRT). It ends the process if a library does not load, as TensorRT's
    does not on a machine with CUDA only.
    """
    folder = Path(ort.__file__).parent / "capi"
    own = {library.stem.removeprefix("lib") for library in folder.glob("*onnxruntime_providers_*.[sd]*")}
    return get_all_opkernel_def() if own <= {"onnxruntime_providers_shared"} else None


@functools.cache
def _kernels() -> Mapping[tuple[str, str], Sequence[Any]]:
    kernels: defaultdict[tuple[str, str], list[Any]] = defaultdict(list)
    for kernel in all_kernels() or ():
        if kernel.provider in PROVIDERS:
            kernels[kernel.domain, kernel.op_name].append(kernel)
    return dict(kernels)


@functools.cache
def _runtime_versions() -> Mapping[tuple[str, str], Sequence[int]]:
    """Return the runtime's versions of each standard operator, by domain and name."""
    versions: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for schema in get_all_operator_schema():
        if schema.domain in STANDARD_DOMAINS:
            versions[schema.domain, schema.name].append(schema.since_version)
    return dict(versions)
