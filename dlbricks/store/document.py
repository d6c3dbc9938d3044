"""Reading a submission: from bytes to a dictionary that everything after can rely on.

The published schema is the law; ``jsonschema`` applies it, with definitions put in the place of the references to them,
to what is not seen to be valid at once (``store.fits``). Where Python is laxer than the standard it is kept to it: 5.0
is no integer here, and a pattern ends where the text does. The manifest inside is read by ``suite.document``, which
knows its form. What is read holds no NaN, no infinity, no integer beyond 20 characters and no text that is not Unicode.
"""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias, cast

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from dlbricks.errors import InputError
from dlbricks.fingerprint import Json
from dlbricks.store.fits import fitting
from dlbricks.suite.manifest import from_document

SUBMISSION_FORMAT = "dlbricks-submission"
SUBMISSION_SCHEMA_VERSION = 2

Document: TypeAlias = dict[str, Any]
"""A submission that has been read; its form is that of ``submission.schema.json``."""

MAX_RANK = 16
"""Extents that a shape may have."""

LONGEST_MESSAGE = 400
"""Characters of what is said of one place."""

LONGEST_INTEGER = 20
"""Characters of an integer: 64 bits with a sign."""

SHOWN = 5
"""Problems that a message names; the rest is counted."""

_OPERATOR = re.compile(r"[!-~]{1,200}")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def read_file(path: Path) -> bytes:
    """Read the bytes of a result file that the user named.

    Raises:
        InputError: missing, unreadable, or a folder.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"cannot read result {path}: {error.strerror or error}"
        raise InputError(message) from error


def read_document(data: bytes) -> Document:
    """Read a submission.

    Raises:
        InputError: not JSON, truncated, another format or version, or against the schema; places are named, as in
            ``benchmarks[3].visits[0].samples_ns[2]``.
    """
    document = _parse(data)
    found = document.get("format")
    if found != SUBMISSION_FORMAT:
        raise InputError(f"this is no result of a suite: its format is {_short(found)}, not '{SUBMISSION_FORMAT}'")
    version = document.get("schema_version")
    if type(version) is int and version > SUBMISSION_SCHEMA_VERSION:
        raise InputError(
            f"the result was written by a newer dlbricks: schema version {_short(version)}, this one reads "
            f"{SUBMISSION_SCHEMA_VERSION}; update dlbricks"
        )
    if type(version) is int and version < SUBMISSION_SCHEMA_VERSION:
        raise InputError(
            f"the result was written by an older dlbricks: schema version {_short(version)}, this one reads "
            f"{SUBMISSION_SCHEMA_VERSION}; generate the suite again and run it with its new harness"
        )
    if isinstance(document.get("suite"), dict) and "manifest" not in document["suite"]:
        raise InputError("the run is not finished: end it with run --resume, which writes the result")
    _refuse(list(problems(document)))
    manifest = document["suite"]["manifest"]
    try:
        from_document(manifest, "suite.manifest")
    except InputError as error:
        raise InputError(one_line(str(error))) from error
    _refuse(list(_reference_problems(manifest)))
    return document


def problems(document: Json) -> Iterator[str]:
    """Say everything in which a document differs from the schema, each with its place."""
    for error in () if _FITS(document) else _VALIDATOR.iter_errors(document):
        yield f"{_place(error)}: {_said(error)}"


def one_line(text: str) -> str:
    """Write a text so that nothing in it, which others wrote, breaks the line, moves a cursor, or goes on for ever."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= LONGEST_MESSAGE else f"{plain[: LONGEST_MESSAGE - 3]}..."


def schema() -> dict[str, Any]:
    """Give the JSON Schema of submissions, as published."""
    text = Path(__file__).with_name("submission.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def _parse(data: bytes) -> Document:
    try:
        text = data.decode("utf-8")
        document = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite, parse_int=_whole)
        if _SURROGATE.search(data):
            json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise InputError(f"the result is not JSON, or is cut off: {_reason(error)}") from error
    if not isinstance(document, dict):
        raise InputError("the result is not a JSON object")
    return document


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeError):
        return "it is not UTF-8 text"
    return str(error)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is too large for a number")
    return value


