"""Dependency graphs: tasks and edges in columns, and schedules of them.

A graph is a table of tasks and a table of edges, kept column by column, so that a million tasks fit in a few hundred
megabytes. Times are integer nanoseconds. The tasks and most edges are Daydream's (USENIX ATC 2020, section 4); edges
between threads and between streams are Lumos's (MLSys 2025).
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from dlbricks.trace.build import frozen
from dlbricks.trace.types import NONE, Bytes, Ints, Lane, Longs

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Mask: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
"""A truth value for each task."""


class TaskKind(enum.IntEnum):
    """What a task is."""

    CPU = 0
    """A call or a layer on the host."""
    KERNEL = 1
    COPY = 2
    """Between host and device, or on the device; memsets, too."""
    COLLECTIVE = 3
    """A kernel of a communication library: waits for its partners, then transfers."""
    DATA = 4
    """Loading of data on the host."""
    SYNCHRONISATION = 5
    """A host call that waits for a device; its duration is what it takes beside waiting."""


ON_HOST = (TaskKind.CPU, TaskKind.DATA, TaskKind.SYNCHRONISATION)
ON_DEVICE = (TaskKind.KERNEL, TaskKind.COPY, TaskKind.COLLECTIVE)


class Phase(enum.IntEnum):
    """Part of a training step."""

    NONE = 0
    FORWARD = 1
    BACKWARD = 2
    UPDATE = 3


class EdgeKind(enum.IntEnum):
    """Why a task waits for another. Order on a lane is no edge: it is the order of the tasks."""

    LAUNCH = 0
    """Host call to device task, counted from the call's start: the call goes on while the device begins."""
    WAIT = 1
    """Device task to the host call that waits for it."""
    STREAM = 2
    """From a recorded event to a stream that waits for it."""
    THREAD = 3
    """From one host thread to another."""
    DATA = 4
    """From the layer that makes a tensor to one that reads it."""
    GRADIENT = 5
    """From a gradient to its collective, or from there to its update."""
    RENDEZVOUS = 6
    """Between the members of one collective on several ranks: none transfers before the last has arrived."""


LANE = -2
"""In ``Schedule.cause_kind``: the lane was busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyGraph:
    """Tasks in columns of equal length, edges in others; the arrays are read-only. ``graph_of`` makes one.

    The tasks of a lane run in the order in which they stand in the table, unless a scheduler says otherwise.
    A task starts when the one before it on its lane has ended and its gap has passed, when all its edges are satisfied,
    and not before its release.
    """

    name: str
    """What was traced or composed."""
    lanes: tuple[Lane, ...]
    names: tuple[str, ...]
    """Every name once; so with layers and operators."""
    layers: tuple[str, ...]
    operators: tuple[str, ...]
    """Types of operators, as in ``Conv``."""
    kind: Bytes
    phase: Bytes
    lane: Ints
    task_name: Ints
    """Into ``names``."""
    layer: Ints
    """Into ``layers``; ``NONE`` where it belongs to none."""
    operator: Ints
    """Into ``operators``; ``NONE`` where the operator of its layer is not known."""
    duration_ns: Longs
    gap_ns: Longs
    """Time after the task for which its lane is held by what the trace does not show; others do not wait for it."""
    release_ns: Longs
    """Earliest start, from the graph's origin; 0 for what only waits for others."""
    span: Longs
    """Row of the trace; ``NONE`` for what was composed or inserted."""
    edge_from: Ints
    edge_to: Ints
    edge_kind: Bytes
    edge_lag_ns: Longs
    """Time from the end (``LAUNCH``: from the start) of the first task to the earliest start of the second."""
    wait_task: Ints
    """Host tasks that wait for a device, one row for each lane that they wait for."""
    wait_lane: Ints
    """That lane: the task waits for whatever was launched onto it before. Bound when the graph is replayed, so that
    what was inserted or removed meanwhile counts (Lumos's runtime dependencies)."""
    attributes: Mapping[str, Floats]
    """Figures of every task, NaN where unknown: ``flops``, ``read_bytes``, ``written_bytes``, ``parameter_bytes``,
    ``gradient_bytes``, ``bytes``, ``elements``, ``group_size``, ``group`` (a number for each group of ranks),
    ``collective_sequence``, ``measured_start_ns``, ``measured_end_ns``."""
    steps: tuple[tuple[int, int], ...] = ()
    """First and one past the last ns of each step or call that was traced, from the graph's origin."""
    step_names: tuple[str, ...] = ()
    """Of each step, as the trace has them; empty where steps have no names."""
    device: str = ""
    """Of its kernels, as its maker names it; empty where that is not known."""
    notes: tuple[str, ...] = ()
    """What could not be known and what was assumed instead, in sentences."""

    def __len__(self) -> int:
        """Give the number of tasks."""
        return len(self.duration_ns)

    def named(self, row: int) -> str:
        """Give the name of a task."""
        return self.names[int(self.task_name[row])]

    def figures(self, name: str) -> Floats:
        """Give an attribute of every task, NaN where it is not known."""
        made: Floats = self.attributes.get(name, np.full(len(self), np.nan))
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """When every task of a graph runs."""

    start_ns: Longs
    end_ns: Longs
    cause: Longs
    """Task that this one waited for last, over its lane or over an edge; ``NONE`` for its release."""
    cause_kind: Bytes
    """Kind of that edge; ``LANE`` for the task before it on its lane, ``NONE`` for its release."""

    @property
    def makespan_ns(self) -> int:
        """From the first start to the last end; 0 without tasks."""
        return int(self.end_ns.max() - self.start_ns.min()) if len(self.end_ns) else 0


