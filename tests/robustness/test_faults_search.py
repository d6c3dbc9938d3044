"""``repro`` and ``leakage`` killed at any moment: what was there before stays or the whole comes, and nothing else."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from random import Random

import psutil  # type: ignore[import-untyped]
import pytest

from tests.cli.test_cli_compare import secret_network, slow_python
from tests.harness.waiting import PATIENCE_S, wait_for, workers_of
from tests.robustness.test_faults import KILLS, dlbricks_command, finished, killed_at, started

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, and a planted Python that is a shell script")


_SEARCH = """
from dlbricks.cli.app import main
from dlbricks.plugins.repro import pair, search
pair.PAIRS_NEEDED[0] = search._WHOLE_PAIRS = 1
main()
"""
"""The program, which is content with one pair of processes: it takes a third of the time, and all its steps."""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the place of temporary files of all that the test starts."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    return place


@pytest.fixture
def search(tmp_path: Path) -> list[str]:
    """Give a command that finds a slower piece; it writes ``made/piece.pyz``."""
    slow, network = slow_python(tmp_path), secret_network(tmp_path / "net.onnx")
    (tmp_path / "made").mkdir()
    out = tmp_path / "made" / "piece.pyz"
    arguments = dlbricks_command("repro", network, "--python", slow, "--budget", "10m", "--force", "-o", out)[3:]
    return [sys.executable, "-c", _SEARCH, *arguments]


BEFORE = b"PK\x03\x04 dlbricks before"
"""A file of the same kind."""


@pytest.mark.usefixtures("temporary")
def test_a_search_killed_at_any_moment_leaves_no_half_file(search: list[str], tmp_path: Path) -> None:
    """The file of before stays or the whole one comes, and the next call finds the piece."""
    out, moments = tmp_path / "made" / "piece.pyz", Random(7)  # noqa: S311
    usual_s = finished(search)
    members = _members(out)
    assert "__main__.py" in members
    for _ in range(KILLS):
        out.write_bytes(BEFORE)
        killed_at(search, moments.random(), usual_s)
        assert out.read_bytes() == BEFORE or _members(out) == members
        finished(search)
        assert _members(out) == members
        assert [path.name for path in out.parent.glob("[!.]*")] == ["piece.pyz"]
    subprocess.run([sys.executable, out, "--time", "10ms"], check=True, capture_output=True)


def _members(path: Path) -> list[str]:
    """Give the names in an archive that is whole."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return archive.namelist()


@pytest.mark.usefixtures("temporary")
def test_processes_that_measure_end_with_the_search(search: list[str]) -> None:
    """Only the search is killed; the Pythons that it compares notice, and go on for nobody."""
    process = started(search)
    wait_for(lambda: len(workers_of(process.pid)) == 2, process)
    measuring = workers_of(process.pid)
    process.kill()
    process.communicate(timeout=PATIENCE_S)
    _, alive = psutil.wait_procs(measuring, timeout=PATIENCE_S)
    assert (len(measuring), alive) == (2, [])
