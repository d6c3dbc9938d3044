"""Operator sets that a file uses without importing them: read as onnxruntime reads them."""

from pathlib import Path

import numpy as np
import onnx
import pytest

from dlbricks.model.lowering.runtime import plain_session
from dlbricks.model.read.checker import complete_imports
from tests.model.written import Spec, network, node, reading

X: dict[str, Spec] = {"x": ("float32", [2, 4])}


def without(domain: str, *nodes: onnx.NodeProto, output: Spec | None = None) -> onnx.ModelProto:
    """Make a network that does not import a set of operators."""
    made = network(nodes, X, {"y": output}, {"axes": np.array([0])}, domains=["ai.onnx.ml", "com.microsoft"])
    kept = [entry for entry in made.opset_import if entry.domain != domain]
    del made.opset_import[:]
    made.opset_import.extend(kept)
    return made


@pytest.mark.parametrize(
    ("domain", "call"),
    [
        ("", node("Unsqueeze", "x axes", "y")),
        ("com.microsoft", node("FastGelu", "x", "y", domain="com.microsoft")),
        ("ai.onnx.ml", node("Scaler", "x", "y", domain="ai.onnx.ml", offset=[0.0], scale=[2.0])),
    ],
)
def test_what_the_runtime_reads_is_read(domain: str, call: onnx.NodeProto, tmp_path: Path) -> None:
    """The runtime takes the newest set that it knows; so do we, and nothing is skipped."""
    made = without(domain, call)
    plain_session(made.SerializeToString())
    model = reading(made, tmp_path)
    assert [(layer.op_type, layer.skip) for layer in model.layers] == [(call.op_type, None)]


def test_custom_operators_without_an_import_are_skipped_alone(tmp_path: Path) -> None:
    """As those with an import: the file's types stand, and other layers are measured; also from inside of bodies."""
    made = without("", node("Relu", "x", "r"), node("Quant", "r", "q", domain="q.custom"), node("Abs", "q", "y"))
    made.graph.value_info.append(onnx.helper.make_tensor_value_info("q", onnx.TensorProto.FLOAT, [2, 4]))
    skips = [layer.skip for layer in reading(made, tmp_path).layers]
    assert skips == [None, "q.custom.Quant is an operator of a custom domain", None]
    outer = onnx.helper.make_node("If", ["x"], ["y"], then_branch=made.graph, else_branch=made.graph)
    inside = network([outer], X, {"y": None})
    complete_imports(inside)
    assert {entry.domain: entry.version for entry in inside.opset_import} == {"": 20, "q.custom": 1}


def test_the_other_name_of_the_operators_of_onnx_is_read(tmp_path: Path) -> None:
    """skl2onnx 1.4 wrote ``ai.onnx``, which onnxruntime reads; it may also stand in bodies and functions."""
    inner = network([node("Relu", "x", "y", domain="ai.onnx")], {}, {"y": X["x"]})
    del inner.graph.input[:]
    chosen = onnx.helper.make_node(
        "If", ["c"], ["r"], domain="ai.onnx", then_branch=inner.graph, else_branch=inner.graph
    )
    called = onnx.helper.make_node("twice", ["r"], ["y"], domain="own")
    made = network([chosen, called], {**X, "c": ("bool", [1])}, {"y": X["x"]}, domains=["own"])
    own = [onnx.helper.make_opsetid("ai.onnx", 20)]
    made.functions.append(
        onnx.helper.make_function("own", "twice", ["a"], ["b"], [node("Add", "a a", "b", domain="ai.onnx")], own)
    )
    made.opset_import[0].domain = "ai.onnx"
    layers = reading(made, tmp_path).layers
    assert [(layer.op_type, layer.domain, layer.skip) for layer in layers] == [("If", "", None), ("Add", "", None)]


def test_a_file_without_imports_has_version_1() -> None:
    """It is what onnx says of files before imports."""
    made = without("", node("Abs", "x", "y"))
    del made.opset_import[:]
    complete_imports(made)
    assert not made.opset_import
