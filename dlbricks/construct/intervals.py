"""How far an estimate may be off: sampling, interpolation, drift, and what composing costs, learned from validations.

Pure. The parts are independent of each other and add in quadrature, side by side. Sampling, interpolation and drift are
known of the results at hand. What composing costs is learned from networks that were also measured end to end, by split
conformal prediction with nested sets: of each validation of a network counts how wide its band would have to be for its
interval, all parts together, to hold what was measured, divided by how hard the network is to compose. Networks are the
sample, not validations: all validations of one network weigh as much as one of another (pooled distributions of a
two-layer sample), and the quantile has the correction for the finite number of networks. So a new network of the same
kind lies in its interval with the probability asked for. Sources: Vovk, Gammerman, Shafer, "Algorithmic Learning in a
Random World" (2005); Gupta, Kuchibhotla, Ramdas, "Nested conformal prediction and quantile out-of-bag ensemble methods"
(2022), section 2; Dunn, Wasserman, Ramdas, "Distribution-free prediction sets for two-layer hierarchical models"
(2023).

Bands of each kind of system, provider, way of splitting, number of threads and distance in time are a table of the
package. Where a kind was never seen, the band of the nearest is taken, wider, and the estimate says so. The estimate
itself is not corrected by the mean error of a validation: that of one machine need not be that of others.
"""

import csv
import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from statistics import median

from dlbricks.construct.types import Composition, CompositionTraits, IntervalParts
from dlbricks.store.types import SystemConfiguration

LEVEL = 0.9
"""Share of networks that intervals hold."""
TOGETHER = 0.05
"""Correlation of the errors of guesses within one network, from networks left out one by one and by families."""
WIDENING = 2.0
"""How many times as wide a band is taken for each thing of an estimate for which there is no evidence."""
BANDS = "composition_bands.csv"
_NOISY = frozenset({"noisy", "drifting"})
_NOISE_FACTOR = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionError:
    """How a network was measured beside its estimate."""

    log_ratio: float
    """Natural logarithm of measured / estimated."""
    traits: CompositionTraits
    own_low: float
    """How far sampling, interpolation and drift reached below the estimate, relative to it, >= 0."""
    own_high: float
    """Above it."""

    @property
    def unexplained(self) -> float:
        """The band that its interval needs beside its own parts to hold what was measured; the sign is its side."""
        ratio = math.expm1(self.log_ratio)
        own = self.own_high if ratio > 0 else self.own_low
        return math.log1p(math.copysign(math.sqrt(max(0.0, ratio**2 - own**2)), ratio))


