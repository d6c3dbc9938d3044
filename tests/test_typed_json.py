"""Reading JSON of others: what msgspec takes and refuses, which everything that reads files relies on."""

from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import msgspec
import pytest
from msgspec import Meta

from dlbricks.errors import InputError
from dlbricks.typed_json import Count, Digest, checked, one_of, parse_json, read_json


class Part(TypedDict):
    """Stays a dictionary."""

    values: list[int | float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """One field of each kind."""

    count: Count = 0
    number: float = 0.0
    share: Annotated[float, Meta(gt=0, le=1)] = 1.0
    flag: bool = False
    digest: Digest = "0" * 64
    word: Annotated[str, one_of(["not run", "min-max", "ab"])] = "ab"
    row: tuple[Count, ...] = ()
    named: dict[str, Count] | None = None
    parts: tuple[Part, ...] = ()
    anything: Any = None
    needed: int

    def __post_init__(self) -> None:
        """Refuse what no single field can."""
        if self.count > 5 and self.flag:
            raise ValueError("count is too large for flag")


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ('"number": 3', "number", 3.0),
        ('"number": -0.0', "number", -0.0),
        ('"count": -0', "count", 0),
        ('"count": 9223372036854775807', "count", 2**63 - 1),
        ('"row": [1, 2]', "row", (1, 2)),
        ('"word": "min-max"', "word", "min-max"),
        ('"parts": [{"values": [1, 1.5], "more": 2}]', "parts", ({"values": [1, 1.5]},)),
        ('"anything": 18446744073709551615', "anything", 2**64 - 1),
        ('"anything": "a,123456789012345678901234567890,b"', "anything", "a,123456789012345678901234567890,b"),
        ('"unknown": {}', "anything", None),
    ],
)
def test_what_is_taken(text: str, field: str, value: object) -> None:
    """Integers stand for floats and stay what they are where both may stand; unknown fields are ignored."""
    data = f'{{"needed": 1, {text}}}'
    for made in (checked(Whole, parse_json(data, "f"), "f"), read_json(Whole, data.encode(), "f")):
        assert getattr(made, field) == value
        assert type(getattr(made, field)) is type(value)
    assert [type(one) for one in checked(Part, {"values": [1, 1.0]}, "f")["values"]] == [int, float]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"count": 5.0', "f: count is 5.0, expected int, got float"),
        ('"count": 1e3', "f: count is 1000.0, expected int, got float"),
        ('"count": true', "f: count is True, expected int, got bool"),
        ('"count": "5"', "f: count is '5', expected int, got str"),
        ('"count": null', "f: count: expected int, got null"),
        ('"count": -1', "f: count is -1, expected int >= 0"),
        ('"count": 9223372036854775808', "f: count is 9223372036854775808, expected int <= 9223372036854775807"),
        ('"number": true', "f: number is True, expected float, got bool"),
        ('"number": "1"', "f: number is '1', expected float, got str"),
        ('"number": 1' + "0" * 400, "10000000000000000000... is too large for an integer of 64 bits"),
        ('"anything": -123456789012345678901', "-1234567890123456789... is too large for an integer of 64 bits"),
        ('"share": 0', "f: share is 0, expected float > 0.0"),
        ('"flag": 1', "f: flag is 1, expected bool, got int"),
        ('"digest": "0A"', r"f: digest is '0A', expected str matching regex '^[0-9a-f]{64}\\Z'"),
        ('"digest": "' + "0" * 64 + '\\n"', "expected str matching regex"),
        ('"word": "x"', "f: word is 'x', expected str that is one of not run, min-max, ab"),
        ('"word": "a-b"', "f: word is 'a-b', expected str that is one of"),
        ('"row": [1, -2]', "f: row[1] is -2, expected int >= 0"),
        ('"row": 3', "f: row is 3, expected array, got int"),
        ('"named": {"a": -1}', "f: named[...]: expected int >= 0"),
        ('"parts": [{"values": [1, "x"]}]', "f: parts[0].values[1] is 'x', expected int | float, got str"),
        ('"parts": [{}]', "f: parts[0]: the field 'values' is missing"),
        ('"count": 6, "flag": true', "f: count is too large for flag"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    """Nothing is made into another type, and what is wrong is named by its place."""
    with pytest.raises(InputError) as raised:
        checked(Whole, parse_json(f'{{"needed": 1, {text}}}', "f"), "f")
    assert said in str(raised.value)
    with pytest.raises(InputError, match=r"^f"):
        read_json(Whole, f'{{"needed": 1, {text}}}'.encode(), "f")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "f is not valid JSON, or is truncated: input data was truncated"),
        (b'{"needed": 1', "f is not valid JSON, or is truncated: input data was truncated"),
        (b"{} {}", "trailing characters"),
        (b"\x80\x04", "invalid character (byte 0)"),
        (b'"\xff"', "it is not UTF-8 text"),
        (b'{"anything": "\\ud800"}', "f is not valid JSON"),
        (b'{"anything": NaN}', "invalid character"),
        (b'{"anything": -Infinity}', "invalid character"),
        (b'{"anything": 1e999}', "number out of range"),
        (b'{"anything": ' + b"9" * 5000 + b"}", "is too large for an integer of 64 bits"),
        (b'{"anything": ' + b"[" * 100_000, "it is nested too deeply"),
        (b'{"needed": 1, "needed": 1}', "f: duplicate key 'needed'"),
        (b'{"anything": [{"a": 1, "b": 2, "\\u0061": 3}]}', "f: duplicate key 'a'"),
        (b'{"a\\u001b": 1, "a\\u001b": 2}', "f: duplicate key 'a '"),
    ],
)
def test_what_is_no_json(data: bytes, said: str) -> None:
    """What is cut off, no JSON, or no number of JSON is refused in one line."""
    with pytest.raises(InputError) as raised:
        parse_json(data, "f")
    assert said in str(raised.value)
    with pytest.raises(InputError, match=r"^f"):
        read_json(Whole, data, "f")


def test_messages_are_one_short_line() -> None:
    """Whatever stands in a file, nothing of it breaks the line or fills the screen."""
    for value in ("two\nlines\x1b[2J", "x" * 9999):
        with pytest.raises(InputError) as raised:
            checked(Whole, {"needed": 1, "word": value}, "f")
        assert str(raised.value).isprintable()
        assert len(str(raised.value)) <= 400
    with pytest.raises(msgspec.ValidationError, match="too large for flag"):
        msgspec.convert({"needed": 1, "count": 6, "flag": True}, Whole)
