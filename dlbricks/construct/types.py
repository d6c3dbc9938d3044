"""Types of compositions and estimates."""

from dataclasses import dataclass
from enum import StrEnum

from dlbricks.errors import InputError
from dlbricks.model.types import LoweringTarget, SequenceFeatures
from dlbricks.store.types import Standing, SystemConfiguration

# For each tensor: size in bytes, reuse distance in bytes (``construct.memory_layout``), and age. The age is the number
# of steps since the tensor's memory was last used, at most the number of steps of the model.
Reuses = tuple[tuple[int, int, int], ...]


class Rule(StrEnum):
    """A rule that computes a network's latency from the times of its layer sequences (steps)."""

    SEQUENTIAL = "sequential"
    """Adds up the times of all steps; on an asynchronous provider, simulates the queue of kernels."""
    PAIRS = "pairs"
    """Adds up the times, and corrects the sum where two adjacent steps were also measured as one sequence: layout
    changes and fusions at their boundary then count as in the network."""
    PARALLEL = "parallel"
    """Adds up the times on the critical path: independent steps overlap."""
    SIMULATE = "simulate"
    """Simulates the device queue with traced kernel launches; like ``SEQUENTIAL`` on a provider without a queue."""

    @classmethod
    def parse(cls, text: str) -> "Rule":
        """Return the rule for adding up latencies that a name such as ``pairs`` means; raises ``InputError``."""
        if text not in list(cls):
            raise InputError(f"invalid rule '{text}': expected one of {', '.join(cls)}")
        return cls(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedSequence:
    """A layer sequence at its place in a network, with the memory that its layers read and write there."""

    fingerprint: str
    constants: Reuses = ()
    """Memory that is not in the caches in state ``weights_cold``. Its order is: constants of the layers, inputs of the
    model that outputs overwrite, buffers of tensors inside the step, the runtime's data for the layers."""
    inputs: Reuses = ()
    """Tensors that the sequence reads from other steps, and inputs of the model that it does not overwrite."""
    outputs: Reuses = ()
    """Buffers of tensors that other steps read, and of outputs of the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionStep(PlacedSequence):
    """One occurrence of a layer sequence in a network; steps are in dependency order."""

    name: str
    """Readable name, made of operator names."""
    layers: tuple[str, ...]
    """Names of the layers in the step."""
    depends_on: tuple[int, ...]
    """Indices of the earlier steps whose outputs the step reads."""
    skip: str | None = None
    """Reason why the step cannot be benchmarked; None if it can be."""
    free: bool = False
    """Whether the layers only rename memory: the step takes no time in a network, and has no benchmark."""
    features: SequenceFeatures | None = None
    """Operation counts and sizes, to predict latencies; None if the step is free or cannot be benchmarked."""
    assumed: str = ""
    """Input of the network whose assumed value decides the step's sizes, loop iterations or branch; empty if none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionPair(PlacedSequence):
    """Two adjacent steps of a network measured as one layer sequence; the second depends on the first."""

    first: int
    """Index of the first step."""
    second: int
    """Index of the second step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """A network as a list of layer sequences and dependencies; no suite contains it, so only its owner has it."""

    model: str
    target: str
    granularity: str
    splitter: str
    layers: int
    """Number of layers of the network."""
    steps: tuple[CompositionStep, ...]
    pairs: tuple[CompositionPair, ...] = ()
    """Pairs of adjacent steps, for the rule ``pairs``; empty unless requested."""
    made_for: LoweringTarget | None = None
    """Runtime and processor for which the network was optimised on another machine; None otherwise."""
    assumed: tuple[str, ...] = ()
    """A sentence for each input whose assumed value matters, with the option that sets the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRow:
    """The time of all occurrences of one layer sequence in a network."""

    fingerprint: str
    name: str
    count: int
    each_ns: int
    """Mean time of an occurrence without call overhead; 0 (in JSON null) if missing."""
    total_ns: int
    """Time of all occurrences."""
    share: float
    """``total_ns`` divided by the sum of ``total_ns`` over all sequences, 0 to 1."""
    tier: str
    """``measured``, ``smoke test`` (measured by smoke tests only), ``interpolated`` (predicted from other sequences),
    ``assumed`` (an assumed input value decides sizes, loop iterations or a branch), ``free`` (views only) or
    ``missing``."""
    mismatch: bool
    """Whether the measurement comes from another configuration than the requested one."""
    verdict: str
    """Verdict of the measurement. For a missing sequence, why it cannot be benchmarked or has no stored latency;
    empty if neither applies."""

    @property
    def nulls(self) -> tuple[str, ...]:
        """Names of fields without a value, in place of which ``--json`` prints null."""
        return ("each_ns", "total_ns", "share") if self.tier == "missing" else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalParts:
    """The independent errors of an estimated latency, as half-widths, which add in quadrature."""

    sampling_low_ns: int
    """Lower half-width from the intervals of the measurements; all occurrences of a sequence have the same error."""
    sampling_high_ns: int
    """Upper half-width from the intervals of the measurements."""
    interpolation_ns: int
    """Half-width on both sides from the error of latencies predicted for unmeasured sequences."""
    drift: float
    """Relative half-width on both sides: how much the times of reference benchmarks changed during the runs."""
    composition_low: float
    """Relative lower half-width: how far measured latencies of validation networks lay below the estimates."""
    composition_high: float
    """Relative upper half-width: how far measured latencies of validation networks lay above the estimates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateShares:
    """Shares of an estimated latency by cause, which add up to 1; all 0 if the time is 0."""

    llc_warm: float = 0.0
    """Share of time with everything in the caches."""
    weights_cold: float = 0.0
    """Share of time for fetching constants from memory."""
    outputs: float = 0.0
    """Share of time for fetching output buffers."""
    inputs: float = 0.0
    """Share of time for fetching the network's inputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueShares:
    """Estimated times of a network on host and device, ns, where the host enqueues work that a device executes."""

    host_ns: int
    """Sum of all host times. The larger of ``host_ns`` and ``device_ns`` is the latency if neither side waits."""
    device_ns: int
    """Sum of all times on the device."""
    fetching_ns: int
    """Part of ``device_ns`` that constants cost because they come from device memory, not from the device's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionTraits:
    """Shares of an estimated latency, 0 to 1, that are less certain than the rest."""

    fetching: float = 0.0
    """Share of time that depends on cache contents: all but ``StateShares.llc_warm``."""
    small: float = 0.0
    """Share of time in sequences shorter than 5 call overheads, where errors of the overhead matter."""
    interpolated: float = 0.0
    """Share of time in sequences whose latencies were predicted instead of measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateOrigin:
    """The stored runs whose measurements an estimate uses."""

    runs: int
    oldest_unix_ns: int
    """Start of the oldest run."""
    newest_unix_ns: int
    """Start of the newest run."""
    days: int
    """Age of the oldest run at the time of the estimate."""
    smoke: float
    """Share of time in sequences that only smoke tests measured, 0 to 1; share of steps if all times are 0."""
    trust: str = "self-reported"
    """Lowest level of trust among the runs, one of ``store.types.TIERS``, or ``unconfirmed``."""
    standings: tuple[Standing, ...] = ()
    """How far each run lies from the runs of other owners; empty if the results come from no store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedError:
    """Errors of validated estimates of the chosen kind, for networks whose sequences were all measured."""

    median: float
    """Median of the absolute relative errors."""
    p90: float
    """90th percentile of the absolute relative errors."""
    networks: int
    """Number of validated networks, prompts or steps."""
    lacking: tuple[str, ...]
    """Properties of the estimate that were not validated; empty if all were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The estimated latency of a network on a system that need not have run the network."""

    network: str
    configuration: SystemConfiguration
    rule: str
    """Name of the rule by which the times of layer sequences were added up, as in ``Rule``."""
    total_ns: int
    """Latency, ns: times of ``rows`` by ``rule``, plus correction and call overhead. Latency and interval are 0 (JSON
    null) if all rows that take time are missing. The interval is also 0 if rows are ``assumed``."""
    low_ns: int
    high_ns: int
    layers: int
    covered_layers: int
    """Number of layers in measured sequences, plus layers that only rename memory."""
    interpolated_layers: int
    """Number of layers in sequences whose latency was predicted from other sequences."""
    assumed_layers: int = 0
    """Number of layers whose work depends on an assumed input value; not counted as covered or interpolated."""
    assumed: tuple[str, ...] = ()
    """A sentence for each input whose assumed value matters, as in ``Composition``."""
    call_overhead_ns: int
    correction_ns: int = 0
    """Correction of the sum by measured pairs of adjacent steps, ns, maybe negative; 0 unless ``rule`` is ``pairs``."""
    pairs_measured: int = 0
    """Number of measured pairs of steps, from which ``correction_ns`` follows."""
    pairs_missing: int = 0
    """Number of adjacent pairs of steps that were not measured as one sequence; their times add up uncorrected."""
    curve: str
    """Source of the machine's cache miss curve: ``measured``, or ``assumed`` if the results have none."""
    evidence: str = ""
    """Validations that decide the width of the interval, and how they differ from this estimate."""
    expected: ExpectedError | None = None
    """Errors of these validations; None if the estimate is only a bound."""
    parts: IntervalParts
    states: StateShares = StateShares()
    traits: CompositionTraits = CompositionTraits()
    rows: tuple[EstimateRow, ...]
    """Different layer sequences in descending order of ``total_ns``."""
    missing: tuple[str, ...]
    """Fingerprints of layer sequences without a latency, which the total omits, in order of first use."""
    queue: QueueShares | None = None
    """Times on host and device on an asynchronous provider, where ``states`` is 0; None otherwise."""
    origin: EstimateOrigin | None = None
    """The stored runs that the estimate uses; None if the results come from no store."""
    bounds_only: bool = False
    """Whether ``total_ns`` is only a lower bound of the latency, ``high_ns`` an upper one: results of an asynchronous
    provider lack separate times of host and device."""
    mismatch: tuple[str, ...] = ()
    """Differences between the configuration and what the network was lowered for, or what the user asked for."""
    processor: str = ""
    """Name of the system's processor or GPU where all known systems are listed; else, or if unknown, empty."""
    published: bool = False
    """Whether the results come from the bundle of the package, where all known systems are listed."""
    peak_memory_bytes: int | None = None
    """Memory to load and run the network (``construct.memory_plan``); None for other targets than onnxruntime-cpu."""

    @property
    def similar(self) -> float:
        """Share of the time in sequences that were predicted from similar ones, 0 to 1."""
        return sum(row.share for row in self.rows if row.tier == "interpolated")

    @property
    def coverage(self) -> float:
        """Share of the layers that are measured or only rename memory, 0 to 1."""
        return self.covered_layers / self.layers if self.layers else 1.0

    @property
    def nulls(self) -> tuple[str, ...]:
        """Names of fields without a value, in place of which ``--json`` prints null."""
        interval = () if self.total_ns and not self.assumed_layers else ("low_ns", "high_ns")
        return interval if self.total_ns else ("total_ns", *interval)

    @property
    def preference(self) -> tuple[float, float]:
        """Sort key for estimates of one network with different splits: coverage, then the negated relative width."""
        width = (self.high_ns - self.low_ns) / self.total_ns if self.high_ns and self.total_ns else 1.0
        return self.coverage if self.total_ns else 0.0, -min(1.0, width)
