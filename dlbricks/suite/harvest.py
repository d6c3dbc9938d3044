"""What becomes of one network: read, lower, split, one brick for each different sequence. Runs in a worker process."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from dlbricks.errors import UnsupportedModelError
from dlbricks.model.lowering import lower
from dlbricks.model.read import read_model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.nouns import Granularity, Split
from dlbricks.sequences.splitters import split
from dlbricks.sequences.trim import bare
from dlbricks.suite.bricks import Brick, brick, group_index
from dlbricks.suite.decoys import Statistics, statistics
from dlbricks.suite.nouns import ModelReport

FREE = "only renames memory: free, needs no benchmark"
"""Reason why views that stand alone, in networks of nothing else, give no benchmark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One network and what to do with it."""

    path: Path
    dims: tuple[tuple[str, int], ...]
    granularity: Granularity
    splitter: str
    target: str
    threads: int
    """Threads that the lowered graph is made for."""
    only: frozenset[str] | None
    """Fingerprints wanted; None for all."""
    decoys: bool
    """Whether decoys will be drawn from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """What one network gave."""

    report: ModelReport
    bricks: tuple[Brick, ...] = ()
    covered: tuple[tuple[str, int], ...] = ()
    """Fingerprint of each brick, and how many layers of the network lie in its sequences."""
    statistics: Statistics = field(default_factory=Statistics)


def harvest(order: Order) -> Harvest:
    """Read a network and make its bricks; references are not run here.

    A sound network that cannot be used gives a report that says why.

    Raises:
        InputError: the file is no sound network, or a dimension is unbound.
    """
    try:
        portable = read_model(order.path, dims=dict(order.dims))
        model = portable if order.target == "portable" else lower(portable, threads=order.threads)
        parts = split(model, order.granularity, order.splitter)
        bricks, skipped, covered = _bricks(parts, order.only)
    except UnsupportedModelError as error:
        return Harvest(report=_refused(order.path, str(error)))
    report = ModelReport(
        model=order.path.stem,
        source_layers=portable.source_layers,
        folded=portable.folded,
        layers=len(model.layers),
        sequences=len(parts.sequences),
        unique=len(bricks),
        skipped=tuple(sorted(skipped.items())),
    )
    return Harvest(
        report=report,
        bricks=tuple(bricks.values()),
        covered=tuple(covered.items()),
        statistics=statistics(portable) if order.decoys else Statistics(),
    )


def _bricks(parts: Split, only: frozenset[str] | None) -> tuple[dict[str, Brick], Counter[str], Counter[str]]:
    """Make one brick per fingerprint; count layers of sequences that give none by reason, the others by fingerprint."""
    bricks: dict[str, Brick] = {}
    skipped: Counter[str] = Counter()
    covered: Counter[str] = Counter()
    group_of = group_index(parts.model)
    for sequence in parts.sequences:
        reason = sequence.skip
        if all(parts.model.layers[index].is_view for index in sequence.layers):
            reason = FREE
        if reason is not None:
            skipped[reason] += len(sequence.layers)
            continue
        canonical = canonicalise(parts.model, bare(parts.model, sequence))
        if canonical.fingerprint not in bricks and (only is None or canonical.fingerprint in only):
            bricks[canonical.fingerprint] = brick(parts.model, canonical, group_of=group_of)
        if canonical.fingerprint in bricks:
            covered[canonical.fingerprint] += len(sequence.layers)
    return bricks, skipped, covered


def without(harvested: Harvest, refused: Mapping[str, str]) -> Harvest:
    """Take out the bricks that did not run, and count their layers among the skipped ones.

    Args:
        harvested: what a network gave.
        refused: reason by fingerprint, of any network.
    """
    skipped = Counter(dict(harvested.report.skipped))
    for fingerprint, layers in harvested.covered:
        if fingerprint in refused:
            skipped[refused[fingerprint]] += layers
    bricks = tuple(one for one in harvested.bricks if one.benchmark.fingerprint not in refused)
    report = replace(harvested.report, unique=len(bricks), skipped=tuple(sorted(skipped.items())))
    return replace(harvested, report=report, bricks=bricks)


def _refused(path: Path, reason: str) -> ModelReport:
    return ModelReport(
        model=path.stem, source_layers=0, folded=0, layers=0, sequences=0, unique=0, skipped=(), unsupported=reason
    )
