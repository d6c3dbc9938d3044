"""Types of measurements, submissions, findings and answers of the store."""

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
# Tiers of trust, lowest first: self-reported; consistent, which is signed by the owner of its name without warnings;
# challenged, which passed a challenge; audited, which somebody else measured again on the machine. Each of them also
# exists as provisional, below the tier itself, as in ``provisional consistent``.
TIERS = tuple(name for tier in UNMARKED_TIERS for name in (PROVISIONAL_MARK + tier, tier))

# Shown instead of the tier of a result that is odd beside others (``store.standing``), below all; never stored.
UNCONFIRMED = "unconfirmed"

Trust = Annotated[str, one_of((UNCONFIRMED, *TIERS))]
Share = Annotated[float, Meta(ge=0, le=1)]
# Time per byte, or a relative difference.
Rate = Annotated[float, Meta(ge=0, le=1e300)]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueTimes:
    """Times of a sequence on host and device, where the device executes kernels from a queue.

    In a sequence in which the host waits for the device, ``host_ns`` is the time until the first wait, and
    ``device_ns`` the time from the start of the first kernel until the host continues: kernels, copies, and nodes on
    the processor. Intervals are of 95 %.
    """

    host_ns: Amount
    """Host time for enqueueing, and for nodes on the processor that do not depend on the device."""
    host_low_ns: Amount
    host_high_ns: Amount
    device_ns: Amount
    """Device time without waiting for the host and with all data in the second-level cache: kernels and copies, and a
    gap (``QueueConstants.kernel_gap_ns``) for each."""
    device_low_ns: Amount
    device_high_ns: Amount
    kernels: Amount
    """Number of launches: kernels, copies and fills."""
    synchronises: bool
    device_cold_ns: Amount | None = None
    """``device_ns`` with constants in device memory: the second-level cache is flushed, then inputs are touched. None
    if it was not measured."""
    alone_ns: Amount | None = None
    """Time from the start of enqueueing on an idle device to the end of the last kernel, including ``launch_lag_ns``;
    it shows whether long kernels come first or last. None if unknown: all kernels are assumed to be equal."""

    def __post_init__(self) -> None:
        """Check that the figures are inside their intervals."""
        if not self.host_low_ns <= self.host_ns <= self.host_high_ns:
            raise ValueError("host_ns lies outside of host_low_ns to host_high_ns")
        if not self.device_low_ns <= self.device_ns <= self.device_high_ns:
            raise ValueError("device_ns lies outside of device_low_ns to device_high_ns")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueConstants:
    """Constants of host and device of a machine, which are the same for all sequences."""

    call_ns: Amount
    """R: fixed time of a call besides its nodes and the wait at its end: latency of a graph without kernels, minus
    ``synchronise_ns``."""
    launch_lag_ns: Amount
    """L: time from the end of enqueueing a kernel to its start on an idle device."""
    synchronise_ns: Amount
    """s: host time of a wait for an idle device."""
    kernel_gap_ns: Amount
    """Time between the end of a kernel and the start of the next one in the queue."""
    queue_depth: Amount = 0
    """Maximum number of enqueued kernels; the host waits when it is reached. 0 if unknown: the queue is never full."""
    cache_bytes: Amount = 0
    """Size of the device's second-level cache; 0 if unknown."""
    half_width_ns: Amount = 0
    """Half width of the 95 % interval of the sum of ``call_ns``, ``launch_lag_ns`` and ``synchronise_ns``."""


