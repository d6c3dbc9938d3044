"""What onnx-graphsurgeon drops or breaks stays: each defect has a test, where a pass looks on and where it edits."""

from pathlib import Path

import numpy as np
import onnx
import onnx_graphsurgeon as gs
import pytest
from onnx import TensorProto, helper

from dlbricks.errors import InputError
from dlbricks.model.read.skim import skim
from dlbricks.passes.user import Origin, export_network, open_for_passes
from tests.model.written import network, weight

F32 = ("float32", [2, 3])


def imported(model: onnx.ModelProto, folder: Path) -> tuple[gs.Graph, Origin, Path]:
    """Import a network by way of a file."""
    path = folder / "net.onnx"
    path.write_bytes(model.SerializeToString())
    return *open_for_passes(skim(path), path), path


def kept(model: onnx.ModelProto, folder: Path) -> onnx.ModelProto:
    """Import and export a network, of which a copy passes through onnx-graphsurgeon."""
    graph, origin, path = imported(model, folder)
    made = export_network(graph, origin, path)
    copied = export_network(graph.copy(), origin, path)
    assert copied.graph.node == made.graph.node
    return made


def unusual(**attributes: onnx.AttributeProto) -> onnx.NodeProto:
    """Make a call with attributes as given."""
    node = helper.make_node("Op", ["x"], ["y"], "op", doc_string="why", domain="own")
    node.metadata_props.add(key="k", value="v")
    node.attribute.extend(attributes.values())
    return node


def tensor_type() -> onnx.AttributeProto:
    """Make an attribute that is a type."""
    return helper.make_attribute("type", helper.make_tensor_type_proto(TensorProto.FLOAT, [2]))


def test_metadata_and_doc_strings_stay(tmp_path: Path) -> None:
    """Those of the model, the graph, its calls and inputs."""
    model = network([unusual(n=helper.make_attribute("n", 1))], {"x": F32}, {"y": F32}, domains=["own"])
    model.doc_string, model.graph.doc_string, model.graph.input[0].doc_string = "model", "graph", "input"
    helper.set_model_props(model, {"a": "b"})
    model.graph.metadata_props.add(key="c", value="d")
    model.graph.input[0].type.denotation = "IMAGE"
    assert kept(model, tmp_path) == model
    graph, origin, path = imported(model, tmp_path)
    graph.nodes[0].attrs["n"] = 2
    made = export_network(graph, origin, path)
    model.graph.node[0].attribute[0].i = 2
    assert made == model


@pytest.mark.parametrize(
    "attribute",
    [
        tensor_type(),
        onnx.AttributeProto(name="none", type=onnx.AttributeProto.INTS),
        helper.make_attribute(
            "sparse",
            helper.make_sparse_tensor(
                helper.make_tensor("v", TensorProto.FLOAT, [1], [2.0]),
                helper.make_tensor("i", TensorProto.INT64, [1], [3]),
                [5],
            ),
        ),
        helper.make_attribute("tensors", [helper.make_tensor("t", TensorProto.FLOAT, [1], [2.0])]),
    ],
    ids=lambda attribute: attribute.name,
)
def test_attributes_that_it_drops_or_cannot_write_stay(tmp_path: Path, attribute: onnx.AttributeProto) -> None:
    """Also where a pass changes another attribute of the call."""
    node = unusual(a=attribute, n=helper.make_attribute("n", 1))
    model = network([node], {"x": F32}, {"y": F32}, domains=["own"])
    assert kept(model, tmp_path).graph == model.graph
    graph, origin, path = imported(model, tmp_path)
    graph.nodes[0].attrs["n"] = 2
    (made,) = export_network(graph, origin, path).graph.node
    assert attribute in made.attribute
    assert next(entry.i for entry in made.attribute if entry.name == "n") == 2


def test_a_pass_can_empty_a_list(tmp_path: Path) -> None:
    """Its type stays that of the list before."""
    node = unusual(a=helper.make_attribute("names", ["a"]))
    graph, origin, path = imported(network([node], {"x": F32}, {"y": F32}, domains=["own"]), tmp_path)
    graph.nodes[0].attrs["names"] = []
    (attribute,) = export_network(graph, origin, path).graph.node[0].attribute
    assert attribute == onnx.AttributeProto(name="names", type=onnx.AttributeProto.STRINGS)


