"""A network several times over in one: what one more copy adds to a call is that network without the call."""

from collections.abc import Callable, Iterator
from functools import partial

from ..model_file import wire_fields
from ..network import copy_name

_GRAPH = 7  # of ModelProto
_NODE, _INITIALIZER, _INPUT, _OUTPUT, _VALUE_INFO, _SPARSE = 1, 5, 11, 12, 13, 15  # of GraphProto
_NODE_INPUT, _NODE_OUTPUT, _NODE_NAME, _ATTRIBUTE = 1, 2, 3, 5  # of NodeProto
_SUBGRAPH, _SUBGRAPHS = 6, 11  # of AttributeProto
_VALUE_NAME, _TENSOR_NAME = 1, 8  # of ValueInfoProto and TensorProto


def copies(network: bytes, count: int) -> bytes | None:
    """Give a network of so many copies of another one, which share its constants and nothing else.

    Inputs, tensors and outputs of each are named by ``network.copy_name``. Each has inputs of its own, since a runtime
    would compute what has the same inputs only once.

    Args:
        network: a serialised ModelProto.
        count: of copies.

    Returns:
        The serialised ModelProto; None where nodes hold graphs of their own, which may read any tensor.
    """
    made = bytearray()
    for number, content, whole in wire_fields(memoryview(network)):
        if number != _GRAPH:
            made += whole
            continue
        graph = _graph(content, count)
        if graph is None:
            return None
        made += _field(_GRAPH, graph)
    return bytes(made)


def behind(network: bytes, leading: bytes, kernels: int) -> bytes:
    """Put a chain of one node before a network with which it shares nothing; nodes of the chain come first.

    Args:
        network: a serialised ModelProto.
        leading: one with one node that makes ``y`` of ``x``; the chain's ends are named by ``leading_name``.
        kernels: nodes of the chain.
    """
    own = next(content for number, content, _ in wire_fields(memoryview(leading)) if number == _GRAPH)
    made = bytearray()
    ends = {_INPUT: leading_name(0), _OUTPUT: leading_name(kernels)}
    for number, content, _ in wire_fields(own):
        if number == _NODE:
            for at in range(kernels):
                names = {"x": leading_name(at), "y": leading_name(at + 1)}
                node = _changed(content, {_NODE_INPUT, _NODE_OUTPUT}, names.__getitem__)
                made += _field(_NODE, node + _field(_NODE_NAME, leading_name(at).encode()))
        elif number in ends:
            made += _field(
                number, _changed(content, {_VALUE_NAME}, {"x": ends[_INPUT], "y": ends[_OUTPUT]}.__getitem__)
            )
    fields = wire_fields(memoryview(network))
    return b"".join(
        _field(_GRAPH, bytes(made) + content) if number == _GRAPH else whole for number, content, whole in fields
    )


def leading_name(place: int) -> str:
    """Name the tensor after so many nodes of a chain that leads."""
    return f"leading~{place}"


def _graph(graph: memoryview, count: int) -> bytes | None:
    """Copy all of a graph but its constants, which come first."""
    fields = list(wire_fields(graph))
    shared = {_name(content, _TENSOR_NAME) for number, content, _ in fields if number == _INITIALIZER}
    made, own = bytearray(), {_NODE, _INPUT, _OUTPUT, _VALUE_INFO}
    for number, content, whole in fields:
        if number == _SPARSE or (number == _NODE and _has_graphs(content)):
            return None
        if number not in own or (number == _INPUT and _name(content, _VALUE_NAME) in shared):
            made += whole
    for copy in range(count):
        renamed = partial(_renamed, shared=shared, number=copy)
        for number, content, _ in fields:
            if number == _NODE:
                made += _field(_NODE, _changed(content, {_NODE_INPUT, _NODE_OUTPUT, _NODE_NAME}, renamed))
            elif number in own and _name(content, _VALUE_NAME) not in shared:
                made += _field(number, _changed(content, {_VALUE_NAME}, renamed))
    return bytes(made)


def _renamed(name: str, *, shared: set[str], number: int) -> str:
    return name if name in shared else copy_name(name, number)


def _changed(message: memoryview, texts: set[int], change: Callable[[str], str]) -> bytes:
    """Give a message with some of its texts changed."""
    made = bytearray()
    for number, content, whole in wire_fields(message):
        made += _field(number, change(bytes(content).decode()).encode()) if number in texts else whole
    return bytes(made)


def _has_graphs(node: memoryview) -> bool:
    return any(number in {_SUBGRAPH, _SUBGRAPHS} for one in _of(node, _ATTRIBUTE) for number, _, _ in wire_fields(one))


def _name(message: memoryview, number: int) -> str:
    return next((bytes(text).decode() for text in _of(message, number)), "")


def _of(message: memoryview, wanted: int) -> Iterator[memoryview]:
    return (content for number, content, _ in wire_fields(message) if number == wanted)


def _field(number: int, content: bytes) -> bytes:
    """Write a field of bytes."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])
