"""The nouns of validations: what was measured and estimated of networks, and the figures over all of them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSettings:
    """How a validation measured; results of different settings do not mix."""

    target: str
    granularity: str
    splitter: str
    rule: str
    provider: str
    threads: int
    runtime: str
    """As in ``onnxruntime 1.31.1``."""
    system: str
    """Name made from the machine's facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartResult:
    """One unique sequence of a validated network."""

    fingerprint: str
    name: str
    count: int
    layers: int
    """In one use."""
    each_ns: int
    """Call overhead taken out."""
    total_ns: int
    share: float
    """Of the sequential sum."""
    tier: str
    verdict: str
    wall_ns: int
    """Cost of measuring it: load, warm-up, all calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelValidation:
    """A network measured end to end and by parts in one interleaved run."""

    model: str
    measured_ns: int
    """Latency of the whole, one call overhead included."""
    measured_low_ns: int
    measured_high_ns: int
    measured_verdict: str
    estimated_ns: int
    """Composed from the parts, one call overhead included."""
    low_ns: int
    """Lower end of the estimate's interval."""
    high_ns: int
    ratio: float
    """estimated / measured."""
    layers: int
    unique_layers: int
    """Layers in sequences with different fingerprints."""
    coverage: float
    """Of the estimate: 1.0, since a network with a part that gave no latency counts as failed."""
    call_overhead_ns: int
    drift: float
    """How far the anchors moved during the run, relative."""
    suite_seconds: float
    """Wall time of measuring the parts."""
    end_to_end_seconds: float
    """Wall time of measuring the whole."""
    run_seconds: float
    """Everything: splitting, emitting, measuring."""
    parts: tuple[PartResult, ...]
    """By falling total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedModel:
    """A network that could not be validated."""

    model: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSummary:
    """The figures over all networks; see ``docs/metrics.md``."""

    models: int
    median_abs_error: float
    p90_abs_error: float
    max_abs_error: float
    geomean_ratio: float
    interval_coverage: float
    layers: int
    unique_layers: int
    """Layers in sequences with different fingerprints over all networks."""
    suite_seconds: float
    """Wall time of measuring the parts; a sequence that several networks share counts once, as in a common suite."""
    end_to_end_seconds: float
    speedup: float
    """``end_to_end_seconds`` / ``suite_seconds``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """The content of a validation file."""

    settings: ValidationSettings
    models: tuple[ModelValidation, ...]
    """In the order in which they were measured."""
    failed: tuple[FailedModel, ...]
    summary: ValidationSummary
