"""Pieces of a network that are searched for a slowdown, what a search found, and the file that reproduces it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import Struct

from dlbricks.files import write_bytes
from dlbricks.model.types import Model
from dlbricks.plugins.repro.pair import Confirmed, PairTimes, Side
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import sequences_of, split, strip_boundary_views
from dlbricks.sequences.types import Granularity, LayerSequence
from dlbricks.sequences.units import Units
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors, build_benchmark
from dlbricks.suite.reading import single_benchmark_suite, zip_bytes
from dlbricks.suite.writing import SuiteHead, assemble, benchmark_path, module_in_suite, render_file, suite_files


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPiece:
    """A unique sequence of a network, with its benchmark."""

    sequence: LayerSequence
    """One of its occurrences."""
    built: BuiltBenchmark
    uses: int
    """Number of occurrences in the network, at the granularity of the split."""

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the benchmark."""
        return self.built.benchmark.fingerprint

    @property
    def size(self) -> int:
        """Number of units: layers, or groups that runtimes fuse."""
        return self.built.benchmark.layers


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Settings of a search for slower pieces."""

    sides: tuple[Side, Side]
    """The two runtimes, A and B."""
    threads: int
    least: float
    """Minimum slowdown of a piece on B, as a fraction: 0.05 is 5 %."""
    budget_ns: int


class Slower(Struct, frozen=True, kw_only=True, rename={"slowdown": "found"}):
    """A piece that is confirmed to be slower on the second side."""

    name: str
    fingerprint: str
    units: int
    uses: int
    slowdown: Confirmed
    explains: float
    """Slowdown of the network by all uses of the piece, as a fraction of the network's time on the first side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """Result of a search."""

    network: str
    units: int
    """Number of units of the network."""
    runtimes: tuple[str, str]
    whole: PairTimes
    """Times of the network: the median of three pairs of processes, or of fewer if time was short."""
    slower: tuple[Slower, ...]
    """Ordered by ``explains``, largest first."""
    measured: int
    """Number of different pieces that were measured."""
    unconfirmed: int
    """Number of pieces that seemed slower but could not be measured often enough within the budget."""
    failed: tuple[str, ...]
    """Reasons why pieces could not be loaded, each with its side."""
    spent_ns: int


def pieces_of(model: Model, granularity: Granularity, group_of: dict[int, int]) -> list[NetworkPiece]:
    """Return the unique sequences of a network that can be measured.

    Args:
        model: a network without trained values.
        granularity: maximum number of units in each.
        group_of: from ``group_index(model)``.
    """
    uses: Counter[str] = Counter()
    unique: dict[str, tuple[LayerSequence, BuiltBenchmark]] = {}
    for occurrence in split(model, granularity).sequences:
        if occurrence.skip is not None or all(model.layers[index].is_view for index in occurrence.layers):
            continue
        sequence = strip_boundary_views(model, occurrence)
        canonical = canonicalise(model, sequence)
        uses[canonical.fingerprint] += 1
        if canonical.fingerprint not in unique:
            unique[canonical.fingerprint] = (sequence, build_benchmark(model, canonical, group_of=group_of))
    return [NetworkPiece(sequence=sequence, built=built, uses=uses[name]) for name, (sequence, built) in unique.items()]


def shorter_pieces(piece: NetworkPiece, units: Units, group_of: dict[int, int]) -> list[NetworkPiece]:
    """Return shorter pieces inside a piece: without its first or last unit, and halves at several offsets.

    Units are in topological order, so that a run of consecutive units is convex.
    """
    model, inside = units.model, set(piece.sequence.layers)
    rows = [row for row in ([*inside.intersection(unit.layers)] for unit in units.members) if row]
    shorter: dict[str, NetworkPiece] = {}
    for first, last in _runs(len(rows)):
        layers = sorted(layer for row in rows[first:last] for layer in row)
        if all(model.layers[index].is_view for index in layers):
            continue
        [cut] = sequences_of(model, [layers])
        if cut.skip is not None:
            continue
        sequence = strip_boundary_views(model, cut)
        canonical = canonicalise(model, sequence)
        built = build_benchmark(model, canonical, group_of=group_of)
        shorter.setdefault(canonical.fingerprint, NetworkPiece(sequence=sequence, built=built, uses=piece.uses))
    return [candidate for candidate in shorter.values() if candidate.size < piece.size]


def _runs(count: int) -> Iterator[tuple[int, int]]:
    """Return begin and end of the runs of units that are tried, out of ``count`` units.

    >>> list(_runs(4))
    [(0, 2), (1, 3), (2, 4), (0, 3), (1, 4)]
    """
    half = (count + 1) // 2
    step = max(1, half // 2)
    begins = sorted({*range(0, count - half + 1, step), count - half})
    tried = [(begin, begin + half) for begin in begins] + [(0, count - 1), (1, count)]
    yield from (run for run in dict.fromkeys(tried) if 0 < run[1] - run[0] < count)


def pair_files() -> dict[str, bytes]:
    """Return the module that compares two runtimes, by its path in a reproduction."""
    return {"pair.py": module_in_suite(Path(__file__).with_name("pair.py"))}


def write_reproduction(
    out: Path, piece: NetworkPiece, slower: Slower, search: Reproduction, settings: SearchSettings
) -> None:
    """Write a piece as a zip application.

    Raises:
        InputError: the file cannot be written.
    """
    built = (*anchors(), piece.built)
    head = SuiteHead(name="repro", settings=SplitSettings())
    networks = {entry.benchmark.fingerprint: entry.network for entry in built}
    suite = single_benchmark_suite(assemble(head, built), piece.built.benchmark, networks)
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
    """Return a sentence on what the file of a piece discloses about the network."""
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
