"""Small networks written to files and read back, for tests."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Generator, Model
from dlbricks.operators.values import input_generators

Spec = tuple[str, Sequence[int | str]]


def input_generator(model: Model, layers: Sequence[int], tensor: str) -> Generator:
    """Choose the generator of one input."""
    return input_generators(model, layers, [tensor])[tensor]


def info(name: str, spec: Spec | None) -> onnx.ValueInfoProto:
    """State the type of an input or output; None leaves it open."""
    if spec is None:
        return onnx.ValueInfoProto(name=name)
    return helper.make_tensor_value_info(name, BY_NAME[spec[0]].onnx, list(spec[1]))


def network(
    nodes: Sequence[onnx.NodeProto],
    inputs: Mapping[str, Spec],
    outputs: Mapping[str, Spec | None],
    constants: Mapping[str, NDArray[Any] | onnx.TensorProto] | None = None,
    *,
    opset: int = 20,
    domains: Sequence[str] = (),
) -> onnx.ModelProto:
    """Make a network."""
    tensors = [
        value if isinstance(value, onnx.TensorProto) else numpy_helper.from_array(value, name)
        for name, value in (constants or {}).items()
    ]
    graph = helper.make_graph(
        list(nodes),
        "written",
        [info(name, spec) for name, spec in inputs.items()],
        [info(name, spec) for name, spec in outputs.items()],
        tensors,
    )
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10)


def weight(name: str, dtype: str, shape: Sequence[int]) -> onnx.TensorProto:
    """Make a weight whose values are nowhere."""
    tensor = onnx.TensorProto(name=name, data_type=BY_NAME[dtype].onnx, dims=shape)
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="missing.bin")
    return tensor


def reading(made: onnx.ModelProto, folder: Path) -> Model:
    """Write a network to a file and read it."""
    path = folder / "written.onnx"
    path.write_bytes(made.SerializeToString())
    return read_model(path)


def node(op_type: str, inputs: str, outputs: str, **attributes: Any) -> onnx.NodeProto:
    """Make a node; tensor names are separated by spaces, ``-`` is an omitted one."""
    names = [["" if name == "-" else name for name in text.split()] for text in (inputs, outputs)]
    domain = attributes.pop("domain", "")
    return helper.make_node(op_type, names[0], names[1], domain=domain, **attributes)


F32 = np.float32
"""Short for tests."""
