"""Digests of outputs: enough of an answer to see that it is wrong, small enough to send (``sketches`` in files).

A digest holds shape, dtype, the share of finite values, two norms over the finite ones and 64 values at fixed places.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .dtypes import BY_NAME, Numbers, decode

SAMPLES = 64
"""Values kept of each output."""

_CHUNK = 1 << 15
_SAFE = 1e-30
"""A sum of squares that is no greater may have lost digits in single precision."""

_GOLDEN = 0x9E3779B97F4A7C15
_WEYL = tuple((index + 1) * _GOLDEN % 2**64 for index in range(SAMPLES))
_TOLERANCE = {
    "float64": 1e-6,
    "float32": 5e-3,
    "float16": 2e-2,
    "bfloat16": 4e-2,
    "complex64": 5e-3,
    "complex128": 1e-6,
}
_TOLERANCE_BYTE = 0.2
_TOLERANCE_QUANTISED = 0.1
_STEPS = {"int8": 1, "uint8": 1, "int4": 1, "uint4": 1, "int2": 1, "uint2": 1}
_QUANTISED_SIGNS = ("Quant", "QLinear", "Integer", "QGemm", "QAttention", "NBits")


def sample_positions(size: int) -> list[int]:
    """Give the places of the sampled values: all when there are few, else a Weyl sequence by the golden ratio."""
    if size <= SAMPLES:
        return list(range(size))
    return [step * size >> 64 for step in _WEYL]


def digest(values: Numbers, dtype: str, shape: Sequence[int]) -> dict[str, Any]:
    """Sketch one output; JSON without NaN.

    Args:
        values: its storage array, any shape.
        dtype: name of its element type.
        shape: its extents.

    Returns:
        ``shape``, ``dtype``, ``finite`` (share, 1.0 for no values), ``norm1`` (sum of magnitudes) and ``norm2`` (root
        of the sum of squares) over the finite values, ``samples`` (numbers; what is not finite as ``nan``, ``inf``,
        ``-inf``; real and imaginary parts of complex values one after the other).
    """
    numbers = decode(values, dtype, math.prod(shape))
    if np.iscomplexobj(numbers):
        numbers = numbers.view(numbers.real.dtype)
    finite, norm1, norm2 = 0, [], []
    with np.errstate(over="ignore", invalid="ignore"):
        for begin in range(0, numbers.size, _CHUNK):
            part = numbers[begin : begin + _CHUNK]
            count, sums = part.size, _sums(part) if part.dtype == np.float32 else (math.inf, math.inf)
            if not _SAFE < sums[1] < math.inf:
                magnitudes = np.abs(part.astype(np.float64))
                kept = magnitudes[np.isfinite(magnitudes)]
                sums, count = _sums(kept), kept.size
            finite += count
            norm1.append(sums[0])
            norm2.append(sums[1])
    return {
        "shape": [int(extent) for extent in shape],
        "dtype": dtype,
        "finite": finite / numbers.size if numbers.size else 1.0,
        "norm1": _plain(sum(norm1)),
        "norm2": _plain(math.sqrt(sum(norm2))),
        "samples": [_exact(value) for value in numbers[sample_positions(numbers.size)].tolist()],
    }


def _sums(numbers: Numbers) -> tuple[float, float]:
    """Give the sum of magnitudes and that of squares, in the numbers' own precision."""
    magnitudes = np.abs(numbers)
    first = float(magnitudes.sum())
    return first, float(np.square(magnitudes, out=magnitudes).sum())


def _plain(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _exact(value: float) -> int | float | str:
    return int(value) if isinstance(value, int) else _plain(value)


def tolerance(dtype: str, operators: Sequence[str] = ()) -> float:
    """Give the relative error that counts as the same answer; 0 for integers, which have to be equal.

    Machines differ in the order of sums, in fused multiplication and in tensor formats (TF32 keeps 10 bits); quantised
    operators are rounded, or left in floats, where a runtime fuses them in another way, which shows in whole steps.
    """
    entry = BY_NAME[dtype]
    quantised = any(sign in operator for operator in operators for sign in _QUANTISED_SIGNS)
    if entry.kind in {"float", "complex"}:
        known = _TOLERANCE.get(dtype, _TOLERANCE_BYTE)
        return max(known, _TOLERANCE_QUANTISED) if quantised else known
    return _TOLERANCE_QUANTISED if quantised and entry.bits >= 16 else 0.0


def compare(made: Mapping[str, Any], reference: Mapping[str, Any], operators: Sequence[str] = ()) -> str | None:
    """Say how an output differs from the reference; None when it is the same within the dtype's tolerance.

    Args:
        made: digest of the output at hand.
        reference: digest that the suite has of it.
        operators: of the benchmark; quantised ones are allowed more.
    """
    for key in ("dtype", "shape"):
        if made[key] != reference[key]:
            return f"{key} is {made[key]}, the reference has {reference[key]}"
    if made["finite"] != reference["finite"] and (
        reference["finite"] == 1 or abs(made["finite"] - reference["finite"]) > 0.01
    ):
        return f"{made['finite']:.1%} of the values are finite, in the reference {reference['finite']:.1%}"
    dtype, allowed = made["dtype"], tolerance(made["dtype"], operators)
    size = max(1, math.prod(made["shape"]) * (2 if BY_NAME[dtype].kind == "complex" else 1))
    steps = _STEPS.get(dtype, 0)
    for key, slack in (("norm1", steps * size), ("norm2", steps * math.sqrt(size))):
        if not _close(made[key], reference[key], allowed or 1e-12, slack):
            return f"{key} is {_show(made[key])}, the reference has {_show(reference[key])}"
    spread = float(reference["norm2"]) / math.sqrt(size)
    for place, one, other in zip(sample_positions(size), made["samples"], reference["samples"], strict=False):
        if not _close(one, other, allowed, steps + (allowed * spread if math.isfinite(spread) else 0.0)):
            return f"value {place} is {_show(one)}, the reference has {_show(other)}"
    return None


def _close(one: float | str, other: float | str, relative: float, absolute: float) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other != "nan"
    return abs(one - other) <= relative * abs(other) + absolute


def _show(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def compare_all(
    made: Sequence[Mapping[str, Any]], reference: Sequence[Mapping[str, Any]] | None, operators: Sequence[str]
) -> str | None:
    """Compare all outputs of a benchmark; gives the first difference, named by its output, or None."""
    if reference is None:
        return None
    if len(made) != len(reference):
        return f"{len(made)} outputs, the reference has {len(reference)}"
    for index, (one, other) in enumerate(zip(made, reference, strict=True)):
        reason = compare(one, other, operators)
        if reason is not None:
            return f"output {index}: {reason}"
    return None
