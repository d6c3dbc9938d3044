"""Differences between database engines: opening, pragmas, insert-or-ignore, and messages of errors.

The other modules of the store do not depend on the engine. SQLite runs with a write-ahead log and foreign keys, and
takes its write lock at the start of a writing transaction, so that a second writer waits instead of failing midway.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import URL, Connection, Engine, Row, Select, Table, create_engine, event, make_url, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.store.damage import sound
from dlbricks.store.tables import names

if TYPE_CHECKING:
    from dlbricks.store.hook import StoreHook

_T = TypeVar("_T")

Inserting: TypeAlias = Callable[[Table], sqlite.Insert | postgresql.Insert]
"""Returns an ``INSERT`` that supports ``ON CONFLICT``."""

INSERTS: dict[str, Inserting] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
"""Supported database engines."""

EXTRAS = {"postgresql": "psycopg"}
"""Package that an engine needs in addition to SQLAlchemy; the extra ``postgresql`` installs it."""

_MEANINGS = (
    ("database is locked", "another process has been writing to it all the while; try again"),
    ("database or disk is full", "the disk is full; nothing of this was stored"),
    ("disk i/o error", "the disk refused to write or read (full, quota, or broken); nothing of this was stored"),
    ("file is not a database", "the file is no SQLite database; name another file"),
    ("malformed", "the file is damaged; restore a copy of it"),
    ("readonly", "it cannot be written: no permission, or a read-only place"),
    ("unable to open", "it cannot be opened: no permission, or a read-only place"),
    ("authorization denied", "it cannot be opened: no permission"),
    ("decode to utf-8", "the file is damaged; restore a copy of it"),
)
"""Substrings of engines' messages, and messages for the user."""


def default_store_url() -> str:
    """Return ``$DLBRICKS_STORE``, or the SQLite file in the user's data folder (``$XDG_DATA_HOME``)."""
    named = os.environ.get("DLBRICKS_STORE")
    if named:
        return named
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return f"sqlite:///{Path(data) / 'dlbricks' / 'store.sqlite'}"


def parse_url(text: str) -> URL:
    """Parse a database URL; a text without ``://`` is the path of a SQLite file.

    Raises:
        InputError: the URL is malformed, or its engine is not supported.
    """
    try:
        url = make_url(text) if "://" in text else URL.create("sqlite", database=text)
    except (ArgumentError, ValueError) as error:
        message = f"'{text}' is not a store: give a file, or a URL such as sqlite:///store.sqlite"
        raise InputError(message) from error
    if url.get_backend_name() not in INSERTS:
        message = f"{url.get_backend_name()} is not supported for a store: use one of {', '.join(sorted(INSERTS))}"
        raise InputError(message)
    return url


def connect(url: URL, *, create: bool, wait_s: float) -> Engine:
    """Create the SQLAlchemy engine of a store; a SQLite file and its folders are created only if ``create``.

    Raises:
        InputError: the place cannot be used, or has no store and ``create`` is False.
        MissingDependencyError: a package for the engine is not installed.
    """
    backend = url.get_backend_name()
    if backend == "sqlite":
        return _connect_sqlite(url, create=create, wait_s=wait_s)
    try:
        return create_engine(url)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        message = f"a store in {backend} needs the package {EXTRAS[backend]}: pip install '{EXTRAS[backend]}'"
        raise MissingDependencyError(message) from error


def insert_or_ignore(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an ``INSERT`` into ``table`` that skips rows whose key exists."""
    return INSERTS[connection.dialect.name](table).on_conflict_do_nothing()


@dataclass(frozen=True, slots=True)
class Database:
    """The database of an open store. Its errors, and rows that are damaged, are an ``InputError`` of one line."""

    engine: Engine
    place: str
    """Its name in messages."""
    hook: "StoreHook | None" = None

    def read(self, convert: Callable[[Row[Any]], _T], *queries: Select[Any]) -> list[_T]:
        """Return the rows of queries, each converted.

        Raises:
            InputError: the database reports an error, or a row is damaged.
        """
        with self.transaction() as connection:
            return [convert(row) for query in queries for row in connection.execute(query)]

    def rows(self, *queries: Select[Any]) -> list[Row[Any]]:
        """Return the rows of queries as they are; see ``read``."""
        return self.read(lambda row: row, *queries)

    @contextlib.contextmanager
    def transaction(self, *, writes: bool = False) -> Iterator[Connection]:
        """Open a transaction, by default a read-only one, which is committed as a whole or not at all; see ``read``."""
        with sound(self.place), _translated(self.engine.url), self.engine.connect() as connection:
            connection.execution_options(dlbricks_writes=writes)
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a writing transaction.

        Raises:
            InputError: see ``read``.
            MissingDependencyError: names belong to keys, and no hook verifies signatures.
        """
        with self.transaction(writes=True) as connection:
            if self.hook is None and connection.execute(select(names.c.system).limit(1)).first() is not None:
                message = f"store {self.place} has names that belong to keys: writing to it needs the plug-in trust"
                raise MissingDependencyError(message)
            yield connection


@contextlib.contextmanager
def _translated(url: URL) -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        lines = str(cause).splitlines() or [type(cause).__name__]
        meaning = next((meaning for part, meaning in _MEANINGS if part in lines[0].lower()), None)
        said = f"{meaning} ({lines[0]})" if meaning else lines[0]
        message = f"store {place_of(url)}: {said}"
        raise InputError(message) from error
    except UnicodeDecodeError as error:  # the driver cannot decode SQLite's message, which quotes damaged bytes
        raise InputError(f"store {place_of(url)}: the file is damaged; restore a copy of it") from error


def place_of(url: URL) -> str:
    """Return the path or URL of a store for messages, without passwords."""
    if url.get_backend_name() == "sqlite" and url.database:
        return url.database
    return url.render_as_string(hide_password=True)


def _connect_sqlite(url: URL, *, create: bool, wait_s: float) -> Engine:
    in_memory = url.database in (None, "", ":memory:")
    if not in_memory:
        _check_place(Path(str(url.database)), create=create)
    engine = create_engine(url, connect_args={"timeout": wait_s})

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions are begun explicitly below
        connection.execute("PRAGMA foreign_keys=ON")
        if create and not in_memory:
            _keep_log(connection, wait_s)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("dlbricks_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _keep_log(connection: sqlite3.Connection, wait_s: float) -> None:
    """Switch the file to a write-ahead log, waiting for locks, which SQLite itself does not do here."""
    give_up = time.monotonic() + wait_s
    while connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > give_up:
                raise
            time.sleep(0.02)


def _check_place(path: Path, *, create: bool) -> None:
    try:
        if path.is_dir():
            raise InputError(f"store {path} is a folder: name a file in it, as in {path / 'store.sqlite'}")
        if not path.exists():
            if not create:
                raise InputError(f"there is no store at {path}: dlbricks submit makes it")
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"store {path}: {error.strerror or error}"
        raise InputError(message) from error
