"""Estimates on the command line: what was not measured as asked for, simulated networks, targets of a GPU."""

import json
import os
from pathlib import Path
from typing import Any

import onnxruntime
import pytest

from dlbricks.api.estimates import UNKNOWN
from dlbricks.store.database import ResultStore
from tests.cli.invoking import Run
from tests.store.stored import submission
from tests.suite.suite_samples import ROOT, refused_in_part

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
    assert f"the results used differ from the request in: {message}" in taken


def test_what_is_left_open_is_no_mismatch(dlbricks: Run) -> None:
    """Who asks for nothing but the system gets what it has, and no remark."""
    taken = dlbricks("estimate", SMALL, "--system", "lab", "--allow-missing", "--allow-mismatch").stderr
    assert "from the request" not in taken


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
    assert "plain has no trace of these sequences: run the suite with --trace ML there" in said
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


def test_a_sequence_without_a_result_says_why(dlbricks: Run, tmp_path: Path) -> None:
    """Where it does not run, ``plan`` knows the reason, and ``estimate`` says so; ``whatif`` says it in one line."""
    path = tmp_path / "given.onnx"
    path.write_bytes(refused_in_part().SerializeToString())
    # the runtime, which cannot run it whole, cannot lower it either, and says what does without
    assert "(--target portable splits the network as" in dlbricks("generate", "given.onnx", "-o", "no", code=2).stderr
    make = ("generate", "given.onnx", "-o", "suite", "--target", "portable")
    left_out = json.loads(dlbricks(*make, "--json").stdout)["networks"][0]["left_out"]
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    dlbricks("submit", "r.json", "--suite", "suite")
    made = dlbricks("estimate", "given.onnx", "--system", "here", "--allow-missing", "--json")
    (network,) = json.loads(made.stdout)["networks"]
    assert [fingerprint for fingerprint, _ in left_out] == network["missing"]
    reasons = [row["verdict"] for row in network["rows"] if row["tier"] == "missing"]
    assert reasons == [UNKNOWN]
    assert made.stderr.count(UNKNOWN) == 1
    assert UNKNOWN not in dlbricks("estimate", "given.onnx", "--system", "here", "--allow-missing").stdout
    refused = dlbricks("plan", "given.onnx", "--system", "here", "-o", "rest", code=2)
    assert "can be measured: it did not run when the suite was made: Error in execution: running Mod" in refused.stderr
    asked = dlbricks("whatif", "given.onnx", "--system", "here", "--apply", "scale:0.5", code=2)
    assert "given: 1 sequence without a result of this configuration: run 'dlbricks plan'" in asked.stderr


def test_a_benchmark_that_failed_says_why(dlbricks: Run, tmp_path: Path) -> None:
    """The reason in the result of the system is that of the estimate."""
    dlbricks("generate", SMALL, "-o", "suite")
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    document = json.loads((tmp_path / "r.json").read_text())
    failed: dict[str, Any] = next(one for one in document["benchmarks"] if one["role"] == "sequence")
    document["timing"]["timed_ns"] -= sum(sum(visit["samples_ns"]) for visit in failed["visits"])
    failed |= {"status": "failed", "reason": "no room", "visits": [], "output_digests": []}
    submitted = tmp_path / "failed.json"
    submitted.write_text(json.dumps(document))
    dlbricks("submit", "failed.json", "--suite", "suite")
    told = dlbricks("estimate", SMALL, "--system", "here", "--allow-missing", "--json")
    (network,) = json.loads(told.stdout)["networks"]
    assert network["missing"] == [failed["fingerprint"]]
    assert [one["verdict"] for one in network["rows"] if one["tier"] == "missing"] == ["its benchmark failed: no room"]
