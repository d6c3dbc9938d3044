"""Values of other types and sizes in columns of a store: SQLite keeps them, and no question is answered by them."""

import contextlib
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from dlbricks.errors import DlbricksError, InputError
from dlbricks.settings import SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.tables import metadata
from tests.store.stored import configuration, submission

_VALUES: tuple[object, ...] = (b"\x00\x01", "[" * 5000, -1, float("inf"), None)
_FIGURES = (
    "llc_warm_ns",
    "weights_cold_ns",
    "latency_ns",
    "low_ns",
    "high_ns",
    "samples",
    "wall_ns",
    "verdict",
    "hot_loop_ns",
)


@pytest.fixture
def place(tmp_path: Path) -> str:
    """A store of two submissions, one of an asynchronous provider, an event and a suite."""
    place = str(tmp_path / "store.sqlite")
    with ResultStore.open(place, create=True) as store:
        store.add(submission(range(6), started=1))
        store.add(submission(range(6), started=2, of=configuration("device", provider="cuda"), asynchronous=True))
        store.history.withdraw(store.history.submissions()[0].digest, "a fan was off")
        store.history.withdraw(store.history.submissions()[0].digest, "it was not", restore=True)
    return place


def _write(place: str, table: str, column: str, value: object) -> None:
    """Put a value into a column of all rows, whatever the tables allow."""
    with contextlib.closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("PRAGMA synchronous=OFF")  # whatever the disk needs is no matter here
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE name = ?", (table,))
    several = contextlib.suppress(sqlite3.IntegrityError)  # it is a key of several rows
    with several, contextlib.closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute(f"UPDATE {table} SET {column} = ?", (value,))  # noqa: S608 - names of the tests


def _answers(store: ResultStore) -> Iterator[object]:
    """Ask everything that is asked of a store."""
    yield store.systems()
    yield store.history.submissions()
    yield store.registry.suites()
    yield store.history.events()
    yield store.labels()
    for system in ("lab", "device"):
        yield store.names.keys(system)
        yield store.split_settings(system)
        yield store.results(SystemQuery(system=system))
    yield [*store.results_of_all()]
    yield store.query()
    for one in store.history.submissions():
        yield store.head(one.digest), store.history.signature(one.digest)
        yield [*store.widths(one.suite_digest)]
        yield store.document(one.digest)


@pytest.mark.parametrize("table", sorted(set(metadata.tables) - {"meta"}))
def test_any_value_in_any_column_is_read_or_refused(place: str, table: str) -> None:
    """One line, whatever is asked."""
    data = Path(place).read_bytes()
    for column in metadata.tables[table].columns:
        for value in _VALUES:
            Path(place).write_bytes(data)
            _write(place, table, column.name, value)
            try:
                with ResultStore.open(place) as store:
                    assert len([*_answers(store)]) > 12
            except DlbricksError as error:
                assert "\n" not in str(error), (table, column.name, value)


@pytest.mark.parametrize("value", [-1, 1.5, "abc", b"\x00", float("inf"), 2**60])
@pytest.mark.parametrize("column", _FIGURES)
def test_figures_that_cannot_be_are_no_answer(place: str, column: str, value: object) -> None:
    """A latency that is negative, no number, or outside of its interval is refused, not composed."""
    if column in {"llc_warm_ns", "weights_cold_ns", "samples", "wall_ns", "hot_loop_ns", "verdict"} and value == 2**60:
        value = -(2**60)
    _write(place, "results", column, value)
    with ResultStore.open(place) as store:
        for ask in (store.query, lambda: store.results(SystemQuery(system="lab"))):
            with pytest.raises(InputError, match="is damaged: restore it from a backup"):
                ask()


def test_a_document_that_unpacks_to_much_is_refused(place: str) -> None:
    """A few hundred kilobytes that stand for gigabytes are not unpacked."""
    _write(place, "submissions", "body", zlib.compress(bytes(1 << 28)))
    with ResultStore.open(place) as store, pytest.raises(InputError, match="is damaged"):
        store.document(store.history.submissions()[0].digest)
