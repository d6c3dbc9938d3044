"""Networks in forms that libraries for editing ONNX lose or alter are read as they are."""

from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper

from dlbricks.model.emit import build_network
from dlbricks.model.types import Model
from tests.model.written import F32, network, node, reading

X = {"x": ("float32", (4,))}


def emitted(model: Model) -> onnx.ModelProto:
    """Emit a network; its constants must all be kept or in its file."""
    values = {}
    for name, constant in model.constants.items():
        if constant.values is not None:
            values[name] = constant.values
        else:
            assert constant.source is not None
            content = Path(constant.source.path).read_bytes()
            values[name] = content[constant.source.offset :][: constant.source.length]
    return build_network(model, range(len(model.layers)), model.inputs, model.outputs, rename={}, constants=values)


def run(made: onnx.ModelProto, **feeds: np.ndarray) -> np.ndarray:
    session = ort.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    result = session.run(None, feeds)[0]
    assert isinstance(result, np.ndarray)
    return result


def test_metadata_and_documentation_are_dropped_on_purpose(tmp_path: Path) -> None:
    """They do not decide speed, so two networks that differ in them alone read the same; nothing else is lost."""
    plain = network([node("Relu", "x", "y")], X, {"y": None})
    rich = onnx.ModelProto()
    rich.CopyFrom(network([node("Relu", "x", "y")], X, {"y": ("float32", (4,))}))
    rich.metadata_props.add(key="k", value="v")
    rich.graph.doc_string = "d"
    rich.graph.node[0].doc_string = "d"
    rich.graph.node[0].metadata_props.add(key="k", value="v")
    rich.graph.input[0].type.denotation = "IMAGE"
    assert reading(plain, tmp_path).layers == reading(rich, tmp_path).layers


def test_overloads(tmp_path: Path) -> None:
    """Functions of one name are told apart by their overload."""
    functions = [
        helper.make_function("f", "F", ["a"], ["b"], [node(op, "a", "b")], [helper.make_opsetid("", 20)], overload=op)
        for op in ("Relu", "Tanh")
    ]
    calls = [node("F", "x", "h", domain="f"), node("F", "h", "y", domain="f")]
    calls[0].overload, calls[1].overload = "Relu", "Tanh"
    made = network(calls, X, {"y": ("float32", (4,))}, domains=["f"])
    made.functions.extend(functions)
    assert [layer.op_type for layer in reading(made, tmp_path).layers] == ["Relu", "Tanh"]


def test_optional_inputs(tmp_path: Path) -> None:
    """The reader of an input of optional type is skipped."""
    optional = helper.make_optional_type_proto(helper.make_tensor_type_proto(1, [2]))
    made = network([node("OptionalHasElement", "o", "h"), node("Cast", "h", "y", to=1)], {}, {"y": ("float32", ())})
    made.graph.input.append(helper.make_value_info("o", optional))
    model = reading(made, tmp_path)
    assert [layer.skip is None for layer in model.layers] == [False, True]
    assert model.spec("h").dtype == "bool"


def test_sparse_attributes(tmp_path: Path) -> None:
    """A sparse_value is the dense constant."""
    sparse = helper.make_sparse_tensor(
        helper.make_tensor("v", 1, [1], [3.0]), helper.make_tensor("i", TensorProto.INT64, [1], [2]), [4]
    )
    constant = helper.make_node("Constant", [], ["c"], sparse_value=sparse)
    made = network([constant, node("Add", "x c", "y")], X, {"y": ("float32", (4,))})
    np.testing.assert_array_equal(run(emitted(reading(made, tmp_path)), x=np.zeros(4, F32)), [0, 0, 3, 0])


def test_type_attributes(tmp_path: Path) -> None:
    """Attributes that are types, as that of Optional, stay attributes."""
    call = node("SequenceEmpty", "", "s", dtype=TensorProto.FLOAT)
    typed = node("Optional", "", "o")
    typed.attribute.append(helper.make_attribute("type", helper.make_tensor_type_proto(1, [2])))
    made = network(
        [typed, node("OptionalHasElement", "o", "y"), call, node("SequenceLength", "s", "n")],
        {},
        {"y": ("bool", ()), "n": ("int64", ())},
    )
    layers = {layer.op_type: layer for layer in reading(made, tmp_path).layers}
    assert [name for name, _ in layers["Optional"].attributes] == ["type"]
    assert dict(layers["SequenceEmpty"].attributes) == {"dtype": "1"}


def test_sequences_stay_sequences(tmp_path: Path) -> None:
    """A sequence is known to be no tensor."""
    nodes = [node("SequenceConstruct", "x x", "s"), node("ConcatFromSequence", "s", "y", axis=0)]
    made = network(nodes, X, {"y": ("float32", (8,))})
    model = reading(made, tmp_path)
    assert model.spec("s").dtype == ""
    assert all(layer.skip for layer in model.layers)


