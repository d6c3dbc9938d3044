"""Signed statements of the owner of a name on results and key: reads and makes their files.

A store keeps each statement with its signature, and every page that shows what was said gives both away. The same file
twice is one statement, so an old one that is sent again undoes nothing that was said after it.
"""

import json
import re
import time
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from dlbricks.errors import InputError
from dlbricks.typed_json import Count, checked, one_of, parse_object

STATEMENT_FORMAT = "dlbricks-statement"
STATEMENT_SCHEMA_VERSION = 1
KEY = "key"
"""What is said where a name passes to another key."""

_LONGEST = 1 << 15
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What the owner of a name says; the content of its file beside format and version."""

    says: Annotated[str, one_of(("withdrawn", "restored", "corrected", "confirmed", KEY))]
    """That a result is not to be used, is to be used again, is replaced, or is provisional no more; or that the name
    passes to another key."""
    system: Annotated[str, Meta(min_length=1, max_length=255)]
    """Name of the system."""
    reason: Annotated[str, Meta(pattern=r"\S", max_length=2000)]
    made_unix_ns: Count
    """When it was made, so that no two are the same."""
    result: str = ""
    """Digest of the result that it is of; empty where it is of the key."""
    by: str = ""
    """Digest of the result that replaces it, or fingerprint of the next key."""

    def __post_init__(self) -> None:
        """Hold all that is said."""
        if (_DIGEST.fullmatch(self.result) is None) != (self.says == KEY) or (self.says == KEY and self.result):
            raise ValueError(f"result is no digest of a result that is {self.says}")
        form = {"corrected": _DIGEST, KEY: _FINGERPRINT}.get(self.says)
        if form is None and self.by:
            raise ValueError(f"by has no meaning where a result is {self.says}")
        if form is not None and form.fullmatch(self.by) is None:
            raise ValueError("by is neither the digest of a result nor the fingerprint of a key")


def is_statement(data: bytes) -> bool:
    """Whether the content of a file is a statement, sound or not."""
    return len(data) <= _LONGEST and f'"{STATEMENT_FORMAT}"'.encode() in data


def read_statement(data: bytes) -> Statement:
    """Read a statement.

    Raises:
        InputError: it is none, of another version, or against its schema.
    """
    held = parse_object(data, "the statement")
    if (held.get("format"), held.get("schema_version")) != (STATEMENT_FORMAT, STATEMENT_SCHEMA_VERSION):
        raise InputError(f"this is no {STATEMENT_FORMAT} of version {STATEMENT_SCHEMA_VERSION}: update dlbricks")
    return checked(Statement, held, "the statement")


def make_statement(**said: str) -> bytes:
    """Make the content of a statement.

    Args:
        **said: fields of ``Statement`` but its date.

    Raises:
        InputError: what is said has no meaning.
    """
    head = {"format": STATEMENT_FORMAT, "schema_version": STATEMENT_SCHEMA_VERSION}
    data = (json.dumps(head | {"made_unix_ns": time.time_ns()} | said, indent=1, ensure_ascii=False) + "\n").encode()
    read_statement(data)
    return data
