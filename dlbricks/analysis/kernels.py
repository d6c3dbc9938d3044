"""Analyses of kernels: A8 to A12 of XSP (IPDPS 2020, Table I). Pure."""

import math

import numpy as np

from dlbricks.analysis.executions import KernelTable, LayerTable
from dlbricks.analysis.roofline import (
    DEFAULT_DTYPE,
    DeviceWork,
    Points,
    bound_columns,
    counters_note,
    device_columns,
    device_work,
    kernel_dtypes,
    layer_points,
    occupancy_column,
    points,
    roof_notes,
    same_layers,
    source_column,
    work_by_layer,
    work_columns,
)
from dlbricks.analysis.sources import Answer, identity, kernels_in, layers_in, model_latency_ns
from dlbricks.analysis.statistics import Floats, grouped, medians, numbered, ranked
from dlbricks.analysis.table import Column, latency, optional, percent, real, taken, text, whole
from dlbricks.profile.types import Profile
from dlbricks.trace.types import Longs
from dlbricks.units import counted, format_ns

NO_COUNTERS = (
    "needs flops and DRAM bytes of kernels, counted on the device; none were recorded: "
    "'dlbricks doctor' says what is permitted and how to permit it"
)


def kernel_information(profile: Profile) -> Answer:
    """A8: every kernel with its layer, latency and counters."""
    found = kernels_in(profile)
    if isinstance(found, str):
        return found
    kernels, notes = found
    times, at = kernels.latencies(), kernel_points(kernels, profile)
    columns = (
        whole("index", np.arange(len(kernels)), "", "Place in order of execution, from 0."),
        text("kernel", kernels.names),
        text("kind", kernels.kinds),
        *_layer_columns(kernels),
        text("lane", kernels.lanes(), "Device and stream."),
        *latency(times, "the kernel"),
        *work_columns(at, "dram_"),
        occupancy_column(kernels.figures("occupancy")),
        *bound_columns(at),
        text("grid", kernels.texts("grid"), "Blocks."),
        text("block", kernels.texts("block"), "Threads of a block."),
        whole("calls", times.count, "", "Calls in which it was seen."),
    )
    counted = bool((~np.isnan(at.flops)).any())
    return columns, [*notes, *([] if counted else [NO_COUNTERS]), *roof_notes(profile.roofs, at)]


def kernel_roofline(profile: Profile) -> Answer:
    """A9: intensity and rate of every kernel."""
    found = kernels_in(profile)
    if isinstance(found, str):
        return found
    kernels, notes = found
    at = kernel_points(kernels, profile)
    shown = np.flatnonzero(~np.isnan(at.intensity) & ~np.isnan(at.rate))
    if not len(shown):
        return NO_COUNTERS
    if len(shown) < len(kernels):
        left_out = counted(len(kernels) - len(shown), "kernel")
        notes = (*notes, f"without a place, since they move no bytes or were not counted: {left_out}")
    columns = (
        whole("index", np.arange(len(kernels)), "", "Place in order of execution, from 0."),
        text("kernel", kernels.names),
        *_layer_columns(kernels),
        whole("latency_ns", kernels.latencies().median, "ns", "Median over calls."),
        *bound_columns(at),
        real("attainable_flops_per_s", at.attainable, "flop/s", "What the measured roofs allow at this intensity."),
    )
    return taken(columns, shown), [*notes, *roof_notes(profile.roofs, at)]


def kernels_by_name(profile: Profile) -> Answer:
    """A10: kernels of one name together, largest time first."""
    found = kernels_in(profile)
    if isinstance(found, str):
        return found
    kernels, notes = found
    labels = [f"{kind}\n{name}" for kind, name in zip(kernels.kinds, kernels.names, strict=True)]
    names, group = grouped(labels)
    work = device_work(kernels, group[kernels.kernel], len(names))
    total = np.where(np.nan_to_num(work.kernels) > 0, work.kernel_ns, work.copy_ns)
    order = ranked(total, names)
    at = points(
        work.flops[order],
        work.read_bytes[order],
        work.written_bytes[order],
        total[order],
        roofs=profile.roofs,
        dtypes=_main_dtypes(kernels, group, len(names), order),
    )
    columns = (
        text("kernel", [names[one].partition("\n")[2] for one in order]),
        text("kind", [names[one].partition("\n")[0] for one in order]),
        whole("count", launches(kernels, group, len(names))[order], "", "Executions in one call; median over calls."),
        whole("latency_ns", total[order], "ns", "Sum over its executions in one call; median over calls."),
        real("share_percent", percent(total, model_latency_ns(profile))[order], "%", "Of the latency of the call."),
        *work_columns(at, "dram_"),
        occupancy_column(work.occupancy[order]),
        *bound_columns(at),
    )
    return columns, [*notes, *counters_note(work), *roof_notes(profile.roofs, at)]


