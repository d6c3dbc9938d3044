"""Pieces of a network: its unique sequences at some granularity, and the shorter ones that lie in a piece. Pure."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import bare, sequences_of, split
from dlbricks.sequences.types import Granularity, LayerSequence
from dlbricks.sequences.units import Units
from dlbricks.suite.benchmarks import BuiltBenchmark, build_benchmark


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPiece:
    """A sequence as a benchmark."""

    sequence: LayerSequence
    """One of its uses."""
    built: BuiltBenchmark
    uses: int
    """In the network, at the granularity it was found at."""

    @property
    def fingerprint(self) -> str:
        """Of the benchmark."""
        return self.built.benchmark.fingerprint

    @property
    def size(self) -> int:
        """Units that it holds: layers, or groups that runtimes fuse."""
        return self.built.benchmark.layers


def pieces_of(model: Model, granularity: Granularity, group_of: dict[int, int]) -> list[NetworkPiece]:
    """Give the unique sequences of a network that can be measured.

    Args:
        model: freed of trained values.
        granularity: most units in each.
        group_of: what ``group_index(model)`` gives.
    """
    uses: Counter[str] = Counter()
    found: dict[str, tuple[LayerSequence, BuiltBenchmark]] = {}
    for one in split(model, granularity).sequences:
        if one.skip is not None or all(model.layers[index].is_view for index in one.layers):
            continue
        sequence = bare(model, one)
        canonical = canonicalise(model, sequence)
        uses[canonical.fingerprint] += 1
        if canonical.fingerprint not in found:
            found[canonical.fingerprint] = (sequence, build_benchmark(model, canonical, group_of=group_of))
    return [NetworkPiece(sequence=one, built=built, uses=uses[name]) for name, (one, built) in found.items()]


def shorter(piece: NetworkPiece, units: Units, group_of: dict[int, int]) -> list[NetworkPiece]:
    """Give pieces that lie in a piece: without its first or last unit, its halves, and what lies in the middle.

    Units are in an order in which each follows what it depends on, so that a run of them is convex.
    """
    model, inside = units.model, set(piece.sequence.layers)
    rows = [one for one in ([*inside.intersection(unit.layers)] for unit in units.members) if one]
    made: dict[str, NetworkPiece] = {}
    for first, last in _runs(len(rows)):
        layers = sorted(layer for row in rows[first:last] for layer in row)
        if all(model.layers[index].is_view for index in layers):
            continue
        [cut] = sequences_of(model, [layers])
        if cut.skip is not None:
            continue
        sequence = bare(model, cut)
        canonical = canonicalise(model, sequence)
        built = build_benchmark(model, canonical, group_of=group_of)
        made.setdefault(canonical.fingerprint, NetworkPiece(sequence=sequence, built=built, uses=piece.uses))
    return [one for one in made.values() if one.size < piece.size]


def _runs(count: int) -> Iterator[tuple[int, int]]:
    """Give begin and end of the runs that are tried, of so many in a row.

    >>> list(_runs(4))
    [(0, 2), (1, 3), (2, 4), (0, 3), (1, 4)]
    """
    half = (count + 1) // 2
    step = max(1, half // 2)
    begins = sorted({*range(0, count - half + 1, step), count - half})
    tried = [(begin, begin + half) for begin in begins] + [(0, count - 1), (1, count)]
    yield from (one for one in dict.fromkeys(tried) if 0 < one[1] - one[0] < count)
