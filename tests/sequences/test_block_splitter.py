"""The splitter ``block``: least cost, branches together, equal cuts for equal blocks."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.model.types import Model
from dlbricks.sequences.split import split
from dlbricks.sequences.splitters import FRESH_BYTES, START_BYTES, WindowCosts, branch_by_branch
from dlbricks.sequences.types import Granularity
from dlbricks.sequences.units import Units, units_of
from tests.sequences.drawn_models import layer, model, models, unique


def cost(units: Units, window: Sequence[int]) -> int:
    """What a window costs, as the module says it."""
    inside = set(window)
    moved = sum(
        flow.nbytes
        for flow in units.flows
        if (flow.producer in inside and (flow.leaves or not set(flow.consumers) <= inside))
        or (flow.producer not in inside and inside & set(flow.consumers))
    )
    return moved + START_BYTES * sum(not inside & set(units.predecessors[unit]) for unit in window)


@given(models(), st.integers(2, 5))
def test_a_window_is_prolonged_at_the_cost_that_it_then_has(drawn: Model, limit: int) -> None:
    """Summing up the changes from its start to its end gives what a window costs as a whole."""
    units = units_of(drawn)
    order = branch_by_branch(units)
    changes = WindowCosts(units, order, limit)._all_changes()
    for start in range(len(order)):
        total = 0
        for end in range(start, len(order)):
            total += sum(cost for first, last, cost in changes[end] if first <= start <= last)
            assert total == cost(units, order[start : end + 1])


def cuttings(count: int, limit: int) -> Iterator[list[tuple[int, int]]]:
    """Give every way to cut so many units into windows of at most so many."""
    if not count:
        yield []
    for length in range(1, min(limit, count) + 1):
        for before in cuttings(count - length, limit):
            yield [*before, (count - length, count)]


@settings(max_examples=50)
@given(models(), st.integers(2, 4))
def test_no_other_cutting_of_the_order_costs_less(drawn: Model, limit: int) -> None:
    """Dynamic programming finds what trying all finds; units that must stand alone do in both."""
    units = units_of(drawn)
    order = branch_by_branch(units)
    special = [units.members[unit].skip is not None or units.members[unit].weight == 0 for unit in order]
    costs = {
        (start, end): cost(units, order[start:end])
        for end in range(len(order) + 1)
        for start in range(max(0, end - limit), end)
        if end - start == 1 or not any(special[start:end])
    }
    best = min(
        sum(costs[window] for window in windows)
        for windows in cuttings(len(order), limit)
        if all(window in costs for window in windows)
    )
    assert sum(costs[window] for window in WindowCosts(units, order, limit).cheapest({})) == best


@given(models())
def test_the_order_is_topological(drawn: Model) -> None:
    """Each unit comes once, after all that it reads from."""
    units = units_of(drawn)
    place = {unit: at for at, unit in enumerate(branch_by_branch(units))}
    assert sorted(place) == list(range(len(units.members)))
    assert all(place[before] < place[unit] for unit in place for before in units.predecessors[unit])


def test_branches_stay_together() -> None:
    """Whatever the order in the file, one branch is finished before the next begins."""
    branches = [layer("Relu", [f"{name}{step}"], [f"{name}{step + 1}"]) for step in range(3) for name in "ab"]
    forked = [layer("Split", ["x"], ["a0", "b0"]), *branches, layer("Add", ["a3", "b3"], ["y"])]
    units = units_of(model(forked, ["y"]))
    assert branch_by_branch(units) == [0, 1, 3, 5, 2, 4, 6, 7]


def test_the_cut_is_where_the_fewest_bytes_cross() -> None:
    """The tensor in the middle is small, so that both halves end there although a longer window was allowed."""
    names = ["x", "a", "b", "c", "d", "e", "f"]
    layers = [layer("Relu", [before], [after]) for before, after in pairwise(names)]
    wide = dict.fromkeys(names, (100000,)) | {"c": (1,)}
    done = split(model(layers, ["f"], shapes=wide), Granularity(4))
    assert [sequence.layers for sequence in done.sequences] == [(0, 1, 2), (3, 4, 5)]


def test_a_table_that_all_blocks_read_does_not_move_the_cuts() -> None:
    """It costs each window that reads it once, not every cut that it passes."""
    names = ["x", *"abcdefgh"]
    layers = [layer("Sigmoid", ["m"], ["table"])]
    for at, (before, after) in enumerate(pairwise(names)):
        layers.append(layer("Add", [before, "table"], [after]) if at % 4 == 0 else layer("Relu", [before], [after]))
    shapes = dict.fromkeys(names, (1000,)) | {"d": (10,), "table": (10**6,)}
    done = split(model(layers, ["h"], shapes=shapes), Granularity(5))
    assert [sequence.layers for sequence in done.sequences] == [(0, 1, 2, 3, 4), (5, 6, 7, 8)]


def repeated(blocks: int) -> Model:
    """Make a network of equal blocks: five layers with a residual connection around them, tensors of 1 MB."""
    layers = []
    for block in range(blocks):
        start = f"y{block - 1}" if block else "x"
        names = [start, *(f"b{block}_{step}" for step in range(4))]
        operators = ("Relu", "Sigmoid", "Softmax", "Tanh")
        layers += [layer(kind, [a], [b]) for kind, (a, b) in zip(operators, pairwise(names), strict=True)]
        layers.append(layer("Add", [names[-1], start], [f"y{block}"]))
    made = [name for entry in layers for name in entry.outputs]
    return model(layers, [made[-1]], shapes=dict.fromkeys(["x", *made], (500, 500)))


def test_equal_blocks_are_cut_alike() -> None:
    """Cuts fall into step with the blocks.

    Twenty blocks of five are cut at their ends if H is near a multiple of five, else with the least common multiple as
    the period.
    """
    for limit in range(2, 17):
        different = unique([split(repeated(20), Granularity(limit))]).values()
        lengths = [len(entry.sequence.layers) for entry in different]
        assert sum(lengths) <= math.lcm(5, limit) + limit
        if limit in {5, 6, 7, 10, 11, 12, 13, 14}:
            assert lengths == [limit // 5 * 5]


def test_what_is_in_use_already_is_preferred() -> None:
    """The second pass takes no window that costs more than what it saves in measuring."""
    assert 0 < START_BYTES < FRESH_BYTES
    units = units_of(repeated(20))
    costs = WindowCosts(units, branch_by_branch(units), 4)
    first = costs.cheapest({})
    second = costs.cheapest(costs.savings(first))
    order = branch_by_branch(units)

    def total(windows: Sequence[tuple[int, int]]) -> int:
        return sum(cost(units, order[start:end]) for start, end in windows)

    assert total(first) <= total(second) <= total(first) + FRESH_BYTES * len(order)
