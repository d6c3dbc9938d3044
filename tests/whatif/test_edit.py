"""The laws of primitives: what changes nothing is an identity; kernels come and go with what they are tied to."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE
from dlbricks.whatif.edit import (
    LAUNCH,
    GraphBuilder,
    Merge,
    NewEdge,
    NewKernel,
    NewTask,
    inserted,
    median_launch,
    merged,
    removed,
    scaled,
    with_durations,
    with_kernels,
)
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind, launches
from dlbricks.whatif.select import by_lane, on_device, select
from dlbricks.whatif.simulate import replay
from tests.whatif.kineto_files import HOSTS, STREAMS, graphs
from tests.whatif.made_up import LAG, training


def launching() -> DependencyGraph:
    """Two launches of a kernel each, and a call that waits for the stream."""
    builder = GraphBuilder(name="launching")
    for name in "ab":
        launch = builder.task(TaskKind.CPU, f"launch {name}", HOSTS[0], 10, layer=f"layer.{name}")
        kernel = builder.task(TaskKind.KERNEL, f"kernel {name}", STREAMS[0], 50, layer=f"layer.{name}")
        builder.edge(EdgeKind.LAUNCH, launch, kernel, 5)
    builder.wait(builder.task(TaskKind.SYNCHRONISATION, "synchronise", HOSTS[0], 1), STREAMS[0])
    return builder.built()


@given(graphs(), st.data())
def test_scaling_by_one_is_an_identity(graph: DependencyGraph, data: st.DataObject) -> None:
    """Whatever is chosen."""
    rows = np.array(sorted(data.draw(st.sets(st.integers(0, len(graph) - 1)))), np.int64)
    assert (replay(scaled(graph, rows, 1.0)).start_ns == replay(graph).start_ns).all()


@given(graphs(), st.data())
def test_inserting_nothing_that_takes_time_is_an_identity(graph: DependencyGraph, data: st.DataObject) -> None:
    """A task of no duration on a lane of its own moves nothing; the others keep their order."""
    after = data.draw(st.integers(NONE, len(graph) - 1))
    lane = data.draw(st.sampled_from((*HOSTS, *STREAMS)))
    task = NewTask(kind=TaskKind.CPU, name="nothing", lane=lane, duration_ns=0, after=after)
    grown, rows, _ = inserted(graph, [task])
    assert grown.names[grown.task_name[rows[0]]] == "nothing"
    others = np.delete(np.arange(len(grown)), rows)
    assert (replay(grown).start_ns[others] == replay(graph).start_ns).all()


@given(graphs(gaps=False), st.data())
def test_removing_what_was_inserted_is_an_identity(graph: DependencyGraph, data: st.DataObject) -> None:
    """Whatever it took and whatever waited for it."""
    after = data.draw(st.integers(0, len(graph) - 1))
    lane = data.draw(st.sampled_from((*HOSTS, *STREAMS)))
    task = NewTask(kind=TaskKind.CPU, name="new", lane=lane, duration_ns=data.draw(st.integers(0, 9)), after=after)
    later = [row for row in range(after + 1, len(graph)) if graph.kind[row] == TaskKind.CPU]
    edges = [NewEdge(kind=EdgeKind.DATA, first=len(graph), second=row) for row in later]
    grown, rows, _ = inserted(graph, [task], edges)
    assert (replay(removed(grown, rows)).start_ns == replay(graph).start_ns).all()


@given(graphs(), st.data())
def test_removing_never_lengthens_and_keeps_what_depends(graph: DependencyGraph, data: st.DataObject) -> None:
    """Tasks that stay start no later than before, and still after the tasks that stay which they came to depend on."""
    rows = np.array(sorted(data.draw(st.sets(st.integers(0, len(graph) - 1)))), np.int64)
    launches = np.flatnonzero(graph.edge_kind == EdgeKind.LAUNCH)
    rows = np.union1d(rows, graph.edge_to[launches][np.isin(graph.edge_from[launches], rows)])
    while (
        more := np.union1d(rows, graph.edge_to[launches][np.isin(graph.edge_from[launches], rows)])
    ).size > rows.size:
        rows = more
    smaller = removed(graph, rows)
    kept = [graph.names[number] for number in graph.task_name]
    left = [kept.index(smaller.names[number]) for number in smaller.task_name]
    assert (replay(smaller).start_ns <= replay(graph).start_ns[left]).all()


def test_what_took_over_a_start_does_not_launch_anew() -> None:
    """A kernel that waited for one that is gone waits for its launch instead, and stays launched by its own call."""
    builder = GraphBuilder(name="taken over")
    first = builder.task(TaskKind.CPU, "launch a", HOSTS[0], 10)
    gone, between = (builder.task(TaskKind.KERNEL, f"kernel {name}", STREAMS[0], 50) for name in "ab")
    second = builder.task(TaskKind.CPU, "launch c", HOSTS[0], 10)
    stays = builder.task(TaskKind.KERNEL, "kernel c", STREAMS[0], 50)
    for launch, kernel in ((first, gone), (first, between), (second, stays)):
        builder.edge(EdgeKind.LAUNCH, launch, kernel)
    builder.edge(EdgeKind.DATA, gone, stays)
    builder.wait(second, STREAMS[0])
    graph = builder.built()
    smaller = removed(graph, np.array([gone]))
    assert (replay(smaller).start_ns <= np.delete(replay(graph).start_ns, gone)).all()


def test_a_kernel_goes_with_its_launch() -> None:
    """The call that waits for the stream then waits for the other kernel."""
    graph = launching()
    smaller = removed(graph, select(graph, name="^kernel b"))
    assert [smaller.names[number] for number in smaller.task_name] == ["launch a", "kernel a", "synchronise"]
    assert replay(smaller).start_ns.tolist() == [0, 5, 55]


def test_a_launch_cannot_go_without_its_kernel() -> None:
    """Something still needs it."""
    graph = launching()
    with pytest.raises(InputError, match="launch a cannot be removed, since it launches kernel a, which stays"):
        removed(graph, select(graph, name="launch a"))


def test_a_kernel_inserted_before_a_wait_is_waited_for() -> None:
    """Late waits are bound to what is on the stream now."""
    graph = launching()
    tasks = [
        NewTask(kind=TaskKind.CPU, name="launch c", lane=HOSTS[0], duration_ns=10, after=3),
        NewTask(kind=TaskKind.KERNEL, name="kernel c", lane=STREAMS[0], duration_ns=30, after=3),
    ]
    grown, rows, _ = inserted(graph, tasks, [NewEdge(kind=EdgeKind.LAUNCH, first=5, second=6, lag_ns=5)])
    assert rows.tolist() == [4, 5]
    assert replay(grown).start_ns.tolist() == [0, 5, 10, 55, 20, 105, 135]


def test_one_in_the_place_of_two() -> None:
    """Fusion: one launch and one kernel of the sum; the wait is for the new one."""
    graph = launching()
    fused = merged(graph, [Merge(rows=on_device(graph), name="kernel ab", duration_ns=100)])
    assert [fused.names[number] for number in fused.task_name] == ["launch b", "kernel ab", "synchronise"]
    assert replay(fused).start_ns.tolist() == [0, 5, 105]


def test_selections() -> None:
    """By layer, name and kind, and together."""
    graph = launching()
    assert select(graph, layer="layer.*", kinds=(TaskKind.KERNEL,)).tolist() == [1, 3]
    assert select(graph, name="KERNEL B").tolist() == [3]
    with pytest.raises(InputError, match="invalid regular expression"):
        select(graph, name="(")


def test_times_that_nothing_takes_are_refused() -> None:
    """Negative factors and durations."""
    graph = launching()
    with pytest.raises(InputError, match=r"invalid factor -1\.0 on durations: expected 0 or more"):
        scaled(graph, np.array([0]), -1.0)
    with pytest.raises(InputError, match="the new duration of launch a is -3 ns: a transform must set 0 or more"):
        with_durations(graph, np.array([0]), np.array([-3]))


def test_a_launch_takes_the_median_of_all() -> None:
    """Of calls, of what is behind them and of latencies; nothing where nothing is launched."""
    made = median_launch(training())
    assert (made.duration_ns, made.gap_ns, made.lag_ns) == (10_000, 0, LAG)


def test_an_inserted_kernel_stands_beside_another_with_its_launch() -> None:
    """Behind it or before it, on both lanes."""
    graph = training(steps=1, layers=1)
    first, second = on_device(graph)[1:3].tolist()
    grown = with_kernels(
        graph,
        [
            NewKernel(name="behind", duration_ns=7, next_to=first),
            NewKernel(name="before", duration_ns=7, next_to=first, before=True),
        ],
    )
    order = [grown.graph.names[name] for name in grown.graph.task_name[on_device(grown.graph)]]
    assert order[1:4] == ["before", graph.names[graph.task_name[first]], "behind"]
    calls = launches(grown.graph)[grown.rows]
    assert {grown.graph.names[name] for name in grown.graph.task_name[calls]} == {LAUNCH}
    assert (grown.graph.duration_ns[grown.places] == graph.duration_ns).all()
    assert calls[1] < grown.places[launches(graph)[first]] < calls[0] < grown.places[launches(graph)[second]]


@given(graphs(), st.data())
def test_inserting_kernels_moves_nothing_forward(graph: DependencyGraph, data: st.DataObject) -> None:
    """What was there starts no earlier than before, wherever kernels are put and however long they take."""
    device = on_device(graph)
    if not len(device):
        return
    beside = data.draw(st.lists(st.sampled_from(device.tolist()), max_size=4))
    kernels = [
        NewKernel(name="new", duration_ns=data.draw(st.integers(0, 9)), next_to=row, before=data.draw(st.booleans()))
        for row in beside
    ]
    grown = with_kernels(graph, kernels)
    assert (replay(grown.graph).start_ns[grown.places] >= replay(graph).start_ns).all()


@given(st.integers(1, 6), st.integers(0, 400_000))
def test_merging_updates_moves_nothing_before_them(count: int, time: int) -> None:
    """All that the merged kernel waits for is where it was, and it waits for its launch."""
    graph = training(steps=1)
    rows = on_device(graph)[-count:]
    made = merged(graph, [Merge(rows=rows, name="merged", duration_ns=time)])
    new = select(made, name="merged")
    kept = np.flatnonzero(on_device(graph) < rows[0])
    plan, before = replay(made), replay(graph)
    assert plan.start_ns[on_device(made)[kept]].tolist() == before.start_ns[on_device(graph)[kept]].tolist()
    assert plan.start_ns[new[0]] >= plan.start_ns[launches(made)[new[0]]] + LAG
    assert len(made) == len(graph) - 2 * (count - 1)
    assert plan.start_ns[select(made, kinds=(TaskKind.SYNCHRONISATION,))[0]] == plan.end_ns[new[0]]


@settings(max_examples=300)
@given(graphs(most=24), st.data())
def test_merging_makes_no_cycle(graph: DependencyGraph, data: st.DataObject) -> None:
    """Whatever waits for what: also launches that wait for an entry of a full queue, and updates on two streams."""
    device, calls = on_device(graph).tolist(), launches(graph)
    alone = [row for row in device if np.count_nonzero(calls == calls[row]) == 1]
    if not alone:
        return
    later = [
        NewEdge(kind=EdgeKind.WAIT, first=first, second=second)
        for first in data.draw(st.lists(st.sampled_from(device), max_size=6))
        for second in data.draw(st.lists(st.integers(first + 1, len(graph)), max_size=3))
        if second < len(graph)
    ]
    waiting = inserted(graph, (), later).graph
    chosen = np.array(sorted(data.draw(st.sets(st.sampled_from(alone), min_size=1))), np.int64)
    merges = [Merge(rows=rows, name="merged", duration_ns=5) for rows in by_lane(waiting, chosen)]
    made = merged(waiting, merges)
    plan = replay(made)
    assert len(select(made, name="merged")) == len(merges)
    kept = [row for row in device if row not in chosen and row < chosen[0]]
    was, now = replay(waiting), on_device(made)[: len(kept)]
    assert (plan.start_ns[now] <= was.start_ns[kept]).all()


def test_merging_one_into_one_is_an_identity() -> None:
    """Of the same duration."""
    graph = training(steps=1)
    rows = on_device(graph)[3:4]
    made = merged(graph, [Merge(rows=rows, name="same", duration_ns=100_000)])
    assert replay(made).start_ns.tolist() == replay(graph).start_ns.tolist()
    assert np.count_nonzero(made.edge_kind == EdgeKind.LAUNCH) == np.count_nonzero(graph.edge_kind == EdgeKind.LAUNCH)
    assert NONE not in launches(made)[on_device(made)]
