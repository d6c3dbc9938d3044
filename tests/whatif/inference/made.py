"""Networks made up for tests of transforms: layers on the host with operators and bytes, or kernels with launches."""

from collections.abc import Sequence

from hypothesis import strategies as st

from dlbricks.trace.types import Lane
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, GraphBuilder, TaskKind

HOST = Lane(process="1", name="thread 1")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")
OPERATORS = ("Conv", "Relu", "MatMul", "LayerNormalization", "Softmax", "Transpose", "Add", "Gelu", "Strange")


def layers(*rows: tuple[str, int, float, float, float], gap_ns: int = 0, calls: int = 1) -> DependencyGraph:
    """Give layers of the host, one after another: operator, duration, bytes read, bytes written, flops."""
    builder = GraphBuilder(name="network")
    clock = 0
    for _ in range(calls):
        first = clock
        for number, (operator, duration, read, written, flops) in enumerate(rows):
            builder.task(
                TaskKind.CPU, f"{operator.lower()}{number}", HOST, duration, layer=f"{operator.lower()}{number}",
                operator=operator, gap_ns=gap_ns, read_bytes=read, written_bytes=written, flops=flops,
                parameter_bytes=0.0, measured_start_ns=clock, measured_end_ns=clock + duration,
            )  # fmt: skip
            clock += duration + gap_ns
        builder.steps.append((first, clock))
    return builder.built()


def launched(names: Sequence[str], kernel_ns: int = 50, launch_ns: int = 10, lag_ns: int = 5) -> DependencyGraph:
    """Give kernels of the names, each launched by a call, and a call that waits for all of them."""
    builder = GraphBuilder(name="kernels")
    for number, name in enumerate(names):
        call = builder.task(TaskKind.CPU, "cudaLaunchKernel", HOST, launch_ns, layer=f"layer{number}")
        kernel = builder.task(TaskKind.KERNEL, name, STREAM, kernel_ns, layer=f"layer{number}")
        builder.edge(EdgeKind.LAUNCH, call, kernel, lag_ns)
    builder.wait(builder.task(TaskKind.SYNCHRONISATION, "cudaDeviceSynchronize", HOST, 1), STREAM)
    return builder.built()


@st.composite
def networks(draw: st.DrawFn, most: int = 8) -> DependencyGraph:
    """Draw a network of the host, bytes known or not."""
    known = draw(st.booleans())
    figure = st.integers(1, 10_000).map(float) if known else st.just(float("nan"))
    rows = st.tuples(st.sampled_from(OPERATORS), st.integers(1, 10_000), figure, figure, figure)
    drawn = draw(st.lists(rows, min_size=1, max_size=most))
    return layers(*drawn, gap_ns=draw(st.integers(0, 5)), calls=draw(st.integers(1, 2)))
