"""Origins: every layer of a network is found in the executed graph, fused ones included."""

from collections import Counter
from pathlib import Path

import pytest

from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.lowering.targets import origins, origins_by_name, results
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Layer, Model
from tests.model.written import network, node, reading, weight

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


def layer(name: str, reads: str, output: str, operator: str = "Conv") -> Layer:
    """Make a layer of one output."""
    return Layer(
        name=name,
        op_type=operator,
        domain="",
        since_version=1,
        attributes=(),
        inputs=tuple(reads.split()),
        outputs=(output,),
    )


def model(target: str, *layers: Layer) -> Model:
    """Make a network of layers and nothing else."""
    return Model(
        name="m", layers=layers, inputs=("x",), outputs=(), tensors={}, constants={}, opsets=(("", 17),), target=target
    )


SOURCE = model(
    "portable",
    layer("conv", "x", "c"),
    layer("norm", "c", "n", "BatchNormalization"),
    layer("relu", "n", "r", "Relu"),
    layer("mm", "r", "m", "MatMul"),
    layer("add", "m", "a", "Add"),
    layer("unused", "x", "u"),
)
EXECUTED = model(
    "onnxruntime-cpu",
    layer("ReorderInput_t0", "x", "t0", "ReorderInput"),
    layer("r_nchwc", "t0", "t1"),
    layer("reorder", "t1", "r", "ReorderOutput"),
    layer("mm/MatMulAddFusion", "r", "t2", "Gemm"),
    layer("fused", "t2", "a", "Add"),
)


def test_results_are_of_one_layer_each() -> None:
    """By a tensor, by the tensor in a blocked node's name, by the name before a slash; additions give none's result."""
    assert results(EXECUTED, SOURCE) == {
        "ReorderInput_t0": (),
        "r_nchwc": ("relu",),
        "reorder": ("relu",),
        "mm/MatMulAddFusion": ("mm",),
        "fused": ("add",),
    }
    assert results(SOURCE, SOURCE) == {one.name: (one.name,) for one in SOURCE.layers}


def test_fused_layers_go_with_what_uses_them() -> None:
    """The first executed layer that gives their use has them; what nothing executed uses belongs to none."""
    found = origins(EXECUTED, SOURCE)
    assert found["r_nchwc"] == ("conv", "norm", "relu")
    assert found["reorder"] == ("relu",)
    assert (found["mm/MatMulAddFusion"], found["fused"], found["ReorderInput_t0"]) == (("mm",), ("add",), ())


def test_names_alone_say_as_much_as_they_can() -> None:
    """Without the executed graph: the name itself, a tensor in it, or what stands before a slash."""
    names = ["relu", "r_nchwc", "mm/MatMulAddFusion", "ReorderInput_t0"]
    assert origins_by_name(names, SOURCE) == {"relu": ("relu",), "r_nchwc": ("relu",), "mm/MatMulAddFusion": ("mm",)}


@pytest.mark.parametrize("name", ["tv_mobilenet_v3_small", "tv_squeezenet1_1", "int8_tv_resnet18", "misc_lstm_lm"])
def test_every_layer_of_a_network_is_executed_somewhere(name: str) -> None:
    """Nothing is lost between the network as given and what the runtime made of it."""
    source = read_model(NETWORKS / f"{name}.onnx")
    found = Counter(one for names in origins(lower(source), source).values() for one in names)
    assert {layer.name for layer in source.layers} == set(found)


def test_a_real_fusion_is_seen(tmp_path: Path) -> None:
    """Conv and Relu become one executed layer, and it is of both."""
    nodes = [node("Conv", "x w", "h", pads=[1, 1, 1, 1]), node("Relu", "h", "y")]
    made = network(nodes, {"x": ("float32", (1, 16, 8, 8))}, {"y": None}, {"w": weight("w", "float32", (32, 16, 3, 3))})
    source = reading(made, tmp_path)
    lowered = lower(source)
    (conv,) = [one.name for one in lowered.layers if one.op_type.endswith("Conv")]
    assert origins(lowered, source)[conv] == tuple(one.name for one in source.layers)
