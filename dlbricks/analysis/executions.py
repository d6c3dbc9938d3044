"""Calls, layers and kernels of a trace over all its calls: what every analysis takes its statistics of.

A layer or kernel of one call is found again in the next by its name and by how many of that name came before it.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.analysis.table import Floats, Summaries, medians, numbered, occurrences, summaries
from dlbricks.trace import kinds
from dlbricks.trace.intervals import ancestors
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """Stretches of time that are compared: calls of the network, else training steps, else the whole trace."""

    unit: str
    """``call``, ``step`` or ``trace``: what a stretch is."""
    starts: Longs
    """ns, ascending."""
    ends: Longs
    of: Longs
    """Call of every span of the trace, ``NONE`` for what lies outside all calls."""

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
    rows, unit = trace.rows(Level.MODEL, kinds.CALL), "call"
    if not len(rows):
        rows, unit = trace.rows(Level.APPLICATION, kinds.STEP), "step"
    if not len(rows):
        some = slice(0, 1) if len(trace) else slice(0, 0)
        ends = np.maximum(trace.end_ns, trace.start_ns)
        return Calls(
            unit="trace",
            starts=np.sort(trace.start_ns)[some],
            ends=np.sort(ends)[::-1][some],
            of=np.zeros(len(trace), np.int64),
        )
    rows = rows[np.argsort(trace.start_ns[rows], kind="stable")]
    launched = (trace.role == Role.EXECUTION) & (trace.parent != NONE)
    of = _by_time(trace, rows, np.where(launched, trace.parent, np.arange(len(trace))))
    number = np.full(len(trace) + 1, NONE, np.int64)
    number[rows] = np.arange(len(rows))
    if unit == "call":
        above = number[ancestors(trace, Level.MODEL, outermost=True)]
        of = np.where(above != NONE, above, of)
    of[rows] = np.arange(len(rows))
    return Calls(unit=unit, starts=trace.start_ns[rows], ends=trace.end_ns[rows], of=of)


def _by_time(trace: Trace, rows: Longs, asked: Longs) -> Longs:
    """Give the call of each span by the start of the span that asked for it, among the calls of its process."""
    processes = {name: index for index, name in enumerate(dict.fromkeys(lane.process for lane in trace.lanes))}
    process_of = np.array([processes[lane.process] for lane in trace.lanes], np.int64)
    process = process_of[trace.lane[asked]]
    began, callers = trace.start_ns[asked], process[rows]
    made = np.full(len(trace), NONE, np.int64)
    with_calls = np.unique(callers)
    for one in with_calls.tolist():
        mine = np.ones(len(trace), bool) if len(with_calls) == 1 else process == one
        made[mine] = _containing(trace, rows, np.flatnonzero(callers == one), began[mine])
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
class Executions:
    """Every different layer or kernel of a trace, in order of execution, and all its executions."""

    trace: Trace
    rows: Longs
    """Of the executions, by call and start."""
    which: Longs
    """Layer or kernel of each execution."""
    call: Longs
    """Of each execution."""
    names: tuple[str, ...]
    """Of each layer or kernel."""
    occurrence: Longs
    """Of each layer or kernel: how many of its name come before it in its call (a kernel: in its layer and call)."""
    outside: int
    """Executions outside all calls, which are left out."""

    def __len__(self) -> int:
        """Give the number of different layers or kernels."""
        return len(self.names)

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
        """Of each execution, never negative."""
        return self.ends_ns - self.starts_ns

    def latencies(self) -> Summaries:
        """Summarise the time of each layer or kernel over calls, ns."""
        return summaries(self.which, self.durations_ns, len(self))

    def median(self, values: Floats | Longs) -> Floats:
        """Give the median over calls of a figure of every execution."""
        return medians(self.which, values, len(self))

    def counted(self, attribute: str) -> Floats:
        """Give an attribute of numbers of each execution, NaN where it has none or an infinite one."""
        if attribute not in self.trace.attributes:
            return np.full(len(self.rows), np.nan)
        values = self.trace.column(attribute, self.rows)
        return np.where(np.isfinite(values), values, np.nan)

    def attribute(self, wanted: str, other: str) -> str:
        """Give the name of an attribute if the trace has it, else that of another."""
        return wanted if wanted in self.trace.attributes else other

    def figures(self, attribute: str) -> Floats:
        """Give an attribute of numbers: the median over calls, NaN where there is none."""
        return self.median(self.counted(attribute))

    def first(self) -> Longs:
        """Give the row of the first execution of each layer or kernel."""
        return self.rows[np.unique(self.which, return_index=True)[1]]

    def texts(self, attribute: str) -> tuple[str, ...]:
        """Give an attribute of texts, of the first execution; empty where it has none."""
        return tuple(self.trace.texts(attribute, self.first()))


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerTable(Executions):
    """The layers of a trace.

    A layer is an outermost span of level LAYER: what runs inside it (bodies of If and Loop, operators that call
    others) is part of it.
    """

    calls: Calls
    index: Longs
    """Of each layer: its place within a call as the runtime numbers it, else as executed, from 0."""
    types: tuple[str, ...]
    """Operator of each layer; its name where the trace has no operator."""
    shapes: tuple[str, ...]
    """Of the outputs of each layer; empty where the trace has none."""
    execution_of: Longs
    """Execution (place in ``rows``) that every span of the trace lies in, ``NONE`` for none."""
    nested: int
    """Spans of level LAYER that lie inside others."""

    def keys(self) -> Mapping[tuple[str, int], int]:
        """Give the number of each layer by name and occurrence, which find it again in another run."""
        return {key: number for number, key in enumerate(zip(self.names, self.occurrence.tolist(), strict=True))}


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelTable(Executions):
    """What ran on devices: kernels, copies, memsets and collectives.

    A kernel is known by its layer, its name and how many of that name came before it in that layer and call, so two
    launches of one kernel in one layer are two kernels.
    """

    layers: LayerTable
    """Of the same trace."""
    within: Longs
    """Execution of a layer (place in ``layers.rows``) that each execution lies in, ``NONE`` for none."""
    kinds: tuple[str, ...]
    """Of each kernel: kernel, memcpy, memset, collective or graph."""
    layer: Longs
    """Of each kernel, ``NONE`` where it lies in no layer."""

    @property
    def computing(self) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Whether each execution computes, rather than copies or fills memory."""
        quiet = np.array([kind in {kinds.COPY, kinds.MEMSET} for kind in self.kinds], bool)
        return ~quiet[self.which]

    @property
    def layer_or_last(self) -> Longs:
        """Layer of each execution; the number behind the last layer where it lies in none."""
        of = self.layer[self.which]
        return np.where(of == NONE, len(self.layers), of)

    def lanes(self) -> tuple[str, ...]:
        """Give the device and lane of each kernel, of its first execution."""
        lanes = self.trace.lanes
        at = self.trace.lane[self.first()].tolist()
        return tuple(" ".join(filter(None, (lanes[one].device, lanes[one].name))) for one in at)


