"""Networks that hide another one: groups, draws, siblings, and a suite that is made with them."""

import math
import random
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from dlbricks.errors import InputError
from dlbricks.model.emit import end_to_end_inputs, end_to_end_network, write_weights
from dlbricks.model.lowering.runtime import run_values, runtime_value
from dlbricks.model.read.network import read_model
from dlbricks.sequences.types import Granularity
from dlbricks.suite.cover import Outline, cover_groups, draw_cover, similarity
from dlbricks.suite.generate import generate
from dlbricks.suite.siblings import refitted, siblings

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


def _outline(operators: str, pieces: str = "1") -> Outline:
    return Outline(operators=frozenset(operators), pieces=frozenset(pieces))


_OUTLINES = st.builds(_outline, st.text("ABCDEF", min_size=1), st.text("1234567", min_size=1))
_ZOOS = st.dictionaries(st.sampled_from("abcdefghijkl"), _OUTLINES, min_size=4)


def _draw(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - the same in every run


@given(_ZOOS, st.integers(1, 4))
def test_groups_hold_every_network_once(zoo: dict[str, Outline], least: int) -> None:
    """Each public network is in one group, and no group is smaller than asked for."""
    made = cover_groups(zoo, least)
    assert sorted(chain.from_iterable(made)) == sorted(zoo)
    assert min(map(len, made)) >= least


@given(_ZOOS, st.integers(2, 4), st.integers(0, 99))
def test_any_of_the_group_might_be_meant(zoo: dict[str, Outline], least: int, seed: int) -> None:
    """What is drawn for a public network could have been drawn for each of those drawn: all are of one group."""
    name = min(zoo)
    drawn = draw_cover(zoo[name], name, zoo, least, _draw(seed))
    group = next(group for group in cover_groups(zoo, least) if name in group)
    assert len({name, *drawn}) == least
    assert {name, *drawn} <= set(group)


def test_networks_that_add_little_go_together() -> None:
    """Of networks with the same operators those go together that add least, whichever of them is meant."""
    small, shared, large = _outline("A", "1234"), _outline("A", "1235"), _outline("A", "56789abcdefghijklmno")
    assert similarity(small, shared) > similarity(small, large) == similarity(large, small)
    assert (
        similarity(small, small)
        > similarity(small, _outline("AB", "1234"))
        > similarity(small, _outline("B", "1234"))
        == 0
    )
    sizes = {"a": small, "b": shared, "c": large, "d": _outline("A", "pqrstuvwxyz")}
    assert cover_groups(sizes, 2) == (("a", "b"), ("c", "d"))


def test_too_few_public_networks_are_refused() -> None:
    """A network cannot be hidden among more networks than there are."""
    with pytest.raises(InputError, match="needs at least 3"):
        draw_cover(_outline("A"), None, {"a": _outline("A"), "b": _outline("B")}, 3, _draw(0))


@pytest.mark.parametrize("name", ["tv_resnet18", "hf_distilbert"])
def test_siblings_are_networks_of_other_sizes(name: str, tmp_path: Path) -> None:
    """A sibling has the same operators in the same order, other shapes, and can be measured as far as its original."""
    original = read_model(NETWORKS / f"{name}.onnx")
    made = siblings(NETWORKS / f"{name}.onnx", {}, tmp_path, _draw(3), 2)
    assert len(made) == 2
    shapes = set()
    for path, dims in made:
        sibling = read_model(path, dims=dict(dims))
        assert [layer.op_type for layer in sibling.layers] == [layer.op_type for layer in original.layers]
        assert not any(layer.skip for layer in sibling.layers)
        shapes.add(tuple(spec.shape for spec in sibling.tensors.values()))
    assert len(shapes | {tuple(spec.shape for spec in original.tensors.values())}) == 3


@pytest.mark.parametrize(
    "name", ["timm_mixer_s16_224", "tv_shufflenet_v2_x1_0", "tv_resnext50_32x4d", "hf_vit_small", "tv_googlenet"]
)
def test_siblings_run_as_a_whole(name: str, tmp_path: Path) -> None:
    """Where extents are tied by Reshape, patches or sums of channels, siblings run, as deep as their original.

    Their weights are as many to some factor, and widths or the input are others.
    """
    original = read_model(NETWORKS / f"{name}.onnx")
    made = siblings(NETWORKS / f"{name}.onnx", {}, tmp_path, _draw(1), 2)
    assert len(made) == 2
    for path, dims in made:
        sibling = read_model(path, dims=dict(dims))
        assert [layer.op_type for layer in sibling.layers] == [layer.op_type for layer in original.layers]
        sizes = [sum(one.spec.nbytes for one in model.constants.values()) for model in (sibling, original)]
        assert 1 / 4.6 < sizes[0] / sizes[1] < 4.6
        network, blobs = end_to_end_network(sibling)
        write_weights(tmp_path, blobs)
        feeds = {entry: runtime_value(sibling.spec(entry), values) for entry, values in end_to_end_inputs(sibling)}
        answers = run_values(network.SerializeToString(), tmp_path, sibling.outputs, feeds)
        assert [tuple(one.shape()) for one in answers] == [sibling.spec(entry).shape for entry in sibling.outputs]


def test_what_fails_only_when_it_runs_is_no_sibling(tmp_path: Path) -> None:
    """A column that is picked by a number is out of bounds where widths are halved: nothing but a run tells."""
    weights = [
        TensorProto(name=name, data_type=TensorProto.FLOAT, dims=dims, data_location=TensorProto.EXTERNAL)
        for name, dims in (("v", (5, 256)), ("w", (256, 256)))
    ]
    for tensor in weights:
        tensor.external_data.add(key="location", value="none")
    picked = numpy_helper.from_array(np.array(-200, np.int64), "picked")
    nodes = [
        helper.make_node("MatMul", ["x", "v"], ["a"]),
        helper.make_node("MatMul", ["a", "w"], ["b"]),
        helper.make_node("Gather", ["b", "picked"], ["y"], axis=1),
    ]
    first = helper.make_tensor_value_info("x", TensorProto.FLOAT, (3, 5))
    last = helper.make_tensor_value_info("y", TensorProto.FLOAT, (3,))
    graph = helper.make_graph(nodes, "g", [first], [last], [*weights, picked])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    (tmp_path / "picking.onnx").write_bytes(made.SerializeToString())
    found = siblings(tmp_path / "picking.onnx", {}, tmp_path, _draw(1), 3)
    widths = {
        spec.shape[-1] for path, _ in found for spec in read_model(path).tensors.values() if spec.shape[-1:] > (5,)
    }
    assert widths
    assert min(widths) > 200


@given(st.lists(st.integers(2, 7), min_size=1, max_size=5), st.integers(0, 4), st.integers(1, 4))
def test_a_target_worked_out_anew_holds_what_comes_in(shape: list[int], axis: int, factor: int) -> None:
    """Whatever axis grows of what is split or put together, what comes out holds as much, and is as told if it can."""
    axis %= len(shape)
    together = [shape[0], math.prod(shape[1:])]
    grown = [extent * factor if number == axis else extent for number, extent in enumerate(shape)]
    whole = [grown[0], math.prod(grown[1:])]
    assert refitted(shape, together, grown, together) == tuple(whole)
    split = refitted(together, shape, whole, shape)
    assert split is not None
    assert math.prod(split) == math.prod(grown)
    assert refitted(together, shape, whole, grown) == tuple(grown)


def test_a_suite_with_cover_holds_whole_networks_and_tells_no_counts(tmp_path: Path) -> None:
    """With --cover 2 a public network is there, too, and a sibling; importances say what one call takes."""
    public = [str(NETWORKS / f"{name}.onnx") for name in ("tv_squeezenet1_1", "tv_mobilenet_v3_small", "tv_resnet18")]
    suite, reports = generate(
        public[:1], out=tmp_path / "covered", granularity=Granularity(1), cover=2, cover_from=public
    )
    held = {one.fingerprint for one in suite.benchmarks}
    alone = {}
    for path in public:
        other, _ = generate([path], out=tmp_path / "alone", granularity=Granularity(1))
        alone[path] = {one.fingerprint for one in other.benchmarks}
    whole = [path for path in public if alone[path] <= held]
    assert public[0] in whole
    assert len(whole) == 2
    assert len(held - set().union(*alone.values())) > 3
    assert set(reports[0].uncovered) <= {"AveragePool", "Concat", "MaxPool", "Dropout"}
    sequences = [one for one in suite.benchmarks if one.role == "sequence"]
    costs = {one.importance: (one.flops, one.weight_bytes + one.activation_bytes) for one in sequences}
    assert max(costs) == 0.5
    assert costs[max(costs)] == max(costs.values())


def test_cover_is_refused_where_it_would_not_hide(tmp_path: Path) -> None:
    """Whole networks, adjacent pairs and a missing zoo of public networks are refused before anything is read."""
    path = str(NETWORKS / "tv_alexnet.onnx")
    changes: list[dict[str, Any]] = [{"granularity": Granularity(None)}, {"pairs": True}, {"cover_from": []}]
    for more in changes:
        options: dict[str, Any] = {"granularity": Granularity(1), "cover": 2, "cover_from": [path], **more}
        with pytest.raises(InputError, match="--cover needs"):
            generate([path], out=tmp_path / "suite", **options)
