"""``estimate --interpolate``."""

import json
from pathlib import Path

import pytest

from tests.cli.invoking import Run

MEASURED, ASKED = "suites/networks/tv_squeezenet1_1.onnx", "suites/networks/tv_resnet18.onnx"
TARGET = ("--target", "onnxruntime-cpu")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(dlbricks: Run, tmp_path: Path) -> str:
    """Measure one network in short and give the store."""
    suite, result, url = tmp_path / "suite", tmp_path / "result.json", f"sqlite:///{tmp_path}/store.sqlite"
    dlbricks("generate", str(ROOT / MEASURED), *TARGET, "-o", str(suite))
    dlbricks("run", str(suite), "-o", str(result), "--smoke", "--name", "here")
    dlbricks("submit", str(result), "--store", url)
    return url


def test_what_was_not_measured_is_guessed_when_asked_for(dlbricks: Run, store: str) -> None:
    """Without --interpolate everything is missing; with it, only the kind of layer that nobody measured."""
    asked = ("estimate", str(ROOT / ASKED), *TARGET, "--system", "here", "--store", store)
    assert "are missing" in dlbricks(*asked, code=1).stderr
    (made,) = json.loads(dlbricks(*asked, "--interpolate", "--allow-missing", "--json").stdout)
    assert [row["name"] for row in made["rows"] if row["tier"] == "missing"] == ["Gemm"]
    assert 0 < made["interpolated_layers"] < made["layers"]
    assert made["low_ns"] < made["total_ns"] < made["high_ns"]
