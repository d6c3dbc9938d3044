"""Moves quantisation to where OpenVINO executes it around pools and concatenations of quantised tensors.

In ONNX such a layer reads the results of DequantizeLinear and is read by a QuantizeLinear. OpenVINO executes it on
integers, and quantises anew before it, or not at all. A piece as in ONNX would be executed otherwise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dlbricks.model.types import Layer, Model, TensorSpec
from dlbricks.plugins.openvino.layouts import MOVING, Executed

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
    tensors = dict(model.tensors)
    made = _splits(model, executed, makers, readers, tensors)
    for index, layer in enumerate(model.layers):
        calls = _quantised_calls(model, index, home, makers, readers)
        if calls is None or layer.name in executed_names:
            continue
        moved, sources = calls
        same = [_has_same_scale(model, model.layers[source], layer) for source in sources]
        if model.layers[moved].op_type != "Concat" and not all(same):
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
        sizes = model.layers[moved].inputs[len(read) :]
        made[moved] = [*added, replace(model.layers[moved], inputs=(*read, *sizes), outputs=layer.outputs)]
        made[index] = []
    alone = ((index,) for index, layers in made.items() if len(layers) > 1 and index not in home)
    return _replaced(replace(model, tensors=tensors), (*groups, *alone), made) if made else (model, groups)


def dequantised_once(model: Model, executed: Sequence[Executed]) -> Model:
    """Return a network that computes the same, in which layers read floats that OpenVINO makes with the integers.

    Each use of a dequantised tensor has a DequantizeLinear of its own (``model.passes.clean``). OpenVINO executes one
    with the QuantizeLinear before it if a reader computes in floats, and all readers read its result.
    """
    together = [set(node["originalLayersNames"].split(",")) for node in executed]
    makers = {name: layer for layer in model.layers for name in layer.outputs if name}
    fixed = {*model.outputs, *(name for layer in model.layers for name in layer.captured)}
    copies: dict[tuple[str, ...], list[Layer]] = {}
    for layer in model.layers:
        if layer.op_type == "DequantizeLinear" and layer.inputs[0] in makers and layer.outputs[0] not in fixed:
            copies.setdefault(layer.inputs, []).append(layer)
    changed: dict[str, list[Layer]] = {}
    renamed: dict[str, str] = {}
    for inputs, (first, *others) in copies.items():
        before = makers[inputs[0]].name
        kept = [layer for layer in (first, *others) if any({before, layer.name} <= names for names in together)]
        if len(kept) == 1 and others:
            changed[first.name] = [replace(first, name=kept[0].name)]
            changed |= {layer.name: [] for layer in others}
            renamed |= {layer.outputs[0]: first.outputs[0] for layer in others}
    made = {index: changed[layer.name] for index, layer in enumerate(model.layers) if layer.name in changed}
    for index, layer in enumerate(model.layers):
        if not renamed.keys().isdisjoint(layer.inputs):
            made[index] = [replace(layer, inputs=tuple(renamed.get(name, name) for name in layer.inputs))]
    return _replaced(model, (), made)[0] if made else model


def _splits(
    model: Model,
    executed: Sequence[Executed],
    makers: dict[str, int],
    readers: dict[str, list[int]],
    tensors: dict[str, TensorSpec],
) -> dict[int, list[Layer]]:
    """Return what replaces Splits between a DequantizeLinear and QuantizeLinears, and these layers.

    OpenVINO splits the integers. Where it quantises anew, it dequantises just before. Adds new tensors to ``tensors``.
    """
    executed_names = {name for node in executed for name in node["originalLayersNames"].split(",")}
    of_integers = {
        name
        for node in executed
        if node["outputPrecisions"].split(",")[0] in {"i8", "u8"}
        for name in node["originalLayersNames"].split(",")
    }
    made: dict[int, list[Layer]] = {}
    for index, layer in enumerate(model.layers):
        source = makers.get(layer.inputs[0], -1) if layer.op_type == "Split" else -1
        dequantised = model.layers[source]
        behind = [number for name in layer.outputs for number in readers.get(name, ())]
        crossed = (*layer.outputs, *dequantised.outputs)
        if (
            source < 0
            or layer.name not in of_integers
            or dequantised.op_type != "DequantizeLinear"
            or model.spec(dequantised.inputs[1]).elements > 1
            or not all(len(readers.get(name, ())) == 1 and name not in model.outputs for name in crossed)
            or not all(model.layers[one].op_type == "QuantizeLinear" for one in behind)
        ):
            continue
        outputs = []
        for name, one in zip(layer.outputs, behind, strict=True):
            quantising = model.layers[one]
            is_same = _are_alike(model, [dequantised], quantising) and _has_same_scale(model, dequantised, quantising)
            if is_same and quantising.name not in executed_names:
                outputs.append(quantising.outputs[0])
                made[one] = []
                continue
            outputs.append(part := f"{name}/split")
            tensors[part] = replace(model.spec(name), name=part, dtype=model.spec(dequantised.inputs[0]).dtype)
            own = replace(dequantised, name=part, inputs=(part, *dequantised.inputs[1:]), outputs=(name,))
            made[one] = [own, quantising]
        made[source] = []
        made[index] = [replace(layer, inputs=(dequantised.inputs[0], *layer.inputs[1:]), outputs=tuple(outputs))]
    return made


def _has_same_scale(model: Model, one: Layer, other: Layer) -> bool:
    """Return whether two layers quantise or dequantise by the same scale and zero point."""

    def values(name: str) -> bytes | str:
        constant = model.constants.get(name)
        return name if constant is None or constant.values is None else constant.values

    return [values(name) for name in one.inputs[1:]] == [values(name) for name in other.inputs[1:]]


def _data(layer: Layer) -> tuple[str, ...]:
    """Return the operands whose values a layer moves; the others are shapes, axes and sizes."""
    return layer.inputs if layer.op_type == "Concat" else layer.inputs[:1]


def _quantised_calls(
    model: Model, index: int, home: dict[int, tuple[int, ...]], makers: dict[str, int], readers: dict[str, list[int]]
) -> tuple[int, list[int]] | None:
    """Return the layer that a QuantizeLinear quantises, with the DequantizeLinears that it reads; else None.

    All are in one group, have integers of one type, one scale for a whole tensor, and no other readers.
    """
    layer = model.layers[index]
    moved = makers.get(layer.inputs[0], -1) if layer.op_type == "QuantizeLinear" else -1
    if moved < 0 or model.layers[moved].op_type not in MOVING or dict(model.opsets).get("", 1) < _OPSET:
        return None
    sources = [makers.get(name, -1) for name in _data(model.layers[moved])]
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
