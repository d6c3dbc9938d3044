"""Measuring: every tensor type can be bound, samples are whole nanoseconds, answers are those of the network."""

import hashlib
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.measure import Bound, make_inputs, prepare
from dlbricks.harness.session import RUNTIME_ERRORS, SessionSettings, open_session
from tests.harness.small_suite import Document, benchmark, matmul, unary

HANDED_THROUGH = sorted(
    name
    for name, entry in BY_NAME.items()
    if entry.bits >= 8 and entry.kind not in {"string", "complex"} and name != "float8e8m0"
)
"""Types for which onnxruntime has an Identity."""


def identity(dtype: str, shape: tuple[int, ...]) -> tuple[bytes, Document]:
    """Give a network that hands its input through, and its contracts."""
    number = BY_NAME[dtype].onnx
    infos = [helper.make_tensor_value_info(name, number, shape) for name in ("x0", "y0")]
    graph = helper.make_graph([helper.make_node("Identity", ["x0"], ["y0"])], "g", infos[:1], infos[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=11)
    kind = {"bool": "bool", "int": "integers"}.get(BY_NAME[dtype].kind, "uniform")
    generator = {"kind": kind, "low": 0, "high": 2, "density": 0.5}
    contract = {"name": "x0", "dtype": dtype, "shape": list(shape)}
    entry = {
        "fingerprint": "f",
        "overwrites": "",
        "inputs": [{**contract, "generator": generator}],
        "outputs": [{**contract, "name": "y0"}],
    }
    return model.SerializeToString(), entry


@pytest.mark.parametrize("shape", [(3, 5), (), (0, 4)])
@pytest.mark.parametrize("dtype", HANDED_THROUGH)
def test_every_type_that_the_runtime_knows_can_be_bound(dtype: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    """The bytes that go in come out, for scalars and empty tensors, too."""
    data, entry = identity(dtype, shape)
    inputs = make_inputs(entry, 1)
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, inputs)
    bound.visit(1)
    assert bound.outputs()[0].tobytes() == inputs["x0"].tobytes()
    assert bound.sketches()[0]["shape"] == list(shape)


def test_types_below_a_byte_go_in_packed(tmp_path: Path) -> None:
    """An int4 input reaches the network with its values: DequantizeLinear says so."""
    infos = [
        helper.make_tensor_value_info("x0", TensorProto.INT4, (5,)),
        helper.make_tensor_value_info("y0", TensorProto.FLOAT, (5,)),
    ]
    one = helper.make_tensor("one", TensorProto.FLOAT, (), [1.0])
    graph = helper.make_graph(
        [helper.make_node("DequantizeLinear", ["x0", "one"], ["y0"])], "g", infos[:1], infos[1:], [one]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    literal = {"kind": "literal", "values": "1f2e07"}
    entry = {
        "fingerprint": "f",
        "inputs": [{"name": "x0", "dtype": "int4", "shape": [5], "generator": literal}],
        "outputs": [{"name": "y0", "dtype": "float32", "shape": [5]}],
    }
    session = open_session(model.SerializeToString(), tmp_path, SessionSettings())
    bound = Bound(session, entry, make_inputs(entry, 1))
    bound.visit(1)
    assert bound.outputs()[0].tolist() == [-1, 1, -2, 2, 7]


def test_samples_are_integers_and_each_call_has_one(tmp_path: Path) -> None:
    """A visit of n calls gives n durations, all above zero; a warm-up makes one or two calls."""
    entry, data = benchmark("Sin", unary("Sin", (100, 100)))
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, make_inputs(entry, 1))
    assert len(bound.warm_up()) == 2
    samples = bound.visit(7)
    assert len(samples) == 7
    assert all(type(sample) is int and sample > 0 for sample in samples)


def test_the_answer_is_that_of_the_network(tmp_path: Path) -> None:
    """Outputs are read from the buffers that were bound."""
    entry, data = benchmark("Sin", unary("Sin", (100,)))
    inputs = make_inputs(entry, 1)
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, inputs)
    bound.visit(1)
    assert np.allclose(bound.outputs()[0], np.sin(inputs["x0"]), atol=1e-6)


def test_a_network_that_was_changed_is_not_run(suite: Path, tmp_path: Path) -> None:
    """A file that is missing or is not the one with the digest is refused."""
    entry, data = benchmark("MatMul_Relu", matmul(128))
    (tmp_path / "networks").mkdir()
    with pytest.raises(HarnessError, match="cannot read networks/"):
        prepare(entry, tmp_path, suite / "weights", SessionSettings(), 3)
    (tmp_path / entry["network"]).write_bytes(data + b"\0")
    with pytest.raises(HarnessError, match="was changed"):
        prepare(entry, tmp_path, suite / "weights", SessionSettings(), 3)
    (tmp_path / entry["network"]).write_bytes(data)
    assert prepare(entry, tmp_path, suite / "weights", SessionSettings(), 3).load_ns > 0


def test_inputs_depend_on_the_benchmark_and_on_the_seed_alone() -> None:
    """Stream names are made of fingerprint and input name."""
    entry, _ = benchmark("Sin", unary("Sin", (10,)))
    other = {**entry, "fingerprint": hashlib.sha256(b"other").hexdigest()}
    assert np.array_equal(make_inputs(entry, 1)["x0"], make_inputs({**entry, "name": "Cos"}, 1)["x0"])
    assert not np.array_equal(make_inputs(entry, 1)["x0"], make_inputs(other, 1)["x0"])
    assert not np.array_equal(make_inputs(entry, 1)["x0"], make_inputs(entry, 2)["x0"])


def test_an_output_of_another_shape_is_an_error(tmp_path: Path) -> None:
    """The contract is checked by the runtime, as the output buffer has its size."""
    entry, data = benchmark("Sin", unary("Sin", (10,)))
    entry["outputs"][0]["shape"] = [5]
    assert onnx.load_from_string(data).graph.output[0].type.tensor_type.shape.dim[0].dim_value == 10
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, make_inputs(entry, 1))
    with pytest.raises(RUNTIME_ERRORS, match="invalid dimensions for output: y0"):
        bound.visit(1)
