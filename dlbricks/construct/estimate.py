"""From a composition and what a system measured to the latency of the whole, with an interval and a table. Pure."""

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from dlbricks.construct.cache_model import CacheModel, Latencies, StepTime, net_latencies, summed
from dlbricks.construct.interpolate import Interpolator
from dlbricks.construct.intervals import choose_band, interval, noise_factor, quadrature, together
from dlbricks.construct.rules import CriticalPath, Rule, pair_correction, schedule
from dlbricks.construct.types import (
    Composition,
    CompositionPair,
    CompositionStep,
    CompositionTraits,
    Estimate,
    EstimateRow,
    IntervalParts,
    StateShares,
)
from dlbricks.store.types import SystemResults

SMALL_CALLS = 5
"""A step counts as small below so many call overheads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """What is known of one sequence, whatever its place in the network."""

    net: Latencies
    tier: str
    verdict: str
    below_ns: float = 0.0
    """Half-width of the interval of a measured latency, downwards."""
    above_ns: float = 0.0
    relative: float = 0.0
    """Half-width of an interpolated latency as a share of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Composed:
    """The steps of a composition with their times."""

    steps: Sequence[CompositionStep]
    sources: Mapping[str, _Source]
    """By fingerprint, of steps and unions; what is missing has none."""
    times: Sequence[StepTime]
    corrections: Sequence[tuple[CompositionPair, int]] = ()
    """Pairs whose union is known, and what each adds, ns."""

    @property
    def sequential_ns(self) -> int:
        """Sum of all steps."""
        return sum(time.total_ns for time in self.times)


def estimate(
    composition: Composition,
    results: SystemResults,
    rule: Rule,
    *,
    interpolator: Interpolator | None = None,
    replay: Callable[[Sequence[int]], CriticalPath] | None = None,
    interleaved: bool = False,
) -> Estimate:
    """Compose the latency of a model from the stored latencies of its sequences.

    Each step gets the time that it takes at its place (``construct.cache_model``), call overhead taken
    out; one call overhead is put on the whole. Sequences without a latency are left out of the total and listed: the
    caller decides whether that is an estimate.

    Args:
        composition: the model; with its pairs if ``rule`` is ``pairs``.
        results: of one configuration, with unions of pairs if the rule needs them.
        rule: how sequences overlap.
        interpolator: learned from ``results``, to guess sequences without a result; a measured one never is guessed.
        replay: for the rule ``simulate``: from the times of the steps to the whole (``whatif.sources.networks``).
        interleaved: whether it is to be set beside a whole that was measured among these results, not at another
            hour: what the machine drifts, both do.
    """
    composed = _composed(composition, results, rule, interpolator)
    steps, sources = composition.steps, composed.sources
    durations = [time.total_ns for time in composed.times]
    made = replay(durations) if replay else schedule(rule, durations, [step.depends_on for step in steps])
    correction = sum(added for _, added in composed.corrections)
    total = max(0, made.makespan_ns + correction) + results.call_overhead_ns
    traits = _traits(composed, results.call_overhead_ns)
    chosen = choose_band(composition, results.configuration, str(rule), interleaved=interleaved)
    drift = 0.0 if interleaved else results.drift
    parts = _interval_parts(composition, composed, made.chain, chosen.band.around(traits), drift)
    low, high = interval(total, parts)
    wanted = len(composition.pairs) if rule.kind == "pairs" else 0
    return Estimate(
        network=composition.model,
        configuration=results.configuration,
        rule=str(rule),
        total_ns=total,
        low_ns=low,
        high_ns=high,
        layers=composition.layers,
        covered_layers=sum(len(step.layers) for step in steps if step.free or _tier(step, sources) == "measured"),
        interpolated_layers=sum(len(step.layers) for step in steps if _tier(step, sources) == "interpolated"),
        call_overhead_ns=results.call_overhead_ns,
        correction_ns=total - results.call_overhead_ns - made.makespan_ns,
        pairs_measured=len(composed.corrections),
        pairs_missing=wanted - len(composed.corrections),
        evidence=chosen.reason,
        curve="measured" if results.caches.curve else "assumed",
        parts=parts,
        states=_state_shares(composed),
        traits=traits,
        rows=_rows(composed, mismatch=bool(results.mismatch)),
        missing=tuple(dict.fromkeys(step.fingerprint for step in steps if _tier(step, sources) == "missing")),
    )


