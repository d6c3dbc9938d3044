"""The nouns of construction: CompositionStep, Composition, Estimate and its rows."""

from dataclasses import dataclass

from dlbricks.model.types import MadeFor, SequenceFeatures
from dlbricks.store.types import SystemConfiguration

Reuses = tuple[tuple[int, int, int], ...]
"""Bytes, reuse distance in bytes (``construct.memory_layout``) and age of one tensor after another; the age is how many
steps before this one its memory was touched last, up to as many as the model has."""


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
    made_for: MadeFor | None = None
    """Of a network that was lowered elsewhere; None for one that is portable or was lowered here."""


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
    """``measured``, ``smoke test`` (measured by no more than that), ``interpolated`` (guessed from other sequences),
    ``free`` (views only) or ``missing``."""
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
    """What inputs of the network that are not in the caches add."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueShares:
    """What a network asks of a host that enqueues and of a device that works off its queue, ns."""

    host_ns: int
    """Sum over the steps; the larger of the two sums decides, as far as neither waits for the other."""
    device_ns: int
    """The same, on the device."""
    fetching_ns: int
    """Of ``device_ns``: what reading constants from device memory adds to reading them from the device's cache."""


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
class EstimateOrigin:
    """The stored runs that an estimate rests on."""

    runs: int
    oldest_unix_ns: int
    """Start of the oldest run."""
    newest_unix_ns: int
    """Start of the newest run."""
    days: int
    """Age of the oldest run when the estimate was made."""
    smoke: float
    """Share of the sequential total, 0 to 1, that nothing but smoke tests has measured."""
    trust: str = "self-reported"
    """How far the runs are believed, one of ``store.ranking.TIERS``: the least believed one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The latency of a network on a system that may never have seen it."""

    network: str
    configuration: SystemConfiguration
    rule: str
    """``sequential``, ``pairs``, ``parallel``, ``lanes:k`` or ``simulate``."""
    total_ns: int
    """Rows, as the rule composes them, and correction and call overhead; this and its interval are 0 where no row has a
    latency although some should have one."""
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
    evidence: str
    """What the width of the interval rests on beside the results at hand, and what there is no evidence for."""
    parts: IntervalParts
    states: StateShares
    traits: CompositionTraits
    rows: tuple[EstimateRow, ...]
    """By falling total."""
    missing: tuple[str, ...]
    """Fingerprints without a latency, in order of first use; the total leaves them out."""
    queue: QueueShares | None = None
    """On an asynchronous execution provider; ``states`` are 0 there."""
    origin: EstimateOrigin | None = None
    """The runs that it rests on; None where the results come from no store."""
    bounds_only: bool = False
    """Whether nothing is known but that the whole lies between ``low_ns`` and ``high_ns``: results of an asynchronous
    provider without times of host and device. ``total_ns`` then is the lower bound."""

    @property
    def coverage(self) -> float:
        """Share of the layers that lie in measured sequences, 0 to 1."""
        return self.covered_layers / self.layers if self.layers else 1.0
