"""The types of dependency graphs, which consist of tasks and edges, and of their schedules.

Tasks and edges are numpy columns, so that a graph of a million tasks takes a few hundred megabytes. Times are integer
nanoseconds. Tasks and most kinds of edges follow Daydream (USENIX ATC 2020, section 4); edges between threads and
between streams follow Lumos (MLSys 2025).
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
    """Kind of a task: where it runs, and what it does there."""

    CPU = 0
    """Host call, or layer that runs on the host."""
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
    """Phase of a training step: forward, backward, parameter update."""

    NONE = 0
    FORWARD = 1
    BACKWARD = 2
    UPDATE = 3


BOTH_PASSES = (Phase.FORWARD, Phase.BACKWARD)


class EdgeKind(enum.IntEnum):
    """Kind of a dependency between two tasks. The order on a thread or stream comes from the table, not from edges."""

    LAUNCH = 0
    """From a host call to the device task that the call launches. The lag counts from the start of the call."""
    WAIT = 1
    """From a device task to the host call that waits for this task."""
    STREAM = 2
    """From the last task before a CUDA event to the next task of the stream that waits for the event."""
    THREAD = 3
    """From a task of one host thread to a task of another thread."""
    DATA = 4
    """From a layer that writes a tensor to a layer that reads the tensor."""
    GRADIENT = 5
    """From the task that completes a gradient to its collective, or from a collective to the parameter update."""
    RENDEZVOUS = 6
    """Between the members of a collective: no rank transfers before the last rank has arrived."""


# Value of ``Schedule.cause_kind``: the task waited for the previous task on its lane.
LANE = -2


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyGraph:
    """A dependency graph of tasks on threads and streams: tables of tasks, edges and waits with read-only columns.

    A lane is a thread of the host or a stream of a device. The tasks of a lane run in table order unless a scheduling
    policy changes the order. A task starts when its release time is reached, the previous task on its lane and the gap
    after that task are over, and all its edges are satisfied.
    """

    name: str
    """Name of the traced run or composed network."""
    lanes: tuple[Lane, ...]
    names: tuple[str, ...]
    """Distinct task names; ``layers`` are distinct layer names."""
    layers: tuple[str, ...]
    operators: tuple[str, ...]
    """Distinct operator types, for example ``Conv``."""
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
    """Time after each task in which its thread or stream does unrecorded work; delays only the next task there."""
    release_ns: Longs
    """Earliest start, from the origin of the graph's times; 0 if only dependencies delay the task."""
    span: Longs
    """Row of the task's span in the trace; ``NONE`` for composed or inserted tasks."""
    edge_from: Ints
    edge_to: Ints
    edge_kind: Bytes
    edge_lag_ns: Longs
    """Least time from the end of the first task to the start of the second; for ``LAUNCH``, from the first task's
    start."""
    wait_task: Ints
    """Number of a host task that waits for a device; a task that waits for several streams has several rows."""
    wait_lane: Ints
    """Stream (lane) that the host task waits for. The wait ends with the last task that was launched onto it before.
    Replay finds this last task, so that inserted and removed tasks count (runtime dependencies of Lumos)."""
    attributes: Mapping[str, Floats]
    """Numbers per task, NaN if unknown: ``flops``, ``read_bytes``, ``written_bytes``, ``parameter_bytes``,
    ``gradient_bytes``, ``bytes``, ``elements``, ``group_size``, ``group`` (number of the process group),
    ``collective_sequence``, ``waves`` (``sources.devices``), ``without_memory_reuse_ns`` (``transforms.memory``),
    ``measured_start_ns``, ``measured_end_ns``."""
    steps: tuple[tuple[int, int], ...] = ()
    """Start and end of each traced step or call, ns from the origin of the graph's times; the end is exclusive."""
    step_names: tuple[str, ...] = ()
    """Name of each step in the trace; empty if steps have no names."""
    device: str = ""
    """Product name of the device; empty if unknown."""
    runtime: str = ""
    """Name of the runtime that executed the layers, spelled as in results; empty if unknown."""
    threads: int | None = None
    """Threads that ran the layers; ``batch`` is the batch size, ``cores`` are the machine's; None if unknown."""
    batch: int | None = None
    cores: int | None = None
    notes: tuple[str, ...] = ()
    """Sentences on assumptions and on missing information."""

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.duration_ns)

    def named(self, row: int) -> str:
        """Return the name of task number ``row``."""
        return self.names[int(self.task_name[row])]

    def figures(self, name: str) -> Floats:
        """Return the attribute ``name`` of all tasks; NaN where it is unknown."""
        return self.attributes.get(name, np.full(len(self), np.nan))


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The start and end of every task of a graph, and the cause of each start."""

    start_ns: Longs
    end_ns: Longs
    cause: Longs
    """Task that determined each start, as predecessor on the lane or by an edge; ``NONE`` if the release time did."""
    cause_kind: Bytes
    """Kind of the edge that determined each start; ``LANE`` for the predecessor, ``NONE`` for the release time."""

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
    """Return a dependency graph from columns of tasks and edges; keys and names are fields of ``DependencyGraph``."""
    figures = {key: frozen(value, np.float64) for key, value in (attributes or {}).items()}
    arrays: dict[str, Any] = {key: frozen(columns[key], dtype) for key, dtype in COLUMN_TYPES.items()}
    return DependencyGraph(name=name, attributes=figures, **arrays, **others)


def with_columns(graph: DependencyGraph, *notes: str, **columns: Any) -> DependencyGraph:
    """Return a copy of a dependency graph with some columns replaced and notes appended."""
    arrays: dict[str, Any] = {key: frozen(value, COLUMN_TYPES[key]) for key, value in columns.items()}
    return replace(graph, notes=(*graph.notes, *notes), **arrays)


def with_attributes(graph: DependencyGraph, **figures: Any) -> DependencyGraph:
    """Return a copy of a dependency graph with some attributes replaced or added; each has a number per task."""
    arrays = {key: frozen(values, np.float64) for key, values in figures.items()}
    return replace(graph, attributes={**graph.attributes, **arrays})


def with_texts(graph: DependencyGraph, texts: str, column: str, changes: Mapping[int, str]) -> DependencyGraph:
    """Return a copy of a dependency graph with other names, layers or operators for some tasks.

    ``texts`` is the name of a field such as ``names``. ``column`` is that of its indices, such as ``task_name``.
    """
    numbers = {text: number for number, text in enumerate(getattr(graph, texts))}
    places = np.array(getattr(graph, column))
    for row, text in changes.items():
        places[row] = numbers.setdefault(text, len(numbers))
    changed: dict[str, Any] = {texts: tuple(numbers)}
    return with_columns(replace(graph, **changed), **{column: places})


def with_edges(graph: DependencyGraph, stays: Mask) -> DependencyGraph:
    """Return a copy of a dependency graph with only the edges for which ``stays`` is True."""
    return with_columns(graph, **{key: getattr(graph, key)[stays] for key in EDGE_TYPES})


def launches(graph: DependencyGraph) -> Longs:
    """Return for each task the number of the host task that launches the task (the last of several), or ``NONE``."""
    launching = np.full(len(graph), NONE, np.int64)
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    launching[graph.edge_to[edges]] = graph.edge_from[edges]
    return launching
