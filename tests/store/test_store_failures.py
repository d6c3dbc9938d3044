"""Full disks, missing permissions, damaged files and kills: one line, nothing half-stored, nothing lost."""

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from dlbricks.errors import DlbricksError, InputError, MissingDependencyError
from dlbricks.settings import SystemQuery
from dlbricks.store import tables
from dlbricks.store.database import ResultStore
from dlbricks.store.tables import default_store_url, parse_url, place_of
from dlbricks.store.types import Submission
from tests.store.stored import (
    all_rows,
    configuration,
    make_older,
    submission,
    upgraded_by_one_that_is_killed,
    without_origins,
)

_BEFORE = submission(range(40), started=1)


def _big() -> Submission:
    return submission(range(20_000), started=2, body=b'{"a": "%s"}' % os.urandom(2_000_000).hex().encode())


def _run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the tests in a process of its own, beside the helper modules."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )


@pytest.fixture
def place(tmp_path: Path) -> str:
    """A store that holds one submission."""
    place = str(tmp_path / "store.sqlite")
    with ResultStore.open(place, create=True) as store:
        store.add(_BEFORE)
    return place


_FULL = """
import resource, sys
from tests.store.stored import submission
from dlbricks.errors import InputError
from dlbricks.store.database import ResultStore
import os
with ResultStore.open(sys.argv[1]) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, resource.RLIM_INFINITY))
    try:
        store.add(submission(range(20_000), started=2, body=b'{"a": "%s"}' % os.urandom(2_000_000).hex().encode()))
    except InputError as error:
        print(error)
"""


def test_no_room_left(place: str) -> None:
    """When the file may not grow, submitting fails in one line; what was stored before is there, and only that."""
    ran = _run(_FULL, place)
    assert ran.stderr == ""
    assert ran.stdout.startswith(f"store {place}: ")
    assert ran.stdout.count("\n") == 1
    assert "nothing was stored" in ran.stdout
    with ResultStore.open(place) as store:
        assert without_origins(store.results(SystemQuery(system="lab"))) == _BEFORE.results
        assert len(store.history.submissions()) == 1


def test_disk_full(tmp_path: Path) -> None:
    """On a disk that is full, submitting fails in one line; what was stored before is there, and only that."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root may mount a small disk")
    try:
        place = str(disk / "store.sqlite")
        with ResultStore.open(place, create=True) as store:
            store.add(_BEFORE)
            with pytest.raises(InputError, match="the disk is full; nothing was stored"):
                store.add(_big())
        with ResultStore.open(place) as store:
            assert without_origins(store.results(SystemQuery(system="lab"))) == _BEFORE.results
    finally:
        subprocess.run(["umount", str(disk)], check=True)


_SUBMIT_BIG = """
import sys
from test_store_failures import _big
from dlbricks.store.database import ResultStore
given = _big()
with ResultStore.open(sys.argv[1]) as store:
    print("ready", flush=True)
    store.add(given)
    print("done", flush=True)
"""


@pytest.mark.parametrize("after", [0, 1_000, 1_000_000, 3_000_000])
def test_killed_in_the_middle(place: str, after: int) -> None:
    """A process killed while it submits leaves the store as it was, or holds the whole submission; never a part."""
    with subprocess.Popen(
        [sys.executable, "-c", _SUBMIT_BIG, place], cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        log = Path(f"{place}-wal")
        before = log.stat().st_size if log.exists() else 0
        while process.poll() is None and (log.stat().st_size if log.exists() else 0) < before + after:
            time.sleep(0.0005)
        process.send_signal(signal.SIGKILL)
    with ResultStore.open(place) as store:
        stored = {each.digest: each.results for each in store.history.submissions()}
        assert stored[_BEFORE.digest] == 40
        counts = {each.submission: 0 for each in store.query()}
        for each in store.query():
            counts[each.submission] += 1
        assert counts == stored
        store.add(submission(range(3), started=3, of=configuration("next")))


def upgrade_again(url: str, version: int) -> None:
    """Kill the upgrade of a store after ever more statements: all is as it was, and whoever comes next upgrades it."""
    with ResultStore.open(url, create=True) as store:
        for number in range(4):
            store.add(submission(range(9), started=5, of=configuration(f"other-{number}" if number else "lab")))
        expected = (store.results(SystemQuery(system="lab")), store.history.submissions(), store.query())
    make_older(url, version)
    before, statements = all_rows(url), 0
    while not upgraded_by_one_that_is_killed(url, statements):
        assert all_rows(url) == before, statements
        statements += 9
    assert statements > 2 * 9
    with ResultStore.open(url) as store:
        assert (
            store.results(SystemQuery(system="lab")),
            store.history.submissions(),
            store.query(),
        ) == expected
        assert store.add(submission(range(9), started=4))


def test_an_upgrade_that_is_killed_can_be_repeated(tmp_path: Path) -> None:
    """The store is the older one or the newer one, whole, at whatever statement of the upgrade it was killed."""
    upgrade_again(f"sqlite:///{tmp_path / 'older.sqlite'}", 4)


_UNPRIVILEGED = """
import os, sys
from tests.store.stored import submission
from dlbricks.errors import InputError
from dlbricks.store.database import ResultStore
ResultStore.open("sqlite://", create=True).close()
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    with ResultStore.open(sys.argv[1], create=True) as store:
        store.add(submission(range(3)))
except InputError as error:
    print(error)
