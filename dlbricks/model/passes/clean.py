"""Passes that keep a graph valid and in topological order: order, dead layers, aliases, shared tensors."""

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.bodies import fresh_name
from dlbricks.model.graph import Graph, Node, node_of, rename_inputs
from dlbricks.model.tensors import read_values
from dlbricks.model.types import Constant, TensorSpec


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
    makers = {node.outputs[0]: node for node in graph.nodes if node.op_type == "DequantizeLinear"}
    known = dict(types)

    def copy(tensor: str, name: str) -> Node:
        if tensor in known:
            known[name] = replace(known[tensor], name=name)
        proto = deepcopy(makers[tensor].proto)
        proto.output[0] = name
        return node_of(proto)

    nodes = _for_each_reader(graph.nodes, makers.keys(), {*known, *graph.constants}, {*graph.outputs}, copy)
    return replace(graph, nodes=nodes), known


def duplicate_uniform_constants(graph: Graph) -> Graph:
    """Copy every constant of floats that all are equal for each of its readers but the first.

    Before training biases are zeros and scales are ones, and exporters store equal constants once, so that layers of
    one size read one constant. A runtime drops such values, or would fuse the trained ones, which differ from layer to
    layer; synthetic values in one constant with several readers it does neither with (OpenVINO fuses no bias that two
    convolutions read). Constants whose values differ stay shared: networks that use layers again do so after training,
    too.
    """
    uses = Counter(name for node in graph.nodes for name in set(node.inputs) & graph.constants.keys())
    shared = {name for name, count in uses.items() if count > 1 and _is_uniform(graph.constants[name])}
    # Constants of scales tell which quantised calls belong together.
    shared -= {name for node in graph.nodes if node.op_type in _SCALING for name in node.inputs}
    shared -= {name for node in graph.nodes for name in node.captured}
    constants = dict(graph.constants)

    def copy(tensor: str, name: str) -> None:
        constants[name] = replace(constants[tensor], spec=replace(constants[tensor].spec, name=name))

    taken = {*graph.constants, *(entry.name for entry in graph.inputs)}
    return replace(graph, nodes=_for_each_reader(graph.nodes, shared, taken, set(), copy), constants=constants)


def _for_each_reader(
    readers: Sequence[Node],
    shared: Collection[str],
    taken: set[str],
    used: set[str],
    copy: Callable[[str, str], Node | None],
) -> tuple[Node, ...]:
    """Return the nodes of a graph with tensors of their own.

    Args:
        readers: the nodes, in topological order.
        shared: tensors to be copied for each reader but the first.
        taken: names of tensors other than results of nodes.
        used: tensors that have a reader besides the nodes.
        copy: makes the copy of a tensor under a new name, and returns the node that does so, if there is one.
    """
    taken.update(name for node in readers for name in node.writes)
    nodes: list[Node] = []
    for node in readers:
        names: dict[str, str] = {}
        for tensor in dict.fromkeys(node.reads):
            if tensor in shared and tensor in used:
                names[tensor] = fresh_name(tensor, taken.__contains__)
                taken.add(names[tensor])
                node_of_copy = copy(tensor, names[tensor])
                nodes += [] if node_of_copy is None else [node_of_copy]
            used.add(tensor)
        nodes.append(rename_inputs(node, names) if names else node)
    return tuple(nodes)


_LARGEST_UNIFORM = 1 << 16
"""Bytes of the largest constants that are looked at, of which values may be kept."""
_SCALING = frozenset({"DequantizeLinear", "DynamicQuantizeLinear", "QuantizeLinear"})


def _is_uniform(constant: Constant) -> bool:
    """Return whether a constant has two or more floats, all equal; False where its values are missing.

    Of halves a processor converts a shared constant once, which is kept.
    """
    spec = constant.spec
    element = BY_NAME[spec.dtype]
    if element.kind != "float" or element.bits < 32 or spec.elements < 2 or spec.nbytes > _LARGEST_UNIFORM:
        return False
    if constant.fill is not None:
        return True
    values = constant.values
    if values is None and constant.source is not None:
        try:
            values = read_values(constant.source, spec)
        except InputError:  # weights are allowed to be cut off: nothing else reads them
            return False
    width = element.bits // 8
    return values is not None and values == values[:width] * spec.elements
