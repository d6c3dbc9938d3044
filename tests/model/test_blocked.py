"""Graphs of onnxruntime in blocked layout, rewritten for any block of channels: as the runtime itself makes them."""

import lzma
from collections import Counter
from pathlib import Path

import onnx
import pytest
from onnx import helper

from dlbricks.harness.cpu import block_of, instruction_set, lowers_alike
from dlbricks.model.lowering import onnxruntime_cpu
from dlbricks.model.lowering.blocked import DOMAIN, Blocking
from dlbricks.model.lowering.onnxruntime_cpu import for_processor, lower
from dlbricks.model.types import Model
from dlbricks.sequences.split import network, read_network
from dlbricks.settings import SplitSettings
from dlbricks.suite.generate import generate

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
AVX2, AVX512 = ("x86_64", "avx", "avx2", "fma", "f16c"), ("x86_64", "avx", "avx2", "fma", "f16c", "avx512f")
# onnxruntime 1.32.0 optimised MobileNet on an emulated processor with AVX2 (qemu-x86_64 -cpu Haswell-noTSX)
BY_AVX2 = Path(__file__).parents[1] / "data" / "onnxruntime_avx2_mobilenet_v3_small.onnx.xz"
OTHER = AVX2 if block_of(instruction_set()) == 16 else AVX512
known = pytest.mark.skipif(block_of(instruction_set()) is None, reason="the block of this processor is unknown")


def portable(name: str) -> Model:
    """One of the networks of the repository."""
    return read_network(NETWORKS / f"{name}.onnx", SplitSettings(target="portable"))


def calls_of(model: Model) -> Counter[tuple[object, ...]]:
    """Count the calls of a lowered network."""
    return onnxruntime_cpu._calls(model)


def in_blocks(model: Model, block: int | None) -> Model:
    """Put the graph of level ``extended`` into blocked layout."""
    return next(onnxruntime_cpu._lowered(model, [block], "extended", 1, (None, None), onnxruntime_cpu.TARGET))


@known
@pytest.mark.parametrize(
    "name",
    [
        "tv_squeezenet1_1",  # Concat, pools
        "tv_mobilenet_v3_small",  # HardSwish, sums of fused convolutions, depthwise convolutions
        "tv_shufflenet_v2_x1_0",  # channels that fill no block
        "timm_tf_mixnet_s",  # BatchNormalization, QuickGelu
        "tv_convnext_tiny",  # images whose channels are last
        "timm_hrnet_w18_small",  # Resize
    ],
)
def test_for_this_machine_the_rewritten_graph_is_the_one_of_the_runtime(name: str) -> None:
    """Every call with its attributes and the types of its tensors."""
    model = portable(name)
    rewritten = in_blocks(model, block_of(instruction_set()))
    assert calls_of(rewritten) == calls_of(lower(model))
    assert any(layer.domain == DOMAIN for layer in rewritten.layers)


def test_a_graph_for_avx2_is_the_one_that_the_runtime_makes_there() -> None:
    """Wherever it is made: operators, attributes and the shapes of constants are those of the emulated processor."""
    there = onnx.ModelProto.FromString(lzma.decompress(BY_AVX2.read_bytes()))
    shapes = {tensor.name: tuple(tensor.dims) for tensor in there.graph.initializer}
    wanted = Counter(
        (node.domain, node.op_type, attributes(node), tuple(shapes.get(name, ()) for name in node.input))
        for node in there.graph.node
    )
    made = in_blocks(portable("tv_mobilenet_v3_small"), 8)
    nodes = [(layer, onnx.NodeProto.FromString(layer.node)) for layer in made.layers]
    constant = {name: spec.spec.shape for name, spec in made.constants.items()}
    assert wanted == Counter(
        (layer.domain, layer.op_type, attributes(node), tuple(constant.get(name, ()) for name in layer.inputs))
        for layer, node in nodes
    )


def attributes(node: onnx.NodeProto) -> tuple[tuple[str, str], ...]:
    """Attributes of a node by name, as text."""
    return tuple(sorted((entry.name, repr(helper.get_attribute_value(entry))) for entry in node.attribute))


@known
def test_a_network_is_split_for_another_processor() -> None:
    """It says for which; sequences without padding are those of this machine, and a quantised network is the same."""
    path = NETWORKS / "tv_mobilenet_v3_small.onnx"
    here = network(path, SplitSettings())
    there = network(path, SplitSettings(lowered_for=OTHER))
    assert here.model.made_for is None
    assert there.model.made_for is not None
    assert there.model.made_for.instruction_set == OTHER
    assert calls_of(here.model) != calls_of(there.model)
    quantised = network(NETWORKS / "int8_tv_resnet18.onnx", SplitSettings(lowered_for=OTHER)).model
    assert quantised.made_for is not None
    assert not any(layer.domain == DOMAIN for layer in quantised.layers)


@known
def test_what_cannot_be_derived_does_not_claim_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown layout, and a rule that gives another graph for this machine than the runtime does."""
    model = portable("tv_squeezenet1_1")
    lowered = lower(model)
    assert for_processor(model, lowered, ("aarch64", "asimd")) is lowered
    monkeypatch.setattr(Blocking, "RULES", {key: rule for key, rule in Blocking.RULES.items() if key != ("", "Concat")})
    assert for_processor(model, lowered, OTHER) is lowered


def test_processors_that_differ_in_other_extensions_execute_one_graph() -> None:
    """Only the block decides; of other architectures each set stands for itself."""
    assert lowers_alike(AVX512, (*AVX512, "avx512_vnni", "amx_tile"))
    assert not lowers_alike(AVX2, AVX512)
    assert not lowers_alike(["aarch64", "asimd"], ["aarch64", "asimd", "sve"])
    assert lowers_alike(["aarch64", "asimd"], ("aarch64", "asimd"))
    assert not lowers_alike([], ["x86_64"])


@known
def test_a_suite_for_another_processor_claims_no_answers_of_this_one(tmp_path: Path) -> None:
    """It states the processor; what has blocks of channels has no reference, all else was run."""
    settings = SplitSettings(lowered_for=OTHER)
    suite, _ = generate([str(NETWORKS / "tv_mobilenet_v3_small.onnx")], settings, out=tmp_path / "suite")
    assert suite.target.instruction_set == OTHER
    sequences = [benchmark for benchmark in suite.benchmarks if benchmark.role == "sequence"]
    blocked = {
        each.fingerprint for each in sequences if DOMAIN.encode() in (tmp_path / "suite" / each.network).read_bytes()
    }
    assert blocked
    assert {each.fingerprint for each in sequences if each.reference is None} == blocked
