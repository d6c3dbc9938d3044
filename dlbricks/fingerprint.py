"""Digests of content: SHA-256 of bytes and of canonical JSON."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""A JSON value."""


def canonical_json(value: Json) -> bytes:
    """Encode with sorted keys and fixed separators, so that equal values give equal bytes.

    Floats must be finite; callers pass ``float.hex()`` where a digest depends on a float.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def digest_bytes(data: bytes) -> str:
    """Return the SHA-256 of ``data`` in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_json(value: Json) -> str:
    """Return the SHA-256 of the canonical JSON of ``value``."""
    return digest_bytes(canonical_json(value))
