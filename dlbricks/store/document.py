"""Defines and validates result documents (``submission`` in ``docs/schemas.json``).

Functions return a document as a dictionary that matches the types, without NaN, infinity and invalid Unicode.
"""

import json
from collections.abc import Collection, Iterable
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from dlbricks.errors import InputError
from dlbricks.files import read_bytes
from dlbricks.harness.cache_state import STATES
from dlbricks.harness.stats import KINDS
from dlbricks.store.types import FORMER_STATES, QueueConstants, QueueTimes
from dlbricks.suite.manifest import OutputDigest, Role, from_document
from dlbricks.typed_json import Amount, Count, Digest, checked, one_of, parse_object

SUBMISSION_FORMAT = "dlbricks-submission"
SUBMISSION_SCHEMA_VERSION = 4
_OLDEST_VERSION = 2
# Cache states that occur only in older results: constants, and also output buffers or inputs, are in memory.
OUTPUTS, INPUTS = "outputs", "inputs"
# Maximum number of results that are searched for reasons: each takes some tens of milliseconds.
_MAX_RESULTS = 16

# A validated result document of the form ``SubmissionFile``.
Document: TypeAlias = dict[str, Any]

# \Z instead of $, which also matches before a final newline
PrintableName = Annotated[str, Meta(pattern=r"^[!-~]([ -~]{0,198}[!-~])?\Z")]
# A positive ``Amount``.
Positive = Annotated[int, Meta(ge=1, le=2**53 - 1)]
RowNumber = Annotated[int, Meta(ge=-1, le=2**53 - 1)]


class SuiteCopy(Struct):
    """The measured suite."""

    name: PrintableName
    digest: Digest
    manifest: dict[str, Any]
    """Content of suite.json."""


class MachineFacts(Struct):
    """Facts of the machine; further facts are allowed."""

    timer_ns: Annotated[int, Meta(ge=0, le=10**9)] | UnsetType = UNSET
    """Smallest step of the timer."""


class SystemEntry(Struct):
    """The machine, before and after the run."""

    name: PrintableName
    facts_before: MachineFacts
    facts_after: MachineFacts


class RuntimeEntry(Struct):
    """The runtime and its options."""

    name: PrintableName
    version: PrintableName
    provider: PrintableName
    providers: list[str]
    """Execution providers of the sessions, in order of priority."""
    provider_options: dict[str, Any]
    session_options: dict[str, Any]
    threads: Annotated[int, Meta(ge=1, le=65536)]
    build: str | UnsetType = UNSET


class OptionsEntry(Struct):
    """Options of the run."""

    seed: Count
    target_relative: Annotated[float, Meta(ge=0, le=100)]
    """Target for the half-width of the intervals, as a share of the latency."""
    smoke: bool | UnsetType = UNSET
    trace: Literal["ML", "MLK"] | UnsetType = UNSET
    """Levels of the traces; absent without traces."""


class TimingEntry(Struct):
    """Durations of the run."""

    wall_ns: Amount
    timed_ns: Amount
    """Sum of all samples."""


class VisitEntry(Struct):
    """A visit: consecutive calls of one benchmark, timed one by one."""

    start_ns: Amount
    state: Annotated[str, one_of([*STATES, OUTPUTS, INPUTS])]
    """State of the caches before the call: hot_loop (after the previous call), llc_warm (all data in the last-level
    cache), weights_cold (constants in memory) or outputs_cold (output buffers in memory). In read_in_turn,
    written_in_turn and read_after_write, calls access buffers at reuse distance ``distance_bytes``. Older results also
    have outputs and inputs: weights_cold with these buffers in memory, too."""
    distance_bytes: Amount
    """Reuse distance: distinct bytes touched since the benchmark's last call; 0 for consecutive calls."""
    samples_ns: Annotated[list[Amount], Meta(min_length=1)]
    wait_ns: Positive | UnsetType = UNSET
    """Idle time before the call; only for the benchmark of role curve."""
    disturbed: bool | UnsetType = UNSET
    """Whether another process used the core. A disturbed visit is ignored if its cache state has undisturbed visits."""
    clock_mhz: Positive | UnsetType = UNSET
    """Median clock of the device's multiprocessors; absent if the device does not report it."""
    power_mw: Positive | UnsetType = UNSET
    """Mean power during a visit to a whole network; absent without a counter, and if the visit is too short for it."""


