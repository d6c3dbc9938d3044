"""Fewer bits: what gains by how much, what is converted, and what cannot be asked."""

import numpy as np
import pytest
from hypothesis import given

from dlbricks.errors import InputError
from dlbricks.whatif.graph import DependencyGraph, GraphBuilder, Phase, TaskKind, with_attributes
from dlbricks.whatif.transforms.int8 import products
from tests.whatif.inference.made import HOST, STREAM, launched, layers, networks
from tests.whatif.inference.test_host import asked, names

NAN = float("nan")


def quantisable() -> DependencyGraph:
    """Products, and layers between them."""
    builder = GraphBuilder(name="network")
    rows = (
        ("Relu", 100, 4000, 4000, 0, 0),
        ("Conv", 1000, 4400, 4000, 400, 1e6),
        ("Relu", 100, 4000, 4000, 0, 0),
        ("MaxPool", 130, 4000, 1000, 0, 0),
        ("Conv", 1000, 1400, 4000, 400, 1e6),
        ("LayerNormalization", 200, 4000, 4000, 0, 0),
        ("MatMul", 500, 8000, 4000, 4000, 5e5),
        ("Tanh", 1, 4, 4, 0, 0),
    )
    for number, (operator, duration, read, written, held, flops) in enumerate(rows):
        builder.task(
            TaskKind.CPU, f"{operator}{number}", HOST, duration, layer=str(number), operator=operator,
            read_bytes=float(read), written_bytes=float(written), parameter_bytes=float(held), flops=float(flops),
        )  # fmt: skip
    return builder.built()


def test_products_are_quantised() -> None:
    """With conversions where float begins and ends; what follows a product in its limits goes."""
    assert products(quantisable()).tolist() == [1, 4, 6]
    after = asked(quantisable(), "int8").graph
    assert names(after) == [
        "Relu0", "QuantizeLinear of Conv1", "Conv1", "MaxPool3", "Conv4", "DequantizeLinear of Conv4",
        "LayerNormalization5", "QuantizeLinear of MatMul6", "MatMul6", "DequantizeLinear of MatMul6", "Tanh7",
    ]  # fmt: skip
    times = dict(zip(names(after), after.duration_ns.tolist(), strict=True))
    assert 1000 / 4 < times["Conv1"] < 1000 / 3.3
    assert times["MaxPool3"] == pytest.approx(100, abs=1)
    assert times["LayerNormalization5"] == 200
    assert 500 / 4 < times["MatMul6"] < 500 / 3.7
    assert [after.operators[number] for number in after.operator[2:4]] == ["QLinearConv", "QLinearMaxPool"]
    with pytest.raises(InputError, match="it is quantised already, as QLinearConv shows"):
        asked(after, "int8")


def test_depthwise_convolutions_lose() -> None:
    """Their integer kernels are slower than those of floats on blocks."""
    graph = layers(("Conv", 1000, 4036, 4000, 2 * 9 * 1000), ("Relu", 1, NAN, NAN, NAN))
    assert "it has no products" in str(_refusal(layers(("Relu", 1, NAN, NAN, NAN)), "int8"))
    after = asked(with_attributes(graph, parameter_bytes=np.array([36.0, 0.0])), "int8").graph
    assert after.duration_ns[names(after).index("conv0")] == pytest.approx(1000 / 0.72, rel=0.01)


def convolution(groups: int, channels: int, *, summed: bool = False) -> DependencyGraph:
    """A convolution of 3x3 on maps of 14x14 that gives as many channels as it reads."""
    builder = GraphBuilder(name="network")
    values, each = 196.0 * channels, 9.0 * channels / groups
    builder.task(
        TaskKind.CPU, "Conv", HOST, 100_000, layer="conv", operator="Conv", flops=2 * values * each + values,
        parameter_bytes=4 * channels * (each + 1), written_bytes=4 * values,
        read_bytes=4 * (values + channels * (each + 1) + (values if summed else 0)),
    )  # fmt: skip
    builder.task(TaskKind.CPU, "Tanh", HOST, 1, layer="tanh", operator="Tanh")
    return builder.built()


@pytest.mark.parametrize(
    ("groups", "channels", "quicker"), [(1, 128, 3.67), (32, 128, 3.4 * 4 / 40), (8, 128, 3.4 / 4), (4, 256, 3.67)]
)
def test_few_channels_in_a_group_gain_less(groups: int, channels: int, quicker: float) -> None:
    """In proportion, up to 64 where they fill blocks and 40 where they do not."""
    after = asked(convolution(groups, channels), "int8").graph
    assert after.duration_ns[names(after).index("Conv")] == pytest.approx(100_000 / quicker, rel=0.02)


def test_products_without_constants_gain_less() -> None:
    """Nothing of them could be packed beforehand."""
    graph = layers(("MatMul", 1000, 8000, 4000, 1e6), ("Tanh", 1, 4, 4, 0))
    after = asked(graph, "int8").graph
    assert after.duration_ns[names(after).index("matmul0")] == pytest.approx(1000 / 1.5, abs=1)
    held = with_attributes(graph, parameter_bytes=np.array([4000.0, 0.0]))
    assert asked(held, "int8").graph.duration_ns[1] < 1000 / 3.5


