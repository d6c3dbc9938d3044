"""Another network: what is transfer scales, what may be waiting is not touched."""

from typing import Any

import pytest

from dlbricks.errors import InputError
from dlbricks.trace.types import Lane
from dlbricks.whatif.graph import DependencyGraph, GraphBuilder, TaskKind
from dlbricks.whatif.sources.load import with_rendezvous
from dlbricks.whatif.transforms.links import collective_rows
from tests.whatif.training.made_up import after, training

PARALLEL = "data-parallel:4,latency=10us,bandwidth="


def ranks(count: int, **figures: Any) -> DependencyGraph:
    """Give ranks that come to an all-reduce 1 ms after each other, and leave it 2 ms after the last has come."""
    builder = GraphBuilder(name="ranks")
    end = 1_000_000 * (count - 1) + 2_000_000
    for rank in range(count):
        lane = Lane(process=f"rank {rank}", name="stream 7", device=f"gpu {rank}")
        start = 1_000_000 * rank
        builder.task(
            TaskKind.COLLECTIVE, "ncclAllReduce_Sum_f32", lane, end - start, release_ns=start,
            measured_start_ns=start, measured_end_ns=end, **figures,
        )  # fmt: skip
    return with_rendezvous(builder.built())


def test_asked_later_is_asked_at_once() -> None:
    """A network of another bandwidth is the network that could have been asked about first."""
    graph = training()
    later = after(graph, f"{PARALLEL}1Gbps", "bandwidth:40Gbps,latency=10us")
    assert later.duration_ns.tolist() == after(graph, f"{PARALLEL}40Gbps").duration_ns.tolist()


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


@pytest.mark.parametrize(
    ("graph", "text", "message"),
    [
        (training(), "bandwidth:25Gbps", "it has no collectives: ask data-parallel first"),
        (ranks(1), "bandwidth:25Gbps", "its collectives were recorded on one rank, where most of their time may be"),
        (ranks(2), "bandwidth:25Gbps", "the size or the group of 2 collectives is not in it: give now=RATE"),
        (ranks(2), "bandwidth:25Gbps,now=fast", "now: bandwidth 'fast' is no rate"),
    ],
)
def test_what_cannot_be_known_is_refused(graph: DependencyGraph, text: str, message: str) -> None:
    """With what to give instead."""
    with pytest.raises(InputError) as caught:
        after(graph, text)
    assert message in str(caught.value)
