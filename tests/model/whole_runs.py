"""Runs of whole networks in three forms, for comparison: the file, the Model, the lowered Model."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from onnx import numpy_helper

from dlbricks.harness.dtypes import BY_NAME, BY_ONNX
from dlbricks.harness.values import fill
from dlbricks.model.emit import build_network, end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.types import Constant, Model

Values = dict[str, np.ndarray[Any, np.dtype[Any]]]


def run(network: bytes, feeds: Values, wanted: list[str] | None = None, *, weights: Path | None = None) -> Values:
    """Run a network with all optimisations off."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.disable_prepacking", "1")
    if weights is not None:
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(weights))
    session = ort.InferenceSession(network, options, providers=["CPUExecutionProvider"])
    names = wanted or [entry.name for entry in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds), strict=True))


def run_model(model: Model, folder: Path) -> Values:
    """Run a whole network with the weights that are made up for it."""
    network, blobs = end_to_end_network(model)
    write_weights(folder, blobs)
    return run(network_bytes(network), dict(end_to_end_inputs(model)), weights=folder)


def run_with(model: Model, values: Mapping[str, bytes], feeds: Values) -> Values:
    """Run a whole network with given values of all its constants."""
    used = {name for layer in model.layers for name in layer.reads} | set(model.outputs)
    constants = {name: values[name] for name in model.constants if name in used}
    network = build_network(
        model, range(len(model.layers)), model.inputs, model.outputs, rename={}, constants=constants
    )
    return run(network_bytes(network), feeds)


def kept_values(constant: Constant) -> bytes:
    """Give the values of a constant, wherever they are."""
    if constant.values is not None:
        return constant.values
    assert constant.source is not None
    with Path(constant.source.path).open("rb") as file:
        file.seek(constant.source.offset)
        return file.read(constant.source.length)


def filled_file(path: Path, model: Model, dims: Mapping[str, int]) -> onnx.ModelProto:
    """Give a weight-free network file with weights made up and its dimensions bound.

    Weights that the Model still has are made as for the Model; others (they were folded) are scaled by fan-in.
    """
    proto = onnx.load(path, load_external_data=False)
    for entry in proto.graph.input:
        for dimension in entry.type.tensor_type.shape.dim:
            if dimension.HasField("dim_param"):
                dimension.dim_value = dims[dimension.dim_param]
    network, blobs = end_to_end_network(model)
    files = {
        tensor.name: entry.value
        for tensor in network.graph.initializer
        for entry in tensor.external_data
        if entry.key == "location"
    }
    generators = {blob.file: asdict(blob.generator) for blob in blobs}
    for number, tensor in enumerate(proto.graph.initializer):
        if tensor.data_location != onnx.TensorProto.EXTERNAL:
            continue
        dtype = BY_ONNX[tensor.data_type].name
        if tensor.name in files:
            generator = generators[files[tensor.name]]
        elif BY_NAME[dtype].kind == "float":
            bound = math.sqrt(3 / max(1, math.prod(tensor.dims[1:])))
            generator = {"kind": "uniform", "low": -bound, "high": bound}
        else:
            generator = {"kind": "integers", "low": 0, "high": 128}
        array = fill(dtype, tuple(tensor.dims), generator, number, tensor.name)
        assert BY_NAME[dtype].name == BY_NAME[dtype].storage
        tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))
    return proto


def run_file(proto: onnx.ModelProto, model: Model, feeds: Values) -> tuple[Values, dict[str, bytes]]:
    """Run a filled file; give its outputs, and the values that the Model's constants have in it.

    A constant that the file does not have is a copy of one that it has, called after it with a number.
    """
    known = {tensor.name: numpy_helper.to_array(tensor).tobytes() for tensor in proto.graph.initializer}
    made = {name for node in proto.graph.node for name in node.output}
    inner = [name for name in model.constants if name in made]
    present = {entry.name for entry in proto.graph.output}
    exposed = onnx.ModelProto()
    exposed.CopyFrom(proto)
    for name in inner:
        if name not in present:
            exposed.graph.output.add(name=name)
    values = run(exposed.SerializeToString(), feeds, [*model.outputs, *inner])
    known |= {name: values[name].tobytes() for name in inner}
    constants = {name: known[name if name in known else name.rpartition("_")[0]] for name in model.constants}
    return {name: values[name] for name in model.outputs}, constants
