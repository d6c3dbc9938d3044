"""The fixed benchmarks of every suite: anchors that expose a machine's drift, empty graphs, the curve. Pure.

They are the same bytes in every suite of every version, so results of different suites on one machine can be compared.
What they do stays within opset 17 and IR 8, which every supported runtime reads.
"""

import math
from collections.abc import Sequence

import onnx
from onnx import TensorProto, helper

from dlbricks.fingerprint import digest_bytes, digest_json
from dlbricks.model.emit import network_bytes
from dlbricks.model.synthesis.values import blob_file
from dlbricks.model.types import Generator, WeightBlob
from dlbricks.suite.bricks import Brick
from dlbricks.suite.nouns import Benchmark, TensorContract

_OPSET = 17
_IR_VERSION = 8
_UNIT = Generator(kind="uniform", low=-1.0, high=1.0)
_WEIGHTS = Generator(kind="uniform", low=-0.0625, high=0.0625)
_MEGABYTE_FLOATS = 2**18
_NAMES = {"overhead": "Empty", "nodes": "Empty_nodes", "curve": "curve"}
_NODES = 65


def anchors() -> tuple[Brick, ...]:
    """Give matrix product (33 M multiplications), convolution (29 M), a negation of 8 MiB, empty graphs, the curve.

    The empty graphs are one node and a chain of 65: the first is what a call costs, the second beside it what the
    runtime takes for each node of a network.

    The curve multiplies a row by a constant of 2 MiB, so that reading the constant takes nearly all of its time: called
    after more and more other bytes were touched, it shows how much of the constant the caches still hold.
    """
    return (
        _fixed("MatMul", {}, shape=(64, 512), weight=(512, 1024), result=(64, 1024)),
        _fixed(
            "Conv",
            {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [1, 1], "dilations": [1, 1], "group": 1},
            shape=(1, 64, 28, 28),
            weight=(64, 64, 3, 3),
            result=(1, 64, 28, 28),
        ),
        _fixed("Neg", {}, shape=(8, _MEGABYTE_FLOATS), weight=None, result=(8, _MEGABYTE_FLOATS)),
        _fixed("Identity", {}, shape=(1,), weight=None, result=(1,), role="overhead"),
        _fixed("Identity", {}, shape=(1,), weight=None, result=(1,), role="nodes", nodes=_NODES),
        _fixed("MatMul", {}, shape=(1, 1024), weight=(1024, 512), result=(1, 512), role="curve"),
    )


def _fixed(
    operator: str,
    attributes: dict[str, int | list[int]],
    *,
    shape: tuple[int, ...],
    weight: tuple[int, ...] | None,
    result: tuple[int, ...],
    role: str = "anchor",
    nodes: int = 1,
) -> Brick:
    blob = WeightBlob(
        file=blob_file("float32", _WEIGHTS),
        dtype="float32",
        nbytes=4 * math.prod(weight or (0,)),
        generator=_WEIGHTS,
    )
    network = _network([operator] * nodes, attributes, shape, result, weight, blob)
    digest = digest_bytes(network)
    fingerprint = digest_json(["anchor", operator, digest])
    benchmark = Benchmark(
        fingerprint=fingerprint,
        name=_NAMES.get(role, f"Anchor_{operator}"),
        network=f"networks/{fingerprint}.onnx",
        digest=digest,
        optimization="all" if nodes == 1 else "none",
        role=role,
        operators=(operator,) * nodes,
        layers=nodes,
        inputs=(TensorContract(name="x0", dtype="float32", shape=shape, generator=_UNIT),),
        outputs=(TensorContract(name="y0", dtype="float32", shape=result),),
        weight_bytes=blob.nbytes,
        activation_bytes=4 * (math.prod(shape) + math.prod(result)),
        flops=2 * math.prod(result) * math.prod(weight[1:] if operator == "Conv" else weight[:1]) if weight else 0,
        importance=1.0,
        reference=None,
        reference_note="not run yet",
    )
    return Brick(benchmark=benchmark, network=network, weights=(blob,) if weight else ())


def _network(
    operators: Sequence[str],
    attributes: dict[str, int | list[int]],
    shape: Sequence[int],
    result: Sequence[int],
    weight: Sequence[int] | None,
    blob: WeightBlob,
) -> bytes:
    initializers = []
    if weight:
        tensor = TensorProto(name="c0", data_type=TensorProto.FLOAT, dims=weight, data_location=TensorProto.EXTERNAL)
        for key, value in (("location", blob.file), ("offset", "0"), ("length", str(blob.nbytes))):
            tensor.external_data.add(key=key, value=value)
        initializers.append(tensor)
    between = [f"t{index}" for index in range(1, len(operators))]
    nodes = [
        onnx.NodeProto(op_type=operator, input=[read, "c0"] if weight else [read], output=[made], name=f"n{index}")
        for index, (operator, read, made) in enumerate(zip(operators, ["x0", *between], [*between, "y0"], strict=True))
    ]
    for node in nodes:
        node.attribute.extend(helper.make_attribute(name, value) for name, value in attributes.items())
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x0", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y0", TensorProto.FLOAT, result)],
        initializers,
    )
    model: onnx.ModelProto = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION
    )
    return network_bytes(model)
