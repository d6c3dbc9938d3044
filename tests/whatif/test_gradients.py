"""Gradients: each belongs to the kernel that the operator which accumulates it came behind."""

from typing import Any

import numpy as np

from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import Lane, Level, Role, TraceClock
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.sources.traces import graph_of_trace

AUTOGRAD = Lane(process="1", name="thread 2")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")


def backward(*shapes: str, dtype: str = "") -> DependencyGraph:
    """Give a backward pass that makes a gradient with each kernel and accumulates it, in operators with shapes."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for number, shape in enumerate(shapes):
        at = 100 * number
        builder.add(
            Level.LIBRARY, "runtime", "cudaLaunchKernel", AUTOGRAD, at, at + 5, role=Role.LAUNCH, correlation=number
        )
        builder.add(
            Level.KERNEL, "kernel", "wgrad", STREAM, at + 50, at + 60, role=Role.EXECUTION, correlation=number, stream=7
        )
        told: dict[str, Any] = {"input_shapes": shape} if shape else {}
        told |= {"dtype": dtype} if dtype else {}
        builder.add(Level.LAYER, "operator", "torch::autograd::AccumulateGrad", AUTOGRAD, at + 10, at + 20, **told)
    return graph_of_trace(correlated(builder.built()))


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
