"""Deciding quickly that a value is valid by a JSON Schema; what is not found valid here is for ``jsonschema`` to judge.

Never says yes where ``jsonschema`` would find fault; it may say no where the standard is laxer, as with 5.0 for an
integer. Only the keywords that the schema of submissions uses are known.
"""

import math
import re
from collections.abc import Callable
from typing import Any, TypeAlias

Fits: TypeAlias = Callable[[Any], bool]
"""Whether a value is seen to be valid."""

_TYPES: dict[str, set[type]] = {
    "object": {dict},
    "array": {list},
    "string": {str},
    "boolean": {bool},
    "integer": {int},
    "number": {int, float},
}
_WORDS = {"$schema", "title", "description"}
"""Keywords that decide nothing."""


def fitting(schema: dict[str, Any]) -> Fits:
    """Give the function that tells whether a value is valid by a schema without references.

    Raises:
        ValueError: the schema has a keyword that is not known here.
    """
    checks: list[Fits] = []
    if "type" in schema:
        checks.append(_typed(schema["type"]))
    elif not schema.keys() <= {"anyOf", "const", "enum", "pattern", *_WORDS}:
        raise ValueError(f"no type is given beside {', '.join(schema)}")
    for keyword, wanted in schema.items():
        if keyword not in {"type", "properties", *_WORDS}:
            if keyword not in _KEYWORDS:
                raise ValueError(f"keyword {keyword} is not known")
            checks.append(_KEYWORDS[keyword](wanted))
    if "properties" in schema:
        checks.append(_with_properties(schema["properties"]))
    return checks[0] if len(checks) == 1 else lambda value: all(check(value) for check in checks)


def _typed(name: str) -> Fits:
    kinds = _TYPES[name]
    return lambda value: type(value) in kinds


def _with_properties(properties: dict[str, Any]) -> Fits:
    known = {key: fitting(schema) for key, schema in properties.items()}
    return lambda value: all(known[key](content) for key, content in value.items() if key in known)


def _with_items(schema: dict[str, Any]) -> Fits:
    each, together = fitting(schema), _numbers(schema.get("anyOf", [schema])[0])
    return lambda values: together(values) or all(each(value) for value in values)


def _numbers(schema: dict[str, Any]) -> Fits:
    """Decide over a whole list of numbers at once, by their types, the least and the greatest."""
    if not schema.keys() <= {"type", "minimum", "maximum", *_WORDS} or schema["type"] not in {"integer", "number"}:
        return lambda values: not values
    kinds, least, most = _TYPES[schema["type"]], schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    return lambda values: (
        not values or (set(map(type, values)) <= kinds and least <= min(values) and max(values) <= most)
    )


def _with_others(schema: dict[str, Any]) -> Fits:
    """Decide over the values of an object that has no named properties."""
    each = fitting(schema)
    return lambda value: all(each(content) for content in value.values())


def _like(pattern: str) -> Fits:
    whole = re.compile(pattern.removeprefix("^").removesuffix("$"))
    return lambda value: type(value) is str and whole.fullmatch(value) is not None


def _any(schemas: list[dict[str, Any]]) -> Fits:
    alternatives = [fitting(schema) for schema in schemas]
    return lambda value: any(fits(value) for fits in alternatives)


def _among(words: list[str]) -> Fits:
    return lambda value: type(value) is str and value in words


_KEYWORDS: dict[str, Callable[[Any], Fits]] = {
    "required": lambda names: lambda value: value.keys() >= set(names),
    "items": _with_items,
    "additionalProperties": _with_others,
    "minItems": lambda least: lambda value: len(value) >= least,
    "maxItems": lambda most: lambda value: len(value) <= most,
    "minimum": lambda least: lambda value: value >= least,
    "maximum": lambda most: lambda value: value <= most,
    "exclusiveMinimum": lambda bound: lambda value: value > bound,
    "pattern": _like,
    "enum": _among,
    "const": lambda wanted: lambda value: type(value) is type(wanted) and value == wanted,
    "anyOf": _any,
}
"""Check that each keyword makes of its value; those for numbers, lists and objects come after the check of the type."""
