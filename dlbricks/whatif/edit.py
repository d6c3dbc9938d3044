"""Functions that edit dependency graphs (scale, set durations, remove, insert, merge), and a builder of graphs.

Each edit returns a new graph. Edits follow the primitives of Daydream (USENIX ATC 2020, section 4.3). If a task is
removed, its dependents inherit its dependencies. Device tasks and their launches are inserted and removed together.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Lane, Longs
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
    launches,
    with_attributes,
    with_columns,
    with_edges,
    with_texts,
)
from dlbricks.whatif.select import before_on_lane, by_lane, of_name
from dlbricks.whatif.simulate import Edges

# Edges that imply a wait for everything before their first task on its lane: events and signals follow lane order.
_OF_ORDER = frozenset({EdgeKind.WAIT, EdgeKind.STREAM, EdgeKind.THREAD, EdgeKind.RENDEZVOUS})
# Fields of a new task that are graph columns.
_COLUMNS = ("kind", "phase", "duration_ns", "gap_ns", "release_ns")
_OPTIONAL = frozenset({"gap_ns", "release_ns", "layer", "operator", "phase"})
# Name of inserted launch calls.
LAUNCH = "launch of an inserted task"
# Names of calls that launch a graph of kernels.
IS_GRAPH = re.compile(r"GraphLaunch", re.IGNORECASE)
# Quantile of kernel durations that counts as the least duration of a kernel.
_QUICKEST = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTask:
    """A task to insert into a dependency graph."""

    kind: TaskKind
    name: str
    lane: Lane
    duration_ns: int
    after: int
    """Number of the previous task in the table, which may be on another lane; ``NONE`` puts the new task first."""
    gap_ns: int = 0
    release_ns: int = 0
    layer: str | None = None
    operator: str | None = None
    phase: Phase = Phase.NONE
    attributes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEdge:
    """A dependency to insert into a graph. New tasks have the numbers from ``len(graph)`` on."""

    kind: EdgeKind
    first: int
    second: int
    lag_ns: int = 0


class Insertion(NamedTuple):
    """A dependency graph with inserted tasks, and the new numbers of tasks."""

    graph: DependencyGraph
    rows: Longs
    """Numbers of the inserted tasks, in the order in which the caller passed them."""
    places: Longs
    """For each task of the old graph, its number in this graph."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchCost:
    """The costs of a kernel launch in a dependency graph: medians over all launches, ns."""

    duration_ns: int
    gap_ns: int
    """Time of the framework on the host after a launching call."""
    lag_ns: int
    """Time from the start of a launching call to the earliest start of its kernel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKernel:
    """A device task to insert into a dependency graph, together with its launch."""

    name: str
    duration_ns: int
    next_to: int
    """Number of the device task beside which the new task and its launch are inserted."""
    before: bool = False
    """True inserts the new task before ``next_to``, False after it."""
    lane: Lane | None = None
    """Stream of the new task; None for the stream of ``next_to``."""
    kind: TaskKind = TaskKind.KERNEL
    after: Sequence[int] = ()
    """Numbers of tasks that the new task waits for."""
    ahead_of: Sequence[int] = ()
    """Numbers of tasks that wait for the new task."""
    edge_kind: EdgeKind = EdgeKind.STREAM
    attributes: Mapping[str, float] = field(default_factory=dict)
    call_gap_ns: int | None = None
    """Time of the framework on the host after the new launch, ns; None for the median of all launches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Tasks to replace by a single task at the place of the last of these tasks."""

    rows: Longs
    """Numbers of the replaced tasks, at least one, in order of execution."""
    name: str
    duration_ns: float
    attributes: Mapping[str, float] = field(default_factory=dict)
    """Attributes of the single task that differ from those of the last replaced task."""


def task_like(graph: DependencyGraph, row: int, **changes: Any) -> NewTask:
    """Return a copy of task number ``row``, to insert behind it; ``changes`` are fields of ``NewTask`` that differ."""
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
    """Return a copy of edge number ``edge``; ``changes`` may replace its tasks ``first`` and ``second``."""
    kind, lag_ns = EdgeKind(int(graph.edge_kind[edge])), int(graph.edge_lag_ns[edge])
    ends = {"first": int(graph.edge_from[edge]), "second": int(graph.edge_to[edge])}
    return NewEdge(kind=kind, lag_ns=lag_ns, **{**ends, **changes})


def scaled(graph: DependencyGraph, rows: Longs, factor: float, *, gaps: bool = False) -> DependencyGraph:
    """Return the graph with durations of the tasks ``rows`` multiplied by ``factor``; with ``gaps``, also their gaps.

    Raises:
        InputError: the factor is negative or not finite.
    """
    if not 0 <= factor < float("inf"):
        raise InputError(f"invalid factor {factor} on durations: expected 0 or more")
    shorter = with_durations(graph, rows, graph.duration_ns[rows] * factor)
    if not gaps:
        return shorter
    after = np.array(graph.gap_ns)
    after[rows] = np.rint(after[rows] * factor)
    return with_columns(shorter, gap_ns=after)


def with_durations(graph: DependencyGraph, rows: Longs, durations_ns: Any) -> DependencyGraph:
    """Return the graph with new durations of the tasks ``rows``: one number per task, or one for all, ns.

    Raises:
        InputError: a duration is negative or not finite.
    """
    times = np.broadcast_to(np.asarray(durations_ns, np.float64), (len(rows),))
    impossible = np.flatnonzero(~np.isfinite(times) | (times <= -1))
    if len(impossible):
        task, time_ns = graph.named(rows[impossible[0]]), times[impossible[0]]
        raise InputError(f"the new duration of {task} is {time_ns:.0f} ns: a transform must set 0 or more")
    durations = np.array(graph.duration_ns)
    durations[rows] = np.rint(times)
    return with_columns(graph, duration_ns=durations)


def mask(graph: DependencyGraph, rows: Any) -> Mask:
    """Return a boolean array over all tasks of a graph, True for the tasks with the numbers ``rows``."""
    chosen = np.zeros(len(graph), bool)
    chosen[rows] = True
    return chosen


def removed(graph: DependencyGraph, rows: Longs) -> DependencyGraph:
    """Return the graph without the tasks ``rows``, the gaps after these tasks, and calls that launch only these tasks.

    Raises:
        InputError: ``rows`` has a launching call, but not all tasks that the call launches.
    """
    gone = mask(graph, rows)
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    sources, targets = graph.edge_from[edges], graph.edge_to[edges]
    orphans = edges[gone[sources] & ~gone[targets]]
    if len(orphans):
        first, second = (graph.named(column[orphans[0]]) for column in (graph.edge_from, graph.edge_to))
        raise InputError(f"{first} cannot be removed, since it launches {second}, which stays: remove both")
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
    # Return the remaining predecessors of each removed task, with their lags. A predecessor is a task, and whether the
    # lag counts from its start. With ``lanes``, the previous task on the lane is a predecessor, too.
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
    """Return a graph of only the tasks ``rows``, in that order, with the edges and waits among these tasks."""
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
    """Return a graph with inserted tasks, dependencies and waits; missing threads and streams are added.

    Args:
        tasks: new tasks; tasks with the same ``after`` keep their order.
        edges: edges between any tasks, old and new; new tasks have the numbers from ``len(graph)`` on.
        waits: pairs of a host task (numbered as in ``edges``) and the stream (lane) that the task waits for.
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
        **{key: [getattr(task, key) for task in tasks] for key in _COLUMNS},
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
    # Number the present values, then the new ones, without duplicates.
    return {value: number for number, value in enumerate(dict.fromkeys((*values, *more)))}


