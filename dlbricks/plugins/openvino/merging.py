"""Joins a group with the producers of its inputs if OpenVINO would change the group's layouts without these."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dlbricks.model.emit import build_network
from dlbricks.model.order import makers_of, topological
from dlbricks.model.types import Model, TargetTraits
from dlbricks.operators.values import place_constants
from dlbricks.plugins.openvino.layouts import LAYOUT, Executed, Groups, Rewriting, layouts, source_names, uncopied

TARGET = "openvino"
TRAITS = TargetTraits(fuses_by_values=True, groups_are_nodes=True, plans_memory=False)

# Most rounds in which the layouts of groups are compared; between two rounds changed groups are joined.
_ROUNDS = 4
# Most groups that are found one by one not to profit from joining.
_TRIES = 8


def merged(
    model: Model, alone: Groups, executed: Sequence[Executed], changes: Callable[[Model, Sequence[int]], bool]
) -> Model:
    """Join groups to the producers of their inputs if compiling them alone would change layouts; return the network.

    A group whose layouts still change after all rounds is not joined.

    Args:
        model: a network for the target ``portable``.
        alone: groups of layers.
        executed: nodes that OpenVINO executes for the network.
        changes: returns whether layouts of some layers of the lowered network change if they are compiled alone.
    """
    # Source layers of groups that do not profit from joining.
    left: set[tuple[int, ...]] = set()
    for attempt in range(_TRIES + 1):
        groups, seeds = alone, dict[tuple[int, ...], list[tuple[int, ...]]]()
        for place in range(_ROUNDS):
            rewriting = Rewriting(model, groups, layouts(model, groups, executed), uncopied(model, executed))
            lowered = replace(rewriting.model(), target=TARGET, traits=TRAITS)
            parts = [
                (rewriting.source(group), layers) for group, layers in rewriting.members.items() if len(layers) > 1
            ]
            altered = [
                part
                for part, layers in parts
                if not left.issuperset(seeds.get(part, [part])) and changes(lowered, layers)
            ]
            if not altered or place == _ROUNDS - 1:
                break
            for part in altered:
                groups = _joined(model, groups, part, rewriting.makers, seeds, left)
        if not altered:
            break
        for part in altered:
            tried = seeds.get(part, [part])
            left.update(tried if attempt == _TRIES - 1 else tried[-1:])
    return lowered


def _joined(
    model: Model,
    groups: Groups,
    part: tuple[int, ...],
    makers: Mapping[str, int],
    seeds: dict[tuple[int, ...], list[tuple[int, ...]]],
    left: set[tuple[int, ...]],
) -> Groups:
    # Join a group with all producers of its inputs, or with one of them, unless that makes a cycle. `seeds` gets the
    # groups that form each joined group, in order. A group that cannot be joined is added to `left`.
    home = {index: group for group in groups for index in group}
    own = home.get(part[0], tuple(part))
    read = (makers[name] for index in own for name in model.layers[index].inputs if name in makers)
    before = dict.fromkeys(home.get(index, (index,)) for index in read)
    before.pop(own, None)
    for joining in (tuple(before), *((producer,) for producer in reversed(before))) if before else ():
        whole = tuple(sorted({index for group in (own, *joining) for index in group}))
        joined = (*(group for group in groups if set(whole).isdisjoint(group)), whole)
        if has_no_circle(model, joined):
            seeds[whole] = [
                *(part_of_group for group in joining for part_of_group in seeds.get(group, [])),
                *seeds.get(part, [part]),
            ]
            return tuple(sorted(joined))
    if part not in seeds:
        left.add(part)
    return groups


def without_circles(
    model: Model, makers: Mapping[str, int], groups: Sequence[tuple[int, ...]]
) -> tuple[tuple[int, ...], ...]:
    """Drop groups, the smallest first, until no dependency cycle is left; return the remaining groups."""
    remaining = list(groups)
    while True:
        home = {index: number for number, group in enumerate(remaining) for index in group}
        free = iter(range(len(remaining), len(remaining) + len(model.layers)))
        place = [home[index] if index in home else next(free) for index in range(len(model.layers))]
        count = len(remaining) + len(model.layers) - len(home)
        feeds: list[set[int]] = [set() for _ in range(count)]
        for index, layer in enumerate(model.layers):
            for name in layer.reads:
                if name in makers and place[makers[name]] != place[index]:
                    feeds[place[makers[name]]].add(place[index])
        order = set(topological(feeds, [(0, number) for number in range(count)]))
        stuck = [group for number, group in enumerate(remaining) if number not in order]
        if not stuck:
            return tuple(sorted(remaining))
        remaining.remove(min(stuck, key=lambda group: (len(group), group)))


def has_no_circle(model: Model, groups: Sequence[tuple[int, ...]]) -> bool:
    """Return whether the groups have no dependency cycle."""
    makers = makers_of(model)
    return set(without_circles(model, makers, groups)) == set(groups)


def is_altered(
    compile_piece: Callable[..., Sequence[Executed]], answers: dict[str, bool], model: Model, layers: Sequence[int]
) -> bool:
    """Return whether OpenVINO changes layouts of a group if it is compiled alone; ``answers`` caches return values."""
    inserted = {f"n{place}" for place, index in enumerate(layers) if model.layers[index].name.startswith(LAYOUT)}
    if not inserted:
        return False
    written = {name: None for index in layers for name in model.layers[index].outputs if name}
    read = {name: None for index in layers for name in model.layers[index].reads if name not in written}
    constants = [name for name in read if name in model.constants]
    inputs = [name for name in read if name not in model.constants]
    outside = {name for index, layer in enumerate(model.layers) if index not in layers for name in layer.reads}
    outputs = [name for name in written if name in outside or name in model.outputs]
    calls = [(model.layers[index].op_type, model.layers[index].attributes) for index in layers]
    text = repr([*calls, *((model.spec(name).dtype, model.spec(name).shape) for name in (*read, *outputs))])
    if text not in answers:
        places, blobs = place_constants(model, layers, constants)
        network = build_network(model, layers, inputs, outputs, rename={}, constants=places)
        nodes = compile_piece(network, blobs)
        ends = {name: f"n{place}" for place, index in enumerate(layers) for name in model.layers[index].outputs}
        answers[text] = any(
            node["layerType"] == "Transpose"
            and not inserted.isdisjoint(ends.get(name, name) for name in source_names(node))
            for node in nodes
        )
    return answers[text]
