"""Networks of one operator with planted secrets in whatever may hold values, and how secrets would look in bytes."""

import random
import struct
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import AttributeProto, TensorProto, helper, numpy_helper

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from onnx.backend.test.case.node import collect_testcases

Values = NDArray[Any]

CASES_PER_OPERATOR = 1
_SHAPES_BY_STANDARD = {
    ("AffineGrid", 1), ("BlackmanWindow", 0), ("CenterCropPad", 1), ("Col2Im", 1), ("Col2Im", 2),
    ("ConstantOfShape", 0), ("CumSum", 1), ("CumProd", 1), ("DFT", 1), ("DFT", 2), ("Expand", 1),
    ("HammingWindow", 0), ("HannWindow", 0), ("Loop", 0), ("MaxUnpool", 2), ("MelWeightMatrix", 0),
    ("MelWeightMatrix", 1), ("NonMaxSuppression", 2), ("OneHot", 1), ("Pad", 1), ("Pad", 3), ("Range", 0),
    ("Range", 1), ("Range", 2), ("Reshape", 1), ("Resize", 2), ("Resize", 3), ("STFT", 1), ("STFT", 3),
    ("Slice", 1), ("Slice", 2), ("Slice", 3), ("Slice", 4), ("Split", 1), ("Squeeze", 1), ("Tile", 1),
    ("Tile", 2), ("TopK", 1), ("Trilu", 1), ("Unsqueeze", 1), ("Upsample", 1),
}  # fmt: skip
"""Operands that say how large a result is or which axes are meant; they keep the values of the standard's examples."""
_LABELS = {"classlabels_int64s", "classlabels_ints", "cats_int64s", "keys_int64s", "values_int64s", "default_int64"}


def secrets_of(seed: int) -> "Secrets":
    """Secrets that a seed decides."""
    return Secrets(random.Random(seed))  # noqa: S311 - the same in every run


@dataclass(slots=True)
class Secrets:
    """Draws values that occur nowhere else, and knows all it has drawn."""

    draw: random.Random
    floats: list[float] = field(default_factory=list)
    integers: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    masks: list[bytes] = field(default_factory=list)

    def real(self) -> float:
        """A number of float32 between 0.1 and 1 that nobody else uses."""
        self.floats.append(float(np.float32(self.draw.uniform(0.1, 0.999))))
        return self.floats[-1]

    def whole(self) -> int:
        """A number of ten digits that fits 32 bits."""
        self.integers.append(self.draw.randrange(10**9, 2**31 - 1))
        return self.integers[-1]

    def text(self) -> str:
        """A word of 16 letters."""
        self.texts.append("".join(self.draw.choices("bcdfghjklmnpqrstvwxz", k=16)))
        return self.texts[-1]

    def array(self, like: Values) -> Values:
        """An array of secrets of the same shape and type; of masks at least 64 elements are looked for."""
        if like.dtype.kind == "f":
            return np.array([self.real() for _ in range(like.size)], like.dtype).reshape(like.shape)
        if like.dtype.kind in "iu" and like.dtype.itemsize >= 4:
            return np.array([self.whole() for _ in range(like.size)], like.dtype).reshape(like.shape)
        if like.dtype.kind == "b":
            made = np.array([self.draw.random() < 0.5 for _ in range(like.size)]).reshape(like.shape)
            if made.size >= 64:
                self.masks.append(made.tobytes())
            return made
        return like

    def taken(self) -> "Secrets":
        """Hand over what was drawn so far, and forget it."""
        mine = Secrets(self.draw, self.floats, self.integers, self.texts, self.masks)
        self.floats, self.integers, self.texts, self.masks = [], [], [], []
        return mine

    @property
    def count(self) -> int:
        """How many were planted."""
        return len(self.floats) + len(self.integers) + len(self.texts) + len(self.masks)

    def found_in(self, data: bytes) -> list[object]:
        """Give the secrets that occur in some bytes, in any notation: binary, varint, digits, hexadecimal."""
        found: list[object] = [text for text in self.texts if text.encode() in data]
        found += [mask for mask in self.masks if mask in data or mask.hex().encode() in data]
        for whole in self.integers:
            raw = struct.pack("<q", whole)
            forms = (raw, raw[:4], _varint(whole), str(whole).encode(), raw.hex().encode(), raw[:4].hex().encode())
            found += [whole] if any(form in data for form in forms) else []
        for real in self.floats:
            single, double = struct.pack("<f", real), struct.pack("<d", real)
            bits = (single, double, single.hex().encode(), double.hex().encode(), real.hex().encode())
            digits = (repr(real)[:9].encode(), f"{real:.6g}".encode())
            found += [real] if any(form in data for form in (*bits, *digits)) else []
        return found


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])


