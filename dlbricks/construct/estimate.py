"""Estimates the latency of a network from its composition and the measurements of one system. Pure."""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dlbricks.construct.asynchronous import LaunchShares, bounds_ns, has_queue, is_asynchronous, queued_call
from dlbricks.construct.cache_model import CacheModel, Latencies, StepTime, net_latencies, summed
from dlbricks.construct.intervals import choose_band, correlated_sum, interval, noise_factor, quadrature
from dlbricks.construct.rules import Rule, pair_correction, schedule
from dlbricks.construct.types import (
    Composition,
    CompositionPair,
    CompositionStep,
    CompositionTraits,
    Estimate,
    EstimateRow,
    IntervalParts,
    QueueShares,
    StateShares,
)
from dlbricks.errors import InputError
from dlbricks.store.types import Measurement, QueueTimes, SystemResults

if TYPE_CHECKING:
    from dlbricks.construct.interpolate import LatencyPredictor

NO_QUEUE = (
    "the results have no times of host and device, which work in parallel there: only bounds follow from single calls; "
    "run the suite that 'plan' writes for an estimate"
)
SMALL_CALLS = 5
"""Steps shorter than this number of call overheads count as small (``CompositionTraits.small``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """Latency of one sequence and where it comes from, independent of its place in the network."""

    net: Latencies
    tier: str
    verdict: str
    below_ns: float = 0.0
    """Lower half-width of the interval of a measured latency."""
    above_ns: float = 0.0
    """Upper half-width."""
    relative: float = 0.0
    """Half-width of the interval of an interpolated latency, relative to it."""
    queue: QueueTimes | None = None
    """Interpolated times on host and device, where there is a device."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Composed:
    """The steps of a composition with their times."""

    steps: Sequence[CompositionStep]
    sources: Mapping[str, _Source]
    """Of steps and pairs, by fingerprint; sequences without a latency have no entry."""
    times: Sequence[StepTime]
    corrections: Sequence[tuple[CompositionPair, int]] = ()
    """Pairs whose union was measured, and what each adds, ns."""

    @property
    def sequential_ns(self) -> int:
        """Sum over all steps."""
        return sum(time.total_ns for time in self.times)


def estimate(
    composition: Composition,
    results: SystemResults,
    rule: Rule,
    *,
    interpolator: "LatencyPredictor | None" = None,
    traced: Mapping[str, LaunchShares] | None = None,
    interleaved: bool = False,
) -> Estimate:
    """Compose the latency of a network from the stored latencies of its sequences.

    Each step takes the time of its place in the network (``construct.cache_model``) without call overhead; one call
    overhead is added to the sum. On an asynchronous execution provider, host and device are composed as two resources
    (``construct.asynchronous``). Sequences without a latency are left out of the total and listed in ``missing``.

    Args:
        composition: the network; with its pairs if ``rule`` is ``pairs``.
        results: measurements of one configuration; with unions of pairs if ``rule`` is ``pairs``.
        rule: how steps overlap in time.
        interpolator: predicts sequences that were not measured, fitted to ``results``.
        traced: by fingerprint, the launches that a trace shows; required by the rule ``simulate``.
        interleaved: whether the network itself was measured in the same run as ``results``, so that drift of the
            machine affects both and is left out of the interval.

    Raises:
        InputError: ``traced`` is missing for the rule ``simulate``; or the provider is asynchronous, and the rule is
            another than ``sequential`` and ``simulate``, or ``interpolator`` predicts no times of host and device.
    """
    if rule.kind == "simulate" and traced is None:
        raise InputError("rule simulate needs the traces of a store: only 'estimate' has them")
    if is_asynchronous(results):
        return _on_device(composition, results, rule, traced or {}, interpolator, interleaved=interleaved)
    composed = _composed(composition, results, rule, interpolator)
    durations = [time.total_ns for time in composed.times]
    made = schedule(rule, durations, [step.depends_on for step in composition.steps])
    correction = sum(added for _, added in composed.corrections)
    total = max(0, made.makespan_ns + correction) + results.call_overhead_ns
    traits = _traits(composed, results.call_overhead_ns)
    chosen = choose_band(composition, results.configuration, str(rule), interleaved=interleaved)
    drift = 0.0 if interleaved else results.drift
    parts = _interval_parts(composition, composed, made.chain, chosen.band.around(traits), drift)
    wanted = len(composition.pairs) if rule.kind == "pairs" else 0
    found = _estimate_of(composition, results, rule, composed, total, parts)
    return replace(
        found,
        correction_ns=total - results.call_overhead_ns - made.makespan_ns,
        pairs_measured=len(composed.corrections),
        pairs_missing=wanted - len(composed.corrections),
        evidence=chosen.reason,
        states=_state_shares(composed),
        traits=traits,
    )


def step_times(composition: Composition, results: SystemResults) -> list[int]:
    """Return the time of each step at its place, ns, without call overhead, on a provider that computes on the host."""
    return [time.total_ns for time in _composed(composition, results, Rule(kind="sequential"), None).times]


