"""Benchmarks: what a standalone network is a function of, names, anchors."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.model.read.network import read_model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import end_to_end
from dlbricks.sequences.types import Granularity
from dlbricks.suite.benchmarks import NAME_LIMIT, BuiltBenchmark, anchors, build_benchmark, readable_name
from dlbricks.suite.extraction import ExtractionTask, extract_benchmarks
from dlbricks.suite.generate import merge_benchmarks
from dlbricks.suite.references import merged_weights
from tests.suite.suite_samples import NETWORKS

FIXED = {
    "Anchor_MatMul": "2d611b349a0794ff3fed8a6eaeae4fcd4ac3dae9f604a2b170a43d09bcaedbed",
    "Anchor_Conv": "6defbff94e6e2414b22346e3e4c43cf7c54cd2ac05e3defcd2bc6019f306aad0",
    "Anchor_Neg": "19a8a6f2448362225b25bc713bdd139b06b4e9c521dcc4db43c0365ff399875e",
    "Empty": "72ee45eadb9ac29ceab015e09444e9fd461b8e3f93045a9c5e866d6aedcffda4",
    "Empty_nodes": "b07a4970c0cd1c186f251d0f6538a474eb4780fb37d1dcb49c90279443397232",
    "curve": "724161067901d64c18850f670f1c70919914fdad9439799ef13e3c5891997953",
}


@cache
def benchmarks_of(name: str, granularity: int) -> dict[str, BuiltBenchmark]:
    """The benchmarks of one of the published networks, by fingerprint."""
    order = ExtractionTask(
        path=NETWORKS / f"{name}.onnx",
        dims=(("batch", 1), ("seq", 16)),
        granularity=Granularity(granularity),
        splitter="block",
        target="portable",
        threads=1,
        only=None,
        decoys=False,
    )
    return {one.benchmark.fingerprint: one for one in extract_benchmarks(order).benchmarks}


def levelled(benchmarks: dict[str, BuiltBenchmark]) -> dict[str, BuiltBenchmark]:
    """Make all benchmarks as important as each other."""
    return {key: replace(one, benchmark=replace(one.benchmark, importance=1.0)) for key, one in benchmarks.items()}


@pytest.mark.parametrize(
    ("one", "other", "granularity"),
    [
        ("tv_resnet50", "tv_resnet101", 1),
        ("tv_resnet50", "tv_resnet101", 3),
        ("tv_resnet50", "leg_tv_resnet50", 1),
        ("tv_mobilenet_v3_small", "tv_mobilenet_v3_large", 1),
        ("hf_bert_base", "hf_distilbert", 3),
    ],
)
def test_models_that_share_a_sequence_give_the_same_brick(one: str, other: str, granularity: int) -> None:
    """All but importance is a function of the fingerprint, whatever model and exporter the sequence came from."""
    first, second = levelled(benchmarks_of(one, granularity)), levelled(benchmarks_of(other, granularity))
    shared = first.keys() & second.keys()
    assert shared
    for fingerprint in shared:
        assert first[fingerprint] == second[fingerprint]


def test_a_network_says_nothing_of_its_model() -> None:
    """Tensors are named by place, nodes by number; no documentation, no metadata."""
    for made in benchmarks_of("tv_mobilenet_v3_small", 3).values():
        network = onnx.load_model_from_string(made.network)
        tensors = {tensor for node in network.graph.node for tensor in (*node.input, *node.output) if tensor}
        assert all(re.fullmatch(r"[xyct]\d+", tensor) for tensor in tensors)
        assert all(re.fullmatch(r"n\d+", node.name) for node in network.graph.node)
        assert not any(node.doc_string or node.metadata_props for node in network.graph.node)
        assert not network.doc_string
        assert not network.metadata_props


def test_contracts_describe_the_network() -> None:
    """Names, shapes and element types of the manifest are those of the network file, and every input can be made."""
    for made in benchmarks_of("hf_distilbert", 3).values():
        graph = onnx.load_model_from_string(made.network).graph
        for contracts, values in ((made.benchmark.inputs, graph.input), (made.benchmark.outputs, graph.output)):
            assert [contract.name for contract in contracts] == [value.name for value in values]
            shapes = [tuple(d.dim_value for d in value.type.tensor_type.shape.dim) for value in values]
            assert [contract.shape for contract in contracts] == shapes
        assert all(contract.generator is not None for contract in made.benchmark.inputs)


def test_a_whole_network_is_one_brick() -> None:
    """The network end to end has its own role, and its own optimisations are on."""
    model = read_model(NETWORKS / "tv_mobilenet_v3_small.onnx")
    made = build_benchmark(model, canonicalise(model, end_to_end(model)), role="whole").benchmark
    assert (made.role, made.optimization) == ("whole", "all")
    assert made.layers > 50


@given(st.lists(st.text(min_size=1, max_size=60), max_size=12))
def test_names_are_short_and_plain(operators: list[str]) -> None:
    """Whatever the operators are called, a name is a plain word of at most 40 characters."""
    assert re.fullmatch(r"[A-Za-z0-9_]+", readable_name(operators))
    assert len(readable_name(operators)) <= NAME_LIMIT


def test_names_tell_the_distinct_operators() -> None:
    """Operators come once, in their order; what does not fit is left out visibly."""
    assert readable_name(["Conv", "Relu", "Conv"]) == "Conv_Relu"
    assert readable_name(["BatchNormalization", "GlobalAveragePool", "LeakyRelu"]).endswith("_etc")


def test_anchors_are_the_same_for_ever() -> None:
    """Results of different suites are compared by their anchors, so their fingerprints never change."""
    assert {one.benchmark.name: one.benchmark.fingerprint for one in anchors()} == FIXED
    assert [one.benchmark.role for one in anchors()] == ["anchor", "anchor", "anchor", "overhead", "nodes", "curve"]


def test_anchors_run_everywhere() -> None:
    """Anchors are sound, need no new opset, and compute what they claim."""
    for one in anchors():
        network = onnx.load_model_from_string(one.network)
        assert network.opset_import[0].version <= 17
        assert network.ir_version <= 8
        if not one.weights:
            onnx.checker.check_model(network, full_check=True)
            session = ort.InferenceSession(one.network, providers=["CPUExecutionProvider"])
            shape = one.benchmark.inputs[0].shape
            assert session.run(None, {"x0": np.ones(shape, np.float32)})[0].shape == one.benchmark.outputs[0].shape


@given(st.permutations(anchors()), st.integers(0, 4))
def test_merging_does_not_depend_on_order(benchmarks: list[BuiltBenchmark], repeated: int) -> None:
    """Benchmarks merge to the same set, sorted, and weight files to the longest of each, whatever their order."""
    assert merge_benchmarks([*benchmarks, *benchmarks[:repeated]]) == merge_benchmarks(anchors())
    assert merged_weights(benchmarks) == merged_weights(anchors())
    assert {blob.nbytes for blob in merged_weights(benchmarks)} == {4 * 512 * 1024}
