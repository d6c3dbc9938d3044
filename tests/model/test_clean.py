"""Order, dead layers, names: a network that is read is a valid graph in topological order."""

import random
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper

from dlbricks.errors import InputError
from dlbricks.passes.freeze import unique_names
from tests.model.written import F32, network, node, reading

X = {"x": ("float32", (2,))}


@given(st.integers(2, 30), st.randoms(use_true_random=False))
def test_any_order_of_layers_is_sorted(
    tmp_path_factory: pytest.TempPathFactory, count: int, rng: random.Random
) -> None:
    """Every layer comes after the makers of what it reads, however the file lists them."""
    nodes = [
        node("Add", f"t{rng.randrange(index + 1)} t{rng.randrange(index + 1)}", f"t{index + 1}")
        for index in range(count)
    ]
    outputs: dict[str, None] = {f"t{index + 1}": None for index in range(count)}
    rng.shuffle(nodes)
    model = reading(network(nodes, {"t0": ("float32", (2,))}, outputs), tmp_path_factory.mktemp("order"))
    known = set(model.inputs)
    for layer in model.layers:
        assert known.issuperset(layer.reads)
        known.update(layer.outputs)
    assert len(model.layers) == count


def test_sorted_files_keep_their_order(tmp_path: Path) -> None:
    """Layers that are in topological order already stay as they are."""
    nodes = [node("Relu", "x", "a"), node("Tanh", "x", "b"), node("Exp", "a", "c"), node("Add", "b c", "y")]
    assert [layer.op_type for layer in reading(network(nodes, X, {"y": None}), tmp_path).layers] == [
        "Relu",
        "Tanh",
        "Exp",
        "Add",
    ]


def test_dead_layers_and_constants_go(tmp_path: Path) -> None:
    """What no output needs is dropped and counted as folded."""
    nodes = [node("Relu", "x", "y"), node("Mul", "x w", "a"), node("Exp", "a", "b")]
    model = reading(network(nodes, X, {"y": None}, {"w": np.ones(2, F32)}), tmp_path)
    assert [layer.op_type for layer in model.layers] == ["Relu"]
    assert not model.constants
    assert (model.source_layers, model.folded) == (3, 2)


def test_outputs_may_be_inputs_constants_or_repeated(tmp_path: Path) -> None:
    """An output that is an input or a constant is kept as one; an output that is listed twice is listed once."""
    made = network([node("Relu", "x", "y")], X, {"y": None, "x": None, "w": None}, {"w": np.ones(2, F32)})
    made.graph.output.append(made.graph.output[0])
    model = reading(made, tmp_path)
    assert model.outputs == ("y", "x", "w")
    assert model.spec("w").shape == (2,)
    assert model.constants["w"].values == np.ones(2, F32).tobytes()


def test_copies_of_a_constant_are_the_constant(tmp_path: Path) -> None:
    """Readers of Identity of a weight, of Identity of that, and bodies that capture it, all read the weight."""
    branch = helper.make_graph([node("Relu", "b", "r")], "b", [], [helper.make_tensor_value_info("r", 1, None)])
    nodes = [
        node("Identity", "w", "a"),
        node("Identity", "a", "b"),
        node("Identity", "w", "c"),
        node("Mul", "x b", "m"),
        helper.make_node("If", ["q"], ["i"], then_branch=branch, else_branch=branch),
        node("Add", "m i", "y"),
    ]
    made = network(nodes, {**X, "q": ("bool", ())}, {"y": None, "c": None}, {"w": np.ones(2, F32)})
    model = reading(made, tmp_path)
    assert [layer.op_type for layer in model.layers] == ["Mul", "If", "Add"]
    assert model.layers[0].inputs == ("x", "w")
    assert model.layers[1].captured == ("w",)
    assert set(model.constants) == {"w", "c"}, "an output keeps its name"


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([node("Add", "x b", "a"), node("Relu", "a", "b"), node("Relu", "b", "y")], "cyclic: 'a' depends on itself"),
        ([node("Relu", "x", "y"), node("Tanh", "x", "y")], "'y' is written twice"),
        ([node("Relu", "x", "x"), node("Tanh", "x", "y")], "'x' is written twice"),
        ([node("Add", "x z", "y")], "Add reads tensor 'z', which no layer writes"),
        ([node("Relu", "x", "a")], "no layer writes the graph output 'y'"),
    ],
)
def test_unsound_graphs_are_refused(tmp_path: Path, nodes: list[onnx.NodeProto], reason: str) -> None:
    """Cycles, tensors made twice or never: one line that names the culprit."""
    with pytest.raises(InputError, match=reason) as caught:
        reading(network(nodes, X, {"y": None}), tmp_path)
    assert "\n" not in str(caught.value)


@given(st.lists(st.sampled_from(["", "a", "a_1", "b", "Relu"]), max_size=12))
def test_names_of_layers_are_unique(names: list[str]) -> None:
    """Every layer has a name of its own; names that are given once stay."""
    protos = [onnx.NodeProto(op_type="Relu", name=name) for name in names]
    given_names = unique_names([proto.name or proto.op_type for proto in protos])
    assert len(set(given_names)) == len(names)
    for name, chosen in zip(names, given_names, strict=True):
        if name and name != "Relu" and names.count(name) == 1:
            assert chosen == name


def test_omitted_operands_are_kept_in_the_middle_and_dropped_at_the_end(tmp_path: Path) -> None:
    """``""`` holds the place of an omitted operand; at the end it means nothing."""
    nodes = [node("Clip", "x - high", "y"), node("Clip", "y high -", "z")]
    model = reading(network(nodes, X, {"z": None}, {"high": np.array(1, F32)}), tmp_path)
    assert [layer.inputs for layer in model.layers] == [("x", "", "high"), ("y", "high")]
    assert [layer.reads for layer in model.layers] == [("x", "high"), ("y", "high")]
    assert list(onnx.NodeProto.FromString(model.layers[1].node).input) == ["y", "high"]


def test_zero_size_tensors_are_fine(tmp_path: Path) -> None:
    """Extents of zero are shapes like others."""
    made = network([node("Concat", "x e", "y", axis=0)], {**X, "e": ("float32", (0,))}, {"y": None})
    model = reading(made, tmp_path)
    assert (model.spec("e").elements, model.spec("y").shape) == (0, (2,))
