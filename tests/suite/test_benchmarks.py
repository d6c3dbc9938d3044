"""Benchmarks: what a standalone network is a function of, names, importance, buffers that are shared; anchors."""

import math
import re
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.harness.network import make_inputs
from dlbricks.harness.session import SessionSettings, open_session
from dlbricks.harness.values import ensure_weights
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.sequences.canonical import NAME_LIMIT, canonicalise, readable_name
from dlbricks.sequences.split import end_to_end, sequences_of
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors, build_benchmark, end_in_matrices, merged_weights
from dlbricks.suite.extraction import (
    FIXED_SECONDS,
    LEAST,
    PAIR_SHARE,
    ExtractionTask,
    extract_benchmarks,
    importances,
    predicted_s,
    rounded_down,
)
from dlbricks.suite.generate import generate
from dlbricks.suite.writing import merge_benchmarks
from tests.model.written import network, node, reading, weight
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
        settings=SplitSettings(target="portable", granularity=str(granularity), dims={"batch": 1, "seq": 16}),
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
def test_models_that_share_a_sequence_give_the_same_benchmark(one: str, other: str, granularity: int) -> None:
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


def test_a_whole_network_is_one_benchmark() -> None:
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


SECONDS = st.dictionaries(st.sampled_from("abcdef"), st.floats(1e-6, 10.0), min_size=1)


@given(st.floats(0, 1))
def test_rounding_down_gives_a_power_of_two(share: float) -> None:
    """The result is a power of 2 between 2^-20 and 1, at most the share, and more than half of it."""
    made = rounded_down(share)
    assert math.frexp(made)[0] == 0.5
    assert LEAST <= made <= 1
    assert made == LEAST or made <= share < 2 * made


@given(SECONDS, SECONDS)
def test_importance_is_a_share(sequences: dict[str, float], unions: dict[str, float]) -> None:
    """What takes longer is at least as important; rounded down, shares add up to no more than all but what is tiny."""
    found = importances(sequences, unions)
    assert found.keys() == sequences.keys() | unions.keys()
    ranked = sorted(importances(sequences, {}).items(), key=lambda item: sequences[item[0]])
    assert [share for _, share in ranked] == sorted(share for _, share in ranked)
    assert sum(share for _, share in ranked) <= 1 + 1e-9 + len(ranked) * LEAST
    for name in unions.keys() - sequences.keys():
        assert found[name] == rounded_down(PAIR_SHARE * unions[name] / math.fsum(sequences.values()))


def test_a_prediction_is_arithmetic_or_bytes() -> None:
    """At 50 GFLOP/s and 20 GB/s: AlexNet moves 244 MB of weights, for which its arithmetic takes longer."""
    model = read_model(NETWORKS / "tv_alexnet.onnx")
    assert predicted_s(model, end_to_end(model)) == pytest.approx(2 * 0.714e9 / 50e9 + FIXED_SECONDS, rel=0.01)


def test_a_suite_takes_the_greatest_share_of_any_network(tmp_path: Path) -> None:
    """Each network alone gives shares of itself; together a sequence is as important as where it matters most."""
    paths = [str(NETWORKS / f"{name}.onnx") for name in ("tv_resnet18", "tv_squeezenet1_1")]
    as_asked = SplitSettings(target="portable")
    alone = [generate([path], out=tmp_path / Path(path).stem, settings=as_asked)[0] for path in paths]
    both, _ = generate(paths, out=tmp_path / "both", settings=as_asked)
    shares = [{one.fingerprint: one.importance for one in suite.benchmarks} for suite in alone]
    for benchmark in both.benchmarks:
        assert benchmark.importance == max(known.get(benchmark.fingerprint, 0) for known in shares)
        assert benchmark.role == "sequence" or benchmark.importance == 1


SHAPE = (1, 16, 8, 8)


def blocked() -> Model:
    """A residual network as the runtime lowers it, with blocked convolutions that add."""
    return lower(read_model(NETWORKS / "tv_resnet18.onnx"))


