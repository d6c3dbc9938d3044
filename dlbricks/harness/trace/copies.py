"""Builds networks of several copies of a network: the time that one more copy adds is that of the network alone."""

from collections.abc import Callable, Iterator
from functools import partial

from ..model_file import encode_field, wire_fields
from ..network import copy_name

_GRAPH = 7  # of ModelProto
_NODE, _INITIALIZER, _INPUT, _OUTPUT, _VALUE_INFO, _SPARSE = 1, 5, 11, 12, 13, 15  # of GraphProto
_NODE_INPUT, _NODE_OUTPUT, _NODE_NAME, _ATTRIBUTE = 1, 2, 3, 5  # of NodeProto
_SUBGRAPH, _SUBGRAPHS = 6, 11  # of AttributeProto
_VALUE_NAME, _TENSOR_NAME = 1, 8  # of ValueInfoProto and TensorProto


def copies(network: bytes, count: int) -> bytes | None:
    """Return a network of ``count`` copies of another one, which share only its constants.

    Inputs, tensors and outputs of the copies are named by ``network.copy_name``. Each copy has its own inputs, since
    runtimes eliminate common subexpressions.

    Args:
        network: a serialised ModelProto.
        count: number of copies.

    Returns:
        The serialised ModelProto; None if nodes have subgraphs, which may read any tensor.
    """
    model = bytearray()
    for number, content, whole in wire_fields(memoryview(network)):
        if number != _GRAPH:
            model += whole
            continue
        graph = _graph(content, count)
        if graph is None:
            return None
        model += encode_field(_GRAPH, graph)
    return bytes(model)


def with_leading_kernels(network: bytes, leading: bytes, kernels: int) -> bytes:
    """Return a network with an independent chain of nodes added; the nodes of the chain come first.

    Args:
        network: a serialised ModelProto.
        leading: a serialised ModelProto with one node that computes ``y`` from ``x``, to be repeated in the chain.
        kernels: number of nodes of the chain; its tensors are named by ``leading_name``.
    """
    own = next(content for number, content, _ in wire_fields(memoryview(leading)) if number == _GRAPH)
    chain = bytearray()
    ends = {_INPUT: leading_name(0), _OUTPUT: leading_name(kernels)}
    for number, content, _ in wire_fields(own):
        if number == _NODE:
            for at in range(kernels):
                names = {"x": leading_name(at), "y": leading_name(at + 1)}
                node = _changed(content, {_NODE_INPUT, _NODE_OUTPUT}, names.__getitem__)
                chain += encode_field(_NODE, node + encode_field(_NODE_NAME, leading_name(at).encode()))
        elif number in ends:
            chain += encode_field(
                number, _changed(content, {_VALUE_NAME}, {"x": ends[_INPUT], "y": ends[_OUTPUT]}.__getitem__)
            )
    fields = wire_fields(memoryview(network))
    return b"".join(
        encode_field(_GRAPH, bytes(chain) + content) if number == _GRAPH else whole for number, content, whole in fields
    )


def leading_name(place: int) -> str:
    """Name the tensor after ``place`` nodes of the leading chain."""
    return f"leading~{place}"


def _graph(graph: memoryview, count: int) -> bytes | None:
    """Copy a graph ``count`` times; its constants come once, first."""
    fields = list(wire_fields(graph))
    shared = {_name(content, _TENSOR_NAME) for number, content, _ in fields if number == _INITIALIZER}
    copied, own = bytearray(), {_NODE, _INPUT, _OUTPUT, _VALUE_INFO}
    for number, content, whole in fields:
        if number == _SPARSE or (number == _NODE and _has_graphs(content)):
            return None
        if number not in own or (number == _INPUT and _name(content, _VALUE_NAME) in shared):
            copied += whole
    for copy in range(count):
        renamed = partial(_renamed, shared=shared, number=copy)
        for number, content, _ in fields:
            if number == _NODE:
                copied += encode_field(_NODE, _changed(content, {_NODE_INPUT, _NODE_OUTPUT, _NODE_NAME}, renamed))
            elif number in own and _name(content, _VALUE_NAME) not in shared:
                copied += encode_field(number, _changed(content, {_VALUE_NAME}, renamed))
    return bytes(copied)


def _renamed(name: str, *, shared: set[str], number: int) -> str:
    return name if name in shared else copy_name(name, number)


def _changed(message: memoryview, texts: set[int], change: Callable[[str], str]) -> bytes:
    """Return a message with the texts of some fields changed."""
    changed = bytearray()
    for number, content, whole in wire_fields(message):
        changed += encode_field(number, change(bytes(content).decode()).encode()) if number in texts else whole
    return bytes(changed)


def _has_graphs(node: memoryview) -> bool:
    return any(
        number in {_SUBGRAPH, _SUBGRAPHS}
        for attribute in _of(node, _ATTRIBUTE)
        for number, _, _ in wire_fields(attribute)
    )


def _name(message: memoryview, number: int) -> str:
    return next((bytes(text).decode() for text in _of(message, number)), "")


def _of(message: memoryview, wanted: int) -> Iterator[memoryview]:
    return (content for number, content, _ in wire_fields(message) if number == wanted)
