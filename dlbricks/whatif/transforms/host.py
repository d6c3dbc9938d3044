"""How a host feeds its device or its threads: ``cuda-graphs``, ``parallel-executor``, ``streams``.

CUDA graphs: what a host launched call by call, one call launches; kernels keep their order and their streams. A graph
ends where the host needs a result or brings data: at a call that waits for the device, at a copy between host
and device, at the end of a step. Of the calls of a graph one is left, and with the others goes all that the host did
between them, which is what graphs are for: on an H100 a small network took 0.29 instead of 1.10 ms.

Also how far a host runs ahead of its device once its launches have changed: a trace of a few steps may end before the
host has filled the queue of launches, and steps would then seem to take as long as launching them. Over a long run the
host waits for its device, however deep the queue is: that is the time asked for.

Parallel branches: layers that do not need each other run at the same time, on threads or on streams. Which layers need
each other is in edges from layer to layer, which composed networks have and traces have not. A free thread or stream
takes the layer that has been ready for the longest, as runtimes do (list scheduling, Graham 1966).
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.edit import NewEdge, NewTask, inserted, mask, removed, with_durations
from dlbricks.whatif.graph import ON_HOST, DependencyGraph, EdgeKind, Mask, TaskKind, launches, with_columns, with_edges
from dlbricks.whatif.select import by_lane, of_name, processes, step_numbers
from dlbricks.whatif.simulate import Policy
from dlbricks.whatif.transform import Parameter, Transform, Values
from dlbricks.whatif.work import no_work, work

_IS_GRAPH = re.compile(r"GraphLaunch", re.IGNORECASE)
_WITH_HOST = re.compile(r"HtoD|DtoH|host to device|device to host", re.IGNORECASE)
_LEAST = 2
"""Fewer launches are no graph."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What one graph launches in the place of some calls."""

    calls: tuple[int, ...]
    """Host tasks from the first launch to the last, ascending: all go."""
    device: tuple[int, ...]
    """Device tasks that they launched, ascending."""


@dataclass(slots=True)
class _Open:
    """Calls of one process that may become a graph."""

    step: int
    calls: list[int]
    ends: list[int]
    """How many calls there were up to each launch."""


def captured(graph: DependencyGraph) -> tuple[Captured, ...]:
    """Find what can be captured, in order."""
    launched, steps, process = launches(graph), step_numbers(graph), processes(graph)
    of_call: dict[int, list[int]] = {}
    for row in np.flatnonzero(launched != NONE).tolist():
        of_call.setdefault(int(launched[row]), []).append(row)
    copies = of_name(graph, _WITH_HOST.search)
    breaks = of_name(graph, _IS_GRAPH.search) | (graph.kind != TaskKind.CPU)
    found: list[Captured] = []
    open_: dict[int, _Open] = {}

    def close(key: int) -> None:
        one = open_.pop(key, None)
        if one is not None and len(one.ends) >= _LEAST:
            device = sorted(row for call in one.calls for row in of_call.get(call, ()))
            found.append(Captured(calls=tuple(one.calls[: one.ends[-1]]), device=tuple(device)))

    for row in np.flatnonzero(np.isin(graph.kind, ON_HOST)).tolist():
        key, rows = int(process[row]), of_call.get(row, [])
        ends = breaks[row] or bool(copies[rows].any())
        if ends or (key in open_ and open_[key].step != steps[row]):
            close(key)
        if ends or (not rows and key not in open_):
            continue
        one = open_.setdefault(key, _Open(step=int(steps[row]), calls=[], ends=[]))
        one.calls.append(row)
        if rows:
            one.ends.append(len(one.calls))
    for key in list(open_):
        close(key)
    return tuple(sorted(found, key=lambda one: one.calls[0]))


