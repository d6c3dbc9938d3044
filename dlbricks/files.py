"""Writing that never leaves half a file: write to a temporary neighbour, then rename."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dlbricks.errors import InputError


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside ``path``; on success it becomes ``path``, on failure it vanishes.

    Works for a file and for a whole folder; an existing file is replaced, an existing folder is replaced too.

    Raises:
        InputError: the place cannot be written (no permission, disk full, missing parent).
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    except OSError as error:
        message = f"cannot write {path}: {error.strerror or error}"
        raise InputError(message) from error
    try:
        yield scratch / path.name
        _move_into_place(scratch / path.name, path)
    except OSError as error:
        message = f"cannot write {path}: {error.strerror or error}"
        raise InputError(message) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _move_into_place(made: Path, path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        old = made.with_name("replaced")
        path.rename(old)
        try:
            made.rename(path)
        except OSError:
            old.rename(path)
            raise
    else:
        made.replace(path)


def write_text(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8, whole or not at all."""
    with writing(path) as scratch:
        scratch.write_text(text, encoding="utf-8", newline="\n")


def write_bytes(path: Path, data: bytes) -> None:
    """Write ``data``, whole or not at all."""
    with writing(path) as scratch:
        scratch.write_bytes(data)


def read_text(path: Path, *, what: str) -> str:
    """Read a UTF-8 text that the user named; ``what`` names its kind in the message.

    Raises:
        InputError: missing, unreadable, a folder, or not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        message = f"cannot read {what} {path}: {reason}"
        raise InputError(message) from error
