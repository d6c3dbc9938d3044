"""Laws of all splitters, and what each of them is for."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.model.types import Model
from dlbricks.sequences.split import SPLITTERS, end_to_end, pairs, sequences_of, split, strip_boundary_views
from dlbricks.sequences.types import Granularity, Split
from dlbricks.sequences.units import units_of
from tests.sequences.drawn_models import (
    GRANULARITIES,
    SKIPPED,
    connected_pieces,
    is_convex,
    layer,
    model,
    models,
    weight,
)

GRAINS = st.sampled_from(GRANULARITIES)
SPLITTER = st.sampled_from(sorted(SPLITTERS))


def cover(done: Split) -> list[tuple[int, ...]]:
    """Give the layers of each sequence."""
    return [sequence.layers for sequence in done.sequences]


@given(models(), GRAINS, SPLITTER)
def test_sequences_cover_the_network_exactly_in_connected_convex_pieces(
    drawn: Model, grain: Granularity, splitter: str
) -> None:
    """Each layer is in one sequence; no path leaves a sequence and comes back; no sequence falls apart."""
    done = split(drawn, grain, splitter)
    assert sorted(index for layers in cover(done) for index in layers) == list(range(len(drawn.layers)))
    for layers in cover(done):
        assert list(layers) == sorted(layers)
        assert connected_pieces(drawn.layers, layers) == [list(layers)]
        assert is_convex(drawn.layers, layers)


@given(models(), GRAINS, SPLITTER)
def test_sequences_hold_whole_units_and_no_more_than_h(drawn: Model, grain: Granularity, splitter: str) -> None:
    """A unit is never cut; what cannot be measured and what is views only shares its sequence with no other unit."""
    units = [(set(unit.layers), unit.weight, unit.skip) for unit in units_of(drawn).members]
    for sequence in split(drawn, grain, splitter).sequences:
        inside = [unit for unit in units if unit[0] & set(sequence.layers)]
        assert set().union(*(layers for layers, _, _ in inside)) == set(sequence.layers)
        assert grain.limit is None or sum(weight for _, weight, _ in inside) <= grain.limit
        assert len(inside) == 1 or all(weight and skip is None for _, weight, skip in inside)


@given(models(), GRAINS, SPLITTER)
def test_sequences_come_after_those_they_depend_on(drawn: Model, grain: Granularity, splitter: str) -> None:
    """``depends_on`` names exactly the sequences that make what a sequence reads, and all of them come earlier."""
    done = split(drawn, grain, splitter)
    maker = {tensor: number for number, sequence in enumerate(done.sequences) for tensor in sequence.outputs}
    for number, (sequence, before) in enumerate(zip(done.sequences, done.depends_on, strict=True)):
        assert list(before) == sorted({maker[tensor] for tensor in sequence.inputs if tensor in maker})
        assert all(other < number for other in before)


@given(models(), GRAINS, SPLITTER)
def test_boundaries_are_what_crosses_them(drawn: Model, grain: Granularity, splitter: str) -> None:
    """Inputs come from outside in order of first use, outputs are used outside or by the user, constants are apart."""
    for sequence in split(drawn, grain, splitter).sequences:
        layers = [drawn.layers[index] for index in sequence.layers]
        made = [tensor for entry in layers for tensor in entry.outputs if tensor]
        outside = {tensor for entry in drawn.layers if entry not in layers for tensor in entry.reads}
        used = list(dict.fromkeys(tensor for entry in layers for tensor in entry.reads if tensor not in made))
        assert sequence.inputs == tuple(tensor for tensor in used if tensor not in drawn.constants)
        assert sequence.constants == tuple(tensor for tensor in used if tensor in drawn.constants)
        assert sequence.outputs == tuple(tensor for tensor in made if tensor in outside | set(drawn.outputs))
        assert (sequence.skip is not None) == (not sequence.outputs or any(entry.skip for entry in layers))


@given(models(skips=False))
def test_without_limit_block_takes_each_connected_part_whole(drawn: Model) -> None:
    """So H = inf is the network from end to end, and any H that reaches it is the same."""
    parts = connected_pieces(drawn.layers, range(len(drawn.layers)))
    for limit in (None, len(drawn.layers)):
        assert sorted(map(list, cover(split(drawn, Granularity(limit))))) == parts


@given(models(), GRAINS)
def test_windows_of_the_paper_read_from_within(drawn: Model, grain: Granularity) -> None:
    """They are runs of the order, and every unit after the first takes all that is no constant from its own window."""
    units = units_of(drawn)
    parts = SPLITTERS["paper"](units, grain)
    assert [unit for part in parts for unit in part] == list(range(len(units.members)))
    for part in parts:
        for unit in part[1:]:
            assert not units.members[unit].from_input
            assert set(units.predecessors[unit]) <= set(part)


@given(models(), GRAINS)
def test_the_paper_peels_single_units_only_where_a_window_cannot_run(drawn: Model, grain: Granularity) -> None:
    """As Algorithm 2 says, read slowly: build the window and look at each unit."""
    units = units_of(drawn)
    width = grain.limit or len(units.members)
    begin = 0
    for part in SPLITTERS["paper"](units, grain):
        window = range(begin, min(begin + width, len(units.members)))
        alone = [units.members[unit].skip is not None or units.members[unit].weight == 0 for unit in window]
        inner = [
            bool(units.predecessors[unit])
            and set(units.predecessors[unit]) <= set(window)
            and not units.members[unit].from_input
            for unit in window[1:]
        ]
        runnable = all(inner) and not any(alone[1:]) and not (alone[0] and len(window) > 1)
        assert part == (list(window) if runnable else [begin])
        begin += len(part)


def residual() -> Model:
    """Two branches of two layers each, both starting at the input layer and meeting in a sum."""
    return model(
        [
            layer("Relu", ["x"], ["stem"]),
            layer("Relu", ["stem"], ["a"]),
            layer("Sigmoid", ["a"], ["b"]),
            layer("Relu", ["stem"], ["c"]),
            layer("Add", ["b", "c"], ["sum"]),
            layer("Softmax", ["sum"], ["y"]),
        ],
        ["y"],
    )


def test_the_splitters_cut_a_residual_block_each_in_its_way() -> None:
    """A window of the paper breaks at the join, a block takes all."""
    assert cover(split(residual(), Granularity(6), "block")) == [(0, 1, 2, 3, 4, 5)]
    assert cover(split(residual(), Granularity(4), "paper")) == [(0, 1, 2, 3), (4, 5)]
    assert cover(split(residual(), Granularity(3), "paper")) == [(0, 1, 2), (3,), (4, 5)]


def test_a_mask_may_join_anywhere() -> None:
    """A side input that all blocks use does not hinder blocks."""
    tensors = ["x", *(f"t{index}" for index in range(8))]
    layers = [layer("Sigmoid", ["m"], ["mask"])]
    layers += [layer("Add", [before, "mask"], [after]) for before, after in pairwise(tensors)]
    lengths = [len(layers) for layers in cover(split(model(layers, ["t7"]), Granularity(4)))]
    assert sorted(lengths) == [1, 4, 4]


def test_a_skipped_layer_parts_what_is_before_it_from_what_is_after() -> None:
    """Also without a limit; what it does not part stays together."""
    layers = [
        layer("Relu", ["x"], ["a"]),
        layer("Relu", ["a"], ["b"], skip=SKIPPED),
        layer("Relu", ["a"], ["c"]),
        layer("Add", ["b", "c"], ["d"]),
        layer("Relu", ["d"], ["e"]),
    ]
    done = split(model(layers, ["e"]), Granularity(None))
    assert cover(done) == [(0, 2), (1,), (3, 4)]
    assert [sequence.skip for sequence in done.sequences] == [None, SKIPPED, None]


def test_the_whole_network_is_one_sequence() -> None:
    """Its boundary is that of the model, constants apart."""
    network = model([layer("Mul", ["x", "w"], ["a"]), layer("Relu", ["z"], ["b"])], ["a", "b"], constants=[weight("w")])
    sequence = end_to_end(network)
    assert (sequence.layers, sequence.skip) == ((0, 1), None)
    assert (sequence.inputs, sequence.outputs, sequence.constants) == (("x", "z"), ("a", "b"), ("w",))


@pytest.mark.parametrize("splitter", sorted(SPLITTERS))
def test_a_network_without_layers_has_no_sequences(splitter: str) -> None:
    """Everything was folded into constants, or inputs are outputs."""
    empty = model([], [])
    assert all(split(empty, grain, splitter).sequences == () for grain in GRANULARITIES)
    assert end_to_end(empty).skip == "nothing reads its outputs"


def test_values_that_are_no_tensors_cannot_cross_a_boundary() -> None:
    """Nothing could be bound there."""
    network = model([layer("Relu", ["x"], ["a"])], ["a"])
    odd = {name: spec.__class__(name=name, dtype="", shape=()) for name, spec in network.tensors.items()}
    broken = Model(**{field: getattr(network, field) for field in network.__slots__} | {"tensors": odd})
    assert split(broken, Granularity(1)).sequences[0].skip == "one of its inputs or outputs is not a tensor"


@pytest.mark.parametrize("name", ["blocks", "chain"])
def test_an_unknown_splitter_is_refused_with_the_choices(name: str) -> None:
    """One line that says what to use instead; suites of older versions may state ``chain``."""
    with pytest.raises(InputError, match=f"splitter '{name}' is not supported: use block or paper"):
        split(residual(), Granularity(1), name)


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "", "INF", "²"])
def test_a_granularity_is_a_whole_number_or_inf(text: str) -> None:
    """Anything else is refused; what is accepted is written as it was read."""
    with pytest.raises(InputError, match="invalid granularity"):
        Granularity.parse(text)
    assert [str(Granularity.parse(good)) for good in ("1", "12", "inf")] == ["1", "12", "inf"]


def usable(done: Split, number: int) -> bool:
    """Whether a benchmark is made of a sequence."""
    sequence = done.sequences[number]
    return sequence.skip is None and not all(done.model.layers[index].is_view for index in sequence.layers)


@given(models(), st.sampled_from(GRANULARITIES))
def test_pairs_are_all_sequences_with_nothing_between_them(drawn: Model, granularity: Granularity) -> None:
    """Exactly those, found by following all paths; unions are convex and read and write what their layers do."""
    done = split(drawn, granularity)
    behind = [set(waits) for waits in done.depends_on]
    for waits in behind:
        waits.update(*(behind[before] for before in waits))
    expected = {}
    for first, second in combinations(range(len(done.sequences)), 2):
        if first in done.depends_on[second] and usable(done, first) and usable(done, second):
            union = sequences_of(drawn, [sorted(done.sequences[first].layers + done.sequences[second].layers)])[0]
            if union.skip is None and not any(first in behind[third] for third in behind[second]):
                assert is_convex(drawn.layers, union.layers)
                expected[first, second] = strip_boundary_views(drawn, union)
    assert {(first, second): union for first, second, union in pairs(done)} == expected


def test_a_tensor_that_both_read_is_no_obstacle() -> None:
    """A mask that every block reads is an input of the union of two blocks."""
    blocks = [layer("Add", [before, "mask"], [after]) for before, after in ("xa", "ab", "by")]
    found = pairs(split(model(blocks, ["y"]), Granularity(1)))
    assert [(first, second, union.inputs) for first, second, union in found] == [
        (0, 1, ("x", "mask")),
        (1, 2, ("a", "mask")),
    ]


@pytest.mark.parametrize(("skip", "count"), [(None, 4), (SKIPPED, 2)])
def test_a_short_cut_past_a_sequence_is_no_pair(skip: str | None, count: int) -> None:
    """In a diamond with a short cut from its head to its foot, head and foot have the branches between them."""
    layers = [
        layer("Relu", ["x"], ["a"]),
        layer("Neg", ["a"], ["b"], skip=skip),
        layer("MatMul", ["a", "w"], ["c"]),
        layer("Sum", ["a", "b", "c"], ["y"]),
    ]
    found = pairs(split(model(layers, ["y"], constants=[weight("w")]), Granularity(1)))
    assert len(found) == count
    assert (0, 3) not in {(first, second) for first, second, _ in found}
