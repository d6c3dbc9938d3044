"""Splitting a model into layer sequences: the choice of splitters, ``split`` and ``whole``.

A splitter turns units into a partition of them, in dependency order; what a sequence reads and writes follows from it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from dlbricks.errors import InputError
from dlbricks.model.nouns import Model
from dlbricks.sequences.block import block
from dlbricks.sequences.chain import chain
from dlbricks.sequences.nouns import Granularity, LayerSequence, Split
from dlbricks.sequences.paper import paper
from dlbricks.sequences.units import Units, units_of

Splitter: TypeAlias = Callable[[Units, Granularity], list[list[int]]]
"""Gives a partition of the units: each part connected and convex, ascending, of at most H units; parts in dependency
order. A unit that no benchmark can hold, or that consists of views only, is a part of its own."""

SPLITTERS: Mapping[str, Splitter] = {"block": block, "chain": chain, "paper": paper}
"""``block`` cuts where the fewest bytes cross, ``chain`` follows paths without forks, ``paper`` is that of DLBricks."""


def split(model: Model, granularity: Granularity, splitter: str = "block") -> Split:
    """Cover a model exactly by sequences.

    Raises:
        InputError: no splitter has that name.
    """
    if splitter not in SPLITTERS:
        message = f"there is no splitter '{splitter}': choose from {', '.join(sorted(SPLITTERS))}"
        raise InputError(message)
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


def whole(model: Model) -> LayerSequence:
    """Take a model as one sequence, connected or not, as for a run from end to end."""
    return sequences_of(model, [range(len(model.layers))])[0]


def sequences_of(model: Model, parts: Iterable[Iterable[int]]) -> tuple[LayerSequence, ...]:
    """Say what each part reads and writes.

    Args:
        model: where the layers come from.
        parts: each some layers of the model, ascending; they may overlap.
    """
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
