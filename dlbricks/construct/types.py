"""Types of composition and estimate."""

from dataclasses import dataclass
from enum import StrEnum

from dlbricks.errors import InputError
from dlbricks.model.types import LoweringTarget, SequenceFeatures
from dlbricks.store.types import Standing, SystemConfiguration

# Bytes, reuse distance in bytes (``construct.memory_layout``) and age of each tensor. The age is the number of steps
# since its memory was last used, at most the number of steps of the model.
Reuses = tuple[tuple[int, int, int], ...]


class Rule(StrEnum):
    """How the times of steps compose to that of the network."""

    SEQUENTIAL = "sequential"
    """Adds them up; on an asynchronous provider it runs the device queue (``construct.asynchronous``)."""
    PAIRS = "pairs"
    """Adds the difference between the time of two adjacent steps measured as one sequence and the sum of the two:
    changes of layout and fusions at the boundary count once, as in the network."""
    PARALLEL = "parallel"
    """Takes the critical path."""
    SIMULATE = "simulate"
    """Runs the device queue with the launches of traces; ``SEQUENTIAL`` on a provider that computes on the host."""

    @classmethod
    def parse(cls, text: str) -> "Rule":
        """Read the name of a rule; raises InputError for any other text."""
        if text not in list(cls):
            raise InputError(f"invalid rule '{text}': expected one of {', '.join(cls)}")
        return cls(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedSequence:
    """A sequence at its place in a model, with what its layers touch there."""

    fingerprint: str
    constants: Reuses = ()
    """What state ``weights_cold`` fetches: constants of all its layers, inputs of the model in whose buffers they make
    outputs of it, buffers of tensors that stay inside the step, and last the runtime data of the layers."""
    inputs: Reuses = ()
    """Tensors of other steps, or other inputs of the model."""
    outputs: Reuses = ()
    """Buffers of tensors that other steps read, or outputs of the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionStep(PlacedSequence):
    """One occurrence of a sequence in a model, in dependency order."""

    name: str
    """Readable, from operator names."""
    layers: tuple[str, ...]
    """Names of the model's layers in it."""
    depends_on: tuple[int, ...]
    """Indices of earlier steps."""
    skip: str | None = None
    """Why no benchmark can be made of it; None if one can."""
    free: bool = False
    """Whether it consists of views only: takes no time inside a network, and has no benchmark."""
    features: SequenceFeatures | None = None
    """Predictors of its latencies; None if no benchmark can be made of it."""
    assumed: str = ""
    """Of its layers: see ``construct.compose``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionPair(PlacedSequence):
    """Two adjacent steps measured as one sequence; the second depends on the first."""

    first: int
    """Index of a step."""
    second: int
    """Index of a later step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """The sequences of a model and their dependencies; it stays with the model's owner."""

    model: str
    target: str
    granularity: str
    splitter: str
    layers: int
    """Layers of the split model."""
    steps: tuple[CompositionStep, ...]
    pairs: tuple[CompositionPair, ...] = ()
    """Adjacent steps and their unions, for the rule ``pairs``; empty unless requested."""
    made_for: LoweringTarget | None = None
    """Of a network lowered elsewhere; None if it is portable or was lowered here."""
    assumed: tuple[str, ...] = ()
    """A sentence for each such input, with the option that gives its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRow:
    """All steps of a model with the same sequence."""

    fingerprint: str
    name: str
    count: int
    each_ns: int
    """Mean over its uses, which differ in cache contents; without call overhead; 0 when missing."""
    total_ns: int
    """Sum over its uses."""
    share: float
    """Of the sequential total, 0 to 1."""
    tier: str
    """``measured``, ``smoke test`` (measured by smoke tests only), ``interpolated`` (predicted from other sequences),
    ``assumed`` (either, for sizes, turns or a branch by a made-up value of an input), ``free`` (views only) or
    ``missing``."""
    mismatch: bool
    """Whether its results are of another configuration than requested."""
    verdict: str
    """Of the measurement; for a missing sequence why no benchmark can be made, or why a latency is missing (from a
    store only), or ``""``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalParts:
    """Parts of an interval: half-widths that count as independent and add in quadrature."""

    sampling_low_ns: int
    """Lower; from the intervals of the measurements; equal sequences err together."""
    sampling_high_ns: int
    """Upper, likewise."""
    interpolation_ns: int
    """Both sides; from the residuals of the interpolation."""
    drift: float
    """Relative, both sides: how far the anchors moved during the runs."""
    composition_low: float
    """Relative, lower: how far networks were measured below their estimates."""
    composition_high: float
    """Relative, upper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateShares:
    """Shares of the sequential total by cause; they add up to 1, or are all 0 without a total."""

    llc_warm: float = 0.0
    """Time of the sequences with everything in the caches."""
    weights_cold: float = 0.0
    """Fetching constants."""
    outputs: float = 0.0
    """Fetching output buffers."""
    inputs: float = 0.0
    """Fetching inputs of the network."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueShares:
    """Time on the host, which enqueues, and on the device, which executes, ns."""

    host_ns: int
    """Sum over the steps; the larger of the two sums decides, unless one waits for the other."""
    device_ns: int
    """Sum over the steps on the device."""
    fetching_ns: int
    """Part of ``device_ns``: reading constants from device memory instead of the device's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionTraits:
    """Sources of uncertainty of a composed latency, as shares of the sequential total, 0 to 1."""

    fetching: float = 0.0
    """Time that depends on cache contents: all but ``StateShares.llc_warm``."""
    small: float = 0.0
    """Time in sequences no longer than a few call overheads, which are subtracted from each."""
    interpolated: float = 0.0
    """Time of interpolated sequences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateOrigin:
    """The stored runs that an estimate rests on."""

    runs: int
    oldest_unix_ns: int
    """Start of the oldest run."""
    newest_unix_ns: int
    """Start of the newest run."""
    days: int
    """Age of the oldest run at the time of the estimate."""
    smoke: float
    """Share of the sequential total, 0 to 1, measured by smoke tests only; of the calls if the total is 0."""
    trust: str = "self-reported"
    """Lowest trust of the runs, one of ``store.types.TIERS``, or ``unconfirmed``."""
    standings: tuple[Standing, ...] = ()
    """Of the runs, how far they lie from those of others; only from a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The latency of a network on a system that need not have run it."""

    network: str
    configuration: SystemConfiguration
    rule: str
    """As in ``Rule``."""
    total_ns: int
    """Rows composed by the rule, plus correction and call overhead. Total and interval are 0 where no row has a latency
    although some need one; the interval also where rows are ``assumed``, of which the total is not known."""
    low_ns: int
    high_ns: int
    layers: int
    covered_layers: int
    """Layers in measured sequences, and views."""
    interpolated_layers: int
    """Layers in interpolated sequences."""
    assumed_layers: int = 0
    """Layers in assumed sequences, which count neither as covered nor as interpolated."""
    assumed: tuple[str, ...] = ()
    """As in ``Composition``."""
    call_overhead_ns: int
    correction_ns: int = 0
    """What measured pairs of steps add to the sum, of either sign; 0 for rules other than ``pairs``."""
    pairs_measured: int = 0
    """Pairs of steps in the correction."""
    pairs_missing: int = 0
    """Pairs of steps whose union was not measured; they count as plain sums."""
    curve: str
    """Miss curve of the machine: ``measured``, or ``assumed`` where the results have none."""
    evidence: str = ""
    """Evidence for the width of the interval other than the results, and which evidence is missing."""
    parts: IntervalParts
    states: StateShares = StateShares()
    traits: CompositionTraits = CompositionTraits()
    rows: tuple[EstimateRow, ...]
    """By falling total."""
    missing: tuple[str, ...]
    """Fingerprints without a latency, in order of first use; not in the total."""
    queue: QueueShares | None = None
    """On an asynchronous execution provider; ``states`` is 0 there."""
    origin: EstimateOrigin | None = None
    """The runs that it rests on; None if the results come from no store."""
    bounds_only: bool = False
    """Whether only bounds are known, ``low_ns`` and ``high_ns``: results of an asynchronous provider without times of
    host and device. ``total_ns`` then is the lower bound."""

    @property
    def coverage(self) -> float:
        """Share of the layers that lie in measured sequences, 0 to 1."""
        return self.covered_layers / self.layers if self.layers else 1.0
