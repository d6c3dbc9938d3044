"""A runtime that crashes or hangs while networks are profiled, roofs measured or networks read: one line, no end."""

import faulthandler
import os
import signal
import tempfile
from pathlib import Path
from typing import Any

import pytest

import dlbricks as api
from dlbricks import limits
from dlbricks.errors import BenchmarkError, UnsupportedModelError
from dlbricks.harness.session import SessionSettings
from dlbricks.profile import experiment
from dlbricks.profile.experiment import ExperimentPlan, OnProgress, profile_isolated, profile_network, roofs_isolated
from dlbricks.sequences import split
from dlbricks.trace.types import Profile
from tests.cli.invoking import Run
from tests.profile.small import convolutions, plan


def crash(*_: Any, **__: Any) -> Any:
    """Be a runtime that crashes, with temporary files open."""
    faulthandler.disable()  # it would print a page of this process's own
    Path(tempfile.mkdtemp(prefix="dlbricks-"), "weights").write_bytes(b"x")
    os.kill(os.getpid(), signal.SIGSEGV)


def hang(*_: Any, **__: Any) -> Any:
    """Be a runtime that never answers."""
    while True:
        pass


def crash_by_name(path: Path, given: ExperimentPlan, on_progress: OnProgress) -> Profile:
    """Profile with a runtime that crashes on one network."""
    return crash() if path.stem == "crash" else profile_network(path, given, on_progress)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty folder in which temporary files lie."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_network_that_crashes_the_runtime_fails_alone(
    dlbricks: Run, tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named with a reason, the other is profiled and written, and no temporary file stays."""
    convolutions(tmp_path).rename(tmp_path / "crash.onnx")
    fine = convolutions(tmp_path)
    monkeypatch.setattr(experiment, "profile_network", crash_by_name)
    quick = ("--calls", "3", "--no-roofs", "-o", str(tmp_path / "out"))
    result = dlbricks("profile", str(tmp_path / "crash.onnx"), str(fine), *quick, code=4)
    assert "crash cannot be profiled: it crashed its worker process (SIGSEGV)" in result.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["small.profile.json.gz"]
    assert not list(temporary.iterdir())


def test_progress_is_told_from_the_other_process(tmp_path: Path) -> None:
    """As it is from this one, and the profile has all calls."""
    told: list[Any] = []
    made = profile_isolated(convolutions(tmp_path), plan(calls=3), lambda batch, message: told.append((batch, message)))
    assert [message.phase for _, message in told] == ["loading", "measuring", "measuring", "done"]
    assert [len(run.samples_ns) for run in made.runs] == [3, 3]
    [process] = {lane.process for run in made.runs for lane in run.trace.lanes if run.levels == "M"}
    assert process != str(os.getpid())


def test_roofs_end_nothing(dlbricks: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash and a hang are lines of exit code 4, which say how to go on without."""
    monkeypatch.setattr(experiment, "measure_roofs", crash)
    result = dlbricks("doctor", "--roofs", code=4)
    assert "peak rates of this machine cannot be measured: onnxruntime crashed its worker process" in result.stderr
    assert "give --no-roofs" in dlbricks("profile", str(convolutions(tmp_path)), code=4).stderr
    monkeypatch.setattr(limits, "READ_SECONDS", 1)
    monkeypatch.setattr(experiment, "measure_roofs", hang)
    with pytest.raises(BenchmarkError, match="took more than 1 s of processor time"):
        roofs_isolated(SessionSettings(), {})


def test_reading_by_the_api_ends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash and a hang are errors of the API, and the process that called it goes on."""
    path = convolutions(tmp_path)
    assert api.read(path, target="onnxruntime-cpu").target == "onnxruntime-cpu"
    monkeypatch.setattr(split, "read_batched", crash)
    with pytest.raises(UnsupportedModelError, match=r"small.onnx crashed its worker process \(SIGSEGV\)$"):
        api.read(path, target="portable")
    monkeypatch.setattr(limits, "READ_SECONDS", 1)
    monkeypatch.setattr(split, "read_batched", hang)
    with pytest.raises(UnsupportedModelError, match="took more than 1 s of processor time"):
        api.read(path, target="portable")
