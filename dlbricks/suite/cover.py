"""Covers: public networks and siblings of networks that are mixed into a suite to hide which network is meant.

Public networks are partitioned into groups of at least ``k``, from the public networks alone. The covers of a network
are drawn uniformly from its group, so any network of the group would have given the same suite with the same
probability, as in k-anonymity (Sweeney, 2002). The networks of a group have operators in common and add little to each
other's suites, since the covers have to be measured, too. Siblings (``suite.siblings``) of randomly drawn networks hide
the sizes of a network that is not public. The random choices do not depend on the suite's seed.
"""

import functools
import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dlbricks.errors import DlbricksError, InputError
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.extraction import (
    Extraction,
    ExtractionTask,
    extract_benchmarks,
    importances_without_counts,
    seconds_of,
)
from dlbricks.suite.siblings import siblings
from dlbricks.suite.workers import Crashed, Workers

_ROUNDS = 4
"""Maximum number of attempts to make siblings."""
_OWN = 0.5
"""Constant added to the relative number of added sequences, so that small numbers do not outweigh operators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Properties of a network that decide its group."""

    operators: frozenset[str]
    pieces: frozenset[str]
    """Fingerprints of its sequences, at least one."""


@functools.lru_cache(maxsize=1 << 14)
def similarity(first: Outline, second: Outline) -> float:
    """Return the Jaccard index of the operators, divided by the relative number of sequences that one adds.

    This number is the larger of the two directions, since either network may be the hidden one.
    """
    common = len(first.operators & second.operators) / max(1, len(first.operators | second.operators))
    adds = (
        len(second.pieces - first.pieces) / len(first.pieces),
        len(first.pieces - second.pieces) / len(second.pieces),
    )
    return common / (_OWN + max(adds))


def cover_groups(public: Mapping[str, Outline], least: int) -> tuple[tuple[str, ...], ...]:
    """Partition networks into groups of at least ``least``, by merging the smallest group with the most similar one.

    Raises:
        InputError: there are fewer than ``least`` networks.
    """
    if len(public) < least:
        raise InputError(f"--cover {least} needs at least {least} public networks: --cover-from has {len(public)}")
    return _grouped(tuple(sorted(public.items(), key=lambda entry: entry[0])), least)


@functools.lru_cache(maxsize=1 << 10)
def _grouped(entries: tuple[tuple[str, Outline], ...], least: int) -> tuple[tuple[str, ...], ...]:
    public = dict(entries)
    made: list[tuple[str, ...]] = [(name,) for name, _ in entries]
    while len(made) > 1 and min(map(len, made)) < least:
        small = min(made, key=lambda group: (len(group), group))
        others = [group for group in made if group is not small]
        nearest = max(others, key=lambda group: (_between(public, small, group), -len(group), group))
        made = [*(group for group in others if group is not nearest), tuple(sorted((*small, *nearest)))]
    return tuple(sorted(made))


def _between(public: Mapping[str, Outline], first: Sequence[str], second: Sequence[str]) -> float:
    similarities = [similarity(public[one], public[other]) for one in first for other in second]
    return sum(similarities) / len(similarities)


def draw_cover(
    true: Outline, own: str | None, public: Mapping[str, Outline], least: int, draw: random.Random
) -> tuple[str, ...]:
    """Draw ``least - 1`` public networks as the covers of a network.

    Args:
        true: the network.
        own: its name, if it is public.
        public: public networks by name.
        least: number of networks among which it is hidden, including itself.
        draw: source of randomness.

    Raises:
        InputError: there are too few public networks.
    """
    made = cover_groups(public, least)
    home = own or max(sorted(public), key=lambda name: similarity(true, public[name]))
    group = next(group for group in made if home in group)
    return tuple(draw.sample([name for name in group if name != own], least - 1))


