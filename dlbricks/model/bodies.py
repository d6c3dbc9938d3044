"""Lists and renames the tensors that bodies of If, Loop and Scan read, and moves weights out of bodies."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy

import onnx

from dlbricks.model.types import Layer


def domain_of(entry: onnx.NodeProto | onnx.OperatorSetIdProto | Layer) -> str:
    """Return the operator domain of an operator call or opset import; ``""`` for ``ai.onnx``."""
    domain: str = entry.domain
    return "" if domain == "ai.onnx" else domain


_GRAPHS = frozenset({onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS})


def names_within(graph: onnx.GraphProto) -> Iterator[str]:
    """Yield every tensor name that a graph or its bodies define."""
    yield from local_names(graph)
    for node in graph.node:
        for body in bodies(node):
            yield from names_within(body)


def bodies(node: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    """Yield the bodies of an If, Loop or Scan node, sorted by attribute name."""
    holding = [attribute for attribute in node.attribute if attribute.type in _GRAPHS]
    for attribute in sorted(holding, key=lambda attribute: attribute.name) if holding else ():
        yield from (attribute.g,) if attribute.type == onnx.AttributeProto.GRAPH else attribute.graphs


def body_nodes(node: onnx.NodeProto) -> Iterator[onnx.NodeProto]:
    """Yield every node in the bodies of a node, at any depth."""
    for body in bodies(node):
        for inner in body.node:
            yield inner
            yield from body_nodes(inner)


def all_nodes(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.NodeProto]:
    """Yield nodes and every node in their bodies, at any depth."""
    for node in nodes:
        yield node
        if node.attribute:
            yield from body_nodes(node)


def is_external(tensor: onnx.TensorProto) -> bool:
    """Return whether a tensor's values lie in another file."""
    return tensor.data_location == onnx.TensorProto.EXTERNAL


def tensors_within(message: onnx.NodeProto | onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    """Yield every TensorProto in a node or graph, including those in attributes."""
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


def local_names(graph: onnx.GraphProto) -> set[str]:
    """Return the names of inputs, initializers and node outputs of a graph."""
    names = {entry.name for entry in graph.input}
    names.update(tensor.name for tensor in graph.initializer)
    names.update(sparse.values.name for sparse in graph.sparse_initializer)
    for node in graph.node:
        names.update(node.output)
    return names


def captured(node: onnx.NodeProto) -> tuple[str, ...]:
    """Return the tensors of the outer graph that a node's bodies use, in order of first use."""
    names: dict[str, None] = {}
    for body in bodies(node) if node.attribute else ():
        names.update(dict.fromkeys(_free(body)))
    return tuple(names)


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
    """Return a copy of a node whose bodies use new ``names`` for outer tensors; clashing inner tensors are renamed."""
    copy = deepcopy(node)
    for body in bodies(copy):
        _rename_free(body, dict(names))
    return copy


def _rename_free(graph: onnx.GraphProto, names: dict[str, str]) -> None:
    # in place; colliding local names are changed
    local = local_names(graph)
    names = {old: new for old, new in names.items() if old not in local}
    # a local tensor of a new name would hide the outer one, which the body is to read
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
    """Rename, in place, the tensors that a graph's nodes, bodies and outputs use."""
    for node in graph.node:
        for position, name in enumerate(node.input):
            if name in names:
                node.input[position] = names[name]
        for body in bodies(node):
            _rename_free(body, dict(names))
    for entry in graph.output:
        entry.name = names.get(entry.name, entry.name)


def rename_definitions(graph: onnx.GraphProto, old: str, new: str) -> None:
    """Rename, in place, the tensor ``old`` where a graph defines it."""
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
    """Move weights (initializers, Constant nodes) from the bodies of an If, Loop or Scan node to the outer graph.

    A body that returns a moved weight gets an Identity node, since bodies must not return outer tensors. ``taken`` gets
    the names of moved tensors.

    Returns:
        The changed node, and the moved tensors.
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
    # backwards, since entries are deleted
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
    # a body must not return outer tensors, so the moved weight gets a name of its own there
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
