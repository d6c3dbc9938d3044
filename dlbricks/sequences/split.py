"""Splits a model into layer sequences; pairs of adjacent sequences; sequences bare of views at their ends.

A splitter turns units into a partition of them, in dependency order; what a sequence reads and writes follows from it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from dlbricks.errors import InputError
from dlbricks.model.synthesis.disclosure import concealed
from dlbricks.model.types import Layer, Model
from dlbricks.sequences.splitters import block, chain, paper
from dlbricks.sequences.types import Granularity, LayerSequence, Split
from dlbricks.sequences.units import Units, units_of

Splitter: TypeAlias = Callable[[Units, Granularity], list[list[int]]]
"""Gives a partition of the units: each part connected and convex, ascending, of at most H units; parts in dependency
order. A unit that no benchmark can hold, or that consists of views only, is a part of its own."""

SPLITTERS: Mapping[str, Splitter] = {"block": block, "chain": chain, "paper": paper}
"""``block`` cuts where the fewest bytes cross, ``chain`` follows paths without forks, ``paper`` is that of DLBricks."""


def split(model: Model, granularity: Granularity, splitter: str = "block", *, allowed: Collection[str] = ()) -> Split:
    """Cover a model exactly by sequences, freed of the values that need not leave the house.

    Args:
        model: a network.
        granularity: H, the most units in a sequence.
        splitter: where to cut.
        allowed: layers whose values may all leave, by name.

    Raises:
        InputError: no splitter has that name.
    """
    if splitter not in SPLITTERS:
        raise InputError(f"there is no splitter '{splitter}': choose from {', '.join(sorted(SPLITTERS))}")
    model = concealed(model, allowed)
    units = units_of(model)
    parts = SPLITTERS[splitter](units, granularity)
    part_of = {unit: number for number, part in enumerate(parts) for unit in part}
    layers = [sorted(layer for unit in part for layer in units.members[unit].layers) for part in parts]
    return Split(
        model=model,
        granularity=granularity,
        splitter=splitter,
        sequences=sequences_of(model, layers),
        depends_on=tuple(
            tuple(sorted({part_of[before] for unit in part for before in units.predecessors[unit]} - {number}))
            for number, part in enumerate(parts)
        ),
    )


def end_to_end(model: Model) -> LayerSequence:
    """Take a model as one sequence, connected or not, as for a run from end to end."""
    return sequences_of(model, [range(len(model.layers))])[0]


def sequences_of(model: Model, parts: Iterable[Iterable[int]]) -> tuple[LayerSequence, ...]:
    """Say what each part, ascending layers of the model, reads and writes; parts may overlap."""
    readers: dict[str, list[int]] = {}
    for index, layer in enumerate(model.layers):
        for tensor in layer.reads:
            readers.setdefault(tensor, []).append(index)
    leaving = frozenset(model.outputs)
    return tuple(_sequence(model, tuple(part), readers, leaving) for part in parts)


def _sequence(
    model: Model, part: tuple[int, ...], readers: Mapping[str, list[int]], leaving: frozenset[str]
) -> LayerSequence:
    inside = set(part)
    layers = [model.layers[index] for index in part]
    made = {tensor: None for layer in layers for tensor in layer.outputs if tensor}
    used = {tensor: None for layer in layers for tensor in layer.reads if tensor not in made}
    inputs = tuple(tensor for tensor in used if tensor not in model.constants)
    outputs = tuple(
        tensor
        for tensor in made
        if tensor in leaving or any(reader not in inside for reader in readers.get(tensor, ()))
    )
    return LayerSequence(
        layers=part,
        inputs=inputs,
        outputs=outputs,
        constants=tuple(tensor for tensor in used if tensor in model.constants),
        skip=_skip(model, part, inputs, outputs),
    )


def _skip(model: Model, part: tuple[int, ...], inputs: tuple[str, ...], outputs: tuple[str, ...]) -> str | None:
    """Tell why no benchmark can be made of a sequence; None if one can."""
    for index in part:
        reason = model.layers[index].skip
        if reason is not None:
            return reason
    if not outputs:
        return "nothing reads its outputs"
    if any(not model.spec(tensor).dtype for tensor in (*inputs, *outputs)):
        return "a value that is no tensor crosses its boundary"
    return None


def bare(model: Model, sequence: LayerSequence) -> LayerSequence:
    """Leave out the views that a sequence begins and ends with: alone they would be copies.

    A view of a constant stays at the beginning. A sequence of views only stays as it is, and one that no benchmark can
    be made of. What is left is convex: a path that left it and came back would pass a dropped view that has layers of
    the rest before and behind it, and no dropped view has both. It need not be connected.
    """
    if sequence.skip is not None:
        return sequence
    numbered = [(index, model.layers[index]) for index in sequence.layers]
    dropped = _leading(model, numbered) | _trailing(numbered)
    if not dropped or len(dropped) == len(numbered):
        return sequence
    kept = [layer for index, layer in numbered if index not in dropped]
    read_by_dropped = {tensor for index, layer in numbered if index in dropped for tensor in layer.reads}
    leaving = read_by_dropped.union(sequence.outputs)
    made = dict.fromkeys(tensor for layer in kept for tensor in layer.outputs if tensor)
    used = dict.fromkeys(tensor for layer in kept for tensor in layer.reads if tensor not in made)
    if leaving.isdisjoint(made):
        return sequence
    return replace(
        sequence,
        layers=tuple(index for index in sequence.layers if index not in dropped),
        inputs=tuple(tensor for tensor in used if tensor not in model.constants),
        outputs=tuple(tensor for tensor in made if tensor in leaving),
        constants=tuple(tensor for tensor in used if tensor in model.constants),
    )


def _leading(model: Model, layers: Iterable[tuple[int, Layer]]) -> set[int]:
    """Find the views that nothing but such views feeds."""
    found: set[int] = set()
    made_by_others: set[str] = set()
    for index, layer in layers:
        renames_input = layer.inputs[0] not in model.constants if layer.inputs else False
        if layer.is_view and renames_input and made_by_others.isdisjoint(layer.reads):
            found.add(index)
        else:
            made_by_others.update(layer.outputs)
    return found


def _trailing(layers: Sequence[tuple[int, Layer]]) -> set[int]:
    """Find the views that feed nothing but such views."""
    found: set[int] = set()
    read_by_others: set[str] = set()
    for index, layer in reversed(layers):
        if layer.is_view and read_by_others.isdisjoint(layer.outputs):
            found.add(index)
        else:
            read_by_others.update(layer.reads)
    return found


def pairs(split: Split) -> tuple[tuple[int, int, LayerSequence], ...]:
    """Give every two adjacent sequences, and their union, bare of views at its ends.

    Adjacent: the second waits for the first and for none that waits for the first; so the union is convex. Left out are
    sequences that no benchmark can be made of or of views only. Time grows with sequences times pairs, in bits.

    Returns:
        Indices into ``split.sequences`` and the union, ordered by the second index and then the first.
    """
    chosen = []
    before: list[int] = []
    usable = [_is_usable(split, sequence) for sequence in split.sequences]
    for second, waits in enumerate(split.depends_on):
        longer = 0
        for first in waits:
            longer |= before[first]
        before.append(longer | sum(1 << first for first in waits))
        if usable[second]:
            chosen += [(first, second) for first in waits if usable[first] and not longer >> first & 1]
    layers = [sorted((*split.sequences[one].layers, *split.sequences[other].layers)) for one, other in chosen]
    unions = sequences_of(split.model, layers)
    return tuple(
        (first, second, bare(split.model, union))
        for (first, second), union in zip(chosen, unions, strict=True)
        if union.skip is None
    )


def _is_usable(split: Split, sequence: LayerSequence) -> bool:
    return sequence.skip is None and not all(split.model.layers[index].is_view for index in sequence.layers)
