"""Defines the types of measurements, submissions, findings and answers (terms: ``docs/glossary.md``)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta, Struct

from dlbricks.harness.stats import KINDS
from dlbricks.model.types import SequenceFeatures
from dlbricks.typed_json import Amount, Count, one_of

# Cache states by the names that they have in results to version 2, stores to version 11, bundles of version 1, and
# validations to version 3.
FORMER_STATES = {"near": "llc_warm", "constants": "weights_cold", "repeated": "hot_loop"}
PROVISIONAL_MARK = "provisional "
UNMARKED_TIERS = ("self-reported", "consistent", "challenged", "audited")
# Tiers of trust, lowest first. Self-reported: without proof. Consistent: signed by the owner of its name, no warnings.
# Challenged: passed a challenge. Audited: another party measured again on the machine. Each tier has a provisional form
# just below it, such as ``provisional consistent``.
TIERS = tuple(name for tier in UNMARKED_TIERS for name in (PROVISIONAL_MARK + tier, tier))

# Shown instead of the tier if a result lies too far from others' results (``store.standing``); never stored.
UNCONFIRMED = "unconfirmed"

Trust = Annotated[str, one_of((UNCONFIRMED, *TIERS))]
Share = Annotated[float, Meta(ge=0, le=1)]
# Time per byte, or a relative difference.
Rate = Annotated[float, Meta(ge=0, le=1e300)]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueTimes:
    """Times of a sequence on host and device, with 95 % intervals.

    If the host waits for the device within the sequence, ``host_ns`` ends at the first wait, and ``device_ns`` lasts
    from the first kernel until the host continues, including copies and nodes on the host.
    """

    host_ns: Amount
    """Host time for enqueueing, and for nodes on the host that do not depend on the device."""
    host_low_ns: Amount
    host_high_ns: Amount
    device_ns: Amount
    """Device time of kernels and copies, with all data in the second-level cache; each kernel or copy includes a gap
    (``QueueConstants.kernel_gap_ns``)."""
    device_low_ns: Amount
    device_high_ns: Amount
    kernels: Amount
    """Number of launches: kernels, copies and fills."""
    synchronises: bool
    device_cold_ns: Amount | None = None
    """``device_ns`` with constants in device memory; None if not measured."""
    alone_ns: Amount | None = None
    """Time from the start of enqueueing on an idle device to the end of the last kernel, including ``launch_lag_ns``;
    None if not measured."""
    traced: Amount = 0
    """Number of traced calls from whose kernels ``device_ns`` comes; 0 if durations of calls bound it."""
    graph_ns: Amount | None = None
    """Duration of a call of the whole network as one CUDA graph; None if not measured."""

    def __post_init__(self) -> None:
        """Raise ``ValueError`` if a time is outside its interval."""
        if not self.host_low_ns <= self.host_ns <= self.host_high_ns:
            raise ValueError("host_ns is outside host_low_ns to host_high_ns")
        if not self.device_low_ns <= self.device_ns <= self.device_high_ns:
            raise ValueError("device_ns is outside device_low_ns to device_high_ns")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueConstants:
    """Constants of a machine's host and device."""

    call_ns: Amount
    """Fixed time of a call (R in docs): latency of a graph without kernels, minus ``synchronise_ns``."""
    launch_lag_ns: Amount
    """Time from the end of enqueueing a kernel to its start on an idle device (L in docs)."""
    synchronise_ns: Amount
    """Host time of a wait for an idle device (s in docs)."""
    kernel_gap_ns: Amount
    """Time between the end of a kernel and the start of the next kernel in the queue."""
    queue_depth: Amount = 0
    """Number of enqueued kernels at which the host must wait before it enqueues more; 0 if unknown or unlimited."""
    cache_bytes: Amount = 0
    """Size of the device's second-level cache; 0 if unknown."""
    half_width_ns: Amount = 0
    """Half-width of the 95 % interval of the sum of ``call_ns``, ``launch_lag_ns`` and ``synchronise_ns``."""
    untraced: str = ""
    """Why no kernels were traced, so that durations of calls bound device times; empty if they were traced."""


