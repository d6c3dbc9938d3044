"""Analyses of device time: device and host time by layer (A13 of XSP), waits for launches, and overlap.

Exposed communication is communication during which no kernel runs.
"""

from typing import Any, NamedTuple

import numpy as np

from dlbricks.analysis.executions import (
    KernelTable,
    LayerTable,
    devices_of,
    identity,
    kernels_if_any,
    kernels_in,
    layers_in,
)
from dlbricks.analysis.table import (
    Column,
    Floats,
    TableContent,
    UnavailableError,
    analysis,
    medians,
    over_calls,
    percent,
    real,
    select_rows,
    text,
    whole,
)
from dlbricks.trace import kinds
from dlbricks.trace.intervals import covered_ns, merged_intervals, uncovered, union_by, union_ns
from dlbricks.trace.types import NONE, Longs, Profile
from dlbricks.units import format_ns


@analysis("A13", "Device and other time by layer")
def device_share(profile: Profile) -> TableContent:
    """Return table A13 of XSP: the time for which each layer keeps a device busy, and the rest of its latency.

    The busy time is the union of the intervals of the layer's kernels, clipped to the layer. (In XSP it is the sum of
    kernel times.) In a trace without kernels, the layer's time on the host counts as busy, and the rest is the time of
    the runtime before the layer.
    """
    layers, notes = layers_in(profile)
    if kernels_if_any(profile) is None:
        return _share_on_host(layers, notes)
    kernels, notes = kernels_in(profile)
    own, inside = kernels.layers, kernels.within != NONE
    if not inside.any():
        raise UnavailableError("needs kernels that ran in layers: all recorded kernels ran outside layers")
    within, starts, ends = kernels.within[inside], kernels.starts_ns[inside], kernels.ends_ns[inside]
    clipped = np.maximum(starts, own.starts_ns[within]), np.minimum(ends, own.ends_ns[within])
    busy = union_by(within, starts, ends, len(own.rows))
    overlap = union_by(within, *clipped, len(own.rows))
    columns = (
        *_shares(own, own.durations_ns, overlap),
        whole("after_ns", own.median(busy - overlap), "ns", "Device time of the layer after its end on the host."),
    )
    return columns, [*notes, "all times are from the run that recorded kernels"]


def _share_on_host(layers: LayerTable, notes: tuple[str, ...]) -> TableContent:
    # Return the time of each layer, and the runtime's time before it in which no layer runs.
    gaps, trailing = _gaps_before(layers)
    work = layers.durations_ns
    more = (
        "no kernels were recorded: busy time is time in the layer, other time is time of the runtime before the layer",
        f"time from the last layer to the end of a call: {format_ns(float(np.median(trailing)))}",
    )
    columns = (*_shares(layers, work + gaps, work), whole("after_ns", np.full(len(layers), np.nan), "ns"))
    return columns, (*notes, *more)


def _shares(layers: LayerTable, latency: Longs, busy: Longs) -> tuple[Column, ...]:
    return (
        *identity(layers),
        whole("latency_ns", layers.median(latency), "ns", "Median over calls."),
        whole("busy_ns", layers.median(busy), "ns", "Union of the busy intervals within the latency."),
        whole("other_ns", layers.median(latency - busy), "ns", "Latency minus busy time."),
        real("busy_percent", layers.median(percent(busy, latency)), "%", "Busy time as a share of the latency."),
    )


def _gaps_before(layers: LayerTable) -> tuple[Longs, Longs]:
    # Return the time in which no layer runs: before each execution, and after the last execution of each call, ns.
    # A gap counts for the layer that ends it; if several layers start at once, for the first in the table.
    starts, ends = layers.starts_ns, layers.ends_ns
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


class LaunchTimes(NamedTuple):
    """Idle times of devices; each array has an entry per execution of a kernel."""

    idle_ns: Longs
    """Time before the execution, within its call, in which the device is idle."""
    bound_ns: Longs
    """Part of the idle time before the launching call returned."""
    delay_ns: Floats
    """Time from the start of the launch to the start of the execution; NaN if the launch is unknown."""
    queued_ns: Floats
    """Part of the delay in which the device runs earlier kernels; NaN for an unknown launch."""


def launching(kernels: KernelTable) -> LaunchTimes:
    """Return the idle times of devices before each execution of a kernel.

    Idle time begins when all earlier executions on the device have ended, but not before the start of the call.
    """
    trace, calls = kernels.trace, kernels.layers.calls
    starts, ends = kernels.starts_ns, kernels.ends_ns
    _, device = devices_of(trace, kernels.rows)
    order = np.lexsort((starts, device))
    free = np.empty(len(order), np.int64)
    free[order] = _ends_before(device[order], starts[order], ends[order])
    since = np.maximum(free, calls.starts[kernels.call])
    idle = np.maximum(starts - since, 0)
    launch = trace.parent[kernels.rows]
    has_launch = launch != NONE
    returned = np.where(has_launch, trace.end_ns[launch], since)
    # Until its launch returned, an execution waits for the host; after that, it waits for other work.
    bound = np.clip(np.minimum(returned, starts) - since, 0, idle)
    delay = np.where(has_launch, starts - trace.start_ns[launch], np.nan)
    queued = np.where(has_launch, np.clip(free, returned, np.maximum(starts, returned)) - returned, np.nan)
    return LaunchTimes(idle, bound, delay.astype(np.float64), queued)


