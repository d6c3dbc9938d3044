"""Collectives of a graph: operations, bytes, members, and which are pure transfers."""

import re

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.trace.work_classes import element_bytes
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Floats, Mask, TaskKind
from dlbricks.whatif.select import of_name, of_operator

_SUMS = re.compile(r"all_?-?reduce", re.IGNORECASE)


def collective_rows(graph: DependencyGraph) -> Longs:
    """Return all collectives, in table order."""
    return np.flatnonzero(graph.kind == TaskKind.COLLECTIVE)


def all_reduces(graph: DependencyGraph) -> Longs:
    """Return all all-reduces."""
    called = of_name(graph, _SUMS.search) | of_operator(graph, _SUMS.search)
    return np.flatnonzero((graph.kind == TaskKind.COLLECTIVE) & called)


def operation(graph: DependencyGraph, row: int) -> str:
    """Return the recorded operation of a collective, or its kernel name."""
    number = int(graph.operator[row])
    return graph.named(row) if number == NONE else graph.operators[number]


def payload_bytes(graph: DependencyGraph, rows: Longs) -> Floats:
    """Return the bytes that each collective sums or exchanges, NaN if bytes and elements are unknown."""
    stated = graph.figures("bytes")[rows]
    sizes = np.array([element_bytes(name) for name in graph.names] or [4], np.float64)[graph.task_name[rows]]
    sizes_bytes: Floats = np.where(np.isnan(stated), graph.figures("elements")[rows] * sizes, stated)
    return sizes_bytes


def member_counts(graph: DependencyGraph, rows: Longs) -> Floats:
    """Return the group size of each collective, NaN if unknown."""
    return graph.figures("group_size")[rows]


def is_transfer(graph: DependencyGraph, rows: Longs) -> Mask:
    """Return a mask of the collectives whose time is pure transfer: modelled ones, and those with all ranks traced.

    A collective recorded on one rank is mostly waiting for the others.
    """
    meets = np.isnan(graph.figures("measured_start_ns"))
    meets[graph.edge_to[graph.edge_kind == EdgeKind.RENDEZVOUS]] = True
    return meets[rows]
