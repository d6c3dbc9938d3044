"""Finding in a graph what belongs together: kernels that help others, forward and backward of one layer, neighbours."""

import re

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.nouns import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.stepping import by_step

RELU = r"relu|threshold|clamp"
"""In names of kernels or layers."""


def before_on_lane(graph: DependencyGraph, *, behind: bool = False) -> Longs:
    """Give for each task the one before it on its lane, or behind it; ``NONE`` where there is none."""
    found = np.full(len(graph), NONE, np.int64)
    by_lane = np.argsort(graph.lane, kind="stable")
    same = graph.lane[by_lane[1:]] == graph.lane[by_lane[:-1]]
    first, second = by_lane[:-1][same], by_lane[1:][same]
    if behind:
        first, second = second, first
    found[second] = first
    return found


def one_of_each_layer(graph: DependencyGraph, rows: Longs) -> Longs:
    """Leave out kernels that help the one before them: next on the lane, of the same layer, but of another name."""
    previous = before_on_lane(graph)[rows]
    helps = np.isin(previous, rows) & (graph.layer[previous] == graph.layer[rows]) & (graph.layer[rows] != NONE)
    kept: Longs = rows[~(helps & (graph.task_name[previous] != graph.task_name[rows]))]
    return kept


def mirrored(forward: Longs, backward: Longs) -> Longs:
    """Give for each forward kernel the backward one of the same layer: by place, as one pass runs the other way round.

    Args:
        forward: kernels of one step, in their order.
        backward: of the same layers, in their order, at least one; the first of several is given.
    """
    count = len(forward)
    places = np.ceil((count - 1 - np.arange(count)) * len(backward) / count).astype(np.int64)
    found: Longs = backward[np.minimum(places, len(backward) - 1)]
    return found


def kernels_named(graph: DependencyGraph, pattern: str, phase: Phase) -> Longs:
    """Give the kernels of a phase of which the name or the layer's name has a pattern, case aside."""
    found = re.compile(pattern, re.IGNORECASE)
    names = [number for number, name in enumerate(graph.names) if found.search(name)]
    layers = [number for number, name in enumerate(graph.layers) if found.search(name)]
    rows = select(graph, kinds=(TaskKind.KERNEL,), phases=(phase,))
    kept: Longs = rows[np.isin(graph.task_name[rows], names) | np.isin(graph.layer[rows], layers)]
    return kept


def passes(graph: DependencyGraph, forward: Longs, backward: Longs) -> tuple[tuple[Longs, Longs], ...]:
    """Split forward and backward kernels by step, and leave out steps that have not got both."""
    made = []
    for rows in by_step(graph, np.union1d(forward, backward)):
        first, second = rows[np.isin(rows, forward)], rows[np.isin(rows, backward)]
        if len(first) and len(second):
            made.append((first, second))
    return tuple(made)
