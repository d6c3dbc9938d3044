"""The graph between ONNX and a Model: operator calls, constants, and bodies of If, Loop and Scan."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx

from dlbricks.errors import InputError
from dlbricks.model.read.skim import keeps_values
from dlbricks.model.read.tensors import constant_of, densified, from_array
from dlbricks.model.types import Constant, Layer, TensorSpec


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


def domain_of(entry: onnx.NodeProto | onnx.OperatorSetIdProto | Layer) -> str:
    """Return the operator domain of a call or an import, ``""`` for ``ai.onnx``."""
    return "" if entry.domain == "ai.onnx" else str(entry.domain)


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
    for proto in source.node:
        if proto.op_type == "Constant" and proto.domain in {"", "ai.onnx"}:
            constant = _constant_node(proto, path)
            constants[constant.spec.name] = constant
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
    inner = [name for body in bodies(proto) for name in _names_within(body)]
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


def _names_within(graph: onnx.GraphProto) -> Iterator[str]:
    """Yield every name that a body or a body inside it defines."""
    yield from local_names(graph)
    for node in graph.node:
        for body in bodies(node):
            yield from _names_within(body)


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
    if source is None or not Path(source.path).is_file():
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


def bodies(node: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    """Yield the bodies of an operator call, ordered by attribute name."""
    if not node.attribute:
        return
    for attribute in sorted(node.attribute, key=lambda entry: entry.name):
        if attribute.type == onnx.AttributeProto.GRAPH:
            yield attribute.g
        elif attribute.type == onnx.AttributeProto.GRAPHS:
            yield from attribute.graphs


def body_nodes(node: onnx.NodeProto) -> Iterator[onnx.NodeProto]:
    """Yield every node in the bodies of a node, at any depth."""
    for body in bodies(node):
        for inner in body.node:
            yield inner
            yield from body_nodes(inner)


def local_names(graph: onnx.GraphProto) -> set[str]:
    """Return the names that a graph defines itself: inputs, initializers and node outputs."""
    names = {entry.name for entry in graph.input}
    names.update(tensor.name for tensor in graph.initializer)
    names.update(sparse.values.name for sparse in graph.sparse_initializer)
    for node in graph.node:
        names.update(node.output)
    return names


def captured(node: onnx.NodeProto) -> tuple[str, ...]:
    """Return the outer tensors that the bodies of a call use, at any depth, in order of first use."""
    found: dict[str, None] = {}
    for body in bodies(node):
        found.update(dict.fromkeys(_free(body)))
    return tuple(found)


def _free(graph: onnx.GraphProto) -> Iterator[str]:
    local = local_names(graph)
    for node in graph.node:
        for name in (*node.input, *captured(node)):
            if name and name not in local:
                yield name
    for entry in graph.output:
        if entry.name not in local:
            yield entry.name


def rename_captured(node: onnx.NodeProto, names: Mapping[str, str]) -> onnx.NodeProto:
    """Copy a call with the captured tensors of its bodies renamed; colliding inner names are changed."""
    copy = deepcopy(node)
    for body in bodies(copy):
        _rename_free(body, dict(names))
    return copy


def _rename_free(graph: onnx.GraphProto, names: dict[str, str]) -> None:
    """Rename the free names of a graph in place; colliding local names are changed."""
    local = local_names(graph)
    names = {old: new for old, new in names.items() if old not in local}
    arriving = set(names.values())
    taken = local | arriving | set(names)
    for name in sorted(local & arriving):
        fresh = fresh_name(name, taken.__contains__)
        taken.add(fresh)
        names[name] = fresh
        rename_definitions(graph, name, fresh)
    if names:
        rename_uses(graph, names)


def rename_uses(graph: onnx.GraphProto, names: Mapping[str, str]) -> None:
    """Rename tensors where the nodes of a graph, their bodies and its outputs use them; in place."""
    for node in graph.node:
        for position, name in enumerate(node.input):
            if name in names:
                node.input[position] = names[name]
        for body in bodies(node):
            _rename_free(body, dict(names))
    for entry in graph.output:
        entry.name = names.get(entry.name, entry.name)


def rename_definitions(graph: onnx.GraphProto, old: str, new: str) -> None:
    """Rename a tensor where a graph defines it; in place."""
    for entry in (*graph.input, *graph.value_info, *graph.initializer):
        if entry.name == old:
            entry.name = new
    for sparse in graph.sparse_initializer:
        if sparse.values.name == old:
            sparse.values.name = new
    for node in graph.node:
        for position, name in enumerate(node.output):
            if name == old:
                node.output[position] = new


def fresh_name(name: str, taken: Callable[[str], bool]) -> str:
    """Return ``name``, or the first of ``name_1``, ``name_2``, ... that is not taken."""
    candidate, number = name, 0
    while taken(candidate):
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def lift_weights(
    node: onnx.NodeProto, is_weight: Callable[[onnx.TensorProto], bool], taken: set[str]
) -> tuple[onnx.NodeProto, list[onnx.TensorProto]]:
    """Move the weights in bodies (initializers, Constant nodes) to the graph around the call.

    A weight that a body returns leaves an Identity there, since bodies must not return outer tensors. Names of the
    moved tensors are added to ``taken``.

    Returns:
        The call, whose bodies capture the moved tensors, and these.
    """
    copy = deepcopy(node)
    lifted: list[onnx.TensorProto] = []
    for body in bodies(copy):
        _lift(body, is_weight, taken, lifted)
    return (copy, lifted) if lifted else (node, [])


def _lift(
    graph: onnx.GraphProto,
    is_weight: Callable[[onnx.TensorProto], bool],
    taken: set[str],
    lifted: list[onnx.TensorProto],
) -> None:
    names: dict[str, str] = {}
    inputs = {entry.name for entry in graph.input}
    returned = {entry.name for entry in graph.output}
    for position in range(len(graph.initializer) - 1, -1, -1):
        tensor = graph.initializer[position]
        if is_weight(tensor) and tensor.name not in inputs:
            names[tensor.name] = _take(tensor, tensor.name, taken, lifted)
            del graph.initializer[position]
    for position in range(len(graph.node) - 1, -1, -1):
        node = graph.node[position]
        value = next((entry.t for entry in node.attribute if entry.name == "value"), None)
        if node.op_type == "Constant" and node.domain in {"", "ai.onnx"} and value is not None and is_weight(value):
            names[node.output[0]] = _take(value, node.output[0], taken, lifted)
            del graph.node[position]
    for name in sorted(returned & names.keys()):
        graph.node.add(op_type="Identity", input=[names.pop(name)], output=[name])
    _rename_free(graph, names)
    for node in graph.node:
        for body in bodies(node):
            _lift(body, is_weight, taken, lifted)


def _take(tensor: onnx.TensorProto, name: str, taken: set[str], lifted: list[onnx.TensorProto]) -> str:
    moved = deepcopy(tensor)
    moved.name = fresh_name(name, taken.__contains__)
    taken.add(moved.name)
    lifted.append(moved)
    return moved.name
