"""Attacks on the secrecy of a suite by one who holds it and knows public networks. Pure.

Identification weighs a sequence by how few public networks have it (inverse document frequency, as in Robertson, "On
theoretical arguments for IDF", 2004) and asks which share of a network is in the suite. The other attacks read sizes
off shapes, count layers by what importances allow, and join outputs to inputs of equal shape.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dlbricks.leakage.anatomy import Anatomy, Piece
from dlbricks.suite.extraction import LEAST, importances, importances_alone

DEPTHS = range(1, 61)
"""Numbers of blocks that a receiver thinks possible."""
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """How well a public network fits a suite."""

    network: str
    score: float
    """From 0 to 1."""


def rarity(zoo: Sequence[Anatomy]) -> dict[str, float]:
    """Weigh every sequence of the zoo by how few of its networks have it."""
    owners = Counter(fingerprint for one in zoo for fingerprint in one.pieces)
    return {fingerprint: math.log((1 + len(zoo)) / count) for fingerprint, count in owners.items()}


def ranking(seen: Collection[str], zoo: Sequence[Anatomy]) -> tuple[Ranked, ...]:
    """Rank public networks by the share of their sequences, weighed by rarity, that a suite holds; best first."""
    weights = rarity(zoo)

    def contained(one: Anatomy) -> float:
        total = math.fsum(weights[fingerprint] for fingerprint in one.pieces)
        return math.fsum(weights[name] for name in one.pieces if name in seen) / total if total else 0.0

    return _sorted((one.network, contained(one)) for one in zoo)


def ranking_by_importances(seen: Iterable[Piece], zoo: Sequence[Anatomy]) -> tuple[Ranked, ...]:
    """Rank public networks by importances alone: how alike are the numbers of pieces of each importance.

    The measure is the overlap of two histograms, as a share of the larger one.
    """
    given = Counter(piece.importance for piece in seen)

    def alike(one: Anatomy) -> float:
        own = Counter(piece.importance for piece in one.pieces.values())
        return sum((own & given).values()) / max(1, sum((own | given).values()))

    return _sorted((one.network, alike(one)) for one in zoo)


def ranking_by_both(seen: Sequence[Piece], zoo: Sequence[Anatomy]) -> tuple[Ranked, ...]:
    """Rank public networks by what a suite holds of them and, half, by the share of pieces as important as alone."""
    held = {piece.fingerprint: piece.importance for piece in seen}
    contained = {one.network: one.score for one in ranking(held, zoo)}

    def equal(one: Anatomy) -> float:
        same = sum(held.get(name) == piece.importance for name, piece in one.pieces.items())
        return same / max(1, len(one.pieces))

    return _sorted((one.network, (contained[one.network] + equal(one)) / 2) for one in zoo)


def _sorted(scores: Iterable[tuple[str, float]]) -> tuple[Ranked, ...]:
    ranked = [Ranked(network=network, score=score) for network, score in scores]
    return tuple(sorted(ranked, key=lambda one: (-one.score, one.network)))


def chance_of_first(found: Sequence[Ranked], true: Collection[str], among: int = 1) -> float:
    """Give the chance that a true network is among the first, where those of equal score come in any order."""
    best: list[float] = [0.0]
    for one in found:
        if one.network in true:
            before = sum(other.score > one.score + _EQUAL for other in found)
            equal = sum(abs(other.score - one.score) <= _EQUAL for other in found)
            best.append(min(1.0, max(0, among - before) / equal))
    return max(best)


def families(zoo: Sequence[Anatomy], alike: float = 0.6) -> dict[str, str]:
    """Put public networks into families by their operators; each has the name of its first network.

    Two are of one family if the kinds of sequences, told by operators alone, that both have are at least ``alike`` of
    those that either has, or both have one in common that is.
    """
    kinds = {one.network: kinds_of(one.pieces.values()) for one in zoo}
    family = {name: name for name in sorted(kinds)}
    for first in sorted(kinds):
        for second in sorted(kinds):
            both, either = kinds[first] & kinds[second], kinds[first] | kinds[second]
            if first < second and len(both) >= alike * len(either):
                old, new = family[second], family[first]
                family = {name: new if own == old else own for name, own in family.items()}
    return family


def kinds_of(pieces: Iterable[Piece]) -> frozenset[tuple[str, ...]]:
    """Tell sequences by their operators alone."""
    return frozenset(piece.operators for piece in pieces)


def nearest_family(seen: Sequence[Piece], zoo: Sequence[Anatomy]) -> Ranked:
    """Give the public network whose kinds of sequences are most like those of a suite (Jaccard index)."""
    own = kinds_of(seen)
    scores = ((one.network, len(own & kinds_of(one.pieces.values()))) for one in zoo)
    of = {one.network: len(own | kinds_of(one.pieces.values())) for one in zoo}
    return _sorted((network, common / max(1, of[network])) for network, common in scores)[0]


def _image(piece: Piece) -> tuple[int, ...]:
    shapes = [shape for _, shape in piece.inputs if len(shape) == 4 and shape[1] <= 4]
    return shapes[0] if "Conv" in piece.operators and shapes else ()


def _result(piece: Piece, operators: Collection[str], rank: int) -> tuple[int, ...]:
    shapes = [shape for _, shape in piece.outputs if len(shape) == rank]
    return shapes[0] if shapes and not set(operators).isdisjoint(piece.operators) else ()


def _rows(piece: Piece) -> int:
    """Rows of a table of floats that is looked up in, if it is a large one."""
    shape = _result(piece, ("Gather",), 3)
    rows = piece.weight_bytes // (4 * shape[-1]) if shape and len(piece.operators) == 1 else 0
    return rows if rows >= 1000 else 0


_NORMS = ("LayerNormalization", "RMSNormalization", "SimplifiedLayerNormalization", "SkipLayerNormalization")
_CURVES = ("Gelu", "Erf", "FastGelu", "QuickGelu", "BiasGelu")
FIGURES: Mapping[str, Callable[[Piece], int]] = {
    "resolution": lambda piece: (_image(piece) or (0, 0, 0))[2],
    "first width": lambda piece: (_result(piece, ("Conv",), 4) or (0, 0))[1] if _image(piece) else 0,
    "last width": lambda piece: (_result(piece, ("GlobalAveragePool", "ReduceMean"), 4) or (0, 0))[1],
    "hidden size": lambda piece: (_result(piece, _NORMS, 3) or (0,))[-1],
    "sequence": lambda piece: (_result(piece, _NORMS, 3) or (0, 0))[-2],
    "heads": lambda piece: (_result(piece, ("Softmax",), 4) or (0, 0))[1],
    "feed-forward": lambda piece: (_result(piece, _CURVES, 3) or (0,))[-1],
    "vocabulary": _rows,
}
"""Sizes that a receiver reads off shapes; 0 where a piece does not tell."""


def sizes(seen: Iterable[Piece]) -> dict[str, dict[int, float]]:
    """Read sizes off pieces: for each figure its possible values with the importance that speaks for them."""
    found: defaultdict[str, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
    for piece in seen:
        for figure, read in FIGURES.items():
            value = read(piece)
            if value:
                found[figure][value] += piece.importance
    return {figure: dict(values) for figure, values in found.items()}


def guess(values: Mapping[int, float]) -> int:
    """Choose the value that most speaks for; of equal ones the least."""
    return min(values, key=lambda value: (-values[value], value))


def chance_of_right(seen: Mapping[int, float], true: Mapping[int, float]) -> float:
    """Give the chance that the best guess of a size is one the true network has, ties in any order.

    The true network's own value is the one that most speaks for in it.
    """
    top = max(seen.values())
    first = [value for value, weight in seen.items() if weight >= top * (1 - _EQUAL)]
    return float(guess(true) in first) / len(first)


def depths(one: Anatomy, importance: Mapping[str, float], elsewhere: Collection[str] = ()) -> tuple[int, ...]:
    """Give the numbers of blocks with which a known architecture would show the importances that a suite shows.

    The receiver is given all but the depth: which sequences belong to the network, and which of them are repeated. A
    block is repeated as often as most sequences that occur more than once.

    Args:
        one: the network.
        importance: of the pieces in the suite, by fingerprint.
        elsewhere: pieces that other networks of the suite have, too; they may be more important there.
    """
    repeated = Counter(count for count in one.uses.values() if count > 1)
    held = {name: importance[name] for name in one.pieces if name in importance}
    if not held or not repeated or shows_no_counts(one, held):
        return tuple(DEPTHS)
    usual = min(repeated, key=lambda count: (-repeated[count], count))

    def shown(depth: int) -> dict[str, float]:
        costs = {
            name: (count if count < 2 else max(1, round(count * depth / usual))) * one.pieces[name].seconds
            for name, count in one.uses.items()
        }
        return importances(costs, {})

    def possible(depth: int) -> bool:
        expected = shown(depth)
        return all(
            expected[name] <= share if name in elsewhere else expected[name] == share for name, share in held.items()
        )

    return tuple(filter(possible, DEPTHS))


def shows_no_counts(one: Anatomy, importance: Mapping[str, float]) -> bool:
    """Whether the importances of pieces of a network follow from the cost of one call each, whatever the counts."""
    alone = importances_alone({name: one.pieces[name].seconds for name in importance})
    top = max(importance, key=lambda name: one.pieces[name].seconds)
    scale = importance[top] / alone[top]
    return all(share in {scale * alone[name], LEAST} for name, share in importance.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """How much of the graph joining equal shapes gives back."""

    inputs: int
    """Inputs of pieces of the true networks that another piece makes."""
    candidates: float
    """Median number of pieces that might make such an input."""
    precision: float
    """Chance that one of them, taken at random, does."""
    recall: float
    """Share of the true joints among the candidates."""


def joining(seen: Sequence[Piece], true: Sequence[Anatomy]) -> Joining | None:
    """Join outputs to inputs of equal type and shape; None where the true networks have no joints."""
    makers: defaultdict[tuple[str, tuple[int, ...]], set[str]] = defaultdict(set)
    for piece in seen:
        for tensor in piece.outputs:
            makers[tensor].add(piece.fingerprint)
    joints = frozenset().union(*(one.joints for one in true))
    before: defaultdict[str, set[str]] = defaultdict(set)
    for source, target in joints:
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
        recall=len(guessed & joints) / len(joints),
    )
