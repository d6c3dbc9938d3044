"""Graphs of traces: their replay is the trace again, and an edit moves what depends on it and nothing else."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dlbricks.errors import InputError
from dlbricks.plugins.training.kineto import read_kineto
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from dlbricks.whatif.edit import scaled, with_durations
from dlbricks.whatif.explain import explain, step_times
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.traces import graph_of_trace
from tests.whatif.made_up import Machine, after

MAIN = Lane(process="1", name="thread 1")
AUTOGRAD = Lane(process="1", name="thread 2")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")
SIDE = Lane(process="1", name="stream 20", device="gpu 0")


def replays(graph: DependencyGraph) -> None:
    """Check that each task ends when it ended."""
    made = replay(graph)
    assert made.end_ns.tolist() == graph.attributes["measured_end_ns"].tolist()


def training() -> Trace:
    """Two steps: loading, a forward launch on one thread, a backward one on another, a wait for the device."""
    machine = Machine()
    add = machine.builder.add
    for step in range(2):
        at = 1000 * step
        add(Level.APPLICATION, "step", f"ProfilerStep#{step}", MAIN, at, at + 990)
        add(
            Level.APPLICATION,
            "range",
            "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
            MAIN,
            at,
            at + 300,
        )
        add(Level.LAYER, "operator", "aten::conv2d", MAIN, at + 310, at + 350)
        machine.launch(MAIN, at + 320, STREAM, at + 330, at + 430)
        add(Level.LAYER, "operator", "autograd::engine::evaluate_function: ConvBackward", AUTOGRAD, at + 400, at + 440)
        machine.launch(AUTOGRAD, at + 410, STREAM, at + 432, at + 632)
        add(Level.LAYER, "operator", "Optimizer.step#SGD.step", MAIN, at + 500, at + 560)
        machine.launch(MAIN, at + 520, STREAM, at + 634, at + 650)
        machine.call(MAIN, at + 600, at + 655, "cudaDeviceSynchronize", "synchronisation")
    return machine.trace()


def test_a_replay_is_the_trace_again() -> None:
    """Every task at its measured time; phases, hand-overs and loading are found."""
    graph = graph_of_trace(training(), "training")
    replays(graph)
    assert step_times(graph, replay(graph)).tolist() == [990, 990]
    kernels = select(graph, kinds=(TaskKind.KERNEL,))
    phases = [Phase(phase).name for phase in graph.phase[kernels].tolist()]
    assert phases == ["FORWARD", "BACKWARD", "UPDATE"] * 2
    assert np.count_nonzero(graph.edge_kind == EdgeKind.THREAD) == 4
    assert len(select(graph, kinds=(TaskKind.DATA,))) == 2


def test_quicker_loading_brings_forward_what_depends_on_it() -> None:
    """The other thread, too, which waits for the first: no step keeps the time that loading no longer takes."""
    graph = graph_of_trace(training(), "training")
    loads = select(graph, kinds=(TaskKind.DATA,))
    edited = with_durations(graph, loads, np.full(len(loads), 100))
    assert step_times(edited, replay(edited)).tolist() == [790, 790]


def test_a_wait_that_was_over_may_come_to_matter() -> None:
    """A kernel ended before the host waited for the device: made longer, it is waited for."""
    machine = Machine()
    machine.launch(MAIN, 0, STREAM, 8, 50)
    machine.call(MAIN, 200, 210, "cudaDeviceSynchronize", "synchronisation")
    machine.call(MAIN, 220, 230, "cudaEventQuery")
    graph = graph_of_trace(machine.trace(), "late")
    replays(graph)
    longer = with_durations(graph, select(graph, kinds=(TaskKind.KERNEL,)), np.array([400]))
    assert replay(longer).end_ns.max() == 408 + 10 + 10 + 10


@pytest.mark.parametrize("early_ns", [8_000, 49_000])
def test_clocks_of_host_and_device_may_differ(early_ns: int) -> None:
    """A call that waits for the device and ends before its kernel has waited for it, and takes no time twice."""
    machine = Machine()
    machine.launch(MAIN, 0, STREAM, 5_000, 1_000_000)
    machine.call(MAIN, 20_000, 1_000_000 - early_ns, "hipDeviceSynchronize", "synchronisation")
    machine.call(MAIN, 1_000_000, 1_010_000, "hipEventQuery")
    graph = graph_of_trace(machine.trace(), "clocks")
    assert replay(graph).end_ns.max() == pytest.approx(1_010_000, rel=0.06)
    assert replay(graph).end_ns.max() <= 1_010_000 + early_ns
    quick = with_durations(graph, select(graph, kinds=(TaskKind.KERNEL,)), np.array([1_000]))
    assert replay(quick).end_ns.max() < 100_000


MS = 1_000_000


def polling(waits: int, *, late_ns: int = 30_000, python_ms: int = 0) -> DependencyGraph:
    """Return a host that launches a kernel of 10 ms and does nothing recorded until soon after its end, so many times.

    Args:
        waits: how many.
        late_ns: from the end of each kernel to the next call.
        python_ms: length of a gap, after each wait, with a short kernel launched before it.
    """
    machine = Machine()
    at = 0
    for _ in range(waits):
        machine.launch(MAIN, at, STREAM, at + 8_000, at + 10 * MS, "notify_dispatch")
        at += 10 * MS + late_ns
        machine.launch(MAIN, at, STREAM, at + 8_000, at + 20_000, "other")
        at += 20_000 + python_ms * MS
    machine.call(MAIN, at, at + 10, "cudaGetDevice")
    return graph_of_trace(machine.trace(), "polling")


@pytest.mark.parametrize("late_ns", [30_000, -50_000], ids=["behind it", "before it has ended"])
def test_gaps_that_end_with_a_kernel_each_time_are_waits_for_it(late_ns: int) -> None:
    """The device's time is what such a step takes, and a quicker kernel is a quicker step."""
    graph = polling(4, late_ns=late_ns)
    assert replay(graph).makespan_ns == pytest.approx(graph.attributes["measured_end_ns"].max(), rel=0.006)
    made = explain(graph, replay(graph))
    assert made.shares_ns["kernels"] > 0.98 * (made.end_ns - made.start_ns)
    slow = np.flatnonzero(graph.duration_ns > MS)
    quick = replay(with_durations(graph, slow, np.full(len(slow), 1 * MS)))
    assert quick.makespan_ns < 0.11 * (made.end_ns - made.start_ns)
    assert any("4 hidden waits" in note for note in graph.notes)


