"""Attacks on a suite by a receiver who knows public networks.

Identification computes the share of a public network's sequences that is in the suite. Sequences are weighted by their
inverse document frequency among public networks (Robertson, "On theoretical arguments for IDF", 2004). Other attacks
infer sizes from shapes, depth from importances, and the graph from equal shapes of outputs and inputs.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dlbricks.operators.table import kernel
from dlbricks.suite.extraction import LEAST, importances, rounded_down

# Numbers of blocks that a receiver considers possible.
DEPTHS = range(1, 61)
# equal shares differ by rounding, since their terms are added in another order
_EQUAL = 1e-9

# Element type and shape.
Tensor: TypeAlias = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What a suite discloses about one layer sequence."""

    fingerprint: str
    operators: tuple[str, ...]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    weight_bytes: int
    seconds: float
    """Time of one call, predicted from operations and bytes."""
    importance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicNetwork:
    """A public network, split with the settings of the suite."""

    network: str
    pieces: Mapping[str, Piece]
    """Layer sequences by fingerprint; ``importance`` is their importance in the network."""
    uses: Mapping[str, int]
    """Number of occurrences of each layer sequence, by fingerprint."""
    edges: frozenset[tuple[str, str]]
    """Pairs of fingerprints: a layer sequence, and a sequence that reads its outputs."""
    grid: int = 0
    """Number of public sizes per doubling to which the sizes were rounded; 0 for original sizes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A public network and its score."""

    network: str
    score: float
    """Score from 0 (worst) to 1 (best)."""


def rarity(zoo: Sequence[PublicNetwork]) -> dict[str, float]:
    """Return the inverse document frequency of each layer sequence among public networks, by fingerprint."""
    owners = Counter(fingerprint for public in zoo for fingerprint in public.pieces)
    return {fingerprint: math.log((1 + len(zoo)) / count) for fingerprint, count in owners.items()}


def ranking(seen: Collection[str], zoo: Sequence[PublicNetwork]) -> tuple[Ranked, ...]:
    """Rank public networks, best first, by the share of their layer sequences in a suite; rare sequences count more."""
    weights = rarity(zoo)

    def contained(public: PublicNetwork) -> float:
        total = math.fsum(weights[fingerprint] for fingerprint in public.pieces)
        return math.fsum(weights[name] for name in public.pieces if name in seen) / total if total else 0.0

    return _sorted((public.network, contained(public)) for public in zoo)


def ranking_by_both(seen: Sequence[Piece], zoo: Sequence[PublicNetwork]) -> tuple[Ranked, ...]:
    """Rank public networks by the mean of two scores: ``ranking``, and the share of sequences of equal importance."""
    held = {piece.fingerprint: piece.importance for piece in seen}
    contained = {entry.network: entry.score for entry in ranking(held, zoo)}

    def equal(public: PublicNetwork) -> float:
        same = sum(held.get(name) == piece.importance for name, piece in public.pieces.items())
        return same / max(1, len(public.pieces))

    return _sorted((public.network, (contained[public.network] + equal(public)) / 2) for public in zoo)


def _sorted(scores: Iterable[tuple[str, float]]) -> tuple[Ranked, ...]:
    ranked = [Ranked(network=network, score=score) for network, score in scores]
    return tuple(sorted(ranked, key=lambda entry: (-entry.score, entry.network)))


def chance_of_first(ranked: Sequence[Ranked], true: Collection[str], among: int = 1) -> float:
    """Return the probability that the first ``among`` networks include one of ``true``, with ties in random order."""
    best: list[float] = [0.0]
    for entry in ranked:
        if entry.network in true:
            before = sum(other.score > entry.score + _EQUAL for other in ranked)
            equal = sum(abs(other.score - entry.score) <= _EQUAL for other in ranked)
            best.append(min(1.0, max(0, among - before) / equal))
    return max(best)


def _image(piece: Piece) -> tuple[int, ...]:
    shapes = [shape for _, shape in piece.inputs if len(shape) == 4 and shape[1] <= 4]
    return shapes[0] if shapes and _shows(piece, "channels") else ()


def _result(piece: Piece, size: str, rank: int) -> tuple[int, ...]:
    shapes = [shape for _, shape in piece.outputs if len(shape) == rank]
    return shapes[0] if shapes and _shows(piece, size) else ()


def _shows(piece: Piece, size: str) -> bool:
    return any(kernel("", name).shows == size for name in piece.operators)


def _rows(piece: Piece) -> int:
    # Return the number of rows of an embedding table of float32; 0 for tables of less than 1,000 rows.
    shape = _result(piece, "row width", 3)
    rows = piece.weight_bytes // (4 * shape[-1]) if shape and len(piece.operators) == 1 else 0
    return rows if rows >= 1000 else 0  # smaller tables hold positions or token types


