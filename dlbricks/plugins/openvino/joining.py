"""Joins layers with the only piece that uses them, where a cut between them would convert or copy."""

from collections.abc import Callable, Mapping, Sequence

from dlbricks.model.types import VIEW_OPERATORS, Model
from dlbricks.plugins.openvino.layouts import ELEMENTWISE, VIEWS, extents

Groups = tuple[tuple[int, ...], ...]

_CONVERTED = frozenset({"bool", "float64", "int16", "int64", "uint16", "uint32", "uint64"})
"""Element types that OpenVINO has for inputs and outputs of networks, but not between its nodes."""
_OTHERS = """
And Concat Equal Expand Gather Greater GreaterOrEqual IsInf IsNaN Less LessOrEqual Mod Not Or Slice Split Where Xor
"""
_KNOWN_EXTENTS = VIEWS.union(ELEMENTWISE.split(), _OTHERS.split())
"""Operators the extents of whose results do not depend on the values of what they read."""


def joining_readers(
    model: Model, groups: Groups, last: Mapping[str, str], is_possible: Callable[[Groups], bool]
) -> Groups:
    """Return the groups, with layers joined to the only group that reads their results.

    Joined are layers whose results have a type that OpenVINO converts at both ends of a piece and nowhere in a network,
    and views of tensors that lie channels-last, which alone would be copied, unless they are the same in every layout.

    Args:
        model: for the target ``portable``.
        groups: of layers that are never split.
        last: tensors that lie channels-last.
        is_possible: whether there are no cycles among some groups.
    """
    readers: dict[str, list[int]] = {}
    for index, layer in enumerate(model.layers):
        for name in layer.reads:
            readers.setdefault(name, []).append(index)
    for index in range(len(model.layers) - 1, -1, -1):
        layer = model.layers[index]
        if layer.domain or not layer.inputs or not _joins(model, index, groups, last):
            continue
        made = [name for name in layer.outputs if name]
        if not set(made).isdisjoint(model.outputs) or not set(made).isdisjoint(model.observed or ()):
            continue
        home = {one: group for group in groups for one in group}
        own = home.get(index, (index,))
        behind = {home.get(reader, (reader,)) for name in made for reader in readers.get(name, ())} - {own}
        if len(behind) == 1:
            whole = tuple(sorted({*own, *behind.pop()}))
            joined = tuple(sorted([*(group for group in groups if set(whole).isdisjoint(group)), whole]))
            if is_possible(joined):
                groups = joined
    return groups


def _joins(model: Model, index: int, groups: Sequence[tuple[int, ...]], last: Mapping[str, str]) -> bool:
    layer = model.layers[index]
    if layer.op_type in VIEW_OPERATORS and layer.inputs[0] in last:
        return extents(model.spec(layer.inputs[0])) > 1 and not any(index in group for group in groups)
    is_converted = any(name and model.spec(name).dtype in _CONVERTED for name in layer.outputs)
    return is_converted and layer.op_type in _KNOWN_EXTENTS