@pytest.mark.parametrize(
    "graph",
    [polling(4, late_ns=400_000), polling(1, late_ns=50_000, python_ms=3)],
    ids=["late", "long behind a kernel"],
)
def test_other_gaps_are_those_of_the_host(graph: DependencyGraph) -> None:
    """What ends long behind a kernel, and what goes on behind a short one, is Python's time."""
    replays(graph)
    short = np.flatnonzero(graph.duration_ns < MS)
    quick = replay(with_durations(graph, short, np.minimum(graph.duration_ns[short], 1)))
    assert quick.makespan_ns > 0.98 * replay(graph).makespan_ns


def test_work_from_before_the_trace_is_left_out() -> None:
    """A device that begins 400 ms after all launches worked on what is not recorded: that is no launch's latency."""
    machine = Machine()
    for number in range(3):
        machine.launch(MAIN, 20_000 * number, STREAM, 400 * MS + 5 * MS * number, 400 * MS + 5 * MS * (number + 1))
    machine.call(MAIN, 100_000, 415 * MS + 8_000, "cudaDeviceSynchronize", "synchronisation")
    graph = graph_of_trace(machine.trace(), "server")
    replays(graph)
    made = explain(graph, replay(graph))
    assert made.end_ns - made.start_ns == pytest.approx(15 * MS, rel=0.01)
    assert made.shares_ns["kernels"] == 15 * MS
    assert any("this time is left out" in note for note in graph.notes)


