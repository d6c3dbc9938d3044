"""Reads the events of Chrome traces that PyTorch's profiler (Kineto) and others write, including damaged files.

``msgspec`` decodes into typed events, skips all other fields, and keeps decimals exact (``json`` and ``ijson`` take two
to three times as long, ``orjson`` returns doubles). Invalid JSON is repaired in the text and decoded again: invalid
UTF-8, single backslashes of Windows paths, control characters, ``NaN`` and ``inf``. Of a truncated file the events
before its end are read. Format: "Trace Event Format" of Chromium.
"""

import json
import re
import zlib
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.files import read_bytes
from dlbricks.units import format_bytes

NOTHING = msgspec.Raw(b"")


class Arguments(msgspec.Struct, gc=False, frozen=True):
    """The arguments of an event that are read, in the spellings of all versions."""

    name: Any = None
    correlation: Any = None
    external_id: Any = msgspec.field(default=None, name="External id")
    external_id_2021: Any = msgspec.field(default=None, name="external id")
    device: Any = None
    in_device: Any = msgspec.field(default=None, name="inDevice")
    stream: Any = None
    bytes: Any = None
    grid: msgspec.Raw = NOTHING
    block: msgspec.Raw = NOTHING
    registers: Any = msgspec.field(default=None, name="registers per thread")
    shared: Any = msgspec.field(default=None, name="shared memory")
    occupancy: Any = msgspec.field(default=None, name="est. achieved occupancy %")
    graph_node: Any = msgspec.field(default=None, name="graph node id")
    collective: Any = msgspec.field(default=None, name="Collective name")
    elements: Any = msgspec.field(default=None, name="In msg nelems")
    elements_out: Any = msgspec.field(default=None, name="Out msg nelems")
    group_size: Any = msgspec.field(default=None, name="Group size")
    group: Any = msgspec.field(default=None, name="Process Group Name")
    ranks: Any = msgspec.field(default=None, name="Process Group Ranks")
    collective_sequence: Any = msgspec.field(default=None, name="Seq")
    dtype: Any = None
    sequence: Any = msgspec.field(default=None, name="Sequence number")
    forward_thread: Any = msgspec.field(default=None, name="Fwd thread id")
    shapes: msgspec.Raw = msgspec.field(default=NOTHING, name="Input Dims")
    types: msgspec.Raw = msgspec.field(default=NOTHING, name="Input type")
    wait_stream: Any = msgspec.field(default=None, name="wait_on_stream")
    wait_record: Any = msgspec.field(default=None, name="wait_on_cuda_event_record_corr_id")
    wait_event: Any = msgspec.field(default=None, name="wait_on_cuda_event_id")
    event: Any = msgspec.field(default=None, name="event_id")
    memory_bytes: Any = msgspec.field(default=None, name="Bytes")
    memory_total: Any = msgspec.field(default=None, name="Total Allocated")
    memory_device: Any = msgspec.field(default=None, name="Device Type")


NO_ARGUMENTS = Arguments()


class _Bare(msgspec.Struct, gc=False, frozen=True):
    """An event without its arguments, for events whose arguments are not an object."""

    ph: str = ""
    name: str | int | float | None = None
    cat: str | None = None
    ts: int | Decimal | None = None
    dur: int | Decimal | None = None
    pid: int | str | None = None
    tid: int | str | None = None


class ChromeEvent(_Bare, gc=False, frozen=True):
    """One event; times are in microseconds, with every digit of the file."""

    id: Any = None
    args: Arguments | None = None


