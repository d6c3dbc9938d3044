"""Reads the events of Chrome traces, which PyTorch's profiler (Kineto) and other tools write.

``msgspec`` decodes typed events with exact decimals (``json`` and ``ijson`` take two to three times as long, ``orjson``
returns doubles). The text is cut where an event seems to end, and each piece is decoded as a list. A piece that is
valid JSON has no open bracket or string, so the cut was right. Files with another order of keys, or with an error, are
read whole.

Four errors of writers are corrected: ``NaN`` and ``inf``, single backslashes of Windows paths, invalid UTF-8, and an
early end of the file. The format is Chromium's "Trace Event Format", in which the closing bracket is optional.
"""

import contextlib
import json
import re
import zlib
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.typed_json import is_crowded
from dlbricks.units import counted, format_bytes

# Small pieces of compressed files: one of 16 KiB may unpack to megabytes.
# Bytes read at once from compressed and from plain files.
_PACKED_BYTES, _PLAIN_BYTES = 1 << 14, 1 << 18
# Headers hold device properties, some kilobytes: without events in 4 MiB the file is not a profiler's usual one.
_LONGEST_HEAD_BYTES = 1 << 22
# Bytes at the end of a piece that are searched first for its last event; events take hundreds of bytes.
_NEAR_BYTES = 1 << 12
EARLY = "the file ends early; only the events before its end were read"
_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_OPENING = re.compile(rb'"traceEvents"\s*:\s*\[')
_BETWEEN = re.compile(rb"\}\s*(,)\s*\{")
# Characters of numbers, true, false and null.
_LITERALS = b"+-.0123456789Eaeflnrstu"
# Header of what ``torch.profiler.ExecutionTraceObserver`` writes.
_EXECUTION_TRACE = re.compile(rb'"schema"\s*:\s*"\d+\.\d+\.\d+')

NOTHING = msgspec.Raw(b"")


class Arguments(msgspec.Struct, gc=False, frozen=True):
    """Arguments of an event, in the spellings of all profiler versions."""

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
    memory_bytes: Any = msgspec.field(default=None, name="Bytes")
    memory_total: Any = msgspec.field(default=None, name="Total Allocated")
    memory_device: Any = msgspec.field(default=None, name="Device Type")


NO_ARGUMENTS = Arguments()


class ChromeEvent(msgspec.Struct, gc=False, frozen=True):
    """One event; times are in microseconds, as exact as in the file."""

    ph: str = ""
    name: str | int | float | None = None
    cat: str | None = None
    ts: int | Decimal | None = None
    dur: int | Decimal | None = None
    pid: int | str | None = None
    tid: int | str | None = None
    id: Any = None
    args: Arguments | None = None


class _Head(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """Fields of a trace file except its events."""

    schema: Any = msgspec.field(default=None, name="schemaVersion")
    base: Any = msgspec.field(default=None, name="baseTimeNanoseconds")
    distributed: Any = msgspec.field(default=None, name="distributedInfo")
    devices: Any = msgspec.field(default=None, name="deviceProperties")
    other: Any = msgspec.field(default=None, name="otherData")


class Document(_Head, gc=False, frozen=True, kw_only=True):
    """Content of a trace file; properties of an unexpected type are absent."""

    events: list[ChromeEvent] = msgspec.field(name="traceEvents")

    @property
    def base_ns(self) -> int | None:
        """Number to add to times to get ns since 1970; None if unknown."""
        return int(self.base) if isinstance(self.base, int | float) else None

    @property
    def rank(self) -> int | None:
        """Rank of the process in a distributed run."""
        rank = self.distributed.get("rank") if isinstance(self.distributed, dict) else None
        return rank if isinstance(rank, int) else None

    @property
    def device(self) -> str:
        """Product name of the first device; empty if unknown."""
        first = self.devices[0] if isinstance(self.devices, list) and self.devices else None
        name = first.get("name") if isinstance(first, dict) else None
        return name if isinstance(name, str) else ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes that dlbricks wrote into the file, such as the answer to a what-if question."""
        if not isinstance(self.other, dict) or self.other.get("producer") != "dlbricks":
            return ()
        parts = self.other.get("parts")
        notes = [part.get("notes") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
        return tuple(note for each in notes if isinstance(each, list) for note in each if isinstance(note, str))

    @property
    def kineto(self) -> bool:
        """Whether PyTorch's profiler wrote the file."""
        return self.schema is not None


class _RawDocument(_Head, gc=False, frozen=True, kw_only=True):
    events: list[msgspec.Raw] = msgspec.field(name="traceEvents")


class NotStreamableError(Exception):
    """A trace file cannot be read in batches of events."""


def stream_chrome_json(path: Path, take: Callable[[list[ChromeEvent]], None]) -> Document:
    """Read a trace, plain or compressed by gzip, in batches of events; ``take`` gets all batches but the last.

    The returned document has the last batch. If the file cannot be read in batches, ``NotStreamableError`` is raised,
    and the events that ``take`` got must be discarded.
    """
    try:
        return _streamed(_pieces(path), take)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, EOFError, OSError, zlib.error) as error:
        raise NotStreamableError from error


