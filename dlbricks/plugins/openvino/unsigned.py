"""Makes signed quantised tensors unsigned where OpenVINO does.

A QuantizeLinear into int8 with zero point z gives what one into uint8 with z + 128 gives, less 128. OpenVINO executes
many such tensors as u8, for which it has faster kernels; a piece that reads int8 from outside runs others.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.plugins.openvino.layouts import Executed

_MIDDLE = 128
_DATA, _ZERO = 0, 2
"""Operands of QuantizeLinear and DequantizeLinear."""


def unsigned(model: Model, executed: Sequence[Executed]) -> Model:
    """Return a network that computes the same, in which tensors are uint8 that OpenVINO executes as u8.

    These are results of a QuantizeLinear that only DequantizeLinears read, with known zero points.

    Args:
        model: for the target ``portable``.
        executed: the nodes that OpenVINO executes for it.
    """
    wide = {
        name
        for node in executed
        if set(node["outputPrecisions"].lower().split(",")) == {"u8"}
        for name in node["originalLayersNames"].split(",")
    }
    readers: dict[str, list[tuple[int, int]]] = {}
    for index, layer in enumerate(model.layers):
        for position, name in enumerate((*layer.inputs, *layer.captured)):
            readers.setdefault(name, []).append((index, position))
    layers, constants, tensors = list(model.layers), dict(model.constants), dict(model.tensors)
    for index, layer in enumerate(model.layers):
        name = layer.outputs[0]
        if layer.op_type != "QuantizeLinear" or layer.name not in wide or name in model.outputs:
            continue
        users = [number for number, position in readers.get(name, ()) if position == _DATA]
        both = [index, *users]
        is_only_read = len(users) == len(readers.get(name, ())) and all(
            model.layers[one].op_type == "DequantizeLinear" for one in users
        )
        if model.spec(name).dtype != "int8" or not is_only_read:
            continue
        zeros = [_zero_point(model, model.layers[one]) for one in both]
        if any(zero is None for zero in zeros):
            continue
        tensors[name] = replace(model.spec(name), dtype="uint8")
        for one, zero in zip(both, zeros, strict=True):
            if zero is not None:
                constants[zero.spec.name] = zero
                old = layers[one]
                layers[one] = replace(old, inputs=(*old.inputs[:_ZERO], zero.spec.name))
    return replace(model, layers=tuple(layers), constants=constants, tensors=tensors)


def _zero_point(model: Model, layer: Layer) -> Constant | None:
    """Return the unsigned zero point of a layer; None if its values are not known, or the layer states its type."""
    name = layer.inputs[_ZERO] if len(layer.inputs) > _ZERO else ""
    constant = model.constants.get(name)
    states_type = dict(layer.attributes).get("output_dtype", "0") != "0" and layer.op_type == "QuantizeLinear"
    if not constant or constant.values is None or layer.domain or states_type:
        return None
    values = np.frombuffer(constant.values, np.int8).astype(np.int16) + _MIDDLE
    spec = TensorSpec(name=f"{name}/unsigned", dtype="uint8", shape=constant.spec.shape)
    return Constant(spec=spec, values=values.astype(np.uint8).tobytes())
