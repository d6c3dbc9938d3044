"""Analyses of layers: A2 to A7 and A14 of XSP (IPDPS 2020, Table I), stages, headroom, memory over time."""

from typing import Any

import numpy as np

from dlbricks.analysis.executions import LayerTable
from dlbricks.analysis.roofline import (
    attainable_column,
    bound_columns,
    costs_note,
    layer_points,
    roof_notes,
    source_column,
    work_columns,
)
from dlbricks.analysis.sources import identity, kernels_if_any, layers_in
from dlbricks.analysis.table import (
    Floats,
    Summaries,
    TableContent,
    UnavailableError,
    flag,
    grouped,
    latency,
    numbered,
    percent,
    ranked,
    real,
    select_rows,
    summaries,
    sums,
    text,
    whole,
)
from dlbricks.profile.types import Profile
from dlbricks.trace.types import Longs
from dlbricks.units import counted

STAGES = ("begin", "middle", "end")
"""Thirds of the layers, by index."""

NO_MEMORY = (
    "no memory of layers was recorded, neither allocations nor output bytes; "
    "profile the network's ONNX file, whose shapes give output bytes"
)
NO_COSTS = (
    "needs FLOPs and bytes of layers: counted on the device, or computed from shapes, which are those of the network's "
    "ONNX file or of a PyTorch trace with record_shapes=True; this profile has none of these"
)


def layer_information(profile: Profile) -> TableContent:
    """A2: every layer with its type, shape, latency and memory."""
    layers, notes = layers_in(profile)
    times = layers.latencies()
    columns = (
        *identity(layers),
        text("shape", layers.shapes, "Of the outputs."),
        *latency(times, "the layer"),
        whole("allocated_bytes", layers.figures("allocated_bytes"), "B", "Allocated minus freed by the layer."),
        whole("peak_bytes", layers.figures("peak_bytes"), "B", "Most in use since the session was created."),
        whole("in_use_bytes", layers.figures("memory_bytes"), "B", "In use after the layer."),
        whole("parameter_bytes", layers.figures("parameter_bytes"), "B", "Constants."),
        whole("activation_bytes", layers.figures("activation_bytes"), "B", "Inputs except constants."),
        whole("output_bytes", layers.figures("output_bytes"), "B", "Outputs."),
        text("provider", layers.texts("provider"), "Execution provider."),
        text("source_layers", layers.texts("source_layers"), "Layers of the original network that it was made from."),
        whole("calls", times.count, "", "Calls in which it was recorded."),
    )
    return columns, notes


def layer_latency(profile: Profile) -> TableContent:
    """A3: latency of every layer, in order of execution."""
    layers, notes = layers_in(profile)
    times = layers.latencies()
    columns = (
        *identity(layers),
        whole(
            "offset_ns", _offsets(layers), "ns", "Start of the layer, from the start of its call; median over calls."
        ),
        *latency(times, "the layer"),
        real("share_percent", percent(times.median, times.median.sum()), "%", "Share of the sum over layers."),
        text("stage", stages(len(layers)), "Third of the layers, by index."),
    )
    return columns, notes


def layer_memory(profile: Profile) -> TableContent:
    """A4: memory allocated by every layer, in order of execution."""
    layers, notes = layers_in(profile)
    used, which = _memory_or_fail(layers)
    columns = (
        *identity(layers),
        whole("memory_bytes", used, "B", "Allocated by the layer, or its output bytes: see the notes."),
        real("share_percent", _of_allocated(used), "%", "Share of all allocations; empty if the layer frees more."),
    )
    return columns, (*notes, which)


def layer_types(profile: Profile) -> TableContent:
    """A5: number of layers by type, most first."""
    layers, notes = layers_in(profile)
    names, group = grouped(layers.types)
    count = np.bincount(group, minlength=len(names))
    order = ranked(count, names)
    columns = (
        text("type", [names[at] for at in order], "Operator."),
        whole("count", count[order], "", "Layers."),
        real("share_percent", percent(count, count.sum())[order], "%", "Share of all layers."),
    )
    return columns, notes


