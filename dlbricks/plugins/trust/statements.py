"""Signed statements, by which the owner of a system's name withdraws, restores, corrects or confirms results.

A store publishes each statement and its signature with the result. A repeated statement changes nothing.
"""

import json
import re
import time
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from dlbricks.errors import InputError
from dlbricks.limits import STATEMENT_BYTES
from dlbricks.typed_json import Count, checked, one_of, parse_object

STATEMENT_FORMAT = "dlbricks-statement"
STATEMENT_SCHEMA_VERSION = 1
# Kind of statement that transfers a name to another key.
KEY = "key"

_DIGEST = re.compile(r"[0-9a-f]{64}")
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Content of a statement, without format and version."""

    says: Annotated[str, one_of(("withdrawn", "restored", "corrected", "confirmed", KEY))]
    """Change of the result, or ``key`` for a transfer of the name."""
    system: Annotated[str, Meta(min_length=1, max_length=255)]
    """Name of the system."""
    reason: Annotated[str, Meta(pattern=r"\S", max_length=2000)]
    made_unix_ns: Count
    """Time of the statement; it makes each statement unique."""
    result: str = ""
    """Digest of the result; empty for a statement on the key."""
    by: str = ""
    """Digest of the result that replaces this one, or fingerprint of the key that gets the name."""

    def __post_init__(self) -> None:
        """Raise ``ValueError`` if a field does not fit the kind of statement."""
        if (_DIGEST.fullmatch(self.result) is None) != (self.says == KEY) or (self.says == KEY and self.result):
            raise ValueError(f"'result' must be {'empty' if self.says == KEY else 'the digest of a result'}")
        form = {"corrected": _DIGEST, KEY: _FINGERPRINT}.get(self.says)
        if form is None and self.by:
            raise ValueError(f"'by' must be empty in a statement that says {self.says}")
        if form is not None and form.fullmatch(self.by) is None:
            wanted = "fingerprint of the new key" if self.says == KEY else "digest of the corrected result"
            raise ValueError(f"'by' must be the {wanted}")


def is_statement(data: bytes) -> bool:
    """Return whether a file is a statement, valid or not."""
    return len(data) <= STATEMENT_BYTES and f'"{STATEMENT_FORMAT}"'.encode() in data


def read_statement(data: bytes) -> Statement:
    """Read a statement; raises ``InputError`` if it is invalid or of another version."""
    held = parse_object(data, "the statement")
    if (held.get("format"), held.get("schema_version")) != (STATEMENT_FORMAT, STATEMENT_SCHEMA_VERSION):
        raise InputError(f"the statement is not a {STATEMENT_FORMAT} {STATEMENT_SCHEMA_VERSION}: update dlbricks")
    return checked(Statement, held, "the statement")


def make_statement(**fields: str) -> bytes:
    """Return a statement with the present time; raises ``InputError`` for invalid fields."""
    head = {"format": STATEMENT_FORMAT, "schema_version": STATEMENT_SCHEMA_VERSION}
    data = (json.dumps(head | {"made_unix_ns": time.time_ns()} | fields, indent=1, ensure_ascii=False) + "\n").encode()
    read_statement(data)
    return data
