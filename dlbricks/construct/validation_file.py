"""Validations as files: written after every network, read again to go on where a run stopped."""

import dataclasses
import json
from pathlib import Path
from typing import Any, cast

from dlbricks.construct.records import read_noun
from dlbricks.construct.summary import summarise
from dlbricks.construct.validation_nouns import FailedModel, ModelValidation, Validation, ValidationSettings
from dlbricks.errors import InputError
from dlbricks.files import read_text, write_text

VALIDATION_FORMAT = "dlbricks-validation"
VALIDATION_SCHEMA_VERSION = 2


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
        InputError: missing, no validation, of another version, or a field is missing or of a wrong type.
    """
    try:
        document = json.loads(read_text(path, what="validation"))
    except (ValueError, RecursionError) as error:
        message = f"{path} is not JSON, or is cut off; remove it to begin anew"
        raise InputError(message) from error
    if not isinstance(document, dict) or document.get("format") != VALIDATION_FORMAT:
        raise InputError(f"{path} is no validation: remove it or name another file")
    version = document.get("schema_version")
    if type(version) is not int or version > VALIDATION_SCHEMA_VERSION:
        raise InputError(f"{path} was written by a newer dlbricks: update dlbricks, or name another file")
    if version < VALIDATION_SCHEMA_VERSION:
        raise InputError(f"{path} was written by an older dlbricks: validate again, into another file")
    models = [
        read_noun(ModelValidation, row, f"{path}: models[{index}]")
        for index, row in enumerate(_rows(document, "models", path))
    ]
    failed = [
        read_noun(FailedModel, row, f"{path}: failed[{index}]")
        for index, row in enumerate(_rows(document, "failed", path))
    ]
    settings = read_noun(ValidationSettings, document.get("settings"), f"{path}: settings")
    return validation_of(settings, tuple(models), tuple(failed))


def _rows(document: dict[str, Any], key: str, path: Path) -> list[object]:
    if not isinstance(document.get(key), list):
        raise InputError(f"{path}: '{key}' is missing or no list")
    return cast("list[object]", document[key])
