"""The file of a submission: from bytes to a dictionary of which everything after can rely on what the types below say.

``submission`` in ``docs/schemas.json`` is written from these types. What is read holds no NaN, no infinity and no text
that is not Unicode.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from dlbricks.errors import InputError
from dlbricks.files import read_bytes
from dlbricks.harness.cache_state import CONSTANTS, NEAR, REPEATED
from dlbricks.harness.run.verdict import KINDS
from dlbricks.store.types import QueueConstants, QueueTimes
from dlbricks.suite.manifest import OutputDigest, Role, from_document
from dlbricks.typed_json import Amount, Count, Digest, checked, one_of, parse_object

SUBMISSION_FORMAT = "dlbricks-submission"
SUBMISSION_SCHEMA_VERSION = 2
OUTPUTS, INPUTS = "outputs", "inputs"
"""States of visits that only older results hold: output buffers or inputs in memory as well as constants."""

Document: TypeAlias = dict[str, Any]
"""A submission that has been read; its form is that of ``SubmissionFile``."""

PrintableName = Annotated[str, Meta(pattern=r"^[!-~]([ -~]{0,198}[!-~])?\Z")]
Positive = Annotated[int, Meta(ge=1, le=2**53 - 1)]
"""An ``Amount`` above 0."""
RowNumber = Annotated[int, Meta(ge=-1, le=2**53 - 1)]


class SuiteCopy(Struct):
    """The suite that was run."""

    name: PrintableName
    digest: Digest
    manifest: dict[str, Any]
    """The content of suite.json (``suite`` in ``docs/schemas.json``), so that the file says all by itself."""


class MachineFacts(Struct):
    """What is known of the machine; other facts are listed by the harness as it finds them."""

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
    """Execution providers that the sessions really had, first one first."""
    provider_options: dict[str, Any]
    session_options: dict[str, Any]
    threads: Annotated[int, Meta(ge=1, le=65536)]
    build: str | UnsetType = UNSET


class OptionsEntry(Struct):
    """Options of the run."""

    seed: Count
    target_relative: Annotated[float, Meta(ge=0, le=100)]
    """Half width of the interval, as a share of the latency, at which the run was content."""
    smoke: bool | UnsetType = UNSET
    trace: Literal["ML", "MLK"] | UnsetType = UNSET
    """Levels that were traced after everything was measured; there only if asked for."""


class TimingEntry(Struct):
    """The time of the run."""

    wall_ns: Amount
    timed_ns: Amount


class VisitEntry(Struct):
    """Calls in a row, timed one by one."""

    start_ns: Amount
    state: Annotated[str, one_of([REPEATED, NEAR, CONSTANTS, OUTPUTS, INPUTS])]
    """State of the caches before the call. repeated: as the previous call of the benchmark left them; near: all that
    the call touches is in the last level; constants, outputs, inputs: its constants are in memory, with outputs or
    inputs its output buffers or inputs too."""
    distance_bytes: Amount
    """Different memory that was touched since the benchmark's last call; 0 for repeated calls."""
    samples_ns: Annotated[list[Amount], Meta(min_length=1)]
    wait_ns: Positive | UnsetType = UNSET
    """Time that was let pass before the call, nothing touched; only of the benchmark of role curve."""
    disturbed: bool | UnsetType = UNSET
    """Something else was on the core; such visits count only where a state has no others."""
    clock_mhz: Positive | UnsetType = UNSET
    """Of the device's multiprocessors, the middle of readings after each call; only of a device that tells it."""


class VerdictEntry(Struct):
    """How steady the samples are."""

    kind: Annotated[str, one_of(KINDS)]
    text: str


class CountsEntry(Struct):
    """What the processor counted in a call, the median over further calls without the runtime's profiler.

    There only where the kernel permits it (system.facts_before.cpu_counters says why not) and with one thread.
    """

    calls: Positive
    cycles: Count
    instructions: Count
    cache_misses: Count | UnsetType = UNSET
    """Of the last level; there only where the processor counts them."""


class LayerColumns(Struct):
    """Executed layers in their order; name, operator, provider and lane point into names."""

    name: list[Count]
    operator: list[Count]
    provider: list[Count]
    lane: list[Count]
    parent: list[RowNumber]
    """Row of the layer in whose body it runs, -1 for none."""
    offset_ns: list[Amount]
    """First start after that of the call."""
    duration_ns: list[Amount]
    """Of one execution."""
    count: list[Count]
    """Executions in a call."""


