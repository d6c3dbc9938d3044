"""Analyses across levels: A13 and A14 of XSP (IPDPS 2020, Table I). Pure."""

import bisect
from dataclasses import dataclass

import numpy as np

from dlbricks.analysis.executions import KernelTable, LayerTable
from dlbricks.analysis.sources import Answer, identity, kernels_in, layers_in
from dlbricks.analysis.statistics import Floats, grouped, medians, numbered, sums
from dlbricks.analysis.table import Column, percent, real, taken, whole
from dlbricks.profile.types import Profile
from dlbricks.trace.intervals import uncovered, union_by
from dlbricks.trace.types import NONE, Longs
from dlbricks.units import format_ns


def device_share(profile: Profile) -> Answer:
    """A13: of each layer, the time during which a device was busy for it and the rest.

    XSP subtracts the sum of kernel times, which is negative where kernels overlap or outlast their layer; here it is
    the union of their intervals, and of those the part within the layer. Where nothing is launched, layers are the
    work and what the runtime spends before each is the rest.
    """
    layers = layers_in(profile)
    if isinstance(layers, str):
        return layers
    kernels = kernels_in(profile)
    if isinstance(kernels, str):
        return _on_host(*layers)
    found, notes = kernels
    own, inside = found.layers, found.within != NONE
    if not len(own) or not inside.any():
        return "needs kernels that lie in layers; none of the recorded ones does"
    within, starts, ends = found.within[inside], found.starts_ns[inside], found.ends_ns[inside]
    layer_start = own.trace.start_ns[own.rows]
    layer_end = layer_start + own.durations_ns
    busy = union_by(within, starts, ends, len(own.rows))
    overlap = union_by(
        within, np.maximum(starts, layer_start[within]), np.minimum(ends, layer_end[within]), len(own.rows)
    )
    columns = (
        *_shares(own, own.durations_ns, overlap),
        whole("after_ns", _median(own, busy - overlap), "ns", "Device time of the layer after its host part ended."),
    )
    return columns, [*notes, "all times are of the run that recorded kernels, so that they are of one clock and run"]


def _on_host(layers: LayerTable, notes: tuple[str, ...]) -> Answer:
    """Set layers beside what the runtime spends before each of them, without a layer of any lane running."""
    gaps, trailing = gaps_before(layers)
    work = layers.durations_ns
    rest = medians(np.zeros(len(trailing), np.int64), trailing, 1)[0]
    said = (
        "no kernels were recorded: busy is the time in the layer, other what the runtime spends before it",
        f"after the last layer a call goes on for {format_ns(rest)}",
    )
    columns = (*_shares(layers, work + gaps, work), whole("after_ns", np.full(len(layers), np.nan), "ns"))
    return columns, (*notes, *said)


def _shares(layers: LayerTable, latency: Longs, busy: Longs) -> tuple[Column, ...]:
    return (
        *identity(layers),
        whole("latency_ns", _median(layers, latency), "ns", "Median over calls."),
        whole("busy_ns", _median(layers, busy), "ns", "Within the latency, at work: a union of intervals."),
        whole("other_ns", _median(layers, latency - busy), "ns", "Within the latency, not at work."),
        real("busy_percent", _median(layers, percent(busy, latency)), "%", "Of the latency."),
    )


def _median(layers: LayerTable, values: Floats | Longs) -> Floats:
    return medians(layers.layer, values, len(layers))


def gaps_before(layers: LayerTable) -> tuple[Longs, Longs]:
    """Give the time without any layer before each execution, and after the last one of each call, ns.

    A gap belongs to the layer that ends it; where several start at once, to the first of the table.
    """
    starts = layers.trace.start_ns[layers.rows]
    ends = starts + layers.durations_ns
    gaps = np.zeros(len(layers.rows), np.int64)
    trailing = np.zeros(len(layers.calls), np.int64)
    bounds = np.searchsorted(layers.call, np.arange(len(layers.calls) + 1))
    for call in range(len(layers.calls)):
        mine = slice(int(bounds[call]), int(bounds[call + 1]))
        begin, end = int(layers.calls.starts[call]), int(layers.calls.ends[call])
        free_from, free_to = uncovered(begin, max(begin, end), starts[mine], ends[mine])
        after = np.searchsorted(starts[mine], free_to)
        last = after >= mine.stop - mine.start
        trailing[call] = (free_to - free_from)[last].sum()
        gaps[mine.start + after[~last]] = (free_to - free_from)[~last]
    return gaps, trailing


