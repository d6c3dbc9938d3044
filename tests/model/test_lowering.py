"""Lowering: the graph that the runtime would execute, without weights, the same each time."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnxruntime.capi.onnxruntime_pybind11_state import Fail

from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.values import fill
from dlbricks.model.emit import build_network, network_bytes, write_weights
from dlbricks.model.lowering import onnxruntime_cpu
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.lowering.runtime import is_finite, observed_spec, plain_message, run_values, runtime_value
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Layer, Model
from dlbricks.operators.values import place_constants
from tests.model.whole_runs import filled_file
from tests.model.written import F32, input_generator, network, node, reading, weight

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
X = {"x": ("float32", (2, 3))}
Y: dict[str, Any] = {"y": None}


def test_lowered_layers_are_the_runtimes_own(tmp_path: Path) -> None:
    """Conv and Relu become one layer, constants keep no values but small ones, nothing is grouped."""
    nodes = [node("Conv", "x w b", "h", pads=[1, 1, 1, 1]), node("Relu", "h", "y")]
    constants = {"w": weight("w", "float32", (32, 16, 3, 3)), "b": weight("b", "float32", (32,))}
    model = reading(network(nodes, {"x": ("float32", (1, 16, 8, 8))}, Y, constants), tmp_path)
    lowered = lower(model)
    assert any(layer.domain.startswith("com.microsoft") and layer.op_type.endswith("Conv") for layer in lowered.layers)
    assert not any(layer.op_type == "Relu" for layer in lowered.layers)
    assert all(constant.source is None for constant in lowered.constants.values())
    assert (lowered.target, lowered.groups, lowered.name) == ("onnxruntime-cpu", (), model.name)
    assert (lowered.inputs, lowered.outputs, lowered.source_layers) == (model.inputs, model.outputs, 2)
    assert lowered.spec("y") == model.spec("y")


@pytest.mark.parametrize(
    ("opset", "fused"), [(17, "SimplifiedLayerNormalization"), (12, "LayerNormalization")], ids=["root", "old"]
)
def test_what_the_runtime_adds_to_the_default_domain_can_be_measured(opset: int, fused: str, tmp_path: Path) -> None:
    """Norms that are fused into operators which the standard lacks, or has only later, are layers as others are."""
    centred = fused == "LayerNormalization"
    nodes = [
        *(
            [node("ReduceMean", "x", "m", axes=[-1]), node("Sub", "x m", "c")]
            if centred
            else [node("Identity", "x", "c")]
        ),
        node("Pow", "c two", "s"),
        node("ReduceMean", "s", "v", axes=[-1]),
        node("Add", "v e", "a"),
        node("Sqrt", "a", "r"),
        node("Div", "c r", "n"),
        node("Mul", "n w", "z"),
        *([node("Add", "z b", "f"), node("Softmax", "f", "y")] if centred else [node("Relu", "z", "y")]),
    ]
    constants: dict[str, Any] = {"two": np.array(2, F32), "e": np.array(1e-6, F32), "w": weight("w", "float32", (32,))}
    constants |= {"b": weight("b", "float32", (32,))} if centred else {}
    lowered = lower(reading(network(nodes, {"x": ("float32", (4, 32))}, Y, constants, opset=opset), tmp_path))
    made = next(layer for layer in lowered.layers if layer.op_type == fused)
    assert (made.domain, made.skip) == ("", None)
    assert all(layer.skip is None for layer in lowered.layers)


def test_a_network_that_cannot_run_says_why(tmp_path: Path) -> None:
    """Matrices that do not fit, whose shapes only a run would tell, are named with the runtime's words."""
    nodes = [node("Reshape", "x s", "h"), node("MatMul", "h w", "m"), node("Reshape", "m s", "y")]
    constants: dict[str, Any] = {"s": np.array([3, 2], np.int64), "w": weight("w", "float32", (7, 5))}
    model = reading(network(nodes, X, Y, constants), tmp_path)
    with pytest.raises(UnsupportedModelError, match=r"cannot be run as a whole: .* cannot be known: .*MatMul"):
        lower(model)


def test_a_lower_level_has_no_layouts_of_the_processor() -> None:
    """Up to ``extended`` layers are fused, but none is blocked."""
    model = read_model(NETWORKS / "tv_squeezenet1_1.onnx")
    extended = lower(model, level="extended")
    assert not any(layer.domain == "com.microsoft.nchwc" for layer in extended.layers)
    assert any(layer.op_type == "FusedConv" for layer in extended.layers)
    assert any(layer.domain == "com.microsoft.nchwc" for layer in lower(model).layers)


