"""Inserts kernels together with the calls that launch them, and merges kernels and their launches."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dlbricks.trace.types import NONE, Lane, Longs
from dlbricks.whatif.edit import Insertion, NewEdge, NewTask, edge_like, inserted, mask, removed, task_like
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Mask, TaskKind, launches, with_columns, with_edges
from dlbricks.whatif.select import before_on_lane, by_lane, of_name

LAUNCH = "launch of what was inserted"
"""Name of inserted launch calls."""
IS_GRAPH = re.compile(r"GraphLaunch", re.IGNORECASE)
"""Names of calls that launch a graph of kernels."""
# Quantile of kernel durations that counts as the least duration of a kernel.
_QUICKEST = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchCost:
    """Costs of a launch in a graph: medians over all launches, ns."""

    duration_ns: int
    gap_ns: int
    """Framework time on the host after the call."""
    lag_ns: int
    """Time from the start of the call to the earliest start of the kernel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKernel:
    """Device task to insert."""

    name: str
    duration_ns: int
    next_to: int
    """Device task next to which the new task and its launch are inserted."""
    before: bool = False
    """Insert before that task instead of after it."""
    lane: Lane | None = None
    """None for the lane of ``next_to``."""
    kind: TaskKind = TaskKind.KERNEL
    after: Sequence[int] = ()
    """Tasks that it waits for."""
    ahead_of: Sequence[int] = ()
    """Tasks that wait for it."""
    edge_kind: EdgeKind = EdgeKind.STREAM
    attributes: Mapping[str, float] = field(default_factory=dict)
    call_gap_ns: int | None = None
    """Framework time on the host after its launch; None for the usual one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Device tasks of one lane to be replaced by fewer."""

    rows: Longs
    """Task numbers, ascending; at least one."""
    name: str
    durations_ns: Sequence[int]
    """Durations of the new tasks, at least one."""
    attributes: Mapping[str, float] = field(default_factory=dict)


def median_launch(graph: DependencyGraph) -> LaunchCost:
    """Return the costs of a launch; all 0 for a graph without launches."""
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    if not len(edges):
        return LaunchCost(duration_ns=0, gap_ns=0, lag_ns=0)
    calls = np.unique(graph.edge_from[edges])
    columns = (graph.duration_ns[calls], graph.gap_ns[calls], graph.edge_lag_ns[edges])
    duration, gap, lag = (int(np.median(column)) for column in columns)
    return LaunchCost(duration_ns=duration, gap_ns=gap, lag_ns=lag)


def least_kernel_ns(graph: DependencyGraph) -> int:
    """Return the duration of a minimal kernel, ns: a low quantile of all kernels."""
    times = graph.duration_ns[graph.kind == TaskKind.KERNEL]
    return int(np.quantile(times, _QUICKEST)) if len(times) else 0


def shortest_kernel_ns(graph: DependencyGraph) -> int:
    """Return the duration of the shortest kernel, ns: what starting and ending takes."""
    times = graph.duration_ns[(graph.kind == TaskKind.KERNEL) & (graph.duration_ns > 0)]
    return int(times.min(initial=least_kernel_ns(graph)))


def with_kernels(graph: DependencyGraph, kernels: Sequence[NewKernel]) -> Insertion:
    """Insert device tasks, each with its own launch if the task next to it has one.

    Next to a task of a graph that one call launched, they are part of that graph.

    Returns:
        The graph, the numbers of the new device tasks, and the new numbers of all others.
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
    """Remove kernels that an operator launches beside others that stay.

    Their launches go, but not the gaps behind these: there the host works on what comes next.
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


