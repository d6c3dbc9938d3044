"""The nouns of construction: CompositionStep, Composition, Estimate and its rows."""

from dataclasses import dataclass

from dlbricks.model.types import SequenceFeatures
from dlbricks.store.types import SystemConfiguration

Reuses = tuple[tuple[int, int, int], ...]
"""Bytes, reuse distance in bytes (``construct.reuse``) and age of one tensor after another; the age is how many steps
before this one its memory was touched last, up to as many as the model has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionStep:
    """One sequence of a model, in dependency order."""

    fingerprint: str
    name: str
    """Readable, from operators."""
    layers: tuple[str, ...]
    """Names of the layers of the model that it covers."""
    depends_on: tuple[int, ...]
    """Indices of earlier steps."""
    skip: str | None = None
    """Why no benchmark exists of it."""
    free: bool = False
    """Views only: costs nothing inside a network, and has no benchmark."""
    constants: Reuses = ()
    """What state ``constants`` fetches, where an inference finds it: constants of all its layers, buffers of tensors
    that stay within it, and last what the runtime keeps of the layers."""
    inputs: Reuses = ()
    """Tensors that other steps made, or inputs of the model."""
    outputs: Reuses = ()
    """Buffers of tensors that other steps read, or outputs of the model."""
    features: SequenceFeatures | None = None
    """By which its latencies can be guessed from those of others; None for what no benchmark can be made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionPair:
    """Two steps of which the second waits for the first, taken together."""

    first: int
    """Index of a step."""
    second: int
    """Index of a later step."""
    fingerprint: str
    """Of the union as one sequence."""
    constants: Reuses
    """Of the union, as of a step."""
    inputs: Reuses
    outputs: Reuses


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Which sequences make up a model, and in what graph; it stays with the model's owner."""

    model: str
    target: str
    granularity: str
    splitter: str
    layers: int
    """Layers of the split model."""
    steps: tuple[CompositionStep, ...]
    pairs: tuple[CompositionPair, ...] = ()
    """Adjacent steps and their unions, for the rule ``pairs``; empty when nobody asked for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRow:
    """All steps of a model that are the same sequence."""

    fingerprint: str
    name: str
    count: int
    each_ns: int
    """Mean over its uses, which differ in what they find in cache; call overhead taken out; 0 when missing."""
    total_ns: int
    """Of all uses."""
    share: float
    """Of the sequential total, 0 to 1."""
    tier: str
    """``measured``, ``interpolated`` (guessed from other sequences), ``free`` (views only) or ``missing``."""
    mismatch: bool
    """Whether it comes from results of another configuration than asked for."""
    verdict: str
    """Of the measurement; for what is missing, why no benchmark exists, or ``""``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalParts:
    """Where an interval comes from; the parts are half-widths, independent of each other, and add in quadrature."""

    sampling_low_ns: int
    """Downwards, from the intervals of the measurements; equal sequences err together."""
    sampling_high_ns: int
    """Upwards, the same."""
    interpolation_ns: int
    """Both ways, from the residuals of what was interpolated."""
    drift: float
    """Relative, both ways: how far the anchors moved during the runs."""
    composition_low: float
    """Relative, downwards: how much lower than composed networks were measured."""
    composition_high: float
    """Relative, upwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateShares:
    """Which part of the sequential total is what, as shares of it that add up to 1 (all 0 without a total)."""

    near: float
    """What sequences take when all that they use lies in the caches."""
    constants: float
    """What fetching constants adds."""
    outputs: float
    """What output buffers that are not in the caches add."""
    inputs: float = 0.0
    """Nothing: inputs were just made. Files of validations have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionTraits:
    """What makes a composed latency unsure, as shares of the sequential total, 0 to 1."""

    fetching: float
    """Time that depends on where things lie: all but ``StateShares.near``."""
    small: float
    """Time in sequences that are of the size of the call overhead, which is taken out of each."""
    interpolated: float
    """Time that was interpolated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The latency of a model on a system that may never have seen it."""

    model: str
    configuration: SystemConfiguration
    rule: str
    """``sequential``, ``pairs``, ``parallel``, ``lanes:k`` or ``simulate``."""
    total_ns: int
    """Rows, as the rule composes them, and correction and call overhead."""
    low_ns: int
    high_ns: int
    layers: int
    covered_layers: int
    """Layers in measured sequences, and views."""
    interpolated_layers: int
    """Layers in interpolated sequences."""
    call_overhead_ns: int
    correction_ns: int
    """What the measured pairs of steps add to the sum, of either sign; 0 but for the rule ``pairs``."""
    pairs_measured: int
    """Pairs of steps that entered the correction."""
    pairs_missing: int
    """Pairs of steps without a result of their union, which count as plain sums."""
    curve: str
    """Miss curve of the machine: ``measured``, or ``assumed`` where its results have none."""
    parts: IntervalParts
    states: StateShares
    traits: CompositionTraits
    rows: tuple[EstimateRow, ...]
    """By falling total."""
    missing: tuple[str, ...]
    """Fingerprints without a latency, in order of first use; the total leaves them out."""

    @property
    def coverage(self) -> float:
        """Share of the layers that lie in measured sequences, 0 to 1."""
        return self.covered_layers / self.layers if self.layers else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerFacts:
    """One layer as ``inspect`` shows it."""

    name: str
    operator: str
    """Domain and type, as in ``Conv`` or ``com.microsoft.FusedMatMul``."""
    outputs: tuple[str, ...]
    """Dtype and shape of each, as in ``float32[1,64,56,56]``."""
    flops: int
    """See ``model.flops``."""
    weight_bytes: int
    """Constants it uses."""
    activation_bytes: int
    """Outputs."""
    sequence: int
    """Index of the sequence it lies in."""
    skip: str | None
    """Why it can be no part of a benchmark."""
    operations: int | None = None
    """Of every kind, see ``model.costs``; None where it has no figures, as have the bytes."""
    read_bytes: int | None = None
    """Operands, each once, constants included."""
    written_bytes: int | None = None
    """Results; none of a view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What a network is made of, before anything is measured."""

    model: str
    target: str
    granularity: str
    splitter: str
    source_layers: int
    """Operator calls in the file, functions inlined."""
    folded: int
    """Of those, folded into constants or dead."""
    layers: int
    """What is left."""
    views: int
    """Of the layers, those that only rename memory."""
    sequences: int
    unique_sequences: int
    """Sequences with different fingerprints; those of views only count in neither figure."""
    unique_layers: int
    """Layers in the unique sequences."""
    flops: int
    parameter_bytes: int
    """All constants, each counted once."""
    activation_bytes: int
    """Outputs of all layers but views."""
    inputs: tuple[str, ...]
    """Name, dtype and shape of each."""
    outputs: tuple[str, ...]
    operators: tuple[tuple[str, int], ...]
    """How often each operator occurs, most frequent first."""
    skipped: tuple[tuple[str, int], ...]
    """Reasons and how many layers each concerns."""
    layer_facts: tuple[LayerFacts, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingSequence:
    """A sequence that some models use and a system has no result for."""

    fingerprint: str
    name: str
    models: tuple[str, ...]
    """Who uses it, sorted."""
    uses: int
    """How often, over all models."""
    layers: int
    """Layers it covers in one use."""
    skip: str | None
    """Why no benchmark can be made of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCoverage:
    """How much of one model a system has measured."""

    model: str
    layers: int
    covered_layers: int
    sequences: int
    """Unique, those of views only left out."""
    covered_sequences: int

    @property
    def coverage(self) -> float:
        """Share of the layers that lie in measured sequences, 0 to 1."""
        return self.covered_layers / self.layers if self.layers else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What a system has measured of some models, and what it lacks."""

    configuration: SystemConfiguration
    models: tuple[ModelCoverage, ...]
    missing: tuple[MissingSequence, ...]
    """Over all models, each once, most used first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be measured so that a system covers some models."""

    coverage: Coverage
    """As it is now."""
    fingerprints: tuple[str, ...]
    """Missing sequences of which a benchmark can be made, sorted."""
    impossible: tuple[MissingSequence, ...]
    """Missing sequences of which none can be made."""
    cost_ns: int
    """Guess of the time that measuring takes."""
