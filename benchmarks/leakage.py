"""What suites tell of their networks, with and without cover: ``python benchmarks/leakage.py DIR [-o FILE.csv]``.

Every network of DIR is in turn the one that is meant, and all are the receiver's zoo. Once it is one of the zoo; twice
it is private: a sibling of it that nobody else has, and the network itself, taken out of the zoo. Nothing is run;
minutes count benchmarks.
"""

import argparse
import math
import random
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from dlbricks.construct.coverage import DEFAULT_BENCHMARK_NS
from dlbricks.leakage.attacks import (
    chance_of_first,
    chance_of_right,
    depths,
    families,
    joining,
    ranking,
    ranking_by_both,
    sizes,
)
from dlbricks.leakage.classifier import Classifier, area_under_curve, scores, train
from dlbricks.leakage.features import Piece, PublicNetwork, PublicNetworkTask, read_public_network
from dlbricks.suite.cover import Outline, draw_cover
from dlbricks.suite.extraction import importances_without_counts
from dlbricks.suite.siblings import siblings
from dlbricks.suite.workers import Workers

AMONG = (1, 2, 5, 10)
DRAWS = 2
"""Of covers for each network, whose mean is printed."""
SIBLINGS = 4
DIMS = {"batch": 1, "seq": 128}
Figures: TypeAlias = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Relatives:
    """A public network with its siblings."""

    own: PublicNetwork
    outline: Outline
    siblings: tuple[PublicNetwork, ...]


def relatives(task: PublicNetworkTask) -> Relatives | None:
    """Split a network and siblings of it."""
    own = read_public_network(task)
    if isinstance(own, str):
        return None
    with tempfile.TemporaryDirectory() as folder:
        draw = random.Random(task.path.stem)  # noqa: S311
        try:
            found = siblings(task.path, dict(task.dims), Path(folder), draw, SIBLINGS)
        except Exception as error:  # noqa: BLE001 - a network of which none can be made is told
            print(f"{task.path.stem}: no siblings: {error}")
            found = []
        made = [read_public_network(replace(task, path=path, dims=dims)) for path, dims in found]
    return Relatives(
        own=own, outline=outline(own), siblings=tuple(one for one in made if isinstance(one, PublicNetwork))
    )


def mixed(networks: Sequence[PublicNetwork], *, alone: bool) -> list[Piece]:
    """Put networks into one suite; ``alone`` gives importances that tell no counts."""
    held: dict[str, Piece] = {}
    for one in networks:
        for name, piece in one.pieces.items():
            if name not in held or held[name].importance < piece.importance:
                held[name] = piece
    shares = importances_without_counts({name: piece.seconds for name, piece in held.items()}) if alone else {}
    return [replace(piece, importance=shares.get(name, piece.importance)) for name, piece in held.items()]


def drawn(
    bases: Sequence[Relatives], count: int, draw: random.Random, but: PublicNetwork | None = None
) -> list[PublicNetwork]:
    """Draw different siblings of networks that are drawn evenly; fewer where there are no more."""
    found: list[PublicNetwork] = []
    usable = [one for one in bases if one.siblings]
    for _ in range(50 * count if usable else 0):
        one = draw.choice(draw.choice(usable).siblings)
        if len(found) < count and one is not but and one not in found:
            found.append(one)
    return found


def outline(one: PublicNetwork) -> Outline:
    """Give what decides which networks go together."""
    return Outline(
        operators=frozenset(name for piece in one.pieces.values() for name in piece.operators),
        pieces=frozenset(one.pieces),
    )


