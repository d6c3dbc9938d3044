"""Reading a suite folder that may have been changed by hand, on the way, or by a newer version."""

from collections.abc import Iterator
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.files import read_text
from dlbricks.fingerprint import digest_bytes
from dlbricks.suite.document import MANIFEST, content_digest, from_document, parse_manifest
from dlbricks.suite.nouns import Suite
from dlbricks.suite.pack import opened
from dlbricks.suite.render import benchmark_path

_ALWAYS = ("README.md", "run.py", "harness/__init__.py")


def read_suite(path: Path) -> Suite:
    """Read a suite and make sure that it is as it was written.

    Args:
        path: a suite folder, or a suite packed as ``.tar.gz``.

    Raises:
        InputError: no suite, of a newer version, or changed; the message names the first file that is wrong.
    """
    with opened(path) as folder:
        suite = read_manifest(folder)
        for finding in _differences(folder, suite):
            raise InputError(f"{path}: {finding}")
    return suite


def verify(path: Path) -> tuple[str, ...]:
    """List everything that is wrong with a suite, one line each; nothing if it is as it was written.

    Args:
        path: a suite folder, or a suite packed as ``.tar.gz``.
    """
    try:
        with opened(path) as folder:
            return tuple(_differences(folder, read_manifest(folder)))
    except InputError as error:
        return (str(error),)


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
    document = parse_manifest(read_text(file, what="suite"), str(file))
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
