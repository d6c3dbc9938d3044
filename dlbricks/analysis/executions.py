"""The data of analyses: calls, layers and kernels of the least disturbed run of a profile.

A layer or kernel is identified by its name, and by a number that counts equal names.
"""

import contextlib
import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dlbricks.analysis.table import (
    Column,
    Flags,
    Floats,
    Summaries,
    UnavailableError,
    grouped,
    medians,
    numbered,
    occurrences,
    summaries,
    summary,
    text,
    whole,
)
from dlbricks.errors import InputError
from dlbricks.trace import kinds
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.types import LEVELS, NONE, Level, LevelRun, Longs, Profile, Role, Trace
from dlbricks.units import counted
from dlbricks.whatif.explain import recorded_step_times
from dlbricks.whatif.select import launched_like
from dlbricks.whatif.sources.traces import graph_of_trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """Calls of a network in a trace; if there are none, its steps; if there are none either, the whole trace."""

    unit: str
    """``call``, ``step`` or ``trace``."""
    starts: Longs
    """Start of every call, ns, ascending."""
    ends: Longs
    of: Longs
    """Index of the call to which each span belongs; ``NONE`` outside all calls."""
    durations_ns: Longs
    """Duration of every call, ns; of a step at least the time for which it keeps a device busy."""

    def __len__(self) -> int:
        """Return the number of calls."""
        return len(self.starts)


@functools.lru_cache(maxsize=8)
def calls_of(trace: Trace) -> Calls:
    """Return the calls of a network in a trace.

    A span belongs to the call that is its ancestor. Without such an ancestor, it belongs to the call of its process
    during which it began. A device execution belongs to the call that launched it.
    """
    rows, unit = trace.rows(Level.MODEL, kinds.CALL), "call"
    if not len(rows):
        rows, unit = trace.rows(Level.APPLICATION, kinds.STEP), "step"
    if not len(rows):
        starts, ends = np.sort(trace.start_ns)[:1], np.sort(np.maximum(trace.end_ns, trace.start_ns))[-1:]
        return Calls(
            unit="trace", starts=starts, ends=ends, of=np.zeros(len(trace), np.int64), durations_ns=ends - starts
        )
    rows = rows[np.argsort(trace.start_ns[rows], kind="stable")]
    launched = (trace.role == Role.EXECUTION) & (trace.parent != NONE)
    requests = np.where(launched, trace.parent, np.arange(len(trace)))
    began, work = np.array(trace.start_ns[requests]), device_rows(trace)
    work = work[np.lexsort((trace.end_ns[work], trace.start_ns[work]))]
    device = devices_of(trace, work)[1]
    like = launched_like(began[work], launched[work], device, trace.lane[work], trace.start_ns[rows])
    began[work] = np.where(like == NONE, trace.start_ns.min() - 1, began[work[like]])
    of = _by_time(trace, rows, requests, began)
    number = np.full(len(trace) + 1, NONE, np.int64)
    number[rows] = np.arange(len(rows))
    if unit == "call":
        above = number[ancestors(trace, Level.MODEL, outermost=True)]
        of = np.where(above != NONE, above, of)
    of[rows] = np.arange(len(rows))
    starts, ends = trace.start_ns[rows], trace.end_ns[rows]
    durations = np.maximum(ends - starts, 0)
    if unit == "step" and len(work):
        with contextlib.suppress(InputError):  # for a trace that cannot be replayed, times of the host count
            durations = recorded_step_times(graph_of_trace(trace))
    return Calls(unit=unit, starts=starts, ends=ends, of=of, durations_ns=durations)


