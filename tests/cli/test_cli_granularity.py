import json
from pathlib import Path

import pytest

from tests.cli.invoking import Run

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
SMALL = str(NETWORKS / "misc_lstm_lm.onnx")
BOTH = (SMALL, str(NETWORKS / "tv_squeezenet1_1.onnx"))


@pytest.mark.parametrize("target", ["portable", "onnxruntime-cpu"])
def test_the_choice_is_one_of_the_rows(dlbricks: Run, target: str) -> None:
    """The same each time, whatever the order of the networks and however many processes."""
    made = json.loads(dlbricks("granularity", *BOTH, "--target", target, "--json").stdout)
    assert made["chosen"] in made["rows"]
    assert made["network_count"] == 2
    assert all(row["reuse"] == row["uses"] / row["benchmarks"] >= 1 for row in made["rows"])
    again = json.loads(dlbricks("granularity", *reversed(BOTH), "--target", target, "--json", "--jobs", "2").stdout)
    assert again == made


def test_the_table_marks_what_auto_takes(dlbricks: Run) -> None:
    """One row is marked, and the line below says what to ask estimates with."""
    made = json.loads(dlbricks("granularity", *BOTH, "--json").stdout)["chosen"]
    shown = dlbricks("granularity", *BOTH).stdout
    assert sum(line.rstrip().endswith("chosen") for line in shown.splitlines()) == 1
    assert f"estimate with -H {made['granularity']} --rule {made['rule']}" in shown


def test_auto_is_short_for_what_it_chooses(dlbricks: Run) -> None:
    """The suite is that of the row, to its digest; --pairs leaves only rows that have them."""
    chosen = json.loads(dlbricks("granularity", *BOTH, "--json").stdout)["chosen"]
    pairs = ["--pairs"] if chosen["rule"] == "pairs" else []
    auto = json.loads(dlbricks("generate", *BOTH, "-H", "auto", "-o", "auto", "--json").stdout)
    said = json.loads(dlbricks("generate", *BOTH, "-H", chosen["granularity"], *pairs, "-o", "said", "--json").stdout)
    assert (auto["digest"], auto["granularity"], auto["pairs"]) == (said["digest"], said["granularity"], bool(pairs))
    assert auto["granularity"] == chosen["granularity"]
    assert json.loads(dlbricks("generate", SMALL, "-H", "auto", "--pairs", "-o", "p", "--json").stdout)["pairs"]


def test_validate_takes_auto(dlbricks: Run) -> None:
    """What is chosen, and said on stderr, is what is measured and composed by."""
    chosen = json.loads(dlbricks("granularity", SMALL, "--json").stdout)["chosen"]
    made = dlbricks("validate", SMALL, "-H", "auto", "--smoke", "--json")
    settings = json.loads(made.stdout)["settings"]
    assert (settings["granularity"], settings["rule"]) == (chosen["granularity"], chosen["rule"])
    assert f"-H auto is -H {chosen['granularity']}" in made.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["inspect", SMALL, "-H", "auto"], "'generate'"),
        (["estimate", SMALL, "-H", "auto", "--system", "s"], "'generate'"),
        (["coverage", SMALL, "-H", "auto", "--system", "s"], "'generate'"),
        (["plan", SMALL, "-H", "auto", "--system", "s", "-o", "p"], "'generate'"),
        (["generate", SMALL, "-H", "auto", "-o", "s", "--splitter", "chain"], "--splitter"),
        (["granularity", "nowhere.onnx"], "does not exist"),
    ],
)
def test_where_nothing_is_chosen_auto_is_refused(dlbricks: Run, arguments: list[str], message: str) -> None:
    """In one line that says where it works."""
    result = dlbricks(*arguments, code=2)
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""
