"""Removes layers that give what they read, which graph compilers take away before anything else."""

from dataclasses import replace

from dlbricks.model.read.tensors import numbers_of
from dlbricks.model.types import VIEW_OPERATORS, Layer, Model

_KEEPING = VIEW_OPERATORS.union({"Cast", "Concat", "Expand", "Slice"})
"""Operators that give the same values in the same order, if shape and element type stay the same."""


def without_identities(model: Model) -> Model:
    """Return a network in which what read the result of such a layer reads what that layer read.

    Where the result leaves the network, the layer before gets its name. Layers stay whose removal would join an input
    or a constant to an output, two outputs, or names inside bodies.
    """
    captured = {name for layer in model.layers for name in layer.captured}
    made = {name for layer in model.layers for name in layer.outputs if name}
    names: dict[str, str] = {}
    """By name of a result that vanishes: what is read in its place."""
    called: dict[str, str] = {}
    """By name of a tensor: the network's output that it becomes."""
    gone: set[int] = set()
    for index, layer in enumerate(model.layers):
        if not _gives_what_it_reads(model, layer):
            continue
        result, read = layer.outputs[0], names.get(layer.inputs[0], layer.inputs[0])
        if not captured.isdisjoint((result, read)):
            continue
        if result not in model.outputs:
            names[result] = read
            gone.add(index)
        elif read in made and read not in model.outputs and read not in called:
            called[read] = result
            gone.add(index)
    if not gone:
        return model

    def now(name: str) -> str:
        name = names.get(name, name)
        return called.get(name, name)

    kept = [index for index in range(len(model.layers)) if index not in gone]
    places = {index: place for place, index in enumerate(kept)}
    layers = (
        replace(layer, inputs=tuple(map(now, layer.inputs)), outputs=tuple(map(now, layer.outputs)))
        for layer in (model.layers[index] for index in kept)
    )
    groups = (tuple(places[index] for index in group if index in places) for group in model.groups)
    observed = None if model.observed is None else {now(name): values for name, values in model.observed.items()}
    vanished = names.keys() | called.keys()
    return replace(
        model,
        layers=tuple(layers),
        groups=tuple(group for group in groups if len(group) > 1),
        tensors={name: spec for name, spec in model.tensors.items() if name not in vanished},
        observed=observed,
    )


def _gives_what_it_reads(model: Model, layer: Layer) -> bool:
    """Return whether a layer has one result, equal to its first operand, which is no constant."""
    if layer.domain or layer.op_type not in _KEEPING or layer.skip or not layer.inputs or not layer.inputs[0]:
        return False
    if any(layer.outputs[1:]) or layer.inputs[0] in model.constants:
        return False
    if layer.op_type == "Concat" and len(layer.inputs) > 1:
        return False
    if layer.op_type == "Dropout" and len(layer.inputs) > 2 and layer.inputs[2]:
        return False
    if layer.op_type == "Slice" and not _goes_forward(model, layer):
        return False
    read, made = model.spec(layer.inputs[0]), model.spec(layer.outputs[0])
    return bool(read.dtype) and (read.dtype, read.shape) == (made.dtype, made.shape)


def _goes_forward(model: Model, layer: Layer) -> bool:
    """Return whether no step of a Slice is negative."""
    if len(layer.inputs) < 5 or not layer.inputs[4]:
        return True
    constant = model.constants.get(layer.inputs[4])
    steps = None if constant is None else numbers_of(constant)
    return steps is not None and bool((steps > 0).all())
