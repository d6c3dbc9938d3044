"""Compares two systems: the ratio of their latencies with an interval, and the sequences that explain the ratio.

A ratio is the second latency divided by the first. Its logarithm has four independent errors, which add in quadrature.
The errors of sampling and drift come from the measurements. The errors of other hours and of composition come from
archived runs of two shared machines (``docs/maintainer.md``). The spread between honest runs (``store.spread``) also
widens the intervals of single sequences.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from dlbricks.construct.intervals import LEVEL, TOGETHER
from dlbricks.construct.types import Estimate
from dlbricks.harness.stats import median_interval
from dlbricks.statistics import correlated_sum
from dlbricks.store.records import HOUR_NS, least_trusted, relative_half_width
from dlbricks.store.spread import Spread, default_spread, stated
from dlbricks.store.types import Measurement, SystemConfiguration, SystemResults

# Variation between hours, as a half-width for 9 of 10 networks: it was 4 and 9 % in 150 and 20 pairs of runs on one
# shared machine, and 16 % in 23 pairs on another.
ANOTHER_HOUR = 0.12
# Number of pairs of runs that ``ANOTHER_HOUR`` counts as, beside the pairs of the system.
_PRIOR_PAIRS = 3
# Half-width of the central 90 % of a normal distribution, in standard deviations.
NINETY = NormalDist().inv_cdf((1 + LEVEL) / 2)
# Difference between the errors of two estimates on one kind of machine, as a half-width for 9 of 10 networks: measured
# values are 2.0 to 2.6, 4.1 and 7.0 %.
OF_ONE_KIND = 0.04
# The same difference on two kinds of machine: measured values are 5 to 11 %.
OF_TWO_KINDS = 0.09


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioParts:
    """Independent errors of a ratio, as half-widths of its logarithm."""

    sampling: float
    drift: float
    hours: float
    """Variation between hours; 0 if all runs are within one hour on one kind of machine."""
    composing: float
    """Difference between the systems' errors of composition; 0 without estimates of a network."""

    @property
    def together(self) -> float:
        """Root of the sum of squares of the four errors."""
        return math.hypot(self.sampling, self.drift, self.hours, self.composing)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSequence:
    """A layer sequence that both systems measured."""

    fingerprint: str
    name: str
    count: int
    """Number of occurrences in the network; 1 without a network."""
    first_ns: int
    """Time of all occurrences on the first system, ns."""
    second_ns: int
    ratio: float
    low: float
    """Lower end of the interval of ``ratio``; with 95 % probability, all true ratios are within their intervals."""
    high: float
    explains: float
    """``second_ns`` - ``first_ns``, divided by the total on the first system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystem:
    """One of the two compared systems."""

    configuration: SystemConfiguration
    trust: str
    """Lowest trust of the system's runs, one of ``store.types.TIERS``."""
    total_ns: int
    """Time of all compared sequences, ns; each counts as often as it occurs in the network, without a network once."""
    newest_unix_ns: int
    """Start of the newest run, ns since 1970."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Ratio of the latencies of two systems, above 1 if the second is slower."""

    network: str
    """Name of the network; empty if sequences are compared."""
    first: ComparedSystem
    second: ComparedSystem
    ratio: float
    """Second total divided by the first total; without a network, the median ratio over sequences."""
    low: float
    """Lower end of the 90 % interval of ``ratio``."""
    high: float
    parts: RatioParts
    rows: tuple[ComparedSequence, ...]
    """Compared layer sequences, by falling absolute value of ``explains``."""
    only_one: int
    """Number of layer sequences that are left out, since only one system measured them."""
    spread: Spread | None = None
    """Variation between honest runs, which widens the intervals of ``rows``."""


