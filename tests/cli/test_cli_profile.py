"""``dlbricks profile``, from the network to the files that other verbs read."""

import json
from pathlib import Path

import pytest

from dlbricks.harness.trace.cupti import why_not
from dlbricks.profile.open import read_any
from tests.cli.invoking import Run
from tests.profile.small import convolutions

QUICK = ("--calls", "3", "--no-roofs")


@pytest.fixture
def small(tmp_path: Path) -> str:
    """Write a small network."""
    return str(convolutions(tmp_path))


def test_levels_layers_and_reasons_are_shown(dlbricks: Run, small: str) -> None:
    """The table has every level with what it adds, the layers, and why there are no kernels; progress is on stderr."""
    result = dlbricks("profile", small, *QUICK)
    for word in ("small", "added", "Conv", "kernels were not traced"):
        assert word in result.stdout
    assert "3 of 3 rounds" in result.stderr
    assert "3 of 3 rounds" not in result.stdout


def test_a_file_and_a_folder_hold_the_same_kind(dlbricks: Run, small: str, tmp_path: Path) -> None:
    """-o FILE writes that file, -o DIR one file for each network; both are read by what others read with."""
    dlbricks("profile", small, *QUICK, "-o", "one.json", "--name", "here")
    dlbricks("profile", small, *QUICK, "-o", "many", "--levels", "ml", "--batch", "2,1")
    one, other = read_any(tmp_path / "one.json"), read_any(tmp_path / "many" / "small.profile.json.gz")
    assert [run.levels for run in one.runs] == ["M", "ML"]
    assert [(run.batch, run.levels) for run in other.runs] == [(1, "ML"), (2, "ML")]
    assert one.system["name"] == "here"
    assert one.roofs is None


def test_json_says_what_the_tables_say(dlbricks: Run, small: str) -> None:
    """--json prints levels, overheads and files, and nothing else on stdout."""
    made = json.loads(dlbricks("profile", small, *QUICK, "--json", "-o", "p.json").stdout)["networks"]
    assert [one["levels"] for one in made[0]["levels"]] == ["M", "ML"]
    assert made[0]["levels"][1]["over"] == "M"
    assert made[0]["file"] == "p.json"


def test_roofs_are_measured_unless_they_are_not_wanted(dlbricks: Run, small: str, tmp_path: Path) -> None:
    """A profile says what this machine does at best."""
    assert "measured peaks" in dlbricks("profile", small, "--calls", "3", "-o", "p.json").stdout
    roofs = read_any(tmp_path / "p.json").roofs
    assert roofs is not None
    assert roofs.flops_per_s["float32"] > 0


def test_a_network_that_fails_does_not_end_the_others(dlbricks: Run, small: str, tmp_path: Path) -> None:
    """The others are profiled and written; the exit code is 4 and the reason stands on stderr."""
    (tmp_path / "broken.onnx").write_bytes(b"no network")
    result = dlbricks("profile", str(tmp_path / "broken.onnx"), small, *QUICK, "-o", "out", code=4)
    assert "broken failed" in result.stderr
    assert "1 of 2 networks failed" in result.stderr
    assert (tmp_path / "out" / "small.profile.json.gz").is_file()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nowhere.onnx"], 2, "does not exist"),
        (["--levels", "Q"], 2, "M,ML,MLK"),
        (["--levels", ""], 2, "M,ML,MLK"),
        (["--levels", "M,MLK"], 3, "kernels need an accelerator"),
        (["--provider", "nonesuch"], 3, "execution provider"),
        (["--batch", "0"], 2, "whole numbers"),
        (["--batch", "1,x"], 2, "1,2,4"),
        (["--dim", "batch"], 2, "NAME=VALUE"),
        (["--budget", "soon"], 2, "duration"),
        (["--calls", "1"], 2, "--calls"),
        (["--session-option", "a=b"], 2, "unknown session option"),
    ],
)
def test_mistakes_are_one_line(dlbricks: Run, small: str, arguments: list[str], code: int, message: str) -> None:
    """What is wrong is said in one line before anything is measured."""
    result = dlbricks("profile", small, *QUICK, *arguments, code=code)
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert message in lines[0]
    assert result.stdout == ""


def test_one_file_for_several_networks_is_refused(dlbricks: Run, small: str, tmp_path: Path) -> None:
    """Two networks need a folder, and two of one name need two."""
    (tmp_path / "other").mkdir()
    twin = convolutions(tmp_path / "other")
    assert "name a folder" in dlbricks("profile", small, str(twin), "-o", "p.json", code=2).stderr
    assert "two networks are named small" in dlbricks("profile", small, str(twin), "-o", "out", code=2).stderr


def test_suites_are_sent_to_the_verb_that_traces_them(dlbricks: Run, small: str) -> None:
    """A suite is no network; the message says how it is traced."""
    dlbricks("generate", small, "-o", "suite")
    assert "--trace ML" in dlbricks("profile", "suite", code=2).stderr


MODEL = str(Path(__file__).parents[2] / "suites" / "networks" / "misc_lstm_lm.onnx")


def test_a_traced_run_is_checked_and_stored(dlbricks: Run, tmp_path: Path) -> None:
    """The table and the JSON count the traces, no rule finds fault with them, and the store takes them in."""
    dlbricks("generate", MODEL, "-o", "suite")
    output = dlbricks("run", "suite", "-o", "r.json", "--smoke", "--name", "here", "--trace", "ML").stdout
    document = json.loads((tmp_path / "r.json").read_text())
    traced = [entry for entry in document["benchmarks"] if "layers" in entry.get("trace", {})]
    sequences = [entry for entry in traced if entry["role"] == "sequence"]
    assert f"; {len(sequences)} traced (ML)" in output
    assert sequences
    again = dlbricks("run", "suite", "-o", "r.json", "--smoke", "--name", "here", "--trace", "ML", "--resume", "--json")
    assert "r.json is complete already" in again.stderr
    assert json.loads(again.stdout)["traces"] == {"levels": "ML", "taken": len(traced), "failed": []}
    findings = json.loads(dlbricks("check", "r.json", "--suite", "suite", "--json").stdout)["findings"]
    assert not {finding["rule"] for finding in findings} & {"DB001", "DB004"}
    assert not [finding for finding in findings if finding["severity"] == "error"]
    assert json.loads(dlbricks("submit", "r.json", "--suite", "suite", "--json").stdout)["new"]
    assert " info ('dlbricks check FILE' shows them)\n" in dlbricks("submit", "r.json", "--suite", "suite").stdout


@pytest.mark.skipif(why_not() is None, reason="kernels can be traced here")
def test_kernels_that_cannot_be_traced_are_exit_code_3(dlbricks: Run, tmp_path: Path) -> None:
    """Before anything is measured, with the reason and what is left."""
    dlbricks("generate", MODEL, "-o", "suite")
    error = dlbricks("run", "suite", "-o", "r.json", "--trace", "MLK", code=3).stderr
    assert "kernels cannot be traced" in error
    assert "calls and layers can be traced without CUPTI" in error
    assert not (tmp_path / "r.json").exists()
    assert "ML" in dlbricks("run", "suite", "-o", "r.json", "--trace", "K", code=2).stderr
