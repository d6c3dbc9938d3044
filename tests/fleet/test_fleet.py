"""Jobs of a fleet: killed, sent again and copied about, each result is stored once and none is lost."""

import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from dlbricks.store.database import ResultStore
from dlbricks.suite.manifest import to_document
from tests.cli.conftest import dlbricks, own_store  # noqa: F401 - fixtures
from tests.cli.invoking import Run
from tests.harness.waiting import PATIENCE_S
from tests.store.made_up_run import document, suite
from tests.suite.suite_samples import runnable_smoke

FLEET = Path(__file__).parents[2] / "docs" / "examples" / "fleet"

_QUICK = """
import argparse, os, pathlib, sys, time
parser = argparse.ArgumentParser()
parser.add_argument("-o", type=pathlib.Path)
parser.add_argument("--name")
parser.add_argument("--resume", action="store_true")
given = parser.parse_args()
partial = given.o.with_name(f"{given.o.stem}.partial.json")
if given.resume != (partial.exists() or given.o.exists()):
    sys.exit(2)  # as the harness does
partial.write_text("{}")
time.sleep(0.1)
made = pathlib.Path(__file__).with_name("made") / f"{given.name}.json"
scratch = given.o.with_suffix(".tmp")
scratch.write_bytes(made.read_bytes())
scratch.replace(given.o)
partial.unlink()
"""
"""Stands for a suite of one sequence: the same files, in the same order, without the seconds of a real one."""


@pytest.fixture
def quick(tmp_path: Path) -> Path:
    """A suite whose runs give made-up results by their names."""
    folder = tmp_path / "suite"
    (folder / "made").mkdir(parents=True)
    (folder / "run.py").write_text(_QUICK)
    for number in range(50):
        made = document(sequences=1, seed=number)
        made["system"]["name"] = f"node-{number}"
        (folder / "made" / f"node-{number}.json").write_text(json.dumps(made))
    return folder


def _job(suite: Path, out: Path, name: str, *options: str) -> "subprocess.Popen[bytes]":
    """Start a job; the lock that it waits for is of these tests alone."""
    command = [sys.executable, str(FLEET / "job.py"), str(suite), str(out), name, *options]
    return subprocess.Popen(command, start_new_session=True, env={**os.environ, "TMPDIR": str(out.parent)})


def test_nothing_lost_nothing_doubled(quick: Path, tmp_path: Path, dlbricks: Run) -> None:  # noqa: F811 - the fixture
    """Of 20 jobs 5 are killed and sent again, 3 are sent twice, and results are copied: 20 are stored, each once."""
    out, store = tmp_path / "out", str(tmp_path / "s.sqlite")
    rng = random.Random(4)  # noqa: S311 - no secret
    names = [f"node-{number}" for number in range(20)]
    jobs = [_job(quick, out, name) for name in names[5:] + names[5:8]]
    killed = []
    for name in names[:5]:
        killed.append(_job(quick, out, name))
        time.sleep(rng.uniform(0, 0.1))
        os.killpg(killed[-1].pid, signal.SIGKILL)
    assert [job.wait() for job in killed] == [-signal.SIGKILL] * 5
    jobs += [_job(quick, out, name) for name in names[:5]]
    assert [job.wait(PATIENCE_S) for job in jobs] == [0] * 23
    assert sorted(path.name.rpartition("-")[0] for path in out.glob("*.json")) == sorted(names)
    (out / "copies").mkdir()
    shutil.copy(next(out.glob("node-1-*.json")), out / "copies" / "again.json")
    with ResultStore.open(store, create=True) as opened:
        opened.registry.register(to_document(suite(sequences=1)))
    first = json.loads(dlbricks("submit", str(out), "--store", store, "--json").stdout)
    assert sum(one["new"] for one in first["receipts"].values()) == 20
    assert f"{store}: 0 of 21 results new, 21 stored already" in dlbricks("submit", str(out), "--store", store).stdout
    with ResultStore.open(store) as opened:
        assert sorted(one.configuration.system for one in opened.history.submissions()) == sorted(names)


