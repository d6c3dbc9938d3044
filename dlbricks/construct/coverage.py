"""Coverage of networks by a system, and the smallest set of sequences that is still to be measured. Pure."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from dlbricks.construct.asynchronous import is_asynchronous
from dlbricks.construct.types import Composition, CompositionStep
from dlbricks.errors import InputError
from dlbricks.store.types import Measurement, SystemConfiguration, SystemResults

DEFAULT_BENCHMARK_NS = 500_000_000
"""What a benchmark is taken to cost (load, warm-up, all calls) where a system has no result to go by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingSequence:
    """A sequence that some networks use and a system has no result for."""

    fingerprint: str
    name: str
    networks: tuple[str, ...]
    """Who uses it, sorted."""
    uses: int
    """How often, over all networks."""
    layers: int
    """Layers it covers in one use."""
    skip: str | None
    """Why no benchmark can be made of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkCoverage:
    """How much of one network a system has measured."""

    network: str
    layers: int
    covered_layers: int
    sequences: int
    """Unique, those of views only left out."""
    covered_sequences: int
    smoke_sequences: int = 0
    """Of these, those that nothing but smoke tests has measured."""
    calls_only_sequences: int = 0
    """Not among these: on an asynchronous provider measured without times of host and device, so missing."""

    @property
    def coverage(self) -> float:
        """Share of the layers that lie in measured sequences, 0 to 1."""
        return self.covered_layers / self.layers if self.layers else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What a system has measured of some networks, and what it lacks."""

    configuration: SystemConfiguration
    networks: tuple[NetworkCoverage, ...]
    missing: tuple[MissingSequence, ...]
    """Over all networks, each once, most used first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be measured so that a system covers some networks."""

    coverage: Coverage
    """As it is now."""
    fingerprints: tuple[str, ...]
    """What the suite asks for, sorted: missing sequences and unions of adjacent ones of which a benchmark can be made.

    With cover or decoys all that is measured with them."""
    impossible: tuple[MissingSequence, ...]
    """Missing sequences of which none can be made."""
    cost_ns: int
    """Guess of the time that measuring takes."""


def coverage(compositions: Sequence[Composition], results: SystemResults) -> Coverage:
    """Compare the sequences of some networks with what a system has measured."""
    return Coverage(
        configuration=results.configuration,
        networks=tuple(_network_coverage(composition, results) for composition in compositions),
        missing=_missing(compositions, results),
    )


def plan_of(covered: Coverage, results: SystemResults, unions: Collection[str] = ()) -> Plan:
    """Choose what closes the gap: every missing sequence once, since no other sequence can stand in for it.

    Args:
        covered: what there is.
        results: it is of.
        unions: fingerprints of adjacent sequences taken together that are wanted, too.

    Raises:
        InputError: unions are wanted of an asynchronous provider, where nothing is composed of them.
    """
    if unions and is_asynchronous(results):
        provider = results.configuration.provider
        raise InputError(f"pairs say nothing of {provider}, where a device works off a queue: leave --pairs out")
    lacking = {one.fingerprint for one in covered.missing if one.skip is None}
    possible = sorted(lacking | (set(unions) - results.measurements.keys()))
    return Plan(
        coverage=covered,
        fingerprints=tuple(possible),
        impossible=tuple(one for one in covered.missing if one.skip is not None),
        cost_ns=suite_cost_ns(len(possible), results),
    )


def unions_of(compositions: Sequence[Composition]) -> frozenset[str]:
    """Give the fingerprints of all pairs of some models that were composed with their pairs."""
    return frozenset(pair.fingerprint for one in compositions for pair in one.pairs)


def suite_cost_ns(benchmarks: int, results: SystemResults) -> int:
    """Guess how long it takes to measure ``benchmarks`` sequences: as many times the median cost of those measured."""
    costs = [one.wall_ns for one in results.measurements.values()]
    return round(benchmarks * (median(costs) if costs else DEFAULT_BENCHMARK_NS))


def usable(results: SystemResults) -> Mapping[str, Measurement]:
    """Give the measurements that compose: on an asynchronous provider those with times of host and device."""
    if not is_asynchronous(results):
        return results.measurements
    return {name: one for name, one in results.measurements.items() if one.queue and results.queue}


def _network_coverage(composition: Composition, results: SystemResults) -> NetworkCoverage:
    known = usable(results)
    unique = {step.fingerprint for step in composition.steps if not step.free}
    return NetworkCoverage(
        network=composition.model,
        layers=composition.layers,
        covered_layers=sum(len(step.layers) for step in composition.steps if step.free or step.fingerprint in known),
        sequences=len(unique),
        covered_sequences=len(unique & known.keys()),
        smoke_sequences=sum(bool((made := known[name].origin) and made.smoke) for name in unique & known.keys()),
        calls_only_sequences=len(unique & results.measurements.keys() - known.keys()),
    )


def _missing(compositions: Sequence[Composition], results: SystemResults) -> tuple[MissingSequence, ...]:
    known = usable(results)
    first: dict[str, CompositionStep] = {}
    uses: Counter[str] = Counter()
    users: defaultdict[str, set[str]] = defaultdict(set)
    for composition in compositions:
        for step in composition.steps:
            if not step.free and step.fingerprint not in known:
                first.setdefault(step.fingerprint, step)
                uses[step.fingerprint] += 1
                users[step.fingerprint].add(composition.model)
    return tuple(
        MissingSequence(
            fingerprint=fingerprint,
            name=first[fingerprint].name,
            networks=tuple(sorted(users[fingerprint])),
            uses=count,
            layers=len(first[fingerprint].layers),
            skip=first[fingerprint].skip,
        )
        for fingerprint, count in sorted(uses.items(), key=lambda item: (-item[1], item[0]))
    )
