"""Order and dead layers: what is left is a sound graph in topological order."""

import heapq
from collections import Counter
from dataclasses import replace

from dlbricks.errors import InputError
from dlbricks.model.graph import Graph, Node, reading


def ordered(graph: Graph) -> Graph:
    """Sort the layers topologically (Kahn), those ready in file order; layers already in order keep their places.

    Raises:
        InputError: a cycle, a tensor that nobody makes, or one that is made twice; one of them is named.
    """
    makers = _makers(graph)
    _see_all_made(graph, makers)
    known = {entry.name for entry in graph.inputs} | graph.constants.keys()
    if _is_ordered(graph.nodes, known):
        return graph
    waiting = [0] * len(graph.nodes)
    readers: list[list[int]] = [[] for _ in graph.nodes]
    for index, node in enumerate(graph.nodes):
        for maker in {makers[name] for name in node.reads if name in makers}:
            readers[maker].append(index)
            waiting[index] += 1
    ready = [index for index, count in enumerate(waiting) if count == 0]
    heapq.heapify(ready)
    order: list[Node] = []
    while ready:
        index = heapq.heappop(ready)
        order.append(graph.nodes[index])
        for reader in readers[index]:
            waiting[reader] -= 1
            if waiting[reader] == 0:
                heapq.heappush(ready, reader)
    if len(order) < len(graph.nodes):
        stuck = next(node for node, count in zip(graph.nodes, waiting, strict=True) if count)
        raise InputError(
            f"{graph.path} is cyclic: '{stuck.writes[0] if stuck.writes else stuck.op_type}' depends on itself"
        )
    return replace(graph, nodes=tuple(order))


def _makers(graph: Graph) -> dict[str, int]:
    """Tell by which layer each tensor is made."""
    makers: dict[str, int] = {}
    given = {entry.name for entry in graph.inputs}
    if len(given) < len(graph.inputs):
        raise InputError(f"{graph.path} is no sound graph: it lists an input twice")
    for index, node in enumerate(graph.nodes):
        for name in node.writes:
            if name in makers or name in given or name in graph.constants:
                raise InputError(f"{graph.path} is no sound graph: tensor '{name}' is made twice")
            makers[name] = index
    return makers


def _see_all_made(graph: Graph, makers: dict[str, int]) -> None:
    given = {entry.name for entry in graph.inputs}
    for node in graph.nodes:
        for name in node.reads:
            if name not in makers and name not in given and name not in graph.constants:
                raise InputError(
                    f"{graph.path} is no sound graph: {node.op_type} uses tensor '{name}', which nobody makes"
                )
    for name in graph.outputs:
        if name not in makers and name not in given and name not in graph.constants:
            raise InputError(f"{graph.path} is no sound graph: nobody makes its output '{name}'")


def _is_ordered(nodes: tuple[Node, ...], known: set[str]) -> bool:
    seen = set(known)
    for node in nodes:
        if not seen.issuperset(node.reads):
            return False
        seen.update(node.writes)
    return True


def without_dead(graph: Graph) -> Graph:
    """Drop layers and constants from which no output depends; the layers must be in topological order."""
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
    """Let readers of an Identity of a constant read the constant; layers must be in topological order.

    Exporters write shared weights so; as constants of their own they would lie in memory several times.
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
        node if names.keys().isdisjoint(node.reads) else reading(node, names)
        for node in graph.nodes
        if names.keys().isdisjoint(node.writes)
    )
    return replace(graph, nodes=tuple(nodes))


def unique_names(nodes: tuple[Node, ...]) -> tuple[str, ...]:
    """Name every layer: its own name if no other has it, else the name with a number; operator type if it has none."""
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
