"""Passes that do not change the results of a network.

A pass takes a graph, changes it and returns it. All passes but ``sort`` require topological order, and keep it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import chain

import onnx
import onnx_graphsurgeon as gs

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.bodies import fresh_name, local_names, rename_definitions, rename_uses
from dlbricks.model.order import by_dependency, needed_for
from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import TensorSpec
from dlbricks.operators.table import operator
from dlbricks.passes.graph import SourceGraph, SourceNode, constant_in


def sort(graph: SourceGraph) -> SourceGraph:
    """Sort the nodes of a graph topologically (Kahn 1962), as close to the order in the file as possible.

    Raises:
        InputError: the graph has a cycle, a tensor that no node writes, or a tensor that two nodes write.
    """
    inputs = {tensor.name for tensor in graph.inputs}
    if len(inputs) < len(graph.inputs):
        raise InputError(f"{graph.path} is not a valid graph: it lists an input twice")
    makers: dict[str, int] = {}
    for index, node in enumerate(graph.nodes):
        for name in node.writes:
            if name in makers or name in inputs or graph.is_constant(name):
                raise InputError(f"{graph.path} is not a valid graph: tensor '{name}' is written twice")
            makers[name] = index
    reads = [node.reads for node in graph.nodes]
    _check_all_written(graph, reads, inputs | makers.keys())
    order = by_dependency(reads, makers)
    if len(order) < len(graph.nodes):
        stuck = graph.nodes[min({*range(len(reads))}.difference(order))]
        name = stuck.writes[0] if stuck.writes else stuck.op
        raise InputError(f"{graph.path} is cyclic: '{name}' depends on itself")
    graph.nodes = [graph.nodes[index] for index in order]
    return graph


def _check_all_written(graph: SourceGraph, reads: Sequence[Sequence[str]], written: Collection[str]) -> None:
    for node, names in zip(graph.nodes, reads, strict=True):
        for name in names:
            if name not in written and not graph.is_constant(name):
                raise InputError(
                    f"{graph.path} is not a valid graph: {node.op} reads tensor '{name}', which no layer writes"
                )
    for name in graph.output_names:
        if name not in written and not graph.is_constant(name):
            raise InputError(f"{graph.path} is not a valid graph: no layer writes the graph output '{name}'")


def remove_dead(graph: SourceGraph) -> SourceGraph:
    """Remove nodes on which no graph output depends."""
    needed = needed_for(graph.output_names, [(node.reads, node.writes) for node in graph.nodes])
    if len(needed) < len(graph.nodes):
        nodes = [graph.nodes[place] for place in needed]
        for node in set(graph.nodes).difference(nodes):
            node.remove()
        graph.nodes = nodes
    return graph


def remove_aliases(graph: SourceGraph) -> SourceGraph:
    """Remove Identity nodes that read a constant; readers of their outputs then read the constant."""
    return _read_originals(
        graph, lambda node: node.op == "Identity" and not node.domain and isinstance(node.inputs[0], gs.Constant)
    )


def remove_copies(graph: SourceGraph, operators: Collection[str]) -> SourceGraph:
    """Remove nodes of ``operators``, which only copy; readers of their outputs then read the inputs."""
    return _read_originals(graph, lambda node: node.op in operators)


def _read_originals(graph: SourceGraph, is_alias: Callable[[SourceNode], bool]) -> SourceGraph:
    originals: dict[str, gs.Tensor] = {}
    outputs = set(graph.output_names)
    others: list[SourceNode] = []
    for node in graph.nodes:
        node.read_instead(originals)
        if is_alias(node) and node.writes and node.writes[0] not in outputs:
            originals[node.writes[0]] = node.inputs[0]
            node.remove()
        else:
            others.append(node)
    graph.nodes = others
    return graph


def select_branches(graph: SourceGraph) -> SourceGraph:
    """Replace each If node with a constant condition by the nodes of the selected branch."""
    while any(node.op == "If" and _selected(node, graph) is not None for node in graph.nodes):
        nodes: list[SourceNode] = []
        for node in graph.nodes:
            body = _selected(node, graph)
            if body is None:
                nodes.append(node)
            else:
                inlined = _inlined(body, node, graph)
                graph.source_layers = max(0, graph.source_layers + len(inlined) - 1)
                nodes += inlined
        graph.nodes = nodes
        sort(graph)
    return graph


def _selected(node: SourceNode, graph: SourceGraph) -> onnx.GraphProto | None:
    # Return the body that an If with a constant condition selects; None for other nodes.
    condition = graph.constant(node.inputs[0].name) if node.op == "If" and not node.domain else None
    numbers = None if condition is None else numbers_of(condition)
    if numbers is None or numbers.size != 1:
        return None
    wanted = "then_branch" if numbers.reshape(-1)[0] else "else_branch"
    body = next((entry.g for entry in node.as_proto().attribute if entry.name == wanted), None)
    return body if body is not None and len(body.output) >= len(node.results) and not body.input else None


def _inlined(body: onnx.GraphProto, call: SourceNode, graph: SourceGraph) -> list[SourceNode]:
    # Return the nodes of a body for ``graph``: with new names, and with the names of the If's results for its own.
    # a copy, since names change: the NodeProto of the If belongs to the file
    copy = deepcopy(body)
    written = {name for node in copy.node for name in node.output if name}
    results = call.results
    # disconnected first: nodes of the body take over the If's results
    call.remove()
    names: dict[str, str] = {}
    aliases: list[tuple[str, str]] = []
    for inner, outer in zip([entry.name for entry in copy.output], results, strict=False):
        if inner in written and inner not in names and outer:
            names[inner] = outer
        elif outer:
            aliases.append((inner, outer))
    taken = set(graph.named)
    for name in sorted(local_names(copy) - names.keys()):
        if name and name in taken:
            names[name] = fresh_name(name, taken.__contains__)
        taken.add(names.get(name, name))
    for node in copy.node:
        node.name = f"{call.name or call.op}/{node.name or node.op_type}"
    # in two steps, since a new name may be an old one
    apart = {old: f"{old}\0{number}" for number, old in enumerate(names)}
    for step in (apart, {apart[old]: new for old, new in names.items()}):
        for old, new in step.items():
            rename_definitions(copy, old, new)
        rename_uses(copy, step)
    for inner, outer in aliases:
        copy.node.add(op_type="Identity", input=[names.get(inner, inner)], output=[outer])
    return graph.add(copy)


def duplicate_shared_dequantize(graph: SourceGraph, types: dict[str, TensorSpec]) -> SourceGraph:
    """Give each reader of a DequantizeLinear output a copy of that node; the copies' outputs are added to ``types``."""
    makers = {node.writes[0]: node for node in graph.nodes if node.op == "DequantizeLinear"}

    def copy(tensor: str, name: str) -> SourceNode:
        if tensor in types:
            types[name] = replace(types[tensor], name=name)
        proto = deepcopy(makers[tensor].as_proto())
        proto.output[0] = name
        return SourceNode(proto, graph)

    return _for_each_reader(graph, makers.keys(), set(graph.output_names), copy)


