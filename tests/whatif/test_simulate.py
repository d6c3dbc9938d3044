"""The laws of replay: nothing starts before what it waits for, bounds hold, and shortening never lengthens."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.explain import explain, sentence
from dlbricks.whatif.graph import LANE, DependencyGraph, EdgeKind, Schedule, TaskKind, with_columns
from dlbricks.whatif.simulate import Edges, Policy, replay, schedule
from tests.whatif.kineto_files import HOSTS, STREAMS, graphs


def respects(graph: DependencyGraph, made: Schedule) -> None:
    """Check every edge, every wait, every release, and that lanes run one task at a time in their order."""
    edges = Edges(graph)
    since = np.where(edges.launches, made.start_ns[edges.sources], made.end_ns[edges.sources])
    assert (made.start_ns[edges.targets] >= since + edges.lags).all()
    assert (made.start_ns >= graph.release_ns).all()
    assert (made.end_ns - made.start_ns == graph.duration_ns).all()
    for lane in range(len(graph.lanes)):
        tasks = np.flatnonzero(graph.lane == lane)
        free = made.end_ns[tasks] + graph.gap_ns[tasks]
        assert (made.start_ns[tasks][1:] >= free[:-1]).all()


@given(graphs())
def test_a_replay_respects_all_that_a_task_waits_for(graph: DependencyGraph) -> None:
    """Edges, waits, lanes, releases."""
    respects(graph, replay(graph))


@given(graphs(gaps=False))
def test_the_makespan_lies_between_critical_path_and_sum(graph: DependencyGraph) -> None:
    """At least the longest task and the busiest lane, at most all tasks one after another."""
    made = replay(graph)
    busiest = max(int(graph.duration_ns[graph.lane == lane].sum()) for lane in range(len(graph.lanes)))
    assert busiest <= made.makespan_ns <= int(graph.duration_ns.sum())


@given(graphs(), st.data())
def test_shortening_a_task_never_lengthens(graph: DependencyGraph, data: st.DataObject) -> None:
    """With the order of lanes kept, every task starts no later."""
    task = data.draw(st.integers(0, len(graph) - 1))
    durations = np.array(graph.duration_ns)
    durations[task] = data.draw(st.integers(0, int(durations[task])))
    before, after = replay(graph), replay(with_columns(graph, duration_ns=durations))
    assert (after.start_ns <= before.start_ns).all()


@given(graphs())
def test_lanes_that_keep_their_order_are_replayed_alike_by_both(graph: DependencyGraph) -> None:
    """The event-driven scheduler without a free lane gives the same starts as the single pass."""
    assert (schedule(graph, Policy()).start_ns == replay(graph).start_ns).all()


@given(graphs())
def test_free_lanes_respect_edges(graph: DependencyGraph) -> None:
    """In whatever order: every edge holds, and one task runs on a lane at a time."""
    lanes = tuple(range(len(graph.lanes)))
    made = schedule(graph, Policy(free_lanes=lanes))
    edges = Edges(graph)
    since = np.where(edges.launches, made.start_ns[edges.sources], made.end_ns[edges.sources])
    assert (made.start_ns[edges.targets] >= since + edges.lags).all()
    for lane in lanes:
        tasks = np.flatnonzero((graph.lane == lane) & (graph.duration_ns > 0))
        for task in tasks:
            now = made.start_ns[task]
            assert np.count_nonzero((made.start_ns[tasks] <= now) & (now < made.end_ns[tasks])) <= 1


@given(graphs())
def test_the_critical_path_explains_the_whole_makespan(graph: DependencyGraph) -> None:
    """Shares add up to it; each task of the path waited for the one before it; the last one ends it."""
    made = replay(graph)
    explanation = explain(graph, made)
    assert sum(explanation.shares_ns.values()) == made.makespan_ns
    for first, second in zip(explanation.path, explanation.path[1:], strict=False):
        assert made.cause[second] == first
    assert made.end_ns[explanation.path[-1]] == made.end_ns.max()


def test_a_launch_counts_from_its_start_and_a_wait_from_the_last_kernel_launched_before() -> None:
    """Two kernels of 50 on one stream, launched at 0 and 10 with a latency of 5: the wait ends at 105."""
    builder = GraphBuilder(name="small")
    first = builder.task(TaskKind.CPU, "launch", HOSTS[0], 10)
    kernel = builder.task(TaskKind.KERNEL, "a", STREAMS[0], 50)
    second = builder.task(TaskKind.CPU, "launch", HOSTS[0], 10)
    other = builder.task(TaskKind.KERNEL, "b", STREAMS[0], 50)
    wait = builder.task(TaskKind.SYNCHRONISATION, "synchronise", HOSTS[0], 1)
    late = builder.task(TaskKind.CPU, "launch", HOSTS[0], 10)
    last = builder.task(TaskKind.KERNEL, "c", STREAMS[0], 50)
    for launch, launched in ((first, kernel), (second, other), (late, last)):
        builder.edge(EdgeKind.LAUNCH, launch, launched, 5)
    builder.wait(wait, STREAMS[0])
    graph = builder.built()
    made = replay(graph)
    assert made.start_ns.tolist() == [0, 5, 10, 55, 105, 106, 111]
    assert made.cause[wait] == other
    assert made.cause_kind[other] == LANE
    assert made.cause[first] == NONE
    assert sentence(explain(graph, made).shares_ns) == "kernels 93 %, launch latency 6 %, waiting 1 %"
    assert sentence({"Python": 60, "loading": 37, "kernels": 3}) == "host 97 %: Python 60, loading 37; kernels 3 %"
    assert sentence({"loading": 40, "Conv": 60}) == "Conv 60 %, loading 40 %"


def test_a_cycle_is_named() -> None:
    """Tasks that wait for each other are refused with their names."""
    builder = GraphBuilder(name="round")
    tasks = [builder.task(TaskKind.CPU, name, lane, 1) for name, lane in zip("abc", (*HOSTS, STREAMS[0]), strict=True)]
    for first, second in zip(tasks, (*tasks[1:], tasks[0]), strict=True):
        builder.edge(EdgeKind.DATA, first, second)
    with pytest.raises(InputError, match=r"round: the dependencies have a cycle: .*\(a\).*"):
        replay(builder.built())


@pytest.mark.parametrize("column", ["duration_ns", "gap_ns", "release_ns"])
def test_a_negative_time_is_refused(column: str) -> None:
    """Never clipped to zero."""
    builder = GraphBuilder(name="negative")
    builder.task(TaskKind.CPU, "a", HOSTS[0], 1)
    with pytest.raises(InputError, match=r"negative: task 0 \(a\) has a negative"):
        replay(with_columns(builder.built(), **{column: [-1]}))


def test_a_task_that_does_not_exist_is_refused() -> None:
    """An edge that an edit left behind is no reason to guess."""
    builder = GraphBuilder(name="loose")
    builder.task(TaskKind.CPU, "a", HOSTS[0], 1)
    graph = builder.built()
    with pytest.raises(InputError, match="refers to a task that does not exist"):
        replay(with_columns(graph, edge_from=[0], edge_to=[7], edge_kind=[0], edge_lag_ns=[0]))
    with pytest.raises(InputError, match="refers to a lane that does not exist"):
        replay(with_columns(graph, lane=[3]))
    with pytest.raises(InputError, match="has no lane 9"):
        schedule(graph, Policy(free_lanes=(9,)))
