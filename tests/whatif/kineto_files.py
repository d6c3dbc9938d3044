"""Small files as PyTorch's profiler writes them: one step of a rank that launches a kernel and a collective."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from dlbricks.trace.types import Lane
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind


def rank_file(path: Path, rank: int, arrives_us: int, ends_us: int = 800) -> Path:
    """Write the trace of one rank.

    Args:
        path: of the file.
        rank: its number.
        arrives_us: when its collective begins.
        ends_us: when that ends, on every rank.
    """
    events: list[dict[str, Any]] = [
        _event("user_annotation", "ProfilerStep#1", rank + 100, 1, 0, ends_us + 100),
        _event("cpu_op", "aten::mm", rank + 100, 1, 10, 30),
        _event("cuda_runtime", "cudaLaunchKernel", rank + 100, 1, 12, 10, correlation=1),
        _event("cuda_runtime", "cudaEventRecord", rank + 100, 1, 25, 4),
        _event("cuda_runtime", "cudaStreamWaitEvent", rank + 100, 1, 35, 4),
        _event("cuda_runtime", "cudaLaunchKernel", rank + 100, 1, 50, 10, correlation=2),
        _event("kernel", "sgemm", rank, 7, 20, arrives_us - 25, correlation=1, stream=7, device=rank),
        _event(
            "kernel", "ncclKernel_AllReduce_RING", rank, 20, arrives_us, ends_us - arrives_us, correlation=2, stream=20,
            device=rank,
        ),
        _event("cuda_runtime", "cudaDeviceSynchronize", rank + 100, 1, 70, ends_us - 60),
    ]  # fmt: skip
    document = {
        "schemaVersion": 1,
        "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": 2},
        "baseTimeNanoseconds": 0,
        "traceEvents": events,
    }
    path.write_text(json.dumps(document))
    return path


def _event(
    category: str, name: str, pid: int, tid: int, start_us: int, duration_us: int, **args: int
) -> dict[str, Any]:
    return {
        "ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": start_us, "dur": duration_us,
        "args": args,
    }  # fmt: skip


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