def attacked(
    zoo: Sequence[Relatives], classifiers: Mapping[str, Classifier], among: int, draw: random.Random
) -> Figures:
    """Attack suites of every network hidden among so many, public and private ones."""
    seen: defaultdict[str, list[float]] = defaultdict(list)
    for one in zoo:
        others = [other for other in zoo if other is not one]
        classifier, public = classifiers[one.own.network], [other.own for other in zoo]
        found = public_one(one, others, among, draw)
        if one.siblings:
            figures, _ = private_one(draw.choice(one.siblings), zoo, public, classifier, among, draw)
            found |= {f"private sibling: {name}": value for name, value in figures.items()}
        figures, rest = private_one(one.own, [one, *others], [other.own for other in others], classifier, among, draw)
        found |= {f"private design: {name}": value for name, value in figures.items()}
        found |= separated("private design: pieces of siblings told, AUC", classifier, rest, one.own)
        for name, value in found.items():
            seen[name].append(value)
    return {name: statistics.fmean(values) for name, values in seen.items()}


def covers(
    one: PublicNetwork, own: str | None, public: Sequence[Relatives], among: int, draw: random.Random
) -> list[Relatives]:
    """Draw public networks for a network, as ``generate --cover`` does."""
    by_name = {other.own.network: other for other in public}
    outlines = {name: other.outline for name, other in by_name.items()}
    return [by_name[name] for name in draw_cover(outline(one), own, outlines, among, draw)] if among > 1 else []


def public_one(one: Relatives, others: Sequence[Relatives], among: int, draw: random.Random) -> Figures:
    """Attack a suite of a network that the receiver knows."""
    name, public = one.own.network, [one.own, *(other.own for other in others)]
    around = covers(one.own, name, [one, *others], among, draw)
    pieces = mixed(
        [one.own, *(other.own for other in around), *drawn([one, *around], among - 1, draw)], alone=among > 1
    )
    held = {piece.fingerprint: piece.importance for piece in pieces}
    part = [other for other in public if other is one.own or draw.random() < 0.5]
    added = len(pieces) - len(one.own.pieces)
    joined = joining(pieces, [one.own])
    return {
        "first": chance_of_first(ranking(held, public), [name]),
        "first, of half the zoo": chance_of_first(ranking(held, part), [name]),
        "among five": chance_of_first(ranking(held, public), [name], among=5),
        "first, with importances": chance_of_first(ranking_by_both(pieces, public), [name]),
        "depths left": float(len(depths(one.own, held))),
        **({"joints right": joined.precision} if joined else {}),
        "benchmarks, times": len(pieces) / len(one.own.pieces),
        "minutes added": added * DEFAULT_BENCHMARK_NS / 60e9,
    }


def private_one(
    one: PublicNetwork,
    bases: Sequence[Relatives],
    public: Sequence[PublicNetwork],
    classifier: Classifier,
    among: int,
    draw: random.Random,
) -> tuple[Figures, list[Piece]]:
    """Attack a suite of a network that the receiver does not have; give figures, and the pieces he does not know.

    He takes out all he knows, and reads sizes from the rest.

    Args:
        one: the network.
        bases: public networks, and with the network what siblings are made of.
        public: what the receiver has.
        classifier: tells real pieces from those of siblings.
        among: how many hide it.
        draw: decides which.
    """
    known = {name for other in public for name in other.pieces}
    names = {other.network for other in public}
    around = covers(one, None, [base for base in bases if base.own.network in names], among, draw)
    home = next(base for base in bases if one is base.own or one in base.siblings)
    made = [*(base.own for base in around), *drawn([home, *around], among - 1, draw, one)]
    pieces = mixed([one, *made], alone=among > 1)
    rest = [piece for piece in pieces if piece.fingerprint not in known]
    without = [piece for piece in mixed(made, alone=True) if piece.fingerprint not in known] if made else []
    true, given = sizes(one.pieces.values()), sizes(rest)
    by_looks, alone = sizes(weighed(classifier, rest)), sizes(without)

    def right(found: Mapping[str, Mapping[int, float]]) -> float:
        chances = [chance_of_right(found[name], values) if name in found else 0.0 for name, values in true.items()]
        return statistics.fmean(chances or [0.0])

    return {
        "sizes right": right(given),
        "sizes right, by looks": right(by_looks),
        "sizes right, by its covers alone": right(alone),
    }, rest