def kernels_by_layer(profile: Profile) -> Answer:
    """A11: the kernels of every layer together, beside the latency of the layer."""
    found = _with_kernels(profile)
    if isinstance(found, str):
        return found
    layers, kernels, work, notes = found
    rows, latencies = same_layers(layers, kernels.layers), layers.latencies().median
    at, sources = layer_points(layers, kernels, latencies, profile.roofs)
    columns = (
        *identity(layers),
        whole("latency_ns", latencies, "ns", "Of the layer, from the run that recorded no kernels where there is one."),
        *device_columns(work, rows),
        *work_columns(at),
        occupancy_column(work.occupancy[rows]),
        *bound_columns(at),
        source_column(sources),
    )
    homeless = _homeless(work, len(kernels.layers))
    return columns, [*notes, *homeless, *counters_note(work), *roof_notes(profile.roofs, at)]


def device_metrics_by_layer(profile: Profile) -> Answer:
    """A12: flops, bytes read and written, and occupancy of the kernels of every layer."""
    found = _with_kernels(profile)
    if isinstance(found, str):
        return found
    layers, kernels, work, notes = found
    rows = same_layers(layers, kernels.layers)
    at, sources = layer_points(layers, kernels, layers.latencies().median, profile.roofs)
    columns = (
        *identity(layers),
        *work_columns(at),
        occupancy_column(work.occupancy[rows]),
        whole("kernel_ns", work.kernel_ns[rows], "ns", "Sum of kernel times; what overlaps counts twice."),
        source_column(sources),
    )
    return columns, [*notes, *counters_note(work)]


def kernel_points(kernels: KernelTable, profile: Profile) -> Points:
    """Place every kernel under the roofs, by its counters."""
    return points(
        kernels.figures("flops"),
        kernels.figures("dram_read_bytes"),
        kernels.figures("dram_write_bytes"),
        kernels.latencies().median,
        roofs=profile.roofs,
        dtypes=kernel_dtypes(kernels),
    )


def launches(kernels: KernelTable, group: Longs, groups: int) -> Floats:
    """Count the executions of each group of kernels in one call: the median over the calls that have any."""
    of = group[kernels.kernel]
    cell, first = numbered(of, kernels.call)
    return medians(of[first], np.bincount(cell, minlength=len(first)), groups)


def _with_kernels(profile: Profile) -> tuple[LayerTable, KernelTable, DeviceWork, list[str]] | str:
    """Give layers, undisturbed where they were measured so, and the kernels of their own run."""
    found = kernels_in(profile)
    if isinstance(found, str):
        return found
    layers = layers_in(profile)
    if isinstance(layers, str):
        return layers
    return layers[0], found[0], work_by_layer(found[0]), list(dict.fromkeys((*layers[1], *found[1])))


def _homeless(work: DeviceWork, at: int) -> list[str]:
    """Say what kernels without a layer do."""
    if math.isnan(work.busy_ns[at]):
        return []
    return [f"kernels in no layer keep a device busy for {format_ns(work.busy_ns[at])} of a call"]


def _layer_columns(kernels: KernelTable) -> tuple[Column, Column]:
    index, names = np.append(kernels.layers.index, -1), (*kernels.layers.names, "")
    return (
        optional("layer_index", index[kernels.layer], "", "Of its layer; empty where it lies in none."),
        text("layer", [names[one] for one in kernels.layer.tolist()]),
    )


def _main_dtypes(kernels: KernelTable, group: Longs, groups: int, order: Longs) -> list[str]:
    """Give the element type of each group of kernels: that of the first of its kernels."""
    first: dict[int, str] = {}
    for one, dtype in zip(group.tolist(), kernel_dtypes(kernels), strict=True):
        first.setdefault(one, dtype)
    return [first.get(one, DEFAULT_DTYPE) for one in order.tolist()[:groups]]
