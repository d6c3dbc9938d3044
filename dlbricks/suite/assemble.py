"""From bricks of many networks to one suite. Pure; the order in which networks come does not matter."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import dlbricks
from dlbricks.fingerprint import Json
from dlbricks.model.types import WeightBlob
from dlbricks.suite.bricks import Brick
from dlbricks.suite.document import sealed
from dlbricks.suite.nouns import Suite, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a real run of a benchmark gave."""

    sketches: tuple[Json, ...] | None
    """One per output; None when no reference can be given."""
    note: str = ""
    """Why there is none."""
    ran: bool = True
    """False when it was tried and did not run: nothing that a suite should hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteHead:
    """What a suite says of itself besides its benchmarks."""

    name: str
    granularity: str
    splitter: str
    target: Target
    seed: int


def merged(bricks: Iterable[Brick]) -> tuple[Brick, ...]:
    """Keep one brick for each fingerprint, as important as in any of the networks; sorted by fingerprint.

    Where networks disagree in what else the fingerprint does not cover, the same one is kept whatever their order.
    """
    kept: dict[str, Brick] = {}
    importance: dict[str, float] = {}
    for brick in bricks:
        fingerprint = brick.benchmark.fingerprint
        importance[fingerprint] = max(brick.benchmark.importance, importance.get(fingerprint, 0.0))
        other = kept.get(fingerprint)
        if other is None or _rank(brick) < _rank(other):
            kept[fingerprint] = brick
    return tuple(_as_important(kept[fingerprint], importance[fingerprint]) for fingerprint in sorted(kept))


def _as_important(brick: Brick, importance: float) -> Brick:
    return replace(brick, benchmark=replace(brick.benchmark, importance=importance))


def _rank(brick: Brick) -> tuple[str, int, str]:
    return brick.benchmark.digest, brick.benchmark.layers, repr(_as_important(brick, 1.0).benchmark)


def merged_weights(bricks: Iterable[Brick]) -> tuple[WeightBlob, ...]:
    """Give each weight file once, as long as the brick that needs most of it, sorted by file."""
    longest: dict[str, WeightBlob] = {}
    for brick in bricks:
        for blob in brick.weights:
            if blob.file not in longest or longest[blob.file].nbytes < blob.nbytes:
                longest[blob.file] = blob
    return tuple(longest[file] for file in sorted(longest))


def assemble(head: SuiteHead, bricks: Sequence[Brick], references: Mapping[str, Reference]) -> Suite:
    """Put bricks and references together and seal the suite.

    Args:
        head: name, seed and how it was split.
        bricks: in the order of the suite, each fingerprint once.
        references: by fingerprint; one for each brick.
    """
    return sealed(
        Suite(
            name=head.name,
            granularity=head.granularity,
            splitter=head.splitter,
            target=head.target,
            seed=head.seed,
            weights=merged_weights(bricks),
            benchmarks=tuple(
                replace(
                    brick.benchmark,
                    reference=references[brick.benchmark.fingerprint].sketches,
                    reference_note=references[brick.benchmark.fingerprint].note,
                )
                for brick in bricks
            ),
            generator_version=dlbricks.__version__,
        )
    )
