"""From benchmarks to a suite: each fingerprint once, with what the suite says of itself."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import dlbricks
from dlbricks.model.lowering.saved import made_here
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.manifest import Suite, Target, sealed
from dlbricks.suite.references import Reference, merged_weights

_NO_REFERENCE = Reference(digests=None, note="made to be measured at once")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteHead:
    """What a suite says of itself besides its benchmarks."""

    name: str
    granularity: str
    splitter: str
    target: Target
    seed: int
    dims: Mapping[str, int] = field(default_factory=dict)
    """Extents that dimensions were given, those that may be told."""
    batch: int = 0
    """Inputs per call where files were given another; 0 for what they say."""


def merge_benchmarks(benchmarks: Iterable[BuiltBenchmark]) -> tuple[BuiltBenchmark, ...]:
    """Keep one benchmark for each fingerprint, as important as in any of the networks; sorted by fingerprint.

    Where networks disagree in what else the fingerprint does not cover, the same one is kept whatever their order.
    """
    kept: dict[str, BuiltBenchmark] = {}
    importance: dict[str, float] = {}
    for built in benchmarks:
        fingerprint = built.benchmark.fingerprint
        importance[fingerprint] = max(built.benchmark.importance, importance.get(fingerprint, 0.0))
        other = kept.get(fingerprint)
        if other is None or _rank(built) < _rank(other):
            kept[fingerprint] = built
    return tuple(_as_important(kept[fingerprint], importance[fingerprint]) for fingerprint in sorted(kept))


def _as_important(built: BuiltBenchmark, importance: float) -> BuiltBenchmark:
    return replace(built, benchmark=replace(built.benchmark, importance=importance))


def _rank(built: BuiltBenchmark) -> tuple[str, int, str]:
    return built.benchmark.digest, built.benchmark.layers, repr(_as_important(built, 1.0).benchmark)


def assemble(
    head: SuiteHead, benchmarks: Sequence[BuiltBenchmark], references: Mapping[str, Reference] | None = None
) -> Suite:
    """Put benchmarks and references together and seal the suite.

    Args:
        head: name, seed and how it was split.
        benchmarks: in the order of the suite, each fingerprint once.
        references: by fingerprint, one for each benchmark; None for a suite that is measured at once and not kept.
    """
    if references is None:
        references = dict.fromkeys((one.benchmark.fingerprint for one in benchmarks), _NO_REFERENCE)
    return sealed(
        Suite(
            name=head.name,
            granularity=head.granularity,
            splitter=head.splitter,
            target=head.target,
            seed=head.seed,
            dims=dict(head.dims),
            batch=head.batch,
            weights=merged_weights(benchmarks),
            benchmarks=tuple(
                replace(
                    built.benchmark,
                    reference=references[built.benchmark.fingerprint].digests,
                    reference_note=references[built.benchmark.fingerprint].note,
                )
                for built in benchmarks
            ),
            generator_version=dlbricks.__version__,
            digest="",
        )
    )


def target_here(name: str) -> Target:
    """Describe a target of suites as it is made on this machine.

    Raises:
        HarnessError: its provider is not there or does not work.
    """
    if name == "portable":
        return Target(name=name, runtime="", instruction_set=())
    made_for = made_here(name)
    return Target(name=name, runtime=made_for.runtime, instruction_set=made_for.instruction_set)
