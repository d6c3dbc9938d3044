"""Two profiles against each other: two machines, two runtimes, before and after a change. Pure.

Layers are matched by name and occurrence, kernels summed up by name. What only one side has is kept, so that sums
agree. A difference is called certain where the 95 % intervals of both sides, in quadrature, do not reach it.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from dlbricks.analysis.calls import call_counters, call_points, optimal_batch, throughputs
from dlbricks.analysis.device_time import call_share, launching
from dlbricks.analysis.executions import KernelTable, LayerTable
from dlbricks.analysis.kernels import launches
from dlbricks.analysis.roofline import COMPUTED, DeviceWork, Points, costs_note, work_by_call
from dlbricks.analysis.sources import Answer, ModelTimes, kernels_in, layers_in, model_times, table_of
from dlbricks.analysis.statistics import Floats, Summaries, grouped, numbered, summaries, sums
from dlbricks.analysis.table import Column, Table, flag, percent, real, text, whole
from dlbricks.profile.types import Profile
from dlbricks.trace.intervals import covered_ns, union_by
from dlbricks.trace.types import Longs

FEW = 0.5
"""Below this share of matching layers a comparison says so."""

_Key = TypeVar("_Key")
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """Times of one side, row by row; NaN where it has no such row."""

    median: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class _GroupTimes:
    """What is taken together on one side: a name, what it sums up to in a call, and how often it comes."""

    places: Mapping[str, int]
    times: Summaries
    counts: Sequence[float]


def compare(a: Profile, b: Profile) -> tuple[Table, ...]:
    """Compare two profiles: calls, layers, layer types, kernels; columns of the first begin with ``a``."""
    names = a.network if a.network == b.network else f"{a.network} and {b.network}"
    layers = _both(a, b, layers_in)
    kernels = _both(a, b, kernels_in)
    return (
        table_of("compare-model", f"Calls of {names}", _calls(a, b)),
        table_of("compare-layers", f"Layers of {names}", layers if isinstance(layers, str) else _layers(*layers)),
        table_of("compare-types", f"Layer types of {names}", layers if isinstance(layers, str) else _types(*layers)),
        table_of("compare-kernels", f"Kernels of {names}", kernels if isinstance(kernels, str) else _kernels(*kernels)),
    )


def _both(
    a: Profile, b: Profile, of: Callable[[Profile, int | None], tuple[_Found, tuple[str, ...]] | str]
) -> tuple[_Found, _Found, list[str]] | str:
    """Give what both profiles have of one batch, the smallest that both have, with its notes; or why there is none.

    Where a batch is not known, as in traces of others, the smallest of each side is taken.
    """
    batch = next((one for one in a.batches if one in b.batches), None)
    if batch is None and 0 not in {*a.batches, *b.batches}:
        return _no_common_batch(a, b)
    first, second = of(a, batch), of(b, batch)
    if isinstance(first, str):
        return f"the first {first}"
    if isinstance(second, str):
        return f"the second {second}"
    said = [f"of batch {batch}"] if batch and len({*a.batches, *b.batches}) > 1 else []
    return first[0], second[0], [*first[1], *second[1], *said]


def _calls(a: Profile, b: Profile) -> Answer:
    known = []
    for batch in a.batches:
        one, other = model_times(a, batch), model_times(b, batch) if batch in b.batches else None
        if one is not None and other is not None:
            known.append((one, other))
    if not known:
        return _no_common_batch(a, b)
    sides = [_stacked([pair[at].summary for pair in known]) for at in (0, 1)]
    notes = [note for pair in known for times in pair for note in times.notes]
    return (
        whole("batch", [one.batch or np.nan for one, _ in known], "", "Inputs per call."),
        *_differences(*sides),
    ), notes


def _layers(first: LayerTable, second: LayerTable, notes: Sequence[str]) -> Answer:
    ours, theirs = first.keys(), second.keys()
    keys = list(dict.fromkeys((*ours, *theirs)))
    types = dict(zip((*theirs, *ours), (*second.types, *first.types), strict=True))
    matching = sum(key in ours and key in theirs for key in keys)
    said = [f"{matching} of {len(keys)} layers are in both; the others are on one side only"]
    if matching < FEW * len(keys):
        said.append("most layers have no partner of the same name: the networks or their lowering differ")
    columns = (
        whole("index", _figures(first.index, ours, keys), "", "In the first; empty for what only the second has."),
        text("layer", [name for name, _ in keys]),
        text("type", [types[key] for key in keys], "Operator."),
        *_differences(_side(first.latencies(), ours, keys), _side(second.latencies(), theirs, keys)),
    )
    return columns, [*notes, *said]


def _types(first: LayerTable, second: LayerTable, notes: Sequence[str]) -> Answer:
    return _groups("type", "Layers of the type", _by_type(first), _by_type(second)), notes


def _kernels(first: KernelTable, second: KernelTable, notes: Sequence[str]) -> Answer:
    return _groups("kernel", "Executions in one call", _by_name(first), _by_name(second)), notes


def _groups(what: str, counted: str, first: _GroupTimes, second: _GroupTimes) -> tuple[Column, ...]:
    """Set groups side by side, largest time first."""
    names = list(dict.fromkeys((*first.places, *second.places)))
    sides = [_side(one.times, one.places, names) for one in (first, second)]
    counts = [np.nan_to_num(_figures(one.counts, one.places, names)) for one in (first, second)]
    order = np.argsort(-np.nan_to_num(sides[0].median) - np.nan_to_num(sides[1].median), kind="stable")
    sides = [_Side(median=one.median[order], low=one.low[order], high=one.high[order]) for one in sides]
    return (
        text(what, [names[at] for at in order.tolist()]),
        whole("a_count", counts[0][order], "", f"{counted}, in the first."),
        whole("b_count", counts[1][order], "", f"{counted}, in the second."),
        *_differences(*sides),
    )


def _by_type(layers: LayerTable) -> _GroupTimes:
    names, group = grouped(layers.types)
    times = _over_calls(group[layers.layer], layers.call, layers.durations_ns, len(names))
    counts = np.bincount(group, minlength=len(names)).tolist()
    return _GroupTimes(places={name: at for at, name in enumerate(names)}, times=times, counts=counts)


def _by_name(kernels: KernelTable) -> _GroupTimes:
    names, group = grouped(kernels.names)
    times = _over_calls(group[kernels.kernel], kernels.call, kernels.durations_ns, len(names))
    counts = launches(kernels, group, len(names)).tolist()
    return _GroupTimes(places={name: at for at, name in enumerate(names)}, times=times, counts=counts)


def _over_calls(group: Longs, call: Longs, values: Longs, groups: int) -> Summaries:
    """Sum up each call by itself, then summarise over calls."""
    cell, first = numbered(group, call)
    return summaries(group[first], sums(cell, values, len(first)), groups)


def _stacked(found: Sequence[Summaries]) -> _Side:
    return _Side(
        median=np.array([one.median[0] for one in found]),
        low=np.array([one.low[0] for one in found]),
        high=np.array([one.high[0] for one in found]),
    )


def _side(found: Summaries, places: Mapping[_Key, int], keys: Sequence[_Key]) -> _Side:
    median, low, high = (_figures(values, places, keys) for values in (found.median, found.low, found.high))
    return _Side(median=median, low=low, high=high)


def _figures(values: Sequence[float] | Floats | Longs, places: Mapping[_Key, int], keys: Sequence[_Key]) -> Floats:
    """Give the figure of each key, NaN where it has none."""
    known = np.append(np.asarray(values, np.float64), np.nan)
    return known[[places.get(key, -1) for key in keys]]


def _differences(a: _Side, b: _Side) -> tuple[Column, ...]:
    """Make the columns that set two sides beside each other."""
    difference = b.median - a.median
    half = np.hypot(a.high - a.low, b.high - b.low) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(a.median > 0, b.median / a.median, np.nan)
    certain = [
        None if unsure else bool(far)
        for unsure, far in zip(np.isnan(half).tolist(), (np.abs(difference) > half).tolist(), strict=True)
    ]
    return (
        whole("a_ns", a.median, "ns", "In the first, median over calls."),
        whole("b_ns", b.median, "ns", "In the second, median over calls."),
        whole("difference_ns", difference, "ns", "Second less first."),
        real("ratio", ratio, "", "Second over first."),
        flag("certain", certain, "Whether the 95 % intervals rule out that there is none; empty for single calls."),
    )


def _no_common_batch(a: Profile, b: Profile) -> str:
    return f"no batch was measured in both: the first has {_listed(a.batches)}, the second {_listed(b.batches)}"


def _listed(batches: Sequence[int]) -> str:
    return ", ".join(str(one) for one in batches) or "none"


TITLE = "Networks"
_CONVOLUTION = re.compile(r"conv", re.IGNORECASE)
_MATRIX = re.compile(r"matmul|gemm|attention|linear|addmm|bmm|einsum|lstm|gru|rnn", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Network:
    """What one row is made of."""

    profile: Profile
    times: tuple[ModelTimes, ...]
    """Of every batch, ascending."""
    best: int | None
    layers: LayerTable | None
    kernels: KernelTable | None
    work: DeviceWork | None
    points: Points
    source: str
    """Of flops and bytes: counted, computed, or empty."""

    @property
    def latency_ns(self) -> float:
        """Of the smallest batch; NaN for none."""
        return self.times[0].median_ns if self.times else math.nan

    @property
    def fastest(self) -> int | None:
        """Place of the batch with the largest throughput."""
        rates = throughputs(self.times)
        return None if not len(rates) or np.isnan(rates).all() else int(np.nanargmax(rates))


def networks_table(profiles: Sequence[Profile]) -> Table:
    """Set networks beside each other: latency, batches, what they spend their time on, and what limits them."""
    rows = [_network(one) for one in profiles]
    fastest = [(one.times[one.fastest] if one.fastest is not None else None) for one in rows]
    columns = (
        text("network", [one.profile.network for one in rows]),
        text("system", [str(one.profile.system.get("name") or "") for one in rows]),
        text("provider", [str(one.profile.runtime.get("provider") or "") for one in rows], "Execution provider."),
        whole("batch", [_batch(one.times[0]) if one.times else math.nan for one in rows], "", "Smallest measured."),
        whole("latency_ns", [one.latency_ns for one in rows], "ns", "Of a call with that batch, undisturbed; median."),
        whole("low_ns", [one.times[0].summary.low[0] if one.times else math.nan for one in rows], "ns", "95 %."),
        whole("high_ns", [one.times[0].summary.high[0] if one.times else math.nan for one in rows], "ns", "95 %."),
        whole("optimal_batch", [one.best or math.nan for one in rows], "", "From which doubling gains 5 % or less."),
        real(
            "throughput_per_s",
            [throughputs([one])[0] if one else math.nan for one in fastest],
            "1/s",
            "Largest over the batches, inputs per second.",
        ),
        whole("throughput_batch", [_batch(one) if one else math.nan for one in fastest], "", "Batch of that."),
        whole("layers", [len(one.layers) if one.layers else math.nan for one in rows], "", "Executed in a call."),
        real("convolution_percent", [_share(one.layers, _CONVOLUTION) for one in rows], "%", "Of the time in layers."),
        real("matrix_percent", [_share(one.layers, _MATRIX) for one in rows], "%", "Of the time in layers."),
        real(
            "overhead_percent",
            [_overhead(one) for one in rows],
            "%",
            "Of a call: no layer runs; where kernels were recorded, no device is busy.",
        ),
        real(
            "launch_bound_percent", [_launch_bound(one) for one in rows], "%", "Of a call: devices wait for launches."
        ),
        real("flops", [one.points.flops[0] for one in rows], "flop", "Of a call with the smallest batch."),
        real("intensity", [one.points.intensity[0] for one in rows], "flop/B"),
        real("flops_per_s", [one.points.rate[0] for one in rows], "flop/s", "Flops over latency."),
        flag("memory_bound", [one.points.memory_bound[0] for one in rows], "Of the sums over its layers."),
    )
    return Table(id="networks", title=TITLE, columns=columns, notes=_notes(rows))


def _network(profile: Profile) -> _Network:
    times = tuple(one for one in (model_times(profile, batch) for batch in profile.batches) if one is not None)
    best, _ = optimal_batch([one.batch for one in times], throughputs(times))
    layers, kernels = layers_in(profile), kernels_in(profile)
    own = None if isinstance(layers, str) else layers[0]
    device = None if isinstance(kernels, str) else kernels[0]
    work = None if device is None else work_by_call(device)
    latency = np.array([times[0].median_ns if times else math.nan])
    counters = call_counters(profile, times[0].batch) if times else {}
    points, source = call_points(profile, own, work, latency, counters)
    return _Network(
        profile=profile, times=times, best=best, layers=own, kernels=device, work=work, points=points, source=source
    )


def _batch(times: ModelTimes) -> float:
    return times.batch or math.nan


def _share(layers: LayerTable | None, pattern: re.Pattern[str]) -> float:
    """Give the share of types that match a pattern in the time of layers, %."""
    if layers is None:
        return math.nan
    times = layers.latencies().median
    matching = np.array([pattern.search(name) is not None for name in layers.types], bool)
    return float(percent(times[matching].sum(), times.sum()))


def _overhead(one: _Network) -> float:
    """Give the share of a call in which nothing works, %.

    Busy time of devices is set against the undisturbed latency, as in A15; time in layers against calls of their run.
    """
    if one.kernels is not None:
        windows = one.kernels.layers.calls
        busy = covered_ns(windows.starts, windows.ends, one.kernels.starts_ns, one.kernels.ends_ns)
        return 100 - float(percent(np.median(busy), one.latency_ns))
    if one.layers is None or one.layers.calls.unit == "trace":
        return math.nan
    calls = one.layers.calls
    starts = one.layers.trace.start_ns[one.layers.rows]
    ends = np.minimum(starts + one.layers.durations_ns, calls.ends[one.layers.call])
    busy = union_by(one.layers.call, starts, ends, len(calls))
    return float(np.median(percent(calls.durations_ns - busy, calls.durations_ns)))


def _launch_bound(one: _Network) -> float:
    if one.kernels is None:
        return math.nan
    return 100 * call_share(one.kernels, launching(one.kernels)).share


def _notes(rows: Sequence[_Network]) -> tuple[str, ...]:
    notes = [f"{one.profile.network}: {note}" for one in rows for times in one.times for note in times.notes]
    notes += [
        f"{one.profile.network}: {note}"
        for one in rows
        if one.layers is not None and one.source == COMPUTED
        for note in costs_note(one.layers)
    ]
    without = [one.profile.network for one in rows if one.profile.roofs is None]
    if without:
        notes.append(f"no roofs were measured for {', '.join(without)}")
    return tuple(dict.fromkeys(notes))
