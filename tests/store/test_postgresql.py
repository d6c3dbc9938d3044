"""The store in a real PostgreSQL server, which the tests start for themselves where one is installed."""

import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event

from dlbricks.errors import InputError
from dlbricks.store.database import ResultStore
from dlbricks.store.submission import submit
from dlbricks.store.summary import measurements
from dlbricks.store.systems import ConfigurationFilter
from tests.store.made_up_run import document, suite
from tests.store.stored import configuration, fingerprint, submission

_BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


@pytest.fixture
def url() -> Iterator[str]:
    """The URL of an empty database; the server runs as another user where the tests run as root, as it must."""
    initdb = shutil.which("initdb") or (_BINARIES and str(_BINARIES[-1]))
    if not initdb or importlib.util.find_spec("psycopg") is None:
        pytest.skip("needs PostgreSQL and the package psycopg")
    user = "nobody" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        if user:
            shutil.chown(folder, user)

        def run(*command: str) -> None:
            subprocess.run(command, user=user, check=True, capture_output=True, cwd=folder, extra_groups=[])

        control = (str(Path(initdb).with_name("pg_ctl")), "-D", f"{folder}/data", "-w", "-s")
        run(initdb, "-D", f"{folder}/data", "-A", "trust", "-U", "me")
        run(*control, "-o", f"-k {folder} -c listen_addresses=''", "-l", f"{folder}/log", "start")
        yield f"postgresql+psycopg://me@/postgres?host={folder}"
        run(*control, "-m", "fast", "stop")


def test_postgresql_holds_what_sqlite_does(url: str) -> None:
    """Everything that goes in comes out, once, and can be asked for as from a file."""
    given = document(sequences=2)
    data = json.dumps(given).encode()
    with pytest.raises(InputError, match="is no dlbricks store"):
        ResultStore.open(url)
    with ResultStore.open(url, create=True) as store:
        assert submit(store, data).waits_for == "made-up"
        receipt = submit(store, data, suite=suite(sequences=2))
        assert [receipt.new, submit(store, data).new] == [True, False]
        assert store.waiting() == ()
        assert store.add(submission(range(2500)))
        assert store.add(submission(range(3), started=9, of=configuration("cloud")))
    with ResultStore.open(url) as store:
        assert json.loads(store.document(receipt.digest)) == given
        assert store.results(ConfigurationFilter(system="quiet-9000")) == measurements(given)
        wanted = [fingerprint(number) for number in range(1000, 4000)]
        found = store.results(ConfigurationFilter(system="lab"), fingerprints=wanted).measurements
        assert set(found) == {fingerprint(number) for number in range(1000, 2500)}
        assert [each.configuration.system for each in store.systems()] == ["cloud", "lab", "quiet-9000"]
        assert [each.results for each in store.submissions()] == [2, 3, 2500]
        assert len(store.query(operator="relu")) == 2505
        assert store.query(fingerprint="%") == ()


def test_a_store_elsewhere_is_not_told_what_is_asked_for(url: str) -> None:
    """A store on another machine gets no fingerprint to search for; the answer is the same as from a file."""
    sent: list[str] = []
    with ResultStore.open(url, create=True) as store:
        assert store.add(submission(range(20)))
        event.listen(
            store._engine,
            "before_cursor_execute",
            lambda _connection, _cursor, statement, parameters, *_: sent.append(f"{statement} {parameters}"),
        )
        found = store.results(ConfigurationFilter(system="lab"), fingerprints=[fingerprint(3), fingerprint(99)])
    assert list(found.measurements) == [fingerprint(3)]
    assert sent
    assert not any(fingerprint(number) in text for number in (3, 99) for text in sent)
