"""Analyses of kernels and rooflines: A8 to A12, A14 and A15 of XSP (IPDPS 2020, Table I), and possible speed-ups."""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from dlbricks.analysis.calls import call_counters
from dlbricks.analysis.executions import (
    KernelTable,
    LayerTable,
    identity,
    kernels_if_any,
    kernels_in,
    layers_if_any,
    layers_in,
    model_times,
)
from dlbricks.analysis.roofline import (
    COMPUTED,
    COUNTED,
    FROM_SHAPES,
    OCCUPANCY,
    DeviceWork,
    Points,
    attainable_column,
    bound_columns,
    costs_note,
    counters_note,
    device_work,
    dtype_of_all,
    kernel_dtypes,
    layer_points,
    occupancy_column,
    points,
    roof_notes,
    same_layers,
    source_column,
    work_by_call,
    work_by_layer,
    work_columns,
)
from dlbricks.analysis.table import (
    Column,
    Floats,
    TableContent,
    UnavailableError,
    analysis,
    concatenated,
    flag,
    grouped,
    latency,
    medians,
    numbered,
    percent,
    ranked,
    real,
    select_rows,
    sums,
    text,
    whole,
)
from dlbricks.trace.types import Longs, Profile
from dlbricks.units import counted, format_ns

NO_COSTS = "needs FLOPs and bytes: profile the network's ONNX file, or record a PyTorch trace with record_shapes=True"


@analysis("A8", "Kernel information")
def kernel_information(profile: Profile) -> TableContent:
    """Return table A8 of XSP: every kernel with its layer, latency and counters."""
    kernels, notes = kernels_in(profile)
    times, at = kernels.latencies(), _kernel_points(kernels, profile)
    index, name, *layer = _kernel_columns(kernels)
    columns = (
        index,
        name,
        text("kind", kernels.kinds),
        *layer,
        text("lane", kernels.lanes(), "Device and stream."),
        *latency(times, "the kernel"),
        *work_columns(at, kernels.attribute("dram_read_bytes", "") and "dram_"),
        occupancy_column(kernels.figures(kernels.attribute(*OCCUPANCY))),
        *bound_columns(at),
        text("grid", kernels.string_column("grid"), "Blocks."),
        text("block", kernels.string_column("block"), "Threads per block."),
        whole("calls", times.count, "", "Number of calls in which the kernel was recorded."),
    )
    return columns, [*notes, *_source(kernels, at), *roof_notes(profile.roofs, at)]


@analysis("A9", "Kernel roofline")
def kernel_roofline(profile: Profile) -> TableContent:
    """Return table A9 of XSP: arithmetic intensity and rate of every kernel."""
    kernels, notes = kernels_in(profile)
    at = _kernel_points(kernels, profile)
    shown, left_out = _shown(at.intensity + at.rate, "kernel")
    columns = (
        *_kernel_columns(kernels),
        whole("latency_ns", kernels.latencies().median, "ns", "Median over calls."),
        *bound_columns(at),
        attainable_column(at),
    )
    more = [*left_out, *_source(kernels, at), *roof_notes(profile.roofs, at, shown)]
    return select_rows(columns, shown), [*notes, *more]


@analysis("A10", "Kernels by name")
def kernels_by_name(profile: Profile) -> TableContent:
    """Return table A10 of XSP: times and counters of kernels by name, largest time first."""
    kernels, notes = kernels_in(profile)
    labels = [f"{kind}\n{name}" for kind, name in zip(kernels.kinds, kernels.names, strict=True)]
    names, group = grouped(labels)
    work = device_work(kernels, group[kernels.which], len(names))
    times = model_times(profile)
    latency_ns = times.median_ns if times else math.nan
    # A name belongs either to kernels or to copies and memsets, whose times are separate sums.
    total = np.where(np.nan_to_num(work.kernels) > 0, work.kernel_ns, work.copy_ns)
    order = ranked(total, names)
    dtypes = kernel_dtypes(kernels)
    first = np.unique(group, return_index=True)[1]
    figures = (figure[order] for figure in (work.flops, work.read_bytes, work.written_bytes, total))
    at = points(*figures, roofs=profile.roofs, dtypes=[dtypes[row] for row in first[order].tolist()])
    columns = (
        text("kernel", [names[group_].partition("\n")[2] for group_ in order]),
        text("kind", [names[group_].partition("\n")[0] for group_ in order]),
        whole("count", launches(kernels, group, len(names))[order], "", "Executions per call; median over calls."),
        whole("latency_ns", total[order], "ns", "Sum of its executions in a call; median over calls."),
        real("share_percent", percent(total, latency_ns if times else np.nansum(total))[order], "%",
             "Share of the latency of the call, if known, else of all kernel time; kernels may run side by side."),
        *work_columns(at, kernels.attribute("dram_read_bytes", "") and "dram_"),
        occupancy_column(work.occupancy[order]),
        *bound_columns(at),
    )  # fmt: skip
    return columns, [*notes, *counters_note(work), *roof_notes(profile.roofs, at)]


