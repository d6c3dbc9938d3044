"""Types of validations: measured and estimated latencies of networks, and error figures over all networks."""

from dataclasses import dataclass

from dlbricks.construct.types import Composition, CompositionTraits, StateShares
from dlbricks.store.document import Document

# Target for the relative half-width of the 95 % interval of end-to-end latencies: smaller errors cannot be seen.
REFERENCE_RELATIVE = 0.007


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSettings:
    """Settings of a validation; results with different settings are never combined in one file."""

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
    """A layer sequence of a validated network, or a pair of adjacent sequences measured as one."""

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
    """A layer sequence of a network that was split by the published method of DLBricks."""

    fingerprint: str
    """Fingerprint of the sequence's benchmark; empty if the sequence cannot be benchmarked."""
    layers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """Facts on the measurement of a network and its parts that the result document lacks."""

    settings: ValidationSettings
    composition: Composition
    whole: str
    """Fingerprint of the end-to-end benchmark."""
    seconds: float
    """Duration of the whole run, in seconds."""
    baseline: tuple[BaselineStep, ...] = ()
    """Layer sequences of DLBricks' published method, if the run also measured these (``benchmarks/accuracy.py``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRun:
    """The measurement of one network whole and in parts, as ``dlbricks validate --keep`` archives it."""

    facts: RunFacts
    document: Document
    """The result document of the run."""

    @property
    def model(self) -> str:
        """Name of the network."""
        return self.facts.composition.model


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkValidation:
    """A network measured whole and in parts in one interleaved run, and its estimated latency."""

    network: str
    measured_ns: int
    """Measured latency of the whole network, ns, with one call overhead."""
    measured_low_ns: int
    measured_high_ns: int
    measured_relative: float
    """Half-width of the 95 % interval of the measured latency, relative to the latency."""
    measured_verdict: str
    measured_disturbed: bool = False
    """Whether each call of the whole network was disturbed by other work on the processor or its core."""
    estimated_ns: int
    """Latency estimated from the parts, ns, with one call overhead."""
    low_ns: int
    """Lower end of the 90 % interval of the estimate, ns."""
    high_ns: int
    sampling_relative: float
    """Half-width of the estimate's interval from sampling alone, relative to the estimate."""
    own_low: float
    """Lower half-width of the estimate's interval, relative to the estimate, without the error due to adding up
    parts (``docs/metrics.md``)."""
    own_high: float
    """Upper half-width of the estimate's interval, relative, without the error due to adding up parts."""
    traits: CompositionTraits
    """Shares of the estimate that are less certain, which decide the width of the interval."""
    states: StateShares
    """Shares of the estimate by cause, such as fetching constants from memory."""
    ratio: float
    """Estimated latency divided by measured latency."""
    layers: int
    unique_layers: int
    """Number of layers in the different layer sequences, each counted once."""
    coverage: float
    """Share of the layers that are measured: always 1.0, since a network with an unmeasured part fails."""
    call_overhead_ns: int
    drift: float
    """Relative drift of the reference benchmarks (anchors) during the run."""
    suite_ns: int
    """Wall time of measuring the parts, ns."""
    end_to_end_ns: int
    """Wall time of measuring the whole network, ns, until its relative half-width reached ``sampling_relative``."""
    reference_ns: int
    """Total wall time of measuring the whole network, ns."""
    run_ns: int
    """Wall time of the run, ns: splitting, writing, measuring."""
    parts: tuple[PartResult, ...]
    """Layer sequences in descending order of total time, then measured pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedNetwork:
    """A network that could not be validated."""

    network: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFigures:
    """Errors of estimated latencies over several networks; ``docs/metrics.md`` defines each figure."""

    median_abs_error: float
    mean_abs_error: float
    p90_abs_error: float
    max_abs_error: float
    geomean_ratio: float
    bias: float
    """``geomean_ratio`` - 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSummary(ErrorFigures):
    """Errors, intervals and times over all validated networks; ``docs/metrics.md`` defines each figure."""

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
    """Errors over the networks that ``good_references`` counts; all 0 if it counts none."""
    layers: int
    unique_layers: int
    """Number of layers in the different layer sequences of all networks."""
    suite_ns: int
    """Wall time of measuring the parts, ns. A sequence that several networks contain counts once."""
    end_to_end_ns: int
    reference_ns: int
    speedup: float
    """``end_to_end_ns`` / ``suite_ns``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """The content of a validation file."""

    settings: ValidationSettings
    networks: tuple[NetworkValidation, ...]
    """Validated networks in the order of measurement."""
    failed: tuple[FailedNetwork, ...]
    summary: ValidationSummary
