"""Types of validations: measurements and estimates of networks, and error figures over all of them."""

from dataclasses import dataclass

from dlbricks.construct.types import Composition, CompositionTraits, StateShares
from dlbricks.store.document import Document

# Target for the relative half width of the 95 % interval of end-to-end latencies; smaller errors are not resolved.
REFERENCE_RELATIVE = 0.007


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSettings:
    """Settings of a validation; results of different settings are not combined."""

    target: str
    granularity: str
    splitter: str
    rule: str
    provider: str
    threads: int
    runtime: str
    """Name and version, as in ``onnxruntime 1.31.1``."""
    system: str
    """Name of the machine."""
    batch: int | None = None
    """Requested batch size; None for that of the files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartResult:
    """One unique sequence of a validated network."""

    fingerprint: str
    name: str
    count: int
    layers: int
    """Number of layers in one occurrence."""
    each_ns: int
    """Time of one occurrence, without call overhead."""
    total_ns: int
    share: float
    """Share in the sum of all sequences."""
    tier: str
    """As in estimates; ``union`` for a pair of adjacent sequences, measured for the rule ``pairs``."""
    verdict: str
    wall_ns: int
    """Time of measuring it: load, warm-up, all calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineStep:
    """One sequence of a network split by the published method."""

    fingerprint: str
    """Fingerprint of its benchmark; empty if it cannot be benchmarked."""
    layers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """Facts of a run that are not in its result document."""

    settings: ValidationSettings
    composition: Composition
    whole: str
    """Fingerprint of the end-to-end benchmark."""
    seconds: float
    """Duration of the whole run."""
    baseline: tuple[BaselineStep, ...] = ()
    """Of archives whose run measured DLBricks' published method, too (``benchmarks/accuracy.py``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRun:
    """A run of one network, as ``validate --keep`` writes it."""

    facts: RunFacts
    document: Document
    """The result document of the run."""

    @property
    def model(self) -> str:
        """Name of the network."""
        return self.facts.composition.model


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkValidation:
    """A network measured end to end and by parts in one interleaved run."""

    network: str
    measured_ns: int
    """End-to-end latency, one call overhead included."""
    measured_low_ns: int
    measured_high_ns: int
    measured_relative: float
    """Relative half width of its 95 % interval."""
    measured_verdict: str
    measured_disturbed: bool = False
    """Whether every call of the whole network waited for a processor or shared its core: the machine was busy."""
    estimated_ns: int
    """Composed from the parts, one call overhead included."""
    low_ns: int
    """Lower end of the estimate's interval."""
    high_ns: int
    sampling_relative: float
    """Half width of the interval's sampling term, relative to the estimate."""
    own_low: float
    """Lower half width of the interval without its composition term, relative to the estimate."""
    own_high: float
    """The upper half width."""
    traits: CompositionTraits
    """Properties of the network that the composition term depends on."""
    states: StateShares
    """Shares of the estimate by cache state."""
    ratio: float
    """estimated / measured."""
    layers: int
    unique_layers: int
    """Layers in sequences with different fingerprints."""
    coverage: float
    """Coverage of the estimate: 1.0, since a network with a part without latency counts as failed."""
    call_overhead_ns: int
    drift: float
    """Relative drift of the anchors during the run."""
    suite_ns: int
    """Wall time of measuring the parts."""
    end_to_end_ns: int
    """Wall time of measuring end to end until the interval was as narrow as ``sampling_relative``."""
    reference_ns: int
    """Total wall time of measuring end to end."""
    run_ns: int
    """Total time: splitting, writing, measuring."""
    parts: tuple[PartResult, ...]
    """In descending order of total time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedNetwork:
    """A network that could not be validated."""

    network: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFigures:
    """Error figures over networks; see ``docs/metrics.md``."""

    median_abs_error: float
    mean_abs_error: float
    p90_abs_error: float
    max_abs_error: float
    geomean_ratio: float
    bias: float
    """``geomean_ratio`` - 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSummary(ErrorFigures):
    """Figures over all networks; see ``docs/metrics.md``."""

    network_count: int
    interval_coverage: float
    interval_width: float
    """Median width of the intervals, relative to the estimates."""
    reference_relative: float
    """Median relative half width of the measured latencies' intervals."""
    worst_reference_relative: float
    good_references: int
    """Number of networks whose measured latency reached ``REFERENCE_RELATIVE``."""
    good_reference_errors: ErrorFigures
    """Errors over these networks only; all 0 if there are none."""
    layers: int
    unique_layers: int
    """Layers in sequences with different fingerprints over all networks."""
    suite_ns: int
    """Wall time of measuring the parts; shared sequences count once, as in a common suite."""
    end_to_end_ns: int
    reference_ns: int
    speedup: float
    """``end_to_end_ns`` / ``suite_ns``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """The content of a validation file."""

    settings: ValidationSettings
    networks: tuple[NetworkValidation, ...]
    """In the order in which they were measured."""
    failed: tuple[FailedNetwork, ...]
    summary: ValidationSummary
