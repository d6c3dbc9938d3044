"""``estimate --rule simulate``."""

import json
from pathlib import Path

from tests.cli.invoking import Run

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
