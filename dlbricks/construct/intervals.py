"""How far an estimate may be off: sampling, interpolation, drift, and what composing costs, learned from validations.

Pure. The parts are independent of each other and add in quadrature, side by side. Sampling, interpolation and drift are
known of the results at hand. What composing costs is learned from networks that were also measured end to end, by split
conformal prediction with nested sets: of each validated network counts how wide its band would have to be for its
interval, all parts together, to hold what was measured, divided by how hard the network is to compose. These are
sorted, and the band reaches as far as the quantile with the correction for their finite number. What an error owes to
its own sampling and drift so does not count a second time in the band. Whatever the scale of difficulty and the other
parts, a new network of the same kind lies in its interval with the probability asked for; a good scale only makes
intervals narrow where they can be. Sources: Vovk, Gammerman, Shafer, "Algorithmic Learning in a Random World" (2005);
Angelopoulos, Bates, "A Gentle Introduction to Conformal Prediction" (2023), sections 1 and 2.3; Gupta, Kuchibhotla,
Ramdas, "Nested conformal prediction and quantile out-of-bag ensemble methods" (2022), section 2.

The estimate itself is not corrected by the mean error of a validation: a bias that is seen on one machine and one
choice of networks need not be that of others, and the band is not symmetric, so it holds the bias.
"""

import functools
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from statistics import median
from typing import Any

from dlbricks.construct.types import CompositionTraits, IntervalParts

