"""The store in a real PostgreSQL server, which the tests start for themselves where one is installed."""

import importlib.util
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event

from dlbricks.errors import CheckError, InputError
from dlbricks.settings import SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.submission import digest_of, submit
from dlbricks.store.summary import measurements
from dlbricks.suite.manifest import to_document
from dlbricks.typed_json import canonical_json
from tests.cli.conftest import dlbricks, own_store  # noqa: F401 - fixtures
from tests.cli.invoking import Run
from tests.harness.waiting import PATIENCE_S
from tests.store.made_up_run import document, suite
from tests.store.stored import configuration, fingerprint, submission, without_origins
from tests.store.test_store_failures import upgrade_again

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
    with pytest.raises(InputError, match="is not a dlbricks store"):
        ResultStore.open(url)
    with ResultStore.open(url, create=True) as store:
        with pytest.raises(CheckError, match=r"suite made-up .* is not registered"):
            submit(store, data)
        receipt = submit(store, data, suite=suite(sequences=2))
        assert [receipt.new, submit(store, data).new] == [True, False]
        assert store.add(submission(range(2500)))
        assert store.add(submission(range(3), started=9, of=configuration("cloud")))
    with ResultStore.open(url) as store:
        assert json.loads(store.document(receipt.digest)) == given
        assert without_origins(store.results(SystemQuery(system="quiet-9000"))) == measurements(given)
        wanted = [fingerprint(number) for number in range(1000, 4000)]
        found = store.results(SystemQuery(system="lab"), fingerprints=wanted).measurements
        assert set(found) == {fingerprint(number) for number in range(1000, 2500)}
        assert [each.configuration.system for each in store.systems()] == ["cloud", "lab", "quiet-9000"]
        assert [each.results for each in store.history.submissions()] == [2, 3, 2500]
        assert len(store.query(operator="relu")) == 2505
        assert store.query(fingerprint="%") == ()


def test_a_store_elsewhere_is_not_told_what_is_asked_for(url: str) -> None:
    """A store on another machine gets no fingerprint to search for; the answer is the same as from a file."""
    sent: list[str] = []
    with ResultStore.open(url, create=True) as store:
        assert store.add(submission(range(20)))
        event.listen(
            store.database.engine,
            "before_cursor_execute",
            lambda _connection, _cursor, statement, parameters, *_: sent.append(f"{statement} {parameters}"),
        )
        found = store.results(SystemQuery(system="lab"), fingerprints=[fingerprint(3), fingerprint(99)])
    assert list(found.measurements) == [fingerprint(3)]
    assert sent
    assert not any(fingerprint(number) in text for number in (3, 99) for text in sent)


_FORK = multiprocessing.get_context("fork")


def _submit_all(url: str, documents: list[bytes]) -> None:
    with ResultStore.open(url) as store:
        for data in documents:
            submit(store, data)


def _named(system: str, seed: int) -> bytes:
    made = document(sequences=2, seed=seed)
    made["system"]["name"] = system
    return json.dumps(made).encode()


def test_twenty_submitters_at_once_some_of_them_killed(url: str) -> None:
    """All that was sent is there once when those that were killed have sent theirs again; nothing else is."""
    with ResultStore.open(url, create=True) as store:
        assert store.registry.register(to_document(suite(sequences=2)))
    common = _named("all", 1000)
    given = [[_named(f"system-{number % 4}", number), common] for number in range(20)]
    senders = [_FORK.Process(target=_submit_all, args=(url, one)) for one in given]
    for sender in senders:
        sender.start()
    rng = random.Random(3)  # noqa: S311 - no secret
    for sender in senders[:6]:
        time.sleep(rng.uniform(0, 0.1))
        sender.kill()
    for sender in senders:
        sender.join(PATIENCE_S)
    assert [sender.exitcode for sender in senders[6:]] == [0] * 14
    for one in given[:6]:
        _submit_all(url, one)
    with ResultStore.open(url) as store:
        held = store.history.submissions()
        assert sorted(one.digest for one in held) == sorted({digest_of(data) for some in given for data in some})
        assert {one.results for one in held} == {2}
        assert len(store.query()) == 2 * 21
        assert {store.document(one.digest) for one in held} == {canonical_json(json.loads(d)) for s in given for d in s}


def test_an_upgrade_that_is_killed_can_be_repeated(url: str) -> None:
    """A client that dies in the middle of an upgrade leaves the older store, of which the next one makes the newer."""
    upgrade_again(url, 6)


def test_every_verb_of_results(url: str, dlbricks: Run, tmp_path: Path) -> None:  # noqa: F811 - the fixture
    """What asks a store, or changes it, does so in PostgreSQL as in a file."""
    result, network = tmp_path / "r.json", Path(__file__).parents[2] / "suites" / "networks" / "misc_lstm_lm.onnx"
    result.write_bytes(_named("quiet-9000", 1))
    with ResultStore.open(url, create=True) as store:
        store.registry.register(to_document(suite(sequences=2)))
    here = ("--system", "quiet-9000")
    for arguments in (
        ("submit", str(result)),
        ("suites",),
        ("systems",),
        ("systems", "--all"),
        ("query", "--operator", "conv"),
        ("compare", "quiet-9000", "quiet-9000"),
        ("coverage", str(network), *here),
        ("estimate", str(network), *here, "--allow-missing"),
        ("plan", str(network), *here, "-o", str(tmp_path / "rest")),
        ("challenge", "audit", str(result), "--reason", "a test"),
        ("site", url, "-o", str(tmp_path / "site")),
        ("publish", url, "-o", str(tmp_path / "b.parquet")),
        ("withdraw", str(result), "--reason", "a test"),
    ):
        given = arguments if url in arguments else (*arguments, "--store", url)
        assert dlbricks(*given, "--json").exit_code == 0
    with ResultStore.open(url) as store:
        assert store.systems() == ()
        assert [one.trust for one in store.history.submissions()] == ["audited"]