def test_a_stream_waits_for_the_event_of_another() -> None:
    """Without the numbers of event and streams (``test_streams`` has them)."""
    machine = Machine()
    machine.launch(MAIN, 0, STREAM, 8, 300)
    machine.call(MAIN, 12, 14, "cudaEventRecord")
    machine.call(MAIN, 16, 18, "cudaStreamWaitEvent")
    machine.launch(MAIN, 20, SIDE, 303, 350)
    graph = graph_of_trace(machine.trace(), "events")
    replays(graph)
    first = np.flatnonzero([graph.lanes[lane].name == "stream 7" for lane in graph.lane])
    shorter = with_durations(graph, first, np.array([92]))
    assert replay(shorter).end_ns.max() == 150


def test_a_stream_does_not_wait_for_what_was_launched_later() -> None:
    """A late start right behind a kernel of another stream is chance where that was launched later: a gap is left.

    With it as an edge, a wait of the host between the two launches, as mixed precision has one, closes a circle.
    """
    machine = Machine()
    add = machine.builder.add
    add(Level.APPLICATION, "step", "ProfilerStep#0", MAIN, 0, 990)
    add(Level.LAYER, "operator", "aten::linear", MAIN, 5, 40)
    machine.launch(MAIN, 10, STREAM, 20, 120, "volta_sgemm_64x64_nt")
    add(Level.LAYER, "operator", "autograd::engine::evaluate_function: AddmmBackward", AUTOGRAD, 100, 160)
    machine.launch(AUTOGRAD, 110, STREAM, 130, 230, "volta_sgemm_64x64_nn")
    machine.launch(AUTOGRAD, 130, STREAM, 901, 910, "Memset (Device)", kind="memset", call="cudaMemsetAsync")
    add(Level.LAYER, "operator", "Optimizer.step#SGD.step", MAIN, 300, 400)
    machine.launch(MAIN, 310, STREAM, 911, 950, "multi_tensor_apply_kernel")
    machine.launch(MAIN, 420, SIDE, 430, 900, "permute")
    machine.call(MAIN, 600, 970, "cudaDeviceSynchronize", "synchronisation")
    graph = graph_of_trace(machine.trace(), "chance")
    replays(graph)
    assert EdgeKind.STREAM not in graph.edge_kind
    waiting = after(graph, "amp:dtype=float16")
    assert len(select(waiting, name="wait for finite gradients")) == 1
    assert replay(waiting).makespan_ns > 0


def test_a_copy_that_blocks_is_a_launch_and_a_wait() -> None:
    """Made quicker, it lets the host go on earlier."""
    machine = Machine()
    memcpy = {"kind": "memcpy", "call": "cudaMemcpyAsync"}
    machine.launch(MAIN, 0, STREAM, 5_000, 100_000, "Memcpy DtoH", call_ns=100_100, **memcpy)
    machine.call(MAIN, 100_200, 100_210, "cudaEventQuery")
    graph = graph_of_trace(machine.trace(), "copy")
    replays(graph)
    quick = with_durations(graph, select(graph, kinds=(TaskKind.COPY,)), np.array([1_000]))
    assert replay(quick).end_ns.max() == 5_000 + 1_000 + 100 + 100 + 10


@pytest.mark.parametrize(("ends", "waits"), [(100_020, True), (140_000, True), (400_000, False)])
def test_a_copy_from_memory_that_is_not_pinned_blocks(ends: int, waits: bool) -> None:
    """The call ends about when its copy does; one that goes on long after its call was only launched."""
    machine = Machine()
    memcpy = {"kind": "memcpy", "call": "cudaMemcpyAsync"}
    machine.launch(MAIN, 0, STREAM, 5_000, ends, "Memcpy HtoD (Pageable -> Device)", call_ns=100_000, **memcpy)
    machine.call(MAIN, 100_200, 500_000, "cudaEventQuery")
    graph = graph_of_trace(machine.trace(), "copy")
    assert replay(graph).end_ns.max() == pytest.approx(500_000, rel=0.1)
    quick = with_durations(graph, select(graph, kinds=(TaskKind.COPY,)), 1_000)
    saved = replay(graph).end_ns.max() - replay(quick).end_ns.max()
    assert saved > 90_000 if waits else saved == 0


