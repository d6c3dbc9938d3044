from collections import Counter
from dataclasses import replace
from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper

from dlbricks.construct.compose import RUNTIME_BYTES, compose, inspect_split
from dlbricks.construct.memory_layout import layout
from dlbricks.construct.types import Composition, CompositionStep
from dlbricks.model.read.network import read_batched, read_model
from dlbricks.plugins.openvino.merging import TARGET, TRAITS
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import pairs, split, strip_boundary_views
from dlbricks.sequences.types import Granularity, LayerSequence, Split
from dlbricks.suite.benchmarks import build_benchmark
from tests.decoders import write_decoder

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


def parts_of(network: str, granularity: str = "1") -> Split:
    return split(read_model(NETWORKS / f"{network}.onnx"), Granularity.parse(granularity))


def names(parts: Split, sequence: LayerSequence) -> tuple[str, ...]:
    """Name the layers of a sequence."""
    return tuple(parts.model.layers[index].name for index in sequence.layers)


def by_layers(made: Composition) -> dict[tuple[str, ...], CompositionStep]:
    """Give the steps by the names of their layers: they are in the order in which they run, sequences are not."""
    return {step.layers: step for step in made.steps}


@pytest.mark.parametrize("network", ["tv_squeezenet1_1", "hf_distilbert", "misc_lstm_lm"])
@pytest.mark.parametrize("granularity", ["1", "4", "inf"])
def test_a_composition_covers_the_model(network: str, granularity: str) -> None:
    """Every layer is in exactly one step, and a step waits for earlier steps only."""
    made = compose(parts_of(network, granularity))
    names = [name for step in made.steps for name in step.layers]
    assert len(names) == len(set(names)) == made.layers
    assert all(earlier < index for index, step in enumerate(made.steps) for earlier in step.depends_on)


def test_repeated_blocks_are_the_same_sequence() -> None:
    """DistilBERT's six equal transformer layers repeat their sequences six times."""
    steps = compose(parts_of("hf_distilbert")).steps
    counts = [sum(step.fingerprint == one.fingerprint for step in steps) for one in steps]
    assert max(counts) >= 6
    assert len({step.fingerprint for step in steps}) < len(steps) / 3


def test_what_stays_inside_a_node_of_openvino_is_no_memory() -> None:
    """SqueezeNet's Conv and Relu, executed as one node, touch only constants besides inputs and outputs."""
    parts = parts_of("tv_squeezenet1_1")
    fused = replace(parts, model=replace(parts.model, target=TARGET, traits=TRAITS))
    usual_of, step_of = by_layers(compose(parts)), by_layers(compose(fused))
    for sequence in parts.sequences:
        usual, step = (steps[names(parts, sequence)] for steps in (usual_of, step_of))
        held = sum(parts.model.spec(name).nbytes for name in strip_boundary_views(parts.model, sequence).constants)
        assert sum(nbytes for nbytes, _, _ in step.constants) == held + RUNTIME_BYTES
        for mine, theirs in ((step.inputs, usual.inputs), (step.outputs, usual.outputs)):
            assert [nbytes for nbytes, _, _ in mine] == [nbytes for nbytes, _, _ in theirs]
        assert len(usual.constants) - len(step.constants) == (step.name == "Conv_Relu")


def test_names_are_those_of_benchmarks() -> None:
    """A step is called by its operators, as its benchmark is."""
    assert "Conv_Relu" in {step.name for step in compose(parts_of("tv_squeezenet1_1")).steps}