class VerdictEntry(Struct):
    """Verdict on the samples."""

    kind: Annotated[str, one_of(KINDS)]
    text: str


class CountsEntry(Struct):
    """Hardware counters of a call: medians over additional calls.

    Absent with several threads, and if the system forbids counters (system.facts_before.cpu_counters has the reason).
    """

    calls: Positive
    cycles: Count
    instructions: Count
    cache_misses: Count | UnsetType = UNSET
    """Last-level cache misses, if the processor counts them."""


class LayerColumns(Struct):
    """Columns with one row per executed layer; name, operator, provider and lane are indices into names."""

    name: list[Count]
    operator: list[Count]
    provider: list[Count]
    lane: list[Count]
    parent: list[RowNumber]
    """Row of the layer in whose subgraph this layer ran; -1 for a layer of the main graph."""
    offset_ns: list[Amount]
    """Time from the start of the call to the start of the layer's first execution."""
    duration_ns: list[Amount]
    """Duration of one execution."""
    count: list[Count]
    """Number of executions in a call."""


class KernelColumns(Struct):
    """Columns with one row per execution on the device; name, kind and lane are indices into names."""

    name: list[Count]
    kind: list[Count]
    lane: list[Count]
    layer: list[RowNumber]
    """Row of the layer that launched the kernel; -1 for none."""
    launch_ns: list[Amount]
    """Time from the start of the call to the start of the launch."""
    offset_ns: list[Amount]
    """Time from the start of the call to the start of the execution."""
    duration_ns: list[Amount]


class TraceEntry(Struct):
    """A trace as columns with one row per executed layer or kernel; times are medians over the traced calls."""

    levels: Literal["ML", "MLK"]
    failed: str | UnsetType = UNSET
    """Why the trace is missing. A missing trace has only wall_ns."""
    calls: Positive | UnsetType = UNSET
    """Number of traced calls."""
    call_ns: Amount | UnsetType = UNSET
    wall_ns: Amount | UnsetType = UNSET
    counts: CountsEntry | UnsetType = UNSET
    layers: LayerColumns | UnsetType = UNSET
    kernels: KernelColumns | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET


class BenchmarkEntry(Struct):
    """Result of one benchmark."""

    fingerprint: Digest
    role: Role
    importance: Annotated[float, Meta(gt=0, le=1)]
    """Largest share that the benchmark takes of a network's time. A larger share requires a narrower interval."""
    status: Literal["ok", "failed", "not run"]
    reason: str
    """Why the benchmark failed or was not run; empty for status ok."""
    load_ns: Amount
    warmup_ns: list[Amount]
    visits: list[VisitEntry]
    disturbed: Amount
    """Number of samples that were discarded because the thread was preempted."""
    verdict: VerdictEntry
    output_digests: list[OutputDigest]
    """One digest per output."""
    wall_ns: Amount
    placement: dict[str, Count] | UnsetType = UNSET
    """Number of nodes by execution provider; absent if unknown."""
    trace: TraceEntry | UnsetType = UNSET
    queue: QueueTimes | UnsetType = UNSET
    """Times on host and device; absent unless the execution provider is asynchronous."""


class SubmissionFile(Struct):
    """Result of a run of a suite. Times are integer nanoseconds (_ns), sizes are bytes."""

    format: str
    schema_version: int
    harness_version: PrintableName
    suite: SuiteCopy
    system: SystemEntry
    runtime: RuntimeEntry
    options: OptionsEntry
    started_unix_ns: Count
    complete: bool
    timing: TimingEntry
    benchmarks: list[BenchmarkEntry]
    names: list[str] | UnsetType = UNSET
    """Strings to which the columns of traces refer; absent without traces."""
    queue: QueueConstants | UnsetType = UNSET
    """Constants of host and device; absent unless the execution provider is asynchronous."""
    paused_ns: Amount | UnsetType = UNSET
    """Time for which the run was interrupted before it was resumed; absent if not interrupted, and in older results."""


