"""The pieces of a network, the result of a search, and single benchmarks as zip applications.

A zip application is a suite of one benchmark with a ``__main__.py``. ``zipapp`` is not used: it stores times of files.
"""

import io
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import onnx
from msgspec import Struct

from dlbricks.errors import InputError
from dlbricks.files import refuse_unwritable, write_bytes
from dlbricks.model.types import Model, WeightBlob
from dlbricks.plugins.repro.pair import Confirmed, PairTimes, Side
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import split, strip_boundary_views
from dlbricks.sequences.types import Granularity
from dlbricks.settings import PORTABLE, SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors, build_benchmark
from dlbricks.suite.manifest import Benchmark, Suite, read_network, read_suite, unpacked_suite, with_digest
from dlbricks.suite.writing import assemble, benchmark_path, module_in_suite, render_file, suite_files


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPiece:
    """A layer sequence of a network, and its benchmark."""

    built: BuiltBenchmark
    uses: int
    """Number of occurrences in the network."""

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the benchmark."""
        return self.built.benchmark.fingerprint

    @property
    def size(self) -> int:
        """Number of layers; a fused group counts once."""
        return self.built.benchmark.layers


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Settings of a search for slower pieces."""

    sides: tuple[Side, Side]
    """The two runtimes to compare, A and B."""
    threads: int
    least: float
    """Least slowdown of a piece on the second side, as a share: 0.05 means 5 %."""
    budget_ns: int