def merged(graph: DependencyGraph, merges: Sequence[Merge]) -> tuple[DependencyGraph, Longs]:
    """Replace device tasks and their launches by fewer.

    The first new task inherits the dependencies of all old ones; tasks that depended on an old one depend on the last
    new one, if they come after it in table order, or else the first task behind it on their lane does. So all that is
    moved still points forward in the table. New tasks and launches take the position of the last old one, and the gap
    after the last launch is kept.

    Returns:
        The graph, and the numbers of the new device tasks in it.
    """
    launch, usual = launches(graph), median_launch(graph)
    gone = np.zeros(len(graph), bool)
    heads, tails = (np.full(len(graph), NONE, np.int64) for _ in range(2))
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    numbers: list[int] = []
    for merge in merges:
        calls = np.unique(launch[merge.rows][launch[merge.rows] != NONE])
        gone[[*merge.rows.tolist(), *calls.tolist()]] = True
        heads[calls] = len(graph) + len(tasks)
        row = int(merge.rows[-1])
        for place, duration in enumerate(merge.durations_ns, start=1):
            number = len(graph) + len(tasks)
            if len(calls):
                tasks.append(_call(graph, int(calls[-1]), usual, last=place == len(merge.durations_ns)))
                edges.append(NewEdge(kind=EdgeKind.LAUNCH, first=number, second=number + 1, lag_ns=usual.lag_ns))
            numbers.append(len(graph) + len(tasks))
            figures = {"gap_ns": int(graph.gap_ns[row]), "attributes": merge.attributes}
            tasks.append(task_like(graph, row, name=merge.name, duration_ns=int(duration), **figures))
        heads[merge.rows] = numbers[-len(merge.durations_ns)]
        tails[merge.rows] = numbers[-1]
    edges += _moved_edges(graph, gone, heads, tails, tasks)
    moved = (tails != NONE)[graph.edge_to] | (tails != NONE)[graph.edge_from]
    grown = inserted(with_edges(graph, ~moved | (graph.edge_kind == EdgeKind.LAUNCH)), tasks, edges)
    smaller = removed(grown.graph, grown.places[gone])
    left = np.cumsum(~mask(grown.graph, grown.places[gone])) - 1
    return smaller, left[grown.rows[np.array(numbers, np.int64) - len(graph)]] if numbers else grown.rows


def _call(graph: DependencyGraph, call: int, usual: LaunchCost, *, last: bool) -> NewTask:
    """Return a launch call like an old one; the last of several keeps the gap and the measured times."""
    keys = graph.attributes.keys() & {"measured_start_ns", "measured_end_ns"} if last else ()
    figures = {key: float(graph.attributes[key][call]) for key in keys}
    gap_ns = int(graph.gap_ns[call]) if last else usual.gap_ns
    return task_like(graph, call, kind=TaskKind.CPU, gap_ns=gap_ns, attributes=figures)


def _moved_edges(
    graph: DependencyGraph, gone: Mask, heads: Longs, tails: Longs, tasks: Sequence[NewTask]
) -> list[NewEdge]:
    """Return the edges of removed tasks, redirected to their replacements.

    An edge that would point backward in the table leads to the first task behind its source, on the same lane. An edge
    between threads keeps its position on the lane: the next remaining task there waits, too.

    Args:
        graph: before the merge.
        gone: mask of the removed tasks.
        heads: first replacement of each removed task, ``NONE`` without one.
        tails: last replacement of each removed device task.
        tasks: all replacements; the n-th is number ``len(graph) + n``.
    """
    places = np.concatenate([np.arange(len(graph)), [task.after + 0.5 for task in tasks]])
    numbers = {lane: number for number, lane in enumerate(graph.lanes)}
    lanes = np.concatenate([graph.lane, [numbers[task.lane] for task in tasks]])
    remains = np.concatenate([~gone, np.ones(len(tasks), bool)])
    order = np.argsort(places, kind="stable")
    order = order[remains[order]]
    on_lane = [order[lanes[order] == lane] for lane in range(len(graph.lanes))]

    def behind(row: int, place: float) -> int:
        """Return the first remaining task after a place on the lane of ``row``, or ``NONE``."""
        rows = on_lane[int(lanes[row])]
        at = int(np.searchsorted(places[rows], place, side="right"))
        return int(rows[at]) if at < len(rows) else NONE

    moved_edges = []
    for edge in np.flatnonzero(gone[graph.edge_to] | gone[graph.edge_from]).tolist():
        kind = int(graph.edge_kind[edge])
        first, second = int(graph.edge_from[edge]), int(graph.edge_to[edge])
        source = int(tails[first]) if gone[first] else first
        if kind == EdgeKind.LAUNCH or source == NONE:
            continue
        targets = [int(heads[second]) if gone[second] else second]
        if gone[second] and kind == EdgeKind.THREAD:
            targets.append(behind(second, second))
        for target in targets:
            moved = gone[first] and target != NONE and places[target] <= places[source]
            target = behind(target, places[source]) if moved else target  # noqa: PLW2901
            if target not in {NONE, source}:
                moved_edges.append(edge_like(graph, edge, first=source, second=target))
    return list(dict.fromkeys(moved_edges))
