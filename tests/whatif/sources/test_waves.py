"""Waves of kernels: blocks by what the multiprocessors of a device hold at a time."""

from dataclasses import replace

import numpy as np
import pytest

from dlbricks.trace.types import Level, Role, Trace
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind, with_attributes
from dlbricks.whatif.sources.devices import waves_of
from dlbricks.whatif.sources.traces import graph_of_trace
from tests.whatif.kineto_files import STREAMS
from tests.whatif.made_up import HOST, PRODUCT, RELU, Machine, Made, after

MS = 1_000_000


def recorded(device: str, grid: str = "50,24,1", block: str = "128,1,1") -> Trace:
    """Return a launch of a kernel that uses 255 registers and 33 KB of shared memory."""
    machine = Machine()
    add = machine.builder.add
    add(Level.LIBRARY, "runtime", "cudaLaunchKernel", HOST, 0, 10, role=Role.LAUNCH, correlation=1)
    add(
        Level.KERNEL, "kernel", "gemm", STREAMS[0], 100, 200, role=Role.EXECUTION, correlation=1, grid=grid,
        block=block, registers=255, shared_bytes=33792,
    )  # fmt: skip
    return replace(machine.trace(), device=device)


def test_a_multiprocessor_holds_two_blocks_of_many_registers() -> None:
    """1,200 blocks on 132 multiprocessors of an H200, as its ViT's products; the graph has it, too."""
    trace = recorded("NVIDIA H200")
    kernel = np.flatnonzero(trace.level == Level.KERNEL)
    assert waves_of(trace, kernel).tolist() == [pytest.approx(1200 / 264)]
    graph = graph_of_trace(trace)
    assert graph.figures("waves")[graph.kind == TaskKind.KERNEL].tolist() == [pytest.approx(1200 / 264)]


@pytest.mark.parametrize(
    ("device", "grid", "block"),
    [("Some GPU", "50,24,1", "128,1,1"), ("NVIDIA H200", "many", "128,1,1"), ("NVIDIA H200", "50", "9999,1,1")],
)
def test_waves_of_unknown_devices_and_of_no_launch_are_unknown(device: str, grid: str, block: str) -> None:
    """Also where no block fits."""
    trace = recorded(device, grid, block)
    assert np.isnan(waves_of(trace, np.flatnonzero(trace.level == Level.KERNEL))).all()


def products(*waves: float) -> DependencyGraph:
    """Return products of 1 ms with waves, the last one the gradient of weights, behind a kernel of 1 us each."""
    made = Made()
    for place, number in enumerate(waves):
        made.kernel(RELU, Phase.FORWARD, 1_000)
        name = f"{PRODUCT[:-2]}{'nt' if place == len(waves) - 1 else 'nn'}"
        made.kernel(name, Phase.BACKWARD, MS, waves=number)
    return made.builder.built()


def test_products_grow_with_their_waves() -> None:
    """4.5 waves become 9, so 5 become 9; 0.4 stay one; an unknown number and gradients of weights double."""
    before = products(4.5, 0.4, float("nan"), 4.5)
    graph = after(before, "batch:2")
    rows = np.flatnonzero(before.duration_ns == MS)
    assert (graph.duration_ns[rows] / MS).tolist() == pytest.approx([1.8, 1.0, 2.0, 2.0], rel=0.01)
    less = after(with_attributes(before, waves=np.full(len(before), np.nan)), "batch:1,from=2")
    assert after(before, "batch:1,from=2").duration_ns.tolist() == less.duration_ns.tolist()