def _streamed(pieces: Iterator[bytes], take: Callable[[list[ChromeEvent]], None]) -> Document:
    decoder = msgspec.json.Decoder(list[ChromeEvent])
    head, first, closing = _head(pieces)
    left, waiting = [b"[", first], 0
    for piece in pieces:
        comma = _last_between(piece)
        if comma is None:
            left.append(piece)
            waiting += len(piece)
            if waiting > limits.TRACE_WHOLE_BYTES:
                raise NotStreamableError
        else:
            waiting = 0
            take(decoder.decode(_joined(*left, memoryview(piece)[:comma], b"]")))
            left = [b"[", piece[comma + 1 :]]
    text = b"".join(left[1:])
    if b'"traceEvents"' in text:
        raise NotStreamableError
    # The last events are decoded with the head, since fields may follow the events.
    document = msgspec.json.decode(_joined(head, _closed(text, closing)), type=Document)
    if not document.events:
        raise NotStreamableError
    return document


def _closed(text: bytes, closing: bytes) -> bytes:
    """Append ``closing`` to a text. If the text ends with an event, the list of events is closed before that."""
    ended = text.rstrip()
    lacks = bool(closing) and ended[-1:] in {b"}", b","}
    return ended.removesuffix(b",") + b"]" + closing if lacks else text + closing


def _joined(*parts: bytes | memoryview) -> bytes:
    text = b"".join(parts)
    if is_crowded(text, limits.TRACE_WHOLE_VALUES):
        raise NotStreamableError
    return text


def _head(pieces: Iterator[bytes]) -> tuple[bytes, bytes, bytes]:
    """Return the text before the first event, the text from there on as read, and the text that closes the document."""
    text = b""
    for piece in pieces:
        text += piece
        start = text.removeprefix(_BOM).lstrip()
        if start[:1] == b"[":
            return b'{"traceEvents":[', start[1:], b"}"
        opening = _OPENING.search(start)
        if opening is not None:
            head = start[: opening.end()]
            msgspec.json.decode(head + b"]}", type=Document)  # fails unless these are the document's events
            return head, start[opening.end() :], b""
        if len(text) > _LONGEST_HEAD_BYTES:
            break
    raise NotStreamableError


def _last_between(text: bytes) -> int | None:
    """Return the position of the last comma that seems to separate events."""
    for begin in (max(0, len(text) - _NEAR_BYTES), 0):
        commas = [match.start(1) for match in _BETWEEN.finditer(text, begin)]
        if commas:
            return commas[-1]
    return None


def _pieces(path: Path) -> Iterator[bytes]:
    # Yield the text of a file in pieces, decompressed. Raise ``EOFError`` if the compressed file ends early,
    # ``zlib.error`` if it is damaged, and ``OSError`` if the file cannot be read.
    with path.open("rb") as file:
        packed = file.read(_PACKED_BYTES)
        if packed[:2] != _GZIP:
            yield packed
            while packed := file.read(_PLAIN_BYTES):
                yield packed
            return
        while packed[:2] == _GZIP:
            stream = zlib.decompressobj(wbits=31)
            while not stream.eof:
                if not packed:
                    raise EOFError
                yield stream.decompress(packed)
                packed = file.read(_PACKED_BYTES)
            packed = stream.unused_data + packed


def read_chrome_json(path: Path) -> tuple[Document, tuple[str, ...]]:
    """Read a trace as a whole, plain or compressed by gzip; also return notes on corrected errors of the file.

    Raises:
        InputError: the file cannot be read, is damaged, or is not a Chrome trace.
    """
    text, notes = _whole_text(path)
    if (is_large := len(text) > limits.TRACE_WHOLE_BYTES) or is_crowded(text, limits.TRACE_WHOLE_VALUES):
        size = format_bytes(limits.TRACE_WHOLE_BYTES) if is_large else f"{limits.TRACE_WHOLE_VALUES:,} values"
        raise InputError(
            f"{path} holds more than {size} and cannot be read in parts, since it is damaged or not a list of events: "
            "record a shorter trace"
        )
    text = text.removeprefix(_BOM)
    opening, closing = (b'{"traceEvents":', b"}") if text[:1024].lstrip()[:1] == b"[" else (b"", b"")
    if not opening and b'"traceEvents"' not in text:
        if _EXECUTION_TRACE.search(text[:1024]):
            raise InputError(
                f"{path} is an execution trace of PyTorch, which has no durations: use the Kineto trace of the same run"
            )
        raise InputError(f"{path} is not a Chrome or Kineto trace (no key traceEvents): use a profiler's JSON file")
    try:
        decoded, more = _decoded(opening + text, closing)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"{path} is damaged: {error}; copy or record it again") from error
    if not decoded.events:
        raise InputError(f"{path} holds no events{': ' + more[0] if more else ''}; record the trace again")
    # a compressed file that is cut ends early as a document, too
    return decoded, tuple(dict.fromkeys((*notes, *more)))


