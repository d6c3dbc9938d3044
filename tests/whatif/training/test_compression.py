"""Compressed gradients: less to send, more to compute, and nothing to gain with a large share and many ranks."""

import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transforms.all_reduce import COMPRESS, RESTORE
from dlbricks.whatif.transforms.links import collective_rows
from tests.whatif.training.made_up import after, training

PARALLEL = "data-parallel:4,bandwidth=8Gbps,latency=0us,efficiency=100%,first=1MB,size=1MB"
COMPRESSED = "deep-gradient-compression:{},bandwidth=8Gbps,latency=0us,efficiency=100%,memory=80GB/s"


def test_each_rank_sends_values_and_places_of_its_share() -> None:
    """1 % of 1 MB, twice, from each of three others at 1 GB/s."""
    graph = after(training(), PARALLEL, COMPRESSED.format("1%"))
    assert set(graph.duration_ns[collective_rows(graph)].tolist()) == {60_000}


def test_gradients_are_compressed_before_and_restored_behind() -> None:
    """1 MB, 8 times, at 80 GB/s."""
    graph = after(training(steps=1), PARALLEL, COMPRESSED.format("1%"))
    plan, rows = replay(graph), collective_rows(graph)
    before, behind = select(graph, name=COMPRESS), select(graph, name=RESTORE)
    assert graph.duration_ns[before].tolist() == [100_000] * 3
    assert (plan.start_ns[rows] >= plan.end_ns[before]).all()
    assert (plan.start_ns[behind] >= plan.end_ns[rows]).all()
    update = select(graph, name="AddFunctor")[0]
    assert plan.start_ns[update] >= plan.end_ns[behind].max()


def test_a_large_share_among_many_is_slower_than_none() -> None:
    """What is sparse cannot be summed on the way."""
    sent = PARALLEL.replace(":4", ":64")
    flat = replay(after(training(gradient=50e6), sent)).makespan_ns
    assert replay(after(training(gradient=50e6), sent, COMPRESSED.format("50%"))).makespan_ns > flat
    assert replay(after(training(gradient=50e6), sent, COMPRESSED.format("0.1%"))).makespan_ns < flat


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((COMPRESSED.format("1%"),), "it has no all-reduces: ask data-parallel first"),
        ((PARALLEL, COMPRESSED.format("0%")), "a share of 0 sends nothing"),
    ],
)
def test_what_makes_no_sense_is_refused(texts: tuple[str, ...], message: str) -> None:
    """With the reason."""
    with pytest.raises(InputError, match=message):
        after(training(), *texts)
