"""The verb ``quick``: one table from one command, which leaves nothing behind."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from dlbricks.api.validation import QuickAnswer
from dlbricks.cli.app import main
from dlbricks.harness import machine
from dlbricks.report.validation import quick_report
from dlbricks.typed_json import checked
from tests.cli.invoking import Run
from tests.harness.test_facts import zone

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


@pytest.mark.parametrize("name", ["tv_alexnet", "tv_resnet18"])
def test_the_smallest_networks_in_five_seconds(dlbricks: Run, name: str) -> None:
    """Each number of threads has the whole network, what is composed from its parts, and the parts that take most."""
    answer = json.loads(dlbricks("quick", str(NETWORKS / f"{name}.onnx"), "--budget", "5s", "--json").stdout)
    assert answer["network"] == name
    threads = [side["threads"] for side in answer["sides"]]
    assert threads == sorted(set(threads))
    assert threads[0] == 1
    for side in answer["sides"]:
        assert side["low_ns"] <= side["measured_ns"] <= side["high_ns"]
        assert side["estimate"]["missing"] == []
        assert side["estimate"]["configuration"]["threads"] == side["threads"]
        assert side["products_ns"] > 0
        assert all("threads" not in advice["apply"][0] for advice in side["advice"])
    assert list(Path().iterdir()) == []


@pytest.fixture(scope="module")
def answer() -> QuickAnswer:
    """What the verb answers for a small network."""
    command = ["quick", str(NETWORKS / "misc_lstm_lm.onnx"), "--budget", "2s", "--json"]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    return checked(QuickAnswer, json.loads(result.stdout), "quick")


def test_a_busy_machine_is_named_with_its_threads(answer: QuickAnswer) -> None:
    """A whole network no call of which was alone says so."""
    for busy in (True, False):
        sides = [replace(side, measured_disturbed=busy and side.threads == 1) for side in answer.sides]
        lines = [line for line in quick_report(replace(answer, sides=tuple(sides))) if "busy machine" in str(line)]
        assert [str(line).partition(": every call of the whole network")[0] for line in lines] == ["1 thread"] * busy


def test_a_whole_far_from_its_parts_is_told(answer: QuickAnswer) -> None:
    """What slowed every call of the whole is seen where its interval ends far from that of its parts."""
    side = answer.sides[0]
    assert side.estimate is not None
    at = side.estimate.total_ns
    parts = replace(side.estimate, low_ns=round(0.9 * at), high_ns=round(1.1 * at))
    for ratio, disturbed, far in ((1.15, False, 0), (1.3, False, 1), (0.7, False, 1), (1.3, True, 0)):
        ns = round(ratio * at)
        whole = replace(side, measured_ns=ns, low_ns=ns, high_ns=ns, measured_disturbed=disturbed, estimate=parts)
        lines = [str(line) for line in quick_report(replace(answer, sides=(whole,)))]
        assert sum(line.startswith("1 thread: the measured latency lies far outside") for line in lines) == far


COUNTER = """
import time
from pathlib import Path
from dlbricks.cli.app import main
from dlbricks.harness import machine
def counted(path, read=machine.read_int):
    return time.perf_counter_ns() * 15 // 1000 if path.name == "energy_uj" else read(path)
machine.read_int = counted
machine.EnergyCounter.__init__.__defaults__ = (None, Path({folder!r}))
"""
"""A processor that takes 15 W, of which a counter tells in every process."""


def test_energy_is_power_times_latency(dlbricks: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the whole network, with its source; without a counter both verbs say why there is none."""
    network = str(NETWORKS / "misc_lstm_lm.onnx")
    absent = dlbricks("validate", network, "--smoke").stdout
    assert "energy of a call is absent: /sys/class/powercap has no RAPL package" in absent
    zone(tmp_path, "0", "package-0", 1, limit_uj=262_143_328_850)
    (tmp_path / "sitecustomize.py").write_text(COUNTER.format(folder=str(tmp_path)), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(machine.EnergyCounter.__init__, "__defaults__", (None, tmp_path))
    [side, *_] = json.loads(dlbricks("quick", network, "--budget", "2s", "--json").stdout)["sides"]
    assert side["energy_source"] == "RAPL package, with all else that runs on it"
    assert side["energy_uj"] == pytest.approx(0.015 * side["measured_ns"], rel=0.02)
    document = dlbricks("validate", network, "--budget", "2s", "--json", "--keep", "runs").stdout
    [validated] = json.loads(document)["networks"]
    assert validated["energy_uj"] == pytest.approx(0.015 * validated["measured_ns"], rel=0.02)
    kept = json.loads(Path("runs/misc_lstm_lm.json").read_text(encoding="utf-8"))["result"]["benchmarks"]
    assert {entry["role"] for entry in kept if any("power_mw" in visit for visit in entry["visits"])} == {"whole"}


def test_another_runtime_is_compared(dlbricks: Run) -> None:
    """The first line names the threads; each number of threads has a line that says which runtime is faster."""
    pytest.importorskip("openvino")
    lines = dlbricks(
        "quick", str(NETWORKS / "misc_lstm_lm.onnx"), "--budget", "2s", "--vs", "openvino"
    ).stdout.splitlines()
    assert lines[0].startswith("misc_lstm_lm on ")
    assert " with 1 thread" in lines[0]
    faster = [line for line in lines if " is " in line and " times as fast (" in line]
    assert faster[0].startswith("1 thread: ")
    assert all("openvino 20" in line or "onnxruntime 1." in line for line in faster)


def test_one_network_is_named(dlbricks: Run, tmp_path: Path) -> None:
    """Several networks, and none, are refused before anything is measured."""
    assert "networks: name one of them" in dlbricks("quick", str(NETWORKS), code=2).stderr
    assert "does not exist" in dlbricks("quick", str(tmp_path / "none.onnx"), code=2).stderr
    itself = dlbricks("quick", str(NETWORKS / "tv_vgg11.onnx"), "--vs", "onnxruntime", code=2).stderr
    assert "--vs onnxruntime compares the runtime with itself" in itself
