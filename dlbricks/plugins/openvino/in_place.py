"""Adds layers that OpenVINO executes in place, or without a conversion, to the groups that read their results.

If a cut separated such a layer from its reader, a sequence would copy or convert a tensor, unlike the network.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np

from dlbricks.harness.dtypes import as_bytes, encode
from dlbricks.model.order import makers_of, readers_of
from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators.row import Moves
from dlbricks.operators.table import row_of
from dlbricks.plugins.openvino.identities import replaced_layers
from dlbricks.plugins.openvino.layouts import (
    CHANNELS_LAST,
    ELEMENTWISE,
    TAKEN_IN,
    VIEWS,
    Executed,
    Groups,
    extents,
    plain_layer,
    source_names,
)
from dlbricks.plugins.openvino.merging import has_no_circle


def joining_in_place(
    model: Model, executed: Sequence[Executed], node_of: Mapping[int, int], groups: Sequence[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Return layers such as Split that OpenVINO runs without a copy, each with the group that reads its results.

    A layer is left out if several groups read its results, or if a result is an output of the network.
    """
    home = {index: group for group in groups for index in group}
    readers = readers_of(model)
    joined = []
    for layers in _executed_in_place(model, executed, node_of):
        ends: set[tuple[int, ...]] = set()
        passed, waiting = set(layers), list(layers)
        while waiting:
            for name in model.layers[waiting.pop()].outputs:
                if name in model.outputs:
                    ends.add(())
                for reader in readers.get(name, ()):
                    if reader in home and reader not in passed:
                        ends.add(home[reader])
                    elif model.layers[reader].op_type not in TAKEN_IN:
                        ends.add(())
                    elif reader not in passed:
                        passed.add(reader)
                        waiting.append(reader)
        if len(ends) == 1 and () not in ends:
            joined.append(tuple(sorted({*passed, *ends.pop()})))
    return joined


def _executed_in_place(model: Model, executed: Sequence[Executed], node_of: Mapping[int, int]) -> list[list[int]]:
    # Return the layers that read the same tensor in planar layout and that OpenVINO executes without a copy.
    makers = makers_of(model)
    sources: dict[str, set[str]] = {}  # types of the nodes that give parts of a node's result, by the node's name
    for node in executed:
        is_planar = CHANNELS_LAST.keys().isdisjoint(node["outputLayouts"].split(","))
        if is_planar and node["primitiveType"].startswith("unknown"):
            sources.setdefault(node["inputs"].split(",")[0], set()).add(node["layerType"])
    layers_of: dict[str, list[int]] = {}
    for index, layer in enumerate(model.layers):
        gives_parts = row_of(layer).moves & (Moves.CUTS | Moves.SELECTS)
        number = node_of.get(makers.get(layer.inputs[0], -1)) if gives_parts else None
        # OpenVINO converts a Slice to a Split
        kind = layer.op_type.replace("Slice", "Split")
        if number is not None and kind in sources.get(executed[number]["name"], ()):
            layers_of.setdefault(layer.inputs[0], []).append(index)
    return list(layers_of.values())


# Element types that OpenVINO has for inputs and outputs of networks, but converts between its nodes.
_CONVERTED = frozenset({"bool", "float64", "int16", "int64", "uint16", "uint32", "uint64"})
# further operators that are joined to their reader: they decide nothing by values, either
_OTHERS = """
And Concat Equal Expand Gather Greater GreaterOrEqual IsInf IsNaN Less LessOrEqual Mod Not Or Slice Split Where Xor
"""
# Operators whose result has extents that do not depend on the values of the operands.
_KNOWN_EXTENTS = VIEWS.union(ELEMENTWISE.split(), _OTHERS.split())


def joining_readers(model: Model, groups: Groups, last: Mapping[str, str]) -> Groups:
    """Join layers to the only group that reads their results; return the groups.

    These are layers whose results OpenVINO converts at the ends of a sequence but not in a network, and views of
    channels-last tensors.

    Args:
        model: a network for the target ``portable``.
        last: tensors in channels-last layout, with their layouts.
    """
    makers, readers, home = makers_of(model), readers_of(model), {index: group for group in groups for index in group}
    for index in range(len(model.layers) - 1, -1, -1):
        layer = model.layers[index]
        if layer.domain or not layer.inputs or not _joins(model, index, home, last):
            continue
        results = [name for name in layer.outputs if name]
        if not set(results).isdisjoint(model.outputs) or not set(results).isdisjoint(model.observed or ()):
            continue
        own = home.get(index, (index,))
        behind = {home.get(reader, (reader,)) for name in results for reader in readers.get(name, ())} - {own}
        if len(behind) == 1:
            whole = tuple(sorted({*own, *behind.pop()}))
            if has_no_circle(model, makers, home, whole):
                home.update(dict.fromkeys(whole, whole))
    return tuple(sorted(set(home.values())))


