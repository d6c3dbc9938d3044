"""Putting kernels into a graph together with the calls that launch them, and one kernel in the place of many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dlbricks.trace.types import NONE, Lane, Longs
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, removed
from dlbricks.whatif.graph import EDGE_TYPES, with_columns
from dlbricks.whatif.nouns import DependencyGraph, EdgeKind, Phase, TaskKind
from dlbricks.whatif.training.matching import before_on_lane
from dlbricks.whatif.waits import launches

LAUNCH = "launch of what was inserted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Launching:
    """What a launch takes in a graph: medians over all of its launches, ns."""

    duration_ns: int
    gap_ns: int
    """Behind it on the host: what the framework does for each operator."""
    lag_ns: int
    """From the start of the call to the earliest start of what it launches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKernel:
    """A device task to insert."""

    name: str
    duration_ns: int
    beside: int
    """Device task next to which it and its launch stand."""
    before: bool = False
    """Whether they stand before that task instead of behind it."""
    lane: Lane | None = None
    """None for the one of ``beside``."""
    kind: TaskKind = TaskKind.KERNEL
    after: Sequence[int] = ()
    """Tasks of the graph that it waits for; a negative number -n-1 stands for the n-th new kernel."""
    ahead_of: Sequence[int] = ()
    """Tasks of the graph that wait for it."""
    edge_kind: EdgeKind = EdgeKind.STREAM
    attributes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """A graph with more in it."""

    graph: DependencyGraph
    kernels: Longs
    """Rows of the new device tasks, in the order in which they were given."""
    places: Longs
    """Row of each task of the graph before."""


def usual_launch(graph: DependencyGraph) -> Launching:
    """Give what a launch takes; nothing at all in a graph without launches."""
    edges = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    if not len(edges):
        return Launching(duration_ns=0, gap_ns=0, lag_ns=0)
    calls = np.unique(graph.edge_from[edges])
    return Launching(
        duration_ns=int(np.median(graph.duration_ns[calls])),
        gap_ns=int(np.median(graph.gap_ns[calls])),
        lag_ns=int(np.median(graph.edge_lag_ns[edges])),
    )


def with_kernels(graph: DependencyGraph, kernels: Sequence[NewKernel]) -> Grown:
    """Insert device tasks, each with a launch of its own where the task beside it has one.

    Args:
        graph: to be changed.
        kernels: new ones; of several beside the same task the first stands first.
    """
    launch, usual, previous = launches(graph), usual_launch(graph), before_on_lane(graph)
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    numbers: list[int] = []
    for kernel in kernels:
        call = int(launch[kernel.beside])
        shift = 1 if kernel.before else 0
        same_call = previous[kernel.beside] != NONE and launch[previous[kernel.beside]] == call
        layer, phase = _labels(graph, kernel.beside)
        lane = graph.lanes[graph.lane[kernel.beside]] if kernel.lane is None else kernel.lane
        made = NewTask(
            kind=kernel.kind, name=kernel.name, lane=lane, duration_ns=kernel.duration_ns,
            after=kernel.beside - shift, layer=layer, phase=phase, attributes=kernel.attributes,
        )  # fmt: skip
        if call != NONE:
            edges.append(
                NewEdge(
                    kind=EdgeKind.LAUNCH,
                    first=len(graph) + len(tasks),
                    second=len(graph) + len(tasks) + 1,
                    lag_ns=usual.lag_ns,
                )
            )
            host = graph.lanes[graph.lane[call]]
            tasks.append(
                NewTask(
                    kind=TaskKind.CPU,
                    name=LAUNCH,
                    lane=host,
                    duration_ns=usual.duration_ns,
                    gap_ns=usual.gap_ns,
                    after=call if same_call else call - shift,
                    layer=layer,
                    phase=phase,
                )
            )
        numbers.append(len(graph) + len(tasks))
        tasks.append(made)
    for number, kernel in zip(numbers, kernels, strict=True):
        sources = [source if source >= 0 else numbers[-source - 1] for source in kernel.after]
        edges += [NewEdge(kind=kernel.edge_kind, first=source, second=number) for source in sources]
        edges += [NewEdge(kind=kernel.edge_kind, first=number, second=target) for target in kernel.ahead_of]
    grown, rows = inserted(graph, tasks, edges)
    places = np.setdiff1d(np.arange(len(grown)), rows)
    return Grown(graph=grown, kernels=rows[np.array(numbers, np.int64) - len(graph)], places=places)