def _graphed(graph: DependencyGraph, values: Values) -> DependencyGraph:
    parts = captured(graph)
    launch, between = round(values["launch"]), round(values["gap"])
    starts, ends = graph.figures("measured_start_ns"), graph.figures("measured_end_ns")
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    gaps = np.array(graph.gap_ns)
    for part in parts:
        first = part.calls[0]
        last = next(call for call in reversed(part.calls) if graph.lane[call] == graph.lane[first])
        call = len(graph) + len(tasks)
        edges += [NewEdge(kind=EdgeKind.LAUNCH, first=call, second=row, lag_ns=launch) for row in part.device]
        measured = {"measured_start_ns": float(starts[first]), "measured_end_ns": float(ends[last])}
        tasks.append(
            NewTask(
                kind=TaskKind.CPU, name="cudaGraphLaunch", lane=graph.lanes[graph.lane[first]], duration_ns=launch,
                gap_ns=int(graph.gap_ns[last]), after=first - 1, attributes=measured,
            )
        )  # fmt: skip
        for rows in by_lane(graph, np.array(part.device)):
            inner = rows[:-1]
            gaps[inner] = np.minimum(gaps[inner], between) if values["keep"] == "measured" else between
    taken = mask(graph, [row for part in parts for row in part.device])
    calls = np.array([call for part in parts for call in part.calls], np.int64)
    unqueued = without_queues(with_columns(graph, gap_ns=gaps), mask(graph, calls))
    bare = with_edges(unqueued, ~(taken[unqueued.edge_to] & (unqueued.edge_kind == EdgeKind.LAUNCH)))
    grown = inserted(bare, tasks, edges)
    return paced(removed(grown.graph, grown.places[calls]))


def _nothing_to_capture(graph: DependencyGraph, values: Values) -> str:
    if not (graph.kind == TaskKind.KERNEL).any():
        return "it has no kernels"
    if values["keep"] not in ("measured", "none"):
        return f"'{values['keep']}' says nothing of gaps: write measured or none"
    if captured(graph):
        return ""
    return "nowhere do two launches follow each other without a wait, a copy with the host or the end of a step"


CUDA_GRAPHS = Transform(
    name="cuda-graphs",
    title="One call launches what many calls did.",
    source="CUDA's graphs as PyTorch captures them; the quickest launches of graphs in a public trace (DLRM on A100)",
    apply=_graphed,
    parameters=(
        Parameter("launch", "time", "what launching a graph takes, until it begins", "14us"),
        Parameter("gap", "time", "time between two kernels of a graph", "1500ns"),
        Parameter("keep", "text", "measured: gaps that are shorter stay; none: every gap is as given", "measured"),
    ),
    requires=_nothing_to_capture,
    ensures=lambda before, after, _: (
        ""
        if (before.kind == TaskKind.KERNEL).sum() == (after.kind == TaskKind.KERNEL).sum()
        else "kernels came or went"
    ),
)


def paced(graph: DependencyGraph) -> DependencyGraph:
    """Let the host wait, at the end of every step, for what the step before did on the device.

    So the device works on one step while the next one is launched, and the ends of steps are where the host is then.
    """
    steps, process, launched = step_numbers(graph), processes(graph), launches(graph)
    on_host, numbers = np.isin(graph.kind, ON_HOST), np.unique(process).tolist()
    measured_ends = sorted(graph.steps) if len(numbers) == 1 else []
    tasks: list[NewTask] = []
    edges: list[NewEdge] = []
    for number in numbers:
        hosts = np.flatnonzero((process == number) & on_host).tolist()
        devices = np.flatnonzero((process == number) & (launched != NONE)).tolist()
        firsts = {int(steps[row]): row for row in reversed(hosts)}
        ends, done = ({int(steps[row]): row for row in rows} for rows in (hosts, devices))
        for before, step in pairwise(sorted(firsts)):
            if before not in done:
                continue
            edges.append(NewEdge(kind=EdgeKind.WAIT, first=done[before], second=len(graph) + len(tasks)))
            at = float(measured_ends[step - 1][1]) if len(measured_ends) >= step > 0 else float("nan")
            lane = graph.lanes[graph.lane[firsts[step]]]
            tasks.append(
                NewTask(
                    kind=TaskKind.SYNCHRONISATION, name="end of step", lane=lane, duration_ns=0, after=ends[step],
                    attributes={"measured_start_ns": at, "measured_end_ns": at},
                )
            )  # fmt: skip
    return inserted(graph, tasks, edges).graph


def without_queues(graph: DependencyGraph, gone: Mask) -> DependencyGraph:
    """Drop what full queues made launches wait for (``sources.traces``) where an end of that is to be removed."""
    launching = mask(graph, graph.edge_from[graph.edge_kind == EdgeKind.LAUNCH])
    queue = (graph.edge_kind == EdgeKind.WAIT) & launching[graph.edge_to]
    return with_edges(graph, ~(queue & (gone[graph.edge_from] | gone[graph.edge_to])))


def _fed(graph: DependencyGraph) -> Longs:
    return np.flatnonzero(graph.edge_kind == EdgeKind.DATA)


