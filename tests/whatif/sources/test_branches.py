"""Tasks beside others of their stream, against the plainest way to find a lane for each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.trace.types import Level, Role
from dlbricks.whatif.graph import TaskKind
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.devices import with_branches
from dlbricks.whatif.sources.traces import graph_of_trace
from tests.whatif.kineto_files import HOSTS, STREAMS
from tests.whatif.made_up import Machine

BESIDE_NS = 1000


def plain(tasks: list[tuple[int, int, int]], lanes: int) -> tuple[list[int], list[int]]:
    """Return every task the first lane of its stream that is free."""
    free: dict[int, list[tuple[int, int]]] = {}
    made: list[int] = []
    branches: list[int] = []
    for stream, start, end in tasks:
        known = free.setdefault(stream, [(stream, -(2**62))])
        place = next((at for at, (_, ended) in enumerate(known) if start >= ended - BESIDE_NS), len(known))
        if place == len(known):
            known.append((lanes + len(branches), -(2**62)))
            branches.append(stream)
        made.append(known[place][0])
        known[place] = (known[place][0], max(known[place][1], end))
    return made, branches


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_every_task_is_on_the_first_lane_that_is_free(drawn: list[tuple[int, int, int]]) -> None:
    """In order of their starts, stream by stream."""
    tasks = sorted((stream, 500 * start, 500 * (start + lasting)) for stream, start, lasting in drawn)
    tasks.sort(key=lambda task: task[1:])
    columns = np.array(tasks, np.int64).reshape(-1, 3).T
    lanes, branches = with_branches(columns[0], columns[1], columns[2], 3, overlap_ns=np.full(len(tasks), BESIDE_NS))
    assert (lanes.tolist(), list(branches)) == plain(tasks, 3)


def test_no_device_runs_ten_thousand_tasks_of_one_stream_at_a_time() -> None:
    """It is refused, since what-if would take hours."""
    count = 10_010
    starts = np.arange(count)
    with pytest.raises(InputError, match="10,009 concurrent branches of streams"):
        with_branches(np.zeros(count, np.int64), starts, starts + 10**9, 1, overlap_ns=np.ones(count, np.int64))


@pytest.mark.parametrize("of_graph", [False, True])
def test_only_kernels_of_graphs_run_beside_each_other(of_graph: bool) -> None:
    """Others of a stream begin 2 us before the end of the one before at most, and follow it."""
    machine = Machine()
    for step in range(3):
        at = 1_000_000 * step
        machine.launch(HOSTS[0], at, STREAMS[0], at + 100_000, at + 200_000)
        machine.launch(HOSTS[0], at + 10_000, STREAMS[0], at + 198_000, at + 250_000)
    if of_graph:
        add, ours = machine.builder.add, {"correlation": 1_000}
        add(Level.LIBRARY, "runtime", "cudaGraphLaunch", HOSTS[0], 3_000_000, 3_010_000, role=Role.LAUNCH, **ours)
        for at in (3_100_000, 3_200_000):
            add(Level.KERNEL, "kernel", "node", STREAMS[0], at, at + 50_000, role=Role.EXECUTION, stream=0, **ours)
    graph = graph_of_trace(machine.trace())
    kernels = np.flatnonzero(graph.kind == TaskKind.KERNEL)[:6]
    assert (len(np.unique(graph.lane[kernels])) > 1) == of_graph
    assert graph.duration_ns[kernels].tolist() == [100_000, 52_000 if of_graph else 50_000] * 3
    assert (replay(graph).end_ns == graph.figures("measured_end_ns")).all()
