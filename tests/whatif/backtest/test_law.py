"""The law of answers: it holds for made training, and tells a loss that nothing explains from one that is explained."""

import pytest

from dlbricks.whatif.backtest.law import PHANTOM, QUESTIONS, QUICKER, REFUSED, SAME, SLOWER, judge
from dlbricks.whatif.edit import NewEdge, inserted
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind
from dlbricks.whatif.transform import Transform, read_step
from tests.whatif.made_up import KNOWN, layers, training

GRAPHS = {
    "bound by loading": training(load_ns=2_000_000),
    "bound by its device": training(),
    "bound by launches": training(launch_ns=300_000),
    "layers of a processor": layers(("Conv", 3000, 1e6, 1e5, 1e5), ("Relu", 1000, 1e3, 1e5, 1e5)),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_the_law_holds(name: str) -> None:
    """Whatever is asked; some of it gains, some loses, some is refused in a line."""
    made = [judge(GRAPHS[name], one, [read_step(text, KNOWN) for text in one.split()]) for one in QUESTIONS]
    assert {one.outcome for one in made} <= {QUICKER, SAME, SLOWER, REFUSED}
    assert {QUICKER, SLOWER, REFUSED} <= {one.outcome for one in made}
    assert all("\n" not in one.said for one in made)


def test_every_transform_is_asked() -> None:
    """Whoever adds one adds its question."""
    asked = {text.partition(":")[0] for one in QUESTIONS for text in one.split()}
    assert asked == set(KNOWN)


def test_a_loss_by_nothing_is_a_phantom() -> None:
    """Neither was a task added, nor does one take longer; kernels twice as long explain what they cost."""
    graph = training(steps=1, layers=1)
    phantom = Transform(name="phantom", title="t", source="s", apply=lambda one, _: _lagging(one))
    assert judge(graph, "phantom", [(phantom, {})]).outcome == PHANTOM
    assert judge(graph, "scale", [read_step("scale:2,kind=kernel", KNOWN)]).outcome == SLOWER


def _lagging(graph: DependencyGraph) -> DependencyGraph:
    first, second = [row for row, kind in enumerate(graph.kind.tolist()) if kind == TaskKind.KERNEL][:2]
    return inserted(graph, (), [NewEdge(kind=EdgeKind.STREAM, first=first, second=second, lag_ns=10_000_000)]).graph
