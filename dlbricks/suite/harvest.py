"""What becomes of one network: read, lower, split, one brick for each different sequence. Runs in a worker process."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from dlbricks.errors import UnsupportedModelError
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import bare, pairs, split
from dlbricks.sequences.types import Granularity, LayerSequence, Split
from dlbricks.suite.bricks import Brick, brick, group_index
from dlbricks.suite.decoys import Statistics, statistics
from dlbricks.suite.importance import importances, predicted_s
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
    pairs: bool = False
    """Whether unions of adjacent sequences become bricks too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """What one network gave."""

    report: ModelReport
    bricks: tuple[Brick, ...] = ()
    covered: tuple[tuple[str, int], ...] = ()
    """Fingerprint of each brick but unions, and how many layers of the network lie in its sequences."""
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
        made, bricks = _yield_of(parts, order.only, unions=order.pairs)
    except UnsupportedModelError as error:
        return Harvest(report=_refused(order.path, str(error)))
    report = ModelReport(
        model=order.path.stem,
        source_layers=portable.source_layers,
        folded=portable.folded,
        layers=len(model.layers),
        sequences=len(parts.sequences),
        unique=len(made.covered),
        pairs=len(made.bricks) - len(made.covered),
        skipped=tuple(sorted(made.skipped.items())),
    )
    return Harvest(
        report=report,
        bricks=bricks,
        covered=tuple(made.covered.items()),
        statistics=statistics(portable) if order.decoys else Statistics(),
    )


@dataclass(slots=True)
class _Yield:
    """What a split gives, gathered sequence by sequence."""

    parts: Split
    only: frozenset[str] | None
    group_of: dict[int, int]
    bricks: dict[str, Brick] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    """Predicted for one call, by fingerprint."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Layers by reason."""
    covered: Counter[str] = field(default_factory=Counter)
    """Layers by fingerprint of their brick."""

    def add(self, sequence: LayerSequence) -> str:
        """Make the brick of a bare sequence if it is wanted and new; gives the fingerprint."""
        model = self.parts.model
        canonical = canonicalise(model, sequence)
        fingerprint = canonical.fingerprint
        if fingerprint not in self.seconds:
            self.seconds[fingerprint] = predicted_s(model, sequence)
            if self.only is None or fingerprint in self.only:
                self.bricks[fingerprint] = brick(model, canonical, group_of=self.group_of)
        return fingerprint

    def weighed(self, uses: Counter[str], unions: Counter[str]) -> tuple[Brick, ...]:
        """Give the bricks with their importance in this network.

        Args:
            uses: how often each sequence occurs.
            unions: how often each union of adjacent sequences does.
        """
        shares = importances(
            {fingerprint: count * self.seconds[fingerprint] for fingerprint, count in uses.items()},
            {fingerprint: count * self.seconds[fingerprint] for fingerprint, count in unions.items()},
        )
        return tuple(
            replace(made, benchmark=replace(made.benchmark, importance=shares[fingerprint]))
            for fingerprint, made in self.bricks.items()
        )


def bricks_of(parts: Split, *, unions: bool) -> tuple[Brick, ...]:
    """Make one brick for each different sequence that can be measured, with its importance in this network.

    Args:
        parts: a network, split.
        unions: whether unions of adjacent sequences get bricks, too.
    """
    return _yield_of(parts, None, unions=unions)[1]


def _yield_of(parts: Split, only: frozenset[str] | None, *, unions: bool) -> tuple[_Yield, tuple[Brick, ...]]:
    """Make one brick per fingerprint; count layers of sequences that give none by reason, the others by fingerprint."""
    model = parts.model
    made = _Yield(parts, only, group_index(model))
    uses: Counter[str] = Counter()
    for sequence in parts.sequences:
        views = all(model.layers[index].is_view for index in sequence.layers)
        reason = FREE if views else sequence.skip
        if reason is not None:
            made.skipped[reason] += len(sequence.layers)
            continue
        fingerprint = made.add(bare(model, sequence))
        uses[fingerprint] += 1
        if fingerprint in made.bricks:
            made.covered[fingerprint] += len(sequence.layers)
    paired = Counter(made.add(union) for _, _, union in (pairs(parts) if unions else ()))
    return made, made.weighed(uses, paired)


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
    unique = sum(fingerprint not in refused for fingerprint, _ in harvested.covered)
    report = replace(
        harvested.report,
        unique=unique,
        pairs=len(bricks) - unique,
        skipped=tuple(sorted(skipped.items())),
    )
    return replace(harvested, report=report, bricks=bricks)


def _refused(path: Path, reason: str) -> ModelReport:
    return ModelReport(
        model=path.stem, source_layers=0, folded=0, layers=0, sequences=0, unique=0, skipped=(), unsupported=reason
    )
