from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.operators.costs import live_bytes
from tests.model.written import network, reading

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
BYTES = 4 * 8


def branched(folder: Path) -> Model:
    """Read a network: a branch that waits while the other one runs, a view, and a constant."""
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], name="wait"),
        helper.make_node("Tanh", ["x"], ["b"], name="other"),
        helper.make_node("Reshape", ["b", "shape"], ["v"], name="view"),
        helper.make_node("Exp", ["v"], ["c"], name="exp"),
        helper.make_node("Reshape", ["c", "back"], ["d"], name="back"),
        helper.make_node("Add", ["a", "d"], ["y"], name="sum"),
    ]
    constants = {"shape": np.array([4, 2]), "back": np.array([2, 4])}
    return reading(network(nodes, {"x": ("float32", (2, 4))}, {"y": ("float32", (2, 4))}, constants), folder)


def test_tensors_live_from_their_maker_to_their_last_reader(tmp_path: Path) -> None:
    """Inputs and outputs belong to the caller, a view shares its input, and waiting tensors count while others run."""
    found = live_bytes(branched(tmp_path))
    units = {name: nbytes / BYTES for name, nbytes in found.items()}
    assert units["wait"] == 2
    assert units["other"] == 3
    assert units["exp"] == 4
    assert units["sum"] == 4


def test_the_order_decides(tmp_path: Path) -> None:
    """Run before it is needed, a tensor waits; run late, it does not."""
    late = live_bytes(branched(tmp_path), ["other", "view", "exp", "back", "wait", "sum"])
    assert late["exp"] == 3 * BYTES


@pytest.mark.parametrize("name", ["misc_lstm_lm", "tv_resnet50"])
def test_a_layer_needs_at_least_what_it_reads_and_writes(name: str) -> None:
    """Live bytes are not below inputs and outputs of the layer, constants aside, and not above those of all layers."""
    model = read_model(NETWORKS / f"{name}.onnx", dims={"batch": 1, "seq": 4, "seq_len": 4})
    found = live_bytes(model)
    everything = sum(spec.nbytes for spec in model.tensors.values())
    for layer in model.layers:
        if not layer.is_view:
            own = {tensor for tensor in (*layer.reads, *layer.outputs) if tensor and tensor not in model.constants}
            assert sum(model.tensors[tensor].nbytes for tensor in own) <= found[layer.name] <= everything