@analysis("A11", "Kernels by layer")
def kernels_by_layer(profile: Profile) -> TableContent:
    """Return table A11 of XSP: times of kernels by layer, with the latency of the layer."""
    layers, kernels, work, notes = _with_kernels(profile)
    rows, latencies = same_layers(layers, kernels.layers), layers.latencies().median
    at, sources = layer_points(layers, kernels, latencies, profile.roofs)
    columns = (
        *identity(layers),
        whole("latency_ns", latencies, "ns", "Latency of the layer, from a run without kernel tracing if available."),
        whole("kernels", work.kernels[rows], "", "Kernels in one call, without copies and memsets."),
        whole("kernel_ns", work.kernel_ns[rows], "ns", "Sum of kernel times; overlap counts twice."),
        whole("busy_ns", work.busy_ns[rows], "ns",
              "Time for which kernels or copies of the layer keep a device busy."),
        *work_columns(at),
        occupancy_column(work.occupancy[rows]),
        *bound_columns(at),
        source_column(sources),
    )  # fmt: skip
    outside = work.busy_ns[len(kernels.layers)]
    if not math.isnan(outside):
        notes.append(f"in a call, kernels outside layers keep a device busy for {format_ns(outside)}")
    return columns, [*notes, *counters_note(work), *roof_notes(profile.roofs, at)]


@analysis("A12", "Device metrics by layer")
def device_metrics_by_layer(profile: Profile) -> TableContent:
    """Return table A12 of XSP: FLOPs, bytes read and written, and occupancy of kernels by layer."""
    layers, kernels, work, notes = _with_kernels(profile)
    rows = same_layers(layers, kernels.layers)
    at, sources = layer_points(layers, kernels, layers.latencies().median, profile.roofs)
    columns = (
        *identity(layers),
        *work_columns(at),
        occupancy_column(work.occupancy[rows]),
        whole("kernel_ns", work.kernel_ns[rows], "ns", "Sum of kernel times; overlap counts twice."),
        source_column(sources),
    )
    return columns, [*notes, *counters_note(work)]


@analysis("A14", "Layer roofline")
def layer_roofline(profile: Profile) -> TableContent:
    """Return table A14 of XSP: arithmetic intensity and rate of every layer."""
    layers, notes = layers_in(profile)
    at, sources = layer_points(layers, kernels_if_any(profile), layers.latencies().median, profile.roofs)
    shown, left_out = _shown(at.intensity + at.rate, "layer")
    columns = (
        *identity(layers),
        whole("latency_ns", at.time_ns, "ns", "Time for which the layer keeps a device busy, else its latency."),
        *work_columns(at),
        *bound_columns(at),
        attainable_column(at),
        source_column(sources),
    )
    return select_rows(columns, shown), [*notes, *left_out, *roof_notes(profile.roofs, at, shown)]


