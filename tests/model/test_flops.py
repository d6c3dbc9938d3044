from collections.abc import Mapping
from pathlib import Path

import pytest

from dlbricks.model.costs.flops import layer_flops
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Layer, Model, TensorSpec

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


def flops(
    op_type: str,
    shapes: Mapping[str, tuple[int, ...]],
    *,
    domain: str = "",
    attributes: Mapping[str, str] | None = None,
) -> int:
    """Count one layer with the given shapes; the tensor named ``y`` is its output, ``""`` an omitted input."""
    specs = {name: TensorSpec(name=name, dtype="float32", shape=shape) for name, shape in shapes.items()}
    layer = Layer(
        name="layer",
        op_type=op_type,
        domain=domain,
        since_version=1,
        attributes=tuple(sorted((attributes or {}).items())),
        inputs=tuple(name for name in shapes if name != "y"),
        outputs=("y",),
    )
    model = Model(name="m", layers=(layer,), inputs=(), outputs=("y",), tensors=specs, constants={}, opsets=())
    return layer_flops(model, layer)


def test_arithmetic_of_single_layers() -> None:
    """Counts agree with the definitions written out by hand: two operations per multiply-add."""
    image, weight = (1, 8, 10, 10), (16, 4, 3, 3)
    assert flops("Conv", {"x": image, "w": weight, "y": (1, 16, 10, 10)}) == 2 * 16 * 10 * 10 * 4 * 3 * 3
    assert flops("ConvTranspose", {"x": image, "w": (8, 6, 2, 2), "y": (1, 6, 20, 20)}) == 2 * 8 * 100 * 6 * 2 * 2
    assert flops("MatMul", {"a": (5, 2, 3), "b": (3, 7), "y": (5, 2, 7)}) == 2 * 5 * 2 * 3 * 7
    assert flops("Gemm", {"a": (3, 2), "b": (3, 7), "y": (2, 7)}, attributes={"transA": "1"}) == 2 * 2 * 3 * 7
    assert flops("Gemm", {"a": (2, 3), "b": (7, 3), "y": (2, 7)}, attributes={"transA": "0"}) == 2 * 2 * 3 * 7
    assert flops("Einsum", {"a": (2, 3), "b": (3, 7), "y": (2, 7)}, attributes={"equation": '"ij, jk->ik"'}) == 84
    assert flops("LSTM", {"x": (4, 2, 5), "w": (1, 12, 5), "r": (1, 12, 3), "y": (4, 1, 2, 3)}) == 2 * 8 * (60 + 36)
    quantised = {"x": image, "s": (), "z": (), "w": weight, "y": (1, 16, 10, 10)}
    assert flops("QLinearConv", quantised) == 2 * 16 * 10 * 10 * 4 * 3 * 3
    assert flops("Relu", {"x": image, "y": image}) == 0


def test_both_attentions_count_scores_and_their_use() -> None:
    """Attention over separate tensors is two products; the packed one has the projection of q, k and v before them."""
    separate = {"q": (2, 10, 64), "k": (2, 12, 64), "v": (2, 12, 64), "y": (2, 10, 64)}
    assert flops("MultiHeadAttention", separate, domain="com.microsoft") == 2 * (2 * 10 * 12 * 64) * 2
    packed = {"x": (2, 10, 64), "w": (64, 192), "y": (2, 10, 64)}
    heads = {"num_heads": "4"}
    expected = 2 * 2 * 10 * 64 * 192 + 2 * (2 * 10 * 10 * 64) * 2
    assert flops("Attention", packed, domain="com.microsoft", attributes=heads) == expected


@pytest.mark.parametrize(
    ("network", "giga_multiply_adds"),
    [("tv_resnet50", 4.09), ("tv_squeezenet1_1", 0.349), ("tv_mobilenet_v3_small", 0.0565), ("tv_vgg11", 7.61)],
)
def test_known_networks(network: str, giga_multiply_adds: float) -> None:
    """What torchvision publishes for its networks (GFLOPS there are multiply-adds) comes out within 1 %."""
    model = read_model(NETWORKS / f"{network}.onnx")
    total = sum(layer_flops(model, layer) for layer in model.layers)
    assert total / 2e9 == pytest.approx(giga_multiply_adds, rel=0.01)