@pytest.mark.parametrize("kind", ["optional", "sparse", "sequence"])
def test_types_other_than_tensors_stay(tmp_path: Path, kind: str) -> None:
    """Of inputs, outputs and inner tensors."""
    tensor = helper.make_tensor_type_proto(TensorProto.FLOAT, [2])
    made = {
        "optional": lambda: helper.make_optional_type_proto(tensor),
        "sequence": lambda: helper.make_sequence_type_proto(tensor),
        "sparse": lambda: helper.make_sparse_tensor_type_proto(TensorProto.FLOAT, [2]),
    }[kind]()
    nodes = [helper.make_node("Identity", ["x"], ["h"]), helper.make_node("Identity", ["h"], ["y"])]
    model = network(nodes, {}, {})
    model.graph.input.append(helper.make_value_info("x", made))
    model.graph.value_info.append(helper.make_value_info("h", made))
    model.graph.output.append(helper.make_value_info("y", made))
    assert kept(model, tmp_path).graph == model.graph


@pytest.mark.parametrize(
    "dtype",
    ["INT4", "UINT4", "FLOAT4E2M1", "BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ"],
)
def test_small_types_stay(tmp_path: Path, dtype: str) -> None:
    """As they lie in the file, and where a pass reads the values or sets new ones."""
    number = TensorProto.DataType.Value(dtype)
    values = np.ones(130).astype(helper.tensor_dtype_to_np_dtype(number))
    constant = onnx.numpy_helper.from_array(values, "w")
    model = network([helper.make_node("Op", ["x", "w"], ["y"], domain="own")], {"x": F32}, {"y": F32}, {"w": constant})
    assert kept(model, tmp_path).graph.initializer[0] == constant
    graph, origin, path = imported(model, tmp_path)
    weights = graph.nodes[0].inputs[1]
    assert weights.values.astype(np.float32).tolist() == [1.0] * 130
    assert export_network(graph, origin, path).graph.initializer[0] == constant
    weights.values = weights.values[:10]
    assert export_network(graph, origin, path).graph.initializer[0] == onnx.numpy_helper.from_array(values[:10], "w")


def branching() -> onnx.ModelProto:
    """Make an If whose bodies read one initializer and one inner tensor of the graph around."""

    def body(op_type: str) -> onnx.GraphProto:
        call = helper.make_node(op_type, ["h", "w"], ["r"], f"{op_type}1")
        return helper.make_graph([call], op_type, [], [helper.make_tensor_value_info("r", 1, [2, 3])])

    nodes = [
        helper.make_node("Relu", ["x"], ["h"]),
        helper.make_node("If", ["c"], ["y"], then_branch=body("Add"), else_branch=body("Mul")),
    ]
    constants = {"w": np.ones((2, 3), np.float32)}
    return network(nodes, {"x": F32, "c": ("bool", [])}, {"y": F32}, constants)


def test_what_two_bodies_share_stays_outside(tmp_path: Path) -> None:
    """Also where a pass edits one of them; the other one stays as it is in the file."""
    model = branching()
    assert kept(model, tmp_path).graph == model.graph
    graph, origin, path = imported(model, tmp_path)
    graph.nodes[1].attrs["then_branch"].nodes[0].op = "Sub"
    made = export_network(graph, origin, path)
    assert [tensor.name for tensor in made.graph.initializer] == ["w"]
    bodies = {attribute.name: attribute.g for attribute in made.graph.node[1].attribute}
    assert not any(body.initializer for body in bodies.values())
    assert [*bodies["then_branch"].node[0].input] == ["h", "w"]
    assert bodies["then_branch"].node[0].op_type == "Sub"
    assert bodies["else_branch"] == model.graph.node[1].attribute[0].g
    onnx.checker.check_model(made)


def test_weights_are_neither_read_nor_written(tmp_path: Path) -> None:
    """A pass that asks for values which are missing gets an error that names them."""
    model = network(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        {"x": ("float32", [2, 500])},
        {"y": None},
        {"w": weight("w", "float32", [500, 500])},
    )
    graph, origin, path = imported(model, tmp_path)
    (tensor,) = export_network(graph, origin, path).graph.initializer
    assert tensor.external_data
    assert not tensor.raw_data
    with pytest.raises(InputError, match="a pass reads the values of 'w', but their file is missing"):
        graph.nodes[0].inputs[1].values  # noqa: B018