def _on_device(
    composition: Composition,
    results: SystemResults,
    rule: Rule,
    traced: Mapping[str, LaunchShares],
    interpolator: "LatencyPredictor | None",
    *,
    interleaved: bool,
) -> Estimate:
    """Compose host and device as two resources; where only calls were timed, return bounds."""
    provider = results.configuration.provider
    if rule.kind not in ("sequential", "simulate"):
        raise InputError(f"rule {rule} does not apply to {provider}, where a device executes a queue: use sequential")
    composed = _composed(composition, results, rule, interpolator)
    results = replace(results, measurements=results.measurements | _queued_predictions(composed, provider))
    traits = CompositionTraits(fetching=0.0, small=0.0, interpolated=0.0)
    chosen = choose_band(composition, results.configuration, str(rule), interleaved=interleaved)
    drift = 0.0 if interleaved else results.drift
    if not has_queue(composition, results):
        low, high = bounds_ns(composition, results)
        parts = _parts(0, 0, drift, chosen.band.around(traits))
        found = _estimate_of(composition, results, rule, composed, low, parts)
        return replace(found, high_ns=interval(high, parts)[1], evidence=NO_QUEUE, bounds_only=True)
    call = queued_call(composition, results, traced)
    composed = replace(composed, times=[StepTime(near_ns=step_ns) for step_ns in call.steps_ns])
    shares = QueueShares(host_ns=call.host_ns, device_ns=call.device_ns, fetching_ns=call.fetching_ns)
    traits = replace(traits, fetching=min(1.0, call.fetching_ns / max(1, call.total_ns)))
    parts = _parts(call.below_ns, call.above_ns, drift, chosen.band.around(traits))
    found = _estimate_of(composition, results, rule, composed, call.total_ns, parts)
    return replace(found, evidence=chosen.reason, queue=shares, traits=traits)


def _queued_predictions(composed: _Composed, provider: str) -> dict[str, Measurement]:
    """Return predicted sequences as if they had been measured.

    Raises:
        InputError: there are no times of host and device for one.
    """
    made = {}
    for fingerprint, source in composed.sources.items():
        if source.tier != "interpolated":
            continue
        if source.queue is None:
            raise InputError(f"times of host and device cannot be interpolated on {provider}: measure what is missing")
        near, constants = round(source.net.near_ns), round(source.net.constants_ns)
        made[fingerprint] = Measurement(
            fingerprint=fingerprint,
            near_ns=near,
            constants_ns=constants,
            latency_ns=constants,
            low_ns=constants,
            high_ns=constants,
            samples=0,
            verdict="stable",
            wall_ns=0,
            queue=source.queue,
        )
    return made


def _parts(
    below_ns: int, above_ns: int, drift: float, around: tuple[float, float], interpolation_ns: int = 0
) -> IntervalParts:
    return IntervalParts(
        sampling_low_ns=below_ns,
        sampling_high_ns=above_ns,
        interpolation_ns=interpolation_ns,
        drift=drift,
        composition_low=around[0],
        composition_high=around[1],
    )


def _estimate_of(
    composition: Composition,
    results: SystemResults,
    rule: Rule,
    composed: _Composed,
    total_ns: int,
    parts: IntervalParts,
) -> Estimate:
    """Fill in the fields that do not depend on rule and provider."""
    steps, sources = composition.steps, composed.sources
    tiers = {_tier(step, sources) for step in steps}
    low, high = interval(total_ns, parts)
    if "missing" in tiers and not tiers & {"measured", "interpolated"}:
        total_ns = low = high = 0
    return Estimate(
        network=composition.model,
        configuration=results.configuration,
        rule=str(rule),
        total_ns=total_ns,
        low_ns=low,
        high_ns=high,
        layers=composition.layers,
        covered_layers=sum(len(step.layers) for step in steps if step.free or _tier(step, sources) == "measured"),
        interpolated_layers=sum(len(step.layers) for step in steps if _tier(step, sources) == "interpolated"),
        call_overhead_ns=results.queue.call_ns if results.queue else results.call_overhead_ns,
        correction_ns=0,
        pairs_measured=0,
        pairs_missing=0,
        evidence="",
        curve="measured" if results.caches.curve else "assumed",
        parts=parts,
        states=StateShares(near=0.0, constants=0.0, outputs=0.0),
        traits=CompositionTraits(fetching=0.0, small=0.0, interpolated=0.0),
        rows=_rows(composed, mismatch=bool(results.mismatch)),
        missing=tuple(dict.fromkeys(step.fingerprint for step in steps if _tier(step, sources) == "missing")),
    )


def _composed(
    composition: Composition, results: SystemResults, rule: Rule, interpolator: "LatencyPredictor | None"
) -> _Composed:
    sources = _sources(composition, results, interpolator)
    model = CacheModel(composition.steps, {name: source.net for name, source in sources.items()}, results)
    times = model.times()
    corrections = []
    for pair in composition.pairs if rule.kind == "pairs" else ():
        ends = [composition.steps[index].fingerprint for index in (pair.first, pair.second)]
        if pair.fingerprint in results.measurements and all(end in sources for end in ends):
            first, second = (times[index].total_ns for index in (pair.first, pair.second))
            corrections.append((pair, pair_correction(first, second, model.union(pair).total_ns)))
    return _Composed(steps=composition.steps, sources=sources, times=times, corrections=corrections)