def latency_by_type(profile: Profile) -> TableContent:
    """A6: layer time by type, most first; summed per call."""
    layers, notes = layers_in(profile)
    names, group = grouped(layers.types)
    times = over_calls(group[layers.which], layers.call, layers.durations_ns, len(names))
    order = ranked(times.median, names)
    columns = (
        text("type", [names[at] for at in order], "Operator."),
        whole("count", np.bincount(group, minlength=len(names))[order], "", "Layers."),
        *latency(times, "the sum over its layers", order),
        real(
            "share_percent", percent(times.median, np.nansum(times.median))[order], "%", "Share of the sum over types."
        ),
    )
    return columns, notes


def memory_by_type(profile: Profile) -> TableContent:
    """A7: memory allocated by layers of each type, most first."""
    layers, notes = layers_in(profile)
    names, group = grouped(layers.types)
    used, which = _memory_or_fail(layers)
    added = np.bincount(group, weights=np.nan_to_num(used), minlength=len(names))
    order = ranked(added, names)
    columns = (
        text("type", [names[at] for at in order], "Operator."),
        whole("count", np.bincount(group, minlength=len(names))[order], "", "Layers."),
        whole("memory_bytes", added[order], "B", "Sum over its layers: see the notes."),
        real("share_percent", _of_allocated(added)[order], "%", "Share of all types; empty if the type frees more."),
    )
    return columns, (*notes, which)


def _of_allocated(used: Any) -> Floats:
    """Return shares of memory; NaN for negative amounts, so that no share exceeds 100 %."""
    allocated = np.where(used >= 0, used, np.nan)
    return percent(allocated, np.nansum(allocated))


def layer_roofline(profile: Profile) -> TableContent:
    """A14: intensity and rate of every layer."""
    layers, notes = layers_in(profile)
    at, sources = layer_points(layers, kernels_if_any(profile), layers.latencies().median, profile.roofs)
    shown = np.flatnonzero(~np.isnan(at.intensity) & ~np.isnan(at.rate))
    if not len(shown):
        raise UnavailableError(NO_COSTS)
    more = [*notes]
    if len(shown) < len(layers):
        left_out = counted(len(layers) - len(shown), "layer")
        more.append(f"not shown, without bytes or unknown: {left_out}")
    columns = (
        *identity(layers),
        whole("latency_ns", at.time_ns, "ns", "Device-busy time of the layer, else its latency."),
        *work_columns(at),
        *bound_columns(at),
        attainable_column(at),
        source_column(sources),
    )
    return select_rows(columns, shown), [*more, *roof_notes(profile.roofs, at)]


def layer_stages(profile: Profile) -> TableContent:
    """Sum layers by thirds of the network (XSP section IV-A)."""
    layers, notes = layers_in(profile)
    names, group = grouped(stages(len(layers)))
    times = over_calls(group[layers.which], layers.call, layers.durations_ns, len(names))
    memory, which = _memory_of(layers)

    def added(values: Floats) -> Floats:
        unknown = np.full(len(names), np.nan)
        return unknown if np.isnan(values).all() else sums(group, np.nan_to_num(values), len(names))

    used = np.full(len(layers), np.nan) if memory is None else memory
    moved = layers.figures("read_bytes") + layers.figures("written_bytes")
    columns = (
        text("stage", names, f"Third of the layers, by index: {', '.join(STAGES)}."),
        whole("layers", np.bincount(group, minlength=len(names))),
        *latency(times, "the sum over its layers"),
        real("share_percent", percent(times.median, np.nansum(times.median)), "%", "Share of the sum over stages."),
        whole("memory_bytes", added(used), "B", which),
        real("flops", added(layers.figures("flops")), "flop", "Computed from shapes."),
        real("moved_bytes", added(moved), "B", "Read and written, computed from shapes."),
    )
    return columns, [*notes, *costs_note(layers)]


