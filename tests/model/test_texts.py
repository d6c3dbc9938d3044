"""A constant of texts that decides a shape is named as the reason why it is unknown."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto

from tests.model.written import network, node, reading

WEIGHT = {"w": np.ones((8, 3), np.float32)}


def texts(*words: bytes, shape: tuple[int, ...] | None = None) -> onnx.TensorProto:
    return onnx.TensorProto(name="s", data_type=TensorProto.STRING, dims=shape or (len(words),), string_data=words)


def reshaping(constant: onnx.TensorProto) -> onnx.ModelProto:
    nodes = [
        node("Cast", "s", "shape", to=TensorProto.INT64),
        node("Reshape", "x shape", "r"),
        node("MatMul", "r w", "y"),
    ]
    return network(nodes, {"x": ("float32", (32,))}, {"y": ("float32", (4, 3))}, {"s": constant, **WEIGHT})


@pytest.mark.parametrize("words", [(b"4", b"8"), (b"4.5", b"8"), (b"four", b"8")])
def test_texts_that_decide_a_shape_are_the_reason_why_it_is_unknown(words: tuple[bytes, ...], tmp_path: Path) -> None:
    cast, reshape, _ = reading(reshaping(texts(*words)), tmp_path).layers
    assert cast.skip == "Cast handles strings"
    assert reshape.skip == (
        "shapes behind Reshape 'Reshape' cannot be known: "
        "constant 's' of written holds strings, which cannot be generated"
    )


def test_a_mask_of_texts_that_decides_a_shape_is_not_made_up(tmp_path: Path) -> None:
    made = network(
        [node("Equal", "s a", "mask"), node("Compress", "x mask", "c"), node("Relu", "c", "y")],
        {"x": ("float32", (3,))},
        {"y": None},
        {"s": texts(b"a", b"b", b"a"), "a": onnx.TensorProto(name="a", data_type=8, dims=[1], string_data=[b"a"])},
    )
    equal, compress, _ = reading(made, tmp_path).layers
    assert equal.skip == "Equal handles strings"
    assert compress.skip is not None
    assert "cannot be known: constant 's' of written holds strings" in compress.skip


def test_a_mask_of_texts_that_decides_no_shape_is_an_input(tmp_path: Path) -> None:
    made = network(
        [node("Equal", "s a", "mask"), node("Where", "mask x z", "y")],
        {"x": ("float32", (3,))},
        {"y": ("float32", (3,))},
        {
            "s": texts(b"a", b"b", b"a"),
            "a": onnx.TensorProto(name="a", data_type=8, dims=[1], string_data=[b"a"]),
            "z": np.zeros(3, np.float32),
        },
    )
    assert [layer.skip for layer in reading(made, tmp_path).layers] == ["Equal handles strings", None]
