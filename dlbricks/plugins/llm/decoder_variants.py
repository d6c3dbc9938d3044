"""Writes variants of decoders with weights of fewer bits, or with fewer key-value heads, but without weight values."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import onnx
from onnx import TensorProto, external_data_helper, helper, numpy_helper

from dlbricks.errors import InputError
from dlbricks.model.read.decoders import SETTINGS, network_name

# Bits of a weight by the value of the option.
BITS = {"int4": 4, "int8": 8}
# Number of weights that share a scale.
BLOCK = 32
# Attribute of onnxruntime's MatMulNBits: inputs are rounded to 8 bits, as onnxruntime's model builder does for CPUs.
_ACCURACY = 4
_RUNTIME = "com.microsoft"
_DATA = "variant.data"
# Most elements of an external constant that is copied with its values: shapes may depend on small constants.
_SMALL = 1024
# Operators through which heads of keys go from a product to an attention.
_PASSED = {"Reshape", "SimplifiedLayerNormalization", "RotaryEmbedding", "MRotaryEmbedding"}
_FLOATS = {TensorProto.FLOAT, TensorProto.FLOAT16}


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderChange:
    """Differences between a variant and the original decoder."""

    weights: str | None = None
    """Type of the weights of matrix products, a key of ``BITS``; None for the original type."""
    groups: int | None = None
    """Number of key-value heads per layer; None for the original number."""


def write_variant(path: Path, variant: DecoderChange, folder: Path) -> Path:
    """Write a variant of a decoder into a new folder, and return its path; changed weights refer to a missing file.

    ``folder`` is the parent of the new folder. Raises ``InputError`` if nothing would change, the heads cannot be
    divided, or the heads of an attention are unknown.
    """
    network = onnx.load(path, load_external_data=False)
    weights = {tensor.name: tensor for tensor in network.graph.initializer}
    _take_over_small(weights.values(), path.parent)
    if variant.groups:
        _set_groups(path, network.graph, weights, variant.groups)
    if variant.weights:
        _pack_products(path, network, weights, BITS[variant.weights])
    used = {name for node in network.graph.node for name in node.input}
    used_weights = [tensor for name, tensor in weights.items() if name in used]
    del network.graph.initializer[:], network.graph.value_info[:]
    network.graph.initializer.extend(used_weights)
    heads = f"{variant.groups}-kv-heads" if variant.groups else None
    place = folder / "-".join(filter(None, (network_name(path), variant.weights, heads)))
    place.mkdir(parents=True, exist_ok=True)
    settings = path.parent / SETTINGS
    if settings.is_file():
        (place / SETTINGS).write_text(_settings(settings, variant), encoding="utf-8")
    file = place / path.name if settings.is_file() else place / f"{place.name}.onnx"
    file.write_bytes(network.SerializeToString())
    return file


def _settings(path: Path, variant: DecoderChange) -> str:
    try:
        stated = json.loads(path.read_bytes())
        if variant.groups:
            stated["model"]["decoder"]["num_key_value_heads"] = variant.groups
    except (OSError, ValueError, RecursionError, TypeError, KeyError) as error:
        raise InputError(f"{path} cannot be read: {' '.join(str(error).split())}: build the folder again") from error
    return json.dumps(stated, indent=4) + "\n"


def _take_over_small(weights: Iterable[TensorProto], folder: Path) -> None:
    # Read the values of small external constants whose file exists.
    for tensor in weights:
        if tensor.data_location != TensorProto.EXTERNAL or math.prod(tensor.dims) > _SMALL:
            continue
        place = external_data_helper.ExternalDataInfo(tensor).location
        if (folder / place).is_file():
            external_data_helper.load_external_data_for_tensor(tensor, str(folder))
            tensor.data_location = TensorProto.DEFAULT
            del tensor.external_data[:]


def _placeholder(name: str, kind: int, dims: Iterable[int]) -> TensorProto:
    weight = TensorProto(name=name, data_type=kind, dims=list(dims), data_location=TensorProto.EXTERNAL)
    weight.external_data.add(key="location", value=_DATA)
    return weight


def _pack_products(path: Path, network: onnx.ModelProto, weights: dict[str, TensorProto], bits: int) -> None:
    # Replace products with weight matrices by products with packed weights.
    changed = 0
    for index, node in enumerate(network.graph.node):
        shape = _product(node, weights)
        if shape is None or _attribute(node, "bits", 4 if node.op_type == "MatMulNBits" else 0) == bits:
            continue
        wide, out = shape
        blocks, stem = -(-wide // BLOCK), f"{node.name or node.output[0]}/{bits}"
        scale = weights[node.input[2 if node.op_type == "MatMulNBits" else 1]].data_type
        packed = (
            _placeholder(f"{stem}/packed", TensorProto.UINT8, (out, blocks, BLOCK * bits // 8)),
            _placeholder(f"{stem}/scales", scale, (out, blocks)),
        )
        weights.update({weight.name: weight for weight in packed})
        bias = list(node.input[5:6]) if node.op_type == "MatMulNBits" else []
        network.graph.node[index].CopyFrom(
            helper.make_node(
                "MatMulNBits",
                [node.input[0], *(weight.name for weight in packed), *(["", "", *bias] if bias else [])],
                list(node.output),
                name=node.name,
                domain=_RUNTIME,
                K=wide,
                N=out,
                bits=bits,
                block_size=BLOCK,
                accuracy_level=_ACCURACY,
            )
        )
        changed += 1
    _untie(network.graph, weights)
    if not changed and any(node.op_type == "DequantizeLinear" for node in network.graph.node):
        raise InputError(f"{path} reads weights by DequantizeLinear: build it with MatMulNBits (without use_qdq)")
    if not changed:
        raise InputError(f"the products of {path} have weights of {bits} bits already: leave --weights out")
    if all(entry.domain != _RUNTIME for entry in network.opset_import):
        network.opset_import.append(helper.make_opsetid(_RUNTIME, 1))


def _untie(graph: onnx.GraphProto, weights: dict[str, TensorProto]) -> None:
    # An embedding may share the weights of the last product: it gets a copy, since those of the product are packed.
    readers = Counter(name for node in graph.node for name in node.input)
    for node in [node for node in graph.node if node.op_type in {"Reshape", "Transpose"} and node.input[0] in weights]:
        source = weights[node.input[0]]
        if source.data_location != TensorProto.EXTERNAL or readers[source.name] > 1:
            continue
        dims = list(source.dims)
        if node.op_type == "Transpose":
            (order,) = (attribute.ints for attribute in node.attribute if attribute.name == "perm")
            dims = [dims[axis] for axis in order]
        else:
            dims = _numbers(graph, weights, node.input[1])
        weights[node.output[0]] = _placeholder(node.output[0], source.data_type, dims)
        graph.node.remove(node)


def _numbers(graph: onnx.GraphProto, weights: Mapping[str, TensorProto], name: str) -> list[int]:
    # Return the values of a constant of whole numbers; it is an initializer or the output of a Constant node.
    if name in weights:
        return cast("list[int]", numpy_helper.to_array(weights[name]).tolist())
    maker = next(node for node in graph.node if name in node.output)
    if maker.op_type != "Constant":
        raise InputError(
            f"the shape '{name}' of an embedding comes from {maker.op_type}, not from a constant: leave --weights out"
        )
    (value,) = maker.attribute
    return cast("list[int]", numpy_helper.to_array(value.t).tolist() if value.HasField("t") else list(value.ints))


def _product(node: onnx.NodeProto, weights: dict[str, TensorProto]) -> tuple[int, int] | None:
    # Return the numbers of inputs and outputs of a product with weights; None for other nodes.
    if node.op_type == "MatMulNBits" and node.domain == _RUNTIME:
        return _attribute(node, "K", 0), _attribute(node, "N", 0)
    if node.op_type != "MatMul" or node.domain or node.input[1] not in weights:
        return None
    matrix = weights[node.input[1]]
    return (matrix.dims[0], matrix.dims[1]) if len(matrix.dims) == 2 and matrix.data_type in _FLOATS else None


def _attribute(node: onnx.NodeProto, name: str, default: int) -> int:
    return next((attribute.i for attribute in node.attribute if attribute.name == name), default)


def _set_attribute(node: onnx.NodeProto, name: str, value: int) -> None:
    for attribute in node.attribute:
        if attribute.name == name:
            attribute.i = value


def _set_groups(path: Path, graph: onnx.GraphProto, weights: dict[str, TensorProto], groups: int) -> None:
    # Set the number of key-value heads of every attention, and resize the products before it.
    makers = {name: node for node in graph.node for name in node.output}
    attentions = [node for node in graph.node if node.op_type == "GroupQueryAttention"]
    if not attentions:
        raise InputError(f"{path} has no GroupQueryAttention, so its number of heads is unknown: leave --kv-heads out")
    caches = set[str]()
    for node in attentions:
        heads, before = _attribute(node, "num_heads", 0), _attribute(node, "kv_num_heads", 0)
        if not before or heads % groups:
            raise InputError(f"--kv-heads {groups} does not divide the {heads} heads of {path}")
        for tensor, units, wanted in _resized(graph, weights, node, makers, groups):
            for name, axis in _weights_of(path, tensor, makers, weights):
                dims = list(weights[name].dims)
                dims[axis] = dims[axis] // units * wanted
                weights[name] = _placeholder(name, weights[name].data_type, dims)
            product = makers[_source(tensor, makers)]
            _set_attribute(product, "N", _attribute(product, "N", 0) // units * wanted)
        _set_attribute(node, "kv_num_heads", groups)
        caches.update((*node.input[3:5], *node.output[1:3]))
    for entry in (*graph.input, *graph.output):
        if entry.name in caches:
            entry.type.tensor_type.shape.dim[1].dim_value = groups


def _resized(
    graph: onnx.GraphProto,
    weights: dict[str, TensorProto],
    node: onnx.NodeProto,
    makers: dict[str, onnx.NodeProto],
    groups: int,
) -> list[tuple[str, int, int]]:
    # Return each product whose extent depends on an attention's key-value heads, with the heads before and after. #
    # Layers between the product and the attention (split, norm, rotation) are set to the new number of heads.
    heads, before = _attribute(node, "num_heads", 0), _attribute(node, "kv_num_heads", 0)
    if not node.input[1]:
        return [(node.input[0], heads + 2 * before, heads + 2 * groups)]
    ends = [_followed(graph, weights, name, makers, before, groups) for name in node.input[1:3]]
    split = makers.get(ends[0])
    if split is None or split.op_type != "Split" or ends != list(split.output[1:]):
        return [(end, before, groups) for end in ends]
    sizes = _numbers(graph, weights, split.input[1])
    wanted = [sizes[0], *(size // before * groups for size in sizes[1:])]
    _set_numbers(split, wanted, weights)
    return [(split.input[0], sum(sizes), sum(wanted))]


def _followed(
    graph: onnx.GraphProto,
    weights: dict[str, TensorProto],
    tensor: str,
    makers: dict[str, onnx.NodeProto],
    before: int,
    groups: int,
) -> str:
    # Return the tensor that keys or values come from through norms of heads and rotations, which get the new heads.
    joined = False
    while (node := makers.get(tensor)) is not None and node.op_type in _PASSED:
        if node.op_type == "Reshape" and not joined:
            *outer, wide = _numbers(graph, weights, node.input[1])
            _set_numbers(node, [*outer, wide // before * groups], weights)
            joined = True
        _set_attribute(node, "num_heads", groups)
        tensor = node.input[0]
    return tensor


def _set_numbers(node: onnx.NodeProto, values: list[int], weights: dict[str, TensorProto]) -> None:
    # Give a node a constant of its own, since other nodes may read the shared one.
    name = f"{node.name or node.output[0]}/extents"
    weights[name] = numpy_helper.from_array(np.array(values), name)
    node.input[1] = name


def _source(tensor: str, makers: dict[str, onnx.NodeProto]) -> str:
    # Return the tensor before the addition of a bias; without a bias the tensor itself.
    node = makers.get(tensor)
    if node is None or node.op_type != "Add":
        return tensor
    return next((name for name in node.input if name in makers), tensor)


def _weights_of(
    path: Path, tensor: str, makers: dict[str, onnx.NodeProto], weights: dict[str, TensorProto]
) -> Iterator[tuple[str, int]]:
    # Yield each weight that a tensor is computed with, and the weight's axis of outputs.
    node = makers.get(_source(tensor, makers))
    if node is None or _product(node, weights) is None:
        kind = node.op_type if node is not None else "no layer"
        raise InputError(f"{path}: keys and values come from {kind}, not from a product: leave --kv-heads out")
    added = makers[tensor]
    if added is not node:
        yield from ((name, 0) for name in added.input if name in weights)
    if node.op_type == "MatMul":
        yield node.input[1], 1
    else:
        yield from ((name, 0) for name in node.input[1:] if name in weights)
