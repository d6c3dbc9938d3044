"""Finished objects as JSON text."""

import dataclasses
import json
from typing import Any


def to_json(value: object) -> str:
    """Write a noun, a tuple of nouns, or plain JSON as indented JSON with a newline at its end.

    Properties of nouns that are figures of their own (``coverage``) are written beside the fields.
    """
    return json.dumps(_plain(value), indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        if isinstance(getattr(type(value), "coverage", None), property):
            fields["coverage"] = value.coverage  # type: ignore[attr-defined]
        return fields
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