class Measurement(Struct, frozen=True, kw_only=True):
    """Measurement of one sequence on one system; latencies include the call overhead.

    If only one of the states ``llc_warm`` and ``weights_cold`` was measured, both fields have this latency; if none of
    them was, both fields have ``latency_ns``.
    """

    fingerprint: str
    llc_warm_ns: Amount
    """Latency with all data of the call in the last-level cache."""
    weights_cold_ns: Amount
    """Latency with the constants in memory."""
    hot_loop_ns: Amount | None = None
    """Latency of consecutive calls; None if not measured."""
    outputs_cold_ns: Amount | None = None
    """Latency in state ``llc_warm`` with output buffers in memory; None if not measured."""
    latency_ns: Amount
    """Latency in state ``weights_cold``; if not measured, that of consecutive calls."""
    low_ns: Amount
    high_ns: Amount
    samples: Amount
    verdict: Annotated[str, one_of(KINDS)]
    wall_ns: Amount
    """Total time of the benchmark in the run: load, warm-up and all calls."""
    queue: QueueTimes | None = None
    """Times on host and device; None on a provider that computes on the host, and in older results."""
    origin: "MeasurementOrigin | None" = None

    def __post_init__(self) -> None:
        """Raise ``ValueError`` if the latency is outside its interval."""
        if not self.low_ns <= self.latency_ns <= self.high_ns:
            raise ValueError("latency_ns is outside low_ns to high_ns")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurementOrigin:
    """The stored run from which a measurement comes."""

    submission: str
    started_unix_ns: Count
    smoke: bool
    trust: Trust = "self-reported"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class SystemConfiguration:
    """A system with its runtime and options."""

    system: str
    runtime: str
    provider: str
    threads: Count
    instruction_set: tuple[str, ...] = ()
    """Names of the architecture and vector extensions (``harness.cpu.instruction_set``), and the compute capability
    (``sm_90``) if a GPU was used."""
    options: tuple[str, ...] = ()
    """Session and provider options other than the defaults, and a GPU's slice (``mig``), as ``key=value``, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOverheads:
    """Latency of an empty graph by cache state."""

    llc_warm_ns: Amount = 0
    weights_cold_ns: Amount = 0
    hot_loop_ns: Amount = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Caches:
    """Behaviour of a machine's caches (``store.summary``); unknown fields are empty or 0."""

    curve: tuple[tuple[Amount, Share], ...] = ()
    """Miss curve: pairs of a reuse distance in bytes and a share of the memory cost, 0 to 1; both non-decreasing."""
    written: tuple[tuple[Amount, Share], ...] = ()
    """Miss curve of output buffers."""
    fresh: tuple[tuple[Amount, Share], ...] = ()
    """Miss curve of data that were written to memory and are read for the first time."""
    brought_in: tuple[tuple[Amount, Amount], ...] = ()
    """Effect of other cores on the caches: pairs of an idle time in ns, and the reuse distance in bytes that slows down
    a call equally. Both increase."""
    second_level_bytes: Amount = 0
    second_level_byte_ns: Rate = 0.0
    """Time in ns to read a byte from the cache behind the second-level cache."""
    memory_byte_ns: Rate = 0.0
    """Additional time in ns to read a byte from memory instead of the last-level cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Fit of estimates to the reference networks of a run (``validate.references``); by default, nothing is fitted."""

    networks: Count = 0
    """Number of reference networks that the run measured whole and in parts."""
    reach: Annotated[float, Meta(ge=0.01, le=100)] = 1.0
    """Factor on the reuse distances at which data leave the caches."""
    step_ns: Annotated[int, Meta(ge=-(10**6), le=10**6)] = 0
    """How much longer a layer sequence takes in a network than alone, ns; negative if it takes less."""
    spread: Annotated[float, Meta(ge=0.01, le=100)] = 1.0
    """Factor on the width of intervals: the error of the reference networks' estimates after the fit."""
    host: Annotated[float, Meta(ge=0.01, le=100)] = 1.0
    """Factor by which the host of a device takes longer for a network than for its layer sequences."""
    host_spread: Rate = 0.0
    """Relative standard deviation of ``host`` among networks; 0 without a device."""


