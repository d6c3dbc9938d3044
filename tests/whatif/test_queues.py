"""Full launch queues: the host goes at the device's pace, and faster where the device becomes faster."""

from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from dlbricks.whatif.edit import scaled
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.traces import graph_of_trace

HOST = Lane(process="1", name="thread 1")
WATCHER = Lane(process="1", name="thread 9")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")
KERNEL, CALL = 100, 5
"""What each takes, ns."""


def recorded(depth: int, kernels: int) -> Trace:
    """Give what a machine records whose queue takes so many kernels: each further call waits until one has ended."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    free = 0
    ends: list[int] = []
    for number in range(kernels):
        start = free
        room = ends[number - depth] if number >= depth else 0
        free = max(start, room) + CALL
        begin = max(start + CALL, ends[-1] if ends else 0)
        ends.append(begin + KERNEL)
        builder.add(
            Level.LIBRARY, "runtime", "cudaLaunchKernel", HOST, start, free, role=Role.LAUNCH, correlation=number
        )
        builder.add(
            Level.KERNEL, "kernel", "k", STREAM, begin, ends[-1], role=Role.EXECUTION, correlation=number, stream=7
        )
    return correlated(builder.built())


def exact(graph: DependencyGraph) -> bool:
    """Tell whether a replay is the trace again."""
    return bool((replay(graph).end_ns == graph.attributes["measured_end_ns"]).all())


def test_a_replay_is_the_trace_again_and_calls_take_what_they_take() -> None:
    """Not what they waited."""
    graph = graph_of_trace(recorded(1020, 1300))
    assert exact(graph)
    calls = select(graph, kinds=(TaskKind.CPU,))
    assert set(graph.duration_ns[calls].tolist()) == {CALL}
    assert (graph.edge_kind == EdgeKind.WAIT).sum() == 1300 - 1020


def test_a_faster_device_lets_its_host_go_on() -> None:
    """Kernels of half the time: the last call comes in half the time."""
    graph = graph_of_trace(recorded(1020, 3000))
    last = select(graph, kinds=(TaskKind.CPU,))[-1]
    faster = scaled(graph, select(graph, kinds=(TaskKind.KERNEL,)), 0.5)
    assert replay(faster).end_ns[last] < 0.52 * replay(graph).end_ns[last]


def test_a_queue_that_is_not_full_changes_nothing() -> None:
    """Nobody waits for room."""
    graph = graph_of_trace(recorded(1020, 900))
    assert exact(graph)
    assert not (graph.edge_kind == EdgeKind.WAIT).any()


def test_threads_that_only_watch_are_left_out() -> None:
    """And said to be; a call of the same name on a thread that works stays."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    builder.add(Level.LIBRARY, "runtime", "cudaLaunchKernel", HOST, 0, 5)
    builder.add(Level.LIBRARY, "runtime", "cudaEventQuery", HOST, 6, 7)
    for start in (0, 1000, 2000):
        builder.add(Level.LIBRARY, "runtime", "cudaEventQuery", WATCHER, start, start + 2)
    graph = graph_of_trace(correlated(builder.built()))
    assert replay(graph).makespan_ns == 7
    assert "1 thread only asked whether events had passed: left out" in graph.notes
