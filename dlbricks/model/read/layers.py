"""Makes the layers of a Model from a Graph with known shapes, with attributes in canonical form."""

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from os.path import relpath
from typing import NamedTuple

import onnx

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.fingerprint import Json, canonical_json, digest_bytes
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.limits import BODIES
from dlbricks.model.bodies import bodies, body_nodes, captured, domain_of
from dlbricks.model.graph import Graph, Node
from dlbricks.model.lowering.kernels import kernel_reason, operand_reason, opset_advice, unknown_reason
from dlbricks.model.passes.clean import unique_names
from dlbricks.model.read.decoders import network_name
from dlbricks.model.schemas import attribute_defaults, signature_interval
from dlbricks.model.tensors import keeps_values, raw_values
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators.row import Moves
from dlbricks.operators.table import operator

_FEW = 3
"""Operands of a layer whose shapes a reason names."""


def layers_of(graph: Graph, types: Mapping[str, TensorSpec], failure: str = "") -> tuple[Layer, ...]:
    """Make the layers of a Model; those that cannot be part of a benchmark have a reason in ``skip``."""
    names = unique_names(graph.nodes)
    unknown = _unknown_shapes(graph, names, types, failure)
    return tuple(_layer(node, name, graph, types, unknown) for node, name in zip(graph.nodes, names, strict=True))


def _unknown_shapes(
    graph: Graph, names: Sequence[str], types: Mapping[str, TensorSpec], failure: str
) -> dict[str, str]:
    """Map tensors of unknown shape to the reason, which names the first layer with unknown results."""
    reasons: dict[str, str] = {}
    for node, name in zip(graph.nodes, names, strict=True):
        missing = [tensor for tensor in node.writes if tensor not in types]
        if missing:
            before = next((reasons[tensor] for tensor in node.reads if tensor in reasons), None)
            begin = f"shapes behind {_operator(node)} '{name}' cannot be known"
            reasons.update(dict.fromkeys(missing, before or begin + _why_unknown(node, graph, types, failure)))
    return reasons


def _why_unknown(node: Node, graph: Graph, types: Mapping[str, TensorSpec], failure: str) -> str:
    unknown = unknown_reason(node.domain, node.op_type, graph.opsets.get(node.domain, 1))
    if unknown:
        return f": it {unknown}, and the file does not give the shape of its output"
    for name in node.reads:
        constant = graph.constants.get(name)
        source = constant.source if constant and constant.values is None else None
        if constant and source and keeps_values(constant.spec.dtype, constant.spec.nbytes, constant.spec.elements):
            return f": values of '{name}' lie in {relpath(source.path, graph.path.parent)}, which is missing"
    operands = _operands_of(node, graph, types) if "ShapeInferenceError" in failure else ""
    return f": {failure}{operands}" if failure else ""


def _operands_of(node: Node, graph: Graph, types: Mapping[str, TensorSpec]) -> str:
    """Say what a node reads; nothing if that is much or unknown."""
    specs = [
        types.get(name) or (graph.constants[name].spec if name in graph.constants else None) for name in node.reads
    ]
    said = [f"'{one.name}' {list(one.shape)}" for one in specs if one]
    return f"; it reads {' and '.join(said)}" if 0 < len(said) == len(specs) <= _FEW else ""


def _operator(node: Node) -> str:
    return f"{node.domain}.{node.op_type}" if node.domain else node.op_type


def check_opset(graph: Graph) -> None:
    """Check that onnx knows the opset.

    Raises:
        UnsupportedModelError: it is newer.
    """
    opset = graph.opsets.get("", 0)
    if opset > onnx.defs.onnx_opset_version():
        newest = onnx.defs.onnx_opset_version()
        raise UnsupportedModelError(
            f"{graph.path} imports opset {opset}; the installed onnx knows {newest} at most: install a newer one"
        )


def check_operands(graph: Graph) -> None:
    """Check that every call, also in bodies, has the operands that its operator needs.

    Raises:
        InputError: one is missing, or there are too many.
        UnsupportedModelError: bodies are nested deeper than the limit.
    """
    for node in graph.nodes:
        if _depth(node.proto) > BODIES:
            name = node.proto.name or node.op_type
            raise UnsupportedModelError(f"{graph.path}: layer '{name}' has nested bodies, more than {BODIES} deep")
        for call in (node.proto, *body_nodes(node.proto)):
            domain = domain_of(call)
            reason = operand_reason(call, domain, graph.opsets.get(domain, 1))
            if reason:
                raise InputError(f"{graph.path}: {call.op_type} (layer '{call.name or call.op_type}') {reason}")


def _depth(proto: onnx.NodeProto) -> int:
    """Return the nesting depth of bodies."""
    return max((1 + max(map(_depth, body.node), default=0) for body in bodies(proto)), default=0)


def _layer(node: Node, name: str, graph: Graph, types: Mapping[str, TensorSpec], unknown: Mapping[str, str]) -> Layer:
    version = graph.opsets.get(node.domain, 1)
    proto = completed(node, types, version)
    return Layer(
        name=name,
        op_type=node.op_type,
        domain=node.domain,
        since_version=signature_interval(node.domain, node.op_type, version)[0],
        attributes=canonical_attributes(proto, graph.opsets),
        inputs=node.inputs,
        outputs=node.outputs,
        captured=node.captured,
        node=proto.SerializeToString(deterministic=True),
        opset=version,
        skip=skip_reason(node, types, graph, unknown),
    )