def _calls_apart(graph: DependencyGraph, rows: Longs) -> list[NewEdge]:
    """Let what begins a call wait for all that ends the one before, and for what passed between the two."""
    steps, fed = step_numbers(graph)[rows], _fed(graph)
    waits, feeds = set(graph.edge_to[fed].tolist()), set(graph.edge_from[fed].tolist())
    made = []
    for before, step in pairwise(np.unique(steps).tolist()):
        ends = [row for row in rows[steps == before].tolist() if row not in feeds]
        begins = [row for row in rows[steps == step].tolist() if row not in waits]
        lag = int(graph.gap_ns[rows[steps == before][-1]])
        made += [NewEdge(kind=EdgeKind.THREAD, first=end, second=begin, lag_ns=lag) for end in ends for begin in begins]
    return made


def _on_executor(graph: DependencyGraph, values: Values) -> DependencyGraph:
    """Let layers pay what handing them to another thread takes; what a runtime did between two stays in its lane."""
    rows = work(graph)
    made = with_durations(graph, rows, graph.duration_ns[rows] * values["slowdown"] + values["handing"])
    return inserted(made, (), _calls_apart(graph, rows)).graph


def _pool(graph: DependencyGraph, servers: int) -> Policy:
    lanes = tuple(int(lane) for lane in np.unique(graph.lane[work(graph)]))
    return Policy(free_lanes=lanes, servers=dict.fromkeys(lanes, servers))


def _no_branches(graph: DependencyGraph) -> str:
    reason = no_work(graph)
    if reason or len(_fed(graph)):
        return reason
    return "it does not say which layers feed which: compose the network instead of tracing it"


PARALLEL = Transform(
    name="parallel-executor",
    title="Threads of a runtime take layers that are ready, instead of one thread all of them.",
    source="Graham 1966; onnxruntime's execution mode ORT_PARALLEL",
    apply=_on_executor,
    parameters=(
        Parameter("threads", "count", "layers at the same time"),
        Parameter("handing", "time", "what handing a layer over takes", "0us"),
        Parameter("slowdown", "factor", "how many times as long layers take beside others", "1"),
    ),
    requires=lambda graph, _: (
        "its work runs on a device: ask for streams" if (graph.kind == TaskKind.KERNEL).any() else _no_branches(graph)
    ),
    policy=lambda graph, values: _pool(graph, int(values["threads"])),
)


def _on_streams(graph: DependencyGraph, _: Values) -> DependencyGraph:
    """Let kernels wait for the kernels of the layers that feed theirs, instead of for their stream."""
    launched = launches(graph)
    kernels = [row for row in work(graph).tolist() if launched[row] != NONE]
    of_host: dict[int, list[int]] = defaultdict(list)
    for row in kernels:
        of_host[int(launched[row])].append(row)
    pairs = [pair for rows in of_host.values() for pair in pairwise(rows)]
    sources: dict[int, list[int]] = defaultdict(list)
    for edge in _fed(graph).tolist():
        sources[int(graph.edge_to[edge])].append(int(graph.edge_from[edge]))
    ends: dict[int, list[int]] = {}
    for host in np.flatnonzero(graph.kind == TaskKind.CPU).tolist():
        before = [end for source in sources[host] for end in ends.get(source, ())]
        ends[host] = of_host[host][-1:] or before
        pairs += [(end, row) for end in before for row in of_host[host][:1]]
    edges = [NewEdge(kind=EdgeKind.STREAM, first=first, second=second) for first, second in pairs]
    last = _ends_waited_for(graph, kernels, {first for first, _ in pairs})
    return inserted(graph, (), [*edges, *last]).graph


def _ends_waited_for(graph: DependencyGraph, kernels: Sequence[int], feeding: set[int]) -> list[NewEdge]:
    """Let a call that waits for a stream wait for all branches, not only for what was launched last."""
    launched = launches(graph)
    made = []
    for row in kernels:
        waiting = graph.wait_task[(graph.wait_lane == graph.lane[row]) & (graph.wait_task > launched[row])]
        if row not in feeding and len(waiting):
            made.append(NewEdge(kind=EdgeKind.WAIT, first=row, second=int(waiting.min())))
    return made


STREAMS = Transform(
    name="streams",
    title="Branches run on streams of their own.",
    source="Graham 1966; kernels are taken to fill no more than their part of the device, which is a bound",
    apply=_on_streams,
    parameters=(Parameter("streams", "count", "kernels at the same time"),),
    requires=lambda graph, _: _no_branches(graph) if (graph.kind == TaskKind.KERNEL).any() else "it has no kernels",
    policy=lambda graph, values: _pool(graph, int(values["streams"])),
)
