"""Analyses of layers: A2 to A7 and A14 of XSP (IPDPS 2020, Table I), headroom, memory over time."""

from typing import Any

import numpy as np

from dlbricks.analysis.executions import LayerTable, identity, kernels_if_any, layers_in
from dlbricks.analysis.roofline import (
    attainable_column,
    bound_columns,
    layer_points,
    roof_notes,
    source_column,
    work_columns,
)
from dlbricks.analysis.table import (
    Column,
    Floats,
    TableContent,
    UnavailableError,
    analysis,
    flag,
    grouped,
    latency,
    over_calls,
    percent,
    ranked,
    real,
    select_rows,
    sums,
    text,
    whole,
)
from dlbricks.profile.types import Profile
from dlbricks.units import counted

# Thirds of the layers, by index.
STAGES = ("begin", "middle", "end")

NO_MEMORY = (
    "no memory of layers was recorded, neither allocations nor output bytes; "
    "profile the network's ONNX file, whose shapes give output bytes"
)
NO_COSTS = (
    "needs FLOPs and bytes of layers: counted on the device, or computed from shapes, which are those of the network's "
    "ONNX file or of a PyTorch trace with record_shapes=True; this profile has none of these"
)


@analysis("A2", "Layer information")
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
        text("provider", layers.string_column("provider"), "Execution provider."),
        text(
            "source_layers",
            layers.string_column("source_layers"),
            "Layers of the original network that it was made from.",
        ),
        whole("calls", times.count, "", "Calls in which it was recorded."),
    )
    return columns, notes


@analysis("A3", "Layer latency")
def layer_latency(profile: Profile) -> TableContent:
    """A3: latency of every layer, in order of execution."""
    layers, notes = layers_in(profile)
    times = layers.latencies()
    meaning = "Start of the layer, from the start of its call; median over calls."
    columns = (
        *identity(layers),
        whole("offset_ns", _offsets(layers), "ns", meaning),
        *latency(times, "the layer"),
        real("share_percent", percent(times.median, times.median.sum()), "%", "Share of the sum over layers."),
        text("stage", stages(len(layers)), "Third of the layers, by index."),
    )
    return columns, notes


@analysis("A4", "Layer memory")
def layer_memory(profile: Profile) -> TableContent:
    """A4: memory allocated by every layer, in order of execution."""
    layers, notes = layers_in(profile)
    used, which = _memory_of(layers)
    columns = (
        *identity(layers),
        whole("memory_bytes", used, "B", "Allocated by the layer, or its output bytes: see the notes."),
        real("share_percent", _of_allocated(used), "%", "Share of all allocations; empty if the layer frees more."),
    )
    return columns, (*notes, which)


def _by_type(types: list[str], group: Any, size: Any, *columns: Column) -> tuple[Column, ...]:
    # Return the columns of types, their numbers of layers and more, by descending size.
    number = whole("count", np.bincount(group), "", "Layers.")
    return select_rows((text("type", types, "Operator."), number, *columns), ranked(size, types))


@analysis("A5", "Layer types")
def layer_types(profile: Profile) -> TableContent:
    """A5: number of layers by type, most first."""
    layers, notes = layers_in(profile)
    types, group = grouped(layers.types)
    count = np.bincount(group)
    share = real("share_percent", percent(count, count.sum()), "%", "Share of all layers.")
    return _by_type(types, group, count, share), notes


@analysis("A6", "Latency by layer type")
def latency_by_type(profile: Profile) -> TableContent:
    """A6: layer time by type, most first; summed per call."""
    layers, notes = layers_in(profile)
    types, group = grouped(layers.types)
    times = over_calls(group[layers.which], layers.call, layers.durations_ns, len(types))
    share = percent(times.median, np.nansum(times.median))
    columns = (
        *latency(times, "the sum over its layers"),
        real("share_percent", share, "%", "Share of the sum over types."),
    )
    return _by_type(types, group, times.median, *columns), notes


