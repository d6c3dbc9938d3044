"""One benchmark as a single file that can be mailed: a Python zip application.

The file is a whole suite of one benchmark, stored without compression, with a ``__main__.py``: ``python FILE`` runs it,
any unzip program shows every line of it, and unzipped it is a suite folder. A ``.py`` with embedded base64 would be
opaque to its reader; ``zipapp`` of the standard library stamps file times and so gives other bytes each time.
"""

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import onnx

from dlbricks.errors import InputError
from dlbricks.files import write_bytes
from dlbricks.model.types import WeightBlob
from dlbricks.suite.document import sealed
from dlbricks.suite.nouns import Benchmark, Suite
from dlbricks.suite.pack import opened
from dlbricks.suite.read import read_network, read_suite
from dlbricks.suite.render import render_archive_main
from dlbricks.suite.write import suite_files

_OLDEST = (1980, 1, 1, 0, 0, 0)


def extract(suite_path: Path, prefix: str, out: Path | None = None) -> Path:
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
        network = read_network(folder, benchmark.fingerprint)
    place = out or Path(f"{benchmark.name}_{benchmark.fingerprint[:12]}.pyz")
    write_bytes(place, archive(single(suite, benchmark, network), benchmark, network))
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


def single(suite: Suite, benchmark: Benchmark, network: bytes) -> Suite:
    """Give the suite that holds one benchmark and the weights it needs, no more."""
    needed = _weights_needed(network)
    weights = tuple(
        WeightBlob(file=blob.file, dtype=blob.dtype, nbytes=needed[blob.file], generator=blob.generator)
        for blob in suite.weights
        if blob.file in needed
    )
    return sealed(replace(suite, name=benchmark.name, weights=weights, benchmarks=(benchmark,)))


def _weights_needed(network: bytes) -> dict[str, int]:
    needed: dict[str, int] = {}
    for tensor in onnx.load_model_from_string(network).graph.initializer:
        place = {entry.key: entry.value for entry in tensor.external_data}
        if place:
            end = int(place.get("offset", "0")) + int(place["length"])
            needed[place["location"]] = max(needed.get(place["location"], 0), end)
    return needed


def archive(suite: Suite, benchmark: Benchmark, network: bytes) -> bytes:
    """Give the bytes of the zip application; a function of its arguments alone."""
    files = suite_files(suite, {benchmark.fingerprint: network})
    files["__main__.py"] = render_archive_main(suite, benchmark).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, mode="w") as stream:
        for path, data in files.items():
            info = zipfile.ZipInfo(path, date_time=_OLDEST)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            stream.writestr(info, data)
    return buffer.getvalue()
