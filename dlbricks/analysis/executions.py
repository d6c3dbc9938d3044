"""The calls of a trace and the spans that belong to each: what statistics over calls are of. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dlbricks.analysis.statistics import (
    Floats,
    Summaries,
    finite,
    medians,
    numbered,
    occurrences,
    remembered,
    summaries,
)
from dlbricks.trace import kinds
from dlbricks.trace.ancestry import ancestors
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """Stretches of time that are alike: calls of the network, else training steps, else the whole trace."""

    unit: str
    """``call``, ``step`` or ``trace``: what a stretch is."""
    starts: Longs
    """ns, ascending."""
    ends: Longs
    of: Longs
    """Call of every span of the trace, ``NONE`` for what lies outside all calls."""
    began: Longs
    """When a span was asked for, ns: start of its launch if it is an execution, else its own."""

    def __len__(self) -> int:
        """Give the number of calls."""
        return len(self.starts)

    @property
    def durations_ns(self) -> Longs:
        """Time from start to end of every call."""
        return np.asarray(np.maximum(self.ends - self.starts, 0), np.int64)


def calls_of(trace: Trace) -> Calls:
    """Find the calls of a trace and the call of each of its spans.

    A span belongs to the call that contains it as an ancestor; else to the call of its own process during which it
    began. What runs on a device began when it was launched, so work that outlasts its call stays with it.
    """
    unit, rows = _units(trace)
    launched = (trace.role == Role.EXECUTION) & (trace.parent != NONE)
    asked = np.where(launched, trace.parent, np.arange(len(trace)))
    began = trace.start_ns[asked]
    if unit == "trace":
        ends = np.maximum(trace.end_ns, trace.start_ns)
        some = len(trace) > 0
        return Calls(
            unit=unit,
            starts=trace.start_ns.min(keepdims=True) if some else np.zeros(0, np.int64),
            ends=ends.max(keepdims=True) if some else np.zeros(0, np.int64),
            of=np.zeros(len(trace), np.int64),
            began=began,
        )
    rows = rows[np.argsort(trace.start_ns[rows], kind="stable")]
    of = _by_time(trace, rows, asked)
    number = np.full(len(trace) + 1, NONE, np.int64)
    number[rows] = np.arange(len(rows))
    if unit == "call":
        above = number[ancestors(trace, Level.MODEL, outermost=True)]
        of = np.where(above != NONE, above, of)
    of[rows] = np.arange(len(rows))
    return Calls(unit=unit, starts=trace.start_ns[rows], ends=trace.end_ns[rows], of=of, began=began)


def _units(trace: Trace) -> tuple[str, Longs]:
    calls = trace.rows(Level.MODEL, kinds.CALL)
    if len(calls):
        return "call", calls
    steps = trace.rows(Level.APPLICATION, kinds.STEP)
    if len(steps):
        return "step", steps
    return "trace", calls


def _by_time(trace: Trace, rows: Longs, asked: Longs) -> Longs:
    """Give the call of each span by the time at which it was asked for, among the calls of its process."""
    processes = {name: index for index, name in enumerate(dict.fromkeys(lane.process for lane in trace.lanes))}
    process_of = np.array([processes[lane.process] for lane in trace.lanes], np.int64)
    process = process_of[trace.lane[asked]]
    began, callers = trace.start_ns[asked], process[rows]
    made = np.full(len(trace), NONE, np.int64)
    with_calls = np.unique(callers)
    for one in with_calls.tolist():
        numbers = np.flatnonzero(callers == one)
        mine = np.ones(len(trace), bool) if len(with_calls) == 1 else process == one
        made[mine] = _containing(trace, rows, numbers, began[mine])
    if len(with_calls) > 1:
        others = ~np.isin(process, with_calls)
        made[others] = _containing(trace, rows, np.arange(len(rows)), began[others])
    return made


def _containing(trace: Trace, rows: Longs, numbers: Longs, times: Longs) -> Longs:
    """Give the call of each time, of some calls only, ``NONE`` between them."""
    mine = rows[numbers]
    at = np.searchsorted(trace.start_ns[mine], times, "right") - 1
    inside = (at >= 0) & (times <= trace.end_ns[mine][at])
    return np.where(inside, numbers[at], NONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerTable:
    """Every different layer of a trace, in order of execution, and all its executions.

    A layer is an outermost span of level LAYER: what runs inside it (bodies of If and Loop, operators that call
    others) is part of it.
    """

    trace: Trace
    calls: Calls
    rows: Longs
    """Of the executions, by call and start; one for each call and layer."""
    layer: Longs
    """Of each execution."""
    call: Longs
    """Of each execution."""
    names: tuple[str, ...]
    """Of each layer."""
    occurrence: Longs
    """Of each layer: how many of the same name come before it within a call."""
    index: Longs
    """Of each layer: its place within a call as the runtime numbers it, else as executed, from 0."""
    types: tuple[str, ...]
    """Operator of each layer; its name where the trace tells no operator."""
    shapes: tuple[str, ...]
    """Of the outputs of each layer; empty where the trace does not tell."""
    execution_of: Longs
    """Execution (place in ``rows``) that every span of the trace lies in, ``NONE`` for none."""
    nested: int
    """Spans of level LAYER that lie inside others."""
    outside: int
    """Layers that lie outside all calls and are left out."""

    def __len__(self) -> int:
        """Give the number of different layers."""
        return len(self.names)

    @property
    def durations_ns(self) -> Longs:
        """Of each execution, never negative."""
        return np.maximum(self.trace.duration_ns[self.rows], 0)

    def latencies(self) -> Summaries:
        """Summarise the time of each layer over calls, ns."""
        return summaries(self.layer, self.durations_ns, len(self))

    def figures(self, attribute: str) -> Floats:
        """Give an attribute of numbers of each layer: the median over calls, NaN where it has none."""
        if attribute not in self.trace.attributes:
            return np.full(len(self), np.nan)
        return medians(self.layer, finite(self.trace.column(attribute, self.rows)), len(self))

    def texts(self, attribute: str) -> tuple[str, ...]:
        """Give an attribute of texts of each layer, of its first execution; empty where it has none."""
        return _texts(self.trace, attribute, self._first())

    def keys(self) -> Mapping[tuple[str, int], int]:
        """Give the number of each layer by name and occurrence, which find it again in another run."""
        return {key: number for number, key in enumerate(zip(self.names, self.occurrence.tolist(), strict=True))}

    def _first(self) -> Longs:
        return self.rows[np.unique(self.layer, return_index=True)[1]]


@remembered
def layers_of(trace: Trace) -> LayerTable:
    """Find the layers of a trace; asked again for the same trace, the answer is remembered."""
    calls = calls_of(trace)
    outer = ancestors(trace, Level.LAYER, outermost=True)
    spans = trace.rows(Level.LAYER)
    outermost = spans[outer[spans] == spans]
    inside = outermost[calls.of[outermost] != NONE]
    call = calls.of[inside]
    order = np.lexsort((trace.start_ns[inside], call))
    rows, call = inside[order], call[order]
    name = trace.name[rows].astype(np.int64)
    occurrence = occurrences(call, name)
    number, first = numbered(name, occurrence)
    place = _places(trace, rows, call)
    ordered = np.argsort(medians(number, place, len(first)), kind="stable")
    rank = np.empty(len(first), np.int64)
    rank[ordered] = np.arange(len(first))
    layer, first = rank[number], first[ordered]
    execution = np.full(len(trace) + 1, NONE, np.int64)
    execution[rows] = np.arange(len(rows))
    names = tuple(trace.names[index] for index in name[first].tolist())
    index = trace.column("index", rows[first])
    return LayerTable(
        trace=trace,
        calls=calls,
        rows=rows,
        layer=layer,
        call=call,
        names=names,
        occurrence=occurrence[first],
        index=np.arange(len(first)) if np.isnan(index).any() else index.astype(np.int64),
        types=tuple(given or named for given, named in zip(_texts(trace, "type", rows[first]), names, strict=True)),
        shapes=_texts(trace, "shape", rows[first]),
        execution_of=execution[outer],
        nested=len(spans) - len(outermost),
        outside=len(outermost) - len(rows),
    )


def _places(trace: Trace, rows: Longs, call: Longs) -> Floats:
    """Give the place of each execution within its call: the runtime's number where every layer has one."""
    given = trace.column("index", rows)
    if len(rows) and not np.isnan(given).any():
        return given
    return occurrences(call).astype(np.float64)