def headroom(profile: Profile) -> TableContent:
    """Rank groups of equal layers by their time above the roofline minimum."""
    layers, notes = layers_in(profile)
    if profile.roofs is None:
        raise UnavailableError("needs measured roofs: profile again with 'dlbricks profile' on the machine")
    at, _ = layer_points(layers, kernels_if_any(profile), layers.latencies().median, profile.roofs)
    shown = np.flatnonzero(~np.isnan(at.least_ns) & ~np.isnan(at.time_ns))
    if not len(shown):
        raise UnavailableError(NO_COSTS)
    moved = at.read_bytes + at.written_bytes
    labels = [f"{layers.types[row]}\n{layers.shapes[row]}\n{at.flops[row]}\n{moved[row]}" for row in shown.tolist()]
    names, group = grouped(labels)
    first = shown[np.unique(group, return_index=True)[1]]
    time, least = (sums(group, values[shown], len(names)) for values in (at.time_ns, at.least_ns))
    order = np.argsort(-(time - least), kind="stable")
    bound = at.memory_bound
    columns = (
        text("type", [layers.types[row] for row in first], "Operator."),
        text("shape", [layers.shapes[row] for row in first], "Of the outputs."),
        whole("count", np.bincount(group), "", "Number of equal layers: same type, outputs, FLOPs and bytes."),
        whole("latency_ns", time, "ns", "Sum over these layers; device time if they run on a device."),
        whole("least_ns", least, "ns", "Shortest time that the measured roofs allow for these layers."),
        whole("headroom_ns", time - least, "ns", "Difference; negative if caches exceed the memory roof."),
        real("headroom_percent", percent(time - least, np.nansum(at.time_ns)), "%", "Share of the time of all layers."),
        real("reached_percent", percent(least, time), "%", "Attained share of the roof."),
        flag("memory_bound", [bound[row] for row in first]),
        text("example", [layers.names[row] for row in first], "First of these layers."),
    )
    left_out = len(layers) - len(shown)
    more = [f"not shown, FLOPs, bytes or roof unknown: {counted(left_out, 'layer')}"] if left_out else []
    return select_rows(columns, order), [*notes, *more, *roof_notes(profile.roofs, at)]


def memory_over_time(profile: Profile) -> TableContent:
    """Return the memory in use after every layer: as reported by the runtime, else summed from allocations."""
    layers, notes = layers_in(profile)
    used, which = layers.figures("memory_bytes"), "held by the runtime's allocator after the layer"
    if np.isnan(used).all():
        used, which = layers.figures("allocated_bytes"), "sum of allocations minus frees of layers"
        recorded = not np.isnan(used).all()
        used, which = (np.nancumsum(used), which) if recorded else (used, "")
    live = layers.figures("live_bytes")
    if not which and np.isnan(live).all():
        raise UnavailableError(
            "needs the memory in use after each layer, its allocations, or the sizes of live tensors; none was "
            "recorded: profile the network's ONNX file"
        )
    ends = _offsets(layers) + layers.latencies().median
    columns = (
        *identity(layers),
        whole("time_ns", ends, "ns", "End of the layer, from the start of its call; median over calls."),
        whole("in_use_bytes", used, "B", which),
        whole("live_bytes", live, "B", "Inputs and outputs of the layer, and tensors read by later layers."),
        whole("peak_live_bytes", np.fmax.accumulate(live), "B", "Most live bytes so far."),
    )
    more = [f"in use: {which}"] if which else []
    if not np.isnan(live).all():
        more.append("live: from the graph, without constants and working memory")
    return columns, (*notes, *more)


def over_calls(group: Longs, call: Longs, values: Longs, groups: int) -> Summaries:
    """Sum by group and call, then summarise each group over the calls that have it."""
    cell, first = numbered(group, call)
    return summaries(group[first], sums(cell, values, len(first)), groups)


def stages(count: int) -> list[str]:
    """Return the third of the network that each layer lies in."""
    return [STAGES[3 * at // count] for at in range(count)]


def _offsets(layers: LayerTable) -> Floats:
    """Return the start of each layer from the start of its call, ns: the median over calls."""
    return layers.median(layers.trace.start_ns[layers.rows] - layers.calls.starts[layers.call])


def _memory_or_fail(layers: LayerTable) -> tuple[Floats, str]:
    used, which = _memory_of(layers)
    if used is None:
        raise UnavailableError(NO_MEMORY)
    return used, which


def _memory_of(layers: LayerTable) -> tuple[Floats | None, str]:
    """Return the bytes of each layer and their definition; None if unknown."""
    allocated = layers.figures("allocated_bytes")
    outputs = layers.figures("output_bytes")
    if np.nansum(np.abs(allocated)) > 0:
        return allocated, "memory is allocations minus frees of the layer"
    if not np.isnan(outputs).all():
        what = (
            "layers allocated nothing in these calls" if not np.isnan(allocated).all() else "no allocation was recorded"
        )
        return outputs, f"{what}; memory is output bytes"
    return None, ""
