"""Reads and rewrites serialised networks field by field (protobuf), since the harness does not depend on onnx."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

# The table of operators, which the harness does not import, has all of them (a test compares both).
# Operators whose constants two benchmarks may share: their kernels pack the constants, or read few rows (Gather).
_SHARED = frozenset(
    {
        *("Attention", "DynamicQuantizeLSTM", "DynamicQuantizeMatMul", "FusedGemm", "FusedMatMul", "GRU", "Gather"),
        *("Gemm", "LSTM", "MatMul", "MatMulInteger", "MatMulIntegerToFloat", "MatMulNBits", "QAttention", "QGemm"),
        *("QLinearConv", "QLinearMatMul", "RNN"),
    }
)

# Field numbers of ModelProto, GraphProto, NodeProto, ValueInfoProto and TensorProto, a line each.
GRAPH = 7
NODE, INITIALIZER, INPUT = 1, 5, 11
NODE_INPUT, NODE_OPERATOR = 1, 4
VALUE_NAME = 1
_DIMS, TYPE, _NAME, RAW, EXTERNAL, LOCATION = 1, 2, 8, 9, 13, 14
# Wire types of fields, and the bytes of those of a fixed size.
VARINT, DELIMITED = 0, 2
_FIXED = {1: 8, 5: 4}


class ExternalConstant(NamedTuple):
    """A constant of a network whose values lie in a weight file (ONNX external data)."""

    name: str
    dtype: int
    """Number in ``TensorProto.DataType``."""
    shape: tuple[int, ...]
    file: str
    offset: int
    length: int


def read_directly(network: bytes) -> list[ExternalConstant]:
    """Return the constants that every call reads from weight files; of all others, the runtime has a copy."""
    graph = next(contents(memoryview(network), GRAPH))
    nodes = [node for node in contents(graph, NODE) if text_of(node, NODE_OPERATOR) not in _SHARED]
    private = {bytes(name).decode() for node in nodes for name in contents(node, NODE_INPUT)}
    constants = map(external_constant, contents(graph, INITIALIZER))
    return [constant for constant in constants if constant is not None and constant.name in private]


def external_constant(tensor: memoryview) -> ExternalConstant | None:
    """Return the place of a constant (``TensorProto``) in a weight file; None if the network file holds the values."""
    entries = ({key: bytes(text).decode() for key, text, *_ in wire_fields(at)} for at in contents(tensor, EXTERNAL))
    place = {entry.get(1, ""): entry.get(2, "") for entry in entries}
    if "location" not in place:
        return None
    shape = tuple(extent for packed in contents(tensor, _DIMS) for extent in varints(packed))
    dtype = next(varints(next(contents(tensor, TYPE))))
    offset, length = (int(place.get(key, "0")) for key in ("offset", "length"))
    return ExternalConstant(text_of(tensor, _NAME), dtype, shape, place["location"], offset, length)


def rewritten(message: memoryview, changes: Mapping[int, Callable[[memoryview], bytes]]) -> bytes:
    """Return a protobuf message with changed fields; ``changes`` maps a field number to a function of its content."""
    return b"".join(
        encode_field(key, changes[key](content)) if key in changes else message[begin:end]
        for key, content, begin, end in wire_fields(message)
    )


def contents(message: memoryview, number: int) -> Iterator[memoryview]:
    """Return the contents of all fields of a protobuf message that have the field number ``number``."""
    return (content for key, content, *_ in wire_fields(message) if key == number)


def text_of(message: memoryview, number: int) -> str:
    """Return the text in the first field ``number`` of a message; empty if there is none."""
    return bytes(next(contents(message, number), b"")).decode()


def wire_fields(message: memoryview) -> Iterator[tuple[int, memoryview, int, int]]:
    """Yield number, encoded content, begin and end of every field of a protobuf message.

    Raises ``ValueError`` if the bytes are not a protobuf message, or are damaged.
    """
    begin = at = 0
    while at < len(message):
        key, at = _varint(message, at)
        kind = key & 7
        if kind == DELIMITED:
            length, at = _varint(message, at)
            end = at + length
        elif kind == VARINT:
            end = _varint(message, at)[1]
        else:
            end = at + _FIXED.get(kind, len(message))
        # a field number is at least 1 (key 8); without this check a file of zeros would be a sequence of fields
        if end > len(message) or key < 8:
            raise ValueError("not a protobuf message")
        yield key >> 3, message[at:end], begin, end
        begin = at = end


def encode_field(number: int, content: bytes) -> bytes:
    """Encode a length-delimited field of a protobuf message."""
    encoded = bytearray()
    for value in (number << 3 | 2, len(content)):
        while value > 127:
            encoded.append(value & 127 | 128)
            value >>= 7  # noqa: PLW2901 - the digits still to be encoded
        encoded.append(value)
    return bytes(encoded) + content


def varints(packed: memoryview) -> Iterator[int]:
    """Decode the protobuf varints that follow each other in ``packed``."""
    at = 0
    while at < len(packed):
        value, at = _varint(packed, at)
        yield value


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    # Return the integer at a position, and the position after it
    value = shift = 0
    # ten bytes of seven bits hold 64 bits; a longer number means that the file is damaged
    while at < len(data) and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise ValueError("not a protobuf message")
