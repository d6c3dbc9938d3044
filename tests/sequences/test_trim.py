"""What a benchmark leaves out of its sequence: the views at its ends."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import end_to_end, sequences_of, split, strip_boundary_views
from dlbricks.sequences.types import Granularity, LayerSequence
from tests.sequences.drawn_models import GRANULARITIES, integers, is_convex, layer, layer_edges, model, models, weight


def without_dead_ends(drawn: Model) -> Model:
    """Make an output of every result that nobody reads."""
    read = {name for entry in drawn.layers for name in entry.reads}
    made = [name for entry in drawn.layers for name in entry.outputs if name]
    return replace(drawn, outputs=tuple(name for name in made if name in drawn.outputs or name not in read))


def all_views(drawn: Model, sequence: LayerSequence) -> bool:
    """Whether no layer of a sequence does work."""
    return all(drawn.layers[index].is_view for index in sequence.layers)


@given(models(), st.sampled_from(GRANULARITIES))
def test_only_views_are_left_out_and_the_rest_is_a_sequence(drawn: Model, granularity: Granularity) -> None:
    """What stays holds every layer that works, is convex, and reads and writes what those layers read and write."""
    for sequence in split(drawn, granularity).sequences:
        made = strip_boundary_views(drawn, sequence)
        dropped = set(sequence.layers) - set(made.layers)
        assert set(made.layers) <= set(sequence.layers)
        assert made.layers
        assert all(drawn.layers[index].is_view for index in dropped)
        assert is_convex(drawn.layers, made.layers)
        assert made.skip == sequence.skip
        if made.skip is None:
            assert made == sequences_of(drawn, [made.layers])[0]


@given(models(skips=False).map(without_dead_ends), st.sampled_from(GRANULARITIES))
def test_no_end_is_a_view(drawn: Model, granularity: Granularity) -> None:
    """A view that stays has a layer that works behind it, and another, or a view of a constant, before it."""
    for sequence in split(drawn, granularity).sequences:
        made = strip_boundary_views(drawn, sequence)
        assert strip_boundary_views(drawn, made) == made
        if all_views(drawn, sequence):
            assert made == sequence
            continue
        edges = [edge for edge in layer_edges(drawn.layers) if set(edge) <= set(made.layers)]
        for index in made.layers:
            entry = drawn.layers[index]
            if entry.is_view:
                assert any(edge[0] == index for edge in edges)
                assert any(edge[1] == index for edge in edges) or entry.inputs[0] in drawn.constants


def test_views_inside_stay_and_views_of_constants_lead() -> None:
    """Between two layers a view belongs to the benchmark; without its view a constant would become an input."""
    drawn = model(
        [
            layer("Flatten", ["x"], ["a"]),
            layer("Identity", ["w"], ["b"]),
            layer("MatMul", ["a", "b"], ["c"]),
            layer("Reshape", ["c", "shape"], ["d"]),
            layer("Relu", ["d"], ["e"]),
            layer("Identity", ["e"], ["f"]),
            layer("Flatten", ["f"], ["y"]),
        ],
        ["y"],
        constants=[weight("w"), integers("shape", [4])],
    )
    made = strip_boundary_views(drawn, end_to_end(drawn))
    assert (made.layers, made.inputs, made.outputs) == ((1, 2, 3, 4), ("a",), ("e",))
    assert made.constants == ("w", "shape")


def test_layers_that_share_a_view_at_their_head_stay_one_sequence() -> None:
    """What three products read through one reshape becomes the one input of the three."""
    layers = [layer("Flatten", ["x"], ["a"]), *(layer("MatMul", ["a", f"w{n}"], [f"y{n}"]) for n in range(3))]
    drawn = model(layers, ["y0", "y1", "y2"], constants=[weight(f"w{n}") for n in range(3)])
    made = strip_boundary_views(drawn, end_to_end(drawn))
    assert (made.layers, made.inputs, made.outputs) == ((1, 2, 3), ("a",), ("y0", "y1", "y2"))


def test_what_a_dropped_view_needed_becomes_an_output() -> None:
    """A shape that is computed for a last view is read by it, so the layer that computes it still has a result."""
    layers = [layer("Relu", ["x"], ["a"]), layer("Neg", ["s"], ["t"]), layer("Reshape", ["a", "t"], ["y"])]
    made = strip_boundary_views(model(layers, ["y"]), end_to_end(model(layers, ["y"])))
    assert (made.layers, made.outputs) == ((0, 1), ("a", "t"))


def test_a_layer_is_one_benchmark_whatever_views_surround_it() -> None:
    """The same layer with and without views at its ends has one fingerprint."""
    alone = model([layer("Relu", ["x"], ["y"])], ["y"])
    layers = [layer("Identity", ["x"], ["a"]), layer("Relu", ["a"], ["b"]), layer("Flatten", ["b"], ["y"])]
    among = model(layers, ["y"])
    prints = {canonicalise(one, strip_boundary_views(one, end_to_end(one))).fingerprint for one in (alone, among)}
    assert len(prints) == 1
