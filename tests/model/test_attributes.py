"""Attributes and versions: equal calls have equal attributes, different ones differ."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

from dlbricks.errors import InputError
from dlbricks.model import schemas
from dlbricks.model.schemas import _ADDED_ATTRIBUTES as ADDED
from dlbricks.model.schemas import oldest_version, signature_interval
from dlbricks.model.types import Layer
from tests.model.written import network, node, reading, weight

IMAGE = {"x": ("float32", (1, 2, 8, 8))}


def first(call: onnx.NodeProto, folder: Path, opset: int = 20, constants: dict[str, Any] | None = None) -> Layer:
    """Read a network of one layer."""
    given_constants: dict[str, Any] = {"w": weight("w", "float32", (4, 2, 3, 3)), "i": np.zeros((2, 2), np.int64)} | (
        constants or {}
    )
    used = {name: value for name, value in given_constants.items() if name in call.input}
    return reading(network([call], IMAGE, {"y": None}, used, opset=opset), folder).layers[0]


@pytest.mark.parametrize(
    ("operator", "inputs", "stated"),
    [
        ("Conv", "x w", {"strides": [1, 1]}),
        ("Conv", "x w", {"pads": [0, 0, 0, 0], "dilations": [1, 1], "group": 1}),
        ("Conv", "x w", {"kernel_shape": [3, 3], "auto_pad": "NOTSET"}),
        ("LeakyRelu", "x", {"alpha": 0.01}),
        ("Softmax", "x", {"axis": -1}),
        ("Transpose", "x", {"perm": [3, 2, 1, 0]}),
        ("Flatten", "x", {"axis": 1}),
        ("Gather", "x i", {"axis": 0}),
    ],
)
def test_explicit_defaults_are_the_same_as_omitted_ones(
    tmp_path: Path, operator: str, inputs: str, stated: dict[str, Any]
) -> None:
    """Defaults of the schema, and those that the standard states in words, may be written out or not."""
    short, long = first(node(operator, inputs, "y"), tmp_path), first(node(operator, inputs, "y", **stated), tmp_path)
    assert short.attributes == long.attributes


def test_windows_of_pools_and_transposed_convolutions(tmp_path: Path) -> None:
    """The same for pooling and ConvTranspose."""
    pool = {"kernel_shape": [2, 2]}
    assert (
        first(node("MaxPool", "x", "y", **pool), tmp_path).attributes
        == first(node("MaxPool", "x", "y", strides=[1, 1], pads=[0] * 4, dilations=[1, 1], **pool), tmp_path).attributes
    )
    kernel = {"w": weight("w", "float32", (2, 4, 3, 3))}
    assert (
        first(node("ConvTranspose", "x w", "y"), tmp_path, constants=kernel).attributes
        == first(
            node("ConvTranspose", "x w", "y", output_padding=[0, 0], kernel_shape=[3, 3]), tmp_path, constants=kernel
        ).attributes
    )


def test_attributes_that_differ_differ(tmp_path: Path) -> None:
    """A stride is seen; so is a float that differs in its last bit."""
    assert (
        first(node("Conv", "x w", "y", strides=[2, 2]), tmp_path).attributes
        != first(node("Conv", "x w", "y"), tmp_path).attributes
    )
    near = float(np.nextafter(np.float32(0.01), np.float32(1)))
    assert (
        first(node("LeakyRelu", "x", "y", alpha=near), tmp_path).attributes
        != first(node("LeakyRelu", "x", "y"), tmp_path).attributes
    )


def test_text_of_attributes(tmp_path: Path) -> None:
    """Integers are numbers, floats hexadecimal, strings strings, all sorted by name."""
    attributes = first(node("Conv", "x w", "y"), tmp_path).attributes
    assert attributes == (
        ("auto_pad", '"NOTSET"'),
        ("dilations", "[1,1]"),
        ("group", "1"),
        ("kernel_shape", "[3,3]"),
        ("pads", "[0,0,0,0]"),
        ("strides", "[1,1]"),
    )
    assert first(node("LeakyRelu", "x", "y", alpha=0.5), tmp_path).attributes == (("alpha", '"0x1.0000000000000p-1"'),)


def test_tensor_attributes_are_digests_in_any_notation(tmp_path: Path) -> None:
    """A tensor in an attribute is its type, shape and sha256, be its values raw or typed."""
    typed = helper.make_tensor("a", TensorProto.INT64, [1], [3])
    raw = helper.make_tensor("b", TensorProto.INT64, [1], np.array([3]).tobytes(), raw=True)
    texts = set()
    for value in (typed, raw):
        made = network(
            [node("ConstantOfShape", "s", "y", value=value)], {"s": ("int64", (2,))}, {"y": ("int64", (2, 3))}
        )
        texts.add(reading(made, tmp_path).layers[0].attributes)
    assert len(texts) == 1
    ((name, text),) = texts.pop()
    assert name == "value"
    assert set(json.loads(text)[0]) == {"dtype", "shape", "sha256"}


def test_an_attribute_stated_twice_is_refused(tmp_path: Path) -> None:
    """Two values for one attribute are an input error."""
    call = node("LeakyRelu", "x", "y", alpha=0.5)
    call.attribute.append(call.attribute[0])
    with pytest.raises(InputError, match="twice"):
        first(call, tmp_path)


@given(st.lists(st.text("abcxyz_0123456789", min_size=1), min_size=6, max_size=6, unique=True))
def test_bodies_have_no_names(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    """The canonical text of a body does not depend on the names in it or around it."""
    folder = tmp_path_factory.mktemp("bodies")
    plain, renamed = (conditional(chosen, folder) for chosen in (["x", "q", "y", "a", "b", "w"], names))
    assert plain.attributes == renamed.attributes


def conditional(names: list[str], folder: Path) -> Layer:
    x, q, y, a, b, w = names
    small = helper.make_tensor(w, 1, [1], [2.0])
    then = helper.make_graph(
        [node("Mul", f"{x} {w}", a)], "t", [], [helper.make_tensor_value_info(a, 1, None)], [small]
    )
    inner = helper.make_node("If", [q], [b], then_branch=then, else_branch=then)
    other = helper.make_graph([inner], "e", [], [helper.make_tensor_value_info(b, 1, None)])
    call = helper.make_node("If", [q], [y], then_branch=then, else_branch=other)
    return reading(network([call], {x: ("float32", (1,)), q: ("bool", ())}, {y: None}), folder).layers[0]


def test_bodies_that_differ_differ(tmp_path: Path) -> None:
    """Another operand order inside a body is another text; so is shadowing against capturing."""

    def text(nodes: list[onnx.NodeProto]) -> object:
        body = helper.make_graph(nodes, "b", [], [helper.make_tensor_value_info("r", 1, None)])
        call = helper.make_node("If", ["q"], ["y"], then_branch=body, else_branch=body)
        inputs = {"a": ("float32", (1,)), "b": ("float32", (1,)), "q": ("bool", ())}
        return reading(network([call], inputs, {"y": None}), tmp_path).layers[0].attributes

    assert text([node("Sub", "a b", "h"), node("Sub", "h a", "r")]) != text(
        [node("Sub", "a b", "h"), node("Sub", "a h", "r")]
    )
    assert text([node("Sub", "a b", "r")]) == text([node("Sub", "b a", "r")]), "captured tensors are numbered by use"


def test_opset_numbers_do_not_count(tmp_path: Path) -> None:
    """A layer reads the same from every opset in which its operator has the same signature."""
    layers = {
        (layer.since_version, layer.attributes)
        for layer in (first(node("Conv", "x w", "y"), tmp_path, opset=opset) for opset in (11, 13, 17, 20, 22, 25))
    }
    assert len(layers) == 1


@pytest.mark.parametrize(
    ("operator", "version", "interval"),
    [
        ("Conv", 21, (1, None)),
        ("Softmax", 12, (1, 12)),
        ("Softmax", 13, (13, None)),
        ("ConvTranspose", 10, (1, 10)),
        ("ConvTranspose", 21, (11, None)),
        ("PRelu", 21, (7, None)),
        ("Reshape", 13, (5, 13)),
    ],
)
def test_intervals_of_equal_meaning(operator: str, version: int, interval: tuple[int, int | None]) -> None:
    """Versions count as one exactly while signature and meaning stay; changes of meaning alone are in a table."""
    assert signature_interval("", operator, version) == interval


def test_types_decide_the_oldest_version() -> None:
    """A type that only newer versions allow asks for those, though the signature is the same."""
    assert oldest_version("", "Conv", 22, ("float32",), ("float32",)) == 1
    assert oldest_version("", "Conv", 22, ("bfloat16",), ("bfloat16",)) == 22
    assert oldest_version("", "Relu", 20, ("int8",), ("int8",)) == 14
    assert oldest_version("custom", "Conv", 3, ("float32",), ()) == 1


def test_an_operator_that_is_younger_than_its_network_asks_for_nothing() -> None:
    """The runtime fuses into ``LayerNormalization`` below version 17, beside layers that exist only there."""
    assert oldest_version("", "LayerNormalization", 13, ("float32",) * 3, ("float32",)) == 1
    assert oldest_version("", "LayerNormalization", 17, ("float32",) * 3, ("float32",)) == 17


@pytest.mark.parametrize("operator", ["GroupQueryAttention", "MatMulNBits", "MoE", "QMoE"])
def test_defaults_do_not_depend_on_the_release_of_onnxruntime(operator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An attribute that releases after 1.23 added has its default in 1.23, too, so that fingerprints stay."""
    defaults = schemas.attribute_defaults.__wrapped__
    key = ("com.microsoft", operator)
    installed = schemas.runtime_schemas()[key].attributes
    old = SimpleNamespace(attributes={name: entry for name, entry in installed.items() if name not in ADDED[key]})
    now = defaults(*key, 1)
    monkeypatch.setattr(schemas, "runtime_schemas", lambda: {key: old})
    assert defaults(*key, 1) == now
    assert now.keys() >= ADDED[key].keys()
