"""Graph edits: scale, set durations, remove, insert, replace; each returns a new graph. And a graph builder.

The primitives of Daydream (USENIX ATC 2020, section 4.3). Tasks that depend on a removed task inherit its dependencies.
Removing a device task removes its launch if that launches nothing else.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Lane, Longs
from dlbricks.units import counted
from dlbricks.whatif.graph import (
    COLUMN_TYPES,
    EDGE_TYPES,
    TASK_TYPES,
    DependencyGraph,
    EdgeKind,
    Mask,
    Phase,
    TaskKind,
    graph_of,
    with_attributes,
    with_columns,
)
from dlbricks.whatif.simulate import Edges

# Edges that stand for everything before on the lane of their first task (events and signals follow lane order).
_OF_ORDER = frozenset({EdgeKind.WAIT, EdgeKind.STREAM, EdgeKind.THREAD, EdgeKind.RENDEZVOUS})
# Fields of a new task that are graph columns.
_AS_GIVEN = ("kind", "phase", "duration_ns", "gap_ns", "release_ns")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTask:
    """Task to insert."""

    kind: TaskKind
    name: str
    lane: Lane
    duration_ns: int
    after: int
    """Task after which it is inserted in the table, on any lane; ``NONE`` inserts at the beginning."""
    gap_ns: int = 0
    release_ns: int = 0
    layer: str | None = None
    operator: str | None = None
    phase: Phase = Phase.NONE
    attributes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEdge:
    """Edge to insert; the n-th new task is number ``len(graph) + n``."""

    kind: EdgeKind
    first: int
    second: int
    lag_ns: int = 0


class Insertion(NamedTuple):
    """Graph with inserted tasks."""

    graph: DependencyGraph
    rows: Longs
    """Numbers of the new tasks, in the order given."""
    places: Longs
    """New number of each old task."""


def task_like(graph: DependencyGraph, row: int, **changes: Any) -> NewTask:
    """Return a new task after another, with the same kind, name, lane, layer, phase and duration."""
    layer = int(graph.layer[row])
    fields: dict[str, Any] = {
        "kind": TaskKind(int(graph.kind[row])),
        "name": graph.named(row),
        "lane": graph.lanes[graph.lane[row]],
        "duration_ns": int(graph.duration_ns[row]),
        "after": row,
        "layer": None if layer == NONE else graph.layers[layer],
        "phase": Phase(int(graph.phase[row])),
    }
    return NewTask(**{**fields, **changes})


def edge_like(graph: DependencyGraph, edge: int, **changes: int) -> NewEdge:
    """Return a new edge like another, with a different ``first`` or ``second``."""
    kind, lag_ns = EdgeKind(int(graph.edge_kind[edge])), int(graph.edge_lag_ns[edge])
    ends = {"first": int(graph.edge_from[edge]), "second": int(graph.edge_to[edge])}
    return NewEdge(kind=kind, lag_ns=lag_ns, **{**ends, **changes})


def scaled(graph: DependencyGraph, rows: Longs, factor: float, *, gaps: bool = False) -> DependencyGraph:
    """Multiply durations, and with ``gaps`` the gaps after the tasks, too.

    Raises:
        InputError: the factor is negative or not finite.
    """
    if not 0 <= factor < float("inf"):
        raise InputError(f"tasks cannot take {factor} times as long: give a factor of 0 or more")
    shorter = with_durations(graph, rows, graph.duration_ns[rows] * factor)
    if not gaps:
        return shorter
    after = np.array(graph.gap_ns)
    after[rows] = np.rint(after[rows] * factor)
    return with_columns(shorter, gap_ns=after)


def with_durations(graph: DependencyGraph, rows: Longs, durations_ns: Any) -> DependencyGraph:
    """Set durations, rounded to whole nanoseconds.

    Args:
        graph: to edit.
        rows: task numbers.
        durations_ns: one per task, or one for all.

    Raises:
        InputError: a duration is negative or not finite, or their number is wrong.
    """
    times = np.asarray(durations_ns, np.float64)
    if times.shape not in {(), (len(rows),)}:
        raise InputError(
            f"{counted(times.size, 'duration')} for {counted(len(rows), 'task')}: give one for each, or one"
        )
    if not np.isfinite(times).all():
        raise InputError("a duration is not a number: give nanoseconds")
    whole = np.broadcast_to(np.rint(times).astype(np.int64), (len(rows),))
    if len(rows) and whole.min() < 0:
        raise InputError(f"{graph.named(rows[int(whole.argmin())])} cannot take {whole.min()} ns")
    durations = np.array(graph.duration_ns)
    durations[rows] = whole
    return with_columns(graph, duration_ns=durations)


def mask(graph: DependencyGraph, rows: Any) -> Mask:
    """Return a mask of the tasks with the given numbers."""
    chosen = np.zeros(len(graph), bool)
    chosen[rows] = True
    return chosen


def removed(graph: DependencyGraph, rows: Longs) -> DependencyGraph:
    """Remove tasks with their gaps, and launches that launch nothing else.

    Raises:
        InputError: a launch is removed but not all that it launches.
    """
    gone = mask(graph, rows)
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    sources, targets = graph.edge_from[edges], graph.edge_to[edges]
    orphans = edges[gone[sources] & ~gone[targets]]
    if len(orphans):
        first, second = (graph.named(column[orphans[0]]) for column in (graph.edge_from, graph.edge_to))
        raise InputError(f"{first} cannot be removed while {second}, which it launches, stays")
    left = np.bincount(sources, ~gone[targets], minlength=len(graph))
    launching = np.unique(sources[gone[targets]])
    gone[launching] |= left[launching] == 0
    return _without(graph, gone)


def _without(graph: DependencyGraph, gone: Mask) -> DependencyGraph:
    edges = Edges(graph)
    by_order, by_edges = (_supports(graph, edges, gone, lanes=lanes) for lanes in (True, False))
    columns: dict[str, list[int]] = {key: [] for key in EDGE_TYPES}
    for edge in np.flatnonzero(gone[graph.edge_from] & ~gone[graph.edge_to]).tolist():
        supports = by_order if int(graph.edge_kind[edge]) in _OF_ORDER else by_edges
        for (source, is_launch), lag in supports[int(graph.edge_from[edge])].items():
            kind = EdgeKind.LAUNCH if is_launch else int(graph.edge_kind[edge])
            values = (source, int(graph.edge_to[edge]), kind, lag + int(graph.edge_lag_ns[edge]))
            for key, value in zip(EDGE_TYPES, values, strict=True):
                columns[key].append(value)
    stays = ~gone[graph.edge_from] & ~gone[graph.edge_to]
    rewired = {key: np.concatenate([getattr(graph, key)[stays], columns[key]]) for key in EDGE_TYPES}
    return with_tasks(with_columns(graph, **rewired), np.flatnonzero(~gone))


def _supports(
    graph: DependencyGraph, edges: Edges, gone: Mask, *, lanes: bool
) -> dict[int, dict[tuple[int, bool], int]]:
    """Return the remaining predecessors of each removed task: (task, whether from its start) with the lag.

    With ``lanes`` the previous task on the lane is a predecessor, too.
    """
    before = [NONE] * len(graph.lanes)
    supports: dict[int, dict[tuple[int, bool], int]] = {}
    lane_of, is_gone = graph.lane.tolist(), gone.tolist()
    for task in edges.order():
        if is_gone[task]:
            waited = [(before[lane_of[task]], False, 0)] if lanes and before[lane_of[task]] != NONE else []
            here = slice(int(edges.begins[task]), int(edges.begins[task + 1]))
            columns = (edges.sources[here], edges.launches[here], edges.lags[here])
            waited += zip(*(column.tolist() for column in columns), strict=True)
            support: dict[tuple[int, bool], int] = defaultdict(int)
            for source, is_launch, lag in waited:
                # a removed source is replaced by its own predecessors
                for key, more in supports[source].items() if source in supports else (((source, is_launch), 0),):
                    support[key] = max(support[key], lag + more)
            supports[task] = dict(support)
        before[lane_of[task]] = task
    return supports


def with_tasks(graph: DependencyGraph, rows: Longs) -> DependencyGraph:
    """Select and reorder tasks, with the edges and waits between them."""
    place = np.full(len(graph), NONE, np.int64)
    place[rows] = np.arange(len(rows))
    edges = np.flatnonzero((place[graph.edge_from] != NONE) & (place[graph.edge_to] != NONE))
    waits = np.flatnonzero(place[graph.wait_task] != NONE)
    columns: dict[str, Any] = {key: getattr(graph, key)[rows] for key in TASK_TYPES}
    columns |= {key: getattr(graph, key)[edges] for key in EDGE_TYPES}
    columns |= {"edge_from": place[graph.edge_from[edges]], "edge_to": place[graph.edge_to[edges]]}
    columns |= {"wait_task": place[graph.wait_task[waits]], "wait_lane": graph.wait_lane[waits]}
    return with_attributes(
        with_columns(graph, **columns), **{key: values[rows] for key, values in graph.attributes.items()}
    )


def inserted(
    graph: DependencyGraph,
    tasks: Sequence[NewTask],
    edges: Sequence[NewEdge] = (),
    waits: Sequence[tuple[int, Lane]] = (),
) -> Insertion:
    """Insert tasks, edges and waits; missing lanes are created.

    Args:
        graph: to edit.
        tasks: new tasks; several with the same ``after`` keep their order.
        edges: between any tasks; the n-th new task is number ``len(graph) + n``.
        waits: pairs of a host task, numbered likewise, and the lane it waits for.
    """
    count = len(graph)
    numbers = {
        "lanes": _numbered(graph.lanes, [*(task.lane for task in tasks), *(lane for _, lane in waits)]),
        "names": _numbered(graph.names, [task.name for task in tasks]),
        "layers": _numbered(graph.layers, [task.layer for task in tasks if task.layer is not None]),
        "operators": _numbered(graph.operators, [task.operator for task in tasks if task.operator is not None]),
    }
    lanes, names, layers, operators = numbers.values()
    new: dict[str, list[int]] = {
        **{key: [getattr(task, key) for task in tasks] for key in _AS_GIVEN},
        "lane": [lanes[task.lane] for task in tasks],
        "task_name": [names[task.name] for task in tasks],
        "layer": [layers.get(task.layer, NONE) for task in tasks],
        "operator": [operators.get(task.operator, NONE) for task in tasks],
        "span": [NONE] * len(tasks),
        "edge_from": [edge.first for edge in edges],
        "edge_to": [edge.second for edge in edges],
        "edge_kind": [edge.kind for edge in edges],
        "edge_lag_ns": [edge.lag_ns for edge in edges],
        "wait_task": [task for task, _ in waits],
        "wait_lane": [lanes[lane] for _, lane in waits],
    }
    keys = {key for task in tasks for key in task.attributes} | set(graph.attributes)
    figures = {key: [task.attributes.get(key, np.nan) for task in tasks] for key in keys}
    texts: dict[str, Any] = {key: tuple(number) for key, number in numbers.items()}
    columns = {key: np.concatenate([getattr(graph, key), more]) for key, more in new.items()}
    attributes = {key: np.concatenate([graph.figures(key), more]) for key, more in figures.items()}
    grown = with_attributes(with_columns(replace(graph, **texts), **columns), **attributes)
    places = np.concatenate([np.arange(count, dtype=np.float64), [task.after + 0.5 for task in tasks]])
    order = np.argsort(places, kind="stable")
    rows = np.empty(len(order), np.int64)
    rows[order] = np.arange(len(order))
    return Insertion(with_tasks(grown, order), rows[count:], rows[:count])


def _numbered(values: Sequence[Any], more: Sequence[Any]) -> dict[Any, int]:
    """Number known values, then new ones, without duplicates."""
    return {value: number for number, value in enumerate(dict.fromkeys((*values, *more)))}


@dataclass(slots=True)
class GraphBuilder:
    """Collects tasks, in lane order, and edges; ``built`` returns the graph."""

    name: str
    notes: list[str] = field(default_factory=list)
    steps: list[tuple[int, int]] = field(default_factory=list)
    _tasks: list[NewTask] = field(default_factory=list)
    _edges: list[NewEdge] = field(default_factory=list)
    _waits: list[tuple[int, Lane]] = field(default_factory=list)

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
        **attributes: float,
    ) -> int:
        """Append a task to its lane and return its number."""
        self._tasks.append(
            NewTask(
                kind=kind, name=name, lane=lane, duration_ns=duration_ns, after=NONE, gap_ns=gap_ns,
                release_ns=release_ns, layer=layer, operator=operator, phase=phase, attributes=attributes,
            )
        )  # fmt: skip
        return len(self._tasks) - 1

    def edge(self, kind: EdgeKind, first: int, second: int, lag_ns: int = 0) -> None:
        """Add a dependency of ``second`` on ``first``."""
        self._edges.append(NewEdge(kind=kind, first=first, second=second, lag_ns=lag_ns))

    def wait(self, task: int, lane: Lane) -> None:
        """Make a host task wait for all that was launched onto a lane before it."""
        self._waits.append((task, lane))

    def built(self) -> DependencyGraph:
        """Return the graph."""
        empty = graph_of(
            self.name,
            lanes=(),
            names=(),
            layers=(),
            operators=(),
            columns=dict.fromkeys(COLUMN_TYPES, ()),
            steps=tuple(self.steps),
            notes=tuple(self.notes),
        )
        return inserted(empty, self._tasks, self._edges, self._waits).graph


def replaced(
    graph: DependencyGraph, rows: Longs, tasks: Sequence[NewTask], edges: Sequence[NewEdge] = ()
) -> DependencyGraph:
    """Replace tasks by a chain of others, which inherits the dependencies in both directions.

    Args:
        graph: to edit.
        rows: tasks to remove, with their launches.
        tasks: new tasks, at least one. The first inherits incoming edges, the last outgoing ones.
        edges: further edges, as in ``inserted``.

    Raises:
        InputError: no new task is given; or see ``removed``.
    """
    if not tasks:
        raise InputError("no task is given as the replacement: use remove instead")
    chosen = mask(graph, rows)
    into = chosen[graph.edge_to] & ~chosen[graph.edge_from] & (graph.edge_kind != EdgeKind.LAUNCH)
    out = chosen[graph.edge_from] & ~chosen[graph.edge_to]
    rewired = [*edges, *(edge_like(graph, edge, second=len(graph)) for edge in np.flatnonzero(into).tolist())]
    last = len(graph) + len(tasks) - 1
    rewired += [edge_like(graph, edge, first=last) for edge in np.flatnonzero(out).tolist()]
    grown = inserted(graph, tasks, rewired)
    return removed(grown.graph, grown.places[rows])
