"""Joins a group with the producers of its inputs if OpenVINO would change the group's layouts without these."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dlbricks.model.emit import build_network
from dlbricks.model.order import topological
from dlbricks.model.types import Model, TargetTraits
from dlbricks.operators.values import place_constants
from dlbricks.plugins.openvino.layouts import LAYOUT, Executed, Group, Rewriting, layouts, source_names, uncopied
from dlbricks.sequences.split import sequences_of
from dlbricks.sequences.types import LayerSequence

TARGET = "openvino"
TRAITS = TargetTraits(fuses_by_values=True, groups_are_nodes=True, plans_memory=False)

# Groups that form each joined group, in order.
_Seeds = dict[Group, list[Group]]
# Most rounds in which the layouts of groups are compared; between two rounds changed groups are joined.
_ROUNDS = 4
# Most groups that are found one by one not to profit from joining.
_TRIES = 8


def merged(
    model: Model, alone: Sequence[Group], executed: Sequence[Executed], changes: Callable[[Model, LayerSequence], bool]
) -> Model:
    """Join groups to the producers of their inputs if compiling them alone would change layouts; return the network.

    A group whose layouts still change after all rounds is not joined.

    Args:
        model: a network for the target ``portable``.
        changes: returns whether layouts of some layers of the lowered network change if they are compiled alone.
    """
    # Source layers of groups that do not profit from joining.
    left: set[Group] = set()
    for attempt in range(_TRIES + 1):
        groups, seeds = alone, _Seeds()
        for place in range(_ROUNDS):
            rewriting = Rewriting(model, groups, layouts(model, groups, executed), uncopied(model, executed))
            lowered = replace(rewriting.model(), target=TARGET, traits=TRAITS)
            members = {number: layers for number, layers in rewriting.members.items() if len(layers) > 1}
            parts = (groups[number] if number >= 0 else (-1 - number,) for number in members)
            altered = [
                part
                for part, piece in zip(parts, sequences_of(lowered, members.values()), strict=True)
                if not left.issuperset(seeds.get(part, [part])) and changes(lowered, piece)
            ]
            if not altered or place == _ROUNDS - 1:
                break
            home = {index: group for group in groups for index in group}
            for part in altered:
                _join(model, rewriting.makers, home, part, seeds, left)
            groups = tuple(sorted(set(home.values())))
        if not altered:
            break
        for part in altered:
            tried = seeds.get(part, [part])
            left.update(tried if attempt == _TRIES - 1 else tried[-1:])
    return lowered


def _join(
    model: Model, makers: Mapping[str, int], home: dict[int, Group], part: Group, seeds: _Seeds, left: set[Group]
) -> None:
    # Join a group with all producers of its inputs, or with one of them, unless that makes a cycle. `home` has the
    # group of each layer in one. A group that cannot be joined is added to `left`.
    own = home.get(part[0], tuple(part))
    read = (makers[name] for index in own for name in model.layers[index].inputs if name in makers)
    before = dict.fromkeys(home.get(index, (index,)) for index in read)
    before.pop(own, None)
    for joining in (tuple(before), *((producer,) for producer in reversed(before))) if before else ():
        whole = tuple(sorted({index for group in (own, *joining) for index in group}))
        if has_no_circle(model, makers, home, whole):
            seeds[whole] = [
                *(part_of_group for group in joining for part_of_group in seeds.get(group, [])),
                *seeds.get(part, [part]),
            ]
            home.update(dict.fromkeys(whole, whole))
            return
    if part not in seeds:
        left.add(part)


def without_circles(model: Model, makers: Mapping[str, int], groups: Sequence[Group]) -> tuple[Group, ...]:
    """Drop groups, the smallest first, until no dependency cycle is left; return the remaining groups."""
    remaining = list(groups)
    while True:
        # a group stands where its first layer does
        place = {index: group[0] for group in remaining for index in group}
        feeds: list[set[int]] = [set() for _ in model.layers]
        for index, layer in enumerate(model.layers):
            for maker in (makers[name] for name in layer.reads if name in makers):
                feeds[place.get(maker, maker)].add(place.get(index, index))
        feeds = [readers - {number} for number, readers in enumerate(feeds)]
        order = set(topological(feeds, [(0, 0)] * len(feeds)))
        stuck = [group for group in remaining if group[0] not in order]
        if not stuck:
            return tuple(sorted(remaining))
        remaining.remove(min(stuck, key=lambda group: (len(group), group)))


def has_no_circle(model: Model, makers: Mapping[str, int], home: Mapping[int, Group], whole: Group) -> bool:
    """Return whether groups without a dependency cycle have none if some of them, and layers, are joined to ``whole``.

    ``home`` has the group of each layer that is in one.
    """
    # layers follow those that they read, so a cycle has no layer before one at which every group ends or begins
    first, before = whole[0], -1
    while first != before:
        before, first = first, min(group[0] for group in (whole, *home.values()) if group[0] <= first <= group[-1])
    inside, passed, waiting = set(whole), set[int](), [*whole]
    while waiting:
        index = waiting.pop()
        for maker in (makers[name] for name in model.layers[index].reads if name in makers):
            if maker in inside and index not in inside:
                return False
            if maker >= first and maker not in inside and maker not in passed:
                passed.update(home.get(maker, (maker,)))
                waiting += home.get(maker, (maker,))
    return True


def is_altered(
    compile_piece: Callable[..., Sequence[Executed]], answers: dict[str, bool], model: Model, piece: LayerSequence
) -> bool:
    """Return whether OpenVINO changes layouts of a group if it is compiled alone; ``answers`` caches return values."""
    layers = [model.layers[index] for index in piece.layers]
    inserted = {f"n{place}" for place, layer in enumerate(layers) if layer.name.startswith(LAYOUT)}
    if not inserted:
        return False
    outside = {*piece.inputs, *piece.constants}
    read = dict.fromkeys(name for layer in layers for name in layer.reads if name in outside)
    calls = [(layer.op_type, layer.attributes) for layer in layers]
    text = repr([*calls, *((model.spec(name).dtype, model.spec(name).shape) for name in (*read, *piece.outputs))])
    if text not in answers:
        places, blobs = place_constants(model, piece.layers, piece.constants)
        network = build_network(model, piece.layers, piece.inputs, piece.outputs, rename={}, constants=places)
        nodes = compile_piece(network, blobs)
        ends = {name: f"n{place}" for place, layer in enumerate(layers) for name in layer.outputs}
        answers[text] = any(
            node["layerType"] == "Transpose"
            and not inserted.isdisjoint(ends.get(name, name) for name in source_names(node))
            for node in nodes
        )
    return answers[text]
