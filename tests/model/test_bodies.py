"""Bodies of If, Loop and Scan: captured tensors, renaming, lifted weights; inlined functions."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import helper, numpy_helper

from dlbricks.errors import InputError
from dlbricks.model.bodies import bodies, captured, fresh_name, lift_weights, rename_captured
from dlbricks.model.emit import build_network
from dlbricks.model.types import Model
from tests.model.written import F32, network, node, reading

CONDITION = {"q": ("bool", ())}


def graph(
    nodes: list[onnx.NodeProto], output: str, inputs: tuple[str, ...] = (), weights: dict[str, np.ndarray] | None = None
) -> onnx.GraphProto:
    tensors = [numpy_helper.from_array(value, name) for name, value in (weights or {}).items()]
    infos = [helper.make_tensor_value_info(name, 1, None) for name in inputs]
    return helper.make_graph(nodes, "body", infos, [helper.make_tensor_value_info(output, 1, None)], tensors)


def branch(then: onnx.GraphProto, other: onnx.GraphProto, output: str = "y") -> onnx.NodeProto:
    return helper.make_node("If", ["q"], [output], then_branch=then, else_branch=other)


def test_captured_in_order_of_first_use_nested_included() -> None:
    """Outer tensors come in order of use, by attribute name, once each; those of nested bodies too."""
    inner = branch(graph([node("Add", "z b", "m")], "m"), graph([node("Relu", "a", "n")], "n"), "r")
    then = graph([node("Mul", "c c", "z"), inner, node("Neg", "r", "t")], "t")
    other = graph([node("Relu", "d", "e")], "e")
    assert captured(branch(then, other)) == ("d", "c", "q", "a", "b"), "else_branch comes before then_branch"


def test_names_that_a_body_defines_are_not_captured() -> None:
    """Inputs, initializers and results of a body hide outer tensors of their name, in nested bodies as well."""
    nested = branch(graph([node("Add", "w i", "s")], "s"), graph([node("Relu", "h", "s2")], "s2"), "r")
    body = graph([node("Relu", "i", "h"), nested], "r", inputs=("i",), weights={"w": np.ones(1, F32)})
    assert captured(helper.make_node("Loop", ["n"], ["y"], body=body)) == ("q",)


def test_a_body_may_return_an_outer_tensor_name() -> None:
    """An output of a body that the body does not make is an outer tensor."""
    assert captured(branch(graph([], "a"), graph([], "b"))) == ("b", "a")


def test_renaming_reaches_nested_bodies_and_avoids_local_names() -> None:
    """Free names are renamed at any depth; a local name that the new one would hit moves away."""
    nested = branch(graph([node("Relu", "a", "s")], "s"), graph([node("Relu", "h", "s2")], "s2"), "r")
    call = branch(graph([node("Neg", "a", "h"), nested], "r"), graph([node("Relu", "a", "t")], "t"))
    renamed = rename_captured(call, {"a": "h"})
    assert captured(renamed) == ("h", "q")
    assert captured(call) == ("a", "q"), "the original is untouched"
    then = {entry.name: entry.g for entry in renamed.attribute}["then_branch"]
    assert then.node[0].input[0] == "h"
    assert then.node[0].output[0] != "h"
    else_nested = {entry.name: entry.g for entry in then.node[1].attribute}["else_branch"]
    assert else_nested.node[0].input[0] == then.node[0].output[0]


def test_fresh_names() -> None:
    """The first free of name, name_1, name_2."""
    assert fresh_name("a", {"a", "a_1"}.__contains__) == "a_2"
    assert fresh_name("b", {"a"}.__contains__) == "b"


def test_lifting_leaves_small_tensors_and_frees_names() -> None:
    """Weights leave under names that nobody has; what is kept stays; a returned weight leaves an Identity."""
    weights = {"w": np.ones(100, F32), "k": np.ones(1, F32)}
    call = branch(
        graph([node("Mul", "w k", "t")], "t", weights=weights), graph([], "w", weights={"w": np.ones(100, F32)})
    )
    taken = {"w", "y", "q"}
    lifted, tensors = lift_weights(call, lambda tensor: tensor.dims[0] > 1, taken)
    assert {tensor.name for tensor in tensors} == {"w_1", "w_2"}
    other, then = bodies(lifted)
    assert [tensor.name for tensor in then.initializer] == ["k"]
    assert set(captured(lifted)) == {"w_1", "w_2"}
    assert [(entry.op_type, list(entry.output)) for entry in other.node] == [("Identity", ["w"])]


def whole(model: Model) -> bytes:
    """Emit a network with the weights it had in its file."""
    values = {}
    for name in dict.fromkeys(name for layer in model.layers for name in layer.reads if name in model.constants):
        constant = model.constants[name]
        assert constant.values is not None or constant.source is not None
        if constant.values is not None:
            values[name] = constant.values
        elif constant.source is not None:
            content = Path(constant.source.path).read_bytes()
            values[name] = content[constant.source.offset :][: constant.source.length]
    layers = range(len(model.layers))
    made = build_network(model, layers, model.inputs, model.outputs, rename={}, constants=values)
    return bytes(made.SerializeToString())


def test_control_flow_computes_the_same_after_reading(tmp_path: Path) -> None:
    """If with weights in its branches, captured activations and captured constants gives the same outputs."""
    rng = np.random.default_rng(0)
    big = {"w": rng.standard_normal(100, np.float32)}
    then = graph([node("Mul", "h w", "m"), node("Add", "m outer", "t")], "t", weights=big)
    other = graph([node("Sub", "outer h", "w")], "w")
    nodes = [node("Relu", "x", "h"), branch(then, other, "i"), node("Add", "i h", "y")]
    made = network(
        nodes, {"x": ("float32", (100,)), **CONDITION}, {"y": None}, {"outer": rng.standard_normal(100, np.float32)}
    )
    model = reading(made, tmp_path)
    layer = model.layers[1]
    assert (layer.op_type, layer.inputs, layer.skip) == ("If", ("q",), None)
    assert set(layer.captured) == {"h", "outer", "w_1"}
    assert model.constants["w_1"].values is None
    x = rng.standard_normal(100, np.float32)
    for condition in (True, False):
        feeds = {"x": x, "q": np.array(condition)}
        expected, got = (
            ort.InferenceSession(content, providers=["CPUExecutionProvider"]).run(["y"], feeds)[0]
            for content in (made.SerializeToString(), whole(model))
        )
        np.testing.assert_array_equal(got, expected)


def test_loop_is_one_layer_with_known_shapes(tmp_path: Path) -> None:
    """A Loop is a layer whose scan output has the trip count as its first extent."""
    body = helper.make_graph(
        [node("Identity", "c", "d"), node("Add", "v step", "n"), node("Identity", "n", "s")],
        "body",
        [
            helper.make_tensor_value_info("i", 7, []),
            helper.make_tensor_value_info("c", 9, []),
            helper.make_tensor_value_info("v", 1, [2]),
        ],
        [
            helper.make_tensor_value_info("d", 9, []),
            helper.make_tensor_value_info("n", 1, [2]),
            helper.make_tensor_value_info("s", 1, [2]),
        ],
    )
    loop = helper.make_node("Loop", ["trips", "", "x"], ["last", "all"], body=body)
    made = network(
        [loop], {"x": ("float32", (2,))}, {"last": None, "all": None}, {"trips": np.array(3), "step": np.ones(2, F32)}
    )
    model = reading(made, tmp_path)
    assert [(entry.op_type, entry.captured) for entry in model.layers] == [("Loop", ("step",))]
    assert (model.spec("last").shape, model.spec("all").shape) == ((2,), (3, 2))
    assert model.layers[0].skip is None


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


@pytest.mark.parametrize("within", ["graph", "function", "body"])
def test_defaults_of_functions_reach_the_body(tmp_path: Path, within: str) -> None:
    """A call that leaves an attribute out computes with the function's default, as in onnxruntime."""
    inner = node("LeakyRelu", "a", "b")
    inner.attribute.append(onnx.AttributeProto(name="alpha", ref_attr_name="slope", type=onnx.AttributeProto.FLOAT))
    leaky = function("F", [inner])
    leaky.attribute_proto.append(helper.make_attribute("slope", 0.5))
    functions, calls = [leaky], [node("F", "x", "y", domain="f")]
    if within == "function":
        functions.append(function("Outer", [node("F", "a", "b", domain="f")]))
        calls = [node("Outer", "x", "y", domain="f")]
    if within == "body":
        called = helper.make_graph(
            [node("F", "x", "z", domain="f")], "branch", [], [helper.make_tensor_value_info("z", 1, None)]
        )
        calls = [node("If", "q", "y", then_branch=called, else_branch=called)]
    inputs = X | {"q": ("bool", ())} if within == "body" else X
    made = network(calls, inputs, {"y": None}, domains=["f"])
    made.functions.extend(functions)
    values = {"x": np.array([[-4, 0, 2]], F32), "q": np.array(True)}
    given = {name: values[name] for name in inputs}
    session = ort.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    again = ort.InferenceSession(whole(reading(made, tmp_path)), providers=["CPUExecutionProvider"])
    assert session.run(None, given)[0].tolist() == [[-2, 0, 2]]
    assert again.run(None, given)[0].tolist() == [[-2, 0, 2]]


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


