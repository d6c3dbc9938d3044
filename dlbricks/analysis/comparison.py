"""Comparisons of profiles: two of one network, and several networks in one table.

Two profiles (of two machines or runtimes, or before and after a change) are compared by layer, matched by name and
occurrence, and by kernel name. Layers and kernels of only one side are kept, so that sums agree. A difference is called
certain if it exceeds the combined (in quadrature) half-widths of the 95 % intervals.

A table of networks has one row per network, as the model tables of XSP (IPDPS 2020, section IV).
"""

import functools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np

from dlbricks.analysis.device_time import launching
from dlbricks.analysis.executions import (
    Executions,
    KernelTable,
    LayerTable,
    ModelTimes,
    all_model_times,
    kernels_if_any,
    kernels_in,
    layers_if_any,
    layers_in,
    model_times,
)
from dlbricks.analysis.kernels import call_points, launches
from dlbricks.analysis.roofline import COMPUTED, Points, costs_note, work_by_call
from dlbricks.analysis.runs import call_counters, optimal_batch, throughputs
from dlbricks.analysis.table import (
    Column,
    Floats,
    Summaries,
    Table,
    TableContent,
    UnavailableError,
    flag,
    grouped,
    over_calls,
    percent,
    quotient,
    real,
    table_of,
    text,
    whole,
)
from dlbricks.profile.types import Profile
from dlbricks.trace.intervals import covered_ns, union_by
from dlbricks.trace.types import Longs

# if most layers differ in name, times per layer say nothing of the change
# Share of matching layers below which a note is added.
FEW = 0.5

_Key = TypeVar("_Key")
_Side = TypeVar("_Side")


def compare(a: Profile, b: Profile) -> tuple[Table, ...]:
    """Compare two profiles: calls, layers, layer types, kernels; columns ``a_`` and ``b_`` are the two sides."""
    names = a.network if a.network == b.network else f"{a.network} and {b.network}"
    return (
        table_of("compare-model", f"Calls of {names}", lambda: _calls(a, b)),
        table_of("compare-layers", f"Layers of {names}", lambda: _layers(*_both(a, b, layers_in))),
        table_of("compare-types", f"Layer types of {names}", lambda: _types(*_both(a, b, layers_in))),
        table_of("compare-kernels", f"Kernels of {names}", lambda: _kernels(*_both(a, b, kernels_in))),
    )


def _both(
    a: Profile, b: Profile, of: Callable[[Profile, int | None], tuple[_Side, tuple[str, ...]]]
) -> tuple[_Side, _Side, list[str]]:
    # Return the data of both profiles for their smallest common batch, with notes.
    # If a batch size is unknown, as in traces of other tools, the smallest of each side is used.
    batch = next((batch for batch in a.batches if batch in b.batches), None)
    if batch is None and 0 not in {*a.batches, *b.batches}:
        raise UnavailableError(_no_common_batch(a, b))
    sides = []
    for which, profile in (("first", a), ("second", b)):
        try:
            sides.append(of(profile, batch))
        except UnavailableError as error:
            raise UnavailableError(f"the {which} {error}") from error
    (first, notes), (second, more) = sides
    which_batch = [f"of batch {batch}"] if batch and len({*a.batches, *b.batches}) > 1 else []
    return first, second, [*notes, *more, *which_batch]


def _calls(a: Profile, b: Profile) -> TableContent:
    times_of = [(model_times(a, batch), model_times(b, batch)) for batch in a.batches if batch in b.batches]
    pairs = [(first, second) for first, second in times_of if first is not None and second is not None]
    if not pairs:
        raise UnavailableError(_no_common_batch(a, b))
    sides = [np.concatenate([_times(pair[at].summary) for pair in pairs], axis=1) for at in (0, 1)]
    notes = [note for pair in pairs for times in pair for note in times.notes]
    return (
        whole("batch", [times.batch or np.nan for times, _ in pairs], "", "Inputs per call."),
        *_differences(*sides),
    ), notes


def _layers(first: LayerTable, second: LayerTable, notes: Sequence[str]) -> TableContent:
    ours, theirs = first.keys(), second.keys()
    keys = list(dict.fromkeys((*ours, *theirs)))
    # Where both have a layer, the type of the first profile counts.
    types = dict(zip((*theirs, *ours), (*second.types, *first.types), strict=True))
    matching = sum(key in ours and key in theirs for key in keys)
    more = [f"{matching} of {len(keys)} layers are in both profiles"]
    if matching < FEW * len(keys):
        more.append("most layers have no match by name: the networks or their lowering differ")
    sides = (
        _looked_up(_times(layers.latencies()), places, keys) for layers, places in ((first, ours), (second, theirs))
    )
    columns = (
        whole("index", _looked_up(first.index, ours, keys), "", "In the first; empty for layers of the second only."),
        text("layer", [name for name, _ in keys]),
        text("type", [types[key] for key in keys], "Operator."),
        *_differences(*sides),
    )
    return columns, [*notes, *more]


