"""How far devices wait for the host that launches their work. Pure."""

from dataclasses import dataclass

import numpy as np

from dlbricks.analysis.columns import percent, real, whole
from dlbricks.analysis.device import Kernels
from dlbricks.analysis.kernel_level import taken
from dlbricks.analysis.layer_level import grouped, identity
from dlbricks.analysis.sources import Answer, kernels_in
from dlbricks.analysis.statistics import Floats, medians, numbered, sums
from dlbricks.profile.nouns import Profile
from dlbricks.trace.nouns import NONE, Longs
from dlbricks.units import format_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class Launching:
    """Of each execution on a device."""

    idle_ns: Longs
    """Time before it in which its device did nothing, within its call."""
    bound_ns: Longs
    """Of that, the time until its launch returned: had the host been quicker, the device would have been, too."""
    delay_ns: Floats
    """From the start of its launch to its own; NaN where its launch is not known."""


def launching(kernels: Kernels) -> Launching:
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
    return Launching(idle_ns=idle, bound_ns=bound, delay_ns=delay.astype(np.float64))


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


def call_share(kernels: Kernels, at: Launching) -> CallLaunching:
    """Sum up a call."""
    calls = kernels.layers.calls

    def of_call(values: Longs) -> float:
        return float(np.median(np.bincount(kernels.call, weights=values, minlength=len(calls))))

    return CallLaunching(
        call_ns=float(np.median(calls.durations_ns)), idle_ns=of_call(at.idle_ns), bound_ns=of_call(at.bound_ns)
    )
