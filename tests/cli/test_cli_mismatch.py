"""What is not measured as asked for is refused on the command line, or taken and told."""

import os
from pathlib import Path

import pytest

from dlbricks.store.database import ResultStore
from tests.cli.invoking import Run
from tests.store.stored import submission

SMALL = str(Path(__file__).parents[2] / "suites" / "networks" / "misc_lstm_lm.onnx")


@pytest.fixture(autouse=True)
def filled() -> None:
    """Fill the store with results of one thread, by another runtime, of a machine without extensions."""
    with ResultStore.open(os.environ["DLBRICKS_STORE"], create=True) as store:
        store.add(submission(range(3)))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--threads", "8"), "threads 1 instead of 8"),
        (("--provider", "cuda"), "provider cpu instead of cuda"),
        (("--runtime", "1.20.0"), "runtime onnxruntime 1.31.1 instead of 1.20.0"),
        (("--target", "onnxruntime-cpu"), "an instruction set without"),
    ],
)
def test_results_of_another_configuration(dlbricks: Run, options: tuple[str, str], told: str) -> None:
    """Coverage, plan and estimate refuse them in one line; an estimate that allows them says what they are not."""
    for verb in (("coverage", SMALL), ("plan", SMALL, "-o", "rest"), ("estimate", SMALL, "--allow-missing")):
        refused = dlbricks(*verb, "--system", "lab", *options, code=2).stderr
        assert told in refused
        assert "--allow-mismatch" in refused
        assert refused.splitlines()[-1].startswith("error: ")
    taken = dlbricks("estimate", SMALL, "--system", "lab", *options, "--allow-missing", "--allow-mismatch").stderr
    assert f"not as asked for: {told}" in taken


def test_what_is_left_open_is_no_mismatch(dlbricks: Run) -> None:
    """Who asks for nothing but the system gets what it has, and no remark."""
    taken = dlbricks("estimate", SMALL, "--system", "lab", "--allow-missing", "--allow-mismatch").stderr
    assert "not as asked for" not in taken
