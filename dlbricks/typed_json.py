"""Strict reading of JSON from untrusted sources into typed values; errors are one line.

The types are msgspec Structs, dataclasses or TypedDicts with constraints in their annotations (``msgspec.Meta``); a
constraint over several fields is a ``ValueError`` from ``__post_init__``. Reading is strict: 5.0 and true are not
accepted as integers, "5" not as a number, and NaN and numbers beyond the range of a float not at all. An integer is
accepted as a float. Unknown fields are ignored, so that files of newer minor versions can be read. Duplicate keys in an
object are refused: parsers differ in which value they use, and a signature would cover both.
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
"""Maximum length of a message, in characters."""

LARGEST = 2**63 - 1
LONGEST_INTEGER = 20
"""Maximum number of characters of an integer: 64 bits with a sign."""

_AS_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)

Count = Annotated[int, Meta(ge=0, le=LARGEST)]
"""A non-negative integer that fits into a signed 64-bit integer."""

Amount = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""Nanoseconds, bytes or a count that a float represents exactly."""

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""A SHA-256 in lower-case hexadecimal."""

_REFUSAL = re.compile(r"(?P<said>.*?)(?: - at `(?:key` in `)?\$\.?(?P<place>[^`]*)`)?", re.DOTALL)
_CHOICE = re.compile(r"matching regex '\^\(\?:([\w -]+(?:\|[\w -]+)*)\)\\\\Z'")


def one_of(words: Iterable[str]) -> Meta:
    """Constrain a string to some words without special characters of regular expressions (for ``Annotated``)."""
    listed = list(words)
    return Meta(pattern=rf"^(?:{'|'.join(listed)})\Z", extra_json_schema={"enum": listed})


def parse_json(data: bytes | str, where: str) -> Any:
    """Parse JSON without a type.

    Args:
        data: the text.
        where: the file, for messages.

    Raises:
        InputError: it is not valid or complete JSON in UTF-8, has a number beyond the range of a float, an integer of
            more than 20 characters, more values than ``limits`` allows, too deep nesting, or a duplicate key.
    """
    try:
        return msgspec.json.decode(_text(data, where))
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON, or is cut off: {_reason(error)}") from error


def parse_object(data: bytes | str, where: str) -> dict[str, Any]:
    """Parse a JSON object.

    Raises:
        InputError: as ``parse_json``, or the value is not an object.
    """
    found = parse_json(data, where)
    if not isinstance(found, dict):
        raise InputError(f"{where} is no JSON object")
    return found


def read_json(kind: type[_T], data: bytes | str, where: str) -> _T:
    """Parse JSON directly into a type, for files too large to be parsed into untyped values first.

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
    """Convert a value from ``parse_json`` to a type.

    Args:
        kind: the type.
        value: the parsed value.
        where: the file, for messages.

    Raises:
        InputError: a field is missing, of a wrong type or out of range; the message has its path, as in
            ``benchmarks[3].visits[0].samples_ns[2]``.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InputError(refusal(error, value, where)) from error


def refusal(error: msgspec.ValidationError, value: object, where: str) -> str:
    """Format an error of msgspec as one line with the path of the field, and with its value if ``value`` has it."""
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
    """Make untrusted text one printable line of at most ``MESSAGE_LIMIT`` characters."""
    line = plain(text)
    return line if len(line) <= MESSAGE_LIMIT else f"{line[: MESSAGE_LIMIT - 3]}..."


def _text(data: bytes | str, where: str) -> bytes:
    """Check limits and duplicate keys, and return the UTF-8 text; an integer that is too long is a ``ValueError``."""
    text = data if isinstance(data, bytes) else data.encode()
    if text.count(b"[") + text.count(b"{") > CONTAINERS:
        raise InputError(f"{where} holds more than {CONTAINERS:,} lists and objects, as no file of dlbricks does")
    if text.count(b",") > VALUES:
        raise InputError(f"{where} holds more than {VALUES:,} values, as no file of dlbricks does")
    msgspec.json.decode(text, type=msgspec.Raw)  # its messages on malformed text are better than those of json
    once = functools.partial(_refuse_twice, where)
    json.loads(text.decode(), object_pairs_hook=once, parse_int=_refuse_long if _may_be_long(text) else None)
    return text


def _may_be_long(text: bytes) -> bool:
    """Return whether the text may hold an integer of too many digits outside of a string."""
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
