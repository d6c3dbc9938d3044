"""Reading and checking of suites, packed suites, and single benchmarks as files.

A packed suite is a ``.tar.gz`` or ``.tar.xz`` that is a function of the suite and the compression library. A single
benchmark is a Python zip application: a suite of one benchmark with a ``__main__.py`` (``plugins.repro``).
"""

import contextlib
import gzip
import io
import lzma
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.files import check_directory, read_text, write_bytes
from dlbricks.fingerprint import digest_bytes
from dlbricks.suite.manifest import MANIFEST, Suite, content_digest, from_document
from dlbricks.typed_json import parse_object
from dlbricks.units import format_bytes

# Suffixes of packed suites. Benchmarks repeat each other beyond the window of gzip, so xz is 40 % smaller.
SUFFIXES = (".tar.gz", ".tar.xz")

# in this order, from few bytes that are read first to many; nothing else of a folder is packed
_PACKED = (
    MANIFEST,
    "README.md",
    "AUDIT.md",
    "run.py",
    "harness/**/*.py",
    "harness/**/*.onnx",
    "networks/*.onnx",
    "benchmarks/*.py",
)
_TOO_LARGE = f"it unpacks to more than {format_bytes(limits.SUITE_BYTES)} or {limits.SUITE_MEMBERS:,} files"
_XZ = b"\xfd7zXZ\x00"
_DAMAGES = (
    tarfile.TarError,
    zipfile.BadZipFile,
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    ValueError,
    RuntimeError,  # of zip: encrypted, or an unsupported compression
)


