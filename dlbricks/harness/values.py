"""Generates inputs and weight files; a seed and the name of a stream give the same numbers on every machine.

The bits come from SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), a hash of a counter. The streams of ``numpy.random``
may change between releases.
"""

import contextlib
import functools
import hashlib
import math
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .dtypes import BY_NAME, Numbers, as_bytes, byte_size, encode, from_bytes, storage_dtype
from .errors import HarnessError

# Period of the values, in bytes for packed types, in elements for other types. It is prime, so that rows of a matrix
# differ, and so small that half a gigabyte is written in less than a second.
PERIOD = 131_071

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
# Smaller float16 values are subnormal, and some processors compute slowly with such values.
_SMALLEST_NORMAL_HALF = 2.0**-14
# A product of a count and a share that should be a whole number differs from it by less.
_ROUNDING = 1e-6
_CHUNK_BYTES = 1 << 24


def stream_bits(seed: int, stream: str | int, count: int) -> NDArray[np.uint64]:
    """Return the first ``count`` random numbers of a stream, as unsigned integers of 64 bits."""
    key = hashlib.sha256(f"{seed}/{stream}".encode()).digest()
    state = np.arange(1, count + 1, dtype=np.uint64) if count > 2 * PERIOD else _counters()[:count].copy()
    state *= _GOLDEN
    state += np.uint64(int.from_bytes(key[:8], "little"))
    shifted = state >> np.uint64(30)
    for factor, shift in ((0xBF58476D1CE4E5B9, 27), (0x94D049BB133111EB, 31)):
        state ^= shifted
        state *= np.uint64(factor)
        np.right_shift(state, np.uint64(shift), out=shifted)
    state ^= shifted
    return state


@functools.cache
def _counters() -> NDArray[np.uint64]:
    return np.arange(1, 2 * PERIOD + 1, dtype=np.uint64)


