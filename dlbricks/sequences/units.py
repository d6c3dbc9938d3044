"""Groups layers into units, which splitting never cuts.

A unit is a group of layers that runtimes fuse, or a single layer, with adjacent views. The units form an acyclic graph,
so each unit is convex (``units_of`` has the proof).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dlbricks.model.order import connected, makers_of, readers_of, topological
from dlbricks.model.types import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Layers that splitting never separates: a fused group or a single layer, with adjacent views."""

    layers: tuple[int, ...]
    """Indices into ``Model.layers``, ascending."""
    weight: int
    """How much the unit counts towards the granularity: 1, or 0 for a unit of views."""
    skip: str | None
    """Why the unit cannot be benchmarked (it is then a sequence of its own); None if it can be."""
    from_input: bool
    """Whether the unit reads an input of the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """A tensor that other units read, or that is an output of the model."""

    tensor: str
    nbytes: int
    producer: int
    consumers: tuple[int, ...]
    """Ascending indices of the other units that read the tensor."""
    leaves: bool
    """Whether the tensor is an output of the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """A network as units in topological order, and the tensors between units."""

    model: Model
    members: tuple[Unit, ...]
    predecessors: tuple[tuple[int, ...], ...]
    """For each unit, the ascending indices of the units from which it reads."""
    successors: tuple[tuple[int, ...], ...]
    """For each unit, the ascending indices of the units that read from it."""
    flows: tuple[Flow, ...]
    """Tensors between units and outputs of the model, in order of their producers."""


@dataclass(slots=True)
class Wiring:
    """For each layer, the layers that read its outputs and those that write its inputs."""

    # the layers that read an output of this layer, and the layers whose outputs this layer reads, both ascending
    feeds: list[list[int]]
    fed_by: list[list[int]]
    # whether an output of the layer is an output of the model
    leaves: list[bool]
    # whether the layer is a view that can be benchmarked and is not part of a group
    loose: list[bool]


def units_of(model: Model) -> Units:
    """Group the layers of a network into units, in O(n log n).

    A view joins its only consumer, else its producer, else its first consumer. If possible, it joins a unit that can be
    benchmarked. Raises ``ValueError`` if groups are not convex.
    """
    # Proof that units form an acyclic graph: the graph of groups, other layers and views is acyclic, as is checked
    # below. Attaching a view ``v`` to a node ``u`` contracts the edge between them. This makes a cycle only if a
    # second, longer path connects ``u`` and ``v``. Each of these rules excludes such a path:
    # 1. ``u`` holds all consumers of ``v``: every path from ``v`` enters ``u`` at its first step. Views join last to
    # first.
    # 2. ``u`` is the last, in a topological order, of the producers of ``v``: no other producer comes after it.
    # 3. ``u`` is the first, in that order, of the consumers of ``v``: the mirror image of rule 2.
    # 4. Views that depend only on inputs, constants and each other come first in that order, so rule 2 never picks
    # them. Rule 1 may leave connected clusters of them. A cluster joins its first consumer, or becomes a unit of views
    # only.
    wiring = wire(model)
    home, skips = _groups_and_singles(model, wiring.loose)
    _join_only_consumer(wiring, home, skips)
    place = _attach_rest(model, wiring, home, skips)
    return _numbered(model, wiring, home, skips, place)


def wire(model: Model) -> Wiring:
    """Return the readers and the producers of each layer."""
    count = len(model.layers)
    made_by = makers_of(model)
    feeds: list[list[int]] = [[] for _ in range(count)]
    fed_by: list[list[int]] = [[] for _ in range(count)]
    for index, layer in enumerate(model.layers):
        for maker in sorted({made_by[tensor] for tensor in layer.reads if tensor in made_by}):
            feeds[maker].append(index)
            fed_by[index].append(maker)
    outputs = set(model.outputs)
    return Wiring(
        feeds=feeds,
        fed_by=fed_by,
        leaves=[not outputs.isdisjoint(layer.outputs) for layer in model.layers],
        loose=[layer.is_view and layer.skip is None for layer in model.layers],
    )


def _groups_and_singles(model: Model, loose: list[bool]) -> tuple[list[int], list[str | None]]:
    # Return the node of each layer (-1 for loose views) and the skip reason of each node, ordered by first layers.
    #
    # A group is dissolved if it has only views, or a layer that cannot be measured: it would be lost as a whole.
    home = [-1] * len(model.layers)
    group_of: dict[int, tuple[int, ...]] = {}
    for group in model.groups:
        if all(model.layers[index].skip is None for index in group) and not all(loose[index] for index in group):
            group_of.update(dict.fromkeys(group, group))
    for index in group_of:
        loose[index] = False
    skips: list[str | None] = []
    for index, layer in enumerate(model.layers):
        if home[index] < 0 and not loose[index]:
            for member in group_of.get(index, (index,)):
                home[member] = len(skips)
            skips.append(layer.skip)
    return home, skips


