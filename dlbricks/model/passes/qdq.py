"""Quantised networks: every use of a dequantised tensor gets a DequantizeLinear of its own.

A DequantizeLinear that several layers share can be fused with one of them only, and the others would be measured in
floats. Runtimes copy it for each of them when they load a network; so does this pass, and nothing else changes.
"""

from collections.abc import Mapping
from dataclasses import replace

import onnx

from dlbricks.model.graph import Draft, Node, fresh_name, node_of, reading
from dlbricks.model.types import TensorSpec


def unshared(draft: Draft, types: Mapping[str, TensorSpec]) -> tuple[Draft, dict[str, TensorSpec]]:
    """Copy every DequantizeLinear as often as it is used; layers must be in topological order.

    Returns:
        The network and what is known of its tensors, the new ones included.
    """
    shared = _shared(draft)
    known = dict(types)
    if not shared:
        return draft, known
    taken = {name for node in draft.nodes for name in node.writes} | known.keys() | draft.constants.keys()
    used = set(draft.outputs)
    nodes: list[Node] = []
    for node in draft.nodes:
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
    return replace(draft, nodes=tuple(nodes)), known


def _shared(draft: Draft) -> dict[str, Node]:
    """Give the DequantizeLinear layers whose result is used by more than one layer, by that result."""
    uses: dict[str, int] = dict.fromkeys(draft.outputs, 1)
    for node in draft.nodes:
        for tensor in set(node.reads):
            uses[tensor] = uses.get(tensor, 0) + 1
    return {
        node.outputs[0]: node
        for node in draft.nodes
        if node.op_type == "DequantizeLinear" and uses.get(node.outputs[0], 0) > 1
    }


def _copy(node: Node, output: str) -> Node:
    proto = onnx.NodeProto()
    proto.CopyFrom(node.proto)
    proto.output[0] = output
    return node_of(proto)