def median_launch(graph: DependencyGraph) -> LaunchCost:
    """Return the median duration, gap and lag of a graph's kernel launches, each 0 without launches."""
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    if not len(edges):
        return LaunchCost(duration_ns=0, gap_ns=0, lag_ns=0)
    calls = np.unique(graph.edge_from[edges])
    columns = (graph.duration_ns[calls], graph.gap_ns[calls], graph.edge_lag_ns[edges])
    duration, gap, lag = (int(np.median(column)) for column in columns)
    return LaunchCost(duration_ns=duration, gap_ns=gap, lag_ns=lag)


def least_kernel_ns(graph: DependencyGraph) -> int:
    """Return how long a minimal kernel in a graph takes, ns: the 5th percentile of all kernels; 0 without kernels."""
    times = graph.duration_ns[graph.kind == TaskKind.KERNEL]
    return int(np.quantile(times, _QUICKEST)) if len(times) else 0


def with_kernels(graph: DependencyGraph, kernels: Sequence[NewKernel]) -> Insertion:
    """Return a graph with inserted device tasks; a new task gets its own launch if its neighbour ``next_to`` has one.

    Beside a kernel of a CUDA graph, the new task becomes part of the CUDA graph and needs no launch.
    """
    launch, usual, previous = launches(graph), median_launch(graph), before_on_lane(graph)
    of_graph = of_name(graph, IS_GRAPH.search)
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    numbers: list[int] = []
    for kernel in kernels:
        row, call = kernel.next_to, int(launch[kernel.next_to])
        shift = 1 if kernel.before else 0
        task = task_like(
            graph, row, kind=kernel.kind, name=kernel.name, duration_ns=kernel.duration_ns, after=row - shift,
            lane=kernel.lane or graph.lanes[graph.lane[row]], attributes=kernel.attributes,
        )  # fmt: skip
        number = len(graph) + len(tasks)
        if call != NONE and of_graph[call]:
            edges.append(NewEdge(kind=EdgeKind.LAUNCH, first=call, second=number, lag_ns=usual.lag_ns))
        elif call != NONE:
            same_call = previous[row] != NONE and launch[previous[row]] == call
            after = call if same_call else call - shift
            lane = graph.lanes[graph.lane[call]]
            gap_ns = usual.gap_ns if kernel.call_gap_ns is None else kernel.call_gap_ns
            of_call = {"duration_ns": usual.duration_ns, "gap_ns": gap_ns, "after": after}
            tasks.append(task_like(graph, row, kind=TaskKind.CPU, name=LAUNCH, lane=lane, **of_call))
            edges.append(NewEdge(kind=EdgeKind.LAUNCH, first=number, second=number + 1, lag_ns=usual.lag_ns))
        numbers.append(len(graph) + len(tasks))
        tasks.append(task)
    for number, kernel in zip(numbers, kernels, strict=True):
        edges += [NewEdge(kind=kernel.edge_kind, first=source, second=number) for source in kernel.after]
        edges += [NewEdge(kind=kernel.edge_kind, first=number, second=target) for target in kernel.ahead_of]
    grown = inserted(graph, tasks, edges)
    return grown._replace(rows=grown.rows[np.array(numbers, np.int64) - len(graph)])