# Sizes that a receiver reads from shapes; 0 if a piece does not show the size.
FIGURES: Mapping[str, Callable[[Piece], int]] = {
    "resolution": lambda piece: (_image(piece) or (0, 0, 0))[2],
    "first width": lambda piece: (_result(piece, "channels", 4) or (0, 0))[1] if _image(piece) else 0,
    "last width": lambda piece: (_result(piece, "pooled channels", 4) or (0, 0))[1],
    "hidden size": lambda piece: (_result(piece, "hidden size", 3) or (0,))[-1],
    "sequence": lambda piece: (_result(piece, "hidden size", 3) or (0, 0))[-2],
    "heads": lambda piece: (_result(piece, "heads", 4) or (0, 0))[1],
    "feed-forward": lambda piece: (_result(piece, "feed-forward", 3) or (0,))[-1],
    "vocabulary": _rows,
}


def sizes(seen: Iterable[Piece]) -> dict[str, dict[int, float]]:
    """Return the values of each kind of size (such as channels) in shapes, with their total importance."""
    weights: defaultdict[str, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
    for piece in seen:
        for figure, read in FIGURES.items():
            value = read(piece)
            if value:
                weights[figure][value] += piece.importance
    return {figure: dict(values) for figure, values in weights.items()}


def guess(values: Mapping[int, float]) -> int:
    """Return the value with the largest weight; of several, the smallest value."""
    return min(values, key=lambda value: (-values[value], value))


def chance_of_right(seen: Mapping[int, float], true: Mapping[int, float]) -> float:
    """Return the probability that the size with the largest weight in a suite is the true network's size."""
    top = max(seen.values())
    first = [value for value, weight in seen.items() if weight >= top * (1 - _EQUAL)]
    return float(guess(true) in first) / len(first)


def depths(public: PublicNetwork, importance: Mapping[str, float], elsewhere: Collection[str] = ()) -> tuple[int, ...]:
    """Return the numbers of repeated blocks that agree with the importances in a suite.

    The receiver is assumed to know the sequences of the network, and which of them are repeated, but not how often.

    Args:
        importance: importance of each piece in the suite, by fingerprint.
        elsewhere: fingerprints of pieces that are also in other networks of the suite.
    """
    repeated = Counter(count for count in public.uses.values() if count > 1)
    held = {name: importance[name] for name in public.pieces if name in importance}
    if not held or not repeated or shows_no_counts(public, held):
        return tuple(DEPTHS)
    usual = min(repeated, key=lambda count: (-repeated[count], count))

    def shown(depth: int) -> dict[str, float]:
        costs = {
            name: (count if count < 2 else max(1, round(count * depth / usual))) * public.pieces[name].seconds
            for name, count in public.uses.items()
        }
        return importances(costs, {})

    def possible(depth: int) -> bool:
        expected = shown(depth)
        return all(
            expected[name] <= share if name in elsewhere else expected[name] == share for name, share in held.items()
        )

    return tuple(filter(possible, DEPTHS))


def importances_without_counts(seconds: Mapping[str, float]) -> dict[str, float]:
    """Return importances that do not count occurrences: the times of single calls, scaled and rounded."""
    longest = math.frexp(max(seconds.values()))[1]
    return {fingerprint: rounded_down(math.ldexp(duration, -longest)) for fingerprint, duration in seconds.items()}


def shows_no_counts(public: PublicNetwork, importance: Mapping[str, float]) -> bool:
    """Return whether importances depend only on the times of single calls."""
    alone = importances_without_counts({name: public.pieces[name].seconds for name in importance})
    top = max(importance, key=lambda name: public.pieces[name].seconds)
    scale = importance[top] / alone[top]
    return all(share in {scale * alone[name], LEAST} for name, share in importance.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """Result of joining outputs to inputs of equal shape."""

    inputs: int
    """Number of inputs that are outputs of another sequence of the network."""
    candidates: float
    """Median number of sequences with an output that could be this input."""
    precision: float
    """Probability that a random candidate really produces the input."""
    recall: float
    """Share of the true edges among the candidates."""


def joining(seen: Sequence[Piece], true: Sequence[PublicNetwork]) -> Joining | None:
    """Reconstruct graphs by joining outputs to inputs of equal type and shape; None if ``true`` has no edges."""
    makers: defaultdict[tuple[str, tuple[int, ...]], set[str]] = defaultdict(set)
    for piece in seen:
        for tensor in piece.outputs:
            makers[tensor].add(piece.fingerprint)
    edges = frozenset().union(*(public.edges for public in true))
    before: defaultdict[str, set[str]] = defaultdict(set)
    for source, target in edges:
        before[target].add(source)
    shares, counts, guessed = [], [], set[tuple[str, str]]()
    for piece in seen:
        for tensor in piece.inputs if piece.fingerprint in before else ():
            candidates = makers[tensor]
            guessed |= {(source, piece.fingerprint) for source in candidates}
            counts.append(len(candidates))
            shares.append(len(candidates & before[piece.fingerprint]) / len(candidates) if candidates else 0.0)
    if not counts:
        return None
    return Joining(
        inputs=len(counts),
        candidates=sorted(counts)[len(counts) // 2],
        precision=math.fsum(shares) / len(shares),
        recall=len(guessed & edges) / len(edges),
    )
