"""The graph between ONNX and a Model: operator calls and constants."""

import os
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx

from dlbricks.errors import InputError
from dlbricks.model.bodies import bodies, captured, domain_of, lift_weights, names_within, rename_captured
from dlbricks.model.string_column import Texts
from dlbricks.model.tensors import constant_of, densified, from_array, keeps_values
from dlbricks.model.types import Constant, TensorSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An operator call with the fields that passes need."""

    proto: onnx.NodeProto
    """Not to be changed."""
    op_type: str
    domain: str
    """``""`` is ``ai.onnx``."""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    captured: tuple[str, ...]
    reads: tuple[str, ...]
    """All tensors used, without omitted ones, captured ones last."""
    writes: tuple[str, ...]
    """All results, without omitted ones."""


def node_of(proto: onnx.NodeProto) -> Node:
    """Make a Node of a NodeProto."""
    inputs, outputs = _trimmed(proto.input), _trimmed(proto.output)
    outer = captured(proto) if proto.attribute else ()
    return Node(
        proto=proto,
        op_type=proto.op_type,
        domain=domain_of(proto),
        inputs=inputs,
        outputs=outputs,
        captured=outer,
        reads=(*filter(None, inputs), *outer),
        writes=tuple(filter(None, outputs)),
    )


def rename_inputs(node: Node, names: Mapping[str, str]) -> Node:
    """Copy a call with tensors that it reads renamed; ``names`` maps old to new names."""
    proto = rename_captured(node.proto, names) if node.captured else onnx.NodeProto()
    if not node.captured:
        proto.CopyFrom(node.proto)
    for position, tensor in enumerate(node.inputs):
        if tensor in names:
            proto.input[position] = names[tensor]
    return node_of(proto)


def _trimmed(names: Sequence[str]) -> tuple[str, ...]:
    """Drop omitted operands at the end."""
    end = len(names)
    while end and not names[end - 1]:
        end -= 1
    return tuple(names[:end])


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """A network without functions and Constant nodes; dimensions may be symbolic and shapes unknown."""

    path: Path
    """The file it was read from."""
    opsets: Mapping[str, int]
    """Imported operator sets; ``""`` is ``ai.onnx``."""
    nodes: tuple[Node, ...]
    inputs: tuple[onnx.ValueInfoProto, ...]
    """Graph inputs other than constants; not to be changed."""
    outputs: tuple[str, ...]
    constants: Mapping[str, Constant]
    declared: Mapping[str, onnx.ValueInfoProto]
    """Types that the file states for outputs and inner tensors; they may be stale."""
    source_layers: int
    """Operator calls in the file, functions inlined, without Constant nodes."""


def graph_of(model: onnx.ModelProto, path: Path) -> Graph:
    """Make a Graph of a skimmed model without functions; constants of every form, also in bodies, become Constants.

    Raises:
        InputError: malformed constants, undefined element types.
    """
    source = model.graph
    constants: dict[str, Constant] = {}
    for tensor in source.initializer:
        constants[tensor.name] = constant_of(tensor, path)
    for sparse in source.sparse_initializer:
        constants[sparse.values.name] = densified(sparse, path, sparse.values.name)
    taken = {entry.name for entry in source.input} | constants.keys()
    for proto in source.node:
        taken.update(proto.output)
    nodes: list[Node] = []
    texts = Texts(source)
    for proto in source.node:
        if proto.op_type == "Constant" and proto.domain in {"", "ai.onnx"}:
            constant = _constant_node(proto, path)
            constants[constant.spec.name] = constant
            continue
        written = texts.as_numbers(proto)
        if written is not None:
            constants[written.spec.name] = written
            continue
        whole, lifted = _without_weights(proto, path, taken)
        constants.update((tensor.name, constant_of(tensor, path)) for tensor in lifted)
        nodes.append(node_of(whole))
    opsets: dict[str, int] = {} if model.opset_import else {"": 1}
    for entry in model.opset_import:
        domain = domain_of(entry)
        opsets[domain] = max(entry.version, opsets.get(domain, 0))
    declared = {entry.name: entry for entry in (*source.value_info, *source.output)}
    return Graph(
        path=path,
        opsets=opsets,
        nodes=tuple(nodes),
        inputs=tuple(entry for entry in source.input if entry.name not in constants),
        outputs=tuple(dict.fromkeys(entry.name for entry in source.output)),
        constants=constants,
        declared=declared,
        source_layers=len(nodes),
    )


def _without_weights(
    proto: onnx.NodeProto, path: Path, taken: set[str]
) -> tuple[onnx.NodeProto, list[onnx.TensorProto]]:
    """Lift weights out of bodies; tensors that stay (in attributes, in bodies) get their values back."""
    if not proto.attribute:
        return proto, []

    def is_weight(tensor: onnx.TensorProto) -> bool:
        constant = constant_of(tensor, path)
        return constant.spec.dtype != "string" and not keeps_values(
            constant.spec.dtype, constant.spec.nbytes, constant.spec.elements
        )

    lifted: list[onnx.TensorProto] = []
    inner = [name for body in bodies(proto) for name in names_within(body)]
    if inner:
        taken.update(inner)
        proto, lifted = lift_weights(proto, is_weight, taken)
    if any(is_external(tensor) for tensor in tensors_within(proto)):
        copy = deepcopy(proto)
        for tensor in tensors_within(copy):
            if is_external(tensor):
                _load(tensor, path)
        proto = copy
    return proto, lifted


def is_external(tensor: onnx.TensorProto) -> bool:
    """Return whether the values of a tensor lie in another place."""
    return tensor.data_location == onnx.TensorProto.EXTERNAL


def tensors_within(message: onnx.NodeProto | onnx.GraphProto) -> Iterable[onnx.TensorProto]:
    """Yield every tensor inside a call or a body."""
    if isinstance(message, onnx.GraphProto):
        yield from message.initializer
        for sparse in message.sparse_initializer:
            yield from (sparse.values, sparse.indices)
        for node in message.node:
            yield from tensors_within(node)
        return
    for attribute in message.attribute:
        if attribute.type == onnx.AttributeProto.TENSOR:
            yield attribute.t
        elif attribute.type == onnx.AttributeProto.TENSORS:
            yield from attribute.tensors
        elif attribute.type == onnx.AttributeProto.SPARSE_TENSOR:
            yield from (attribute.sparse_tensor.values, attribute.sparse_tensor.indices)
    for body in bodies(message):
        yield from tensors_within(body)


def _load(tensor: onnx.TensorProto, path: Path) -> None:
    """Read the values of an attribute tensor, which operators need when they are created."""
    source = constant_of(tensor, path).source
    if source is None or not os.path.isfile(source.path):  # noqa: PTH113 - Path.is_file raises if a name is too long
        raise InputError(f"{path} lacks the values of tensor '{tensor.name}', which belongs to an operator's attribute")
    with Path(source.path).open("rb") as file:
        file.seek(source.offset)
        tensor.raw_data = file.read(source.length)
    tensor.ClearField("data_location")
    tensor.ClearField("external_data")


def _constant_node(proto: onnx.NodeProto, path: Path) -> Constant:
    """Convert a Constant node, with any of its attributes, to a Constant."""
    if len(proto.output) != 1 or len(proto.attribute) != 1:
        raise InputError(f"Constant node '{proto.name}' of {path} must have one output and one attribute")
    name, attribute = proto.output[0], proto.attribute[0]
    if attribute.name == "value":
        return constant_of(attribute.t, path, name)
    if attribute.name == "sparse_value":
        return densified(attribute.sparse_tensor, path, name)
    if attribute.name in {"value_string", "value_strings"}:
        shape = (len(attribute.strings),) if attribute.name == "value_strings" else ()
        return Constant(spec=TensorSpec(name=name, dtype="string", shape=shape))
    if attribute.name in _NUMBERS:
        field, dtype, storage = _NUMBERS[attribute.name]
        numbers = getattr(attribute, field)
        return from_array(name, dtype, np.array(list(numbers) if attribute.name.endswith("s") else numbers, storage))
    raise InputError(
        f"Constant node '{proto.name}' of {path} has an attribute '{attribute.name}' that ONNX does not define"
    )


_NUMBERS = {
    "value_float": ("f", "float32", "<f4"),
    "value_floats": ("floats", "float32", "<f4"),
    "value_int": ("i", "int64", "<i8"),
    "value_ints": ("ints", "int64", "<i8"),
}
"""Attribute of Constant: field of AttributeProto, dtype by the standard, numpy type."""
