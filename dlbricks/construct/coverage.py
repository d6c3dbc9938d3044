"""Computes the share of networks that a system has measured (coverage), and the missing layer sequences."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from dlbricks.construct.asynchronous import is_asynchronous
from dlbricks.construct.types import Composition, CompositionStep, Rule
from dlbricks.errors import InputError
from dlbricks.store.types import Measurement, SystemConfiguration, SystemResults

# Assumed wall time of a benchmark (load, warm-up, all calls) on a system without measurements.
DEFAULT_BENCHMARK_NS = 500_000_000
# Least share of a network's pairs for the rule ``pairs``: a few benchmarks of a suite may fail, but pairs that another
# network's suite measured by chance are no basis for an interval that was validated with all pairs.
_PAIRS_MEASURED = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingSequence:
    """A layer sequence that a system has not measured."""

    fingerprint: str
    name: str
    networks: tuple[str, ...]
    """Networks with the sequence, sorted."""
    uses: int
    """Number of occurrences in all networks."""
    layers: int
    """Number of layers in the sequence."""
    skip: str | None
    """Why the sequence cannot be measured; None if it can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkCoverage:
    """Coverage of one network."""

    network: str
    layers: int
    covered_layers: int
    sequences: int
    """Number of unique layer sequences, without sequences of views only."""
    covered_sequences: int
    smoke_sequences: int = 0
    """Number of sequences that only smoke tests measured, or runs whose budget was too short for an interval."""
    calls_only_sequences: int = 0
    """Number of measured sequences without times of host and device, which count as missing."""

    @property
    def coverage(self) -> float:
        """Share of the layers in measured sequences, 0 to 1."""
        return self.covered_layers / self.layers if self.layers else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Coverage of networks, and the missing layer sequences."""

    configuration: SystemConfiguration
    networks: tuple[NetworkCoverage, ...]
    missing: tuple[MissingSequence, ...]
    """Layer sequences without a measurement, each once, most frequent first."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Why networks could not be split, by file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Layer sequences to measure, so that networks are covered."""

    coverage: Coverage
    """Coverage before the plan."""
    fingerprints: tuple[str, ...]
    """Sorted fingerprints of the benchmarks to run: missing sequences and pairs; with decoys, the whole suite."""
    impossible: tuple[MissingSequence, ...]
    """Missing layer sequences that cannot be benchmarked."""
    cost_ns: int
    """Predicted wall time of the run, ns."""


def coverage(compositions: Sequence[Composition], results: SystemResults) -> Coverage:
    """Return the coverage of networks by the measurements of a system."""
    usable = composable(results)
    return Coverage(
        configuration=results.configuration,
        networks=tuple(_network_coverage(composition, results, usable) for composition in compositions),
        missing=_missing(compositions, usable),
    )


def best_rule(composition: Composition, results: SystemResults) -> Rule:
    """Return the default rule: ``pairs`` if most pairs were measured on a synchronous provider, else ``sequential``."""
    measured = sum(pair.fingerprint in results.measurements for pair in composition.pairs)
    suits = measured > _PAIRS_MEASURED * len(composition.pairs) and not is_asynchronous(results)
    return Rule.PAIRS if suits else Rule.SEQUENTIAL


def plan_of(covered: Coverage, results: SystemResults, unions: Collection[str] = ()) -> Plan:
    """Return a plan to measure all missing layer sequences, and the pairs ``unions`` (fingerprints).

    Raises ``InputError`` for ``unions`` on an asynchronous provider.
    """
    if unions and is_asynchronous(results):
        provider = results.configuration.provider
        raise InputError(f"--pairs does not apply to the asynchronous provider {provider}: omit the option")
    lacking = {sequence.fingerprint for sequence in covered.missing if sequence.skip is None}
    possible = sorted(lacking | (set(unions) - results.measurements.keys()))
    return Plan(
        coverage=covered,
        fingerprints=tuple(possible),
        impossible=tuple(sequence for sequence in covered.missing if sequence.skip is not None),
        cost_ns=suite_cost_ns(len(possible), results),
    )


def without(plan: Plan, left_out: Mapping[str, str], results: SystemResults) -> Plan:
    """Return a copy of the plan in which the sequences of ``left_out`` (reasons by fingerprint) are ``impossible``."""
    if not left_out:
        return plan
    remaining = tuple(name for name in plan.fingerprints if name not in left_out)
    refused = (sequence for sequence in plan.coverage.missing if sequence.fingerprint in left_out)
    return replace(
        plan,
        fingerprints=remaining,
        impossible=(*plan.impossible, *(replace(each, skip=left_out[each.fingerprint]) for each in refused)),
        cost_ns=suite_cost_ns(len(remaining), results),
    )


def suite_cost_ns(benchmarks: int, results: SystemResults) -> int:
    """Return the predicted wall time of a number of benchmarks, ns, from the median of full runs in ``results``."""
    costs = [row.wall_ns for row in results.measurements.values() if not (row.origin and row.origin.smoke)]
    return round(benchmarks * (median(costs) if costs else DEFAULT_BENCHMARK_NS))


def composable(results: SystemResults) -> Mapping[str, Measurement]:
    """Return the measurements that estimates can use; an asynchronous provider requires times of host and device."""
    if not is_asynchronous(results):
        return results.measurements
    return {name: row for name, row in results.measurements.items() if row.queue and results.queue}


def _network_coverage(
    composition: Composition, results: SystemResults, usable: Mapping[str, Measurement]
) -> NetworkCoverage:
    unique = {step.fingerprint for step in composition.steps if not step.free}
    covered = unique & usable.keys()
    # a measurement for assumed input values may have other sizes than the network in use
    measured = covered - {step.fingerprint for step in composition.steps if step.assumed}
    return NetworkCoverage(
        network=composition.model,
        layers=composition.layers,
        covered_layers=sum(len(step.layers) for step in composition.steps if step.free or step.fingerprint in measured),
        sequences=len(unique),
        covered_sequences=len(covered),
        smoke_sequences=sum(_is_brief(usable[name]) for name in covered),
        calls_only_sequences=len(unique & results.measurements.keys() - usable.keys()),
    )


def _is_brief(row: Measurement) -> bool:
    # with other verdicts, a single call is enough or more calls do not help
    return bool(row.origin and row.origin.smoke) or (row.low_ns <= 0 and row.verdict == "noisy")


def _missing(compositions: Sequence[Composition], usable: Collection[str]) -> tuple[MissingSequence, ...]:
    uses: dict[str, list[tuple[str, CompositionStep]]] = {}
    for composition in compositions:
        for step in composition.steps:
            if not step.free and step.fingerprint not in usable:
                uses.setdefault(step.fingerprint, []).append((composition.model, step))
    missing = (
        MissingSequence(
            fingerprint=fingerprint,
            name=same[0][1].name,
            networks=tuple(sorted({model for model, _ in same})),
            uses=len(same),
            layers=len(same[0][1].layers),
            skip=same[0][1].skip,
        )
        for fingerprint, same in uses.items()
    )
    return tuple(sorted(missing, key=lambda sequence: (-sequence.uses, sequence.fingerprint)))
