"""Reading suites, which may have been changed by hand, on the way, or by a newer version; suites as single files.

A packed suite is a ``.tar.gz`` or ``.tar.xz`` whose bytes depend on the suite alone (and on the library that
compresses). A single benchmark is a Python zip application, a suite of one benchmark with a ``__main__.py``: ``python
FILE`` runs it, any unzip program shows every line of it. (``zipapp`` of the standard library stamps file times: other
bytes each time.)
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
from dlbricks.files import read_text, write_bytes
from dlbricks.fingerprint import digest_bytes
from dlbricks.model.types import WeightBlob
from dlbricks.suite.manifest import MANIFEST, Benchmark, Suite, content_digest, from_document, sealed
from dlbricks.suite.writing import benchmark_path, render_archive_main, suite_files
from dlbricks.typed_json import parse_object
from dlbricks.units import format_bytes

SUFFIXES = (".tar.gz", ".tar.xz")
"""How the name of a packed suite ends; benchmarks repeat each other beyond the window of gzip: xz needs 0.6 of it."""

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
_TOO_LARGE = (
    f"it unpacks to more than {format_bytes(limits.SUITE_BYTES)} or {limits.SUITE_MEMBERS:,} files; no suite does"
)
_XZ = b"\xfd7zXZ\x00"
_DAMAGES = (
    tarfile.TarError,
    zipfile.BadZipFile,
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    ValueError,
    RuntimeError,  # of zip: a password, a compression that is not there
)


def pack(folder: Path, out: Path) -> None:
    """Write a suite folder as one archive, compressed as its name says; generated weights and results stay out.

    The order of files, owners and times are fixed, so the same suite gives the same file.

    Args:
        folder: a suite folder; it should have been read with ``read_suite`` before.
        out: the archive; replaced if it exists.

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
def opened(path: Path) -> Iterator[Path]:
    """Give the folder of a suite; a packed one is unpacked into a temporary folder that vanishes afterwards.

    The file of an extracted benchmark is a suite, too.

    Raises:
        InputError: ``path`` is no archive, is damaged, or holds what no suite holds (links, paths that lead outside or
            stand there twice, more than any suite).
    """
    if not path.is_file():
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = Path(scratch).resolve()
        try:
            if zipfile.is_zipfile(path):
                _unzip(path, folder)
            else:
                with _uncompressed(path) as stream, tarfile.open(fileobj=_Bounded(stream), mode="r|") as archive:
                    _unpack(archive, folder)
        except _DAMAGES as error:
            raise InputError(f"{path} is no packed suite, or is damaged: {error}") from error
        manifests = sorted([*folder.glob(MANIFEST), *folder.glob(f"*/{MANIFEST}")])
        if len(manifests) != 1:
            raise InputError(f"{path} is no packed suite: it holds no {MANIFEST}")
        yield manifests[0].parent


def _uncompressed(path: Path) -> gzip.GzipFile | lzma.LZMAFile:
    with path.open("rb") as file:
        xz = file.read(len(_XZ)) == _XZ
    return lzma.LZMAFile(path) if xz else gzip.GzipFile(path)


def _unzip(path: Path, folder: Path) -> None:
    """Write the files in the file of an extracted benchmark into a folder.

    Raises:
        ValueError: it is far larger than any suite, or a path leads out of the folder or stands there twice.
    """
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > limits.SUITE_BYTES or len(members) > limits.SUITE_MEMBERS:
            raise ValueError(_TOO_LARGE)
        for member in members:
            _place(folder, member.filename, None if member.is_dir() else archive.read(member))


class _Bounded(io.RawIOBase):
    """A stream that refuses to give more than any suite holds, so that what it says of its sizes need not be true."""

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
    """Write the files of an archive into a folder, their bytes alone; filters of ``tarfile`` came with Python 3.11.4.

    Raises:
        ValueError: a member is no plain file, leads out of the folder or stands there twice, or there are too many.
    """
    for number, member in enumerate(archive):
        if not (member.isfile() or member.isdir()):
            raise ValueError(f"{member.name} is no plain file")
        if number >= limits.SUITE_MEMBERS or member.size > limits.SUITE_BYTES:
            raise ValueError(_TOO_LARGE)
        data = archive.extractfile(member)
        _place(folder, member.name, None if data is None else data.read())


