"""``estimate --interpolate``."""

import dataclasses
import json
from pathlib import Path

import onnxruntime
import pytest

from dlbricks.harness.machine.cpu import instruction_set
from dlbricks.store.database import ResultStore
from dlbricks.store.submission import submit
from dlbricks.suite.manifest import Benchmark, sealed
from dlbricks.suite.reading import read_suite
from tests.cli.invoking import Run
from tests.store.made_up_run import document

MEASURED, ASKED = "suites/networks/tv_squeezenet1_1.onnx", "suites/networks/tv_resnet18.onnx"
TARGET = ("--target", "onnxruntime-cpu")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(dlbricks: Run, tmp_path: Path) -> str:
    """Submit a run of one network in which latencies follow operations and bytes; give the store."""
    suite, result, url = tmp_path / "suite", tmp_path / "result.json", f"sqlite:///{tmp_path}/store.sqlite"
    dlbricks("generate", str(ROOT / MEASURED), *TARGET, "-o", str(suite))
    made = document(of=read_suite(suite), base_ns=_modelled_ns)
    made["runtime"]["version"] = onnxruntime.__version__
    made["system"]["name"] = "here"
    for facts in ("facts_before", "facts_after"):
        made["system"][facts]["cpu"]["instruction_set"] = list(instruction_set())
    result.write_text(json.dumps(made), encoding="utf-8")
    dlbricks("submit", str(result), "--suite", str(suite), "--store", url)
    return url


def _modelled_ns(benchmark: Benchmark, _position: int) -> int:
    """A processor of 50 operations and 10 bytes a nanosecond."""
    return round(2_000 + benchmark.flops / 50 + (benchmark.weight_bytes + benchmark.activation_bytes) / 10)


def test_what_was_not_measured_is_guessed_when_asked_for(dlbricks: Run, store: str) -> None:
    """Without --interpolate everything is missing; with it, only the kind of layer that nobody measured."""
    asked = ("estimate", str(ROOT / ASKED), *TARGET, "--system", "here", "--store", store)
    assert "are missing" in dlbricks(*asked, code=1).stderr
    (made,) = json.loads(dlbricks(*asked, "--interpolate", "--allow-missing", "--json").stdout)["networks"]
    assert [row["name"] for row in made["rows"] if row["tier"] == "missing"] == ["Gemm"]
    assert 0 < made["interpolated_layers"] < made["layers"]
    assert made["low_ns"] < made["total_ns"] < made["high_ns"]


def test_no_other_system_changes_a_guess(dlbricks: Run, store: str, tmp_path: Path) -> None:
    """A result that says other things of the same sequences leaves another system's estimates bit by bit the same."""
    where = (*TARGET, "--system", "here", "--store", store)
    asked = ("estimate", str(ROOT / ASKED), *where, "--interpolate", "--allow-missing", "--json")
    before = dlbricks(*asked).stdout
    known = read_suite(tmp_path / "suite")
    benchmarks = (dataclasses.replace(one, work=one.work // 50, fetched_bytes=0) for one in known.benchmarks)
    forged = sealed(dataclasses.replace(known, benchmarks=tuple(benchmarks)))
    made = document(of=forged, base_ns=_modelled_ns, seed=9)
    made["system"]["name"] = "rival"
    made["runtime"]["version"] = onnxruntime.__version__
    for facts in ("facts_before", "facts_after"):
        made["system"][facts]["cpu"]["instruction_set"] = list(instruction_set())
    with ResultStore.open(store) as opened:
        submit(opened, json.dumps(made).encode(), suite=forged)
        assert {one.configuration.system for one in opened.systems()} == {"here", "rival"}
    assert dlbricks(*asked).stdout == before
