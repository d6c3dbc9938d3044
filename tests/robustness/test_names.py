"""Paths that no file can have, or that the user may not open: one line that names them, from every verb."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dlbricks.cli.app import COMMANDS
from tests.robustness.driver import Limits, called
from tests.robustness.made import counted_loop
from tests.robustness.sound import SYSTEM, measured
from tests.robustness.test_networks import external

LONG = "a" * 300
CALLS: Sequence[Sequence[str]] = (
    ("inspect", "PATH"), ("lower", "PATH", "-o", "out"), ("generate", "PATH", "-o", "out"),
    ("extract", "PATH", "0"), ("leakage", "PATH", "--zoo", "."), ("run", "PATH", "-o", "out"), ("check", "PATH"),
    ("submit", "PATH"), ("challenge", "verify", "PATH", "PATH"), ("suites", "--add", "PATH"),
    ("publish", "PATH", "-o", "out"), ("compare", SYSTEM, SYSTEM, "PATH"), ("coverage", "PATH", "--system", SYSTEM),
    ("repro", "PATH", "--option-b", "session.disable_prepacking=1", "-o", "out.pyz"),
    ("plan", "PATH", "--system", SYSTEM, "-o", "out"),
    ("estimate", "PATH", "--system", SYSTEM), ("validate", "PATH"), ("profile", "PATH"), ("quick", "PATH"),
    ("analyse", "PATH"), ("report", "PATH", "-o", "out"), ("site", "PATH", "-o", "out"),
    ("export", "PATH", "-o", "out.json"), ("whatif", "PATH", "--apply", "fp16"),
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_a_name_that_is_too_long_is_refused_in_one_line(
    call: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system has no such file; whoever reads the name says so, and nothing is left behind."""
    monkeypatch.setenv("DLBRICKS_STORE", f"sqlite:///{measured() / 'store.sqlite'}")
    monkeypatch.chdir(tmp_path)
    outcome = called([LONG if one == "PATH" else one for one in call])
    assert (outcome.kind, outcome.code) == ("refused", 2), outcome
    assert LONG[:100] in outcome.reason
    assert os.listdir(tmp_path) == []


def test_every_verb_that_reads_a_path_is_tried() -> None:
    """The others read names of a store or nothing; ``demo`` passes its paths to other verbs."""
    assert set(COMMANDS) - {call[0] for call in CALLS} == {"withdraw", "systems", "query", "doctor", "demo"}


def test_an_output_whose_name_is_too_long_is_refused(tmp_path: Path) -> None:
    """Nothing half-written is left."""
    path = tmp_path / "given.onnx"
    path.write_bytes(counted_loop(3).SerializeToString())
    outcome = called(["generate", path, "-o", tmp_path / LONG])
    assert (outcome.kind, outcome.code) == ("refused", 2), outcome
    assert os.listdir(tmp_path) == ["given.onnx"]


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities of Linux")
@pytest.mark.parametrize("verb", ["inspect", "check", "analyse", "run"])
def test_a_folder_that_is_closed_is_refused_in_one_line(verb: str, tmp_path: Path) -> None:
    """Its files may be there or not: nobody but its owner knows."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    for folder in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        folder.chmod(0o755)
    more = ["-o", str(tmp_path / "r.json")] if verb == "run" else []
    outcome = called([verb, closed / "given", *more], privileged=False)
    assert (outcome.kind, outcome.code) == ("refused", 2), outcome


def test_external_data_whose_name_is_too_long_is_missing(tmp_path: Path) -> None:
    """As any other file that is not there: the network is read, and what it decides is not known."""
    path = tmp_path / "given.onnx"
    path.write_bytes(external(LONG).SerializeToString())
    outcome = called(["inspect", path], Limits())
    assert outcome.kind == "ok", outcome
    assert "cannot be known" in outcome.printed