def compare(
    first: SystemResults,
    second: SystemResults,
    names: Mapping[str, str],
    *,
    estimates: tuple[Estimate, Estimate] | None = None,
    spreads: Sequence[Spread] = (),
) -> Comparison:
    """Compare two systems by their estimates of a network, or by all sequences that both measured.

    ``names`` has names of sequences by fingerprint. ``spreads`` has the variation between honest runs of each system;
    by default, figures of the package are used.
    """
    spreads = spreads or [default_spread(side.configuration) for side in (first, second)]
    spread, drift = max(spreads, key=lambda each: each.excess), math.hypot(first.drift, second.drift)
    uses = _uses(estimates) if estimates else _each_once(first, second)
    measured = [name for name in uses if name in first.measurements and name in second.measurements]
    used = [{name: results.measurements[name] for name in measured} for results in (first, second)]
    totals = [sum(uses[name][place] for name in measured) for place in (1, 2)]
    widths = {name: math.hypot(*(relative_half_width(side[name]) for side in used)) for name in measured}
    reaches = {name: spread.factor(len(widths)) * float(stated(width, drift)) for name, width in widths.items()}
    rows = [_row(name, names.get(name, name[:12]), uses[name], reaches[name], totals[0]) for name in measured]
    ratio, sampling = _of_network(rows, widths, totals) if estimates else _of_sequences(rows, widths)
    starts = [row.origin.started_unix_ns for side in used for row in side.values() if row.origin]
    one_hour = starts and max(starts) - min(starts) <= HOUR_NS
    # the variance of a single run is half of the variance between two runs
    hours = math.hypot(another_hour(first), another_hour(second)) / math.sqrt(2)
    parts = RatioParts(
        sampling=sampling,
        drift=drift,
        hours=0.0 if one_hour and _one_kind(first, second) else hours,
        composing=(OF_ONE_KIND if _one_kind(first, second) else OF_TWO_KINDS) if estimates else 0.0,
    )
    return Comparison(
        network=estimates[0].network if estimates else "",
        first=_system(first, used[0], totals[0]),
        second=_system(second, used[1], totals[1]),
        ratio=ratio,
        low=ratio * math.exp(-parts.together),
        high=ratio * math.exp(parts.together),
        parts=parts,
        rows=tuple(sorted(rows, key=lambda row: (-abs(row.explains), row.fingerprint))),
        only_one=len(uses) - len(measured),
        spread=spread,
    )


# By fingerprint: number of uses, total time of the uses on the first system, and on the second, ns.
_Uses = Mapping[str, tuple[int, int, int]]


def _uses(estimates: tuple[Estimate, Estimate]) -> _Uses:
    first, second = ({row.fingerprint: row for row in estimate.rows} for estimate in estimates)
    return {
        name: (row.count, row.total_ns, second[name].total_ns)
        for name, row in first.items()
        if name in second and not (row.tier == second[name].tier == "free")
    }


def _each_once(first: SystemResults, second: SystemResults) -> _Uses:
    ns = [{name: row.latency_ns for name, row in results.measurements.items()} for results in (first, second)]
    return {name: (1, ns[0].get(name, 0), ns[1].get(name, 0)) for name in ns[0] | ns[1]}


def _row(fingerprint: str, name: str, use: tuple[int, int, int], reach: float, total_ns: int) -> ComparedSequence:
    count, first_ns, second_ns = use
    ratio = max(1, second_ns) / max(1, first_ns)
    return ComparedSequence(
        fingerprint=fingerprint,
        name=name,
        count=count,
        first_ns=first_ns,
        second_ns=second_ns,
        ratio=ratio,
        low=ratio * math.exp(-reach),
        high=ratio * math.exp(reach),
        explains=(second_ns - first_ns) / max(1, total_ns),
    )


# Half-widths (95 %) that sampling alone gives the logarithms of ratios, by fingerprint.
_Widths = Mapping[str, float]


def _of_network(rows: Sequence[ComparedSequence], widths: _Widths, totals: Sequence[int]) -> tuple[float, float]:
    # Return the ratio of totals and its half-width from sampling; the mean share of a sequence is its weight.
    shares = ((row.first_ns / max(1, totals[0]) + row.second_ns / max(1, totals[1])) / 2 for row in rows)
    reaches = (share * widths[row.fingerprint] for share, row in zip(shares, rows, strict=True))
    return max(1, totals[1]) / max(1, totals[0]), correlated_sum(reaches, TOGETHER)


