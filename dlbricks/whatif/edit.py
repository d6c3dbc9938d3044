"""The primitives of what-if questions: scale, shrink, remove, insert, replace. Each gives a new graph; and a builder.

Daydream's primitives (USENIX ATC 2020, section 4.3). What depended on a task that is removed depends on what that task
depended on; a device task goes with its launch, a launch only with all that it launched.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
    with_columns,
)
from dlbricks.whatif.simulate import Edges

_OF_ORDER = frozenset({EdgeKind.WAIT, EdgeKind.STREAM, EdgeKind.THREAD, EdgeKind.RENDEZVOUS})
"""Edges that stand for all that their lane did before: an event is recorded, and a signal given, behind all of it."""
_AS_GIVEN = ("kind", "phase", "duration_ns", "gap_ns", "release_ns")
"""Fields of a new task that are columns of graphs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTask:
    """A task to insert."""

    kind: TaskKind
    name: str
    lane: Lane
    duration_ns: int
    after: int
    """Task of the graph behind which it stands in the table, whatever the lane; ``NONE`` for the very beginning."""
    gap_ns: int = 0
    release_ns: int = 0
    layer: str | None = None
    operator: str | None = None
    phase: Phase = Phase.NONE
    attributes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEdge:
    """An edge to add; the n-th new task counts as task ``len(graph) + n``."""

    kind: EdgeKind
    first: int
    second: int
    lag_ns: int = 0


class Grown(NamedTuple):
    """A graph with more in it."""

    graph: DependencyGraph
    rows: Longs
    """Of the new tasks, in the order in which they were given."""
    places: Longs
    """Row of each task of the graph before."""


def task_like(graph: DependencyGraph, row: int, **changes: Any) -> NewTask:
    """Give a new task that stands right behind another: of its kind, name, lane, layer, phase and duration."""
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


def layer_beside(
    graph: DependencyGraph, row: int, operator: str, duration_ns: int, moves: tuple[float, float], **changes: Any
) -> NewTask:
    """Give a new layer behind another, named after it, that reads and writes so many bytes."""
    figures = dict(zip(("read_bytes", "written_bytes"), moves, strict=True))
    named = {"name": f"{operator} of {graph.named(row)}", "operator": operator, "duration_ns": duration_ns}
    return task_like(graph, row, attributes=figures, **{**named, **changes})


def edge_like(graph: DependencyGraph, edge: int, **changes: int) -> NewEdge:
    """Give a new edge like another, with another ``first`` or ``second``."""
    kind, lag_ns = EdgeKind(int(graph.edge_kind[edge])), int(graph.edge_lag_ns[edge])
    ends = {"first": int(graph.edge_from[edge]), "second": int(graph.edge_to[edge])}
    return NewEdge(kind=kind, lag_ns=lag_ns, **{**ends, **changes})


def scaled(graph: DependencyGraph, rows: Longs, factor: float, *, gaps: bool = False) -> DependencyGraph:
    """Multiply durations, and with ``gaps`` what passes behind each task, too.

    Raises:
        InputError: the factor is negative or no number.
    """
    if not 0 <= factor < float("inf"):
        raise InputError(f"tasks cannot take {factor} times as long: give a factor of 0 or more")
    made = with_durations(graph, rows, graph.duration_ns[rows] * factor)
    if not gaps:
        return made
    after = np.array(graph.gap_ns)
    after[rows] = np.rint(after[rows] * factor)
    return with_columns(made, gap_ns=after)


def with_durations(graph: DependencyGraph, rows: Longs, durations_ns: Any) -> DependencyGraph:
    """Set durations to measured or modelled ones, rounded to whole nanoseconds.

    Args:
        graph: to be changed.
        rows: of tasks.
        durations_ns: one for each of them, or one for all.

    Raises:
        InputError: one is negative, no number, or there is another number of them.
    """
    given = np.asarray(durations_ns, np.float64)
    if given.shape not in {(), (len(rows),)}:
        raise InputError(
            f"{counted(given.size, 'duration')} for {counted(len(rows), 'task')}: give one for each, or one"
        )
    if not np.isfinite(given).all():
        raise InputError("a duration is no number: give nanoseconds")
    whole = np.broadcast_to(np.rint(given).astype(np.int64), (len(rows),))
    if len(rows) and whole.min() < 0:
        raise InputError(f"{graph.named(rows[int(whole.argmin())])} cannot take {whole.min()} ns")
    made = np.array(graph.duration_ns)
    made[rows] = whole
    return with_columns(graph, duration_ns=made)


