"""Collectives of several ranks: all go on together, whoever was late."""

import os
from pathlib import Path

import numpy as np
import pytest

from dlbricks.trace.build import TraceBuilder, joined_traces
from dlbricks.trace.correlate import correlated
from dlbricks.trace.read.kineto import read_kineto
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from dlbricks.whatif.edit import lasting
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.load import collectives, with_rendezvous
from dlbricks.whatif.sources.traces import graph_of_trace


def rank(number: int, computing: int, ends: int) -> Trace:
    """A rank that computes from 10 on, then takes part in a collective that ends on all ranks together."""
    host = Lane(process=f"rank {number}", name="thread 1")
    builder = TraceBuilder(clock=TraceClock(name="test", unix_offset_ns=0))
    streams = [Lane(process=f"rank {number}", name=f"stream {name}", device=f"gpu {number}") for name in (7, 20)]
    arrives = 10 + computing
    for place, (stream, kind, name, start, end) in enumerate(
        (
            (streams[0], "kernel", "sgemm", 10, arrives),
            (streams[0], "collective", "ncclDevKernel_AllReduce", arrives, ends),
        )
    ):
        add = builder.add
        add(
            Level.LIBRARY,
            "runtime",
            "cudaLaunchKernel",
            host,
            2 * place,
            2 * place + 1,
            role=Role.LAUNCH,
            correlation=place,
        )
        add(Level.KERNEL, kind, name, stream, start, end, role=Role.EXECUTION, correlation=place)
    return correlated(builder.built())


def test_a_quicker_last_rank_lets_all_go_on_earlier() -> None:
    """The transfer takes 20 behind the last arrival; a rank that was early anyway changes nothing."""
    graph = with_rendezvous(graph_of_trace(joined_traces(rank(0, 100, 330), rank(1, 300, 330)), "two ranks"))
    assert replay(graph).end_ns.max() == 330
    kernels = select(graph, name="sgemm")
    assert [int(graph.duration_ns[row]) for row in kernels] == [100, 300]
    assert replay(lasting(graph, kernels, np.array([50, 300]))).end_ns.max() == 330
    assert replay(lasting(graph, kernels, np.array([100, 150]))).end_ns.max() == 180


def test_one_rank_alone_stays_as_it_was_measured() -> None:
    """What part of its collective is waiting cannot be known."""
    graph = graph_of_trace(rank(0, 100, 330), "one rank")
    assert with_rendezvous(graph) is graph
    assert collectives(graph) == ((), 1)


def test_members_that_cannot_be_of_one_collective_are_not_tied() -> None:
    """One ended before the other began: they are no partners, and a note says so."""
    graph = graph_of_trace(joined_traces(rank(0, 100, 150), rank(1, 300, 330)), "apart")
    assert collectives(graph) == ((), 2)


TRACES = Path(os.environ.get("DLBRICKS_TRACES", "/nonexistent"))


@pytest.mark.traces
@pytest.mark.skipif(not TRACES.is_dir(), reason="DLBRICKS_TRACES names no folder of traces")
def test_eight_real_ranks_end_as_they_ended() -> None:
    """All tasks within 10 us, all eight collectives tied."""
    traces = [read_kineto(path) for path in sorted(TRACES.glob("04*/*.gz"))]
    graph = with_rendezvous(graph_of_trace(joined_traces(*traces), "eight ranks"))
    measured = graph.attributes["measured_end_ns"]
    known = ~np.isnan(measured)
    assert np.abs(replay(graph).end_ns[known] - measured[known]).max() < 10_000
    assert len(select(graph, name="^rendezvous$")) == 8
