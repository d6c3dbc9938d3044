"""Comparison of an archived run's estimate with its end-to-end measurement."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from dlbricks.construct.cache_model import CacheModel, net_latencies
from dlbricks.construct.estimate import estimate
from dlbricks.construct.rules import Rule
from dlbricks.construct.types import Composition, Estimate
from dlbricks.errors import BenchmarkError
from dlbricks.harness.stats import counted, main_visits, median_interval, undisturbed
from dlbricks.store.summary import measurements
from dlbricks.store.types import Measurement, SystemResults
from dlbricks.validate.archive import ArchivedRun, RunFacts
from dlbricks.validate.in_situ import compare_steps, type_biases, worst_sequences
from dlbricks.validate.types import (
    BASELINE_ROLE,
    BaselineResult,
    BaselineStep,
    NetworkValidation,
    PartResult,
    SequenceError,
    TypeBias,
)

BELIEVED_VISITS = 5
"""Minimum number of visits for an interval to be used, as in a run."""
_REASONS_SHOWN = 3


def compare(run: ArchivedRun, rule: Rule) -> NetworkValidation:
    """Compare the estimate from the parts with the end-to-end measurement of a run.

    Args:
        run: the run.
        rule: composition rule.

    Raises:
        BenchmarkError: a part or the network has no latency, or outputs of the network are not finite.
    """
    facts, document = run.facts, dict(run.document)
    composition = facts.composition
    entries = {entry["fingerprint"]: entry for entry in document["benchmarks"]}
    _refuse_unmeasured(facts, entries)
    _refuse_infinite(entries[facts.whole])
    end_to_end = measurements(document, roles=("whole",)).measurements[facts.whole]
    results = measurements(document)
    made = estimate(composition, results, rule, interleaved=True)
    parts = _part_results(composition, made, results.measurements)
    sampling = (made.parts.sampling_low_ns + made.parts.sampling_high_ns) / 2 / max(1, made.total_ns)
    own_low, own_high = own_parts(made)
    types, worst = _profiled(facts, results, end_to_end)
    published = measurements(document, roles=(BASELINE_ROLE,)).measurements
    return NetworkValidation(
        network=composition.model,
        measured_ns=end_to_end.latency_ns,
        measured_low_ns=end_to_end.low_ns,
        measured_high_ns=end_to_end.high_ns,
        measured_relative=(end_to_end.high_ns - end_to_end.low_ns) / 2 / max(1, end_to_end.latency_ns),
        measured_verdict=end_to_end.verdict,
        measured_disturbed=all(visit.get("disturbed") for visit in main_visits(entries[facts.whole])),
        estimated_ns=made.total_ns,
        low_ns=made.low_ns,
        high_ns=made.high_ns,
        sampling_relative=sampling,
        own_low=own_low,
        own_high=own_high,
        traits=made.traits,
        states=made.states,
        ratio=made.total_ns / max(1, end_to_end.latency_ns),
        layers=composition.layers,
        unique_layers=sum(part.layers for part in parts),
        coverage=made.coverage,
        call_overhead_ns=made.call_overhead_ns,
        drift=results.drift,
        suite_ns=sum(part.wall_ns for part in parts),
        end_to_end_ns=wall_ns_until(entries[facts.whole], sampling),
        reference_ns=end_to_end.wall_ns,
        run_ns=round(facts.seconds * 1e9),
        parts=parts,
        types=types,
        worst=worst,
        baseline=baseline_result(facts.baseline, published, end_to_end.latency_ns),
    )


def wall_ns_until(entry: Mapping[str, Any], relative: float) -> int:
    """Return the time of measuring a benchmark until its interval was narrow enough: load, warm-up and visits, in ns.

    Args:
        entry: of the result document, with visits.
        relative: half width of the 95 % interval, relative to the median; if it was never reached, the whole time is
            returned.
    """
    visits: Sequence[Mapping[str, Any]] = entry["visits"]
    medians: list[float] = []
    chosen = {id(visit) for visit in undisturbed(visits)}
    for index, visit in enumerate(visits, 1):
        if id(visit) not in chosen:
            continue
        medians.append(median(counted(visit["samples_ns"])))
        if len(medians) < min(BELIEVED_VISITS, len(chosen)):
            continue
        middle, low, high = median_interval(medians)
        if (high - low) / 2 <= relative * middle:
            return int(entry["wall_ns"]) - sum(sum(later["samples_ns"]) for later in visits[index:])
    return int(entry["wall_ns"])


def _profiled(
    facts: RunFacts, results: SystemResults, whole: Measurement
) -> tuple[tuple[TypeBias, ...], tuple[SequenceError, ...]]:
    """Compare the parts with the runtime's profile of the network, if there is one."""
    if facts.profile is None or not facts.profile.nodes:
        return (), ()
    composition = facts.composition
    nets = {name: net_latencies(measurement, results) for name, measurement in results.measurements.items()}
    estimated = [time.total_ns for time in CacheModel(composition.steps, nets, results).times()]
    net_ns = max(1, whole.latency_ns - results.call_overhead_ns)
    times, added_ns = compare_steps(composition, estimated, facts.profile, net_ns)
    return (
        type_biases(composition, times, added_ns, whole.latency_ns),
        worst_sequences(composition, facts.contexts, times, whole.latency_ns),
    )


