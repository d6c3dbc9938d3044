"""Constants of one session in memory of its own.

onnxruntime maps weight files, and a kernel that takes a constant as it is reads the mapped pages, which all sessions on
one file share: called after a neighbour, a benchmark would find its constants in the cache although it never touched
them. In a network every layer has its own. Kernels that keep a packed copy have one of their own anyhow.

The wire format is walked here since a suite needs no package that reads ONNX; ``onnx`` was looked at.
"""

import functools
import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnxruntime

from .bits import Numbers
from .dtypes import BY_ONNX, storage_dtype

_SHARED = frozenset(
    {
        *("Attention", "DynamicQuantizeLSTM", "DynamicQuantizeMatMul", "FusedGemm", "FusedMatMul", "GRU", "Gather"),
        *("Gemm", "LSTM", "MatMul", "MatMulInteger", "MatMulIntegerToFloat", "MatMulNBits", "QAttention", "QGemm"),
        *("QLinearConv", "QLinearMatMul", "RNN"),
    }
)
"""Operators whose constants may stay shared: they pack them, or, as Gather, read a few rows of a large table."""

_PAGE = 4096
_NUMPY_ASKS_FOR_HUGE_PAGES = 1 << 22
"""Bytes from which numpy asks for huge pages on Linux; the runtime does not, and each small page costs a lookup."""
_GRAPH, _NODE, _INITIALIZER = 7, 1, 5  # fields of ModelProto and GraphProto
_NODE_INPUT, _NODE_OPERATOR = 1, 4  # of NodeProto
_DIMS, _TYPE, _NAME, _EXTERNAL = 1, 2, 8, 13  # of TensorProto


class _Outside(NamedTuple):
    """A constant that lies in a weight file."""

    name: str
    dtype: int
    """``TensorProto.DataType``."""
    shape: tuple[int, ...]
    file: str
    offset: int
    length: int


def aligned(nbytes: int) -> Numbers:
    """Give unset memory that begins at a page: flat, uint8, as many whole words as cover what was asked for.

    Buffers of an operator that differ by a few lines modulo 4096 alias in the load and store queues of processors,
    which slows element-wise operators to a third; inside a network they lie in pages of their own.
    """
    length = -(-max(nbytes, 1) // 8) * 8
    if length >= _NUMPY_ASKS_FOR_HUGE_PAGES:
        return np.frombuffer(_small_pages(length), np.uint8)
    space = np.empty(length + _PAGE, np.uint8)
    begin = -space.ctypes.data % _PAGE
    return space[begin : begin + length]


def _small_pages(nbytes: int) -> mmap.mmap:
    """Take memory from the system, private to the process where the system tells the two apart.

    Raises:
        MemoryError: there is none.
    """
    try:
        if hasattr(mmap, "MAP_PRIVATE"):
            return mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        return mmap.mmap(-1, nbytes)
    except OSError as error:
        raise MemoryError(f"cannot have {nbytes} bytes") from error


def own_constants(network: bytes, weights: Path) -> list[tuple[str, Any]]:
    """Copy the constants of a network that its kernels would read from shared pages.

    Args:
        network: a serialised ModelProto.
        weights: folder of its weight files.

    Returns:
        Name and ``OrtValue`` of each; they have to live as long as the session.

    Raises:
        OSError: a weight file cannot be read.
    """
    made = []
    for one in _outside(network):
        storage = storage_dtype(BY_ONNX[one.dtype].name)
        if storage.name != BY_ONNX[one.dtype].name or one.length == 0:
            continue  # numpy has no such numbers
        memory = aligned(one.length)[: one.length]
        memory[:] = _mapped(weights / one.file)[one.offset : one.offset + one.length]
        values = memory.view(storage).reshape(one.shape)
        made.append((one.name, onnxruntime.OrtValue.ortvalue_from_numpy(values)))
    return made


@functools.lru_cache(maxsize=256)
def _mapped(path: Path) -> Numbers:
    return np.memmap(path, np.uint8, "r")


def _outside(network: bytes) -> list[_Outside]:
    """Find the constants in weight files that not only packing operators read."""
    found: list[_Outside] = []
    private: set[str] = set()
    for number, graph in _fields(memoryview(network)):
        if number != _GRAPH:
            continue
        for part, content in _fields(graph):
            if part == _INITIALIZER:
                found += _external(content)
            elif part == _NODE:
                fields = list(_fields(content))
                operator = next((bytes(value).decode() for key, value in fields if key == _NODE_OPERATOR), "")
                if operator not in _SHARED:
                    private.update(bytes(value).decode() for key, value in fields if key == _NODE_INPUT)
    return [one for one in found if one.name in private]


def _external(tensor: memoryview) -> list[_Outside]:
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
    return [_Outside(name, dtype, tuple(shape), places["location"], int(places.get("offset", "0")), length)]


def _packed(value: memoryview) -> list[int]:
    """Read whole numbers that follow one another."""
    numbers, at = [], 0
    while at < len(value):
        number, at = _varint(value, at)
        numbers.append(number)
    return numbers


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Give number and content of every field; a whole number as the bytes that it is written in."""
    at = 0
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
        yield key >> 3, message[at:end]
        at = end


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
