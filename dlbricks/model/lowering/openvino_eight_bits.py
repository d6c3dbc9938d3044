"""Moves quantisation to where OpenVINO executes it around pools and concatenations of quantised tensors.

In ONNX such a layer reads the results of DequantizeLinear and is read by a QuantizeLinear. OpenVINO executes it on
integers, and quantises anew before it, or not at all. A piece as in ONNX would be executed otherwise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dlbricks.model.lowering.openvino_layouts import MOVING, Executed
from dlbricks.model.types import Layer, Model

_OPSET = 12
"""First operator set whose MaxPool takes integers."""

Groups = tuple[tuple[int, ...], ...]


def in_eight_bits(model: Model, groups: Groups, executed: Sequence[Executed]) -> tuple[Model, Groups]:
    """Return a network that computes the same, with its groups, in which such layers read and give integers.

    Args:
        model: for the target ``portable``.
        groups: of layers that are never split.
        executed: the nodes that OpenVINO executes for it.
    """
    names = [set(node["originalLayersNames"].split(",")) for node in executed]
    own = {layer.name for layer in model.layers}
    apart = {name for found in names if found.isdisjoint(own) for name in found}
    """Names of nodes that contain no layer: parts of layers that were split."""
    executed_names = {name for found in names for name in found}
    home = {index: group for group in groups for index in group}
    makers = {name: index for index, layer in enumerate(model.layers) for name in layer.outputs if name}
    readers: dict[str, list[int]] = {}
    for index, layer in enumerate(model.layers):
        for name in layer.reads:
            readers.setdefault(name, []).append(index)
    made: dict[int, list[Layer]] = {}
    tensors = dict(model.tensors)
    for index, layer in enumerate(model.layers):
        calls = _quantised_calls(model, index, home, makers, readers)
        if calls is None or layer.name in executed_names:
            continue
        moved, sources = calls
        same = [model.layers[source].inputs[1:] == layer.inputs[1:] for source in sources]
        if model.layers[moved].op_type == "MaxPool" and not all(same):
            continue
        read, added = [], []
        for place, (source, is_same) in enumerate(zip(sources, same, strict=True)):
            dequantised = model.layers[source]
            if is_same and f"{layer.name}_{place + 1}" not in apart:
                made.setdefault(source, [])
                read.append(dequantised.inputs[0])
                continue
            read.append(name := f"{layer.outputs[0]}/{place}")
            tensors[name] = replace(model.spec(dequantised.inputs[0]), name=name)
            quantising = (dequantised.outputs[0], *layer.inputs[1:])
            added.append(replace(layer, name=f"{layer.name}/{place}", inputs=quantising, outputs=(name,)))
        made[moved] = [*added, replace(model.layers[moved], inputs=tuple(read), outputs=layer.outputs)]
        made[index] = []
    return _replaced(replace(model, tensors=tensors), groups, made) if made else (model, groups)


def _quantised_calls(
    model: Model,
    index: int,
    home: dict[int, tuple[int, ...]],
    makers: dict[str, int],
    readers: dict[str, list[int]],
) -> tuple[int, list[int]] | None:
    """Return the layer that a QuantizeLinear quantises, with the DequantizeLinears that it reads; else None.

    All are in one group, have integers of one type, one scale for a whole tensor, and no other readers.
    """
    layer = model.layers[index]
    moved = makers.get(layer.inputs[0], -1) if layer.op_type == "QuantizeLinear" else -1
    if moved < 0 or model.layers[moved].op_type not in MOVING or dict(model.opsets).get("", 1) < _OPSET:
        return None
    sources = [makers.get(name, -1) for name in model.layers[moved].inputs]
    parts = (*sources, moved)
    crossed = [model.layers[one].outputs[0] for one in parts]
    if (
        len({*sources}) == len(sources)
        and all(index in home and home.get(one) == home[index] for one in parts)
        and all(model.layers[one].op_type == "DequantizeLinear" for one in sources)
        and all(len(readers[name]) == 1 and name not in model.outputs for name in crossed)
        and len(model.layers[moved].outputs) == 1
        and _are_alike(model, [model.layers[source] for source in sources], layer)
    ):
        return moved, sources
    return None


def _are_alike(model: Model, dequantising: Sequence[Layer], quantising: Layer) -> bool:
    """Return whether all have integers of one type, and one scale for a whole tensor."""
    integers = (*(one.inputs[0] for one in dequantising), quantising.outputs[0])
    scaled = (*dequantising, quantising)
    return len({model.spec(name).dtype for name in integers}) == 1 and all(
        len(one.inputs) > 1 and model.spec(one.inputs[1]).elements == 1 for one in scaled
    )


def _replaced(model: Model, groups: Groups, made: dict[int, list[Layer]]) -> tuple[Model, Groups]:
    """Replace some layers by others; a group has those that replace its layers."""
    layers: list[Layer] = []
    places: list[range] = []
    for index, layer in enumerate(model.layers):
        added = made.get(index, [layer])
        places.append(range(len(layers), len(layers) + len(added)))
        layers += added

    def moved(whole: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
        for group in whole:
            found = tuple(place for index in group for place in places[index])
            if len(found) > 1:
                yield found

    changed = replace(model, layers=tuple(layers), groups=tuple(moved(model.groups)))
    return changed, tuple(moved(groups))
