"""The element types of ONNX tensors: their names, numbers and bits, and how numpy stores their values.

Types that numpy lacks are stored as unsigned integers of the same width. Types below 8 bits are packed two or four to a
byte, as in ONNX.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class ElementType(NamedTuple):
    """One ONNX element type."""

    name: str
    """Lower-case name, as in ``float32`` or ``float8e4m3fn``."""
    onnx: int
    """Number of the type in ``TensorProto.DataType``."""
    bits: int
    """Bits per element; 0 for strings."""
    storage: str
    """numpy dtype that stores the values, or the packed bytes of types below 8 bits."""
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

# Element types by name.
BY_NAME = {entry.name: entry for entry in _TABLE}

# Element types by their numbers in ``TensorProto.DataType``.
BY_ONNX = {entry.onnx: entry for entry in _TABLE}


def byte_size(name: str, elements: int) -> int:
    """Return the size of ``elements`` packed values of a type, bytes; 0 for strings, whose size is unknown."""
    return (BY_NAME[name].bits * elements + 7) // 8


def storage_dtype(name: str) -> np.dtype:
    """Return the numpy dtype that stores values of an element type."""
    return np.dtype(BY_NAME[name].storage)


Numbers = NDArray[Any]


class _FloatFormat(NamedTuple):
    # The layout of a float of at most 8 bits: widths of its fields, and the codes that are not finite

    exponent_bits: int
    mantissa_bits: int
    bias: int
    special: dict[int, float]


_NAN, _INF = math.nan, math.inf
_NANS_E5M2 = (0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF)
_SMALL_FLOATS = {
    "float8e4m3fn": _FloatFormat(4, 3, 7, special={0x7F: _NAN, 0xFF: _NAN}),
    "float8e4m3fnuz": _FloatFormat(4, 3, 8, special={0x80: _NAN}),
    "float8e5m2": _FloatFormat(5, 2, 15, special={0x7C: _INF, 0xFC: -_INF, **dict.fromkeys(_NANS_E5M2, _NAN)}),
    "float8e5m2fnuz": _FloatFormat(5, 2, 16, special={0x80: _NAN}),
    "float4e2m1": _FloatFormat(2, 1, 1, special={}),
}


@functools.cache
def code_values(dtype: str) -> NDArray[np.float64]:
    """Return the numbers that the bit patterns 0, 1, 2 ... of a float type (at most 8 bits) represent."""
    # Source: ONNX documentation, "Float stored in 8 bits" and "Float stored in 4 bits".
    if dtype == "float8e8m0":
        return np.array([2.0 ** (code - 127) for code in range(255)] + [_NAN])
    form = _SMALL_FLOATS[dtype]
    values = []
    for code in range(1 << BY_NAME[dtype].bits):
        mantissa = code & ((1 << form.mantissa_bits) - 1)
        exponent = code >> form.mantissa_bits & ((1 << form.exponent_bits) - 1)
        fraction = mantissa / (1 << form.mantissa_bits)
        scale = 2.0 ** (max(exponent, 1) - form.bias)
        magnitude = (fraction + (exponent > 0)) * scale
        negative = code >> (form.mantissa_bits + form.exponent_bits)
        values.append(form.special.get(code, -magnitude if negative else magnitude))
    return np.array(values)


@functools.cache
def _nearest_table(dtype: str) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    values = code_values(dtype)
    finite = [code for code in range(len(values)) if math.isfinite(values[code])]
    by_number = sorted({float(values[code]): code for code in reversed(finite)}.items())
    numbers = np.array([number for number, _ in by_number])
    return np.array([code for _, code in by_number], np.uint8), (numbers[1:] + numbers[:-1]) / 2


def pack(codes: NDArray[np.uint8], bits: int) -> NDArray[np.uint8]:
    """Pack values of ``bits`` bits (2 or 4) into bytes; the first value takes the lowest bits."""
    per_byte = 8 // bits
    padded = np.zeros(-(-codes.size // per_byte) * per_byte, np.uint8)
    padded[: codes.size] = codes & ((1 << bits) - 1)
    lanes = padded.reshape(-1, per_byte)
    packed = np.zeros(len(lanes), np.uint8)
    for lane in range(per_byte):
        packed |= lanes[:, lane] << (lane * bits)
    return packed


def unpack(packed: NDArray[np.uint8], bits: int, count: int) -> NDArray[np.uint8]:
    """Return the first ``count`` values from bytes that ``pack`` packed; each takes ``bits`` bits."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    return ((packed[:, None] >> shifts) & np.uint8((1 << bits) - 1)).reshape(-1)[:count]


def encode(numbers: Numbers, dtype: str) -> Numbers:
    """Round numbers to an element type; the result is a flat array of packed bytes for types below 8 bits.

    Args:
        numbers: floats for float types, integers for all other types; any shape.
        dtype: name of the element type; not ``string``.
    """
    entry = BY_NAME[dtype]
    if dtype == "bfloat16":
        bits = np.asarray(numbers, np.float32).view(np.uint32)
        rounded: Numbers = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
        return rounded
    if entry.kind == "float" and entry.bits <= 8:
        codes, middles = _nearest_table(dtype)
        nearest = codes[np.searchsorted(middles, np.asarray(numbers, np.float64))]
        return pack(nearest.reshape(-1), entry.bits) if entry.bits < 8 else nearest
    if entry.bits < 8:
        return pack(np.asarray(numbers).astype(np.int64).astype(np.uint8).reshape(-1), entry.bits)
    return np.asarray(numbers).astype(storage_dtype(dtype))


def decode(storage: Numbers, dtype: str, count: int) -> Numbers:
    """Return ``count`` numbers as a flat array, from the ``storage`` that ``encode`` returned."""
    entry = BY_NAME[dtype]
    flat = storage.reshape(-1)
    if dtype == "bfloat16":
        return (flat.astype(np.uint32) << 16).view(np.float32)
    if entry.bits < 8:
        flat = unpack(flat.view(np.uint8), entry.bits, count)
    if entry.kind == "float" and entry.bits <= 8:
        return code_values(dtype)[flat]
    if dtype in {"int4", "int2"}:
        sign = 1 << (entry.bits - 1)
        return (flat.astype(np.int8) ^ sign) - np.int8(sign)
    return flat[:count]


def as_bytes(storage: Numbers) -> bytes:
    """Return the bytes of an array in little-endian order, as ONNX ``raw_data`` has them."""
    return storage.astype(storage.dtype.newbyteorder("<"), copy=False).tobytes()


def from_bytes(data: bytes, dtype: str, shape: tuple[int, ...]) -> Numbers:
    """Convert ONNX ``raw_data`` to what ``encode`` returns; raises ``ValueError`` for a wrong length."""
    count = math.prod(shape)
    if len(data) != byte_size(dtype, count):
        raise ValueError(f"the length of {dtype}[{count}] is {len(data)}, not {byte_size(dtype, count)}")
    flat = np.frombuffer(data, storage_dtype(dtype).newbyteorder("<")).astype(storage_dtype(dtype))
    return flat if BY_NAME[dtype].bits < 8 else flat.reshape(shape)
