import dataclasses
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.construct.memory_layout import Access, Call, Layout, layout, reuse_distances
from dlbricks.model.types import Model
from tests.construct.made_up import network, networks


def reuses(distances: tuple[Call, ...]) -> Iterator[Access]:
    for one in distances:
        yield from one.accesses


def of(tensor: str, distances: Call) -> int:
    (found,) = (one.distance_bytes for one in reuses((distances,)) if one.tensor == tensor)
    return found


def by_hand(made: Layout) -> list[list[float]]:
    """Compute by the definition, cell by cell, with sets: per layer the distance of each access."""
    touched = [{cell for one in call.accesses for cell in range(*one.cells)} for call in made.calls]
    last: dict[int, int] = {}
    found: list[list[float]] = [[] for _ in touched]
    for turn in range(2):
        for time, index in enumerate(made.order):
            if turn:
                found[index] = [mean_distance(one, touched[index], last, made) for one in made.calls[index].accesses]
            last |= dict.fromkeys(touched[index], turn * len(touched) + time)
    return found


def mean_distance(access: Access, own: set[int], last: dict[int, int], made: Layout) -> float:
    weighted = 0.0
    for cell in range(*access.cells):
        behind = sum(made.sizes[one] for one, time in last.items() if time > last[cell])
        beside = sum(made.sizes[one] for one, time in last.items() if time == last[cell])
        new = sum(made.sizes[one] for one in own if last[one] <= last[cell])
        weighted += made.sizes[cell] * (behind + beside / 2 + new / 2)
    return 0.0 if access.overwrites else weighted / sum(made.sizes[slice(*access.cells)])


@given(networks())
def test_distances_follow_the_definition(model: Model) -> None:
    """Bytes touched between two uses, and half of what either use touches, each once."""
    found = [[one.distance_bytes for one in reuses((layer,))] for layer in reuse_distances(layout(model))]
    expected = by_hand(layout(model))
    assert [len(layer) for layer in found] == [len(layer) for layer in expected]
    for layer, figures in zip(found, expected, strict=True):
        assert layer == pytest.approx(figures, abs=1)


@given(networks())
def test_no_distance_exceeds_the_footprint(model: Model) -> None:
    """An inference touches no more different memory than it has."""
    footprint = layout(model).footprint_bytes
    assert all(0 <= one.distance_bytes <= footprint for one in reuses(reuse_distances(layout(model))))


@given(networks(), st.randoms(use_true_random=False))
def test_names_do_not_matter(model: Model, random: object) -> None:
    """Other names, the same distances."""
    names = sorted({*model.tensors, *model.constants})
    shuffled = list(names)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    new = dict(zip(names, shuffled, strict=True)) | {"": ""}
    renamed = dataclasses.replace(
        model,
        layers=tuple(
            dataclasses.replace(
                layer,
                inputs=tuple(new[name] for name in layer.inputs),
                outputs=tuple(new[name] for name in layer.outputs),
            )
            for layer in model.layers
        ),
        inputs=tuple(new[name] for name in model.inputs),
        outputs=tuple(new[name] for name in model.outputs),
        tensors={new[name]: spec for name, spec in model.tensors.items()},
        constants={new[name]: constant for name, constant in model.constants.items()},
    )
    figures = [[one.distance_bytes for one in reuses((layer,))] for layer in reuse_distances(layout(model))]
    assert figures == [[one.distance_bytes for one in reuses((layer,))] for layer in reuse_distances(layout(renamed))]


@given(st.integers(1, 10**6))
def test_what_lies_between_counts_once(nbytes: int) -> None:
    """A constant of the layer between, twice as large, adds as many bytes."""
    operations = [("MatMul", ["x", "c"], ["a"]), ("MatMul", ["a", "cb"], ["b"]), ("MatMul", ["b", "c"], ["y"])]
    before, after = (
        reuse_distances(layout(network(operations, {"cb": size}, outputs=["y"]))) for size in (nbytes, 2 * nbytes)
    )
    assert of("c", after[2]) - of("c", before[2]) == nbytes
    assert of("a", after[1]) <= of("a", before[1]) + nbytes