def mask(graph: DependencyGraph, rows: Any) -> Mask:
    """Give a truth value for each task: whether it is one of some rows."""
    made = np.zeros(len(graph), bool)
    made[rows] = True
    return made


def removed(graph: DependencyGraph, rows: Longs) -> DependencyGraph:
    """Take tasks out, with the launches that launch nothing else; their gaps go with them.

    Raises:
        InputError: a launch is to be removed and something that it launches is not.
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
    """Give the remaining predecessors of each removed task: (task, whether from its start) with the lag.

    With ``lanes`` the task before it on its lane counts, too.
    """
    before = [NONE] * len(graph.lanes)
    found: dict[int, dict[tuple[int, bool], int]] = {}
    lane_of, is_gone = graph.lane.tolist(), gone.tolist()
    for task in edges.order():
        if is_gone[task]:
            waited = [(before[lane_of[task]], False, 0)] if lanes and before[lane_of[task]] != NONE else []
            here = slice(int(edges.begins[task]), int(edges.begins[task + 1]))
            columns = (edges.sources[here], edges.launches[here], edges.lags[here])
            waited += zip(*(column.tolist() for column in columns), strict=True)
            support: dict[tuple[int, bool], int] = defaultdict(int)
            for source, is_launch, lag in waited:
                # a source that is removed, too, stands for its own supports
                for key, more in found[source].items() if source in found else (((source, is_launch), 0),):
                    support[key] = max(support[key], lag + more)
            found[task] = dict(support)
        before[lane_of[task]] = task
    return found


def with_tasks(graph: DependencyGraph, rows: Longs) -> DependencyGraph:
    """Select and reorder tasks, with the edges and waits among them."""
    place = np.full(len(graph), NONE, np.int64)
    place[rows] = np.arange(len(rows))
    edges = np.flatnonzero((place[graph.edge_from] != NONE) & (place[graph.edge_to] != NONE))
    waits = np.flatnonzero(place[graph.wait_task] != NONE)
    columns: dict[str, Any] = {key: getattr(graph, key)[rows] for key in TASK_TYPES}
    columns |= {key: getattr(graph, key)[edges] for key in EDGE_TYPES}
    columns |= {"edge_from": place[graph.edge_from[edges]], "edge_to": place[graph.edge_to[edges]]}
    columns |= {"wait_task": place[graph.wait_task[waits]], "wait_lane": graph.wait_lane[waits]}
    return graph_of(
        graph.name,
        lanes=graph.lanes,
        names=graph.names,
        layers=graph.layers,
        operators=graph.operators,
        columns=columns,
        attributes={key: values[rows] for key, values in graph.attributes.items()},
        steps=graph.steps,
        step_names=graph.step_names,
        device=graph.device,
        notes=graph.notes,
    )


def inserted(
    graph: DependencyGraph,
    tasks: Sequence[NewTask],
    edges: Sequence[NewEdge] = (),
    waits: Sequence[tuple[int, Lane]] = (),
) -> Grown:
    """Put tasks, edges and late waits in; lanes that do not exist are made.

    Args:
        graph: to be changed.
        tasks: new ones; of several behind the same task the first stands first.
        edges: between any tasks, the n-th new one counting as ``len(graph) + n``.
        waits: host tasks, counted likewise, and the lane that each waits for.
    """
    count = len(graph)
    lanes = _numbered(graph.lanes, [*(task.lane for task in tasks), *(lane for _, lane in waits)])
    names = _numbered(graph.names, [task.name for task in tasks])
    layers = _numbered(graph.layers, [task.layer for task in tasks if task.layer is not None])
    operators = _numbered(graph.operators, [task.operator for task in tasks if task.operator is not None])
    new: dict[str, list[int]] = {
        **{key: [getattr(task, key) for task in tasks] for key in _AS_GIVEN},
        "lane": [lanes[task.lane] for task in tasks],
        "task_name": [names[task.name] for task in tasks],
        "layer": [NONE if task.layer is None else layers[task.layer] for task in tasks],
        "operator": [NONE if task.operator is None else operators[task.operator] for task in tasks],
        "span": [NONE] * len(tasks),
        "edge_from": [edge.first for edge in edges],
        "edge_to": [edge.second for edge in edges],
        "edge_kind": [edge.kind for edge in edges],
        "edge_lag_ns": [edge.lag_ns for edge in edges],
        "wait_task": [task for task, _ in waits],
        "wait_lane": [lanes[lane] for _, lane in waits],
    }
    keys = {key for task in tasks for key in task.attributes} | set(graph.attributes)
    grown = graph_of(
        graph.name,
        lanes=tuple(lanes),
        names=tuple(names),
        layers=tuple(layers),
        operators=tuple(operators),
        columns={key: np.concatenate([getattr(graph, key), values]) for key, values in new.items()},
        attributes={
            key: np.concatenate([graph.figures(key), [task.attributes.get(key, np.nan) for task in tasks]])
            for key in keys
        },
        steps=graph.steps,
        step_names=graph.step_names,
        device=graph.device,
        notes=graph.notes,
    )
    places = np.concatenate([np.arange(count, dtype=np.float64), [task.after + 0.5 for task in tasks]])
    order = np.argsort(places, kind="stable")
    rows = np.empty(len(order), np.int64)
    rows[order] = np.arange(len(order))
    return Grown(with_tasks(grown, order), rows[count:], rows[:count])


def _numbered(known: Sequence[Any], more: Sequence[Any]) -> dict[Any, int]:
    """Number what is known and then what is new, each once."""
    return {value: number for number, value in enumerate(dict.fromkeys((*known, *more)))}


@dataclass(slots=True)
class GraphBuilder:
    """Takes tasks in the order in which each lane runs them, and edges; ``built`` gives the graph."""

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
        """Add a task at the end of its lane and give its number."""
        self._tasks.append(
            NewTask(
                kind=kind, name=name, lane=lane, duration_ns=duration_ns, after=NONE, gap_ns=gap_ns,
                release_ns=release_ns, layer=layer, operator=operator, phase=phase, attributes=attributes,
            )
        )  # fmt: skip
        return len(self._tasks) - 1

    def edge(self, kind: EdgeKind, first: int, second: int, lag_ns: int = 0) -> None:
        """Let the second task wait for the first."""
        self._edges.append(NewEdge(kind=kind, first=first, second=second, lag_ns=lag_ns))

    def wait(self, task: int, lane: Lane) -> None:
        """Let a host task wait for all that was launched onto a lane before it."""
        self._waits.append((task, lane))

    def built(self) -> DependencyGraph:
        """Give the graph of all tasks and edges so far."""
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
    """Put a chain of tasks in the place of others: it waits for all they waited for, all that waited for them for it.

    Args:
        graph: to be changed.
        rows: tasks that go, with their launches.
        tasks: new ones, of which the first waits and the last is waited for; at least one.
        edges: among them and with others, as in ``inserted``.

    Raises:
        InputError: no task is given in their place, or see ``removed``.
    """
    if not tasks:
        raise InputError("nothing is given in the place of what is replaced: remove it instead")
    chosen = mask(graph, rows)
    into = chosen[graph.edge_to] & ~chosen[graph.edge_from] & (graph.edge_kind != EdgeKind.LAUNCH)
    out = chosen[graph.edge_from] & ~chosen[graph.edge_to]
    made = [*edges, *(edge_like(graph, edge, second=len(graph)) for edge in np.flatnonzero(into).tolist())]
    last = len(graph) + len(tasks) - 1
    made += [edge_like(graph, edge, first=last) for edge in np.flatnonzero(out).tolist()]
    grown = inserted(graph, tasks, made)
    return removed(grown.graph, grown.places[rows])
