"""Analyses of runs: overhead of each tracing level, comparison of batches, device states.

The overhead of a level is the latency of the run that records it minus that of the run one level above (leveled
experiments, XSP, IPDPS 2020, section III-C), so published latencies do not contain it. Calls of all levels alternate in
rounds, and differences are taken per round, so that drift of the machine cancels.
"""

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dlbricks.analysis.calls import GAIN, doubling_gains, optimal_batch, throughputs
from dlbricks.analysis.layers import over_calls
from dlbricks.analysis.sources import all_model_times, layers_in
from dlbricks.analysis.table import (
    TableContent,
    UnavailableError,
    flag,
    grouped,
    percent,
    real,
    text,
    trimmed_mean,
    whole,
)
from dlbricks.harness.stats import median_interval
from dlbricks.profile.types import LEVELS, LevelRun, Profile
from dlbricks.trace.devices import DeviceSamples, device_samples, throttle_text, throttling_notes


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeFigure:
    """Statistics of time samples, ns."""

    median_ns: float
    low_ns: float
    """Lower end of the 95 % interval of the median."""
    high_ns: float
    trimmed_mean_ns: float
    """As in XSP (``trimmed_mean``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelOverhead:
    """Latency at one level, and its overhead over the level above."""

    batch: int
    levels: str
    calls: int
    latency: TimeFigure
    """Latency of a call."""
    over: str
    """Levels of the run compared with; empty for the first."""
    added: TimeFigure | None
    """Overhead per call; None for the first."""
    relative: float | None
    """Median overhead as a share of the median latency of that run; None for the first."""
    relative_low: float | None
    relative_high: float | None


def overheads(profile: Profile) -> tuple[LevelOverhead, ...]:
    """Return the overhead of each level, by batch, in level order.

    Args:
        profile: runs without samples, as in traces of other tools, are ignored.
    """
    level_overheads = []
    for batch in profile.batches:
        runs = [run for levels in LEVELS if (run := profile.run(levels, batch)) is not None and run.samples_ns]
        level_overheads += [_overhead(run, before) for run, before in zip(runs, [None, *runs], strict=False)]
    return tuple(level_overheads)


def _overhead(run: LevelRun, before: LevelRun | None) -> LevelOverhead:
    added = None if before is None else _difference(run.samples_ns, before.samples_ns)
    base = 0.0 if before is None else statistics.median(before.samples_ns)
    shares = (added.median_ns / base, added.low_ns / base, added.high_ns / base) if added and base else (None,) * 3
    return LevelOverhead(
        batch=run.batch,
        levels=run.levels,
        calls=len(run.samples_ns),
        latency=_figure(run.samples_ns),
        over="" if before is None else before.levels,
        added=added,
        relative=shares[0],
        relative_low=shares[1],
        relative_high=shares[2],
    )


def _difference(longer: Sequence[int], shorter: Sequence[int]) -> TimeFigure:
    """Return the difference between two runs, per round if both have a sample in every round.

    Otherwise the interval is that of the difference of medians of independent samples (Price and Bonett,
    "Distribution-free confidence intervals for difference and ratio of medians", J. Statist. Comput. Simul. 72 (2002)).
    """
    if len(longer) == len(shorter):
        return _figure([long - short for long, short in zip(longer, shorter, strict=True)])
    long, short = _figure(longer), _figure(shorter)
    half = math.hypot(long.high_ns - long.low_ns, short.high_ns - short.low_ns) / 2
    middle = long.median_ns - short.median_ns
    return TimeFigure(
        median_ns=middle,
        low_ns=middle - half,
        high_ns=middle + half,
        trimmed_mean_ns=long.trimmed_mean_ns - short.trimmed_mean_ns,
    )


def _figure(values: Sequence[float]) -> TimeFigure:
    middle, low, high = median_interval(values)
    return TimeFigure(median_ns=middle, low_ns=low, high_ns=high, trimmed_mean_ns=trimmed_mean(values))


def level_overhead(profile: Profile) -> TableContent:
    """Return the overhead of each tracing level per call (XSP section III-C)."""
    levels = overheads(profile) if profile.runtime else ()
    if not levels:
        raise UnavailableError("needs calls timed by dlbricks; this trace is from another tool")
    if len({level.levels for level in levels}) == 1:
        raise UnavailableError(
            f"needs runs of several levels, as 'dlbricks profile' makes them; there is: {levels[0].levels}"
        )
    unknown = TimeFigure(median_ns=math.nan, low_ns=math.nan, high_ns=math.nan, trimmed_mean_ns=math.nan)
    added = [level.added or unknown for level in levels]
    columns = (
        whole("batch", [level.batch for level in levels], "", "Inputs per call."),
        text("levels", [level.levels for level in levels], "Levels that the run records."),
        whole("calls", [level.calls for level in levels], "", "Number of timed calls."),
        whole("latency_ns", [level.latency.median_ns for level in levels], "ns", "Median latency of a call."),
        whole("low_ns", [level.latency.low_ns for level in levels], "ns", "Lower end of its 95 % interval."),
        whole("high_ns", [level.latency.high_ns for level in levels], "ns", "Upper end of its 95 % interval."),
        whole(
            "trimmed_mean_ns",
            [level.latency.trimmed_mean_ns for level in levels],
            "ns",
            "Mean without the lowest and highest fifth, as in XSP.",
        ),
        text("over", [level.over for level in levels], "Levels of the run that it is compared with."),
        whole("added_ns", [figure.median_ns for figure in added], "ns", "Overhead per call over that run."),
        whole("added_low_ns", [figure.low_ns for figure in added], "ns", "Of its 95 % interval."),
        whole("added_high_ns", [figure.high_ns for figure in added], "ns", "Of its 95 % interval."),
        real("added_percent", [math.nan if level.relative is None else 100 * level.relative for level in levels], "%"),
    )
    return columns, ["calls of all levels alternate in rounds; published latencies are those of levels M"]


def batches(profile: Profile) -> TableContent:
    """Compare the efficiency of batches by layer type."""
    if len(profile.batches) < 2:
        raise UnavailableError("needs runs of several batches; profile with --batch 1,2,4,8")
    times = {timed.batch: timed for timed in all_model_times(profile)}
    rows = [("", batch, timed.median_ns) for batch, timed in times.items()]
    notes: list[str] = []
    for batch in profile.batches:
        notes += times[batch].notes if batch in times else ()
        try:
            layers, words_of = layers_in(profile, batch)
        except UnavailableError:
            continue
        notes += words_of
        names, group = grouped(layers.types)
        typical = over_calls(group[layers.which], layers.call, layers.durations_ns, len(names)).median
        rows += [(name, batch, time) for name, time in zip(names, typical.tolist(), strict=True)]
    if not rows:
        raise UnavailableError("no call was recorded")
    rows.sort()
    smallest = {name: time / batch for name, batch, time in reversed(rows)}
    numbers, rates = list(times), throughputs(list(times.values()))
    best, why_none = optimal_batch(numbers, rates)
    gains = dict(zip(numbers, (100 * doubling_gains(numbers, rates)).tolist(), strict=True))
    columns = (
        text("type", [name for name, _, _ in rows], "Operator; empty for the whole call."),
        whole("batch", [batch for _, batch, _ in rows], "", "Inputs per call."),
        whole("latency_ns", [time for _, _, time in rows], "ns", "Sum over layers of the type in one call; median."),
        whole("per_input_ns", [time / batch for _, batch, time in rows], "ns", "Latency over batch."),
        real(
            "efficiency_percent",
            [100 * smallest[name] / (time / batch) if time else math.nan for name, batch, time in rows],
            "%",
            "Time per input of the smallest batch, divided by that of this batch.",
        ),
        real(
            "doubling_gain_percent",
            [math.nan if name else gains.get(batch, math.nan) for name, batch, _ in rows],
            "%",
            "Gain in throughput of the call per doubling, up to the next batch.",
        ),
        flag("optimal", [None if name else batch == best for name, batch, _ in rows], f"As in A1: {GAIN:.0%}."),
    )
    return columns, [*notes, *why_none]


_Row = tuple[int, str, str, str, int, float | None, float | None, float | None, int | None]
"""Batch, device, quantity, unit, samples; minimum, median, maximum; number of samples with a throttling reason."""


def states_of(profile: Profile) -> tuple[tuple[LevelRun, tuple[DeviceSamples, ...]], ...]:
    """Return the runs with device samples, and the samples; serialised runs are left out."""
    sampled_runs = ((run, device_samples(run.trace)) for run in profile.runs if not run.serialised)
    return tuple((run, sampled) for run, sampled in sampled_runs if sampled)


def device_states(profile: Profile) -> TableContent:
    """Return minimum, median and maximum of every device quantity; for throttling the share of each reason."""
    states = states_of(profile)
    if not states:
        raise UnavailableError(
            "needs clocks, temperature and power of a GPU: 'dlbricks profile --environment' records them with "
            "kernels (level MLK)"
        )
    rows = [row for run, sampled in states for samples in sampled for row in _rows(run.batch, samples)]
    batch, device, quantity, unit, samples, least, median, most, giving = zip(*rows, strict=True)
    columns = (
        whole("batch", [number or math.nan for number in batch], "", "Inputs per call."),
        text("device", device),
        text("quantity", quantity, "For throttling: the reason for lower clocks."),
        text("unit", unit, "Unit of least, median and most."),
        whole("samples", samples),
        real("least", _gaps(least)),
        real("median", _gaps(median)),
        real("most", _gaps(most)),
        real("told_percent", percent(_gaps(giving), samples), "%", "Share of the samples with this reason."),
    )
    return columns, [note for _, sampled in states for note in throttling_notes(sampled)]


def _gaps(values: Sequence[float | None]) -> list[float]:
    return [math.nan if value is None else value for value in values]


def _rows(batch: int, samples: DeviceSamples) -> Iterator[_Row]:
    values, count, device = samples.values, len(samples.values), samples.lane.device
    if not samples.are_reasons:
        low, middle, high = min(values), statistics.median(values), max(values)
        yield batch, device, samples.quantity, samples.unit, count, low, middle, high, None
        return
    words = [throttle_text(int(value)).split(", ") for value in values]
    for word in dict.fromkeys(word for words_of in words for word in words_of):
        giving = sum(word in words_of for words_of in words)
        yield batch, device, f"throttling: {word}", "", count, None, None, None, giving
