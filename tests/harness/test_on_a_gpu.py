"""On a machine with a GPU: what is traced and counted of a product of matrices is what it must be."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper

from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.runner import run_suite
from dlbricks.harness.trace.cupti import ActivityTracer, why_not
from dlbricks.profile import counters
from dlbricks.profile.counters import count, why_not_counters
from dlbricks.trace.correlate import correlated
from dlbricks.trace.cupti import trace_of
from dlbricks.trace.types import NONE, Level, Role
from tests.harness.small_suite import benchmark, matmul, tiny_parts, write

SIZE, LARGE = 2048, 8192
"""Rows of matrices; of the large ones each takes 268 MB, four times the last-level cache of an H200."""


@pytest.fixture(scope="module")
def product() -> Callable[[], Any]:
    """Give a call of a product."""
    return call_of_product(SIZE)


def call_of_product(size: int) -> Callable[[], Any]:
    """Give a call that multiplies two matrices of float32 on the GPU and waits for it."""
    if "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
        pytest.skip("this onnxruntime has no CUDA provider")
    shape = [size, size]
    float32 = onnx.TensorProto.FLOAT
    inputs = [helper.make_tensor_value_info(name, float32, shape) for name in "ab"]
    outputs = [helper.make_tensor_value_info("c", float32, shape)]
    graph = helper.make_graph([helper.make_node("MatMul", ["a", "b"], ["c"])], "product", inputs, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=[("CUDAExecutionProvider", {"use_tf32": "0"})], enable_fallback=0
    )
    random = np.random.default_rng(0)
    binding = session.io_binding()
    for name in "ab":
        values = random.random(shape, np.float32)
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(values, "cuda", 0))
    binding.bind_output("c", "cuda", 0)

    def call() -> None:
        session.run_with_iobinding(binding)
        binding.synchronize_outputs()

    for _ in range(5):
        call()
    return call


def test_every_kernel_has_its_launch(product: Callable[[], Any]) -> None:
    """Each call launches the same kernels; each has a launch before it on a thread."""
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    tracer = ActivityTracer()
    for _ in range(2):  # a tracer may be started again
        tracer.start()
        for _ in range(3):
            product()
        trace = correlated(trace_of(tracer.stop(), tracer.clock, process=1, notes=tracer.notes))
        rows = trace.rows(Level.KERNEL, "kernel")
        assert len(rows) >= 3
        assert len(rows) % 3 == 0
        launches = trace.parent[rows]
        assert (launches != NONE).all()
        assert (trace.role[launches] == Role.LAUNCH).all()
        assert (trace.start_ns[launches] <= trace.start_ns[rows]).all()
        assert tracer.dropped == 0
        assert tracer.clock is not None
        assert abs(tracer.clock.drift_ns) < 1_000_000


def test_bytes_are_those_of_the_product() -> None:
    """A product of matrices that no cache holds reads both, writes the result once, and keeps warps busy."""
    reason = why_not_counters()
    if reason is not None:
        pytest.skip(reason)
    nbytes = 4 * LARGE**2
    counted = count(call_of_product(LARGE)).attributes
    assert float(counted["dram_write_bytes"]) == pytest.approx(nbytes, rel=0.05)
    assert float(counted["dram_read_bytes"]) >= 2 * nbytes
    assert 0 < float(counted["occupancy"]) <= 1
    assert "flops" not in counted  # sampling has no metrics of them: those of layers and kernels are from shapes


def test_counters_need_no_context_of_a_runtime() -> None:
    """A process that did nothing on the GPU yet can sample: 'doctor' is one."""
    reason = why_not_counters()
    if reason is not None:
        pytest.skip(reason)
    done = subprocess.run([sys.executable, "-m", counters.__name__, "0"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Give the result of a short run on the GPU: some sequences, and a whole network."""
    if "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
        pytest.skip("this onnxruntime has no CUDA provider")
    folder = tmp_path_factory.mktemp("run")
    whole = benchmark("MatMul_Relu", matmul(96), role="whole", weight_bytes=96 * 96 * 4)
    suite = write(folder / "suite", [*tiny_parts(), whole])
    return run_suite(suite, folder / "result.json", RunOptions(provider="cuda", smoke=True))


def test_a_run_takes_times_of_the_device_from_kernels(document: dict[str, Any]) -> None:
    """Within some per cent in five calls; where kernels cannot be traced, calls bound them and the reason is there."""
    reason = why_not()
    assert document["queue"].get("untraced", "")[:300] == (reason or "")[:300]
    times = [entry["queue"] for entry in document["benchmarks"] if entry["role"] in {"sequence", "whole"}]
    assert len(times) == 4
    for one in times:
        assert one["host_ns"] > 500
        assert one["device_low_ns"] <= one["device_ns"] <= one["device_high_ns"]
        assert one.get("traced", 0) == (0 if reason else 5)
        if not reason:
            assert one["kernels"] >= 1
            assert 500 < one["device_ns"] < 1_000_000
            assert one["device_high_ns"] - one["device_low_ns"] < 0.3 * one["device_ns"]
    if not reason:
        assert 100 < document["queue"]["kernel_gap_ns"] < 10_000


def test_a_whole_network_is_called_as_one_graph(document: dict[str, Any]) -> None:
    """In a few microseconds more than its kernels take."""
    (whole,) = (entry for entry in document["benchmarks"] if entry["role"] == "whole")
    assert whole["reason"] == ""
    assert 1_000 < whole["queue"]["graph_ns"] < 1_000_000


def test_a_suite_runs_as_graphs(tmp_path: Path) -> None:
    """All sequences, each as one graph: the host enqueues nothing else."""
    if "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
        pytest.skip("this onnxruntime has no CUDA provider")
    suite = write(tmp_path / "suite", tiny_parts())
    graphs = (("enable_cuda_graph", "1"),)
    made = run_suite(suite, tmp_path / "r.json", RunOptions(provider="cuda", provider_options=graphs, smoke=True))
    for entry in made["benchmarks"]:
        assert (entry["status"], entry["reason"]) == ("ok", "")
        if entry["role"] == "sequence":
            assert entry["queue"]["host_ns"] == 0
            assert entry["queue"]["device_high_ns"] > 0