def test_a_pageable_copy_behind_kernels_is_a_wait_for_them() -> None:
    """Its call began long before the copy and returned 80 us before its end; the replay is the trace again."""
    machine = Machine()
    machine.launch(MAIN, 0, STREAM, 5_000, 9 * MS)
    memcpy: dict[str, Any] = {"kind": "memcpy", "call": "cudaMemcpyAsync", "call_ns": 11 * MS}
    machine.launch(MAIN, 20_000, STREAM, 9 * MS, 11_100_000, "Memcpy HtoD (Pageable -> Device)", **memcpy)
    machine.call(MAIN, 11_025_000, 11_110_000, "cudaStreamSynchronize", "synchronisation")
    machine.call(MAIN, 12 * MS, 12_010_000, "cudaLaunchKernel")
    graph = graph_of_trace(machine.trace(), "pageable")
    assert replay(graph).end_ns.max() == graph.attributes["measured_end_ns"].max() == 12_010_000
    quick = with_durations(graph, select(graph, kinds=(TaskKind.KERNEL,)), 5_000)
    assert 8.9 * MS < 12_010_000 - replay(quick).end_ns.max() < 9 * MS


def test_a_thread_that_begins_late_moves_with_what_its_process_did() -> None:
    """Nothing keeps the recorded time of its first call."""
    machine = Machine()
    machine.call(MAIN, 0, 5 * MS, "cudaMalloc")
    machine.call(AUTOGRAD, 6 * MS, 7 * MS, "cudaMalloc")
    graph = graph_of_trace(machine.trace(), "late thread")
    replays(graph)
    assert replay(scaled(graph, np.array([0]), 0.2)).end_ns.tolist() == [1 * MS, 3 * MS]


def test_kernels_without_launches_follow_each_other() -> None:
    """Those that ran back to back begin earlier if the ones before are quicker; after a pause they do not."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for number, (start, end) in enumerate(((0, MS), (MS + 2_000, 2 * MS), (3 * MS, 4 * MS))):
        builder.add(Level.KERNEL, "kernel", "k", STREAM, start, end, role=Role.EXECUTION, correlation=number)
    graph = graph_of_trace(correlated(builder.built()), "orphans")
    replays(graph)
    half = replay(scaled(graph, np.arange(3), 0.5))
    assert half.start_ns.tolist() == [0, MS // 2 + 2_000, 3 * MS]


def test_what_overlaps_on_one_stream_is_put_on_branches() -> None:
    """Kernels of a graph may run beside each other; each lane of the graph is a row of tasks all the same."""
    machine = Machine()
    add = machine.builder.add
    add(Level.LIBRARY, "runtime", "cudaGraphLaunch", MAIN, 0, 10, role=Role.LAUNCH, correlation=50)
    for start, end in ((20_000, 60_000), (30_000, 50_000)):
        add(Level.KERNEL, "kernel", "k", STREAM, start, end, role=Role.EXECUTION, correlation=50, stream=7)
    graph = graph_of_trace(machine.trace(), "branches")
    assert [lane.name for lane in graph.lanes] == ["thread 1", "stream 7", "stream 7 branch 1"]
    replays(graph)


def test_what_has_no_launch_keeps_its_time() -> None:
    """It was launched before the trace began, and a note says so."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    builder.add(Level.KERNEL, "kernel", "early", STREAM, 100, 200, role=Role.EXECUTION, correlation=9)
    builder.add(Level.LIBRARY, "runtime", "cudaEventQuery", MAIN, 0, 10)
    graph = graph_of_trace(correlated(builder.built()), "orphan")
    replays(graph)
    assert (
        "1 device task: launched before or outside the trace; after a pause the recorded start is kept" in graph.notes
    )