@pytest.mark.parametrize("dtype", [ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.float4_e2m1fn])
def test_types_below_a_byte(tmp_path: Path, dtype: type) -> None:
    """The bytes of 4-bit tensors pass untouched."""
    weight = numpy_helper.from_array(np.ones(300, dtype), "w")
    made = network(
        [node("DequantizeLinear", "w s", "d"), node("Mul", "d q", "y")],
        {"q": ("float32", (1,))},
        {"y": ("float32", (300,))},
        {"w": weight, "s": np.array(1, F32)},
        opset=23,
    )
    model = reading(made, tmp_path)
    stored = {tensor.name: tensor for tensor in emitted(model).graph.initializer}["w"]
    assert (stored.data_type, stored.raw_data) == (weight.data_type, weight.raw_data)


def test_eight_bit_floats_keep_their_kind(tmp_path: Path) -> None:
    """FLOAT8E4M3FNUZ stays what it is."""
    weight = numpy_helper.from_array(np.ones(300, ml_dtypes.float8_e4m3fnuz), "w")
    made = network(
        [node("Cast", "w", "d", to=1), node("Mul", "d q", "y")],
        {"q": ("float32", (1,))},
        {"y": ("float32", (300,)), "w": None},
        {"w": weight},
    )
    model = reading(made, tmp_path)
    assert model.spec("w").dtype == "float8e4m3fnuz"


def test_value_float_is_float(tmp_path: Path) -> None:
    """A value_float is of 32 bits."""
    nodes = [helper.make_node("Constant", [], ["c"], value_float=2.0), node("Mul", "x c", "y")]
    made = network(nodes, X, {"y": ("float32", (4,))})
    np.testing.assert_array_equal(run(emitted(reading(made, tmp_path)), x=np.ones(4, F32)), [2, 2, 2, 2])


def test_weights_that_both_branches_use_are_not_copied(tmp_path: Path) -> None:
    """The layer captures the one constant."""
    branches = {
        f"{name}_branch": helper.make_graph(
            [node("Add", "x w", name)], name, [], [helper.make_tensor_value_info(name, 1, [1000])]
        )
        for name in ("then", "else")
    }
    made = network(
        [helper.make_node("If", ["q"], ["y"], **branches)],
        {"q": ("bool", ()), "x": ("float32", (1000,))},
        {"y": ("float32", (1000,))},
        {"w": np.ones(1000, F32)},
    )
    model = reading(made, tmp_path)
    assert list(model.constants) == ["w"]
    assert model.layers[0].captured == ("x", "w")
    assert emitted(model).ByteSize() < 1.1 * made.ByteSize()


def test_empty_list_attributes(tmp_path: Path) -> None:
    """An empty list of integers is an empty list."""
    made = network([node("Magic", "x", "y", domain="d")], X, {"y": ("float32", (4,))}, domains=["d"])
    made.graph.node[0].attribute.append(onnx.AttributeProto(name="axes", type=onnx.AttributeProto.INTS))
    assert reading(made, tmp_path).layers[0].attributes == (("axes", "[]"),)


def test_outputs_without_a_type(tmp_path: Path) -> None:
    """An output whose type the file leaves open is inferred."""
    made = network([node("Relu", "x", "y")], X, {"y": None})
    assert reading(made, tmp_path).spec("y").shape == (4,)


def test_branches_keep_what_they_capture(tmp_path: Path) -> None:
    """An If carries the names of captured activations."""
    branches = {
        f"{name}_branch": helper.make_graph(
            [node(op, "h", name)], name, [], [helper.make_tensor_value_info(name, 1, [4])]
        )
        for name, op in (("then", "Neg"), ("else", "Abs"))
    }
    nodes = [node("Relu", "x", "h"), helper.make_node("If", ["q"], ["y"], **branches)]
    made = network(nodes, {**X, "q": ("bool", ())}, {"y": ("float32", (4,))})
    model = reading(made, tmp_path)
    assert model.layers[1].captured == ("h",)
    piece = build_network(model, [1], ["q", "h"], ["y"], rename={}, constants={})
    np.testing.assert_array_equal(run(piece, q=np.array(True), h=np.ones(4, F32)), [-1, -1, -1, -1])


def test_deep_networks(tmp_path: Path) -> None:
    """Depth does not matter: 5,000 layers are sorted."""
    nodes = [node("Relu", f"t{index}", f"t{index + 1}") for index in range(5000)]
    made = network(nodes[::-1], {"t0": ("float32", (1,))}, {"t5000": ("float32", (1,))})
    model = reading(made, tmp_path)
    assert [layer.outputs[0] for layer in model.layers] == [f"t{index + 1}" for index in range(5000)]
