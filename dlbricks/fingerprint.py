"""Identity is computed from content: sha256 over canonical JSON."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""What canonical JSON is made of."""


def canonical_json(value: Json) -> bytes:
    """Encode with sorted keys and fixed separators, so that equal content gives equal bytes.

    Floats must be finite and are written as ``float.hex`` by the caller where identity depends on them.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def digest_bytes(data: bytes) -> str:
    """Give the lower-case hexadecimal sha256 of ``data``."""
    return hashlib.sha256(data).hexdigest()


def digest_json(value: Json) -> str:
    """Give the sha256 of the canonical JSON of ``value``."""
    return digest_bytes(canonical_json(value))
