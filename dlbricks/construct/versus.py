"""Two systems beside each other: how much longer the second takes, how sure that is, and which sequences explain it.

Pure. Everything is a ratio, second by first, and adds as logarithms. Independent errors add in quadrature: sampling (of
the intervals of single measurements), drift within each run, and two that no run shows by itself, whose size comes from
kept runs of two shared machines (``docs/compare.md``): what another hour changes, unless a system's own runs tell, and
how far estimates of one network on two systems err differently from each other.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dlbricks.construct.intervals import noise_factor, together
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
"""Standard deviations that hold 9 of 10."""
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
