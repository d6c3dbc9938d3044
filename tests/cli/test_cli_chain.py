import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from kept_runs import read_runs

from dlbricks.cli.app import main
from dlbricks.harness.stats import latency_of
from dlbricks.suite.manifest import read_suite
from tests.cli.invoking import Run
from tests.harness.waiting import PATIENCE_S, has_workers, wait_for

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
SMALL = str(NETWORKS / "misc_lstm_lm.onnx")
OTHER = str(NETWORKS / "tv_squeezenet1_1.onnx")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a suite of the small network and a smoke test of it."""
    folder = tmp_path_factory.mktemp("made")
    suite = str(folder / "suite")
    for command in (
        ("generate", SMALL, "-o", suite, "--target", "portable"),
        ("run", suite, "-o", str(folder / "r.json"), "--name", "here", "--smoke"),
    ):
        assert CliRunner().invoke(main, command, catch_exceptions=False).exit_code == 0
    return folder


@pytest.fixture
def measured(made: Path, tmp_path: Path) -> None:
    """Put that suite and its result into the test's own folder."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)


def test_the_whole_way(dlbricks: Run, tmp_path: Path) -> None:
    """From a network to its estimate: generate, run, check, submit, estimate; then coverage and plan for another."""
    dlbricks("generate", SMALL, "-o", "suite")
    ran = json.loads(dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke", "--json").stdout)
    assert (ran["complete"], ran["failed"]) == (True, [])
    assert json.loads((tmp_path / "r.json").read_text())["system"]["name"] == "here"
    findings = json.loads(dlbricks("check", "r.json", "--suite", "suite", "--json").stdout)["findings"]
    assert all(finding["severity"] != "error" for finding in findings)
    assert json.loads(dlbricks("submit", "r.json", "--suite", "suite", "--json").stdout)["new"]
    assert "was stored already" in dlbricks("submit", "r.json").stdout
    assert json.loads(dlbricks("systems", "--json").stdout)["systems"][0]["configuration"]["system"] == "here"
    assert json.loads(dlbricks("query", "--operator", "LSTM", "--json").stdout)["results"][0]["label"]["operators"] == [
        "LSTM"
    ]

    made = json.loads(dlbricks("estimate", SMALL, "--system", "here", "--json").stdout)["networks"][0]
    assert made["missing"] == []
    assert made["coverage"] == 1.0
    assert made["low_ns"] < made["total_ns"] < made["high_ns"]
    assert sum(row["total_ns"] for row in made["rows"]) + made["call_overhead_ns"] == made["total_ns"]
    assert "LSTM" in dlbricks("estimate", SMALL, "--system", "here", "--rule", "parallel").stdout

    lacking = json.loads(dlbricks("coverage", SMALL, OTHER, "--system", "here", "--json").stdout)
    assert [one["coverage"] for one in lacking["networks"]] == [1.0, 0.0]
    assert "tv_squeezenet1_1" in dlbricks("coverage", SMALL, OTHER, "--system", "here").stdout
    document = json.loads(dlbricks("plan", SMALL, OTHER, "--system", "here", "-o", "rest", "--json").stdout)
    planned, commands = document["plan"], [shlex.split(command)[1:] for command in document["commands"]]
    assert planned["fingerprints"] == sorted(one["fingerprint"] for one in lacking["missing"])
    held = {path.stem for path in (tmp_path / "rest" / "networks").iterdir()}
    assert held > set(planned["fingerprints"])
    assert [command[0] for command in commands] == ["run", "submit", "estimate"]
    dlbricks(*commands[0], "--smoke")
    dlbricks(*commands[1])
    made = json.loads(dlbricks(*commands[2], "--json").stdout)
    assert [one["coverage"] for one in made["networks"]] == [1.0, 1.0]
    # what smoke tests measured is measured again by commands that can be pasted
    shown = dlbricks("plan", SMALL, OTHER, "--system", "here", "-o", "none").stdout
    assert "no suite was written" in shown
    assert not (tmp_path / "none").exists()
    commands = [shlex.split(line)[1:] for line in shown.splitlines() if line.startswith("  dlbricks ")]
    assert [command[0] for command in commands] == ["generate", "run", "submit", "estimate"]
    dlbricks(*commands[0])
    first, rest, whole = (set(read_suite(tmp_path / name).sequences) for name in ("suite", "rest", "none"))
    assert whole >= first | rest
    dlbricks(*commands[1], "--smoke")
    dlbricks(*commands[2])
    dlbricks(*commands[3])


@pytest.mark.usefixtures("measured")
def test_a_result_of_an_unknown_suite_is_refused(dlbricks: Run) -> None:
    """The message says how to register the suite; then the result is accepted."""
    refused = dlbricks("submit", "r.json", code=1).stderr
    assert "is not registered in the store: name it with --suite, or run 'dlbricks suites --add" in refused
    # a refused result leaves no empty store; the folder also has the suite's files, which are no results
    for submitted, code in (("r.json", 1), (".", 2)):
        dlbricks("submit", submitted, code=code)
        assert "does not exist: 'dlbricks submit' creates it" in dlbricks("query", code=2).stderr
    listed = json.loads(dlbricks("suites", "--add", "suite/suite.json", "--json").stdout)
    assert [(one["name"], one["submissions"]) for one in listed["suites"]] == [("suite", 0)]
    dlbricks("submit", "r.json")
    assert (
        json.loads(dlbricks("estimate", SMALL, "--system", "here", "--json").stdout)["networks"][0]["coverage"] == 1.0
    )


@pytest.mark.usefixtures("measured")
def test_missing_sequences_are_listed_and_fail(dlbricks: Run) -> None:
    """An estimate from too little is refused with the list; --allow-missing gives a lower bound."""
    dlbricks("run", "suite", "-o", "part.json", "--name", "here", "--smoke", "--only", "LSTM")
    dlbricks("submit", "part.json", "--suite", "suite")
    refused = dlbricks("estimate", SMALL, "--system", "here", code=1)
    assert "MatMul" in refused.stderr
    assert "or use --allow-missing or (not on GPUs) --interpolate" in refused.stderr
    guessed = dlbricks("estimate", SMALL, "--system", "here", "--interpolate", code=1)
    assert guessed.stderr.rstrip().endswith("or use --allow-missing")
    dlbricks("run", "suite", "-o", "there.json", "--name", "there", "--smoke", "--only", "LSTM")
    dlbricks("submit", "there.json", "--suite", "suite")
    both = dlbricks("estimate", SMALL, "--system", "here", "--system", "there", code=1).stderr
    for system in ("here", "there"):
        assert re.search(rf"misc_lstm_lm on {system} \(onnxruntime .*\) lacks", both)
        assert re.search(rf"missing for .*misc_lstm_lm on {system} \(", both)
    bound = dlbricks("estimate", SMALL, "--system", "here", "--allow-missing").stdout
    assert re.search(r"at least .* none: lower bound ", bound)
    assert "no interval: sequences are missing" in bound
    assert "has no results of system elsewhere" in dlbricks("estimate", SMALL, "--system", "elsewhere", code=2).stderr
    assert dlbricks("estimate", SMALL, "--system", "here", "-H", "2", code=1).stderr.count("lacks") >= 1


@pytest.mark.usefixtures("measured")
def test_a_check_that_finds_something_fails(dlbricks: Run, tmp_path: Path) -> None:
    """A smoke run has warnings, which fail only a strict check; a changed result fails any, and cannot be submitted."""
    assert "fix:" in dlbricks("check", "r.json").stdout
    dlbricks("check", "r.json", "--strict", code=1)
    document = json.loads((tmp_path / "r.json").read_text())
    document["benchmarks"][-1]["visits"][0]["samples_ns"] = [5, 5, 5]
    document["suite"]["digest"] = "0" * 64
    (tmp_path / "changed.json").write_text(json.dumps(document))
    assert "error" in dlbricks("check", "changed.json", code=1).stdout
    assert "refused" in dlbricks("submit", "changed.json", code=1).stderr
    (tmp_path / "cut.json").write_text((tmp_path / "r.json").read_text()[:1000])
    dlbricks("check", "cut.json", code=2)


@pytest.mark.usefixtures("measured")
def test_benchmarks_that_fail_are_exit_code_4(dlbricks: Run) -> None:
    """A run in which nothing can finish in time says so and is kept."""
    result = dlbricks("run", "suite", "-o", "late.json", "--smoke", "--timeout", "1ms", code=4)
    assert "benchmarks failed" in result.stderr
    assert "failed" in result.stdout


@pytest.mark.usefixtures("measured")
def test_a_changed_suite_is_not_run(dlbricks: Run, tmp_path: Path) -> None:
    """One byte more in one network, and nothing is measured."""
    network = next((tmp_path / "suite" / "networks").iterdir())
    network.write_bytes(network.read_bytes() + b"\0")
    assert "was changed" in dlbricks("run", "suite", "-o", "changed.json", code=2).stderr


def test_validate(dlbricks: Run, tmp_path: Path) -> None:
    """Two networks, one of them broken: one is measured both ways, the other is reported, exit code 4."""
    (tmp_path / "broken.onnx").write_bytes(Path(OTHER).read_bytes()[:500])
    arguments = ("validate", SMALL, str(tmp_path / "broken.onnx"), "-o", "v.json", "--budget", "20m", "--smoke")
    result = dlbricks(*arguments, "--keep", "runs", code=4)
    assert "broken failed" in result.stdout
    made = json.loads((tmp_path / "v.json").read_text())
    (one,) = made["networks"]
    assert one["network"] == "misc_lstm_lm"
    assert one["ratio"] == pytest.approx(one["estimated_ns"] / one["measured_ns"])
    assert one["low_ns"] <= one["estimated_ns"] <= one["high_ns"]
    assert sum(part["total_ns"] for part in one["parts"]) + one["call_overhead_ns"] == one["estimated_ns"]
    assert made["summary"]["network_count"] == 1
    assert made["summary"]["speedup"] > 0
    assert [failed["network"] for failed in made["failed"]] == ["broken"]
    (run,) = (tmp_path / "runs").iterdir()
    assert run.name == "misc_lstm_lm.json"
    line = "error: runs/misc_lstm_lm.json exists: pass another folder to --keep, or --force to replace it\n"
    assert dlbricks("validate", SMALL, "--smoke", "--keep", "runs", code=2).stderr == line
    # what was measured is kept to the nanosecond, so only the broken one is tried again
    dlbricks(*arguments, "--resume", code=4)
    assert json.loads((tmp_path / "v.json").read_text())["networks"] == made["networks"]
    assert "cannot resume" in dlbricks(*arguments, "--resume", "--threads", "2", code=2).stderr


def composed_again(*arguments: str) -> str:
    """Give what ``benchmarks/recompute.py`` prints of kept runs."""
    command = [sys.executable, str(Path(__file__).parents[2] / "benchmarks" / "recompute.py"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("target", ["portable", "onnxruntime-cpu"])
def test_kept_runs_say_the_same_again(dlbricks: Run, tmp_path: Path, target: str) -> None:
    """What was measured is composed again without measuring."""
    arguments = ("validate", SMALL, "--target", target, "--smoke")
    dlbricks(*arguments, "--keep", "runs", "-o", "v.json")
    assert composed_again("runs", "--json") == (tmp_path / "v.json").read_text()
    again = json.loads(composed_again("runs", SMALL, "--json"))
    made = json.loads((tmp_path / "v.json").read_text())
    assert again["networks"] == made["networks"]


def test_validate_with_another_batch(dlbricks: Run) -> None:
    """A network whose file fixes its batch is measured with another; such runs do not mix with those of the file."""
    arguments = ("validate", SMALL, "--smoke", "--keep", "runs", "--batch", "3")
    assert "batch 3" in dlbricks(*arguments, "-H", "1", "-o", "v.json").stdout
    made = read_runs(Path("runs"))["misc_lstm_lm"]
    assert made.facts.settings.batch == 3
    before = json.loads(Path("v.json").read_text())
    split = ("-H", before["settings"]["granularity"], "--rule", before["settings"]["rule"])
    again = json.loads(composed_again("runs", SMALL, "--json"))
    assert again["networks"] == before["networks"]
    error = dlbricks("validate", SMALL, *split, "--smoke", "-o", "v.json", "--resume", code=2).stderr
    assert "batch was 3 and is now None" in error


@pytest.mark.parametrize("granularity", ["inf", "3"])
def test_validate_of_a_lowered_network(dlbricks: Run, tmp_path: Path, granularity: str) -> None:
    """The lowered parts are measured beside the network as it was read; at H = inf the only part is not the whole."""
    arguments = ("validate", SMALL, "--target", "onnxruntime-cpu", "-H", granularity, "--smoke", "--keep", "runs")
    made = json.loads(dlbricks(*arguments, "--json").stdout)
    (one,) = made["networks"]
    kept = read_runs(tmp_path / "runs")["misc_lstm_lm"]
    entries = {entry["fingerprint"]: entry for entry in kept.document["benchmarks"] if entry["visits"]}
    parts = {part["fingerprint"] for part in one["parts"]}
    assert made["settings"]["target"] == "onnxruntime-cpu"
    assert (len(parts) == 1) == (granularity == "inf")
    assert {entries[part]["role"] for part in parts} == {"sequence"}
    assert entries[kept.facts.whole]["role"] == "whole"
    assert one["measured_ns"] == latency_of(entries[kept.facts.whole]).latency_ns
    assert one["ratio"] == pytest.approx(one["estimated_ns"] / one["measured_ns"])


def test_ctrl_c_keeps_what_was_measured(tmp_path: Path) -> None:
    """Interrupted in the second network, validate leaves the first in its file, says so in one line, exit code 130."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dlbricks", "validate", SMALL, OTHER, "-o", "v.json", "--smoke"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    wait_for(lambda: (tmp_path / "v.json").exists() and has_workers(process), process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, err
    assert out == ""
    assert err.strip().splitlines()[-1].startswith("error: interrupted")
    kept = json.loads((tmp_path / "v.json").read_text())
    assert [one["network"] for one in kept["networks"]] == ["misc_lstm_lm"]


def test_a_file_of_another_kind_is_named_as_what_it_is(dlbricks: Run, tmp_path: Path) -> None:
    """No advice for a text called .onnx but what it is, none to overwrite a file, and a network is no damaged suite."""
    (tmp_path / "text.onnx").write_text("hello")
    for verb in ("whatif", "analyse"):
        assert "text.onnx is not an ONNX file, or it is truncated" in dlbricks(verb, "text.onnx", code=2).stderr
    (tmp_path / "text.gz").write_text("hello")
    damaged = dlbricks("run", "text.gz", "-o", "r.json", code=2).stderr
    assert "is not a packed suite, or is damaged: expected a .tar.gz, .tar.xz or zip file, as 'dlbricks gen" in damaged
    assert "lstm_lm.onnx is a network: make a profile of it" in dlbricks("analyse", SMALL, code=2).stderr
    assert "or give --system to 'whatif'" in dlbricks("whatif", SMALL, code=2).stderr


def test_what_is_no_suite_is_named_before_a_missing_o(dlbricks: Run) -> None:
    """A run of a network says how to make a suite, with and without -o; only a suite lacks -o."""
    for out in ([], ["-o", "r.json"]):
        network = dlbricks("run", SMALL, *out, code=2).stderr
        assert f"is not a suite: write a suite of a network with 'dlbricks generate {SMALL}'" in network
        assert "nothere does not exist: name a folder or an" in dlbricks("run", "nothere", *out, code=2).stderr
    Path("my-bert").mkdir()
    Path("my-bert/config.json").write_text("{}", encoding="utf-8")
    assert "it has no suite.json; of a network, 'dlbricks generate' wri" in dlbricks("run", "my-bert", code=2).stderr
    result = str(NETWORKS.parents[1] / "tests" / "data" / "submission_smoke.json")
    assert "submission_smoke.json is a result, not a suite" in dlbricks("run", result, code=2).stderr
    lacking = dlbricks("run", str(NETWORKS.parent / "smoke"), code=2).stderr
    assert "-o is missing: name the file for the result" in lacking
