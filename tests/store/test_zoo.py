"""Every readable version of a store, bundle, result, statement and suite gives the recorded answers, byte for byte."""

import hashlib
import json
import lzma
import tarfile
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from dlbricks.cli.app import main
from dlbricks.store.bundle import BUNDLE_SCHEMA_VERSION, Bundle, publish
from dlbricks.store.database import ResultStore
from tests.cli.conftest import own_store  # noqa: F401 - fixture
from tests.store.record_zoo import NOW_UNIX_NS, ZOO
from tests.store.stored import all_rows

ANSWERS = ZOO.with_name("store_zoo_answers.jsonl.xz")
"""A line per command with its arguments, exit code and output; ``pytest --golden`` rewrites it."""
NETWORK = str(Path(__file__).parents[2] / "suites" / "networks" / "tv_squeezenet1_1.onnx")
SYSTEMS = ("quiet", "recorded-for-tests", "withdrawn")
_SPLIT = ("-H", "8", "--allow-missing", "--json")


@pytest.fixture(autouse=True)
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unpack the archive, at the time at which it was recorded."""
    monkeypatch.setattr(time, "time_ns", lambda: NOW_UNIX_NS)
    with tarfile.open(ZOO) as archive:
        archive.extractall(tmp_path, filter="data")


def _commands() -> list[tuple[str, ...]]:
    with tarfile.open(ZOO) as archive:
        names = sorted(archive.getnames())
    commands: list[tuple[str, ...]] = []
    results = [name for name in names if name.startswith("result_")]
    statements = [name for name in names if name.startswith("statement_") and name.endswith(".json")]
    for name in (name for name in names if name.endswith(".sqlite")):
        listing = (("query",), ("systems",), ("systems", "--all"), ("suites",), ("key", "owned"))
        filters = (("query", "--system", "quiet", "--operator", "concat", "--limit", "3"),)
        commands += [(*command, "--store", name, "--json") for command in (*listing, *filters)]
        commands += [("estimate", NETWORK, "--system", system, "--store", name, *_SPLIT) for system in SYSTEMS]
        commands += [("submit", result, "--store", name, "--json") for result in results if "full" in result]
        commands += [("submit", statement, "--store", name, "--json") for statement in statements]
    for name in (name for name in names if name.endswith(".parquet")):
        commands += [("estimate", NETWORK, "--system", system, "--bundle", name, *_SPLIT) for system in SYSTEMS]
    return commands + [("check", name, "--json") for name in results]


def test_answers_stay_as_recorded(tmp_path: Path, rewrite_golden: bool) -> None:
    """``query``, ``systems``, ``suites``, ``key``, ``estimate``, ``submit`` and ``check`` with ``--json``."""
    answers = []
    for command in _commands():
        answer = CliRunner().invoke(main, list(command), catch_exceptions=False)
        arguments = [argument.replace(NETWORK, "NETWORK") for argument in command]
        output = [line.replace(NETWORK, "NETWORK") for line in (answer.stdout, answer.stderr)]
        answers.append({"arguments": arguments, "code": answer.exit_code, "stdout": output[0], "stderr": output[1]})
    for path in sorted(tmp_path.glob("*.sqlite")):
        rows = json.dumps(all_rows(f"sqlite:///{path}"))
        answers.append({"arguments": ["rows", path.name], "sha256": hashlib.sha256(rows.encode()).hexdigest()})
    lines = "".join(json.dumps(answer) + "\n" for answer in answers)
    if rewrite_golden:
        ANSWERS.write_bytes(lzma.compress(lines.encode(), preset=9))
    for line, current in zip(lzma.decompress(ANSWERS.read_bytes()).splitlines(), answers, strict=True):
        assert current == json.loads(line)


def test_a_bundle_is_published_as_recorded(tmp_path: Path) -> None:
    """Rows, columns, their types, and the metadata."""
    newest = max(tmp_path.glob("store_v*.sqlite"), key=lambda path: int(path.stem.removeprefix("store_v")))
    with ResultStore.open(str(newest)) as store:
        publish(store, tmp_path / "again.parquet")
    former, again = (
        pq.read_table(tmp_path / name) for name in (f"bundle_v{BUNDLE_SCHEMA_VERSION}.parquet", "again.parquet")
    )
    assert again.equals(former)
    # fields of the metadata that were added later have their defaults in older bundles
    heads = [
        Bundle.open(tmp_path / name, lambda _: "").head
        for name in (f"bundle_v{BUNDLE_SCHEMA_VERSION}.parquet", "again.parquet")
    ]
    assert heads[0] == heads[1]
