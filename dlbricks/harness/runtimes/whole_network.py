"""Completes networks for runtimes: with their weights, and with what the network had that they are a part of."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from ..model_file import encode_field, external_constants, wire_fields

_GRAPH, _NODE, _INITIALIZER, _INPUT = 7, 1, 5, 11  # fields of ModelProto and GraphProto
_OPERAND, _OPERATOR, _NAME = 1, 4, 1  # of NodeProto and ValueInfoProto
_RAW, _EXTERNAL, _LOCATION = 9, 13, 14  # of TensorProto
_PRODUCTS = frozenset({"Convolution", "GroupConvolution", "MatMul"})
# Operators of OpenVINO between the integers of a weight and the product that it enters.
_SCALING = frozenset({"Multiply", "Reshape", "Subtract", "Transpose"})
_RANGES = {"i8": (-128, 127), "u8": (0, 255)}


def with_weights(network: bytes, folder: Path) -> bytes:
    """Return a network with its external weights included, since OpenVINO looks for them beside a file only.

    Raises:
        OSError: a weight file cannot be read.
    """

    def tensor(content: memoryview) -> bytes:
        places = external_constants(content)
        if not places:
            return bytes(content)
        rest = b"".join(bytes(raw) for key, _, raw in wire_fields(content) if key not in {_EXTERNAL, _LOCATION})
        with (folder / places[0].file).open("rb") as file:
            file.seek(places[0].offset)
            return rest + encode_field(_RAW, file.read(places[0].length))

    def graph(content: memoryview) -> bytes:
        parts = (
            encode_field(key, tensor(inner)) if key == _INITIALIZER else bytes(raw)
            for key, inner, raw in wire_fields(content)
        )
        return b"".join(parts)

    fields = wire_fields(memoryview(network))
    return b"".join(encode_field(key, graph(inner)) if key == _GRAPH else bytes(raw) for key, inner, raw in fields)


def continues_in_integers(network: bytes) -> bool:
    """Return whether a network dequantises an input and quantises nothing, as a part of a quantised network may."""
    graph = next(inner for key, inner, _ in wire_fields(memoryview(network)) if key == _GRAPH)
    names, reads, kinds = set[bytes](), set[bytes](), set[bytes]()
    for key, inner, _ in wire_fields(graph):
        if key == _INPUT:
            names.update(bytes(name) for field, name, _ in wire_fields(inner) if field == _NAME)
        elif key == _NODE:
            fields = [(field, bytes(text)) for field, text, _ in wire_fields(inner) if field in {_OPERAND, _OPERATOR}]
            kind = next((text for field, text in fields if field == _OPERATOR), b"")
            kinds.add(kind)
            if kind == b"DequantizeLinear":
                reads.add(fields[0][1])
    return b"QuantizeLinear" not in kinds and not reads.isdisjoint(names)


def quantise_weights(model: Any) -> None:
    """Quantise one weight of 8 bits again, which changes none of its values and takes no time.

    OpenVINO computes in integers only where something is quantised; without it a part computes in float32 what the
    whole network computes in integers, several times slower.
    """
    from openvino import opset8

    for floats in model.get_ordered_ops():
        weight = floats.input_value(0) if floats.get_type_name() == "Convert" else None
        if weight is None or weight.get_node().get_type_name() != "Constant":
            continue
        kind = weight.get_element_type().get_type_name()
        if kind not in _RANGES or math.prod(weight.get_shape()) == 1 or not _enters_products(floats):
            continue
        low, high = (opset8.constant(np.float32(limit)) for limit in _RANGES[kind])
        readers = list(floats.output(0).get_target_inputs())
        again = opset8.convert(opset8.fake_quantize(floats, low, high, low, high, 256), kind)
        for reader in readers:
            reader.replace_source_output(opset8.convert(again, "f32").output(0))
        return


def _enters_products(floats: Any) -> bool:
    """Return whether a weight is read, scaled, by products only: recurrent layers need constants."""
    waiting, enters = [floats], False
    while waiting:
        for reader in waiting.pop().output(0).get_target_inputs():
            kind = reader.get_node().get_type_name()
            if kind in _SCALING:
                waiting.append(reader.get_node())
            elif kind not in _PRODUCTS:
                return False
            enters = enters or kind in _PRODUCTS
    return enters
