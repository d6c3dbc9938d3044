"""Loops whose limit is computed, as tf2onnx writes Keras' recurrent layers, turn as often in a benchmark."""

from pathlib import Path

import onnx
from onnx import TensorProto, helper

from dlbricks.settings import SplitSettings
from dlbricks.suite.generate import generate

_INT, _FLOAT = TensorProto.INT32, TensorProto.FLOAT


def _body(read: str) -> onnx.GraphProto:
    """``while k < n``: add a row of a matrix to a state."""
    value = helper.make_tensor_value_info
    nodes = [
        helper.make_node("Gather", [read, "i"], ["row"]),
        helper.make_node("Add", ["row", "s"], ["s2"]),
        helper.make_node("Add", ["k", "one"], ["k2"]),
        helper.make_node("Less", ["k2", "n"], ["c2"]),
        helper.make_node("Identity", ["n"], ["n2"]),
        helper.make_node("Identity", ["s2"], ["o"]),
    ]
    given = [value("i", TensorProto.INT64, []), value("c", TensorProto.BOOL, [])]
    given += [value("k", _INT, []), value("s", _FLOAT, [3]), value("n", _INT, [])]
    made = [value("c2", TensorProto.BOOL, []), value("k2", _INT, []), value("s2", _FLOAT, [3]), value("n2", _INT, [])]
    return helper.make_graph(nodes, "body", given, [*made, value("o", _FLOAT, [3])])


def _network() -> onnx.ModelProto:
    """Two such loops, the second as long as the result of the first."""
    nodes = [
        helper.make_node("Loop", ["trips", "yes", "none", "start", "limit"], ["a", "b", "d", "rows"], body=_body("x")),
        helper.make_node("Shape", ["rows"], ["shape"]),
        helper.make_node("Gather", ["shape", "zero"], ["many"]),
        helper.make_node("Cast", ["many"], ["end"], to=_INT),
        helper.make_node("Loop", ["many", "yes", "none", "start", "end"], ["e", "f", "g", "y"], body=_body("rows")),
    ]
    numbers = {"none": (_INT, 0), "one": (_INT, 1), "limit": (_INT, 5), "trips": (TensorProto.INT64, 5)}
    numbers |= {"zero": (TensorProto.INT64, 0), "yes": (TensorProto.BOOL, 1)}
    constants = [helper.make_tensor(name, kind, [], [number]) for name, (kind, number) in numbers.items()]
    constants.append(helper.make_tensor("start", _FLOAT, [3], [0.1, 0.2, 0.3]))
    taken = helper.make_tensor_value_info("x", _FLOAT, [5, 3])
    graph = helper.make_graph(nodes, "g", [taken], [helper.make_tensor_value_info("y", _FLOAT, None)], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_a_computed_limit_is_that_of_the_loop(tmp_path: Path) -> None:
    """Both loops are measured; the second was left out, as it ended after a turn."""
    path = tmp_path / "loops.onnx"
    onnx.save(_network(), path)
    suite, (report,) = generate([str(path)], out=tmp_path / "suite", settings=SplitSettings(target="portable"))
    assert (report.skipped, report.left_out) == ((), ())
    loops = [one for one in suite.benchmarks if "Loop" in one.operators]
    assert len(loops) == 2
    (limit,) = [each for one in loops for each in one.inputs if each.dtype == "int32"]
    assert limit.generator is not None
    assert (limit.generator.kind, limit.generator.values) == ("literal", "05000000")
