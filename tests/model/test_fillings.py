"""Constants of one value throughout are each reader's own; others stay shared."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from dlbricks.model.read.network import read_model
from tests.model.written import network, node, reading

X = {"x": ("float32", (1, 24, 4, 4))}
WEIGHT = np.linspace(-1, 1, 24 * 24, dtype=np.float32).reshape(24, 24, 1, 1)
WEIGHTS = {"v": WEIGHT, "w": WEIGHT + 1}
ZEROS = np.zeros(24, np.float32)
CONVS = [node("Conv", "x v b", "a"), node("Relu", "a", "c"), node("Conv", "c w b", "d"), node("Conv", "d v b", "y")]


def _biases(bias: NDArray[Any], folder: Path) -> list[str]:
    model = reading(network(CONVS, X, {"y": None}, {**WEIGHTS, "b": bias}), folder)
    read = [layer.inputs for layer in model.layers if layer.op_type == "Conv"]
    assert read[0][1] == read[2][1], "weights that differ from value to value stay shared"
    assert all(model.constants[one[2]].spec.shape == (24,) for one in read)
    return [one[2] for one in read]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_each_reader_has_its_own_filling(tmp_path: Path, value: float, dtype: str) -> None:
    """Zeros and ones, as before training, become a constant for each layer."""
    assert len(set(_biases(np.full(24, value, dtype), tmp_path))) == 3


def test_shared_values_stay_shared(tmp_path: Path) -> None:
    """A network that uses a layer again does so after training, too."""
    assert len(set(_biases(np.arange(24, dtype=np.float32), tmp_path))) == 1


def test_large_fillings_stay_shared(tmp_path: Path) -> None:
    """Of more than 64 KiB nothing is looked at."""
    large = np.zeros((1, 1 << 15), np.float32)
    nodes = [node("Add", "x b", "a"), node("Mul", "a b", "y")]
    model = reading(network(nodes, {"x": ("float32", (1, 1 << 15))}, {"y": None}, {"b": large}), tmp_path)
    assert model.layers[0].inputs[1] == model.layers[1].inputs[1] == "b"


def test_fillings_in_missing_or_cut_files_stay_shared(tmp_path: Path) -> None:
    """What cannot be read is nothing that is known of."""
    made = network(CONVS, X, {"y": None}, {**WEIGHTS, "b": ZEROS})
    path = tmp_path / "network.onnx"
    onnx.save(made, path, save_as_external_data=True, location="weights.bin", size_threshold=0)
    names = {layer.inputs[2] for layer in read_model(path).layers if layer.op_type == "Conv"}
    assert len(names) == 3
    for change in (lambda: (tmp_path / "weights.bin").write_bytes(b""), (tmp_path / "weights.bin").unlink):
        change()
        assert {layer.inputs[2] for layer in read_model(path).layers if layer.op_type == "Conv"} == {"b"}


def test_scales_of_quantised_calls_stay_shared(tmp_path: Path) -> None:
    """Both ends of a quantised tensor are known by their scale."""
    nodes = [node("QuantizeLinear", "x s z", "q", axis=1), node("DequantizeLinear", "q s z", "y", axis=1)]
    constants: dict[str, NDArray[Any]] = {"s": np.full(24, 0.5, np.float32), "z": np.zeros(24, np.uint8)}
    model = reading(network(nodes, X, {"y": None}, constants), tmp_path)
    assert {layer.inputs[1] for layer in model.layers} == {"s"}
