"""Outputs that the runtime makes in the buffer of an input: found, and right when the buffer is shared."""

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from dlbricks.harness.dtypes import BY_NAME
from dlbricks.harness.network import make_inputs
from dlbricks.harness.session import SessionSettings, open_session
from dlbricks.harness.values import ensure_weights
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import sequences_of
from dlbricks.suite.benchmarks import BuiltBenchmark, build_benchmark
from tests.model.written import network, node, reading, weight
from tests.suite.suite_samples import NETWORKS

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