def _of_sequences(rows: Sequence[ComparedSequence], widths: _Widths) -> tuple[float, float]:
    # Return the median ratio, which single outliers do not move, and its half-width from sampling.
    if not rows:
        return 1.0, 0.0
    middle, _, high = median_interval([math.log(row.ratio) for row in rows])
    own = correlated_sum((width / len(rows) for width in widths.values()), TOGETHER)
    return math.exp(middle), max(own, high - middle if len(rows) > 1 else 0.0)


def _one_kind(first: SystemResults, second: SystemResults) -> bool:
    kinds = [(row.provider, row.threads, row.instruction_set) for row in (first.configuration, second.configuration)]
    return kinds[0] == kinds[1]


def another_hour(results: SystemResults) -> float:
    """Return how much latencies vary between hours, as the 90 % half-width of their logarithm.

    The variance is the mean over the pairs of runs, and over ``_PRIOR_PAIRS`` pairs with half-width ``ANOTHER_HOUR``.
    """
    prior = _PRIOR_PAIRS * (ANOTHER_HOUR / NINETY) ** 2
    return NINETY * math.sqrt((prior + sum(hour**2 for hour in results.hours)) / (_PRIOR_PAIRS + len(results.hours)))


def _system(results: SystemResults, used: Mapping[str, Measurement], total_ns: int) -> ComparedSystem:
    origins = [row.origin for row in used.values() if row.origin]
    return ComparedSystem(
        configuration=results.configuration,
        trust=least_trusted(origin.trust for origin in origins),
        total_ns=total_ns,
        newest_unix_ns=max((origin.started_unix_ns for origin in origins), default=0),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Faster:
    """Which of two systems runs a network faster."""

    network: str
    first: SystemConfiguration
    second: SystemConfiguration
    speedup: float | None
    """Latency on the second system divided by the latency on the first system; None if unknown."""
    probability: float | None
    """Probability that the first system is faster; None if an estimate has no interval or is a bound."""


def faster(first: Estimate, second: Estimate) -> Faster:
    """Compare the estimates of a network on two systems."""
    # The model: logarithms of the two latencies are independent, and normal on either side of the estimate with the
    # standard deviation of its interval. In fact both estimates share errors of composition, so the true probability is
    # farther from 0.5.
    both = (first, second)
    whole = all(not (each.missing or each.bounds_only) and each.total_ns > 0 for each in both)
    spans = [(each.total_ns, each.low_ns, each.high_ns) for each in both]
    return Faster(
        network=first.network,
        first=first.configuration,
        second=second.configuration,
        # the exponential of the logarithm, as published figures have been rounded from it
        speedup=math.exp(math.log(second.total_ns / first.total_ns)) if whole else None,
        probability=probability(*spans) if whole else None,
    )


def probability(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the probability that the first of two latencies (estimate, low, high) is smaller; None if a low is 0."""
    if min(first[1], second[1]) <= 0:
        return None
    gap = math.log(second[0] / first[0])
    # only the ends between the two estimates decide: the upper of the faster, the lower of the slower
    slow, quick = (second, first) if gap >= 0 else (first, second)
    deviation = math.hypot(math.log(quick[2] / quick[0]) / NINETY, math.log(slow[0] / slow[1]) / NINETY)
    return NormalDist().cdf(gap / deviation) if deviation else 0.5 + 0.5 * (gap > 0) - 0.5 * (gap < 0)


def compared(systems: Sequence[Sequence[Estimate]]) -> tuple[Faster, ...]:
    """Compare the first system with each other system; all systems have estimates of the same networks."""
    first, *others = systems
    return tuple(faster(mine, theirs) for other in others for mine, theirs in zip(first, other, strict=True))
