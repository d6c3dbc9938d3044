"""Passes that keep a graph valid and in topological order: order, dead layers, aliases, shared dequantisation."""

import heapq
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace

from dlbricks.errors import InputError
from dlbricks.model.bodies import fresh_name
from dlbricks.model.graph import Graph, Node, node_of, rename_inputs
from dlbricks.model.types import TensorSpec


def topological(feeds: Sequence[Collection[int]], keys: Sequence[tuple[int, int]]) -> list[int]:
    """Return the nodes in topological order, least key first; nodes on cycles and their successors are left out."""
    waiting = [0] * len(feeds)
    for targets in feeds:
        for target in targets:
            waiting[target] += 1
    ready = [(keys[node], node) for node, count in enumerate(waiting) if count == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        _, node = heapq.heappop(ready)
        order.append(node)
        for target in feeds[node]:
            waiting[target] -= 1
            if waiting[target] == 0:
                heapq.heappush(ready, (keys[target], target))
    return order


def ordered(graph: Graph) -> Graph:
    """Sort the layers topologically (Kahn 1962), ready ones in file order; layers already in order keep their places.

    Raises:
        InputError: a cycle, a tensor that no layer outputs, or one that is output twice; one of them is named.
    """
    makers = _makers(graph)
    _check_all_written(graph, makers)
    known = {entry.name for entry in graph.inputs} | graph.constants.keys()
    if _is_ordered(graph.nodes, known):
        return graph
    feeds: list[set[int]] = [set() for _ in graph.nodes]
    for index, node in enumerate(graph.nodes):
        for name in node.reads:
            if name in makers:
                feeds[makers[name]].add(index)
    order = topological(feeds, [(index, 0) for index in range(len(feeds))])
    if len(order) < len(graph.nodes):
        left = set(range(len(feeds))).difference(order)
        stuck = graph.nodes[min(left)]
        name = stuck.writes[0] if stuck.writes else stuck.op_type
        raise InputError(f"{graph.path} is cyclic: '{name}' depends on itself")
    return replace(graph, nodes=tuple(graph.nodes[index] for index in order))


def _makers(graph: Graph) -> dict[str, int]:
    """Map each tensor to the layer that outputs it."""
    makers: dict[str, int] = {}
    given = {entry.name for entry in graph.inputs}
    if len(given) < len(graph.inputs):
        raise InputError(f"{graph.path} is no valid graph: it lists an input twice")
    for index, node in enumerate(graph.nodes):
        for name in node.writes:
            if name in makers or name in given or name in graph.constants:
                raise InputError(f"{graph.path} is no valid graph: tensor '{name}' is written twice")
            makers[name] = index
    return makers


def _check_all_written(graph: Graph, makers: dict[str, int]) -> None:
    given = {entry.name for entry in graph.inputs}
    for node in graph.nodes:
        for name in node.reads:
            if name not in makers and name not in given and name not in graph.constants:
                raise InputError(
                    f"{graph.path} is no valid graph: {node.op_type} reads tensor '{name}', which no layer writes"
                )
    for name in graph.outputs:
        if name not in makers and name not in given and name not in graph.constants:
            raise InputError(f"{graph.path} is no valid graph: no layer writes its output '{name}'")


def _is_ordered(nodes: tuple[Node, ...], known: set[str]) -> bool:
    seen = set(known)
    for node in nodes:
        if not seen.issuperset(node.reads):
            return False
        seen.update(node.writes)
    return True


def without_dead(graph: Graph) -> Graph:
    """Drop layers and constants on which no output depends; the layers must be in topological order."""
    needed = set(graph.outputs)
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if needed.isdisjoint(node.writes):
            continue
        needed.update(node.reads)
        kept.append(node)
    constants = {name: constant for name, constant in graph.constants.items() if name in needed}
    return replace(graph, nodes=tuple(reversed(kept)), constants=constants)


def without_aliases(graph: Graph) -> Graph:
    """Replace the outputs of Identity of a constant by the constant; layers must be in topological order.

    Exporters write shared weights this way; as constants of their own they would lie in memory several times.
    """
    names: dict[str, str] = {}
    for node in graph.nodes:
        if node.op_type == "Identity" and not node.domain and node.writes and node.writes[0] not in graph.outputs:
            original = names.get(node.inputs[0], node.inputs[0])
            if original in graph.constants:
                names[node.writes[0]] = original
    if not names:
        return graph
    nodes = (
        node if names.keys().isdisjoint(node.reads) else rename_inputs(node, names)
        for node in graph.nodes
        if names.keys().isdisjoint(node.writes)
    )
    return replace(graph, nodes=tuple(nodes))


def unique_names(nodes: tuple[Node, ...]) -> tuple[str, ...]:
    """Name every layer: its own name if it is unique, else the name with a number; operator type if it has none."""
    wanted = [node.proto.name or node.op_type for node in nodes]
    counts = Counter(wanted)
    taken = {name for name, count in counts.items() if count == 1}
    numbers: Counter[str] = Counter()
    names: list[str] = []
    for name in wanted:
        chosen = name
        while chosen in taken if counts[name] > 1 else False:
            numbers[name] += 1
            chosen = f"{name}_{numbers[name]}"
        taken.add(chosen)
        names.append(chosen)
    return tuple(names)


def duplicate_shared_dequantize(graph: Graph, types: Mapping[str, TensorSpec]) -> tuple[Graph, dict[str, TensorSpec]]:
    """Copy every DequantizeLinear for each of its readers; layers must be in topological order.

    Returns:
        The graph and the specifications of its tensors, those of the copies included.
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
        nodes.append(rename_inputs(node, names) if names else node)
    return replace(graph, nodes=tuple(nodes)), known


def _shared(graph: Graph) -> dict[str, Node]:
    """Return the DequantizeLinear layers with several readers, by output."""
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
    proto = deepcopy(node.proto)
    proto.output[0] = output
    return node_of(proto)
