"""Which layer and which phase of a step each span of a trace belongs to.

Daydream labelled tasks by instrumenting frameworks (USENIX ATC 2020, section 4.2); operators, ranges and the numbers
that forward and backward operators share say the same without.
"""

import re
from dataclasses import dataclass

import numpy as np

from dlbricks.trace.ancestry import Flags, ancestors, nearest
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace
from dlbricks.whatif.nouns import Phase

_BACKWARD = re.compile(r"autograd::engine|backward|AccumulateGrad|reducer|Bwd", re.IGNORECASE)
_UPDATE = re.compile(
    r"Optimizer\.(step|zero_grad)|\boptimi[sz]er\b|^adam|^sgd|_foreach_|clip_grad|GradScaler", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Layer and phase of every span."""

    layers: tuple[str, ...]
    layer: Longs
    """Into ``layers``; ``NONE`` where there is none."""
    phase: Longs
    operators: tuple[str, ...]
    operator: Longs
    """Of the layer, into ``operators``; ``NONE`` where it is not known."""


def labels_of(trace: Trace) -> Labels:
    """Label every span; what runs on a device by its launch."""
    outer = ancestors(trace, Level.LAYER, outermost=True)
    around = ancestors(trace, Level.APPLICATION)
    source = np.where(outer == NONE, 0, outer)
    layers, layer = np.unique(trace.name[source], return_inverse=True)
    operators, operator = _operators(trace)
    backward, update = (_flags(trace, pattern) for pattern in (_BACKWARD, _UPDATE))
    inside_update = _any_above(trace, update)
    inside_backward = _any_above(trace, backward) | _on_backward_lanes(trace)
    phase = np.full(len(trace), int(Phase.FORWARD), np.int64)
    phase[(outer == NONE) & (around == NONE)] = int(Phase.NONE)
    phase[inside_backward] = int(Phase.BACKWARD)
    phase[inside_update] = int(Phase.UPDATE)
    return Labels(
        layers=tuple(trace.names[number] for number in layers.tolist()),
        layer=np.where(outer == NONE, NONE, layer),
        phase=phase,
        operators=operators,
        operator=np.where(outer == NONE, NONE, operator[source]),
    )


def _operators(trace: Trace) -> tuple[tuple[str, ...], Longs]:
    """Give every type of operator once, and which one each span has; ``NONE`` where it has none."""
    made = np.full(len(trace), NONE, np.int64)
    attribute = trace.attributes.get("type")
    if attribute is None:
        return (), made
    operators = tuple(dict.fromkeys(str(value) for value in attribute.values))
    number = {operator: index for index, operator in enumerate(operators)}
    made[attribute.rows] = [number[str(value)] for value in attribute.values]
    return operators, made


def _flags(trace: Trace, pattern: re.Pattern[str]) -> Longs:
    fitting = [number for number, name in enumerate(trace.names) if pattern.search(name)]
    named = np.isin(trace.name, fitting) & (trace.level <= Level.LAYER)
    return named.astype(np.int64)


def _any_above(trace: Trace, flags: Longs) -> Flags:
    """Tell which spans are flagged or have a flagged ancestor."""
    made: Flags = nearest(trace.parent, flags.astype(bool)) != NONE
    return made


def _on_backward_lanes(trace: Trace) -> Flags:
    """Tell which spans are on, or launched from, a thread whose operators belong to forward operators of another."""
    if "forward_thread" not in trace.attributes:
        return np.zeros(len(trace), bool)
    rows = trace.attributes["forward_thread"].rows
    given = np.array([str(value) for value in trace.attributes["forward_thread"].values])
    backward = set()
    for lane in np.unique(trace.lane[rows]).tolist():
        here = rows[trace.lane[rows] == lane]
        told = given[trace.lane[rows] == lane]
        own = trace.lanes[lane].name
        if len(here) and np.mean([value not in own and value not in {"0", ""} for value in told.tolist()]) > 0.5:
            backward.add(lane)
    on_lane = np.isin(trace.lane, list(backward))
    launched = (trace.role == Role.EXECUTION) & (trace.parent != NONE)
    made: Flags = on_lane | (launched & on_lane[np.where(launched, trace.parent, 0)])
    return made