@pytest.mark.parametrize("granularity", ["1", "4", "inf"])
def test_steps_touch_what_crosses_their_border(granularity: str) -> None:
    """Constants and inner tensors, inputs and outputs, each once; no distance exceeds the footprint."""
    parts = parts_of("tv_squeezenet1_1", granularity)
    laid = layout(parts.model)
    footprint, owner = laid.footprint_bytes, laid.owner
    steps = by_layers(compose(parts))
    for sequence in parts.sequences:
        step = steps[names(parts, sequence)]
        core = strip_boundary_views(parts.model, sequence)
        layers = [parts.model.layers[index] for index in core.layers]
        made = {name for layer in layers if not layer.is_view for name in layer.outputs if name}
        inner = made - {owner.get(name, name) for name in core.outputs}
        for found, tensors in (
            (step.constants[:-1], (*core.constants, *inner)),
            (step.inputs, core.inputs),
            (step.outputs, core.outputs),
        ):
            assert sorted(nbytes for nbytes, _, _ in found) == sorted(parts.model.spec(name).nbytes for name in tensors)
            assert step.constants[-1] == (RUNTIME_BYTES, footprint, len(parts.sequences))
            assert all(distance <= footprint for _, distance, _ in found)
            assert all(0 <= age <= len(parts.sequences) for _, _, age in found)


def test_what_a_decoder_keeps_is_fetched_as_constants_are(tmp_path: Path) -> None:
    """A cache in one buffer of an input and an output; one that is copied is an input, as a recurrent state is."""
    folder = write_decoder(tmp_path / "decoder")
    model = read_batched(folder / "model.onnx", dims={"past": 64, "sequence": 1}, batch=None)
    made = compose(split(model, Granularity.parse("1")))
    (step,) = [one for one in made.steps if one.name == "GroupQueryAttention"]
    cache = [model.spec(name).nbytes for name in model.inputs if name.startswith("past_key_values")]
    assert [nbytes for nbytes, _, age in step.constants if age == len(made.steps)][-3:-1] == cache
    assert all(age < len(made.steps) for _, _, age in step.inputs)
    settings = folder / "genai_config.json"
    settings.write_text(settings.read_text(encoding="utf-8").replace("true", "false"), encoding="utf-8")
    model = read_batched(folder / "model.onnx", dims={"past": 64, "sequence": 1}, batch=None)
    assert [model.spec(name).shape[2] for name in (*model.inputs[2:], *model.outputs[1:])] == [64, 64, 65, 65]
    (step,) = [one for one in compose(split(model, Granularity.parse("1"))).steps if one.name == "GroupQueryAttention"]
    assert [age == len(made.steps) for _, _, age in step.inputs].count(True) == 2
    (first, *_) = compose(parts_of("misc_lstm_lm")).steps
    assert [age for _, _, age in first.inputs] == [len(compose(parts_of("misc_lstm_lm")).steps)]


def test_ages_count_steps() -> None:
    """A constant with one user has the age of an inference, the output of the previous step has age one."""
    parts = parts_of("tv_squeezenet1_1")
    made = compose(parts)
    steps = made.steps
    weights = [
        one
        for sequence in parts.sequences
        for one in by_layers(made)[names(parts, sequence)].constants[
            : len(strip_boundary_views(parts.model, sequence).constants)
        ]
    ]
    assert {age for _, _, age in weights} == {len(steps)}
    chained = [step for index, step in enumerate(steps) if index and step.depends_on == (index - 1,)]
    assert chained
    assert all(step.inputs[0][2] == 1 for step in chained)


def test_features_are_those_of_the_benchmark() -> None:
    """The features of a step equal those of its benchmark."""
    parts = parts_of("hf_distilbert", "4")
    steps = by_layers(compose(parts))
    for sequence in parts.sequences[:20]:
        made = build_benchmark(
            parts.model, canonicalise(parts.model, strip_boundary_views(parts.model, sequence))
        ).benchmark
        features = steps[names(parts, sequence)].features
        assert features is not None
        assert (features.operators, features.flops) == (made.operators, made.flops)
        assert (features.weight_bytes, features.input_bytes + features.output_bytes) == (
            made.weight_bytes,
            made.activation_bytes,
        )


