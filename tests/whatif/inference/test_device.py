"""Transforms of networks on a device: CUDA graphs, other kernels, other devices; and networks with layers cut."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.trace.types import Lane
from dlbricks.whatif.explain import step_times
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, GraphBuilder, TaskKind
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.load import graph_of_files
from dlbricks.whatif.transforms.cuda_graphs import captured
from tests.whatif.drawn_graphs import graphs
from tests.whatif.inference.made import HOST, STREAM, launched, layers, networks
from tests.whatif.inference.test_host import asked, names

NAN = float("nan")
KERNELS = [f"sgemm_{number}" for number in range(10)]


def test_launches_become_one() -> None:
    """A launch-bound row of kernels then takes one launch, the kernels and what lies between them."""
    graph = launched(KERNELS, kernel_ns=2_000, launch_ns=10_000)
    assert replay(graph).makespan_ns == 100_001
    after = asked(graph, "cuda-graphs:launch=14us,gap=1500ns,keep=none").graph
    assert names(after) == ["cudaGraphLaunch", *KERNELS, "cudaDeviceSynchronize"]
    assert replay(after).makespan_ns == 14_000 + 10 * 2_000 + 9 * 1_500 + 1
    kept = asked(graph, "cuda-graphs").graph
    assert replay(kept).makespan_ns == 14_000 + 10 * 2_000 + 1


def test_kernel_bound_rows_gain_nothing() -> None:
    """Where kernels take longer than their launches, only the first launch matters."""
    graph = launched(KERNELS, kernel_ns=50_000, launch_ns=10_000)
    after = asked(graph, "cuda-graphs").graph
    assert abs(replay(after).makespan_ns - replay(graph).makespan_ns) <= 14_000


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
    assert [len(part.device) for part in captured(graph)] == [2, 2, 2]
    after = asked(graph, "cuda-graphs").graph
    assert names(after).count("cudaGraphLaunch") == 3
    assert names(after).count("call") == 1
    alone = GraphBuilder(name="alone")
    for _ in range(3):
        call = alone.task(TaskKind.CPU, "call", HOST, 10)
        alone.edge(EdgeKind.LAUNCH, call, alone.task(TaskKind.KERNEL, "kernel", STREAM, 5))
        alone.wait(alone.task(TaskKind.SYNCHRONISATION, "wait", HOST, 1), STREAM)
    with pytest.raises(InputError, match="nowhere do two launches follow each other"):
        asked(alone.built(), "cuda-graphs")
    with pytest.raises(InputError, match="it has no kernels"):
        asked(layers(("Conv", 10, NAN, NAN, NAN)), "cuda-graphs")
    with pytest.raises(InputError, match="'all' says nothing of gaps"):
        asked(graph, "cuda-graphs:keep=all")


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


def test_kernels_are_swapped_by_name() -> None:
    """Only those that are called so, and only work."""
    graph = launched(["sgemm", "softmax", "sgemm"], kernel_ns=60)
    after = asked(graph, "kernel-swap:^sgemm,factor=3,by=hgemm").graph
    assert after.duration_ns[[1, 3, 5]].tolist() == [20, 60, 20]
    assert names(after)[1] == "hgemm"
    with pytest.raises(InputError, match="no kernel or layer is called 'cudaLaunchKernel'"):
        asked(graph, "kernel-swap:cudaLaunchKernel,factor=3")


def test_attention_becomes_one_kernel() -> None:
    """Its products stay; the softmax and what is around it goes, with the launches."""
    row = ["sgemm_qk", "elementwise_scale", "softmax_warp_forward", "sgemm_pv", "relu_elementwise", "sgemm_last"]
    after = asked(launched(row, kernel_ns=100), "attention").graph
    kernels = [name for name in names(after) if not name.startswith("cuda")]
    assert kernels == ["sgemm_qk+elementwise_scale+softmax_warp_forward+sgemm_pv", "relu_elementwise", "sgemm_last"]
    assert after.duration_ns[1] == pytest.approx(100, abs=1)
    host = layers(
        *((name, 1000, NAN, NAN, NAN) for name in ("MatMul", "Softmax", "MatMul")), ("Relu", 10, NAN, NAN, NAN)
    )
    assert asked(host, "attention").graph.duration_ns.tolist() == [1990, 10]
    assert asked(host, "attention:2").graph.duration_ns.tolist() == [990, 10]
    with pytest.raises(InputError, match="nowhere does a softmax stand between two products"):
        asked(launched(["sgemm", "sgemm"]), "attention")


def scalable() -> DependencyGraph:
    """A product in single and one in half precision, a kernel of memory, the quickest of all, and a copy."""
    builder = GraphBuilder(name="kernels")
    for name, duration in (
        ("sgemm", 2010),
        ("h884gemm_fp16", 2010),
        ("vectorized_elementwise_kernel", 2010),
        ("add", 10),
    ):
        builder.task(TaskKind.KERNEL, name, STREAM, duration)
    builder.task(TaskKind.COPY, "Memcpy HtoD", STREAM, 100)
    builder.task(TaskKind.CPU, "call", HOST, 100, gap_ns=50)
    return builder.built()


def test_faster_devices() -> None:
    """Arithmetic and memory by their factors, each kernel as it is limited; by name as data sheets state it."""
    assert asked(scalable(), "device:2").graph.duration_ns.tolist() == [1010, 1010, 2010, 10, 100, 100]
    assert asked(scalable(), "device:bandwidth=2").graph.duration_ns.tolist() == [2010, 2010, 1010, 10, 100, 100]
    host = asked(scalable(), "device:host=2").graph
    assert (host.duration_ns[-1], host.gap_ns[-1]) == (50, 25)
    named = asked(scalable(), "device:from=V100-SXM2,to=A100").graph.duration_ns
    assert named[0] == pytest.approx(10 + 2000 * 15.7 / 19.5, abs=1)
    assert named[1] == pytest.approx(10 + 2000 * 125 / 312, abs=1)
    assert named[2] == pytest.approx(10 + 2000 * 900 / 1555, abs=1)
    with pytest.raises(InputError, match="nothing is stated of a device 'abacus'"):
        asked(scalable(), "device:from=abacus,to=A100")
    with pytest.raises(InputError, match="give both from= and to="):
        asked(scalable(), "device:to=A100")


def test_products_in_tf32() -> None:
    """Are in single precision where a device has none; the other way round they are where that is asked for."""
    builder = GraphBuilder(name="kernels")
    for name, duration in (("ampere_tf32_s1688gemm", 2010), ("add", 10)):
        builder.task(TaskKind.KERNEL, name, STREAM, duration)
    back = asked(builder.built(), "device:from=A100,to=V100-SXM2").graph.duration_ns
    assert back[0] == pytest.approx(10 + 2000 * 1.5 * 19.5 / 15.7, abs=1)
    asked_for = asked(scalable(), "device:from=V100-SXM2,to=A100,tf32=yes").graph.duration_ns
    assert asked_for[0] == pytest.approx(10 + 2000 / 1.5 * 15.7 / 19.5, abs=1)
    assert asked_for[1] == pytest.approx(10 + 2000 * 125 / 312, abs=1)
    for question, reason in (
        ("device:from=A100,to=V100-SXM2,tf32=yes", "nothing is stated of TF32 on the other device"),
        ("device:2,tf32=perhaps", "'perhaps' is neither yes nor no"),
    ):
        with pytest.raises(InputError, match=reason):
            asked(scalable(), question)


@given(networks(), st.sampled_from(["compute", "bandwidth"]), st.integers(1, 9))
def test_faster_is_never_slower(graph: DependencyGraph, what: str, factor: int) -> None:
    """And never by more than the factor."""
    after = asked(graph, f"device:{what}={factor}").graph.duration_ns
    assert (after <= graph.duration_ns).all()
    assert (after * factor >= graph.duration_ns - factor).all()


def test_layers_are_left_out() -> None:
    """With what they launch; what passes between two calls stays."""
    graph = launched(["sgemm", "softmax", "sgemm"])
    after = asked(graph, "remove-layer:layer1").graph
    assert names(after) == ["cudaLaunchKernel", "sgemm", "cudaLaunchKernel", "sgemm", "cudaDeviceSynchronize"]
    host = layers(("Conv", 100, NAN, NAN, NAN), ("Relu", 20, NAN, NAN, NAN), calls=2, gap_ns=5)
    assert asked(host, "remove-layer:conv0").graph.duration_ns.tolist() == [20, 20]
    assert asked(host, "remove-layer:relu*").graph.duration_ns.tolist() == [100, 0, 100, 0]
    with pytest.raises(InputError, match="called 'nothing'; of its 2 layers the first are conv0, relu1"):
        asked(host, "remove-layer:nothing")


def test_calls_leave_early() -> None:
    """Nothing of a later layer is left, on host or device."""
    after = asked(launched(["sgemm", "softmax", "sgemm"]), "early-exit:layer0").graph
    assert names(after) == ["cudaLaunchKernel", "sgemm", "cudaDeviceSynchronize"]
    host = layers(*((name, 100, NAN, NAN, NAN) for name in ("Conv", "Relu", "Gemm")), calls=2)
    assert asked(host, "early-exit:conv0").graph.duration_ns.tolist() == [100, 0, 100, 0]
    with pytest.raises(InputError, match="no layer comes after that one"):
        asked(host, "early-exit:gemm2")


def test_streams_of_other_processes_are_others() -> None:
    """What one process launches is no part of a graph of another."""
    builder = GraphBuilder(name="two")
    for _ in range(2):
        for process in "12":
            host, stream = Lane(process=process, name="host"), Lane(process=process, name="stream", device="gpu")
            call = builder.task(TaskKind.CPU, "call", host, 10)
            builder.edge(EdgeKind.LAUNCH, call, builder.task(TaskKind.KERNEL, "kernel", stream, 5))
    assert [part.calls for part in captured(builder.built())] == [(0, 4), (2, 6)]


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
