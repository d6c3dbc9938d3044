"""Inserted kernels come with launches, and merged ones keep what their parts were tied to."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.trace.types import NONE
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind, launches
from dlbricks.whatif.launching import LAUNCH, Merge, NewKernel, merged, usual_launch, with_kernels
from dlbricks.whatif.select import on_device, select
from dlbricks.whatif.simulate import replay
from tests.whatif.drawn_graphs import graphs
from tests.whatif.training.made_up import LAG, training


def test_a_launch_takes_the_median_of_all() -> None:
    """Of calls, of what is behind them and of latencies; nothing where nothing is launched."""
    made = usual_launch(training())
    assert (made.duration_ns, made.gap_ns, made.lag_ns) == (10_000, 0, LAG)


def test_an_inserted_kernel_stands_beside_another_with_its_launch() -> None:
    """Behind it or before it, on both lanes."""
    graph = training(steps=1, layers=1)
    first, second = on_device(graph)[1:3].tolist()
    grown = with_kernels(
        graph,
        [
            NewKernel(name="behind", duration_ns=7, beside=first),
            NewKernel(name="before", duration_ns=7, beside=first, before=True),
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
        NewKernel(name="new", duration_ns=data.draw(st.integers(0, 9)), beside=row, before=data.draw(st.booleans()))
        for row in beside
    ]
    grown = with_kernels(graph, kernels)
    assert (replay(grown.graph).start_ns[grown.places] >= replay(graph).start_ns).all()


@given(st.integers(1, 6), st.integers(0, 400_000))
def test_merging_updates_moves_nothing_before_them(count: int, time: int) -> None:
    """All that the merged kernel waits for is where it was, and it waits for its launch."""
    graph = training(steps=1)
    rows = on_device(graph)[-count:]
    made, new = merged(graph, [Merge(rows=rows, name="merged", durations_ns=[time])])
    kept = np.flatnonzero(on_device(graph) < rows[0])
    plan, before = replay(made), replay(graph)
    assert plan.start_ns[on_device(made)[kept]].tolist() == before.start_ns[on_device(graph)[kept]].tolist()
    assert plan.start_ns[new[0]] >= plan.start_ns[launches(made)[new[0]]] + LAG
    assert len(made) == len(graph) - 2 * (count - 1)
    assert plan.start_ns[select(made, kinds=(TaskKind.SYNCHRONISATION,))[0]] == plan.end_ns[new[0]]


def test_merging_one_into_one_is_an_identity() -> None:
    """Of the same duration."""
    graph = training(steps=1)
    rows = on_device(graph)[3:4]
    made, _ = merged(graph, [Merge(rows=rows, name="same", durations_ns=[100_000])])
    assert replay(made).start_ns.tolist() == replay(graph).start_ns.tolist()
    assert np.count_nonzero(made.edge_kind == EdgeKind.LAUNCH) == np.count_nonzero(graph.edge_kind == EdgeKind.LAUNCH)
    assert NONE not in launches(made)[on_device(made)]