def test_sums_become_layers_again() -> None:
    """What a convolution had taken in of another tensor is added by a layer of its own, on bytes."""
    assert "Add of Conv" not in names(asked(convolution(1, 128), "int8").graph)
    after = asked(convolution(1, 128, summed=True), "int8").graph
    assert names(after)[:3] == ["QuantizeLinear of Conv", "Conv", "Add of Conv"]
    assert after.duration_ns[2] == round(1 + 3 * 196 * 128 / 10)


def test_conversions_between_layouts_go() -> None:
    """But for those before which a layer looks at the order of axes: they turn bytes around."""
    conversions = [("ReorderOutput", 900, 4800.0, 4800.0, NAN), ("ReorderInput", 900, 4800.0, 4800.0, NAN)]
    convs = [("Conv", 1000, NAN, NAN, NAN)] * 2
    between = ("Sigmoid", 100, NAN, NAN, NAN)
    after = asked(layers(convs[0], conversions[0], between, conversions[1], convs[1]), "int8").graph
    assert not any(name.startswith("reorder") for name in names(after))
    turned = ("Transpose", 100, NAN, NAN, NAN)
    kept = asked(layers(convs[0], conversions[0], turned, conversions[1], convs[1]), "int8").graph
    assert kept.duration_ns[names(kept).index("reorderoutput1")] == round(100 + 2 * 4800 / 4 / 6)


def test_swish_stays_quantised() -> None:
    """It becomes two layers, and what stands behind it needs no conversion."""
    after = asked(layers(*((name, 1000, NAN, NAN, NAN) for name in ("Conv", "QuickGelu", "Conv"))), "int8").graph
    assert names(after) == ["QuantizeLinear of conv0", "conv0", "quickgelu1", "conv2"]
    assert after.duration_ns[2] == round(1000 / 0.55)


def _refusal(graph: DependencyGraph, question: str) -> InputError:
    with pytest.raises(InputError) as caught:
        asked(graph, question)
    return caught.value


@given(networks())
def test_no_task_of_float_changes(graph: DependencyGraph) -> None:
    """Not in its time, but for those that are named."""
    if not len(products(graph)):
        return
    after = asked(graph, "int8").graph
    stays = [row for row in range(len(after)) if not after.operators[after.operator[row]].startswith("Q")]
    before = dict(zip(names(graph), graph.duration_ns.tolist(), strict=True))
    for row in stays:
        name = after.names[after.task_name[row]]
        assert after.duration_ns[row] == before.get(name, after.duration_ns[row])


def test_what_int8_makes_slower() -> None:
    """Softmax between products, a mean over maps before a convolution; a fused sum and normalisation gets quicker."""
    rows = ("Conv", "ReduceMean", "Conv", "Softmax", "MatMul", "SkipLayerNormalization", "Relu")
    after = asked(layers(*((name, 1000, NAN, NAN, NAN) for name in rows)), "int8").graph
    times = dict(zip(names(after), after.duration_ns.tolist(), strict=True))
    assert times["reducemean1"] == times["softmax3"] == round(1000 / 0.18)
    assert times["skiplayernormalization5"] == 200


def test_halves() -> None:
    """Products by their factor, TF32 ones by 2, others by their bytes; the quickest, unknown and half ones stay."""
    builder = GraphBuilder(name="kernels")
    kernels = (
        ("volta_sgemm_128x64_nn", 3010),
        ("ampere_tf32_s1688gemm", 3010),
        ("vectorized_elementwise_kernel", 3010),
        ("h884gemm_fp16", 3010),
        ("mystery", 3010),
        ("softmax_warp_forward", 10),
    )
    for name, duration in kernels:
        builder.task(TaskKind.KERNEL, name, STREAM, duration)
    builder.task(TaskKind.COPY, "Memcpy HtoD", STREAM, 100)
    graph = builder.built()
    assert asked(graph, "fp16").graph.duration_ns.tolist() == [1010, 1510, 1510, 3010, 3010, 10, 100]
    assert asked(graph, "fp16:2,copies=half").graph.duration_ns.tolist() == [1510, 1510, 1510, 3010, 3010, 10, 50]


def test_halves_are_refused_where_they_make_no_sense() -> None:
    """On processors, in training, and where they are already."""
    assert "it has no kernels" in str(_refusal(layers(("Conv", 10, NAN, NAN, NAN)), "fp16"))
    assert "100 % of its matrix time is in half precision already" in str(_refusal(launched(["h884gemm_fp16"]), "fp16"))
    assert "'none' says nothing of copies" in str(_refusal(launched(["sgemm"]), "fp16:copies=none"))
    builder = GraphBuilder(name="training")
    builder.task(TaskKind.KERNEL, "sgemm", STREAM, 10, phase=Phase.BACKWARD)
    assert "ask amp" in str(_refusal(builder.built(), "fp16"))
    assert "kernel-swap" in str(_refusal(launched(["sgemm"]), "int8"))
