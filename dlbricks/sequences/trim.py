"""What of a sequence is worth a benchmark: all but the views at its ends. Pure.

Inside a network a view only renames memory. Alone, where its result or what it reads crosses the boundary of a
benchmark, it is a copy and a node of its own. So the views that a sequence begins and ends with are no part of its
benchmark; those between other layers stay.

What is left is convex: a path that left it and came back would pass a dropped view with a layer that stays before it
and one behind it, and neither the first nor the last views have both. It need not be connected any more: layers that
share a view at their head share what the view reads.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dlbricks.model.nouns import Layer, Model
from dlbricks.sequences.nouns import LayerSequence


def bare(model: Model, sequence: LayerSequence) -> LayerSequence:
    """Leave out the views that a sequence begins and ends with.

    A view is left out when all before it, or all behind it, within the sequence are such views. A view of a constant
    stays at the beginning: what it makes is a constant to those behind it, and as an input it would not be. A sequence
    stays as it is if it consists of views only, or if no benchmark can be made of it or of what would be left.

    Args:
        model: where the sequence comes from.
        sequence: layers, inputs and outputs.
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
