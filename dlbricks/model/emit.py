"""Writes networks: some layers of a Model, or all layers with synthetic weights and inputs.

Equal arguments give equal bytes: nodes are numbered, attributes sorted, defaults removed, bodies renamed.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import EncodeError
from onnx import helper

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.values import ensure_weights, fill
from dlbricks.model.bodies import captured, domain_of
from dlbricks.model.order import needed_for
from dlbricks.model.schemas import attribute_defaults, choose_opset, ir_version_for
from dlbricks.model.tensors import raw_values
from dlbricks.model.types import Model, Placement, TensorSpec, WeightBlob
from dlbricks.operators.costs import shared_of
from dlbricks.operators.values import input_generators, place_constants

GRAPH_NAME = "network"
PRODUCER_NAME = "dlbricks"
# Value of all elements of a weight that no layer uses, and the size of the largest such weight, bytes.
_FOLDED_VALUE, _MOST_INLINE_BYTES = 0.02, 64 << 20


def build_network(
    model: Model,
    layers: Sequence[int],
    inputs: Sequence[str],
    outputs: Sequence[str],
    *,
    rename: Mapping[str, str],
    constants: Mapping[str, Placement | bytes],
) -> onnx.ModelProto:
    """Return an ONNX network of some layers of a model, without the values of weights.

    Args:
        layers: indices into the layers of the model, in topological order.
        rename: new names of tensors and constants; tensors without a new name keep theirs.
        constants: for each constant that the layers use, its place in a weight file or its ``raw_data``.

    Raises:
        UnsupportedModelError: an input or output is not a tensor.
    """
    opsets = choose_opset(model, layers)
    inner = (name for index in layers for name in (*model.layers[index].reads, *model.layers[index].outputs) if name)
    scope = {name: rename.get(name, name) for name in (*inputs, *constants, *inner, *outputs)}
    taken = frozenset(scope.values())
    # of tensors inside bodies
    namer = (name for number in itertools.count() if (name := f"b{number}") not in taken)
    nodes = []
    for position, index in enumerate(layers):
        layer = model.layers[index]
        node = onnx.NodeProto.FromString(layer.node)
        node.input[:], node.output[:] = layer.inputs, layer.outputs
        nodes.append(_plain_node(node, f"n{position}", scope, namer, dict(opsets)))
    graph = helper.make_graph(
        nodes,
        GRAPH_NAME,
        [_value_info(model.spec(name), scope[name]) for name in inputs],
        [_value_info(model.spec(name), scope[name]) for name in outputs],
        [initializer(model.constants[name].spec, scope[name], place) for name, place in constants.items()],
    )
    imports = [helper.make_opsetid(domain, version) for domain, version in opsets]
    return helper.make_model(
        graph, opset_imports=imports, ir_version=ir_version_for(opsets), producer_name=PRODUCER_NAME
    )


def network_bytes(network: onnx.ModelProto) -> bytes:
    """Serialise a network; equal networks give equal bytes.

    Raises:
        UnsupportedModelError: the network exceeds 2 GiB, the limit of ONNX files.
    """
    try:
        # maps would be written in any order: bytes are part of digests
        data: bytes = network.SerializeToString(deterministic=True)
    except EncodeError as error:
        raise UnsupportedModelError("the network would be larger than 2 GiB, the limit of ONNX files") from error
    return data


def _value_info(spec: TensorSpec, name: str) -> onnx.ValueInfoProto:
    if spec.dtype not in BY_NAME:
        raise UnsupportedModelError(f"'{spec.name}' is not a tensor: inputs and outputs of a benchmark must be tensors")
    return helper.make_tensor_value_info(name, BY_NAME[spec.dtype].onnx, list(spec.shape))


def initializer(spec: TensorSpec, name: str, place: Placement | bytes) -> onnx.TensorProto:
    """Return a TensorProto of a constant, with values or with a reference to a weight file."""
    element = BY_NAME[spec.dtype]
    tensor = onnx.TensorProto(name=name, data_type=element.onnx, dims=spec.shape)
    if element.kind == "string":  # other texts: what handles strings is never part of a benchmark
        tensor.string_data.extend(str(index).encode() for index in range(spec.elements))
        return tensor
    if isinstance(place, bytes):
        tensor.raw_data = place
        return tensor
    tensor.data_location = onnx.TensorProto.EXTERNAL
    for key, value in (("location", place.file), ("offset", str(place.offset)), ("length", str(spec.nbytes))):
        tensor.external_data.add(key=key, value=value)
    return tensor


def _plain_node(
    node: onnx.NodeProto, name: str, scope: Mapping[str, str], namer: Iterator[str], opsets: Mapping[str, int]
) -> onnx.NodeProto:
    domain = domain_of(node)
    plain = onnx.NodeProto(op_type=node.op_type, domain=domain, name=name)
    plain.input.extend(scope[tensor] if tensor else "" for tensor in node.input)
    plain.output.extend(scope[tensor] if tensor else "" for tensor in node.output)
    defaults = attribute_defaults(domain, node.op_type, opsets.get(domain, 1))
    # order and stated defaults differ between exporters, so neither may enter the bytes
    for attribute in sorted(node.attribute, key=lambda attribute: attribute.name):
        copy = deepcopy(attribute)
        copy.ClearField("doc_string")
        if copy != defaults.get(attribute.name):
            _plain_values(copy, scope, namer, opsets)
            plain.attribute.append(copy)
    return plain


def _plain_values(
    attribute: onnx.AttributeProto, scope: Mapping[str, str], namer: Iterator[str], opsets: Mapping[str, int]
) -> None:
    if attribute.HasField("t"):
        attribute.t.CopyFrom(_plain_tensor(attribute.t, ""))
    for tensor in attribute.tensors:
        tensor.CopyFrom(_plain_tensor(tensor, ""))
    if attribute.HasField("g"):
        attribute.g.CopyFrom(_plain_body(attribute.g, scope, namer, opsets))
    for body in attribute.graphs:
        body.CopyFrom(_plain_body(body, scope, namer, opsets))


def _plain_tensor(tensor: onnx.TensorProto, name: str) -> onnx.TensorProto:
    """Return a tensor with its values in ``raw_data``."""
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        raise UnsupportedModelError(
            f"tensor '{tensor.name}' of a body or an attribute lies in another file: store it in the network's file"
        )
    plain = onnx.TensorProto(name=name, data_type=tensor.data_type, dims=tensor.dims)
    if tensor.data_type == onnx.TensorProto.STRING:
        plain.string_data.extend(tensor.string_data)
    else:
        plain.raw_data = raw_values(tensor)
    return plain


def _plain_body(
    body: onnx.GraphProto, outer: Mapping[str, str], namer: Iterator[str], opsets: Mapping[str, int]
) -> onnx.GraphProto:
    """Return a body with new names for the tensors that it defines."""
    if body.sparse_initializer:
        raise UnsupportedModelError("a body with sparse initialisers cannot be emitted")
    scope = dict(outer)
    defined = [value.name for value in body.input] + [tensor.name for tensor in body.initializer]
    defined += [name for node in body.node for name in node.output if name]
    for name in dict.fromkeys(defined):
        scope[name] = next(namer)
    plain = onnx.GraphProto(name=GRAPH_NAME)
    plain.input.extend(_plain_value_info(value, scope) for value in body.input)
    plain.output.extend(_plain_value_info(value, scope) for value in body.output)
    plain.initializer.extend(_plain_tensor(tensor, scope[tensor.name]) for tensor in body.initializer)
    for node in body.node:
        plain.node.append(_plain_node(node, "", scope, namer, opsets))
    return plain


def _plain_value_info(value: onnx.ValueInfoProto, scope: Mapping[str, str]) -> onnx.ValueInfoProto:
    plain = onnx.ValueInfoProto(name=scope[value.name])
    plain.type.CopyFrom(value.type)
    for dimension in plain.type.tensor_type.shape.dim:
        # names of dimensions would tell which network a body is from
        if dimension.HasField("dim_param"):
            dimension.ClearField("dim_param")
    return plain


def end_to_end_network(model: Model) -> tuple[onnx.ModelProto, tuple[WeightBlob, ...]]:
    """Return a model as an ONNX network with the model's names, and the weight files that the network needs.

    Raises:
        UnsupportedModelError: an input or output is not a tensor, or its shape is unknown.
    """
    layers = range(len(model.layers))
    for layer in model.layers:
        if layer.skip and any(name in model.outputs and not model.spec(name).dtype for name in layer.outputs):
            raise UnsupportedModelError(f"{model.name} cannot be run as a whole: {layer.skip}")
    constants = dict.fromkeys(name for layer in model.layers for name in layer.reads if name in model.constants)
    constants.update(dict.fromkeys(name for name in model.outputs if name in model.constants))
    return named_network(model, layers, model.inputs, model.outputs, [*constants])


def named_network(
    model: Model, layers: Sequence[int], inputs: Sequence[str], outputs: Sequence[str], constants: Sequence[str]
) -> tuple[onnx.ModelProto, tuple[WeightBlob, ...]]:
    """Return some layers as an ONNX network with the model's names, and the weight files that the network needs.

    Args:
        layers: as in ``build_network``.
        constants: names of all constants that the layers use, in order.

    Raises:
        UnsupportedModelError: an input or output is not a tensor.
    """
    texts = dict.fromkeys((name for name in constants if model.spec(name).dtype == "string"), b"")
    places, blobs = place_constants(model, layers, [name for name in constants if name not in texts], real_values=True)
    network = build_network(model, layers, inputs, outputs, rename={}, constants={**places, **texts})
    for node, index in zip(network.graph.node, layers, strict=True):
        node.name = model.layers[index].name
    return network, blobs


def open_network(path: Path, model: Model) -> tuple[onnx.ModelProto, tuple[WeightBlob, ...]]:
    """Return the network in an ONNX file, with its symbolic dimensions, and the weight files that the network needs.

    Args:
        model: the model of the same file, read with any extents.

    Raises:
        UnsupportedModelError: an external weight is not in the model, so it has no synthetic values.
    """
    filled, blobs = end_to_end_network(model)
    synthetic = {tensor.name: tensor for tensor in filled.graph.initializer}
    network = onnx.load(path, load_external_data=False)
    _remove_dead(network.graph)
    for tensor in network.graph.initializer:
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            tensor.CopyFrom(synthetic.get(tensor.name) or _folded_away(path, tensor))
    return network, blobs


def _folded_away(path: Path, tensor: onnx.TensorProto) -> onnx.TensorProto:
    """Return a weight that is in the file but not in the model, with synthetic values.

    Such a weight was folded away, for example a Slice of position embeddings for the model's extents.

    Raises:
        UnsupportedModelError: the weight does not hold real numbers, or is larger than 64 MiB.
    """
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
    if not np.issubdtype(dtype, np.floating) or math.prod(tensor.dims) * dtype.itemsize > _MOST_INLINE_BYTES:
        raise UnsupportedModelError(f"{path}: no layer uses weight '{tensor.name}', and its values are missing")
    return onnx.numpy_helper.from_array(np.full(tuple(tensor.dims), _FOLDED_VALUE, dtype), tensor.name)


def _remove_dead(graph: onnx.GraphProto) -> None:
    """Remove the nodes and weights of a sorted graph on which no output depends."""
    outputs = {entry.name for entry in graph.output}
    calls = [((*node.input, *captured(node)), node.output) for node in graph.node]
    needed = needed_for(outputs, calls)
    nodes, used = [graph.node[place] for place in needed], outputs.union(*(calls[place][0] for place in needed))
    weights = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(weights)


def write_weights(folder: Path, blobs: tuple[WeightBlob, ...], seed: int = 0) -> None:
    """Write files of synthetic weights into a folder; raises InputError if a file cannot be written."""
    try:
        ensure_weights(folder, [asdict(blob) for blob in blobs], seed)
    except HarnessError as error:
        raise InputError(str(error)) from error


def end_to_end_inputs(model: Model, seed: int = 0) -> Iterator[tuple[str, np.ndarray[Any, np.dtype[Any]]]]:
    """Yield the name and synthetic values of each input of a network; raises as ``check_numbers``."""
    for name in model.inputs:
        check_numbers(model, name)
    for name, generator in input_generators(model, range(len(model.layers)), model.inputs).items():
        spec = model.spec(name)
        yield name, fill(spec.dtype, spec.shape, asdict(generator), seed, name)


def check_numbers(model: Model, name: str) -> None:
    """Raise UnsupportedModelError if the input or output ``name`` of the network is not a tensor of numbers."""
    if model.spec(name).dtype in {"", "string"}:
        raise UnsupportedModelError(f"'{name}' of {model.name} is not a tensor of numbers: it cannot be measured")


def end_to_end_contract(model: Model) -> dict[str, Any]:
    """Return names, types and shapes of a network's inputs and outputs, as ``harness.network.Bound`` needs them.

    Raises:
        UnsupportedModelError: an input or output is not a tensor of numbers.
    """
    layers = range(len(model.layers))
    for name in model.outputs:
        check_numbers(model, name)
    return {
        "inputs": [
            {**_bound(model, name), "generator": asdict(generator)}
            for name, generator in input_generators(model, layers, model.inputs).items()
        ],
        "outputs": [_bound(model, name) for name in model.outputs],
        "overwrites": "",
        "shared": shared_of(model, layers),
    }


def _bound(model: Model, name: str) -> dict[str, Any]:
    spec = model.spec(name)
    return {"name": name, "dtype": spec.dtype, "shape": list(spec.shape)}
