"""Parameters, gradients and states shared among ranks: what is gathered and scattered, when, and what waits for it."""

import numpy as np
import pytest

from dlbricks.plugins.training.collectives import collective_rows
from dlbricks.plugins.training.sharded import GATHER, SCATTER
from dlbricks.whatif.graph import Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from tests.whatif.made_up import MEGABYTE, after, training

ASKED = "fsdp:4,bandwidth=8Gbps,latency=0us,efficiency=100%"


def test_each_unit_is_gathered_twice_but_the_last_and_scattered_once() -> None:
    """Three units of 1 MB: each collective takes 3/4 of that at 1 GB/s, gathers at half precision half of it."""
    graph = after(training(steps=2, layers=3), f"{ASKED},size=1MB,share=50%")
    gathers, scatters = (select(graph, name=f"^{name}$") for name in (GATHER, SCATTER))
    assert graph.duration_ns[gathers].tolist() == [375_000] * 2 * (3 + 2)
    assert graph.duration_ns[scatters].tolist() == [750_000] * 2 * 3
    assert graph.attributes["bytes"][scatters].tolist() == [MEGABYTE] * 6


def test_one_unit_is_what_an_all_reduce_sends() -> None:
    """Half of it ahead of the step, half behind."""
    before = training(steps=1, layers=3)
    sharded, summed = after(before, f"{ASKED},size=25MB"), after(before, ASKED.replace("fsdp", "data-parallel"))
    times = [int(one.duration_ns[collective_rows(one)].sum()) for one in (sharded, summed)]
    assert times == [4_500_000, 4_500_000]


def test_units_wait_for_their_parameters_and_updates_for_their_gradients() -> None:
    """A unit is gathered while the one before computes, and not before the one before that is done."""
    graph = after(training(steps=2, layers=3), f"{ASKED},size=1MB")
    plan = replay(graph)
    kernels = np.flatnonzero(graph.kind == TaskKind.KERNEL)
    forward = kernels[graph.phase[kernels] == Phase.FORWARD][:9]
    gathers, scatters = (select(graph, name=f"^{name}$") for name in (GATHER, SCATTER))
    for unit in range(3):
        assert plan.start_ns[forward[3 * unit]] >= plan.end_ns[gathers[unit]]
    assert plan.start_ns[gathers[2]] >= plan.end_ns[forward[2]]
    assert plan.start_ns[gathers[1]] < plan.end_ns[forward[2]]
    updates = kernels[graph.phase[kernels] == Phase.UPDATE]
    assert plan.start_ns[updates[0]] >= plan.end_ns[scatters[:3]].max()
    assert plan.start_ns[gathers[5]] >= plan.end_ns[updates[5]]
    assert plan.start_ns[updates[6]] >= plan.end_ns[scatters[3:]].max()


def test_a_network_quick_enough_costs_launches_only() -> None:
    """The device waits for nothing but the first gather of each step."""
    before = training()
    quick = after(before, "fsdp:4,bandwidth=100000Gbps,latency=0us,size=1MB")
    assert replay(quick).makespan_ns == pytest.approx(replay(before).makespan_ns, rel=0.05)
    slow = after(before, "fsdp:4,bandwidth=1Gbps,latency=0us,size=1MB")
    assert replay(slow).makespan_ns > 2 * replay(before).makespan_ns


def test_ranks_share_the_update() -> None:
    """Large kernels take a quarter, none less than the quickest that there is."""
    before = after(training(), "set-time:8us,phase=forward", "set-time:80us,phase=update,kind=kernel")
    graph = after(before, "fsdp:4,bandwidth=8Gbps")
    updates = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.UPDATE,))
    assert set(graph.duration_ns[updates].tolist()) == {20_000}
    tiny = after(after(training(), "set-time:9us,phase=update,kind=kernel"), "fsdp:4,bandwidth=8Gbps")
    assert set(tiny.duration_ns[select(tiny, kinds=(TaskKind.KERNEL,), phases=(Phase.UPDATE,))].tolist()) == {9_000}
