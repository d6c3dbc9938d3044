"""Inserts OpenVINO's memory layouts between the groups of a network.

If a result is in channels-last layout, its group ends with a Transpose to that layout. A group that reads the result
begins with the inverse Transpose, or computes in that layout.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
from onnx import helper

from dlbricks.harness.dtypes import as_bytes, encode
from dlbricks.model.order import makers_of, readers_of
from dlbricks.model.schemas import canonical_attributes
from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators.table import layer_of, row_of

# Prefix of the names of layers that only change the layout.
LAYOUT = "layout of "
# For each of OpenVINO's names of a layout, the axes in the planar tensor.
CHANNELS_LAST = {"acb": (0, 2, 1), "acdb": (0, 2, 3, 1), "acdeb": (0, 2, 3, 4, 1)}
# Types of executed nodes that correspond to no layer.
PLUMBING = frozenset({"Const", "Input", "Output", "Reorder"})
# quantised integers change their layout by Transposes of the floats around them
_TURNABLE = frozenset({"bfloat16", "float16", "float32"})
# Types of quantised integers. They change their layout only between QuantizeLinear and DequantizeLinear, by Transposes
# of the floats outside: after a Transpose of integers OpenVINO computes a quantised call in float32. After layers other
# than convolutions, such as pools, and for one pixel, OpenVINO would execute the Transpose of floats; there a Transpose
# of the integers ends the group.
_QUANTISED = frozenset({"int8", "uint8"})
# Operators that OpenVINO executes on quantised integers unchanged (`eight_bits`).
VIEWS = frozenset({"Flatten", "Reshape", "Squeeze", "Transpose", "Unsqueeze"})
MOVING = VIEWS | {"Concat", "MaxPool", "Split"}
_WITH_AXIS = frozenset({"Concat", "Split"})
# Operators whose second and further operands are places and sizes.
_CUTTING = frozenset({"Slice", "Split"})
# Index of the operand of Slice that names axes.
_AXES = 3
ELEMENTWISE = """
Abs Add Cast Ceil Clip Cos Div Elu Erf Exp Floor Gelu HardSigmoid HardSwish LeakyRelu Log Max Min Mish Mul Neg Pow PRelu
Reciprocal Relu Round Selu Sigmoid Sin Softplus Softsign Sqrt Sub Swish Tanh
"""
# Operators that OpenVINO may execute together with the layer before or after, or next to it without a copy.
TAKEN_IN = VIEWS.union(ELEMENTWISE.split())
# OpenVINO replaces this operator by a product and a sum along the last axis.
_NORMALISING = "BatchNormalization"
# Operators that OpenVINO computes in the layout of their inputs; it also does so for conversions to and from quantised
# values if one scale holds for the whole tensor.
_TURNED = _WITH_AXIS.union(ELEMENTWISE.split(), (_NORMALISING, "Slice"))

# Type of an executed node, as `runtime.executed_layers` returns it.
Executed = Mapping[str, str]
# Type of groups: the ascending indices of layers that are never split, for each group.
Group = tuple[int, ...]
Groups = tuple[Group, ...]


def source_names(node: Executed) -> list[str]:
    """Return the names of the layers that an executed node computes."""
    return node["originalLayersNames"].split(",")


def is_relabelling(node: Executed) -> bool:
    """Return whether an executed node only renames the layout of its input."""
    return node["layerType"] == "Reorder" and node["name"].endswith("_fake")


def layouts(model: Model, groups: Sequence[tuple[int, ...]], executed: Sequence[Executed]) -> dict[str, str]:
    """Return the layout of each tensor that OpenVINO stores channels-last, by the name of the tensor."""
    by_name = {layer.name: index for index, layer in enumerate(model.layers)}
    home = {index: group for group in groups for index in group}
    last: dict[int, str] = {}
    for node in executed:
        layouts = set(node["outputLayouts"].split(","))
        layers = [by_name[name] for name in source_names(node) if name in by_name]
        if node["layerType"] in PLUMBING or len(layouts) != 1 or not layers:
            continue
        layout = layouts.pop()
        last.update({index: layout for layer in layers for index in home.get(layer, (layer,))})
    last |= _relabelled(model, executed, by_name)
    captured = {name for layer in model.layers for name in layer.captured}
    readers = readers_of(model)
    return {
        name: last[index]
        for index, layer in enumerate(model.layers)
        for name in layer.outputs
        if last.get(index) in CHANNELS_LAST and name and name not in captured
        if model.spec(name).dtype in _TURNABLE or _is_quantised(model, name, layer, readers.get(name, ()))
        if len(model.spec(name).shape) == len(last[index])
    }


def uncopied(model: Model, executed: Sequence[Executed]) -> set[str]:
    """Return the tensors that OpenVINO does not copy to another layout."""
    copied = {
        node["inputs"].split(",")[0]
        for node in executed
        if node["layerType"] in {"Reorder", "Transpose"} and not is_relabelling(node)
    }
    by_name = {layer.name: layer for layer in model.layers}
    return {
        result
        for node in executed
        if node["name"] not in copied
        for name in source_names(node)
        if name in by_name
        for result in by_name[name].outputs
    }


def _relabelled(model: Model, executed: Sequence[Executed], by_name: Mapping[str, int]) -> dict[int, str]:
    # Return the Transposes that OpenVINO replaces by a layout of their input, with this layout.
    turned = {
        node["inputs"]: node["outputLayouts"]
        for node in executed
        if is_relabelling(node) and node["outputLayouts"] in CHANNELS_LAST
    }
    makers = (node for node in executed if node["name"] in turned)
    layout_of = {
        result: turned[node["name"]]
        for node in makers
        for name in source_names(node)
        if name in by_name
        for result in model.layers[by_name[name]].outputs
    }
    relabelled = {}
    for index, layer in enumerate(model.layers):
        if layer.op_type == "Transpose" and layer.inputs[0] in layout_of:
            axes = CHANNELS_LAST[layout_of[layer.inputs[0]]]
            permuted = json.loads(dict(layer.attributes).get("perm", "[]"))
            if len(permuted) == len(axes) and [permuted[axis] for axis in axes] == list(range(len(axes))):
                relabelled[index] = layout_of[layer.inputs[0]]
    return relabelled


def _is_quantised(model: Model, name: str, maker: Layer, readers: Sequence[int]) -> bool:
    # Return whether an integer tensor has one scale in every layer that quantises or dequantises it.
    ends = [(maker, "QuantizeLinear"), *((model.layers[index], "DequantizeLinear") for index in readers)]
    return (
        model.spec(name).dtype in _QUANTISED
        and name not in model.outputs
        and all(
            layer.op_type in MOVING or (layer.op_type == kind and is_scaled_evenly(model, layer))
            for layer, kind in ends
        )
    )


def is_scaled_evenly(model: Model, layer: Layer) -> bool:
    """Return whether a QuantizeLinear or DequantizeLinear has a single scale for the tensor."""
    return len(layer.inputs) > 1 and model.spec(layer.inputs[1]).elements == 1


class Rewriting:
    """A network with the memory layouts that OpenVINO gives to tensors between its fused operators."""

    def __init__(
        self,
        model: Model,
        groups: Sequence[tuple[int, ...]],
        layouts: Mapping[str, str],
        uncopied: Collection[str] = (),
    ) -> None:
        """Rewrite a network.

        Args:
            model: a network for the target ``portable``.
            layouts: what the function ``layouts`` returns.
            uncopied: what the function ``uncopied`` returns; a Transpose of such a tensor takes no time.
        """
        self._model, self._layouts, self._uncopied = model, layouts, uncopied
        self._captured = {name for layer in model.layers for name in layer.captured}
        self.layers: list[Layer] = []
        self.tensors, self.constants = dict(model.tensors), dict(model.constants)
        # the layers of each group, and of each layer in none, by the number of the group or minus that of the layer
        self.members: defaultdict[int, list[int]] = defaultdict(list)
        home = {index: number for number, group in enumerate(groups) for index in group}
        self._home = {index: home.get(index, -1 - index) for index in range(len(model.layers))}
        self.makers = makers_of(model)
        inside = {
            name
            for index, layer in enumerate(model.layers)
            for name in layer.inputs
            if name in self.makers and self._home[self.makers[name]] == self._home[index]
        }
        crossing = {
            name
            for index, layer in enumerate(model.layers)
            for name in layer.inputs
            if name in layouts and self._home[self.makers[name]] != self._home[index]
            if name not in inside or model.spec(name).dtype in _TURNABLE
        }
        of_group: defaultdict[int, list[Layer]] = defaultdict(list)
        for index, layer in enumerate(model.layers):
            of_group[self._home[index]].append(layer)
        self._crossing = crossing
        self._convolving = {
            group for group, layers in of_group.items() if any(row_of(layer).convolves for layer in layers)
        }
        self._turned = {group for group, layers in of_group.items() if self._can_turn(layers)}
        self._here: dict[tuple[str, int], str] = {}
        # For each result of a Transpose that only names a layout: the tensor that the result is stored as.
        self._same: dict[str, str] = {}
        for index, layer in enumerate(model.layers):
            self._add_layer(layer, self._home[index])

    def model(self) -> Model:
        """Return the rewritten network."""
        groups = sorted(tuple(group) for group in self.members.values() if len(group) > 1)
        layers = tuple(self.layers)
        return replace(self._model, layers=layers, tensors=self.tensors, constants=self.constants, groups=tuple(groups))

    def _can_turn(self, layers: Sequence[Layer]) -> bool:
        # Return whether layers compute the same result on tensors in channels-last layout.
        written = {name for layer in layers for name in layer.outputs if name}
        converting = [layer for layer in layers if row_of(layer).quantises]
        turned = (layer.op_type in _TURNED or layer in converting for layer in layers)
        if not all(turned) or any(layer.domain or layer.captured for layer in layers):
            return False
        if not written or not all(name in self._layouts for name in written):
            return False
        if any(layer.op_type == _NORMALISING and len(layer.outputs) > 1 for layer in layers):
            return False
        if not all(is_scaled_evenly(self._model, layer) for layer in converting):
            return False
        if not all(self._names_axes(layer) for layer in layers if layer.op_type == "Slice"):
            return False
        read = {name for layer in layers for name in layer.inputs if name} - written
        rank = len(self._layouts[next(iter(written))])
        return all(self._turns(name, rank, layers) for name in read)

    def _names_axes(self, layer: Layer) -> bool:
        # Return whether the axes of a Slice are named by a constant.
        name = layer.inputs[_AXES] if len(layer.inputs) > _AXES else ""
        return name in self._model.constants and numbers_of(self._model.constants[name]) is not None

    def _turns(self, name: str, rank: int, layers: Sequence[Layer]) -> bool:
        # Return whether the tensor that such layers read can get the layout without a copy.
        spec = self._model.spec(name)
        if name in self._model.constants:
            sizes = any(name in layer.inputs[1:] for layer in layers if layer.op_type in _CUTTING)
            return sizes or spec.elements == 1 or (len(spec.shape) <= rank and extents(spec) == 1)
        lies_last = self._layouts.get(name, "") in CHANNELS_LAST and name in self._crossing
        return len(spec.shape) == rank and (lies_last or extents(spec) <= 1)

    def _add_layer(self, layer: Layer, group: int) -> None:
        if self._names_layout(layer, group):
            self._same[layer.outputs[0]] = f"{layer.inputs[0]}/last"
            return
        layer = replace(layer, inputs=tuple(self._same.get(name, name) for name in layer.inputs))
        if group in self._turned:
            self._add_turned(layer, group)
            return
        if self._add_quantised(layer, group):
            return
        for name in layer.inputs:
            if name in self._crossing and self._home[self.makers[name]] != group and (name, group) not in self._here:
                axes = CHANNELS_LAST[self._layouts[name]]
                self._here[name, group] = f"{name}/in{group}"
                back = [axes.index(axis) for axis in range(len(axes))]
                self._transpose(f"{name}/last", self._here[name, group], back, group)
        self._add(replace(layer, inputs=tuple(self._here.get((name, group), name) for name in layer.inputs)), group)
        for name in layer.outputs:
            if name in self._crossing:
                self._transpose(name, f"{name}/last", CHANNELS_LAST[self._layouts[name]], group)

    def _names_layout(self, layer: Layer, group: int) -> bool:
        # Return whether a layer converts a tensor of another group to the layout in which it is stored.
        read, written = layer.inputs[0] if layer.inputs else "", layer.outputs[0] if layer.outputs else ""
        if layer.op_type != "Transpose" or layer.domain or read not in self._crossing or read not in self._uncopied:
            return False
        if self._home[self.makers[read]] == group or written in self._layouts or written in self._model.outputs:
            return False
        axes = list(CHANNELS_LAST[self._layouts[read]])
        return written not in self._captured and json.loads(dict(layer.attributes).get("perm", "[]")) == axes

    def _add_quantised(self, layer: Layer, group: int) -> bool:
        # Add a layer that writes or reads a transposed integer tensor, with a Transpose of its floats; False for other
        # layers.
        if not row_of(layer).quantises:
            return False
        read, written = layer.inputs[0], layer.outputs[0]
        is_last = layer.op_type == "QuantizeLinear" and written in self._crossing
        if is_last and group in self._convolving and extents(self._model.spec(written)) > 1:
            axes = CHANNELS_LAST[self._layouts[written]]
            self._transpose(read, f"{written}/floats", axes, group)
            self._specify(f"{written}/last", written, axes)
            added = replace(layer, inputs=(f"{written}/floats", *layer.inputs[1:]), outputs=(f"{written}/last",))
            self._add(added, group)
            return True
        if layer.op_type == "DequantizeLinear" and read in self._crossing:
            axes = CHANNELS_LAST[self._layouts[read]]
            self._specify(f"{written}/floats", written, axes)
            added = replace(layer, inputs=(f"{read}/last", *layer.inputs[1:]), outputs=(f"{written}/floats",))
            self._add(added, group)
            self._transpose(f"{written}/floats", written, [axes.index(axis) for axis in range(len(axes))], group)
            return True
        return False

    def _add_turned(self, layer: Layer, group: int) -> None:
        # Add a layer of a group that computes in channels-last layout.
        axes = CHANNELS_LAST[self._layouts[next(filter(None, layer.outputs))]]
        for name in filter(None, layer.outputs):
            self._specify(f"{name}/last", name, axes)
        if layer.op_type == _NORMALISING:
            self._add_scaled(layer, axes, group)
        else:
            self._add_with_axis(layer, axes, group)
        back = [axes.index(axis) for axis in range(len(axes))]
        for name in layer.outputs:
            if name in self._model.outputs:
                self._transpose(f"{name}/last", name, back, group)

    def _add_scaled(self, layer: Layer, axes: Sequence[int], group: int) -> None:
        # Add a normalisation as a product and a sum whose channels are in the last axis, as OpenVINO computes it.
        read, (scale, shift) = self._turned_name(layer.inputs[0], axes, group), layer.inputs[1:3]
        written, scaled = f"{layer.outputs[0]}/last", f"{layer.outputs[0]}/scaled"
        self._specify(scaled, layer.outputs[0], axes)
        self._add(plain_layer(self._model, "Mul", (read, scale), (scaled,), f"{layer.name}/scale"), group)
        self._add(plain_layer(self._model, "Add", (scaled, shift), (written,), layer.name), group)

    def _add_with_axis(self, layer: Layer, axes: Sequence[int], group: int) -> None:
        # Add a layer, and adapt its axis, if it has one, to the layout.
        cuts = layer.op_type in _CUTTING
        read = [
            self._turned_name(name, axes, group, sizes=cuts and place > 0) for place, name in enumerate(layer.inputs)
        ]
        if layer.op_type == "Slice":
            read[_AXES] = self._turned_axes(read[_AXES], axes)
        outputs = tuple(f"{name}/last" if name else "" for name in layer.outputs)
        added = replace(layer, inputs=tuple(read), outputs=outputs)
        if layer.op_type in _WITH_AXIS:
            node = onnx.NodeProto.FromString(layer.node)
            for attribute in node.attribute:
                if attribute.name == "axis":
                    attribute.i = axes.index(attribute.i % len(axes))
            if not any(attribute.name == "axis" for attribute in node.attribute):
                node.attribute.append(helper.make_attribute("axis", axes.index(0)))
            added = replace(
                added,
                node=node.SerializeToString(deterministic=True),
                attributes=canonical_attributes(node, dict(self._model.opsets)),
            )
        self._add(added, group)

    def _turned_name(self, name: str, axes: Sequence[int], group: int, *, sizes: bool = False) -> str:
        # Return the name of a tensor in channels-last layout, and add the tensor if necessary.
        if not name or (name in self._model.constants and (sizes or self._model.spec(name).elements == 1)):
            return name
        if name in self._model.constants:
            constant = self._model.constants[name]
            shape = (*(1,) * (len(axes) - len(constant.spec.shape)), *constant.spec.shape)
            spec = replace(constant.spec, name=f"{name}/last", shape=tuple(shape[axis] for axis in axes))
            self.constants[spec.name] = replace(constant, spec=spec)
            return spec.name
        if name in self._crossing or self._home.get(self.makers.get(name, -1)) == group:
            return f"{name}/last"
        if (name, group) not in self._here:
            self._here[name, group] = f"{name}/in{group}"
            self._transpose(name, self._here[name, group], axes, group)
        return self._here[name, group]

    def _turned_axes(self, name: str, axes: Sequence[int]) -> str:
        # Return the name of a constant that names the same axes for the channels-last layout.
        constant = self._model.constants[name]
        numbers = numbers_of(constant)
        turned_axes = [] if numbers is None else [axes.index(int(axis) % len(axes)) for axis in numbers.reshape(-1)]
        turned = encode(np.array(turned_axes), constant.spec.dtype)
        spec = replace(constant.spec, name=f"{name}/{len(axes)}/last")
        self.constants[spec.name] = Constant(spec=spec, values=as_bytes(turned))
        return spec.name

    def _specify(self, turned: str, name: str, axes: Sequence[int]) -> None:
        shape = tuple(self.tensors[name].shape[axis] for axis in axes)
        self.tensors[turned] = TensorSpec(name=turned, dtype=self.tensors[name].dtype, shape=shape)

    def _transpose(self, read: str, turned: str, axes: Sequence[int], group: int) -> None:
        self._specify(turned, read, axes)
        name = f"{LAYOUT}{turned}"
        self._add(plain_layer(self._model, "Transpose", (read,), (turned,), name, perm=list(axes)), group)

    def _add(self, layer: Layer, group: int) -> None:
        self.members[group].append(len(self.layers))
        self.layers.append(layer)


def extents(spec: TensorSpec) -> int:
    """Return the number of a tensor's axes that are longer than 1."""
    return sum(size > 1 for size in spec.shape)


def plain_layer(
    model: Model, operator: str, read: tuple[str, ...], written: tuple[str, ...], name: str, **attributes: Any
) -> Layer:
    """Create a layer of an ONNX operator."""
    return layer_of(name, helper.make_node(operator, read, written, **attributes), dict(model.opsets))
