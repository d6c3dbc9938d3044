"""Two systems beside each other: how much longer the second takes, how sure that is, and which sequences explain it.

Pure. Everything is a ratio, second by first, and adds as logarithms. Independent errors add in quadrature: sampling (of
the intervals of single measurements), drift within each run, and two that no run shows by itself, whose size comes from
kept runs of two shared machines (``docs/compare.md``): what another hour changes, unless a system's own runs tell, and
how far estimates of one network on two systems err differently from each other. Then what follows from that: which of
several systems is faster, and with which version of its runtime a system changed.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from dlbricks.construct.intervals import LEVEL, noise_factor, together
from dlbricks.construct.types import Estimate
from dlbricks.harness.stats import median_interval
from dlbricks.store.ranking import least
from dlbricks.store.rows import HOUR_NS
from dlbricks.store.types import Measurement, SystemConfiguration, SystemResults

ANOTHER_HOUR = 0.12
"""Half width, for 9 of 10 networks, of what a machine takes at another hour: 4 and 9 % in 150 and 20 pairs of runs on
one shared machine, 16 % in 23 on another."""
_WORTH = 3
"""Pairs of runs that ``ANOTHER_HOUR`` counts as, beside those of a system itself."""
_NINETY = 1.645
"""Standard deviations from the middle to an end of what holds 9 of 10."""
OF_ONE_KIND = 0.04
"""The same of how differently estimates err on runs of one kind of machine: 2.0 to 2.6, 4.1 and 7.0 %."""
OF_TWO_KINDS = 0.09
"""The same on two kinds: 5 to 11 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioParts:
    """Where the interval of a ratio comes from: half widths of its logarithm."""

    sampling: float
    drift: float
    hours: float
    """0 for one kind of machine within one hour."""
    composing: float
    """0 where no network is composed."""

    @property
    def together(self) -> float:
        """Give all of them, in quadrature."""
        return math.hypot(self.sampling, self.drift, self.hours, self.composing)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSequence:
    """A sequence on both systems."""

    fingerprint: str
    name: str
    count: int
    """Uses in the network; 1 without one."""
    first_ns: int
    """Of all its uses."""
    second_ns: int
    ratio: float
    low: float
    """Lower end of the interval of ``ratio``, by sampling alone (95 %)."""
    high: float
    explains: float
    """By how much it makes the second system slower, as a share of all that the first takes: 0.01 for a hundredth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystem:
    """One of two systems."""

    configuration: SystemConfiguration
    trust: str
    """How far its runs are believed, one of ``store.ranking.TIERS``: the least believed one."""
    total_ns: int
    """What the compared sequences take in the network; without one, each once."""
    newest_unix_ns: int
    """Start of its newest run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How much longer the second of two systems takes."""

    network: str
    """Empty where sequences are compared and nothing is composed."""
    first: ComparedSystem
    second: ComparedSystem
    ratio: float
    """Of the totals, second by first; without a network the median over sequences."""
    low: float
    """Lower end of its interval (90 %)."""
    high: float
    parts: RatioParts
    rows: tuple[ComparedSequence, ...]
    """What explains most first."""
    left_out: int
    """Sequences that were to be left out."""
    only_one: int
    """Sequences that only one of them has measured; they are in no figure."""


def compare(
    first: SystemResults,
    second: SystemResults,
    names: Mapping[str, str],
    *,
    estimates: tuple[Estimate, Estimate] | None = None,
    without: Collection[str] = (),
) -> Comparison:
    """Compare a network on two systems, or all that both have measured.

    Args:
        first: of the one.
        second: of the other.
        names: of sequences, by fingerprint; where a name is missing the fingerprint stands for it.
        estimates: of the network on both; None to compare sequences, each once.
        without: beginnings of fingerprints, and names, of sequences to leave out.
    """
    uses = _uses(estimates) if estimates else _once(first, second)
    measured = [one for one in uses if one in first.measurements and one in second.measurements]
    chosen = [one for one in measured if not _meant(one, names.get(one, ""), without)]
    used = [{name: results.measurements[name] for name in chosen} for results in (first, second)]
    totals = [sum(uses[one][place] for one in chosen) for place in (1, 2)]
    rows = [_row(one, names.get(one, one[:12]), uses[one], used, totals[0]) for one in chosen]
    ratio, sampling = _of_network(rows, totals) if estimates else _of_sequences(rows)
    parts = RatioParts(
        sampling=sampling,
        drift=math.hypot(first.drift, second.drift),
        hours=0.0 if _one_kind(first, second) and _within_an_hour(used) else _other_hours(first, second),
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
        left_out=len(measured) - len(chosen),
        only_one=len(uses) - len(measured),
    )


_Uses = Mapping[str, tuple[int, int, int]]
"""Count of uses, and what all of them take on either system, ns, by fingerprint."""


def _uses(estimates: tuple[Estimate, Estimate]) -> _Uses:
    first, second = ({row.fingerprint: row for row in one.rows} for one in estimates)
    return {
        name: (row.count, row.total_ns, second[name].total_ns)
        for name, row in first.items()
        if name in second and not (row.tier == second[name].tier == "free")
    }


def _once(first: SystemResults, second: SystemResults) -> _Uses:
    made = {}
    for name in dict.fromkeys((*first.measurements, *second.measurements)):
        one, two = first.measurements.get(name), second.measurements.get(name)
        made[name] = (1, one.latency_ns if one else 0, two.latency_ns if two else 0)
    return made


def _meant(fingerprint: str, name: str, without: Collection[str]) -> bool:
    return any(fingerprint.startswith(text.lower()) or name == text for text in without)


def _row(
    fingerprint: str, name: str, use: tuple[int, int, int], used: Sequence[Mapping[str, Measurement]], total_ns: int
) -> ComparedSequence:
    count, first_ns, second_ns = use
    ratio = max(1, second_ns) / max(1, first_ns)
    reach = math.hypot(*(_half_width(one[fingerprint]) for one in used))
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


def _half_width(one: Measurement) -> float:
    return noise_factor(one.verdict) * (one.high_ns - one.low_ns) / 2 / max(1, one.latency_ns)


def _of_network(rows: Sequence[ComparedSequence], totals: Sequence[int]) -> tuple[float, float]:
    """Give the ratio of totals, and how far sampling reaches: of sequences by their shares, mean over both systems."""
    shares = ((row.first_ns / max(1, totals[0]) + row.second_ns / max(1, totals[1])) / 2 for row in rows)
    reaches = (share * math.log(row.high / row.low) / 2 for share, row in zip(shares, rows, strict=True))
    return max(1, totals[1]) / max(1, totals[0]), together(reaches)


def _of_sequences(rows: Sequence[ComparedSequence]) -> tuple[float, float]:
    """Give the median of ratios, and how far sampling reaches; a mean hangs on single sequences that were hit."""
    if not rows:
        return 1.0, 0.0
    middle, _, high = median_interval([math.log(row.ratio) for row in rows])
    own = together(math.log(row.high / row.low) / 2 / len(rows) for row in rows)
    return math.exp(middle), max(own, high - middle if len(rows) > 1 else 0.0)


def _one_kind(first: SystemResults, second: SystemResults) -> bool:
    one, two = first.configuration, second.configuration
    return (one.provider, one.threads, one.instruction_set) == (two.provider, two.threads, two.instruction_set)


def _within_an_hour(used: Sequence[Mapping[str, Measurement]]) -> bool:
    starts = [one.origin.started_unix_ns for same in used for one in same.values() if one.origin]
    return bool(starts) and max(starts) - min(starts) <= HOUR_NS


def another_hour(results: SystemResults) -> float:
    """Give what another hour changes on a system, half width of a logarithm: by its runs, or as machines are known to.

    The variance of its neighbouring runs, with ``ANOTHER_HOUR`` as if it were that of ``_WORTH`` more.
    """
    known = _WORTH * (ANOTHER_HOUR / _NINETY) ** 2
    return _NINETY * math.sqrt((known + sum(one**2 for one in results.hours)) / (_WORTH + len(results.hours)))


def _other_hours(first: SystemResults, second: SystemResults) -> float:
    """Give what two hours change: each system by as much as its own do, of which a half each is in their difference."""
    return math.hypot(another_hour(first), another_hour(second)) / math.sqrt(2)


def _system(results: SystemResults, used: Mapping[str, Measurement], total_ns: int) -> ComparedSystem:
    origins = [one.origin for one in used.values() if one.origin]
    return ComparedSystem(
        configuration=results.configuration,
        trust=least(one.trust for one in origins),
        total_ns=total_ns,
        newest_unix_ns=max((one.started_unix_ns for one in origins), default=0),
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionPoint:
    """A version of a runtime beside the first one of its history."""

    runtime: str
    ratio: float
    low: float
    high: float
    changed: bool
    """Whether a new level begins with it."""


def history(compared: Sequence[Comparison]) -> tuple[VersionPoint, ...]:
    """Find the versions at which the level changed.

    Args:
        compared: the first version with itself and with each later one, in the order of versions.
    """
    logs = [math.log(one.ratio) for one in compared]
    sigmas = [max(one.parts.together, 1e-3) / _NINETY for one in compared]
    begins = change_points(logs, sigmas)
    return tuple(
        VersionPoint(
            runtime=one.second.configuration.runtime,
            ratio=one.ratio,
            low=one.low if place else 1.0,
            high=one.high if place else 1.0,
            changed=place in begins,
        )
        for place, one in enumerate(compared)
    )


def change_points(values: Sequence[float], sigmas: Sequence[float]) -> tuple[int, ...]:
    """Cut a series into segments of one level each; give where each but the first begins.

    The cut is the one with the least sum of squared deviations from the segments' means, in standard deviations, and of
    a penalty for each change, found exactly by optimal partitioning (Jackson et al., "An algorithm for optimal
    partitioning of data on an interval", 2005). The penalty is that of the Bayesian information criterion for a level
    and a place, 2 ln n, and at least that of a deviation by 2.58 standard deviations (1 % by chance).

    Args:
        values: one or more.
        sigmas: standard deviation of each, above 0.
    """
    count = len(values)
    penalty = max(2 * math.log(max(2, count)), 2.58**2)
    best, cuts = [-penalty], [0]
    for end in range(1, count + 1):
        costs = [best[begin] + penalty + _deviation(values[begin:end], sigmas[begin:end]) for begin in range(end)]
        cuts.append(min(range(end), key=costs.__getitem__))
        best.append(costs[cuts[-1]])
    begins, end = [], count
    while end:
        end = cuts[end]
        begins.append(end)
    return tuple(sorted(begins)[1:])


def _deviation(values: Sequence[float], sigmas: Sequence[float]) -> float:
    weights = [1 / sigma**2 for sigma in sigmas]
    mean = math.fsum(weight * value for weight, value in zip(weights, values, strict=True)) / math.fsum(weights)
    return math.fsum(weight * (value - mean) ** 2 for weight, value in zip(weights, values, strict=True))
