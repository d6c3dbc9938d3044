"""All-reduces put together: each pays for its start once, and what waited for one waits for all."""

from typing import Any

import numpy as np
import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transforms.links import sums
from tests.whatif.training.made_up import ADD, HOST, PRODUCT_BACK, SIDE, Made, after


def one_by_one(times: tuple[int, ...] = (50_000, 30_000, 40_000), **figures: Any) -> DependencyGraph:
    """Give gradients of which each is copied, summed, and waited for before the next is copied; then an update."""
    made = Made()
    made.kernel(PRODUCT_BACK, Phase.BACKWARD)
    before = None
    for time in times:
        copy = made.kernel("copy", Phase.BACKWARD, 20_000)
        if before is not None:
            made.builder.edge(EdgeKind.STREAM, before, copy)
        made.builder.task(TaskKind.CPU, "cudaStreamWaitEvent", HOST, 1_000, gap_ns=9_000, phase=Phase.BACKWARD)
        before = made.on(SIDE, TaskKind.COLLECTIVE, "ncclKernel_AllReduce", Phase.BACKWARD, time, **figures)
        made.builder.edge(EdgeKind.STREAM, copy, before)
        made.builder.task(TaskKind.CPU, "cudaEventRecord", HOST, 1_000, gap_ns=9_000, phase=Phase.BACKWARD)
    update = made.kernel(ADD, Phase.UPDATE)
    made.builder.edge(EdgeKind.STREAM, before or 0, update)
    return made.builder.built()


def test_each_pays_for_its_start_once() -> None:
    """50 + 30 + 40 us, of which 30 are taken for what a start takes."""
    graph = after(one_by_one(), "bucket:buckets=1")
    assert graph.duration_ns[sums(graph)].tolist() == [60_000]


def test_what_waited_waits_for_the_whole() -> None:
    """Copies, which had waited for each other's sums, do not wait any more; the update does."""
    graph = after(one_by_one(), "bucket:buckets=1")
    plan = replay(graph)
    copies, update = select(graph, name="^copy"), select(graph, name="AddFunctor")[0]
    whole = sums(graph)[0]
    assert plan.start_ns[whole] >= plan.end_ns[copies].max()
    assert plan.start_ns[update] >= plan.end_ns[whole]
    assert (np.diff(plan.start_ns[copies]) < 50_000).all()


def test_calls_that_tied_the_streams_go_with_their_launches() -> None:
    """Those of the all-reduce that is left stay."""
    before = one_by_one()
    graph = after(before, "bucket:buckets=1")
    for name, count in (("cudaStreamWaitEvent", 1), ("cudaEventRecord", 1), ("^copy", 3), ("^cudaLaunchKernel", 6)):
        assert len(select(graph, name=name)) == count


def test_as_many_buckets_as_all_reduces_change_nothing() -> None:
    """Nor do more."""
    for count in (3, 99):
        graph = after(one_by_one(), f"bucket:buckets={count}")
        assert replay(graph).start_ns.tolist() == replay(one_by_one()).start_ns.tolist()


def test_sizes_fill_buckets() -> None:
    """Of 1 MB each, two fill one of 1.5 MB; the bytes stay."""
    graph = after(one_by_one(bytes=1e6, group_size=2), "bucket:1.5MB")
    assert graph.attributes["bytes"][sums(graph)].tolist() == [2e6, 1e6]


@pytest.mark.parametrize(
    ("graph", "text", "message"),
    [
        (one_by_one(), "bucket", "it does not tell the sizes of its all-reduces: give buckets=NUMBER"),
        (one_by_one(), "bucket:buckets=some", "buckets 'some' is no number"),
        (one_by_one((1,)), "bucket:buckets=1", "it has no all-reduces to put together"),
        (one_by_one(bytes=1e6), "bucket:0MB", "buckets of 0 bytes hold nothing"),
    ],
)
def test_what_makes_no_sense_is_refused(graph: DependencyGraph, text: str, message: str) -> None:
    """With what to give instead."""
    with pytest.raises(InputError) as caught:
        after(graph, text)
    assert message in str(caught.value)
