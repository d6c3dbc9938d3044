"""Gradients of parameters: which device task makes each, and how many bytes it has.

Frameworks accumulate each parameter's gradient in an operator of its own, whose operand has the parameter's shape.
"""

import json
import math
import re

import numpy as np

from dlbricks.trace.types import NONE, Level, Longs, Trace
from dlbricks.whatif.graph import with_attributes
from dlbricks.whatif.kernels import element_bytes
from dlbricks.whatif.nouns import DependencyGraph
from dlbricks.whatif.waits import launches

GRADIENT_BYTES = "gradient_bytes"
"""Attribute: bytes of the gradients that are complete with a device task."""
_ACCUMULATES = re.compile(r"(torch::autograd::)?AccumulateGrad")


def with_gradients(graph: DependencyGraph, trace: Trace) -> DependencyGraph:
    """Write down where gradients are complete, if the trace has operators that accumulate them, with shapes.

    Args:
        graph: made of the trace and not edited since.
        trace: with ``input_shapes``, as recorded with ``record_shapes=True``.
    """
    fitting = [number for number, name in enumerate(trace.names) if _ACCUMULATES.fullmatch(name)]
    shapes = trace.attributes.get("input_shapes")
    if shapes is None or not fitting:
        return graph
    told = np.isin(trace.name[shapes.rows], fitting) & (trace.level[shapes.rows] == Level.LAYER)
    types = trace.attributes.get("dtype")
    type_of = {} if types is None else dict(zip(types.rows.tolist(), types.values, strict=True))
    found = np.full(len(graph), np.nan)
    launched = _LaunchedBy(graph, trace)
    for place in np.flatnonzero(told).tolist():
        row = int(shapes.rows[place])
        task = launched.last(int(trace.lane[row]), int(trace.end_ns[row]))
        shape = _first_shape(str(shapes.values[place]))
        if task != NONE and shape is not None:
            size = math.prod(shape) * element_bytes(str(type_of.get(row, "")))
            found[task] = size + (0 if np.isnan(found[task]) else found[task])
    if np.isnan(found).all():
        return graph
    return with_attributes(graph, **{GRADIENT_BYTES: found})


def _first_shape(text: str) -> list[int] | None:
    """Read the shape of the first operand, as in ``[[64,3,7,7]]``; None where there is none."""
    try:
        shapes = json.loads(text)
    except json.JSONDecodeError:
        return None
    first = shapes[0] if isinstance(shapes, list) and shapes else None
    whole = isinstance(first, list) and bool(first) and all(isinstance(size, int) for size in first)
    return first if whole else None


class _LaunchedBy:
    """Device tasks by the thread and the time of their launch."""

    def __init__(self, graph: DependencyGraph, trace: Trace) -> None:
        launch = launches(graph)
        rows = np.flatnonzero(launch != NONE)
        spans = graph.span[launch[rows]]
        rows, spans = rows[spans != NONE], spans[spans != NONE]
        self._by_lane: dict[int, tuple[Longs, Longs]] = {}
        for lane in np.unique(trace.lane[spans]).tolist():
            same = np.flatnonzero(trace.lane[spans] == lane)
            order = same[np.argsort(trace.start_ns[spans[same]], kind="stable")]
            self._by_lane[lane] = (trace.start_ns[spans[order]], rows[order])

    def last(self, lane: int, time: int) -> int:
        """Give the last device task that a thread launched up to some time; ``NONE`` where there is none."""
        times, tasks = self._by_lane.get(lane, (np.empty(0, np.int64), np.empty(0, np.int64)))
        at = int(np.searchsorted(times, time, side="right")) - 1
        return int(tasks[at]) if at >= 0 else NONE