def _texts(trace: Trace, attribute: str, rows: Longs) -> tuple[str, ...]:
    return tuple(trace.texts(attribute, rows)) if attribute in trace.attributes else ("",) * len(rows)


COUNTED = ("flops", "dram_read_bytes", "dram_write_bytes", "occupancy")
"""Attributes that counters of the device give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelTable:
    """Every different kernel of a trace, in order of execution, and all its executions.

    A kernel is told from others by its layer, its name and how many of that name came before it in that layer and
    call, so two launches of one kernel in one layer are two kernels.
    """

    layers: LayerTable
    rows: Longs
    """Of the executions, by call and start."""
    kernel: Longs
    """Of each execution."""
    within: Longs
    """Execution of a layer (place in ``layers.rows``) that each execution lies in, ``NONE`` for none."""
    call: Longs
    """Of each execution."""
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    """Of each kernel: kernel, memcpy, memset, collective or graph."""
    layer: Longs
    """Of each kernel, ``NONE`` where it lies in no layer."""
    occurrence: Longs
    """Of each kernel: how many of its name come before it in its layer and call."""
    outside: int
    """Executions that were asked for outside all calls and are left out."""

    def __len__(self) -> int:
        """Give the number of different kernels."""
        return len(self.names)

    @property
    def trace(self) -> Trace:
        """The trace it is of."""
        return self.layers.trace

    @property
    def starts_ns(self) -> Longs:
        """Of each execution."""
        return self.trace.start_ns[self.rows]

    @property
    def ends_ns(self) -> Longs:
        """Of each execution, not before its start."""
        return np.maximum(self.trace.end_ns[self.rows], self.starts_ns)

    @property
    def durations_ns(self) -> Longs:
        """Of each execution."""
        return self.ends_ns - self.starts_ns

    @property
    def computing(self) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Whether each execution computes, rather than copies or fills memory."""
        quiet = np.array([kind in {kinds.COPY, kinds.MEMSET} for kind in self.kinds], bool)
        return ~quiet[self.kernel] if len(self.kernel) else np.zeros(0, bool)

    def latencies(self) -> Summaries:
        """Summarise the time of each kernel over calls, ns."""
        return summaries(self.kernel, self.durations_ns, len(self))

    def figures(self, attribute: str) -> Floats:
        """Give an attribute of numbers of each kernel: the median over calls, NaN where it has none."""
        return medians(self.kernel, self.counted(attribute), len(self))

    def counted(self, attribute: str) -> Floats:
        """Give an attribute of numbers of each execution, NaN where it has none."""
        if attribute not in self.trace.attributes:
            return np.full(len(self.rows), np.nan)
        return finite(self.trace.column(attribute, self.rows))

    def lanes(self) -> tuple[str, ...]:
        """Give the device and lane of each kernel, of its first execution."""
        lanes = self.trace.lanes
        at = self.trace.lane[self._first()].tolist()
        return tuple(" ".join(filter(None, (lanes[one].device, lanes[one].name))) for one in at)

    def texts(self, attribute: str) -> tuple[str, ...]:
        """Give an attribute of texts of each kernel, of its first execution; empty where it has none."""
        return (
            tuple(self.trace.texts(attribute, self._first()))
            if attribute in self.trace.attributes
            else ("",) * len(self)
        )

    def _first(self) -> Longs:
        return self.rows[np.unique(self.kernel, return_index=True)[1]]