def removed_beside(graph: DependencyGraph, rows: Longs) -> DependencyGraph:
    """Return the graph without the kernels ``rows`` and their launches, but with the host's gaps after these launches.

    The operators of the removed kernels also launch kernels that stay, which the host prepares in the gaps.
    """
    launch, gone = launches(graph), mask(graph, rows)
    launched = launch != NONE
    counts = np.bincount(launch[launched], ~gone[launched], minlength=len(graph))
    calls = mask(graph, np.unique(launch[launched & gone]))
    calls &= counts == 0
    gaps = np.array(graph.gap_ns)
    for lane in by_lane(graph, np.arange(len(graph))):
        staying = np.maximum.accumulate(np.where(calls[lane], NONE, np.arange(len(lane))))
        moved = calls[lane] & (staying != NONE)
        np.add.at(gaps, lane[staying[moved]], graph.gap_ns[lane[moved]])
    return removed(with_columns(graph, gap_ns=gaps), rows)


def merged(graph: DependencyGraph, merges: Sequence[Merge]) -> DependencyGraph:
    """Return a dependency graph in which a single task replaces each set of tasks in ``merges``.

    The new task keeps the launch of the last replaced task; the other launches are removed with their gaps. The new
    task inherits the dependencies of all replaced tasks. Tasks that depended on a replaced task depend on the new one.
    """
    columns = {key: np.array(values) for key, values in graph.attributes.items()}
    lasts = np.array([merge.rows[-1] for merge in merges], np.int64)
    for merge, last in zip(merges, lasts.tolist(), strict=True):
        for key in merge.attributes.keys() & columns.keys():
            columns[key][last] = merge.attributes[key]
    names = {last: merge.name for merge, last in zip(merges, lasts.tolist(), strict=True)}
    named = with_texts(with_attributes(graph, **columns), "names", "task_name", names)
    timed = with_durations(named, lasts, [merge.duration_ns for merge in merges])
    rows = np.concatenate([merge.rows for merge in merges])
    into, launch = np.arange(len(graph)), launches(graph)
    into[rows] = np.repeat(lasts, [len(merge.rows) for merge in merges])
    launched = rows[(launch[rows] != NONE) & (launch[into[rows]] != NONE)]
    into[launch[launched]] = launch[into[launched]]
    depends = graph.edge_kind != EdgeKind.LAUNCH
    targets = np.where(depends, into[graph.edge_to], graph.edge_to)
    sources = np.where(depends & (into[graph.edge_from] < targets), into[graph.edge_from], graph.edge_from)
    return removed(with_columns(timed, edge_from=sources, edge_to=targets), np.setdiff1d(rows, lasts))