def standard_networks(secrets: Secrets) -> Iterator[tuple[str, onnx.ModelProto]]:
    """Give the examples of the standard, each input in turn left open, all others constants with secrets."""
    seen: Counter[tuple[str, ...]] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases: list[Any] = collect_testcases(None)
    for case in sorted(cases, key=lambda one: one.name):
        if "_expanded" in case.name:
            continue
        operators = tuple(sorted({node.op_type for node in case.model.graph.node}))
        seen[operators] += 1
        if seen[operators] > CASES_PER_OPERATOR or not case.data_sets or not case.model.graph.input:
            continue
        values = case.data_sets[0][0]
        arrays = [np.asarray(one) if isinstance(one, (np.ndarray, np.generic)) else None for one in values]
        for kept in range(min(len(arrays), 2)):
            yield f"{case.name}/{kept}", _planted(case.model, arrays, kept, secrets)


def _planted(model: onnx.ModelProto, values: Sequence[Values | None], kept: int, secrets: Secrets) -> onnx.ModelProto:
    made = onnx.ModelProto()
    made.CopyFrom(model)
    graph = made.graph
    entries = list(graph.input)
    del graph.input[:]
    for number, entry in enumerate(entries):
        value = values[number] if number < len(values) else None
        if number == kept or value is None:
            graph.input.append(entry)
            continue
        uses = {(node.op_type, at) for node in graph.node for at, name in enumerate(node.input) if name == entry.name}
        shaping = any(use in _SHAPES_BY_STANDARD or (use[0].startswith("Reduce") and use[1] == 1) for use in uses)
        array = np.asarray(value)
        graph.initializer.append(numpy_helper.from_array(array if shaping else secrets.array(array), entry.name))
    for node in graph.node:
        _plant_attributes(node, secrets)
    return made


def _plant_attributes(node: onnx.NodeProto, secrets: Secrets) -> None:
    for attribute in node.attribute:
        kind = attribute.type
        if kind == AttributeProto.FLOAT:
            attribute.f = secrets.real()
        elif kind == AttributeProto.FLOATS and attribute.name != "scales":
            attribute.floats[:] = [secrets.real() for _ in attribute.floats]
        elif kind == AttributeProto.INTS and attribute.name in _LABELS:
            attribute.ints[:] = [secrets.whole() for _ in attribute.ints]
        elif kind == AttributeProto.STRINGS and attribute.name != "activations":
            attribute.strings[:] = [secrets.text().encode() for _ in attribute.strings]
        elif kind == AttributeProto.TENSOR and attribute.name != "nodes_modes":
            _plant_tensor(attribute.t, secrets)
        elif kind == AttributeProto.GRAPH:
            for inner in attribute.g.node:
                _plant_attributes(inner, secrets)
            for tensor in attribute.g.initializer:
                _plant_tensor(tensor, secrets)


def _plant_tensor(tensor: onnx.TensorProto, secrets: Secrets) -> None:
    if tensor.data_type == TensorProto.STRING:
        tensor.string_data[:] = [secrets.text().encode() for _ in tensor.string_data]
        return
    array = numpy_helper.to_array(tensor)
    tensor.CopyFrom(numpy_helper.from_array(secrets.array(array), tensor.name))


def classical_networks(secrets: Secrets) -> Iterator[tuple[str, onnx.ModelProto]]:
    """Give one network of each operator of ``ai.onnx.ml`` that takes and gives numbers, its attributes secrets."""

    def reals(count: int) -> list[float]:
        return [secrets.real() for _ in range(count)]

    def wholes(count: int) -> list[int]:
        return [secrets.whole() for _ in range(count)]

    tree, nodes = wholes(1)[0], wholes(3)
    trees: dict[str, Any] = {
        "nodes_treeids": [tree] * 3,
        "nodes_nodeids": nodes,
        "nodes_featureids": [2, 0, 0],
        "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"],
        "nodes_values": reals(3),
        "nodes_hitrates": reals(3),
        "nodes_truenodeids": [nodes[1], 0, 0],
        "nodes_falsenodeids": [nodes[2], 0, 0],
    }
    leaves: dict[str, Any] = {"treeids": [tree] * 2, "nodeids": nodes[1:], "ids": [0, 1], "weights": reals(2)}
    per_class = {f"class_{name}": values for name, values in leaves.items()}
    per_target = {f"target_{name}": values for name, values in leaves.items()}
    classes = {"classlabels_int64s": wholes(2)}
    vectors: dict[str, Any] = {
        "coefficients": reals(4),
        "support_vectors": reals(16),
        "rho": reals(1),
        "kernel_params": reals(3),
    }
    labels, scores = ("int64", (2,)), ("float32", (2, 2))
    yield "trees", _classical("TreeEnsembleClassifier", {**trees, **per_class, **classes}, [labels, scores])
    regressed = {**trees, **per_target, "n_targets": 2, "base_values": reals(2)}
    yield "regressing trees", _classical("TreeEnsembleRegressor", regressed, [scores])
    yield (
        "linear",
        _classical(
            "LinearClassifier",
            {"coefficients": reals(8), "intercepts": reals(2), "classlabels_ints": wholes(2)},
            [labels, scores],
        ),
    )
    linear = {"coefficients": reals(8), "intercepts": reals(2), "targets": 2}
    yield "linear regression", _classical("LinearRegressor", linear, [scores])
    machine = {**vectors, "classlabels_ints": wholes(2), "vectors_per_class": [2, 2], "kernel_type": "RBF"}
    yield "support vectors", _classical("SVMClassifier", machine, [labels, scores])
    yield (
        "support vector regression",
        _classical("SVMRegressor", {**vectors, "n_supports": 4, "kernel_type": "RBF"}, [("float32", (2, 1))]),
    )
    scaler = {"offset": reals(4), "scale": reals(4)}
    yield "scaler", _classical("Scaler", scaler, [("float32", (2, 4))])
    yield "binarizer", _classical("Binarizer", {"threshold": reals(1)[0]}, [("float32", (2, 4))])
    imputer = {"imputed_value_floats": reals(4), "replaced_value_float": reals(1)[0]}
    yield "imputer", _classical("Imputer", imputer, [("float32", (2, 4))])
    encoder = {"cats_int64s": wholes(3), "zeros": 1}
    yield "encoder", _classical("OneHotEncoder", encoder, [("float32", (2, 4, 3))], dtype="int64")
    keys = {"keys_int64s": wholes(3), "values_int64s": wholes(3), "default_int64": wholes(1)[0]}
    yield "labels", _classical("LabelEncoder", keys, [("int64", (2, 4))], dtype="int64")
    numbers = {"keys_int64s": wholes(3), "values_floats": reals(3), "default_float": reals(1)[0]}
    yield "numbers", _classical("LabelEncoder", numbers, [("float32", (2, 4))], dtype="int64")


