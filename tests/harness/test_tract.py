"""tract as a runtime: the answers are onnxruntime's, what it lacks is refused in a line."""

import json
from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from dlbricks.harness.errors import HarnessError
from dlbricks.harness.machine.runtime import runtime_facts
from dlbricks.harness.network import Bound, make_inputs
from dlbricks.harness.session import SessionSettings, check_settings, open_session
from dlbricks.harness.values import ensure_weights
from tests.harness.small_suite import BLOB, UNIFORM, benchmark, matmul, network

pytest.importorskip("tract", reason="tract is not installed")

SETTINGS = SessionSettings(runtime="tract")


def test_answers_are_those_of_onnxruntime(tmp_path: Path) -> None:
    """A product with a constant in a weight file, at an offset; called again it answers the same."""
    ensure_weights(tmp_path, [{"file": BLOB, "dtype": "float32", "nbytes": 1 << 16, "generator": UNIFORM}], 1)
    entry, data = benchmark("MatMul", matmul(32, 4096))
    entry["inputs"][0]["shape"] = entry["outputs"][0]["shape"] = [8, 32]
    inputs = make_inputs(entry, 1)
    answers = []
    for settings in (SessionSettings(), SETTINGS):
        bound = Bound(open_session(data, tmp_path, settings), entry, inputs)
        bound.visit(2)
        answers.append(bound.outputs()[0].copy())
    assert np.allclose(answers[0], answers[1], rtol=1e-5)
    assert np.abs(answers[0]).max() > 0


def test_outputs_lie_where_they_were_bound(tmp_path: Path) -> None:
    """Two outputs of one network do not change places."""
    nodes = [helper.make_node("Neg", ["x0"], ["y0"]), helper.make_node("Abs", ["x0"], ["y1"])]
    data = network(nodes, {"x0": (3,)}, {"y1": (3,), "y0": (3,)})
    contracts = [{"name": name, "dtype": "float32", "shape": [3]} for name in ("y0", "y1")]
    entry = {"inputs": [{"name": "x0", "dtype": "float32", "shape": [3]}], "outputs": contracts, "overwrites": ""}
    values = np.array([1, -2, 3], np.float32)
    bound = Bound(open_session(data, tmp_path, SETTINGS), entry, {"x0": values})
    bound.visit(1)
    assert [one.tolist() for one in bound.outputs()] == [(-values).tolist(), np.abs(values).tolist()]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (SessionSettings(runtime="tract", threads=2), "one thread"),
        (SessionSettings(runtime="tract", config=(("a", "b"),)), "no options"),
    ],
)
def test_what_it_lacks_is_refused(settings: SessionSettings, words: str) -> None:
    """Nothing that is asked for is ignored."""
    with pytest.raises(HarnessError, match=words):
        check_settings(settings)


def test_what_it_cannot_read_is_refused(tmp_path: Path) -> None:
    """One line, with the runtime's reason; profiles are not there."""
    with pytest.raises(HarnessError, match="tract: "):
        open_session(b"no network", tmp_path, SETTINGS)
    with pytest.raises(HarnessError, match="profiles"):
        open_session(b"", tmp_path, SETTINGS, profile=tmp_path / "p")


def test_a_suite_runs(suite: Path, tmp_path: Path) -> None:
    """A run says runtime and version; every benchmark that tract can run gives the reference's answer."""
    from dlbricks.harness.run.cli import main

    out = tmp_path / "result.json"
    assert main(["-o", str(out), "--runtime", "tract", "--smoke", "--quiet"], suite) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["runtime"] == runtime_facts(SETTINGS)


def test_a_runtime_is_a_small_module() -> None:
    """What docs/new-runtime.md says of a third runtime: 150 lines."""
    import dlbricks.harness.runtimes.tract_session as module

    assert len(Path(module.__file__).read_text(encoding="utf-8").splitlines()) <= 150
