"""Several networks in one table, a row for each: the model tables of XSP (IPDPS 2020, section IV)."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.analysis.calls import call_counters, call_points, optimal_batch, throughputs
from dlbricks.analysis.device_time import launching
from dlbricks.analysis.executions import KernelTable, LayerTable
from dlbricks.analysis.roofline import COMPUTED, Points, costs_note, work_by_call
from dlbricks.analysis.sources import (
    ModelTimes,
    all_model_times,
    kernels_if_any,
    layers_if_any,
)
from dlbricks.analysis.table import (
    Table,
    flag,
    percent,
    real,
    text,
    whole,
)
from dlbricks.profile.types import Profile
from dlbricks.trace.intervals import covered_ns, union_by

_CONVOLUTION = re.compile(r"conv", re.IGNORECASE)
_MATRIX = re.compile(r"matmul|gemm|attention|linear|addmm|bmm|einsum|lstm|gru|rnn", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Network:
    """What one row is made of."""

    profile: Profile
    times: tuple[ModelTimes, ...]
    """Of every batch, ascending."""
    best: int | None
    layers: LayerTable | None
    kernels: KernelTable | None
    points: Points
    source: str
    """Of flops and bytes: counted, computed, or empty."""

    def of_smallest(self, value: Callable[[ModelTimes], float]) -> float:
        """Give a figure of the smallest batch; NaN for none."""
        return value(self.times[0]) if self.times else math.nan

    def of_fastest(self, value: Callable[[ModelTimes], float]) -> float:
        """Give a figure of the batch with the largest throughput; NaN for none."""
        rates = throughputs(self.times)
        return math.nan if np.isnan(rates).all() else value(self.times[int(np.nanargmax(rates))])


def networks_table(profiles: Sequence[Profile]) -> Table:
    """Show networks in one table: latency, batches, what they spend their time on, and what limits them."""
    rows = [_network(one) for one in profiles]
    columns = (
        text("network", [one.profile.network for one in rows]),
        text("system", [str(one.profile.system.get("name") or "") for one in rows]),
        text("provider", [str(one.profile.runtime.get("provider") or "") for one in rows], "Execution provider."),
        whole("batch", [one.of_smallest(_batch) for one in rows], "", "Smallest measured."),
        whole("latency_ns", [one.of_smallest(lambda times: times.median_ns) for one in rows], "ns",
              "Of a call with that batch, undisturbed; median."),
        whole("low_ns", [one.of_smallest(lambda times: times.summary.low[0]) for one in rows], "ns", "95 %."),
        whole("high_ns", [one.of_smallest(lambda times: times.summary.high[0]) for one in rows], "ns", "95 %."),
        whole("optimal_batch", [one.best or math.nan for one in rows], "", "From which doubling gains 5 % or less."),
        real("throughput_per_s", [one.of_fastest(lambda times: throughputs([times])[0]) for one in rows], "1/s",
             "Largest over the batches, inputs per second."),
        whole("throughput_batch", [one.of_fastest(_batch) for one in rows], "", "Batch of that."),
        whole("layers", [len(one.layers) if one.layers else math.nan for one in rows], "", "Executed in a call."),
        real("convolution_percent", [_share(one.layers, _CONVOLUTION) for one in rows], "%", "Of the time in layers."),
        real("matrix_percent", [_share(one.layers, _MATRIX) for one in rows], "%", "Of the time in layers."),
        real("overhead_percent", [_overhead(one) for one in rows], "%",
             "Of a call: no layer runs; where kernels were recorded, no device is busy."),
        real("launch_bound_percent", [_launch_bound(one) for one in rows], "%",
             "Of a call: devices wait for launches."),
        real("flops", [one.points.flops[0] for one in rows], "flop", "Of a call with the smallest batch."),
        real("intensity", [one.points.intensity[0] for one in rows], "flop/B"),
        real("flops_per_s", [one.points.rate[0] for one in rows], "flop/s", "Flops over latency."),
        flag("memory_bound", [one.points.memory_bound[0] for one in rows], "Of the sums over its layers."),
    )  # fmt: skip
    return Table(id="networks", title="Networks", columns=columns, notes=_notes(rows))


def _network(profile: Profile) -> _Network:
    times = tuple(all_model_times(profile))
    best, _ = optimal_batch([one.batch for one in times], throughputs(times))
    layers, kernels = layers_if_any(profile), kernels_if_any(profile)
    work = None if kernels is None else work_by_call(kernels)
    latency = np.array([times[0].median_ns if times else math.nan])
    counters = call_counters(profile, times[0].batch) if times else {}
    points, source = call_points(profile, layers, work, latency, counters)
    return _Network(
        profile=profile, times=times, best=best, layers=layers, kernels=kernels, points=points, source=source
    )


def _batch(times: ModelTimes) -> float:
    return times.batch or math.nan


def _share(layers: LayerTable | None, pattern: re.Pattern[str]) -> float:
    """Give the share of types that match a pattern in the time of layers, %."""
    if layers is None:
        return math.nan
    times = layers.latencies().median
    matching = np.array([pattern.search(name) is not None for name in layers.types], bool)
    return float(percent(times[matching].sum(), times.sum()))


def _overhead(one: _Network) -> float:
    """Give the share of a call in which nothing works, %.

    Busy time of devices is compared with the undisturbed latency, as in A15; time in layers with calls of their run.
    """
    if one.kernels is not None:
        windows = one.kernels.layers.calls
        busy = covered_ns(windows.starts, windows.ends, one.kernels.starts_ns, one.kernels.ends_ns)
        return 100 - float(percent(np.median(busy), one.of_smallest(lambda times: times.median_ns)))
    if one.layers is None or one.layers.calls.unit == "trace":
        return math.nan
    calls, layers = one.layers.calls, one.layers
    ends = np.minimum(layers.ends_ns, calls.ends[layers.call])
    busy = union_by(layers.call, layers.starts_ns, ends, len(calls))
    return float(np.median(percent(calls.durations_ns - busy, calls.durations_ns)))


def _launch_bound(one: _Network) -> float:
    return math.nan if one.kernels is None else 100 * launching(one.kernels).share


def _notes(rows: Sequence[_Network]) -> tuple[str, ...]:
    notes = [f"{one.profile.network}: {note}" for one in rows for times in one.times for note in times.notes]
    notes += [
        f"{one.profile.network}: {note}"
        for one in rows
        if one.layers is not None and one.source == COMPUTED
        for note in costs_note(one.layers)
    ]
    without = [one.profile.network for one in rows if one.profile.roofs is None]
    if without:
        notes.append(f"no roofs were measured for {', '.join(without)}")
    return tuple(dict.fromkeys(notes))