@analysis("headroom", "Headroom to the roofline")
def headroom(profile: Profile) -> TableContent:
    """Return a table of groups of equal layers, sorted by the time that they take beyond the roofline model's limit."""
    layers, notes = layers_in(profile)
    if profile.roofs is None:
        raise UnavailableError("peak FLOP/s and bandwidth were not measured: run 'dlbricks profile' on the machine")
    at, _ = layer_points(layers, kernels_if_any(profile), layers.latencies().median, profile.roofs)
    shown, left_out = _shown(at.least_ns + at.time_ns, "layer", "FLOPs, bytes or roofs")
    moved = at.read_bytes + at.written_bytes
    # Equal layers are one group, since a change that speeds up one of them speeds up all.
    labels = [f"{layers.types[row]}\n{layers.shapes[row]}\n{at.flops[row]}\n{moved[row]}" for row in shown.tolist()]
    names, group = grouped(labels)
    first = shown[np.unique(group, return_index=True)[1]].tolist()
    time, least = (sums(group, values[shown], len(names)) for values in (at.time_ns, at.least_ns))
    bound = at.memory_bound
    # a roof that layers exceed is no limit of theirs, so what they could gain is unknown
    headroom_ns, reached = (np.where(least > time, np.nan, values) for values in (time - least, percent(least, time)))
    columns = (
        text("type", [layers.types[row] for row in first], "Operator."),
        text("shape", [layers.shapes[row] for row in first], "Types and shapes of the outputs."),
        whole("count", np.bincount(group), "", "Number of equal layers: same type, outputs, FLOPs and bytes."),
        whole("latency_ns", time, "ns", "Sum over these layers; device time if they run on a device."),
        whole("least_ns", least, "ns", "Shortest time that the roofs allow for these layers."),
        whole("headroom_ns", headroom_ns, "ns", "Latency minus shortest time; empty if the latency is shorter."),
        real("headroom_percent", percent(headroom_ns, np.nansum(at.time_ns)), "%", "Share of the time of all layers."),
        real("reached_percent", reached, "%", "Shortest time as a share of the latency; empty without headroom."),
        flag("memory_bound", [bound[row] for row in first]),
        text("example", [layers.names[row] for row in first], "First of these layers."),
    )
    ordered = select_rows(columns, np.argsort(-headroom_ns, kind="stable"))
    return ordered, [*notes, *left_out, *roof_notes(profile.roofs, replace(at, time_ns=time, least_ns=least))]


@analysis("A15", "Kernels by model")
def kernels_by_model(profile: Profile) -> TableContent:
    """Return table A15 of XSP: times, FLOPs and bytes of all kernels of a call, by batch size."""
    rows, notes, reasons = [], [], []
    for batch in profile.batches:
        try:
            row, more = _kernels_of_batch(profile, batch)
        except UnavailableError as error:
            reasons.append(str(error))
        else:
            rows.append(row)
            notes += more
    if not rows:
        raise UnavailableError(reasons[0] if reasons else "no call was recorded")
    return concatenated(rows), notes


def _kernels_of_batch(profile: Profile, batch: int) -> tuple[tuple[Column, ...], list[str]]:
    kernels, more = kernels_in(profile, batch)
    work, times = work_by_call(kernels), model_times(profile, batch)
    own, counts = layers_if_any(profile, batch), call_counters(profile, batch)
    at, source = call_points(profile, own, work, work.busy_ns, counts)
    latency = np.array([math.nan if times is None else times.median_ns])
    occupancy = counts.get("occupancy", math.nan) if np.isnan(work.occupancy[0]) else work.occupancy[0]
    columns = (
        whole("batch", [batch or math.nan], "", "Inputs per call."),
        whole("latency_ns", latency, "ns", "Latency of the call, without kernel tracing."),
        whole("kernels", work.kernels, "", "Kernels in one call, without copies and memsets."),
        whole("kernel_ns", work.kernel_ns, "ns", "Sum of kernel times; overlap counts twice."),
        whole("copy_ns", work.copy_ns, "ns", "Sum of the times of copies and memsets."),
        whole("busy_ns", work.busy_ns, "ns", "Time for which a device is busy with the call."),
        real("busy_percent", percent(work.busy_ns, np.fmax(latency, work.busy_ns)), "%",
             "Share of the latency; 100 if device work outlasts the call."),
        *work_columns(at),
        occupancy_column(np.array([occupancy])),
        *bound_columns(at),
        source_column([source]),
    )  # fmt: skip
    notes = [*more, *(times.notes if times else ())]
    if work.busy_ns[0] > latency[0]:
        longer = format_ns(float(work.busy_ns[0] - latency[0]))
        notes.append(f"devices are busy with a call for {longer} longer than its host latency: calls overlap")
    notes += [] if source == COUNTED else counters_note(work)
    notes += costs_note(own) if source == COMPUTED and own is not None else []
    return columns, [*notes, *roof_notes(profile.roofs, at)]


