"""Fields of a JSON document that others wrote: each is checked for its type, and named by its place if it is wrong.

All take the object, the field's name, and where the object stands, for messages; and raise InputError, in one line, if
the field is missing or not what it must be.
"""

import re
from typing import TypeVar, cast

from dlbricks.errors import InputError
from dlbricks.fingerprint import Json

_LARGEST = 1e300
"""Magnitude that numbers of a suite stay within; also refuses what is not a number."""

_T = TypeVar("_T", str, int, float, list[Json], dict[str, Json])


def is_null(row: dict[str, Json], key: str, where: str) -> bool:
    """Tell whether a field is there and null."""
    if key not in row:
        raise InputError(f"{where}: '{key}' is missing")
    return row[key] is None


def get(row: dict[str, Json], key: str, kind: type[_T], where: str) -> _T:
    """Give a field of the given type; a boolean is no number."""
    if key not in row:
        raise InputError(f"{where}: '{key}' is missing")
    value = row[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"{where}: '{key}' is a {type(value).__name__}, a {kind.__name__} is wanted")
    return value


def whole(row: dict[str, Json], key: str, where: str) -> int:
    """Give a whole number from 0 up that fits into 64 bits."""
    value = get(row, key, int, where)
    if not 0 <= value < 2**63:
        raise InputError(f"{where}: '{key}' is {value}, out of range")
    return value


def number(row: dict[str, Json], key: str, where: str) -> float:
    """Give a finite number."""
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _LARGEST:
        raise InputError(f"{where}: '{key}' is no finite number")
    return value


def share(row: dict[str, Json], key: str, where: str) -> float:
    """Give a number above 0 and not above 1."""
    value = number(row, key, where)
    if not 0 < value <= 1:
        raise InputError(f"{where}: '{key}' is {value}, it must lie above 0 and not above 1")
    return float(value)


def match(row: dict[str, Json], key: str, pattern: re.Pattern[str], where: str) -> str:
    """Give a text that the pattern covers."""
    value = get(row, key, str, where)
    if pattern.fullmatch(value) is None:
        raise InputError(f"{where}: '{key}' is malformed: {value[:80]!r}")
    return value


def one_of(row: dict[str, Json], key: str, choices: tuple[str, ...], where: str) -> str:
    """Give a text that is one of the choices."""
    value = get(row, key, str, where)
    if value not in choices:
        raise InputError(f"{where}: '{key}' is {value[:80]!r}, one of {', '.join(choices)} is wanted")
    return value


def texts(row: dict[str, Json], key: str, where: str) -> tuple[str, ...]:
    """Give a list of texts."""
    values = get(row, key, list, where)
    if not all(isinstance(value, str) for value in values):
        raise InputError(f"{where}: '{key}' holds something that is no text")
    return tuple(cast("list[str]", values))


def extents(row: dict[str, Json], where: str) -> tuple[int, ...]:
    """Give the extents of the field ``shape``."""
    values = get(row, "shape", list, where)
    if not all(isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63 for value in values):
        raise InputError(f"{where}: 'shape' holds something that is no extent")
    return tuple(cast("list[int]", values))


def rows(row: dict[str, Json], key: str, where: str) -> list[tuple[dict[str, Json], str]]:
    """Give the objects of a list, each with its place."""
    found = []
    for index, value in enumerate(get(row, key, list, where)):
        place = f"{where}: {key}[{index}]"
        if not isinstance(value, dict):
            raise InputError(f"{place} is no object")
        found.append((value, place))
    return found


def refuse_twice(values: list[str], what: str, where: str) -> None:
    """Make sure that no value occurs twice.

    Args:
        values: in any order.
        what: they are, for the message.
        where: they stand, for the message.

    Raises:
        InputError: one does.
    """
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise InputError(f"{where}: {what} {value} occurs twice")
        seen.add(value)
