"""One row per network, as in the model tables of XSP (IPDPS 2020, section IV). Pure."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dlbricks.analysis.columns import flag, percent, real, text, whole
from dlbricks.analysis.counters import call_counters
from dlbricks.analysis.device import Kernels
from dlbricks.analysis.launching import call_share, launching
from dlbricks.analysis.layers import Layers
from dlbricks.analysis.model_level import call_points, optimal_batch, throughputs
from dlbricks.analysis.nouns import Table
from dlbricks.analysis.roofline import Points
from dlbricks.analysis.sources import ModelTimes, kernels_in, layers_in, model_times
from dlbricks.analysis.work import COMPUTED, DeviceWork, costs_note, work_by_call
from dlbricks.profile.nouns import Profile
from dlbricks.trace.intervals import covered_ns, union_by

TITLE = "Networks"
_CONVOLUTION = re.compile(r"conv", re.IGNORECASE)
_MATRIX = re.compile(r"matmul|gemm|attention|linear|addmm|bmm|einsum|lstm|gru|rnn", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Network:
    """What one row is made of."""

    profile: Profile
    times: tuple[ModelTimes, ...]
    """Of every batch, ascending."""
    best: int | None
    layers: Layers | None
    kernels: Kernels | None
    work: DeviceWork | None
    points: Points
    source: str
    """Of flops and bytes: counted, computed, or empty."""

    @property
    def latency_ns(self) -> float:
        """Of the smallest batch; NaN for none."""
        return self.times[0].median_ns if self.times else math.nan

    @property
    def fastest(self) -> int | None:
        """Place of the batch with the largest throughput."""
        rates = throughputs(self.times)
        return None if not len(rates) or np.isnan(rates).all() else int(np.nanargmax(rates))


def networks_table(profiles: Sequence[Profile]) -> Table:
    """Set networks beside each other: latency, batches, what they spend their time on, and what limits them."""
    rows = [_network(one) for one in profiles]
    fastest = [(one.times[one.fastest] if one.fastest is not None else None) for one in rows]
    columns = (
        text("network", [one.profile.network for one in rows]),
        text("system", [str(one.profile.system.get("name") or "") for one in rows]),
        text("provider", [str(one.profile.runtime.get("provider") or "") for one in rows], "Execution provider."),
        whole("batch", [_batch(one.times[0]) if one.times else math.nan for one in rows], "", "Smallest measured."),
        whole("latency_ns", [one.latency_ns for one in rows], "ns", "Of a call with that batch, undisturbed; median."),
        whole("low_ns", [one.times[0].summary.low[0] if one.times else math.nan for one in rows], "ns", "95 %."),
        whole("high_ns", [one.times[0].summary.high[0] if one.times else math.nan for one in rows], "ns", "95 %."),
        whole("optimal_batch", [one.best or math.nan for one in rows], "", "From which doubling gains 5 % or less."),
        real(
            "throughput_per_s",
            [throughputs([one])[0] if one else math.nan for one in fastest],
            "1/s",
            "Largest over the batches, inputs per second.",
        ),
        whole("throughput_batch", [_batch(one) if one else math.nan for one in fastest], "", "Batch of that."),
        whole("layers", [len(one.layers) if one.layers else math.nan for one in rows], "", "Executed in a call."),
        real("convolution_percent", [_share(one.layers, _CONVOLUTION) for one in rows], "%", "Of the time in layers."),
        real("matrix_percent", [_share(one.layers, _MATRIX) for one in rows], "%", "Of the time in layers."),
        real(
            "overhead_percent",
            [_overhead(one) for one in rows],
            "%",
            "Of a call: no layer runs; where kernels were recorded, no device is busy.",
        ),
        real(
            "launch_bound_percent", [_launch_bound(one) for one in rows], "%", "Of a call: devices wait for launches."
        ),
        real("flops", [one.points.flops[0] for one in rows], "flop", "Of a call with the smallest batch."),
        real("intensity", [one.points.intensity[0] for one in rows], "flop/B"),
        real("flops_per_s", [one.points.rate[0] for one in rows], "flop/s", "Flops over latency."),
        flag("memory_bound", [one.points.memory_bound[0] for one in rows], "Of the sums over its layers."),
    )
    return Table(id="networks", title=TITLE, columns=columns, notes=_notes(rows))


def _network(profile: Profile) -> _Network:
    times = tuple(one for one in (model_times(profile, batch) for batch in profile.batches) if one is not None)
    best, _ = optimal_batch([one.batch for one in times], throughputs(times))
    layers, kernels = layers_in(profile), kernels_in(profile)
    own = None if isinstance(layers, str) else layers[0]
    device = None if isinstance(kernels, str) else kernels[0]
    work = None if device is None else work_by_call(device)
    latency = np.array([times[0].median_ns if times else math.nan])
    counters = call_counters(profile, times[0].batch) if times else {}
    points, source = call_points(profile, own, work, latency, counters)
    return _Network(
        profile=profile, times=times, best=best, layers=own, kernels=device, work=work, points=points, source=source
    )


def _batch(times: ModelTimes) -> float:
    return times.batch or math.nan


def _share(layers: Layers | None, pattern: re.Pattern[str]) -> float:
    """Give the share of types that match a pattern in the time of layers, %."""
    if layers is None:
        return math.nan
    times = layers.latencies().median
    matching = np.array([pattern.search(name) is not None for name in layers.types], bool)
    return float(percent(times[matching].sum(), times.sum()))


def _overhead(one: _Network) -> float:
    """Give the share of a call in which nothing works, %.

    Busy time of devices is set against the undisturbed latency, as in A15; time in layers against calls of their run.
    """
    if one.kernels is not None:
        windows = one.kernels.layers.calls
        busy = covered_ns(windows.starts, windows.ends, one.kernels.starts_ns, one.kernels.ends_ns)
        return 100 - float(percent(np.median(busy), one.latency_ns))
    if one.layers is None or one.layers.calls.unit == "trace":
        return math.nan
    calls = one.layers.calls
    starts = one.layers.trace.start_ns[one.layers.rows]
    ends = np.minimum(starts + one.layers.durations_ns, calls.ends[one.layers.call])
    busy = union_by(one.layers.call, starts, ends, len(calls))
    return float(np.median(percent(calls.durations_ns - busy, calls.durations_ns)))


def _launch_bound(one: _Network) -> float:
    if one.kernels is None:
        return math.nan
    return 100 * call_share(one.kernels, launching(one.kernels)).share


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
