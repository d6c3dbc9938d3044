"""Units: groups and layers with their views."""

from dataclasses import replace

import pytest
from hypothesis import given

from dlbricks.model.types import Model
from dlbricks.sequences.units import Units, units_of
from tests.sequences.drawn_models import SKIPPED, connected_pieces, integers, is_convex, layer, model, models


def members(units: Units) -> list[tuple[int, ...]]:
    """Give the layers of each unit."""
    return [unit.layers for unit in units.members]


@given(models())
def test_every_layer_is_in_one_unit_and_groups_stay_whole(drawn: Model) -> None:
    """Units cover the layers exactly; a group that can be measured lies in one unit."""
    units = units_of(drawn)
    assert sorted(index for layers in members(units) for index in layers) == list(range(len(drawn.layers)))
    for group in drawn.groups:
        if all(drawn.layers[index].skip is None for index in group):
            homes = {unit for unit, layers in enumerate(members(units)) if set(layers) & set(group)}
            assert len(homes) == 1 or all(drawn.layers[index].is_view for index in group)


@given(models())
def test_units_are_connected_and_convex_and_feed_forwards_only(drawn: Model) -> None:
    """Attaching views makes no circle, and no unit of pieces that do not touch."""
    units = units_of(drawn)
    for unit, layers in enumerate(members(units)):
        assert connected_pieces(drawn.layers, layers) == [list(layers)]
        assert is_convex(drawn.layers, layers)
        assert all(before < unit for before in units.predecessors[unit])
        assert all(unit in units.predecessors[after] for after in units.successors[unit])


@given(models())
def test_views_are_alone_only_where_there_is_nothing_else(drawn: Model) -> None:
    """A unit of views only, the one kind that counts nothing for H, is a whole connected part of the network."""
    units = units_of(drawn)
    parts = connected_pieces(drawn.layers, range(len(drawn.layers)))
    for unit in units.members:
        views = all(drawn.layers[index].is_view and drawn.layers[index].skip is None for index in unit.layers)
        assert unit.weight == (0 if views else 1)
        assert not views or list(unit.layers) in parts


@given(models())
def test_a_skipped_layer_shares_its_unit_with_views_at_most(drawn: Model) -> None:
    """What no benchmark can hold takes no real layer down with it."""
    for unit in units_of(drawn).members:
        skipped = [index for index in unit.layers if drawn.layers[index].skip]
        assert len(skipped) <= 1
        assert unit.skip == (SKIPPED if skipped else None)
        assert not skipped or all(drawn.layers[index].is_view for index in unit.layers if index not in skipped)


@given(models())
def test_flows_are_what_passes_between_units(drawn: Model) -> None:
    """Each tensor that another unit or the user reads is listed once, with its size and its readers."""
    units = units_of(drawn)
    home = {index: unit for unit, layers in enumerate(members(units)) for index in layers}
    seen = {flow.tensor: flow for flow in units.flows}
    assert len(seen) == len(units.flows)
    for index, entry in enumerate(drawn.layers):
        for tensor in filter(None, entry.outputs):
            readers = {home[at] for at, other in enumerate(drawn.layers) if tensor in other.reads} - {home[index]}
            assert (tensor in seen) == bool(readers or tensor in drawn.outputs)
            if tensor in seen:
                flow = seen[tensor]
                assert (flow.producer, set(flow.consumers)) == (home[index], readers)
                assert (flow.leaves, flow.nbytes) == (tensor in drawn.outputs, drawn.tensors[tensor].nbytes)


def test_a_view_joins_the_one_unit_it_feeds() -> None:
    """Also through further views."""
    layers = [
        layer("Relu", ["x"], ["a"]),
        layer("Identity", ["a"], ["b"]),
        layer("Flatten", ["b"], ["c"]),
        layer("Relu", ["c"], ["d"]),
        layer("Relu", ["d"], ["e"]),
    ]
    assert members(units_of(model(layers, ["e"]))) == [(0,), (1, 2, 3), (4,)]


def test_a_view_that_feeds_several_units_stays_with_its_maker() -> None:
    """So does one that leaves the network."""
    forked = [layer("Relu", ["x"], ["a"]), layer("Identity", ["a"], ["b"])]
    readers = [layer("Relu", ["b"], ["c"]), layer("Sigmoid", ["b"], ["d"])]
    assert members(units_of(model([*forked, *readers], ["c", "d"]))) == [(0, 1), (2,), (3,)]
    assert members(units_of(model([*forked, readers[0]], ["b", "c"]))) == [(0, 1), (2,)]


def test_a_view_of_an_input_joins_the_first_unit_it_feeds() -> None:
    """There is no maker to stay with."""
    layers = [
        layer("Identity", ["x"], ["a"]),
        layer("Relu", ["y"], ["b"]),
        layer("Add", ["b", "a"], ["c"]),
        layer("Add", ["c", "a"], ["d"]),
    ]
    assert members(units_of(model(layers, ["d"]))) == [(1,), (0, 2), (3,)]


def test_a_view_with_a_computed_shape_stays_with_what_makes_the_shape() -> None:
    """Joining the maker of its data would make a circle through the maker of its shape."""
    layers = [
        layer("Relu", ["x"], ["a"]),
        layer("Shape", ["a"], ["s"]),
        layer("Reshape", ["a", "s"], ["b"]),
        layer("Relu", ["b"], ["c"]),
        layer("Sigmoid", ["b"], ["d"]),
    ]
    assert members(units_of(model(layers, ["c", "d"]))) == [(0,), (1, 2), (3,), (4,)]


def test_views_of_inputs_do_not_draw_others_away_from_layers() -> None:
    """A view between a layer and a view of an input stays with the layer, wherever the file has that view."""
    layers = [
        layer("Relu", ["x"], ["a"]),
        layer("Identity", ["s"], ["t"]),
        layer("Reshape", ["a", "t"], ["b"]),
        layer("Reshape", ["y", "t"], ["c"]),
        layer("Sigmoid", ["c"], ["d"]),
    ]
    assert members(units_of(model(layers, ["b", "d"]))) == [(0, 1, 2), (3, 4)]


def test_views_keep_away_from_skipped_layers() -> None:
    """They go to the other side where there is one."""

    def members_with(skipped: int) -> list[tuple[int, ...]]:
        layers = [layer("Relu", ["x"], ["a"]), layer("Identity", ["a"], ["b"]), layer("Relu", ["b"], ["c"])]
        layers[skipped] = replace(layers[skipped], skip=SKIPPED)
        return members(units_of(model(layers, ["c"])))

    assert members_with(0) == [(0,), (1, 2)]
    assert members_with(2) == [(0, 1), (2,)]


def test_a_network_of_views_gives_one_unit_per_connected_part() -> None:
    """Nothing else is there to attach them to."""
    layers = [
        layer("Reshape", ["x", "s"], ["a"]),
        layer("Identity", ["y"], ["b"]),
        layer("Identity", ["a"], ["c"]),
    ]
    units = units_of(model(layers, ["b", "c"], constants=[integers("s", (2, 2))]))
    assert members(units) == [(0, 2), (1,)]
    assert [unit.weight for unit in units.members] == [0, 0]


def test_groups_in_a_circle_are_refused() -> None:
    """Each group is convex, yet each needs the other."""
    layers = [layer("Relu", [f"in{index}"], [f"a{index}"]) for index in range(2)]
    layers += [layer("Add", ["a0", "a1"], ["b0"]), layer("Add", ["a1", "a0"], ["b1"])]
    with pytest.raises(ValueError, match="cyclic"):
        units_of(model(layers, ["b0", "b1"], groups=[(0, 2), (1, 3)]))
