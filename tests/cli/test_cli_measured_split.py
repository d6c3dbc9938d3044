"""What the user leaves open about splitting is what the system was measured with."""

import json
from pathlib import Path

from tests.cli.invoking import Run

SMALL = str(Path(__file__).parents[2] / "suites" / "networks" / "misc_lstm_lm.onnx")


def test_an_estimate_is_split_as_the_measured_suite_was(dlbricks: Run) -> None:
    """H, splitter and target come from the store, and are told; what the user says goes before; nothing is guessed."""
    dlbricks("generate", SMALL, "-o", "suite", "-H", "2", "--splitter", "chain")
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    dlbricks("submit", "r.json", "--suite", "suite")
    [listed] = json.loads(dlbricks("systems", "--json").stdout)["systems"]
    assert listed["settings"] == [{"granularity": "2", "target": "portable", "splitter": "chain"}]
    assert listed["complete"] == 0
    assert "-H 2 portable" in dlbricks("systems").stdout
    found = dlbricks("estimate", SMALL, "--system", "here", "--json")
    assert "split as measured on here: -H 2 --target portable --splitter chain" in found.stderr
    [made] = json.loads(found.stdout)["networks"]
    assert made["covered_layers"] == made["layers"]
    assert json.loads(dlbricks("coverage", SMALL, "--system", "here", "--json").stdout)["missing"] == []
    other = dlbricks("estimate", SMALL, "--system", "here", "-H", "inf", code=1)
    assert "here was measured with -H 2 --target portable --splitter chain, not as asked for" in other.stderr
    assert "unknown" in other.stdout
    assert " ns to " not in other.stdout
