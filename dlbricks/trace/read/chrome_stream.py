"""Reading Chrome traces batch by batch, so that the events never lie in memory all at once.

The text is cut where an event seems to end, and each piece is decoded as a list, which proves the cut right, since a
piece that is whole JSON leaves no bracket and no text open. What cannot be cut (damage, keys in an odd order) is left
to ``trace.read.chrome_json.read_document``.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from dlbricks.limits import TRACE_WHOLE_BYTES
from dlbricks.trace.read.chrome_json import ChromeEvent, Decoded, Document, crowded, document_of

_PACKED_BYTES, _PLAIN_BYTES = 1 << 14, 1 << 18
"""Read at once: compressed, and as it is."""
_LONGEST_HEAD_BYTES = 1 << 22
_NEAR_BYTES = 1 << 12
"""How far from the end of a piece its last event is looked for before all of the piece is searched."""
_BOM = b"\xef\xbb\xbf"
_OPENING = re.compile(rb'"traceEvents"\s*:\s*\[')
_BETWEEN = re.compile(rb"\}\s*(,)\s*\{")


class UncuttableError(Exception):
    """The file cannot be read batch by batch."""


def stream_document(path: Path, take: Callable[[list[ChromeEvent]], None]) -> Document:
    """Read a trace in Chrome's JSON, as it is or compressed by gzip, and hand its events on, batch by batch.

    Args:
        path: of the file.
        take: is called with each batch in turn, but for the last one, which stands in what is returned.

    Raises:
        UncuttableError: the file cannot be read like this; what was handed on until then is not to be used.
    """
    try:
        return _streamed(_pieces(path), take)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, zlib.error, OSError) as error:
        raise UncuttableError from error


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
                raise UncuttableError
        else:
            waiting = 0
            take(decoder.decode(_joined(*left, memoryview(piece)[:comma], b"]")))
            left = [b"[", piece[comma + 1 :]]
    text = b"".join(left[1:])
    if b'"traceEvents"' in text:
        raise UncuttableError
    document = document_of(msgspec.json.decode(_joined(head, text, closing), type=Decoded))
    if not document.events:
        raise UncuttableError
    return document


def _joined(*parts: bytes | memoryview) -> bytes:
    text = b"".join(parts)
    if crowded(text):
        raise UncuttableError
    return text


def _head(pieces: Iterator[bytes]) -> tuple[bytes, bytes, bytes]:
    """Give the text up to the first event, what was read behind it, and what is to be added to the end of the text."""
    text = b""
    for piece in pieces:
        text += piece
        start = text.removeprefix(_BOM).lstrip()
        if start[:1] == b"[":
            return b'{"traceEvents":[', start[1:], b"}"
        found = _OPENING.search(start)
        if found is not None:
            head = start[: found.end()]
            msgspec.json.decode(head + b"]}", type=Decoded)  # proves that these are the events of the document
            return head, start[found.end() :], b""
        if len(text) > _LONGEST_HEAD_BYTES:
            break
    raise UncuttableError


def _last_between(text: bytes) -> int | None:
    """Give the place of the last comma that seems to stand between two events."""
    for begin in (max(0, len(text) - _NEAR_BYTES), 0):
        commas = [found.start(1) for found in _BETWEEN.finditer(text, begin)]
        if commas:
            return commas[-1]
    return None


def _pieces(path: Path) -> Iterator[bytes]:
    """Give the text of a file in pieces, gzip undone."""
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
                    raise UncuttableError
                yield stream.decompress(packed)
                packed = file.read(_PACKED_BYTES)
            packed = stream.unused_data + packed
