"""A tiny suite made by hand, as ``dlbricks generate`` would write it."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from dlbricks.harness.network import Bound, make_inputs
from dlbricks.harness.run.files import suite_digest
from dlbricks.harness.runtimes.onnxruntime import FIXED_OPTIONS
from dlbricks.harness.session import SessionSettings, open_session
from dlbricks.harness.single import measure
from dlbricks.harness.values import ensure_weights

BLOB = "weights.float32.u-4.bin"
UNIFORM = {"kind": "uniform", "low": -0.0625, "high": 0.0625, "density": 1.0, "values": ""}
INPUT = {"kind": "uniform", "low": -1.0, "high": 1.0, "density": 1.0, "values": ""}

Document = dict[str, Any]


def external(name: str, shape: Sequence[int], offset: int) -> onnx.TensorProto:
    """Give an initializer whose values lie in the blob."""
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
    length = 4 * int(np.prod(shape))
    for key, value in (("location", BLOB), ("offset", str(offset)), ("length", str(length))):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, value
    return tensor


def network(
    nodes: Sequence[onnx.NodeProto],
    inputs: dict[str, Sequence[int]],
    outputs: dict[str, Sequence[int]],
    constants: Sequence[onnx.TensorProto] = (),
) -> bytes:
    """Serialise a float32 network."""
    graph = helper.make_graph(
        list(nodes),
        "g",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        list(constants),
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    return bytes(model.SerializeToString())


def matmul(size: int, offset: int = 0) -> bytes:
    """Give a matrix product with external weights, and a Relu."""
    nodes = [helper.make_node("MatMul", ["x0", "c0"], ["t0"]), helper.make_node("Relu", ["t0"], ["y0"])]
    return network(nodes, {"x0": (8, size)}, {"y0": (8, size)}, [external("c0", (size, size), offset)])


def alone(suite: Path, place: int, *arguments: str) -> int:
    """Run the benchmark at a place of ``suite.json`` alone, as its script does."""
    document = json.loads((suite / "suite.json").read_text())
    row = {**document["benchmarks"][place], **{key: document[key] for key in ("seed", "target", "weights")}}
    return measure(row, FIXED_OPTIONS, suite, arguments)


def unary(operator: str, shape: Sequence[int]) -> bytes:
    """Give a network of one operator."""
    return network([helper.make_node(operator, ["x0"], ["y0"])], {"x0": shape}, {"y0": shape})


def endless() -> bytes:
    """Give a network that loads at once and takes days: a Loop of many trips over a Sin."""
    value = helper.make_tensor_value_info
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Sin", ["v"], ["w"])],
        "body",
        [value("i", TensorProto.INT64, ()), value("go", TensorProto.BOOL, ()), value("v", TensorProto.FLOAT, (4,))],
        [value("on", TensorProto.BOOL, ()), value("w", TensorProto.FLOAT, (4,))],
    )
    trips = helper.make_tensor("trips", TensorProto.INT64, (), [10**12])
    nodes = [helper.make_node("Loop", ["trips", "", "x0"], ["y0"], body=body)]
    return network(nodes, {"x0": (4,)}, {"y0": (4,)}, [trips])


def hangs_later() -> bytes:
    """Give a network that answers at once when it is called first, and takes days from then on.

    The first number of the generator is 0 with this seed.
    """
    (loop,) = onnx.load_from_string(endless()).graph.node
    made = helper.make_node
    nodes = [
        made("RandomUniform", [], ["random"], shape=[1], seed=1.0),
        made("Greater", ["random", "most"], ["later"]),
        made("Cast", ["later"], ["number"], to=TensorProto.INT64),
        made("Mul", ["number", "many"], ["product"]),
        made("Squeeze", ["product"], ["trips"]),
        loop,
    ]
    most = helper.make_tensor("most", TensorProto.FLOAT, (1,), [0.05])
    many = helper.make_tensor("many", TensorProto.INT64, (1,), [10**12])
    return network(nodes, {"x0": (4,)}, {"y0": (4,)}, [most, many])


def benchmark(
    name: str, data: bytes, *, role: str = "sequence", weight_bytes: int = 0, **more: Any
) -> tuple[Document, bytes]:
    """Give the manifest entry of a network, without reference."""
    model = onnx.load_from_string(data)
    fingerprint = hashlib.sha256(b"fingerprint" + name.encode() + data).hexdigest()

    def contract(info: onnx.ValueInfoProto, generator: Document | None) -> Document:
        shape = [dimension.dim_value for dimension in info.type.tensor_type.shape.dim]
        return {"name": info.name, "dtype": "float32", "shape": shape, "generator": generator}

    inputs = [contract(info, INPUT) for info in model.graph.input]
    outputs = [contract(info, None) for info in model.graph.output]
    elements = sum(int(np.prod(one["shape"])) for one in (*inputs, *outputs))
    return {
        "fingerprint": fingerprint,
        "name": name,
        "network": f"networks/{fingerprint}.onnx",
        "digest": hashlib.sha256(data).hexdigest(),
        "optimization": "all",
        "role": role,
        "operators": [node.op_type for node in model.graph.node],
        "layers": len(model.graph.node),
        "inputs": inputs,
        "outputs": outputs,
        "weight_bytes": weight_bytes,
        "activation_bytes": 4 * elements,
        "flops": 0,
        "importance": 1.0,
        "overwrites": "",
        "reference": None,
        "reference_note": "not run yet",
        **more,
    }, data


def write(folder: Path, parts: Sequence[tuple[Document, bytes]], **changes: Any) -> Path:
    """Write a suite folder; references are left as they are."""
    (folder / "networks").mkdir(parents=True, exist_ok=True)
    for entry, data in parts:
        (folder / entry["network"]).write_bytes(data)
    suite = {
        "format": "dlbricks-suite",
        "schema_version": 2,
        "name": "tiny",
        "granularity": "1",
        "splitter": "block",
        "target": {"name": "portable", "runtime": "", "instruction_set": []},
        "seed": 3,
        "weights": [{"file": BLOB, "dtype": "float32", "nbytes": 1 << 20, "generator": UNIFORM}],
        "benchmarks": [entry for entry, _ in parts],
        "generator_version": "0.1.0",
        **changes,
    }
    suite["digest"] = suite_digest(suite)
    (folder / "suite.json").write_text(json.dumps(suite))
    return folder


def refer(folder: Path, parts: Sequence[tuple[Document, bytes]]) -> None:
    """Fill in the references by a real run."""
    weights = folder / "weights"
    ensure_weights(weights, [{"file": BLOB, "dtype": "float32", "nbytes": 1 << 20, "generator": UNIFORM}], 3)
    for entry, data in parts:
        bound = Bound(open_session(data, weights, SessionSettings()), entry, make_inputs(entry, 3))
        bound.visit(1)
        entry["reference"], entry["reference_note"] = bound.output_digests(), ""


def tiny_parts() -> list[tuple[Document, bytes]]:
    """Give an empty graph, an anchor and three sequences."""
    return [
        benchmark("Identity", unary("Identity", (1,)), role="overhead"),
        benchmark("MatMul_Relu", matmul(256), role="anchor", weight_bytes=256 * 256 * 4),
        benchmark("MatMul_Relu", matmul(128), weight_bytes=128 * 128 * 4),
        benchmark("MatMul_Relu", matmul(192, 4096), weight_bytes=192 * 192 * 4),
        benchmark("Sin", unary("Sin", (64, 256))),
    ]


def tiny(folder: Path, *extra: tuple[Document, bytes], change: Callable[[Document], None] | None = None) -> Path:
    """Write the tiny suite with references, and further benchmarks without."""
    parts = tiny_parts()
    refer(folder, parts)
    if change is not None:
        for entry, _ in parts:
            change(entry)
    return write(folder, [*parts, *extra])
