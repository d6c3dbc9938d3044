"""What is killed, finds no room, or sees the clock jump: nothing saved is lost, doubled or half-written.

Real processes on a real file system. ``DLBRICKS_FAULTS=50`` asks for as many kills of each verb; one is usual.
"""

import contextlib
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from kept_runs import read_runs

import dlbricks.harness
from dlbricks.plugins.repro import pair, search
from dlbricks.store.database import ResultStore
from dlbricks.suite.manifest import read_suite
from tests.cli.test_cli_compare import secret_network, slow_python
from tests.harness.small_suite import benchmark, tiny_parts, unary, write
from tests.harness.waiting import PATIENCE_S, wait_for
from tests.robustness.driver import REFUSAL_CODES, Limits, called

KILLS = int(os.environ.get("DLBRICKS_FAULTS", "1"))
ROOT = Path(__file__).parents[2]
TRACE = ROOT / "tests" / "data" / "kineto_cpu_training.json.gz"
NETWORK = ROOT / "suites" / "networks" / "tv_squeezenet1_1.onnx"
_RUN = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from harness.run import campaign
from harness.run.cli import main
campaign.SAVE_NS = 50_000_000
sys.exit(main(sys.argv[2:], Path(sys.argv[1])))
"""
"""A suite's own runner; it saves so often that kills find something saved."""


