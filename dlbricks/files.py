"""Writes files and folders atomically (under a temporary name, then renamed), and reads files up to a size limit."""

import contextlib
import gzip
import lzma
import os
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.limits import DIRECTORY_BYTES, DOCUMENT_BYTES
from dlbricks.units import format_bytes, plain

# Number of first bytes that tell one file format from another.
_KIND_BYTES = 3
# Formats that many programs write (JSON, HTML, gzip, xz, zip, Parquet): dlbricks wrote a file if its name is in it.
_OF_MANY = (b"{", b"<", b"\x1f\x8b", b"\xfd7z", b"PK", b"PAR")
# Length of the end of a zip file that describes its list of members: two records and a comment of maximum length.
_ZIP_TAIL = 20 + 22 + (1 << 16)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Yield a temporary path, which is moved to ``path`` if the ``with`` block succeeds.

    Raises ``InputError`` if ``path`` cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # a hidden neighbour, since a rename works only within a file system; a killed process leaves it
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as beside:
            scratch = Path(beside) / path.name
            yield scratch
            _move_into_place(scratch, path)
    except OSError as error:
        raise InputError(f"cannot write {path}: {os.strerror(error.errno) if error.errno else error}") from error


def refuse_unwritable(path: Path, begin: bytes = b"", *, replace: bool = True, other: str = "file to -o") -> None:
    """Raise ``InputError`` if a file cannot be written, or has another format than content that begins with ``begin``.

    Without ``replace``, also raise it if the file exists and has content; ``other`` is what to pass then.
    """
    there = next(parent for parent in path.absolute().parents if parent.exists())
    try:
        _refuse_another_kind(path, begin)
        if not replace and path.is_file() and path.stat().st_size:
            raise InputError(f"{path} exists: pass another {other}, or --force to replace it")
        with tempfile.TemporaryFile(dir=there):
            return
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def refuse_unwritable_folder(path: Path) -> None:
    """Raise ``InputError`` if a folder cannot be created or written into."""
    if path.exists() and not path.is_dir():
        raise InputError(f"cannot write into {path}: it is a file; name a folder")
    refuse_unwritable(path / "file")


def _refuse_another_kind(path: Path, begin: bytes) -> None:
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file")
    # a device or a pipe would become a file
    if path.exists() and not path.is_file():
        raise InputError(f"cannot write {path}: it is not a regular file")
    # the user may have no other copy of a file that dlbricks did not write
    if path.is_file() and path.stat().st_size and not (_begin(path, len(begin)) == begin and _is_own(path)):
        raise InputError(f"cannot write {path}: dlbricks may not have written it; remove it, or name another file")


def _is_own(path: Path) -> bool:
    begin = _begin(path, _KIND_BYTES)
    opener = gzip.open if begin.startswith(b"\x1f\x8b") else lzma.open if begin.startswith(b"\xfd") else Path.open
    try:
        with opener(path, "rb") as file:
            if begin.startswith(b"PAR"):  # its name is in the metadata at the end
                file.seek(max(0, path.stat().st_size - DOCUMENT_BYTES))
            return not begin.startswith(_OF_MANY) or b"dlbricks" in file.read(DOCUMENT_BYTES)
    except (EOFError, OSError, zlib.error, lzma.LZMAError):
        return False


def _begin(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def _move_into_place(scratch: Path, path: Path) -> None:
    if scratch.is_file():
        _refuse_another_kind(path, _begin(scratch, _KIND_BYTES))
    if not path.is_dir() or path.is_symlink():
        scratch.replace(path)
        return
    # A folder with content cannot be replaced in one step; between the two steps the old folder lies in the hidden one.
    old = scratch.with_name(f"replaced.{path.name}")
    try:
        path.rename(old)
        scratch.rename(path)
    except BaseException:  # an interruption, too, must not lose the old folder; it is raised again
        if old.exists() and not path.exists():
            old.rename(path)
        raise


def refuse_undecoded(text: str) -> None:
    """Raise ``InputError`` if a file name is not valid UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"'{plain(text)}' contains bytes that are not UTF-8: rename the file") from error


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8 atomically."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    with writing(path) as scratch:
        scratch.write_bytes(data)


def read_bytes(path: Path, *, what: str, most: int = DOCUMENT_BYTES) -> bytes:
    """Read a file of at most ``most`` bytes; ``what`` is its kind, for messages.

    Raises ``InputError`` if the file is missing, unreadable, a folder, or too large.
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
    """Read a text file in UTF-8; raises as ``read_bytes``."""
    try:
        return read_bytes(path, what=what).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {what} {path}: it is not UTF-8 text") from error


def check_directory(path: Path) -> None:
    """Raise ``InputError`` if the list of members in a zip file is too long, since ``zipfile`` reads the whole list."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _ZIP_TAIL))
        tail = file.read()
    at = max(0, tail.rfind(b"PK\x05\x06"))
    # A zip64 file states the size of its list elsewhere; the size of the file is an upper bound.
    is_zip64 = tail[max(0, at - 20) : at].startswith(b"PK\x06\x07")
    nbytes = size if is_zip64 else int.from_bytes(tail[at + 12 : at + 16], "little")
    if min(nbytes, size) > DIRECTORY_BYTES:
        raise InputError(f"{path} lists too many files: the list is larger than {format_bytes(DIRECTORY_BYTES)}")
