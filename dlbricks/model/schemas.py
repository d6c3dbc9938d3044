"""Finds operator versions of the same meaning, canonical forms of attributes, and opsets for emitted networks.

Schemas come from onnx, or from onnxruntime for domains that onnx lacks. A layer means the same in all versions whose
schemas have the same signature. An emitted network may declare any version that suits all its layers.
"""

import functools
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import onnx
from onnx import helper

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.model.bodies import body_nodes, captured, domain_of
from dlbricks.model.tensors import raw_values
from dlbricks.model.types import Layer, Model, type_text
from dlbricks.typed_json import Json, canonical_json, digest_bytes

# onnx 1.23 follows a null pointer where the first operand of these operators has no type, for example behind an
# operator of ``ai.onnx.ml`` whose results it does not know. Inference leaves out calls of them until the type is known.
NEED_A_TYPE = frozenset({"DictVectorizer", "LabelEncoder", "RegexFullMatch", "TreeEnsemble"})


@functools.cache
def signature_interval(domain: str, op_type: str, version: int) -> tuple[int, int | None]:
    """Return the oldest and newest operator-set version in which an operator has the same signature as in ``version``.

    A signature lists the attributes (type, required, default), and the inputs and outputs that may be omitted or
    repeated. The newest version is None if no later version differs. Without a schema, the result is (1, None).
    """
    schemas = _history().get((domain, op_type), ())
    holding = [index for index, schema in enumerate(schemas) if schema.since_version <= version]
    if not holding:
        return 1, None
    signatures = [_signature(schema) for schema in schemas]
    first = last = holding[-1]
    while first > 0 and signatures[first - 1] == signatures[holding[-1]]:
        first -= 1
    while last + 1 < len(schemas) and signatures[last + 1] == signatures[holding[-1]]:
        last += 1
    newest = schemas[last + 1].since_version - 1 if last + 1 < len(schemas) else None
    return schemas[first].since_version, newest


@functools.cache
def newest_version(domain: str) -> int:
    """Return the newest version of an operator set (by its domain) that the installed onnx defines."""
    if not domain:
        return onnx.defs.onnx_opset_version()
    versions = (schema.since_version for key, of in _history().items() if key[0] == domain for schema in of)
    return max(versions, default=1)


@functools.cache
def oldest_version(
    domain: str, op_type: str, version: int, inputs: tuple[str, ...] = (), outputs: tuple[str, ...] = ()
) -> int:
    """Return the oldest version with the same signature as ``version`` that allows the element types of a call.

    ``inputs`` and ``outputs`` are dtypes by position, ``""`` for any. They are ignored if no version allows them. If
    every schema is newer than ``version``, the result is 1.
    """
    oldest, newest = signature_interval(domain, op_type, version)
    if all(schema.since_version > version for schema in _history().get((domain, op_type), ())):
        return oldest
    for schema in _history().get((domain, op_type), ()):
        fits = oldest <= schema.since_version <= (newest or schema.since_version)
        if fits and _allows(schema.inputs, inputs) and _allows(schema.outputs, outputs):
            return schema.since_version
    return oldest


def _allows(parameters: Sequence[Any], dtypes: Sequence[str]) -> bool:
    """Return whether formal parameters allow ``dtypes``; the last parameter may repeat."""
    if not parameters:
        return True
    pairs = ((parameters[min(position, len(parameters) - 1)], dtype) for position, dtype in enumerate(dtypes))
    return all(not dtype or type_text(dtype) in parameter.types for parameter, dtype in pairs)


# The attention of onnxruntime's generative networks, whose cache may slide.
GROUPED_ATTENTION = ("com.microsoft", "GroupQueryAttention")
# Attributes that releases 1.24 to 1.32 of onnxruntime added to its operators, whose schemas have no versions, and their
# defaults: equal layers have equal fingerprints, whichever of the releases 1.23 to 1.32 reads them.
_ADDED_ATTRIBUTES: Mapping[tuple[str, str], Mapping[str, int | float | str]] = {
    GROUPED_ATTENTION: {
        "causal": 1,
        "k_quant_type": "NONE",
        "qk_norm_epsilon": 1e-6,
        "sliding_window_cache": 0,
        "v_quant_type": "NONE",
    },
    ("com.microsoft", "MatMulNBits"): {"weight_prepacked": 0},
    ("com.microsoft", "MoE"): {"swiglu_limit_after_activation": 0},
    ("com.microsoft", "QMoE"): {
        "accuracy_level": 0,
        "quant_type": "int",
        "swiglu_limit_after_activation": 0,
        "weights_prepacked": -1,
    },
}


