"""What suites tell of their networks, with and without cover: ``python benchmarks/leakage.py DIR [-o FILE.csv]``.

Every network of DIR is in turn the one that is meant, and all are the receiver's zoo. Once it is one of the zoo, once
it is private: a sibling of it that nobody else has. Nothing is run; minutes count benchmarks.
"""

import argparse
import random
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dlbricks.construct.coverage import DEFAULT_BENCHMARK_NS
from dlbricks.leakage.anatomy import Anatomy, AnatomyTask, Piece, anatomy
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
from dlbricks.leakage.classifier import area_under_curve, scores, trained
from dlbricks.suite.company import Outline, company
from dlbricks.suite.cover import siblings
from dlbricks.suite.extraction import importances_alone
from dlbricks.suite.workers import Workers

AMONG = (1, 2, 3, 5, 10, 20)
DRAWS = 4
"""Of covers for each network, whose mean is printed."""
SIBLINGS = 10
DIMS = {"batch": 1, "seq": 128}


@dataclass(frozen=True, slots=True, kw_only=True)
class Relatives:
    """A public network with its siblings."""

    own: Anatomy
    siblings: tuple[Anatomy, ...]


def relatives(task: AnatomyTask) -> Relatives | None:
    """Split a network and siblings of it."""
    own = anatomy(task)
    if isinstance(own, str):
        return None
    with tempfile.TemporaryDirectory() as folder:
        draw = random.Random(task.path.stem)  # noqa: S311
        try:
            found = siblings(task.path, dict(task.dims), Path(folder), draw, SIBLINGS)
        except Exception as error:  # noqa: BLE001 - a network of which none can be made is told
            print(f"{task.path.stem}: no siblings: {error}")
            found = []
        made = [anatomy(replace(task, path=path, dims=dims)) for path, dims in found]
    return Relatives(own=own, siblings=tuple(one for one in made if isinstance(one, Anatomy)))


def mixed(networks: Sequence[Anatomy], *, alone: bool) -> list[Piece]:
    """Put networks into one suite; ``alone`` gives importances that tell no counts."""
    held: dict[str, Piece] = {}
    for one in networks:
        for name, piece in one.pieces.items():
            if name not in held or held[name].importance < piece.importance:
                held[name] = piece
    shares = importances_alone({name: piece.seconds for name, piece in held.items()}) if alone else {}
    return [replace(piece, importance=shares.get(name, piece.importance)) for name, piece in held.items()]


def drawn(bases: Sequence[Relatives], count: int, draw: random.Random, but: Anatomy | None = None) -> list[Anatomy]:
    """Draw different siblings of networks that are drawn evenly; fewer where there are no more."""
    found: list[Anatomy] = []
    usable = [one for one in bases if one.siblings]
    for _ in range(50 * count if usable else 0):
        one = draw.choice(draw.choice(usable).siblings)
        if len(found) < count and one is not but and one not in found:
            found.append(one)
    return found


def outline(one: Anatomy) -> Outline:
    """Give what decides which networks go together."""
    return Outline(
        operators=frozenset(name for piece in one.pieces.values() for name in piece.operators),
        pieces=frozenset(one.pieces),
    )


def told(zoo: Sequence[Relatives], among: int, draw: random.Random) -> dict[str, float]:
    """Attack suites of every network hidden among so many, public and private ones."""
    public = [one.own for one in zoo]
    by_name = {one.own.network: one for one in zoo}
    outlines = {one.network: outline(one) for one in public}
    common = {name for one in public for name in one.pieces}
    seen: defaultdict[str, list[float]] = defaultdict(list)
    for one in zoo:
        name = one.own.network
        others = [by_name[other] for other in company(outlines[name], name, outlines, among, draw)] if among > 1 else []
        covers = [*(other.own for other in others), *drawn([one, *others], among - 1, draw)]
        pieces = mixed([one.own, *covers], alone=among > 1)
        held = {piece.fingerprint: piece.importance for piece in pieces}
        seen["first"].append(chance_of_first(ranking(held, public), [name]))
        part = [other for other in public if other is one.own or draw.random() < 0.5]
        seen["first, of half the zoo"].append(chance_of_first(ranking(held, part), [name]))
        seen["among five"].append(chance_of_first(ranking(held, public), [name], among=5))
        seen["first, with importances"].append(chance_of_first(ranking_by_both(pieces, public), [name]))
        seen["depths left"].append(len(depths(one.own, held)))
        joined = joining(pieces, [one.own])
        seen["joints right"] += [joined.precision] if joined else []
        seen["benchmarks, times"].append(len(pieces) / len(one.own.pieces))
        seen["minutes added"].append((len(pieces) - len(one.own.pieces)) * DEFAULT_BENCHMARK_NS / 60e9)
        if one.siblings:
            private = draw.choice(one.siblings)
            around = company(outline(private), None, outlines, among, draw) if among > 1 else ()
            others = [by_name[other] for other in around]
            covers = [*(other.own for other in others), *drawn([one, *others], among - 1, draw, private)]
            rest = [piece for piece in mixed([private, *covers], alone=among > 1) if piece.fingerprint not in common]
            given, true = sizes(rest), sizes(private.pieces.values())
            alone = mixed(covers, alone=True) if covers else []
            without = sizes([piece for piece in alone if piece.fingerprint not in common])
            for figure, values in true.items():
                for told_by, found in (("sizes of a private one right", given), ("by its covers alone", without)):
                    seen[told_by].append(chance_of_right(found[figure], values) if figure in found else 0.0)
    return {name: statistics.fmean(values) for name, values in seen.items()}


def telling(zoo: Sequence[Relatives]) -> list[float]:
    """Train on other families to tell public pieces from those of siblings, and give the AUC for each network."""
    family = families([one.own for one in zoo])
    areas = []
    for name in sorted(set(family.values())):
        rest = [one for one in zoo if family[one.own.network] != name]
        real = {piece.fingerprint: piece for one in rest for piece in one.own.pieces.values()}
        made = [piece for one in rest for sibling in one.siblings[:3] for piece in sibling.pieces.values()]
        classifier = trained(list(real.values()), [piece for piece in made if piece.fingerprint not in real])
        for one in zoo:
            mine = [piece for piece in mixed(one.siblings, alone=False) if piece.fingerprint not in one.own.pieces]
            if family[one.own.network] == name and mine:
                own = scores(classifier, list(one.own.pieces.values()))
                areas.append(area_under_curve(own, scores(classifier, mine)))
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
        AnatomyTask(
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
    columns = [[told(zoo, among, random.Random(seed)) for seed in range(DRAWS)] for among in AMONG]  # noqa: S311
    rows = [["hidden among", *map(str, AMONG)]]
    rows += [
        [name, *(f"{statistics.fmean(one[name] for one in column):.3f}" for column in columns)]
        for name in columns[0][0]
    ]
    for row in rows:
        print(f"| {' | '.join(row)} |")
    if given.out:
        given.out.write_text("".join(",".join(f'"{field}"' for field in row) + "\n" for row in rows), encoding="utf-8")
    areas = sorted(telling(zoo))
    shown = {"mean": statistics.fmean(areas), "median": statistics.median(areas)}
    shown |= {"p90": areas[int(0.9 * len(areas))], "worst": areas[-1]}
    print("pieces of siblings told, AUC: " + ", ".join(f"{name} {area:.2f}" for name, area in shown.items()))


if __name__ == "__main__":
    main()
