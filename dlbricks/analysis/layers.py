"""Layers of a run over all its calls: the n-th occurrence of a name in one call is the n-th in every other. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dlbricks.analysis.calls import Calls, calls_of
from dlbricks.analysis.remember import remembered
from dlbricks.analysis.statistics import Floats, Summaries, finite, medians, numbered, occurrences, summaries
from dlbricks.trace.ancestry import ancestors
from dlbricks.trace.nouns import NONE, Level, Longs, Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
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
def layers_of(trace: Trace) -> Layers:
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
    return Layers(
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