Errors = Mapping[str, Sequence[CompositionError]]
"""By network, one error or more for each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """How far networks were measured from their estimates beyond what sampling explains: logarithms per difficulty."""

    low: float
    """Downwards, >= 0."""
    high: float
    """Upwards, >= 0."""

    def around(self, traits: CompositionTraits) -> tuple[float, float]:
        """Give how much lower and how much higher a network may be than its estimate, both relative and >= 0."""
        hard = difficulty(traits)
        return -math.expm1(-self.low * hard), math.expm1(self.high * hard)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A band and what it was learned from: a row of the table."""

    system: str
    """Where it was measured."""
    instruction_set: str
    """Of that system: systems of one kind have the same."""
    runtime: str
    """Its name, as in ``onnxruntime``."""
    provider: str
    target: str
    granularity: str
    rule: str
    threads: int
    interleaved: bool
    """Whether parts and whole were measured in one run; else the parts in a run of the suite at another hour."""
    networks: int
    runs: int
    band: Band


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenBand:
    """The band of an estimate and why it is that one."""

    band: Band
    reason: str
    """One sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOneOut:
    """What intervals are worth whose band was learned from the other networks."""

    coverage: float
    """Share of the validations measured inside their interval."""
    width: float
    """Median width of the intervals, both sides, relative to the estimate."""


def difficulty(traits: CompositionTraits) -> float:
    """Say how hard a network is to compose; 1 is a network whose sequences take the same wherever they stand.

    Time that depends on what lies in which cache weighs most. The weights decide how wide bands are beside each other,
    not how many networks they hold.
    """
    return 1 + 20 * traits.fetching + 10 * traits.small


def learn(errors: Errors) -> Band:
    """Learn the band of composing from networks that were measured end to end; at least one.

    On either side it holds the share (n + 1) / n * (1 + LEVEL) / 2 of the scores of n networks, each of which weighs
    the same. Where n is too small for that (under 19) the largest error of either sign, own parts or not, is stretched
    by as much as networks lack.
    """
    wanted = (len(errors) + 1) / len(errors) * (1 + LEVEL) / 2
    if wanted > 1 + 1e-9:
        listed = [one for same in errors.values() for one in same]
        reach = max(abs(one.log_ratio) / difficulty(one.traits) for one in listed) * networks_needed() / len(errors)
        return Band(low=reach, high=reach)
    scores = [(one.unexplained / difficulty(one.traits), 1 / len(same)) for same in errors.values() for one in same]
    share = wanted * len(errors)
    below = [(-score, weight) for score, weight in scores]
    return Band(low=max(0.0, _quantile(below, share)), high=max(0.0, _quantile(scores, share)))


def _quantile(scores: Iterable[tuple[float, float]], weight: float) -> float:
    """Give the least score up to which scores, given with their weights, weigh so much together."""
    together, last = 0.0, 0.0
    for score, own in sorted(scores):
        together, last = together + own, score
        if together >= weight - 1e-9:
            break
    return last


def networks_needed() -> int:
    """Give the least number of networks whose errors have the quantile that a band needs."""
    return math.ceil((1 + LEVEL) / (1 - LEVEL) - 1e-9)


def leave_one_out(errors: Errors) -> LeftOneOut:
    """Judge intervals on networks that had no say in them: each against the band learned from all others.

    Args:
        errors: of at least two networks.
    """
    inside, widths = list[bool](), list[float]()
    for name, own in errors.items():
        band = learn({other: same for other, same in errors.items() if other != name})
        for error in own:
            low, high = reach(band, error)
            inside.append(-low <= math.expm1(error.log_ratio) <= high)
            widths.append(low + high)
    return LeftOneOut(coverage=sum(inside) / len(inside), width=median(widths))


def reach(band: Band, error: CompositionError) -> tuple[float, float]:
    """Give how far the interval of an estimate reached below and above it with some band, relative to it."""
    low, high = band.around(error.traits)
    return min(1.0, math.hypot(low, error.own_low)), math.hypot(high, error.own_high)


def choose_band(
    composition: Composition, configuration: SystemConfiguration, rule: str, *, interleaved: bool = False
) -> ChosenBand:
    """Give the band for a composition on a system.

    Where there is no evidence of exactly this, the widest of the nearest bands counts, ``WIDENING`` times as wide for
    each thing that was never seen: the kind of system (instruction set), the runtime or provider, the way of
    splitting (target, H and rule), the number of threads, and results of another hour than the whole.

    Args:
        composition: of which target, granularity and rule count.
        configuration: of the system.
        rule: how sequences overlap.
        interleaved: whether the whole is measured in the run of the parts.
    """
    asked = (composition, configuration, rule, interleaved)

    def order(row: Evidence) -> tuple[int, bool, float]:
        return len(_unseen(row, *asked)), row.interleaved != interleaved, -row.band.low - row.band.high

    chosen = min(table(), key=order)
    unseen = _unseen(chosen, *asked)
    seen = (
        f"{chosen.networks} networks in {chosen.runs} run{'s' if chosen.runs > 1 else ''} on {chosen.system}, "
        f"{chosen.target}, H = {chosen.granularity}, {chosen.threads} thread{'s' if chosen.threads > 1 else ''}"
    )
    if not unseen:
        return ChosenBand(band=chosen.band, reason=f"width from {seen}")
    factor = WIDENING ** len(unseen)
    band = Band(low=factor * chosen.band.low, high=factor * chosen.band.high)
    return ChosenBand(band=band, reason=f"no evidence for {', '.join(unseen)}; width from {seen}, times {factor:g}")


def _unseen(
    row: Evidence, composition: Composition, configuration: SystemConfiguration, rule: str, interleaved: bool
) -> tuple[str, ...]:
    """Say what of an estimate evidence says nothing of."""
    split = (composition.target, composition.granularity, rule)
    runtime = configuration.runtime.partition(" ")[0]
    words = {
        f"runtime {runtime}": row.runtime != runtime,
        f"provider {configuration.provider}": row.provider != configuration.provider,
        "this kind of system": (row.provider, row.instruction_set)
        != (configuration.provider, " ".join(configuration.instruction_set)),
        f"{split[0]}, H = {split[1]}, {rule}": (row.target, row.granularity, row.rule) != split,
        f"{configuration.threads} threads": row.threads != configuration.threads,
        "results of another hour": row.interleaved and not interleaved,
    }
    return tuple(word for word, missing in words.items() if missing)


@functools.cache
def table() -> tuple[Evidence, ...]:
    """Give the bands that came with the package."""
    text = resources.files("dlbricks.construct").joinpath(BANDS).read_text(encoding="utf-8")
    return read_table(text)


_COLUMNS = (
    *("system", "instruction_set", "runtime", "provider", "target", "granularity", "rule", "threads", "interleaved"),
    *("networks", "runs", "low", "high"),
)


def read_table(text: str) -> tuple[Evidence, ...]:
    """Read what ``table_text`` wrote."""
    return tuple(
        Evidence(
            system=row["system"],
            instruction_set=row["instruction_set"],
            runtime=row["runtime"],
            provider=row["provider"],
            target=row["target"],
            granularity=row["granularity"],
            rule=row["rule"],
            threads=int(row["threads"]),
            interleaved=row["interleaved"] == "yes",
            networks=int(row["networks"]),
            runs=int(row["runs"]),
            band=Band(low=float(row["low"]), high=float(row["high"])),
        )
        for row in csv.DictReader(text.splitlines())
    )


def table_text(rows: Sequence[Evidence]) -> str:
    """Write bands as CSV."""
    lines = [",".join(_COLUMNS)]
    for row in rows:
        figures = {"interleaved": "yes" if row.interleaved else "no", "low": f"{row.band.low:.5f}"}
        figures["high"] = f"{row.band.high:.5f}"
        lines.append(",".join(str(figures.get(name) or getattr(row, name)) for name in _COLUMNS))
    return "\n".join(lines) + "\n"


def noise_factor(verdict: str) -> float:
    """Say by how much the interval of a measurement is widened.

    The visits of a noisy or drifting measurement are no sample of one state of the machine, so their interval says too
    little: 2; 1 for all others.
    """
    return _NOISE_FACTOR if verdict in _NOISY else 1.0


def quadrature(half_widths_ns: Iterable[float]) -> int:
    """Add up half-widths of what errs independently, in ns.

    Steps that are the same sequence rest on one measurement and err together: they are one term, times their number.
    """
    return round(math.sqrt(math.fsum(one * one for one in half_widths_ns)))


def together(half_widths: Iterable[float]) -> float:
    """Add up half-widths of guesses of one network, whose errors are correlated by ``TOGETHER``.

    Args:
        half_widths: of different sequences, each times its uses.
    """
    listed = list(half_widths)
    alone = math.fsum(one * one for one in listed)
    return math.sqrt((1 - TOGETHER) * alone + TOGETHER * math.fsum(listed) ** 2)


def interval(total_ns: int, parts: IntervalParts) -> tuple[int, int]:
    """Give the ends of the interval around ``total_ns``, the lower one not below 0; it holds ``LEVEL`` or more."""
    both = (parts.interpolation_ns, parts.drift * total_ns)
    below = math.hypot(parts.sampling_low_ns, *both, parts.composition_low * total_ns)
    above = math.hypot(parts.sampling_high_ns, *both, parts.composition_high * total_ns)
    return max(0, round(total_ns - below)), round(total_ns + above)
