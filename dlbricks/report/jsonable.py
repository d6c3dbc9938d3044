"""Converts results to the documents of ``--json``, with format and version (``docs/json.md``)."""

import dataclasses
import json
from typing import Any

SCHEMA_VERSION = 1
"""Schema version of all these documents. ``run`` and ``validate`` print formats of their own,
``harness.run.cli.RunSummary`` and ``validate.types.Validation``."""


def to_json(kind: str, content: object) -> str:
    """Serialise a document as indented JSON with a final newline.

    Args:
        kind: name of the document's format without ``dlbricks-``, usually the command.
        content: a dataclass, or a mapping of plain JSON. The property ``coverage`` is written like a field.
    """
    document = {"format": f"dlbricks-{kind}", "schema_version": SCHEMA_VERSION, **_plain(content)}
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


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
