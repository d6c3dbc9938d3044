"""How fast a system can be at best, as its own results show: arithmetic, caches, and memory.

What a sequence would take at these rates is the scale on which sequences of different sizes are compared: the roofline
model (Williams, Waterman, Patterson, CACM 52(4), 2009, doi 10.1145/1498765.1498785), with sums in the place of maxima,
which came closer on the networks at hand: what a kernel computes and what it fetches overlaps in part only. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.construct.cache_model import Latencies
from dlbricks.construct.kriging import Floats
from dlbricks.model.types import SequenceFeatures

_LONG_NS = 2000.0
"""Shorter calls say nothing of rates."""
_LARGE_BYTES = 2**18
"""Fewer bytes say nothing of what fetching them costs."""
_FEW = 4
_ARITHMETIC_PERCENTILE = 99
_CACHE_PERCENTILE = 95


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofs:
    """Rates of one system, per ns; infinite where its results do not show them."""

    operations: float
    """Arithmetic."""
    cached: float
    """Bytes from and to the caches."""
    constants: float
    """Bytes of constants from memory."""

    def latencies(self, features: SequenceFeatures) -> Latencies:
        """Give what a sequence would take at these rates."""
        touched = features.fetched_bytes + features.input_bytes + features.output_bytes
        near = features.work / self.operations + touched / self.cached
        return Latencies(near_ns=near, constants_ns=near + features.fetched_bytes / self.constants)


def measured_roofs(features: Sequence[SequenceFeatures], measured: Sequence[Latencies]) -> Roofs:
    """Find the rates in results: nearly the best for what lies in the caches, the usual ones for memory.

    Args:
        features: of sequences.
        measured: latencies of the same ones, call overhead taken out.
    """
    work, weights, touched = np.array(
        [(one.work, one.fetched_bytes, one.fetched_bytes + one.input_bytes + one.output_bytes) for one in features],
        dtype=float,
    ).T
    near, constants = np.array([(one.near_ns, one.constants_ns) for one in measured], dtype=float).T
    long = near > _LONG_NS
    return Roofs(
        operations=_best(work[long], near[long], _ARITHMETIC_PERCENTILE),
        cached=_best(touched[long], near[long], _CACHE_PERCENTILE),
        constants=_usual(weights, constants - near),
    )


def _best(amounts: Floats, times_ns: Floats, percentile: float) -> float:
    some = amounts > 0
    return float(np.percentile(amounts[some] / times_ns[some], percentile)) if some.any() else float("inf")


def _usual(amounts: Floats, times_ns: Floats) -> float:
    large = amounts > _LARGE_BYTES
    if np.count_nonzero(large) < _FEW:
        return float("inf")
    return float(np.median(amounts[large] / np.maximum(times_ns[large], 1.0)))