def weighed(classifier: Classifier, pieces: Sequence[Piece]) -> list[Piece]:
    """Weigh pieces by how much they look like real ones."""
    found = scores(classifier, pieces) if pieces else ()
    return [replace(piece, importance=1 / (1 + math.exp(-score))) for piece, score in zip(pieces, found, strict=True)]


def separated(name: str, classifier: Classifier, pieces: Sequence[Piece], one: PublicNetwork) -> Figures:
    """Say how well pieces of a network are told from the others beside them; nothing where either has none."""
    own = [piece for piece in pieces if piece.fingerprint in one.pieces]
    others = [piece for piece in pieces if piece.fingerprint not in one.pieces]
    if not own or not others:
        return {}
    return {name: area_under_curve(scores(classifier, own), scores(classifier, others))}


def classifiers_of(zoo: Sequence[Relatives]) -> dict[str, Classifier]:
    """Train for each network on those of other families to tell public pieces from those of siblings."""
    family = families([one.own for one in zoo])
    made: dict[str, Classifier] = {}
    for name in sorted(set(family.values())):
        rest = [one for one in zoo if family[one.own.network] != name]
        real = {piece.fingerprint: piece for one in rest for piece in one.own.pieces.values()}
        others = [piece for one in rest for sibling in one.siblings[:3] for piece in sibling.pieces.values()]
        classifier = train(list(real.values()), [piece for piece in others if piece.fingerprint not in real])
        made |= {one.own.network: classifier for one in zoo if family[one.own.network] == name}
    return made


def telling(zoo: Sequence[Relatives], classifiers: Mapping[str, Classifier]) -> list[float]:
    """Tell the pieces of every network from those of its siblings; give the AUC of each that has some."""
    areas: list[float] = []
    for one in zoo:
        found = separated("", classifiers[one.own.network], mixed([one.own, *one.siblings], alone=False), one.own)
        areas += found.values()
    return areas


def main() -> None:
    """Print one column for each number of networks that one is hidden among."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-H", "--granularity", default="1")
    parser.add_argument("-o", "--out", type=Path, help="one row for each figure, one column for each number")
    given = parser.parse_args()
    tasks = [
        PublicNetworkTask(
            path=path,
            dims=tuple(DIMS.items()) if path.stem.startswith("leg_") else (),
            granularity=given.granularity,
            splitter="block",
            target="portable",
        )
        for path in sorted(given.folder.glob("*.onnx"))
    ]
    with Workers(given.jobs) as workers:
        made = workers.each(relatives, tasks, lambda done: print(f"{done} of {len(tasks)}", end="\r"))
    zoo = [one for one in made if isinstance(one, Relatives)]
    print(f"{len(zoo)} networks, {sum(bool(one.siblings) for one in zoo)} of them with siblings")
    classifiers = classifiers_of(zoo)
    columns = [[attacked(zoo, classifiers, among, random.Random(seed)) for seed in range(DRAWS)] for among in AMONG]  # noqa: S311
    names = dict.fromkeys(name for column in columns for name in column[0])
    rows = [["hidden among", *map(str, AMONG)]]
    rows += [
        [
            name,
            *(
                f"{statistics.fmean(one[name] for one in column):.3f}" if name in column[0] else ""
                for column in columns
            ),
        ]
        for name in names
    ]
    for row in rows:
        print(f"| {' | '.join(row)} |")
    if given.out:
        given.out.write_text("".join(",".join(f'"{field}"' for field in row) + "\n" for row in rows), encoding="utf-8")
    areas = sorted(telling(zoo, classifiers))
    shown = {"mean": statistics.fmean(areas), "median": statistics.median(areas)}
    shown |= {"p90": areas[int(0.9 * len(areas))], "worst": areas[-1]}
    print("pieces of siblings told, AUC: " + ", ".join(f"{name} {area:.2f}" for name, area in shown.items()))


if __name__ == "__main__":
    main()
