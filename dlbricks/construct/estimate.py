"""Estimates the latency of a network from its composition and the measurements of one system."""

import datetime as dt
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dlbricks.construct.asynchronous import LaunchShares, QueuedCall, bounds_ns, has_queue, is_asynchronous, queued_call
from dlbricks.construct.cache_model import CacheModel, Latencies, StepTime, net_latencies
from dlbricks.construct.intervals import TOGETHER, WIDENING, choose_band, interval
from dlbricks.construct.types import (
    Composition,
    CompositionPair,
    CompositionStep,
    CompositionTraits,
    Estimate,
    EstimateOrigin,
    EstimateRow,
    ExpectedError,
    IntervalParts,
    LatencyFigure,
    Rule,
    StateShares,
)
from dlbricks.errors import InputError
from dlbricks.statistics import correlated_sum, quadrature
from dlbricks.store.records import least_trusted, noise_factor
from dlbricks.store.types import Measurement, QueueTimes, SystemResults

if TYPE_CHECKING:
    from dlbricks.construct.interpolate import LatencyPredictor

NO_QUEUE = (
    "the results have no times of host and device, so only a lower and an upper bound are known: for an estimate, "
    "run the suite that `dlbricks plan` writes"
)
NO_WHOLE_CALL = "no whole network was called in the run, which would show how much longer the host takes in networks"
# Half-width of the intervals of estimates in standard deviations.
_SIGMAS = 1.645
# Half-width of the error of composing kernels, relative to their sum, and what is known about it.
DEVICE_COMPOSITION = 0.05
DEVICE_EVIDENCE = "equal kernels within two networks on one H200 differ by at most 4.5 % in nine of ten cases"
# Steps shorter than this many call overheads count as small: the error of the subtracted overhead matters there.
SMALL_CALLS = 5
# Composition bands come from runs some hours apart; operating systems, firmware and drivers are updated about once a
# month.
STALE_DAYS = 30
# Share of the time from similar parts up to which the errors of measured parts say what to expect.
_MOST_SIMILAR = 0.5
_DAY_NS = 86_400 * 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    # The latency of one sequence, independent of its place in the network, and where the latency comes from.
    net: Latencies
    tier: str
    verdict: str
    # Half-widths of the interval of a measured latency.
    below_ns: float = 0.0
    above_ns: float = 0.0
    # Half-width of the interval of an interpolated latency, relative to the latency.
    relative: float = 0.0
    # Interpolated times on host and device; None on a provider that computes on the host.
    queue: QueueTimes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Composed:
    # The steps of a composition with their times.
    steps: Sequence[CompositionStep]
    # Latencies of steps and pairs by fingerprint; sequences without a latency have no entry.
    sources: Mapping[str, _Source]
    times: Sequence[StepTime]
    # Pairs that were measured as one sequence, and the time that each adds, ns.
    corrections: Sequence[tuple[CompositionPair, int]]

    @property
    def sequential_ns(self) -> int:
        # Sum over all steps; at least 1, since shares are divided by it.
        return max(1, sum(time.total_ns for time in self.times))

    def tier(self, step: CompositionStep) -> str:
        # Return the tier of a step (``EstimateRow.tier``).
        if step.free:
            return "free"
        if step.fingerprint not in self.sources:
            return "missing"
        return "assumed" if step.assumed else self.sources[step.fingerprint].tier

    def layers(self, *tiers: str) -> int:
        # Return the number of layers in steps of some tiers.
        return sum(len(step.layers) for step in self.steps if self.tier(step) in tiers)


