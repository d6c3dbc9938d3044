"""Removes identities: layers that return their input unchanged."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from dlbricks.model.order import makers_of, readers_of
from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import Layer, Model
from dlbricks.operators.row import Moves
from dlbricks.operators.table import row_of

# Operators that move values, with the way they do: they are identities if shape and element type stay the same.
_KEEPING = Moves.CONVERTS | Moves.REPEATS | Moves.CUTS
# Operators that OpenVINO omits if their second operand is this number; for Add and Mul either operand counts.
_NEUTRAL = {"Add": 0, "Div": 1, "Mul": 1, "Sub": 0}
# Operators of two operands that broadcast the smaller operand to the larger one.
_SPREADING = frozenset({"Add", "Div", "Max", "Min", "Mod", "Mul", "Pow", "Sub"})


def without_identities(model: Model) -> Model:
    """Return a network without identities; layers that read an identity's result read its input instead.

    If an identity returns an output of the network, its input gets the name of this output. An identity stays if its
    removal would connect an input or a constant to an output, connect two outputs, or change names inside bodies.
    """
    captured = {name for layer in model.layers for name in layer.captured}
    readers, written = readers_of(model), makers_of(model)
    # For each removed result the name of the tensor that is read instead.
    names: dict[str, str] = {}
    # For each tensor the name of the network's output that it becomes.
    called: dict[str, str] = {}
    gone: set[int] = set()
    for index, layer in enumerate(model.layers):
        operand = _given(model, layer, readers)
        if operand is None:
            continue
        result, read = layer.outputs[0], names.get(operand, operand)
        if not captured.isdisjoint((result, read)):
            continue
        if result not in model.outputs:
            names[result] = read
            gone.add(index)
        elif read in written and read not in model.outputs and read not in called:
            called[read] = result
            gone.add(index)
    if not gone:
        return model

    def now(name: str) -> str:
        name = names.get(name, name)
        return called.get(name, name)

    changed, _ = replaced_layers(model, (), dict.fromkeys(gone, ()))
    layers = (
        replace(layer, inputs=tuple(map(now, layer.inputs)), outputs=tuple(map(now, layer.outputs)))
        for layer in changed.layers
    )
    observed = None if model.observed is None else {now(name): values for name, values in model.observed.items()}
    vanished = names.keys() | called.keys()
    return replace(
        changed,
        layers=tuple(layers),
        tensors={name: spec for name, spec in model.tensors.items() if name not in vanished},
        observed=observed,
    )


def replaced_layers(
    model: Model, groups: Sequence[tuple[int, ...]], replacements: Mapping[int, Sequence[Layer]]
) -> tuple[Model, tuple[tuple[int, ...], ...]]:
    """Replace layers of a network by other layers; return the network, and ``groups`` with the new indices."""
    layers: list[Layer] = []
    places: list[range] = []
    for index, layer in enumerate(model.layers):
        added = replacements.get(index, [layer])
        places.append(range(len(layers), len(layers) + len(added)))
        layers += added

    def moved(whole: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
        for group in whole:
            members = tuple(place for index in group for place in places[index])
            if len(members) > 1:
                yield members

    changed = replace(model, layers=tuple(layers), groups=tuple(moved(model.groups)))
    return changed, tuple(moved(groups))


def _given(model: Model, layer: Layer, readers: Mapping[str, Sequence[int]]) -> str | None:
    # Return the variable operand that a layer returns as its only result, or that its readers can read instead; else
    # None.
    if layer.domain or layer.skip or not layer.inputs or not layer.inputs[0] or any(layer.outputs[1:]):
        return None
    if layer.op_type in _NEUTRAL:
        return _beside_neutral(model, layer)
    if _gives_what_it_reads(model, layer) or _is_spread_again(model, layer, readers):
        return layer.inputs[0]
    return None


def _beside_neutral(model: Model, layer: Layer) -> str | None:
    # Return the operand that a layer returns unchanged beside a neutral number, if shape and type stay the same.
    pairs = [layer.inputs, layer.inputs[::-1]] if row_of(layer).commutes else [layer.inputs]
    for name, other in (pair for pair in pairs if len(pair) == 2):
        constant = model.constants.get(other)
        if constant is None or constant.spec.elements != 1 or name in model.constants:
            continue
        numbers = numbers_of(constant)
        alike = (model.spec(name).dtype, model.spec(name).shape) == (
            model.spec(layer.outputs[0]).dtype,
            model.spec(layer.outputs[0]).shape,
        )
        if alike and numbers is not None and float(numbers.reshape(-1)[0]) == _NEUTRAL[layer.op_type]:
            return name
    return None


def _is_spread_again(model: Model, layer: Layer, readers: Mapping[str, Sequence[int]]) -> bool:
    # Return whether all readers of an expanded tensor would broadcast it themselves.
    if layer.op_type != "Expand" or layer.inputs[0] in model.constants or layer.outputs[0] in model.outputs:
        return False
    small, result = model.spec(layer.inputs[0]), layer.outputs[0]

    def spreads(index: int) -> bool:
        reader = model.layers[index]
        others = [name for name in reader.inputs if name != result]
        if reader.domain or reader.op_type not in _SPREADING or len(reader.inputs) != 2 or len(others) != 1:
            return False
        shape = np.broadcast_shapes(small.shape, model.spec(others[0]).shape)
        return shape == model.spec(reader.outputs[0]).shape

    return bool(small.dtype) and result in readers and all(map(spreads, readers[result]))


def _gives_what_it_reads(model: Model, layer: Layer) -> bool:
    # Return whether a layer's result equals its first operand, which must not be a constant.
    keeps = layer.is_view or row_of(layer).moves & _KEEPING or (layer.op_type == "Concat" and len(layer.inputs) == 1)
    if not keeps or layer.inputs[0] in model.constants:
        return False
    if layer.op_type == "Dropout" and len(layer.inputs) > 2 and layer.inputs[2]:
        return False
    if layer.op_type == "Slice" and not _goes_forward(model, layer):
        return False
    read, written = model.spec(layer.inputs[0]), model.spec(layer.outputs[0])
    return bool(read.dtype) and (read.dtype, read.shape) == (written.dtype, written.shape)


def _goes_forward(model: Model, layer: Layer) -> bool:
    # Return whether all steps of a Slice are positive.
    if len(layer.inputs) < 5 or not layer.inputs[4]:
        return True
    constant = model.constants.get(layer.inputs[4])
    steps = None if constant is None else numbers_of(constant)
    return steps is not None and bool((steps > 0).all())