def pack(folder: Path, out: Path) -> None:
    """Pack a suite folder into an archive, without generated weights and results.

    The order of files, owners and times are fixed, so equal suites give equal files.

    Args:
        folder: a suite folder that was checked by ``read_suite``.
        out: the archive, whose suffix decides the compression; replaced if it exists.

    Raises:
        InputError: a file cannot be read or the archive cannot be written.
    """
    buffer = io.BytesIO()
    try:
        with (
            _compressed(buffer, out) as stream,
            tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for pattern in _PACKED:
                for path in sorted(folder.glob(pattern)):
                    _add(archive, f"suite/{path.relative_to(folder).as_posix()}", path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot read {error.filename}: {error.strerror}") from error
    write_bytes(out, buffer.getvalue())


def _compressed(buffer: io.BytesIO, out: Path) -> gzip.GzipFile | lzma.LZMAFile:
    if out.name.endswith(".xz"):
        return lzma.LZMAFile(buffer, "wb", preset=9 | lzma.PRESET_EXTREME)
    return gzip.GzipFile(filename="", fileobj=buffer, mode="wb", compresslevel=9, mtime=0)


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    info.mode = 0o644
    archive.addfile(info, io.BytesIO(data))


@contextlib.contextmanager
def unpacked_suite(path: Path) -> Iterator[Path]:
    """Yield the folder of a suite; an archive or an extracted benchmark is unpacked into a temporary folder.

    Raises:
        InputError: ``path`` is not an archive, is damaged or too large, or has links, duplicate paths or paths that
            lead outside.
    """
    if not path.is_file():
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = Path(scratch).resolve()
        try:
            if zipfile.is_zipfile(path):
                check_directory(path)
                _unzip(path, folder)
            else:
                with _uncompressed(path) as stream, tarfile.open(fileobj=_Bounded(stream), mode="r|") as archive:
                    _unpack(archive, folder)
        except _DAMAGES as error:
            raise InputError(f"{path} is not a packed suite, or is damaged: {error}") from error
        manifests = sorted([*folder.glob(MANIFEST), *folder.glob(f"*/{MANIFEST}")])
        if len(manifests) != 1:
            raise InputError(f"{path} is not a packed suite: it has no {MANIFEST}")
        yield manifests[0].parent


def _uncompressed(path: Path) -> gzip.GzipFile | lzma.LZMAFile:
    with path.open("rb") as file:
        xz = file.read(len(_XZ)) == _XZ
    return lzma.LZMAFile(path) if xz else gzip.GzipFile(path)


def _unzip(path: Path, folder: Path) -> None:
    """Unpack the file of an extracted benchmark into a folder.

    Raises:
        ValueError: it is too large, or a path leads out of the folder or occurs twice.
    """
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > limits.SUITE_BYTES or len(members) > limits.SUITE_MEMBERS:
            raise ValueError(_TOO_LARGE)
        for member in members:
            _place(folder, member.filename, None if member.is_dir() else archive.read(member))


# A stream with a limit on the bytes that are read, independent of sizes stated in the archive.
class _Bounded(io.RawIOBase):
    def __init__(self, stream: gzip.GzipFile | lzma.LZMAFile) -> None:
        self._stream = stream
        self._left = limits.SUITE_BYTES

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise ValueError(_TOO_LARGE)
        return data


def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Unpack regular files into a folder, without their metadata (filters of ``tarfile`` need Python 3.11.4).

    Raises:
        ValueError: a member is not a regular file, leads out of the folder or occurs twice, or there are too many.
    """
    for number, member in enumerate(archive):
        if not (member.isfile() or member.isdir()):
            raise ValueError(f"{member.name} is not a regular file")
        if number >= limits.SUITE_MEMBERS or member.size > limits.SUITE_BYTES:
            raise ValueError(_TOO_LARGE)
        data = archive.extractfile(member)
        _place(folder, member.name, None if data is None else data.read())


# Write a file of an archive below a folder; without data, create a folder.
def _place(folder: Path, name: str, data: bytes | None) -> None:
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        raise ValueError(f"{name} leads outside")
    if data is None:
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        raise ValueError(f"{name} occurs twice")
    path.write_bytes(data)


def read_suite(path: Path) -> Suite:
    """Read a suite and check that its networks were not changed; what measures them need not lie beside them.

    Args:
        path: a suite folder or a packed suite.

    Raises:
        InputError: it is not a suite, is of another version, or was changed; the message has the first wrong file.
    """
    with unpacked_suite(path) as folder:
        suite = read_manifest(folder)
        for finding in _differences(folder, suite):
            raise InputError(f"{path}: {finding}")
    return suite


def read_manifest(folder: Path) -> Suite:
    """Read ``suite.json`` and check its digest, but not the other files.

    Raises:
        InputError: it is missing, malformed, of another version, or was changed.
    """
    file = folder / MANIFEST
    if not folder.is_dir():
        raise InputError(f"{folder} is not a suite folder")
    if not file.is_file():
        raise InputError(f"{folder} is not a suite: it has no {MANIFEST}")
    document = parse_object(read_text(file, what="suite"), str(file))
    suite = from_document(document, str(file))
    if content_digest(document) != suite.digest:
        raise InputError(f"{file} was changed after it was written: its digest differs; generate the suite again")
    return suite


def read_network(folder: Path, fingerprint: str) -> bytes:
    """Read the network of one benchmark.

    Raises:
        InputError: it cannot be read.
    """
    file = folder / "networks" / f"{fingerprint}.onnx"
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read network {file}: {error.strerror}") from error


def _differences(folder: Path, suite: Suite) -> Iterator[str]:
    for benchmark in suite.benchmarks:
        file = folder / benchmark.network
        if not file.is_file():
            yield f"{benchmark.network} is missing"
        elif digest_bytes(read_network(folder, benchmark.fingerprint)) != benchmark.digest:
            yield f"{benchmark.network} was changed after it was written: its digest differs"
    listed = {benchmark.network for benchmark in suite.benchmarks}
    for file in sorted((folder / "networks").glob("*")):
        if f"networks/{file.name}" not in listed:
            yield f"networks/{file.name} is not listed in {MANIFEST}"
