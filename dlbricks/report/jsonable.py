"""Converts results to the documents of ``--json``, with format and version (``docs/json.md``)."""

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

VERSIONS: Mapping[str, int] = dict.fromkeys(
    (
        "inspect", "lower", "generate", "extract", "leakage", "check", "submit", "submitted",
        "challenge", "challenge-verdict", "audit", "withdraw", "key", "suites", "systems", "submissions", "query",
        "publish", "compare", "repro", "coverage", "plan", "estimate", "generation", "answers", "sweep",
        "levels", "analyse", "report", "site", "export", "whatif", "advice", "transforms",
        "doctor",
    ),
    1,
)  # fmt: skip
"""Schema version by kind of document, incremented by changes that older readers would misread. ``run`` and ``validate``
print formats of their own, ``harness.run.cli.RunSummary`` and ``validate.types.Validation``."""


def to_json(kind: str, content: object) -> str:
    """Serialise a document as indented JSON with a final newline.

    Args:
        kind: one of ``VERSIONS``.
        content: a dataclass, or a mapping of plain JSON. The property ``coverage`` is written like a field.
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
