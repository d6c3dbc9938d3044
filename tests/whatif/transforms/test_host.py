"""Transforms of networks on a device: CUDA graphs, other kernels, other devices; and networks with layers cut."""

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from dlbricks.trace.types import Lane, Level
from dlbricks.whatif.answer import ask
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.explain import step_times
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.sources.traces import graph_of_trace
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms.host import captured
from tests.whatif.kineto_files import graphs
from tests.whatif.made_up import HOST, KNOWN, PRODUCT, STREAM, Machine, asked, launched, names

KERNELS = [f"sgemm_{number}" for number in range(10)]


def test_launches_become_one() -> None:
    """A launch-bound row of kernels then takes one launch, the kernels and what lies between them."""
    graph = launched(KERNELS, kernel_ns=2_000, launch_ns=10_000)
    assert replay(graph).makespan_ns == 100_001
    after = asked(graph, "cuda-graphs").graph
    assert names(after) == ["cudaGraphLaunch", *KERNELS, "cudaDeviceSynchronize"]
    assert replay(after).makespan_ns == 14_000 + 10 * 2_000 + 9 * 420 + 1


def test_kernel_bound_rows_gain_nothing() -> None:
    """Where kernels take longer than their launches, only the first launch matters, and the gaps between kernels."""
    graph = launched(KERNELS, kernel_ns=50_000, launch_ns=10_000)
    after = asked(graph, "cuda-graphs").graph
    assert abs(replay(after).makespan_ns - replay(graph).makespan_ns) <= 14_000 + 9 * 420


@pytest.mark.parametrize(
    ("lag_ns", "between_ns"),
    [(10_000, 420 + 420 + 5_480), (100, 300)],
)
def test_gaps_of_a_graph(lag_ns: int, between_ns: int) -> None:
    """Where the device waited for launches its kernels follow each other as in a graph; shorter gaps stay."""
    machine, clock = Machine(), 100_000
    for place, name in enumerate(("sgemm", "relu", "Memset (Device)", "sgemm")):
        kind = "memset" if name.startswith("Memset") else "kernel"
        machine.launch(HOST, clock - 20_000 if lag_ns > 420 else place, STREAM, clock, clock + 2_000, name, kind=kind,
                       call_ns=1)  # fmt: skip
        clock += 2_000 + lag_ns
    graph = graph_of_trace(machine.trace(), "gaps")
    after = asked(graph, "cuda-graphs").graph
    rows = [row for row, lane in enumerate(after.lane) if after.lanes[lane].device]
    made = replay(after)
    assert made.end_ns[rows[-1]] - made.start_ns[rows[0]] == 4 * 2_000 + between_ns


def test_a_graph_ends_where_the_host_waits_or_copies() -> None:
    """Then there are several, or none."""
    builder = GraphBuilder(name="waits")
    for number, kind in enumerate("kkwkkckk"):
        if kind == "w":
            builder.wait(builder.task(TaskKind.SYNCHRONISATION, "cudaStreamSynchronize", HOST, 1), STREAM)
            continue
        call = builder.task(TaskKind.CPU, "call", HOST, 10)
        copy = kind == "c"
        name = "Memcpy HtoD" if copy else f"kernel{number}"
        builder.edge(
            EdgeKind.LAUNCH, call, builder.task(TaskKind.COPY if copy else TaskKind.KERNEL, name, STREAM, 5), 1
        )
    graph = builder.built()
    assert [len(calls) for calls in captured(graph)] == [2, 2, 2]
    after = asked(graph, "cuda-graphs").graph
    assert names(after).count("cudaGraphLaunch") == 3
    assert names(after).count("call") == 1
    alone = GraphBuilder(name="alone")
    for _ in range(3):
        call = alone.task(TaskKind.CPU, "call", HOST, 10)
        alone.edge(EdgeKind.LAUNCH, call, alone.task(TaskKind.KERNEL, "kernel", STREAM, 5))
        alone.wait(alone.task(TaskKind.SYNCHRONISATION, "wait", HOST, 1), STREAM)


def test_a_graph_of_inserted_launches_has_the_times_of_those_that_were_measured() -> None:
    """Casts of half precision end the step: nobody measured their launches."""
    machine = Machine()
    for step in range(3):
        at = 100_000 * step
        machine.builder.add(Level.APPLICATION, "step", f"ProfilerStep#{step}", HOST, at, at + 100_000)
        for place, name in enumerate(
            (PRODUCT, "vectorized_layer_norm_kernel", PRODUCT, "vectorized_layer_norm_kernel")
        ):
            begin = at + 20_000 * place
            machine.launch(HOST, begin, STREAM, begin + 10_000, begin + 18_000, name, call_ns=5_000)
    graph = graph_of_trace(machine.trace(), "halves")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = ask(graph, [read_step("amp", KNOWN), read_step("cuda-graphs", KNOWN)]).answer
    assert 0 < answer.after.time_ns < answer.before.time_ns


@given(graphs())
def test_kernels_keep_their_order(graph: DependencyGraph) -> None:
    """On every stream, whatever was captured; and whoever waits for a stream still waits for all of it."""
    if not captured(graph):
        return
    after = asked(graph, "cuda-graphs").graph
    for lane in (lane for lane in graph.lanes if lane.device):
        before_rows, rows = (
            np.flatnonzero(one.lane == one.lanes.index(lane)) if lane in one.lanes else np.empty(0, int)
            for one in (graph, after)
        )
        assert [names(graph)[row] for row in before_rows] == [names(after)[row] for row in rows]
    replay(after)


def test_streams_of_other_processes_are_others() -> None:
    """What one process launches is no part of a graph of another."""
    builder = GraphBuilder(name="two")
    for _ in range(2):
        for process in "12":
            host, stream = Lane(process=process, name="host"), Lane(process=process, name="stream", device="gpu")
            call = builder.task(TaskKind.CPU, "call", host, 10)
            builder.edge(EdgeKind.LAUNCH, call, builder.task(TaskKind.KERNEL, "kernel", stream, 5))
    assert [calls.tolist() for calls in captured(builder.built())] == [[0, 4], [2, 6]]


def test_a_host_that_runs_ahead_is_paced() -> None:
    """Where one launch is left of a step, steps take what the device takes."""
    builder = GraphBuilder(name="steps")
    clock = 0
    for _ in range(6):
        first = clock
        for _ in range(4):
            measured: dict[str, Any] = {"measured_start_ns": float(clock), "measured_end_ns": float(clock + 10)}
            call = builder.task(TaskKind.CPU, "call", HOST, 10, **measured)
            builder.edge(EdgeKind.LAUNCH, call, builder.task(TaskKind.KERNEL, "kernel", STREAM, 5_000, **measured))
            clock += 10
        builder.steps.append((first, clock))
    graph = asked(builder.built(), "cuda-graphs").graph
    assert np.median(step_times(graph, replay(graph))) == 20_000


@pytest.mark.traces
def test_public_traces_can_be_asked() -> None:
    """Of a compiled network with its collectives on their own stream, most time on the host goes."""
    folder = os.environ.get("DLBRICKS_TRACES")
    if folder is None:
        pytest.skip("DLBRICKS_TRACES names no folder of traces")
    graph = graph_of_files([Path(folder) / "06_compiled_perparam_allreduce_v100x2" / "rank1.json.gz"])
    before = np.median(step_times(graph, replay(graph)))
    after = asked(graph, "cuda-graphs").graph
    kernels = graph.duration_ns[graph.kind == TaskKind.KERNEL].sum() / len(graph.steps)
    assert kernels < np.median(step_times(after, replay(after))) < before