def duplicate_uniform_constants(graph: SourceGraph) -> SourceGraph:
    """Copy each constant of equal floats for every node that reads it: runtimes do not fuse shared constants."""
    # Exporters store equal constants once, and in untrained networks biases are zeros and scales are ones. In trained
    # networks each layer has its own values. A runtime does not fuse a constant that several layers read; for example,
    # OpenVINO fuses no bias of two convolutions. Constants of unequal values stay shared: networks that use a layer
    # twice do so after training, too.
    reads = ({tensor.name for tensor in node.inputs if isinstance(tensor, gs.Constant)} for node in graph.nodes)
    uses = Counter(chain.from_iterable(reads))
    shared = {name for name, count in uses.items() if count > 1 and _is_uniform(graph.named[name])}
    if not shared:
        return graph
    # Constants of scales tell which quantised calls belong together.
    shared -= {name for node in graph.nodes if operator(node.domain, node.op).quantises for name in node.operands}
    shared -= {tensor.name for node in graph.nodes for tensor in node.captured}

    def copy(tensor: str, name: str) -> None:
        constant = constant_in(graph.named[tensor])
        graph.put(replace(constant, spec=replace(constant.spec, name=name)))

    return _for_each_reader(graph, shared, set(), copy)


def _for_each_reader(
    graph: SourceGraph, shared: Collection[str], used: set[str], copy: Callable[[str, str], SourceNode | None]
) -> SourceGraph:
    """Give each reader of a ``shared`` tensor but the first a copy; for tensors in ``used``, the first reader, too.

    ``copy`` takes the tensor's name and a new name, adds the copy, and returns its node, or None for a constant.
    """
    if not shared:
        return graph
    nodes: list[SourceNode] = []
    for node in graph.nodes:
        copies: dict[str, gs.Tensor] = {}
        for tensor in dict.fromkeys(node.reads):
            if tensor in shared and tensor in used:
                name = fresh_name(tensor, graph.named.__contains__)
                maker = copy(tensor, name)
                nodes += [] if maker is None else [maker]
                copies[tensor] = graph.named[name]
            used.add(tensor)
        node.read_instead(copies)
        nodes.append(node)
    graph.nodes = nodes
    return graph


# Bytes up to which a constant is tested for equal values: biases and scales of a layer are not larger.
_LARGEST_UNIFORM_BYTES = 1 << 16


def _is_uniform(tensor: gs.Constant) -> bool:
    """Return whether a constant has two or more floats, all equal; False for large constants and missing values.

    For float16 and bfloat16 it is also False, since processors convert such a constant once if readers share it.
    """
    constant = constant_in(tensor)
    spec = constant.spec
    element = BY_NAME[spec.dtype]
    if element.kind != "float" or element.bits < 32 or spec.elements < 2 or spec.nbytes > _LARGEST_UNIFORM_BYTES:
        return False
    if constant.fill is not None:
        return True
    try:
        values = tensor._values.raw()  # noqa: SLF001 - tensor.values would raise where they are missing
    except InputError:  # a truncated file of weights is not an error: nothing else reads the values
        return False
    width = element.bits // 8
    return values is not None and values == values[:width] * spec.elements
