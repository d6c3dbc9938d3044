"""The types of compositions and estimates."""

from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum

from dlbricks.errors import InputError
from dlbricks.model.types import LoweringTarget, SequenceFeatures
from dlbricks.store.types import Standing, SystemConfiguration

# For each tensor: size in bytes, reuse distance in bytes (``construct.memory_layout``), and age. The age is the number
# of steps since the tensor's memory was last used, at most the number of steps of the model.
Reuses = tuple[tuple[int, int, int], ...]


class Rule(StrEnum):
    """Computes a network's latency from the times of its steps (uses of layer sequences)."""

    SEQUENTIAL = "sequential"
    """Adds the times of all steps; on an asynchronous provider, simulates the queue of kernels."""
    PAIRS = "pairs"
    """Adds the times, and corrects the sum by adjacent steps that were also measured as one sequence."""
    PARALLEL = "parallel"
    """Adds the times on the critical path: independent steps overlap."""
    SIMULATE = "simulate"
    """Simulates the queue with traced kernel launches; on a synchronous provider, it equals ``SEQUENTIAL``."""

    @classmethod
    def parse(cls, text: str) -> "Rule":
        """Return the rule with a name such as ``pairs``; raises ``InputError`` for an unknown name."""
        if text not in list(cls):
            raise InputError(f"invalid rule '{text}': expected one of {', '.join(cls)}")
        return cls(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedSequence:
    """A layer sequence at its place in a network, with the memory that it touches."""

    fingerprint: str
    without_bias: str = ""
    """Fingerprint of the same sequence without the biases of its convolutions, which takes as long; else empty."""
    constants: Reuses = ()
    """Memory that is outside of the caches in state ``weights_cold``: constants, inputs of the model that outputs
    overwrite, buffers of tensors inside the step, and the runtime's data."""
    inputs: Reuses = ()
    """Tensors from other steps, and inputs of the model that the step does not overwrite."""
    outputs: Reuses = ()
    """Buffers of tensors that other steps read, and of outputs of the model."""

    def measured_as(self, measured: Container[str]) -> str:
        """Return the fingerprint by which to look up the latency: that without biases if only it is ``measured``."""
        # In two hours, the medians of 54 convolutions of ResNet-50 with bias were 0.2 and 2 % from those without, which
        # is drift.
        is_own = self.fingerprint in measured or self.without_bias not in measured
        return self.fingerprint if is_own else self.without_bias


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionStep(PlacedSequence):
    """One occurrence of a layer sequence in a network."""

    name: str
    """Name of the sequence, which lists its operators."""
    layers: tuple[str, ...]
    """Names of the layers in the step."""
    depends_on: tuple[int, ...]
    """Indices of the earlier steps on whose outputs this step depends."""
    skip: str | None = None
    """Why the step cannot be benchmarked; None if it can be."""
    free: bool = False
    """Whether the step has only views: it takes no time, and has no benchmark."""
    features: SequenceFeatures | None = None
    """Operation counts and sizes, to predict latencies; None if free or without a benchmark."""
    work: int = 0
    """Modelled work, in proportion to which a measured time is divided; 0 without a benchmark."""
    parts: tuple["CompositionStep", ...] = ()
    """Its layers and fused groups as steps of their own, without views; empty for fewer than two, or if not wanted."""
    assumed: str = ""
    """Input whose assumed value decides sizes, iterations or a branch; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionPair(PlacedSequence):
    """Two adjacent steps as one layer sequence."""

    first: int
    """Index of the first step."""
    second: int
    """Index of the second step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """A network as a list of steps. Suites and results do not contain it, so only the network's owner has it."""

    model: str
    target: str
    granularity: str
    splitter: str
    layers: int
    """Number of layers."""
    steps: tuple[CompositionStep, ...]
    pairs: tuple[CompositionPair, ...] = ()
    """Pairs of adjacent steps; empty unless requested."""
    made_for: LoweringTarget | None = None
    """Runtime and processor for which the network was lowered on another machine, or None."""
    assumed: tuple[str, ...] = ()
    """A sentence for each input whose assumed value matters, with the option that sets it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRow:
    """Time of all occurrences of one layer sequence."""

    fingerprint: str
    name: str
    count: int
    each_ns: int
    """Mean time of an occurrence without call overhead; 0 (in JSON null) if missing."""
    total_ns: int
    """Time of all occurrences, ns."""
    share: float
    """Share of the sum over all sequences, 0 to 1."""
    tier: str
    """``measured``, ``smoke test`` (by smoke tests only), ``interpolated`` (from other sequences), ``assumed`` (by an
    assumed input value), ``free`` (views only) or ``missing``."""
    mismatch: bool
    """Whether the measurement comes from another configuration than the requested one."""
    verdict: str
    """Verdict of the measurement; for a missing sequence, the reason why it has no latency; otherwise empty."""

    @property
    def nulls(self) -> tuple[str, ...]:
        """Names of fields without a value, which ``--json`` prints as null."""
        return ("each_ns", "total_ns", "share") if self.tier == "missing" else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalParts:
    """Independent errors of an estimate, as half-widths, which add in quadrature."""

    sampling_low_ns: int
    """Lower half-width from the intervals of the measurements, ns."""
    sampling_high_ns: int
    """Upper half-width from the intervals of the measurements, ns."""
    interpolation_ns: int
    """Half-width from predicted latencies of unmeasured sequences, ns."""
    drift: float
    """Relative half-width from the drift of the machine."""
    composition_low: float
    """Relative lower half-width from the errors of validated networks."""
    composition_high: float
    """Relative upper half-width from the errors of validated networks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateShares:
    """Shares of an estimated latency by cause. They add up to 1, or to 0 if the latency is 0."""

    llc_warm: float = 0.0
    """Share of time with everything in the caches."""
    weights_cold: float = 0.0
    """Share of time to fetch constants from memory."""
    outputs: float = 0.0
    """Share of time to fetch output buffers from memory."""
    inputs: float = 0.0
    """Share of time to fetch the network's inputs from memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueShares:
    """Estimated times of a network on host and device, ns."""

    host_ns: int
    """Sum of all host times."""
    device_ns: int
    """Sum of all device times."""
    fetching_ns: int
    """Part of ``device_ns`` in which constants are read from device memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyFigure:
    """One of the two latencies on an asynchronous provider, with its 90 % interval, ns."""

    total_ns: int
    low_ns: int
    high_ns: int
    evidence: str
    """What decides the width of the interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionTraits:
    """Shares of an estimated latency, 0 to 1, that are less certain."""

    fetching: float = 0.0
    """Share of time that depends on the caches: all but ``StateShares.llc_warm``."""
    small: float = 0.0
    """Share of time in sequences shorter than 5 call overheads."""
    interpolated: float = 0.0
    """Share of time in sequences with predicted latencies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateOrigin:
    """Facts of the stored runs whose latencies an estimate uses."""

    runs: int
    oldest_unix_ns: int
    """Start of the oldest run."""
    newest_unix_ns: int
    """Start of the newest run."""
    days: int
    """Age of the oldest run at the time of the estimate, in days."""
    smoke: float
    """Share of time in sequences that only smoke tests measured; share of steps if all times are 0."""
    trust: str = "self-reported"
    """Lowest trust of the runs, one of ``store.types.TIERS``, or ``unconfirmed``."""
    standings: tuple[Standing, ...] = ()
    """Standings of the runs; empty without a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedError:
    """Errors of validated estimates with the same properties, for networks whose sequences were all measured."""

    median: float | None
    """Median of the absolute relative errors; None if estimates of this kind were never validated."""
    p90: float | None
    """90th percentile of the absolute relative errors; None as ``median``."""
    networks: int
    """Number of validated networks, prompts or steps; 0 if ``median`` is None."""
    lacking: tuple[str, ...]
    """Properties of the estimate that were not validated; empty if all were."""

    def unknown(self, lacking: str) -> "ExpectedError":
        """Return the errors of estimates with a property for which those of validated estimates say nothing."""
        return ExpectedError(median=None, p90=None, networks=0, lacking=(lacking, *self.lacking))


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Estimated latency of a network on a system."""

    network: str
    configuration: SystemConfiguration
    rule: str
    """Rule of composition."""
    total_ns: int
    """Latency, ns: the times of ``rows``, combined by ``rule``, plus correction and call overhead. The interval is 0
    (null in JSON) if a row is ``assumed`` or ``missing``; if rows are missing the latency is a lower bound, and 0 (null
    in JSON) if all are."""
    low_ns: int
    high_ns: int
    layers: int
    covered_layers: int
    """Number of layers in measured sequences and of views."""
    interpolated_layers: int
    """Number of layers in sequences with predicted latencies."""
    assumed_layers: int = 0
    """Number of layers whose work depends on an assumed input value, which are not covered."""
    assumed: tuple[str, ...] = ()
    """A sentence for each input whose assumed value matters."""
    call_overhead_ns: int
    correction_ns: int = 0
    """Correction of the sum by measured pairs, ns. It may be negative, and is 0 unless ``rule`` is ``pairs``."""
    pairs_measured: int = 0
    """Number of measured pairs of adjacent steps."""
    pairs_missing: int = 0
    """Number of pairs of adjacent steps that were not measured."""
    curve: str
    """Source of the miss curve: ``measured`` or ``assumed``."""
    evidence: str = ""
    """Validations that decide the width of the interval, and how they differ from this estimate."""
    expected: ExpectedError | None = None
    """Errors in the validations of ``evidence``; None if the estimate is only a bound or has no latency."""
    parts: IntervalParts
    states: StateShares = StateShares()
    traits: CompositionTraits = CompositionTraits()
    rows: tuple[EstimateRow, ...]
    """Unique layer sequences, by falling ``total_ns``."""
    missing: tuple[str, ...]
    """Fingerprints of layer sequences without a latency, which the total omits."""
    queue: QueueShares | None = None
    """Times on host and device on an asynchronous provider, or None."""
    device: LatencyFigure | None = None
    """Time of all kernels with the gaps between them: what a CUDA graph takes, and a large batch; None on the CPU, and
    for an incomplete estimate."""
    eager: LatencyFigure | None = None
    """Latency if the host launches each kernel, beside the device: ``total_ns`` and its interval; None on the CPU."""
    origin: EstimateOrigin | None = None
    """Facts of the stored runs that the estimate uses; None without a store."""
    bounds_only: bool = False
    """Whether times of host and device are missing; then ``total_ns`` is a lower and ``high_ns`` an upper bound."""
    mismatch: tuple[str, ...] = ()
    """How the configuration differs from what the network was lowered for, or from what the user requested."""
    processor: str = ""
    """Name of the system's processor or GPU; set only in a list of all known systems, and empty if unknown."""
    published: bool = False
    """Whether the results come from the package's bundle; set only in a list of all known systems."""
    peak_memory_bytes: tuple[int, int] | None = None
    """Memory to load and run the network, least and most (``construct.memory_plan``); of onnxruntime-cpu only."""

    @property
    def similar(self) -> float:
        """Share of the time in sequences whose latency was predicted from similar sequences, 0 to 1."""
        return sum(row.share for row in self.rows if row.tier == "interpolated")

    @property
    def coverage(self) -> float:
        """Share of the layers in measured sequences or views, 0 to 1."""
        return self.covered_layers / self.layers if self.layers else 1.0

    @property
    def nulls(self) -> tuple[str, ...]:
        """Names of fields without a value, which ``--json`` prints as null."""
        interval = () if self.total_ns and self.high_ns else ("low_ns", "high_ns")
        return interval if self.total_ns else ("total_ns", *interval)

    @property
    def preference(self) -> tuple[float, float]:
        """Sort key for estimates of one network: coverage, then the negated relative width."""
        width = (self.high_ns - self.low_ns) / self.total_ns if self.high_ns and self.total_ns else 1.0
        return self.coverage if self.total_ns else 0.0, -min(1.0, width)