TASK_TYPES = {
    "kind": np.int8,
    "phase": np.int8,
    "lane": np.int32,
    "task_name": np.int32,
    "layer": np.int32,
    "operator": np.int32,
    "duration_ns": np.int64,
    "gap_ns": np.int64,
    "release_ns": np.int64,
    "span": np.int64,
}
EDGE_TYPES = {"edge_from": np.int32, "edge_to": np.int32, "edge_kind": np.int8, "edge_lag_ns": np.int64}
WAIT_TYPES = {"wait_task": np.int32, "wait_lane": np.int32}
COLUMN_TYPES = {**TASK_TYPES, **EDGE_TYPES, **WAIT_TYPES}
"""Columns of tasks, edges and late-bound waits."""


def graph_of(
    name: str,
    *,
    lanes: tuple[Lane, ...],
    names: tuple[str, ...],
    layers: tuple[str, ...],
    operators: tuple[str, ...],
    columns: Mapping[str, Any],
    **others: Any,
) -> DependencyGraph:
    """Make a graph of columns, by the names of ``DependencyGraph``'s fields."""
    attributes = {key: frozen(value, np.float64) for key, value in others.pop("attributes", {}).items()}
    made: dict[str, Any] = {key: frozen(columns[key], dtype) for key, dtype in COLUMN_TYPES.items()}
    texts: dict[str, Any] = {"lanes": lanes, "names": names, "layers": layers, "operators": operators}
    return DependencyGraph(name=name, attributes=attributes, **texts, **made, **others)


def with_columns(graph: DependencyGraph, *notes: str, **columns: Any) -> DependencyGraph:
    """Give a graph with some columns of equal length replaced, and with notes added to its own."""
    made: dict[str, Any] = {key: frozen(value, COLUMN_TYPES[key]) for key, value in columns.items()}
    return replace(graph, notes=(*graph.notes, *notes), **made)


def with_attributes(graph: DependencyGraph, **figures: Any) -> DependencyGraph:
    """Give a graph with some attributes replaced or added, one figure for each task."""
    made = {key: frozen(values, np.float64) for key, values in figures.items()}
    return replace(graph, attributes={**graph.attributes, **made})


def with_texts(graph: DependencyGraph, texts: str, column: str, given: Mapping[int, str]) -> DependencyGraph:
    """Rename some tasks (texts ``names``, column ``task_name``) or their operators (``operators``, ``operator``)."""
    numbers = {text: number for number, text in enumerate(getattr(graph, texts))}
    made = np.array(getattr(graph, column))
    for row, text in given.items():
        made[row] = numbers.setdefault(text, len(numbers))
    changed: dict[str, Any] = {texts: tuple(numbers)}
    return with_columns(replace(graph, **changed), **{column: made})


def with_edges(graph: DependencyGraph, stays: Mask) -> DependencyGraph:
    """Keep some edges of a graph."""
    return with_columns(graph, **{key: getattr(graph, key)[stays] for key in EDGE_TYPES})


def launches(graph: DependencyGraph) -> Longs:
    """Give the task that launches each task, ``NONE`` where there is none; the last one where there are several."""
    found = np.full(len(graph), NONE, np.int64)
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    found[graph.edge_to[edges]] = graph.edge_from[edges]
    return found