@functools.lru_cache(maxsize=8)
def layers_of(trace: Trace) -> LayerTable:
    """Find the layers of a trace; the answer is remembered, as many analyses ask for it."""
    calls = calls_of(trace)
    outer = ancestors(trace, Level.LAYER, outermost=True)
    spans = trace.rows(Level.LAYER)
    outermost = spans[outer[spans] == spans]
    order = np.lexsort((trace.start_ns[outermost], calls.of[outermost]))
    rows = outermost[order[calls.of[outermost][order] != NONE]]
    call, name = calls.of[rows], trace.name[rows].astype(np.int64)
    given = trace.column("index", rows)
    place = given if len(rows) and not np.isnan(given).any() else occurrences(call).astype(np.float64)
    common, first = _ordered(trace, rows, (call,), (name,), place)
    execution = np.full(len(trace) + 1, NONE, np.int64)
    execution[rows] = np.arange(len(rows))
    index = given[first]
    return LayerTable(
        **common,
        calls=calls,
        index=np.arange(len(first)) if np.isnan(index).any() else index.astype(np.int64),
        types=tuple(
            given or named for given, named in zip(trace.texts("type", rows[first]), common["names"], strict=True)
        ),
        shapes=tuple(trace.texts("shape", rows[first])),
        execution_of=execution[outer],
        nested=len(spans) - len(outermost),
        outside=len(outermost) - len(rows),
    )


@functools.lru_cache(maxsize=8)
def kernels_of(trace: Trace) -> KernelTable:
    """Find the kernels of a trace; the answer is remembered."""
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
    """Number executions: equal keys and occurrence are one layer or kernel, and these are ordered by median place.

    Args:
        trace: of all.
        rows: of the executions, by call and start.
        within: numbers within which names are counted; the first is the call.
        keys: what else has to be equal, the name last.
        place: of each execution in its call.

    Returns:
        The fields of ``Executions`` but ``outside``, and the first execution of each layer or kernel.
    """
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


def device_rows(trace: Trace) -> Longs:
    """Give the spans that keep a device busy; a graph launch as a whole counts where its nodes were not recorded."""
    rows = trace.rows(Level.KERNEL, *kinds.DEVICE_KINDS)
    graphs = trace.rows(Level.KERNEL, kinds.GRAPH, role=Role.EXECUTION)
    if not len(graphs):
        return rows
    known = trace.parent[rows]
    opened = np.isin(graphs, known) | np.isin(trace.parent[graphs], known[known != NONE])
    return np.sort(np.concatenate((rows, graphs[~opened])))