def _classical(
    operator: str,
    attributes: dict[str, Any],
    outputs: list[tuple[str, tuple[int, ...]]],
    dtype: str = "float32",
) -> onnx.ModelProto:
    kinds = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64}
    names = [f"y{number}" for number in range(len(outputs))]
    node = helper.make_node(operator, ["x"], names, domain="ai.onnx.ml", **attributes)
    made = [
        helper.make_tensor_value_info(name, kinds[kind], shape)
        for name, (kind, shape) in zip(names, outputs, strict=True)
    ]
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", kinds[dtype], (2, 4))], made)
    imports = [helper.make_opsetid("", 20), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10)


def written_network(secrets: Secrets) -> onnx.ModelProto:
    """Give a network that keeps secrets in bounds, a mask, a table of labels, a body, an exponent, and trees."""
    size = 96

    def table(*shape: int) -> Values:
        return secrets.array(np.zeros(shape, np.int64))

    mask = secrets.array(np.zeros((size,), np.bool_))
    low = np.array(-secrets.real(), np.float32)
    secrets.floats[-1] = float(low)
    values = {
        "low": low,
        "high": np.array(secrets.real(), np.float32),
        "mask": mask,
        "labels": table(size),
        "exponent": np.array(2 + secrets.real(), np.float32),
        "zero": np.array(0, np.float32),
    }
    secrets.floats[-1] = float(values["exponent"])
    then, other = (
        helper.make_graph(
            [
                helper.make_node("Constant", [], [f"c{name}"], value_float=secrets.real()),
                helper.make_node("Mul", ["kept", f"c{name}"], [name]),
            ],
            name,
            [],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, size))],
        )
        for name in ("then", "other")
    )
    nodes = [
        helper.make_node("Clip", ["x", "low", "high"], ["clipped"], name="clipping"),
        helper.make_node("Where", ["mask", "clipped", "zero"], ["kept"], name="pruning"),
        helper.make_node("Pow", ["kept", "exponent"], ["raised"]),
        helper.make_node("ReduceSum", ["raised"], ["sum"], keepdims=0),
        helper.make_node("Greater", ["sum", "zero"], ["large"]),
        helper.make_node("If", ["large"], ["chosen"], then_branch=then, else_branch=other),
        helper.make_node("ArgMax", ["chosen"], ["best"], axis=1, keepdims=0),
        helper.make_node("Gather", ["labels", "best"], ["label"], name="labelling"),
        helper.make_node("LeakyRelu", ["chosen"], ["leaked"], alpha=secrets.real()),
        helper.make_node(
            "Scaler", ["leaked"], ["scaled"], domain="ai.onnx.ml", offset=[secrets.real()], scale=[secrets.real()]
        ),
    ]
    graph = helper.make_graph(
        nodes,
        "secret",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, size))],
        [
            helper.make_tensor_value_info("label", TensorProto.INT64, (1,)),
            helper.make_tensor_value_info("scaled", TensorProto.FLOAT, (1, size)),
        ],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in values.items()],
    )
    imports = [helper.make_opsetid("", 20), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10)
