"""P3: all gradients go up and come down, those first that the next forward pass needs first."""

import numpy as np
import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.graph import Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.transforms.data_parallel import PULL, PUSH
from tests.whatif.training.made_up import PRODUCT, after, asked, ran, training

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
    assert "parameter servers update the parameters: the update of the trace is left out" in graph.notes


def test_it_composes_with_what_comes_behind() -> None:
    """Priorities are those of the graph in the end."""
    applied = asked(training(), SLOW, "gist")
    assert ran(applied).makespan_ns > 0


@pytest.mark.parametrize(
    ("text", "message"),
    [("p3:1GB/s,size=0MB", "slices of 0 bytes hold nothing"), ("p3:1GB/s", "sizes of gradients are not in it")],
)
def test_what_makes_no_sense_is_refused(text: str, message: str) -> None:
    """With the reason."""
    with pytest.raises(InputError, match=message):
        after(training(gradient=0), text)
