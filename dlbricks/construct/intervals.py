"""Computes intervals of estimates from four independent errors, which add in quadrature.

The errors of sampling, interpolation and drift follow from the measurements. The error of composition is a band from a
table, times the difficulty of the network. ``benchmarks/bands.py`` fits the table to networks that were measured end to
end. For results with reference networks, one band serves all kinds of systems, scaled by the references' errors.
"""

import csv
import functools
import math
from dataclasses import dataclass
from importlib import resources

import msgspec

from dlbricks.construct.types import Composition, CompositionTraits, ExpectedError, IntervalParts
from dlbricks.settings import SplitSettings
from dlbricks.store.types import NOT_CALIBRATED, Calibration, SystemConfiguration
from dlbricks.units import counted

# Nominal coverage of intervals.
LEVEL = 0.9
# Correlation between interpolation errors of one network, from leaving out networks one by one and by family.
TOGETHER = 0.05
# Factor on the width of a band for each property of an estimate that was never validated.
WIDENING = 2.0
# Table of the package, written from the archived runs in ``suites/results``.
BANDS = "composition_bands.csv"
# Kinds of calls that have bands: of a network, of a decoder with a prompt, and of a decoder with one new token.
NETWORK, PROMPT, STEP = "network", "prompt", "step"
_MANY = {NETWORK: "networks", PROMPT: "prompts of decoders", STEP: "decoders' steps"}
# Properties of estimates: for a kind of system, and from runs that were too short for a miss curve.
_KIND, _CURVELESS = "this kind of system", "runs too short to measure the caches"
# Traits for calls of decoders, whose bands do not depend on traits.
NO_TRAITS = CompositionTraits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Error of estimates: half-widths of the logarithm of measured latency / estimated latency."""

    low: float
    """Half-width below the estimate, 0 or more."""
    high: float
    """Half-width above the estimate, 0 or more."""

    def around(self, traits: CompositionTraits) -> tuple[float, float]:
        """Return the half-widths below and above an estimate, as shares of the estimate."""
        hard = difficulty(traits)
        return -math.expm1(-self.low * hard), math.expm1(self.high * hard)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """An error band and the properties of its validation."""

    of: str
    """What was measured: ``NETWORK``, ``PROMPT`` or ``STEP`` (of a decoder)."""
    system: str
    """The measured system."""
    instruction_set: str
    """Instruction set of the processor, the same for all systems of one kind."""
    references: bool
    """Whether estimates were fitted to reference networks. If so, ``system`` and ``instruction_set`` are empty."""
    runtime: str
    """Name of the runtime, such as ``onnxruntime``."""
    provider: str
    target: str
    granularity: str
    rule: str
    threads: int
    interleaved: bool
    """Whether a network and its sequences were measured in the same run."""
    networks: int
    runs: int
    median: float
    """Median of the absolute relative errors; networks have equal weight."""
    p90: float
    """90th percentile of the absolute relative errors."""
    band: Band


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenBand:
    """Error band of an estimate, and why it was chosen."""

    band: Band
    reason: str
    expected: ExpectedError


def difficulty(traits: CompositionTraits) -> float:
    """Return the factor by which the network's traits widen its error band, at least 1."""
    # the weights decide the relative widths of networks' bands; the table sets the coverage
    return 1 + 20 * traits.fetching + 10 * traits.small


