"""Replaces an If whose condition is constant by the body that it selects, as runtimes do."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace

import onnx

from dlbricks.model.bodies import fresh_name, local_names, rename_definitions, rename_uses
from dlbricks.model.graph import Graph, Node, graph_of
from dlbricks.model.passes.clean import ordered
from dlbricks.model.tensors import numbers_of


def without_constant_branches(graph: Graph) -> Graph:
    """Return the graph without such Ifs at its top; the graph itself if there is none."""
    while any(_selected(node, graph) is not None for node in graph.nodes):
        graph = ordered(_once(graph))
    return graph


def _once(graph: Graph) -> Graph:
    taken = {*graph.constants, *(entry.name for entry in graph.inputs)}
    taken.update(name for node in graph.nodes for name in node.writes)
    nodes: list[Node] = []
    constants, declared, source_layers = dict(graph.constants), dict(graph.declared), graph.source_layers
    for node in graph.nodes:
        body = _selected(node, graph)
        if body is None:
            nodes.append(node)
            continue
        made = _inlined(body, node, graph, taken)
        nodes += made.nodes
        constants |= made.constants
        declared |= made.declared
        source_layers += made.source_layers - 1
    return replace(
        graph, nodes=tuple(nodes), constants=constants, declared=declared, source_layers=max(0, source_layers)
    )


def _selected(node: Node, graph: Graph) -> onnx.GraphProto | None:
    """Return the body that an If with a constant condition selects."""
    condition = graph.constants.get(node.inputs[0]) if node.op_type == "If" and not node.domain else None
    numbers = None if condition is None else numbers_of(condition)
    if numbers is None or numbers.size != 1:
        return None
    wanted = "then_branch" if numbers.reshape(-1)[0] else "else_branch"
    body = next((entry.g for entry in node.proto.attribute if entry.name == wanted), None)
    return body if body is not None and len(body.output) >= len(node.outputs) and not body.input else None


def _inlined(body: onnx.GraphProto, call: Node, graph: Graph, taken: set[str]) -> Graph:
    """Make the calls and constants of a body, with names that are new and results named as those of the If."""
    copy = deepcopy(body)
    made = {name for node in copy.node for name in node.output if name}
    names: dict[str, str] = {}
    aliases: list[tuple[str, str]] = []
    for inner, outer in zip([entry.name for entry in copy.output], call.outputs, strict=False):
        if inner in made and inner not in names and outer:
            names[inner] = outer
        elif outer:
            aliases.append((inner, outer))
    for name in sorted(local_names(copy) - names.keys()):
        if name and name in taken:
            names[name] = fresh_name(name, taken.__contains__)
        taken.add(names.get(name, name))
    for node in copy.node:
        node.name = f"{call.proto.name or call.op_type}/{node.name or node.op_type}"
    _rename(copy, names)
    for inner, outer in aliases:
        copy.node.add(op_type="Identity", input=[names.get(inner, inner)], output=[outer])
    imports = [onnx.OperatorSetIdProto(domain=domain, version=version) for domain, version in graph.opsets.items()]
    return graph_of(onnx.ModelProto(graph=copy, opset_import=imports), graph.path)


def _rename(body: onnx.GraphProto, names: dict[str, str]) -> None:
    """Rename what a body defines, in two steps: a new name may be an old one."""
    for step in _steps(names):
        for old, new in step.items():
            rename_definitions(body, old, new)
        rename_uses(body, step)


def _steps(names: dict[str, str]) -> Iterator[dict[str, str]]:
    apart = {old: f"{old}\0{number}" for number, old in enumerate(names)}
    yield apart
    yield {apart[old]: new for old, new in names.items()}
