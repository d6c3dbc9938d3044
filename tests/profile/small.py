"""Small networks in files, and profiles of them, for tests of leveled experiments."""

from pathlib import Path

from onnx import helper

from dlbricks.harness.session import SessionSettings
from dlbricks.profile.experiment import ExperimentPlan
from dlbricks.settings import ProfileOptions
from tests.model.written import network, weight


def convolutions(folder: Path) -> Path:
    """Write a network of two convolutions, an activation, a pool and a product, made for batch 1."""
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["c1"], name="first", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["r"], name="relu"),
        helper.make_node("Conv", ["r", "w2"], ["c2"], name="second", kernel_shape=[1, 1]),
        helper.make_node("GlobalAveragePool", ["c2"], ["p"], name="pool"),
        helper.make_node("Flatten", ["p"], ["f"], name="flat"),
        helper.make_node("MatMul", ["f", "w3"], ["y"], name="product"),
    ]
    constants = {
        "w1": weight("w1", "float32", [16, 3, 3, 3]),
        "w2": weight("w2", "float32", [32, 16, 1, 1]),
        "w3": weight("w3", "float32", [32, 10]),
    }
    path = folder / "small.onnx"
    made = network(nodes, {"x": ("float32", [1, 3, 16, 16])}, {"y": None}, constants)
    path.write_bytes(made.SerializeToString())
    return path


def plan(*levels: str, batches: tuple[int, ...] = (), calls: int = 4) -> ExperimentPlan:
    """Plan a short experiment on the processor."""
    return ExperimentPlan(
        options=ProfileOptions(batches=batches, calls=calls),
        levels=levels or ("M", "ML"),
        settings=SessionSettings(),
        system={"name": "here"},
    )