def _by_time(trace: Trace, rows: Longs, requests: Longs, began: Longs) -> Longs:
    # Return for each span the call of its process during which it began.
    process = grouped([lane.process for lane in trace.lanes])[1][trace.lane[requests]]
    callers = process[rows]
    by_time = np.full(len(trace), NONE, np.int64)
    with_calls = np.unique(callers)
    for caller in with_calls.tolist():
        mine = np.ones(len(trace), bool) if len(with_calls) == 1 else process == caller
        by_time[mine] = _containing(trace, rows, np.flatnonzero(callers == caller), began[mine])
    # A process without calls, such as a data loader, works for the calls of all other processes.
    if len(with_calls) > 1:
        others = ~np.isin(process, with_calls)
        by_time[others] = _containing(trace, rows, np.arange(len(rows)), began[others])
    return by_time


def _containing(trace: Trace, rows: Longs, numbers: Longs, times: Longs) -> Longs:
    # Return, among some calls, the call that contains each time; ``NONE`` between calls.
    mine = rows[numbers]
    at = np.searchsorted(trace.start_ns[mine], times, "right") - 1
    inside = (at >= 0) & (times <= trace.end_ns[mine][at])
    return np.where(inside, numbers[at], NONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Executions:
    """Distinct layers or kernels of a trace, and all their executions."""

    trace: Trace
    rows: Longs
    """Rows of the executions in the trace, sorted by call and start."""
    which: Longs
    """Index of the layer or kernel that each execution executes."""
    call: Longs
    """Index of the call of each execution."""
    names: tuple[str, ...]
    """Name of each layer or kernel."""
    occurrence: Longs
    """Number of earlier layers with this name in the call, or of earlier kernels with this name in the layer."""
    outside: int
    """Number of executions that are left out, since they are outside all calls."""

    def __len__(self) -> int:
        """Return the number of distinct layers or kernels."""
        return len(self.names)

    @property
    def starts_ns(self) -> Longs:
        """Start of each execution, ns."""
        return self.trace.start_ns[self.rows]

    @property
    def ends_ns(self) -> Longs:
        """End of each execution, ns."""
        return np.maximum(self.trace.end_ns[self.rows], self.starts_ns)

    @property
    def durations_ns(self) -> Longs:
        """Duration of each execution, ns."""
        return self.ends_ns - self.starts_ns

    def latencies(self) -> Summaries:
        """Return the median duration over calls of each layer or kernel, with its interval, ns."""
        return summaries(self.which, self.durations_ns, len(self))

    def median(self, values: Floats | Longs) -> Floats:
        """Return the median over calls of each layer's or kernel's values; ``values`` has one number per execution."""
        return medians(self.which, values, len(self))

    def counted(self, attribute: str) -> Floats:
        """Return the numeric attribute of each execution; NaN if it is missing or infinite."""
        if attribute not in self.trace.attributes:
            return np.full(len(self.rows), np.nan)
        values = self.trace.column(attribute, self.rows)
        return np.where(np.isfinite(values), values, np.nan)

    def attribute(self, wanted: str, other: str) -> str:
        """Return ``wanted`` if the trace has an attribute of this name, else ``other``."""
        return wanted if wanted in self.trace.attributes else other

    def figures(self, attribute: str) -> Floats:
        """Return the median over calls of a numeric attribute, for each layer or kernel; NaN if it is missing."""
        return self.median(self.counted(attribute))

    def first(self) -> Longs:
        """Return the row of each layer's or kernel's first execution."""
        return self.rows[np.unique(self.which, return_index=True)[1]]

    def string_column(self, attribute: str) -> tuple[str, ...]:
        """Return a text attribute of each layer's or kernel's first execution; an empty text if it is missing."""
        return tuple(self.trace.string_column(attribute, self.first()))


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerTable(Executions):
    """The distinct layers of a trace with all their executions.

    A layer is an outermost span of level LAYER. It includes nested layers (in bodies of If and Loop).
    """

    calls: Calls
    index: Longs
    """Position of each layer in a call, as the runtime states it, or the order of execution."""
    types: tuple[str, ...]
    """Operator of each layer; the name of the layer if the operator is unknown."""
    shapes: tuple[str, ...]
    """Output shapes of each layer; empty if unknown."""
    execution_of: Longs
    """Execution of a layer that contains each span, as an index into ``rows``, or ``NONE``."""
    nested: int
    """Number of nested spans of level LAYER."""

    def keys(self) -> Mapping[tuple[str, int], int]:
        """Map name and occurrence of each layer to its index."""
        return {key: number for number, key in enumerate(zip(self.names, self.occurrence.tolist(), strict=True))}


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelTable(Executions):
    """Device executions of a trace: kernels, copies, memsets and collectives, all called kernels.

    A kernel is identified by layer, name and occurrence in the layer.
    """

    layers: LayerTable
    """The layers of the same trace."""
    within: Longs
    """Execution of a layer that launched each kernel execution, as an index into ``layers.rows``, or ``NONE``."""
    kinds: tuple[str, ...]
    """Kind of each kernel: kernel, memcpy, memset, collective or graph."""
    layer: Longs
    """Index of each kernel's layer, or ``NONE``."""

    @property
    def computing(self) -> Flags:
        """Whether each execution is computation, not a copy or memset."""
        quiet = np.array([kind in {kinds.COPY, kinds.MEMSET} for kind in self.kinds], bool)
        return ~quiet[self.which]

    @property
    def layer_or_last(self) -> Longs:
        """Index of each execution's layer; for an execution outside layers, the number of layers."""
        of = self.layer[self.which]
        return np.where(of == NONE, len(self.layers), of)

    def lanes(self) -> tuple[str, ...]:
        """Device and stream of each kernel's first execution."""
        lanes = self.trace.lanes
        at = self.trace.lane[self.first()].tolist()
        return tuple(" ".join(filter(None, (lanes[number].device, lanes[number].name))) for number in at)


@functools.lru_cache(maxsize=8)
def layers_of(trace: Trace) -> LayerTable:
    """Return the distinct layers of a trace; results are cached."""
    calls = calls_of(trace)
    outer = ancestors(trace, Level.LAYER, outermost=True)
    spans = trace.rows(Level.LAYER)
    outermost = spans[outer[spans] == spans]
    order = np.lexsort((trace.start_ns[outermost], calls.of[outermost]))
    rows = outermost[order[calls.of[outermost][order] != NONE]]
    call, name = calls.of[rows], trace.name[rows].astype(np.int64)
    numbers = trace.column("index", rows)
    # The runtime's numbers are preferred, since layers of parallel branches start in any order.
    place = numbers if len(rows) and not np.isnan(numbers).any() else occurrences(call).astype(np.float64)
    common, first = _ordered(trace, rows, (call,), (name,), place)
    execution = np.full(len(trace) + 1, NONE, np.int64)
    execution[rows] = np.arange(len(rows))
    index, types = numbers[first], trace.string_column("type", rows[first])
    return LayerTable(
        **common,
        calls=calls,
        index=np.arange(len(first)) if np.isnan(index).any() else index.astype(np.int64),
        types=tuple(type_ or name_ for type_, name_ in zip(types, common["names"], strict=True)),
        shapes=tuple(trace.string_column("shape", rows[first])),
        execution_of=execution[outer],
        nested=len(spans) - len(outermost),
        outside=len(outermost) - len(rows),
    )


@functools.lru_cache(maxsize=8)
def kernels_of(trace: Trace) -> KernelTable:
    """Return the distinct kernels of a trace; results are cached."""
    layers = layers_of(trace)
    spans = device_rows(trace)
    within = layers.execution_of[spans]
    of_layer = np.append(layers.call, NONE)[within]
    call = np.where(of_layer == NONE, layers.calls.of[spans], of_layer)
    order = np.lexsort((trace.start_ns[spans], call))
    order = order[call[order] != NONE]
    rows, call, within = spans[order], call[order], within[order]
    layer = np.append(layers.which, NONE)[within]
    name = trace.name[rows].astype(np.int64)
    common, first = _ordered(trace, rows, (call, layer), (layer, name), occurrences(call).astype(np.float64))
    return KernelTable(
        **common,
        layers=layers,
        within=within,
        kinds=tuple(trace.kinds[index] for index in trace.kind[rows[first]].tolist()),
        layer=layer[first],
        outside=len(spans) - len(rows),
    )


def _ordered(
    trace: Trace, rows: Longs, within: tuple[Longs, ...], keys: tuple[Longs, ...], place: Floats
) -> tuple[dict[str, Any], Longs]:
    # Group executions with equal keys and occurrence, and order the groups by median position.
    # ``within``: numbers within which occurrences are counted, the call first. ``keys``: further keys, the name last.
    # ``place``: position of each execution in its call.
    # Return the fields of ``Executions`` except ``outside``, and the first execution of each layer or kernel.
    occurrence = occurrences(*within, keys[-1])
    number, first = numbered(*keys, occurrence)
    order = np.argsort(medians(number, place, len(first)), kind="stable")
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(first))
    first = first[order]
    names = tuple(trace.names[index] for index in keys[-1][first].tolist())
    return {
        "trace": trace, "rows": rows, "which": rank[number], "call": within[0],
        "names": names, "occurrence": occurrence[first],
    }, first  # fmt: skip


