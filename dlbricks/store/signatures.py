"""Signatures beside files, and the plug-in that makes and verifies them (entry points ``dlbricks.store_hooks``)."""

from pathlib import Path

from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.extensions import extensions
from dlbricks.files import write_bytes, write_text
from dlbricks.limits import SIGNATURE_BYTES
from dlbricks.store.database import StoreHook

HOOKS = "dlbricks.store_hooks"
"""Group of entry points with a ``StoreHook``."""
SUFFIX = ".sig"
"""Suffix that ``ssh-keygen`` appends to a file's name for its signature."""


def installed_hook() -> StoreHook | None:
    """Return the installed plug-in for stores, or None.

    Raises:
        InputError: there are several.
    """
    hooks = extensions(HOOKS, StoreHook)  # type: ignore[type-abstract]
    if len(hooks) > 1:
        raise InputError(f"{len(hooks)} plug-ins offer {HOOKS}: uninstall all but one")
    return hooks[0] if hooks else None


def signing_hook() -> StoreHook:
    """Return the installed plug-in for stores.

    Raises:
        InputError: there are several.
        MissingDependencyError: there is none.
    """
    hook = installed_hook()
    if hook is None:
        raise MissingDependencyError(f"signatures need the plug-in trust ({HOOKS}): reinstall dlbricks with it")
    return hook


def signature_path(path: Path) -> Path:
    """Return where the signature of a file lies."""
    return path.with_name(path.name + SUFFIX)


def read_signature(path: Path) -> str:
    """Read a signature file.

    Raises:
        InputError: it cannot be read, or is too large for a signature.
    """
    try:
        if path.stat().st_size > SIGNATURE_BYTES:
            raise InputError(f"{path} is not a signature: it is larger than 16 KiB")
        return path.read_text(encoding="ascii")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a signature: it is not text") from error
    except OSError as error:
        raise InputError(f"cannot read signature {path}: {error.strerror or error}") from error


def signer_of(path: Path) -> str:
    """Return the fingerprint of the key that signed a file, by the signature beside it; empty if there is none.

    Raises:
        CheckError: the signature is not valid.
        InputError: it cannot be read.
        MissingDependencyError: there is a signature, and nothing to verify it with.
    """
    beside = signature_path(path)
    return signing_hook().signer(path.read_bytes(), read_signature(beside)) if beside.is_file() else ""


def signature_of(path: Path, data: bytes, key: Path | None) -> str:
    """Return the signature of a file.

    Args:
        path: of the file; its signature lies beside it, with ``SUFFIX``.
        data: content of the file.
        key: to make the signature with, which is then written; None to read an existing one.

    Returns:
        The signature; empty without a key if there is none.

    Raises:
        InputError: the key cannot be used, or the signature cannot be read or written.
        MissingDependencyError: there is nothing to sign with.
    """
    beside = signature_path(path)
    if key is None:
        return read_signature(beside) if beside.is_file() else ""
    signature = signing_hook().sign(data, key)
    write_text(beside, signature)
    return signature


def signed_statement(key: str | None, **fields: str) -> tuple[bytes, str]:
    """Return a statement of a name's owner (``StoreHook.statement``), and its signature.

    Raises:
        InputError: there is no key, or it cannot be used.
        MissingDependencyError: there is nothing to sign with.
    """
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