def _composed(
    composition: Composition, results: SystemResults, rule: Rule, interpolator: Interpolator | None
) -> _Composed:
    sources = _sources(composition, results, interpolator)
    model = CacheModel(composition.steps, {name: one.net for name, one in sources.items()}, results)
    times = model.times()
    corrections = []
    for pair in composition.pairs if rule.kind == "pairs" else ():
        ends = [composition.steps[index].fingerprint for index in (pair.first, pair.second)]
        if pair.fingerprint in results.measurements and all(end in sources for end in ends):
            first, second = (times[index].total_ns for index in (pair.first, pair.second))
            corrections.append((pair, pair_correction(first, second, model.union(pair).total_ns)))
    return _Composed(steps=composition.steps, sources=sources, times=times, corrections=corrections)


def _sources(composition: Composition, results: SystemResults, interpolator: Interpolator | None) -> dict[str, _Source]:
    """Look up every sequence and every union once; guess what is not there if somebody can."""
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
    return found | _guesses(composition, interpolator, found) if interpolator is not None else found


def _guesses(composition: Composition, interpolator: Interpolator, known: Container[str]) -> dict[str, _Source]:
    """Interpolate the sequences that have no result, those that lie outside of what was measured left out."""
    unknown = {step.fingerprint: step.features for step in composition.steps if step.fingerprint not in known}
    found = {}
    for fingerprint, features in unknown.items():
        guess = interpolator.predict(features) if features is not None else None
        if guess is not None:
            found[fingerprint] = _Source(net=guess.net, tier="interpolated", verdict="", relative=guess.relative)
    return found


def _interval_parts(
    composition: Composition,
    composed: _Composed,
    chain: Sequence[int],
    around: tuple[float, float],
    drift: float,
) -> IntervalParts:
    """Gather what makes the interval; only the steps that decide the total count."""
    weights = Counter(composition.steps[index].fingerprint for index in chain)
    for pair, _ in composed.corrections:
        weights[pair.fingerprint] += 1
        weights.subtract(composition.steps[index].fingerprint for index in (pair.first, pair.second))
    known = [(weight, composed.sources[name]) for name, weight in weights.items() if name in composed.sources]
    guessed: Counter[str] = Counter()
    for index in chain:
        name = composition.steps[index].fingerprint
        if name in composed.sources:
            guessed[name] += round(composed.sources[name].relative * composed.times[index].total_ns)
    return IntervalParts(
        sampling_low_ns=quadrature(weight * one.below_ns for weight, one in known),
        sampling_high_ns=quadrature(weight * one.above_ns for weight, one in known),
        interpolation_ns=round(together(guessed.values())),
        drift=drift,
        composition_low=around[0],
        composition_high=around[1],
    )


def _state_shares(composed: _Composed) -> StateShares:
    parts, total = summed(composed.times), max(1, composed.sequential_ns)
    return StateShares(
        near=parts.near_ns / total,
        constants=parts.constants_ns / total,
        outputs=parts.outputs_ns / total,
    )


def _traits(composed: _Composed, call_overhead_ns: int) -> CompositionTraits:
    times, total = composed.times, max(1, composed.sequential_ns)
    guessed = (
        time.total_ns
        for step, time in zip(composed.steps, times, strict=True)
        if _tier(step, composed.sources) == "interpolated"
    )
    return CompositionTraits(
        fetching=sum(time.total_ns - time.near_ns for time in times) / total,
        small=sum(time.total_ns for time in times if time.total_ns < SMALL_CALLS * call_overhead_ns) / total,
        interpolated=sum(guessed) / total,
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
