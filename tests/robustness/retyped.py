"""Changes of the tensors and types of networks, for ``rewired``.

Tensors become sparse, empty, external or of another size than they say; types no tensors; extents no numbers; and
quantisation gets parameters that do not fit.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

NUMBERS = (float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1e-45, -1.0, 3.4e38)
DIMS: Sequence[tuple[int, ...]] = (
    (), (0,), (1,), (-1,), (3,), (0, 0), (2, 0, 3), (2**31,), (2**33, 2**33), (-(2**63),), (1,) * 9, (5, 7),
)  # fmt: skip
SYMBOLS = (
    "n", "n/0", "n%0", "n//(n-n)", "max(n, 4)", "floor(n/2)", "ceil(n*1.5)", "-n", "n-9", "None", "?", "x:0", "n n",
    "0x10", "1e3", "\u0663", "n**n", "(n", "n)", "", " ", "batch", "past_sequence_length + 1", "[n]", "2147483648",
    "n\x00",
)  # fmt: skip
TYPES = tuple(range(-1, 28))
"""Element types, of which some do not exist."""
LOCATIONS = (
    "",
    ".",
    "..",
    "given",
    "given/",
    "./given",
    "/proc/self/mem",
    "a" * 300,
    "\\\\host\\share",
    "x\x00y",
    "w.bin",
)

Draw = random.Random


def graphs(model: onnx.ModelProto) -> list[onnx.GraphProto]:
    """Give the graph and all bodies in it."""
    found, at = [model.graph], 0
    while at < len(found):
        for node in found[at].node:
            for one in node.attribute:
                found += [*([one.g] if one.HasField("g") else []), *one.graphs]
        at += 1
    return found


def nodes(model: onnx.ModelProto) -> list[onnx.NodeProto]:
    inside = [node for graph in graphs(model) for node in graph.node]
    return inside + [node for one in model.functions for node in one.node]


def tensors(model: onnx.ModelProto) -> list[onnx.TensorProto]:
    found = [one for graph in graphs(model) for one in graph.initializer]
    return found + [one.t for node in nodes(model) for one in node.attribute if one.HasField("t")]


def entries(model: onnx.ModelProto) -> list[onnx.ValueInfoProto]:
    return [one for graph in graphs(model) for one in (*graph.input, *graph.output, *graph.value_info)]


def names(model: onnx.ModelProto) -> list[str]:
    """Give every name of a tensor, none and one that is nowhere."""
    found = [name for node in nodes(model) for name in (*node.input, *node.output)]
    found += [one.name for graph in graphs(model) for one in (*graph.input, *graph.initializer)]
    return [*found, "", "nowhere"]


def some(values: Sequence[Any], draw: Draw, count: int = 1) -> list[Any]:
    return draw.sample(list(values), min(count, len(values)))


def _tensor_of_another_size(model: onnx.ModelProto, draw: Draw) -> None:
    """Let a tensor say another shape or type than its values have, or keep them in two places."""
    for one in some(tensors(model), draw):
        kind = draw.randrange(7)
        if kind == 0:
            del one.dims[:]
            one.dims.extend(draw.choice(DIMS))
        elif kind == 1:
            one.raw_data = one.raw_data[: draw.choice((0, 1, 3))] + bytes(draw.choice((0, 1, 5, 4096)))
        elif kind == 2:
            one.data_type = draw.choice(TYPES)
        elif kind == 3:
            one.float_data.extend([draw.choice(NUMBERS)] * draw.choice((1, 5, 3000)))
        elif kind == 4:
            one.int32_data.extend([draw.choice((0, -1, 2**31 - 1, -(2**31), 70000))] * draw.choice((1, 5)))
        elif kind == 5:
            one.string_data.append(draw.choice((b"", b"\xff\xfe", b"text")))
        else:
            one.segment.begin, one.segment.end = draw.choice((0, 5, -3)), draw.choice((0, 3, 2**62))


def _numbers(model: onnx.ModelProto, draw: Draw) -> None:
    """Fill a tensor with what is no number, none, or the least one."""
    for one in some([one for one in tensors(model) if one.data_type == TensorProto.FLOAT], draw, 2):
        shape = tuple(one.dims)
        if all(0 <= extent < 1000 for extent in shape) and len(shape) < 6 and np.prod(shape, dtype=float) < 1e6:
            one.CopyFrom(numpy_helper.from_array(np.full(shape, draw.choice(NUMBERS), np.float32), one.name))


def _external(model: onnx.ModelProto, draw: Draw) -> None:
    """Say that a tensor lies elsewhere: in this file, in none, before its begin, behind its end."""
    for one in some(tensors(model), draw):
        one.data_location = TensorProto.EXTERNAL
        if draw.random() < 0.7:
            one.ClearField("raw_data")
        for key, values in (
            ("location", LOCATIONS),
            ("offset", ("0", "-1", "-4096", "1e3", "0x10", "9" * 30, " 4", "4.0", "")),
            ("length", ("0", "-1", "4", "64", "9" * 30, "", "None")),
            ("checksum", ("00", "\u00e9")),
        ):
            if draw.random() < 0.8:
                one.external_data.add(key=key, value=draw.choice(values))


def _sparse(model: onnx.ModelProto, draw: Draw) -> None:
    """Turn a tensor into a sparse one whose indices may not fit."""
    graph = draw.choice(graphs(model))
    for one in some([*graph.initializer], draw):
        sparse = graph.sparse_initializer.add()
        sparse.values.CopyFrom(one)
        sparse.dims.extend(one.dims if draw.random() < 0.6 else draw.choice(DIMS))
        count = min(64, max(0, int(np.prod([*one.dims], dtype=float))))
        places = [draw.choice((at, 0, -1, 2**40)) if draw.random() < 0.3 else at for at in range(count)]
        shape = draw.choice(([count], [count, 1], [count, 2], [0], []))
        values = (places * 2)[: int(np.prod(shape, dtype=int))]
        if len(values) == int(np.prod(shape, dtype=int)):
            sparse.indices.CopyFrom(helper.make_tensor("", TensorProto.INT64, shape, values))
        if draw.random() < 0.7:
            graph.initializer.remove(one)


def _empty(model: onnx.ModelProto, draw: Draw) -> None:
    """Let a tensor have no elements, as an initialiser, input or both."""
    for one in some(tensors(model), draw):
        one.CopyFrom(TensorProto(name=one.name, data_type=one.data_type, dims=draw.choice(((0,), (0, 3), (2, 0), ()))))


def _typed(model: onnx.ModelProto, draw: Draw) -> None:
    """Give an input, output or inner tensor another type: a sequence, a map, an optional, a sparse tensor, none."""
    for one in some(entries(model), draw, 2):
        kind, element = draw.randrange(8), draw.choice(TYPES)
        tensor = helper.make_tensor_type_proto(max(0, element), draw.choice((None, [], ["n"], [2, 3])))
        if kind == 0:
            one.type.CopyFrom(helper.make_sequence_type_proto(tensor))
        elif kind == 1:
            one.type.CopyFrom(helper.make_optional_type_proto(tensor))
        elif kind == 2:
            one.type.CopyFrom(helper.make_map_type_proto(draw.choice((7, 8, 1)), tensor))
        elif kind == 3:
            one.type.CopyFrom(helper.make_sequence_type_proto(helper.make_sequence_type_proto(tensor)))
        elif kind == 4:
            one.type.CopyFrom(helper.make_sparse_tensor_type_proto(max(0, element), draw.choice((None, [2, 3]))))
        elif kind == 5:
            one.ClearField("type")
        elif kind == 6:
            one.type.CopyFrom(tensor)
        else:
            one.type.tensor_type.elem_type = element


def _extents(model: onnx.ModelProto, draw: Draw) -> None:
    """Name an extent after what is no extent, or let one name stand for several."""
    found = [one.type.tensor_type.shape for one in entries(model) if one.type.tensor_type.HasField("shape")]
    for shape in some(found, draw, 3):
        if shape.dim and draw.random() < 0.8:
            one = draw.choice(shape.dim)
            if draw.random() < 0.7:
                one.dim_param = draw.choice(SYMBOLS)
            else:
                one.dim_value = draw.choice((0, -1, -(2**63), 2**31, 2**63 - 1, 7))
        else:
            shape.dim.add(dim_param=draw.choice(SYMBOLS))


def _quantised(model: onnx.ModelProto, draw: Draw) -> None:
    """Quantise a tensor on its way with parameters of other lengths, types and axes than fit."""
    graph = draw.choice(graphs(model))
    spots = [(node, at) for node in graph.node for at, name in enumerate(node.input) if name]
    for node, at in some(spots, draw):
        name = node.input[at]
        dims = draw.choice(DIMS[:7])
        count = int(np.prod([max(0, one) for one in dims], dtype=int))
        kind = draw.choice((2, 3, 4, 5, 6, 17, 19, 21, 22, 23, 24, 25, 26))
        scale = helper.make_tensor(
            "qs", draw.choice((1, 1, 10, 16, 11)), [*map(abs, dims)], [draw.choice(NUMBERS)] * count
        )
        graph.initializer.append(scale)
        zero = TensorProto(
            name="qz",
            data_type=kind,
            dims=[*map(abs, draw.choice(DIMS[:7]))],
            raw_data=bytes(draw.choice((0, 1, 3, 12))),
        )
        graph.initializer.append(zero)
        more: dict[str, Any] = {
            key: draw.choice((0, 1, -1, 7, -9, 32)) for key in ("axis", "block_size", "saturate") if draw.random() < 0.4
        }
        for position, made in enumerate(
            (
                helper.make_node("QuantizeLinear", [name, "qs", "qz"], ["qq"], **more),
                helper.make_node("DequantizeLinear", ["qq", "qs", draw.choice(("qz", ""))], ["qd"], **more),
            )
        ):
            graph.node.insert(draw.choice((position, position, len(graph.node))), made)
        node.input[at] = "qd"


CHANGES: Sequence[Callable[[onnx.ModelProto, Draw], None]] = (
    _tensor_of_another_size, _numbers, _external, _sparse, _empty, _typed, _extents, _quantised,
)  # fmt: skip
