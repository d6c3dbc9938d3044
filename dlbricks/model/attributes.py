"""Attributes in canonical form: what is equal in meaning is equal in text."""

import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import onnx

from dlbricks.errors import InputError
from dlbricks.fingerprint import Json, canonical_json, digest_bytes
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.model.bodies import captured
from dlbricks.model.draft import Node
from dlbricks.model.nouns import TensorSpec
from dlbricks.model.schemas import attribute_defaults, signature_interval

_WINDOWED = {
    "Conv": 1,
    "ConvInteger": 1,
    "ConvTranspose": 1,
    "QLinearConv": 3,
    "MaxPool": None,
    "AveragePool": None,
    "LpPool": None,
}
"""Operators with a sliding window: at which input the weight lies that repeats ``kernel_shape``."""


def completed(node: Node, types: Mapping[str, TensorSpec], version: int) -> onnx.NodeProto:
    """Write out the defaults that the standard states in words, so that a call which omits them is the same call.

    Sliding windows: strides and dilations of one, pads of zero, kernel_shape from the weight. Transpose: the reversed
    order. Documentation, metadata and omitted operands at the end are dropped, the default domain has one name.

    Args:
        node: The call.
        types: Specifications of its inputs.
        version: Version of the operator set, for what a version does not have is not written out.
    """
    proto = onnx.NodeProto()
    proto.CopyFrom(node.proto)
    proto.ClearField("doc_string")
    proto.ClearField("metadata_props")
    proto.domain = node.domain
    del proto.input[len(node.inputs) :]
    del proto.output[len(node.outputs) :]
    if node.domain or node.op_type not in (*_WINDOWED, "Transpose") or node.inputs[0] not in types:
        return proto
    rank = len(types[node.inputs[0]].shape)
    present = {attribute.name for attribute in proto.attribute}
    allowed = _known_attributes(node.op_type, version)
    wanted: dict[str, list[int]] = {}
    if node.op_type == "Transpose":
        wanted["perm"] = list(reversed(range(rank)))
    else:
        wanted |= {"strides": [1] * (rank - 2), "dilations": [1] * (rank - 2)}
        auto = next((attribute.s for attribute in proto.attribute if attribute.name == "auto_pad"), b"NOTSET")
        if auto == b"NOTSET" and "output_shape" not in present:
            wanted["pads"] = [0] * (2 * (rank - 2))
            wanted["output_padding"] = [0] * (rank - 2)
        position = _WINDOWED[node.op_type]
        weight = types.get(node.inputs[position]) if position is not None and position < len(node.inputs) else None
        if weight is not None:
            wanted["kernel_shape"] = list(weight.shape[2:])
    for name, values in wanted.items():
        if name not in present and name in allowed:
            proto.attribute.add(name=name, type=onnx.AttributeProto.INTS, ints=values)
    return proto


def _known_attributes(op_type: str, version: int) -> frozenset[str]:
    return frozenset(onnx.defs.get_schema(op_type, max_inclusive_version=version, domain="").attributes)