def _types(first: LayerTable, second: LayerTable, notes: Sequence[str]) -> TableContent:
    sides = [_summed(layers, layers.types, lambda group, _: np.bincount(group)) for layers in (first, second)]
    return _by_label("type", "Layers of the type", sides), notes


def _kernels(first: KernelTable, second: KernelTable, notes: Sequence[str]) -> TableContent:
    sides = [_summed(kernels, kernels.names, functools.partial(launches, kernels)) for kernels in (first, second)]
    return _by_label("kernel", "Executions in one call", sides), notes


# Index of each label; times as in ``_times`` and counts, in that order.
_Summed: TypeAlias = tuple[Mapping[str, int], Floats, Floats | Longs]


def _summed(table: Executions, labels: Sequence[str], count: Callable[[Longs, int], Floats | Longs]) -> _Summed:
    # Sum the layers or kernels of each label, per call.
    names, group = grouped(labels)
    times = over_calls(group[table.which], table.call, table.durations_ns, len(names))
    return {name: at for at, name in enumerate(names)}, _times(times), count(group, len(names))


def _by_label(what: str, meaning: str, sides: Sequence[_Summed]) -> tuple[Column, ...]:
    # Compare the sums of two sides by label, largest time first.
    names = list(dict.fromkeys(name for places, _, _ in sides for name in places))
    a, b = (_looked_up(times, places, names) for places, times, _ in sides)
    counts = [np.nan_to_num(_looked_up(count, places, names)) for places, _, count in sides]
    order = np.argsort(-np.nan_to_num(a[0]) - np.nan_to_num(b[0]), kind="stable")
    return (
        text(what, [names[at] for at in order.tolist()]),
        whole("a_count", counts[0][order], "", f"{meaning}, in the first."),
        whole("b_count", counts[1][order], "", f"{meaning}, in the second."),
        *_differences(a[:, order], b[:, order]),
    )


def _times(times: Summaries) -> Floats:
    # Stack median, low and high as three rows.
    return np.stack((times.median, times.low, times.high))


def _looked_up(values: np.ndarray[Any, Any], places: Mapping[_Key, int], keys: Sequence[_Key]) -> Floats:
    # Return the values (last axis) of each key, NaN if missing.
    extended = np.concatenate((values, np.full((*values.shape[:-1], 1), np.nan)), axis=-1)
    looked_up: Floats = extended[..., [places.get(key, -1) for key in keys]]
    return looked_up


def _differences(a: Floats, b: Floats) -> tuple[Column, ...]:
    # Return the columns that compare two sides, each as in ``_times``.
    difference = b[0] - a[0]
    half = np.hypot(a[2] - a[1], b[2] - b[1]) / 2
    far = (np.abs(difference) > half).tolist()
    certain = [None if math.isnan(width) else exceeds for width, exceeds in zip(half.tolist(), far, strict=True)]
    return (
        whole("a_ns", a[0], "ns", "In the first, median over calls."),
        whole("b_ns", b[0], "ns", "In the second, median over calls."),
        whole("difference_ns", difference, "ns", "Second minus first."),
        real("ratio", quotient(b[0], a[0]), "", "Second over first."),
        flag("certain", certain, "Whether the difference exceeds the 95 % intervals; empty for single calls."),
    )


def _no_common_batch(a: Profile, b: Profile) -> str:
    first, second = (", ".join(map(str, profile.batches)) or "none" for profile in (a, b))
    return f"no batch was measured in both: the first has {first}, the second {second}"