@pytest.mark.parametrize("within", ["function", "body"])
def test_recursion_is_refused(tmp_path: Path, within: str) -> None:
    """A function that calls itself, or does so in a branch, is an input error of one line."""
    made = network([node("F", "x", "y", domain="f")], X, {"y": None}, domains=["f"])
    again = node("F", "a", "b", domain="f")
    if within == "body":
        branch = helper.make_graph([again], "branch", [], [helper.make_tensor_value_info("b", 1, None)])
        again = node("If", "a", "b", then_branch=branch, else_branch=branch)
    made.functions.append(function("F", [again]))
    with pytest.raises(InputError, match="calls itself and cannot be inlined"):
        reading(made, tmp_path)


def test_functions_that_double_in_branches_are_refused(tmp_path: Path) -> None:
    """Each of 25 calls the one before twice, within an If: 33 million operators of two kilobytes."""
    made = network([node("F25", "x", "y", domain="f")], X, {"y": None}, domains=["f"])
    made.functions.append(function("F0", [node("Tanh", "a", "b")]))
    for number in range(25):
        calls = [node(f"F{number}", "a", "c", domain="f"), node(f"F{number}", "c", "z", domain="f")]
        branch = helper.make_graph(calls, "branch", [], [helper.make_tensor_value_info("z", 1, None)])
        made.functions.append(
            function(f"F{number + 1}", [node("If", "a", "b", then_branch=branch, else_branch=branch)])
        )
    with pytest.raises(InputError, match="operator calls; the limit is 1,000,000"):
        reading(made, tmp_path)
