"""Dependency graphs drawn at random, as machines can make them: streams run in the order in which they are launched."""

from hypothesis import strategies as st

from dlbricks.trace.types import Lane
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind

HOSTS = tuple(Lane(process="1", name=f"thread {number}") for number in range(2))
STREAMS = tuple(Lane(process="1", name=f"stream {number}", device="gpu 0") for number in range(2))


@st.composite
def graphs(draw: st.DrawFn, *, most: int = 14, gaps: bool = True) -> DependencyGraph:
    """Draw a graph of up to ``most`` tasks: host tasks, kernels that they launch, edges between threads and streams."""
    builder = GraphBuilder(name="drawn")
    hosts: list[int] = []
    devices: list[int] = []
    launched = 0
    for number in range(draw(st.integers(1, most))):
        lag = draw(st.integers(0, 4)) if gaps else 0
        if len(hosts) > 0 and draw(st.booleans()):
            builder.task(TaskKind.KERNEL, f"task{number}", draw(st.sampled_from(STREAMS)), draw(st.integers(0, 20)))
            launched = draw(st.integers(launched, len(hosts) - 1))
            builder.edge(EdgeKind.LAUNCH, hosts[launched], number, lag)
            if len(devices) > 0 and draw(st.booleans()):
                builder.edge(EdgeKind.STREAM, draw(st.sampled_from(devices)), number)
            devices.append(number)
            continue
        lane, gap = draw(st.sampled_from(HOSTS)), draw(st.integers(0, 5)) if gaps else 0
        builder.task(TaskKind.CPU, f"task{number}", lane, draw(st.integers(0, 20)), gap_ns=gap)
        if len(hosts) > 0 and draw(st.booleans()):
            builder.edge(EdgeKind.THREAD, draw(st.sampled_from(hosts)), number, lag)
        if draw(st.integers(0, 4)) == 0:
            builder.wait(number, draw(st.sampled_from(STREAMS)))
        hosts.append(number)
    return builder.built()
