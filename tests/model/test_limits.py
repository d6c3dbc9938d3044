"""Limits of a file are checked before anything is made of it: operands, sizes, calls of functions."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from dlbricks.construct.compose import inspect_split
from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model.read.network import read_model
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity

OPERATORS = (
    "Add",
    "Div",
    "Gemm",
    "Identity",
    "Loop",
    "Mod",
    "Pad",
    "QuantizeLinear",
    "Shape",
    "Size",
    "Slice",
    "Squeeze",
)
"""Of which passes and rules look at operands by position."""
OPSET = 22


def written(
    path: Path,
    nodes: list[onnx.NodeProto],
    *,
    shape: tuple[int, ...] = (2, 3),
    initializers: tuple[onnx.TensorProto, ...] = (),
    functions: tuple[onnx.FunctionProto, ...] = (),
) -> Path:
    """Write a network of one input ``x`` and one output ``y``."""
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "g", [x], [y], list(initializers))
    domains = ("f", "com.microsoft")
    imports = [helper.make_opsetid("", OPSET), *(helper.make_opsetid(domain, 1) for domain in domains)]
    made = helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=10)
    path.write_bytes(made.SerializeToString())
    return path


def looked_at(path: Path) -> None:
    """Read, split and inspect a network, or refuse it in one line."""
    try:
        inspect_split(split(read_model(path), Granularity.parse("1")))
    except InputError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("given", [(), ("x",), ("", "x", "x"), ("c",), ("x", "c")], ids="/".join)
def test_operands_that_are_missing_are_named(tmp_path: Path, given: tuple[str, ...]) -> None:
    """Operators called with none, one, an omitted or a constant operand are read or refused in one line."""
    constant = numpy_helper.from_array(np.array([2], np.int64), "c")
    for name in OPERATORS:
        for out, reshaped in (("y", []), ("k", [helper.make_node("Reshape", ["x", "k"], ["y"])])):
            nodes = [helper.make_node(name, list(given), [out]), *reshaped]
            looked_at(written(tmp_path / "net.onnx", nodes, initializers=(constant,)))


def test_a_missing_operand_is_named(tmp_path: Path) -> None:
    """The message has the operator, the layer and the operand, also within a body."""
    alone = helper.make_node("Add", ["x"], ["y"], name="sum")
    with pytest.raises(InputError, match=r"Add \(layer 'sum'\) lacks its operand 'B'"):
        read_model(written(tmp_path / "net.onnx", [alone]))
    bodies = {name: helper.make_graph([alone], name, [], [helper.make_empty_tensor_value_info("y")]) for name in "te"}
    choice = helper.make_node("If", ["c"], ["y"], then_branch=bodies["t"], else_branch=bodies["e"])
    constant = numpy_helper.from_array(np.array([True]), "c")
    with pytest.raises(InputError, match="lacks its operand 'B'"):
        read_model(written(tmp_path / "net.onnx", [choice], initializers=(constant,)))


@pytest.mark.parametrize("extent", [2**40, 2**62, 2**63 - 1])
def test_sizes_beyond_all_memory_are_refused(tmp_path: Path, extent: int) -> None:
    """Inputs, weights and results larger than the limit are named; nothing is allocated."""
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[3, extent], data_location=TensorProto.EXTERNAL)
    weight.external_data.add(key="location", value="none")
    count = numpy_helper.from_array(np.array([extent], np.int64), "c")
    for name, nodes, shape in (
        ("x", [helper.make_node("Relu", ["x"], ["y"])], (extent, 4)),
        ("w", [helper.make_node("MatMul", ["x", "w"], ["y"])], (2, 3)),
        ("y", [helper.make_node("Expand", ["x", "c"], ["y"])], (1,)),
    ):
        with pytest.raises(UnsupportedModelError, match=f"tensor '{name}' of float32 .* larger than 64 GiB"):
            read_model(written(tmp_path / "net.onnx", nodes, shape=shape, initializers=(weight, count)))


def test_functions_that_expand_without_end_are_refused(tmp_path: Path) -> None:
    """A function that calls itself, and thirty that call one another twice, are refused before they are expanded."""
    imports = [helper.make_opsetid("", OPSET), helper.make_opsetid("f", 1)]

    def function(name: str, *calls: str) -> onnx.FunctionProto:
        nodes = [
            helper.make_node(call, [f"t{at}"], [f"t{at + 1}"], domain="" if call == "Relu" else "f")
            for at, call in enumerate(calls)
        ]
        return helper.make_function("f", name, ["t0"], [f"t{len(calls)}"], nodes, imports)

    last = [helper.make_node("F29", ["x"], ["y"], domain="f")]
    chain = (function("F0", "Relu"), *(function(f"F{at}", f"F{at - 1}", f"F{at - 1}") for at in range(1, 30)))
    with pytest.raises(UnsupportedModelError, match="1,610,612,735 operator calls"):
        read_model(written(tmp_path / "net.onnx", last, functions=chain))
    with pytest.raises(UnsupportedModelError, match="calls itself"):
        read_model(written(tmp_path / "net.onnx", last, functions=(function("F29", "F29"),)))


@pytest.mark.parametrize("name", ["Attention", "MultiHeadAttention", "FusedMatMul", "FusedGemm", "MatMulNBits"])
def test_ranks_that_no_formula_knows(tmp_path: Path, name: str) -> None:
    """The runtime's own operators on tensors of any rank are read; what no formula counts has no figure."""
    for shape in ((), (2,), (2, 3, 4, 5)):
        for operands in (2, 4):
            call = helper.make_node(name, ["x"] * operands, ["y"], domain="com.microsoft", num_heads=1, K=4, N=4)
            looked_at(written(tmp_path / "net.onnx", [call], shape=shape))


def test_expressions_and_bodies_have_a_depth(tmp_path: Path) -> None:
    """A dimension of thousands of terms is a name like any other; bodies within bodies are read to a depth."""
    relu = helper.make_node("Relu", ["x"], ["y"])
    made = onnx.load(written(tmp_path / "net.onnx", [relu]))
    long = "+".join(["a"] * 3000)
    made.graph.input[0].type.tensor_type.shape.dim[0].dim_param = long
    (tmp_path / "net.onnx").write_bytes(made.SerializeToString())
    assert read_model(tmp_path / "net.onnx", dims={long: 2}).spec("y").shape == (2, 3)
    for _ in range(20):
        body = helper.make_graph([relu], "b", [], [helper.make_empty_tensor_value_info("y")])
        relu = helper.make_node("If", ["c"], ["y"], then_branch=body, else_branch=body)
        if relu.ByteSize() > 1 << 20:
            break
    constant = numpy_helper.from_array(np.array([True]), "c")
    with pytest.raises(UnsupportedModelError, match="more than 10 deep"):
        read_model(written(tmp_path / "net.onnx", [relu], initializers=(constant,)))
