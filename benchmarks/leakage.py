"""What suites disclose, with and without decoys: ``python benchmarks/leakage.py DIR [-o FILE.csv]``.

Each network of DIR in turn is the hidden one, and the receiver knows all networks of DIR: once with the hidden network,
once without it. Decoys are drawn evenly from the other networks. Nothing is measured; minutes follow from the number of
benchmarks.
"""

import argparse
import csv
import random
import statistics
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from dlbricks.construct.coverage import DEFAULT_BENCHMARK_NS
from dlbricks.plugins.privacy.attacks import (
    Piece,
    PublicNetwork,
    chance_of_first,
    chance_of_right,
    depths,
    joining,
    ranking,
    ranking_by_both,
    sizes,
)
from dlbricks.plugins.privacy.evaluation import read_public_network
from dlbricks.process_pool import Workers
from dlbricks.settings import SplitSettings

AMONG = (1, 2, 5, 10)
DRAWS = 2
"""Draws of decoys for each network, whose mean is printed."""
DIMS = {"batch": 1, "seq": 128}
Figures: TypeAlias = dict[str, float]


def mixed(networks: Sequence[PublicNetwork]) -> list[Piece]:
    """Return the pieces of a suite of some networks; a piece of several has its greatest importance."""
    pieces: dict[str, Piece] = {}
    for network in networks:
        for name, piece in network.pieces.items():
            if name not in pieces or pieces[name].importance < piece.importance:
                pieces[name] = piece
    return list(pieces.values())


def attacked(hidden: PublicNetwork, zoo: Sequence[PublicNetwork], among: int, draw: random.Random) -> Figures:
    """Attack a suite in which a network is hidden among ``among`` networks, itself included."""
    others = [network for network in zoo if network is not hidden]
    decoys = draw.sample(others, among - 1)
    pieces = mixed([hidden, *decoys])
    importance = {piece.fingerprint: piece.importance for piece in pieces}
    elsewhere = {name for decoy in decoys for name in decoy.pieces}
    # a receiver without the decoys' zoo has the true network and, by chance, half of the others
    half = [network for network in zoo if network is hidden or draw.random() < 0.5]
    known = {name for network in others for name in network.pieces}
    true = sizes(hidden.pieces.values())
    unknown = sizes(piece for piece in pieces if piece.fingerprint not in known)
    chances = [chance_of_right(unknown[name], values) if name in unknown else 0.0 for name, values in true.items()]
    joined = joining(pieces, [hidden])
    return {
        "first": chance_of_first(ranking(importance, zoo), [hidden.network]),
        "first, of half the zoo": chance_of_first(ranking(importance, half), [hidden.network]),
        "among five": chance_of_first(ranking(importance, zoo), [hidden.network], among=5),
        "first, with importances": chance_of_first(ranking_by_both(pieces, zoo), [hidden.network]),
        "depths left": float(len(depths(hidden, importance, elsewhere))),
        **({"joints right": joined.precision} if joined else {}),
        **({"private: sizes right": statistics.fmean(chances)} if chances else {}),
        "benchmarks, times": len(pieces) / len(hidden.pieces),
        "minutes added": (len(pieces) - len(hidden.pieces)) * DEFAULT_BENCHMARK_NS / 60e9,
    }


def read(granularity: str, path: Path) -> PublicNetwork | str:
    """Split a network of the zoo; returns why it cannot be used if it cannot."""
    dims = DIMS if path.stem.startswith("leg_") else {}
    return read_public_network(path, SplitSettings(target="portable", granularity=granularity, dims=dims))


def main() -> None:
    """Print and write one column for each number of networks that one is hidden among."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-H", "--granularity", default="1")
    parser.add_argument("-o", "--out", type=Path, help="one row for each figure, one column for each number")
    options = parser.parse_args()
    tasks = sorted(options.folder.glob("*.onnx"))
    with Workers(options.jobs) as workers:
        results = workers.each(
            partial(read, options.granularity), tasks, lambda done: print(f"{done} of {len(tasks)}", end="\r")
        )
    zoo = [result for result in results if isinstance(result, PublicNetwork)]
    print(f"{len(zoo)} networks")
    values: defaultdict[str, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for among in AMONG:
        for seed in range(DRAWS):
            draw = random.Random(seed)  # noqa: S311 - the same in every run
            for hidden in zoo:
                for name, value in attacked(hidden, zoo, among, draw).items():
                    values[name][among].append(value)
    rows = [["hidden among", *map(str, AMONG)]]
    rows += [[name, *(f"{statistics.fmean(column[among]):.3f}" for among in AMONG)] for name, column in values.items()]
    for row in rows:
        print(f"| {' | '.join(row)} |")
    if options.out:
        with options.out.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
