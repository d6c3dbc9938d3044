"""Writing that never leaves half a file: write to a temporary neighbour, then rename. Reading of no more than fits."""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.limits import DOCUMENT_BYTES
from dlbricks.units import format_bytes, plain


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Give a temporary path beside ``path``; on success it becomes ``path``, on failure it vanishes.

    Works for a file and for a whole folder; a file replaces a file, a folder replaces a folder. What a process that was
    killed left there vanishes, too.

    Raises:
        InputError: the place cannot be written (no permission, disk full, missing parent), or is of the other kind.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _beside(path) as scratch:
            yield scratch / path.name
            _move_into_place(scratch / path.name, path)
    except OSError as error:
        message = f"cannot write {path}: {error.strerror or error}"
        raise InputError(message) from error


@contextlib.contextmanager
def writing_into(folder: Path) -> Iterator[Path]:
    """Give a temporary folder; on success its files become those of ``folder``, others of which stay; or all vanish.

    Raises:
        InputError: as ``writing``.
    """
    scratch = folder
    try:
        with contextlib.ExitStack() as ends:
            if folder.exists():
                scratch = ends.enter_context(_beside(folder.resolve())) / "new"
            else:
                scratch = ends.enter_context(writing(folder))
            scratch.mkdir()
            yield scratch
            for made in [path for path in scratch.rglob("*") if path.is_file() and folder.exists()]:
                place = folder / made.relative_to(scratch)
                place.parent.mkdir(exist_ok=True, parents=True)
                made.replace(place)
    except OSError as error:
        raise InputError(f"cannot write into {folder}: {error.strerror or error}") from error
    except InputError as error:
        raise InputError(str(error).replace(str(scratch), str(folder))) from error


@contextlib.contextmanager
def temporary() -> Iterator[None]:
    """Put the temporary files of this process into one folder; if it is killed, the next to do so removes them."""
    before = tempfile.tempdir
    with contextlib.ExitStack() as ends:
        with contextlib.suppress(OSError):  # where none can be made, what needs one says so
            scratch = ends.enter_context(_beside(Path(tempfile.gettempdir()) / "dlbricks")) / "new"
            scratch.mkdir()
            tempfile.tempdir = str(scratch)
        try:
            yield
        finally:
            tempfile.tempdir = before


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Give a hidden folder beside ``path`` that vanishes at the end.

    Who writes holds its lock, which ends with the process: by that it is told from the folder of one that was killed.
    """
    _clear_abandoned(path)
    while True:
        scratch = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
        lock = _locked(scratch, wait=True)
        if scratch.is_dir():  # and not taken for an abandoned one before it was locked
            break
        _let_go(lock)
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        _let_go(lock)


_REPLACED = "replaced."
"""Before the name of a folder that makes room for a new one."""


def _clear_abandoned(path: Path) -> None:
    """Remove what writers of ``path`` left beside it that were killed; a folder that made room for none comes back."""
    hidden = re.compile(rf"\.{re.escape(path.name)}\.[a-z0-9_]{{8}}")
    ours = {path.name, f"{_REPLACED}{path.name}", "new"}
    found: list[Path] = []
    with contextlib.suppress(OSError):
        found = [one for one in path.parent.iterdir() if hidden.fullmatch(one.name)]
    for scratch in found:
        with contextlib.suppress(OSError):  # it is somebody else's, or gone meanwhile
            if scratch.is_dir() and not scratch.is_symlink() and ours.issuperset(one.name for one in scratch.iterdir()):
                _clear(scratch, path)


def _clear(scratch: Path, path: Path) -> None:
    lock = _locked(scratch)
    if lock is None:
        return
    with contextlib.suppress(OSError):
        if not path.exists():
            (scratch / f"{_REPLACED}{path.name}").rename(path)
    shutil.rmtree(scratch, ignore_errors=True)
    _let_go(lock)


def _locked(folder: Path, *, wait: bool = False) -> int | None:
    """Take the lock of a folder; None where another process has it, or the system has no such locks."""
    try:
        import fcntl

        handle = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(handle)
        return None
    return handle


def _let_go(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)


def refuse_unwritable(path: Path) -> None:
    """Make sure that a file can be written, before long work is done for it.

    Raises:
        InputError: it is a folder, or nothing can be written beside it.
    """
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file")
    _try_beside(path)


def refuse_unwritable_folder(path: Path) -> None:
    """Make sure that a folder can be made or written into, before long work is done for it.

    Raises:
        InputError: it is a file, or nothing can be written there.
    """
    if path.exists() and not path.is_dir():
        raise InputError(f"cannot write into {path}: it is a file; name a folder")
    _try_beside(path / "file")


def _try_beside(path: Path) -> None:
    there = next(parent for parent in path.absolute().parents if parent.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            return
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def _move_into_place(made: Path, path: Path) -> None:
    if path.is_dir() and not made.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file")
    if path.is_dir() and not path.is_symlink():
        old = made.with_name(f"{_REPLACED}{path.name}")
        path.rename(old)
        try:
            made.rename(path)
        except OSError:
            old.rename(path)
            raise
    else:
        made.replace(path)


def refuse_undecoded(text: str) -> None:
    """Refuse the name of a file, or another argument, that is no text and could be written nowhere.

    Raises:
        InputError: it holds bytes that are no UTF-8.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"'{plain(text)}' holds bytes that are no UTF-8: rename the file, or give other text"
        ) from error


def write_text(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8, whole or not at all."""
    with writing(path) as scratch:
        scratch.write_text(text, encoding="utf-8", newline="\n")


def write_bytes(path: Path, data: bytes) -> None:
    """Write ``data``, whole or not at all."""
    with writing(path) as scratch:
        scratch.write_bytes(data)


def read_bytes(path: Path, *, what: str, most: int = DOCUMENT_BYTES) -> bytes:
    """Read a file that the user named, unless it is larger than any of its kind; ``what`` names that in the message.

    Raises:
        InputError: missing, unreadable, a folder, or too large.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise InputError(f"cannot read {what} {path}: {reason or error}") from error
    if len(data) > most:
        raise InputError(f"cannot read {what} {path}: it is larger than {format_bytes(most)}, the most that is read")
    return data


def read_text(path: Path, *, what: str) -> str:
    """Read a UTF-8 text that the user named; ``what`` names its kind in the message.

    Raises:
        InputError: as ``read_bytes``, or it is not UTF-8.
    """
    try:
        return read_bytes(path, what=what).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {what} {path}: it is not UTF-8 text") from error
