"""What share of what lies at some reuse distance has left the caches: the miss curve of a machine. Pure.

A cache that forgot strictly what was used longest ago would be a step: nothing is lost below its size and everything
above (Mattson et al. 1970, see ``construct.memory``). Real ones are shared, hashed and of limited associativity, so the
step is blurred; where it lies for a machine is measured by its own benchmark, at several distances.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MEASURED = "measured"
ASSUMED = "assumed"
ASSUMED_HALF_BYTES = 7 * 2**20
"""Distance at which the assumed curve is at one half. With ``ASSUMED_STEEPNESS``, and each benchmark at four states,
it came closest to 50 networks on a machine with 1 MiB of L2 per core and a share of 32 MiB of L3."""
ASSUMED_STEEPNESS = 3.0
"""Exponent of the assumed curve."""

Others = Callable[[int], float]
"""From an age in steps to the bytes that others brought into the caches since then."""


def nothing(age: int) -> float:  # noqa: ARG001 - one of several
    """Nobody else uses the caches."""
    return 0.0


def bytes_after(time_ns: float, brought_in: Sequence[tuple[int, int]]) -> float:
    """Say how many bytes others bring into the caches in some time.

    Linear between measured times and before the first; after the last as fast as on the whole until then.

    Args:
        time_ns: 0 or more.
        brought_in: times in ns and bytes, both rising; without any nobody else uses the caches.
    """
    at, held = 0, 0
    for wait_ns, nbytes in brought_in:
        if time_ns <= wait_ns:
            return held + (nbytes - held) * (time_ns - at) / (wait_ns - at)
        at, held = wait_ns, nbytes
    return held * time_ns / at if at else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MissCurve:
    """From a reuse distance to the share, 0 to 1, that has to come from memory."""

    points: tuple[tuple[int, float], ...]
    """Distances, bytes, ascending and above 0, and shares, ascending; empty for the assumed curve."""

    @property
    def origin(self) -> str:
        """``measured`` or ``assumed``."""
        return MEASURED if self.points else ASSUMED

    def share(self, distance_bytes: float) -> float:
        """Give the share at a distance.

        Between measured points it is linear in the logarithm of the distance, outside as at the nearest point. The
        assumed curve is logistic in that logarithm.
        """
        if distance_bytes <= 0:
            return 0.0
        if not self.points:
            return float(1 / (1 + (ASSUMED_HALF_BYTES / distance_bytes) ** ASSUMED_STEEPNESS))
        if distance_bytes >= self.points[-1][0]:
            return self.points[-1][1]
        for (left, low), (right, high) in itertools.pairwise(self.points):
            if left <= distance_bytes < right:
                return low + (high - low) * math.log(distance_bytes / left) / math.log(right / left)
        return self.points[0][1]

    def mean_share(
        self, reuses: Sequence[tuple[int, int, int]], others: Others = nothing, stretch: float = 1.0
    ) -> float:
        """Give the mean share over tensors, by bytes; 0 without any.

        Args:
            reuses: bytes, reuse distance and age in steps of each.
            others: adds to the distance what others brought into the caches meanwhile.
            stretch: how many times as far back as the curve's benchmark would feel it the sum is felt.
        """
        total = sum(nbytes for nbytes, _, _ in reuses)
        shares = (nbytes * self.share(stretch * (distance + others(age))) for nbytes, distance, age in reuses)
        return sum(shares) / total if total else 0.0