def fill(
    dtype: str,
    shape: Sequence[int],
    generator: Mapping[str, Any],
    seed: int,
    stream: str | int,
    *,
    space: Numbers | None = None,
) -> Numbers:
    """Generate the values of an input or a weight.

    Args:
        dtype: name of the element type; not ``string``.
        generator: ``kind`` is ``uniform`` (floats from ``low`` to ``high``), ``integers`` (``low`` <= value <
            ``high``), ``spaced`` (booleans, of which a share ``density`` is true, evenly spaced), ``bool`` (the same at
            random, in older suites) or ``literal`` (``values``, little-endian hexadecimal; a single element stands for
            all).
        stream: name of the stream of random numbers, as in ``inputs/<name>``.
        space: uint8 memory of the same size for the values; with it, the random numbers are cached.

    Returns:
        The storage array (``dtypes.storage_dtype``) of that shape; flat and packed for types below 8 bits.

    Raises:
        HarnessError: the generator is unknown, or does not fit the type.
    """
    shape = tuple(int(extent) for extent in shape)
    entry = BY_NAME.get(dtype)
    if entry is None or entry.kind == "string":
        raise HarnessError(f"cannot generate values of element type '{dtype}' ({stream})")
    count = math.prod(shape)
    if generator.get("kind") == "literal":
        period = _literal(dtype, shape, str(generator["values"]), stream).reshape(-1)
    else:
        distinct = min(count, PERIOD * max(1, 8 // entry.bits))
        if space is not None and entry.bits >= 8:
            period = _remembered(dtype, tuple(sorted(generator.items())), seed, stream)[:distinct]
        else:
            period = encode(_numbers(dtype, distinct, generator, seed, stream), dtype)
    length = -(-count // max(1, 8 // entry.bits))
    flat = period
    if space is not None or len(period) != length:
        flat = np.empty(length, period.dtype) if space is None else space.view(period.dtype)
        _repeat(period, flat)
    return flat if entry.bits < 8 else flat.reshape(shape)


@functools.lru_cache(maxsize=64)
def _remembered(dtype: str, generator: tuple[tuple[str, Any], ...], seed: int, stream: str | int) -> Numbers:
    # Return one period of a stream, encoded; fewer values are the beginning of it
    return encode(_numbers(dtype, PERIOD, dict(generator), seed, stream), dtype)


def _repeat(period: Numbers, flat: Numbers) -> None:
    # Fill `flat` with repetitions of `period`
    whole = len(flat) // max(1, len(period)) * len(period)
    if whole:
        flat[:whole].reshape(-1, len(period))[:] = period
    flat[whole:] = period[: len(flat) - whole]


def _numbers(dtype: str, count: int, generator: Mapping[str, Any], seed: int, stream: str | int) -> Numbers:
    kind, entry = generator.get("kind"), BY_NAME[dtype]
    components = 2 if entry.kind == "complex" else 1
    if kind == "spaced":
        # the processor predicts these, as it does masks of networks; random ones make Where five times slower
        counts = np.ceil(np.arange(count + 1) * float(generator["density"]) - _ROUNDING)
        return np.asarray(np.diff(counts) > 0)
    bits = stream_bits(seed, stream, count * components)
    if kind == "integers":
        first, span = int(generator["low"]), int(generator["high"]) - int(generator["low"])
        if span <= 0:
            raise HarnessError(f"empty range of integers [{first}, {first + span}) for {stream}")
        return (bits[:count] % np.uint64(span)).astype(np.int64) + first
    bits >>= np.uint64(11)
    unit = bits.astype(np.float64)
    unit *= 2.0**-53
    if kind == "bool":
        return unit[:count] < float(generator["density"])
    if kind == "uniform" and entry.kind in {"float", "complex"}:
        low, high = float(generator["low"]), float(generator["high"])
        values = unit
        values *= high - low
        values += low
        if dtype == "float16":
            tiny = np.abs(values) < _SMALLEST_NORMAL_HALF
            values = np.where(tiny, np.copysign(_SMALLEST_NORMAL_HALF, values), values) if high > low else values
        return values if components == 1 else values[0::2] + 1j * values[1::2]
    raise HarnessError(f"unknown generator '{kind}' of element type '{dtype}' ({stream})")


def _literal(dtype: str, shape: tuple[int, ...], text: str, stream: str | int) -> Numbers:
    try:
        data = bytes.fromhex(text)
        if len(data) == byte_size(dtype, 1) and math.prod(shape) != 1:
            element = from_bytes(data, dtype, (1,))
            if BY_NAME[dtype].bits < 8:
                return _repeat_code(int(element[0]), dtype, math.prod(shape))
            return np.full(shape, element[0], storage_dtype(dtype))
        return from_bytes(data, dtype, shape)
    except ValueError as error:
        raise HarnessError(f"the literal values of {stream} do not fit its type and shape: {error}") from error


def _repeat_code(code: int, dtype: str, count: int) -> Numbers:
    bits = BY_NAME[dtype].bits
    code &= (1 << bits) - 1
    byte = sum(code << shift for shift in range(0, 8, bits))
    return np.full(byte_size(dtype, count), byte, np.uint8)


def weight_bytes(blob: Mapping[str, Any], seed: int) -> bytes:
    """Generate the bytes that a weight file repeats; ``blob`` is its entry in the suite."""
    bits = BY_NAME[blob["dtype"]].bits
    count = min(PERIOD * max(1, 8 // bits), -(-int(blob["nbytes"]) * 8 // bits))
    generator = blob["generator"]
    return as_bytes(fill(blob["dtype"], (count,), generator, seed, f"weights/{blob['file']}"))


def ensure_weights(folder: Path, blobs: Sequence[Mapping[str, Any]], seed: int) -> None:
    """Write the weight files in ``blobs`` that are missing or hold other values.

    Raises ``HarnessError`` if the folder cannot be written, or the disk is full.
    """
    for blob in blobs:
        path = folder / blob["file"]
        period = weight_bytes(blob, seed)
        try:
            if not _holds(path, period, int(blob["nbytes"])):
                _write_repeated(path, period, int(blob["nbytes"]))
        except OSError as error:
            raise HarnessError(f"cannot write weights {path}: {error.strerror or error}") from error


def _holds(path: Path, period: bytes, nbytes: int) -> bool:
    if not path.is_file() or path.stat().st_size < nbytes:
        return False
    with path.open("rb") as file:
        return file.read(min(len(period), nbytes)) == period[:nbytes]


def _write_repeated(path: Path, period: bytes, nbytes: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    chunk = period * max(1, min(_CHUNK_BYTES, nbytes) // max(1, len(period)))
    with replacing(path) as file:
        written = 0
        while written < nbytes:
            written += file.write(chunk[: nbytes - written])


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file beside ``path``, which replaces ``path`` on success and is removed on failure."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    scratch = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        scratch.chmod(0o644)
        scratch.replace(path)
    except BaseException:  # an interruption, too, must not leave a half-written file; it is raised again
        with contextlib.suppress(OSError):
            scratch.unlink()
        raise
