"""The types of validations."""

from dataclasses import dataclass

from dlbricks.construct.types import Composition, CompositionTraits, StateShares
from dlbricks.store.document import Document

# Target for the relative half-width of the 95 % interval of end-to-end latencies: smaller errors cannot be seen.
REFERENCE_RELATIVE = 0.007


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSettings:
    """Settings of a validation, equal for all results in one file."""

    target: str
    granularity: str
    splitter: str
    rule: str
    provider: str
    threads: int
    runtime: str
    """Name and version of the runtime, as in ``onnxruntime 1.31.1``."""
    system: str
    """Name of the machine."""
    batch: int | None = None
    """Requested batch size; None for the batch size in the network's file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartResult:
    """A layer sequence of a validated network, or a pair of adjacent sequences."""

    fingerprint: str
    name: str
    count: int
    layers: int
    """Number of layers in the sequence."""
    each_ns: int
    """Time of one occurrence, without call overhead, ns."""
    total_ns: int
    share: float
    """Share of the network's estimated time, 0 to 1."""
    tier: str
    """Source of the time, as in ``EstimateRow.tier``; ``union`` for a pair (rule ``pairs``)."""
    verdict: str
    wall_ns: int
    """Wall time of measuring the sequence, ns: load, warm-up, all calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineStep:
    """A layer sequence of DLBricks' published method."""

    fingerprint: str
    """Fingerprint of the sequence's benchmark; empty if the sequence cannot be benchmarked."""
    layers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """Facts of a run that its result document lacks."""

    settings: ValidationSettings
    composition: Composition
    whole: str
    """Fingerprint of the end-to-end benchmark."""
    seconds: float
    """Duration of the run, seconds."""
    baseline: tuple[BaselineStep, ...] = ()
    """Layer sequences of DLBricks' published method; empty if not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRun:
    """The run of one network and its parts, as ``dlbricks validate --keep`` archives it."""

    facts: RunFacts
    document: Document
    """The result document of the run."""

    @property
    def model(self) -> str:
        """Name of the network."""
        return self.facts.composition.model


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkValidation:
    """Measured and estimated latency of a network."""

    network: str
    measured_ns: int
    """Measured latency of the whole, ns, with one call overhead."""
    measured_low_ns: int
    measured_high_ns: int
    measured_relative: float
    """Half-width of the 95 % interval of the measured latency, relative to the latency."""
    measured_verdict: str
    measured_disturbed: bool = False
    """Whether every call of the whole network was disturbed."""
    estimated_ns: int
    """Estimated latency, ns, with one call overhead."""
    low_ns: int
    """Lower end of the 90 % interval of the estimate, ns."""
    high_ns: int
    sampling_relative: float
    """Half-width of the estimate's interval with sampling as the only error, relative to the estimate."""
    own_low: float
    """Relative lower half-width of the estimate's interval without the error of composition (``docs/metrics.md``)."""
    own_high: float
    """Relative upper half-width of the estimate's interval without the error of composition."""
    traits: CompositionTraits
    """Shares of the estimate that are less certain."""
    states: StateShares
    """Shares of the estimate by cause."""
    ratio: float
    """Estimated latency divided by measured latency."""
    layers: int
    unique_layers: int
    """Number of layers in unique layer sequences."""
    coverage: float
    """Share of the layers in measured sequences; always 1.0."""
    call_overhead_ns: int
    drift: float
    """Drift of the anchors during the run."""
    suite_ns: int
    """Wall time of measuring the parts, ns."""
    end_to_end_ns: int
    """Wall time of measuring the whole network, ns, until its relative half-width reached ``sampling_relative``."""
    reference_ns: int
    """Total wall time of measuring the whole network, ns."""
    run_ns: int
    """Wall time of splitting, writing and measuring, ns."""
    parts: tuple[PartResult, ...]
    """Layer sequences by falling total time, then measured pairs."""
    device: "DeviceValidation | None" = None
    """Estimate and measurements of the device's time; None on the CPU, and in older files."""
    energy_uj: int | None = None
    """Energy of a call of the whole network, uJ: median of the mean powers during its visits, times its latency."""
    energy_source: str = ""
    """What was counted; without ``energy_uj`` the word ``absent`` and the reason. Empty in older files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceValidation:
    """Estimated and measured time of a network's kernels with the gaps between them, ns."""

    estimated_ns: int
    low_ns: int
    """Lower end of the 90 % interval of the estimate."""
    high_ns: int
    measured_ns: int | None
    """Time of the whole network's kernels; None if they were not traced."""
    graph_ns: int | None
    """Latency of the whole network as one CUDA graph, without call overhead; None if it cannot be one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedNetwork:
    """A network that could not be validated."""

    network: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFigures:
    """Errors of estimates over networks (``docs/metrics.md``)."""

    median_abs_error: float
    mean_abs_error: float
    p90_abs_error: float
    max_abs_error: float
    geomean_ratio: float
    bias: float
    """``geomean_ratio`` - 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSummary(ErrorFigures):
    """Errors, intervals and times over networks (``docs/metrics.md``)."""

    network_count: int
    interval_coverage: float
    interval_width: float
    """Median width of the estimates' intervals, relative to the estimates."""
    reference_relative: float
    """Median half-width of the measured latencies' 95 % intervals, relative to the latencies."""
    worst_reference_relative: float
    good_references: int
    """Number of networks with a ``measured_relative`` of ``REFERENCE_RELATIVE`` or less."""
    good_reference_errors: ErrorFigures
    """Errors over the networks of ``good_references``; all 0 without such networks."""
    layers: int
    unique_layers: int
    """Number of layers in unique layer sequences of all networks."""
    suite_ns: int
    """Wall time of measuring the parts, ns; a sequence in several networks counts once."""
    end_to_end_ns: int
    reference_ns: int
    speedup: float
    """``end_to_end_ns`` / ``suite_ns``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """Content of a validation file."""

    settings: ValidationSettings
    networks: tuple[NetworkValidation, ...]
    """Validated networks in the order of measurement."""
    failed: tuple[FailedNetwork, ...]
    summary: ValidationSummary