def devices_of(trace: Trace, rows: Longs) -> tuple[list[tuple[str, str]], Longs]:
    """Return the sorted (process, device) pairs of some spans without repetitions, and each span's index among them."""
    owners = [(lane.process, lane.device) for lane in trace.lanes]
    devices = sorted({owners[number] for number in np.unique(trace.lane[rows]).tolist()})
    numbers = np.array([devices.index(owner) if owner in devices else NONE for owner in owners], np.int64)
    return devices, numbers[trace.lane[rows]]


def device_rows(trace: Trace) -> Longs:
    """Return the rows of spans that keep a device busy."""
    rows = trace.rows(Level.KERNEL, *kinds.DEVICE_KINDS)
    graphs = trace.rows(Level.KERNEL, kinds.GRAPH, role=Role.EXECUTION)
    if not len(graphs):
        return rows
    parents = trace.parent[rows]
    opened = np.isin(graphs, parents) | np.isin(trace.parent[graphs], parents[parents != NONE])
    return np.sort(np.concatenate((rows, graphs[~opened])))


# Words for what a run records, by its levels.
NAMES = {"M": "the call alone", "ML": "calls and layers", "MLK": "calls, layers and kernels"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTimes:
    """Latencies of a network with one batch size."""

    batch: int
    samples_ns: Longs
    summary: Summaries
    """Statistics of all latencies."""
    unit: str
    """``call``, ``step`` or ``trace``."""
    notes: tuple[str, ...]

    @property
    def median_ns(self) -> float:
        """Median latency, ns."""
        return float(self.summary.median[0])


def at_batch(profile: Profile, batch: int) -> Profile:
    """Return the profile with the runs of one batch size."""
    return replace(profile, runs=tuple(run for run in profile.runs if run.batch == batch))


def model_times(profile: Profile, batch: int | None = None) -> ModelTimes | None:
    """Return the latencies at a batch size (None: that of ``first_run``); None if there are no calls."""
    run = first_run(profile, LEVELS, batch)
    if run is None:
        return None
    calls = calls_of(run.trace) if len(run.trace) else None
    samples = np.asarray(run.samples_ns, np.int64)
    if calls is not None and (not len(samples) or calls.unit == "step"):
        samples = calls.durations_ns
    if not len(samples):
        return None
    return ModelTimes(
        batch=run.batch,
        samples_ns=samples,
        summary=summary(samples),
        unit="call" if calls is None else calls.unit,
        notes=() if run.levels == "M" or not profile.runtime else (_disturbed("of calls", run),),
    )


def all_model_times(profile: Profile) -> list[ModelTimes]:
    """Return the latencies at every batch size with calls, ascending."""
    return [times for times in (model_times(profile, batch) for batch in profile.batches) if times is not None]


def layers_in(profile: Profile, batch: int | None = None) -> tuple[LayerTable, tuple[str, ...]]:
    """Return the layers of the least disturbed run that recorded layers, and notes.

    Raises:
        UnavailableError: no run recorded a layer.
    """
    run = first_run(profile, ("ML", "MLK"), batch)
    if run is None:
        raise UnavailableError(_missing(profile, "ML"))
    layers = layers_of(run.trace)
    if not len(layers):
        raise UnavailableError(f"no layer was recorded in a run for {NAMES[run.levels]}")
    disturbed = [_disturbed("of layers", run)] if run.levels == "MLK" and profile.runtime else []
    return layers, (*disturbed, *_left_out(layers))


def kernels_in(profile: Profile, batch: int | None = None) -> tuple[KernelTable, tuple[str, ...]]:
    """Return the kernels of the least disturbed run that recorded kernels, and notes.

    Raises:
        UnavailableError: no run recorded a kernel.
    """
    run = first_run(profile, ("MLK",), batch)
    if run is None:
        raise UnavailableError(_missing(profile, "MLK"))
    kernels = kernels_of(run.trace)
    if not len(kernels):
        raise UnavailableError("no kernel was recorded: nothing ran on a device, or device activities were not traced")
    lost, outside = kernels.outside, int((kernels.layer < 0).sum())
    notes = [f"device activities outside all calls are left out: {lost}"] if lost else []
    if outside:
        notes.append(f"kernels outside all layers, whose layer is empty: {outside} of {len(kernels)}")
    return kernels, (*notes, *_left_out(kernels.layers))


def layers_if_any(profile: Profile, batch: int | None = None) -> LayerTable | None:
    """Return the layers as ``layers_in`` does; None if no run has layers."""
    try:
        return layers_in(profile, batch)[0]
    except UnavailableError:
        return None


def kernels_if_any(profile: Profile) -> KernelTable | None:
    """Return the kernels as ``kernels_in`` does; None if no run has kernels."""
    try:
        return kernels_in(profile)[0]
    except UnavailableError:
        return None


def identity(layers: LayerTable) -> tuple[Column, Column, Column]:
    """Return the columns that identify layers: index, name and type."""
    return (
        whole("index", layers.index, "", "Position in order of execution, from 0."),
        text("layer", layers.names),
        text("type", layers.types, "Operator."),
    )


def first_run(profile: Profile, levels: Sequence[str], batch: int | None = None) -> LevelRun | None:
    """Return the run at the first of ``levels`` that exists; by default, at the batch size with the most runs."""
    counts = Counter(run.batch for run in profile.runs)
    batches = sorted(counts, key=lambda size: (-counts[size], size)) if batch is None else (batch,)
    runs = (profile.run(level, size) for size in batches for level in levels)
    return next((run for run in runs if run is not None), None)


def _missing(profile: Profile, levels: str) -> str:
    there = ", ".join(dict.fromkeys(run.levels for run in profile.runs)) or "none"
    provider = str(profile.runtime.get("provider", ""))
    on_cpu = levels == "MLK" and provider.lower().startswith("cpu")
    what = f"needs a run that records {NAMES[levels]} (levels {levels}); the profile has levels: {there}"
    why = f"{provider} runs on the host, without kernels" if on_cpu else "; ".join(profile.notes)
    return f"{what}{'; ' if why else ''}{why}"


def _disturbed(what: str, run: LevelRun) -> str:
    return f"times {what} include the overhead of recording {NAMES[run.levels]}"


def _left_out(layers: LayerTable) -> list[str]:
    notes = []
    if layers.nested:
        notes.append(f"{counted(layers.nested, 'layer')} inside other layers, whose times include them")
    if layers.outside:
        notes.append(f"{counted(layers.outside, 'layer')} outside all calls: left out")
    if layers.calls.unit != "call":
        what = "step" if layers.calls.unit == "step" else "whole trace"
        notes.append(f"the trace marks no calls of a network: figures are per {what}")
    return notes
