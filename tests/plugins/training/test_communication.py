"""Gradients summed over several ranks: what is sent, when, and what waits for it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.plugins.training.collectives import Link, all_reduces, collective_rows, operation
from dlbricks.plugins.training.data_parallel import in_buckets
from dlbricks.plugins.training.paper import COMPRESS, PULL, PUSH, RESTORE
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import Level, Role
from dlbricks.whatif.graph import Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.traces import graph_of_trace
from tests.whatif.made_up import (
    HOST,
    MEGABYTE,
    PRODUCT,
    STREAM,
    Machine,
    Made,
    after,
    asked,
    ran,
    ranks,
    training,
)

ASKED = "data-parallel:4,bandwidth=8Gbps,latency=0us,efficiency=100%"


def test_an_all_reduce_takes_what_a_ring_takes() -> None:
    """Twice 3/4 of 3 MB at 1 GB/s; of one bucket, as the first is full with 1 MiB only."""
    graph = after(training(steps=1), f"{ASKED},first=25MB")
    rows = collective_rows(graph)
    assert graph.duration_ns[rows].tolist() == [4_500_000]
    assert graph.attributes["bytes"][rows].tolist() == [3 * MEGABYTE]


def test_a_bucket_is_summed_behind_its_gradients_and_before_the_update() -> None:
    """One for each layer here; the next is made while one is sent."""
    graph = after(training(steps=2), f"{ASKED},first=1MB,size=1MB")
    plan, rows = replay(graph), collective_rows(graph)
    gradients = np.flatnonzero(graph.attributes["gradient_bytes"] > 0)
    updates = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.UPDATE,))
    assert len(rows) == len(gradients) == 6
    assert (plan.start_ns[rows] >= plan.end_ns[gradients]).all()
    assert plan.start_ns[gradients[1]] < plan.end_ns[rows[0]]
    for step in (0, 3):
        assert plan.start_ns[updates[2 * step]] >= plan.end_ns[rows[step : step + 3]].max()


def test_with_a_network_quick_enough_training_takes_no_longer() -> None:
    """Only the launches are left, which the device does not wait for, and what ranks wait for the latest."""
    before = training()
    quick = "data-parallel:64,bandwidth=900000GB/s,latency=0us"
    took_ns = replay(before).makespan_ns
    assert replay(after(before, f"{quick},late=0%")).makespan_ns == pytest.approx(took_ns, rel=0.01)
    assert replay(after(before, f"{quick},late=20%")).makespan_ns == pytest.approx(1.2 * took_ns, rel=0.02)


def test_sums_that_are_hidden_cost_a_share_of_their_time() -> None:
    """Backward kernels are slower by so much altogether."""
    before = training(steps=1)
    plain, slowed = (after(before, f"{ASKED},first=1MB,size=1MB,late=0%,beside={share}") for share in ("0%", "50%"))
    sums_ns = plain.duration_ns[collective_rows(plain)].sum()
    hidden_ns = sums_ns - (replay(plain).makespan_ns - replay(before).makespan_ns)
    more_ns = slowed.duration_ns.sum() - plain.duration_ns.sum()
    assert hidden_ns > 0
    assert more_ns == pytest.approx(hidden_ns / 2, abs=10)


def test_parameters_can_be_said_where_the_trace_does_not() -> None:
    """Spread over the products of the backward pass."""
    graph = after(training(steps=1, gradient=0), "data-parallel:4,bandwidth=8Gbps,parameters=750000")
    assert graph.attributes["bytes"][collective_rows(graph)].sum() == 3 * MEGABYTE


def test_without_an_update_the_next_step_waits() -> None:
    """Gradients have to be there before anything else begins."""
    made = Made()
    for _ in range(2):
        made.kernel(PRODUCT, Phase.FORWARD)
        made.kernel(PRODUCT, Phase.BACKWARD, gradient_bytes=MEGABYTE)
    graph = after(made.builder.built(), ASKED)
    forward, plan = select(graph, phases=(Phase.FORWARD,), kinds=(TaskKind.KERNEL,)), replay(graph)
    assert plan.start_ns[forward[1]] >= plan.end_ns[collective_rows(graph)[0]]


@given(st.lists(st.integers(1, 100), max_size=30), st.integers(1, 60), st.integers(1, 200))
def test_buckets_hold_every_tensor_once_and_close_when_full(sizes: list[int], first: int, size: int) -> None:
    """Only the last may be less than full, and no bucket would be full without its last tensor."""
    made = in_buckets(np.array(sizes, float), first, size)
    assert [one for bucket in made for one in sizes[bucket]] == sizes
    for number, bucket in enumerate(made):
        limit = first if number == 0 else size
        assert sum(sizes[bucket][:-1]) < limit
        assert number == len(made) - 1 or sum(sizes[bucket]) >= limit


@given(st.integers(2, 1000), st.integers(1, 10**9), st.integers(1, 10**11))
def test_an_all_reduce_is_its_two_halves(members: int, size: int, rate: int) -> None:
    """And takes at least the time to send a tensor once, at most twice."""
    link = Link(bytes_per_s=rate, latency_ns=0)
    whole = link.all_reduce_ns(size, members)
    assert whole == 2 * link.half_ns(size, members)
    assert 1e9 * size / rate - 2 <= whole <= 2e9 * size / rate + 2


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        ("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 6),
        ("all-reduce of gradients", 6),
        ("ncclKernel_ReduceScatter_RING", 3),
        ("ncclKernel_AllGather_RING", 3),
        ("ncclKernel_AllToAll", 3),
        ("ncclKernel_Broadcast_RING_LL", 1),
        ("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t", 1),
        ("ncclKernel_Reduce_RING_LL_Sum_float", 1),
    ],
)
def test_a_collective_takes_the_rounds_that_its_name_says(name: str, rounds: int) -> None:
    """Among four members, with nothing but latency."""
    assert Link(bytes_per_s=1e30, latency_ns=100).collective_ns(name, 1, 4) == 100 * rounds


def test_a_generic_kernel_is_known_by_what_was_recorded_with_it() -> None:
    """Kernels of RCCL and of newer NCCL have one name for all operations."""
    builder = Machine().builder
    for number, (name, start) in enumerate((("allreduce", 100), ("allgather", 400), ("all_to_allv", 700))):
        call: dict[str, Any] = {"role": Role.LAUNCH, "correlation": number}
        builder.add(Level.LIBRARY, "runtime", "hipLaunchKernel", HOST, start, start + 10, **call)
        kernel: dict[str, Any] = {"role": Role.EXECUTION, "correlation": number, "stream": 7, "collective": name}
        builder.add(Level.KERNEL, "collective", "ncclDevKernel_Generic", STREAM, start + 20, start + 120, **kernel)
    graph = graph_of_trace(correlated(builder.built()), "generic")
    assert len(collective_rows(graph)) == 3
    found = [operation(graph, row) for row in collective_rows(graph).tolist()]
    assert found == ["allreduce", "allgather", "all_to_allv"]
    assert len(all_reduces(graph)) == 1


SLOW = "p3:8Gbps,latency=0us,size=250kB"


def test_gradients_go_up_and_come_down_in_slices() -> None:
    """Four slices of each of 1 MB, of 250 us each way at 1 GB/s; each comes down behind its going up."""
    applied = asked(training(steps=1), SLOW)
    graph, plan = applied.graph, ran(applied)
    up, down = select(graph, name=PUSH), select(graph, name=PULL)
    assert len(up) == len(down) == 3 * 4
    assert set(graph.duration_ns[up].tolist()) == {250_000}
    assert (plan.start_ns[down] >= plan.end_ns[up]).all()
    gradients = np.flatnonzero(graph.attributes["gradient_bytes"] > 0)
    assert (plan.start_ns[up] >= np.repeat(plan.end_ns[gradients], 4)).all()


def test_what_is_needed_first_overtakes_what_is_made_first() -> None:
    """The first layer's gradient is made last, and fetched before all of the last layer's slices."""
    applied = asked(training(steps=2), SLOW)
    graph, plan = applied.graph, ran(applied)
    down = select(graph, name=PULL)[:12]
    last_layer, first_layer = down[:4], down[8:]
    assert plan.end_ns[first_layer].max() < plan.end_ns[last_layer].max()


def test_a_layer_waits_for_its_own_parameters_only() -> None:
    """The first product of the next step begins before the parameters of the last layer are there."""
    applied = asked(training(steps=2), SLOW)
    graph, plan = applied.graph, ran(applied)
    products = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.FORWARD,), name=PRODUCT)[3:]
    down = select(graph, name=PULL)[:12]
    for place, product in enumerate(products.tolist()):
        own = down[4 * (2 - place) : 4 * (3 - place)]
        assert plan.start_ns[product] >= plan.end_ns[own].max()
    assert plan.start_ns[products[0]] < plan.end_ns[down].max()


def test_servers_update() -> None:
    """Nothing of the update is left on the worker, and a note says so."""
    graph = after(training(), SLOW)
    assert not len(select(graph, phases=(Phase.UPDATE,), kinds=(TaskKind.KERNEL,)))
    assert "parameter servers update the parameters, so the worker's update is removed" in graph.notes


def test_it_composes_with_what_comes_behind() -> None:
    """Priorities are those of the graph in the end."""
    applied = asked(training(), SLOW, "gist")
    assert ran(applied).makespan_ns > 0


EIGHT = "data-parallel:8,bandwidth=8Gbps,latency=0us,efficiency=100%,first=1MB,size=1MB"
FOUR = EIGHT.replace(":8", ":4", 1)


def test_asked_later_is_asked_at_once() -> None:
    """A network of another bandwidth is the network that could have been asked about first."""
    graph = training()
    first = after(graph, "data-parallel:4,latency=10us,bandwidth=40Gbps")
    later = after(graph, "data-parallel:4,latency=10us,bandwidth=1Gbps", "bandwidth:40Gbps,latency=10us")
    assert later.duration_ns.tolist() == first.duration_ns.tolist()


def test_of_all_ranks_the_transfer_scales_and_waiting_does_not() -> None:
    """2 ms of transfer at 10 Gbps are 1 ms at 20, whenever who came."""
    graph = after(ranks(3), "bandwidth:20Gbps,latency=0us,now=10Gbps")
    assert graph.duration_ns[collective_rows(graph)].tolist() == [1_000_000] * 3


def test_latency_does_not_scale() -> None:
    """Of 2 ms at 10 Gbps 1 ms is latency."""
    graph = after(ranks(2), "bandwidth:20Gbps,latency=1ms,now=10Gbps")
    assert graph.duration_ns[collective_rows(graph)].tolist() == [1_500_000] * 2


def test_with_sizes_the_present_bandwidth_need_not_be_known() -> None:
    """Twice 1/2 of 4 MB at 1 GB/s."""
    graph = after(ranks(2, elements=1e6, group_size=2), "bandwidth:8Gbps,latency=0us,efficiency=100%")
    assert graph.duration_ns[collective_rows(graph)].tolist() == [4_000_000] * 2


STAGED = "blueconnect:4,inside_bandwidth=8GB/s,bandwidth=8Gbps,latency=0us,efficiency=100%"


def test_each_all_reduce_becomes_four_stages() -> None:
    """1 MB: 3/4 at 8 GB/s, half of a quarter at 1 GB/s, and back."""
    graph = after(training(steps=1, layers=1), EIGHT, STAGED)
    assert graph.duration_ns[collective_rows(graph)].tolist() == [93_750, 125_000, 125_000, 93_750]


def test_stages_follow_each_other_and_the_update_waits_for_the_last() -> None:
    """Of each all-reduce; those of several run beside each other."""
    applied = asked(training(steps=1, layers=3), f"{EIGHT},beside=0%,late=0%", STAGED)
    plan, graph = ran(applied), applied.graph
    rows = collective_rows(graph)
    for chain in (rows[0:4], rows[4:8], rows[8:12]):
        assert (plan.start_ns[chain][1:] >= plan.end_ns[chain][:-1]).all()
    assert plan.start_ns[rows[4]] < plan.end_ns[rows[3]]
    update = select(graph, name="AddFunctor")[0]
    assert plan.start_ns[update] == plan.end_ns[rows].max()


def test_it_pays_where_links_inside_nodes_are_quick() -> None:
    """And not where they are as slow as those between."""
    flat = asked(training(gradient=50e6), EIGHT)
    quick = asked(training(gradient=50e6), EIGHT, STAGED)
    assert ran(quick).makespan_ns < ran(flat).makespan_ns
    slow = asked(training(gradient=50e6), EIGHT, STAGED.replace("8GB/s", "1GB/s"))
    assert ran(quick).makespan_ns < ran(slow).makespan_ns


COMPRESSED = "deep-gradient-compression:{},bandwidth=8Gbps,latency=0us,efficiency=100%,memory=80GB/s"


def test_each_rank_sends_values_and_places_of_its_share() -> None:
    """1 % of 1 MB, twice, from each of three others at 1 GB/s."""
    graph = after(training(), FOUR, COMPRESSED.format("1%"))
    assert set(graph.duration_ns[collective_rows(graph)].tolist()) == {60_000}


def test_gradients_are_compressed_before_and_decompressed_behind() -> None:
    """1 MB, 8 times, at 80 GB/s."""
    graph = after(training(steps=1), FOUR, COMPRESSED.format("1%"))
    plan, rows = replay(graph), collective_rows(graph)
    before, behind = select(graph, name=COMPRESS), select(graph, name=RESTORE)
    assert graph.duration_ns[before].tolist() == [100_000] * 3
    assert (plan.start_ns[rows] >= plan.end_ns[before]).all()
    assert (plan.start_ns[behind] >= plan.end_ns[rows]).all()
    update = select(graph, name="AddFunctor")[0]
    assert plan.start_ns[update] >= plan.end_ns[behind].max()


def test_a_large_share_among_many_is_slower_than_none() -> None:
    """What is sparse cannot be summed on the way."""
    sent = FOUR.replace(":4", ":64")
    flat = replay(after(training(gradient=50e6), sent)).makespan_ns
    assert replay(after(training(gradient=50e6), sent, COMPRESSED.format("50%"))).makespan_ns > flat
    assert replay(after(training(gradient=50e6), sent, COMPRESSED.format("0.1%"))).makespan_ns < flat
