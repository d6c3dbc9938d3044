"""Costs of real networks: no operator without a rule, and totals as others publish or compute them."""

import contextlib
import functools
import io
import math
import warnings
from collections import Counter
from pathlib import Path

import onnx
import pytest
from onnx import helper

from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from dlbricks.model.read.skim import skim
from dlbricks.model.types import Model
from dlbricks.operators.costs import cost_of, layer_costs, layer_flops, least_flops

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"

PUBLISHED = {
    "tv_alexnet": 0.714,
    "tv_convnext_tiny": 4.456,
    "tv_densenet121": 2.834,
    "tv_efficientnet_b0": 0.386,
    "tv_googlenet": 1.498,
    "tv_mobilenet_v2": 0.301,
    "tv_mobilenet_v3_large": 0.217,
    "tv_mobilenet_v3_small": 0.057,
    "tv_regnet_y_400mf": 0.402,
    "tv_resnet18": 1.814,
    "tv_resnet50": 4.089,
    "tv_resnext50_32x4d": 4.230,
    "tv_shufflenet_v2_x1_0": 0.145,
    "tv_squeezenet1_1": 0.349,
    "tv_swin_t": 4.491,
    "tv_vgg11": 7.609,
}
"""Giga multiply-adds as torchvision publishes them with its weights (``_ops``, shown as GFLOPS)."""

BY_ONNX_TOOL = (
    "hf_albert",
    "hf_segformer_b0",
    "hf_squeezebert",
    "hf_whisper_tiny_enc",
    "misc_unet",
    "timm_efficientformer_l1",
    "timm_levit_128",
    "timm_mobilevit_s",
    "timm_tf_mixnet_s",
    "tv_deeplabv3_mbv3",
    "tv_densenet121",
    "tv_mobilenet_v3_small",
    "tv_resnet18",
    "tv_shufflenet_v2_x1_0",
)

LOWERED = {
    "": (
        "Add BatchNormalization Clip Concat Conv DequantizeLinear Div DynamicQuantizeLinear Expand Flatten Gather"
        " GatherND Gelu Gemm GlobalAveragePool HardSigmoid InstanceNormalization LSTM LayerNormalization MatMul MaxPool"
        " Mul Neg Pad Pow QuantizeLinear Reciprocal ReduceL2 ReduceMean ReduceSum Relu Reshape Resize Slice Softmax"
        " Split Sqrt Squeeze Sub Transpose Unsqueeze"
    ),
    "com.microsoft": (
        "DynamicQuantizeMatMul FastGelu FusedConv FusedGemm FusedMatMul Gelu MatMulIntegerToFloat NhwcMaxPool QGemm"
        " QLinearAdd QLinearConv QuickGelu SkipLayerNormalization"
    ),
    "com.microsoft.nchwc": "AveragePool Conv GlobalAveragePool MaxPool ReorderInput ReorderOutput Upsample",
}
"""What onnxruntime 1.31 executes of the networks on a processor with AVX-512."""


@functools.cache
def network(name: str) -> Model:
    """Read a network."""
    return read_model(NETWORKS / f"{name}.onnx")


def products(model: Model) -> float:
    """Give the multiply-adds of a network's products."""
    return least_flops(model, model.layers) / 2


def test_no_operator_of_any_network_lacks_a_rule() -> None:
    """Whatever the files hold and whatever the runtime makes of it is counted."""
    files = sorted(NETWORKS.glob("*.onnx"))
    assert len(files) >= 50
    held = {("" if node.domain == "ai.onnx" else node.domain, node.op_type)
            for path in files for node in skim(path).graph.node}  # fmt: skip
    made = {(domain, name) for domain, names in LOWERED.items() for name in names.split()}
    assert [one for one in sorted(held | made) if cost_of(*one) is None] == []


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_published_counts(name: str) -> None:
    """Products of torchvision's networks come out as published, within 1 %; published are three decimals."""
    assert products(network(name)) / 1e9 == pytest.approx(PUBLISHED[name], rel=0.01)


