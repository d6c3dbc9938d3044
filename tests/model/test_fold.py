"""Folding: layers that do not depend on inputs become constants, and nothing large is computed."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper

from dlbricks.model.types import Model
from tests.model.written import F32, network, node, reading, weight

X = {"x": ("float32", (2, 3, 4))}


def folded(
    nodes: list[onnx.NodeProto],
    folder: Path,
    constants: dict[str, Any] | None = None,
    output: str = "y",
    **options: Any,
) -> Model:
    return reading(network(nodes, X, {output: None}, constants, **options), folder)


def values(model: Model, name: str) -> NDArray[Any]:
    constant = model.constants[name]
    assert constant.values is not None
    return np.frombuffer(constant.values, constant.spec.dtype).reshape(constant.spec.shape)


@pytest.mark.parametrize(
    ("call", "result"),
    [
        (node("Shape", "x", "c"), [2, 3, 4]),
        (node("Shape", "x", "c", start=-2, end=2), [3]),
        (node("Shape", "x", "c", start=5), []),
        (node("Size", "x", "c"), 24),
    ],
)
def test_shapes_are_constants(tmp_path: Path, call: onnx.NodeProto, result: object) -> None:
    """Shape and Size of a static shape need no input values."""
    model = folded([call, node("Identity", "x", "y")], tmp_path, output="c")
    np.testing.assert_array_equal(values(model, "c"), np.array(result, np.int64))
    assert not model.layers


def test_a_chain_of_shape_arithmetic_folds_away(tmp_path: Path) -> None:
    """Shape, Gather, Mul, Div, Unsqueeze, Concat and the Reshape target become one constant; shapes follow."""
    nodes = [
        node("Shape", "x", "s"),
        node("Gather", "s zero", "a"),
        node("Gather", "s two", "b"),
        node("Mul", "a b", "m"),
        node("Div", "m two_", "d"),
        node("Unsqueeze", "d axes", "u"),
        node("Concat", "u minus", "t", axis=0),
        node("Reshape", "x t", "y"),
    ]
    constants = {
        "zero": np.array(0),
        "two": np.array(2),
        "two_": np.array(2),
        "axes": np.array([0]),
        "minus": np.array([-1]),
    }
    model = folded(nodes, tmp_path, constants)
    assert [layer.op_type for layer in model.layers] == ["Reshape"]
    assert model.spec("y").shape == (4, 6)
    np.testing.assert_array_equal(values(model, "t"), [4, -1])
    assert (model.source_layers, model.folded) == (8, 7)
    assert set(model.constants) == {"t"}


def test_what_data_propagation_misses_is_found_by_turns(tmp_path: Path) -> None:
    """Where, Equal and Expand of shapes (as older exporters write them) fold, so that later shapes are known."""
    nodes = [
        node("Shape", "x", "s"),
        node("Equal", "want minus", "e"),
        node("ConstantOfShape", "rank", "ones", value=helper.make_tensor("v", 7, [1], [1])),
        node("Where", "e ones want", "t"),
        node("Expand", "x t", "h"),
        node("Shape", "h", "hs"),
        node("ReduceProd", "hs", "n", keepdims=1),
        node("Reshape", "h n", "y"),
    ]
    constants = {"want": np.array([-1, 3, 4]), "minus": np.array([-1]), "rank": np.array([3])}
    model = folded(nodes, tmp_path, constants, opset=17)
    assert [layer.op_type for layer in model.layers] == ["Expand", "Reshape"]
    assert model.spec("y").shape == (24,)


def test_large_fills_are_never_made(tmp_path: Path) -> None:
    """Ten gigabytes of ConstantOfShape, transposed and reshaped, are one value and a shape."""
    nodes = [
        node("ConstantOfShape", "s", "f", value=helper.make_tensor("v", 1, [1], [0.5])),
        node("Transpose", "f", "t", perm=[1, 0]),
        node("Reshape", "t flat", "r"),
        node("Gather", "r i", "g"),
        node("Mul", "x g", "y"),
    ]
    start = time.process_time()
    model = folded(nodes, tmp_path, {"s": np.array([50000, 50000]), "flat": np.array([-1]), "i": np.array(3)})
    assert time.process_time() - start < 5
    assert [layer.op_type for layer in model.layers] == ["Mul"]
    both = reading(
        network(nodes[:3], {}, {"r": None, "t": None}, {"s": np.array([50000, 50000]), "flat": np.array([-1])}),
        tmp_path,
    )
    assert (both.constants["r"].spec.shape, both.constants["r"].fill) == ((2500000000,), np.array(0.5, F32).tobytes())
    assert both.constants["r"].values is None


def test_views_of_weights_keep_their_source_and_others_do_not(tmp_path: Path) -> None:
    """Identity and Reshape of a weight are the same bytes; Transpose and Cast are fresh weights of known type."""
    array = np.arange(400, dtype=F32).reshape(20, 20)
    nodes = [
        node("Identity", "w", "a"),
        node("Reshape", "w flat", "b"),
        node("Transpose", "w", "c"),
        node("Cast", "w", "d", to=TensorProto.FLOAT16),
        node("Add", "w w", "e"),
    ]
    outputs: dict[str, None] = dict.fromkeys("abcde")
    model = reading(network(nodes, X, outputs, {"w": array, "flat": np.array([-1])}), tmp_path)
    assert not model.layers
    for name in "ab":
        source = model.constants[name].source
        assert source is not None
        content = Path(source.path).read_bytes()
        assert content[source.offset :][: source.length] == array.tobytes()
    assert [(model.spec(name).dtype, model.spec(name).shape) for name in "abcde"] == [
        ("float32", (20, 20)),
        ("float32", (400,)),
        ("float32", (20, 20)),
        ("float16", (20, 20)),
        ("float32", (20, 20)),
    ]
    assert all(model.constants[name].source is None and model.constants[name].values is None for name in "cde")


def test_weights_that_are_missing_fold_the_same(tmp_path: Path) -> None:
    """Folding to a specification needs no values: the weights may be nowhere."""
    model = folded(
        [node("Transpose", "w", "t"), node("MatMul", "x t", "y")], tmp_path, {"w": weight("w", "float32", (5, 4))}
    )
    assert [layer.op_type for layer in model.layers] == ["MatMul"]
    assert model.spec("t").shape == (4, 5)


def test_dequantised_weights_stay_layers(tmp_path: Path) -> None:
    """DequantizeLinear of a constant is not folded: runtimes compute on the quantised weight."""
    constants = {"w": weight("w", "int8", (4, 50)), "s": np.array(0.1, F32), "z": np.array(0, np.int8)}
    model = folded([node("DequantizeLinear", "w s z", "d"), node("MatMul", "x d", "y")], tmp_path, constants)
    assert [layer.op_type for layer in model.layers] == ["DequantizeLinear", "MatMul"]


def test_random_results_are_not_folded(tmp_path: Path) -> None:
    """A random operator without inputs stays a layer."""
    nodes = [node("RandomNormal", "", "r", shape=[4]), node("Add", "x r", "y")]
    model = folded(nodes, tmp_path)
    assert [(layer.op_type, layer.skip) for layer in model.layers] == [("RandomNormal", None), ("Add", None)]


@pytest.mark.parametrize("divisor", [0, -1])
def test_divisions_that_would_end_the_process_are_left_alone(tmp_path: Path, divisor: int) -> None:
    """Integers divided by zero, or the smallest by -1, are not computed here."""
    constants = {"a": np.array([np.iinfo(np.int64).min]), "b": np.array([divisor])}
    model = folded(
        [node("Div", "a b", "d"), node("Cast", "d", "f", to=1), node("Add", "x f", "y")], tmp_path, constants
    )
    assert model.layers[0].op_type == "Div"


def test_float_results_of_integers_are_kept_while_small(tmp_path: Path) -> None:
    """A mask made of integers keeps its values up to 64 KiB; beyond, it is a fill if uniform, else a weight."""
    nodes = [
        node("Range", "zero n one", "r"),
        node("Cast", "r", "f", to=1),
        node("Cast", "n", "g", to=1),
        node("Sub", "f f", "z"),
    ]
    constants = {"zero": np.array(0), "one": np.array(1)}
    small = reading(network(nodes, X, {"f": None}, {**constants, "n": np.array(100)}), tmp_path)
    np.testing.assert_array_equal(values(small, "f"), np.arange(100, dtype=F32))
    large = reading(network(nodes, X, {"f": None, "z": None}, {**constants, "n": np.array(20000)}), tmp_path)
    assert (large.constants["f"].values, large.constants["f"].fill) == (None, None)
    assert (large.constants["z"].values, large.constants["z"].fill) == (None, bytes(4))


def test_floats_of_one_element_are_floats(tmp_path: Path) -> None:
    """Scalar arithmetic is computed; value_float is FLOAT, so the result is."""
    nodes = [
        helper.make_node("Constant", [], ["two"], value_float=2.0),
        node("Sqrt", "two", "r"),
        node("Div", "x r", "y"),
    ]
    model = folded(nodes, tmp_path)
    assert values(model, "r") == np.sqrt(np.array(2, F32))
    assert model.spec("r").dtype == "float32"