def _ends_before(group: Longs, starts: Longs, ends: Longs) -> Longs:
    # Return for each interval the latest end of earlier intervals of its group; the least integer for the first.
    # Intervals are sorted by group and start.
    if not len(group):
        return starts
    # The running maximum is taken over ranks, since offsets of groups added to times could overflow.
    values, ranks = np.unique(ends, return_inverse=True)
    first = np.ones(len(group), bool)
    first[1:] = group[1:] != group[:-1]
    latest = np.maximum.accumulate((np.cumsum(first) - 1) * len(values) + ranks.reshape(-1))
    before = np.concatenate((starts[:1], values[latest[:-1] % len(values)]))
    return np.where(first, np.iinfo(np.int64).min, before)


@analysis("launch-bound", "Launch-bound time")
def launch_bound(profile: Profile) -> TableContent:
    """Return a table of the idle time before each layer's kernels, and of the part that launches cause."""
    kernels, notes = kernels_in(profile)
    at = launching(kernels)
    layers, group = kernels.layers, kernels.layer_or_last
    call_ns = float(np.median(layers.calls.durations_ns))
    idle_ns, bound_ns = (
        float(np.median(np.bincount(kernels.call, weights=values, minlength=len(layers.calls))))
        for values in (at.idle_ns, at.bound_ns)
    )

    def by_layer(values: Longs) -> Floats:
        return over_calls(group, kernels.call, values, len(layers) + 1).median[: len(layers)]

    bound, count = by_layer(at.bound_ns), by_layer(np.ones(len(group), np.int64))
    delay, queued = (medians(group, of, len(layers) + 1)[: len(layers)] for of in (at.delay_ns, at.queued_ns))
    columns = (
        *identity(layers),
        whole("launches", count, "", "Device executions in one call."),
        whole("device_ns", by_layer(kernels.durations_ns), "ns", "Sum of the durations of these executions."),
        whole("idle_ns", by_layer(at.idle_ns), "ns", "Idle time of the device before these executions."),
        whole("launch_bound_ns", bound, "ns", "Part of the idle time until the next launch returned."),
        real("launch_bound_percent", percent(bound, max(call_ns, float(np.nansum(bound)))), "%",
             "Share of the traced call, or of all launch-bound time if that is longer."),
        whole("launch_delay_ns", delay, "ns", "Median time from the start of a launch to the start of its execution."),
        whole("queued_ns", queued, "ns", "Part of this delay in which the device worked on earlier launches."),
    )  # fmt: skip
    more = (
        f"in a call of {format_ns(call_ns)} devices idle for {format_ns(idle_ns)}; launches cause "
        f"{format_ns(bound_ns)} of that, {min(100, float(percent(bound_ns, call_ns))):.1f} % of the call"
    )
    return select_rows(columns, np.flatnonzero(~np.isnan(count))), [*notes, more]


_USES = {
    "compute": "At least one kernel runs.",
    "communication": "At least one collective runs.",
    "both": "Kernels and collectives run.",
    "exposed": "Collectives run without kernels.",
    "copies": "Copies run without kernels and collectives.",
    "idle": "Nothing runs on the device.",
}


@analysis("overlap", "Compute, communication and both")
def overlap(profile: Profile) -> TableContent:
    """Return a table with the time of each device: computing, communication, both at once, copies, and idle."""
    kernels, notes = kernels_in(profile)
    kind_of = np.array(kernels.kinds)[kernels.which]
    devices, device = devices_of(kernels.trace, kernels.rows)
    times_of = [_of_device(kernels, kind_of, device == number) for number in range(len(devices))]
    extent = np.array([sum(times[place] for place in (0, 3, 4, 5)) for times in times_of])
    columns: list[Column] = [
        text("process", [process for process, _ in devices]),
        text("device", [name for _, name in devices]),
    ]
    share = "Share of the time of calls from first to last work of the device."
    for place, (name, meaning) in enumerate(_USES.items()):
        times = np.array([row[place] for row in times_of], np.int64)
        columns += (
            whole(f"{name}_ns", times, "ns", meaning),
            real(f"{name}_percent", percent(times, extent), "%", share),
        )
    return tuple(columns), [*notes, "times are sums over all calls, from a device's first work to its last"]


def _of_device(kernels: KernelTable, kind_of: "np.ndarray[Any, np.dtype[np.str_]]", mine: Longs) -> list[int]:
    # Return the times of ``_USES`` for one device, ns, in that order.
    starts, ends = kernels.starts_ns, kernels.ends_ns
    computes = mine & (kind_of != kinds.COLLECTIVE) & (kind_of != kinds.COPY) & (kind_of != kinds.MEMSET)
    talks = mine & (kind_of == kinds.COLLECTIVE)
    compute, talk = (merged_intervals(starts[some], ends[some]) for some in (computes, talks))
    busy, working = union_ns(starts[mine], ends[mine]), union_ns(starts[computes | talks], ends[computes | talks])
    both = int(covered_ns(*talk, *compute).sum())
    lengths = [int((edges[1] - edges[0]).sum()) for edges in (compute, talk)]
    calls, extent = kernels.layers.calls, (int(starts[mine].min()), int(ends[mine].max()))
    between = uncovered(*extent, calls.starts, np.maximum(calls.starts, calls.ends))
    outside_ns = int((between[1] - between[0] - covered_ns(*between, starts[mine], ends[mine])).sum())
    idle_ns = extent[1] - extent[0] - busy - outside_ns
    return [lengths[0], lengths[1], both, lengths[1] - both, busy - working, idle_ns]
