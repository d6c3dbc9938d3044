"""Splits networks into layer sequences, joins adjacent sequences to pairs, and removes views at the ends of each."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from dlbricks.errors import InputError
from dlbricks.model import bounds
from dlbricks.model.lowering.targets import for_target
from dlbricks.model.order import readers_of
from dlbricks.model.read.checker import naming_file_in_errors
from dlbricks.model.read.network import read_batched
from dlbricks.model.types import Layer, Model
from dlbricks.passes.user import applied
from dlbricks.sequences.redaction import redact
from dlbricks.sequences.splitters import block, paper
from dlbricks.sequences.types import Granularity, LayerSequence, Split
from dlbricks.sequences.units import Units, units_of
from dlbricks.settings import SplitSettings

# A splitter returns a partition of the units in dependency order. Each part is connected, convex, ascending and has at
# most H units. A unit that cannot be benchmarked, or that consists of views only, is a part of its own.
Splitter: TypeAlias = Callable[[Units, Granularity], list[list[int]]]

# Splitters by the name that the option --splitter takes.
SPLITTERS: Mapping[str, Splitter] = {"block": block, "paper": paper}


def network(path: Path, settings: SplitSettings, *, scratch: Path | None = None) -> Split:
    """Read an ONNX file, lower it for the target, and split it into layer sequences.

    Weights may be missing. The folder ``scratch`` keeps synthetic weights for later calls. Raises ``InputError`` if the
    file, a dimension or the granularity cannot be used, and ``UnsupportedModelError`` or ``HarnessError`` if the
    network cannot be lowered on this machine.
    """
    # onnx and numpy raise errors that do not name the file
    with naming_file_in_errors(path):
        return split_network(read_network(path, settings), settings, scratch=scratch)


def read_network(path: Path, settings: SplitSettings) -> Model:
    """Read an ONNX file and apply the user's passes, without lowering."""
    with applied((path,), settings.passes):
        return read_batched(path, dims=settings.dims, values=settings.values, batch=settings.batch)


def read_for_target(path: Path, settings: SplitSettings) -> Model:
    """Read an ONNX file and lower it for the target; raises as ``network``."""
    with naming_file_in_errors(path):
        model = read_network(path, settings)
        return for_target(model, settings.target, threads=settings.threads, lowered_for=settings.lowered_for)


def split_network(model: Model, settings: SplitSettings, *, scratch: Path | None = None) -> Split:
    """Lower a network from ``read_network`` for the target, and split it; raises as ``network``."""
    model = for_target(
        model, settings.target, threads=settings.threads, scratch=scratch, lowered_for=settings.lowered_for
    )
    return split(model, Granularity.parse(settings.granularity), settings.splitter, allowed=settings.allow_values)


@bounds.without_collections()
def split(model: Model, granularity: Granularity, splitter: str = "block", *, allowed: Collection[str] = ()) -> Split:
    """Split a network into layer sequences, without values that may come from training.

    Layers in ``allowed`` keep their values (``redaction.redact``). Raises ``InputError`` for an unknown splitter.
    """
    if splitter not in SPLITTERS:
        # suites and results of older versions may state a splitter that no longer exists, as 'chain'
        raise InputError(f"splitter '{splitter}' is not supported: use {' or '.join(SPLITTERS)}")
    # first, so that everything derived from the model may be shown to others
    model = redact(model, allowed)
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
    """Return all layers of a network as one layer sequence, connected or not."""
    return sequences_of(model, [range(len(model.layers))])[0]


def sequences_of(model: Model, parts: Iterable[Iterable[int]]) -> tuple[LayerSequence, ...]:
    """Return a layer sequence for each part, a list of ascending layer indices; parts may overlap."""
    readers, leaving = readers_of(model), frozenset(model.outputs)
    return tuple(_sequence(model, tuple(part), readers, leaving) for part in parts)


def _sequence(
    model: Model, part: tuple[int, ...], readers: Mapping[str, list[int]], leaving: frozenset[str]
) -> LayerSequence:
    inside = set(part)
    written = (tensor for index in part for tensor in model.layers[index].outputs)
    read_outside = {tensor for tensor in written if not inside.issuperset(readers.get(tensor, ()))}
    inputs, outputs, constants = _ends(model, part, leaving | read_outside)
    skip = _skip(model, part, inputs, outputs)
    return LayerSequence(layers=part, inputs=inputs, outputs=outputs, constants=constants, skip=skip)


