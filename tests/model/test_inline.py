"""Inlining: calls of a model's own functions become the functions' bodies."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from dlbricks.errors import InputError
from tests.model.written import F32, network, node, reading

X = {"x": ("float32", (1, 3))}


def function(
    name: str, nodes: list[onnx.NodeProto], opset: int = 20, overload: str = "", attributes: list[str] | None = None
) -> onnx.FunctionProto:
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("f", 1)]
    return helper.make_function("f", name, ["a"], ["b"], nodes, imports, attributes, overload=overload)


def operators(made: onnx.ModelProto, folder: Path, *functions: onnx.FunctionProto) -> list[str]:
    made.functions.extend(functions)
    return [layer.op_type for layer in reading(made, folder).layers]


def test_nested_calls_are_inlined(tmp_path: Path) -> None:
    """A function that calls a function leaves neither; the layers count as those of the file."""
    made = network([node("Outer", "x", "y", domain="f")], X, {"y": None}, domains=["f"])
    outer = function("Outer", [node("Inner", "a", "c", domain="f"), node("Relu", "c", "b")])
    inner = function("Inner", [node("Tanh", "a", "b")])
    made.functions.extend([outer, inner])
    model = reading(made, tmp_path)
    assert [layer.op_type for layer in model.layers] == ["Tanh", "Relu"]
    assert model.source_layers == 2


def test_overloads_are_told_apart(tmp_path: Path) -> None:
    """Two functions of one name and different overload are two functions."""
    calls = [node("F", "x", "h", domain="f"), node("F", "h", "y", domain="f")]
    calls[0].overload, calls[1].overload = "one", "two"
    functions = (
        function("F", [node("Tanh", "a", "b")], overload="one"),
        function("F", [node("Relu", "a", "b")], overload="two"),
    )
    assert operators(network(calls, X, {"y": None}, domains=["f"]), tmp_path, *functions) == ["Tanh", "Relu"]


def test_function_of_another_opset_is_converted(tmp_path: Path) -> None:
    """Squeeze of opset 11 has its axes in an attribute, that of opset 20 in an input; the meaning stays."""
    made = network([node("F", "x", "y", domain="f")], X, {"y": None}, domains=["f"])
    made.functions.append(function("F", [node("Squeeze", "a", "b", axes=[0])], opset=11))
    model = reading(made, tmp_path)
    assert [layer.op_type for layer in model.layers] == ["Squeeze"]
    assert model.spec("y").shape == (3,)
    assert model.constants[model.layers[0].inputs[1]].values == np.array([0]).tobytes()


def test_attributes_of_calls_reach_the_body(tmp_path: Path) -> None:
    """A reference to the function's attribute gets the value that the call states."""
    inner = node("LeakyRelu", "a", "b")
    inner.attribute.append(onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT))
    made = network([node("F", "x", "y", domain="f", slope=0.5)], X, {"y": None}, domains=["f"])
    made.functions.append(function("F", [inner], attributes=["slope"]))
    assert reading(made, tmp_path).layers[0].attributes == (("alpha", f'"{(0.5).hex()}"'),)


def test_functions_inside_bodies_are_inlined(tmp_path: Path) -> None:
    """A call inside a branch of If is inlined there."""
    branch = helper.make_graph(
        [node("F", "x", "z", domain="f")], "branch", [], [helper.make_tensor_value_info("z", 1, None)]
    )
    made = network(
        [node("If", "q", "y", then_branch=branch, else_branch=branch)],
        X | {"q": ("bool", ())},
        {"y": None},
        domains=["f"],
    )
    made.functions.append(function("F", [node("Tanh", "a", "b")]))
    (layer,) = reading(made, tmp_path).layers
    assert layer.skip is None
    assert "Tanh" in dict(layer.attributes)["then_branch"]
    assert layer.captured == ("x",)


def test_weights_of_functions_are_constants(tmp_path: Path) -> None:
    """A large constant in a function becomes a constant of the network, its place in the file known."""
    value = np.arange(300, dtype=F32)
    weight = helper.make_node("Constant", [], ["w"], value=numpy_helper.from_array(value))
    made = network([node("F", "x", "y", domain="f")], {"x": ("float32", (300,))}, {"y": None}, domains=["f"])
    made.functions.append(function("F", [weight, node("Add", "a w", "b")]))
    model = reading(made, tmp_path)
    (constant,) = model.constants.values()
    assert constant.source is not None
    content = Path(constant.source.path).read_bytes()
    assert content[constant.source.offset :][: constant.source.length] == value.tobytes()


def test_recursion_is_refused(tmp_path: Path) -> None:
    """A function that calls itself is an input error of one line."""
    made = network([node("F", "x", "y", domain="f")], X, {"y": None}, domains=["f"])
    made.functions.append(function("F", [node("F", "a", "b", domain="f")]))
    with pytest.raises(InputError, match="calls itself and cannot be inlined"):
        reading(made, tmp_path)