def own_parts(made: Estimate) -> tuple[float, float]:
    """Return the interval terms of sampling, interpolation and drift, below and above an estimate, relative to it."""
    parts, total_ns = made.parts, max(1, made.total_ns)
    both = (parts.interpolation_ns / total_ns, parts.drift)
    below, above = parts.sampling_low_ns / total_ns, parts.sampling_high_ns / total_ns
    return math.hypot(below, *both), math.hypot(above, *both)


def _refuse_unmeasured(facts: RunFacts, entries: Mapping[str, Mapping[str, Any]]) -> None:
    wanted = {step.fingerprint: step.name for step in facts.composition.steps if not step.free}
    wanted[facts.whole] = "the whole network"
    reasons = [f"{name}: {why}" for fingerprint, name in wanted.items() if (why := _reason(entries.get(fingerprint)))]
    if reasons:
        more = f" (and {len(reasons) - _REASONS_SHOWN} more)" if len(reasons) > _REASONS_SHOWN else ""
        raise BenchmarkError(f"no latency of {'; '.join(reasons[:_REASONS_SHOWN])}{more}")


def _reason(entry: Mapping[str, Any] | None) -> str:
    """Return the reason why a benchmark has no latency; empty if it has one."""
    if entry is None:
        return "it was not in the run"
    if entry["status"] == "ok" and entry["visits"]:
        return ""
    return str(entry["reason"] or entry["status"])


def _refuse_infinite(entry: Mapping[str, Any]) -> None:
    """Refuse an end-to-end run with infinite or NaN outputs, whose arithmetic may take a different time."""
    for number, sketch in enumerate(entry["sketches"]):
        if sketch["finite"] < 1:
            share = 1 - sketch["finite"]
            raise BenchmarkError(f"{share:.1%} of output {number} of the whole network are not finite")


def _part_results(composition: Composition, made: Estimate, known: Mapping[str, Measurement]) -> tuple[PartResult, ...]:
    layers = {step.fingerprint: len(step.layers) for step in composition.steps}
    rows = tuple(
        PartResult(
            fingerprint=row.fingerprint,
            name=row.name,
            count=row.count,
            layers=layers[row.fingerprint],
            each_ns=row.each_ns,
            total_ns=row.total_ns,
            share=row.share,
            tier=row.tier,
            verdict=row.verdict,
            wall_ns=known[row.fingerprint].wall_ns if row.fingerprint in known else 0,
        )
        for row in made.rows
    )
    named = {row.fingerprint for row in rows}
    unions = Counter(pair.fingerprint for pair in composition.pairs if pair.fingerprint in known)
    return rows + tuple(_union(known[name], count) for name, count in unions.items() if name not in named)


def _union(measurement: Measurement, count: int) -> PartResult:
    """Return the row of two adjacent sequences; their layers and times are counted in the rows of the two."""
    return PartResult(
        fingerprint=measurement.fingerprint,
        name="union",
        count=count,
        layers=0,
        each_ns=0,
        total_ns=0,
        share=0.0,
        tier="union",
        verdict=measurement.verdict,
        wall_ns=measurement.wall_ns,
    )


def baseline_result(
    steps: Sequence[BaselineStep], known: Mapping[str, Measurement], measured_ns: int
) -> BaselineResult | None:
    """Add up the measurements of the published method; None without steps.

    Args:
        steps: of the network.
        known: measurements of its benchmarks; missing ones count as 0.
        measured_ns: end-to-end latency.
    """
    if not steps:
        return None
    unique = {step.fingerprint: step for step in steps if step.fingerprint in known}
    estimated = sum(known[step.fingerprint].latency_ns for step in steps if step.fingerprint in known)
    return BaselineResult(
        estimated_ns=estimated,
        ratio=estimated / max(1, measured_ns),
        layers=sum(step.layers for step in steps),
        unique_layers=sum(step.layers for step in unique.values()),
        unmeasured_layers=sum(step.layers for step in steps if step.fingerprint not in known),
        walls_ns={fingerprint: known[fingerprint].wall_ns for fingerprint in unique},
    )
