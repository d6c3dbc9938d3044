"""Measuring: every tensor type can be bound, samples are whole nanoseconds, answers are those of the network."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.network import SLOW_CALL_NS, Bound, make_inputs, prepare
from dlbricks.harness.runtimes.onnxruntime import private_constants
from dlbricks.harness.session import SessionSettings, open_session, runtime_errors
from tests.harness.small_suite import BLOB, Document, benchmark, external, matmul, network, unary

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
    assert bound.output_digests()[0]["shape"] == list(shape)


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
    """A visit of n calls gives n durations, all above zero; what is quick and has tensors between layers settles."""
    entry, data = benchmark("Sin", unary("Sin", (100, 100)))
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, make_inputs(entry, 1))
    assert len(bound.warm_up()) in {1, 2}
    assert len(bound.warm_up_again(SLOW_CALL_NS)) == 1
    assert bound.warm_up_again(SLOW_CALL_NS + 1) == bound.warm_up_again(SLOW_CALL_NS, layers=1) == []
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


def test_inputs_depend_on_the_contract_and_on_the_seed_alone() -> None:
    """Stream names are made of the input's name; a longer input begins as a shorter one."""
    entry, _ = benchmark("Sin", unary("Sin", (10,)))
    other, _ = benchmark("Sin", unary("Sin", (300_000,)))
    assert np.array_equal(make_inputs(entry, 1)["x0"], make_inputs(other, 1)["x0"][:10])
    assert np.array_equal(make_inputs(entry, 1)["x0"], make_inputs({**entry, "name": "Cos"}, 1)["x0"])
    assert not np.array_equal(make_inputs(entry, 1)["x0"], make_inputs(entry, 2)["x0"])


def test_an_output_of_another_shape_is_an_error(tmp_path: Path) -> None:
    """The contract is checked by the runtime, as the output buffer has its size."""
    entry, data = benchmark("Sin", unary("Sin", (10,)))
    entry["outputs"][0]["shape"] = [5]
    assert onnx.load_from_string(data).graph.output[0].type.tensor_type.shape.dim[0].dim_value == 10
    bound = Bound(open_session(data, tmp_path, SessionSettings()), entry, make_inputs(entry, 1))
    with pytest.raises(runtime_errors(SessionSettings()), match="invalid dimensions for output: y0"):
        bound.visit(1)


def adding() -> bytes:
    """Give a network that adds its second input to a matrix product of the first."""
    nodes = [helper.make_node("Neg", ["x0"], ["t0"]), helper.make_node("Add", ["t0", "x1"], ["y0"])]
    return network(nodes, {"x0": (64, 64), "x1": (64, 64)}, {"y0": (64, 64)})


def test_an_overwritten_input_gives_the_right_answer_at_the_first_call(suite: Path) -> None:
    """The output lies in the buffer of the input; what the first call gives is what separate buffers give."""
    entry, data = benchmark("Neg_Add", adding())
    shared = {**entry, "overwrites": "x1"}
    session = open_session(data, suite, SessionSettings())
    apart, together = (Bound(session, one, make_inputs(one, 1)) for one in (entry, shared))
    apart.visit(1)
    together.visit(1)
    assert together.output_digests() == apart.output_digests()
    together.visit(1)
    assert together.output_digests() != apart.output_digests()


def test_buffers_begin_at_pages(suite: Path) -> None:
    """Inputs and outputs, whatever memory the inputs came in."""
    entry, data = benchmark("Neg_Add", adding())
    inputs = {name: values + 1 for name, values in make_inputs(entry, 1).items()}
    bound = Bound(open_session(data, suite, SessionSettings()), entry, inputs)
    assert [values.ctypes.data % 4096 for values in (*bound._inputs, *bound._outputs)] == [0, 0, 0]


def test_private_constants_are_those_of_the_file(suite: Path) -> None:
    """Constants that a kernel reads as they are get memory of their own with the same values; others stay shared."""
    nodes = [helper.make_node("Add", ["x0", "c0"], ["t0"]), helper.make_node("MatMul", ["t0", "c1"], ["y0"])]
    constants = [external("c0", (32, 32), 4096), external("c1", (32, 32), 8192)]
    data = network(nodes, {"x0": (32, 32)}, {"y0": (32, 32)}, constants)
    ((name, value),) = private_constants(data, suite / "weights")
    stored = np.fromfile(suite / "weights" / BLOB, np.float32, 32 * 32, offset=4096)
    assert name == "c0"
    assert np.array_equal(value.numpy(), stored.reshape(32, 32))
    assert value.data_ptr() % 4096 == 0
    entry, _ = benchmark("Add_MatMul", data)
    settings = SessionSettings(optimization="none")
    sessions = [open_session(data, suite / "weights", settings, constants=own) for own in ([(name, value)], [])]
    bounds = [Bound(session, entry, make_inputs(entry, 1)) for session in sessions]
    for bound in bounds:
        bound.visit(1)
    assert bounds[0].output_digests() == bounds[1].output_digests()
