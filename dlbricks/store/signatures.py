"""Signatures beside files, and the plug-in that makes and verifies them (entry points ``dlbricks.store_hooks``).

All functions that sign or verify raise a ``MissingDependencyError`` without a plug-in, a ``CheckError`` for a signature
that is not valid, and an ``InputError`` for a key or a file that cannot be used.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.extensions import extensions
from dlbricks.files import write_bytes, write_text
from dlbricks.limits import SIGNATURE_BYTES
from dlbricks.store.types import CopiedResult, Signed, SubmissionReceipt
from dlbricks.units import format_bytes

if TYPE_CHECKING:
    from sqlalchemy import Table

# ``database.ResultStore``: its module imports this one.
Store_contra = TypeVar("Store_contra", contravariant=True)
# Group of entry points with a ``StoreHook``.
HOOKS = "dlbricks.store_hooks"


@runtime_checkable
class StoreHook(Protocol[Store_contra]):
    """A plug-in's part in the submissions of a store: it signs, verifies signatures, and finds copies.

    The store itself records who owns a name and who signed what; without a plug-in it accepts no signature, and nothing
    at all once a name has an owner. A signature that is not valid is a ``CheckError``, a key or a field that cannot be
    used an ``InputError``.
    """

    @property
    def tables(self) -> "Sequence[Table]":
        """Tables of its own, which are created with those of the store."""

    def receive(self, store: Store_contra, data: bytes, signature: str) -> Signed | SubmissionReceipt | None:
        """Verify the signature of a file (empty for none) before it is read as a result.

        Returns:
            The signed file, or None without a signature; a receipt if the file is the plug-in's own, as a statement is.
        """

    def before_add(
        self, store: Store_contra, document: dict[str, Any], exempt: tuple[str, str]
    ) -> tuple[CopiedResult, ...]:
        """Return the stored results that a new one was copied from.

        Args:
            store: an open store.
            document: the new result, in the current version.
            exempt: its digest, and that of the result that it replaces (empty for none), which are no copies.
        """

    def sign(self, data: bytes, key: Path) -> str:
        """Return the signature of a file's content."""

    def signer(self, data: bytes, signature: str) -> str:
        """Return the fingerprint of the key that made a signature."""

    def statement(self, **fields: str) -> bytes:
        """Return a file by which the owner of a name withdraws, restores, corrects or confirms a result."""


def installed_hook() -> StoreHook[Any] | None:
    """Return the installed plug-in for stores, or None; an ``InputError`` if there are several."""
    hooks = extensions(HOOKS, StoreHook)  # type: ignore[type-abstract]
    if len(hooks) > 1:
        raise InputError(f"{len(hooks)} plug-ins offer {HOOKS}: uninstall all but one")
    return hooks[0] if hooks else None


def signing_hook() -> StoreHook[Any]:
    """Return the installed plug-in for stores; a ``MissingDependencyError`` if there is none."""
    hook = installed_hook()
    if hook is None:
        raise MissingDependencyError(f"signatures need the plug-in trust ({HOOKS}): reinstall dlbricks with it")
    return hook


def signature_path(path: Path) -> Path:
    """Return the path of a file's signature, as ``ssh-keygen`` names it."""
    return path.with_name(f"{path.name}.sig")


def read_signature(path: Path) -> str:
    """Read a signature file; an ``InputError`` if it cannot be read, or is too large for a signature."""
    try:
        # before it is read: the file comes from others
        if path.stat().st_size > SIGNATURE_BYTES:
            raise InputError(f"{path} is not a signature: it is larger than {format_bytes(SIGNATURE_BYTES)}")
        return path.read_text(encoding="ascii")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a signature: it is not text") from error
    except OSError as error:
        raise InputError(f"cannot read signature {path}: {error.strerror or error}") from error


def signer_of(path: Path) -> str:
    """Return the fingerprint of the key that signed a file, by the signature beside it; empty if there is none."""
    beside = signature_path(path)
    return signing_hook().signer(path.read_bytes(), read_signature(beside)) if beside.is_file() else ""


def signature_of(path: Path, data: bytes, key: Path | None) -> str:
    """Return the signature of a file, which lies beside it; empty if there is none.

    Args:
        path: of the file.
        data: content of the file.
        key: to make the signature with, which is then written; None to read an existing one.
    """
    beside = signature_path(path)
    if key is None:
        return read_signature(beside) if beside.is_file() else ""
    signature = signing_hook().sign(data, key)
    write_text(beside, signature)
    return signature


def signed_statement(key: str | None, **fields: str) -> tuple[bytes, str]:
    """Return a statement of a name's owner (``StoreHook.statement``), and its signature by a key, which is required."""
    if not key:
        raise InputError("a statement has to be signed: name the owner's key with --key")
    hook = signing_hook()
    data = hook.statement(**fields)
    return data, hook.sign(data, Path(key))


def write_statement(out: Path, key: str | None, **fields: str) -> None:
    """Write a statement and its signature; see ``signed_statement``."""
    data, signature = signed_statement(key, **fields)
    write_bytes(out, data)
    write_text(signature_path(out), signature)
