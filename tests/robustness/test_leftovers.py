"""What a process that was killed had begun to write is removed by the next; what one at work writes stays."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dlbricks.files import write_text, writing
from tests.harness.waiting import PATIENCE_S, wait_for
from tests.robustness.test_faults import NETWORK, ROOT, dlbricks_command, started

_BEGUN = """
import contextlib
import sys
from pathlib import Path
from dlbricks import files
way, place = sys.argv[1], Path(sys.argv[2])
with files.writing(place) as scratch, contextlib.ExitStack() as ends:
    if way == "writing twice":
        scratch = ends.enter_context(files.writing(scratch))
    scratch.write_text("half")
    print(flush=True)
    sys.stdin.read()
"""
"""Begins to write, and goes on when its input ends."""


@pytest.mark.parametrize("way", ["writing", "writing twice"])
def test_what_a_killed_writer_left_is_cleared(tmp_path: Path, way: str) -> None:
    """Its hidden folder is gone after the next call; that of a writer at work stays, and its file comes to be."""
    place = tmp_path / "place"
    command, pipe = [sys.executable, "-c", _BEGUN, way, str(place)], subprocess.PIPE
    with (
        subprocess.Popen(command, stdin=pipe, stdout=pipe) as killed,
        subprocess.Popen(command, stdin=pipe, stdout=pipe) as other,
    ):
        for process in (killed, other):
            assert process.stdout is not None
            process.stdout.readline()
        write_text(place, "whole")
        assert len(os.listdir(tmp_path)) == 3
        killed.kill()
        killed.wait()
        write_text(place, "whole")
        assert len(os.listdir(tmp_path)) == 2
        other.communicate()
    assert os.listdir(tmp_path) == ["place"]
    assert place.read_text() == "half"


_BETWEEN = """
import os, sys
from pathlib import Path
from dlbricks.files import writing
moved = Path.rename
def rename(self, target):
    moved(self, target)
    os.kill(os.getpid(), 9)
Path.rename = rename
with writing(Path(sys.argv[1])) as scratch:
    scratch.mkdir()
"""
"""Is killed after an older folder was moved away, and before the new one took its place."""


def test_a_folder_that_made_room_for_none_comes_back(tmp_path: Path) -> None:
    """The next call finds what was there before, whether it itself goes well or not."""
    place = tmp_path / "place"
    write_text(place / "old", "kept")
    done = subprocess.run([sys.executable, "-c", _BETWEEN, str(place)], check=False)
    assert (done.returncode, place.exists()) == (-9, False)
    with pytest.raises(RuntimeError, match="half-way"), writing(place):
        raise RuntimeError("half-way")
    assert os.listdir(tmp_path) == ["place"]
    assert (place / "old").read_text() == "kept"


def test_hidden_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    """Names that are longer or shorter, links, files, and folders that hold something else are nobody's leftovers."""
    for name in (".place.more_of_it", ".place.short", "place.abcdefgh", ".place.abcdefg1/mine"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / ".place.abcdefg2").symlink_to("place.abcdefgh")
    (tmp_path / ".place.abcdefg3").write_text("")
    before = sorted(os.listdir(tmp_path))
    write_text(tmp_path / "place", "whole")
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "place"])


def test_temporary_files_of_a_killed_verb_are_removed_by_the_next(tmp_path: Path) -> None:
    """Of the verb, and of the processes that read and lower for it; what one at work has stays."""
    place = tmp_path / "temporary"
    place.mkdir()
    environment = {**os.environ, "TMPDIR": str(place)}
    network = ROOT / "tests" / "data" / "tutorial.onnx"

    def begun() -> "subprocess.Popen[str]":
        out = tmp_path / f"{len(os.listdir(place))}.json"
        command = dlbricks_command("validate", NETWORK, "--target-error", "0.1%", "-o", out)
        process, before = started(command, environment), len(os.listdir(place))
        wait_for(lambda: len({path.parent for path in place.glob("*/new/*")}) > before, process)
        return process

    killed, other = begun(), begun()
    try:
        killed.kill()
        killed.communicate(timeout=PATIENCE_S)
        left = os.listdir(place)
        until = time.monotonic() + PATIENCE_S  # those that read for it may end a little later
        while os.listdir(place) == left and time.monotonic() < until:
            subprocess.run(dlbricks_command("inspect", network), env=environment, check=True, capture_output=True)
        assert (len(left), len(os.listdir(place))) == (2, 1)
    finally:
        os.killpg(other.pid, signal.SIGKILL)
        other.communicate(timeout=PATIENCE_S)
