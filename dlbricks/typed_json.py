"""JSON that others wrote: read into typed values, or refused in one line.

The types are msgspec Structs, dataclasses or TypedDicts, whose constraints stand in their annotations
(``msgspec.Meta``); a rule over several fields is a ``ValueError`` of ``__post_init__``. Reading is strict: 5.0 and true
are no integers, "5" is no number, NaN and numbers beyond a float are no JSON. An integer may stand for a float. Unknown
fields are ignored, so that files of newer minor versions can be read. A key twice in one object is refused: readers
differ in which of two values they take, and a signature would cover both.
"""

import collections
import functools
import json
import re
from collections.abc import Iterable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from dlbricks.errors import InputError
from dlbricks.limits import CONTAINERS, VALUES
from dlbricks.units import plain

_T = TypeVar("_T")

MESSAGE_LIMIT = 400
"""Most characters of what is said of one place."""

LARGEST = 2**63 - 1
LONGEST_INTEGER = 20
"""Characters of an integer: 64 bits with a sign."""

_AS_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)

Count = Annotated[int, Meta(ge=0, le=LARGEST)]
"""A whole number from 0 up that fits into 64 bits."""

Amount = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""Nanoseconds, bytes or a count, within what a float holds exactly."""

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""A sha256."""

_REFUSAL = re.compile(r"(?P<said>.*?)(?: - at `(?:key` in `)?\$\.?(?P<place>[^`]*)`)?", re.DOTALL)
_CHOICE = re.compile(r"matching regex '\^\(\?:([\w -]+(?:\|[\w -]+)*)\)\\\\Z'")


def one_of(words: Iterable[str]) -> Meta:
    """Constrain a text to some words, which hold no special characters of patterns (for ``Annotated``)."""
    listed = list(words)
    return Meta(pattern=rf"^(?:{'|'.join(listed)})\Z", extra_json_schema={"enum": listed})


def parse_json(data: bytes | str, where: str) -> Any:
    """Read JSON of any form.

    Args:
        data: the text.
        where: the file, for messages.

    Raises:
        InputError: it is no JSON, is cut off, is no UTF-8, holds a number beyond a float, an integer of more than 20
            characters or more values than ``limits`` allows, is nested too deeply, or has a key twice in one object.
    """
    try:
        return msgspec.json.decode(_text(data, where))
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON, or is cut off: {_reason(error)}") from error


def parse_object(data: bytes | str, where: str) -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        InputError: as ``parse_json``, or it is no object.
    """
    found = parse_json(data, where)
    if not isinstance(found, dict):
        raise InputError(f"{where} is no JSON object")
    return found


def read_json(kind: type[_T], data: bytes | str, where: str) -> _T:
    """Read JSON of a type at once, for files too large to be read into plain values first.

    Raises:
        InputError: as ``parse_json`` and ``checked``.
    """
    try:
        return msgspec.json.decode(_text(data, where), type=kind)
    except msgspec.ValidationError as error:
        raise InputError(refusal(error, None, where)) from error
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON, or is cut off: {_reason(error)}") from error


def checked(kind: type[_T], value: object, where: str) -> _T:
    """Make a typed value of plain ones, as ``parse_json`` gives them.

    Args:
        kind: the type.
        value: what was read.
        where: the file, for messages.

    Raises:
        InputError: a field is missing, of a wrong type or out of range; its place is named, as in
            ``benchmarks[3].visits[0].samples_ns[2]``.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InputError(refusal(error, value, where)) from error


def refusal(error: msgspec.ValidationError, value: object, where: str) -> str:
    """Say in one line what msgspec found, with its place, and with what stands there if ``value`` holds it."""
    parts = _REFUSAL.fullmatch(str(error))
    said, place = (parts["said"], parts["place"] or "") if parts else (str(error), "")
    said = re.sub(r"^Object missing required field `(.*)`$", r"the field '\1' is missing", said)
    said = _CHOICE.sub(lambda found: f"that is one of {found[1].replace('|', ', ')}", said)
    said = said[:1].lower() + said[1:].replace("`", "")
    try:
        for step in re.findall(r"[^.\[\]]+", place):
            value = value[int(step) if step.isdigit() else step]  # type: ignore[index]
        found = f" is {value!r:.60}" if isinstance(value, str | int | float) and said.startswith("expected") else ""
    except (KeyError, IndexError, TypeError):
        found = ""
    return one_line(f"{where}: {place}{found}{', ' if found else ': ' if place else ''}{said}")


def one_line(text: str) -> str:
    """Write a text of others as one printable line of at most ``MESSAGE_LIMIT`` characters."""
    line = plain(text)
    return line if len(line) <= MESSAGE_LIMIT else f"{line[: MESSAGE_LIMIT - 3]}..."


def _text(data: bytes | str, where: str) -> bytes:
    """Give UTF-8 whose objects have each key once; an integer of more than 64 bits is a ``ValueError``."""
    text = data if isinstance(data, bytes) else data.encode()
    if text.count(b"[") + text.count(b"{") > CONTAINERS:
        raise InputError(f"{where} holds more than {CONTAINERS:,} lists and objects, as no file of dlbricks does")
    if text.count(b",") > VALUES:
        raise InputError(f"{where} holds more than {VALUES:,} values, as no file of dlbricks does")
    msgspec.json.decode(text, type=msgspec.Raw)  # says better than json what is malformed
    once = functools.partial(_refuse_twice, where)
    json.loads(text.decode(), object_pairs_hook=once, parse_int=_refuse_long if _may_be_long(text) else None)
    return text


def _may_be_long(text: bytes) -> bool:
    """Say whether there is an integer of many digits, if it is not inside a text."""
    digits = text.translate(_AS_ZEROS)
    place = digits.find(b"0" * LONGEST_INTEGER)
    while place > 0 and text[place - 1] not in b" \t\r\n:,[-":
        place = digits.find(b"0" * LONGEST_INTEGER, place + 1)
    return place >= 0


def _refuse_twice(where: str, pairs: list[tuple[str, object]]) -> None:
    if len(pairs) != len(dict(pairs)):
        (key, _), *_ = collections.Counter(name for name, _ in pairs).most_common(1)
        said = f"{where}: the key '{key:.80}' stands twice in one object: leave one, readers differ in which they take"
        raise InputError(one_line(said))


def _refuse_long(digits: str) -> None:
    if len(digits) > LONGEST_INTEGER:
        raise ValueError(f"{digits[:LONGEST_INTEGER]}... is too large for a number")


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeError):
        return "it is not UTF-8 text"
    return str(error).partition(" - at ")[0].removeprefix("JSON is malformed: ").lower()
