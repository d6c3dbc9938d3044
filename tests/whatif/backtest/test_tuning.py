"""Fitting parameters of transforms to other networks."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.trace.types import Lane
from dlbricks.whatif.backtest.learning import Tuned, tuned
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, GraphBuilder, TaskKind
from dlbricks.whatif.transforms import known

KNOWN = known()


def network(name: str, time_ns: int) -> DependencyGraph:
    """Make a network of two equal layers of the host, one behind the other."""
    builder = GraphBuilder(name=name)
    lane = Lane(process="p", name="host")
    for layer in ("first", "second"):
        builder.task(TaskKind.CPU, layer, lane, time_ns, layer=layer, operator="Gemm", flops=1e6)
    builder.edge(EdgeKind.DATA, 0, 1)
    return builder.built()


@given(st.floats(1e3, 1e9), st.floats(1e3, 1e9))
def test_the_truth_of_a_network_has_no_say_in_its_own_prediction(truth: float, other: float) -> None:
    """Whatever was measured of it, the same choice is made for it."""
    predicted = {name: np.array([1e5, 2e5, 4e5]) for name in ("mine", "a", "b")}
    made = [
        Tuned(asked=("x", "y", "z"), predicted_ns=predicted, truth_ns={"mine": mine, "a": 2e5, "b": other})
        for mine in (truth, 3e5)
    ]
    assert made[0].without("mine") == made[1].without("mine")


def test_what_made_the_others_is_found() -> None:
    """Networks that were made with one choice lead to it, and so to the time of the one that is left out."""
    graphs = {name: network(name, time_ns) for name, time_ns in (("a", 100_000), ("b", 300_000), ("c", 900_000))}
    choices = {"handing": ("0us", "10us", "50us")}
    wanted = {name: 2.0 * (graph.duration_ns[0] + 10_000) for name, graph in graphs.items()}
    made = tuned("parallel-executor:1", choices, graphs, wanted, KNOWN)
    assert made.asked == tuple(f"parallel-executor:1,handing={text}" for text in choices["handing"])
    assert made.without("a") == ("parallel-executor:1,handing=10us", 220_000.0)


def test_networks_that_a_transform_refuses_are_left_out() -> None:
    """A network without convolutions has no layout to be asked about, and alone nothing is fitted to."""
    graphs = {"a": network("a", 1_000)}
    made = tuned("layout:blocked", {"dense": ("1", "2")}, graphs, {"a": 1.0}, KNOWN)
    assert made.without("a") is None
    assert not made.predicted_ns
