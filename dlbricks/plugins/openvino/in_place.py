"""Finds layers that OpenVINO executes without a copy, as parts of a tensor that others read where they lie."""

from collections.abc import Mapping, Sequence

from dlbricks.model.types import Model
from dlbricks.plugins.openvino.layouts import CHANNELS_LAST, TAKEN_IN, Executed

_PARTS = {"Gather": "Gather", "Slice": "Split", "Split": "Split"}
"""Operators that may give parts of a tensor, with the type of the executed node."""


def joining_in_place(
    model: Model, executed: Sequence[Executed], node_of: Mapping[int, int], groups: Sequence[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Return layers that give parts of a tensor without a copy, each with the group in which all their results end.

    Alone, such a layer would copy its result; a piece that begins with it reads the whole tensor where it lies. Layers
    whose results end in several groups, or leave the network, are left out.
    """
    home = {index: group for group in groups for index in group}
    readers: dict[str, list[int]] = {}
    for index, layer in enumerate(model.layers):
        for name in layer.reads:
            readers.setdefault(name, []).append(index)
    found = []
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
            found.append(tuple(sorted({*passed, *ends.pop()})))
    return found


def _executed_in_place(model: Model, executed: Sequence[Executed], node_of: Mapping[int, int]) -> list[list[int]]:
    """Return the layers that read the same tensor of planar layout and that OpenVINO executes without a copy."""
    makers = {name: index for index, layer in enumerate(model.layers) for name in layer.outputs if name}
    sources: dict[str, set[str]] = {}  # by name of the node that is read: types of the nodes that give parts of it
    for node in executed:
        is_planar = CHANNELS_LAST.keys().isdisjoint(node["outputLayouts"].split(","))
        if node["layerType"] in _PARTS.values() and is_planar and node["primitiveType"].startswith("unknown"):
            sources.setdefault(node["inputs"].split(",")[0], set()).add(node["layerType"])
    found: dict[str, list[int]] = {}
    for index, layer in enumerate(model.layers):
        number = node_of.get(makers.get(layer.inputs[0], -1)) if layer.op_type in _PARTS and not layer.domain else None
        if number is not None and _PARTS[layer.op_type] in sources.get(executed[number]["name"], ()):
            found.setdefault(layer.inputs[0], []).append(index)
    return list(found.values())