@pytest.mark.parametrize("network", ["tv_squeezenet1_1", "misc_lstm_lm"])
def test_layers_of_a_step_are_steps_without_others(network: str) -> None:
    """All that compute, each with its own costs; a step of a single layer has none, and no step unless asked for."""
    coarse, fine = parts_of(network, "4"), by_layers(compose(parts_of(network)))
    made = compose(coarse, parts=True)
    assert {len(step.parts) for step in compose(coarse).steps} == {0}
    assert {len(step.parts) for step in compose(parts_of(network), parts=True).steps} == {0}
    for step in made.steps:
        computing = [one for one in fine.values() if one.features and set(one.layers) <= set(step.layers)]
        computing.sort(key=lambda one, of=step: of.layers.index(one.layers[0]))  # type: ignore[misc]
        assert [*step.parts] == (computing if len(computing) > 1 else [])
        if step.features and step.parts:
            assert step.features.work == sum(part.features.work for part in step.parts if part.features)


def test_recurrent_weights_are_read_at_each_time_step() -> None:
    """So an LSTM has more work than a product of as many FLOPs: traces of this network show 4 to 1."""
    parts = [part for step in compose(parts_of("misc_lstm_lm", "4"), parts=True).steps for part in step.parts]
    flops, work = Counter[str](), Counter[str]()
    for part in parts:
        flops[part.name] += (part.features and part.features.flops) or 0
        work[part.name] += part.work
    assert flops["LSTM"] == pytest.approx(flops["MatMul_Add"], rel=0.1)
    assert 3 < work["LSTM"] / work["MatMul_Add"] < 8


def test_pairs_are_made_when_asked_for() -> None:
    """Every adjacent pair with its union, in which tensors between the two are neither inputs nor outputs."""
    parts = parts_of("tv_squeezenet1_1")
    made = compose(parts, pairs=True)
    assert compose(parts).pairs == ()
    unions = pairs(parts)
    for one, (first, second, union) in zip(made.pairs, unions, strict=True):
        ends = [made.steps[index].layers for index in (one.first, one.second)]
        assert ends == [names(parts, parts.sequences[index]) for index in (first, second)]
        assert one.fingerprint == canonicalise(parts.model, union).fingerprint
        assert len(one.inputs) == len(union.inputs)
        assert len(one.outputs) == len(union.outputs)


def saved(path: Path, nodes: list[onnx.NodeProto], dtype: int, shape: list[int]) -> Path:
    """Write a network from ``x`` to ``y``."""
    ends = [helper.make_tensor_value_info(name, dtype, shape) for name in ("x", "y")]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), path)
    return path


def test_a_network_of_views_is_free(tmp_path: Path) -> None:
    """A network of views costs nothing and needs no benchmark."""
    path = saved(tmp_path / "views.onnx", [helper.make_node("Identity", ["x"], ["y"])], TensorProto.FLOAT, [4])
    parts = split(read_model(path), Granularity(1))
    assert [step.free for step in compose(parts).steps] == [True]
    shown = inspect_split(parts)
    assert (shown.views, shown.sequences, shown.unique_sequences) == (1, 0, 0)


def test_what_no_benchmark_can_hold_is_counted_with_its_reason(tmp_path: Path) -> None:
    """Layers on strings are skipped, named, and counted."""
    node = helper.make_node("StringNormalizer", ["x"], ["y"], case_change_action="LOWER")
    parts = split(read_model(saved(tmp_path / "text.onnx", [node], TensorProto.STRING, [4])), Granularity(1))
    (step,) = compose(parts).steps
    assert step.skip
    assert not step.free
    assert inspect_split(parts).skipped == ((step.skip, 1),)


@pytest.mark.parametrize(("measured", "name"), [("a", "a"), ("ab", "a"), ("b", "b"), ("c", "a")])
def test_a_step_without_a_measurement_is_looked_up_without_its_biases(measured: str, name: str) -> None:
    """Only if that one was measured; a step without biases has its own name alone."""
    step = CompositionStep(fingerprint="a", without_bias="b", name="Conv", layers=("conv",), depends_on=())
    assert step.measured_as(set(measured)) == name
    assert replace(step, without_bias="").measured_as(set(measured)) == "a"
