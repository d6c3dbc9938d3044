"""Estimates on the command line: what was not measured as asked for, simulated networks, targets of a GPU."""

import json
import os
from pathlib import Path

import onnxruntime
import pytest

from dlbricks.store.database import ResultStore
from tests.cli.invoking import Run
from tests.store.stored import submission
from tests.suite.suite_samples import ROOT

SMALL = str(Path(__file__).parents[2] / "suites" / "networks" / "misc_lstm_lm.onnx")


@pytest.fixture(autouse=True)
def filled() -> None:
    """Fill the store with results of one thread, by another runtime, of a machine without extensions."""
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.add(submission(range(3)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threads", "8"), "threads 1 instead of 8"),
        (("--provider", "cuda"), "provider cpu instead of cuda"),
        (("--runtime", "1.20.0"), "runtime onnxruntime 1.31.1 instead of 1.20.0"),
        (("--target", "onnxruntime-cpu"), "an instruction set without"),
    ],
)
def test_results_of_another_configuration(dlbricks: Run, options: tuple[str, str], message: str) -> None:
    """Coverage, plan and estimate refuse them in one line; an estimate that allows them says what they are not."""
    for verb in (("coverage", SMALL), ("plan", SMALL, "-o", "rest"), ("estimate", SMALL, "--allow-missing")):
        refused = dlbricks(*verb, "--system", "lab", *options, code=2).stderr
        assert message in refused
        assert "--allow-mismatch" in refused
        assert refused.splitlines()[-1].startswith("error: ")
    taken = dlbricks("estimate", SMALL, "--system", "lab", *options, "--allow-missing", "--allow-mismatch").stderr
    assert f"differs from the request: {message}" in taken


def test_what_is_left_open_is_no_mismatch(dlbricks: Run) -> None:
    """Who asks for nothing but the system gets what it has, and no remark."""
    taken = dlbricks("estimate", SMALL, "--system", "lab", "--allow-missing", "--allow-mismatch").stderr
    assert "differs from the request" not in taken


MODEL = str(Path(__file__).parents[2] / "suites/networks/tv_squeezenet1_1.onnx")
TARGET = ("--target", "onnxruntime-cpu")


def test_on_a_processor_a_simulation_is_the_sum(dlbricks: Run, tmp_path: Path) -> None:
    """With traces that were stored with the results; without them it says what to do."""
    url = ("--store", f"sqlite:///{tmp_path}/store.sqlite")
    suite = str(tmp_path / "suite")
    dlbricks("generate", MODEL, *TARGET, "-o", suite)
    for name, trace in (("plain", ()), ("traced", ("--trace", "ML"))):
        result = str(tmp_path / f"{name}.json")
        dlbricks("run", suite, "-o", result, "--smoke", "--name", name, *trace)
        dlbricks("submit", result, "--suite", suite, *url)
    asked = ("estimate", MODEL, *TARGET, *url, "--json", "--system")
    said = dlbricks(*asked, "plain", "--rule", "simulate", code=2).stderr
    assert "no trace of these sequences came from plain: run the suite with --trace there" in said
    (summed,), (simulated,) = (
        json.loads(dlbricks(*asked, "traced", "--rule", rule).stdout)["networks"] for rule in ("sequential", "simulate")
    )
    assert simulated["rule"] == "simulate"
    assert simulated["total_ns"] == summed["total_ns"]


NETWORK = ROOT / "suites" / "networks" / "tv_squeezenet1_1.onnx"


def test_where_there_is_no_gpu_it_is_refused_in_a_line(dlbricks: Run, tmp_path: Path) -> None:
    """Exit code of something missing; nothing is begun."""
    if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
        pytest.skip("this onnxruntime has a CUDA provider")
    suite = tmp_path / "suite"
    refused = dlbricks("generate", str(NETWORK), "--target", "onnxruntime-cuda", "-o", str(suite), code=3)
    assert refused.stderr.splitlines()[-1].startswith("error: execution provider 'cuda' is not in this build")
    assert not suite.exists()
