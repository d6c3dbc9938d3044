"""The target onnxruntime-cuda: made where its provider works, refused in a line elsewhere, tied to the kind of GPU."""

from dataclasses import replace
from pathlib import Path

import pytest
from onnx import helper

from dlbricks.harness import machine as gpu
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.session import SessionSettings, backend, check_target
from dlbricks.model.lowering import onnxruntime_cpu
from dlbricks.model.lowering.onnxruntime_cpu import CUDA_TARGET, TARGET, lower
from dlbricks.model.lowering.targets import provider_of
from dlbricks.passes.cleanup import remove_copies
from dlbricks.passes.graph import SourceGraph
from dlbricks.suite.writing import target_here
from tests.model.written import network, reading

SHAPE = {"x": ("float32", (4, 8))}
Y = {"y": ("float32", (4, 8))}


def test_a_provider_that_works_makes_its_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same steps give the same graph with the name of the target; the processor stands in for the GPU."""
    nodes = [helper.make_node("Relu", ["x"], ["h"]), helper.make_node("Sigmoid", ["h"], ["y"])]
    model = reading(network(nodes, SHAPE, Y, {}), tmp_path)
    monkeypatch.setattr(onnxruntime_cpu, "providers_of", lambda _: ["CPUExecutionProvider"])
    assert lower(model, target=CUDA_TARGET) == replace(lower(model), target=CUDA_TARGET)


def test_copies_between_providers_are_no_layers(tmp_path: Path) -> None:
    """What they copy is read in their place; the runtime inserts them again where they are needed."""
    nodes = [
        helper.make_node("Relu", ["x"], ["a"]),
        helper.make_node("MemcpyToHost", ["a"], ["b"]),
        helper.make_node("MemcpyFromHost", ["b"], ["c"]),
        helper.make_node("Sigmoid", ["c"], ["y"]),
    ]
    graph = remove_copies(SourceGraph(network(nodes, SHAPE, Y, {}), tmp_path), onnxruntime_cpu._COPIES)
    assert [(node.op, node.reads) for node in graph.nodes] == [("Relu", ["x"]), ("Sigmoid", ["a"])]


def test_targets_name_their_provider() -> None:
    """What is portable is made on the processor."""
    assert [provider_of(one) for one in ("portable", TARGET, CUDA_TARGET)] == ["cpu", "cpu", "cuda"]


def test_a_suite_is_for_one_kind_of_gpu_and_one_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its target holds compute capability and version; another of either is refused, the same one runs."""
    monkeypatch.setattr(
        "onnxruntime.get_available_providers", lambda: ["CUDAExecutionProvider", "CPUExecutionProvider"]
    )
    monkeypatch.setattr(gpu, "compute_capability", lambda device: f"sm_9{device}")
    settings = SessionSettings(provider="cuda")
    made = target_here(CUDA_TARGET)
    assert made.instruction_set == ("sm_90",)
    target = {"name": CUDA_TARGET, "runtime": made.runtime, "instruction_set": list(made.instruction_set)}
    check_target(target, settings, "suite s")
    with pytest.raises(HarnessError, match=r"for another processor \(they differ in sm_80, sm_90\)"):
        check_target({**target, "instruction_set": ["sm_80"]}, settings, "suite s")
    with pytest.raises(HarnessError, match=r"lowered by onnxruntime 1\.0\.0"):
        check_target({**target, "runtime": "1.0.0"}, settings, "suite s")
    with pytest.raises(HarnessError, match="is made for onnxruntime-cpu, not for cuda"):
        check_target({**target, "name": TARGET}, settings, "suite s")
    assert backend(settings).facts(settings)["provider"] == "cuda"
    monkeypatch.setattr(gpu, "compute_capability", lambda _: None)
    with pytest.raises(HarnessError, match="GPU 0 does not respond"):
        target_here(CUDA_TARGET)