@functools.cache
def attribute_defaults(domain: str, op_type: str, version: int) -> Mapping[str, onnx.AttributeProto]:
    """Return the default values of an operator's attributes by name; empty without a schema."""
    schemas = [schema for schema in _history().get((domain, op_type), ()) if schema.since_version <= version]
    if schemas:
        named = {name: attribute.default_value for name, attribute in schemas[-1].attributes.items()}
    else:
        stated = getattr(runtime_schemas().get((domain, op_type)), "attributes", {})
        # the binding has no other way
        named = {name: onnx.AttributeProto.FromString(entry._default_value) for name, entry in stated.items()}  # noqa: SLF001
        added = _ADDED_ATTRIBUTES.get((domain, op_type), {}) if stated else {}
        named = {name: helper.make_attribute(name, value) for name, value in added.items()} | named
    return MappingProxyType({name: value for name, value in named.items() if value.name})


def _signature(schema: onnx.defs.OpSchema) -> tuple[object, ...]:
    attributes = tuple(
        (name, attribute.type, attribute.required, attribute.default_value.SerializeToString(deterministic=True))
        for name, attribute in sorted(schema.attributes.items())
    )
    inputs = tuple((value.option, value.is_homogeneous) for value in schema.inputs)
    outputs = tuple((value.option, value.is_homogeneous) for value in schema.outputs)
    # a change of meaning alone makes another signature
    epoch = sum(schema.since_version >= version for version in _CHANGED_MEANING.get((schema.domain, schema.name), ()))
    return attributes, inputs, outputs, schema.deprecated, epoch


# Versions that changed the meaning of an operator but not its signature; found by comparing the documentation of all
# neighbouring versions of equal signature.
_CHANGED_MEANING = {
    ("", "Dropout"): (10,),  # mask: boolean since then, of the type of the data before
    ("", "PRelu"): (7,),  # slope: broadcast from the right since then, one per channel before
    ("", "ConvTranspose"): (11,),  # auto_pad: SAME_UPPER and SAME_LOWER were swapped
}


@functools.cache
def _history() -> Mapping[tuple[str, str], tuple[onnx.defs.OpSchema, ...]]:
    """Return all versions of every standard operator, oldest first."""
    history: defaultdict[tuple[str, str], list[onnx.defs.OpSchema]] = defaultdict(list)
    for schema in onnx.defs.get_all_schemas_with_history():
        history[schema.domain, schema.name].append(schema)
    return {key: tuple(sorted(schemas, key=lambda schema: schema.since_version)) for key, schemas in history.items()}


@functools.cache
def runtime_schemas() -> Mapping[tuple[str, str], Any]:
    """Return the schemas of operators that only onnxruntime defines, by domain and name."""
    from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema

    schemas = (schema for schema in get_all_operator_schema() if schema.domain not in STANDARD_DOMAINS)
    return {(schema.domain, schema.name): schema for schema in schemas}


# Declared if the layers allow it: the newest that every supported runtime (onnxruntime 1.20 on) knows.
PREFERRED_VERSIONS = {"": 21, "ai.onnx.ml": 5}

# Of opset 21; every supported runtime reads it.
BASE_IR_VERSION = 10

