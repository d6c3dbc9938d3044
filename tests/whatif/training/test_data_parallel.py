"""From one rank to several: all gradients are summed behind the kernels that make them and before the update."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.whatif.graph import Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transforms.data_parallel import in_buckets
from dlbricks.whatif.transforms.links import Link, collective_rows
from tests.whatif.training.made_up import ADD, MEGABYTE, PRODUCT, Made, after, training

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
    """Only the launches are left, which the device does not wait for."""
    before = training()
    quick = after(before, "data-parallel:64,bandwidth=900000GB/s,latency=0us")
    assert replay(quick).makespan_ns == pytest.approx(replay(before).makespan_ns, rel=0.01)


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("data-parallel:1,bandwidth=1GB/s", "one worker has nobody to sum with"),
        ("data-parallel:2,bandwidth=1GB/s", "sizes of gradients are not in it: record it with record_shapes=True"),
        ("data-parallel:2,bandwidth=1GB/s,parameters=9,efficiency=0%", "links that reach 0 % of their bandwidth"),
        ("data-parallel:2", "data-parallel needs bandwidth"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, message: str) -> None:
    """With the reason."""
    with pytest.raises(InputError) as caught:
        after(training(gradient=0), text)
    assert message in str(caught.value)


def test_what_is_of_several_ranks_or_no_training_is_refused() -> None:
    """It has collectives, or no gradients."""
    with pytest.raises(InputError, match="it has collectives already"):
        after(training(), ASKED, ASKED)
    made = Made()
    made.kernel(ADD, Phase.FORWARD)
    with pytest.raises(InputError, match="it has no backward pass"):
        after(made.builder.built(), ASKED)