def model_of(
    graph: Graph,
    types: Mapping[str, TensorSpec],
    failure: str = "",
    guesses: Mapping[str, TensorSpec] | None = None,
) -> Model:
    """Make a Model of a network in topological order.

    Args:
        graph: the network.
        types: known specifications; layers that use other tensors are skipped with a reason.
        failure: why the others are unknown.
        guesses: of the others; not used for layers.
    """
    layers = layers_of(graph, types, failure)
    tensors = {entry.name: types[entry.name] for entry in graph.inputs}
    for node in graph.nodes:
        for name in node.writes:
            tensors[name] = types.get(name) or (guesses or {}).get(name) or TensorSpec(name=name, dtype="", shape=())
    return Model(
        name=network_name(graph.path),
        layers=layers,
        inputs=tuple(entry.name for entry in graph.inputs),
        outputs=graph.outputs,
        tensors=tensors,
        constants=graph.constants,
        opsets=tuple(sorted(graph.opsets.items())),
        source_layers=graph.source_layers,
        folded=max(0, graph.source_layers - len(layers)),
    )


def skip_reason(node: Node, types: Mapping[str, TensorSpec], graph: Graph, unknown: Mapping[str, str]) -> str | None:
    """Return why a layer cannot be part of a benchmark; None if it can. ``unknown`` has reasons for missing types."""
    name = _operator(node)
    version = graph.opsets.get(node.domain, 1)
    nobody = unknown_reason(node.domain, node.op_type, version)
    if nobody:
        return f"{name} {nobody}"
    for call in body_nodes(node.proto):
        nobody = unknown_reason(domain_of(call), call.op_type, graph.opsets.get(domain_of(call), 1))
        if nobody:
            return f"a body of {name} calls {call.op_type}, which {nobody}"
    if node.domain.endswith("training"):
        return f"{name} is a training operator"
    if node.op_type == "Dropout" and _trains(node, graph.constants):
        return "Dropout in training mode gives random results"
    reason = _type_reason(name, node, types, unknown) or kernel_reason(node, types, version)
    advice = (
        opset_advice([(node.domain, node.op_type, version)]) if reason and not types.keys() >= {*node.writes} else ""
    )
    return f"{reason}{advice}" if advice else reason


def _type_reason(name: str, node: Node, types: Mapping[str, TensorSpec], unknown: Mapping[str, str]) -> str | None:
    for tensor in (*node.reads, *node.writes):
        spec = types.get(tensor)
        if spec is None:
            return unknown[tensor]
        if spec.dtype == "":
            return f"{name} handles a sequence, optional or map"
        if spec.dtype == "string":
            return f"{name} handles strings"
    return None


def _trains(node: Node, constants: Mapping[str, Constant]) -> bool:
    if len(node.inputs) < 3 or not node.inputs[2]:
        return False
    mode = constants.get(node.inputs[2])
    return mode is None or mode.values is None or any(mode.values)


def completed(node: Node, types: Mapping[str, TensorSpec], version: int) -> onnx.NodeProto:
    """Write out defaults that the standard states in words, so that equal calls have equal attributes.

    Sliding windows: strides, dilations, pads, kernel_shape; Transpose: the reversed order; if ``version`` has them.
    Documentation, metadata and omitted operands at the end are dropped; the default domain has one name.
    """
    proto = deepcopy(node.proto)
    proto.ClearField("doc_string")
    proto.ClearField("metadata_props")
    proto.domain = node.domain
    del proto.input[len(node.inputs) :]
    del proto.output[len(node.outputs) :]
    row = operator("", node.op_type)
    transposes = bool(row.moves & Moves.PERMUTES)
    if node.domain or not (row.is_windowed or transposes) or node.inputs[0] not in types:
        return proto
    rank = len(types[node.inputs[0]].shape)
    present = {attribute.name for attribute in proto.attribute}
    allowed = _known_attributes(node.op_type, version)
    wanted: dict[str, list[int]] = {}
    if transposes:
        wanted["perm"] = list(reversed(range(rank)))
    else:
        wanted |= {"strides": [1] * (rank - 2), "dilations": [1] * (rank - 2)}
        auto = next((attribute.s for attribute in proto.attribute if attribute.name == "auto_pad"), b"NOTSET")
        if auto == b"NOTSET" and "output_shape" not in present:
            wanted["pads"] = [0] * (2 * (rank - 2))
            wanted["output_padding"] = [0] * (rank - 2)
        weight = types.get(node.inputs[row.weight]) if row.weight is not None else None
        if weight is not None:
            wanted["kernel_shape"] = list(weight.shape[2:])
    for name, values in wanted.items():
        if name not in present and name in allowed:
            proto.attribute.add(name=name, type=onnx.AttributeProto.INTS, ints=values)
    return proto


def _known_attributes(op_type: str, version: int) -> frozenset[str]:
    return frozenset(onnx.defs.get_schema(op_type, max_inclusive_version=version, domain="").attributes)


def canonical_attributes(proto: onnx.NodeProto, opsets: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """Return name and canonical JSON of every attribute, schema defaults included, sorted by name.

    Raises:
        InputError: an attribute is given twice or has no type.
    """
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
    given = {attribute.name: attribute for attribute in proto.attribute}
    if len(given) != len(proto.attribute):
        raise InputError(f"{proto.op_type} '{proto.name}' states an attribute twice")
    merged = {**defaults, **given}
    return tuple((name, canonical_json(_json(merged[name], opsets, scope, proto)).decode()) for name in sorted(merged))


@functools.cache
def _default_attributes(domain: str, op_type: str, version: int) -> tuple[tuple[str, str], ...]:
    """Return the attributes of a call that states none."""
    defaults, call = attribute_defaults(domain, op_type, version), onnx.NodeProto(op_type=op_type)
    scope = _Scope({}, itertools.count())
    return tuple((name, canonical_json(_json(defaults[name], {}, scope, call)).decode()) for name in sorted(defaults))


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