def _whole(text: str) -> int:
    if len(text) > LONGEST_INTEGER:
        raise ValueError(f"{_short(text)} is too large for a number")
    return int(text)


def _refuse(said: list[str]) -> None:
    if said:
        more = f"; and {len(said) - SHOWN} more" if len(said) > SHOWN else ""
        shown = "; ".join(one_line(each) for each in said[:SHOWN])
        raise InputError(f"the result breaks its schema: {shown}{more}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _place(error: ValidationError) -> str:
    parts = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path)
    return parts.removeprefix(".") or "the document"


def _said(error: ValidationError) -> str:
    """Shorten what jsonschema says: its messages repeat the whole value."""
    value, want = _short(error.instance), error.validator_value
    sayings = {
        "required": error.message,
        "minimum": f"{value} is less than {want}",
        "exclusiveMinimum": f"{value} is not greater than {want}",
        "maximum": f"{value} is greater than {want}",
        "type": f"{value} is no {want}",
        "const": f"{value} is not {want!r}",
        "enum": f"{value} is none of {want}",
        "pattern": f"{value} is malformed",
        "minItems": "there must be at least one",
        "maxItems": f"there are more than {want}",
        "anyOf": f"{value} is no number",
    }
    return sayings[str(error.validator)]


def _inlined(node: Any, definitions: dict[str, Any]) -> Any:
    """Put every definition in the place of the references to it; the schema has no cycles."""
    if isinstance(node, list):
        return [_inlined(each, definitions) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _inlined(definitions[node["$ref"].removeprefix("#/$defs/")], definitions)
    return {key: _inlined(each, definitions) for key, each in node.items() if key != "$defs"}


def _is_integer(_checker: object, value: object) -> bool:
    return type(value) is int


def _items(validator: Validator, items: dict[str, Any], instance: object, _schema: dict[str, Any]) -> Iterator[Any]:
    """Apply ``items``; only those that are not seen to be valid at once are looked at by ``jsonschema``."""
    if isinstance(instance, list) and instance:
        fits = fitting(items)
        for index, item in enumerate(instance):
            if not fits(item):
                yield from validator.descend(item, items, path=index)  # type: ignore[attr-defined]


def _pattern(_validator: Validator, pattern: str, instance: object, _schema: dict[str, Any]) -> Iterator[Any]:
    """Apply ``pattern`` as the standard means it: in Python ``$`` would let a final line break pass."""
    if isinstance(instance, str) and not re.fullmatch(pattern.removeprefix("^").removesuffix("$"), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


_Reader = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    validators={"items": _items, "pattern": _pattern},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)
_SCHEMA = schema()
_VALIDATOR = _Reader(_inlined(_SCHEMA, _SCHEMA["$defs"]))
_FITS = fitting(_VALIDATOR.schema)
_SKETCHES = _VALIDATOR.evolve(schema=_VALIDATOR.schema["properties"]["benchmarks"]["items"]["properties"]["sketches"])
_SKETCHES_FIT = fitting(_SKETCHES.schema)


def _reference_problems(manifest: Document) -> Iterator[str]:
    """Say what ``suite.document`` leaves open: sketches, names of operators, extents of a shape."""
    for index, benchmark in enumerate(manifest["benchmarks"]):
        where = f"suite.manifest.benchmarks[{index}]"
        sketches = benchmark["reference"] or []
        for error in () if _SKETCHES_FIT(sketches) else _SKETCHES.iter_errors(sketches):
            yield f"{where}.reference{_place(error)}: {_said(error)}"
        yield from (
            f"{where}.operators[{number}]: {_short(operator)} is malformed"
            for number, operator in enumerate(benchmark["operators"])
            if _OPERATOR.fullmatch(operator) is None
        )
        for number, output in enumerate(benchmark["outputs"]):
            if len(output["shape"]) > MAX_RANK:
                yield f"{where}.outputs[{number}].shape: there are more than {MAX_RANK}"