def results_of(folder: Path) -> list[Path]:
    """Return the ``.json`` files below a folder, sorted, except hidden ones; raises ``InputError`` if none."""
    files = (path for path in sorted(folder.rglob("*.json")) if path.is_file())
    paths = [path for path in files if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    if not paths:
        raise InputError(f"{folder} contains no results: expected *.json files in it or its subfolders")
    return paths


def read_file(path: Path) -> bytes:
    """Read a result file; raises ``InputError`` if it is missing, unreadable, a folder, or too large."""
    return read_bytes(path, what="result")


def read_document(data: bytes, where: str = "the result") -> Document:
    """Return a result document in the current version; raises ``InputError`` for an invalid document."""
    return read_versions(data, where)[1]


def read_versions(data: bytes, where: str = "the result") -> tuple[Document, Document]:
    """Return a result document as written (for its digest) and in the current version.

    Raises ``InputError`` with ``where`` and the path of an invalid value, as ``benchmarks[3].visits[0].samples_ns[2]``.
    """
    document = parse_object(data, where)
    file_format, version = document.get("format"), document.get("schema_version")
    if file_format != SUBMISSION_FORMAT:
        kind = f"its format is {file_format!r:.60}" if "format" in document else "it states no format"
        raise InputError(f"{where} is not a result of a run ({SUBMISSION_FORMAT}): {kind}; 'dlbricks run' writes one")
    # type() instead of isinstance(): true is an int in Python; the schema refuses it below
    if type(version) is int and not _OLDEST_VERSION <= version <= SUBMISSION_SCHEMA_VERSION:
        newer = version > SUBMISSION_SCHEMA_VERSION
        advice = "update dlbricks" if newer else "generate the suite again and run it with its new harness"
        raise InputError(
            f"{where} was written by {'a newer' if newer else 'an older'} dlbricks: schema version {version!r:.60}, "
            f"this one reads {_OLDEST_VERSION} to {SUBMISSION_SCHEMA_VERSION}; {advice}"
        )
    if isinstance(document.get("suite"), dict) and "manifest" not in document["suite"]:
        raise InputError(
            f"{where}: the run is not finished: continue it with 'dlbricks run --resume', which writes the result"
        )
    current = as_current(document)
    checked(SubmissionFile, current, where)
    from_document(current["suite"]["manifest"], f"{where}: suite.manifest")
    return document, current


def as_current(document: Document) -> Document:
    """Return a document in the current version; parts of an unexpected form do not change."""
    version, entries = document.get("schema_version"), document.get("benchmarks")
    if type(version) is not int or version not in (_OLDEST_VERSION, 3) or not isinstance(entries, list):
        return document
    current = entries if version > _OLDEST_VERSION else [_current_entry(entry) for entry in entries]
    return document | {"schema_version": SUBMISSION_SCHEMA_VERSION, "benchmarks": current}


# Convert an entry of version 2, which has other names for output digests and cache states.
def _current_entry(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return entry
    entry = {"output_digests" if name == "sketches" else name: value for name, value in entry.items()}
    if isinstance(entry.get("visits"), list):
        visits = entry["visits"] = list(entry["visits"])
        for index, visit in enumerate(visits):
            state = visit.get("state") if isinstance(visit, dict) else None
            if isinstance(state, str) and state in FORMER_STATES:
                visits[index] = visit | {"state": FORMER_STATES[state]}
    return entry


def failures(documents: Iterable[bytes], fingerprints: Collection[str]) -> dict[str, str]:
    """Return the reasons for missing latencies, by fingerprint; the first document that states a reason counts."""
    reasons: dict[str, str] = {}
    for document in islice(documents, _MAX_RESULTS):
        for entry in json.loads(document)["benchmarks"]:
            fingerprint, status = entry["fingerprint"], entry["status"]
            if fingerprint in fingerprints and status != "ok":
                state = f"was {status}" if status == "not run" else status
                reasons.setdefault(fingerprint, f"its benchmark {state}: {entry['reason']}")
        if len(reasons) == len(fingerprints):
            break
    return reasons
