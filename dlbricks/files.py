"""Atomic writing of files and folders (write to a temporary neighbour, then rename), and reading with a size limit."""

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.limits import DIRECTORY_BYTES, DOCUMENT_BYTES
from dlbricks.units import format_bytes, plain

# Prefix of the name of a folder that is being replaced.
_REPLACED = "replaced."
# Bytes of the end of a zip file, its comment included, in which its list of members is described.
_ZIP_TAIL = 20 + 22 + (1 << 16)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path``, of a file or folder; it is renamed to ``path`` on success, else removed.

    Raises:
        InputError: the path cannot be written, or is a folder where a file is written or the reverse.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _beside(path) as scratch:
            yield scratch / path.name
            _move_into_place(scratch / path.name, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {os.strerror(error.errno) if error.errno else error}") from error


@contextlib.contextmanager
def temporary() -> Iterator[None]:
    """Put the temporary files of this process into one folder; if it is killed, the next process removes them."""
    before = tempfile.tempdir
    with contextlib.ExitStack() as ends:
        with contextlib.suppress(OSError):  # code that needs a temporary file reports the error
            scratch = ends.enter_context(_beside(Path(tempfile.gettempdir()) / "dlbricks")) / "new"
            scratch.mkdir()
            tempfile.tempdir = str(scratch)
        try:
            yield
        finally:
            tempfile.tempdir = before


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[Path]:
    # Yields a hidden folder, which is removed at the end. The writer holds a lock on it, which ends with the process;
    # a folder without a lock is an abandoned one.
    _clear_abandoned(path)
    while True:
        scratch = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        with _locked(scratch, wait=True):
            if not scratch.is_dir():  # removed as abandoned before it was locked
                continue
            try:
                yield scratch
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
            return


def _clear_abandoned(path: Path) -> None:
    # Removes temporary folders of killed writers; a folder that was being replaced is restored.
    hidden = re.compile(rf"\.{re.escape(path.name)}\.[a-z0-9_]{{8}}")
    ours = {path.name, f"{_REPLACED}{path.name}", "new"}
    abandoned: list[Path] = []
    with contextlib.suppress(OSError):
        abandoned = [beside for beside in path.parent.iterdir() if hidden.fullmatch(beside.name)]
    for scratch in abandoned:
        with contextlib.suppress(OSError):  # it belongs to another user, or was removed meanwhile
            # A writer within it has a hidden folder of its own there.
            names = {inner.name for inner in scratch.iterdir() if not hidden.fullmatch(inner.name)}
            if scratch.is_symlink() or not ours.issuperset(names):
                continue
            with _locked(scratch) as is_free:
                if not is_free:
                    continue
                if not path.exists() and (scratch / f"{_REPLACED}{path.name}").exists():
                    (scratch / f"{_REPLACED}{path.name}").rename(path)
                shutil.rmtree(scratch, ignore_errors=True)


@contextlib.contextmanager
def _locked(folder: Path, *, wait: bool = False) -> Iterator[bool]:
    # Yields False if another process holds the lock, or the file system has none.
    handle = None
    try:
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        is_locked = True
    except OSError:
        is_locked = False
    try:
        yield is_locked
    finally:
        if handle is not None:
            os.close(handle)


def refuse_unwritable(path: Path) -> None:
    """Raise an ``InputError`` if a file cannot be written, before long work is done for it."""
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file")
    there = next(parent for parent in path.absolute().parents if parent.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            return
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def refuse_unwritable_folder(path: Path) -> None:
    """Raise an ``InputError`` if a folder cannot be created or written into, before long work is done for it."""
    if path.exists() and not path.is_dir():
        raise InputError(f"cannot write into {path}: it is a file; name a folder")
    refuse_unwritable(path / "file")


def _move_into_place(scratch: Path, path: Path) -> None:
    if path.is_dir() and not scratch.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file")
    if not path.is_dir() or path.is_symlink():
        scratch.replace(path)
        return
    # A folder with content cannot be replaced in one step.
    old = scratch.with_name(f"{_REPLACED}{path.name}")
    path.rename(old)
    try:
        scratch.rename(path)
    except OSError:
        old.rename(path)
        raise


def refuse_undecoded(text: str) -> None:
    """Raise an ``InputError`` for a name that is not valid UTF-8 and so cannot be printed or stored."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"'{plain(text)}' contains bytes that are not UTF-8: rename the file") from error


def write_text(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8, atomically."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write ``data`` atomically."""
    with writing(path) as scratch:
        scratch.write_bytes(data)


def read_bytes(path: Path, *, what: str, most: int = DOCUMENT_BYTES) -> bytes:
    """Read a file that the user named; ``what`` is its kind, for messages, and ``most`` the size limit in bytes.

    Raises:
        InputError: the file is missing, unreadable, a folder, or too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise InputError(f"cannot read {what} {path}: {reason or error}") from error
    if len(data) > most:
        raise InputError(f"cannot read {what} {path}: it is larger than the limit of {format_bytes(most)}")
    return data


def read_text(path: Path, *, what: str) -> str:
    """Read a UTF-8 text file that the user named; ``what`` is its kind, for messages.

    Raises:
        InputError: as ``read_bytes``, or the file is not UTF-8.
    """
    try:
        return read_bytes(path, what=what).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {what} {path}: it is not UTF-8 text") from error


def check_directory(path: Path) -> None:
    """Check the size of the list of members of a zip file, all of which ``zipfile`` reads when it opens the file.

    Raises:
        InputError: it is too large.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _ZIP_TAIL))
        tail = file.read()
    at = max(0, tail.rfind(b"PK\x05\x06"))
    # The list of a zip64 file has its size elsewhere; the file's own is an upper bound.
    is_zip64 = tail[max(0, at - 20) : at].startswith(b"PK\x06\x07")
    nbytes = size if is_zip64 else int.from_bytes(tail[at + 12 : at + 16], "little")
    if min(nbytes, size) > DIRECTORY_BYTES:
        raise InputError(f"{path} lists too many files: their list is larger than {format_bytes(DIRECTORY_BYTES)}")
