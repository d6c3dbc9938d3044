"""Walks of graphs: what results need, depth-first order, topological order of calls."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.model.order import by_dependency, depth_first, needed_for, topological

Edges = list[list[int]]


@st.composite
def acyclic(draw: st.DrawFn) -> Edges:
    """Draw for each node those before it, all with smaller numbers."""
    count = draw(st.integers(0, 12))
    return [sorted(draw(st.sets(st.integers(0, node - 1)))) if node else [] for node in range(count)]


def reached(ends: list[int], before: Edges) -> set[int]:
    """All nodes before some, themselves included, by the definition."""
    nodes = set(ends)
    while True:
        more = nodes | {other for node in nodes for other in before[node]}
        if more == nodes:
            return nodes
        nodes = more


@given(acyclic(), st.data())
def test_calls_are_needed_if_a_result_depends_on_them(before: Edges, data: st.DataObject) -> None:
    """Every call writes its number; names of omitted tensors connect nothing."""
    ends = data.draw(st.lists(st.sampled_from(range(len(before))), max_size=3)) if before else []
    calls = [((*map(str, others), ""), (str(node), "")) for node, others in enumerate(before)]
    assert needed_for(map(str, ends), calls) == sorted(reached(ends, before))


@given(acyclic(), st.data())
def test_depth_first_lists_what_ends_depend_on_behind_what_it_depends_on(before: Edges, data: st.DataObject) -> None:
    """Each node once, behind all nodes before it."""
    ends = data.draw(st.lists(st.sampled_from(range(len(before))), max_size=3)) if before else []
    order = depth_first(ends, before.__getitem__)
    assert sorted(order) == sorted(reached(ends, before))
    assert all(order.index(other) < order.index(node) for node in order for other in before[node])


def test_depth_first_finishes_one_branch_before_the_next() -> None:
    """Branches follow one after another, in the order in which they are read."""
    before = {"end": ["a2", "b2"], "a2": ["a1"], "b2": ["b1"], "a1": ["start"], "b1": ["start"], "start": []}
    assert depth_first(["end"], before.__getitem__) == ["start", "a1", "a2", "b1", "b2", "end"]


@given(acyclic(), st.randoms(use_true_random=False))
def test_shuffled_calls_come_back_in_topological_order(before: Edges, random: Random) -> None:
    """Calls in order keep their places; others are sorted as ``topological`` does by their present ones."""
    names = [[str(other) for other in others] for others in before]
    assert by_dependency(names, {str(node): node for node in range(len(before))}) == [*range(len(before))]
    places = [*range(len(before))]
    random.shuffle(places)
    shuffled = [names[node] for node in places]
    makers = {str(node): at for at, node in enumerate(places)}
    order = by_dependency(shuffled, makers)
    feeds = [{at for at, reads in enumerate(shuffled) if str(node) in reads} for node in places]
    assert order == topological(feeds, [(at, 0) for at in range(len(places))])
    assert all(order.index(makers[name]) < order.index(at) for at, reads in enumerate(shuffled) for name in reads)


def test_calls_on_a_cycle_and_behind_it_are_left_out() -> None:
    """What does not depend on the cycle stays."""
    assert by_dependency([["b"], ["a"], ["b"], []], {"a": 0, "b": 1, "c": 2, "d": 3}) == [3]
