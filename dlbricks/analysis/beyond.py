"""Analyses of one profile that XSP does not have: stages, headroom, memory over time. Pure."""

import numpy as np

from dlbricks.analysis.across_levels import NO_COSTS
from dlbricks.analysis.columns import flag, latency, percent, real, text, whole
from dlbricks.analysis.kernel_level import taken
from dlbricks.analysis.layer_level import STAGES, grouped, identity, memory_of, offsets, stages
from dlbricks.analysis.layers import Layers
from dlbricks.analysis.roofline import roof_notes
from dlbricks.analysis.sources import Answer, kernels_in, layers_in
from dlbricks.analysis.statistics import Floats, numbered, summaries, sums
from dlbricks.analysis.work import costs_note, layer_points
from dlbricks.profile.nouns import Profile
from dlbricks.units import counted


def layer_stages(profile: Profile) -> Answer:
    """Sum up layers by the third of the network that they lie in (XSP section IV-A compares these)."""
    found = layers_in(profile)
    if isinstance(found, str):
        return found
    layers, notes = found
    names, group = grouped(stages(len(layers)))
    cell, first = numbered(group[layers.layer], layers.call)
    times = summaries(group[layers.layer][first], sums(cell, layers.durations_ns, len(first)), len(names))
    memory, which = memory_of(layers)

    def added(values: Floats) -> Floats:
        known = np.full(len(names), np.nan)
        return known if np.isnan(values).all() else sums(group, np.nan_to_num(values), len(names))

    used = np.full(len(layers), np.nan) if memory is None else memory
    moved = layers.figures("read_bytes") + layers.figures("written_bytes")
    columns = (
        text("stage", names, f"Third of the layers, by index: {', '.join(STAGES)}."),
        whole("layers", np.bincount(group, minlength=len(names))),
        *latency(times, "the sum over its layers"),
        real("share_percent", percent(times.median, np.nansum(times.median)), "%", "Of the sum over stages."),
        whole("memory_bytes", added(used), "B", which),
        real("flops", added(layers.figures("flops")), "flop", "From shapes."),
        real("moved_bytes", added(moved), "B", "Read and written, from shapes."),
    )
    return columns, [*notes, *costs_note(layers)]


def headroom(profile: Profile) -> Answer:
    """Rank layers by the time above what the measured roofs allow; equal layers are taken together."""
    found = layers_in(profile)
    if isinstance(found, str):
        return found
    layers, notes = found
    if profile.roofs is None:
        return "needs measured roofs; profile again on the machine, where 'dlbricks profile' measures them"
    found_kernels = kernels_in(profile)
    kernels = None if isinstance(found_kernels, str) else found_kernels[0]
    at, _ = layer_points(layers, kernels, layers.latencies().median, profile.roofs)
    shown = np.flatnonzero(~np.isnan(at.least_ns) & ~np.isnan(at.time_ns))
    if not len(shown):
        return NO_COSTS
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
        whole("count", np.bincount(group), "", "Equal layers: same type, outputs, flops and bytes."),
        whole("latency_ns", time, "ns", "Of all of them; time of devices where they do the work."),
        whole("least_ns", least, "ns", "What the measured roofs allow for all of them."),
        whole("headroom_ns", time - least, "ns", "Difference; negative where caches beat the roof of memory."),
        real("headroom_percent", percent(time - least, np.nansum(at.time_ns)), "%", "Of the time of all layers."),
        real("reached_percent", percent(least, time), "%", "Of the roof."),
        flag("memory_bound", [bound[row] for row in first]),
        text("example", [layers.names[row] for row in first], "First of these layers."),
    )
    left_out = len(layers) - len(shown)
    said = [f"left out, since flops, bytes or roof are not known: {counted(left_out, 'layer')}"] if left_out else []
    return taken(columns, order), [*notes, *said, *roof_notes(profile.roofs, at)]


def memory_over_time(profile: Profile) -> Answer:
    """Give the memory in use after every layer against time: told by the runtime, else added up from allocations."""
    found = layers_in(profile)
    if isinstance(found, str):
        return found
    layers, notes = found
    used, which = _memory_in_use(layers)
    live = layers.figures("live_bytes")
    if used is None and np.isnan(live).all():
        return (
            "needs the memory in use after each layer, what each allocates, or the sizes of live tensors; "
            "none was recorded: profile the network's ONNX file"
        )
    ends = offsets(layers) + layers.latencies().median
    columns = (
        *identity(layers),
        whole("time_ns", ends, "ns", "End of the layer after the start of its call; median over calls."),
        whole("in_use_bytes", np.full(len(layers), np.nan) if used is None else used, "B", which),
        whole("live_bytes", live, "B", "Inputs and outputs of the layer and what later layers still read."),
        whole("peak_live_bytes", np.fmax.accumulate(live), "B", "Most live bytes so far."),
    )
    said = [f"in use: {which}"] if which else []
    if not np.isnan(live).all():
        said.append("live: from the graph, without constants and working memory")
    return columns, (*notes, *said)


def _memory_in_use(layers: Layers) -> tuple[Floats | None, str]:
    """Give the bytes in use after each layer, and say what they are."""
    told = layers.figures("memory_bytes")
    if not np.isnan(told).all():
        return told, "what the runtime's allocator holds after the layer"
    allocated = layers.figures("allocated_bytes")
    if not np.isnan(allocated).all():
        return np.nancumsum(allocated), "sum of what layers allocated and did not free"
    return None, ""
