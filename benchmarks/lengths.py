"""Networks of tokens with another number of them than their file has, as if exported anew, for measurements.

Exporters bake the number of tokens into inputs, targets of Reshape and Expand, masks, tables of positions and cosines.
All of these are given the new extent; entries of masks and tables are taken from the old ones, so that indices stay in
range. A network is taken only if its output and its operations then follow the number of tokens as they have to:
operations are a polynomial of degree 2 in it, by attention.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from dlbricks.errors import UnsupportedModelError
from dlbricks.files import write_bytes
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.operators.costs import least_flops

_TARGETS = ("Reshape", "Expand")
_WHOLE_NUMBERS = (onnx.TensorProto.INT64, onnx.TensorProto.BOOL)
_CHECKED = (64, 128, 192, 256)
"""Equally spaced: the third difference of a polynomial of degree 2 is 0."""


def with_length(path: Path, length: int, folder: Path) -> Path:
    """Write a network with another number of tokens; it is as in the file where the file leaves them open.

    Args:
        path: the network; the second extent of its first input are its tokens.
        length: their number.
        folder: where the new file is written, under the name of the old one.

    Raises:
        InputError: it cannot be read or written.
        UnsupportedModelError: it does not follow the number of its tokens.
    """
    network = onnx.load(path, load_external_data=False)
    before = network.graph.input[0].type.tensor_type.shape.dim[1]
    if not before.HasField("dim_value"):
        return path
    made = {extent: _rewritten(path, before.dim_value, extent, folder) for extent in {length, *_CHECKED}}
    models = {extent: read_model(one) for extent, one in made.items()}
    flops = [_flops(models[extent]) for extent in _CHECKED]
    if flops[3] - 3 * flops[2] + 3 * flops[1] - flops[0]:
        raise UnsupportedModelError(
            f"{path} cannot be given {length} tokens: its operations are {flops} for {_CHECKED}"
        )
    old, new = (one.spec(one.outputs[0]).shape for one in (read_model(path), models[length]))
    if new != _resized(old, before.dim_value, length):
        raise UnsupportedModelError(f"{path} cannot be given {length} tokens: its output is {list(new)}")
    return made[length]


def _flops(model: Model) -> int:
    skipped = next((layer.skip for layer in model.layers if layer.skip), None)
    if skipped:
        raise UnsupportedModelError(f"{model.name} cannot be given another number of tokens: {skipped}")
    return least_flops(model, model.layers)


def _resized(shape: Sequence[int], before: int, length: int) -> tuple[int, ...]:
    return tuple(length if extent == before else extent for extent in shape)


def _rewritten(path: Path, before: int, length: int, folder: Path) -> Path:
    """Write a network in which every extent that can be that of the tokens is another."""
    network = onnx.load(path, load_external_data=False)
    graph = network.graph
    graph.input[0].type.tensor_type.shape.dim[1].dim_value = length
    del graph.value_info[:]
    for output in graph.output:
        output.type.tensor_type.ClearField("shape")
    targets = {node.input[1] for node in graph.node if node.op_type in _TARGETS}
    tensors = {one.name: one for one in graph.initializer}
    tensors |= {node.output[0]: node.attribute[0].t for node in graph.node if node.op_type == "Constant"}
    for name, tensor in tensors.items():
        if name in targets:
            values = numpy_helper.to_array(tensor)
            tensor.CopyFrom(numpy_helper.from_array(np.where(values == before, length, values), tensor.name))
        elif before in tensor.dims and len(tensor.dims) > 1 and tensor.data_type in _WHOLE_NUMBERS:
            tensor.CopyFrom(numpy_helper.from_array(_taken(tensor, before, length), tensor.name))
        elif before in tensor.dims and len(tensor.dims) > 2:
            tensor.CopyFrom(_without_values(tensor, _resized(tensor.dims, before, length)))
    made = folder / str(length) / path.name
    write_bytes(made, network.SerializeToString())
    return made


def _without_values(tensor: onnx.TensorProto, shape: Sequence[int]) -> onnx.TensorProto:
    """Give a weight of another shape; values of weights are made up wherever they are needed."""
    made = onnx.TensorProto(name=tensor.name, data_type=tensor.data_type, dims=shape)
    made.data_location = onnx.TensorProto.EXTERNAL
    made.external_data.add(key="location", value="none.bin")
    return made


def _taken(tensor: onnx.TensorProto, before: int, length: int) -> np.ndarray:
    """Give a mask or a table with another number of tokens, of entries of the old one."""
    values = numpy_helper.to_array(tensor)
    entries = np.arange(length) * before // length
    for axis, extent in enumerate(values.shape):
        if extent == before:
            values = values.take(entries, axis)
    return values
