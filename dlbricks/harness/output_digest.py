"""Computes and compares output digests: small summaries that reveal wrong outputs.

A digest holds shape, dtype, the share of finite values, two norms of the finite values and 64 sampled values.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .dtypes import BY_NAME, Numbers, decode

# Number of sampled values of each output.
SAMPLES = 64

# Number of values that are converted to double precision at once, which limits the memory.
_CHUNK = 1 << 15
# A sum of squares below this may have lost digits in single precision; it is computed again in double precision.
_SAFE = 1e-30

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
# A relative root mean square error above this shows that values were not computed in float32: 512 outputs of two
# runtimes on three processors differ from their references by up to 3e-5, outputs of bfloat16 by 1e-3 and more.
_INEXACT = 5e-4
_TOLERANCE_QUANTISED = 0.1
_STEPS = {"int8": 1, "uint8": 1, "int4": 1, "uint4": 1, "int2": 1, "uint2": 1}
# Operators whose names hold one of these compute with quantised numbers.
QUANTISED_SIGNS = ("Quant", "QLinear", "Integer", "QGemm", "QAttention", "NBits")


def sample_positions(size: int) -> list[int]:
    """Return the positions of at most 64 of ``size`` values (a golden-ratio Weyl sequence)."""
    if size <= SAMPLES:
        return list(range(size))
    return [step * size >> 64 for step in _WEYL]


def digest(values: Numbers, dtype: str, shape: Sequence[int]) -> dict[str, Any]:
    """Summarise one output of a network by a digest, as a JSON object.

    Returns:
        ``shape``, ``dtype``, ``finite`` (share; 1.0 for no values), ``norm1`` (sum of magnitudes) and ``norm2`` (root
        of the sum of squares) of the finite values, ``samples`` (numbers, or the texts ``nan``, ``inf``, ``-inf``; the
        real and imaginary parts of complex values one after the other).
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
                finite_values = magnitudes[np.isfinite(magnitudes)]
                sums, count = _sums(finite_values), finite_values.size
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
    magnitudes = np.abs(numbers)
    first = float(magnitudes.sum())
    return first, float(np.square(magnitudes, out=magnitudes).sum())


def _plain(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _exact(value: float) -> int | float | str:
    return int(value) if isinstance(value, int) else _plain(value)


def tolerance(dtype: str, operators: Sequence[str] = ()) -> float:
    """Return the relative error up to which two outputs count as equal; 0 for integers.

    Machines differ in the order of sums, in fused multiply-add and in tensor formats (TF32 keeps 10 bits). Outputs of
    quantised operators differ by whole quantisation steps.
    """
    entry = BY_NAME[dtype]
    quantised = any(sign in operator for operator in operators for sign in QUANTISED_SIGNS) or _dequantises(operators)
    if entry.kind in {"float", "complex"}:
        usual = _TOLERANCE.get(dtype, _TOLERANCE_BYTE)
        return max(usual, _TOLERANCE_QUANTISED) if quantised else usual
    return _TOLERANCE_QUANTISED if quantised and entry.bits >= 16 else 0.0


def _dequantises(operators: Sequence[str]) -> bool:
    # Return whether other operators read dequantised values: a runtime may fuse them with the dequantisation
    return len({"Dequantize" in operator for operator in operators}) == 2


def compare(
    output: Mapping[str, Any], reference: Mapping[str, Any], operators: Sequence[str] = (), *, exact: bool = False
) -> str | None:
    """Return how an output differs from its reference by their digests; None if they agree within the tolerance.

    With ``exact``, a float32 output also differs if it was computed in a lower precision.
    """
    for key in ("dtype", "shape"):
        if output[key] != reference[key]:
            return f"{key} is {output[key]}, but {reference[key]} in the reference"
    if output["finite"] != reference["finite"] and (
        reference["finite"] == 1 or abs(output["finite"] - reference["finite"]) > 0.01
    ):
        return f"{output['finite']:.1%} of the values are finite, but {reference['finite']:.1%} in the reference"
    dtype, allowed = output["dtype"], tolerance(output["dtype"], operators)
    size = max(1, math.prod(output["shape"]) * (2 if BY_NAME[dtype].kind == "complex" else 1))
    steps = _STEPS.get(dtype, 0)
    for key, slack in (("norm1", steps * size), ("norm2", steps * math.sqrt(size))):
        if not _close(output[key], reference[key], allowed or 1e-12, slack):
            return f"{key} is {_show(output[key])}, but {_show(reference[key])} in the reference"
    spread = float(reference["norm2"]) / math.sqrt(size)
    for place, value, other in zip(sample_positions(size), output["samples"], reference["samples"], strict=False):
        if not _close(value, other, allowed, steps + (allowed * spread if math.isfinite(spread) else 0.0)):
            return f"value {place} is {_show(value)}, but {_show(other)} in the reference"
    pairs = [pair for pair in zip(output["samples"], reference["samples"], strict=False) if str not in map(type, pair)]
    if exact and pairs and dtype == "float32" and allowed == _TOLERANCE[dtype]:
        own, others = zip(*pairs, strict=True)
        error = math.dist(own, others) / max(math.hypot(*others), math.sqrt(len(pairs)) * spread, _SAFE)
        if error > _INEXACT:
            return f"values differ from the reference by {error:.1e} of their size, as if computed in a lower precision"
    return None


def _close(value: float | str, other: float | str, relative: float, absolute: float) -> bool:
    if isinstance(value, str) or isinstance(other, str):
        return value == other != "nan"
    return abs(value - other) <= relative * abs(other) + absolute


def _show(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def compare_all(
    outputs: Sequence[Mapping[str, Any]], reference: Sequence[Mapping[str, Any]] | None, operators: Sequence[str]
) -> str | None:
    """Return the first difference between outputs and their references, or None."""
    if reference is None:
        return None
    if len(outputs) != len(reference):
        return f"the number of outputs is {len(outputs)}, but {len(reference)} in the reference"
    for index, (output, other) in enumerate(zip(outputs, reference, strict=True)):
        reason = compare(output, other, operators)
        if reason is not None:
            return f"output {index}: {reason}"
    return None
