"""Which of several systems runs a network faster, and how sure that is. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from dlbricks.construct.intervals import LEVEL
from dlbricks.construct.types import Estimate
from dlbricks.store.types import SystemConfiguration

_DEVIATIONS = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""Standard deviations from the middle to an end of an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faster:
    """A network on two systems."""

    network: str
    first: SystemConfiguration
    second: SystemConfiguration
    speedup: float | None
    """Latency on the second by latency on the first: above 1 where the first is faster; None where one is not known."""
    probability: float | None
    """That the first is faster, 0 to 1; None where an estimate has no interval or is only a bound."""


def faster(first: Estimate, second: Estimate) -> Faster:
    """Compare two estimates of a network.

    Logarithms of latencies count as normal to either side of the estimate, with the deviation that the interval has
    there, and as independent of each other. Errors of composing that both share make the answer surer than is said.
    """
    whole = [not (one.missing or one.bounds_only) and one.total_ns > 0 for one in (first, second)]
    gap = math.log(second.total_ns / first.total_ns) if all(whole) else None
    spans = [(one.total_ns, one.low_ns, one.high_ns) for one in (first, second)]
    return Faster(
        network=first.network,
        first=first.configuration,
        second=second.configuration,
        speedup=None if gap is None else math.exp(gap),
        probability=probability(*spans) if all(whole) else None,
    )


def probability(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Say how likely it is that the first is faster; None without an interval.

    Args:
        first: its estimate, and the ends of the interval.
        second: of the other.
    """
    if min(first[1], second[1]) <= 0:
        return None
    gap = math.log(second[0] / first[0])
    slow, quick = (second, first) if gap >= 0 else (first, second)
    deviation = math.hypot(math.log(quick[2] / quick[0]) / _DEVIATIONS, math.log(slow[0] / slow[1]) / _DEVIATIONS)
    return NormalDist().cdf(gap / deviation) if deviation else 0.5 + 0.5 * (gap > 0) - 0.5 * (gap < 0)


def compared(systems: Sequence[Sequence[Estimate]]) -> tuple[Faster, ...]:
    """Compare the estimates of each further system with those of the first, network by network."""
    first, *others = systems
    return tuple(faster(mine, theirs) for other in others for mine, theirs in zip(first, other, strict=True))