def critical_path(profile: Profile) -> Answer:
    """Give what each layer has of the critical path of a call: time at work, and idle time before that work."""
    kernels, layers = kernels_in(profile), layers_in(profile)
    if isinstance(layers, str):
        return layers
    own, notes = layers
    if isinstance(kernels, str):
        starts = own.trace.start_ns[own.rows]
        found = walked(own, own.call, starts, starts + own.durations_ns, own.layer)
        said = "work is time in layers; idle is time before them in which no layer ran"
    else:
        own, notes = kernels[0].layers, kernels[1]
        found = _device_path(kernels[0])
        said = "work is time of devices; idle is time before it in which the path waits for the host"
    work, idle, after = found
    count = len(own)
    total = float(np.mean(own.calls.durations_ns)) if len(own.calls) else np.nan
    columns = (
        *identity(own),
        whole("path_ns", work[:count] + idle[:count], "ns", "Of the critical path: work and idle time before it."),
        whole("work_ns", work[:count], "ns", "Mean over calls of its time on the critical path."),
        whole("idle_ns", idle[:count], "ns", "Mean over calls of the time before that in which nothing ran."),
        real("share_percent", percent(work[:count] + idle[:count], total), "%", "Of the calls that were traced."),
    )
    rest = [f"from the end of the path to the end of the call: {format_ns(after)}"]
    if work[count]:
        rest.append(f"work in no layer has {format_ns(work[count] + idle[count])} of the path")
    return columns, (*notes, said, *rest)


def _device_path(kernels: KernelTable) -> tuple[Floats, Floats, float]:
    of = kernels.layer[kernels.kernel]
    layers = kernels.layers
    return walked(layers, kernels.call, kernels.starts_ns, kernels.ends_ns, np.where(of == NONE, len(layers), of))


def walked(layers: LayerTable, call: Longs, starts: Longs, ends: Longs, layer: Longs) -> tuple[Floats, Floats, float]:
    """Walk the path of every call.

    Args:
        layers: of the run.
        call: of each interval.
        starts: of each interval, ns.
        ends: of each interval, ns.
        layer: of each interval; the number behind the last layer for none.

    Returns:
        By layer: mean over calls of the time on the path, and of the idle time before; one more entry for what lies in
        no layer. And the mean time between the end of the path and that of its call.
    """
    calls = len(layers.calls)
    steps: list[int] = []
    gaps: list[int] = []
    after = np.zeros(calls, np.int64)
    order = np.lexsort((starts, ends, call))
    order = order[ends[order] > starts[order]]
    bounds = np.searchsorted(call[order], np.arange(calls + 1)).tolist()
    begins = layers.calls.starts.tolist()
    for one in range(calls):
        mine = order[bounds[one] : bounds[one + 1]]
        found, before, last = _path(starts[mine].tolist(), ends[mine].tolist(), begins[one])
        steps += mine[found].tolist()
        gaps += before
        after[one] = max(int(layers.calls.ends[one]) - last, 0)
    on = np.array(steps, np.int64)
    groups = len(layers) + 1
    work = np.nan_to_num(sums(layer[on], (ends - starts)[on], groups)) / max(calls, 1)
    idle = np.nan_to_num(sums(layer[on], np.array(gaps, np.int64), groups)) / max(calls, 1)
    return work, idle, float(after.mean()) if calls else 0.0


def _path(starts: list[int], ends: list[int], begin: int) -> tuple[list[int], list[int], int]:
    """Walk back through intervals that are sorted by their ends.

    Returns:
        Places of the intervals on the path, the idle time before each, and the end of the path.
    """
    found, gaps = [], []
    at = len(ends) - 1
    last = ends[-1] if ends else begin
    while at >= 0:
        start = starts[at]
        following = bisect.bisect_right(ends, start, 0, at) - 1
        found.append(at)
        gaps.append(start - ends[following] if following >= 0 else max(start - begin, 0))
        at = following
    return found, gaps, last


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchTimes:
    """Of each execution on a device."""

    idle_ns: Longs
    """Time before it in which its device did nothing, within its call."""
    bound_ns: Longs
    """Of that, the time until its launch returned: had the host been quicker, the device would have been, too."""
    delay_ns: Floats
    """From the start of its launch to its own; NaN where its launch is not known."""


