"""Between numbers and the bytes of ONNX element types that numpy lacks: bfloat16, 8-bit floats, types below a byte.

``ml_dtypes`` does the same and is not used, since a suite needs numpy and onnxruntime only; the tests compare with it.
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .dtypes import BY_NAME, byte_size, storage_dtype

Numbers = NDArray[Any]


class _FloatFormat(NamedTuple):
    """A small float: widths of its fields, and which codes are no finite number."""

    exponent_bits: int
    mantissa_bits: int
    bias: int
    signed: bool
    special: dict[int, float]


_NAN, _INF = math.nan, math.inf
_SMALL_FLOATS = {
    "float8e4m3fn": _FloatFormat(4, 3, 7, signed=True, special={0x7F: _NAN, 0xFF: _NAN}),
    "float8e4m3fnuz": _FloatFormat(4, 3, 8, signed=True, special={0x80: _NAN}),
    "float8e5m2": _FloatFormat(
        5,
        2,
        15,
        signed=True,
        special={
            sign | code: value
            for sign in (0, 0x80)
            for code, value in ((0x7C, -_INF if sign else _INF), (0x7D, _NAN), (0x7E, _NAN), (0x7F, _NAN))
        },
    ),
    "float8e5m2fnuz": _FloatFormat(5, 2, 16, signed=True, special={0x80: _NAN}),
    "float4e2m1": _FloatFormat(2, 1, 1, signed=True, special={}),
}


@functools.cache
def code_values(dtype: str) -> NDArray[np.float64]:
    """Give the number that each code of a small float stands for, by code.

    Source: ONNX documentation, "Float stored in 8 bits" and "Float stored in 4 bits".
    """
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
    """Put several codes of ``bits`` bits into each byte, the first one lowest."""
    per_byte = 8 // bits
    padded = np.zeros(-(-codes.size // per_byte) * per_byte, np.uint8)
    padded[: codes.size] = codes & ((1 << bits) - 1)
    lanes = padded.reshape(-1, per_byte)
    packed = np.zeros(len(lanes), np.uint8)
    for lane in range(per_byte):
        packed |= lanes[:, lane] << (lane * bits)
    return packed


def unpack(packed: NDArray[np.uint8], bits: int, count: int) -> NDArray[np.uint8]:
    """Give the first ``count`` codes of ``bits`` bits."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    return ((packed[:, None] >> shifts) & np.uint8((1 << bits) - 1)).reshape(-1)[:count]


def encode(numbers: Numbers, dtype: str) -> Numbers:
    """Turn numbers into the storage of a type: nearest value, saturating; packed and flat below a byte.

    Args:
        numbers: floats for float types, integers for the others; any shape.
        dtype: name of the element type; not ``string``.
    """
    entry = BY_NAME[dtype]
    if dtype == "bfloat16":
        bits = np.asarray(numbers, np.float32).view(np.uint32)
        rounded: Numbers = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
        return rounded
    if entry.kind == "float" and entry.bits <= 8:
        codes, middles = _nearest_table(dtype)
        found = codes[np.searchsorted(middles, np.asarray(numbers, np.float64))]
        return pack(found.reshape(-1), entry.bits) if entry.bits < 8 else found
    if entry.bits < 8:
        return pack(np.asarray(numbers).astype(np.int64).astype(np.uint8).reshape(-1), entry.bits)
    return np.asarray(numbers).astype(storage_dtype(dtype))


def decode(storage: Numbers, dtype: str, count: int) -> Numbers:
    """Turn storage into a flat array of ``count`` numbers that numpy can calculate with."""
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
    """Give the little-endian bytes of a storage array."""
    return storage.astype(storage.dtype.newbyteorder("<"), copy=False).tobytes()


def from_bytes(data: bytes, dtype: str, shape: tuple[int, ...]) -> Numbers:
    """Read little-endian bytes, as in ONNX ``raw_data``, into the storage of a type.

    Raises:
        ValueError: the length does not fit the shape.
    """
    count = math.prod(shape)
    if len(data) != byte_size(dtype, count):
        raise ValueError(f"{len(data)} bytes do not make {count} values of {dtype}")
    flat = np.frombuffer(data, storage_dtype(dtype).newbyteorder("<")).astype(storage_dtype(dtype))
    return flat if BY_NAME[dtype].bits < 8 else flat.reshape(shape)
