"""What ran on devices in a run, over all its calls: kernels, copies, memsets and collectives. Pure."""

from dataclasses import dataclass

import numpy as np

from dlbricks.analysis.layers import Layers, layers_of
from dlbricks.analysis.remember import remembered
from dlbricks.analysis.statistics import Floats, Summaries, finite, medians, numbered, occurrences, summaries
from dlbricks.trace import kinds
from dlbricks.trace.nouns import NONE, Level, Longs, Role, Trace

COUNTED = ("flops", "dram_read_bytes", "dram_write_bytes", "occupancy")
"""Attributes that counters of the device give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernels:
    """Every different kernel of a trace, in order of execution, and all its executions.

    A kernel is told from others by its layer, its name and how many of that name came before it in that layer and
    call, so two launches of one kernel in one layer are two kernels.
    """

    layers: Layers
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
def kernels_of(trace: Trace) -> Kernels:
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
    return Kernels(
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