def outline_of(extraction: Extraction) -> Outline:
    """Return the outline of an extracted network."""
    return Outline(
        operators=frozenset(name for one in extraction.benchmarks for name in one.benchmark.operators),
        pieces=frozenset(one.benchmark.fingerprint for one in extraction.benchmarks),
    )


def without_counts(benchmarks: Sequence[BuiltBenchmark]) -> tuple[BuiltBenchmark, ...]:
    """Replace importances by those that follow from the cost of one call, so that they do not disclose counts."""
    shares = importances_without_counts({one.benchmark.fingerprint: seconds_of(one.benchmark) for one in benchmarks})
    return tuple(
        replace(one, benchmark=replace(one.benchmark, importance=shares[one.benchmark.fingerprint]))
        for one in benchmarks
    )


def extract_covers(
    workers: Workers,
    tasks: Sequence[ExtractionTask],
    extractions: Sequence[Extraction],
    public: Sequence[ExtractionTask],
    *,
    least: int,
    draw: random.Random,
    progress: Callable[[str, int, int], None],
) -> list[Extraction]:
    """Draw covers (public networks and siblings) for every network, and extract their benchmarks.

    Args:
        workers: pool of workers.
        tasks: of the networks to be hidden.
        extractions: results of ``tasks``.
        public: tasks of the public networks.
        least: number of networks among which each is hidden, including itself.
        draw: source of randomness.
        progress: called with phase, number of finished items, and total.

    Raises:
        InputError: there are too few public networks, or too few siblings can be made.
    """
    made = workers.each(extract_benchmarks, public, lambda done: progress("public networks", done, len(public)))
    known = {one.report.network: one for one in made if isinstance(one, Extraction) and one.benchmarks}
    outlines = {name: outline_of(one) for name, one in known.items()}
    path_of = {task.path.stem: task for task in public}
    chosen: dict[str, Extraction] = {}
    drawn: list[ExtractionTask] = []
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        for number, (task, one) in enumerate(zip(tasks, extractions, strict=True)):
            if not one.benchmarks:
                continue
            own = outline_of(one)
            same = next((name for name, other in outlines.items() if other.pieces == own.pieces), None)
            names = draw_cover(own, same, outlines, least, draw)
            chosen |= {name: known[name] for name in names}
            bases = [task, *(path_of[name] for name in names)]
            drawn += _siblings(workers, bases, Path(folder) / str(number), least - 1, draw)
        found = workers.each(extract_benchmarks, drawn, lambda done: progress("siblings", done, len(drawn)))
        return [*chosen.values(), *(one for one in found if isinstance(one, Extraction))]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A sibling to be made."""

    base: ExtractionTask
    folder: Path
    seed: int


def _siblings(
    workers: Workers, bases: Sequence[ExtractionTask], folder: Path, count: int, draw: random.Random
) -> list[ExtractionTask]:
    """Make siblings of randomly drawn networks; if a network has none, another one is drawn.

    Raises:
        InputError: there are fewer than ``count``.
    """
    made: list[ExtractionTask] = []
    for number in range(_ROUNDS):
        wanted = [
            _Wanted(base=draw.choice(bases), folder=folder / f"{number}-{place}", seed=draw.getrandbits(64))
            for place in range(count - len(made))
        ]
        found = workers.each(_sibling, wanted, lambda _: None)
        made += [one for one in found if one is not None and not isinstance(one, Crashed)]
    if len(made) < count:
        raise InputError(f"only {len(made)} of {count} siblings can be made of these networks: give a smaller --cover")
    return made


def _sibling(wanted: _Wanted) -> ExtractionTask | None:
    """Make one sibling; None if the network has none. Runs in a worker process."""
    wanted.folder.mkdir(parents=True)
    draw, base = random.Random(wanted.seed), wanted.base  # noqa: S311 - the seed comes from the system's randomness
    try:
        found = siblings(base.path, dict(base.dims), wanted.folder, draw, 1)
    except DlbricksError:
        return None
    return next((replace(base, path=path, dims=dims, only=None, decoys=False) for path, dims in found), None)