STANDARD_DOMAINS = frozenset({"", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.training", "ai.onnx.preview.training"})


def choose_opset(model: Model, layers: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Return versions of operator sets, by domain, with which ``layers`` mean the same as in their model.

    The result is sorted and includes the default domain. Domains without versions (``com.microsoft``) get 1.

    Raises:
        UnsupportedModelError: no version suits all layers (possible only for layers of different models).
    """
    bounds: dict[str, tuple[int, int | None]] = {"": (1, None)}
    for index in layers:
        for domain, low, high in _intervals(model, model.layers[index]):
            known_low, known_high = bounds.get(domain, (1, None))
            # None has no end
            highs = [bound for bound in (known_high, high) if bound is not None]
            bounds[domain] = (max(known_low, low), min(highs) if highs else None)
    return tuple((domain, _pick(domain, *bounds[domain])) for domain in sorted(bounds))


def ir_version_for(opsets: Iterable[tuple[str, int]]) -> int:
    """Return the ONNX IR version that operator sets need, at least 10; ``opsets`` holds domains and versions."""
    standard = [helper.make_opsetid(domain, version) for domain, version in opsets if domain in STANDARD_DOMAINS]
    return max(BASE_IR_VERSION, helper.find_min_ir_version_for(standard))


def _intervals(model: Model, layer: Layer) -> Iterator[tuple[str, int, int | None]]:
    """Yield a domain with its oldest and newest opset (or None) for a layer and for each node in its bodies."""
    opsets = dict(model.opsets)
    oldest, newest = _interval(layer.domain, layer.op_type, layer.since_version)
    inputs, outputs = (
        tuple(model.spec(name).dtype if name else "" for name in names) for names in (layer.inputs, layer.outputs)
    )
    allowed = oldest_version(layer.domain, layer.op_type, layer.since_version, inputs, outputs)
    yield layer.domain, max(oldest, allowed), newest
    for node in body_nodes(onnx.NodeProto.FromString(layer.node)):
        domain = domain_of(node)
        version = layer.opset if domain == layer.domain else opsets.get(domain, 1)
        yield (domain, *_interval(domain, node.op_type, version))


def _interval(domain: str, op_type: str, version: int) -> tuple[int, int | None]:
    if domain not in STANDARD_DOMAINS:
        return 1, 1
    return signature_interval(domain, op_type, version)


def _pick(domain: str, low: int, high: int | None) -> int:
    if high is not None and low > high:
        name = domain or "ai.onnx"
        raise UnsupportedModelError(
            f"no version of operator set {name} suits all layers: they need {low} or newer, and {high} or older"
        )
    preferred = PREFERRED_VERSIONS.get(domain, low)
    return max(low, preferred if high is None else min(high, preferred))


def lone_version(domain: str, op_type: str, version: int, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> int:
    """Return the operator-set version for a network of one operator; arguments are those of ``oldest_version``."""
    _, newest = _interval(domain, op_type, version)
    return _pick(domain, oldest_version(domain, op_type, version, inputs, outputs), newest)


def canonical_attributes(proto: onnx.NodeProto, opsets: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """Return name and canonical JSON of every attribute of a node, defaults included, sorted by name.

    Raises:
        InputError: an attribute appears twice or has no type.
    """
    # names would tell equal bodies of two networks apart
    outer = {name: f"outer{position}" for position, name in enumerate(captured(proto))} if proto.attribute else {}
    return _attributes(proto, opsets, _Scope(outer, itertools.count()))


class _Scope(NamedTuple):
    """The names that are visible in a body."""

    names: Mapping[str, str]
    """Canonical name of every visible tensor."""
    numbers: Iterator[int]
    """Counter that numbers the tensors that bodies define; nested bodies continue it."""


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
    raise InputError(f"attribute '{attribute.name}' of {proto.op_type} '{proto.name}' has a type unknown to ONNX")


def _text(value: bytes) -> str:
    return value.decode("utf-8", "backslashreplace")


def _tensor(tensor: onnx.TensorProto) -> Json:
    """Return dtype, shape and digest of the values in a TensorProto."""
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
    """Return a body without names: its tensors are numbered in order of appearance."""
    names = dict(outer.names)

    def number(name: str) -> str:
        if name:
            names[name] = f"inner{next(outer.numbers)}"
        return names.get(name, "")

    # the types that a body declares for inputs; shapes follow from outer tensors
    types = [(entry.type.WhichOneof("value") or "", entry.type.tensor_type.elem_type) for entry in graph.input]
    inputs = [(number(entry.name), type_) for entry, type_ in zip(graph.input, types, strict=True)]
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
