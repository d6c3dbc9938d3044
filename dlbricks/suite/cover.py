"""Which networks a suite is mixed with, so that it does not tell which of them is meant.

Some are public ones (``suite.company``). Among what is drawn, siblings (``suite.siblings``) of networks drawn evenly
hide the sizes of one that is not public. What is drawn depends on no seed that a suite shows.
"""

import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dlbricks.errors import DlbricksError, InputError
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.company import Outline, company
from dlbricks.suite.extraction import Extraction, ExtractionTask, extract_benchmarks, importances_alone, seconds_of
from dlbricks.suite.siblings import siblings
from dlbricks.suite.workers import Crashed, Workers

_ROUNDS = 4
"""How often siblings are drawn for those that were not found."""


def outline_of(extraction: Extraction) -> Outline:
    """Give what decides which networks go together."""
    return Outline(
        operators=frozenset(name for one in extraction.benchmarks for name in one.benchmark.operators),
        pieces=frozenset(one.benchmark.fingerprint for one in extraction.benchmarks),
    )


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
            names = company(own, same, outlines, least, draw)
            chosen |= {name: known[name] for name in names}
            bases = [task, *(path_of[name] for name in names)]
            drawn += _siblings(workers, bases, Path(folder) / str(number), least - 1, draw)
        found = workers.each(extract_benchmarks, drawn, lambda done: progress("siblings", done, len(drawn)))
        return [*chosen.values(), *(one for one in found if isinstance(one, Extraction))]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A sibling that is to be made."""

    base: ExtractionTask
    folder: Path
    seed: int


def _siblings(
    workers: Workers, bases: Sequence[ExtractionTask], folder: Path, count: int, draw: random.Random
) -> list[ExtractionTask]:
    """Draw siblings, each of a network drawn evenly; of others where one has none.

    Raises:
        InputError: there are not as many.
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
    """Make one; None where the network has none. Runs in a worker process."""
    wanted.folder.mkdir(parents=True)
    draw, base = random.Random(wanted.seed), wanted.base  # noqa: S311 - the seed comes from the system's randomness
    try:
        found = siblings(base.path, dict(base.dims), wanted.folder, draw, 1)
    except DlbricksError:
        return None
    return next((replace(base, path=path, dims=dims, only=None, decoys=False) for path, dims in found), None)