class Measurement(Struct, frozen=True, kw_only=True):
    """Measurement of one sequence on one system; all latencies include the call overhead.

    Single calls are timed in two states of the caches (``harness``). If a state was not measured, it has the value of
    the other one; both are ``latency_ns`` if only consecutive calls were measured.
    """

    fingerprint: str
    llc_warm_ns: Amount
    """Latency with all data of the call in the last-level cache."""
    weights_cold_ns: Amount
    """Latency with constants in memory."""
    hot_loop_ns: Amount | None = None
    """Latency of consecutive calls, with what fits there in the second-level cache; None if it was not measured."""
    latency_ns: Amount
    """Latency in state ``weights_cold`` if it was measured, else of consecutive calls: median over visits of the
    medians of their samples, without the first sample of a visit of several."""
    low_ns: Amount
    high_ns: Amount
    samples: Amount
    verdict: Annotated[str, one_of(KINDS)]
    wall_ns: Amount
    """Total time of this benchmark in the run: load, warm-up, all calls."""
    queue: QueueTimes | None = None
    """Times on host and device; None on a provider that computes on the host, and in older results."""
    origin: "MeasurementOrigin | None" = None

    def __post_init__(self) -> None:
        """Check that the latency is inside its interval."""
        if not self.low_ns <= self.latency_ns <= self.high_ns:
            raise ValueError("latency_ns lies outside of low_ns to high_ns")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurementOrigin:
    """The stored run of a measurement."""

    submission: str
    started_unix_ns: Count
    smoke: bool
    trust: Trust = "self-reported"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class SystemConfiguration:
    """A system with its runtime settings; latencies of different configurations are not combined."""

    system: str
    runtime: str
    provider: str
    threads: Count
    instruction_set: tuple[str, ...] = ()
    """Architecture and vector extensions, as named by ``harness.cpu.instruction_set``, and the compute
    capability of a GPU that was used (``sm_90``)."""
    options: tuple[str, ...] = ()
    """Session and provider options with other than default values, as ``key=value``, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOverheads:
    """Latency of a call of an empty graph, by cache state."""

    llc_warm_ns: Amount = 0
    weights_cold_ns: Amount = 0
    hot_loop_ns: Amount = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Caches:
    """Behaviour of a machine's caches (``store.summary``); fields are empty or 0 if unknown."""

    curve: tuple[tuple[Amount, Share], ...] = ()
    """The miss curve: reuse distance in bytes, and the share (0 to 1) of the memory cost that a call pays at this
    distance; both are non-decreasing."""
    brought_in: tuple[tuple[Amount, Amount], ...] = ()
    """Interference of other cores and virtual machines with the last-level cache: a call after an idle wait of so many
    ns is as slow as one at a reuse distance of so many bytes; both are increasing."""
    second_level_bytes: Amount = 0
    second_level_byte_ns: Rate = 0.0
    """Cost of reading a byte sequentially from the level behind the second-level cache."""
    memory_byte_ns: Rate = 0.0
    """Additional cost of reading a byte sequentially from memory instead of the last-level cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far a result lies from those of other owners (``store.standing``); figures are of the middle one of them."""

    text: str = "no other result to compare with"
    others: Count = 0
    sequences: Count = 0
    ratio: Rate | None = None
    """Median over the common sequences, times of the other being 1."""
    beyond: Share | None = None
    """Share of these that differ by more than 15 %."""
    anchors: Rate | None = None
    agrees: str = ""
    """System whose times, by one factor, are these to 0.2 %."""
    unconfirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemResults:
    """Measurements and machine facts of one configuration."""

    configuration: SystemConfiguration
    call_overhead_ns: int
    """Latency of consecutive calls of an empty graph."""
    measurements: dict[str, Measurement]
    """By fingerprint; not to be modified."""
    drift: Rate = 0.0
    """Relative drift of the machine during the run (``store.summary.anchor_drift``); the maximum over the runs used."""
    overheads: CallOverheads = CallOverheads()
    caches: Caches = Caches()
    queue: QueueConstants | None = None
    """Constants of host and device; None on a provider that computes on the host, and in older results."""
    features: dict[str, SequenceFeatures] = field(default_factory=dict)
    """Of the sequences in ``measurements``, by fingerprint; not to be modified."""
    hours: tuple[float, ...] = ()
    """Logarithmic differences between runs of different hours (``records.run_differences``); only from a store."""
    mismatch: tuple[str, ...] = ()
    """Differences of the configuration from the requested one, in words; empty if there are none."""
    standings: Mapping[str, Standing] = field(default_factory=dict, compare=False)
    """Of its runs, by digest; only from a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A violation of a rule at one place of a result."""

    rule: str
    severity: str
    """``error`` (the submission is refused), ``warning`` or ``info``."""
    title: str
    message: str
    where: str
    """Path in the document, as in ``benchmarks[3].visits[0]``."""
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
    """SHA-256 of the document's canonical JSON, independent of white space and order of keys."""
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
    """One per measurement of ``results``, in the same order."""


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
    """The event that withdrew it, if it was stored and withdrawn before."""
    provisional: bool = False
    says: str = ""
    standing: Standing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """A file with its verified signature."""

    key: str
    """Fingerprint of the key, as in ``SHA256:2sdq...``."""
    signature: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedResult:
    """A stored result that the times of a new one were copied from."""

    digest: str
    system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionEvent:
    """An event of a submission."""

    kind: str
    """``withdrawn``, ``corrected`` (another one replaces it), ``restored``, ``embargo``, ``provisional``,
    ``confirmed``, or a tier of trust such as ``challenged``."""
    reason: str
    recorded_unix_ns: Count
    until_unix_ns: Count | None = None
    key: str = ""
    """Fingerprint of the owner's key that signed it; empty for an event by the collector."""
    statement: str = ""
    """Digest of the owner's signed statement; empty for an event by the collector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKey:
    """A key that owns the name of a system, and since when."""

    key: str
    since_unix_ns: Count
    reason: str = ""
    """Reason of the transfer to this key; empty for the first owner."""
    statement: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredSuite:
    """A registered suite."""

    digest: str
    name: str
    submissions: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionSummary:
    """One line of the list of submissions."""

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
    """Settings by which the networks of a measured suite were split."""

    granularity: str
    target: str
    splitter: str
    dims: tuple[tuple[str, int], ...] = ()
    """Names and extents of the bound dimensions that the suite discloses."""
    values: tuple[tuple[str, str], ...] = ()
    """Names and values of inputs, likewise."""
    batch: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSummary:
    """One line of the list of systems."""

    configuration: SystemConfiguration
    submissions: Count
    sequences: Count
    first_unix_ns: Count
    last_unix_ns: Count
    complete: Count
    """Number of complete submissions; others are smoke tests or were stopped."""
    smoke: Count
    settings: tuple[SuiteSettings, ...] = ()
    least_trust: str = "self-reported"
    """Lowest tier of trust of its runs, without the mark of provisional ones."""
    most_trust: str = "self-reported"
    provisional: Count = 0
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult:
    """A measurement with its origin, as listed by ``query``."""

    label: SequenceLabel
    configuration: SystemConfiguration
    measurement: Measurement
    submission: str
    started_unix_ns: Count
    complete: bool
    trust: Trust
    standing: Standing | None = None