def call_points(
    profile: Profile, layers: LayerTable | None, work: DeviceWork | None, time_ns: Floats, counters: Mapping[str, float]
) -> tuple[Points, str]:
    """Return the points of whole calls in the roofline model, and the source of FLOPs and bytes, or "".

    FLOPs and bytes come from the kernels; if unknown, from counters of the call (``call_counters``), then from layers.
    """
    names, source = ("flops", "dram_read_bytes", "dram_write_bytes"), COUNTED
    if work is not None and work.counted:
        sides, source = [work.flops, work.read_bytes, work.written_bytes], work.source
    elif all(name in counters for name in names):
        sides = [np.array([counters[name]]) for name in names]
    else:
        sides = [_added(layers, name) for name in ("flops", "read_bytes", "written_bytes")]
        source = "" if np.isnan(sides[1]).any() else COMPUTED
    dtypes = ["" if layers is None else dtype_of_all(layers)]
    flops, read, written = sides
    return points(flops, read, written, time_ns, roofs=profile.roofs, dtypes=dtypes), source


def _added(layers: LayerTable | None, name: str) -> Floats:
    # Return the sum of a figure over the layers that have it (see ``costs_note``); NaN if none has.
    figures = np.full(1, math.nan) if layers is None else layers.figures(name)
    return np.array([math.nan if np.isnan(figures).all() else np.nansum(figures)])


def launches(kernels: KernelTable, group: Longs, groups: int) -> Floats:
    """Return how often each group of kernels runs in a call: the median over the calls with this group."""
    of = group[kernels.which]
    cell, first = numbered(of, kernels.call)
    return medians(of[first], np.bincount(cell, minlength=len(first)), groups)


def _kernel_points(kernels: KernelTable, profile: Profile) -> Points:
    # Return the position of every kernel in the roofline model, by its counters.
    sides = (("dram_read_bytes", "read_bytes"), ("dram_write_bytes", "written_bytes"))
    flops, (read, written) = kernels.figures("flops"), (kernels.figures(kernels.attribute(*side)) for side in sides)
    time = kernels.latencies().median
    return points(flops, read, written, time, roofs=profile.roofs, dtypes=kernel_dtypes(kernels))


def _source(kernels: KernelTable, at: Points) -> list[str]:
    # Return a note if the figures of kernels are computed or missing.
    if np.isnan(at.flops).all():
        return [NO_COSTS]
    return [] if kernels.attribute("dram_read_bytes", "") else [FROM_SHAPES]


def _shown(figures: Floats, what: str, unknown: str = "bytes or FLOPs") -> tuple[Longs, list[str]]:
    # Return the rows with a figure, and a note on the number of rows without one.
    rows = np.flatnonzero(~np.isnan(figures))
    if not len(rows):
        raise UnavailableError(NO_COSTS)
    lost = len(figures) - len(rows)
    return rows, [f"{counted(lost, what)} not shown: {unknown} are unknown"] if lost else []


def _with_kernels(profile: Profile) -> tuple[LayerTable, KernelTable, DeviceWork, list[str]]:
    # Return the layers of the least disturbed run, the kernels, their work by layer, and notes.
    kernels, more = kernels_in(profile)
    layers, notes = layers_in(profile)
    return layers, kernels, work_by_layer(kernels), [*notes, *more]


def _kernel_columns(kernels: KernelTable) -> tuple[Column, ...]:
    index, names, at = np.append(kernels.layers.index, -1), (*kernels.layers.names, ""), kernels.layer
    return (
        whole("index", np.arange(len(kernels)), "", "Position in order of execution, from 0."),
        text("kernel", kernels.names),
        whole("layer_index", np.where(at < 0, np.nan, index[at]), "", "Index of its layer; empty outside layers."),
        text("layer", [names[layer] for layer in at.tolist()]),
    )