class _Head(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    schema: Any = msgspec.field(default=None, name="schemaVersion")
    base_ns: Any = msgspec.field(default=None, name="baseTimeNanoseconds")
    distributed: Any = msgspec.field(default=None, name="distributedInfo")
    devices: Any = msgspec.field(default=None, name="deviceProperties")


class Decoded(_Head, gc=False, frozen=True, kw_only=True):
    """A decoded document."""

    events: list[ChromeEvent] = msgspec.field(name="traceEvents")


class _RawDocument(_Head, gc=False, frozen=True, kw_only=True):
    events: list[msgspec.Raw] = msgspec.field(name="traceEvents")


_EXECUTION_TRACE = re.compile(rb'"schema"\s*:\s*"\d+\.\d+\.\d+')
"""Header of what ``torch.profiler.ExecutionTraceObserver`` writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The content of a file."""

    events: list[ChromeEvent]
    base_ns: int | None
    """Offset to add to times; None if the file has none."""
    rank: int | None
    """Rank of the process in a distributed run."""
    device: str
    """Name of the first device, as its maker gives it; empty if unknown."""
    kineto: bool
    """Whether the header is that of PyTorch's profiler."""
    notes: tuple[str, ...]
    """Errors of the file and how they were handled."""


def read_chrome_json(path: Path) -> Document:
    """Read a trace in Chrome's JSON as a whole, plain or compressed by gzip, whatever its name.

    Raises:
        InputError: the file cannot be read, or is not such a trace.
    """
    packed = read_bytes(path, what="trace", most=limits.TRACE_WHOLE_BYTES)
    text, notes = decompressed(packed)
    if len(text) > limits.TRACE_WHOLE_BYTES:
        raise InputError(
            f"{path} holds more than {format_bytes(limits.TRACE_WHOLE_BYTES)} and cannot be read in parts, since it is "
            "damaged or not a list of events: record a shorter trace"
        )
    del packed
    if crowded(text, limits.TRACE_WHOLE_VALUES):
        raise InputError(
            f"{path} holds more than {limits.TRACE_WHOLE_VALUES:,} values and cannot be read in parts, since it is "
            "damaged or not a list of events: record a shorter trace"
        )
    text = text.removeprefix(b"\xef\xbb\xbf")
    opening, closing = (b'{"traceEvents":', b"}") if text[:1024].lstrip()[:1] == b"[" else (b"", b"")
    if not opening and b'"traceEvents"' not in text:
        if _EXECUTION_TRACE.search(text[:1024]):
            raise InputError(
                f"{path} is an execution trace of PyTorch, which has no durations: give the same run's Kineto trace, "
                "or both linked to a Chakra trace (.et)"
            )
        raise InputError(f"{path} is no Chrome or Kineto trace: it has no traceEvents; return the JSON of a profiler")
    try:
        found, more = _decoded(opening + text, closing)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"{path} is no trace that can be read: {error}; record it again") from error
    if not found.events:
        raise InputError(f"{path} holds no events{': ' + more[0] if more else ''}; record the trace again")
    return document_of(found, (*notes, *more))


