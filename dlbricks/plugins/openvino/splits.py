"""Puts a Split in the place of Slices that OpenVINO executes as one."""

from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np

from dlbricks.harness.dtypes import as_bytes, encode
from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.plugins.openvino.layouts import Executed, plain_layer

_OPSET = 13
"""First operator set whose Split has its sizes as an operand."""
_PLACES = 3
"""Least number of operands of a Slice, beside the tensor, that names its axes."""


def with_splits(model: Model, executed: Sequence[Executed]) -> tuple[Model, list[Executed]]:
    """Return a network that computes the same, and the executed nodes with the names of its layers.

    OpenVINO makes a Split of Slices that read one tensor and together give all of it, and names it after none of them.
    Alone, it would execute them one by one.
    """
    names = {name for node in executed for name in node["originalLayersNames"].split(",")}
    slices: defaultdict[str, list[int]] = defaultdict(list)
    makers: dict[str, str] = {}
    for index, layer in enumerate(model.layers):
        makers.update(dict.fromkeys(layer.outputs, layer.name))
        if layer.op_type == "Slice" and not layer.domain and layer.name not in names:
            slices[layer.inputs[0]].append(index)
    nodes = list(executed)
    called = {node["name"]: {node["name"], *node["originalLayersNames"].split(",")} for node in executed}
    constants = dict(model.constants)
    made: dict[int, Layer] = {}
    gone: set[int] = set()
    for read, found in slices.items() if dict(model.opsets).get("", 1) >= _OPSET else ():
        split = _one_split(model, [model.layers[index] for index in found])
        place = _unnamed_split(nodes, called, makers.get(read, read), set(makers.values()))
        if split is None or place is None:
            continue
        sizes, made[found[0]] = split
        constants[sizes.spec.name] = sizes
        gone.update(found[1:])
        nodes[place] = {**nodes[place], "originalLayersNames": made[found[0]].name}
    if not made:
        return model, nodes
    kept = [index for index in range(len(model.layers)) if index not in gone]
    places = {index: place for place, index in enumerate(kept)}
    groups = (tuple(places[index] for index in group if index in places) for group in model.groups)
    changed = replace(
        model,
        layers=tuple(made.get(index, model.layers[index]) for index in kept),
        groups=tuple(group for group in groups if len(group) > 1),
        constants=constants,
    )
    return changed, nodes


def _unnamed_split(
    nodes: Sequence[Executed], called: dict[str, set[str]], read: str, layers: AbstractSet[str]
) -> int | None:
    """Return the place of a Split that copies, that no layer names, and that reads a result of a layer or an input."""
    for place, node in enumerate(nodes):
        is_unnamed = layers.isdisjoint(node["originalLayersNames"].split(","))
        copies = node["layerType"] == "Split" and not node["primitiveType"].startswith("unknown")
        if copies and is_unnamed and read in called.get(node["inputs"].split(",")[0], ()):
            return place
    return None


def _one_split(model: Model, slices: Sequence[Layer]) -> tuple[Constant, Layer] | None:
    """Return a Split, with its sizes, that gives what at least two Slices of one tensor give; None if there is none."""
    parts = [_part(model, layer) for layer in slices]
    known = sorted(
        (start, end, axis, layer.outputs[0]) for layer, (axis, start, end) in zip(slices, parts, strict=True) if end
    )
    if len(known) < max(2, len(slices)) or len({axis for _, _, axis, _ in known}) > 1:
        return None
    first, axis = slices[0], known[0][2]
    edges = [start for start, _, _, _ in known] + [model.spec(first.inputs[0]).shape[axis]]
    if [0, *(end for _, end, _, _ in known)] != edges:
        return None
    spec = TensorSpec(name=f"{first.name}/sizes", dtype="int64", shape=(len(known),))
    sizes = Constant(spec=spec, values=as_bytes(encode(np.diff(edges), spec.dtype)))
    results = tuple(result for _, _, _, result in known)
    return sizes, plain_layer(model, "Split", (first.inputs[0], spec.name), results, first.name, axis=axis)


def _part(model: Model, layer: Layer) -> tuple[int, int, int]:
    """Return axis, start and end of a Slice along one axis with known places; an end of 0 if it is another."""
    operands = [numbers_of(model.constants[name]) if name in model.constants else None for name in layer.inputs[1:]]
    if len(operands) < _PLACES or any(one is None or one.size != 1 for one in operands):
        return 0, 0, 0
    read, made = model.spec(layer.inputs[0]).shape, model.spec(layer.outputs[0]).shape
    start, _, axis, *steps = (int(one.reshape(-1)[0]) for one in operands if one is not None)
    if steps not in ([], [1]):
        return 0, 0, 0
    axis %= len(read)
    start = min(start, read[axis]) if start >= 0 else max(0, start + read[axis])
    return axis, start, start + made[axis]
