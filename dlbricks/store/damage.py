"""Rows of a damaged store: SQLite keeps values of any type and size in a column, and each makes one refusal."""

import contextlib
import zlib
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from dlbricks.errors import InputError
from dlbricks.limits import DOCUMENT_BYTES

_Made = TypeVar("_Made")
_DAMAGES = (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError, msgspec.MsgspecError)
"""Of what rows hold: another type, no value, a number or a document that cannot be."""


@contextlib.contextmanager
def sound(place: str) -> Iterator[None]:
    """Refuse what is read of a store if a row of it is damaged.

    Args:
        place: of the store, for the message.

    Raises:
        InputError: a value is of another type, missing, or beyond what it can be.
    """
    try:
        yield
    except (*_DAMAGES, zlib.error) as error:
        raise InputError(f"store {place} is damaged; restore a copy of it") from error


def unpacked(data: bytes) -> bytes:
    """Decompress a stored document.

    Raises:
        ValueError, TypeError, zlib.error: it is damaged, or larger than any document.
    """
    stream = zlib.decompressobj()
    made = stream.decompress(data, DOCUMENT_BYTES)
    if not stream.eof:
        raise ValueError("it is cut off, or larger than any document")
    return made


def typed(kind: type[_Made], /, **fields: Any) -> _Made:
    """Make a value of a type whose annotations state constraints.

    Raises:
        msgspec.ValidationError: a field does not meet them.
    """
    # SQLAlchemy's names of columns are a subclass of str, which msgspec does not take as a key
    return msgspec.convert({str(name): value for name, value in fields.items()}, kind, from_attributes=True)
