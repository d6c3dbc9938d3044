"""Rewrites quantised networks where OpenVINO quantises at other places, or to unsigned integers.

A network has a DequantizeLinear before a pool or concatenation of quantised tensors, and a QuantizeLinear after it.
OpenVINO executes such a pool or concatenation on integers.

OpenVINO executes many int8 tensors as u8, for which it has faster kernels. A QuantizeLinear to uint8 with zero point z
+ 128 returns 128 more than a QuantizeLinear to int8 with zero point z.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dlbricks.model.order import makers_of, readers_of
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.plugins.openvino.identities import replaced_layers
from dlbricks.plugins.openvino.layouts import MOVING, Executed, Groups, is_scaled_evenly, source_names

# the first opset whose MaxPool takes integers
_OPSET = 12
# difference between the uint8 and the int8 of a value
_MIDDLE = 128
# indices of the operands of QuantizeLinear and DequantizeLinear
_DATA, _ZERO = 0, 2


def in_eight_bits(model: Model, groups: Groups, executed: Sequence[Executed]) -> tuple[Model, Groups]:
    """Make pools and concatenations read and return integers, as OpenVINO does; return the network and its groups.

    Args:
        model: a network for the target ``portable``.
    """
    names = [set(source_names(node)) for node in executed]
    own = {layer.name for layer in model.layers}
    # Names of nodes that contain no layer: they are parts of layers that were split.
    apart = {name for parts in names if parts.isdisjoint(own) for name in parts}
    executed_names = {name for parts in names for name in parts}
    home = {index: group for group in groups for index in group}
    makers = makers_of(model)
    readers = readers_of(model)
    tensors = dict(model.tensors)
    replaced = _splits(model, executed, makers, readers, tensors)
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
                replaced.setdefault(source, [])
                read.append(dequantised.inputs[0])
                continue
            read.append(name := f"{layer.outputs[0]}/{place}")
            tensors[name] = replace(model.spec(dequantised.inputs[0]), name=name)
            quantising = (dequantised.outputs[0], *layer.inputs[1:])
            added.append(replace(layer, name=f"{layer.name}/{place}", inputs=quantising, outputs=(name,)))
        sizes = model.layers[moved].inputs[len(read) :]
        replaced[moved] = [*added, replace(model.layers[moved], inputs=(*read, *sizes), outputs=layer.outputs)]
        replaced[index] = []
    alone = ((index,) for index, layers in replaced.items() if len(layers) > 1 and index not in home)
    return (
        replaced_layers(replace(model, tensors=tensors), (*groups, *alone), replaced) if replaced else (model, groups)
    )


def dequantised_once(model: Model, executed: Sequence[Executed]) -> Model:
    """Let readers of a tensor share one DequantizeLinear where OpenVINO does; return the network.

    In ``model``, each reader has a DequantizeLinear of its own (``passes.cleanup``). If one reader computes in floats,
    OpenVINO executes a single DequantizeLinear for all.
    """
    together = [set(source_names(node)) for node in executed]
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
        together_layers = [
            layer for layer in (first, *others) if any({before, layer.name} <= names for names in together)
        ]
        if len(together_layers) == 1 and others:
            changed[first.name] = [replace(first, name=together_layers[0].name)]
            changed |= {layer.name: [] for layer in others}
            renamed |= {layer.outputs[0]: first.outputs[0] for layer in others}
    replaced = {index: changed[layer.name] for index, layer in enumerate(model.layers) if layer.name in changed}
    for index, layer in enumerate(model.layers):
        if not renamed.keys().isdisjoint(layer.inputs):
            replaced[index] = [replace(layer, inputs=tuple(renamed.get(name, name) for name in layer.inputs))]
    return replaced_layers(model, (), replaced)[0] if replaced else model


def _splits(
    model: Model,
    executed: Sequence[Executed],
    makers: dict[str, int],
    readers: dict[str, list[int]],
    tensors: dict[str, TensorSpec],
) -> dict[int, list[Layer]]:
    # Return the Splits between a DequantizeLinear and QuantizeLinears, each with the layers that replace these three.
    # OpenVINO splits integers; where it quantises anew, it dequantises directly before. Adds new tensors to `tensors`.
    executed_names = {name for node in executed for name in source_names(node)}
    of_integers = {
        name
        for node in executed
        if node["outputPrecisions"].split(",")[0] in {"i8", "u8"}
        for name in source_names(node)
    }
    replaced: dict[int, list[Layer]] = {}
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
            or not all(model.layers[reader].op_type == "QuantizeLinear" for reader in behind)
        ):
            continue
        outputs = []
        for name, reader in zip(layer.outputs, behind, strict=True):
            quantising = model.layers[reader]
            is_same = _are_alike(model, [dequantised], quantising) and _has_same_scale(model, dequantised, quantising)
            if is_same and quantising.name not in executed_names:
                outputs.append(quantising.outputs[0])
                replaced[reader] = []
                continue
            outputs.append(part := f"{name}/split")
            tensors[part] = replace(model.spec(name), name=part, dtype=model.spec(dequantised.inputs[0]).dtype)
            own = replace(dequantised, name=part, inputs=(part, *dequantised.inputs[1:]), outputs=(name,))
            replaced[reader] = [own, quantising]
        replaced[source] = []
        replaced[index] = [replace(layer, inputs=(dequantised.inputs[0], *layer.inputs[1:]), outputs=tuple(outputs))]
    return replaced


def _has_same_scale(model: Model, layer: Layer, other: Layer) -> bool:
    # Return whether two layers quantise or dequantise with the same scale and zero point.
    def values(name: str) -> bytes | str:
        constant = model.constants.get(name)
        return name if constant is None or constant.values is None else constant.values

    return [values(name) for name in layer.inputs[1:]] == [values(name) for name in other.inputs[1:]]


def _quantised_calls(
    model: Model, index: int, home: dict[int, tuple[int, ...]], makers: dict[str, int], readers: dict[str, list[int]]
) -> tuple[int, list[int]] | None:
    # Return the layer before a QuantizeLinear, with the DequantizeLinears that the layer reads. Returns None unless all
    # are in one group, have integers of one type, one scale for a whole tensor, and no other readers.
    layer = model.layers[index]
    moved = makers.get(layer.inputs[0], -1) if layer.op_type == "QuantizeLinear" else -1
    if moved < 0 or model.layers[moved].op_type not in MOVING or dict(model.opsets).get("", 1) < _OPSET:
        return None
    # its other operands are shapes, axes and sizes
    data = model.layers[moved].inputs if model.layers[moved].op_type == "Concat" else model.layers[moved].inputs[:1]
    sources = [makers.get(name, -1) for name in data]
    parts = (*sources, moved)
    crossed = [model.layers[index_].outputs[0] for index_ in parts]
    if (
        len({*sources}) == len(sources)
        and all(index in home and home.get(part) == home[index] for part in parts)
        and all(model.layers[source].op_type == "DequantizeLinear" for source in sources)
        and all(len(readers[name]) == 1 and name not in model.outputs for name in crossed)
        and len(model.layers[moved].outputs) == 1
        and _are_alike(model, [model.layers[source] for source in sources], layer)
    ):
        return moved, sources
    return None


def _are_alike(model: Model, dequantising: Sequence[Layer], quantising: Layer) -> bool:
    # Return whether all layers have integers of one type, and one scale for a whole tensor.
    integers = (*(layer.inputs[0] for layer in dequantising), quantising.outputs[0])
    scaled = (is_scaled_evenly(model, layer) for layer in (*dequantising, quantising))
    return len({model.spec(name).dtype for name in integers}) == 1 and all(scaled)


def unsigned(model: Model, executed: Sequence[Executed]) -> Model:
    """Return an equal network with uint8 instead of int8 where OpenVINO executes tensors as u8.

    These tensors are results of a QuantizeLinear with a known zero point, and only DequantizeLinears read them.
    """
    wide = {
        name
        for node in executed
        if set(node["outputPrecisions"].lower().split(",")) == {"u8"}
        for name in source_names(node)
    }
    readers = readers_of(model)
    layers, constants, tensors = list(model.layers), dict(model.constants), dict(model.tensors)
    for index, layer in enumerate(model.layers):
        name = layer.outputs[0]
        if layer.op_type != "QuantizeLinear" or layer.name not in wide or name in model.outputs:
            continue
        users = readers.get(name, [])
        both = [index, *users]
        is_only_read = len({*users}) == len(users) and all(
            model.layers[user].op_type == "DequantizeLinear" and model.layers[user].inputs[_DATA] == name
            for user in users
        )
        if model.spec(name).dtype != "int8" or not is_only_read:
            continue
        zeros = [_zero_point(model, model.layers[index_]) for index_ in both]
        if any(zero is None for zero in zeros):
            continue
        tensors[name] = replace(model.spec(name), dtype="uint8")
        for changed, zero in zip(both, zeros, strict=True):
            if zero is not None:
                constants[zero.spec.name] = zero
                old = layers[changed]
                layers[changed] = replace(old, inputs=(*old.inputs[:_ZERO], zero.spec.name))
    return replace(model, layers=tuple(layers), constants=constants, tensors=tensors)


def _zero_point(model: Model, layer: Layer) -> Constant | None:
    # Return the unsigned zero point of a layer; None if its values are unknown, or if the layer states its type.
    name = layer.inputs[_ZERO] if len(layer.inputs) > _ZERO else ""
    constant = model.constants.get(name)
    states_type = dict(layer.attributes).get("output_dtype", "0") != "0" and layer.op_type == "QuantizeLinear"
    if not constant or constant.values is None or layer.domain or states_type:
        return None
    values = np.frombuffer(constant.values, np.int8).astype(np.int16) + _MIDDLE
    spec = TensorSpec(name=f"{name}/unsigned", dtype="uint8", shape=constant.spec.shape)
    return Constant(spec=spec, values=values.astype(np.uint8).tobytes())
