"""A suite as one file: a ``.tar.gz`` whose bytes depend on the suite alone (and on the zlib that compresses)."""

import contextlib
import gzip
import io
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.files import write_bytes
from dlbricks.suite.document import MANIFEST

SUFFIX = ".tar.gz"
"""How the name of a packed suite ends."""

_PACKED = (
    MANIFEST,
    "README.md",
    "run.py",
    "harness/**/*.py",
    "harness/**/*.onnx",
    "networks/*.onnx",
    "benchmarks/*.py",
)
_LARGEST_BYTES = 2**32


def pack(folder: Path, out: Path) -> None:
    """Write a suite folder as one ``.tar.gz``; generated weights and results in the folder stay out.

    Order, owners and times are fixed, so the same suite gives the same file.

    Args:
        folder: a suite folder; it should have been read with ``read_suite`` before.
        out: the archive; replaced if it exists.

    Raises:
        InputError: a file cannot be read or the archive cannot be written.
    """
    buffer = io.BytesIO()
    try:
        with (
            gzip.GzipFile(filename="", fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as stream,
            tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for pattern in _PACKED:
                for path in sorted(folder.glob(pattern)):
                    _add(archive, f"suite/{path.relative_to(folder).as_posix()}", path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot read {error.filename}: {error.strerror}") from error
    write_bytes(out, buffer.getvalue())


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    info.mode = 0o644
    archive.addfile(info, io.BytesIO(data))


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Path]:
    """Give the folder of a suite; a packed one is unpacked into a temporary folder that vanishes afterwards.

    Raises:
        InputError: ``path`` is no archive, is damaged, or holds what no suite holds (links, paths that lead outside).
    """
    if not path.is_file():
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        try:
            with tarfile.open(path, mode="r:gz") as archive:
                members = archive.getmembers()
                _refuse_odd(members, path)
                _unpack(archive, members, Path(scratch).resolve())
        except (tarfile.TarError, OSError, EOFError, zlib.error, ValueError) as error:
            raise InputError(f"{path} is no packed suite, or is damaged: {error}") from error
        manifests = sorted(Path(scratch).glob(f"*/{MANIFEST}"))
        if len(manifests) != 1:
            raise InputError(f"{path} is no packed suite: it holds no {MANIFEST}")
        yield manifests[0].parent


def _unpack(archive: tarfile.TarFile, members: list[tarfile.TarInfo], folder: Path) -> None:
    """Write the files of an archive into a folder, their bytes alone; filters of ``tarfile`` came with Python 3.11.4.

    Raises:
        ValueError: a path leads out of the folder.
    """
    for member in members:
        path = (folder / member.name).resolve()
        if not path.is_relative_to(folder):
            raise ValueError(f"{member.name} leads outside")
        data = archive.extractfile(member)
        if data is None:
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.read())


def _refuse_odd(members: list[tarfile.TarInfo], path: Path) -> None:
    for member in members:
        if not (member.isfile() or member.isdir()):
            raise InputError(f"{path} is no packed suite: {member.name} is no plain file")
    if sum(member.size for member in members) > _LARGEST_BYTES:
        raise InputError(f"{path} unpacks to more than 4 GiB; no suite does")