def without_queue_waits(graph: DependencyGraph, calls: Longs) -> DependencyGraph:
    """Return the graph without edges that model a full launch queue and start or end at one of the tasks ``calls``."""
    gone, launching = mask(graph, calls), mask(graph, graph.edge_from[graph.edge_kind == EdgeKind.LAUNCH])
    queue = (graph.edge_kind == EdgeKind.WAIT) & launching[graph.edge_to]
    return with_edges(graph, ~(queue & (gone[graph.edge_from] | gone[graph.edge_to])))


@dataclass(slots=True)
class GraphBuilder:
    """Collects tasks, in the order of their threads or streams, and dependencies; ``built`` returns the graph."""

    name: str
    notes: list[str] = field(default_factory=list)
    steps: list[tuple[int, int]] = field(default_factory=list)
    _tasks: list[NewTask] = field(default_factory=list)
    _edges: list[NewEdge] = field(default_factory=list)
    _waits: list[tuple[int, Lane]] = field(default_factory=list)

    def task(self, kind: TaskKind, name: str, lane: Lane, duration_ns: int, **others: Any) -> int:
        """Add a task at the end of a thread or stream and return its number; ``others`` are fields of ``NewTask``."""
        fields = {key: others.pop(key) for key in _OPTIONAL & others.keys()}
        task = NewTask(kind=kind, name=name, lane=lane, duration_ns=duration_ns, after=NONE, attributes=others)
        self._tasks.append(replace(task, **fields))
        return len(self._tasks) - 1

    def edge(self, kind: EdgeKind, first: int, second: int, lag_ns: int = 0) -> None:
        """Add a dependency of task ``second`` on task ``first``."""
        self._edges.append(NewEdge(kind=kind, first=first, second=second, lag_ns=lag_ns))

    def wait(self, task: int, lane: Lane) -> None:
        """Make a host task wait for all tasks that were launched onto a stream (lane) before the host task."""
        self._waits.append((task, lane))

    def built(self) -> DependencyGraph:
        """Return the graph of all tasks, edges and waits so far."""
        texts: dict[str, Any] = dict.fromkeys(("lanes", "names", "layers", "operators"), ())
        columns = dict.fromkeys(COLUMN_TYPES, ())
        empty = graph_of(self.name, columns, steps=tuple(self.steps), notes=tuple(self.notes), **texts)
        return inserted(empty, self._tasks, self._edges, self._waits).graph
