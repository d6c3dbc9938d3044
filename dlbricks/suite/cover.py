"""Which networks a suite is mixed with, so that it does not tell which of them is meant.

Public networks are put into groups of the most alike, each of at least ``k``, and those of the group of a network are
drawn from it evenly: any network of the group would have given the same suite with the same chance. The groups follow
from the public networks alone. Among what is drawn, siblings of networks drawn evenly hide the sizes of one that is
not public. Sweeney, "k-anonymity" (2002), has the idea of groups for tables. What is drawn depends on no seed that a
suite shows.
"""

import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dlbricks.errors import DlbricksError, InputError
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.extraction import Extraction, ExtractionTask, extract_benchmarks, importances_alone, seconds_of
from dlbricks.suite.siblings import siblings
from dlbricks.suite.workers import Workers

Kinds = frozenset[str]
"""Operators of a network."""


def alike(first: Kinds, second: Kinds) -> float:
    """Share of the operators of either that both have (Jaccard index)."""
    return len(first & second) / max(1, len(first | second))


def groups(public: Mapping[str, Kinds], least: int) -> tuple[tuple[str, ...], ...]:
    """Put networks into groups of at least ``least``: the smallest group joins the one most like it, until all are.

    Raises:
        InputError: there are fewer than ``least``.
    """
    if len(public) < least:
        raise InputError(f"--cover {least} needs at least {least} public networks: --cover-from has {len(public)}")
    made: list[tuple[str, ...]] = [(name,) for name in sorted(public)]
    while len(made) > 1 and min(map(len, made)) < least:
        small = min(made, key=lambda group: (len(group), group))
        others = [group for group in made if group is not small]
        nearest = max(others, key=lambda group: (_between(public, small, group), -len(group), group))
        made = [*(group for group in others if group is not nearest), tuple(sorted((*small, *nearest)))]
    return tuple(sorted(made))


def _between(public: Mapping[str, Kinds], first: Sequence[str], second: Sequence[str]) -> float:
    likenesses = [alike(public[one], public[other]) for one in first for other in second]
    return sum(likenesses) / len(likenesses)


def company(
    true: Kinds, own: str | None, public: Mapping[str, Kinds], least: int, draw: random.Random
) -> tuple[str, ...]:
    """Draw ``least - 1`` public networks for a network.

    Args:
        true: its operators.
        own: its name, if it is one of the public ones.
        public: operators of public networks by name.
        least: among how many it is to be hidden, itself counted.
        draw: decides which.

    Raises:
        InputError: there are too few public networks.
    """
    made = groups(public, least)
    home = own or max(sorted(public), key=lambda name: alike(true, public[name]))
    group = next(group for group in made if home in group)
    return tuple(draw.sample([name for name in group if name != own], least - 1))


def operators_of(extraction: Extraction) -> Kinds:
    """Give the operators of a network's benchmarks."""
    return frozenset(name for one in extraction.benchmarks for name in one.benchmark.operators)


def weighed_alone(benchmarks: Sequence[BuiltBenchmark]) -> tuple[BuiltBenchmark, ...]:
    """Give benchmarks importances that follow from the cost of one call, so that they tell no counts."""
    shares = importances_alone({one.benchmark.fingerprint: seconds_of(one.benchmark) for one in benchmarks})
    return tuple(
        replace(one, benchmark=replace(one.benchmark, importance=shares[one.benchmark.fingerprint]))
        for one in benchmarks
    )


def covering(
    workers: Workers,
    tasks: Sequence[ExtractionTask],
    extractions: Sequence[Extraction],
    public: Sequence[ExtractionTask],
    *,
    least: int,
    draw: random.Random,
    progress: Callable[[str, int, int], None],
) -> list[Extraction]:
    """Draw public networks and siblings for every network, and extract them.

    Args:
        workers: that do so.
        tasks: of the networks that are hidden.
        extractions: what they gave.
        public: tasks of the public networks.
        least: among how many each is to be hidden, itself counted.
        draw: decides.
        progress: called with the progress made.

    Raises:
        InputError: there are too few public networks, or a network has no sibling.
    """
    made = workers.each(extract_benchmarks, public, lambda done: progress("public networks", done, len(public)))
    known = {one.report.network: one for one in made if isinstance(one, Extraction) and one.benchmarks}
    kinds = {name: operators_of(one) for name, one in known.items()}
    held = {name: {one.benchmark.fingerprint for one in extraction.benchmarks} for name, extraction in known.items()}
    path_of = {task.path.stem: task for task in public}
    chosen: dict[str, Extraction] = {}
    drawn: list[ExtractionTask] = []
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        for number, (task, one) in enumerate(zip(tasks, extractions, strict=True)):
            if not one.benchmarks:
                continue
            own = {built.benchmark.fingerprint for built in one.benchmarks}
            same = next((name for name, fingerprints in held.items() if fingerprints == own), None)
            names = company(operators_of(one), same, kinds, least, draw)
            chosen |= {name: known[name] for name in names}
            bases = [task, *(path_of[name] for name in names)]
            drawn += _siblings(bases, Path(folder) / str(number), least - 1, draw)
        found = workers.each(extract_benchmarks, drawn, lambda done: progress("siblings", done, len(drawn)))
        return [*chosen.values(), *(one for one in found if isinstance(one, Extraction))]


def _siblings(bases: Sequence[ExtractionTask], folder: Path, count: int, draw: random.Random) -> list[ExtractionTask]:
    """Draw siblings, each of a network drawn evenly; of others where one has none.

    Raises:
        InputError: there are not as many.
    """
    folder.mkdir(parents=True)
    made: list[ExtractionTask] = []
    for number in range(4 * count):
        base = draw.choice(bases)
        place = folder / str(number)
        place.mkdir()
        try:
            found = siblings(base.path, dict(base.dims), place, draw, 1)
        except DlbricksError:
            continue
        made += [replace(base, path=path, dims=dims, only=None, decoys=False) for path, dims in found]
        if len(made) >= count:
            return made[:count]
    raise InputError(f"only {len(made)} of {count} siblings can be made of these networks: give a smaller --cover")