class KernelColumns(Struct):
    """What ran on the device, each execution a row; name, kind and lane point into names."""

    name: list[Count]
    kind: list[Count]
    lane: list[Count]
    layer: list[RowNumber]
    """Row of the layer that launched it, -1 for none."""
    launch_ns: list[Amount]
    """Start of the launch after that of the call."""
    offset_ns: list[Amount]
    """Start of the execution after that of the call."""
    duration_ns: list[Amount]


class TraceEntry(Struct):
    """Short form of a trace: columns with a row for each executed layer and kernel.

    Times are medians over the traced calls, which are none of the samples.
    """

    levels: Literal["ML", "MLK"]
    failed: str | UnsetType = UNSET
    """Why there is no trace; nothing else but wall_ns is there then."""
    calls: Positive | UnsetType = UNSET
    """Calls that were traced."""
    call_ns: Amount | UnsetType = UNSET
    wall_ns: Amount | UnsetType = UNSET
    counts: CountsEntry | UnsetType = UNSET
    layers: LayerColumns | UnsetType = UNSET
    kernels: KernelColumns | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET


class BenchmarkEntry(Struct):
    """What became of one benchmark of the suite."""

    fingerprint: Digest
    role: Role
    importance: Annotated[float, Meta(gt=0, le=1)]
    """That of the suite's manifest: how large a share of a network it can be, by which the run decides how narrow is
    narrow enough."""
    status: Literal["ok", "failed", "not run"]
    reason: str
    """Why it failed or was not run; empty for ok."""
    load_ns: Amount
    warmup_ns: list[Amount]
    visits: list[VisitEntry]
    disturbed: Amount
    """Samples that were thrown away because the processor was taken away meanwhile."""
    verdict: VerdictEntry
    sketches: list[OutputDigest]
    """A digest of each output."""
    wall_ns: Amount
    placement: dict[str, Count] | UnsetType = UNSET
    """Nodes per execution provider, where the runtime reports them."""
    trace: TraceEntry | UnsetType = UNSET
    queue: QueueTimes | UnsetType = UNSET
    """What one more copy of it adds to host and device; only of execution providers that work asynchronously."""


class SubmissionFile(Struct):
    """What a run of a suite leaves behind. Times are integer nanoseconds (_ns), sizes bytes."""

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
    """Texts that columns of traces point to; there only where something was traced."""
    queue: QueueConstants | UnsetType = UNSET
    """How host and device work together; only of execution providers that work asynchronously."""


def results_of(folder: Path) -> list[Path]:
    """Give the ``.json`` files of a folder and its folders, by name; what is hidden is left out.

    Raises:
        InputError: there is none.
    """
    found = (path for path in sorted(folder.rglob("*.json")) if path.is_file())
    paths = [path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    if not paths:
        raise InputError(f"{folder} holds no results (*.json)")
    return paths


def read_file(path: Path) -> bytes:
    """Read the bytes of a result file that the user named.

    Raises:
        InputError: missing, unreadable, a folder, or larger than any result.
    """
    return read_bytes(path, what="result")


def read_document(data: bytes) -> Document:
    """Read a submission.

    Raises:
        InputError: not JSON, truncated, another format or version, or against the schema; the place is named, as in
            ``benchmarks[3].visits[0].samples_ns[2]``.
    """
    document = parse_object(data, "the result")
    found, version = document.get("format"), document.get("schema_version")
    if found != SUBMISSION_FORMAT:
        raise InputError(f"this is no result of a suite: its format is {found!r:.60}, not '{SUBMISSION_FORMAT}'")
    if type(version) is int and version != SUBMISSION_SCHEMA_VERSION:
        newer = version > SUBMISSION_SCHEMA_VERSION
        way = "update dlbricks" if newer else "generate the suite again and run it with its new harness"
        raise InputError(
            f"the result was written by {'a newer' if newer else 'an older'} dlbricks: schema version {version!r:.60}, "
            f"this one reads {SUBMISSION_SCHEMA_VERSION}; {way}"
        )
    if isinstance(document.get("suite"), dict) and "manifest" not in document["suite"]:
        raise InputError("the run is not finished: end it with run --resume, which writes the result")
    checked(SubmissionFile, document, "the result")
    from_document(document["suite"]["manifest"], "the result: suite.manifest")
    return document