_LOCKING = """
import fcntl, os, sys
import job
os.setgid(int(sys.argv[1]))
os.setuid(int(sys.argv[1]))
os.umask(0o077)
with job.machine_lock() as slot:
    try:
        fcntl.flock(slot, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("held")
    print(flush=True)
    sys.stdin.read()
"""
"""What a job does with the lock, as another user."""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may be another user")
def test_users_of_one_machine_share_its_lock() -> None:
    """Whoever came first, and whatever mode its files have: another user's job finds the lock held, and then free."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o1777)
        environment = {**os.environ, "TMPDIR": place, "PYTHONPATH": str(FLEET), "PYTHONDONTWRITEBYTECODE": "1"}

        def locking(user: int) -> "subprocess.Popen[str]":
            command, pipe = [sys.executable, "-c", _LOCKING, str(user)], subprocess.PIPE
            return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)

        first = locking(1)
        assert first.stdout is not None
        assert first.stdout.readline() == "\n"
        assert locking(65534).communicate(timeout=PATIENCE_S) == ("", "held\n")
        assert first.communicate(timeout=PATIENCE_S) == ("", "")
        assert locking(65534).communicate(timeout=PATIENCE_S) == ("\n", "")


def test_what_is_refused_is_told_and_the_rest_is_stored(tmp_path: Path, dlbricks: Run) -> None:  # noqa: F811
    """A broken or missing file does not keep the others out; the exit code is that of bad input."""
    (tmp_path / "sent").mkdir()
    (tmp_path / "sent" / "good.json").write_text(json.dumps(document()))
    (tmp_path / "sent" / "bad.json").write_text("{")
    with ResultStore.open(str(tmp_path / "store.sqlite"), create=True) as opened:
        opened.registry.register(to_document(suite()))
    result = dlbricks("submit", "sent", code=2)
    assert "1 of 2 results new" in result.stdout
    assert "1 result refused: sent/bad.json: " in result.stderr
    named = dlbricks("submit", "sent/good.json", "missing.json", code=2)
    assert "1 stored already" in named.stdout
    assert "1 result refused: missing.json: cannot read result missing.json: No such file" in named.stderr
    (tmp_path / "empty").mkdir()
    assert "empty contains no results" in dlbricks("submit", "empty", code=2).stderr


def test_a_real_suite(tmp_path: Path) -> None:
    """The harness and a job agree on names of files, a second job finds the result, and it passes the check."""
    folder = runnable_smoke(tmp_path / "suite")
    for _ in range(2):
        assert _job(folder, tmp_path, "here", "--smoke", "--only", "Relu").wait(PATIENCE_S) == 0
    (path,) = tmp_path.glob("here-*.json")
    assert json.loads(path.read_text())["system"]["name"] == "here"


def test_slurm_by_its_local_executor(quick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs that submitit sends leave their results by the convention."""
    pytest.importorskip("submitit", reason="needs submitit")
    monkeypatch.setenv("PYTHONPATH", str(FLEET))  # jobs are pickled by the name of their module
    monkeypatch.syspath_prepend(FLEET)
    slurm: Any = importlib.import_module("slurm")
    for job in slurm.send(str(quick), str(tmp_path / "out"), ["node-1", "node-2"], [], cluster="local"):
        job.result()
    assert len([*(tmp_path / "out").glob("node-?-*.json")]) == 2


@pytest.mark.parametrize("name", ["playbook.yml", "job.yaml", "github.yml"])
def test_adapters_are_written_as_their_programs_read_them(name: str) -> None:
    """YAML that parses, is short, and starts the same job."""
    yaml = pytest.importorskip("yaml", reason="needs PyYAML")
    text = (FLEET / name).read_text()
    assert yaml.safe_load(text)
    assert "job.py" in text
    assert len(text.splitlines()) <= 45