def estimate(
    composition: Composition,
    results: SystemResults,
    rule: Rule,
    *,
    interpolator: "LatencyPredictor | None" = None,
    traced: Mapping[str, LaunchShares] | None = None,
    interleaved: bool = False,
) -> Estimate:
    """Estimate the latency of a network from the measured latencies of its layer sequences.

    The total combines the times of all steps (occurrences of a sequence) by ``rule``, and includes one call overhead.
    The time of a step depends on the content of the caches at its start (``construct.cache_model``). On an asynchronous
    provider, host and device are simulated. The total omits sequences without a latency; ``missing`` lists these.

    Args:
        composition: the network as a list of steps, with pairs of steps if ``rule`` is ``pairs``.
        results: measurements of one configuration, with those of the pairs if ``rule`` is ``pairs``.
        interpolator: predictor of missing latencies, fitted to ``results``; None to predict none.
        traced: shares of kernel launches in traced sequences, by fingerprint; required for the rule ``simulate``.
        interleaved: whether the network itself was measured in the same run as ``results``; the interval then omits
            drift of the machine, which affects both.

    Raises:
        InputError: ``traced`` is missing for the rule ``simulate``; or the provider is asynchronous, and the rule is
            ``pairs`` or ``parallel``, or ``interpolator`` predicts no times of host and device.
    """
    if rule == Rule.SIMULATE and traced is None:
        raise InputError("rule 'simulate' requires traces, which only `dlbricks estimate` reads: choose another rule")
    if interleaved:  # network and sequences ran with the same synthetic inputs: nothing is assumed
        steps = tuple(replace(step, assumed="") for step in composition.steps)
        composition = replace(composition, steps=steps, assumed=())
    if is_asynchronous(results):
        return _on_device(composition, results, rule, traced or {}, interpolator, interleaved=interleaved)
    composed = _composed(composition, results, rule, interpolator)
    overhead_ns = results.call_overhead_ns
    durations = [time.total_ns for time in composed.times]
    chain: Sequence[int] = range(len(durations))
    if rule == Rule.PARALLEL:
        chain = critical_path(durations, [step.depends_on for step in composition.steps])
    plain_ns = sum(durations[index] for index in chain)
    total_ns = max(0, plain_ns + sum(added for _, added in composed.corrections)) + overhead_ns
    traits = _traits(composed, overhead_ns)
    chosen = choose_band(
        composition,
        results.configuration,
        str(rule),
        interleaved=interleaved,
        calibration=results.calibration,
        without_curve=not results.caches.curve and results.configuration.provider == "cpu",
    )
    drift = 0.0 if interleaved else results.drift
    parts = _interval_parts(composed, chain, chosen.band.around(traits), drift)
    wanted = len(composition.pairs) if rule == Rule.PAIRS else 0
    sequential_ns = composed.sequential_ns
    result = _estimate_of(composition, results, rule, composed, total_ns, parts)
    return replace(
        _with_evidence(result, chosen.reason, chosen.expected),
        correction_ns=total_ns - overhead_ns - plain_ns,
        pairs_measured=len(composed.corrections),
        pairs_missing=wanted - len(composed.corrections),
        states=StateShares(
            llc_warm=sum(time.llc_warm_ns for time in composed.times) / sequential_ns,
            weights_cold=sum(time.weights_cold_ns for time in composed.times) / sequential_ns,
            outputs=sum(time.outputs_ns for time in composed.times) / sequential_ns,
            inputs=sum(time.inputs_ns for time in composed.times) / sequential_ns,
        ),
        traits=traits,
    )


