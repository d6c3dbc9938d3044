"""What the user leaves open about splitting is what the system was measured with."""

import json
from dataclasses import replace
from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper

from dlbricks.suite.manifest import read_network, read_suite, with_digest
from dlbricks.suite.writing import write_suite
from tests.cli.invoking import Run

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
SMALL = str(NETWORKS / "misc_lstm_lm.onnx")
PUBLIC = str(NETWORKS / "tv_squeezenet1_1.onnx")


def test_an_estimate_is_split_as_the_measured_suite_was(dlbricks: Run) -> None:
    """H, splitter and target come from the store, and are told; what the user says goes before; nothing is guessed."""
    dlbricks("generate", SMALL, "-o", "suite", "-H", "2", "--splitter", "paper")
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    dlbricks("submit", "r.json", "--suite", "suite")
    [listed] = json.loads(dlbricks("systems", "--json").stdout)["systems"]
    assert listed["settings"] == [
        {"granularity": "2", "target": "portable", "splitter": "paper", "dims": [], "values": [], "batch": None}
    ]
    assert listed["complete"] == 0
    assert "-H 2 portable" in dlbricks("systems").stdout
    found = dlbricks("estimate", SMALL, "--system", "here", "--json")
    assert "split as measured on here: -H 2 --target portable --splitter paper" in found.stderr
    [made] = json.loads(found.stdout)["networks"]
    assert made["covered_layers"] == made["layers"]
    assert json.loads(dlbricks("coverage", SMALL, "--system", "here", "--json").stdout)["missing"] == []
    other = dlbricks("estimate", SMALL, "--system", "here", "-H", "inf", code=1)
    assert "here was measured with -H 2 --target portable --splitter paper; your request differs" in other.stderr
    assert "unknown" in other.stdout
    assert " ns to " not in other.stdout


def test_a_splitter_of_older_versions_is_refused_where_a_split_is_needed(dlbricks: Run) -> None:
    """A suite that was split along chains is measured and stored like any other, and nothing is split as it was."""
    dlbricks("generate", SMALL, "-o", "suite")
    suite, folder = read_suite(Path("suite")), Path("suite")
    networks = {one.fingerprint: read_network(folder, one.fingerprint) for one in suite.benchmarks}
    write_suite(folder, with_digest(replace(suite, splitter="chain")), networks)
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    dlbricks("submit", "r.json", "--suite", "suite")
    for verb in ("estimate", "coverage"):
        refused = dlbricks(verb, SMALL, "--system", "here", code=2).stderr.splitlines()
        assert len(refused) == 2
        assert refused[0].startswith("split as measured on here")
        assert "splitter 'chain' is not supported: use block or paper" in refused[1]
    attacked = dlbricks("leakage", "suite", "--zoo", SMALL, code=2).stderr.splitlines()
    assert "splitter 'chain' is not supported" in attacked[-1]
    again = dlbricks("estimate", SMALL, "--system", "here", "--splitter", "block", "-H", "1", "--json")
    assert json.loads(again.stdout)["networks"][0]["covered_layers"] > 0


@pytest.fixture
def open_network(tmp_path: Path) -> str:
    """A network whose batch is named as exporters do, and whose length has a name of its owner."""
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", "clicks_per_day", 8])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", "clicks_per_day", 8])]
    graph = helper.make_graph([helper.make_node("Sigmoid", ["x"], ["y"])], "g", inputs, outputs)
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "open.onnx"
    )
    return str(tmp_path / "open.onnx")


def test_common_dimensions_are_those_of_the_suite(dlbricks: Run, open_network: str) -> None:
    """A suite tells extents whose names are common, and of others nothing; with decoys it tells none."""
    bound = ("--dim", "batch=3", "--dim", "clicks_per_day=5")
    dlbricks("generate", open_network, *bound, "-o", "suite")
    manifest = Path("suite/suite.json").read_text()
    assert json.loads(manifest)["dims"] == {"batch": 3}
    assert "clicks" not in "".join(path.read_text() for path in Path("suite").rglob("*.[jpm][syd]*"))
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    dlbricks("submit", "r.json", "--suite", "suite")
    found = dlbricks("coverage", open_network, "--system", "here", "--dim", "clicks_per_day=5", "--json")
    assert "--dim batch=3" in found.stderr
    assert json.loads(found.stdout)["missing"] == []
    assert "--dim batch=3" in dlbricks("systems").stdout
    other = dlbricks("coverage", open_network, "--system", "here", "--dim", "clicks_per_day=5", "--dim", "batch=4")
    assert "0.0%" in other.stdout
    unbound = dlbricks("coverage", open_network, "--system", "here", code=2)
    assert "give --dim clicks_per_day=N" in unbound.stderr
    closed = dlbricks("coverage", SMALL, "--system", "here")
    assert "0.0%" in closed.stdout


def test_decoys_hide_extents_too(dlbricks: Run) -> None:
    """What would tell which shapes are the owner's is not in a suite with decoys."""
    dlbricks("generate", SMALL, "-o", "plain", "--batch", "2")
    dlbricks("generate", SMALL, "-o", "hidden", "--batch", "2", "--decoys", PUBLIC)
    assert json.loads(Path("plain/suite.json").read_text())["batch"] == 2
    assert "batch" not in json.loads(Path("hidden/suite.json").read_text())
