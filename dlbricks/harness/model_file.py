"""Reads and writes protobuf fields of serialised networks, since the harness does not depend on onnx."""

from collections.abc import Iterator
from typing import NamedTuple

# Operators whose constants may be shared: their kernels pack them, or, as Gather, read a few rows of a table.
_SHARED = frozenset(
    {
        *("Attention", "DynamicQuantizeLSTM", "DynamicQuantizeMatMul", "FusedGemm", "FusedMatMul", "GRU", "Gather"),
        *("Gemm", "LSTM", "MatMul", "MatMulInteger", "MatMulIntegerToFloat", "MatMulNBits", "QAttention", "QGemm"),
        *("QLinearConv", "QLinearMatMul", "RNN"),
    }
)

_GRAPH, _NODE, _INITIALIZER = 7, 1, 5  # fields of ModelProto and GraphProto
_NODE_INPUT, _NODE_OPERATOR = 1, 4  # of NodeProto
_DIMS, _TYPE, _NAME, _EXTERNAL = 1, 2, 8, 13  # of TensorProto


class ExternalConstant(NamedTuple):
    """A constant whose values are in a weight file."""

    name: str
    dtype: int
    """``TensorProto.DataType``."""
    shape: tuple[int, ...]
    file: str
    offset: int
    length: int


def read_directly(network: bytes) -> list[ExternalConstant]:
    """Return the constants in weight files that kernels read in place instead of packing them."""
    constants: list[ExternalConstant] = []
    private: set[str] = set()
    for number, graph in _fields(memoryview(network)):
        if number != _GRAPH:
            continue
        for part, content in _fields(graph):
            if part == _INITIALIZER:
                constants += external_constants(content)
            elif part == _NODE:
                fields = list(_fields(content))
                operator = next((bytes(value).decode() for key, value in fields if key == _NODE_OPERATOR), "")
                if operator not in _SHARED:
                    private.update(bytes(value).decode() for key, value in fields if key == _NODE_INPUT)
    return [constant for constant in constants if constant.name in private]


def external_constants(tensor: memoryview) -> list[ExternalConstant]:
    """Return where a constant (``TensorProto``) lies in a weight file; empty if the network holds its values."""
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
    """Read packed varints."""
    numbers, at = [], 0
    while at < len(value):
        number, at = _varint(value, at)
        numbers.append(number)
    return numbers


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Return number and content of every field; an integer as its encoded bytes."""
    return ((number, content) for number, content, _ in wire_fields(message))


def wire_fields(message: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """Return number, content and complete encoding of every field of a protobuf message."""
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


def encode_field(number: int, content: bytes) -> bytes:
    """Encode a length-delimited field of a protobuf message."""
    return _encode_varint(number << 3 | 2) + _encode_varint(len(content)) + content


def _encode_varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    return bytes((*encoded, value))


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
