"""Analyses of runs as wholes: batches against each other, lanes, what each level of tracing adds. Pure."""

import math

import numpy as np

from dlbricks.analysis.columns import flag, percent, real, text, whole
from dlbricks.analysis.device import device_rows
from dlbricks.analysis.layer_level import grouped
from dlbricks.analysis.layers import layers_of
from dlbricks.analysis.model_level import GAIN, doubling_gains, optimal_batch, throughputs
from dlbricks.analysis.nouns import Column
from dlbricks.analysis.sources import Answer, layers_in, model_times
from dlbricks.analysis.statistics import medians, numbered, sums
from dlbricks.profile.nouns import LEVELS, LevelRun, Profile
from dlbricks.profile.overhead import overheads
from dlbricks.trace.intervals import union_by, union_ns
from dlbricks.trace.nouns import Longs, Trace
from dlbricks.units import format_ns


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