def with_values(path: Path) -> onnx.ModelProto:
    """Load a network with zeros in place of its weights."""
    made = onnx.load(path, load_external_data=False)
    for tensor in made.graph.initializer:
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            del tensor.external_data[:]
            tensor.data_location = onnx.TensorProto.DEFAULT
            width = helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize
            tensor.raw_data = bytes(width * math.prod(tensor.dims))
    return made


def by_onnx_tool(path: Path) -> Counter[str]:
    """Give multiply-adds by operator as onnx-tool counts them in a file."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        import onnx_tool

        graph = onnx_tool.Model(with_values(path), {"verbose": False, "constant_folding": False}).graph
        graph.shape_infer(None)
        graph.profile()
    found: Counter[str] = Counter()
    for one in graph.nodemap.values():
        found[one.op_type] += one.macs[0]
    return found


@pytest.mark.parametrize("name", BY_ONNX_TOOL)
def test_counts_of_onnx_tool(name: str) -> None:
    """Convolutions and products come out as onnx-tool has them, within 1 %; what it counts more are biases."""
    model, other = network(name), by_onnx_tool(NETWORKS / f"{name}.onnx")
    counted = {layer.op_type for layer in model.layers if layer_flops(model, layer)}
    theirs = sum(other[operator] for operator in counted)
    assert theirs == pytest.approx(products(model), rel=0.01)
    assert theirs >= products(model)


@pytest.mark.parametrize("name", ["tv_mobilenet_v3_small", "int8_tv_resnet18", "hf_segformer_b0"])
def test_what_the_runtime_executes_costs_as_much(name: str) -> None:
    """Fusing changes products only by the channels that fill blocks, and never makes operations vanish that count."""
    plain = network(name)
    fused = lower(plain)
    operations, moved = zip(*(totals(model) for model in (plain, fused)), strict=True)
    assert products(plain) <= products(fused) <= 1.15 * products(plain)
    assert operations[1] >= 0.97 * operations[0]
    assert moved[1] < moved[0]


def totals(model: Model) -> tuple[int, int]:
    """Return operations and bytes of all layers, each of which has a rule."""
    costs = [layer_costs(model, layer) for layer in model.layers]
    known = [cost for cost in costs if cost is not None]
    assert len(known) == len(costs)
    return sum(cost.flops for cost in known), sum(cost.read_bytes + cost.written_bytes for cost in known)


@pytest.mark.parametrize("name", ["tv_resnet18", "hf_albert", "timm_tf_mixnet_s", "misc_unet", "tv_swin_t"])
def test_parameters_are_read(name: str) -> None:
    """Every constant that no view and no table hides is among the bytes that layers read of constants."""
    model = network(name)
    whole = {
        constant
        for layer in model.layers
        if not layer.is_view and layer.op_type not in {"Gather", "Slice"}
        for constant in layer.reads
        if constant in model.constants
    }
    costs = [layer_costs(model, layer) for layer in model.layers]
    assert sum(one.parameter_bytes for one in costs if one) >= sum(model.spec(one).nbytes for one in whole)


@pytest.mark.parametrize(("domain", "op_type", "flops"), [("com.microsoft", "CDist", None), ("", "Det", 0)])
def test_products_of_an_operator_without_formula_are_unknown_but_for_standard_ones(
    tmp_path: Path, domain: str, op_type: str, flops: int | None
) -> None:
    """CDist multiplies matrices, which 0 operations would hide; no standard operator without a formula does."""
    inputs = ["x", "x"] if domain else ["x"]
    graph = helper.make_graph(
        [helper.make_node(op_type, inputs, ["y"], domain=domain)],
        "g",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [4, 4])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [4, 4] if domain else [])],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    path = tmp_path / "net.onnx"
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    model = read_model(path)
    assert [layer_flops(model, layer) for layer in model.layers] == [flops]
