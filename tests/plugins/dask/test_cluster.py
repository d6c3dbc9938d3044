"""Networks read on a Dask cluster give the same suite, and what dies there costs its own item."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dlbricks.errors import InputError
from dlbricks.plugins.dask.cluster import DaskWorkers
from dlbricks.process_pool import Crashed
from tests.cli.conftest import dlbricks, own_store  # noqa: F401 - fixtures
from tests.cli.invoking import Run
from tests.robustness.test_workers import PLENTY, misbehave

dask = pytest.importorskip("dask", reason="needs distributed")
distributed = pytest.importorskip("distributed", reason="needs distributed")

NETWORKS = Path(__file__).parents[3] / "suites" / "networks"
SMALL = [str(NETWORKS / f"{name}.onnx") for name in ("tv_squeezenet1_1", "misc_lstm_lm")]


@contextlib.contextmanager
def cluster(threads: int = 2, **settings: object) -> Iterator[str]:
    """Start a worker of some threads here as somebody else's cluster; gives its address."""
    with (
        dask.config.set({f"distributed.{name.replace('_', '.')}": value for name, value in settings.items()}),
        distributed.LocalCluster(n_workers=1, threads_per_worker=threads, dashboard_address=":0") as made,
    ):
        yield made.scheduler_address


def lose(path: Path) -> str:
    """Kill the worker of the cluster: once if a file can be made that says so, else every time."""
    if path.name != "fine" and not path.exists():
        with contextlib.suppress(FileNotFoundError):
            path.touch()
        os.kill(os.getppid(), signal.SIGKILL)
    return path.name


def test_the_suite_is_the_same_and_a_broken_network_is_left_out(dlbricks: Run, tmp_path: Path) -> None:  # noqa: F811
    """Byte for byte what processes of this machine give, messages too."""
    (tmp_path / "broken.onnx").write_bytes(b"none")
    (tmp_path / "there").mkdir()
    with cluster(worker_daemon=False) as address:
        asked = ("generate", SMALL[1], "broken.onnx", "--target", "onnxruntime-cpu", "--pack", "--decoys", SMALL[0])
        here = dlbricks(*asked, "-o", "here.tar.gz", "--jobs", "2")
        there = dlbricks(*asked, "-o", "there/here.tar.gz", "--executor", f"dask:{address}")
    assert (tmp_path / "there/here.tar.gz").read_bytes() == (tmp_path / "here.tar.gz").read_bytes()
    left_out = [[one for one in result.stderr.splitlines() if "left out" in one] for result in (here, there)]
    assert left_out[0] == left_out[1] != []


def test_each_end_is_told_and_costs_its_own_item() -> None:
    """A cluster of one's own: crash, too much memory and silent end have the reasons that they have without it."""
    names = ("first", "crash", "eat", "end", "last")
    with DaskWorkers("", target="portable", jobs=2, memory_bytes=PLENTY) as workers:
        made = workers.each(misbehave, [Path(name) for name in names], lambda _: None)
        with pytest.raises(InputError, match=r"^refused$"):
            workers.each(misbehave, [Path("refuse")], lambda _: None)
    assert (made[0], made[-1]) == ("first", "last")
    crashes = [one for one in made if isinstance(one, Crashed)]
    assert [one.item for one in crashes] == [Path("crash"), Path("eat"), Path("end")]
    for crash, part in zip(crashes, ("SIGSEGV", "--memory-limit", "exit"), strict=True):
        assert part in crash.reason


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    """What it was reading, or was to read, is read again; what ends every worker is given up.

    With one thread, so that the first item is the first to kill: beside another it might do so only when it is alone.
    """
    paths = [tmp_path / "once", tmp_path / "none" / "always", Path("fine")]
    counts: list[int] = []
    with (
        cluster(1, worker_daemon=False, **{"scheduler_allowed-failures": 0}) as address,
        DaskWorkers(address, target="portable") as workers,
    ):
        made = workers.each(lose, paths, counts.append)
    assert made == ["once", Crashed(paths[1]), "fine"]
    assert isinstance(made[1], Crashed)
    assert made[1].reason == "every worker of the Dask cluster that read it died"
    assert counts == [1, 2, 3]


def test_what_cannot_be_is_refused_in_one_line(
    dlbricks: Run,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No scheduler, workers that may not fork, another folder, a GPU's suite, another executor, no Dask; no suite."""
    with cluster() as daemonic, cluster(worker_daemon=False) as good:
        for option, part in (
            ("dask:tcp://127.0.0.1:9", "no Dask cluster answers at tcp://127.0.0.1:9"),
            ("dask:here:there:1", "no Dask cluster answers at here:there:1"),
            (f"dask:{daemonic}", "start it with dask worker --no-nanny"),
            ("ray", "unknown executor 'ray': expected NAME or NAME:ADDRESS of a plug-in (dask)"),
        ):
            error = dlbricks("generate", SMALL[1], "-o", "suite", "--executor", option, code=2).stderr
            assert part in error.splitlines()[-1]
            assert not (tmp_path / "suite").exists()
        monkeypatch.setattr("dlbricks.plugins.dask.cluster.__version__", "0.0")
        error = dlbricks("generate", SMALL[1], "-o", "suite", "--executor", f"dask:{good}", code=2).stderr
        assert "this machine dlbricks 0.0" in error.splitlines()[-1]
    with pytest.raises(InputError, match="works for CPU targets, not for onnxruntime-cuda"):
        DaskWorkers("", target="onnxruntime-cuda")
    monkeypatch.setitem(sys.modules, "distributed", None)
    error = dlbricks("generate", SMALL[1], "-o", "suite", "--executor", "dask", code=3).stderr
    assert error.splitlines()[-1].endswith("pip install 'dlbricks[dask]' (in a clone: pip install -e '.[dask]')")
