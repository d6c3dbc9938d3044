"""Reads Chrome traces in batches, so that the events are never in memory all at once.

The text is cut where an event seems to end, and each piece is decoded as a list. A piece that is valid JSON has no open
bracket or string, so the cut was right. Files that cannot be cut (damaged, unusual order of keys) are read by
``trace.read.chrome_json.read_chrome_json``.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from dlbricks.limits import TRACE_WHOLE_BYTES, TRACE_WHOLE_VALUES
from dlbricks.trace.read.chrome_json import ChromeEvent, Decoded, Document, crowded, document_of

_PACKED_BYTES, _PLAIN_BYTES = 1 << 14, 1 << 18
"""Bytes read at once from compressed and from plain files."""
_LONGEST_HEAD_BYTES = 1 << 22
_NEAR_BYTES = 1 << 12
"""Bytes at the end of a piece that are searched for its last event before the whole piece is."""
_BOM = b"\xef\xbb\xbf"
_OPENING = re.compile(rb'"traceEvents"\s*:\s*\[')
_BETWEEN = re.compile(rb"\}\s*(,)\s*\{")


class NotStreamableError(Exception):
    """The file cannot be read in batches."""


def stream_chrome_json(path: Path, take: Callable[[list[ChromeEvent]], None]) -> Document:
    """Read a trace in Chrome's JSON, plain or compressed by gzip, in batches.

    Args:
        path: of the file.
        take: called with each batch except the last, which is in the returned document.

    Raises:
        NotStreamableError: the file cannot be read in batches; batches so far must be discarded.
    """
    try:
        return _streamed(_pieces(path), take)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, zlib.error, OSError) as error:
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
            if waiting > TRACE_WHOLE_BYTES:
                raise NotStreamableError
        else:
            waiting = 0
            take(decoder.decode(_joined(*left, memoryview(piece)[:comma], b"]")))
            left = [b"[", piece[comma + 1 :]]
    text = b"".join(left[1:])
    if b'"traceEvents"' in text:
        raise NotStreamableError
    document = document_of(msgspec.json.decode(_joined(head, text, closing), type=Decoded))
    if not document.events:
        raise NotStreamableError
    return document


def _joined(*parts: bytes | memoryview) -> bytes:
    text = b"".join(parts)
    if crowded(text, TRACE_WHOLE_VALUES):
        raise NotStreamableError
    return text


def _head(pieces: Iterator[bytes]) -> tuple[bytes, bytes, bytes]:
    """Return the text up to the first event, the text read after it, and the text to append at the end."""
    text = b""
    for piece in pieces:
        text += piece
        start = text.removeprefix(_BOM).lstrip()
        if start[:1] == b"[":
            return b'{"traceEvents":[', start[1:], b"}"
        found = _OPENING.search(start)
        if found is not None:
            head = start[: found.end()]
            msgspec.json.decode(head + b"]}", type=Decoded)  # fails unless these are the document's events
            return head, start[found.end() :], b""
        if len(text) > _LONGEST_HEAD_BYTES:
            break
    raise NotStreamableError


def _last_between(text: bytes) -> int | None:
    """Return the position of the last comma that seems to separate two events."""
    for begin in (max(0, len(text) - _NEAR_BYTES), 0):
        commas = [found.start(1) for found in _BETWEEN.finditer(text, begin)]
        if commas:
            return commas[-1]
    return None


def _pieces(path: Path) -> Iterator[bytes]:
    """Return the text of a file in pieces, decompressed."""
    with path.open("rb") as file:
        packed = file.read(_PACKED_BYTES)
        if packed[:2] != b"\x1f\x8b":
            yield packed
            while packed := file.read(_PLAIN_BYTES):
                yield packed
            return
        while packed[:2] == b"\x1f\x8b":
            stream = zlib.decompressobj(wbits=31)
            while not stream.eof:
                if not packed:
                    raise NotStreamableError
                yield stream.decompress(packed)
                packed = file.read(_PACKED_BYTES)
            packed = stream.unused_data + packed