NOT_CALIBRATED = Calibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Comparison of a result with the median result of other owners (``store.standing``)."""

    text: str = "no other result to compare with"
    others: Count = 0
    sequences: Count = 0
    ratio: Rate | None = None
    """Latency of this result divided by the median result's: median over common sequences."""
    beyond: Share | None = None
    """Share of the common sequences that differ by more than 15 %."""
    anchors: Rate | None = None
    agrees: str = ""
    """Another system whose times differ only by a common factor, within 0.2 %; empty without such a system."""
    unconfirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemResults:
    """Measurements and machine facts of one configuration."""

    configuration: SystemConfiguration
    call_overhead_ns: int
    """Latency of an empty graph in consecutive calls."""
    measurements: dict[str, Measurement]
    """Measurements by fingerprint; do not modify."""
    drift: Rate = 0.0
    """Largest drift of the machine in a run (``store.summary.anchor_drift``)."""
    overheads: CallOverheads = CallOverheads()
    caches: Caches = Caches()
    calibration: Calibration = NOT_CALIBRATED
    queue: QueueConstants | None = None
    """Constants of host and device; None on a provider that computes on the host, and in older results."""
    features: dict[str, SequenceFeatures] = field(default_factory=dict)
    """Cost features by fingerprint; do not modify."""
    hours: tuple[float, ...] = ()
    """Logarithmic differences between runs of different hours (``records.run_differences``); empty without a store."""
    mismatch: tuple[str, ...] = ()
    """A text for each difference from the requested configuration."""
    others: tuple[SystemConfiguration, ...] = ()
    """Other configurations that match the request and cover as many layers (``api.estimates.stored_each``)."""
    standings: Mapping[str, Standing] = field(default_factory=dict, compare=False)
    """Standings of the runs, by digest; empty without a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A violation of a rule at one place of a result."""

    rule: str
    severity: str
    """``error`` (the submission is refused), ``warning`` or ``info``."""
    title: str
    message: str
    where: str
    """Path in the document, such as ``benchmarks[3].visits[0]``."""
    explanation: str
    fix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceLabel:
    """Readable description of a sequence."""

    fingerprint: str
    name: str
    operators: tuple[str, ...]
    layers: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A result document that was read, checked and summarised."""

    digest: str
    """SHA-256 of the document's canonical JSON."""
    suite: str
    suite_digest: str
    manifest: bytes
    body: bytes
    """Canonical JSON of the document without ``suite.manifest``."""
    started_unix_ns: Count
    complete: bool
    smoke: bool
    severity: str
    results: SystemResults
    labels: tuple[SequenceLabel, ...]
    """Labels of the measurements in ``results``, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionReceipt:
    """The store's answer to a submission."""

    digest: str
    new: bool
    results: int
    """Number of sequences with a latency; 0 for a statement."""
    findings: tuple[Finding, ...] = ()
    key: str = ""
    withdrawn: "SubmissionEvent | None" = None
    """Event that withdrew the result; None if it is not withdrawn."""
    provisional: bool = False
    says: str = ""
    standing: Standing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """Content of a file with a verified signature."""

    key: str
    """Fingerprint of the key, as in ``SHA256:2sdq...``."""
    signature: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedResult:
    """A stored result with the same times as a new result."""

    digest: str
    system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionEvent:
    """An event in the history of a submission."""

    kind: str
    """``withdrawn``, ``corrected`` (another submission replaces it), ``restored``, ``embargo``, ``provisional``,
    ``confirmed``, or a level of trust such as ``challenged``."""
    reason: str
    recorded_unix_ns: Count
    until_unix_ns: Count | None = None
    key: str = ""
    """Fingerprint of the owner's key; empty for an event by the collector."""
    statement: str = ""
    """Digest of the owner's statement; empty for an event by the collector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKey:
    """A key that owns or owned the name of a system, and the start of its ownership."""

    key: str
    since_unix_ns: Count
    reason: str = ""
    """Reason of the transfer to this key; empty for the first owner."""
    statement: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredSuite:
    """A suite in a store, and the number of its submissions."""

    digest: str
    name: str
    submissions: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionSummary:
    """Facts of a submission for the list of submissions."""

    digest: str
    configuration: SystemConfiguration
    suite: str
    suite_digest: str
    started_unix_ns: Count
    received_unix_ns: Count
    complete: bool
    smoke: bool
    results: Count
    severity: str
    trust: Trust
    key: str = ""
    withdrawn: SubmissionEvent | None = None
    embargo_unix_ns: Count | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSettings:
    """Settings with which the networks of a suite were split."""

    granularity: str
    target: str
    splitter: str
    dims: tuple[tuple[str, int], ...] = ()
    """Symbolic dimensions that the suite discloses, and their extents."""
    values: tuple[tuple[str, str], ...] = ()
    """Inputs that the suite discloses, and their values."""
    batch: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSummary:
    """A configuration, and figures of its submissions."""

    configuration: SystemConfiguration
    submissions: Count
    sequences: Count
    first_unix_ns: Count
    last_unix_ns: Count
    complete: Count
    """Number of complete submissions; others are smoke tests, were stopped, or have failed benchmarks."""
    smoke: Count
    settings: tuple[SuiteSettings, ...] = ()
    least_trust: str = "self-reported"
    """Lowest level of trust without the word ``provisional``, or ``unconfirmed``."""
    most_trust: str = "self-reported"
    provisional: Count = 0
    key: str = ""
    processor: str = ""
    """Name of the processor, or of the GPU that was used; empty if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult:
    """A measurement and its origin."""

    label: SequenceLabel
    configuration: SystemConfiguration
    measurement: Measurement
    submission: str
    started_unix_ns: Count
    complete: bool
    trust: Trust
    standing: Standing | None = None