def crowded(text: bytes, most: int) -> bool:
    """Return whether a JSON text holds more values."""
    if len(text) <= most:
        return False  # counting takes as long as reading
    marks = sum(text.count(mark) for mark in (b",", b"[", b"{"))
    return max(marks, text.count(b'"') // 2) > most


def document_of(found: Decoded, notes: tuple[str, ...] = ()) -> Document:
    """Convert a decoded document, ignoring invalid values of its header."""
    base, info = found.base_ns, found.distributed
    rank = info.get("rank") if isinstance(info, dict) else None
    return Document(
        events=found.events,
        base_ns=int(base) if isinstance(base, int | float) else None,
        rank=rank if isinstance(rank, int) else None,
        device=_device(found.devices),
        kineto=found.schema is not None,
        notes=notes,
    )


def _device(properties: Any) -> str:
    first = properties[0] if isinstance(properties, list) and properties else None
    name = first.get("name") if isinstance(first, dict) else None
    return name if isinstance(name, str) else ""


def decompressed(packed: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Decompress gzip, if it is used; of a truncated or damaged file return the part before, and a note."""
    made: list[bytes] = []
    while (
        packed[:2] == b"\x1f\x8b"
        and len(made) < limits.TRACE_STREAMS
        and sum(map(len, made)) <= limits.TRACE_WHOLE_BYTES
    ):
        part, packed, problem = _decompress_stream(packed, 1 << 20)
        if problem and packed:
            part, packed, _ = _decompress_stream(packed, 64)
        made.append(part)
        if problem:
            return b"".join(made), (problem,)
    return (b"".join(made) if made else packed), ()


def _decompress_stream(packed: bytes, step: int) -> tuple[bytes, bytes, str]:
    """Decompress one gzip stream in steps of bytes; return its content, the remaining input, and an error text."""
    stream, made, held = zlib.decompressobj(wbits=31), [], 0
    try:
        for begin in range(0, len(packed), step):
            made.append(stream.decompress(packed[begin : begin + step], limits.TRACE_WHOLE_BYTES + 1))
            held += len(made[-1])
            if held > limits.TRACE_WHOLE_BYTES:
                return b"".join(made), b"", "the file is too large to be read as a whole"
            if stream.eof:
                return b"".join(made), stream.unused_data + packed[begin + step :], ""
    except zlib.error:
        return b"".join(made), packed, "the compressed file is damaged; what follows the damage is lost"
    return b"".join(made), b"", "the compressed file ends early"


def _decoded(text: bytes, closing: bytes) -> tuple[Decoded, tuple[str, ...]]:
    """Decode a text as it is; if that fails, repaired; if that fails, the readable events of it."""
    try:
        return _typed(text + closing)
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    text, notes = repaired(text)
    try:
        found, more = _typed(text + closing)
    except msgspec.DecodeError:
        text, lost = recovered(text.decode())
        notes = (*notes, *lost)
        found, more = _typed(text)
    return found, (*notes, *more)


def _typed(text: bytes) -> tuple[Decoded, tuple[str, ...]]:
    """Decode; if an event is invalid, decode one by one and count those that cannot be used."""
    try:
        return msgspec.json.decode(text, type=Decoded), ()
    except msgspec.ValidationError:
        pass
    try:
        raw = msgspec.json.decode(text, type=_RawDocument)
    except msgspec.ValidationError:
        return Decoded(events=[]), ("traceEvents is no list",)
    events, strange = [], 0
    whole, without = msgspec.json.Decoder(ChromeEvent), msgspec.json.Decoder(_Bare)
    for one in raw.events:
        try:
            events.append(whole.decode(one))
        except msgspec.ValidationError:
            try:
                bare = without.decode(one)
                events.append(ChromeEvent(*(getattr(bare, name) for name in _Bare.__struct_fields__)))
            except msgspec.ValidationError:
                strange += 1
    notes = (f"{strange} events have fields of unknown form and were left out",) if strange else ()
    return Decoded(events=events, schema=raw.schema, base_ns=raw.base_ns, distributed=raw.distributed), notes


_TOKEN = re.compile(
    r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'  # gives nothing back: a text without end is gone through once
    r"|-?\b(?:nan|NaN|NAN|inf|Inf|INF|Infinity|infinity)\b(?:\([^)]{0,40}\))?",
    re.DOTALL,
)
_WRONG = re.compile(r'\\(?!["\\/bfnrtu])|\\(?=u(?![0-9a-fA-F]{4}))|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|[\x00-\x1f]')


def repaired(text: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Repair the known errors of writers of traces, so that the text is valid JSON; return it with notes."""
    notes = []
    try:
        read = text.decode()
    except UnicodeDecodeError:
        read = text.decode(errors="replace")
        notes.append("bytes that are not UTF-8 were replaced")
    wrong: set[str] = set()

    def outside(match: re.Match[str]) -> str:
        token = match.group()
        if token[0] != '"':
            wrong.add("values that are not numbers (NaN, inf) were left out")
            return "null"
        if token[-1] != '"' or len(token) == 1:  # the file ends inside of it
            return token
        if len(token) > limits.TRACE_TEXT:
            wrong.add("texts of more than a million characters were left out")
            return '""'
        return _WRONG.sub(inside, token)

    def inside(match: re.Match[str]) -> str:
        if match.group() == "\\":
            wrong.add("single backslashes in texts were kept as they are")
            return "\\\\"
        wrong.add("characters that JSON forbids in texts were replaced")
        return "\ufffd" if match.group()[0] == "\\" else " "

    made = _TOKEN.sub(outside, read)
    return made.encode(), (*notes, *sorted(wrong))


def recovered(text: str) -> tuple[bytes, tuple[str, ...]]:
    """Return the complete events of a truncated or damaged file, with notes on what was lost."""
    head = re.search(r'"traceEvents"\s*:\s*\[', text)
    if head is None:
        return b'{"traceEvents":[]}', ("the file ends before its first event",)
    runs, left = _whole(text, head.end())
    last = runs[-1][1] if runs else head.end()
    notes = ("the file is damaged; events that cannot be read were left out",) if len(runs) > 1 else ()
    tail = re.compile(r"[\s,]*\]").match(text, last)
    if left:
        notes = (*notes, f"the file is damaged in more than {limits.TRACE_DAMAGES} places; what follows those is lost")
    elif tail is None:
        notes = (*notes, "the file ends early; the events before that were read, what follows is lost")
    rest = text[tail.end() :].strip().removeprefix(",").removesuffix("}") if tail else ""
    try:
        json.loads(f"{{{rest}}}")
    except json.JSONDecodeError:
        rest = ""
    events = ",".join(text[begin:end] for begin, end in runs)
    return f"{text[: head.end()]}{events}]{',' if rest else ''}{rest}}}".encode(), notes


def _whole(text: str, end: int) -> tuple[list[tuple[int, int]], bool]:
    """Find runs of readable events; after damage continue at the next object.

    Returns:
        Starts and ends of the runs, and whether reading was given up after too many damaged places.
    """
    read = json.JSONDecoder(strict=False).raw_decode
    between, again = re.compile(r"[\s,]*"), re.compile(r"\}\s*,\s*(?=\{)")
    runs: list[tuple[int, int]] = []
    begin = None
    for _ in range(limits.TRACE_DAMAGES):
        try:
            while True:
                gap = between.match(text, end)
                at = gap.end() if gap else end
                _, end = read(text, at)
                begin = at if begin is None else begin
        except json.JSONDecodeError:
            if begin is not None:
                runs.append((begin, end))
        follows = again.search(text, at)
        if follows is None or text[at : at + 1] == "]":
            return runs, False
        begin, end = None, follows.end()
    return runs, True