def fused(folder: Path, inputs: str = "x w b z", *, target: str = "onnxruntime-cpu") -> Model:
    """A fused convolution alone, that adds its fourth operand."""
    made = network(
        [node("FusedConv", inputs, "y", domain="com.microsoft", pads=[1, 1, 1, 1], activation="Relu")],
        dict.fromkeys(("x", "z"), ("float32", SHAPE)),
        {"y": ("float32", SHAPE)},
        {"w": weight("w", "float32", (16, 16, 3, 3)), "b": weight("b", "float32", (16,))},
        domains=("com.microsoft",),
    )
    return replace(reading(made, folder), target=target)


def alone(model: Model) -> list[BuiltBenchmark]:
    """Every layer as a benchmark of its own."""
    return [
        build_benchmark(model, canonicalise(model, sequence))
        for sequence in sequences_of(model, [[index] for index in range(len(model.layers))])
    ]


def run_sharing(made: BuiltBenchmark, folder: Path, *, share: bool) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Run a benchmark with its output bound to a buffer of its own, or to that of the input that it overwrites."""
    ensure_weights(folder, [asdict(blob) for blob in made.weights], 0)
    contract = asdict(made.benchmark)
    session = open_session(made.network, folder, SessionSettings(optimization=made.benchmark.optimization)).inference
    buffers = {name: np.ascontiguousarray(values).reshape(-1) for name, values in make_inputs(contract, 0).items()}
    output = made.benchmark.outputs[0]
    buffers[output.name] = buffers[made.benchmark.overwrites] if share else np.zeros(np.prod(output.shape), np.float32)
    binding = session.io_binding()
    for bind, tensors in ((binding.bind_input, made.benchmark.inputs), (binding.bind_output, made.benchmark.outputs)):
        for one in tensors:
            bind(one.name, "cpu", 0, BY_NAME[one.dtype].onnx, one.shape, buffers[one.name].ctypes.data)
    session.run_with_iobinding(binding)
    return buffers[output.name]


@pytest.mark.parametrize("form", ["blocked", "fused"])
def test_the_shared_buffer_holds_the_same_answer(form: str, tmp_path: Path) -> None:
    """Made in the place of the summed input, the output is what it is elsewhere, bit by bit."""
    model = blocked() if form == "blocked" else fused(tmp_path)
    found = [made for made in alone(model) if made.benchmark.overwrites]
    assert found
    for made in found[:3]:
        assert len(made.benchmark.inputs) == 2
        apart = run_sharing(made, tmp_path, share=False)
        assert np.isfinite(apart).all()
        assert np.any(apart)
        assert np.array_equal(run_sharing(made, tmp_path, share=True), apart)


def test_every_sum_of_a_residual_network_overwrites() -> None:
    """The eight blocks of ResNet-18 add in place; no other layer does, and nothing does in a portable network."""
    model = blocked()
    adding = [len(layer.inputs) > 3 for layer in model.layers]
    assert sum(adding) == 8
    assert [bool(made.benchmark.overwrites) for made in alone(model)] == adding


@pytest.mark.parametrize(("inputs", "target"), [("x w b x", "onnxruntime-cpu"), ("x w b z", "portable"), ("x w b", "")])
def test_nothing_is_overwritten_that_is_needed(inputs: str, target: str, tmp_path: Path) -> None:
    """Not an operand that is read elsewhere too, nor in a portable network, nor where nothing is added."""
    model = fused(tmp_path, inputs, target=target or "onnxruntime-cpu")
    assert [made.benchmark.overwrites for made in alone(model)] == [""]


def test_an_operand_that_others_read_is_left_alone() -> None:
    """A whole residual block reads what it adds at its head as well: calls would feed on each other."""
    model = blocked()
    last = next(index for index, layer in enumerate(model.layers) if len(layer.inputs) > 3)
    block = [index for index in range(last + 1) if model.layers[index].inputs[0] in _made_since(model, last)]
    assert block[-1] == last
    assert build_benchmark(model, canonicalise(model, sequences_of(model, [block])[0])).benchmark.overwrites == ""


def _made_since(model: Model, last: int) -> set[str]:
    """The summed tensor and what is made of it up to a layer."""
    found = {model.layers[last].inputs[3]}
    for layer in model.layers[:last]:
        if layer.inputs[0] in found:
            found.update(layer.outputs)
    return found


def ends(network: bytes, folder: Path) -> tuple[list[str], list[str]]:
    """Operators that write the outputs of a network, as it is and as onnxruntime optimises it."""
    options, path = ort.SessionOptions(), folder / "optimised.onnx"
    options.log_severity_level = 4
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED  # of every provider
    options.optimized_model_filepath = str(path)
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder))
    ort.InferenceSession(network, options, providers=["CPUExecutionProvider"])
    graphs = onnx.ModelProto.FromString(network).graph, onnx.load(path, load_external_data=False).graph
    writers = ({name: one.op_type for one in graph.node for name in one.output} for graph in graphs)
    return tuple([of[value.name] for value in graphs[0].output] for of in writers)  # type: ignore[return-value]


@pytest.mark.parametrize(("granularity", "products"), [(1, 17), (4, 3)])
def test_no_view_is_added_to_the_end_of_a_benchmark(granularity: int, products: int, tmp_path: Path) -> None:
    """A Reshape, Cast or Transpose there would copy what it does not copy within the network."""
    made = benchmarks_of("hf_segformer_b0", granularity).values()
    ensure_weights(tmp_path, [asdict(blob) for blob in merged_weights(made)], 0)
    matrices = 0
    for one in made:
        before, after = ends(one.network, tmp_path)
        assert not {"Reshape", "Cast", "Transpose"} & {*after} - {*before}, one.benchmark.name
        matrices += "Gemm" in after
    assert matrices >= products


@pytest.mark.parametrize(
    ("after", "outputs", "bias", "shapes"),
    [
        ("y = Add(p, b)", "float[2,3,4] y", "4", [[6, 4]]),
        ("y = Add(b, p)", "float[2,3,4] y", "4", [[6, 4]]),
        ("y = Add(p, b) z = Relu(y)", "float[2,3,4] y, float[2,3,4] z", "4", [[2, 3, 4], [2, 3, 4]]),
        ("y = Add(p, b)", "float[2,3,4] y, float[2,3,4] p", "4", [[2, 3, 4], [2, 3, 4]]),
        ("y = Add(p, b)", "float[2,3,4] y", "3,4", [[2, 3, 4]]),
        ("y = Sub(p, b)", "float[2,3,4] y", "4", [[2, 3, 4]]),
        ("q = Relu(p) y = Add(p, q)", "float[2,3,4] y", "4", [[2, 3, 4]]),
        ("q = Relu(b) y = Add(p, q)", "float[2,3,4] y", "4", [[2, 3, 4]]),
    ],
)
def test_a_product_with_a_bias_ends_in_a_matrix(after: str, outputs: str, bias: str, shapes: list[list[int]]) -> None:
    """If the runtime would compute a matrix and nothing else reads the tensor; its values are the same."""
    inputs = f"float[2,3,8] x, float[8,4] w, float[{bias}] b"
    text = f'<ir_version: 8, opset_import: ["" : 17]> g ({inputs}) => ({outputs}) {{ p = MatMul(x, w) {after} }}'
    model, random = onnx.parser.parse_model(text), np.random.default_rng(0)
    graph, feeds = model.graph, {"x": random.random((2, 3, 8), np.float32)}
    for value in list(graph.input)[1:]:
        extents = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        graph.initializer.append(onnx.numpy_helper.from_array(random.random(extents, np.float32), value.name))
        graph.input.remove(value)

    def answers() -> list[np.ndarray]:
        session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        return session.run(None, feeds)  # type: ignore[no-any-return]

    before = answers()
    end_in_matrices(model)
    onnx.checker.check_model(model, full_check=True)
    after_all = answers()
    assert [list(one.shape) for one in after_all] == shapes
    for one, other in zip(before, after_all, strict=True):
        np.testing.assert_allclose(one.reshape(-1), other.reshape(-1), rtol=1e-5)