"""


@pytest.mark.parametrize(("what", "mode"), [("store.sqlite", 0o444), ("store.sqlite", 0), (".", 0o555), (".", 0)])
def test_no_permission(place: str, what: str, mode: int) -> None:
    """Without permission on the file or its folder, submitting fails in one line."""
    folder = Path(place).parent
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)
    target = folder / what
    before = target.stat().st_mode
    target.chmod(mode)
    ran = _run(_UNPRIVILEGED, place)
    target.chmod(before)
    assert ran.stderr == ""
    assert ran.stdout.startswith(f"store {place}: ")
    assert ran.stdout.count("\n") == 1


def test_no_permission_to_make_one(tmp_path: Path) -> None:
    """A folder that may not be written into is named."""
    tmp_path.chmod(0o500)
    ran = _run(_UNPRIVILEGED, str(tmp_path / "deep" / "store.sqlite"))
    tmp_path.chmod(0o700)
    assert "Permission denied" in ran.stdout
    assert ran.stderr == ""


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_gives_one_line(place: str, seed: int) -> None:
    """Whatever bytes of a store are overwritten or cut off, it answers, or says so in one line."""
    rng = random.Random(seed)  # noqa: S311 - reproducible damage, no secret
    data = bytearray(Path(place).read_bytes())
    if seed % 4 == 0:
        del data[rng.randrange(len(data)) :]
    else:
        for _ in range(rng.choice([1, 10, 200])):
            start = rng.randrange(len(data))
            length = rng.choice([1, 4, 64])
            data[start : start + length] = rng.randbytes(len(data[start : start + length]))
    Path(place).write_bytes(data)
    try:
        with ResultStore.open(place, create=bool(seed % 2)) as store:
            (
                store.systems(),
                store.history.submissions(),
                store.query(),
                store.results(SystemQuery(system="lab")),
            )
            store.document(_BEFORE.digest)
            store.add(submission(range(9), started=4))
    except DlbricksError as error:
        assert "\n" not in str(error)


def test_a_truncated_store_loses_nothing_silently(place: str) -> None:
    """A store cut in half does not pass for a smaller one."""
    data = Path(place).read_bytes()
    Path(place).write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="damaged"), ResultStore.open(place) as store:
        store.query()


def test_the_limit_of_the_test_is_real() -> None:
    """The limit that stands for a full disk exists on this system."""
    assert resource.RLIMIT_FSIZE is not None
    assert sqlite3.sqlite_version_info >= (3, 35)


def test_an_older_store_that_may_not_be_written(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who may only read it is told in one line what whoever may write has to do; nothing is changed."""
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE meta SET value = '7' WHERE key = 'schema_version'")
    connect = tables.connect

    def reading_only(*arguments: Any, **options: Any) -> Engine:
        engine = connect(*arguments, **options)
        event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA query_only=ON"))
        return engine

    with monkeypatch.context() as patch:
        patch.setattr(tables, "connect", reading_only)
        with pytest.raises(
            InputError, match=r"its version 7 must be upgraded, .*: run 'dlbricks systems --store "
        ) as caught:
            ResultStore.open(place)
    assert "\n" not in str(caught.value)
    with ResultStore.open(place) as store:
        assert without_origins(store.results(SystemQuery(system="lab"))) == _BEFORE.results


@pytest.mark.parametrize(
    ("variables", "url"),
    [
        ({"DLBRICKS_STORE": "postgresql://host/name"}, "postgresql://host/name"),
        ({"XDG_DATA_HOME": "/data"}, "sqlite:////data/dlbricks/store.sqlite"),
        ({"HOME": "/home/me"}, "sqlite:////home/me/.local/share/dlbricks/store.sqlite"),
    ],
)
def test_default_store(variables: dict[str, str], url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment names the store, else it lies in the user's data folder."""
    for name in ("DLBRICKS_STORE", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert default_store_url() == url


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mysql://host/name", "unsupported database 'mysql' of a store: use one of postgresql, sqlite"),
        ("://", "invalid store '://'"),
        ("sqlite:///x?y=[", "is not a store|does not exist"),
    ],
)
def test_bad_urls(text: str, said: str) -> None:
    """What is no URL, or the URL of an engine that is not known, is refused."""
    with pytest.raises(InputError, match=said):
        ResultStore.open(text)


def test_passwords_are_not_shown() -> None:
    """Messages name the place without its password."""
    assert place_of(parse_url("postgresql://me:secret@host/name")) == "postgresql://me:***@host/name"


def test_a_missing_driver_is_named() -> None:
    """An engine whose package is not installed says which to install."""
    with pytest.raises(MissingDependencyError, match=r"psycopg: run pip install 'dlbricks\[postgresql\]'"):
        ResultStore.open("postgresql+pg8000://host.invalid/name")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("folder", "is a folder: name a file in it"),
        ("notes.txt/store.sqlite", "store .*Not a directory|store .*File exists"),
        ("notes.txt", "the file is not a SQLite database; name another file"),
    ],
)
def test_what_is_in_the_way_is_left_as_it_was(tmp_path: Path, name: str, said: str) -> None:
    """A folder, a file of another kind, and a parent that is a file are refused."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("not a database, only notes\n" * 100)
    with pytest.raises(InputError, match=said):
        ResultStore.open(str(tmp_path / name), create=True)
    assert (tmp_path / "notes.txt").read_text() == "not a database, only notes\n" * 100