def _whole_text(path: Path) -> tuple[bytes, tuple[str, ...]]:
    """Return the decompressed text of a file, and a note if it ends early; raises ``InputError`` for a damaged file."""
    parts: list[bytes] = []
    size = 0
    notes: tuple[str, ...] = ()
    try:
        for piece in _pieces(path):
            parts.append(piece)
            size += len(piece)
            if size > limits.TRACE_WHOLE_BYTES:
                break
    except EOFError:
        notes = (EARLY,)
    except zlib.error as error:
        raise InputError(f"{path} is damaged: {error}; copy or record it again") from error
    except OSError as error:
        raise InputError(f"cannot read trace {path}: {error.strerror or error}") from error
    return b"".join(parts), notes


def _decoded(text: bytes, closing: bytes) -> tuple[Document, tuple[str, ...]]:
    """Decode a text. If it is invalid, correct it and decode it again."""
    try:
        return _typed(_closed(text, closing))
    except (msgspec.DecodeError, UnicodeDecodeError):
        corrected, notes = _corrected(text)
    try:
        decoded, more = _typed(_closed(corrected, closing))
    except msgspec.DecodeError:
        if not _ends_early(corrected):
            raise
        decoded, more = _typed(_whole_events(corrected.decode()))
        more = (EARLY if decoded.events else "the file ends before its first event", *more)
    return decoded, (*notes, *more)


def _ends_early(text: bytes) -> bool:
    """Return whether a JSON text is valid up to an early end."""
    try:
        # A number or literal may be cut, which is reported as malformed: the text before it ends early, too.
        msgspec.json.decode(text.rstrip(_LITERALS), type=msgspec.Raw)
    except msgspec.DecodeError as error:
        return str(error) == "Input data was truncated"
    return False


def _typed(text: bytes) -> tuple[Document, tuple[str, ...]]:
    """Decode a document. If an event is invalid, decode events one by one, and return a note on the invalid events."""
    try:
        return msgspec.json.decode(text, type=Document), ()
    except msgspec.ValidationError:
        pass
    try:
        raw = msgspec.json.decode(text, type=_RawDocument)
    except msgspec.ValidationError:
        return Document(events=[]), ("traceEvents is not a list",)
    events, decoder = [], msgspec.json.Decoder(ChromeEvent)
    for event in raw.events:
        with contextlib.suppress(msgspec.ValidationError):
            events.append(decoder.decode(event))
    notes = (f"{counted(len(raw.events) - len(events), 'event')} with fields of an unexpected type left out",)
    return Document(
        events=events, schema=raw.schema, base=raw.base, distributed=raw.distributed, devices=raw.devices
    ), notes


_TOKEN = re.compile(
    r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'  # gives nothing back: a text without end is gone through once
    r"|-?\b(?:nan|NaN|NAN|inf|Inf|INF|Infinity|infinity)\b(?:\([^)]{0,40}\))?",
    re.DOTALL,
)
# An escape of JSON, or, as its group, a single backslash.
_BACKSLASH = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|(\\)')


def _corrected(text: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Correct known errors of writers; return the text, and a note on each correction."""
    notes = []
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        decoded = text.decode(errors="replace")
        notes.append("bytes that are not UTF-8 were replaced")
    errors: set[str] = set()

    def correct(match: re.Match[str]) -> str:
        token = match.group()
        if token[0] != '"':
            errors.add("values that are not numbers (NaN, inf) were left out")
            return "null"
        return _BACKSLASH.sub(escape, token)

    def escape(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        errors.add("single backslashes in texts were read as backslashes")
        return "\\\\"

    corrected = _TOKEN.sub(correct, decoded)
    return corrected.encode(), (*notes, *sorted(errors))


def _whole_events(text: str) -> bytes:
    """Return the complete events of a truncated document."""
    decode, between = json.JSONDecoder(strict=False).raw_decode, re.compile(r"[\s,]*")
    opening = re.search(_OPENING.pattern.decode(), text)
    if opening is None:
        return b'{"traceEvents":[]}'
    end = opening.end()
    while True:
        try:
            gap = between.match(text, end)
            _, end = decode(text, gap.end() if gap else end)
        except json.JSONDecodeError:
            return f"{text[:end]}]}}".encode()
