"""Analyses of layers: A2 to A7 of XSP (IPDPS 2020, Table I). Pure."""

from collections.abc import Sequence

import numpy as np

from dlbricks.analysis.columns import latency, percent, real, text, whole
from dlbricks.analysis.layers import Layers
from dlbricks.analysis.nouns import Column
from dlbricks.analysis.sources import Answer, layers_in
from dlbricks.analysis.statistics import Floats, medians, numbered, summaries, sums
from dlbricks.profile.nouns import Profile
from dlbricks.trace.nouns import Longs

STAGES = ("begin", "middle", "end")
"""Thirds of the layers, by index."""

NO_MEMORY = (
    "no memory of layers was recorded: neither what they allocate nor the bytes of their outputs; "
    "profile the network's ONNX file, whose shapes give these bytes"
)


def layer_information(profile: Profile) -> Answer:
    """A2: every layer with its type, shape, latency and memory."""
    found = layers_in(profile)
    if isinstance(found, str):
        return found
    layers, notes = found
    columns = (
        *identity(layers),
        text("shape", layers.shapes, "Of the outputs."),
        *latency(layers.latencies(), "the layer"),
        whole("allocated_bytes", layers.figures("allocated_bytes"), "B", "Allocated and not freed by the layer."),
        whole(
            "peak_bytes",
            layers.figures("peak_bytes"),
            "B",
            "Most in use since the session was opened.",
        ),
        whole("in_use_bytes", layers.figures("memory_bytes"), "B", "In use after the layer."),
        whole("parameter_bytes", layers.figures("parameter_bytes"), "B", "Constants."),
        whole("activation_bytes", layers.figures("activation_bytes"), "B", "Inputs that are no constants."),
        whole("output_bytes", layers.figures("output_bytes"), "B", "Outputs."),
        text("provider", layers.texts("provider"), "Execution provider."),
        text("source_layers", layers.texts("source_layers"), "Layers of the network as given that it is of."),
        whole("calls", layers.latencies().count, "", "Calls in which it was seen."),
    )
    return columns, notes


def layer_latency(profile: Profile) -> Answer:
    """A3: latency of every layer in order of execution."""
    found = layers_in(profile)
    if isinstance(found, str):
        return found
    layers, notes = found
    times = layers.latencies()
    columns = (
        *identity(layers),
        whole("offset_ns", offsets(layers), "ns", "Start of the layer after that of its call; median over calls."),
        *latency(times, "the layer"),
        real("share_percent", percent(times.median, times.median.sum()), "%", "Of the sum over layers."),
        text("stage", stages(len(layers)), "Third of the layers, by index."),
    )
    return columns, notes


def layer_memory(profile: Profile) -> Answer:
    """A4: bytes that every layer allocates, in order of execution."""
    found = layers_in(profile)
    if isinstance(found, str):
        return found
    layers, notes = found
    used, which = memory_of(layers)
    if used is None:
        return NO_MEMORY
    columns = (
        *identity(layers),
        whole("memory_bytes", used, "B", "Allocated by the layer, or the bytes of its outputs: see the notes."),
        real("share_percent", percent(used, np.nansum(used)), "%", "Of the sum over layers."),
    )
    return columns, (*notes, which)


def layer_types(profile: Profile) -> Answer:
    """A5: how many layers of each type there are."""
    return by_type(profile, "count")


def latency_by_type(profile: Profile) -> Answer:
    """A6: time in layers of each type."""
    return by_type(profile, "latency")


def memory_by_type(profile: Profile) -> Answer:
    """A7: bytes that layers of each type allocate."""
    return by_type(profile, "memory")


def by_type(profile: Profile, what: str) -> Answer:
    """Sum up layers by type: ``count``, ``latency`` or ``memory``; largest first."""
    found = layers_in(profile)
    if isinstance(found, str):
        return found
    layers, notes = found
    names, group = grouped(layers.types)
    count = np.bincount(group, minlength=len(names))
    if what == "count":
        order = ranked(count, names)
        measure = [
            whole("count", count[order], "", "Layers."),
            real("share_percent", percent(count, count.sum())[order], "%", "Of all layers."),
        ]
    elif what == "latency":
        order, measure = _time_by_type(layers, names, group, count)
    else:
        used, which = memory_of(layers)
        if used is None:
            return NO_MEMORY
        added = np.bincount(group, weights=np.nan_to_num(used), minlength=len(names))
        order, notes = ranked(added, names), (*notes, which)
        measure = [
            whole("count", count[order], "", "Layers."),
            whole("memory_bytes", added[order], "B", "Of all its layers: see the notes."),
            real("share_percent", percent(added, added.sum())[order], "%", "Of all layers."),
        ]
    return (text("type", [names[at] for at in order], "Operator."), *measure), notes


def _time_by_type(layers: Layers, names: Sequence[str], group: Longs, count: Longs) -> tuple[Longs, list[Column]]:
    """Sum up each call by itself, then take medians over calls."""
    cell, first = numbered(group[layers.layer], layers.call)
    added = sums(cell, layers.durations_ns, len(first))
    times = summaries(group[layers.layer][first], added, len(names))
    order = ranked(times.median, names)
    total = np.nansum(times.median)
    return order, [
        whole("count", count[order], "", "Layers."),
        whole("latency_ns", times.median[order], "ns", "Median over calls of the sum over its layers."),
        whole("low_ns", times.low[order], "ns", "Lower end of its 95 % interval; empty for a single call."),
        whole("high_ns", times.high[order], "ns", "Upper end of its 95 % interval."),
        real("share_percent", percent(times.median, total)[order], "%", "Of the sum over types."),
    ]


def identity(layers: Layers) -> tuple[Column, Column, Column]:
    """Make the columns that name layers."""
    return (
        whole("index", layers.index, "", "Place in order of execution, from 0."),
        text("layer", layers.names),
        text("type", layers.types, "Operator."),
    )


def offsets(layers: Layers) -> Floats:
    """Give the start of each layer after the start of its call, ns: the median over calls."""
    since = layers.trace.start_ns[layers.rows] - layers.calls.starts[layers.call]
    return medians(layers.layer, since, len(layers))


def stages(count: int) -> list[str]:
    """Give the third that each of some layers lies in."""
    return [STAGES[3 * at // count] for at in range(count)]


def memory_of(layers: Layers) -> tuple[Floats | None, str]:
    """Give the bytes of each layer and say what they are; None where nothing is known."""
    allocated = layers.figures("allocated_bytes")
    outputs = layers.figures("output_bytes")
    if np.nansum(np.abs(allocated)) > 0:
        return allocated, "memory is what layers allocated and did not free"
    if not np.isnan(outputs).all():
        what = "layers allocated nothing in these calls" if not np.isnan(allocated).all() else "no allocations are told"
        return outputs, f"{what}; memory is the bytes of their outputs"
    return None, ""


def grouped(names: Sequence[str]) -> tuple[list[str], Longs]:
    """Give every different name once, as they come, and the number of each."""
    known: dict[str, int] = {}
    numbers = np.array([known.setdefault(name, len(known)) for name in names], np.int64)
    return list(known), numbers


def ranked(figures: Floats | Longs, names: Sequence[str]) -> Longs:
    """Order groups from the largest figure to the smallest, equal ones by name; NaN come last."""
    place = {name: at for at, name in enumerate(sorted(names))}
    return np.lexsort((np.array([place[name] for name in names], np.int64), -np.nan_to_num(figures, nan=-1.0)))
