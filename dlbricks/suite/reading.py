"""Reading and checking of suites, packed suites, and single benchmarks as files.

A packed suite is a ``.tar.gz`` or ``.tar.xz`` that is a function of the suite and the compression library. A single
benchmark is a Python zip application: a suite of one benchmark with a ``__main__.py``. (``zipapp`` of the standard
library is not used, since it writes file times.)
"""

import contextlib
import gzip
import io
import lzma
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import onnx

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.files import check_directory, read_text, write_bytes
from dlbricks.fingerprint import digest_bytes
from dlbricks.model.types import WeightBlob
from dlbricks.suite.manifest import MANIFEST, Benchmark, Suite, content_digest, from_document, with_digest
from dlbricks.suite.writing import render_archive_main, suite_files
from dlbricks.typed_json import parse_object
from dlbricks.units import format_bytes

SUFFIXES = (".tar.gz", ".tar.xz")
"""Suffixes of packed suites. Benchmarks repeat each other beyond the window of gzip, so xz is 40 % smaller."""

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


class _Bounded(io.RawIOBase):
    """A stream with a limit on the bytes that are read, independent of sizes stated in the archive."""

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


def _place(folder: Path, name: str, data: bytes | None) -> None:
    """Write a file of an archive below a folder; without data, create a folder."""
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


# the earliest time that a zip archive can state
_OLDEST = (1980, 1, 1, 0, 0, 0)


def extract_benchmark(suite_path: Path, prefix: str, out: Path | None = None) -> Path:
    """Write one benchmark as a self-contained file that is run by ``python FILE``.

    Args:
        suite_path: a suite folder or a packed suite.
        prefix: unique prefix of the benchmark's fingerprint.
        out: the file; by default ``<name>_<fingerprint>.pyz`` in the current folder.

    Returns:
        The path of the file.

    Raises:
        InputError: the suite cannot be used, not exactly one benchmark matches, or the file cannot be written.
    """
    with unpacked_suite(suite_path) as folder:
        suite = read_suite(folder)
        benchmark = find_benchmark(suite, prefix)
        included = [
            candidate for candidate in suite.benchmarks if candidate.role != "sequence" or candidate is benchmark
        ]
        networks = {candidate.fingerprint: read_network(folder, candidate.fingerprint) for candidate in included}
    place = out or Path(f"{benchmark.name}_{benchmark.fingerprint[:12]}.pyz")
    write_bytes(place, zip_application(single_benchmark_suite(suite, benchmark, networks), benchmark, networks))
    return place


def find_benchmark(suite: Suite, prefix: str) -> Benchmark:
    """Return the benchmark whose fingerprint starts with ``prefix``.

    Raises:
        InputError: there is none, or there are several.
    """
    matches = [
        benchmark for benchmark in suite.benchmarks if prefix and benchmark.fingerprint.startswith(prefix.lower())
    ]
    if not matches:
        raise InputError(f"no benchmark of the suite has a fingerprint that begins with '{prefix}'")
    if len(matches) > 1:
        shown = ", ".join(benchmark.fingerprint[: len(prefix) + 4] for benchmark in matches[:4])
        raise InputError(f"{len(matches)} fingerprints begin with '{prefix}': give more characters ({shown}, ...)")
    return matches[0]


def single_benchmark_suite(suite: Suite, benchmark: Benchmark, networks: Mapping[str, bytes]) -> Suite:
    """Return a suite of one benchmark, the fixed benchmarks, and their weights.

    Args:
        suite: the original suite.
        benchmark: one of its benchmarks.
        networks: of the benchmarks to keep, by fingerprint.
    """
    needed: dict[str, int] = {}
    for network in networks.values():
        for file, nbytes in _weights_needed(network).items():
            needed[file] = max(nbytes, needed.get(file, 0))
    included = tuple(other for other in suite.benchmarks if other.fingerprint in networks)
    weights = tuple(
        WeightBlob(file=blob.file, dtype=blob.dtype, nbytes=needed[blob.file], generator=blob.generator)
        for blob in suite.weights
        if blob.file in needed
    )
    return with_digest(replace(suite, name=benchmark.name, weights=weights, benchmarks=included))


def _weights_needed(network: bytes) -> dict[str, int]:
    needed: dict[str, int] = {}
    for tensor in onnx.load_model_from_string(network).graph.initializer:
        place = {entry.key: entry.value for entry in tensor.external_data}
        if place:
            try:
                file, end = place["location"], int(place.get("offset", "0")) + int(place["length"])
            except (KeyError, ValueError) as error:
                raise InputError(f"a network of the suite has no location of its weight '{tensor.name}'") from error
            needed[file] = max(needed.get(file, 0), end)
    return needed


def zip_application(suite: Suite, benchmark: Benchmark, networks: Mapping[str, bytes]) -> bytes:
    """Return the bytes of the zip application of one benchmark."""
    files = suite_files(suite, networks)
    files["__main__.py"] = render_archive_main(suite, benchmark).encode()
    return zip_bytes(files)


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a zip archive of files by path, without times."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, mode="w") as stream:
        for path, data in files.items():
            info = zipfile.ZipInfo(path, date_time=_OLDEST)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            stream.writestr(info, data)
    return buffer.getvalue()
