"""The types of results and of the store: Measurement, SystemResults, Submission, Finding and the store's answers.

The submission document itself is JSON (``submission`` in ``docs/schemas.json``).
"""

from dataclasses import dataclass, field

from dlbricks.model.types import SequenceFeatures
from dlbricks.typed_json import Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueTimes:
    """What one more copy of a sequence adds to host and device, where a device takes kernels from a queue.

    Of a sequence in which the host waits for the device ``host_ns`` is what it does before it first waits, and
    ``device_ns`` all from the start of its first kernel until the host goes on: kernels, copies, nodes on the
    processor. Intervals hold 95 %.
    """

    host_ns: Amount
    """The host's time for enqueueing it, and for what runs on the processor and needs nothing of the device."""
    host_low_ns: Amount
    host_high_ns: Amount
    device_ns: Amount
    """The device's time if it never waits for the host, everything in its second-level cache: kernels and copies, and
    one gap (``QueueConstants.kernel_gap_ns``) for each."""
    device_low_ns: Amount
    device_high_ns: Amount
    kernels: Amount
    """Launches: kernels, copies and fills."""
    synchronises: bool
    """Whether the host waits for the device in it."""
    device_cold_ns: Amount | None = None
    """``device_ns`` with constants from device memory: the second-level cache flushed, then inputs touched. None where
    it was not measured."""
    alone_ns: Amount | None = None
    """From the begin of its enqueueing on an idle device to the end of its last kernel, ``launch_lag_ns`` within: it
    tells whether long kernels come first or last. None: not known, so all kernels count as equal."""

    def __post_init__(self) -> None:
        """Hold intervals around their figures."""
        if not self.host_low_ns <= self.host_ns <= self.host_high_ns:
            raise ValueError("host_ns lies outside of host_low_ns to host_high_ns")
        if not self.device_low_ns <= self.device_ns <= self.device_high_ns:
            raise ValueError("device_ns lies outside of device_low_ns to device_high_ns")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueConstants:
    """How host and device of a machine work together; the same for all sequences."""

    call_ns: Amount
    """R: what a call takes beyond what its nodes and the wait at its end need: that of a graph without kernels, less
    ``synchronise_ns``."""
    launch_lag_ns: Amount
    """L: from the end of enqueueing a kernel to its start on an idle device."""
    synchronise_ns: Amount
    """s: the least time that a wait for the device takes on the host, as for an idle one."""
    kernel_gap_ns: Amount
    """Between the end of a kernel and the start of the next one in the queue."""
    queue_depth: Amount = 0
    """Kernels that may be enqueued and not ended; more make the host wait. 0: not known, so never full."""
    cache_bytes: Amount = 0
    """Size of the device's second-level cache; 0: not known."""
    half_width_ns: Amount = 0
    """Of the interval (95 %) of ``call_ns``, ``launch_lag_ns`` and ``synchronise_ns`` together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What one system answered for one sequence; call overhead is included in all its latencies.

    A call was timed in two states of the caches, one call at a time (``harness``); where one was not measured it has
    the figure of the other, and both are ``latency_ns`` where only calls back to back were.
    """

    fingerprint: str
    near_ns: int
    """Everything the call touches lies in the last level cache."""
    constants_ns: int
    """Its constants come from memory."""
    latency_ns: int
    """That of state ``constants`` where it was measured, else of calls back to back: median over visits of the visit
    medians, the first sample of a visit with several left out."""
    low_ns: int
    """Lower end of the interval of ``latency_ns`` (95 %)."""
    high_ns: int
    """Upper end."""
    samples: int
    """Timed calls."""
    verdict: str
    """``stable``, ``noisy``, ``drifting`` or ``too short``."""
    wall_ns: int
    """Whole cost of this benchmark in the run: load, warm-up, all calls."""
    queue: QueueTimes | None = None
    """What it adds to host and device; None on a provider that computes on the host, and in older results."""
    origin: "MeasurementOrigin | None" = field(default=None, compare=False)
    """The run it is of; None where it comes from no store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurementOrigin:
    """The stored run that a measurement is of."""

    submission: str
    """Digest."""
    started_unix_ns: int
    smoke: bool
    """Whether the run was a smoke test: one short visit to each benchmark."""
    trust: str = "self-reported"
    """How far the run is believed, one of ``ranking.TIERS``."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class SystemConfiguration:
    """A system as far as latencies may be mixed: one name, one runtime, one provider, one thread count."""

    system: str
    runtime: str
    """As in ``onnxruntime 1.31.1``."""
    provider: str
    """As in ``cpu``."""
    threads: int
    instruction_set: tuple[str, ...] = ()
    """Machine and vector extensions, as ``harness.machine.cpu.instruction_set`` names them, and of a GPU that was
    used its compute capability (``sm_90``)."""
    options: tuple[str, ...] = ()
    """Options of session and provider that are not the usual ones, as ``key=value``, sorted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOverheads:
    """Latency of a call of an empty graph, in each of the states in which calls are timed."""

    near_ns: int = 0
    constants_ns: int = 0
    repeated_ns: int = 0
    """Calls back to back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caches:
    """How the caches of a machine behave (``store.summary``); empty and 0 where nothing is known."""

    curve: tuple[tuple[int, float], ...] = ()
    """The miss curve: reuse distance in bytes, and the share (0 to 1) of what memory costs that a call pays when what
    it uses was last touched so many bytes ago; both never falling."""
    brought_in: tuple[tuple[int, int], ...] = ()
    """What others (cores, guests of the same processor) bring into the last level of cache beside the benchmarks: a
    call after so many ns of waiting pays as much as after so many bytes; both rising."""
    second_level_bytes: int = 0
    """Size of the second level."""
    second_level_byte_ns: float = 0.0
    """What a byte costs that comes from the level behind it, read front to back."""
    memory_byte_ns: float = 0.0
    """What a byte costs from memory beyond what it costs from the last level, read front to back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemResults:
    """Everything a store knows of one configuration."""

    configuration: SystemConfiguration
    call_overhead_ns: int
    """Latency of a call of an empty graph, calls back to back."""
    measurements: dict[str, Measurement]
    """By fingerprint; not to be changed."""
    drift: float = 0.0
    """How far the machine moved while it measured, relative (``store.summary``); the worst of the runs used."""
    overheads: CallOverheads = CallOverheads()
    """Call overhead by state; ``repeated_ns`` is ``call_overhead_ns``."""
    caches: Caches = Caches()
    queue: QueueConstants | None = None
    """How host and device work together; None on a provider that computes on the host, and in older results."""
    features: dict[str, SequenceFeatures] = field(default_factory=dict)
    """Of the sequences of ``measurements``, by fingerprint; not to be changed."""
    hours: tuple[float, ...] = ()
    """How far apart neighbouring runs of other hours lie, as logarithms (``store.rows.apart``); of a store alone."""
    mismatch: tuple[str, ...] = ()
    """In what the configuration differs from the one asked for, in words; empty when it is that one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a rule has to say about one place of a submission."""

    rule: str
    """Id, as in ``DB301``."""
    severity: str
    """``error`` (the submission is refused), ``warning`` or ``info``."""
    title: str
    """What the rule is about, a few words."""
    message: str
    """What was found, with its figures."""
    where: str
    """Place in the document, as in ``benchmarks[3].visits[0]``."""
    explanation: str
    """Why it matters."""
    fix: str
    """What to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceLabel:
    """What a store knows of a sequence in addition to its fingerprint."""

    fingerprint: str
    name: str
    """Readable, from operators."""
    operators: tuple[str, ...]
    layers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A submission document, read, checked and summarised: all that a store takes in."""

    digest: str
    """sha256 of the canonical JSON of the document: its identity, whatever its spaces and key order."""
    suite: str
    """Name of the suite."""
    suite_digest: str
    manifest: bytes
    """Canonical JSON of the suite's manifest."""
    body: bytes
    """Canonical JSON of the document with ``suite.manifest`` left out."""
    started_unix_ns: int
    complete: bool
    """Whether every benchmark was run, and for more than a smoke test."""
    smoke: bool
    """Whether the run was a smoke test."""
    severity: str
    """Worst severity among the findings, or ``clean``."""
    results: SystemResults
    labels: tuple[SequenceLabel, ...]
    """One per measurement of ``results``, in the same order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionReceipt:
    """The store's answer to a submission."""

    digest: str
    new: bool
    """False when the store held it already."""
    results: int
    """Sequences with a latency; 0 for one that waits."""
    waits_for: str = ""
    """Name of the suite that has to be registered before any answer rests on the result; empty if it is."""
    findings: tuple[Finding, ...] = ()
    """Of the check: warnings and info."""
    key: str = ""
    """Fingerprint of the key that signed it; empty if none did."""
    withdrawn: "SubmissionEvent | None" = None
    """Why the store, which held it already, does not use it."""
    provisional: bool = False
    """Whether its sender does not stand for it yet."""
    says: str = ""
    """What is said of a result, or of the key, where a statement was submitted; empty for a result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """A file with its signature, which holds."""

    key: str
    """Fingerprint of the key, as in ``SHA256:2sdq...``."""
    signature: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionEvent:
    """What was said of a submission after it came."""

    kind: str
    """``withdrawn``, ``corrected`` (another one replaces it), ``restored``, ``embargo``, ``provisional``,
    ``confirmed``, ``challenged`` or ``audited``."""
    reason: str
    recorded_unix_ns: int
    until_unix_ns: int | None = None
    """End of an embargo."""
    key: str = ""
    """Fingerprint of the owner's key that signed it; empty where the collector said it."""
    statement: str = ""
    """Digest of what the owner signed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKey:
    """A key to which the name of a system belongs, or did until the next one."""

    key: str
    """Fingerprint."""
    since_unix_ns: int
    reason: str = ""
    """Why the name passed to it; empty for the first key."""
    statement: str = ""
    """Digest of what the owner signed; empty for the first key, and where the collector said it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredSuite:
    """A suite that results are held against."""

    digest: str
    name: str
    submissions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingResult:
    """A result that is kept apart until its suite is registered."""

    digest: str
    suite: str
    """Name of the suite."""
    suite_digest: str
    system: str
    received_unix_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionSummary:
    """One line of the list of submissions."""

    digest: str
    configuration: SystemConfiguration
    suite: str
    suite_digest: str
    started_unix_ns: int
    received_unix_ns: int
    complete: bool
    smoke: bool
    results: int
    severity: str
    trust: str
    """How far it is believed, one of ``ranking.TIERS``."""
    key: str = ""
    """Fingerprint of the key that signed it; empty if none did."""
    withdrawn: SubmissionEvent | None = None
    """Since when and why it is not used; None if it is."""
    embargo_unix_ns: int | None = None
    """Until when it is not shown; None if nothing was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitSettings:
    """How the networks of a measured suite were split."""

    granularity: str
    target: str
    splitter: str
    dims: tuple[tuple[str, int], ...] = ()
    """Names and extents of the bound dimensions that the suite tells."""
    batch: int | None = None
    """Inputs per call where files were given another batch; None for what they say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSummary:
    """One line of the list of systems."""

    configuration: SystemConfiguration
    submissions: int
    sequences: int
    """Different fingerprints with a latency."""
    first_unix_ns: int
    """Start of the oldest run."""
    last_unix_ns: int
    """Start of the newest run."""
    complete: int
    """Submissions that measured all of their suite; the others are smoke tests or were stopped."""
    smoke: int
    """Smoke tests."""
    settings: tuple[SplitSettings, ...] = ()
    """How the suites were split, each way once."""
    least_trust: str = "self-reported"
    """How far its runs are believed, provisional or not, one of ``ranking.TIERS``: the least believed one."""
    most_trust: str = "self-reported"
    """The best believed one."""
    provisional: int = 0
    """Runs that their senders do not stand for yet."""
    key: str = ""
    """Fingerprint of the key that the name belongs to; empty if to none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult:
    """One latency with its origin, as ``query`` lists it."""

    label: SequenceLabel
    configuration: SystemConfiguration
    measurement: Measurement
    submission: str
    """Digest."""
    started_unix_ns: int
    complete: bool
    trust: str