def _place(folder: Path, name: str, data: bytes | None) -> None:
    """Write a file of an archive below a folder, or make a folder there if it has no data."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        raise ValueError(f"{name} leads outside")
    if data is None:
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        raise ValueError(f"{name} stands there twice")
    path.write_bytes(data)


_ALWAYS = ("README.md", "run.py", "harness/__init__.py")


def read_suite(path: Path) -> Suite:
    """Read a suite and make sure that it is as it was written.

    Args:
        path: a suite folder, or a suite packed as one file.

    Raises:
        InputError: no suite, of a newer version, or changed; the message names the first file that is wrong.
    """
    with opened(path) as folder:
        suite = read_manifest(folder)
        for finding in _differences(folder, suite):
            raise InputError(f"{path}: {finding}")
    return suite


def read_manifest(folder: Path) -> Suite:
    """Read ``suite.json`` and compare its digest; other files are not looked at.

    Raises:
        InputError: missing, malformed, of a newer version, or changed.
    """
    file = folder / MANIFEST
    if not folder.is_dir():
        raise InputError(f"{folder} is no suite folder")
    if not file.is_file():
        raise InputError(f"{folder} is no suite: it holds no {MANIFEST}")
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
    for path in (*_ALWAYS, *(benchmark_path(benchmark) for benchmark in suite.benchmarks)):
        if not (folder / path).is_file():
            yield f"{path} is missing"


_OLDEST = (1980, 1, 1, 0, 0, 0)


def extract_benchmark(suite_path: Path, prefix: str, out: Path | None = None) -> Path:
    """Write one benchmark as a single self-contained file that runs with ``python FILE``.

    Args:
        suite_path: a suite folder or a packed suite.
        prefix: fingerprint of the benchmark, or its first characters if no other begins with them.
        out: the file; by default ``<name>_<fingerprint>.pyz`` in the current folder.

    Returns:
        The file.

    Raises:
        InputError: no suite, no such benchmark, several of them, or the file cannot be written.
    """
    with opened(suite_path) as folder:
        suite = read_suite(folder)
        benchmark = find_benchmark(suite, prefix)
        kept = [one for one in suite.benchmarks if one.role != "sequence" or one is benchmark]
        networks = {one.fingerprint: read_network(folder, one.fingerprint) for one in kept}
    place = out or Path(f"{benchmark.name}_{benchmark.fingerprint[:12]}.pyz")
    write_bytes(place, archive(single(suite, benchmark, networks), benchmark, networks))
    return place


def find_benchmark(suite: Suite, prefix: str) -> Benchmark:
    """Find the benchmark whose fingerprint begins with ``prefix``.

    Raises:
        InputError: none or several do.
    """
    found = [benchmark for benchmark in suite.benchmarks if prefix and benchmark.fingerprint.startswith(prefix.lower())]
    if not found:
        raise InputError(f"no benchmark of the suite has a fingerprint that begins with '{prefix}'")
    if len(found) > 1:
        shown = ", ".join(benchmark.fingerprint[: len(prefix) + 4] for benchmark in found[:4])
        raise InputError(f"{len(found)} fingerprints begin with '{prefix}': give more characters ({shown}, ...)")
    return found[0]


def single(suite: Suite, benchmark: Benchmark, networks: Mapping[str, bytes]) -> Suite:
    """Give the suite that holds one benchmark, what a result needs beside it, and the weights of these.

    Args:
        suite: it comes from.
        benchmark: one of it.
        networks: by fingerprint, of what is kept.
    """
    needed: dict[str, int] = {}
    for network in networks.values():
        for file, nbytes in _weights_needed(network).items():
            needed[file] = max(nbytes, needed.get(file, 0))
    kept = tuple(one for one in suite.benchmarks if one.fingerprint in networks)
    weights = tuple(
        WeightBlob(file=blob.file, dtype=blob.dtype, nbytes=needed[blob.file], generator=blob.generator)
        for blob in suite.weights
        if blob.file in needed
    )
    return sealed(replace(suite, name=benchmark.name, weights=weights, benchmarks=kept))


def _weights_needed(network: bytes) -> dict[str, int]:
    needed: dict[str, int] = {}
    for tensor in onnx.load_model_from_string(network).graph.initializer:
        place = {entry.key: entry.value for entry in tensor.external_data}
        if place:
            try:
                file, end = place["location"], int(place.get("offset", "0")) + int(place["length"])
            except (KeyError, ValueError) as error:
                raise InputError(
                    f"a network of the suite does not say where its weight '{tensor.name}' lies"
                ) from error
            needed[file] = max(needed.get(file, 0), end)
    return needed


def archive(suite: Suite, benchmark: Benchmark, networks: Mapping[str, bytes]) -> bytes:
    """Give the bytes of the zip application; a function of its arguments alone."""
    files = suite_files(suite, networks)
    files["__main__.py"] = render_archive_main(suite, benchmark).encode()
    return zipped(files)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Give the bytes of a zip archive of files by path; a function of these alone."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, mode="w") as stream:
        for path, data in files.items():
            info = zipfile.ZipInfo(path, date_time=_OLDEST)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            stream.writestr(info, data)
    return buffer.getvalue()