def _ends(
    model: Model, part: Iterable[int], leaving: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    # Return the inputs, those outputs that are among `leaving`, and the constants of some layers, in order of use.
    layers = [model.layers[index] for index in part]
    results = dict.fromkeys(tensor for layer in layers for tensor in layer.outputs if tensor)
    used = dict.fromkeys(tensor for layer in layers for tensor in layer.reads if tensor not in results)
    return (
        tuple(tensor for tensor in used if tensor not in model.constants),
        tuple(tensor for tensor in results if tensor in leaving),
        tuple(tensor for tensor in used if tensor in model.constants),
    )


def _skip(model: Model, part: tuple[int, ...], inputs: tuple[str, ...], outputs: tuple[str, ...]) -> str | None:
    # Return the reason why a sequence cannot be benchmarked; None if it can.
    for index in part:
        layer = model.layers[index]
        reason = layer.skip or bounds.too_many_operands(layer.op_type, {*layer.reads, *layer.outputs})
        if reason:
            return reason
    if not outputs:
        return "nothing reads its outputs"
    if any(not model.spec(tensor).dtype for tensor in (*inputs, *outputs)):
        return "one of its inputs or outputs is not a tensor"
    return bounds.too_many_operands("a sequence", {*inputs, *outputs}) or None


def strip_boundary_views(model: Model, sequence: LayerSequence) -> LayerSequence:
    """Return a layer sequence without the views at its beginning and end, which a benchmark would copy.

    A view of a constant at the beginning stays. A sequence does not change if it has only views, or cannot be
    benchmarked. The result need not be connected.
    """
    # Convex: a path that leaves the result and comes back would pass a removed view with remaining layers both before
    # and after it, and no removed view has both.
    if sequence.skip is not None:
        return sequence
    numbered = [(index, model.layers[index]) for index in sequence.layers]
    dropped = _boundary_views(model, numbered, at_end=False) | _boundary_views(model, numbered, at_end=True)
    if not dropped or len(dropped) == len(numbered):
        return sequence
    remaining = tuple(index for index in sequence.layers if index not in dropped)
    read_by_dropped = {tensor for index in dropped for tensor in model.layers[index].reads}
    inputs, outputs, constants = _ends(model, remaining, read_by_dropped.union(sequence.outputs))
    # without this, the remaining layers would compute nothing that a benchmark can return
    if not outputs:
        return sequence
    return replace(sequence, layers=remaining, inputs=inputs, outputs=outputs, constants=constants)


def _boundary_views(model: Model, layers: Sequence[tuple[int, Layer]], *, at_end: bool) -> set[int]:
    # Return the views all of whose producers (at the end all of whose consumers) are such views, too.
    views: set[int] = set()
    of_others: set[str] = set()
    for index, layer in reversed(layers) if at_end else layers:
        shared, passed = (layer.outputs, layer.reads) if at_end else (layer.reads, layer.outputs)
        # without the view, the constant would become an input
        renames = at_end or (bool(layer.inputs) and layer.inputs[0] not in model.constants)
        if layer.is_view and renames and of_others.isdisjoint(shared):
            views.add(index)
        else:
            of_others.update(passed)
    return views


def pairs(split: Split) -> tuple[tuple[int, int, LayerSequence], ...]:
    """Return all pairs of adjacent layer sequences: two indices into ``split.sequences``, and the union.

    Two sequences are adjacent if the second depends on the first directly, and not also through a third one. Pairs are
    ordered by the second index, then the first. Sequences that have only views or cannot be benchmarked are left out.
    """
    # Ancestors are bit sets in integers, so the search takes (sequences times pairs) bit operations.
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
    layers = [sorted((*split.sequences[first].layers, *split.sequences[second].layers)) for first, second in chosen]
    unions = sequences_of(split.model, layers)
    return tuple(
        (first, second, strip_boundary_views(split.model, union))
        for (first, second), union in zip(chosen, unions, strict=True)
        if union.skip is None
    )


def _is_usable(split: Split, sequence: LayerSequence) -> bool:
    return sequence.skip is None and not all(split.model.layers[index].is_view for index in sequence.layers)