def test_nothing_to_replay_is_refused() -> None:
    """A trace of marks only."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    builder.add(Level.APPLICATION, "range", "mine", MAIN, 0, 10)
    with pytest.raises(InputError, match="marks has neither calls nor layers nor kernels"):
        graph_of_trace(builder.built(), "marks")


TRACES = Path(os.environ.get("DLBRICKS_TRACES", "/nonexistent"))
needs_traces = pytest.mark.skipif(not TRACES.is_dir(), reason="DLBRICKS_TRACES names no folder of traces")


@pytest.mark.traces
@needs_traces
def test_real_traces_are_replayed_within_half_a_per_cent() -> None:
    """All of them, whatever wrote them."""
    for path in sorted(TRACES.rglob("*.gz")):
        graph = graph_of_trace(read_kineto(path), path.name)
        measured = graph.attributes["measured_end_ns"].max() - graph.attributes["measured_start_ns"].min()
        assert replay(graph).makespan_ns == pytest.approx(measured, rel=0.005), path.name


def test_tasks_know_their_operators_and_bytes() -> None:
    """As the layers of the trace do; what has no layer has no operator."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    builder.add(Level.LAYER, "operator", "conv1", MAIN, 0, 10, type="Conv", read_bytes=64, parameter_bytes=16)
    builder.add(Level.LAYER, "operator", "relu1", MAIN, 10, 15, type="Relu")
    graph = graph_of_trace(correlated(builder.built()))
    assert [graph.operators[number] for number in graph.operator] == ["Conv", "Relu"]
    assert graph.attributes["read_bytes"][0] == 64
    assert graph.attributes["parameter_bytes"][0] == 16
    assert np.isnan(graph.attributes["read_bytes"][1])


HOST = Lane(process="1", name="thread 1")
WATCHER = Lane(process="1", name="thread 9")
KERNEL, CALL = 100, 5
"""What each takes, ns."""


def recorded(depth: int, kernels: int) -> Trace:
    """Return what a machine records whose queue takes so many kernels: each further call waits until one has ended."""
    machine = Machine()
    free = 0
    ends: list[int] = []
    for number in range(kernels):
        start = free
        room = ends[number - depth] if number >= depth else 0
        free = max(start, room) + CALL
        begin = max(start + CALL, ends[-1] if ends else 0)
        ends.append(begin + KERNEL)
        machine.launch(HOST, start, STREAM, begin, ends[-1], call_ns=free - start)
    return machine.trace()


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
    machine = Machine()
    machine.call(HOST, 0, 5, "cudaLaunchKernel")
    machine.call(HOST, 6, 7, "cudaEventQuery")
    for start in (0, 1000, 2000):
        machine.call(WATCHER, start, start + 2, "cudaEventQuery")
    graph = graph_of_trace(machine.trace())
    assert replay(graph).makespan_ns == 7
    assert "1 thread only polled events: left out" in graph.notes


def backward(*shapes: str, dtype: str = "") -> DependencyGraph:
    """Return a backward pass that makes a gradient with each kernel and accumulates it, in operators with shapes."""
    machine = Machine()
    for number, shape in enumerate(shapes):
        at = 100 * number
        machine.launch(AUTOGRAD, at, STREAM, at + 50, at + 60, "wgrad")
        known: dict[str, Any] = {"input_shapes": shape} if shape else {}
        known |= {"dtype": dtype} if dtype else {}
        name = "torch::autograd::AccumulateGrad"
        machine.builder.add(Level.LAYER, "operator", name, AUTOGRAD, at + 10, at + 20, **known)
    return graph_of_trace(machine.trace())


def test_a_gradient_has_the_bytes_of_its_parameter() -> None:
    """In single precision; parameters of one number have none to tell from no shape at all."""
    graph = backward("[[64,3,7,7]]", "[[1000]]", "[[]]")
    sizes = graph.attributes["gradient_bytes"]
    kernels = [row for row, name in enumerate(graph.task_name) if graph.names[name] == "wgrad"]
    assert sizes[kernels[:2]].tolist() == [4 * 64 * 3 * 49, 4000]
    assert np.isnan(sizes[kernels[2]])
    assert np.count_nonzero(~np.isnan(sizes)) == 2


def test_the_type_counts() -> None:
    """Halves take two bytes."""
    assert np.nansum(backward("[[10]]", dtype='["c10::Half"]').attributes["gradient_bytes"]) == 20


def test_without_shapes_nothing_is_known() -> None:
    """Nor where they cannot be read."""
    for shape in ("", "no shape"):
        assert "gradient_bytes" not in backward(shape).attributes