def _join_only_consumer(wiring: Wiring, home: list[int], skips: Sequence[str | None]) -> None:
    # Rule 1: a view whose outputs are read by a single unit joins it, unless that unit cannot be benchmarked.
    several = -2
    goal = home.copy()
    # in reverse order: a view that reads another view is placed before that view
    for index in range(len(home) - 1, -1, -1):
        if not wiring.loose[index]:
            continue
        goals = {goal[reader] for reader in wiring.feeds[index]}
        if wiring.leaves[index]:
            goals.add(several)
        goal[index] = goals.pop() if len(goals) == 1 else several
        if goal[index] >= 0 and skips[goal[index]] is None:
            home[index] = goal[index]


def _attach_rest(model: Model, wiring: Wiring, home: list[int], skips: list[str | None]) -> list[int]:
    # Rules 2 to 4: assign a node to every remaining view; returns each node's position in a topological order.
    left = [index for index, node in enumerate(home) if node < 0]
    rootless: set[int] = set()
    for index in left:
        if all(maker in rootless for maker in wiring.fed_by[index]):
            rootless.add(index)
    node_of = home.copy()
    for index in left:
        node_of[index] = len(skips)
        skips.append(None)
    place = _places(model, wiring, node_of, rootless)
    for index in left:
        if index not in rootless:
            node_of[index] = home[index] = _home_of_view(wiring, index, home, node_of, place, skips)
    for cluster in connected(sorted(rootless), wiring.feeds):
        readers = {home[reader] for index in cluster for reader in wiring.feeds[index] if reader not in rootless}
        node = min(readers, key=place.__getitem__) if readers else node_of[cluster[0]]
        for index in cluster:
            home[index] = node
    return place


def _places(model: Model, wiring: Wiring, node_of: Sequence[int], rootless: set[int]) -> list[int]:
    # Return each node's position in a topological order: views without producers first, then in file order.
    count = max(node_of, default=-1) + 1
    feeds: list[set[int]] = [set() for _ in range(count)]
    keys = [(1, -1)] * count
    for index, node in enumerate(node_of):
        if keys[node][1] < 0:
            keys[node] = (0 if index in rootless else 1, index)
        feeds[node].update(node_of[reader] for reader in wiring.feeds[index])
        feeds[node].discard(node)
    order = topological(feeds, keys)
    if len(order) < count:
        raise ValueError(f"the layer groups of {model.name} have cyclic dependencies: each group must be convex")
    place = [0] * count
    for position, node in enumerate(order):
        place[node] = position
    return place


def _home_of_view(
    wiring: Wiring,
    index: int,
    home: Sequence[int],
    node_of: Sequence[int],
    place: Sequence[int],
    skips: Sequence[str | None],
) -> int:
    # Choose the node of a view that has a producer: rule 2, or rule 3 if rule 2 leads to a skipped layer.
    maker = max((node_of[other] for other in wiring.fed_by[index]), key=place.__getitem__)
    # a view of a unit that cannot be measured would be lost with it
    if skips[maker] is None or not wiring.feeds[index]:
        return maker
    first = min(wiring.feeds[index], key=lambda other: place[node_of[other]])
    return home[first] if home[first] >= 0 and skips[home[first]] is None else maker


def _numbered(
    model: Model, wiring: Wiring, home: Sequence[int], skips: Sequence[str | None], place: Sequence[int]
) -> Units:
    # Number the nodes by position and collect their layers, dependencies and flows.
    number = {node: unit for unit, node in enumerate(sorted(set(home), key=place.__getitem__))}
    unit_of = [number[node] for node in home]
    layers: list[list[int]] = [[] for _ in number]
    for index, unit in enumerate(unit_of):
        layers[unit].append(index)
    inputs = set(model.inputs)
    members = tuple(
        Unit(
            layers=tuple(inside),
            weight=0 if all(wiring.loose[index] for index in inside) else 1,
            skip=skips[home[inside[0]]],
            from_input=any(not inputs.isdisjoint(model.layers[index].reads) for index in inside),
        )
        for inside in layers
    )
    successors: list[set[int]] = [set() for _ in members]
    predecessors: list[set[int]] = [set() for _ in members]
    for index, readers in enumerate(wiring.feeds):
        for reader in readers:
            if unit_of[reader] != unit_of[index]:
                successors[unit_of[index]].add(unit_of[reader])
                predecessors[unit_of[reader]].add(unit_of[index])
    return Units(
        model=model,
        members=members,
        predecessors=tuple(tuple(sorted(units)) for units in predecessors),
        successors=tuple(tuple(sorted(units)) for units in successors),
        flows=_flows(model, unit_of),
    )


def _flows(model: Model, unit_of: Sequence[int]) -> tuple[Flow, ...]:
    readers, outputs = readers_of(model), set(model.outputs)
    flows = []
    for index, layer in enumerate(model.layers):
        for tensor in filter(None, layer.outputs):
            consumers = {unit_of[reader] for reader in readers.get(tensor, ())} - {unit_of[index]}
            if consumers or tensor in outputs:
                flows.append(
                    Flow(
                        tensor=tensor,
                        nbytes=model.tensors[tensor].nbytes,
                        producer=unit_of[index],
                        consumers=tuple(sorted(consumers)),
                        leaves=tensor in outputs,
                    )
                )
    return tuple(sorted(flows, key=lambda flow: flow.producer))
