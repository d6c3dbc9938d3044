"""The nouns of what-if questions: Task kinds, Edge kinds, Phase, DependencyGraph, Schedule.

A dependency graph is a table of tasks and a table of edges, kept column by column, so that a million tasks fit in a few
hundred megabytes. Times are integer nanoseconds. The tasks and most edges are Daydream's (USENIX ATC 2020, section 4);
edges between threads and between streams are Lumos's (MLSys 2025). Data only.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dlbricks.trace.types import Bytes, Ints, Lane, Longs

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


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


LANE = -2
"""In ``Schedule.cause_kind``: the lane was busy."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyGraph:
    """Tasks in columns of equal length, edges in others; the arrays are read-only. Make one with ``whatif.graph``.

    The tasks of a lane run in the order in which they stand in the table, unless a scheduler says otherwise.
    A task starts when the one before it on its lane has ended and its gap has passed, when all its edges are satisfied,
    and not before its release.
    """

    name: str
    """What was traced or composed."""
    lanes: tuple[Lane, ...]
    names: tuple[str, ...]
    """Every name once."""
    layers: tuple[str, ...]
    """Every name of a layer once."""
    operators: tuple[str, ...]
    """Every type of operator once, as in ``Conv``."""
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
    ``bytes``, ``elements``, ``group_size``, ``measured_start_ns``, ``measured_end_ns``."""
    steps: tuple[tuple[int, int], ...] = ()
    """First and one past the last ns of each step or call that was traced, from the graph's origin."""
    notes: tuple[str, ...] = ()
    """What could not be known and what was assumed instead, in sentences."""

    def __len__(self) -> int:
        """Give the number of tasks."""
        return len(self.duration_ns)


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
