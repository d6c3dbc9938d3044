"""From a composition and what a system measured to the latency of the whole, with an interval and a table. Pure."""

from collections import Counter

from dlbricks.construct.intervals import composition_band, interval, sampling_half_width
from dlbricks.construct.nouns import Composition, CompositionStep, Estimate, EstimateRow, IntervalParts
from dlbricks.construct.rules import Rule, schedule
from dlbricks.store.nouns import Measurement, SystemResults


def estimate(composition: Composition, results: SystemResults, rule: Rule) -> Estimate:
    """Compose the latency of a model from the stored latencies of its sequences.

    Call overhead is taken out of every step (a step is never shorter than nothing) and put once on the whole.
    Sequences without a result are left out of the total and listed: the caller decides whether that is an estimate.

    Args:
        composition: the model.
        results: of one configuration.
        rule: how sequences overlap.
    """
    overhead = results.call_overhead_ns
    durations = [step_time_ns(step, results) for step in composition.steps]
    made = schedule(rule, durations, [step.depends_on for step in composition.steps])
    total = made.makespan_ns + overhead
    uses = Counter(composition.steps[index].fingerprint for index in made.chain)
    parts = _interval_parts(composition, results, uses)
    low, high = interval(total, parts)
    known = [step for step in composition.steps if step.free or step.fingerprint in results.measurements]
    missing = dict.fromkeys(
        step.fingerprint for step in composition.steps if not step.free and step.fingerprint not in results.measurements
    )
    return Estimate(
        model=composition.model,
        configuration=results.configuration,
        rule=str(rule),
        total_ns=total,
        low_ns=low,
        high_ns=high,
        layers=composition.layers,
        covered_layers=sum(len(step.layers) for step in known),
        call_overhead_ns=overhead,
        parts=parts,
        rows=_rows(composition, results, sum(durations)),
        missing=tuple(missing),
    )


def step_time_ns(step: CompositionStep, results: SystemResults) -> int:
    """Give the time of one step in a network: latency less call overhead; 0 for views and for what is missing."""
    measured = results.measurements.get(step.fingerprint)
    if step.free or measured is None:
        return 0
    return max(0, measured.latency_ns - results.call_overhead_ns)


def _interval_parts(composition: Composition, results: SystemResults, uses: Counter[str]) -> IntervalParts:
    """Gather what makes the interval; ``uses`` counts each sequence on the chain that decides the total."""
    band = composition_band(composition.target, composition.granularity)
    used = [(count, results.measurements[name]) for name, count in uses.items() if name in results.measurements]
    return IntervalParts(
        sampling_low_ns=sampling_half_width((count, one.latency_ns - one.low_ns) for count, one in used),
        sampling_high_ns=sampling_half_width((count, one.high_ns - one.latency_ns) for count, one in used),
        drift=results.drift,
        composition_low=-band.low,
        composition_high=band.high,
    )


def _rows(composition: Composition, results: SystemResults, sequential_ns: int) -> tuple[EstimateRow, ...]:
    first = {step.fingerprint: step for step in reversed(composition.steps)}
    counts = Counter(step.fingerprint for step in composition.steps)
    rows = []
    for fingerprint, count in counts.items():
        step = first[fingerprint]
        each = step_time_ns(step, results)
        measured = results.measurements.get(fingerprint)
        rows.append(
            EstimateRow(
                fingerprint=fingerprint,
                name=step.name,
                count=count,
                each_ns=each,
                total_ns=count * each,
                share=count * each / sequential_ns if sequential_ns else 0.0,
                tier=_tier(step, measured),
                verdict=measured.verdict if measured else step.skip or "",
            )
        )
    return tuple(sorted(rows, key=lambda row: (-row.total_ns, row.fingerprint)))


def _tier(step: CompositionStep, measured: Measurement | None) -> str:
    if step.free:
        return "free"
    return "missing" if measured is None else "measured"
