"""The whole path on networks of 8 and 16 bits that the runtime's own tools made."""

import functools
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import onnx
import onnxruntime as ort
import pytest

from dlbricks.construct.compose import compose
from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity
from dlbricks.settings import SplitSettings
from dlbricks.suite.generate import generate
from dlbricks.suite.manifest import NetworkReport, Suite
from tests.suite.quantised import quantised
from tests.suite.suite_samples import NETWORKS

CASES = [
    ("tv_squeezenet1_1", "static"),
    ("tv_squeezenet1_1", "half"),
    ("hf_whisper_tiny_enc", "dynamic"),
    ("hf_whisper_tiny_enc", "half"),
]
DTYPES = {"static": {"uint8", "int8"}, "dynamic": {"uint8", "int8"}, "half": {"float16"}}
Made = tuple[Path, Suite, NetworkReport]


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A network made smaller, and by what tool."""
    name, tool = request.param
    return quantised(NETWORKS / f"{name}.onnx", tool, tmp_path_factory.mktemp(name)), tool


@pytest.fixture(scope="module")
def suite_of(made: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Made]:
    """What gives the folder of the network's suite for a target, the suite, and what was said of the network."""

    @functools.cache
    def of(target: str) -> Made:
        out = tmp_path_factory.mktemp("made") / "suite"
        suite, (report, *_) = generate([str(made[0])], out=out, settings=SplitSettings(target=target))
        return out, suite, report

    return of


@pytest.fixture(scope="module")
def lowered(made: tuple[Path, str]) -> Model:
    """The network as the runtime executes it."""
    return lower(read_model(made[0]))


@pytest.mark.parametrize("target", ["portable", "onnxruntime-cpu"])
def test_every_layer_is_measured_or_free(
    made: tuple[Path, str], lowered: Model, suite_of: Callable[[str], Made], target: str
) -> None:
    """Read, lowered, split and run: no layer is skipped, every benchmark has an answer, every step has a benchmark."""
    path, tool = made
    _, suite, report = suite_of(target)
    assert (report.skipped, report.unsupported) == ((), "")
    assert all(one.reference and not one.reference_note for one in suite.benchmarks)
    found = {tensor.dtype for one in suite.benchmarks for tensor in (*one.inputs, *one.outputs)}
    assert found & DTYPES[tool]
    model = read_model(path) if target == "portable" else lowered
    steps = compose(split(model, Granularity(1))).steps
    assert {step.fingerprint for step in steps if not step.free} <= {one.fingerprint for one in suite.benchmarks}


def test_the_lowered_network_is_what_the_runtime_makes_of_the_file(
    made: tuple[Path, str], lowered: Model, tmp_path: Path
) -> None:
    """With weights of ours in the place of the file's, the runtime chooses the same operators."""
    path, _ = made
    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.optimized_model_filepath = str(tmp_path / "optimized.onnx")
    ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    expected = Counter((node.domain, node.op_type) for node in onnx.load(tmp_path / "optimized.onnx").graph.node)
    assert Counter((layer.domain, layer.op_type) for layer in lowered.layers) == expected


def test_the_suite_runs(suite_of: Callable[[str], Made], tmp_path: Path) -> None:
    """What is written is measured by its own runner, each benchmark with the answer of the suite."""
    out, *_ = suite_of("onnxruntime-cpu")
    runner, result = str(out / "run.py"), str(tmp_path / "result.json")
    command = [sys.executable, runner, "-o", result, "--smoke", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    entries = json.loads((tmp_path / "result.json").read_text())["benchmarks"]
    assert {entry["status"] for entry in entries} == {"ok"}
    assert not [entry for entry in entries if "wrong" in json.dumps(entry["verdict"])]
