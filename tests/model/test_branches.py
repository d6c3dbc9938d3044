"""Inputs of one number can be given, and an If whose condition is constant is the body that it selects."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from click.testing import CliRunner
from onnx import TensorProto, helper, numpy_helper

from dlbricks.cli.app import main
from dlbricks.errors import InputError
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.dimensions import check_given
from dlbricks.model.read.network import read_model
from tests.model.test_unusual_networks import emitted
from tests.model.written import network, node


def value(name: str, dtype: int, shape: list[int]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, dtype, shape)


def body(name: str, nodes: list[onnx.NodeProto], *outputs: str) -> onnx.GraphProto:
    """Make a body with a weight ``w``, a name that all bodies and the graph share."""
    weight = numpy_helper.from_array(np.full(4, len(name), np.float32), "w")
    return helper.make_graph(nodes, name, [], [value(one, 1, [4]) for one in outputs], [weight])


def by_rate(shape: list[int] | None = None) -> onnx.ModelProto:
    """A network for two sample rates, with an If in an If, and names used in several bodies and outside."""
    added = [helper.make_node("Add", ["h", "w"], ["a"]), helper.make_node("Relu", ["a"], ["c"])]
    negated = [helper.make_node("Neg", ["h"], ["b"]), helper.make_node("Exp", ["b"], ["d"])]
    inner = helper.make_node(
        "If",
        ["always"],
        ["t", "u"],
        name="inner",
        then_branch=body("plus", added, "a", "c"),
        else_branch=body("nothing", negated, "b", "d"),
    )
    subtracted = helper.make_node("Sub", ["t", "u"], ["y"])
    outer = helper.make_node(
        "If",
        ["fast"],
        ["y", "z"],
        name="outer",
        then_branch=body("then", [helper.make_node("Mul", ["x", "w"], ["h"]), inner, subtracted], "y", "w"),
        else_branch=body(
            "otherwise", [helper.make_node("Div", ["x", "w"], ["t"]), helper.make_node("Exp", ["t"], ["h"])], "h", "t"
        ),
    )
    nodes = [
        helper.make_node("Equal", ["sr", "rate"], ["fast"]),
        outer,
        helper.make_node("Add", ["y", "w"], ["v"]),
    ]
    constants = [
        numpy_helper.from_array(np.array(16000, np.int64), "rate"),
        numpy_helper.from_array(np.array([True]), "always"),
        numpy_helper.from_array(np.full(4, 3, np.float32), "w"),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [value("x", 1, [4]), value("sr", TensorProto.INT64, [] if shape is None else shape)],
        [value("v", 1, [4]), value("z", 1, [4])],
        constants,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize("rate", [16000, 8000])
@pytest.mark.parametrize("shape", [[], [1]])
def test_a_number_selects_the_body_that_runs(rate: int, shape: list[int], tmp_path: Path) -> None:
    """Outputs are those of the whole network for that number, bit by bit, and no If is left."""
    made, path = by_rate(shape), tmp_path / "net.onnx"
    onnx.save(made, path)
    model = read_model(path, dims={"sr": rate})
    kinds = [layer.op_type for layer in model.layers]
    assert kinds == (["Mul", "Add", "Relu", "Sub", "Add"] if rate == 16000 else ["Div", "Exp", "Add"])
    assert model.inputs == ("x",)
    assert model.source_layers == (7 if rate == 16000 else 4)
    x = np.linspace(-2, 3, 4, dtype=np.float32)
    expected, found = (
        ort.InferenceSession(one.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, feeds)
        for one, feeds in ((made, {"x": x, "sr": np.full(shape, rate, np.int64)}), (emitted(model), {"x": x}))
    )
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_number_that_is_not_given_stays_an_input(tmp_path: Path) -> None:
    """As before: the If is one layer."""
    onnx.save(by_rate(), tmp_path / "net.onnx")
    model = read_model(tmp_path / "net.onnx")
    assert ("If" in {layer.op_type for layer in model.layers}, model.inputs) == (True, ("x", "sr"))


def test_numbers_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    """One line; so is a name that is none of the network's, with those that are."""
    made = by_rate()
    made.graph.input[1].type.tensor_type.elem_type = TensorProto.INT8
    made.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.array(100, np.int8), "rate"))
    path = tmp_path / "net.onnx"
    onnx.save(made, path)
    with pytest.raises(InputError, match=r"^--dim sr=128: give a value of the input's type, int8$"):
        read_model(path, dims={"sr": 128})
    with pytest.raises(InputError, match=r"open dimensions: none; inputs of one number: sr$"):
        check_given([path], {"rate": 1})


@pytest.mark.parametrize("rate", [8000, 0])
def test_every_verb_takes_such_a_number(rate: int, tmp_path: Path) -> None:
    """A suite is made for it."""
    path = tmp_path / "net.onnx"
    onnx.save(by_rate(), path)
    done = CliRunner().invoke(main, ["generate", str(path), "--dim", f"sr={rate}", "-o", str(tmp_path / "suite")])
    assert done.exit_code == 0, done.output


def test_a_number_that_only_some_networks_take_is_told(tmp_path: Path) -> None:
    """On stderr, once, by each verb that reads several."""
    onnx.save(by_rate(), tmp_path / "rated.onnx")
    onnx.save(network([node("Relu", "x", "y")], {"x": ("float32", [4])}, {"y": None}), tmp_path / "plain.onnx")
    line = "--dim sr=8000 is used by 1 of 2 networks, not by plain.onnx\n"
    for verb in (["inspect"], ["generate", "-o", str(tmp_path / "suite")]):
        done = CliRunner().invoke(main, [*verb, str(tmp_path), "--dim", "sr=8000"])
        assert (done.exit_code, done.stderr.count(line)) == (0, 1), done.output


@pytest.mark.parametrize("version", [1, 6])
def test_old_opsets_without_kernels_are_refused(version: int, tmp_path: Path) -> None:
    """Whether layers are measured alone, or the runtime is asked for its graph."""
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "x"], ["y"])], "g", [value("x", 1, [2, 4])], [value("y", 1, [2, 4])]
    )
    path = tmp_path / "net.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=3), path)
    model = read_model(path)
    assert f"Add-{version} has no CPU kernel" in (model.layers[0].skip or "")
    with pytest.raises(InputError, match="onnxruntime cannot optimise"):
        lower(model)
