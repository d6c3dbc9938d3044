"""Reads what the harness has to know of a serialised network, without onnx: the fields of protobuf messages."""

from collections.abc import Iterator
from typing import NamedTuple

_SHARED = frozenset(
    {
        *("Attention", "DynamicQuantizeLSTM", "DynamicQuantizeMatMul", "FusedGemm", "FusedMatMul", "GRU", "Gather"),
        *("Gemm", "LSTM", "MatMul", "MatMulInteger", "MatMulIntegerToFloat", "MatMulNBits", "QAttention", "QGemm"),
        *("QLinearConv", "QLinearMatMul", "RNN"),
    }
)
"""Operators whose constants may stay shared: they pack them, or, as Gather, read a few rows of a large table."""

_GRAPH, _NODE, _INITIALIZER = 7, 1, 5  # fields of ModelProto and GraphProto
_NODE_INPUT, _NODE_OPERATOR = 1, 4  # of NodeProto
_DIMS, _TYPE, _NAME, _EXTERNAL = 1, 2, 8, 13  # of TensorProto


class ExternalConstant(NamedTuple):
    """A constant that lies in a weight file."""

    name: str
    dtype: int
    """``TensorProto.DataType``."""
    shape: tuple[int, ...]
    file: str
    offset: int
    length: int


def read_directly(network: bytes) -> list[ExternalConstant]:
    """Give the constants in weight files that an operator reads where they lie, instead of packing them."""
    found: list[ExternalConstant] = []
    private: set[str] = set()
    for number, graph in _fields(memoryview(network)):
        if number != _GRAPH:
            continue
        for part, content in _fields(graph):
            if part == _INITIALIZER:
                found += outside(content)
            elif part == _NODE:
                fields = list(_fields(content))
                operator = next((bytes(value).decode() for key, value in fields if key == _NODE_OPERATOR), "")
                if operator not in _SHARED:
                    private.update(bytes(value).decode() for key, value in fields if key == _NODE_INPUT)
    return [one for one in found if one.name in private]


def outside(tensor: memoryview) -> list[ExternalConstant]:
    """Say where the values of a constant (a ``TensorProto``) lie; nothing if they lie in the network itself."""
    name, dtype, shape, places = "", 0, list[int](), dict[str, str]()
    for number, value in _fields(tensor):
        if number == _DIMS:
            shape += _packed(value)
        elif number == _TYPE:
            dtype = _packed(value)[0]
        elif number == _NAME:
            name = bytes(value).decode()
        elif number == _EXTERNAL:
            entry = {key: bytes(text).decode() for key, text in _fields(value)}
            places[entry.get(1, "")] = entry.get(2, "")
    if "location" not in places:
        return []
    length = int(places.get("length", "0"))
    return [ExternalConstant(name, dtype, tuple(shape), places["location"], int(places.get("offset", "0")), length)]


def _packed(value: memoryview) -> list[int]:
    """Read whole numbers that follow one another."""
    numbers, at = [], 0
    while at < len(value):
        number, at = _varint(value, at)
        numbers.append(number)
    return numbers


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Give number and content of every field; a whole number as the bytes that it is written in."""
    return ((number, content) for number, content, _ in wire_fields(message))


def wire_fields(message: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """Give number and content of every field of a protobuf message, and all that is written of it."""
    begin = at = 0
    while at < len(message):
        key, at = _varint(message, at)
        kind = key & 7
        if kind == 0:
            end = _varint(message, at)[1]
        elif kind == 2:
            length, at = _varint(message, at)
            end = at + length
        else:
            end = at + (8 if kind == 1 else 4)
        yield key >> 3, message[at:end], message[begin:end]
        begin = at = end


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
