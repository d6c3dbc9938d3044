"""Attributes of operator calls in canonical form, which fingerprints are made of."""

import functools
import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import onnx

from dlbricks.errors import InputError
from dlbricks.fingerprint import Json, canonical_json, digest_bytes
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.model.bodies import captured, domain_of
from dlbricks.model.schemas import attribute_defaults, signature_interval
from dlbricks.model.tensors import raw_values


def canonical_attributes(proto: onnx.NodeProto, opsets: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """Return name and canonical JSON of every attribute, schema defaults included, sorted by name.

    Raises:
        InputError: an attribute is given twice or has no type.
    """
    # names would tell equal bodies of two networks apart
    outer = {name: f"outer{position}" for position, name in enumerate(captured(proto))}
    return _attributes(proto, opsets, _Scope(outer, itertools.count()))


class _Scope(NamedTuple):
    """Names visible in a body."""

    names: Mapping[str, str]
    """Canonical name of every visible tensor."""
    numbers: Iterator[int]
    """Numbers for tensors that bodies define, shared with nested bodies."""


def _attributes(proto: onnx.NodeProto, opsets: Mapping[str, int], scope: _Scope) -> tuple[tuple[str, str], ...]:
    domain = domain_of(proto)
    version = opsets.get(domain, 1)
    if not proto.attribute:
        return _default_attributes(domain, proto.op_type, version)
    defaults = attribute_defaults(domain, proto.op_type, version)
    stated = {attribute.name: attribute for attribute in proto.attribute}
    if len(stated) != len(proto.attribute):
        raise InputError(f"{proto.op_type} '{proto.name}' states an attribute twice")
    merged = {**defaults, **stated}
    return tuple((name, canonical_json(_json(merged[name], opsets, scope, proto)).decode()) for name in sorted(merged))


# most calls state none
@functools.cache
def _default_attributes(domain: str, op_type: str, version: int) -> tuple[tuple[str, str], ...]:
    defaults, call = attribute_defaults(domain, op_type, version), onnx.NodeProto(op_type=op_type)
    scope = _Scope({}, itertools.count())
    return tuple((name, canonical_json(_json(defaults[name], {}, scope, call)).decode()) for name in sorted(defaults))


def _json(attribute: onnx.AttributeProto, opsets: Mapping[str, int], scope: _Scope, proto: onnx.NodeProto) -> Json:
    kinds = onnx.AttributeProto
    # floats by their bits: decimal text of one number differs between versions of Python and of protobuf
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
    raise InputError(f"attribute '{attribute.name}' of {proto.op_type} '{proto.name}' has no type that ONNX defines")


def _text(value: bytes) -> str:
    return value.decode("utf-8", "backslashreplace")


def _tensor(tensor: onnx.TensorProto) -> Json:
    """Return dtype, shape and digest of the values, independent of their encoding."""
    element = BY_ONNX.get(tensor.data_type)
    if element is None:
        raise InputError(f"tensor '{tensor.name}' in an attribute has element type {tensor.data_type}, unknown to ONNX")
    if element.kind == "string":
        digest = digest_bytes(b"".join(len(text).to_bytes(8, "little") + text for text in tensor.string_data))
    else:
        digest = digest_bytes(raw_values(tensor))
    return {"dtype": element.name, "shape": tuple(tensor.dims), "sha256": digest}


def _sparse(sparse: onnx.SparseTensorProto) -> Json:
    return {"values": _tensor(sparse.values), "indices": _tensor(sparse.indices), "dims": tuple(sparse.dims)}


def _body(graph: onnx.GraphProto, opsets: Mapping[str, int], outer: _Scope) -> Json:
    """Return a body without names: its tensors are numbered in order of appearance, outer ones keep their numbers."""
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
        domain = domain_of(node)
        reads = tuple(names.get(name, "") for name in node.input)
        attributes = _attributes(node, opsets, _Scope(names, outer.numbers))
        since = signature_interval(domain, node.op_type, opsets.get(domain, 1))[0]
        writes = tuple(map(number, node.output))
        nodes.append((domain, node.op_type, since, attributes, reads, writes))
    outputs = tuple(names.get(entry.name, "") for entry in graph.output)
    return {"inputs": inputs, "initializers": tensors, "sparse": sparse, "nodes": nodes, "outputs": outputs}


def _type(entry: onnx.ValueInfoProto) -> Json:
    """Return the type that a body declares for an input; shapes follow from outer tensors."""
    kind = entry.type.WhichOneof("value") or ""
    return (kind, entry.type.tensor_type.elem_type if kind == "tensor_type" else 0)
