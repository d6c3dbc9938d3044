"""Types of validations: measurements and estimates of networks, and error figures over all of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from dlbricks.construct.types import CompositionTraits, Reuses, StateShares

REFERENCE_RELATIVE = 0.007
"""Half width of the 95 % interval, relative, to which a whole network is measured: no error can be judged below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSettings:
    """How a validation measured; results of different settings do not mix."""

    target: str
    granularity: str
    splitter: str
    rule: str
    baseline: str
    """Published recipe that was measured in the same run, as in ``paper``; empty for none."""
    provider: str
    threads: int
    runtime: str
    """As in ``onnxruntime 1.31.1``."""
    system: str
    """Name made from the machine's facts."""
    batch: int | None = None
    """Inputs per call that were asked for; None for what the files say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepContext:
    """What stands around one step of a composition in its network."""

    inputs: tuple[str, ...]
    """Dtype and shape of each, as in ``float32[1,64,56,56]``."""
    outputs: tuple[str, ...]
    constant_bytes: int
    producers: tuple[str, ...]
    """Operators of the layers that make its inputs; ``input`` for one of the network's own."""
    consumers: tuple[str, ...]
    """Operators of the layers that read its outputs; ``output`` for one of the network's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeProfile:
    """What the runtime's own profile says of one node of a network."""

    layer: str
    """Name of the layer of the lowered network."""
    operator: str
    layers: tuple[str, ...]
    """Names of layers of the network that was split which the node belongs to; empty for what the runtime added."""
    mean_us: float
    """Of its calls, the longest and the shortest fifth left out; the runtime writes whole microseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTimes:
    """The runtime's own profile of a whole network, taken after everything else was measured."""

    undisturbed_ns: int
    """Median latency of the same network, measured by turns with it, not profiled."""
    nodes: tuple[NodeProfile, ...]
    """In the order in which they ran."""


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
    """As in estimates; ``union`` for two adjacent sequences that the rule ``pairs`` needs together."""
    verdict: str
    wall_ns: int
    """Cost of measuring it: load, warm-up, all calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeBias:
    """What the parts of one type say together, and what the runtime's profile of the network says of them."""

    type: str
    """Operators of the sequence; in brackets what the runtime adds and no sequence has."""
    count: int
    """Uses."""
    estimated_ns: int
    """From the parts."""
    in_situ_ns: int
    """From the runtime's profile of the network, profiling overhead taken out."""
    bias: float
    """estimated / in situ - 1; 0 where nothing was seen in situ."""
    contribution: float
    """(estimated - in situ) / latency of the network: contributions of all types add up to the error of the sum. Over
    several networks: their mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceError:
    """One sequence of a network that the parts and the profile of the network disagree on, with its context."""

    fingerprint: str
    name: str
    count: int
    estimated_ns: int
    """Of all uses."""
    in_situ_ns: int
    """Of all uses."""
    contribution: float
    """As in ``TypeBias``."""
    layers: tuple[str, ...]
    """Of the use that differs most, as are the fields that follow."""
    context: StepContext
    constants: Reuses
    inputs: Reuses
    outputs: Reuses


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineStep:
    """One sequence of a network as a published recipe cuts it."""

    fingerprint: str
    """Of its benchmark; empty where none can be made."""
    layers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineResult:
    """What a published recipe says of the same network, from the same run."""

    estimated_ns: int
    ratio: float
    """estimated / measured."""
    layers: int
    unique_layers: int
    unmeasured_layers: int
    """Layers that no benchmark can be made of, or that gave no latency; they count as nothing."""
    walls_ns: Mapping[str, int]
    """Wall time of measuring each of its benchmarks, by fingerprint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkValidation:
    """A network measured end to end and by parts in one interleaved run."""

    network: str
    measured_ns: int
    """End-to-end latency, one call overhead included."""
    measured_low_ns: int
    measured_high_ns: int
    measured_relative: float
    """Half the width of its 95 % interval, as a share of the latency."""
    measured_verdict: str
    estimated_ns: int
    """Composed from the parts, one call overhead included."""
    low_ns: int
    """Lower end of the estimate's interval."""
    high_ns: int
    sampling_relative: float
    """Half the width of what sampling alone makes of that interval, as a share of the estimate."""
    own_low: float
    """How far all but the composition term reaches below the estimate, as a share of it."""
    own_high: float
    """The same above."""
    traits: CompositionTraits
    """What the composition term was made from."""
    states: StateShares
    """What of the estimate is fetched from where."""
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
    suite_ns: int
    """Wall time of measuring the parts."""
    end_to_end_ns: int
    """Wall time of measuring end to end until its interval was as narrow as ``sampling_relative``."""
    reference_ns: int
    """Wall time of measuring end to end, all of it."""
    run_ns: int
    """Everything: splitting, emitting, measuring."""
    parts: tuple[PartResult, ...]
    """By falling total."""
    types: tuple[TypeBias, ...]
    """By falling in-situ time; empty where there is no profile."""
    worst: tuple[SequenceError, ...]
    """Sequences with the largest contribution to the error, whatever its sign."""
    baseline: BaselineResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedNetwork:
    """A network that could not be validated."""

    network: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFigures:
    """How far estimates are off over all networks; see ``docs/metrics.md``."""

    median_abs_error: float
    mean_abs_error: float
    p90_abs_error: float
    max_abs_error: float
    geomean_ratio: float
    bias: float
    """Signed: ``geomean_ratio`` - 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineSummary(ErrorFigures):
    """The figures of a published recipe over the networks that it was measured on."""

    network_count: int
    suite_ns: int
    """Wall time of measuring its benchmarks; what several networks share counts once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationSummary(ErrorFigures):
    """The figures over all networks; see ``docs/metrics.md``."""

    network_count: int
    interval_coverage: float
    interval_width: float
    """Median of the whole width of the intervals, as a share of the estimates."""
    left_one_out_coverage: float | None
    """Share of networks inside an interval whose composition term was learned from the other networks; None where these
    are too few to learn from."""
    left_one_out_width: float | None
    """Median width of these intervals, as a share of the estimates."""
    reference_relative: float
    """Median half width of the measured latencies' own intervals, relative."""
    worst_reference_relative: float
    good_references: int
    """Networks whose measured latency is good to ``REFERENCE_RELATIVE``."""
    good_reference_errors: ErrorFigures
    """Over these networks only: no error can be judged below what its reference is good to; all 0 without any."""
    layers: int
    unique_layers: int
    """Layers in sequences with different fingerprints over all networks."""
    suite_ns: int
    """Wall time of measuring the parts; a sequence that several networks share counts once, as in a common suite."""
    end_to_end_ns: int
    reference_ns: int
    speedup: float
    """``end_to_end_ns`` / ``suite_ns``."""
    types: tuple[TypeBias, ...]
    """Over all networks, by falling in-situ time."""
    baseline: BaselineSummary | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """The content of a validation file."""

    settings: ValidationSettings
    networks: tuple[NetworkValidation, ...]
    """In the order in which they were measured."""
    failed: tuple[FailedNetwork, ...]
    summary: ValidationSummary
