"""All-reduces in stages: those between nodes carry only a part of the bytes."""

import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.select import select
from dlbricks.whatif.transforms.links import collective_rows
from tests.whatif.training.made_up import after, asked, ran, training

PARALLEL = "data-parallel:8,bandwidth=8Gbps,latency=0us,efficiency=100%,first=1MB,size=1MB"
STAGED = "blueconnect:4,inside_bandwidth=8GB/s,bandwidth=8Gbps,latency=0us,efficiency=100%"


def test_each_all_reduce_becomes_four_stages() -> None:
    """1 MB: 3/4 at 8 GB/s, half of a quarter at 1 GB/s, and back."""
    graph = after(training(steps=1, layers=1), PARALLEL, STAGED)
    assert graph.duration_ns[collective_rows(graph)].tolist() == [93_750, 125_000, 125_000, 93_750]


def test_stages_follow_each_other_and_the_update_waits_for_the_last() -> None:
    """Of each all-reduce; those of several run beside each other."""
    applied = asked(training(steps=1, layers=3), PARALLEL, STAGED)
    plan, graph = ran(applied), applied.graph
    rows = collective_rows(graph)
    for chain in (rows[0:4], rows[4:8], rows[8:12]):
        assert (plan.start_ns[chain][1:] >= plan.end_ns[chain][:-1]).all()
    assert plan.start_ns[rows[4]] < plan.end_ns[rows[3]]
    update = select(graph, name="AddFunctor")[0]
    assert plan.start_ns[update] == plan.end_ns[rows].max()


def test_it_pays_where_links_inside_nodes_are_quick() -> None:
    """And not where they are as slow as those between."""
    flat = asked(training(gradient=50e6), PARALLEL)
    quick = asked(training(gradient=50e6), PARALLEL, STAGED)
    assert ran(quick).makespan_ns < ran(flat).makespan_ns
    slow = asked(training(gradient=50e6), PARALLEL, STAGED.replace("8GB/s", "1GB/s"))
    assert ran(quick).makespan_ns < ran(slow).makespan_ns


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((STAGED,), "it has no all-reduces: ask data-parallel first"),
        ((PARALLEL, STAGED.replace(":4", ":3")), "8 ranks do not make two nodes or more of 3 each"),
        ((PARALLEL, STAGED.replace(":4", ":8")), "8 ranks do not make two nodes or more of 8 each"),
    ],
)
def test_what_makes_no_sense_is_refused(texts: tuple[str, ...], message: str) -> None:
    """With the reason."""
    with pytest.raises(InputError, match=message):
        after(training(), *texts)
