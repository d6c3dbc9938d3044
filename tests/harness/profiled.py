"""Profiles that onnxruntime really writes, of a network with branches and loops in each other."""

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from onnx import GraphProto, TensorProto, helper

SIZE = 48
TRIPS = 3


def _value(name: str, dtype: int = TensorProto.FLOAT, shape: tuple[int, ...] = (SIZE, SIZE)) -> Any:
    return helper.make_tensor_value_info(name, dtype, shape)


def _body(tensor: str) -> GraphProto:
    nodes = [
        helper.make_node("Add", ["v", tensor], ["w"], name="add"),
        helper.make_node("Sin", ["w"], ["u"], name="sin"),
        helper.make_node("Identity", ["go"], ["on"], name="on"),
    ]
    inputs = [_value("i", TensorProto.INT64, ()), _value("go", TensorProto.BOOL, ()), _value("v")]
    return helper.make_graph(nodes, "body", inputs, [_value("on", TensorProto.BOOL, ()), _value("u")])


def nested_network(name: str = "product") -> bytes:
    """Give MatMul (under a name of one's choice), Relu, an If with a Loop inside, a Loop, and an Add."""
    loop = helper.make_node("Loop", ["trips", "", "h"], ["p"], name="inner", body=_body("h"))
    then = helper.make_graph([loop, helper.make_node("Neg", ["p"], ["t"], name="neg")], "then", [], [_value("t")])
    other = helper.make_graph([helper.make_node("Abs", ["h"], ["e"], name="abs")], "else", [], [_value("e")])
    nodes = [
        helper.make_node("MatMul", ["x", "weight"], ["g"], name=name),
        helper.make_node("Relu", ["g"], ["h"], name="relu"),
        helper.make_node("If", ["which"], ["b"], name="branch", then_branch=then, else_branch=other),
        helper.make_node("Loop", ["trips", "", "h"], ["l"], name="outer", body=_body("h")),
        helper.make_node("Add", ["b", "l"], ["y"], name="sum"),
    ]
    constants = [
        helper.make_tensor("weight", TensorProto.FLOAT, (SIZE, SIZE), np.full(SIZE * SIZE, 0.01, np.float32)),
        helper.make_tensor("trips", TensorProto.INT64, (), [TRIPS]),
    ]
    inputs = [_value("x"), _value("which", TensorProto.BOOL, ())]
    graph = helper.make_graph(nodes, "g", inputs, [_value("y")], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return bytes(model.SerializeToString())


def profile_of(network: bytes, folder: Path, *, calls: int = 2, threads: int = 1, parallel: bool = False) -> Path:
    """Run a network of ``nested_network`` with the profiler on; give the file it leaves."""
    options = ort.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(folder / "profile")
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = threads
    options.log_severity_level = 4
    if parallel:
        options.execution_mode = ort.ExecutionMode.ORT_PARALLEL
        options.inter_op_num_threads = 3
    session = ort.InferenceSession(network, options, providers=["CPUExecutionProvider"])
    for _ in range(calls):
        session.run(None, {"x": np.ones((SIZE, SIZE), np.float32), "which": np.array(True)})
    return Path(session.end_profiling())
