"""Quantised networks: every use of a dequantised tensor gets a DequantizeLinear of its own.

A DequantizeLinear that several layers share can be fused with one of them only, and the others would be measured in
floats. Runtimes copy it for each of them when they load a network; so does this pass, and nothing else changes.
"""

from collections.abc import Mapping
from dataclasses import replace

import onnx

from dlbricks.model.graph import Graph, Node, fresh_name, node_of, reading
from dlbricks.model.types import TensorSpec


def unshared(graph: Graph, types: Mapping[str, TensorSpec]) -> tuple[Graph, dict[str, TensorSpec]]:
    """Copy every DequantizeLinear as often as it is used; layers must be in topological order.

    Returns:
        The network and what is known of its tensors, the new ones included.
    """
    shared = _shared(graph)
    known = dict(types)
    if not shared:
        return graph, known
    taken = {name for node in graph.nodes for name in node.writes} | known.keys() | graph.constants.keys()
    used = set(graph.outputs)
    nodes: list[Node] = []
    for node in graph.nodes:
        names: dict[str, str] = {}
        for tensor in dict.fromkeys(node.reads):
            if tensor in shared and tensor in used:
                names[tensor] = fresh_name(tensor, taken.__contains__)
                taken.add(names[tensor])
                nodes.append(_copy(shared[tensor], names[tensor]))
                if tensor in known:
                    known[names[tensor]] = replace(known[tensor], name=names[tensor])
            used.add(tensor)
        nodes.append(reading(node, names) if names else node)
    return replace(graph, nodes=tuple(nodes)), known


def _shared(graph: Graph) -> dict[str, Node]:
    """Give the DequantizeLinear layers whose result is used by more than one layer, by that result."""
    uses: dict[str, int] = dict.fromkeys(graph.outputs, 1)
    for node in graph.nodes:
        for tensor in set(node.reads):
            uses[tensor] = uses.get(tensor, 0) + 1
    return {
        node.outputs[0]: node
        for node in graph.nodes
        if node.op_type == "DequantizeLinear" and uses.get(node.outputs[0], 0) > 1
    }


def _copy(node: Node, output: str) -> Node:
    proto = onnx.NodeProto()
    proto.CopyFrom(node.proto)
    proto.output[0] = output
    return node_of(proto)