def choose_band(
    composition: Composition | SplitSettings,
    configuration: SystemConfiguration,
    rule: str,
    *,
    interleaved: bool = False,
    of: str = NETWORK,
    calibration: Calibration = NOT_CALIBRATED,
    without_curve: bool = False,
) -> ChosenBand:
    """Return the error band of estimates on a system, for a network or for all networks with some split settings.

    The band comes from the validation that agrees in most of these properties: instruction set, runtime, provider,
    splitting (target, H and rule), threads, and ``interleaved``. If several agree equally, the kind of system and the
    splitting decide, then the threads, then ``interleaved``, then the width: the widest band is used. Each property
    that differs multiplies the width by ``WIDENING``, and so does a run that was too short for the machine's miss curve
    (``without_curve``). If ``calibration`` is from reference networks, the instruction set may differ,
    and the errors of these networks scale the width.
    """

    def unseen(row: Evidence) -> tuple[str, ...]:
        return _unseen(row, composition, configuration, rule, interleaved) + (_CURVELESS,) * without_curve

    split = _split(composition, rule)
    chosen = min(
        (row for row in table() if row.of == of and row.references <= bool(calibration.networks)),
        key=lambda row: (
            *(len(unseen(row)), not row.references, len({_KIND, split}.intersection(unseen(row)))),
            *(row.threads != configuration.threads, row.interleaved != interleaved, -row.band.low - row.band.high),
        ),
    )
    seen = f"{chosen.networks} {_MANY[of]} (docs/accuracy.md)"
    lacking = unseen(chosen)
    # errors of another way of splitting, or with a curve, would be read as those of this estimate
    errors = (chosen.median, chosen.p90, chosen.networks)
    median, p90, networks = (None, None, 0) if {split, _CURVELESS}.intersection(lacking) else errors
    expected = ExpectedError(median=median, p90=p90, networks=networks, lacking=lacking)
    spread = calibration.spread if chosen.references else 1.0
    factor = spread * WIDENING ** len(lacking)
    band = Band(low=factor * chosen.band.low, high=factor * chosen.band.high)
    if chosen.references:
        seen += f" of all systems, scaled by {spread:.2g} from errors of reference networks ({calibration.networks})"
    reason = f"validated on {seen}"
    if lacking:
        reason = f"not validated for {', '.join(lacking)}: {factor:.3g} times the width {reason}"
    return ChosenBand(band=band, reason=reason, expected=expected)


def _unseen(
    row: Evidence,
    composition: Composition | SplitSettings,
    configuration: SystemConfiguration,
    rule: str,
    interleaved: bool,
) -> tuple[str, ...]:
    # List the properties of an estimate that differ from a row of evidence.
    runtime = configuration.runtime.partition(" ")[0]
    words = {
        f"runtime {runtime}": row.runtime != runtime,
        f"provider {configuration.provider}": row.provider != configuration.provider,
        _KIND: not row.references
        and (row.provider, row.instruction_set) != (configuration.provider, " ".join(configuration.instruction_set)),
        _split(composition, rule): _split(row, row.rule) != _split(composition, rule),
        counted(configuration.threads, "thread"): row.threads != configuration.threads,
        "results of another hour": row.interleaved and not interleaved,
    }
    return tuple(word for word, missing in words.items() if missing)


def _split(of: Composition | SplitSettings | Evidence, rule: str) -> str:
    return f"{of.target}, H = {of.granularity}, {rule}"


@functools.cache
def table() -> tuple[Evidence, ...]:
    """Return the package's table of error bands."""
    # The mean error of validations does not correct estimates, since it may differ on other machines.
    text = resources.files("dlbricks.construct").joinpath(BANDS).read_text(encoding="utf-8")
    rows = [
        {**row, **{name: row[name] == "yes" for name in ("interleaved", "references")}, "band": row}
        for row in csv.DictReader(text.splitlines())
    ]
    return msgspec.convert(rows, tuple[Evidence, ...], strict=False)


def interval(total_ns: int, parts: IntervalParts) -> tuple[int, int]:
    """Return the ends of an interval with coverage ``LEVEL``, ns; the lower end is at least 0."""
    both = (parts.interpolation_ns, parts.drift * total_ns)
    below = math.hypot(parts.sampling_low_ns, *both, parts.composition_low * total_ns)
    above = math.hypot(parts.sampling_high_ns, *both, parts.composition_high * total_ns)
    return max(0, round(total_ns - below)), round(total_ns + above)