@analysis("A7", "Memory by layer type")
def memory_by_type(profile: Profile) -> TableContent:
    """A7: memory allocated by layers of each type, most first."""
    layers, notes = layers_in(profile)
    types, group = grouped(layers.types)
    used, which = _memory_of(layers)
    added = np.bincount(group, weights=np.nan_to_num(used))
    columns = (
        whole("memory_bytes", added, "B", "Sum over its layers: see the notes."),
        real("share_percent", _of_allocated(added), "%", "Share of all types; empty if the type frees more."),
    )
    return _by_type(types, group, added, *columns), (*notes, which)


def _of_allocated(used: Any) -> Floats:
    # Return shares of memory; NaN for negative amounts, so that no share exceeds 100 %.
    allocated = np.where(used >= 0, used, np.nan)
    return percent(allocated, np.nansum(allocated))


@analysis("A14", "Layer roofline")
def layer_roofline(profile: Profile) -> TableContent:
    """A14: intensity and rate of every layer."""
    layers, notes = layers_in(profile)
    at, sources = layer_points(layers, kernels_if_any(profile), layers.latencies().median, profile.roofs)
    shown = np.flatnonzero(~np.isnan(at.intensity) & ~np.isnan(at.rate))
    if not len(shown):
        raise UnavailableError(NO_COSTS)
    lost = len(layers) - len(shown)
    left_out = [f"not shown, without bytes or unknown: {counted(lost, 'layer')}"] if lost else []
    columns = (
        *identity(layers),
        whole("latency_ns", at.time_ns, "ns", "Device-busy time of the layer, else its latency."),
        *work_columns(at),
        *bound_columns(at),
        attainable_column(at),
        source_column(sources),
    )
    return select_rows(columns, shown), [*notes, *left_out, *roof_notes(profile.roofs, at)]


@analysis("headroom", "Headroom to the roofline")
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
    # Equal layers in different places are one opportunity: what speeds up one speeds up all.
    labels = [f"{layers.types[row]}\n{layers.shapes[row]}\n{at.flops[row]}\n{moved[row]}" for row in shown.tolist()]
    names, group = grouped(labels)
    first = shown[np.unique(group, return_index=True)[1]].tolist()
    time, least = (sums(group, values[shown], len(names)) for values in (at.time_ns, at.least_ns))
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
    lost = len(layers) - len(shown)
    left_out = [f"not shown, FLOPs, bytes or roof unknown: {counted(lost, 'layer')}"] if lost else []
    ordered = select_rows(columns, np.argsort(-(time - least), kind="stable"))
    return ordered, [*notes, *left_out, *roof_notes(profile.roofs, at)]


@analysis("memory", "Memory over time")
def memory_over_time(profile: Profile) -> TableContent:
    """Return the memory in use after every layer: as reported by the runtime, else summed from allocations."""
    layers, notes = layers_in(profile)
    used, which = layers.figures("memory_bytes"), "held by the runtime's allocator after the layer"
    allocated, live = layers.figures("allocated_bytes"), layers.figures("live_bytes")
    if np.isnan(used).all():
        which = ""
        if not np.isnan(allocated).all():
            used, which = np.nancumsum(allocated), "sum of allocations minus frees of layers"
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


def stages(count: int) -> list[str]:
    """Return the third of the network that each layer lies in."""
    return [STAGES[3 * at // count] for at in range(count)]


def _offsets(layers: LayerTable) -> Floats:
    # Return the start of each layer from the start of its call, ns: the median over calls.
    return layers.median(layers.trace.start_ns[layers.rows] - layers.calls.starts[layers.call])


def _memory_of(layers: LayerTable) -> tuple[Floats, str]:
    # Return the bytes of each layer and their definition.
    # UnavailableError: neither allocations nor output bytes were recorded.
    allocated, outputs = layers.figures("allocated_bytes"), layers.figures("output_bytes")
    # Runtimes report 0 for every layer where an arena holds the memory: then outputs say more.
    if np.nansum(np.abs(allocated)) > 0:
        return allocated, "memory is allocations minus frees of the layer"
    if np.isnan(outputs).all():
        raise UnavailableError(NO_MEMORY)
    why = "no allocation was recorded" if np.isnan(allocated).all() else "layers allocated nothing in these calls"
    return outputs, f"{why}; memory is output bytes"
