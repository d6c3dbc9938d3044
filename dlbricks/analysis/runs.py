"""What each level of tracing adds to the latency of a call: leveled experiments, XSP (IPDPS 2020) section III-C.

The overhead of a level is the latency of the run that records it less that of the run whose deepest level is the one
above; so it is never inside a published latency. Calls of all levels alternate in rounds, and the difference is taken
round by round: what slows the machine for a while slows both sides. Pure.
"""

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.analysis.calls import GAIN, doubling_gains, optimal_batch, throughputs
from dlbricks.analysis.executions import device_rows, layers_of
from dlbricks.analysis.sources import Answer, layers_in, model_times
from dlbricks.analysis.statistics import grouped, medians, numbered, sums, trimmed_mean
from dlbricks.analysis.table import Column, flag, percent, real, text, whole
from dlbricks.harness.stats import median_interval
from dlbricks.profile.types import LEVELS, LevelRun, Profile
from dlbricks.trace.environment import Readings, readings, warnings, why
from dlbricks.trace.intervals import union_by, union_ns
from dlbricks.trace.types import Longs, Trace
from dlbricks.units import format_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeFigure:
    """A time from many samples, ns."""

    median_ns: float
    low_ns: float
    """Of the 95 % interval of the median."""
    high_ns: float
    trimmed_mean_ns: float
    """As XSP has it (``trimmed_mean``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelOverhead:
    """Calls at one level, and what that level adds to the one above it."""

    batch: int
    levels: str
    calls: int
    latency: TimeFigure
    """Of a call."""
    over: str
    """The next run with fewer levels; empty for the first."""
    added: TimeFigure | None
    """To a call of that run; None for the first."""
    relative: float | None
    """Median of what was added as a share of the median latency of that run; None for the first."""
    relative_low: float | None
    relative_high: float | None


def figure_of(values: Sequence[float]) -> TimeFigure:
    """Summarise samples.

    Args:
        values: ns, one or more.
    """
    middle, low, high = median_interval(values)
    return TimeFigure(median_ns=middle, low_ns=low, high_ns=high, trimmed_mean_ns=trimmed_mean(values))


def overheads(profile: Profile) -> tuple[LevelOverhead, ...]:
    """Say what each level adds, batch by batch, in the order of levels.

    Args:
        profile: runs without samples, as those of a trace that somebody else recorded, are left out.
    """
    made = []
    for batch in profile.batches:
        runs = [run for levels in LEVELS if (run := profile.run(levels, batch)) is not None and run.samples_ns]
        made += [_overhead(run, before) for run, before in zip(runs, [None, *runs], strict=False)]
    return tuple(made)


def _overhead(run: LevelRun, before: LevelRun | None) -> LevelOverhead:
    latency = figure_of(run.samples_ns)
    added = None if before is None else _difference(run.samples_ns, before.samples_ns)
    base = 0.0 if before is None else statistics.median(before.samples_ns)
    shares = (added.median_ns / base, added.low_ns / base, added.high_ns / base) if added and base else (None,) * 3
    return LevelOverhead(
        batch=run.batch,
        levels=run.levels,
        calls=len(run.samples_ns),
        latency=latency,
        over="" if before is None else before.levels,
        added=added,
        relative=shares[0],
        relative_low=shares[1],
        relative_high=shares[2],
    )


def _difference(longer: Sequence[int], shorter: Sequence[int]) -> TimeFigure:
    """Give what one run takes more than another; round by round where both have a sample of every round.

    Else the interval is that of a difference of medians of independent samples (Price and Bonett, "Distribution-free
    confidence intervals for difference and ratio of medians", J. Statist. Comput. Simul. 72 (2002)).
    """
    if len(longer) == len(shorter):
        return figure_of([long - short for long, short in zip(longer, shorter, strict=True)])
    long, short = figure_of(longer), figure_of(shorter)
    half = math.hypot(long.high_ns - long.low_ns, short.high_ns - short.low_ns) / 2
    middle = long.median_ns - short.median_ns
    return TimeFigure(
        median_ns=middle,
        low_ns=middle - half,
        high_ns=middle + half,
        trimmed_mean_ns=long.trimmed_mean_ns - short.trimmed_mean_ns,
    )


def batches(profile: Profile) -> Answer:
    """Compare batches type by type: where a larger batch pays and where it does not."""
    if len(profile.batches) < 2:
        return "needs runs of several batches; profile with --batch 1,2,4,8"
    rows: list[tuple[int, str, float]] = []
    notes: list[str] = []
    for batch in profile.batches:
        times = model_times(profile, batch)
        if times is not None:
            rows.append((batch, "", times.median_ns))
            notes += times.notes
        found = layers_in(profile, batch)
        if not isinstance(found, str):
            layers, said = found
            notes += said
            names, group = grouped(layers.types)
            cell, first = numbered(group[layers.layer], layers.call)
            added = sums(cell, layers.durations_ns, len(first))
            typical = medians(group[layers.layer][first], added, len(names))
            rows += [(batch, name, time) for name, time in zip(names, typical.tolist(), strict=True)]
    if not rows:
        return "no call was recorded"
    smallest = {name: (batch, time) for batch, name, time in reversed(rows)}
    found_times = [one for one in (model_times(profile, batch) for batch in profile.batches) if one is not None]
    numbers, rates = [one.batch for one in found_times], throughputs(found_times)
    best, why = optimal_batch(numbers, rates)
    gains = dict(zip(numbers, (100 * doubling_gains(numbers, rates)).tolist(), strict=True))
    rows.sort(key=lambda row: (row[1], row[0]))
    columns = (
        text("type", [name for _, name, _ in rows], "Operator; empty for the whole call."),
        whole("batch", [batch for batch, _, _ in rows], "", "Inputs per call."),
        whole("latency_ns", [time for _, _, time in rows], "ns", "Of all layers of the type in one call; medians."),
        whole("per_input_ns", [time / batch for batch, _, time in rows], "ns", "Latency over batch."),
        real(
            "efficiency_percent",
            [_efficiency(smallest[name], batch, time) for batch, name, time in rows],
            "%",
            "Time per input of the smallest batch over that of this one.",
        ),
        real(
            "doubling_gain_percent",
            [math.nan if name else gains.get(batch, math.nan) for batch, name, _ in rows],
            "%",
            "Throughput of the call gained by a doubling on the way to the next batch.",
        ),
        flag("optimal", [None if name else batch == best for batch, name, _ in rows], f"As in A1: {GAIN:.0%}."),
    )
    return columns, [*notes, *why]


def _efficiency(smallest: tuple[int, float], batch: int, time: float) -> float:
    return 100 * (smallest[1] / smallest[0]) / (time / batch) if time else math.nan


def lanes(profile: Profile) -> Answer:
    """Give how busy threads and streams are over the whole trace of the deepest run."""
    run = _deepest(profile)
    if run is None:
        return "needs a run that records layers or kernels"
    trace = run.trace
    host, device = layers_of(trace).rows, device_rows(trace)
    if not len(host) and not len(device):
        return "no layer and no kernel was recorded"
    both = np.concatenate((host, device))
    extent = int(trace.end_ns[both].max() - trace.start_ns[both].min())
    columns = _lane_rows(trace, host, "layer", extent), _lane_rows(trace, device, "kernel", extent)
    joined = tuple(
        Column(name=a.name, type=a.type, unit=a.unit, meaning=a.meaning, cells=a.cells + b.cells)
        for a, b in zip(*columns, strict=True)
    )
    return joined, [f"percentages are of {format_ns(extent)}, from the first to the last of these spans"]


def _lane_rows(trace: Trace, rows: Longs, level: str, extent: int) -> tuple[Column, ...]:
    """Give one row for each lane that has such spans, and one for all lanes of a device."""
    labels: list[tuple[str, str, str]] = []
    measured: list[tuple[int, int, int]] = []
    starts, ends = trace.start_ns[rows], np.maximum(trace.end_ns[rows], trace.start_ns[rows])
    lane = trace.lane[rows].astype(np.int64)
    busy = union_by(lane, starts, ends, len(trace.lanes))
    for number in np.unique(lane).tolist():
        mine, one = lane == number, trace.lanes[number]
        labels.append((one.process, one.device, one.name))
        measured.append((int(mine.sum()), int((ends - starts)[mine].sum()), int(busy[number])))
    devices = {(process, device) for process, device, _ in labels if device}
    for process, device in sorted(devices):
        here = [one.process == process and one.device == device for one in trace.lanes]
        mine = np.array(here, bool)[lane]
        labels.append((process, device, "all"))
        measured.append((int(mine.sum()), int((ends - starts)[mine].sum()), union_ns(starts[mine], ends[mine])))
    counts, totals, unions = (np.array([one[at] for one in measured], np.int64) for at in range(3))
    return (
        text("level", [level] * len(labels)),
        text("process", [one[0] for one in labels]),
        text("device", [one[1] for one in labels]),
        text("lane", [one[2] for one in labels], "Thread or stream; 'all' are those of a device together."),
        whole("spans", counts),
        whole("sum_ns", totals, "ns", "Sum of durations; what overlaps counts twice."),
        whole("busy_ns", unions, "ns", "Time during which at least one of them ran: a union."),
        real("busy_percent", percent(unions, extent), "%"),
    )


def _deepest(profile: Profile) -> LevelRun | None:
    for batch in profile.batches:
        for levels in reversed(LEVELS[1:]):
            found = profile.run(levels, batch)
            if found is not None:
                return found
    return None


def level_overhead(profile: Profile) -> Answer:
    """Give what each level of tracing adds to the latency of a call (XSP section III-C)."""
    found = overheads(profile) if profile.runtime else ()
    if not found:
        return "needs calls timed by dlbricks; this trace was recorded by something else"
    if len({one.levels for one in found}) == 1:
        return f"needs runs of several levels, as 'dlbricks profile' makes them; there is: {found[0].levels}"
    nothing = math.nan
    added = [one.added for one in found]
    columns = (
        whole("batch", [one.batch for one in found], "", "Inputs per call."),
        text("levels", [one.levels for one in found], "What the run records."),
        whole("calls", [one.calls for one in found], "", "Timed."),
        whole("latency_ns", [one.latency.median_ns for one in found], "ns", "Of a call, median."),
        whole("low_ns", [one.latency.low_ns for one in found], "ns", "Lower end of its 95 % interval."),
        whole("high_ns", [one.latency.high_ns for one in found], "ns", "Upper end of its 95 % interval."),
        whole("trimmed_mean_ns", [one.latency.trimmed_mean_ns for one in found], "ns", "As XSP averages."),
        text("over", [one.over for one in found], "Run that it is compared with."),
        whole("added_ns", [one.median_ns if one else nothing for one in added], "ns", "To a call of that run."),
        whole("added_low_ns", [one.low_ns if one else nothing for one in added], "ns", "Of its 95 % interval."),
        whole("added_high_ns", [one.high_ns if one else nothing for one in added], "ns", "Of its 95 % interval."),
        real("added_percent", [nothing if one.relative is None else 100 * one.relative for one in found], "%"),
    )
    return columns, ["calls of all levels alternate in rounds; published latencies are those of levels M"]


_NONE = (
    "needs clocks, temperature and power of a GPU: 'dlbricks profile --environment' records them with its kernels "
    "(level MLK)"
)
_Row = tuple[int, str, str, str, int, float | None, float | None, float | None, int | None]
"""Batch, device, quantity, unit, samples; least, median, most; or in how many samples a reason was told."""


def states_of(profile: Profile) -> tuple[tuple[LevelRun, tuple[Readings, ...]], ...]:
    """Give the runs in which a device was sampled, with what was; those that were serialised are left out."""
    found = ((run, readings(run.trace)) for run in profile.runs if not run.serialised)
    return tuple((run, sampled) for run, sampled in found if sampled)


def device_states(profile: Profile) -> Answer:
    """Give every quantity of every device: least, median, most; of throttling in how many samples each reason was."""
    found = states_of(profile)
    if not found:
        return _NONE
    rows = [row for run, sampled in found for one in sampled for row in _rows(run.batch, one)]
    batch, device, quantity, unit, samples, least, median, most, told = zip(*rows, strict=True)
    columns = (
        whole("batch", [one or float("nan") for one in batch], "", "Inputs per call."),
        text("device", device),
        text("quantity", quantity, "Of throttling: why clocks were not those that were asked for."),
        text("unit", unit, "Of least, median and most."),
        whole("samples", samples),
        real("least", _gaps(least)),
        real("median", _gaps(median)),
        real("most", _gaps(most)),
        real("told_percent", percent(_gaps(told), samples), "%", "Of the samples, those that told the reason."),
    )
    return columns, [note for _, sampled in found for note in warnings(sampled)]


def _gaps(values: tuple[float | None, ...]) -> list[float]:
    return [float("nan") if one is None else one for one in values]


def _rows(batch: int, one: Readings) -> Iterator[_Row]:
    count, device = len(one.values), one.lane.device
    if not one.are_reasons:
        middle = statistics.median(one.values)
        yield batch, device, one.quantity, one.unit, count, min(one.values), middle, max(one.values), None
        return
    words = [why(int(value)).split(", ") for value in one.values]
    for word in dict.fromkeys(word for said in words for word in said):
        told = sum(word in said for said in words)
        yield batch, device, f"throttling: {word}", "", count, None, None, None, told