def _joins(model: Model, index: int, home: Mapping[int, tuple[int, ...]], last: Mapping[str, str]) -> bool:
    layer = model.layers[index]
    if layer.is_view and layer.inputs[0] in last:
        return extents(model.spec(layer.inputs[0])) > 1 and index not in home
    is_converted = any(name and model.spec(name).dtype in _CONVERTED for name in layer.outputs)
    return is_converted and layer.op_type in _KNOWN_EXTENTS


# First opset in which Split has its sizes as an operand.
_OPSET = 13
# Number of operands of a Slice from which it names its axes.
_PLACES = 3


def with_splits(model: Model, executed: Sequence[Executed]) -> tuple[Model, list[Executed]]:
    """Return an equal network with Splits instead of Slices, and the executed nodes with the names of the Splits.

    OpenVINO converts Slices that together cover a tensor to one Split. If a sequence had only some of the Slices,
    OpenVINO would execute them one by one.
    """
    names = {name for node in executed for name in source_names(node)}
    slices: defaultdict[str, list[int]] = defaultdict(list)
    makers: dict[str, str] = {}
    for index, layer in enumerate(model.layers):
        makers.update(dict.fromkeys(layer.outputs, layer.name))
        if layer.op_type == "Slice" and not layer.domain and layer.name not in names:
            slices[layer.inputs[0]].append(index)
    nodes = list(executed)
    called = {node["name"]: {node["name"], *source_names(node)} for node in executed}
    constants = dict(model.constants)
    replaced: dict[int, list[Layer]] = {}
    for read, indices in slices.items() if dict(model.opsets).get("", 1) >= _OPSET else ():
        split = _one_split(model, [model.layers[index] for index in indices])
        place = _unnamed_split(nodes, called, makers.get(read, read), set(makers.values()))
        if split is None or place is None:
            continue
        sizes, layer = split
        constants[sizes.spec.name] = sizes
        replaced |= {index: [] for index in indices} | {indices[0]: [layer]}
        nodes[place] = {**nodes[place], "originalLayersNames": layer.name}
    return replaced_layers(replace(model, constants=constants), (), replaced)[0] if replaced else model, nodes


def _unnamed_split(
    nodes: Sequence[Executed], called: dict[str, set[str]], read: str, layers: AbstractSet[str]
) -> int | None:
    # Return the index of a Split that copies, has the name of no layer, and reads an input or a layer's result.
    for place, node in enumerate(nodes):
        is_unnamed = layers.isdisjoint(source_names(node))
        copies = node["layerType"] == "Split" and not node["primitiveType"].startswith("unknown")
        if copies and is_unnamed and read in called.get(node["inputs"].split(",")[0], ()):
            return place
    return None


def _one_split(model: Model, slices: Sequence[Layer]) -> tuple[Constant, Layer] | None:
    # Return a Split and its sizes that replace at least two Slices of one tensor; None if there is no such Split.
    parts = [_part(model, layer) for layer in slices]
    places = sorted(
        (start, end, axis, layer.outputs[0]) for layer, (axis, start, end) in zip(slices, parts, strict=True) if end
    )
    if len(places) < max(2, len(slices)) or len({axis for _, _, axis, _ in places}) > 1:
        return None
    first, axis = slices[0], places[0][2]
    edges = [start for start, _, _, _ in places] + [model.spec(first.inputs[0]).shape[axis]]
    if [0, *(end for _, end, _, _ in places)] != edges:
        return None
    spec = TensorSpec(name=f"{first.name}/sizes", dtype="int64", shape=(len(places),))
    sizes = Constant(spec=spec, values=as_bytes(encode(np.diff(edges), spec.dtype)))
    results = tuple(result for _, _, _, result in places)
    return sizes, plain_layer(model, "Split", (first.inputs[0], spec.name), results, first.name, axis=axis)


def _part(model: Model, layer: Layer) -> tuple[int, int, int]:
    # Return axis, start and end of a Slice along one axis with constant places; an end of 0 for other Slices.
    operands = [numbers_of(model.constants[name]) if name in model.constants else None for name in layer.inputs[1:]]
    if len(operands) < _PLACES or any(numbers is None or numbers.size != 1 for numbers in operands):
        return 0, 0, 0
    read, written = model.spec(layer.inputs[0]).shape, model.spec(layer.outputs[0]).shape
    start, _, axis, *steps = (int(numbers.reshape(-1)[0]) for numbers in operands if numbers is not None)
    if steps not in ([], [1]):
        return 0, 0, 0
    axis %= len(read)
    start = min(start, read[axis]) if start >= 0 else max(0, start + read[axis])
    return axis, start, start + written[axis]
