"""Asks every what-if question of every trace, and counts the answers that cannot be (``dlbricks.whatif.backtest.law``).

``python benchmarks/whatif_law.py FOLDER...``: folders of traces; files of a folder that are called after ranks are also
asked together. Measures nothing; an hour for the traces that docs/whatif-evidence.md names. Writes
docs/data/whatif-law.csv, a row for each question, as it goes, and prints what breaks the law, and refusals that are
more than one line.
"""

import argparse
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from archives import DATA, write_csv

from dlbricks.errors import InputError
from dlbricks.whatif.answer import DetailedAnswer, ask
from dlbricks.whatif.backtest.law import (
    IMPOSSIBLE,
    OFF_THE_RECORD,
    PHANTOM,
    QUESTIONS,
    QUICKER,
    REFUSED,
    SAME,
    SLOWER,
    idle_shares,
    judge,
)
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.sources.load import graph_of_files
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import known

OUTCOMES = (QUICKER, SAME, SLOWER, REFUSED, IMPOSSIBLE, PHANTOM, OFF_THE_RECORD, "failed")
LONG = 400
"""Characters of a refusal that is no line any more."""
SUFFIXES = (".json.gz", ".json")


def main() -> None:
    """Ask all of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=DATA, metavar="FOLDER", help="where whatif-law.csv is written")
    given = parser.parse_args()
    counts: dict[str, Counter[str]] = {question: Counter() for question in QUESTIONS}
    for traces, (name, graph) in enumerate(graphs(given.folders), start=1):
        before = answered(graph)
        for question in QUESTIONS:
            counts[question][outcome_of(name, graph, question, before)] += 1
        for said in idle_shares(graph):
            print(f"  {name}: {said}", flush=True)
        rows = [{"question": one, **{key: counts[one][key] for key in OUTCOMES}} for one in QUESTIONS]
        write_csv("whatif-law", rows, given.out)
        total = sum(counts.values(), Counter())
        print(f"{traces} traces, {name}: {dict(total)}", flush=True)


def answered(graph: DependencyGraph) -> DetailedAnswer | None:
    """Return the answer without a transform; None where there is none."""
    try:
        return ask(graph, [])
    except InputError:
        return None


def outcome_of(name: str, graph: DependencyGraph, question: str, before: DetailedAnswer | None = None) -> str:
    """Ask one question, and print what is wrong with the answer."""
    try:
        made = judge(graph, question, [read_step(text, known()) for text in question.split()], before)
    except Exception as error:  # noqa: BLE001 - any failure is a finding here
        print(f"  {name}, {question}: failed, {type(error).__name__}: {error}", flush=True)
        return OUTCOMES[-1]
    if made.outcome in {IMPOSSIBLE, PHANTOM, OFF_THE_RECORD} or "\n" in made.said or len(made.said) > LONG:
        print(f"  {name}, {question}: {made.outcome}, {made.said}", flush=True)
    return made.outcome


def graphs(folders: Sequence[Path]) -> Iterator[tuple[str, DependencyGraph]]:
    """Read every trace that can be read, and the ranks of a run together; files of the same content once."""
    seen: set[tuple[str, ...]] = set()
    for folder in folders:
        paths = sorted(path for path in folder.rglob("*") if path.name.endswith(SUFFIXES))
        ranks = {path.parent for path in paths if path.name.startswith("rank")}
        together = [[path for path in paths if path.parent == one and path.name.startswith("rank")] for one in ranks]
        for files in [*([path] for path in paths), *(files for files in together if len(files) > 1)]:
            contents = tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)
            if contents in seen:
                continue
            seen.add(contents)
            name = files[0].name if len(files) == 1 else f"{len(files)} ranks of {files[0].parent.name}"
            try:
                yield name, graph_of_files(files)
            except InputError as error:
                print(f"  {name} is not read: {error}", flush=True)


if __name__ == "__main__":
    main()