def test_a_single_layer_has_the_footprint_as_distance() -> None:
    """In a network of one layer all memory was touched in the previous call."""
    model = network([("MatMul", ["x", "c"], ["y"])], {"x": 100, "c": 5000, "y": 50}, outputs=["y"])
    assert [one.distance_bytes for one in reuses(reuse_distances(layout(model)))] == [5150] * 3


@given(networks())
def test_what_is_alive_together_lies_apart(model: Model) -> None:
    """Two results share memory only if one is dead, or overwritten, when the other is written."""
    made = layout(model)
    owned: dict[int, str] = {}
    for call in (made.calls[index] for index in made.order):
        for one in call.inputs:
            assert all(owned.get(cell, one.tensor) == one.tensor for cell in range(*one.cells))
        for one in call.outputs:
            owned |= dict.fromkeys(range(*one.cells), one.tensor)


def test_views_are_other_names() -> None:
    """A view touches nothing and takes no memory; its reader reads its input."""
    plain = network([("MatMul", ["x", "c"], ["a"]), ("MatMul", ["a", "c"], ["y"])], {}, outputs=["y"])
    viewed = network(
        [("MatMul", ["x", "c"], ["a"]), ("Reshape", ["a"], ["v"]), ("MatMul", ["v", "c"], ["y"])], {}, outputs=["y"]
    )
    first, view, second = reuse_distances(layout(viewed))
    assert view == Call()
    for found, expected in zip((first, second), reuse_distances(layout(plain)), strict=True):
        assert [(one.tensor, one.distance_bytes) for one in reuses((found,))] == [
            (one.tensor, one.distance_bytes) for one in reuses((expected,))
        ]


def test_activations_are_written_over_their_input() -> None:
    """A row of Relus needs one buffer and overwrites it; one that forks needs two."""
    row = network([("Relu", ["x"], ["a"]), ("Relu", ["a"], ["b"]), ("Relu", ["b"], ["y"])], {}, outputs=["y"])
    assert layout(row).footprint_bytes == 3 * 4096
    assert of("b", reuse_distances(layout(row))[1]) == 0
    fork = network([("Relu", ["x"], ["a"]), ("Relu", ["a"], ["b"]), ("Add", ["a", "b"], ["y"])], {}, outputs=["y"])
    assert layout(fork).footprint_bytes == 4 * 4096


def test_a_residual_is_summed_in_place() -> None:
    """A convolution with a fourth operand writes over it."""
    operations = [
        ("Conv", ["x", "c0"], ["a"]),
        ("Conv", ["a", "c1"], ["b"]),
        ("Conv", ["b", "c2", "", "a"], ["s"]),
        ("Conv", ["s", "c3"], ["y"]),
    ]
    made = layout(network(operations, {}, outputs=["y"], domain="com.microsoft.nchwc"))
    assert made.calls[2].outputs[0].overwrites
    assert made.calls[2].outputs[0].cells == made.calls[0].outputs[0].cells


def test_a_lookup_reads_what_it_gives() -> None:
    """Of a lookup table only the selected rows count, unless another layer reads all of it."""
    operations = [("Gather", ["c", "x"], ["a"]), ("MatMul", ["a", "cb"], ["y"])]
    sizes = {"c": 10**9, "a": 4096}
    assert layout(network(operations, sizes, outputs=["y"])).footprint_bytes == 5 * 4096
    tied = layout(network([*operations[:1], ("MatMul", ["a", "c"], ["y"])], sizes, outputs=["y"]))
    assert tied.footprint_bytes == 10**9 + 3 * 4096


@given(networks())
def test_ages_go_back_to_who_touched_it_last(model: Model) -> None:
    """The age of a tensor is the number of layers that ran since its last user, at most an inference."""
    count, order = len(model.layers), layout(model).order
    distances = reuse_distances(layout(model))
    for time, index in enumerate(order):
        for one in reuses((distances[index],)):
            assert 0 <= one.age <= count
        for one in distances[index].inputs:
            users = [
                back
                for back in range(1, count + 1)
                if not (user := model.layers[order[time - back]]).is_view and one.tensor in {*user.reads, *user.outputs}
            ]
            assert one.age <= min(users, default=count)
