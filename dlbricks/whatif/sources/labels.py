"""Labels of a measured graph: layer, operator and training phase of each span, and bytes of gradients.

Daydream labelled tasks by instrumenting frameworks (USENIX ATC 2020, section 4.2); here operators, ranges and the
sequence numbers shared by forward and backward operators are used instead. Frameworks accumulate each parameter's
gradient in an operator of its own, whose operand has the parameter's shape.
"""

import functools
import json
import math
import re
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.intervals import ancestors, nearest
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace
from dlbricks.trace.work_classes import element_bytes
from dlbricks.whatif.graph import DependencyGraph, Mask, Phase, launches, with_attributes
from dlbricks.whatif.sources.devices import ByTime

BACKWARD = re.compile(r"autograd::engine|backward|AccumulateGrad|reducer|Bwd", re.IGNORECASE)
UPDATE = re.compile(
    r"Optimizer\.(step|zero_grad)|\boptimi[sz]er\b|^adam|^sgd|_foreach_|clip_grad|GradScaler", re.IGNORECASE
)
"""Names of operators of a backward pass and of a parameter update, or of ranges around them."""
_ACCUMULATES = re.compile(r"(torch::autograd::)?AccumulateGrad")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Layer, operator and training phase of every span."""

    layers: tuple[str, ...]
    layer: Longs
    """Index into ``layers``, or ``NONE``."""
    phase: Longs
    operators: tuple[str, ...]
    operator: Longs
    """Operator of the layer, or operation of a collective: index into ``operators``, or ``NONE``."""


def labels_of(trace: Trace) -> Labels:
    """Label every span; device spans inherit the labels of their launch."""
    outer = ancestors(trace, Level.LAYER, outermost=True)
    around = ancestors(trace, Level.APPLICATION)
    source = np.where(outer == NONE, 0, outer)
    layers, layer = np.unique(trace.name[source], return_inverse=True)
    operators, operator, operation = _operators(trace)
    phase = np.full(len(trace), int(Phase.FORWARD), np.int64)
    phase[(outer == NONE) & (around == NONE)] = int(Phase.NONE)
    phase[_inside(trace, BACKWARD) | _on_backward_lanes(trace)] = int(Phase.BACKWARD)
    phase[_inside(trace, UPDATE)] = int(Phase.UPDATE)
    return Labels(
        layers=tuple(trace.names[number] for number in layers.tolist()),
        layer=np.where(outer == NONE, NONE, layer),
        phase=phase,
        operators=operators,
        operator=np.where(operation != NONE, operation, np.where(outer == NONE, NONE, operator[source])),
    )


def _operators(trace: Trace) -> tuple[tuple[str, ...], Longs, Longs]:
    """Return distinct operators; operator number and collective operation of each span, ``NONE`` if unknown."""
    numbers: dict[str, int] = {}
    columns = []
    for name in ("type", "collective"):
        column = np.full(len(trace), NONE, np.int64)
        attribute = trace.attributes.get(name)
        if attribute is not None:
            column[attribute.rows] = [numbers.setdefault(str(value), len(numbers)) for value in attribute.values]
        columns.append(column)
    return tuple(numbers), columns[0], columns[1]


def _inside(trace: Trace, pattern: re.Pattern[str]) -> Mask:
    """Return a mask of the spans whose name matches a pattern, or that are inside such a span."""
    fitting = [number for number, name in enumerate(trace.names) if pattern.search(name)]
    mask: Mask = nearest(trace.parent, np.isin(trace.name, fitting) & (trace.level <= Level.LAYER)) != NONE
    return mask


def _on_backward_lanes(trace: Trace) -> Mask:
    """Return a mask of the spans on, or launched from, threads that run the backward pass of other threads."""
    if "forward_thread" not in trace.attributes:
        return np.zeros(len(trace), bool)
    rows = trace.attributes["forward_thread"].rows
    forward_threads = np.array([str(value) for value in trace.attributes["forward_thread"].values])
    backward = []
    for lane in np.unique(trace.lane[rows]).tolist():
        threads, own = forward_threads[trace.lane[rows] == lane], trace.lanes[lane].name
        if np.mean([value not in own and value not in {"0", ""} for value in threads.tolist()]) > 0.5:
            backward.append(lane)
    on_lane = np.isin(trace.lane, backward)
    launched = (trace.role == Role.EXECUTION) & (trace.parent != NONE)
    mask: Mask = on_lane | (launched & on_lane[np.where(launched, trace.parent, 0)])
    return mask


def with_gradients(graph: DependencyGraph, trace: Trace) -> DependencyGraph:
    """Add the bytes of each gradient to the task that completes it, if the trace has accumulating operators.

    Args:
        graph: made from the trace, not edited.
        trace: with ``input_shapes``, as recorded with ``record_shapes=True``.
    """
    fitting = [number for number, name in enumerate(trace.names) if _ACCUMULATES.fullmatch(name)]
    shapes = trace.attributes.get("input_shapes")
    if shapes is None or not fitting:
        return graph
    types = trace.attributes.get("dtype")
    type_of = {} if types is None else dict(zip(types.rows.tolist(), types.values, strict=True))
    sizes = np.full(len(graph), np.nan)
    launch = launches(graph)
    rows = np.flatnonzero((launch != NONE) & (graph.span[launch] != NONE))
    calls = graph.span[launch[rows]]
    launched = ByTime(trace.lane[calls], trace.start_ns[calls], rows)
    accumulates = np.isin(trace.name[shapes.rows], fitting) & (trace.level[shapes.rows] == Level.LAYER)
    for place in np.flatnonzero(accumulates).tolist():
        row = int(shapes.rows[place])
        task = launched.last(int(trace.lane[row]), int(trace.end_ns[row]) + 1)
        shape = _first_shape(str(shapes.values[place]))
        if task != NONE and shape is not None:
            size = math.prod(shape) * element_bytes(str(type_of.get(row, "")))
            sizes[task] = size if math.isnan(sizes[task]) else size + sizes[task]
    return graph if np.isnan(sizes).all() else with_attributes(graph, gradient_bytes=sizes)


@functools.lru_cache(maxsize=1 << 12)
def _first_shape(text: str) -> list[int] | None:
    """Parse the shape of the first operand, for example ``[[64,3,7,7]]``; None without one."""
    try:
        shapes = json.loads(text)
    except json.JSONDecodeError:
        return None
    first = shapes[0] if isinstance(shapes, list) and shapes else None
    whole = isinstance(first, list) and bool(first) and all(isinstance(size, int) for size in first)
    return first if whole else None
