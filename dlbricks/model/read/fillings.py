"""Gives each layer its own copy of a constant that holds one value throughout.

Before training biases are zeros and scales are ones, and exporters store equal constants once, so that layers of one
size read one constant. A runtime drops such values, or would fuse the trained ones, which differ from layer to layer;
made-up values in one constant with several readers it does neither with (OpenVINO fuses no bias that two convolutions
read). Constants whose values differ stay shared: networks that use layers again do so after training, too.
"""

from collections import Counter
from dataclasses import replace

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.bodies import fresh_name
from dlbricks.model.graph import Graph, Node, rename_inputs
from dlbricks.model.tensors import read_values
from dlbricks.model.types import Constant

_MAXIMUM_BYTES = 1 << 16
"""Of constants that are looked at: the largest whose values may be kept."""
_SCALING = frozenset({"DequantizeLinear", "DynamicQuantizeLinear", "QuantizeLinear"})
"""Operators whose constants tell which calls belong together."""


def duplicate_uniform_constants(graph: Graph) -> Graph:
    """Copy every constant of floats that all are equal for each of its readers but the first."""
    uses = Counter(name for node in graph.nodes for name in set(node.inputs) & graph.constants.keys())
    shared = {name for name, count in uses.items() if count > 1 and _is_filling(graph.constants[name])}
    shared -= {name for node in graph.nodes if node.op_type in _SCALING for name in node.inputs}
    shared -= {name for node in graph.nodes for name in node.captured}
    if not shared:
        return graph
    taken = {name for node in graph.nodes for name in node.writes} | graph.constants.keys()
    taken |= {entry.name for entry in graph.inputs}
    constants, nodes, seen = dict(graph.constants), list[Node](), set[str]()
    for node in graph.nodes:
        names: dict[str, str] = {}
        for name in dict.fromkeys(node.inputs):
            if name in seen:
                names[name] = fresh_name(name, taken.__contains__)
                taken.add(names[name])
                spec = replace(constants[name].spec, name=names[name])
                constants[names[name]] = replace(constants[name], spec=spec)
            elif name in shared:
                seen.add(name)
        nodes.append(rename_inputs(node, names) if names else node)
    return replace(graph, nodes=tuple(nodes), constants=constants)


def _is_filling(constant: Constant) -> bool:
    """Return whether a constant has two or more floats, all equal; False where its values are missing.

    Of halves a processor converts a shared constant once, which is kept.
    """
    spec = constant.spec
    element = BY_NAME[spec.dtype]
    if element.kind != "float" or element.bits < 32 or spec.elements < 2 or spec.nbytes > _MAXIMUM_BYTES:
        return False
    if constant.fill is not None:
        return True
    values = constant.values
    if values is None and constant.source is not None:
        try:
            values = read_values(constant.source, spec)
        except InputError:  # weights are allowed to be cut off: nothing else reads them
            return False
    width = element.bits // 8
    return values is not None and values == values[:width] * spec.elements
