"""Copies from pageable memory become pinned: they take what the link needs, and the host goes on."""

from dataclasses import replace

import numpy as np
import pytest

from dlbricks.errors import InputError
from dlbricks.trace import kinds
from dlbricks.trace.types import Level
from dlbricks.whatif.answer import ask
from dlbricks.whatif.graph import DependencyGraph, TaskKind, with_attributes
from dlbricks.whatif.select import of_name, select
from dlbricks.whatif.sources.traces import graph_of_trace
from dlbricks.whatif.transform import read_step
from tests.whatif.made_up import HOST, KNOWN, STREAM, Machine, after

KERNEL, COPY, REST = 800_000, 400_000, 100_000
"""Time of the kernel, of a copy of 4 MB, and of the host behind its launch, ns."""


def loop(steps: int = 4, name: str = "Memcpy HtoD (Pageable -> Device)") -> DependencyGraph:
    """Return steps that copy a batch behind the kernel before, wait for the stream, and launch one kernel."""
    machine, clock, free = Machine(), 0, 0
    for step in range(steps):
        begun, copied = clock, max(clock + 10_000, free) + COPY
        call = "cudaMemcpyAsync"
        machine.launch(
            HOST, clock, STREAM, copied - COPY, copied, name, call_ns=copied - clock, kind=kinds.COPY, call=call
        )
        machine.call(HOST, copied + 1_000, copied + 2_000, "cudaStreamSynchronize", "synchronisation", 7)
        launched = copied + 10_000
        free = launched + 5_000 + KERNEL
        machine.launch(HOST, launched, STREAM, launched + 5_000, free)
        clock = launched + REST
        machine.builder.add(Level.APPLICATION, "step", f"ProfilerStep#{step}", HOST, begun, clock)
    graph = graph_of_trace(machine.trace(), "loop")
    copies = graph.kind == TaskKind.COPY
    return with_attributes(graph, bytes=np.where(copies, 4e6, np.nan))


def asked(*texts: str) -> int:
    """Return the time of a step after the change, ns."""
    return ask(loop(), [read_step(text, KNOWN) for text in texts]).answer.after.time_ns


def test_a_pinned_copy_hides_behind_the_kernel_before() -> None:
    """A step took kernel and copy and what lies between; pinned, 0.16 ms at 25 GB/s on the stream, and no wait."""
    before = ask(loop(), []).answer.before.time_ns
    assert before == pytest.approx(KERNEL + COPY + 15_000, rel=0.01)
    assert asked("pinned-memory") == pytest.approx(KERNEL + 160_000, rel=0.02)


@pytest.mark.parametrize(
    ("device", "rate"),
    [
        ("NVIDIA H200", 55),
        ("Tesla V100-SXM2-16GB", 12),
        ("NVIDIA A100-SXM4-80GB", 25),
        ("AMD Instinct MI300X", 55),
        ("", 25),
    ],
)
def test_the_link_of_the_device_tells_the_rate(device: str, rate: int) -> None:
    """PCIe of three generations; of unknown devices the middle one."""
    graph = replace(loop(), device=device)
    made = after(graph, "pinned-memory")
    copies = select(graph, kinds=(TaskKind.COPY,))
    assert made.duration_ns[copies].tolist() == [min(COPY, round(4e6 / rate))] * 4


def test_no_copy_gets_slower_and_all_tasks_stay() -> None:
    """Where 400 us for 40 MB are quicker than the link, they stay; copies have another name."""
    graph = with_attributes(loop(), bytes=10 * loop().attributes["bytes"])
    made = after(graph, "pinned-memory")
    copies = select(graph, kinds=(TaskKind.COPY,))
    assert made.duration_ns[copies].tolist() == graph.duration_ns[copies].tolist()
    assert len(made) == len(graph)
    assert of_name(made, lambda name: "Pinned" in name).sum() == len(copies)
    assert not of_name(made, lambda name: "Pageable" in name).any()


def test_nothing_pageable_is_refused() -> None:
    """In a line."""
    with pytest.raises(InputError, match="none of its copies to a device reads pageable memory"):
        ask(loop(name="Memcpy HtoD (Pinned -> Device)"), [read_step("pinned-memory", KNOWN)])