def device_rows(trace: Trace) -> Longs:
    """Give the spans that keep a device busy; a graph launch as a whole counts where its nodes were not recorded."""
    rows = trace.rows(Level.KERNEL, *kinds.DEVICE_KINDS)
    graphs = trace.rows(Level.KERNEL, kinds.GRAPH, role=Role.EXECUTION)
    if not len(graphs):
        return rows
    known = trace.parent[rows]
    opened = np.isin(graphs, known) | np.isin(trace.parent[graphs], known[known != NONE])
    return np.sort(np.concatenate((rows, graphs[~opened])))


@remembered
def kernels_of(trace: Trace) -> KernelTable:
    """Find the kernels of a trace; asked again for the same trace, the answer is remembered."""
    layers = layers_of(trace)
    calls = layers.calls
    spans = device_rows(trace)
    within = layers.execution_of[spans]
    of_layer = np.append(layers.call, NONE)[within]
    call = np.where(of_layer == NONE, calls.of[spans], of_layer)
    order = np.lexsort((trace.start_ns[spans], call))
    order = order[call[order] != NONE]
    rows, call, within = spans[order], call[order], within[order]
    layer = np.append(layers.layer, NONE)[within]
    name = trace.name[rows].astype(np.int64)
    occurrence = occurrences(call, layer, name)
    number, first = numbered(layer, name, occurrence)
    place = occurrences(call).astype(np.float64)
    ordered = np.argsort(medians(number, place, len(first)), kind="stable")
    rank = np.empty(len(first), np.int64)
    rank[ordered] = np.arange(len(first))
    first = first[ordered]
    return KernelTable(
        layers=layers,
        rows=rows,
        kernel=rank[number],
        within=within,
        call=call,
        names=tuple(trace.names[index] for index in name[first].tolist()),
        kinds=tuple(trace.kinds[index] for index in trace.kind[rows[first]].tolist()),
        layer=layer[first],
        occurrence=occurrence[first],
        outside=len(spans) - len(rows),
    )
