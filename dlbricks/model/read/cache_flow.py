"""Which inputs of a network are caches by what happens to them, whatever they are called. Pure.

A cache comes in, is joined with new values, or these are scattered into it, and the result goes out; on its way it is
moved and cut, but nothing is computed of it.
"""

from collections.abc import Mapping, Sequence

import onnx

from dlbricks.model.bodies import domain_of
from dlbricks.operators.row import Moves
from dlbricks.operators.table import operator

LEAST_RANK = 3
"""Of a cache."""
_MOVED = Moves.RESHAPES | Moves.PERMUTES | Moves.CUTS | Moves.SELECTS | Moves.CONVERTS
_SCATTERED = frozenset({"ScatterElements", "ScatterND", "TensorScatter"})


def continued_inputs(
    nodes: Sequence[onnx.NodeProto], inputs: Sequence[onnx.ValueInfoProto], outputs: Sequence[onnx.ValueInfoProto]
) -> dict[str, str]:
    """Return the inputs that are caches of a growing or fixed length, and the outputs that continue them.

    Args:
        nodes: of a network, in topological order.
        inputs: its inputs.
        outputs: its outputs.
    """
    kinds = {entry.name: _kind(entry) for entry in inputs}
    source = {name: (name, False) for name, kind in kinds.items() if kind is not None}
    for node in nodes:
        for position, name in enumerate(node.input):
            if name not in source:
                continue
            start, grown = source[name]
            key = (domain_of(node), node.op_type)
            place = operator(*key).caches.get(position)
            if place is not None:
                source |= {one: (start, True) for one in node.output[place : place + 1] if one}
            elif key == ("", "Concat") and len(node.input) > 1:
                source.setdefault(node.output[0], (start, True))
            elif not key[0] and position == 0 and node.op_type in _SCATTERED:
                source[node.output[0]] = (start, True)
            elif not key[0] and position == 0 and operator(*key).moves & _MOVED:
                source |= {one: (start, grown) for one in node.output if one}
    return _reached(source, kinds, outputs)


def _reached(
    source: Mapping[str, tuple[str, bool]],
    kinds: Mapping[str, tuple[int, int] | None],
    outputs: Sequence[onnx.ValueInfoProto],
) -> dict[str, str]:
    """Return the inputs that grew on their way to an output of their type and rank, each with the first one.

    Args:
        source: by tensor the input whose elements it has, and whether others joined them.
        kinds: type and rank by input.
        outputs: of the network.
    """
    found: dict[str, str] = {}
    for entry in outputs:
        start, grown = source.get(entry.name, ("", False))
        if grown and _kind(entry) == kinds[start]:
            found.setdefault(start, entry.name)
    return found


def _kind(entry: onnx.ValueInfoProto) -> tuple[int, int] | None:
    """Return the type and rank of a tensor of a cache's rank; None for any other."""
    tensor = entry.type.tensor_type
    rank = len(tensor.shape.dim)
    return (tensor.elem_type, rank) if rank >= LEAST_RANK else None
