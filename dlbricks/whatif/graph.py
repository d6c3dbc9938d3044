"""Dependency graphs of tasks, and their schedules.

Tasks and edges are numpy columns, so that a graph of a million tasks takes a few hundred megabytes. Times are integer
nanoseconds. Tasks and most kinds of edges are those of Daydream (USENIX ATC 2020, section 4); edges between threads and
between streams are those of Lumos (MLSys 2025).
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from dlbricks.trace.build import frozen
from dlbricks.trace.types import NONE, Bytes, Ints, Lane, Longs

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
# One truth value per task.
Mask: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]


class TaskKind(enum.IntEnum):
    """Kind of a task."""

    CPU = 0
    """Host call, or layer executed on the host."""
    KERNEL = 1
    COPY = 2
    """Copy between host and device or within a device, or a memset."""
    COLLECTIVE = 3
    """Kernel of a communication library: it waits for the other ranks, then transfers."""
    DATA = 4
    """Data loading on the host."""
    SYNCHRONISATION = 5
    """Host call that waits for a device. Its duration excludes the wait itself."""


ON_HOST = (TaskKind.CPU, TaskKind.DATA, TaskKind.SYNCHRONISATION)
ON_DEVICE = (TaskKind.KERNEL, TaskKind.COPY, TaskKind.COLLECTIVE)


class Phase(enum.IntEnum):
    """Phase of a training step."""

    NONE = 0
    FORWARD = 1
    BACKWARD = 2
    UPDATE = 3


BOTH_PASSES = (Phase.FORWARD, Phase.BACKWARD)


class EdgeKind(enum.IntEnum):
    """Kind of a dependency. The order of tasks on a lane is implied by the task table, not by edges."""

    LAUNCH = 0
    """Host call to the device task it launches. The lag counts from the start of the call, not its end."""
    WAIT = 1
    """Device task to the host call that waits for it."""
    STREAM = 2
    """Last task before a recorded event to the stream that waits for the event."""
    THREAD = 3
    """Task of one host thread to a task of another."""
    DATA = 4
    """Layer that writes a tensor to a layer that reads it."""
    GRADIENT = 5
    """Gradient to its collective, or collective to the parameter update."""
    RENDEZVOUS = 6
    """Between the members of a collective: no rank transfers before the last one has arrived."""


# Value of ``Schedule.cause_kind``: the task waited for the previous task on its lane.
LANE = -2


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyGraph:
    """Table of tasks and table of edges; all arrays are read-only. Made by ``graph_of``.

    The tasks of a lane run in table order unless a scheduling policy changes it. A task starts when the previous task
    on its lane has ended and that task's gap has passed, all its incoming edges are satisfied, and its release time is
    reached.
    """

    name: str
    """Name of the traced run or composed network."""
    lanes: tuple[Lane, ...]
    names: tuple[str, ...]
    """Distinct task names; ``layers`` and ``operators`` are distinct, too."""
    layers: tuple[str, ...]
    operators: tuple[str, ...]
    """Operator types, for example ``Conv``."""
    kind: Bytes
    phase: Bytes
    lane: Ints
    task_name: Ints
    """Index into ``names``."""
    layer: Ints
    """Index into ``layers``; ``NONE`` if the task belongs to no layer."""
    operator: Ints
    """Index into ``operators``; ``NONE`` if unknown."""
    duration_ns: Longs
    gap_ns: Longs
    """Time after the task during which its lane is busy with unrecorded work. It delays the lane only."""
    release_ns: Longs
    """Earliest start, counted from the graph's origin; 0 if only dependencies delay the task."""
    span: Longs
    """Row in the trace; ``NONE`` for composed or inserted tasks."""
    edge_from: Ints
    edge_to: Ints
    edge_kind: Bytes
    edge_lag_ns: Longs
    """Least time from the end of the first task (``LAUNCH``: from its start) to the start of the second."""
    wait_task: Ints
    """Host task that waits for a device; one row per lane it waits for."""
    wait_lane: Ints
    """Lane waited for: the task waits for the last task launched onto this lane before it. Resolved at replay, so that
    inserted and removed tasks count (runtime dependencies of Lumos)."""
    attributes: Mapping[str, Floats]
    """Numbers per task, NaN if unknown: ``flops``, ``read_bytes``, ``written_bytes``, ``parameter_bytes``,
    ``gradient_bytes``, ``bytes``, ``elements``, ``group_size``, ``group`` (number of the process group),
    ``collective_sequence``, ``waves`` (``sources.waves``), ``measured_start_ns``, ``measured_end_ns``."""
    steps: tuple[tuple[int, int], ...] = ()
    """Start and end of each traced step or call, ns from the graph's origin; the end is exclusive."""
    step_names: tuple[str, ...] = ()
    """Name of each step in the trace; empty if steps have no names."""
    device: str = ""
    """Product name of the device; empty if unknown."""
    runtime: str = ""
    """Name of the runtime that executed the layers, as in results; empty if unknown."""
    notes: tuple[str, ...] = ()
    """Assumptions made and information missing, as sentences."""

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.duration_ns)

    def named(self, row: int) -> str:
        """Return the name of a task."""
        return self.names[int(self.task_name[row])]

    def figures(self, name: str) -> Floats:
        """Return an attribute of all tasks as float64, NaN where unknown."""
        return self.attributes.get(name, np.full(len(self), np.nan))


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Start and end of every task, and what each task waited for last."""

    start_ns: Longs
    end_ns: Longs
    cause: Longs
    """The task that determined this start, by lane order or by an edge; ``NONE`` if the release time did."""
    cause_kind: Bytes
    """Kind of that edge; ``LANE`` for lane order, ``NONE`` for the release time."""

    @property
    def makespan_ns(self) -> int:
        """Time from the first start to the last end; 0 without tasks."""
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
# Columns of tasks, edges and waits, with their types.
COLUMN_TYPES = {**TASK_TYPES, **EDGE_TYPES, **WAIT_TYPES}


def graph_of(
    name: str, columns: Mapping[str, Any], *, attributes: Mapping[str, Any] | None = None, **others: Any
) -> DependencyGraph:
    """Build a graph from columns and others, named like the fields of ``DependencyGraph``."""
    figures = {key: frozen(value, np.float64) for key, value in (attributes or {}).items()}
    arrays: dict[str, Any] = {key: frozen(columns[key], dtype) for key, dtype in COLUMN_TYPES.items()}
    return DependencyGraph(name=name, attributes=figures, **arrays, **others)


def with_columns(graph: DependencyGraph, *notes: str, **columns: Any) -> DependencyGraph:
    """Return a graph with some columns replaced and notes appended; columns of tasks or edges keep a common length."""
    arrays: dict[str, Any] = {key: frozen(value, COLUMN_TYPES[key]) for key, value in columns.items()}
    return replace(graph, notes=(*graph.notes, *notes), **arrays)


def with_attributes(graph: DependencyGraph, **figures: Any) -> DependencyGraph:
    """Return a graph with some attributes replaced or added, one number per task."""
    arrays = {key: frozen(values, np.float64) for key, values in figures.items()}
    return replace(graph, attributes={**graph.attributes, **arrays})


def with_texts(graph: DependencyGraph, texts: str, column: str, changes: Mapping[int, str]) -> DependencyGraph:
    """Return a graph with new names (``names``, ``task_name``) or operators (``operators``, ``operator``)."""
    numbers = {text: number for number, text in enumerate(getattr(graph, texts))}
    places = np.array(getattr(graph, column))
    for row, text in changes.items():
        places[row] = numbers.setdefault(text, len(numbers))
    changed: dict[str, Any] = {texts: tuple(numbers)}
    return with_columns(replace(graph, **changed), **{column: places})


def with_edges(graph: DependencyGraph, stays: Mask) -> DependencyGraph:
    """Return a graph with the edges selected by a mask."""
    return with_columns(graph, **{key: getattr(graph, key)[stays] for key in EDGE_TYPES})


def launches(graph: DependencyGraph) -> Longs:
    """Return the launching task of each task, ``NONE`` without one; the last one if there are several."""
    launching = np.full(len(graph), NONE, np.int64)
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    launching[graph.edge_to[edges]] = graph.edge_from[edges]
    return launching