def canonical_attributes(proto: onnx.NodeProto, opsets: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """Give name and canonical JSON text of every attribute, schema defaults filled in, sorted by name.

    Args:
        proto: The call.
        opsets: Imported version by domain.

    Raises:
        InputError: an attribute that is given twice or has no type.
    """
    outer = {name: f"outer{position}" for position, name in enumerate(captured(proto))}
    return _attributes(proto, opsets, _Scope(outer, itertools.count()))


class _Scope(NamedTuple):
    """What a body sees."""

    names: Mapping[str, str]
    """Canonical name of every tensor in sight."""
    numbers: Iterator[int]
    """Numbers for tensors that bodies define; shared by bodies within bodies."""


def _attributes(proto: onnx.NodeProto, opsets: Mapping[str, int], scope: _Scope) -> tuple[tuple[str, str], ...]:
    domain = "" if proto.domain == "ai.onnx" else proto.domain
    defaults = attribute_defaults(domain, proto.op_type, opsets.get(domain, 1))
    given = {attribute.name: attribute for attribute in proto.attribute}
    if len(given) != len(proto.attribute):
        message = f"{proto.op_type} '{proto.name}' states an attribute twice"
        raise InputError(message)
    merged = {**defaults, **given}
    return tuple((name, canonical_json(_json(merged[name], opsets, scope, proto)).decode()) for name in sorted(merged))


def _json(attribute: onnx.AttributeProto, opsets: Mapping[str, int], scope: _Scope, proto: onnx.NodeProto) -> Json:
    kinds = onnx.AttributeProto
    simple: dict[int, Json] = {
        kinds.INT: attribute.i,
        kinds.INTS: tuple(attribute.ints),
        kinds.FLOAT: float(attribute.f).hex(),
        kinds.FLOATS: tuple(float(value).hex() for value in attribute.floats),
        kinds.STRING: _text(attribute.s),
        kinds.STRINGS: tuple(_text(value) for value in attribute.strings),
    }
    if attribute.type in simple:
        return simple[attribute.type]
    if attribute.type in {kinds.TENSOR, kinds.TENSORS}:
        tensors = (attribute.t, *attribute.tensors) if attribute.HasField("t") else attribute.tensors
        return tuple(map(_tensor, tensors))
    if attribute.type in {kinds.GRAPH, kinds.GRAPHS}:
        graphs = (attribute.g, *attribute.graphs) if attribute.HasField("g") else attribute.graphs
        return tuple(_body(graph, opsets, scope) for graph in graphs)
    if attribute.type == kinds.SPARSE_TENSOR:
        return _sparse(attribute.sparse_tensor)
    if attribute.type in {kinds.TYPE_PROTO, kinds.TYPE_PROTOS}:
        protos = (attribute.tp, *attribute.type_protos) if attribute.HasField("tp") else attribute.type_protos
        return tuple(digest_bytes(entry.SerializeToString(deterministic=True)) for entry in protos)
    message = f"attribute '{attribute.name}' of {proto.op_type} '{proto.name}' has no type that ONNX defines"
    raise InputError(message)


def _text(value: bytes) -> str:
    return value.decode("utf-8", "backslashreplace")


def _tensor(tensor: onnx.TensorProto) -> Json:
    """Give dtype, shape and digest of the values, whatever notation they are in."""
    element = BY_ONNX.get(tensor.data_type)
    if element is None:
        message = f"tensor '{tensor.name}' in an attribute has element type {tensor.data_type}, unknown to ONNX"
        raise InputError(message)
    if element.kind == "string":
        digest = digest_bytes(b"".join(len(text).to_bytes(8, "little") + text for text in tensor.string_data))
    elif tensor.HasField("raw_data"):
        digest = digest_bytes(tensor.raw_data)
    else:
        digest = digest_bytes(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(tensor)).raw_data)
    return {"dtype": element.name, "shape": tuple(tensor.dims), "sha256": digest}


def _sparse(sparse: onnx.SparseTensorProto) -> Json:
    return {"values": _tensor(sparse.values), "indices": _tensor(sparse.indices), "dims": tuple(sparse.dims)}


def _body(graph: onnx.GraphProto, opsets: Mapping[str, int], outer: _Scope) -> Json:
    """Give a body free of names: its tensors are numbered in order of appearance, outer ones keep their numbers."""
    names = dict(outer.names)

    def number(name: str) -> str:
        if name:
            names[name] = f"inner{next(outer.numbers)}"
        return names.get(name, "")

    inputs = [(number(entry.name), _type(entry)) for entry in graph.input]
    tensors = [(number(tensor.name), _tensor(tensor)) for tensor in graph.initializer]
    sparse = [(number(entry.values.name), _sparse(entry)) for entry in graph.sparse_initializer]
    nodes: list[Json] = []
    for node in graph.node:
        domain = "" if node.domain == "ai.onnx" else node.domain
        reads = tuple(names.get(name, "") for name in node.input)
        attributes = _attributes(node, opsets, _Scope(names, outer.numbers))
        since = signature_interval(domain, node.op_type, opsets.get(domain, 1))[0]
        writes = tuple(map(number, node.output))
        nodes.append((domain, node.op_type, since, attributes, reads, writes))
    outputs = tuple(names.get(entry.name, "") for entry in graph.output)
    return {"inputs": inputs, "initializers": tensors, "sparse": sparse, "nodes": nodes, "outputs": outputs}


def _type(entry: onnx.ValueInfoProto) -> Json:
    """Give the type that a body states for an input; shapes follow from those outside."""
    kind = entry.type.WhichOneof("value") or ""
    return (kind, entry.type.tensor_type.elem_type if kind == "tensor_type" else 0)
