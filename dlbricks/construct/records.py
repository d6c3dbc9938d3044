"""Nouns from JSON: every field checked for its type, and what is wrong named by its place. Pure.

``dacite`` and ``msgspec`` were looked at: both would be one more dependency for two file formats of ours.
"""

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from dlbricks.errors import InputError

_Noun = TypeVar("_Noun")
_PLAIN = (str, int, bool)


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def read_noun(kind: type[_Noun], value: object, where: str) -> _Noun:
    """Make a noun from what JSON gives; tuples are read from lists, fields with a default may be missing.

    Args:
        kind: a dataclass of plain values, other nouns, tuples and mappings by name.
        value: what was read.
        where: its place, for messages.

    Raises:
        InputError: a field is missing, of a wrong type, or no finite number.
    """
    if not isinstance(value, dict):
        raise InputError(f"{where} is missing or no object")
    values, hints = {}, _hints(cast("Any", kind))
    for field in dataclasses.fields(cast("Any", kind)):
        if field.name in value:
            values[field.name] = _read(hints[field.name], value[field.name], f"{where}.{field.name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise InputError(f"{where}: '{field.name}' is missing")
    return kind(**values)


def _read(kind: Any, value: object, where: str) -> Any:
    if kind is float:
        return _number(value, where)
    if kind in _PLAIN:
        if type(value) is not kind:
            raise InputError(f"{where} is of a wrong type")
        return value
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return _read_tuple(inner, value, where)
    if origin in (types.UnionType, typing.Union):
        return None if value is None else _read(next(one for one in inner if one is not types.NoneType), value, where)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(value, dict):
            raise InputError(f"{where} is no object")
        return {key: _read(inner[1], one, f"{where}.{key}") for key, one in value.items()}
    return read_noun(kind, value, where)


def _number(value: object, where: str) -> float:
    if type(value) not in (int, float):
        raise InputError(f"{where} is of a wrong type")
    try:
        number = float(cast("float", value))
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{where} is no finite number")
    return number


def _read_tuple(inner: Sequence[Any], value: object, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise InputError(f"{where} is no list")
    if len(inner) == 2 and inner[1] is Ellipsis:
        return tuple(_read(inner[0], one, f"{where}[{index}]") for index, one in enumerate(value))
    if len(value) != len(inner):
        raise InputError(f"{where} has {len(value)} entries in the place of {len(inner)}")
    return tuple(
        _read(kind, one, f"{where}[{index}]") for index, (kind, one) in enumerate(zip(inner, value, strict=True))
    )
