"""Reads JSON from untrusted sources strictly into typed values, and computes canonical JSON and its digests.

The types are msgspec Structs, dataclasses or TypedDicts with constraints in their annotations (``msgspec.Meta``); a
constraint over several fields raises ``ValueError`` in ``__post_init__``. Reading is strict: 5.0 and true are not
integers, "5" is not a number, and NaN and numbers beyond the range of a float are refused. An integer is accepted as a
float. Unknown fields are ignored. Duplicate keys are refused: parsers differ in which value they use, and a signature
would cover both.
"""

import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from dlbricks.errors import InputError
from dlbricks.limits import CONTAINERS, VALUES
from dlbricks.units import plain, shortened

_T = TypeVar("_T")
# A JSON value.
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

# Maximum length of a message, in characters.
MESSAGE_LIMIT = 400
LARGEST = 2**63 - 1
# Maximum number of characters of an integer: 64 bits with a sign.
LONGEST_INTEGER = 20
# A non-negative integer that fits into a signed 64-bit integer.
Count = Annotated[int, Meta(ge=0, le=LARGEST)]
# Nanoseconds, bytes or a count that a float represents exactly.
Amount = Annotated[int, Meta(ge=0, le=2**53 - 1)]
# A SHA-256 in lower-case hexadecimal.
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]

_REFUSAL = re.compile(r"(?P<reason>.*?)(?: - at `(?:key` in `)?\$\.?(?P<place>[^`]*)`)?", re.DOTALL)
_CHOICE = re.compile(r"matching regex '\^\(\?:([\w -]+(?:\|[\w -]+)*)\)\\\\Z'")
# Finds integers that may have too many digits: only then is each integer checked, which takes three times as long.
_LONG = re.compile(rb"[\s:,\[-]\d{20}")


def one_of(words: Iterable[str]) -> Meta:
    """Return a constraint that permits only ``words``, for use in ``Annotated[str, ...]``."""
    listed = list(words)
    return Meta(pattern=rf"^(?:{'|'.join(listed)})\Z", extra_json_schema={"enum": listed})


def parse_json(data: bytes | str, where: str) -> Any:
    """Parse JSON from an untrusted source; ``where`` names the file in messages.

    Raises ``InputError`` if ``data`` is not valid and complete JSON in UTF-8, or has a number out of a float's range,
    an integer of more than 20 characters, more values than ``limits`` allows, too deep nesting, or a duplicate key.
    """
    kind: Any = Any
    return read_json(kind, data, where)


def parse_object(data: bytes | str, where: str) -> dict[str, Any]:
    """Parse JSON whose top level is an object; raises as ``parse_json``."""
    value = parse_json(data, where)
    if not isinstance(value, dict):
        raise InputError(f"{where} is not a JSON object")
    return value


def read_json(kind: type[_T], data: bytes | str, where: str) -> _T:
    """Parse a large JSON file directly into a type; raises as ``parse_json`` and ``checked``."""
    text = data if isinstance(data, bytes) else data.encode()
    for count, most, what in (
        (text.count(b"[") + text.count(b"{"), CONTAINERS, "lists and objects"),
        (text.count(b","), VALUES, "values"),
    ):
        if count > most:
            raise InputError(f"{where} has more than {most:,} {what}, the limit for files of dlbricks")
    try:
        msgspec.json.decode(text, type=msgspec.Raw)  # its messages on malformed text are better than those of json
        # msgspec keeps the last of duplicate keys silently, so json reads the text as well.
        unique = functools.partial(_refuse_duplicate, where)
        json.loads(text.decode(), object_pairs_hook=unique, parse_int=_refuse_long if _LONG.search(text) else None)
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise InputError(refusal(error, None, where)) from error
    except RecursionError as error:
        raise InputError(f"{where} is not valid JSON, or is truncated: it is nested too deeply") from error
    except ValueError as error:
        reason = str(error).partition(" - at ")[0].removeprefix("JSON is malformed: ").lower()
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeError) else reason
        raise InputError(f"{where} is not valid JSON, or is truncated: {reason}") from error


def renamed_keys(value: Any, names: Mapping[str, str]) -> Any:
    """Return parsed JSON with the keys of all objects renamed."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed_keys(each, names) for key, each in value.items()}
    return [renamed_keys(each, names) for each in value] if isinstance(value, list) else value


def checked(kind: type[_T], value: object, where: str) -> _T:
    """Convert parsed JSON to a type; ``where`` names the file in messages.

    Raises ``InputError`` with the path of a field that is missing, has a wrong type or is out of range, as in
    ``benchmarks[3].visits[0].samples_ns[2]``.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InputError(refusal(error, value, where)) from error


def refusal(error: msgspec.ValidationError, value: object, where: str) -> str:
    """Return an error of msgspec as one line with the path and the content of the invalid field."""
    parts = _REFUSAL.fullmatch(str(error))
    reason, place = (parts["reason"], parts["place"] or "") if parts else (str(error), "")
    reason = re.sub(r"^Object missing required field `(.*)`$", r"the field '\1' is missing", reason)
    reason = _CHOICE.sub(lambda words: f"that is one of {words[1].replace('|', ', ')}", reason)
    reason = reason[:1].lower() + reason[1:].replace("`", "")
    try:
        for step in re.findall(r"[^.\[\]]+", place):
            value = value[int(step) if step.isdigit() else step]  # type: ignore[index]
        is_shown = isinstance(value, str | int | float) and reason.startswith("expected")
    except (KeyError, IndexError, TypeError):
        is_shown = False
    content = f" is {value!r:.60}, " if is_shown else ": " if place else ""
    return one_line(f"{where}: {place}{content}{reason}")


def one_line(text: str) -> str:
    """Return untrusted text in one printable line of at most ``MESSAGE_LIMIT`` characters."""
    return shortened(plain(text), MESSAGE_LIMIT)


def _refuse_duplicate(where: str, pairs: list[tuple[str, object]]) -> None:
    if len(pairs) != len(dict(pairs)):
        ((key, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise InputError(one_line(f"{where}: duplicate key '{key:.80}'"))


def _refuse_long(digits: str) -> None:
    if len(digits) > LONGEST_INTEGER:
        raise ValueError(f"{digits[:LONGEST_INTEGER]}... is too large for an integer of 64 bits")


def is_crowded(text: bytes, most: int) -> bool:
    """Return whether a JSON text may hold more than ``most`` values; commas, brackets and quotes are counted."""
    if len(text) <= most:
        return False  # counting takes as long as reading
    marks = sum(text.count(mark) for mark in (b",", b"[", b"{"))
    return max(marks, text.count(b'"') // 2) > most


def canonical_json(value: Json) -> bytes:
    """Return a value as JSON with sorted keys and fixed separators; equal values give equal bytes.

    Floats must be finite; where a digest depends on a float, pass ``float.hex()``.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def digest_bytes(data: bytes) -> str:
    """Return the SHA-256 of ``data`` in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_json(value: Json) -> str:
    """Return the SHA-256 of the canonical JSON of ``value``."""
    return digest_bytes(canonical_json(value))
