"""Data loaders: the main thread fetches instead of loading, shares the processor, and waits where workers are slow."""

import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.graph import TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from tests.whatif.training.made_up import after, training

MS = 1_000_000


def test_loading_becomes_fetching() -> None:
    """Steps of 27 kernels of 100 us behind 10 ms of loading each."""
    before = training(steps=3, layers=3, load_ns=10 * MS)
    graph = after(before, "data-loader:16,time=1ms,slowdown=1")
    assert graph.duration_ns[select(graph, kinds=(TaskKind.DATA,))].tolist() == [MS] * 3
    assert replay(graph).makespan_ns < replay(before).makespan_ns


def test_loading_that_is_quicker_than_fetching_stays() -> None:
    """Workers make nothing slower than it was, but for what they take from the main thread."""
    before = training(load_ns=MS // 2)
    graph = after(before, "data-loader:4,time=1ms,slowdown=1")
    assert graph.duration_ns.tolist() == before.duration_ns.tolist()


def test_too_few_workers_are_waited_for() -> None:
    """In the long run a step takes no less than a batch takes by the number of workers."""
    before = training(steps=6, load_ns=100 * MS)
    for workers in (2, 5):
        graph = after(before, f"data-loader:{workers},time=1ms,slowdown=1")
        starts = replay(graph).start_ns[select(graph, kinds=(TaskKind.DATA,))]
        assert (starts[1:] - starts[:-1]).tolist() == pytest.approx([100 * MS / workers] * 5, rel=0.01)
        assert any(note.startswith(f"{workers} workers load a batch in") for note in graph.notes)


def test_workers_slow_the_main_thread() -> None:
    """Calls take longer, kernels do not."""
    before = training(load_ns=10 * MS)
    graph = after(before, "data-loader:4,time=1ms,slowdown=1.5x")
    calls, kernels = (select(graph, kinds=(kind,)) for kind in (TaskKind.CPU, TaskKind.KERNEL))
    assert (graph.duration_ns[calls] == before.duration_ns[calls] * 1.5).all()
    assert (graph.duration_ns[kernels] == before.duration_ns[kernels]).all()


def test_training_without_a_loader_is_refused() -> None:
    """There is nothing to be moved to workers."""
    with pytest.raises(InputError, match="nothing in it loads data on the main thread"):
        after(training(), "data-loader")