_CONVOLUTION = re.compile(r"conv", re.IGNORECASE)
_MATRIX = re.compile(r"matmul|gemm|attention|linear|addmm|bmm|einsum|lstm|gru|rnn", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Network:
    """Data for one row of the table of networks."""

    profile: Profile
    # By batch, ascending.
    times: tuple[ModelTimes, ...]
    best: int | None
    layers: LayerTable | None
    kernels: KernelTable | None
    points: Points
    # Source of FLOPs and bytes: counted, computed, or empty.
    source: str

    def of_smallest(self, value: Callable[[ModelTimes], float]) -> float:
        """Return a value of the smallest batch; NaN if there is none."""
        return value(self.times[0]) if self.times else math.nan

    def of_fastest(self, value: Callable[[ModelTimes], float]) -> float:
        """Return a value of the batch with the highest throughput; NaN if there is none."""
        rates = throughputs(self.times)
        return math.nan if np.isnan(rates).all() else value(self.times[int(np.nanargmax(rates))])


def networks_table(profiles: Sequence[Profile]) -> Table:
    """Compare networks in one table: latency, batches, breakdown of time, and bounds."""
    rows = [_network(profile) for profile in profiles]
    columns = (
        text("network", [row.profile.network for row in rows]),
        text("system", [str(row.profile.system.get("name") or "") for row in rows]),
        text("provider", [str(row.profile.runtime.get("provider") or "") for row in rows], "Execution provider."),
        whole("batch", [row.of_smallest(lambda times: times.batch or math.nan) for row in rows], "",
              "Smallest measured."),
        whole("latency_ns", [row.of_smallest(lambda times: times.median_ns) for row in rows], "ns",
              "Median of a call with that batch, without tracing."),
        whole("low_ns", [row.of_smallest(lambda times: times.summary.low[0]) for row in rows], "ns", "95 %."),
        whole("high_ns", [row.of_smallest(lambda times: times.summary.high[0]) for row in rows], "ns", "95 %."),
        whole("optimal_batch", [row.best or math.nan for row in rows], "", "From which doubling gains 5 % or less."),
        real("throughput_per_s", [row.of_fastest(lambda times: throughputs([times])[0]) for row in rows], "1/s",
             "Highest over the batches, inputs per second."),
        whole("throughput_batch", [row.of_fastest(lambda times: times.batch or math.nan) for row in rows], "",
              "Batch with that throughput."),
        whole("layers", [len(row.layers) if row.layers else math.nan for row in rows], "", "Executed in a call."),
        real("convolution_percent", [_share(row.layers, _CONVOLUTION) for row in rows], "%", "Of the time in layers."),
        real("matrix_percent", [_share(row.layers, _MATRIX) for row in rows], "%", "Of the time in layers."),
        real("overhead_percent", [_overhead(row) for row in rows], "%",
             "Share of a call in which no layer runs; with recorded kernels, in which no device is busy."),
        real("launch_bound_percent",
             [100 * launching(row.kernels).share if row.kernels else math.nan for row in rows], "%",
             "Share of a call in which devices wait for launches."),
        real("flops", [row.points.flops[0] for row in rows], "flop", "Of a call with the smallest batch."),
        real("intensity", [row.points.intensity[0] for row in rows], "flop/B"),
        real("flops_per_s", [row.points.rate[0] for row in rows], "flop/s", "Flops over latency."),
        flag("memory_bound", [row.points.memory_bound[0] for row in rows], "From the sums over its layers."),
    )  # fmt: skip
    return Table(id="networks", title="Networks", columns=columns, notes=_notes(rows))


def _network(profile: Profile) -> _Network:
    times = tuple(all_model_times(profile))
    best, _ = optimal_batch([time.batch for time in times], throughputs(times))
    layers, kernels = layers_if_any(profile), kernels_if_any(profile)
    work = None if kernels is None else work_by_call(kernels)
    latency = np.array([times[0].median_ns if times else math.nan])
    counters = call_counters(profile, times[0].batch) if times else {}
    points, source = call_points(profile, layers, work, latency, counters)
    return _Network(
        profile=profile, times=times, best=best, layers=layers, kernels=kernels, points=points, source=source
    )


def _share(layers: LayerTable | None, pattern: re.Pattern[str]) -> float:
    # Return the share of layer time in types that match a pattern, %.
    if layers is None:
        return math.nan
    times = layers.latencies().median
    matching = np.array([pattern.search(name) is not None for name in layers.types], bool)
    return float(percent(times[matching].sum(), times.sum()))


def _overhead(network: _Network) -> float:
    # Return the share of a call in which neither layer nor device is active, %.
    # Device busy time is compared with the latency without tracing, as in A15; layer time with the calls of its own
    # run, which its tracing makes longer, too.
    if network.kernels is not None:
        windows = network.kernels.layers.calls
        busy = covered_ns(windows.starts, windows.ends, network.kernels.starts_ns, network.kernels.ends_ns)
        return 100 - float(percent(np.median(busy), network.of_smallest(lambda times: times.median_ns)))
    if network.layers is None or network.layers.calls.unit == "trace":
        return math.nan
    calls, layers = network.layers.calls, network.layers
    ends = np.minimum(layers.ends_ns, calls.ends[layers.call])
    busy = union_by(layers.call, layers.starts_ns, ends, len(calls))
    return float(np.median(percent(calls.durations_ns - busy, calls.durations_ns)))


def _notes(rows: Sequence[_Network]) -> tuple[str, ...]:
    notes = [f"{row.profile.network}: {note}" for row in rows for times in row.times for note in times.notes]
    notes += [
        f"{row.profile.network}: {note}"
        for row in rows
        if row.layers is not None and row.source == COMPUTED
        for note in costs_note(row.layers)
    ]
    without = [row.profile.network for row in rows if row.profile.roofs is None]
    if without:
        notes.append(f"no roofs were measured for {', '.join(without)}")
    return tuple(dict.fromkeys(notes))