def launching(kernels: KernelTable) -> LaunchTimes:
    """Find idle times of devices and what of them is due to launches.

    A device idles before an execution from the latest end of all that started before it on any of its streams, but at
    most from the start of the call that it belongs to.
    """
    trace = kernels.trace
    starts, ends = kernels.starts_ns, kernels.ends_ns
    _, number = grouped([f"{lane.process} {lane.device}" for lane in trace.lanes])
    device = number[trace.lane[kernels.rows]]
    order = np.lexsort((starts, device))
    free = np.empty(len(order), np.int64)
    free[order] = _ends_before(device[order], starts[order], ends[order])
    since = np.maximum(free, kernels.layers.calls.starts[kernels.call])
    idle = np.maximum(starts - since, 0)
    launch = trace.parent[kernels.rows]
    known = launch != NONE
    returned = np.where(known, trace.end_ns[launch], since)
    bound = np.clip(np.minimum(returned, starts) - since, 0, idle)
    delay = np.where(known, starts - trace.start_ns[launch], np.nan)
    return LaunchTimes(idle_ns=idle, bound_ns=bound, delay_ns=delay.astype(np.float64))


def _ends_before(group: Longs, starts: Longs, ends: Longs) -> Longs:
    """Give the latest end of what started before in the same group, the smallest number for the first of a group.

    Args:
        group: ascending.
        starts: ascending within each group.
        ends: of each.
    """
    if not len(group):
        return starts
    values, ranks = np.unique(ends, return_inverse=True)
    first = np.ones(len(group), bool)
    first[1:] = group[1:] != group[:-1]
    latest = np.maximum.accumulate((np.cumsum(first) - 1) * len(values) + ranks.reshape(-1))
    before = np.concatenate((starts[:1], values[latest[:-1] % len(values)]))
    return np.where(first, np.iinfo(np.int64).min, before)


def launch_bound(profile: Profile) -> Answer:
    """Give by layer the idle time of devices before its kernels, and the part of it that launches account for."""
    found = kernels_in(profile)
    if isinstance(found, str):
        return found
    kernels, notes = found
    at = launching(kernels)
    layers = kernels.layers
    of = kernels.layer[kernels.kernel]
    group = np.where(of == NONE, len(layers), of)
    cell, first = numbered(group, kernels.call)

    def by_layer(values: Longs) -> Floats:
        added = sums(cell, values, len(first))
        return medians(group[first], added, len(layers) + 1)[: len(layers)]

    idle, bound, count = by_layer(at.idle_ns), by_layer(at.bound_ns), by_layer(np.ones(len(group), np.int64))
    call = call_share(kernels, at)
    columns = (
        *identity(layers),
        whole("launches", count, "", "Executions on devices in one call."),
        whole("device_ns", by_layer(kernels.durations_ns), "ns", "Sum of their times."),
        whole("idle_ns", idle, "ns", "Time before them in which their device did nothing."),
        whole("launch_bound_ns", bound, "ns", "Of the idle time, until the launch of what came next returned."),
        real("launch_bound_percent", percent(bound, call.call_ns), "%", "Of the call that was traced."),
        whole("launch_delay_ns", medians(group, at.delay_ns, len(layers) + 1)[: len(layers)], "ns",
              "Median from the start of a launch to that of its execution."),
    )  # fmt: skip
    said = (
        f"of a call of {format_ns(call.call_ns)} devices idle before their work for {format_ns(call.idle_ns)}; "
        f"launches account for {format_ns(call.bound_ns)} of that, {100 * call.share:.1f} % of the call"
    )
    return taken(columns, np.flatnonzero(~np.isnan(count))), [*notes, said]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLaunching:
    """Of a whole call: medians over calls, ns."""

    call_ns: float
    idle_ns: float
    bound_ns: float

    @property
    def share(self) -> float:
        """Launch-bound time as a share of the call."""
        return self.bound_ns / self.call_ns if self.call_ns else float("nan")


def call_share(kernels: KernelTable, at: LaunchTimes) -> CallLaunching:
    """Sum up a call."""
    calls = kernels.layers.calls

    def of_call(values: Longs) -> float:
        return float(np.median(np.bincount(kernels.call, weights=values, minlength=len(calls))))

    return CallLaunching(
        call_ns=float(np.median(calls.durations_ns)), idle_ns=of_call(at.idle_ns), bound_ns=of_call(at.bound_ns)
    )