@pytest.mark.parametrize("name", ["tv_mobilenet_v3_small", "tv_shufflenet_v2_x1_0"])
def test_lowering_again_or_with_other_threads_gives_the_same(name: str, tmp_path: Path) -> None:
    """Order and names are inferred though the runtime's vary; threads and kept weights do not matter to the graph."""
    model = read_model(NETWORKS / f"{name}.onnx")
    lowered = lower(model)
    assert lower(model) == lowered
    assert lower(model, threads=2) == lowered
    for _ in range(2):
        assert lower(model, scratch=tmp_path) == lowered
    assert list(tmp_path.glob("weights.*"))
    assert not list(tmp_path.glob("optimized*"))


@pytest.mark.parametrize("limit", ["_LONG_OPERATIONS", "_LARGE_BYTES"])
@pytest.mark.parametrize("name", ["tv_mobilenet_v3_small", "hf_segformer_b0", "int8_tv_resnet18", "misc_llama_decode"])
def test_what_takes_long_is_lowered_to_the_same_without_a_whole_run(
    name: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tensors that the optimiser leaves have the shapes that they had; only what leads to others runs."""
    model = read_model(NETWORKS / f"{name}.onnx")
    observed = lower(model)
    monkeypatch.setattr(onnxruntime_cpu, limit, 0)
    assert lower(model) == observed


@pytest.mark.parametrize("name", ["tv_mobilenet_v3_small", "int8_hf_distilbert"])
def test_what_is_too_large_for_one_file_is_lowered_to_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights that the optimiser changed lie in the saved graph, or beside it where it cannot hold them."""
    model = read_model(NETWORKS / f"{name}.onnx")
    together, save = lower(model), ort.InferenceSession
    failed: list[ort.SessionOptions] = []

    def refusing(network: bytes, options: ort.SessionOptions, **others: Any) -> ort.InferenceSession:
        if options.optimized_model_filepath and not failed:
            failed.append(options)
            raise Fail("ModelProto exceeds maximum protobuf size of 2GB")
        return save(network, options, **others)

    monkeypatch.setattr(onnxruntime_cpu, "_MOST_INLINE", 0)
    monkeypatch.setattr(ort, "InferenceSession", refusing)
    assert lower(model) == together
    assert failed


@pytest.mark.parametrize("name", ["tv_mobilenet_v3_small", "tv_squeezenet1_1", "int8_tv_resnet18", "misc_lstm_lm"])
def test_neither_emission_nor_the_numbers_change_what_the_runtime_makes_of_a_network(name: str, tmp_path: Path) -> None:
    """The original file, its weights filled with other numbers, is optimised to the same operators."""
    path = NETWORKS / f"{name}.onnx"
    model = read_model(path)
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.optimized_model_filepath = str(tmp_path / "optimized.onnx")
    ort.InferenceSession(filled_file(path, model, {}).SerializeToString(), options, providers=["CPUExecutionProvider"])
    saved = onnx.load(tmp_path / "optimized.onnx")
    expected = Counter((made.domain, made.op_type) for made in saved.graph.node)
    assert Counter((layer.domain, layer.op_type) for layer in lower(model).layers) == expected


def unique_layers(model: Model) -> Iterator[int]:
    """Layers that differ in more than names."""
    seen = set()
    for index, layer in enumerate(model.layers):
        shapes = tuple((model.spec(name).shape, name in model.constants) if name else None for name in layer.inputs)
        key = (layer.op_type, layer.attributes, shapes)
        if key not in seen:
            seen.add(key)
            yield index


@pytest.mark.parametrize("name", ["tv_mobilenet_v3_small", "int8_tv_resnet18", "int8_hf_distilbert", "hf_segformer_b0"])
def test_every_lowered_layer_runs_alone(name: str, tmp_path: Path) -> None:
    """Emitted alone, with made-up weights and inputs, it gives finite outputs of the shapes seen in the whole."""
    model = lower(read_model(NETWORKS / f"{name}.onnx"))
    for index in unique_layers(model):
        run_alone(model, index, tmp_path)


def run_alone(model: Model, index: int, folder: Path) -> None:
    """Run one layer and compare what it gives with what is known of its outputs."""
    layer: Layer = model.layers[index]
    constants = dict.fromkeys(name for name in layer.reads if name in model.constants)
    inputs = list(dict.fromkeys(name for name in layer.reads if name not in model.constants))
    outputs = [name for name in layer.outputs if name]
    places, blobs = place_constants(model, [index], constants)
    made = build_network(model, [index], inputs, outputs, rename={}, constants=places)
    write_weights(folder, blobs)
    feeds = {}
    for name in inputs:
        spec = model.spec(name)
        generator = asdict(input_generator(model, [index], name))
        feeds[name] = runtime_value(spec, fill(spec.dtype, spec.shape, generator, 0, name))
    values = run_values(network_bytes(made), folder, outputs, feeds)
    assert [observed_spec(name, value) for name, value in zip(outputs, values, strict=True)] == [
        model.spec(name) for name in outputs
    ]
    assert all(map(is_finite, values)), layer.name


def test_weights_are_left_on_demand(tmp_path: Path) -> None:
    """With a folder to keep them in, every constant without values says where they are."""
    made = network([node("MatMul", "x w", "y")], X, Y, {"w": weight("w", "float32", (3, 700))})
    lowered = lower(reading(made, tmp_path), keep_weights=tmp_path / "kept")
    (constant,) = lowered.constants.values()
    assert constant.source is not None
    with Path(constant.source.path).open("rb") as file:
        file.seek(constant.source.offset)
        values = np.frombuffer(file.read(constant.source.length), F32)
    assert values.size == 2100
    assert 0 < np.abs(values).max() <= 1.19
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["optimized.onnx", "optimized.weights"]


def test_shapes_that_depend_on_data_are_those_of_the_run(tmp_path: Path) -> None:
    """Values that decide shapes are kept as seen, so that a part of the network can be fed with them."""
    nodes = [node("NonZero", "x", "n"), node("Shape", "n", "s"), node("ConstantOfShape", "s", "y")]
    made = network(nodes, {"x": ("bool", (3, 4))}, {"y": ("float32", ("a", "b"))})
    lowered = lower(reading(made, tmp_path))
    assert lowered.observed is not None
    (shape,) = (np.frombuffer(value, np.int64) for value in lowered.observed.values())
    assert lowered.spec("y").shape == tuple(shape) == (2, lowered.spec("n").shape[1])


def test_outputs_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    """The message names the output."""
    nodes = [node("Sub", "x k", "h"), node("Log", "h", "y")]
    model = reading(network(nodes, X, Y, {"k": np.array(9, F32)}), tmp_path)
    with pytest.raises(UnsupportedModelError, match="output 'y' of written is not finite"):
        lower(model)


def test_networks_that_the_runtime_cannot_run_are_refused_in_one_line(tmp_path: Path) -> None:
    """What the runtime says is passed on, with the network's name."""
    made = network([node("GRU", "x w r", "y", hidden_size=2, layout=1)], {"x": ("float32", (4, 2, 3))}, Y,
                   {"w": weight("w", "float32", (1, 6, 3)), "r": weight("r", "float32", (1, 6, 2))})  # fmt: skip
    with pytest.raises(UnsupportedModelError, match=r"^onnxruntime cannot optimise written: [^\n]*layout") as caught:
        lower(reading(made, tmp_path))
    assert "\n" not in str(caught.value)


def test_inputs_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    """Strings cannot be made up; the message names the input."""
    made = network([node("StringNormalizer", "x", "y")], {"x": ("string", (2,))}, {"y": ("string", (2,))})
    with pytest.raises(UnsupportedModelError, match="'x' of written is not a tensor of numbers"):
        lower(reading(made, tmp_path))


def test_labels_of_strings_are_left_to_themselves(tmp_path: Path) -> None:
    """A classifier that ends in texts is lowered; only the layer that looks them up has a reason not to be measured."""
    nodes = [node("MatMul", "x w", "a"), node("ArgMax", "a", "c", axis=1, keepdims=0), node("Gather", "l c", "y")]
    constants: dict[str, Any] = {"w": weight("w", "float32", (3, 4)), "l": np.array(["a", "b", "c", "d"])}
    lowered = lower(reading(network(nodes, X, Y, constants), tmp_path))
    assert [layer.skip for layer in lowered.layers] == [None, None, "Gather handles strings"]


def test_messages_of_the_runtime_begin_with_what_went_wrong() -> None:
    """Codes, places in its sources and signatures of functions are left out."""
    said = (
        "[ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running T node. Status Message: "
        "/onnxruntime_src/onnxruntime/core/tree.h:649 void ort::Common<A, B>::Agg(ort::Pool*, const Tensor*, "
        "std::function<void(int)>) const [with AGG = ort::C<float, float>; A = float] One path requests feature 19"
    )
    assert plain_message(said) == "running T node. One path requests feature 19"
    enforced = "/onnxruntime_src/a.h:7 int64_t ort::Axis(int64_t, int64_t) InRange(axis, rank) was false. axis 1"
    assert plain_message(enforced) == "InRange(axis, rank) was false. axis 1"
    called = (
        "/onnxruntime_src/m.cc:9 void ort::Mod<T, if<is<_T>::value, void>::type>::operator()(bool, ort::C*) const f"
    )
    assert plain_message(called) == "f"
    invalid = (
        '[ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. In Node, ("n6", T, "d", -1) : '
        f'("{"x" * 300}": tensor(float),"",) -> ("y": tensor(float),) , Error Unrecognized attribute: a for operator T'
    )
    assert plain_message(invalid) == "Error Unrecognized attribute: a for operator T"
