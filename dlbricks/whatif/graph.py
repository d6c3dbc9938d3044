"""Making dependency graphs task by task, and the order of tasks that all edges and lanes allow."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dlbricks.trace.types import NONE, Lane
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, Phase, TaskKind

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
"""Columns of tasks."""
EDGE_TYPES = {"edge_from": np.int32, "edge_to": np.int32, "edge_kind": np.int8, "edge_lag_ns": np.int64}
"""Columns of edges."""
WAIT_TYPES = {"wait_task": np.int32, "wait_lane": np.int32}
"""Columns of late-bound waits."""
COLUMN_TYPES = {**TASK_TYPES, **EDGE_TYPES, **WAIT_TYPES}


@dataclass(slots=True)
class GraphBuilder:
    """Takes tasks in the order in which each lane runs them, and edges; ``built`` gives the graph."""

    name: str
    notes: list[str] = field(default_factory=list)
    steps: list[tuple[int, int]] = field(default_factory=list)
    _tasks: dict[str, list[int]] = field(default_factory=lambda: {key: [] for key in TASK_TYPES})
    _edges: dict[str, list[int]] = field(default_factory=lambda: {key: [] for key in EDGE_TYPES})
    _waits: dict[str, list[int]] = field(default_factory=lambda: {key: [] for key in WAIT_TYPES})
    _names: dict[str, int] = field(default_factory=dict)
    _layers: dict[str, int] = field(default_factory=dict)
    _operators: dict[str, int] = field(default_factory=dict)
    _lanes: dict[Lane, int] = field(default_factory=dict)
    _attributes: dict[str, dict[int, float]] = field(default_factory=dict)

    def task(  # noqa: PLR0913 - the fields of a task
        self,
        kind: TaskKind,
        name: str,
        lane: Lane,
        duration_ns: int,
        *,
        gap_ns: int = 0,
        release_ns: int = 0,
        layer: str | None = None,
        operator: str | None = None,
        phase: Phase = Phase.NONE,
        span: int = NONE,
        **attributes: float,
    ) -> int:
        """Add a task at the end of its lane and give its number."""
        number = len(self._tasks["kind"])
        fields = {
            "kind": kind,
            "phase": phase,
            "lane": self._lanes.setdefault(lane, len(self._lanes)),
            "task_name": self._names.setdefault(name, len(self._names)),
            "layer": NONE if layer is None else self._layers.setdefault(layer, len(self._layers)),
            "operator": NONE if operator is None else self._operators.setdefault(operator, len(self._operators)),
            "duration_ns": duration_ns,
            "gap_ns": gap_ns,
            "release_ns": release_ns,
            "span": span,
        }
        for key, value in fields.items():
            self._tasks[key].append(int(value))
        self.know(number, attributes)
        return number

    def know(self, task: int, attributes: Mapping[str, float]) -> None:
        """Add figures of a task."""
        for key, figure in attributes.items():
            self._attributes.setdefault(key, {})[task] = figure

    def edge(self, kind: EdgeKind, first: int, second: int, lag_ns: int = 0) -> None:
        """Let the second task wait for the first."""
        for key, value in zip(EDGE_TYPES, (first, second, kind, lag_ns), strict=True):
            self._edges[key].append(int(value))

    def wait(self, task: int, lane: Lane) -> None:
        """Let a host task wait for all that was launched onto a lane before it."""
        self._waits["wait_task"].append(task)
        self._waits["wait_lane"].append(self._lanes.setdefault(lane, len(self._lanes)))

    def built(self) -> DependencyGraph:
        """Give the graph of all tasks and edges so far."""
        count = len(self._tasks["kind"])
        attributes = {}
        for key, figures in self._attributes.items():
            attributes[key] = np.full(count, np.nan)
            attributes[key][list(figures)] = list(figures.values())
        return graph_of(
            self.name,
            lanes=tuple(self._lanes),
            names=tuple(self._names),
            layers=tuple(self._layers),
            operators=tuple(self._operators),
            columns={**self._tasks, **self._edges, **self._waits},
            attributes=attributes,
            steps=tuple(self.steps),
            notes=tuple(self.notes),
        )


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
    attributes = {key: _frozen(value, np.float64) for key, value in others.pop("attributes", {}).items()}
    made: dict[str, Any] = {key: _frozen(columns[key], dtype) for key, dtype in COLUMN_TYPES.items()}
    texts: dict[str, Any] = {"lanes": lanes, "names": names, "layers": layers, "operators": operators}
    return DependencyGraph(name=name, attributes=attributes, **texts, **made, **others)


def with_columns(graph: DependencyGraph, *notes: str, **columns: Any) -> DependencyGraph:
    """Give a graph with some columns of equal length replaced, and with notes added to its own."""
    made: dict[str, Any] = {key: _frozen(value, COLUMN_TYPES[key]) for key, value in columns.items()}
    return replace(graph, notes=(*graph.notes, *notes), **made)


def with_attributes(graph: DependencyGraph, **figures: Any) -> DependencyGraph:
    """Give a graph with some attributes replaced or added, one figure for each task."""
    made = {key: _frozen(values, np.float64) for key, values in figures.items()}
    return replace(graph, attributes={**graph.attributes, **made})


def _frozen(values: Any, dtype: Any) -> Any:
    made = np.array(values, dtype)
    made.setflags(write=False)
    return made