LEVEL = 0.9
"""Share of networks that intervals hold."""
TOGETHER = 0.05
"""Correlation of the errors of guesses within one network, from networks left out one by one and by families."""
_TABLE = "composition_errors.json"
_HEAD = ("target", "granularity", "rule", "several", "interleaved", "evidence")
_NOISY = frozenset({"noisy", "drifting"})
_NOISE_FACTOR = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionError:
    """How one network was measured beside its estimate."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRun:
    """One validation, as far as composing is concerned."""

    target: str
    granularity: str
    rule: str
    several: bool
    """Whether sessions had several threads, which errs more: all of their cores decide what a call takes."""
    interleaved: bool
    """Whether parts and whole were measured in one run; else the parts in a run of the suite at another hour."""
    evidence: str
    """Where the figures come from."""
    errors: tuple[CompositionError, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionBand:
    """How far networks were measured from their estimates beyond what sampling explains: logarithms per difficulty."""

    low: float
    """Downwards, >= 0."""
    high: float
    """Upwards, >= 0."""
    networks: int
    """From how many it was learned."""

    def around(self, traits: CompositionTraits) -> tuple[float, float]:
        """Give how much lower and how much higher a network may be than its estimate, both relative and >= 0."""
        hard = difficulty(traits)
        return -math.expm1(-self.low * hard), math.expm1(self.high * hard)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOneOut:
    """What intervals are worth whose band was learned from the other networks."""

    coverage: float
    """Share of the networks measured inside their interval."""
    width: float
    """Median width of the intervals, both sides, relative to the estimate."""


def difficulty(traits: CompositionTraits) -> float:
    """Say how hard a network is to compose; 1 is a network whose sequences take the same wherever they stand.

    Time that depends on what lies in which cache weighs most. The weights are rounded from a validation of 50 networks;
    they decide how wide bands are beside each other, not how many networks they hold.
    """
    return 1 + 20 * traits.fetching + 10 * traits.small


def learn(errors: Sequence[CompositionError]) -> CompositionBand:
    """Learn the band of composing from networks that were measured end to end; at least one.

    On either side it holds the quantile of rank ceil((n + 1) * (1 + LEVEL) / 2) among n. Where n is too small for that
    (under 19) there is no such rank: the largest error of either sign, own parts or not, is stretched by as much as
    networks lack.
    """
    rank = math.ceil((len(errors) + 1) * (1 + LEVEL) / 2 - 1e-9)
    if rank > len(errors):
        reach = max(abs(one.log_ratio) / difficulty(one.traits) for one in errors) * rank_needed() / len(errors)
        return CompositionBand(low=reach, high=reach, networks=len(errors))
    scores = sorted(one.unexplained / difficulty(one.traits) for one in errors)
    return CompositionBand(low=max(0.0, -scores[-rank]), high=max(0.0, scores[rank - 1]), networks=len(scores))


def rank_needed() -> int:
    """Give the least number of networks whose errors have the quantile that a band needs."""
    return math.ceil((1 + LEVEL) / (1 - LEVEL) - 1e-9)


def leave_one_out(errors: Sequence[CompositionError]) -> LeftOneOut:
    """Judge intervals on networks that had no say in them: each against the band learned from all others.

    Args:
        errors: of at least two networks.
    """
    inside, widths = 0, []
    for index, error in enumerate(errors):
        low, high = learn([*errors[:index], *errors[index + 1 :]]).around(error.traits)
        low, high = min(1.0, math.hypot(low, error.own_low)), math.hypot(high, error.own_high)
        inside += -low <= math.expm1(error.log_ratio) <= high
        widths.append(low + high)
    return LeftOneOut(coverage=inside / len(errors), width=median(widths))


def composition_band(
    target: str, granularity: str, rule: str, *, threads: int = 1, interleaved: bool = False
) -> CompositionBand:
    """Give the band for a target, a granularity, a rule, and one thread or several.

    Where no validation is of exactly these, the widest band of the target counts, of several threads also that of any
    validation with several, and where there is none of these the widest of all: nothing narrower is promised than what
    was seen elsewhere.

    Args:
        target: of the composition.
        granularity: of the composition.
        rule: how sequences overlap.
        threads: of each session.
        interleaved: whether the whole is measured in the run of the parts; what differs between runs at different hours
            counts if not.
    """
    wanted = (target, granularity, rule, threads > 1, interleaved)
    alike = []
    for run, band in learned():
        if (run.target, run.granularity, run.rule, run.several, run.interleaved) == wanted:
            return band
        same = (run.target, run.several, run.interleaved) == (target, False, interleaved)
        if same or (threads > 1 and run.several):
            alike.append(band)
    return max(alike or [band for _, band in learned()], key=lambda band: band.low + band.high)


@functools.cache
def learned() -> tuple[tuple[ErrorRun, CompositionBand], ...]:
    """Give the validations that came with the package and their bands."""
    text = resources.files("dlbricks.construct").joinpath(_TABLE).read_text(encoding="utf-8")
    return tuple((run, learn(run.errors)) for run in read_runs(text))


def read_runs(text: str) -> tuple[ErrorRun, ...]:
    """Read what ``runs_text`` wrote."""
    return tuple(_run(one) for one in json.loads(text))


def _run(value: dict[str, Any]) -> ErrorRun:
    errors = tuple(
        CompositionError(
            log_ratio=one[0],
            traits=CompositionTraits(fetching=one[1], small=one[2], interpolated=one[3]),
            own_low=one[4],
            own_high=one[5],
        )
        for one in value.pop("errors")
    )
    return ErrorRun(**value, errors=errors)


def runs_text(runs: Sequence[ErrorRun]) -> str:
    """Write validations as the JSON of the package: a line per network, its log ratio, its traits, its own parts."""
    made = []
    for run in runs:
        rows = [[one.log_ratio, *asdict(one.traits).values(), one.own_low, one.own_high] for one in run.errors]
        lines = ",\n".join("    " + json.dumps([round(figure, 4) for figure in row]) for row in rows)
        head = {
            name: getattr(run, name) for name in ("target", "granularity", "rule", "several", "interleaved", "evidence")
        }
        fields = "".join(f"  {json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items())
        made.append(f'{{\n{fields}  "errors": [\n{lines}\n  ]\n}}')
    return "[" + ",\n".join(made) + "]\n"


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