def _sources(
    composition: Composition, results: SystemResults, interpolator: "LatencyPredictor | None"
) -> dict[str, _Source]:
    """Look up each sequence and each union once; predict missing ones if there is an interpolator."""
    found: dict[str, _Source] = {}
    wanted = [step.fingerprint for step in composition.steps if not step.free]
    for fingerprint in dict.fromkeys((*wanted, *(pair.fingerprint for pair in composition.pairs))):
        if fingerprint in results.measurements:
            one = results.measurements[fingerprint]
            factor = noise_factor(one.verdict)
            found[fingerprint] = _Source(
                net=net_latencies(one, results),
                tier="measured",
                verdict=one.verdict,
                below_ns=factor * (one.latency_ns - one.low_ns),
                above_ns=factor * (one.high_ns - one.latency_ns),
            )
    return found | _predictions(composition, interpolator, found) if interpolator is not None else found


def _predictions(
    composition: Composition, interpolator: "LatencyPredictor", known: Container[str]
) -> dict[str, _Source]:
    """Predict sequences without a measurement; those out of its reach are left out."""
    unknown = {step.fingerprint: step.features for step in composition.steps if step.fingerprint not in known}
    found = {}
    for fingerprint, features in unknown.items():
        predicted = interpolator.predict(features) if features is not None else None
        if predicted is not None:
            found[fingerprint] = _Source(
                net=predicted.net, tier="interpolated", verdict="", relative=predicted.relative, queue=predicted.queue
            )
    return found


def _interval_parts(
    composition: Composition,
    composed: _Composed,
    chain: Sequence[int],
    around: tuple[float, float],
    drift: float,
) -> IntervalParts:
    """Collect the parts of the interval; only steps on the critical chain count."""
    weights = Counter(composition.steps[index].fingerprint for index in chain)
    for pair, _ in composed.corrections:
        weights[pair.fingerprint] += 1
        weights.subtract(composition.steps[index].fingerprint for index in (pair.first, pair.second))
    known = [(weight, composed.sources[name]) for name, weight in weights.items() if name in composed.sources]
    predicted: Counter[str] = Counter()
    for index in chain:
        name = composition.steps[index].fingerprint
        if name in composed.sources:
            predicted[name] += round(composed.sources[name].relative * composed.times[index].total_ns)
    below_ns = quadrature(weight * one.below_ns for weight, one in known)
    above_ns = quadrature(weight * one.above_ns for weight, one in known)
    return _parts(below_ns, above_ns, drift, around, round(correlated_sum(predicted.values())))


def _state_shares(composed: _Composed) -> StateShares:
    parts, total = summed(composed.times), max(1, composed.sequential_ns)
    return StateShares(
        near=parts.near_ns / total,
        constants=parts.constants_ns / total,
        outputs=parts.outputs_ns / total,
        inputs=parts.inputs_ns / total,
    )


def _traits(composed: _Composed, call_overhead_ns: int) -> CompositionTraits:
    times, total = composed.times, max(1, composed.sequential_ns)
    predicted = (
        time.total_ns
        for step, time in zip(composed.steps, times, strict=True)
        if _tier(step, composed.sources) == "interpolated"
    )
    return CompositionTraits(
        fetching=sum(time.total_ns - time.near_ns for time in times) / total,
        small=sum(time.total_ns for time in times if time.total_ns < SMALL_CALLS * call_overhead_ns) / total,
        interpolated=sum(predicted) / total,
    )


def _rows(composed: _Composed, *, mismatch: bool) -> tuple[EstimateRow, ...]:
    totals: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    first: dict[str, CompositionStep] = {}
    for step, time in zip(composed.steps, composed.times, strict=True):
        first.setdefault(step.fingerprint, step)
        counts[step.fingerprint] += 1
        totals[step.fingerprint] += time.total_ns
    rows = []
    for fingerprint, step in first.items():
        source = composed.sources.get(fingerprint)
        tier = _tier(step, composed.sources)
        rows.append(
            EstimateRow(
                fingerprint=fingerprint,
                name=step.name,
                count=counts[fingerprint],
                each_ns=round(totals[fingerprint] / counts[fingerprint]),
                total_ns=totals[fingerprint],
                share=totals[fingerprint] / max(1, composed.sequential_ns),
                tier=tier,
                mismatch=mismatch and tier in ("measured", "interpolated"),
                verdict=source.verdict if source else step.skip or "",
            )
        )
    return tuple(sorted(rows, key=lambda row: (-row.total_ns, row.fingerprint)))


def _tier(step: CompositionStep, sources: Mapping[str, _Source]) -> str:
    if step.free:
        return "free"
    return sources[step.fingerprint].tier if step.fingerprint in sources else "missing"
