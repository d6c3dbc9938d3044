"""``run --trace``: traces in the result, the summary and the store, past every check; refused where impossible."""

import json
from pathlib import Path

import pytest

from dlbricks.harness.trace.permission import why_not
from tests.cli.invoking import Run

MODEL = str(Path(__file__).parents[2] / "suites" / "networks" / "misc_lstm_lm.onnx")


def test_a_traced_run_is_checked_and_stored(dlbricks: Run, tmp_path: Path) -> None:
    """The table and the JSON count the traces, no rule finds fault with them, and the store takes them in.

    A busy machine may be remarked (DB002, DB003).
    """
    dlbricks("generate", MODEL, "-o", "suite")
    told = dlbricks("run", "suite", "-o", "r.json", "--smoke", "--name", "here", "--trace", "ML").stdout
    document = json.loads((tmp_path / "r.json").read_text())
    traced = [entry for entry in document["benchmarks"] if "layers" in entry.get("trace", {})]
    sequences = [entry for entry in traced if entry["role"] == "sequence"]
    assert f"; {len(sequences)} traced (ML)" in told
    assert sequences
    again = dlbricks("run", "suite", "-o", "r.json", "--smoke", "--name", "here", "--trace", "ML", "--resume", "--json")
    assert json.loads(again.stdout)["traces"] == {"levels": "ML", "taken": len(traced), "failed": []}
    findings = json.loads(dlbricks("check", "r.json", "--suite", "suite", "--json").stdout)["findings"]
    assert not {finding["rule"] for finding in findings} & {"DB001", "DB004"}
    assert not [finding for finding in findings if finding["severity"] == "error"]
    assert json.loads(dlbricks("submit", "r.json", "--suite", "suite", "--json").stdout)["new"]


@pytest.mark.skipif(why_not() is None, reason="kernels can be traced here")
def test_kernels_that_cannot_be_traced_are_exit_code_3(dlbricks: Run, tmp_path: Path) -> None:
    """Before anything is measured, with the reason and what is left."""
    dlbricks("generate", MODEL, "-o", "suite")
    told = dlbricks("run", "suite", "-o", "r.json", "--trace", "MLK", code=3).stderr
    assert "kernels cannot be traced" in told
    assert "calls and layers can be traced without it" in told
    assert not (tmp_path / "r.json").exists()
    assert "ML" in dlbricks("run", "suite", "-o", "r.json", "--trace", "K", code=2).stderr
