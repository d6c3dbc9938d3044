"""Quantised networks: each use of a dequantised tensor has a DequantizeLinear of its own."""

from pathlib import Path
from typing import Any

import numpy as np
from onnx import helper

from dlbricks.model.types import Model
from tests.model.written import F32, network, node, reading, weight

SCALE: dict[str, Any] = {"s": np.array(0.1, F32), "z": np.array(0, np.int8)}
X = {"x": ("int8", (2, 4))}


def operators(model: Model, group: tuple[int, ...]) -> list[str]:
    return [model.layers[index].op_type for index in group]


def test_shared_dequantisation_is_copied_per_use(tmp_path: Path) -> None:
    """Two readers get one copy each, with the same operands and the same type; the layers of the file are counted."""
    nodes = [
        node("DequantizeLinear", "x s z", "d"),
        node("Relu", "d", "a"),
        node("Tanh", "d", "b"),
        node("Add", "d d", "c"),
    ]
    model = reading(network(nodes, X, {"a": None, "b": None, "c": None}, SCALE), tmp_path)
    copies = [layer for layer in model.layers if layer.op_type == "DequantizeLinear"]
    assert len(copies) == 3
    assert {layer.inputs for layer in copies} == {("x", "s", "z")}
    assert len({layer.outputs for layer in copies}) == 3
    assert len({layer.name for layer in copies}) == 3
    assert {model.spec(layer.outputs[0]).shape for layer in copies} == {(2, 4)}
    readers = [layer for layer in model.layers if layer.op_type != "DequantizeLinear"]
    assert {layer.inputs[0] for layer in readers} == {layer.outputs[0] for layer in copies}
    assert readers[2].inputs[0] == readers[2].inputs[1], "one reader needs one copy, used twice or not"
    assert (model.source_layers, model.folded) == (4, 0)


def test_outputs_keep_the_original(tmp_path: Path) -> None:
    """A dequantised tensor that is an output stays under its name."""
    nodes = [node("DequantizeLinear", "x s z", "d"), node("Relu", "d", "a")]
    model = reading(network(nodes, X, {"a": None, "d": None}, SCALE), tmp_path)
    assert model.outputs == ("a", "d")
    assert [layer.op_type for layer in model.layers] == ["DequantizeLinear", "DequantizeLinear", "Relu"]
    assert model.layers[2].inputs != ("d",)


def test_uses_in_bodies_count(tmp_path: Path) -> None:
    """A body that captures a dequantised tensor captures a copy of its own."""
    branch = helper.make_graph([node("Relu", "d", "r")], "b", [], [helper.make_tensor_value_info("r", 1, None)])
    nodes = [
        node("DequantizeLinear", "x s z", "d"),
        node("Tanh", "d", "a"),
        helper.make_node("If", ["q"], ["y"], then_branch=branch, else_branch=branch),
    ]
    model = reading(network(nodes, {**X, "q": ("bool", ())}, {"a": None, "y": None}, SCALE), tmp_path)
    conditional = model.layers[-1]
    assert conditional.captured != ("d",)
    assert conditional.captured[0] in {name for layer in model.layers for name in layer.outputs}


def test_quantised_calls_are_groups(tmp_path: Path) -> None:
    """DequantizeLinear of every operand, the operator, its activation and QuantizeLinear are one group."""
    constants: dict[str, Any] = {**SCALE, "w": weight("w", "int8", (4, 8))}
    nodes = [
        node("DequantizeLinear", "x s z", "d"),
        node("DequantizeLinear", "w s z", "v"),
        node("MatMul", "d v", "m"),
        node("Relu", "m", "r"),
        node("QuantizeLinear", "r s z", "q"),
        node("DequantizeLinear", "q s z", "e"),
        node("Softmax", "e", "y"),
    ]
    model = reading(network(nodes, X, {"y": None}, constants), tmp_path)
    (group,) = model.groups
    assert operators(model, group) == ["DequantizeLinear", "DequantizeLinear", "MatMul", "Relu", "QuantizeLinear"]


def test_dequantised_weights_never_stand_alone(tmp_path: Path) -> None:
    """A weight that is dequantised belongs to the layer that uses it: alone it would be a constant."""
    constants: dict[str, Any] = {
        "s": np.array(0.1, F32),
        "z": np.array(0, np.int8),
        "w": weight("w", "int8", (4, 8)),
        "e": weight("e", "int8", (9, 4)),
    }
    nodes = [
        node("DequantizeLinear", "e s z", "t"),
        node("Gather", "t i", "g"),
        node("DequantizeLinear", "w s z", "v"),
        node("MatMul", "g v", "m"),
        node("MatMul", "g v", "n"),
        node("Add", "m n", "y"),
    ]
    model = reading(network(nodes, {"i": ("int64", (2,))}, {"y": None}, constants), tmp_path)
    assert sorted(operators(model, group) for group in model.groups) == [
        ["DequantizeLinear", "Gather"],
        ["DequantizeLinear", "MatMul"],
        ["DequantizeLinear", "MatMul"],
    ]
