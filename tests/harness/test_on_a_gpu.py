"""On a machine with a GPU: what is traced and counted of a product of matrices is what it must be."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper

from dlbricks.harness.trace.cupti import ActivityTracer, why_not
from dlbricks.profile import counters
from dlbricks.profile.counters import count, why_not_counters
from dlbricks.trace.correlate import correlated
from dlbricks.trace.cupti import trace_of
from dlbricks.trace.types import NONE, Level, Role

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