class Slower(Struct, frozen=True, kw_only=True, rename={"slowdown": "found"}):
    """A piece that is slower on the second side."""

    name: str
    fingerprint: str
    units: int
    uses: int
    slowdown: Confirmed
    explains: float
    """Extra time of all uses of the piece, divided by the network's time on the first side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """Result of a search."""

    network: str
    units: int
    """Number of layers of the network; a fused group counts once."""
    runtimes: tuple[str, str]
    whole: PairTimes
    """Times of the whole network: medians of up to three pairs of processes."""
    slower: tuple[Slower, ...]
    """Slower pieces, by falling ``explains``."""
    measured: int
    """Number of measured pieces."""
    unconfirmed: int
    """Number of pieces that seemed slower, but could not be confirmed in time."""
    failed: tuple[str, ...]
    """Reasons why pieces could not be loaded, with the runtime."""
    spent_ns: int


def pieces_of(model: Model, granularity: Granularity, group_of: dict[int, int]) -> list[NetworkPiece]:
    """Return the unique layer sequences of a redacted network that can be measured.

    ``group_of`` is ``group_index(model)``.
    """
    uses: Counter[str] = Counter()
    unique: dict[str, BuiltBenchmark] = {}
    for occurrence in split(model, granularity).sequences:
        if occurrence.skip is not None or all(model.layers[index].is_view for index in occurrence.layers):
            continue
        canonical = canonicalise(model, strip_boundary_views(model, occurrence))
        uses[canonical.fingerprint] += 1
        if canonical.fingerprint not in unique:
            unique[canonical.fingerprint] = build_benchmark(model, canonical, group_of=group_of)
    return [NetworkPiece(built=built, uses=uses[name]) for name, built in unique.items()]


def pair_files() -> dict[str, bytes]:
    """Return the source of the module ``pair``, by its path in the written file."""
    return {"pair.py": module_in_suite(Path(__file__).with_name("pair.py"))}


def write_reproduction(
    out: Path, piece: NetworkPiece, slower: Slower, search: Reproduction, settings: SearchSettings
) -> None:
    """Write a slower piece as a zip application; raises ``InputError`` if that fails."""
    built = (*anchors(), piece.built)
    networks = {entry.benchmark.fingerprint: entry.network for entry in built}
    whole = assemble(SplitSettings(target=PORTABLE), built, name="repro")
    suite = single_benchmark_suite(whole, piece.built.benchmark, networks)
    benchmark = next(benchmark for benchmark in suite.benchmarks if benchmark.fingerprint == slower.fingerprint)
    original: dict[str, Any] = {
        "fingerprint": slower.fingerprint,
        "runtimes": list(search.runtimes),
        "options": [[list(pair) for pair in side.options] for side in settings.sides],
        "threads": settings.threads,
        "ratio": round(slower.slowdown.ratio, 4),
        "low": round(slower.slowdown.low, 4),
        "high": round(slower.slowdown.high, 4),
        "pairs": slower.slowdown.pairs,
    }
    template = Path(__file__).with_name("repro_main.py.j2")
    main = render_file(template, suite=suite, benchmark=benchmark, script=benchmark_path(benchmark), original=original)
    write_bytes(out, zip_bytes({**suite_files(suite, networks), **pair_files(), "__main__.py": main.encode()}))


def disclosed(piece: NetworkPiece) -> str:
    """Return a sentence on what the file of a piece discloses."""
    benchmark = piece.built.benchmark
    shapes = ", ".join(
        f"{tensor.dtype} {'x'.join(map(str, tensor.shape)) or 'scalar'}"
        for tensor in (*benchmark.inputs, *benchmark.outputs)
    )
    return (
        f"it discloses operators ({', '.join(benchmark.operators)}), attributes, shapes and element types ({shapes}), "
        "versions and session options of both runtimes, and the ratio; it has no trained values, no names of the "
        "network, its layers or tensors, and nothing else about this machine"
    )


# the earliest time that a zip archive can state
_OLDEST = (1980, 1, 1, 0, 0, 0)


def extract_benchmark(suite_path: Path, prefix: str, out: Path | None = None, *, replace: bool = False) -> Path:
    """Write one benchmark of a suite, packed or not, as a file that ``python FILE`` runs; return its path.

    ``prefix`` is a unique prefix of the benchmark's fingerprint. ``out`` is by default ``<name>_<fingerprint>.pyz`` in
    the current folder; only with ``replace`` may the file exist. Raises ``InputError`` if the suite cannot be used, no
    benchmark or several match, or the file cannot be written.
    """
    with unpacked_suite(suite_path) as folder:
        suite = read_suite(folder)
        benchmark = find_benchmark(suite, prefix)
        included = [
            candidate for candidate in suite.benchmarks if candidate.role != "sequence" or candidate is benchmark
        ]
        networks = {candidate.fingerprint: read_network(folder, candidate.fingerprint) for candidate in included}
    place = out or Path(f"{benchmark.name}_{benchmark.fingerprint[:12]}.pyz")
    refuse_unwritable(place, replace=replace)
    alone = single_benchmark_suite(suite, benchmark, networks)
    main = render_archive_main(alone, benchmark).encode()
    write_bytes(place, zip_bytes({**suite_files(alone, networks), "__main__.py": main}))
    return place


def find_benchmark(suite: Suite, prefix: str) -> Benchmark:
    """Return the benchmark whose fingerprint starts with ``prefix``; raises ``InputError`` unless exactly one does."""
    matches = [
        benchmark for benchmark in suite.benchmarks if prefix and benchmark.fingerprint.startswith(prefix.lower())
    ]
    if not matches:
        raise InputError(f"no fingerprint of the suite begins with '{prefix}'")
    if len(matches) > 1:
        shown = ", ".join(benchmark.fingerprint[: len(prefix) + 4] for benchmark in matches[:4])
        raise InputError(f"{len(matches)} fingerprints begin with '{prefix}': add characters ({shown}, ...)")
    return matches[0]


def single_benchmark_suite(suite: Suite, benchmark: Benchmark, networks: Mapping[str, bytes]) -> Suite:
    """Return a suite of one benchmark and the fixed benchmarks.

    ``networks`` has the networks by fingerprint.
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
                raise InputError(f"weight '{tensor.name}' of a network in the suite has no file or length") from error
            needed[file] = max(needed.get(file, 0), end)
    return needed


def render_archive_main(suite: Suite, benchmark: Benchmark) -> str:
    """Return the text of ``__main__.py`` for a single benchmark."""
    template = Path(__file__).with_name("archive_main.py.j2")
    return render_file(template, suite=suite, benchmark=benchmark, script=benchmark_path(benchmark))


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Pack files into a zip archive without file times; return its bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, mode="w") as stream:
        for path, data in files.items():
            info = zipfile.ZipInfo(path, date_time=_OLDEST)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            stream.writestr(info, data)
    return buffer.getvalue()
