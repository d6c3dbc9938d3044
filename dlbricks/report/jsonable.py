"""Converts results to the documents of ``--json``, with their format and version (``docs/json.md``)."""

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

VERSIONS: Mapping[str, int] = {
    "inspect": 1,
    "lower": 1,
    "granularity": 1,
    "generate": 1,
    "extract": 1,
    "leakage": 1,
    "check": 1,
    "submit": 1,
    "submitted": 1,
    "challenge": 1,
    "challenge-verdict": 1,
    "audit": 1,
    "withdraw": 1,
    "key": 1,
    "suites": 1,
    "systems": 1,
    "submissions": 1,
    "query": 1,
    "publish": 1,
    "compare": 1,
    "repro": 1,
    "coverage": 1,
    "plan": 1,
    "estimate": 1,
    "generation": 1,
    "speculation": 1,
    "answers": 1,
    "sweep": 1,
    "left-out": 1,
    "levels": 1,
    "analyse": 1,
    "report": 1,
    "site": 1,
    "export": 1,
    "whatif": 1,
    "advice": 1,
    "stragglers": 1,
    "transforms": 1,
    "backtests": 1,
    "doctor": 1,
}
"""Schema version of each kind of document; one more where readers of older ones would misread it. ``run`` and
``validate`` print formats of their own, ``harness.run.cli.RunSummary`` and ``validate.types.Validation``."""


def to_json(kind: str, content: object) -> str:
    """Write a document as indented JSON with a newline at its end.

    Args:
        kind: one of ``VERSIONS``.
        content: a noun, or plain JSON of named fields. Properties of nouns that are figures of their own (``coverage``)
            are written beside their fields.
    """
    document = {"format": f"dlbricks-{kind}", "schema_version": VERSIONS[kind], **_plain(content)}
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
