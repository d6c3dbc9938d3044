"""The tensor element types of ONNX: names, numbers, bits, and how numpy stores them.

Imports numpy only; it is the one table that both the suites and dlbricks read. Types that numpy lacks are stored as
unsigned integers of the same width; types below a byte are packed two or four to a byte, as ONNX packs them.
"""

from typing import NamedTuple

import numpy as np


class ElementType(NamedTuple):
    """One ONNX element type."""

    name: str
    """Lower-case name, as in ``float32`` or ``float8e4m3fn``."""
    onnx: int
    """``TensorProto.DataType`` number."""
    bits: int
    """Bits per element; 0 for strings."""
    storage: str
    """numpy dtype that holds it, or holds its packed bytes."""
    kind: str
    """``float``, ``int``, ``bool``, ``complex`` or ``string``."""


_TABLE = (
    ElementType("float32", 1, 32, "float32", "float"),
    ElementType("uint8", 2, 8, "uint8", "int"),
    ElementType("int8", 3, 8, "int8", "int"),
    ElementType("uint16", 4, 16, "uint16", "int"),
    ElementType("int16", 5, 16, "int16", "int"),
    ElementType("int32", 6, 32, "int32", "int"),
    ElementType("int64", 7, 64, "int64", "int"),
    ElementType("string", 8, 0, "object", "string"),
    ElementType("bool", 9, 8, "bool", "bool"),
    ElementType("float16", 10, 16, "float16", "float"),
    ElementType("float64", 11, 64, "float64", "float"),
    ElementType("uint32", 12, 32, "uint32", "int"),
    ElementType("uint64", 13, 64, "uint64", "int"),
    ElementType("complex64", 14, 64, "complex64", "complex"),
    ElementType("complex128", 15, 128, "complex128", "complex"),
    ElementType("bfloat16", 16, 16, "uint16", "float"),
    ElementType("float8e4m3fn", 17, 8, "uint8", "float"),
    ElementType("float8e4m3fnuz", 18, 8, "uint8", "float"),
    ElementType("float8e5m2", 19, 8, "uint8", "float"),
    ElementType("float8e5m2fnuz", 20, 8, "uint8", "float"),
    ElementType("uint4", 21, 4, "uint8", "int"),
    ElementType("int4", 22, 4, "uint8", "int"),
    ElementType("float4e2m1", 23, 4, "uint8", "float"),
    ElementType("float8e8m0", 24, 8, "uint8", "float"),
    ElementType("uint2", 25, 2, "uint8", "int"),
    ElementType("int2", 26, 2, "uint8", "int"),
)

BY_NAME = {entry.name: entry for entry in _TABLE}
"""Element type by its name."""

BY_ONNX = {entry.onnx: entry for entry in _TABLE}
"""Element type by its ``TensorProto.DataType`` number."""


def byte_size(name: str, elements: int) -> int:
    """Bytes that ``elements`` values of the type take, packed; 0 for strings, whose size is not in their shape."""
    return (BY_NAME[name].bits * elements + 7) // 8


def storage_dtype(name: str) -> np.dtype:
    """numpy dtype in which values of the type are held."""
    return np.dtype(BY_NAME[name].storage)