def started(command: list[str], environment: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
    """Start a command as the head of a group of processes."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True, env=environment)


def killed_at(command: list[str], share: float, usual_s: float, *, group: bool = True) -> None:
    """Start a command and kill it, or only what measures for it, after a share of what it usually takes."""
    process = started(command)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(share * usual_s)
    with contextlib.suppress(ProcessLookupError):
        if group:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            _kill_worker(process.pid)
    process.communicate(timeout=PATIENCE_S)


def _kill_worker(pid: int) -> None:
    """Kill one of the processes that measure, if there is one; the run goes on without it."""
    with contextlib.suppress(psutil.Error, ValueError):
        max(psutil.Process(pid).children(), key=lambda child: child.pid).kill()


def finished(command: list[str]) -> float:
    """Run a command to its end; give the seconds it took."""
    begin = time.monotonic()
    process = started(command)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said
    return time.monotonic() - begin


def dlbricks_command(*arguments: str | Path) -> list[str]:
    """Give a command line of the program."""
    return [sys.executable, "-m", "dlbricks", *map(str, arguments)]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a suite of a dozen short benchmarks, with the harness in it."""
    parts = [benchmark(f"Sin{index}", unary("Sin", (64 + index, 256)), importance=0.01) for index in range(12)]
    folder = write(tmp_path_factory.mktemp("suite"), [*tiny_parts()[:2], *parts])
    source = Path(dlbricks.harness.__file__).parent
    shutil.copytree(source, folder / "harness", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def visits(path: Path) -> dict[str, list[dict[str, object]]]:
    """Give the visits of a result by benchmark; none where there is no file."""
    if not path.exists():
        return {}
    return {entry["fingerprint"]: entry["visits"] for entry in json.loads(path.read_text())["benchmarks"]}


@pytest.mark.parametrize("group", [True, False], ids=["all", "worker"])
def test_a_run_killed_at_any_moment_resumes(suite: Path, tmp_path: Path, group: bool) -> None:
    """What was saved is kept sample for sample, each visit is there once, and the result is whole.

    Weights are made anew each time, so that a run is killed while it writes them, too.
    """
    moments = random.Random(group)  # noqa: S311 (moments, no secrets)
    out, partial = tmp_path / "r.json", tmp_path / "r.partial.json"
    options = ["-o", str(out), "--target-error", "90%", "--name", "here"]
    command = [sys.executable, "-c", _RUN, str(suite), *options]
    usual_s = finished(command)
    for _ in range(KILLS):
        out.unlink()
        shutil.rmtree(suite / "weights")
        killed_at(command, moments.random(), usual_s, group=group)
        saved = visits(partial)
        if not out.exists():
            finished([*command, "--resume"])
        document = json.loads(out.read_text())
        assert document["complete"]
        assert os.listdir(tmp_path) == ["r.json"]
        for entry in document["benchmarks"]:
            before = saved.get(entry["fingerprint"], [])
            assert entry["visits"][: len(before)] == before
            begins = [visit["start_ns"] for visit in entry["visits"]]
            assert len({*begins}) == len(begins)
            assert entry["status"] == "ok" or (not group and "killed (signal 9" in entry["reason"])


def test_generating_killed_at_any_moment_leaves_no_half_suite(tmp_path: Path) -> None:
    """The folder is not there, or is a whole suite; the next call makes it."""
    out, moments = tmp_path / "suite", random.Random(3)  # noqa: S311
    command = dlbricks_command("generate", NETWORK, "-o", out)
    usual_s = finished(command)
    whole = read_suite(out)
    for _ in range(KILLS):
        shutil.rmtree(out)
        killed_at(command, moments.random(), usual_s)
        if not out.exists():
            finished(command)
            assert [path.name for path in tmp_path.glob("[!.]*")] == ["suite"]
        assert read_suite(out) == whole


def test_validating_killed_at_any_moment_keeps_what_was_finished(tmp_path: Path) -> None:
    """Each network that the file held is there as it was, its archive, too; the next call measures the others."""
    names, out, moments = ("Exp", "Sin"), tmp_path / "v.json", random.Random(6)  # noqa: S311
    kept = tmp_path / "kept"
    for name in names:
        (tmp_path / f"{name}.onnx").write_bytes(unary(name, (64, 256)))
    models = [tmp_path / f"{name}.onnx" for name in names]
    command = dlbricks_command("validate", *models, "--smoke", "--name", "here", "-o", out, "--keep", kept, "--resume")
    usual_s = finished(command)
    for _ in range(KILLS):
        out.unlink()
        shutil.rmtree(kept)
        killed_at(command, moments.random(), usual_s)
        saved = json.loads(out.read_text())["networks"] if out.exists() else []
        archives = {one["network"]: (kept / f"{one['network']}.json").read_bytes() for one in saved}
        for archive in kept.glob("*.json"):
            assert read_runs(archive)
        finished(command)
        assert archives == {name: (kept / f"{name}.json").read_bytes() for name in archives}
        assert sorted(path.name for path in kept.glob("[!.]*")) == [f"{name}.json" for name in names]
        networks = json.loads(out.read_text())["networks"]
        assert networks[: len(saved)] == saved
        assert [one["network"] for one in networks] == list(names)
        assert len([*tmp_path.glob("[!.]*")]) == len(models) + 2


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a smoke test of the smoke suite."""
    out = tmp_path_factory.mktemp("result") / "result.json"
    finished(dlbricks_command("run", ROOT / "suites" / "smoke", "-o", out, "--smoke", "--name", "here"))
    return out


def test_submitting_killed_at_any_moment_stores_once(result: Path, tmp_path: Path) -> None:
    """After a second call there is one submission, whatever came of the first."""
    place, moments = tmp_path / "store.sqlite", random.Random(4)  # noqa: S311
    command = dlbricks_command("submit", result, "--store", place, "--suite", ROOT / "suites" / "smoke")
    usual_s = finished(command)
    with ResultStore.open(str(place)) as store:
        (once,) = store.history.submissions()
    for _ in range(KILLS):
        for path in tmp_path.iterdir():
            path.unlink()
        killed_at(command, moments.random(), usual_s)
        finished(command)
        with ResultStore.open(str(place)) as store:
            (again,) = store.history.submissions()
        assert (again.digest, again.results) == (once.digest, once.results)


def test_pages_and_bundles_killed_at_any_moment_stay_whole(result: Path, tmp_path: Path) -> None:
    """Those of before are there unchanged, or the new ones."""
    store, moments = tmp_path / "store.sqlite", random.Random(5)  # noqa: S311
    finished(dlbricks_command("submit", result, "--store", store, "--suite", ROOT / "suites" / "smoke"))
    page, bundle = tmp_path / "site" / "index.html", tmp_path / "bundle.parquet"
    for command, made in (
        (dlbricks_command("site", store, "-o", page.parent), page),
        (dlbricks_command("publish", store, "--force", "-o", bundle), bundle),
    ):
        usual_s = finished(command)
        size = made.stat().st_size
        for _ in range(KILLS):
            killed_at(command, moments.random(), usual_s)
            assert made.exists()
            assert abs(made.stat().st_size - size) < 200  # dates of making differ
        finished(command)


@contextlib.contextmanager
def small_disk(place: Path, size: str) -> Iterator[Callable[[str], None]]:
    """Mount a file system of its own; gives what mounts it again with other options."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root may mount a small disk")

    def again(options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True)

    try:
        yield again
    finally:
        subprocess.run(["umount", str(place)], check=True)


def writing_verbs(result: Path, store: Path, disk: Path) -> dict[str, list[str | Path]]:
    """Give a command line of each verb that writes, by its name; all write to the disk."""
    smoke = ROOT / "suites" / "smoke"
    small = Path(secret_network(store.parent / "small.onnx"))
    return {
        "generate": ["generate", small, "-o", disk / "suite"],
        "extract": [
            "extract",
            smoke,
            json.loads(result.read_text())["benchmarks"][5]["fingerprint"][:12],
            "-o",
            disk / "one.pyz",
            "--force",
        ],
        "run": ["run", smoke, "--smoke", "--name", "here", "-o", disk / "r.json"],
        "submit": ["submit", result, "--store", disk / "store.sqlite", "--suite", smoke],
        "lower": ["lower", small, "-o", disk / "lowered"],
        "site": ["site", store, "-o", disk / "site"],
        "publish": ["publish", store, "--force", "-o", disk / "bundle.parquet"],
        "plan": ["plan", small, "--store", store, "--system", "here", "-o", disk / "plan"],
        "profile": ["profile", small, "--calls", "2", "--no-roofs", "--force", "-o", disk / "profile.json"],
        "validate": ["validate", small, "--smoke", "--force", "-o", disk / "v.json"],
        "kept": ["validate", small, "--smoke", "--keep", disk / "kept"],
        "challenge": ["challenge", "make", result, "--suite", smoke, "-o", disk / "c.zip"],
        "analyse": ["analyse", TRACE, "-o", disk / "tables"],
        "report": ["report", TRACE, "--force", "-o", disk / "page.html"],
        "export": ["export", TRACE, "--force", "-o", disk / "spans.json"],
        "export-packed": ["export", TRACE, "--force", "-o", disk / "spans.jsonl.gz"],
        "whatif": ["whatif", TRACE, "--apply", "scale:0.5", "--force", "-o", disk / "lines.json"],
        "repro": ["repro", small, "--python", slow_python(small.parent), "--force", "-o", disk / "piece.pyz"],
    }


WRITTEN = {
    "site/index.html": b"<!d", "one.pyz": b"PK", "bundle.parquet": b"PAR1", "profile.json": b"{",
    "v.json": b"{", "page.html": b"<!d", "spans.json": b"{", "lines.json": b"{", "piece.pyz": b"PK",
}  # fmt: skip
WRITTEN = {name: begin + b" dlbricks before" for name, begin in WRITTEN.items()}
WRITTEN["spans.jsonl.gz"] = gzip.compress(b"dlbricks before", mtime=0)
"""What verbs write: a file of another kind, or that does not name dlbricks, is replaced by none."""
CAUSES = {
    True: ("No space left on device", "disk is full"),
    False: ("Read-only file system", "the disk is read-only", "cannot write"),
}


@pytest.mark.parametrize("full", [True, False], ids=["full", "read-only"])
def test_no_room_is_one_line_and_leaves_nothing_behind(
    result: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    """Every verb that writes, to a disk without room and to one that may not be written: files of before stay."""
    monkeypatch.setitem(pair.PAIRS_NEEDED, 0, 1)
    monkeypatch.setattr(search, "_WHOLE_PAIRS", 1)
    store = tmp_path / "kept.sqlite"
    finished(dlbricks_command("submit", result, "--store", store, "--suite", ROOT / "suites" / "smoke"))
    with small_disk(tmp_path / "disk", "64k") as mounted:
        disk = tmp_path / "disk"
        before = {disk / name: content for name, content in WRITTEN.items()}
        (disk / "site").mkdir()
        for path, content in before.items():
            path.write_bytes(content)
        if full:
            with contextlib.suppress(OSError), (disk / "full").open("wb", buffering=0) as rest:
                while rest.write(bytes(4096)):
                    before[disk / "full"] = bytes(rest.tell())
        else:
            mounted("ro")
        for name, arguments in writing_verbs(result, store, disk).items():
            came = called(arguments, Limits(seconds=120))
            assert came.kind == "refused", (name, came)
            assert came.code in REFUSAL_CODES, (name, came)
            assert came.reason.startswith("error: "), (name, came)
            assert any(words in came.reason for words in CAUSES[full]), (name, came)
            files = (path for path in disk.rglob("*") if path.is_file())
            left = {path: path.read_bytes() for path in files if path.stat().st_size}  # SQLite makes its file first
            assert left == before, (name, came)


MIDWAY = ("site", "publish", "analyse", "report", "export", "export-packed", "whatif")
"""Verbs that write more than a page of memory, quickly."""


def test_a_disk_that_fills_up_leaves_nothing_half_written(result: Path, tmp_path: Path) -> None:
    """There is room for the beginning of what is written, and what was there before stays."""
    store = tmp_path / "kept.sqlite"
    finished(dlbricks_command("submit", result, "--store", store, "--suite", ROOT / "suites" / "smoke"))
    with small_disk(tmp_path / "disk", "16k"):
        disk = tmp_path / "disk"
        (disk / "page.html").write_bytes(b"before")
        verbs = writing_verbs(result, store, disk)
        for name in MIDWAY:
            came = called(verbs[name], Limits(seconds=120))
            assert (came.kind, came.reason.startswith("error: cannot write")) == ("refused", True), (name, came)
            assert {path: path.read_bytes() for path in disk.rglob("*")} == {disk / "page.html": b"before"}, name


def test_a_disk_that_fills_up_during_a_run_costs_no_saved_visit(suite: Path, tmp_path: Path) -> None:
    """The run ends with one line; what was saved stays whole, and once there is room the run goes on from it."""
    with small_disk(tmp_path / "disk", "4m"):
        out, partial, rest = (tmp_path / "disk" / name for name in ("r.json", "r.partial.json", "full"))
        command = [sys.executable, "-c", _RUN, str(suite), "-o", str(out), "--target-error", "0.001%", "--name", "here"]
        process = started([*command, "--budget", "600"])
        wait_for(partial.exists, process)
        with rest.open("wb", buffering=0) as file:
            while process.poll() is None:
                with contextlib.suppress(OSError):
                    file.write(bytes(4096))
        _, said = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, said.splitlines()[-1]) == (
            2,
            f"error: cannot write {partial}: No space left on device",
        )
        assert {path.name for path in out.parent.iterdir()} == {partial.name, rest.name}
        saved, seconds = visits(partial), json.loads(partial.read_text())["timing"]["wall_ns"] / 1e9
        assert any(saved.values())
        rest.unlink()
        finished([*command, "--resume", "--budget", f"{6 + seconds:.0f}"])
        assert {path.name for path in out.parent.iterdir()} == {out.name}
        for fingerprint, made in visits(out).items():
            assert made[: len(saved[fingerprint])] == saved[fingerprint]
            assert len({visit["start_ns"] for visit in made}) == len(made)


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities of Linux")
def test_a_folder_of_somebody_else_is_one_line(result: Path) -> None:
    """For a user who may read and not write there; nothing is made, and no work is done before."""
    with tempfile.TemporaryDirectory() as made:
        place, folder = Path(made), Path(made) / "theirs"
        place.chmod(0o777)
        (folder / "site").mkdir(parents=True)
        store = place / "kept.sqlite"
        finished(dlbricks_command("submit", result, "--store", store, "--suite", ROOT / "suites" / "smoke"))
        verbs = writing_verbs(result, store, folder)
        store.chmod(0o666)
        folder.chmod(0o555)
        try:
            for name in MIDWAY:
                came = called(verbs[name], Limits(seconds=120), privileged=False)
                assert (came.kind, came.code) == ("refused", 2), (name, came)
                assert "Permission denied" in came.reason, (name, came)
                assert [path.name for path in folder.rglob("*")] == ["site"], name
        finally:
            folder.chmod(0o755)


_JUMPING = """
import time
_now, _calls = time.time_ns, [0]
def time_ns():
    _calls[0] += 1
    return _now() + 86_400_000_000_000 * (_calls[0] // 3 % 3 - 1)
time.time_ns, time.time = time_ns, lambda: time_ns() / 1e9
"""
"""Moves the wall clock of every Python process a day back and forth, from its start."""


def test_a_clock_that_jumps_spoils_no_time(suite: Path, tmp_path: Path) -> None:
    """Durations come from another clock; a date may be a day off, and no more is."""
    (tmp_path / "sitecustomize.py").write_text(_JUMPING)
    out = tmp_path / "r.json"
    arguments = ["-o", str(out), "--target-error", "90%", "--name", "here"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    process = started([sys.executable, "-c", _RUN, str(suite), *arguments], environment)
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said
    document = json.loads(out.read_text())
    assert abs(document["started_unix_ns"] - time.time_ns()) < 2 * 86_400_000_000_000
    assert 0 < document["timing"]["timed_ns"] < document["timing"]["wall_ns"] < PATIENCE_S * 10**9
    for entry in document["benchmarks"]:
        assert all(0 < sample < 10**9 for visit in entry["visits"] for sample in visit["samples_ns"])
        assert all(0 <= visit["start_ns"] < document["timing"]["wall_ns"] for visit in entry["visits"])
