"""Validations as files: written after every network, read again to go on where a run stopped."""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any, TypeVar, cast

from dlbricks.construct.summary import summarise
from dlbricks.construct.validation_nouns import (
    FailedModel,
    ModelValidation,
    PartResult,
    Validation,
    ValidationSettings,
)
from dlbricks.errors import InputError
from dlbricks.files import read_text, write_text

VALIDATION_FORMAT = "dlbricks-validation"
VALIDATION_SCHEMA_VERSION = 1

_Noun = TypeVar("_Noun")


def validation_of(
    settings: ValidationSettings, models: tuple[ModelValidation, ...], failed: tuple[FailedModel, ...]
) -> Validation:
    """Put a validation together; its summary follows from its networks."""
    return Validation(settings=settings, models=models, failed=failed, summary=summarise(models))


def validation_text(validation: Validation) -> str:
    """Write a validation as JSON text."""
    document = {
        "format": VALIDATION_FORMAT,
        "schema_version": VALIDATION_SCHEMA_VERSION,
        **dataclasses.asdict(validation),
    }
    return json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def write_validation(path: Path, validation: Validation) -> None:
    """Write a validation file, whole or not at all.

    Raises:
        InputError: it cannot be written.
    """
    write_text(path, validation_text(validation))


def read_validation(path: Path) -> Validation:
    """Read a validation file; its summary is computed again.

    Raises:
        InputError: missing, no validation, of a newer version, or a field is missing or of a wrong type.
    """
    try:
        document = json.loads(read_text(path, what="validation"))
    except (ValueError, RecursionError) as error:
        message = f"{path} is not JSON, or is cut off; remove it to begin anew"
        raise InputError(message) from error
    if not isinstance(document, dict) or document.get("format") != VALIDATION_FORMAT:
        raise InputError(f"{path} is no validation: remove it or name another file")
    version = document.get("schema_version")
    if not isinstance(version, int) or version > VALIDATION_SCHEMA_VERSION:
        raise InputError(f"{path} was written by a newer dlbricks: update dlbricks, or name another file")
    models = []
    for index, entry in enumerate(_rows(document, "models", str(path))):
        where = f"{path}: models[{index}]"
        parts = [
            _noun(PartResult, part, f"{where}.parts[{place}]")
            for place, part in enumerate(_rows(entry, "parts", where))
        ]
        models.append(_noun(ModelValidation, {**entry, "parts": parts}, where))
    failed = [
        _noun(FailedModel, entry, f"{path}: failed[{index}]")
        for index, entry in enumerate(_rows(document, "failed", str(path)))
    ]
    settings = _noun(ValidationSettings, document.get("settings"), f"{path}: settings")
    return validation_of(settings, tuple(models), tuple(failed))


def _rows(document: dict[str, Any], key: str, where: str) -> list[dict[str, Any]]:
    rows = document.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{where}: '{key}' is missing or no list of objects")
    return cast("list[dict[str, Any]]", rows)


def _noun(kind: type[_Noun], row: object, where: str) -> _Noun:
    """Make a noun from a JSON object, every field checked for its type."""
    if not isinstance(row, dict):
        raise InputError(f"{where} is missing or no object")
    values = {}
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        value = row.get(field.name)
        if field.type is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        wanted = list if str(field.type).startswith("tuple") else field.type
        if not isinstance(value, cast("type", wanted)) or isinstance(value, bool):
            raise InputError(f"{where}: '{field.name}' is missing or of a wrong type")
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError(f"{where}: '{field.name}' is no finite number")
        values[field.name] = tuple(value) if isinstance(value, list) else value
    return kind(**values)