def _labels(graph: DependencyGraph, row: int) -> tuple[str | None, Phase]:
    layer = int(graph.layer[row])
    return (None if layer == NONE else graph.layers[layer]), Phase(int(graph.phase[row]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Device tasks of one lane that become fewer."""

    rows: Longs
    """Ascending; at least one."""
    name: str
    durations_ns: Sequence[int]
    """Of the tasks in their place, at least one."""
    with_calls: Sequence[int] = ()
    """Host tasks that serve them and go with them."""
    attributes: Mapping[str, float] = field(default_factory=dict)


def merged(graph: DependencyGraph, merges: Sequence[Merge]) -> tuple[DependencyGraph, Longs]:
    """Put few device tasks in the place of many, with few launches in the place of many.

    The first of the new ones waits for all that the old ones waited for, and what waited for the old ones waits for
    the last: from where the last of the old ones stood on, for what had its place before. They and their launches stand
    where the last of the old ones stood; what the host did behind the last launch, it still does.

    Returns:
        The graph, and the rows of the new device tasks in it.
    """
    launch, usual = launches(graph), usual_launch(graph)
    gone = np.zeros(len(graph), bool)
    heads, tails, lasts = (np.full(len(graph), NONE, np.int64) for _ in range(3))
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    numbers: list[int] = []
    for merge in merges:
        calls = np.unique(launch[merge.rows][launch[merge.rows] != NONE])
        gone[[*merge.rows.tolist(), *calls.tolist(), *merge.with_calls]] = True
        first = len(graph) + len(tasks)
        for place, duration in enumerate(merge.durations_ns):
            last = place == len(merge.durations_ns) - 1
            if len(calls):
                tasks.append(_call(graph, int(calls[-1]), usual, last=last))
                pair = (len(graph) + len(tasks) - 1, len(graph) + len(tasks))
                edges.append(NewEdge(kind=EdgeKind.LAUNCH, first=pair[0], second=pair[1], lag_ns=usual.lag_ns))
            tasks.append(_kernel(graph, merge, int(duration)))
            numbers.append(len(graph) + len(tasks) - 1)
        heads[merge.rows] = numbers[-len(merge.durations_ns)]
        tails[merge.rows] = numbers[-1]
        lasts[merge.rows] = merge.rows[-1]
        heads[calls] = first
    edges += _moved_edges(graph, gone, heads, tails, lasts)
    moved = (tails != NONE)[graph.edge_to] | (tails != NONE)[graph.edge_from]
    stay = ~moved | (graph.edge_kind == EdgeKind.LAUNCH)
    bare = with_columns(graph, **{key: getattr(graph, key)[stay] for key in EDGE_TYPES})
    grown, rows = inserted(bare, tasks, edges)
    new = np.zeros(len(grown), bool)
    new[rows] = True
    old = np.flatnonzero(~new)
    smaller = removed(grown, old[gone])
    stays = np.ones(len(grown), bool)
    stays[old[gone]] = False
    places = np.cumsum(stays) - 1
    return smaller, places[rows[np.array(numbers, np.int64) - len(graph)]] if numbers else rows


def _call(graph: DependencyGraph, call: int, usual: Launching, *, last: bool) -> NewTask:
    """Give a launch in the place of an old one; the last of several keeps its gap and the times measured for it."""
    layer, phase = _labels(graph, call)
    known = ("measured_start_ns", "measured_end_ns")
    figures = {key: float(graph.attributes[key][call]) for key in known if last and key in graph.attributes}
    return NewTask(
        kind=TaskKind.CPU,
        name=graph.names[graph.task_name[call]],
        lane=graph.lanes[graph.lane[call]],
        duration_ns=int(graph.duration_ns[call]),
        gap_ns=int(graph.gap_ns[call]) if last else usual.gap_ns,
        after=call,
        layer=layer,
        phase=phase,
        attributes=figures,
    )


def _kernel(graph: DependencyGraph, merge: Merge, duration_ns: int) -> NewTask:
    row = int(merge.rows[-1])
    layer, phase = _labels(graph, row)
    return NewTask(
        kind=TaskKind(int(graph.kind[row])),
        name=merge.name,
        lane=graph.lanes[graph.lane[row]],
        duration_ns=duration_ns,
        gap_ns=int(graph.gap_ns[row]),
        after=row,
        layer=layer,
        phase=phase,
        attributes=merge.attributes,
    )


def _moved_edges(
    graph: DependencyGraph,
    gone: "np.ndarray[tuple[int], np.dtype[np.bool_]]",
    heads: Longs,
    tails: Longs,
    lasts: Longs,
) -> list[NewEdge]:
    """Give the edges into and out of what goes, to and from what takes its place.

    An edge between threads stays with the place on its lane: the next task there that stays waits, too.
    """
    staying = _Staying(graph, gone)
    made = []
    for edge in np.flatnonzero(gone[graph.edge_to] | gone[graph.edge_from]).tolist():
        kind = EdgeKind(int(graph.edge_kind[edge]))
        first, second = int(graph.edge_from[edge]), int(graph.edge_to[edge])
        if kind == EdgeKind.LAUNCH:
            continue
        sources = [int(tails[first])] if gone[first] else [first]
        if gone[first] and NONE < second < lasts[first] and not gone[second]:
            second = staying.behind(second, int(lasts[first]))
        if second == NONE:
            continue
        targets = [int(heads[second])] if gone[second] else [second]
        if gone[second] and kind == EdgeKind.THREAD:
            targets.append(staying.behind(second, second))
        lag = int(graph.edge_lag_ns[edge])
        made += [
            NewEdge(kind=kind, first=source, second=target, lag_ns=lag)
            for source in sources
            for target in targets
            if NONE not in {source, target} and source != target
        ]
    return list(dict.fromkeys(made))


class _Staying:
    """Tasks that stay, by lane."""

    def __init__(self, graph: DependencyGraph, gone: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> None:
        self._lane_of = graph.lane
        self._by_lane = [np.flatnonzero((graph.lane == lane) & ~gone) for lane in range(len(graph.lanes))]

    def behind(self, row: int, other: int) -> int:
        """Give the first task on the lane of one that stands behind another; ``NONE`` where there is none."""
        rows = self._by_lane[int(self._lane_of[row])]
        at = int(np.searchsorted(rows, other, side="right"))
        return int(rows[at]) if at < len(rows) else NONE
