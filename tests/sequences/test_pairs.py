"""Unions of adjacent sequences."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.model.types import Model
from dlbricks.sequences.split import bare, pairs, sequences_of, split
from dlbricks.sequences.types import Granularity, Split
from tests.sequences.drawn_models import GRANULARITIES, SKIPPED, is_convex, layer, model, models, weight


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
                expected[first, second] = bare(drawn, union)
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
