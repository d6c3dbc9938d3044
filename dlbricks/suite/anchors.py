"""The fixed benchmarks of every suite: three anchors that expose a machine's drift, the empty graph, the curve. Pure.

They are the same bytes in every suite of every version, so results of different suites on one machine can be compared.
What they do stays within opset 17 and IR 8, which every supported runtime reads.
"""

import math
from collections.abc import Sequence

import onnx
from onnx import TensorProto, helper

from dlbricks.fingerprint import digest_bytes, digest_json
from dlbricks.model.emit import network_bytes
from dlbricks.model.nouns import Generator, WeightBlob
from dlbricks.model.synthesis import blob_file
from dlbricks.suite.bricks import Brick
from dlbricks.suite.nouns import Benchmark, TensorContract

_OPSET = 17
_IR_VERSION = 8
_UNIT = Generator(kind="uniform", low=-1.0, high=1.0)
_WEIGHTS = Generator(kind="uniform", low=-0.0625, high=0.0625)
_MEGABYTE_FLOATS = 2**18
_NAMES = {"overhead": "Empty", "curve": "curve"}


def anchors() -> tuple[Brick, ...]:
    """Give matrix product (33 M multiplications), convolution (29 M), a negation of 8 MiB, the empty graph, the curve.

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
) -> Brick:
    blob = WeightBlob(
        file=blob_file("float32", _WEIGHTS),
        dtype="float32",
        nbytes=4 * math.prod(weight or (0,)),
        generator=_WEIGHTS,
    )
    network = _network(operator, attributes, shape, result, weight, blob)
    digest = digest_bytes(network)
    fingerprint = digest_json(["anchor", operator, digest])
    benchmark = Benchmark(
        fingerprint=fingerprint,
        name=_NAMES.get(role, f"Anchor_{operator}"),
        network=f"networks/{fingerprint}.onnx",
        digest=digest,
        optimization="all",
        role=role,
        operators=(operator,),
        layers=1,
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
    operator: str,
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
    node = onnx.NodeProto(op_type=operator, input=["x0", "c0"] if weight else ["x0"], output=["y0"], name="n0")
    node.attribute.extend(helper.make_attribute(name, value) for name, value in attributes.items())
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info("x0", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y0", TensorProto.FLOAT, result)],
        initializers,
    )
    model: onnx.ModelProto = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION
    )
    return network_bytes(model)
