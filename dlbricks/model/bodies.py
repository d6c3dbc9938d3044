"""Bodies of If, Loop and Scan: which outer tensors they use, and the same bodies with those tensors renamed."""

from collections.abc import Callable, Iterator, Mapping

import onnx


def bodies(node: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    """Give the bodies of an operator call, ordered by attribute name."""
    for attribute in sorted(node.attribute, key=lambda entry: entry.name):
        if attribute.type == onnx.AttributeProto.GRAPH:
            yield attribute.g
        elif attribute.type == onnx.AttributeProto.GRAPHS:
            yield from attribute.graphs


def body_nodes(node: onnx.NodeProto) -> Iterator[onnx.NodeProto]:
    """Give every node in the bodies of a node, at any depth."""
    for body in bodies(node):
        for inner in body.node:
            yield inner
            yield from body_nodes(inner)


def local_names(graph: onnx.GraphProto) -> set[str]:
    """Give the names that a graph defines itself: inputs, initializers and node outputs."""
    names = {entry.name for entry in graph.input}
    names.update(tensor.name for tensor in graph.initializer)
    names.update(sparse.values.name for sparse in graph.sparse_initializer)
    for node in graph.node:
        names.update(node.output)
    return names


def captured(node: onnx.NodeProto) -> tuple[str, ...]:
    """Give the outer tensors that the bodies of a call use, in order of first use, no duplicates.

    A name that a body defines itself, or that a nested body defines, is not an outer one.
    """
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
    """Copy a call with the outer tensors that its bodies use renamed; the call's own inputs stay.

    A name of a body that would collide with a new outer name is renamed as well.
    """
    copy = onnx.NodeProto()
    copy.CopyFrom(node)
    for body in bodies(copy):
        _rename_free(body, dict(names))
    return copy


def _rename_free(graph: onnx.GraphProto, names: dict[str, str]) -> None:
    """Rename the free names of a graph in place, moving local names out of the way."""
    local = local_names(graph)
    names = {old: new for old, new in names.items() if old not in local}
    arriving = set(names.values())
    taken = local | arriving | set(names)
    for name in sorted(local & arriving):
        fresh = fresh_name(name, taken.__contains__)
        taken.add(fresh)
        names[name] = fresh
        _rename_definitions(graph, name, fresh)
    if not names:
        return
    for node in graph.node:
        for position, name in enumerate(node.input):
            if name in names:
                node.input[position] = names[name]
        for body in bodies(node):
            _rename_free(body, dict(names))
    for entry in graph.output:
        entry.name = names.get(entry.name, entry.name)


def _rename_definitions(graph: onnx.GraphProto, old: str, new: str) -> None:
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
    """Give ``name``, or the first of ``name_1``, ``name_2``, ... that is not taken."""
    candidate, number = name, 0
    while taken(candidate):
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def lift_weights(
    node: onnx.NodeProto, is_weight: Callable[[onnx.TensorProto], bool], taken: set[str]
) -> tuple[onnx.NodeProto, list[onnx.TensorProto]]:
    """Move the weights that bodies carry (initializers, Constant nodes) out to the graph around the call.

    A weight that a body returns as it is leaves an Identity there, since bodies may not return outer tensors.

    Args:
        node: A call with bodies.
        is_weight: Tells the tensors that are to move from those that stay.
        taken: Names in use; names given to lifted tensors are added.

    Returns:
        The call, its bodies now capturing the lifted tensors, and the tensors under names of their own.
    """
    copy = onnx.NodeProto()
    copy.CopyFrom(node)
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
    moved = onnx.TensorProto()
    moved.CopyFrom(tensor)
    moved.name = fresh_name(name, taken.__contains__)
    taken.add(moved.name)
    lifted.append(moved)
    return moved.name
