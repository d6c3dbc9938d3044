"""Analyses across levels: A13 and A14 of XSP (IPDPS 2020, Table I). Pure."""

import numpy as np

from dlbricks.analysis.columns import percent, real, whole
from dlbricks.analysis.kernel_level import taken
from dlbricks.analysis.layer_level import identity
from dlbricks.analysis.layers import Layers
from dlbricks.analysis.nouns import Column
from dlbricks.analysis.roofline import bound_columns, roof_notes, work_columns
from dlbricks.analysis.sources import Answer, kernels_in, layers_in
from dlbricks.analysis.statistics import Floats, medians
from dlbricks.analysis.work import layer_points, source_column
from dlbricks.profile.nouns import Profile
from dlbricks.trace.intervals import uncovered, union_by
from dlbricks.trace.nouns import NONE, Longs
from dlbricks.units import counted, format_ns

NO_COSTS = (
    "needs flops and bytes of layers: counted on the device, or computed from the shapes of the network's ONNX file; "
    "this profile has neither"
)


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


def _on_host(layers: Layers, notes: tuple[str, ...]) -> Answer:
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


def _shares(layers: Layers, latency: Longs, busy: Longs) -> tuple[Column, ...]:
    return (
        *identity(layers),
        whole("latency_ns", _median(layers, latency), "ns", "Median over calls."),
        whole("busy_ns", _median(layers, busy), "ns", "Within the latency, at work: a union of intervals."),
        whole("other_ns", _median(layers, latency - busy), "ns", "Within the latency, not at work."),
        real("busy_percent", _median(layers, percent(busy, latency)), "%", "Of the latency."),
    )


def _median(layers: Layers, values: Floats | Longs) -> Floats:
    return medians(layers.layer, values, len(layers))


def gaps_before(layers: Layers) -> tuple[Longs, Longs]:
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


def layer_roofline(profile: Profile) -> Answer:
    """A14: intensity and rate of every layer."""
    found = layers_in(profile)
    if isinstance(found, str):
        return found
    layers, notes = found
    kernels = kernels_in(profile)
    latencies = layers.latencies().median
    at, sources = layer_points(layers, None if isinstance(kernels, str) else kernels[0], latencies, profile.roofs)
    shown = np.flatnonzero(~np.isnan(at.intensity) & ~np.isnan(at.rate))
    if not len(shown):
        return NO_COSTS
    said = [*notes]
    if len(shown) < len(layers):
        left_out = counted(len(layers) - len(shown), "layer")
        said.append(f"without a place, since they move no bytes or are not known: {left_out}")
    columns = (
        *identity(layers),
        whole("latency_ns", at.time_ns, "ns", "Time in which a device was busy for the layer; else of the layer."),
        *work_columns(at),
        *bound_columns(at),
        real("attainable_flops_per_s", at.attainable, "flop/s", "What the measured roofs allow at this intensity."),
        source_column(sources),
    )
    return taken(columns, shown), [*said, *roof_notes(profile.roofs, at)]