def critical_path(durations_ns: Sequence[int], depends_on: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the indices of the steps on the longest chain of dependent steps, in order."""
    ends: list[int] = []
    latest: list[int | None] = []
    for duration_ns, waits in zip(durations_ns, depends_on, strict=True):
        latest.append(max(waits, key=ends.__getitem__, default=None))
        ends.append(duration_ns + max((ends[step] for step in waits), default=0))
    last = max(range(len(ends)), key=ends.__getitem__, default=None)
    chain = list[int]()
    while last is not None:
        chain.append(last)
        last = latest[last]
    return tuple(reversed(chain))


def step_times(composition: Composition, results: SystemResults) -> list[int]:
    """Return the time of each step on a processor, ns, without call overhead."""
    composed = _composed(composition, results, Rule.PAIRS, None)
    times_ns = [time.total_ns for time in composed.times]
    # both steps of a pair that was measured as one sequence share what it adds
    for pair, added_ns in composed.corrections:
        times_ns[pair.first] += added_ns // 2
        times_ns[pair.second] += added_ns - added_ns // 2
    return [max(0, time_ns) for time_ns in times_ns]


def _on_device(
    composition: Composition,
    results: SystemResults,
    rule: Rule,
    traced: Mapping[str, LaunchShares],
    interpolator: "LatencyPredictor | None",
    *,
    interleaved: bool,
) -> Estimate:
    # Compose host and device as two resources; return bounds if only whole calls were timed.
    provider = results.configuration.provider
    if rule not in (Rule.SEQUENTIAL, Rule.SIMULATE):
        raise InputError(f"rule '{rule}' does not apply to the asynchronous provider {provider}: use sequential")
    composed = _composed(composition, results, rule, interpolator)
    results = replace(results, measurements=results.measurements | _queued_predictions(composed, provider))
    call = queued_call(composition, results, traced) if has_queue(composition, results) else None
    fetching = min(1.0, call.shares.fetching_ns / max(1, call.total_ns)) if call else 0.0
    traits = CompositionTraits(fetching=fetching)
    chosen = choose_band(composition, results.configuration, str(rule), interleaved=interleaved)
    low, high = chosen.band.around(traits)
    reason, host = f"{chosen.reason}; {NO_WHOLE_CALL}", results.calibration
    if host.host_spread:
        low = high = _SIGMAS * host.host_spread
        reason = f"host times scaled by {host.host:.2f}, as networks took longer than their parts ({host.networks})"
    parts = IntervalParts(
        sampling_low_ns=call.below_ns if call else 0,
        sampling_high_ns=call.above_ns if call else 0,
        interpolation_ns=0,
        drift=0.0 if interleaved else results.drift,
        composition_low=low,
        composition_high=high,
    )
    if call is None:
        least_ns, most_ns = bounds_ns(composition, results)
        bounds = _estimate_of(composition, results, rule, composed, least_ns, parts)
        high_ns = 0 if bounds.missing else interval(most_ns, parts)[1]
        return replace(bounds, high_ns=high_ns, evidence=NO_QUEUE, bounds_only=True)
    composed = replace(composed, times=[StepTime(llc_warm_ns=step_ns) for step_ns in call.steps_ns])
    result = _estimate_of(composition, results, rule, composed, call.total_ns, parts)
    result = replace(_with_evidence(result, reason, chosen.expected), queue=call.shares, traits=traits)
    if not result.high_ns:
        return result
    return replace(result, device=_device_figure(call, results), eager=_eager_figure(result))


def _with_evidence(estimate: Estimate, evidence: str, expected: ExpectedError) -> Estimate:
    # Validated estimates were of networks whose parts were all measured.
    if not estimate.total_ns:
        return estimate
    expected = expected.unknown("mostly similar parts") if estimate.similar > _MOST_SIMILAR else expected
    return replace(estimate, evidence=evidence, expected=expected)


def _device_figure(call: QueuedCall, results: SystemResults) -> LatencyFigure:
    total, below, above = call.device_ns
    evidence = f"kernels of parts, composed within ±{DEVICE_COMPOSITION:.0%} (assumed: {DEVICE_EVIDENCE})"
    if call.untraced:
        why = results.queue.untraced if results.queue else ""
        evidence += f"; {call.untraced:.0%} of it is bounded by durations of calls only" + (f": {why}" if why else "")
    composing = DEVICE_COMPOSITION * total
    return LatencyFigure(
        total_ns=round(total),
        low_ns=max(0, round(total - math.hypot(below, composing))),
        high_ns=round(total + math.hypot(above, composing)),
        evidence=evidence,
    )


def _eager_figure(estimate: Estimate) -> LatencyFigure:
    ends = {"low_ns": estimate.low_ns, "high_ns": estimate.high_ns}
    return LatencyFigure(total_ns=estimate.total_ns, **ends, evidence=estimate.evidence)


def _queued_predictions(composed: _Composed, provider: str) -> dict[str, Measurement]:
    # Return the predicted sequences in the form of measurements.
    #
    # Raises:
    #     InputError: a sequence has no predicted times of host and device.
    predicted = {name: source for name, source in composed.sources.items() if source.tier == "interpolated"}
    if any(source.queue is None for source in predicted.values()):
        text = f"times of host and device of unmeasured sequences cannot be predicted on {provider}"
        raise InputError(f"{text}: write a suite of these sequences with 'dlbricks plan', and measure it")
    return {
        fingerprint: Measurement(
            fingerprint=fingerprint,
            llc_warm_ns=round(source.net.llc_warm_ns),
            weights_cold_ns=(weights_cold_ns := round(source.net.weights_cold_ns)),
            latency_ns=weights_cold_ns,
            low_ns=weights_cold_ns,
            high_ns=weights_cold_ns,
            samples=0,
            verdict="stable",
            wall_ns=0,
            queue=source.queue,
        )
        for fingerprint, source in predicted.items()
    }


def _estimate_of(
    composition: Composition,
    results: SystemResults,
    rule: Rule,
    composed: _Composed,
    total_ns: int,
    parts: IntervalParts,
) -> Estimate:
    # Return an estimate with the fields that do not depend on rule and provider.
    tiers = {composed.tier(step) for step in composed.steps}
    low, high = interval(total_ns, parts)
    if tiers & {"assumed", "missing"}:
        low = high = 0
    # call overhead alone would look like the estimate of a fast network
    if "missing" in tiers and not tiers & {"measured", "interpolated", "assumed"}:
        total_ns = 0
    return Estimate(
        network=composition.model,
        configuration=results.configuration,
        rule=str(rule),
        total_ns=total_ns,
        low_ns=low,
        high_ns=high,
        layers=composition.layers,
        covered_layers=composed.layers("free", "measured"),
        interpolated_layers=composed.layers("interpolated"),
        assumed_layers=composed.layers("assumed"),
        assumed=composition.assumed,
        call_overhead_ns=results.queue.call_ns if results.queue else results.call_overhead_ns,
        curve="measured" if results.caches.curve else "assumed",
        parts=parts,
        mismatch=results.mismatch,
        rows=_rows(composed, mismatch=bool(results.mismatch)),
        missing=tuple(dict.fromkeys(step.fingerprint for step in composed.steps if composed.tier(step) == "missing")),
    )


def _composed(
    composition: Composition, results: SystemResults, rule: Rule, interpolator: "LatencyPredictor | None"
) -> _Composed:
    sources = _sources(composition, results, interpolator)
    model = CacheModel(composition.steps, {name: source.net for name, source in sources.items()}, results)
    times = model.times()
    corrections = []
    for pair in composition.pairs if rule == Rule.PAIRS else ():
        ends = [composition.steps[index].fingerprint for index in (pair.first, pair.second)]
        if pair.fingerprint in results.measurements and all(end in sources for end in ends):
            first, second = (times[index].total_ns for index in (pair.first, pair.second))
            corrections.append((pair, pair_correction(first, second, model.union(pair).total_ns)))
    return _Composed(steps=composition.steps, sources=sources, times=times, corrections=corrections)


def pair_correction(first_ns: int, second_ns: int, union_ns: int) -> int:
    """Return the time of two adjacent steps that were measured as one sequence, minus the sum of both times, ns."""
    # The shorter step bounds the magnitude: two layers that become one kernel save at most the shorter layer, and a
    # larger difference is noise of the longer step.
    bound = min(first_ns, second_ns)
    return max(-bound, min(bound, union_ns - first_ns - second_ns))


def _sources(
    composition: Composition, results: SystemResults, interpolator: "LatencyPredictor | None"
) -> dict[str, _Source]:
    # Look up each sequence and each pair once; predict missing sequences if there is an interpolator.
    features = {step.fingerprint: step.features for step in composition.steps if not step.free}
    sources: dict[str, _Source] = {}
    for fingerprint in (*features, *(pair.fingerprint for pair in composition.pairs)):
        measured, wanted = results.measurements.get(fingerprint), features.get(fingerprint)
        if measured is not None:
            factor = noise_factor(measured.verdict)
            sources[fingerprint] = _Source(
                net=net_latencies(measured, results),
                tier="measured",
                verdict=measured.verdict,
                below_ns=factor * (measured.latency_ns - measured.low_ns),
                above_ns=factor * (measured.high_ns - measured.latency_ns),
            )
        elif interpolator and wanted and (predicted := interpolator.predict(wanted)):
            sources[fingerprint] = _Source(
                net=predicted.net, tier="interpolated", verdict="", relative=predicted.relative, queue=predicted.queue
            )
    return sources


def _interval_parts(
    composed: _Composed, chain: Sequence[int], around: tuple[float, float], drift: float
) -> IntervalParts:
    # only steps on the critical path contribute to the error
    weights: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    for index in chain:
        fingerprint = composed.steps[index].fingerprint
        weights[fingerprint] += 1
        if fingerprint in composed.sources:
            predicted[fingerprint] += round(composed.sources[fingerprint].relative * composed.times[index].total_ns)
    # the measured union of a pair replaces its two steps
    for pair, _ in composed.corrections:
        weights[pair.fingerprint] += 1
        weights.subtract(composed.steps[index].fingerprint for index in (pair.first, pair.second))
    used = [(weight, composed.sources[name]) for name, weight in weights.items() if name in composed.sources]
    return IntervalParts(
        sampling_low_ns=round(quadrature(weight * source.below_ns for weight, source in used)),
        sampling_high_ns=round(quadrature(weight * source.above_ns for weight, source in used)),
        interpolation_ns=round(correlated_sum(predicted.values(), TOGETHER)),
        drift=drift,
        composition_low=around[0],
        composition_high=around[1],
    )


def _traits(composed: _Composed, call_overhead_ns: int) -> CompositionTraits:
    times, total_ns = composed.times, composed.sequential_ns
    predicted = (
        time.total_ns for step, time in zip(composed.steps, times, strict=True) if composed.tier(step) == "interpolated"
    )
    return CompositionTraits(
        fetching=sum(time.total_ns - time.llc_warm_ns for time in times) / total_ns,
        small=sum(time.total_ns for time in times if time.total_ns < SMALL_CALLS * call_overhead_ns) / total_ns,
        interpolated=sum(predicted) / total_ns,
    )


def _rows(composed: _Composed, *, mismatch: bool) -> tuple[EstimateRow, ...]:
    uses: dict[str, list[int]] = {}
    for step, time in zip(composed.steps, composed.times, strict=True):
        uses.setdefault(step.fingerprint, []).append(time.total_ns)
    rows, sequential_ns = [], composed.sequential_ns
    for fingerprint, step in {step.fingerprint: step for step in reversed(composed.steps)}.items():
        count, total_ns = len(uses[fingerprint]), sum(uses[fingerprint])
        source, tier = composed.sources.get(fingerprint), composed.tier(step)
        rows.append(
            EstimateRow(
                fingerprint=fingerprint,
                name=step.name,
                count=count,
                each_ns=round(total_ns / count),
                total_ns=total_ns,
                share=total_ns / sequential_ns,
                tier=tier,
                mismatch=mismatch and tier in ("measured", "interpolated", "assumed"),
                verdict=source.verdict if source else step.skip or "",
            )
        )
    return tuple(sorted(rows, key=lambda row: (-row.total_ns, row.fingerprint)))


def with_origin(estimate: Estimate, results: SystemResults, now_unix_ns: int) -> Estimate:
    """Return the estimate with ``origin``, and a wider interval if a stored run is older than ``STALE_DAYS``.

    An estimate without stored measurements does not change.
    """
    origins = {name: row.origin for name, row in results.measurements.items() if row.origin is not None}
    interpolated = {row.fingerprint for row in estimate.rows if row.tier == "interpolated"}
    used = [row.fingerprint for row in estimate.rows if row.tier != "free" and row.fingerprint in origins]
    # the interpolator was fitted to all measurements of the system
    used = list(origins) if interpolated else used
    if not used:
        return estimate
    smoke = {row.fingerprint for row in estimate.rows if row.fingerprint in origins and origins[row.fingerprint].smoke}
    if all(origin.smoke for origin in origins.values()):
        smoke |= interpolated
    runs = dict.fromkeys(origins[name].submission for name in used)
    oldest = min(origins[name].started_unix_ns for name in used)
    origin = EstimateOrigin(
        runs=len(runs),
        oldest_unix_ns=oldest,
        newest_unix_ns=max(origins[name].started_unix_ns for name in used),
        days=max(0, now_unix_ns - oldest) // _DAY_NS,
        smoke=_share(estimate, smoke),
        trust=least_trusted(origins[name].trust for name in used),
        standings=tuple(results.standings[run] for run in runs if run in results.standings),
    )
    shown = smoke - {row.fingerprint for row in estimate.rows if row.tier == "assumed"}
    rows = tuple(replace(row, tier="smoke test") if row.fingerprint in shown else row for row in estimate.rows)
    expected = estimate.expected and (estimate.expected.unknown("smoke tests") if origin.smoke else estimate.expected)
    estimate = replace(estimate, origin=origin, rows=rows, expected=expected)
    has_interval = estimate.high_ns and not estimate.bounds_only
    return _widened(estimate, origin.days) if origin.days > STALE_DAYS and has_interval else estimate


def _share(estimate: Estimate, chosen: Collection[str]) -> float:
    # Return the share of some sequences in the total time; if all take 0 ns, in the number of steps.
    weights = {row.fingerprint: row.total_ns for row in estimate.rows}
    if not any(weights.values()):
        weights = {row.fingerprint: row.count for row in estimate.rows}
    return sum(weights[name] for name in chosen) / max(1, sum(weights.values()))


def _widened(estimate: Estimate, days: int) -> Estimate:
    low, high = estimate.parts.composition_low, estimate.parts.composition_high
    parts = replace(
        estimate.parts,
        # bands are widened as logarithms to keep the lower end above 0
        composition_low=-math.expm1(WIDENING * math.log1p(-min(low, 1 - 1e-9))),
        composition_high=math.expm1(WIDENING * math.log1p(high)),
    )
    below, above = interval(estimate.total_ns, parts)
    evidence = f"{estimate.evidence}; width times {WIDENING:g}, since results are {days} days old"
    widened = replace(estimate, parts=parts, low_ns=below, high_ns=above, evidence=evidence)
    return replace(widened, eager=_eager_figure(widened)) if estimate.eager else widened


def remarks(estimate: Estimate) -> tuple[str, ...]:
    """Return warnings: assumed input values, smoke tests and old results."""
    origin, notes = estimate.origin, [*estimate.assumed]
    if origin is None:
        return tuple(notes)
    if origin.smoke:
        zeros = any(row.tier == "smoke test" and not row.each_ns for row in estimate.rows)
        notes.append(
            f"{origin.smoke:.0%} of the total comes from smoke tests (one short visit per benchmark) and may be "
            f"several times too high{', or too low where a time is 0 ns' * zeros}: run the suite without --smoke"
        )
    if origin.days > STALE_DAYS:
        day = dt.datetime.fromtimestamp(origin.oldest_unix_ns // 10**9, tz=dt.UTC).date()
        notes.append(f"measured on {day}, {origin.days} days ago: the interval is wider; run the suite again")
    return tuple(notes)
